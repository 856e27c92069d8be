//! Integers of any width and floating-point numbers.

use super::text::Text;
use crate::types::Type;
use smallvec::SmallVec;
use std::io::Write;

/// Above this, wide integers are written in base 16: converting takes time in the square of the width.
const MAX_DECIMAL_WORDS: usize = 64;

/// An integer of up to 64 bits, given zero-extended.
pub(super) fn write_int(text: &mut Text, bits: u32, value: u64) {
    let unused = 64 - bits.clamp(1, 64);
    text.signed((value << unused) as i64 >> unused);
}

/// A wider integer; the low word comes first.
pub(super) fn write_wide_int(text: &mut Text, bits: u32, words: &[u64]) {
    /// As many digits as fit into a word.
    const CHUNK: u64 = 10_000_000_000_000_000_000;
    if words.len() > MAX_DECIMAL_WORDS {
        return write_hex_int(text, words);
    }
    let mut value = words.to_vec();
    let sign = bits.saturating_sub(1) as usize;
    if words
        .get(sign / 64)
        .is_some_and(|w| w >> (sign % 64) & 1 == 1)
    {
        text.byte(b'-');
        negate(&mut value, bits);
    }
    let mut chunks = Vec::new();
    while value.iter().any(|&word| word != 0) {
        chunks.push(divide(&mut value, CHUNK));
    }
    text.number(chunks.pop().unwrap_or(0));
    for chunk in chunks.into_iter().rev() {
        let mut place = CHUNK / 10;
        while place != 0 {
            text.byte(b'0' + (chunk / place % 10) as u8);
            place /= 10;
        }
    }
}

fn write_hex_int(text: &mut Text, words: &[u64]) {
    text.str("u0x");
    let used = words.iter().rposition(|&word| word != 0).unwrap_or(0);
    for &word in words[..=used].iter().rev() {
        text.hex(word, 16);
    }
}

/// The two's complement within a width.
fn negate(words: &mut [u64], bits: u32) {
    let mut carry = true;
    for word in words.iter_mut() {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
    if let (Some(last), false) = (words.last_mut(), bits.is_multiple_of(64)) {
        *last &= u64::MAX >> (64 - bits % 64);
    }
}

/// A floating-point number from its bits, the low word first.
pub(super) fn write_float(text: &mut Text, ty: Type, words: &[u64]) {
    let low = words.first().copied().unwrap_or(0);
    let high = words.get(1).copied().unwrap_or(0);
    match ty {
        Type::Half => tagged(text, "0xH", &[(low, 4)]),
        Type::BFloat => tagged(text, "0xR", &[(low, 4)]),
        Type::X86Fp80 => tagged(text, "0xK", &[(high, 4), (low, 16)]),
        Type::Fp128 => tagged(text, "0xL", &[(low, 16), (high, 16)]),
        Type::PpcFp128 => tagged(text, "0xM", &[(low, 16), (high, 16)]),
        Type::Float => write_double(text, widened(low as u32)),
        _ => write_double(text, low),
    }
}

fn tagged(text: &mut Text, tag: &str, parts: &[(u64, u32)]) {
    text.str(tag);
    for &(value, digits) in parts {
        text.hex(value, digits);
    }
}

/// The bits of a `float` as those of a `double`: in text, both are the same. Converting would make
/// signalling NaNs quiet, so they are moved bit by bit.
fn widened(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        let sign = u64::from(bits >> 31) << 63;
        return sign | 0x7ff << 52 | u64::from(bits & 0x7f_ffff) << 29;
    }
    f64::from(value).to_bits()
}

/// In decimal if the six digits that LLVM computes say it exactly, else its bits.
fn write_double(text: &mut Text, bits: u64) {
    let value = f64::from_bits(bits);
    if value == 0.0 {
        return text.str(if value.is_sign_negative() {
            "-0.000000e+00"
        } else {
            "0.000000e+00"
        });
    }
    if value.is_finite() {
        let (digits, exponent) = six_digits(bits);
        let mut buffer = [0u8; 24];
        let sign = if value < 0.0 { "-" } else { "" };
        let point = digits / 100_000;
        let rest = digits % 100_000;
        let mut cursor = &mut buffer[..];
        let written = write!(cursor, "{sign}{point}.{rest:05}0e{exponent:+03}").is_ok();
        let len = 24 - cursor.len();
        let decimal = std::str::from_utf8(&buffer[..len]).unwrap_or_default();
        if written && decimal.parse::<f64>() == Ok(value) {
            return text.str(decimal);
        }
    }
    let digits = (64 - bits.leading_zeros()).div_ceil(4).max(1);
    tagged(text, "0x", &[(bits, digits)]);
}

