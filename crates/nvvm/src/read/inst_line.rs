//! Instructions in the form in which LLVM prints them, read without tokens.
//!
//! ```text
//!   %5 = load i32, ptr %4, align 4, !dbg !17
//! ```
//!
//! These are the instructions most modules are made of: on memory, arithmetic, conversions, comparisons and
//! branches, with operands that are values, small numbers and names. See [`cursor`](super::cursor) for the
//! idea. What is mentioned on the way (types, blocks) is mentioned again in the same order if the line is left
//! to the reader of tokens, so nothing changes by it.

use super::body::Label;
use super::cursor::Cursor;
use super::inst::{ARITHMETIC_FLAGS, FAST_MATH_FLAGS, GEP_FLAGS, Parts};
use super::{Parse, Reader};
use crate::constant::ConstKind;
use crate::inst::{
    Access, Align, BinaryOp, CastOp, FcmpPredicate, Flags, IcmpPredicate, Op, Ordering, SyncScope,
    Tail,
};
use crate::lex::TokenKind;
use crate::module::GlobalKind;
use crate::types::{Type, TypeId};
use crate::value::{Operand, Value};
use smallvec::SmallVec;
use warpc_diag::Span;

/// Types in types go so deep at most on this way.
const MAX_DEPTH: u32 = 4;

impl<'a> Reader<'a> {
    /// Reads the instruction that starts at the current token, if it is written as LLVM prints it; whether it
    /// ends the block.
    pub(super) fn inst_line(&mut self) -> Option<Parse<bool>> {
        let token = self.token;
        let mut cursor = Cursor::new(self.lexer.bytes(), token.span.end);
        let (target, word) = match token.kind {
            TokenKind::LocalName | TokenKind::LocalNumber => {
                cursor.expect(b" = ")?;
                (Some(token), cursor.word())
            }
            TokenKind::Word => (None, self.text()),
            _ => return None,
        };
        cursor.expect(b" ")?;
        self.scope.operands.clear();
        let parts = self.quick_operation(&mut cursor, word)?;
        self.scope.attached.clear();
        self.quick_attachments(&mut cursor)?;
        self.go_on_at(&cursor);
        Some(self.finish_inst(parts, target, token.span.start))
    }

    fn quick_operation(&mut self, cursor: &mut Cursor<'a>, word: &[u8]) -> Option<Parts> {
        match word {
            b"load" => self.quick_load(cursor),
            b"store" => self.quick_store(cursor),
            b"getelementptr" => self.quick_gep(cursor),
            b"alloca" => self.quick_alloca(cursor),
            b"br" => self.quick_branch(cursor),
            b"ret" => self.quick_return(cursor),
            b"phi" => self.quick_phi(cursor),
            b"select" => self.quick_select(cursor),
            b"icmp" | b"fcmp" => self.quick_comparison(cursor, word),
            b"extractvalue" => self.quick_member(cursor),
            b"call" => self.quick_call(cursor, Tail::None),
            b"tail" => self.quick_call(cursor, Tail::Tail),
            _ => {
                if let Some(op) = BinaryOp::from_keyword(word) {
                    return self.quick_binary(cursor, op, word[0] == b'f');
                }
                self.quick_cast(cursor, CastOp::from_keyword(word)?)
            }
        }
    }

    /// `, !kind !5 …` and the end of the line.
    fn quick_attachments(&mut self, cursor: &mut Cursor<'a>) -> Option<()> {
        while cursor.accept(b", !") {
            let kind = if cursor.accept(b"dbg ") {
                self.words.dbg
            } else {
                let name = cursor.name();
                cursor.expect(b" ")?;
                if name.first().is_none_or(u8::is_ascii_digit) {
                    return None;
                }
                self.module.names.intern(name)
            };
            let node = self.quick_reference(cursor)?;
            self.scope.attached.push((kind, node));
        }
        cursor.at_line_end().then_some(())
    }

