//! Metadata nodes in the form in which LLVM prints them, read without tokens.
//!
//! Debug information is a third of the text of a module, and nearly all of it are lines such as
//!
//! ```text
//! !7 = !DILocation(line: 3, column: 5, scope: !4)
//! !8 = !{!1, !"text", null}
//! ```
//!
//! The fields of a kind come in one order, so the reader guesses which comes next and compares its
//! spelling only. Whatever is written in another way is left to the reader of tokens, which starts again
//! at the same place; so errors are found there alone.

use super::cursor::Cursor;
use super::{DEFINED, Reader, number};
use crate::index::Id;
use crate::metadata::{Field, FieldName, FieldValue, Md, MdRef, NodeKind};
use crate::name::Name;
use crate::upgrade::SpecialNode;
use warpc_diag::Span;

/// So many kinds are known, and so many fields of each: more than LLVM has. What goes beyond is read with
/// tokens.
const MAX_KNOWN: usize = 64;

/// The kinds of nodes that were met.
#[derive(Default)]
pub(super) struct KnownKinds<'a> {
    kinds: Vec<KnownKind<'a>>,
    /// The one that was met last.
    last: usize,
}

/// A kind of node and the fields it was met with, in their order.
struct KnownKind<'a> {
    /// `DILocation(`
    spelling: &'a [u8],
    name: Name,
    /// Whether its fields are taken as they are; if not, it is left to the reader of tokens.
    plain: bool,
    special: SpecialNode,
    fields: Vec<KnownField<'a>>,
}

/// A field by its spelling: `line: `.
struct KnownField<'a> {
    spelling: &'a [u8],
    name: FieldName,
}

impl<'a> Reader<'a> {
    /// Reads the definition of the node whose number is the current token, if it is written as LLVM
    /// prints it. If not, nothing has happened.
    pub(super) fn node_line(&mut self) -> bool {
        let base = self.scope.fields.len();
        let place = self.token.span;
        let mut cursor = Cursor::new(self.lexer.bytes(), place.end);
        let read = self.quick_node(&mut cursor, place).is_some();
        if read {
            self.go_on_at(&cursor);
        }
        self.scope.fields.truncate(base);
        read
    }

    fn quick_node(&mut self, cursor: &mut Cursor<'a>, place: Span) -> Option<()> {
        cursor.expect(b" = ")?;
        let number = number::decimal(&self.text()[1..])?;
        let distinct = cursor.accept(b"distinct ");
        cursor.expect(b"!")?;
        let base = self.scope.fields.len();
        let node = self.node_at(number, place);
        if self.node_places[node.index()] == DEFINED {
            return None;
        }
        let kind = if cursor.accept(b"{") {
            self.quick_tuple(cursor)?;
            NodeKind::Tuple
        } else {
            NodeKind::Special(self.quick_fields(cursor)?)
        };
        if !cursor.at_line_end() {
            return None;
        }
        self.node_places[node.index()] = DEFINED;
        let fields = &self.scope.fields[base..];
        self.module.metadata.define(node, kind, distinct, fields);
        self.module.metadata.set_place(node, place.start);
        Some(())
    }

    /// `!1, null, !"text"}`
    fn quick_tuple(&mut self, cursor: &mut Cursor<'a>) -> Option<()> {
        if cursor.accept(b"}") {
            return Some(());
        }
        loop {
            let md: MdRef = match cursor.byte()? {
                b'!' if cursor.accept(b"!\"") => {
                    cursor.pos -= 1;
                    let text = cursor.text()?;
                    Md::String(self.unescaped(text)).into()
                }
                b'!' => self.quick_reference(cursor)?,
                _ if cursor.accept(b"null") => Md::Null.into(),
                _ => return None,
            };
            self.scope.fields.push(Field {
                name: None,
                value: FieldValue::Md(md),
            });
            if cursor.accept(b"}") {
                return Some(());
            }
            cursor.expect(b", ")?;
        }
    }

    /// `!5`
    pub(super) fn quick_reference(&mut self, cursor: &mut Cursor<'a>) -> Option<MdRef> {
        let start = cursor.pos;
        cursor.expect(b"!")?;
        let number = cursor.number()?;
        let span = Span::new(start as u32, cursor.pos as u32);
        Some(Md::Node(self.node_at(number, span)).into())
    }

