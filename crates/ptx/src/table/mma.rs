//! Warp matrices: mma.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
