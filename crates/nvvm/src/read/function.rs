//! Functions: their heads. Bodies are in `body`.

use super::types::Written;
use super::{Parse, Reader, number};
use crate::attribute::AttrSet;
use crate::function::{Body, Def, LocalDef};
use crate::inst::{Align, CallConv};
use crate::lex::{Token, TokenKind};
use crate::module::{Function, Global, GlobalKind, Linkage, ThreadLocal};
use crate::types::TypeId;
use warpc_diag::codes;

/// The parameters of a function.
struct Params {
    types: Vec<TypeId>,
    attrs: Vec<AttrSet>,
    names: Vec<Option<Token>>,
    variadic: bool,
}

impl Reader<'_> {
    /// `declare …`
    pub(super) fn declare(&mut self) -> Parse<()> {
        self.advance();
        let mut metadata = Vec::new();
        self.function_metadata(&mut metadata)?;
        // What is attached to a declaration stands in front; `!name` after it starts named metadata.
        let start = self.token.span;
        let (token, mut global, mut function, _) = self.function_head()?;
        if !matches!(global.linkage, Linkage::External | Linkage::ExternWeak) {
            let message = "a declaration is `external` or `extern_weak`, nothing else";
            let help = "leave the linkage out, or define the function";
            return Err(self.fail(codes::IR_SYNTAX, start, message, help));
        }
        global.metadata = metadata;
        let id = self.define_global(token, global.space)?;
        function.body = None;
        global.kind = GlobalKind::Function(Box::new(function));
        self.fill_global(id, global);
        Ok(())
    }

    /// `define … { … }`
    pub(super) fn define(&mut self) -> Parse<()> {
        self.advance();
        let (token, mut global, mut function, params) = self.function_head()?;
        self.function_metadata(&mut global.metadata)?;
        let id = self.define_global(token, global.space)?;
        if !self.token.is(b'{') {
            return Err(self.unexpected("`{`"));
        }
        // Calls inside look at the head.
        global.kind = GlobalKind::Function(Box::new(function.clone()));
        self.fill_global(id, global);
        self.scope.enter(id);
        for (index, (&ty, name)) in params.types.iter().zip(&params.names).enumerate() {
            let local = self.scope.body.locals.push(LocalDef {
                ty,
                def: Def::Param(index as u32),
                name: None,
            });
            self.bind_local(*name, local)?;
        }
        let read = self.body();
        function.body = Some(self.leave(id));
        self.module.globals[id].kind = GlobalKind::Function(Box::new(function));
        read
    }

    /// Everything up to the body.
    fn function_head(&mut self) -> Parse<(Token, Global, Function, Params)> {
        let head = self.head();
        let conv = self.call_conv()?;
        let ret_attrs = self.param_attributes(None)?;
        let ret = self.any_type()?.id;
        let token = self.token;
        if !matches!(token.kind, TokenKind::GlobalName | TokenKind::GlobalNumber) {
            return Err(self.unexpected("the name of the function, `@name`"));
        }
        self.advance();
        let params = self.params()?;
        let mut global = Global {
            name: None,
            linkage: head.linkage.unwrap_or(Linkage::External),
            visibility: head.visibility,
            dll_storage: head.dll_storage,
            dso_local: head.dso_local,
            unnamed_addr: self.unnamed_addr(),
            thread_local: ThreadLocal::None,
            value_ty: self
                .module
                .types
                .function(ret, &params.types, params.variadic),
            space: self.optional_address_space()?,
            section: None,
            partition: None,
            comdat: None,
            align: Align::NONE,
            metadata: Vec::new(),
            pos: token.span.start,
            kind: GlobalKind::Pending,
        };
        let (attrs, align) = self.head_attributes()?;
        global.align = align;
        let mut function = Function {
            conv,
            attrs: self
                .module
                .attributes
                .intern_list(attrs, ret_attrs, &params.attrs),
            gc: None,
            prefix: None,
            prologue: None,
            personality: None,
            body: None,
        };
        if self.accept_word(b"section") {
            global.section = Some(self.expect_string()?);
        }
        if self.accept_word(b"partition") {
            global.partition = Some(self.expect_string()?);
        }
        if self.at_word(b"comdat") {
            global.comdat = Some(self.comdat(token)?);
        }
        if self.at_word(b"align") {
            global.align = self.align()?;
        }
        if self.accept_word(b"gc") {
            function.gc = Some(self.expect_string()?);
        }
        for (word, place) in [
            (&b"prefix"[..], &mut function.prefix),
            (b"prologue", &mut function.prologue),
            (b"personality", &mut function.personality),
        ] {
            if self.accept_word(word) {
                *place = Some(self.typed_constant()?);
            }
        }
        Ok((token, global, function, params))
    }

    /// A calling convention, if there is one.
    pub(super) fn call_conv(&mut self) -> Parse<CallConv> {
        if self.token.kind != TokenKind::Word {
            return Ok(CallConv::C);
        }
        let word = self.text();
        let span = self.token.span;
        // LLVM takes `cc` as a word of its own and prints the number after it without a blank.
        let number = match word.strip_prefix(b"cc") {
            Some(b"") => {
                self.advance();
                Some(self.expect_number("the number of a calling convention")?)
            }
            Some(digits) if digits.iter().all(u8::is_ascii_digit) => {
                self.advance();
                Some(number::decimal(digits).unwrap_or(u64::MAX))
            }
            _ => None,
        };
        if let Some(number) = number {
            if number > CallConv::MAX {
                let message = "there is no such calling convention";
                let help = format!("the numbers go up to {}", CallConv::MAX);
                return Err(self.fail(codes::IR_NUMBER, span, message, help));
            }
            return Ok(CallConv(number as u16));
        }
        if let Some(conv) = CallConv::from_keyword(word) {
            self.advance();
            return Ok(conv);
        }
        Ok(CallConv::C)
    }

    /// `(T attrs %name, …, ...)`
    fn params(&mut self) -> Parse<Params> {
        let mut params = Params {
            types: Vec::new(),
            attrs: Vec::new(),
            names: Vec::new(),
            variadic: false,
        };
        self.expect(b'(')?;
        if !self.token.is(b')') {
            loop {
                if self.token.kind == TokenKind::Dots {
                    self.advance();
                    params.variadic = true;
                    break;
                }
                let Written { id, pointee } = self.written_type()?;
                params.types.push(id);
                let attrs = self.param_attributes(pointee)?;
                params.attrs.push(attrs);
                params.names.push(match self.token.kind {
                    TokenKind::LocalName | TokenKind::LocalNumber => Some(self.advance()),
                    _ => None,
                });
                if !self.accept(b',') {
                    break;
                }
            }
        }
        self.expect(b')')?;
        Ok(params)
    }

    /// Ends the function that is being read and gives its body.
    fn leave(&mut self, id: crate::module::GlobalId) -> Body {
        self.resolve_block_addresses(id);
        self.scope.body.move_out()
    }
}
