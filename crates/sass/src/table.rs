//! The instructions: one row for each opcode and range of chips, in files by what they do.

mod integer;
mod memory;

use crate::form::Row;

/// All tables.
pub(crate) static TABLES: [&[Row]; 2] = [integer::ROWS, memory::ROWS];

/// The operations that are executed once for a warp; their guards are uniform predicates.
pub(crate) static UNIFORM: [&str; 0] = [];
