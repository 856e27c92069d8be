//! Names as numbers.
//!
//! A module holds each distinct name once; everything else speaks of [`Symbol`]s. Real PTX is
//! mostly register names, so the table is flat: one buffer with all texts and one open-addressed
//! array of indices.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A name of one module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(u32);

impl Symbol {
    /// The symbol at a position of the table; whoever makes one knows which table.
    pub fn from_index(index: usize) -> Symbol {
        Symbol(index as u32)
    }

    /// Position in the table, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of a module.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    text: String,
    /// Where each name ends in `text`; it starts where the one before ends.
    ends: Vec<u32>,
    /// Open-addressed hash table of symbol numbers plus one; zero is free.
    slots: Vec<u32>,
}

impl SymbolTable {
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All names, in the order in which they came in.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Symbol> + use<> {
        (0..self.ends.len()).map(Symbol::from_index)
    }

    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        let i = symbol.index();
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.text[start..self.ends[i] as usize]
    }

    fn bytes(&self, symbol: Symbol) -> &[u8] {
        let i = symbol.index();
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.text.as_bytes()[start..self.ends[i] as usize]
    }

    /// The symbol of a name, if it was ever interned.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.probe(name.as_bytes())] {
            0 => None,
            number => Some(Symbol(number - 1)),
        }
    }

    /// The symbol of a name, made if need be.
    pub fn intern(&mut self, name: &str) -> Symbol {
        self.intern_ascii(name.as_bytes())
    }

    /// The same for a name that is known to be ASCII, without looking at it again.
    pub(crate) fn intern_ascii(&mut self, name: &[u8]) -> Symbol {
        if (self.ends.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.probe(name);
        if self.slots[slot] != 0 {
            return Symbol(self.slots[slot] - 1);
        }
        // Names were strings when they came in, or bytes that the lexer knows to be ASCII.
        self.text.push_str(std::str::from_utf8(name).unwrap_or(""));
        self.ends.push(self.text.len() as u32);
        self.slots[slot] = self.ends.len() as u32;
        Symbol(self.ends.len() as u32 - 1)
    }

    /// The slot that holds the name, or the free one where it belongs.
    fn probe(&self, name: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(name) & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                number if self.bytes(Symbol(number - 1)) == name => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(256);
        self.slots = vec![0; size];
        for i in 0..self.ends.len() {
            let slot = self.probe(self.bytes(Symbol(i as u32)));
            self.slots[slot] = i as u32 + 1;
        }
    }
}

fn hash(name: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    // The low bits of the product are weak; fold the high ones in.
    let hash = hasher.finish();
    (hash ^ (hash >> 29)) as usize
}

impl PartialEq for SymbolTable {
    fn eq(&self, other: &SymbolTable) -> bool {
        self.text == other.text && self.ends == other.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names() {
        let mut table = SymbolTable::default();
        let symbols: Vec<Symbol> = (0..5000).map(|i| table.intern(&format!("%r{i}"))).collect();
        for (i, &symbol) in symbols.iter().enumerate() {
            assert_eq!(table.name(symbol), format!("%r{i}"));
            assert_eq!(table.find(&format!("%r{i}")), Some(symbol));
            assert_eq!(table.intern(&format!("%r{i}")), symbol);
        }
        assert_eq!(table.find("%x"), None);
        assert_eq!(table.len(), 5000);
    }
}
