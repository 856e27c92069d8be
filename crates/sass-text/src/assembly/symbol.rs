//! What a symbol is, as words.

use super::lex::Line;
use super::outline::Outline;
use object::elf;
use std::collections::HashMap;
use std::fmt::Write;
use warpc_cubin::Symbol;

const KINDS: [(&str, u8); 5] = [
    ("notype", elf::STT_NOTYPE),
    ("object", elf::STT_OBJECT),
    ("func", elf::STT_FUNC),
    ("section", elf::STT_SECTION),
    ("file", elf::STT_FILE),
];

const BINDINGS: [(&str, u8); 3] = [
    ("local", elf::STB_LOCAL),
    ("global", elf::STB_GLOBAL),
    ("weak", elf::STB_WEAK),
];

/// Prints kind, binding and marks.
pub(super) fn print_kind(symbol: &Symbol, out: &mut String) {
    let word = |words: &[(&'static str, u8)], value: u8| {
        words.iter().find(|(_, one)| *one == value).map(|one| one.0)
    };
    let kind = word(&KINDS, symbol.kind());
    let binding = word(&BINDINGS, symbol.binding());
    // Writing to a string does not fail.
    let _ = match (kind, binding) {
        (Some("section"), Some("local")) => write!(out, ", section"),
        (Some(kind), Some(binding)) => write!(out, ", {kind}, {binding}"),
        _ => write!(out, ", type {:#x}", symbol.info),
    };
    let _ = match symbol.other {
        0 => Ok(()),
        Symbol::ENTRY => write!(out, ", entry"),
        other => write!(out, ", other {other:#x}"),
    };
}

/// Reads one word of a kind, if it is one.
pub(super) fn read_kind(line: &mut Line<'_>, symbol: &mut Symbol) -> bool {
    let Some(word) = line.peek_word() else {
        return false;
    };
    let find = |words: &[(&str, u8)]| words.iter().find(|one| one.0 == word).map(|one| one.1);
    if let Some(kind) = find(&KINDS) {
        symbol.info = symbol.info & 0xf0 | kind;
    } else if let Some(binding) = find(&BINDINGS) {
        symbol.info = symbol.info & 0xf | binding << 4;
    } else if word == "entry" {
        symbol.other |= Symbol::ENTRY;
    } else {
        return false;
    }
    line.word();
    true
}

/// The section of a symbol about which nothing is said.
pub(super) fn usual_section(outline: &Outline, symbol: &Symbol, name: &[u8]) -> Option<usize> {
    match symbol.kind() {
        elf::STT_SECTION => outline.section(name),
        elf::STT_FUNC => outline.section(&[b".text.", name].concat()),
        _ => None,
    }
}

/// Where functions start, by section.
pub(super) struct Starts(HashMap<u16, Vec<u64>>);

impl Starts {
    pub fn of(symbols: &[Symbol]) -> Starts {
        let mut all: HashMap<u16, Vec<u64>> = HashMap::new();
        for symbol in symbols {
            if symbol.kind() == elf::STT_FUNC {
                all.entry(symbol.section).or_default().push(symbol.value);
            }
        }
        all.values_mut().for_each(|starts| starts.sort_unstable());
        Starts(all)
    }

    /// How many bytes a symbol has that nothing is said about: the function that a section is named after all of it,
    /// others up to the next function, what is not a function none.
    pub fn usual_size(&self, symbol: &Symbol, name: &[u8], home: &[u8], home_size: u64) -> u64 {
        if symbol.kind() != elf::STT_FUNC {
            return 0;
        }
        let rest = home_size.saturating_sub(symbol.value);
        if home.strip_prefix(b".text.") == Some(name) {
            return rest;
        }
        let starts = self.0.get(&symbol.section).map_or(&[][..], Vec::as_slice);
        let later = starts.partition_point(|&start| start <= symbol.value);
        let next = starts.get(later).map(|next| next - symbol.value);
        next.map_or(rest, |size| size.min(rest))
    }
}
