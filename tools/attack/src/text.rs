//! Programs as LLVM IR.

mod instruction;
mod memory;

use crate::chance::Chance;
use crate::interpret::Seen;
use crate::program::{
    Arg, Edge, Function, Id, Kind, Object, Op, Place, Program, THREADS, Term, seen,
};
use crate::ty::{Scalar, Ty};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const HEADER: &str = "\
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
";

/// A module that is written, of one program or many.
#[derive(Default)]
pub struct Module {
    variables: String,
    functions: String,
    declares: BTreeSet<String>,
}

/// A function that is written.
struct Writer<'p> {
    program: &'p Program,
    function: &'p Function,
    number: usize,
    seen: &'p [u32],
    chance: Chance,
    out: String,
    fresh: usize,
    declares: BTreeSet<String>,
    variables: String,
    /// Values that are just another one: what was stored, and numbers that need no guard.
    same: BTreeMap<Id, Arg>,
    /// Blocks that control can come to.
    reached: BTreeSet<usize>,
    /// Objects that are used.
    touched: BTreeSet<usize>,
    /// The address space of the kernel's pointers.
    kernel_space: u32,
    /// Whether every number is a small integer and every product exact, so that order is free.
    calm: bool,
}

/// The name of a program's kernel.
pub fn kernel(program: &Program) -> String {
    format!("k{}", program.seed)
}

/// Bytes of a scalar in the output.
pub fn output_bytes(scalar: Scalar) -> usize {
    scalar.width().next_power_of_two().max(8) as usize / 8
}

/// Bytes that a thread writes.
pub fn output_size(function: &Function) -> usize {
    let size = |ty: &Ty| ty.leaves().into_iter().map(output_bytes).sum::<usize>();
    let all: usize = function
        .results
        .iter()
        .map(|ty| size(ty).next_multiple_of(16))
        .sum();
    all.max(16)
}

/// The bytes that all threads write.
pub fn expected(function: &Function, results: &[Vec<Vec<u128>>]) -> Vec<u8> {
    let mut all = Vec::new();
    for thread in results {
        let start = all.len();
        for (ty, parts) in function.results.iter().zip(thread) {
            for (scalar, bits) in ty.leaves().into_iter().zip(parts) {
                all.extend(&bits.to_le_bytes()[..output_bytes(scalar)]);
            }
            all.resize(start + (all.len() - start).next_multiple_of(16), 0);
        }
        all.resize(start + output_size(function), 0);
    }
    all
}

impl Module {
    /// Adds a program.
    pub fn add(&mut self, program: &Program, seen: &Seen) {
        let needed = called(program);
        for (number, function) in program.functions.iter().enumerate() {
            if !needed.contains(&number) {
                continue;
            }
            let calm = is_calm(function, &seen[number]);
            let mut chance = Chance::new(program.seed ^ (number as u64) << 40 ^ 0x7e87);
            let mut writer = Writer {
                program,
                function,
                number,
                seen: &seen[number],
                kernel_space: u32::from(chance.one_in(3)),
                chance,
                out: String::new(),
                fresh: 0,
                declares: BTreeSet::new(),
                variables: String::new(),
                calm,
                same: same(function, &seen[number]),
                reached: reached(function),
                touched: touched(function),
            };
            writer.write();
            self.functions.push_str(&writer.out);
            self.variables.push_str(&writer.variables);
            self.declares.append(&mut writer.declares);
        }
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let mut out = format!("{HEADER}\n{}", self.variables);
        out.push_str(&self.functions);
        out.push('\n');
        for one in &self.declares {
            let _ = writeln!(out, "declare {one}");
        }
        out
    }
}

/// Functions that the kernel calls, and itself.
fn called(program: &Program) -> BTreeSet<usize> {
    let mut needed = BTreeSet::from([program.functions.len() - 1]);
    for number in (0..program.functions.len()).rev() {
        if !needed.contains(&number) {
            continue;
        }
        let function = &program.functions[number];
        for block in reached(function) {
            for inst in &function.blocks[block].insts {
                if let Op::Call(callee, _) = inst.op {
                    needed.insert(callee);
                }
            }
        }
    }
    needed
}