    /// `DILocation(line: 3, …)`
    fn quick_fields(&mut self, cursor: &mut Cursor<'a>) -> Option<Name> {
        let kind = self.quick_kind(cursor)?;
        if !self.known_kinds.kinds[kind].plain {
            return None;
        }
        let name = self.known_kinds.kinds[kind].name;
        if cursor.accept(b")") {
            return Some(name);
        }
        let mut next = 0;
        loop {
            let field = Some(self.quick_field_name(cursor, kind, &mut next)?);
            let value = self.quick_field_value(cursor)?;
            self.scope.fields.push(Field { name: field, value });
            if cursor.accept(b")") {
                return Some(name);
            }
            cursor.expect(b", ")?;
        }
    }

    /// The kind whose name and parenthesis stand here.
    fn quick_kind(&mut self, cursor: &mut Cursor<'a>) -> Option<usize> {
        let known = &mut self.known_kinds;
        if let Some(last) = known.kinds.get(known.last)
            && cursor.accept(last.spelling)
        {
            return Some(known.last);
        }
        let found = known
            .kinds
            .iter()
            .position(|kind| cursor.accept(kind.spelling));
        if let Some(index) = found {
            known.last = index;
            return Some(index);
        }
        let start = cursor.pos;
        let word = cursor.word();
        if word.is_empty() || !cursor.accept(b"(") || known.kinds.len() == MAX_KNOWN {
            return None;
        }
        let special = SpecialNode::of(word);
        known.last = known.kinds.len();
        known.kinds.push(KnownKind {
            spelling: &cursor.bytes[start..cursor.pos],
            name: self.module.names.intern(word),
            // The others are changed as a whole, or have no names of fields.
            plain: matches!(special, SpecialNode::Subprogram | SpecialNode::Other),
            special,
            fields: Vec::new(),
        });
        Some(known.last)
    }

    /// The name of the field that stands here. `next` is the one to be expected.
    fn quick_field_name(
        &mut self,
        cursor: &mut Cursor<'a>,
        kind: usize,
        next: &mut usize,
    ) -> Option<FieldName> {
        let known = &mut self.known_kinds.kinds[kind];
        let found = known.fields[*next..]
            .iter()
            .position(|field| cursor.accept(field.spelling));
        if let Some(skipped) = found {
            let index = *next + skipped;
            *next = index + 1;
            return Some(known.fields[index].name);
        }
        let start = cursor.pos;
        let word = cursor.word();
        if word.is_empty() || !cursor.accept(b": ") || known.fields.len() == MAX_KNOWN {
            return None;
        }
        let word = crate::upgrade::field_name(known.special, word);
        let name = FieldName::from(self.module.names.intern(word));
        // A field that is met out of order is not worth a place of its own.
        if known.fields.iter().all(|field| field.name != name) {
            let spelling = &cursor.bytes[start..cursor.pos];
            known.fields.insert(*next, KnownField { spelling, name });
            *next += 1;
        }
        Some(name)
    }

    fn quick_field_value(&mut self, cursor: &mut Cursor<'a>) -> Option<FieldValue> {
        match cursor.byte()? {
            b'!' => Some(FieldValue::Md(self.quick_reference(cursor)?)),
            b'0'..=b'9' => {
                let number = cursor.number()?;
                Some(self.module.metadata.signed(number as i64))
            }
            b'-' => {
                cursor.pos += 1;
                let number = cursor.number()?;
                Some(self.module.metadata.signed(-(number as i64)))
            }
            b'"' => {
                let text = cursor.text()?;
                Some(FieldValue::Text(self.unescaped(text)))
            }
            _ => {
                let start = cursor.pos;
                let word = cursor.word();
                if word == b"null" {
                    return Some(FieldValue::Md(Md::Null.into()));
                }
                if word.is_empty() || word[0].is_ascii_digit() || super::metadata::is_type(word) {
                    return None;
                }
                while cursor.accept(b" | ") {
                    if cursor.word().is_empty() {
                        return None;
                    }
                }
                let words = &cursor.bytes[start..cursor.pos];
                Some(FieldValue::Word(self.module.names.intern(words)))
            }
        }
    }
}
