//! Metadata of the source as metadata of the result.
//!
//! A distinct node becomes a new node. Of the others, equal ones become one; nodes in a circle are equal
//! to no others, as in LLVM. So circles are found first (strongly connected components among the nodes
//! that are not distinct), and each node is made after those it refers to.
//!
//! Debug information of C++ and its like: a type with an `identifier` is the same in all modules. The
//! first one stays, unless it is only declared and the other is defined; its members go with it.

use super::transfer::Transfer;
use crate::function::GlobalAttachment;
use crate::metadata::{Field, FieldName, FieldValue, Md, MdRef, NamedMetadata, NodeId, NodeKind};
use crate::module::GlobalId;
use crate::name::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Nodes of debug information that are one across modules.
#[derive(Default)]
pub(super) struct OneDefinition {
    /// Types by identifier.
    types: FxHashMap<Name, OneType>,
    /// The nodes of these types.
    nodes: FxHashSet<NodeId>,
    /// Their members and declared functions: type, name, and what else has to be equal.
    members: FxHashMap<(NodeId, Name, Option<FieldValue>), NodeId>,
}

/// A type with an identifier.
#[derive(Clone, Copy)]
struct OneType {
    node: NodeId,
    tag: Option<Name>,
    /// Only declared.
    forward: bool,
}

/// The state of finding circles from one node.
#[derive(Default)]
struct Search {
    /// When a node was met, and the earliest node it leads back to.
    met: FxHashMap<NodeId, (u32, u32)>,
    /// Nodes whose circle is not closed yet.
    stack: Vec<NodeId>,
    /// Nodes that are being looked at: the node, what it refers to, how much of that is done.
    path: Vec<(NodeId, Vec<NodeId>, usize)>,
}

