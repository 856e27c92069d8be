//! The zero-column mask of a product with a stationary B (`.ws`): which columns of B count as zero.
//!
//! ```text
//!   0-31 start counts, a byte for each part   32-35 first spans   39 not zero   40-47 skip span   48-55 use span   56-61 shift
//! ```
//!
//! In each part of the columns, spans of columns that are used and of columns that are skipped follow each other; the start count leaves out so many
//! at the beginning. The manual's text and its examples disagree about which of the two spans is which; this follows the examples: the skip span
//! is the length of those that count as zero, minus one.

/// A zero-column mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnMask(u64);

impl ColumnMask {
    /// The mask of a descriptor, for products of so many rows; an error is what is wrong with it.
    pub(super) fn new(descriptor: u64, rows: usize, max_shift: u32) -> Result<ColumnMask, String> {
        let mask = ColumnMask(descriptor);
        let most = if rows == 32 { 16 } else { 32 };
        let shift = mask.shift();
        if shift > most {
            return Err(format!("a shift of {shift} columns, of at most {most}"));
        }
        if shift > max_shift {
            return Err(format!(
                "a shift of {shift} columns, and the instruction descriptor has a maximum of {max_shift}"
            ));
        }
        Ok(mask)
    }

    /// By how many columns B is shifted: the first one that is used.
    pub fn shift(self) -> u32 {
        (self.0 >> 56 & 63) as u32
    }

    /// Whether a column of a part counts as zero.
    pub(super) fn is_zero(self, part: u32, column: usize) -> bool {
        if self.0 >> 39 & 1 == 0 {
            return false;
        }
        let byte = |from: u32| (self.0 >> from & 0xff) as usize;
        let (skipped, used) = (byte(40) + 1, byte(48) + 1);
        let at = (column + byte(8 * part)) % (skipped + used);
        match self.0 >> (32 + part) & 1 {
            0 => at >= used,
            _ => at < skipped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first columns of a part as the manual writes them: the first one last.
    fn shown(mask: ColumnMask, part: u32, count: usize) -> String {
        let digit = |column: usize| if mask.is_zero(part, column) { '1' } else { '0' };
        (0..count).rev().map(digit).collect()
    }

    /// The manual's four examples.
    #[test]
    fn examples() {
        let bits = |counts: u32, first: u64, on: u64, shift: u64| {
            u64::from(counts) | first << 32 | on << 39 | 2 << 40 | 3 << 48 | shift << 56
        };
        let of = |bits, rows| ColumnMask::new(bits, rows, 32).unwrap();
        assert_eq!(shown(of(bits(0, 0, 0, 0), 128), 0, 8), "00000000");
        assert_eq!(shown(of(bits(0, 0, 1, 0), 128), 0, 14), "11100001110000");
        let two = of(bits(0, 1, 1, 0), 64);
        assert_eq!(shown(two, 0, 17), "11100001110000111");
        assert_eq!(shown(two, 1, 18), "000011100001110000");
        let four = of(bits(0x0102_0100, 0b0011, 1, 2), 32);
        assert_eq!(shown(four, 0, 14), "00001110000111");
        assert_eq!(shown(four, 1, 13), "0000111000011");
        assert_eq!(shown(four, 2, 12), "111000011100");
        assert_eq!(shown(four, 3, 13), "1110000111000");
        assert_eq!(four.shift(), 2);
        assert!(ColumnMask::new(17 << 56, 32, 32).is_err());
        assert!(ColumnMask::new(17 << 56, 64, 16).is_err());
        assert!(ColumnMask::new(17 << 56, 64, 32).is_ok());
    }
}
