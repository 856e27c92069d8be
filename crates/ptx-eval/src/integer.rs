//! Integer arithmetic.
//!
//! Sums, products and quotients are here, bits and fields of bits in [`bits`]. Where the manual
//! leaves it open: a quotient or remainder by zero is all ones in every type, and the least number
//! divided by -1 is itself.

mod bits;

use super::word::{Word, each_lane, with_word};
use super::{Operation, View};
use warpc_ptx::row::Effects;
use warpc_ptx::types::ScalarType;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    if view.choice.form.form().row.effects.contains(Effects::CARRY) {
        return None;
    }
    let ty = view.type_of("a");
    match view.opcode() {
        "add" => sum(view, ty?),
        "sub" => difference(view, ty?),
        "mul" => product(view, ty?),
        "mad" => sum_of_product(view, ty?),
        "mul24" => product_of_24(view, ty?),
        "mad24" => sum_of_product_of_24(view, ty?),
        "sad" => with_word!(ty?, T => Operation::three(sad::<T>)),
        "div" => with_word!(ty?, T => Operation::two(quotient::<T>)),
        "rem" => with_word!(ty?, T => Operation::two(remainder::<T>)),
        "abs" => with_word!(ty?, T => Operation::one(abs::<T>)),
        "neg" if ty? == ScalarType::S8x4 => Some(Operation::one(neg_packed)),
        "neg" => with_word!(ty?, T => Operation::one(neg::<T>)),
        "min" => least(view, ty?),
        "max" => greatest(view, ty?),
        "dp4a" => dot_of_bytes(view),
        "dp2a" => dot_of_halves(view),
        _ => bits::find(view),
    }
}

// Sums and differences.

fn sum(view: &View<'_>, ty: ScalarType) -> Option<Operation> {
    let sat = view.choice.has("sat");
    let packed = |wraps, saturates| Operation::two(if sat { saturates } else { wraps });
    match ty {
        ScalarType::U16x2 => Some(packed(add_packed::<u16>, add_packed_sat::<u16>)),
        ScalarType::S16x2 => Some(packed(add_packed::<i16>, add_packed_sat::<i16>)),
        ScalarType::U8x4 => Some(packed(add_packed::<u8>, add_packed_sat::<u8>)),
        ScalarType::S8x4 => Some(packed(add_packed::<i8>, add_packed_sat::<i8>)),
        _ if sat => with_word!(ty, T => Operation::two(add_sat::<T>)),
        _ => with_word!(ty, T => Operation::two(add::<T>)),
    }
}

fn difference(view: &View<'_>, ty: ScalarType) -> Option<Operation> {
    let sat = view.choice.has("sat");
    let packed = |wraps, saturates| Operation::two(if sat { saturates } else { wraps });
    match ty {
        ScalarType::U8x4 => Some(packed(sub_packed::<u8>, sub_packed_sat::<u8>)),
        ScalarType::S8x4 => Some(packed(sub_packed::<i8>, sub_packed_sat::<i8>)),
        _ if sat => with_word!(ty, T => Operation::two(sub_sat::<T>)),
        _ => with_word!(ty, T => Operation::two(sub::<T>)),
    }
}

#[inline]
fn add<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(T::read(a) + T::read(b))
}

#[inline]
fn add_sat<T: Word>(a: u64, b: u64) -> u64 {
    T::saturate(T::read(a) + T::read(b))
}

#[inline]
fn sub<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(T::read(a) - T::read(b))
}

#[inline]
fn sub_sat<T: Word>(a: u64, b: u64) -> u64 {
    T::saturate(T::read(a) - T::read(b))
}

fn add_packed<L: Word>(a: u64, b: u64) -> u64 {
    each_lane::<L>(a, b, |a, b| L::cut(a + b))
}

fn add_packed_sat<L: Word>(a: u64, b: u64) -> u64 {
    each_lane::<L>(a, b, |a, b| L::saturate(a + b))
}

