//! Integer arithmetic.
//!
//! Constants of integer types are never range-checked (they are cut to the type), except the bit
//! positions and lengths of `bfe` and `bfi`. Packed types (`.u16x2` …) take registers only. The
//! four-byte types, and `.sat` on types other than `.s32`, are features of a family.

use super::gates::{ALWAYS, v};
use crate::row::{Row, Set, form, set};
use warpc_target::{Gate, at_least, family};

/// sm_61: `dp4a`, `dp2a`.
const DOT_PRODUCT: Gate = Gate(&[at_least(61, v(6, 0))]);
/// `szext` and `bmsk`.
const BIT_FIELDS: Gate = Gate(&[at_least(70, v(7, 6))]);
/// Packed 16-bit integers, and `.relu` for integers.
const PACKED_HALVES: Gate = Gate(&[at_least(90, v(8, 0))]);
/// Packed 8-bit integers, and `.sat` beyond `.s32`.
const PACKED_BYTES: Gate = Gate(&[family(107, v(9, 4)), family(120, v(9, 2))]);

const TYPE: Set = set("type", &[(".u16 .u32 .u64 .s16 .s32 .s64", ALWAYS)]);
const SIGNED: Set = set("type", &[(".s16 .s32 .s64", ALWAYS)]);
const WORDS: Set = set("type", &[(".u32 .s32", ALWAYS)]);
const WORDS_AND_LONGS: Set = set("type", &[(".u32 .u64 .s32 .s64", ALWAYS)]);
const BITS: Set = set("type", &[(".b32 .b64", ALWAYS)]);
const HALVES: Set = set("type", &[(".u16 .s16", ALWAYS)]);
const PACKED: Set = set(
    "type",
    &[
        (".u16x2 .s16x2", PACKED_HALVES),
        (".u8x4 .s8x4", PACKED_BYTES),
    ],
);
const BYTES: Set = set("type", &[(".u8x4 .s8x4", PACKED_BYTES)]);
/// Unsigned and wide types take no `.relu`.
const MIN_MAX_TYPE: Set = set("atype", &[(".u16 .u32 .u64 .s16 .s64", ALWAYS)]);
const PACKED_UNSIGNED: Set = set(
    "ctype",
    &[(".u16x2", PACKED_HALVES), (".u8x4", PACKED_BYTES)],
);
const PACKED_SIGNED: Set = set(
    "ctype",
    &[(".s16x2", PACKED_HALVES), (".s8x4", PACKED_BYTES)],
);
const SAT: Set = set("sat", &[(".sat", PACKED_BYTES)]);
const RELU: Set = set("relu", &[(".relu", PACKED_HALVES)]);
const HALF: Set = set("mode", &[(".hi .lo", ALWAYS)]);
const MODE: Set = set("mode", &[(".clamp .wrap", ALWAYS)]);
const ATYPE: Set = set("atype", &[(".u32 .s32", ALWAYS)]);
const BTYPE: Set = set("btype", &[(".u32 .s32", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("add.type  d, a, b", &[TYPE]).operands("d=T a:T b:T"),
    form("add.sat.s32  d, a, b", &[]).operands("d=s32 a:s32 b:s32"),
    form("add.sat.u32  d, a, b", &[])
        .operands("d=u32 a:u32 b:u32")
        .since(PACKED_BYTES),
    form("add{.sat}.type  d, a, b", &[SAT, PACKED]).operands("d=T a:%T b:%T"),
    form("sub.type  d, a, b", &[TYPE]).operands("d=T a:T b:T"),
    form("sub.sat.s32  d, a, b", &[]).operands("d=s32 a:s32 b:s32"),
    form("sub{.sat}.type  d, a, b", &[SAT, BYTES]).operands("d=T a:%T b:%T"),
    form("mul.mode.type  d, a, b", &[HALF, TYPE])
        .operands("d=T a:T b:T")
        .words(1),
    form("mul.wide.type  d, a, b", &[HALVES])
        .operands("d=u32 a:T b:T")
        .words(1),
    form("mul.wide.type  d, a, b", &[WORDS])
        .operands("d=u64 a:T b:T")
        .words(1),
    form("mad.mode.type  d, a, b, c", &[HALF, TYPE])
        .operands("d=T a:T b:T c:T")
        .words(1),
    form("mad.wide.type  d, a, b, c", &[HALVES])
        .operands("d=u32 a:T b:T c:u32")
        .words(1),
    form("mad.wide.type  d, a, b, c", &[WORDS])
        .operands("d=u64 a:T b:T c:u64")
        .words(1),
    form("mad.hi.sat.s32  d, a, b, c", &[])
        .operands("d=s32 a:s32 b:s32 c:s32")
        .words(1),
    form("mul24.mode.type  d, a, b", &[HALF, WORDS])
        .operands("d=T a:T b:T")
        .words(1),
    form("mad24.mode.type  d, a, b, c", &[HALF, WORDS])
        .operands("d=T a:T b:T c:T")
        .words(1),
    form("mad24.hi.sat.s32  d, a, b, c", &[])
        .operands("d=s32 a:s32 b:s32 c:s32")
        .words(1),
    form("sad.type  d, a, b, c", &[TYPE]).operands("d=T a:T b:T c:T"),
    form("div.type  d, a, b", &[TYPE]).operands("d=T a:T b:T"),
    form("rem.type  d, a, b", &[TYPE]).operands("d=T a:T b:T"),
    form("abs.type  d, a", &[SIGNED]).operands("d=T a:T"),
    form("neg.type  d, a", &[SIGNED]).operands("d=T a:T"),
    form("neg.s8x4  d, a", &[])
        .operands("d=s8x4 a:%s8x4")
        .since(PACKED_BYTES),
    form("min.atype  d, a, b", &[MIN_MAX_TYPE]).operands("d=atype a:atype b:atype"),
    form("min{.relu}.s32  d, a, b", &[RELU]).operands("d=s32 a:s32 b:s32"),
    form("min.ctype  d, a, b", &[PACKED_UNSIGNED]).operands("d=ctype a:%ctype b:%ctype"),
    form("min{.relu}.ctype  d, a, b", &[RELU, PACKED_SIGNED]).operands("d=ctype a:%ctype b:%ctype"),
    form("max.atype  d, a, b", &[MIN_MAX_TYPE]).operands("d=atype a:atype b:atype"),
    form("max{.relu}.s32  d, a, b", &[RELU]).operands("d=s32 a:s32 b:s32"),
    form("max.ctype  d, a, b", &[PACKED_UNSIGNED]).operands("d=ctype a:%ctype b:%ctype"),
    form("max{.relu}.ctype  d, a, b", &[RELU, PACKED_SIGNED]).operands("d=ctype a:%ctype b:%ctype"),
    form("popc.type  d, a", &[BITS]).operands("d=u32 a:T"),
    form("clz.type  d, a", &[BITS]).operands("d=u32 a:T"),
    form("bfind{.shiftamt}.type  d, a", &[WORDS_AND_LONGS]).operands("d=u32 a:T"),
    form("fns.b32  d, mask, base, offset", &[]).operands("d=b32 mask:b32 base:b32 offset:b32"),
    form("brev.type  d, a", &[BITS]).operands("d=T a:T"),
    form("bfe.type  d, a, b, c", &[WORDS_AND_LONGS])
        .operands("d=T a:T b:u32(0..255) c:u32(0..255)"),
    form("bfi.type  f, a, b, c, d", &[BITS]).operands("f=T a:T b:T c:u32(0..255) d:u32(0..255)"),
    form("szext.mode.type  d, a, b", &[MODE, WORDS])
        .operands("d=T a:T b:u32")
        .since(BIT_FIELDS),
    form("bmsk.mode.b32  d, a, b", &[MODE])
        .operands("d=u32 a:u32 b:u32")
        .since(BIT_FIELDS),
    form("dp4a.atype.btype  d, a, b, c", &[ATYPE, BTYPE])
        .operands("d=u32 a:atype b:btype c:u32")
        .since(DOT_PRODUCT),
    form("dp2a.mode.atype.btype  d, a, b, c", &[HALF, ATYPE, BTYPE])
        .operands("d=u32 a:atype b:btype c:u32")
        .words(1)
        .since(DOT_PRODUCT),
];
