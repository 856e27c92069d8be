//! Metadata: strings, values, nodes, names, attachments.
//!
//! Each record gets its number and an entry when it is read. A node that can only refer to what has been read gets its
//! fields at once; the others are kept until the end of the block, so that references to later ones need nothing special.

use super::{Read, Reader};
use crate::bitcode::codes::record::{block, metadata as code, metadata_attachment};
use crate::bitcode::stream::Cursor;
use crate::function::{Attachment, GlobalAttachment};
use crate::index::{Id, IdVec};
use crate::metadata::{Field, FieldValue, Md, MdRef, NamedMetadata, NodeId, NodeKind};
use crate::name::Name;
use crate::value::{InstId, Operand, Value};

/// What a number of metadata stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// A node, string or constant.
    Ref(MdRef),
    /// A local value.
    Local(Value),
    /// A list of values, by its number among the lists.
    Args(u32),
    /// A function-local node of LLVM before 3.6, or a value that is no metadata any more.
    Nothing,
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Location {
    pub line: u32,
    pub column: u32,
    pub scope: MdRef,
    pub inlined_at: MdRef,
    pub group: u64,
    pub rank: u32,
    pub implicit: bool,
}

crate::index::define_ids! {
    /// A [`Location`] that is not distinct.
    LocationId
}

/// The nodes of locations that are not distinct: equal ones are one node.
#[derive(Default)]
pub(super) struct Locations {
    known: crate::intern::Set<LocationId, Location>,
    nodes: IdVec<LocationId, NodeId>,
}

impl Locations {
    /// The node of a location, the one that `node` gives if it is new, and whether it is new.
    pub fn node(&mut self, location: Location, node: impl FnOnce() -> NodeId) -> (NodeId, bool) {
        let id = self.known.intern(location);
        let is_new = id.index() == self.nodes.len();
        if is_new {
            self.nodes.push(node());
        }
        (self.nodes[id], is_new)
    }
}

/// A record that is not defined yet; its operands are in a pool.
struct Raw {
    bit: u64,
    start: usize,
    len: u32,
    code: u32,
    number: u32,
}

