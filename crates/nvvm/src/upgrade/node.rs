//! Fields of debug information that newer versions of LLVM name differently.

use crate::metadata::{Field, FieldName, FieldValue};
use crate::module::Module;

/// A kind of metadata node whose fields have changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SpecialNode {
    /// `DISubprogram`
    Subprogram,
    /// `DICompileUnit`
    CompileUnit,
    /// `DIExpression`
    Expression,
    /// Any other.
    Other,
}

impl SpecialNode {
    /// The kind with a name.
    pub fn of(name: &[u8]) -> SpecialNode {
        match name {
            b"DISubprogram" => SpecialNode::Subprogram,
            b"DICompileUnit" => SpecialNode::CompileUnit,
            b"DIExpression" => SpecialNode::Expression,
            _ => SpecialNode::Other,
        }
    }
}

/// The modern name of a field.
pub(crate) fn field_name(kind: SpecialNode, word: &[u8]) -> &[u8] {
    match (kind, word) {
        // LLVM 7 put imported entities into the list of variables, and renamed it.
        (SpecialNode::Subprogram, b"variables") => b"retainedNodes",
        // LLVM 8 made a choice of three out of a flag.
        (SpecialNode::CompileUnit, b"gnuPubnames") => b"nameTableKind",
        _ => word,
    }
}

/// Makes the fields from `base` on modern, once all of a node are read.
pub(crate) fn special_node(
    module: &mut Module,
    kind: SpecialNode,
    fields: &mut Vec<Field>,
    base: usize,
) {
    if kind != SpecialNode::CompileUnit {
        return;
    }
    let Some(table_kind) = module.names.find(b"nameTableKind").map(FieldName::from) else {
        return;
    };
    let gnu = FieldValue::Word(module.names.intern(b"GNU"));
    let words = [&b"true"[..], b"false"].map(|word| module.names.intern(word));
    let mut index = base;
    while index < fields.len() {
        let field = &mut fields[index];
        if field.name == Some(table_kind) && field.value == FieldValue::Word(words[0]) {
            field.value = gnu;
        } else if field.name == Some(table_kind) && field.value == FieldValue::Word(words[1]) {
            fields.remove(index);
            continue;
        }
        index += 1;
    }
}
