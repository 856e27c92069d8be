//! Nodes: tuples, expressions and debug information.
//!
//! A record of debug information is first brought into the layout of LLVM 22, then read field by field with the row of
//! [`debug`](crate::bitcode::codes::debug); [`ORDER`] has the fields as LLVM prints them.
//! `node_upgrade` does the first.

use super::constant::signed;
use super::metadata::Location;
use super::{Read, Reader};
use crate::bitcode::codes::debug::{self, Slot};
use crate::bitcode::codes::dwarf::{self, Words};
use crate::bitcode::codes::record::metadata as code;
use crate::constant::ConstKind;
use crate::metadata::{Field, FieldValue, Md, MdRef, NodeId, NodeKind};
use crate::name::{Name, Names};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// Whether a record is a node.
pub(super) fn is_node(code: u32) -> bool {
    matches!(
        code,
        code::NODE
            | code::DISTINCT_NODE
            | code::OLD_NODE
            | code::LOCATION
            | code::GENERIC_DEBUG
            | code::ENUMERATOR
            | code::EXPRESSION
    ) || debug::row_of_code(code).is_some()
}

/// When a field is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Always,
    /// Unless it is zero, `null`, empty or `false`.
    Set,
    /// Unless it is this number.
    Unless(u64),
}

/// The fields of nodes in the order in which LLVM prints them; those that are not listed follow as they are in the
/// record. A `!` after a name: the field is always printed.
const ORDER: &[(&str, &[&str])] = &[
    (
        "DIDerivedType",
        &["tag!", "name", "scope", "file", "line", "baseType!"],
    ),
    (
        "DIBasicType",
        &[
            "tag",
            "name",
            "size",
            "align",
            "dataSize",
            "encoding",
            "num_extra_inhabitants",
        ],
    ),
    ("DISubrangeType", &["name", "scope", "file"]),
    (
        "DICompositeType",
        &[
            "tag!",
            "name",
            "scope",
            "file",
            "line",
            "baseType",
            "size",
            "align",
            "offset",
            "num_extra_inhabitants",
            "flags",
            "elements",
            "runtimeLang",
            "vtableHolder",
            "templateParams",
            "identifier",
            "discriminator",
            "dataLocation",
            "associated",
            "allocated",
            "rank",
            "annotations",
            "specification",
            "enumKind",
            "bitStride",
        ],
    ),
    ("DISubroutineType", &["flags", "cc", "types!"]),
    ("DIFile", &["filename!", "directory!"]),
    (
        "DICompileUnit",
        &[
            "language!",
            "sourceLanguageVersion",
            "file!",
            "producer",
            "isOptimized!",
            "flags",
            "runtimeVersion!",
            "splitDebugFilename",
            "emissionKind!",
            "enums",
            "retainedTypes",
            "globals",
            "imports",
            "macros",
        ],
    ),
    (
        "DISubprogram",
        &[
            "name",
            "linkageName",
            "scope!",
            "file",
            "line",
            "type",
            "scopeLine",
            "containingType",
            "virtualIndex",
            "thisAdjustment",
            "flags",
            "spFlags!",
        ],
    ),
    ("DILexicalBlock", &["scope!"]),
    ("DILexicalBlockFile", &["scope!", "file", "discriminator!"]),
    ("DICommonBlock", &["scope!", "declaration!"]),
    ("DINamespace", &["name", "scope!"]),
    ("DIMacro", &["type!"]),
    ("DIMacroFile", &["type", "line", "file!"]),
    (
        "DIModule",
        &[
            "scope!",
            "name",
            "configMacros",
            "includePath",
            "apinotes",
            "file",
        ],
    ),
    ("DITemplateTypeParameter", &["name", "type!"]),
    (
        "DITemplateValueParameter",
        &["tag", "name", "type", "defaulted", "value!"],
    ),
    (
        "DIGlobalVariable",
        &[
            "name",
            "linkageName",
            "scope!",
            "file",
            "line",
            "type",
            "isLocal!",
            "isDefinition!",
        ],
    ),
    ("DILocalVariable", &["name", "arg", "scope!"]),
    (
        "DILabel",
        &["scope!", "name", "file", "line", "column", "isArtificial"],
    ),
    (
        "DIImportedEntity",
        &["tag!", "name", "scope!", "entity", "file", "line"],
    ),
];

