//! LLVM IR: any bytes give a module or diagnostics, never a panic; and what is accepted prints stably.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_diag::SourceFile;

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Some(file) = SourceFile::new("fuzz.ll", bytes) else {
        return;
    };
    let read = warpc_nvvm::read_text(&file);
    if read.diagnostics.has_errors() {
        // Every message can be shown, wherever it points.
        warpc_diag::render_human(&file, &read.diagnostics, false);
        warpc_diag::render_json(&file, &read.diagnostics);
        return;
    }
    let mut module = read.unwrap();
    // Modules that are read but not right are checked, printed and read back all the same.
    warpc_nvvm::verify(&module);
    let once = warpc_nvvm::print(&module);
    let again = SourceFile::new("again.ll", once.as_bytes()).expect("our own print is short");
    let reread = warpc_nvvm::read_text(&again);
    assert!(
        !reread.diagnostics.has_errors(),
        "our own print does not read:\n{once}"
    );
    assert_eq!(once, warpc_nvvm::print(&reread.unwrap()));
    warpc_nvvm::upgrade_intrinsics(&mut module);
    warpc_nvvm::print(&module);
}