    pub(super) fn quick_flags(&self, cursor: &mut Cursor<'a>, table: &[(&[u8], Flags)]) -> Flags {
        let mut flags = Flags::empty();
        // Most of what can stand here starts with another byte.
        while matches!(
            cursor.byte(),
            Some(b'n' | b'i' | b'e' | b'd' | b'c' | b'f' | b'a' | b'r')
        ) {
            let rest = cursor.rest();
            let found = table
                .iter()
                .find(|row| rest.starts_with(row.0) && rest.get(row.0.len()) == Some(&b' '));
            // What is written twice is left to the reader of tokens.
            let Some(row) = found.filter(|row| !flags.contains(row.1)) else {
                break;
            };
            flags |= row.1;
            cursor.pos += row.0.len() + 1;
        }
        flags
    }

    // ---- types ----

    pub(super) fn quick_type(&mut self, cursor: &mut Cursor<'a>) -> Option<TypeId> {
        self.quick_type_within(cursor, 0)
    }

    fn quick_type_within(&mut self, cursor: &mut Cursor<'a>, depth: u32) -> Option<TypeId> {
        let opaque = cursor.byte()? == b'p';
        let mut ty = match cursor.byte()? {
            b'p' => {
                cursor.expect(b"ptr")?;
                match cursor.accept(b" addrspace(") {
                    false => self.module.types.ptr,
                    true => {
                        let space = cursor.number().filter(|&space| space < 1 << 24)?;
                        cursor.expect(b")")?;
                        self.module.types.pointer(space as u32)
                    }
                }
            }
            b'i' => {
                cursor.pos += 1;
                match cursor.number()? {
                    32 => self.module.types.i32,
                    64 => self.module.types.i64,
                    8 => self.module.types.i8,
                    1 => self.module.types.i1,
                    bits @ (16 | 128) => self.module.types.int(bits as u32),
                    _ => return None,
                }
            }
            b'f' if cursor.accept(b"float") => self.module.types.intern(Type::Float),
            b'd' if cursor.accept(b"double") => self.module.types.intern(Type::Double),
            b'h' if cursor.accept(b"half") => self.module.types.intern(Type::Half),
            b'%' => self.quick_named_type(cursor)?,
            open @ (b'[' | b'<' | b'{') if depth < MAX_DEPTH => {
                cursor.pos += 1;
                self.quick_aggregate(cursor, open, depth + 1)?
            }
            _ => return None,
        };
        // What a typed pointer of older text points to is of no use here.
        if cursor.byte() == Some(b'*') {
            if opaque || !self.module.types.is_member(ty) {
                return None;
            }
            self.typed_pointers = true;
            while cursor.accept(b"*") {
                ty = self.module.types.ptr;
            }
        }
        matches!(
            cursor.byte(),
            Some(b' ' | b',' | b']' | b'>' | b'\n') | None
        )
        .then_some(ty)
    }

    /// A type that can be part of another.
    fn quick_part(&mut self, cursor: &mut Cursor<'a>, depth: u32) -> Option<TypeId> {
        let ty = self.quick_type_within(cursor, depth)?;
        self.module.types.is_member(ty).then_some(ty)
    }

    /// A type in brackets, after the first of them.
    fn quick_aggregate(&mut self, cursor: &mut Cursor<'a>, open: u8, depth: u32) -> Option<TypeId> {
        if open == b'{' {
            let mut fields: SmallVec<[TypeId; 8]> = SmallVec::new();
            cursor.expect(b" ")?;
            loop {
                fields.push(self.quick_part(cursor, depth)?);
                if cursor.accept(b" }") {
                    break;
                }
                cursor.expect(b", ")?;
            }
            let fields = self.module.types.intern_list(&fields);
            let packed = false;
            return Some(self.module.types.intern(Type::Struct { fields, packed }));
        }
        let len = cursor.number()?;
        cursor.expect(b" x ")?;
        let element = self.quick_part(cursor, depth)?;
        if open == b'[' {
            cursor.expect(b"]")?;
            return Some(self.module.types.intern(Type::Array { element, len }));
        }
        cursor.expect(b">")?;
        if !self.module.types.is_vector_element(element) {
            return None;
        }
        Some(self.module.types.intern(Type::Vector {
            element,
            len: u32::try_from(len).ok().filter(|&len| len != 0)?,
            scalable: false,
        }))
    }

