//! The approximate functions: `rcp`, `sqrt`, `rsqrt`, `div`, `sin`, `cos`, `lg2`, `ex2`, `tanh`.
//!
//! The hardware has one unit for these; it knows single precision only and, but for `tanh`, takes
//! and gives no subnormals. Without `.ftz` ptxas scales what would be one, before and after. The
//! unit is modelled by the true value, rounded ([`unit`]); the scaling is done as the machine code
//! does it, so that special values come out right. How far the hardware may be from the true value
//! is said in [`super::bound`].

use super::double;
use super::format::{F32, F64};
use super::single::{self, RN, RZ, finish};

/// Below this magnitude a single is subnormal.
const MIN_NORMAL: f32 = f32::MIN_POSITIVE;
/// Above this magnitude the reciprocal of a single is subnormal: 2^126.
const LARGE: f32 = f32::from_bits(0x7e80_0000);
/// Lifts every subnormal to the normal numbers: 2^24.
const LIFT: f32 = 16_777_216.0;
/// Turns in a radian, as ptxas has it.
const TURNS: u64 = 0x3e22_f983;

fn value(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits(value: f32) -> u64 {
    u64::from(value.to_bits())
}

/// A function of the unit: subnormals are zero on both sides.
fn unit(function: impl Fn(f64) -> f64, x: f32) -> f32 {
    let x = value(F32.flushed(bits(x)));
    value(finish::<true, false>(function(f64::from(x)) as f32))
}

fn reciprocal(x: f32) -> f32 {
    unit(|x| 1.0 / x, x)
}

/// Multiplication as the machine's.
fn times<const FTZ: bool>(a: f32, b: f32) -> f32 {
    value(single::mul::<RN, FTZ, false>(bits(a), bits(b)))
}

/// `rcp.approx`
pub fn rcp<const FTZ: bool>(a: u64) -> u64 {
    let a = value(a);
    if FTZ {
        return bits(reciprocal(a));
    }
    let scale = if a.abs() > LARGE {
        0.25
    } else if a.abs() < MIN_NORMAL {
        LIFT
    } else {
        1.0
    };
    bits(times::<false>(scale, reciprocal(times::<false>(a, scale))))
}

/// `div.approx`: the reciprocal of `b` times `a`, so that a `b` above 2^126 gives zero.
pub fn div<const FTZ: bool>(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (value(a), value(b));
    if !FTZ && b.abs() < MIN_NORMAL {
        (a, b) = (times::<false>(a, LIFT), times::<false>(b, LIFT));
    }
    bits(times::<FTZ>(reciprocal(b), a))
}

/// `div.full`: the same with large `b` scaled.
pub fn div_full<const FTZ: bool>(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (value(a), value(b));
    if b.abs() > LARGE {
        (a, b) = (times::<FTZ>(a, 0.25), times::<FTZ>(b, 0.25));
    }
    if !FTZ && b.abs() < MIN_NORMAL {
        (a, b) = (times::<false>(a, LIFT), times::<false>(b, LIFT));
    }
    bits(times::<FTZ>(reciprocal(b), a))
}

/// `function` of `a`; a subnormal `a` is lifted, and what comes out multiplied by `back`.
fn lifted<const FTZ: bool>(a: u64, function: fn(f64) -> f64, back: f32) -> u64 {
    let a = value(a);
    if FTZ || a.abs() >= MIN_NORMAL || a.is_nan() {
        return bits(unit(function, a));
    }
    bits(times::<false>(
        unit(function, times::<false>(a, LIFT)),
        back,
    ))
}

/// `sqrt.approx`
pub fn sqrt<const FTZ: bool>(a: u64) -> u64 {
    lifted::<FTZ>(a, f64::sqrt, 1.0 / 4096.0)
}

/// `rsqrt.approx`
pub fn rsqrt<const FTZ: bool>(a: u64) -> u64 {
    lifted::<FTZ>(a, |x| 1.0 / x.sqrt(), 4096.0)
}

/// `lg2.approx`
pub fn lg2<const FTZ: bool>(a: u64) -> u64 {
    let x = value(a);
    if FTZ || x.abs() >= MIN_NORMAL || x.is_nan() {
        return bits(unit(f64::log2, x));
    }
    let lifted = unit(f64::log2, times::<false>(x, LIFT));
    finish::<false, false>(lifted - 24.0)
}

/// `ex2.approx`
pub fn ex2<const FTZ: bool>(a: u64) -> u64 {
    let a = value(a);
    if !FTZ && a < -126.0 {
        let half = unit(f64::exp2, a * 0.5);
        return bits(times::<false>(half, half));
    }
    bits(unit(f64::exp2, a))
}

/// Radians to turns, as ptxas makes them; beyond small angles this decides how good the result is.
fn turns(a: u64) -> f32 {
    value(single::mul::<RZ, false, false>(a, TURNS))
}

/// The angle in radians without whole turns, which the remainder takes off exactly.
fn angle(turns: f64) -> f64 {
    std::f64::consts::TAU * (turns % 1.0)
}

/// `sin.approx`; `.ftz` makes no difference.
pub fn sin(a: u64) -> u64 {
    bits(unit(|x| angle(x).sin(), turns(a)))
}

/// `cos.approx`, likewise.
pub fn cos(a: u64) -> u64 {
    bits(unit(|x| angle(x).cos(), turns(a)))
}

/// `tanh.approx`, which knows subnormals.
pub fn tanh(a: u64) -> u64 {
    finish::<false, false>(f64::from(value(a)).tanh() as f32)
}

/// The NaN of the approximate functions of doubles that look at the upper half only.
const UPPER_NAN: u64 = 0x7fff_ffff_0000_0000;
const UPPER: u64 = 0xffff_ffff_0000_0000;

/// A function of the upper half of a double; subnormals are zero on both sides.
fn upper(a: u64, function: impl Fn(f64) -> f64) -> u64 {
    let result = function(f64::from_bits(F64.flushed(a & UPPER)));
    if result.is_nan() {
        return UPPER_NAN;
    }
    // To the nearest; a carry goes into the exponent, as it should.
    let rounded = if result.is_finite() {
        result.to_bits() + 0x8000_0000
    } else {
        result.to_bits()
    };
    F64.flushed(rounded & UPPER)
}

/// `rcp.approx.ftz.f64`
pub fn rcp_upper(a: u64) -> u64 {
    upper(a, |x| 1.0 / x)
}

/// `rsqrt.approx.ftz.f64`
pub fn rsqrt_upper(a: u64) -> u64 {
    upper(a, |x| 1.0 / x.sqrt())
}

/// `rsqrt.approx.f64`
pub fn rsqrt_double(a: u64) -> u64 {
    let x = f64::from_bits(a);
    if x.is_nan() {
        return double::add::<RN>(a, a);
    }
    let result = 1.0 / x.sqrt();
    if result.is_nan() {
        F64.nan
    } else {
        result.to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: u64 = 0x7fff_ffff;
    const INF: u64 = 0x7f80_0000;
    const MINUS_INF: u64 = 0xff80_0000;
    const MINUS_ZERO: u64 = 0x8000_0000;

    #[test]
    fn subnormals_are_zero_with_ftz_and_exact_without() {
        assert_eq!(rcp::<true>(0x8000_0001), MINUS_INF);
        assert_eq!(value(rcp::<false>(0x0040_0000)), (127f32).exp2());
        assert_eq!(sqrt::<true>(1), 0);
        assert_eq!(sqrt::<false>(2), bits(f32::exp2(-74.0)));
        assert_eq!(lg2::<true>(1), MINUS_INF);
        assert_eq!(lg2::<false>(1), bits(-149.0));
        assert_eq!(ex2::<true>(bits(-140.0)), 0);
        assert_eq!(ex2::<false>(bits(-140.0)), 1 << 9);
        assert_eq!(rsqrt::<true>(0x8000_0001), MINUS_INF);
        assert_eq!(rsqrt::<false>(0x8000_0001), NAN);
        assert_eq!(tanh(0x8000_0003), 0x8000_0003);
    }

    #[test]
    fn special_values() {
        assert_eq!(lg2::<false>(bits(-1.0)), NAN);
        assert_eq!(lg2::<false>(INF), INF);
        assert_eq!(ex2::<false>(MINUS_INF), 0);
        assert_eq!(sin(INF), NAN);
        assert_eq!(sin(MINUS_ZERO), MINUS_ZERO);
        assert_eq!(cos(MINUS_ZERO), bits(1.0));
        assert_eq!(tanh(MINUS_INF), bits(-1.0));
        assert_eq!(sqrt::<false>(MINUS_ZERO), MINUS_ZERO);
        assert_eq!(rcp::<false>(INF), 0);
    }

    #[test]
    fn a_large_divisor_gives_zero_unless_it_is_scaled() {
        let b = bits(f32::exp2(127.0));
        assert_eq!(div::<false>(b, b), 0);
        assert_eq!(div::<true>(INF, b), NAN);
        assert_eq!(div_full::<false>(b, b), bits(1.0));
        assert_eq!(div_full::<true>(b, b), bits(1.0));
    }

    #[test]
    fn doubles_by_their_upper_half() {
        assert_eq!(rcp_upper(2f64.to_bits()), 0.5f64.to_bits());
        // The lower half is not looked at, and that of the result is zero.
        assert_eq!(rcp_upper(2f64.to_bits() + 99), 0.5f64.to_bits());
        assert_eq!(rcp_upper(3f64.to_bits()) & !UPPER, 0);
        assert_eq!(rcp_upper(0x8000_0000_0000_0000), 0xfff0_0000_0000_0000);
        assert_eq!(rcp_upper(0x000f_ffff_0000_0000), 0x7ff0_0000_0000_0000);
        assert_eq!(rsqrt_upper(4f64.to_bits()), 0.5f64.to_bits());
        assert_eq!(rsqrt_double(4f64.to_bits()), 0.5f64.to_bits());
        assert_eq!(rsqrt_double((-4f64).to_bits()), F64.nan);
    }
}
