//! Bodies of the builtins of the matrix units: `wmma` loads, stores and products.
//!
//! A fragment lies in an array that the builtin gets a pointer to; the intrinsic has it in registers:
//!
//! ```text
//!   __hmma_m16n16k16_ld_a(to, from, stride, layout)   %f = call { <2 x half> x 8 } @llvm.nvvm.wmma.….load.a.row.stride.f16
//!                                                     store each member to its place in %to
//! ```
//!
//! The layout is a constant: 0 row, 1 column; of products `2 * a + b`. So each layout has a body of its own.

use super::body::Found;
use std::fmt::Write;
use warpc_builtins::Builtin;

/// The registers of a fragment.
#[derive(Clone, Copy)]
struct Fragment {
    /// How many.
    count: u32,
    /// The type of each in the intrinsic.
    ty: &'static str,
}

impl Fragment {
    const fn new(count: u32, ty: &'static str) -> Fragment {
        Fragment { count, ty }
    }

    /// The size of a register in memory.
    fn bytes(self) -> u32 {
        if self.ty == "double" { 8 } else { 4 }
    }

    fn struct_type(self) -> String {
        match self.count {
            1 => self.ty.to_owned(),
            count => format!("{{ {} }}", vec![self.ty; count as usize].join(", ")),
        }
    }

    /// Loads the registers from an array.
    fn load(self, text: &mut String, from: &str, prefix: &str) {
        for index in 0..self.count {
            let at = index * self.bytes();
            let _ = writeln!(
                text,
                "  %{prefix}p{index} = getelementptr i8, ptr %{from}, i64 {at}\n  \
                 %{prefix}{index} = load {ty}, ptr %{prefix}p{index}, align {align}",
                ty = self.ty,
                align = self.bytes(),
            );
        }
    }

    /// Stores the members of `%r` to an array.
    fn store(self, text: &mut String, to: &str) {
        for index in 0..self.count {
            let value = match self.count {
                1 => "%r".to_owned(),
                _ => {
                    let whole = self.struct_type();
                    let _ = writeln!(text, "  %m{index} = extractvalue {whole} %r, {index}");
                    format!("%m{index}")
                }
            };
            let at = index * self.bytes();
            let _ = writeln!(
                text,
                "  %q{index} = getelementptr i8, ptr %{to}, i64 {at}\n  \
                 store {ty} {value}, ptr %q{index}, align {align}",
                ty = self.ty,
                align = self.bytes(),
            );
        }
    }

    fn args(self, prefix: &str) -> Vec<String> {
        let arg = |index| format!("{} %{prefix}{index}", self.ty);
        (0..self.count).map(arg).collect()
    }
}

/// A matrix type of a shape.
struct Kind {
    /// How builtins begin: family, type where it stands in front, shape.
    prefix: &'static str,
    shape: &'static str,
    /// The element types by the builtin's suffix and in the names of intrinsics; the first two matrices.
    elements: &'static [(&'static str, &'static str)],
    a: Fragment,
    b: Fragment,
}

const HALVES: Fragment = Fragment::new(8, "<2 x half>");

const fn kind(
    prefix: &'static str,
    shape: &'static str,
    elements: &'static [(&'static str, &'static str)],
    a: Fragment,
    b: Fragment,
) -> Kind {
    Kind {
        prefix,
        shape,
        elements,
        a,
        b,
    }
}

const fn words(count: u32) -> Fragment {
    Fragment::new(count, "i32")
}

const BYTES: &[(&str, &str)] = &[("_s8", "s8"), ("_u8", "u8")];
const NIBBLES: &[(&str, &str)] = &[("_s4", "s4"), ("_u4", "u4")];
const HALF: &[(&str, &str)] = &[("", "f16")];
const BF16: &[(&str, &str)] = &[("", "bf16")];

