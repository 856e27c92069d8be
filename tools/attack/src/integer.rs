//! What operations on integers give, and which flags hold.

use crate::chance::mask;
use crate::program::{BitOp, IntOp, seen};

/// As a signed number.
pub fn signed(width: u32, bits: u128) -> i128 {
    let up = 128 - width;
    (bits << up) as i128 >> up
}

fn limits(width: u32) -> (i128, i128) {
    let max = (mask(width) >> 1) as i128;
    (-max - 1, max)
}

/// A sum, difference or product with whether it fits, without a sign and with one.
fn checked(op: IntOp, width: u32, a: u128, b: u128) -> (u128, bool, bool) {
    let (x, y) = (signed(width, a), signed(width, b));
    let (low, high) = limits(width);
    let fits = |value: Option<i128>| value.is_some_and(|value| (low..=high).contains(&value));
    let below = |value: Option<u128>| value.is_some_and(|value| value <= mask(width));
    let (bits, plain, with_sign) = match op {
        IntOp::Add => (a.wrapping_add(b), a.checked_add(b), x.checked_add(y)),
        IntOp::Sub => (a.wrapping_sub(b), a.checked_sub(b), x.checked_sub(y)),
        _ => (a.wrapping_mul(b), a.checked_mul(b), x.checked_mul(y)),
    };
    (bits & mask(width), below(plain), fits(with_sign))
}

fn sets(flags: &[(u32, bool)]) -> u32 {
    let broken = flags.iter().filter(|(_, holds)| !holds);
    broken.fold(0, |sum, (flag, _)| sum | flag)
}

/// The result, and the flags that do not hold.
pub fn two(op: IntOp, width: u32, a: u128, b: u128) -> (u128, u32) {
    let all = mask(width);
    let (x, y) = (signed(width, a), signed(width, b));
    let (low, high) = limits(width);
    match op {
        IntOp::Add | IntOp::Sub | IntOp::Mul => {
            let (bits, nuw, nsw) = checked(op, width, a, b);
            (bits, sets(&[(seen::NUW, nuw), (seen::NSW, nsw)]))
        }
        IntOp::UDiv | IntOp::URem => {
            let divisor = b.max(1);
            let flags = sets(&[
                (seen::GUARD, b != 0),
                (seen::EXACT, a.is_multiple_of(divisor)),
            ]);
            match op {
                IntOp::UDiv => (a / divisor, flags),
                _ => (a % divisor, flags),
            }
        }
        IntOp::SDiv | IntOp::SRem => {
            let bad = y == 0 || y == -1 && x == low;
            let divisor = if bad { 1 } else { y };
            let flags = sets(&[(seen::GUARD, !bad), (seen::EXACT, x % divisor == 0)]);
            match op {
                IntOp::SDiv => ((x / divisor) as u128 & all, flags),
                _ => ((x % divisor) as u128 & all, flags),
            }
        }
        IntOp::Shl => {
            let by = (b % u128::from(width)) as u32;
            let bits = a << by & all;
            let nuw = bits >> by == a;
            let nsw = signed(width, bits) >> by == x;
            let held = b < u128::from(width);
            (
                bits,
                sets(&[(seen::GUARD, held), (seen::NUW, nuw), (seen::NSW, nsw)]),
            )
        }
        IntOp::LShr | IntOp::AShr => {
            let by = (b % u128::from(width)) as u32;
            let held = b < u128::from(width);
            let exact = a >> by << by & all == a;
            let bits = match op {
                IntOp::LShr => a >> by,
                _ => (x >> by) as u128 & all,
            };
            (bits, sets(&[(seen::GUARD, held), (seen::EXACT, exact)]))
        }
        IntOp::And => (a & b, 0),
        IntOp::Or => (a | b, sets(&[(seen::DISJOINT, a & b == 0)])),
        IntOp::Xor => (a ^ b, 0),
        IntOp::SMin => (x.min(y) as u128 & all, 0),
        IntOp::SMax => (x.max(y) as u128 & all, 0),
        IntOp::UMin => (a.min(b), 0),
        IntOp::UMax => (a.max(b), 0),
        IntOp::UAddSat => (a.saturating_add(b).min(all), 0),
        IntOp::USubSat => (a.saturating_sub(b), 0),
        IntOp::SAddSat => (x.saturating_add(y).clamp(low, high) as u128 & all, 0),
        IntOp::SSubSat => (x.saturating_sub(y).clamp(low, high) as u128 & all, 0),
        IntOp::SShlSat | IntOp::UShlSat => {
            let by = (b % u128::from(width)) as u32;
            let held = sets(&[(seen::GUARD, b < u128::from(width))]);
            let bits = a << by & all;
            let kept = match op {
                IntOp::UShlSat => bits >> by == a,
                _ => signed(width, bits) >> by == x,
            };
            let limit = match op {
                IntOp::UShlSat => all,
                _ if x < 0 => low as u128 & all,
                _ => high as u128,
            };
            (if kept { bits } else { limit }, held)
        }
    }
}

