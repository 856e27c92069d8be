//! Textures and surfaces.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0xf6f, 90, "TXQ {R64}, {R16}, {R24}, TEX_HEADER_DIMENSION, {UR40}, {U54.5}, {U72.4}").unsaid(91, 1),
];
