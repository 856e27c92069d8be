//! Two instructions become one: products and shifts with what is added to them, sums of three, logic of three.
//!
//! | inner, read once | outer | becomes |
//! |---|---|---|
//! | `IMAD.WIDE w, x, y, RZ` | 64-bit sum of `w` and `a` | `IMAD.WIDE d, x, y, a` |
//! | 64-bit shift of `x` by `n` | 64-bit sum of it and `a` | `LEA d.0, c, x.0, a.0, n` and `LEA.HI.X d.1, x.0, a.1, x.1, n, c` |
//! | `IMAD t, x, y, RZ` | `IADD3 d, t, z, RZ` | `IMAD d, x, y, z` |
//! | `SHF.L.U32 t, x, n, RZ` | `IADD3 d, t, z, RZ` | `LEA d, x, z, n` |
//! | `IADD3 t, x, y, RZ` | `IADD3 d, t, z, RZ` | `IADD3 d, x, y, z` |
//! | `LOP3 t, x, y, RZ` | `LOP3 d, t, z, RZ` | `LOP3 d, x, y, z` |
//!
//! What the inner one reads must be values, so that they are the same at the outer one. Inner ones go with `opt_dce`.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::names_registers;
use crate::analysis::values::Values;
use crate::immediate::{Immediates, sources};
use crate::ir::{BlockId, Function, Inst, Op, Operand};
use crate::pattern;
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_fuse",
    run,
};

/// How far apart the two halves of a sum of 64 bits may be.
const APART: usize = 8;

fn run(function: &mut Function, _: &Limits) {
    let values = Values::of(function);
    let mut immediates = Immediates::default();
    let mut gone: Vec<(BlockId, usize)> = Vec::new();
    for block in function.block_ids() {
        for at in 0..function.blocks[block.index()].insts.len() {
            let inst = &function.blocks[block.index()].insts[at];
            let made = match inst.shape.name() {
                "IADD3" => sum(function, &values, &mut immediates, inst),
                "LOP3.LUT" => logic(function, &values, &mut immediates, inst),
                "IADD3.X" => match WideSum::at(function, &values, block, at) {
                    Some(sum) => match wide_sum(function, &values, block, at, &sum) {
                        Some(inst) => {
                            gone.push((block, sum.low));
                            Some(inst)
                        }
                        None => wide_shift(function, &values, inst, &sum).map(|(low, high)| {
                            function.blocks[block.index()].insts[sum.low] = low;
                            high
                        }),
                    },
                    None => None,
                },
                _ => None,
            };
            if let Some(made) = made {
                function.blocks[block.index()].insts[at] = made;
            }
        }
    }
    // At the end: places stay as they were found.
    gone.sort_unstable();
    for (block, at) in gone.into_iter().rev() {
        function.blocks[block.index()].insts.remove(at);
    }
}

/// The instruction that makes a lane, if it is a value and its operands are.
pub(super) fn inner<'a>(function: &'a Function, values: &Values, op: Op) -> Option<&'a Inst> {
    let Op::Reg(reg, lane) = op else { return None };
    let place = values.write(reg, lane)?;
    let inst = function.blocks[place.block.index()]
        .insts
        .get(place.inst as usize)?;
    let is_value =
        |(reg, lane, count): (_, u8, u8)| (lane..lane + count).all(|one| values.is_value(reg, one));
    let makes = (inst.writes()).any(|one| one.0 == reg && (one.1..one.1 + one.2).contains(&lane));
    let plain = inst.guard.is_none() && !names_registers(inst);
    (plain && makes && inst.reads().all(is_value)).then_some(inst)
}

/// The same, if nobody else reads it.
pub(super) fn inner_once<'a>(function: &'a Function, values: &Values, op: Op) -> Option<&'a Inst> {
    let Op::Reg(reg, lane) = op else { return None };
    (values.reads(reg, lane) == 1)
        .then(|| inner(function, values, op))
        .flatten()
}

