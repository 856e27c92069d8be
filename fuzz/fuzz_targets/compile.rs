//! LLVM IR to PTX: what the verifier accepts is compiled or refused by name, never a panic; and the PTX made is right.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_diag::SourceFile;
use warpc_target::Sm;

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Some(file) = SourceFile::new("fuzz.ll", bytes) else {
        return;
    };
    let read = warpc_nvvm::read_text(&file);
    let Some(mut module) = read
        .value
        .filter(|module| !warpc_nvvm::verify(module).has_errors())
    else {
        return;
    };
    let sm: Sm = "sm_75".parse().expect("a chip");
    let mut options = warpc_lower::Options::default();
    options.sm = sm;
    if warpc_lower::run(&mut module, &options, &mut |_, _| {}).has_errors() {
        return;
    }
    let mut options = warpc_nvvm_to_ptx::Options::new(sm);
    options.lineinfo = true;
    let made = warpc_nvvm_to_ptx::compile(&module, options);
    warpc_diag::render_human(&file, &made.diagnostics, false);
    let Some(made) = made.value else {
        assert!(made.diagnostics.has_errors(), "refused without a reason");
        return;
    };
    let text = warpc_ptx::print(&made);
    let again = SourceFile::new("again.ptx", text.as_bytes()).expect("our own print is short");
    let reread = warpc_ptx::check(&again);
    assert!(
        !reread.diagnostics.has_errors(),
        "our own PTX is not right:\n{text}"
    );
}
