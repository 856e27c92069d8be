//! Real modules: all are read and verified clean, and what we print is read back as the same.
//!
//! Where `./x corpus ll/` has been run that is the whole corpus (`WARPC_CORPUS_DIR`), else the recorded
//! cross-section in `tests/corpus/ll`. What LLVM reads from our print is compared by `./x ll same`.

use std::path::{Path, PathBuf};
use warpc_diag::SourceFile;
use warpc_testkit::{gzip, project};

/// Name and text of every module.
fn modules() -> Vec<(String, String)> {
    let recorded = |path: &PathBuf| (path.display().to_string(), gzip::read_text(path));
    let corpus = project::corpus();
    let manifest = corpus
        .as_ref()
        .and_then(|corpus| std::fs::read_to_string(corpus.join("ll/manifest.tsv")).ok());
    let (Some(corpus), Some(manifest)) = (corpus, manifest) else {
        let paths = project::entries(&project::tests().join("corpus/ll"));
        return paths.iter().map(recorded).collect();
    };
    let paths = manifest
        .lines()
        .skip(1)
        .filter_map(|l| l.split('\t').next());
    let text = |path: &Path| std::fs::read_to_string(path).expect("a module of the manifest");
    paths
        .map(|path| (path.to_string(), text(&corpus.join(path))))
        .collect()
}

#[test]
fn real_modules_are_read_verified_and_printed() {
    let modules = modules();
    assert!(!modules.is_empty());
    let mut failures = Vec::new();
    for (name, text) in &modules {
        let file = SourceFile::new(name.as_str(), text.as_str()).expect("below four gigabytes");
        let read = warpc_nvvm::read_text(&file);
        let mut diagnostics = read.diagnostics;
        diagnostics.append(warpc_nvvm::verify(read.value.as_ref().unwrap()));
        if diagnostics.has_errors() {
            let first = &diagnostics.as_slice()[0];
            let line = file.position(first.span.start).line;
            failures.push(format!("{name}:{line}: {}", first.message));
            continue;
        }
        let printed = warpc_nvvm::print(read.value.as_ref().unwrap());
        let again = SourceFile::new(name.as_str(), printed.as_str()).expect("as small as before");
        let again = warpc_nvvm::read_text(&again);
        if let Some(first) = again.diagnostics.as_slice().first() {
            failures.push(format!("{name}: our print is refused: {}", first.message));
        } else if warpc_nvvm::print(again.value.as_ref().unwrap()) != printed {
            failures.push(format!("{name}: printed differently the second time"));
        }
    }
    let (count, bad) = (modules.len(), failures.len());
    println!("{} of {count} modules are as they should be", count - bad);
    failures.truncate(40);
    assert!(failures.is_empty(), "{bad}:\n{}", failures.join("\n"));
}
