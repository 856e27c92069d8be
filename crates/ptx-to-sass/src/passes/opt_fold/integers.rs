//! Sums, products and shifts of which a part is known.

use super::{Fold, copy_to, known_op};
use crate::analysis::known_bits::View;
use crate::ir::{BlockId, Function, Inst, Op, Operand};
use crate::passes::opt_fuse::make_with_numbers;
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// A number as an operand.
fn number(bits: u32) -> Operand {
    Operand::plain(Op::Value(match bits {
        0 => Value::ZERO,
        bits => Value::Number(i64::from(bits as i32)),
    }))
}

impl Fold {
    /// An instruction by the example of a text, under the guard of another one.
    pub(super) fn made(
        &mut self,
        function: &Function,
        text: &str,
        like: &Inst,
        ops: &[Operand],
    ) -> Option<Inst> {
        let made = make_with_numbers(function, &mut self.immediates, text, like, ops)?;
        Some(Inst {
            guard: like.guard,
            ..made
        })
    }

    /// A sum in which numbers and carries are known.
    pub(super) fn sum(
        &mut self,
        function: &Function,
        place: (BlockId, usize),
        inst: &Inst,
        view: &View,
    ) -> Option<Inst> {
        let to = inst.operands[view.result?];
        let mut number_of = 0u32;
        let mut others: SmallVec<[Operand; 3]> = SmallVec::new();
        for &slot in &view.sources {
            let operand = inst.operands[slot];
            match self.known.bits(&self.values, operand).value() {
                Some(bits) => number_of = number_of.wrapping_add(bits),
                None if operand.marks == Marks::TILDE => {
                    // ~x is -x - 1.
                    number_of = number_of.wrapping_sub(1);
                    others.push(Operand {
                        marks: Marks::MINUS,
                        ..operand
                    });
                }
                None => others.push(operand),
            }
        }
        for &slot in &view.truths {
            let carry = self.known.truth(&self.values, inst.operands[slot])?;
            number_of = number_of.wrapping_add(u32::from(carry));
        }
        let is_extended = inst.shape.has("X");
        let is_same = !is_extended && {
            let zeros = view
                .sources
                .iter()
                .filter(|slot| inst.operands[**slot].op == Op::Value(Value::ZERO));
            zeros.count() + others.len() + usize::from(number_of != 0) == 3
        };
        let is_copy = number_of == 0 && matches!(others[..], [one] if one.marks == Marks::NONE);
        if !is_copy && is_same {
            return None;
        }
        let text = "IADD3 R0, R0, R0, R0";
        let ops = match (&others[..], number_of) {
            ([one], 0) if is_copy => {
                let results = self.known.results(&self.values, inst, view)?;
                let made = copy_to(function, inst, to.op, one.op)?;
                self.flags_as_numbers(function, place, inst, view, results.flags)?;
                return Some(made);
            }
            ([x], bits) => [to, *x, number(bits), number(0)],
            ([x, y], bits) => [to, *x, number(bits), *y],
            ([x, y, z], 0) => [to, *x, *y, *z],
            _ => return None,
        };
        // Two of three may not be negated. Source: rows of the machine have the marks, ptxas never sets more.
        let negated = others.iter().filter(|one| one.marks != Marks::NONE).count();
        let results = self.known.results(&self.values, inst, view)?;
        if negated > 1 {
            return None;
        }
        let made = self.made(function, text, inst, &ops)?;
        self.flags_as_numbers(function, place, inst, view, results.flags)?;
        Some(made)
    }