    /// `%name`, `%"name"` or `%5`, if it was mentioned before.
    fn quick_named_type(&mut self, cursor: &mut Cursor<'a>) -> Option<TypeId> {
        cursor.pos += 1;
        let name = match cursor.byte()? {
            b'0'..=b'9' => {
                let number = cursor.number()?;
                return self.numbered_types.get(&number).copied();
            }
            b'"' => {
                let text = cursor.text()?;
                self.unescaped(text)
            }
            _ => {
                let name = cursor.name();
                self.module.names.find(name)?
            }
        };
        self.named_types.get(&name).copied()
    }

    // ---- values ----

    pub(super) fn quick_value(&mut self, cursor: &mut Cursor<'a>, ty: TypeId) -> Option<Value> {
        match cursor.byte()? {
            b'%' => {
                let start = cursor.pos;
                let label = self.quick_label(cursor)?;
                let Some(value) = self.mentioned(label) else {
                    let span = Span::new(start as u32, cursor.pos as u32);
                    return Some(self.pending_local(label, ty, span));
                };
                match value.get() {
                    Operand::Local(local) if self.scope.body.locals[local].ty == ty => Some(value),
                    _ => None,
                }
            }
            b'0'..=b'9' => {
                let number = cursor.number()? as i64;
                self.quick_int(ty, number)
            }
            b'-' => {
                cursor.pos += 1;
                let number = cursor.number()? as i64;
                self.quick_int(ty, -number)
            }
            b'@' => self.quick_address(cursor, ty),
            b't' if ty == self.module.types.i1 => {
                cursor.expect(b"true")?;
                Some(self.module.constants.int(ty, 1, &[1]).into())
            }
            b'f' if ty == self.module.types.i1 => {
                cursor.expect(b"false")?;
                Some(self.module.constants.int(ty, 1, &[0]).into())
            }
            b'n' if self.module.types.is_ptr(ty) => {
                cursor.expect(b"null")?;
                Some(self.module.constants.intern(ty, ConstKind::Null).into())
            }
            _ => None,
        }
    }

    /// The name or number after `%`.
    fn quick_label(&mut self, cursor: &mut Cursor<'a>) -> Option<Label> {
        cursor.expect(b"%")?;
        match cursor.byte()? {
            b'0'..=b'9' => {
                let number = cursor.number()?;
                (number <= u64::from(u32::MAX)).then_some(Label::Number(number))
            }
            _ => {
                let name = cursor.name();
                (!name.is_empty()).then(|| Label::Name(self.module.names.intern(name)))
            }
        }
    }

    /// A number that surely fits into its type.
    fn quick_int(&mut self, ty: TypeId, number: i64) -> Option<Value> {
        let Type::Int(bits @ 8..=64) = self.module.types.get(ty) else {
            return None;
        };
        let limit = i64::MAX >> (64 - bits);
        (-limit..=limit).contains(&number).then(|| {
            let constant = self.module.constants.int(ty, bits, &[number as u64]);
            constant.into()
        })
    }

    /// `@name` of a global that was mentioned before.
    fn quick_address(&mut self, cursor: &mut Cursor<'a>, ty: TypeId) -> Option<Value> {
        cursor.pos += 1;
        let name = cursor.name();
        if name.first().is_none_or(u8::is_ascii_digit) {
            return None;
        }
        let name = self.module.names.find(name)?;
        let global = self.known_global(name)?;
        let data = &self.module.globals[global];
        if matches!(data.kind, GlobalKind::Pending)
            || self.module.types.get(ty) != Type::Ptr(data.space)
        {
            return None;
        }
        let constant = self.module.constants.intern(ty, ConstKind::Global(global));
        Some(constant.into())
    }

    fn quick_block(&mut self, cursor: &mut Cursor<'a>) -> Option<Value> {
        let start = cursor.pos;
        let label = self.quick_label(cursor)?;
        match self.mentioned(label) {
            Some(value) => value.block().map(|_| value),
            None => {
                let span = Span::new(start as u32, cursor.pos as u32);
                Some(self.new_block(label, span).into())
            }
        }
    }