/// The three sources of a sum or of logic; nothing if it has predicates among its results or operands.
fn three(inst: &Inst) -> Option<[Operand; 3]> {
    if inst.guard.is_some() {
        return None;
    }
    let mut at = sources(inst.shape);
    let all = [at.next()?, at.next()?, at.next()?];
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let mut results = 0;
    for (slot, operand) in slots {
        match operand.op {
            Op::Reg(..) if slot.file == Some(warpc_sass::latency::File::Predicate) => return None,
            _ if slot.is_written() && matches!(operand.op, Op::Reg(..)) => results += 1,
            _ => {}
        }
    }
    (results == 1).then(|| all.map(|slot| inst.operands[slot]))
}

fn is_zero(operand: Operand) -> bool {
    operand.op == Op::Value(Value::ZERO)
}

fn number(operand: Operand) -> Option<u32> {
    match operand.op {
        Op::Value(Value::Number(number)) => Some(number as u32),
        Op::Value(Value::ZERO) => Some(0),
        _ => None,
    }
}

fn result(inst: &Inst) -> Option<Op> {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    slots
        .filter(|(slot, operand)| slot.is_written() && matches!(operand.op, Op::Reg(..)))
        .map(|(_, operand)| operand.op)
        .next()
}

/// An instruction by the example of a text.
fn make(function: &Function, text: &str, like: &Inst, ops: &[Operand]) -> Option<Inst> {
    let pattern = pattern::find(function.sm, text).filter(|one| one.holes.len() == ops.len())?;
    let mut operands: SmallVec<[Operand; 6]> = (pattern.inst.operands.iter())
        .map(|one| Operand {
            op: Op::Value(one.value),
            marks: one.marks,
        })
        .collect();
    for (&slot, one) in pattern.holes.iter().zip(ops) {
        let to = &pattern.inst.shape.slots()[slot];
        let fits = match one.op {
            Op::Value(Value::Number(_)) => true,
            Op::Value(value) => to.fits(value),
            _ => true,
        };
        if !to.marks().has(one.marks) || !fits {
            return None;
        }
        operands[slot] = *one;
    }
    Some(Inst {
        shape: pattern.inst.shape,
        guard: None,
        operands,
        span: like.span,
        origin: None,
        acquires: false,
        contracts: false,
        weak: false,
    })
}

/// An instruction whose sources may be numbers, of which it has at most one.
pub(super) fn make_with_numbers(
    function: &Function,
    immediates: &mut Immediates,
    text: &str,
    like: &Inst,
    ops: &[Operand],
) -> Option<Inst> {
    let mut made = make(function, text, like, ops)?;
    for slot in 0..made.operands.len() {
        let is_register = made.shape.slots()[slot].kind() == warpc_sass::template::Kind::Register;
        if let Op::Value(Value::Number(bits)) = made.operands[slot].op
            && is_register
            && !immediates.put(function.sm, &mut made, slot, bits as u32)
        {
            return None;
        }
    }
    Some(made)
}

/// A sum of two with a product, a shift or another sum among them.
fn sum(
    function: &Function,
    values: &Values,
    immediates: &mut Immediates,
    inst: &Inst,
) -> Option<Inst> {
    let own: SmallVec<[Operand; 3]> = three(inst)?
        .into_iter()
        .filter(|one| !is_zero(*one))
        .collect();
    let [first, second] = own[..] else {
        return None;
    };
    let to = Operand::plain(result(inst)?);
    for (one, other) in [(first, second), (second, first)] {
        if one.marks != Marks::NONE {
            continue;
        }
        let Some(inner) = inner_once(function, values, one.op) else {
            continue;
        };
        let made = match inner.shape.name() {
            "IMAD" | "IMAD.U32" => product(function, immediates, inner, inst, to, other),
            "SHF.L.U32" => shift(function, inner, inst, to, other),
            "IADD3" => sum_of_three(function, immediates, inner, inst, to, other),
            _ => None,
        };
        if made.is_some() {
            return made;
        }
    }
    None
}

fn product(
    function: &Function,
    immediates: &mut Immediates,
    inner: &Inst,
    like: &Inst,
    to: Operand,
    added: Operand,
) -> Option<Inst> {
    let [x, y, z] = three(inner)?;
    if !is_zero(z) {
        return None;
    }
    make_with_numbers(
        function,
        immediates,
        "IMAD R0, R0, R0, R0",
        like,
        &[to, x, y, added],
    )
}

