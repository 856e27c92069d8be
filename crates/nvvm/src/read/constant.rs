//! Constants: numbers, aggregates, addresses. Expressions are in `expression`.

use super::body::Label;
use super::dense::Numbers;
use super::{Parse, PendingAddress, Reader, number};
use crate::constant::{BlockAddress, ConstId, ConstKind, dense_width};
use crate::index::Id;
use crate::lex::{Token, TokenKind, is_hex_float, is_hex_int, unescape};
use crate::module::{GlobalId, GlobalKind};
use crate::types::{Type, TypeId};
use warpc_diag::{Span, codes};

/// Decimal numbers have so many digits at most; hexadecimal ones may have any number.
pub(super) const MAX_DECIMAL_DIGITS: usize = 100_000;

impl Reader<'_> {
    /// A type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Parse<ConstId> {
        let ty = self.ty()?;
        self.constant(ty)
    }

    /// A constant of a known type.
    pub(super) fn constant(&mut self, ty: TypeId) -> Parse<ConstId> {
        match self.token.kind {
            TokenKind::Int => self.int(ty),
            TokenKind::Float => self.float(ty),
            TokenKind::GlobalName | TokenKind::GlobalNumber => {
                let token = self.advance();
                let global = self.global_at(token)?;
                self.address(global, ty, token.span)
            }
            TokenKind::Word => self.word_constant(ty),
            TokenKind::Punct(b'{' | b'[' | b'<') => self.deeper(|reader| reader.aggregate(ty)),
            TokenKind::LocalName | TokenKind::LocalNumber => {
                let help = "only instructions use the values of a function";
                let message = "a value of a function where a constant must stand";
                Err(self.fail(codes::IR_TYPE, self.token.span, message, help))
            }
            _ => Err(self.unexpected("a constant")),
        }
    }

    /// Reports that a constant does not have the type written before it.
    #[cold]
    pub(super) fn wrong_type(&mut self, span: Span, what: &str, ty: TypeId) -> super::Failed {
        let shown = crate::print::type_text(&self.module, ty);
        let message = format!("{what} is not a constant of type `{shown}`");
        self.fail(
            codes::IR_TYPE,
            span,
            message,
            "change the type or the constant",
        )
    }

    fn int(&mut self, ty: TypeId) -> Parse<ConstId> {
        let text = self.text();
        let span = self.token.span;
        let Type::Int(bits) = self.module.types.get(ty) else {
            return Err(self.wrong_type(span, "an integer", ty));
        };
        self.advance();
        let (negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        if digits.len() <= 18 && bits <= 64 {
            let value = number::decimal(digits).unwrap_or(0);
            let value = if negative {
                value.wrapping_neg()
            } else {
                value
            };
            return Ok(self.module.constants.int(ty, bits, &[value]));
        }
        // Reading takes time in the square of the digits.
        if digits.len() > MAX_DECIMAL_DIGITS {
            let message = format!("a number of more than {MAX_DECIMAL_DIGITS} decimal digits");
            let help = "write it in hexadecimal, `u0x…`";
            return Err(self.fail(codes::IR_NUMBER, span, message, help));
        }
        let mut words = number::decimal_words(digits);
        if negative {
            number::negate(&mut words, bits);
        }
        Ok(self.module.constants.int(ty, bits, &words))
    }

    /// `u0x1F` and `s0x1F`: the digits give the width; the second kind is signed.
    fn hex_int(&mut self, ty: TypeId) -> Parse<ConstId> {
        let text = self.text();
        let span = self.token.span;
        let Type::Int(bits) = self.module.types.get(ty) else {
            return Err(self.wrong_type(span, "an integer", ty));
        };
        self.advance();
        let digits = &text[3..];
        let mut words = number::hex_words(digits);
        let top = digits.len() * 4 - 1;
        let negative = text[0] == b's' && words[top / 64] >> (top % 64) & 1 == 1;
        if negative {
            words.resize((bits.div_ceil(64) as usize).max(words.len()), u64::MAX);
            if top % 64 != 63 {
                words[top / 64] |= u64::MAX << (top % 64);
            }
        }
        Ok(self.module.constants.int(ty, bits, &words))
    }

    fn float(&mut self, ty: TypeId) -> Parse<ConstId> {
        let words = self.float_words(ty)?;
        let bits = self.module.types.get(ty).float_bits().unwrap_or(64);
        Ok(self.module.constants.float(ty, bits, &words))
    }

    /// The bits of a floating-point number, the low word first.
    pub(super) fn float_words(&mut self, ty: TypeId) -> Parse<Vec<u64>> {
        let text = self.text();
        let span = self.token.span;
        let kind = self.module.types.get(ty);
        let Some(bits) = kind.float_bits() else {
            return Err(self.wrong_type(span, "a floating-point number", ty));
        };
        let words = match text {
            [
                b'0',
                b'x',
                format @ (b'H' | b'R' | b'K' | b'L' | b'M'),
                digits @ ..,
            ] => {
                let fits = match format {
                    b'H' => kind == Type::Half,
                    b'R' => kind == Type::BFloat,
                    b'K' => kind == Type::X86Fp80,
                    b'L' => kind == Type::Fp128,
                    _ => kind == Type::PpcFp128,
                };
                if !fits || digits.is_empty() {
                    return Err(self.wrong_type(span, "a number of another format", ty));
                }
                match format {
                    // The first sixteen digits are the low word.
                    b'L' | b'M' => {
                        let (low, high) = digits.split_at(digits.len().min(16));
                        vec![number::hex_words(low)[0], number::hex_words(high)[0]]
                    }
                    // The first four digits are sign and exponent.
                    b'K' => {
                        let (high, low) = digits.split_at(digits.len().min(4));
                        vec![number::hex_words(low)[0], number::hex_words(high)[0]]
                    }
                    _ => {
                        let words = number::hex_words(digits);
                        if words[0] >> 16 != 0 || words[1..].iter().any(|&word| word != 0) {
                            return Err(self.wrong_type(span, "a number of more than 16 bits", ty));
                        }
                        words
                    }
                }
            }
            [b'f', b'0', b'x', digits @ ..] => {
                if digits.len() as u32 * 4 != bits {
                    return Err(self.wrong_type(span, "a number of another width", ty));
                }
                number::hex_words(digits)
            }
            [sign @ (b'+' | b'-'), name @ ..] if name[0].is_ascii_alphabetic() => {
                let (name, payload) = match name.iter().position(|&c| c == b'(') {
                    Some(at) => (
                        &name[..at],
                        number::hex_words(&name[at + 3..name.len() - 1]),
                    ),
                    None => (name, Vec::new()),
                };
                match number::special(kind, *sign == b'-', name, &payload) {
                    Some(words) => words.to_vec(),
                    None => return Err(self.wrong_type(span, "such a number", ty)),
                }
            }
            [b'0', b'x', digits @ ..] => {
                let words = number::hex_words(digits);
                if words[1..].iter().any(|&word| word != 0) {
                    return Err(self.wrong_type(span, "a number of more than 64 bits", ty));
                }
                let value = f64::from_bits(words[0]);
                self.double_as(kind, value, ty, span)?
            }
            decimal => {
                let text = std::str::from_utf8(decimal).unwrap_or("0");
                match (format_of(kind), text.parse::<f64>()) {
                    // LLVM up to 22 refuses what is not exact, LLVM 23 writes and reads what is nearest.
                    (Some((exponent, mantissa)), Ok(_)) => {
                        match number::nearest(text, exponent, mantissa) {
                            Some(bits) => vec![bits],
                            None => {
                                let shown = crate::print::type_text(&self.module, ty);
                                let message = format!("no `{shown}` is near this number");
                                let help = "write zero or an infinity if it is meant";
                                return Err(self.fail(codes::IR_TYPE, span, message, help));
                            }
                        }
                    }
                    (None, Ok(value)) => self.double_as(kind, value, ty, span)?,
                    (_, Err(_)) => return Err(self.unexpected("a floating-point number")),
                }
            }
        };
        self.advance();
        Ok(words)
    }

    /// A number written as a `double` in another format, which must hold it exactly.
    fn double_as(&mut self, kind: Type, value: f64, ty: TypeId, span: Span) -> Parse<Vec<u64>> {
        let (exponent, mantissa) = match (kind, format_of(kind)) {
            (Type::Double, _) => return Ok(vec![value.to_bits()]),
            (_, Some(format)) => format,
            _ => return Err(self.wrong_type(span, "a number written as `double`", ty)),
        };
        let bits = number::narrow(value, exponent, mantissa);
        if number::widen(bits, exponent, mantissa).to_bits() != value.to_bits() {
            let shown = crate::print::type_text(&self.module, ty);
            return Err(self.fail(
                codes::IR_TYPE,
                span,
                format!("no `{shown}` is exactly this number"),
                "round it first, and write the result as the bits of a `double`: `0x3FB99999A0000000`",
            ));
        }
        Ok(vec![bits])
    }

    fn word_constant(&mut self, ty: TypeId) -> Parse<ConstId> {
        let text = self.text();
        let span = self.token.span;
        let kind = self.module.types.get(ty);
        match text {
            b"true" | b"false" => {
                if kind != Type::Int(1) {
                    return Err(self.wrong_type(span, "a truth value", ty));
                }
                self.advance();
                let value = u64::from(text == b"true");
                Ok(self.module.constants.int(ty, 1, &[value]))
            }
            b"null" => {
                if !self.module.types.is_ptr(ty) {
                    return Err(self.wrong_type(span, "`null`", ty));
                }
                self.advance();
                Ok(self.module.constants.intern(ty, ConstKind::Null))
            }
            b"none" => {
                if kind != Type::Token {
                    return Err(self.wrong_type(span, "`none`", ty));
                }
                self.advance();
                Ok(self.module.constants.intern(ty, ConstKind::TokenNone))
            }
            b"undef" | b"poison" => {
                if matches!(
                    kind,
                    Type::Label | Type::Metadata | Type::Void | Type::Function { .. }
                ) {
                    return Err(self.wrong_type(span, "an undefined value", ty));
                }
                self.advance();
                let kind = match text {
                    b"undef" => ConstKind::Undef,
                    _ => ConstKind::Poison,
                };
                Ok(self.module.constants.intern(ty, kind))
            }
            b"zeroinitializer" => {
                let Some(zero) = self.module.constants.zero(&self.module.types, ty) else {
                    return Err(self.wrong_type(span, "`zeroinitializer`", ty));
                };
                self.advance();
                Ok(zero)
            }
            b"c" if self.peek().kind == TokenKind::Text => self.byte_string(ty),
            b"splat" => self.splat(ty),
            b"blockaddress" => self.block_address(ty),
            b"dso_local_equivalent" | b"no_cfi" => {
                self.advance();
                let token = self.advance();
                if !matches!(token.kind, TokenKind::GlobalName | TokenKind::GlobalNumber) {
                    return Err(self.unexpected("a global"));
                }
                let global = self.global_at(token)?;
                let kind = match text {
                    b"no_cfi" => ConstKind::NoCfi(global),
                    _ => ConstKind::DsoLocalEquivalent(global),
                };
                Ok(self.module.constants.intern(ty, kind))
            }
            b"ptrauth" => {
                self.advance();
                self.expect(b'(')?;
                let mut parts = Vec::new();
                loop {
                    parts.push(self.deeper(Self::typed_constant)?);
                    if !self.accept(b',') {
                        break;
                    }
                }
                self.expect(b')')?;
                let list = self.module.constants.intern_list(&parts);
                Ok(self.module.constants.intern(ty, ConstKind::PtrAuth(list)))
            }
            _ if is_hex_int(text) => self.hex_int(ty),
            _ if is_hex_float(text) => self.float(ty),
            _ => self.deeper(|reader| reader.expression(ty)),
        }
    }

    /// `c"text"`
    fn byte_string(&mut self, ty: TypeId) -> Parse<ConstId> {
        let start = self.advance().span;
        let token = self.advance();
        let quoted = self.lexer.slice(token.span);
        let mut bytes = Vec::with_capacity(quoted.len());
        unescape(&quoted[1..quoted.len() - 1], &mut bytes);
        match self.module.types.get(ty) {
            Type::Array { element, len }
                if element == self.module.types.i8 && len == bytes.len() as u64 =>
            {
                let names = &mut self.module.names;
                Ok(self.module.constants.bytes(names, ty, &bytes))
            }
            _ => {
                let what = format!("a string of {} bytes", bytes.len());
                Err(self.wrong_type(start.to(token.span), &what, ty))
            }
        }
    }

    /// `splat (T v)`
    fn splat(&mut self, ty: TypeId) -> Parse<ConstId> {
        let span = self.advance().span;
        self.expect(b'(')?;
        let element = self.deeper(Self::typed_constant)?;
        self.expect(b')')?;
        let expected = match self.module.types.get(ty) {
            Type::Vector { element, .. } => element,
            _ => return Err(self.wrong_type(span, "`splat`", ty)),
        };
        if self.module.constants.get(element).ty != expected {
            return Err(self.wrong_type(span, "a splat of another element type", ty));
        }
        Ok(self.module.constants.splat(&self.module.types, ty, element))
    }

    /// `{ … }`, `<{ … }>`, `[ … ]`, `< … >`
    fn aggregate(&mut self, ty: TypeId) -> Parse<ConstId> {
        let start = self.token.span;
        let open = self.advance();
        let packed = open.is(b'<') && self.accept(b'{');
        let close = match (open.kind, packed) {
            (TokenKind::Punct(b'{'), _) | (_, true) => b'}',
            (TokenKind::Punct(b'['), _) => b']',
            _ => b'>',
        };
        let base = self.scope.constants.len();
        if !self.token.is(close) {
            let dense = match self.module.types.get(ty) {
                Type::Array { element, .. } if close == b']' => {
                    dense_width(&self.module.types, element).map(|width| (element, width))
                }
                _ => None,
            };
            let mut more = true;
            if let Some((element, width)) = dense {
                match self.numbers(element, width)? {
                    Numbers::All(bytes) => {
                        self.expect(close)?;
                        let count = bytes.len() / width;
                        return self.dense_array(ty, count, &bytes, start);
                    }
                    Numbers::Some(read, others) => {
                        self.scope.constants.extend(read);
                        more = others;
                    }
                }
            }
            while more {
                let element = self.typed_constant()?;
                self.scope.constants.push(element);
                more = self.accept(b',');
            }
        }
        self.expect(close)?;
        if packed {
            self.expect(b'>')?;
        }
        let elements = self.scope.constants.split_off(base);
        let span = Span::new(start.start, self.last_end);
        let what = match close {
            b'}' if packed => "a packed struct",
            b'}' => "a struct",
            b']' => "an array",
            _ => "a vector",
        };
        let type_at = |reader: &Self, index: usize| match reader.module.types.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => Some(element),
            _ => reader
                .module
                .types
                .fields(ty)
                .and_then(|fields| fields.get(index).copied()),
        };
        let count = match (self.module.types.get(ty), close) {
            (Type::Array { len, .. }, b']') => len,
            (Type::Vector { len, .. }, b'>') => u64::from(len),
            (Type::Struct { .. } | Type::Named(_), b'}') => match self.module.types.fields(ty) {
                Some(fields) if self.module.types.is_packed(ty) == packed => fields.len() as u64,
                _ => return Err(self.wrong_type(span, what, ty)),
            },
            _ => return Err(self.wrong_type(span, what, ty)),
        };
        if count != elements.len() as u64 {
            let what = format!("{what} of {} elements", elements.len());
            return Err(self.wrong_type(span, &what, ty));
        }
        for (index, &element) in elements.iter().enumerate() {
            if Some(self.module.constants.get(element).ty) != type_at(self, index) {
                let what = format!("{what} whose element {index} has another type");
                return Err(self.wrong_type(span, &what, ty));
            }
        }
        let module = &mut self.module;
        Ok(module
            .constants
            .aggregate(&module.types, &mut module.names, ty, &elements))
    }

    // ---- addresses ----

    /// The global of `@name` or `@5`, made if it is not defined yet.
    pub(super) fn global_at(&mut self, token: Token) -> Parse<GlobalId> {
        let name = match token.kind {
            TokenKind::GlobalNumber => None,
            _ => Some(self.name_of(token)),
        };
        let Some(name) = name else {
            let number = self.number_of(token)?;
            return Ok(self.numbered_global(number, token.span));
        };
        if let Some(global) = self.known_global(name) {
            return Ok(global);
        }
        let global = self.pending_global(Some(name), token.span);
        self.bind_global(name, global);
        Ok(global)
    }

    /// The global with a number, made if it is not defined yet.
    pub(super) fn numbered_global(&mut self, number: u64, span: Span) -> GlobalId {
        if let Some(global) = self.numbered_globals.get(number) {
            return global;
        }
        let global = self.pending_global(None, span);
        self.numbered_globals.insert(number, global);
        global
    }

    /// The address of a global as a pointer of a type.
    pub(super) fn address(&mut self, global: GlobalId, ty: TypeId, span: Span) -> Parse<ConstId> {
        let Type::Ptr(space) = self.module.types.get(ty) else {
            return Err(self.wrong_type(span, "the address of a global", ty));
        };
        let data = &mut self.module.globals[global];
        if matches!(data.kind, GlobalKind::Pending) {
            // The first use says where it lies; the definition must agree.
            if data.space == super::global::UNKNOWN_SPACE {
                data.space = space;
            }
        }
        if data.space != space {
            let message = format!(
                "the global lies in address space {}, not {space}",
                data.space
            );
            let help = "write `addrspace(N)` in the pointer type, or cast the address";
            return Err(self.fail(codes::IR_TYPE, span, message, help));
        }
        Ok(self.module.constants.intern(ty, ConstKind::Global(global)))
    }

    /// `blockaddress(@f, %b)`
    fn block_address(&mut self, ty: TypeId) -> Parse<ConstId> {
        self.advance();
        self.expect(b'(')?;
        let token = self.advance();
        if !matches!(token.kind, TokenKind::GlobalName | TokenKind::GlobalNumber) {
            return Err(self.unexpected("a function"));
        }
        let function = self.global_at(token)?;
        self.expect(b',')?;
        let token = self.advance();
        let label = match token.kind {
            TokenKind::LocalName => Label::Name(self.name_of(token)),
            TokenKind::LocalNumber => Label::Number(self.number_of(token)?),
            _ => return Err(self.unexpected("a block")),
        };
        self.expect(b')')?;
        let key = (function, label);
        let address = match self.known_addresses.get(&key) {
            Some(&address) => address,
            None => {
                let block = self.block_in_read_function(function, label);
                let address = self
                    .module
                    .constants
                    .block_addresses
                    .push(BlockAddress { function, block });
                self.known_addresses.insert(key, address);
                if block.is_none() {
                    let pending = PendingAddress {
                        address,
                        label,
                        span: token.span,
                    };
                    self.block_addresses
                        .entry(function)
                        .or_default()
                        .push(pending);
                }
                address
            }
        };
        let kind = ConstKind::BlockAddress(address);
        Ok(self.module.constants.intern(ty, kind))
    }

    /// The block with a label in a function whose body is there already.
    fn block_in_read_function(
        &self,
        function: GlobalId,
        label: Label,
    ) -> Option<crate::value::Block> {
        let GlobalKind::Function(function) = &self.module.globals[function].kind else {
            return None;
        };
        let Label::Name(name) = label else {
            return None;
        };
        let body = function.body.as_ref()?;
        body.order
            .iter()
            .copied()
            .find(|&block| body.blocks[block].name == Some(name))
    }

    /// The global of a name, if there is one.
    pub(super) fn known_global(&self, name: crate::name::Name) -> Option<GlobalId> {
        match self.globals.get(name.index()) {
            None | Some(0) => None,
            Some(&entry) => Some(GlobalId::new(entry as usize - 1)),
        }
    }

    /// Gives a global a name.
    pub(super) fn bind_global(&mut self, name: crate::name::Name, global: GlobalId) {
        if self.globals.len() <= name.index() {
            self.globals.resize(self.module.names.len(), 0);
        }
        self.globals[name.index()] = global.index() as u32 + 1;
    }
}

/// The bits of the exponent and of the mantissa of a format that is narrower than `double`.
fn format_of(kind: Type) -> Option<(u32, u32)> {
    match kind {
        Type::Float => Some((8, 23)),
        Type::Half => Some((5, 10)),
        Type::BFloat => Some((8, 7)),
        _ => None,
    }
}
