//! Numbers: in decimal, in hexadecimal, of any width; and tables indexed by numbers of the text.

use crate::index::Id;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// The value of decimal digits; `None` if there are none, other bytes, or more than 64 bits.
#[inline]
pub(super) fn decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    // So many digits always fit.
    let (head, tail) = digits.split_at(digits.len().min(19));
    let mut value = 0u64;
    for &byte in head {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    for &byte in tail {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    Some(value)
}

/// The value of decimal digits of any number in words, the low one first.
pub(super) fn decimal_words(digits: &[u8]) -> Vec<u64> {
    let mut words = vec![0u64];
    for chunk in digits.chunks(18) {
        let factor = 10u64.pow(chunk.len() as u32);
        let mut carry = decimal(chunk).unwrap_or(0);
        for word in &mut words {
            let product = u128::from(*word) * u128::from(factor) + u128::from(carry);
            *word = product as u64;
            carry = (product >> 64) as u64;
        }
        if carry != 0 {
            words.push(carry);
        }
    }
    words
}

/// The value of hexadecimal digits of any number in words, the low one first.
pub(super) fn hex_words(digits: &[u8]) -> Vec<u64> {
    let mut words: Vec<u64> = digits
        .rchunks(16)
        .map(|chunk| {
            chunk.iter().fold(0, |value, &byte| {
                value << 4 | u64::from(char::from(byte).to_digit(16).unwrap_or(0))
            })
        })
        .collect();
    if words.is_empty() {
        words.push(0);
    }
    words
}

/// The two's complement of words that stand for a number of at least `bits` bits.
pub(super) fn negate(words: &mut Vec<u64>, bits: u32) {
    let count = (bits.div_ceil(64) as usize).max(words.len());
    words.resize(count, 0);
    let mut carry = true;
    for word in words {
        let (negated, overflow) = (!*word).overflowing_add(u64::from(carry));
        *word = negated;
        carry = overflow;
    }
}

/// Things of the text with numbers: dense in a vector, the odd large one in a map.
pub(super) struct Numbered<T> {
    dense: Vec<u32>,
    sparse: FxHashMap<u64, T>,
    /// Numbers up to this go into the vector: a file cannot define more things than it has bytes.
    limit: usize,
}

impl<T: Id> Numbered<T> {
    pub fn new(limit: usize) -> Numbered<T> {
        Numbered {
            dense: Vec::new(),
            sparse: FxHashMap::default(),
            limit,
        }
    }

    pub fn get(&self, number: u64) -> Option<T> {
        match self.dense.get(number as usize) {
            Some(0) => None,
            Some(&entry) => Some(T::new(entry as usize - 1)),
            None if self.sparse.is_empty() => None,
            None => self.sparse.get(&number).copied(),
        }
    }

    pub fn insert(&mut self, number: u64, value: T) {
        let index = number as usize;
        if index >= self.limit {
            self.sparse.insert(number, value);
            return;
        }
        if index >= self.dense.len() {
            self.dense.resize(index + 1, 0);
        }
        self.dense[index] = value.index() as u32 + 1;
    }

    pub fn clear(&mut self) {
        self.dense.clear();
        self.sparse.clear();
    }
}

/// The words of an infinity (`inf`), the usual NaN (`qnan`), or a quiet (`nan`) or signalling (`snan`) NaN
/// with a payload, the low one first; `None` if the payload does not fit.
pub(super) fn special(ty: Type, negative: bool, name: &[u8], payload: &[u64]) -> Option<[u64; 2]> {
    // Bits of the exponent and of the fraction, and whether the leading one is written.
    let (exponent, fraction, leading) = match ty {
        Type::Half => (5, 10, 0),
        Type::BFloat => (8, 7, 0),
        Type::Float => (8, 23, 0),
        // The first of the two numbers of a `ppc_fp128` is its value.
        Type::Double | Type::PpcFp128 => (11, 52, 0),
        Type::X86Fp80 => (15, 63, 1),
        Type::Fp128 => (15, 112, 0),
        _ => return None,
    };
    let quiet = 1u128 << (fraction - 1);
    let payload = match *payload {
        [] => 0,
        [low] => u128::from(low),
        [low, high] => u128::from(high) << 64 | u128::from(low),
        _ => return None,
    };
    let significand = match name {
        b"inf" => 0,
        b"qnan" => quiet,
        b"nan" if payload < quiet => quiet | payload,
        b"snan" if payload < quiet && payload != 0 => payload,
        _ => return None,
    };
    let head = u128::from(negative) << exponent | ((1 << exponent) - 1);
    let bits = (head << leading | leading) << fraction | significand;
    Some([bits as u64, (bits >> 64) as u64])
}

/// A `double` as the bits of a narrower format with `exponent` and `mantissa` bits, rounded to nearest
/// even; NaNs keep the high bits of their payload.
pub(super) fn narrow(value: f64, exponent: u32, mantissa: u32) -> u64 {
    let bits = value.to_bits();
    let sign = (bits >> 63) << (exponent + mantissa);
    let max_exponent = (1u64 << exponent) - 1;
    let infinity = sign | max_exponent << mantissa;
    let fraction = bits & ((1 << 52) - 1);
    if value.is_nan() {
        let payload = fraction >> (52 - mantissa);
        // A payload that is lost would make it an infinity.
        return infinity | payload.max(1);
    }
    let bias = (1i64 << (exponent - 1)) - 1;
    let power = ((bits >> 52) & 0x7FF) as i64 - 1023;
    if value == 0.0 || power < -1022 {
        return sign;
    }
    if power > bias {
        return infinity;
    }
    // The significand with its leading one, and by how much it must be shifted to fit.
    let significand = fraction | 1 << 52;
    let lost = if power < 1 - bias {
        i64::from(52 - mantissa) + (1 - bias - power)
    } else {
        i64::from(52 - mantissa)
    };
    if lost > 54 {
        return sign;
    }
    let kept = significand >> lost;
    let rest = significand & ((1 << lost) - 1);
    let half = 1u64 << (lost - 1);
    let rounded = kept + u64::from(rest > half || rest == half && kept & 1 == 1);
    let base = if power < 1 - bias {
        0
    } else {
        ((power + bias - 1) as u64) << mantissa
    };
    // A carry out of the significand goes into the exponent, where it belongs.
    sign | (base + rounded).min(max_exponent << mantissa)
}

/// A decimal number as the nearest one of a format with `exponent` and `mantissa` bits, the even one of two that are
/// as near; `None` if that is an infinity, or zero though the number is not.
pub(super) fn nearest(decimal: &str, exponent: u32, mantissa: u32) -> Option<u64> {
    let value: f64 = decimal.parse().ok()?;
    let size = value.abs();
    let sign = u64::from(value.is_sign_negative()) << (exponent + mantissa);
    let (below, above) = (size.next_down(), size.next_up());
    let (low, high) = match size == 0.0 {
        true => (0, 0),
        false => (
            narrow(below, exponent, mantissa),
            narrow(above, exponent, mantissa),
        ),
    };
    // Only a `double` in the middle between two numbers of the format hides on which side of it the decimal number is.
    let bits = match low == high {
        true => low,
        false => match places(decimal).cmp(&places(&format!("{size:.800e}"))) {
            std::cmp::Ordering::Less => low,
            std::cmp::Ordering::Equal => narrow(size, exponent, mantissa),
            std::cmp::Ordering::Greater => high,
        },
    };
    let infinite = bits >> mantissa == (1 << exponent) - 1;
    let lost = bits == 0 && !places(decimal).1.is_empty();
    (!infinite && !lost).then_some(sign | bits)
}

/// The size of a decimal number as the place of its first digit that is not zero, and the digits from there on up to the
/// last that is not zero: such pairs are ordered as the numbers are.
fn places(decimal: &str) -> (i64, Vec<u8>) {
    let decimal = decimal.trim_start_matches(['+', '-']);
    let (digits, power) = match decimal.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, power),
        None => (decimal, "0"),
    };
    let most = match power.starts_with('-') {
        true => i64::MIN / 2,
        false => i64::MAX / 2,
    };
    let power: i64 = power
        .parse()
        .unwrap_or(most)
        .clamp(i64::MIN / 2, i64::MAX / 2);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = whole.bytes().chain(part.bytes());
    let zeros = all.clone().take_while(|&digit| digit == b'0').count();
    let mut all: Vec<u8> = all.skip(zeros).collect();
    while all.last() == Some(&b'0') {
        all.pop();
    }
    match all.is_empty() {
        true => (i64::MIN, all),
        false => (power + whole.len() as i64 - zeros as i64, all),
    }
}

