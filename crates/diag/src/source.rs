//! Source files and places in them.

/// A half-open range of bytes in one source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// No place of any text: what is said belongs to the whole, or to something outside it.
    pub const NOWHERE: Span = Span::new(u32::MAX, u32::MAX);

    /// The bytes from `start` up to `end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty span right after this one: where something is missing.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            end: self.end,
        }
    }
}

/// A place as people count: both numbers start at 1, columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Line number.
    pub line: usize,
    /// Column number.
    pub column: usize,
}

/// The name and the bytes of one input. The bytes need not be UTF-8: comments in the wild are not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    name: String,
    bytes: Vec<u8>,
}

impl SourceFile {
    /// The largest file that spans can address.
    pub const MAX_LEN: usize = u32::MAX as usize - 1;

    /// Wraps an input. `None` if it is longer than [`SourceFile::MAX_LEN`].
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Option<SourceFile> {
        let bytes = bytes.into();
        (bytes.len() <= SourceFile::MAX_LEN).then(|| SourceFile {
            name: name.into(),
            bytes,
        })
    }

    /// The name shown in diagnostics.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The contents.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a span, cut at the file's end.
    pub fn slice(&self, span: Span) -> &[u8] {
        let end = (span.end as usize).min(self.bytes.len());
        &self.bytes[(span.start as usize).min(end)..end]
    }

    /// Line and column of a byte offset. Takes time in the file's length: for diagnostics only.
    pub fn position(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.bytes.len());
        let before = &self.bytes[..offset];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let line_start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&before[line_start..])
            .chars()
            .count()
            + 1;
        Position { line, column }
    }

    /// The whole lines that a span touches, with the offset at which they start.
    pub(crate) fn lines_around(&self, span: Span) -> (usize, &[u8]) {
        let len = self.bytes.len();
        let start = (span.start as usize).min(len);
        let end = (span.end as usize).clamp(start, len);
        let from = self.bytes[..start]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        let to = self.bytes[end..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(len, |i| end + i);
        (from, &self.bytes[from..to])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let file = SourceFile::new("x", "ab\nc\u{e9}d\n").unwrap();
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        assert_eq!(file.position(3), Position { line: 2, column: 1 });
        assert_eq!(file.position(6), Position { line: 2, column: 3 });
        assert_eq!(file.position(999), Position { line: 3, column: 1 });
    }
}
