//! Recorded answers of other tools: tables with a header, their escapes, and the modules that mutants are edits of.

use crate::{gzip, project};
use std::collections::HashMap;
use std::path::Path;

/// A table: cells between tabs, titles in the first line.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The titles of the columns.
    pub header: Vec<String>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of the project, compressed or not.
    ///
    /// # Panics
    /// If the file is missing or damaged.
    pub fn read(path: impl AsRef<Path>) -> Table {
        let split = |line: Vec<u8>| -> Vec<String> {
            let line = String::from_utf8_lossy(&line);
            line.split('\t').map(str::to_owned).collect()
        };
        let mut rows = lines(path).into_iter().map(split);
        Table {
            header: rows.next().unwrap_or_default(),
            rows: rows.collect(),
        }
    }

    /// The number of the column with a title.
    ///
    /// # Panics
    /// If there is none.
    pub fn column(&self, title: &str) -> usize {
        let found = self.header.iter().position(|other| other == title);
        found.unwrap_or_else(|| panic!("there is no column `{title}` in {:?}", self.header))
    }

    /// The rows, each a map from the titles to its cells.
    pub fn by_title(&self) -> Vec<HashMap<&str, &str>> {
        let mut all = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let cells = row.iter().map(String::as_str);
            all.push(self.header.iter().map(String::as_str).zip(cells).collect());
        }
        all
    }
}

/// The lines of a file of the project that are not empty, compressed or not; they need not be text.
///
/// # Panics
/// If the file is missing or damaged.
pub fn lines(path: impl AsRef<Path>) -> Vec<Vec<u8>> {
    let bytes = gzip::read(path);
    let lines = bytes.split(|&byte| byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(<[u8]>::to_vec).collect()
}

/// A text as the cell of a table.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
}

/// The cell of a table as it was before it was escaped: `\n`, `\t`, `\r`, `\0`, `\\`, `\xNN`.
pub fn unescape(cell: impl AsRef<[u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = cell.as_ref().iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|b| (b as char).to_digit(16)).unwrap_or(0);
        out.push(match bytes.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'0') => 0,
            Some(b'x') => (digit(bytes.next()) << 4 | digit(bytes.next())) as u8,
            Some(other) => other,
            None => b'\\',
        });
    }
    out
}

/// The modules of an archive `==== ID … LENGTH`, by their ids.
///
/// # Panics
/// If the file is missing or damaged.
pub fn bases(path: impl AsRef<Path>) -> HashMap<String, Vec<u8>> {
    let data = gzip::read(path);
    let mut rest = &data[..];
    let mut bases = HashMap::new();
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let header = String::from_utf8_lossy(&rest[..end]).into_owned();
        let fields: Vec<&str> = header.split(' ').collect();
        let ["====", id, .., length] = fields[..] else {
            panic!("not the header of a module: {header}");
        };
        let length: usize = length.parse().expect("the length of a module");
        bases.insert(id.to_owned(), rest[end + 1..end + 1 + length].to_vec());
        rest = &rest[end + 2 + length..];
    }
    bases
}

/// Where we knowingly differ from a recorded table: patterns and reasons.
#[derive(Clone, Debug)]
pub struct Exceptions(Vec<(String, String)>);

impl Exceptions {
    /// The exceptions of one table, from `tests/oracle/exceptions.tsv`.
    ///
    /// # Panics
    /// If the file is missing.
    pub fn of(table: &str) -> Exceptions {
        let text = gzip::read_text(project::oracle("exceptions.tsv"));
        let rows = text.lines().filter(|line| !line.starts_with('#'));
        let rows = rows.filter_map(|line| {
            let mut fields = line.split('\t');
            let mut next = || fields.next().unwrap_or_default().to_owned();
            (next() == table).then(|| (next(), next()))
        });
        Exceptions(rows.collect())
    }

    /// The reason why a row differs, if it is known.
    pub fn reason(&self, text: &str) -> Option<&str> {
        let mut all = self.0.iter();
        let found = all.find(|(pattern, _)| matches(pattern, text));
        found.map(|(_, reason)| reason.as_str())
    }
}

/// Whether a text matches a pattern in which `*` is any text.
pub fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|i| rest.is_char_boundary(i) && matches(after, &rest[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Folder;

    #[test]
    fn cells_come_back() {
        let text = "a\tb\n\\n\\";
        assert!(!escape(text).contains(['\t', '\n']));
        assert_eq!(unescape(escape(text)), text.as_bytes());
        assert_eq!(unescape(r"\x41\0\r\"), b"A\0\r\\");
    }

    #[test]
    fn tables_have_titles() {
        let folder = Folder::new("record");
        let path = folder.file("a.tsv.gz", gzip::pack("id\ttext\n1\tone\n\n2\ttwo\n"));
        let table = Table::read(path);
        assert_eq!(table.column("text"), 1);
        assert_eq!(table.rows, [["1", "one"], ["2", "two"]]);
        assert_eq!(table.by_title()[1]["text"], "two");
    }

    #[test]
    fn bases_are_taken_by_their_lengths() {
        let folder = Folder::new("record");
        let path = folder.file("a", "==== a x.ptx 3\nb\nc\n==== d 0\n\n");
        let bases = bases(path);
        assert_eq!((&bases["a"][..], &bases["d"][..]), (&b"b\nc"[..], &b""[..]));
    }

    #[test]
    fn stars_are_any_text() {
        assert!(matches("a*c*", "abc") && matches("a*c*", "acd"));
        assert!(!matches("a*c", "abd") && !matches("a", "ab"));
    }
}