/// The bits of a format with `exponent` and `mantissa` bits as a `double`, which holds them all.
pub(super) fn widen(bits: u64, exponent: u32, mantissa: u32) -> f64 {
    let sign = (bits >> (exponent + mantissa)) << 63;
    let max_exponent = (1u64 << exponent) - 1;
    let bias = max_exponent >> 1;
    let field = bits >> mantissa & max_exponent;
    let fraction = bits & ((1 << mantissa) - 1);
    let high = fraction << (52 - mantissa);
    if field == max_exponent {
        return f64::from_bits(sign | 0x7FF << 52 | high);
    }
    if field == 0 {
        // No leading one: `fraction` times the smallest number of the format.
        let smallest = f64::from_bits((1024 - bias - u64::from(mantissa)) << 52);
        return f64::from_bits((fraction as f64 * smallest).to_bits() | sign);
    }
    f64::from_bits(sign | (field + 1023 - bias) << 52 | high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_testkit::Random;

    #[test]
    fn wide_numbers() {
        assert_eq!(decimal_words(b"18446744073709551616"), [0, 1]);
        assert_eq!(decimal_words(b"18446744073709551615"), [u64::MAX]);
        assert_eq!(hex_words(b"10000000000000002"), [2, 1]);
        let mut words = vec![1];
        negate(&mut words, 128);
        assert_eq!(words, [u64::MAX, u64::MAX]);
        assert_eq!(decimal(b"18446744073709551616"), None);
        assert_eq!(decimal(b""), None);
    }

    #[test]
    fn special_numbers() {
        let low = |ty, negative, name: &[u8], payload| {
            special(ty, negative, name, &[payload]).map(|words| words[0])
        };
        assert_eq!(low(Type::Float, true, b"inf", 0), Some(0xff80_0000));
        assert_eq!(low(Type::Half, false, b"qnan", 0), Some(0x7e00));
        assert_eq!(low(Type::BFloat, false, b"nan", 1), Some(0x7fc1));
        assert_eq!(low(Type::BFloat, false, b"nan", 64), None);
        let bits = Some(f64::NEG_INFINITY.to_bits() | 5);
        assert_eq!(low(Type::Double, true, b"snan", 5), bits);
        assert_eq!(low(Type::Double, true, b"snan", 0), None);
        assert_eq!(
            special(Type::X86Fp80, true, b"inf", &[]),
            Some([1 << 63, 0xffff])
        );
        assert_eq!(
            special(Type::Fp128, false, b"qnan", &[]),
            Some([0, 0x7fff_8000 << 32])
        );
    }

    #[test]
    fn decimals_are_rounded_once() {
        let mut random = Random::new(7);
        for _ in 0..20_000 {
            let state = random.bits();
            let digits = state >> 20;
            let text = match state % 4 {
                0 => format!("{}.{}e-{}", digits % 10, digits, state >> 58),
                1 => format!("-{}.{:06}", digits >> 30, digits % 1_000_000),
                2 => format!("{}.0e+{}", digits, state >> 60),
                _ => format!("0.{:09}", digits % 1_000_000_000),
            };
            let single: f32 = text.parse().expect("a number");
            let wanted = (single.is_finite() && (single != 0.0 || !text.contains(['1', '2'])))
                .then(|| u64::from(single.to_bits()));
            assert_eq!(nearest(&text, 8, 23), wanted, "{text}");
        }
        let half = |text| nearest(text, 5, 10);
        let single = |text| nearest(text, 8, 23);
        assert_eq!(single("1.002960e+00"), Some(0x3f80_60fe));
        assert_eq!(half("1.002960e+00"), Some(0x3c03));
        assert_eq!(nearest("1.1", 8, 7), Some(0x3f8d));
        assert_eq!(half("-0.1"), Some(0xae66));
        // In the middle between 1 and the next number, and so near to it that a `double` does not see it.
        assert_eq!(half("1.00048828125"), Some(0x3c00));
        assert_eq!(half("1.00048828125000000000000001"), Some(0x3c01));
        assert_eq!(half("1.00048828124999999999999999"), Some(0x3c00));
        assert_eq!(half("1.00146484375"), Some(0x3c02));
        assert_eq!(half("1.00146484374999999999999999"), Some(0x3c01));
        assert_eq!(half("-1.00048828125000000000000001"), Some(0xbc01));
        assert_eq!(
            nearest("1.00390625000000000000000000001", 8, 7),
            Some(0x3f81)
        );
        // Too large, too small, and the last that are not.
        assert_eq!(half("65519.999999999999999999999"), Some(0x7bff));
        assert_eq!(half("65520.0"), None);
        assert_eq!(single("1.0e39"), None);
        assert_eq!(single("1.0e-60"), None);
        assert_eq!(half("2.98023223876953125e-8"), None);
        assert_eq!(half("2.98023223876953125000000001e-8"), Some(1));
        assert_eq!(half("0.0"), Some(0));
        assert_eq!(half("-0.000e99"), Some(0x8000));
        assert_eq!(single("1.0e-99999999999999999999"), None);
        assert_eq!(single("1.0e99999999999999999999"), None);
    }

    #[test]
    fn narrowing_agrees_with_hardware() {
        let mut random = Random::new(1);
        for _ in 0..100_000 {
            let state = random.bits();
            let value = f64::from_bits(state);
            // Random exponents are mostly out of range; fold half of them in.
            let value = if state & 1 == 0 || value.is_nan() {
                f64::from(value.to_bits() as u32 as f32) * 1e-44
            } else {
                value
            };
            assert_eq!(
                narrow(value, 8, 23),
                u64::from((value as f32).to_bits()),
                "{value:e}"
            );
        }
        for bits in (0..=u32::MAX).step_by(65_521) {
            let value = widen(u64::from(bits), 8, 23);
            if !value.is_nan() {
                assert_eq!(value.to_bits(), f64::from(f32::from_bits(bits)).to_bits());
            }
        }
        for bits in 0..=0xFFFF {
            assert_eq!(narrow(widen(bits, 5, 10), 5, 10), bits);
            assert_eq!(narrow(widen(bits, 8, 7), 8, 7), bits);
        }
        assert_eq!(narrow(1.5, 5, 10), 0x3E00);
        assert_eq!(narrow(65520.0, 5, 10), 0x7C00);
        assert_eq!(narrow(5.960_464_477_539_063e-8, 5, 10), 1);
    }
}
