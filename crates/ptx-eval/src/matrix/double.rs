//! Products in double precision: fused multiply-adds, one after the other along k.

use super::{Lanes, Operands};

/// Where a result between two numbers goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// `.rn`: to the nearest, ties to even.
    Nearest,
    /// `.rz`
    Zero,
    /// `.rm`
    Down,
    /// `.rp`
    Up,
}

impl Rounding {
    /// By the token of a modifier slot.
    pub fn of(token: Option<&str>) -> Rounding {
        match token {
            Some(".rz") => Rounding::Zero,
            Some(".rm") => Rounding::Down,
            Some(".rp") => Rounding::Up,
            _ => Rounding::Nearest,
        }
    }

    /// Whether a magnitude is rounded up, given its last bit, the first bit after it and whether
    /// there are more.
    fn up(self, negative: bool, odd: bool, half: bool, more: bool) -> bool {
        match self {
            Rounding::Nearest => half && (more || odd),
            Rounding::Zero => false,
            Rounding::Down => negative && (half || more),
            Rounding::Up => !negative && (half || more),
        }
    }
}

/// Elements of a multiplicand, at most: A of `m16n8k16`.
const MOST: usize = 256;

/// Computes a product.
pub(super) fn run(operands: &Operands<'_>, rounding: Rounding, results: &mut [Lanes]) {
    let (terms, columns) = (operands.terms(), operands.columns());
    let (mut a, mut b) = ([0.0; MOST], [0.0; MOST]);
    for (to, bits) in a.iter_mut().zip(operands.a()) {
        *to = f64::from_bits(bits);
    }
    for (to, bits) in b.iter_mut().zip(operands.b()) {
        *to = f64::from_bits(bits);
    }
    operands.map(results, |row, column, c| {
        let row = &a[row * terms..][..terms];
        let column = b[column..].iter().step_by(columns);
        let sum = row
            .iter()
            .zip(column)
            .fold(f64::from_bits(c), |sum, (a, b)| {
                fused(*a, *b, sum, rounding)
            });
        sum.to_bits()
    });
}

/// The NaN of an operation that has none among its sources.
pub const NAN: u64 = 0xfff8_0000_0000_0000;

/// The bit that makes a NaN quiet.
const QUIET: u64 = 1 << 51;

/// The bit at which magnitudes have their leading one: room for a carry above, and for more than a
/// product's 106 bits below, so that what is shifted out never decides more than "inexact".
const TOP: u32 = 124;

/// A magnitude with its leading one at [`TOP`], times a power of two.
#[derive(Clone, Copy)]
struct Scaled {
    negative: bool,
    magnitude: u128,
    /// The power of two of bit [`TOP`].
    exponent: i32,
}

fn scaled(negative: bool, magnitude: u128, last: i32) -> Scaled {
    let top = 127 - magnitude.leading_zeros();
    Scaled {
        negative,
        magnitude: magnitude << (TOP - top),
        exponent: last + top as i32,
    }
}

/// Significand and the power of two of its last bit.
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    match field {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, field - 1075),
    }
}

/// The NaN that comes out: that of the first source that is one, made quiet. The tensor cores look at
/// B first, then at the sum, then at A.
fn nan(a: f64, b: f64, c: f64) -> f64 {
    let handed_on = [b, c, a].into_iter().find(|x| x.is_nan());
    f64::from_bits(handed_on.map_or(NAN, |x| x.to_bits() | QUIET))
}

/// `a * b + c` with one rounding.
pub fn fused(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    let usual = a.mul_add(b, c);
    if usual.is_nan() {
        return nan(a, b, c);
    }
    let special = !a.is_finite() || !b.is_finite() || !c.is_finite();
    if rounding == Rounding::Nearest || special {
        return usual;
    }
    let negative = a.is_sign_negative() != b.is_sign_negative();
    let ((sa, ea), (sb, eb), (sc, ec)) = (parts(a), parts(b), parts(c));
    let product = u128::from(sa) * u128::from(sb);
    if product == 0 || sc == 0 {
        if product == 0 && sc == 0 {
            return zero(negative, c.is_sign_negative(), rounding);
        }
        let only = match product {
            0 => scaled(c.is_sign_negative(), u128::from(sc), ec),
            _ => scaled(negative, product, ea + eb),
        };
        return encode(only, rounding);
    }
    let product = scaled(negative, product, ea + eb);
    let addend = scaled(c.is_sign_negative(), u128::from(sc), ec);
    let size = |x: &Scaled| (x.exponent, x.magnitude);
    let (large, small) = match size(&product) >= size(&addend) {
        true => (product, addend),
        false => (addend, product),
    };
    let shift = (large.exponent - small.exponent) as u32;
    let shifted = small.magnitude.checked_shr(shift).unwrap_or(0);
    let lost = shifted.checked_shl(shift).unwrap_or(0) != small.magnitude;
    let shifted = shifted | u128::from(lost);
    let magnitude = match large.negative == small.negative {
        true => large.magnitude + shifted,
        false => large.magnitude - shifted,
    };
    if magnitude == 0 {
        return zero(false, true, rounding);
    }
    let last = large.exponent - TOP as i32;
    // Back to where the leading one is; a carry moves the sticky bit down, which keeps it sticky.
    let sum = match magnitude >> (TOP + 1) {
        0 => scaled(large.negative, magnitude, last),
        _ => Scaled {
            negative: large.negative,
            magnitude: magnitude >> 1 | magnitude & 1,
            exponent: large.exponent + 1,
        },
    };
    encode(sum, rounding)
}

