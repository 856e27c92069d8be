//! Metadata: named, numbered and inline nodes, and metadata as operands.

use super::{DEFINED, Parse, Reader, number};
use crate::function::GlobalAttachment;
use crate::index::Id;
use crate::lex::TokenKind;
use crate::metadata::{Field, FieldValue, Md, MdRef, NamedMetadata, NodeId, NodeKind};
use crate::name::Name;
use crate::value::{Operand, Value};
use warpc_diag::{Span, codes};

/// Whether a word starts a type.
pub(super) fn is_type(word: &[u8]) -> bool {
    match word {
        b"ptr" | b"half" | b"bfloat" | b"float" | b"double" | b"fp128" | b"x86_fp80"
        | b"ppc_fp128" | b"target" | b"token" | b"void" => true,
        [b'i', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

impl Reader<'_> {
    /// `!name = !{!0, !1}`
    pub(super) fn named_metadata(&mut self) -> Parse<()> {
        let name = self.metadata_name();
        self.expect(b'=')?;
        self.expect(b'!')?;
        self.expect(b'{')?;
        let mut nodes = Vec::new();
        if !self.token.is(b'}') {
            loop {
                let span = self.token.span;
                match self.metadata()?.get() {
                    Md::Node(node) => nodes.push(node),
                    _ => {
                        let message = "named metadata holds nodes only";
                        let help = "write the number of a node, `!0`";
                        return Err(self.fail(codes::IR_SYNTAX, span, message, help));
                    }
                }
                if !self.accept(b',') {
                    break;
                }
            }
        }
        self.expect(b'}')?;
        let named = &mut self.module.metadata.named;
        match self.named_metadata.get(&name) {
            Some(&index) => named[index].nodes.extend(nodes),
            None => {
                self.named_metadata.insert(name, named.len());
                named.push(NamedMetadata { name, nodes });
            }
        }
        Ok(())
    }

    /// The name of the current `!name`.
    pub(super) fn metadata_name(&mut self) -> Name {
        let token = self.advance();
        let text = &self.lexer.slice(token.span)[1..];
        self.unescaped(text)
    }

    /// `!5 = …`
    pub(super) fn numbered_metadata(&mut self) -> Parse<()> {
        if self.token.kind == TokenKind::Node && self.node_line() {
            return Ok(());
        }
        let start = self.token.span;
        let number = self.node_number()?;
        let span = Span::new(start.start, self.last_end);
        self.expect(b'=')?;
        self.accept_word(b"metadata");
        let node = self.node_at(number, span);
        if self.node_places[node.index()] == DEFINED {
            return Err(self.fail(
                codes::IR_DUPLICATE,
                span,
                format!("the metadata node `!{number}` is defined twice"),
                "give one of the two another number",
            ));
        }
        self.node_places[node.index()] = DEFINED;
        let distinct = self.accept_word(b"distinct");
        let base = self.scope.fields.len();
        let kind = match self.token.kind {
            TokenKind::Punct(b'!') => {
                self.advance();
                self.tuple_fields()?;
                NodeKind::Tuple
            }
            TokenKind::MetadataName => {
                let name = self.metadata_name();
                self.special_fields(name)?;
                NodeKind::Special(name)
            }
            _ => return Err(self.unexpected("a metadata node")),
        };
        let fields = &self.scope.fields[base..];
        self.module.metadata.define(node, kind, distinct, fields);
        self.module.metadata.set_place(node, start.start);
        self.scope.fields.truncate(base);
        Ok(())
    }

    /// The number of `!5`, which may also be written with space between.
    fn node_number(&mut self) -> Parse<u64> {
        if self.token.kind != TokenKind::Node {
            self.expect(b'!')?;
            return self.expect_number("the number of a metadata node");
        }
        match number::decimal(&self.text()[1..]) {
            Some(number) => {
                self.advance();
                Ok(number)
            }
            None => Err(self.unexpected("the number of a metadata node")),
        }
    }

    /// The node of a number, made if it is not defined yet.
    pub(super) fn node_at(&mut self, number: u64, span: Span) -> NodeId {
        if let Some(node) = self.nodes.get(number) {
            return node;
        }
        let node = self.module.metadata.declare();
        self.nodes.insert(number, node);
        self.node_places.resize(node.index(), DEFINED);
        self.node_places.push(span.start);
        node
    }

    /// Metadata as an operand of metadata: a node, a string, a constant or `null`.
    pub(super) fn metadata(&mut self) -> Parse<MdRef> {
        Ok(match self.token.kind {
            TokenKind::Node => {
                let span = self.token.span;
                let number = self.node_number()?;
                Md::Node(self.node_at(number, span))
            }
            TokenKind::Punct(b'!') => {
                let start = self.advance().span;
                match self.token.kind {
                    TokenKind::Int => {
                        let span = start.to(self.token.span);
                        let number = match number::decimal(self.text()) {
                            Some(number) => number,
                            None => return Err(self.unexpected("the number of a node")),
                        };
                        self.advance();
                        Md::Node(self.node_at(number, span))
                    }
                    TokenKind::Text => Md::String(self.expect_string()?),
                    _ => Md::Node(self.inline_node(NodeKind::Tuple, false)?),
                }
            }
            TokenKind::MetadataName => {
                let name = self.metadata_name();
                Md::Node(self.inline_node(NodeKind::Special(name), false)?)
            }
            TokenKind::Word if self.text() == b"null" => {
                self.advance();
                Md::Null
            }
            TokenKind::Word if self.text() == b"distinct" => {
                self.advance();
                let kind = match self.token.kind {
                    TokenKind::MetadataName => NodeKind::Special(self.metadata_name()),
                    _ => {
                        self.expect(b'!')?;
                        NodeKind::Tuple
                    }
                };
                Md::Node(self.inline_node(kind, true)?)
            }
            _ => Md::Const(self.typed_constant()?),
        }
        .into())
    }

    /// The rest of a node that is written where it is used.
    fn inline_node(&mut self, kind: NodeKind, distinct: bool) -> Parse<NodeId> {
        let place = self.token.span.start;
        self.deeper(|reader| {
            let base = reader.scope.fields.len();
            match kind {
                NodeKind::Tuple => reader.tuple_fields()?,
                NodeKind::Special(name) => reader.special_fields(name)?,
            }
            let fields = &reader.scope.fields[base..];
            let metadata = &mut reader.module.metadata;
            let before = metadata.len();
            let node = if distinct {
                metadata.add(kind, true, fields)
            } else {
                metadata.intern(kind, fields)
            };
            if metadata.len() > before {
                metadata.set_place(node, place);
            }
            reader.scope.fields.truncate(base);
            Ok(node)
        })
    }

    /// `{ md, md }`
    fn tuple_fields(&mut self) -> Parse<()> {
        self.expect(b'{')?;
        if !self.token.is(b'}') {
            loop {
                let md = self.metadata()?;
                self.scope.fields.push(Field {
                    name: None,
                    value: FieldValue::Md(md),
                });
                if !self.accept(b',') {
                    break;
                }
            }
        }
        self.expect(b'}')?;
        Ok(())
    }

    /// `(name: value, …)`; expressions have values only.
    fn special_fields(&mut self, kind: Name) -> Parse<()> {
        let kind = crate::upgrade::SpecialNode::of(self.module.names.bytes(kind));
        let base = self.scope.fields.len();
        self.expect(b'(')?;
        if !self.token.is(b')') {
            loop {
                let name = match self.token.kind {
                    TokenKind::Label => {
                        let token = self.advance();
                        let word = crate::upgrade::field_name(kind, self.lexer.slice(token.span));
                        Some(self.module.names.intern(word).into())
                    }
                    _ => None,
                };
                let value = self.field_value()?;
                self.scope.fields.push(Field { name, value });
                if !self.accept(b',') {
                    break;
                }
            }
        }
        self.expect(b')')?;
        crate::upgrade::special_node(&mut self.module, kind, &mut self.scope.fields, base);
        Ok(())
    }

    fn field_value(&mut self) -> Parse<FieldValue> {
        match self.token.kind {
            TokenKind::Int => {
                let text = std::str::from_utf8(self.text()).unwrap_or("");
                let value = if let Ok(value) = text.parse::<i64>() {
                    self.module.metadata.signed(value)
                } else if let Ok(value) = text.parse::<u64>() {
                    self.module.metadata.unsigned(value)
                } else {
                    // Enumerators may be larger; their digits are kept as they are.
                    FieldValue::Word(self.module.names.intern(text.as_bytes()))
                };
                if self.peek().is(b'|') {
                    return self.field_words();
                }
                self.advance();
                Ok(value)
            }
            TokenKind::Text => Ok(FieldValue::Text(self.expect_string()?)),
            TokenKind::Punct(b'{') => {
                let node = self.inline_node(NodeKind::Tuple, false)?;
                Ok(FieldValue::List(node))
            }
            TokenKind::Word if !is_type(self.text()) && self.text() != b"null" => {
                self.field_words()
            }
            _ => Ok(FieldValue::Md(self.metadata()?)),
        }
    }

    /// A word, or words and numbers joined by `|`.
    fn field_words(&mut self) -> Parse<FieldValue> {
        let first = self.advance().span;
        let mut words: Option<Vec<u8>> = None;
        while self.accept(b'|') {
            let words = words.get_or_insert_with(|| self.lexer.slice(first).to_vec());
            if !matches!(self.token.kind, TokenKind::Word | TokenKind::Int) {
                return Err(self.unexpected("a flag"));
            }
            words.extend_from_slice(b" | ");
            words.extend_from_slice(self.lexer.slice(self.token.span));
            self.last_end = self.token.span.end;
            self.token = self.lexer.next_token();
        }
        let words = words.as_deref().unwrap_or_else(|| self.lexer.slice(first));
        Ok(FieldValue::Word(self.module.names.intern(words)))
    }

    /// Metadata as an operand of an instruction or record: also local values and lists of them.
    pub(super) fn metadata_operand(&mut self) -> Parse<Value> {
        match self.token.kind {
            TokenKind::MetadataName if self.text() == b"!DIArgList" => {
                self.advance();
                self.expect(b'(')?;
                let mut list = Vec::new();
                if !self.token.is(b')') {
                    loop {
                        list.push(self.value_as_metadata()?);
                        if !self.accept(b',') {
                            break;
                        }
                    }
                }
                self.expect(b')')?;
                let list = self.scope.body.arg_lists.push(list.into());
                Ok(Operand::ArgList(list).into())
            }
            TokenKind::Node | TokenKind::Punct(b'!') | TokenKind::MetadataName => {
                Ok(self.metadata()?.into())
            }
            _ => self.value_as_metadata(),
        }
    }

    /// `T v` as metadata.
    fn value_as_metadata(&mut self) -> Parse<Value> {
        let ty = self.ty()?;
        let value = self.value(ty)?;
        Ok(match value.get() {
            Operand::Local(local) => Operand::LocalMetadata(local).into(),
            Operand::Const(constant) => Operand::Metadata(Md::Const(constant).into()).into(),
            _ => return Err(self.unexpected("a value")),
        })
    }

    /// `!kind !node` after a global or function.
    pub(super) fn global_attachment(&mut self) -> Parse<GlobalAttachment> {
        let kind = self.metadata_name();
        let span = self.token.span;
        let node = self.metadata()?;
        if node.node().is_none() {
            let message = "what is attached must be a node";
            let help = "write the number of a node, `!0`";
            return Err(self.fail(codes::IR_SYNTAX, span, message, help));
        }
        Ok(GlobalAttachment { kind, node })
    }
}
