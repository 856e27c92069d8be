//! Bits and fields of bits: popc, clz, bfind, fns, brev, bfe, bfi, bmsk.
//!
//! Unlike in the manual, positions and lengths of 64-bit fields have 32 bits, and `fns` with the
//! least offset gives 0, as its negation overflows.

use crate::word::{Word, with_word};
use crate::{Operation, View};

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    let ty = view.type_of("a");
    match view.opcode() {
        "popc" => with_word!(ty?, T => Operation::one(popc::<T>)),
        "clz" => with_word!(ty?, T => Operation::one(clz::<T>)),
        "bfind" if view.choice.has("shiftamt") => {
            with_word!(ty?, T => Operation::one(bfind_shift::<T>))
        }
        "bfind" => with_word!(ty?, T => Operation::one(bfind::<T>)),
        "fns" => Some(Operation::three(fns)),
        "brev" => with_word!(ty?, T => Operation::one(brev::<T>)),
        "bfe" => with_word!(ty?, T => Operation::three(bfe::<T>)),
        "bfi" => with_word!(ty?, T => Operation::general(4, 1, |s, r| {
            r[0] = bfi::<T>(s[0], s[1], s[2], s[3]);
        })),
        "bmsk" if view.choice.token("mode") == Some(".clamp") => Some(Operation::two(bmsk_clamp)),
        "bmsk" => Some(Operation::two(bmsk_wrap)),
        _ => None,
    }
}

/// The value's bits, with zeros above the type.
#[inline]
fn bits<T: Word>(a: u64) -> u64 {
    a & (u64::MAX >> (64 - T::BITS))
}

#[inline]
fn popc<T: Word>(a: u64) -> u64 {
    u64::from(bits::<T>(a).count_ones())
}

#[inline]
fn clz<T: Word>(a: u64) -> u64 {
    u64::from(bits::<T>(a).leading_zeros() - (64 - T::BITS))
}

fn brev<T: Word>(a: u64) -> u64 {
    bits::<T>(a).reverse_bits() >> (64 - T::BITS)
}

/// The number of the highest bit that differs from the sign (of an unsigned number: from 0).
fn highest<T: Word>(a: u64) -> Option<u32> {
    let value = T::read(a);
    let magnitude = if value < 0 { !value } else { value };
    magnitude.checked_ilog2()
}

fn bfind<T: Word>(a: u64) -> u64 {
    highest::<T>(a).map_or(NOT_FOUND, u64::from)
}

/// How far to shift left for the bit to become the highest.
fn bfind_shift<T: Word>(a: u64) -> u64 {
    highest::<T>(a).map_or(NOT_FOUND, |i| u64::from(T::BITS - 1 - i))
}

/// What `bfind` and `fns` give when there is no such bit.
const NOT_FOUND: u64 = 0xffff_ffff;

/// The place of the n-th set bit from `base` on, upwards or downwards.
fn fns(mask: u64, base: u64, offset: u64) -> u64 {
    let (mask, base, offset) = (mask as u32, base as u32, offset as i32);
    if offset == i32::MIN {
        return 0;
    }
    if base > 31 {
        return NOT_FOUND;
    }
    let is_set = |i: &u32| mask >> i & 1 == 1;
    let place = match offset {
        0 => Some(base).filter(is_set),
        1.. => (base..32).filter(is_set).nth(offset as usize - 1),
        _ => (0..=base)
            .rev()
            .filter(is_set)
            .nth(offset.unsigned_abs() as usize - 1),
    };
    place.map_or(NOT_FOUND, u64::from)
}

/// A position or length of a field: the low eight bits, but in 64-bit forms all 32 (the manual says
/// eight for these, too).
#[inline]
fn field_count<T: Word>(x: u64) -> u32 {
    if T::BITS == 64 {
        x as u32
    } else {
        x as u32 & 0xff
    }
}

/// Extracts `c` bits from `b` on. Bits beyond the type's are copies of its highest, those beyond the
/// field copies of the field's highest; zeros if the type is unsigned or the field empty.
#[inline]
fn bfe<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    let (position, length) = (field_count::<T>(b), field_count::<T>(c));
    if length == 0 {
        return 0;
    }
    // Shifting by the width or more leaves the sign, or zero.
    let field = T::read(a) >> position.min(127);
    if length >= T::BITS {
        return T::cut(field);
    }
    if T::MIN == 0 {
        return T::cut(field & ((1 << length) - 1));
    }
    T::cut(field << (128 - length) >> (128 - length))
}

