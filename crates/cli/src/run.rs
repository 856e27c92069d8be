//! `warpc run`: a kernel on the emulator, or on a GPU.
//!
//! ```text
//!   file ──► module ──┐
//!   `// run:` lines ──┼─► Request ──on_sim or on_gpu──► Outcome ──► report
//!   command line ─────┘
//! ```

mod flags;
mod on_gpu;
mod on_sim;
mod outcome;
mod progress;
mod report;
mod style;

use crate::code_options::CodeOptions;
use crate::{MessageFormat, report as messages};
use clap::Args;
use outcome::Failure;
use report::Detail;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc::{Checked, Input, Kind, check_ptx, compile_ir, guarded};
use warpc_diag::{SourceFile, codes};
use warpc_ptx::Module;
use warpc_request::{Case, Options, Place, Request, cases};

/// What `warpc run` takes.
#[derive(Args)]
pub struct Arguments {
    /// The file of PTX, LLVM IR or MLIR; `-` is standard input. Lines `// run: FLAGS` (`; run: FLAGS` in LLVM IR)
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
    let input = match Input::read(&arguments.file) {
        Ok(input) => input,
        Err(error) => return messages::failure(&error, format),
    };
    let launches = match launches(arguments, &input) {
        Ok(launches) => launches,
        Err(failure) => return failure.print(format),
    };
    let checked = match input.kind {
        Kind::Cubin | Kind::Fatbin | Kind::Sass => {
            let message = format!(
                "{}: machine code is not run yet; give LLVM IR, MLIR or PTX",
                input.file.name()
            );
            return messages::failure(&message, format);
        }
        Kind::Ptx => check_ptx(&input.file),
        _ => compiled(arguments, &input),
    };
    let failed = messages::diagnostics(&input.file, &checked.diagnostics, format);
    let Some(module) = checked.module.filter(|_| !failed) else {
        return ExitCode::from(1);
    };
    let name = input.file.name();
    let message = format_args!("{name}: PTX {} for {}", module.version, module.sm);
    messages::note(&message, format);
    let mut status = ExitCode::SUCCESS;
    let several = launches.len() > 1;
    for (i, options) in launches.iter().enumerate() {
        if several && format == MessageFormat::Human && !arguments.quiet {
            report::heading(i + 1, launches.len());
        }
        if let Err(failure) = launch(&module, &input, options, arguments.detail(), format) {
            status = failure.in_source(&input).print(format);
        }
    }
    status
}

/// The PTX of a module of LLVM IR or MLIR. Its instructions remember where they came from, so what goes wrong is shown in
/// the input, and where the input has debug information, in its source, too.
fn compiled(arguments: &Arguments, input: &Input) -> Checked {
    let mut options = arguments.code.options();
    options.select.lineinfo = true;
    let rules = crate::compile::nvvm_options();
    let mut made = compile_ir(input.kind, &input.file, rules, options, &mut |_, _| {});
    if let Some(module) = &mut made.module {
        match guarded(&input.file, || warpc_ptx::settle(module)) {
            Ok(diagnostics) | Err(diagnostics) => made.diagnostics.append(diagnostics),
        }
        if made.diagnostics.has_errors() {
            made.module = None;
        }
    }
    made
}

/// The launches that are meant: those of the file, with the command line's flags over them, or the
/// command line's alone.
fn launches(arguments: &Arguments, input: &Input) -> Result<Vec<Options>, Failure> {
    let own = arguments.launch.options();
    let other = match &arguments.cases {
        Some(name) => {
            Some(read(name).map_err(|message| Failure::plain(codes::BAD_SPEC, message, ""))?)
        }
        None => None,
    };
    let file = other.as_ref().unwrap_or(&input.file);
    let in_file = cases(file).map_err(|diagnostics| Failure::at(file, diagnostics))?;
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
    module: &Module,
    input: &Input,
    options: &Options,
    detail: Detail,
    format: MessageFormat,
) -> Result<(), Failure> {
    let request =
        Request::new(module, options).map_err(|refused| Failure::at(&input.file, refused))?;
    let outcome = match options.on.unwrap_or_default() {
        Place::Sim => on_sim::run(module, &input.file, &request, options, format)?,
        Place::Gpu => on_gpu::run(module, &input.file, &request)?,
    };
    let differences = request.differences(&outcome.buffers);
    match format {
        MessageFormat::Human => report::human(&request, &outcome, &differences, detail),
        MessageFormat::Json => report::json(&request, &outcome, &differences),
    }
    if differences.is_empty() {
        Ok(())
    } else {
        Err(Failure::Unexpected(differences))
    }
}
