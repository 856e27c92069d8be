//! Asynchronous copies of single threads: cp.async, st.async, red.async.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
