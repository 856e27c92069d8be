//! Conversions between floating-point types, packed ones among them.
//!
//! The first source goes to the highest element of a packed result; a packed source has as many
//! elements as the result. Random bits follow the sources, a scale comes last.

use super::element::{Code, Elements, elements};
use super::number::integral;
use super::{Rules, Scale};
use crate::Operation;
use crate::float::exact::Exact;
use crate::float::format::{F16, F32, F64, Format, Number};
use crate::float::round::Rounding;
use warpc_ptx::types::ScalarType;

/// A conversion between floating-point types.
pub fn find(to: ScalarType, of: ScalarType, rules: Rules) -> Option<Operation> {
    if to == ScalarType::Tf32 && rules.rounding == Some(Rounding::NearestAway) {
        let satfinite = rules.satfinite;
        return Some(Operation::general(1, 1, move |sources, results| {
            results[0] = to_tf32_away(sources[0], satfinite);
        }));
    }
    let (result, source) = (elements(to)?, elements(of)?);
    let conversion = Conversion {
        result,
        source,
        rules,
    };
    let values = result.count / source.count;
    let extra = usize::from(rules.random) + usize::from(rules.scale.is_some());
    Some(Operation::general(
        values + extra,
        1,
        move |sources, results| {
            results[0] = conversion.convert(sources, values);
        },
    ))
}

struct Conversion {
    result: Elements,
    source: Elements,
    rules: Rules,
}

impl Conversion {
    fn convert(&self, sources: &[u64], values: usize) -> u64 {
        let Elements { count, stride, .. } = self.result;
        let mut whole = 0;
        for element in 0..count {
            let bits = if self.source.count == 1 {
                sources[values - 1 - element]
            } else {
                sources[0] >> (element as u32 * self.source.stride)
            };
            let scale = self
                .rules
                .scale
                .map(|scale| self.factor(scale, sources[values], element));
            let rounding = if self.rules.random {
                random_bits(&self.result, element, sources[values])
            } else {
                self.rules.rounding()
            };
            let code = self.element(bits, scale, rounding);
            whole |= code << (element as u32 * stride);
        }
        whole
    }

    fn element(&self, bits: u64, scale: Option<Number>, rounding: Rounding) -> u64 {
        let rules = &self.rules;
        let (Code::Float(source), Code::Float(result)) = (self.source.code, self.result.code)
        else {
            return self.write(self.source.code.read(bits), scale, rounding);
        };
        // To a half, the hardware flushes nothing: rounded up, the least single is the least half.
        let flushes = rules.ftz && result.exponent_bits != F16.exponent_bits;
        let flushed = flushes && source.exponent_bits == F32.exponent_bits;
        let bits = if flushed { source.flushed(bits) } else { bits };
        if source.is_nan(bits) && !rules.sat {
            return nan_of(source, result, bits, flushes);
        }
        let number = source.unpack(bits);
        if rules.ftz && *source == F64 && passes_flushing(bits, rounding) {
            return if number.is_negative() {
                result.sign_bit()
            } else {
                0
            } | result.min_normal();
        }
        if rules.integral {
            return self.write(integral(number, rounding), scale, rounding);
        }
        self.write(number, scale, rounding)
    }

    fn write(&self, number: Number, scale: Option<Number>, rounding: Rounding) -> u64 {
        let scaled = match scale {
            None => number,
            Some(Number::Finite(Exact { exponent, .. })) => number.scaled(exponent),
            Some(_) => Number::Nan,
        };
        self.result.code.write(scaled, &self.rules, rounding)
    }

    /// What an element is multiplied by: the scale going to a wider type, its inverse going to a
    /// narrower one.
    fn factor(&self, scale: Scale, scales: u64, element: usize) -> Number {
        let widens = self.source.stride < self.result.stride;
        let scale = match scale {
            Scale::All => scales,
            Scale::Each => scales >> (element * 8),
        };
        match Code::PowerOfTwo.read(scale) {
            Number::Finite(x) if !widens => Number::Finite(Exact {
                exponent: -x.exponent,
                ..x
            }),
            other => other,
        }
    }
}

/// What NaN becomes: the result's own, unless one of the two is a double. Then it keeps its sign and
/// the digits there is room for, made quiet. `flushes`: ptxas flushes a single by an instruction of
/// its own first, and that gives its own NaN.
fn nan_of(source: &Format, result: &Format, bits: u64, flushes: bool) -> u64 {
    if *source != F64 && *result != F64 {
        return result.nan;
    }
    let bits = if flushes && *source == F32 {
        F32.nan
    } else {
        bits
    };
    let sign = if bits & source.sign_bit() != 0 {
        result.sign_bit()
    } else {
        0
    };
    let fraction = bits & ((1 << source.fraction_bits) - 1);
    let digits = fraction << (F64.fraction_bits - source.fraction_bits)
        >> (F64.fraction_bits - result.fraction_bits);
    sign | result.infinity() | result.quiet_bit() | digits
}

