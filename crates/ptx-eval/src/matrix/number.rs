//! The numbers matrix products read and write, taken apart and put together.

use warpc_ptx::types::ScalarType;

/// An element of a multiplicand, or a sum.
///
/// The exponent is the one the bits say: a subnormal has the exponent of the smallest normal number.
/// That matters, because tensor cores align by it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Number {
    /// Exactly; infinities and NaNs are what they are.
    pub value: f64,
    /// The power of two; [`ZERO`] and [`SPECIAL`] are not exponents.
    pub exponent: i16,
}

/// The exponent of zero: below every other, even if one of them is added, so that zeros take no part
/// in an alignment.
pub const ZERO: i16 = -8000;
/// The exponent of infinities and NaNs: above every other, even if that of zero is added.
pub const SPECIAL: i16 = 16_000;

/// How a type of multiplicands is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `.f16`
    Half,
    /// `.bf16`
    Brain,
    /// `.tf32`: an `.f32` whose low 13 bits are not looked at.
    Tensor,
    /// `.e4m3`, widened to `.f16` before it is multiplied.
    E4m3,
    /// `.e5m2`, widened to `.f16` before it is multiplied.
    E5m2,
    /// `.e4m3`, multiplied as it is.
    PlainE4m3,
    /// `.e5m2`, multiplied as it is.
    PlainE5m2,
    /// `.e3m2`; it has no infinities and NaNs, like those that follow.
    E3m2,
    /// `.e2m3`
    E2m3,
    /// `.e2m1`
    E2m1,
    /// `.e2m1` in the middle of a byte.
    MiddleE2m1,
}

impl Format {
    /// The format of a type, if it is a floating-point multiplicand's.
    pub fn of(ty: ScalarType) -> Option<Format> {
        Some(match ty {
            ScalarType::F16 => Format::Half,
            ScalarType::Bf16 => Format::Brain,
            ScalarType::Tf32 => Format::Tensor,
            ScalarType::E4m3 => Format::E4m3,
            ScalarType::E5m2 => Format::E5m2,
            _ => return None,
        })
    }

    /// The format of a type where tensor cores multiply 8-bit floats and less as they are.
    pub fn plain(ty: ScalarType) -> Option<Format> {
        Some(match ty {
            ScalarType::E4m3 => Format::PlainE4m3,
            ScalarType::E5m2 => Format::PlainE5m2,
            ScalarType::E3m2 => Format::E3m2,
            ScalarType::E2m3 => Format::E2m3,
            ScalarType::E2m1 => Format::E2m1,
            _ => return Format::of(ty),
        })
    }

    /// Takes a value apart.
    pub fn decode(self, bits: u64) -> Number {
        let bits = bits as u32;
        match self {
            Format::Half => split(bits & 0xffff, 5, 10),
            Format::Brain => split(bits & 0xffff, 8, 7),
            Format::Tensor => split(bits >> 13, 8, 10),
            Format::E4m3 => split(u32::from(half_of_e4m3(bits as u8)), 5, 10),
            Format::E5m2 => split(bits << 8 & 0xff00, 5, 10),
            Format::PlainE4m3 if bits & 0x7f == 0x7f => Number {
                value: f64::NAN,
                exponent: SPECIAL,
            },
            Format::PlainE4m3 => finite(bits, 4, 3),
            Format::PlainE5m2 => split(bits & 0xff, 5, 2),
            Format::E3m2 => finite(bits, 3, 2),
            Format::E2m3 => finite(bits, 2, 3),
            Format::E2m1 => finite(bits, 2, 1),
            Format::MiddleE2m1 => finite(bits >> 2, 2, 1),
        }
    }
}

/// A number of `1 + exponent_bits + fraction_bits` bits with infinities.
fn split(bits: u32, exponent_bits: u32, fraction_bits: u32) -> Number {
    let fraction = bits & ((1 << fraction_bits) - 1);
    let largest = (1 << exponent_bits) - 1;
    let field = bits >> fraction_bits & largest;
    let negative = bits >> (fraction_bits + exponent_bits) & 1 == 1;
    let bias = largest as i32 / 2;
    // The fraction where a double has it, below an exponent field.
    let join = |field: u64| u64::from(fraction) << (52 - fraction_bits) | field << 52;
    let (magnitude, exponent) = if field == 0 {
        let exponent = 1 - bias;
        let value = f64::from(fraction) * power(exponent - fraction_bits as i32);
        (value, if fraction == 0 { ZERO } else { exponent as i16 })
    } else if field == largest {
        (f64::from_bits(join(0x7ff)), SPECIAL)
    } else {
        let exponent = field as i32 - bias;
        (
            f64::from_bits(join((exponent + 1023) as u64)),
            exponent as i16,
        )
    };
    Number {
        value: if negative { -magnitude } else { magnitude },
        exponent,
    }
}

/// A number of `1 + exponent_bits + fraction_bits` bits without infinities.
fn finite(bits: u32, exponent_bits: u32, fraction_bits: u32) -> Number {
    let fraction = bits & ((1 << fraction_bits) - 1);
    let field = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    let exponent = field.max(1) as i32 - bias;
    let whole = fraction | u32::from(field != 0) << fraction_bits;
    let magnitude = f64::from(whole) * power(exponent - fraction_bits as i32);
    let negative = bits >> (fraction_bits + exponent_bits) & 1 == 1;
    Number {
        value: if negative { -magnitude } else { magnitude },
        exponent: if whole == 0 { ZERO } else { exponent as i16 },
    }
}

