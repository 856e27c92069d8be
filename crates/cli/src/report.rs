//! What goes to standard error, and outputs to where they were asked for.
//!
//! Whoever reads from us may stop at any time (`warpc … 2>&1 | head`): that is not a failure of ours, so nothing here
//! panics or complains about a closed pipe.

use crate::MessageFormat;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use warpc_diag::{Code, Diagnostics, SourceFile, render_human, render_json};

/// When to colour the output.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How the command line wants to be told things.
#[derive(Clone, Copy, Default)]
pub struct Manner {
    /// When to colour the output.
    pub colour: Colour,
    /// Warnings are errors.
    pub deny_warnings: bool,
    /// Say what is done.
    pub verbose: bool,
}

/// Set once, by `main`.
static MANNER: OnceLock<Manner> = OnceLock::new();

/// Says how things are told. The first call counts.
pub fn set_manner(manner: Manner) {
    let _ = MANNER.set(manner);
}

fn manner() -> Manner {
    MANNER.get().copied().unwrap_or_default()
}

/// Whether texts to a stream have colours.
pub fn colours(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match manner().colour {
        Colour::Auto => !refused && stream.is_terminal(),
        Colour::Always => true,
        Colour::Never => false,
    }
}

thread_local! {
    /// What this thread says, while it is kept.
    static KEPT: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Does work that says things, and gives what it said instead of writing it: work on several threads is told of in order.
pub fn kept<T>(work: impl FnOnce() -> T) -> (T, Vec<u8>) {
    KEPT.set(Some(Vec::new()));
    let done = work();
    (done, KEPT.take().unwrap_or_default())
}

/// Writes to standard error, or keeps it.
pub fn say_bytes(bytes: &[u8]) {
    KEPT.with_borrow_mut(|kept| match kept {
        Some(kept) => kept.extend_from_slice(bytes),
        // Nobody is left to tell when standard error is closed.
        None => {
            let _ = std::io::stderr().write_all(bytes);
        }
    });
}

/// Writes a line to standard error.
pub fn say(text: impl std::fmt::Display) {
    say_bytes(format!("{text}\n").as_bytes());
}

/// Says what is done, if that was asked for.
pub fn note(message: &dyn std::fmt::Display, format: MessageFormat) {
    if manner().verbose {
        say(match format {
            MessageFormat::Human => format!("note: {message}"),
            MessageFormat::Json => {
                serde_json::json!({ "severity": "note", "message": message.to_string() })
                    .to_string()
            }
        });
    }
}

/// Prints diagnostics of one file. Whether there are errors among them, as which warnings count if that was asked for:
/// what was made is not to be used then.
pub fn diagnostics(file: &SourceFile, diagnostics: &Diagnostics, format: MessageFormat) -> bool {
    let mut diagnostics = Cow::Borrowed(diagnostics);
    if manner().deny_warnings {
        diagnostics.to_mut().deny_warnings();
    }
    let text = match format {
        MessageFormat::Human => render_human(file, &diagnostics, colours(&std::io::stderr())),
        MessageFormat::Json => render_json(file, &diagnostics),
    };
    say_bytes(text.as_bytes());
    diagnostics.has_errors()
}

/// The same for diagnostics that all know their files.
pub fn known_diagnostics(found: &Diagnostics, format: MessageFormat) -> bool {
    let nameless = SourceFile::new("", "").expect("an empty text is short");
    diagnostics(&nameless, found, format)
}

/// Prints a failure that belongs to no place of a file.
pub fn failure(message: &dyn std::fmt::Display, format: MessageFormat) -> ExitCode {
    say(match format {
        MessageFormat::Human => format!("{}: {message}", heading("error")),
        MessageFormat::Json => {
            serde_json::json!({ "severity": "error", "message": message.to_string() }).to_string()
        }
    });
    ExitCode::from(1)
}

/// The word that a failure starts with.
fn heading(text: &str) -> String {
    match colours(&std::io::stderr()) {
        true => format!("\x1b[1;91m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}

/// Writes what was made to a file, or to standard output for none and for `-`.
pub fn output(made: impl AsRef<[u8]>, path: Option<&Path>, format: MessageFormat) -> ExitCode {
    let path = path.filter(|path| *path != Path::new("-"));
    let written = match path {
        None => {
            let mut stdout = std::io::stdout();
            stdout
                .write_all(made.as_ref())
                .and_then(|()| stdout.flush())
        }
        Some(path) => std::fs::write(path, made),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads from us stopped reading.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let name = path.map_or("standard output".into(), |path| path.to_string_lossy());
            failure(&format_args!("{name}: {error}"), format)
        }
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
            let mut text = format!("{}: {message}\n", heading(&format!("error[{}]", code.0)));
            if let Some(line) = help {
                text.push_str(&format!("  = help: {line}\n"));
            }
            say(text);
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
            say(object);
        }
    }
}