/// Puts the low `length` bits of `a` into `b` at a position. What does not fit is left out.
#[inline]
fn bfi<T: Word>(a: u64, b: u64, position: u64, length: u64) -> u64 {
    let (position, length) = (field_count::<T>(position), field_count::<T>(length));
    if position >= T::BITS {
        return T::cut(T::read(b));
    }
    let mask = ((1_i128 << length.min(64)) - 1) << position;
    T::cut((T::read(b) & !mask) | ((T::read(a) << position) & mask))
}

/// A mask of `b` bits from `a` on.
fn bmsk_clamp(a: u64, b: u64) -> u64 {
    let (position, width) = (a as u32, b as u32);
    let above = |n: u32| u32::MAX.checked_shl(n).unwrap_or(0);
    u64::from(above(position) & !above(position.saturating_add(width)))
}

fn bmsk_wrap(a: u64, b: u64) -> u64 {
    bmsk_clamp(a & 31, b & 31)
}

#[cfg(test)]
mod tests {
    use crate::walk::compute;

    const ONES: u64 = u64::MAX;

    #[test]
    fn places_of_bits() {
        assert_eq!(compute("clz.b32", &[1 << 40]), [32]);
        assert_eq!(compute("popc.b64", &[ONES]), [64]);
        assert_eq!(compute("brev.b32", &[1]), [0x8000_0000]);
        assert_eq!(compute("bfind.u32", &[0]), [0xffff_ffff]);
        assert_eq!(compute("bfind.s32", &[0xffff_ffff]), [0xffff_ffff]);
        assert_eq!(compute("bfind.s64", &[ONES << 5]), [4]);
        assert_eq!(compute("bfind.shiftamt.u64", &[1]), [63]);
        assert_eq!(compute("bfind.shiftamt.s32", &[0]), [0xffff_ffff]);
        assert_eq!(compute("fns.b32", &[0b1010_0010, 1, 2]), [5]);
        assert_eq!(compute("fns.b32", &[0b1010_0010, 5, 0xffff_ffff]), [5]);
        assert_eq!(compute("fns.b32", &[0b1010_0010, 6, 0xffff_fffe]), [1]);
        assert_eq!(compute("fns.b32", &[0b1010_0010, 2, 0]), [0xffff_ffff]);
        assert_eq!(compute("fns.b32", &[0b1010_0010, 40, 1]), [0xffff_ffff]);
        assert_eq!(compute("fns.b32", &[0, 0, 0x8000_0000]), [0]);
    }

    #[test]
    fn fields() {
        assert_eq!(compute("bfe.u32", &[0x1234_5678, 8, 8]), [0x56]);
        assert_eq!(compute("bfe.s32", &[0x1234_8678, 8, 8]), [ONES << 8 | 0x86]);
        assert_eq!(compute("bfe.s32", &[0x8000_0000, 31, 9]), [ONES]);
        assert_eq!(compute("bfe.s32", &[0x8000_0000, 200, 1]), [ONES]);
        assert_eq!(compute("bfe.u64", &[ONES, 60, 255]), [15]);
        assert_eq!(compute("bfe.s32", &[ONES, 0, 0x100]), [0]);
        assert_eq!(compute("bfe.s64", &[ONES, 0, 0x100]), [ONES]);
        assert_eq!(compute("bfe.u64", &[ONES, 0x100, 1]), [0]);
        assert_eq!(compute("bfi.b32", &[0xff, 0, 28, 8]), [0xf000_0000]);
        assert_eq!(compute("bfi.b32", &[0xff, 7, 32, 8]), [7]);
        assert_eq!(compute("bfi.b64", &[ONES, 0, 1, 64]), [ONES - 1]);
        assert_eq!(compute("bfi.b64", &[ONES, 5, 0, 0]), [5]);
        assert_eq!(compute("bfi.b64", &[ONES, 0, 0, 0x100]), [ONES]);
        assert_eq!(compute("bfi.b32", &[ONES, 5, 0, 0x100]), [5]);
        assert_eq!(compute("bmsk.clamp.b32", &[4, 40]), [0xffff_fff0]);
        assert_eq!(compute("bmsk.clamp.b32", &[40, 4]), [0]);
        assert_eq!(compute("bmsk.wrap.b32", &[36, 33]), [0x10]);
        assert_eq!(compute("bmsk.wrap.b32", &[4, 32]), [0]);
    }
}
