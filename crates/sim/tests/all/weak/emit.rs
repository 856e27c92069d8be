//! A program of the axioms as a kernel of PTX.

use std::collections::BTreeSet;
use std::fmt::Write;
use warpc_diag::SourceFile;
use warpc_model::axioms::{
    BarrierKind, Inst, MemoryProxy, Operand, Operation, Place, Program, ProxyFenceKind, Rmw,
    ValueType,
};
use warpc_model::{Ordering, Scope};
use warpc_ptx::Module;

/// A program as a kernel, and how it is launched.
pub struct Kernel {
    pub module: Module,
    pub grid: u32,
    pub block: u32,
    pub cluster: u32,
}

/// Bytes between memories.
pub const STRIDE: usize = 64;

/// Where threads are: the number of the block, and the number of the thread in it.
fn spread(program: &Program, lanes: bool) -> (Vec<(u32, u32)>, u32, u32, u32) {
    let clusters: BTreeSet<(u32, u32)> = program
        .threads
        .iter()
        .map(|thread| (thread.place.gpu, thread.place.cluster))
        .collect();
    let clusters: Vec<(u32, u32)> = clusters.into_iter().collect();
    let blocks_of = |cluster: &(u32, u32)| -> Vec<Place> {
        let mut all: Vec<Place> = Vec::new();
        for thread in &program.threads {
            let place = thread.place;
            if (place.gpu, place.cluster) == *cluster && !all.contains(&place) {
                all.push(place);
            }
        }
        all
    };
    let widest = clusters.iter().map(|one| blocks_of(one).len()).max();
    let cluster = widest.unwrap_or(1) as u32;
    let mut most = 0;
    let mut at = Vec::new();
    for (number, thread) in program.threads.iter().enumerate() {
        let own = (thread.place.gpu, thread.place.cluster);
        let which = clusters.iter().position(|one| *one == own).expect("it is");
        let blocks = blocks_of(&own);
        let rank = blocks.iter().position(|one| *one == thread.place);
        let block = which as u32 * cluster + rank.expect("it is") as u32;
        let before = &program.threads[..number];
        let same = before
            .iter()
            .filter(|one| one.place == thread.place)
            .count() as u32;
        most = most.max(same + 1);
        at.push((block, if lanes { same } else { 32 * same }));
    }
    let block = if lanes { most } else { 32 * most };
    (at, clusters.len() as u32 * cluster, block, cluster)
}

fn scope(scope: Scope) -> Option<&'static str> {
    Some(match scope {
        Scope::Thread => return None,
        Scope::Cta => ".cta",
        Scope::Cluster => ".cluster",
        Scope::Gpu => ".gpu",
        Scope::Sys => ".sys",
    })
}

/// `.relaxed.gpu` and the like.
fn strength(order: Ordering, wide: Scope) -> Option<String> {
    let order = match order {
        Ordering::Weak => return Some(".weak".to_owned()),
        Ordering::Relaxed => ".relaxed",
        Ordering::Acquire => ".acquire",
        Ordering::Release => ".release",
        Ordering::AcqRel => ".acq_rel",
        _ => return None,
    };
    Some(format!("{order}{}", scope(wide)?))
}

fn comparison(operation: Operation) -> Option<&'static str> {
    Some(match operation {
        Operation::Eq => "eq",
        Operation::Ne => "ne",
        Operation::Lt => "lt",
        Operation::Le => "le",
        Operation::Gt => "gt",
        Operation::Ge => "ge",
        _ => return None,
    })
}

fn sign(kind: ValueType) -> char {
    if kind.signed { 's' } else { 'u' }
}

/// Registers of 64 bits: those of the program, two for parameters before, and some for what is computed after.
struct Writer<'p> {
    program: &'p Program,
    text: String,
    labels: usize,
}

