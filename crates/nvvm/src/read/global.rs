//! Variables, aliases, ifuncs and comdats.

use super::{Parse, Reader};
use crate::function::GlobalAttachment;
use crate::inst::Align;
use crate::lex::{Token, TokenKind};
use crate::module::{
    CodeModel, Comdat, ComdatId, ComdatKind, DllStorage, Global, GlobalId, GlobalKind, Linkage,
    Sanitizer, ThreadLocal, UnnamedAddr, Variable, Visibility,
};
use crate::name::Name;
use crate::types::Type;
use warpc_diag::{Span, codes};

/// The address space of a global that was named where its pointer type was not seen.
pub(super) const UNKNOWN_SPACE: u32 = u32::MAX;

/// What stands before the kind of a global.
pub(super) struct Head {
    pub linkage: Option<Linkage>,
    pub dso_local: bool,
    pub visibility: Visibility,
    pub dll_storage: DllStorage,
}

impl Reader<'_> {
    /// `linkage? (dso_local | dso_preemptable)? visibility? dll?`
    pub(super) fn head(&mut self) -> Head {
        let mut head = Head {
            linkage: None,
            dso_local: false,
            visibility: Visibility::Default,
            dll_storage: DllStorage::Default,
        };
        head.linkage = self.one_of(Linkage::from_keyword);
        head.dso_local = self.accept_word(b"dso_local");
        if !head.dso_local {
            self.accept_word(b"dso_preemptable");
        }
        head.visibility = self
            .one_of(Visibility::from_keyword)
            .unwrap_or(head.visibility);
        head.dll_storage = self
            .one_of(DllStorage::from_keyword)
            .unwrap_or(head.dll_storage);
        // Local globals are always reached directly.
        if matches!(head.linkage, Some(Linkage::Private | Linkage::Internal))
            || (head.visibility != Visibility::Default && head.linkage != Some(Linkage::ExternWeak))
        {
            head.dso_local = true;
        }
        head
    }

    /// The current word, if it is one of a kind.
    fn one_of<T>(&mut self, from_keyword: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        if self.token.kind != TokenKind::Word {
            return None;
        }
        let found = from_keyword(self.text());
        if found.is_some() {
            self.advance();
        }
        found
    }

    /// `@x = …`
    pub(super) fn global(&mut self) -> Parse<()> {
        let token = self.advance();
        self.expect(b'=')?;
        let head = self.head();
        let thread_local = self.thread_local()?;
        let unnamed_addr = self.unnamed_addr();
        let global = Global {
            name: None,
            linkage: head.linkage.unwrap_or(Linkage::External),
            visibility: head.visibility,
            dll_storage: head.dll_storage,
            dso_local: head.dso_local,
            unnamed_addr,
            thread_local,
            value_ty: self.module.types.void,
            space: 0,
            section: None,
            partition: None,
            comdat: None,
            align: Align::NONE,
            metadata: Vec::new(),
            pos: token.span.start,
            kind: GlobalKind::Pending,
        };
        match self.text() {
            b"alias" | b"ifunc" => self.alias(token, global),
            _ => self.variable(token, global, head.linkage),
        }
    }

    fn thread_local(&mut self) -> Parse<ThreadLocal> {
        if !self.accept_word(b"thread_local") {
            return Ok(ThreadLocal::None);
        }
        if !self.accept(b'(') {
            return Ok(ThreadLocal::GeneralDynamic);
        }
        let Some(model) = ThreadLocal::from_keyword(self.text()) else {
            return Err(self.unexpected("`localdynamic`, `initialexec` or `localexec`"));
        };
        self.advance();
        self.expect(b')')?;
        Ok(model)
    }

    pub(super) fn unnamed_addr(&mut self) -> UnnamedAddr {
        match UnnamedAddr::from_keyword(self.text()) {
            Some(unnamed_addr) if self.token.kind == TokenKind::Word => {
                self.advance();
                unnamed_addr
            }
            _ => UnnamedAddr::None,
        }
    }

    fn variable(
        &mut self,
        token: Token,
        mut global: Global,
        linkage: Option<Linkage>,
    ) -> Parse<()> {
        global.space = self.optional_address_space()?;
        let externally_initialized = self.accept_word(b"externally_initialized");
        let constant = match self.text() {
            b"constant" => true,
            b"global" => false,
            _ => return Err(self.unexpected("`global` or `constant`")),
        };
        self.advance();
        global.value_ty = self.ty()?;
        // The address may be part of its own value.
        let id = self.define_global(token, global.space)?;
        let declared = matches!(linkage, Some(Linkage::External | Linkage::ExternWeak));
        let init = match declared {
            true => None,
            false => Some(self.constant(global.value_ty)?),
        };
        let mut variable = Variable {
            constant,
            externally_initialized,
            code_model: None,
            sanitizer: Sanitizer::empty(),
            init,
            attrs: self.module.attributes.empty_set,
        };
        while self.accept(b',') {
            if self.token.kind == TokenKind::MetadataName {
                let attachment = self.global_attachment()?;
                global.metadata.push(attachment);
                continue;
            }
            match self.text() {
                b"section" => {
                    self.advance();
                    global.section = Some(self.expect_string()?);
                }
                b"partition" => {
                    self.advance();
                    global.partition = Some(self.expect_string()?);
                }
                b"align" => global.align = self.align()?,
                b"comdat" => global.comdat = Some(self.comdat(token)?),
                b"code_model" => {
                    self.advance();
                    let name = self.expect_string()?;
                    let model = CodeModel::from_keyword(self.module.names.bytes(name));
                    if model.is_none() {
                        return Err(self.unexpected("a code model"));
                    }
                    variable.code_model = model;
                }
                word => {
                    variable.sanitizer |= match word {
                        b"no_sanitize_address" => Sanitizer::NO_ADDRESS,
                        b"no_sanitize_hwaddress" => Sanitizer::NO_HWADDRESS,
                        b"sanitize_memtag" => Sanitizer::MEMTAG,
                        b"sanitize_address_dyninit" => Sanitizer::ADDRESS_DYNINIT,
                        _ => return Err(self.unexpected("a property of the variable")),
                    };
                    self.advance();
                }
            }
        }
        variable.attrs = self.function_attributes()?;
        global.kind = GlobalKind::Variable(variable);
        self.fill_global(id, global);
        Ok(())
    }

    /// `alias T, ptr @x`, `ifunc T, ptr @resolver`
    fn alias(&mut self, token: Token, mut global: Global) -> Parse<()> {
        let is_alias = self.advance().span;
        let is_alias = self.lexer.slice(is_alias) == b"alias";
        global.value_ty = self.any_type()?.id;
        self.expect(b',')?;
        let target = match self.text() {
            b"bitcast" | b"getelementptr" | b"addrspacecast" | b"inttoptr" => {
                self.untyped_expression()?
            }
            _ => self.typed_constant()?,
        };
        let ty = self.module.constants.get(target).ty;
        global.space = match self.module.types.get(ty) {
            Type::Ptr(space) => space,
            _ => return Err(self.wrong_type(token.span, "the target of an alias", ty)),
        };
        global.kind = match is_alias {
            true => GlobalKind::Alias(target),
            false => GlobalKind::Ifunc(target),
        };
        let id = self.define_global(token, global.space)?;
        while self.accept(b',') {
            if self.token.kind == TokenKind::MetadataName {
                let attachment = self.global_attachment()?;
                global.metadata.push(attachment);
                continue;
            }
            self.expect_word(b"partition")?;
            global.partition = Some(self.expect_string()?);
        }
        self.fill_global(id, global);
        Ok(())
    }

    /// The entry for a global that is about to be defined.
    pub(super) fn define_global(&mut self, token: Token, space: u32) -> Parse<GlobalId> {
        let id = if token.kind == TokenKind::GlobalNumber {
            let number = self.number_of(token)?;
            if number < self.next_global {
                return Err(self.fail(
                    codes::IR_DUPLICATE,
                    token.span,
                    format!("the number must be {} or greater", self.next_global),
                    "globals without names are numbered in order",
                ));
            }
            self.next_global = number + 1;
            self.global_at(token)?
        } else if self.is_nameless(token) {
            let number = self.next_global;
            self.next_global = number + 1;
            self.numbered_global(number, token.span)
        } else {
            self.global_at(token)?
        };
        if self.undefined_globals.remove(&id).is_none() {
            let shown = String::from_utf8_lossy(self.lexer.slice(token.span)).into_owned();
            return Err(self.fail(
                codes::IR_DUPLICATE,
                token.span,
                format!("`{shown}` is defined twice"),
                "a global has one definition or declaration in a module",
            ));
        }
        let data = &mut self.module.globals[id];
        if data.space != UNKNOWN_SPACE && data.space != space {
            let message = format!(
                "it lies in address space {space}, but was used in address space {}",
                data.space
            );
            let help = "write the address space in the pointer type, or cast the address";
            return Err(self.fail(codes::IR_TYPE, token.span, message, help));
        }
        data.space = space;
        self.module.order.push(id);
        Ok(id)
    }

    /// Gives a global its contents.
    pub(super) fn fill_global(&mut self, id: GlobalId, global: Global) {
        let name = self.module.globals[id].name;
        self.module.globals[id] = Global { name, ..global };
    }

    /// A global that is named before it is defined.
    pub(super) fn pending_global(&mut self, name: Option<Name>, span: Span) -> GlobalId {
        let id = self.module.globals.push(Global {
            name,
            linkage: Linkage::External,
            visibility: Visibility::Default,
            dll_storage: DllStorage::Default,
            dso_local: false,
            unnamed_addr: UnnamedAddr::None,
            thread_local: ThreadLocal::None,
            value_ty: self.module.types.void,
            space: UNKNOWN_SPACE,
            section: None,
            partition: None,
            comdat: None,
            align: Align::NONE,
            metadata: Vec::new(),
            pos: span.start,
            kind: GlobalKind::Pending,
        });
        self.undefined_globals.insert(id, span);
        id
    }

    /// `align N`
    pub(super) fn align(&mut self) -> Parse<Align> {
        self.expect_word(b"align")?;
        let span = self.token.span;
        let parenthesis = self.accept(b'(');
        let bytes = self.expect_number("an alignment")?;
        if parenthesis {
            self.expect(b')')?;
        }
        Align::new(bytes).ok_or_else(|| {
            self.fail(
                codes::IR_NUMBER,
                span,
                format!("{bytes} is not an alignment"),
                "alignments are powers of two up to 4294967296",
            )
        })
    }

    // ---- comdats ----

    /// `comdat` or `comdat($c)` of the global with a name.
    pub(super) fn comdat(&mut self, global: Token) -> Parse<ComdatId> {
        self.expect_word(b"comdat")?;
        if !self.accept(b'(') {
            let name = self.name_of(global);
            return Ok(self.comdat_named(name, global.span));
        }
        let token = self.token;
        if token.kind != TokenKind::Comdat {
            return Err(self.unexpected("a comdat, `$name`"));
        }
        self.advance();
        self.expect(b')')?;
        let name = self.name_of(token);
        Ok(self.comdat_named(name, token.span))
    }

    fn comdat_named(&mut self, name: Name, span: Span) -> ComdatId {
        if let Some(&comdat) = self.comdats.get(&name) {
            return comdat;
        }
        let kind = ComdatKind::Any;
        let comdat = self.module.comdats.push(Comdat { name, kind });
        self.comdats.insert(name, comdat);
        self.undefined_comdats.insert(comdat, span);
        comdat
    }

    /// `$c = comdat any`
    pub(super) fn comdat_definition(&mut self) -> Parse<()> {
        let token = self.advance();
        self.expect(b'=')?;
        self.expect_word(b"comdat")?;
        let word = self.text();
        // LLVM before 13 called it `noduplicates`.
        let kind = match word {
            b"noduplicates" => Some(ComdatKind::NoDeduplicate),
            _ => ComdatKind::from_keyword(word),
        };
        let Some(kind) = kind else {
            return Err(
                self.unexpected("`any`, `exactmatch`, `largest`, `nodeduplicate` or `samesize`")
            );
        };
        self.advance();
        let name = self.name_of(token);
        let comdat = self.comdat_named(name, token.span);
        if self.undefined_comdats.remove(&comdat).is_none() {
            return Err(self.fail(
                codes::IR_DUPLICATE,
                token.span,
                "the comdat is defined twice",
                "remove one definition",
            ));
        }
        self.module.comdats[comdat].kind = kind;
        Ok(())
    }

    /// `!kind !node` after a function.
    pub(super) fn function_metadata(&mut self, metadata: &mut Vec<GlobalAttachment>) -> Parse<()> {
        while self.token.kind == TokenKind::MetadataName {
            let attachment = self.global_attachment()?;
            metadata.push(attachment);
        }
        Ok(())
    }
}
