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
//! ```

use super::Dims;
use super::Product;
use super::fused::{self, Sum};
use super::number::{self, Format, Number};
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
    /// So many products at once, beginning with C.
    Chain(usize),
    /// Of every four products the first two, then the other two; C last.
    Halves,
    /// No tensor core.
    Scalar,
}

impl Recipe {
    /// For a form.
    pub fn new(dims: Dims, formats: [Format; 2], sums: Sums, by_warp: bool) -> Recipe {
        let small = |format| matches!(format, Format::E4m3 | Format::E5m2);
        let steps = if formats.into_iter().any(small) {
            Steps::Halves
        } else if dims.m == 8 && !by_warp {
            Steps::Scalar
        } else if by_warp && formats[0] == Format::Tensor {
            Steps::Chain(4)
        } else {
            Steps::Chain(dims.k)
        };
        Recipe {
            formats,
            sums,
            steps,
        }
    }

    /// The sums, row by row.
    pub(super) fn product(&self, product: &Product<'_>) -> Vec<u64> {
        if self.steps == Steps::Scalar {
            return product.map(|row, column| {
                let wide = |bits: u64| number::f32_of_half(bits as u16);
                let terms: [(f32, f32); 4] = std::array::from_fn(|term| {
                    let (a, b) = (product.a(row, term), product.b(row, term, column));
                    (wide(a), wide(b))
                });
                u64::from(self.scalar(terms, product.c(row, column) as u32))
            });
        }
        let [format_a, format_b] = self.formats;
        let order = self.order(product.terms);
        let decode = |bits: u64| format_a.decode(bits);
        let rows: Vec<Vec<Number>> = (0..product.rows)
            .map(|row| order.iter().map(|&t| decode(product.a(row, t))).collect())
            .collect();
        let b: Vec<Number> = product.b.iter().map(|&x| format_b.decode(x)).collect();
        let mut factors = vec![format_b.decode(0); product.terms];
        product.map(|row, column| {
            for (factor, &term) in factors.iter_mut().zip(&order) {
                *factor = b[product.met(row, term) * product.columns + column];
            }
            u64::from(self.element(&rows[row], &factors, product.c(row, column) as u32))
        })
    }

    /// The terms in the order in which they are added.
    fn order(&self, terms: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..terms).collect();
        if self.steps == Steps::Halves {
            order.sort_by_key(|t| t % 4 / 2);
        }
        order
    }

    fn element(&self, a: &[Number], b: &[Number], c: u32) -> u32 {
        let width = match self.steps {
            Steps::Chain(width) => width,
            Steps::Halves | Steps::Scalar => {
                let total = chain(a, b, 0, self.sums.d, a.len() / 2);
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

/// Adds the products to `c`, `width` at a time.
fn chain(a: &[Number], b: &[Number], c: u32, kind: Sum, width: usize) -> u32 {
    let blocks = a.chunks(width).zip(b.chunks(width));
    blocks.fold(c, |c, (a, b)| fused::add_products(a, b, c, kind))
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
