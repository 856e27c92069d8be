//! Single precision: plain functions of bits, an instance for each set of modifiers.
//!
//! To the nearest, the host computes; otherwise [`super::arithmetic`] does. Every NaN that comes
//! out is the same one: the hardware hands no payload on.

use super::arithmetic;
use super::format::{F32, Number};
use super::fused;
use super::round::Rounding;

/// Roundings as parameters of functions.
pub const RN: u8 = 0;
/// Towards zero.
pub const RZ: u8 = 1;
/// Down.
pub const RM: u8 = 2;
/// Up.
pub const RP: u8 = 3;

/// The rounding a parameter stands for.
pub const fn rounding(parameter: u8) -> Rounding {
    match parameter {
        RZ => Rounding::Zero,
        RM => Rounding::Down,
        RP => Rounding::Up,
        _ => Rounding::Nearest,
    }
}

/// Picks the instance of a function that is generic over roundings and flags, in their order:
/// `instance!(add; round r, flag ftz, flag sat)`.
macro_rules! instance {
    ($f:ident; $($rest:tt)*) => { instance!(@ $f [] $($rest)*) };
    (@ $f:ident [$($c:expr,)*]) => { $f::<$($c),*> };
    (@ $f:ident [$($c:expr,)*] flag $x:expr $(, $($rest:tt)*)?) => {
        if $x {
            instance!(@ $f [$($c,)* true,] $($($rest)*)?)
        } else {
            instance!(@ $f [$($c,)* false,] $($($rest)*)?)
        }
    };
    (@ $f:ident [$($c:expr,)*] round $x:expr $(, $($rest:tt)*)?) => {
        match $x {
            $crate::float::round::Rounding::Zero => {
                instance!(@ $f [$($c,)* { $crate::float::single::RZ },] $($($rest)*)?)
            }
            $crate::float::round::Rounding::Down => {
                instance!(@ $f [$($c,)* { $crate::float::single::RM },] $($($rest)*)?)
            }
            $crate::float::round::Rounding::Up => {
                instance!(@ $f [$($c,)* { $crate::float::single::RP },] $($($rest)*)?)
            }
            _ => instance!(@ $f [$($c,)* { $crate::float::single::RN },] $($($rest)*)?),
        }
    };
}
pub(crate) use instance;

/// A source, flushed if `.ftz` says so.
fn source<const FTZ: bool>(bits: u64) -> f32 {
    let bits = bits as u32;
    let flushed = FTZ && bits & 0x7f80_0000 == 0;
    f32::from_bits(if flushed { bits & 0x8000_0000 } else { bits })
}

/// A result of arithmetic that the host found; `exact` gives the value before it was rounded.
///
/// The host rounds what is below the normal numbers to a multiple of the smallest subnormal one.
/// With `.ftz` the hardware rounds it to all its digits, which matters only where the result is the
/// smallest normal number.
fn near<const FTZ: bool, const SAT: bool>(value: f32, exact: impl FnOnce() -> Number) -> u64 {
    if FTZ && value.abs() == f32::MIN_POSITIVE {
        let flushed = exact().pack_flushing(&F32, Rounding::Nearest);
        return finish::<FTZ, SAT>(f32::from_bits(flushed as u32));
    }
    finish::<FTZ, SAT>(value)
}

/// A result in another direction than the nearest.
fn directed<const R: u8, const FTZ: bool, const SAT: bool>(exact: Number) -> u64 {
    let bits = if FTZ {
        exact.pack_flushing(&F32, rounding(R))
    } else {
        exact.pack(&F32, rounding(R))
    };
    finish::<FTZ, SAT>(f32::from_bits(bits as u32))
}

/// A result: `.sat` and `.ftz` applied, NaN made canonical.
pub fn finish<const FTZ: bool, const SAT: bool>(value: f32) -> u64 {
    if value.is_nan() {
        return if SAT { 0 } else { F32.nan };
    }
    if SAT {
        // Neither `max` nor `clamp` say what becomes of minus zero.
        let cut = if value > 0.0 { value.min(1.0) } else { 0.0 };
        return u64::from(source::<FTZ>(u64::from(cut.to_bits())).to_bits());
    }
    u64::from(source::<FTZ>(u64::from(value.to_bits())).to_bits())
}

fn number(value: f32) -> Number {
    F32.unpack(u64::from(value.to_bits()))
}

/// `add`
pub fn add<const R: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (a, b) = (source::<FTZ>(a), source::<FTZ>(b));
    let exact = || arithmetic::add(number(a), number(b), rounding(R));
    match R {
        RN => near::<FTZ, SAT>(a + b, exact),
        _ => directed::<R, FTZ, SAT>(exact()),
    }
}

/// `sub`
pub fn sub<const R: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    add::<R, FTZ, SAT>(a, b ^ 0x8000_0000)
}

/// `mul`
pub fn mul<const R: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (a, b) = (source::<FTZ>(a), source::<FTZ>(b));
    let exact = || arithmetic::multiply(number(a), number(b));
    match R {
        RN => near::<FTZ, SAT>(a * b, exact),
        _ => directed::<R, FTZ, SAT>(exact()),
    }
}

