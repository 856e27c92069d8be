//! Memory barriers in shared memory: mbarrier.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