impl Writer<'_> {
    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Register(number) => format!("%v{number}"),
            Operand::Constant(value) => format!("{value}"),
        }
    }

    /// An operand of an access: in a register of its width.
    fn value(&mut self, operand: Operand, kind: ValueType, to: &str) -> Option<String> {
        let operand = self.operand(operand);
        match kind.bits {
            64 => {
                let _ = writeln!(self.text, "mov.u64 {to}, {operand};");
                Some(to.to_owned())
            }
            32 => {
                let _ = writeln!(
                    self.text,
                    "mov.u64 {to}, {operand}; cvt.u32.u64 {to}n, {to};"
                );
                Some(format!("{to}n"))
            }
            _ => None,
        }
    }

    /// A loaded value in a register of the program.
    fn keep(&mut self, to: Option<usize>, kind: ValueType) {
        let to = to.map_or("%x3".to_owned(), |to| format!("%v{to}"));
        let _ = match kind.bits {
            64 => writeln!(self.text, "mov.u64 {to}, %x2;"),
            _ => writeln!(self.text, "cvt.u64.u32 {to}, %x2n;"),
        };
    }

    fn address(&self, location: usize) -> Option<String> {
        let location = self.program.locations.get(location)?;
        Some(format!("[%rd0+{}]", STRIDE * location.memory))
    }

    fn inst(&mut self, thread: usize, inst: &Inst) -> Option<()> {
        match *inst {
            Inst::Load {
                to,
                location,
                order,
                scope,
                proxy: MemoryProxy::Generic,
                kind,
            } => {
                let (how, at) = (strength(order, scope)?, self.address(location)?);
                let narrow = if kind.bits == 32 { "n" } else { "" };
                let bits = kind.bits;
                let _ = writeln!(self.text, "ld{how}.global.u{bits} %x2{narrow}, {at};");
                self.keep(Some(to), kind);
            }
            Inst::Store {
                location,
                value,
                order,
                scope,
                proxy: MemoryProxy::Generic,
                kind,
            } => {
                let (how, at) = (strength(order, scope)?, self.address(location)?);
                let value = self.value(value, kind, "%x0")?;
                let bits = kind.bits;
                let _ = writeln!(self.text, "st{how}.global.u{bits} {at}, {value};");
            }
            Inst::Atomic {
                to,
                location,
                operation,
                order,
                scope,
                proxy: MemoryProxy::Generic,
                kind,
            } => {
                let (how, at) = (strength(order, scope)?, self.address(location)?);
                let bits = kind.bits;
                let narrow = if bits == 32 { "n" } else { "" };
                let ty = sign(kind);
                let (name, operands) = match operation {
                    Rmw::Cas(expected, new) => {
                        let expected = self.value(expected, kind, "%x0")?;
                        let new = self.value(new, kind, "%x1")?;
                        (format!("cas.b{bits}"), format!("{expected}, {new}"))
                    }
                    Rmw::Apply(operation, with) => {
                        let with = self.value(with, kind, "%x0")?;
                        let name = match operation {
                            Operation::Second => format!("exch.b{bits}"),
                            Operation::Add => format!("add.u{bits}"),
                            Operation::And => format!("and.b{bits}"),
                            Operation::Or => format!("or.b{bits}"),
                            Operation::Xor => format!("xor.b{bits}"),
                            Operation::Min => format!("min.{ty}{bits}"),
                            Operation::Max => format!("max.{ty}{bits}"),
                            Operation::Inc if bits == 32 => "inc.u32".to_owned(),
                            Operation::Dec if bits == 32 => "dec.u32".to_owned(),
                            _ => return None,
                        };
                        (name, with)
                    }
                };
                let _ = writeln!(
                    self.text,
                    "atom{how}.global.{name} %x2{narrow}, {at}, {operands};"
                );
                self.keep(to, kind);
            }
            Inst::Fence { order, scope: wide } => {
                let order = match order {
                    Ordering::Acquire => "acquire",
                    Ordering::Release => "release",
                    Ordering::AcqRel => "acq_rel",
                    Ordering::SeqCst => "sc",
                    _ => return None,
                };
                let _ = writeln!(self.text, "fence.{order}{};", scope(wide)?);
            }
            Inst::ProxyFence(ProxyFenceKind::With(MemoryProxy::Generic)) => {}
            Inst::Barrier {
                kind,
                instance: None,
                barrier: Operand::Constant(barrier),
                count,
            } => {
                let count = match count {
                    Some(Operand::Constant(count)) => count,
                    Some(_) => return None,
                    None => self.sharing(thread, barrier),
                };
                let name = match kind {
                    BarrierKind::Sync => "sync",
                    BarrierKind::Arrive => "arrive",
                };
                if barrier > 15 || count == 0 || count > 32 {
                    return None;
                }
                let threads = 32 * count;
                let _ = writeln!(self.text, "barrier.{name} {barrier}, {threads};");
            }
            Inst::Compute {
                to,
                operation,
                a,
                b,
                kind,
            } => {
                let (a, b) = (self.operand(a), self.operand(b));
                let name = match operation {
                    _ if kind.bits != 64 => return None,
                    Operation::Second => {
                        let _ = writeln!(self.text, "mov.u64 %v{to}, {b};");
                        return Some(());
                    }
                    Operation::Add => "add.s64",
                    Operation::Sub => "sub.s64",
                    Operation::Mul => "mul.lo.s64",
                    Operation::Div => "div.s64",
                    Operation::Rem => "rem.s64",
                    Operation::And => "and.b64",
                    Operation::Or => "or.b64",
                    Operation::Xor => "xor.b64",
                    Operation::Min => "min.s64",
                    Operation::Max => "max.s64",
                    _ => return None,
                };
                let _ = writeln!(
                    self.text,
                    "mov.u64 %x0, {a}; mov.u64 %x1, {b}; {name} %v{to}, %x0, %x1;"
                );
            }
            Inst::Branch {
                operation,
                a,
                b,
                kind,
                target,
            } => {
                if kind.bits != 64 {
                    return None;
                }
                let (a, b) = (self.operand(a), self.operand(b));
                let (name, ty) = (comparison(operation)?, sign(kind));
                let _ = writeln!(
                    self.text,
                    "mov.u64 %x0, {a}; setp.{name}.{ty}64 %p1, %x0, {b}; @%p1 bra L{thread}_{target};"
                );
            }
            Inst::Jump(target) => {
                let _ = writeln!(self.text, "bra L{thread}_{target};");
            }
            _ => return None,
        }
        Some(())
    }

    /// Threads of the block of a thread that have a barrier in their code.
    fn sharing(&self, thread: usize, number: u64) -> u64 {
        let place = self.program.threads[thread].place;
        let has = |inst: &Inst| matches!(inst, Inst::Barrier { barrier: Operand::Constant(it), .. } if *it == number);
        let all = self.program.threads.iter();
        all.filter(|one| one.place == place && one.code.iter().any(has))
            .count() as u64
    }
}

