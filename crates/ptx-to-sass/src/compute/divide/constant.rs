//! Quotients and remainders by a number that is known: the upper half of a product, and shifts.
//!
//! | divisor | without a sign | with one |
//! |---|---|---|
//! | 2^k | `x >> k`, `x & (2^k - 1)` | `x + (sign >>> (N - k)) >> k`: what is negative is rounded towards zero |
//! | other | `x * m >> (N + s)` | the same, one more where it is negative |
//!
//! `m` is 2^(N+s) / d rounded up. It is too large by e/d, which does not matter as long as `e * x` stays below 2^(N+s)
//! for every `x`; the smallest such `s` is taken. Where no `m` has N bits, an even divisor is halved first, and for an odd
//! one 2^(N+s) / d rounded down does with `x + 1`, or (64 bits) the `m` with a bit more and a sum that cannot overflow.
//! A remainder is `x - q * d`.

use super::super::integer::high_product;
use super::super::{is_signed, number};
use crate::code::{Code, ptx};
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

/// How numbers without a sign are divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unsigned {
    /// So many bits are shifted out first.
    before: u32,
    /// The factor.
    factor: u64,
    /// Whether it wants something more.
    more: More,
    /// So many bits are shifted out of the upper half of the product.
    after: u32,
}

/// What a factor wants that is not quite right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum More {
    Nothing,
    /// It is rounded down: `x + 1` is multiplied.
    Increment,
    /// Its highest bit, 2^N, is left out.
    Bit,
}

/// How to divide numbers of `used` bits by `divisor`, which is neither zero nor a power of two, with words of `width` bits.
fn unsigned(divisor: u64, width: u32, used: u32) -> Unsigned {
    let d = u128::from(divisor);
    // The smallest factor that is good enough for numbers of so many bits.
    let find = |d: u128, used: u32| {
        (0..width).find_map(|after| {
            let power = 1u128 << (width + after);
            let factor = power / d + 1;
            let error = factor * d - power;
            let fits = factor >> width == 0 && error <= 1 << (width + after - used);
            fits.then_some((factor as u64, after))
        })
    };
    if let Some((factor, after)) = find(d, used) {
        return Unsigned {
            before: 0,
            factor,
            more: More::Nothing,
            after,
        };
    }
    let before = divisor.trailing_zeros();
    if before > 0
        && let Some((factor, after)) = find(d >> before, used - before)
    {
        return Unsigned {
            before,
            factor,
            more: More::Nothing,
            after,
        };
    }
    let down = (0..width).find_map(|after| {
        let power = 1u128 << (width + after);
        let factor = power / d;
        let fits = factor >> width == 0 && power - factor * d <= 1 << after;
        fits.then_some((factor as u64, after))
    });
    match down {
        Some((factor, after)) if width <= 32 => Unsigned {
            before: 0,
            factor,
            more: More::Increment,
            after,
        },
        _ => {
            // 2^(N+s) / d rounded up, for the s with 2^s just above d, has N + 1 bits.
            let after = 64 - divisor.leading_zeros();
            let factor = match width + after {
                128 => u128::MAX / d + 1,
                power => (1u128 << power) / d + 1,
            };
            let factor = (factor & ((1 << width) - 1)) as u64;
            Unsigned {
                before: 0,
                factor,
                more: More::Bit,
                after,
            }
        }
    }
}

/// The factor and the shift for numbers of `used` bits with a sign, and a divisor above two that is no power of two.
fn signed(divisor: u64, width: u32, used: u32) -> (u64, u32) {
    let d = u128::from(divisor);
    let found = (0..width).find_map(|after| {
        let power = 1u128 << (width + after);
        let factor = power / d + 1;
        let error = factor * d - power;
        let fits = factor >> width == 0 && error < 1 << (width + after + 1 - used);
        fits.then_some((factor as u64, after))
    });
    // Half of the numbers without a sign have a factor always.
    found.unwrap_or((0, 0))
}

/// A division of 16 to 64 bits by a number; nothing if the general way must be gone: by zero.
pub(super) fn emit(code: &mut Code, ty: ScalarType, remainder: bool, divisor: i64) -> Option<()> {
    let bits = ty.bits();
    let divisor = match (bits, is_signed(ty)) {
        (16, true) => i64::from(divisor as i16),
        (16, false) => i64::from(divisor as u16),
        (32, true) => i64::from(divisor as i32),
        (32, false) => i64::from(divisor as u32),
        _ => divisor,
    };
    let size = match is_signed(ty) {
        true => divisor.unsigned_abs(),
        false => divisor as u64,
    };
    match (bits, size) {
        (_, 0) => return None,
        (64, _) => longs(code, is_signed(ty), remainder, divisor, size),
        _ => words(code, ty, remainder, divisor, size),
    }
    Some(())
}

