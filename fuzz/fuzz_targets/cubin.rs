//! Cubins: any bytes give an answer, never a panic; what is read is written back byte for byte, and listed in bounded
//! room.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_cubin::{Cubin, verify};
use warpc_sass_text::listing::{Layout, attributes, print, print_as};

fuzz_target!(|bytes: &[u8]| check(bytes));

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
    let listing = print(&cubin);
    assert!(listing.len() <= SHARE * bytes.len() + LEAST);
    let layout = Layout {
        words: true,
        function: Some("k"),
    };
    print_as(&cubin, layout);
}