fn shift(
    function: &Function,
    inner: &Inst,
    like: &Inst,
    to: Operand,
    added: Operand,
) -> Option<Inst> {
    let [x, by, z] = three(inner)?;
    let by = number(by).filter(|by| (1..32).contains(by))?;
    if !is_zero(z) || x.marks != Marks::NONE || !matches!(added.op, Op::Reg(..)) {
        return None;
    }
    let text = format!("LEA R0, R0, R0, {by:#x}");
    make(function, &text, like, &[to, x, added])
}

fn sum_of_three(
    function: &Function,
    immediates: &mut Immediates,
    inner: &Inst,
    like: &Inst,
    to: Operand,
    added: Operand,
) -> Option<Inst> {
    let parts: SmallVec<[Operand; 3]> = three(inner)?
        .into_iter()
        .filter(|one| !is_zero(*one))
        .collect();
    let [x, y] = parts[..] else { return None };
    let all = [x, y, added];
    let negated = all.iter().filter(|one| one.marks != Marks::NONE).count();
    if negated > 1 {
        return None;
    }
    let numbers: u32 = (all.iter())
        .filter(|one| one.marks == Marks::NONE)
        .filter_map(|one| number(*one))
        .fold(0, u32::wrapping_add);
    let registers: SmallVec<[Operand; 3]> = (all.iter())
        .filter(|one| matches!(one.op, Op::Reg(..)))
        .copied()
        .collect();
    let number = Operand::plain(Op::Value(match numbers {
        0 => Value::ZERO,
        bits => Value::Number(i64::from(bits as i32)),
    }));
    let ops = match (&registers[..], 3 - registers.len()) {
        ([x, y, z], 0) => [to, *x, *y, *z],
        // The number stands in the second place.
        ([x, y], 1) => [to, *x, number, *y],
        ([x], 2) => [to, *x, number, Operand::plain(Op::Value(Value::ZERO))],
        _ => return None,
    };
    make_with_numbers(function, immediates, "IADD3 R0, R0, R0, R0", like, &ops)
}

/// The table of an operation on three, and its operands.
fn table(inst: &Inst) -> Option<([Operand; 3], u8)> {
    let operands = three(inst)?;
    let bits = inst.operands[sources(inst.shape).nth(3)?];
    let plain = operands.iter().all(|one| one.marks == Marks::NONE);
    plain.then_some((operands, number(bits)? as u8))
}

/// Logic of two with logic of two among them.
fn logic(
    function: &Function,
    values: &Values,
    immediates: &mut Immediates,
    inst: &Inst,
) -> Option<Inst> {
    let (outer, outer_table) = table(inst)?;
    let at = (0..3).find(|at| {
        inner_once(function, values, outer[*at].op)
            .is_some_and(|inner| inner.shape.name() == "LOP3.LUT" && table(inner).is_some())
    })?;
    let (operands, inner_table) = table(inner_once(function, values, outer[at].op)?)?;
    // All that the two read, each once.
    let mut all: SmallVec<[Op; 6]> = SmallVec::new();
    let others = outer.iter().enumerate().filter(|one| one.0 != at);
    for op in operands.iter().chain(others.map(|one| one.1)) {
        if !is_zero(*op) && !all.contains(&op.op) {
            all.push(op.op);
        }
    }
    if all.len() > 3 || all.iter().filter(|op| matches!(op, Op::Value(_))).count() > 1 {
        return None;
    }
    // A number stands in the second place.
    if let Some(number) = all.iter().position(|op| matches!(op, Op::Value(_))) {
        if all.len() == 1 {
            return None;
        }
        all.swap(number, 1);
    }
    let bit = |table: u8, inputs: [bool; 3]| {
        let index = inputs
            .iter()
            .fold(0, |index, one| index << 1 | u8::from(*one));
        table >> index & 1 == 1
    };
    let mut made = 0u8;
    for index in 0..8u8 {
        let value = |op: Operand| match all.iter().position(|one| *one == op.op) {
            Some(place) => index >> (2 - place) & 1 == 1,
            None => false,
        };
        let inner = bit(inner_table, operands.map(value));
        let mut inputs = outer.map(value);
        inputs[at] = inner;
        made |= u8::from(bit(outer_table, inputs)) << index;
    }
    all.resize(3, Op::Value(Value::ZERO));
    let text = format!("LOP3.LUT R0, R0, R0, R0, {made:#x}, !PT");
    let ops = [result(inst)?, all[0], all[1], all[2]].map(Operand::plain);
    make_with_numbers(function, immediates, &text, inst, &ops)
}

