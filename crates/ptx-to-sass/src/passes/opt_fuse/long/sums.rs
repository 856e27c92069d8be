//! Sums of three.

use super::{At, Long, is_register};
use crate::ir::{File, Function, Op, Operand};
use crate::passes::opt_fuse::{WideSum, is_zero, make_with_numbers, number};
use smallvec::smallvec;
use warpc_sass::Marks;

impl Long {
    /// A sum with a sum among what is added.
    pub(super) fn sum_of_three(
        &mut self,
        function: &mut Function,
        place: At,
        sum: &WideSum,
    ) -> Option<()> {
        let [first, second] = sum.parts;
        let (other, (inner_low, inner_high), inner) = [(first, second), (second, first)]
            .into_iter()
            .find_map(|(one, other)| {
                let once = self.reads(one.0.op) == 1 && self.reads(one.1.op) == 1;
                // Both parts of a sum that is subtracted would have to be.
                let is_added = one.0.marks == Marks::NONE && one.1.marks == Marks::NONE;
                let (low, _) =
                    (self.made(function, place.0, one.0.op)).filter(|_| once && is_added)?;
                let (high, _) = self.made(function, place.0, one.1.op)?;
                let inner = WideSum::at(function, &self.values, place.0, high.1)?;
                let is_it = inner.low == low.1 && inner.to == (one.0.op, one.1.op);
                is_it.then_some((other, (low, high), inner))
            })?;
        let parts = [inner.parts[0], inner.parts[1], other];
        let is_second = |one: &Operand| is_number(*one) || self.is_constant(function, one.op);
        let lows = arranged(function, parts.map(|one| one.0), is_second)?;
        let highs = arranged(function, parts.map(|one| one.1), is_second)?;
        // A shift or a product can become part of a sum of two.
        let is_made_for_it = |one: &Operand| {
            self.reads(one.op) == 1
                && self
                    .made(function, place.0, one.op)
                    .is_some_and(|(_, inst)| {
                        matches!(inst.shape.opcode(), "IMAD" | "LEA")
                            || inst.shape.name() == "SHF.L.U32"
                    })
        };
        if lows.iter().any(is_made_for_it) {
            return None;
        }
        let has_number = |all: &[Operand; 3]| all.iter().any(|one| is_number(*one));
        let in_address = match sum.to.0 {
            Op::Reg(reg, lane) => self.in_addresses[self.values.index(reg, lane)],
            _ => true,
        };
        // An access can have the number.
        if in_address && (has_number(&lows) || has_number(&highs)) {
            return None;
        }
        let second_carry = Operand::plain(Op::Reg(function.reg(File::Predicate, 1), 0));
        let carry = Operand::plain(sum.carry);
        let insts = &function.blocks[place.0.index()].insts;
        let [x, y, z] = lows;
        let low = make_with_numbers(
            function,
            &mut self.immediates,
            "IADD3 R0, P0, P1, R0, R0, R0",
            &insts[sum.low],
            &[Operand::plain(sum.to.0), carry, second_carry, x, y, z],
        )?;
        let [x, y, z] = highs;
        let high = make_with_numbers(
            function,
            &mut self.immediates,
            "IADD3.X R0, R0, R0, R0, P0, P1",
            &insts[place.1],
            &[Operand::plain(sum.to.1), x, y, z, carry, second_carry],
        )?;
        let changes = [
            ((place.0, sum.low), smallvec![low]),
            (place, smallvec![high]),
        ];
        self.change(changes, &[inner_low, inner_high]);
        Some(())
    }
}

fn is_number(operand: Operand) -> bool {
    !is_zero(operand) && number(operand).is_some()
}

/// What is added in the order in which an instruction takes it: registers and zeros, and at most one number, in the second
/// place, where what comes from the constant bank can be uniform, too.
fn arranged(
    function: &Function,
    mut all: [Operand; 3],
    is_second: impl Fn(&Operand) -> bool,
) -> Option<[Operand; 3]> {
    let fits = |one: &Operand| {
        one.marks == Marks::NONE
            && (is_register(function, *one) || is_zero(*one) || number(*one).is_some())
    };
    if !all.iter().all(fits) || all.iter().filter(|one| is_number(**one)).count() > 1 {
        return None;
    }
    if let Some(at) = all.iter().position(is_second) {
        all.swap(at, 1);
    }
    Some(all)
}
