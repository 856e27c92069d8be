//! Half precision, bfloat16 and packed forms.
//!
//! Every half is a double, exactly, and a product of two halves is one, too. A sum is rounded to odd
//! first: the last bit of the double is set if the sum was not exact. A double so made has more than
//! enough bits for the one rounding to a half that follows to be right. NaNs that come out are the
//! canonical ones.

use super::float::exact::Exact;
use super::float::extremum::Extremum;
use super::float::format::{BF16, F16, F32, F64, Format};
use super::float::fused::add_to_odd;
use super::float::round::Rounding;
use super::float::{extremum_of, type_of};
use super::{Operation, View};
use crate::types::ScalarType;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    // Conversions have their types in other slots; mixed precision has its own section.
    if view.choice.has("atype") {
        return None;
    }
    match type_of(view.choice)? {
        ScalarType::F16 => form::<Half, false>(view),
        ScalarType::F16x2 => form::<Half, true>(view),
        ScalarType::Bf16 => form::<Brain, false>(view),
        ScalarType::Bf16x2 => form::<Brain, true>(view),
        _ => None,
    }
}

/// One of the two formats, as a parameter.
trait Kind: Send + Sync + 'static {
    const FORMAT: Format;
    /// The value as a double.
    fn widen(bits: u64) -> f64;
}

struct Half;
struct Brain;

impl Kind for Half {
    const FORMAT: Format = F16;

    fn widen(bits: u64) -> f64 {
        widen_f16(bits)
    }
}

impl Kind for Brain {
    const FORMAT: Format = BF16;

    fn widen(bits: u64) -> f64 {
        f64::from(f32::from_bits((bits as u32) << 16))
    }
}

/// The value of a half as a double.
pub(super) fn widen_f16(bits: u64) -> f64 {
    let sign = (bits & 0x8000) << 48;
    let magnitude = bits & 0x7fff;
    let code = match magnitude {
        // Subnormal: so many times 2^-24.
        0..=0x03ff => (magnitude as f64 * f64::from_bits(0x3e70_0000_0000_0000)).to_bits(),
        0x7c00.. => magnitude << 42 | 0x7ff0_0000_0000_0000,
        _ => (magnitude << 42) + ((1023 - 15) << 52),
    };
    f64::from_bits(sign | code)
}

/// The half nearest to a double that is exact or rounded to odd.
fn narrow<K: Kind, const FTZ: bool>(value: f64) -> u64 {
    if value.is_nan() {
        return K::FORMAT.nan;
    }
    let format = &K::FORMAT;
    let bits = value.to_bits();
    let negative = bits >> 63 == 1;
    let magnitude = bits & F64.magnitude_mask();
    let code = if magnitude >= ((F64.bias + format.min_exponent()) as u64) << F64.fraction_bits {
        // The code of the half is the upper part of the double's once the exponent has the half's
        // bias; a carry goes into the exponent, and from the largest number to infinity.
        let cut = F64.fraction_bits - format.fraction_bits;
        let rebiased = magnitude - (((F64.bias - format.bias) as u64) << F64.fraction_bits);
        let tie_to_even = (1 << (cut - 1)) - 1 + (rebiased >> cut & 1);
        ((rebiased + tie_to_even) >> cut).min(format.infinity())
    } else if FTZ {
        let exact = Exact {
            negative: false,
            exponent: (magnitude >> F64.fraction_bits) as i32 - F64.bias - F64.fraction_bits as i32,
            significand: u128::from(magnitude & (F64.min_normal() - 1) | F64.min_normal()),
        };
        exact.pack_flushing(format, Rounding::Nearest)
    } else {
        // Beside this power of two the last place of a double is that of the least half: what the
        // sum has more than the power counts them.
        let last = format.min_exponent() - format.fraction_bits as i32;
        let power = ((F64.bias + last) as u64 + u64::from(F64.fraction_bits)) << F64.fraction_bits;
        (f64::from_bits(magnitude) + f64::from_bits(power)).to_bits() - power
    };
    if negative {
        code | format.sign_bit()
    } else {
        code
    }
}

/// The half nearest to a double.
pub(super) fn narrow_f16(value: f64) -> u64 {
    narrow::<Half, false>(value)
}

/// The bfloat16 nearest to a double.
pub(super) fn narrow_bf16(value: f64) -> u64 {
    narrow::<Brain, false>(value)
}

