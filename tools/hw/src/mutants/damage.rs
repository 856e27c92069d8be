//! What is done to an instruction of a kernel, and where that can be done.

use warpc_ptx_to_sass::check::Assembled;
use warpc_sass::encode::encode;
use warpc_sass::shape::Slot;
use warpc_sass::{Guard, Inst, Value, parse};

/// A kind of damage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Damage {
    /// One of the scoreboards that it waits for is dropped.
    Wait,
    /// The stall count is one cycle less.
    Stall,
    /// The next one no longer waits until it is done.
    Alone,
    /// The scoreboard of its results is dropped.
    WriteBoard,
    /// The scoreboard of its operands is dropped.
    ReadBoard,
    /// It raises another scoreboard.
    OtherBoard,
    /// Two of its sources change places.
    Operands,
    /// Two instructions write each other's register.
    Results,
    /// A register that it reads is the next one.
    ReadLane,
    /// The register that it writes is the next one.
    WrittenLane,
    /// The guard is another predicate.
    Guard,
    /// The guard is turned round.
    Not,
    /// A predicate that it reads is another one.
    Predicate,
    /// A number is one more.
    Number,
    /// A `BSSY` becomes a `NOP`.
    Bssy,
    /// A `BSYNC` becomes a `NOP`.
    Bsync,
    /// A value that was spilled is not loaded.
    Reload,
    /// A value is not spilled.
    Spill,
    /// A function writes a register that it must keep and has not saved, or does not save or restore one.
    CallSaved,
    /// A `YIELD` becomes a `NOP`.
    Yield,
    /// A `WARPSYNC` becomes a `NOP`.
    Warpsync,
    /// What empties the cache, or memory after a fence, does not wait.
    Acquire,
    /// A fence, or what waits for its errors, becomes a `NOP`.
    Release,
    /// The result of what spins is in the register of an operand.
    Spin,
    /// A uniform register is written that has something else.
    Uniform,
    /// A function has what it computes in a register that its callers may have something in: all of it is right but for them.
    Trespass,
    /// A special register is another one.
    Special,
    /// What always gives the same is not computed again where it is read.
    Remade,
}

/// All of them.
pub const DAMAGES: [Damage; 28] = [
    Damage::Wait,
    Damage::Stall,
    Damage::Alone,
    Damage::WriteBoard,
    Damage::ReadBoard,
    Damage::OtherBoard,
    Damage::Operands,
    Damage::Results,
    Damage::ReadLane,
    Damage::WrittenLane,
    Damage::Guard,
    Damage::Not,
    Damage::Predicate,
    Damage::Number,
    Damage::Bssy,
    Damage::Bsync,
    Damage::Reload,
    Damage::Spill,
    Damage::CallSaved,
    Damage::Yield,
    Damage::Warpsync,
    Damage::Acquire,
    Damage::Release,
    Damage::Spin,
    Damage::Uniform,
    Damage::Trespass,
    Damage::Special,
    Damage::Remade,
];

/// Instructions in the place of others.
pub type Mutant = Vec<(usize, Inst)>;

/// Instructions after one among which another is looked for that writes a register, too.
const NEAR: usize = 6;

