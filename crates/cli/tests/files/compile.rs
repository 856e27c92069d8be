//! `; test: compile FLAGS`: a module of LLVM IR, made into PTX and perhaps run.
//!
//! ```text
//!   ; test: compile --arch sm_90          what to do; several such lines are several tests
//!   ; check: mad.lo.s32 *, *, *, 5;       a line of the PTX made for the test above; `*` is any text
//!   ; check-not: mul                      no line of it has this
//!   ; run: --grid 1 --block 32 --arg u32[32]=iota --expect 0:=…
//!   ; expect ptx:                         the whole of it
//! ```
//!
//! The lines of `check:` come in this order, with anything between them. `run:` lines are launches of the PTX
//! of every test of the file. A line with `; error: TEXT` must be refused, for every test of the file, and one
//! with `; warning: TEXT` gets that warning.

use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use warpc::{Options, Source};
use warpc_testkit::directives::{Comment, Equal, Messages, Severity, compare_block, has_block};

const COMMENT: Comment = Comment::Semicolon;

/// A `test:` line and what belongs to it.
struct Test<'t> {
    flags: Vec<&'t str>,
    /// The text that a line must have, or must not have anywhere.
    checks: Vec<(&'t str, bool)>,
}

pub fn run(path: &Path, text: &str) -> Result<(), String> {
    let mut tests: Vec<Test> = Vec::new();
    let mut launches = String::new();
    let mut goes_on = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("; test: ") {
            let mut words = command.split_whitespace();
            if words.next() != Some("compile") {
                return Err(format!("unknown test `{command}`"));
            }
            let flags = words.collect();
            let checks = Vec::new();
            tests.push(Test { flags, checks });
        }
        let checked = [("; check: ", true), ("; check-not: ", false)]
            .into_iter()
            .find_map(|(mark, present)| Some((line.strip_prefix(mark)?.trim(), present)));
        if let (Some(check), Some(test)) = (checked, tests.last_mut()) {
            test.checks.push(check);
        }
        if line.starts_with("; run:") || goes_on {
            let _ = writeln!(launches, "//{}", line.trim_start_matches(';'));
            goes_on = line.ends_with('\\');
        }
    }
    let expects = has_block(text, COMMENT, "ptx")
        || !launches.is_empty()
        || !Messages::of(text, COMMENT).is_empty()
        || tests.iter().all(|test| !test.checks.is_empty());
    if !expects {
        return Err("nothing is expected of this module".to_owned());
    }
    tests.iter().try_for_each(|test| {
        one(path, text, test, &launches)
            .map_err(|error| format!("compile {}:\n{error}", test.flags.join(" ")))
    })
}

fn one(path: &Path, text: &str, test: &Test, launches: &str) -> Result<(), String> {
    let mut arguments = vec!["compile", "--message-format", "json", "-o", "-"];
    arguments.extend(&test.flags);
    let output = warpc(&arguments, Some(path), "")?;
    let made = String::from_utf8_lossy(&output.stdout).into_owned();
    let refused = compare_errors(text, &output)?;
    if refused {
        return match output.status.code() {
            Some(1) => Ok(()),
            status => Err(format!("the exit status is {status:?}")),
        };
    }
    reads_back(&made)?;
    check_lines(&made, &test.checks)?;
    if !launches.is_empty() {
        let input = format!("{launches}{made}");
        let arguments = ["run", "--message-format", "json", "-"];
        let output = warpc(&arguments, None, &input)?;
        if output.status.code() != Some(0) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{stderr}\n{made}"));
        }
    }
    match has_block(text, COMMENT, "ptx") {
        true => compare_block(path, text, (COMMENT, "ptx"), Equal::Lines, &made),
        false => Ok(()),
    }
}

/// Compares the errors and warnings that came with those that lines want; whether errors were.
fn compare_errors(text: &str, output: &Output) -> Result<bool, String> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut report = String::new();
    let mut messages = Messages::of(text, COMMENT);
    for line in stderr.lines() {
        let Ok(error) = serde_json::from_str::<Value>(line) else {
            let _ = writeln!(report, "on standard error: {line}");
            continue;
        };
        let severity = match error["severity"] == "error" {
            true => Severity::Error,
            false => Severity::Warning,
        };
        let line = error["line"].as_u64().unwrap_or(1).max(1) as usize;
        let column = error["column"].as_u64().unwrap_or(0) as usize;
        let message = error["message"].as_str().unwrap_or_default();
        messages.came(severity, line, column, message);
    }
    let refused = messages.has_errors();
    report.push_str(&messages.report());
    match report.is_empty() {
        true => Ok(refused),
        false => Err(report),
    }
}

/// The text of the PTX is a module as it stands.
fn reads_back(made: &str) -> Result<(), String> {
    let source = Source::new("made.ptx", made).map_err(|error| error.to_string())?;
    let checked = warpc::check(&source, &Options::default());
    match checked.diagnostics.as_slice().first() {
        Some(first) => Err(format!("the PTX is wrong: {}\n{made}", first.message)),
        None => Ok(()),
    }
}

/// Whether the lines are there, one after the other.
fn check_lines(made: &str, checks: &[(&str, bool)]) -> Result<(), String> {
    let mut lines = made.lines();
    for &(wanted, present) in checks {
        let found = if present {
            lines.any(|line| has(line, wanted))
        } else {
            made.lines().any(|line| has(line, wanted))
        };
        if found != present {
            let what = if present { "no line has" } else { "a line has" };
            return Err(format!("{what} `{wanted}`:\n{made}"));
        }
    }
    Ok(())
}

/// Whether a line has the texts between the stars, in order. Tabs are spaces.
fn has(line: &str, wanted: &str) -> bool {
    let line = line.replace('\t', " ");
    let mut rest = line.as_str();
    wanted.split('*').all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

fn warpc(arguments: &[&str], file: Option<&Path>, input: &str) -> Result<Output, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    command.args(arguments).args(file);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // A command that reads nothing may be gone already.
        let _ = stdin.write_all(input.as_bytes());
    }
    child.wait_with_output().map_err(|error| error.to_string())
}
