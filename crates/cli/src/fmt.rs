//! `warpc fmt`: PTX in canonical form, with its comments.

use crate::emit::Ending;
use crate::{MessageFormat, report};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc::{Input, Kind, check_ptx, parse_ptx};

/// What `warpc fmt` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The files; `-` is standard input. Several need `--in-place` or `--check`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to a file instead of standard output.
    #[arg(short, value_name = "OUT", conflicts_with_all = ["in_place", "check"])]
    output: Option<PathBuf>,
    /// Write each file over itself, if that changes it.
    #[arg(long, short)]
    in_place: bool,
    /// Write nothing; fail and name the files that would change.
    #[arg(long, conflicts_with = "in_place")]
    check: bool,
    /// Lower `.version` to the oldest that has all the module uses: drivers refuse newer ones
    /// than they know.
    #[arg(long)]
    lowest_version: bool,
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    let output = arguments.output.as_deref();
    if let Some(problem) = output.and_then(|output| Ending::problem(output, Ending::Ptx)) {
        report::failure(&problem, format);
        return ExitCode::from(2);
    }
    let one_output = !arguments.in_place && !arguments.check;
    if one_output && arguments.files.len() > 1 {
        let message = "several files need `--in-place` or `--check`";
        report::failure(&message, format);
        return ExitCode::from(2);
    }
    if arguments.in_place && arguments.files.iter().any(|file| file == Path::new("-")) {
        report::failure(&"standard input has no place to write to", format);
        return ExitCode::from(2);
    }
    let mut status = ExitCode::SUCCESS;
    for path in &arguments.files {
        let of_file = one(arguments, path, format);
        if of_file != ExitCode::SUCCESS {
            status = of_file;
        }
    }
    status
}

/// Formats one file.
fn one(arguments: &Arguments, path: &Path, format: MessageFormat) -> ExitCode {
    let input = match Input::read(path).and_then(|input| input.only(&[Kind::Ptx])) {
        Ok(input) => input,
        Err(error) => return report::failure(&error, format),
    };
    // The version a module requires is known only of one that is right.
    let parsed = if arguments.lowest_version {
        check_ptx(&input.file)
    } else {
        parse_ptx(&input.file)
    };
    let failed = report::diagnostics(&input.file, &parsed.diagnostics, format);
    let Some(mut module) = parsed.module.filter(|_| !failed) else {
        return ExitCode::from(1);
    };
    if arguments.lowest_version
        && let Some(lowest) = module.required_version(module.sm)
    {
        module.version = lowest;
    }
    let text = warpc_ptx::format(&module, input.file.bytes());
    if arguments.check {
        return match text == input.file.bytes() {
            true => ExitCode::SUCCESS,
            false => {
                let message = format_args!("{}: not in canonical form", input.file.name());
                report::failure(&message, format)
            }
        };
    }
    match arguments.in_place {
        true if text == input.file.bytes() => ExitCode::SUCCESS,
        true => report::output(&text, Some(path), format),
        false => report::output(&text, arguments.output.as_deref(), format),
    }
}
