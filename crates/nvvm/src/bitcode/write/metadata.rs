//! Metadata: the numbers it gets, and its records.
//!
//! ```text
//!   strings │ constants │ nodes, after what they refer to where that is possible │ of a function: local values, lists
//! ```
//!
//! All nodes that something refers to are in the block of the module; functions add only what names their values.

mod node;

use super::stream::{Part, Stream};
use super::{Dialect, Writer};
use crate::Module;
use crate::bitcode::codes::debug::{self, Row, Slot};
use crate::bitcode::codes::record::{block, metadata as code, metadata_kind};
use crate::constant::ConstId;
use crate::function::{Body, GlobalAttachment};
use crate::index::Id;
use crate::metadata::{FieldValue, Md, MdRef, NodeId, NodeKind};
use crate::module::GlobalKind;
use crate::name::Name;
use crate::value::{Operand, Value};
use rustc_hash::FxHashMap;

/// A kind of node in the names of the module.
struct Schema {
    row: &'static Row,
    form: u64,
    /// The fields; a name that the module lacks is in no node.
    fields: Vec<(Option<Name>, &'static str, Slot)>,
}

/// What a kind of node is.
#[derive(Clone, Copy)]
enum Kind {
    Location,
    Expression,
    Generic,
    Enumerator,
    /// A row; its position in `schemas`.
    Row(usize),
    Unknown,
}

/// A constant as metadata.
#[derive(Clone, Copy)]
enum Constant {
    Const(ConstId),
    Number(i64),
}

/// Numbers of metadata.
pub(super) struct Nodes {
    strings: FxHashMap<Name, u32>,
    string_order: Vec<Name>,
    /// By constant: its number among constants.
    constants: FxHashMap<ConstId, u32>,
    numbers: FxHashMap<i64, u32>,
    constant_order: Vec<Constant>,
    /// By node: its number among nodes plus one; zero if it has none yet, all ones while it is being looked at.
    nodes: Vec<u32>,
    node_order: Vec<NodeId>,
    pending: Vec<(NodeId, bool)>,
    kinds: FxHashMap<Name, Kind>,
    schemas: Vec<Schema>,
    /// Names of fields of nodes that are not in rows.
    known: Known,
    dialect: Dialect,
}

/// Names of fields and words that the module may have.
struct Known {
    line: Option<Name>,
    column: Option<Name>,
    scope: Option<Name>,
    inlined_at: Option<Name>,
    implicit: Option<Name>,
    atom_group: Option<Name>,
    atom_rank: Option<Name>,
    truth: Option<Name>,
    tag: Option<Name>,
    header: Option<Name>,
    operands: Option<Name>,
    value: Option<Name>,
    name: Option<Name>,
    is_unsigned: Option<Name>,
    export_symbols: Option<Name>,
    is_artificial: Option<Name>,
}

const LOOKING: u32 = u32::MAX;

impl Nodes {
    pub(super) fn new(module: &Module, dialect: Dialect) -> Nodes {
        let find = |word: &str| module.names.find(word.as_bytes());
        Nodes {
            strings: FxHashMap::default(),
            string_order: Vec::new(),
            constants: FxHashMap::default(),
            numbers: FxHashMap::default(),
            constant_order: Vec::new(),
            nodes: vec![0; module.metadata.len()],
            node_order: Vec::new(),
            pending: Vec::new(),
            kinds: FxHashMap::default(),
            schemas: Vec::new(),
            known: Known {
                line: find("line"),
                column: find("column"),
                scope: find("scope"),
                inlined_at: find("inlinedAt"),
                implicit: find("isImplicitCode"),
                atom_group: find("atomGroup"),
                atom_rank: find("atomRank"),
                truth: find("true"),
                tag: find("tag"),
                header: find("header"),
                operands: find("operands"),
                value: find("value"),
                name: find("name"),
                is_unsigned: find("isUnsigned"),
                export_symbols: find("exportSymbols"),
                is_artificial: find("isArtificial"),
            },
            dialect,
        }
    }

    fn is_empty(&self) -> bool {
        self.string_order.is_empty() && self.constant_order.is_empty() && self.node_order.is_empty()
    }

    /// How many things have numbers.
    pub(super) fn count(&self) -> u32 {
        (self.string_order.len() + self.constant_order.len() + self.node_order.len()) as u32
    }

