//! Single- and double-precision arithmetic.
//!
//! Left out, a rounding of `add`, `sub` and `mul` is to the nearest and lets the assembler contract
//! the operation into an `fma`; of `fma`, `mad`, `div`, `rcp` and `sqrt` it may not be left out.
//! `.ftz` goes with `.f32` alone, but for the approximate double-precision `rcp` and `rsqrt`. Pairs
//! (`.f32x2`) live in 64-bit registers and take no constants.

use super::gates::{ALWAYS, v};
use super::sets::FRND;
use crate::row::{Row, Set, form, set};
use warpc_target::{Gate, at_least};

const OP_TESTP: Set = set(
    "op",
    &[(
        ".finite .infinite .number .notanumber .normal .subnormal",
        ALWAYS,
    )],
);
const TYPE: Set = set("type", &[(".f32 .f64", ALWAYS)]);
const XORSIGN: Set = set("xorsign", &[(".xorsign", Gate(&[at_least(86, v(7, 2))]))]);
const NAN: Set = set("NaN", &[(".NaN", Gate(&[at_least(80, v(7, 0))]))]);

const PAIRS: Gate = Gate(&[at_least(100, v(8, 6))]);
const THREE_INPUTS: Gate = Gate(&[at_least(100, v(8, 8))]);
const TANH: Gate = Gate(&[at_least(75, v(7, 0))]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("testp.op.type  p, a", &[OP_TESTP, TYPE]).operands("p=pred a:T"),
    form("copysign.type  d, a, b", &[TYPE]).operands("d=T a:T b:T"),
    form("add{.rnd}{.ftz}{.sat}.f32  d, a, b", &[FRND]).operands("d=f32 a:f32 b:f32"),
    form("add{.rnd}{.ftz}.f32x2  d, a, b", &[FRND])
        .operands("d=f32x2 a:%f32x2 b:%f32x2")
        .since(PAIRS),
    form("add{.rnd}.f64  d, a, b", &[FRND]).operands("d=f64 a:f64 b:f64"),
    form("sub{.rnd}{.ftz}{.sat}.f32  d, a, b", &[FRND]).operands("d=f32 a:f32 b:f32"),
    form("sub{.rnd}{.ftz}.f32x2  d, a, b", &[FRND])
        .operands("d=f32x2 a:%f32x2 b:%f32x2")
        .since(PAIRS),
    form("sub{.rnd}.f64  d, a, b", &[FRND]).operands("d=f64 a:f64 b:f64"),
    form("mul{.rnd}{.ftz}{.sat}.f32  d, a, b", &[FRND]).operands("d=f32 a:f32 b:f32"),
    form("mul{.rnd}{.ftz}.f32x2  d, a, b", &[FRND])
        .operands("d=f32x2 a:%f32x2 b:%f32x2")
        .since(PAIRS),
    form("mul{.rnd}.f64  d, a, b", &[FRND]).operands("d=f64 a:f64 b:f64"),
    form("fma.rnd{.ftz}{.sat}.f32  d, a, b, c", &[FRND]).operands("d=f32 a:f32 b:f32 c:f32"),
    form("fma.rnd{.ftz}.f32x2  d, a, b, c", &[FRND])
        .operands("d=f32x2 a:%f32x2 b:%f32x2 c:%f32x2")
        .since(PAIRS),
    form("fma.rnd.f64  d, a, b, c", &[FRND]).operands("d=f64 a:f64 b:f64 c:f64"),
    form("mad.rnd{.ftz}{.sat}.f32  d, a, b, c", &[FRND]).operands("d=f32 a:f32 b:f32 c:f32"),
    form("mad.rnd.f64  d, a, b, c", &[FRND]).operands("d=f64 a:f64 b:f64 c:f64"),
    form("div.approx{.ftz}.f32  d, a, b", &[]).operands("d=f32 a:f32 b:f32"),
    // `.full` belongs to the name: ptxas wants it first.
    form("div.full{.ftz}.f32  d, a, b", &[])
        .words(1)
        .operands("d=f32 a:f32 b:f32"),
    form("div.rnd{.ftz}.f32  d, a, b", &[FRND]).operands("d=f32 a:f32 b:f32"),
    form("div.rnd.f64  d, a, b", &[FRND]).operands("d=f64 a:f64 b:f64"),
    form("abs{.ftz}.f32  d, a", &[]).operands("d=f32 a:f32"),
    form("abs.f64  d, a", &[]).operands("d=f64 a:f64"),
    form("neg{.ftz}.f32  d, a", &[]).operands("d=f32 a:f32"),
    form("neg.f64  d, a", &[]).operands("d=f64 a:f64"),
    form(
        "min{.ftz}{.NaN}{.xorsign.abs}.f32  d, a, b",
        &[NAN, XORSIGN],
    )
    .operands("d=f32 a:f32 b:f32"),
    form("min{.ftz}{.NaN}{.abs}.f32  d, a, b, c", &[NAN])
        .operands("d=f32 a:f32 b:f32 c:f32")
        .since(THREE_INPUTS),
    form("min.f64  d, a, b", &[]).operands("d=f64 a:f64 b:f64"),
    form(
        "max{.ftz}{.NaN}{.xorsign.abs}.f32  d, a, b",
        &[NAN, XORSIGN],
    )
    .operands("d=f32 a:f32 b:f32"),
    form("max{.ftz}{.NaN}{.abs}.f32  d, a, b, c", &[NAN])
        .operands("d=f32 a:f32 b:f32 c:f32")
        .since(THREE_INPUTS),
    form("max.f64  d, a, b", &[]).operands("d=f64 a:f64 b:f64"),
    form("rcp.approx{.ftz}.f32  d, a", &[]).operands("d=f32 a:f32"),
    form("rcp.rnd{.ftz}.f32  d, a", &[FRND]).operands("d=f32 a:f32"),
    // The manual has no `.ftz` here; ptxas takes it.
    form("rcp.rnd{.ftz}.f64  d, a", &[FRND]).operands("d=f64 a:f64"),
    form("rcp.approx.ftz.f64  d, a", &[]).operands("d=f64 a:f64"),
    form("sqrt.approx{.ftz}.f32  d, a", &[]).operands("d=f32 a:f32"),
    form("sqrt.rnd{.ftz}.f32  d, a", &[FRND]).operands("d=f32 a:f32"),
    form("sqrt.rnd.f64  d, a", &[FRND]).operands("d=f64 a:f64"),
    form("rsqrt.approx{.ftz}.type  d, a", &[TYPE]).operands("d=T a:T"),
    form("sin.approx{.ftz}.f32  d, a", &[]).operands("d=f32 a:f32"),
    form("cos.approx{.ftz}.f32  d, a", &[]).operands("d=f32 a:f32"),
    form("lg2.approx{.ftz}.f32  d, a", &[]).operands("d=f32 a:f32"),
    form("ex2.approx{.ftz}.f32  d, a", &[]).operands("d=f32 a:f32"),
    form("tanh.approx.f32  d, a", &[])
        .operands("d=f32 a:f32")
        .since(TANH),
];
