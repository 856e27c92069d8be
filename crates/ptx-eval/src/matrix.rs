//! Matrix instructions of a warp: products (`mma`, `mma.sp`, `wmma.mma`) and the ways of matrices
//! between memory and registers ([`transfer`]).
//!
//! ```text
//!   registers of 32 lanes ── layout ──► elements ── arithmetic ──► elements ── layout ──► registers
//! ```
//!
//! Everything is a pure function of the registers of all lanes. [`layout`] says where an element lies;
//! the arithmetic is exact for integers ([`integer`]), a chain of fused multiply-adds for doubles
//! ([`double`]), and what a Hopper GPU does for the other floats ([`float`]). Products with factors in shared or tensor
//! memory are in [`group`] (`wgmma`) and [`tensor`] (`tcgen05`); their caller fetches the bytes that a [`descriptor`] names.

pub mod block;
pub mod descriptor;
pub mod double;
pub mod float;
pub mod fused;
pub mod group;
pub mod integer;
pub mod layout;
pub mod number;
mod scaled;
pub mod sparse;
pub mod tensor;
pub mod transfer;

pub use transfer::{
    FragmentPiece, FragmentTransfer, RowPiece, fragment_transfer, is_transposition, row_transfer,
    transpose,
};

use double::Rounding;
use float::{Recipe, Sums};
use integer::Integers;
use layout::{Places, Tile, Widths};
use number::Format;
use scaled::{Scales, Scaling};
use sparse::Sparsity;
use warpc_ptx::inst::Choice;
pub use warpc_ptx::table::fragment::Dims;
use warpc_ptx::types::ScalarType;

/// One register of all lanes.
pub type Lanes = [u64; 32];

/// A matrix product made ready.
#[derive(Debug)]
pub struct MatrixOperation {
    /// How many registers it reads in a lane: those of A, B and C, then metadata and selector of a
    /// sparse A, then for A and for B scale factors, a byte selector and a lane selector.
    pub sources: usize,
    /// How many registers it writes in a lane.
    pub results: usize,
    tiles: Vec<Tile>,
    /// The source registers at which B and C begin, and the metadata.
    first: First,
    sparsity: Option<Sparsity>,
    scaling: Option<Scaling>,
    arithmetic: Arithmetic,
}

#[derive(Clone, Copy, Debug)]
struct First {
    b: usize,
    c: usize,
    metadata: usize,
    scales: usize,
}

/// How the products are computed and added.
#[derive(Debug)]
enum Arithmetic {
    Integers(Integers),
    Doubles(Rounding),
    Floats(Recipe),
}

/// Opcode and fixed words of an instruction: `wmma.load.a` has three.
fn opcode_words(choice: &Choice) -> &'static str {
    let form = choice.form.form();
    let syntax = form.row.syntax;
    syntax.split(' ').next().unwrap_or(form.opcode)
}

/// What a matrix product computes; `None` if the instruction is not one.
pub fn product(choice: &Choice) -> Option<MatrixOperation> {
    let words = opcode_words(choice);
    let by_warp = words.starts_with("wmma.mma");
    if !by_warp && !words.starts_with("mma.") {
        return None;
    }
    let dims = Dims::parse(choice.token("shape")?);
    let d = choice.scalar("dtype")?;
    let c = choice.scalar("ctype")?;
    // The `wmma` forms in half precision do not name the type of A and B.
    let a = choice.scalar("atype").unwrap_or(ScalarType::F16);
    let b = choice.scalar("btype").unwrap_or(ScalarType::F16);
    let is_sparse = words.starts_with("mma.sp");
    let scaling = Scaling::of(choice);
    // Floats of 6 and 4 bits have a byte each, unless the kind packs them.
    let bits = |ty: ScalarType| match ty {
        ScalarType::E2m1 if scaled::is_packed(choice) => 4,
        ScalarType::E2m1 | ScalarType::E2m3 | ScalarType::E3m2 => 8,
        _ => ty.bits(),
    };
    let widths = Widths {
        a: bits(a),
        b: bits(b),
        c: c.bits(),
        d: d.bits(),
    };
    let is_quad = !by_warp && a == ScalarType::F16 && dims.m == 8;
    let arithmetic = arithmetic(choice, dims, [d, a, b, c], by_warp)?;
    let tiles = if is_quad {
        let by_rows = |slot| choice.token(slot) == Some(".row");
        layout::quad(by_rows("alayout"), by_rows("blayout"), widths.c, widths.d)
    } else if by_warp {
        vec![layout::whole(dims, widths)]
    } else {
        let stored = if is_sparse { dims.k / 2 } else { dims.k };
        vec![layout::dense(dims, stored, widths)]
    };
    let registers = |places: &Places| match by_warp && places.bits == 16 && a == ScalarType::F16 {
        true => transfer::HALF_REGISTERS,
        false => places.registers(),
    };
    let tile = tiles.first()?;
    let first_b = registers(&tile.a);
    let first_c = first_b + registers(&tile.b);
    let metadata = first_c + tile.c.registers();
    let scales = metadata + if is_sparse { 2 } else { 0 };
    Some(MatrixOperation {
        sources: scales + if scaling.is_some() { 6 } else { 0 },
        results: tile.d.registers(),
        first: First {
            b: first_b,
            c: first_c,
            metadata,
            scales,
        },
        scaling,
        sparsity: is_sparse.then(|| Sparsity::new(dims, widths.a)),
        tiles,
        arithmetic,
    })
}

