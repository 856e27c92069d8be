//! The common operations on many values at once, rounded to the nearest.
//!
//! Each gives what the operation of one value gives. They are loops without branches, which the
//! compiler turns into vector instructions; what is rare (a NaN to hand on, a tie to look at more
//! closely) is found afterwards, and then all values are computed one by one.
//!
//! All have three sources, whether or not they read the third, so that a caller can treat them alike.
//! `FTZ` is `.ftz`.
//!
//! ```
//! use warpc_ptx_eval::many;
//!
//! let [a, b, c] = [2.0f32, 3.0, 1.0].map(|x| [x.to_bits(); 4]);
//! assert_eq!(many::fuse_singles(&a, &b, &c), [7.0f32.to_bits(); 4]);
//! ```

use super::double;
use super::format::F32;
use super::fused;
use super::single::RN;

/// A subnormal single made zero.
#[inline]
pub fn flushed(bits: u32) -> u32 {
    let subnormal = bits & 0x7f80_0000 == 0;
    bits & if subnormal { 0x8000_0000 } else { u32::MAX }
}

#[inline]
fn source<const FTZ: bool>(bits: u32) -> f32 {
    f32::from_bits(if FTZ { flushed(bits) } else { bits })
}

/// The bits of a result; there is one NaN only.
#[inline]
fn canonical(value: f32) -> u32 {
    if value.is_nan() {
        F32.nan as u32
    } else {
        value.to_bits()
    }
}

/// `add.f32`
#[inline]
pub fn add_singles<const FTZ: bool, const N: usize>(
    a: &[u32; N],
    b: &[u32; N],
    _: &[u32; N],
) -> [u32; N] {
    std::array::from_fn(|i| {
        let sum = canonical(source::<FTZ>(a[i]) + source::<FTZ>(b[i]));
        // A sum that is below the normal numbers is exact.
        if FTZ { flushed(sum) } else { sum }
    })
}

/// `sub.f32`
#[inline]
pub fn subtract_singles<const FTZ: bool, const N: usize>(
    a: &[u32; N],
    b: &[u32; N],
    c: &[u32; N],
) -> [u32; N] {
    add_singles::<FTZ, N>(a, &b.map(|bits| bits ^ F32.sign_bit() as u32), c)
}

/// `mul.f32`
#[inline]
pub fn multiply_singles<const FTZ: bool, const N: usize>(
    a: &[u32; N],
    b: &[u32; N],
    _: &[u32; N],
) -> [u32; N] {
    std::array::from_fn(|i| {
        let (a, b) = (source::<FTZ>(a[i]), source::<FTZ>(b[i]));
        canonical(if FTZ {
            fused::narrow_flushing(f64::from(a) * f64::from(b))
        } else {
            a * b
        })
    })
}

/// Sums of products, in doubles: exact products, sums rounded once. `doubtful` says of a sum whether
/// rounding it again might go wrong; then `one` does it for all.
#[inline]
fn fuse<const FTZ: bool, const N: usize>(
    [a, b, c]: [&[u32; N]; 3],
    doubtful: impl Fn(f64) -> bool,
    narrow: impl Fn(f64) -> f32,
    one: impl Fn(f32, f32, f32) -> f32,
) -> [u32; N] {
    let mut sums = [0.0; N];
    let mut doubts = false;
    for i in 0..N {
        let [a, b, c] = [a[i], b[i], c[i]].map(|bits| f64::from(source::<FTZ>(bits)));
        sums[i] = a * b + c;
        doubts |= doubtful(sums[i]);
    }
    if doubts {
        return std::array::from_fn(|i| {
            let [a, b, c] = [a[i], b[i], c[i]].map(source::<FTZ>);
            canonical(one(a, b, c))
        });
    }
    sums.map(|sum| canonical(narrow(sum)))
}

/// `fma.f32`
#[inline]
pub fn fuse_singles<const N: usize>(a: &[u32; N], b: &[u32; N], c: &[u32; N]) -> [u32; N] {
    let doubtful = |sum: f64| fused::is_tie(sum) | fused::is_subnormal(sum);
    fuse::<false, N>([a, b, c], doubtful, |sum: f64| sum as f32, fused::single)
}

