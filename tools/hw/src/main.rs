//! `warpc-hw`: runs test cases on the GPU of this machine, and compares what it answers with what
//! we compute.

use clap::{Parser, Subcommand};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use warpc_hw::answers::Answers;
use warpc_hw::compare::{compare, summary, table};
use warpc_hw::forms::{self, Case, Judge};
use warpc_hw::kernels::supervise::Where;
use warpc_hw::kernels::task::Origin;
use warpc_hw::{
    atomics, collectives, groups, kernels, latency, litmus, matrix, mutants, on_gpu, programs,
    random, sass,
};

#[derive(Parser)]
#[command(about = "Runs test cases on the GPU of this machine")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the form suite; write answers, differences and a summary
    Forms {
        /// Where the files go
        #[arg(long)]
        out: PathBuf,
        /// Operand tuples of each form: a multiple of 128
        #[arg(long, default_value_t = 1024)]
        tuples: usize,
        /// Processes at a time
        #[arg(long, default_value_t = 8)]
        jobs: usize,
        /// Stop after so many minutes; what was not run then has no answer
        #[arg(long, default_value_t = 7)]
        minutes: u64,
        /// Only cases whose text contains this
        #[arg(long)]
        only: Option<String>,
    },
    /// Compare recorded answers with what is computed (no GPU needed)
    Compare {
        /// The file of answers
        answers: PathBuf,
        /// Only cases whose text contains this
        #[arg(long)]
        only: Option<String>,
        /// Where to write everything that is not equal
        #[arg(long)]
        table: Option<PathBuf>,
    },
    /// Keep the first tuples of recorded answers
    Record {
        /// The file of answers
        answers: PathBuf,
        /// The file to write
        #[arg(long)]
        out: PathBuf,
        /// How many tuples of each form to keep
        #[arg(long, default_value_t = 256)]
        tuples: usize,
    },
    /// List the form suite
    List,
    /// Write the form suite's kernels as one module
    Module {
        /// The file to write
        out: PathBuf,
        /// Only cases whose text contains this
        #[arg(long)]
        only: Option<String>,
    },
    /// Run the matrix suite; write answers and a comparison
    Matrix {
        /// Where the files go
        #[arg(long)]
        out: PathBuf,
        /// Only forms whose text contains this
        #[arg(long)]
        only: Option<String>,
        /// How often every kind of data is tried more than usual
        #[arg(long, default_value_t = 1)]
        rounds: usize,
    },
    /// Run products of warpgroups from cubins of warpc and of the driver; write a comparison
    Groups {
        /// Where the file goes
        #[arg(long)]
        out: PathBuf,
        /// Only cases whose text contains this
        #[arg(long)]
        only: Option<String>,
    },
    /// Keep what the tests replay of the matrix suite's answers
    MatrixRecord {
        /// The file of answers
        answers: PathBuf,
        /// The file to write
        #[arg(long)]
        out: PathBuf,
    },
    /// Compare recorded answers of the matrix suite with what is computed (no GPU needed)
    MatrixCompare {
        /// The file of answers
        answers: PathBuf,
    },
    /// Write the matrix suite's kernels as one module
    MatrixModule {
        /// The file to write
        out: PathBuf,
    },
    /// Run whole kernels on the GPU and on the emulator; write answers, differences and times
    Kernels {
        #[command(flatten)]
        origin: Origin,
        /// Where the files go
        #[arg(long)]
        out: PathBuf,
        /// Processes at a time
        #[arg(long, default_value_t = 8)]
        jobs: usize,
        /// Interleavings on the emulator
        #[arg(long, default_value_t = 3)]
        seeds: u64,
        /// Stop after so many minutes; what was not run then has no answer
        #[arg(long, default_value_t = 7)]
        minutes: u64,
        /// Compare with these recorded answers instead of a GPU
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
    },
    Covered(warpc_hw::covered::Task),
    Attributes(warpc_hw::attributes::Task),
    /// Time the kernels of several builds of a suite on the GPU beside those of the first
    Bench {
        /// The folders with the modules, the one to compare with first; `DIR@warpc` is assembled by warpc,
        /// `DIR@warpc,without=opt_gvn` without a pass, `DIR@cubins=OTHER` has its code in `OTHER/NAME.cubin`
        #[arg(required = true)]
        builds: Vec<String>,
        /// Where the files go
        #[arg(long)]
        out: PathBuf,
        /// Launches of each case by each build in a row
        #[arg(long, default_value_t = 1)]
        repeats: usize,
        /// How often all builds take turns; the median of their launches counts
        #[arg(long, default_value_t = 9)]
        rounds: usize,
        /// Stop after so many minutes; what was not run then has no time
        #[arg(long, default_value_t = 8)]
        minutes: u64,
        /// Only launches whose file or flags contain this
        #[arg(long)]
        only: Option<String>,
    },
    /// Predict what `bench` measures, on the emulator of machine code (no GPU needed)
    Predict(kernels::predict::Task),
    /// Predict what each pass brings that may be left out (no GPU needed)
    Passes(kernels::passes::Task),
    /// Run atomic operations with contending threads; write a table and a summary
    Atomics(atomics::task::Task),
    #[command(hide = true)]
    WorkAtomics(atomics::task::Work),
    /// Run what threads do together, compiled for several chips, against what the manual says
    Collectives(collectives::task::Task),
    #[command(hide = true)]
    WorkCollectives(collectives::task::Work),
    /// Run litmus tests of memory order; write a table and a summary
    Litmus(litmus::task::Task),
    #[command(hide = true)]
    WorkLitmus(litmus::task::Work),
    /// Measure how far apart two instructions must be
    Latency(latency::task::Task),
    #[command(hide = true)]
    WorkLatency(latency::task::Work),
    /// Measure how many cycles instructions take, one after the other and at the same time
    Rates(latency::rates::Task),
    #[command(hide = true)]
    WorkRates(latency::rates::Work),
    /// Run machine code: kernels written by hand in SASS, and rebuilt ones of ptxas
    Sass(sass::task::Task),
    #[command(hide = true)]
    WorkSass(sass::task::Work),
    /// Take the cubins of a folder apart and put them together again
    SassRebuild(sass::task::Rebuild),
    /// Damage our own machine code and count what judges and the emulator notice (no GPU needed)
    Mutants(mutants::task::Task),
    /// Run random programs, assembled by warpc in every way and by the driver, against the emulator
    Random(random::Task),
    #[command(hide = true)]
    WorkRandom(random::Work),
    /// Write the generated programs
    Programs {
        /// The folder to write
        out: PathBuf,
    },
    #[command(hide = true)]
    WorkBench(kernels::bench_child::Work),
    #[command(hide = true)]
    WorkKernels {
        #[command(flatten)]
        origin: Origin,
        #[arg(long)]
        file: usize,
        #[arg(long)]
        from: usize,
        #[arg(long)]
        to: usize,
        #[arg(long)]
        lines: PathBuf,
        #[arg(long)]
        seed: Option<u64>,
        #[arg(long, default_value_t = 1)]
        host_threads: usize,
        #[arg(long, default_value_t = 1)]
        repeats: usize,
    },
    #[command(hide = true)]
    Work {
        list: PathBuf,
        out: PathBuf,
        #[arg(long)]
        tuples: usize,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<(), String> {
    match task {
        Task::Forms {
            out,
            tuples,
            jobs,
            minutes,
            only,
        } => {
            let deadline = Instant::now() + Duration::from_secs(60 * minutes);
            run_forms(&out, tuples, jobs, deadline, only.as_deref())
        }
        Task::Compare {
            answers,
            only,
            table: path,
        } => {
            let mut answers = read(&answers)?;
            if let Some(only) = only {
                answers.list.retain(|answer| answer.text.contains(&only));
            }
            let suite = forms::suite();
            let text = report(&suite.cases, &answers);
            match path {
                Some(path) => write(&path, text.as_bytes()),
                None => {
                    print!("{text}");
                    Ok(())
                }
            }
        }
        Task::Record {
            answers,
            out,
            tuples,
        } => {
            let mut answers = read(&answers)?;
            answers
                .list
                .iter_mut()
                .for_each(|answer| answer.cut(tuples));
            let packed = answers.pack().map_err(|e| e.to_string())?;
            println!("{} answers, {} bytes", answers.list.len(), packed.len());
            write(&out, &packed)
        }
        Task::List => {
            let suite = forms::suite();
            for case in &suite.cases {
                let judge = match &case.judge {
                    Ok(Judge::Unknown) => "unknown",
                    Ok(_) => "known",
                    Err(misfit) => misfit,
                };
                println!("{}\t{}\t{judge}", case.section, case.text());
            }
            for (text, reason) in &suite.refused {
                println!("refused\t{text}\t{reason}");
            }
            Ok(())
        }
        Task::Module { out, only } => {
            let mut cases = forms::suite().cases;
            cases.retain(|case| only.as_ref().is_none_or(|only| case.text().contains(only)));
            write(
                &out,
                forms::module(cases.iter().map(|case| &case.draft)).as_bytes(),
            )
        }
        Task::Matrix { out, only, rounds } => {
            let summary = matrix::run::run(only.as_deref(), rounds.max(1), &out);
            println!("{}", summary.map_err(|e| e.to_string())?);
            Ok(())
        }
        Task::Groups { out, only } => {
            let summary = groups::run(only.as_deref(), &out);
            println!("{}", summary.map_err(|e| e.to_string())?);
            Ok(())
        }
        Task::MatrixRecord { answers, out } => {
            let kept = matrix::report::kept(&matrix::suite(), read_matrix(&answers)?);
            let packed = matrix::answers::write(&kept).map_err(|e| e.to_string())?;
            println!("{} answers, {} bytes", kept.len(), packed.len());
            write(&out, &packed)
        }
        Task::MatrixCompare { answers } => {
            let answers = read_matrix(&answers)?;
            let compared = matrix::report::compare_all(&matrix::suite(), &answers);
            print!("{}", compared.table);
            println!("{}", compared.summary());
            Ok(())
        }
        Task::Mutants(task) => task.run(),
        Task::MatrixModule { out } => write(&out, matrix::module(&matrix::suite()).as_bytes()),
        Task::Kernels {
            origin,
            out,
            jobs,
            seeds,
            minutes,
            against,
        } => kernels::task::Task {
            origin: &origin,
            out: &out,
            jobs,
            seeds,
            minutes,
            against: against.as_deref(),
        }
        .run(),
        Task::Covered(task) => task.run(),
        Task::Attributes(task) => task.run(),
        Task::Bench {
            builds,
            out,
            repeats,
            rounds,
            minutes,
            only,
        } => {
            fs::create_dir_all(&out).map_err(|e| format!("cannot make {}: {e}", out.display()))?;
            let deadline = Instant::now() + Duration::from_secs(60 * minutes);
            let timing = kernels::bench::Timing {
                only: only.as_deref(),
                repeats,
                rounds,
                out: &out,
                deadline,
            };
            let builds = timing.run(&builds)?;
            print!("{}", kernels::bench::ratios(&builds));
            print!("{}", kernels::bench::summary(&builds));
            write(
                &out.join("bench.tsv"),
                kernels::bench::table(&builds).as_bytes(),
            )
        }
        Task::Predict(task) => task.run(),
        Task::Passes(task) => task.run(),
        Task::Atomics(task) => task.run(),
        Task::WorkAtomics(work) => work.run(),
        Task::Collectives(task) => task.run(),
        Task::WorkCollectives(work) => work.run(),
        Task::Litmus(task) => task.run(),
        Task::WorkLitmus(work) => work.run(),
        Task::Latency(task) => task.run(),
        Task::WorkLatency(work) => work.run(),
        Task::Rates(task) => task.run(),
        Task::WorkRates(work) => work.run(),
        Task::Sass(task) => task.run(),
        Task::WorkSass(work) => work.run(),
        Task::SassRebuild(rebuild) => rebuild.run(),
        Task::Random(task) => task.run(),
        Task::WorkRandom(work) => work.run(),
        Task::Programs { out } => {
            fs::create_dir_all(&out).map_err(|e| e.to_string())?;
            let files = programs::suite()?.files;
            files.iter().try_for_each(|file| {
                write(&out.join(format!("{}.ptx", file.name)), file.source.bytes())
            })
        }
        Task::WorkBench(work) => work.run(),
        Task::WorkKernels {
            origin,
            file,
            from,
            to,
            lines,
            seed,
            host_threads: jobs,
            repeats,
        } => {
            let suite = origin.suite()?;
            let file = suite.files.get(file).ok_or("there is no such file")?;
            let place = seed.map_or(Where::Gpu { repeats }, |seed| Where::Sim { seed, jobs });
            let cases: Vec<usize> = (from..to.min(file.cases.len())).collect();
            kernels::supervise::work(file, &cases, place, &lines)
        }
        Task::Work { list, out, tuples } => {
            let text = fs::read_to_string(&list).map_err(|e| e.to_string())?;
            let wanted: Vec<usize> = text.lines().filter_map(|line| line.parse().ok()).collect();
            let mut cases: Vec<Option<Case>> = forms::suite().cases.into_iter().map(Some).collect();
            let cases: Vec<Case> = wanted
                .iter()
                .filter_map(|&i| cases.get_mut(i)?.take())
                .collect();
            on_gpu::work(&cases, tuples, &out)
        }
    }
}

fn run_forms(
    out: &Path,
    tuples: usize,
    jobs: usize,
    deadline: Instant,
    only: Option<&str>,
) -> Result<(), String> {
    if tuples == 0 || !tuples.is_multiple_of(forms::BLOCK as usize) {
        return Err(format!(
            "the number of tuples must be a multiple of {}",
            forms::BLOCK
        ));
    }
    fs::create_dir_all(out).map_err(|e| format!("cannot make {}: {e}", out.display()))?;
    let start = Instant::now();
    let suite = forms::suite();
    let texts: Vec<&str> = suite.cases.iter().map(Case::text).collect();
    let numbers: Vec<usize> = (0..texts.len())
        .filter(|&i| only.is_none_or(|only| texts[i].contains(only)))
        .collect();
    let answers = on_gpu::Run {
        cases: &numbers,
        tuples,
        jobs: jobs.max(1),
        dir: out,
        deadline,
    }
    .run(&texts)?;
    write(
        &out.join("forms.bin.gz"),
        &answers.pack().map_err(|e| e.to_string())?,
    )?;
    println!("answers after {:.0} s", start.elapsed().as_secs_f64());
    let text = report(&suite.cases, &answers);
    write(&out.join("differences.tsv"), text.as_bytes())?;
    println!("done after {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Prints the summary and gives everything that is not equal.
fn report(cases: &[Case], answers: &Answers) -> String {
    let (compared, strangers) = compare(cases, answers);
    println!("{}\n{}", answers.device, summary(&compared));
    for text in &strangers {
        println!("no such case in the suite: {text}");
    }
    table(&compared)
}

fn read_matrix(path: &Path) -> Result<Vec<matrix::answers::Answer>, String> {
    let bytes = fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    matrix::answers::read(&bytes).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn read(path: &Path) -> Result<Answers, String> {
    let bytes = fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    Answers::read(&bytes).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
