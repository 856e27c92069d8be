//! Division by constants, without dividing.
//!
//! ptxas divides by constants as by anything else, so this is done here. A quotient is the high half of a product
//! with the reciprocal, corrected where the reciprocal has a bit too many; powers of two are shifts.
//! (Granlund and Montgomery, "Division by Invariant Integers using Multiplication".)

use super::Selector;
use crate::code::{Arg, Class};
use crate::unit::Refused;
use warpc_nvvm::inst::BinaryOp;

/// How to divide an unsigned number: `((x >> before) * multiplier >> width) >> after`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unsigned {
    before: u32,
    multiplier: u64,
    /// The multiplier has a bit above the width.
    has_top: bool,
    after: u32,
}

/// The reciprocal of a divisor that is not a power of two, for numbers of `bits` bits in registers of `width`.
fn unsigned_reciprocal(divisor: u64, bits: u32, width: u32) -> Unsigned {
    let make = |divisor: u64, bits: u32| {
        let log = divisor.ilog2();
        // The least multiplier of `width` bits, or one bit more, that is near enough for all numbers.
        for extra in 0..=1u32 {
            let power = width + log + extra;
            // 2^power / divisor, rounded up; 2^power may need more than 128 bits.
            let (quotient, rest) = divide_power(power, divisor);
            let multiplier = quotient + u128::from(rest != 0);
            let error = multiplier_error(rest, divisor);
            if error <= 1u128 << (power - bits) {
                return (multiplier, log + extra);
            }
        }
        (0, 0)
    };
    let (multiplier, after) = make(divisor, bits);
    if multiplier >> width == 0 {
        return Unsigned {
            before: 0,
            multiplier: multiplier as u64,
            has_top: false,
            after,
        };
    }
    // An even divisor leaves room for the bit: half the number, half the divisor.
    let before = divisor.trailing_zeros();
    if before > 0 {
        let (multiplier, after) = make(divisor >> before, bits - before);
        if multiplier >> width == 0 {
            return Unsigned {
                before,
                multiplier: multiplier as u64,
                has_top: false,
                after,
            };
        }
    }
    let low = match width {
        64 => multiplier as u64,
        _ => (multiplier as u64) & ((1 << width) - 1),
    };
    Unsigned {
        before: 0,
        multiplier: low,
        has_top: true,
        after,
    }
}

/// `2^power` divided by a number: quotient and rest, for powers up to 128.
fn divide_power(power: u32, divisor: u64) -> (u128, u64) {
    let divisor = u128::from(divisor);
    match power {
        128 => {
            let (quotient, rest) = (u128::MAX / divisor, u128::MAX % divisor);
            match rest + 1 == divisor {
                true => (quotient + 1, 0),
                false => (quotient, (rest + 1) as u64),
            }
        }
        _ => {
            let whole = 1u128 << power;
            (whole / divisor, (whole % divisor) as u64)
        }
    }
}

/// How far above the true power a divisor times its rounded reciprocal is.
fn multiplier_error(rest: u64, divisor: u64) -> u128 {
    match rest {
        0 => 0,
        rest => u128::from(divisor - rest),
    }
}

/// The multiplier and the shift for a signed divisor of at least 3, in registers of `width` bits.
fn signed_reciprocal(divisor: u64, width: u32) -> (i64, u32) {
    let log = divisor.ilog2();
    let power = width + log;
    let (quotient, _) = divide_power(power, divisor);
    let multiplier = quotient + 1;
    let value = match width {
        64 => multiplier as u64 as i64,
        _ => i64::from(multiplier as u32 as i32),
    };
    (value, log)
}

/// The number that gives 1 when multiplied with an odd one.
fn odd_inverse(odd: u64) -> u64 {
    // Each step doubles the bits that are right; the start has three.
    (0..5).fold(odd, |inverse, _| {
        inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)))
    })
}