impl Damage {
    /// What it is, for a table.
    pub fn text(self) -> &'static str {
        match self {
            Damage::Wait => "a wait is dropped",
            Damage::Stall => "a stall is one cycle shorter",
            Damage::Alone => "the next one does not wait until it is done",
            Damage::WriteBoard => "the scoreboard of results is dropped",
            Damage::ReadBoard => "the scoreboard of operands is dropped",
            Damage::OtherBoard => "another scoreboard",
            Damage::Operands => "two sources change places",
            Damage::Results => "two results change places",
            Damage::ReadLane => "the next register is read",
            Damage::WrittenLane => "the next register is written",
            Damage::Guard => "another predicate as guard",
            Damage::Not => "the guard turned round",
            Damage::Predicate => "another predicate is read",
            Damage::Number => "a number is one more",
            Damage::Bssy => "no `BSSY`",
            Damage::Bsync => "no `BSYNC`",
            Damage::Reload => "a reload is dropped",
            Damage::Spill => "a spill is dropped",
            Damage::CallSaved => "a register of the caller is not kept",
            Damage::Yield => "no `YIELD`",
            Damage::Warpsync => "no `WARPSYNC`",
            Damage::Acquire => "`CCTL.IVALL` does not wait",
            Damage::Release => "no `MEMBAR`, `ERRBAR`, `CGAERRBAR`",
            Damage::Spin => "what spins writes its operand",
            Damage::Uniform => "another uniform register is written",
            Damage::Trespass => "a function uses a register of its callers",
            Damage::Special => "another special register",
            Damage::Remade => "a constant is not computed again",
        }
    }

    /// Whether only control words change.
    pub fn is_of_schedule(self) -> bool {
        matches!(
            self,
            Damage::Wait
                | Damage::Stall
                | Damage::Alone
                | Damage::WriteBoard
                | Damage::ReadBoard
                | Damage::OtherBoard
                | Damage::Acquire
        )
    }

    /// The damages of this kind that there are at an instruction.
    pub fn at(self, kernel: &Assembled, origins: &[Option<u32>], at: usize) -> Vec<Mutant> {
        let inst = &kernel.insts[at];
        let mut all: Vec<Mutant> = Vec::new();
        let mut add = |changed: Inst| {
            if changed != *inst {
                all.push(vec![(at, changed)]);
            }
        };
        let control = inst.control;
        match self {
            Damage::Wait => {
                for board in (0..6).filter(|board| control.wait >> board & 1 == 1) {
                    let mut changed = inst.clone();
                    changed.control.wait &= !(1 << board);
                    add(changed);
                }
            }
            Damage::Stall if control.stall > 1 => {
                let mut changed = inst.clone();
                changed.control.stall -= 1;
                add(changed);
            }
            Damage::Alone if control.stall == 0 => {
                let mut changed = inst.clone();
                changed.control.stall = 2;
                changed.control.keep = true;
                add(changed);
            }
            Damage::WriteBoard if control.write < 6 => {
                let mut changed = inst.clone();
                changed.control.write = 7;
                add(changed);
            }
            Damage::ReadBoard if control.read < 6 => {
                let mut changed = inst.clone();
                changed.control.read = 7;
                add(changed);
            }
            Damage::OtherBoard => {
                if control.write < 6 {
                    let mut changed = inst.clone();
                    changed.control.write = (control.write + 1) % 6;
                    add(changed);
                }
                if control.read < 6 {
                    let mut changed = inst.clone();
                    changed.control.read = (control.read + 1) % 6;
                    add(changed);
                }
            }
            Damage::Operands => {
                let sources = registers(inst, false);
                for (index, (first, width)) in sources.iter().enumerate() {
                    for (second, _) in sources[index + 1..].iter().filter(|one| one.1 == *width) {
                        let mut changed = inst.clone();
                        let value = changed.operands[*first].value;
                        changed.operands[*first].value = changed.operands[*second].value;
                        changed.operands[*second].value = value;
                        add(changed);
                    }
                }
            }
            Damage::Results => return results(kernel, at),
            Damage::ReadLane | Damage::WrittenLane => {
                for (slot, width) in registers(inst, self == Damage::WrittenLane) {
                    let mut changed = inst.clone();
                    if let Value::Register(number) = &mut changed.operands[slot].value {
                        let step = if width > 2 { 4 } else { width };
                        *number = number.saturating_add(step);
                    }
                    add(changed);
                }
            }
            Damage::Guard if inst.guard != Guard::ALWAYS => {
                let mut changed = inst.clone();
                changed.guard.predicate = (inst.guard.predicate + 1) % 7;
                add(changed);
            }
            Damage::Not if inst.guard != Guard::ALWAYS => {
                let mut changed = inst.clone();
                changed.guard.not = !inst.guard.not;
                add(changed);
            }
            Damage::Predicate => {
                for (slot, operand) in inst.operands.iter().enumerate() {
                    let is_read = !inst.shape.slots()[slot].is_written();
                    if let (true, Value::Predicate(number @ 0..=6)) = (is_read, operand.value) {
                        let mut changed = inst.clone();
                        changed.operands[slot].value = Value::Predicate((number + 1) % 7);
                        add(changed);
                    }
                }
            }
            Damage::Number => {
                for (slot, operand) in inst.operands.iter().enumerate() {
                    if let Value::Number(number) = operand.value {
                        let mut changed = inst.clone();
                        changed.operands[slot].value = Value::Number(number.wrapping_add(1));
                        add(changed);
                    }
                }
            }
            Damage::Bssy => all.extend(removed(kernel, at, "BSSY")),
            Damage::Bsync => all.extend(removed(kernel, at, "BSYNC")),
            Damage::Yield => all.extend(removed(kernel, at, "YIELD")),
            Damage::Warpsync => all.extend(removed(kernel, at, "WARPSYNC")),
            Damage::Acquire if inst.shape.name() == "CCTL.IVALL" => {
                let mut changed = inst.clone();
                changed.control.wait = 0;
                add(changed);
            }
            Damage::Release => {
                for name in ["MEMBAR", "ERRBAR", "CGAERRBAR"] {
                    all.extend(removed(kernel, at, name));
                }
            }
            Damage::Spin if inst.shape.has("SPIN") => {
                let results = registers(inst, true);
                for (result, (source, _)) in results
                    .iter()
                    .flat_map(|one| registers(inst, false).into_iter().map(|two| (one.0, two)))
                {
                    let mut changed = inst.clone();
                    changed.operands[result].value = inst.operands[source].value;
                    add(changed);
                }
            }
            Damage::Uniform => {
                let slots = inst.shape.slots().iter();
                for (slot, _) in slots.enumerate().filter(|one| one.1.is_written()) {
                    if let Value::Uniform(number @ 0..=61) = inst.operands[slot].value {
                        let mut changed = inst.clone();
                        // The descriptor's, or what is next to it.
                        let other = if number == DESCRIPTOR {
                            number + 2
                        } else {
                            DESCRIPTOR
                        };
                        changed.operands[slot].value = Value::Uniform(other);
                        add(changed);
                    }
                }
            }
            Damage::Reload if origins[at].is_none() && is_of_kernel(kernel, at) => {
                all.extend(removed(kernel, at, "LDL"));
            }
            Damage::Spill if origins[at].is_none() && is_of_kernel(kernel, at) => {
                all.extend(removed(kernel, at, "STL"));
            }
            Damage::CallSaved if !is_of_kernel(kernel, at) => {
                if origins[at].is_none() {
                    all.extend(removed(kernel, at, "LDL"));
                    all.extend(removed(kernel, at, "STL"));
                }
                for (slot, _) in registers(inst, true).into_iter().filter(|one| one.1 == 1) {
                    let mut changed = inst.clone();
                    changed.operands[slot].value = Value::Register(UNSAVED);
                    if changed != *inst {
                        all.push(vec![(at, changed)]);
                    }
                }
            }
            Damage::Trespass => all.extend(trespasses(kernel, at)),
            Damage::Special => {
                for (slot, operand) in inst.operands.iter().enumerate() {
                    if let Value::Special(number) = operand.value {
                        let mut changed = inst.clone();
                        changed.operands[slot].value = Value::Special(number ^ 1);
                        add(changed);
                    }
                }
            }
            Damage::Remade if origins[at].is_none() => {
                for name in ["MOV", "UMOV", "LDC", "ULDC", "S2R", "CS2R"] {
                    let reads = registers(inst, false);
                    all.extend(removed(kernel, at, name).filter(|_| reads.is_empty()));
                }
            }
            _ => {}
        }
        // What has no word cannot be in a cubin.
        all.retain(|mutant| mutant.iter().all(|one| encode(&one.1).is_ok()));
        all
    }
}

