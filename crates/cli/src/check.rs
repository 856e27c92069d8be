//! `warpc check`: read and verify, say what is wrong.

use crate::code_options::plain_options;
use crate::{MessageFormat, report};
use std::path::PathBuf;
use std::process::ExitCode;
use warpc::Source;

pub fn run(files: &[PathBuf], format: MessageFormat) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for name in files {
        match Source::read(name) {
            Ok(source) => {
                let checked = warpc::check(&source, &plain_options());
                // Nothing comes after the last file: the system takes the memory back faster.
                if files.last() == Some(name) {
                    std::mem::forget(checked.value);
                }
                if report::diagnostics(source.file(), &checked.diagnostics, format) {
                    status = ExitCode::from(1);
                }
            }
            Err(error) => status = report::failure(&error, format),
        }
    }
    status
}
