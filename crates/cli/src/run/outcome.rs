//! How a launch ended.

use super::progress::Bar;
use crate::{MessageFormat, report};
use std::sync::Arc;
use warpc::Observer;
use warpc_diag::{Code, Diagnostics, codes};
use warpc_request::{Difference, Request};
use warpc_sim::Progress;
use warpc_sim::trace::Trace;

/// Shows how far a launch is, and what it printed before it failed.
pub struct Watch<'r> {
    request: &'r Request,
    format: MessageFormat,
    bar: Option<Bar>,
    /// What was recorded of each launch.
    pub traces: Vec<Trace>,
}

impl<'r> Watch<'r> {
    pub fn new(request: &'r Request, format: MessageFormat) -> Watch<'r> {
        Watch {
            request,
            format,
            bar: None,
            traces: Vec::new(),
        }
    }
}

impl Observer for Watch<'_> {
    fn running(&mut self, progress: Arc<Progress>) {
        self.bar = Some(Bar::follow(progress));
    }

    fn stopped(&mut self) {
        self.bar = None;
    }

    fn traced(&mut self, trace: &Trace) {
        self.traces.push(trace.clone());
    }

    fn printed(&mut self, text: &[u8]) {
        super::report::output_before_failure(self.request, text, self.format);
    }
}

/// A launch that could not be made, did not come to its end, or ended otherwise than expected.
pub enum Failure {
    /// The request is wrong, or the kernel faulted: messages with their places.
    Refused(Diagnostics),
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
    /// A message without a place.
    pub fn plain(code: Code, message: impl ToString, help: impl ToString) -> Failure {
        Failure::Plain {
            code,
            message: message.to_string(),
            help: help.to_string(),
        }
    }

    /// Says it on standard error; whether it is more than a warning.
    pub fn print(&self, format: MessageFormat) -> bool {
        match self {
            Failure::Refused(found) => {
                return report::known_diagnostics(found, format);
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
        true
    }
}
