//! Sums of products as a tensor core computes them: many terms at once, one rounding.
//!
//! ```text
//!   products a0 b0 … an bn, exact       c
//!        │  each with the sum of its      │
//!        │  factors' exponents            │
//!        └───────────► largest exponent ◄─┘      zeros have none
//!                            │
//!   every term cut off (towards zero) behind `FRACTION` bits below it
//!                            │
//!                    exact sum of the terms
//!                            │
//!        `.f32`: cut off          `.f16`: rounded to nearest, ties to even
//! ```
//!
//! The number of bits is Hopper's; Volta keeps 23, Turing to Ada 24. Both, and that subnormals count
//! in full, were found by others with probing inputs (Fasi, Higham, Mikaitis and Pranesh 2021; Xie,
//! Wang, Yang and Yang 2025; Khattak and Mikaitis 2025).

use super::number::{self, Class, Number, ZERO_EXPONENT};

/// Bits that an aligned term keeps below the largest exponent.
const FRACTION: i32 = 25;

/// The type a tensor core adds to and gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sum {
    /// `.f32`
    Single,
    /// `.f16`
    Half,
}

/// The sum that goes in, taken apart.
struct Addend {
    significand: i64,
    /// Bits behind the significand's point.
    fraction: i32,
    exponent: i32,
    class: Class,
}

impl Sum {
    fn decode(self, bits: u32) -> Addend {
        match self {
            Sum::Half => {
                let number = number::Format::Half.decode(u64::from(bits));
                Addend {
                    significand: i64::from(number.significand),
                    fraction: number::FRACTION,
                    exponent: number.exponent,
                    class: number.class,
                }
            }
            Sum::Single => {
                let (field, fraction) = (bits >> 23 & 0xff, i64::from(bits & 0x7f_ffff));
                let (magnitude, exponent, class) = match (field, fraction) {
                    (0xff, 0) => (1, 0, Class::Infinite),
                    (0xff, _) => (1, 0, Class::Nan),
                    (0, 0) => (0, ZERO_EXPONENT, Class::Finite),
                    (0, _) => (fraction, -126, Class::Finite),
                    _ => (fraction | 1 << 23, field as i32 - 127, Class::Finite),
                };
                Addend {
                    significand: if bits >> 31 == 1 {
                        -magnitude
                    } else {
                        magnitude
                    },
                    fraction: 23,
                    exponent,
                    class,
                }
            }
        }
    }

    fn nan(self) -> u32 {
        match self {
            Sum::Half => u32::from(number::NAN_F16),
            Sum::Single => number::NAN_F32,
        }
    }

    fn infinity(self, negative: bool) -> u32 {
        match (self, negative) {
            (Sum::Half, false) => 0x7c00,
            (Sum::Half, true) => 0xfc00,
            (Sum::Single, false) => 0x7f80_0000,
            (Sum::Single, true) => 0xff80_0000,
        }
    }

    /// `value * 2^unit` in this type.
    fn encode(self, value: i64, unit: i32) -> u32 {
        match self {
            // Exact in f64: the terms have far fewer than 53 bits.
            Sum::Half => match number::half_of_f64(value as f64 * 2f64.powi(unit)) {
                // No sum is minus zero, not even one that was rounded to zero.
                0x8000 => 0,
                bits => u32::from(bits),
            },
            Sum::Single => cut_off(value, unit),
        }
    }
}

/// `value * 2^unit` as `.f32`, cut off towards zero; what is too large is infinite.
fn cut_off(value: i64, unit: i32) -> u32 {
    let magnitude = value.unsigned_abs();
    if magnitude == 0 {
        return 0;
    }
    let exponent = unit + 63 - magnitude.leading_zeros() as i32;
    let last = exponent.max(-126) - 23;
    let shift = last - unit;
    let significand = match shift {
        0.. => magnitude.checked_shr(shift as u32).unwrap_or(0),
        _ => magnitude << -shift,
    } as u32;
    let bits = match exponent {
        128.. => 0x7f80_0000,
        // The significand's leading one adds the missing 1 to the exponent.
        -126.. => (((exponent + 126) as u32) << 23) + significand,
        _ => significand,
    };
    if bits == 0 {
        return 0;
    }
    (u32::from(value < 0) << 31) | bits
}

