//! Machine code: `warpc dis` beside `nvdisasm -c` over the same cubins, and `warpc-sass` from inside.

use crate::oracle::Tools;
use crate::process;
use crate::project::{self, Outcome};
use crate::sass::cubins::Workshop;
use crate::sass::nvdisasm;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The chip whose cubins are taken.
const CHIP: &str = "sm_90a";
/// How many of the largest cubins are listed: nvdisasm takes half a second for each.
const LISTED: usize = 40;
/// How many of them have a line of their own.
const LARGEST: usize = 3;
/// Runs of each listing; the best counts.
const RUNS: usize = 3;

/// The section of the page.
pub fn section(tools: &Tools, warpc: &Path) -> Outcome<String> {
    crate::corpus::ensure(tools, "")?;
    let mut files: Vec<(u64, String, PathBuf)> = Workshop::new(tools, warpc, CHIP)?
        .all()?
        .into_iter()
        .filter(|made| made.variant.is_empty())
        .filter_map(|made| Some((made.file.metadata().ok()?.len(), made.name, made.file)))
        .collect();
    files.sort();
    files.reverse();
    let inside = inside(&files)?;
    let nvdisasm = nvdisasm::program(tools)?;
    let mut text = format!(
        "\n{}\n\nListings, best of {RUNS} runs, whole processes, one at a time:\n\n\
         | cubin | kB | warpc dis | nvdisasm -c | times faster |\n|---|---|---|---|---|\n",
        inside.trim_end()
    );
    let mut total = (0, Duration::ZERO, Duration::ZERO);
    for (index, (size, name, file)) in files.iter().take(LISTED).enumerate() {
        let ours = fastest(|| {
            let mut command = Command::new(warpc);
            command.arg("dis").arg(file);
            command
        })?;
        let theirs = fastest(|| {
            let mut command = Command::new(&nvdisasm);
            command.arg("-c").arg(file);
            command
        })?;
        total = (total.0 + size, total.1 + ours, total.2 + theirs);
        if index < LARGEST {
            text.push_str(&line(name, *size, ours, theirs));
        }
    }
    let all = format!("the {} largest of {CHIP}", files.len().min(LISTED));
    text.push_str(&line(&all, total.0, total.1, total.2));
    Ok(text)
}

fn line(name: &str, size: u64, ours: Duration, theirs: Duration) -> String {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    format!(
        "| {name} | {:.0} | {:.1} ms | {:.1} ms | {:.1} |\n",
        size as f64 / 1e3,
        milliseconds(ours),
        milliseconds(theirs),
        theirs.as_secs_f64() / ours.as_secs_f64()
    )
}

/// What the crate's own benchmark prints.
fn inside(files: &[(u64, String, PathBuf)]) -> Outcome<String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(project::root()).args([
        "bench",
        "--quiet",
        "--package",
        "warpc-sass",
        "--bench",
        "speed",
        "--",
    ]);
    cargo.args(files.iter().map(|(_, _, file)| file));
    let text = process::must("decoding and encoding", &mut cargo)?;
    // Cargo's own lines stand before it.
    let start = text.find("## ").ok_or("the benchmark printed nothing")?;
    Ok(text[start..].to_owned())
}

/// The best time of a program that prints to nowhere.
fn fastest(command: impl Fn() -> Command) -> Outcome<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let mut command = command();
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let start = Instant::now();
        let status = command
            .status()
            .map_err(|e| format!("cannot run {command:?}: {e}"))?;
        best = best.min(start.elapsed());
        if !status.success() {
            return Err(format!("{command:?} failed"));
        }
    }
    Ok(best)
}
