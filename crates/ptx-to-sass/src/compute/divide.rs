//! Divisions and roots of single precision that are rounded right, and integer divisions; doubles are in `double.rs`,
//! divisions by numbers in `divide/constant.rs`.
//!
//! **Single precision**, to the nearest, takes an approximate reciprocal or inverse root, improves it, and corrects the result by
//! the exact remainder, as ptxas does with the same instructions. That needs operands and results that are not near the ends of the
//! range, which `FCHK` or the exponent tells.
//!
//! The rest, and other roundings, go through double precision: operands are exact there, and a quotient or root of numbers with
//! 24 bits is never so close to the middle of two results that an error of a few units of 2^-52 matters; one that is
//! exactly in the middle (of subnormal results) or exact has at most 53 bits and comes out exactly. The last conversion
//! rounds, in whatever direction, subnormal results included.
//!
//! **Integers** of 32 bits take an estimate of 2^32 / b that is not too large, improve it once, and correct the quotient
//! twice. Those of 64 bits take quotients in double precision that are a little too small, twice, and correct twice.

mod constant;

use super::{is_signed, number};
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

/// The upper word of the least normal single as a double: 2^-126.
const LEAST_NORMAL: i64 = 0x3810_0000;

/// What an approximate reciprocal of an integer is multiplied with to become an estimate of 2^32 / b that is not too large, as a
/// single: 2^32 less 1,024. The integer may become a single that is less by 2^-24 of it, `MUFU.RCP` may be wrong by 2^-23 (the
/// bound of `rcp.approx`), and the product is rounded by 2^-24: together 2^-22. With 512 less, an H200 divided by 91,382,283 wrongly.
const SCALE: u32 = 0x4f7f_fffc;

/// An approximate reciprocal of a double that is neither zero nor infinite nor subnormal, good to 2^-51 or so.
pub(super) fn inverse_64(code: &mut Code, of: Operand) -> Operand {
    let (guess, error, inverse) = (code.double(), code.double(), code.double());
    code.step("MUFU.RCP64H R0, R0", &[guess.register(1), of.register(1)]);
    code.copy(guess.register(0), number(1));
    // Twice as many bits with each step: about 20, 40, 53.
    code.step("DFMA R0, -R0, R0, 1", &[error, of, guess]);
    code.step("DFMA R0, R0, R0, R0", &[inverse, guess, error, guess]);
    let (rest, better) = (code.double(), code.double());
    code.step("DFMA R0, -R0, R0, 1", &[rest, of, inverse]);
    code.step("DFMA R0, R0, R0, R0", &[better, inverse, rest, inverse]);
    let (last, best) = (code.double(), code.double());
    code.step("DFMA R0, -R0, R0, 1", &[last, of, better]);
    code.step("DFMA R0, R0, R0, R0", &[best, better, last, better]);
    best
}

/// `x / y` in double precision, wrong by less than a unit.
fn quotient_64(code: &mut Code, x: Operand, y: Operand) -> Operand {
    let inverse = inverse_64(code, y);
    let (guess, rest, quotient) = (code.double(), code.double(), code.double());
    code.step("DMUL R0, R0, R0", &[guess, x, inverse]);
    code.step("DFMA R0, -R0, R0, R0", &[rest, y, guess, x]);
    code.step("DFMA R0, R0, R0, R0", &[quotient, inverse, rest, guess]);
    quotient
}

pub(super) fn rounding(source: &Source) -> &'static str {
    match source.choice().token("rnd") {
        Some(".rz") => ".RZ",
        Some(".rm") => ".RM",
        Some(".rp") => ".RP",
        _ => "",
    }
}

/// A single as a double; with `.ftz` a subnormal one is zero.
fn doubled(source: &Source, code: &mut Code, from: Operand) -> Operand {
    let to = code.double();
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    code.step(format!("F2F{ftz}.F64.F32 R0, R0"), &[to, from]);
    to
}

/// Whether a single is zero, infinite or not a number.
fn is_special(source: &Source, code: &mut Code, of: Operand) -> Operand {
    let (zero, special) = (code.flag(), code.flag());
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    code.step(format!("FSETP.EQ{ftz}.AND P0, PT, R0, RZ, PT"), &[zero, of]);
    code.step("FSETP.GEU.OR P0, PT, |R0|, +INF , P0", &[special, of, zero]);
    special
}

/// Moves a result that was found on one of two ways.
fn deliver(code: &mut Code, result: Operand) {
    code.copy(ptx("d"), result);
}

