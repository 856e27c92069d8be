//! How the collection is stored: `tests/oracle/mutants.tsv.gz` and `tests/oracle/mutants.bases.gz`.
//!
//! A mutant is a base module and one edit in it. `docs/testing.md` describes both files byte by byte.

use crate::project::{self, Outcome};
use std::ops::Range;
use warpc_testkit::gzip;
use warpc_testkit::record::escape;

/// A module that ptxas accepts.
#[derive(Clone, Debug)]
pub struct Base {
    /// `b001` and so on.
    pub id: String,
    /// Target, as `sm_90a`.
    pub target: String,
    /// The ptxas that judges it.
    pub ptxas: String,
    /// The corpus file it was cut from.
    pub origin: String,
    /// The module.
    pub text: String,
}

/// One edit of one base, and what ptxas says about the result.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Number of its base in the list of bases.
    pub base: usize,
    /// What kind of fault it is.
    pub kind: &'static str,
    /// The opcode whose instruction was changed, or `-`.
    pub opcode: String,
    /// Bytes of the base that are replaced.
    pub range: Range<usize>,
    /// What stands there instead.
    pub replacement: String,
    /// `accept`, `reject` or `crash`.
    pub verdict: &'static str,
    /// The line ptxas names first, 0 when it names none.
    pub ptxas_line: usize,
    /// Its messages, at most three.
    pub message: String,
}

impl Mutant {
    /// The mutant's text.
    pub fn text(&self, bases: &[Base]) -> String {
        let mut text = bases[self.base].text.clone();
        text.replace_range(self.range.clone(), &self.replacement);
        text
    }
}

const HEADER: &str = "id\tbase\tkind\topcode\tstart\tend\treplacement\tline\tcolumn\tend_column\tverdict\tptxas_line\tmessage";

/// Writes both files and returns their sizes.
pub fn write(bases: &[Base], mutants: &[Mutant]) -> Outcome<(usize, usize)> {
    let dir = project::root().join("tests/oracle");
    let mut archive = String::new();
    for base in bases {
        let Base {
            id,
            target,
            ptxas,
            origin,
            text,
        } = base;
        archive.push_str(&format!(
            "==== {id} {target} {ptxas} {origin} {}\n{text}\n",
            text.len()
        ));
    }
    let mut table = format!("{HEADER}\n");
    for (n, m) in mutants.iter().enumerate() {
        let text = m.text(bases);
        let (line, column) = crate::ptx_shape::position(&text, m.range.start);
        let (last, end) = crate::ptx_shape::position(&text, m.range.start + m.replacement.len());
        // An edit over several lines is pointed at by its first one.
        let end = if last == line { end } else { column };
        let (base, instead, message) = (
            &bases[m.base].id,
            escape(&m.replacement),
            escape(&m.message),
        );
        table.push_str(&format!(
            "m{n:05}\t{base}\t{}\t{}\t{}\t{}\t{instead}\t{line}\t{column}\t{end}\t{}\t{}\t{message}\n",
            m.kind, m.opcode, m.range.start, m.range.end, m.verdict, m.ptxas_line
        ));
    }
    let (archive, table) = (gzip::pack(&archive), gzip::pack(&table));
    project::write(&dir.join("mutants.bases.gz"), &archive)?;
    project::write(&dir.join("mutants.tsv.gz"), &table)?;
    Ok((archive.len(), table.len()))
}
