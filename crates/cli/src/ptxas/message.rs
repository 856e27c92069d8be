//! What is said in the words that callers of ptxas look for.

use std::fmt::Display;
use warpc::{Diagnostics, Severity};
use warpc_diag::SourceFile;
use warpc_target::PtxVersion;

/// Says things on standard error.
pub struct Messages {
    no_warnings: bool,
    deny_warnings: bool,
    has_errors: bool,
    /// What was said, where nobody is told.
    kept: Option<String>,
}

impl Messages {
    /// To standard error.
    pub fn new() -> Messages {
        Messages {
            no_warnings: false,
            deny_warnings: false,
            has_errors: false,
            kept: None,
        }
    }

    /// To a text.
    #[cfg(test)]
    pub fn kept() -> Messages {
        Messages {
            kept: Some(String::new()),
            ..Messages::new()
        }
    }

    /// The text.
    #[cfg(test)]
    pub fn text(&self) -> &str {
        self.kept.as_deref().unwrap_or_default()
    }

    /// From now on warnings are not said.
    pub fn say_no_warnings(&mut self) {
        self.no_warnings = true;
    }

    /// From now on warnings are errors.
    pub fn deny_warnings(&mut self) {
        self.deny_warnings = true;
    }

    /// Whether something was wrong.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// A line as it is.
    pub fn line(&mut self, text: impl Display) {
        match &mut self.kept {
            Some(kept) => kept.push_str(&format!("{text}\n")),
            None => crate::report::say(text),
        }
    }

    /// Information.
    pub fn info(&mut self, text: impl Display) {
        self.line(format_args!("ptxas info    : {text}"));
    }

    /// A warning.
    pub fn warning(&mut self, text: impl Display) {
        match (self.no_warnings, self.deny_warnings) {
            (true, _) => {}
            (false, true) => self.error(text),
            (false, false) => self.line(format_args!("ptxas warning : {text}")),
        }
    }

    /// An error.
    pub fn error(&mut self, text: impl Display) {
        self.has_errors = true;
        self.line(format_args!("ptxas error   : {text}"));
    }

    /// An error after which nothing is done.
    pub fn fatal(&mut self, text: impl Display) {
        self.has_errors = true;
        self.line(format_args!("ptxas fatal   : {text}"));
    }

    /// The line after errors of an input.
    pub fn aborted(&mut self) {
        self.fatal("Ptx assembly aborted due to errors");
    }

    /// The diagnostics of an input.
    pub fn diagnostics(&mut self, file: &SourceFile, diagnostics: &Diagnostics) {
        for one in diagnostics.as_slice() {
            let is_error = one.severity == Severity::Error;
            if !is_error && self.no_warnings {
                continue;
            }
            let is_error = is_error || self.deny_warnings;
            let file = one.file.as_deref().unwrap_or(file);
            let (name, line) = (file.name(), file.position(one.span.start).line);
            let word = if is_error { "error  " } else { "warning" };
            let message = &one.message;
            self.has_errors |= is_error;
            // Callers look for these words to see that they write PTX that is too new.
            if let Some(version) = message.strip_prefix("there is no PTX version ") {
                let newest = PtxVersion::LATEST;
                self.line(format_args!("ptxas {name}, line {line}; fatal   : Unsupported .version {version}; current version is '{newest}'"));
                continue;
            }
            self.line(format_args!(
                "ptxas {name}, line {line}; {word} : {message}"
            ));
            if let Some(help) = &one.help {
                self.line(format_args!("    {help}"));
            }
        }
    }
}
