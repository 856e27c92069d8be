//! Moves, sums and shifts take the pipe that is free.
//!
//! ```text
//!   IADD3 R0, R1, R2, RZ         IADD3 R0, R1, R2, RZ
//!   IADD3 R3, R4, R5, RZ   ──►   IMAD  R3, R4, 0x1, R5      printed as IMAD.IADD
//!   MOV R6, R7                   MOV R6, R7
//! ```
//!
//! The pipe of integers and that of products take an instruction every second cycle each, so that code that uses one of
//! them alone runs at half the speed. What both can do goes to the one that can begin it first. That
//! is worked out block by block in the order that is there, with the four cycles until a result is there in its own pipe
//! and the five in another one; a chain of sums stays where it is. Source: ptxas, which has half of its moves and sums of
//! integers in either pipe.
//!
//! | integers | products |
//! |---|---|
//! | `MOV R, x` | `IMAD.MOV.U32 R, RZ, RZ, x` |
//! | `IADD3 R, a, b, RZ` | `IMAD.IADD R, a, 0x1, b` |
//! | `IADD3 R, a, 0x5, RZ` | `VIADD R, a, 0x5` |
//! | `IADD3.X R, a, b, RZ, P, !PT` | `IMAD.X R, a, 0x1, b, P` |
//! | `SHF.L.U32 R, a, 0x3, RZ` | `IMAD.SHL.U32 R, a, 0x8, RZ` |
//!
//! It runs when registers are assigned: before, moves are known by their name. Where some are spilled it leaves moves alone.

use super::assign_registers::Assignment;
use crate::ir::{File, Function, Inst, Op, Operand, RegData};
use crate::pattern;
use smallvec::SmallVec;
use warpc_sass::latency::Pipe;
use warpc_sass::{Marks, Value};
use warpc_target::Sm;

/// Cycles until a result can be read in its own pipe, and in another one. Source: `docs/hardware.md`, measured on an H200.
const SAME: u32 = 4;
const OTHER: u32 = 5;

/// The two pipes, by number.
const INTEGERS: usize = 0;
const PRODUCTS: usize = 1;
/// Instead of a pipe: what has nothing to do with either.
const NEITHER: usize = 2;

/// Chooses pipes. `assignment` has the registers of the machine, if no value is without.
pub fn balance_pipes(function: &mut Function, assignment: Option<&Assignment>) {
    let sm = function.sm;
    // For each register when it was written last, and in which pipe.
    let mut written = vec![(0u32, NEITHER); function.regs.len()];
    let mut start = 0u32;
    for block in &mut function.blocks {
        let mut now = start;
        let mut free = [start; 2];
        for inst in &mut block.insts {
            if is_gone(inst, assignment) {
                continue;
            }
            let ready = |inst: &Inst, pipe: usize| {
                let reads = inst.reads().map(|(reg, ..)| {
                    let (at, from) = written[reg.0 as usize];
                    match from {
                        _ if at < start => start,
                        NEITHER => at,
                        _ if from == pipe => at + SAME,
                        _ => at + OTHER,
                    }
                });
                let ready = reads.max().unwrap_or(start).max(now);
                free.get(pipe).map_or(ready, |free| ready.max(*free))
            };
            let mut pipe = pipe(inst);
            let mut begins = ready(inst, pipe);
            if pipe == INTEGERS && begins > now {
                let other = ready(inst, PRODUCTS);
                if other < begins
                    && let Some(made) = product(sm, &function.regs, inst, assignment.is_some())
                {
                    *inst = made;
                    (pipe, begins) = (PRODUCTS, other);
                }
            }
            if let Some(free) = free.get_mut(pipe) {
                *free = begins + u32::from(inst.shape.issue());
            }
            for (reg, ..) in inst.writes() {
                written[reg.0 as usize] = (begins, pipe);
            }
            now = begins + 1;
        }
        // What earlier blocks have written is there.
        start = now + 2 * OTHER;
    }
}

/// The pipe of an instruction.
fn pipe(inst: &Inst) -> usize {
    match inst.shape.pipe() {
        Some(Pipe::Alu | Pipe::SetPredicates) => INTEGERS,
        Some(Pipe::Fma | Pipe::Product | Pipe::Half | Pipe::HalfAlu | Pipe::HalfSingle) => PRODUCTS,
        _ => NEITHER,
    }
}

/// Whether it is a move of a register to itself, which code does not have.
fn is_gone(inst: &Inst, assignment: Option<&Assignment>) -> bool {
    if inst.shape.opcode() != "MOV" {
        return false;
    }
    let (Some(assignment), [to, from, ..]) = (assignment, &inst.operands[..]) else {
        return false;
    };
    let place = |op: Op| match op {
        Op::Reg(reg, lane) => assignment.of(reg, lane),
        Op::Value(Value::Register(number)) => Some(number),
        _ => None,
    };
    matches!((place(to.op), place(from.op)), (Some(to), Some(from)) if to == from)
}

