//! Operands, as they are written; what they mean is found out later.

use super::constant::Constant;
use super::{Parse, Parser};
use crate::inst::{Operand, OperandRange, Part, Sign};
use crate::lex::TokenKind;
use warpc_diag::codes;

/// More elements than any vector, address or argument list of PTX has, and few enough that no
/// input can make one instruction eat the memory.
const MAX_ITEMS: usize = 4096;

impl Parser<'_> {
    /// `operand (, operand)*`, up to what cannot follow. Leaves them in the body.
    pub(super) fn operand_list(&mut self) -> Parse<OperandRange> {
        let base = self.pending.len();
        loop {
            self.push_operand(base)?;
            if !self.eat(b',') {
                return Ok(self.settle(base));
            }
        }
    }

    fn push_operand(&mut self, base: usize) -> Parse<()> {
        let start = self.token.span;
        let operand = self.operand()?;
        if self.pending.len() - base >= MAX_ITEMS {
            let message = format!("more than {MAX_ITEMS} operands in one list");
            let help = "`warpc explain NAME` shows what an instruction takes";
            return Err(self.fail(codes::WRONG_OPERANDS, self.since(start), message, help));
        }
        self.pending.push((operand, self.since(start)));
        Ok(())
    }

    /// Moves pending operands to the body, where they lie next to each other.
    fn settle(&mut self, base: usize) -> OperandRange {
        let start = self.body.operands.len() as u32;
        let len = (self.pending.len() - base) as u16;
        for (operand, span) in self.pending.drain(base..) {
            self.body.operands.push(operand);
            self.body.operand_spans.0.push(span);
        }
        OperandRange { start, len }
    }

    /// `simple`, `simple|simple`, `{…}`, `[…]`, `(…)`
    fn operand(&mut self) -> Parse<Operand> {
        let start = self.token.span;
        let first = match self.token.kind {
            TokenKind::Punct(b'{') => self.vector()?,
            TokenKind::Punct(b'[') => return self.address(),
            _ => self.simple()?,
        };
        if !self.token.is(b'|') {
            return Ok(first);
        }
        let base = self.pending.len();
        self.pending.push((first, self.since(start)));
        self.advance();
        let second_start = self.token.span;
        let second = self.simple()?;
        let whole = |operand: &Operand| !matches!(operand, Operand::Name { part, .. } if *part != Part::Whole);
        if !whole(&first) || !whole(&second) || (first == Operand::Sink && second == Operand::Sink)
        {
            let message = "the two results of `a|b` are whole registers, one of which may be `_`";
            let help = "`warpc explain NAME` shows what an instruction takes";
            return Err(self.fail(codes::WRONG_OPERANDS, self.since(start), message, help));
        }
        self.pending.push((second, self.since(second_start)));
        Ok(Operand::Pair(self.settle(base)))
    }

    /// A name or a constant.
    fn simple(&mut self) -> Parse<Operand> {
        match self.token.kind {
            TokenKind::Ident if self.lexer.slice(self.token.span) != b"WARP_SZ" => {
                self.name(Sign::Plain)
            }
            TokenKind::Punct(sign @ (b'!' | b'-')) if self.name_follows() => {
                self.advance();
                self.name(if sign == b'!' { Sign::Not } else { Sign::Minus })
            }
            // `.5` is a number.
            TokenKind::Dotted if self.text().as_bytes()[1].is_ascii_digit() => {
                Ok(constant_operand(self.constant()?))
            }
            TokenKind::Ident
            | TokenKind::Number
            | TokenKind::Punct(b'(' | b'-' | b'+' | b'~' | b'!') => {
                Ok(constant_operand(self.constant()?))
            }
            _ => Err(self.unexpected("an operand")),
        }
    }

    /// Whether a name comes right after the current token.
    fn name_follows(&self) -> bool {
        let next = self.lexer.clone().next_token();
        next.kind == TokenKind::Ident && self.lexer.text(next.span) != "WARP_SZ"
    }

    fn name(&mut self, sign: Sign) -> Parse<Operand> {
        let token = self.advance();
        let text = self.lexer.slice(token.span);
        if text == b"_" && sign == Sign::Plain {
            return Ok(Operand::Sink);
        }
        let symbol = self.module.symbols.intern_ascii(text);
        let mut part = Part::Whole;
        if self.token.kind == TokenKind::Dotted {
            let dotted = self.token.span;
            let Some(found) = Part::find(&self.lexer.slice(dotted)[1..]) else {
                let help = "elements of a vector are .x .y .z .w; bytes and halves of a video operand .b0, .h1, .h10, .b3210 and the like";
                let message = format!("`{}` is not a part of a register", self.lexer.text(dotted));
                return Err(self.fail(codes::SYNTAX, dotted, message, help));
            };
            part = found;
            self.advance();
        }
        let name = Operand::Name { symbol, part, sign };
        if part != Part::Whole || sign != Sign::Plain || self.in_address {
            return Ok(name);
        }
        match self.token.kind {
            TokenKind::Punct(b'+') => {
                let base = self.pending.len();
                self.pending.push((name, token.span));
                self.push_offset()?;
                Ok(Operand::Offset(self.settle(base)))
            }
            TokenKind::Punct(b'[') => {
                let base = self.pending.len();
                self.pending.push((name, token.span));
                self.advance();
                self.in_address = true;
                let index = self.index();
                self.in_address = false;
                index?;
                self.expect(b']')?;
                Ok(Operand::Element(self.settle(base)))
            }
            _ => Ok(name),
        }
    }

    /// What stands between the brackets of `a[…]`: a constant, a register, or both.
    fn index(&mut self) -> Parse<()> {
        let start = self.token.span;
        let index = self.simple()?;
        self.pending.push((index, self.since(start)));
        if self.token.is(b'+') {
            self.push_offset()?;
        }
        Ok(())
    }

    /// `+4`, `+-4`: only a plus sign starts an offset.
    fn push_offset(&mut self) -> Parse<()> {
        let start = self.expect(b'+')?;
        let offset = self.int()?;
        self.pending.push((Operand::Int(offset), self.since(start)));
        Ok(())
    }

    /// `{a, b}`
    fn vector(&mut self) -> Parse<Operand> {
        self.expect(b'{')?;
        let base = self.pending.len();
        loop {
            if matches!(self.token.kind, TokenKind::Punct(b'{' | b'[')) {
                return Err(self.unexpected("a register or constant"));
            }
            self.push_operand(base)?;
            if self.eat(b'}') {
                return Ok(Operand::Vector(self.settle(base)));
            }
            if !self.eat(b',') {
                let failed = self.unexpected("`,` or `}`");
                self.skip_vector();
                return Err(failed);
            }
        }
    }

    /// A brace inside an operand must not look like the end of a block to whoever goes on.
    fn skip_vector(&mut self) {
        while !matches!(
            self.token.kind,
            TokenKind::End | TokenKind::Punct(b';' | b'}' | b'{')
        ) {
            self.advance();
        }
        self.eat(b'}');
    }

    /// `[base]`, `[base+4]`, `[base-4]`, `[a, b, {c}]`, each with `.unified` after it.
    fn address(&mut self) -> Parse<Operand> {
        self.expect(b'[')?;
        let base = self.pending.len();
        if self.token.is(b'{') {
            return Err(self.unexpected("an address"));
        }
        let start = self.token.span;
        self.in_address = true;
        let first = self.simple();
        self.in_address = false;
        self.pending.push((first?, self.since(start)));
        if self.token.is(b',') {
            while self.eat(b',') {
                let start = self.token.span;
                let item = if self.token.is(b'{') {
                    self.vector()?
                } else {
                    self.simple()?
                };
                self.pending.push((item, self.since(start)));
                if self.pending.len() - base > MAX_ITEMS {
                    return Err(self.unexpected("`]`"));
                }
            }
            self.expect(b']')?;
            return Ok(Operand::Group(self.settle(base)));
        }
        if self.token.is(b'+') {
            self.push_offset()?;
        } else if self.token.is(b'-') {
            let help = "a negative offset is written `[a+-4]`";
            return Err(self.fail(
                codes::SYNTAX,
                self.token.span,
                "an address has no `-`",
                help,
            ));
        }
        self.expect(b']')?;
        let unified = self.text() == ".unified";
        if unified {
            self.advance();
        }
        Ok(Operand::Address {
            items: self.settle(base),
            unified,
        })
    }

    /// `(a, b)`: arguments or results of a call.
    pub(super) fn argument_list(&mut self) -> Parse<Operand> {
        self.expect(b'(')?;
        let base = self.pending.len();
        if !self.eat(b')') {
            loop {
                self.push_operand(base)?;
                if self.eat(b')') {
                    break;
                }
                self.expect(b',')?;
            }
        }
        Ok(Operand::List(self.settle(base)))
    }

    /// `call{.uni} {(results),} callee {, (arguments)} {, prototype}`: the one instruction whose
    /// operands have parentheses.
    pub(super) fn call_operands(&mut self) -> Parse<OperandRange> {
        let base = self.pending.len();
        loop {
            let start = self.token.span;
            let operand = if self.token.is(b'(') {
                self.argument_list()?
            } else {
                self.simple()?
            };
            self.pending.push((operand, self.since(start)));
            if self.pending.len() - base > 8 {
                return Err(self.unexpected("`;`"));
            }
            if !self.eat(b',') {
                return Ok(self.settle(base));
            }
        }
    }
}

fn constant_operand(value: Constant) -> Operand {
    match value {
        Constant::Int(int) => Operand::Int(int),
        Constant::F32(bits) => Operand::F32(bits),
        Constant::F64(bits) => Operand::F64(bits),
    }
}
