//! Elements of floating-point types: how codes are read and written.

use super::Rules;
use crate::float::exact::Exact;
use crate::float::format::{
    self, BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F32, Format, Number, TF32, UE5M3,
};
use crate::float::round::Rounding;
use warpc_ptx::types::ScalarType;

/// What the bits of an element mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// A floating-point format.
    Float(&'static Format),
    /// The upper 19 bits of a single, 13 zeros below.
    Tf32,
    /// A power of two from 2^-127 on, or NaN with all bits set. There is no zero.
    PowerOfTwo,
    /// A signed integer of eight bits, in parts of 64.
    Fixed,
}

/// A type as elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elements {
    /// What they are.
    pub code: Code,
    /// How many.
    pub count: usize,
    /// How far apart they lie.
    pub stride: u32,
}

/// The elements of a type; `None` if it is not a floating-point type.
pub fn elements(ty: ScalarType) -> Option<Elements> {
    use ScalarType::*;
    let (code, count, stride) = match ty {
        F16 => (Code::Float(&format::F16), 1, 16),
        Bf16 => (Code::Float(&BF16), 1, 16),
        F32 => (Code::Float(&format::F32), 1, 32),
        F64 => (Code::Float(&format::F64), 1, 64),
        Tf32 => (Code::Tf32, 1, 32),
        F16x2 => (Code::Float(&format::F16), 2, 16),
        Bf16x2 => (Code::Float(&BF16), 2, 16),
        E4m3x2 => (Code::Float(&E4M3), 2, 8),
        E5m2x2 => (Code::Float(&E5M2), 2, 8),
        E3m2x2 => (Code::Float(&E3M2), 2, 8),
        E2m3x2 => (Code::Float(&E2M3), 2, 8),
        E2m1x2 => (Code::Float(&E2M1), 2, 4),
        E4m3x4 => (Code::Float(&E4M3), 4, 8),
        E5m2x4 => (Code::Float(&E5M2), 4, 8),
        E3m2x4 => (Code::Float(&E3M2), 4, 8),
        E2m3x4 => (Code::Float(&E2M3), 4, 8),
        E2m1x4 => (Code::Float(&E2M1), 4, 4),
        Ue5m3x2 => (Code::Float(&UE5M3), 2, 8),
        Ue8m0x2 => (Code::PowerOfTwo, 2, 8),
        Ue8m0 => (Code::PowerOfTwo, 1, 8),
        S2f6x2 => (Code::Fixed, 2, 8),
        _ => return None,
    };
    Some(Elements {
        code,
        count,
        stride,
    })
}

const MAX_FIXED: i128 = 127;
const POWER_NAN: u64 = 0xff;

impl Code {
    /// The value of an element in the low bits.
    pub fn read(self, bits: u64) -> Number {
        match self {
            Code::Float(format) => format.unpack(bits),
            Code::Tf32 => F32.unpack(bits),
            Code::PowerOfTwo if bits & 0xff == POWER_NAN => Number::Nan,
            Code::PowerOfTwo => Number::Finite(Exact {
                negative: false,
                exponent: (bits & 0xff) as i32 - 127,
                significand: 1,
            }),
            Code::Fixed => Number::Finite(Exact {
                exponent: -6,
                ..Exact::integer(i128::from(bits as u8 as i8))
            }),
        }
    }

    /// The code of a value, rounded and cut as the rules say.
    pub fn write(self, number: Number, rules: &Rules, rounding: Rounding) -> u64 {
        let number = match number {
            Number::Nan if rules.sat => Number::Finite(Exact::zero(false)),
            Number::Nan => number,
            _ if (rules.relu || rules.sat) && number.is_negative() => {
                Number::Finite(Exact::zero(false))
            }
            _ => number,
        };
        match self {
            Code::Float(format) => write_float(format, number, rules, rounding),
            Code::Tf32 => write_float(&TF32, number, rules, rounding) << 13,
            Code::PowerOfTwo => write_power(number, rules, rounding),
            Code::Fixed => write_fixed(number, rounding),
        }
    }
}

fn write_float(format: &Format, number: Number, rules: &Rules, rounding: Rounding) -> u64 {
    let number = match number {
        // Nothing says what becomes of numbers below zero where there is no sign: zero.
        _ if !format.signed && number.is_negative() => Number::Finite(Exact::zero(false)),
        _ => number,
    };
    // What `.ftz` flushes is single precision and what has its exponents.
    let flushes = rules.ftz && format.exponent_bits == F32.exponent_bits;
    let code = if flushes {
        number.pack_flushing(format, rounding)
    } else {
        number.pack(format, rounding)
    };
    if rules.sat {
        let one = (format.bias as u64) << format.fraction_bits;
        return code.min(one);
    }
    let magnitude = code & format.magnitude_mask();
    if rules.satfinite && number != Number::Nan && magnitude > format.max_finite() {
        return code & format.sign_bit() | format.max_finite();
    }
    code
}

