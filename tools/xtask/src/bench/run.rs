//! The emulator's speed: `warpc run` on small kernels, with one worker and with as many as there are
//! cores. Nothing open that runs PTX is at hand to compare with, so the figures stand alone.

use super::number;
use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs of each measurement; the fastest counts, for other load only ever slows.
const RUNS: usize = 5;

/// Kernels, and the least million thread instructions a second with one worker, where one is promised.
const KERNELS: [(&str, Option<f64>); 6] = [
    ("converged", Some(150.0)),
    ("divergent", Some(40.0)),
    ("single", None),
    ("floats", None),
    ("memory", None),
    ("resident", None),
];

/// What a kernel came to.
pub(super) struct Speed {
    name: &'static str,
    promised: Option<f64>,
    instructions: f64,
    lanes: f64,
    one: f64,
    all: f64,
    threads: f64,
    /// Bytes that the process took beyond what it takes for one small block.
    extra_bytes: f64,
}

fn folder() -> PathBuf {
    project::root().join("tools/xtask/src/bench/kernels")
}

/// Measures every kernel.
pub(super) fn measure(warpc: &Path) -> Outcome<Vec<Speed>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut speeds = Vec::new();
    for (name, promised) in KERNELS {
        let file = folder().join(format!("{name}.ptx"));
        let best = |jobs: usize| -> Outcome<(f64, String)> {
            let mut best: Option<(f64, String)> = None;
            for _ in 0..RUNS {
                let text = run(warpc, &file, &["--jobs", &jobs.to_string()])?;
                let time = field(&text, "time_ns")? / 1e9;
                if best.as_ref().is_none_or(|(old, _)| time < *old) {
                    best = Some((time, text));
                }
            }
            best.ok_or_else(|| "no run".into())
        };
        let (one, text) = best(1)?;
        let (all, _) = best(cores)?;
        let small = run(
            warpc,
            &file,
            &["--grid", "1", "--block", "32", "--jobs", "1"],
        )?;
        let shape = |key: &str| -> Option<f64> {
            let list = text.split_once(&format!("\"{key}\":["))?.1;
            let list = list.split_once(']')?.0;
            list.split(',').map(|n| n.parse::<f64>().ok()).product()
        };
        speeds.push(Speed {
            name,
            promised,
            instructions: field(&text, "thread_instructions")?,
            lanes: field(&text, "thread_instructions")? / field(&text, "warp_instructions")?,
            one,
            all,
            threads: shape("grid")
                .zip(shape("block"))
                .map_or(0.0, |(g, b)| g * b),
            extra_bytes: field(&text, "peak_bytes")? - field(&small, "peak_bytes")?,
        });
        if let Some(speed) = speeds.last() {
            println!("{}", line(speed));
        }
    }
    Ok(speeds)
}

fn run(warpc: &Path, file: &Path, flags: &[&str]) -> Outcome<String> {
    let mut command = Command::new(warpc);
    command
        .args(["run", "--message-format", "json"])
        .arg(file)
        .args(flags);
    process::must("warpc run", &mut command)
}

fn field(text: &str, key: &str) -> Outcome<f64> {
    number(text, key).ok_or_else(|| format!("warpc run gives no {key}: {text}"))
}

fn line(speed: &Speed) -> String {
    let million = |time: f64| speed.instructions / time / 1e6;
    format!(
        "| {} | {:.1} | {:.1} | {:.0} | {} | {:.0} | {:.2}x | {:.0} |",
        speed.name,
        speed.instructions / 1e6,
        speed.lanes,
        million(speed.one),
        speed
            .promised
            .map_or("-".to_owned(), |least| format!("{least:.0}")),
        million(speed.all),
        speed.one / speed.all,
        (speed.extra_bytes / speed.threads).max(0.0),
    )
}

/// The section of the page.
pub(super) fn section(speeds: &[Speed]) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let lines: Vec<String> = speeds.iter().map(line).collect();
    format!(
        "
## Running PTX on the CPU

| kernel | million thread instructions | threads together | million a second, 1 worker | promised | million a second, {cores} workers | ratio | bytes a thread |
|---|---|---|---|---|---|---|---|
{}

The kernels are in `tools/xtask/src/bench/kernels`. Times are those of the launch alone, the best of {RUNS} runs.
*Threads together* is how many threads of a warp execute an instruction at once, on average. *Bytes a thread* is what
the process took at its peak beyond a run of one small block, by all threads of the grid: in `resident` all blocks are
in memory at the same time, in the others a few.
",
        lines.join("\n")
    )
}
