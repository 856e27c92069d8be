//! Random programs in PTX from the command line: see them, judge the assembler by them, cut them smaller.

use clap::{Parser, Subcommand};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc_ptxgen::draft::{self, Choices};
use warpc_ptxgen::judge::{Verdict, WAYS, judge};
use warpc_ptxgen::reduce::reduce;
use warpc_ptxgen::survey::Survey;

/// Random programs in PTX
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// No functions that are called
    #[arg(long, global = true)]
    no_calls: bool,
    /// No jumps through tables
    #[arg(long, global = true)]
    no_tables: bool,
}

#[derive(Subcommand)]
enum Task {
    /// Print a program with its launches
    Show {
        /// Its seed
        seed: u64,
    },
    /// Judge the assembler by programs
    Try {
        /// How many
        #[arg(long, default_value_t = 1000)]
        programs: u64,
        /// The seed of the first
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Where programs on which it fails are written, whole and reduced
        #[arg(long, value_name = "DIR")]
        keep: Option<PathBuf>,
        /// Programs at a time
        #[arg(long, default_value_t = 1)]
        jobs: usize,
        /// Stop at the first that fails
        #[arg(long)]
        first: bool,
    },
    /// Print the smallest program on which the assembler fails as on that of a seed
    Reduce {
        /// Its seed
        seed: u64,
    },
    /// Write programs with their launches, for `warpc run` and `warpc-hw kernels --dir`
    Write {
        /// How many
        #[arg(long, default_value_t = 1000)]
        programs: u64,
        /// The seed of the first
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// The folder
        #[arg(long)]
        out: PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let choices = Choices {
        calls: !arguments.no_calls,
        tables: !arguments.no_tables,
    };
    match run(arguments.task, choices) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task, choices: Choices) -> Result<(), String> {
    match task {
        Task::Show { seed } => {
            print!("{}", draft::program(seed, choices).text_with_launches());
            Ok(())
        }
        Task::Try {
            programs,
            seed,
            keep,
            jobs,
            first,
        } => {
            // A panic is a verdict here; its message is in the verdict.
            std::panic::set_hook(Box::new(|_| {}));
            let last = |seed: u64, verdict: &Verdict| {
                if let (true, Verdict::Wrong(fault)) = (first, verdict) {
                    println!("wrong {seed}: {fault:?}");
                    std::process::exit(1);
                }
            };
            let survey = Survey::run(seed, programs, jobs, choices, &last);
            println!("{}", survey.summary());
            if let Some(folder) = &keep {
                keep_failing(&survey, folder, choices)?;
            }
            match survey.wrong.len() + survey.invalid.len() {
                0 => Ok(()),
                count => Err(format!("{count} programs are not as they must be")),
            }
        }
        Task::Reduce { seed } => {
            std::panic::set_hook(Box::new(|_| {}));
            let program = draft::program(seed, choices);
            let Verdict::Wrong(fault) = judge(&program.case(), &WAYS) else {
                return Err("the assembler does not fail on it".to_owned());
            };
            let small = reduce(&program, &fault);
            println!("// {} {}: {}", fault.way, fault.kind, fault.what);
            if let Verdict::Wrong(fault) = judge(&small.case(), &WAYS) {
                println!("// {} {}: {}", fault.way, fault.kind, fault.what);
            }
            print!("{}", small.text());
            Ok(())
        }
        Task::Write {
            programs,
            seed,
            out,
        } => {
            fs::create_dir_all(&out).map_err(|error| error.to_string())?;
            (seed..seed + programs).try_for_each(|seed| {
                let text = draft::program(seed, choices).text_with_launches();
                write(&out.join(format!("random{seed:06}.ptx")), &text)
            })
        }
    }
}

/// Writes programs that fail: as they are, and as small as they get.
fn keep_failing(survey: &Survey, folder: &Path, choices: Choices) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    for (seed, fault) in &survey.wrong {
        let program = draft::program(*seed, choices);
        let note = format!(
            "// {} {}: {}\n",
            fault.way,
            fault.kind,
            fault.what.replace('\n', " ")
        );
        let small = reduce(&program, fault);
        write(
            &folder.join(format!("{seed}.ptx")),
            &(note.clone() + &program.text_with_launches()),
        )?;
        write(
            &folder.join(format!("{seed}.small.ptx")),
            &(note + &small.text_with_launches()),
        )?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