impl Selector<'_, '_> {
    /// A quotient or rest by a constant. The operands have above their width what the operation wants.
    pub(super) fn divide_by_constant(
        &mut self,
        op: BinaryOp,
        bits: u32,
        a: Arg,
        divisor: i64,
    ) -> Result<Option<Arg>, Refused> {
        let width = Class::for_bits(bits).bits();
        let quotient = match op {
            BinaryOp::Udiv | BinaryOp::Urem => {
                let divisor = match width {
                    64 => divisor as u64,
                    _ => u64::from(divisor as u32),
                };
                match divisor {
                    0 => return Ok(None),
                    _ if divisor.is_power_of_two() => {
                        let made = match op {
                            BinaryOp::Udiv => {
                                let shift = Arg::Int(divisor.trailing_zeros().into());
                                self.integer_binary(BinaryOp::Lshr, width, a, shift)?
                            }
                            _ => {
                                let mask = super::sign_extend(divisor - 1, width);
                                self.integer_binary(BinaryOp::And, width, a, Arg::Int(mask))?
                            }
                        };
                        return Ok(Some(made));
                    }
                    _ => self.unsigned_quotient(bits, width, a, divisor)?,
                }
            }
            _ if divisor == 0 => return Ok(None),
            _ => self.signed_quotient(width, a, divisor)?,
        };
        if let BinaryOp::Udiv | BinaryOp::Sdiv = op {
            return Ok(Some(quotient));
        }
        let divisor = super::sign_extend(divisor as u64, width);
        if width == 64 {
            // A short factor: its upper half costs nothing.
            let product = self.integer_binary(BinaryOp::Mul, 64, quotient, Arg::Int(divisor))?;
            return Ok(Some(self.integer_binary(BinaryOp::Sub, 64, a, product)?));
        }
        let less = Arg::Int(i64::from((divisor as i32).wrapping_neg()));
        let rest = self.op(Class::B32, "mad.lo.s32", &[quotient, less, a])?;
        Ok(Some(rest.into()))
    }

    fn unsigned_quotient(
        &mut self,
        bits: u32,
        width: u32,
        a: Arg,
        divisor: u64,
    ) -> Result<Arg, Refused> {
        let how = unsigned_reciprocal(divisor, bits, width);
        let shifted = |this: &mut Self, arg, by: u32| match by {
            0 => Ok(arg),
            _ => this.integer_binary(BinaryOp::Lshr, width, arg, Arg::Int(by.into())),
        };
        let multiplier = Arg::Int(super::sign_extend(how.multiplier, width));
        let a = shifted(self, a, how.before)?;
        let class = Class::for_bits(width);
        let high: Arg = self
            .op(class, &format!("mul.hi.u{width}"), &[a, multiplier])?
            .into();
        if !how.has_top {
            return shifted(self, high, how.after);
        }
        // The sum with the number itself may be too long: half of it first.
        let less = self.integer_binary(BinaryOp::Sub, width, a, high)?;
        let half = shifted(self, less, 1)?;
        let sum = self.integer_binary(BinaryOp::Add, width, half, high)?;
        shifted(self, sum, how.after - 1)
    }

    fn signed_quotient(&mut self, width: u32, a: Arg, divisor: i64) -> Result<Arg, Refused> {
        let size = divisor.unsigned_abs();
        let ints = |this: &mut Self, op, a, b| this.integer_binary(op, width, a, b);
        let quotient = if size == 1 {
            a
        } else if size.is_power_of_two() {
            // A negative number is rounded up.
            let log = size.trailing_zeros();
            let sign = ints(self, BinaryOp::Ashr, a, Arg::Int(i64::from(width) - 1))?;
            let most = ints(self, BinaryOp::Lshr, sign, Arg::Int((width - log).into()))?;
            let sum = ints(self, BinaryOp::Add, a, most)?;
            ints(self, BinaryOp::Ashr, sum, Arg::Int(log.into()))?
        } else {
            let (multiplier, shift) = signed_reciprocal(size, width);
            let class = Class::for_bits(width);
            let args = [a, Arg::Int(multiplier)];
            let mut high: Arg = self.op(class, &format!("mul.hi.s{width}"), &args)?.into();
            if multiplier < 0 {
                high = ints(self, BinaryOp::Add, high, a)?;
            }
            let moved = match shift {
                0 => high,
                _ => ints(self, BinaryOp::Ashr, high, Arg::Int(shift.into()))?,
            };
            let sign = ints(self, BinaryOp::Lshr, a, Arg::Int(i64::from(width) - 1))?;
            ints(self, BinaryOp::Add, moved, sign)?
        };
        match divisor < 0 {
            true => ints(self, BinaryOp::Sub, Arg::Int(0), quotient),
            false => Ok(quotient),
        }
    }

