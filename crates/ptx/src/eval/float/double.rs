//! Double precision: plain functions of bits.
//!
//! Unlike single precision the hardware hands NaNs on: the first source that is one comes out,
//! made quiet. What has no NaN among its sources gives [`F64`]'s.

use super::arithmetic;
use super::format::{F64, Number};
use super::single::{RN, rounding};

const QUIET: u64 = F64.quiet_bit();
const SIGN: u64 = F64.sign_bit();

/// The NaN that comes out of these sources.
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
    finish(sum, &[a, b])
}

/// `sub`
pub fn sub<const R: u8>(a: u64, b: u64) -> u64 {
    add::<R>(a, b ^ SIGN)
}

/// `mul`
pub fn mul<const R: u8>(a: u64, b: u64) -> u64 {
    let product = match R {
        RN => f64::from_bits(a) * f64::from_bits(b),
        _ => packed::<R>(arithmetic::multiply(F64.unpack(a), F64.unpack(b))),
    };
    finish(product, &[a, b])
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
    finish(sum, &[a, b, c])
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

/// `abs`. ptxas makes it an addition of minus zero, so that NaNs become quiet.
pub fn abs(a: u64) -> u64 {
    quieted(a & !SIGN)
}

/// `neg`, likewise.
pub fn neg(a: u64) -> u64 {
    quieted(a ^ SIGN)
}

fn quieted(bits: u64) -> u64 {
    if F64.is_nan(bits) { bits | QUIET } else { bits }
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
