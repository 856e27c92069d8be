//! Moves between registers: mov, prmt, shfl.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
