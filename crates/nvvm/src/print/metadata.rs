//! Metadata: nodes, and the numbers they get.
//!
//! A node is numbered when something refers to it first, and right after it all that it refers to, in
//! depth. LLVM follows what a node holds in the order it keeps it in memory, which differs from the order
//! of the text in the kinds of [`OPERAND_ORDER`].

use super::Printer;
use crate::Module;
use crate::index::Id;
use crate::metadata::{Field, FieldValue, Md, MdRef, NodeId, NodeKind};
use crate::name::Name;

/// Kinds of nodes whose operands LLVM keeps in another order than it prints them: the fields that come
/// first. The others follow in the order of the text.
const OPERAND_ORDER: &[(&str, &[&str])] = &[
    ("DIBasicType", &["file", "scope"]),
    ("DIFixedPointType", &["file", "scope"]),
    ("DIStringType", &["file", "scope"]),
    ("DISubrangeType", &["file", "scope"]),
    ("DIDerivedType", &["file", "scope"]),
    ("DICompositeType", &["file", "scope"]),
    ("DILexicalBlock", &["file", "scope"]),
    ("DILexicalBlockFile", &["file", "scope"]),
    ("DIModule", &["file", "scope"]),
    (
        "DISubprogram",
        &[
            "file",
            "scope",
            "type",
            "unit",
            "declaration",
            "retainedNodes",
            "containingType",
            "templateParams",
            "thrownTypes",
            "annotations",
        ],
    ),
];

/// Numbers of nodes.
#[derive(Debug)]
pub(super) struct Nodes {
    /// The number of each node, plus one; zero if it has none yet.
    numbers: Vec<u32>,
    order: Vec<NodeId>,
    /// Nodes still to be numbered, the next one last.
    pending: Vec<NodeId>,
    /// [`OPERAND_ORDER`] in the names of the module.
    operand_order: Vec<(Name, Vec<Name>)>,
    /// Nodes of this kind have no number; they are written where they are used.
    inline: Option<Name>,
}

impl Nodes {
    pub(super) fn new(module: &Module) -> Nodes {
        let find = |word: &&str| module.names.find(word.as_bytes());
        Nodes {
            numbers: vec![0; module.metadata.len()],
            order: Vec::new(),
            pending: Vec::new(),
            operand_order: OPERAND_ORDER
                .iter()
                .filter_map(|(kind, fields)| {
                    Some((find(kind)?, fields.iter().filter_map(find).collect()))
                })
                .collect(),
            inline: find(&"DIExpression"),
        }
    }

    fn is_inline(&self, module: &Module, node: NodeId) -> bool {
        match module.metadata.node(node).kind {
            NodeKind::Tuple => false,
            NodeKind::Special(kind) => Some(kind) == self.inline,
        }
    }

    /// The number of a node; it and all below it get theirs if they have none.
    fn number(&mut self, module: &Module, node: NodeId) -> u32 {
        if self.numbers[node.index()] == 0 {
            self.pending.push(node);
            while let Some(next) = self.pending.pop() {
                if self.numbers[next.index()] == 0 && !self.is_inline(module, next) {
                    self.order.push(next);
                    self.numbers[next.index()] = self.order.len() as u32;
                    self.push_operands(module, next);
                }
            }
        }
        self.numbers[node.index()].saturating_sub(1)
    }

    /// Puts what a node refers to on the stack, the last first.
    fn push_operands(&mut self, module: &Module, node: NodeId) {
        let metadata = &module.metadata;
        let fields = metadata.fields(node);
        let first = match metadata.node(node).kind {
            NodeKind::Tuple => None,
            NodeKind::Special(kind) => self.operand_order.iter().find(|row| row.0 == kind),
        };
        let first = first.map_or(&[][..], |row| &row.1);
        let is_first = |field: &&Field| match field.name {
            Some(name) => first.contains(&name.name()),
            None => false,
        };
        for field in fields.iter().rev().filter(|field| !is_first(field)) {
            match field.value {
                FieldValue::Md(md) => self.pending.extend(md.node()),
                // A list is not a node of its own: what it holds belongs to this one.
                FieldValue::List(list) => {
                    let listed = metadata.fields(list).iter().rev();
                    self.pending
                        .extend(listed.filter_map(|field| match field.value {
                            FieldValue::Md(md) => md.node(),
                            _ => None,
                        }));
                }
                _ => {}
            }
        }
        for &name in first.iter().rev() {
            let value = metadata.field(node, name);
            if let Some(FieldValue::Md(md)) = value {
                self.pending.extend(md.node());
            }
        }
    }
}

