//! Products of small floats: what a Hopper GPU computes for each form.
//!
//! Most forms are one instruction of the tensor cores, which adds all products of an element at once
//! ([`super::fused`]). The others are put together of several steps, each with a rounding of its own;
//! the assembler's output shows them:
//!
//! ```text
//!   mma of 8-bit floats    widened to .f16; the elements in the low halves of the registers, then
//!                          those in the high halves, added from zero; then C is added
//!   wmma of .tf32          two steps of four products
//!   m8n8k4 with .f16       no tensor core at all: ordinary multiply-adds in .f32
//!   .kind::f8f6f4          all products at once, as they are (Blackwell; not measured here)
//!   block scaling          see `scaled.rs`
//! ```

use super::fused::{self, Factors, Sum};
use super::number::{self, Format, Number};
use super::{Dims, Lanes, Operands, scaled};
use warpc_ptx::types::ScalarType;

/// The types of C and D.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    /// What goes in.
    pub c: Sum,
    /// What comes out.
    pub d: Sum,
}

/// The sum of a type.
pub fn sum(ty: ScalarType) -> Option<Sum> {
    match ty {
        ScalarType::F32 => Some(Sum::Single),
        ScalarType::F16 => Some(Sum::Half),
        _ => None,
    }
}

/// How a form is computed.
#[derive(Debug)]
pub struct Recipe {
    formats: [Format; 2],
    sums: Sums,
    steps: Steps,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Steps {
    /// C and all products at once.
    Once,
    /// So many products at once, beginning with C.
    Chain(usize),
    /// Of every four products the first two, then the other two; C last.
    Halves,
    /// No tensor core.
    Scalar,
    /// Sums of 16 products are scaled.
    Groups,
}

impl Recipe {
    /// For a form.
    pub fn new(dims: Dims, formats: [Format; 2], sums: Sums, by_warp: bool) -> Recipe {
        let small = |format| matches!(format, Format::E4m3 | Format::E5m2);
        let steps = if formats.into_iter().any(small) {
            Steps::Halves
        } else if formats.contains(&Format::E2m1) {
            Steps::Groups
        } else if dims.m == 8 && !by_warp {
            Steps::Scalar
        } else if by_warp && formats[0] == Format::Tensor {
            Steps::Chain(4)
        } else {
            Steps::Once
        };
        Recipe {
            formats,
            sums,
            steps,
        }
    }

    /// Computes a product.
    pub(super) fn run(&self, operands: &Operands<'_>, results: &mut [Lanes]) {
        let (mut a, mut b) = (Lines::of_a(self, operands), Lines::of_b(self, operands));
        if let Some(scales) = &operands.scales
            && self.steps != Steps::Groups
        {
            a.scale(&scales.a);
            b.scale(&scales.b);
        }
        if self.steps == Steps::Scalar {
            operands.map(results, |row, column, c| {
                let (a, b) = (a.line(row), b.line(column));
                let term = |i: usize| (a.values[i] as f32, b.values[i] as f32);
                u64::from(self.scalar(std::array::from_fn(term), c as u32))
            });
            return;
        }
        let Some(met) = operands.met else {
            operands.map(results, |row, column, c| {
                let factors = (a.line(row), b.line(column));
                u64::from(self.scaled(operands, (row, column), factors, c as u32))
            });
            return;
        };
        let terms = operands.terms();
        let (mut values, mut exponents) = ([0.0; MOST_TERMS], [0; MOST_TERMS]);
        operands.map(results, |row, column, c| {
            let met = &met[row * terms..][..terms];
            let b = b.line(column);
            for (term, &met) in met.iter().enumerate() {
                let at = self.position(term, terms);
                values[at] = b.values[usize::from(met)];
                exponents[at] = b.exponents[usize::from(met)];
            }
            let chosen = Factors {
                values: &values[..terms],
                exponents: &exponents[..terms],
            };
            u64::from(self.scaled(operands, (row, column), (a.line(row), chosen), c as u32))
        });
    }

    /// An element at a row and column, with scale factors or without.
    fn scaled(
        &self,
        operands: &Operands<'_>,
        (row, column): (usize, usize),
        (a, b): (Factors<'_>, Factors<'_>),
        c: u32,
    ) -> u32 {
        match (&operands.scales, self.steps) {
            (Some(scales), Steps::Groups) => {
                scaled::add_groups((a, b), (&scales.a[row], &scales.b[column]), c)
            }
            _ => self.element(a, b, c),
        }
    }

    /// The place of a term in the order in which they are added.
    fn position(&self, term: usize, terms: usize) -> usize {
        match self.steps {
            Steps::Halves => term % 4 / 2 * (terms / 2) + term / 4 * 2 + term % 2,
            _ => term,
        }
    }

