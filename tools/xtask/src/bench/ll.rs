//! Reading and verifying LLVM IR, beside `llvm-as-22 -disable-output`, which does the same.
//!
//! The input is fifty megabytes of the corpus, of all producers. Both tools run as whole processes, a module each,
//! one tool after the other over the modules of a producer; the smallest of a few rounds counts. What a process
//! takes for an empty module is measured, too, so that the work itself can be compared.

use super::number;
use crate::ll::corpus;
use crate::ll::manifest::Row;
use crate::ll::recipe::Extent;
use crate::oracle;
use crate::process;
use crate::project::{self, Outcome};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How much text is read.
const BYTES: u64 = 50_000_000;
/// How often everything is measured.
pub(super) const ROUNDS: usize = 3;
/// Processes on an empty module in a round.
const STARTS: usize = 20;

/// Seconds on the clock and of the processor.
#[derive(Clone, Copy)]
pub(super) struct Time {
    pub clock: f64,
    pub processor: f64,
}

impl Time {
    pub const LONG: Time = Time {
        clock: f64::INFINITY,
        processor: f64::INFINITY,
    };
    const NONE: Time = Time {
        clock: 0.0,
        processor: 0.0,
    };

    pub fn min(self, other: Time) -> Time {
        Time {
            clock: self.clock.min(other.clock),
            processor: self.processor.min(other.processor),
        }
    }

    fn plus(self, other: Time) -> Time {
        Time {
            clock: self.clock + other.clock,
            processor: self.processor + other.processor,
        }
    }
}

/// What one producer's modules came to, or all of them together.
#[derive(Clone)]
struct Sum {
    modules: usize,
    bytes: f64,
    ours: Time,
    theirs: Time,
    our_peak: f64,
    their_peak: f64,
}

impl Sum {
    const NONE: Sum = Sum {
        modules: 0,
        bytes: 0.0,
        ours: Time::NONE,
        theirs: Time::NONE,
        our_peak: 0.0,
        their_peak: 0.0,
    };

    fn add(&mut self, other: &Sum) {
        self.modules += other.modules;
        self.bytes += other.bytes;
        self.ours = self.ours.plus(other.ours);
        self.theirs = self.theirs.plus(other.theirs);
        self.our_peak += other.our_peak;
        self.their_peak += other.their_peak;
    }
}

/// The two tools.
struct Tools<'a> {
    warpc: &'a Path,
}

impl Tools<'_> {
    fn ours(&self, file: &Path) -> Command {
        let mut command = Command::new(self.warpc);
        command.arg("check").arg(file);
        command
    }

    fn theirs(&self, file: &Path) -> Command {
        let mut command = Command::new("llvm-as-22");
        command.arg("-disable-output").arg(file);
        command
    }
}

/// The section of the page.
pub(super) fn section(warpc: &Path, rows: &[Row]) -> Outcome<String> {
    let tools = Tools { warpc };
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    for (producer, files) in chosen(rows) {
        sums.insert(producer, measure(&tools, &files)?);
    }
    let mut all = Sum::NONE;
    sums.values().for_each(|sum| all.add(sum));
    let empty = project::root().join("target/bench/empty.ll");
    project::write(&empty, "")?;
    let starts = vec![empty; STARTS];
    let (our_start, their_start) = rounds(&tools, &starts)?;
    let work = |whole: Time, start: Time| {
        (whole.processor - start.processor / STARTS as f64 * all.modules as f64).max(1e-3)
    };
    let (our_work, their_work) = (work(all.ours, our_start), work(all.theirs, their_start));
    let mut lines: Vec<String> = sums.iter().map(|(name, sum)| line(name, sum)).collect();
    lines.push(line("all", &all));
    lines.iter().for_each(|line| println!("{line}"));
    let without_start = format!(
        "Without what the processes take for an empty module ({:.1} and {:.1} ms): {our_work:.2} s and {their_work:.2} s of
the processor, {:.1}x.",
        our_start.processor / STARTS as f64 * 1e3,
        their_start.processor / STARTS as f64 * 1e3,
        their_work / our_work,
    );
    println!("{without_start}");
    Ok(format!(
        "
## Reading and verifying LLVM IR

| producer | modules | size | our time | LLVM 22 | ratio | our processor time | LLVM 22 | ratio | our memory / LLVM's |
|---|---|---|---|---|---|---|---|---|---|
{}

`warpc check` and `llvm-as-22 -disable-output`, a process for each module, start included; the smallest of {ROUNDS} rounds.
{without_start}
Memory is the sum of the peaks of the processes.
",
        lines.join("\n")
    ))
}

