//! Floating-point arithmetic on bits, rounded to nearest even.
//!
//! `float` and `double` use the host's arithmetic. `half` and `bfloat` compute in `double` and round
//! once more, which gives the same as rounding once because a `double` has more than twice the bits;
//! `fma` of `half` is exact in an integer. NaNs come out as one NaN: LLVM leaves their payload open.

use crate::chance::Chance;
use crate::ty::Format;

/// Rounds `mantissa * 2^exponent` to a format; `sticky` says that a little was cut off.
pub fn round(format: Format, negative: bool, mantissa: u128, exponent: i32, sticky: bool) -> u128 {
    let (width, fraction) = (format.width(), format.fraction());
    let sign = u128::from(negative) << (width - 1);
    if mantissa == 0 {
        return sign;
    }
    let exponent_bits = width - 1 - fraction;
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    let smallest = 1 - bias - fraction as i32;
    let top = 127 - mantissa.leading_zeros() as i32;
    // The weight of the last bit that is kept.
    let last = (exponent + top - fraction as i32).max(smallest);
    let cut = last - exponent;
    let kept = match cut {
        ..=0 => mantissa << -cut,
        1..=127 => mantissa >> cut,
        _ => 0,
    };
    let (half, rest) = match cut {
        ..=0 => (false, sticky),
        1..=128 => {
            let below = mantissa & (1u128 << (cut - 1)).wrapping_sub(1);
            (mantissa >> (cut - 1) & 1 == 1, sticky || below != 0)
        }
        _ => (false, true),
    };
    let up = half && (rest || kept & 1 == 1);
    let rounded = kept + u128::from(up);
    // Counting up the fraction carries into the exponent, as it should.
    let steps = (last - smallest) as u128;
    let normal = rounded >> fraction != 0;
    let bits = match normal {
        true => (steps << fraction) + rounded,
        false => rounded,
    };
    let infinite = mask_of_exponent(format);
    sign | bits.min(infinite)
}

fn mask_of_exponent(format: Format) -> u128 {
    let fraction = format.fraction();
    ((1 << (format.width() - 1 - fraction)) - 1) << fraction
}

/// The NaN that all NaNs are shown as.
pub fn nan(format: Format) -> u128 {
    mask_of_exponent(format) | 1 << (format.fraction() - 1)
}

/// Whether bits are a NaN.
pub fn is_nan(format: Format, bits: u128) -> bool {
    bits & !(1 << (format.width() - 1)) > mask_of_exponent(format)
}

/// Whether bits are infinite.
pub fn is_inf(format: Format, bits: u128) -> bool {
    bits & !(1 << (format.width() - 1)) == mask_of_exponent(format)
}

/// Whether bits are a zero of either sign.
pub fn is_zero(format: Format, bits: u128) -> bool {
    bits & !(1 << (format.width() - 1)) == 0
}

/// Whether bits are a subnormal number.
pub fn is_subnormal(format: Format, bits: u128) -> bool {
    !is_zero(format, bits) && bits & mask_of_exponent(format) == 0
}

/// Whether the sign is set.
pub fn is_negative(format: Format, bits: u128) -> bool {
    bits >> (format.width() - 1) & 1 == 1
}

/// The same, or the one NaN.
pub fn canonical(format: Format, bits: u128) -> u128 {
    match is_nan(format, bits) {
        true => nan(format),
        false => bits,
    }
}

/// Sign, mantissa and exponent of a finite number.
fn parts(format: Format, bits: u128) -> (bool, u128, i32) {
    let fraction = format.fraction();
    let exponent_bits = format.width() - 1 - fraction;
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    let exponent = (bits >> fraction) as i32 & ((1 << exponent_bits) - 1);
    let low = bits & ((1 << fraction) - 1);
    let (mantissa, exponent) = match exponent {
        0 => (low, 1),
        _ => (low | 1 << fraction, exponent),
    };
    (
        is_negative(format, bits),
        mantissa,
        exponent - bias - fraction as i32,
    )
}

