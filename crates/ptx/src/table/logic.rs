//! Logic and shifts.
//!
//! Predicates may be negated where they are read, and constants stand for predicates too. The
//! table of `lop3` is any integer constant: ptxas uses its low eight bits.

use super::gates::{ALWAYS, v};
use crate::row::{Row, Set, form, set};
use warpc_target::{Gate, at_least};

/// `lop3` with a predicate.
const PREDICATE: Gate = Gate(&[at_least(70, v(8, 2))]);

const BITS: Set = set("type", &[(".b16 .b32 .b64", ALWAYS)]);
const SHR_TYPE: Set = set(
    "type",
    &[(".b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64", ALWAYS)],
);
const BOOL_OP: Set = set("BoolOp", &[(".or .and", ALWAYS)]);
const DIRECTION: Set = set("dir", &[(".l .r", ALWAYS)]);
const MODE: Set = set("mode", &[(".clamp .wrap", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("and.type  d, a, b", &[BITS]).operands("d=T a:T b:T"),
    form("and.pred  d, a, b", &[]).operands("d=pred a:!pred b:!pred"),
    form("or.type  d, a, b", &[BITS]).operands("d=T a:T b:T"),
    form("or.pred  d, a, b", &[]).operands("d=pred a:!pred b:!pred"),
    form("xor.type  d, a, b", &[BITS]).operands("d=T a:T b:T"),
    form("xor.pred  d, a, b", &[]).operands("d=pred a:!pred b:!pred"),
    form("not.type  d, a", &[BITS]).operands("d=T a:T"),
    form("not.pred  d, a", &[]).operands("d=pred a:!pred"),
    form("cnot.type  d, a", &[BITS]).operands("d=T a:T"),
    form("lop3.b32  d, a, b, c, immLut", &[]).operands("d=_b32 a:b32 b:b32 c:b32 immLut:#u32"),
    form("lop3.BoolOp.b32  d|p, a, b, c, immLut, q", &[BOOL_OP])
        .operands("d=_b32 p=pred a:b32 b:b32 c:b32 immLut:#u32 q:!pred")
        .since(PREDICATE),
    form("shf.dir.mode.b32  d, a, b, c", &[DIRECTION, MODE])
        .operands("d=b32 a:b32 b:b32 c:u32")
        .words(1),
    form("shl.type  d, a, b", &[BITS]).operands("d=T a:T b:u32"),
    form("shr.type  d, a, b", &[SHR_TYPE]).operands("d=T a:T b:u32"),
];
