//! Logic and shifts.
//!
//! Shifts by the width or more leave zeros, or copies of the sign.

use super::word::{Word, with_word};
use super::{Operation, View};
use warpc_ptx::types::ScalarType;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    let ty = view.type_of("a");
    match view.opcode() {
        "and" => bitwise(ty?, [and::<1>, and::<16>, and::<32>, and::<64>]),
        "or" => bitwise(ty?, [or::<1>, or::<16>, or::<32>, or::<64>]),
        "xor" => bitwise(ty?, [xor::<1>, xor::<16>, xor::<32>, xor::<64>]),
        "not" => Some(Operation::one(match ty?.bits() {
            1 => not::<1>,
            16 => not::<16>,
            32 => not::<32>,
            _ => not::<64>,
        })),
        "cnot" => with_word!(ty?, T => Operation::one(cnot::<T>)),
        "lop3" => lop3(view),
        "shf" => funnel(view),
        "shl" => with_word!(ty?, T => Operation::two(shl::<T>)),
        "shr" => with_word!(ty?, T => Operation::two(shr::<T>)),
        _ => None,
    }
}

/// The function for a predicate, or for 16, 32 or 64 bits.
fn bitwise(ty: ScalarType, functions: [fn(u64, u64) -> u64; 4]) -> Option<Operation> {
    let function = match ty.bits() {
        1 => functions[0],
        16 => functions[1],
        32 => functions[2],
        64 => functions[3],
        _ => return None,
    };
    Some(Operation::two(function))
}

#[inline]
fn low<const BITS: u32>(a: u64) -> u64 {
    a & (u64::MAX >> (64 - BITS))
}

#[inline]
fn and<const BITS: u32>(a: u64, b: u64) -> u64 {
    low::<BITS>(a & b)
}

#[inline]
fn or<const BITS: u32>(a: u64, b: u64) -> u64 {
    low::<BITS>(a | b)
}

#[inline]
fn xor<const BITS: u32>(a: u64, b: u64) -> u64 {
    low::<BITS>(a ^ b)
}

#[inline]
fn not<const BITS: u32>(a: u64) -> u64 {
    low::<BITS>(!a)
}

fn cnot<T: Word>(a: u64) -> u64 {
    u64::from(T::read(a) == 0)
}

/// Any function of three bits, by its table; with `.BoolOp` also whether the result has a set bit,
/// combined with `q`.
fn lop3(view: &View<'_>) -> Option<Operation> {
    let Some(bool_op) = view.choice.token("BoolOp") else {
        return Some(Operation::general(4, 1, |s, r| {
            r[0] = by_table(s[0], s[1], s[2], s[3]);
        }));
    };
    let and = bool_op == ".and";
    Some(Operation::general(5, 2, move |s, r| {
        r[0] = by_table(s[0], s[1], s[2], s[3]);
        let (any, q) = (r[0] != 0, s[4] & 1 == 1);
        r[1] = u64::from(if and { any & q } else { any | q });
    }))
}

/// Bit `4a + 2b + c` of the table, for each bit.
#[inline]
fn by_table(a: u64, b: u64, c: u64, table: u64) -> u64 {
    let pick = |x: u64, set: bool| if set { x } else { !x };
    low::<32>((0..8).fold(0, |d, i| {
        let wanted = (table >> i & 1).wrapping_neg();
        d | wanted & pick(a, i & 4 != 0) & pick(b, i & 2 != 0) & pick(c, i & 1 != 0)
    }))
}

/// Shifts of two words as one; `b` is the upper.
fn funnel(view: &View<'_>) -> Option<Operation> {
    let wrap = view.choice.token("mode")? == ".wrap";
    Some(Operation::three(match (view.choice.token("dir")?, wrap) {
        (".l", false) => |a, b, c| funnel_left(a, b, low::<32>(c).min(32)),
        (".l", true) => |a, b, c| funnel_left(a, b, c & 31),
        (_, false) => |a, b, c| funnel_right(a, b, low::<32>(c).min(32)),
        (_, true) => |a, b, c| funnel_right(a, b, c & 31),
    }))
}

#[inline]
fn funnel_left(a: u64, b: u64, count: u64) -> u64 {
    (b << 32 | low::<32>(a)) << count >> 32
}

#[inline]
fn funnel_right(a: u64, b: u64, count: u64) -> u64 {
    low::<32>((b << 32 | low::<32>(a)) >> count)
}

#[inline]
fn shl<T: Word>(a: u64, b: u64) -> u64 {
    let count = b as u32;
    if count >= T::BITS {
        return 0;
    }
    T::cut(T::read(a) << count)
}

#[inline]
fn shr<T: Word>(a: u64, b: u64) -> u64 {
    let count = (b as u32).min(T::BITS);
    T::cut(T::read(a) >> count)
}

#[cfg(test)]
mod tests {
    use crate::walk::compute;

    #[test]
    fn shifts_beyond_the_width() {
        assert_eq!(compute("shl.b32", &[1, 31]), [0x8000_0000]);
        assert_eq!(compute("shl.b32", &[1, 32]), [0]);
        assert_eq!(compute("shl.b16", &[1, 0x1_0001_0000]), [0]);
        assert_eq!(compute("shl.b64", &[1, 63]), [1 << 63]);
        assert_eq!(compute("shr.s16", &[0x8000, 100]), [u64::MAX]);
        assert_eq!(compute("shr.u64", &[u64::MAX, 64]), [0]);
        assert_eq!(compute("shr.s64", &[1 << 63, 0xffff_ffff]), [u64::MAX]);
        assert_eq!(compute("shr.b32", &[0x8000_0000, 31]), [1]);
    }

    #[test]
    fn funnels() {
        let (a, b) = (0x1234_5678, 0x9abc_def0);
        assert_eq!(compute("shf.l.clamp.b32", &[a, b, 8]), [0xbcde_f012]);
        assert_eq!(compute("shf.l.clamp.b32", &[a, b, 40]), [a]);
        assert_eq!(compute("shf.l.wrap.b32", &[a, b, 40]), [0xbcde_f012]);
        assert_eq!(compute("shf.r.clamp.b32", &[a, b, 8]), [0xf012_3456]);
        assert_eq!(compute("shf.r.clamp.b32", &[a, b, 32]), [b]);
        assert_eq!(compute("shf.r.wrap.b32", &[a, b, 32]), [a]);
    }

    #[test]
    fn tables_of_lop3() {
        let (a, b, c) = (0xff00_ff00, 0xf0f0_f0f0, 0xcccc_cccc);
        assert_eq!(compute("lop3.b32", &[a, b, c, 0x96]), [a ^ b ^ c]);
        assert_eq!(compute("lop3.b32", &[a, b, c, 0x80]), [a & b & c]);
        assert_eq!(compute("lop3.b32", &[a, b, c, 0x1fe]), [a | b | c]);
        assert_eq!(compute("lop3.b32", &[a, b, c, 0x33]), [!b & 0xffff_ffff]);
        assert_eq!(compute("lop3.and.b32", &[a, b, c, 0, 1]), [0, 0]);
        assert_eq!(
            compute("lop3.or.b32", &[a, b, c, 0xff, 0]),
            [0xffff_ffff, 1]
        );
    }

    #[test]
    fn predicates_and_nots() {
        assert_eq!(compute("not.pred", &[1]), [0]);
        assert_eq!(compute("xor.pred", &[1, 1]), [0]);
        assert_eq!(compute("not.b16", &[0]), [0xffff]);
        assert_eq!(compute("cnot.b16", &[0x1_0000]), [1]);
        assert_eq!(compute("cnot.b64", &[0x1_0000]), [0]);
    }
}
