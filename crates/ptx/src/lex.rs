//! Bytes to tokens.
//!
//! Tokens are made on demand and hold only their place; the parser looks at the bytes when it
//! needs the text. Comments and white space vanish here.

use warpc_diag::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `foo`, `%r1`, `$L`, `_`
    Ident,
    /// `.global`, `.shared::cta`, `.1d`: a dot with the word after it.
    Dotted,
    /// A number of any form.
    Number,
    /// `"text"`, quotes included.
    Str,
    /// Any other single byte.
    Punct(u8),
    /// A string or comment that is never closed.
    Unclosed,
    /// A string with bytes that are not ASCII.
    BadString,
    /// A name or number of more than [`MAX_WORD`] bytes.
    TooLong,
    /// The end of the input.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

impl Token {
    /// Whether it is this byte.
    pub fn is(self, byte: u8) -> bool {
        self.kind == TokenKind::Punct(byte)
    }
}

/// Longer names and numbers are refused, so that no message grows beyond measure.
pub const MAX_WORD: usize = 1 << 20;

fn trim_blanks(text: &[u8]) -> &[u8] {
    let blanks = text
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    &text[blanks..]
}

const SPACE: u8 = 1;
const IDENT_START: u8 = 2;
const IDENT: u8 = 4;
const DIGIT: u8 = 8;
/// Starts a name only if another character of a name follows: `%r1`, but not `%` alone.
const SIGIL: u8 = 16;

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        table[i] = match b {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0c | 0x1a => SPACE,
            b'0'..=b'9' => IDENT | DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' => IDENT_START | IDENT,
            b'_' | b'$' => SIGIL | IDENT,
            b'%' => SIGIL,
            _ => 0,
        };
        i += 1;
    }
    table
}

/// Whether a byte may stand inside a name.
pub fn is_ident_byte(byte: u8) -> bool {
    CLASS[usize::from(byte)] & IDENT != 0
}