/// `to = x >> by`; nothing is shifted by 0.
fn down(code: &mut Code, x: Operand, by: u32, is_signed: bool) -> Operand {
    if by == 0 {
        return x;
    }
    let (to, sign) = (code.word(), if is_signed { "S32" } else { "U32" });
    code.step(format!("SHF.R.{sign}.HI R0, RZ, {by:#x}, R0"), &[to, x]);
    to
}

fn bits_of(value: u64) -> Operand {
    number(i64::from(value as u32))
}

fn words(code: &mut Code, ty: ScalarType, remainder: bool, divisor: i64, size: u64) {
    let (d, x) = (ptx("d"), code.widened("a", ty));
    let is_negative = is_signed(ty) && divisor < 0;
    if size.is_power_of_two() {
        let by = size.trailing_zeros();
        return match is_signed(ty) {
            false if remainder => {
                code.step(
                    "LOP3.LUT R0, R0, R0, RZ, 0xc0, !PT",
                    &[d, x, bits_of(size - 1)],
                );
            }
            false => {
                let quotient = down(code, x, by, false);
                code.copy(d, quotient);
            }
            true => signed_power(code, d, x, by, remainder, is_negative),
        };
    }
    let quotient = match is_signed(ty) {
        false => unsigned_words(code, x, unsigned(size, 32, ty.bits())),
        true => {
            let (factor, after) = signed(size, 32, ty.bits());
            let mut upper = code.word();
            code.step("IMAD.HI R0, R0, R0, RZ", &[upper, x, bits_of(factor)]);
            // The machine takes a factor with its highest bit for a negative one.
            if factor >> 31 == 1 {
                let sum = code.word();
                code.step("IADD3 R0, R0, R0, RZ", &[sum, upper, x]);
                upper = sum;
            }
            let (shifted, to) = (down(code, upper, after, true), code.word());
            match is_negative {
                false => code.step("LEA.HI R0, R0, R0, RZ, 0x1", &[to, shifted, shifted]),
                true => {
                    let sign = down(code, x, 31, true);
                    code.step("IADD3 R0, R0, -R0, RZ", &[to, sign, shifted]);
                }
            }
            to
        }
    };
    match remainder {
        true => {
            let by = bits_of(divisor.wrapping_neg() as u64);
            code.step("IMAD R0, R0, R0, R0", &[d, quotient, by, x]);
        }
        false => code.copy(d, quotient),
    }
}

fn unsigned_words(code: &mut Code, x: Operand, how: Unsigned) -> Operand {
    let x = down(code, x, how.before, false);
    let (upper, factor) = (code.word(), bits_of(how.factor));
    match how.more {
        More::Nothing => code.step("IMAD.HI.U32 R0, R0, R0, RZ", &[upper, x, factor]),
        More::Increment | More::Bit => {
            // x * m + m, the second as a pair.
            let pair = code.double();
            code.copy(pair.register(0), factor);
            code.copy(pair.register(1), number(0));
            code.step("IMAD.HI.U32 R0, R0, R0, R0", &[upper, x, factor, pair]);
        }
    }
    down(code, upper, how.after, false)
}

/// By a power of two, or its opposite, with a sign.
fn signed_power(
    code: &mut Code,
    d: Operand,
    x: Operand,
    by: u32,
    remainder: bool,
    is_negative: bool,
) {
    let rounded = match by {
        0 => x,
        // As many ones are added to what is negative as bits are shifted out.
        1 => {
            let to = code.word();
            code.step("LEA.HI R0, R0, R0, RZ, 0x1", &[to, x, x]);
            to
        }
        by => {
            let (sign, to) = (down(code, x, 31, true), code.word());
            code.step(format!("LEA.HI R0, R0, R0, RZ, {by:#x}"), &[to, sign, x]);
            to
        }
    };
    if remainder {
        let whole = code.word();
        let mask = bits_of((1u64 << by).wrapping_neg());
        code.step(
            "LOP3.LUT R0, R0, R0, RZ, 0xc0, !PT",
            &[whole, rounded, mask],
        );
        return code.step("IADD3 R0, R0, -R0, RZ", &[d, x, whole]);
    }
    let quotient = down(code, rounded, by, true);
    match is_negative {
        true => code.step("IADD3 R0, RZ, -R0, RZ", &[d, quotient]),
        false => code.copy(d, quotient),
    }
}

