//! Arithmetic without rounding.
//!
//! A value is `significand * 2^exponent`. Where an exact result would not fit, the lowest bit of
//! the significand stands for all that was lost ("sticky"): there are always so many bits above it
//! that the one rounding that follows sees only whether something was lost, never how much.

/// A finite value; zero has a significand of zero, and a sign.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exact {
    /// Below zero, or minus zero.
    pub negative: bool,
    /// The power of two of the significand's lowest bit.
    pub exponent: i32,
    /// The digits.
    pub significand: u128,
}

/// Where [`Exact::add`] puts the highest bit: room for one carry above, and so many bits below that
/// nothing of two products of doubles is lost unless they lie far apart.
const SUM_TOP: u32 = 125;

impl Exact {
    /// Zero with a sign.
    pub const fn zero(negative: bool) -> Exact {
        Exact {
            negative,
            exponent: 0,
            significand: 0,
        }
    }

    /// An integer.
    pub fn integer(value: i128) -> Exact {
        Exact {
            negative: value < 0,
            exponent: 0,
            significand: value.unsigned_abs(),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self.significand == 0
    }

    /// The exponent of the highest bit; the value must not be zero.
    pub fn magnitude(self) -> i32 {
        self.exponent + self.significand.ilog2() as i32
    }

    /// The same value with the highest bit of the significand at `top`, which it must not exceed.
    fn aligned(self, top: u32) -> Exact {
        let shift = top - self.significand.ilog2();
        Exact {
            exponent: self.exponent - shift as i32,
            significand: self.significand << shift,
            ..self
        }
    }

    /// The product. Each significand must have at most 64 bits.
    pub fn multiply(self, other: Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            exponent: self.exponent + other.exponent,
            significand: self.significand * other.significand,
        }
    }

    /// The sum. Opposite values add up to plus zero, or to minus zero when `zero_negative`: that
    /// depends on the rounding.
    pub fn add(self, other: Exact, zero_negative: bool) -> Exact {
        if self.is_zero() && other.is_zero() {
            let same = self.negative == other.negative;
            return Exact::zero(if same { self.negative } else { zero_negative });
        }
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        let (a, b) = (self.aligned(SUM_TOP), other.aligned(SUM_TOP));
        let (large, small) = if a.exponent >= b.exponent {
            (a, b)
        } else {
            (b, a)
        };
        let distance = (large.exponent - small.exponent) as u32;
        let small_part = shift_right_sticky(small.significand, distance);
        let exponent = large.exponent;
        if large.negative == small.negative {
            return Exact {
                negative: large.negative,
                exponent,
                significand: large.significand + small_part,
            };
        }
        let difference = large.significand as i128 - small_part as i128;
        Exact {
            negative: match difference {
                0 => zero_negative,
                d => large.negative != (d < 0),
            },
            exponent: if difference == 0 { 0 } else { exponent },
            significand: difference.unsigned_abs(),
        }
    }

    /// The quotient; `other` must not be zero, and each significand must have at most 60 bits.
    pub fn divide(self, other: Exact) -> Exact {
        let negative = self.negative != other.negative;
        if self.is_zero() {
            return Exact::zero(negative);
        }
        let (a, b) = (self.aligned(126), other.aligned(60));
        let quotient = a.significand / b.significand;
        let rest = a.significand % b.significand;
        Exact {
            negative,
            exponent: a.exponent - b.exponent,
            significand: quotient | u128::from(rest != 0),
        }
    }

    /// The square root of a value that is not negative, with at most 120 bits; the root of a zero is
    /// that zero.
    pub fn square_root(self) -> Exact {
        if self.is_zero() {
            return self;
        }
        let mut x = self.aligned(126);
        if x.exponent % 2 != 0 {
            x.significand >>= 1;
            x.exponent += 1;
        }
        let root = x.significand.isqrt();
        Exact {
            negative: false,
            exponent: x.exponent / 2,
            significand: root | u128::from(root * root != x.significand),
        }
    }
}

/// Shifts to the right; the lowest bit of the result is set if a set bit was lost.
pub fn shift_right_sticky(bits: u128, distance: u32) -> u128 {
    match distance {
        0 => bits,
        1..=127 => (bits >> distance) | u128::from(bits << (128 - distance) != 0),
        _ => u128::from(bits != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_remembers_what_was_lost() {
        assert_eq!(shift_right_sticky(0b1000, 3), 1);
        assert_eq!(shift_right_sticky(0b10_1000, 4), 0b11);
        assert_eq!(shift_right_sticky(0b1, 127), 1);
        assert_eq!(shift_right_sticky(1 << 127, 127), 1);
        assert_eq!(shift_right_sticky(1, 4000), 1);
        assert_eq!(shift_right_sticky(0, 4000), 0);
    }

    #[test]
    fn opposite_values_add_up_to_the_zero_that_is_asked_for() {
        let (one, minus_one) = (Exact::integer(1), Exact::integer(-1));
        assert_eq!(one.add(minus_one, false), Exact::zero(false));
        assert_eq!(one.add(minus_one, true), Exact::zero(true));
        assert_eq!(
            Exact::zero(true).add(Exact::zero(true), false),
            Exact::zero(true)
        );
    }
}
