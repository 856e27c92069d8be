//! Bytes to tokens, on demand.
//!
//! LLVM IR has few kinds of tokens; the words are told apart by the reader, which knows what may
//! stand where. A token is its kind and its place.

mod run;

pub(crate) use run::{digits_end, name_end, word_end};

use warpc_diag::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A keyword, a type or any other bare word.
    Word,
    /// `name:` or `"name":`; the span leaves the colon out.
    Label,
    /// `%name` or `%"name"`
    LocalName,
    /// `%5`
    LocalNumber,
    /// `@name` or `@"name"`
    GlobalName,
    /// `@5`
    GlobalNumber,
    /// `$name` or `$"name"`
    Comdat,
    /// `!name`
    MetadataName,
    /// `!5`
    Node,
    /// `#5`
    Group,
    /// `^5`
    Summary,
    /// `"text"`; the span takes the quotes in
    Text,
    /// `-12`
    Int,
    /// `1.5e3`, `0x7FF…`, `0xH3C00`
    Float,
    /// `...`
    Dots,
    /// Any other character.
    Punct(u8),
    /// A string without its second quote, or a comment without its end.
    Unclosed,
    /// The end of the file.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

impl Token {
    pub fn is(&self, punct: u8) -> bool {
        self.kind == TokenKind::Punct(punct)
    }
}

/// Whether a byte separates tokens and is not a part of any.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0)
}

/// Whether a name that is not a number can start with a byte.
const fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'$' | b'.')
}

