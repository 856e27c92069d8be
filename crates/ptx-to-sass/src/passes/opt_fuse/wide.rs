//! Sums of 64 bits, which are two instructions, with a product or a shifted value among what is added; products of numbers
//! that are extended to 64 bits.

use super::{Fuse, inner, inner_once, is_zero, make, make_with_numbers, number, three};
use crate::analysis::values::Values;
use crate::immediate::sources;
use crate::ir::{BlockId, Function, Inst, Op, Operand, Reg};
use crate::pattern;
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// How far apart the two halves of a sum of 64 bits may be.
const APART: usize = 8;

impl Fuse {
    /// A sum of 64 bits whose upper half is at a place.
    pub(super) fn wide(
        &mut self,
        function: &mut Function,
        block: BlockId,
        at: usize,
    ) -> Option<Inst> {
        let mut sum = WideSum::at(function, &self.values, block, at)?;
        for (_, high) in &mut sum.parts {
            // A half of a product that was made before.
            if let Some(copy) = inner_once(function, &self.values, high.op)
                && copy.shape.opcode() == "MOV"
                && let Some(from) = copy.operands.get(1)
                && matches!(from.op, Op::Reg(..))
            {
                high.op = from.op;
            }
        }
        let made = wide_sum(function, &self.values, block, at, &sum);
        let made = made.or_else(|| self.short_shift(function, block, at, &sum));
        if let Some(made) = made.or_else(|| self.extended(function, block, at, &sum)) {
            self.gone.push((block, sum.low));
            return Some(made);
        }
        let inst = &function.blocks[block.index()].insts[at];
        let (low, high) = wide_shift(function, &self.values, inst, &sum)?;
        function.blocks[block.index()].insts[sum.low] = low;
        Some(high)
    }

    /// A sum of 64 bits with a product or a shifted value of 32 bits among what is added, which loses no bits.
    fn short_shift(
        &mut self,
        function: &Function,
        block: BlockId,
        at: usize,
        sum: &WideSum,
    ) -> Option<Inst> {
        let like = &function.blocks[block.index()].insts[at];
        let to = pair(function, sum.to.0, sum.to.1)?;
        let [first, second] = sum.parts;
        for (one, other) in [(first, second), (second, first)] {
            let plain = [one.0, one.1, other.0, other.1];
            if plain.iter().any(|operand| operand.marks != Marks::NONE) {
                continue;
            }
            let Some(added) = pair(function, other.0.op, other.1.op) else {
                continue;
            };
            let Some(low) = inner(function, &self.values, one.0.op) else {
                continue;
            };
            let upper = self.known.raw(&self.values, one.1.op).value();
            let found = match low.shape.name() {
                "SHF.L.U32" => self.shifted(function, low, one.1, upper),
                "IMAD" | "IMAD.U32" if upper == Some(0) => self.exact_product(low),
                // Its upper half is known to be zero.
                "IMAD.WIDE.U32" if upper == Some(0) => self.exact_product(low).filter(|_| {
                    let Op::Reg(reg, lane) = one.0.op else {
                        return false;
                    };
                    low.writes()
                        .any(|(to, first, _)| to == reg && first == lane)
                }),
                _ => None,
            };
            let Some((x, by)) = found else { continue };
            let by = Operand::plain(Op::Value(Value::Number(by.into())));
            let ops = [Operand::plain(to), x, by, Operand::plain(added)];
            let text = "IMAD.WIDE.U32 R0, R0, R0, R0";
            return make_with_numbers(function, &mut self.immediates, text, like, &ops);
        }
        None
    }

    /// A sum of 64 bits of a pair and a word with its sign or zeros above it, or such a word that is shifted as 64 bits.
    fn extended(
        &mut self,
        function: &Function,
        block: BlockId,
        at: usize,
        sum: &WideSum,
    ) -> Option<Inst> {
        let like = &function.blocks[block.index()].insts[at];
        let to = pair(function, sum.to.0, sum.to.1)?;
        let [first, second] = sum.parts;
        for (one, other) in [(first, second), (second, first)] {
            let plain = [one.0, one.1, other.0, other.1];
            if plain.iter().any(|operand| operand.marks != Marks::NONE) {
                continue;
            }
            let Some(added) = pair(function, other.0.op, other.1.op) else {
                continue;
            };
            let is_register = matches!(one.0.op, Op::Reg(..));
            let upper = self.known.raw(&self.values, one.1.op).value();
            let (name, x, by) = if is_register && upper == Some(0) {
                ("IMAD.WIDE.U32", one.0, 1)
            } else if is_register && self.is_sign(function, one.1, one.0) {
                ("IMAD.WIDE", one.0, 1)
            } else if let Some((x, by)) = self.shifted_sign(function, one) {
                ("IMAD.WIDE", x, by)
            } else {
                continue;
            };
            let by = Operand::plain(Op::Value(Value::Number(by)));
            let ops = [Operand::plain(to), x, by, Operand::plain(added)];
            let text = format!("{name} R0, R0, R0, R0");
            return make_with_numbers(function, &mut self.immediates, &text, like, &ops);
        }
        None
    }

