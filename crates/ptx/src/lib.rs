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
//! [`check`] does both, [`print()`] writes it back. The instructions are described once, as rows in [`table`]; the
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
pub use verify::verify;

/// Reads and verifies a module, and reports as much as makes sense: where single instructions cannot
/// be read, the rest is verified nevertheless.
///
/// ```
/// let text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {\n foo;\n bra NOWHERE;\n}";
/// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
/// assert_eq!(warpc_ptx::check(&file).diagnostics.error_count(), 2);
/// ```
pub fn check(file: &warpc_diag::SourceFile) -> Parsed {
    let mut parsed = parse(file);
    if parsed.structure_known {
        parsed
            .diagnostics
            .append(verify(&parsed.module, Some(file)));
        parsed.diagnostics.sort_by_place();
    }
    parsed
}