/// `d = x / y` in single precision.
fn divide_32(source: &Source, code: &mut Code, x: Operand, y: Operand) {
    if !rounding(source).is_empty() {
        return divide_32_long(source, code, ptx("d"), x, y);
    }
    let (result, inverse, hard) = (code.word(), code.word(), code.flag());
    code.step("FCHK P0, R0, R0", &[hard, x, y]);
    code.step("MUFU.RCP R0, R0", &[inverse, y]);
    let (error, better) = (code.word(), code.word());
    code.step("FFMA R0, -R0, R0, 1", &[error, y, inverse]);
    code.step("FFMA R0, R0, R0, R0", &[better, inverse, error, inverse]);
    let (guess, rest) = (code.word(), code.word());
    code.step("FFMA R0, R0, R0, RZ", &[guess, x, better]);
    code.step("FFMA R0, -R0, R0, R0", &[rest, y, guess, x]);
    code.step("FFMA R0, R0, R0, R0", &[result, better, rest, guess]);
    code.unless((hard, true), |code| {
        divide_32_long(source, code, result, x, y);
    });
    deliver(code, result);
}

/// `d = 1 / y` in single precision.
fn invert_32(source: &Source, code: &mut Code, y: Operand) {
    let one = |code: &mut Code| {
        let one = code.word();
        code.copy(one, number(0x3f80_0000));
        one
    };
    if !rounding(source).is_empty() {
        let one = one(code);
        return divide_32_long(source, code, ptx("d"), one, y);
    }
    let (result, inverse, error) = (code.word(), code.word(), code.word());
    // 1 <= exponent <= 252: the result is normal, too.
    let (from, easy) = (code.word(), code.flag());
    code.step("IADD3 R0, R0, 0x1800000, RZ", &[from, y]);
    code.step("LOP3.LUT R0, R0, 0x7f800000, RZ, 0xc0, !PT", &[from, from]);
    let range = [easy, from, number(0x1ff_ffff)];
    code.step("ISETP.GT.U32.AND P0, PT, R0, R0, PT", &range);
    code.step("MUFU.RCP R0, R0", &[inverse, y]);
    code.step("FFMA R0, -R0, R0, 1", &[error, y, inverse]);
    code.step("FFMA R0, R0, R0, R0", &[result, inverse, error, inverse]);
    code.unless((easy, false), |code| {
        let one = one(code);
        divide_32_long(source, code, result, one, y);
    });
    deliver(code, result);
}

/// `d = x / y` in single precision, for all numbers and roundings; `x` may be 1.
fn divide_32_long(source: &Source, code: &mut Code, d: Operand, x: Operand, y: Operand) {
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let special = is_special(source, code, y);
    let (x_special, any) = (code.flag(), code.flag());
    code.step("FSETP.GEU.AND P0, PT, |R0|, +INF , PT", &[x_special, x]);
    code.step(
        "PLOP3.LUT P0, PT, P0, P0, PT, 0xa8, 0x0",
        &[any, special, x_special],
    );
    let (wide_x, wide_y) = (doubled(source, code, x), doubled(source, code, y));
    let quotient = quotient_64(code, wide_x, wide_y);
    let (inverse, odd, usual) = (code.word(), code.word(), code.word());
    // Zeros, infinities and what is not a number come out of a product; other divisors count by their sign.
    let (unit, divisor) = (code.word(), code.word());
    code.step("LOP3.LUT R0, R0, 0x80000000, RZ, 0xc0, !PT", &[unit, y]);
    code.step("LOP3.LUT R0, R0, 0x3f800000, RZ, 0xfc, !PT", &[unit, unit]);
    code.step("SEL R0, R0, R0, P0", &[divisor, y, unit, special]);
    code.step("MUFU.RCP R0, R0", &[inverse, divisor]);
    code.step(format!("FMUL{ftz} R0, R0, R0"), &[odd, x, inverse]);
    let narrow = format!("F2F.F32.F64{} R0, R0", rounding(source));
    code.step(narrow, &[usual, quotient]);
    if source.has("ftz") {
        // `F2F.FTZ` would flush what is subnormal after it is rounded. No quotient below the normal numbers is rounded
        // up to one of them if exponents have no end, so what counts is the quotient.
        let (least, small) = (code.double(), code.flag());
        code.copy(least.register(0), number(0));
        code.copy(least.register(1), number(LEAST_NORMAL));
        let text = "DSETP.LT.AND P0, PT, |R0|, R0, PT";
        code.step(text, &[small, quotient, least]);
        code.step("SEL R0, RZ, R0, P0", &[usual, usual, small]);
    }
    // A quotient that is zero has its sign, too.
    let (signs, signed) = (code.word(), code.word());
    code.step("LOP3.LUT R0, R0, R0, RZ, 0x3c, !PT", &[signs, x, y]);
    code.step(
        "LOP3.LUT R0, R0, 0x80000000, R0, 0xe2, !PT",
        &[signed, signs, usual],
    );
    code.step("SEL R0, R0, R0, P0", &[d, odd, signed, any]);
}

