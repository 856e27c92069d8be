//! Diagnostics and failures on standard error.

use crate::MessageFormat;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use warpc_diag::{Diagnostics, SourceFile, render_human, render_json};

/// Prints diagnostics of one file.
pub fn diagnostics(file: &SourceFile, diagnostics: &Diagnostics, format: MessageFormat) {
    let text = match format {
        MessageFormat::Human => render_human(file, diagnostics, std::io::stderr().is_terminal()),
        MessageFormat::Json => render_json(file, diagnostics),
    };
    // Nobody is left to tell when standard error is closed.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints a failure that belongs to no place of a file.
pub fn failure(message: &dyn std::fmt::Display, format: MessageFormat) -> ExitCode {
    match format {
        MessageFormat::Human => eprintln!("error: {message}"),
        MessageFormat::Json => {
            eprintln!(
                "{}",
                serde_json::json!({ "severity": "error", "message": message.to_string() })
            );
        }
    }
    ExitCode::from(1)
}
