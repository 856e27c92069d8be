//! Divisions, reciprocals and roots in double precision, rounded right in every direction, subnormal numbers included.
//!
//! **Quotients.** With `y` the nearest double to `1 / b`, a quotient `q` that is off by a little more than half a unit,
//! and `r = a - b q`, which is exact, `q + r y` rounds as `a / b` does: a quotient of two numbers of 53 bits is not
//! closer to a double, or to the middle of two, than the error of that sum (Markstein). Newton's iteration gives that
//! `y` unless all bits of `b` are ones. That is the short way; it needs exponents that keep every intermediate number
//! normal. To the nearest it has the instructions of ptxas, two steps less: its first guess is such that ones come out right, too.
//!
//! The long way takes the rest: zeros, infinities, numbers that are not, subnormal ones, results out of range, divisors
//! of ones. It divides the fractions, rounds the quotient towards zero (which needs less of `y`), finds the next two
//! bits from the exact remainder, and puts the number together with integers:
//!
//! ```text
//!   1.fraction(a)   r = a - b q   0: 00  exact
//!   ------------- = q + ---       <  half a unit: 01     q : bits ──► shifted for a subnormal result, lost bits kept
//!   1.fraction(b)   b             >  half a unit: 11              ──► rounded ──► exponent, sign, overflow
//! ```
//!
//! **Roots.** A number between 1 and 4 has a root between 1 and 2. The root from an approximate inverse root, corrected
//! once, is off by a little more than half a unit; the exact remainder `r = a - g g`, an integer in squares of a unit,
//! says whether a neighbour is nearer (`r > g`, or `r <= -g`), or on the right side.

use super::divide::{inverse_64, rounding};
use super::number;
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;

/// What is not a number where no operand is one: H200.
const NAN: u32 = 0xfff8_0000;
/// The upper words of 1, of 2^54, of the smallest normal number and of infinity.
const ONE: i64 = 0x3ff0_0000;
const TO_54: i64 = 0x4350_0000;
const NORMAL: &str = "0x100000";
const INFINITY: i64 = 0x7ff0_0000;
/// The upper word of the largest number.
const LARGEST: i64 = 0x7fef_ffff;

/// A double whose lower word is zero.
fn constant(code: &mut Code, high: i64) -> Operand {
    let pair = code.double();
    code.copy(pair.register(0), number(0));
    code.copy(pair.register(1), number(high));
    pair
}

/// The upper word without the sign.
fn magnitude(code: &mut Code, of: Operand) -> Operand {
    let high = code.word();
    let operands = [high, of.register(1)];
    code.step("LOP3.LUT R0, R0, 0x7fffffff, RZ, 0xc0, !PT", &operands);
    high
}

/// `d = x / y`; without a dividend the reciprocal.
pub(super) fn divide(source: &Source, code: &mut Code, x: Option<Operand>, y: Operand) {
    let result = code.double();
    let is_short = match (rounding(source), x) {
        ("", Some(x)) => divide_near(code, result, x, y),
        ("", None) => invert_near(code, result, y),
        _ => {
            let is_short = takes_short_way(code, x, y);
            let dividend = match x {
                Some(x) => x,
                None => constant(code, ONE),
            };
            let (q, inverse) = quotient(code, dividend, y);
            let rest = code.double();
            code.step("DFMA R0, -R0, R0, R0", &[rest, y, q, dividend]);
            let last = format!("DFMA{} R0, R0, R0, R0", rounding(source));
            code.step(last, &[result, inverse, rest, q]);
            is_short
        }
    };
    code.unless((is_short, false), |code| {
        let dividend = match x {
            Some(x) => x,
            None => constant(code, ONE),
        };
        divide_long(source, code, result, x, dividend, y);
    });
    deliver(code, result);
}

/// Moves a result that was found on one of two ways.
fn deliver(code: &mut Code, result: Operand) {
    for half in [0, 1] {
        code.copy(ptx("d").register(half), result.register(half));
    }
}

