//! PTX: any bytes give a module or diagnostics, never a panic; and what is accepted prints stably.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_diag::SourceFile;

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Some(file) = SourceFile::new("fuzz.ptx", bytes) else {
        return;
    };
    let parsed = warpc_ptx::check(&file);
    if parsed.diagnostics.has_errors() {
        // Every message can be shown, wherever it points.
        warpc_diag::render_human(&file, &parsed.diagnostics, false);
        warpc_diag::render_json(&file, &parsed.diagnostics);
        return;
    }
    let module = parsed.unwrap();
    let once = warpc_ptx::print(&module);
    let again = SourceFile::new("again.ptx", once.as_bytes()).expect("our own print is short");
    let reparsed = warpc_ptx::check(&again);
    assert!(
        !reparsed.diagnostics.has_errors(),
        "our own print does not parse:\n{once}"
    );
    assert_eq!(once, warpc_ptx::print(&reparsed.unwrap()));
}
