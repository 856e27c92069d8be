//! Metadata: nodes, strings and constants, debug information included.
//!
//! A node is a kind and a list of fields. Tuples (`!{…}`) and expressions have fields without names;
//! specialised nodes (`!DILocation(line: 3, …)`) have named fields in the order of the text. What a
//! field means is no matter here, so fields of future versions survive.

use crate::constant::ConstId;
use crate::index::{Id, IdVec, define_ids};
use crate::name::Name;
use rustc_hash::FxHashMap;

define_ids! {
    /// A metadata node.
    NodeId
    /// A 64-bit number that does not fit into a field.
    WideNumber
}

/// Something metadata refers to, packed; [`get`](MdRef::get) takes it apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MdRef(u32);

/// What a reference to metadata is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Md {
    /// `null`
    Null,
    /// A node.
    Node(NodeId),
    /// `!"text"`
    String(Name),
    /// A constant, with its type: `i32 7`, `ptr @f`.
    Const(ConstId),
}

const TAG_SHIFT: u32 = 30;
const INDEX_MASK: u32 = (1 << TAG_SHIFT) - 1;

impl MdRef {
    /// What it is.
    pub fn get(self) -> Md {
        let index = (self.0 & INDEX_MASK) as usize;
        match self.0 >> TAG_SHIFT {
            0 => Md::Null,
            1 => Md::Node(NodeId::new(index)),
            2 => Md::String(Name::new(index)),
            _ => Md::Const(ConstId::new(index)),
        }
    }

    /// The node, if it is one.
    pub fn node(self) -> Option<NodeId> {
        match self.get() {
            Md::Node(node) => Some(node),
            _ => None,
        }
    }
}

impl From<Md> for MdRef {
    fn from(md: Md) -> MdRef {
        let pack = |tag: u32, index: usize| {
            debug_assert!(index <= INDEX_MASK as usize);
            MdRef(tag << TAG_SHIFT | (index as u32 & INDEX_MASK))
        };
        match md {
            Md::Null => pack(0, 0),
            Md::Node(node) => pack(1, node.index()),
            Md::String(name) => pack(2, name.index()),
            Md::Const(constant) => pack(3, constant.index()),
        }
    }
}

impl std::fmt::Debug for MdRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// `!{…}`
    Tuple,
    /// `!DILocation(…)` and its kin, by name: `DILocation`, `DIExpression` ….
    Special(Name),
}

/// A field of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Its name; tuples and expressions have none.
    pub name: Option<FieldName>,
    /// Its value.
    pub value: FieldValue,
}

/// The name of a field: a [`Name`] plus one, so that none takes no room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FieldName(std::num::NonZeroU32);

impl From<Name> for FieldName {
    fn from(name: Name) -> FieldName {
        let number = name.index() as u32 + 1;
        FieldName(std::num::NonZeroU32::new(number).unwrap_or(std::num::NonZeroU32::MIN))
    }
}

impl FieldName {
    /// The string.
    pub fn name(self) -> Name {
        Name::new(self.0.get() as usize - 1)
    }
}

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FieldValue {
    /// A node, string constant, constant or `null`.
    Md(MdRef),
    /// A small number.
    Int(i32),
    /// A number of 64 bits, signed.
    Signed(WideNumber),
    /// A number of 64 bits, unsigned.
    Unsigned(WideNumber),
    /// `"text"`
    Text(Name),
    /// A word, or words joined by `|`: `DW_TAG_member`, `true`, `DIFlagPublic | DIFlagVector`.
    Word(Name),
    /// `{md, md}`: the operands of a tuple, written in braces.
    List(NodeId),
}

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its kind.
    pub kind: NodeKind,
    /// Whether it is `distinct`: equal to no other node.
    pub distinct: bool,
    start: u32,
    len: u32,
}

/// The number of a word of debug information, or of several joined by `|`: 13 for `DW_TAG_member`. `None` for words that have
/// none.
///
/// ```
/// use warpc_nvvm::metadata::word_number;
/// assert_eq!(word_number(b"DW_TAG_member"), Some(13));
/// assert_eq!(word_number(b"DIFlagPublic | DIFlagVector"), Some(2051));
/// assert_eq!(word_number(b"FullDebug"), Some(1));
/// assert_eq!(word_number(b"member"), None);
/// ```
pub fn word_number(words: &[u8]) -> Option<u64> {
    use crate::bitcode::codes::dwarf;
    let tables = [
        &dwarf::TAGS,
        &dwarf::OPERATIONS,
        &dwarf::ENCODINGS,
        &dwarf::LANGUAGES,
        &dwarf::NODE_FLAGS,
        &dwarf::SUBPROGRAM_FLAGS,
        &dwarf::VIRTUALITIES,
        &dwarf::EMISSION_KINDS,
    ];
    let mut fitting = tables
        .iter()
        .filter(|table| words.starts_with(table.prefix.as_bytes()));
    fitting.find_map(|table| table.sum(words))
}