impl Printer<'_> {
    /// Gives a node its number now.
    pub(super) fn reserve_node(&mut self, md: MdRef) {
        if let Some(node) = md.node() {
            self.nodes.number(self.module, node);
        }
    }

    /// `!kind `
    pub(super) fn metadata_kind(&mut self, kind: Name) {
        self.out.byte(b'!');
        self.out.metadata_name(self.module.names.bytes(kind));
        self.out.byte(b' ');
    }

    /// A reference to metadata.
    pub(super) fn metadata(&mut self, md: MdRef) {
        let module = self.module;
        match md.get() {
            Md::Null => self.out.str("null"),
            Md::Node(node) => self.node(node),
            Md::String(text) => {
                self.out.byte(b'!');
                self.out.quoted(module.names.bytes(text));
            }
            Md::Const(constant) => self.typed_constant(constant),
        }
    }

    /// `!N`, or the node itself if it is of a kind that is written where it is used.
    #[inline]
    pub(super) fn node(&mut self, node: NodeId) {
        if self.nodes.numbers[node.index()] == 0 && self.nodes.is_inline(self.module, node) {
            return self.node_definition(node);
        }
        let number = self.nodes.number(self.module, node);
        self.out.byte(b'!');
        self.out.number(u64::from(number));
    }

    fn node_definition(&mut self, node: NodeId) {
        let module = self.module;
        let metadata = &module.metadata;
        if metadata.node(node).distinct {
            self.out.str("distinct ");
        }
        let close = match metadata.node(node).kind {
            NodeKind::Tuple => {
                self.out.str("!{");
                b'}'
            }
            NodeKind::Special(kind) => {
                self.out.byte(b'!');
                self.out.bytes(module.names.bytes(kind));
                self.out.byte(b'(');
                b')'
            }
        };
        for (i, field) in metadata.fields(node).iter().enumerate() {
            self.out.comma(i);
            if let Some(name) = field.name {
                self.out.bytes(module.names.bytes(name.name()));
                self.out.str(": ");
            }
            self.field_value(field.value);
        }
        self.out.byte(close);
    }

    fn field_value(&mut self, value: FieldValue) {
        let module = self.module;
        match value {
            FieldValue::Md(md) => self.metadata(md),
            FieldValue::Int(small) => self.out.signed(i64::from(small)),
            FieldValue::Signed(_) | FieldValue::Unsigned(_) => {
                let number = module.metadata.number(value).unwrap_or(0);
                if number < 0 {
                    self.out.byte(b'-');
                }
                self.out.number(number.unsigned_abs() as u64);
            }
            FieldValue::Text(text) => self.out.quoted(module.names.bytes(text)),
            FieldValue::Word(word) => self.out.bytes(module.names.bytes(word)),
            FieldValue::List(list) => {
                self.out.byte(b'{');
                for (i, field) in module.metadata.fields(list).iter().enumerate() {
                    self.out.comma(i);
                    self.field_value(field.value);
                }
                self.out.byte(b'}');
            }
        }
    }

    pub(super) fn named_metadata(&mut self) {
        let module = self.module;
        if !module.metadata.named.is_empty() {
            self.out.gap();
        }
        for named in &module.metadata.named {
            self.out.byte(b'!');
            self.out.metadata_name(module.names.bytes(named.name));
            self.out.str(" = !{");
            for (i, &node) in named.nodes.iter().enumerate() {
                self.out.comma(i);
                self.node(node);
            }
            self.out.byte(b'}');
            self.out.newline();
        }
    }

    /// The nodes that were referred to, in the order of their numbers.
    pub(super) fn node_definitions(&mut self) {
        if !self.nodes.order.is_empty() {
            self.out.gap();
        }
        // Nodes that only an expression refers to (which none should) join while it is printed.
        let mut index = 0;
        while let Some(&node) = self.nodes.order.get(index) {
            self.out.byte(b'!');
            self.out.number(index as u64);
            self.out.str(" = ");
            self.node_definition(node);
            self.out.newline();
            index += 1;
        }
    }
}