/// A lane of a register, and whether a pair can begin there.
fn pair(function: &Function, low: Op, high: Op) -> Option<Op> {
    let (Op::Reg(reg, lane), Op::Reg(other, next)) = (low, high) else {
        return None;
    };
    let aligned = lane % 2 == 0 && function.data(reg).alignment().is_multiple_of(2);
    (reg == other && next == lane + 1 && aligned).then_some(low)
}

/// The two halves of a sum of 64 bits.
pub(crate) struct WideSum {
    /// The number of the lower half's instruction in the block.
    pub low: usize,
    /// The result.
    pub to: (Op, Op),
    /// The carry between them.
    pub carry: Op,
    /// What is added: lower and upper halves.
    pub parts: [(Operand, Operand); 2],
}

impl WideSum {
    /// The sum whose upper half is at a place, if nothing between the halves reads or writes what they do.
    pub(crate) fn at(
        function: &Function,
        values: &Values,
        block: BlockId,
        at: usize,
    ) -> Option<WideSum> {
        let insts = &function.blocks[block.index()].insts;
        let high = insts.get(at)?;
        if high.guard.is_some() || high.shape.name() != "IADD3.X" {
            return None;
        }
        let predicates: SmallVec<[Op; 4]> = (high.shape.slots().iter().zip(&high.operands))
            .filter(|(slot, _)| {
                !slot.is_written() && slot.file == Some(warpc_sass::latency::File::Predicate)
            })
            .filter(|(_, operand)| !matches!(operand.op, Op::Value(_)))
            .map(|(_, operand)| operand)
            .map(|operand| match operand.marks {
                Marks::NONE => operand.op,
                _ => Op::Value(Value::ZERO),
            })
            .collect();
        let [Op::Reg(carry, _)] = predicates[..] else {
            return None;
        };
        let others = (high.shape.slots().iter().zip(&high.operands)).filter(|(slot, operand)| {
            !slot.is_written()
                && slot.file == Some(warpc_sass::latency::File::Predicate)
                && matches!(operand.op, Op::Value(_))
        });
        // Other predicates must be those that add nothing: `!PT`.
        let mut others = others.map(|(_, operand)| operand);
        if !others.all(|one| one.op == Op::Value(Value::TRUE) && one.marks == Marks::NOT) {
            return None;
        }
        let first = at.saturating_sub(APART);
        let low_at = (first..at)
            .rev()
            .find(|one| insts[*one].writes().any(|(reg, ..)| reg == carry))?;
        let low = &insts[low_at];
        if low.guard.is_some() || low.shape.name() != "IADD3" || values.reads(carry, 0) != 1 {
            return None;
        }
        let parts = |inst: &Inst| -> Option<[Operand; 3]> {
            let mut at = sources(inst.shape);
            Some([at.next()?, at.next()?, at.next()?].map(|slot| inst.operands[slot]))
        };
        let (low_parts, high_parts) = (parts(low)?, parts(high)?);
        if !is_zero(low_parts[2]) || !is_zero(high_parts[2]) {
            return None;
        }
        let register = |inst: &Inst| {
            let slots = inst.shape.slots().iter().zip(&inst.operands);
            let mut all = slots
                .filter(|(slot, operand)| slot.is_written() && matches!(operand.op, Op::Reg(..)));
            let found =
                all.find(|(slot, _)| slot.file == Some(warpc_sass::latency::File::Register));
            found.map(|(_, operand)| operand.op)
        };
        let written = |inst: &Inst| inst.writes().count();
        if written(low) != 2 || written(high) != 1 {
            return None;
        }
        let to = (register(low)?, register(high)?);
        let touched = |op: Op| match op {
            Op::Reg(reg, _) => insts[low_at + 1..at]
                .iter()
                .any(|inst| inst.reads().chain(inst.writes()).any(|one| one.0 == reg)),
            _ => false,
        };
        let written_between = |op: Op| match op {
            Op::Reg(reg, _) => insts[low_at + 1..at]
                .iter()
                .any(|inst| inst.writes().any(|one| one.0 == reg)),
            _ => false,
        };
        if touched(to.0) || low_parts[..2].iter().any(|one| written_between(one.op)) {
            return None;
        }
        Some(WideSum {
            low: low_at,
            to,
            carry: Op::Reg(carry, 0),
            parts: [(low_parts[0], high_parts[0]), (low_parts[1], high_parts[1])],
        })
    }
}

