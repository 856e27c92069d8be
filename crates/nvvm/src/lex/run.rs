//! How far a run of bytes of one class goes, eight bytes at a time.
//!
//! Tokens are short and their lengths vary, so a loop over bytes ends where no processor foresees it.
//! Eight bytes in a word are tested at once: with the eighth bit of each byte free, adding
//! `128 - low` sets it in the bytes that are at least `low`, and nothing is carried over.

const ONES: u64 = 0x0101_0101_0101_0101;
const EIGHTH: u64 = 0x80 * ONES;

/// Where the run of letters, digits and `_` that starts at `pos` ends.
#[inline]
pub(crate) fn word_end(bytes: &[u8], pos: usize) -> usize {
    run_end(bytes, pos, word_members)
}

/// Where the run of letters, digits and `_ - $ .` that starts at `pos` ends.
#[inline]
pub(crate) fn name_end(bytes: &[u8], pos: usize) -> usize {
    run_end(bytes, pos, |word| {
        let low = word & !EIGHTH;
        word_members(word) | between(low, b'-', b'.') | between(low, b'$', b'$')
    })
}

/// Where the run of digits that starts at `pos` ends.
#[inline]
pub(crate) fn digits_end(bytes: &[u8], pos: usize) -> usize {
    run_end(bytes, pos, |word| between(word & !EIGHTH, b'0', b'9'))
}

fn word_members(word: u64) -> u64 {
    let low = word & !EIGHTH;
    let lower_case = low | (0x20 * ONES);
    between(lower_case, b'a', b'z') | between(low, b'0', b'9') | between(low, b'_', b'_')
}

/// The eighth bit of each byte from `first` to `last`; bytes must be below 128.
fn between(word: u64, first: u8, last: u8) -> u64 {
    (word + u64::from(128 - first) * ONES) & !(word + u64::from(127 - last) * ONES)
}

/// `members` gives the eighth bit of each byte in the class, as far as that byte is below 128; bytes from
/// 128 on and zeros are in no class.
#[inline(always)]
fn run_end(bytes: &[u8], mut pos: usize, members: impl Fn(u64) -> u64) -> usize {
    loop {
        let rest = bytes.get(pos..).unwrap_or(&[]);
        let chunk = match rest.first_chunk() {
            Some(chunk) => *chunk,
            None => {
                let mut padded = [0; 8];
                padded[..rest.len()].copy_from_slice(rest);
                padded
            }
        };
        let word = u64::from_le_bytes(chunk);
        let others = !(members(word) & !word) & EIGHTH;
        if others != 0 {
            return pos + (others.trailing_zeros() / 8) as usize;
        }
        pos += 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=255u8 {
            let word = byte.is_ascii_alphanumeric() || byte == b'_';
            let name = word || matches!(byte, b'-' | b'$' | b'.');
            for place in 0..20 {
                for len in place + 1..22 {
                    let mut bytes = vec![b'7'; len];
                    bytes[place] = byte;
                    let expected = |member| if member { len } else { place };
                    assert_eq!(word_end(&bytes, 0), expected(word), "{byte} at {place}");
                    assert_eq!(name_end(&bytes, 0), expected(name), "{byte} at {place}");
                    let digit = byte.is_ascii_digit();
                    assert_eq!(digits_end(&bytes, 0), expected(digit), "{byte} at {place}");
                }
            }
        }
        assert_eq!(name_end(b"abc", 3), 3);
        assert_eq!(name_end(b"abc", 4), 4);
    }
}
