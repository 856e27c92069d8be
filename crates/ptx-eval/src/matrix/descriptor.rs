//! Matrices in shared memory, as the 64-bit descriptors of `wgmma` and `tcgen05` specify them.
//!
//! ```text
//!   descriptor ── decode ──► SharedMatrix ── piece ──► address of 16 bytes of a line
//! ```
//!
//! A matrix consists of pieces of 16 bytes. Eight of them, at neighbouring multiples of 16 or of the width of the swizzle, form
//! a core matrix; which of the two offsets leads from one core matrix to the next depends on the order:
//!
//! ```text
//!   along k            line l, piece p of its k:      l % 8 × width + l / 8 × stride + p % w × 16 + p / w × leading
//!   across, swizzled   position k, piece p of lines:  k % 8 × width + k / 8 × stride + p % w × 16 + p / w × leading
//!   across, plain      position k, piece p of lines:  k % 8 × 16    + k / 8 × leading + p × stride
//!
//!   width = 16 w bytes, w = 1 (plain), 2, 4 or 8
//! ```
//!
//! The offsets are the manual's and CUTLASS's; that `leading` counts for lines that are longer than a swizzled row follows from
//! the same rule. Swizzling exchanges the pieces of a row by the number of the row, which the address itself has.

/// How 16-byte pieces are exchanged: by the rows of 128 bytes that they are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swizzle {
    /// Not at all.
    Plain,
    /// Two pieces.
    Bytes32,
    /// Four pieces.
    Bytes64,
    /// Eight pieces.
    Bytes128,
    /// Eight pieces, two at a time: by four rows.
    Bytes128Pairs,
}

impl Swizzle {
    /// Pieces of a row.
    fn width(self) -> u32 {
        match self {
            Swizzle::Plain => 1,
            Swizzle::Bytes32 => 2,
            Swizzle::Bytes64 => 4,
            Swizzle::Bytes128 | Swizzle::Bytes128Pairs => 8,
        }
    }
}

/// The order of the elements of a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Major {
    /// Neighbours along k are neighbours in memory.
    K,
    /// Neighbours along the rows of A or the columns of B are.
    Lines,
}

/// A matrix in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedMatrix {
    /// The address, in bytes.
    pub start: u32,
    /// The leading dimension's offset, in bytes.
    pub leading: u32,
    /// The stride dimension's offset, in bytes.
    pub stride: u32,
    /// The number of the row of 128 bytes, modulo 8, at which the pattern of the swizzle begins.
    pub base: u32,
    /// The swizzle.
    pub swizzle: Swizzle,
}

/// Bytes of a piece.
pub const PIECE: u32 = 16;

impl SharedMatrix {
    /// Reads the descriptor of a `wgmma`.
    pub fn of_group(bits: u64) -> SharedMatrix {
        let field = |from: u32| (bits >> from & 0x3fff) as u32 * PIECE;
        SharedMatrix {
            start: field(0),
            leading: field(16),
            stride: field(32),
            base: (bits >> 49 & 7) as u32,
            swizzle: match bits >> 62 {
                0 => Swizzle::Plain,
                1 => Swizzle::Bytes128,
                2 => Swizzle::Bytes64,
                _ => Swizzle::Bytes32,
            },
        }
    }

    /// Reads the descriptor of a `tcgen05` instruction; an error is what is wrong with it.
    pub fn of_tensor(bits: u64) -> Result<SharedMatrix, String> {
        let swizzle = match bits >> 61 {
            0 => Swizzle::Plain,
            1 => Swizzle::Bytes128Pairs,
            2 => Swizzle::Bytes128,
            4 => Swizzle::Bytes64,
            6 => Swizzle::Bytes32,
            other => return Err(format!("there is no swizzle {other}")),
        };
        if bits >> 52 & 1 == 1 {
            return Err(
                "absolute addresses in the place of the leading offset are not emulated".to_owned(),
            );
        }
        Ok(SharedMatrix {
            swizzle,
            ..SharedMatrix::of_group(bits)
        })
    }

