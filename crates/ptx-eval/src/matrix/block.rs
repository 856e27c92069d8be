//! Products of two factors in memory, given line by line: what `wgmma` and `tcgen05.mma` have in common.

use super::descriptor::{Major, PIECE, SharedMatrix};
use super::fused::{Core, Factors, Sum, add_products_shifted};
use super::number::{Format, Number};
use super::scaled::{add_groups, scaled};

/// A or B.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first factor.
    A,
    /// The second factor.
    B,
}

/// A factor's elements, line by line.
pub type Elements = Vec<u32>;

/// A factor: lines along k.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factor {
    pub(super) lines: usize,
    /// Elements of a line.
    pub(super) length: usize,
    /// Bits that an element takes in memory.
    pub(super) bits: u32,
    /// Bits of an element if those of a piece are at its start, without gaps.
    pub(super) packed: Option<u32>,
    pub(super) major: Major,
}

impl Factor {
    /// The addresses of the pieces of the lines from one on, in the order in which [`Factor::elements`] expects their bytes.
    pub(super) fn pieces(&self, matrix: &SharedMatrix, first: usize) -> Vec<u32> {
        let per_piece = PIECE * 8 / self.bits;
        let (first, lines, length) = (first as u32, self.lines as u32, self.length as u32);
        let mut pieces = Vec::new();
        match self.major {
            Major::K => {
                for line in first..first + lines {
                    let own = 0..length / per_piece;
                    pieces.extend(own.map(|piece| matrix.piece(Major::K, line, piece)));
                }
            }
            Major::Lines => {
                let own = first / per_piece..(first + lines).div_ceil(per_piece);
                for k in 0..length {
                    let own = own.clone();
                    pieces.extend(own.map(|piece| matrix.piece(Major::Lines, k, piece)));
                }
            }
        }
        pieces
    }

    /// The elements, from the bytes of the pieces.
    pub(super) fn elements(&self, bytes: &[u8]) -> Elements {
        let little = |bytes: &[u8]| {
            let shifted = bytes.iter().rev();
            shifted.fold(0, |value: u128, byte| value << 8 | u128::from(*byte))
        };
        let pieces = bytes.chunks_exact(PIECE as usize).map(little);
        let step = self.packed.unwrap_or(self.bits);
        let mask = u128::from(u32::MAX >> (32 - step));
        let per_piece = PIECE * 8 / self.bits;
        let in_memory = pieces.flat_map(|piece| {
            (0..per_piece).map(move |index| (piece >> (index * step) & mask) as u32)
        });
        match self.major {
            Major::K => in_memory.collect(),
            Major::Lines => {
                // The last piece of a position may have more lines than there are.
                let stored = self.lines.next_multiple_of(per_piece as usize);
                let mut elements = vec![0; self.lines * self.length];
                for (at, element) in in_memory.enumerate() {
                    let (k, line) = (at / stored, at % stored);
                    if line < self.lines {
                        elements[line * self.length + k] = element;
                    }
                }
                elements
            }
        }
    }
}

/// How products are computed and added.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arithmetic {
    Floats {
        formats: [Format; 2],
        negated: bool,
        sum: Sum,
        core: Core,
        /// The old sum counts 2 to the minus this.
        shift: i16,
    },
    Integers {
        signed: [bool; 2],
        saturate: bool,
    },
    /// Words of single bits: where both are set.
    Bits,
}

/// A factor's elements and how many a line has.
pub(super) type Lined<'a> = (&'a [u32], usize);

/// The scale factors of lines of A and of B.
pub(super) type LineScales<'a> = [&'a [Vec<Number>]; 2];

