//! Bodies of functions: blocks, values and their names.
//!
//! A mention of a value or block that is not there yet makes an entry with the type the mention
//! expects; its definition fills it. So nothing must be replaced later.

use super::number::Numbered;
use super::{Parse, Reader};
use crate::constant::{BlockAddressId, ConstId};
use crate::function::{BlockData, Body, Def, LocalDef, RecordKind};
use crate::index::{Id, move_out};
use crate::lex::{Token, TokenKind};
use crate::metadata::{Field, MdRef};
use crate::module::GlobalId;
use crate::name::Name;
use crate::types::TypeId;
use crate::value::{Block, InstId, Local, Operand, Value};
use warpc_diag::{Span, codes};

/// The name or number of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Label {
    Name(Name),
    Number(u64),
}

/// The function that is being read.
pub(super) struct Scope {
    pub body: Body,
    pub function: Option<GlobalId>,
    /// Values and blocks by the index of their name, valid if the number of the function is right.
    named: Vec<(u32, Value)>,
    /// Counts functions.
    epoch: u32,
    numbered: Numbered<Value>,
    next_number: u64,
    /// Values that were named before their definition.
    pending: Vec<(Local, Span)>,
    /// Where blocks were first named; `None` once they stand in the text.
    unplaced: Vec<Option<Span>>,
    /// An instruction could not be read: what it defines is not missed.
    failed: bool,
    /// A comma before metadata was consumed already.
    pub ate_comma: bool,
    /// Operands of the instruction that is being read.
    pub operands: Vec<Value>,
    /// Elements of aggregates that are being read.
    pub constants: Vec<ConstId>,
    /// Fields of metadata nodes that are being read.
    pub fields: Vec<Field>,
    /// Instructions of the block that is being read.
    pub insts: Vec<InstId>,
    /// Debug records that wait for the next instruction, each with how many of the operands are its.
    pub records: Vec<(RecordKind, usize)>,
    /// The operands of these records.
    pub record_operands: Vec<Value>,
    /// Metadata of the instruction that is being read.
    pub attached: Vec<(Name, MdRef)>,
}

impl Scope {
    pub fn new(limit: usize) -> Scope {
        Scope {
            body: Body::default(),
            function: None,
            named: Vec::new(),
            epoch: 0,
            numbered: Numbered::new(limit),
            next_number: 0,
            pending: Vec::new(),
            unplaced: Vec::new(),
            failed: false,
            ate_comma: false,
            operands: Vec::new(),
            constants: Vec::new(),
            fields: Vec::new(),
            insts: Vec::new(),
            records: Vec::new(),
            record_operands: Vec::new(),
            attached: Vec::new(),
        }
    }

    /// Starts a function.
    pub fn enter(&mut self, function: GlobalId) {
        self.body.clear();
        self.function = Some(function);
        self.epoch += 1;
        self.numbered.clear();
        self.next_number = 0;
        self.pending.clear();
        self.unplaced.clear();
        self.failed = false;
        self.insts.clear();
        self.records.clear();
        self.record_operands.clear();
    }

    fn get_named(&self, name: Name) -> Option<Value> {
        match self.named.get(name.index()) {
            Some(&(epoch, value)) if epoch == self.epoch => Some(value),
            _ => None,
        }
    }

    fn set_named(&mut self, name: Name, value: Value, names: usize) {
        if self.named.len() <= name.index() {
            let free = (0, Value::from(Local::new(0)));
            self.named.resize(names.max(name.index() + 1), free);
        }
        self.named[name.index()] = (self.epoch, value);
    }

    /// A block that is not in the text yet.
    fn new_block(&mut self, name: Option<Name>, span: Span) -> Block {
        self.unplaced.push(Some(span));
        self.body.blocks.push(BlockData {
            insts: Vec::new(),
            name,
        })
    }
}

