//! Lines of the text and what stands in them.

use warpc_diag::{Code, Diagnostic, Span, codes};

/// A line, from the place that is read next on.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    text: &'a str,
    /// Where the line starts in the file.
    start: u32,
    at: usize,
}

/// What went wrong in a line.
pub(super) type Wrong = Box<Diagnostic>;

/// A word or a name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub bytes: Vec<u8>,
    pub span: Span,
}

impl Name {
    pub fn shown(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl<'a> Line<'a> {
    /// A line without its comments, which start at `//` outside quotes.
    pub fn new(text: &'a str, start: u32) -> Line<'a> {
        let mut quoted = false;
        let bytes = text.as_bytes();
        let mut end = bytes.len();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' if quoted => at += 1,
                b'"' => quoted = !quoted,
                b'/' if !quoted && bytes.get(at + 1) == Some(&b'/') => {
                    end = at;
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        let mut line = Line {
            text: text[..end].trim_end(),
            start,
            at: 0,
        };
        line.blanks();
        line
    }

    /// What is left of the line.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// The place of what is left.
    pub fn span(&self) -> Span {
        self.span_of(self.at, self.text.len().max(self.at))
    }

    fn span_of(&self, from: usize, to: usize) -> Span {
        Span::new(self.start + from as u32, self.start + to as u32)
    }

    /// The place of some bytes of what is left.
    pub fn part(&self, range: std::ops::Range<usize>) -> Span {
        let limit = |at: usize| (self.at + at).min(self.text.len());
        self.span_of(limit(range.start), limit(range.end))
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn advance(&mut self, by: usize) -> Span {
        let from = self.at;
        self.at += by;
        let span = self.span_of(from, self.at);
        self.blanks();
        span
    }

    /// Goes on after so many bytes.
    pub fn skip(&mut self, bytes: usize) {
        self.advance(bytes);
    }

    /// Goes on after a sign, if it comes next.
    pub fn accept(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.advance(sign.len());
        }
        found
    }

    pub fn expect(&mut self, sign: &str) -> Result<(), Wrong> {
        match self.accept(sign) {
            true => Ok(()),
            false => Err(self.wrong(format!("`{sign}` is missing here"))),
        }
    }

    /// Nothing more may come.
    pub fn end(&self) -> Result<(), Wrong> {
        match self.is_at_end() {
            true => Ok(()),
            false => Err(self.wrong("this is too much for the line".to_owned())),
        }
    }

    pub fn wrong(&self, message: String) -> Wrong {
        fault(codes::SASS_SYNTAX, self.span(), message)
    }

    /// The word that comes next, if one does: letters, digits, `_`, `.`, `$`, `@`.
    pub fn peek_word(&self) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find(|c: char| !is_in_word(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        word.starts_with(|c: char| !c.is_ascii_digit())
            .then_some(word)
    }

    pub fn word(&mut self) -> Option<(&'a str, Span)> {
        let word = self.peek_word()?;
        let span = self.advance(word.len());
        Some((word, span))
    }

    /// A word that is wanted, if it comes next.
    pub fn accept_word(&mut self, wanted: &str) -> bool {
        let found = self.peek_word() == Some(wanted);
        if found {
            self.word();
        }
        found
    }

    /// A name: a word, or anything in quotes.
    pub fn name(&mut self) -> Result<Name, Wrong> {
        if self.rest().starts_with('"') {
            let (bytes, span) = self.string()?;
            return Ok(Name { bytes, span });
        }
        match self.word() {
            Some((word, span)) => Ok(Name {
                bytes: word.as_bytes().to_vec(),
                span,
            }),
            None => Err(self.wrong("a name is missing here".to_owned())),
        }
    }

    /// A string in quotes. `\\`, `\"`, `\n`, `\t` and `\x1f` stand for what they do in C.
    pub fn string(&mut self) -> Result<(Vec<u8>, Span), Wrong> {
        let bytes = self.rest().as_bytes();
        if bytes.first() != Some(&b'"') {
            return Err(self.wrong("a string in quotes is missing here".to_owned()));
        }
        let mut out = Vec::new();
        let mut at = 1;
        loop {
            match bytes.get(at) {
                None => return Err(self.wrong("this string has no end".to_owned())),
                Some(b'"') => break,
                Some(b'\\') => {
                    at += 1;
                    let escape = match bytes.get(at) {
                        Some(b'n') => b'\n',
                        Some(b't') => b'\t',
                        Some(b'\\') => b'\\',
                        Some(b'"') => b'"',
                        Some(b'x') => {
                            let digits = bytes.get(at + 1..at + 3);
                            let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
                            let value = digits.and_then(|text| u8::from_str_radix(text, 16).ok());
                            at += 2;
                            value.ok_or_else(|| {
                                self.wrong("`\\x` wants two hexadecimal digits".to_owned())
                            })?
                        }
                        _ => {
                            return Err(
                                self.wrong("strings have `\\\\ \\\" \\n \\t \\x1f`".to_owned())
                            );
                        }
                    };
                    out.push(escape);
                }
                Some(byte) => out.push(*byte),
            }
            at += 1;
        }
        let span = self.advance(at + 1);
        Ok((out, span))
    }

    /// Whether a number comes next.
    pub fn is_at_number(&self) -> bool {
        let rest = self.rest();
        rest.strip_prefix('-')
            .unwrap_or(rest)
            .starts_with(|c: char| c.is_ascii_digit())
    }

    /// A number with an optional sign, decimal or hexadecimal, that fits 64 bits either way.
    pub fn number(&mut self) -> Result<(i128, Span), Wrong> {
        let rest = self.rest();
        let (negative, digits) = match rest.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, rest),
        };
        let end = digits.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let digits = &digits[..end.unwrap_or(digits.len())];
        let clean = digits.replace('_', "");
        let value = match clean.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => clean.parse(),
        };
        let Ok(value) = value else {
            return Err(self.wrong("a number of at most 64 bits is missing here".to_owned()));
        };
        let span = self.advance(digits.len() + usize::from(negative));
        let value = i128::from(value);
        Ok((if negative { -value } else { value }, span))
    }

    /// A number of a type.
    pub fn unsigned<T: TryFrom<i128>>(&mut self) -> Result<T, Wrong> {
        let (value, span) = self.number()?;
        T::try_from(value).map_err(|_| {
            let bits = 8 * size_of::<T>();
            fault(
                codes::SASS_VALUE,
                span,
                format!("{value:#x} does not fit {bits} bits"),
            )
        })
    }
}

/// A fault with the help that goes with its code; who knows better replaces it.
pub(super) fn fault(code: Code, span: Span, message: impl Into<String>) -> Wrong {
    let help = match code {
        codes::SASS_NAME => {
            "labels are lines `NAME:`, sections `.section NAME`, symbols `.symbol NAME`; each is there once"
        }
        codes::SASS_VALUE => "`warpc dis --reassemblable` shows what values files have",
        _ => "docs/sass.md lists the lines of an assembly text and what they take",
    };
    Box::new(Diagnostic::error(code, span, message).help(help))
}

fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '@')
}

/// A name as text that [`Line::name`] reads.
pub(super) fn quoted_if_odd(name: &[u8]) -> String {
    let plain = name.first().is_some_and(|first| !first.is_ascii_digit())
        && name.iter().all(|&byte| is_in_word(char::from(byte)));
    match std::str::from_utf8(name) {
        Ok(text) if plain => text.to_owned(),
        _ => quoted(name),
    }
}

/// A string as text that [`Line::string`] reads.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for &byte in bytes {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            0x20..=0x7e => out.push(char::from(byte)),
            byte => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push('"');
    out
}
