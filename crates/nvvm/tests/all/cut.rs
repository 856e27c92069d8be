//! Real modules, cut at ten thousand places: each part is read or refused, and what is read can be verified and
//! printed.

use crate::data::bases;
use warpc_diag::SourceFile;

const PLACES: usize = 10_000;

#[test]
fn cut_modules_are_answered() {
    let bases = bases();
    let total: usize = bases.values().map(String::len).sum();
    let step = (total / PLACES).max(1);
    let (mut cuts, mut refused) = (0, 0);
    for text in bases.values() {
        for end in (0..text.len()).step_by(step) {
            cuts += 1;
            let file = SourceFile::new("cut.ll", &text.as_bytes()[..end]).expect("it is short");
            let read = warpc_nvvm::read_text(&file);
            warpc_diag::render_human(&file, &read.diagnostics, false);
            if read.diagnostics.has_errors() {
                refused += 1;
                continue;
            }
            warpc_nvvm::verify(read.value.as_ref().unwrap());
            warpc_nvvm::print(read.value.as_ref().unwrap());
        }
    }
    assert!(cuts >= PLACES, "{cuts}");
    // Few modules are whole after a cut.
    assert!(refused > cuts / 2, "{refused} of {cuts}");
}
