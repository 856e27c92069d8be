//! The tests of `tests/litmus`: each says in comments what the models answer, or what is wrong with it and where.
//!
//! ```text
//!   // expect: ptx-6.0 holds, ptx-7.5 fails
//!   // error: 5:2 the message          line, column and message of an error in the text
//!   // model-error: ptx-6.0 message    what a model says instead of a verdict
//! ```

use std::path::{Path, PathBuf};
use warpc_diag::{Severity, SourceFile};
use warpc_litmus::{Options, judge, model, read, svg};
use warpc_testkit::project::root;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("it is there")
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

/// What comments of a kind say.
fn said<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    let mark = format!("// {kind}: ");
    text.lines()
        .filter_map(|line| line.strip_prefix(&mark))
        .collect()
}

/// The verdict of a model, or its error, as words; and that it can be drawn.
fn answer(test: &warpc_litmus::Test, name: &str) -> String {
    let version = model(name).unwrap_or_else(|| panic!("{name}"));
    let options = Options {
        version,
        draw: true,
        ..Options::default()
    };
    match judge(test, &options) {
        Ok(verdict) => {
            let drawing = verdict.drawing.expect("it was asked for");
            assert!(!drawing.to_string().is_empty());
            let picture = svg(&drawing, name);
            assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
            assert_eq!(
                picture.matches("<text").count(),
                picture.matches("</text>").count()
            );
            let plain = judge(
                test,
                &Options {
                    draw: false,
                    ..options
                },
            )
            .expect("it was judged");
            assert_eq!(plain.holds, verdict.holds);
            if verdict.holds { "holds" } else { "fails" }.to_string()
        }
        Err(error) => error.message,
    }
}

/// What is wrong with a file.
fn problems(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).expect("it can be read");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let file = SourceFile::new(path.to_string_lossy(), bytes).expect("it is small");
    let output = read(&file);
    let mut wrong = Vec::new();
    let found: Vec<String> = output
        .diagnostics
        .as_slice()
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| {
            let at = file.position(diagnostic.span.start);
            format!("{}:{} {}", at.line, at.column, diagnostic.message)
        })
        .collect();
    let errors = said(&text, "error");
    if found != errors {
        wrong.push(format!("errors {found:#?}, expected {errors:#?}"));
    }
    let Some(test) = output.value else {
        if errors.is_empty() {
            wrong.push("it has no value".to_string());
        }
        return wrong;
    };
    let mut expected: Vec<(&str, &str)> = Vec::new();
    for line in said(&text, "expect") {
        expected.extend(line.split(", ").filter_map(|one| one.split_once(' ')));
    }
    expected.extend(
        said(&text, "model-error")
            .iter()
            .filter_map(|one| one.split_once(' ')),
    );
    if expected.is_empty() {
        wrong.push("it expects nothing".to_string());
    }
    for (name, word) in expected {
        let got = answer(&test, name);
        if got != word {
            wrong.push(format!("{name}: {got}, expected {word}"));
        }
    }
    wrong
}

#[test]
fn every_file_is_as_it_says() {
    let mut all = Vec::new();
    files(&root().join("tests/litmus"), &mut all);
    let mut wrong = Vec::new();
    for path in &all {
        for problem in problems(path) {
            wrong.push(format!("{}: {problem}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() >= 70, "{}", all.len());
}

/// Texts that are cut or damaged are read or refused, and never more than that.
#[test]
fn damaged_texts_are_answered() {
    let mut all = Vec::new();
    files(&root().join("tests/litmus"), &mut all);
    for path in all {
        let bytes = std::fs::read(&path).expect("it can be read");
        for cut in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes[..cut].to_vec();
            for _ in 0..2 {
                let file = SourceFile::new("damaged", damaged.clone()).expect("it is small");
                if let Some(test) = read(&file).value {
                    let mut options = Options::default();
                    options.limits.steps = 2000;
                    let _ = judge(&test, &options);
                }
                // The rest without a piece.
                damaged.extend(&bytes[(cut + 5).min(bytes.len())..]);
            }
        }
    }
}