    /// A word and what it is multiplied by, of a shift to the left of it with its sign above.
    fn shifted_sign(
        &self,
        function: &Function,
        (low, high): (Operand, Operand),
    ) -> Option<(Operand, i64)> {
        let low = inner(function, &self.values, low.op)?;
        let high = inner(function, &self.values, high.op)?;
        if low.shape.name() != "SHF.L.U32" || high.shape.name() != "SHF.L.U64.HI" {
            return None;
        }
        let ([x, by, zero], [x_low, high_by, x_high]) = (three(low)?, three(high)?);
        let bits = number(by).filter(|bits| (1..31).contains(bits))?;
        let is_register = x.marks == Marks::NONE && matches!(x.op, Op::Reg(..));
        let is_whole = is_zero(zero) && x == x_low && number(high_by) == Some(bits);
        let fits = is_register && is_whole && self.is_sign(function, x_high, x);
        fits.then_some((x, 1 << bits))
    }

    /// A word and what it is multiplied by, of a shift to the left of which this is the upper half.
    fn shifted(
        &self,
        function: &Function,
        low: &Inst,
        high: Operand,
        upper: Option<u32>,
    ) -> Option<(Operand, u32)> {
        let [x, by, zero] = three(low)?;
        let by = number(by).filter(|by| (1..32).contains(by))?;
        if !is_zero(zero) || x.marks != Marks::NONE || !matches!(x.op, Op::Reg(..)) {
            return None;
        }
        let lost = !(u32::MAX >> by);
        if upper == Some(0) && self.known.raw(&self.values, x.op).zeros & lost == lost {
            return Some((x, 1 << by));
        }
        // Zeros are shifted in from above.
        let high = inner(function, &self.values, high.op)?;
        if high.shape.name() != "SHF.L.U64.HI" {
            return None;
        }
        let [x_low, high_by, x_high] = three(high)?;
        let is_zero = self.known.bits(&self.values, x_high).value() == Some(0);
        (x_low == x && number(high_by) == Some(by) && is_zero).then_some((x, 1 << by))
    }

    /// A word and the number by which it is multiplied, if the product has at most 32 bits.
    fn exact_product(&self, inst: &Inst) -> Option<(Operand, u32)> {
        let mut own = sources(inst.shape).map(|slot| inst.operands[slot]);
        let (x, y, z) = (own.next()?, own.next()?, own.next()?);
        let by = self.known.bits(&self.values, y).value()?;
        let most = u64::from(self.known.bits(&self.values, x).most()) * u64::from(by);
        let is_register = x.marks == Marks::NONE && matches!(x.op, Op::Reg(..));
        (is_zero(z) && is_register && by != 0 && most <= u32::MAX.into()).then_some((x, by))
    }

