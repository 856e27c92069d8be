//! `manifest.tsv`: one row for each corpus file.
//!
//! Columns: path below the corpus folder, tool, target, the ptxas that judged it (`13.4`, `12.9`, or `-` when
//! it was not to be had), that run's extra options, `accept`/`reject`/`crash`/`unknown`, size in bytes, a hash
//! of the text, and the first message.

use crate::project::{self, Outcome};

/// One row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Path below the corpus folder.
    pub path: String,
    /// Tool that made it.
    pub tool: String,
    /// Its `.target`'s chip, as `sm_90a`.
    pub target: String,
    /// Version of the ptxas that judged it.
    pub ptxas: String,
    /// Options beyond `-arch`.
    pub options: String,
    /// The verdict.
    pub verdict: String,
    /// Size.
    pub bytes: u64,
    /// Hash of the text, so that a verdict is kept only for the text it was given on.
    pub hash: String,
    /// What ptxas said first.
    pub message: String,
}

const HEADER: &str = "path\ttool\ttarget\tptxas\toptions\tverdict\tbytes\thash\tmessage";

fn file() -> std::path::PathBuf {
    project::corpus_dir().join("manifest.tsv")
}

/// Reads the manifest of an earlier run.
pub fn read() -> Outcome<Vec<Row>> {
    let text = project::read(&file())?;
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_string);
        let mut cell = || cells.next().unwrap_or_default();
        Row {
            path: cell(),
            tool: cell(),
            target: cell(),
            ptxas: cell(),
            options: cell(),
            verdict: cell(),
            bytes: cell().parse().unwrap_or(0),
            hash: cell(),
            message: cell(),
        }
    };
    Ok(text.lines().skip(1).map(row).collect())
}

/// Writes the manifest.
pub fn write(rows: &[Row]) -> Outcome {
    let mut text = format!("{HEADER}\n");
    for r in rows {
        let cells = [
            &r.path,
            &r.tool,
            &r.target,
            &r.ptxas,
            &r.options,
            &r.verdict,
            &r.bytes.to_string(),
            &r.hash,
            &r.message,
        ];
        text.push_str(&cells.map(String::as_str).join("\t"));
        text.push('\n');
    }
    project::write(&file(), text)
}
