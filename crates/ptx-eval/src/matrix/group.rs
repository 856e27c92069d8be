//! Products of a warpgroup (`wgmma`): what one of its four warps computes.
//!
//! ```text
//!   A  16 rows of the warp: its registers, or pieces of 16 bytes of shared memory ─┐
//!   B  all columns: pieces of 16 bytes of shared memory ───────────────────────────┼──► D += A B, in registers
//!   D  16 rows of the warp: registers ─────────────────────────────────────────────┘
//! ```
//!
//! Fragments in registers are those of `mma` with 16 rows ([`super::layout`]), the metadata of a sparse A those of `mma.sp`
//! with the same k ([`super::sparse`]). A product adds all terms of an element at once ([`super::fused`]).
//!
//! The arithmetic of 16-bit floats and `.tf32` is that of `mma` on an H200. That 8-bit floats are added on a narrow core, and all
//! of them at once, was found by others (see [`Core::NARROW`]); it was not measured here.

use super::descriptor::{Major, PIECE, SharedMatrix};
use super::float::sum;
use super::fused::{Core, Factors, Sum, add_products_on};
use super::layout::{self, Places};
use super::number::Format;
use super::sparse::Sparsity;
use super::{Dims, Lanes, opcode_words};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::ScalarType;

/// Rows of a warp.
const ROWS: usize = 16;

/// What the immediate operands of a product specify.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Whether the elements of A and B are negated.
    pub negated: [bool; 2],
    /// Whether A and B are turned in memory: neighbours along their lines are neighbours in memory.
    pub turned: [bool; 2],
}

/// A or B.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first factor.
    A,
    /// The second factor.
    B,
}

/// A product of a warpgroup made ready.
#[derive(Debug)]
pub struct GroupOperation {
    a: Factor,
    b: Factor,
    /// Where A is in registers.
    a_places: Places,
    d: Places,
    sparsity: Option<Sparsity>,
    arithmetic: Arithmetic,
}

/// A factor: lines along k.
#[derive(Clone, Copy, Debug)]
struct Factor {
    lines: usize,
    /// Elements of a line.
    length: usize,
    /// Bits of an element.
    bits: u32,
    major: Major,
}

#[derive(Clone, Copy, Debug)]
enum Arithmetic {
    Floats {
        formats: [Format; 2],
        negated: bool,
        sum: Sum,
        core: Core,
    },
    Integers {
        signed: [bool; 2],
        saturate: bool,
    },
    /// Words of single bits: where both are set.
    Bits,
}

/// A factor's elements, line by line.
pub type Elements = Vec<u32>;

impl GroupOperation {
    /// The product of an instruction; `None` if it is not a `wgmma.mma_async`.
    pub fn new(choice: &Choice, settings: Settings) -> Option<GroupOperation> {
        let words = opcode_words(choice);
        if !words.starts_with("wgmma.mma_async") {
            return None;
        }
        let dims = Dims::parse(choice.token("shape")?);
        let d = choice.scalar("dtype")?;
        let a = choice.scalar("atype").unwrap_or(ScalarType::B1);
        // Where a form names one type, both factors have it.
        let b = choice.scalar("btype").unwrap_or(a);
        let is_sparse = words.starts_with("wgmma.mma_async.sp");
        let arithmetic = match (d, a) {
            (_, ScalarType::B1) => Arithmetic::Bits,
            (ScalarType::S32, _) => Arithmetic::Integers {
                signed: [a, b].map(|ty| ty == ScalarType::S8),
                saturate: choice.has("satfinite"),
            },
            _ => Arithmetic::Floats {
                formats: [Format::plain(a)?, Format::plain(b)?],
                negated: settings.negated[0] != settings.negated[1],
                sum: sum(d)?,
                core: if a.bits() == 8 {
                    Core::NARROW
                } else {
                    Core::WIDE
                },
            },
        };
        // Single bits are computed in words.
        let (bits, k) = match a.bits() {
            1 => (32, dims.k / 32),
            bits => (bits, dims.k),
        };
        let stored = if is_sparse { k / 2 } else { k };
        let major = |turned: bool| if turned { Major::Lines } else { Major::K };
        Some(GroupOperation {
            a: Factor {
                lines: ROWS,
                length: stored,
                bits,
                major: major(settings.turned[0]),
            },
            b: Factor {
                lines: dims.n,
                length: k,
                bits,
                major: major(settings.turned[1]),
            },
            a_places: layout::multiplicand_a(ROWS, stored, bits),
            d: layout::sum(ROWS, dims.n, d.bits()),
            sparsity: is_sparse.then(|| {
                let dims = Dims { m: ROWS, ..dims };
                Sparsity::new(dims, a.bits())
            }),
            arithmetic,
        })
    }

