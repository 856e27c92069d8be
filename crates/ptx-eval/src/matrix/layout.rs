//! Where the elements of a warp's matrices lie: which register of which lane, and from which bit on.
//!
//! ```text
//!   lane = 4 * group + thread;  a register holds v = 32 / bits neighbours along k (at least one)
//!
//!   A  rows along k     register r, part p:  row group + 8 (r odd), column (r / 2) 4v + thread v + p
//!   B  columns along k  register r, part p:  row r 4v + thread v + p, column group
//!   C  rows             element i:           row group + 8 (i / 2), column 2 thread + i % 2
//! ```
//!
//! One rule covers every `mma` but `m8n8k4` with `.f16`, which is four products by eight lanes each
//! ([`quad`]). A `wmma` shape is put together of such tiles, one after the other in the registers;
//! `m8n32` is computed as the transposed product, so its fragments are those of `m32n8` with rows and
//! columns exchanged.

use super::{Dims, Lanes};

/// A place of an element: a register of a lane, and the lowest bit there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The register, counted within the operand.
    pub register: u8,
    /// The lane.
    pub lane: u8,
    /// The lowest bit.
    pub shift: u8,
}

/// The places of a matrix, row by row.
#[derive(Clone, Debug)]
pub struct Places {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// Bits of an element.
    pub bits: u32,
    places: Vec<Place>,
}

impl Places {
    fn new(rows: usize, columns: usize, bits: u32, place: impl Fn(usize, usize) -> Place) -> Self {
        let at = |i| place(i / columns, i % columns);
        Places {
            rows,
            columns,
            bits,
            places: (0..rows * columns).map(at).collect(),
        }
    }

    /// Where an element lies.
    pub fn at(&self, row: usize, column: usize) -> Place {
        self.places[row * self.columns + column]
    }

    /// All places, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Place> {
        self.places.iter().copied()
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The elements in registers, row by row, in the low bits.
    pub fn elements(&self, registers: &[Lanes]) -> impl Iterator<Item = u64> {
        let mask = u64::MAX >> (64 - self.bits);
        self.places
            .iter()
            .map(move |place| word(registers, *place) >> place.shift & mask)
    }

    /// How many registers of a lane it takes.
    pub fn registers(&self) -> usize {
        let last = self.places.iter().map(|p| usize::from(p.register)).max();
        last.map_or(0, |r| r + 1)
    }

    /// The same places with rows and columns exchanged.
    fn transposed(&self) -> Places {
        Places::new(self.columns, self.rows, self.bits, |row, column| {
            self.at(column, row)
        })
    }
}

/// The whole register at a place.
pub fn word(registers: &[Lanes], place: Place) -> u64 {
    registers[usize::from(place.register)][usize::from(place.lane)]
}

/// How many elements share a register.
fn per_register(bits: u32) -> usize {
    (32 / bits).max(1) as usize
}

fn place(register: usize, lane: usize, part: usize, bits: u32) -> Place {
    Place {
        register: register as u8,
        lane: lane as u8,
        shift: (part as u32 * bits) as u8,
    }
}

/// The multiplicand A: `m` is a multiple of 8; every 16 rows are a tile of their own.
pub fn multiplicand_a(m: usize, k: usize, bits: u32) -> Places {
    let v = per_register(bits);
    let halves = if m == 8 { 1 } else { 2 };
    let steps = k / (4 * v);
    Places::new(m, k, bits, |row, column| {
        let (tile, row) = (row / 16, row % 16);
        let register = (tile * steps + column / (4 * v)) * halves + row / 8;
        let thread = column % (4 * v) / v;
        place(register, row % 8 * 4 + thread, column % v, bits)
    })
}

/// The multiplicand B: every 8 columns are a tile of their own.
pub fn multiplicand_b(k: usize, n: usize, bits: u32) -> Places {
    let v = per_register(bits);
    let steps = k / (4 * v);
    Places::new(k, n, bits, |row, column| {
        let register = column / 8 * steps + row / (4 * v);
        let thread = row % (4 * v) / v;
        place(register, column % 8 * 4 + thread, row % v, bits)
    })
}

/// The sum C or D: tiles of 16 (or 8) rows and 8 columns, the tiles row by row.
pub fn sum(m: usize, n: usize, bits: u32) -> Places {
    let v = per_register(bits);
    let halves = if m == 8 { 1 } else { 2 };
    let tile_registers = halves * 2 / v;
    Places::new(m, n, bits, |row, column| {
        let tile = row / 16 * (n / 8) + column / 8;
        let element = row % 16 / 8 * 2 + column % 2;
        let register = tile * tile_registers + element / v;
        let lane = row % 8 * 4 + column % 8 / 2;
        place(register, lane, element % v, bits)
    })
}

/// The places of the matrices of one product.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Rows along k; of a sparse matrix what is stored.
    pub a: Places,
    /// Columns along k.
    pub b: Places,
    /// The sum that goes in.
    pub c: Places,
    /// The sum that comes out.
    pub d: Places,
}

/// Bits of the elements of the four matrices.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Widths {
    pub a: u32,
    pub b: u32,
    pub c: u32,
    pub d: u32,
}

