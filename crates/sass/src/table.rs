//! The instructions: one row for each opcode and range of chips, in files by what they do.

mod atomic;
mod control;
mod convert;
mod copy;
mod double;
mod float;
mod half;
mod integer;
mod matrix;
mod memory;
mod predicate;
mod special;
mod sync;
mod tensor;
mod texture;
mod uniform;

use crate::form::Row;

/// All tables.
pub(crate) static TABLES: [&[Row]; 16] = [
    atomic::ROWS,
    control::ROWS,
    convert::ROWS,
    copy::ROWS,
    double::ROWS,
    float::ROWS,
    half::ROWS,
    integer::ROWS,
    matrix::ROWS,
    memory::ROWS,
    predicate::ROWS,
    special::ROWS,
    sync::ROWS,
    tensor::ROWS,
    texture::ROWS,
    uniform::ROWS,
];

/// The operations that are executed once for a warp; their guards are uniform predicates.
pub(crate) static UNIFORM: [&str; 0] = [];
