//! A module in canonical form, with the comments of its text.
//!
//! ```text
//!   text ──tokens──► comments: what lies between two tokens      ┐
//!   Module ──print──► canonical text, marks: line ◄► place in text ┴──► text with comments
//! ```
//!
//! The parser knows nothing of comments, so reading costs nothing for them. They are found afterwards, between the tokens,
//! and the printer notes for each line which place of the text it came from:
//!
//! - A comment that starts its line goes before the first line that came from something after it.
//! - A comment with something before it on its line stays at the end of the line that this became. Where a `//` comment
//!   is there already, it goes before that line.
//! - One empty line before or after a comment is kept.
//!
//! Formatting the result again gives the same text.

use crate::lex::{Lexer, TokenKind};
use crate::module::Module;
use crate::print::{Mark, print_with_marks};

/// A comment of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'a> {
    /// Offset of its first byte.
    pub start: u32,
    /// All of it, without the end of its line.
    pub text: &'a [u8],
    /// Whether something other than blanks and comments stands before it on its line.
    pub trailing: bool,
    /// Whether an empty line stands before it.
    blank_before: bool,
    /// Whether an empty line stands after it.
    blank_after: bool,
}

impl Comment<'_> {
    /// Whether it goes to the end of its line.
    fn is_line(&self) -> bool {
        !self.text.starts_with(b"/*")
    }
}

/// The module as text in canonical form, with the comments of the text that it was read from.
///
/// ```
/// let text = "// one\n.version 8.0 .target sm_90 .address_size 64 .entry k() { bar.sync 0; // two\n ret; }";
/// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
/// let printed = warpc_ptx::format(&warpc_ptx::parse(&file).unwrap(), file.bytes());
/// let printed = String::from_utf8(printed).unwrap();
/// assert!(printed.starts_with("// one\n.version 8.0\n"), "{printed}");
/// assert!(printed.contains("\tbar.sync 0; // two\n"), "{printed}");
/// ```
pub fn format(module: &Module, source: &[u8]) -> Vec<u8> {
    let (text, marks) = print_with_marks(module);
    let comments = comments(source);
    match comments.is_empty() {
        true => text.into_bytes(),
        false => weave(&text, &marks, &comments),
    }
}

/// The comments of a text, in order. The line markers of preprocessors (`# 12 "file"`) count as such.
pub fn comments(source: &[u8]) -> Vec<Comment<'_>> {
    let mut found = Vec::new();
    let mut lexer = Lexer::new(source);
    let mut end = 0;
    loop {
        let token = lexer.next_token();
        // What is never closed is not a comment: it is an error.
        if token.kind == TokenKind::Unclosed {
            return found;
        }
        gap(source, end, token.span.start as usize, &mut found);
        if token.kind == TokenKind::End {
            return found;
        }
        end = token.span.end as usize;
    }
}

