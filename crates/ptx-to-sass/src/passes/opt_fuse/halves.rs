//! Halves of words: two that are made one by one and packed are made together, and one that is taken out of a word is read there.

use super::{Fuse, inner, inner_once, is_zero, make, number, three};
use crate::immediate::sources;
use crate::ir::{Function, Inst, Op, Operand};
use crate::pattern;
use warpc_sass::Marks;

/// The lower halves of two words, packed.
pub(super) const LOWER_HALVES: u32 = 0x5410;
/// What takes the upper half of a word to the lower one, by `PRMT` with zeros.
const UPPER_HALF: [u32; 2] = [0x7732, 0x4432];

/// Instructions that read the lower half of a word, and the same of the upper one.
const HALVES: &[(&str, &str)] = &[("HADD2.F32 R0, -RZ, R0.H0_H0", "HADD2.F32 R0, -RZ, R0.H1_H1")];

impl Fuse {
    /// `PRMT` of two words that hold a rounded single each.
    pub(super) fn packed(&self, function: &Function, inst: &Inst) -> Option<Inst> {
        let [low, selector, high] = three(inst)?;
        if inst.shape.name() != "PRMT" || number(selector) != Some(LOWER_HALVES) {
            return None;
        }
        let of = |one: Operand| {
            let found = match low.op == high.op {
                // Both halves are the same, and nobody else reads it.
                true => inner(function, &self.values, one.op).filter(|_| self.is_read(one.op, 2)),
                false => inner_once(function, &self.values, one.op),
            };
            found.filter(|_| one.marks == Marks::NONE)
        };
        let (lower, upper) = (of(low)?, of(high)?);
        if lower.shape != upper.shape
            || !matches!(
                lower.shape.name(),
                "F2FP.F16.F32.PACK_AB" | "F2FP.BF16.F32.PACK_AB"
            )
        {
            return None;
        }
        let single = |inst: &Inst| {
            let mut own = sources(inst.shape).map(|slot| inst.operands[slot]);
            let (first, second) = (own.next()?, own.next()?);
            (is_zero(first) && first.marks == Marks::NONE).then_some(second)
        };
        let text = format!("{} R0, R0, R0", lower.shape.name());
        let to = Operand::plain(super::result(inst)?);
        make(function, &text, inst, &[to, single(upper)?, single(lower)?])
    }

    fn is_read(&self, op: Op, times: u32) -> bool {
        matches!(op, Op::Reg(reg, lane) if self.values.reads(reg, lane) == times)
    }

    /// What reads the lower half of a word that is the upper one of another.
    pub(super) fn upper(&self, function: &Function, inst: &Inst) -> Option<Inst> {
        if inst.guard.is_some() {
            return None;
        }
        let find = |text: &str| pattern::find(function.sm, text);
        let (_, upper) = (HALVES.iter())
            .find(|(lower, _)| find(lower).is_some_and(|one| one.inst.shape == inst.shape))?;
        let (pattern, to) = (find(upper)?, super::result(inst)?);
        let slot = *pattern.holes.get(1)?;
        let half = inst.operands.get(slot)?;
        let made = inner(function, &self.values, half.op)?;
        let [first, second, third] = three(made)?;
        let whole = match made.shape.name() {
            "SHF.R.U32.HI" if is_zero(first) && number(second) == Some(16) => third,
            "PRMT" if number(second).is_some_and(|one| UPPER_HALF.contains(&one)) => first,
            _ => return None,
        };
        let is_register = matches!(whole.op, Op::Reg(..)) && whole.marks == Marks::NONE;
        let others = inst.operands.iter().zip(&pattern.inst.operands).enumerate();
        let same = others.skip(1).all(|(at, (own, other))| {
            at == slot || own.marks == other.marks && own.op == Op::Value(other.value)
        });
        if !is_register || !same {
            return None;
        }
        let whole = Operand {
            marks: half.marks,
            ..whole
        };
        make(function, upper, inst, &[Operand::plain(to), whole])
    }
}
