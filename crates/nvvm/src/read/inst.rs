//! Instructions, except those on memory and calls.

use super::{Parse, Reader};
use crate::function::Attachment;
use crate::index::Id;
use crate::inst::{BinaryOp, CastOp, FcmpPredicate, Flags, IcmpPredicate, Inst, Op};
use crate::lex::{Token, TokenKind};
use crate::metadata::NodeId;
use crate::types::{Type, TypeId};
use crate::value::{InstId, Value};
use warpc_diag::{Span, codes};

/// The words that start an instruction, other than conversions and operations on two values.
const OPCODES: &[&str] = &[
    "ret",
    "br",
    "switch",
    "indirectbr",
    "invoke",
    "callbr",
    "resume",
    "unreachable",
    "cleanupret",
    "catchret",
    "catchswitch",
    "catchpad",
    "cleanuppad",
    "landingpad",
    "fneg",
    "icmp",
    "fcmp",
    "alloca",
    "load",
    "store",
    "fence",
    "cmpxchg",
    "atomicrmw",
    "getelementptr",
    "extractelement",
    "insertelement",
    "shufflevector",
    "extractvalue",
    "insertvalue",
    "phi",
    "select",
    "freeze",
    "call",
    "tail",
    "musttail",
    "notail",
    "va_arg",
];

/// Whether a word starts an instruction.
pub(super) fn is_opcode(word: &[u8]) -> bool {
    OPCODES.iter().any(|op| op.as_bytes() == word)
        || BinaryOp::from_keyword(word).is_some()
        || CastOp::from_keyword(word).is_some()
}

/// The flags of arithmetic on integers and of conversions.
pub(super) const ARITHMETIC_FLAGS: &[(&[u8], Flags)] = &[
    (b"nsw", Flags::NSW),
    (b"nuw", Flags::NUW),
    (b"nneg", Flags::NNEG),
    (b"exact", Flags::EXACT),
    (b"disjoint", Flags::DISJOINT),
];

/// The flags of arithmetic on floating-point numbers.
pub(super) const FAST_MATH_FLAGS: &[(&[u8], Flags)] = &[
    (b"contract", Flags::CONTRACT),
    (b"fast", Flags::FAST),
    (b"nnan", Flags::NNAN),
    (b"ninf", Flags::NINF),
    (b"nsz", Flags::NSZ),
    (b"arcp", Flags::ARCP),
    (b"afn", Flags::AFN),
    (b"reassoc", Flags::REASSOC),
];

/// The flags of `getelementptr`.
pub(super) const GEP_FLAGS: &[(&[u8], Flags)] = &[
    (b"inbounds", Flags::INBOUNDS),
    (b"nuw", Flags::NUW),
    (b"nusw", Flags::NUSW),
];

/// What reading an instruction gave, before its metadata.
pub(super) struct Parts {
    pub op: Op,
    pub ty: TypeId,
    pub flags: Flags,
}

