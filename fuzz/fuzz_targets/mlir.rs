//! MLIR: any bytes give a module or diagnostics, never a panic; and what is accepted prints as LLVM IR that reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_diag::SourceFile;

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Some(file) = SourceFile::new("fuzz.mlir", bytes) else {
        return;
    };
    let read = warpc_mlir::read(&file);
    if read.diagnostics.has_errors() {
        // Every message can be shown, wherever it points.
        warpc_diag::render_human(&file, &read.diagnostics, false);
        warpc_diag::render_json(&file, &read.diagnostics);
        return;
    }
    let module = read.unwrap();
    warpc_nvvm::verify(&module);
    let text = warpc_nvvm::print(&module);
    let again = SourceFile::new("again.ll", text.as_bytes()).expect("our own print is short");
    assert!(
        !warpc_nvvm::read_text(&again).diagnostics.has_errors(),
        "our own print does not read:\n{text}"
    );
}
