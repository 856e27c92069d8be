//! Half-precision arithmetic: f16, bf16 and their pairs.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
