//! The linker: any modules that are read and verified link to one that prints and reads back, or give messages;
//! never a panic.
//!
//! The input holds several modules, separated by lines with `;----`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_diag::SourceFile;
use warpc_nvvm::LinkOptions;

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let parts: Vec<&str> = text.split("\n;----\n").take(4).collect();
    let modules = || {
        parts.iter().filter_map(|part| {
            let file = SourceFile::new("fuzz.ll", *part)?;
            let read = warpc_nvvm::read_text(&file);
            read.value
                .filter(|module| !warpc_nvvm::verify(module).has_errors())
        })
    };
    // A single module is linked with itself: every name meets itself.
    let twice = if parts.len() == 1 { 2 } else { 1 };
    for library in [false, true] {
        let options = LinkOptions {
            only_needed: library,
            internalize_added: library,
        };
        let linked = warpc_nvvm::link((0..twice).flat_map(|_| modules()).collect(), options);
        // Modules that are right can make one that is not; then both verdicts must be given.
        if linked.has_errors() || linked.verify().is_err() {
            continue;
        }
        let text = warpc_nvvm::print(&linked.module);
        let again = SourceFile::new("again.ll", text.as_str()).expect("our own print is short");
        assert!(
            !warpc_nvvm::read_text(&again).diagnostics.has_errors(),
            "our own print does not read:\n{text}"
        );
    }
}
