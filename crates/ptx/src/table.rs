//! The instructions of PTX: a file for each section of the manual, a row for each form.
//!
//! How to read a row: [`crate::row`]. How to add one: `docs/add-an-instruction.md`.

pub mod gates;
pub mod sets;

mod control;
mod integer;

use crate::row::Row;

/// A section of the manual.
#[derive(Debug)]
pub struct Section {
    /// Its name; the file's name, and that of what other crates do with it.
    pub name: &'static str,
    /// Its forms, in the manual's order.
    pub rows: &'static [Row],
}

/// Every section, in the manual's order.
pub static SECTIONS: &[Section] = &[
    Section { name: "integer", rows: integer::ROWS },
    Section { name: "control", rows: control::ROWS },
];
