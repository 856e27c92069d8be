//! `warpc check`: read and verify, say what is wrong.

use crate::compile::nvvm_options;
use crate::{MessageFormat, report};
use std::process::ExitCode;
use warpc_pipeline::{Input, Kind, check_ir, check_ptx};

pub fn run(files: &[String], format: MessageFormat) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for name in files {
        match Input::read(name) {
            Ok(input) => {
                let diagnostics = match input.kind {
                    Kind::Llvm | Kind::Mlir => {
                        let checked = check_ir(input.kind, &input.file, nvvm_options());
                        // Nothing comes after the last file: the system takes the memory back faster.
                        if files.last() == Some(name) {
                            std::mem::forget(checked.module);
                        }
                        checked.diagnostics
                    }
                    _ => check_ptx(&input.file).diagnostics,
                };
                report::diagnostics(&input.file, &diagnostics, format);
                if diagnostics.has_errors() {
                    status = ExitCode::from(1);
                }
            }
            Err(error) => status = report::failure(&error, format),
        }
    }
    status
}
