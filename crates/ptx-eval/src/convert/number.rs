//! Conversions between integers and floating point.
//!
//! A value beyond an integer type becomes its end. NaN becomes zero, unless 64 bits take part: then
//! it becomes the code whose highest bit alone is set.

use super::Rules;
use super::element::{Code, Elements, elements};
use crate::Operation;
use crate::float::exact::Exact;
use crate::float::format::{F32, Number};
use crate::float::round::Rounding;
use warpc_ptx::types::{Meaning, ScalarType};

/// The smallest and the largest value of an integer type.
pub fn range(ty: ScalarType) -> (i128, i128) {
    let bits = ty.bits();
    match ty.meaning() {
        Meaning::Signed => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    }
}

/// What NaN becomes as an integer: the bits of the result, extended as its type says.
pub fn nan_as(to: ScalarType, of: ScalarType) -> u64 {
    if of != ScalarType::F64 && to.bits() != 64 {
        return 0;
    }
    match to.meaning() {
        Meaning::Signed => range(to).0 as u64,
        _ => 1 << (to.bits() - 1),
    }
}

/// From floating point to an integer.
pub fn to_integer(to: ScalarType, of: ScalarType, rules: Rules) -> Option<Operation> {
    let Elements { code, count: 1, .. } = elements(of)? else {
        return None;
    };
    let Code::Float(format) = code else {
        return None;
    };
    let (low, high) = range(to);
    let nan = nan_as(to, of);
    let rounding = rules.rounding();
    let flush = rules.ftz && *format == F32;
    Some(Operation::general(1, 1, move |sources, results| {
        let bits = if flush {
            format.flushed(sources[0])
        } else {
            sources[0]
        };
        results[0] = match format.unpack(bits) {
            Number::Nan => nan,
            Number::Infinite { negative: true } => low as u64,
            Number::Infinite { negative: false } => high as u64,
            Number::Finite(x) => x.to_integer(rounding).clamp(low, high) as u64,
        };
    }))
}

/// The value of an integer in the low bits of a source.
fn value(of: ScalarType, bits: u64) -> i128 {
    let unused = 64 - of.bits();
    match of.meaning() {
        Meaning::Signed => i128::from((bits << unused) as i64 >> unused),
        _ => i128::from(bits << unused >> unused),
    }
}

/// From an integer to floating point.
pub fn of_integer(to: ScalarType, of: ScalarType, rules: Rules) -> Option<Operation> {
    let Elements { code, count: 1, .. } = elements(to)? else {
        return None;
    };
    let rounding = rules.rounding();
    Some(Operation::general(1, 1, move |sources, results| {
        let exact = Exact::integer(value(of, sources[0]));
        results[0] = code.write(Number::Finite(exact), &rules, rounding);
    }))
}

/// A float rounded to an integral value, which every format has if it is large enough to need it.
pub fn integral(number: Number, rounding: Rounding) -> Number {
    match number {
        Number::Finite(x) if x.exponent < 0 => Number::Finite(Exact {
            // A negative value that becomes zero becomes minus zero.
            negative: x.negative,
            ..Exact::integer(x.to_integer(rounding))
        }),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::format::{F16, F64};

    const RULES: Rules = Rules {
        rounding: Some(Rounding::Nearest),
        integral: true,
        random: false,
        ftz: false,
        sat: false,
        relu: false,
        satfinite: false,
        scale: None,
    };

    fn run(operation: Option<Operation>, source: u64) -> u64 {
        let mut result = [0];
        operation
            .expect("the conversion is there")
            .run(&[source], &mut result);
        result[0]
    }

    #[test]
    fn integers_are_cut_to_their_range() {
        let to = |ty, x: f64| run(to_integer(ty, ScalarType::F64, RULES), x.to_bits());
        assert_eq!(to(ScalarType::S8, -1000.0), -128i64 as u64);
        assert_eq!(to(ScalarType::U8, -1000.0), 0);
        assert_eq!(to(ScalarType::U8, 255.5), 255);
        assert_eq!(to(ScalarType::S64, f64::INFINITY), i64::MAX as u64);
        assert_eq!(to(ScalarType::U64, 1e300), u64::MAX);
        assert_eq!(to(ScalarType::S32, 2.5), 2);
        assert_eq!(to(ScalarType::S16, -3.5), -4i64 as u64);
    }

    #[test]
    fn nan_depends_on_the_types() {
        let nan = f64::NAN.to_bits();
        let half = |ty| run(to_integer(ty, ScalarType::F16, RULES), F16.nan);
        assert_eq!(half(ScalarType::S32), 0);
        assert_eq!(half(ScalarType::U64), 1 << 63);
        assert_eq!(
            run(to_integer(ScalarType::S32, ScalarType::F64, RULES), nan),
            i64::from(i32::MIN) as u64
        );
        assert_eq!(
            run(to_integer(ScalarType::U32, ScalarType::F64, RULES), nan),
            1 << 31
        );
    }

    #[test]
    fn integers_are_rounded() {
        let of = |to, rounding, x: i64| {
            let rules = Rules {
                rounding: Some(rounding),
                ..RULES
            };
            run(of_integer(to, ScalarType::S64, rules), x as u64)
        };
        assert_eq!(of(ScalarType::F16, Rounding::Nearest, 65_519), 0x7bff);
        assert_eq!(of(ScalarType::F16, Rounding::Nearest, 65_520), 0x7c00);
        assert_eq!(of(ScalarType::F16, Rounding::Zero, 1 << 40), 0x7bff);
        assert_eq!(of(ScalarType::Bf16, Rounding::Up, -257), 0xc380);
        assert_eq!(
            of(ScalarType::F64, Rounding::Down, -1),
            F64.sign_bit() | 0x3ff0_0000_0000_0000
        );
        assert_eq!(of(ScalarType::F32, Rounding::Down, 0), 0);
    }

    #[test]
    fn integral_values_keep_the_sign_of_zero() {
        let minus_half = F32.unpack(0xbf00_0000);
        let rounded = integral(minus_half, Rounding::Nearest);
        assert_eq!(rounded.pack(&F32, Rounding::Nearest), 0x8000_0000);
        let large = F32.unpack(0x7f7f_ffff);
        assert_eq!(integral(large, Rounding::Down), large);
    }
}
