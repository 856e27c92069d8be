//! `./x ll bitcode`: bitcode must be read as the module that its text is.
//!
//! ```text
//! module ─ llvm-as ─► bitcode ─┬─ warpc compile --emit ll ──────────────► text ┐
//!                              └─ llvm-dis ─► text ─ warpc … --emit ll ─► text ┴─ equal?
//! ```
//!
//! With the tools of LLVM 14, 19 and 22, each where it reads the module and is installed. `llvm-dis` is the judge of what
//! the bitcode is.

use crate::ll::corpus;
use crate::ll::manifest::{self, Row};
use crate::ll::recipe::Extent;
use crate::oracle;
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSIONS: &[&str] = &["14", "19", "22"];
/// `./x test` takes every so many modules.
const SAMPLE: usize = 40;

/// The task: all modules, or those whose path contains a filter.
pub fn bitcode(args: &[String]) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    let rows = corpus::ensure(&tools, corpus::FOLDER, Extent::of(args))?;
    let filter = args.iter().find(|a| !a.starts_with("--"));
    let rows: Vec<Row> = rows
        .into_iter()
        .filter(|row| filter.is_none_or(|f| row.path.contains(f.as_str())))
        .collect();
    let (equal, different) = compare(&rows)?;
    different.iter().for_each(|message| println!("{message}"));
    println!(
        "{equal} files of bitcode equal their text, {} do not",
        different.len()
    );
    match different.is_empty() {
        true => Ok(()),
        false => Err("some bitcode is not read as its text is".into()),
    }
}

/// Compares a sample of the modules that are there.
pub fn compare_sample() -> Outcome<(usize, Vec<String>)> {
    let rows = manifest::read()?;
    compare(&rows.into_iter().step_by(SAMPLE).collect::<Vec<Row>>())
}

/// Compares modules; gives the number of equal files, and a message for each other.
fn compare(rows: &[Row]) -> Outcome<(usize, Vec<String>)> {
    let warpc = release::build()?;
    let folder = project::root().join("target/ll_bitcode");
    project::make_dir(&folder)?;
    let mut work = Vec::new();
    for row in rows {
        for version in VERSIONS {
            work.push((row, *version));
        }
    }
    let answers = jobs::map(&work, |(row, version)| {
        compare_one(&warpc, &folder, row, version)
    });
    let mut equal = 0;
    let mut different = Vec::new();
    for ((row, version), answer) in work.iter().zip(answers) {
        match answer {
            Ok(true) => equal += 1,
            Ok(false) => {}
            Err(message) => different.push(format!("{} (LLVM {version}): {message}", row.path)),
        }
    }
    Ok((equal, different))
}

/// Whether the bitcode of a version equals its text; `false` if that version does not read the module.
fn compare_one(warpc: &Path, folder: &Path, row: &Row, version: &str) -> Outcome<bool> {
    let stem = format!("{}-{version}", row.path.replace('/', "_"));
    let file = |ending: &str| folder.join(format!("{stem}.{ending}"));
    let (bitcode, text) = (file("bc"), file("ll"));
    let mut assemble = Command::new(format!("llvm-as-{version}"));
    assemble.arg(project::corpus_dir().join(&row.path));
    assemble.arg("-o").arg(&bitcode);
    if process::must("llvm-as", &mut assemble).is_err() {
        return Ok(false);
    }
    let mut disassemble = Command::new(format!("llvm-dis-{version}"));
    disassemble.arg(&bitcode).arg("-o").arg(&text);
    process::must("llvm-dis", &mut disassemble)?;
    let of_bitcode = printed(warpc, &bitcode, file("of-bc.ll"))?;
    let of_text = printed(warpc, &text, file("of-ll.ll"))?;
    for ending in ["bc", "ll", "of-bc.ll", "of-ll.ll"] {
        std::fs::remove_file(file(ending)).ok();
    }
    let mut lines = of_text.lines().zip(of_bitcode.lines()).enumerate();
    match lines.find(|(_, (text, bitcode))| text != bitcode) {
        None if of_text.len() == of_bitcode.len() => Ok(true),
        None => Err("one is a part of the other".into()),
        Some((line, (text, bitcode))) => {
            let short = |line: &str| -> String { line.chars().take(220).collect() };
            let line = line + 1;
            Err(format!(
                "line {line}\n    - {}\n    + {}",
                short(text),
                short(bitcode)
            ))
        }
    }
}

/// What we print of a file.
fn printed(warpc: &Path, input: &Path, output: PathBuf) -> Outcome<String> {
    let mut command = Command::new(warpc);
    command.arg("compile").arg(input);
    command.args(["--emit", "ll", "-o"]).arg(&output);
    process::must("warpc compile", &mut command)?;
    project::read(&output)
}