    /// The number of metadata; `None` for `null`.
    pub(super) fn id(&self, md: MdRef) -> Option<u64> {
        let strings = self.string_order.len() as u32;
        let constants = self.constant_order.len() as u32;
        Some(u64::from(match md.get() {
            Md::Null => return None,
            Md::String(name) => *self.strings.get(&name)?,
            Md::Const(constant) => strings + *self.constants.get(&constant)?,
            Md::Node(node) => strings + constants + self.nodes[node.index()].checked_sub(1)?,
        }))
    }

    /// The number plus one; zero for `null`.
    fn or_null(&self, md: MdRef) -> u64 {
        self.id(md).map_or(0, |id| id + 1)
    }

    fn string_or_null(&self, name: Name) -> u64 {
        self.strings.get(&name).map_or(0, |&id| u64::from(id) + 1)
    }

    /// Takes note of metadata and all that it refers to.
    pub(super) fn add(&mut self, module: &Module, md: MdRef) {
        match md.get() {
            Md::Null => {}
            Md::String(name) => self.add_string(name),
            Md::Const(constant) => self.add_constant(constant),
            Md::Node(node) => self.add_node(module, node),
        }
    }

    fn add_string(&mut self, name: Name) {
        let order = &mut self.string_order;
        self.strings.entry(name).or_insert_with(|| {
            order.push(name);
            order.len() as u32 - 1
        });
    }

    fn add_constant(&mut self, constant: ConstId) {
        let order = &mut self.constant_order;
        self.constants.entry(constant).or_insert_with(|| {
            order.push(Constant::Const(constant));
            order.len() as u32 - 1
        });
    }

    fn add_number(&mut self, number: i64) {
        let order = &mut self.constant_order;
        self.numbers.entry(number).or_insert_with(|| {
            order.push(Constant::Number(number));
            order.len() as u32 - 1
        });
    }

    fn add_node(&mut self, module: &Module, node: NodeId) {
        if self.nodes[node.index()] != 0 {
            return;
        }
        self.pending.push((node, false));
        while let Some((node, looked_at)) = self.pending.pop() {
            if looked_at {
                self.node_order.push(node);
                self.nodes[node.index()] = self.node_order.len() as u32;
                continue;
            }
            if self.nodes[node.index()] != 0 {
                continue;
            }
            self.nodes[node.index()] = LOOKING;
            self.pending.push((node, true));
            let from = self.pending.len();
            self.add_fields(module, node);
            self.pending[from..].reverse();
        }
    }

    fn add_fields(&mut self, module: &Module, node: NodeId) {
        let kind = self.kind(module, node);
        for field in module.metadata.fields(node) {
            match field.value {
                FieldValue::Md(md) => self.add_part(md),
                FieldValue::List(list) => {
                    for field in module.metadata.fields(list) {
                        if let FieldValue::Md(md) = field.value {
                            self.add_part(md);
                        }
                    }
                }
                FieldValue::Text(text) if !module.names.bytes(text).is_empty() => {
                    self.add_string(text);
                }
                FieldValue::Int(_) | FieldValue::Signed(_) | FieldValue::Unsigned(_) => {
                    let Some(Kind::Row(schema)) = kind else {
                        continue;
                    };
                    let name = field.name.map(|name| name.name());
                    let fields = &self.schemas[schema].fields;
                    let slot = fields.iter().find(|row| row.0.is_some() && row.0 == name);
                    if let Some((_, _, Slot::Bound)) = slot
                        && let Some(number) = module.metadata.number(field.value)
                    {
                        self.add_number(number as i64);
                    }
                }
                _ => {}
            }
        }
    }

    fn add_part(&mut self, md: MdRef) {
        match md.get() {
            Md::Null => {}
            Md::String(name) => self.add_string(name),
            Md::Const(constant) => self.add_constant(constant),
            Md::Node(node) => {
                if self.nodes[node.index()] == 0 {
                    self.pending.push((node, false));
                }
            }
        }
    }

    /// What a node is; `None` for a tuple.
    fn kind(&mut self, module: &Module, node: NodeId) -> Option<Kind> {
        let NodeKind::Special(name) = module.metadata.node(node).kind else {
            return None;
        };
        if let Some(&kind) = self.kinds.get(&name) {
            return Some(kind);
        }
        let kind = match module.names.bytes(name) {
            b"DILocation" => Kind::Location,
            b"DIExpression" => Kind::Expression,
            b"GenericDINode" => Kind::Generic,
            b"DIEnumerator" => Kind::Enumerator,
            word => match debug::row_of(word) {
                Some(row) => self.schema(module, row),
                None => Kind::Unknown,
            },
        };
        self.kinds.insert(name, kind);
        Some(kind)
    }

