//! Products in tensor memory (`tcgen05.mma`) of a block or a pair of blocks: what an instruction descriptor specifies, and what is computed.
//!
//! ```text
//!   bits of the descriptor
//!   0-1 sparsity selector   2 sparse   3 saturate   4-5 type of D   7-9 type of A   10-12 type of B   13, 14 negate A, B
//!   15, 16 A, B turned   17-22 columns / 8   24-28 rows / 16   30-31 shift
//! ```
//!
//! With block scaling bits 4-5 are the first byte of the scale factors of B, 29-30 that of A, and bit 23 is their type. The scale factors of
//! row or column l are in column l / 32 of lane l % 32, counted from their address; one to four bytes of the word.
//!
//! A pair of blocks has half of the rows of A and D in each, and half of the columns of B. Each block gets its rows of the whole product.
//!
//! The fields are CUTLASS's. All products of an element are added at once on a wide core, as others found with probing inputs
//! (MMA-Sim: Xie, Wang, Yang and Yang 2025); it was not measured here.

mod mask;
mod metadata;
mod place;
mod reduce;

pub use mask::ColumnMask;
pub use place::Spread;
pub use reduce::{Reduced, TensorReduction};

use super::block::{Arithmetic, Elements, Factor, Side};
use super::descriptor::{Major, SharedMatrix};
use super::fused::{Core, Sum};
use super::number::{Format, Number};
use super::scaled::Scale;
use metadata::Metadata;

/// The kind of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorKind {
    /// `.kind::f16`
    F16,
    /// `.kind::tf32`
    Tf32,
    /// `.kind::f8f6f4`
    F8f6f4,
    /// `.kind::i8`
    I8,
    /// `.kind::mxf8f6f4`: one scale factor of a line.
    Mxf8f6f4,
    /// `.kind::mxf4` and `.kind::mxf4nvf4`: two or four scale factors of a line.
    Mxf4 {
        /// How many.
        factors: u32,
        /// Whether they may be `.ue4m3`.
        fine: bool,
    },
}

impl TensorKind {
    /// The kind of a modifier.
    pub fn of_token(token: &str) -> Option<TensorKind> {
        Some(match token {
            ".kind::f16" => TensorKind::F16,
            ".kind::tf32" => TensorKind::Tf32,
            ".kind::f8f6f4" => TensorKind::F8f6f4,
            ".kind::i8" => TensorKind::I8,
            _ => return None,
        })
    }
}

/// How an instruction spreads a product.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TensorForm {
    /// `.cta_group::2`
    pub pair: bool,
    /// `.ws`
    pub stationary: bool,
    /// `.sp`
    pub sparse: bool,
    /// `scale-input-d`: the old sum counts 2 to the minus this.
    pub shift: u8,
}

/// A product in tensor memory.
#[derive(Debug)]
pub struct TensorOperation {
    /// The rows of a block.
    a: Factor,
    /// The columns of a block.
    b: Factor,
    /// All columns.
    columns: usize,
    spread: Spread,
    metadata: Option<Metadata>,
    /// By how many columns B may be shifted.
    max_shift: u32,
    arithmetic: Arithmetic,
    scaling: Option<Scaling>,
}

/// Scale factors.
#[derive(Clone, Copy, Debug)]
struct Scaling {
    ty: Scale,
    /// Factors of a line.
    count: u32,
    /// The first byte of those of A and of B.
    first: [u32; 2],
}

/// The bits of a descriptor from one on.
fn field(descriptor: u32, from: u32, bits: u32) -> u32 {
    descriptor >> from & ((1 << bits) - 1)
}