impl Reader<'_> {
    /// `{ block+ use_list_order* }`
    pub(super) fn body(&mut self) -> Parse<()> {
        self.expect(b'{')?;
        if self.token.is(b'}') {
            self.advance();
            let message = "a function body needs at least one block";
            let help = "write `declare` for a function without a body";
            let span = Span::new(self.last_end - 1, self.last_end);
            return Err(self.fail(codes::IR_SYNTAX, span, message, help));
        }
        let mut result = Ok(());
        while !self.token.is(b'}') {
            if self.token.kind == TokenKind::End || self.diagnostics.is_full() {
                result = Err(self.unexpected("`}`"));
                break;
            }
            if self.at_word(b"uselistorder") || self.at_word(b"uselistorder_bb") {
                self.use_list_order()?;
                continue;
            }
            if !self.block()? {
                // A line that starts something new at the top level: the brace is missing.
                result = Err(super::Failed);
                break;
            }
        }
        if result.is_ok() {
            self.advance();
        }
        if !self.scope.failed && result.is_ok() {
            self.check_scope();
        }
        self.scope.function = None;
        result
    }

    /// What was named must be defined at the end of a function.
    fn check_scope(&mut self) {
        let pending = std::mem::take(&mut self.scope.pending);
        for &(local, span) in &pending {
            if self.scope.body.locals[local].def == Def::Pending {
                let shown = String::from_utf8_lossy(self.lexer.slice(span)).into_owned();
                self.fail(
                    codes::IR_UNDEFINED,
                    span,
                    format!("the value `{shown}` is not defined in this function"),
                    "is its name spelled right, and is it the result of an instruction or a parameter?",
                );
            }
        }
        let unplaced = std::mem::take(&mut self.scope.unplaced);
        for span in unplaced.into_iter().flatten() {
            let shown = String::from_utf8_lossy(self.lexer.slice(span)).into_owned();
            self.fail(
                codes::IR_UNDEFINED,
                span,
                format!("there is no block `{shown}` in this function"),
                "a block starts with its label: `name:`",
            );
        }
    }

    /// One block; false if the function ends without its brace.
    fn block(&mut self) -> Parse<bool> {
        let block = match self.token.kind {
            TokenKind::Label => {
                let token = self.advance();
                let text = self.lexer.slice(token.span);
                let label = match super::number::decimal(text) {
                    Some(number) => Label::Number(number),
                    None if self.is_nameless(token) => Label::Number(self.scope.next_number),
                    None => Label::Name(self.name_of(token)),
                };
                match label {
                    Label::Number(number) if number > u64::from(u32::MAX) => {
                        let message = "the number of the label is too large";
                        let help = "numbers of values and blocks have at most 32 bits";
                        Err(self.fail(codes::IR_NUMBER, token.span, message, help))
                    }
                    Label::Number(number) => self.numbered_block(number, token.span),
                    Label::Name(name) => self.place_block(Label::Name(name), token.span),
                }
            }
            _ => {
                let number = self.scope.next_number;
                self.numbered_block(number, self.token.span)
            }
        };
        let block = match block {
            Ok(block) => block,
            Err(failed) => {
                // Its instructions are read nevertheless.
                let _: super::Failed = failed;
                self.scope.failed = true;
                let span = self.token.span;
                let block = self.scope.new_block(None, span);
                self.scope.unplaced[block.index()] = None;
                block
            }
        };
        self.scope.body.order.push(block);
        debug_assert!(self.scope.insts.is_empty());
        let mut whole = true;
        loop {
            match self.token.kind {
                TokenKind::Label | TokenKind::End | TokenKind::Punct(b'}') => {
                    let failed = self.scope.failed;
                    if !failed {
                        let span = self.token.span;
                        self.fail(
                            codes::IR_SYNTAX,
                            span,
                            "the block before has no terminator",
                            "end it with `br`, `ret`, `switch`, `unreachable` or another terminator",
                        );
                        self.scope.failed = true;
                    }
                    break;
                }
                _ => {}
            }
            let before = self.token.span.start;
            match self.statement() {
                Ok(true) => break,
                Ok(false) => {}
                Err(failed) => {
                    let _: super::Failed = failed;
                    self.scope.failed = true;
                    self.depth = 0;
                    self.scope.attached.clear();
                    self.scope.fields.clear();
                    self.scope.constants.clear();
                    if self.diagnostics.is_full() || !self.resynchronise_in_body(before) {
                        whole = false;
                        break;
                    }
                }
            }
        }
        self.scope.body.blocks[block].insts = move_out(&mut self.scope.insts);
        self.scope.records.clear();
        self.scope.record_operands.clear();
        Ok(whole)
    }

    fn numbered_block(&mut self, number: u64, span: Span) -> Parse<Block> {
        if number < self.scope.next_number {
            let message = format!(
                "the label must be numbered {} or greater",
                self.scope.next_number
            );
            let help = "values and blocks without names are numbered in the order of the text";
            return Err(self.fail(codes::IR_DUPLICATE, span, message, help));
        }
        self.scope.next_number = number + 1;
        self.place_block(Label::Number(number), span)
    }

    /// The block of a label that stands here.
    fn place_block(&mut self, label: Label, span: Span) -> Parse<Block> {
        let block = match self.mentioned(label).map(Value::get) {
            None => self.new_block(label, span),
            Some(Operand::Block(block)) if self.scope.unplaced[block.index()].is_some() => block,
            _ => {
                let message = "the label is taken by another block or value";
                let help = "give the block another name";
                return Err(self.fail(codes::IR_DUPLICATE, span, message, help));
            }
        };
        self.scope.unplaced[block.index()] = None;
        Ok(block)
    }

    pub(super) fn new_block(&mut self, label: Label, span: Span) -> Block {
        match label {
            Label::Name(name) => {
                let block = self.scope.new_block(Some(name), span);
                let names = self.module.names.len();
                self.scope.set_named(name, block.into(), names);
                block
            }
            Label::Number(number) => {
                let block = self.scope.new_block(None, span);
                self.scope.numbered.insert(number, block.into());
                block
            }
        }
    }

    /// `label %b`
    pub(super) fn target_block(&mut self) -> Parse<Value> {
        self.expect_word(b"label")?;
        self.block_operand()
    }

    /// `%b` where a block must stand.
    pub(super) fn block_operand(&mut self) -> Parse<Value> {
        let token = self.token;
        let label = match token.kind {
            TokenKind::LocalName => Label::Name(self.name_of(token)),
            TokenKind::LocalNumber => Label::Number(self.number_of(token)?),
            _ => return Err(self.unexpected("a block, `%name`")),
        };
        self.advance();
        match self.mentioned(label) {
            None => Ok(self.new_block(label, token.span).into()),
            Some(value) if value.block().is_some() => Ok(value),
            Some(_) => {
                let message = "a value where a block must stand";
                let help = "name the label of a block";
                Err(self.fail(codes::IR_TYPE, token.span, message, help))
            }
        }
    }

    /// A value of a known type: local, constant or global.
    #[inline]
    pub(super) fn value(&mut self, ty: TypeId) -> Parse<Value> {
        match self.token.kind {
            TokenKind::LocalName | TokenKind::LocalNumber => {
                let token = self.advance();
                self.local(token, ty)
            }
            _ => Ok(self.constant(ty)?.into()),
        }
    }

    /// A type and a value of it.
    pub(super) fn typed_value(&mut self) -> Parse<(TypeId, Value)> {
        let ty = self.ty()?;
        Ok((ty, self.value(ty)?))
    }

    fn local(&mut self, token: Token, ty: TypeId) -> Parse<Value> {
        if self.scope.function.is_none() {
            let message = "a value of a function outside of one";
            let help = "constants of a module are made of constants";
            return Err(self.fail(codes::IR_UNDEFINED, token.span, message, help));
        }
        let (found, name, number) = if token.kind == TokenKind::LocalName {
            let name = self.name_of(token);
            (self.scope.get_named(name), Some(name), 0)
        } else {
            let number = self.number_of(token)?;
            (self.scope.numbered.get(number), None, number)
        };
        let Some(value) = found else {
            let label = name.map_or(Label::Number(number), Label::Name);
            return Ok(self.pending_local(label, ty, token.span));
        };
        let found = match value.get() {
            Operand::Local(local) => self.scope.body.locals[local].ty,
            _ => self.module.types.label,
        };
        if found == ty {
            return Ok(value);
        }
        let found = crate::print::type_text(&self.module, found);
        let wanted = crate::print::type_text(&self.module, ty);
        let shown = String::from_utf8_lossy(self.lexer.slice(token.span)).into_owned();
        Err(self.fail(
            codes::IR_TYPE,
            token.span,
            format!("`{shown}` has type `{found}`, not `{wanted}`"),
            "write the type of its definition, or convert it",
        ))
    }

    /// A value that is used before it is defined.
    pub(super) fn pending_local(&mut self, label: Label, ty: TypeId, span: Span) -> Value {
        let name = match label {
            Label::Name(name) => Some(name),
            Label::Number(_) => None,
        };
        let def = Def::Pending;
        let local = self.scope.body.locals.push(LocalDef { ty, def, name });
        self.scope.pending.push((local, span));
        let names = self.module.names.len();
        match label {
            Label::Name(name) => self.scope.set_named(name, local.into(), names),
            Label::Number(number) => self.scope.numbered.insert(number, local.into()),
        }
        local.into()
    }

    /// The value or block of a name or number, if it was mentioned.
    pub(super) fn mentioned(&self, label: Label) -> Option<Value> {
        match label {
            Label::Name(name) => self.scope.get_named(name),
            Label::Number(number) => self.scope.numbered.get(number),
        }
    }

    /// Gives a parameter its name or number.
    pub(super) fn bind_local(&mut self, token: Option<Token>, local: Local) -> Parse<()> {
        let token = token.filter(|&token| !self.is_nameless(token));
        match token {
            Some(token) if token.kind == TokenKind::LocalName => {
                let name = self.name_of(token);
                if self.scope.get_named(name).is_some() {
                    return Err(self.duplicate_value(token.span));
                }
                self.scope.body.locals[local].name = Some(name);
                let names = self.module.names.len();
                self.scope.set_named(name, local.into(), names);
                Ok(())
            }
            _ => {
                let number = match token {
                    Some(token) => self.next_value_number(token)?,
                    None => self.scope.next_number,
                };
                self.scope.next_number = number + 1;
                self.scope.numbered.insert(number, local.into());
                Ok(())
            }
        }
    }

    /// The result of an instruction: the value of `%x =`, or a new one with the next number.
    pub(super) fn define_result(
        &mut self,
        token: Option<Token>,
        ty: TypeId,
        inst: InstId,
    ) -> Parse<Local> {
        let fresh = LocalDef {
            ty,
            def: Def::Inst(inst),
            name: None,
        };
        let token = token.filter(|&token| !self.is_nameless(token));
        let (found, name, number, span) = match token {
            Some(token) if token.kind == TokenKind::LocalName => {
                let name = self.name_of(token);
                (self.scope.get_named(name), Some(name), 0, token.span)
            }
            _ => {
                let (number, span) = match token {
                    Some(token) => (self.next_value_number(token)?, token.span),
                    None => (self.scope.next_number, self.token.span),
                };
                self.scope.next_number = number + 1;
                (self.scope.numbered.get(number), None, number, span)
            }
        };
        match found.map(Value::get) {
            None => {
                let local = self.scope.body.locals.push(LocalDef { name, ..fresh });
                let names = self.module.names.len();
                match name {
                    Some(name) => self.scope.set_named(name, local.into(), names),
                    None => self.scope.numbered.insert(number, local.into()),
                }
                Ok(local)
            }
            Some(Operand::Local(local)) if self.scope.body.locals[local].def == Def::Pending => {
                let expected = self.scope.body.locals[local].ty;
                if expected != ty {
                    let found = crate::print::type_text(&self.module, ty);
                    let expected = crate::print::type_text(&self.module, expected);
                    let message =
                        format!("it has type `{found}`, but was used as `{expected}` before");
                    let help = "write the same type in both places";
                    return Err(self.fail(codes::IR_TYPE, span, message, help));
                }
                self.scope.body.locals[local].def = Def::Inst(inst);
                Ok(local)
            }
            Some(_) => Err(self.duplicate_value(span)),
        }
    }

    fn next_value_number(&mut self, token: Token) -> Parse<u64> {
        let number = self.number_of(token)?;
        if number >= self.scope.next_number {
            return Ok(number);
        }
        let message = format!(
            "the value must be numbered {} or greater",
            self.scope.next_number
        );
        let help = "values and blocks without names are numbered in the order of the text";
        Err(self.fail(codes::IR_DUPLICATE, token.span, message, help))
    }

    fn duplicate_value(&mut self, span: Span) -> super::Failed {
        self.fail(
            codes::IR_DUPLICATE,
            span,
            "the name is taken by another value or block",
            "a value is defined once; choose another name",
        )
    }

    /// The block of an address in the function that is being read.
    pub(super) fn block_of_address(&self, address: BlockAddressId) -> Option<Block> {
        let function = self.scope.function?;
        let pending = self.block_addresses.get(&function)?;
        let label = pending.iter().find(|pending| pending.address == address)?;
        self.mentioned(label.label).and_then(Value::block)
    }

    /// Fills the block addresses of a function that was just read.
    pub(super) fn resolve_block_addresses(&mut self, function: GlobalId) {
        let Some(pending) = self.block_addresses.remove(&function) else {
            return;
        };
        for pending in pending {
            match self.mentioned(pending.label).and_then(Value::block) {
                Some(block) => {
                    self.module.constants.block_addresses[pending.address].block = Some(block);
                }
                None => self
                    .block_addresses
                    .entry(function)
                    .or_default()
                    .push(pending),
            }
        }
    }

    /// Skips to the next line that looks like an instruction, a label or the end of the function; false
    /// if something of the top level comes first.
    fn resynchronise_in_body(&mut self, before: u32) -> bool {
        let bytes = self.lexer.bytes();
        let mut pos = self.last_end.max(before) as usize;
        while let Some(len) = memchr::memchr(b'\n', &bytes[pos..]) {
            pos += len + 1;
            let line = &bytes[pos..];
            if line.starts_with(b"define ") || line.starts_with(b"declare ") {
                return false;
            }
            let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
            let line = line[..end].trim_ascii_start();
            let word = line
                .iter()
                .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
                .unwrap_or(line.len());
            let starts = match line.first() {
                Some(b'}' | b'%' | b'#') => true,
                Some(_) => line[word..].starts_with(b":") || super::inst::is_opcode(&line[..word]),
                None => false,
            };
            if starts {
                self.lexer.seek(pos as u32);
                self.advance();
                return true;
            }
        }
        self.lexer.seek(bytes.len() as u32);
        self.advance();
        false
    }
}