fn reached(function: &Function) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([0]);
    let mut open = vec![0];
    while let Some(block) = open.pop() {
        for edge in edges(&function.blocks[block].term) {
            if reached.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    reached
}

fn touched(function: &Function) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    let mut see = |place: &Place| {
        all.insert(place.object);
        all.extend(place.other);
    };
    for block in reached(function) {
        for inst in &function.blocks[block].insts {
            match &inst.op {
                Op::Load(place) | Op::Store(place) | Op::Set { to: place, .. } => see(place),
                Op::Copy { to, from, .. } => {
                    see(to);
                    see(from);
                }
                Op::Call(_, places) => places.iter().for_each(&mut see),
                _ => {}
            }
        }
    }
    for block in reached(function) {
        for inst in &function.blocks[block].insts {
            if let Op::Spill(a, b) = inst.op {
                all.insert(a);
                all.extend(b);
            }
        }
    }
    all
}

fn same(function: &Function, seen: &[u32]) -> BTreeMap<Id, Arg> {
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    let only = insts.filter(|inst| match inst.op {
        Op::Store(_) => true,
        Op::Canonical => seen[inst.id] & (seen::RAN | seen::NAN) == seen::RAN,
        _ => false,
    });
    only.map(|inst| (inst.id, inst.args[0].clone())).collect()
}