/// An approximate reciprocal as ptxas has it, with this in the lower word of the first guess.
fn inverse_near(code: &mut Code, result: Operand, y: Operand, low: Operand) {
    let (guess, error, double) = (code.double(), code.double(), code.double());
    code.step("MUFU.RCP64H R0, R0", &[guess.register(1), y.register(1)]);
    code.copy(guess.register(0), low);
    code.step("DFMA R0, -R0, R0, 1", &[error, y, guess]);
    code.step("DFMA R0, R0, R0, R0", &[double, error, error, error]);
    let (better, rest) = (code.double(), code.double());
    code.step("DFMA R0, R0, R0, R0", &[better, guess, double, guess]);
    code.step("DFMA R0, -R0, R0, 1", &[rest, y, better]);
    code.step("DFMA R0, R0, R0, R0", &[result, better, rest, better]);
}

/// `result = 1 / y` to the nearest, and whether it is right: 1 <= exponent < 2044.
fn invert_near(code: &mut Code, result: Operand, y: Operand) -> Operand {
    let (low, doubled, is_short) = (code.word(), code.word(), code.flag());
    code.step("IADD3 R0, R0, 0x300402, RZ", &[low, y.register(1)]);
    let operands = [doubled, y.register(1), number(0xffe0_0000)];
    code.step("LEA R0, R0, R0, 0x1", &operands);
    let range = [is_short, doubled, number(0xff60_0000)];
    code.step("ISETP.LT.U32.AND P0, PT, R0, R0, PT", &range);
    inverse_near(code, result, y, low);
    is_short
}

/// `result = x / y` to the nearest, and whether it is right: if both exponents are moderate.
fn divide_near(code: &mut Code, result: Operand, x: Operand, y: Operand) -> Operand {
    let mut is_short: Option<Operand> = None;
    for of in [y, x] {
        let (doubled, flag) = (code.word(), code.flag());
        // 523 <= exponent < 1523, without the sign.
        let operands = [doubled, of.register(1), number(0xbea0_0000)];
        code.step("LEA R0, R0, R0, 0x1", &operands);
        let range = [flag, doubled, number(0x7d00_0000)];
        match is_short {
            None => code.step("ISETP.LT.U32.AND P0, PT, R0, R0, PT", &range),
            Some(before) => {
                let both = [range[0], range[1], range[2], before];
                code.step("ISETP.LT.U32.AND P0, PT, R0, R0, P0", &both);
            }
        }
        is_short = Some(flag);
    }
    let (inverse, guess, rest) = (code.double(), code.double(), code.double());
    inverse_near(code, inverse, y, number(1));
    code.step("DMUL R0, R0, R0", &[guess, x, inverse]);
    code.step("DFMA R0, -R0, R0, R0", &[rest, y, guess, x]);
    code.step("DFMA R0, R0, R0, R0", &[result, inverse, rest, guess]);
    is_short.unwrap_or(result)
}

/// Whether exponents are moderate, and the divisor's fraction is not all ones.
fn takes_short_way(code: &mut Code, x: Option<Operand>, y: Operand) -> Operand {
    let (divisor, from, ones, moderate) =
        (magnitude(code, y), code.word(), code.word(), code.flag());
    // 2 <= exponent of y < 2044: its reciprocal is normal, too.
    code.step("IADD3 R0, R0, -0x200000, RZ", &[from, divisor]);
    let range = [moderate, from, number(0x7fa0_0000)];
    code.step("ISETP.LT.U32.AND P0, PT, R0, R0, PT", &range);
    let all = [ones, divisor, y.register(0)];
    code.step("LOP3.LUT R0, R0, 0xfff00000, R0, 0xa8, !PT", &all);
    let mut flag = code.flag();
    code.step("ISETP.NE.AND P0, PT, R0, -0x1, P0", &[flag, ones, moderate]);
    let Some(x) = x else { return flag };
    let (dividend, from, difference) = (magnitude(code, x), code.word(), code.word());
    // 108 <= exponent of x < 2047: remainders are normal. 2 <= exponent of the quotient < 2043.
    code.step("IADD3 R0, R0, -0x6c00000, RZ", &[from, dividend]);
    let operands = [difference, dividend, divisor];
    code.step("IADD3 R0, R0, 0x3fd00000, -R0", &operands);
    for (of, below) in [(from, 0x7930_0000), (difference, 0x7f90_0000)] {
        let both = code.flag();
        let range = [both, of, number(below), flag];
        code.step("ISETP.LT.U32.AND P0, PT, R0, R0, P0", &range);
        flag = both;
    }
    flag
}

