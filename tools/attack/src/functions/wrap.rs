//! A function of no parameters but two buffers around any function.

use super::extract::Function;
use super::signature::Param;
use super::watch::watched;
use crate::chance::Chance;
use crate::float;
use crate::text::output_bytes;
use crate::ty::{Scalar, Ty};
use std::fmt::Write;

/// What a module is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum For {
    /// The GPU: wrappers are kernels.
    Gpu,
    /// The host.
    Host,
    /// The host, with checks for poison.
    Watch,
}

/// Rows of input of each function; threads of the kernel.
pub const ROWS: usize = 24;

/// Bytes of memory of each pointer: room for a few long vectors, or for a loop that ends soon.
const REGION: usize = 512;

/// Bytes of a row: what is read, and what is written (the result, then the memory of pointers).
pub fn sizes(function: &Function) -> (usize, usize) {
    let mut input = 0;
    let mut output = 0;
    for param in &function.signature.params {
        match param {
            Param::Value(ty) => input += bytes(ty),
            Param::Pointer => output += REGION,
        }
    }
    output += function.signature.result.as_ref().map_or(0, bytes);
    (
        input.next_multiple_of(16).max(16),
        output.next_multiple_of(16).max(16),
    )
}

fn bytes(ty: &Ty) -> usize {
    let sum: usize = ty.leaves().into_iter().map(output_bytes).sum();
    sum.next_multiple_of(16)
}

/// All rows: what is read, and what lies where it writes.
pub fn rows(function: &Function, chance: &mut Chance) -> (Vec<u8>, Vec<u8>) {
    let (input, output) = sizes(function);
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for row in 0..ROWS {
        let mut one = Vec::new();
        for param in &function.signature.params {
            if let Param::Value(ty) = param {
                // Some rows have small numbers everywhere: sizes, lanes and amounts that are in range.
                let parts = match row % 3 {
                    0 => small(ty, chance),
                    _ => ty.any(chance),
                };
                let start = one.len();
                for (scalar, bits) in ty.leaves().into_iter().zip(parts) {
                    one.extend(&bits.to_le_bytes()[..output_bytes(scalar)]);
                }
                one.resize(start + bytes(ty), 0);
            }
        }
        one.resize(input, 0);
        read.extend(one);
        let result = function.signature.result.as_ref().map_or(0, bytes);
        let mut memory = vec![0; result];
        while memory.len() < output {
            let value = match chance.below(4) {
                0 => chance.edge(32) as u32,
                1 => float::any(crate::ty::Format::Float, chance) as u32,
                2 => chance.below(9) as u32,
                _ => chance.bits() as u32,
            };
            memory.extend(value.to_le_bytes());
        }
        memory.truncate(output);
        written.extend(memory);
    }
    (read, written)
}

fn small(ty: &Ty, chance: &mut Chance) -> Vec<u128> {
    let leaves = ty.leaves().into_iter();
    leaves
        .map(|scalar| match scalar {
            Scalar::Int(width) => chance.below(12) as u128 & crate::chance::mask(width),
            Scalar::Fp(format) => float::from_f64(format, chance.below(40) as f64 / 4.0 - 4.0),
        })
        .collect()
}

/// Writes lines with names of their own.
struct Lines {
    out: String,
    next: usize,
}

impl Lines {
    fn value(&mut self, text: &str) -> String {
        self.next += 1;
        let name = format!("%x{}", self.next);
        let _ = writeln!(self.out, "  {name} = {text}");
        name
    }

    /// A value put together from memory.
    fn read(&mut self, ty: &Ty, at: &mut usize) -> String {
        match ty {
            Ty::One(scalar) => self.leaf(*scalar, at),
            Ty::Vector(n, scalar) => {
                let mut whole = "zeroinitializer".to_string();
                for lane in 0..*n {
                    let part = self.leaf(*scalar, at);
                    whole = self.value(&format!(
                        "insertelement {ty} {whole}, {scalar} {part}, i32 {lane}"
                    ));
                }
                whole
            }
            Ty::Struct(_, fields) => {
                let mut whole = "zeroinitializer".to_string();
                for (i, field) in fields.iter().enumerate() {
                    let part = self.read(field, at);
                    whole = self.value(&format!("insertvalue {ty} {whole}, {field} {part}, {i}"));
                }
                whole
            }
        }
    }

    fn leaf(&mut self, scalar: Scalar, at: &mut usize) -> String {
        let bytes = output_bytes(scalar);
        let place = self.value(&format!("getelementptr i8, ptr %in.here, i64 {at}"));
        *at += bytes;
        let width = bytes as u32 * 8;
        let bits = self.value(&format!("load i{width}, ptr {place}, align {bytes}"));
        match scalar {
            Scalar::Fp(_) => self.value(&format!("bitcast i{width} {bits} to {scalar}")),
            Scalar::Int(narrow) if narrow < width => {
                self.value(&format!("trunc i{width} {bits} to {scalar}"))
            }
            Scalar::Int(_) => bits,
        }
    }