fn sub_packed<L: Word>(a: u64, b: u64) -> u64 {
    each_lane::<L>(a, b, |a, b| L::cut(a - b))
}

fn sub_packed_sat<L: Word>(a: u64, b: u64) -> u64 {
    each_lane::<L>(a, b, |a, b| L::saturate(a - b))
}

#[inline]
fn sad<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    T::cut((T::read(a) - T::read(b)).abs() + T::read(c))
}

#[inline]
fn abs<T: Word>(a: u64) -> u64 {
    T::cut(T::read(a).abs())
}

#[inline]
fn neg<T: Word>(a: u64) -> u64 {
    T::cut(-T::read(a))
}

fn neg_packed(a: u64) -> u64 {
    each_lane::<i8>(0, a, |zero, a| i8::cut(zero - a))
}

// Products.

fn product(view: &View<'_>, ty: ScalarType) -> Option<Operation> {
    match view.choice.token("mode") {
        Some(".lo") => with_word!(ty, T => Operation::two(mul_lo::<T>)),
        Some(_) => with_word!(ty, T => Operation::two(mul_hi::<T>)),
        None => match ty {
            ScalarType::U16 => Some(Operation::two(mul_wide::<u16, u32>)),
            ScalarType::S16 => Some(Operation::two(mul_wide::<i16, u32>)),
            ScalarType::U32 => Some(Operation::two(mul_wide::<u32, u64>)),
            ScalarType::S32 => Some(Operation::two(mul_wide::<i32, u64>)),
            _ => None,
        },
    }
}

fn sum_of_product(view: &View<'_>, ty: ScalarType) -> Option<Operation> {
    if view.choice.has("sat") {
        return with_word!(ty, T => Operation::three(mad_hi_sat::<T>));
    }
    match view.choice.token("mode") {
        Some(".lo") => with_word!(ty, T => Operation::three(mad_lo::<T>)),
        Some(_) => with_word!(ty, T => Operation::three(mad_hi::<T>)),
        None => match ty {
            ScalarType::U16 => Some(Operation::three(mad_wide::<u16, u32>)),
            ScalarType::S16 => Some(Operation::three(mad_wide::<i16, u32>)),
            ScalarType::U32 => Some(Operation::three(mad_wide::<u32, u64>)),
            ScalarType::S32 => Some(Operation::three(mad_wide::<i32, u64>)),
            _ => None,
        },
    }
}

/// The product of two numbers; that of two `u64`s as bits.
#[inline]
pub(super) fn multiply<T: Word>(a: u64, b: u64) -> i128 {
    T::read(a).wrapping_mul(T::read(b))
}

/// The upper half of a product, as a number of the type.
#[inline]
pub(super) fn upper<T: Word>(a: u64, b: u64) -> i128 {
    T::read(T::cut(multiply::<T>(a, b) >> T::BITS))
}

/// The lower half of a product, as a number of the type.
#[inline]
pub(super) fn lower<T: Word>(a: u64, b: u64) -> i128 {
    T::read(T::cut(multiply::<T>(a, b)))
}

#[inline]
fn mul_lo<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(multiply::<T>(a, b))
}

#[inline]
fn mul_hi<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(multiply::<T>(a, b) >> T::BITS)
}

#[inline]
fn mul_wide<T: Word, W: Word>(a: u64, b: u64) -> u64 {
    W::cut(multiply::<T>(a, b))
}

#[inline]
fn mad_lo<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    T::cut(multiply::<T>(a, b).wrapping_add(T::read(c)))
}

#[inline]
fn mad_hi<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    T::cut(upper::<T>(a, b) + T::read(c))
}

#[inline]
fn mad_hi_sat<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    T::saturate(upper::<T>(a, b) + T::read(c))
}

#[inline]
fn mad_wide<T: Word, W: Word>(a: u64, b: u64, c: u64) -> u64 {
    W::cut(multiply::<T>(a, b) + W::read(c))
}

