//! Findings where their cause stands: in the file that the PTX or bitcode was compiled from, if its lines say so and the
//! file is there. Findings in LLVM IR and MLIR stay in that text, which the user gave.

use std::collections::BTreeMap;
use std::sync::Arc;
use warpc::{Kind, Source};
use warpc_diag::{Diagnostic, Diagnostics, SourceFile, Span};
use warpc_request::names;

/// The same findings, for people, pointing at the source where there is one.
pub fn at_source(found: &Diagnostics, input: &Source) -> Diagnostics {
    let mut files = BTreeMap::new();
    let is_text = matches!(input.kind(), Kind::Llvm | Kind::Mlir)
        && std::str::from_utf8(input.bytes()).is_ok();
    let mut moved = Diagnostics::new();
    for one in found.as_slice() {
        let other = match is_text || !one.related.is_empty() {
            true => None,
            false => at_origin(one, &mut files),
        };
        moved.push(other.unwrap_or_else(|| one.clone()));
    }
    moved
}

/// A finding at the place that its instruction comes from.
fn at_origin(
    one: &Diagnostic,
    files: &mut BTreeMap<String, Option<Arc<SourceFile>>>,
) -> Option<Diagnostic> {
    let origin = one.source.first()?;
    let read = || {
        let bytes = std::fs::read(&origin.file).ok()?;
        SourceFile::new(origin.file.as_str(), bytes).map(Arc::new)
    };
    let file = files
        .entry(origin.file.clone())
        .or_insert_with(read)
        .clone()?;
    let span = statement(&file, origin.line, origin.column)?;
    // Who it was comes before `, from `, which the place itself says now.
    let label = one.label.as_deref().unwrap_or("");
    let mut label = label.split(", from ").next().unwrap_or("").to_owned();
    for (inner, outer) in one.source.iter().zip(&one.source[1..]) {
        if let Some(name) = &inner.function {
            let name = names::readable(name).unwrap_or_else(|| name.clone());
            label.push_str(&format!(", in `{name}`"));
        }
        let (file, line) = (&outer.file, outer.line);
        label.push_str(&format!(", inlined at {file}:{line}:{}", outer.column));
    }
    if let Some(input) = one.file.as_ref().filter(|input| !input.bytes().is_empty()) {
        let at = input.position(one.span.start);
        label.push_str(&format!(", {}:{}:{}", input.name(), at.line, at.column));
    }
    let mut moved = one.clone().label(label).in_file(&file);
    moved.span = span;
    Some(moved)
}

/// From a column of a line to the end of the statement there; nothing if the file has no such line.
fn statement(file: &SourceFile, line: u32, column: u32) -> Option<Span> {
    let mut start = 0;
    let mut lines = file.bytes().split_inclusive(|byte| *byte == b'\n');
    for _ in 1..line {
        start += lines.next()?.len();
    }
    let text = lines.next().filter(|_| line > 0)?;
    let indent = text
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let from = match column as usize {
        0 => indent,
        column => column - 1,
    };
    let rest = text
        .get(from..)
        .filter(|rest| !rest.trim_ascii().is_empty())?;
    let end = rest.iter().position(|byte| *byte == b';');
    let end = end.unwrap_or(rest.trim_ascii_end().len()).max(1);
    let at = (start + from) as u32;
    Some(Span::new(at, at + end as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        let file = SourceFile::new("k.cu", "a();\n  b = c; // d\n\n").expect("a short text");
        let shown = |line, column| {
            let span = statement(&file, line, column)?;
            Some(String::from_utf8_lossy(file.slice(span)).into_owned())
        };
        assert_eq!(shown(2, 0).as_deref(), Some("b = c"));
        assert_eq!(shown(2, 7).as_deref(), Some("c"));
        assert_eq!(shown(1, 1).as_deref(), Some("a()"));
        for (line, column) in [(0, 1), (3, 1), (4, 1), (99, 0), (1, 99)] {
            assert_eq!(shown(line, column), None, "{line}:{column}");
        }
    }
}
