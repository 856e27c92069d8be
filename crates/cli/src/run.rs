//! `warpc run`: a kernel on the emulator, or on a GPU.
//!
//! ```text
//!   file ──► module ──┐
//!   `// run:` lines ──┼─► Request ──Program::run──► Ran ──► report
//!   command line ─────┘
//! ```

mod flags;
mod outcome;
mod progress;
mod report;
mod style;

use crate::code_options::{CodeOptions, plain_options};
use crate::{MessageFormat, report as messages};
use clap::Args;
use outcome::{Failure, Watch};
use report::Detail;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use warpc::{Buffer, Program, Source};
use warpc_diag::{SourceFile, codes};
use warpc_request::{Case, Options, Place, Races, cases};

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
    let launches = match launches(arguments, &source) {
        Ok(launches) => launches,
        Err(failure) => return failure.print(format),
    };
    let name = source.name();
    let loaded = warpc::load(&source, &arguments.code.options());
    let failed = messages::diagnostics(source.file(), &loaded.diagnostics, format);
    let Some(program) = loaded.value.filter(|_| !failed) else {
        return ExitCode::from(1);
    };
    let message = format_args!("{name}: {}", program.words());
    messages::note(&message, format);
    let mut status = ExitCode::SUCCESS;
    let several = launches.len() > 1;
    for (i, options) in launches.iter().enumerate() {
        if several && format == MessageFormat::Human && !arguments.quiet {
            report::heading(i + 1, launches.len());
        }
        if let Err(failure) = launch(&program, options, arguments.detail(), format) {
            status = failure.print(format);
        }
    }
    status
}

/// The launches that are meant: those of the file, with the command line's flags over them, or the
/// command line's alone.
fn launches(arguments: &Arguments, source: &Source) -> Result<Vec<Options>, Failure> {
    let own = arguments.launch.options();
    let other = match &arguments.cases {
        Some(name) => {
            let file =
                read(name).map_err(|message| Failure::plain(codes::BAD_SPEC, message, ""))?;
            Some(Arc::new(file))
        }
        None => None,
    };
    let file = other.as_ref().unwrap_or(source.file());
    let in_file = cases(file).map_err(|mut diagnostics| {
        diagnostics.in_file(file);
        Failure::Refused(diagnostics)
    })?;
    let chosen: Vec<&Case> = match arguments.case {
        Some(number) => match number.checked_sub(1).and_then(|i| in_file.get(i)) {
            Some(case) => vec![case],
            None => {
                let count = in_file.len();
                return Err(Failure::plain(
                    codes::BAD_SPEC,
                    format!("there is no case {number}"),
                    format!("the file has {count} `// run:` lines, counted from 1"),
                ));
            }
        },
        // A line for another kernel has nothing to say about this one.
        None => in_file
            .iter()
            .filter(|case| match (&own.kernel, &case.options.kernel) {
                (Some(wanted), Some(kernel)) => wanted == kernel,
                _ => true,
            })
            .collect(),
    };
    if chosen.is_empty() {
        return Ok(vec![own]);
    }
    let over = |case: &Case| own.over(&case.options);
    Ok(chosen.into_iter().map(over).collect())
}

/// Reads a text of any kind.
fn read(path: &Path) -> Result<SourceFile, String> {
    let name = path.to_string_lossy();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    SourceFile::new(&*name, bytes).ok_or_else(|| format!("{name}: the file is too large"))
}

fn launch(
    program: &Program,
    options: &Options,
    detail: Detail,
    format: MessageFormat,
) -> Result<(), Failure> {
    let request = program.request(options).map_err(Failure::Refused)?;
    let buffers = request.buffers.iter().map(|buffer| Buffer {
        name: format!("argument {}, `{}`", buffer.argument, buffer.name),
        bytes: buffer.bytes.clone(),
    });
    let buffers: Vec<Buffer> = buffers.collect();
    let mut watch = Watch::new(&request, format);
    let ran = program.run(&request.launch, &buffers, &settings(options), &mut watch);
    if ran.value.is_some() {
        messages::known_diagnostics(&ran.diagnostics, format);
    }
    let ran = ran.into_result().map_err(Failure::Refused)?;
    let differences = request.differences(&ran.buffers);
    match format {
        MessageFormat::Human => report::human(&request, &ran, &differences, detail),
        MessageFormat::Json => report::json(&request, &ran, &differences),
    }
    if differences.is_empty() {
        Ok(())
    } else {
        Err(Failure::Unexpected(differences))
    }
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
    settings.run.skip_init = options.init == Some(false);
    settings
}
