//! Where the rows and columns of a product lie in the 128 lanes of a block's tensor memory.
//!
//! ```text
//!   rows of the block   layout                       row r, column c of N
//!   128                 A, D   all lanes             lane r, column c
//!   64, two parts       B, E   two halves of N       lane r + 64 (c / (N/2)), column c % (N/2)
//!   64, spread          C, F   16 of each 32 lanes   lane r / 16 × 32 + r % 16, column c
//!   32, four parts      G      four quarters of N    lane r + 32 (c / (N/4)), column c % (N/4)
//! ```
//!
//! The layouts are the manual's, by their letters; that columns come in parts, and that A and its metadata are there once for each part, is
//! CUTLASS's.

/// How rows and columns are spread over lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// So many parts of the columns one above the other: 1, 2 or 4.
    Parts(u32),
    /// 16 rows in each 32 lanes.
    Halves,
}

impl Spread {
    /// The layout for so many rows of a block.
    pub(super) fn new(rows: usize, pair: bool, stationary: bool, sparse: bool) -> Spread {
        match rows {
            64 if stationary || pair && !sparse => Spread::Parts(2),
            64 => Spread::Halves,
            32 => Spread::Parts(4),
            _ => Spread::Parts(1),
        }
    }

    /// Parts of the columns.
    pub fn parts(self) -> u32 {
        match self {
            Spread::Parts(count) => count,
            Spread::Halves => 1,
        }
    }

    /// The lane of a row in a part.
    pub fn lane(self, row: usize, part: u32) -> u32 {
        let row = row as u32;
        match self {
            Spread::Parts(count) => row + part * (128 / count),
            Spread::Halves => row / 16 * 32 + row % 16,
        }
    }
}