fn is_calm(function: &Function, seen: &[u32]) -> bool {
    let bad = seen::NAN | seen::INF | seen::ROUNDED | seen::LARGE | seen::ZERO;
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    let mut floats = insts.filter(|inst| {
        let args = inst.args.iter().map(|arg| function.ty(arg));
        args.chain([function.types[inst.id].clone()])
            .any(|ty| ty.is_fp())
    });
    floats.all(|inst| seen[inst.id] & bad == 0)
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }

    /// A new name.
    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("%t{}", self.fresh)
    }

    /// A line with a new name for its result.
    fn value(&mut self, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        name
    }

    fn arg(&mut self, arg: &Arg) -> String {
        match arg {
            Arg::Local(id) => match self.same.get(id).cloned() {
                Some(arg) => self.arg(&arg),
                None => format!("%v{id}"),
            },
            Arg::Const(ty, parts) => {
                let same = parts.iter().all(|part| *part == parts[0]);
                if let (Ty::Vector(_, scalar), true) = (ty, same)
                    && self.chance.one_in(2)
                {
                    return format!("splat ({scalar} {})", scalar.constant(parts[0]));
                }
                if parts.iter().all(|part| *part == 0) && !matches!(ty, Ty::One(_)) {
                    return "zeroinitializer".into();
                }
                ty.constant(parts)
            }
        }
    }

    /// The operand with its type.
    fn typed(&mut self, arg: &Arg) -> String {
        let text = self.arg(arg);
        format!("{} {text}", self.function.ty(arg))
    }

    fn is_kernel(&self) -> bool {
        self.number + 1 == self.program.functions.len()
    }

    fn function_name(&self, number: usize) -> String {
        format!("f{}_{number}", self.program.seed)
    }

    fn write(&mut self) {
        let function = self.function;
        let mut params: Vec<String> = Vec::new();
        for (i, ty) in function.params.iter().enumerate() {
            let width = ty.scalar().width();
            let extended = matches!(ty, Ty::One(Scalar::Int(_))) && width < 32;
            // Both sides of a call say nothing about extension, or nothing is promised to the callee.
            let attribute = if extended && self.chance.one_in(4) {
                " noundef"
            } else {
                ""
            };
            params.push(format!("{ty}{attribute} %v{i}"));
        }
        for (i, object) in function.objects.iter().enumerate() {
            let Object { kind, size, align } = object;
            match kind {
                Kind::ByValue(ty) => params.push(format!("ptr byval({ty}) align {align} %o{i}")),
                Kind::Reference => params.push(format!("ptr %o{i}")),
                Kind::Parameter(_) => {
                    params.push(format!("ptr byval([{size} x i8]) align {align} %o{i}"));
                }
                _ => {}
            }
        }
        let head = if self.is_kernel() {
            let ty = self.pointer_type();
            let mut first = vec![format!("{ty} %in"), format!("{ty} %out")];
            first.append(&mut params);
            format!(
                "define ptx_kernel void @{}({})",
                kernel(self.program),
                first.join(", ")
            )
        } else {
            format!(
                "define internal {} @{}({})",
                function.results[0],
                self.function_name(self.number),
                params.join(", ")
            )
        };
        let attributes = [function.attributes, self.program.denormals].join(" ");
        let _ = writeln!(self.out, "\n{head} {} {{", attributes.trim());
        let _ = writeln!(self.out, "b0:");
        self.prologue();
        for (i, block) in function.blocks.iter().enumerate() {
            if !self.reached.contains(&i) {
                continue;
            }
            if i > 0 {
                let _ = writeln!(self.out, "b{i}:");
                for (n, slot) in block.slots.iter().enumerate() {
                    let from = self.incoming(i, n);
                    self.line(&format!(
                        "%v{slot} = phi {} {}",
                        function.types[*slot],
                        from.join(", ")
                    ));
                }
            }
            for inst in &block.insts {
                self.instruction(inst);
            }
            self.term(&block.term);
        }
        self.out.push_str("}\n");
    }

    /// One entry for every way into a block.
    fn incoming(&mut self, to: usize, slot: usize) -> Vec<String> {
        let mut all = Vec::new();
        for (from, block) in self.function.blocks.iter().enumerate() {
            if !self.reached.contains(&from) {
                continue;
            }
            for edge in edges(&block.term) {
                if edge.to == to {
                    let value = self.arg(&edge.values[slot]);
                    all.push(format!("[ {value}, %b{from} ]"));
                }
            }
        }
        all
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Jump(edge) => self.line(&format!("br label %b{}", edge.to)),
            Term::Branch(condition, yes, no) => {
                let condition = self.arg(condition);
                self.line(&format!(
                    "br i1 {condition}, label %b{}, label %b{}",
                    yes.to, no.to
                ));
            }
            Term::Switch(value, cases, default) => {
                let ty = self.function.ty(value);
                let value = self.arg(value);
                self.line(&format!("switch {ty} {value}, label %b{} [", default.to));
                for (key, edge) in cases {
                    self.line(&format!(
                        "  {ty} {}, label %b{}",
                        ty.constant(&[*key]),
                        edge.to
                    ));
                }
                self.line("]");
            }
            Term::Return(args) if self.is_kernel() => {
                self.results(args);
                self.line("ret void");
            }
            Term::Return(args) => {
                let value = self.typed(&args[0]);
                self.line(&format!("ret {value}"));
            }
        }
    }

    /// Stores what a kernel computed.
    fn results(&mut self, args: &[Arg]) {
        let mut at = 0;
        for arg in args {
            let ty = self.function.ty(arg);
            let bytes = output_bytes(ty.scalar());
            let wide = Ty::int(bytes as u32 * 8).scalar();
            let mut value = self.arg(arg);
            let mut stored = ty.clone();
            if matches!(ty.scalar(), Scalar::Int(_)) && wide != ty.scalar() {
                stored = ty.with(wide);
                value = self.value(&format!("zext {ty} {value} to {stored}"));
            }
            let size = bytes * ty.lanes() as usize;
            let place = match at {
                0 => "%out.here".to_string(),
                _ => self.value(&format!(
                    "getelementptr inbounds i8, {} %out.here, i64 {at}",
                    self.pointer_type()
                )),
            };
            // A vector is stored whole, or element by element.
            if ty.lanes() > 1 && self.chance.one_in(2) {
                for lane in 0..ty.lanes() {
                    let element =
                        self.value(&format!("extractelement {stored} {value}, i32 {lane}"));
                    let to = self.value(&format!(
                        "getelementptr inbounds {}, {} {place}, i64 {lane}",
                        stored.scalar(),
                        self.pointer_type()
                    ));
                    self.line(&format!(
                        "store {} {element}, {} {to}, align {bytes}",
                        stored.scalar(),
                        self.pointer_type()
                    ));
                }
            } else {
                let align = size.next_power_of_two().min(16);
                let align = if size.is_multiple_of(align) {
                    align
                } else {
                    bytes
                };
                self.line(&format!(
                    "store {stored} {value}, {} {place}, align {align}",
                    self.pointer_type()
                ));
            }
            at += size.next_multiple_of(16);
        }
    }

    fn prologue(&mut self) {
        let function = self.function;
        if self.is_kernel() {
            let tid = "i32 @llvm.nvvm.read.ptx.sreg.tid.x()";
            self.declares.insert(tid.into());
            self.line(&format!("%tid = call {tid}"));
            self.line("%tid.wide = zext i32 %tid to i64");
            let size = output_size(function);
            let out = self.value(&format!("mul i64 %tid.wide, {size}"));
            let ty = self.pointer_type();
            self.line(&format!(
                "%out.here = getelementptr inbounds i8, {ty} %out, i64 {out}"
            ));
        }
        for (i, object) in function.objects.iter().enumerate() {
            if !self.touched.contains(&i) {
                continue;
            }
            let Object { kind, size, align } = object;
            let stride = size.next_multiple_of(*align);
            let variable = format!("@g{}_{}_{i}", self.program.seed, self.number);
            let base = match kind {
                Kind::Stack => {
                    self.line(&format!("%o{i} = alloca [{size} x i8], align {align}"));
                    continue;
                }
                Kind::Input => "%in".to_string(),
                Kind::Variable(space) => {
                    let initial = if *space == 3 {
                        "undef"
                    } else {
                        "zeroinitializer"
                    };
                    let bytes = stride * THREADS as u64;
                    let _ = writeln!(
                        self.variables,
                        "{variable} = internal addrspace({space}) global [{bytes} x i8] {initial}, align {align}"
                    );
                    variable
                }
                Kind::Table(space, bytes) => {
                    let text: String = bytes.iter().map(|byte| format!("\\{byte:02X}")).collect();
                    let _ = writeln!(
                        self.variables,
                        "{variable} = internal addrspace({space}) constant [{size} x i8] c\"{text}\", align {align}"
                    );
                    let ty = self.space_type(i);
                    self.line(&format!(
                        "%o{i} = getelementptr inbounds [{size} x i8], {ty} {variable}, i64 0, i64 0"
                    ));
                    continue;
                }
                Kind::Parameter(_) | Kind::ByValue(_) | Kind::Reference => continue,
            };
            let ty = self.space_type(i);
            if self.chance.one_in(2) {
                let index = self.value(&format!("mul nuw nsw i32 %tid, {stride}"));
                self.line(&format!(
                    "%o{i} = getelementptr inbounds i8, {ty} {base}, i32 {index}"
                ));
            } else {
                self.line(&format!(
                    "%o{i} = getelementptr inbounds [{stride} x i8], {ty} {base}, i64 %tid.wide"
                ));
            }
        }
    }
}

/// The ways out of a block.
pub fn edges(term: &Term) -> Vec<&Edge> {
    match term {
        Term::Jump(edge) => vec![edge],
        Term::Branch(_, yes, no) => vec![yes, no],
        Term::Switch(_, cases, default) => {
            let cases = cases.iter().map(|(_, edge)| edge);
            cases.chain([default]).collect()
        }
        Term::Return(_) => Vec::new(),
    }
}
