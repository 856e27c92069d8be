//! Sums of products as a tensor core computes them: many terms at once, one rounding.
//!
//! ```text
//!   products a0 b0 … an bn, exact       c
//!        │  each with the sum of its      │
//!        │  factors' exponents            │
//!        └───────────► largest exponent ◄─┘      zeros have none
//!                            │
//!   every term cut off (towards zero) after some bits below it
//!                            │
//!                    exact sum of the terms
//!                            │
//!        `.f32`: cut off          `.f16`: rounded to nearest, ties to even
//! ```
//!
//! The number of bits ([`Core`]) is Hopper's; Volta keeps 23, Turing to Ada 24. Both, and that subnormals count
//! in full, were found by others with probing inputs (Fasi, Higham, Mikaitis and Pranesh 2021; Xie,
//! Wang, Yang and Yang 2025; Khattak and Mikaitis 2025).

use super::number::{self, Number, SPECIAL, ZERO, power};

/// What a tensor core keeps of the terms and of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Core {
    /// Bits that an aligned term keeps below the largest exponent.
    fraction: i32,
    /// Low bits of an `.f32` result that are always zero.
    dropped: u32,
}

impl Core {
    /// Products of Hopper and Blackwell (Hopper's on an H200).
    pub const WIDE: Core = Core {
        fraction: 25,
        dropped: 0,
    };
    /// Hopper's products of 8-bit floats by warpgroups: terms and sums keep 13 bits. Found by others with probing inputs
    /// (MMA-Sim: Xie, Wang, Yang and Yang 2025); not measured here.
    pub const NARROW: Core = Core {
        fraction: 13,
        dropped: 10,
    };
}

/// The type a tensor core adds to and gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sum {
    /// `.f32`
    Single,
    /// `.f16`
    Half,
}