/// Six digits and a decimal exponent, near the magnitude of a finite number other than zero.
///
/// LLVM does not always round to the nearest six digits: it cuts the exact value to some 20 bits in
/// decimal steps first and rounds what is left. So `1.0e-07` has no decimal form, for its exact value starts
/// with 999999.
fn six_digits(bits: u64) -> (u64, i32) {
    const PRECISION: u32 = 6;
    /// How many bits six digits may need, as LLVM estimates it.
    const BITS: u32 = (PRECISION * 196).div_ceil(59);
    let field = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (significand, exponent) = match field {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, field - 1075),
    };
    let zeros = significand.trailing_zeros();
    let mut words: Words = SmallVec::from_slice(&[significand >> zeros]);
    let two = exponent + zeros as i32;
    // The value as an integer times a power of ten: 2^-n is 5^n * 10^-n.
    let mut ten = two.min(0);
    multiply_by_power(&mut words, if two < 0 { 5 } else { 2 }, two.unsigned_abs());
    let used = words.len() as u32 * 64 - words.last().map_or(64, |word| word.leading_zeros());
    if used > BITS {
        let removed = (used - BITS) * 59 / 196;
        ten += removed as i32;
        divide_by_power_of_ten(&mut words, removed);
    }
    let mut kept = words.first().copied().unwrap_or(0);
    while kept.is_multiple_of(10) {
        kept /= 10;
        ten += 1;
    }
    while kept >= 10_000_000 {
        kept /= 10;
        ten += 1;
    }
    if kept >= 1_000_000 {
        kept = kept / 10 + u64::from(kept % 10 >= 5);
        ten += 1;
    }
    if kept >= 1_000_000 {
        kept /= 10;
        ten += 1;
    }
    while kept < 100_000 {
        kept *= 10;
        ten -= 1;
    }
    (kept, ten + PRECISION as i32 - 1)
}

/// A natural number, the low word first, without zeros at the end.
type Words = SmallVec<[u64; 8]>;

fn multiply_by_power(words: &mut Words, base: u64, mut exponent: u32) {
    let step = if base == 5 { 27 } else { 63 };
    while exponent != 0 {
        let now = exponent.min(step);
        exponent -= now;
        let factor = u128::from(base.pow(now));
        let mut carry = 0u128;
        for word in words.iter_mut() {
            carry += u128::from(*word) * factor;
            *word = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            words.push(carry as u64);
        }
    }
}

fn divide_by_power_of_ten(words: &mut Words, mut exponent: u32) {
    while exponent != 0 {
        let now = exponent.min(19);
        exponent -= now;
        divide(words, 10u64.pow(now));
        while words.last() == Some(&0) {
            words.pop();
        }
    }
}

/// Divides in place and returns the remainder.
fn divide(words: &mut [u64], divisor: u64) -> u64 {
    let mut rest = 0u64;
    for word in words.iter_mut().rev() {
        let both = u128::from(rest) << 64 | u128::from(*word);
        *word = (both / u128::from(divisor)) as u64;
        rest = (both % u128::from(divisor)) as u64;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(ty: Type, words: &[u64]) -> String {
        let mut text = Text::default();
        write_float(&mut text, ty, words);
        text.finish()
    }

    /// As llvm-dis 22 prints them.
    #[test]
    fn floats() {
        let double = |value: f64| float(Type::Double, &[value.to_bits()]);
        assert_eq!(double(0.1), "1.000000e-01");
        assert_eq!(double(-0.0), "-0.000000e+00");
        assert_eq!(double(1e300), "1.000000e+300");
        assert_eq!(double(1e-300), "1.000000e-300");
        assert_eq!(double(f64::from_bits(1)), "4.940660e-324");
        assert_eq!(double(1234567.0), "0x4132D68700000000");
        assert_eq!(double(1e-7), "0x3E7AD7F29ABCAF48");
        assert_eq!(double(1e-20), "0x3BC79CA10C924223");
        assert_eq!(double(1e-308), "0x730D67819E8D2");
        assert_eq!(double(-999999.5), "0xC12E847F00000000");
        assert_eq!(double(1e22), "1.000000e+22");
        assert_eq!(double(f64::INFINITY), "0x7FF0000000000000");
        let single = |bits: u32| float(Type::Float, &[u64::from(bits)]);
        assert_eq!(single(0.1f32.to_bits()), "0x3FB99999A0000000");
        assert_eq!(single(123456.0f32.to_bits()), "1.234560e+05");
        assert_eq!(single(1), "0x36A0000000000000");
        assert_eq!(single(0x7fa0_0000), "0x7FF4000000000000");
        assert_eq!(single(0xff80_0000), "0xFFF0000000000000");
        assert_eq!(float(Type::Half, &[0x3c00]), "0xH3C00");
        assert_eq!(float(Type::BFloat, &[0x3f80]), "0xR3F80");
        assert_eq!(
            float(Type::X86Fp80, &[1 << 63, 0x3fff]),
            "0xK3FFF8000000000000000"
        );
        assert_eq!(
            float(Type::Fp128, &[0, 0x3fff << 48]),
            "0xL00000000000000003FFF000000000000"
        );
    }

    #[test]
    fn integers() {
        let int = |bits, words: &[u64]| {
            let mut text = Text::default();
            match words {
                [value] => write_int(&mut text, bits, *value),
                _ => write_wide_int(&mut text, bits, words),
            }
            text.finish()
        };
        assert_eq!(int(8, &[255]), "-1");
        assert_eq!(int(64, &[1 << 63]), i64::MIN.to_string());
        assert_eq!(int(128, &[u64::MAX, u64::MAX]), "-1");
        assert_eq!(int(128, &[0, 0]), "0");
        let value = i128::MAX / 7;
        let words = [value as u64, (value >> 64) as u64];
        assert_eq!(int(128, &words), value.to_string());
        assert_eq!(int(128, &[0, 1 << 63]), i128::MIN.to_string());
        assert_eq!(int(65, &[0, 1]), "-18446744073709551616");
        assert_eq!(int(66, &[0, 1]), "18446744073709551616");
        let mut wide = vec![0; 65];
        (wide[0], wide[1]) = (5, 0xab);
        assert_eq!(int(65 * 64, &wide), "u0x00000000000000AB0000000000000005");
    }
}
