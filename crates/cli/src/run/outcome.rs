//! How a launch ended.

use crate::{MessageFormat, report};
use std::process::ExitCode;
use std::time::Duration;
use warpc_diag::{Code, Diagnostics, SourceFile, codes};
use warpc_request::{Difference, Refusal};
use warpc_sim::{Report, Shape};

/// A launch that came to its end.
pub struct Outcome<'m> {
    /// What ran.
    pub shape: Shape<'m>,
    /// Where, in words.
    pub place: String,
    /// The chip.
    pub chip: String,
    /// How long.
    pub time: Duration,
    /// The buffers afterwards, in the request's order.
    pub buffers: Vec<Vec<u8>>,
    /// What the emulator counted.
    pub counts: Option<Report>,
}

/// A launch that could not be made, did not come to its end, or ended otherwise than expected.
pub enum Failure {
    /// The request is wrong, or the kernel faulted: messages with their places.
    Refused(Vec<Refusal>),
    /// Something that has no place in a text.
    Plain {
        code: Code,
        message: String,
        help: String,
    },
    /// The results are others than expected.
    Unexpected(Vec<Difference>),
}

impl Failure {
    /// Messages about places of a file.
    pub fn at(file: &SourceFile, diagnostics: Diagnostics) -> Failure {
        Failure::Refused(vec![Refusal {
            file: file.clone(),
            diagnostics,
        }])
    }

    /// A message without a place.
    pub fn plain(code: Code, message: impl ToString, help: impl ToString) -> Failure {
        Failure::Plain {
            code,
            message: message.to_string(),
            help: help.to_string(),
        }
    }

    /// Says it on standard error.
    pub fn print(&self, format: MessageFormat) -> ExitCode {
        match self {
            Failure::Refused(refusals) => {
                for refusal in refusals {
                    report::diagnostics(&refusal.file, &refusal.diagnostics, format);
                }
            }
            Failure::Plain {
                code,
                message,
                help,
            } => report::failure_with_code(*code, message, help, format),
            Failure::Unexpected(differences) => {
                for difference in differences {
                    report::failure_with_code(codes::UNEXPECTED, difference, "", format);
                }
            }
        }
        ExitCode::from(1)
    }
}
