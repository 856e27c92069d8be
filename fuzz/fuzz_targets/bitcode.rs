//! LLVM bitcode: any bytes give modules or diagnostics, never a panic; and what is accepted can be verified and printed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_diag::SourceFile;

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Some(file) = SourceFile::new("fuzz.bc", bytes) else {
        return;
    };
    let read = warpc_nvvm::bitcode::read_modules(&file);
    warpc_diag::render_human(&file, &read.diagnostics, false);
    warpc_diag::render_json(&file, &read.diagnostics);
    for mut module in read.value.into_iter().flatten() {
        warpc_nvvm::verify(&module);
        warpc_nvvm::print(&module);
        warpc_nvvm::upgrade_intrinsics(&mut module);
        warpc_nvvm::print(&module);
    }
}