    /// `T v`, which becomes an operand.
    fn quick_operand(&mut self, cursor: &mut Cursor<'a>) -> Option<TypeId> {
        let ty = self.quick_type(cursor)?;
        cursor.expect(b" ")?;
        let value = self.quick_value(cursor, ty)?;
        self.push(value);
        Some(ty)
    }

    /// `T a, b`, which become operands.
    fn quick_pair(&mut self, cursor: &mut Cursor<'a>) -> Option<TypeId> {
        let ty = self.quick_operand(cursor)?;
        cursor.expect(b", ")?;
        let second = self.quick_value(cursor, ty)?;
        self.push(second);
        Some(ty)
    }

    // ---- memory ----

    /// `ptr %p, align 4` after a load or store.
    fn quick_access(&mut self, cursor: &mut Cursor<'a>) -> Option<Access> {
        let ty = self.quick_operand(cursor)?;
        if !self.module.types.is_ptr(ty) {
            return None;
        }
        Some(Access {
            volatile: false,
            ordering: Ordering::Weak,
            align: self.quick_align(cursor)?,
            scope: SyncScope::SYSTEM,
        })
    }

    fn quick_align(&mut self, cursor: &mut Cursor<'a>) -> Option<Align> {
        match cursor.accept(b", align ") {
            true => Align::new(cursor.number()?),
            false => Some(Align::NONE),
        }
    }

    fn quick_load(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        let ty = self.quick_type(cursor)?;
        cursor.expect(b", ")?;
        let op = Op::Load(self.quick_access(cursor)?);
        let flags = Flags::empty();
        Some(Parts { op, ty, flags })
    }

    fn quick_store(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        self.quick_operand(cursor)?;
        cursor.expect(b", ")?;
        let op = Op::Store(self.quick_access(cursor)?);
        self.without_result(op)
    }

    fn quick_alloca(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        let ty = self.quick_type(cursor)?;
        let align = self.quick_align(cursor)?;
        let result = match cursor.accept(b", addrspace(") {
            false => self.module.types.ptr,
            true => {
                let space = cursor.number().filter(|&space| space < 1 << 24)?;
                cursor.expect(b")")?;
                self.module.types.pointer(space as u32)
            }
        };
        self.push(self.words.one.into());
        Some(Parts {
            op: Op::Alloca {
                ty,
                align,
                inalloca: false,
                swifterror: false,
            },
            ty: result,
            flags: Flags::empty(),
        })
    }

    fn quick_gep(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        let flags = self.quick_flags(cursor, GEP_FLAGS);
        let source = self.quick_type(cursor)?;
        cursor.expect(b", ")?;
        let ty = self.quick_operand(cursor)?;
        if !self.module.types.is_ptr(ty) {
            return None;
        }
        let mut stepped = source;
        let mut first = true;
        while !cursor.rest().starts_with(b", !") && cursor.accept(b", ") {
            let index_ty = self.quick_operand(cursor)?;
            if !self.module.types.is_int(index_ty) {
                return None;
            }
            if !std::mem::take(&mut first) {
                let &index = self.scope.operands.last()?;
                stepped = self.step(stepped, index)?;
            }
        }
        let op = Op::Gep { source };
        Some(Parts { op, ty, flags })
    }

    // ---- control ----

    fn without_result(&self, op: Op) -> Option<Parts> {
        Some(Parts {
            op,
            ty: self.module.types.void,
            flags: Flags::empty(),
        })
    }

    fn quick_branch(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        if cursor.accept(b"label ") {
            let block = self.quick_block(cursor)?;
            self.push(block);
            return self.without_result(Op::Br);
        }
        self.quick_operand(cursor)?;
        for _ in 0..2 {
            cursor.expect(b", label ")?;
            let block = self.quick_block(cursor)?;
            self.push(block);
        }
        self.without_result(Op::CondBr)
    }

