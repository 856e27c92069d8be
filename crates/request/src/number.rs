//! Numbers of PTX types: text to bits and back.
//!
//! Integers are written in decimal, hexadecimal (`0x1F`) or binary (`0b101`), with `_` between digits
//! where it helps. Floating-point numbers are written as usual; `inf` and `nan` are numbers, and
//! `0x3f800000` gives the bits themselves. What does not fit its type is refused, not cut.

use warpc_ptx::types::{Meaning, ScalarType};

/// The types that arguments have, in the order in which help texts name them.
pub const TYPES: [ScalarType; 17] = [
    ScalarType::U8,
    ScalarType::U16,
    ScalarType::U32,
    ScalarType::U64,
    ScalarType::S8,
    ScalarType::S16,
    ScalarType::S32,
    ScalarType::S64,
    ScalarType::F16,
    ScalarType::Bf16,
    ScalarType::F32,
    ScalarType::F64,
    ScalarType::B8,
    ScalarType::B16,
    ScalarType::B32,
    ScalarType::B64,
    ScalarType::B128,
];

/// A number before it has a type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
}

/// How the bits of a floating-point type are divided.
#[derive(Clone, Copy)]
struct Layout {
    exponent_bits: u32,
    fraction_bits: u32,
}

impl Layout {
    fn of(ty: ScalarType) -> Option<Layout> {
        let (exponent_bits, fraction_bits) = match ty {
            ScalarType::F16 => (5, 10),
            ScalarType::Bf16 => (8, 7),
            ScalarType::F32 => (8, 23),
            ScalarType::F64 => (11, 52),
            _ => return None,
        };
        Some(Layout {
            exponent_bits,
            fraction_bits,
        })
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    fn sign(self) -> u64 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    /// The nearest number of this layout, ties to even.
    fn encode(self, value: f64) -> u64 {
        let sign = if value.is_sign_negative() {
            self.sign()
        } else {
            0
        };
        if value.is_nan() {
            // The quiet NaN with the smallest payload.
            return self.infinity() | 1 << (self.fraction_bits - 1);
        }
        if value.is_infinite() || value == 0.0 {
            return sign | if value == 0.0 { 0 } else { self.infinity() };
        }
        let lowest = 1 - self.bias();
        let exponent = exponent_of(value).max(lowest);
        // Multiplying by powers of two is exact, in two steps because 2^1074 is not a f64.
        let shift = self.fraction_bits as i32 - exponent;
        let steps = (value.abs() * 2f64.powi(shift / 2)) * 2f64.powi(shift - shift / 2);
        let rounded = steps.round_ties_even() as u64;
        // A carry out of the fraction raises the exponent by itself.
        let bits = (((exponent - lowest) as u64) << self.fraction_bits) + rounded;
        sign | bits.min(self.infinity())
    }

    fn decode(self, bits: u64) -> f64 {
        let fraction = bits & ((1 << self.fraction_bits) - 1);
        let exponent = (bits & self.infinity()) >> self.fraction_bits;
        let magnitude = if bits & self.infinity() == self.infinity() {
            if fraction == 0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        } else {
            let hidden = u64::from(exponent != 0) << self.fraction_bits;
            let power = exponent.max(1) as i32 - self.bias() - self.fraction_bits as i32;
            (hidden + fraction) as f64 * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
        };
        if bits & self.sign() != 0 {
            -magnitude
        } else {
            magnitude
        }
    }
}

/// The power of two of a finite number that is not zero.
fn exponent_of(value: f64) -> i32 {
    let bits = value.to_bits() >> 52 & 0x7ff;
    if bits == 0 {
        // Subnormal: normal after a shift by the fraction's width.
        return exponent_of(value * 2f64.powi(52)) - 52;
    }
    bits as i32 - 1023
}

/// Whether numbers of the type are floating-point numbers.
pub fn is_float(ty: ScalarType) -> bool {
    Layout::of(ty).is_some()
}

/// Reads a number as bits of a type.
pub fn parse(text: &str, ty: ScalarType) -> Result<u128, String> {
    match parse_number(text, ty)? {
        Number::Int(value) if is_float(ty) => Ok(value as u128),
        number => Ok(to_bits(number, ty)),
    }
}

/// Reads a number of a type: an integer for integer types and for bits of floating-point types.
pub fn parse_number(text: &str, ty: ScalarType) -> Result<Number, String> {
    let name = ty.name();
    let digits = text.replace('_', "");
    if is_float(ty) && !is_hex(&digits) {
        let value: f64 = if ty == ScalarType::F32 {
            // Once, not twice rounded.
            digits.parse::<f32>().map(f64::from)
        } else {
            digits.parse()
        }
        .map_err(|_| format!("`{text}` is not a number of type {name}"))?;
        let named = digits.to_ascii_lowercase().contains("inf");
        let layout = Layout::of(ty).expect("floating-point types have a layout");
        let too_large = !value.is_nan() && layout.encode(value.abs()) == layout.infinity();
        if too_large && !named {
            return Err(format!("`{text}` is too large for {name}"));
        }
        return Ok(Number::Float(value));
    }
    let value = parse_int(&digits).ok_or_else(|| format!("`{text}` is not an integer"))?;
    let bits = ty.bits();
    let (least, most) = match ty.meaning() {
        Meaning::Signed if !is_hex(&digits) => (smallest(bits), !smallest(bits)),
        Meaning::Unsigned => (0, all_ones(bits)),
        // A bit pattern: written with or without a sign.
        _ => (smallest(bits), all_ones(bits)),
    };
    // Bits of 128-bit values do not fit between two i128; every i128 is one.
    if bits < 128 && !(least..=most).contains(&value) {
        return Err(format!(
            "`{text}` does not fit into {name}: it holds {least} to {most}"
        ));
    }
    Ok(Number::Int(value))
}

/// The bits of a number: integers wrap, floating-point numbers are rounded to nearest.
pub fn to_bits(number: Number, ty: ScalarType) -> u128 {
    match (Layout::of(ty), number) {
        (Some(layout), Number::Float(value)) => layout.encode(value).into(),
        (Some(layout), Number::Int(value)) => layout.encode(value as f64).into(),
        (None, Number::Int(value)) => value as u128 & mask(ty.bits()),
        (None, Number::Float(value)) => value as i128 as u128 & mask(ty.bits()),
    }
}

/// Whether the bits are a NaN of the type.
pub fn is_nan(bits: u128, ty: ScalarType) -> bool {
    Layout::of(ty).is_some_and(|layout| layout.decode(bits as u64).is_nan())
}

/// Bits of a type as text that reads back as the same number; bit types in hexadecimal.
pub fn format(bits: u128, ty: ScalarType) -> String {
    match ty {
        ScalarType::F64 => short(format!("{:?}", f64::from_bits(bits as u64))),
        ScalarType::F32 => short(format!("{:?}", f32::from_bits(bits as u32))),
        _ => match (Layout::of(ty), ty.meaning()) {
            (Some(layout), _) => format_narrow(layout, bits as u64),
            (None, Meaning::Signed) => {
                let unused = 128 - ty.bits();
                ((bits << unused) as i128 >> unused).to_string()
            }
            (None, Meaning::Unsigned) => bits.to_string(),
            _ => format!("0x{bits:0width$x}", width = ty.bits() as usize / 4),
        },
    }
}

/// The value of a floating-point number: 64 bits have it exactly, whatever the type. None for other types.
pub fn value(bits: u128, ty: ScalarType) -> Option<f64> {
    Layout::of(ty).map(|layout| layout.decode(bits as u64))
}

/// The fewest digits that read back as the same bits.
fn format_narrow(layout: Layout, bits: u64) -> String {
    let value = layout.decode(bits);
    let nearest = (0..=5)
        .map(|digits| format!("{value:.digits$e}"))
        .find_map(|text| {
            let read: f64 = text.parse().ok()?;
            (layout.encode(read) == bits).then_some(read)
        });
    short(format!("{:?}", nearest.unwrap_or(value)))
}

/// Whole numbers without a fraction: `3`, not `3.0`.
fn short(text: String) -> String {
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

fn is_hex(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '+']);
    text.starts_with("0x") || text.starts_with("0X") || text.starts_with("0b")
}

