//! The program of the judge, for `./x atomics`.

use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc_judge::asked::{Case, Target};
use warpc_judge::distinct::Distinct;
use warpc_judge::report::Report;
use warpc_judge::run::Compiler;
use warpc_judge::{llc, matrix, mutant};

/// Judges the memory order of what the compiler makes of LLVM's atomics.
#[derive(Parser, Debug)]
struct Options {
    #[command(subcommand)]
    task: Task,
    /// Only this chip.
    #[arg(long, global = true)]
    sm: Option<u16>,
    /// One case of so many.
    #[arg(long, default_value_t = 1, global = true)]
    every: usize,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Judges the matrix.
    Matrix {
        /// Also writes the different kernels there, in modules for ptxas.
        #[arg(long)]
        emit: Option<PathBuf>,
    },
    /// Weakens each cell of the order table, and looks whether the judge notices.
    Mutants,
    /// Judges what LLVM's own code generator makes of the matrix.
    Llc {
        /// The program.
        #[arg(default_value = "llc-22")]
        program: String,
    },
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut targets = matrix::targets();
    targets.retain(|target| options.sm.is_none_or(|sm| sm == target.sm));
    let cases = matrix::cases();
    let cases: Vec<Case> = cases.into_iter().step_by(options.every.max(1)).collect();
    let good = match options.task {
        Task::Matrix { emit: None } => {
            let report = Compiler::default().report(&cases, &targets);
            print!("{report}");
            Ok(report.is_good())
        }
        Task::Matrix { emit: Some(folder) } => emit(&cases, &targets, &folder),
        Task::Mutants => Ok(mutants()),
        Task::Llc { program } => compare(&program, &cases, &targets),
    };
    match good {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Judges, and writes modules and `index.tsv`: file, chip, kernels, cases.
fn emit(cases: &[Case], targets: &[Target], folder: &Path) -> Result<bool, String> {
    let failed = |e: std::io::Error| format!("cannot write to {}: {e}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut report = Report::default();
    let mut index = String::new();
    for (number, &target) in targets.iter().enumerate() {
        let mut distinct = Distinct::new(target);
        let see = &mut |ptx: &str, _: &[usize]| distinct.add(ptx);
        let fates = Compiler::default().judge(cases, target, see);
        for (case, fate) in cases.iter().zip(fates) {
            report.add(case, target, fate);
        }
        for (part, module) in distinct.modules().into_iter().enumerate() {
            let name = format!("{number:02}-{part:03}.ptx");
            std::fs::write(folder.join(&name), &module.text).map_err(failed)?;
            index += &format!(
                "{name}\tsm_{}\t{}\t{}\n",
                module.sm, module.kernels, module.cases
            );
        }
    }
    std::fs::write(folder.join("index.tsv"), index).map_err(failed)?;
    print!("{report}");
    Ok(report.is_good())
}

fn mutants() -> bool {
    let (noticed, alive) = mutant::judge();
    for name in &alive {
        println!("not noticed: {name}");
    }
    let all = noticed + alive.len();
    println!("{noticed} of {all} mutants of the order table noticed");
    alive.is_empty()
}

/// What LLVM's code generator keeps.
fn compare(program: &str, cases: &[Case], targets: &[Target]) -> Result<bool, String> {
    const BATCH: usize = 64;
    let mut good = false;
    for &target in targets {
        if target.cuda || target.version.is_some() {
            continue;
        }
        let mut report = Report::default();
        for part in cases.chunks(BATCH) {
            let fates = llc::judge(program, part, target)?;
            for (case, fate) in part.iter().zip(fates) {
                report.add(case, target, fate);
            }
        }
        let kept = report.equal + report.stronger_count();
        let share = 100.0 * kept as f64 / report.cases.max(1) as f64;
        println!("{target}: {program} keeps {share:.1} %");
        print!("{report}");
        good = true;
    }
    Ok(good)
}