    fn schema(&mut self, module: &Module, row: &'static Row) -> Kind {
        let (form, fields) = match self.dialect {
            Dialect::Current => (row.form, row.fields),
            Dialect::Llvm7 => match row.llvm7 {
                Some(row) => row,
                None => return Kind::Unknown,
            },
        };
        let fields = fields
            .iter()
            .map(|&(name, slot)| (module.names.find(name.as_bytes()), name, slot));
        self.schemas.push(Schema {
            row,
            form,
            fields: fields.collect(),
        });
        Kind::Row(self.schemas.len() - 1)
    }

    /// Line, column, scope and the location it is inlined at, then what is newer.
    pub(super) fn location(&self, module: &Module, node: NodeId) -> Location {
        let metadata = &module.metadata;
        let field = |name: Option<Name>| metadata.field(node, name?);
        let number = |name| {
            let value = field(name).and_then(|value| metadata.number(value));
            value.unwrap_or(0) as u64
        };
        let md = |name| match field(name) {
            Some(FieldValue::Md(md)) => md,
            _ => Md::Null.into(),
        };
        let known = &self.known;
        let implicit = match field(known.implicit) {
            Some(FieldValue::Word(word)) => Some(word) == known.truth,
            _ => false,
        };
        Location {
            line: number(known.line),
            column: number(known.column),
            scope: md(known.scope),
            inlined_at: md(known.inlined_at),
            newer: [
                u64::from(implicit),
                number(known.atom_group),
                number(known.atom_rank),
            ],
        }
    }

    /// Takes note of what a location refers to, not of itself.
    pub(super) fn add_location(&mut self, module: &Module, node: NodeId) {
        let location = self.location(module, node);
        self.add(module, location.scope);
        self.add(module, location.inlined_at);
    }
}

/// The fields of a `DILocation`.
pub(super) struct Location {
    line: u64,
    column: u64,
    scope: MdRef,
    inlined_at: MdRef,
    newer: [u64; 3],
}

impl Writer<'_> {
    /// Numbers all metadata that something refers to, and lists the constants in it.
    pub(super) fn number_metadata(&mut self) {
        let module = self.module;
        let nodes = &mut self.nodes;
        for named in &module.metadata.named {
            for &node in &named.nodes {
                nodes.add(module, Md::Node(node).into());
            }
        }
        for &id in &module.order {
            for attachment in &module.globals[id].metadata {
                nodes.add(module, attachment.node);
            }
        }
        for (_, _, function) in module.functions() {
            let Some(body) = &function.body else { continue };
            let mut last = None;
            for &block in &body.order {
                for &inst in &body.blocks[block].insts {
                    for &value in body.operands(inst) {
                        add_operand(nodes, module, body, value);
                    }
                    let location = body.insts[inst].location();
                    if let Some(node) = location
                        && last != location
                    {
                        nodes.add_location(module, node);
                        last = location;
                    }
                }
            }
            for record in &body.records {
                for &value in body.record_operands(record) {
                    match value.get() {
                        Operand::Const(constant) => nodes.add_constant(constant),
                        _ => add_operand(nodes, module, body, value),
                    }
                }
            }
            for attachment in &body.attachments {
                nodes.add(module, Md::Node(attachment.node).into());
            }
        }
        for &constant in &nodes.constant_order {
            match constant {
                Constant::Const(constant) => self.values.list_constant(module, constant),
                Constant::Number(number) => self.values.list_number(number),
            }
        }
    }

