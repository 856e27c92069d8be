//! Diagnostics as JSON, written by hand: the objects are few and flat, and users of the library need no serialiser.

use crate::{Diagnostic, Diagnostics, SourceFile, Span, Thread};
use std::fmt::Write;

/// The diagnostics as JSON, one object a line: all that were kept, and if there may be more, a last object that says how
/// many were left out. Those that name no file of their own are about `file`. `docs/diagnostics.schema.json` describes
/// the objects.
pub fn render_json(file: &SourceFile, diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.as_slice() {
        let file = diagnostic.file.as_deref().unwrap_or(file);
        out.push_str(&diagnostic_object(file, diagnostic));
        out.push('\n');
    }
    // Readers stop when the list is full, so what was left out need not have been counted.
    if diagnostics.is_full() {
        let counts = Object::new()
            .text("file", file.name())
            .number("errors", diagnostics.error_count())
            .number("shown", diagnostics.as_slice().len())
            .number("left_out", diagnostics.left_out());
        let summary = Object::new().raw("summary", &counts.end());
        out.push_str(&summary.end());
        out.push('\n');
    }
    out
}

fn diagnostic_object(file: &SourceFile, diagnostic: &Diagnostic) -> String {
    let mut object = Object::new()
        .text("severity", diagnostic.severity.name())
        .text("code", diagnostic.code.0)
        .text("message", &diagnostic.message);
    if diagnostic.span != Span::NOWHERE {
        let start = file.position(diagnostic.span.start);
        let end = file.position(diagnostic.span.end);
        object = object
            .text("file", file.name())
            .number("line", start.line)
            .number("column", start.column)
            .number("end_line", end.line)
            .number("end_column", end.column);
    }
    if let Some(label) = &diagnostic.label {
        object = object.text("label", label);
    }
    if !diagnostic.related.is_empty() {
        let related = diagnostic.related.iter().map(|(span, message)| {
            let at = file.position(span.start);
            let object = Object::new()
                .text("message", message)
                .number("line", at.line)
                .number("column", at.column);
            object.end()
        });
        let related: Vec<String> = related.collect();
        object = object.raw("related", &format!("[{}]", related.join(",")));
    }
    if let Some(help) = &diagnostic.help {
        object = object.text("help", help);
    }
    if let Some(Thread { block, thread }) = diagnostic.thread {
        let triple = |[x, y, z]: [u32; 3]| format!("[{x},{y},{z}]");
        object = object.raw("block", &triple(block));
        object = object.raw("thread", &triple(thread));
    }
    if !diagnostic.source.is_empty() {
        let source = diagnostic.source.iter().map(|place| {
            let object = Object::new()
                .text("file", &place.file)
                .number("line", place.line as usize)
                .number("column", place.column as usize);
            match &place.function {
                Some(function) => object.text("function", function).end(),
                None => object.end(),
            }
        });
        let source: Vec<String> = source.collect();
        object = object.raw("source", &format!("[{}]", source.join(",")));
    }
    object.end()
}

/// An object under way.
struct Object(String);

impl Object {
    fn new() -> Object {
        Object("{".to_owned())
    }

    /// Adds a member whose value is JSON already.
    fn raw(mut self, key: &str, value: &str) -> Object {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        let _ = write!(self.0, "\"{key}\":{value}");
        self
    }

    fn number(self, key: &str, value: usize) -> Object {
        self.raw(key, &value.to_string())
    }

    fn text(self, key: &str, value: &str) -> Object {
        let quoted = quoted(value);
        self.raw(key, &quoted)
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            sign if sign < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(sign));
            }
            sign => out.push(sign),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn signs_that_json_wants_escaped() {
        assert_eq!(quoted("a \"b\" \\c"), r#""a \"b\" \\c""#);
        assert_eq!(quoted("\n\r\t\u{1}\u{1f}"), "\"\\n\\r\\t\\u0001\\u001f\"");
        assert_eq!(quoted("grün \u{7f}"), "\"grün \u{7f}\"");
    }
}