/// Modules of the corpus, enough of them: the sample if it will do.
pub(super) fn modules(tools: &oracle::Tools) -> Outcome<Vec<Row>> {
    let sample = corpus::sample(tools)?;
    let bytes: u64 = sample.iter().filter(|r| fits(r)).map(|r| r.bytes).sum();
    match bytes >= BYTES {
        true => Ok(sample),
        false => corpus::ensure(tools, corpus::FOLDER, Extent::All),
    }
}

/// Whether LLVM 22 reads a module.
pub(super) fn fits(row: &Row) -> bool {
    row.verdict == "accept" && row.reader == "22"
}

/// The modules to be read, by producer.
fn chosen(rows: &[Row]) -> BTreeMap<&str, Vec<PathBuf>> {
    let mut chosen: Vec<&Row> = rows.iter().filter(|r| fits(r)).collect();
    // In an order that has nothing to do with names or sizes, but is always the same.
    chosen.sort_by_key(|row| project::hash(&[&row.path]));
    let mut files: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    let mut total = 0;
    for row in chosen {
        if total >= BYTES {
            break;
        }
        total += row.bytes;
        let file = project::corpus_dir().join(&row.path);
        files.entry(&row.producer).or_default().push(file);
    }
    files
}

fn measure(tools: &Tools<'_>, files: &[PathBuf]) -> Outcome<Sum> {
    let (ours, theirs) = rounds(tools, files)?;
    let mut sum = Sum {
        modules: files.len(),
        ours,
        theirs,
        ..Sum::NONE
    };
    for file in files {
        let mut command = Command::new(tools.warpc);
        let text = process::must("warpc bench-parse", command.arg("bench-parse").arg(file))?;
        let field = |key: &str| {
            number(&text, key).ok_or_else(|| format!("warpc bench-parse gives no {key}: {text}"))
        };
        sum.bytes += field("bytes")?;
        sum.our_peak += field("peak_bytes")?;
        sum.their_peak += watched_peak(&mut tools.theirs(file))?;
    }
    Ok(sum)
}

/// The smallest times of both tools over some files.
fn rounds(tools: &Tools<'_>, files: &[PathBuf]) -> Outcome<(Time, Time)> {
    let (mut ours, mut theirs) = (Time::LONG, Time::LONG);
    for _ in 0..ROUNDS {
        ours = ours.min(time_of(files, |file| tools.ours(file))?);
        theirs = theirs.min(time_of(files, |file| tools.theirs(file))?);
    }
    Ok((ours, theirs))
}

pub(super) fn time_of(files: &[PathBuf], command: impl Fn(&Path) -> Command) -> Outcome<Time> {
    let (start, processor) = (Instant::now(), process::time_of_programs());
    for file in files {
        let mut command = command(file);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        if !process::show(quiet)? {
            return Err(format!("{command:?} fails"));
        }
    }
    Ok(Time {
        clock: start.elapsed().as_secs_f64(),
        processor: process::time_of_programs() - processor,
    })
}

/// The peak of the memory of a process in bytes, as far as it can be seen from outside: it is asked for again and
/// again until the process ends, so it is a little too small at worst.
fn watched_peak(command: &mut Command) -> Outcome<f64> {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{command:?}: {error}"))?;
    let status = format!("/proc/{}/status", child.id());
    let mut kilobytes = 0.0;
    while let Ok(None) = child.try_wait() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let seen = text
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
            .and_then(|number| number.trim().parse::<f64>().ok());
        kilobytes = seen.unwrap_or(kilobytes).max(kilobytes);
        std::thread::sleep(Duration::from_micros(500));
    }
    Ok(kilobytes * 1024.0)
}

fn line(name: &str, sum: &Sum) -> String {
    format!(
        "| {name} | {} | {:.1} MB | {:.2} s | {:.2} s | {:.1}x | {:.2} s | {:.2} s | {:.1}x | {:.2} |",
        sum.modules,
        sum.bytes / 1e6,
        sum.ours.clock,
        sum.theirs.clock,
        sum.theirs.clock / sum.ours.clock,
        sum.ours.processor,
        sum.theirs.processor,
        sum.theirs.processor / sum.ours.processor.max(0.01),
        sum.our_peak / sum.their_peak
    )
}
