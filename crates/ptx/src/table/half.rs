//! Half-precision arithmetic: f16, bf16 and their pairs.
//!
//! Rounding is to the nearest or, left out, the same with leave to contract. `.ftz` and `.sat` belong
//! to f16 alone: bf16 keeps subnormals. A half is a register of 16 bits, a pair one of 32; neither
//! takes constants.

use super::gates::{ALWAYS, v};
use crate::row::{Row, Set, form, set};
use warpc_target::{Gate, at_least};

const F16: Set = set("type", &[(".f16 .f16x2", ALWAYS)]);
const BF16: Set = set("type", &[(".bf16 .bf16x2", ALWAYS)]);
const ANY: Set = set("type", &[(".f16 .f16x2 .bf16 .bf16x2", ALWAYS)]);
const ANY_TANH: Set = set("type", &[(".f16 .f16x2", ALWAYS), (".bf16 .bf16x2", SM90)]);
const XORSIGN: Set = set("xorsign", &[(".xorsign", Gate(&[at_least(86, v(7, 2))]))]);
const RELU: Set = set("relu", &[(".relu", SM80)]);

const V65: Gate = Gate(&[at_least(60, v(6, 5))]);
const SM75: Gate = Gate(&[at_least(75, v(7, 0))]);
const SM80: Gate = Gate(&[at_least(80, v(7, 0))]);
const SM90: Gate = Gate(&[at_least(90, v(7, 8))]);
const OOB: Gate = Gate(&[at_least(90, v(8, 1))]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("add{.rn}{.ftz}{.sat}.type  d, a, b", &[F16]).operands("d=T a:%T b:%T"),
    form("add{.rn}.type  d, a, b", &[BF16])
        .operands("d=T a:%T b:%T")
        .since(SM90),
    form("sub{.rn}{.ftz}{.sat}.type  d, a, b", &[F16]).operands("d=T a:%T b:%T"),
    form("sub{.rn}.type  d, a, b", &[BF16])
        .operands("d=T a:%T b:%T")
        .since(SM90),
    form("mul{.rn}{.ftz}{.sat}.type  d, a, b", &[F16]).operands("d=T a:%T b:%T"),
    form("mul{.rn}.type  d, a, b", &[BF16])
        .operands("d=T a:%T b:%T")
        .since(SM90),
    form("fma.rn{.ftz}{.sat}.type  d, a, b, c", &[F16]).operands("d=T a:%T b:%T c:%T"),
    form("fma.rn{.ftz}.relu.type  d, a, b, c", &[RELU, F16]).operands("d=T a:%T b:%T c:%T"),
    form("fma.rn{.relu}.type  d, a, b, c", &[BF16])
        .operands("d=T a:%T b:%T c:%T")
        .since(SM80),
    form("fma.rn{.relu}.oob.type  d, a, b, c", &[ANY])
        .operands("d=T a:%T b:%T c:%T")
        .since(OOB),
    // Measured: `.sat` goes with `.oob`, `.ftz` does not.
    form("fma.rn.sat.oob.type  d, a, b, c", &[F16])
        .operands("d=T a:%T b:%T c:%T")
        .since(OOB),
    form("neg{.ftz}.type  d, a", &[F16]).operands("d=T a:%T"),
    form("neg.type  d, a", &[BF16])
        .operands("d=T a:%T")
        .since(SM80),
    form("abs{.ftz}.type  d, a", &[F16])
        .operands("d=T a:%T")
        .since(V65),
    form("abs.type  d, a", &[BF16])
        .operands("d=T a:%T")
        .since(SM80),
    form(
        "min{.ftz}{.NaN}{.xorsign.abs}.type  d, a, b",
        &[XORSIGN, F16],
    )
    .operands("d=T a:%T b:%T")
    .since(SM80),
    form("min{.NaN}{.xorsign.abs}.type  d, a, b", &[XORSIGN, BF16])
        .operands("d=T a:%T b:%T")
        .since(SM80),
    form(
        "max{.ftz}{.NaN}{.xorsign.abs}.type  d, a, b",
        &[XORSIGN, F16],
    )
    .operands("d=T a:%T b:%T")
    .since(SM80),
    form("max{.NaN}{.xorsign.abs}.type  d, a, b", &[XORSIGN, BF16])
        .operands("d=T a:%T b:%T")
        .since(SM80),
    form("tanh.approx.type  d, a", &[ANY_TANH])
        .operands("d=T a:%T")
        .since(SM75),
    form("ex2.approx.type  d, a", &[F16])
        .operands("d=T a:%T")
        .since(SM75),
    form("ex2.approx.ftz.type  d, a", &[BF16])
        .operands("d=T a:%T")
        .since(SM90),
];