impl TensorOperation {
    /// The product of a kind and form with an instruction descriptor; an error is what is wrong with that.
    pub fn new(
        kind: TensorKind,
        form: TensorForm,
        descriptor: u32,
    ) -> Result<TensorOperation, String> {
        let of = |from, bits| field(descriptor, from, bits);
        let (rows, columns) = (of(24, 5) as usize * 16, of(17, 6) as usize * 8);
        let is_scaled = matches!(kind, TensorKind::Mxf8f6f4 | TensorKind::Mxf4 { .. });
        if !fits(kind, form, rows, columns) {
            let pair = if form.pair { " for two blocks" } else { "" };
            return Err(format!(
                "there is no product of {rows} rows and {columns} columns of this kind{pair}"
            ));
        }
        match (of(2, 1) == 1, form.sparse) {
            (true, false) => {
                return Err(
                    "it specifies a sparse factor, which this instruction does not have".to_owned(),
                );
            }
            (false, true) => {
                return Err("it specifies no sparse factor, which this instruction has".to_owned());
            }
            _ => {}
        }
        if matches!(kind, TensorKind::Mxf4 { .. }) && of(31, 1) == 1 {
            return Err("products of 96 elements of 4 bits are not emulated".to_owned());
        }
        let types = [of(7, 3), of(10, 3)];
        let turned = [of(15, 1) == 1, of(16, 1) == 1];
        let (bits, length) = match kind {
            TensorKind::F16 => (16, 16),
            TensorKind::Tf32 => (32, 8),
            TensorKind::F8f6f4 | TensorKind::I8 | TensorKind::Mxf8f6f4 => (8, 32),
            TensorKind::Mxf4 { .. } => (4, 64),
        };
        let format = |ty: u32| {
            let small = matches!(kind, TensorKind::F8f6f4 | TensorKind::Mxf8f6f4);
            Some(match (kind, ty) {
                (TensorKind::Mxf4 { .. }, 1) => Format::E2m1,
                (TensorKind::F16, 0) => Format::Half,
                (TensorKind::F16, 1) => Format::Brain,
                (TensorKind::Tf32, 2) => Format::Tensor,
                (_, 0) if small => Format::PlainE4m3,
                (_, 1) if small => Format::PlainE5m2,
                (_, 3) if small => Format::E2m3,
                (_, 4) if small => Format::E3m2,
                (_, 5) if small => Format::E2m1,
                _ => return None,
            })
        };
        let no_type = |ty: u32| format!("the type {ty} of a factor does not exist in this kind");
        let packed = |ty: u32| match (kind, ty) {
            (TensorKind::F8f6f4 | TensorKind::Mxf8f6f4, 3 | 4) => Some(6),
            (TensorKind::F8f6f4 | TensorKind::Mxf8f6f4, 5) => Some(4),
            _ => None,
        };
        let sum = if is_scaled { 1 } else { of(4, 2) };
        let arithmetic = match (kind, sum) {
            (TensorKind::I8, 2) => {
                if let Some(ty) = types.into_iter().find(|ty| *ty > 1) {
                    return Err(no_type(ty));
                }
                Arithmetic::Integers {
                    signed: types.map(|ty| ty == 1),
                    saturate: of(3, 1) == 1,
                }
            }
            (TensorKind::F16 | TensorKind::F8f6f4, 0) | (_, 1) if kind != TensorKind::I8 => {
                let [a, b] = types.map(|ty| format(ty).ok_or_else(|| no_type(ty)));
                Arithmetic::Floats {
                    formats: [a?, b?],
                    negated: of(13, 1) != of(14, 1),
                    sum: if sum == 0 { Sum::Half } else { Sum::Single },
                    core: Core::WIDE,
                    shift: i16::from(form.shift),
                }
            }
            (_, ty) => return Err(format!("the type {ty} of D does not exist in this kind")),
        };
        // Of a sparse A half of the elements are stored, as many as a line has otherwise.
        let factor = |side: usize, lines: usize, length: usize| {
            let packed = packed(types[side]);
            if turned[side] && (packed.is_some() || bits < 8) {
                return Err("elements of less than 8 bits are along k".to_owned());
            }
            Ok(Factor {
                lines,
                length,
                bits,
                packed,
                major: if turned[side] { Major::Lines } else { Major::K },
            })
        };
        let scaling = match kind {
            TensorKind::Mxf8f6f4 => Some((1, false, 3)),
            TensorKind::Mxf4 { factors, fine } => Some((factors, fine, 4 - factors)),
            _ => None,
        };
        let scaling = match scaling {
            None => None,
            Some((count, fine, last)) => {
                let first = [of(29, 2), of(4, 2)];
                if let Some(byte) = first
                    .into_iter()
                    .find(|byte| *byte > last || byte % count != 0)
                {
                    return Err(format!("the scale factors begin in byte {byte}"));
                }
                let ty = if of(23, 1) == 1 {
                    Scale::Ue8m0
                } else {
                    Scale::Ue4m3
                };
                if ty == Scale::Ue4m3 && !fine {
                    return Err("scale factors of this kind are `.ue8m0`".to_owned());
                }
                Some(Scaling { ty, count, first })
            }
        };
        let selector = of(0, 2);
        let metadata = match form.sparse {
            false => None,
            true if bits >= 16 && selector > 1 => {
                return Err(format!("the sparsity selector is {selector}, not 0 or 1"));
            }
            true if bits == 8 && !is_scaled && selector != 0 => {
                return Err(format!("the sparsity selector is {selector}, not 0"));
            }
            true => Some(Metadata { bits, selector }),
        };
        let blocks = if form.pair { 2 } else { 1 };
        let spread = Spread::new(rows / blocks, form.pair, form.stationary, form.sparse);
        let across = if form.sparse { length * 2 } else { length };
        Ok(TensorOperation {
            scaling,
            a: factor(0, rows / blocks, length)?,
            b: factor(1, columns / blocks, across)?,
            columns,
            spread,
            metadata,
            max_shift: [0, 8, 16, 32][of(30, 2) as usize],
            arithmetic,
        })
    }