/// `.rs`: the random bits for an element. Two elements have a half each; of four, the first two
/// share some, and so do the others.
fn random_bits(result: &Elements, element: usize, bits: u64) -> Rounding {
    let byte = |n: u32| (bits >> (8 * n) & 0xff) as u32;
    let upper = element >= result.count / 2;
    if result.stride == 4 {
        // Bytes from both halves.
        let (high, low) = if upper { (3, 1) } else { (2, 0) };
        return Rounding::Random {
            bits: byte(high) << 8 | byte(low),
            count: 16,
        };
    }
    let half = (if upper { bits >> 16 } else { bits } & 0xffff) as u32;
    // As many bits as a single has more than a half.
    let count = if result.code == Code::Float(&F16) {
        13
    } else {
        16
    };
    Rounding::Random {
        bits: half & ((1 << count) - 1),
        count,
    }
}

/// `cvt.rna.tf32.f32`. There is no instruction for it: ptxas adds half of the last place to what is
/// finite and cuts, so that NaNs are cut, too, and `.satfinite` takes one off what is not finite.
fn to_tf32_away(bits: u64, satfinite: bool) -> u64 {
    const LAST: u64 = 1 << 13;
    let is_finite = |bits: u64| bits & F32.magnitude_mask() < F32.infinity();
    let bits = bits & 0xffff_ffff;
    let grown = if is_finite(bits) {
        bits + LAST / 2
    } else {
        bits
    };
    let cut = grown & !(LAST - 1);
    if satfinite && !is_finite(cut) {
        cut - LAST
    } else {
        cut
    }
}

/// The greatest double below single precision's normal numbers that has a single's digits.
const JUST_BELOW_NORMAL: u64 = 0x380f_ffff_e000_0000;

