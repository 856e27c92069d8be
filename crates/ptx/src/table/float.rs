//! Single- and double-precision arithmetic.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
