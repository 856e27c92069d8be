//! Split compilation makes the same bytes and says the same as compilation in one part.

use std::path::PathBuf;
use warpc::{Options, Source};
use warpc_testkit::project;

/// What is made of a source in some number of parts: the PTX, and the diagnostics.
fn made(source: &Source, parts: usize, lineinfo: bool) -> (Option<String>, String) {
    let mut options = Options::new("sm_90".parse().expect("a chip"));
    options.parts = parts;
    options.lineinfo = lineinfo;
    let output = warpc::compile(source, &options);
    let text = output.value.map(|ptx| ptx.to_string());
    (text, output.diagnostics.to_string())
}

/// Both are the same, or the first line that differs is named.
fn assert_same(split: &(Option<String>, String), whole: &(Option<String>, String), what: &str) {
    let text = |made: &(Option<String>, String)| format!("{:?}\n{}", made.0.is_some(), made.1);
    assert_eq!(text(split), text(whole), "{what}");
    let lines = |made: &(Option<String>, String)| made.0.clone().unwrap_or_default();
    let (split, whole) = (lines(split), lines(whole));
    for (ours, theirs) in split.lines().zip(whole.lines()) {
        assert_eq!(ours, theirs, "{what}");
    }
    assert_eq!(split, whole, "{what}");
}

/// How many modules compile, and how many of these have more than one function.
fn compare(paths: &[PathBuf]) -> (usize, usize) {
    let (mut compiled, mut several) = (0, 0);
    for path in paths {
        let Ok(source) = Source::read(path) else {
            continue;
        };
        for lineinfo in [false, true] {
            let whole = made(&source, 1, lineinfo);
            for parts in [2, 3, 100] {
                let split = made(&source, parts, lineinfo);
                assert_same(
                    &split,
                    &whole,
                    &format!("{}: {parts} parts", path.display()),
                );
            }
            if let (Some(ptx), false) = (&whole.0, lineinfo) {
                compiled += 1;
                several += usize::from(ptx.matches("{\n").count() > 1);
            }
        }
    }
    (compiled, several)
}

/// Every module of the file tests, those that are refused included.
#[test]
fn parts_make_the_same_bytes() {
    let tests = project::tests();
    let mut paths = project::files(&tests.join("files"), &["ll"]);
    paths.extend(project::files(&tests.join("kernels"), &["ll"]));
    let (compiled, several) = compare(&paths);
    assert!(compiled > 100 && several > 50, "{compiled}, {several}");
}

/// A sample of real modules, where they were fetched.
#[test]
fn parts_of_real_modules_make_the_same_bytes() {
    let Some(corpus) = project::corpus() else {
        return;
    };
    let paths = project::files(&corpus.join("ll"), &["ll"]);
    let small = |path: &PathBuf| path.metadata().is_ok_and(|file| file.len() < 400_000);
    let sample: Vec<PathBuf> = paths.into_iter().filter(small).step_by(11).collect();
    if sample.is_empty() {
        return;
    }
    let (compiled, _) = compare(&sample);
    assert!(
        compiled * 2 > sample.len(),
        "{compiled} of {}",
        sample.len()
    );
}

/// Local memory, files, names of inlined functions and labels of inline PTX are numbered over all functions.
#[test]
fn what_functions_number_together_stays() {
    let mut text = String::from("target triple = \"nvptx64-nvidia-cuda\"\n");
    for index in 0..8 {
        text.push_str(&format!(
            "define void @f{index}(i32 %n) {{\n  %a = alloca i32, i32 {}\n  store volatile i32 %n, ptr %a\n  \
             call void asm sideeffect \"{{ .reg .b32 x${{:uid}}; mov.b32 x${{:uid}}, 0; }}\", \"\"()\n  \
             call void @g(i32 %n)\n  ret void\n}}\n",
            index + 1
        ));
    }
    text.push_str("define internal void @g(i32 %n) {\n  ret void\n}\n");
    let source = Source::new("k.ll", text.clone()).expect("a short text");
    let whole = made(&source, 1, false);
    assert!(
        whole
            .0
            .as_ref()
            .is_some_and(|ptx| ptx.contains("__local_depot7"))
    );
    assert_eq!(made(&source, 4, false), whole);
    // Without numbers in texts the parts are compiled apart.
    let source = Source::new("k.ll", text.replace("${:uid}", "0")).expect("a short text");
    let whole = made(&source, 1, false);
    assert!(whole.0.is_some(), "{}", whole.1);
    assert_eq!(made(&source, 4, false), whole);
}
