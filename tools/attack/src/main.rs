//! Attacks on the compiler from the command line.

mod task;

use clap::{Parser, Subcommand};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use warpc_attack::check::{self, Case, Count, Effort, Fault};
use warpc_attack::functions::Native;
use warpc_attack::machine::{Ask, CHIPS};
use warpc_attack::{cpp, cpp_check, gpu, interpret, reduce, text};

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
    /// Try C++ programs through clang, beside the same source on the host
    Cpp {
        /// The first seed
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// How many
        #[arg(long, default_value_t = 200)]
        count: u64,
        /// Programs of a source
        #[arg(long, default_value_t = 20)]
        set: u64,
        /// Sources at a time
        #[arg(long, default_value_t = 1)]
        jobs: usize,
        /// Where files go
        #[arg(long, default_value = "target/attack")]
        out: PathBuf,
    },
    /// Write PTX of programs with their launches and results, to be run on a GPU
    Gpu {
        /// The folder
        out: PathBuf,
        /// How many
        #[arg(long, default_value_t = 2000)]
        count: u64,
        /// Programs of a module
        #[arg(long, default_value_t = 25)]
        set: u64,
        /// The chip
        #[arg(long, default_value = "sm_90")]
        chip: String,
    },
    /// Print a C++ program
    ShowCpp {
        /// Its seed
        seed: u64,
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

/// Whether sums that do not fit are noticed in this build.
fn is_checked() -> bool {
    std::panic::set_hook(Box::new(|_| {}));
    std::panic::catch_unwind(|| std::hint::black_box(u8::MAX) + std::hint::black_box(1)).is_err()
}

fn main() -> ExitCode {
    // What the compiler panics about comes back as its diagnostic.
    if !is_checked() {
        eprintln!("warning: this build has no overflow checks; `cargo build --profile test` has");
    }
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
        } => {
            let turn = |seeds: &[u64], count: &mut Count| {
                let cases: Vec<Case> = seeds.iter().copied().map(Case::of).collect();
                let mut effort = Effort::all();
                if in_turn {
                    let turn = (seeds[0] / set) as usize;
                    effort.levels = vec![effort.levels[turn % 3]];
                    effort.chips = vec![effort.chips[turn / 3 % 4]];
                }
                Ok(check::set(&cases, &effort, count))
            };
            tried(from, count, set, jobs, &|_| Ok(turn))
        }
        Task::Cpp {
            from,
            count,
            set,
            jobs,
            out,
        } => tried(from, count, set, jobs, &|job| {
            let native = Native::new(&out.join(format!("cpp{job}")))?;
            Ok(move |seeds: &[u64], count: &mut Count| cpp_check::set(seeds, &native, count))
        }),
        Task::Gpu {
            out,
            count,
            set,
            chip,
        } => match for_gpu(&out, count, set, &chip) {
            Ok(()) => true,
            Err(message) => {
                eprintln!("error: {message}");
                false
            }
        },
        Task::ShowCpp { seed } => {
            print!("{}", cpp::source(&[seed], true));
            true
        }
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

/// Tries sets of seeds, some at a time, and prints what went wrong. `work` makes what a thread does with a set.
fn tried<W>(
    from: u64,
    count: u64,
    set: u64,
    jobs: usize,
    work: &(dyn Fn(usize) -> Result<W, String> + Sync),
) -> bool
where
    W: FnMut(&[u64], &mut Count) -> Result<Vec<Fault>, String>,
{
    let next = AtomicU64::new(from);
    let found: Mutex<(Vec<Fault>, Count, Vec<String>)> = Mutex::default();
    let run = |job: usize| -> Result<(), String> {
        let mut work = work(job)?;
        loop {
            let start = next.fetch_add(set, Ordering::Relaxed);
            if start >= from + count {
                return Ok(());
            }
            let seeds: Vec<u64> = (start..(start + set).min(from + count)).collect();
            let mut count = Count::default();
            let faults = work(&seeds, &mut count)?;
            let mut found = found
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            for fault in &faults {
                println!("fault {} {}: {}", fault.seed, fault.how, fault.what);
            }
            found.0.extend(faults);
            found.1.programs += count.programs;
            found.1.runs += count.runs;
            found.1.from_opt += count.from_opt;
        }
    };
    std::thread::scope(|scope| {
        for job in 0..jobs.max(1) {
            let (run, found) = (&run, &found);
            scope.spawn(move || {
                if let Err(message) = run(job) {
                    let mut found = found
                        .lock()
                        .unwrap_or_else(|poisoned| poisoned.into_inner());
                    found.2.push(message);
                }
            });
        }
    });
    let found = found.into_inner();
    let (faults, count, messages) = found.unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut groups: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for fault in &faults {
        groups
            .entry(check::group(&fault.what))
            .or_default()
            .push(fault.seed);
    }
    print_groups(&groups);
    messages
        .iter()
        .for_each(|message| eprintln!("error: {message}"));
    println!(
        "{} programs, {} runs, {} faults, {} faults of opt",
        count.programs,
        count.runs,
        faults.len(),
        count.from_opt
    );
    println!(
        "passed {}",
        count.runs.saturating_sub(faults.len() + count.from_opt)
    );
    faults.is_empty() && messages.is_empty()
}

fn for_gpu(out: &Path, count: u64, set: u64, chip: &str) -> Result<(), String> {
    let chip = known(chip).ok_or_else(|| format!("the chips are {CHIPS:?}"))?;
    let failed = |e: std::io::Error| format!("cannot write to {}: {e}", out.display());
    std::fs::create_dir_all(out).map_err(failed)?;
    for turn in 0..count.div_ceil(set) {
        let seeds: Vec<u64> = (turn * set..((turn + 1) * set).min(count)).collect();
        let text = gpu::module(&seeds, turn as usize, chip)?;
        std::fs::write(out.join(format!("attack{turn:03}.ptx")), text).map_err(failed)?;
    }
    Ok(())
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
