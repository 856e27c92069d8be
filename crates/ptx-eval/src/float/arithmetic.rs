//! The four operations, square root and fused multiply-add on numbers, infinities among them.
//!
//! A result is exact but for its sticky bit; packing it rounds it, once.

use super::exact::Exact;
use super::format::Number;
use super::round::Rounding;

/// The sum, to be rounded as `rounding` says.
pub fn add(a: Number, b: Number, rounding: Rounding) -> Number {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinite { negative: x }, Number::Infinite { negative: y }) if x != y => {
            Number::Nan
        }
        (Number::Infinite { .. }, _) => a,
        (_, Number::Infinite { .. }) => b,
        (Number::Finite(x), Number::Finite(y)) => {
            Number::Finite(x.add(y, rounding.zero_is_negative()))
        }
    }
}

/// The product.
pub fn multiply(a: Number, b: Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinite { .. }, Number::Finite(x))
        | (Number::Finite(x), Number::Infinite { .. })
            if x.is_zero() =>
        {
            Number::Nan
        }
        (Number::Finite(x), Number::Finite(y)) => Number::Finite(x.multiply(y)),
        _ => Number::infinite(negative),
    }
}

/// `a * b + c`, to be rounded as `rounding` says.
pub fn fused(a: Number, b: Number, c: Number, rounding: Rounding) -> Number {
    add(multiply(a, b), c, rounding)
}

/// The quotient.
pub fn divide(a: Number, b: Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinite { .. }, Number::Infinite { .. }) => Number::Nan,
        (Number::Infinite { .. }, _) => Number::infinite(negative),
        (_, Number::Infinite { .. }) => Number::Finite(Exact::zero(negative)),
        (Number::Finite(x), Number::Finite(y)) => match (x.is_zero(), y.is_zero()) {
            (true, true) => Number::Nan,
            (false, true) => Number::infinite(negative),
            _ => Number::Finite(x.divide(y)),
        },
    }
}

/// The square root.
pub fn square_root(a: Number) -> Number {
    match a {
        Number::Finite(x) if x.is_zero() => a,
        Number::Finite(x) if !x.negative => Number::Finite(x.square_root()),
        Number::Infinite { negative: false } => a,
        _ => Number::Nan,
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::{F32, F64, Format};
    use super::*;
    use proptest::prelude::*;

    const NEAREST: Rounding = Rounding::Nearest;

    /// Bits of a single or double with special values among them.
    fn special(bits: u64, choice: u8, format: &Format) -> u64 {
        let sign = bits & format.sign_bit();
        match choice % 16 {
            0 => sign,
            1 => sign | format.infinity(),
            2 => sign | 1,
            3 => sign | format.min_normal(),
            4 => sign | (format.min_normal() - 1),
            5 => sign | format.max_finite(),
            6 => sign | (bits & (format.min_normal() - 1)),
            // Near one, so that sums cancel.
            7 | 8 => {
                sign | (format.bias as u64) << format.fraction_bits
                    | bits & (format.min_normal() - 1) & !0xff
                    | bits & 3
            }
            _ => bits & (format.sign_bit() | format.magnitude_mask()),
        }
    }

    fn single(x: f32) -> u64 {
        if x.is_nan() {
            F32.nan
        } else {
            u64::from(x.to_bits())
        }
    }

    fn double(x: f64) -> u64 {
        if x.is_nan() { F64.nan } else { x.to_bits() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn doubles_are_as_the_host_finds(a: u64, b: u64, c: u64, kinds: [u8; 3]) {
            let bits = [
                special(a, kinds[0], &F64), special(b, kinds[1], &F64), special(c, kinds[2], &F64),
            ];
            let [a, b, c] = bits.map(f64::from_bits);
            let [x, y, z] = bits.map(|bits| F64.unpack(bits));
            let pack = |n: Number| n.pack(&F64, NEAREST);
            prop_assert_eq!(pack(add(x, y, NEAREST)), double(a + b));
            prop_assert_eq!(pack(multiply(x, y)), double(a * b));
            prop_assert_eq!(pack(divide(x, y)), double(a / b));
            prop_assert_eq!(pack(square_root(x)), double(a.sqrt()));
            prop_assert_eq!(pack(fused(x, y, z, NEAREST)), double(a.mul_add(b, c)));
        }

        #[test]
        fn singles_are_as_the_host_finds(a: u64, b: u64, c: u64, kinds: [u8; 3]) {
            let bits = [
                special(a, kinds[0], &F32), special(b, kinds[1], &F32), special(c, kinds[2], &F32),
            ];
            let [a, b, c] = bits.map(|bits| f32::from_bits(bits as u32));
            let [x, y, z] = bits.map(|bits| F32.unpack(bits));
            let pack = |n: Number| n.pack(&F32, NEAREST);
            prop_assert_eq!(pack(add(x, y, NEAREST)), single(a + b));
            prop_assert_eq!(pack(multiply(x, y)), single(a * b));
            prop_assert_eq!(pack(divide(x, y)), single(a / b));
            prop_assert_eq!(pack(square_root(x)), single(a.sqrt()));
            prop_assert_eq!(pack(fused(x, y, z, NEAREST)), single(a.mul_add(b, c)));
        }

        /// The product of two singles is exact as a double, so that rounding it must agree.
        #[test]
        fn products_of_singles_are_rounded_from_the_exact_double(a: u64, b: u64, kinds: [u8; 2]) {
            let bits = [special(a, kinds[0], &F32), special(b, kinds[1], &F32)];
            let [x, y] = bits.map(|bits| F32.unpack(bits));
            let [a, b] = bits.map(|bits| f64::from(f32::from_bits(bits as u32)));
            prop_assume!(!(a * b).is_nan());
            let exact = F64.unpack((a * b).to_bits());
            for rounding in [Rounding::Zero, Rounding::Down, Rounding::Up, Rounding::NearestAway] {
                prop_assert_eq!(multiply(x, y).pack(&F32, rounding), exact.pack(&F32, rounding));
            }
        }

        /// Rounded down and up, a result encloses the nearest, and is at most one step wide.
        #[test]
        fn directed_results_enclose_the_nearest(a: u64, b: u64, c: u64, kinds: [u8; 3]) {
            let bits = [
                special(a, kinds[0], &F64), special(b, kinds[1], &F64), special(c, kinds[2], &F64),
            ];
            let [x, y, z] = bits.map(|bits| F64.unpack(bits));
            for result in [add(x, y, NEAREST), divide(x, y), fused(x, y, z, NEAREST), square_root(x)] {
                if result == Number::Nan {
                    continue;
                }
                let at = |rounding| f64::from_bits(result.pack(&F64, rounding));
                let (down, near, up) = (at(Rounding::Down), at(NEAREST), at(Rounding::Up));
                prop_assert!(down <= near && near <= up);
                prop_assert!(down == up || down.next_up() == up);
                let zero = at(Rounding::Zero);
                prop_assert_eq!(zero, if result.is_negative() { up } else { down });
            }
        }
    }

    #[test]
    fn a_sum_of_opposites_is_minus_zero_when_rounded_down() {
        let (one, minus) = (F32.unpack(0x3f80_0000), F32.unpack(0xbf80_0000));
        assert_eq!(
            add(one, minus, Rounding::Down).pack(&F32, Rounding::Down),
            0x8000_0000
        );
        assert_eq!(add(one, minus, Rounding::Up).pack(&F32, Rounding::Up), 0);
    }
}
