//! `target/corpus/ll/manifest.tsv`: one row for each module.
//!
//! Columns: path below the corpus folder, producer, variant, size in bytes, a hash of the text, LLVM's verdict
//! (`accept`, `reject` or `unknown`), the reader that took it, a hash of what LLVM prints of it, and the first message.

use crate::project::{self, Outcome};
use std::path::PathBuf;

/// One row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Path below the corpus folder.
    pub path: String,
    /// What made it.
    pub producer: String,
    /// Which build.
    pub variant: String,
    /// Size.
    pub bytes: u64,
    /// Hash of the text, so that a verdict is kept only for the text it was given on.
    pub hash: String,
    /// The verdict.
    pub verdict: String,
    /// Which reader took it (see [`crate::ll::read`]).
    pub reader: String,
    /// Hash of what LLVM 22 prints of it (see [`crate::ll::same::digest`]).
    pub printed: String,
    /// What LLVM said first.
    pub message: String,
}

const HEADER: &str = "path\tproducer\tvariant\tbytes\thash\tverdict\treader\tprinted\tmessage";

fn file() -> PathBuf {
    project::corpus_dir().join("ll/manifest.tsv")
}

/// Reads the manifest of an earlier run.
pub fn read() -> Outcome<Vec<Row>> {
    let text = project::read(&file())?;
    if text.lines().next() != Some(HEADER) {
        return Err("the manifest is that of another version".into());
    }
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_string);
        let mut cell = || cells.next().unwrap_or_default();
        Row {
            path: cell(),
            producer: cell(),
            variant: cell(),
            bytes: cell().parse().unwrap_or(0),
            hash: cell(),
            verdict: cell(),
            reader: cell(),
            printed: cell(),
            message: cell(),
        }
    };
    Ok(text.lines().skip(1).map(row).collect())
}

/// Writes the manifest.
pub fn write(rows: &[Row]) -> Outcome {
    let mut text = format!("{HEADER}\n");
    for r in rows {
        let bytes = r.bytes.to_string();
        let cells = [
            &r.path,
            &r.producer,
            &r.variant,
            &bytes,
            &r.hash,
            &r.verdict,
            &r.reader,
            &r.printed,
            &r.message,
        ];
        text.push_str(&cells.map(String::as_str).join("\t"));
        text.push('\n');
    }
    project::write(&file(), text)
}