fn parse_int(text: &str) -> Option<i128> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    // `from_str_radix` takes a second sign.
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let value = if let Some(hex) = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        if hex.starts_with(['+', '-']) {
            return None;
        }
        u128::from_str_radix(hex, 16).ok()? as i128
    } else if let Some(binary) = digits.strip_prefix("0b") {
        if binary.starts_with(['+', '-']) {
            return None;
        }
        u128::from_str_radix(binary, 2).ok()? as i128
    } else {
        digits.parse::<i128>().ok()?
    };
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// The smallest signed number of so many bits.
fn smallest(bits: u32) -> i128 {
    i128::MIN >> (128 - bits)
}

fn all_ones(bits: u32) -> i128 {
    mask(bits) as i128
}

fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScalarType::*;

    #[test]
    fn integers() {
        assert_eq!(parse("7", U32), Ok(7));
        assert_eq!(parse("-1", S32), Ok(0xffff_ffff));
        assert_eq!(parse("0xffffffff", S32), Ok(0xffff_ffff));
        assert_eq!(parse("-1", B8), Ok(0xff));
        assert_eq!(parse("1_000", U16), Ok(1000));
        assert_eq!(parse("0b101", U8), Ok(5));
        assert_eq!(parse("18446744073709551615", U64), Ok(u64::MAX.into()));
        assert_eq!(
            parse("0xffffffffffffffffffffffffffffffff", B128),
            Ok(u128::MAX)
        );
        for (text, ty) in [
            ("256", U8),
            ("-1", U32),
            ("128", S8),
            ("-129", S8),
            ("0x1ff", B8),
            ("1.5", U32),
            ("", U32),
            ("-", S32),
            ("0x", U32),
            ("--1", S32),
            ("0x-1", S32),
            ("seven", U32),
        ] {
            assert!(parse(text, ty).is_err(), "{text}");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(parse("1", F32), Ok(0x3f80_0000));
        assert_eq!(parse("0x3f800000", F32), Ok(0x3f80_0000));
        assert_eq!(parse("-2.5", F64), Ok((-2.5f64).to_bits().into()));
        assert_eq!(parse("1.5", F16), Ok(0x3e00));
        assert_eq!(parse("65504", F16), Ok(0x7bff));
        assert_eq!(parse("5.96e-8", F16), Ok(1));
        assert_eq!(parse("1", Bf16), Ok(0x3f80));
        assert_eq!(parse("-inf", F16), Ok(0xfc00));
        assert_eq!(parse("-0", F16), Ok(0x8000));
        assert!(is_nan(parse("nan", Bf16).unwrap(), Bf16));
        // Ties go to the even neighbour, and the carry reaches the exponent.
        assert_eq!(parse("2049", F16), Ok(0x6800));
        assert_eq!(parse("2051", F16), Ok(0x6802));
        assert_eq!(parse("4095.9", F16), Ok(0x6c00));
        for (text, ty) in [("65520", F16), ("1e39", F32), ("x", F32), ("0x10000", F16)] {
            assert!(parse(text, ty).is_err(), "{text}");
        }
    }

    #[test]
    fn layouts_agree_with_the_language() {
        for value in [0.0f64, 1.0, -3.75, 1e-40, 6e-46, 3.3e38, 1e-45, 0.1, 7e-310] {
            let layout = Layout::of(F32).unwrap();
            assert_eq!(
                layout.encode(value),
                u64::from((value as f32).to_bits()),
                "{value}"
            );
            let bits = (value as f32).to_bits();
            assert_eq!(layout.decode(bits.into()), f64::from(value as f32));
            let wide = Layout::of(F64).unwrap();
            assert_eq!(wide.encode(value), value.to_bits(), "{value}");
            assert_eq!(wide.decode(value.to_bits()), value);
        }
    }

    #[test]
    fn text_reads_back() {
        for ty in TYPES {
            for bits in [
                0u128,
                1,
                2,
                0x35,
                0x7b,
                0x3555,
                0x7bff,
                0x8001,
                0x3f80_0001,
                0xdead_beef,
            ] {
                let bits = bits & mask(ty.bits());
                if !is_nan(bits, ty) {
                    let text = format(bits, ty);
                    assert_eq!(parse(&text, ty), Ok(bits), "{text} as {ty}");
                }
            }
        }
        assert_eq!(format(0xff, S8), "-1");
        assert_eq!(format(0x3555, F16), "0.3333");
        assert_eq!(format(0x3f80_0000, F32), "1");
        assert_eq!(format(0x1f, B16), "0x001f");
    }
}
