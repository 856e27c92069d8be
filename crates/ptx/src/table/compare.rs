//! Comparison and selection of integers, single and double precision.
//!
//! Which comparisons there are depends on the kind of type: plain bits can only be equal or not,
//! `lo ls hi hs` are for unsigned integers, `…u`, `num` and `nan` for floats.

use super::gates::ALWAYS;
use super::sets::{BOOL_OP, CMP_BITS, CMP_FLOAT, CMP_SIGNED, CMP_UNSIGNED};
use crate::row::{Row, Set, form, set};

const DTYPE: Set = set("dtype", &[(".u32 .s32 .f32", ALWAYS)]);
const BITS: Set = set("type", &[(".b16 .b32 .b64", ALWAYS)]);
const UNSIGNED: Set = set("type", &[(".u16 .u32 .u64", ALWAYS)]);
const SIGNED: Set = set("type", &[(".s16 .s32 .s64", ALWAYS)]);
const SELECT_TYPE: Set = set(
    "type",
    &[(
        ".b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64 .f32 .f64",
        ALWAYS,
    )],
);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form(
        "set.CmpOp{.BoolOp}.dtype.type  d, a, b{, c}",
        &[CMP_BITS, BOOL_OP, DTYPE, BITS],
    )
    .operands("d=dtype a:T b:T c:!pred?BoolOp"),
    form(
        "set.CmpOp{.BoolOp}.dtype.type  d, a, b{, c}",
        &[CMP_UNSIGNED, BOOL_OP, DTYPE, UNSIGNED],
    )
    .operands("d=dtype a:T b:T c:!pred?BoolOp"),
    form(
        "set.CmpOp{.BoolOp}.dtype.type  d, a, b{, c}",
        &[CMP_SIGNED, BOOL_OP, DTYPE, SIGNED],
    )
    .operands("d=dtype a:T b:T c:!pred?BoolOp"),
    form(
        "set.CmpOp{.BoolOp}{.ftz}.dtype.f32  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP, DTYPE],
    )
    .operands("d=dtype a:f32 b:f32 c:!pred?BoolOp"),
    form(
        "set.CmpOp{.BoolOp}.dtype.f64  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP, DTYPE],
    )
    .operands("d=dtype a:f64 b:f64 c:!pred?BoolOp"),
    form(
        "setp.CmpOp{.BoolOp}.type  p{|q}, a, b{, c}",
        &[CMP_BITS, BOOL_OP, BITS],
    )
    .operands("p=_pred q=_pred a:T b:T c:!pred?BoolOp"),
    form(
        "setp.CmpOp{.BoolOp}.type  p{|q}, a, b{, c}",
        &[CMP_UNSIGNED, BOOL_OP, UNSIGNED],
    )
    .operands("p=_pred q=_pred a:T b:T c:!pred?BoolOp"),
    form(
        "setp.CmpOp{.BoolOp}.type  p{|q}, a, b{, c}",
        &[CMP_SIGNED, BOOL_OP, SIGNED],
    )
    .operands("p=_pred q=_pred a:T b:T c:!pred?BoolOp"),
    form(
        "setp.CmpOp{.BoolOp}{.ftz}.f32  p{|q}, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("p=_pred q=_pred a:f32 b:f32 c:!pred?BoolOp"),
    form(
        "setp.CmpOp{.BoolOp}.f64  p{|q}, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("p=_pred q=_pred a:f64 b:f64 c:!pred?BoolOp"),
    form("selp.type  d, a, b, c", &[SELECT_TYPE]).operands("d=T a:T b:T c:!pred"),
    form("slct.type.s32  d, a, b, c", &[SELECT_TYPE]).operands("d=T a:T b:T c:s32"),
    form("slct{.ftz}.type.f32  d, a, b, c", &[SELECT_TYPE]).operands("d=T a:T b:T c:f32"),
];