/// A quotient that is off by a little more than half a unit, and the inverse of the divisor.
fn quotient(code: &mut Code, x: Operand, y: Operand) -> (Operand, Operand) {
    let inverse = inverse_64(code, y);
    let (guess, rest, better) = (code.double(), code.double(), code.double());
    code.step("DMUL R0, R0, R0", &[guess, x, inverse]);
    code.step("DFMA R0, -R0, R0, R0", &[rest, y, guess, x]);
    code.step("DFMA R0, R0, R0, R0", &[better, inverse, rest, guess]);
    (better, inverse)
}

/// A number as a fraction from 1 to 2 and its exponent, as numbers have it; it is not less than 1 where that is
/// subnormal.
fn fraction(code: &mut Code, of: Operand) -> (Operand, Operand) {
    let (small, factor, up, scaled) = (
        code.flag(),
        constant(code, TO_54),
        code.double(),
        code.double(),
    );
    let high = magnitude(code, of);
    code.step(
        format!("ISETP.LT.U32.AND P0, PT, R0, {NORMAL}, PT"),
        &[small, high],
    );
    code.step("DMUL R0, R0, R0", &[up, of, factor]);
    code.select_64(scaled, up, of, small);
    let (high, exponent, less, of_one) = (
        magnitude(code, scaled),
        code.word(),
        code.word(),
        code.double(),
    );
    code.step("SHF.R.U32.HI R0, RZ, 0x14, R0", &[exponent, high]);
    code.copy(less, number(0));
    code.copy_if(Some((small, false)), less, number(54));
    code.step("IADD3 R0, R0, -R0, RZ", &[exponent, exponent, less]);
    code.copy(of_one.register(0), scaled.register(0));
    let one = [of_one.register(1), high, number(ONE)];
    code.step("LOP3.LUT R0, R0, 0xfffff, R0, 0xea, !PT", &one);
    (of_one, exponent)
}

fn divide_long(
    source: &Source,
    code: &mut Code,
    d: Operand,
    given: Option<Operand>,
    x: Operand,
    y: Operand,
) {
    let ((a, a_exponent), (b, b_exponent)) = (fraction(code, x), fraction(code, y));
    let (near, inverse) = quotient(code, a, b);
    let (rest, q, left) = (code.double(), code.double(), code.double());
    code.step("DFMA R0, -R0, R0, R0", &[rest, b, near, a]);
    code.step("DFMA.RZ R0, R0, R0, R0", &[q, inverse, rest, near]);
    code.step("DFMA R0, -R0, R0, R0", &[left, b, q, a]);
    // Half a unit of the quotient, and what is left beyond it.
    let (half, beyond) = (code.double(), code.double());
    code.copy(half.register(0), number(0));
    let operands = [half.register(1), q.register(1)];
    code.step("LOP3.LUT R0, R0, 0x7ff00000, RZ, 0xc0, !PT", &operands);
    let operands = [half.register(1), half.register(1)];
    code.step("IADD3 R0, R0, -0x3500000, RZ", &operands);
    code.step("DFMA R0, -R0, R0, R0", &[beyond, b, half, left]);
    let (more, inexact, code_bits) = (code.flag(), code.flag(), code.word());
    code.step("DSETP.GT.AND P0, PT, R0, RZ, PT", &[more, beyond]);
    code.step("DSETP.GT.AND P0, PT, R0, RZ, PT", &[inexact, left]);
    code.copy(code_bits, number(0));
    code.copy_if(Some((inexact, false)), code_bits, number(1));
    code.copy_if(Some((more, false)), code_bits, number(3));
    let exponent = code.word();
    code.step("SHF.R.U32.HI R0, RZ, 0x14, R0", &[exponent, q.register(1)]);
    let sum = [exponent, a_exponent, exponent, b_exponent];
    code.step("IADD3 R0, R0, R0, -R0", &sum);
    // The quotient as an integer, two bits further to the left.
    let (whole, bits) = (code.double(), code.double());
    let operands = [whole.register(1), q.register(1), number(0x10_0000)];
    code.step("LOP3.LUT R0, R0, 0xfffff, R0, 0xea, !PT", &operands);
    code.copy(whole.register(0), q.register(0));
    code.shift_left_64(bits, whole, number(2));
    let operands = [bits.register(0), bits.register(0), code_bits];
    code.step("LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT", &operands);
    let sign = code.word();
    let signs = [sign, x.register(1), y.register(1)];
    code.step("LOP3.LUT R0, R0, 0x80000000, R0, 0x48, !PT", &signs);
    let usual = pack(source, code, bits, exponent, sign);
    let (odd, special) = special_quotient(code, given, x, y);
    code.select_64(d, odd, usual, special);
}

