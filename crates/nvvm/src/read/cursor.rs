//! A place in the text, for lines that are read without tokens.
//!
//! LLVM prints a line always in the same way, with single blanks, so most of a line is compared with
//! what must stand there. What is written in another way is left to the reader of tokens, which starts
//! again at the same place; so the readers of lines say `None` and report nothing.

use super::number;
use crate::lex::{digits_end, name_end, word_end};

/// A place in the text.
pub(super) struct Cursor<'a> {
    pub bytes: &'a [u8],
    pub pos: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], pos: u32) -> Cursor<'a> {
        let pos = pos as usize;
        Cursor { bytes, pos }
    }

    /// Everything from here on.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.pos..]
    }

    pub fn byte(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// Goes after a text if it stands here.
    #[inline(always)]
    pub fn accept(&mut self, text: &[u8]) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.pos += text.len();
        }
        found
    }

    /// Goes after a text that must stand here.
    #[inline(always)]
    pub fn expect(&mut self, text: &[u8]) -> Option<()> {
        self.accept(text).then_some(())
    }

    /// A number of few digits.
    #[inline]
    pub fn number(&mut self) -> Option<u64> {
        let end = digits_end(self.bytes, self.pos);
        let digits = &self.bytes[self.pos..end];
        if digits.len() > 18 {
            return None;
        }
        self.pos = end;
        number::decimal(digits)
    }

    /// `"text"`, without the quotes.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let inner = self.rest().strip_prefix(b"\"")?;
        let len = memchr::memchr(b'"', inner)?;
        self.pos += len + 2;
        Some(&inner[..len])
    }

    /// Letters, digits and `_`.
    pub fn word(&mut self) -> &'a [u8] {
        let end = word_end(self.bytes, self.pos);
        let word = &self.bytes[self.pos..end];
        self.pos = end;
        word
    }

    /// Letters, digits and `_ - $ .`.
    pub fn name(&mut self) -> &'a [u8] {
        let end = name_end(self.bytes, self.pos);
        let name = &self.bytes[self.pos..end];
        self.pos = end;
        name
    }

    /// Whether the line ends here.
    pub fn at_line_end(&self) -> bool {
        matches!(self.byte(), Some(b'\n') | None)
    }
}