/// A shift of 64 bits by a number.
fn down_64(code: &mut Code, x: Operand, by: u32, is_signed: bool) -> Operand {
    if by == 0 {
        return x;
    }
    let to = code.double();
    code.shift_right_64(to, x, number(by.into()), is_signed);
    to
}

fn copy_64(code: &mut Code, to: Operand, from: Operand) {
    for half in [0, 1] {
        code.copy(to.register(half), from.register(half));
    }
}

/// Both halves of a number.
fn halves(value: u64) -> (Operand, Operand) {
    (bits_of(value), bits_of(value >> 32))
}

/// `d = x & mask`
fn mask_64(code: &mut Code, d: Operand, x: Operand, mask: u64) {
    let (low, high) = halves(mask);
    for (half, mask) in [(0, low), (1, high)] {
        let parts = [d.register(half), x.register(half), mask];
        code.step("LOP3.LUT R0, R0, R0, RZ, 0xc0, !PT", &parts);
    }
}

fn longs(code: &mut Code, is_signed: bool, remainder: bool, divisor: i64, size: u64) {
    let (d, x) = (ptx("d"), ptx("a"));
    let is_negative = is_signed && divisor < 0;
    if size.is_power_of_two() {
        let by = size.trailing_zeros();
        if is_signed {
            return signed_power_64(code, d, x, by, remainder, is_negative);
        }
        return match remainder {
            true => mask_64(code, d, x, size - 1),
            false => {
                let quotient = down_64(code, x, by, false);
                copy_64(code, d, quotient);
            }
        };
    }
    let quotient = match is_signed {
        false => unsigned_longs(code, x, unsigned(size, 64, 64)),
        true => {
            let (factor, after) = signed(size, 64, 64);
            let (product, upper) = (code.double(), code.double());
            high_product(code, product, x, halves(factor));
            // The product took what is negative for 2^64 more.
            let sign = down(code, x.register(1), 31, true);
            let (signs, excess) = (code.double(), code.double());
            for half in [0, 1] {
                code.copy(signs.register(half), sign);
            }
            mask_64(code, excess, signs, factor);
            code.sub_64(upper, product, excess);
            let (shifted, to) = (down_64(code, upper, after, true), code.double());
            match is_negative {
                false => code.sub_64(to, shifted, signs),
                true => code.sub_64(to, signs, shifted),
            }
            to
        }
    };
    if !remainder {
        return copy_64(code, d, quotient);
    }
    let (low, high) = halves(divisor.wrapping_neg() as u64);
    let (sum, partly) = (code.double(), code.word());
    let (q0, q1) = (quotient.register(0), quotient.register(1));
    code.step("IMAD.WIDE.U32 R0, R0, R0, R0", &[sum, q0, low, x]);
    code.step("IMAD R0, R0, R0, R0", &[partly, q1, low, sum.register(1)]);
    code.copy(d.register(0), sum.register(0));
    code.step("IMAD R0, R0, R0, R0", &[d.register(1), q0, high, partly]);
}

fn unsigned_longs(code: &mut Code, x: Operand, how: Unsigned) -> Operand {
    let x = down_64(code, x, how.before, false);
    let upper = code.double();
    high_product(code, upper, x, halves(how.factor));
    if how.more == More::Nothing {
        return down_64(code, upper, how.after, false);
    }
    // (x + upper) / 2, as upper + (x - upper) / 2: the sum has a bit more.
    let (rest, sum) = (code.double(), code.double());
    code.sub_64(rest, x, upper);
    let half = down_64(code, rest, 1, false);
    code.add_64(sum, half, upper);
    down_64(code, sum, how.after - 1, false)
}