fn product_of_24(view: &View<'_>, ty: ScalarType) -> Option<Operation> {
    match view.choice.token("mode")? {
        ".lo" => with_word!(ty, T => Operation::two(mul24_lo::<T>)),
        _ => with_word!(ty, T => Operation::two(mul24_hi::<T>)),
    }
}

fn sum_of_product_of_24(view: &View<'_>, ty: ScalarType) -> Option<Operation> {
    if view.choice.has("sat") {
        return with_word!(ty, T => Operation::three(mad24_hi_sat::<T>));
    }
    match view.choice.token("mode")? {
        ".lo" => with_word!(ty, T => Operation::three(mad24_lo::<T>)),
        _ => with_word!(ty, T => Operation::three(mad24_hi::<T>)),
    }
}

/// The product of the low 24 bits, which has 48.
#[inline]
fn multiply_24<T: Word>(a: u64, b: u64) -> i128 {
    let low = |x: u64| T::read(x << 8) >> 8;
    low(a) * low(b)
}

fn mul24_lo<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(multiply_24::<T>(a, b))
}

fn mul24_hi<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(multiply_24::<T>(a, b) >> 16)
}

fn mad24_lo<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    T::cut(multiply_24::<T>(a, b) + T::read(c))
}

fn mad24_hi<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    T::cut((multiply_24::<T>(a, b) >> 16) + T::read(c))
}

fn mad24_hi_sat<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    T::saturate((multiply_24::<T>(a, b) >> 16) + T::read(c))
}

fn quotient<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(T::read(a).checked_div(T::read(b)).unwrap_or(-1))
}

fn remainder<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(T::read(a).checked_rem(T::read(b)).unwrap_or(-1))
}

/// A sum of products of the bytes of two words.
fn dot_of_bytes(view: &View<'_>) -> Option<Operation> {
    with_word!(view.type_of("a")?, A in [(U32, u8) (S32, i8)] => {
        with_word!(view.type_of("b")?, B in [(U32, u8) (S32, i8)] => Operation::three(dp4a::<A, B>))
    })?
}

fn dp4a<A: Word, B: Word>(a: u64, b: u64, c: u64) -> u64 {
    let products = (0..4).map(|i| A::read(a >> (8 * i)) * B::read(b >> (8 * i)));
    u32::cut(products.sum::<i128>() + u32::read(c))
}

/// A sum of products of the halves of `a` and two bytes of `b`.
fn dot_of_halves(view: &View<'_>) -> Option<Operation> {
    let high = view.choice.token("mode")? == ".hi";
    with_word!(view.type_of("a")?, A in [(U32, u16) (S32, i16)] => {
        with_word!(view.type_of("b")?, B in [(U32, u8) (S32, i8)] => {
            Operation::three(if high { dp2a::<A, B, 16> } else { dp2a::<A, B, 0> })
        })
    })?
}

fn dp2a<A: Word, B: Word, const FROM: u32>(a: u64, b: u64, c: u64) -> u64 {
    let products = (0..2).map(|i| A::read(a >> (16 * i)) * B::read(b >> (FROM + 8 * i)));
    u32::cut(products.sum::<i128>() + u32::read(c))
}

// Minimum and maximum.

fn least(view: &View<'_>, ty: ScalarType) -> Option<Operation> {
    let relu = view.choice.has("relu");
    let signed = |plain, relu_too| Operation::two(if relu { relu_too } else { plain });
    match ty {
        ScalarType::U16x2 => Some(Operation::two(min_packed::<u16>)),
        ScalarType::U8x4 => Some(Operation::two(min_packed::<u8>)),
        ScalarType::S16x2 => Some(signed(min_packed::<i16>, min_packed_relu::<i16>)),
        ScalarType::S8x4 => Some(signed(min_packed::<i8>, min_packed_relu::<i8>)),
        _ if relu => with_word!(ty, T => Operation::two(min_relu::<T>)),
        _ => with_word!(ty, T => Operation::two(min::<T>)),
    }
}

