//! Reading and verifying LLVM IR, beside `llvm-as-22 -disable-output`, which does the same.
//!
//! The input is fifty megabytes of the corpus, of all producers. Ours is measured from inside (`warpc bench-parse`);
//! LLVM's is a process, so the time of one on an empty module is taken off each.

use super::number;
use crate::ll::manifest::Row;
use crate::process;
use crate::project::{self, Outcome};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// How much text is read.
const BYTES: u64 = 50_000_000;

/// What one producer's modules came to, or all of them together.
#[derive(Clone, Default)]
struct Sum {
    modules: usize,
    bytes: f64,
    ours: f64,
    theirs: f64,
    our_peak: f64,
    their_peak: f64,
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        self.modules += other.modules;
        self.bytes += other.bytes;
        self.ours += other.ours;
        self.theirs += other.theirs;
        self.our_peak += other.our_peak;
        self.their_peak += other.their_peak;
    }
}

/// The section of the page.
pub(super) fn section(warpc: &Path, rows: &[Row]) -> Outcome<String> {
    let mut chosen: Vec<&Row> = rows
        .iter()
        .filter(|r| r.verdict == "accept" && r.reader == "22")
        .collect();
    // In an order that has nothing to do with names or sizes, but is always the same.
    chosen.sort_by_key(|row| project::hash(&[&row.path]));
    let empty = project::root().join("target/bench/empty.ll");
    project::write(&empty, "")?;
    let (start, _) = llvm(&empty)?;
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    let mut total = 0;
    for row in chosen {
        if total >= BYTES {
            break;
        }
        total += row.bytes;
        let file = project::corpus_dir().join(&row.path);
        let mut command = Command::new(warpc);
        let text = process::must("warpc bench-parse", command.arg("bench-parse").arg(&file))?;
        let field = |key: &str| {
            number(&text, key).ok_or_else(|| format!("warpc bench-parse gives no {key}: {text}"))
        };
        let (time, peak) = llvm(&file)?;
        let sum = Sum {
            modules: 1,
            bytes: row.bytes as f64,
            ours: (field("parse_ns")? + field("verify_ns")?) / 1e9,
            theirs: (time - start).max(0.0),
            our_peak: field("peak_bytes")?,
            their_peak: peak,
        };
        sums.entry(&row.producer).or_default().add(&sum);
    }
    let mut all = Sum::default();
    sums.values().for_each(|sum| all.add(sum));
    let mut lines: Vec<String> = sums.iter().map(|(name, sum)| line(name, sum)).collect();
    lines.push(line("all", &all));
    lines.iter().for_each(|line| println!("{line}"));
    Ok(format!(
        "
## Reading and verifying LLVM IR

| producer | modules | size | our time | LLVM 22 | ratio | our memory / LLVM's |
|---|---|---|---|---|---|---|
{}

LLVM's time is that of `llvm-as-22 -disable-output`, less the time it takes for an empty module. Memory is the sum of the
peaks of the processes.
",
        lines.join("\n")
    ))
}

/// Seconds and peak memory in bytes of LLVM's reader.
fn llvm(file: &Path) -> Outcome<(f64, f64)> {
    let begin = Instant::now();
    let mut command = Command::new("/usr/bin/time");
    command.args(["-f", "peak %M", "llvm-as-22", "-disable-output"]);
    let said = process::must("llvm-as-22", command.arg(file))?;
    let time = begin.elapsed().as_secs_f64();
    let kilobytes = said
        .lines()
        .find_map(|l| l.strip_prefix("peak ")?.trim().parse::<f64>().ok())
        .ok_or("`time` gives no peak")?;
    Ok((time, kilobytes * 1024.0))
}

fn line(name: &str, sum: &Sum) -> String {
    format!(
        "| {name} | {} | {:.1} MB | {:.2} s | {:.2} s | {:.1}x | {:.2} |",
        sum.modules,
        sum.bytes / 1e6,
        sum.ours,
        sum.theirs,
        sum.theirs / sum.ours,
        sum.our_peak / sum.their_peak
    )
}