    /// A product with zero, one or a power of two.
    pub(super) fn product(
        &mut self,
        function: &Function,
        inst: &Inst,
        view: &View,
    ) -> Option<Inst> {
        let [x, y, z] = view.sources[..] else {
            return None;
        };
        if view
            .flags
            .iter()
            .any(|slot| matches!(inst.operands[*slot].op, Op::Reg(..)))
        {
            return None;
        }
        let to = inst.operands[view.result?];
        let (x, y, z) = (inst.operands[x], inst.operands[y], inst.operands[z]);
        let numbers = [(x, y), (y, x)].map(|(one, other)| {
            let bits = self.known.bits(&self.values, one).value();
            bits.map(|bits| (bits, other))
        });
        let (bits, other) = numbers.into_iter().flatten().next()?;
        // The third source of the upper half of a product is a pair, and of that the first lane alone says nothing.
        let is_pair_zero = z.op == Op::Value(Value::ZERO) && z.marks == Marks::NONE;
        let z = known_op(self, z);
        let is_zero = z.op == Op::Value(Value::ZERO) && z.marks == Marks::NONE;
        match inst.shape.name() {
            "IMAD" | "IMAD.U32" => match bits {
                0 if z.marks == Marks::NONE => copy_to(function, inst, to.op, z.op),
                1 if is_zero && other.marks == Marks::NONE => {
                    copy_to(function, inst, to.op, other.op)
                }
                1 => self.made(function, "IADD3 R0, R0, R0, RZ", inst, &[to, other, z]),
                u32::MAX if other.marks == Marks::NONE && z.marks == Marks::NONE => {
                    let other = Operand {
                        marks: Marks::MINUS,
                        ..other
                    };
                    self.made(function, "IADD3 R0, R0, R0, RZ", inst, &[to, z, other])
                }
                bits if bits.is_power_of_two() && is_zero && other.marks == Marks::NONE => {
                    let text = format!("SHF.L.U32 R0, R0, {:#x}, RZ", bits.trailing_zeros());
                    self.made(function, &text, inst, &[to, other])
                }
                _ => None,
            },
            "IMAD.HI.U32" if bits.is_power_of_two() && bits > 1 && is_pair_zero => {
                let by = 32 - bits.trailing_zeros();
                let text = format!("SHF.R.U32.HI R0, RZ, {by:#x}, R0");
                self.made(function, &text, inst, &[to, other])
            }
            _ => None,
        }
    }

    /// A shift by a number, of a word or of two.
    pub(super) fn shift(&mut self, function: &Function, inst: &Inst, view: &View) -> Option<Inst> {
        let [low, by, upper] = view.sources[..] else {
            return None;
        };
        let to = inst.operands[view.result?];
        let by = self.bits(inst, by)?;
        let [low, upper] = [low, upper].map(|slot| known_op(self, inst.operands[slot]));
        let left = |fold: &mut Fold, of: Operand, by: u32| match by {
            0 => copy_to(function, inst, to.op, of.op),
            by => fold.made(
                function,
                &format!("SHF.L.U32 R0, R0, {by:#x}, RZ"),
                inst,
                &[to, of],
            ),
        };
        let right = |fold: &mut Fold, sign: &str, of: Operand, by: u32| match by {
            0 => copy_to(function, inst, to.op, of.op),
            by => {
                let text = format!("SHF.R.{sign}.HI R0, RZ, {by:#x}, R0");
                fold.made(function, &text, inst, &[to, of])
            }
        };
        let is_zero = |one: Operand| one.op == Op::Value(Value::ZERO);
        match inst.shape.name() {
            "SHF.L.U32" if by == 0 => copy_to(function, inst, to.op, low.op),
            "SHF.R.U32.HI" | "SHF.R.S32.HI" | "SHF.R.U64.HI" | "SHF.R.S64.HI" if by == 0 => {
                copy_to(function, inst, to.op, upper.op)
            }
            "SHF.L.U64.HI" if by == 0 => copy_to(function, inst, to.op, upper.op),
            "SHF.L.U64.HI" if (32..64).contains(&by) => left(self, low, by - 32),
            "SHF.R.U64" | "SHF.R.S64" if by == 0 => copy_to(function, inst, to.op, low.op),
            "SHF.R.U64" if (32..64).contains(&by) => right(self, "U32", upper, by - 32),
            "SHF.R.S64" if (32..64).contains(&by) => right(self, "S32", upper, by - 32),
            "SHF.R.U64" | "SHF.R.S64" if by < 32 && is_zero(upper) => right(self, "U32", low, by),
            // By a number in a register: the number itself.
            "SHF.L.U32" | "SHF.R.U32.HI" | "SHF.R.S32.HI" | "SHF.L.U64.HI" | "SHF.R.U64"
            | "SHF.R.S64"
                if matches!(inst.operands[view.sources[1]].op, Op::Reg(..)) && by < 64 =>
            {
                let mut made = inst.clone();
                let slot = view.sources[1];
                (self.immediates.put(function.sm, &mut made, slot, by)).then_some(made)
            }
            _ => None,
        }
    }
}
