//! `./x ll attack` and `./x ll functions`: programs and functions with known results, run by `warpc-attack`.
//!
//! The runner is built with overflow checks and debug assertions: a compiler that counts past the end of a number fails here.

use crate::project::{self, Outcome};
use crate::{jobs, ll, process, release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs of the whole attack: generated as LLVM IR, and as C++.
const PROGRAMS: u64 = 20_000;
const SOURCES: u64 = 1_000;
/// What `./x test` tries of each, and functions of LLVM's tests.
const SAMPLE: (u64, u64, u64) = (900, 40, 450);

/// `./x ll attack [COUNT]`.
pub fn attack(args: &[String]) -> Outcome {
    let count = match args {
        [] => PROGRAMS,
        [count] => count
            .parse()
            .map_err(|_| format!("{count} is not a number"))?,
        _ => return Err("attack takes one number".into()),
    };
    let runner = release::build_checked("warpc-attack")?;
    let programs = run(&runner, "programs", &["--count", &count.to_string()])?;
    let sources = count.min(SOURCES).to_string();
    let sources = run(&runner, "cpp", &["--count", &sources])?;
    match programs.1.len() + sources.1.len() {
        0 => Ok(()),
        n => Err(format!("{n} faults")),
    }
}

/// `./x ll functions [FILTER] [--sample N] [--seed S]`.
pub fn functions(args: &[String]) -> Outcome {
    let runner = release::build_checked("warpc-attack")?;
    let tests = ll::nvptx::source::ensure_tests()?;
    let mut words = Vec::new();
    let mut args = args.iter().peekable();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--sample" | "--seed" => {
                let number = args.next().ok_or_else(|| format!("{arg} wants a number"))?;
                words.extend([arg.as_str(), number]);
            }
            filter => words.extend(["--only", filter]),
        }
    }
    let tests = tests.to_string_lossy().into_owned();
    words.insert(0, &tests);
    let (_, bad) = run(&runner, "functions", &words)?;
    match bad.len() {
        0 => Ok(()),
        n => Err(format!("{n} functions are not as LLVM has them")),
    }
}

/// What `./x test` does: a sample, another one for each commit.
pub fn compare() -> Outcome<(usize, Vec<String>)> {
    let runner = release::build_checked("warpc-attack")?;
    let head = process::capture(
        Command::new("git")
            .current_dir(project::root())
            .args(["rev-parse", "HEAD"]),
    )?;
    let seed = (project::hash(&[head.output.trim()]) % 1_000_000_000).to_string();
    let (programs, sources, functions) = SAMPLE;
    let [programs, sources, functions] = [programs, sources, functions].map(|n| n.to_string());
    let mut all = run(
        &runner,
        "programs",
        &["--in-turn", "--from", &seed, "--count", &programs],
    )?;
    let tests = ll::nvptx::source::ensure_tests()?
        .to_string_lossy()
        .into_owned();
    let more = [
        ("cpp", vec!["--from", &seed, "--count", &sources]),
        (
            "functions",
            vec![&tests, "--seed", &seed, "--sample", &functions],
        ),
    ];
    for (task, words) in more {
        let (passed, bad) = run(&runner, task, &words)?;
        all.0 += passed;
        all.1.extend(bad);
    }
    Ok(all)
}

/// Runs a task of the runner: how much was as it should be, and a line for each fault.
fn run(runner: &Path, task: &str, words: &[&str]) -> Outcome<(usize, Vec<String>)> {
    let out: PathBuf = project::root().join("target/attack");
    let mut command = Command::new(runner);
    command.current_dir(project::root()).arg(task).args(words);
    command.args(["--jobs", &jobs::width().to_string()]);
    if task != "programs" {
        command.arg("--out").arg(out);
    }
    let (mut passed, mut bad) = (0, Vec::new());
    let ended = process::show_lines(&mut command, |line| {
        if let Some(fault) = line.strip_prefix("fault ") {
            bad.push(format!("{task}: {fault}"));
        }
        if let Some(count) = line.strip_prefix("passed ") {
            passed = count.trim().parse().unwrap_or(0);
        }
    })?;
    match ended || !bad.is_empty() {
        true => Ok((passed, bad)),
        false => Err(format!("warpc-attack {task} did not end well")),
    }
}
