//! Cubins and fatbins: any bytes give an answer, never a panic; and what is read is written back byte for byte.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_cubin::listing::{Ask, Disassembler, attributes, print};
use warpc_cubin::{Cubin, fatbin, verify};

fuzz_target!(|bytes: &[u8]| check(bytes));

/// Every word is a branch to some place.
struct Words;

impl Disassembler for Words {
    fn text(&self, word: u128, _address: u64, ask: &mut Ask<'_>) -> Option<String> {
        Some(format!("X {}", ask(word as u64)))
    }
}

fn check(bytes: &[u8]) {
    if let Ok(cubin) = Cubin::read(bytes) {
        assert!(cubin.write() == bytes);
        verify(&cubin);
        attributes(&cubin);
        print(&cubin, &Words);
    }
    if let Ok(entries) = fatbin::read(bytes) {
        for entry in entries {
            let _ = entry.unpacked();
        }
    }
}
