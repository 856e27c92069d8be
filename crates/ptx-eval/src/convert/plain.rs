//! The conversions met most often, as plain functions: the host converts to the nearest as the
//! hardware does, and cuts integers to their range.

use super::Rules;
use crate::Operation;
use crate::float::format;
use crate::float::round::Rounding;
use crate::float::single::{RM, RP, RZ, instance};
use crate::half::{narrow_bf16, narrow_f16, widen_f16};
use warpc_ptx::types::ScalarType::{self, *};

/// The conversion as a plain function, if there is one.
pub fn find(to: ScalarType, of: ScalarType, rules: &Rules) -> Option<Operation> {
    let clamps = rules.relu || rules.satfinite || rules.scale.is_some() || rules.random;
    if clamps || to.is_float() && rules.sat {
        return None;
    }
    if of.is_integer() && rules.rounding == Some(Rounding::Nearest) {
        // An integer is never subnormal: `.ftz` does nothing.
        return Some(Operation::one(of_integer(to, of)?));
    }
    if rules.ftz {
        return None;
    }
    if to.is_integer() {
        return Some(Operation::one(to_integer(to, of, rules.rounding())?));
    }
    let nearest = rules.rounding() == Rounding::Nearest;
    Some(match (to, of) {
        // Nothing is done, to NaNs neither.
        (F32, F32) if !rules.integral => Operation::one(|bits| bits & 0xffff_ffff),
        (F64, F64) if !rules.integral => Operation::one(|bits| bits),
        (F32, Bf16) => Operation::one(|bits| (bits & 0xffff) << 16),
        (F32, F16) => Operation::one(|bits| single(widen_f16(bits))),
        (F32, F64) if nearest => Operation::one(single_of_double),
        (F16, F32) if nearest => Operation::one(|bits| narrow_f16(wide(bits))),
        (Bf16, F32) if nearest => Operation::one(|bits| narrow_bf16(wide(bits))),
        (F16x2, F32) if nearest => {
            Operation::two(|a, b| narrow_f16(wide(a)) << 16 | narrow_f16(wide(b)))
        }
        (Bf16x2, F32) if nearest => {
            Operation::two(|a, b| narrow_bf16(wide(a)) << 16 | narrow_bf16(wide(b)))
        }
        _ => return None,
    })
}

fn wide(bits: u64) -> f64 {
    f64::from(f32::from_bits(bits as u32))
}

/// A double to the nearest single; NaN becomes the canonical one.
fn single(value: f64) -> u64 {
    if value.is_nan() {
        return format::F32.nan;
    }
    u64::from((value as f32).to_bits())
}

/// A double to the nearest single; NaN keeps its sign and upper digits.
fn single_of_double(bits: u64) -> u64 {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        return bits >> 32 & 0x8000_0000 | 0x7fc0_0000 | bits >> 29 & 0x003f_ffff;
    }
    u64::from((value as f32).to_bits())
}

fn of_integer(to: ScalarType, of: ScalarType) -> Option<fn(u64) -> u64> {
    Some(match (to, of) {
        (F32, S32) => |bits| u64::from((bits as i32 as f32).to_bits()),
        (F32, U32) => |bits| u64::from((bits as u32 as f32).to_bits()),
        (F32, S64) => |bits| u64::from((bits as i64 as f32).to_bits()),
        (F32, U64) => |bits| u64::from((bits as f32).to_bits()),
        (F64, S32) => |bits| f64::from(bits as i32).to_bits(),
        (F64, U32) => |bits| f64::from(bits as u32).to_bits(),
        (F64, S64) => |bits| (bits as i64 as f64).to_bits(),
        (F64, U64) => |bits| (bits as f64).to_bits(),
        _ => return None,
    })
}