/// What is done to a rounded result before it is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Finish {
    sat: bool,
    relu: bool,
}

fn finish<K: Kind>(bits: u64, finish: Finish) -> u64 {
    let format = &K::FORMAT;
    let negative = bits & format.sign_bit() != 0;
    if format.is_nan(bits) {
        return if finish.sat { 0 } else { format.nan };
    }
    if finish.sat {
        let one = (format.bias as u64) << format.fraction_bits;
        return if negative { 0 } else { bits.min(one) };
    }
    if finish.relu && negative { 0 } else { bits }
}

/// A source, flushed if `.ftz` says so.
fn source<K: Kind, const FTZ: bool>(bits: u64) -> f64 {
    K::widen(if FTZ {
        K::FORMAT.flushed(bits & 0xffff)
    } else {
        bits
    })
}

/// Applies a function to one element or to both.
fn lanes<const PACKED: bool>(element: impl Fn(u32) -> u64) -> u64 {
    if PACKED {
        element(0) | element(16) << 16
    } else {
        element(0)
    }
}

fn plain<K: Kind, const FTZ: bool, const SAT: bool>(value: f64) -> u64 {
    let rules = Finish {
        sat: SAT,
        relu: false,
    };
    finish::<K>(narrow::<K, FTZ>(value), rules)
}

fn add<K: Kind, const PACKED: bool, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    lanes::<PACKED>(|at| {
        let (a, b) = (source::<K, FTZ>(a >> at), source::<K, FTZ>(b >> at));
        plain::<K, FTZ, SAT>(add_to_odd(a, b))
    })
}

fn sub<K: Kind, const PACKED: bool, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    lanes::<PACKED>(|at| {
        let (a, b) = (source::<K, FTZ>(a >> at), source::<K, FTZ>(b >> at));
        plain::<K, FTZ, SAT>(add_to_odd(a, -b))
    })
}

fn mul<K: Kind, const PACKED: bool, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    lanes::<PACKED>(|at| {
        let (a, b) = (source::<K, FTZ>(a >> at), source::<K, FTZ>(b >> at));
        plain::<K, FTZ, SAT>(a * b)
    })
}

fn fma<K: Kind, const PACKED: bool, const FTZ: bool, const SAT: bool>(
    a: u64,
    b: u64,
    c: u64,
) -> u64 {
    lanes::<PACKED>(|at| {
        let (a, b) = (source::<K, FTZ>(a >> at), source::<K, FTZ>(b >> at));
        plain::<K, FTZ, SAT>(add_to_odd(a * b, source::<K, FTZ>(c >> at)))
    })
}

/// ptxas makes `neg` an addition of minus zero, so that NaNs become canonical.
fn neg<K: Kind, const PACKED: bool, const FTZ: bool>(a: u64) -> u64 {
    lanes::<PACKED>(|at| plain::<K, FTZ, false>(-source::<K, FTZ>(a >> at)))
}

/// `abs`, likewise.
fn abs<K: Kind, const PACKED: bool, const FTZ: bool>(a: u64) -> u64 {
    lanes::<PACKED>(|at| plain::<K, FTZ, false>(source::<K, FTZ>(a >> at).abs()))
}

/// What the unit for approximate functions gives as a half: it finds a single and cuts it. Of an
/// H200's results for random halves all are so for `ex2`, and 95 % for `tanh`, whose singles are less
/// exact; the others are one off.
fn cut<K: Kind, const FTZ: bool>(truth: f64) -> u64 {
    let single = F32.unpack(u64::from((truth as f32).to_bits()));
    if FTZ {
        single.pack_flushing(&K::FORMAT, Rounding::Zero)
    } else {
        single.pack(&K::FORMAT, Rounding::Zero)
    }
}

fn tanh<K: Kind, const PACKED: bool>(a: u64) -> u64 {
    lanes::<PACKED>(|at| cut::<K, false>(K::widen(a >> at).tanh()))
}

fn ex2<K: Kind, const PACKED: bool, const FTZ: bool>(a: u64) -> u64 {
    lanes::<PACKED>(|at| {
        let power = source::<K, FTZ>(a >> at);
        // Beyond the format's exponents there is nothing to cut.
        if power >= f64::from(K::FORMAT.bias) + 1.0 {
            return K::FORMAT.infinity();
        }
        cut::<K, FTZ>(power.exp2())
    })
}

