//! `warpc run`: a kernel on the emulator, or on a GPU.
//!
//! ```text
//!   file ──► module ──┐
//!   `// run:` lines ──┼─► Request ──carry_out, explore──► Ran of each launch ──► report
//!   command line ─────┘
//! ```

mod at_source;
mod flags;
mod outcome;
pub mod page;
mod progress;
mod report;
mod schedules;
mod style;

use crate::code_options::{CodeOptions, plain_options};
use crate::{MessageFormat, report as messages};
use clap::Args;
use outcome::{Failure, Watch};
use report::Detail;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use warpc::{Program, Source};
use warpc_diag::{Diagnostics, SourceFile, codes};
use warpc_request::{Case, MemoryModel, Options, Place, Races, cases, names};

/// What `warpc run` takes.
#[derive(Args)]
pub struct Arguments {
    /// The file of PTX, LLVM IR, MLIR or machine code; `-` is standard input. Lines `// run: FLAGS` (`; run: FLAGS` in LLVM IR)
    /// at its head are launches that need no flags here
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    launch: flags::Flags,
    /// Take the `// run:` lines from another file, such as the CUDA source
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// Run only the file's Nth `// run:` line, from 1
    #[arg(long, value_name = "N")]
    case: Option<usize>,
    #[command(flatten, next_help_heading = "How LLVM IR and MLIR are compiled")]
    code: CodeOptions,
    /// Write a page about the run: findings, warps over time, who waited for whom, hot lines, memory (one file of HTML)
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print only results and findings
    #[arg(long, short, conflicts_with = "stats")]
    quiet: bool,
    /// Count more
    #[arg(long)]
    stats: bool,
}

impl Arguments {
    fn detail(&self) -> Detail {
        match (self.quiet, self.stats) {
            (true, _) => Detail::Results,
            (false, false) => Detail::Usual,
            (false, true) => Detail::Everything,
        }
    }
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    let source = match Source::read(&arguments.file) {
        Ok(source) => source,
        Err(error) => return messages::failure(&error, format),
    };
    let cases = match lines(arguments, &source) {
        Ok(cases) => cases,
        Err(failure) => {
            failure.print(format);
            return ExitCode::from(1);
        }
    };
    let name = source.name();
    let loaded = warpc::load(&source, &arguments.code.options());
    let failed = messages::diagnostics(source.file(), &loaded.diagnostics, format);
    let Some(program) = loaded.value.filter(|_| !failed) else {
        return ExitCode::from(1);
    };
    let message = format_args!("{name}: {}", program.words());
    messages::note(&message, format);
    let launches = launches(arguments, &program, &cases);
    let mut failed = false;
    let mut recorded = Recorded::default();
    let several = launches.len() > 1;
    for (i, options) in launches.iter().enumerate() {
        if several && format == MessageFormat::Human && !arguments.quiet {
            report::heading(i + 1, launches.len());
        }
        let recorded = arguments.report.is_some().then_some(&mut recorded);
        let failures = launch(
            &program,
            &source,
            options,
            arguments.detail(),
            format,
            recorded,
        );
        for failure in failures {
            failed |= failure.print(format);
        }
    }
    if let Some(path) = &arguments.report {
        let page = page::Page {
            source: &source,
            launches: &recorded.launches,
            found: &recorded.found,
            unexpected: &recorded.unexpected,
        };
        if let Err(error) = std::fs::write(path, page.to_string()) {
            messages::failure(&format_args!("{}: {error}", path.display()), format);
            failed = true;
        }
    }
    ExitCode::from(u8::from(failed))
}

/// What a page tells of all launches.
#[derive(Default)]
struct Recorded {
    launches: Vec<page::Launch>,
    found: Diagnostics,
    unexpected: Vec<String>,
}

/// The `run:` lines that are meant.
fn lines(arguments: &Arguments, source: &Source) -> Result<Vec<Case>, Failure> {
    let other = match &arguments.cases {
        Some(name) => {
            let file =
                read(name).map_err(|message| Failure::plain(codes::BAD_SPEC, message, ""))?;
            Some(Arc::new(file))
        }
        None => None,
    };
    let file = other.as_ref().unwrap_or(source.file());
    let mut in_file = cases(file).map_err(|mut diagnostics| {
        diagnostics.in_file(file);
        Failure::Refused(diagnostics)
    })?;
    let Some(number) = arguments.case else {
        return Ok(in_file);
    };
    match number.checked_sub(1).filter(|index| *index < in_file.len()) {
        Some(index) => Ok(vec![in_file.swap_remove(index)]),
        None => {
            let count = in_file.len();
            Err(Failure::plain(
                codes::BAD_SPEC,
                format!("there is no case {number}"),
                format!("the file has {count} `// run:` lines, counted from 1"),
            ))
        }
    }
}

/// The launches that are meant: those of the lines, with the command line's flags over them, or the
/// command line's alone.
fn launches(arguments: &Arguments, program: &Program, cases: &[Case]) -> Vec<Options> {
    let own = arguments.launch.options();
    // A line for another kernel has nothing to say about this one.
    let all = program.kernels();
    let all: Vec<&str> = all.iter().map(|kernel| kernel.kernel.as_str()).collect();
    let is_meant = |case: &&Case| match (&own.kernel, &case.options.kernel) {
        (Some(wanted), Some(kernel)) if arguments.case.is_none() => {
            wanted == kernel || {
                let meant = names::find(&all, wanted);
                !meant.is_empty()
                    && names::find(&all, kernel)
                        .iter()
                        .any(|one| meant.contains(one))
            }
        }
        _ => true,
    };
    let chosen = cases.iter().filter(is_meant);
    let chosen: Vec<Options> = chosen.map(|case| own.over(&case.options)).collect();
    match chosen.is_empty() {
        true => vec![own],
        false => chosen,
    }
}

