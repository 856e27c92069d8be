//! Fatbins, alone and in files for the host: any bytes give an answer, and what is unpacked is as long as was said.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_cubin::fatbin;

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Ok(entries) = fatbin::read(bytes) else {
        return;
    };
    for entry in entries {
        if let Ok(unpacked) = entry.unpacked() {
            assert!(unpacked.len() as u64 <= entry.size);
        }
    }
}
