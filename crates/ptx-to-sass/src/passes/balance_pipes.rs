//! Moves, sums and shifts take the pipe that is free.
//!
//! ```text
//!   IADD3 R0, R1, R2, RZ         IADD3 R0, R1, R2, RZ
//!   IADD3 R3, R4, R5, RZ   ──►   IMAD  R3, R4, 0x1, R5      printed as IMAD.IADD
//!   MOV R6, R7                   MOV R6, R7
//! ```
//!
//! The pipe of integers and that of products take an instruction every second cycle each, so that code that uses one of
//! them alone runs at half the speed. What both can do goes to the one that can begin it first, or that has much less to do
//! in the block, but never to that of products where it has more to do already. When instructions begin is worked out block
//! by block in the order that is there, with the four cycles until a result is there in its own pipe and the five in another
//! one; a chain of sums stays in one of them. Source: ptxas, which has half of its moves and sums of integers in either pipe.
//!
//! | integers | products |
//! |---|---|
//! | `MOV R, x` | `IMAD.MOV.U32 R, RZ, RZ, x` |
//! | `IADD3 R, a, b, RZ` | `IMAD.IADD R, a, 0x1, b` |
//! | `IADD3 R, a, 0x5, RZ` | `VIADD R, a, 0x5` |
//! | `IADD3 R, -a, RZ, RZ` | `IMAD.MOV R, RZ, RZ, -a` |
//! | `IADD3.X R, a, b, RZ, P, !PT` | `IMAD.X R, a, 0x1, b, P` |
//! | `IADD3.X R, RZ, ~b, RZ, P, !PT` | `IMAD.X R, RZ, RZ, ~b, P` |
//! | `LEA R, a, b, 0x3` | `IMAD R, a, 0x8, b` |
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
/// Cycles that the pipe of integers must have more to do for what could begin in both at the same time to go to the other;
/// with a quarter more besides it may begin later there by what a result takes longer to another pipe.
const MARGIN: u32 = 4;
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
        let mut load = load(&block.insts, assignment);
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
            // With other warps there the pipe counts that has more to do, whoever could begin first.
            if pipe == INTEGERS && load[PRODUCTS] < load[INTEGERS] {
                let other = ready(inst, PRODUCTS);
                let is_fuller = load[PRODUCTS] + MARGIN <= load[INTEGERS];
                let is_much_fuller = load[PRODUCTS] * 5 / 4 + MARGIN <= load[INTEGERS];
                if (other < begins
                    || is_fuller && other == begins
                    || is_much_fuller && other == begins + OTHER - SAME)
                    && let Some(made) = product(sm, &function.regs, inst, assignment.is_some())
                {
                    load[INTEGERS] -= u32::from(inst.shape.issue());
                    load[PRODUCTS] += u32::from(made.shape.issue());
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

/// The cycles for which instructions need the pipes.
fn load(insts: &[Inst], assignment: Option<&Assignment>) -> [u32; 2] {
    let mut load = [0; 2];
    for inst in insts {
        if !is_gone(inst, assignment)
            && let Some(own) = load.get_mut(pipe(inst))
        {
            *own += u32::from(inst.shape.issue());
        }
    }
    load
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
            let plain = |one: &Operand| is_register(one) && one.marks == Marks::NONE;
            let none = |one: &Operand| is_zero(one) && one.marks == Marks::NONE;
            // A factor has no marks, what is added has.
            let (factor, added) = match (plain(a), plain(b)) {
                (true, _) => (Some(a), b),
                (_, true) => (Some(b), a),
                _ if none(a) => (None, b),
                _ if none(b) => (None, a),
                _ => return None,
            };
            if !is_register(to) || !is_register(added) && !none(added) {
                return None;
            }
            let factors = if factor.is_some() {
                "R1, 0x1"
            } else {
                "RZ, RZ"
            };
            let last = match (is_register(added), added.marks) {
                (false, _) => "RZ",
                (true, Marks::TILDE) => "~R2",
                _ => "R2",
            };
            let not = if carry.marks == Marks::NOT { "!" } else { "" };
            let text = format!("IMAD.X R0, {factors}, {last}, {not}P0");
            let second = is_register(added).then_some(added.op);
            let ops = [
                Some(to.op),
                factor.map(|one| one.op),
                second,
                Some(carry.op),
            ];
            let ops: SmallVec<[Op; 4]> = ops.into_iter().flatten().collect();
            return made(sm, &text, &ops, inst);
        }
        ("LEA", [..]) => {
            let (to, a, b, by) = scaled(inst)?;
            if !is_register(to) || !is_register(a) || !is_register(b) {
                return None;
            }
            let factor = 1u32 << by;
            let text = format!("IMAD R0, R1, {factor:#x}, R2");
            return made(sm, &text, &[to.op, a.op, b.op], inst);
        }
        ("IADD3", _) if opposite(inst).is_some() => {
            let (to, a) = opposite(inst)?;
            if !is_register(to) || !is_register(a) {
                return None;
            }
            let text = "IMAD.MOV R0, RZ, RZ, -R1".to_owned();
            (text, [Some(to.op), Some(a.op), None])
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
fn sum_with_carry(inst: &Inst) -> Option<(&Operand, &Operand, &Operand, Operand)> {
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
            (Op::Reg(..), false, Marks::NONE | Marks::NOT) if carry.is_none() => {
                carry = Some(*operand);
            }
            _ => return None,
        }
    }
    let words = slots.filter(|one| !is_predicate(one.0)).map(|one| one.1);
    let words: SmallVec<[&Operand; 4]> = words.collect();
    let [to, a, b, c] = words[..] else {
        return None;
    };
    let fits = |one: &&Operand| matches!(one.marks, Marks::NONE | Marks::TILDE);
    let is_last_zero = c.op == Op::Value(Value::ZERO) && c.marks == Marks::NONE;
    ([a, b].iter().all(fits) && is_last_zero).then_some((to, a, b, carry?))
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

/// The result and the source of what only changes a sign.
fn opposite(inst: &Inst) -> Option<(&Operand, &Operand)> {
    let (to, words) = words(inst)?;
    let [a, b, c] = words[..] else { return None };
    let is_zero = |one: &Operand| one.op == Op::Value(Value::ZERO);
    let of = match (is_zero(a), is_zero(b), is_zero(c)) {
        (false, true, true) => a,
        (true, false, true) => b,
        (true, true, false) => c,
        _ => return None,
    };
    (of.marks == Marks::MINUS).then_some((to, of))
}

/// The result, the two sources and the shift of a sum with a shifted word, if nobody wants its carry.
fn scaled(inst: &Inst) -> Option<(&Operand, &Operand, &Operand, u32)> {
    let (to, words) = words(inst)?;
    let [a, b, by] = words[..] else { return None };
    let Op::Value(Value::Number(by)) = by.op else {
        return None;
    };
    let plain = a.marks == Marks::NONE && b.marks == Marks::NONE;
    (plain && (1..=31).contains(&by)).then_some((to, a, b, by as u32))
}

/// The result and the sources of an instruction without predicates.
fn words(inst: &Inst) -> Option<(&Operand, SmallVec<[&Operand; 4]>)> {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let mut words: SmallVec<[&Operand; 4]> = SmallVec::new();
    for (slot, operand) in slots {
        match slot.file {
            Some(warpc_sass::latency::File::Predicate) => {
                if !matches!(operand.op, Op::Value(Value::Predicate(7))) {
                    return None;
                }
            }
            _ => words.push(operand),
        }
    }
    let to = words.remove(0);
    Some((to, words))
}
