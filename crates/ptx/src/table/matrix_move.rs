//! Matrix loads, stores and transpositions.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
