//! Attacks on the compiler from the command line.

mod task;

use clap::{Parser, Subcommand};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use warpc_attack::check::{self, Case, Count, Effort, Fault};
use warpc_attack::machine::{Ask, CHIPS};
use warpc_attack::{interpret, reduce, text};

/// Programs and functions with known results, to find wrong code
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
    /// Try programs that know what they compute
    Programs {
        /// The first seed
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// How many
        #[arg(long, default_value_t = 600)]
        count: u64,
        /// Programs of a module
        #[arg(long, default_value_t = 30)]
        set: u64,
        /// Modules at a time
        #[arg(long, default_value_t = 1)]
        jobs: usize,
        /// Levels of LLVM's optimiser and chips in turn, and not all of them with each module
        #[arg(long)]
        in_turn: bool,
    },
    /// Let LLVM's own compiler try them: a check of the generator
    Llc {
        /// The first seed
        from: u64,
        /// How many
        count: u64,
    },
    /// Try functions of LLVM's own tests beside LLVM's code for the GPU and the host
    Functions {
        /// The folder with the tests
        tests: PathBuf,
        /// Where files go
        #[arg(long, default_value = "target/attack")]
        out: PathBuf,
        /// Only files whose path contains this
        #[arg(long, default_value = "")]
        only: String,
        /// At most so many functions, spread over all
        #[arg(long)]
        sample: Option<usize>,
        /// Which sample, and which inputs
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Functions of a module
        #[arg(long, default_value_t = 150)]
        set: usize,
        /// The chip
        #[arg(long, default_value = "sm_90")]
        chip: String,
        /// Modules at a time
        #[arg(long, default_value_t = 1)]
        jobs: usize,
    },
    /// Print the smallest program that fails as that of a seed
    Reduce {
        /// Its seed
        seed: u64,
        /// The level of LLVM's optimiser
        #[arg(long, default_value = "-O0", allow_hyphen_values = true)]
        level: String,
        /// The chip
        #[arg(long, default_value = "sm_90")]
        chip: String,
        /// The level of our own optimisations
        #[arg(long, default_value_t = 3)]
        own: u8,
    },
}

fn main() -> ExitCode {
    let clean = match Arguments::parse().task {
        Task::Show { seed } => {
            print!("{}", Case::of(seed).text());
            true
        }
        Task::Programs {
            from,
            count,
            set,
            jobs,
            in_turn,
        } => programs(from, count, set, jobs, in_turn),
        Task::Llc { from, count } => {
            let mut groups: BTreeMap<String, Vec<u64>> = BTreeMap::new();
            for seed in from..from + count {
                for said in check::with_llc(&Case::of(seed)) {
                    groups.entry(check::group(&said)).or_default().push(seed);
                }
            }
            print_groups(&groups);
            groups.is_empty()
        }
        Task::Functions {
            tests,
            out,
            only,
            sample,
            seed,
            set,
            chip,
            jobs,
        } => {
            let task = task::Task {
                tests,
                out,
                only,
                sample,
                seed,
                set,
                chip,
                jobs,
            };
            task.run().unwrap_or_else(|message| {
                eprintln!("error: {message}");
                false
            })
        }
        Task::Reduce {
            seed,
            level,
            chip,
            own,
        } => reduced(seed, &level, &chip, own),
    };
    match clean {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn print_groups(groups: &BTreeMap<String, Vec<u64>>) {
    let mut groups: Vec<_> = groups.iter().collect();
    groups.sort_by_key(|(_, seeds)| std::cmp::Reverse(seeds.len()));
    for (group, seeds) in groups {
        let mut some = seeds.clone();
        some.dedup();
        let count = some.len();
        some.truncate(8);
        println!("{count:5} {group}    {some:?}");
    }
}

fn programs(from: u64, count: u64, set: u64, jobs: usize, in_turn: bool) -> bool {
    let next = AtomicU64::new(from);
    let found: Mutex<(Vec<Fault>, Count)> = Mutex::default();
    let work = || {
        loop {
            let start = next.fetch_add(set, Ordering::Relaxed);
            if start >= from + count {
                break;
            }
            let cases: Vec<Case> = (start..(start + set).min(from + count))
                .map(Case::of)
                .collect();
            let mut effort = Effort::all();
            if in_turn {
                let turn = (start / set) as usize;
                effort.levels = vec![effort.levels[turn % 3]];
                effort.chips = vec![effort.chips[turn / 3 % 4]];
            }
            let mut count = Count::default();
            let faults = check::set(&cases, &effort, &mut count);
            let mut found = found
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            for fault in &faults {
                println!("{} {}: {}", fault.seed, fault.how, fault.what);
            }
            found.0.extend(faults);
            found.1.programs += count.programs;
            found.1.runs += count.runs;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(work);
        }
    });
    let (faults, count) = found
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut groups: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for fault in &faults {
        groups
            .entry(check::group(&fault.what))
            .or_default()
            .push(fault.seed);
    }
    print_groups(&groups);
    println!(
        "{} programs, {} runs, {} faults",
        count.programs,
        count.runs,
        faults.len()
    );
    faults.is_empty()
}

fn known(chip: &str) -> Option<&'static str> {
    CHIPS.into_iter().find(|one| *one == chip)
}

fn reduced(seed: u64, level: &str, chip: &str, own: u8) -> bool {
    let Some(chip) = known(chip) else {
        eprintln!("error: the chips are {CHIPS:?}");
        return false;
    };
    let ask = Ask {
        level: own,
        ..Ask::chip(chip)
    };
    let case = Case::of(seed);
    let Some(wanted) = check::trouble(&case, level, ask) else {
        eprintln!("program {seed} does not fail so");
        return false;
    };
    let small = reduce::reduce(&case, &mut |case| {
        check::trouble(case, level, ask).as_ref() == Some(&wanted)
    });
    println!("; {seed} {level} {chip} -O{own}: {wanted}");
    let llc = check::with_llc(&small);
    if !llc.is_empty() {
        println!("; {llc:?}");
    }
    if let Ok(ran) = interpret::run(&small.program)
        && let Some(kernel) = small.program.functions.last()
        && text::expected(kernel, &ran.results) != small.expected
    {
        println!("; the interpreter does not agree with itself");
    }
    print!("{}", small.text());
    true
}