/// A function with one of its own registers renamed to one that it has nothing in, need not keep, and that the kernel names: it
/// computes the same, but a caller may have something there. At the first instruction that writes the register.
fn trespasses(kernel: &Assembled, at: usize) -> Vec<Mutant> {
    let mut first = 0;
    let mut own = None;
    for (number, part) in kernel.parts.iter().enumerate() {
        if (first..first + part.origins.len()).contains(&at) {
            own = Some((number, first..first + part.origins.len()));
        }
        first += part.origins.len();
    }
    let Some((number @ 1.., range)) = own else {
        return Vec::new();
    };
    let insts = &kernel.insts;
    let uses = |inst: &Inst| {
        let mut all = registers(inst, true);
        all.extend(registers(inst, false));
        let named = all
            .into_iter()
            .map(|(slot, width)| match inst.operands[slot].value {
                Value::Register(first) => (first, width),
                _ => (255, width),
            });
        named.collect::<Vec<(u8, u8)>>()
    };
    let is_in = |inst: &Inst, register: u8| {
        let mut all = uses(inst).into_iter();
        all.any(|(first, width)| (first..first.saturating_add(width)).contains(&register))
    };
    let [(slot, 1)] = registers(&insts[at], true)[..] else {
        return Vec::new();
    };
    let Value::Register(from) = insts[at].operands[slot].value else {
        return Vec::new();
    };
    // Arguments, results and what is given back have fixed places.
    let wanted = &kernel.parts[number].wanted;
    let mut operands = (wanted.blocks.iter())
        .flat_map(|block| &block.insts)
        .flat_map(|inst| &inst.operands);
    let is_named = operands.any(|operand| {
        matches!(operand.op, warpc_ptx_to_sass::ir::Op::Value(Value::Register(one)) if one == from)
    });
    let is_single = insts[range.clone()].iter().all(|inst| {
        !is_in(inst, from) || uses(inst).contains(&(from, 1)) && inst.shape.opcode() != "STL"
    });
    let is_first = !insts[range.start..at].iter().any(|inst| is_in(inst, from));
    if is_named || is_kept(from) || from < 2 || !is_single || !is_first {
        return Vec::new();
    }
    let end = kernel.parts[0].origins.len();
    let free = (0..=254u8).filter(|to| {
        *to != 1
            && !is_kept(*to)
            && !insts[range.clone()].iter().any(|inst| is_in(inst, *to))
            && insts[..end].iter().any(|inst| is_in(inst, *to))
    });
    let renamed = |to: u8| {
        let own = range.clone().filter(|place| is_in(&insts[*place], from));
        own.map(|place| {
            let mut changed = insts[place].clone();
            for operand in &mut changed.operands {
                if operand.value == Value::Register(from) {
                    operand.value = Value::Register(to);
                }
            }
            (place, changed)
        })
        .collect()
    };
    free.take(4).map(renamed).collect()
}