/// The result and whether it overflowed.
pub fn overflow(is_signed: bool, op: IntOp, width: u32, a: u128, b: u128) -> (u128, bool) {
    let (bits, nuw, nsw) = checked(op, width, a, b);
    (bits, !if is_signed { nsw } else { nuw })
}

/// The result, and the flags that do not hold.
pub fn one(op: BitOp, width: u32, a: u128) -> (u128, u32) {
    let up = 128 - width;
    let zero = sets(&[(seen::SPECIAL, a != 0)]);
    match op {
        BitOp::Ctpop => (u128::from(a.count_ones()), 0),
        BitOp::Ctlz => (u128::from(a.leading_zeros() - up), zero),
        BitOp::Cttz => (u128::from(a.trailing_zeros().min(width)), zero),
        BitOp::Bswap => (a.swap_bytes() >> up, 0),
        BitOp::BitReverse => (a.reverse_bits() >> up, 0),
        BitOp::Abs => {
            let x = signed(width, a);
            let (low, _) = limits(width);
            let held = sets(&[(seen::SPECIAL, x != low)]);
            (x.wrapping_abs() as u128 & mask(width), held)
        }
    }
}

/// Whether a predicate of `icmp` holds, and whether `samesign` does not.
pub fn compare(predicate: &str, width: u32, a: u128, b: u128) -> (bool, u32) {
    let (x, y) = (signed(width, a), signed(width, b));
    let holds = match predicate {
        "eq" => a == b,
        "ne" => a != b,
        "ugt" => a > b,
        "uge" => a >= b,
        "ult" => a < b,
        "ule" => a <= b,
        "sgt" => x > y,
        "sge" => x >= y,
        "slt" => x < y,
        _ => x <= y,
    };
    (holds, sets(&[(seen::SAMESIGN, (x < 0) == (y < 0))]))
}

/// `fshl` or `fshr`.
pub fn funnel(left: bool, width: u32, a: u128, b: u128, by: u128) -> u128 {
    let by = (by % u128::from(width)) as u32;
    let all = mask(width);
    match (left, by) {
        (true, 0) => a,
        (false, 0) => b,
        (true, _) => (a << by | b >> (width - by)) & all,
        (false, _) => (b >> by | a << (width - by)) & all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    #[test]
    fn results_and_flags_agree_with_the_host() {
        let mut chance = Chance::new(7);
        for _ in 0..100_000 {
            let (a, b) = (chance.edge(16), chance.edge(16));
            let (x, y) = (a as u16, b as u16);
            let (i, j) = (x as i16, y as i16);
            let two = |op| two(op, 16, a, b);
            assert_eq!(two(IntOp::Mul).0 as u16, x.wrapping_mul(y));
            assert_eq!(
                two(IntOp::Mul).1 & seen::NSW != 0,
                i.checked_mul(j).is_none()
            );
            assert_eq!(two(IntOp::Sub).1 & seen::NUW != 0, x < y);
            assert_eq!(two(IntOp::SAddSat).0 as i16, i.saturating_add(j));
            assert_eq!(two(IntOp::USubSat).0 as u16, x.saturating_sub(y));
            assert_eq!(two(IntOp::AShr).0 as i16, i >> (y % 16));
            if let Some(quotient) = i.checked_div(j) {
                assert_eq!(two(IntOp::SDiv).0 as i16, quotient);
                assert_eq!(two(IntOp::SRem).0 as i16, i % j);
            }
            assert_eq!(one(BitOp::Ctlz, 16, a).0 as u32, x.leading_zeros());
            assert_eq!(one(BitOp::Cttz, 16, a).0 as u32, x.trailing_zeros());
            assert_eq!(one(BitOp::Abs, 16, a).0 as i16, i.wrapping_abs());
            assert_eq!(
                funnel(true, 16, a, a, b) as u16,
                x.rotate_left(u32::from(y % 16))
            );
            assert_eq!(
                funnel(false, 16, a, a, b) as u16,
                x.rotate_right(u32::from(y % 16))
            );
        }
    }
}
