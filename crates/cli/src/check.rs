//! `warpc check`: read and verify, say what is wrong.

use crate::compile::nvvm_options;
use crate::{MessageFormat, report};
use std::borrow::Cow;
use std::path::PathBuf;
use std::process::ExitCode;
use warpc::{Input, Kind, check_cubin, check_fatbin, check_ir, check_ptx, check_sass};
use warpc_diag::SourceFile;

/// What diagnostics point into: nothing of a binary file can be shown.
pub fn shown(input: &Input) -> Cow<'_, SourceFile> {
    match input.kind {
        Kind::Cubin | Kind::Fatbin => {
            Cow::Owned(SourceFile::new(input.file.name(), "").expect("an empty file is short"))
        }
        _ => Cow::Borrowed(&input.file),
    }
}

pub fn run(files: &[PathBuf], format: MessageFormat) -> ExitCode {
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
                    Kind::Sass => check_sass(&input.file).diagnostics,
                    Kind::Cubin => check_cubin(&input.file).diagnostics,
                    Kind::Fatbin => check_fatbin(&input.file).diagnostics,
                    _ => check_ptx(&input.file).diagnostics,
                };
                if report::diagnostics(&shown(&input), &diagnostics, format) {
                    status = ExitCode::from(1);
                }
            }
            Err(error) => status = report::failure(&error, format),
        }
    }
    status
}
