//! `warpc check`: read and verify, say what is wrong.

use crate::{MessageFormat, report};
use std::process::ExitCode;
use warpc_pipeline::{Input, check_ptx};

pub fn run(files: &[String], format: MessageFormat) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for name in files {
        match Input::read(name) {
            Ok(input) => {
                let checked = check_ptx(&input.file);
                report::diagnostics(&input.file, &checked.diagnostics, format);
                if checked.diagnostics.has_errors() {
                    status = ExitCode::from(1);
                }
            }
            Err(error) => status = report::failure(&error, format),
        }
    }
    status
}