/// The sum of two zeros, or of two numbers that cancel.
fn zero(one_negative: bool, other_negative: bool, rounding: Rounding) -> f64 {
    match one_negative == other_negative {
        true if one_negative => -0.0,
        true => 0.0,
        false if rounding == Rounding::Down => -0.0,
        false => 0.0,
    }
}

fn encode(value: Scaled, rounding: Rounding) -> f64 {
    let exponent = value.exponent.max(-1022);
    // Bits that go: all but 53, more for a subnormal.
    let cut = TOP - 52 + (exponent - value.exponent) as u32;
    let kept = value.magnitude.checked_shr(cut).unwrap_or(0) as u64;
    let half = match cut {
        0..=128 => value.magnitude >> (cut - 1) & 1 == 1,
        _ => false,
    };
    let below = match cut {
        0..=128 => value.magnitude & ((1 << (cut - 1)) - 1) != 0,
        _ => true,
    };
    let up = rounding.up(value.negative, kept & 1 == 1, half, below);
    let field = match kept >> 52 {
        0 => 0,
        _ => (exponent + 1022) as u64,
    };
    let bits = (field << 52) + kept + u64::from(up);
    let infinity = f64::INFINITY.to_bits();
    let bits = match bits {
        bits if bits < infinity => bits,
        _ if rounding.up(value.negative, true, true, true) => infinity,
        _ => infinity - 1,
    };
    f64::from_bits(bits | u64::from(value.negative) << 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_testkit::Random;

    /// The directed results are the neighbours on both sides of the exact one, which the processor's
    /// rounding to nearest gives one of.
    #[test]
    fn directed_results_enclose_the_nearest() {
        let mut random = Random::new(1);
        for i in 0..200_000 {
            let mut next = || {
                let bits = random.bits();
                // Every other time exponents near to each other, so that numbers cancel.
                match i % 2 {
                    0 => f64::from_bits(bits),
                    _ => f64::from_bits(bits & !(0x7f8 << 52) | 0x3f8 << 52),
                }
            };
            let (a, b, c) = (next(), next(), next());
            let c = if i % 3 == 0 { -(a * b) } else { c };
            let exact = a.mul_add(b, c);
            if !exact.is_finite() || !a.is_finite() || !b.is_finite() || !c.is_finite() {
                continue;
            }
            let down = fused(a, b, c, Rounding::Down);
            let up = fused(a, b, c, Rounding::Up);
            let zero = fused(a, b, c, Rounding::Zero);
            assert!(down <= exact && exact <= up, "{a:e} {b:e} {c:e}");
            assert!(down == up || down.next_up() == up, "{a:e} {b:e} {c:e}");
            assert_eq!(zero, if down >= 0.0 { down } else { up });
            assert!(exact == down || exact == up);
        }
    }

    #[test]
    fn directed() {
        let tiny = f64::MIN_POSITIVE;
        assert_eq!(fused(1.0, 1.0, tiny, Rounding::Up), 1.0f64.next_up());
        assert_eq!(fused(1.0, 1.0, tiny, Rounding::Down), 1.0);
        assert_eq!(fused(1.0, 1.0, -tiny, Rounding::Zero), 1.0f64.next_down());
        assert_eq!(
            fused(1.0, 1.0, -1.0, Rounding::Down).to_bits(),
            (-0.0f64).to_bits()
        );
        assert_eq!(fused(f64::MAX, 2.0, 0.0, Rounding::Zero), f64::MAX);
        assert_eq!(fused(f64::MAX, 2.0, 0.0, Rounding::Up), f64::INFINITY);
        assert_eq!(fused(tiny, tiny, 0.0, Rounding::Up), 5e-324);
        assert_eq!(fused(tiny, tiny, 0.0, Rounding::Down), 0.0);
        let invalid = fused(f64::INFINITY, 0.0, 0.0, Rounding::Zero);
        assert_eq!(invalid.to_bits(), NAN);
    }

    #[test]
    fn nans_are_handed_on() {
        let [one, two, three] =
            [1, 2, 3].map(|payload| f64::from_bits(0x7ff0_0000_0000_0000 | payload));
        let payload = |a, b, c| fused(a, b, c, Rounding::Nearest).to_bits() & 0xf_ffff_ffff_ffff;
        assert_eq!(payload(one, two, three), QUIET | 2);
        assert_eq!(payload(one, 1.0, three), QUIET | 3);
        assert_eq!(payload(one, 1.0, 1.0), QUIET | 1);
    }
}
