//! Barriers of threads, warps and clusters.

use crate::row::{Effects, Row, form};

/// The section's forms.
pub static ROWS: &[Row] = &[form("bar.sync  a{, b}", &[])
    .operands("a:u32(0..15) b:u32")
    .effects(Effects::CONVERGENT)];
