//! Litmus tests: those of `tests/litmus`, and of a folder in `WARPC_LITMUS_DIR`.

use super::outcome::{allowed, kernels, seen};
use std::path::{Path, PathBuf};
use warpc_diag::SourceFile;
use warpc_model::axioms::Limits;
use warpc_testkit::project::root;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("it is there");
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn litmus_tests_show_what_the_model_allows_and_nothing_else() {
    let mut paths = Vec::new();
    files(&root().join("tests/litmus"), &mut paths);
    if let Some(folder) = std::env::var_os("WARPC_LITMUS_DIR") {
        files(Path::new(&folder), &mut paths);
    }
    let seeds =
        std::env::var("WARPC_WEAK_SEEDS").map_or(300, |text| text.parse().expect("a number"));
    let limits = Limits::default();
    let (mut run, mut left_out) = (0, 0);
    let (mut all, mut in_order, mut coherent, mut found) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).expect("it can be read");
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if !name.ends_with(".litmus") {
            continue;
        }
        let file = SourceFile::new(name.clone(), bytes).expect("it is small");
        let Some(test) = warpc_litmus::read(&file).value else {
            continue;
        };
        let (Some(kernels), Ok(allowed)) = (kernels(&test.program), allowed(&test.program, limits))
        else {
            if std::env::var_os("WARPC_SHOW").is_some() {
                println!("{name}: left out");
            }
            left_out += 1;
            continue;
        };
        if allowed.all.is_empty() {
            // No execution ends.
            left_out += 1;
            continue;
        }
        let mut saw = seen(&test.program, &kernels[0], 0..seeds / 2);
        saw.extend(seen(&test.program, &kernels[1], seeds / 2..seeds));
        run += 1;
        all += allowed.all.len();
        in_order += allowed.in_order.len();
        coherent += allowed.coherent.len();
        found += allowed.coherent.intersection(&saw).count();
        let bad: Vec<_> = saw.difference(&allowed.all).collect();
        if !bad.is_empty() {
            wrong.push(format!("{name}: {bad:?} is forbidden"));
        }
        let missed: Vec<_> = allowed.coherent.difference(&saw).collect();
        if !missed.is_empty() && std::env::var_os("WARPC_SHOW").is_some() {
            println!("{name}: not seen: {missed:?}");
        }
    }
    println!(
        "{run} tests, {left_out} left out: {all} outcomes are allowed, {in_order} without load buffering, {coherent} with \
         coherence of all writes, {found} of them seen"
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        run >= 10 && found * 100 >= coherent * 80,
        "{found} of {coherent}"
    );
}
