//! Integers of every width through one door: predicates, one register, many.
//!
//! A number is the list of its parts. These functions pick the code for its width; what is built on them
//! (vectors, intrinsics) need not know it.

use super::Selector;
use super::extend::Above;
use crate::code::{Arg, Args, Class, Reg};
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate};

/// The name of a comparison in PTX, and whether it is signed.
pub(super) fn comparison(predicate: IcmpPredicate) -> (&'static str, bool) {
    use IcmpPredicate::*;
    match predicate {
        Eq => ("eq", false),
        Ne => ("ne", false),
        Ugt => ("gt", false),
        Uge => ("ge", false),
        Ult => ("lt", false),
        Ule => ("le", false),
        Sgt => ("gt", true),
        Sge => ("ge", true),
        Slt => ("lt", true),
        Sle => ("le", true),
    }
}

impl Selector<'_, '_> {
    /// A binary operation on integers of a width.
    pub(super) fn int_binary(
        &mut self,
        op: BinaryOp,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        match (bits, a, b) {
            (0..=1, &[a], &[b]) => Ok(smallvec![self.predicate_binary(op, a, b)?]),
            (2..=64, &[a], &[b]) => {
                let (want_a, want_b) = super::integer::wanted(op);
                let a = self.with_above(a, bits, want_a)?;
                let b = self.with_above(b, bits, want_b)?;
                Ok(smallvec![self.integer_binary(op, bits, a, b)?])
            }
            _ => self.wide_binary(op, bits, a, b),
        }
    }

    /// An integer of up to 64 bits with something above its width.
    pub(super) fn with_above(&mut self, arg: Arg, bits: u32, above: Above) -> Result<Arg, Refused> {
        match above {
            Above::Any => Ok(arg),
            Above::Zeros => self.zero_extended(arg, bits),
            Above::Sign => self.sign_extended(arg, bits),
        }
    }

    /// A comparison of integers of a width.
    pub(super) fn int_compare(
        &mut self,
        predicate: IcmpPredicate,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Reg, Refused> {
        match (bits, a, b) {
            (0..=1, &[a], &[b]) => self.compare_predicates(predicate, a, b),
            (2..=64, &[a], &[b]) => {
                let (_, signed) = comparison(predicate);
                let above = if signed { Above::Sign } else { Above::Zeros };
                let a = self.with_above(a, bits, above)?;
                let b = self.with_above(b, bits, above)?;
                self.compare_registers(predicate, Class::for_bits(bits), a, b)
            }
            _ => self.wide_compare(predicate, bits, a, b),
        }
    }

    /// An integer of another width.
    pub(super) fn int_resize(
        &mut self,
        args: &[Arg],
        from: u32,
        to: u32,
        signed: bool,
    ) -> Result<Args, Refused> {
        if from <= 64 && to <= 64 {
            let arg = args[0];
            return Ok(smallvec![if to <= from {
                self.truncated(arg, from, to)?
            } else {
                self.extended(arg, from, to, signed)?
            }]);
        }
        if to <= 64 {
            return Ok(smallvec![self.truncated(args[0], 64, to)?]);
        }
        let count = to.div_ceil(64) as usize;
        if to <= from {
            return Ok(args[..count].iter().copied().collect());
        }
        let mut limbs: Args = if from <= 64 {
            smallvec![self.extended(args[0], from, 64, signed)?]
        } else {
            self.whole_limbs(args, from, signed)?
        };
        let fill = match (signed, limbs.last()) {
            (true, Some(&Arg::Int(top))) => Arg::Int(top >> 63),
            (true, Some(&top)) => self.op(Class::B64, "shr.s64", &[top, Arg::Int(63)])?.into(),
            _ => Arg::Int(0),
        };
        limbs.resize(count, fill);
        Ok(limbs)
    }

    /// `condition ? yes : no`, part by part.
    pub(super) fn int_choose(
        &mut self,
        condition: Reg,
        bits: u32,
        yes: &[Arg],
        no: &[Arg],
    ) -> Result<Args, Refused> {
        let class = Class::for_bits(bits);
        yes.iter()
            .zip(no)
            .map(|(&yes, &no)| self.chosen(class, condition, yes, no))
            .collect()
    }

    /// A number as an integer of a width, all its bits those of a 64-bit number with its sign.
    pub(super) fn int_constant(&self, bits: u32, value: i64) -> Args {
        match bits {
            0..=1 => smallvec![Arg::Int(value & 1)],
            2..=64 => smallvec![Arg::Int(super::sign_extend(value as u64, bits))],
            _ => {
                let mut limbs: Args = smallvec![Arg::Int(value >> 63); bits.div_ceil(64) as usize];
                limbs[0] = Arg::Int(value);
                limbs
            }
        }
    }

    /// The smallest or largest signed number of a width.
    pub(super) fn int_extreme(&self, bits: u32, largest: bool) -> Args {
        let mut limbs = self.int_constant(bits, if largest { -1 } else { 0 });
        let sign = 1u64 << ((bits - 1) % 64);
        let last = limbs.len() - 1;
        let top = match (bits, largest) {
            (1, true) => 0,
            (1, false) => 1,
            (2..=64, true) => (sign - 1) as i64,
            (2..=64, false) => super::sign_extend(sign, bits),
            (_, true) => (sign - 1) as i64,
            (_, false) => sign as i64,
        };
        limbs[last] = Arg::Int(top);
        limbs
    }

    /// Whether the bits of a width are all ones or all zeros: the sign as a predicate.
    pub(super) fn int_is_negative(&mut self, bits: u32, a: &[Arg]) -> Result<Reg, Refused> {
        let zero = self.int_constant(bits, 0);
        self.int_compare(IcmpPredicate::Slt, bits, a, &zero)
    }
}
