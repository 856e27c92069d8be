//! `./x atomics`: every atomic of LLVM IR through our compiler, its judge, and ptxas.
//!
//! ```text
//! warpc-judge ─ verdicts on memory order
//!             └ target/atomics/*.ptx, each kernel once ─ ptxas ─► accepted, or rejected with a message
//! ```
//!
//! `--mutants` looks whether the judge would notice mistakes ([`edits`]); `--llc` has it judge LLVM's code.

mod edits;

use crate::ll::gpu;
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// LLVM's code is judged for one case of so many.
const LLC_SAMPLE: &str = "61";

/// The task.
pub fn atomics(args: &[String]) -> Outcome {
    match args {
        [] => {
            let (tools, _) = oracle::ensure_all();
            let (accepted, rejected) = compare(&tools)?;
            rejected.iter().for_each(|message| println!("{message}"));
            match rejected.len() {
                0 => Ok(()),
                n => Err(format!("{n} failed, {accepted} modules accepted")),
            }
        }
        [word] if word == "--mutants" => edits::mutants(),
        [word] if word == "--llc" => {
            for chip in ["70", "90"] {
                let args = ["llc", "--sm", chip, "--every", LLC_SAMPLE];
                run(&args)?;
            }
            Ok(())
        }
        _ => Err("atomics takes --mutants or --llc".into()),
    }
}

/// Runs the judge.
fn run(args: &[&str]) -> Outcome {
    let judge = release::build_package("warpc-judge")?;
    match process::show(Command::new(judge).args(args))? {
        true => Ok(()),
        false => Err(format!("warpc-judge {} found something", args.join(" "))),
    }
}

/// A module that the judge has written.
struct Row {
    file: PathBuf,
    chip: String,
    kernels: usize,
    cases: usize,
}

/// Judges the whole matrix: how many modules ptxas accepts, and what was found.
pub fn compare(tools: &Tools) -> Outcome<(usize, Vec<String>)> {
    let folder = project::root().join("target/atomics");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|e| format!("cannot empty {}: {e}", folder.display()))?;
    }
    let mut found = Vec::new();
    let emitted = run(&["matrix", "--emit", &folder.display().to_string()]);
    found.extend(emitted.err());
    found.extend(run(&["mutants"]).err());
    let rows = index(&folder)?;
    let answers = jobs::map(&rows, |row| -> Outcome<String> {
        let bytes = project::read(&row.file)?.len();
        gpu::ptxas(tools, &row.chip, &row.file, bytes)
    });
    let (mut kernels, mut cases, mut modules) = (0, 0, 0);
    for (row, answer) in rows.iter().zip(answers) {
        let answer = answer?;
        if answer.is_empty() {
            modules += 1;
            kernels += row.kernels;
            cases += row.cases;
        } else {
            found.push(format!("{} {}: {answer}", row.file.display(), row.chip));
        }
    }
    println!(
        "ptxas accepts {modules} of {} modules: {kernels} different kernels of {cases} cases",
        rows.len()
    );
    Ok((modules, found))
}

/// What the judge has written.
fn index(folder: &Path) -> Outcome<Vec<Row>> {
    let text = project::read(&folder.join("index.tsv"))?;
    text.lines()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [file, chip, kernels, cases] = fields[..] else {
                return Err(format!("`{line}` is no line of index.tsv"));
            };
            let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
            Ok(Row {
                file: folder.join(file),
                chip: chip.to_owned(),
                kernels: number(kernels)?,
                cases: number(cases)?,
            })
        })
        .collect()
}
