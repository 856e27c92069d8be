//! Extended-precision integer arithmetic: sums that take and leave a carry.
//!
//! The carry bit is one register of the thread, `CC.CF`. ptxas takes the forms that read it
//! without writing it for all types of the plain instructions, 16-bit ones and `.sat` among them,
//! which the manual does not list.

use super::gates::ALWAYS;
use crate::row::{Effects, Row, Set, form, set};

const CARRY_TYPE: Set = set("type", &[(".u32 .s32 .u64 .s64", ALWAYS)]);
const TYPE: Set = set("type", &[(".u16 .u32 .u64 .s16 .s32 .s64", ALWAYS)]);
const HALF: Set = set("mode", &[(".hi .lo", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("add.cc.type  d, a, b", &[CARRY_TYPE])
        .operands("d=T a:T b:T")
        .effects(Effects::CARRY),
    form("addc.cc.type  d, a, b", &[CARRY_TYPE])
        .operands("d=T a:T b:T")
        .effects(Effects::CARRY),
    form("addc.type  d, a, b", &[TYPE])
        .operands("d=T a:T b:T")
        .effects(Effects::CARRY),
    form("addc.sat.s32  d, a, b", &[])
        .operands("d=s32 a:s32 b:s32")
        .effects(Effects::CARRY),
    form("sub.cc.type  d, a, b", &[CARRY_TYPE])
        .operands("d=T a:T b:T")
        .effects(Effects::CARRY),
    form("subc.cc.type  d, a, b", &[CARRY_TYPE])
        .operands("d=T a:T b:T")
        .effects(Effects::CARRY),
    form("subc.type  d, a, b", &[TYPE])
        .operands("d=T a:T b:T")
        .effects(Effects::CARRY),
    form("subc.sat.s32  d, a, b", &[])
        .operands("d=s32 a:s32 b:s32")
        .effects(Effects::CARRY),
    form("mad.mode.cc.type  d, a, b, c", &[HALF, CARRY_TYPE])
        .operands("d=T a:T b:T c:T")
        .effects(Effects::CARRY)
        .words(1),
    form("madc.mode.cc.type  d, a, b, c", &[HALF, CARRY_TYPE])
        .operands("d=T a:T b:T c:T")
        .effects(Effects::CARRY)
        .words(1),
    form("madc.mode.type  d, a, b, c", &[HALF, TYPE])
        .operands("d=T a:T b:T c:T")
        .effects(Effects::CARRY)
        .words(1),
    form("madc.hi.sat.s32  d, a, b, c", &[])
        .operands("d=s32 a:s32 b:s32 c:s32")
        .effects(Effects::CARRY)
        .words(1),
];
