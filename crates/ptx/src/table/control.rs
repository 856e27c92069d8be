//! Control flow.
//!
//! What a label, a list of targets or a called function must be is checked where names are
//! resolved; the rows say how the operands are written.

use crate::row::{Effects, Row, form};

const CALL: Effects = Effects::CONTROL
    .union(Effects::READ)
    .union(Effects::WRITE)
    .union(Effects::SYNC)
    .union(Effects::CONVERGENT)
    .union(Effects::OBSERVABLE);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("bra{.uni}  target", &[])
        .operands("target:label")
        .effects(Effects::CONTROL),
    form("brx.idx{.uni}  index, targets", &[])
        .words(1)
        .operands("index:u32 targets:proto")
        .effects(Effects::CONTROL),
    // Direct: results and arguments may be left out, and either list may be empty.
    form("call{.uni}  {, results}, callee{, arguments}", &[])
        .operands("results=list callee:callee arguments:list")
        .effects(CALL),
    // Through a pointer, with a prototype or a list of what may be called.
    form(
        "call{.uni}  {, results}, callee{, arguments}, prototype",
        &[],
    )
    .operands("results=list callee:callee arguments:list prototype:proto")
    .effects(CALL),
    form("ret{.uni}", &[]).effects(Effects::CONTROL),
    form("exit", &[]).effects(Effects::CONTROL),
];