/// `c` and the products of `a` and `b`, added at once. `c` and the result are bits of the type
/// `sum`.
pub fn add_products(a: &[Number], b: &[Number], c: u32, sum: Sum) -> u32 {
    let addend = sum.decode(c);
    let mut largest = addend.exponent;
    let mut finite = addend.class == Class::Finite;
    for (a, b) in a.iter().zip(b) {
        largest = largest.max(a.exponent + b.exponent);
        finite &= a.class == Class::Finite && b.class == Class::Finite;
    }
    if !finite {
        return special(a, b, &addend, sum);
    }
    if largest <= ZERO_EXPONENT / 2 {
        return 0;
    }
    let align = |significand: i64, fraction: i32, exponent: i32| {
        let shift = largest - exponent - (FRACTION - fraction);
        match shift {
            ..=0 => significand << -shift,
            // Division cuts off towards zero; a shift would not.
            1..=62 => significand / (1 << shift),
            _ => 0,
        }
    };
    let mut total = align(addend.significand, addend.fraction, addend.exponent);
    for (a, b) in a.iter().zip(b) {
        total += align(
            i64::from(a.significand) * i64::from(b.significand),
            2 * number::FRACTION,
            a.exponent + b.exponent,
        );
    }
    sum.encode(total, largest - FRACTION)
}

/// A sum with infinities or NaNs in it.
#[cold]
fn special(a: &[Number], b: &[Number], addend: &Addend, sum: Sum) -> u32 {
    let (mut plus, mut minus) = (false, false);
    let mut infinite = |negative: bool| {
        *(if negative { &mut minus } else { &mut plus }) = true;
    };
    match addend.class {
        Class::Nan => return sum.nan(),
        Class::Infinite => infinite(addend.significand < 0),
        Class::Finite => {}
    }
    for (a, b) in a.iter().zip(b) {
        match (a.class, b.class) {
            (Class::Finite, Class::Finite) => {}
            (Class::Nan, _) | (_, Class::Nan) => return sum.nan(),
            // Infinity times zero.
            _ if a.significand == 0 || b.significand == 0 => return sum.nan(),
            _ => infinite((a.significand < 0) != (b.significand < 0)),
        }
    }
    match (plus, minus) {
        (true, true) => sum.nan(),
        _ => sum.infinity(minus),
    }
}

#[cfg(test)]
mod tests {
    use super::super::number::Format;
    use super::*;

    fn half(value: f64) -> Number {
        Format::Half.decode(u64::from(number::half_of_f64(value)))
    }

    fn sum(products: &[(f64, f64)], c: f32) -> f32 {
        let a: Vec<Number> = products.iter().map(|p| half(p.0)).collect();
        let b: Vec<Number> = products.iter().map(|p| half(p.1)).collect();
        f32::from_bits(add_products(&a, &b, c.to_bits(), Sum::Single))
    }

    #[test]
    fn exact_sums_stay_exact() {
        assert_eq!(sum(&[(1.5, 2.0), (-0.25, 4.0)], 0.5), 2.5);
        assert_eq!(sum(&[(65504.0, 65504.0)], 0.0), 65504.0 * 65504.0);
        assert_eq!(sum(&[(0.0, 1.0)], -3.0e-45), -3.0e-45);
        assert_eq!(sum(&[], 1.0e-38), 1.0e-38);
    }

    /// A term below the last kept bit vanishes, however many there are; just above it does not.
    #[test]
    fn terms_are_cut_off_before_the_addition() {
        let tiny = (2f64.powi(-13), 2f64.powi(-13));
        assert_eq!(sum(&[(1.0, 1.0), tiny, tiny, tiny, tiny], 0.0), 1.0);
        let small = (2f64.powi(-12), 2f64.powi(-13));
        let four = sum(&[(1.0, 1.0), small, small, small, small], 0.0);
        assert_eq!(four, 1.0 + f32::EPSILON);
    }

    #[test]
    fn results_are_cut_off_not_rounded() {
        let almost = (2f64.powi(-12), 1.5 * 2f64.powi(-12));
        assert_eq!(sum(&[(1.0, 1.0), almost], 0.0), 1.0);
        // Below one the result has a bit more, and the cut goes towards zero on this side, too.
        let third = (2f64.powi(-12), 2f64.powi(-13));
        assert_eq!(sum(&[(-1.0, 1.0), third], 0.0), -1.0 + f32::EPSILON / 2.0);
    }

    #[test]
    fn infinities_and_nans() {
        let infinite = f64::INFINITY;
        assert_eq!(sum(&[(infinite, -1.0)], 1.0), f32::NEG_INFINITY);
        assert!(sum(&[(infinite, 0.0)], 1.0).is_nan());
        assert!(sum(&[(infinite, 1.0)], f32::NEG_INFINITY).is_nan());
        let nan = add_products(&[half(f64::NAN)], &[half(1.0)], 0, Sum::Half);
        assert_eq!(nan, 0x7fff);
        assert_eq!(sum(&[(1.0, 1.0)], f32::MAX), f32::MAX);
    }
}
