//! Signed numbers in records: the sign is the lowest bit, so that small numbers of either sign are short.

use crate::inst::Align;

/// A signed number.
#[inline]
pub(super) fn signed(value: i64) -> u64 {
    match value >= 0 {
        true => (value as u64) << 1,
        // The smallest number has no positive counterpart; it becomes minus zero.
        false => (value.unsigned_abs() << 1) | 1,
    }
}

/// The words of a wide number, the low one first, without those at the end that are zero.
pub(super) fn active(words: &[u64]) -> &[u64] {
    let used = words.iter().rposition(|&word| word != 0);
    &words[..used.map_or(1, |last| last + 1).min(words.len())]
}

/// A number of `bits` bits as a signed one.
pub(super) fn sign_extended(value: u64, bits: u32) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

/// The bits, if a condition holds.
pub(super) fn set(condition: bool, bits: u64) -> u64 {
    match condition {
        true => bits,
        false => 0,
    }
}

/// An alignment: its logarithm plus one, zero if there is none.
pub(super) fn align(align: Align) -> u64 {
    align
        .bytes()
        .map_or(0, |bytes| u64::from(bytes.trailing_zeros()) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_is_the_lowest_bit() {
        assert_eq!(signed(0), 0);
        assert_eq!(signed(5), 10);
        assert_eq!(signed(-5), 11);
        assert_eq!(signed(i64::MIN), 1);
        assert_eq!(sign_extended(0xFF, 8), -1);
        assert_eq!(sign_extended(0x7F, 8), 127);
        assert_eq!(active(&[1, 0, 0]), &[1]);
        assert_eq!(active(&[0, 0]), &[0]);
    }
}
