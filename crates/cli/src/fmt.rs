//! `warpc fmt`: PTX in canonical form, with its comments.

use crate::code_options::plain_options;
use crate::emit::Ending;
use crate::{MessageFormat, report};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc::{Kind, Source};

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
    let source = match Source::read(path).and_then(|source| source.only(&[Kind::Ptx])) {
        Ok(source) => source,
        Err(error) => return report::failure(&error, format),
    };
    let mut options = plain_options();
    options.format.lowest_version = arguments.lowest_version;
    let formatted = warpc::format(&source, &options);
    let failed = report::diagnostics(source.file(), &formatted.diagnostics, format);
    let Some(text) = formatted.value.filter(|_| !failed) else {
        return ExitCode::from(1);
    };
    if arguments.check {
        return match text == source.bytes() {
            true => ExitCode::SUCCESS,
            false => {
                let message = format_args!("{}: not in canonical form", source.name());
                report::failure(&message, format)
            }
        };
    }
    match arguments.in_place {
        true if text == source.bytes() => ExitCode::SUCCESS,
        true => report::output(&text, Some(path), format),
        false => report::output(&text, arguments.output.as_deref(), format),
    }
}
