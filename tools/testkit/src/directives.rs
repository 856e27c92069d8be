//! File tests: what to do with a file, and what is expected of that, in comments of the file itself.
//!
//! ```text
//! // test: check                     a command, alone on its line; `;` instead of `//` in LLVM IR
//! add.s32 %r1, %r2;  // error: TEXT  a message about this line must contain TEXT; `warning:` likewise
//!                    // error@7: A | B   the column too; ` | ` separates several messages
//! // expect ptx:                     the lines after it are the whole output, each as a comment
//! ```
//!
//! With `WARPC_BLESS` the blocks of expected output are written instead of compared.

use crate::project;
use std::fmt::Write;
use std::path::Path;

/// How a language marks a comment up to the end of the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comment {
    /// `//`: PTX, machine code.
    Slashes,
    /// `;`: LLVM IR.
    Semicolon,
}

impl Comment {
    /// The characters that begin a comment.
    pub fn mark(self) -> &'static str {
        match self {
            Comment::Slashes => "//",
            Comment::Semicolon => ";",
        }
    }

    /// The texts of the directives with a name, each alone on a line: `// NAME: TEXT`.
    pub fn values<'t>(self, text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
        text.lines().filter_map(move |line| self.value(line, name))
    }

    /// The text of a line that is a directive with a name.
    pub fn value<'t>(self, line: &'t str, name: &str) -> Option<&'t str> {
        let rest = line.strip_prefix(self.mark())?.strip_prefix(' ')?;
        rest.strip_prefix(name)?.strip_prefix(':').map(str::trim)
    }
}

/// How much a message matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// The input is taken.
    Warning,
}

impl Severity {
    fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A message that a line expects.
#[derive(Clone, Copy, Debug)]
struct Expected<'t> {
    /// The line, from 1 on.
    line: usize,
    severity: Severity,
    column: Option<usize>,
    /// What the message contains.
    text: &'t str,
    came: bool,
}

/// The messages that the lines of a file expect.
#[derive(Clone, Debug)]
pub struct Messages<'t> {
    expected: Vec<Expected<'t>>,
    report: String,
}

impl<'t> Messages<'t> {
    /// The expected messages of a text.
    pub fn of(text: &'t str, comment: Comment) -> Messages<'t> {
        let mut expected = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            for severity in [Severity::Error, Severity::Warning] {
                expect(line, number, comment, severity, &mut expected);
            }
        }
        Messages {
            expected,
            report: String::new(),
        }
    }

    /// Whether no line expects a message.
    pub fn is_empty(&self) -> bool {
        self.expected.is_empty()
    }

    /// Whether a line expects an error.
    pub fn has_errors(&self) -> bool {
        let mut all = self.expected.iter();
        all.any(|expected| expected.severity == Severity::Error)
    }

    /// A message has come; one that no line expects goes into the report.
    pub fn came(&mut self, severity: Severity, line: usize, column: usize, message: &str) {
        let fits = |expected: &&mut Expected<'_>| {
            expected.line == line
                && expected.severity == severity
                && expected.column.is_none_or(|wanted| wanted == column)
                && message.contains(expected.text)
        };
        match self.expected.iter_mut().find(fits) {
            Some(expected) => expected.came = true,
            None => {
                let severity = severity.name();
                let _ = writeln!(self.report, "{line}:{column}: {severity}: {message}");
            }
        }
    }

    /// What was not expected, and what was and did not come. Empty if all is as it should be.
    pub fn report(mut self) -> String {
        for expected in self.expected.iter().filter(|expected| !expected.came) {
            let (severity, line, text) = (expected.severity.name(), expected.line, expected.text);
            let _ = writeln!(
                self.report,
                "line {line}: the {severity} `{text}` did not come"
            );
        }
        self.report
    }
}

/// Adds `error: A | B` or `error@COLUMN: A | B` in a comment, up to the next comment.
fn expect<'t>(
    line: &'t str,
    number: usize,
    comment: Comment,
    severity: Severity,
    all: &mut Vec<Expected<'t>>,
) {
    let mark = format!("{} {}", comment.mark(), severity.name());
    let Some((_, rest)) = line.split_once(&mark) else {
        return;
    };
    let (column, texts) = match rest.strip_prefix('@').map(|rest| rest.split_once(':')) {
        Some(Some((column, texts))) => (column.parse().ok(), texts),
        Some(None) => return,
        None => match rest.strip_prefix(':') {
            Some(texts) => (None, texts),
            None => return,
        },
    };
    let next = format!(" {} ", comment.mark());
    let texts = texts.split(next.as_str()).next().unwrap_or_default();
    all.extend(texts.split(" | ").map(|text| Expected {
        line: number,
        severity,
        column,
        text: text.trim(),
        came: false,
    }));
}