pub(super) fn divide_float(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    match ty {
        ScalarType::F32 if source.has("approx") || source.has("full") => {
            super::approximate::quotient(source, code);
        }
        ScalarType::F32 => divide_32(source, code, ptx("a"), ptx("b")),
        ScalarType::F64 => super::double::divide(source, code, Some(ptx("a")), ptx("b")),
        _ => return None,
    }
    Some(())
}

/// `rcp` with a rounding.
pub(super) fn reciprocal(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    if ty == ScalarType::F64 {
        super::double::divide(source, code, None, ptx("a"));
        return Some(());
    }
    if ty != ScalarType::F32 {
        return None;
    }
    invert_32(source, code, ptx("a"));
    Some(())
}

/// `sqrt` with a rounding.
pub(super) fn root(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    if ty == ScalarType::F64 {
        super::double::root(source, code);
        return Some(());
    }
    if ty != ScalarType::F32 {
        return None;
    }
    root_32(source, code, ptx("a"));
    Some(())
}

/// `d = sqrt(a)` in single precision.
fn root_32(source: &Source, code: &mut Code, a: Operand) {
    if !rounding(source).is_empty() {
        return root_32_long(source, code, ptx("d"), a);
    }
    let (result, inverse, from, easy) = (code.word(), code.word(), code.word(), code.flag());
    // Positive, finite, and such that what is left of it is exact.
    code.step("IADD3 R0, R0, -0xd000000, RZ", &[from, a]);
    let range = [easy, from, number(0x727f_ffff)];
    code.step("ISETP.LE.U32.AND P0, PT, R0, R0, PT", &range);
    code.step("MUFU.RSQ R0, R0", &[inverse, a]);
    let (guess, half, rest) = (code.word(), code.word(), code.word());
    code.step("FMUL R0, R0, R0", &[guess, a, inverse]);
    code.step("FMUL R0, R0, 0.5", &[half, inverse]);
    code.step("FFMA R0, -R0, R0, R0", &[rest, guess, guess, a]);
    code.step("FFMA R0, R0, R0, R0", &[result, rest, half, guess]);
    code.unless((easy, false), |code| {
        root_32_long(source, code, result, a);
    });
    deliver(code, result);
}

/// The same for all numbers and roundings: x times an approximate inverse root, corrected, in double precision.
fn root_32_long(source: &Source, code: &mut Code, d: Operand, a: Operand) {
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let x = doubled(source, code, a);
    let guess = code.double();
    code.step("MUFU.RSQ64H R0, R0", &[guess.register(1), x.register(1)]);
    code.copy(guess.register(0), number(0));
    let half = code.double();
    code.copy(half.register(0), number(0));
    code.copy(half.register(1), number(0x3fe0_0000));
    // y += y/2 (1 - x y y), twice.
    let mut inverse = guess;
    for _ in 0..2 {
        let (square, error, halved, better) =
            (code.double(), code.double(), code.double(), code.double());
        code.step("DMUL R0, R0, R0", &[square, inverse, inverse]);
        code.step("DFMA R0, -R0, R0, 1", &[error, x, square]);
        code.step("DMUL R0, R0, R0", &[halved, inverse, half]);
        code.step("DFMA R0, R0, R0, R0", &[better, halved, error, inverse]);
        inverse = better;
    }
    let (first, rest, halved, root) = (code.double(), code.double(), code.double(), code.double());
    code.step("DMUL R0, R0, R0", &[first, x, inverse]);
    code.step("DFMA R0, -R0, R0, R0", &[rest, first, first, x]);
    code.step("DMUL R0, R0, R0", &[halved, inverse, half]);
    code.step("DFMA R0, R0, R0, R0", &[root, halved, rest, first]);
    let (usual, odd, negative) = (code.word(), code.word(), code.flag());
    code.step(
        format!("F2F{ftz}.F32.F64{} R0, R0", rounding(source)),
        &[usual, root],
    );
    // A zero keeps its sign, infinity stays, and what is negative has no root.
    let special = is_special(source, code, a);
    let (other, none) = (code.word(), code.word());
    code.step("MUFU.SQRT R0, R0", &[odd, a]);
    code.step("SEL R0, R0, R0, P0", &[other, odd, usual, special]);
    code.step(
        format!("FSETP.LT{ftz}.AND P0, PT, R0, RZ, PT"),
        &[negative, a],
    );
    code.copy(none, number(0x7fff_ffff));
    code.step("SEL R0, R0, R0, P0", &[d, none, other, negative]);
}

