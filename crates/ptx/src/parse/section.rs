//! Debug sections: data in `.section` blocks.

use super::{Parse, Parser};
use crate::inst::At;
use crate::lex::TokenKind;
use crate::module::{Section, SectionLine, SectionValue};
use crate::symbol::Symbol;
use crate::types::ScalarType;
use warpc_diag::codes;

impl Parser<'_> {
    /// `.section .debug_info { lines }`
    pub(super) fn section(&mut self) -> Parse<Section> {
        let start = self.token.span;
        self.advance();
        if self.token.kind != TokenKind::Dotted {
            return Err(self.unexpected("a section's name such as `.debug_info`"));
        }
        let name = self.text().to_owned();
        self.advance();
        self.expect(b'{')?;
        let mut lines = Vec::new();
        while !self.eat(b'}') {
            lines.push(self.section_line()?);
        }
        Ok(Section {
            name,
            lines,
            at: At(self.since(start)),
        })
    }

    fn section_line(&mut self) -> Parse<SectionLine> {
        if self.token.kind == TokenKind::Ident {
            let (symbol, _) = self.expect_ident("a label")?;
            self.expect(b':')?;
            return Ok(SectionLine::Label(symbol));
        }
        let ty = match self.text() {
            ".b8" => ScalarType::B8,
            ".b16" => ScalarType::B16,
            ".b32" => ScalarType::B32,
            ".b64" => ScalarType::B64,
            _ => return Err(self.unexpected("`.b8`, `.b16`, `.b32`, `.b64`, a label or `}`")),
        };
        self.advance();
        let mut values = Vec::new();
        loop {
            values.push(self.section_value(ty)?);
            if !self.eat(b',') {
                return Ok(SectionLine::Data(ty, values));
            }
        }
    }

    /// `12`, `label`, `label+4`, `label-label`, `.debug_str+4`
    fn section_value(&mut self, ty: ScalarType) -> Parse<SectionValue> {
        let start = self.token.span;
        let negative = self.eat(b'-');
        if negative || self.token.kind == TokenKind::Number {
            let literal = self.literal()?;
            let value = if negative { literal.negated() } else { literal };
            let range = match ty {
                ScalarType::B8 => -128..=255,
                ScalarType::B16 => -32768..=65535,
                _ => i128::MIN..=i128::MAX,
            };
            if !range.contains(&value.value()) {
                let message = format!("{} does not fit into {ty}", value.value());
                let help = format!("it lies from {} to {}", range.start(), range.end());
                return Err(self.fail(codes::BAD_DIRECTIVE, self.since(start), message, help));
            }
            return Ok(SectionValue::Int(value));
        }
        if self.token.kind != TokenKind::Dotted {
            let (symbol, _) = self.expect_name("a label or a number")?;
            if self.eat(b'-') {
                let (other, _) = self.expect_name("a label")?;
                return Ok(SectionValue::Difference(symbol, other));
            }
            return self.section_offset(symbol);
        }
        let token = self.advance();
        let symbol = self.intern(token.span);
        self.section_offset(symbol)
    }

    /// `+4` behind a label or section, or nothing.
    fn section_offset(&mut self, symbol: Symbol) -> Parse<SectionValue> {
        let offset = if self.eat(b'+') {
            self.literal()?.bits as i64
        } else {
            0
        };
        Ok(SectionValue::Label(symbol, offset))
    }

    /// `@@DWARF …`: the debug lines of very old PTX.
    pub(super) fn dwarf_line(&mut self) -> Parse<()> {
        let span = self.token.span;
        let help = "PTX before 2.0 wrote debug data this way; use `.section`";
        Err(self.fail(
            codes::SYNTAX,
            span,
            "`@@DWARF` lines are not supported",
            help,
        ))
    }
}