/// `fma.ftz.f32`. The limit below which sums are made zero is a tie, too, so that sums are never
/// rounded to it unseen.
#[inline]
pub fn fuse_flushed_singles<const N: usize>(a: &[u32; N], b: &[u32; N], c: &[u32; N]) -> [u32; N] {
    fuse::<true, N>(
        [a, b, c],
        fused::is_tie,
        fused::narrow_flushing,
        fused::flushed_single,
    )
}

/// The host's results, unless there is a NaN: then the function of one value, which hands NaNs on.
#[inline]
fn doubles<const N: usize>(
    [a, b, c]: [&[u64; N]; 3],
    host: impl Fn(f64, f64, f64) -> f64,
    one: impl Fn(u64, u64, u64) -> u64,
) -> [u64; N] {
    let results: [f64; N] = std::array::from_fn(|i| {
        let [a, b, c] = [a[i], b[i], c[i]].map(f64::from_bits);
        host(a, b, c)
    });
    if results.iter().fold(false, |nan, x| nan | x.is_nan()) {
        return std::array::from_fn(|i| one(a[i], b[i], c[i]));
    }
    results.map(f64::to_bits)
}

/// `add.f64`
#[inline]
pub fn add_doubles<const N: usize>(a: &[u64; N], b: &[u64; N], c: &[u64; N]) -> [u64; N] {
    doubles(
        [a, b, c],
        |a, b, _| a + b,
        |a, b, _| double::add::<RN>(a, b),
    )
}

/// `sub.f64`
#[inline]
pub fn subtract_doubles<const N: usize>(a: &[u64; N], b: &[u64; N], c: &[u64; N]) -> [u64; N] {
    doubles(
        [a, b, c],
        |a, b, _| a - b,
        |a, b, _| double::sub::<RN>(a, b),
    )
}

/// `mul.f64`
#[inline]
pub fn multiply_doubles<const N: usize>(a: &[u64; N], b: &[u64; N], c: &[u64; N]) -> [u64; N] {
    doubles(
        [a, b, c],
        |a, b, _| a * b,
        |a, b, _| double::mul::<RN>(a, b),
    )
}

/// `fma.f64`
#[inline]
pub fn fuse_doubles<const N: usize>(a: &[u64; N], b: &[u64; N], c: &[u64; N]) -> [u64; N] {
    doubles([a, b, c], f64::mul_add, double::fma::<RN>)
}

#[cfg(test)]
mod tests {
    use super::super::{double, single};
    use super::*;
    use proptest::prelude::*;

    /// Bits of a single whose exponent is one of a few, so that sums cancel, products meet the least
    /// normal number, and both meet ties.
    fn clustered(bits: u32) -> u32 {
        const EXPONENTS: [u32; 14] = [0, 1, 2, 3, 62, 63, 64, 103, 126, 127, 128, 150, 254, 255];
        let exponent = EXPONENTS[(bits >> 23) as usize % EXPONENTS.len()];
        // Few digits, nearly all ones, or any.
        let digits = match bits >> 28 & 3 {
            0 => bits & 0x40_0001,
            1 => bits & 0x7f_f000,
            2 => 0x7f_ffff ^ (bits & 0x07),
            _ => bits & 0x7f_ffff,
        };
        bits & 0x8000_0000 | exponent << 23 | digits
    }