/// A number in another format.
pub fn convert(from: Format, to: Format, bits: u128) -> u128 {
    if is_nan(from, bits) {
        return nan(to);
    }
    if is_inf(from, bits) {
        let sign = u128::from(is_negative(from, bits)) << (to.width() - 1);
        return sign | mask_of_exponent(to);
    }
    let (negative, mantissa, exponent) = parts(from, bits);
    round(to, negative, mantissa, exponent, false)
}

/// As a `double`; exact.
pub fn to_f64(format: Format, bits: u128) -> f64 {
    f64::from_bits(convert(format, Format::Double, bits) as u64)
}

/// From a `double`, rounded.
pub fn from_f64(format: Format, value: f64) -> u128 {
    convert(Format::Double, format, u128::from(value.to_bits()))
}

fn to_f32(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

/// Operations on two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Two {
    Add,
    Sub,
    Mul,
    Div,
    CopySign,
    /// The smaller; NaNs are left out, -0 is smaller than +0.
    MinNum,
    MaxNum,
    /// The smaller; NaNs stay, -0 is smaller than +0.
    Minimum,
    Maximum,
}

fn ordered(format: Format, bits: u128) -> i128 {
    let sign = 1u128 << (format.width() - 1);
    match bits & sign != 0 {
        true => -((bits & !sign) as i128) - 1,
        false => bits as i128,
    }
}

/// What an operation gives.
pub fn two(op: Two, format: Format, a: u128, b: u128) -> u128 {
    let nans = [a, b].map(|bits| is_nan(format, bits));
    match op {
        Two::CopySign => {
            let sign = 1 << (format.width() - 1);
            return a & !sign | b & sign;
        }
        Two::MinNum | Two::MaxNum if nans != [false, false] => {
            return canonical(format, if nans[0] { b } else { a });
        }
        Two::Minimum | Two::Maximum if nans != [false, false] => return nan(format),
        Two::MinNum | Two::Minimum => {
            return if ordered(format, a) <= ordered(format, b) {
                a
            } else {
                b
            };
        }
        Two::MaxNum | Two::Maximum => {
            return if ordered(format, a) >= ordered(format, b) {
                a
            } else {
                b
            };
        }
        _ => {}
    }
    let bits = match format {
        Format::Float => {
            let (a, b) = (to_f32(a), to_f32(b));
            u128::from(
                match op {
                    Two::Add => a + b,
                    Two::Sub => a - b,
                    Two::Mul => a * b,
                    _ => a / b,
                }
                .to_bits(),
            )
        }
        _ => {
            let (x, y) = (to_f64(format, a), to_f64(format, b));
            let value = match op {
                Two::Add => x + y,
                Two::Sub => x - y,
                Two::Mul => x * y,
                _ => x / y,
            };
            from_f64(format, value)
        }
    };
    canonical(format, bits)
}

/// Whether a product is exact.
pub fn product_is_exact(format: Format, a: u128, b: u128) -> bool {
    let special = |bits| is_nan(format, bits) || is_inf(format, bits) || is_zero(format, bits);
    if special(a) || special(b) {
        return true;
    }
    let product = two(Two::Mul, format, a, b);
    if special(product) {
        return false;
    }
    let (_, m, e) = parts(format, a);
    let (_, n, f) = parts(format, b);
    let (_, p, g) = parts(format, product);
    let (exact, exponent) = (m * n, e + f);
    // Both sides without trailing zeros.
    (
        exact >> exact.trailing_zeros(),
        exponent + exact.trailing_zeros() as i32,
    ) == (p >> p.trailing_zeros(), g + p.trailing_zeros() as i32)
}