/// Reads a text of any kind.
fn read(path: &Path) -> Result<SourceFile, String> {
    let name = path.to_string_lossy();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    SourceFile::new(&*name, bytes).ok_or_else(|| format!("{name}: the file is too large"))
}

/// Carries out a request and says what came of it; gives what went wrong.
fn launch(
    program: &Program,
    source: &Source,
    options: &Options,
    detail: Detail,
    format: MessageFormat,
    recorded: Option<&mut Recorded>,
) -> Vec<Failure> {
    let request = match program.request(options) {
        Ok(request) => request,
        Err(refused) => return vec![Failure::Refused(refused)],
    };
    let mut settings = settings(options);
    settings.run.record = recorded.is_some();
    let mut watch = Watch::new(&request, format);
    let mut explored = None;
    let (carried, found) = match options.seeds {
        _ if options.explore.is_some() || options.schedule.is_some() => {
            match schedules::run(program, &request, options, &settings, &mut watch) {
                Ok((carried, found, told)) => {
                    explored = told;
                    (carried, found)
                }
                Err(failure) => return vec![failure],
            }
        }
        None => {
            let mut carried = program.carry_out(&request, &settings, &mut watch);
            let found = std::mem::take(&mut carried.found);
            (carried, found)
        }
        Some(_) if settings.run.place == warpc::Place::Gpu => {
            let help = "a GPU chooses its own schedules: leave `--on gpu` or `--seeds` out";
            let message = "`--seeds` is for the emulator";
            return vec![Failure::plain(codes::BAD_SPEC, message, help)];
        }
        Some(count) => {
            let first = settings.run.seed;
            let seeds = first..first.saturating_add(count);
            let explored = program.explore(&request, seeds, &settings, &mut watch);
            let found = explored.diagnostics(count);
            (explored.first, found)
        }
    };
    let mut left_out: Vec<warpc::LeftOut> = Vec::new();
    for one in carried.done.iter().flat_map(|done| &done.ran.left_out) {
        if !left_out.contains(one) {
            left_out.push(*one);
        }
    }
    let mut failures = Vec::new();
    let mut wrong = Vec::new();
    let mut traces = std::mem::take(&mut watch.traces).into_iter();
    let mut pages = Vec::new();
    for (number, (step, done)) in request.steps.iter().zip(&carried.done).enumerate() {
        let differences = step.differences(&done.after);
        let told = report::Told {
            request: &request,
            number,
            done,
            differences: &differences,
            found: &found,
            left_out: &left_out,
            seeds: options.seeds,
            explored: explored.as_ref(),
        };
        match format {
            MessageFormat::Human => report::human(&told, detail),
            MessageFormat::Json => report::json(&told),
        }
        for saved in &step.saved {
            let contents = saved.contents(done.after.bytes(&saved.memory));
            if let Err(error) = std::fs::write(&saved.file, contents) {
                let message = format!("{}: {error}", saved.file.display());
                failures.push(Failure::plain(codes::BAD_SPEC, message, ""));
            }
        }
        pages.push(page::Launch::of(&told, traces.next()));
        wrong.extend(differences);
    }
    if let Some(explored) = &explored
        && carried.done.len() < request.steps.len()
    {
        report::explored_alone(&request, explored, format);
    }
    if let Some(recorded) = recorded {
        // A launch that came to no good end was recorded, too.
        if let (Some(step), Some(trace)) = (request.steps.get(carried.done.len()), traces.next()) {
            pages.push(page::Launch {
                title: format!("{}: did not come to its end", step.launch.kernel),
                counts: Vec::new(),
                trace: Some(trace),
            });
        }
        recorded.launches.extend(pages);
        recorded.found.append(at_source::at_source(&found, source));
        recorded
            .unexpected
            .extend(wrong.iter().map(ToString::to_string));
    }
    if !found.as_slice().is_empty() {
        failures.push(Failure::Refused(match format {
            MessageFormat::Human => at_source::at_source(&found, source),
            MessageFormat::Json => found,
        }));
    }
    if !wrong.is_empty() {
        failures.push(Failure::Unexpected(wrong));
    }
    failures
}

/// What the library is told.
fn settings(options: &Options) -> warpc::Options {
    let mut settings = plain_options();
    settings.run.place = match options.on.unwrap_or_default() {
        Place::Sim => warpc::Place::Emulator,
        Place::Gpu => warpc::Place::Gpu,
    };
    settings.run.seed = options.seed.unwrap_or(0);
    settings.run.jobs = options.jobs.unwrap_or(0);
    settings.run.limit = options.limit;
    settings.run.races = match options.races {
        None => warpc::Races::Auto,
        Some(Races::Off) => warpc::Races::Off,
        Some(Races::Shared) => warpc::Races::Shared,
        Some(Races::All) => warpc::Races::All,
    };
    settings.run.memory = match options.memory.unwrap_or_default() {
        MemoryModel::Strong => warpc::MemoryModel::Strong,
        MemoryModel::Weak => warpc::MemoryModel::Weak,
    };
    settings.run.skip_init = options.init == Some(false);
    settings
}
