//! Random programs from the command line: see them, try compilers on them, cut them smaller.

use clap::{Parser, Subcommand};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc_irgen::judge::{self, Verdict};
use warpc_irgen::program::Program;
use warpc_irgen::{draft, record, reduce};

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
    /// Try a compiler that reads LLVM IR from standard input and writes PTX to standard output
    Try {
        /// The first seed
        from: u64,
        /// How many
        count: u64,
        /// The compiler and its arguments
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Record what LLVM's code writes for the programs of the first seeds
    Record {
        /// How many
        count: u64,
        /// The file
        out: PathBuf,
    },
    /// Print the smallest program that fails like the one of a seed; without a compiler, one on
    /// which LLVM's levels differ
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
            judge::verdict(seed, program, &|text| run(&command, text))
        }),
        Task::Record { count, out } => {
            if let Err(message) = record(count, &out) {
                eprintln!("error: {message}");
                return ExitCode::FAILURE;
            }
        }
        Task::Reduce { seed, command } => print!("{}", reduced(seed, &command).text()),
    }
    ExitCode::SUCCESS
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
    std::fs::write(out, record::pack(&lines).map_err(failed)?).map_err(failed)
}

fn run(command: &[String], text: &str) -> Result<String, String> {
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let (program, arguments) = words.split_first().ok_or("no compiler was named")?;
    judge::command(program, arguments, text)
}

/// Judges programs and prints the verdicts, the frequent ones first.
fn survey(from: u64, count: u64, judge: impl Fn(u64, &Program) -> Verdict) {
    let mut groups: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for seed in from..from + count {
        let program = draft::program(seed);
        let group = kind(&judge(seed, &program));
        groups.entry(group).or_default().push(seed);
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
    let verdict = |program: &Program| match command.is_empty() {
        true => match judge::reference(seed, &program.text()) {
            Ok(_) => "same".to_string(),
            Err(message) => kind(&Verdict::Unclear(message)),
        },
        false => kind(&judge::verdict(seed, program, &|text| run(command, text))),
    };
    let program = draft::program(seed);
    let wanted = verdict(&program);
    eprintln!("{wanted}; {} units", program.units());
    if wanted == "same" {
        return program;
    }
    reduce::reduce(&program, &mut |smaller| verdict(smaller) == wanted)
}
