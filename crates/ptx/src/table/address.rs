//! Addresses: cvta, isspacep, mapa, getctarank.

use crate::row::Row;

/// The section's forms.
pub static ROWS: &[Row] = &[];
