//! The recorded programs: that they are the same still, and that our reader and verifier take them.

use std::path::PathBuf;
use warpc_diag::SourceFile;
use warpc_irgen::record::{Recorded, digest};
use warpc_irgen::{draft, record};

fn recorded() -> Vec<Recorded> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/ll_programs.tsv.gz");
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    record::read(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn programs_are_those_that_were_recorded_and_verify() {
    let all = recorded();
    assert!(all.len() >= 1000, "{} programs", all.len());
    for one in all {
        let text = draft::program(one.seed).text();
        assert_eq!(
            digest(text.as_bytes()),
            one.text,
            "the program of seed {} has changed: record the answers anew with `./x ll-programs`",
            one.seed
        );
        let file = SourceFile::new("program.ll", text).expect("programs are short");
        let checked = warpc_pipeline::check_llvm(&file, warpc_nvvm::NvvmOptions::default());
        let first = checked.diagnostics.as_slice().first();
        assert!(checked.module.is_some(), "seed {}: {first:?}", one.seed);
    }
}
