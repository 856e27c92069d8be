//! String tables: a zero byte, then names with a zero after each.

use super::lex::quoted;
use std::collections::HashMap;
use std::fmt::Write;
use warpc_cubin::Content;
use warpc_cubin::Cubin;

/// Where the strings of a table start; of equal ones the first.
pub(super) struct StringTable {
    places: HashMap<Vec<u8>, u32>,
}

impl StringTable {
    pub fn new(bytes: &[u8]) -> StringTable {
        let mut places = HashMap::new();
        let mut start = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == 0 {
                places
                    .entry(bytes[start..at].to_vec())
                    .or_insert(start as u32);
                start = at + 1;
            }
        }
        StringTable { places }
    }

    /// The table in a section; an empty one if it holds none.
    pub fn of(cubin: &Cubin, section: usize) -> StringTable {
        match cubin.sections.get(section).map(|section| &section.content) {
            Some(Content::Bytes(bytes)) => StringTable::new(bytes),
            _ => StringTable::new(&[]),
        }
    }

    /// Where a string starts.
    pub fn place(&self, name: &[u8]) -> Option<u32> {
        self.places.get(name).copied()
    }
}

/// The table of some names, each once, in their order.
pub(super) fn of_names<'n>(names: impl IntoIterator<Item = &'n [u8]>) -> Vec<u8> {
    let mut bytes = vec![0];
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !name.is_empty() && seen.insert(name) {
            bytes.extend(name);
            bytes.push(0);
        }
    }
    bytes
}

/// Prints a table that is not the usual one.
pub(super) fn print(bytes: &[u8], out: &mut String) {
    if bytes.last() != Some(&0) {
        super::data::print(bytes, out);
        if bytes.is_empty() {
            // Not even the empty string, which a table without lines has.
            out.push_str("    .zero 0\n");
        }
        return;
    }
    let strings: Vec<String> = bytes[..bytes.len() - 1]
        .split(|&byte| byte == 0)
        .map(quoted)
        .collect();
    for row in strings.chunks(4) {
        // Writing to a string does not fail.
        let _ = writeln!(out, "    .string {}", row.join(", "));
    }
}
