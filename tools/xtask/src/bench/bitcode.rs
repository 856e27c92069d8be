//! Reading and verifying bitcode, next to `llvm-dis-22 -o /dev/null`, which reads and prints it.
//!
//! The input is the bitcode that `llvm-as-22` makes of the largest modules of the corpus. Both tools run as whole
//! processes, a module each; the smallest of a few rounds counts.

use super::ll::{self, Time};
use crate::ll::manifest::Row;
use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many modules are read.
const MODULES: usize = 40;
/// Processes on an empty module in a round.
const STARTS: usize = 20;

/// The section of the page.
pub(super) fn section(warpc: &Path, rows: &[Row]) -> Outcome<String> {
    let folder = project::root().join("target/bench/bitcode");
    project::make_dir(&folder)?;
    let mut rows: Vec<&Row> = rows.iter().filter(|row| ll::fits(row)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.bytes, &row.path)));
    rows.truncate(MODULES);
    let mut files = Vec::new();
    let mut bytes = 0;
    for row in &rows {
        let file = folder.join(row.path.replace('/', "_")).with_extension("bc");
        assemble(&project::corpus_dir().join(&row.path), &file)?;
        bytes += std::fs::metadata(&file).map_or(0, |data| data.len());
        files.push(file);
    }
    let empty = folder.join("empty.ll");
    project::write(&empty, "")?;
    let empty_bitcode = folder.join("empty.bc");
    assemble(&empty, &empty_bitcode)?;
    let (ours, theirs) = rounds(warpc, &files)?;
    let (our_start, their_start) = rounds(warpc, &vec![empty_bitcode; STARTS])?;
    let one = |start: Time| start.processor / STARTS as f64;
    let work =
        |whole: Time, start: Time| (whole.processor - one(start) * files.len() as f64).max(1e-3);
    let (our_work, their_work) = (work(ours, our_start), work(theirs, their_start));
    let text = format!(
        "
## Reading bitcode

The {} largest modules of the corpus as bitcode of `llvm-as-22`, {:.1} MB, read and verified by whole processes: {:.2} s of processor time
against {:.2} s of `llvm-dis-22 -o /dev/null`, {:.1}x (the smallest of {} rounds each). Without what the processes take for an empty
module ({:.1} and {:.1} ms): {our_work:.2} s and {their_work:.2} s, {:.1}x.
",
        files.len(),
        bytes as f64 / 1e6,
        ours.processor,
        theirs.processor,
        theirs.processor / ours.processor.max(1e-3),
        ll::ROUNDS,
        one(our_start) * 1e3,
        one(their_start) * 1e3,
        their_work / our_work,
    );
    Ok(text)
}

fn assemble(text: &Path, bitcode: &Path) -> Outcome {
    let mut command = Command::new("llvm-as-22");
    process::must("llvm-as-22", command.arg(text).arg("-o").arg(bitcode))?;
    Ok(())
}

/// The smallest times of both tools over some files.
fn rounds(warpc: &Path, files: &[PathBuf]) -> Outcome<(Time, Time)> {
    let (mut ours, mut theirs) = (Time::LONG, Time::LONG);
    for _ in 0..ll::ROUNDS {
        ours = ours.min(ll::time_of(files, |file| {
            let mut command = Command::new(warpc);
            command.arg("check").arg(file);
            command
        })?);
        theirs = theirs.min(ll::time_of(files, |file| {
            let mut command = Command::new("llvm-dis-22");
            command.args(["-o", "/dev/null"]).arg(file);
            command
        })?);
    }
    Ok((ours, theirs))
}
