//! Calls and debug records in the form in which LLVM prints them, read without tokens.
//!
//! Attributes of arguments and expressions of debug information come in few spellings. A spelling is read
//! with tokens when it is met first; from then on its text stands for what it meant.

use super::cursor::Cursor;
use super::inst::{FAST_MATH_FLAGS, Parts};
use super::record::Form;
use super::{Parse, Reader};
use crate::attribute::AttrSet;
use crate::function::RecordKind;
use crate::inst::{CallConv, CallSite, Op, Tail};
use crate::metadata::{Md, MdRef};
use crate::module::GlobalKind;
use crate::types::TypeId;
use crate::value::{Operand, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_diag::Span;

/// What spellings mean.
#[derive(Default)]
pub(super) struct KnownSpellings<'a> {
    /// Attributes of arguments and results.
    attributes: FxHashMap<&'a [u8], AttrSet>,
    /// `!DIExpression(…)`
    expressions: FxHashMap<&'a [u8], MdRef>,
}

/// Whether a word after the type of an argument is a constant and no attribute.
fn is_constant(word: &[u8]) -> bool {
    matches!(
        word,
        b"true" | b"false" | b"null" | b"undef" | b"poison" | b"zeroinitializer"
    )
}

impl<'a> Reader<'a> {
    /// Reads a part of a line with tokens. It must be read to its end and give no diagnostics; if not, nothing
    /// has happened.
    fn with_tokens<T>(
        &mut self,
        part: std::ops::Range<usize>,
        read: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Option<T> {
        let (token, last_end) = (self.token, self.last_end);
        let (mark, count) = (self.diagnostics.mark(), self.diagnostics.as_slice().len());
        self.lexer.seek(part.start as u32);
        self.token = self.lexer.next_token();
        let result = read(self).ok();
        let whole = self.last_end as usize == part.end
            && self.diagnostics.as_slice().len() == count
            && !self.diagnostics.is_full();
        self.diagnostics.rewind(mark);
        self.lexer.seek(token.span.end);
        (self.token, self.last_end) = (token, last_end);
        result.filter(|_| whole)
    }

    /// Attributes up to a word that is none of them.
    fn quick_attributes(
        &mut self,
        cursor: &mut Cursor<'a>,
        stops: impl Fn(&[u8]) -> bool,
    ) -> Option<AttrSet> {
        let start = cursor.pos;
        while cursor.byte()?.is_ascii_lowercase() {
            let before = cursor.pos;
            let word = cursor.word();
            if stops(word) {
                cursor.pos = before;
                break;
            }
            if cursor.accept(b"(") {
                let rest = cursor.rest();
                let len = memchr::memchr2(b'(', b')', rest)?;
                if rest[len] == b'(' {
                    return None;
                }
                cursor.pos += len + 1;
            } else if word == b"align" {
                cursor.expect(b" ")?;
                cursor.number()?;
            }
            cursor.expect(b" ")?;
        }
        if cursor.pos == start {
            return Some(self.module.attributes.empty_set);
        }
        let part = start..cursor.pos - 1;
        let text = &cursor.bytes[part.clone()];
        if let Some(&known) = self.known_spellings.attributes.get(text) {
            return Some(known);
        }
        let set = self.with_tokens(part, |reader| reader.param_attributes(None))?;
        self.known_spellings.attributes.insert(text, set);
        Some(set)
    }

    /// A call after `call` or `tail` and a blank.
    pub(super) fn quick_call(&mut self, cursor: &mut Cursor<'a>, tail: Tail) -> Option<Parts> {
        if tail == Tail::Tail {
            cursor.expect(b"call ")?;
        }
        let flags = self.quick_flags(cursor, FAST_MATH_FLAGS);
        let is_type = |word: &[u8]| super::metadata::is_type(word);
        let ret_attrs = self.quick_attributes(cursor, is_type)?;
        let ret = match cursor.accept(b"void") {
            true => self.module.types.void,
            false => self.quick_type(cursor)?,
        };
        cursor.expect(b" ")?;
        let callee = self.quick_callee(cursor)?;
        let mut types: SmallVec<[TypeId; 8]> = SmallVec::new();
        let mut param_attrs: SmallVec<[AttrSet; 8]> = SmallVec::new();
        cursor.expect(b"(")?;
        let mut done = cursor.accept(b")");
        while !done {
            let ty = self.quick_type(cursor)?;
            let typed_pointer = cursor.bytes[cursor.pos - 1] == b'*';
            cursor.expect(b" ")?;
            let attrs = self.quick_attributes(cursor, is_constant)?;
            // In older text some attributes mean the type that a pointer points to.
            if typed_pointer && attrs != self.module.attributes.empty_set {
                return None;
            }
            let value = self.quick_value(cursor, ty)?;
            self.push(value);
            types.push(ty);
            param_attrs.push(attrs);
            done = cursor.accept(b")");
            if !done {
                cursor.expect(b", ")?;
            }
        }
        let attrs = match cursor.accept(b" #") {
            false => self.module.attributes.empty_set,
            true => {
                let number = cursor.number()?;
                let group = self.groups.sets.get(&number)?;
                self.module.attributes.intern_set(group)
            }
        };
        let attributes = &mut self.module.attributes;
        let attrs = attributes.intern_list(attrs, ret_attrs, &param_attrs);
        self.push(callee);
        let site = self.module.call_sites.intern(CallSite {
            ty: self.module.types.function(ret, &types, false),
            attrs,
            conv: CallConv::C,
            tail,
            args: types.len() as u32,
            bundles: self.module.bundles.intern(&[]),
        });
        let op = Op::Call(site);
        Some(Parts { op, ty: ret, flags })
    }

    /// `@name` of a function that is not a debug intrinsic.
    fn quick_callee(&mut self, cursor: &mut Cursor<'a>) -> Option<Value> {
        let start = cursor.pos;
        cursor.expect(b"@")?;
        let text = cursor.name();
        if text.first().is_none_or(u8::is_ascii_digit) || text.starts_with(b"llvm.dbg.") {
            return None;
        }
        let span = Span::new(start as u32, cursor.pos as u32);
        let name = self.module.names.intern(text);
        let global = match self.known_global(name) {
            Some(global) => global,
            None => {
                let global = self.pending_global(Some(name), span);
                self.bind_global(name, global);
                global
            }
        };
        let data = &self.module.globals[global];
        let pending = matches!(data.kind, GlobalKind::Pending);
        if data.space != 0 && !(pending && data.space == super::global::UNKNOWN_SPACE) {
            return None;
        }
        let ptr = self.module.types.ptr;
        let address = self.address(global, ptr, span).ok()?;
        Some(address.into())
    }

    /// Reads the debug record that starts at the current `#`, if it is written as LLVM prints it.
    pub(super) fn record_line(&mut self) -> Option<()> {
        // The first record of a module decides how debug information is written in it.
        if self.debug_form != Some(Form::Records) {
            return None;
        }
        let mut cursor = Cursor::new(self.lexer.bytes(), self.token.span.end);
        let kind = match cursor.word() {
            b"dbg_declare" => RecordKind::Declare,
            b"dbg_value" => RecordKind::Value,
            _ => return None,
        };
        cursor.expect(b"(")?;
        let value = self.quick_described(&mut cursor)?;
        cursor.expect(b", ")?;
        let variable = self.quick_reference(&mut cursor)?;
        cursor.expect(b", ")?;
        let expression = self.quick_expression(&mut cursor)?;
        cursor.expect(b", ")?;
        let location = self.quick_reference(&mut cursor)?;
        cursor.expect(b")")?;
        if !cursor.at_line_end() {
            return None;
        }
        let operands = [value, variable.into(), expression.into(), location.into()];
        self.scope.records.push((kind, operands.len()));
        self.scope.record_operands.extend_from_slice(&operands);
        self.go_on_at(&cursor);
        Some(())
    }

    /// What a record describes: a node, or a value as metadata.
    fn quick_described(&mut self, cursor: &mut Cursor<'a>) -> Option<Value> {
        if cursor.byte()? == b'!' {
            return Some(self.quick_reference(cursor)?.into());
        }
        let ty = self.quick_type(cursor)?;
        cursor.expect(b" ")?;
        let described = match self.quick_value(cursor, ty)?.get() {
            Operand::Local(local) => Operand::LocalMetadata(local),
            Operand::Const(constant) => Operand::Metadata(Md::Const(constant).into()),
            _ => return None,
        };
        Some(described.into())
    }

    /// `!DIExpression(…)`
    fn quick_expression(&mut self, cursor: &mut Cursor<'a>) -> Option<MdRef> {
        let rest = cursor.rest();
        if !rest.starts_with(b"!DIExpression(") {
            return None;
        }
        let len = memchr::memchr(b')', rest)? + 1;
        let text = &rest[..len];
        let part = cursor.pos..cursor.pos + len;
        cursor.pos = part.end;
        if let Some(&known) = self.known_spellings.expressions.get(text) {
            return Some(known);
        }
        let expression = self.with_tokens(part, |reader| reader.metadata())?;
        self.known_spellings.expressions.insert(text, expression);
        Some(expression)
    }
}
