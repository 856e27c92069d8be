//! How the collection is stored: `tests/oracle/ll_mutants.bases.gz` and `tests/oracle/ll_mutants.tsv.gz`.
//!
//! The first holds the bases, each after a line `==== ID ORIGIN LENGTH` and followed by a newline; the second is a
//! table with a row for each mutant. `docs/testing.md` describes both.

use crate::project::{self, Outcome};
use std::ops::Range;
use std::path::Path;
use warpc_testkit::gzip;
use warpc_testkit::record::escape;

/// A module that LLVM accepts.
#[derive(Clone, Debug)]
pub struct Base {
    /// `b001` and so on.
    pub id: String,
    /// The file it comes from.
    pub origin: String,
    /// The module.
    pub text: String,
}

impl Base {
    /// The base with this number.
    pub fn new(number: usize, origin: &str, text: &str) -> Base {
        Base {
            id: format!("b{number:03}"),
            origin: origin.to_string(),
            text: text.to_string(),
        }
    }
}

/// One edit of one base, and what LLVM says about the result.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Number of its base in the list of bases.
    pub base: usize,
    /// The rule it tries, or the kind of fault it is.
    pub kind: String,
    /// Bytes of the base that are replaced.
    pub range: Range<usize>,
    /// What stands there instead.
    pub replacement: String,
    /// `accept`, `reject`, `strip` (taken without its debug information) or `crash`.
    pub verdict: &'static str,
    /// The line LLVM names, 0 when it names none (its verifier does not).
    pub llvm_line: usize,
    /// Its first message.
    pub message: String,
}

impl Mutant {
    /// A mutant that has not been judged.
    pub fn new(base: usize, kind: &str, range: Range<usize>, replacement: String) -> Mutant {
        Mutant {
            base,
            kind: kind.to_string(),
            range,
            replacement,
            verdict: "",
            llvm_line: 0,
            message: String::new(),
        }
    }

    /// The mutant's text.
    pub fn text(&self, bases: &[Base]) -> String {
        let mut text = bases[self.base].text.clone();
        text.replace_range(self.range.clone(), &self.replacement);
        text
    }
}

const HEADER: &str = "id\tbase\tkind\tstart\tend\treplacement\tline\tverdict\tllvm_line\tmessage";

/// Writes both files and returns their sizes. The column `line` is where the edit begins, counted from 1.
pub fn write(dir: &Path, bases: &[Base], mutants: &[Mutant]) -> Outcome<(usize, usize)> {
    project::make_dir(dir)?;
    let mut archive = String::new();
    for Base { id, origin, text } in bases {
        archive.push_str(&format!("==== {id} {origin} {}\n{text}\n", text.len()));
    }
    let mut table = format!("{HEADER}\n");
    for (n, m) in mutants.iter().enumerate() {
        let base = &bases[m.base];
        let before = &base.text[..m.range.start];
        let line = 1 + before.bytes().filter(|b| *b == b'\n').count();
        table.push_str(&format!(
            "l{n:04}\t{}\t{}\t{}\t{}\t{}\t{line}\t{}\t{}\t{}\n",
            base.id,
            m.kind,
            m.range.start,
            m.range.end,
            escape(&m.replacement),
            m.verdict,
            m.llvm_line,
            escape(&m.message)
        ));
    }
    let (archive, table) = (gzip::pack(&archive), gzip::pack(&table));
    project::write(&dir.join("ll_mutants.bases.gz"), &archive)?;
    project::write(&dir.join("ll_mutants.tsv.gz"), &table)?;
    Ok((archive.len(), table.len()))
}
