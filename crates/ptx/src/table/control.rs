//! Control flow.

use crate::row::{Effects, Row, form};

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("bra{.uni}  target", &[])
        .operands("target:label")
        .effects(Effects::CONTROL),
    form("ret{.uni}", &[]).effects(Effects::CONTROL),
    form("exit", &[]).effects(Effects::CONTROL),
];
