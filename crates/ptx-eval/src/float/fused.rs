//! `a * b + c` with one rounding, without an instruction for it.
//!
//! The usual build may not use the host's instruction but has to call a routine, which costs time and
//! keeps loops from being made of vector instructions. For singles, doubles help: a product of two
//! singles is exact as a double, and a sum of doubles that is rounded *to odd* (the last bit is set if
//! anything was lost) has bits to spare, so that rounding it to a single gives what rounding the exact
//! sum gives. An ordinary sum does, too, in all but a few cases.

/// A sum rounded to odd.
pub fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // What the sum lacks, exactly; not a number if the sum is not a finite one.
    let part = sum - a;
    let lost = (a - (sum - part)) + (b - part);
    let bits = sum.to_bits();
    if lost == 0.0 || lost.is_nan() || bits & 1 == 1 {
        return sum;
    }
    // The exact sum lies between `sum`, which is even, and the odd neighbour on the side of what was
    // lost.
    let outwards = (lost > 0.0) == (sum > 0.0);
    f64::from_bits(if outwards { bits + 1 } else { bits - 1 })
}

/// Whether a sum lies in the middle of two singles, so that rounding it a second time might not give
/// what rounding once gives.
#[inline]
pub fn is_tie(sum: f64) -> bool {
    /// The digits that a double has more than a single, and their middle.
    const EXCESS: u64 = (1 << 29) - 1;
    const MIDDLE: u64 = 1 << 28;
    sum.to_bits() & EXCESS == MIDDLE
}

/// Whether a sum lies below the normal singles, where they have fewer digits and ties lie elsewhere.
#[inline]
pub fn is_subnormal(sum: f64) -> bool {
    (sum.abs() < f64::from(f32::MIN_POSITIVE)) & (sum != 0.0)
}

/// `a * b + c` of singles, to the nearest; a NaN is any NaN.
#[inline]
pub fn single(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    if is_tie(sum) || is_subnormal(sum) {
        add_to_odd(product, c) as f32
    } else {
        sum as f32
    }
}

/// The single nearest to a double that is exact or rounded to odd, subnormal ones made zero. With all
/// its digits, what is half a last place below the least normal single is rounded to it, and is not
/// made zero.
#[inline]
pub fn narrow_flushing(value: f64) -> f32 {
    /// 2^-126 - 2^-151.
    const LEAST: f64 = f64::from_bits(0x380f_ffff_f000_0000);
    let single = value as f32;
    // Of a NaN, neither.
    if value.abs() < LEAST {
        0f32.copysign(single)
    } else {
        single
    }
}

/// `a * b + c` of singles that are zero or normal, likewise; subnormal results made zero.
pub fn flushed_single(a: f32, b: f32, c: f32) -> f32 {
    narrow_flushing(add_to_odd(f64::from(a) * f64::from(b), f64::from(c)))
}

#[cfg(test)]
mod tests {
    use super::super::arithmetic;
    use super::super::format::{F32, F64};
    use super::super::round::Rounding;
    use super::*;
    use proptest::prelude::*;

    /// Bits of a single whose exponent is one of a few, so that sums cancel and meet ties.
    fn clustered(bits: u32) -> f32 {
        const EXPONENTS: [u32; 12] = [0, 1, 2, 64, 103, 126, 127, 128, 150, 190, 254, 255];
        let exponent = EXPONENTS[(bits >> 23) as usize % EXPONENTS.len()];
        // Few digits, or all of them.
        let digits = match bits >> 28 & 3 {
            0 => bits & 0x40_0001,
            1 => bits & 0x7f_f000,
            _ => bits & 0x7f_ffff,
        };
        f32::from_bits(bits & 0x8000_0000 | exponent << 23 | digits)
    }

    fn exact(a: f32, b: f32, c: f32) -> u64 {
        let [a, b, c] = [a, b, c].map(|x| F32.unpack(u64::from(x.to_bits())));
        arithmetic::fused(a, b, c, Rounding::Nearest).pack(&F32, Rounding::Nearest)
    }

    fn check(a: f32, b: f32, c: f32) -> Result<(), TestCaseError> {
        let (found, want) = (single(a, b, c), exact(a, b, c));
        if F32.is_nan(want) {
            prop_assert!(found.is_nan());
        } else {
            prop_assert_eq!(u64::from(found.to_bits()), want);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100_000))]

        #[test]
        fn singles_are_rounded_once(a: u32, b: u32, c: u32) {
            let [x, y, z] = [a, b, c].map(f32::from_bits);
            check(x, y, z)?;
            let [x, y, z] = [a, b, c].map(clustered);
            check(x, y, z)?;
            // Nearly opposite.
            let z = -(x * y);
            check(x, y, z)?;
        }

        #[test]
        fn sums_to_odd_are_exact_or_odd(a: f64, b: f64) {
            let sum = add_to_odd(a, b);
            prop_assume!(sum.is_finite());
            let (x, y) = (F64.unpack(a.to_bits()), F64.unpack(b.to_bits()));
            let real = arithmetic::add(x, y, Rounding::Nearest);
            let [down, up] = [Rounding::Down, Rounding::Up].map(|r| real.pack(&F64, r));
            if down == up {
                prop_assert_eq!(sum.to_bits(), down);
            } else {
                prop_assert!(sum.to_bits() == down || sum.to_bits() == up);
                prop_assert_eq!(sum.to_bits() & 1, 1);
            }
        }
    }

    #[test]
    fn what_lies_far_below_decides_a_tie() {
        let half_way = 1.0 + f32::EPSILON;
        // The product is a tie of singles; `c` breaks it.
        let tie = f32::EPSILON / 2.0;
        assert_eq!(single(1.0, tie, half_way), half_way + f32::EPSILON);
        let tiny = f32::from_bits(1);
        assert_eq!(
            single(1.0 + f32::EPSILON, 1.0 + f32::EPSILON / 2.0, tiny),
            { (1.0 + f32::EPSILON).mul_add(1.0 + f32::EPSILON / 2.0, tiny) }
        );
        // A sum below the normal numbers.
        let least = f32::MIN_POSITIVE;
        assert_eq!(single(least, 0.5, -tiny), least / 2.0 - tiny);
        assert_eq!(single(f32::MAX, 2.0, f32::NEG_INFINITY), f32::NEG_INFINITY);
        assert_eq!(single(f32::MAX, f32::MAX, 0.0), f32::INFINITY);
        assert!(single(f32::INFINITY, 0.0, 1.0).is_nan());
        assert!(single(1.0, -1.0, 1.0).is_sign_positive());
        assert!(single(0.0, -1.0, -0.0).is_sign_negative());
    }
}
