//! Broken modules are answered, never with a panic.

use warpc_diag::SourceFile;
use warpc_testkit::{Random, gzip, project};

/// The modules of `tests/mlir`.
fn modules() -> Vec<Vec<u8>> {
    let root = project::tests().join("mlir");
    let folders = ["kernels", "lowered", "ops"].map(|folder| root.join(folder));
    let files: Vec<_> = folders
        .iter()
        .flat_map(|folder| project::entries(folder))
        .collect();
    assert!(files.len() >= 60, "{} modules", files.len());
    files.iter().map(gzip::read).collect()
}

fn answer(bytes: Vec<u8>) {
    let file = SourceFile::new("broken.mlir", bytes).expect("it is short");
    let read = warpc_mlir::read(&file);
    // Every message can be shown, wherever it points.
    warpc_diag::render_human(&file, &read.diagnostics, false);
}

#[test]
fn modules_cut_short_are_answered() {
    let mut numbers = Random::new(1);
    for bytes in modules() {
        for _ in 0..20 {
            let end = numbers.below(bytes.len());
            answer(bytes[..end].to_vec());
        }
    }
}

#[test]
fn modules_with_other_characters_are_answered() {
    let mut numbers = Random::new(2);
    let letters = b"%^@#!<>()[]{}\",:=-0123456789abcxyz. \n\\";
    for module in modules() {
        for _ in 0..20 {
            let mut bytes = module.clone();
            for _ in 0..=numbers.below(4) {
                let at = numbers.below(bytes.len());
                bytes[at] = letters[numbers.below(letters.len())];
            }
            answer(bytes);
        }
    }
}

#[test]
fn modules_with_moved_words_are_answered() {
    let mut numbers = Random::new(3);
    for module in modules() {
        let text = String::from_utf8(module).expect("modules are UTF-8");
        for _ in 0..20 {
            let mut words: Vec<&str> = text.split(' ').collect();
            let (from, to) = (numbers.below(words.len()), numbers.below(words.len()));
            match numbers.below(3) {
                0 => words.swap(from, to),
                1 => words[to] = words[from],
                _ => {
                    words.remove(to);
                }
            }
            answer(words.join(" ").into_bytes());
        }
    }
}

#[test]
fn deep_nesting_is_answered() {
    for (open, close) in [("module {", "}"), ("[", "]"), ("!llvm.array<2 x ", ">")] {
        let mut text = String::from("llvm.mlir.global internal @g(");
        if open.starts_with("module") {
            text.clear();
        }
        text.push_str(&open.repeat(100_000));
        text.push_str(&close.repeat(100_000));
        answer(text.into_bytes());
    }
}