/// Puts a number together: 53 bits and two for what is less, an exponent as numbers have it but in any range, a sign.
fn pack(
    source: &Source,
    code: &mut Code,
    bits: Operand,
    exponent: Operand,
    sign: Operand,
) -> Operand {
    let name = code.chip.min_max();
    let (by, field) = (code.word(), code.word());
    // A subnormal number is shifted; bits that go are kept in the last one.
    code.step("IADD3 R0, -R0, 0x1, RZ", &[by, exponent]);
    code.step(format!("{name} R0, R0, RZ, !PT"), &[by, by]);
    code.step(format!("{name} R0, R0, R0, PT"), &[by, by, number(63)]);
    let (shifted, back, lost, any) = (code.double(), code.double(), code.word(), code.flag());
    code.shift_right_64(shifted, bits, by, false);
    code.shift_left_64(back, shifted, by);
    let (low, high) = (code.word(), code.word());
    for (to, half) in [(low, 0), (high, 1)] {
        let operands = [to, back.register(half), bits.register(half)];
        code.step("LOP3.LUT R0, R0, R0, RZ, 0x3c, !PT", &operands);
    }
    code.step("LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT", &[lost, low, high]);
    code.step("ISETP.NE.AND P0, PT, R0, RZ, PT", &[any, lost]);
    let operands = [shifted.register(0), shifted.register(0)];
    code.guarded(
        Some((any, false)),
        "LOP3.LUT R0, R0, 0x1, RZ, 0xfc, !PT",
        &operands,
    );
    code.step("IADD3 R0, R0, -0x1, RZ", &[field, exponent]);
    code.step(format!("{name} R0, R0, RZ, !PT"), &[field, field]);
    // What is added before the two bits go: of the nearest, ties to even, 1 and the last bit that stays.
    let (added, negative) = (code.double(), code.flag());
    code.step("ISETP.LT.AND P0, PT, R0, RZ, PT", &[negative, sign]);
    code.copy(added.register(1), number(0));
    let away = match rounding(source) {
        "" => None,
        ".RM" => Some((negative, false)),
        ".RP" => Some((negative, true)),
        _ => Some((negative, false)),
    };
    let towards_zero = rounding(source) == ".RZ";
    match away {
        None => {
            let operands = [added.register(0), shifted.register(0)];
            code.step("SHF.R.U32.HI R0, RZ, 0x2, R0", &operands);
            let operands = [added.register(0), added.register(0)];
            code.step("LOP3.LUT R0, R0, 0x1, RZ, 0xc0, !PT", &operands);
            code.step("IADD3 R0, R0, 0x1, RZ", &operands);
        }
        Some(away) => {
            code.copy(added.register(0), number(0));
            if !towards_zero {
                code.copy_if(Some(away), added.register(0), number(3));
            }
        }
    }
    let (sum, rounded) = (code.double(), code.double());
    code.add_64(sum, shifted, added);
    code.shift_right_64(rounded, sum, number(2), false);
    let operands = [field, field];
    code.step("SHF.L.U32 R0, R0, 0x14, RZ", &operands);
    let operands = [rounded.register(1), rounded.register(1), field];
    code.step("IADD3 R0, R0, R0, RZ", &operands);
    // Beyond the largest number.
    let over = code.flag();
    let operands = [over, rounded.register(1), number(INFINITY)];
    code.step("ISETP.GE.U32.AND P0, PT, R0, R0, PT", &operands);
    let limit = code.double();
    let (low, high) = match away {
        None => (0, INFINITY),
        Some(_) => (-1, LARGEST),
    };
    code.copy(limit.register(0), number(low));
    code.copy(limit.register(1), number(high));
    if let Some(away) = away
        && !towards_zero
    {
        code.copy_if(Some(away), limit.register(0), number(0));
        code.copy_if(Some(away), limit.register(1), number(INFINITY));
    }
    let usual = code.double();
    code.select_64(usual, limit, rounded, over);
    let operands = [usual.register(1), usual.register(1), sign];
    code.step("LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT", &operands);
    usual
}

