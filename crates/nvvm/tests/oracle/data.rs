//! Reading what is recorded under `tests/oracle` and `tests/corpus`.

use flate2::read::GzDecoder;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The folder `tests` of the project.
pub fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// The folder of recorded answers: `WARPC_MUTANTS` for a fresh set of mutants.
fn recorded() -> PathBuf {
    match std::env::var_os("WARPC_MUTANTS") {
        Some(folder) => PathBuf::from(folder),
        None => tests().join("oracle"),
    }
}

/// The text of a compressed file.
pub fn uncompressed(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    GzDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text
}

/// The rows of a table, each a map from the column's title.
pub fn table(name: &str) -> Vec<HashMap<String, String>> {
    let text = uncompressed(&recorded().join(name));
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let row = |line: &str| {
        let cells = line.split('\t').map(str::to_string);
        header.iter().map(|t| t.to_string()).zip(cells).collect()
    };
    lines.map(row).collect()
}

/// The modules that mutants are edits of, by their ids.
pub fn bases(name: &str) -> HashMap<String, String> {
    let text = uncompressed(&recorded().join(name));
    let mut bases = HashMap::new();
    let mut rest = text.as_str();
    while let Some((head, after)) = rest.split_once('\n') {
        let words: Vec<&str> = head.split(' ').collect();
        let ["====", id, _, length] = words[..] else {
            panic!("not the head of a base: {head}");
        };
        let length: usize = length.parse().expect("a length");
        bases.insert(id.to_string(), after[..length].to_string());
        rest = &after[length + 1..];
    }
    bases
}

/// A cell of a table as it was before it was escaped.
pub fn unescape(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => {}
            },
            (c, false) => text.push(c),
        }
    }
    text
}
