//! Debug sections: data in `.section` blocks. A line holds numbers, or one address.

use super::{Parse, Parser};
use crate::inst::{At, Int};
use crate::lex::TokenKind;
use crate::module::{Section, SectionLine};
use crate::types::ScalarType;
use warpc_diag::{Span, codes};

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
        let start = self.token.span;
        if self.token.kind == TokenKind::Ident {
            let (symbol, span) = self.expect_name("a label")?;
            self.expect(b':')?;
            return Ok(SectionLine::Label(symbol, At(span)));
        }
        let ty = match self.text() {
            ".b8" => ScalarType::B8,
            ".b16" => ScalarType::B16,
            ".b32" => ScalarType::B32,
            ".b64" => ScalarType::B64,
            _ => return Err(self.unexpected("`.b8`, `.b16`, `.b32`, `.b64`, a label or `}`")),
        };
        self.advance();
        if matches!(self.token.kind, TokenKind::Ident | TokenKind::Dotted) {
            return self.section_address(ty, start);
        }
        // Mostly there is one.
        let mut values = Vec::with_capacity(1);
        loop {
            values.push(self.section_number(ty)?);
            if !self.eat(b',') {
                return Ok(SectionLine::Numbers(ty, values, At(self.since(start))));
            }
        }
    }

    /// `12`, `-3`
    fn section_number(&mut self, ty: ScalarType) -> Parse<Int> {
        let start = self.token.span;
        let negative = self.eat(b'-');
        let literal = self.literal()?;
        // After a sign stands a signed literal, no `1U` and no 2⁶³, and not zero; without one ptxas
        // leaves the larger types' numbers alone.
        let (value, range) = if negative {
            let smallest = match ty {
                ScalarType::B8 => i8::MIN.into(),
                ScalarType::B16 => i16::MIN.into(),
                ScalarType::B32 => i32::MIN.into(),
                _ => -i128::from(i64::MAX),
            };
            (-literal.value(), smallest..=-1)
        } else {
            let largest = match ty {
                ScalarType::B8 => u8::MAX.into(),
                ScalarType::B16 => u16::MAX.into(),
                _ => u64::MAX.into(),
            };
            (literal.value(), 0..=largest)
        };
        if !range.contains(&value) || (negative && literal.unsigned) {
            let message = match value {
                0 => "zero has no sign here".to_owned(),
                _ => format!("{value} does not fit into {ty}"),
            };
            let help = format!("it lies from {} to {}", range.start(), range.end());
            return Err(self.fail(codes::BAD_DIRECTIVE, self.since(start), message, help));
        }
        Ok(if negative { literal.negated() } else { literal })
    }

    /// `label`, `label+4`, `label-label`, `.debug_str+4`: alone on its line.
    fn section_address(&mut self, ty: ScalarType, start: Span) -> Parse<SectionLine> {
        let dotted = self.token.kind == TokenKind::Dotted;
        let (symbol, span) = if dotted {
            let span = self.advance().span;
            (self.intern(span), span)
        } else {
            self.expect_name("a label or a number")?
        };
        if !matches!(ty, ScalarType::B32 | ScalarType::B64) {
            let message = format!("an address does not fit into {ty}");
            return Err(self.fail(
                codes::BAD_DIRECTIVE,
                span,
                message,
                "write `.b32` or `.b64`",
            ));
        }
        if !dotted && self.eat(b'-') {
            let (other, _) = self.expect_name("a label")?;
            let at = At(self.since(start));
            return Ok(SectionLine::Difference(ty, [symbol, other], at));
        }
        let offset = if self.eat(b'+') {
            self.literal()?.bits as i64
        } else {
            0
        };
        let at = At(self.since(start));
        Ok(SectionLine::Address(ty, symbol, offset, at))
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
