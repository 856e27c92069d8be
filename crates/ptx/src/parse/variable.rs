//! Declarations of variables, registers and parameters, and their initialisers.

use super::constant::Constant;
use super::{Parse, Parser, shorten};
use crate::inst::{At, Int};
use crate::lex::TokenKind;
use crate::module::{
    Attribute, FieldValue, InitAddress, InitField, InitItems, Initializer, Linkage, Pointee,
    Pointer, Space, Variable, VariableExtra,
};
use crate::types::ScalarType;
use warpc_diag::{Span, codes};

/// Braces of an initialiser may nest this deeply.
const MAX_INIT_DEPTH: usize = 64;

/// Array bounds a variable may have.
const MAX_DIMS: usize = 64;

/// What stands before the names of a declaration and holds for each of them.
struct Head {
    linkage: Linkage,
    space: Space,
    align: Option<u32>,
    attributes: Vec<Attribute>,
    vector: u8,
    ty: ScalarType,
    pointer: Option<Pointer>,
}

impl Parser<'_> {
    /// `.global .align 4 .v2 .f32 a, b[4] = {…};` from the state space to the semicolon.
    pub(super) fn variables(&mut self, linkage: Linkage, start: Span) -> Parse<Vec<Variable>> {
        let head = self.variable_head(linkage)?;
        let mut list = Vec::new();
        if self.eat(b';') {
            return Ok(list);
        }
        loop {
            list.push(self.variable(&head, start, true)?);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b';')?;
        Ok(list)
    }

    /// One parameter of a function: `.param .align 8 .b8 x[16]`, `.reg .f32 y`.
    pub(super) fn parameter(&mut self) -> Parse<Variable> {
        let start = self.token.span;
        if self.token.kind != TokenKind::Dotted {
            return Err(self.unexpected("`.param` or `.reg`"));
        }
        let head = self.variable_head(Linkage::Internal)?;
        self.variable(&head, start, false)
    }

    /// State space, `.align` and `.attribute` in any order, then vector and type, then `.ptr`.
    fn variable_head(&mut self, linkage: Linkage) -> Parse<Head> {
        let mut head = Head {
            linkage,
            space: Space::Reg,
            align: None,
            attributes: Vec::new(),
            vector: 1,
            ty: ScalarType::B32,
            pointer: None,
        };
        let mut space = None;
        loop {
            let span = self.token.span;
            match self.text() {
                ".align" => {
                    self.advance();
                    head.align = Some(self.alignment()?);
                }
                ".attribute" => {
                    self.advance();
                    head.attributes.extend(self.attributes()?);
                }
                ".reg" | ".const" | ".global" | ".local" | ".param" | ".shared" | ".tex" => {
                    let found = self.space()?;
                    if space.is_some() {
                        return Err(self.fail(
                            codes::BAD_DECLARATION,
                            span,
                            "a second state space",
                            "leave one of the two",
                        ));
                    }
                    space = Some(found);
                }
                _ => break,
            }
        }
        let Some(space) = space else {
            return Err(self.unexpected("a state space"));
        };
        head.space = space;
        if matches!(self.text(), ".v2" | ".v4") {
            head.vector = self.text().as_bytes()[2] - b'0';
            self.advance();
        }
        let span = self.token.span;
        let text = self.text();
        if self.token.kind != TokenKind::Dotted {
            return Err(self.unexpected("a type such as `.b32`"));
        }
        match ScalarType::find(&text[1..]) {
            Some(ty) => head.ty = ty,
            None => {
                let message = format!("`{}` is not a type a declaration can have", shorten(text));
                let help = match crate::suggest::nearest(&text[1..], ScalarType::ALL.iter().map(|ty| ty.name())) {
                    Some(near) => format!("did you mean `.{near}`?"),
                    None => "types are .b8 to .b128, .u8 to .u64, .s8 to .s64, .f16, .f16x2, .f32, .f64 and .pred".to_owned(),
                };
                return Err(self.fail(codes::BAD_DECLARATION, span, message, help));
            }
        }
        self.advance();
        if space == Space::Param && self.text() == ".ptr" {
            self.advance();
            head.pointer = Some(self.pointer()?);
        }
        Ok(head)
    }

    fn space(&mut self) -> Parse<Space> {
        let space = match self.text() {
            ".reg" => Space::Reg,
            ".const" => Space::Const,
            ".global" => Space::Global,
            ".local" => Space::Local,
            ".param" => Space::Param,
            ".shared" => Space::Shared,
            ".tex" => Space::Tex,
            _ => return Err(self.unexpected("a state space")),
        };
        self.advance();
        if space == Space::Const && self.eat(b'[') {
            let span = self.token.span;
            let bank = self.unsigned()?;
            self.expect(b']')?;
            return match u8::try_from(bank) {
                Ok(bank) if bank <= 10 => Ok(Space::ConstBank(bank)),
                _ => Err(self.fail(
                    codes::BAD_DECLARATION,
                    span,
                    "constant banks are numbered 0 to 10",
                    "write `.const`",
                )),
            };
        }
        Ok(space)
    }

    fn alignment(&mut self) -> Parse<u32> {
        let span = self.token.span;
        let value = self.unsigned()?;
        match u32::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => Err(self.fail(
                codes::BAD_DECLARATION,
                span,
                "the alignment is too large",
                "write a power of two such as 16",
            )),
        }
    }

    /// `(.managed, .unified(1, 2))`
    pub(super) fn attributes(&mut self) -> Parse<Vec<Attribute>> {
        self.expect(b'(')?;
        let mut list = Vec::new();
        loop {
            match self.text() {
                ".managed" => {
                    self.advance();
                    list.push(Attribute::Managed);
                }
                ".unified" => {
                    self.advance();
                    self.expect(b'(')?;
                    let high = self.unsigned()?;
                    self.expect(b',')?;
                    let low = self.unsigned()?;
                    self.expect(b')')?;
                    list.push(Attribute::Unified(high, low));
                }
                _ => return Err(self.unexpected("`.managed` or `.unified`")),
            }
            if self.eat(b')') {
                return Ok(list);
            }
            self.expect(b',')?;
        }
    }

    /// `.ptr .global .align 16`, `.ptr .texref`
    fn pointer(&mut self) -> Parse<Pointer> {
        let mut pointer = Pointer {
            pointee: None,
            align: None,
        };
        let opaque = match self.text() {
            ".const" | ".global" | ".local" | ".shared" => {
                pointer.pointee = Some(Pointee::Space(self.space()?));
                None
            }
            ".texref" => Some(ScalarType::TexRef),
            ".samplerref" => Some(ScalarType::SamplerRef),
            ".surfref" => Some(ScalarType::SurfRef),
            _ => None,
        };
        if let Some(ty) = opaque {
            self.advance();
            pointer.pointee = Some(Pointee::Opaque(ty));
        }
        if self.text() == ".align" {
            self.advance();
            pointer.align = Some(self.alignment()?);
        }
        Ok(pointer)
    }

    fn variable(&mut self, head: &Head, start: Span, may_have_value: bool) -> Parse<Variable> {
        // A parameter may be left without a name; where that is wrong the verifier says so.
        let (name, name_span) = if !may_have_value && self.text() == "_" {
            self.expect_ident("a name")?
        } else {
            self.expect_name("a name")?
        };
        let mut variable = Variable {
            linkage: head.linkage,
            space: head.space,
            align: head.align,
            vector: head.vector,
            ty: head.ty,
            name,
            range: None,
            dims: Vec::new(),
            extra: None,
            at: At(start),
            name_at: At(name_span),
        };
        let mut extra = VariableExtra {
            attributes: head.attributes.clone(),
            pointer: head.pointer,
            init: None,
        };
        if self.token.is(b'<') {
            self.advance();
            let span = self.token.span;
            let count = self.unsigned()?;
            self.expect(b'>')?;
            match u32::try_from(count) {
                Ok(count) => variable.range = Some(count),
                Err(_) => {
                    return Err(self.fail(
                        codes::BAD_DECLARATION,
                        span,
                        "too many registers",
                        "write a number below 4294967296",
                    ));
                }
            }
        }
        while self.eat(b'[') {
            let dim = if self.token.is(b']') {
                None
            } else {
                Some(self.unsigned()?)
            };
            self.expect(b']')?;
            variable.dims.push(dim);
            if variable.dims.len() > MAX_DIMS {
                return Err(self.fail(
                    codes::BAD_DECLARATION,
                    name_span,
                    "too many array bounds",
                    format!("at most {MAX_DIMS} are read; multiply some of them"),
                ));
            }
        }
        if may_have_value && self.eat(b'=') {
            extra.init = Some(self.initializer()?);
        }
        if extra != VariableExtra::default() {
            variable.extra = Some(Box::new(extra));
        }
        variable.at = At(self.since(start));
        Ok(variable)
    }

    fn initializer(&mut self) -> Parse<Initializer> {
        let start = self.token.span;
        let mut items = InitItems::default();
        let mut depth = 0usize;
        loop {
            if self.token.is(b'{') {
                depth += 1;
                if depth > MAX_INIT_DEPTH {
                    return Err(self.fail(
                        codes::TOO_DEEP,
                        self.token.span,
                        "the initialiser nests too deeply",
                        "one pair of braces a bound of the array",
                    ));
                }
                self.advance();
                items.open();
                if !self.token.is(b'}') {
                    continue;
                }
            } else {
                self.init_value(&mut items)?;
            }
            while depth > 0 && self.eat(b'}') {
                depth -= 1;
                items.close();
            }
            if depth == 0 {
                return Ok(Initializer {
                    items,
                    at: At(self.since(start)),
                });
            }
            self.expect(b',')?;
        }
    }

    fn init_value(&mut self, items: &mut InitItems) -> Parse<()> {
        // Tables of numbers can be megabytes: do not look ahead where one byte tells.
        let alone = matches!(
            self.lexer.byte_at(self.token.span.end),
            Some(b',' | b'}' | b';')
        );
        if alone && self.token.kind == TokenKind::Number {
            return self.init_constant(items);
        }
        let next = self.lexer.clone().next_token();
        if self.token.kind == TokenKind::Number && next.is(b'(') {
            let mask = self.unsigned()?;
            self.expect(b'(')?;
            if self.token.kind != TokenKind::Ident || self.text() == "WARP_SZ" {
                // A masked number is the number's byte; nobody writes it, ptxas takes it.
                let value = self.int()?;
                self.expect(b')')?;
                let bits = (value.bits & mask) >> mask.trailing_zeros().min(63);
                items.int(Int { bits, ..value });
                return Ok(());
            }
            items.address(self.init_address(Some(mask))?);
            self.expect(b')')?;
            return Ok(());
        }
        if self.token.kind != TokenKind::Ident || self.text() == "WARP_SZ" {
            return self.init_constant(items);
        }
        if next.is(b'=') {
            items.field(self.init_field()?);
        } else {
            items.address(self.init_address(None)?);
        }
        Ok(())
    }

    fn init_constant(&mut self, items: &mut InitItems) -> Parse<()> {
        match self.constant()? {
            Constant::Int(int) => items.int(int),
            Constant::F32(bits) => items.f32(bits),
            Constant::F64(bits) => items.f64(bits),
        }
        Ok(())
    }

    /// `name`, `name+4`, `generic(name)`, `generic(name)+4`
    fn init_address(&mut self, mask: Option<u64>) -> Parse<InitAddress> {
        let next = self.lexer.clone().next_token();
        let generic = self.text() == "generic" && next.is(b'(');
        if generic {
            self.advance();
            self.advance();
        }
        let (symbol, span) = self.expect_ident("a variable or function")?;
        if generic {
            self.expect(b')')?;
        }
        let offset = if self.token.is(b'+') {
            self.init_offset()?
        } else {
            0
        };
        Ok(InitAddress {
            symbol,
            offset,
            generic,
            mask,
            at: At(span),
        })
    }

    fn init_offset(&mut self) -> Parse<i64> {
        self.eat(b'+');
        Ok(self.int()?.bits as i64)
    }

    /// `width = 4`
    fn init_field(&mut self) -> Parse<InitField> {
        let name = self.text().to_owned();
        self.advance();
        self.expect(b'=')?;
        let value = if self.token.kind == TokenKind::Ident {
            let word = self.text().to_owned();
            self.advance();
            FieldValue::Word(word)
        } else {
            FieldValue::Int(self.int()?)
        };
        Ok(InitField { name, value })
    }
}
