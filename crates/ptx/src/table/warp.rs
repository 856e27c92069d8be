//! Votes, matches and reductions of a warp.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
