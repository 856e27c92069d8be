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
//! The arithmetic of 16-bit floats and `.tf32` is that of `mma` on an H200, 8-bit floats are added on a narrow core, and all products of
//! an element at once: so others found with probing inputs (see [`Core::NARROW`]). None of it was measured here with `wgmma`.

use super::block::{Arithmetic, Elements, Factor, Side};
use super::descriptor::{Major, SharedMatrix};
use super::float::sum;
use super::fused::Core;
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
                shift: 0,
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
                packed: None,
                major: major(settings.turned[0]),
            },
            b: Factor {
                lines: dims.n,
                length: k,
                bits,
                packed: None,
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

    fn factor(&self, side: Side) -> &Factor {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// The addresses of the pieces of a factor that a warp needs (of A the rows of the warp with this number), in the order
    /// in which [`GroupOperation::elements`] expects their bytes.
    pub fn pieces(&self, side: Side, matrix: &SharedMatrix, warp: u32) -> Vec<u32> {
        let first = match side {
            Side::A => warp as usize % 4 * ROWS,
            Side::B => 0,
        };
        self.factor(side).pieces(matrix, first)
    }

    /// The elements of a factor, from the bytes of its pieces.
    pub fn elements(&self, side: Side, bytes: &[u8]) -> Elements {
        self.factor(side).elements(bytes)
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
        let (a, b) = ((a, self.a.length), (b, self.b.length));
        let new = self.arithmetic.multiply(a, b, met, &old);
        for register in d.iter_mut() {
            *register = [0; 32];
        }
        for (place, value) in self.d.iter().zip(new) {
            d[usize::from(place.register)][usize::from(place.lane)] |= value << place.shift;
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

#[cfg(test)]
mod tests;