/// Reads tokens from bytes.
#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(bytes: &'a [u8]) -> Lexer<'a> {
        Lexer { bytes, pos: 0 }
    }

    /// The bytes of a span.
    pub fn slice(&self, span: Span) -> &'a [u8] {
        &self.bytes[span.start as usize..span.end as usize]
    }

    /// All bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Goes on at another place.
    pub fn seek(&mut self, pos: u32) {
        self.pos = pos as usize;
    }

    fn at(&self, pos: usize) -> u8 {
        self.bytes.get(pos).copied().unwrap_or(0)
    }

    /// Where the space, comments and line ends that start at a place end.
    #[inline]
    fn skip_space(&self, mut pos: usize) -> usize {
        loop {
            match self.bytes.get(pos) {
                Some(&byte) if is_space(byte) => pos += 1,
                Some(b';') => {
                    let rest = &self.bytes[pos..];
                    pos += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                // A comment that does not end is not a comment: the reader finds a `/` there.
                Some(b'/') if self.at(pos + 1) == b'*' => {
                    match memchr::memmem::find(&self.bytes[pos + 2..], b"*/") {
                        Some(len) => pos += len + 4,
                        None => return pos,
                    }
                }
                _ => return pos,
            }
        }
    }

    /// The next token.
    #[inline]
    pub fn next_token(&mut self) -> Token {
        let start = self.skip_space(self.pos);
        let Some(&byte) = self.bytes.get(start) else {
            return self.token(TokenKind::End, start, start);
        };
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start),
            b'%' => self.sigil(start, TokenKind::LocalName, TokenKind::LocalNumber),
            b'@' => self.sigil(start, TokenKind::GlobalName, TokenKind::GlobalNumber),
            b'0'..=b'9' | b'-' | b'+' => self.number(start),
            b'"' => self.text(start),
            b'!' => self.metadata(start),
            b'$' => match self.at(start + 1) {
                b'"' => self.sigil(start, TokenKind::Comdat, TokenKind::Comdat),
                _ => {
                    let end = run::name_end(self.bytes, start + 1);
                    let kind = match self.at(end) {
                        b':' => return self.label(start, end),
                        _ => TokenKind::Comdat,
                    };
                    self.token(kind, start, end)
                }
            },
            b'#' | b'^' => {
                let end = run::digits_end(self.bytes, start + 1);
                let kind = match (byte, end > start + 1) {
                    (b'#', true) => TokenKind::Group,
                    (b'^', true) => TokenKind::Summary,
                    _ => TokenKind::Punct(byte),
                };
                self.token(kind, start, end)
            }
            b'.' => {
                let end = run::name_end(self.bytes, start);
                if self.at(end) == b':' {
                    return self.label(start, end);
                }
                match self.bytes[start..].starts_with(b"...") {
                    true => self.token(TokenKind::Dots, start, start + 3),
                    false => self.token(TokenKind::Punct(b'.'), start, start + 1),
                }
            }
            // What is left of a comment that does not end.
            b'/' if self.at(start + 1) == b'*' => {
                self.token(TokenKind::Unclosed, start, self.bytes.len())
            }
            _ => self.token(TokenKind::Punct(byte), start, start + 1),
        }
    }

    #[inline]
    fn token(&mut self, kind: TokenKind, start: usize, end: usize) -> Token {
        self.pos = end;
        Token {
            kind,
            span: Span::new(start as u32, end as u32),
        }
    }

    fn label(&mut self, start: usize, end: usize) -> Token {
        let token = self.token(TokenKind::Label, start, end);
        self.pos = end + 1;
        token
    }

    /// A word ends where a label would, unless it is none: then `-`, `$` and `.` are not part of it.
    fn word(&mut self, start: usize) -> Token {
        let end = run::word_end(self.bytes, start + 1);
        match self.at(end) {
            b':' => self.label(start, end),
            b'-' | b'$' | b'.' => {
                let label_end = run::name_end(self.bytes, end);
                if self.at(label_end) == b':' {
                    return self.label(start, label_end);
                }
                // `c"…"` and opcodes never have these; names of old metadata fields might.
                self.token(TokenKind::Word, start, self.integer_end(start, end))
            }
            _ => self.token(TokenKind::Word, start, self.integer_end(start, end)),
        }
    }

    /// Where the type of an integer ends that a word starts with: `i8addrspace` is two words for LLVM. Other words end
    /// where they end.
    fn integer_end(&self, start: usize, end: usize) -> usize {
        if self.bytes[start] != b'i' || !self.at(start + 1).is_ascii_digit() {
            return end;
        }
        run::digits_end(self.bytes, start + 1).min(end)
    }

    /// `!name`, `!5`, or `!` alone.
    fn metadata(&mut self, start: usize) -> Token {
        let next = self.at(start + 1);
        if next.is_ascii_digit() {
            let end = run::digits_end(self.bytes, start + 1);
            return self.token(TokenKind::Node, start, end);
        }
        if !starts_name(next) && next != b'\\' {
            return self.token(TokenKind::Punct(b'!'), start, start + 1);
        }
        let mut end = start + 1;
        loop {
            end = run::name_end(self.bytes, end);
            if self.at(end) != b'\\' {
                return self.token(TokenKind::MetadataName, start, end);
            }
            end += 1;
        }
    }

    fn sigil(&mut self, start: usize, name: TokenKind, number: TokenKind) -> Token {
        let next = self.at(start + 1);
        if next == b'"' {
            return match memchr::memchr(b'"', &self.bytes[start + 2..]) {
                Some(len) => self.token(name, start, start + len + 3),
                None => self.token(TokenKind::Unclosed, start, self.bytes.len()),
            };
        }
        if next.is_ascii_digit() {
            let end = run::digits_end(self.bytes, start + 1);
            return self.token(number, start, end);
        }
        let end = run::name_end(self.bytes, start + 1);
        if end == start + 1 {
            return self.token(TokenKind::Punct(self.bytes[start]), start, end);
        }
        self.token(name, start, end)
    }

    fn text(&mut self, start: usize) -> Token {
        match memchr::memchr(b'"', &self.bytes[start + 1..]) {
            None => self.token(TokenKind::Unclosed, start, self.bytes.len()),
            Some(len) => {
                let end = start + len + 2;
                let token = self.token(TokenKind::Text, start, end);
                if self.at(end) == b':' {
                    self.pos = end + 1;
                    return Token {
                        kind: TokenKind::Label,
                        ..token
                    };
                }
                token
            }
        }
    }

    /// Where `inf`, `qnan`, `nan(0x1)` or `snan(0x1)` ends, which LLVM 23 writes after a sign; where it
    /// starts, if there is none.
    fn special_float(&self, start: usize) -> usize {
        let rest = &self.bytes[start..];
        let word_len = rest.iter().take_while(|c| c.is_ascii_alphabetic()).count();
        match &rest[..word_len] {
            b"inf" | b"qnan" => start + word_len,
            b"nan" | b"snan" if rest[word_len..].starts_with(b"(0x") => {
                let digits = start + word_len + 3;
                let count = self.bytes[digits..]
                    .iter()
                    .take_while(|c| c.is_ascii_hexdigit())
                    .count();
                match self.at(digits + count) {
                    b')' if count != 0 => digits + count + 1,
                    _ => start,
                }
            }
            _ => start,
        }
    }

    /// Numbers, and labels that start like numbers.
    fn number(&mut self, start: usize) -> Token {
        let end = run::digits_end(self.bytes, start + 1);
        let next = self.at(end);
        // Digits with nothing after them that could belong to them.
        if self.bytes[start].is_ascii_digit() && !starts_name(next) && next != b':' {
            return self.token(TokenKind::Int, start, end);
        }
        let name_end = run::name_end(self.bytes, start + usize::from(self.at(start) == b'+'));
        if self.at(name_end) == b':' && self.at(start) != b'+' {
            return self.label(start, name_end);
        }
        let signed = matches!(self.at(start), b'-' | b'+');
        let digits = start + usize::from(signed);
        let end = run::digits_end(self.bytes, digits);
        if end == digits {
            let end = self.special_float(digits);
            let kind = match end > digits {
                true => TokenKind::Float,
                false => TokenKind::Punct(self.bytes[start]),
            };
            return self.token(kind, start, end);
        }
        if self.at(end) == b'x' && end == digits + 1 && self.at(digits) == b'0' {
            let mut end = end + 1;
            if matches!(self.at(end), b'K' | b'L' | b'M' | b'H' | b'R') {
                end += 1;
            }
            while self.at(end).is_ascii_hexdigit() {
                end += 1;
            }
            return self.token(TokenKind::Float, start, end);
        }
        if self.at(end) != b'.' {
            return self.token(TokenKind::Int, start, end);
        }
        let mut end = run::digits_end(self.bytes, end + 1);
        if matches!(self.at(end), b'e' | b'E') {
            let exponent = end + 1 + usize::from(matches!(self.at(end + 1), b'-' | b'+'));
            if self.at(exponent).is_ascii_digit() {
                end = run::digits_end(self.bytes, exponent);
            }
        }
        self.token(TokenKind::Float, start, end)
    }
}