/// The kernel of a program: its first argument is the memories, the second the registers of all threads. `None` for
/// programs that a launch cannot be: several GPUs, other proxies, aliases.
pub fn kernel(program: &Program, lanes: bool) -> Option<Kernel> {
    let gpus: BTreeSet<u32> = program.threads.iter().map(|one| one.place.gpu).collect();
    let locations = &program.locations;
    let aliased = locations.iter().enumerate().any(|(at, one)| {
        let same = |other: &&_| {
            let other: &warpc_model::axioms::Location = other;
            other.memory == one.memory && other.address != one.address
        };
        locations[at..].iter().any(|other| same(&other))
    });
    if gpus.len() > 1 || aliased {
        return None;
    }
    let has_barrier = |inst: &Inst| matches!(inst, Inst::Barrier { .. });
    let mut threads = program.threads.iter();
    let lanes = lanes && !threads.any(|one| one.code.iter().any(has_barrier));
    let (at, grid, block, cluster) = spread(program, lanes);
    let mut writer = Writer {
        program,
        text: String::new(),
        labels: 0,
    };
    let registers = program
        .threads
        .iter()
        .map(|one| one.registers.len())
        .max()?;
    let _ = writeln!(
        writer.text,
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 memory, .param .u64 out) {{\n\
         .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .b64 %x<4>; .reg .b32 %x0n, %x1n, %x2n; .reg .b64 %v<{}>;\n\
         ld.param.u64 %rd0, [memory]; ld.param.u64 %rd1, [out];\n\
         mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mad.lo.u32 %r2, %r0, {block}, %r1;",
        registers + 1
    );
    for (thread, (which, number)) in at.iter().enumerate() {
        let id = which * block + number;
        let _ = writeln!(
            writer.text,
            "setp.eq.u32 %p0, %r2, {id}; @%p0 bra T{thread};"
        );
    }
    writer.text.push_str("exit;\n");
    let mut out = 0;
    for (number, thread) in program.threads.iter().enumerate() {
        let _ = writeln!(writer.text, "T{number}:");
        for (register, value) in thread.registers.iter().enumerate() {
            let _ = writeln!(writer.text, "mov.u64 %v{register}, {value};");
        }
        for (index, inst) in thread.code.iter().enumerate() {
            let _ = writeln!(writer.text, "L{number}_{index}:");
            writer.inst(number, inst)?;
            writer.labels += 1;
        }
        let _ = writeln!(writer.text, "L{number}_{}:", thread.code.len());
        for register in 0..thread.registers.len() {
            let _ = writeln!(writer.text, "st.global.u64 [%rd1+{out}], %v{register};");
            out += 8;
        }
        writer.text.push_str("exit;\n");
    }
    writer.text.push_str("}\n");
    let file = SourceFile::new("k.ptx", writer.text.as_str()).expect("a short text");
    let checked = warpc_ptx::check(&file);
    assert!(
        !checked.diagnostics.has_errors(),
        "{}\n{}",
        writer.text,
        warpc_diag::render_human(&file, &checked.diagnostics, false)
    );
    Some(Kernel {
        module: checked.value.expect("no errors"),
        grid,
        block,
        cluster,
    })
}