/// A function from a float to an integer, `$nan` for NaN.
macro_rules! to_integer {
    ($name:ident, $float:ident, $bits:ident, $integer:ident, $extended:ident, $nan:expr) => {
        fn $name<const R: u8>(source: u64) -> u64 {
            let x = $float::from_bits(source as $bits);
            if x.is_nan() {
                return $nan;
            }
            let whole = match R {
                RZ => x,
                RM => x.floor(),
                RP => x.ceil(),
                _ => x.round_ties_even(),
            };
            whole as $integer as $extended as u64
        }
    };
}

to_integer!(single_to_s32, f32, u32, i32, i64, 0);
to_integer!(single_to_u32, f32, u32, u32, u64, 0);
to_integer!(single_to_s64, f32, u32, i64, i64, 1 << 63);
to_integer!(single_to_u64, f32, u32, u64, u64, 1 << 63);
to_integer!(double_to_s32, f64, u64, i32, i64, 0xffff_ffff_8000_0000);
to_integer!(double_to_u32, f64, u64, u32, u64, 0x8000_0000);
to_integer!(double_to_s64, f64, u64, i64, i64, 1 << 63);
to_integer!(double_to_u64, f64, u64, u64, u64, 1 << 63);

fn to_integer(to: ScalarType, of: ScalarType, rounding: Rounding) -> Option<fn(u64) -> u64> {
    Some(match (to, of) {
        (S32, F32) => instance!(single_to_s32; round rounding),
        (U32, F32) => instance!(single_to_u32; round rounding),
        (S64, F32) => instance!(single_to_s64; round rounding),
        (U64, F32) => instance!(single_to_u64; round rounding),
        (S32, F64) => instance!(double_to_s32; round rounding),
        (U32, F64) => instance!(double_to_u32; round rounding),
        (S64, F64) => instance!(double_to_s64; round rounding),
        (U64, F64) => instance!(double_to_u64; round rounding),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{number, packed};
    use super::*;
    use proptest::prelude::*;

    const ROUNDINGS: [Rounding; 4] = [
        Rounding::Nearest,
        Rounding::Zero,
        Rounding::Down,
        Rounding::Up,
    ];

    fn rules(rounding: Rounding) -> Rules {
        Rules {
            rounding: Some(rounding),
            integral: false,
            random: false,
            ftz: false,
            sat: false,
            relu: false,
            satfinite: false,
            scale: None,
        }
    }

    fn run(operation: &Operation, sources: &[u64]) -> u64 {
        let mut result = [0];
        operation.run(sources, &mut result);
        result[0]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// The plain functions and the general ones agree.
        #[test]
        fn plain_is_as_general(bits: u64, near in -1e12f64..1e12) {
            let integers = [S32, U32, S64, U64];
            for rounding in ROUNDINGS {
                let rules = rules(rounding);
                for integer in integers {
                    for float in [F32, F64] {
                        let close = if float == F32 {
                            u64::from((near as f32).to_bits())
                        } else {
                            near.to_bits()
                        };
                        for bits in [bits, close] {
                            let plain = find(integer, float, &rules).expect("a plain function");
                            let general = number::to_integer(integer, float, rules)
                                .expect("a general one");
                            prop_assert_eq!(run(&plain, &[bits]), run(&general, &[bits]));
                        }
                        if rounding == Rounding::Nearest {
                            let plain = find(float, integer, &rules).expect("a plain function");
                            let general = number::of_integer(float, integer, rules)
                                .expect("a general one");
                            prop_assert_eq!(run(&plain, &[bits]), run(&general, &[bits]));
                        }
                    }
                }
            }
            for (to, of) in [(F32, F64), (F16, F32), (Bf16, F32), (F32, F16), (F16x2, F32)] {
                let plain = find(to, of, &rules(Rounding::Nearest)).expect("a plain function");
                let general = packed::find(to, of, rules(Rounding::Nearest))
                    .expect("a general one");
                let sources = &[bits, bits >> 13][..plain.sources];
                prop_assert_eq!(run(&plain, sources), run(&general, sources));
            }
        }
    }
}
