//! `warpc fmt`: PTX in canonical form.

use crate::{MessageFormat, report};
use std::io::Write;
use std::process::ExitCode;
use warpc_pipeline::{Input, check_ptx, parse_ptx};

pub fn run(
    name: &str,
    output: Option<&str>,
    lowest_version: bool,
    format: MessageFormat,
) -> ExitCode {
    let input = match Input::read(name) {
        Ok(input) => input,
        Err(error) => return report::failure(&error, format),
    };
    // The version a module requires is known only of one that is right.
    let parsed = if lowest_version {
        check_ptx(&input.file)
    } else {
        parse_ptx(&input.file)
    };
    report::diagnostics(&input.file, &parsed.diagnostics, format);
    let Some(mut module) = parsed.module else {
        return ExitCode::from(1);
    };
    if lowest_version && let Some(lowest) = module.required_version(module.sm) {
        module.version = lowest;
    }
    let text = warpc_ptx::print(&module);
    let written = match output {
        None | Some("-") => std::io::stdout().write_all(text.as_bytes()),
        Some(path) => std::fs::write(path, text),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads from us stopped reading; that is no failure of ours.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => report::failure(
            &format_args!("{}: {error}", output.unwrap_or("standard output")),
            format,
        ),
    }
}
