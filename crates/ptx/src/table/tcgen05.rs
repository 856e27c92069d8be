//! Fifth-generation tensor cores: tcgen05.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