/// The exponent of a magnitude, rounded down or up; signs are left out.
fn write_power(number: Number, rules: &Rules, rounding: Rounding) -> u64 {
    let largest = if rules.satfinite {
        POWER_NAN - 1
    } else {
        POWER_NAN
    };
    match number {
        Number::Nan => POWER_NAN,
        Number::Infinite { .. } => largest,
        Number::Finite(x) if x.is_zero() => 0,
        Number::Finite(x) => {
            let exact = x.significand.is_power_of_two();
            let grown = i32::from(rounding == Rounding::Up && !exact);
            let code = (x.magnitude() + grown + 127).max(0) as u64;
            if code >= POWER_NAN { largest } else { code }
        }
    }
}

fn write_fixed(number: Number, rounding: Rounding) -> u64 {
    let parts = match number.scaled(6) {
        // As for the formats without NaN: the largest number.
        Number::Nan => MAX_FIXED,
        Number::Infinite { negative: false } => MAX_FIXED,
        Number::Infinite { negative: true } => -MAX_FIXED - 1,
        Number::Finite(x) => x.to_integer(rounding),
    };
    parts.clamp(-MAX_FIXED - 1, MAX_FIXED) as u64 & 0xff
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        rounding: None,
        integral: false,
        random: false,
        ftz: false,
        sat: false,
        relu: false,
        satfinite: true,
        scale: None,
    };

    fn single(x: f32) -> Number {
        F32.unpack(u64::from(x.to_bits()))
    }

    fn nearest(code: Code, x: f32) -> u64 {
        code.write(single(x), &RULES, Rounding::Nearest)
    }

    #[test]
    fn what_is_too_large_is_cut() {
        use format::F16;
        let e4m3 = Code::Float(&E4M3);
        assert_eq!(nearest(e4m3, 448.0), 0x7e);
        assert_eq!(nearest(e4m3, 1e9), 0x7e);
        assert_eq!(nearest(e4m3, f32::NEG_INFINITY), 0xfe);
        assert_eq!(nearest(e4m3, f32::NAN), 0x7f);
        assert_eq!(nearest(Code::Float(&E5M2), 1e9), 0x7b);
        assert_eq!(nearest(Code::Float(&E2M1), -7.0), 0xf);
        assert_eq!(nearest(Code::Float(&E2M1), f32::NAN), 0x7);
        assert_eq!(nearest(Code::Float(&F16), 1e9), 0x7bff);
        assert_eq!(nearest(Code::Tf32, f32::INFINITY), 0x7f7f_e000);
    }

    #[test]
    fn ties_go_to_even_and_small_numbers_are_kept() {
        let e2m1 = Code::Float(&E2M1);
        let codes = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0].map(|x| nearest(e2m1, x));
        assert_eq!(codes, [0, 2, 2, 4, 4, 6, 6]);
        assert_eq!(nearest(Code::Float(&E4M3), f32::exp2(-9.0)), 1);
        assert_eq!(nearest(Code::Float(&E4M3), f32::exp2(-10.0)), 0);
    }

    #[test]
    fn powers_of_two() {
        let write = |x: f32, rounding| Code::PowerOfTwo.write(single(x), &RULES, rounding);
        assert_eq!(write(1.0, Rounding::Zero), 127);
        assert_eq!(write(1.5, Rounding::Zero), 127);
        assert_eq!(write(-1.5, Rounding::Up), 128);
        assert_eq!(write(0.0, Rounding::Up), 0);
        assert_eq!(write(f32::from_bits(1), Rounding::Up), 0);
        assert_eq!(write(f32::from_bits(0x0040_0001), Rounding::Up), 1);
        assert_eq!(write(f32::MAX, Rounding::Up), 0xfe);
        assert_eq!(write(f32::NAN, Rounding::Up), 0xff);
        assert_eq!(Code::PowerOfTwo.read(0xff), Number::Nan);
        assert_eq!(
            Code::PowerOfTwo.read(128).pack(&F32, Rounding::Nearest),
            0x4000_0000
        );
    }

    #[test]
    fn fixed_point() {
        assert_eq!(nearest(Code::Fixed, 1.0), 64);
        assert_eq!(nearest(Code::Fixed, -2.0), 0x80);
        assert_eq!(nearest(Code::Fixed, 5.0), 127);
        assert_eq!(
            Code::Fixed.read(0xc0).pack(&F32, Rounding::Nearest),
            0xbf80_0000
        );
    }

    #[test]
    fn relu_leaves_nothing_below_zero() {
        let rules = Rules {
            relu: true,
            ..RULES
        };
        let write = |x: f32| Code::Float(&BF16).write(single(x), &rules, Rounding::Nearest);
        assert_eq!(write(-1.0), 0);
        assert_eq!(write(-0.0), 0);
        assert_eq!(write(f32::NEG_INFINITY), 0);
        assert_eq!(write(f32::NAN), 0x7fff);
        assert_eq!(write(1.0), 0x3f80);
    }
}
