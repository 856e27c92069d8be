//! Products in tensor memory (`tcgen05.mma`) of one block: what an instruction descriptor specifies, and what is computed.
//!
//! ```text
//!   bits of the descriptor
//!   2 sparse   3 saturate   4-5 type of D   7-9 type of A   10-12 type of B   13, 14 negate A, B
//!   15, 16 A, B turned   17-22 columns / 8   24-28 rows / 16   30-31 shift
//! ```
//!
//! With block scaling bits 4-5 are the first byte of the scale factors of B, 29-30 that of A, and bit 23 is their type. The scale factors of
//! row or column l are in column l / 32 of lane l % 32, counted from their address; one to four bytes of the word.
//!
//! The fields are CUTLASS's. All products of an element are added at once on a wide core, as others found with probing inputs
//! (MMA-Sim: Xie, Wang, Yang and Yang 2025); it was not measured here.

use super::block::{Arithmetic, Elements, Factor, Side};
use super::descriptor::{Major, SharedMatrix};
use super::fused::{Core, Sum};
use super::number::{Format, Number};
use super::scaled::Scale;

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

/// A product in tensor memory.
#[derive(Debug)]
pub struct TensorOperation {
    a: Factor,
    b: Factor,
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
    /// The product of a kind with an instruction descriptor; an error is what is wrong with that.
    pub fn new(kind: TensorKind, descriptor: u32) -> Result<TensorOperation, String> {
        let of = |from, bits| field(descriptor, from, bits);
        let (rows, columns) = (of(24, 5) as usize * 16, of(17, 6) as usize * 8);
        let is_scaled = matches!(kind, TensorKind::Mxf8f6f4 | TensorKind::Mxf4 { .. });
        let fits = match (rows, kind) {
            (128, _) if is_scaled => true,
            _ if is_scaled => false,
            (64, TensorKind::I8) => columns <= 32 || columns.is_multiple_of(16),
            (64, _) => true,
            (128, _) => columns.is_multiple_of(16),
            _ => false,
        };
        if !fits || !(8..=256).contains(&columns) {
            return Err(format!(
                "there is no product of {rows} rows and {columns} columns of this kind"
            ));
        }
        if of(2, 1) == 1 {
            return Err(
                "it specifies a sparse factor, which this instruction does not have".to_owned(),
            );
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
                }
            }
            (_, ty) => return Err(format!("the type {ty} of D does not exist in this kind")),
        };
        let factor = |side: usize, lines: usize| {
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
        Ok(TensorOperation {
            scaling,
            a: factor(0, rows)?,
            b: factor(1, columns)?,
            arithmetic,
        })
    }

    /// Rows of A and D.
    pub fn rows(&self) -> usize {
        self.a.lines
    }

    /// Columns of B and D.
    pub fn columns(&self) -> usize {
        self.b.lines
    }

    /// The lane of tensor memory that a row is in: of 64 rows, each 16 are the first of 32 lanes.
    pub fn lane(&self, row: usize) -> usize {
        match self.a.lines {
            64 => row / 16 * 32 + row % 16,
            _ => row,
        }
    }

    fn factor(&self, side: Side) -> &Factor {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// The addresses of the pieces of a factor.
    pub fn pieces(&self, side: Side, matrix: &SharedMatrix) -> Vec<u32> {
        self.factor(side).pieces(matrix, 0)
    }

    /// The elements of a factor, from the bytes of its pieces.
    pub fn elements(&self, side: Side, bytes: &[u8]) -> Elements {
        self.factor(side).elements(bytes)
    }

    /// Columns of tensor memory that A takes; `None` if it cannot be there.
    pub fn a_columns(&self) -> Option<usize> {
        let fits = self.a.lines == 128 && self.a.packed.is_none() && self.a.major == Major::K;
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

    /// Columns of tensor memory that the scale factors of a factor take.
    pub fn scale_columns(&self, side: Side) -> usize {
        self.factor(side).lines.div_ceil(32)
    }

    /// The same with scale factors: a word for each row of A, and for each column of B.
    pub fn run_scaled(&self, a: &[u32], b: &[u32], words: [&[u32]; 2], old: &[u64]) -> Vec<u64> {
        let Some(scaling) = self.scaling else {
            return self.run(a, b, old);
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
        let (a, b) = ((a, self.a.length), (b, self.b.length));
        self.arithmetic.multiply_scaled(a, b, [&of_a, &of_b], old)
    }

    /// Adds the product to the elements of D, row by row.
    pub fn run(&self, a: &[u32], b: &[u32], old: &[u64]) -> Vec<u64> {
        let (a, b) = ((a, self.a.length), (b, self.b.length));
        self.arithmetic.multiply(a, b, None, old)
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
        let good = |kind, bits| TensorOperation::new(kind, bits).is_ok();
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
        let small = TensorOperation::new(TensorKind::Mxf8f6f4, bits([2, 1], 1, 0)).unwrap();
        assert_eq!(
            (small.scale_columns(Side::A), small.scale_columns(Side::B)),
            (4, 1)
        );
        let ones = vec![0x38; 128 * 32];
        let words: Vec<u32> = (0..128).map(|row| (127 + row % 3) << 16).collect();
        let new = small.run_scaled(
            &ones,
            &ones[..16 * 32],
            [&words, &[126 << 8; 16]],
            &[0; 128 * 16],
        );
        for (at, value) in new.iter().enumerate() {
            let expected = 16.0 * (1 << (at / 16 % 3)) as f32;
            assert_eq!(f32::from_bits(*value as u32), expected);
        }
        let kind = TensorKind::Mxf4 {
            factors: 4,
            fine: true,
        };
        let packed = TensorOperation::new(kind, bits([0, 0], 0, 1)).unwrap();
        let ones = vec![2; 128 * 64];
        let words = [0x3838_4038; 128];
        let new = packed.run_scaled(
            &ones,
            &ones[..16 * 64],
            [&words, &[0x3838_3838; 16]],
            &[0; 128 * 16],
        );
        assert!(
            new.iter()
                .all(|value| f32::from_bits(*value as u32) == 80.0)
        );
        let bad = |kind, bits| TensorOperation::new(kind, bits).is_err();
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
            let operation =
                TensorOperation::new(TensorKind::F8f6f4, descriptor([1, ty, 0], 8, 64)).unwrap();
            let value = |line: usize, k: usize| (line * 3 + k * 5) as u128 % (1 << bits);
            let matrix = SharedMatrix {
                start: 0,
                leading: 128,
                stride: 256,
                base: 0,
                swizzle: Swizzle::Plain,
            };
            let pieces = operation.pieces(Side::A, &matrix);
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
        let operation =
            TensorOperation::new(TensorKind::I8, descriptor([2, 1, 0], 16, 128)).unwrap();
        let words: Vec<u32> = (0..128 * 8).map(|at| 0x0102_fe00 | (at % 128)).collect();
        let a = operation.a_elements(&words);
        assert_eq!(
            (operation.a_columns(), &a[4..8]),
            (Some(8), &[1, 0xfe, 2, 1][..])
        );
        let b: Vec<u32> = (0..16 * 32).map(|at| at / 32).collect();
        let new = operation.run(&a, &b, &[7; 128 * 16]);
        let signed = |k: usize| i64::from(a[32 + k] as u8 as i8);
        let expected = (0..32).map(|k| signed(k) * 3).sum::<i64>() + 7;
        assert_eq!(new[16 + 3] as u32 as i32 as i64, expected);
        assert_eq!(operation.lane(77), 77);
        let half = TensorOperation::new(TensorKind::F16, descriptor([1, 1, 1], 8, 64)).unwrap();
        assert_eq!(
            (half.lane(15), half.lane(16), half.a_columns()),
            (15, 32, None)
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