    fn quick_return(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        if !cursor.accept(b"void") {
            self.quick_operand(cursor)?;
        }
        self.without_result(Op::Ret)
    }

    fn quick_phi(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        let flags = self.quick_flags(cursor, FAST_MATH_FLAGS);
        let ty = self.quick_type(cursor)?;
        let mut separator = &b" "[..];
        while !cursor.rest().starts_with(b", !") && cursor.accept(separator) {
            cursor.expect(b"[ ")?;
            let value = self.quick_value(cursor, ty)?;
            self.push(value);
            cursor.expect(b", ")?;
            let block = self.quick_block(cursor)?;
            self.push(block);
            cursor.expect(b" ]")?;
            separator = b", ";
        }
        let op = Op::Phi;
        (!self.scope.operands.is_empty()).then_some(Parts { op, ty, flags })
    }

    // ---- values from values ----

    fn quick_binary(
        &mut self,
        cursor: &mut Cursor<'a>,
        op: BinaryOp,
        float: bool,
    ) -> Option<Parts> {
        let table = match float {
            true => FAST_MATH_FLAGS,
            false => ARITHMETIC_FLAGS,
        };
        let flags = self.quick_flags(cursor, table);
        let ty = self.quick_pair(cursor)?;
        let scalar = self.module.types.scalar(ty);
        let fits = match float {
            true => self.module.types.is_float(scalar),
            false => self.module.types.is_int(scalar),
        };
        let op = Op::Binary(op);
        fits.then_some(Parts { op, ty, flags })
    }

    fn quick_cast(&mut self, cursor: &mut Cursor<'a>, op: CastOp) -> Option<Parts> {
        let table = match op {
            CastOp::Fptrunc | CastOp::Fpext | CastOp::Uitofp | CastOp::Sitofp => &[],
            _ => ARITHMETIC_FLAGS,
        };
        let flags = self.quick_flags(cursor, table);
        self.quick_operand(cursor)?;
        cursor.expect(b" to ")?;
        let ty = self.quick_type(cursor)?;
        let op = Op::Cast(op);
        Some(Parts { op, ty, flags })
    }

    fn quick_comparison(&mut self, cursor: &mut Cursor<'a>, word: &[u8]) -> Option<Parts> {
        let ints = word == b"icmp";
        let flags = match ints {
            true => Flags::empty(),
            false => self.quick_flags(cursor, FAST_MATH_FLAGS),
        };
        let predicate = cursor.word();
        let op = match ints {
            true => Op::Icmp(IcmpPredicate::from_keyword(predicate)?),
            false => Op::Fcmp(FcmpPredicate::from_keyword(predicate)?),
        };
        cursor.expect(b" ")?;
        let ty = self.quick_pair(cursor)?;
        let types = &mut self.module.types;
        let scalar = types.scalar(ty);
        let fits = match ints {
            true => types.is_int(scalar) || types.is_ptr(scalar),
            false => types.is_float(scalar),
        };
        let ty = types.with_shape_of(ty, types.i1);
        fits.then_some(Parts { op, ty, flags })
    }

    fn quick_select(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        let flags = self.quick_flags(cursor, FAST_MATH_FLAGS);
        self.quick_operand(cursor)?;
        cursor.expect(b", ")?;
        let ty = self.quick_operand(cursor)?;
        cursor.expect(b", ")?;
        let second = self.quick_operand(cursor)?;
        let op = Op::Select;
        (ty == second).then_some(Parts { op, ty, flags })
    }

    fn quick_member(&mut self, cursor: &mut Cursor<'a>) -> Option<Parts> {
        let aggregate = self.quick_operand(cursor)?;
        cursor.expect(b", ")?;
        let index = cursor.number()?;
        let ty = match self.module.types.get(aggregate) {
            Type::Struct { .. } | Type::Named(_) => self.module.types.member(aggregate, index)?,
            _ => return None,
        };
        let index = u32::try_from(index).ok()?;
        let op = Op::ExtractValue(self.module.types.intern_numbers(&[index]));
        let flags = Flags::empty();
        Some(Parts { op, ty, flags })
    }
}