impl Sum {
    fn decode(self, bits: u32) -> Number {
        match self {
            Sum::Half => number::Format::Half.decode(u64::from(bits)),
            Sum::Single => number::single(bits),
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

    /// `value * 2^unit` in this type; `value` is a whole number.
    fn encode(self, value: f64, unit: i32, dropped: u32) -> u32 {
        match self {
            // Exact: the terms have far fewer than 53 bits.
            Sum::Half => match number::half_of_f64(value * power(unit)) {
                // No sum is minus zero, not even one that was rounded to zero.
                0x8000 => 0,
                bits => u32::from(bits),
            },
            Sum::Single => match cut_off(value as i64, unit) >> dropped << dropped {
                // What was cut to zero is plus zero.
                0x8000_0000 => 0,
                bits => bits,
            },
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

/// Factors of the products of a sum.
#[derive(Clone, Copy, Debug)]
pub struct Factors<'a> {
    /// See [`Number`].
    pub values: &'a [f64],
    /// See [`Number`].
    pub exponents: &'a [i16],
}

impl Factors<'_> {
    /// So many of them.
    pub fn part(&self, first: usize, count: usize) -> Self {
        Factors {
            values: &self.values[first..][..count],
            exponents: &self.exponents[first..][..count],
        }
    }
}

/// `c` and the products of `a` and `b`, added at once by [`Core::WIDE`]. `c` and the result are bits of the type
/// `sum`.
pub fn add_products(a: Factors<'_>, b: Factors<'_>, c: u32, sum: Sum) -> u32 {
    add_products_on(Core::WIDE, a, b, (c, sum))
}

/// The same on a given core.
pub fn add_products_on(core: Core, a: Factors<'_>, b: Factors<'_>, (c, sum): (u32, Sum)) -> u32 {
    add_products_shifted(core, a, b, (c, sum, 0))
}

/// The same; the addend counts 2 to the minus `shift`, which loses none of its bits.
pub fn add_products_shifted(
    core: Core,
    a: Factors<'_>,
    b: Factors<'_>,
    (c, sum, shift): (u32, Sum, i16),
) -> u32 {
    let mut addend = sum.decode(c);
    if shift != 0 && addend.exponent != SPECIAL && addend.exponent != ZERO {
        addend.value *= power(-i32::from(shift));
        addend.exponent -= shift;
    }
    let exponents = a.exponents.iter().zip(b.exponents).map(|(a, b)| a + b);
    let largest = exponents.fold(addend.exponent, i16::max);
    if largest > SPECIAL / 4 {
        return special(a, b, addend.value, sum);
    }
    if largest < ZERO / 4 {
        return 0;
    }
    let largest = i32::from(largest);
    let scale = power(core.fraction - largest);
    // Four sums side by side, which a processor adds at once; all are exact.
    let mut totals = [cut(addend.value * scale), 0.0, 0.0, 0.0];
    let (a, a_rest) = a.values.as_chunks::<4>();
    let (b, b_rest) = b.values.as_chunks::<4>();
    for (a, b) in a.iter().zip(b) {
        for i in 0..4 {
            totals[i] += cut(a[i] * b[i] * scale);
        }
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        totals[0] += cut(a * b * scale);
    }
    sum.encode(
        totals.into_iter().sum(),
        largest - core.fraction,
        core.dropped,
    )
}

/// `value * 2^unit`, a whole number times a power of two, cut off or rounded as the type has it.
pub fn encode_exact(sum: Sum, value: f64, unit: i32) -> u32 {
    sum.encode(value, unit, 0)
}

/// A whole number: `x` without what is after its point.
///
/// Rounding to the nearest whole number (which adding and taking away 3 * 2^51 does) cuts off if just
/// less than one half is taken away before. A term has at most 24 bits, so what is after its point is
/// at most `1 - 2^-24`; and it is below 2^27, so that nothing here is inexact.
fn cut(x: f64) -> f64 {
    const ALMOST_HALF: f64 = 0.5 - 1.0 / (1 << 26) as f64;
    const WHOLE: f64 = 3.0 * (1u64 << 51) as f64;
    x - ALMOST_HALF.copysign(x) + WHOLE - WHOLE
}

/// A sum with infinities or NaNs in it.
#[cold]
fn special(a: Factors<'_>, b: Factors<'_>, addend: f64, sum: Sum) -> u32 {
    // What is finite is far from the limits of a double.
    let products = a.values.iter().zip(b.values).map(|(a, b)| a * b);
    let total = products.fold(addend, |sum, product| sum + product);
    match total.is_nan() {
        true => sum.nan(),
        false => sum.infinity(total < 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::number::Format;
    use super::*;

    fn products(products: &[(f64, f64)], c: u32, sum: Sum) -> u32 {
        let half = |value| Format::Half.decode(u64::from(number::half_of_f64(value)));
        let numbers = |list: &[Number]| -> (Vec<f64>, Vec<i16>) {
            list.iter().map(|n| (n.value, n.exponent)).unzip()
        };
        let a: Vec<Number> = products.iter().map(|p| half(p.0)).collect();
        let b: Vec<Number> = products.iter().map(|p| half(p.1)).collect();
        let [a, b] = [numbers(&a), numbers(&b)];
        add_products(
            Factors {
                values: &a.0,
                exponents: &a.1,
            },
            Factors {
                values: &b.0,
                exponents: &b.1,
            },
            c,
            sum,
        )
    }

    fn sum(terms: &[(f64, f64)], c: f32) -> f32 {
        f32::from_bits(products(terms, c.to_bits(), Sum::Single))
    }

    #[test]
    fn cutting_off() {
        for (x, whole) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (-1.0, -1.0),
            (1.0 - power(-24), 0.0),
            (-1.0 + power(-24), 0.0),
            (2.0 - power(-23), 1.0),
            (power(26) - power(3), power(26) - power(3)),
            (-power(23) + 0.5, -power(23) + 1.0),
            (power(-200), 0.0),
            (2.5, 2.0),
            (-3.5, -3.0),
        ] {
            assert_eq!(cut(x), whole, "{x}");
        }
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
    fn a_narrow_core_keeps_thirteen_bits() {
        let number = |value: f64| Format::Half.decode(u64::from(number::half_of_f64(value)));
        let one = |value: f64, c: f32| {
            let (a, b) = (number(value), number(1.0));
            let a = Factors {
                values: &[a.value],
                exponents: &[a.exponent],
            };
            let b = Factors {
                values: &[b.value],
                exponents: &[b.exponent],
            };
            f32::from_bits(add_products_on(
                Core::NARROW,
                a,
                b,
                (c.to_bits(), Sum::Single),
            ))
        };
        let bit = |exponent| power(exponent) as f32;
        assert_eq!(one(1.0, bit(-13)), 1.0 + bit(-13));
        assert_eq!(one(1.0, bit(-14)), 1.0);
        // The sum of a product with one of the same size has a bit more than is kept.
        assert_eq!(one(1.0, 1.0 + bit(-13)), 2.0);
        assert_eq!(one(-1.0, 1.0).to_bits(), 0);
    }

    #[test]
    fn infinities_and_nans() {
        let infinite = f64::INFINITY;
        assert_eq!(sum(&[(infinite, -1.0)], 1.0), f32::NEG_INFINITY);
        assert!(sum(&[(infinite, 0.0)], 1.0).is_nan());
        assert!(sum(&[(infinite, 1.0)], f32::NEG_INFINITY).is_nan());
        assert_eq!(products(&[(f64::NAN, 1.0)], 0, Sum::Half), 0x7fff);
        assert_eq!(sum(&[(1.0, 1.0)], f32::MAX), f32::MAX);
        // Rounded to zero is plus zero.
        let tiny = (-power(-14), power(-14));
        assert_eq!(products(&[tiny], 0, Sum::Half), 0);
    }
}
