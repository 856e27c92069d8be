//! Assembly texts of cubins: any text is a cubin or gives messages; the text of that cubin makes the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use warpc::{Kind, Options, Output, Source};

fuzz_target!(|bytes: &[u8]| check(bytes));

fn check(bytes: &[u8]) {
    let Ok(source) = Source::of_kind(Kind::Sass, "fuzz.sass", bytes) else {
        return;
    };
    let assembled = warpc::assemble(&source, &Options::default());
    let failed = |made: &Output<_>| {
        let mut all = made.diagnostics.as_slice().iter();
        assert!(all.all(|one| one.code != warpc_diag::codes::INTERNAL));
    };
    failed(&assembled);
    let Some(cubin) = assembled.value else {
        return;
    };
    let text = warpc::reassemblable(&cubin);
    let source = Source::new("again.sass", text.as_str()).expect("our own print is short");
    let again = warpc::assemble(&source, &Options::default());
    failed(&again);
    let again = again.value.map(|cubin| cubin.write());
    assert!(again == Some(cubin.write()), "another cubin from:\n{text}");
}