    /// Rows of A and D in a block.
    pub fn rows(&self) -> usize {
        self.a.lines
    }

    /// Columns of D.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How rows and columns are spread over lanes.
    pub fn spread(&self) -> Spread {
        self.spread
    }

    /// Columns of tensor memory that D takes: those of a part.
    pub fn part_columns(&self) -> usize {
        self.columns / self.spread.parts() as usize
    }

    /// The zero-column mask that a descriptor specifies; an error is what is wrong with it.
    pub fn mask(&self, descriptor: u64) -> Result<ColumnMask, String> {
        let mask = ColumnMask::new(descriptor, self.a.lines, self.max_shift)?;
        let per_piece = 128 / self.b.bits;
        if self.b.major == Major::Lines && mask.shift() % per_piece != 0 {
            let shift = mask.shift();
            return Err(format!(
                "a shift of {shift} columns of a B whose columns are neighbours is not emulated"
            ));
        }
        Ok(mask)
    }

    /// Makes the columns of B that a mask covers zero.
    pub fn masked(&self, mask: ColumnMask, mut b: Elements) -> Elements {
        let width = self.part_columns();
        for (column, line) in b.chunks_exact_mut(self.b.length).enumerate() {
            if mask.is_zero((column / width) as u32, column % width) {
                line.fill(0);
            }
        }
        b
    }