impl Arithmetic {
    /// The same of floats with scale factors: one of a line, or one of each part of a line.
    pub(super) fn multiply_scaled(
        &self,
        (a, a_length): Lined<'_>,
        (b, b_length): Lined<'_>,
        (met, [of_a, of_b]): (Option<&[u16]>, LineScales<'_>),
        old: &[u64],
    ) -> Vec<u64> {
        let Arithmetic::Floats {
            formats,
            negated,
            sum,
            core,
            shift,
        } = *self
        else {
            return self.multiply((a, a_length), (b, b_length), met, old);
        };
        let mut a = Line::all(a, a_length, formats[0], negated);
        let mut b = Line::all(b, b_length, formats[1], false);
        let in_groups = of_a.first().is_some_and(|factors| factors.len() > 1);
        if !in_groups {
            for (line, factors) in a.iter_mut().zip(of_a).chain(b.iter_mut().zip(of_b)) {
                line.scale(factors[0]);
            }
        }
        let columns = b.len();
        let value = |(at, old): (usize, &u64)| {
            let (row, column, c) = (at / columns, at % columns, *old as u32);
            let chosen = met.map(|met| b[column].chosen(&met[row * a_length..][..a_length]));
            let of_column = chosen.as_ref().unwrap_or(&b[column]);
            let factors = (a[row].factors(), of_column.factors());
            u64::from(match in_groups {
                true => add_groups(factors, (&of_a[row], &of_b[column]), c),
                false => add_products_shifted(core, factors.0, factors.1, (c, sum, shift)),
            })
        };
        old.iter().enumerate().map(value).collect()
    }

    /// Adds the product of two factors to the elements of `old`, row by row. For a sparse A, `met` has for each of its elements the
    /// position along k.
    pub(super) fn multiply(
        &self,
        (a, a_length): Lined<'_>,
        (b, b_length): Lined<'_>,
        met: Option<&[u16]>,
        old: &[u64],
    ) -> Vec<u64> {
        let columns = b.len() / b_length;
        let each = |element: &dyn Fn(usize, usize, u32) -> u32| -> Vec<u64> {
            let value = |(at, old): (usize, &u64)| element(at / columns, at % columns, *old as u32);
            let values = old.iter().enumerate().map(value);
            values.map(u64::from).collect()
        };
        match *self {
            Arithmetic::Floats {
                formats,
                negated,
                sum,
                core,
                shift,
            } => {
                let a = Line::all(a, a_length, formats[0], negated);
                let b = Line::all(b, b_length, formats[1], false);
                each(&|row, column, c| {
                    let (a, b) = (&a[row], &b[column]);
                    let chosen = met.map(|met| b.chosen(&met[row * a_length..][..a_length]));
                    let b = chosen.as_ref().unwrap_or(b);
                    add_products_shifted(core, a.factors(), b.factors(), (c, sum, shift))
                })
            }
            Arithmetic::Integers { signed, saturate } => {
                let [a, b] = [(a, signed[0]), (b, signed[1])].map(|(elements, signed)| {
                    let value = |element: &u32| match signed {
                        true => i32::from(*element as u8 as i8),
                        false => *element as i32,
                    };
                    elements.iter().map(value).collect::<Vec<i32>>()
                });
                each(&|row, column, c| {
                    let a = &a[row * a_length..][..a_length];
                    let b = &b[column * b_length..][..b_length];
                    // At most 32 products of 16 bits.
                    let sum: i32 = match met {
                        None => a.iter().zip(b).map(|(a, b)| a * b).sum(),
                        Some(met) => {
                            let met = &met[row * a_length..][..a_length];
                            let products = a.iter().zip(met);
                            products.map(|(a, met)| a * b[usize::from(*met)]).sum()
                        }
                    };
                    let c = c as i32;
                    let total = match saturate {
                        true => c.saturating_add(sum),
                        false => c.wrapping_add(sum),
                    };
                    total as u32
                })
            }
            Arithmetic::Bits => each(&|row, column, c| {
                let a = &a[row * a_length..][..a_length];
                let b = &b[column * b_length..][..b_length];
                let ones: u32 = a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum();
                c.wrapping_add(ones)
            }),
        }
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

    /// Scales every number.
    fn scale(&mut self, by: Number) {
        for (value, exponent) in self.values.iter_mut().zip(&mut self.exponents) {
            let number = Number {
                value: *value,
                exponent: *exponent,
            };
            let number = scaled(number, by);
            (*value, *exponent) = (number.value, number.exponent);
        }
    }

    /// The numbers at some positions.
    fn chosen(&self, positions: &[u16]) -> Line {
        let of = |at: &u16| {
            let at = usize::from(*at);
            (self.values[at], self.exponents[at])
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
