//! Both halves of a product of 64 bits, which two instructions make.

use super::{At, Long, copy};
use crate::immediate::sources;
use crate::ir::{File, Function, Inst, Op, Operand};
use crate::passes::opt_fuse::{is_zero, make_with_numbers, result};
use smallvec::{SmallVec, smallvec};
use warpc_sass::{Marks, Value};

/// How far apart the two may be.
const APART: usize = 64;

/// The factors of a product without anything added.
fn factors(inst: &Inst) -> Option<(Operand, Operand)> {
    let mut own = sources(inst.shape).map(|slot| inst.operands[slot]);
    let (x, y, z) = (own.next()?, own.next()?, own.next()?);
    let plain = inst.guard.is_none() && inst.writes().count() == 1;
    let fits = [x, y].iter().all(|one| {
        let is_known = matches!(one.op, Op::Reg(..) | Op::Value(Value::Number(_)));
        is_known && one.marks == Marks::NONE
    });
    (plain && fits && is_zero(z)).then_some((x, y))
}

impl Long {
    /// The upper half of a product at a place with its lower half, which one instruction makes as fast.
    pub(super) fn join_halves(&mut self, function: &mut Function, place: At) -> Option<()> {
        let insts = &function.blocks[place.0.index()].insts;
        let high = &insts[place.1];
        let (x, y) = factors(high)?;
        let is_value = |op: Op| match op {
            Op::Reg(reg, lane) => self.values.is_value(reg, lane),
            _ => true,
        };
        if ![x.op, y.op].into_iter().all(is_value) || !is_value(result(high)?) {
            return None;
        }
        let from = place.1.saturating_sub(APART);
        let until = insts.len().min(place.1 + APART);
        let other = (from..until).find(|at| {
            let low = &insts[*at];
            let is_product = matches!(low.shape.name(), "IMAD" | "IMAD.U32");
            let is_same = is_product
                && factors(low).is_some_and(|(u, v)| (u, v) == (x, y) || (u, v) == (y, x));
            is_same
                && !self.taken.contains(&(place.0, *at))
                && result(low).is_some_and(|to| is_value(to) && !self.is_added(function, to))
        })?;
        let text = match high.shape.name() {
            "IMAD.HI" => "IMAD.WIDE R0, R0, R0, RZ",
            _ => "IMAD.WIDE.U32 R0, R0, R0, RZ",
        };
        let to = [result(&insts[other])?, result(high)?];
        let wide = function.reg(File::Register, 2);
        let insts = &function.blocks[place.0.index()].insts;
        let (first, second) = (place.1.min(other), place.1.max(other));
        let ops = [Operand::plain(Op::Reg(wide, 0)), x, y];
        let made = make_with_numbers(function, &mut self.immediates, text, &insts[first], &ops)?;
        let [low, high] = [(other, 0u8), (place.1, 1)].map(|(at, lane)| {
            copy(
                function,
                &insts[at],
                to[usize::from(lane)],
                Op::Reg(wide, lane),
            )
        });
        let (low, high) = (low?, high?);
        let (early, late) = match first == other {
            true => (low, high),
            false => (high, low),
        };
        let early: SmallVec<[Inst; 4]> = smallvec![made, early];
        let changes = [
            ((place.0, first), early),
            ((place.0, second), smallvec![late]),
        ];
        self.change(changes, &[]);
        Some(())
    }

    /// Whether a word is only read by a sum of two, with which its product can become one instruction.
    fn is_added(&self, function: &Function, op: Op) -> bool {
        let Op::Reg(reg, lane) = op else { return false };
        let Some((block, at)) = self.readers[self.values.index(reg, lane)] else {
            return false;
        };
        let reader = &function.blocks[block.index()].insts[at];
        let zeros = sources(reader.shape).filter(|slot| is_zero(reader.operands[*slot]));
        self.values.reads(reg, lane) == 1
            && reader.shape.name() == "IADD3"
            && reader.writes().count() == 1
            && zeros.count() == 1
    }
}