    fn factor(&self, side: Side) -> &Factor {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// The addresses of the pieces of a block's part of a factor, from a line on.
    pub fn pieces(&self, side: Side, matrix: &SharedMatrix, first: u32) -> Vec<u32> {
        self.factor(side).pieces(matrix, first as usize)
    }

    /// The elements of a factor, from the bytes of its pieces.
    pub fn elements(&self, side: Side, bytes: &[u8]) -> Elements {
        self.factor(side).elements(bytes)
    }

    /// Columns of tensor memory that A takes; `None` if it cannot be there.
    pub fn a_columns(&self) -> Option<usize> {
        let fits = self.a.packed.is_none() && self.a.major == Major::K;
        fits.then(|| self.a.length * self.a.bits as usize / 32)
    }

    /// The elements of A, from words of tensor memory, row by row.
    pub fn a_elements(&self, words: &[u32]) -> Elements {
        let bits = self.a.bits;
        let parts = |word: &u32| {
            let word = u64::from(*word);
            (0..32 / bits).map(move |part| {
                (word >> (part * bits) & (u64::from(u32::MAX) >> (32 - bits))) as u32
            })
        };
        words.iter().flat_map(parts).collect()
    }

    /// Columns of tensor memory that the metadata of A take, from their address on; `None` if A is not sparse.
    pub fn metadata_columns(&self) -> Option<(u32, u32)> {
        Some(self.metadata?.columns())
    }

    /// For each stored element of A its position along k. `word` gives the word of metadata that is in the lane of a row and a column.
    pub fn positions(&self, word: impl Fn(usize, u32) -> u32) -> Result<Option<Vec<u16>>, String> {
        let Some(metadata) = self.metadata else {
            return Ok(None);
        };
        let mut all = Vec::with_capacity(self.a.lines * self.a.length);
        for row in 0..self.a.lines {
            all.extend(metadata.positions(row, self.a.length, &word)?);
        }
        Ok(Some(all))
    }

    /// Where the scale factors of a line of a factor are, relative to their address. Those of B come in as many parts as its columns.
    pub fn scale_place(&self, side: Side, line: usize) -> (u32, u32) {
        let (part, line) = match side {
            Side::A => (0, line),
            Side::B => (line / self.part_columns(), line % self.part_columns()),
        };
        let lane = part as u32 * (128 / self.spread.parts()) + line as u32 % 32;
        (lane, line as u32 / 32)
    }

    /// Lanes and columns of tensor memory that the scale factors of a factor take.
    pub fn scale_area(&self, side: Side) -> (u32, u32) {
        let (parts, lines) = match side {
            Side::A => (1, self.a.lines),
            Side::B => (self.spread.parts(), self.part_columns()),
        };
        let lanes = (parts - 1) * (128 / self.spread.parts()) + 32;
        (lanes, lines.div_ceil(32) as u32)
    }

    /// Adds the product to the elements of D, row by row: those of a block, and in the columns of the lines of B that are given.
    pub fn run(&self, factors: &TensorFactors<'_>, old: &[u64]) -> Vec<u64> {
        let TensorFactors { a, b, met, scales } = *factors;
        let (a, b) = ((a, self.a.length), (b, self.b.length));
        let (Some(scaling), Some(words)) = (self.scaling, scales) else {
            return self.arithmetic.multiply(a, b, met, old);
        };
        let of_line = |word: u32, first: u32| -> Vec<Number> {
            let bytes = first..first + scaling.count;
            let byte = |at: u32| (word >> (8 * at)) as u8;
            bytes.map(|at| scaling.ty.decode(byte(at))).collect()
        };
        let [of_a, of_b] = [0, 1].map(|side| -> Vec<Vec<Number>> {
            let words = words[side].iter();
            words
                .map(|word| of_line(*word, scaling.first[side]))
                .collect()
        });
        self.arithmetic
            .multiply_scaled(a, b, (met, [&of_a, &of_b]), old)
    }
}

/// What a block multiplies.
#[derive(Clone, Copy, Debug)]
pub struct TensorFactors<'a> {
    /// The elements of A.
    pub a: &'a [u32],
    /// The elements of lines of B.
    pub b: &'a [u32],
    /// The positions of the elements of a sparse A.
    pub met: Option<&'a [u16]>,
    /// The words of scale factors: one for each row of A, and one for each line of B.
    pub scales: Option<[&'a [u32]; 2]>,
}

/// Whether products of so many rows and columns exist.
fn fits(kind: TensorKind, form: TensorForm, rows: usize, columns: usize) -> bool {
    let is_scaled = matches!(kind, TensorKind::Mxf8f6f4 | TensorKind::Mxf4 { .. });
    let step =
        |from: usize, by: usize| columns.is_multiple_of(by) && (from..=256).contains(&columns);
    match (form.stationary, form.pair) {
        (true, _) if is_scaled => false,
        (true, true) => false,
        (true, false) => {
            matches!(rows, 32 | 64 | 128)
                && matches!((columns, form.sparse), (64 | 128, _) | (256, false))
        }
        (false, true) => {
            matches!(rows, 128 | 256)
                && if kind == TensorKind::I8 {
                    step(32, 32)
                } else {
                    step(16, 16)
                }
        }
        (false, false) => match (rows, kind) {
            (128, _) if is_scaled => step(8, 8),
            _ if is_scaled => false,
            (64, TensorKind::I8) => step(8, 8) && (columns <= 32 || columns.is_multiple_of(16)),
            (64, _) => step(8, 8),
            (128, _) => step(16, 16),
            _ => false,
        },
    }
}

/// The rows of 16 bytes that `tcgen05.cp` copies from shared memory, and where to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorCopy {
    /// Rows in shared memory.
    pub rows: u32,
    /// Pieces of 16 bytes of a row.
    pub pieces: u32,
    /// For each 32 lanes the 32 rows that they get.
    pub quarters: [u32; 4],
}

