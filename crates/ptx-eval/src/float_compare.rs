//! Order of floating-point numbers: every format widened to `f64`, which holds them all.

use super::compare::Comparison;
use super::half::widen_f16;

/// A format whose numbers have an order.
pub(super) trait Float: 'static {
    /// The number in the low bits.
    fn read(bits: u64) -> f64;
}

/// Single precision.
pub(super) enum F32 {}
/// Single precision with subnormal numbers as zeros.
pub(super) enum F32Flushed {}
/// Double precision.
pub(super) enum F64 {}
/// Half precision.
pub(super) enum F16 {}
/// Half precision with subnormal numbers as zeros.
pub(super) enum F16Flushed {}
/// bfloat16.
pub(super) enum Bf16 {}

impl Float for F32 {
    #[inline]
    fn read(bits: u64) -> f64 {
        f64::from(f32::from_bits(bits as u32))
    }
}

impl Float for F32Flushed {
    #[inline]
    fn read(bits: u64) -> f64 {
        match bits & 0x7f80_0000 {
            0 => 0.0,
            _ => F32::read(bits),
        }
    }
}

impl Float for F64 {
    #[inline]
    fn read(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

impl Float for F16 {
    #[inline]
    fn read(bits: u64) -> f64 {
        widen_f16(bits)
    }
}

impl Float for F16Flushed {
    fn read(bits: u64) -> f64 {
        match bits & 0x7c00 {
            0 => 0.0,
            _ => F16::read(bits),
        }
    }
}

impl Float for Bf16 {
    #[inline]
    fn read(bits: u64) -> f64 {
        F32::read(bits << 16)
    }
}

/// The comparison an operator makes; those that end in `u` hold for NaNs, too.
pub(super) fn operator<F: Float>(operator: &str) -> Option<Comparison> {
    Some(match operator {
        ".eq" => |a, b| u64::from(F::read(a) == F::read(b)),
        ".ne" => |a, b| u64::from(F::read(a) != F::read(b)) & ordered::<F>(a, b),
        ".lt" => |a, b| u64::from(F::read(a) < F::read(b)),
        ".le" => |a, b| u64::from(F::read(a) <= F::read(b)),
        ".gt" => |a, b| u64::from(F::read(a) > F::read(b)),
        ".ge" => |a, b| u64::from(F::read(a) >= F::read(b)),
        ".equ" => |a, b| u64::from(F::read(a) == F::read(b)) | unordered::<F>(a, b),
        ".neu" => |a, b| u64::from(F::read(a) != F::read(b)),
        ".ltu" => |a, b| u64::from(F::read(a) < F::read(b)) | unordered::<F>(a, b),
        ".leu" => |a, b| u64::from(F::read(a) <= F::read(b)) | unordered::<F>(a, b),
        ".gtu" => |a, b| u64::from(F::read(a) > F::read(b)) | unordered::<F>(a, b),
        ".geu" => |a, b| u64::from(F::read(a) >= F::read(b)) | unordered::<F>(a, b),
        ".num" => ordered::<F>,
        ".nan" => unordered::<F>,
        _ => return None,
    })
}

#[inline]
fn unordered<F: Float>(a: u64, b: u64) -> u64 {
    u64::from(F::read(a).is_nan() || F::read(b).is_nan())
}

#[inline]
fn ordered<F: Float>(a: u64, b: u64) -> u64 {
    unordered::<F>(a, b) ^ 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_as_numbers() {
        assert_eq!(F16::read(0x3c00), 1.0);
        assert_eq!(F16::read(0xfbff), -65504.0);
        assert_eq!(F16::read(1), 2_f64.powi(-24));
        assert_eq!(F16::read(0x400), 2_f64.powi(-14));
        assert_eq!(F16::read(0xfc00), f64::NEG_INFINITY);
        assert!(F16::read(0x7c01).is_nan());
        assert_eq!(F16Flushed::read(0x83ff), 0.0);
        assert_eq!(Bf16::read(0xbf80), -1.0);
    }
}