/// The same in the pipe of products; nothing if there is no such instruction.
fn product(sm: Sm, regs: &[RegData], inst: &Inst, moves_too: bool) -> Option<Inst> {
    let is_register = |operand: &Operand| match operand.op {
        Op::Reg(reg, _) => regs[reg.0 as usize].file == File::Register,
        _ => false,
    };
    let number = |operand: &Operand| match operand.op {
        Op::Value(Value::Number(number)) => Some(number as u32),
        _ => None,
    };
    let is_zero = |operand: &Operand| operand.op == Op::Value(Value::ZERO);
    let (text, ops): (String, [Option<Op>; 3]) = match (inst.shape.name(), &inst.operands[..]) {
        ("MOV", [to, from, ..]) if moves_too && is_register(to) => match number(from) {
            Some(0) => (
                "IMAD.MOV.U32 R0, RZ, RZ, RZ".into(),
                [Some(to.op), None, None],
            ),
            Some(bits) => (
                format!("IMAD.MOV.U32 R0, RZ, RZ, {bits:#x}"),
                [Some(to.op), None, None],
            ),
            None if is_register(from) => (
                "IMAD.MOV.U32 R0, RZ, RZ, R1".into(),
                [Some(to.op), Some(from.op), None],
            ),
            None => return None,
        },
        ("SHF.L.U32", [to, low, by, high]) if is_register(to) && is_register(low) => {
            let by = number(by).filter(|by| (1..=31).contains(by) && is_zero(high))?;
            let factor = 1u32 << by;
            (
                format!("IMAD.SHL.U32 R0, R1, {factor:#x}, RZ"),
                [Some(to.op), Some(low.op), None],
            )
        }
        ("IADD3.X", _) => {
            let (to, a, b, carry) = sum_with_carry(inst)?;
            let (a, b) = if is_register(a) { (a, b) } else { (b, a) };
            if !is_register(to) || !is_register(a) {
                return None;
            }
            if is_zero(b) {
                let ops = [Some(to.op), Some(a.op), Some(carry)];
                ("IMAD.X R0, R1, 0x1, RZ, P0".into(), ops)
            } else if is_register(b) {
                let text = "IMAD.X R0, R1, 0x1, R2, P0";
                let ops = [to.op, a.op, b.op, carry];
                return made(sm, text, &ops, inst);
            } else {
                return None;
            }
        }
        ("IADD3", _) => {
            let (to, a, b) = sum(inst)?;
            let (a, b) = match a.marks == Marks::NONE && is_register(a) {
                true => (a, b),
                false => (b, a),
            };
            if !is_register(to) || !is_register(a) || a.marks != Marks::NONE {
                return None;
            }
            match (number(b), b.marks) {
                (Some(bits), Marks::NONE) => (
                    format!("VIADD R0, R1, {bits:#x}"),
                    [Some(to.op), Some(a.op), None],
                ),
                (None, Marks::NONE | Marks::MINUS) if is_register(b) => {
                    let sign = if b.marks == Marks::MINUS { "-" } else { "" };
                    (
                        format!("IMAD R0, R1, 0x1, {sign}R2"),
                        [Some(to.op), Some(a.op), Some(b.op)],
                    )
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    let ops: SmallVec<[Op; 3]> = ops.into_iter().flatten().collect();
    made(sm, &text, &ops, inst)
}

/// An instruction by the example of a text, in the place of another one.
fn made(sm: Sm, text: &str, ops: &[Op], inst: &Inst) -> Option<Inst> {
    let pattern = pattern::find(sm, text).filter(|one| one.holes.len() == ops.len())?;
    let mut made = pattern.filled(ops, inst.guard, inst.span);
    made.origin = inst.origin;
    Some(made)
}

/// The result, the two sources and the predicate of a sum of two with a carry, if nobody wants its own.
fn sum_with_carry(inst: &Inst) -> Option<(&Operand, &Operand, &Operand, Op)> {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let is_predicate =
        |slot: &warpc_sass::shape::Slot| slot.file == Some(warpc_sass::latency::File::Predicate);
    let predicates = slots.clone().filter(|one| is_predicate(one.0));
    let mut carry = None;
    for (slot, operand) in predicates {
        match (operand.op, slot.is_written(), operand.marks) {
            (Op::Value(Value::Predicate(7)), true, _) => {}
            // The second carry is none.
            (Op::Value(Value::Predicate(7)), false, Marks::NOT) => {}
            (Op::Reg(..), false, Marks::NONE) if carry.is_none() => carry = Some(operand.op),
            _ => return None,
        }
    }
    let words = slots.filter(|one| !is_predicate(one.0)).map(|one| one.1);
    let words: SmallVec<[&Operand; 4]> = words.collect();
    let [to, a, b, c] = words[..] else {
        return None;
    };
    let is_plain = [a, b, c].iter().all(|one| one.marks == Marks::NONE);
    let is_last_zero = c.op == Op::Value(Value::ZERO);
    (is_plain && is_last_zero).then_some((to, a, b, carry?))
}

/// The result and the two sources of a sum of two without predicates.
fn sum(inst: &Inst) -> Option<(&Operand, &Operand, &Operand)> {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let mut words: SmallVec<[&Operand; 4]> = SmallVec::new();
    for (slot, operand) in slots {
        match slot.file {
            Some(warpc_sass::latency::File::Predicate) => {
                // Carries that nobody reads, and that are not there.
                let is_rest = matches!(operand.op, Op::Value(Value::Predicate(7)));
                if !is_rest {
                    return None;
                }
            }
            _ => words.push(operand),
        }
    }
    let [to, a, b, c] = words[..] else {
        return None;
    };
    let is_zero = |one: &Operand| one.op == Op::Value(Value::ZERO);
    match (is_zero(a), is_zero(b), is_zero(c)) {
        (false, false, true) => Some((to, a, b)),
        (false, true, false) => Some((to, a, c)),
        (true, false, false) => Some((to, b, c)),
        _ => None,
    }
}
