//! Sums with a word or its opposite, by a predicate.
//!
//! ```text
//!   IADD3 n, RZ, -x, RZ           MOV one, 0x1
//!   SEL t, x, n, p          ──►   SEL s, one, 0xffffffff, p
//!   IADD3 d, t, a, RZ             IMAD d, x, s, a
//! ```
//!
//! Sums with the same predicate share the number.

use super::{At, Long, is_register};
use crate::immediate::sources;
use crate::ir::{File, Function, Inst, Op, Operand};
use crate::passes::opt_fuse::{is_zero, make_with_numbers, result, three};
use crate::pattern;
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// The word that an instruction makes the opposite of.
fn opposite(inst: &Inst) -> Option<Op> {
    if inst.shape.name() != "IADD3" {
        return None;
    }
    let parts = three(inst)?;
    let mut parts = parts.iter().filter(|one| !is_zero(**one));
    let only = parts.next().filter(|one| one.marks == Marks::MINUS)?;
    parts.next().is_none().then_some(only.op)
}

impl Long {
    /// A sum of two at a place with a word or its opposite among them.
    pub(super) fn sum_with_sign(&mut self, function: &mut Function, place: At) -> Option<()> {
        let inst = &function.blocks[place.0.index()].insts[place.1];
        if self.taken.contains(&place) {
            return None;
        }
        let parts: SmallVec<[Operand; 3]> = three(inst)?
            .into_iter()
            .filter(|one| !is_zero(*one))
            .collect();
        let [first, second] = parts[..] else {
            return None;
        };
        let (chosen, word, by, added) = [(first, second), (second, first)]
            .into_iter()
            .filter(|(one, other)| {
                let registers = [one, other]
                    .into_iter()
                    .all(|one| is_register(function, *one));
                registers && self.reads(one.op) == 1
            })
            .find_map(|(one, other)| {
                let (at, inst) = self.made(function, place.0, one.op)?;
                let (word, by) = self.signed(function, place, inst)?;
                Some((at, word, by, other))
            })?;
        let like = inst.clone();
        let mut made: SmallVec<[Inst; 4]> = SmallVec::new();
        let known = (self.signs.iter()).find(|one| (one.0, one.1) == (place.0, by));
        let sign = match known {
            Some(known) => known.2,
            None => {
                let one = match self.one.filter(|one| one.0 == place.0) {
                    Some((_, one)) => one,
                    None => {
                        let one = Op::Reg(function.reg(File::Register, 1), 0);
                        let number = pattern::find(function.sm, "MOV R0, 0x1")?;
                        made.push(number.filled(&[one], None, like.span));
                        self.one = Some((place.0, one));
                        one
                    }
                };
                let sign = Op::Reg(function.reg(File::Register, 1), 0);
                let minus = Operand::plain(Op::Value(Value::Number(-1)));
                let ops = [Operand::plain(sign), Operand::plain(one), minus, by];
                let text = "SEL R0, R0, R0, P0";
                let immediates = &mut self.immediates;
                made.push(make_with_numbers(function, immediates, text, &like, &ops)?);
                self.signs.push((place.0, by, sign));
                sign
            }
        };
        let ops = [result(&like)?, word, sign, added.op].map(Operand::plain);
        let text = "IMAD R0, R0, R0, R0";
        made.push(make_with_numbers(
            function,
            &mut self.immediates,
            text,
            &like,
            &ops,
        )?);
        self.change([(place, made)], &[chosen]);
        Some(())
    }

    /// A word, and the predicate for which it is taken, not its opposite.
    fn signed(&self, function: &Function, place: At, inst: &Inst) -> Option<(Op, Operand)> {
        if inst.shape.name() != "SEL" {
            return None;
        }
        let mut own = sources(inst.shape).map(|slot| inst.operands[slot]);
        let (first, second) = (own.next()?, own.next()?);
        let slots = inst.shape.slots().iter().zip(&inst.operands);
        let mut by = slots.filter(|(slot, _)| {
            slot.file == Some(warpc_sass::latency::File::Predicate) && !slot.is_written()
        });
        let by = *by.next()?.1;
        let is_opposite = |one: Operand, other: Operand| {
            is_register(function, one)
                && is_register(function, other)
                && self
                    .made(function, place.0, other.op)
                    .and_then(|(_, inst)| opposite(inst))
                    == Some(one.op)
        };
        let turned = Operand {
            marks: Marks(by.marks.0 ^ Marks::NOT.0),
            ..by
        };
        if is_opposite(first, second) {
            Some((first.op, by))
        } else if is_opposite(second, first) {
            Some((second.op, turned))
        } else {
            None
        }
    }
}
