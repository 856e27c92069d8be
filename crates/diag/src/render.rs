//! Diagnostics as text for people and as JSON for programs.

use crate::{Diagnostic, Diagnostics, Severity, SourceFile, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use std::fmt::Write;

/// How many errors are shown, and how many warnings; the rest is counted in a last line.
pub const MAX_SHOWN: usize = 20;

/// How much of a source line is shown. A generated file may have a line of megabytes.
const MAX_EXCERPT: usize = 4096;

/// Those that are shown: the first errors and the first warnings, in their order.
fn shown(diagnostics: &Diagnostics) -> impl Iterator<Item = &Diagnostic> {
    let (mut errors, mut warnings) = (0, 0);
    diagnostics.as_slice().iter().filter(move |diagnostic| {
        let seen = match diagnostic.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
        };
        *seen += 1;
        *seen <= MAX_SHOWN
    })
}

/// The diagnostics as rustc prints them, each followed by an empty line.
pub fn render_human(file: &SourceFile, diagnostics: &Diagnostics, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for diagnostic in shown(diagnostics) {
        out.push_str(&render_one(file, diagnostic, &renderer));
        out.push_str("\n\n");
    }
    let hidden = |count: usize, what: &str| match count.saturating_sub(MAX_SHOWN) {
        0 => None,
        1 => Some(format!("1 more {what}")),
        hidden => Some(format!("{hidden} more {what}s")),
    };
    let hidden = [
        hidden(diagnostics.error_count(), "error"),
        hidden(diagnostics.warning_count(), "warning"),
    ];
    let hidden: Vec<String> = hidden.into_iter().flatten().collect();
    if !hidden.is_empty() {
        let _ = writeln!(out, "... and {} not shown\n", hidden.join(" and "));
    }
    out
}

fn render_one(file: &SourceFile, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let main = Excerpt::new(file, diagnostic.span);
    let label = diagnostic.label.as_deref().unwrap_or("");
    let mut snippet = Snippet::source(&*main.text)
        .line_start(main.line)
        .path(file.name())
        .annotation(
            AnnotationKind::Primary
                .span(main.range.clone())
                .label(label),
        );
    let related: Vec<_> = diagnostic
        .related
        .iter()
        .map(|(span, label)| (Excerpt::new(file, *span), label))
        .collect();
    let mut group = Group::with_title(
        level
            .primary_title(&*diagnostic.message)
            .id(diagnostic.code.0),
    );
    let is_here = |excerpt: &Excerpt| excerpt.line == main.line && excerpt.text == main.text;
    for (excerpt, label) in related.iter().filter(|(excerpt, _)| is_here(excerpt)) {
        snippet = snippet.annotation(excerpt.context(label));
    }
    group = group.element(snippet);
    for (excerpt, label) in related.iter().filter(|(excerpt, _)| !is_here(excerpt)) {
        group = group.element(
            Snippet::source(&*excerpt.text)
                .line_start(excerpt.line)
                .path(file.name())
                .annotation(excerpt.context(label)),
        );
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    renderer.render(&[group])
}

/// The part of the source that is shown for a span, as UTF-8, with the span inside it.
struct Excerpt {
    text: String,
    line: usize,
    range: std::ops::Range<usize>,
}

impl Excerpt {
    fn new(file: &SourceFile, span: Span) -> Excerpt {
        let (mut from, mut bytes) = file.lines_around(span);
        let mut start = (span.start as usize).clamp(from, from + bytes.len()) - from;
        if bytes.len() > MAX_EXCERPT {
            let cut = start.saturating_sub(MAX_EXCERPT / 2);
            bytes = &bytes[cut..(cut + MAX_EXCERPT).min(bytes.len())];
            from += cut;
            start -= cut;
        }
        let end = (span.end as usize).clamp(from + start, from + bytes.len()) - from;
        // Lossy conversion changes lengths, so the three pieces are converted one by one.
        let head = String::from_utf8_lossy(&bytes[..start]);
        let mid = String::from_utf8_lossy(&bytes[start..end]);
        let tail = String::from_utf8_lossy(&bytes[end..]);
        let range = head.len()..head.len() + mid.len();
        let line = file.position(from as u32).line;
        Excerpt {
            text: format!("{head}{mid}{tail}"),
            line,
            range,
        }
    }

    /// The mark at a place that belongs to the story.
    fn context<'a>(&self, label: &'a str) -> Annotation<'a> {
        let mark = AnnotationKind::Context.span(self.range.clone());
        mark.label(label)
    }
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<JsonRelated<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    message: &'a str,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct JsonSummary<'a> {
    summary: Counts<'a>,
}

#[derive(Serialize)]
struct Counts<'a> {
    file: &'a str,
    errors: usize,
    shown: usize,
    left_out: usize,
}

