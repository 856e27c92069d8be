//! What each pass takes of a large module, beside its budget.
//!
//! Ten times as fast as ptxas is some 2,300 nanoseconds for an instruction of PTX, whatever passes there are. The budgets
//! share that out; one that is exceeded is marked, and either the pass gets faster or another one gives something up.

use super::{CHIP, generate};
use crate::process;
use crate::project::{self, Outcome};
use std::path::Path;
use std::process::Command;

/// Kernels of the module and instructions of each.
const KERNELS: usize = 40;
const INSTRUCTIONS: usize = 500;

/// Runs; the least of each pass counts.
const RUNS: usize = 5;

/// Nanoseconds for an instruction of PTX. The first pass has the reading of the text before it.
const BUDGETS: &[(&str, f64)] = &[
    ("build", 900.0),
    ("schedule_latency", 350.0),
    ("assign_registers", 200.0),
    ("schedule", 200.0),
];

/// The budget of every other pass.
const OTHERS: f64 = 80.0;

/// The part of the page.
pub fn section(warpc: &Path) -> Outcome<String> {
    let folder = project::root().join("target/bench");
    let file = folder.join("passes.ptx");
    project::write(&file, generate::module(KERNELS, INSTRUCTIONS))?;
    let mut least: Vec<(String, f64)> = Vec::new();
    for _ in 0..RUNS {
        let mut command = Command::new(warpc);
        command.args(["compile", "-j", "1", "--time-passes", "--arch", CHIP, "-o"]);
        command.arg(folder.join("passes.cubin")).arg(&file);
        let done = process::capture(&mut command)?;
        if !done.ok {
            return Err(format!("{command:?} fails: {}", done.output));
        }
        for (name, milliseconds) in done.output.lines().filter_map(line) {
            match least.iter_mut().find(|one| one.0 == name) {
                Some(one) => one.1 = one.1.min(milliseconds),
                None => least.push((name.to_owned(), milliseconds)),
            }
        }
    }
    let mut text = format!(
        "\nBy pass, {} instructions of PTX in {KERNELS} kernels, nanoseconds for each instruction (least of {RUNS} runs); \
         reading the text is in `build`:\n\n| pass | takes | budget | |\n|---|---|---|---|\n",
        KERNELS * INSTRUCTIONS
    );
    let each = |milliseconds: f64| milliseconds * 1e6 / (KERNELS * INSTRUCTIONS) as f64;
    for (name, milliseconds) in &least {
        let (takes, budget) = (each(*milliseconds), budget(name));
        let mark = if takes > budget { "over" } else { "" };
        text.push_str(&format!(
            "| `{name}` | {takes:.0} | {budget:.0} | {mark} |\n"
        ));
    }
    let all = each(least.iter().map(|one| one.1).sum());
    let budgets: f64 = least.iter().map(|one| budget(&one.0)).sum();
    text.push_str(&format!("| all | {all:.0} | {budgets:.0} | |\n"));
    Ok(text)
}

fn budget(pass: &str) -> f64 {
    let own = BUDGETS.iter().find(|one| one.0 == pass);
    own.map_or(OTHERS, |one| one.1)
}

/// A line of `--time-passes`: milliseconds, and the pass.
fn line(line: &str) -> Option<(&str, f64)> {
    let (time, name) = line.trim().split_once(" ms ")?;
    Some((name.trim(), time.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_times_and_passes() {
        assert_eq!(line("    22.189 ms  build"), Some(("build", 22.189)));
        assert_eq!(line("something else"), None);
    }
}
