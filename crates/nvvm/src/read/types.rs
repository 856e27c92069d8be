//! Types, typed pointers included.

use super::{MAX_DEPTH, Parse, Reader};
use crate::lex::{Token, TokenKind};
use crate::types::{NamedStruct, StructBody, Type, TypeId, Types};
use warpc_diag::codes;

/// A type of the text: what it is in memory, and what a typed pointer of older text points to.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub id: TypeId,
    pub pointee: Option<TypeId>,
}

impl Reader<'_> {
    /// A type that values can have.
    #[inline]
    pub(super) fn ty(&mut self) -> Parse<TypeId> {
        Ok(self.written_type()?.id)
    }

    /// A type that values can have, and its pointee.
    pub(super) fn written_type(&mut self) -> Parse<Written> {
        let span = self.token.span;
        let written = self.any_type()?;
        if written.id == self.module.types.void {
            return Err(self.fail(
                codes::IR_TYPE,
                span,
                "`void` is not a type of a value",
                "only functions may have the result type `void`",
            ));
        }
        Ok(written)
    }

    /// Any type, `void` included.
    pub(super) fn any_type(&mut self) -> Parse<Written> {
        let opaque = self.at_word(b"ptr");
        let mut id = self.base_type()?;
        let mut pointee = None;
        loop {
            match self.token.kind {
                TokenKind::Punct(b'*') => {
                    self.check_pointee(id, opaque && pointee.is_none())?;
                    self.advance();
                    pointee = Some(id);
                    id = self.module.types.ptr;
                }
                TokenKind::Punct(b'(') => {
                    id = self.deeper(|reader| reader.function_type(id))?;
                    pointee = None;
                }
                TokenKind::Word if self.text() == b"addrspace" => {
                    if self.module.types.is_ptr(id) && pointee.is_none() {
                        return Ok(Written { id, pointee });
                    }
                    let space = self.address_space()?;
                    self.check_pointee(id, false)?;
                    self.expect(b'*')?;
                    pointee = Some(id);
                    id = self.module.types.pointer(space);
                }
                _ => return Ok(Written { id, pointee }),
            }
        }
    }

    /// Whether a typed pointer to a type can be, which makes the text one of an LLVM before 17.
    fn check_pointee(&mut self, ty: TypeId, opaque: bool) -> Parse<()> {
        let fits = !matches!(
            self.module.types.get(ty),
            Type::Void | Type::Label | Type::Metadata | Type::Token | Type::X86Amx
        );
        if opaque || !fits {
            let message = "there are no pointers to this type";
            let help = match opaque {
                true => "`ptr` is a pointer already",
                false => "use `ptr`, or `i8*` in older text",
            };
            return Err(self.fail(codes::IR_TYPE, self.token.span, message, help));
        }
        self.typed_pointers = true;
        Ok(())
    }

    /// A type that can be part of an array or struct.
    fn member_type(&mut self) -> Parse<TypeId> {
        let span = self.token.span;
        let ty = self.any_type()?.id;
        if !self.module.types.is_member(ty) {
            let message = "a type without a size inside of another type";
            let help = "arrays and structs hold values that lie in memory";
            return Err(self.fail(codes::IR_TYPE, span, message, help));
        }
        Ok(ty)
    }

    /// `addrspace(N)`
    pub(super) fn address_space(&mut self) -> Parse<u32> {
        self.expect_word(b"addrspace")?;
        self.expect(b'(')?;
        let span = self.token.span;
        let space = if self.token.kind == TokenKind::Text {
            // The names that data layouts give to the address spaces of allocas, globals and programs;
            // GPU targets keep all three at zero.
            self.advance();
            0
        } else {
            self.expect_u32("the number of an address space")?
        };
        if space >= 1 << 24 {
            return Err(self.fail(
                codes::IR_NUMBER,
                span,
                "the address space is too large",
                "it must fit into 24 bits",
            ));
        }
        self.expect(b')')?;
        Ok(space)
    }

    /// `addrspace(N)` if there is one, else zero.
    pub(super) fn optional_address_space(&mut self) -> Parse<u32> {
        if self.at_word(b"addrspace") {
            return self.address_space();
        }
        Ok(0)
    }

    fn base_type(&mut self) -> Parse<TypeId> {
        match self.token.kind {
            TokenKind::Word => self.word_type(),
            TokenKind::LocalName | TokenKind::LocalNumber => {
                let token = self.advance();
                self.type_named(token)
            }
            TokenKind::Punct(b'{') => self.deeper(|reader| {
                let (fields, packed) = reader.struct_fields(false)?;
                Ok(reader.module.types.intern(Type::Struct { fields, packed }))
            }),
            TokenKind::Punct(b'<') => self.deeper(|reader| {
                reader.advance();
                if reader.token.is(b'{') {
                    let (fields, packed) = reader.struct_fields(true)?;
                    return Ok(reader.module.types.intern(Type::Struct { fields, packed }));
                }
                let scalable = reader.accept_word(b"vscale");
                if scalable {
                    reader.expect_word(b"x")?;
                }
                let span = reader.token.span;
                let len = reader.expect_u32("the number of elements")?;
                if len == 0 {
                    return Err(reader.fail(
                        codes::IR_NUMBER,
                        span,
                        "a vector of no elements",
                        "vectors have at least one element",
                    ));
                }
                reader.expect_word(b"x")?;
                let span = reader.token.span;
                let element = reader.ty()?;
                if !reader.module.types.is_vector_element(element) {
                    let message = "a vector of something else than numbers or pointers";
                    let help = "use an array";
                    return Err(reader.fail(codes::IR_TYPE, span, message, help));
                }
                reader.expect(b'>')?;
                Ok(reader.module.types.intern(Type::Vector {
                    element,
                    len,
                    scalable,
                }))
            }),
            TokenKind::Punct(b'[') => self.deeper(|reader| {
                reader.advance();
                let len = reader.expect_number("the number of elements")?;
                reader.expect_word(b"x")?;
                let element = reader.member_type()?;
                reader.expect(b']')?;
                Ok(reader.module.types.intern(Type::Array { element, len }))
            }),
            _ => Err(self.unexpected("a type")),
        }
    }

    fn word_type(&mut self) -> Parse<TypeId> {
        let text = self.text();
        let types = &mut self.module.types;
        let id = match text {
            b"ptr" => {
                self.advance();
                if !self.at_word(b"addrspace") {
                    return Ok(self.module.types.ptr);
                }
                let space = self.address_space()?;
                return Ok(self.module.types.pointer(space));
            }
            b"i32" => types.i32,
            b"i64" => types.i64,
            b"i8" => types.i8,
            b"i1" => types.i1,
            b"void" => types.void,
            b"float" => types.intern(Type::Float),
            b"double" => types.intern(Type::Double),
            b"half" => types.intern(Type::Half),
            b"bfloat" => types.intern(Type::BFloat),
            b"fp128" => types.intern(Type::Fp128),
            b"x86_fp80" => types.intern(Type::X86Fp80),
            b"ppc_fp128" => types.intern(Type::PpcFp128),
            b"label" => types.label,
            b"metadata" => types.metadata,
            b"token" => types.token,
            b"x86_amx" => types.intern(Type::X86Amx),
            // LLVM 20 dropped it; what it held is a vector of 64 bits.
            b"x86_mmx" => {
                let element = types.i64;
                types.intern(Type::Vector {
                    element,
                    len: 1,
                    scalable: false,
                })
            }
            b"target" => {
                self.advance();
                return self.target_type();
            }
            [b'i', digits @ ..] if digits.first().is_some_and(u8::is_ascii_digit) => {
                match super::number::decimal(digits) {
                    Some(bits) if (1..=u64::from(Types::MAX_INT_BITS)).contains(&bits) => {
                        types.int(bits as u32)
                    }
                    _ => {
                        let message = "there is no integer of this width";
                        let help = format!("widths go from 1 to {}", Types::MAX_INT_BITS);
                        return Err(self.fail(codes::IR_NUMBER, self.token.span, message, help));
                    }
                }
            }
            _ => return Err(self.unexpected("a type")),
        };
        self.advance();
        Ok(id)
    }

    /// `target("name", types…, numbers…)` after the word.
    fn target_type(&mut self) -> Parse<TypeId> {
        self.expect(b'(')?;
        let name = self.expect_string()?;
        let mut types = Vec::new();
        let mut numbers = Vec::new();
        while self.accept(b',') {
            if self.token.kind == TokenKind::Int {
                numbers.push(self.expect_u32("a number")?);
            } else {
                types.push(self.deeper(|reader| Ok(reader.any_type()?.id))?);
            }
        }
        self.expect(b')')?;
        let types = self.module.types.intern_list(&types);
        let numbers = self.module.types.intern_numbers(&numbers);
        Ok(self.module.types.intern(Type::Target {
            name,
            types,
            numbers,
        }))
    }

    /// `{ T, T }`, and the `>` if packed.
    fn struct_fields(&mut self, packed: bool) -> Parse<(crate::types::TypeList, bool)> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        if !self.token.is(b'}') {
            loop {
                fields.push(self.member_type()?);
                if !self.accept(b',') {
                    break;
                }
            }
        }
        self.expect(b'}')?;
        if packed {
            self.expect(b'>')?;
        }
        Ok((self.module.types.intern_list(&fields), packed))
    }

    /// `(T, T, ...)` after the result type. Attributes of parameters have no place in a type.
    fn function_type(&mut self, ret: TypeId) -> Parse<TypeId> {
        if matches!(
            self.module.types.get(ret),
            Type::Function { .. } | Type::Label | Type::Metadata
        ) {
            let message = "a function cannot have a result of this type";
            let help = "return a pointer to it";
            return Err(self.fail(codes::IR_TYPE, self.token.span, message, help));
        }
        self.expect(b'(')?;
        let mut params = Vec::new();
        let mut variadic = false;
        if !self.token.is(b')') {
            loop {
                if self.token.kind == TokenKind::Dots {
                    self.advance();
                    variadic = true;
                    break;
                }
                let span = self.token.span;
                let param = self.ty()?;
                if matches!(
                    self.module.types.get(param),
                    Type::Label | Type::Function { .. }
                ) {
                    let message = "a function cannot have a parameter of this type";
                    let help = "pass a pointer to it";
                    return Err(self.fail(codes::IR_TYPE, span, message, help));
                }
                params.push(param);
                if !self.accept(b',') {
                    break;
                }
            }
        }
        self.expect(b')')?;
        Ok(self.module.types.function(ret, &params, variadic))
    }

    /// The type of a name or number, made if it is not defined yet.
    fn type_named(&mut self, token: Token) -> Parse<TypeId> {
        let name = match token.kind {
            TokenKind::LocalNumber => None,
            _ => Some(self.name_of(token)),
        };
        let number = match name {
            None => self.number_of(token)?,
            Some(_) => 0,
        };
        let known = match name {
            Some(name) => self.named_types.get(&name),
            None => self.numbered_types.get(&number),
        };
        if let Some(&known) = known {
            return Ok(known);
        }
        let body = StructBody::Opaque;
        let id = self.module.types.structs.push(NamedStruct { name, body });
        let ty = self.module.types.intern(Type::Named(id));
        match name {
            Some(name) => self.named_types.insert(name, ty),
            None => self.numbered_types.insert(number, ty),
        };
        self.undefined_types.insert(ty, token.span);
        self.module.types.set_place(id, token.span.start);
        Ok(ty)
    }

    /// `%T = type { … }`
    pub(super) fn type_definition(&mut self) -> Parse<()> {
        let token = self.advance();
        self.expect(b'=')?;
        self.expect_word(b"type")?;
        let packed = self.token.is(b'<') && self.peek().is(b'{');
        let opaque = self.at_word(b"opaque");
        if !opaque && !packed && !self.token.is(b'{') {
            return self.type_alias(token);
        }
        let ty = self.type_named(token)?;
        if self.undefined_types.remove(&ty).is_none() {
            return Err(self.duplicate_type(token));
        }
        let Type::Named(id) = self.module.types.get(ty) else {
            return Err(self.duplicate_type(token));
        };
        self.module.types.set_place(id, token.span.start);
        let body = if opaque {
            self.advance();
            StructBody::Opaque
        } else {
            if packed {
                self.advance();
            }
            let (fields, packed) = self.struct_fields(packed)?;
            StructBody::Fields { fields, packed }
        };
        self.module.types.structs[id].body = body;
        Ok(())
    }

    /// `%T = type i32`: a name for a type that is not a struct.
    fn type_alias(&mut self, token: Token) -> Parse<()> {
        let ty = self.any_type()?.id;
        if self.module.types.depth(ty) > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of nesting");
            let help = "make one of the types a struct with a name";
            return Err(self.fail(codes::IR_TOO_DEEP, token.span, message, help));
        }
        let fresh = match token.kind {
            TokenKind::LocalNumber => {
                let number = self.number_of(token)?;
                self.numbered_types.insert(number, ty).is_none()
            }
            _ => {
                let name = self.name_of(token);
                self.named_types.insert(name, ty).is_none()
            }
        };
        if fresh {
            return Ok(());
        }
        Err(self.duplicate_type(token))
    }

    fn duplicate_type(&mut self, token: Token) -> super::Failed {
        let shown = String::from_utf8_lossy(self.lexer.slice(token.span)).into_owned();
        self.fail(
            codes::IR_DUPLICATE,
            token.span,
            format!("the type `{shown}` is defined twice, or used before it is not a struct"),
            "remove one definition",
        )
    }
}