    /// The upper word of a product of 64 bits whose factors are signs above 32 bits: that of their product with signs.
    ///
    /// `w = a.0 * b.0` without signs, `t = a.1 * b.0 + w.1`, `d.1 = a.0 * b.1 + t`, in either order.
    pub(super) fn long_product(
        &mut self,
        function: &mut Function,
        block: BlockId,
        at: usize,
    ) -> Option<Inst> {
        let inst = &function.blocks[block.index()].insts[at];
        if !matches!(inst.shape.name(), "IMAD" | "IMAD.U32") {
            return None;
        }
        let factors = |inst: &Inst| -> Option<[Operand; 3]> {
            let all = three(inst)?;
            let plain = all.iter().all(|one| one.marks == Marks::NONE);
            plain.then_some(all)
        };
        let [x, y, rest] = factors(inst)?;
        // Where the second factor is a positive number its upper half is no part of the sum.
        let made = inner_once(function, &self.values, rest.op)?;
        let (partly, upper) = match made.shape.name() {
            "IMAD" | "IMAD.U32" => {
                let [u, v, upper] = factors(made)?;
                (Some((u, v)), upper)
            }
            _ => (None, rest),
        };
        let Op::Reg(wide, lane) = upper.op else {
            return None;
        };
        let low = inner_once(function, &self.values, upper.op)?;
        let starts = |(reg, first, _): (Reg, u8, u8)| reg == wide && first + 1 == lane;
        if low.shape.name() != "IMAD.WIDE.U32" || !low.writes().any(starts) {
            return None;
        }
        let mut own = sources(low.shape).map(|slot| low.operands[slot]);
        let (a, b, added) = (own.next()?, own.next()?, own.next()?);
        if [a, b, added].iter().any(|one| one.marks != Marks::NONE) {
            return None;
        }
        // One of the two has the upper half of the first factor, the other that of the second.
        let other = |(one, other): (Operand, Operand), low: Operand| {
            if self.is_same(one, low) {
                Some(other)
            } else if self.is_same(other, low) {
                Some(one)
            } else {
                None
            }
        };
        let is_sign = |high: Operand, low: Operand| self.is_sign(function, high, low);
        let zero = Operand::plain(Op::Value(Value::ZERO));
        let fits = match partly {
            Some(partly) => [((x, y), partly), (partly, (x, y))]
                .into_iter()
                .any(|(of_a, of_b)| match (other(of_a, a), other(of_b, b)) {
                    (Some(b1), Some(a1)) => is_sign(a1, a) && is_sign(b1, b),
                    _ => false,
                }),
            None => [(a, b), (b, a)].into_iter().any(|(a, b)| {
                let a1 = other((x, y), b);
                a1.is_some_and(|a1| is_sign(a1, a)) && is_sign(zero, b)
            }),
        };
        if !fits {
            return None;
        }
        let place = self.values.write(wide, lane)?;
        let result = low.writes().find(|one| starts(*one))?;
        let ops = [Operand::plain(Op::Reg(result.0, result.1)), a, b, added];
        let text = "IMAD.WIDE R0, R0, R0, R0";
        let made = make_with_numbers(function, &mut self.immediates, text, low, &ops)?;
        let to = super::result(inst)?;
        let copy = pattern::find(function.sm, "MOV R0, R0")?;
        let copy = copy.filled(&[to, upper.op], None, inst.span);
        function.blocks[place.block.index()].insts[place.inst as usize] = made;
        Some(copy)
    }

    /// Whether two operands are the same, or the same number.
    fn is_same(&self, one: Operand, other: Operand) -> bool {
        let bits = |operand| self.known.bits(&self.values, operand).value();
        one == other || bits(one).is_some() && bits(one) == bits(other)
    }

    /// Whether a word has the sign of another one in all its bits.
    fn is_sign(&self, function: &Function, high: Operand, low: Operand) -> bool {
        let (bits, of) = (
            self.known.bits(&self.values, high),
            self.known.bits(&self.values, low),
        );
        if let Some(bits) = bits.value() {
            return match bits {
                0 => of.zeros >> 31 == 1,
                u32::MAX => of.ones >> 31 == 1,
                _ => false,
            };
        }
        let made = inner(function, &self.values, high.op);
        made.filter(|made| made.shape.name() == "SHF.R.S32.HI")
            .and_then(three)
            .is_some_and(|[_, by, from]| number(by) == Some(31) && from == low)
    }
}

/// A lane of a register, and whether a pair can begin there.
pub(super) fn pair(function: &Function, low: Op, high: Op) -> Option<Op> {
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
        // What is added first in one half may be second in the other.
        let together = |one: Operand, other: Operand| pair(function, one.op, other.op).is_some();
        let ([x, y, _], [u, v, _]) = (low_parts, high_parts);
        let crossed = !together(x, u) && !together(y, v) && (together(x, v) || together(y, u));
        let parts = match crossed {
            true => [(x, v), (y, u)],
            false => [(x, u), (y, v)],
        };
        Some(WideSum {
            low: low_at,
            to,
            carry: Op::Reg(carry, 0),
            parts,
        })
    }
}

/// A sum of 64 bits with a product among what is added.
pub(super) fn wide_sum(
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
        // A word by a number that others read, too, is computed again with the sum: one instruction for two.
        let (Some(low), Some(high)) = (
            inner(function, values, one.0.op),
            inner(function, values, one.1.op),
        ) else {
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
        let (Some(_), Some(b), Some(c)) = (slots.next(), slots.next(), slots.next()) else {
            continue;
        };
        let is_read_once = inner_once(function, values, one.0.op).is_some()
            && inner_once(function, values, one.1.op).is_some();
        // Others that are read more than once are left to `long`, which looks at the pipes.
        let is_scaled = number(low.operands[b]).is_some();
        if !is_zero(low.operands[c]) || !is_read_once && !is_scaled {
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
pub(super) fn wide_shift(
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
