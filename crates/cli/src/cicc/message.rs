//! What is said in the form of libNVVM, which cicc has its messages from.

use std::fmt::Display;
use warpc::{Diagnostics, Severity};
use warpc_diag::{Code, codes};

/// The statuses of cicc are libNVVM's results: a version of NVVM IR that does not fit, and a module that is wrong.
const VERSION_MISMATCH: u8 = 3;
const BROKEN_MODULE: u8 = 9;

/// What LLVM and NVVM's tools end with when a module breaks a rule.
const BROKEN: &str = "Broken module found, compilation aborted!";

/// The codes of rules that a module breaks: those of LLVM's verifier, and of NVVM's.
fn is_rule(code: Code) -> bool {
    ("W0811"..="W0823").contains(&code.0) || ("W0831"..="W0835").contains(&code.0)
}

/// Says things on standard error.
#[derive(Default)]
pub struct Messages {
    /// The status that what was said means; none for one of no number.
    pub status: Option<u8>,
    /// Warnings are not said.
    pub no_warnings: bool,
    /// Warnings are errors.
    pub deny_warnings: bool,
    /// What was said, where nobody is told.
    #[cfg(test)]
    pub kept: Option<String>,
}

impl Messages {
    fn line(&mut self, text: impl Display) {
        #[cfg(test)]
        if let Some(kept) = &mut self.kept {
            kept.push_str(&format!("{text}\n"));
            return;
        }
        crate::report::say(text);
    }

    /// Something wrong with the command line.
    pub fn option(&mut self, text: impl Display) {
        self.line(format_args!("libnvvm : error: {text}"));
    }

    /// An error of no place.
    pub fn error(&mut self, text: impl Display) {
        self.line(format_args!("error: {text}"));
    }

    /// The diagnostics of inputs. Whether there are errors among them.
    pub fn diagnostics(&mut self, diagnostics: &Diagnostics) -> bool {
        let mut has_errors = false;
        let mut is_broken = false;
        for one in diagnostics.as_slice() {
            let is_error = one.severity == Severity::Error || self.deny_warnings;
            if !is_error && self.no_warnings {
                continue;
            }
            has_errors |= is_error;
            if one.severity == Severity::Error && is_rule(one.code) {
                is_broken = true;
                let status = match one.code == codes::NVVM_VERSION {
                    true => VERSION_MISMATCH,
                    false => BROKEN_MODULE,
                };
                self.status.get_or_insert(status);
            }
            let word = if is_error { "error" } else { "warning" };
            let message = &one.message;
            match &one.file {
                Some(file) if one.span != warpc_diag::Span::NOWHERE => {
                    let at = file.position(one.span.start);
                    let place =
                        format_args!("{} ({}, {})", file.name(), at.line, at.column).to_string();
                    self.line(format_args!("{place}: {word}: {message}"));
                }
                Some(file) => self.line(format_args!("{}: {word}: {message}", file.name())),
                None => self.line(format_args!("{word}: {message}")),
            }
            if let Some(help) = &one.help {
                self.line(format_args!("    {help}"));
            }
        }
        if is_broken {
            self.error(BROKEN);
        }
        has_errors
    }
}