impl Reader<'_> {
    /// A debug record or an instruction with its metadata; whether it ends the block.
    pub(super) fn statement(&mut self) -> Parse<bool> {
        if self.token.is(b'#') {
            if self.record_line().is_none() {
                self.record()?;
            }
            return Ok(false);
        }
        if let Some(done) = self.inst_line() {
            return done;
        }
        let pos = self.token.span.start;
        let target = match self.token.kind {
            TokenKind::LocalName | TokenKind::LocalNumber => {
                let token = self.advance();
                self.expect(b'=')?;
                Some(token)
            }
            _ => None,
        };
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("an instruction"));
        }
        self.scope.operands.clear();
        self.scope.ate_comma = false;
        let parts = match self.text() {
            b"call" | b"tail" | b"musttail" | b"notail" => match self.call_inst()? {
                Some(parts) => parts,
                // A debug intrinsic became a record.
                None => {
                    return match target {
                        Some(token) => Err(self.no_result(token)),
                        None => Ok(false),
                    };
                }
            },
            _ => self.operation()?,
        };
        self.attachments()?;
        self.finish_inst(parts, target, pos)
    }

    fn no_result(&mut self, name: Token) -> super::Failed {
        let message = "the instruction has no result to name";
        let help = "leave the name and `=` out";
        self.fail(codes::IR_TYPE, name.span, message, help)
    }

    /// Puts an instruction into the block that is being read.
    pub(super) fn finish_inst(
        &mut self,
        parts: Parts,
        target: Option<Token>,
        pos: u32,
    ) -> Parse<bool> {
        let inst = InstId::new(self.scope.body.insts.len());
        let result = if parts.ty == self.module.types.void {
            if let Some(token) = target {
                return Err(self.no_result(token));
            }
            None
        } else {
            Some(self.define_result(target, parts.ty, inst)?)
        };
        let scope = &mut self.scope;
        let (start, len) = scope.body.add_operands(&scope.operands);
        let mut debug_location = None;
        for (kind, node) in scope.attached.drain(..) {
            // The reader takes nodes only.
            let Some(node) = node.node() else { continue };
            if kind == self.words.dbg {
                debug_location = Some(node.into());
            } else {
                let attachment = Attachment { inst, kind, node };
                scope.body.attachments.push(attachment);
            }
        }
        scope.body.insts.push(Inst {
            op: parts.op,
            flags: parts.flags,
            ty: parts.ty,
            start,
            len,
            result: result.map(Into::into),
            debug_location,
            pos,
        });
        let mut operands = &scope.record_operands[..];
        for (kind, count) in scope.records.drain(..) {
            let (own, rest) = operands.split_at(count);
            scope.body.add_record(kind, inst, own);
            operands = rest;
        }
        scope.record_operands.clear();
        scope.insts.push(inst);
        Ok(parts.op.is_terminator())
    }

    /// `, !kind !node …`
    pub(super) fn attachments(&mut self) -> Parse<()> {
        self.scope.attached.clear();
        while std::mem::take(&mut self.scope.ate_comma) || self.accept(b',') {
            if self.token.kind != TokenKind::MetadataName {
                return Err(self.unexpected("metadata, `!kind !node`"));
            }
            let kind = self.metadata_name();
            let span = self.token.span;
            let md = self.metadata()?;
            let _: NodeId = match md.node() {
                Some(node) => node,
                None => {
                    let message = "what is attached must be a node";
                    let help = "write the number of a node, `!0`";
                    return Err(self.fail(codes::IR_SYNTAX, span, message, help));
                }
            };
            self.scope.attached.push((kind, md));
        }
        Ok(())
    }

    /// A comma that goes on with the instruction; before metadata it is only remembered.
    pub(super) fn more(&mut self) -> bool {
        if !self.accept(b',') {
            return false;
        }
        self.scope.ate_comma = self.token.kind == TokenKind::MetadataName;
        !self.scope.ate_comma
    }

    pub(super) fn push(&mut self, value: Value) {
        self.scope.operands.push(value);
    }

    /// `nuw nsw exact disjoint nneg`, each once, in any order.
    pub(super) fn arithmetic_flags(&mut self) -> Flags {
        let mut flags = Flags::empty();
        while let Some(flag) = self.flag_of(ARITHMETIC_FLAGS)
            && !flags.contains(flag)
        {
            flags |= flag;
            self.advance();
        }
        flags
    }

    /// `nnan ninf …`, in any order.
    pub(super) fn fast_math_flags(&mut self) -> Flags {
        self.flags(FAST_MATH_FLAGS)
    }

    pub(super) fn flags(&mut self, table: &[(&[u8], Flags)]) -> Flags {
        let mut flags = Flags::empty();
        while let Some(flag) = self.flag_of(table) {
            flags |= flag;
            self.advance();
        }
        flags
    }

    /// The flag of a table that the current word is.
    fn flag_of(&self, table: &[(&[u8], Flags)]) -> Option<Flags> {
        if self.token.kind != TokenKind::Word {
            return None;
        }
        let text = self.text();
        table.iter().find(|row| row.0 == text).map(|row| row.1)
    }

    fn operation(&mut self) -> Parse<Parts> {
        let word = self.text();
        let span = self.token.span;
        let void = self.module.types.void;
        let parts = |op, ty| {
            Ok(Parts {
                op,
                ty,
                flags: Flags::empty(),
            })
        };
        match word {
            b"load" => return self.load(),
            b"store" => return self.store(),
            b"getelementptr" => return self.gep(),
            b"alloca" => return self.alloca(),
            b"atomicrmw" => return self.atomicrmw(),
            b"cmpxchg" => return self.cmpxchg(),
            b"fence" => return self.fence(),
            b"invoke" => return self.invoke(),
            b"callbr" => return self.callbr(),
            _ => {}
        }
        self.advance();
        match word {
            b"ret" => {
                let ty = self.any_type()?.id;
                if ty != void {
                    let value = self.value(ty)?;
                    self.push(value);
                }
                parts(Op::Ret, void)
            }
            b"br" => {
                if self.at_word(b"label") {
                    let block = self.target_block()?;
                    self.push(block);
                    return parts(Op::Br, void);
                }
                let (_, condition) = self.typed_value()?;
                self.push(condition);
                for _ in 0..2 {
                    self.expect(b',')?;
                    let block = self.target_block()?;
                    self.push(block);
                }
                parts(Op::CondBr, void)
            }
            b"phi" => {
                let flags = self.fast_math_flags();
                let ty = self.ty()?;
                // A block without predecessors has phis without entries.
                while self.token.is(b'[') || !self.scope.operands.is_empty() {
                    self.expect(b'[')?;
                    let value = self.value(ty)?;
                    self.push(value);
                    self.expect(b',')?;
                    let block = self.block_operand()?;
                    self.push(block);
                    self.expect(b']')?;
                    if !self.more() {
                        break;
                    }
                }
                let op = Op::Phi;
                Ok(Parts { op, ty, flags })
            }
            b"icmp" => {
                let flags = match self.accept_word(b"samesign") {
                    true => Flags::SAMESIGN,
                    false => Flags::empty(),
                };
                let Some(predicate) = IcmpPredicate::from_keyword(self.text()) else {
                    return Err(self.unexpected("a comparison of integers"));
                };
                self.advance();
                let ty = self.two_operands()?;
                let scalar = self.module.types.scalar(ty);
                if !self.module.types.is_int(scalar) && !self.module.types.is_ptr(scalar) {
                    return Err(self.bad_operand_type(span, word, ty));
                }
                let i1 = self.module.types.i1;
                let ty = self.module.types.with_shape_of(ty, i1);
                let op = Op::Icmp(predicate);
                Ok(Parts { op, ty, flags })
            }
            b"fcmp" => {
                let flags = self.fast_math_flags();
                let Some(predicate) = FcmpPredicate::from_keyword(self.text()) else {
                    return Err(self.unexpected("a comparison of floating-point numbers"));
                };
                self.advance();
                let ty = self.two_operands()?;
                if !self.module.types.is_float(self.module.types.scalar(ty)) {
                    return Err(self.bad_operand_type(span, word, ty));
                }
                let i1 = self.module.types.i1;
                let ty = self.module.types.with_shape_of(ty, i1);
                let op = Op::Fcmp(predicate);
                Ok(Parts { op, ty, flags })
            }
            b"select" => {
                let flags = self.fast_math_flags();
                let (_, condition) = self.typed_value()?;
                self.push(condition);
                self.expect(b',')?;
                let (ty, first) = self.typed_value()?;
                self.push(first);
                self.expect(b',')?;
                let other = self.token.span;
                let (second_ty, second) = self.typed_value()?;
                if ty != second_ty {
                    return Err(self.bad_operand_type(other, word, second_ty));
                }
                self.push(second);
                let op = Op::Select;
                Ok(Parts { op, ty, flags })
            }
            b"fneg" => {
                let flags = self.fast_math_flags();
                let (ty, value) = self.typed_value()?;
                if !self.module.types.is_float(self.module.types.scalar(ty)) {
                    return Err(self.bad_operand_type(span, word, ty));
                }
                self.push(value);
                let op = Op::Fneg;
                Ok(Parts { op, ty, flags })
            }
            b"freeze" => {
                let (ty, value) = self.typed_value()?;
                self.push(value);
                parts(Op::Freeze, ty)
            }
            b"switch" => self.switch(),
            b"unreachable" => parts(Op::Unreachable, void),
            b"resume" => {
                let (_, value) = self.typed_value()?;
                self.push(value);
                parts(Op::Resume, void)
            }
            b"indirectbr" => {
                let (_, address) = self.typed_value()?;
                self.push(address);
                self.expect(b',')?;
                self.expect(b'[')?;
                self.blocks_until_bracket()?;
                parts(Op::IndirectBr, void)
            }
            b"extractelement" | b"insertelement" | b"shufflevector" => self.vector_inst(word),
            b"extractvalue" | b"insertvalue" => self.aggregate_inst(word),
            b"va_arg" => {
                let (_, list) = self.typed_value()?;
                self.push(list);
                self.expect(b',')?;
                let ty = self.ty()?;
                parts(Op::VaArg, ty)
            }
            b"landingpad" => self.landingpad(),
            b"cleanupret" | b"catchret" | b"catchswitch" | b"catchpad" | b"cleanuppad" => {
                self.pad_inst(word)
            }
            _ => {
                if let Some(op) = BinaryOp::from_keyword(word) {
                    return self.binary(op, word, span);
                }
                if let Some(op) = CastOp::from_keyword(word) {
                    return self.cast(op);
                }
                let text = String::from_utf8_lossy(word).into_owned();
                let message = format!("there is no instruction `{text}`");
                let help = "is the word spelled right?";
                Err(self.fail(codes::IR_SYNTAX, span, message, help))
            }
        }
    }

    /// `T a, b`
    fn two_operands(&mut self) -> Parse<TypeId> {
        let (ty, first) = self.typed_value()?;
        self.push(first);
        self.expect(b',')?;
        let second = self.value(ty)?;
        self.push(second);
        Ok(ty)
    }

    #[cold]
    pub(super) fn bad_operand_type(
        &mut self,
        span: Span,
        word: &[u8],
        ty: TypeId,
    ) -> super::Failed {
        let shown = crate::print::type_text(&self.module, ty);
        let word = String::from_utf8_lossy(word);
        self.fail(
            codes::IR_TYPE,
            span,
            format!("`{word}` does not take a value of type `{shown}` here"),
            "convert the value, or use the instruction for its type",
        )
    }

    fn binary(&mut self, op: BinaryOp, word: &[u8], span: Span) -> Parse<Parts> {
        let float = word[0] == b'f';
        let flags = match float {
            true => self.fast_math_flags(),
            false => self.arithmetic_flags(),
        };
        let ty = self.two_operands()?;
        let scalar = self.module.types.scalar(ty);
        let fits = match float {
            true => self.module.types.is_float(scalar),
            false => self.module.types.is_int(scalar),
        };
        if !fits {
            return Err(self.bad_operand_type(span, word, ty));
        }
        let op = Op::Binary(op);
        Ok(Parts { op, ty, flags })
    }

    fn cast(&mut self, op: CastOp) -> Parse<Parts> {
        let flags = match op {
            CastOp::Fptrunc | CastOp::Fpext => self.fast_math_flags(),
            CastOp::Uitofp | CastOp::Sitofp => self.arithmetic_flags() | self.fast_math_flags(),
            _ => self.arithmetic_flags(),
        };
        let (_, value) = self.typed_value()?;
        self.push(value);
        self.expect_word(b"to")?;
        let ty = self.ty()?;
        let op = Op::Cast(op);
        Ok(Parts { op, ty, flags })
    }

    fn switch(&mut self) -> Parse<Parts> {
        let (ty, value) = self.typed_value()?;
        self.push(value);
        self.expect(b',')?;
        let default = self.target_block()?;
        self.push(default);
        self.expect(b'[')?;
        while !self.token.is(b']') {
            let span = self.token.span;
            let case_ty = self.ty()?;
            if case_ty != ty {
                return Err(self.bad_operand_type(span, b"switch", case_ty));
            }
            let case = self.constant(case_ty)?;
            self.push(case.into());
            self.expect(b',')?;
            let block = self.target_block()?;
            self.push(block);
        }
        self.advance();
        Ok(Parts {
            op: Op::Switch,
            ty: self.module.types.void,
            flags: Flags::empty(),
        })
    }

    /// `label %a, label %b ]`; how many.
    pub(super) fn blocks_until_bracket(&mut self) -> Parse<u32> {
        let mut count = 0;
        while !self.token.is(b']') {
            let block = self.target_block()?;
            self.push(block);
            count += 1;
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(count)
    }

    fn vector_inst(&mut self, word: &[u8]) -> Parse<Parts> {
        let span = self.token.span;
        let (vector, value) = self.typed_value()?;
        self.push(value);
        if !self.module.types.is_vector(vector) {
            return Err(self.bad_operand_type(span, word, vector));
        }
        let element = self.module.types.scalar(vector);
        self.expect(b',')?;
        let second_span = self.token.span;
        let (second_ty, second) = self.typed_value()?;
        self.push(second);
        let (op, ty) = match word {
            b"extractelement" => (Op::ExtractElement, element),
            b"insertelement" => {
                if second_ty != element {
                    return Err(self.bad_operand_type(second_span, word, second_ty));
                }
                self.expect(b',')?;
                let (_, index) = self.typed_value()?;
                self.push(index);
                (Op::InsertElement, vector)
            }
            _ => {
                if second_ty != vector {
                    return Err(self.bad_operand_type(second_span, word, second_ty));
                }
                self.expect(b',')?;
                let mask_span = self.token.span;
                let (mask_ty, mask) = self.typed_value()?;
                if !self.module.types.is_vector(mask_ty) || mask.constant().is_none() {
                    return Err(self.bad_operand_type(mask_span, word, mask_ty));
                }
                self.push(mask);
                let ty = self.module.types.with_shape_of(mask_ty, element);
                (Op::ShuffleVector, ty)
            }
        };
        let flags = Flags::empty();
        Ok(Parts { op, ty, flags })
    }

    fn aggregate_inst(&mut self, word: &[u8]) -> Parse<Parts> {
        let span = self.token.span;
        let (aggregate, value) = self.typed_value()?;
        self.push(value);
        let insert = word == b"insertvalue";
        let mut inserted = None;
        if insert {
            self.expect(b',')?;
            let (ty, member) = self.typed_value()?;
            self.push(member);
            inserted = Some(ty);
        }
        let mut member = aggregate;
        let mut indices = smallvec::SmallVec::<[u32; 8]>::new();
        self.expect(b',')?;
        loop {
            let place = self.token.span;
            let index = self.expect_u32("an index")?;
            indices.push(index);
            let in_range = match self.module.types.get(member) {
                Type::Array { len, .. } => u64::from(index) < len,
                Type::Vector { .. } => false,
                _ => true,
            };
            member = match self.module.types.member(member, u64::from(index)) {
                Some(member) if in_range => member,
                _ => {
                    let shown = crate::print::type_text(&self.module, member);
                    let message = format!("`{shown}` has no member {index}");
                    let help = "indices count from zero";
                    return Err(self.fail(codes::IR_TYPE, place, message, help));
                }
            };
            if !self.more() {
                break;
            }
        }
        if inserted.is_some_and(|ty| ty != member) {
            return Err(self.bad_operand_type(span, word, aggregate));
        }
        let list = self.module.types.intern_numbers(&indices);
        let (op, ty) = match insert {
            true => (Op::InsertValue(list), aggregate),
            false => (Op::ExtractValue(list), member),
        };
        let flags = Flags::empty();
        Ok(Parts { op, ty, flags })
    }
}