/// A field of a row, ready to be read.
struct Ready {
    name: &'static str,
    word: Name,
    at: usize,
    slot: Slot,
    shown: Shown,
}

/// The fields of a row in the order in which they are printed.
fn ready(row: &'static debug::Row, names: &mut Names) -> Vec<Ready> {
    let order = ORDER.iter().find(|entry| entry.0 == row.kind);
    let order = order.map_or(&[][..], |entry| entry.1);
    let listed = |name: &str| {
        order
            .iter()
            .position(|entry| entry.trim_end_matches('!') == name)
    };
    let mut fields: Vec<(usize, Ready)> = row
        .fields
        .iter()
        .enumerate()
        .map(|(index, &(name, slot))| {
            let at = listed(name);
            let always = at.is_some_and(|at| order[at].ends_with('!'));
            let default = match slot {
                Slot::Word(_, default) | Slot::Number(default) => default,
                Slot::Truth(default) => u64::from(default),
                _ => 0,
            };
            let shown = match (always, default) {
                (true, _) => Shown::Always,
                (false, 0) => Shown::Set,
                (false, default) => Shown::Unless(default),
            };
            let field = Ready {
                name,
                word: names.intern(name.as_bytes()),
                at: index + 1,
                slot,
                shown,
            };
            (at.unwrap_or(order.len() + index), field)
        })
        .collect();
    fields.sort_by_key(|field| field.0);
    fields.into_iter().map(|field| field.1).collect()
}

/// A row of debug information, ready to be read: its kind, and its fields in the order in which they are printed.
pub(super) struct ReadyRow {
    row: &'static debug::Row,
    kind: Name,
    fields: Vec<Ready>,
}

/// What nodes of debug information need again and again.
#[derive(Default)]
pub(super) struct NodeWords {
    /// The rows that were used, by code.
    rows: Vec<Option<Rc<ReadyRow>>>,
    /// Words of enumerations and flags, by the address of their table and the number.
    words: FxHashMap<(usize, u64), FieldValue>,
}

/// The key of [`NodeWords::words`].
fn word_key(words: &'static Words, number: u64) -> (usize, u64) {
    (std::ptr::from_ref(words).addr(), number)
}

pub(super) type Fields = SmallVec<[Field; 24]>;

