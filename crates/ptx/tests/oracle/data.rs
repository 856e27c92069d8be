//! Recorded answers of ptxas, from `tests/oracle` at the top of the project.

use flate2::read::GzDecoder;
use std::io::Read;
use std::path::PathBuf;

/// The folder with the recorded answers.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle")
}

/// The contents of a compressed file.
pub fn bytes(name: &str) -> Vec<u8> {
    let path = folder().join(name);
    let file =
        std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    GzDecoder::new(file)
        .read_to_end(&mut bytes)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    bytes
}

/// A compressed table as lines of bytes; the first is the header.
pub fn lines(name: &str) -> Vec<Vec<u8>> {
    bytes(name)
        .split(|&b| b == b'\n')
        .filter(|line| !line.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

/// A compressed table of text: header and rows.
pub fn table(name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let split = |line: Vec<u8>| -> Vec<String> {
        String::from_utf8_lossy(&line)
            .split('\t')
            .map(str::to_owned)
            .collect()
    };
    let mut rows = lines(name).into_iter().map(split);
    let header = rows.next().unwrap_or_default();
    (header, rows.collect())
}

/// Where we knowingly differ: file, pattern with `*`, reason.
pub struct Exceptions(Vec<(String, String)>);

impl Exceptions {
    /// The exceptions for one table, from `exceptions.tsv`.
    pub fn of(file: &str) -> Exceptions {
        let path = folder().join("exceptions.tsv");
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let rows = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| {
                let mut fields = line.split('\t');
                (fields.next() == Some(file)).then(|| {
                    (
                        fields.next().unwrap_or_default().to_owned(),
                        fields.next().unwrap_or_default().to_owned(),
                    )
                })
            });
        Exceptions(rows.collect())
    }

    /// The reason why a row differs, if it is known.
    pub fn reason(&self, text: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(pattern, _)| glob(pattern, text))
            .map(|(_, reason)| reason.as_str())
    }
}

/// Whether a text matches a pattern in which `*` stands for anything.
fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|i| rest.is_char_boundary(i) && glob(after, &rest[i..]))
        }),
    }
}
