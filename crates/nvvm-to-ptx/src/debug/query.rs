//! Questions to the metadata of a module.

use warpc_nvvm::Module;
use warpc_nvvm::metadata::{FieldValue, Md, NodeId, NodeKind, word_number};

/// The metadata of a module.
#[derive(Clone, Copy, Debug)]
pub struct Query<'m>(pub &'m Module);

impl<'m> Query<'m> {
    /// The value of a field.
    pub fn field(self, node: NodeId, name: &[u8]) -> Option<FieldValue> {
        self.0.metadata.field(node, self.0.names.find(name)?)
    }

    /// The node that a field names.
    pub fn node(self, node: NodeId, name: &[u8]) -> Option<NodeId> {
        match self.field(node, name)? {
            FieldValue::Md(md) => md.node(),
            FieldValue::List(list) => Some(list),
            _ => None,
        }
    }

    /// The number of a field: written, as a word of DWARF, or as a constant.
    pub fn number(self, node: NodeId, name: &[u8]) -> Option<i128> {
        self.value(self.field(node, name)?)
    }

    /// The number that a value of a field is.
    pub fn value(self, value: FieldValue) -> Option<i128> {
        match value {
            FieldValue::Word(word) => word_number(self.0.names.bytes(word)).map(i128::from),
            FieldValue::Md(md) => match md.get() {
                Md::Const(constant) => self.0.constants.as_u64(constant).map(i128::from),
                _ => None,
            },
            value => self.0.metadata.number(value),
        }
    }

    /// The flags of a field; none if it is not there.
    pub fn flags(self, node: NodeId, name: &[u8]) -> u64 {
        self.number(node, name).unwrap_or(0) as u64
    }

    /// Whether a field is `true`; `None` if it is not there.
    pub fn truth(self, node: NodeId, name: &[u8]) -> Option<bool> {
        match self.field(node, name)? {
            FieldValue::Word(word) => Some(self.0.names.bytes(word) == b"true"),
            value => Some(self.0.metadata.number(value)? != 0),
        }
    }

    /// The text of a field; nothing if it is empty.
    pub fn bytes(self, node: NodeId, name: &[u8]) -> Option<&'m [u8]> {
        let text = match self.field(node, name)? {
            FieldValue::Text(text) => text,
            FieldValue::Md(md) => match md.get() {
                Md::String(text) => text,
                _ => return None,
            },
            _ => return None,
        };
        let bytes = self.0.names.bytes(text);
        (!bytes.is_empty()).then_some(bytes)
    }

    /// The nodes in the tuple that a field names.
    pub fn list(self, node: NodeId, name: &[u8]) -> Vec<NodeId> {
        let elements = self.elements(node, name).into_iter();
        elements.flatten().collect()
    }

    /// What stands in the tuple that a field names: nodes, or nothing in the place of `null`.
    pub fn elements(self, node: NodeId, name: &[u8]) -> Vec<Option<NodeId>> {
        let Some(tuple) = self.node(node, name) else {
            return Vec::new();
        };
        let fields = self.0.metadata.fields(tuple).iter();
        let nodes = fields.map(|field| match field.value {
            FieldValue::Md(md) => md.node(),
            _ => None,
        });
        nodes.collect()
    }

    /// The name of the kind of a node: `DIBasicType`.
    pub fn kind(self, node: NodeId) -> &'m [u8] {
        match self.0.metadata.node(node).kind {
            NodeKind::Tuple => b"",
            NodeKind::Special(name) => self.0.names.bytes(name),
        }
    }

    /// Whether a node is a type.
    pub fn is_type(self, node: NodeId) -> bool {
        matches!(
            self.kind(node),
            b"DIBasicType"
                | b"DIStringType"
                | b"DIDerivedType"
                | b"DICompositeType"
                | b"DISubroutineType"
        )
    }

    /// The compilation units with full debug information.
    pub fn full_units(self) -> impl Iterator<Item = NodeId> + use<'m> {
        let named = self.0.names.find(b"llvm.dbg.cu");
        let units = named.and_then(|name| self.0.metadata.named(name));
        let nodes = units
            .map(|units| units.nodes.as_slice())
            .unwrap_or_default();
        nodes
            .iter()
            .copied()
            .filter(move |&node| self.is_full_unit(node))
    }

    /// Whether a compilation unit has full debug information.
    pub fn is_full_unit(self, node: NodeId) -> bool {
        self.kind(node) == b"DICompileUnit" && self.number(node, b"emissionKind") == Some(1)
    }

    /// The scope that code of a place lies in, without those that only name another file.
    pub fn scope_of(self, place: NodeId) -> Option<NodeId> {
        let mut scope = self.node(place, b"scope")?;
        for _ in 0..MOST_NESTED {
            match self.kind(scope) {
                b"DILexicalBlockFile" => scope = self.node(scope, b"scope")?,
                _ => return Some(scope),
            }
        }
        None
    }

    /// The subprogram that a scope lies in.
    pub fn program_of(self, mut scope: NodeId) -> Option<NodeId> {
        for _ in 0..MOST_NESTED {
            match self.kind(scope) {
                b"DISubprogram" => return Some(scope),
                b"DILexicalBlock" | b"DILexicalBlockFile" => scope = self.node(scope, b"scope")?,
                _ => return None,
            }
        }
        None
    }
}

/// Scopes that nest deeper than this are not looked at: they may be a ring.
pub const MOST_NESTED: usize = 4096;
