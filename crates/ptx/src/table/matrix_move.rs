//! Matrices between shared memory and registers, and transposed in registers: `ldmatrix`,
//! `stmatrix`, `movmatrix`.
//!
//! A lane gets one 32-bit register for each 8x8 matrix of 16-bit elements or 8x16 (16x8) matrix
//! of bytes, two for each 16x16 matrix of bytes. Addresses are generic or in shared memory.

use super::fragment::{Dims, expect_registers};
use super::gates::{ALWAYS, SPECIFIC, V78, v};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, arch, at_least, family};

const LOAD: Effects = Effects::READ
    .union(Effects::SYNC)
    .union(Effects::CONVERGENT);
const STORE: Effects = Effects::WRITE
    .union(Effects::SYNC)
    .union(Effects::CONVERGENT);

/// Signed 4-bit elements widened to bytes: Hopper, too.
const WIDEN_S4: Gate = Gate(&[
    arch(90, v(9, 4)),
    family(100, v(9, 4)),
    family(101, v(9, 4)),
    family(120, v(9, 4)),
]);

const SS: Set = set("ss", &[(".shared", ALWAYS), (".shared::cta", V78)]);
const NUM: Set = set("num", &[(".x1 .x2 .x4", ALWAYS)]);
const NUM_16: Set = set("num", &[(".x1 .x2", ALWAYS)]);
const M8N8: Set = set("shape", &[(".m8n8", ALWAYS)]);
const M8N16: Set = set("shape", &[(".m8n16", ALWAYS)]);
const M16N8: Set = set("shape", &[(".m16n8", ALWAYS)]);
const M16N16: Set = set("shape", &[(".m16n16", ALWAYS)]);
const SRC_FMT: Set = set("src_fmt", &[(".b6x16_p32 .b4x16_p64", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form(
        "ldmatrix.sync.aligned.shape.num{.trans}{.ss}.b16  r, [p]",
        &[M8N8, NUM, SS],
    )
    .operands("r=_b32*? p:<addr")
    .since(Gate(&[at_least(75, v(6, 5))]))
    .rule(count)
    .effects(LOAD),
    form(
        "ldmatrix.sync.aligned.shape.num.trans{.ss}.b8  r, [p]",
        &[M16N16, NUM_16, SS],
    )
    .operands("r=_b32*? p:<addr")
    .since(SPECIFIC)
    .rule(count)
    .effects(LOAD),
    form(
        "ldmatrix.sync.aligned.shape.num{.ss}.b8x16.src_fmt  r, [p]",
        &[M8N16, NUM, SS, SRC_FMT],
    )
    .operands("r=_b32*? p:<addr")
    .since(SPECIFIC)
    .rule(count)
    .effects(LOAD),
    form(
        "ldmatrix.sync.aligned.shape.num.trans{.ss}.b8x16.src_fmt  r, [p]",
        &[M16N16, NUM_16, SS, SRC_FMT],
    )
    .operands("r=_b32*? p:<addr")
    .since(SPECIFIC)
    .rule(count)
    .effects(LOAD),
    form(
        "ldmatrix.sync.aligned.shape.num{.ss}.s8.s4  r, [p]",
        &[M8N16, NUM, SS],
    )
    .operands("r=_b32*? p:<addr")
    .since(WIDEN_S4)
    .rule(count)
    .effects(LOAD),
    form(
        "stmatrix.sync.aligned.shape.num{.trans}{.ss}.b16  [p], r",
        &[M8N8, NUM, SS],
    )
    .operands("p:<addr r:frag.b32*?")
    .since(Gate(&[at_least(90, v(7, 8))]))
    .rule(count)
    .effects(STORE),
    form(
        "stmatrix.sync.aligned.shape.num.trans{.ss}.b8  [p], r",
        &[M16N8, NUM, SS],
    )
    .operands("p:<addr r:frag.b32*?")
    .since(SPECIFIC)
    .rule(count)
    .effects(STORE),
    form("movmatrix.sync.aligned.m8n8.trans.b16  d, a", &[])
        .operands("d=b32 a:%b32")
        .since(Gate(&[at_least(75, v(7, 8))]))
        .effects(Effects::SYNC.union(Effects::CONVERGENT)),
];

fn count(view: &RuleView<'_>) -> Result<(), Violation> {
    let matrices = match view.token("num") {
        Some(".x4") => 4,
        Some(".x2") => 2,
        _ => 1,
    };
    let Dims { m, n, .. } = Dims::of(view);
    let each = if m * n == 256 { 2 } else { 1 };
    expect_registers(view, "r", matrices * each)
}
