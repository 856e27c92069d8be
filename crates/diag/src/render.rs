//! Diagnostics as text for people.

use crate::{Diagnostic, Diagnostics, Severity, SourceFile, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
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

/// The diagnostics as rustc prints them, each followed by an empty line. Those that name no file of their own are about
/// `file`.
pub fn render_human(file: &SourceFile, diagnostics: &Diagnostics, color: bool) -> String {
    render(Some(file), diagnostics, color)
}

/// The same, where those that name no file have no place.
impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&render(None, self, false))
    }
}

impl std::error::Error for Diagnostics {}

fn render(file: Option<&SourceFile>, diagnostics: &Diagnostics, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for diagnostic in shown(diagnostics) {
        let file = diagnostic.file.as_deref().or(file);
        let file = file.filter(|_| diagnostic.span != Span::NOWHERE);
        out.push_str(&match file {
            Some(file) => render_one(file, diagnostic, &renderer),
            None => render_without_place(diagnostic, &renderer),
        });
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

/// The title of a diagnostic: `error[W0001]: message`.
fn title(diagnostic: &Diagnostic) -> Group<'_> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&*diagnostic.message);
    Group::with_title(title.id(diagnostic.code.0))
}

fn render_without_place(diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let mut group = title(diagnostic);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    renderer.render(&[group])
}

fn render_one(file: &SourceFile, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
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
    let mut group = title(diagnostic);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{codes, render_json};

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
    fn each_may_name_its_own_file() {
        let other = std::sync::Arc::new(SourceFile::new("b.ptx", "xy z").unwrap());
        let mut list = one(Span::new(0, 1));
        assert!(
            list.to_string()
                .starts_with("error[W0001]: something is wrong")
        );
        assert!(!list.to_string().contains("-->"), "{list}");
        list.in_file(&other);
        let nowhere = Diagnostic::error(codes::SYNTAX, Span::NOWHERE, "no place");
        let nowhere = Diagnostics::of(nowhere.in_file(&other));
        assert_eq!(nowhere.to_string(), "error[W0001]: no place\n\n");
        let json = r#"{"severity":"error","code":"W0001","message":"no place"}"#;
        assert_eq!(render_json(&other, &nowhere).trim_end(), json);
        list.append(one(Span::new(0, 1)));
        assert!(list.to_string().contains("b.ptx:1:1"), "{list}");
        let file = SourceFile::new("a.ptx", "x").unwrap();
        let text = render_human(&file, &list, false);
        assert!(
            text.contains("b.ptx:1:1") && text.contains("a.ptx:1:1"),
            "{text}"
        );
        let json = render_json(&file, &list);
        assert!(
            json.lines().next().unwrap().contains(r#""file":"b.ptx""#),
            "{json}"
        );
        assert!(
            json.lines().last().unwrap().contains(r#""file":"a.ptx""#),
            "{json}"
        );
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