/// What of an expected output must be equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equal {
    /// All but spaces at the ends of lines.
    Exactly,
    /// The lines, without their indentation and without empty ones.
    Lines,
}

/// Compares an output with the block `// expect KIND:` at the end of a file, or writes the block when
/// tests bless. A file without the block expects nothing; see [`has_block`].
pub fn compare_block(
    path: &Path,
    text: &str,
    (comment, kind): (Comment, &str),
    equal: Equal,
    output: &str,
) -> Result<(), String> {
    let head = block_head(comment, kind);
    let (input, block) = text.split_once(&head).unwrap_or((text, ""));
    let mark = comment.mark();
    let expected: Vec<&str> = block
        .lines()
        .skip(1)
        .map(|line| {
            let line = line.strip_prefix(mark).unwrap_or(line);
            line.strip_prefix(' ').unwrap_or(line)
        })
        .collect();
    if plain(expected.iter().copied(), equal) == plain(output.lines(), equal) {
        return Ok(());
    }
    if project::blesses() {
        let comments: String = output
            .lines()
            .map(|line| format!("{}\n", format!("{mark} {line}").trim_end()))
            .collect();
        let blessed = format!("{}\n\n{head}\n{comments}", input.trim_end());
        return std::fs::write(path, blessed).map_err(|error| error.to_string());
    }
    let expected = expected.join("\n");
    Err(format!("wanted:\n{expected}\n\ngot:\n{output}"))
}

/// Whether a file has a block `// expect KIND:`.
pub fn has_block(text: &str, comment: Comment, kind: &str) -> bool {
    text.contains(&block_head(comment, kind))
}

fn block_head(comment: Comment, kind: &str) -> String {
    format!("{} expect {kind}:", comment.mark())
}

fn plain<'t>(lines: impl Iterator<Item = &'t str>, equal: Equal) -> Vec<&'t str> {
    let mut lines: Vec<&str> = match equal {
        Equal::Exactly => lines.map(str::trim_end).collect(),
        Equal::Lines => lines
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect(),
    };
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// test: check\n\
        a; // error@3: one | two // more\n\
        b; // warning: three\n\
        c; // errors are not directive\n";

    fn messages() -> Messages<'static> {
        Messages::of(TEXT, Comment::Slashes)
    }

    #[test]
    fn directives_are_found() {
        let values: Vec<&str> = Comment::Slashes.values(TEXT, "test").collect();
        assert_eq!(values, ["check"]);
        assert_eq!(
            Comment::Semicolon
                .values("; run: x\n ; run: y", "run")
                .count(),
            1
        );
    }

    #[test]
    fn messages_that_come_are_fine() {
        let mut messages = messages();
        assert!(messages.has_errors());
        messages.came(Severity::Error, 2, 3, "is two");
        messages.came(Severity::Error, 2, 3, "is one");
        messages.came(Severity::Warning, 3, 9, "three");
        assert_eq!(messages.report(), "");
    }

    #[test]
    fn other_messages_are_reported() {
        let mut messages = messages();
        messages.came(Severity::Error, 2, 4, "one");
        messages.came(Severity::Error, 3, 1, "three");
        messages.came(Severity::Warning, 3, 1, "three");
        let report = messages.report();
        let lines: Vec<&str> = report.lines().collect();
        let wanted = [
            "2:4: error: one",
            "3:1: error: three",
            "line 2: the error `one` did not come",
            "line 2: the error `two` did not come",
        ];
        assert_eq!(lines, wanted);
    }

    #[test]
    fn blocks_are_compared() {
        let path = Path::new("not written");
        let text = "a\n\n; expect ll:\n; one\n;\n;   two\n";
        let compare = |equal, output: &str| {
            compare_block(path, text, (Comment::Semicolon, "ll"), equal, output).is_ok()
        };
        assert!(compare(Equal::Exactly, "one\n\n  two\n"));
        assert!(!compare(Equal::Exactly, "one\n\ntwo\n"));
        assert!(compare(Equal::Lines, "one\ntwo\n"));
        assert!(!compare(Equal::Lines, "one\ntwo\nthree\n"));
        assert!(has_block(text, Comment::Semicolon, "ll"));
        assert!(!has_block(text, Comment::Semicolon, "ptx"));
    }
}
