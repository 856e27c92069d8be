//! Warpgroup matrices: wgmma.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