/// Whether a function leaves a register as it was by convention, or the caller has its return address there.
fn is_kept(number: u8) -> bool {
    number == 2 || (16..32).contains(&number) || number >= 32 && number & 4 != 0
}

/// The uniform registers of the descriptor of global memory begin here.
const DESCRIPTOR: u8 = 4;

/// A register that functions must keep, and that few use.
const UNSAVED: u8 = 60;

/// Whether an instruction belongs to the kernel itself, not to a function that it calls.
fn is_of_kernel(kernel: &Assembled, at: usize) -> bool {
    kernel
        .parts
        .first()
        .is_some_and(|part| at < part.origins.len())
}

/// The slots of general registers that are read or written, and how many each has.
fn registers(inst: &Inst, written: bool) -> Vec<(usize, u8)> {
    let slots = inst.shape.slots().iter().zip(&inst.operands).enumerate();
    let is_named =
        |operand: &warpc_sass::Operand| matches!(operand.value, Value::Register(0..=254));
    slots
        .filter(|(_, (slot, operand))| slot.is_written() == written && is_named(operand))
        .map(|(index, (slot, _))| (index, width(slot)))
        .collect()
}

fn width(slot: &Slot) -> u8 {
    slot.width.registers(u128::MAX).max(1)
}

/// A `NOP` in the place of an instruction of a name.
fn removed(kernel: &Assembled, at: usize, name: &str) -> Option<Mutant> {
    let inst = &kernel.insts[at];
    let nop = parse::shape(kernel.chip, "NOP").filter(|_| inst.shape.opcode() == name)?;
    let mut control = inst.control;
    // A scoreboard that nothing raises is never waited for.
    (control.write, control.read) = (7, 7);
    Some(vec![(at, Inst::new(nop).scheduled(control))])
}

/// Two instructions near each other with each other's result.
fn results(kernel: &Assembled, at: usize) -> Vec<Mutant> {
    let insts = &kernel.insts;
    let own = registers(&insts[at], true);
    let [(slot, width)] = own[..] else {
        return Vec::new();
    };
    let end = insts.len().min(at + NEAR);
    let mut all = Vec::new();
    for other in at + 1..end {
        let [(second, second_width)] = registers(&insts[other], true)[..] else {
            continue;
        };
        let (one, two) = (
            insts[at].operands[slot].value,
            insts[other].operands[second].value,
        );
        if second_width == width && one != two {
            let (mut first, mut last) = (insts[at].clone(), insts[other].clone());
            first.operands[slot].value = two;
            last.operands[second].value = one;
            all.push(vec![(at, first), (other, last)]);
            break;
        }
    }
    all
}
