//! `warpc fmt`: PTX in canonical form.

use crate::{MessageFormat, report};
use std::process::ExitCode;
use warpc_pipeline::{Input, Kind, check_ptx, parse_ptx};

pub fn run(
    name: &str,
    output: Option<&str>,
    lowest_version: bool,
    format: MessageFormat,
) -> ExitCode {
    let input = match Input::read_as(name, Kind::Ptx) {
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
    let text = warpc_ptx::format(&module, input.file.bytes());
    report::output(&text, output, format)
}