fn greatest(view: &View<'_>, ty: ScalarType) -> Option<Operation> {
    let relu = view.choice.has("relu");
    let signed = |plain, relu_too| Operation::two(if relu { relu_too } else { plain });
    match ty {
        ScalarType::U16x2 => Some(Operation::two(max_packed::<u16>)),
        ScalarType::U8x4 => Some(Operation::two(max_packed::<u8>)),
        ScalarType::S16x2 => Some(signed(max_packed::<i16>, max_packed_relu::<i16>)),
        ScalarType::S8x4 => Some(signed(max_packed::<i8>, max_packed_relu::<i8>)),
        _ if relu => with_word!(ty, T => Operation::two(max_relu::<T>)),
        _ => with_word!(ty, T => Operation::two(max::<T>)),
    }
}

#[inline]
fn min<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(T::read(a).min(T::read(b)))
}

#[inline]
fn max<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(T::read(a).max(T::read(b)))
}

fn min_relu<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(T::read(a).min(T::read(b)).max(0))
}

fn max_relu<T: Word>(a: u64, b: u64) -> u64 {
    T::cut(T::read(a).max(T::read(b)).max(0))
}

fn min_packed<L: Word>(a: u64, b: u64) -> u64 {
    each_lane::<L>(a, b, |a, b| L::cut(a.min(b)))
}

fn max_packed<L: Word>(a: u64, b: u64) -> u64 {
    each_lane::<L>(a, b, |a, b| L::cut(a.max(b)))
}

fn min_packed_relu<L: Word>(a: u64, b: u64) -> u64 {
    each_lane::<L>(a, b, |a, b| L::cut(a.min(b).max(0)))
}

fn max_packed_relu<L: Word>(a: u64, b: u64) -> u64 {
    each_lane::<L>(a, b, |a, b| L::cut(a.max(b).max(0)))
}

#[cfg(test)]
mod tests {
    use crate::walk::compute;

    const MIN: u64 = 0xffff_ffff_8000_0000;
    const ONES: u64 = u64::MAX;

    #[test]
    fn sums_wrap_or_saturate() {
        assert_eq!(compute("add.s32", &[0x7fff_ffff, 1]), [MIN]);
        assert_eq!(compute("add.sat.s32", &[0x7fff_ffff, 1]), [0x7fff_ffff]);
        assert_eq!(compute("sub.sat.s32", &[0x8000_0000, 1]), [MIN]);
        assert_eq!(compute("add.u16", &[0xffff, 2]), [1]);
        assert_eq!(compute("sub.u64", &[0, 1]), [ONES]);
        assert_eq!(compute("add.u16x2", &[0xffff_ffff, 0x0001_0001]), [0]);
        assert_eq!(
            compute("add.sat.s8x4", &[0x7f80_0102, 0x01ff_0101]),
            [0x7f80_0203]
        );
        assert_eq!(
            compute("sub.sat.u8x4", &[0x0102_0304, 0x0201_0302]),
            [0x0001_0002]
        );
        assert_eq!(compute("neg.s8x4", &[0x8001_ff00]), [0x80ff_0100]);
        assert_eq!(compute("neg.s64", &[1 << 63]), [1 << 63]);
        assert_eq!(compute("abs.s16", &[0x8000]), [0xffff_ffff_ffff_8000]);
        assert_eq!(compute("sad.s32", &[0x8000_0000, 0x7fff_ffff, 1]), [0]);
        assert_eq!(compute("sad.u16", &[1, 0xffff, 2]), [0]);
    }

