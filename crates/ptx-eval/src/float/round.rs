//! Rounding: from an exact value to the code of a format.
//!
//! The code is built by addition: a magnitude is `(exponent - 1) << fraction_bits` plus the
//! significand with its leading one, so that a carry out of the significand raises the exponent, and
//! a subnormal that is rounded up becomes the smallest normal number by itself.

use super::exact::{Exact, shift_right_sticky};
use super::format::{Format, Number, Top};

/// Which neighbour an inexact value becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// The nearest, of two the even one.
    Nearest,
    /// The nearest, of two the one farther from zero.
    NearestAway,
    /// The one nearer to zero.
    Zero,
    /// The lower one.
    Down,
    /// The upper one.
    Up,
    /// The farther one if what is cut off, as a fraction of `2^count` parts, and `bits` together
    /// make a whole.
    Random {
        /// A random number of `count` bits.
        bits: u32,
        /// How many.
        count: u32,
    },
}

impl Rounding {
    /// The rounding a modifier names: `.rn`, `.rni`, `.rna`, …
    pub fn of_token(token: &str) -> Option<Rounding> {
        Some(match token {
            ".rn" | ".rni" => Rounding::Nearest,
            ".rz" | ".rzi" => Rounding::Zero,
            ".rm" | ".rmi" => Rounding::Down,
            ".rp" | ".rpi" => Rounding::Up,
            ".rna" => Rounding::NearestAway,
            _ => return None,
        })
    }

    /// Whether the magnitude `kept` grows by one. `rest` is what was cut off, with the weight of
    /// `kept`'s last bit as `1 << 64`.
    fn grows(self, negative: bool, kept: u64, rest: u64) -> bool {
        const HALF: u64 = 1 << 63;
        match self {
            Rounding::Nearest => rest > HALF || (rest == HALF && kept & 1 == 1),
            Rounding::NearestAway => rest >= HALF,
            Rounding::Zero => false,
            Rounding::Down => negative && rest != 0,
            Rounding::Up => !negative && rest != 0,
            Rounding::Random { bits, count } => {
                (rest >> (64 - count)) + u64::from(bits) >= 1 << count
            }
        }
    }

    /// Whether a value beyond the largest number becomes infinite rather than the largest.
    fn overflows(self, negative: bool) -> bool {
        match self {
            Rounding::Zero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
            _ => true,
        }
    }

    /// The sign of a sum of opposite values.
    pub fn zero_is_negative(self) -> bool {
        self == Rounding::Down
    }
}

/// Splits a significand at a bit: what stays, and what is cut off with the weight of the last bit
/// that stays as `1 << 64` (its lowest bit sticky). `shift` may be negative: then nothing is cut.
fn split(significand: u64, shift: i32) -> (u64, u64) {
    match shift {
        ..=0 => (significand << -shift, 0),
        1..=63 => (significand >> shift, significand << (64 - shift)),
        64 => (0, significand),
        _ => {
            let rest = shift_right_sticky(u128::from(significand), (shift - 64) as u32);
            (0, rest as u64)
        }
    }
}

impl Exact {
    /// The code of the value in a format that has infinities (or, with [`Format::nan`], something
    /// for overflow).
    pub fn pack(self, format: &Format, rounding: Rounding) -> u64 {
        let sign = if self.negative { format.sign_bit() } else { 0 };
        if self.is_zero() {
            return sign;
        }
        // 64 bits with the lowest sticky are more than any format keeps.
        let excess = self.significand.ilog2().saturating_sub(63);
        let significand = shift_right_sticky(self.significand, excess) as u64;
        let exponent = self.exponent + excess as i32;

        let magnitude = exponent + significand.ilog2() as i32;
        let stored = magnitude.max(format.min_exponent());
        let last = stored - format.fraction_bits as i32;
        let (kept, rest) = split(significand, last - exponent);
        if stored > format.bias + 1 {
            return sign | overflow(format, rounding, self.negative);
        }
        let grown = kept + u64::from(rounding.grows(self.negative, kept, rest));
        let code = (((stored + format.bias - 1) as u64) << format.fraction_bits) + grown;
        if code > format.max_finite() {
            return sign | overflow(format, rounding, self.negative);
        }
        sign | code
    }

