//! Cubins as text that people can read, edit and write, and back.
//!
//! ```text
//!   Cubin ──print──► text ──read──► Cubin
//! ```
//!
//! The text has a line for everything that a file holds and that does not follow from the rest. What follows is what
//! ptxas would do: offsets, sizes, indices, links, kinds and flags of sections, segments (`outline.rs`, `layout.rs`).
//! A file that differs says so. So a text that [`print()`] made gives the same bytes again, and a line less or a line
//! more gives a sound file.

mod assemble;
mod data;
mod lex;
mod outline;
mod places;
mod plain;
mod print;
mod read;
mod record;
mod strings;
mod symbol;

use crate::schedule;
use warpc_cubin::Cubin;
use warpc_diag::{Diagnostic, Diagnostics, Output, SourceFile, Span, codes};
use warpc_target::Sm;

/// Warns of what is strange about code. A word has the place of its line.
fn warn(sm: Sm, code: &[(u128, Span)], diagnostics: &mut Diagnostics) {
    let words: Vec<u128> = code.iter().map(|one| one.0).collect();
    for remark in schedule::remarks(sm, &words) {
        let span = code
            .get(remark.instruction)
            .map_or(Span::default(), |one| one.1);
        let warning = Diagnostic::warning(codes::SASS_SCHEDULE, span, remark.message);
        diagnostics.push(warning.help(remark.help));
    }
}

/// The text of a cubin. [`read`] makes the same cubin of it.
pub fn print(cubin: &Cubin) -> String {
    print::print(cubin)
}

/// The cubin of a text.
pub fn read(file: &SourceFile) -> Output<Cubin> {
    let mut diagnostics = Diagnostics::new();
    let text = read::read(file, &mut diagnostics);
    let cubin = match text.is_plain() {
        true => plain::assemble(&text, &mut diagnostics),
        false => assemble::assemble(&text, &mut diagnostics),
    };
    diagnostics.sort_by_place();
    Output {
        value: cubin.filter(|_| !diagnostics.has_errors()),
        diagnostics,
    }
}