/// The NaN that marks an element outside a tensor; `.oob` takes a product with it as zero.
fn is_outside<K: Kind>(bits: u64) -> bool {
    bits & 0xffff == K::FORMAT.nan
}

/// Instances that need a type as their first parameter.
macro_rules! typed {
    ($f:ident::<$k:ident, $p:ident>; ftz $ftz:expr, sat $sat:expr) => {
        match ($ftz, $sat) {
            (false, false) => $f::<$k, $p, false, false>,
            (false, true) => $f::<$k, $p, false, true>,
            (true, false) => $f::<$k, $p, true, false>,
            (true, true) => $f::<$k, $p, true, true>,
        }
    };
    ($f:ident::<$k:ident, $p:ident>; ftz $ftz:expr) => {
        if $ftz {
            $f::<$k, $p, true>
        } else {
            $f::<$k, $p, false>
        }
    };
}

fn form<K: Kind, const PACKED: bool>(view: &View<'_>) -> Option<Operation> {
    let choice = view.choice;
    let (ftz, sat) = (choice.has("ftz"), choice.has("sat"));
    Some(match view.opcode() {
        "add" => Operation::two(typed!(add::<K, PACKED>; ftz ftz, sat sat)),
        "sub" => Operation::two(typed!(sub::<K, PACKED>; ftz ftz, sat sat)),
        "mul" => Operation::two(typed!(mul::<K, PACKED>; ftz ftz, sat sat)),
        "fma" if choice.has("relu") || choice.has("oob") => {
            let rules = Finish {
                sat,
                relu: choice.has("relu"),
            };
            if ftz {
                clamped_fma::<K, PACKED, true>(rules, choice.has("oob"))
            } else {
                clamped_fma::<K, PACKED, false>(rules, choice.has("oob"))
            }
        }
        "fma" => Operation::three(typed!(fma::<K, PACKED>; ftz ftz, sat sat)),
        "neg" => Operation::one(typed!(neg::<K, PACKED>; ftz ftz)),
        "abs" => Operation::one(typed!(abs::<K, PACKED>; ftz ftz)),
        "min" | "max" => extremum::<K, PACKED>(extremum_of(view)),
        "tanh" => Operation::one(tanh::<K, PACKED>),
        "ex2" => Operation::one(typed!(ex2::<K, PACKED>; ftz ftz)),
        _ => return None,
    })
}

/// `fma` with `.relu` or `.oob`.
fn clamped_fma<K: Kind, const PACKED: bool, const FTZ: bool>(
    rules: Finish,
    oob: bool,
) -> Operation {
    Operation::general(3, 1, move |sources, results| {
        results[0] = lanes::<PACKED>(|at| {
            let (a, b, c) = (sources[0] >> at, sources[1] >> at, sources[2] >> at);
            if oob && (is_outside::<K>(a) || is_outside::<K>(b)) {
                return 0;
            }
            let product = source::<K, FTZ>(a) * source::<K, FTZ>(b);
            let sum = add_to_odd(product, source::<K, FTZ>(c));
            finish::<K>(narrow::<K, FTZ>(sum), rules)
        });
    })
}

/// `min` and `max`.
fn extremum<K: Kind, const PACKED: bool>(wanted: Extremum) -> Operation {
    Operation::general(2, 1, move |sources, results| {
        results[0] =
            lanes::<PACKED>(|at| wanted.of_two(&K::FORMAT, sources[0] >> at, sources[1] >> at));
    })
}

#[cfg(test)]
mod tests {
    use super::super::float::arithmetic;
    use super::*;
    use proptest::prelude::*;

    /// What the exact arithmetic gives for an element.
    fn exact_fma<K: Kind>(a: u64, b: u64, c: u64) -> u64 {
        let format = &K::FORMAT;
        let [a, b, c] = [a, b, c].map(|bits| format.unpack(bits & 0xffff));
        arithmetic::fused(a, b, c, Rounding::Nearest).pack(format, Rounding::Nearest)
    }

    fn flushed_product(a: u64, b: u64) -> u64 {
        let [a, b] = [a, b].map(|bits| F16.unpack(F16.flushed(bits)));
        arithmetic::multiply(a, b).pack_flushing(&F16, Rounding::Nearest)
    }

