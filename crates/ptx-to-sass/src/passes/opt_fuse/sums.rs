//! Sums with a product, a shift or another sum among what is added.

use super::{inner_once, is_zero, make, make_with_numbers, number, result, three};
use crate::analysis::values::Values;
use crate::immediate::{Immediates, sources};
use crate::ir::{Function, Inst, Op, Operand};
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// The predicate that a word is 1 for and 0 otherwise, if nobody else reads that word.
fn truth(function: &Function, values: &Values, operand: Operand) -> Option<Operand> {
    let inner = inner_once(function, values, operand.op)?;
    if inner.shape.name() != "SEL" || operand.marks != Marks::NONE {
        return None;
    }
    let mut own = sources(inner.shape).map(|slot| inner.operands[slot]);
    let (first, second) = (own.next()?, own.next()?);
    let slots = inner.shape.slots().iter().zip(&inner.operands);
    let mut by = slots.filter(|(slot, _)| {
        slot.file == Some(warpc_sass::latency::File::Predicate) && !slot.is_written()
    });
    let by = *by.next()?.1;
    match (number(first)?, number(second)?) {
        (1, 0) => Some(by),
        (0, 1) => Some(Operand {
            marks: Marks(by.marks.0 ^ Marks::NOT.0),
            ..by
        }),
        _ => None,
    }
}

/// A sum with words that are 0 or 1 by a predicate: that is a carry.
pub(super) fn counted(
    function: &Function,
    values: &Values,
    immediates: &mut Immediates,
    inst: &Inst,
) -> Option<Inst> {
    let mut carries: SmallVec<[Operand; 2]> = SmallVec::new();
    let mut words: SmallVec<[Operand; 3]> = SmallVec::new();
    for one in three(inst)? {
        match truth(function, values, one) {
            Some(carry) if carries.len() < 2 => carries.push(carry),
            _ if is_zero(one) => {}
            _ => words.push(one),
        }
    }
    let is_number = |one: &Operand| number(*one).is_some();
    let plain = |one: &Operand| {
        one.marks == Marks::NONE && (is_number(one) || matches!(one.op, Op::Reg(..)))
    };
    let numbers = words.iter().filter(|one| is_number(one)).count();
    if carries.is_empty() || !words.iter().all(plain) || numbers > 1 || numbers == words.len() {
        return None;
    }
    let zero = Operand::plain(Op::Value(Value::ZERO));
    words.resize(3, zero);
    // A number stands in the second place.
    if let Some(at) = words
        .iter()
        .position(|one| is_number(one) && !is_zero(*one))
    {
        words.swap(at, 1);
    }
    let to = Operand::plain(result(inst)?);
    let [x, y, z] = words[..] else { return None };
    let (text, carries) = match carries[..] {
        [one] => ("IADD3.X R0, R0, R0, R0, P0, !PT", [Some(one), None]),
        [one, other] => ("IADD3.X R0, R0, R0, R0, P0, P1", [Some(one), Some(other)]),
        _ => return None,
    };
    let mut ops: SmallVec<[Operand; 6]> = SmallVec::from_slice(&[to, x, y, z]);
    ops.extend(carries.into_iter().flatten());
    make_with_numbers(function, immediates, text, inst, &ops)
}

/// A sum of two with a product, a shift or another sum among them.
pub(super) fn sum(
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
        let Some(inner) = inner_once(function, values, one.op) else {
            continue;
        };
        if one.marks == Marks::MINUS && inner.shape.name() == "IADD3" {
            let made = sum_of_three(function, immediates, inner, inst, (to, other), true);
            if made.is_some() {
                return made;
            }
        }
        if one.marks != Marks::NONE {
            continue;
        }
        let made = match inner.shape.name() {
            "IMAD" | "IMAD.U32" => product(function, immediates, inner, inst, to, other),
            "SHF.L.U32" => shift(function, inner, inst, to, other),
            "IADD3" => sum_of_three(function, immediates, inner, inst, (to, other), false),
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
    (to, added): (Operand, Operand),
    negates: bool,
) -> Option<Inst> {
    let parts: SmallVec<[Operand; 3]> = three(inner)?
        .into_iter()
        .filter(|one| !is_zero(*one))
        .map(|one| match negates {
            true => negated(one),
            false => Some(one),
        })
        .collect::<Option<_>>()?;
    let [x, y] = parts[..] else { return None };
    let all = [x, y, added];
    let negated = all.iter().filter(|one| one.marks != Marks::NONE).count();
    if negated > 1 {
        return None;
    }
    // A number with a sign is none of those that are added up, and a register of the machine, the stack's, stays.
    let fits = |one: &Operand| {
        matches!(one.op, Op::Reg(..)) || one.marks == Marks::NONE && number(*one).is_some()
    };
    if !all.iter().all(fits) {
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

/// The opposite of what is added.
fn negated(operand: Operand) -> Option<Operand> {
    match (operand.marks, number(operand)) {
        (Marks::NONE, Some(bits)) => Some(Operand::plain(Op::Value(Value::Number(i64::from(
            bits.wrapping_neg() as i32,
        ))))),
        (Marks::NONE, None) => Some(Operand {
            marks: Marks::MINUS,
            ..operand
        }),
        (Marks::MINUS, None) => Some(Operand::plain(operand.op)),
        _ => None,
    }
}