    /// The address of a piece: of a line, the piece number `piece` of its k; or, where lines are neighbours, of the position
    /// `line` along k the piece number `piece` of the lines.
    pub fn piece(&self, major: Major, line: u32, piece: u32) -> u32 {
        let width = self.swizzle.width();
        let (row, group) = (line % 8, line / 8);
        let offset = match (major, self.swizzle) {
            (Major::Lines, Swizzle::Plain) => {
                row * PIECE + group * self.leading + piece * self.stride
            }
            _ => {
                row * width * PIECE
                    + group * self.stride
                    + piece % width * PIECE
                    + piece / width * self.leading
            }
        };
        let address = self.start + offset;
        let row = (address >> 7).wrapping_sub(self.base);
        match self.swizzle {
            Swizzle::Bytes128Pairs => address ^ (row & 3) << 5,
            _ => address ^ (row & (width - 1)) << 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(swizzle: Swizzle) -> SharedMatrix {
        SharedMatrix {
            start: 1024,
            leading: 4096,
            stride: 2048,
            base: 0,
            swizzle,
        }
    }

    #[test]
    fn fields_of_a_descriptor() {
        let bits = 0x40 | 0x123 << 16 | 0x3fff << 32 | 5 << 49 | 1 << 62;
        let expected = SharedMatrix {
            start: 0x400,
            leading: 0x1230,
            stride: 0x3fff0,
            base: 5,
            swizzle: Swizzle::Bytes128,
        };
        assert_eq!(SharedMatrix::of_group(bits), expected);
        let swizzles = [0, 1, 2, 3].map(|mode| SharedMatrix::of_group(mode << 62).swizzle);
        use Swizzle::*;
        assert_eq!(swizzles, [Plain, Bytes128, Bytes64, Bytes32]);
    }

    #[test]
    fn descriptors_of_tensor_products() {
        let of = |bits| SharedMatrix::of_tensor(bits);
        let found = of(0x40 | 1 << 46 | 2 << 61).unwrap();
        assert_eq!((found.start, found.swizzle), (0x400, Swizzle::Bytes128));
        assert_eq!(of(4 << 61).unwrap().swizzle, Swizzle::Bytes64);
        assert_eq!(of(6 << 61).unwrap().swizzle, Swizzle::Bytes32);
        assert!(
            [3 << 61, 5 << 61, 7 << 61, 1 << 52]
                .into_iter()
                .all(|bits| of(bits).is_err())
        );
        let pairs = matrix(Swizzle::Bytes128Pairs);
        assert_eq!(pairs.piece(Major::K, 5, 1), 1024 + 5 * 128 + 0x10 + 0x20);
    }

    #[test]
    fn lines_along_k() {
        let plain = matrix(Swizzle::Plain);
        assert_eq!(plain.piece(Major::K, 3, 0), 1024 + 48);
        assert_eq!(plain.piece(Major::K, 9, 1), 1024 + 2048 + 16 + 4096);
        let wide = matrix(Swizzle::Bytes128);
        assert_eq!(wide.piece(Major::K, 0, 1), 1024 + 16);
        assert_eq!(wide.piece(Major::K, 3, 1), 1024 + 3 * 128 + (1 ^ 3) * 16);
        assert_eq!(wide.piece(Major::K, 13, 0), 1024 + 2048 + 5 * 128 + 5 * 16);
        let middle = matrix(Swizzle::Bytes64);
        // Two lines of 64 bytes are in a row of 128.
        assert_eq!(middle.piece(Major::K, 5, 3), 1024 + 5 * 64 + 16);
        let narrow = matrix(Swizzle::Bytes32);
        assert_eq!(narrow.piece(Major::K, 3, 0), 1024 + 3 * 32);
        assert_eq!(narrow.piece(Major::K, 4, 0), 1024 + 4 * 32 + 16);
        // Sparse products have lines of four pieces.
        assert_eq!(narrow.piece(Major::K, 0, 2), 1024 + 4096);
    }

    #[test]
    fn lines_across() {
        let plain = matrix(Swizzle::Plain);
        assert_eq!(plain.piece(Major::Lines, 9, 2), 1024 + 16 + 4096 + 2 * 2048);
        let wide = matrix(Swizzle::Bytes128);
        let expected = 1024 + 128 + 2048 + 4096 + (2 ^ 1) * 16;
        assert_eq!(wide.piece(Major::Lines, 9, 10), expected);
    }

    /// Of a matrix that begins in the middle of the pattern, the rows keep their numbers.
    #[test]
    fn patterns_that_begin_anywhere() {
        let mut middle = matrix(Swizzle::Bytes128);
        middle.start += 32;
        assert_eq!(middle.piece(Major::K, 3, 1), 1024 + 3 * 128);
        middle.start = 1024 + 3 * 128;
        middle.base = 3;
        assert_eq!(middle.piece(Major::K, 0, 1), 1024 + 3 * 128 + 16);
        assert_eq!(middle.piece(Major::K, 6, 0), 1024 + 9 * 128 + 6 * 16);
    }
}
