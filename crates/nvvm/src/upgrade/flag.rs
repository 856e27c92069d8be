//! `!llvm.module.flags`: flags that were joined in another way before.
//!
//! A flag says itself how a linker joins it with that of another module, so a module must say it as modern ones
//! do before it is linked.

use crate::metadata::{Field, FieldValue, Md, NodeId, NodeKind};
use crate::module::Module;

const ERROR: u64 = 1;
const MAX: u64 = 7;
const MIN: u64 = 8;

/// How a name starts, how such flags were joined, and how they are now.
const ROWS: &[(&[u8], &[u64], u64)] = &[
    (b"PIC Level", &[ERROR, MAX], MIN),
    (b"PIE Level", &[ERROR], MAX),
    (b"branch-target-enforcement", &[ERROR], MIN),
    (b"sign-return-address", &[ERROR], MIN),
];

pub(super) fn upgrade(module: &mut Module) {
    let Some(name) = module.names.find(b"llvm.module.flags") else {
        return;
    };
    let named = &module.metadata.named;
    let Some(at) = named.iter().position(|named| named.name == name) else {
        return;
    };
    for place in 0..module.metadata.named[at].nodes.len() {
        let node = module.metadata.named[at].nodes[place];
        if let Some(modern) = upgraded(module, node) {
            module.metadata.named[at].nodes[place] = modern;
        }
    }
}

/// The flag with a modern behaviour, if its own is not.
fn upgraded(module: &mut Module, node: NodeId) -> Option<NodeId> {
    let mut fields: Vec<Field> = module.metadata.fields(node).to_vec();
    let [behaviour, name, _] = fields.as_slice() else {
        return None;
    };
    let (FieldValue::Md(behaviour), FieldValue::Md(name)) = (behaviour.value, name.value) else {
        return None;
    };
    let (Md::Const(behaviour), Md::String(name)) = (behaviour.get(), name.get()) else {
        return None;
    };
    let old = module.constants.as_u64(behaviour)?;
    let name = module.names.bytes(name);
    let (.., modern) = ROWS
        .iter()
        .find(|(start, from, _)| name.starts_with(start) && from.contains(&old))?;
    let ty = module.types.i32;
    let modern = module.constants.int(ty, 32, &[*modern]);
    fields[0].value = FieldValue::Md(Md::Const(modern).into());
    Some(module.metadata.intern(NodeKind::Tuple, &fields))
}

#[cfg(test)]
mod tests {
    #[test]
    fn flags_are_joined_as_they_are_now() {
        let text = "\
!llvm.module.flags = !{!0, !1, !2, !3}
!0 = !{i32 7, !\"PIC Level\", i32 2}
!1 = !{i32 1, !\"PIE Level\", i32 2}
!2 = !{i32 1, !\"sign-return-address-all\", i32 1}
!3 = !{i32 1, !\"wchar_size\", i32 4}
";
        let file = warpc_diag::SourceFile::new("old.ll", text).expect("a short text");
        let printed = crate::print(&crate::read_text(&file).unwrap());
        for line in [
            "!{i32 8, !\"PIC Level\", i32 2}",
            "!{i32 7, !\"PIE Level\", i32 2}",
            "!{i32 8, !\"sign-return-address-all\", i32 1}",
            "!{i32 1, !\"wchar_size\", i32 4}",
        ] {
            assert!(printed.contains(line), "{line}\n{printed}");
        }
    }
}