    /// What products that follow one another without a wait must have in common: columns, and bits of an element of D.
    pub fn shape(&self) -> (usize, u32) {
        (self.d.columns, self.d.bits)
    }

    /// How many registers of a lane A takes, if it is in registers.
    pub fn a_registers(&self) -> usize {
        self.a_places.registers()
    }

    /// How many registers of a lane D takes.
    pub fn d_registers(&self) -> usize {
        self.d.registers()
    }

    /// Whether A is sparse.
    pub fn is_sparse(&self) -> bool {
        self.sparsity.is_some()
    }

    fn factor(&self, side: Side) -> Factor {
        match side {
            Side::A => self.a,
            Side::B => self.b,
        }
    }

    /// The addresses of the pieces of a factor that a warp needs (of A the rows of the warp with this number), in the order
    /// in which [`GroupOperation::elements`] expects their bytes.
    pub fn pieces(&self, side: Side, matrix: &SharedMatrix, warp: u32) -> Vec<u32> {
        let factor = self.factor(side);
        let first = match side {
            Side::A => warp % 4 * ROWS as u32,
            Side::B => 0,
        };
        let per_piece = PIECE * 8 / factor.bits;
        let (lines, length) = (factor.lines as u32, factor.length as u32);
        let mut pieces = Vec::new();
        match factor.major {
            Major::K => {
                for line in first..first + lines {
                    let own = 0..length / per_piece;
                    pieces.extend(own.map(|piece| matrix.piece(Major::K, line, piece)));
                }
            }
            Major::Lines => {
                let own = first / per_piece..(first + lines) / per_piece;
                for k in 0..length {
                    let own = own.clone();
                    pieces.extend(own.map(|piece| matrix.piece(Major::Lines, k, piece)));
                }
            }
        }
        pieces
    }

    /// The elements of a factor, from the bytes of its pieces.
    pub fn elements(&self, side: Side, bytes: &[u8]) -> Elements {
        let factor = self.factor(side);
        let width = factor.bits as usize / 8;
        let little = |bytes: &[u8]| {
            let shifted = bytes.iter().rev();
            shifted.fold(0, |value, byte| value << 8 | u32::from(*byte))
        };
        let in_memory = bytes.chunks_exact(width).map(little);
        match factor.major {
            Major::K => in_memory.collect(),
            Major::Lines => {
                let mut elements = vec![0; factor.lines * factor.length];
                for (at, element) in in_memory.enumerate() {
                    let (k, line) = (at / factor.lines, at % factor.lines);
                    elements[line * factor.length + k] = element;
                }
                elements
            }
        }
    }

    /// The elements of A, from the registers of the warp.
    pub fn a_elements(&self, registers: &[Lanes]) -> Elements {
        let elements = self.a_places.elements(registers);
        elements.map(|element| element as u32).collect()
    }