    /// Alone, and beside one that makes the whole lot go one by one.
    fn check_singles(a: u32, b: u32, c: u32) -> Result<(), TestCaseError> {
        type Many = fn(&[u32; 2], &[u32; 2], &[u32; 2]) -> [u32; 2];
        type One = fn(u64, u64, u64) -> u64;
        let checks: [(Many, One); 8] = [
            (add_singles::<false, 2>, |a, b, _| {
                single::add::<RN, false, false>(a, b)
            }),
            (add_singles::<true, 2>, |a, b, _| {
                single::add::<RN, true, false>(a, b)
            }),
            (subtract_singles::<false, 2>, |a, b, _| {
                single::sub::<RN, false, false>(a, b)
            }),
            (subtract_singles::<true, 2>, |a, b, _| {
                single::sub::<RN, true, false>(a, b)
            }),
            (multiply_singles::<false, 2>, |a, b, _| {
                single::mul::<RN, false, false>(a, b)
            }),
            (multiply_singles::<true, 2>, |a, b, _| {
                single::mul::<RN, true, false>(a, b)
            }),
            (fuse_singles::<2>, single::fma::<RN, false, false>),
            (fuse_flushed_singles::<2>, single::fma::<RN, true, false>),
        ];
        // One, and half the last place of it more: a tie.
        let tie = [0x3f80_0000, 0x3380_0000, 0x3f80_0000];
        for (number, (many, one)) in checks.into_iter().enumerate() {
            let want = one(a.into(), b.into(), c.into()) as u32;
            prop_assert_eq!(many(&[a; 2], &[b; 2], &[c; 2]), [want; 2], "{}", number);
            let beside = many(&[tie[0], a], &[tie[1], b], &[tie[2], c])[1];
            prop_assert_eq!(beside, want, "{}", number);
        }
        Ok(())
    }

    fn check_doubles(a: u64, b: u64, c: u64) -> Result<(), TestCaseError> {
        let nan = 0x7ff0_0000_0000_0001;
        for beside in [1f64.to_bits(), nan] {
            let [x, y, z] = [a, b, c].map(|bits| [beside, bits]);
            prop_assert_eq!(add_doubles(&x, &y, &z)[1], double::add::<RN>(a, b));
            prop_assert_eq!(subtract_doubles(&x, &y, &z)[1], double::sub::<RN>(a, b));
            prop_assert_eq!(multiply_doubles(&x, &y, &z)[1], double::mul::<RN>(a, b));
            prop_assert_eq!(fuse_doubles(&x, &y, &z)[1], double::fma::<RN>(a, b, c));
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50_000))]

        #[test]
        fn singles_are_as_one_by_one(a: u32, b: u32, c: u32) {
            check_singles(a, b, c)?;
            let [a, b, c] = [a, b, c].map(clustered);
            check_singles(a, b, c)?;
            // Nearly opposite.
            let product = f32::from_bits(a) * f32::from_bits(b);
            check_singles(a, b, (-product).to_bits())?;
        }

        #[test]
        fn doubles_are_as_one_by_one(a: u64, b: u64, c: u64, pick in 0usize..6) {
            const NANS: [u64; 3] = [0x7ff0_0000_0000_0005, 0xfff8_0000_0000_0007, 0x7ff0_0000_0000_0000];
            check_doubles(a, b, c)?;
            check_doubles(NANS[pick % 3], b, c)?;
            check_doubles(a, NANS[pick % 3], NANS[pick / 2])?;
        }
    }

    #[test]
    fn what_is_rounded_to_the_least_normal_single_stays() {
        const LEAST: u32 = 0x0080_0000;
        let times = |a, b| multiply_singles::<true, 1>(&[a], &[b], &[0]);
        assert_eq!(times(0x2000_0001, 0x1fff_fffe), [LEAST]);
        assert_eq!(times(LEAST, 0x3f7f_ffff), [0]);
        assert_eq!(times(LEAST | 0x8000_0000, 0x3f7f_ffff), [0x8000_0000]);
        let fused = |a, b, c| fuse_flushed_singles::<1>(&[a], &[b], &[c]);
        assert_eq!(fused(0x2000_0001, 0x1fff_fffe, 0), [LEAST]);
        // Half a last place less than the least, and 2^-187 less than that, which no double shows.
        let half_a_place = [0x1a00_0000, 0x9980_0000];
        assert_eq!(fused(half_a_place[0], half_a_place[1], LEAST), [LEAST]);
        assert_eq!(fused(0x1a00_0800, 0x997f_f001, LEAST), [0]);
    }
}
