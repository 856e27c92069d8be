//! `!nvvm.annotations`: what LLVM up to 20 said about functions in metadata.
//!
//! | annotation | becomes |
//! |---|---|
//! | `kernel` | the calling convention `ptx_kernel` |
//! | `maxntidx` … `reqntidz`, `cluster_dim_x` … | `"nvvm.maxntid"="x,y,z"` and its kin |
//! | `minctasm`, `maxnreg`, `maxclusterrank`, `cluster_max_blocks` | `"nvvm.minctasm"="n"` and its kin |
//! | `align` | `alignstack(n)` of a parameter or the result |
//! | `grid_constant` | `"nvvm.grid_constant"` of parameters |
//!
//! Everything else stays.

use crate::attribute::{AttrId, AttrSet, Attribute};
use crate::inst::CallConv;
use crate::metadata::{Field, FieldValue, Md, MdRef, NodeId, NodeKind};
use crate::module::{GlobalId, GlobalKind, Module};
use crate::name::Name;

/// Annotations that are one number each.
const NUMBERS: &[(&[u8], &[u8])] = &[
    (b"minctasm", b"nvvm.minctasm"),
    (b"maxnreg", b"nvvm.maxnreg"),
    (b"maxclusterrank", b"nvvm.maxclusterrank"),
    (b"cluster_max_blocks", b"nvvm.maxclusterrank"),
];

/// Annotations that are one of three numbers; the last letter says which.
const VECTORS: &[(&[u8], &[u8])] = &[
    (b"maxntid", b"nvvm.maxntid"),
    (b"reqntid", b"nvvm.reqntid"),
    (b"cluster_dim_", b"nvvm.cluster_dim"),
];

pub(super) fn upgrade(module: &mut Module) {
    let Some(name) = module.names.find(b"nvvm.annotations") else {
        return;
    };
    let named = &mut module.metadata.named;
    let Some(at) = named.iter().position(|named| named.name == name) else {
        return;
    };
    let nodes = std::mem::take(&mut named[at].nodes);
    let mut seen = rustc_hash::FxHashSet::default();
    let mut kept = Vec::new();
    for node in nodes {
        if seen.insert(node) {
            kept.extend(upgrade_node(module, node));
        }
    }
    // An empty list stays, as in LLVM.
    module.metadata.named[at].nodes = kept;
}

/// What remains of a node: nothing, itself, or a new node.
fn upgrade_node(module: &mut Module, node: NodeId) -> Option<NodeId> {
    let fields = module.metadata.fields(node).to_vec();
    let md = |field: &Field| match field.value {
        FieldValue::Md(md) => md.get(),
        _ => Md::Null,
    };
    let Md::Const(constant) = md(fields.first()?) else {
        return None;
    };
    let global = module.global_of(constant)?;
    let mut kept = vec![fields[0]];
    let mut pairs = fields[1..].chunks_exact(2);
    for pair in &mut pairs {
        let upgraded = match md(&pair[0]) {
            Md::String(key) => upgrade_pair(module, global, key, md(&pair[1]).into()),
            _ => false,
        };
        if !upgraded {
            kept.extend_from_slice(pair);
        }
    }
    kept.extend_from_slice(pairs.remainder());
    match kept.len() {
        1 => None,
        len if len == fields.len() => Some(node),
        _ => Some(module.metadata.intern(NodeKind::Tuple, &kept)),
    }
}