fn arithmetic(
    choice: &Choice,
    dims: Dims,
    [d, a, b, c]: [ScalarType; 4],
    by_warp: bool,
) -> Option<Arithmetic> {
    if d == ScalarType::F64 {
        return Some(Arithmetic::Doubles(Rounding::of(choice.token("rnd"))));
    }
    if d == ScalarType::S32 {
        let operation = choice.token("bitOp").or(choice.token("op"));
        let integers = Integers::new(a, b, operation, choice.has("satfinite"))?;
        return Some(Arithmetic::Integers(integers));
    }
    let sums = Sums {
        c: float::sum(c)?,
        d: float::sum(d)?,
    };
    // With a kind, elements of 8 bits and less are multiplied as they are.
    let is_packed = scaled::is_packed(choice);
    let is_plain = is_packed || choice.token("kind").is_some() || choice.has("block_scale");
    let format = |ty| match ty {
        ScalarType::E2m1 if !is_packed => Some(Format::MiddleE2m1),
        _ if is_plain => Format::plain(ty),
        _ => Format::of(ty),
    };
    let formats = [format(a)?, format(b)?];
    Some(Arithmetic::Floats(Recipe::new(
        dims, formats, sums, by_warp,
    )))
}

impl MatrixOperation {
    /// How many registers A, B and C take in a lane.
    pub fn operand_registers(&self) -> [usize; 3] {
        let First { b, c, metadata, .. } = self.first;
        [b, c - b, metadata - c]
    }

    /// Whether A is sparse: then metadata and selector follow C.
    pub fn is_sparse(&self) -> bool {
        self.sparsity.is_some()
    }

    /// What is wrong with selectors that are not constants, if anything is.
    pub fn check(&self, sources: &[Lanes]) -> Result<(), String> {
        match &self.scaling {
            Some(scaling) => scaling.check(&sources[self.first.scales..]),
            None => Ok(()),
        }
    }

    /// Computes once. `sources[r][l]` is register `r` of lane `l`; results are written whole.
    pub fn run(&self, sources: &[Lanes], results: &mut [Lanes]) {
        for register in results.iter_mut() {
            *register = [0; 32];
        }
        for tile in &self.tiles {
            self.run_tile(tile, sources, results);
        }
    }

    fn run_tile(&self, tile: &Tile, sources: &[Lanes], results: &mut [Lanes]) {
        let mut columns = [0; MOST_STORED];
        let operands = Operands {
            tile,
            a: sources,
            b: &sources[self.first.b..],
            c: &sources[self.first.c..],
            met: self.sparsity.as_ref().map(|sparsity| {
                let metadata = &sources[self.first.metadata];
                let selector = sources[self.first.metadata + 1][0];
                for (i, column) in columns[..tile.a.len()].iter_mut().enumerate() {
                    let (row, index) = (i / tile.a.columns, i % tile.a.columns);
                    *column = sparsity.column(row, index, metadata, selector) as u16;
                }
                &columns[..tile.a.len()]
            }),
            scales: self.scaling.as_ref().map(|scaling| {
                let lines = (tile.a.rows, tile.b.columns);
                scaling.scales(&sources[self.first.scales..], lines)
            }),
        };
        match &self.arithmetic {
            Arithmetic::Integers(integers) => integers.run(&operands, results),
            Arithmetic::Doubles(rounding) => double::run(&operands, *rounding, results),
            Arithmetic::Floats(recipe) => recipe.run(&operands, results),
        }
    }
}

/// Elements that a sparse A stores, at most: 16 rows of 64.
const MOST_STORED: usize = 1024;

/// The matrices of a product, in the registers of the warp.
struct Operands<'a> {
    tile: &'a Tile,
    a: &'a [Lanes],
    b: &'a [Lanes],
    c: &'a [Lanes],
    /// For each element of A, row by row, the row of B it meets; where there is nothing, its column.
    met: Option<&'a [u16]>,
    scales: Option<Scales>,
}

impl Operands<'_> {
    fn columns(&self) -> usize {
        self.tile.b.columns
    }

    /// Products that are added for each element of the result.
    fn terms(&self) -> usize {
        self.tile.a.columns
    }

    /// The elements of A, row by row.
    fn a(&self) -> impl Iterator<Item = u64> {
        self.tile.a.elements(self.a)
    }

    /// The elements of B, row by row.
    fn b(&self) -> impl Iterator<Item = u64> {
        self.tile.b.elements(self.b)
    }

    /// Sets each element of the result, which was zero, to a function of its row, its column and the
    /// element of C.
    fn map(&self, results: &mut [Lanes], mut element: impl FnMut(usize, usize, u64) -> u64) {
        let columns = self.columns();
        let places = self.tile.d.iter().zip(self.tile.c.elements(self.c));
        for (i, (place, c)) in places.enumerate() {
            let value = element(i / columns, i % columns, c);
            results[usize::from(place.register)][usize::from(place.lane)] |= value << place.shift;
        }
    }
}

#[cfg(test)]
mod tests;
