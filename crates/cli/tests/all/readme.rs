//! The examples of the README, run: the commands print what it shows.
//!
//! In a block of the kind `console`, a line `$ warpc …` is a command and what follows is what it prints. A line `…` stands
//! for any lines. Times, rates and numbers of workers may differ. Every `warpc …` between backquotes in the text must
//! succeed, too. (The Rust is a doc test of `warpc`.)

use std::path::Path;
use std::process::{Command, Output};
use warpc_testkit::project::root;
use warpc_testkit::scratch::Folder;

/// A folder with the files that the README speaks of.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("readme-{name}"));
    fill(folder.path());
    let made = warpc(
        folder.path(),
        &["compile".to_owned(), "kernel.sass".to_owned()],
    );
    assert!(made.status.success(), "{}", printed(&made));
    folder
}

/// Puts the files there again: commands write over some of them.
fn fill(folder: &Path) {
    let examples = folder.join("examples");
    std::fs::create_dir_all(&examples).expect("the folder can be written");
    let folders = [
        (root().join("examples"), examples.as_path()),
        (root().join("tests/readme"), folder),
    ];
    for (from, to) in folders {
        for entry in std::fs::read_dir(from).expect("a folder").flatten() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
    }
    for (from, to) in [
        ("examples/histogram.ll", "kernel.ll"),
        ("examples/histogram.ptx", "kernel.ptx"),
        ("tests/kernels/sass/vector_add.sass", "kernel.sass"),
    ] {
        std::fs::copy(root().join(from), folder.join(to)).expect("a copy");
    }
}

fn warpc(folder: &Path, words: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpc"))
        .args(words)
        .current_dir(folder)
        .output()
        .expect("warpc runs")
}

/// Standard output, then standard error.
fn printed(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// The words of a command line; quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut quoted = false;
    let mut word = String::new();
    for letter in line.chars().chain([' ']) {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(letter),
        }
    }
    words
}

/// A line without the numbers that depend on the machine: those before a unit of time, a rate or `workers`, and blanks
/// that align what follows them.
fn comparable(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let varies = |word: &str| {
        let word = word.trim_end_matches(',');
        matches!(
            word,
            "ms" | "µs" | "s" | "million" | "billion" | "thousand" | "worker" | "workers"
        )
    };
    let shown = words.iter().enumerate().map(|(i, word)| {
        match words.get(i + 1).is_some_and(|next| varies(next)) {
            _ if varies(word) => "#",
            true if word.starts_with(|first: char| first.is_ascii_digit()) => "#",
            _ => word,
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Whether lines are those that are shown; `…` stands for any.
fn same(shown: &[&str], lines: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        ["…", rest @ ..] => (0..=lines.len()).any(|skipped| same(rest, &lines[skipped..])),
        [first, rest @ ..] => match lines {
            [line, lines @ ..] => comparable(first) == comparable(line) && same(rest, lines),
            [] => false,
        },
    }
}

#[test]
fn commands_print_what_is_shown() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let folder = folder("console");
    let mut count = 0;
    let blocks = readme.split("```console\n").skip(1);
    for block in blocks.map(|block| block.split("```").next().unwrap_or(block)) {
        for example in block.split("$ warpc ").skip(1) {
            let (command, shown) = example.split_once('\n').unwrap_or((example, ""));
            let output = printed(&warpc(folder.path(), &words(command)));
            let shown: Vec<&str> = shown.trim_end().lines().collect();
            let lines: Vec<&str> = output.trim_end().lines().collect();
            assert!(
                same(&shown, &lines),
                "`warpc {command}` prints\n{output}\nthe README shows\n{}",
                shown.join("\n")
            );
            count += 1;
        }
    }
    assert!(count >= 6, "{count} commands");
}

#[test]
fn commands_in_the_text_succeed() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let folder = folder("text");
    let mut count = 0;
    // Outside of blocks every second piece stands between backquotes.
    let text: String = readme.split("```").step_by(2).collect();
    for span in text.split('`').skip(1).step_by(2) {
        let span = span.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(command) = span.strip_prefix("warpc ") else {
            continue;
        };
        let words = words(command);
        // The name of a command alone is not an example; what a flag does alone neither.
        let is_example = words[1..].iter().any(|word| !word.starts_with('-'));
        if !is_example || command == "compile --emit ll" {
            continue;
        }
        fill(folder.path());
        let output = warpc(folder.path(), &words);
        assert!(output.status.success(), "`{span}`:\n{}", printed(&output));
        count += 1;
    }
    for line in readme.lines() {
        if let Some(command) = line.strip_prefix("cargo run --release -- ") {
            let command = command.split(" #").next().unwrap_or(command);
            let output = warpc(folder.path(), &words(command));
            assert!(output.status.success(), "{}", printed(&output));
            count += 1;
        }
    }
    assert!(count >= 10, "{count} commands");
}

#[test]
fn comparison() {
    assert_eq!(
        comparable("in 46.7 ms, 195 million a second"),
        comparable("in  1.2 s, 3 billion a second")
    );
    assert_ne!(comparable("barriers 32"), comparable("barriers 33"));
    assert!(same(&["a", "…", "b"], &["a", "x", "y", "b"]));
    assert!(!same(&["a", "b"], &["a", "x", "b"]));
    assert_eq!(
        words("builtins '*fetch add*' x"),
        ["builtins", "*fetch add*", "x"]
    );
}
