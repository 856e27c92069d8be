//! The diagnostic itself, and the list that collects them.

use crate::{Code, SourceFile, Span};
use std::sync::Arc;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input is wrong or not supported; there is no result.
    Error,
    /// There is a result, but probably not the one that was meant.
    Warning,
}

impl Severity {
    /// The word printed for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// The thread of a launch that a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thread {
    /// The position of its block in the grid.
    pub block: [u32; 3],
    /// Its position in the block.
    pub thread: [u32; 3],
}

/// A place in the source that an input was compiled from, by the input's lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file, as the input names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
    /// The function, if it was inlined at the next place of the list.
    pub function: Option<String>,
}

/// One message about one place of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which entry of the registry explains it.
    pub code: Code,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The place to point at.
    pub span: Span,
    /// What stands at the place, if the message does not say it.
    pub label: Option<String>,
    /// Other places that belong to the story (a declaration, a first use, who else waits).
    pub related: Vec<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
    /// The text that the places are in. A reader or verifier knows one text only and leaves it out.
    pub file: Option<Arc<SourceFile>>,
    /// Who it happened to, if it was found while a kernel ran.
    pub thread: Option<Thread>,
    /// Where the place comes from, the innermost call first, if the input has lines.
    pub source: Vec<Origin>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            label: None,
            related: Vec::new(),
            help: None,
            file: None,
            thread: None,
            source: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Says what stands at the place.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = Some(label.into());
        self
    }

    /// Says which text the places are in.
    pub fn in_file(mut self, file: &Arc<SourceFile>) -> Diagnostic {
        self.file = Some(Arc::clone(file));
        self
    }

    /// Says which thread of a launch it happened to.
    pub fn thread(mut self, block: [u32; 3], thread: [u32; 3]) -> Diagnostic {
        self.thread = Some(Thread { block, thread });
        self
    }

    /// Says where the place comes from.
    pub fn from_source(mut self, source: Vec<Origin>) -> Diagnostic {
        self.source = source;
        self
    }

    /// Names another place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push((span, label.into()));
        self
    }
}

/// A state of [`Diagnostics`] to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    kept: usize,
    kept_errors: usize,
    errors: usize,
    warnings: usize,
}

/// Collects diagnostics. Keeps the first [`Diagnostics::KEPT`] errors and as many warnings, and counts the rest, so
/// that no input can make it grow without bound, and no number of warnings hides an error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// How many of the list are errors.
    kept_errors: usize,
    errors: usize,
    warnings: usize,
}

impl Diagnostics {
    /// How many errors are kept, and how many warnings.
    pub const KEPT: usize = 1000;

    /// An empty list.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let kept_warnings = self.list.len() - self.kept_errors;
        let kept = match diagnostic.severity {
            Severity::Error => {
                self.errors += 1;
                self.kept_errors
            }
            Severity::Warning => {
                self.warnings += 1;
                kept_warnings
            }
        };
        if kept < Diagnostics::KEPT {
            self.kept_errors += usize::from(diagnostic.severity == Severity::Error);
            self.list.push(diagnostic);
        }
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The first error.
    pub fn first_error(&self) -> Option<&Diagnostic> {
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        self.list.iter().find(is_error)
    }

    /// How many errors were pushed, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// How many warnings were pushed, kept or not.
    pub fn warning_count(&self) -> usize {
        self.warnings
    }

    /// How many were pushed but not kept.
    pub fn left_out(&self) -> usize {
        self.errors + self.warnings - self.list.len()
    }

    /// Changes all places, but those in a file that the diagnostic names itself.
    pub fn move_spans(&mut self, to: impl Fn(Span) -> Span) {
        let without_file = |diagnostic: &&mut Diagnostic| diagnostic.file.is_none();
        for diagnostic in self.list.iter_mut().filter(without_file) {
            diagnostic.span = to(diagnostic.span);
            for (span, _) in &mut diagnostic.related {
                *span = to(*span);
            }
        }
    }

    /// Says which text those are about that do not say it themselves.
    pub fn in_file(&mut self, file: &Arc<SourceFile>) {
        for diagnostic in &mut self.list {
            diagnostic.file.get_or_insert_with(|| Arc::clone(file));
        }
    }

    /// Makes errors of all warnings.
    pub fn deny_warnings(&mut self) {
        for diagnostic in &mut self.list {
            diagnostic.severity = Severity::Error;
        }
        self.kept_errors = self.list.len();
        self.errors += std::mem::take(&mut self.warnings);
    }

    /// Whether there is no room for another error: a reader may stop then.
    pub fn is_full(&self) -> bool {
        self.kept_errors >= Diagnostics::KEPT
    }

    /// Where the list stands, for [`Diagnostics::rewind`].
    pub fn mark(&self) -> Mark {
        Mark {
            kept: self.list.len(),
            kept_errors: self.kept_errors,
            errors: self.errors,
            warnings: self.warnings,
        }
    }

    /// Forgets what came after the mark: for readers that try one reading, then another.
    pub fn rewind(&mut self, mark: Mark) {
        self.list.truncate(mark.kept);
        self.kept_errors = mark.kept_errors;
        self.errors = mark.errors;
        self.warnings = mark.warnings;
    }

    /// Those that were kept.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Sorts by place, so that readers which work in several passes report in the file's order.
    pub fn sort_by_place(&mut self) {
        self.list.sort_by_key(|d| (d.span.start, d.span.end));
    }

    /// A list with one.
    pub fn of(diagnostic: Diagnostic) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics
    }

    /// Adds all of another list.
    pub fn append(&mut self, other: Diagnostics) {
        let kept_warnings = other.list.len() - other.kept_errors;
        self.errors += other.errors - other.kept_errors;
        self.warnings += other.warnings - kept_warnings;
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }
}