/// Metadata with a name: `!nvvm.annotations = !{…}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedMetadata {
    /// The name.
    pub name: Name,
    /// Its nodes.
    pub nodes: Vec<NodeId>,
}

/// The metadata of a module.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    nodes: IdVec<NodeId, Node>,
    fields: Vec<Field>,
    wide: IdVec<WideNumber, u64>,
    /// By node: where it stands in the text it was read from; nothing for nodes that were made.
    places: Vec<u32>,
    /// Named metadata, in order.
    pub named: Vec<NamedMetadata>,
    /// Nodes written inside others, to share equal ones (`!DIExpression()` above all).
    shared: FxHashMap<(NodeKind, Box<[Field]>), NodeId>,
}

impl Metadata {
    /// A node.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node]
    }

    /// The fields of a node.
    pub fn fields(&self, node: NodeId) -> &[Field] {
        let Node { start, len, .. } = self.nodes[node];
        &self.fields[start as usize..(start + len) as usize]
    }

    /// Where a node stands in the text that it was read from; zero for others.
    pub fn place(&self, node: NodeId) -> u32 {
        self.places.get(node.index()).copied().unwrap_or(0)
    }

    /// Says where a node stands in the text.
    pub(crate) fn set_place(&mut self, node: NodeId, place: u32) {
        if self.places.len() <= node.index() {
            self.places.resize(self.nodes.len(), 0);
        }
        self.places[node.index()] = place;
    }

    /// Where a node comes in the order in which nodes were defined.
    pub(crate) fn definition_order(&self, node: NodeId) -> u32 {
        self.nodes[node].start
    }

    /// The fields of a node, to be changed.
    pub fn fields_mut(&mut self, node: NodeId) -> &mut [Field] {
        let Node { start, len, .. } = self.nodes[node];
        &mut self.fields[start as usize..(start + len) as usize]
    }

    /// The value of the field with a name.
    pub fn field(&self, node: NodeId, name: Name) -> Option<FieldValue> {
        let name = FieldName::from(name);
        self.fields(node)
            .iter()
            .find(|field| field.name == Some(name))
            .map(|field| field.value)
    }

    /// What a tuple holds at a position.
    pub fn operand(&self, node: NodeId, index: usize) -> Option<MdRef> {
        match self.fields(node).get(index)?.value {
            FieldValue::Md(md) => Some(md),
            _ => None,
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        self.nodes.ids()
    }

    /// A new empty tuple, to be filled by [`define`](Metadata::define).
    pub fn declare(&mut self) -> NodeId {
        self.nodes.push(Node {
            kind: NodeKind::Tuple,
            distinct: false,
            start: 0,
            len: 0,
        })
    }

    /// Gives a node its kind and fields.
    pub fn define(&mut self, node: NodeId, kind: NodeKind, distinct: bool, fields: &[Field]) {
        let start = self.fields.len() as u32;
        self.fields.extend_from_slice(fields);
        self.nodes[node] = Node {
            kind,
            distinct,
            start,
            len: fields.len() as u32,
        };
    }

    /// A new node.
    pub fn add(&mut self, kind: NodeKind, distinct: bool, fields: &[Field]) -> NodeId {
        let node = self.declare();
        self.define(node, kind, distinct, fields);
        node
    }

    /// A node that is not distinct, shared with equal ones made the same way.
    pub fn intern(&mut self, kind: NodeKind, fields: &[Field]) -> NodeId {
        let key = (kind, Box::from(fields));
        if let Some(&node) = self.shared.get(&key) {
            return node;
        }
        let node = self.add(kind, false, fields);
        self.shared.insert(key, node);
        node
    }

    /// A signed number as a field.
    pub fn signed(&mut self, value: i64) -> FieldValue {
        match i32::try_from(value) {
            Ok(small) => FieldValue::Int(small),
            Err(_) => FieldValue::Signed(self.wide.push(value as u64)),
        }
    }

    /// An unsigned number as a field.
    pub fn unsigned(&mut self, value: u64) -> FieldValue {
        match i32::try_from(value) {
            Ok(small) => FieldValue::Int(small),
            Err(_) => FieldValue::Unsigned(self.wide.push(value)),
        }
    }

    /// The number of a field, sign-extended from where it came; `None` for other values.
    pub fn number(&self, value: FieldValue) -> Option<i128> {
        match value {
            FieldValue::Int(small) => Some(i128::from(small)),
            FieldValue::Signed(wide) => Some(i128::from(self.wide[wide] as i64)),
            FieldValue::Unsigned(wide) => Some(i128::from(self.wide[wide])),
            _ => None,
        }
    }

    /// The named metadata with a name.
    pub fn named(&self, name: Name) -> Option<&NamedMetadata> {
        self.named.iter().find(|named| named.name == name)
    }
}