/// An `mma` by the whole warp. A sparse A stores `stored` of its `k` columns.
pub fn dense(dims: Dims, stored: usize, widths: Widths) -> Tile {
    Tile {
        a: multiplicand_a(dims.m, stored, widths.a),
        b: multiplicand_b(dims.k, dims.n, widths.b),
        c: sum(dims.m, dims.n, widths.c),
        d: sum(dims.m, dims.n, widths.d),
    }
}

/// A `wmma` shape.
pub fn whole(dims: Dims, widths: Widths) -> Tile {
    if dims.m == 8 && dims.n == 32 {
        let turned = dense(
            Dims {
                m: dims.n,
                n: dims.m,
                k: dims.k,
            },
            dims.k,
            Widths {
                a: widths.b,
                b: widths.a,
                ..widths
            },
        );
        return Tile {
            a: turned.b.transposed(),
            b: turned.a.transposed(),
            c: turned.c.transposed(),
            d: turned.d.transposed(),
        };
    }
    dense(dims, dims.k, widths)
}

/// `m8n8k4` with `.f16`: four products, each by a quad of lanes below 16 and the one 16 above it.
/// A lane has a row of A (a column, if A is by columns) and so on; sums in `.f32` are spread
/// otherwise than sums in `.f16`.
pub fn quad(a_by_rows: bool, b_by_rows: bool, c_bits: u32, d_bits: u32) -> Vec<Tile> {
    let tile = |quad: usize| {
        let lane = |thread: usize, upper: usize| upper * 16 + quad * 4 + thread;
        let pair = |lane: usize, element: usize| place(element / 2, lane, element % 2, 16);
        let sum = |bits: u32| {
            Places::new(8, 8, bits, |row, column| match bits {
                16 => pair(lane(row % 4, row / 4), column),
                _ => {
                    let thread = row & 1 | column & 2;
                    let element = row & 2 | column & 4 | column & 1;
                    place(element, lane(thread, row / 4), 0, 32)
                }
            })
        };
        Tile {
            a: Places::new(8, 4, 16, |row, k| match a_by_rows {
                true => pair(lane(row % 4, row / 4), k),
                false => pair(lane(k, row / 4), row % 4),
            }),
            b: Places::new(4, 8, 16, |k, column| match b_by_rows {
                true => pair(lane(k, column / 4), column % 4),
                false => pair(lane(column % 4, column / 4), k),
            }),
            c: sum(c_bits),
            d: sum(d_bits),
        }
    };
    (0..4).map(tile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn check_exact(places: &Places, registers: usize, lanes: usize) {
        let all: BTreeSet<Place> = places.iter().collect();
        assert_eq!(
            all.len(),
            places.rows * places.columns,
            "no place taken twice"
        );
        assert_eq!(places.registers(), registers);
        let used: BTreeSet<u8> = places.iter().map(|p| p.lane).collect();
        assert_eq!(used.len(), lanes);
    }

    #[test]
    fn fragments_fill_their_registers() {
        let widths = |a, b, c, d| Widths { a, b, c, d };
        let dims = |m, n, k| Dims { m, n, k };
        for (tile, [a, b, c, d]) in [
            (
                dense(dims(16, 8, 16), 16, widths(16, 16, 32, 16)),
                [4, 2, 4, 2],
            ),
            (
                dense(dims(8, 8, 4), 4, widths(64, 64, 64, 64)),
                [1, 1, 2, 2],
            ),
            (
                dense(dims(16, 8, 16), 16, widths(64, 64, 64, 64)),
                [8, 4, 4, 4],
            ),
            (
                dense(dims(16, 8, 64), 32, widths(8, 8, 32, 32)),
                [4, 4, 4, 4],
            ),
            (
                dense(dims(8, 8, 128), 128, widths(1, 1, 32, 32)),
                [1, 1, 2, 2],
            ),
            (
                whole(dims(16, 16, 16), widths(16, 16, 32, 16)),
                [4, 4, 8, 4],
            ),
            (whole(dims(8, 32, 16), widths(16, 16, 32, 32)), [2, 8, 8, 8]),
            (whole(dims(32, 8, 16), widths(8, 8, 32, 32)), [4, 1, 8, 8]),
            (whole(dims(16, 16, 8), widths(32, 32, 32, 32)), [4, 4, 8, 8]),
        ] {
            check_exact(&tile.a, a, 32);
            check_exact(&tile.b, b, 32);
            check_exact(&tile.c, c, 32);
            check_exact(&tile.d, d, 32);
        }
        for (by_rows, c_bits) in [(true, 16), (false, 32)] {
            for tile in quad(by_rows, !by_rows, c_bits, 32) {
                check_exact(&tile.a, 2, 8);
                check_exact(&tile.b, 2, 8);
                check_exact(&tile.c, c_bits as usize / 4, 8);
            }
        }
    }

    /// Examples from the manual's drawings.
    #[test]
    fn known_places() {
        let a = multiplicand_a(16, 16, 16);
        assert_eq!(a.at(9, 11), place(3, 5, 1, 16));
        let b = multiplicand_b(32, 8, 8);
        assert_eq!(b.at(21, 3), place(1, 13, 1, 8));
        assert_eq!(sum(16, 8, 32).at(8, 5), place(3, 2, 0, 32));
        let tile = &quad(true, false, 32, 32)[1];
        assert_eq!(tile.c.at(6, 5), place(7, 20, 0, 32));
    }
}