    /// The code of the value in a format whose subnormal results are flushed to zero. A value is
    /// rounded as if exponents had no lower end, and flushed if it is below the normal numbers then:
    /// one that becomes the smallest normal number by this rounding stays.
    pub fn pack_flushing(self, format: &Format, rounding: Rounding) -> u64 {
        if self.is_zero() || self.magnitude() >= format.min_exponent() {
            return self.pack(format, rounding);
        }
        let sign = if self.negative { format.sign_bit() } else { 0 };
        // One step below the normal numbers, the same digits have the same neighbours one octave up.
        let up = Exact {
            exponent: self.exponent + 1,
            ..self
        };
        let code = match self.magnitude() == format.min_exponent() - 1 {
            true => up.pack(format, rounding) & format.magnitude_mask(),
            false => 0,
        };
        if code == 2 << format.fraction_bits {
            sign | format.min_normal()
        } else {
            sign
        }
    }

    /// The value as an integer; what is cut off is rounded away.
    pub fn to_integer(self, rounding: Rounding) -> i128 {
        if self.is_zero() {
            return 0;
        }
        // Beyond every integer type: any large value will do.
        if self.magnitude() > 100 {
            return if self.negative { i128::MIN } else { i128::MAX };
        }
        let whole = if self.exponent >= 0 {
            self.significand << self.exponent
        } else {
            let excess = self.significand.ilog2().saturating_sub(63);
            let significand = shift_right_sticky(self.significand, excess) as u64;
            let (kept, rest) = split(significand, -(self.exponent + excess as i32));
            u128::from(kept + u64::from(rounding.grows(self.negative, kept, rest)))
        };
        if self.negative {
            -(whole as i128)
        } else {
            whole as i128
        }
    }
}

fn overflow(format: &Format, rounding: Rounding, negative: bool) -> u64 {
    match format.top {
        _ if !rounding.overflows(negative) => format.max_finite(),
        Top::Ieee => format.infinity(),
        Top::OneNan => format.nan,
        Top::Finite => format.max_finite(),
    }
}

impl Number {
    /// The code of the number in a format whose subnormal results are flushed to zero.
    pub fn pack_flushing(self, format: &Format, rounding: Rounding) -> u64 {
        match self {
            Number::Finite(x) => x.pack_flushing(format, rounding),
            other => other.pack(format, rounding),
        }
    }

