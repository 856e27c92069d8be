//! Logic of two with logic of two among them.

use super::{inner_once, is_zero, make_with_numbers, number, result, three};
use crate::analysis::values::Values;
use crate::immediate::{Immediates, sources};
use crate::ir::{Function, Inst, Op, Operand};
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// The table of an operation on three, and its operands.
pub(super) fn table(inst: &Inst) -> Option<([Operand; 3], u8)> {
    let operands = three(inst)?;
    let bits = inst.operands[sources(inst.shape).nth(3)?];
    let plain = operands.iter().all(|one| one.marks == Marks::NONE);
    plain.then_some((operands, number(bits)? as u8))
}

/// Logic of two with logic of two among them.
pub(super) fn logic(
    function: &Function,
    values: &Values,
    immediates: &mut Immediates,
    inst: &Inst,
) -> Option<Inst> {
    let (outer, outer_table) = table(inst)?;
    (0..3).find_map(|at| {
        let inner = inner_once(function, values, outer[at].op)?;
        let inner = (inner.shape.name() == "LOP3.LUT").then(|| table(inner))??;
        joined(function, immediates, inst, (outer, outer_table), at, inner)
    })
}

/// Logic of which one input is logic itself, if both together read no more than three.
fn joined(
    function: &Function,
    immediates: &mut Immediates,
    inst: &Inst,
    (outer, outer_table): ([Operand; 3], u8),
    at: usize,
    (operands, inner_table): ([Operand; 3], u8),
) -> Option<Inst> {
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
