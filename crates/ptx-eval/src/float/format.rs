//! Floating-point formats: where their fields lie and what their largest exponent means.
//!
//! ```text
//!   bits ── unpack ──► Number (not a number, infinite, or an exact value) ── pack ──► bits
//! ```
//!
//! One description covers everything from f64 down to four bits; [`super::exact`] computes with
//! the numbers, [`super::round`] packs them again.

use super::exact::Exact;

/// What the codes with the largest exponent mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Top {
    /// Infinities and NaNs, as IEEE 754 says.
    Ieee,
    /// Numbers, but for the code with all bits set, which is NaN. There is no infinity.
    OneNan,
    /// Numbers all: neither infinity nor NaN.
    Finite,
}

/// A binary floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// Bits of the fraction, the leading one not counted.
    pub fraction_bits: u32,
    /// What is added to an exponent before it is stored.
    pub bias: i32,
    /// Whether there is a sign.
    pub signed: bool,
    /// What the largest exponent means.
    pub top: Top,
    /// The code that stands for "not a number" when an operation makes one. Formats without NaN
    /// have their largest number here, as conversions to them give it for NaN.
    pub nan: u64,
}

/// Half precision.
pub const F16: Format = ieee(5, 10, 0x7fff);
/// The upper half of a single.
pub const BF16: Format = ieee(8, 7, 0x7fff);
/// The upper 19 bits of a single; registers hold them with 13 zeros below.
pub const TF32: Format = ieee(8, 10, 0x3_ffff);
/// Single precision.
pub const F32: Format = ieee(8, 23, 0x7fff_ffff);
/// Double precision.
pub const F64: Format = ieee(11, 52, 0xfff8_0000_0000_0000);
/// Eight bits with the wider exponent.
pub const E5M2: Format = ieee(5, 2, 0x7f);
/// Eight bits with the wider fraction.
pub const E4M3: Format = narrow(4, 3, true, Top::OneNan, 0x7f);
/// Six bits.
pub const E3M2: Format = narrow(3, 2, true, Top::Finite, 0x1f);
/// Six bits with the wider fraction.
pub const E2M3: Format = narrow(2, 3, true, Top::Finite, 0x1f);
/// Four bits.
pub const E2M1: Format = narrow(2, 1, true, Top::Finite, 0x7);
/// Eight bits without a sign.
pub const UE5M3: Format = narrow(5, 3, false, Top::OneNan, 0xff);

const fn ieee(exponent_bits: u32, fraction_bits: u32, nan: u64) -> Format {
    Format {
        exponent_bits,
        fraction_bits,
        bias: (1 << (exponent_bits - 1)) - 1,
        signed: true,
        top: Top::Ieee,
        nan,
    }
}

const fn narrow(
    exponent_bits: u32,
    fraction_bits: u32,
    signed: bool,
    top: Top,
    nan: u64,
) -> Format {
    Format {
        exponent_bits,
        fraction_bits,
        bias: (1 << (exponent_bits - 1)) - 1,
        signed,
        top,
        nan,
    }
}

/// A value without its format.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Not a number.
    Nan,
    /// Infinite.
    Infinite {
        /// Below zero.
        negative: bool,
    },
    /// Anything else.
    Finite(Exact),
}

impl Number {
    /// Infinity with a sign.
    pub const fn infinite(negative: bool) -> Number {
        Number::Infinite { negative }
    }

    /// Whether its sign is minus; not a number has none.
    pub fn is_negative(self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } => negative,
            Number::Finite(x) => x.negative,
        }
    }

    /// The number times a power of two.
    pub fn scaled(self, power: i32) -> Number {
        match self {
            Number::Finite(x) => Number::Finite(Exact {
                exponent: x.exponent + power,
                ..x
            }),
            other => other,
        }
    }
}

impl Format {
    /// Bits of the magnitude: exponent and fraction.
    pub const fn magnitude_bits(&self) -> u32 {
        self.exponent_bits + self.fraction_bits
    }

