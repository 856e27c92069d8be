//! Double precision: plain functions of bits.
//!
//! Unlike single precision the hardware hands NaNs on, made quiet: `b` before `c` before `a`, where
//! both are NaN (H200). `sub` hands `b` on with the sign it has, and so do `neg` and `abs` with `a`.
//! Division, which is a routine and no instruction, takes `a` first. What has no NaN among its
//! sources gives [`F64`]'s.

use super::arithmetic;
use super::format::{F64, Number};
use super::single::{RN, rounding};

const QUIET: u64 = F64.quiet_bit();
const SIGN: u64 = F64.sign_bit();

/// The NaN that comes out of these sources: the first that is one.
fn nan_of(sources: &[u64]) -> u64 {
    let handed_on = sources.iter().find(|&&bits| F64.is_nan(bits));
    handed_on.map_or(F64.nan, |bits| bits | QUIET)
}

/// The result, unless it is a NaN.
fn finish(value: f64, sources: &[u64]) -> u64 {
    if value.is_nan() {
        nan_of(sources)
    } else {
        value.to_bits()
    }
}

fn packed<const R: u8>(number: Number) -> f64 {
    f64::from_bits(number.pack(&F64, rounding(R)))
}

/// `add`
pub fn add<const R: u8>(a: u64, b: u64) -> u64 {
    let sum = match R {
        RN => f64::from_bits(a) + f64::from_bits(b),
        _ => packed::<R>(arithmetic::add(F64.unpack(a), F64.unpack(b), rounding(R))),
    };
    finish(sum, &[b, a])
}

/// `sub`
pub fn sub<const R: u8>(a: u64, b: u64) -> u64 {
    // The sign of a NaN is not a part of what is computed.
    let sign = if F64.is_nan(b) { 0 } else { SIGN };
    add::<R>(a, b ^ sign)
}

/// `mul`
pub fn mul<const R: u8>(a: u64, b: u64) -> u64 {
    let product = match R {
        RN => f64::from_bits(a) * f64::from_bits(b),
        _ => packed::<R>(arithmetic::multiply(F64.unpack(a), F64.unpack(b))),
    };
    finish(product, &[b, a])
}

/// `fma`, and `mad`, which is the same.
pub fn fma<const R: u8>(a: u64, b: u64, c: u64) -> u64 {
    let sum = match R {
        RN => f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)),
        _ => packed::<R>(arithmetic::fused(
            F64.unpack(a),
            F64.unpack(b),
            F64.unpack(c),
            rounding(R),
        )),
    };
    finish(sum, &[b, c, a])
}

/// `fma` whose first factor is a constant. Machine code has room for one as the second factor only,
/// so ptxas swaps the two, which shows where `b` and `c` are both NaN.
pub fn fma_swapped<const R: u8>(a: u64, b: u64, c: u64) -> u64 {
    fma::<R>(b, a, c)
}

/// `div`
pub fn div<const R: u8>(a: u64, b: u64) -> u64 {
    let quotient = match R {
        RN => f64::from_bits(a) / f64::from_bits(b),
        _ => packed::<R>(arithmetic::divide(F64.unpack(a), F64.unpack(b))),
    };
    finish(quotient, &[a, b])
}

/// `rcp`
pub fn rcp<const R: u8>(a: u64) -> u64 {
    div::<R>(1f64.to_bits(), a)
}

/// `sqrt`
pub fn sqrt<const R: u8>(a: u64) -> u64 {
    let root = match R {
        RN => f64::from_bits(a).sqrt(),
        _ => packed::<R>(arithmetic::square_root(F64.unpack(a))),
    };
    finish(root, &[a])
}

/// `abs`. ptxas makes it an addition of minus zero, so that NaNs become quiet and keep their sign.
pub fn abs(a: u64) -> u64 {
    if F64.is_nan(a) { a | QUIET } else { a & !SIGN }
}

/// `neg`, likewise.
pub fn neg(a: u64) -> u64 {
    if F64.is_nan(a) { a | QUIET } else { a ^ SIGN }
}

#[cfg(test)]
mod tests {
    use super::super::single::{RM, RP, RZ};
    use super::*;

    const ONE: u64 = 0x3ff0_0000_0000_0000;
    const INF: u64 = 0x7ff0_0000_0000_0000;

    #[test]
    fn nans_are_handed_on_and_made_quiet() {
        assert_eq!(add::<RN>(0x7ff0_0000_0000_0001, ONE), 0x7ff8_0000_0000_0001);
        assert_eq!(mul::<RP>(ONE, 0xfff8_0000_0000_0123), 0xfff8_0000_0000_0123);
        assert_eq!(add::<RN>(INF, INF | SIGN), 0xfff8_0000_0000_0000);
        assert_eq!(sqrt::<RZ>(ONE | SIGN), 0xfff8_0000_0000_0000);
    }

    #[test]
    fn of_several_nans_the_second_source_comes_first_and_the_first_last() {
        let [a, b, c] = [1, 2, 3].map(|digits| INF | QUIET | digits);
        assert_eq!(add::<RN>(a, b), b);
        assert_eq!(mul::<RZ>(a, b), b);
        assert_eq!(fma::<RN>(a, b, c), b);
        assert_eq!(fma::<RP>(a, ONE, c), c);
        assert_eq!(fma::<RN>(a, ONE, ONE), a);
        assert_eq!(fma_swapped::<RN>(ONE, b, c), c);
        assert_eq!(div::<RN>(a, b), a);
    }

    #[test]
    fn nans_keep_their_sign() {
        let nan = INF | QUIET | 5;
        assert_eq!(sub::<RN>(ONE, nan), nan);
        assert_eq!(sub::<RM>(ONE, nan | SIGN), nan | SIGN);
        assert_eq!(neg(nan), nan);
        assert_eq!(neg(INF | 1), INF | QUIET | 1);
        assert_eq!(abs(nan | SIGN), nan | SIGN);
        assert_eq!(abs(ONE | SIGN), ONE);
    }

    #[test]
    fn directions_differ() {
        let ten = 10f64.to_bits();
        assert_eq!(div::<RP>(ONE, ten), div::<RN>(ONE, ten));
        assert_eq!(div::<RM>(ONE, ten) + 1, div::<RP>(ONE, ten));
        assert_eq!(rcp::<RZ>(ten), div::<RM>(ONE, ten));
        assert_eq!(add::<RM>(ONE, ONE | SIGN), SIGN);
        assert_eq!(fma::<RP>(ONE, ONE, 1), ONE + 1);
        assert_eq!(mul::<RZ>(INF - 1, INF - 1), INF - 1);
    }
}
