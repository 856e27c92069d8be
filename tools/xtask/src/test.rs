//! `./x test` and `./x bless`.
//!
//! The whole test is a list of steps that all run, whatever happened to those before, and one summary at the
//! end: a person who broke two things learns of both.

use crate::project::{self, Outcome};
use crate::{
    atomics, attack, builtins, clients, corpus, features, ll, mlir, oracle, process, python,
    same_code, sass,
};
use std::process::Command;
use std::time::Instant;

/// A corpus of LLVM IR that is smaller says too little: a producer is missing.
const MODULES: usize = 400;

/// When a step began.
#[derive(Clone, Copy)]
struct Start {
    clock: Instant,
    busy: f64,
}

impl Start {
    fn now() -> Start {
        Start {
            clock: Instant::now(),
            busy: process::time_of_programs(),
        }
    }

    fn seconds(self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }

    fn busy(self) -> f64 {
        process::time_of_programs() - self.busy
    }
}

/// One line of the summary.
struct Step {
    name: String,
    passed: usize,
    failed: usize,
    seconds: f64,
    /// Processor time.
    busy: f64,
    note: String,
}

impl Step {
    fn of(name: &str, start: Start, result: Outcome<bool>) -> Step {
        let ok = matches!(result, Ok(true));
        let note = result.err().unwrap_or_default();
        Step {
            name: name.into(),
            passed: ok.into(),
            failed: (!ok).into(),
            seconds: start.seconds(),
            busy: start.busy(),
            note,
        }
    }
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(project::root()).args(args);
    command
}

/// The task.
pub fn test(args: &[String]) -> Outcome {
    let quick = args.iter().any(|a| a == "--quick");
    if let Some(unknown) = args.iter().find(|a| *a != "--quick") {
        return Err(format!("unknown option {unknown} (only --quick)"));
    }
    let mut steps = Vec::new();
    let mut tools = None;
    if !quick {
        steps.push(cargo_step(
            "format",
            &mut cargo(&["fmt", "--all", "--check"]),
        ));
        steps.push(cargo_step(
            "lints",
            &mut cargo(&[
                "clippy",
                "--workspace",
                "--all-targets",
                "--quiet",
                "--",
                "-D",
                "warnings",
            ]),
        ));
        let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
        steps.push(cargo_step("docs", doc.env("RUSTDOCFLAGS", "-Dwarnings")));
        // The library with every set of its features.
        steps.push(comparison("features", features::check));
        let start = Start::now();
        let (found, missing) = oracle::ensure_all();
        let whole = if missing.is_empty() {
            Ok(true)
        } else {
            Err(missing.join("; "))
        };
        steps.push(Step::of("tools", start, whole));
        println!("== corpus");
        let start = Start::now();
        steps.push(Step::of(
            "corpus",
            start,
            corpus::ensure(&found, "").map(|rows| !rows.is_empty()),
        ));
        steps.push(modules(&found));
        tools = Some(found);
    }
    steps.push(tests(quick));
    if !quick {
        // The emulator with native code, which nothing else builds.
        steps.push(cargo_step("native code", &mut native()));
    }
    if let Some(tools) = tools {
        // Calls of every builtin through our compiler and ptxas.
        steps.push(comparison("builtins", || builtins::compare(&tools)));
        // The PTX of the corpus through our printer and ptxas.
        steps.push(comparison("same code", || same_code::compare(&tools)));
        // ptxas's code for a part of it, on every chip, through our tables and nvdisasm.
        steps.push(comparison("SASS", || sass::compare(&tools)));
        // Variations of its instructions through us and nvdisasm.
        steps.push(comparison("fuzz SASS", || sass::fuzz::compare(&tools)));
        // Its LLVM IR through our printer and LLVM's reader.
        steps.push(comparison("same IR", ll::same::compare_made));
        // A part of it as bitcode of three versions.
        steps.push(comparison("bitcode", ll::bitcode::compare_sample));
        // A part of it as bitcode, for LLVM 22, LLVM 14 and libNVVM.
        steps.push(comparison("bitcode written", || {
            ll::bitcode_write::compare(&tools)
        }));
        // Every atomic through our compiler, its judge and ptxas.
        steps.push(comparison("atomics", || atomics::compare(&tools)));
        // Machine code that ptxas makes of the atomics of every door, a sample.
        steps.push(comparison("atomics in SASS", || atomics::sample(&tools)));
        // Generated programs, and functions of LLVM's tests: another sample for each commit.
        steps.push(comparison("attack", attack::compare));
        // Programs built by nvcc, clang and Triton with our ptxas.
        steps.push(comparison("clients", || clients::compare(&tools)));
        // The Python package, as pip installs it.
        steps.push(comparison("Python", python::compare));
        // MLIR modules through us and through its own tools.
        steps.push(comparison("MLIR", || mlir::compare(&tools, false)));
    }
    report(&steps)
}

