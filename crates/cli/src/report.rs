//! Diagnostics and failures on standard error.

use crate::MessageFormat;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use warpc_diag::{Code, Diagnostics, SourceFile, render_human, render_json};

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

/// Writes what was made to a file, or to standard output for none and for `-`.
pub fn output(made: impl AsRef<[u8]>, path: Option<&str>, format: MessageFormat) -> ExitCode {
    let written = match path {
        None | Some("-") => std::io::stdout().write_all(made.as_ref()),
        Some(path) => std::fs::write(path, made),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads from us stopped reading; that is no failure of ours.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => failure(
            &format_args!("{}: {error}", path.unwrap_or("standard output")),
            format,
        ),
    }
}

/// Prints a failure that has a code, but belongs to no place of a file.
pub fn failure_with_code(
    code: Code,
    message: &dyn std::fmt::Display,
    help: &str,
    format: MessageFormat,
) {
    let help = (!help.is_empty()).then_some(help);
    match format {
        MessageFormat::Human => {
            let bold = |text: String, colour: &str| match std::io::stderr().is_terminal() {
                true => format!("\x1b[1;{colour}m{text}\x1b[0m"),
                false => text,
            };
            let head = bold(format!("error[{}]", code.0), "91");
            eprintln!("{head}: {message}");
            if let Some(line) = help {
                eprintln!("  = help: {line}");
            }
            eprintln!();
        }
        MessageFormat::Json => {
            let mut object = serde_json::json!({
                "severity": "error",
                "code": code.0,
                "message": message.to_string(),
            });
            if let Some(help) = help {
                object["help"] = help.into();
            }
            eprintln!("{object}");
        }
    }
}