/// Whether a word is `f0x…`: the bits of a floating-point number, as LLVM 23 writes them.
pub(crate) fn is_hex_float(word: &[u8]) -> bool {
    word.len() > 3 && word.starts_with(b"f0x") && word[3..].iter().all(u8::is_ascii_hexdigit)
}

/// Whether a word is `u0x…` or `s0x…`.
pub(crate) fn is_hex_int(word: &[u8]) -> bool {
    word.len() > 3
        && matches!(word[0], b'u' | b's')
        && &word[1..3] == b"0x"
        && word[3..].iter().all(u8::is_ascii_hexdigit)
}

/// The bytes between quotes, with `\XX` and `\\` replaced.
pub(crate) fn unescape(quoted: &[u8], into: &mut Vec<u8>) {
    into.clear();
    let mut rest = quoted;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        into.extend_from_slice(&rest[..at]);
        let tail = &rest[at + 1..];
        let digit = |i: usize| {
            tail.get(i)
                .and_then(|&byte| char::from(byte).to_digit(16))
                .map(|digit| digit as u8)
        };
        rest = match (tail.first(), digit(0), digit(1)) {
            (Some(b'\\'), ..) => {
                into.push(b'\\');
                &tail[1..]
            }
            (_, Some(high), Some(low)) => {
                into.push(high << 4 | low);
                &tail[2..]
            }
            _ => {
                into.push(b'\\');
                tail
            }
        };
    }
    into.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut all = Vec::new();
        loop {
            let token = lexer.next_token();
            if token.kind == TokenKind::End {
                return all;
            }
            let span = token.span.start as usize..token.span.end as usize;
            all.push((token.kind, &text[span]));
        }
    }

    #[test]
    fn every_kind() {
        use TokenKind::*;
        let text = "%x %5 @\"a b\" @0 $c !dbg !5 #0 ^1 \"s\" -1 1.5e-3 0xK00 -inf +snan(0x1F) -x ... foo: 5: \"q\": i32* ; c\n%.str.1 a-b: /* %c\n; */ /***/ */ 1/**/2 /*/";
        let expected = vec![
            (LocalName, "%x"),
            (LocalNumber, "%5"),
            (GlobalName, "@\"a b\""),
            (GlobalNumber, "@0"),
            (Comdat, "$c"),
            (MetadataName, "!dbg"),
            (Node, "!5"),
            (Group, "#0"),
            (Summary, "^1"),
            (Text, "\"s\""),
            (Int, "-1"),
            (Float, "1.5e-3"),
            (Float, "0xK00"),
            (Float, "-inf"),
            (Float, "+snan(0x1F)"),
            (Punct(b'-'), "-"),
            (Word, "x"),
            (Dots, "..."),
            (Label, "foo"),
            (Label, "5"),
            (Label, "\"q\""),
            (Word, "i32"),
            (Punct(b'*'), "*"),
            (LocalName, "%.str.1"),
            (Label, "a-b"),
            (Punct(b'*'), "*"),
            (Punct(b'/'), "/"),
            (Int, "1"),
            (Int, "2"),
            (Unclosed, "/*/"),
        ];
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn escapes() {
        let mut bytes = Vec::new();
        unescape(b"a\\0Ab\\\\c\\zz\\", &mut bytes);
        assert_eq!(bytes, b"a\nb\\c\\zz\\");
    }

    #[test]
    fn the_type_of_an_integer_ends_with_its_digits() {
        use TokenKind::*;
        let text = "i8addrspace(1)* i1x8 i32.5 i8x: iptr i";
        let expected = vec![
            (Word, "i8"),
            (Word, "addrspace"),
            (Punct(b'('), "("),
            (Int, "1"),
            (Punct(b')'), ")"),
            (Punct(b'*'), "*"),
            (Word, "i1"),
            (Word, "x8"),
        ];
        assert_eq!(kinds(text)[..expected.len()], expected);
        assert_eq!(
            kinds("i8x: iptr i"),
            [(Label, "i8x"), (Word, "iptr"), (Word, "i")]
        );
    }
}
