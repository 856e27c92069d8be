//! Real PTX: what compilers wrote. We take all that ptxas takes, and what we print reads back as
//! the same module.
//!
//! The recorded files are in `tests/corpus/ptx`; the whole corpus, if it was made, is where
//! `WARPC_CORPUS_DIR` says.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use warpc_diag::{SourceFile, render_human};
use warpc_testkit::{gzip, project};

/// The name and the text of every recorded file.
fn recorded() -> Vec<(String, Vec<u8>)> {
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        (name.into_owned(), gzip::read(&path))
    };
    let files = project::entries(&project::tests().join("corpus/ptx"));
    files.into_iter().map(read).collect()
}

/// Every file of the whole corpus that ptxas takes.
fn made(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let manifest =
        std::fs::read_to_string(folder.join("manifest.tsv")).expect("the corpus has a manifest");
    let mut lines = manifest.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let verdict = header
        .iter()
        .position(|title| *title == "verdict")
        .expect("a column `verdict`");
    lines
        .map(|line| line.split('\t').collect::<Vec<&str>>())
        .filter(|fields| fields[verdict] == "accept")
        .map(|fields| {
            let bytes =
                std::fs::read(folder.join(fields[0])).expect("a file that the manifest names");
            (fields[0].to_owned(), bytes)
        })
        .collect()
}

/// What is wrong with our handling of one file.
fn problem(name: &str, bytes: Vec<u8>) -> Option<String> {
    let file = SourceFile::new(name, bytes)?;
    let parsed = warpc_ptx::check(&file);
    if parsed.diagnostics.has_errors() {
        let text = render_human(&file, &parsed.diagnostics, false);
        let first: Vec<&str> = text.lines().take(6).collect();
        return Some(format!(
            "{} errors, the first:\n{}",
            parsed.diagnostics.error_count(),
            first.join("\n")
        ));
    }
    match parsed
        .value
        .as_ref()
        .unwrap()
        .required_version(parsed.value.as_ref().unwrap().sm)
    {
        Some(lowest) if lowest <= parsed.value.as_ref().unwrap().version => {}
        lowest => {
            return Some(format!(
                "it says PTX {}, we want {lowest:?}",
                parsed.value.as_ref().unwrap().version
            ));
        }
    }
    let printed = warpc_ptx::print(parsed.value.as_ref().unwrap());
    let again = SourceFile::new(format!("{name} (printed)"), printed.clone())?;
    let reparsed = warpc_ptx::check(&again);
    if reparsed.diagnostics.has_errors() {
        let text = render_human(&again, &reparsed.diagnostics, false);
        return Some(format!(
            "our print does not read back:\n{}",
            text.lines().take(8).collect::<Vec<_>>().join("\n")
        ));
    }
    if reparsed.value != parsed.value {
        return Some("our print reads back as another module".to_owned());
    }
    if warpc_ptx::print(reparsed.value.as_ref().unwrap()) != printed {
        return Some("printing twice gives another text".to_owned());
    }
    comments_lost(&file, parsed.value.as_ref().unwrap())
}

/// What is wrong with the comments of a formatted file: all of them are there, whatever moved, and formatting again
/// changes nothing.
fn comments_lost(file: &SourceFile, module: &warpc_ptx::Module) -> Option<String> {
    fn texts(bytes: &[u8]) -> Vec<&[u8]> {
        let comments = warpc_ptx::comments(bytes);
        let mut texts: Vec<&[u8]> = comments.iter().map(|comment| comment.text).collect();
        texts.sort_unstable();
        texts
    }
    let formatted = warpc_ptx::format(module, file.bytes());
    if texts(&formatted) != texts(file.bytes()) {
        return Some("formatting changes the comments".to_owned());
    }
    let again = SourceFile::new("formatted", formatted)?;
    let reparsed = warpc_ptx::parse(&again);
    if reparsed.value.as_ref() != Some(module) {
        return Some("formatted it is another module".to_owned());
    }
    (warpc_ptx::format(reparsed.value.as_ref().unwrap(), again.bytes()) != again.bytes())
        .then(|| "formatting twice gives another text".to_owned())
}

fn check(files: Vec<(String, Vec<u8>)>) {
    let count = files.len();
    let mut report = String::new();
    let mut wrong = 0;
    for (name, bytes) in files {
        if let Some(problem) = problem(&name, bytes) {
            wrong += 1;
            let _ = writeln!(report, "{name}: {problem}");
        }
    }
    println!("corpus: {count} files, {wrong} wrong");
    assert!(wrong == 0, "{wrong} of {count} files:\n{report}");
}

#[test]
fn recorded_files_are_taken_and_round_trip() {
    let files = recorded();
    assert!(files.len() >= 40, "{} recorded files", files.len());
    check(files);
}

/// Every PTX file under `tests/files` that can be read.
#[test]
fn file_tests_keep_their_comments() {
    let (mut count, mut comments) = (0, 0);
    let mut report = String::new();
    for path in project::files(&project::tests().join("files"), &[".ptx"]) {
        let bytes = std::fs::read(&path).expect("a test");
        let file = SourceFile::new(path.display().to_string(), bytes).expect("a short file");
        let parsed = warpc_ptx::parse(&file);
        if parsed.diagnostics.has_errors() {
            continue;
        }
        count += 1;
        comments += warpc_ptx::comments(file.bytes()).len();
        if let Some(problem) = comments_lost(&file, parsed.value.as_ref().unwrap()) {
            let _ = writeln!(report, "{}: {problem}", file.name());
        }
    }
    println!("{comments} comments of {count} files");
    assert!(
        count >= 70 && comments >= 600,
        "{comments} comments of {count} files"
    );
    assert!(report.is_empty(), "{report}");
}

#[test]
fn the_whole_corpus_is_taken_and_round_trips() {
    if let Some(folder) = project::corpus() {
        check(made(&folder));
    }
}
