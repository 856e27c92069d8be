//! How a launch ended.

use crate::{MessageFormat, report};
use std::process::ExitCode;
use std::time::Duration;
use warpc::{Input, Kind};
use warpc_diag::{Code, Diagnostics, SourceFile, Span, codes};
use warpc_request::Difference;
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
    Refused(SourceFile, Diagnostics),
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
        Failure::Refused(file.clone(), diagnostics)
    }

    /// A message without a place.
    pub fn plain(code: Code, message: impl ToString, help: impl ToString) -> Failure {
        Failure::Plain {
            code,
            message: message.to_string(),
            help: help.to_string(),
        }
    }

    /// The same, with places of instructions widened from their first letter to all of them: that is all that the code
    /// made of LLVM IR or MLIR remembers.
    pub fn in_source(mut self, input: &Input) -> Failure {
        if input.kind != Kind::Ptx
            && let Failure::Refused(file, diagnostics) = &mut self
            && file.name() == input.file.name()
        {
            diagnostics.move_spans(|span| statement(&input.file, span));
        }
        self
    }

    /// Says it on standard error.
    pub fn print(&self, format: MessageFormat) -> ExitCode {
        match self {
            Failure::Refused(file, diagnostics) => {
                report::diagnostics(file, diagnostics, format);
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

/// From a place to the end of the statement there, without what is said about it: metadata, locations, comments.
fn statement(file: &SourceFile, span: Span) -> Span {
    // Nowhere in particular.
    if span.start == span.end {
        return span;
    }
    let rest = file.slice(Span::new(span.start, u32::MAX));
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
    let line = String::from_utf8_lossy(line);
    let ends = [", !", " ;", " loc(", " //"];
    let end = ends.iter().filter_map(|mark| line.find(mark)).min();
    let text = line[..end.unwrap_or(line.len())]
        .trim_end()
        .trim_end_matches('{');
    Span::new(span.start, span.start + text.trim_end().len().max(1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_shown_whole() {
        let text = "  %x = load i32, ptr %p, !dbg !3\n  ret void ; the end\ndefine void @f() {\n";
        let file = SourceFile::new("k.ll", text).expect("a short text");
        let shown = |start: u32| {
            let span = statement(&file, Span::new(start, start + 1));
            String::from_utf8_lossy(file.slice(span)).into_owned()
        };
        assert_eq!(shown(2), "%x = load i32, ptr %p");
        assert_eq!(shown(35), "ret void");
        assert_eq!(shown(54), "define void @f()");
        assert_eq!(shown(500), "");
    }
}