/// A sum of 64 bits with a product among what is added.
fn wide_sum(
    function: &Function,
    values: &Values,
    block: BlockId,
    at: usize,
    sum: &WideSum,
) -> Option<Inst> {
    let to = pair(function, sum.to.0, sum.to.1)?;
    let [first, second] = sum.parts;
    for (one, other) in [(first, second), (second, first)] {
        let plain = [one.0, one.1, other.0, other.1];
        if plain.iter().any(|operand| operand.marks != Marks::NONE) {
            continue;
        }
        let Some(low) = inner_once(function, values, one.0.op) else {
            continue;
        };
        let Some(high) = inner_once(function, values, one.1.op) else {
            continue;
        };
        let (Some(added), true) = (
            pair(function, other.0.op, other.1.op),
            std::ptr::eq(low, high) && pair(function, one.0.op, one.1.op).is_some(),
        ) else {
            continue;
        };
        if !matches!(low.shape.name(), "IMAD.WIDE" | "IMAD.WIDE.U32") {
            continue;
        }
        let mut slots = sources(low.shape);
        let (Some(_), Some(_), Some(c)) = (slots.next(), slots.next(), slots.next()) else {
            continue;
        };
        if !is_zero(low.operands[c]) {
            continue;
        }
        let mut made = low.clone();
        made.operands[c] = Operand::plain(added);
        made.span = function.blocks[block.index()].insts[at].span;
        for (slot, operand) in made.shape.slots().iter().zip(&mut made.operands) {
            if slot.is_written() && matches!(operand.op, Op::Reg(..)) {
                operand.op = to;
            }
        }
        return Some(made);
    }
    None
}

/// A sum of 64 bits with a shifted value among what is added.
fn wide_shift(
    function: &Function,
    values: &Values,
    like: &Inst,
    sum: &WideSum,
) -> Option<(Inst, Inst)> {
    let [first, second] = sum.parts;
    for (one, other) in [(first, second), (second, first)] {
        let plain = [one.0, one.1, other.0, other.1];
        let registers = plain
            .iter()
            .all(|operand| operand.marks == Marks::NONE && matches!(operand.op, Op::Reg(..)));
        if !registers {
            continue;
        }
        let (Some(low), Some(high)) = (
            inner_once(function, values, one.0.op),
            inner_once(function, values, one.1.op),
        ) else {
            continue;
        };
        if low.shape.name() != "SHF.L.U32" || high.shape.name() != "SHF.L.U64.HI" {
            continue;
        }
        let (Some([x, by, zero]), Some([x_low, high_by, x_high])) = (three(low), three(high))
        else {
            continue;
        };
        let Some(by) = number(by).filter(|by| (1..32).contains(by) && number(high_by) == Some(*by))
        else {
            continue;
        };
        let is_register = |one: Operand| one.marks == Marks::NONE && matches!(one.op, Op::Reg(..));
        if !is_zero(zero) || x != x_low || !is_register(x) || !is_register(x_high) {
            continue;
        }
        let (to, carry) = (sum.to, Operand::plain(sum.carry));
        let low = make(
            function,
            &format!("LEA R0, P0, R0, R0, {by:#x}"),
            like,
            &[Operand::plain(to.0), carry, x, other.0],
        )?;
        let high = make(
            function,
            &format!("LEA.HI.X R0, R0, R0, R0, {by:#x}, P0"),
            like,
            &[Operand::plain(to.1), x, other.1, x_high, carry],
        )?;
        return Some((low, high));
    }
    None
}
