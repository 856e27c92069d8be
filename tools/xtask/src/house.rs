//! Rules of the checkout that no compiler knows of, as tests.

use crate::project;
use crate::tasks::{GROUPS, TASKS};
use std::path::{Path, PathBuf};
use warpc_testkit::project::{entries, files};

/// Programs of integration tests of one crate: linking them is most of what an edit costs.
const MOST_PROGRAMS: usize = 2;

/// The endings of files that are written by hand.
const WRITTEN: [&str; 9] = [
    ".md", ".rs", ".toml", ".py", ".ll", ".ptx", ".sass", ".mlir", ".sh",
];

/// The folders of all crates and tools.
fn crates() -> Vec<PathBuf> {
    let folders = ["crates", "tools"].map(|folder| project::root().join(folder));
    folders.iter().flat_map(|folder| entries(folder)).collect()
}

/// Every file that is written by hand.
fn written() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(&project::root()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_file() {
            found.push(path);
        } else if !matches!(name.as_ref(), "target" | ".git") {
            found.extend(files(&path, &WRITTEN));
        }
    }
    found
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}

/// `./x` and up to two words after it, wherever the project names a command.
#[test]
fn commands_that_texts_name_exist() {
    let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
    let (mut named, mut unknown) = (0, Vec::new());
    for path in written() {
        let text = text(&path);
        for (at, start) in text.match_indices("./x ") {
            let rest = &text[at + start.len()..];
            let words = rest.split(' ');
            let mut words = words.map(|word| word.split(|c| !is_word(c)).next());
            let mut next = || words.next().flatten().unwrap_or_default();
            let (first, second) = (next(), next());
            let known = match GROUPS.iter().find(|group| group.name == first) {
                // `…` is any of them.
                Some(_) if rest[first.len()..].starts_with(" …") => true,
                Some(group) => group.tasks.iter().any(|task| task.name == second),
                None => TASKS.iter().any(|task| task.name == first),
            };
            named += usize::from(known);
            // What is not a word is an option or a place for a name.
            if !known && !matches!(first, "" | "--help") {
                unknown.push(format!("{}: ./x {first} {second}", path.display()));
            }
        }
    }
    assert!(named > 150, "{named} commands are named");
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// A file that no module names is compiled by nobody, and its tests are lost without a word.
#[test]
fn files_of_integration_tests_are_modules_of_their_programs() {
    let (mut count, mut lost) = (0, Vec::new());
    for tests in crates().iter().map(|one| one.join("tests")) {
        for file in files(&tests, &[".rs"]) {
            let (Some(folder), Some(name)) = (file.parent(), file.file_stem()) else {
                continue;
            };
            // Programs themselves: tests/NAME.rs and tests/NAME/main.rs.
            if folder == tests || name == "main" {
                continue;
            }
            let main = folder.join("main.rs");
            let above = match main.is_file() {
                true => main,
                false => folder.with_extension("rs"),
            };
            count += 1;
            if !text(&above).contains(&format!("mod {};", name.to_string_lossy())) {
                lost.push(format!(
                    "{} does not name {}",
                    above.display(),
                    file.display()
                ));
            }
        }
    }
    assert!(count > 50, "{count} files");
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

#[test]
fn crates_have_few_programs_of_integration_tests() {
    for one in crates() {
        let is_program = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").is_file()
        };
        let programs: Vec<PathBuf> = entries(&one.join("tests"))
            .into_iter()
            .filter(is_program)
            .collect();
        assert!(programs.len() <= MOST_PROGRAMS, "{programs:?}");
    }
}
