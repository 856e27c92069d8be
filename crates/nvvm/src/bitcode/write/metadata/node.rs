//! Records of nodes.

use super::Kind;
use crate::bitcode::codes::debug::{self, Slot};
use crate::bitcode::codes::dwarf;
use crate::bitcode::codes::record::metadata as code;
use crate::bitcode::write::number::{active, set, signed};
use crate::bitcode::write::{Dialect, Writer};
use crate::metadata::{FieldValue, Md, NodeId, NodeKind};
use crate::name::Name;

impl Writer<'_> {
    /// The record of a node: its code and its numbers.
    pub(super) fn node(&mut self, node: NodeId, record: &mut Vec<u64>) -> u32 {
        let module = self.module;
        let metadata = &module.metadata;
        let distinct = metadata.node(node).distinct;
        let Some(kind) = self.nodes.kind(module, node) else {
            for field in metadata.fields(node) {
                record.push(match field.value {
                    FieldValue::Md(md) => self.nodes.or_null(md),
                    _ => 0,
                });
            }
            return match distinct {
                true => code::DISTINCT_NODE,
                false => code::NODE,
            };
        };
        let distinct = u64::from(distinct);
        match kind {
            Kind::Location => {
                let location = self.nodes.location(module, node);
                record.extend([distinct, location.line, location.column]);
                record.push(self.nodes.id(location.scope).unwrap_or(0));
                record.push(self.nodes.or_null(location.inlined_at));
                if self.dialect == Dialect::Current {
                    record.extend(location.newer);
                }
                code::LOCATION
            }
            Kind::Expression => {
                record.push(distinct | debug::EXPRESSION_FORM);
                for field in metadata.fields(node) {
                    let part = self.expression_part(field.value);
                    record.push(part);
                }
                code::EXPRESSION
            }
            Kind::Generic => {
                record.push(distinct);
                let known = &self.nodes.known;
                let field = |name: Option<Name>| metadata.field(node, name?);
                let (tag, header, operands) =
                    (field(known.tag), field(known.header), field(known.operands));
                record.push(self.word(&dwarf::TAGS, tag, 0));
                // The version of the tag.
                record.push(0);
                record.push(self.text(header));
                if let Some(FieldValue::List(list)) = operands {
                    for field in metadata.fields(list) {
                        record.push(match field.value {
                            FieldValue::Md(md) => self.nodes.or_null(md),
                            _ => 0,
                        });
                    }
                }
                code::GENERIC_DEBUG
            }
            Kind::Enumerator => {
                let known = &self.nodes.known;
                let field = |name: Option<Name>| metadata.field(node, name?);
                let value = field(known.value).and_then(|value| metadata.number(value));
                let value = value.unwrap_or(0) as u64;
                let name = self.text(field(known.name));
                let unsigned = self.is_true(field(known.is_unsigned), false);
                let form = distinct | set(unsigned, debug::UNSIGNED_ENUMERATOR);
                match self.dialect {
                    Dialect::Current => {
                        const BITS: u64 = 64;
                        record.extend([form | debug::WIDE_ENUMERATOR, BITS, name]);
                        record.push(signed(value as i64));
                    }
                    Dialect::Llvm7 => record.extend([form, signed(value as i64), name]),
                }
                code::ENUMERATOR
            }
            Kind::Row(schema) => self.row(node, schema, record),
            Kind::Unknown => {
                let kind = match metadata.node(node).kind {
                    NodeKind::Special(kind) => module.names.text(kind).into_owned(),
                    NodeKind::Tuple => String::new(),
                };
                self.refuse(&format!("`!{kind}`"));
                code::NODE
            }
        }
    }

    fn expression_part(&mut self, value: FieldValue) -> u64 {
        let module = self.module;
        if let Some(number) = module.metadata.number(value) {
            return number as u64;
        }
        let FieldValue::Word(word) = value else {
            return 0;
        };
        let word = module.names.bytes(word);
        let number = dwarf::OPERATIONS.number(word);
        match number.or_else(|| dwarf::ENCODINGS.number(word)) {
            Some(number) => number,
            None => {
                let word = String::from_utf8_lossy(word).into_owned();
                self.refuse(&format!("`{word}` in `!DIExpression`"));
                0
            }
        }
    }

    /// A node that a row describes.
    fn row(&mut self, node: NodeId, schema: usize, record: &mut Vec<u64>) -> u32 {
        let module = self.module;
        let metadata = &module.metadata;
        let (row, mut form) = {
            let schema = &self.nodes.schemas[schema];
            (schema.row, schema.form)
        };
        form |= u64::from(metadata.node(node).distinct);
        let known = &self.nodes.known;
        let field = |name: Option<Name>| metadata.field(node, name?);
        let (exports, artificial) = (field(known.export_symbols), field(known.is_artificial));
        if self.dialect == Dialect::Current && self.is_true(artificial, false) {
            form |= debug::ARTIFICIAL_LABEL;
        }
        if self.is_true(exports, false) {
            form |= debug::EXPORTS_SYMBOLS;
        }
        // Sizes are numbers or metadata, all of a node alike.
        let slots = self.nodes.schemas[schema].fields.iter();
        let by_metadata = slots
            .filter(|(_, _, slot)| matches!(slot, Slot::Size))
            .any(|&(name, _, _)| matches!(field(name), Some(FieldValue::Md(_))));
        if by_metadata {
            form |= match row.code {
                code::COMPOSITE_TYPE => debug::COMPOSITE_SIZE_IS_METADATA,
                _ => debug::SIZE_IS_METADATA,
            };
            if self.dialect == Dialect::Llvm7 {
                self.refuse("a size in debug information that is not a number");
            }
        }
        record.push(form);
        for index in 0..self.nodes.schemas[schema].fields.len() {
            let (name, word, slot) = self.nodes.schemas[schema].fields[index];
            let value = name
                .filter(|_| !word.is_empty())
                .and_then(|name| metadata.field(node, name));
            self.slot(node, value, slot, by_metadata, record);
        }
        row.code
    }

    fn slot(
        &mut self,
        node: NodeId,
        value: Option<FieldValue>,
        slot: Slot,
        by_metadata: bool,
        record: &mut Vec<u64>,
    ) {
        let metadata = &self.module.metadata;
        let number = value.and_then(|value| metadata.number(value));
        let md = match value {
            Some(FieldValue::Md(md)) => md,
            _ => Md::Null.into(),
        };
        let written = match slot {
            Slot::Md => self.nodes.or_null(md),
            Slot::Text => self.text(value),
            Slot::Number(default) => number.map_or(default, |number| number as u64),
            Slot::Truth(default) => u64::from(self.is_true(value, default)),
            Slot::Word(words, default) => self.word(words, value, default),
            Slot::Is(words, number) => u64::from(self.word(words, value, 0) == number),
            Slot::Flags(words) => self.flags(words, value),
            Slot::Size if by_metadata => {
                if number.is_some_and(|number| number != 0) {
                    self.refuse("debug information with a size or offset that is a number beside one that is not");
                }
                self.nodes.or_null(md)
            }
            Slot::Size => number.unwrap_or(0) as u64,
            Slot::Bound => match number {
                Some(number) => {
                    let strings = self.nodes.string_order.len() as u64;
                    let id = self.nodes.numbers.get(&(number as i64));
                    id.map_or(0, |&id| strings + u64::from(id) + 1)
                }
                None => self.nodes.or_null(md),
            },
            Slot::Signed => {
                if md.get() != Md::Null {
                    self.refuse("a bound in debug information that is not a number");
                }
                signed(number.unwrap_or(0) as i64)
            }
            Slot::PlusOne => number.map_or(0, |number| number as u64 + 1),
            Slot::Unused(number) => number,
            Slot::Wide => {
                const BITS: u64 = 64;
                let word = number.unwrap_or(0) as u64;
                let words = [word];
                record.push((active(&words).len() as u64) << 32 | BITS);
                signed(word as i64)
            }
            Slot::ChecksumKind => self.word(&dwarf::CHECKSUM_KINDS, value, 0),
            Slot::Language => self.language(node, value),
            Slot::PointerAuthentication => self.pointer_authentication(node),
            Slot::OrAllOnes => number.map_or(u64::MAX, |number| number as u64),
            Slot::SubprogramFlags => self.subprogram_flags(node),
            Slot::SubprogramFlag(flag) => {
                let flags = self.subprogram_flags(node) & flag;
                match flag {
                    debug::subprogram::VIRTUALITY => flags,
                    _ => u64::from(flags != 0),
                }
            }
            Slot::Last => match value {
                Some(_) => self.text(value),
                None => return,
            },
        };
        record.push(written);
    }

    fn field(&self, node: NodeId, name: &str) -> Option<FieldValue> {
        let name = self.module.names.find(name.as_bytes())?;
        self.module.metadata.field(node, name)
    }

    fn text(&self, value: Option<FieldValue>) -> u64 {
        match value {
            Some(FieldValue::Text(text)) => self.nodes.string_or_null(text),
            Some(FieldValue::Md(md)) => self.nodes.or_null(md),
            _ => 0,
        }
    }

    fn is_true(&self, value: Option<FieldValue>, default: bool) -> bool {
        match value {
            Some(FieldValue::Word(word)) => Some(word) == self.nodes.known.truth,
            Some(FieldValue::Int(number)) => number != 0,
            _ => default,
        }
    }

    fn word(&mut self, words: &dwarf::Words, value: Option<FieldValue>, default: u64) -> u64 {
        let module = self.module;
        match value {
            Some(FieldValue::Word(word)) => match words.number(module.names.bytes(word)) {
                Some(number) => number,
                None => {
                    let word = module.names.text(word).into_owned();
                    self.refuse(&format!("`{word}` in debug information"));
                    0
                }
            },
            Some(value) => {
                let number = module.metadata.number(value);
                number.map_or(default, |number| number as u64)
            }
            None => default,
        }
    }

    fn flags(&mut self, words: &dwarf::Words, value: Option<FieldValue>) -> u64 {
        let module = self.module;
        match value {
            Some(FieldValue::Word(flags)) => match words.sum(module.names.bytes(flags)) {
                Some(sum) => sum,
                None => {
                    let flags = module.names.text(flags).into_owned();
                    self.refuse(&format!("`{flags}` in debug information"));
                    0
                }
            },
            _ => self.word(words, value, 0),
        }
    }

    fn language(&mut self, node: NodeId, value: Option<FieldValue>) -> u64 {
        match self.field(node, "sourceLanguageName") {
            Some(name) => {
                if self.dialect == Dialect::Llvm7 {
                    self.refuse("`sourceLanguageName` of `!DICompileUnit`");
                }
                self.word(&dwarf::LANGUAGE_NAMES, Some(name), 0) | debug::LANGUAGE_NAME
            }
            None => self.word(&dwarf::LANGUAGES, value, 0),
        }
    }

    fn pointer_authentication(&mut self, node: NodeId) -> u64 {
        let mut sum = 0;
        for &(name, shift, bits) in debug::POINTER_AUTHENTICATION {
            let value = self.field(node, name);
            let number = match value {
                Some(FieldValue::Word(_)) => u64::from(self.is_true(value, false)),
                Some(value) => self.module.metadata.number(value).unwrap_or(0) as u64,
                None => 0,
            };
            sum |= (number & ((1 << bits) - 1)) << shift;
        }
        sum
    }

    fn subprogram_flags(&mut self, node: NodeId) -> u64 {
        if let Some(flags) = self.field(node, "spFlags") {
            return self.flags(&dwarf::SUBPROGRAM_FLAGS, Some(flags));
        }
        use debug::subprogram::{DEFINITION, LOCAL, OPTIMIZED};
        let virtuality = self.field(node, "virtuality");
        let mut flags = self.word(&dwarf::VIRTUALITIES, virtuality, 0);
        for (name, flag, default) in [
            ("isLocal", LOCAL, false),
            ("isDefinition", DEFINITION, true),
            ("isOptimized", OPTIMIZED, false),
        ] {
            let value = self.field(node, name);
            flags |= set(self.is_true(value, default), flag);
        }
        flags
    }
}
