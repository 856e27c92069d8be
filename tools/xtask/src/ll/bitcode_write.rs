//! `./x ll bitcode-write`: what LLVM and libNVVM make of our bitcode.
//!
//! ```text
//! module ─┬ warpc compile --emit ll ─► llvm-as-22 | llvm-dis-22 ─► text ┐
//!         ├ warpc compile --emit bc ─► llvm-dis-22 ─► text ─────────────┴ equal?     llvm-bcanalyzer-22: clean?
//!         └ … --bitcode 7 ─► llvm-dis-14 and opt-14 -verify: right?     libNVVM for compute_90: PTX ┐
//! typed text that libNVVM takes for compute_90 ──────────────────────────────────────────────► PTX ┴ equal?
//! ```
//!
//! A module that LLVM 7 cannot express is refused by name, and counted. Most texts of the corpus are newer than LLVM 7, so
//! libNVVM does not take them for compute_90; those of Numba with typed pointers it takes, all of them.

use crate::bench::compile::Libnvvm;
use crate::ll::corpus;
use crate::ll::manifest::{self, Row};
use crate::ll::read::canonical;
use crate::ll::recipe::Extent;
use crate::ll::same::digest;
use crate::oracle;
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What was found about a module.
#[derive(Default)]
struct Found {
    /// LLVM 22 reads the same from text and bitcode.
    same: bool,
    /// LLVM 14 takes the bitcode of LLVM 7.
    older: bool,
    /// What LLVM 7 cannot express.
    refused: bool,
    /// libNVVM takes the text.
    text_taken: bool,
    /// libNVVM takes the bitcode of LLVM 7.
    taken: bool,
    /// libNVVM gives the same PTX of both.
    same_ptx: bool,
    problems: Vec<String>,
}

/// The task: all modules, or those whose path contains a filter.
pub fn bitcode_write(args: &[String]) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    let rows = corpus::ensure(&tools, corpus::FOLDER, Extent::of(args))?;
    let filter = args.iter().find(|a| !a.starts_with("--"));
    let rows: Vec<Row> = rows
        .into_iter()
        .filter(|row| row.verdict == "accept")
        .filter(|row| filter.is_none_or(|f| row.path.contains(f.as_str())))
        .collect();
    let (summary, problems) = judge(&rows, &release::build()?, Libnvvm::new(&tools).ok())?;
    problems.iter().for_each(|message| println!("{message}"));
    println!("{summary}");
    match problems.is_empty() {
        true => Ok(()),
        false => Err(format!("{} modules are not what they were", problems.len())),
    }
}

/// Every so many modules are looked at by `./x test`.
const SAMPLE: usize = 8;

/// Judges a part of the modules that are there: how many were right, and a message for each other.
pub fn compare(tools: &oracle::Tools) -> Outcome<(usize, Vec<String>)> {
    let rows = manifest::read()?.into_iter();
    let rows: Vec<Row> = rows
        .filter(|row| row.verdict == "accept")
        .step_by(SAMPLE)
        .collect();
    let warpc = release::build_checked_command()?;
    let (_, problems) = judge(&rows, &warpc, Libnvvm::new(tools).ok())?;
    Ok((rows.len() - problems.len().min(rows.len()), problems))
}

/// Judges modules: numbers as a sentence, and a message for each module that is wrong.
pub fn judge(
    rows: &[Row],
    warpc: &Path,
    libnvvm: Option<Libnvvm>,
) -> Outcome<(String, Vec<String>)> {
    let folder = project::root().join("target/ll_bitcode");
    project::make_dir(&folder)?;
    let found = jobs::map(rows, |row| one(row, warpc, libnvvm.as_ref(), &folder));
    let found: Vec<Found> = found.into_iter().collect::<Outcome<_>>()?;
    let count = |what: fn(&Found) -> bool| found.iter().filter(|found| what(found)).count();
    let summary = format!(
        "{} modules: {} the same for LLVM 22; LLVM 7: {} right for LLVM 14, {} refused by name; libNVVM: {} taken, \
         {} of {} texts that it takes give the same PTX",
        found.len(),
        count(|found| found.same),
        count(|found| found.older),
        count(|found| found.refused),
        count(|found| found.taken),
        count(|found| found.same_ptx),
        count(|found| found.text_taken),
    );
    let problems = found.into_iter().flat_map(|found| found.problems);
    Ok((summary, problems.collect()))
}