    /// Every double near the halves, in particular those that lie between two of them.
    #[test]
    fn narrowing_rounds_to_nearest_even() {
        fn check<K: Kind>(value: f64) {
            let want = F64
                .unpack(value.to_bits())
                .pack(&K::FORMAT, Rounding::Nearest);
            assert_eq!(narrow::<K, false>(value), want, "{value:e}");
        }
        fn around<K: Kind>() {
            for bits in 0..=K::FORMAT.max_finite() {
                let (x, y) = (K::widen(bits), K::widen(bits + 1));
                let middle = if y.is_finite() { (x + y) / 2.0 } else { x };
                for value in [x, middle, middle.next_up(), middle.next_down()] {
                    check::<K>(value);
                    check::<K>(-value);
                }
            }
        }
        around::<Half>();
        around::<Brain>();
        for value in [65519.0, 65520.0, 65520.1, 1e5, 1e300, f64::INFINITY, 5e-324] {
            check::<Half>(value);
            check::<Brain>(value);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn rounding_to_odd_first_changes_nothing(a: u16, b: u16, c: u16) {
            let [a, b, c] = [a, b, c].map(u64::from);
            prop_assert_eq!(fma::<Half, false, false, false>(a, b, c), exact_fma::<Half>(a, b, c));
            prop_assert_eq!(fma::<Brain, false, false, false>(a, b, c), exact_fma::<Brain>(a, b, c));
            prop_assert_eq!(
                add::<Half, false, false, false>(a, b),
                exact_fma::<Half>(a, 0x3c00, b)
            );
            prop_assert_eq!(
                mul::<Half, false, true, false>(a, b),
                flushed_product(a, b)
            );
            prop_assert_eq!(
                sub::<Brain, false, false, false>(a, b),
                exact_fma::<Brain>(a, 0x3f80, b ^ 0x8000)
            );
        }

        #[test]
        fn a_pair_is_two_halves(a: u32, b: u32) {
            let [a, b] = [a, b].map(u64::from);
            let low = mul::<Half, false, false, false>(a, b);
            let high = mul::<Half, false, false, false>(a >> 16, b >> 16);
            prop_assert_eq!(mul::<Half, true, false, false>(a, b), high << 16 | low);
        }
    }

    #[test]
    fn every_half_is_widened_as_its_format_says() {
        for bits in 0..=0xffff {
            let wide = widen_f16(bits);
            if F16.is_nan(bits) {
                assert!(wide.is_nan());
            } else {
                assert_eq!(narrow::<Half, false>(wide), bits);
            }
        }
        assert_eq!(widen_f16(0x3c00), 1.0);
        assert_eq!(widen_f16(0x8001), -f64::exp2(-24.0));
    }

    #[test]
    fn approximations_are_cut() {
        // Nearly one, and nearly what went in.
        assert_eq!(tanh::<Half, false>(0x4400), 0x3bfe);
        assert_eq!(tanh::<Brain, false>(0x3b80), 0x3b7f);
        assert_eq!(ex2::<Half, false, false>(0x3800), 0x3da8);
        assert_eq!(ex2::<Half, false, false>(0x4bff), 0x7bf4);
        assert_eq!(ex2::<Half, false, false>(0x4c00), 0x7c00);
        assert_eq!(ex2::<Half, false, false>(0xce40), 0);
        assert_eq!(ex2::<Half, false, false>(0xce00), 1);
        assert_eq!(ex2::<Brain, false, true>(0x42ff), 0x7f35);
        assert_eq!(ex2::<Brain, false, true>(0x4300), 0x7f80);
        assert_eq!(ex2::<Brain, true, true>(0x7fc0_0001), 0x7fff_3f80);
    }

    #[test]
    fn clamps() {
        let one = 0x3c00;
        assert_eq!(add::<Half, false, false, true>(one, one), one);
        assert_eq!(add::<Half, false, false, true>(0x7e01, one), 0);
        assert_eq!(mul::<Half, false, true, false>(0x0400, 0xb800), 0x8000);
        let relu = Finish {
            sat: false,
            relu: true,
        };
        let fma = clamped_fma::<Half, false, false>(relu, true);
        let run = |a, b, c| {
            let mut result = [0];
            fma.run(&[a, b, c], &mut result);
            result[0]
        };
        assert_eq!(run(one, 0xbc00, 0), 0);
        assert_eq!(run(one, 0x8000, 0x8000), 0);
        assert_eq!(run(0x7e01, one, one), 0x7fff);
        assert_eq!(run(0x7fff, one, one), 0);
    }
}
