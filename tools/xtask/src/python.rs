//! `./x python`: the Python package, linted, built, installed and tested.
//!
//! ```text
//!   python/ ── cargo fmt, clippy
//!           ── pip install ./python ──► target/python/venv ── mypy, pytest      (wheel by maturin, which pip fetches)
//! ```
//!
//! The package is a workspace of its own, as `fuzz` is: PyO3 and Python are needed here only. The examples run with the Pythons of
//! `target/oracle` that have Numba and Triton, where these are.

use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests need besides what the package itself requires.
const TOOLS: [&str; 3] = ["numpy>=2", "pytest>=8", "mypy>=1.11"];

/// The task.
pub fn python(args: &[String]) -> Outcome {
    if let Some(unknown) = args.first() {
        return Err(format!("python takes nothing, not {unknown}"));
    }
    let (passed, failed) = compare()?;
    failed.iter().for_each(|message| println!("{message}"));
    println!("{passed} passed, {} failed", failed.len());
    match failed.is_empty() {
        true => Ok(()),
        false => Err("the tests of the Python package failed".into()),
    }
}

/// Lints, builds, installs and tests the package: how many tests passed, and a message for each step that did not.
pub fn compare() -> Outcome<(usize, Vec<String>)> {
    let folder = project::root().join("python");
    let mut failed = Vec::new();
    let mut passed = 0;
    let mut note = |result: Outcome<String>| match result {
        Ok(_) => passed += 1,
        Err(message) => failed.push(message),
    };
    let cargo = |args: &[&str]| {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .current_dir(&folder)
            .args(args)
            .env("CARGO_TARGET_DIR", build_dir());
        command
    };
    let mut format = cargo(&["fmt", "--check"]);
    note(process::must("cargo fmt of python", &mut format));
    let mut clippy = cargo(&["clippy", "--all-targets", "--quiet", "--", "-D", "warnings"]);
    note(process::must("cargo clippy of python", &mut clippy));
    let python = environment()?;
    install(&python, &folder)?;
    let mut mypy = Command::new(&python);
    mypy.current_dir(&folder)
        .args(["-m", "mypy", "--strict", "package/warpc"]);
    note(process::must("mypy", &mut mypy));
    let mut pytest = Command::new(&python);
    pytest
        .current_dir(&folder)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    for (variable, name) in [("WARPC_NUMBA", "numba"), ("WARPC_TRITON", "triton")] {
        let python = project::oracle_dir().join(name).join("bin/python3");
        if python.exists() {
            pytest.env(variable, python);
        }
    }
    let tested = process::capture(&mut pytest)?;
    if !tested.ok {
        failed.push(tested.output.clone());
    }
    Ok((passed + passed_tests(&tested.output), failed))
}

/// Where the native part is built.
fn build_dir() -> PathBuf {
    project::root().join("target/python/build")
}

/// A virtual environment with the tools, made once; its Python.
fn environment() -> Outcome<PathBuf> {
    let folder = project::root().join("target/python/venv");
    let python = folder.join("bin/python3");
    let stamp = folder.join("stamp");
    let wanted = TOOLS.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(python);
    }
    project::make_dir(&project::root().join("target/python"))?;
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv", "--clear"]).arg(&folder);
    process::must("python3 -m venv", &mut venv)?;
    let mut pip = pip(&python);
    process::must("pip install", pip.args(TOOLS))?;
    project::write(&stamp, wanted)?;
    Ok(python)
}

fn pip(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    pip
}

/// `pip install ./python`, as a user does it.
fn install(python: &Path, folder: &Path) -> Outcome {
    let mut pip = pip(python);
    pip.env("CARGO_TARGET_DIR", build_dir())
        .args(["--force-reinstall", "--no-deps"])
        .arg(folder);
    process::must("pip install ./python", &mut pip)?;
    Ok(())
}

/// The number in pytest's last line, `94 passed, 1 skipped in 3.21s`.
fn passed_tests(output: &str) -> usize {
    let words = output.lines().rev().find(|line| line.contains(" passed"));
    let words: Vec<&str> = words.unwrap_or_default().split_whitespace().collect();
    let at = words.iter().position(|word| word.starts_with("passed"));
    let number = at.and_then(|at| words.get(at.checked_sub(1)?));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::passed_tests;

    #[test]
    fn the_last_line_has_the_number() {
        assert_eq!(passed_tests("..\n94 passed, 1 skipped in 3.21s\n"), 94);
        assert_eq!(passed_tests("2 failed, 7 passed in 1s\n"), 7);
        assert_eq!(passed_tests("no tests ran in 0.01s\n"), 0);
    }
}