impl Reader<'_> {
    /// `[number, name]`
    pub(super) fn metadata_kind(&mut self) -> Read<()> {
        let number = self.op(0)?;
        let name = self.name(1);
        self.kinds.insert(number, name);
        Ok(())
    }

    pub(super) fn kind_at(&self, number: u64) -> Read<Name> {
        match self.kinds.get(&number) {
            Some(&kind) => Ok(kind),
            None => Err(self.fault(format!("there is no kind of metadata {number}"))),
        }
    }

    /// Metadata of the module or the function.
    pub(super) fn metadata_block(&mut self) -> Read<()> {
        let around = self.block;
        let mut raws: Vec<Raw> = Vec::new();
        let mut pool: Vec<u64> = Vec::new();
        let mut name: Option<Name> = None;
        let mut named: Vec<Name> = Vec::new();
        self.records(block::METADATA, |reader, code| {
            let entry = match code {
                code::STRINGS => return reader.metadata_strings(),
                code::STRING_OLD => Entry::Ref(Md::String(reader.name(0)).into()),
                code::NAME => {
                    name = Some(reader.name(0));
                    return Ok(());
                }
                code::KIND => return reader.metadata_kind(),
                code::INDEX_OFFSET | code::INDEX => return Ok(()),
                code::VALUE => reader.metadata_value()?,
                code::ARG_LIST | code::OLD_FN_NODE => Entry::Nothing,
                code::NAMED_NODE => {
                    let Some(name) = name.take() else {
                        return Err(reader.fault("named metadata without a name"));
                    };
                    named.push(name);
                    Entry::Nothing
                }
                code::GLOBAL_DECL_ATTACHMENT => Entry::Nothing,
                _ if super::node::is_node(code) => {
                    let node = reader.module.metadata.declare();
                    let entry = Entry::Ref(Md::Node(node).into());
                    if reader.refers_back(code) {
                        reader.metadata.push(entry);
                        return reader.place_node(code, node);
                    }
                    entry
                }
                _ => return Err(reader.unsupported("unknown metadata")),
            };
            let defined = matches!(code, code::STRING_OLD | code::VALUE);
            if !defined {
                raws.push(Raw {
                    code,
                    start: pool.len(),
                    len: reader.ops.len() as u32,
                    bit: reader.cursor.start,
                    number: reader.metadata.len() as u32,
                });
                pool.extend_from_slice(&reader.ops);
            }
            if !matches!(code, code::NAMED_NODE | code::GLOBAL_DECL_ATTACHMENT) {
                reader.metadata.push(entry);
            }
            Ok(())
        })?;
        self.block = block::METADATA;
        let here = self.cursor.start;
        let mut names = named.into_iter();
        for raw in &raws {
            self.code = Some(raw.code);
            self.cursor.start = raw.bit;
            self.ops.clear();
            self.ops
                .extend_from_slice(&pool[raw.start..raw.start + raw.len as usize]);
            match raw.code {
                code::NAMED_NODE => {
                    if let Some(name) = names.next() {
                        self.named_metadata(name)?;
                    }
                }
                code::GLOBAL_DECL_ATTACHMENT => self.global_attachments()?,
                code::ARG_LIST => self.arg_list(raw.number)?,
                code::OLD_FN_NODE => {}
                _ => {
                    let Entry::Ref(md) = self.metadata[raw.number as usize] else {
                        continue;
                    };
                    if let Some(node) = md.node() {
                        self.place_node(raw.code, node)?;
                    }
                }
            }
        }
        self.cursor.start = here;
        self.block = around;
        self.code = None;
        Ok(())
    }

    /// Whether a node can only refer to what has been read: no operand is a number from here on, whatever it means.
    /// Expressions refer to nothing, and ranges look into them, so they are never late.
    fn refers_back(&self, code: u32) -> bool {
        let count = self.metadata.len() as u64;
        code == code::EXPRESSION || self.ops.iter().all(|&op| op < count)
    }

    /// Gives a node the fields of the record, and its place.
    fn place_node(&mut self, code: u32, node: NodeId) -> Read<()> {
        let place = u32::try_from(self.cursor.start / 8).unwrap_or(u32::MAX);
        self.node(code, node)?;
        self.module.metadata.set_place(node, place);
        Ok(())
    }

    /// All strings of a block: their lengths, then their letters.
    fn metadata_strings(&mut self) -> Read<()> {
        let (count, offset) = (self.op(0)?, self.op(1)?);
        let blob = self.cursor.blob;
        let Some((lengths, mut letters)) = usize::try_from(offset)
            .ok()
            .and_then(|offset| blob.split_at_checked(offset))
        else {
            return Err(self.fault("the strings start after the end of the record"));
        };
        // A length has six bits at least.
        if count > lengths.len() as u64 * 8 / 6 {
            return Err(self.fault(format!(
                "{count} strings in a record of {} bytes",
                blob.len()
            )));
        }
        let mut cursor = Cursor::new(lengths);
        self.module.names.reserve(count as usize, letters.len());
        self.metadata.reserve(count as usize);
        for _ in 0..count {
            let length = cursor.vbr(6)?;
            let Some((string, rest)) = usize::try_from(length)
                .ok()
                .and_then(|length| letters.split_at_checked(length))
            else {
                return Err(self.fault("a string is longer than the record"));
            };
            letters = rest;
            let name = self.module.names.intern(string);
            self.metadata.push(Entry::Ref(Md::String(name).into()));
        }
        Ok(())
    }

    /// A value as metadata: its type and number.
    fn metadata_value(&mut self) -> Read<Entry> {
        let (ty, number) = (self.op(0)?, self.op(1)?);
        let ty = self.type_at(ty)?;
        if self.types.id(ty) == self.module.types.metadata
            || self.types.id(ty) == self.module.types.void
        {
            return Ok(Entry::Nothing);
        }
        let value = self.value_at(number, Some(ty))?;
        Ok(match value.value.get() {
            Operand::Const(constant) => Entry::Ref(Md::Const(constant).into()),
            Operand::Local(local) => Entry::Local(Operand::LocalMetadata(local).into()),
            _ => Entry::Nothing,
        })
    }

    fn named_metadata(&mut self, name: Name) -> Read<()> {
        let mut nodes = Vec::with_capacity(self.ops.len());
        for index in 0..self.ops.len() {
            match self.md_at(self.ops[index])?.node() {
                Some(node) => nodes.push(node),
                None => return Err(self.fault("named metadata holds nodes only")),
            }
        }
        let named = &mut self.module.metadata.named;
        match named.iter_mut().find(|entry| entry.name == name) {
            Some(entry) => entry.nodes.extend(nodes),
            None => named.push(NamedMetadata { name, nodes }),
        }
        Ok(())
    }

    fn arg_list(&mut self, number: u32) -> Read<()> {
        let mut args = Vec::with_capacity(self.ops.len());
        for index in 0..self.ops.len() {
            args.push(self.metadata_operand(self.ops[index])?);
        }
        self.metadata[number as usize] = Entry::Args(self.arg_lists.len() as u32);
        self.arg_lists.push(args.into());
        Ok(())
    }

    /// The metadata with a number, which is not local.
    pub(super) fn md_at(&self, number: u64) -> Read<MdRef> {
        let entry = usize::try_from(number)
            .ok()
            .and_then(|number| self.metadata.get(number));
        match entry {
            Some(Entry::Ref(md)) => Ok(*md),
            Some(_) => Ok(Md::Null.into()),
            None => Err(self.fault(format!(
                "it refers to metadata {number}, and there are {}",
                self.metadata.len()
            ))),
        }
    }

    /// The metadata with a number, counted from one; zero is `null`.
    pub(super) fn md_or_null(&self, number: u64) -> Read<MdRef> {
        match number.checked_sub(1) {
            Some(number) => self.md_at(number),
            None => Ok(Md::Null.into()),
        }
    }

    /// The string with a number, counted from one; zero is none.
    pub(super) fn md_string(&self, number: u64) -> Read<Option<Name>> {
        match self.md_or_null(number)?.get() {
            Md::String(name) => Ok(Some(name)),
            Md::Null => Ok(None),
            _ => Err(self.fault("it refers to metadata that is not a string")),
        }
    }

    /// Metadata as an operand of an instruction.
    pub(super) fn metadata_operand(&mut self, number: u64) -> Read<Value> {
        let entry = usize::try_from(number)
            .ok()
            .and_then(|number| self.metadata.get(number));
        Ok(match entry.copied() {
            Some(Entry::Ref(md)) => md.into(),
            Some(Entry::Local(value)) => value,
            Some(Entry::Args(list)) => {
                let args = self.arg_lists[list as usize].clone();
                let list = self.function.body.arg_lists.push(args);
                Operand::ArgList(list).into()
            }
            Some(Entry::Nothing) => MdRef::from(Md::Null).into(),
            None => {
                return Err(self.fault(format!(
                    "it refers to metadata {number}, and there are {}",
                    self.metadata.len()
                )));
            }
        })
    }

    /// Pairs of kind and node from an operand on.
    fn attached(&self, from: usize) -> Read<Vec<(Name, NodeId)>> {
        let mut attached = Vec::new();
        for pair in self.ops.get(from..).unwrap_or_default().chunks(2) {
            let &[kind, node] = pair else {
                return Err(self.fault("a kind of metadata without a node"));
            };
            let kind = self.kind_at(kind)?;
            match self.md_at(node)?.node() {
                Some(node) => attached.push((kind, node)),
                None => return Err(self.fault("what is attached is not a node")),
            }
        }
        Ok(attached)
    }

    /// Metadata of a global, in the block of the module.
    fn global_attachments(&mut self) -> Read<()> {
        let number = self.op(0)?;
        let global = usize::try_from(number)
            .ok()
            .and_then(|number| self.globals.get(number));
        let Some(&global) = global else {
            return Err(self.fault(format!("value {number} is not a global")));
        };
        for (kind, node) in self.attached(1)? {
            let node = Md::Node(node).into();
            self.module.globals[global]
                .metadata
                .push(GlobalAttachment { kind, node });
        }
        Ok(())
    }

    /// Metadata of the function that is being read and of its instructions.
    pub(super) fn attachment_block(&mut self) -> Read<()> {
        self.records(block::METADATA_ATTACHMENT, |reader, code| {
            if code != metadata_attachment::ATTACHMENT {
                return Ok(());
            }
            if reader.ops.len().is_multiple_of(2) {
                let Some(global) = reader.function.global else {
                    return Ok(());
                };
                for (kind, node) in reader.attached(0)? {
                    let node = Md::Node(node).into();
                    reader.module.globals[global]
                        .metadata
                        .push(GlobalAttachment { kind, node });
                }
                return Ok(());
            }
            let number = reader.op(0)?;
            let count = reader.function.numbered.len() as u64;
            if number >= count {
                return Err(reader.fault(format!("there is no instruction {number}, only {count}")));
            }
            let inst: Option<InstId> = reader.function.numbered[number as usize];
            let Some(inst) = inst else { return Ok(()) };
            for (kind, node) in reader.attached(1)? {
                if kind == reader.words.dbg {
                    reader.function.body.insts[inst].debug_location = Some(node.into());
                } else {
                    reader
                        .function
                        .body
                        .attachments
                        .push(Attachment { inst, kind, node });
                }
            }
            Ok(())
        })
    }

    /// The node of a location; equal ones are one node.
    pub(super) fn location(&mut self, location: Location) -> NodeId {
        let metadata = &mut self.module.metadata;
        let (node, is_new) = self.locations.node(location, || metadata.declare());
        if is_new {
            self.define_location(node, false, location);
        }
        node
    }

    /// Gives a node the fields of a location.
    pub(super) fn define_location(&mut self, node: NodeId, distinct: bool, location: Location) {
        let Location {
            line,
            column,
            scope,
            inlined_at,
            implicit,
            group,
            rank,
        } = location;
        let words = &self.words;
        let metadata = &mut self.module.metadata;
        let mut fields: smallvec::SmallVec<[Field; 8]> = smallvec::SmallVec::new();
        let mut push = |name: Name, value: FieldValue| {
            fields.push(Field {
                name: Some(name.into()),
                value,
            });
        };
        push(words.line, metadata.unsigned(line.into()));
        if column != 0 {
            push(words.column, metadata.unsigned(column.into()));
        }
        push(words.scope, FieldValue::Md(scope));
        if inlined_at.get() != Md::Null {
            push(words.inlined_at, FieldValue::Md(inlined_at));
        }
        if implicit {
            push(words.implicit, FieldValue::Word(words.yes));
        }
        if group != 0 {
            push(words.atom_group, metadata.unsigned(group));
        }
        if rank != 0 {
            push(words.atom_rank, metadata.unsigned(rank.into()));
        }
        let kind = NodeKind::Special(words.location);
        metadata.define(node, kind, distinct, &fields);
    }

    /// `[line, column, scope, inlined at, implicit, group, rank]` of an instruction.
    pub(super) fn debug_location(&mut self) -> Read<Option<NodeId>> {
        let scope = self.md_or_null(self.op(2)?)?;
        let inlined_at = self.md_or_null(self.op(3)?)?;
        if scope.get() == Md::Null {
            return Ok(None);
        }
        let location = Location {
            line: self.op(0)? as u32,
            column: self.op(1)? as u32,
            scope,
            inlined_at,
            implicit: self.optional(4) != 0,
            group: self.optional(5),
            rank: self.optional(6) as u32,
        };
        Ok(Some(self.location(location)))
    }

    /// Forgets the metadata of a function.
    pub(super) fn forget_function_metadata(&mut self, count: usize) {
        self.metadata.truncate(count);
        self.arg_lists.clear();
    }
}
