//! The buffer everything is printed into: numbers, names and strings as LLVM writes them.

/// Text under construction. It only grows; nothing is formatted elsewhere and copied.
#[derive(Debug, Default)]
pub(super) struct Text {
    bytes: Vec<u8>,
    /// Where the line that is being written starts.
    line: usize,
}

/// Which bytes of a name need no quotes.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        plain[byte] = c.is_ascii_alphanumeric() || matches!(c, b'-' | b'.' | b'_');
        byte += 1;
    }
    plain
};

const HEX: &[u8; 16] = b"0123456789ABCDEF";

impl Text {
    pub(super) fn with_capacity(bytes: usize) -> Text {
        Text {
            bytes: Vec::with_capacity(bytes),
            line: 0,
        }
    }

    /// The text. All that is not ASCII was escaped, unless a pass made words of other letters.
    pub(super) fn finish(self) -> String {
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// What was written after a place.
    pub(super) fn since(&self, start: usize) -> &[u8] {
        &self.bytes[start..]
    }

    #[inline]
    pub(super) fn str(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    #[inline]
    pub(super) fn bytes(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
    }

    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// `, ` before all but the first item of a list.
    #[inline]
    pub(super) fn comma(&mut self, index: usize) {
        if index != 0 {
            self.str(", ");
        }
    }

    pub(super) fn newline(&mut self) {
        self.byte(b'\n');
        self.line = self.bytes.len();
    }

    /// An empty line between two parts of the module.
    pub(super) fn gap(&mut self) {
        if !self.bytes.is_empty() {
            self.newline();
        }
    }

    /// Fills the line with blanks up to a column; one blank at least.
    pub(super) fn pad_to(&mut self, column: usize) {
        let width = self.bytes.len() - self.line;
        let blanks = column.saturating_sub(width).max(1);
        self.bytes.resize(self.bytes.len() + blanks, b' ');
    }

    #[inline]
    pub(super) fn number(&mut self, mut value: u64) {
        if value < 10 {
            return self.byte(b'0' + value as u8);
        }
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        while value != 0 {
            at -= 1;
            digits[at] = b'0' + (value % 10) as u8;
            value /= 10;
        }
        self.bytes(&digits[at..]);
    }

    pub(super) fn signed(&mut self, value: i64) {
        if value < 0 {
            self.byte(b'-');
        }
        self.number(value.unsigned_abs());
    }

    /// The low digits of a number in base 16, with zeros in front.
    pub(super) fn hex(&mut self, value: u64, digits: u32) {
        for digit in (0..digits).rev() {
            self.byte(HEX[(value >> (4 * digit)) as usize & 15]);
        }
    }

    /// A string between quotes.
    pub(super) fn quoted(&mut self, text: &[u8]) {
        self.byte(b'"');
        self.escaped(text);
        self.byte(b'"');
    }

    fn escaped(&mut self, text: &[u8]) {
        let mut rest = text;
        while let Some(at) = rest
            .iter()
            .position(|&c| !matches!(c, b' '..=b'~') || c == b'"' || c == b'\\')
        {
            self.bytes(&rest[..at]);
            match rest[at] {
                b'\\' => self.str("\\\\"),
                other => self.escape(other),
            }
            rest = &rest[at + 1..];
        }
        self.bytes(rest);
    }

    fn escape(&mut self, byte: u8) {
        self.byte(b'\\');
        self.hex(u64::from(byte), 2);
    }

    /// The name of a value, type, block or comdat after its sigil, quoted if it must be.
    #[inline]
    pub(super) fn name(&mut self, name: &[u8]) {
        let plain = name.iter().all(|&c| PLAIN[usize::from(c)]);
        match name.first() {
            Some(first) if plain && !first.is_ascii_digit() => self.bytes(name),
            _ => self.quoted(name),
        }
    }

    /// The name of named metadata or of a kind of metadata.
    pub(super) fn metadata_name(&mut self, name: &[u8]) {
        for (index, &c) in name.iter().enumerate() {
            let letter = c.is_ascii_alphabetic() || matches!(c, b'-' | b'$' | b'.' | b'_');
            if letter || (index != 0 && c.is_ascii_digit()) {
                self.byte(c);
            } else {
                self.escape(c);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Text)) -> String {
        let mut text = Text::default();
        write(&mut text);
        text.finish()
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        assert_eq!(written(|t| t.name(b"a.b-c_1")), "a.b-c_1");
        assert_eq!(written(|t| t.name(b"1a")), "\"1a\"");
        assert_eq!(written(|t| t.name(b"a$b")), "\"a$b\"");
        assert_eq!(written(|t| t.name(b"\x01\"\\\xff")), r#""\01\22\\\FF""#);
        assert_eq!(written(|t| t.name(b"")), "\"\"");
        assert_eq!(written(|t| t.metadata_name(b"9a b$9")), r"\39a\20b$9");
    }

    #[test]
    fn numbers_and_columns() {
        assert_eq!(written(|t| t.signed(i64::MIN)), i64::MIN.to_string());
        assert_eq!(written(|t| t.number(u64::MAX)), u64::MAX.to_string());
        assert_eq!(written(|t| t.number(10)), "10");
        assert_eq!(written(|t| t.hex(0xabc, 4)), "0ABC");
        let padded = written(|t| {
            t.str("first");
            t.newline();
            t.str("b:");
            t.pad_to(5);
            t.str(";");
        });
        assert_eq!(padded, "first\nb:   ;");
    }
}
