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
use warpc_ptx::types::ScalarType;

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

/// What the unit for approximate functions gives as a half: it finds a single and cuts it.
fn cut<K: Kind, const FTZ: bool>(truth: f64) -> u64 {
    let single = F32.unpack(u64::from((truth as f32).to_bits()));
    if FTZ {
        single.pack_flushing(&K::FORMAT, Rounding::Zero)
    } else {
        single.pack(&K::FORMAT, Rounding::Zero)
    }
}

/// Below this magnitude `tanh` gives back what it was given: 2^-8 + 2^-15. From [`ONE_FROM`] on it
/// gives one. Between the two the unit's single is a little off the true value. Of all codes an H200
/// was asked for, 48 of `.f16` and two of `.bf16` are one off because of that, all others equal.
const SAME_BELOW: f64 = 129.0 / 32768.0;
const ONE_FROM: f64 = 8.0;

fn tanh<K: Kind, const PACKED: bool>(a: u64) -> u64 {
    lanes::<PACKED>(|at| {
        let a = K::widen(a >> at);
        cut::<K, false>(match a.abs() {
            small if small < SAME_BELOW => a,
            large if large >= ONE_FROM => 1f64.copysign(a),
            _ => a.tanh(),
        })
    })
}

/// The unit sees a power as a number of these; what is less is cut. With this, the results for all
/// codes are those of an H200.
const POWER_STEP: f64 = 1.0 / (1 << 23) as f64;

fn ex2<K: Kind, const PACKED: bool, const FTZ: bool>(a: u64) -> u64 {
    lanes::<PACKED>(|at| {
        let power = source::<K, FTZ>(a >> at);
        // Beyond the format's exponents there is nothing to cut.
        if power >= f64::from(K::FORMAT.bias) + 1.0 {
            return K::FORMAT.infinity();
        }
        cut::<K, FTZ>(((power / POWER_STEP).trunc() * POWER_STEP).exp2())
    })
}

/// The NaN that stands for an element outside a tensor; its sign does not matter, and it is the same
/// one in both formats (H200, asked for all codes). `.oob` makes the result of a product with it
/// zero, whatever is added.
const OUTSIDE: u64 = 0x7ff7;

fn is_outside(bits: u64) -> bool {
    bits & 0x7fff == OUTSIDE
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
            if oob && (is_outside(a) || is_outside(b)) {
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
        assert_eq!(tanh::<Half, false>(0x9c08), 0x9c07);
        assert_eq!(tanh::<Brain, false>(0x3b81), 0x3b80);
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
    fn approximations_have_plain_ends() {
        assert_eq!(tanh::<Half, false>(0x9c07), 0x9c07);
        assert_eq!(tanh::<Brain, false>(0x3b80), 0x3b80);
        assert_eq!(tanh::<Half, false>(0x47ff), 0x3bff);
        assert_eq!(tanh::<Half, false>(0xc800), 0xbc00);
        assert_eq!(tanh::<Brain, false>(0x7f80), 0x3f80);
        // Minus one and two times 2^-24.
        assert_eq!(ex2::<Half, false, false>(0x8001), 0x3c00);
        assert_eq!(ex2::<Half, false, false>(0x8002), 0x3bff);
        assert_eq!(ex2::<Brain, false, true>(0xb3ff), 0x3f80);
        assert_eq!(ex2::<Brain, false, true>(0xb400), 0x3f7f);
    }

    /// A number that stands for the results of all codes.
    fn digest(of: impl Fn(u64) -> u64) -> u64 {
        (0..=0xffff).fold(0, |sum: u64, code| {
            (sum.rotate_left(5) ^ of(code)).wrapping_mul(0x2545_f491_4f6c_dd1d)
        })
    }

    /// The digests are those of what an H200 gave.
    #[test]
    fn approximations_of_all_halves_are_those_of_the_hardware() {
        assert_eq!(digest(ex2::<Half, false, false>), 0x664d_6b16_98d1_b1f1);
        assert_eq!(digest(ex2::<Brain, false, true>), 0x6aa9_0d68_7632_04b9);
        // Where the hardware is one up, and where it is one down.
        let up = [
            0x29c6, 0x2c95, 0x2c96, 0x2e39, 0x2e9d, 0x3064, 0x323f, 0x32ff, 0x355b, 0x372d, 0x3824,
            0x399a, 0x3cc9, 0x3de3, 0x3ed6, 0x4080,
        ];
        let down = [
            0x2d3f, 0x39f8, 0x3c8e, 0x3c9d, 0x3db8, 0x3e23, 0x3eab, 0x4429,
        ];
        let off = |code: u64, up: &[u64], down: &[u64]| {
            let code = code & 0x7fff;
            u64::from(up.contains(&code)).wrapping_sub(u64::from(down.contains(&code)))
        };
        let half = |code| tanh::<Half, false>(code).wrapping_add(off(code, &up, &down));
        assert_eq!(digest(half), 0x9dfe_37e5_0a0f_4c38);
        let brain = |code| tanh::<Brain, false>(code).wrapping_add(off(code, &[], &[0x3f3f]));
        assert_eq!(digest(brain), 0x9a0b_cfb5_e69a_a57b);
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
        assert_eq!(run(0x7fff, one, one), 0x7fff);
        // Whatever is added, and whichever the sign.
        assert_eq!(run(OUTSIDE, one, one), 0);
        assert_eq!(run(one, 0x8000 | OUTSIDE, 0x7c01), 0);
        assert_eq!(run(one, one, OUTSIDE), 0x7fff);
    }
}