/// The quotient where an operand is zero, infinite or not a number, and whether one is: a product with the divisor's
/// inverse, which counts by its sign where the divisor is an ordinary number. Of two that are not numbers the dividend
/// comes out.
fn special_quotient(
    code: &mut Code,
    given: Option<Operand>,
    x: Operand,
    y: Operand,
) -> (Operand, Operand) {
    let (zero, infinite, nan) = (code.flag(), code.flag(), code.flag());
    code.step("DSETP.EQ.AND P0, PT, R0, RZ, PT", &[zero, y]);
    code.step("DSETP.EQ.AND P0, PT, |R0|, +INF , PT", &[infinite, y]);
    code.step("DSETP.NAN.AND P0, PT, R0, R0, PT", &[nan, y, y]);
    let inverse = constant(code, ONE);
    let high = inverse.register(1);
    code.copy_if(Some((zero, false)), high, number(INFINITY));
    code.copy_if(Some((infinite, false)), high, number(0));
    let operands = [high, y.register(1), high];
    code.step("LOP3.LUT R0, R0, 0x7fffffff, R0, 0xb8, !PT", &operands);
    for half in [0, 1] {
        code.copy_if(Some((nan, false)), inverse.register(half), y.register(half));
    }
    let odd = code.double();
    code.step("DMUL R0, R0, R0", &[odd, inverse, x]);
    let mut special = code.flag();
    // Neither zero nor below infinity.
    code.step("DSETP.GEU.OR P0, PT, |R0|, +INF , P0", &[special, y, zero]);
    if given.is_some() {
        let (zero, any) = (code.flag(), code.flag());
        code.step("DSETP.EQ.OR P0, PT, R0, RZ, P0", &[zero, x, special]);
        code.step("DSETP.GEU.OR P0, PT, |R0|, +INF , P0", &[any, x, zero]);
        special = any;
    }
    (odd, special)
}

/// A positive number as one from 1 to 4 and half the exponent that is missing.
struct Scaled {
    value: Operand,
    exponent: Operand,
}

/// Scales by an even power of two.
fn scaled(code: &mut Code, a: Operand) -> Scaled {
    let (small, factor, up, of) = (
        code.flag(),
        constant(code, TO_54),
        code.double(),
        code.double(),
    );
    let operands = [small, a.register(1)];
    code.step(
        format!("ISETP.LT.U32.AND P0, PT, R0, {NORMAL}, PT"),
        &operands,
    );
    code.step("DMUL R0, R0, R0", &[up, a, factor]);
    code.select_64(of, up, a, small);
    let (exponent, steps, value) = (code.word(), code.word(), code.double());
    code.step("SHF.R.U32.HI R0, RZ, 0x14, R0", &[exponent, of.register(1)]);
    code.step("IADD3 R0, R0, -0x3ff, RZ", &[exponent, exponent]);
    code.step("SHF.R.S32.HI R0, RZ, 0x1, R0", &[exponent, exponent]);
    code.step("SHF.L.U32 R0, R0, 0x15, RZ", &[steps, exponent]);
    code.copy(value.register(0), of.register(0));
    let operands = [value.register(1), of.register(1), steps];
    code.step("IADD3 R0, R0, -R0, RZ", &operands);
    let operands = [exponent, exponent];
    code.guarded(Some((small, false)), "IADD3 R0, R0, -0x1b, RZ", &operands);
    Scaled { value, exponent }
}