/// `fma`, and `mad`, which is the same.
pub fn fma<const R: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64, c: u64) -> u64 {
    let (a, b, c) = (source::<FTZ>(a), source::<FTZ>(b), source::<FTZ>(c));
    let exact = || arithmetic::fused(number(a), number(b), number(c), rounding(R));
    match R {
        RN => near::<FTZ, SAT>(fused::single(a, b, c), exact),
        _ => directed::<R, FTZ, SAT>(exact()),
    }
}

/// `div` with a rounding.
pub fn div<const R: u8, const FTZ: bool>(a: u64, b: u64) -> u64 {
    let (a, b) = (source::<FTZ>(a), source::<FTZ>(b));
    let exact = || arithmetic::divide(number(a), number(b));
    match R {
        RN => near::<FTZ, false>(a / b, exact),
        _ => directed::<R, FTZ, false>(exact()),
    }
}

/// `rcp` with a rounding.
pub fn rcp<const R: u8, const FTZ: bool>(a: u64) -> u64 {
    div::<R, FTZ>(u64::from(1f32.to_bits()), a)
}

/// `sqrt` with a rounding.
pub fn sqrt<const R: u8, const FTZ: bool>(a: u64) -> u64 {
    let a = source::<FTZ>(a);
    match R {
        RN => finish::<FTZ, false>(a.sqrt()),
        _ => directed::<R, FTZ, false>(arithmetic::square_root(number(a))),
    }
}

/// `abs`. ptxas makes it an addition of minus zero, so that NaNs become canonical.
pub fn abs<const FTZ: bool>(a: u64) -> u64 {
    finish::<FTZ, false>(source::<FTZ>(a).abs())
}

/// `neg`, likewise.
pub fn neg<const FTZ: bool>(a: u64) -> u64 {
    finish::<FTZ, false>(-source::<FTZ>(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: u64 = 0x7fff_ffff;
    const ONE: u64 = 0x3f80_0000;
    const MINUS_ONE: u64 = 0xbf80_0000;
    const INF: u64 = 0x7f80_0000;
    const MINUS_ZERO: u64 = 0x8000_0000;
    const TINY: u64 = 1;

    #[test]
    fn nans_are_canonical() {
        assert_eq!(add::<RN, false, false>(0xffc1_2345, ONE), NAN);
        assert_eq!(add::<RM, false, false>(0x7f80_0001, ONE), NAN);
        assert_eq!(add::<RN, false, false>(INF, INF ^ MINUS_ZERO), NAN);
        assert_eq!(mul::<RP, false, false>(INF, 0), NAN);
        assert_eq!(sqrt::<RN, false>(MINUS_ONE), NAN);
        assert_eq!(sqrt::<RZ, false>(MINUS_ONE), NAN);
        assert_eq!(abs::<false>(0xff80_0001), NAN);
    }

    #[test]
    fn saturation_cuts_to_the_unit_interval() {
        assert_eq!(add::<RN, false, true>(NAN, ONE), 0);
        assert_eq!(add::<RN, false, true>(ONE, ONE), ONE);
        assert_eq!(add::<RN, false, true>(MINUS_ONE, 0), 0);
        assert_eq!(mul::<RN, false, true>(MINUS_ZERO, ONE), 0);
        assert_eq!(add::<RN, false, true>(TINY, 0), TINY);
        assert_eq!(add::<RN, true, true>(TINY, 0), 0);
    }

    #[test]
    fn subnormals_are_flushed_going_in_and_coming_out() {
        let min_normal = 0x0080_0000;
        assert_eq!(add::<RN, true, false>(0x8000_0001, MINUS_ZERO), MINUS_ZERO);
        assert_eq!(mul::<RN, true, false>(min_normal, 0xbf00_0000), MINUS_ZERO);
        assert_eq!(
            mul::<RN, false, false>(min_normal, 0xbf00_0000),
            0x8040_0000
        );
        assert_eq!(fma::<RN, true, false>(TINY, 0x7f00_0000, 0), 0);
        assert_eq!(rcp::<RN, true>(0x8000_0001), 0xff80_0000);
        // Representable but for its exponent, and a little above that.
        assert_eq!(mul::<RN, true, false>(min_normal, 0x3f7f_ffff), 0);
        assert_eq!(mul::<RN, true, false>(0x2000_0001, 0x1fff_fffe), min_normal);
        assert_eq!(mul::<RZ, true, false>(0x2000_0001, 0x1fff_fffe), 0);
    }

    #[test]
    fn directions_differ() {
        let third = |f: fn(u64, u64) -> u64| f(ONE, 0x4040_0000);
        assert_eq!(third(div::<RN, false>), 0x3eaa_aaab);
        assert_eq!(third(div::<RZ, false>), 0x3eaa_aaaa);
        assert_eq!(third(div::<RM, false>), 0x3eaa_aaaa);
        assert_eq!(third(div::<RP, false>), 0x3eaa_aaab);
        assert_eq!(add::<RM, false, false>(ONE, MINUS_ONE), MINUS_ZERO);
        assert_eq!(sub::<RM, false, false>(0, 0), MINUS_ZERO);
        assert_eq!(sub::<RN, false, false>(0, 0), 0);
        assert_eq!(
            mul::<RZ, false, false>(0x7f00_0000, 0x7f00_0000),
            0x7f7f_ffff
        );
        assert_eq!(fma::<RP, false, false>(ONE, ONE, TINY), 0x3f80_0001);
    }
}