    /// Adds the product to `d`, the registers of the warp; or replaces them by the product. `metadata` is that of a sparse A:
    /// a register of the warp, and the selector.
    pub fn run(
        &self,
        a: &[u32],
        b: &[u32],
        metadata: Option<(&Lanes, u64)>,
        (d, adds): (&mut [Lanes], bool),
    ) {
        let met = match (&self.sparsity, metadata) {
            (Some(sparsity), Some((metadata, selector))) => {
                Some(self.met(sparsity, metadata, selector))
            }
            _ => None,
        };
        let met = met.as_deref();
        let old: Vec<u64> = match adds {
            true => self.d.elements(d).collect(),
            false => vec![0; self.d.len()],
        };
        let mut new = vec![0; old.len()];
        match self.arithmetic {
            Arithmetic::Floats {
                formats,
                negated,
                sum,
                core,
            } => {
                let a = Line::all(a, self.a.length, formats[0], negated);
                let b = Line::all(b, self.b.length, formats[1], false);
                self.each(&mut new, |row, column, at| {
                    let (a, b) = (&a[row], &b[column]);
                    let chosen =
                        met.map(|met| b.chosen(&met[row * self.a.length..][..self.a.length]));
                    let b = chosen.as_ref().unwrap_or(b);
                    let c = (old[at] as u32, sum);
                    u64::from(add_products_on(core, a.factors(), b.factors(), c))
                });
            }
            Arithmetic::Integers { signed, saturate } => {
                let [a, b] = [(a, signed[0]), (b, signed[1])].map(|(elements, signed)| {
                    let value = |element: &u32| match signed {
                        true => i32::from(*element as u8 as i8),
                        false => *element as i32,
                    };
                    elements.iter().map(value).collect::<Vec<i32>>()
                });
                self.each(&mut new, |row, column, at| {
                    let a = &a[row * self.a.length..][..self.a.length];
                    let b = &b[column * self.b.length..][..self.b.length];
                    // At most 32 products of 16 bits.
                    let sum: i32 = match met {
                        None => a.iter().zip(b).map(|(a, b)| a * b).sum(),
                        Some(met) => {
                            let met = &met[row * self.a.length..][..self.a.length];
                            let products = a.iter().zip(met);
                            products.map(|(a, met)| a * b[usize::from(*met)]).sum()
                        }
                    };
                    let c = old[at] as u32 as i32;
                    let total = match saturate {
                        true => c.saturating_add(sum),
                        false => c.wrapping_add(sum),
                    };
                    u64::from(total as u32)
                });
            }
            Arithmetic::Bits => self.each(&mut new, |row, column, at| {
                let a = &a[row * self.a.length..][..self.a.length];
                let b = &b[column * self.b.length..][..self.b.length];
                let ones: u32 = a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum();
                u64::from((old[at] as u32).wrapping_add(ones))
            }),
        }
        for register in d.iter_mut() {
            *register = [0; 32];
        }
        for (place, value) in self.d.iter().zip(new) {
            d[usize::from(place.register)][usize::from(place.lane)] |= value << place.shift;
        }
    }

    /// Sets every element of D to a function of its row, its column and its number.
    fn each(&self, new: &mut [u64], element: impl Fn(usize, usize, usize) -> u64) {
        for (at, value) in new.iter_mut().enumerate() {
            *value = element(at / self.b.lines, at % self.b.lines, at);
        }
    }

    /// For each stored element of A, row by row, the position along k that it belongs to.
    fn met(&self, sparsity: &Sparsity, metadata: &Lanes, selector: u64) -> Vec<u16> {
        let stored = 0..self.a.length;
        (0..ROWS)
            .flat_map(|row| {
                let column = move |index| sparsity.column(row, index, metadata, selector) as u16;
                stored.clone().map(column)
            })
            .collect()
    }
}

/// The numbers of a line, taken apart.
struct Line {
    values: Vec<f64>,
    exponents: Vec<i16>,
}

impl Line {
    fn all(elements: &[u32], length: usize, format: Format, negated: bool) -> Vec<Line> {
        let line = |line: &[u32]| {
            let numbers = line.iter().map(|bits| {
                let number = format.decode(u64::from(*bits));
                let value = if negated { -number.value } else { number.value };
                (value, number.exponent)
            });
            let (values, exponents) = numbers.unzip();
            Line { values, exponents }
        };
        elements.chunks_exact(length).map(line).collect()
    }

    /// The numbers at some positions.
    fn chosen(&self, positions: &[u16]) -> Line {
        let of = |at: &u16| {
            (
                self.values[usize::from(*at)],
                self.exponents[usize::from(*at)],
            )
        };
        let (values, exponents) = positions.iter().map(of).unzip();
        Line { values, exponents }
    }

    fn factors(&self) -> Factors<'_> {
        Factors {
            values: &self.values,
            exponents: &self.exponents,
        }
    }
}

#[cfg(test)]
mod tests;