static KINDS: [Kind; 13] = [
    kind("__hmma_", "m16n16k16", HALF, HALVES, HALVES),
    kind("__hmma_", "m32n8k16", HALF, HALVES, HALVES),
    kind("__hmma_", "m8n32k16", HALF, HALVES, HALVES),
    kind("__imma_", "m16n16k16", BYTES, words(2), words(2)),
    kind("__imma_", "m32n8k16", BYTES, words(4), words(1)),
    kind("__imma_", "m8n32k16", BYTES, words(1), words(4)),
    kind("__imma_", "m8n8k32", NIBBLES, words(1), words(1)),
    kind("__bmma_", "m8n8k128", &[("_b1", "b1")], words(1), words(1)),
    kind(
        "__dmma_",
        "m8n8k4",
        &[("", "f64")],
        Fragment::new(1, "double"),
        Fragment::new(1, "double"),
    ),
    kind(
        "__mma_tf32_",
        "m16n16k8",
        &[("", "tf32")],
        words(4),
        words(4),
    ),
    kind("__mma_bf16_", "m16n16k16", BF16, words(4), words(4)),
    kind("__mma_bf16_", "m32n8k16", BF16, words(8), words(2)),
    kind("__mma_bf16_", "m8n32k16", BF16, words(2), words(8)),
];

impl Kind {
    /// The accumulator of an element type.
    fn accumulator(&self, element: &str) -> Fragment {
        match (element, self.prefix) {
            ("f16", _) => Fragment::new(4, "<2 x half>"),
            ("f32", _) => Fragment::new(8, "float"),
            ("f64", _) => Fragment::new(2, "double"),
            (_, "__bmma_") => words(2),
            _ if self.shape == "m8n8k32" => words(2),
            _ => words(8),
        }
    }

    /// The element type of an accumulator whose builtin does not say it.
    fn plain_accumulator(&self) -> &'static str {
        match self.prefix {
            "__dmma_" => "f64",
            "__mma_tf32_" | "__mma_bf16_" => "f32",
            _ => "s32",
        }
    }
}

/// The body of a call, if the builtin is one of the matrix units.
pub(super) fn find(builtin: &Builtin, constants: &[Option<u64>]) -> Option<Found> {
    // One store has no type in front: tf32 and bf16 share it.
    let name = match builtin.name.strip_prefix("__mma_m16n16k8_") {
        Some(rest) => format!("__mma_tf32_m16n16k8_{rest}"),
        None => builtin.name.to_owned(),
    };
    let (kind, rest) = KINDS.iter().find_map(|kind| {
        let rest = name.strip_prefix(kind.prefix)?.strip_prefix(kind.shape)?;
        Some((kind, rest.strip_prefix('_')?))
    })?;
    let constant = |index: usize| constants.get(index).copied().flatten();
    let layout_at = if rest.starts_with("mma") { 4 } else { 3 };
    let layouts = if layout_at == 4 { 4 } else { 2 };
    let layout = match constant(layout_at) {
        Some(layout) if layout < layouts => layout as usize,
        _ => {
            let message = format!(
                "the layout, argument {} of `{}`, is not a constant below {layouts}",
                layout_at + 1,
                builtin.name
            );
            let help = "0 is by rows, 1 by columns; of products 2 * a + b";
            return Some(Found::Refused(message, help.to_owned()));
        }
    };
    let order = ["row", "col"];
    if let Some(operation) = rest.strip_prefix("mma_") {
        // Products of bits have no limit.
        let limited = match builtin.signature.map(|s| s.params().len()) {
            Some(6) => constant(5),
            _ => Some(0),
        };
        let Some(limited @ (0 | 1)) = limited else {
            let message = format!(
                "argument 6 of `{}`, whether results are limited to finite numbers, is not 0 or 1",
                builtin.name
            );
            return Some(Found::Refused(message, "give a constant".to_owned()));
        };
        let layouts = format!("{}.{}", order[layout / 2], order[layout % 2]);
        return Some(product(builtin, kind, operation, &layouts, limited == 1));
    }
    let (verb, matrix) = rest.split_at(2);
    let matrix = matrix.strip_prefix('_')?;
    move_fragment(builtin, kind, verb == "st", matrix, order[layout])
}