/// The comments between two tokens.
fn gap<'a>(source: &'a [u8], from: usize, to: usize, found: &mut Vec<Comment<'a>>) {
    let first = found.len();
    let mut newlines = 0;
    // Whether a token stands before on this line.
    let mut trailing = from > 0;
    let mut at = from;
    while at < to {
        let rest = &source[at..to];
        let len = match rest {
            [b'/', b'*', inner @ ..] => {
                memchr::memmem::find(inner, b"*/").map_or(rest.len(), |i| i + 4)
            }
            [b'/', b'/', ..] | [b'#', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'\n', ..] => {
                newlines += 1;
                trailing = false;
                at += 1;
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        if let Some(last) = found[first..].last_mut() {
            last.blank_after = newlines > 1;
        }
        found.push(Comment {
            start: at as u32,
            text: rest[..len].trim_ascii_end(),
            // A line marker belongs to what follows.
            trailing: trailing && rest[0] != b'#',
            blank_before: newlines > 1,
            blank_after: false,
        });
        newlines = 0;
        at += len;
    }
    if let Some(last) = found[first..].last_mut() {
        last.blank_after = newlines > 1;
    }
}

/// A line of the canonical text and the comments that go with it.
#[derive(Default)]
struct Line<'c, 'a> {
    before: Vec<&'c Comment<'a>>,
    after: Vec<&'c Comment<'a>>,
}

fn weave(text: &str, marks: &[Mark], comments: &[Comment<'_>]) -> Vec<u8> {
    let lines: Vec<&str> = text.lines().collect();
    let mut woven: Vec<Line<'_, '_>> = Vec::new();
    woven.resize_with(lines.len() + 1, Line::default);
    // The line of each mark, and the places in order: a declaration of several names is printed as several.
    let mut line = 0;
    let mut line_end = lines.first().map_or(0, |line| line.len());
    let mut latest = 0;
    let mut places: Vec<(u32, usize)> = Vec::with_capacity(marks.len());
    for mark in marks {
        while mark.offset > line_end {
            line += 1;
            line_end += 1 + lines.get(line).map_or(0, |line| line.len());
        }
        latest = latest.max(mark.source);
        places.push((latest, line));
    }
    for comment in comments {
        let next = places.partition_point(|(source, _)| *source <= comment.start);
        let line = match next.checked_sub(1) {
            Some(last) if comment.trailing => places[last].1,
            _ => places.get(next).map_or(lines.len(), |(_, line)| *line),
        };
        let woven = &mut woven[line];
        let is_full = woven.after.last().is_some_and(|last| last.is_line());
        match comment.trailing && next > 0 && !is_full {
            true => woven.after.push(comment),
            false => woven.before.push(comment),
        }
    }
    let mut out =
        Vec::with_capacity(text.len() + comments.iter().map(|c| c.text.len() + 2).sum::<usize>());
    for (line, woven) in lines.iter().chain([&""]).zip(&woven) {
        let mut indent = line.len() - line.trim_start_matches('\t').len();
        // What stands before a closing brace belongs inside.
        indent += usize::from(line.trim_start().starts_with('}'));
        for (i, comment) in woven.before.iter().enumerate() {
            if comment.blank_before {
                empty_line(&mut out);
            }
            if comment.text[0] != b'#' {
                out.resize(out.len() + indent, b'\t');
            }
            out.extend_from_slice(comment.text);
            out.push(b'\n');
            if comment.blank_after && (i + 1 < woven.before.len() || !line.is_empty()) {
                empty_line(&mut out);
            }
        }
        out.extend_from_slice(line.as_bytes());
        for comment in &woven.after {
            out.push(b' ');
            out.extend_from_slice(comment.text);
        }
        out.push(b'\n');
    }
    // The line after the last is there for its comments only.
    out.pop();
    out
}

/// Leaves one empty line, unless there is one or nothing stands before it.
fn empty_line(out: &mut Vec<u8>) {
    if !out.is_empty() && !out.ends_with(b"\n\n") {
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::SourceFile;

    fn formatted(text: &str) -> String {
        let file = SourceFile::new("k.ptx", text).expect("a short text");
        let parsed = crate::parse(&file);
        assert!(!parsed.diagnostics.has_errors(), "{:?}", parsed.diagnostics);
        String::from_utf8(format(parsed.value.as_ref().unwrap(), file.bytes())).expect("ASCII")
    }

    #[test]
    fn comments_stay_where_they_belong() {
        let text = "\
// The first line.
// run: --grid 1 --block 1 \\
//   --arg u32=7

/* Two
   lines. */
.version 8.0 // the version
# 12 \"x.cu\"
.target sm_90 .address_size 64 // and its end

// A variable.
.global .b32 x, /* the second */ y; // both

// The kernel.
.entry k( // head
  .param .u32 a, // first
  // before the second
  .param .u32 b
) // after the list
// before the brace
{ // open
  // declares
  .reg .b32 %r<3>;
  ld.param.u32 /* from a */ %r1, [a];

  // A paragraph.
again: // a label
  add.u32 %r2, // one
    %r1, // two
    1; { /* inner */ ret; } // inner end
  // the last
} // close
// the end";
        let wanted = "\
// The first line.
// run: --grid 1 --block 1 \\
//   --arg u32=7

/* Two
   lines. */
.version 8.0 // the version
# 12 \"x.cu\"
.target sm_90
.address_size 64 // and its end

// A variable.
.global .b32 x; /* the second */
.global .b32 y; // both

// The kernel.
.entry k( // head
\t.param .u32 a, // first
\t// before the second
\t.param .u32 b
) // after the list
// before the brace
{ // open
\t// declares
\t.reg .b32 %r<3>;
\tld.param.u32 %r1, [a]; /* from a */

// A paragraph.
again: // a label
\t// two
\tadd.u32 %r2, %r1, 1; // one
\t{ /* inner */
\t\tret;
\t} // inner end
\t// the last
} // close
// the end
";
        let once = formatted(text);
        assert_eq!(once, wanted);
        assert_eq!(formatted(&once), once);
    }

    #[test]
    fn comments_need_not_be_utf8() {
        let text = b"// \xff\n.version 8.0\n.target sm_90 // \xfe\r\n".to_vec();
        let file = SourceFile::new("k.ptx", text).expect("a short text");
        let printed = format(&crate::parse(&file).unwrap(), file.bytes());
        assert_eq!(printed, b"// \xff\n.version 8.0\n.target sm_90 // \xfe\n");
    }

    #[test]
    fn without_comments_it_is_the_plain_print() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { ret; }";
        let file = SourceFile::new("k.ptx", text).expect("a short text");
        let module = crate::parse(&file).unwrap();
        assert_eq!(
            format(&module, file.bytes()),
            crate::print(&module).as_bytes()
        );
    }
}
