//! Integers as MLIR spells them, of any width.

use crate::types::Type;

/// Numbers with more digits are not read: reading takes time in the square of them. The same bound as `nvvm` has.
const MAX_DIGITS: usize = 20_000;

/// The value of a number as it is spelled, if it fits.
pub(crate) fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    match negative {
        true => 0i128.checked_sub_unsigned(value),
        false => value.try_into().ok(),
    }
}

/// Whether a number as it is spelled fits an integer of some bits, as a signed or as an unsigned one.
pub(crate) fn fits(text: &str, ty: &Type) -> bool {
    let bits = match ty {
        Type::Int(bits) => *bits as usize,
        Type::Index => 64,
        _ => return true,
    };
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let words = words(digits);
    let top = words.iter().rposition(|&word| word != 0);
    let used = top.map_or(0, |top| 32 * top + 32 - words[top].leading_zeros() as usize);
    match negative {
        // The lowest number has the bits of a power of two.
        true => used < bits || (used == bits && is_power_of_two(&words)),
        false => used <= bits,
    }
}

/// The number as LLVM IR writes it.
pub(crate) fn in_llvm(text: &str) -> String {
    match text.strip_prefix("0x") {
        Some(hex) => format!("u0x{hex}"),
        None => text.to_owned(),
    }
}

/// Whether a number is too long to be read.
pub(crate) fn is_too_long(text: &str) -> bool {
    text.len() > MAX_DIGITS
}

fn is_power_of_two(words: &[u32]) -> bool {
    words.iter().map(|word| word.count_ones()).sum::<u32>() == 1
}

/// The words of a number without a sign, the lowest first.
fn words(digits: &str) -> Vec<u32> {
    let (digits, base) = match digits.strip_prefix("0x") {
        Some(hex) => (hex, 16),
        None => (digits, 10),
    };
    let mut words: Vec<u32> = Vec::new();
    for digit in digits.chars().filter_map(|digit| digit.to_digit(base)) {
        let mut carry = u64::from(digit);
        for word in &mut words {
            carry += u64::from(*word) * u64::from(base);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            words.push(carry as u32);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_all_widths() {
        let lowest = "-170141183460469231731687303715884105728";
        assert_eq!(integer(lowest), Some(i128::MIN));
        assert_eq!(integer("-0x80"), Some(-128));
        assert_eq!(integer("340282366920938463463374607431768211455"), None);
        for (text, bits, wanted) in [
            (lowest, 128, true),
            (lowest, 127, false),
            ("-170141183460469231731687303715884105729", 128, false),
            ("340282366920938463463374607431768211455", 128, true),
            ("340282366920938463463374607431768211456", 128, false),
            ("340282366920938463463374607431768211456", 129, true),
            ("0xFF", 8, true),
            ("256", 8, false),
            ("-128", 8, true),
            ("-129", 8, false),
            ("1", 1, true),
            ("-1", 1, true),
            ("0", 1, true),
        ] {
            assert_eq!(fits(text, &Type::Int(bits)), wanted, "{text} in {bits}");
        }
        assert_eq!(in_llvm("0x1F"), "u0x1F");
    }
}
