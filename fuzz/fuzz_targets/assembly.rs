//! Assembly texts of cubins: any text is a cubin or gives messages; the text of that cubin makes the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc_diag::SourceFile;

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Some(file) = SourceFile::new("fuzz.sass", bytes) else {
        return;
    };
    let assembled = warpc::assemble(&file);
    let failed = |checked: &warpc::Checked<_>| {
        let mut all = checked.diagnostics.as_slice().iter();
        assert!(all.all(|one| one.code != warpc_diag::codes::INTERNAL));
    };
    failed(&assembled);
    let Some(cubin) = assembled.module else {
        return;
    };
    let text = warpc::reassemblable(&cubin);
    let file = SourceFile::new("again.sass", text.as_str()).expect("our own print is short");
    let again = warpc::assemble(&file);
    failed(&again);
    let again = again.module.map(|cubin| cubin.write());
    assert!(again == Some(cubin.write()), "another cubin from:\n{text}");
}