impl Transfer<'_> {
    pub(super) fn md(&mut self, md: MdRef) -> MdRef {
        match md.get() {
            Md::Null => Md::Null,
            Md::Node(node) => Md::Node(self.node(node)),
            Md::String(name) => Md::String(self.name(name)),
            Md::Const(constant) => match self.constant(constant) {
                Some(constant) => Md::Const(constant),
                None => Md::Null,
            },
        }
        .into()
    }

    /// The node in the result.
    pub(super) fn node(&mut self, node: NodeId) -> NodeId {
        if let Some(mapped) = self.nodes.get(node) {
            return mapped;
        }
        // Distinct nodes that exist but have no fields yet. In this order, so that the definition of a
        // type comes after its declaration.
        let mut open = VecDeque::new();
        self.reach(node, &mut open);
        while let Some((from, to)) = open.pop_front() {
            for child in self.children(from) {
                self.reach(child, &mut open);
            }
            let fields = self.fields(from);
            let kind = self.node_kind(from);
            let metadata = &mut self.linker.module.metadata;
            metadata.define(to, kind, true, &fields);
        }
        self.nodes.get(node).unwrap_or(node)
    }

    /// The nodes that a node refers to.
    fn children(&self, node: NodeId) -> Vec<NodeId> {
        let fields = self.source.metadata.fields(node).iter();
        fields
            .filter_map(|field| match field.value {
                FieldValue::Md(md) => md.node(),
                FieldValue::List(node) => Some(node),
                _ => None,
            })
            .collect()
    }

    fn node_kind(&mut self, node: NodeId) -> NodeKind {
        match self.source.metadata.node(node).kind {
            NodeKind::Tuple => NodeKind::Tuple,
            NodeKind::Special(name) => NodeKind::Special(self.name(name)),
        }
    }

    /// The fields of a node in terms of the result; all nodes in them are mapped.
    fn fields(&mut self, node: NodeId) -> Vec<Field> {
        let fields = self.source.metadata.fields(node).to_vec();
        fields
            .into_iter()
            .map(|Field { name, value }| Field {
                name: name.map(|name| FieldName::from(self.name(name.name()))),
                value: self.field_value(value),
            })
            .collect()
    }

    fn field_value(&mut self, value: FieldValue) -> FieldValue {
        match value {
            FieldValue::Md(md) => FieldValue::Md(self.md(md)),
            FieldValue::Int(_) => value,
            FieldValue::Text(name) => FieldValue::Text(self.name(name)),
            FieldValue::Word(name) => FieldValue::Word(self.name(name)),
            FieldValue::List(node) => FieldValue::List(self.node(node)),
            FieldValue::Signed(_) | FieldValue::Unsigned(_) => {
                let number = self.source.metadata.number(value).unwrap_or(0);
                let signed = matches!(value, FieldValue::Signed(_));
                let metadata = &mut self.linker.module.metadata;
                let wide = self.linker.wide.entry((signed, number as u64));
                *wide.or_insert_with(|| match signed {
                    true => metadata.signed(number as i64),
                    false => metadata.unsigned(number as u64),
                })
            }
        }
    }

    // ---- order ----

    /// Maps a node that has an own identity; its fields follow. `false` for all others.
    fn begin(&mut self, node: NodeId, open: &mut VecDeque<(NodeId, NodeId)>) -> bool {
        if let Some(done) = self.begin_type(node, open) {
            return done;
        }
        if !self.source.metadata.node(node).distinct {
            return false;
        }
        let to = self.linker.module.metadata.declare();
        self.nodes.set(node, to);
        open.push_back((node, to));
        true
    }

    /// Maps a node and all it refers to, except for the fields of distinct ones.
    fn reach(&mut self, root: NodeId, open: &mut VecDeque<(NodeId, NodeId)>) {
        if self.nodes.get(root).is_some() || self.begin(root, open) {
            return;
        }
        let mut search = Search::default();
        self.meet(root, &mut search);
        while let Some((node, children, next)) = search.path.last_mut() {
            let node = *node;
            if let Some(&child) = children.get(*next) {
                *next += 1;
                if self.nodes.get(child).is_some() || self.begin(child, open) {
                    continue;
                }
                match search.met.get(&child) {
                    Some(&(time, _)) => search.lower(node, time),
                    None => self.meet(child, &mut search),
                }
                continue;
            }
            search.path.pop();
            let (time, earliest) = search.met[&node];
            if let Some(&(parent, ..)) = search.path.last() {
                search.lower(parent, earliest);
            }
            if time == earliest {
                let from = search.stack.iter().rposition(|&other| other == node);
                let circle = search.stack.split_off(from.unwrap_or(0));
                self.make(&circle);
            }
        }
    }

    fn meet(&self, node: NodeId, search: &mut Search) {
        let time = search.met.len() as u32;
        search.met.insert(node, (time, time));
        search.stack.push(node);
        search.path.push((node, self.children(node), 0));
    }

    /// Makes nodes that refer to each other in a circle, or a single one.
    fn make(&mut self, circle: &[NodeId]) {
        if let &[node] = circle
            && !self.children(node).contains(&node)
        {
            let fields = self.fields(node);
            let kind = self.node_kind(node);
            let to = match self.member_key(node, &fields) {
                Some(key) => {
                    let metadata = &mut self.linker.module.metadata;
                    let members = &mut self.linker.one_definition.members;
                    *members
                        .entry(key)
                        .or_insert_with(|| metadata.intern(kind, &fields))
                }
                None => self.linker.module.metadata.intern(kind, &fields),
            };
            self.nodes.set(node, to);
            return;
        }
        for &node in circle {
            let to = self.linker.module.metadata.declare();
            self.nodes.set(node, to);
        }
        for &node in circle {
            let fields = self.fields(node);
            let kind = self.node_kind(node);
            if let Some(to) = self.nodes.get(node) {
                let metadata = &mut self.linker.module.metadata;
                metadata.define(to, kind, false, &fields);
            }
        }
    }

    // ---- one definition ----

    fn source_kind(&self, node: NodeId) -> &[u8] {
        match self.source.metadata.node(node).kind {
            NodeKind::Special(name) => self.source.names.bytes(name),
            NodeKind::Tuple => b"",
        }
    }

    fn source_field(&self, node: NodeId, name: &[u8]) -> Option<FieldValue> {
        let name = self.source.names.find(name)?;
        self.source.metadata.field(node, name)
    }

    /// Whether a field is a list of flags with this one.
    fn has_flag(&self, node: NodeId, field: &[u8], flag: &str) -> bool {
        match self.source_field(node, field) {
            Some(FieldValue::Word(words)) => {
                let words = self.source.names.text(words);
                words.split(" | ").any(|word| word == flag)
            }
            _ => false,
        }
    }

    /// The identifier and tag of a type, if it has an identifier.
    fn identity(&self, node: NodeId) -> Option<(Name, Option<FieldValue>)> {
        if self.source_kind(node) != b"DICompositeType" {
            return None;
        }
        let Some(FieldValue::Text(identifier)) = self.source_field(node, b"identifier") else {
            return None;
        };
        let named = !self.source.names.bytes(identifier).is_empty();
        named.then_some((identifier, self.source_field(node, b"tag")))
    }

    /// Of the types of one identifier in the source, the first in the text stands for all, or the first
    /// that is defined. One with another tag than the first is a type of its own.
    pub(super) fn find_leading_types(&mut self) {
        let mut types: Vec<NodeId> = self.source.metadata.ids().collect();
        types.retain(|&node| self.identity(node).is_some());
        types.sort_by_key(|&node| self.source.metadata.definition_order(node));
        let mut leaders: FxHashMap<Name, (NodeId, Option<FieldValue>)> = FxHashMap::default();
        let mut members = Vec::new();
        for node in types {
            let Some((identifier, tag)) = self.identity(node) else {
                continue;
            };
            let (leader, leading_tag) = leaders.entry(identifier).or_insert((node, tag));
            if *leading_tag != tag {
                continue;
            }
            if self.is_forward(*leader) && !self.is_forward(node) {
                *leader = node;
            }
            members.push((node, identifier));
        }
        for (node, identifier) in members {
            self.leading_types.insert(node, leaders[&identifier].0);
        }
    }

    /// Types that nothing of this module led to still stand for those of later modules.
    pub(super) fn keep_leading_types(&mut self) {
        let mut leaders: Vec<NodeId> = self.leading_types.values().copied().collect();
        leaders.sort_unstable();
        for leader in leaders {
            self.node(leader);
        }
    }

    /// Whether a type is only declared.
    fn is_forward(&self, node: NodeId) -> bool {
        self.has_flag(node, b"flags", "DIFlagFwdDecl")
    }

    /// Maps a type with an identifier; `None` if it is none.
    fn begin_type(&mut self, node: NodeId, open: &mut VecDeque<(NodeId, NodeId)>) -> Option<bool> {
        let leader = *self.leading_types.get(&node)?;
        let (identifier, tag) = self.identity(leader)?;
        let identifier = self.name(identifier);
        let tag = match tag {
            Some(FieldValue::Word(tag)) => Some(self.name(tag)),
            _ => None,
        };
        let forward = self.is_forward(leader);
        let table = &mut self.linker.one_definition;
        if let Some(known) = table.types.get_mut(&identifier) {
            if known.tag != tag {
                return None;
            }
            self.nodes.set(node, known.node);
            if known.forward && !forward {
                known.forward = false;
                open.push_back((leader, known.node));
            }
            return Some(true);
        }
        let to = self.linker.module.metadata.declare();
        let one = OneType {
            node: to,
            tag,
            forward,
        };
        table.types.insert(identifier, one);
        table.nodes.insert(to);
        self.nodes.set(node, to);
        open.push_back((leader, to));
        Some(true)
    }

    /// What a member or declared function of a type with an identifier is known by.
    fn member_key(
        &mut self,
        node: NodeId,
        fields: &[Field],
    ) -> Option<(NodeId, Name, Option<FieldValue>)> {
        let names = &self.linker.module.names;
        let field = |name: &[u8]| {
            let name = FieldName::from(names.find(name)?);
            let mut fields = fields.iter();
            fields
                .find(|field| field.name == Some(name))
                .map(|field| field.value)
        };
        let (name, other) = match self.source_kind(node) {
            b"DIDerivedType" => match field(b"tag") {
                Some(FieldValue::Word(tag)) if names.bytes(tag) == b"DW_TAG_member" => {
                    (field(b"name"), None)
                }
                _ => return None,
            },
            b"DISubprogram" if !self.has_flag(node, b"spFlags", "DISPFlagDefinition") => {
                (field(b"linkageName"), field(b"templateParams"))
            }
            _ => return None,
        };
        let Some(FieldValue::Md(scope)) = field(b"scope") else {
            return None;
        };
        let scope = scope.node()?;
        let Some(FieldValue::Text(name)) = name else {
            return None;
        };
        let types = &self.linker.one_definition.nodes;
        types.contains(&scope).then_some((scope, name, other))
    }

    // ---- where metadata hangs ----

    /// Gives a global of the result the metadata of one of the source.
    pub(super) fn attach(&mut self, from: GlobalId, to: GlobalId) {
        let attachments = self.source.globals[from].metadata.clone();
        let attachments: Vec<GlobalAttachment> = attachments
            .into_iter()
            .map(|GlobalAttachment { kind, node }| GlobalAttachment {
                kind: self.name(kind),
                node: self.md(node),
            })
            .collect();
        self.linker.module.globals[to].metadata = attachments;
    }

    /// Joins named metadata; a node stands once in each.
    pub(super) fn named_metadata(&mut self) {
        let known = self.linker.module.metadata.named.iter().enumerate();
        let mut places: FxHashMap<Name, usize> = known.map(|(at, list)| (list.name, at)).collect();
        for NamedMetadata { name, nodes } in std::mem::take(&mut self.source.metadata.named) {
            if self.source.names.bytes(name) == super::flags::NAME {
                self.flags = nodes;
                continue;
            }
            let name = self.name(name);
            let nodes: Vec<NodeId> = nodes.into_iter().map(|node| self.node(node)).collect();
            let named = &mut self.linker.module.metadata.named;
            let at = *places.entry(name).or_insert_with(|| {
                named.push(NamedMetadata {
                    name,
                    nodes: Vec::new(),
                });
                named.len() - 1
            });
            let mut seen: FxHashSet<NodeId> = named[at].nodes.iter().copied().collect();
            named[at]
                .nodes
                .extend(nodes.into_iter().filter(|&node| seen.insert(node)));
        }
    }
}

impl Search {
    fn lower(&mut self, node: NodeId, time: u32) {
        if let Some(entry) = self.met.get_mut(&node) {
            entry.1 = entry.1.min(time);
        }
    }
}