/// `a * b + c`, rounded once; not for `bfloat`.
pub fn fma(format: Format, a: u128, b: u128, c: u128) -> u128 {
    let bits = match format {
        Format::Float => u128::from(to_f32(a).mul_add(to_f32(b), to_f32(c)).to_bits()),
        Format::Double => {
            let [a, b, c] = [a, b, c].map(|bits| f64::from_bits(bits as u64));
            u128::from(a.mul_add(b, c).to_bits())
        }
        _ => {
            let [x, y, z] = [a, b, c].map(|bits| to_f64(format, bits));
            let sum = x * y + z;
            if !sum.is_finite() || sum == 0.0 || !(x * y).is_finite() {
                return canonical(format, from_f64(format, sum));
            }
            // In units of 2^-48, the smallest product.
            let fixed = |value: f64| (value * 2f64.powi(48)) as i128;
            let exact = fixed(x * y) + fixed(z);
            round(format, exact < 0, exact.unsigned_abs(), -48, false)
        }
    };
    canonical(format, bits)
}

/// Operations on one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Single {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// To nearest even: `rint`, `nearbyint`, `roundeven`.
    Even,
    /// To nearest, ties away from zero.
    Round,
}

/// What an operation gives.
pub fn single(op: Single, format: Format, a: u128) -> u128 {
    let sign = 1 << (format.width() - 1);
    let value = to_f64(format, a);
    let value = match op {
        Single::Neg => return a ^ sign,
        Single::Abs => return a & !sign,
        Single::Sqrt if format == Format::Float => {
            let root = to_f32(a).sqrt();
            return canonical(format, u128::from(root.to_bits()));
        }
        Single::Sqrt => value.sqrt(),
        Single::Floor => value.floor(),
        Single::Ceil => value.ceil(),
        Single::Trunc => value.trunc(),
        Single::Even => value.round_ties_even(),
        Single::Round => value.round(),
    };
    canonical(format, from_f64(format, value))
}

/// Predicates of `fcmp`: less, equal, greater, unordered, as four bits.
pub const PREDICATES: [(&str, u8); 14] = [
    ("oeq", 0b0010),
    ("ogt", 0b0100),
    ("oge", 0b0110),
    ("olt", 0b0001),
    ("ole", 0b0011),
    ("one", 0b0101),
    ("ord", 0b0111),
    ("ueq", 0b1010),
    ("ugt", 0b1100),
    ("uge", 0b1110),
    ("ult", 0b1001),
    ("ule", 0b1011),
    ("une", 0b1101),
    ("uno", 0b1000),
];

/// Whether a predicate holds.
pub fn compare(predicate: u8, format: Format, a: u128, b: u128) -> bool {
    let bit = match to_f64(format, a).partial_cmp(&to_f64(format, b)) {
        Some(std::cmp::Ordering::Less) => 1,
        Some(std::cmp::Ordering::Equal) => 2,
        Some(std::cmp::Ordering::Greater) => 4,
        None => 8,
    };
    predicate & bit != 0
}

/// An integer as a number.
pub fn from_int(format: Format, signed: bool, width: u32, bits: u128) -> u128 {
    let negative = signed && bits >> (width - 1) & 1 == 1;
    let size = match negative {
        true => bits.wrapping_neg() & crate::chance::mask(width),
        false => bits,
    };
    round(format, negative, size, 0, false)
}

/// The integer part of a number, held within a width, and whether it was within it; 0 for a NaN.
pub fn to_int(format: Format, signed: bool, width: u32, bits: u128) -> (u128, bool) {
    let mask = crate::chance::mask(width);
    if is_nan(format, bits) {
        return (0, false);
    }
    let negative = is_negative(format, bits);
    let limit = match (signed, negative) {
        (true, true) => 1 << (width - 1),
        (true, false) => mask >> 1,
        (false, true) => 0,
        (false, false) => mask,
    };
    let (_, mantissa, exponent) = parts(format, bits);
    let size = match exponent {
        _ if is_inf(format, bits) => None,
        0.. if exponent as u32 <= mantissa.leading_zeros() => Some(mantissa << exponent),
        0.. if mantissa != 0 => None,
        ..=-128 => Some(0),
        _ => Some(mantissa >> -exponent.min(0)),
    };
    let (held, inside) = match size {
        Some(size) if size <= limit => (size, true),
        _ => (limit, false),
    };
    let value = if negative { held.wrapping_neg() } else { held };
    (value & mask, inside)
}