pub(super) fn emit(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let remainder = source.opcode() == "rem";
    let divisor = source.operand("b").and_then(|b| b.constant());
    if matches!(ty.bits(), 16 | 32 | 64)
        && let Some(divisor) = divisor
        && let Some(()) = constant::emit(code, ty, remainder, divisor)
    {
        return Some(());
    }
    match ty.bits() {
        16 | 32 => divide_words(code, ty, remainder),
        64 => divide_longs(code, ty, remainder),
        _ => return None,
    }
    Some(())
}

/// The sign of a number as all bits or none, and its absolute value.
fn split(code: &mut Code, of: Operand) -> (Operand, Operand) {
    let (sign, value) = (code.word(), code.word());
    code.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", &[sign, of]);
    code.step("IABS R0, R0", &[value, of]);
    (sign, value)
}

pub(super) fn divide_words(code: &mut Code, ty: ScalarType, remainder: bool) {
    let (d, signed) = (ptx("d"), is_signed(ty));
    let (a, b) = (code.widened("a", ty), code.widened("b", ty));
    let (signs, x, y) = match signed {
        true => {
            let ((first, x), (second, y)) = (split(code, a), split(code, b));
            (Some((first, second)), x, y)
        }
        false => (None, a, b),
    };
    let (single, scaled, estimate) = (code.word(), code.word(), code.word());
    code.step("I2FP.F32.U32 R0, R0", &[single, y]);
    code.step("MUFU.RCP R0, R0", &[single, single]);
    code.copy(scaled, number(SCALE.into()));
    code.step("FMUL R0, R0, R0", &[scaled, single, scaled]);
    code.step("F2I.U32.TRUNC.NTZ R0, R0", &[estimate, scaled]);
    let (negative, error, better) = (code.word(), code.word(), code.word());
    code.step("IADD3 R0, RZ, -R0, RZ", &[negative, y]);
    code.step("IMAD R0, R0, R0, RZ", &[error, negative, estimate]);
    code.step("IMAD.HI.U32 R0, R0, R0, RZ", &[better, estimate, error]);
    code.step("IADD3 R0, R0, R0, RZ", &[better, better, estimate]);
    let (quotient, rest) = (code.word(), code.word());
    code.step("IMAD.HI.U32 R0, R0, R0, RZ", &[quotient, better, x]);
    code.step("IMAD R0, R0, R0, R0", &[rest, negative, quotient, x]);
    for _ in 0..2 {
        let flag = code.flag();
        code.step("ISETP.GE.U32.AND P0, PT, R0, R0, PT", &[flag, rest, y]);
        let when = Some((flag, false));
        code.guarded(when, "IADD3 R0, R0, R0, RZ", &[rest, rest, negative]);
        code.guarded(when, "IADD3 R0, R0, 0x1, RZ", &[quotient, quotient]);
    }
    let mut result = if remainder { rest } else { quotient };
    if let Some((first, second)) = signs {
        // The remainder has the sign of the dividend.
        let sign = match remainder {
            true => first,
            false => {
                let both = code.word();
                code.step("LOP3.LUT R0, R0, R0, RZ, 0x3c, !PT", &[both, first, second]);
                both
            }
        };
        let (flipped, signed) = (code.word(), code.word());
        code.step(
            "LOP3.LUT R0, R0, R0, RZ, 0x3c, !PT",
            &[flipped, result, sign],
        );
        code.step("IADD3 R0, R0, -R0, RZ", &[signed, flipped, sign]);
        result = signed;
    }
    // By zero: all bits, as ptxas has it.
    let (zero, ones) = (code.flag(), code.word());
    code.step("ISETP.EQ.U32.AND P0, PT, R0, RZ, PT", &[zero, b]);
    code.copy(ones, number(-1));
    code.step("SEL R0, R0, R0, P0", &[d, ones, result, zero]);
}

/// Negates a number of 64 bits where a sign has all bits.
fn with_sign(code: &mut Code, of: Operand, sign: Operand) -> Operand {
    let (flipped, to, signs) = (code.double(), code.double(), code.double());
    for half in [0, 1] {
        let parts = [flipped.register(half), of.register(half), sign];
        code.step("LOP3.LUT R0, R0, R0, RZ, 0x3c, !PT", &parts);
        code.copy(signs.register(half), sign);
    }
    code.sub_64(to, flipped, signs);
    to
}