/// An approximate inverse root of a number from 1 to 4, good to 2^-52 or so: `y += y / 2 (1 - x y y)`.
fn inverse_root(code: &mut Code, x: Operand, rounds: usize) -> Operand {
    let (guess, half) = (code.double(), constant(code, 0x3fe0_0000));
    code.step("MUFU.RSQ64H R0, R0", &[guess.register(1), x.register(1)]);
    code.copy(guess.register(0), number(0));
    let mut inverse = guess;
    for _ in 0..rounds {
        let (square, error) = (code.double(), code.double());
        let (halved, better) = (code.double(), code.double());
        code.step("DMUL R0, R0, R0", &[square, inverse, inverse]);
        code.step("DFMA R0, -R0, R0, 1", &[error, x, square]);
        code.step("DMUL R0, R0, R0", &[halved, inverse, half]);
        code.step("DFMA R0, R0, R0, R0", &[better, halved, error, inverse]);
        inverse = better;
    }
    inverse
}

/// What a root has for a zero, an infinity or what is not a number, and for negative numbers; and whether it is one.
fn special_root(code: &mut Code, a: Operand) -> (Operand, Operand) {
    let (odd, negative, special, positive) = (code.double(), code.flag(), code.flag(), code.flag());
    code.step("DADD R0, R0, -RZ", &[odd, a]);
    code.step("DSETP.LT.AND P0, PT, R0, RZ, PT", &[negative, a]);
    code.copy_if(Some((negative, false)), odd.register(0), number(0));
    code.copy_if(Some((negative, false)), odd.register(1), number(NAN.into()));
    code.step("DSETP.GT.AND P0, PT, R0, RZ, PT", &[positive, a]);
    code.step(
        "DSETP.GEU.OR P0, PT, |R0|, +INF , !P0",
        &[special, a, positive],
    );
    (odd, special)
}

/// `sqrt` with a rounding.
pub(super) fn root(source: &Source, code: &mut Code) {
    let a = ptx("a");
    if !rounding(source).is_empty() {
        return root_long(source, code, ptx("d"), a);
    }
    let result = code.double();
    let (guess, is_short) = (code.double(), code.flag());
    code.step("MUFU.RSQ64H R0, R0", &[guess.register(1), a.register(1)]);
    // Positive, finite, and such that what is left of it is exact. The number is as good as any in the guess, and ptxas's.
    let from = [guess.register(0), a.register(1)];
    code.step("IADD3 R0, R0, -0x3500000, RZ", &from);
    let range = [is_short, guess.register(0), number(0x7ca0_0000)];
    code.step("ISETP.LT.U32.AND P0, PT, R0, R0, PT", &range);
    let (square, error, factor) = (code.double(), code.double(), code.double());
    let (share, inverse) = (code.double(), code.double());
    let three_eighths = constant(code, 0x3fd8_0000);
    code.step("DMUL R0, R0, R0", &[square, guess, guess]);
    code.step("DFMA R0, -R0, R0, 1", &[error, a, square]);
    code.step("DFMA R0, R0, R0, 0.5", &[factor, error, three_eighths]);
    code.step("DMUL R0, R0, R0", &[share, guess, error]);
    code.step("DFMA R0, R0, R0, R0", &[inverse, factor, share, guess]);
    let (near, half, rest) = (code.double(), code.double(), code.double());
    code.step("DMUL R0, R0, R0", &[near, a, inverse]);
    code.copy(half.register(0), inverse.register(0));
    let halved = [half.register(1), inverse.register(1)];
    code.step("IADD3 R0, R0, -0x100000, RZ", &halved);
    code.step("DFMA R0, -R0, R0, R0", &[rest, near, near, a]);
    code.step("DFMA R0, R0, R0, R0", &[result, rest, half, near]);
    code.unless((is_short, false), |code| {
        root_long(source, code, result, a);
    });
    deliver(code, result);
}