/// The diagnostics as JSON, one object a line: all that were kept, and if there may be more, a last object that says how
/// many were left out. `docs/diagnostics.schema.json` describes the objects.
pub fn render_json(file: &SourceFile, diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    let mut line = |object: Result<String, serde_json::Error>| {
        out.push_str(&object.expect("strings and numbers always serialise"));
        out.push('\n');
    };
    for diagnostic in diagnostics.as_slice() {
        let start = file.position(diagnostic.span.start);
        let end = file.position(diagnostic.span.end);
        let places = diagnostic.related.iter();
        let related = places.map(|(span, message)| {
            let at = file.position(span.start);
            JsonRelated {
                message,
                line: at.line,
                column: at.column,
            }
        });
        let object = JsonDiagnostic {
            severity: diagnostic.severity.name(),
            code: diagnostic.code.0,
            message: &diagnostic.message,
            file: file.name(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            label: diagnostic.label.as_deref(),
            related: related.collect(),
            help: diagnostic.help.as_deref(),
        };
        line(serde_json::to_string(&object));
    }
    // Readers stop when the list is full, so what was left out need not have been counted.
    if diagnostics.is_full() {
        line(serde_json::to_string(&JsonSummary {
            summary: Counts {
                file: file.name(),
                errors: diagnostics.error_count(),
                shown: diagnostics.as_slice().len(),
                left_out: diagnostics.left_out(),
            },
        }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    fn one(span: Span) -> Diagnostics {
        let mut list = Diagnostics::new();
        list.push(
            Diagnostic::error(codes::SYNTAX, span, "something is wrong")
                .related(Span::new(0, 2), "first seen here")
                .help("do this"),
        );
        list
    }

    #[test]
    fn human_text_points_at_the_place() {
        let file = SourceFile::new("a.ptx", "ab cd\nef gh\n").unwrap();
        let text = render_human(&file, &one(Span::new(9, 11)), false);
        assert!(text.contains("error[W0001]: something is wrong"), "{text}");
        assert!(text.contains("a.ptx:2:4"), "{text}");
        assert!(text.contains("^^"), "{text}");
        assert!(text.contains("help: do this"), "{text}");
        assert!(text.contains("first seen here"), "{text}");
    }

    #[test]
    fn all_places_of_the_story_are_shown() {
        let file = SourceFile::new("a.ptx", "ab cd\nef gh\nij kl\n").unwrap();
        let mut list = Diagnostics::new();
        list.push(
            Diagnostic::error(codes::SYNTAX, Span::new(6, 8), "something is wrong")
                .related(Span::new(9, 11), "one waits here")
                .related(Span::new(12, 14), "two wait here"),
        );
        let text = render_human(&file, &list, false);
        assert!(text.contains("one waits here"), "{text}");
        assert!(text.contains("two wait here"), "{text}");
        let json = render_json(&file, &list);
        assert!(
            json.contains(r#"{"message":"two wait here","line":3,"column":1}]"#),
            "{json}"
        );
    }

    #[test]
    fn spans_beyond_the_end_and_bad_utf8_are_shown() {
        let file = SourceFile::new("a.ptx", b"\xff\xfe x".to_vec()).unwrap();
        for span in [
            Span::new(0, 1),
            Span::new(1, 2),
            Span::new(3, 400),
            Span::new(400, 500),
        ] {
            assert!(render_human(&file, &one(span), false).contains("a.ptx:1"));
            assert!(render_json(&file, &one(span)).contains("\"line\":1"));
        }
    }

    #[test]
    fn only_some_are_shown() {
        let file = SourceFile::new("a.ptx", "x").unwrap();
        let mut list = Diagnostics::new();
        for _ in 0..Diagnostics::KEPT + 5 {
            list.append(one(Span::new(0, 1)));
        }
        assert_eq!(list.error_count(), Diagnostics::KEPT + 5);
        let text = render_human(&file, &list, false);
        assert!(text.contains("and 985 more errors not shown"), "{text}");
        let json = render_json(&file, &list);
        assert_eq!(json.lines().count(), Diagnostics::KEPT + 1);
        let summary = r#"{"summary":{"file":"a.ptx","errors":1005,"shown":1000,"left_out":5}}"#;
        assert_eq!(json.lines().last(), Some(summary));
    }

    #[test]
    fn warnings_hide_no_error() {
        let file = SourceFile::new("a.ptx", "x").unwrap();
        let warning = Diagnostic::warning(codes::SYNTAX, Span::new(0, 1), "something is odd");
        for count in [1, MAX_SHOWN, MAX_SHOWN + 1, Diagnostics::KEPT + 7] {
            let mut list = Diagnostics::new();
            for _ in 0..count {
                list.push(warning.clone());
            }
            list.append(one(Span::new(0, 1)));
            assert_eq!((list.error_count(), list.warning_count()), (1, count));
            let text = render_human(&file, &list, false);
            assert!(text.contains("error[W0001]: something is wrong"), "{text}");
            assert!(render_json(&file, &list).contains("something is wrong"));
            let hidden = match count - count.min(MAX_SHOWN) {
                0 => "more".into(),
                1 => "... and 1 more warning not shown".into(),
                hidden => format!("... and {hidden} more warnings not shown"),
            };
            assert_eq!(text.contains(&hidden), count > MAX_SHOWN, "{text}");
            // The other way round, errors hide no warning.
            let mut list = Diagnostics::new();
            for _ in 0..count {
                list.append(one(Span::new(0, 1)));
            }
            let mark = list.mark();
            list.push(warning.clone());
            assert!(render_human(&file, &list, false).contains("something is odd"));
            list.rewind(mark);
            assert_eq!((list.error_count(), list.warning_count()), (count, 0));
        }
    }
}