fn signed_power_64(
    code: &mut Code,
    d: Operand,
    x: Operand,
    by: u32,
    remainder: bool,
    is_negative: bool,
) {
    let mut rounded = x;
    if by > 0 {
        let sign = down(code, x.register(1), 31, true);
        let (more, to) = (code.double(), code.double());
        let upper = match by {
            33.. => down(code, sign, 64 - by, false),
            _ => number(0),
        };
        let lower = match by {
            32.. => sign,
            _ => down(code, sign, 32 - by, false),
        };
        code.copy(more.register(0), lower);
        code.copy(more.register(1), upper);
        code.add_64(to, x, more);
        rounded = to;
    }
    if remainder {
        let whole = code.double();
        mask_64(code, whole, rounded, (1u64 << by).wrapping_neg());
        return code.sub_64(d, x, whole);
    }
    let quotient = down_64(code, rounded, by, true);
    match is_negative {
        true => code.neg_64(d, quotient),
        false => copy_64(code, d, quotient),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quotient by the plan, with words of `width` bits.
    fn quotient(x: u64, how: Unsigned, width: u32) -> u64 {
        let mask = (1u128 << width) - 1;
        let x = u128::from(x >> how.before);
        let upper = match how.more {
            More::Increment => x * u128::from(how.factor) + u128::from(how.factor),
            _ => x * u128::from(how.factor),
        } >> width;
        let value = match how.more {
            More::Bit => (((x.wrapping_sub(upper) & mask) >> 1) + upper) >> (how.after - 1),
            _ => upper >> how.after,
        };
        value as u64
    }

    fn signed_quotient(x: i64, (factor, after): (u64, u32), width: u32) -> i64 {
        let upper = (i128::from(x) * i128::from(factor)) >> width;
        (upper >> after) as i64 + i64::from(x < 0)
    }

    #[test]
    fn all_quotients_of_few_bits_are_right() {
        for width in [3u32, 4, 5, 8, 9] {
            for divisor in (3..1u64 << width).filter(|one| !one.is_power_of_two()) {
                let how = unsigned(divisor, width, width);
                assert!(
                    how.factor >> width == 0 && how.after <= width,
                    "{divisor}: {how:?}"
                );
                for x in 0..1 << width {
                    assert_eq!(
                        quotient(x, how, width),
                        x / divisor,
                        "{x} by {divisor}: {how:?}"
                    );
                }
                if divisor >> (width - 1) == 0 {
                    let how = signed(divisor, width, width);
                    let least = -(1i64 << (width - 1));
                    for x in least..-least {
                        let exact = x / divisor as i64;
                        assert_eq!(signed_quotient(x, how, width), exact, "{x} by {divisor}");
                    }
                }
            }
        }
    }

    #[test]
    fn halves_of_words_need_one_product() {
        for divisor in (3..1u64 << 16).filter(|one| !one.is_power_of_two()) {
            let how = unsigned(divisor, 32, 16);
            assert_eq!((how.before, how.more, how.after), (0, More::Nothing, 0));
            for x in [
                0,
                1,
                divisor - 1,
                divisor,
                0xffff,
                0xffff / divisor * divisor,
            ] {
                assert_eq!(quotient(x, how, 32), x / divisor);
                assert_eq!(
                    quotient(x.saturating_sub(1), how, 32),
                    x.saturating_sub(1) / divisor
                );
            }
        }
    }

    #[test]
    fn words_are_divided_at_multiples_and_before_them() {
        let mut state = 0x1234_5678_9abc_def1u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for width in [32u32, 64] {
            let mask = u64::MAX >> (64 - width);
            for round in 0..20_000u64 {
                let divisor = match round {
                    0..3000 => round + 3,
                    3000..4000 => mask - (round - 3000),
                    _ => next() >> (64 - width) >> (next() % u64::from(width)),
                };
                if divisor < 3 || divisor.is_power_of_two() {
                    continue;
                }
                let how = unsigned(divisor, width, width);
                let most = mask / divisor * divisor;
                let any = next() & mask;
                for x in [
                    0,
                    1,
                    most,
                    most - 1,
                    mask,
                    mask - 1,
                    any,
                    any / divisor * divisor,
                ] {
                    assert_eq!(
                        quotient(x, how, width),
                        x / divisor,
                        "{x} by {divisor}: {how:?}"
                    );
                    let x = x.saturating_sub(1);
                    assert_eq!(
                        quotient(x, how, width),
                        x / divisor,
                        "{x} by {divisor}: {how:?}"
                    );
                }
                if divisor <= mask >> 1 {
                    let how = signed(divisor, width, width);
                    let up = 64 - width;
                    let (least, divisor) = (i64::MIN >> up, divisor as i64);
                    let any = (next() as i64) >> up;
                    let multiple = any / divisor * divisor;
                    for x in [0, 1, -1, least, least + 1, !least, any, multiple] {
                        for x in [
                            x,
                            x.saturating_add(1).min(!least),
                            x.saturating_sub(1).max(least),
                        ] {
                            let made = signed_quotient(x, how, width);
                            assert_eq!(made, x / divisor, "{x} by {divisor}: {how:?}");
                        }
                    }
                }
            }
        }
    }
}
