//! The features of the library: it builds with every set of them.

use crate::process;
use crate::project::{self, Outcome};
use std::process::Command;

/// The features of the package `warpc` that meet each other.
const FEATURES: [&str; 4] = ["mlir", "sim", "sass", "driver"];

/// Those that meet no other: one check with each is enough.
const APART: [&str; 2] = ["litmus", "jit"];

/// Checks the library with each set of features; how many there are, and a message for each that does not build.
pub fn check() -> Outcome<(usize, Vec<String>)> {
    let (mut right, mut wrong) = (0, Vec::new());
    let sets = (0..1u32 << FEATURES.len()).map(|set| {
        let chosen = FEATURES.iter().enumerate();
        let chosen = chosen.filter(|(bit, _)| set >> bit & 1 == 1);
        let chosen: Vec<&str> = chosen.map(|(_, name)| *name).collect();
        chosen.join(",")
    });
    for chosen in sets.chain(APART.map(str::to_owned)) {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(project::root())
            .args([
                "check",
                "--quiet",
                "--package",
                "warpc",
                "--no-default-features",
            ])
            .args(["--features", &chosen]);
        let done = process::capture(&mut cargo)?;
        match done.ok && !done.output.contains("warning") {
            true => right += 1,
            false => wrong.push(format!("features `{chosen}`:\n{}", done.output)),
        }
    }
    Ok((right, wrong))
}
