//! Mixed-precision arithmetic: halves widened to f32 before the operation.
//!
//! Only the last operand is an f32 from the start. There is no `.ftz`.

use super::gates::{ALWAYS, v};
use super::sets::FRND;
use crate::row::{Row, Set, form, set};
use warpc_target::{Gate, at_least};

const ATYPE: Set = set("atype", &[(".f16 .bf16", ALWAYS)]);
const MIXED: Gate = Gate(&[at_least(100, v(8, 6))]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("add{.rnd}{.sat}.f32.atype  d, a, c", &[FRND, ATYPE])
        .operands("d=f32 a:atype c:f32")
        .since(MIXED),
    form("sub{.rnd}{.sat}.f32.atype  d, a, c", &[FRND, ATYPE])
        .operands("d=f32 a:atype c:f32")
        .since(MIXED),
    form("fma.rnd{.sat}.f32.atype  d, a, b, c", &[FRND, ATYPE])
        .operands("d=f32 a:atype b:atype c:f32")
        .since(MIXED),
];
