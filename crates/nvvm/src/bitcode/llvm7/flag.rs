//! `!llvm.module.flags`: LLVM 7 does not know flags of which linkers take the smallest.

use crate::Module;
use crate::metadata::{Field, FieldValue, Md, NodeKind};

const ERROR: u64 = 1;
const MAX: u64 = 7;
const MIN: u64 = 8;

/// What the flags were before.
const ROWS: &[(&[u8], u64)] = &[(b"PIC Level", MAX)];

pub(super) fn lower(module: &mut Module) {
    let Some(name) = module.names.find(b"llvm.module.flags") else {
        return;
    };
    let named = &module.metadata.named;
    let Some(at) = named.iter().position(|named| named.name == name) else {
        return;
    };
    for index in 0..module.metadata.named[at].nodes.len() {
        let node = module.metadata.named[at].nodes[index];
        let mut fields: Vec<Field> = module.metadata.fields(node).to_vec();
        let [behaviour, word, ..] = fields.as_slice() else {
            continue;
        };
        let (FieldValue::Md(behaviour), FieldValue::Md(word)) = (behaviour.value, word.value)
        else {
            continue;
        };
        let (Md::Const(behaviour), Md::String(word)) = (behaviour.get(), word.get()) else {
            continue;
        };
        if module.constants.as_u64(behaviour) != Some(MIN) {
            continue;
        }
        let word = module.names.bytes(word);
        let row = ROWS.iter().find(|row| row.0 == word);
        let ty = module.types.i32;
        let older = row.map_or(ERROR, |row| row.1);
        let older = module.constants.int(ty, 32, &[older]);
        fields[0].value = FieldValue::Md(Md::Const(older).into());
        let node = module.metadata.intern(NodeKind::Tuple, &fields);
        module.metadata.named[at].nodes[index] = node;
    }
}
