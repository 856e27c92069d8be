//! Random programs from the command line: see them, try compilers on them, cut them smaller.

use clap::{Parser, Subcommand};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc_irgen::judge::{self, Verdict};
use warpc_irgen::program::Program;
use warpc_irgen::{builtins, draft, ours, record, reduce};

/// Random programs in LLVM IR
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Print a program
    Show {
        /// Its seed
        seed: u64,
    },
    /// Let LLVM's two levels judge each other
    Llc {
        /// The first seed
        from: u64,
        /// How many
        count: u64,
    },
    /// Try our compiler, or another that reads LLVM IR from standard input and writes PTX to standard output
    Try {
        /// The first seed
        from: u64,
        /// How many
        count: u64,
        /// The compiler and its arguments
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Try our compiler on the recorded programs; LLVM is not needed
    Check {
        /// The file of answers
        answers: PathBuf,
    },
    /// Record what LLVM's code writes for the programs of the first seeds
    Record {
        /// How many
        count: u64,
        /// The file
        out: PathBuf,
    },
    /// Write the PTX of calls of every builtin for every chip, and of kernels for a GPU with its launches
    Builtins {
        /// The folder
        out: PathBuf,
    },
    /// Print the smallest program on which a compiler fails as on that of a seed: ours, another, or
    /// LLVM's two levels for `llc`
    Reduce {
        /// Its seed
        seed: u64,
        /// The compiler and its arguments
        #[arg(last = true)]
        command: Vec<String>,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::Show { seed } => print!("{}", draft::program(seed).text()),
        Task::Llc { from, count } => {
            survey(from, count, |seed, program| {
                match judge::reference(seed, &program.text()) {
                    Ok(_) => Verdict::Same,
                    Err(message) => Verdict::Unclear(message),
                }
            });
        }
        Task::Try {
            from,
            count,
            command,
        } => survey(from, count, |seed, program| {
            judge::verdict(seed, program, &|text| run(seed, &command, text))
        }),
        Task::Check { answers } => {
            if let Err(message) = check(&answers) {
                eprintln!("error: {message}");
                return ExitCode::FAILURE;
            }
        }
        Task::Record { count, out } => {
            if let Err(message) = record(count, &out) {
                eprintln!("error: {message}");
                return ExitCode::FAILURE;
            }
        }
        Task::Builtins { out } => {
            if let Err(message) = write_builtins(&out) {
                eprintln!("error: {message}");
                return ExitCode::FAILURE;
            }
        }
        Task::Reduce { seed, command } => print!("{}", reduced(seed, &command).text()),
    }
    ExitCode::SUCCESS
}

fn check(answers: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("cannot read {}: {e}", answers.display());
    let all = record::read(&std::fs::read(answers).map_err(failed)?).map_err(failed)?;
    print_groups(all.iter().map(|one| (one.seed, one.verdict())));
    Ok(())
}

fn record(count: u64, out: &Path) -> Result<(), String> {
    let lines = record::lines(count, &mut |done| {
        if done % 100 == 0 {
            eprintln!("{done} of {count} programs");
        }
    });
    let unclear = lines.iter().filter(|line| line.starts_with("unclear"));
    unclear.clone().for_each(|line| println!("{line}"));
    println!("{} programs, {} unclear", lines.len(), unclear.count());
    let failed = |e: std::io::Error| format!("cannot write {}: {e}", out.display());
    std::fs::write(out, record::pack(&lines)).map_err(failed)
}

fn write_builtins(out: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("cannot write to {}: {e}", out.display());
    let kernels = out.join("kernels");
    std::fs::create_dir_all(&kernels).map_err(failed)?;
    for chip in builtins::CHIPS {
        let ptx = builtins::all_calls(chip)?;
        std::fs::write(out.join(format!("{chip}.ptx")), ptx).map_err(failed)?;
    }
    for (name, ptx) in builtins::kernel_modules("sm_90")? {
        std::fs::write(kernels.join(format!("{name}.ptx")), ptx).map_err(failed)?;
    }
    Ok(())
}

/// Compiles with the command, or with our compiler if there is none.
fn run(seed: u64, command: &[String], text: &str) -> Result<String, String> {
    if command.is_empty() {
        return ours::compile(ours::chip(seed), text);
    }
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let (program, arguments) = words.split_first().ok_or("no compiler was named")?;
    judge::command(program, arguments, text)
}

/// Judges programs and prints the verdicts, the frequent ones first.
fn survey(from: u64, count: u64, judge: impl Fn(u64, &Program) -> Verdict) {
    print_groups((from..from + count).map(|seed| (seed, judge(seed, &draft::program(seed)))));
}

fn print_groups(verdicts: impl Iterator<Item = (u64, Verdict)>) {
    let mut groups: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (seed, verdict) in verdicts {
        groups.entry(kind(&verdict)).or_default().push(seed);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, seeds)| std::cmp::Reverse(seeds.len()));
    for (group, mut seeds) in groups {
        seeds.sort_by_key(|seed| draft::program(*seed).text().len());
        let count = seeds.len();
        seeds.truncate(6);
        println!("{count:5} {group}    {seeds:?}");
    }
}

/// A verdict without what is different each time.
fn kind(verdict: &Verdict) -> String {
    let text = match verdict {
        Verdict::Same => "same".to_string(),
        Verdict::Different(_) => "different".into(),
        Verdict::Refused(message) => format!("refused: {message}"),
        Verdict::Failed(message) => format!("failed: {message}"),
        Verdict::Unclear(message) if message.starts_with("llc -O0 and") => {
            "llc -O0 and -O2 differ".into()
        }
        Verdict::Unclear(message) => format!("unclear: {message}"),
    };
    let mut out = String::new();
    for c in text.chars() {
        let c = if c.is_ascii_digit() { '#' } else { c };
        if c != '#' || !out.ends_with('#') {
            out.push(c);
        }
    }
    out
}

fn reduced(seed: u64, command: &[String]) -> Program {
    let verdict = |program: &Program| match command.first().is_some_and(|name| name == "llc") {
        true => match judge::reference(seed, &program.text()) {
            Ok(_) => "same".to_string(),
            Err(message) => kind(&Verdict::Unclear(message)),
        },
        false => kind(&judge::verdict(seed, program, &|text| {
            run(seed, command, text)
        })),
    };
    let program = draft::program(seed);
    let wanted = verdict(&program);
    eprintln!("{wanted}; {} units", program.units());
    if wanted == "same" {
        return program;
    }
    reduce::reduce(&program, &mut |smaller| verdict(smaller) == wanted)
}