/// Whether an annotation became something else.
fn upgrade_pair(module: &mut Module, global: GlobalId, key: Name, value: MdRef) -> bool {
    if !matches!(module.globals[global].kind, GlobalKind::Function(_)) {
        return false;
    }
    let key = module.names.bytes(key).to_vec();
    if key == b"grid_constant" {
        return grid_constant(module, global, value);
    }
    let Md::Const(constant) = value.get() else {
        return false;
    };
    let Some(number) = module.constants.as_u64(constant) else {
        return false;
    };
    match &key[..] {
        b"kernel" => {
            if number != 0
                && let GlobalKind::Function(function) = &mut module.globals[global].kind
            {
                function.conv = CallConv::PTX_KERNEL;
            }
            return true;
        }
        b"align" => {
            let name = module.names.intern(b"alignstack");
            let attribute = Attribute::Int(name, number & 0xFFFF);
            // The number of the parameter; zero is the result.
            set_attribute(module, global, (number >> 16) as usize + 1, attribute);
            return true;
        }
        _ => {}
    }
    if let Some((_, attribute)) = NUMBERS.iter().find(|row| row.0 == key) {
        let attribute = module.names.intern(attribute);
        set_text(module, global, attribute, &number.to_string());
        return true;
    }
    for (prefix, attribute) in VECTORS {
        let Some(axis) = key.strip_prefix(*prefix) else {
            continue;
        };
        let axis = match axis {
            b"" | b"x" => 0,
            b"y" => 1,
            b"z" => 2,
            _ => continue,
        };
        let attribute = module.names.intern(attribute);
        set_axis(module, global, attribute, axis, number);
        return true;
    }
    false
}

/// Sets one number of `"key"="x,y,z"`; the ones before it that were not given are one.
fn set_axis(module: &mut Module, global: GlobalId, key: Name, axis: usize, number: u64) {
    let GlobalKind::Function(function) = &module.globals[global].kind else {
        return;
    };
    let set = module.attributes.of_function(function.attrs);
    let old = match module.attributes.find(set, key) {
        Some(Attribute::Text(_, Some(value))) => module.names.text(value).into_owned(),
        _ => String::new(),
    };
    let mut parts: Vec<String> = old
        .split(',')
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect();
    if parts.len() <= axis {
        parts.resize(axis + 1, "1".to_owned());
    }
    parts[axis] = number.to_string();
    set_text(module, global, key, &parts.join(","));
}

/// Sets `"key"="value"` of a function.
fn set_text(module: &mut Module, global: GlobalId, key: Name, value: &str) {
    let value = module.names.intern(value.as_bytes());
    set_attribute(module, global, 0, Attribute::Text(key, Some(value)));
}

/// `!{i32 1, i32 3}`: the parameters, counted from one.
fn grid_constant(module: &mut Module, global: GlobalId, value: MdRef) -> bool {
    let Some(node) = value.node() else {
        return false;
    };
    let key = module.names.intern(b"nvvm.grid_constant");
    for field in module.metadata.fields(node).to_vec() {
        if let FieldValue::Md(md) = field.value
            && let Md::Const(constant) = md.get()
            && let Some(number) = module.constants.as_u64(constant)
        {
            let attribute = Attribute::Text(key, None);
            set_attribute(module, global, number as usize + 1, attribute);
        }
    }
    true
}

/// Puts an attribute into one set of a function's list, in place of one with its name: 0 is the
/// function, 1 the result, then the parameters.
fn set_attribute(module: &mut Module, global: GlobalId, place: usize, attribute: Attribute) {
    let params = match module.types.signature(module.globals[global].value_ty) {
        Some((_, params, _)) => params.len(),
        None => return,
    };
    if place > params + 1 {
        return;
    }
    let attributes = &mut module.attributes;
    let GlobalKind::Function(function) = &mut module.globals[global].kind else {
        return;
    };
    let mut sets: Vec<AttrSet> = (0..params)
        .map(|index| attributes.of_param(function.attrs, index))
        .collect();
    sets.insert(0, attributes.of_return(function.attrs));
    sets.insert(0, attributes.of_function(function.attrs));
    let mut set: Vec<AttrId> = attributes
        .set(sets[place])
        .iter()
        .copied()
        .filter(|&id| attributes.get(id).name() != attribute.name())
        .collect();
    set.push(attributes.intern(attribute));
    sets[place] = attributes.intern_set(&set);
    function.attrs = attributes.intern_list(sets[0], sets[1], &sets[2..]);
}
