//! The smallest or largest of three, that of a sum and a third, and what is at least zero.

use super::{inner, inner_once, is_zero, make_with_numbers, number, result, three};
use crate::analysis::values::Values;
use crate::immediate::{Immediates, sources};
use crate::ir::{Function, Inst, Op, Operand};
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// The smallest or the largest of some words, and maybe of zero.
struct Extreme {
    words: SmallVec<[Operand; 3]>,
    is_unsigned: bool,
    is_least: bool,
    /// Whether zero is one of them, of which the largest is taken with signs.
    relu: bool,
}

impl Extreme {
    fn of(inst: &Inst) -> Option<Extreme> {
        let has = |name| inst.shape.has(name);
        let fits = matches!(inst.shape.opcode(), "VIMNMX" | "VIMNMX3")
            && inst.guard.is_none()
            && inst.writes().count() == 1
            && !has("U16x2")
            && !has("S16x2");
        let slots = inst.shape.slots().iter().zip(&inst.operands);
        let mut which = slots.filter(|(slot, _)| {
            slot.file == Some(warpc_sass::latency::File::Predicate) && !slot.is_written()
        });
        let which = which.next()?.1;
        let words: SmallVec<[Operand; 3]> = sources(inst.shape)
            .map(|slot| inst.operands[slot])
            .collect();
        let plain = words.iter().all(|one| one.marks == Marks::NONE);
        (fits && plain && which.op == Op::Value(Value::TRUE)).then(|| Extreme {
            words,
            is_unsigned: has("U32"),
            is_least: which.marks == Marks::NONE,
            relu: has("RELU"),
        })
    }

    fn is_like(&self, other: &Extreme) -> bool {
        (self.is_unsigned, self.is_least) == (other.is_unsigned, other.is_least)
    }

    fn made(
        &self,
        function: &Function,
        immediates: &mut Immediates,
        opcode: &str,
        inst: &Inst,
    ) -> Option<Inst> {
        let mut words = self.words.clone();
        // A number stands in the second place.
        let numbers = words.iter().filter(|one| is_number(**one)).count();
        match words.iter().position(|one| is_number(*one)) {
            Some(_) if numbers > 1 => return None,
            Some(at) if opcode != "VIADDMNMX" => words.swap(at, 1),
            Some(at) if at != 1 => return None,
            _ => {}
        }
        let sign = if self.is_unsigned { ".U32" } else { "" };
        let relu = if self.relu { ".RELU" } else { "" };
        let which = if self.is_least { "PT" } else { "!PT" };
        let second = match words.get(1).and_then(|one| number(*one)) {
            Some(bits) if bits != 0 => format!("{bits:#x}"),
            _ => "R0".to_owned(),
        };
        let third = if words.len() == 3 { ", R0" } else { "" };
        let text = format!("{opcode}{sign}{relu} R0, R0, {second}{third}, {which}");
        let mut ops: SmallVec<[Operand; 4]> = SmallVec::new();
        ops.push(Operand::plain(result(inst)?));
        let registers = words.into_iter().enumerate();
        ops.extend(
            registers
                .filter(|(at, one)| *at != 1 || !is_number(*one))
                .map(|(_, one)| one),
        );
        make_with_numbers(function, immediates, &text, inst, &ops)
    }
}

fn is_number(operand: Operand) -> bool {
    number(operand).is_some_and(|bits| bits != 0)
}

/// The smallest or largest of two with what makes one of them.
pub(super) fn extreme(
    function: &Function,
    values: &Values,
    immediates: &mut Immediates,
    inst: &Inst,
) -> Option<Inst> {
    let outer = Extreme::of(inst)?;
    let [first, second] = outer.words[..] else {
        return None;
    };
    let ways = [(first, second), (second, first)];
    // One that others read stays; what it reads is there for both.
    let with_zero = ways.into_iter().find_map(|(one, other)| {
        let is_relu = is_zero(other) && !outer.is_least && !outer.is_unsigned;
        let own = inner(function, values, one.op).filter(|_| is_relu)?;
        let own = Extreme::of(own)?;
        let relu = Extreme { relu: true, ..own };
        let opcode = if relu.words.len() == 3 {
            "VIMNMX3"
        } else {
            "VIMNMX"
        };
        (relu.is_like(&outer))
            .then(|| relu.made(function, immediates, opcode, inst))
            .flatten()
    });
    if with_zero.is_some() {
        return with_zero;
    }
    if outer.relu {
        return None;
    }
    ways.into_iter().find_map(|(one, other)| {
        let own = inner_once(function, values, one.op)?;
        if let Some(own) = Extreme::of(own) {
            let mut words = own.words.clone();
            words.push(other);
            let all = Extreme { words, ..own };
            let fits = all.words.len() == 3 && all.is_like(&outer);
            return fits
                .then(|| all.made(function, immediates, "VIMNMX3", inst))
                .flatten();
        }
        if own.shape.name() != "IADD3" {
            return None;
        }
        let parts = three(own)?;
        let mut parts: SmallVec<[Operand; 3]> =
            parts.into_iter().filter(|one| !is_zero(*one)).collect();
        if parts.len() != 2 || parts.iter().any(|one| one.marks != Marks::NONE) {
            return None;
        }
        if is_number(parts[0]) {
            parts.swap(0, 1);
        }
        let words = SmallVec::from_slice(&[parts[0], parts[1], other]);
        let all = Extreme {
            words,
            is_unsigned: outer.is_unsigned,
            is_least: outer.is_least,
            relu: false,
        };
        all.made(function, immediates, "VIADDMNMX", inst)
    })
}
