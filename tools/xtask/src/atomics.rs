//! `./x atomics …`: every atomic through our compiler, its judge, and ptxas.
//!
//! ```text
//! warpc-judge ─ verdicts on the memory order of PTX
//!             ├ target/atomics/*.ptx, each kernel once ─ ptxas ─► accepted, or rejected with a message
//!             └ every door: PTX ─ ptxas ─► cubin ─ warpc-judge ─► verdicts on the memory order of machine code
//! ```
//!
//! `machine` judges machine code alone, `damage` puts mistakes into PTX whose machine code is right, `record`
//! keeps what ptxas makes of PTX whose strength is known. `mutants` looks whether the judge would notice mistakes
//! in the compiler ([`edits`]); `llc` has it judge LLVM's code.

mod edits;

use crate::ll::gpu;
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// LLVM's code is judged for one case of so many.
const LLC_SAMPLE: &str = "61";

/// Does a task that takes no options.
pub fn alone(args: &[String], task: fn(&Tools) -> Outcome) -> Outcome {
    match args {
        [] => task(&oracle::ensure_all().0),
        [first, ..] => Err(format!("unknown option {first} (there is none)")),
    }
}

/// Judges PTX and machine code.
pub fn judge(tools: &Tools) -> Outcome {
    let (accepted, mut rejected) = compare(tools)?;
    rejected.extend(machine(tools).err());
    rejected.iter().for_each(|message| println!("{message}"));
    match rejected.len() {
        0 => Ok(()),
        n => Err(format!("{n} failed, {accepted} modules accepted")),
    }
}

/// Judges the machine code of every case.
pub fn machine(tools: &Tools) -> Outcome {
    machine_of(tools, 1, 0)
}

/// Keeps what ptxas makes of PTX whose strength is known.
pub fn record(tools: &Tools) -> Outcome {
    raw(tools, &recorded())
}

/// Makes mistakes in the compiler.
pub fn mutants(_tools: &Tools) -> Outcome {
    edits::mutants()
}

/// Judges LLVM's code.
pub fn llc(_tools: &Tools) -> Outcome {
    for chip in ["70", "90"] {
        run(&["llc", "--sm", chip, "--every", LLC_SAMPLE])?;
    }
    Ok(())
}

/// Runs the judge.
fn run(args: &[&str]) -> Outcome {
    let judge = release::build_package("warpc-judge")?;
    match process::show(Command::new(judge).args(args))? {
        true => Ok(()),
        false => Err(format!("warpc-judge {} found something", args.join(" "))),
    }
}

/// What ptxas made of PTX whose strength is known.
fn recorded() -> PathBuf {
    project::root().join("tests/oracle/atomics_machine.gz")
}

/// Where modules are put while they are assembled.
fn folder() -> PathBuf {
    project::root().join("target/atomics_machine")
}

/// ptxas as an argument of the judge; the chips whose machine code is judged have the same one.
fn ptxas(tools: &Tools) -> Outcome<String> {
    let found = tools.ptxas("sm_90");
    let (_, path) = found.ok_or("there is no ptxas for sm_90")?;
    Ok(path.display().to_string())
}

/// Asks ptxas for PTX whose strength is known, judges that, and keeps it in a file.
fn raw(tools: &Tools, file: &Path) -> Outcome {
    let (ptxas, folder) = (ptxas(tools)?, folder().display().to_string());
    let file = file.display().to_string();
    run(&["raw", "--ptxas", &ptxas, "--folder", &folder, &file])
}

/// Judges the machine code of one case in so many of every door.
fn machine_of(tools: &Tools, every: usize, from: usize) -> Outcome {
    std::fs::create_dir_all(folder()).map_err(|e| format!("cannot make a folder: {e}"))?;
    raw(tools, &folder().join("raw.gz"))?;
    let (ptxas, folder) = (ptxas(tools)?, folder().display().to_string());
    let (every, from) = (every.to_string(), from.to_string());
    let args = ["machine", "--ptxas", &ptxas, "--folder", &folder];
    run(&[&args[..], &["--every", &every, "--from", &from]].concat())
}

/// Puts mistakes into PTX whose machine code is right.
pub fn damage(tools: &Tools) -> Outcome {
    let (ptxas, folder) = (ptxas(tools)?, folder().display().to_string());
    let args = [
        "machine", "--damage", "--ptxas", &ptxas, "--folder", &folder,
    ];
    run(&[&args[..], &["--every", DAMAGE_SAMPLE]].concat())
}

/// One case in so many is judged by `./x test`: two minutes of two cores.
const TEST_SAMPLE: usize = 17;

/// Mistakes are put into one case of so many.
const DAMAGE_SAMPLE: &str = "53";

/// A sample for `./x test`, another one for each commit.
pub fn sample(tools: &Tools) -> Outcome<(usize, Vec<String>)> {
    let mut git = Command::new("git");
    git.current_dir(project::root()).args(["rev-parse", "HEAD"]);
    let commit = process::capture(&mut git).map_or(String::new(), |done| done.output);
    let number = commit
        .get(..7)
        .and_then(|digits| usize::from_str_radix(digits, 16).ok());
    let found = machine_of(tools, TEST_SAMPLE, number.unwrap_or(0)).err();
    Ok((usize::from(found.is_none()), found.into_iter().collect()))
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
                return Err(format!("`{line}` is not a line of index.tsv"));
            };
            let number = |text: &str| {
                text.parse()
                    .map_err(|_| format!("`{text}` is not a number"))
            };
            Ok(Row {
                file: folder.join(file),
                chip: chip.to_owned(),
                kernels: number(kernels)?,
                cases: number(cases)?,
            })
        })
        .collect()
}