    #[test]
    fn products_in_halves() {
        assert_eq!(compute("mul.hi.u64", &[ONES, ONES]), [ONES - 1]);
        assert_eq!(compute("mul.hi.s64", &[ONES, 1]), [ONES]);
        assert_eq!(compute("mul.lo.s16", &[0x7fff, 0x7fff]), [1]);
        assert_eq!(compute("mul.wide.s16", &[0xffff, 1]), [0xffff_ffff]);
        assert_eq!(compute("mul.wide.s32", &[0xffff_ffff, 1]), [ONES]);
        assert_eq!(
            compute("mad.wide.u32", &[0xffff_ffff, 0xffff_ffff, ONES]),
            [0xffff_fffe_0000_0000]
        );
        assert_eq!(
            compute("mad.hi.sat.s32", &[0x7fff_ffff, 0x7fff_ffff, 0x7fff_ffff]),
            [0x7fff_ffff]
        );
        assert_eq!(
            compute("mad.hi.s32", &[0x7fff_ffff, 0x7fff_ffff, 0x7fff_ffff]),
            [0xffff_ffff_bfff_fffe]
        );
        assert_eq!(compute("mad.lo.u64", &[ONES, ONES, ONES]), [0]);
    }

    #[test]
    fn products_of_24_bits() {
        assert_eq!(compute("mul24.lo.u32", &[0xff00_0003, 5]), [15]);
        assert_eq!(
            compute("mul24.hi.u32", &[0xff_ffff, 0xff_ffff]),
            [0xffff_fe00]
        );
        assert_eq!(
            compute("mul24.hi.s32", &[0x80_0000, 0x80_0000]),
            [0x4000_0000]
        );
        assert_eq!(compute("mul24.lo.s32", &[0xff_ffff, 3]), [ONES - 2]);
        assert_eq!(
            compute("mad24.hi.sat.s32", &[0x80_0000, 0x80_0000, 0x4000_0000]),
            [0x7fff_ffff]
        );
    }

    #[test]
    fn quotients() {
        assert_eq!(compute("div.u32", &[7, 0]), [0xffff_ffff]);
        assert_eq!(compute("div.s16", &[7, 0]), [ONES]);
        assert_eq!(compute("rem.u64", &[7, 0]), [ONES]);
        assert_eq!(compute("rem.u16", &[7, 0]), [0xffff]);
        assert_eq!(compute("div.s32", &[0x8000_0000, 0xffff_ffff]), [MIN]);
        assert_eq!(compute("rem.s64", &[1 << 63, ONES]), [0]);
        assert_eq!(compute("div.s32", &[0xffff_fff9, 2]), [ONES - 2]);
        assert_eq!(compute("rem.s32", &[0xffff_fff9, 2]), [ONES]);
    }

    #[test]
    fn dot_products() {
        assert_eq!(
            compute("dp4a.s32.u32", &[0xffff_ffff, 0xffff_ffff, 0]),
            [0xffff_fc04]
        );
        assert_eq!(
            compute("dp4a.u32.u32", &[0x0102_0304, 0x0101_0101, 0xffff_ffff]),
            [9]
        );
        assert_eq!(
            compute("dp2a.lo.s32.s32", &[0x0001_8000, 0x0000_0180, 0]),
            [0x40_0001]
        );
        assert_eq!(
            compute("dp2a.hi.u32.u32", &[0x0001_8000, 0x0302_0000, 0]),
            [0x1_0003]
        );
    }

    #[test]
    fn extremes() {
        assert_eq!(compute("min.s16", &[0x8000, 1]), [0xffff_ffff_ffff_8000]);
        assert_eq!(compute("max.u64", &[1 << 63, 1]), [1 << 63]);
        assert_eq!(compute("min.relu.s32", &[0x8000_0000, 1]), [0]);
        assert_eq!(compute("max.relu.s16x2", &[0x8000_0001, 0xffff_0002]), [2]);
        assert_eq!(
            compute("min.u16x2", &[0x8000_0001, 0xffff_0000]),
            [0x8000_0000]
        );
    }
}
