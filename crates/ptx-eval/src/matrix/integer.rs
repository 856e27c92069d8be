//! Products of integers and of single bits: exact sums, kept in 32 bits.

use super::layout::{Places, word};
use super::{Lanes, Operands};
use warpc_ptx::types::ScalarType;

/// How two elements are multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Multiply {
    /// As numbers.
    Numbers,
    /// 1 where the bits differ.
    Xor,
    /// 1 where both bits are set.
    And,
}

/// What a product of integers computes.
#[derive(Clone, Copy, Debug)]
pub struct Integers {
    multiply: Multiply,
    a: Element,
    b: Element,
    /// Results too large for 32 bits are clamped rather than cut.
    saturate: bool,
}

/// An integer of a multiplicand.
#[derive(Clone, Copy, Debug)]
struct Element {
    bits: u32,
    signed: bool,
}

impl Element {
    fn of(ty: ScalarType) -> Option<Element> {
        let signed = match ty {
            ScalarType::S8 | ScalarType::S4 => true,
            ScalarType::U8 | ScalarType::U4 | ScalarType::B1 => false,
            _ => return None,
        };
        Some(Element {
            bits: ty.bits(),
            signed,
        })
    }

    fn value(self, bits: u64) -> i32 {
        match self.signed {
            true => ((bits as i32) << (32 - self.bits)) >> (32 - self.bits),
            false => bits as i32,
        }
    }
}

impl Integers {
    /// For multiplicands of two types; `operation` is that of single bits.
    pub fn new(
        a: ScalarType,
        b: ScalarType,
        operation: Option<&str>,
        saturate: bool,
    ) -> Option<Integers> {
        let multiply = match operation {
            None => Multiply::Numbers,
            Some(".xor") => Multiply::Xor,
            Some(".and") => Multiply::And,
            Some(_) => return None,
        };
        Some(Integers {
            multiply,
            a: Element::of(a)?,
            b: Element::of(b)?,
            saturate,
        })
    }

    /// Computes a product.
    pub(super) fn run(&self, operands: &Operands<'_>, results: &mut [Lanes]) {
        let saturate = self.saturate;
        let add = |c: u64, sum: i32| {
            let c = c as u32 as i32;
            let total = match saturate {
                true => c.saturating_add(sum),
                false => c.wrapping_add(sum),
            };
            u64::from(total as u32)
        };
        match self.multiply {
            Multiply::Numbers => {
                let sums = Numbers::new(self, operands);
                operands.map(results, |row, column, c| add(c, sums.sum(row, column)));
            }
            Multiply::Xor => {
                let sums = Bits::new(operands);
                let count = |row, column| sums.count(row, column, |a, b| a ^ b);
                operands.map(results, |row, column, c| add(c, count(row, column)));
            }
            Multiply::And => {
                let sums = Bits::new(operands);
                let count = |row, column| sums.count(row, column, |a, b| a & b);
                operands.map(results, |row, column, c| add(c, count(row, column)));
            }
        }
    }
}

/// Elements of a multiplicand, at most: 16 rows of 64, or 128 rows of 8.
const MOST: usize = 1024;

/// The multiplicands as numbers. Sixteen bits are enough, and of so many a processor multiplies and
/// adds eight at once.
struct Numbers<'a> {
    a: [i16; MOST],
    /// Columns one after the other: sums run along them.
    b: [i16; MOST],
    /// Products of a sum.
    terms: usize,
    /// Elements of a column of B.
    length: usize,
    met: Option<&'a [u16]>,
}

impl<'a> Numbers<'a> {
    fn new(integers: &Integers, operands: &Operands<'a>) -> Numbers<'a> {
        let (columns, length) = (operands.columns(), operands.tile.b.rows);
        let (mut a, mut b) = ([0; MOST], [0; MOST]);
        for (to, bits) in a.iter_mut().zip(operands.a()) {
            *to = integers.a.value(bits) as i16;
        }
        for (i, bits) in operands.b().enumerate() {
            b[i % columns * length + i / columns] = integers.b.value(bits) as i16;
        }
        Numbers {
            a,
            b,
            terms: operands.terms(),
            length,
            met: operands.met,
        }
    }

    /// At most 128 products of 16 bits: far from overflowing.
    fn sum(&self, row: usize, column: usize) -> i32 {
        let a = &self.a[row * self.terms..][..self.terms];
        let b = &self.b[column * self.length..][..self.length];
        let times = |a: i16, b: i16| i32::from(a) * i32::from(b);
        match self.met {
            None => a.iter().zip(b).map(|(a, b)| times(*a, *b)).sum(),
            Some(met) => {
                let met = &met[row * self.terms..][..self.terms];
                let products = a.iter().zip(met);
                products
                    .map(|(a, met)| times(*a, b[usize::from(*met)]))
                    .sum()
            }
        }
    }
}

/// Words of single bits of a multiplicand, at most: 16 rows of 8 words.
const MOST_WORDS: usize = 128;

/// The multiplicands as words of single bits: a register holds 32 neighbours along k.
struct Bits {
    /// Rows one after the other.
    a: [u32; MOST_WORDS],
    /// Columns one after the other.
    b: [u32; MOST_WORDS],
    /// Words of a row or column.
    length: usize,
}

impl Bits {
    fn new(operands: &Operands<'_>) -> Bits {
        let length = operands.terms() / 32;
        let words = |places: &Places, registers: &[Lanes], by_rows: bool| {
            let mut words = [0; MOST_WORDS];
            for (i, to) in words[..places.len() / 32].iter_mut().enumerate() {
                let (line, at) = (i / length, i % length * 32);
                let place = match by_rows {
                    true => places.at(line, at),
                    false => places.at(at, line),
                };
                *to = word(registers, place) as u32;
            }
            words
        };
        Bits {
            a: words(&operands.tile.a, operands.a, true),
            b: words(&operands.tile.b, operands.b, false),
            length,
        }
    }

    fn count(&self, row: usize, column: usize, multiply: impl Fn(u32, u32) -> u32) -> i32 {
        let a = &self.a[row * self.length..][..self.length];
        let b = &self.b[column * self.length..][..self.length];
        let bits = a.iter().zip(b).map(|(a, b)| multiply(*a, *b).count_ones());
        bits.sum::<u32>() as i32
    }
}