    /// A value taken apart into memory; NaNs are made one.
    fn write(&mut self, ty: &Ty, value: &str, at: &mut usize) {
        match ty {
            Ty::One(scalar) => {
                let bytes = output_bytes(*scalar);
                let width = bytes as u32 * 8;
                let mut value = value.to_string();
                match scalar {
                    Scalar::Fp(format) => {
                        let nan = scalar.constant(float::nan(*format));
                        let is = self.value(&format!("fcmp uno {scalar} {value}, {value}"));
                        value = self
                            .value(&format!("select i1 {is}, {scalar} {nan}, {scalar} {value}"));
                        value = self.value(&format!("bitcast {scalar} {value} to i{width}"));
                    }
                    Scalar::Int(narrow) if *narrow < width => {
                        value = self.value(&format!("zext {scalar} {value} to i{width}"));
                    }
                    Scalar::Int(_) => {}
                }
                let place = self.value(&format!("getelementptr i8, ptr %out.here, i64 {at}"));
                *at += bytes;
                let _ = writeln!(
                    self.out,
                    "  store i{width} {value}, ptr {place}, align {bytes}"
                );
            }
            Ty::Vector(n, scalar) => {
                for lane in 0..*n {
                    let part = self.value(&format!("extractelement {ty} {value}, i32 {lane}"));
                    self.write(&Ty::One(*scalar), &part, at);
                }
            }
            Ty::Struct(_, fields) => {
                for (i, field) in fields.iter().enumerate() {
                    let part = self.value(&format!("extractvalue {ty} {value}, {i}"));
                    self.write(field, &part, at);
                }
            }
        }
    }
}

/// The function under the name of its number.
pub fn definition(function: &Function, number: usize, watch: bool) -> String {
    let result = function.signature.result.as_ref();
    let result = result.map_or("void".to_string(), Ty::to_string);
    let text = &function.signature.text;
    let body = match watch {
        true => watched(&function.body),
        false => function.body.clone(),
    };
    format!("define {result} @f_{number}({text}) {{\n{body}}}\n")
}

/// Its wrapper: a kernel whose threads take rows, or a function of the host for one row.
pub fn wrapper(function: &Function, number: usize, to: For) -> String {
    let kernel = to == For::Gpu;
    let mut lines = Lines {
        out: String::new(),
        next: 0,
    };
    let (input, output) = sizes(function);
    if kernel {
        let tid = lines.value("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()");
        let wide = lines.value(&format!("zext i32 {tid} to i64"));
        let from = lines.value(&format!("mul i64 {wide}, {input}"));
        let to = lines.value(&format!("mul i64 {wide}, {output}"));
        let _ = writeln!(
            lines.out,
            "  %in.here = getelementptr i8, ptr %in, i64 {from}"
        );
        let _ = writeln!(
            lines.out,
            "  %out.here = getelementptr i8, ptr %out, i64 {to}"
        );
    } else {
        let _ = writeln!(lines.out, "  %in.here = getelementptr i8, ptr %in, i64 0");
        let _ = writeln!(lines.out, "  %out.here = getelementptr i8, ptr %out, i64 0");
    }
    let signature = &function.signature;
    let mut arguments = Vec::new();
    let mut at = 0;
    let mut memory = signature.result.as_ref().map_or(0, bytes);
    for param in &signature.params {
        match param {
            Param::Value(ty) => {
                let start = at;
                let value = lines.read(ty, &mut at);
                at = start + bytes(ty);
                arguments.push(format!("{ty} {value}"));
            }
            Param::Pointer => {
                let place = lines.value(&format!("getelementptr i8, ptr %out.here, i64 {memory}"));
                memory += REGION;
                arguments.push(format!("ptr {place}"));
            }
        }
    }
    let arguments = arguments.join(", ");
    match &signature.result {
        Some(ty) => {
            let value = lines.value(&format!("call {ty} @f_{number}({arguments})"));
            lines.write(ty, &value, &mut 0);
        }
        None => {
            let _ = writeln!(lines.out, "  call void @f_{number}({arguments})");
        }
    }
    if to == For::Watch {
        // A row that made poison ends as one that trapped.
        let seen = lines.value("load i8, ptr @poisoned");
        let is = lines.value(&format!("icmp ne i8 {seen}, 0"));
        let _ = writeln!(
            lines.out,
            "  store i8 0, ptr @poisoned\n  br i1 {is}, label %bad, label %good\nbad:\n  \
             call void @llvm.trap()\n  unreachable\ngood:"
        );
    }
    let kind = if kernel { "ptx_kernel " } else { "" };
    format!(
        "define {kind}void @w_{number}(ptr %in, ptr %out) {{\n{}  ret void\n}}\n",
        lines.out
    )
}