/// The LLVM IR of the corpus: every module must be there, and LLVM must take it.
fn modules(tools: &oracle::Tools) -> Step {
    println!("== LLVM IR");
    let start = Start::now();
    match ll::corpus::sample(tools) {
        Ok(rows) => {
            let (taken, others): (Vec<_>, Vec<_>) =
                rows.iter().partition(|row| row.verdict == "accept");
            let too_few = rows.len() < MODULES;
            Step {
                name: "LLVM IR".into(),
                passed: taken.len(),
                failed: others.len() + usize::from(too_few),
                seconds: start.seconds(),
                busy: start.busy(),
                note: match too_few {
                    true => format!("fewer than {MODULES} modules could be made"),
                    false => String::new(),
                },
            }
        }
        Err(message) => Step::of("LLVM IR", start, Err(message)),
    }
}

/// The original and our print of it, through another's tool: how many are equal, and a message for each other.
fn comparison(name: &str, compare: impl FnOnce() -> Outcome<(usize, Vec<String>)>) -> Step {
    println!("== {name}");
    let start = Start::now();
    match compare() {
        Ok((equal, different)) => {
            different.iter().for_each(|message| println!("{message}"));
            println!("{name}: {equal} right, {} not", different.len());
            Step {
                name: name.into(),
                passed: equal,
                failed: different.len(),
                seconds: start.seconds(),
                busy: start.busy(),
                note: String::new(),
            }
        }
        Err(message) => Step::of(name, start, Err(message)),
    }
}

fn cargo_step(name: &str, command: &mut Command) -> Step {
    println!("== {name}");
    let start = Start::now();
    Step::of(name, start, process::show(command))
}

/// The comparison of native code with the interpreter.
fn native() -> Command {
    let mut command = cargo(&["test", "--package", "warpc-sim", "--features", "jit"]);
    command.args(["--test", "all", "native::"]);
    command
}

/// `cargo test`, with the tools' folders in the environment unless `quick`.
fn tests(quick: bool) -> Step {
    println!("== tests");
    let start = Start::now();
    let mut command = cargo(&["test", "--workspace", "--no-fail-fast"]);
    if quick {
        command
            .env_remove("WARPC_ORACLE_DIR")
            .env_remove("WARPC_CORPUS_DIR");
    } else {
        command
            .env("WARPC_ORACLE_DIR", project::oracle_dir())
            .env("WARPC_CORPUS_DIR", project::corpus_dir());
    }
    let (mut passed, mut failed, mut ignored) = (0, 0, 0);
    let result = process::show_lines(&mut command, |line| {
        if let Some(counts) = line.strip_prefix("test result: ") {
            passed += count(counts, " passed");
            failed += count(counts, " failed");
            ignored += count(counts, " ignored");
        }
    });
    let mut note = if ignored > 0 {
        format!("{ignored} ignored")
    } else {
        String::new()
    };
    match result {
        Ok(true) => {}
        Ok(false) if failed == 0 => {
            (failed, note) = (1, "cargo test did not end well (does it build?)".into())
        }
        Ok(false) => {}
        Err(e) => (failed, note) = (failed.max(1), e),
    }
    Step {
        name: "tests".into(),
        passed,
        failed,
        seconds: start.seconds(),
        busy: start.busy(),
        note,
    }
}

/// The number before `word` in `ok. 12 passed; 0 failed; …`.
fn count(counts: &str, word: &str) -> usize {
    let number = counts
        .split(word)
        .next()
        .and_then(|before| before.rsplit(' ').next());
    number
        .filter(|_| counts.contains(word))
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

fn report(steps: &[Step]) -> Outcome {
    println!();
    for s in steps {
        let first = s.note.lines().next().unwrap_or_default();
        println!(
            "{:9} {:6} passed, {:3} failed  {:6.1} s ({:6.1} s of one core)  {first}",
            s.name, s.passed, s.failed, s.seconds, s.busy
        );
    }
    let passed: usize = steps.iter().map(|s| s.passed).sum();
    let failed: usize = steps.iter().map(|s| s.failed).sum();
    println!("{passed} passed, {failed} failed");
    if failed == 0 {
        Ok(())
    } else {
        Err("the test run failed".into())
    }
}

/// `./x bless`: the file tests write what they see instead of comparing it.
pub fn bless(args: &[String]) -> Outcome {
    let mut command = cargo(&["test", "--workspace", "--no-fail-fast"]);
    command
        .env("WARPC_BLESS", "1")
        .env("WARPC_ORACLE_DIR", project::oracle_dir());
    command.arg("--").args(args);
    if process::show(&mut command)? {
        Ok(())
    } else {
        Err("some expectations could not be rewritten".into())
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_read_from_the_result_line() {
        let line = "FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out";
        assert_eq!(
            (
                count(line, " passed"),
                count(line, " failed"),
                count(line, " ignored")
            ),
            (12, 3, 1)
        );
        assert_eq!(count("ok.", " passed"), 0);
    }
}
