//! Products of integers and of single bits: exact sums, kept in 32 bits.

use super::Product;
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

    /// The sums, row by row.
    pub(super) fn product(&self, product: &Product<'_>) -> Vec<u64> {
        let a: Vec<i32> = product.a.iter().map(|&x| self.a.value(x)).collect();
        // Columns of B one after the other: the sum runs along them.
        let length = product.b.len() / product.columns;
        let mut b = Vec::with_capacity(product.b.len());
        for column in 0..product.columns {
            let column = (0..length).map(|k| product.b[k * product.columns + column]);
            b.extend(column.map(|x| self.b.value(x)));
        }
        let times = |a: i32, b: i32| match self.multiply {
            Multiply::Numbers => a * b,
            Multiply::Xor => a ^ b,
            Multiply::And => a & b,
        };
        product.map(|row, column| {
            let a = &a[row * product.terms..][..product.terms];
            let b = &b[column * length..][..length];
            // At most 256 products of 16 bits: far from overflowing.
            let sum: i32 = match product.index {
                None => a.iter().zip(b).map(|(&a, &b)| times(a, b)).sum(),
                Some(_) => (0..product.terms)
                    .map(|term| times(a[term], b[product.met(row, term)]))
                    .sum(),
            };
            let c = product.c(row, column) as u32 as i32;
            let total = match self.saturate {
                true => c.saturating_add(sum),
                false => c.wrapping_add(sum),
            };
            u64::from(total as u32)
        })
    }
}
