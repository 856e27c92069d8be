//! PTX, read, checked and printed.
//!
//! ```text
//!   text ──lex, parse──► Module ──verify──► Diagnostics
//!                          │
//!                          └──print──► text in canonical form
//!
//!   table/*: one row a form ──► form: resolve, select ──► parser, printer, verifier, explain
//! ```
//!
//! [`parse`] reads a module and reports what is no PTX at all, [`verify`] what PTX does not allow,
//! [`print`] writes it back. The instructions are described once, as rows in [`table`]; the
//! language of those rows is explained in [`row`].

pub mod directives;
mod explain;
pub mod form;
pub mod inst;
pub mod lex;
pub mod module;
mod parse;
mod print;
#[cfg(test)]
mod robustness;
pub mod row;
pub mod rule;
pub mod sreg;
pub mod suggest;
pub mod symbol;
mod sync;
pub mod table;
pub mod types;
mod verify;

pub use explain::explain;
pub use module::Module;
pub use parse::{Parsed, parse};
pub use print::{mnemonic_text, print};
pub use verify::{required_version, verify};