    /// The contents of the block of metadata of the module, if there is any.
    pub(super) fn module_metadata(&mut self, mut stream: Stream) -> Option<Vec<u8>> {
        let module = self.module;
        let attached = module.order.iter().any(|&id| is_attached_here(module, id));
        if self.nodes.is_empty() && module.metadata.named.is_empty() && !attached {
            return None;
        }
        stream.define(&[
            Part::Literal(u64::from(code::STRINGS)),
            Part::Vbr(6),
            Part::Vbr(6),
            Part::Blob,
        ]);
        stream.define(&[
            Part::Literal(u64::from(code::NAME)),
            Part::Array,
            Part::Fixed(8),
        ]);
        stream.define(&[
            Part::Literal(u64::from(code::LOCATION)),
            Part::Fixed(1),
            Part::Vbr(6),
            Part::Vbr(8),
            Part::Vbr(6),
            Part::Vbr(6),
            Part::Fixed(1),
            Part::Vbr(6),
            Part::Vbr(6),
        ]);
        self.strings(&mut stream);
        let mut record = Vec::new();
        for index in 0..self.nodes.constant_order.len() {
            let (ty, value) = match self.nodes.constant_order[index] {
                Constant::Const(constant) => {
                    let ty = module.constants.get(constant).ty;
                    (ty, u64::from(self.values.constant(module, constant)))
                }
                Constant::Number(number) => (module.types.i64, self.values.number(number)),
            };
            let ty = self.ty(ty);
            stream.record(code::VALUE, &[ty, value]);
        }
        for index in 0..self.nodes.node_order.len() {
            record.clear();
            let node = self.nodes.node_order[index];
            let code = self.node(node, &mut record);
            stream.record(code, &record);
        }
        for named in &module.metadata.named {
            let name = module.names.bytes(named.name);
            let name: Vec<u64> = name.iter().map(|&byte| u64::from(byte)).collect();
            stream.record(code::NAME, &name);
            record.clear();
            let ids = named.nodes.iter();
            record.extend(ids.filter_map(|&node| self.nodes.id(Md::Node(node).into())));
            stream.record(code::NAMED_NODE, &record);
        }
        for &id in &module.order {
            if is_attached_here(module, id) {
                record.clear();
                record.push(self.values.global(id));
                self.push_attachments(&module.globals[id].metadata, &mut record);
                stream.record(code::GLOBAL_DECL_ATTACHMENT, &record);
            }
        }
        Some(stream.contents())
    }

    /// All strings in one record: lengths, then bytes.
    fn strings(&self, stream: &mut Stream) {
        let order = &self.nodes.string_order;
        if order.is_empty() {
            return;
        }
        let names = &self.module.names;
        let mut lengths = Stream::without_magic();
        for &name in order {
            lengths.vbr(names.bytes(name).len() as u64, 6);
        }
        let mut bytes = lengths.finish();
        let offset = bytes.len() as u64;
        for &name in order {
            bytes.extend_from_slice(names.bytes(name));
        }
        stream.blob(code::STRINGS, &[order.len() as u64, offset], &bytes);
    }

    pub(super) fn push_attachments(
        &mut self,
        attachments: &[GlobalAttachment],
        record: &mut Vec<u64>,
    ) {
        for attachment in attachments {
            if let Some(id) = self.nodes.id(attachment.node) {
                record.extend([self.kinds.id(attachment.kind), id]);
            }
        }
    }

    /// The names of the kinds of attachments.
    pub(super) fn metadata_kinds(&self, stream: &mut Stream) {
        if self.kinds.order.is_empty() {
            return;
        }
        stream.enter(block::METADATA_KIND, 3);
        for (id, &kind) in self.kinds.order.iter().enumerate() {
            let name = self.module.names.bytes(kind).iter();
            let mut record = vec![id as u64];
            record.extend(name.map(|&byte| u64::from(byte)));
            stream.record(metadata_kind::KIND, &record);
        }
        stream.exit();
    }

    /// The place of an instruction in the source.
    pub(super) fn debug_location(&self, node: NodeId, record: &mut Vec<u64>) {
        let location = self.nodes.location(self.module, node);
        record.extend([location.line, location.column]);
        record.push(self.nodes.or_null(location.scope));
        record.push(self.nodes.or_null(location.inlined_at));
        if self.dialect == Dialect::Current {
            record.extend(location.newer);
        }
    }
}

/// Whether the metadata of a global is in the block of the module: that of functions with a body is in it.
fn is_attached_here(module: &Module, id: crate::module::GlobalId) -> bool {
    let global = &module.globals[id];
    let has_body = match &global.kind {
        GlobalKind::Function(function) => function.body.is_some(),
        _ => false,
    };
    !has_body && !global.metadata.is_empty()
}

fn add_operand(nodes: &mut Nodes, module: &Module, body: &Body, value: Value) {
    match value.get() {
        Operand::Metadata(md) => nodes.add(module, md),
        Operand::ArgList(list) => {
            for &value in &body.arg_lists[list] {
                match value.get() {
                    Operand::Const(constant) => nodes.add_constant(constant),
                    _ => add_operand(nodes, module, body, value),
                }
            }
        }
        _ => {}
    }
}