fn divide_longs(code: &mut Code, ty: ScalarType, remainder: bool) {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let signed = is_signed(ty);
    let sign = |code: &mut Code, of: Operand| {
        let sign = code.word();
        code.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", &[sign, of.register(1)]);
        sign
    };
    let (mut x, mut y, mut signs) = (a, b, None);
    if signed {
        let (first, second) = (sign(code, a), sign(code, b));
        (x, y) = (with_sign(code, a, first), with_sign(code, b, second));
        signs = Some((first, second));
    }
    let (dividend, divisor, small) = (code.double(), code.double(), code.double());
    code.step("I2F.F64.U64 R0, R0", &[divisor, y]);
    let inverse = inverse_64(code, divisor);
    // A little less than the reciprocal: no quotient is too large.
    let factor = code.double();
    code.copy(factor.register(0), number(0xffff_ffe0));
    code.copy(factor.register(1), number(0x3fef_ffff));
    code.step("DMUL R0, R0, R0", &[small, inverse, factor]);
    let mut rest = x;
    let mut quotient: Option<Operand> = None;
    for _ in 0..2 {
        let (product, part, whole, left) =
            (code.double(), code.double(), code.double(), code.double());
        code.step("I2F.F64.U64 R0, R0", &[dividend, rest]);
        code.step("DMUL R0, R0, R0", &[product, dividend, small]);
        code.step("F2I.U64.F64.TRUNC R0, R0", &[part, product]);
        code.mad_low_64(whole, part, y, None);
        code.sub_64(left, rest, whole);
        rest = left;
        quotient = Some(match quotient {
            None => part,
            Some(before) => {
                let sum = code.double();
                code.add_64(sum, before, part);
                sum
            }
        });
    }
    let mut quotient = quotient.unwrap_or(rest);
    for _ in 0..2 {
        let below = code.less_64(rest, y, false);
        let (less, more, left, next) = (code.double(), code.double(), code.double(), code.double());
        code.sub_64(less, rest, y);
        let carry = code.flag();
        code.step(
            "IADD3 R0, P0, R0, 0x1, RZ",
            &[more.register(0), carry, quotient.register(0)],
        );
        code.step(
            "IADD3.X R0, RZ, R0, RZ, P0, !PT",
            &[more.register(1), quotient.register(1), carry],
        );
        code.select_64(left, rest, less, below);
        code.select_64(next, quotient, more, below);
        (quotient, rest) = (next, left);
    }
    let mut result = if remainder { rest } else { quotient };
    if let Some((first, second)) = signs {
        let sign = match remainder {
            true => first,
            false => {
                let both = code.word();
                code.step("LOP3.LUT R0, R0, R0, RZ, 0x3c, !PT", &[both, first, second]);
                both
            }
        };
        result = with_sign(code, result, sign);
    }
    // By zero: all bits, as ptxas has it.
    let (any, zero, ones) = (code.word(), code.flag(), code.word());
    code.step(
        "LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT",
        &[any, b.register(0), b.register(1)],
    );
    code.step("ISETP.EQ.U32.AND P0, PT, R0, RZ, PT", &[zero, any]);
    code.copy(ones, number(-1));
    for half in [0, 1] {
        let parts = [d.register(half), ones, result.register(half), zero];
        code.step("SEL R0, R0, R0, P0", &parts);
    }
}

#[cfg(test)]
mod tests {
    use super::SCALE;

    /// For every single in a binade (others have the same mantissas), and the largest number that becomes it, if `MUFU.RCP` is
    /// as large as its bound lets it be: nothing is above 2^32 before it is cut off to an integer.
    #[test]
    fn estimates_for_integers_are_not_too_large() {
        let scale = f64::from(f32::from_bits(SCALE));
        let most = f64::from(u32::MAX) + 1.0;
        for bits in 1.0f32.to_bits()..2.0f32.to_bits() {
            let single = f64::from(f32::from_bits(bits));
            let largest = single + f64::from(f32::EPSILON) / 2.0;
            let bound = (1.0 + f64::from(f32::EPSILON)) / single;
            let reciprocal = match bound as f32 {
                above if f64::from(above) > bound => above.next_down(),
                within => within,
            };
            let estimate = (f64::from(reciprocal) * scale) as f32;
            assert!(f64::from(estimate) * largest <= most, "{single}");
        }
    }
}