fn one(row: &Row, warpc: &Path, libnvvm: Option<&Libnvvm>, folder: &Path) -> Outcome<Found> {
    let original = project::corpus_dir().join(&row.path);
    let stem = folder.join(row.path.replace('/', "_"));
    let file = |ending: &str| stem.with_extension(ending);
    let mut found = Found::default();
    let made = current(&original, warpc, &file("ll"), &file("bc"));
    match made {
        Ok(()) => found.same = true,
        Err(message) => found.problems.push(format!("{}: {message}", row.path)),
    }
    let older = file("7.bc");
    let mut compile = Command::new(warpc);
    compile.arg("compile").arg(&original).args(["--emit", "bc"]);
    compile.args(["--bitcode", "7", "-o"]).arg(&older);
    let compiled = process::capture(&mut compile)?;
    if !compiled.ok {
        let is_named = compiled
            .output
            .contains("cannot be written as bitcode of LLVM 7");
        found.refused = is_named;
        if !is_named {
            found
                .problems
                .push(format!("{}: {}", row.path, compiled.output));
        }
        return Ok(found);
    }
    let mut verify = Command::new("opt-14");
    verify.args(["-verify", "-disable-output"]).arg(&older);
    match process::must("opt-14 -verify", &mut verify) {
        Ok(_) => found.older = true,
        Err(message) => found.problems.push(format!("{}: {message}", row.path)),
    }
    if let Some(libnvvm) = libnvvm {
        let text = libnvvm.ptx(&original, &file("text.ptx"));
        let ours = libnvvm.ptx(&older, &file("bc.ptx"));
        found.text_taken = text.is_ok();
        found.taken = ours.is_ok();
        match (text, ours) {
            (Ok(text), Ok(ours)) if code(&text) == code(&ours) => found.same_ptx = true,
            (Ok(_), Ok(_)) => found.problems.push(format!(
                "{}: libNVVM makes other PTX of our bitcode",
                row.path
            )),
            (Ok(_), Err(message)) => found.problems.push(format!("{}: {message}", row.path)),
            (Err(_), _) => {}
        }
    }
    for ending in ["ll", "bc", "7.bc", "text.ptx", "bc.ptx"] {
        std::fs::remove_file(file(ending)).ok();
    }
    Ok(found)
}

/// Whether LLVM 22 reads the same from our text and our bitcode.
fn current(original: &Path, warpc: &Path, text: &PathBuf, bitcode: &PathBuf) -> Outcome {
    for (kind, out) in [("ll", text), ("bc", bitcode)] {
        let mut compile = Command::new(warpc);
        compile.arg("compile").arg(original).args(["--emit", kind]);
        process::must("warpc compile", compile.arg("-o").arg(out))?;
    }
    let mut analyse = Command::new("llvm-bcanalyzer-22");
    process::must("llvm-bcanalyzer-22", analyse.arg(bitcode))?;
    let mut print = Command::new("llvm-dis-22");
    let got = process::must("llvm-dis-22", print.arg(bitcode).args(["-o", "-"]))?;
    let comparable = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("source_filename"));
        lines.map(without_lost_flags).collect::<Vec<_>>().join("\n")
    };
    // LLVM upgrades old intrinsics in the text after it has read it, so declarations may be in another order.
    let is_read_from = |text: &Path| -> Outcome<bool> {
        let want = canonical(text, "22")?;
        Ok(digest(&comparable(&got), "14") == digest(&comparable(&want), "14"))
    };
    if is_read_from(text)? {
        return Ok(());
    }
    // While it upgrades text, LLVM 22 leaves declarations behind, so that bitcode without old intrinsics is held against
    // text without them.
    let mut compile = Command::new(warpc);
    compile.arg("compile").arg(bitcode).args(["--emit", "ll"]);
    process::must("warpc compile", compile.arg("-o").arg(text))?;
    match is_read_from(text)? {
        true => Ok(()),
        false => Err("LLVM 22 reads something else from our bitcode than from our text".into()),
    }
}

/// A line without the flags that LLVM 22 loses while it reads text: those of a `phi` that metadata are attached to. It takes
/// the comma before them for a reason to stop, and sets flags only after that.
fn without_lost_flags(line: &str) -> String {
    const FLAGS: [&str; 8] = [
        "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast",
    ];
    match line.split_once(" = phi ") {
        Some((result, rest)) if rest.contains(", !") => {
            let mut rest = rest;
            while let Some((word, after)) = rest.split_once(' ')
                && FLAGS.contains(&word)
            {
                rest = after;
            }
            format!("{result} = phi {rest}")
        }
        _ => line.to_owned(),
    }
}

/// PTX without its comments.
fn code(ptx: &str) -> Vec<&str> {
    let lines = ptx
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::without_lost_flags;

    #[test]
    fn only_flags_of_phis_with_metadata_are_lost() {
        for (line, left) in [
            (
                "  %1 = phi nnan contract float [ %0, %2 ], !dbg !3",
                "  %1 = phi float [ %0, %2 ], !dbg !3",
            ),
            (
                "  %1 = phi contract float [ %0, %2 ]",
                "  %1 = phi contract float [ %0, %2 ]",
            ),
            (
                "  %1 = fadd contract float %0, %2, !dbg !3",
                "  %1 = fadd contract float %0, %2, !dbg !3",
            ),
        ] {
            assert_eq!(without_lost_flags(line), left);
        }
    }
}
