//! Recorded answers of ptxas, from `tests/oracle` at the top of the project.

use flate2::read::GzDecoder;
use std::collections::HashMap;
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

/// Undoes the escapes of tables: `\n`, `\t`, `\r`, `\0`, `\\`, `\xNN`.
pub fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.iter().copied();
    while let Some(b) = bytes.next() {
        if b != b'\\' {
            out.push(b);
            continue;
        }
        out.push(match bytes.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'0') => 0,
            Some(b'x') => {
                let digit =
                    |b: Option<u8>| b.and_then(|b| (b as char).to_digit(16)).unwrap_or(0) as u8;
                let high = digit(bytes.next());
                high << 4 | digit(bytes.next())
            }
            Some(other) => other,
            None => b'\\',
        });
    }
    out
}

/// The modules that the mutants were made of, by name.
pub fn bases() -> HashMap<String, Vec<u8>> {
    let data = bytes("mutants.bases.gz");
    let mut rest = &data[..];
    let mut bases = HashMap::new();
    while let Some(end) = rest.iter().position(|&b| b == b'\n') {
        let header = String::from_utf8_lossy(&rest[..end]).into_owned();
        let fields: Vec<&str> = header.split(' ').collect();
        let [_, id, .., len] = fields[..] else {
            panic!("a header of {} fields", fields.len());
        };
        let len: usize = len.parse().expect("the length of a base");
        bases.insert(id.to_owned(), rest[end + 1..end + 1 + len].to_vec());
        rest = &rest[end + 2 + len..];
    }
    bases
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
