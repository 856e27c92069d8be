//! Metadata of a sparse A in tensor memory: which elements of a row are stored.
//!
//! ```text
//!   units of a row    .kind::f16 and .kind::tf32: 32     others: 64
//!
//!   32   unit u of row r    lane of row (r / 16 × 16 + r % 8 + 8 (u / 16)), bits u % 16 and 16 more for odd r / 8,
//!                           column: the sparsity selector
//!   64   unit u of row r    lane of row r, column u / 32, bits u % 32
//! ```
//!
//! Of four neighbouring units two are stored; their four bits have the places of both. A unit is one element of 8 or 16 bits, half an element
//! of `.kind::tf32` and two elements of 4 bits. The places are those of CUTLASS's `tmem_e_frg` and `tmem_e_frg_ws`; that 64 rows that are spread over
//! halves of 32 lanes have theirs in the same lanes as A and D is the manual's alignment rule.

/// The places that two of four units may have.
const PLACES: [u32; 7] = [0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110];
/// Those that one of two elements of `.kind::tf32` may have.
const WIDE_PLACES: [u32; 2] = [0b0100, 0b1110];

/// How metadata are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Metadata {
    /// Bits of an element: 4, 8, 16 or 32.
    pub(super) bits: u32,
    /// The sparsity selector.
    pub(super) selector: u32,
}

impl Metadata {
    /// Whether a word has units of two rows.
    fn has_two_rows(self) -> bool {
        self.bits >= 16
    }

    /// The columns, from the first one on.
    pub(super) fn columns(self) -> (u32, u32) {
        match self.has_two_rows() {
            true => (self.selector, self.selector + 1),
            false => (0, 2),
        }
    }

    /// The positions along k of the elements that a row stores. `word` gives the word of a row's lane and a column.
    pub(super) fn positions(
        self,
        row: usize,
        stored: usize,
        word: impl Fn(usize, u32) -> u32,
    ) -> Result<Vec<u16>, String> {
        let places = |group: usize| {
            let unit = group * 4;
            match self.has_two_rows() {
                true => {
                    let lane = row / 16 * 16 + row % 8 + unit / 16 * 8;
                    word(lane, self.selector) >> (unit % 16 + row / 8 % 2 * 16) & 15
                }
                false => word(row, unit as u32 / 32) >> (unit % 32) & 15,
            }
        };
        let groups = match self.bits {
            32 => stored,
            4 => stored / 4,
            _ => stored / 2,
        };
        let allowed: &[u32] = if self.bits == 32 {
            &WIDE_PLACES
        } else {
            &PLACES
        };
        let mut found = Vec::with_capacity(stored);
        for group in 0..groups {
            let places = places(group);
            if !allowed.contains(&places) {
                return Err(format!("{places:#06b} for the group {group} of row {row}"));
            }
            let (first, second) = (places as u16 & 3, places as u16 >> 2);
            let start = group as u16;
            match self.bits {
                32 => found.push(start * 2 + first / 2),
                4 => {
                    for unit in [start * 4 + first, start * 4 + second] {
                        found.extend([unit * 2, unit * 2 + 1]);
                    }
                }
                _ => found.extend([start * 4 + first, start * 4 + second]),
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What CUTLASS's layouts give for the bit of an element: lane and bit from the first column on.
    fn of_layout(bits: u32, row: usize, k: usize) -> (usize, usize) {
        match bits {
            16 => (
                row % 8 + row / 16 * 16 + k / 16 * 8,
                k % 16 + row / 8 % 2 * 16,
            ),
            32 => (
                row % 8 + row / 16 * 16 + k / 8 * 8,
                k % 8 * 2 + row / 8 % 2 * 16,
            ),
            8 => (row, k),
            _ => (row, k / 2),
        }
    }

    #[test]
    fn places_of_units() {
        for (bits, length) in [(16, 32), (32, 16), (8, 64), (4, 128)] {
            let metadata = Metadata { bits, selector: 0 };
            for row in [0, 5, 8, 23, 127] {
                let per_group = match bits {
                    32 => 2,
                    4 => 8,
                    _ => 4,
                };
                for group in 0..length / per_group {
                    // Everything has the first places but one group, which has the last.
                    let (lane, bit) = of_layout(bits, row, group * per_group);
                    let word = |at: usize, column: u32| {
                        let usual = 0x4444_4444u32;
                        match (at, column as usize) == (lane, bit / 32) {
                            true => usual | 0xe << (bit % 32),
                            false => usual,
                        }
                    };
                    let found = metadata.positions(row, length / 2, word).unwrap();
                    let mut expected = Vec::new();
                    for other in 0..length / per_group {
                        let start = (other * per_group) as u16;
                        let late = other == group;
                        match bits {
                            32 => expected.push(start + u16::from(late)),
                            4 => expected
                                .extend((0..4).map(|i| start + i + if late { 4 } else { 0 })),
                            _ => expected
                                .extend((0..2).map(|i| start + i + if late { 2 } else { 0 })),
                        }
                    }
                    assert_eq!(found, expected, "{bits} bits, row {row}, group {group}");
                }
            }
        }
    }

    #[test]
    fn places_without_a_meaning() {
        let of = |bits: u32, places: u32| {
            let metadata = Metadata { bits, selector: 1 };
            metadata.positions(0, 8, |_, column| {
                if column == 1 || bits < 16 {
                    places * 0x1111_1111
                } else {
                    0
                }
            })
        };
        assert_eq!(of(16, 0b1001).unwrap()[..4], [1, 2, 5, 6]);
        assert_eq!(of(32, 0b1110).unwrap()[..3], [1, 3, 5]);
        assert_eq!(of(4, 0b1001).unwrap()[..4], [2, 3, 4, 5]);
        for (bits, places) in [
            (16, 0),
            (16, 0b0101),
            (32, 0b1000),
            (8, 0b1111),
            (4, 0b0010),
        ] {
            assert!(of(bits, places).is_err(), "{bits} {places:#b}");
        }
    }
}