/// A power of two that is a normal double.
pub fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// `.f32` taken apart.
pub fn single(bits: u32) -> Number {
    split(bits, 8, 23)
}

/// `.e4m3` as `.f16`: exact; the one NaN stays one.
fn half_of_e4m3(bits: u8) -> u16 {
    let sign = u16::from(bits & 0x80) << 8;
    let rest = u16::from(bits & 0x7f);
    let magnitude = match rest {
        0x7f => 0x7fff,
        0 => 0,
        // Subnormal: rest * 2^-9, a normal `.f16`.
        1..8 => {
            let top = 15 - rest.leading_zeros() as u16;
            let fraction = (rest << (10 - top)) & 0x3ff;
            (top + 15 - 9) << 10 | fraction
        }
        _ => (rest << 7) + ((15 - 7) << 10),
    };
    sign | magnitude
}

/// The NaN that arithmetic gives.
pub const NAN_F32: u32 = 0x7fff_ffff;
/// The NaN that arithmetic gives, as `.f16`.
pub const NAN_F16: u16 = 0x7fff;

/// The bits of a sum, its NaNs replaced by the one that arithmetic gives.
pub fn f32_bits(value: f32) -> u32 {
    if value.is_nan() {
        NAN_F32
    } else {
        value.to_bits()
    }
}

/// `.f16` as `.f32`, exactly.
pub fn f32_of_half(bits: u16) -> f32 {
    split(u32::from(bits), 5, 10).value as f32
}

/// Rounds to `.f16`, ties to even. `value` must be exact, that is, not rounded before.
pub fn half_of_f64(value: f64) -> u16 {
    if value.is_nan() {
        return NAN_F16;
    }
    let sign = ((value.to_bits() >> 48) as u16) & 0x8000;
    let magnitude = value.abs();
    // The unit in the last place; adding and rounding in f64 is exact here.
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    let unit = power(exponent.max(-14) - 10);
    let rounded = (magnitude / unit).round_ties_even() * unit;
    let bits = if rounded >= 65536.0 {
        0x7c00
    } else if rounded < power(-14) {
        (rounded * power(24)) as u16
    } else {
        let bits = rounded.to_bits();
        let field = (bits >> 52) as i32 - 1023 + 15;
        (field as u16) << 10 | (bits >> 42 & 0x3ff) as u16
    };
    sign | bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_goes_there_and_back() {
        for bits in 0..=u16::MAX {
            let wide = f32_of_half(bits);
            let back = half_of_f64(f64::from(wide));
            if wide.is_nan() {
                assert_eq!(back, NAN_F16);
            } else {
                assert_eq!(back, bits, "{wide}");
                assert_eq!(Format::Half.decode(u64::from(bits)).value, f64::from(wide));
            }
        }
        assert_eq!(half_of_f64(65520.0), 0x7c00);
        assert_eq!(half_of_f64(65519.9), 0x7bff);
        assert_eq!(half_of_f64(-(2f64.powi(-25))), 0x8000);
        assert_eq!(half_of_f64(2f64.powi(-25) * 1.01), 1);
    }

    #[test]
    fn small_formats() {
        assert_eq!(Format::E4m3.decode(0x01).value, 2f64.powi(-9));
        assert_eq!(Format::E4m3.decode(0x07).value, 7.0 * 2f64.powi(-9));
        assert_eq!(Format::E4m3.decode(0xfe).value, -448.0);
        assert!(Format::E4m3.decode(0xff).value.is_nan());
        assert_eq!(Format::E5m2.decode(0x01).value, 2f64.powi(-16));
        assert!(Format::E5m2.decode(0xfc).value.is_infinite());
        let all = |format: Format, count| -> Vec<f64> {
            (0..count).map(|bits| format.decode(bits).value).collect()
        };
        let positive = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
        assert_eq!(all(Format::E2m1, 8), positive);
        assert_eq!(Format::E2m1.decode(15).value, -6.0);
        assert_eq!(Format::E2m3.decode(0x1f).value, 7.5);
        assert_eq!(Format::E2m3.decode(0x01).value, 0.125);
        assert_eq!(Format::E3m2.decode(0x1f).value, 28.0);
        assert_eq!(Format::E3m2.decode(0x21).value, -0.0625);
        for bits in 0..256 {
            for (plain, wide) in [
                (Format::PlainE4m3, Format::E4m3),
                (Format::PlainE5m2, Format::E5m2),
            ] {
                let (plain, wide) = (plain.decode(bits), wide.decode(bits));
                let same = plain.value == wide.value || plain.value.is_nan() && wide.value.is_nan();
                assert!(same, "{bits:#x}: {plain:?}, {wide:?}");
            }
        }
        // A subnormal number has the exponent of the smallest normal one.
        assert_eq!(Format::PlainE4m3.decode(1).exponent, -6);
        assert_eq!(Format::E4m3.decode(1).exponent, -9);
        assert_eq!(Format::Brain.decode(0x3fc0).value, 1.5);
        assert_eq!(
            Format::Tensor
                .decode(u64::from(1.5f32.to_bits() | 0x1fff))
                .value,
            1.5
        );
    }
}