/// Reads tokens from bytes.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Lexer<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Lexer<'a> {
        Lexer { bytes, pos: 0 }
    }

    /// The bytes of a span.
    pub fn slice(&self, span: Span) -> &'a [u8] {
        &self.bytes[span.start as usize..span.end as usize]
    }

    /// The text of a token. Names and numbers are ASCII by construction.
    pub fn text(&self, span: Span) -> &'a str {
        std::str::from_utf8(self.slice(span)).unwrap_or("")
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> usize {
        self.pos
    }

    /// Goes on at another place.
    pub fn seek(&mut self, offset: usize) {
        self.pos = offset.min(self.bytes.len());
    }

    /// The byte at an offset, if there is one.
    pub fn byte_at(&self, offset: u32) -> Option<u8> {
        self.bytes.get(offset as usize).copied()
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn class(&self, ahead: usize) -> u8 {
        self.bytes
            .get(self.pos + ahead)
            .map_or(0, |&b| CLASS[usize::from(b)])
    }

    /// Skips white space and comments. The error is the start of a comment that is never closed.
    fn skip_space(&mut self) -> Result<(), usize> {
        loop {
            while self.class(0) & SPACE != 0 {
                self.pos += 1;
            }
            if self.byte(0) == b'#' && self.skip_line_marker() {
                continue;
            }
            if self.byte(0) != b'/' {
                return Ok(());
            }
            match self.byte(1) {
                b'/' => {
                    let rest = &self.bytes[self.pos..];
                    self.pos += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                b'*' => {
                    let start = self.pos;
                    match memchr::memmem::find(&self.bytes[self.pos + 2..], b"*/") {
                        Some(i) => self.pos += i + 4,
                        None => {
                            self.pos = self.bytes.len();
                            return Err(start);
                        }
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// `# 12 "file"` and `#line 12 "file"`, as preprocessors leave them: ignored with the rest of
    /// the line.
    fn skip_line_marker(&mut self) -> bool {
        // The end of the line is searched for last: a line of `#` costs its length once.
        let text = trim_blanks(&self.bytes[self.pos + 1..]);
        let text = trim_blanks(text.strip_prefix(b"line").unwrap_or(text));
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let Some(name) = trim_blanks(&text[digits..]).strip_prefix(b"\"") else {
            return false;
        };
        let line = &name[..memchr::memchr(b'\n', name).unwrap_or(name.len())];
        let marker = digits > 0 && line.contains(&b'"');
        if marker {
            self.pos = self.bytes.len() - name.len() + line.len();
        }
        marker
    }

    /// The next token.
    pub fn next_token(&mut self) -> Token {
        if let Err(start) = self.skip_space() {
            return self.token(TokenKind::Unclosed, start);
        }
        let start = self.pos;
        let Some(&first) = self.bytes.get(start) else {
            return self.token(TokenKind::End, start);
        };
        let class = CLASS[usize::from(first)];
        if class & (IDENT_START | SIGIL) != 0 {
            self.pos += 1;
            self.skip_ident();
            // A lone `%` is an operator, a lone `_` the sink, a lone `$` nothing.
            if class & SIGIL != 0 && self.pos == start + 1 && first != b'_' {
                return self.token(TokenKind::Punct(first), start);
            }
            return self.word(TokenKind::Ident, start);
        }
        if class & DIGIT != 0 {
            self.skip_number();
            return self.word(TokenKind::Number, start);
        }
        match first {
            b'.' if self.class(1) & IDENT != 0 => {
                self.pos += 1;
                self.skip_word();
                self.word(TokenKind::Dotted, start)
            }
            b'"' => self.string(start),
            _ => {
                self.pos += 1;
                self.token(TokenKind::Punct(first), start)
            }
        }
    }

    /// A token that is copied into names and messages.
    fn word(&self, kind: TokenKind, start: usize) -> Token {
        let long = self.pos - start > MAX_WORD;
        self.token(if long { TokenKind::TooLong } else { kind }, start)
    }

    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token {
            kind,
            span: Span::new(start as u32, self.pos as u32),
        }
    }

    fn skip_ident(&mut self) {
        while self.class(0) & IDENT != 0 {
            self.pos += 1;
        }
    }

    /// A word with `::` inside: `shared::cluster`; after digits `:` and more digits: `sp::2:4`.
    fn skip_word(&mut self) {
        self.skip_ident();
        while self.byte(0) == b':' && self.byte(1) == b':' && self.class(2) & IDENT != 0 {
            self.pos += 2;
            let part = self.pos;
            self.skip_ident();
            let digits = self.bytes[part..self.pos].iter().all(u8::is_ascii_digit);
            if digits && self.byte(0) == b':' && self.class(1) & DIGIT != 0 {
                self.pos += 1;
                self.skip_ident();
            }
        }
    }

    /// Modifiers right after an opcode: `.global.v4.f32`, up to the first byte that is none.
    pub fn skip_modifiers(&mut self) {
        while self.byte(0) == b'.' && self.class(1) & IDENT != 0 {
            self.pos += 1;
            self.skip_word();
        }
    }

    /// Digits, letters (hexadecimal, suffixes), a fraction and an exponent. Whether it is a number
    /// that PTX knows is found out when it is used.
    fn skip_number(&mut self) {
        let start = self.pos;
        while self.class(0) & DIGIT != 0 {
            self.pos += 1;
        }
        let plain = self.class(0) & IDENT == 0;
        if plain && self.byte(0) != b'.' {
            return;
        }
        self.skip_ident();
        // `64.visible` is the number `64.` and a word, as ptxas reads it: an error, not two tokens.
        if plain && self.byte(0) == b'.' {
            self.pos += 1;
            self.skip_ident();
        }
        let exponent = matches!(self.bytes[self.pos - 1], b'e' | b'E')
            && !self.bytes[start..].starts_with(b"0x");
        if exponent && matches!(self.byte(0), b'+' | b'-') && self.class(1) & DIGIT != 0 {
            self.pos += 1;
            self.skip_ident();
        }
    }

    /// Everything up to the next quote: there are no escapes, and lines may end inside.
    fn string(&mut self, start: usize) -> Token {
        let rest = &self.bytes[start + 1..];
        match memchr::memchr(b'"', rest) {
            Some(len) => {
                self.pos = start + len + 2;
                let kind = if rest[..len].is_ascii() {
                    TokenKind::Str
                } else {
                    TokenKind::BadString
                };
                self.token(kind, start)
            }
            None => {
                self.pos = self.bytes.len();
                self.token(TokenKind::Unclosed, start)
            }
        }
    }

    /// Reads the token at `start` as a number: `.5e-3` looks like a dotted word at first.
    pub fn renumber(&mut self, start: u32) -> Span {
        self.pos = start as usize + 1;
        self.skip_number();
        Span::new(start, self.pos as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut list = Vec::new();
        loop {
            let token = lexer.next_token();
            if token.kind == TokenKind::End {
                return list;
            }
            list.push((
                token.kind,
                &text[token.span.start as usize..token.span.end as usize],
            ));
        }
    }

    #[test]
    fn tokens() {
        use TokenKind::*;
        assert_eq!(
            kinds("ld.shared::cta.b32 %r1, [a+0x1F]; // x\n/* y */ 1.5e-3 \"s t\""),
            vec![
                (Ident, "ld"),
                (Dotted, ".shared::cta"),
                (Dotted, ".b32"),
                (Ident, "%r1"),
                (Punct(b','), ","),
                (Punct(b'['), "["),
                (Ident, "a"),
                (Punct(b'+'), "+"),
                (Number, "0x1F"),
                (Punct(b']'), "]"),
                (Punct(b';'), ";"),
                (Number, "1.5e-3"),
                (Str, "\"s t\""),
            ]
        );
    }

    #[test]
    fn unclosed() {
        assert_eq!(kinds("a /* b").last().unwrap().0, TokenKind::Unclosed);
        assert_eq!(kinds("\"abc\n x")[0].0, TokenKind::Unclosed);
        assert_eq!(kinds("\"a\u{e9}\"")[0].0, TokenKind::BadString);
    }

    #[test]
    fn line_markers_vanish() {
        assert_eq!(kinds("# 1 \"x.cu\" 2\na #line 3 \"y\"\n b").len(), 2);
        assert_eq!(kinds("#pragma x").len(), 3);
    }

    #[test]
    fn every_byte_makes_progress() {
        for b in 0..=255u8 {
            let bytes = [b, b, b];
            let mut lexer = Lexer::new(&bytes);
            for _ in 0..4 {
                lexer.next_token();
            }
            assert_eq!(lexer.next_token().kind, TokenKind::End, "{b}");
        }
    }
}