/// A number of some kind: small integers often, limits, any bits.
pub fn any(format: Format, chance: &mut Chance) -> u128 {
    let small = chance.below(64) as f64 - 20.0;
    let sign = u128::from(chance.one_in(2)) << (format.width() - 1);
    let inf = mask_of_exponent(format);
    match chance.below(14) {
        0..=3 => from_f64(format, small),
        4 | 5 => from_f64(format, small / 8.0),
        6 => sign,
        7 => sign | inf,
        8 => nan(format),
        9 => sign | (1 + chance.below(5) as u128),
        10 => sign | (inf - 1),
        11 => sign | 1 << format.fraction(),
        12 => from_f64(format, small * 16_777_216.0 + 0.5),
        _ => canonical(format, chance.wide() & crate::chance::mask(format.width())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_agrees_with_the_host() {
        let mut chance = Chance::new(1);
        for _ in 0..200_000 {
            let double = any(Format::Double, &mut chance);
            let value = f64::from_bits(double as u64);
            let ours = convert(Format::Double, Format::Float, double);
            let theirs = u128::from((value as f32).to_bits());
            assert_eq!(ours, canonical(Format::Float, theirs), "{value:e}");
            let int = chance.edge(128);
            let theirs = u128::from((int as f32).to_bits());
            assert_eq!(from_int(Format::Float, false, 128, int), theirs, "{int}");
            let theirs = u128::from((int as i128 as f64).to_bits());
            assert_eq!(from_int(Format::Double, true, 128, int), theirs, "{int}");
            assert_eq!(
                to_int(Format::Double, true, 64, double).0 as i64,
                value as i64
            );
            assert_eq!(to_int(Format::Double, false, 128, double).0, value as u128);
            assert_eq!(to_int(Format::Double, true, 8, double).0 as i8, value as i8);
        }
    }

    #[test]
    fn small_formats_round_as_tables_say() {
        // 1 + 2^-11 is half-way between two halves; a little more goes up.
        assert_eq!(from_f64(Format::Half, 1.0 + 2f64.powi(-11)), 0x3c00);
        assert_eq!(
            from_f64(Format::Half, 1.0 + 2f64.powi(-11) + 2f64.powi(-40)),
            0x3c01
        );
        assert_eq!(from_f64(Format::Half, 65520.0), 0x7c00);
        assert_eq!(from_f64(Format::Half, 2f64.powi(-25)), 0);
        assert_eq!(from_f64(Format::Half, 2f64.powi(-25) * 1.5), 1);
        assert_eq!(from_f64(Format::BFloat, 1.00390625), 0x3f80);
        assert_eq!(two(Two::Add, Format::BFloat, 0x3f80, 0x3f80), 0x4000);
        // 2049 is not a half: a product and a sum that round once and not twice.
        let f = |value| from_f64(Format::Half, value);
        assert_eq!(fma(Format::Half, f(2047.0), f(1.0), f(2.0)), f(2048.0));
        assert_eq!(fma(Format::Half, f(3.0), f(683.0), f(0.5)), f(2050.0));
    }

    #[test]
    fn exact_products_are_known() {
        let f = |value: f32| u128::from(value.to_bits());
        assert!(product_is_exact(Format::Float, f(3.0), f(0.5)));
        assert!(!product_is_exact(
            Format::Float,
            f(1.000_000_1),
            f(1.000_000_1)
        ));
        assert!(!product_is_exact(Format::Float, f(1e-30), f(1e-30)));
    }
}