/// `sqrt` of all numbers, with all roundings.
fn root_long(source: &Source, code: &mut Code, d: Operand, a: Operand) {
    let Scaled { value, exponent } = scaled(code, a);
    let inverse = inverse_root(code, value, 2);
    let half = constant(code, 0x3fe0_0000);
    let (first, rest, halved, near) = (code.double(), code.double(), code.double(), code.double());
    code.step("DMUL R0, R0, R0", &[first, value, inverse]);
    code.step("DFMA R0, -R0, R0, R0", &[rest, first, first, value]);
    code.step("DMUL R0, R0, R0", &[halved, inverse, half]);
    code.step("DFMA R0, R0, R0, R0", &[near, halved, rest, first]);
    let left = code.double();
    code.step("DFMA R0, -R0, R0, R0", &[left, near, near, value]);
    let (step, up, down) = (code.double(), code.flag(), code.flag());
    code.copy(step.register(0), number(0));
    match rounding(source) {
        "" => {
            // The unit of numbers from 1 to 2.
            let unit = constant(code, 0x3cb0_0000);
            let (above, below) = (code.double(), code.double());
            code.step("DFMA R0, -R0, R0, R0", &[above, near, unit, left]);
            code.step("DFMA R0, R0, R0, R0", &[below, near, unit, left]);
            code.step("DSETP.GT.AND P0, PT, R0, RZ, PT", &[up, above]);
            code.step("DSETP.LE.AND P0, PT, R0, RZ, PT", &[down, below]);
            code.copy_if(Some((up, false)), step.register(0), number(1));
            code.copy_if(Some((down, false)), step.register(0), number(-1));
        }
        ".RP" => {
            code.step("DSETP.GT.AND P0, PT, R0, RZ, PT", &[up, left]);
            code.copy_if(Some((up, false)), step.register(0), number(1));
        }
        _ => {
            code.step("DSETP.LT.AND P0, PT, R0, RZ, PT", &[down, left]);
            code.copy_if(Some((down, false)), step.register(0), number(-1));
        }
    }
    let sign = [step.register(1), step.register(0)];
    code.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", &sign);
    let usual = code.double();
    code.add_64(usual, near, step);
    code.step("SHF.L.U32 R0, R0, 0x14, RZ", &[exponent, exponent]);
    let operands = [usual.register(1), usual.register(1), exponent];
    code.step("IADD3 R0, R0, R0, RZ", &operands);
    let (odd, special) = special_root(code, a);
    code.select_64(d, odd, usual, special);
}

/// `rsqrt.approx.f64`
pub(super) fn approximate_inverse_root(code: &mut Code) {
    let (d, a) = (ptx("d"), ptx("a"));
    let Scaled { value, exponent } = scaled(code, a);
    let inverse = inverse_root(code, value, 3);
    code.step("SHF.L.U32 R0, R0, 0x14, RZ", &[exponent, exponent]);
    let usual = code.double();
    code.copy(usual.register(0), inverse.register(0));
    let operands = [usual.register(1), inverse.register(1), exponent];
    code.step("IADD3 R0, R0, -R0, RZ", &operands);
    let (root, special) = special_root(code, a);
    // The inverse of a zero and of infinity has its sign.
    let (zero, infinite) = (code.flag(), code.flag());
    code.step("DSETP.EQ.AND P0, PT, R0, RZ, PT", &[zero, a]);
    code.step("DSETP.EQ.AND P0, PT, R0, +INF , PT", &[infinite, a]);
    let operands = [root.register(1), root.register(1)];
    let text = "LOP3.LUT R0, R0, 0x7ff00000, RZ, 0xfc, !PT";
    code.guarded(Some((zero, false)), text, &operands);
    code.copy_if(Some((infinite, false)), root.register(1), number(0));
    code.select_64(d, root, usual, special);
}