/// A load or a store.
fn move_fragment(
    builtin: &Builtin,
    kind: &Kind,
    is_store: bool,
    matrix: &str,
    order: &str,
) -> Option<Found> {
    let (matrix, suffix) = matrix.split_at(1);
    let (fragment, element) = match matrix {
        "c" => {
            let element = match suffix.strip_prefix('_') {
                Some("i32") => "s32",
                Some(element) => element,
                None => kind.plain_accumulator(),
            };
            (kind.accumulator(element), element)
        }
        _ => {
            let row = kind.elements.iter().find(|row| row.0 == suffix)?;
            let fragment = if matrix == "a" { kind.a } else { kind.b };
            (fragment, row.1)
        }
    };
    let (name, shape) = (format!("{}.{order}", builtin.name), kind.shape);
    let mut text =
        format!("define void @{name}(ptr %to, ptr %from, i32 %stride, i32 %layout) {{\n");
    let stem = format!("llvm.nvvm.wmma.{shape}");
    if is_store {
        let intrinsic = format!("{stem}.store.d.{order}.stride.{element}.p0");
        fragment.load(&mut text, "from", "f");
        let args = fragment.args("f").join(", ");
        let types = vec![fragment.ty; fragment.count as usize].join(", ");
        let _ = writeln!(
            text,
            "  call void @{intrinsic}(ptr %to, {args}, i32 %stride)\n  ret void\n}}\n\
             declare void @{intrinsic}(ptr, {types}, i32)"
        );
    } else {
        let intrinsic = format!("{stem}.load.{matrix}.{order}.stride.{element}.p0");
        let whole = fragment.struct_type();
        let _ = writeln!(
            text,
            "  %r = call {whole} @{intrinsic}(ptr %from, i32 %stride)"
        );
        fragment.store(&mut text, "to");
        let _ = writeln!(
            text,
            "  ret void\n}}\ndeclare {whole} @{intrinsic}(ptr, i32)"
        );
    }
    Some(Found::Made { name, text })
}

/// A product: `d = a * b + c`.
fn product(builtin: &Builtin, kind: &Kind, operation: &str, layouts: &str, limited: bool) -> Found {
    // `f32f16`: of d and of c. Others say the type of a and b, or that of all accumulators.
    let (types, d, c) = match (kind.prefix, operation) {
        ("__hmma_", "f16f16") => ("f16.f16", "f16", "f16"),
        ("__hmma_", "f32f16") => ("f32.f16", "f32", "f16"),
        ("__hmma_", "f16f32") => ("f16.f32", "f16", "f32"),
        ("__hmma_", _) => ("f32.f32", "f32", "f32"),
        ("__imma_" | "__bmma_", _) => {
            let element = operation.rsplit('_').next().unwrap_or(operation);
            (element, "s32", "s32")
        }
        (_, accumulator) => (kind.elements[0].1, accumulator, accumulator),
    };
    let bits = match operation.rsplit_once('_') {
        Some((operation, "b1")) => format!("{}.", operation.replace('_', ".")),
        _ => String::new(),
    };
    let limit = if limited { ".satfinite" } else { "" };
    let shape = kind.shape;
    let intrinsic = format!("llvm.nvvm.wmma.{shape}.mma.{bits}{layouts}.{types}{limit}");
    let (c, d) = (kind.accumulator(c), kind.accumulator(d));
    let name = format!("{}.{layouts}{limit}", builtin.name);
    let count = builtin.signature.map_or(6, |s| s.params().len());
    let extra = if count == 6 { ", i32 %limit" } else { "" };
    let mut text =
        format!("define void @{name}(ptr %d, ptr %a, ptr %b, ptr %c, i32 %layout{extra}) {{\n");
    let mut args = Vec::new();
    let mut params = Vec::new();
    for (fragment, from) in [(kind.a, "a"), (kind.b, "b"), (c, "c")] {
        fragment.load(&mut text, from, &format!("f{from}"));
        args.extend(fragment.args(&format!("f{from}")));
        params.extend(vec![fragment.ty; fragment.count as usize]);
    }
    let whole = d.struct_type();
    let _ = writeln!(
        text,
        "  %r = call {whole} @{intrinsic}({})",
        args.join(", ")
    );
    d.store(&mut text, "d");
    let params = params.join(", ");
    let _ = writeln!(
        text,
        "  ret void\n}}\ndeclare {whole} @{intrinsic}({params})"
    );
    Found::Made { name, text }
}