/// `cvt.ftz.f32.f64`. ptxas finds out what to flush by comparing with the point from which on a
/// double is rounded to a normal number; rounding away from zero, that point itself is let through.
fn passes_flushing(bits: u64, rounding: Rounding) -> bool {
    let away = match rounding {
        Rounding::Up => bits & F64.sign_bit() == 0,
        Rounding::Down => bits & F64.sign_bit() != 0,
        _ => false,
    };
    away && bits & F64.magnitude_mask() == JUST_BELOW_NORMAL
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        rounding: Some(Rounding::Nearest),
        integral: false,
        random: false,
        ftz: false,
        sat: false,
        relu: false,
        satfinite: true,
        scale: None,
    };

    fn run(to: ScalarType, of: ScalarType, rules: Rules, sources: &[u64]) -> u64 {
        let operation = find(to, of, rules).expect("the conversion is there");
        assert_eq!(operation.sources, sources.len());
        let mut result = [0];
        operation.run(sources, &mut result);
        result[0]
    }

    fn single(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    #[test]
    fn the_first_source_is_the_highest_element() {
        let (one, two) = (single(1.0), single(2.0));
        assert_eq!(
            run(ScalarType::F16x2, ScalarType::F32, RULES, &[one, two]),
            0x3c00_4000
        );
        assert_eq!(
            run(ScalarType::E4m3x2, ScalarType::F32, RULES, &[one, two]),
            0x3840
        );
        assert_eq!(
            run(ScalarType::E2m1x2, ScalarType::F32, RULES, &[one, two]),
            0x24
        );
        assert_eq!(
            run(ScalarType::E4m3x2, ScalarType::F16x2, RULES, &[0x3c00_4000]),
            0x3840
        );
        assert_eq!(
            run(ScalarType::F16x2, ScalarType::E4m3x2, RULES, &[0x3840]),
            0x3c00_4000
        );
        assert_eq!(
            run(ScalarType::F16x2, ScalarType::E2m3x2, RULES, &[0x0810]),
            0x3c00_4000
        );
    }

    #[test]
    fn scales_divide_going_down_and_multiply_going_up() {
        let each = Rules {
            scale: Some(Scale::Each),
            ..RULES
        };
        let all = Rules {
            scale: Some(Scale::All),
            ..RULES
        };
        // 2^6 makes an integer of fixed point.
        assert_eq!(
            run(
                ScalarType::Bf16x2,
                ScalarType::S2f6x2,
                each,
                &[0x0501, 0x8585]
            ),
            0x40a0_3f80
        );
        assert_eq!(
            run(
                ScalarType::S2f6x2,
                ScalarType::Bf16x2,
                each,
                &[0x40a0_3f80, 0x8585]
            ),
            0x0501
        );
        assert_eq!(
            run(
                ScalarType::Bf16x2,
                ScalarType::E2m1x2,
                each,
                &[0x22, 0x807f]
            ),
            0x4000_3f80
        );
        assert_eq!(
            run(
                ScalarType::E2m1x2,
                ScalarType::F32,
                all,
                &[single(8.0), single(4.0), 0x81]
            ),
            0x42
        );
        assert_eq!(
            run(
                ScalarType::Bf16x2,
                ScalarType::E4m3x2,
                each,
                &[0x3838, 0xff7f]
            ),
            0x7fff_3f80
        );
    }

    #[test]
    fn random_bits_decide() {
        let random = Rules {
            rounding: None,
            random: true,
            ..RULES
        };
        // Half way between two halves: the highest of 13 bits decides.
        let x = single(1.0 + f32::exp2(-11.0));
        assert_eq!(
            run(
                ScalarType::F16x2,
                ScalarType::F32,
                random,
                &[x, x, 0x1000_0fff]
            ),
            0x3c01_3c00
        );
        // 1.25 is half way in four bits.
        let x = single(1.25);
        let four = |bits| {
            run(
                ScalarType::E2m1x4,
                ScalarType::F32,
                random,
                &[x, x, x, x, bits],
            )
        };
        assert_eq!(four(0x8000_0000), 0x3322);
        assert_eq!(four(0x0080_0000), 0x2233);
        let x = single(1.0 + f32::exp2(-4.0));
        let eight = |bits| {
            run(
                ScalarType::E4m3x4,
                ScalarType::F32,
                random,
                &[x, x, x, x, bits],
            )
        };
        assert_eq!(eight(0x8000_7fff), 0x3939_3838);
    }

    #[test]
    fn tf32_is_made_by_adding_and_cutting() {
        assert_eq!(to_tf32_away(0x3f80_1000, false), 0x3f80_2000);
        assert_eq!(to_tf32_away(0x7f7f_ffff, false), 0x7f80_0000);
        assert_eq!(to_tf32_away(0x7f7f_ffff, true), 0x7f7f_e000);
        assert_eq!(to_tf32_away(0x7fff_ffff, false), 0x7fff_e000);
        assert_eq!(to_tf32_away(0x7f80_0001, false), 0x7f80_0000);
    }

    #[test]
    fn flushing_doubles() {
        let ftz = |rounding, bits| {
            let rules = Rules {
                rounding: Some(rounding),
                ftz: true,
                satfinite: false,
                ..RULES
            };
            run(ScalarType::F32, ScalarType::F64, rules, &[bits])
        };
        assert_eq!(ftz(Rounding::Nearest, 0x380f_ffff_efff_ffff), 0);
        assert_eq!(ftz(Rounding::Nearest, 0x380f_ffff_f000_0000), 0x0080_0000);
        assert_eq!(ftz(Rounding::Up, JUST_BELOW_NORMAL), 0x0080_0000);
        assert_eq!(ftz(Rounding::Down, JUST_BELOW_NORMAL), 0);
        assert_eq!(ftz(Rounding::Zero, 0x380f_ffff_ffff_ffff), 0);
    }

    #[test]
    fn nans_from_and_to_doubles_keep_sign_and_digits() {
        use ScalarType::{Bf16, F16, F32, F64};
        let rules = Rules {
            satfinite: false,
            ..RULES
        };
        let nan = |to, of, bits| run(to, of, rules, &[bits]);
        assert_eq!(nan(F64, F32, 0xff80_0001), 0xfff8_0000_2000_0000);
        assert_eq!(nan(F32, F64, 0xfff8_0000_2000_0000), 0xffc0_0001);
        assert_eq!(nan(F32, F64, 0x7ff0_0000_0000_0001), 0x7fc0_0000);
        assert_eq!(nan(F16, F64, u64::MAX), 0xffff);
        assert_eq!(nan(F16, F64, 0xfff8_0000_0000_0005), 0xfe00);
        assert_eq!(nan(Bf16, F64, 0x7ff8_0000_0000_0005), 0x7fc0);
        assert_eq!(nan(F32, F16, 0xfe01), 0x7fff_ffff);
        let ftz = Rules { ftz: true, ..rules };
        let widened = run(F64, F32, ftz, &[0xffc0_0000]);
        assert_eq!(widened, 0x7fff_ffff_e000_0000);
    }

    #[test]
    fn halves_are_not_flushed() {
        let rules = |rounding| Rules {
            rounding: Some(rounding),
            ftz: true,
            satfinite: false,
            ..RULES
        };
        let half = |rounding, bits| run(ScalarType::F16, ScalarType::F32, rules(rounding), &[bits]);
        assert_eq!(half(Rounding::Up, 1), 1);
        assert_eq!(half(Rounding::Down, 0x807f_ffff), 0x8001);
        assert_eq!(half(Rounding::Zero, 0x807f_ffff), 0x8000);
    }
}
