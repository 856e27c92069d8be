//! The instructions: one row for each opcode and range of chips, in files by what they do.

mod atomic;
mod control;
mod copy;
mod integer;
mod memory;
mod sync;

use crate::form::Row;

/// All tables.
pub(crate) static TABLES: [&[Row]; 6] = [
    atomic::ROWS,
    control::ROWS,
    copy::ROWS,
    integer::ROWS,
    memory::ROWS,
    sync::ROWS,
];

/// The operations that are executed once for a warp; their guards are uniform predicates.
pub(crate) static UNIFORM: [&str; 0] = [];