    /// The code of the number in a format.
    pub fn pack(self, format: &Format, rounding: Rounding) -> u64 {
        match self {
            Number::Nan => format.nan,
            Number::Infinite { negative } => {
                let sign = if negative { format.sign_bit() } else { 0 };
                sign | match format.top {
                    Top::Ieee => format.infinity(),
                    Top::OneNan => format.nan,
                    Top::Finite => format.max_finite(),
                }
            }
            Number::Finite(x) => x.pack(format, rounding),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::{E2M1, E4M3, F16, F32, F64};
    use super::*;
    use proptest::prelude::*;

    const DIRECTED: [Rounding; 3] = [Rounding::Zero, Rounding::Down, Rounding::Up];

    /// A double's value, found by rounding to single precision in the given direction from what the
    /// host finds for the nearest.
    fn directed_single(x: f64, rounding: Rounding) -> f32 {
        let near = x as f32;
        let wide = f64::from(near);
        match rounding {
            Rounding::Down if wide > x => near.next_down(),
            Rounding::Up if wide < x => near.next_up(),
            Rounding::Zero if wide.abs() > x.abs() => f32::from_bits(near.to_bits() - 1),
            _ => near,
        }
    }

    proptest! {
        #[test]
        fn packing_undoes_unpacking(bits: u64) {
            for format in [&F16, &F32, &F64, &E4M3, &E2M1] {
                let bits = bits & (format.magnitude_mask() | format.sign_bit());
                if !format.is_nan(bits) {
                    prop_assert_eq!(format.unpack(bits).pack(format, Rounding::Nearest), bits);
                }
            }
        }

        #[test]
        fn a_double_is_rounded_as_the_host_does(bits: u64) {
            let x = f64::from_bits(bits);
            prop_assume!(!x.is_nan());
            let number = F64.unpack(bits);
            prop_assert_eq!(
                number.pack(&F32, Rounding::Nearest),
                u64::from((x as f32).to_bits())
            );
            for rounding in DIRECTED {
                let want = directed_single(x, rounding);
                prop_assert_eq!(number.pack(&F32, rounding), u64::from(want.to_bits()));
            }
        }

        /// The same with exponents near single precision's subnormals and largest numbers.
        #[test]
        fn a_double_near_the_limits_is_rounded_as_the_host_does(
            bits: u64, low in 0x360u64..0x390, high in 0x47du64..0x481
        ) {
            for exponent in [low, high] {
                let bits = (bits & 0x800f_ffff_ffff_ffff) | exponent << 52;
                let x = f64::from_bits(bits);
                let number = F64.unpack(bits);
                prop_assert_eq!(
                    number.pack(&F32, Rounding::Nearest),
                    u64::from((x as f32).to_bits())
                );
                for rounding in DIRECTED {
                    let want = directed_single(x, rounding);
                    prop_assert_eq!(number.pack(&F32, rounding), u64::from(want.to_bits()));
                }
            }
        }

        #[test]
        fn integers_are_what_the_host_finds(x in -1e19f64..1e19) {
            let Number::Finite(exact) = F64.unpack(x.to_bits()) else { unreachable!() };
            prop_assert_eq!(exact.to_integer(Rounding::Nearest), x.round_ties_even() as i128);
            prop_assert_eq!(exact.to_integer(Rounding::NearestAway), x.round() as i128);
            prop_assert_eq!(exact.to_integer(Rounding::Zero), x.trunc() as i128);
            prop_assert_eq!(exact.to_integer(Rounding::Down), x.floor() as i128);
            prop_assert_eq!(exact.to_integer(Rounding::Up), x.ceil() as i128);
        }
    }

    #[test]
    fn halves_of_the_last_place_go_where_they_should() {
        // 1 + 1/2048 lies between two halves; 1 + 3/2048, too.
        for (parts, nearest, away) in [(2049, 0x3c00, 0x3c01), (2051, 0x3c02, 0x3c02)] {
            let x = Exact {
                negative: false,
                exponent: -11,
                significand: parts,
            };
            assert_eq!(x.pack(&F16, Rounding::Nearest), nearest);
            assert_eq!(x.pack(&F16, Rounding::NearestAway), away);
        }
    }

    #[test]
    fn random_rounding_grows_as_often_as_it_should() {
        // Three quarters of the way up.
        let x = Exact {
            negative: false,
            exponent: -12,
            significand: (1 << 12) + 3,
        };
        let grown = (0..256)
            .filter(|&bits| x.pack(&F16, Rounding::Random { bits, count: 8 }) == 0x3c01)
            .count();
        assert_eq!(grown, 192);
    }

    #[test]
    fn what_is_rounded_to_a_normal_number_is_not_flushed() {
        let below = |parts: u128, digits: i32| Exact {
            negative: true,
            exponent: -126 - digits,
            significand: (1 << digits) - parts,
        };
        let nearest = |x: Exact| x.pack_flushing(&F32, Rounding::Nearest);
        // 24 digits: representable but for its exponent.
        assert_eq!(nearest(below(1, 24)), 0x8000_0000);
        // Half way to the normal number, and beyond.
        assert_eq!(nearest(below(1, 25)), 0x8080_0000);
        assert_eq!(nearest(below(3, 26)), 0x8000_0000);
        assert_eq!(nearest(below(1, 40)), 0x8080_0000);
        assert_eq!(
            below(1, 40).pack_flushing(&F32, Rounding::Zero),
            0x8000_0000
        );
        assert_eq!(
            below(1, 40).pack_flushing(&F32, Rounding::Down),
            0x8080_0000
        );
        assert_eq!(below(3, 2).pack_flushing(&F32, Rounding::Down), 0x8000_0000);
    }

    #[test]
    fn overflow_depends_on_the_rounding() {
        let x = Exact::integer(-100_000);
        assert_eq!(x.pack(&F16, Rounding::Nearest), 0xfc00);
        assert_eq!(x.pack(&F16, Rounding::Zero), 0xfbff);
        assert_eq!(x.pack(&F16, Rounding::Up), 0xfbff);
        assert_eq!(x.pack(&F16, Rounding::Down), 0xfc00);
        assert_eq!(x.pack(&E2M1, Rounding::Nearest), 0xf);
    }
}