impl Reader<'_> {
    /// The row of a record.
    fn ready_row(&mut self, code: u32) -> Option<Rc<ReadyRow>> {
        let index = code as usize;
        if let Some(Some(row)) = self.node_words.rows.get(index) {
            return Some(Rc::clone(row));
        }
        let row = debug::row_of_code(code)?;
        let names = &mut self.module.names;
        let made = Rc::new(ReadyRow {
            row,
            kind: names.intern(row.kind.as_bytes()),
            fields: ready(row, names),
        });
        let rows = &mut self.node_words.rows;
        if rows.len() <= index {
            rows.resize_with(index + 1, || None);
        }
        rows[index] = Some(Rc::clone(&made));
        Some(made)
    }

    /// Gives a node its kind and fields.
    pub(super) fn node(&mut self, code: u32, node: NodeId) -> Read<()> {
        match code {
            code::NODE | code::DISTINCT_NODE => {
                let mut fields = Fields::new();
                for index in 0..self.ops.len() {
                    let md = self.md_or_null(self.ops[index])?;
                    fields.push(unnamed(FieldValue::Md(md)));
                }
                let distinct = code == code::DISTINCT_NODE;
                self.module
                    .metadata
                    .define(node, NodeKind::Tuple, distinct, &fields);
                Ok(())
            }
            code::OLD_NODE => self.old_node(node),
            code::LOCATION => {
                let location = Location {
                    line: self.op(1)? as u32,
                    column: self.op(2)? as u32,
                    scope: self.md_at(self.op(3)?)?,
                    inlined_at: self.md_or_null(self.op(4)?)?,
                    implicit: self.optional(5) != 0,
                    group: self.optional(6),
                    rank: self.optional(7) as u32,
                };
                let distinct = self.op(0)? & 1 != 0;
                if !distinct {
                    self.locations.node(location, || node);
                }
                self.define_location(node, distinct, location);
                Ok(())
            }
            code::EXPRESSION => self.expression_node(node),
            code::ENUMERATOR => self.enumerator(node),
            code::GENERIC_DEBUG => self.generic_node(node),
            _ => self.debug_node(code, node),
        }
    }

    /// A tuple of types and values, as LLVM wrote it before 3.6.
    fn old_node(&mut self, node: NodeId) -> Read<()> {
        let mut fields = Fields::new();
        for at in (0..self.ops.len()).step_by(2) {
            let ty = self.type_at(self.op(at)?)?;
            let number = self.op(at + 1)?;
            let md: MdRef = if self.types.id(ty) == self.module.types.metadata {
                self.md_at(number)?
            } else if self.types.id(ty) == self.module.types.void {
                Md::Null.into()
            } else {
                match self.value_at(number, Some(ty))?.value.constant() {
                    Some(constant) => Md::Const(constant).into(),
                    None => Md::Null.into(),
                }
            };
            fields.push(unnamed(FieldValue::Md(md)));
        }
        self.module
            .metadata
            .define(node, NodeKind::Tuple, false, &fields);
        Ok(())
    }

    pub(super) fn special(&mut self, kind: &str) -> NodeKind {
        NodeKind::Special(self.module.names.intern(kind.as_bytes()))
    }

    pub(super) fn field(&mut self, name: &str, value: FieldValue) -> Field {
        let name = self.module.names.intern(name.as_bytes());
        Field {
            name: Some(name.into()),
            value,
        }
    }

    fn truth(&self, truth: bool) -> FieldValue {
        FieldValue::Word(match truth {
            true => self.words.yes,
            false => self.words.no,
        })
    }

    pub(super) fn word_or_number(&mut self, words: &'static Words, number: u64) -> FieldValue {
        if let Some(&known) = self.node_words.words.get(&word_key(words, number)) {
            return known;
        }
        let Some(word) = words.word(number) else {
            return self.module.metadata.unsigned(number);
        };
        let mut text: SmallVec<[u8; 64]> = SmallVec::new();
        text.extend_from_slice(words.prefix.as_bytes());
        text.extend_from_slice(word.as_bytes());
        let value = FieldValue::Word(self.module.names.intern(&text));
        self.node_words.words.insert(word_key(words, number), value);
        value
    }

    /// Flags as words joined by `|`.
    fn flag_words(&mut self, words: &'static Words, bits: u64) -> FieldValue {
        if let Some(&known) = self.node_words.words.get(&word_key(words, bits)) {
            return known;
        }
        let mut left = bits;
        let mut found: Vec<&str> = Vec::new();
        if words.prefix == dwarf::NODE_FLAGS.prefix {
            // Two groups of two bits are numbers, and a pair of flags has a name of its own.
            for mask in [0x3, 0x3 << 16, 0x24] {
                let part = left & mask;
                if let Some(word) = words
                    .word(part)
                    .filter(|_| part != 0 && (mask != 0x24 || part == mask))
                {
                    found.push(word);
                    left &= !mask;
                }
            }
        }
        for &(word, bit) in words.rows {
            if bit.is_power_of_two() && left & bit != 0 && !found.contains(&word) {
                found.push(word);
                left &= !bit;
            }
        }
        if found.is_empty() {
            return self.module.metadata.unsigned(left);
        }
        let mut text: Vec<String> = found
            .iter()
            .map(|word| format!("{}{word}", words.prefix))
            .collect();
        if left != 0 {
            text.push(left.to_string());
        }
        let value = FieldValue::Word(self.module.names.intern(text.join(" | ").as_bytes()));
        self.node_words.words.insert(word_key(words, bits), value);
        value
    }

    fn enumerator(&mut self, node: NodeId) -> Read<()> {
        let first = self.op(0)?;
        let unsigned = first & debug::UNSIGNED_ENUMERATOR != 0;
        let (name, value) = if first & debug::WIDE_ENUMERATOR != 0 {
            let width = self.op(1)?;
            let words: Vec<u64> = self
                .ops
                .get(3..)
                .unwrap_or_default()
                .iter()
                .map(|&op| signed(op))
                .collect();
            (self.op(2)?, self.wide_number(&words, width, unsigned))
        } else {
            let value = signed(self.op(1)?);
            let value = match unsigned {
                true => self.module.metadata.unsigned(value),
                false => self.module.metadata.signed(value as i64),
            };
            (self.op(2)?, value)
        };
        let name = self.text_value(name)?;
        let mut fields = Fields::new();
        fields.push(self.field("name", name));
        fields.push(self.field("value", value));
        if unsigned {
            let yes = self.truth(true);
            fields.push(self.field("isUnsigned", yes));
        }
        let kind = self.special("DIEnumerator");
        self.module
            .metadata
            .define(node, kind, first & 1 != 0, &fields);
        Ok(())
    }

    /// A number of any width as a field.
    fn wide_number(&mut self, words: &[u64], width: u64, unsigned: bool) -> FieldValue {
        let low = words.first().copied().unwrap_or(0);
        if width <= 64 {
            let unused = 64 - width.clamp(1, 64) as u32;
            return match unsigned {
                true => self.module.metadata.unsigned(low << unused >> unused),
                false => self
                    .module
                    .metadata
                    .signed((low << unused) as i64 >> unused),
            };
        }
        let text = decimal(words, width, unsigned);
        FieldValue::Word(self.module.names.intern(text.as_bytes()))
    }

    fn generic_node(&mut self, node: NodeId) -> Read<()> {
        let (first, tag, header) = (self.op(0)?, self.op(1)?, self.op(3)?);
        let mut fields = Fields::new();
        let tag = self.word_or_number(&dwarf::TAGS, tag);
        fields.push(self.field("tag", tag));
        if let Some(header) = self.md_string(header)? {
            fields.push(self.field("header", FieldValue::Text(header)));
        }
        if self.ops.len() > 4 {
            let mut operands = Fields::new();
            for index in 4..self.ops.len() {
                let md = self.md_or_null(self.ops[index])?;
                operands.push(unnamed(FieldValue::Md(md)));
            }
            let list = self.module.metadata.intern(NodeKind::Tuple, &operands);
            fields.push(self.field("operands", FieldValue::List(list)));
        }
        let kind = self.special("GenericDINode");
        self.module
            .metadata
            .define(node, kind, first & 1 != 0, &fields);
        Ok(())
    }

    /// `"text"`; nothing is the empty text.
    fn text_value(&mut self, number: u64) -> Read<FieldValue> {
        let text: Option<Name> = self.md_string(number)?;
        Ok(FieldValue::Text(match text {
            Some(text) => text,
            None => self.module.names.intern(b""),
        }))
    }

    /// The value of a constant that is metadata, if it is an integer.
    fn constant_number(&self, md: MdRef) -> Option<i64> {
        let Md::Const(constant) = md.get() else {
            return None;
        };
        let constant = self.module.constants.get(constant);
        let ConstKind::Int(value) = constant.kind else {
            return None;
        };
        let crate::types::Type::Int(bits) = self.module.types.get(constant.ty) else {
            return None;
        };
        let unused = 64 - bits.clamp(1, 64);
        Some((value << unused) as i64 >> unused)
    }

    /// A node of debug information, by its row.
    fn debug_node(&mut self, code: u32, node: NodeId) -> Read<()> {
        let count = self.metadata.len();
        let attached = self.modernize(code)?;
        let Some(ready_row) = self.ready_row(code) else {
            return Err(self.unsupported("unknown metadata"));
        };
        let row = ready_row.row;
        let first = self.op(0)?;
        let sizes = match row.kind {
            "DICompositeType" => debug::COMPOSITE_SIZE_IS_METADATA,
            _ => debug::SIZE_IS_METADATA,
        };
        let sizes =
            first & sizes != 0 && row.fields.iter().any(|field| matches!(field.1, Slot::Size));
        let mut fields = Fields::new();
        // Wide numbers take more operands than one.
        let mut extra = 0;
        for ready in &ready_row.fields {
            let op = self.optional(ready.at + extra);
            if ready.name == "virtualIndex" {
                // A virtual subprogram shows an index of zero.
                if op != 0 || self.optional(9) & debug::subprogram::VIRTUALITY != 0 {
                    let value = self.module.metadata.unsigned(op);
                    fields.push(self.field(ready.name, value));
                }
                continue;
            }
            if ready.name == "coroSuspendIdx"
                && !self.ops.is_empty()
                && first & debug::ARTIFICIAL_LABEL != 0
            {
                let yes = self.truth(true);
                fields.push(self.field("isArtificial", yes));
            }
            if ready.shown == Shown::Unless(op)
                || ready.shown == Shown::Set && op == 0
                || self.ops.len() <= ready.at + extra && ready.shown != Shown::Always
            {
                continue;
            }
            let name = ready.name;
            let mut word = ready.word;
            let value = match ready.slot {
                Slot::Md => FieldValue::Md(self.md_or_null(op)?),
                Slot::Bound | Slot::Size if matches!(ready.slot, Slot::Bound) || sizes => {
                    let md = self.md_or_null(op)?;
                    // A type of ranges and a stride are printed as what they are.
                    let plain = row.kind == "DISubrangeType" && matches!(ready.slot, Slot::Bound)
                        || name == "bitStride";
                    match self.constant_number(md).filter(|_| !plain) {
                        Some(0) if matches!(ready.slot, Slot::Size) => continue,
                        Some(number) if matches!(ready.slot, Slot::Size) => {
                            self.module.metadata.unsigned(number as u64)
                        }
                        Some(number) => self.module.metadata.signed(number),
                        None => match self
                            .constant_expression(md)
                            .filter(|_| row.kind == "DIGenericSubrange")
                        {
                            Some(number) => self.module.metadata.signed(number),
                            None => FieldValue::Md(md),
                        },
                    }
                }
                Slot::Text | Slot::Last => match self.text_value(op)? {
                    FieldValue::Text(text)
                        if ready.shown == Shown::Set
                            && self.module.names.bytes(text).is_empty() =>
                    {
                        continue;
                    }
                    text => text,
                },
                Slot::Number(_) | Slot::Bound | Slot::Size => match name {
                    "thisAdjustment" | "factor" => self.module.metadata.signed(op as i64),
                    _ => self.module.metadata.unsigned(op),
                },
                Slot::Truth(_) => self.truth(op != 0),
                Slot::Word(words, default) => match op == default && name == "enumKind" {
                    true => continue,
                    false => self.word_or_number(words, op),
                },
                Slot::Is(words, number) => match op {
                    0 => continue,
                    _ => self.word_or_number(words, number),
                },
                Slot::Flags(words) => self.flag_words(words, op),
                Slot::SubprogramFlags | Slot::SubprogramFlag(_) => {
                    self.flag_words(&dwarf::SUBPROGRAM_FLAGS, op)
                }
                Slot::Signed => self.module.metadata.signed(signed(op) as i64),
                Slot::PlusOne => self.module.metadata.unsigned(op - 1),
                Slot::OrAllOnes => match op & 0xFFFF_FFFF {
                    0xFFFF_FFFF => continue,
                    number => self.module.metadata.unsigned(number),
                },
                Slot::Unused(_) => continue,
                Slot::Wide => {
                    let (width, count) = (op & 0xFFFF_FFFF, (op >> 32) as usize);
                    let from = ready.at + extra + 1;
                    let end = from.saturating_add(count).min(self.ops.len());
                    let words: Vec<u64> =
                        self.ops[from..end].iter().map(|&op| signed(op)).collect();
                    extra += end - from;
                    // Only fractions have them.
                    match words.iter().all(|&word| word == 0) {
                        true => continue,
                        false => self.wide_number(&words, width, true),
                    }
                }
                Slot::ChecksumKind => self.word_or_number(&dwarf::CHECKSUM_KINDS, op),
                Slot::Language => match op & debug::LANGUAGE_NAME {
                    0 => self.word_or_number(&dwarf::LANGUAGES, op),
                    _ => {
                        word = self.module.names.intern(b"sourceLanguageName");
                        self.word_or_number(&dwarf::LANGUAGE_NAMES, op & !debug::LANGUAGE_NAME)
                    }
                },
                Slot::PointerAuthentication => {
                    for &(name, at, width) in debug::POINTER_AUTHENTICATION {
                        let bits = op >> at & ((1 << width) - 1);
                        let value = match width {
                            1 => self.truth(bits != 0),
                            _ if bits == 0 => continue,
                            _ => self.module.metadata.unsigned(bits),
                        };
                        fields.push(self.field(name, value));
                    }
                    continue;
                }
            };
            fields.push(Field {
                name: Some(word.into()),
                value,
            });
        }
        if row.kind == "DINamespace" && first & debug::EXPORTS_SYMBOLS != 0 {
            let yes = self.truth(true);
            fields.push(self.field("exportSymbols", yes));
        }
        let kind = NodeKind::Special(ready_row.kind);
        // LLVM reads ranges as uniqued nodes, whatever the record says.
        let distinct = first & 1 != 0 && !matches!(row.kind, "DISubrange" | "DIGenericSubrange");
        self.module.metadata.define(node, kind, distinct, &fields);
        if let Some(expression) = attached {
            self.wrap_variable(node, expression);
        }
        // What was made for this record has no number of the file.
        self.metadata.truncate(count);
        Ok(())
    }

    /// `DW_OP_consts N` as a number.
    fn constant_expression(&self, md: MdRef) -> Option<i64> {
        let fields = self.module.metadata.fields(md.node()?);
        let [op, value] = fields else { return None };
        let FieldValue::Word(op) = op.value else {
            return None;
        };
        if self.module.names.bytes(op) != b"DW_OP_consts" {
            return None;
        }
        Some(self.module.metadata.number(value.value)? as i64)
    }
}

/// A field of a tuple or expression.
pub(super) fn unnamed(value: FieldValue) -> Field {
    Field { name: None, value }
}

/// A wide number in decimal digits.
fn decimal(words: &[u64], width: u64, unsigned: bool) -> String {
    let mut words = words.to_vec();
    let count = usize::try_from(width.div_ceil(64))
        .unwrap_or(1)
        .clamp(1, words.len().max(1));
    words.resize(count, 0);
    let negative = !unsigned && words[count - 1] >> 63 == 1;
    if negative {
        let mut carry = true;
        for word in &mut words {
            let (value, overflow) = (!*word).overflowing_add(u64::from(carry));
            *word = value;
            carry = overflow;
        }
    }
    let mut digits = Vec::new();
    while words.iter().any(|&word| word != 0) {
        let mut rest: u128 = 0;
        for word in words.iter_mut().rev() {
            let value = rest << 64 | u128::from(*word);
            *word = (value / 10) as u64;
            rest = value % 10;
        }
        digits.push(b'0' + rest as u8);
    }
    if digits.is_empty() {
        digits.push(b'0');
    }
    if negative {
        digits.push(b'-');
    }
    digits.reverse();
    String::from_utf8_lossy(&digits).into_owned()
}