impl TensorCopy {
    /// The copy of a shape and how it is spread over warps.
    pub fn of_tokens(shape: &str, spread: Option<&str>) -> Option<TensorCopy> {
        let (rows, pieces, quarters) = match (shape, spread) {
            (".128x256b", None) => (128, 2, [0, 1, 2, 3]),
            (".128x128b", None) => (128, 1, [0, 1, 2, 3]),
            (".64x128b", Some(".warpx2::02_13")) => (64, 1, [0, 1, 0, 1]),
            (".64x128b", Some(".warpx2::01_23")) => (64, 1, [0, 0, 1, 1]),
            (".32x128b", Some(".warpx4")) => (32, 1, [0; 4]),
            _ => return None,
        };
        Some(TensorCopy {
            rows,
            pieces,
            quarters,
        })
    }
}

/// Which words of tensor memory `tcgen05.ld` and `tcgen05.st` move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorShape {
    /// `.32x32b`
    Lanes,
    /// `.16x64b`
    Bits64,
    /// `.16x128b`
    Bits128,
    /// `.16x256b`
    Bits256,
    /// `.16x32bx2`, the second half so many columns further.
    Split(u32),
}

impl TensorShape {
    /// The lanes that it covers.
    pub fn lanes(self) -> u32 {
        match self {
            TensorShape::Lanes => 32,
            _ => 16,
        }
    }

