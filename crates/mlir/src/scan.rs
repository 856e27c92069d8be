//! The words of MLIR's text.
//!
//! MLIR has no fixed set of tokens: `4xf32` is a number inside `vector<…>` and two words elsewhere. So there is
//! no list of tokens; the parser asks for what it wants at a place, and the scanner says whether it is there.

use warpc_diag::Span;

/// A place in the text.
#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    pos: usize,
}

/// Whether a byte may stand in a word; words are `a-z`, digits, `_`, `$` and `.`.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, pos: 0 }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Where the next thing stands.
    pub fn place(&mut self) -> usize {
        self.skip();
        self.pos
    }

    /// Where the scanner stands, blanks not skipped.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Goes to a place.
    pub fn go(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// The next word or character, to point at.
    pub fn span(&mut self) -> Span {
        self.skip();
        let rest = &self.text[self.pos..];
        let word = rest.bytes().take_while(|&byte| in_word(byte)).count();
        let len = match word {
            0 => rest.chars().next().map_or(0, char::len_utf8),
            len => len,
        };
        Span::new(self.pos as u32, (self.pos + len) as u32)
    }

    fn byte(&self, ahead: usize) -> u8 {
        *self.text.as_bytes().get(self.pos + ahead).unwrap_or(&0)
    }

    /// Skips blanks and comments.
    pub fn skip(&mut self) {
        loop {
            match self.byte(0) {
                b' ' | b'\t' | b'\n' | b'\r' => self.pos += 1,
                b'/' if self.byte(1) == b'/' => {
                    let rest = &self.text.as_bytes()[self.pos..];
                    let line = rest.iter().position(|&byte| byte == b'\n');
                    self.pos += line.unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    pub fn at_end(&mut self) -> bool {
        self.skip();
        self.pos >= self.text.len()
    }

    /// The next character that is not a blank; 0 at the end.
    pub fn peek(&mut self) -> u8 {
        self.skip();
        self.byte(0)
    }

    /// Takes a mark such as `(` or `->`, or a word, if it is next.
    pub fn eat(&mut self, wanted: &str) -> bool {
        self.skip();
        let rest = &self.text[self.pos..];
        if !rest.starts_with(wanted) {
            return false;
        }
        let last = wanted.as_bytes().last().copied().unwrap_or(b' ');
        if in_word(last) && in_word(self.byte(wanted.len())) {
            return false;
        }
        self.pos += wanted.len();
        true
    }

    /// Whether a mark or word is next.
    pub fn at(&mut self, wanted: &str) -> bool {
        let before = self.pos;
        let there = self.eat(wanted);
        self.pos = before;
        there
    }

    /// Takes a word that starts with a letter.
    pub fn word(&mut self) -> Option<&'a str> {
        self.skip();
        let first = self.byte(0);
        if !(first.is_ascii_alphabetic() || first == b'_') {
            return None;
        }
        Some(self.rest_of_word())
    }

    /// The next word, not taken.
    pub fn peek_word(&mut self) -> Option<&'a str> {
        let before = self.pos;
        let word = self.word();
        self.pos = before;
        word
    }

    /// Everything up to the end of the word, from here on.
    pub fn rest_of_word(&mut self) -> &'a str {
        let rest = &self.text[self.pos..];
        let len = rest.bytes().take_while(|&byte| in_word(byte)).count();
        self.pos += len;
        &rest[..len]
    }

    /// Takes a name with a mark before it: `%x`, `^bb0`, `#map`, `!t`. Without the mark.
    pub fn marked(&mut self, mark: u8) -> Option<&'a str> {
        self.skip();
        let next = self.byte(1);
        let name = in_word(next) || (next == b'-' && in_word(self.byte(2)));
        if self.byte(0) != mark || !name {
            return None;
        }
        self.pos += 1;
        let rest = &self.text[self.pos..];
        // Names of values may contain `-`, but not end a word before `->`.
        let bytes = rest.as_bytes();
        let mut len = 0;
        while len < bytes.len()
            && (in_word(bytes[len]) || (bytes[len] == b'-' && bytes.get(len + 1) != Some(&b'>')))
        {
            len += 1;
        }
        self.pos += len;
        Some(&rest[..len])
    }

    /// Takes digits.
    pub fn digits(&mut self) -> Option<&'a str> {
        self.skip();
        let rest = &self.text[self.pos..];
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        if len == 0 {
            return None;
        }
        self.pos += len;
        Some(&rest[..len])
    }

    /// Takes a number as it is spelled: `-1`, `0x1F`, `1.5e-3`.
    pub fn number(&mut self) -> Option<&'a str> {
        self.skip();
        let start = self.pos;
        let sign = usize::from(self.byte(0) == b'-');
        if !self.byte(sign).is_ascii_digit() {
            return None;
        }
        self.pos += sign;
        if self.byte(0) == b'0' && self.byte(1) == b'x' && self.byte(2).is_ascii_hexdigit() {
            self.pos += 2;
            while self.byte(0).is_ascii_hexdigit() {
                self.pos += 1;
            }
            return Some(&self.text[start..self.pos]);
        }
        while self.byte(0).is_ascii_digit() {
            self.pos += 1;
        }
        if self.byte(0) == b'.' {
            self.pos += 1;
            while self.byte(0).is_ascii_digit() {
                self.pos += 1;
            }
            let sign = usize::from(matches!(self.byte(1), b'-' | b'+'));
            if matches!(self.byte(0), b'e' | b'E') && self.byte(1 + sign).is_ascii_digit() {
                self.pos += 1 + sign;
                while self.byte(0).is_ascii_digit() {
                    self.pos += 1;
                }
            }
        }
        Some(&self.text[start..self.pos])
    }

    /// Takes a string: its bytes, escapes resolved. `None` if there is none or it does not end.
    pub fn string(&mut self) -> Option<Vec<u8>> {
        self.skip();
        if self.byte(0) != b'"' {
            return None;
        }
        let bytes = self.text.as_bytes();
        let mut at = self.pos + 1;
        let mut value = Vec::new();
        loop {
            let byte = *bytes.get(at)?;
            at += 1;
            match byte {
                b'"' => break,
                b'\n' => return None,
                b'\\' => {
                    let escaped = *bytes.get(at)?;
                    let hex = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
                    let second = bytes.get(at + 1).copied().and_then(hex);
                    match (escaped, hex(escaped), second) {
                        (_, Some(high), Some(low)) => {
                            value.push(high * 16 + low);
                            at += 2;
                            continue;
                        }
                        (b'n', ..) => value.push(b'\n'),
                        (b't', ..) => value.push(b'\t'),
                        (b'"' | b'\\', ..) => value.push(escaped),
                        _ => return None,
                    }
                    at += 1;
                }
                byte => value.push(byte),
            }
        }
        self.pos = at;
        Some(value)
    }

    /// Takes everything up to the bracket that closes the one just taken, and the bracket. Brackets in strings do
    /// not count, nor does the `>` of an arrow.
    pub fn up_to_closing(&mut self) -> Option<&'a str> {
        let start = self.pos;
        let mut depth = 0usize;
        loop {
            self.skip();
            match self.byte(0) {
                0 if self.pos >= self.text.len() => return None,
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'-' if self.byte(1) == b'>' => self.pos += 1,
                b'<' | b'(' | b'[' | b'{' => depth += 1,
                b'>' | b')' | b']' | b'}' if depth == 0 => {
                    let inside = &self.text[start..self.pos];
                    self.pos += 1;
                    return Some(inside);
                }
                b'>' | b')' | b']' | b'}' => depth -= 1,
                _ => {}
            }
            let rest = &self.text[self.pos..];
            self.pos += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_they_end() {
        let mut scanner = Scanner::new("to total -> %a-b->");
        assert!(scanner.eat("to"));
        assert!(!scanner.eat("to"));
        assert_eq!(scanner.word(), Some("total"));
        assert!(scanner.eat("->"));
        assert_eq!(scanner.marked(b'%'), Some("a-b"));
        assert!(scanner.eat("->") && scanner.at_end());
    }

    #[test]
    fn strings_and_numbers() {
        let mut scanner = Scanner::new(r#""a\0A\"\n" -0.5e-3 0xFF 4xf32 // c"#);
        assert_eq!(scanner.string(), Some(b"a\n\"\n".to_vec()));
        assert_eq!(scanner.number(), Some("-0.5e-3"));
        assert_eq!(scanner.number(), Some("0xFF"));
        assert_eq!(scanner.digits(), Some("4"));
        assert_eq!(scanner.word(), Some("xf32"));
        assert!(scanner.at_end());
    }

    #[test]
    fn brackets_nest() {
        let mut scanner = Scanner::new(r#"a<b> -> ">" (c)> d"#);
        assert_eq!(scanner.up_to_closing(), Some(r#"a<b> -> ">" (c)"#));
        assert_eq!(scanner.word(), Some("d"));
        assert_eq!(Scanner::new("(").up_to_closing(), None);
    }
}
