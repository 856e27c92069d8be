//! PTX to machine code: any PTX gives a cubin that reads back and has no finding, or messages; never a panic, and never a
//! message that says the assembler is at fault.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc::{Kind, Options, Source};

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Ok(source) = Source::of_kind(Kind::Ptx, "fuzz.ptx", bytes) else {
        return;
    };
    let mut options = Options::new("sm_90a".parse().expect("a chip"));
    options.assembler.verify = true;
    // The first byte says how, so that all ways are tried.
    let way = bytes.first().copied().unwrap_or(0);
    options.assembler.serial = way % 3 == 1;
    options.assembler.spill = way % 3 == 2;
    let made = warpc::assemble(&source, &options);
    for one in made.diagnostics.as_slice() {
        assert!(
            one.code != warpc_diag::codes::INTERNAL,
            "{}",
            one.message
        );
    }
    if let Some(cubin) = made.value {
        let bytes = cubin.write();
        let read = warpc_cubin::Cubin::read(&bytes);
        assert!(read.is_ok_and(|read| read == cubin), "another cubin");
    }
}
