//! String tables: names one after the other, in the order in which ptxas makes sections and symbols.

use std::collections::HashMap;

/// A string table that grows.
pub struct Names {
    bytes: Vec<u8>,
    places: HashMap<String, u32>,
}

impl Names {
    /// A table with the empty name that every table starts with.
    pub fn new() -> Names {
        Names {
            bytes: vec![0],
            places: HashMap::new(),
        }
    }

    /// Adds a name.
    pub fn add(&mut self, name: &str) {
        self.add_in_room_for(name, name.len());
    }

    /// Adds a name in place of one of so many bytes: ptxas renames sections late, and zeros stay after the shorter
    /// name.
    pub fn add_in_room_for(&mut self, name: &str, length: usize) {
        self.places.insert(name.to_owned(), self.bytes.len() as u32);
        self.bytes.extend(name.bytes());
        self.bytes
            .resize(self.bytes.len() + length.saturating_sub(name.len()) + 1, 0);
    }

    /// Where a name is; 0, the empty name, if it is not there.
    pub fn place(&self, name: &str) -> u32 {
        self.places.get(name).copied().unwrap_or(0)
    }

    /// The table.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
