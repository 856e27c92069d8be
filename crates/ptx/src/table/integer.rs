//! Integer arithmetic.

use super::gates::ALWAYS;
use crate::row::{Row, Set, form, set};

const TYPE: Set = set("type", &[(".u16 .u32 .u64 .s16 .s32 .s64", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("add.type  d, a, b", &[TYPE]).operands("d=T a:T b:T"),
    form("add{.sat}.s32  d, a, b", &[]).operands("d=s32 a:s32 b:s32"),
];
