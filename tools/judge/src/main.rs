//! The program of the judge, for `./x atomics …`.

use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc_judge::asked::{Case, Target};
use warpc_judge::assembler::Assembler;
use warpc_judge::distinct::Distinct;
use warpc_judge::door::{Door, Site, Written};
use warpc_judge::machine::flow;
use warpc_judge::report::Report;
use warpc_judge::run::Compiler;
use warpc_judge::tally::Tally;
use warpc_judge::whole;
use warpc_judge::{llc, matrix, mutant, recorded, text_damage};

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
    /// Judges the machine code that an assembler makes of every door.
    Machine {
        /// ptxas; without it, warpc's own assembler.
        #[arg(long)]
        ptxas: Option<PathBuf>,
        /// Where modules are put while they are assembled.
        #[arg(long, default_value = ".")]
        folder: PathBuf,
        /// Only doors whose name has this in it.
        #[arg(long)]
        door: Option<String>,
        /// Also writes what is not right there.
        #[arg(long)]
        findings: Option<PathBuf>,
        /// With `--every`: the first case.
        #[arg(long, default_value_t = 0)]
        from: usize,
        /// Puts mistakes into what is right, and looks whether the judge notices.
        #[arg(long)]
        damage: bool,
    },
    /// Judges machine code whose strength is known.
    Raw {
        /// ptxas; without it, what it made is read from the file.
        #[arg(long)]
        ptxas: Option<PathBuf>,
        /// Where modules are put while they are assembled.
        #[arg(long, default_value = ".")]
        folder: PathBuf,
        /// What ptxas made; written if it is asked.
        file: PathBuf,
    },
    /// Shows how the judge reads the kernels `k0`, `k1` … of a cubin that were made for an address of a kind.
    Read {
        /// The cubin.
        file: PathBuf,
        /// The kernel.
        #[arg(default_value_t = 0)]
        kernel: usize,
        /// Whether the pointer of the operation is loaded from memory.
        #[arg(long)]
        unknown: bool,
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
        Task::Machine {
            ptxas,
            folder,
            door,
            findings,
            from,
            damage,
        } => {
            let assembler = chosen(ptxas, folder);
            let sample = Sample {
                door,
                every: options.every.max(1),
                from,
            };
            match damage {
                true => damaged(&assembler, &sample, options.sm),
                false => machine(&assembler, &sample, options.sm, findings.as_deref()),
            }
        }
        Task::Raw {
            ptxas,
            folder,
            file,
        } => {
            let ptxas = ptxas.map(|program| chosen(Some(program), folder));
            raw(ptxas, &file)
        }
        Task::Read {
            file,
            kernel,
            unknown,
        } => read(&file, kernel, unknown, options.sm.unwrap_or(90)),
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

/// A program, or warpc's own assembler.
fn chosen(program: Option<PathBuf>, folder: PathBuf) -> Assembler {
    match program {
        Some(program) => Assembler::Program { program, folder },
        None => Assembler::Warpc,
    }
}

/// Judges what ptxas makes, or has made, of PTX written by hand.
fn raw(ptxas: Option<Assembler>, file: &Path) -> Result<bool, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", file.display());
    let all = match ptxas {
        None => recorded::read(&std::fs::read(file).map_err(failed)?)?,
        Some(ptxas) => {
            let all = recorded::record(&ptxas)?;
            std::fs::write(file, recorded::write(&all)).map_err(failed)?;
            all
        }
    };
    let answers = recorded::ask(&all)?;
    answers.wrong.iter().for_each(|line| println!("{line}"));
    println!(
        "{} kernels keep what they are taken for, {} do not, {} answers are wrong",
        answers.kept,
        answers.weak,
        answers.wrong.len()
    );
    for (kind, (done, noticed)) in &answers.damage {
        println!("{noticed} of {done} noticed: {kind}");
    }
    Ok(answers.wrong.is_empty())
}

/// Shows a kernel as the judge sees it: origin of its address, what waits, and what it does.
fn read(file: &Path, kernel: usize, unknown: bool, sm: u16) -> Result<bool, String> {
    let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let cubin = warpc_cubin::Cubin::read(&bytes).map_err(|fault| fault.message)?;
    let target = Target {
        sm,
        version: None,
        cuda: false,
    };
    let lines = whole::read(&cubin, target, kernel)?;
    let site = match unknown {
        true => Site::Unknown,
        false => Site::Shared,
    };
    let origins = flow::addresses(&lines, flow::first_parameter(sm), &site.parameters());
    for (at, (line, origin)) in lines.iter().zip(origins).enumerate() {
        println!(
            "{at:3} {origin:2} {:?} wait {:#x} board {:?} {} {:?} {:?}",
            line.guard, line.wait, line.board, line.name, line.constants, line.act
        );
    }
    Ok(true)
}

/// Which cases are taken.
struct Sample {
    door: Option<String>,
    every: usize,
    from: usize,
}

impl Sample {
    /// The cases of all doors together: most of their kernels are those of another.
    fn cases(&self) -> Vec<Written> {
        let mut cases = Vec::new();
        for door in Door::ALL {
            let wanted = self.door.as_ref();
            if wanted.is_none_or(|name| format!("{door:?}").to_lowercase().contains(name)) {
                let from = self.from % self.every;
                cases.extend(door.cases().into_iter().skip(from).step_by(self.every));
            }
        }
        cases
    }
}

/// Puts mistakes into PTX whose machine code is right.
fn damaged(assembler: &Assembler, sample: &Sample, sm: Option<u16>) -> Result<bool, String> {
    let cases = sample.cases();
    let mut good = true;
    for target in whole::targets() {
        if sm.is_some_and(|sm| sm != target.sm) || !assembler.takes(target.sm) {
            continue;
        }
        let (tally, unnoticed) = text_damage::run(assembler, &cases, target)?;
        unnoticed
            .iter()
            .for_each(|what| println!("not noticed: {what}"));
        for (kind, (done, noticed)) in &tally {
            println!("{target}: {noticed} of {done} noticed: {kind}");
        }
        good &= unnoticed.is_empty();
    }
    Ok(good)
}

/// Judges machine code.
fn machine(
    assembler: &Assembler,
    sample: &Sample,
    sm: Option<u16>,
    findings: Option<&Path>,
) -> Result<bool, String> {
    let failed = |path: &Path, e: std::io::Error| format!("cannot write {}: {e}", path.display());
    let cases = sample.cases();
    let mut all = Tally::default();
    for target in whole::targets() {
        if sm.is_none_or(|sm| sm == target.sm) && assembler.takes(target.sm) {
            all.append(whole::run(assembler, &cases, target)?);
        }
    }
    print!("{all}");
    match findings {
        Some(path) => std::fs::write(path, all.findings()).map_err(|e| failed(path, e))?,
        None => print!("{}", all.findings()),
    }
    Ok(all.is_good())
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
