//! Arithmetic that says when it is wrong, or gives the nearest number; fixed-point numbers.

use super::{Extreme, Overflowing, Sign};
use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate};

impl Selector<'_, '_> {
    /// The result of an operation, and whether it is not the true one.
    pub(super) fn with_overflow(
        &mut self,
        op: BinaryOp,
        sign: Sign,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<(Args, Arg), Refused> {
        if op == BinaryOp::Mul {
            return self.product_with_overflow(sign, bits, a, b);
        }
        if sign == Sign::Unsigned && bits > 64 && bits.is_multiple_of(64) {
            let name = if op == BinaryOp::Add { "add" } else { "sub" };
            let (made, carry) = self.carried_out(name, a, b)?;
            return Ok((made, carry.into()));
        }
        let made = self.int_binary(op, bits, a, b)?;
        let wrong = match (op, sign) {
            (BinaryOp::Add, Sign::Unsigned) => {
                self.int_compare(IcmpPredicate::Ult, bits, &made, a)?
            }
            (_, Sign::Unsigned) => self.int_compare(IcmpPredicate::Ult, bits, a, b)?,
            (_, Sign::Signed) => {
                // The sign of a sum is wrong if both operands have the other one; of a difference, if the
                // operands differ and the result differs from the first.
                let other = if op == BinaryOp::Add { &made[..] } else { a };
                let first = self.int_binary(BinaryOp::Xor, bits, &made, a)?;
                let second = self.int_binary(BinaryOp::Xor, bits, other, b)?;
                let both = self.int_binary(BinaryOp::And, bits, &first, &second)?;
                self.int_is_negative(bits, &both)?
            }
        };
        Ok((made, wrong.into()))
    }

    fn product_with_overflow(
        &mut self,
        sign: Sign,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<(Args, Arg), Refused> {
        let signed = sign == Sign::Signed;
        if let (64, &[a], &[b]) = (bits, a, b) {
            let letter = if signed { 's' } else { 'u' };
            let low = self.op(Class::B64, "mul.lo.s64", &[a, b])?;
            let high = self.op(Class::B64, &format!("mul.hi.{letter}64"), &[a, b])?;
            let right = match signed {
                true => self
                    .op(Class::B64, "shr.s64", &[low.into(), Arg::Int(63)])?
                    .into(),
                false => Arg::Int(0),
            };
            let wrong =
                self.compare_registers(IcmpPredicate::Ne, Class::B64, high.into(), right)?;
            return Ok((smallvec![low.into()], wrong.into()));
        }
        let whole = self.whole_product(signed, bits, a, b)?;
        let made = self.int_resize(&whole, 2 * bits, bits, signed)?;
        let again = self.int_resize(&made, bits, 2 * bits, signed)?;
        let wrong = self.int_compare(IcmpPredicate::Ne, 2 * bits, &whole, &again)?;
        Ok((made, wrong.into()))
    }

    /// A product in twice the width.
    fn whole_product(
        &mut self,
        signed: bool,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        if let (17..=32, &[a], &[b]) = (bits, a, b) {
            let (a, b, mnemonic) = match signed {
                true => (
                    self.sign_extended(a, bits)?,
                    self.sign_extended(b, bits)?,
                    "mul.wide.s32",
                ),
                false => (
                    self.zero_extended(a, bits)?,
                    self.zero_extended(b, bits)?,
                    "mul.wide.u32",
                ),
            };
            return Ok(smallvec![self.op(Class::B64, mnemonic, &[a, b])?.into()]);
        }
        let a = self.int_resize(a, bits, 2 * bits, signed)?;
        let b = self.int_resize(b, bits, 2 * bits, signed)?;
        self.int_binary(BinaryOp::Mul, 2 * bits, &a, &b)
    }

    /// The number of the width that is nearest to the true result.
    pub(super) fn saturating(
        &mut self,
        op: BinaryOp,
        sign: Sign,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        match (op, sign) {
            (BinaryOp::Shl, _) => self.saturating_shift(sign, bits, a, b),
            (BinaryOp::Add, Sign::Unsigned) => {
                // What fits beside `b`, and `b`.
                let ones = self.int_constant(bits, -1);
                let room = self.int_binary(BinaryOp::Xor, bits, b, &ones)?;
                let least = self.int_extreme_of(Extreme::Umin, bits, a, &room)?;
                self.int_binary(BinaryOp::Add, bits, &least, b)
            }
            (_, Sign::Unsigned) => {
                let most = self.int_extreme_of(Extreme::Umax, bits, a, b)?;
                self.int_binary(BinaryOp::Sub, bits, &most, b)
            }
            (_, Sign::Signed) if bits == 32 => {
                let name = if op == BinaryOp::Add { "add" } else { "sub" };
                let mnemonic = format!("{name}.sat.s32");
                Ok(smallvec![
                    self.op(Class::B32, &mnemonic, &[a[0], b[0]])?.into()
                ])
            }
            (_, Sign::Signed) if (2..32).contains(&bits) => {
                let (a, b) = (
                    self.sign_extended(a[0], bits)?,
                    self.sign_extended(b[0], bits)?,
                );
                let made = self.integer_binary(op, 32, a, b)?;
                self.clamped(true, 32, &[made], bits)
            }
            (_, Sign::Signed) => {
                let (made, wrong) = self.with_overflow(op, sign, bits, a, b)?;
                let nearest = self.nearest(bits, a)?;
                let wrong = self.in_register(wrong, Class::Pred)?;
                self.int_choose(wrong, bits, &nearest, &made)
            }
        }
    }

    /// The largest number for one that is not negative, else the smallest.
    fn nearest(&mut self, bits: u32, a: &[Arg]) -> Result<Args, Refused> {
        let negative = self.int_is_negative(bits, a)?;
        let (most, least) = (self.int_extreme(bits, true), self.int_extreme(bits, false));
        self.int_choose(negative, bits, &least, &most)
    }

    fn saturating_shift(
        &mut self,
        sign: Sign,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        let made = self.int_binary(BinaryOp::Shl, bits, a, b)?;
        let (back, nearest) = match sign {
            Sign::Signed => (BinaryOp::Ashr, self.nearest(bits, a)?),
            Sign::Unsigned => (BinaryOp::Lshr, self.int_constant(bits, -1)),
        };
        let again = self.int_binary(back, bits, &made, b)?;
        let lost = self.int_compare(IcmpPredicate::Ne, bits, &again, a)?;
        self.int_choose(lost, bits, &nearest, &made)
    }

    /// A number of a width as the nearest one of a smaller width, still in the first.
    fn clamped(&mut self, signed: bool, width: u32, a: &[Arg], bits: u32) -> Result<Args, Refused> {
        let bound = |this: &mut Self, largest| {
            let extreme = this.int_extreme(bits, largest);
            this.int_resize(&extreme, bits, width, true)
        };
        if signed {
            let (most, least) = (bound(self, true)?, bound(self, false)?);
            let below = self.int_extreme_of(Extreme::Smin, width, a, &most)?;
            return self.int_extreme_of(Extreme::Smax, width, &below, &least);
        }
        let ones = self.int_constant(bits, -1);
        let most = self.int_resize(&ones, bits, width, false)?;
        self.int_extreme_of(Extreme::Umin, width, a, &most)
    }

    /// A product or quotient of numbers with `scale` bits after the point. What is after the last bit is cut.
    #[expect(
        clippy::too_many_arguments,
        reason = "what the intrinsic is called with"
    )]
    pub(super) fn fixed_point(
        &mut self,
        op: BinaryOp,
        sign: Sign,
        overflowing: Overflowing,
        scale: u32,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        let signed = sign == Sign::Signed;
        let (width, made) = if op == BinaryOp::Mul {
            let width = 2 * bits;
            let whole = self.whole_product(signed, bits, a, b)?;
            let shift = self.int_constant(width, scale.into());
            let down = if signed {
                BinaryOp::Ashr
            } else {
                BinaryOp::Lshr
            };
            (width, self.int_binary(down, width, &whole, &shift)?)
        } else {
            // One bit more: the smallest number divided by -1 has no other place.
            let width = bits + scale + 1;
            let a = self.int_resize(a, bits, width, signed)?;
            let b = self.int_resize(b, bits, width, signed)?;
            let shift = self.int_constant(width, scale.into());
            let up = self.int_binary(BinaryOp::Shl, width, &a, &shift)?;
            (width, self.int_binary(op, width, &up, &b)?)
        };
        let made = match overflowing {
            Overflowing::Wraps => made,
            Overflowing::Saturates => self.clamped(signed, width, &made, bits)?,
        };
        self.int_resize(&made, width, bits, signed)
    }
}
