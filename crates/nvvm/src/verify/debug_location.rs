//! Places in the source.
//!
//! Most nodes of debug information are places that are written alike:
//! `!DILocation(line: 3, column: 5, scope: !4, inlinedAt: !9)`. They are found here in one walk, so that the
//! rules of all nodes need not look at them; what is written in another way is left to those.

use super::Verifier;
use crate::index::Id;
use crate::metadata::{Field, FieldValue, NodeId, NodeKind};
use crate::module::Module;
use crate::name::Name;

/// The names of a place, as far as the module has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocationWords {
    pub(super) kind: Option<Name>,
    pub(super) line: Option<Name>,
    pub(super) column: Option<Name>,
    pub(super) scope: Option<Name>,
    pub(super) inlined_at: Option<Name>,
}

impl LocationWords {
    pub(super) fn of(module: &Module) -> LocationWords {
        let find = |word: &str| module.names.find(word.as_bytes());
        LocationWords {
            kind: find("DILocation"),
            line: find("line"),
            column: find("column"),
            scope: find("scope"),
            inlined_at: find("inlinedAt"),
        }
    }
}

/// Takes the first field if it has a name; its value.
fn take(fields: &mut &[Field], name: Option<Name>) -> Option<FieldValue> {
    let (first, rest) = fields.split_first()?;
    if name.is_none() || first.name.map(|name| name.name()) != name {
        return None;
    }
    *fields = rest;
    Some(first.value)
}

impl<'m> Verifier<'m> {
    /// By node: whether it is a place that breaks no rule.
    pub(super) fn plain_locations(&self) -> Vec<bool> {
        let metadata = &self.module.metadata;
        // What is known of the scopes; neighbours share theirs.
        let mut scopes: Vec<Option<bool>> = vec![None; metadata.len()];
        let plain = metadata.ids().map(|node| {
            let is_place = self.is_kind(node, self.debug.location.kind);
            let scope = is_place.then(|| self.scope_of_plain(node)).flatten();
            scope.is_some_and(|scope| {
                *scopes[scope.index()].get_or_insert_with(|| self.is_whole_scope(scope))
            })
        });
        plain.collect()
    }

    /// The scope of a place whose fields are written as usual.
    fn scope_of_plain(&self, node: NodeId) -> Option<NodeId> {
        let words = &self.debug.location;
        let mut fields = self.module.metadata.fields(node);
        if !matches!(take(&mut fields, words.line)?, FieldValue::Int(0..)) {
            return None;
        }
        if let Some(column) = take(&mut fields, words.column)
            && !matches!(column, FieldValue::Int(0..=0xffff))
        {
            return None;
        }
        let FieldValue::Md(scope) = take(&mut fields, words.scope)? else {
            return None;
        };
        if let Some(at) = take(&mut fields, words.inlined_at) {
            let FieldValue::Md(at) = at else {
                return None;
            };
            if !self.is_kind(at.node()?, words.kind) {
                return None;
            }
        }
        scope.node().filter(|_| fields.is_empty())
    }

    /// Whether places may stand in a scope.
    fn is_whole_scope(&self, scope: NodeId) -> bool {
        match self.node_kind(scope) {
            b"DISubprogram" => self.is_definition(scope),
            b"DILexicalBlock" | b"DILexicalBlockFile" => true,
            _ => false,
        }
    }

    pub(super) fn is_kind(&self, node: NodeId, kind: Option<Name>) -> bool {
        kind.is_some_and(|kind| self.module.metadata.node(node).kind == NodeKind::Special(kind))
    }
}