    /// Bits in all.
    pub const fn bits(&self) -> u32 {
        self.magnitude_bits() + self.signed as u32
    }

    /// A mask of exponent and fraction.
    pub const fn magnitude_mask(&self) -> u64 {
        (1 << self.magnitude_bits()) - 1
    }

    /// The sign bit; zero for formats that have none.
    pub const fn sign_bit(&self) -> u64 {
        (self.signed as u64) << self.magnitude_bits()
    }

    /// The code of infinity, which only [`Top::Ieee`] has.
    pub const fn infinity(&self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// The bit that tells a quiet NaN from a signalling one.
    pub const fn quiet_bit(&self) -> u64 {
        1 << (self.fraction_bits - 1)
    }

    /// The code of the largest number.
    pub const fn max_finite(&self) -> u64 {
        match self.top {
            Top::Ieee => self.infinity() - 1,
            Top::OneNan => self.magnitude_mask() - 1,
            Top::Finite => self.magnitude_mask(),
        }
    }

    /// The code of the smallest normal number.
    pub const fn min_normal(&self) -> u64 {
        1 << self.fraction_bits
    }

    /// The exponent of the smallest normal number.
    pub const fn min_exponent(&self) -> i32 {
        1 - self.bias
    }

    /// Whether the code is a NaN.
    pub const fn is_nan(&self, bits: u64) -> bool {
        let magnitude = bits & self.magnitude_mask();
        match self.top {
            Top::Ieee => magnitude > self.infinity(),
            Top::OneNan => magnitude == self.magnitude_mask(),
            Top::Finite => false,
        }
    }

    /// Whether the code is below the normal numbers and not zero.
    pub const fn is_subnormal(&self, bits: u64) -> bool {
        let magnitude = bits & self.magnitude_mask();
        magnitude != 0 && magnitude < self.min_normal()
    }

    /// The code with its magnitude made zero if it is subnormal: what `.ftz` does.
    pub const fn flushed(&self, bits: u64) -> u64 {
        if self.is_subnormal(bits) {
            bits & self.sign_bit()
        } else {
            bits
        }
    }

    /// The value of a code. Bits above the format's width are ignored.
    pub fn unpack(&self, bits: u64) -> Number {
        let negative = bits & self.sign_bit() != 0;
        let magnitude = bits & self.magnitude_mask();
        if self.is_nan(bits) {
            return Number::Nan;
        }
        if self.top == Top::Ieee && magnitude == self.infinity() {
            return Number::infinite(negative);
        }
        let field = (magnitude >> self.fraction_bits) as i32;
        let fraction = magnitude & ((1 << self.fraction_bits) - 1);
        let lead = u64::from(field != 0) << self.fraction_bits;
        Number::Finite(Exact {
            negative,
            exponent: field.max(1) - self.bias - self.fraction_bits as i32,
            significand: u128::from(fraction | lead),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_numbers_are_those_of_the_formats() {
        let value = |format: &Format| match format.unpack(format.max_finite()) {
            Number::Finite(x) => x.significand as f64 * f64::from(x.exponent).exp2(),
            other => panic!("{other:?}"),
        };
        assert_eq!(value(&F16), 65504.0);
        assert_eq!(value(&BF16), f64::from(f32::from_bits(0x7f7f_0000)));
        assert_eq!(value(&F32), f64::from(f32::MAX));
        assert_eq!(value(&E5M2), 57344.0);
        assert_eq!(value(&E4M3), 448.0);
        assert_eq!(value(&E3M2), 28.0);
        assert_eq!(value(&E2M3), 7.5);
        assert_eq!(value(&E2M1), 6.0);
        assert_eq!(value(&UE5M3), 114_688.0);
    }

    #[test]
    fn flushing_keeps_the_sign() {
        assert_eq!(F32.flushed(0x807f_ffff), 0x8000_0000);
        assert_eq!(F32.flushed(0x0080_0000), 0x0080_0000);
        assert_eq!(F16.flushed(0x8001), 0x8000);
        assert_eq!(F32.flushed(0x7f80_0001), 0x7f80_0001);
    }
}