    /// The lane and the column, relative to the address, of a register of a thread.
    pub fn place(self, thread: u32, register: u32) -> (u32, u32) {
        let (quad, in_quad) = (thread / 4, thread % 4);
        match self {
            TensorShape::Lanes => (thread, register),
            TensorShape::Split(by) => (thread % 16, register + thread / 16 * by),
            TensorShape::Bits64 => (quad + thread % 2 * 8, register * 2 + in_quad / 2),
            TensorShape::Bits128 => (quad + register % 2 * 8, register / 2 * 4 + in_quad),
            TensorShape::Bits256 => {
                let (part, half, number) = (register % 2, register / 2 % 2, register / 4);
                (quad + half * 8, number * 8 + in_quad * 2 + part)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::descriptor::Swizzle;
    use std::collections::HashSet;

    /// Types of D, A and B, columns and rows.
    fn descriptor([d, a, b]: [u32; 3], columns: u32, rows: u32) -> u32 {
        d << 4 | a << 7 | b << 10 | (columns / 8) << 17 | (rows / 16) << 24
    }

    #[test]
    fn descriptors() {
        let good = |kind, bits| TensorOperation::new(kind, TensorForm::default(), bits).is_ok();
        assert!(good(TensorKind::F16, descriptor([1, 0, 0], 256, 128)));
        assert!(good(TensorKind::F16, descriptor([0, 0, 0], 8, 64)));
        assert!(good(TensorKind::Tf32, descriptor([1, 2, 2], 16, 128)));
        assert!(good(TensorKind::F8f6f4, descriptor([0, 5, 3], 64, 64)));
        assert!(good(TensorKind::I8, descriptor([2, 1, 0], 32, 64)));
        for (kind, bits) in [
            (TensorKind::F16, descriptor([1, 0, 0], 8, 128)),
            (TensorKind::F16, descriptor([1, 0, 0], 0, 128)),
            (TensorKind::F16, descriptor([1, 0, 0], 64, 256)),
            (TensorKind::F16, descriptor([1, 2, 0], 64, 64)),
            (TensorKind::F16, descriptor([2, 0, 0], 64, 64)),
            (TensorKind::F16, descriptor([1, 0, 0], 64, 64) | 4),
            (TensorKind::Tf32, descriptor([0, 2, 2], 64, 64)),
            (TensorKind::F8f6f4, descriptor([1, 2, 0], 64, 64)),
            (TensorKind::F8f6f4, descriptor([1, 5, 0], 64, 64) | 1 << 15),
            (TensorKind::I8, descriptor([2, 2, 0], 64, 64)),
            (TensorKind::I8, descriptor([1, 0, 0], 64, 64)),
            (TensorKind::I8, descriptor([2, 0, 0], 40, 64)),
        ] {
            assert!(!good(kind, bits), "{kind:?} {bits:#x}");
        }
    }

    #[test]
    fn scale_factors() {
        let bits = |sf: [u32; 2], ue8m0: u32, ty: u32| {
            descriptor([0, ty, ty], 16, 128) | sf[0] << 29 | sf[1] << 4 | ue8m0 << 23
        };
        let small = TensorOperation::new(
            TensorKind::Mxf8f6f4,
            TensorForm::default(),
            bits([2, 1], 1, 0),
        )
        .unwrap();
        assert_eq!(
            (small.scale_area(Side::A), small.scale_area(Side::B)),
            ((32, 4), (32, 1))
        );
        let ones = vec![0x38; 128 * 32];
        let words: Vec<u32> = (0..128).map(|row| (127 + row % 3) << 16).collect();
        let factors = TensorFactors {
            a: &ones,
            b: &ones[..16 * 32],
            met: None,
            scales: Some([&words, &[126 << 8; 16]]),
        };
        let new = small.run(&factors, &[0; 128 * 16]);
        for (at, value) in new.iter().enumerate() {
            let expected = 16.0 * (1 << (at / 16 % 3)) as f32;
            assert_eq!(f32::from_bits(*value as u32), expected);
        }
        let kind = TensorKind::Mxf4 {
            factors: 4,
            fine: true,
        };
        let packed = TensorOperation::new(kind, TensorForm::default(), bits([0, 0], 0, 1)).unwrap();
        let ones = vec![2; 128 * 64];
        let words = [0x3838_4038; 128];
        let factors = TensorFactors {
            a: &ones,
            b: &ones[..16 * 64],
            met: None,
            scales: Some([&words, &[0x3838_3838; 16]]),
        };
        let new = packed.run(&factors, &[0; 128 * 16]);
        assert!(
            new.iter()
                .all(|value| f32::from_bits(*value as u32) == 80.0)
        );
        let bad = |kind, bits| TensorOperation::new(kind, TensorForm::default(), bits).is_err();
        assert!(bad(kind, bits([1, 0], 0, 1)) && bad(kind, bits([0, 0], 0, 0)));
        assert!(
            bad(TensorKind::Mxf8f6f4, bits([0, 0], 0, 0)),
            "the type of scale factors"
        );
        assert!(bad(
            TensorKind::Mxf8f6f4,
            descriptor([0, 0, 0], 16, 64) | 1 << 23
        ));
    }

    /// Elements of 4 and 6 bits are at the start of each 16 bytes.
    #[test]
    fn packed_elements() {
        for (ty, bits) in [(5, 4), (3, 6), (0, 8)] {
            let operation = TensorOperation::new(
                TensorKind::F8f6f4,
                TensorForm::default(),
                descriptor([1, ty, 0], 8, 64),
            )
            .unwrap();
            let value = |line: usize, k: usize| (line * 3 + k * 5) as u128 % (1 << bits);
            let matrix = SharedMatrix {
                start: 0,
                leading: 128,
                stride: 256,
                base: 0,
                swizzle: Swizzle::Plain,
            };
            let pieces = operation.pieces(Side::A, &matrix, 0);
            assert_eq!((pieces.len(), pieces[1], pieces[17]), (128, 128, 256 + 128));
            let bytes: Vec<u8> = (0..64)
                .flat_map(|line| [0, 16].map(|k| (line, k)))
                .flat_map(|(line, k)| {
                    let piece =
                        (0..16).fold(0u128, |all, i| all | value(line, k + i) << (bits * i));
                    piece.to_le_bytes()
                })
                .collect();
            let elements = operation.elements(Side::A, &bytes);
            assert_eq!(elements.len(), 64 * 32);
            for (at, element) in elements.iter().enumerate() {
                assert_eq!(u128::from(*element), value(at / 32, at % 32));
            }
        }
    }

    #[test]
    fn products() {
        let operation = TensorOperation::new(
            TensorKind::I8,
            TensorForm::default(),
            descriptor([2, 1, 0], 16, 128),
        )
        .unwrap();
        let words: Vec<u32> = (0..128 * 8).map(|at| 0x0102_fe00 | (at % 128)).collect();
        let a = operation.a_elements(&words);
        assert_eq!(
            (operation.a_columns(), &a[4..8]),
            (Some(8), &[1, 0xfe, 2, 1][..])
        );
        let b: Vec<u32> = (0..16 * 32).map(|at| at / 32).collect();
        let factors = TensorFactors {
            a: &a,
            b: &b,
            met: None,
            scales: None,
        };
        let new = operation.run(&factors, &[7; 128 * 16]);
        let signed = |k: usize| i64::from(a[32 + k] as u8 as i8);
        let expected = (0..32).map(|k| signed(k) * 3).sum::<i64>() + 7;
        assert_eq!(new[16 + 3] as u32 as i32 as i64, expected);
        assert_eq!(operation.spread().lane(77, 0), 77);
        let half = TensorOperation::new(
            TensorKind::F16,
            TensorForm::default(),
            descriptor([1, 1, 1], 8, 64),
        )
        .unwrap();
        assert_eq!(
            (half.spread().lane(15, 0), half.spread().lane(16, 0)),
            (15, 32)
        );
    }

    /// The shapes of the manual's table, and some that are not in it.
    #[test]
    fn forms() {
        let of = |kind, form: TensorForm, columns, rows| {
            let types = match kind {
                TensorKind::I8 => [2, 0, 0],
                TensorKind::Tf32 => [1, 2, 2],
                _ => [1, 0, 0],
            };
            let bits = descriptor(types, columns, rows) | u32::from(form.sparse) << 2;
            TensorOperation::new(kind, form, bits)
        };
        let pair = TensorForm {
            pair: true,
            ..TensorForm::default()
        };
        let stationary = TensorForm {
            stationary: true,
            ..TensorForm::default()
        };
        let sparse = |form: TensorForm| TensorForm {
            sparse: true,
            ..form
        };
        let found = of(TensorKind::F16, pair, 48, 128).unwrap();
        assert_eq!(
            (found.rows(), found.columns(), found.part_columns()),
            (64, 48, 24)
        );
        assert_eq!(found.spread(), Spread::Parts(2));
        let found = of(TensorKind::F16, sparse(pair), 48, 128).unwrap();
        assert_eq!((found.rows(), found.part_columns()), (64, 48));
        assert_eq!(found.spread(), Spread::Halves);
        let found = of(TensorKind::Tf32, pair, 256, 256).unwrap();
        assert_eq!((found.rows(), found.spread()), (128, Spread::Parts(1)));
        let found = of(TensorKind::F8f6f4, stationary, 64, 32).unwrap();
        assert_eq!((found.rows(), found.spread()), (32, Spread::Parts(4)));
        assert_eq!(found.spread().lane(5, 3), 101);
        let found = of(TensorKind::F16, stationary, 128, 64).unwrap();
        assert_eq!(found.spread().lane(5, 1), 69);
        assert!(of(TensorKind::F16, sparse(stationary), 256, 64).is_err());
        assert!(of(TensorKind::F16, stationary, 96, 64).is_err());
        assert!(of(TensorKind::F16, stationary, 64, 256).is_err());
        assert!(of(TensorKind::F16, pair, 24, 128).is_err());
        assert!(of(TensorKind::F16, pair, 64, 64).is_err());
        assert!(of(TensorKind::I8, pair, 48, 128).is_err());
        assert!(of(TensorKind::I8, pair, 64, 128).is_ok());
    }

    /// The sum counts 2 to the minus the shift.
    #[test]
    fn shifted_sums() {
        let form = TensorForm {
            shift: 3,
            ..TensorForm::default()
        };
        let operation =
            TensorOperation::new(TensorKind::F16, form, descriptor([1, 0, 0], 8, 64)).unwrap();
        let factors = TensorFactors {
            a: &[0x3c00; 64 * 16],
            b: &[0x4000; 8 * 16],
            met: None,
            scales: None,
        };
        let new = operation.run(&factors, &[u64::from(12.0f32.to_bits()); 64 * 8]);
        assert!(
            new.iter()
                .all(|value| f32::from_bits(*value as u32) == 33.5)
        );
    }

    /// Every word is moved once.
    #[test]
    fn shapes_cover_their_words() {
        for (shape, registers, columns) in [
            (TensorShape::Lanes, 8, 8),
            (TensorShape::Bits64, 4, 8),
            (TensorShape::Bits128, 4, 8),
            (TensorShape::Bits256, 8, 16),
            (TensorShape::Split(5), 5, 10),
        ] {
            let all =
                (0..32).flat_map(|thread| (0..registers).map(move |r| shape.place(thread, r)));
            let places: HashSet<(u32, u32)> = all.collect();
            assert_eq!(places.len() as u32, 32 * registers, "{shape:?}");
            assert!(
                places
                    .iter()
                    .all(|(lane, column)| *lane < shape.lanes() && *column < columns)
            );
        }
        assert_eq!(TensorShape::Bits256.place(5, 7), (9, 8 + 3));
        assert_eq!(TensorShape::Bits64.place(7, 1), (9, 3));
    }
}
