//! Cubins: any bytes give an answer, never a panic; what is read is written back byte for byte, and listed in bounded
//! room.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_cubin::listing::{Ask, Disassembler, Layout, attributes, print, print_as};
use warpc_cubin::{Cubin, verify};
use warpc_sass::print::{At, text};
use warpc_target::Sm;

fuzz_target!(|bytes: &[u8]| check(bytes));

/// The instructions of a chip; every other word is a branch to some place.
struct Words(Option<Sm>);

impl Disassembler for Words {
    fn text(&self, word: u128, address: u64, ask: &mut Ask<'_>) -> Option<String> {
        let known = self.0.and_then(|chip| text(chip, word, &At(address)));
        Some(known.unwrap_or_else(|| format!("X {}", ask(word as u64))))
    }
}

/// A listing holds at most so many bytes for each of the file's, and so many more.
const SHARE: usize = 512;
const LEAST: usize = 1 << 26;

fn check(bytes: &[u8]) {
    let Ok(cubin) = Cubin::read(bytes) else {
        return;
    };
    assert!(cubin.write() == bytes);
    verify(&cubin);
    attributes(&cubin);
    let words = Words(cubin.chip());
    let listing = print(&cubin, &words);
    assert!(listing.len() <= SHARE * bytes.len() + LEAST);
    let layout = Layout {
        words: true,
        function: Some("k"),
    };
    print_as(&cubin, &words, layout);
}
