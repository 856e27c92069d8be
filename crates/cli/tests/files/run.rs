//! `// test: run`: the file's `// run:` lines on the emulator.

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use warpc_testkit::directives::{Comment, Messages, Severity};

/// Interleavings that a file is run in.
const SEEDS: [&str; 2] = ["0", "7"];

/// Runs the file. What it expects: `--expect` flags in its `run:` lines, lines `// output: TEXT` that
/// the kernels print one after another, `// error: TEXT` on lines with a fault, `// note: TEXT` on lines
/// that an error has something to say about (who waits there, what helps), and `// error in FLAG: TEXT`
/// for requests that are wrong, where the flag is `run` if no flag is to blame. `// seed: N` is for files in which the
/// interleaving decides which of two places an error is shown at.
pub fn run(path: &Path, text: &str) -> Result<(), String> {
    let faulty = !Messages::of(text, Comment::Slashes).is_empty()
        || text.lines().any(|line| flag_error(line).is_some());
    let prints = text.lines().any(|line| output_line(line).is_some());
    let head_expects = text
        .lines()
        .any(|line| line.starts_with("//") && line.contains("--expect"));
    if !(faulty || prints || head_expects) {
        return Err("nothing is expected of this run".to_owned());
    }
    let only = text.lines().find_map(|line| line.strip_prefix("// seed: "));
    let seeds = only.map_or(SEEDS.to_vec(), |seed| vec![seed.trim()]);
    seeds.iter().try_for_each(|seed| {
        run_with_seed(path, text, seed, faulty).map_err(|error| format!("seed {seed}:\n{error}"))
    })
}

fn run_with_seed(path: &Path, text: &str, seed: &str, faulty: bool) -> Result<(), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_warpc"))
        .args(["run", "--message-format", "json", "--seed", seed])
        .arg(path)
        .output()
        .map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut report = String::new();
    let mut messages = Messages::of(text, Comment::Slashes);
    let mut flags_met = Vec::new();
    let mut notes: Vec<(u64, String)> = Vec::new();
    for line in stderr.lines() {
        let Ok(error) = serde_json::from_str::<Value>(line) else {
            let _ = writeln!(report, "on standard error: {line}");
            continue;
        };
        let message = error["message"].as_str().unwrap_or_default();
        let said = ["label", "help"].map(|key| (&error["line"], &error[key]));
        let related = error["related"].as_array().into_iter().flatten();
        let related = related.map(|place| (&place["line"], &place["message"]));
        notes.extend(
            said.into_iter()
                .chain(related)
                .filter_map(|(line, text)| Some((line.as_u64()?, text.as_str()?.to_owned()))),
        );
        let in_file = error["file"]
            .as_str()
            .is_some_and(|file| Path::new(file) == path);
        let place = |key: &str| error[key].as_u64().unwrap_or(0) as usize;
        if in_file {
            let severity = match error["severity"] == "warning" {
                true => Severity::Warning,
                false => Severity::Error,
            };
            messages.came(severity, place("line").max(1), place("column"), message);
            continue;
        }
        let flag = error["file"].as_str().unwrap_or("run");
        let wanted = text.lines().position(|line| {
            flag_error(line).is_some_and(|(f, text)| f == flag && message.contains(text))
        });
        match wanted {
            Some(index) => flags_met.push(index),
            None => {
                let (line, column) = (place("line"), place("column"));
                let _ = writeln!(report, "{flag}:{line}:{column}: {message}");
            }
        }
    }
    report.push_str(&messages.report());
    for (index, line) in text.lines().enumerate() {
        if let Some((flag, wanted)) = flag_error(line)
            && !flags_met.contains(&index)
        {
            let _ = writeln!(report, "the error `{wanted}` in {flag} did not come");
        }
    }
    for (number, wanted) in (1..).zip(text.lines()).filter_map(wanted_note) {
        if !notes
            .iter()
            .any(|(line, text)| *line == number && text.contains(wanted))
        {
            let _ = writeln!(report, "line {number}: nothing says `{wanted}`: {notes:#?}");
        }
    }
    check_output(&output.stdout, text, &mut report);
    let status = output.status.code();
    if status != Some(i32::from(faulty)) {
        let _ = writeln!(report, "the exit status is {status:?}");
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(report)
    }
}

/// Compares what the kernels printed, if anything is said about it.
fn check_output(stdout: &[u8], text: &str, report: &mut String) {
    let wanted: Vec<&str> = text.lines().filter_map(output_line).collect();
    if wanted.is_empty() {
        return;
    }
    let printed: String = String::from_utf8_lossy(stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|launch| launch["output"].as_str().map(str::to_owned))
        .collect();
    if !printed.lines().eq(wanted.iter().copied()) {
        let _ = writeln!(report, "the kernels printed:\n{printed}");
    }
}

fn output_line(line: &str) -> Option<&str> {
    line.strip_prefix("// output: ")
}

/// `// note: TEXT` on a numbered line
fn wanted_note((number, line): (u64, &str)) -> Option<(u64, &str)> {
    Some((number, line.split_once("// note: ")?.1.trim()))
}

/// `// error in --arg 0: TEXT`
fn flag_error(line: &str) -> Option<(&str, &str)> {
    let (flag, text) = line.split_once("// error in ")?.1.split_once(':')?;
    Some((flag.trim(), text.trim()))
}
