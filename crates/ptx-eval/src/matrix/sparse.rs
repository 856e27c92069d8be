//! Which columns the stored elements of a sparse matrix belong to.
//!
//! Of each four neighbouring columns two are stored, and two bits of metadata for each say which. The
//! unit is one column for 16- and 8-bit elements; a `.tf32` counts as two units (so that one of two is
//! stored), and two 4-bit elements count as one.
//!
//! ```text
//!   16-bit elements, .tf32      lane of the quad, from the selector on     bits 0-15  row group
//!                               16 units each                              bits 16-31 row group + 8
//!   8-bit elements and less     lane of the quad, from twice the selector on:
//!                               row group + 8 (lane odd), units 32 (lane / 2) ...
//! ```

use super::Dims;

/// How the metadata of an instruction are arranged.
#[derive(Clone, Copy, Debug)]
pub struct Sparsity {
    /// 16 units of two rows in a register, rather than 32 units of one.
    two_rows: bool,
    /// What a unit is.
    units: Units,
    /// How many lanes of a quad hold metadata.
    lanes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Units {
    /// A unit is an element.
    One,
    /// An element is two units.
    Two,
    /// A unit is two elements.
    Half,
}

impl Sparsity {
    /// The arrangement for a shape and the bits of an element.
    pub fn new(dims: Dims, bits: u32) -> Sparsity {
        let (units, count) = match bits {
            32 => (Units::Two, dims.k * 2),
            4 => (Units::Half, dims.k / 2),
            _ => (Units::One, dims.k),
        };
        // Sixteen rows, a bit for each unit (two for each that is stored), 32 in a register; eight
        // quads share them.
        Sparsity {
            two_rows: bits >= 16,
            units,
            lanes: 16 * count / 32 / 8,
        }
    }

    /// The column of the stored element `index` in a row, given the metadata registers of all lanes
    /// and the selector.
    pub fn column(&self, row: usize, index: usize, metadata: &[u64; 32], selector: u64) -> usize {
        // The unit that is stored at this place.
        let stored = match self.units {
            Units::One => index,
            Units::Two => index * 2,
            Units::Half => index / 2,
        };
        let unit = stored / 2 * 4;
        let nibble = unit / 4;
        let first = match self.lanes {
            4 => 0,
            lanes => selector as usize % (4 / lanes) * lanes,
        };
        let (thread, shift) = match self.two_rows {
            true => (nibble / 4, row / 8 * 16 + nibble % 4 * 4),
            false => (row / 8 + nibble / 8 * 2, nibble % 8 * 4),
        };
        let lane = row % 8 * 4 + (first + thread) % 4;
        let place = metadata[lane] >> (shift + stored % 2 * 2) & 3;
        let chosen = unit + place as usize;
        match self.units {
            Units::One => chosen,
            Units::Two => chosen / 2,
            Units::Half => chosen * 2 + index % 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dims(k: usize) -> Dims {
        Dims { m: 16, n: 8, k }
    }

    #[test]
    fn lanes_of_a_quad() {
        for (k, bits, lanes) in [
            (16, 16, 1),
            (32, 16, 2),
            (8, 32, 1),
            (16, 32, 2),
            (32, 8, 2),
            (64, 8, 4),
            (64, 4, 2),
            (128, 4, 4),
        ] {
            assert_eq!(
                Sparsity::new(dims(k), bits).lanes,
                lanes,
                "k{k}, {bits} bits"
            );
        }
    }

    #[test]
    fn halves() {
        let sparsity = Sparsity::new(dims(32), 16);
        let mut metadata = [0x4444_4444_u64; 32];
        // Row 1, units 16 to 19, selector 1: lane 3 of the second quad.
        metadata[7] = 0x4444_444e;
        assert_eq!(sparsity.column(1, 8, &metadata, 1), 18);
        assert_eq!(sparsity.column(1, 9, &metadata, 1), 19);
        assert_eq!(sparsity.column(9, 8, &metadata, 1), 16);
        assert_eq!(sparsity.column(9, 9, &metadata, 1), 17);
    }

    #[test]
    fn other_units() {
        let wide = Sparsity::new(dims(8), 32);
        let metadata = [0x4444_4e44_u64; 32];
        assert_eq!(wide.column(0, 1, &metadata, 2), 2);
        assert_eq!(wide.column(0, 2, &metadata, 2), 5);
        let narrow = Sparsity::new(dims(64), 4);
        let metadata = [0x4444_44e4_u64; 32];
        assert_eq!(narrow.column(8, 4, &metadata, 0), 12);
        assert_eq!(narrow.column(8, 7, &metadata, 0), 15);
    }
}
