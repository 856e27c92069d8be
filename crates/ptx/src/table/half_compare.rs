//! Comparison of half-precision numbers, and comparisons that give a half-precision number.
//!
//! Wherever bf16 is involved the predicate that is combined with the result must be a register; in
//! all other comparisons a constant will do.

use super::gates::{ALWAYS, v};
use super::sets::{BOOL_OP, CMP_BITS, CMP_FLOAT, CMP_SIGNED, CMP_UNSIGNED};
use crate::inst::Operand;
use crate::row::{Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least};

/// Integer results of comparisons of f16.
const INTEGER_RESULT: Gate = Gate(&[at_least(60, v(6, 5))]);
/// Comparisons of bf16.
const BF16_COMPARE: Gate = Gate(&[at_least(90, v(7, 8))]);

/// The result is 1.0 or 0.0 of this type.
const HALF: Set = set("dtype", &[(".f16", ALWAYS), (".bf16", BF16_COMPARE)]);
const BITS: Set = set("type", &[(".b16 .b32 .b64", ALWAYS)]);
const UNSIGNED: Set = set("type", &[(".u16 .u32 .u64", ALWAYS)]);
const SIGNED: Set = set("type", &[(".s16 .s32 .s64", ALWAYS)]);
const FLOAT: Set = set("type", &[(".f32 .f64 .f16", ALWAYS)]);
const FLUSHED: Set = set("type", &[(".f32 .f16", ALWAYS)]);
const INTEGER: Set = set("dtype", &[(".u16 .s16 .u32 .s32", ALWAYS)]);
const WORD: Set = set("dtype", &[(".u32 .s32", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form(
        "set.CmpOp{.BoolOp}.dtype.type  d, a, b{, c}",
        &[CMP_BITS, BOOL_OP, HALF, BITS],
    )
    .operands("d=dtype a:T b:T c:!pred?BoolOp")
    .rule(no_constant_with_bf16),
    form(
        "set.CmpOp{.BoolOp}.dtype.type  d, a, b{, c}",
        &[CMP_UNSIGNED, BOOL_OP, HALF, UNSIGNED],
    )
    .operands("d=dtype a:T b:T c:!pred?BoolOp")
    .rule(no_constant_with_bf16),
    form(
        "set.CmpOp{.BoolOp}.dtype.type  d, a, b{, c}",
        &[CMP_SIGNED, BOOL_OP, HALF, SIGNED],
    )
    .operands("d=dtype a:T b:T c:!pred?BoolOp")
    .rule(no_constant_with_bf16),
    form(
        "set.CmpOp{.BoolOp}.dtype.type  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP, HALF, FLOAT],
    )
    .operands("d=dtype a:T b:T c:!pred?BoolOp")
    .rule(no_constant_with_bf16),
    form(
        "set.CmpOp{.BoolOp}.ftz.f16.type  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP, FLUSHED],
    )
    .operands("d=f16 a:T b:T c:!pred?BoolOp"),
    form(
        "set.CmpOp{.BoolOp}{.ftz}.dtype.f16  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP, INTEGER],
    )
    .operands("d=dtype a:f16 b:f16 c:!pred?BoolOp")
    .since(INTEGER_RESULT),
    form(
        "set.CmpOp{.BoolOp}.dtype.bf16  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP, INTEGER],
    )
    .operands("d=dtype a:bf16 b:bf16 c:!%pred?BoolOp")
    .since(BF16_COMPARE),
    form(
        "set.CmpOp{.BoolOp}.bf16.bf16  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("d=bf16 a:bf16 b:bf16 c:!%pred?BoolOp")
    .since(BF16_COMPARE),
    form(
        "set.CmpOp{.BoolOp}{.ftz}.f16x2.f16x2  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("d=f16x2 a:f16x2 b:f16x2 c:!pred?BoolOp"),
    form(
        "set.CmpOp{.BoolOp}{.ftz}.dtype.f16x2  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP, WORD],
    )
    .operands("d=dtype a:f16x2 b:f16x2 c:!pred?BoolOp")
    .since(INTEGER_RESULT),
    form(
        "set.CmpOp{.BoolOp}.bf16x2.bf16x2  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("d=bf16x2 a:bf16x2 b:bf16x2 c:!%pred?BoolOp")
    .since(BF16_COMPARE),
    form(
        "set.CmpOp{.BoolOp}.dtype.bf16x2  d, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP, WORD],
    )
    .operands("d=dtype a:bf16x2 b:bf16x2 c:!%pred?BoolOp")
    .since(BF16_COMPARE),
    form(
        "setp.CmpOp{.BoolOp}{.ftz}.f16  p, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("p=_pred a:f16 b:f16 c:!pred?BoolOp"),
    form(
        "setp.CmpOp{.BoolOp}{.ftz}.f16x2  p{|q}, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("p=_pred q=_pred a:f16x2 b:f16x2 c:!pred?BoolOp"),
    form(
        "setp.CmpOp{.BoolOp}.bf16  p, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("p=_pred a:bf16 b:bf16 c:!%pred?BoolOp")
    .since(BF16_COMPARE),
    form(
        "setp.CmpOp{.BoolOp}.bf16x2  p{|q}, a, b{, c}",
        &[CMP_FLOAT, BOOL_OP],
    )
    .operands("p=_pred q=_pred a:bf16x2 b:bf16x2 c:!%pred?BoolOp")
    .since(BF16_COMPARE),
];

fn no_constant_with_bf16(inst: &RuleView<'_>) -> Result<(), Violation> {
    match inst.operand("c") {
        Some(Operand::Int(_)) if inst.token("dtype") == Some(".bf16") => Err(Violation::operand(
            "c",
            "a constant predicate does not go with .bf16",
        )),
        _ => Ok(()),
    }
}
