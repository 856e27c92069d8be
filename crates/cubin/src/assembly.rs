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
//!
//! The crate knows no instruction: a caller brings [`Instructions`].

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

use crate::info::Record;
use crate::listing::Ask;
use crate::model::Cubin;
use std::ops::Range;
use warpc_diag::{Code, Diagnostic, Diagnostics, SourceFile, Span, codes};
use warpc_target::Sm;

/// Who knows instructions.
pub trait Instructions {
    /// The text of an instruction at an address with its control word, without the semicolon: a text that
    /// [`Instructions::word`] takes back to the same word. Nothing if there is no such text. Places that it goes to
    /// are named by `ask`.
    fn text(&self, sm: Sm, word: u128, address: u64, ask: &mut Ask<'_>) -> Option<String>;

    /// The word of a text at an address. `place` knows where labels are.
    fn word(
        &self,
        sm: Sm,
        text: &str,
        address: u64,
        place: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<u128, Refusal>;

    /// What the code of a kernel implies.
    fn facts(&self, sm: Sm, code: &[u128]) -> Facts;

    /// What is strange about code, though it can be assembled.
    fn remarks(&self, sm: Sm, code: &[u128]) -> Vec<Remark>;

    /// What must stand behind the code of a kernel.
    fn padding(&self, sm: Sm, code: &[u128]) -> Vec<u128>;
}

/// What code implies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Places of the instructions that end threads.
    pub exits: Vec<u32>,
    /// How many barriers of a block it uses.
    pub barriers: u8,
    /// How many registers its instructions name, counted from 0.
    pub registers: u32,
    /// Other attributes.
    pub attributes: Vec<Record>,
}

/// Something strange about an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The instruction, by its number in the code.
    pub instruction: usize,
    /// What is strange.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// Warns of what is strange about code. A word has the place of its line.
fn warn(
    instructions: &dyn Instructions,
    sm: Sm,
    code: &[(u128, Span)],
    diagnostics: &mut Diagnostics,
) {
    let words: Vec<u128> = code.iter().map(|one| one.0).collect();
    for remark in instructions.remarks(sm, &words) {
        let span = code
            .get(remark.instruction)
            .map_or(Span::default(), |one| one.1);
        let warning = Diagnostic::warning(codes::SASS_SCHEDULE, span, remark.message);
        diagnostics.push(warning.help(remark.help));
    }
}

/// Why a text is no instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The code of the diagnostic.
    pub code: Code,
    /// The bytes of the text that it is about.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do; may be empty.
    pub help: String,
}

/// What became of a text.
#[derive(Debug)]
pub struct Assembled {
    /// The cubin, if nothing is wrong.
    pub cubin: Option<Cubin>,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

/// The text of a cubin. [`read`] makes the same cubin of it.
pub fn print(cubin: &Cubin, instructions: &dyn Instructions) -> String {
    print::print(cubin, instructions)
}

/// The cubin of a text.
pub fn read(file: &SourceFile, instructions: &dyn Instructions) -> Assembled {
    let mut diagnostics = Diagnostics::new();
    let text = read::read(file, &mut diagnostics);
    let cubin = match text.is_plain() {
        true => plain::assemble(&text, instructions, &mut diagnostics),
        false => assemble::assemble(&text, instructions, &mut diagnostics),
    };
    diagnostics.sort_by_place();
    Assembled {
        cubin: cubin.filter(|_| !diagnostics.has_errors()),
        diagnostics,
    }
}