    fn element(&self, a: Factors<'_>, b: Factors<'_>, c: u32) -> u32 {
        let width = match self.steps {
            Steps::Once => a.values.len(),
            Steps::Chain(width) => width,
            Steps::Halves | Steps::Scalar | Steps::Groups => {
                let total = chain(a, b, 0, self.sums.d, a.values.len() / 2);
                return add(c, total, self.sums.d);
            }
        };
        // Sums of different types are computed in `.f32`.
        match (self.sums.c, self.sums.d) {
            (Sum::Half, Sum::Half) => chain(a, b, c, Sum::Half, width),
            (Sum::Single, Sum::Single) => chain(a, b, c, Sum::Single, width),
            (Sum::Half, Sum::Single) => {
                let c = number::f32_bits(number::f32_of_half(c as u16));
                chain(a, b, c, Sum::Single, width)
            }
            (Sum::Single, Sum::Half) => half(f32::from_bits(chain(a, b, c, Sum::Single, width))),
        }
    }

    /// The four products of `m8n8k4`, by the ordinary floating-point units.
    fn scalar(&self, terms: [(f32, f32); 4], c: u32) -> u32 {
        let c = match self.sums.c {
            Sum::Half => number::f32_of_half(c as u16),
            Sum::Single => f32::from_bits(c),
        };
        match self.sums.d {
            Sum::Single => {
                let products = terms.into_iter().fold(0.0, |sum, (a, b)| a.mul_add(b, sum));
                number::f32_bits(c + products)
            }
            Sum::Half => {
                let [(a0, b0), (a1, b1), (a2, b2), (a3, b3)] = terms;
                let low = a1.mul_add(b1, a0 * b0);
                let high = a3.mul_add(b3, a2 * b2);
                half(c + low + high)
            }
        }
    }
}

/// Elements of a multiplicand, at most: 16 rows of 64, or 128 rows of 8.
const MOST: usize = 1024;
/// Products of a sum, at most.
const MOST_TERMS: usize = 64;

/// Rows of A or columns of B, one after the other, in the order in which their products are added.
struct Lines {
    values: [f64; MOST],
    exponents: [i16; MOST],
    length: usize,
}

impl Lines {
    fn new(length: usize) -> Lines {
        Lines {
            values: [0.0; MOST],
            exponents: [0; MOST],
            length,
        }
    }

    fn set(&mut self, at: usize, format: Format, bits: u64) {
        let number = format.decode(bits);
        self.values[at] = number.value;
        self.exponents[at] = number.exponent;
    }

    fn of_a(recipe: &Recipe, operands: &Operands<'_>) -> Lines {
        let length = operands.terms();
        let mut lines = Lines::new(length);
        for (i, bits) in operands.a().enumerate() {
            let at = i / length * length + recipe.position(i % length, length);
            lines.set(at, recipe.formats[0], bits);
        }
        lines
    }

    /// Of a product with a sparse A the whole columns, in their own order.
    fn of_b(recipe: &Recipe, operands: &Operands<'_>) -> Lines {
        let (length, columns) = (operands.tile.b.rows, operands.columns());
        let mut lines = Lines::new(length);
        for (i, bits) in operands.b().enumerate() {
            let at = match operands.met {
                None => recipe.position(i / columns, length),
                Some(_) => i / columns,
            };
            lines.set(i % columns * length + at, recipe.formats[1], bits);
        }
        lines
    }

    /// Scales each line by its factor.
    fn scale(&mut self, factors: &[Vec<Number>]) {
        for (line, factors) in factors.iter().enumerate() {
            for at in line * self.length..(line + 1) * self.length {
                let (value, exponent) = (self.values[at], self.exponents[at]);
                let number = scaled::scaled(Number { value, exponent }, factors[0]);
                (self.values[at], self.exponents[at]) = (number.value, number.exponent);
            }
        }
    }

    fn line(&self, number: usize) -> Factors<'_> {
        let line = number * self.length..(number + 1) * self.length;
        Factors {
            values: &self.values[line.clone()],
            exponents: &self.exponents[line],
        }
    }
}

/// Adds the products to `c`, `width` at a time.
fn chain(a: Factors<'_>, b: Factors<'_>, c: u32, kind: Sum, width: usize) -> u32 {
    let blocks = (0..a.values.len()).step_by(width);
    blocks.fold(c, |c, first| {
        fused::add_products(a.part(first, width), b.part(first, width), c, kind)
    })
}

/// An ordinary addition.
fn add(x: u32, y: u32, kind: Sum) -> u32 {
    match kind {
        Sum::Single => number::f32_bits(f32::from_bits(x) + f32::from_bits(y)),
        Sum::Half => {
            let wide = |bits: u32| f64::from(number::f32_of_half(bits as u16));
            u32::from(number::half_of_f64(wide(x) + wide(y)))
        }
    }
}

fn half(value: f32) -> u32 {
    u32::from(number::half_of_f64(f64::from(value)))
}