    /// A quotient that leaves no rest: a shift, and a product with the inverse of the odd part.
    pub(super) fn exact_quotient(
        &mut self,
        signed: bool,
        bits: u32,
        a: Arg,
        divisor: i64,
    ) -> Result<Arg, Refused> {
        let shift = divisor.trailing_zeros();
        let down = if signed {
            BinaryOp::Ashr
        } else {
            BinaryOp::Lshr
        };
        let moved = match shift {
            0 => a,
            _ => self.integer_binary(down, bits, a, Arg::Int(shift.into()))?,
        };
        let odd = match signed {
            true => (divisor >> shift) as u64,
            false => (divisor as u64) >> shift,
        };
        match odd {
            1 => Ok(moved),
            _ => {
                let inverse = super::sign_extend(odd_inverse(odd), bits);
                self.integer_binary(BinaryOp::Mul, bits, moved, Arg::Int(inverse))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_testkit::Random;

    fn unsigned(x: u64, divisor: u64, bits: u32, width: u32) -> u64 {
        let how = unsigned_reciprocal(divisor, bits, width);
        let mask = if width == 64 {
            u64::MAX
        } else {
            (1 << width) - 1
        };
        let x = x >> how.before;
        let high = ((u128::from(x) * u128::from(how.multiplier)) >> width) as u64;
        if !how.has_top {
            return high >> how.after;
        }
        let half = (x.wrapping_sub(high) & mask) >> 1;
        (half.wrapping_add(high) & mask) >> (how.after - 1)
    }

    fn signed(x: i64, divisor: u64, width: u32) -> i64 {
        let (multiplier, shift) = signed_reciprocal(divisor, width);
        let mut high = ((i128::from(x) * i128::from(multiplier)) >> width) as i64;
        if multiplier < 0 {
            high = high.wrapping_add(x);
        }
        (high >> shift) + i64::from(x < 0)
    }

    fn numbers(bits: u32) -> Vec<u64> {
        let mask = u64::MAX >> (64 - bits);
        let mut found: Vec<u64> = (0..70).chain((0..70).map(|n| mask - n)).collect();
        let mut random = Random::new(1);
        for _ in 0..60 {
            found.push(random.bits() & mask);
            found.push((random.bits() >> 40) & mask);
        }
        found.extend((0..bits).map(|bit| 1 << bit));
        found.extend((0..bits).map(|bit| (1 << bit) - 1));
        found.retain(|&n| n <= mask);
        found
    }

    #[test]
    fn every_byte_by_every_byte() {
        for divisor in (3..=255u64).filter(|d| !d.is_power_of_two()) {
            for x in 0..=255 {
                assert_eq!(unsigned(x, divisor, 8, 32), x / divisor, "{x} / {divisor}");
            }
        }
    }

    #[test]
    fn unsigned_quotients_are_right() {
        for (bits, width) in [(32, 32), (64, 64), (16, 32), (31, 32), (33, 64), (63, 64)] {
            for divisor in numbers(bits) {
                if divisor < 3 || divisor.is_power_of_two() {
                    continue;
                }
                for x in numbers(bits) {
                    // Where the quotient changes.
                    let edge = x - x % divisor;
                    for x in [x, edge, edge.saturating_sub(1)] {
                        let found = unsigned(x, divisor, bits, width);
                        assert_eq!(found, x / divisor, "{x} / {divisor} in {bits} bits");
                    }
                }
            }
        }
    }

    #[test]
    fn signed_quotients_are_right() {
        for width in [32, 64] {
            for divisor in numbers(width - 1) {
                if divisor < 3 || divisor.is_power_of_two() {
                    continue;
                }
                for x in numbers(width) {
                    let x = crate::select::sign_extend(x, width);
                    let edge = x - x % divisor as i64;
                    for x in [x, edge, edge.saturating_sub(1), edge.saturating_add(1)] {
                        let x = crate::select::sign_extend(x as u64, width);
                        let found = signed(x, divisor, width);
                        assert_eq!(found, x / divisor as i64, "{x} / {divisor} in {width} bits");
                    }
                }
            }
        }
    }

    #[test]
    fn inverses_give_one() {
        for odd in (1..2000u64).step_by(2).chain([u64::MAX, u64::MAX - 2]) {
            assert_eq!(odd.wrapping_mul(odd_inverse(odd)), 1);
        }
    }
}
