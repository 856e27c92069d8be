//! What `!nvvm.annotations` said before LLVM 21: the reverse of what readers make of it.

use crate::Module;
use crate::attribute::{AttrId, Attribute};
use crate::constant::ConstId;
use crate::inst::CallConv;
use crate::metadata::{Field, FieldValue, Md, MdRef, NamedMetadata, NodeId, NodeKind};
use crate::module::{GlobalId, GlobalKind};

/// Attributes that are one number each, and the annotation.
const NUMBERS: &[(&str, &str)] = &[
    ("nvvm.minctasm", "minctasm"),
    ("nvvm.maxnreg", "maxnreg"),
    ("nvvm.maxclusterrank", "maxclusterrank"),
];

/// Attributes that are up to three numbers, and the annotation without its last letter.
const VECTORS: &[(&str, &str)] = &[
    ("nvvm.maxntid", "maxntid"),
    ("nvvm.reqntid", "reqntid"),
    ("nvvm.cluster_dim", "cluster_dim_"),
];

pub(super) fn lower(module: &mut Module) {
    let functions: Vec<GlobalId> = module.functions().map(|(id, _, _)| id).collect();
    let mut nodes = Vec::new();
    for id in functions {
        lower_function(module, id, &mut nodes);
    }
    if nodes.is_empty() {
        return;
    }
    let name = module.names.intern(b"nvvm.annotations");
    match module
        .metadata
        .named
        .iter_mut()
        .find(|named| named.name == name)
    {
        Some(named) => named.nodes.append(&mut nodes),
        None => module.metadata.named.push(NamedMetadata { name, nodes }),
    }
}

fn lower_function(module: &mut Module, id: GlobalId, nodes: &mut Vec<NodeId>) {
    let GlobalKind::Function(function) = &mut module.globals[id].kind else {
        return;
    };
    let is_kernel = function.conv == CallConv::PTX_KERNEL;
    if is_kernel || function.conv == CallConv::PTX_DEVICE {
        function.conv = CallConv::C;
    }
    let list = function.attrs;
    let address = module.address_of(id);
    if is_kernel {
        let one = number(module, 1);
        nodes.push(node(module, address, "kernel", Md::Const(one).into()));
    }
    let set = module.attributes.of_function(list);
    let kept = keep(module, set, |module, attribute| {
        annotate(module, address, attribute, nodes)
    });
    let ret = module.attributes.of_return(list);
    let mut params: Vec<_> = (0..module.attributes.param_count(list))
        .map(|index| module.attributes.of_param(list, index))
        .collect();
    let mut constant = Vec::new();
    for (index, set) in params.iter_mut().enumerate() {
        *set = keep(module, *set, |module, attribute| {
            let is_grid_constant = match attribute {
                Attribute::Text(key, None) => module.names.bytes(key) == b"nvvm.grid_constant",
                _ => false,
            };
            if is_grid_constant {
                constant.push(index as u64 + 1);
            }
            is_grid_constant || align(module, address, index as u64 + 1, attribute, nodes)
        });
    }
    let ret = keep(module, ret, |module, attribute| {
        align(module, address, 0, attribute, nodes)
    });
    if !constant.is_empty() {
        let fields: Vec<Field> = constant
            .into_iter()
            .map(|index| {
                let index = number(module, index);
                unnamed(Md::Const(index).into())
            })
            .collect();
        let list = module.metadata.intern(NodeKind::Tuple, &fields);
        nodes.push(node(
            module,
            address,
            "grid_constant",
            Md::Node(list).into(),
        ));
    }
    let list = module.attributes.intern_list(kept, ret, &params);
    if let GlobalKind::Function(function) = &mut module.globals[id].kind {
        function.attrs = list;
    }
}

/// The attributes of a set that nothing else says.
fn keep(
    module: &mut Module,
    set: crate::attribute::AttrSet,
    mut becomes_other: impl FnMut(&mut Module, Attribute) -> bool,
) -> crate::attribute::AttrSet {
    let attributes: Vec<AttrId> = module.attributes.set(set).to_vec();
    let mut kept = Vec::new();
    for id in attributes {
        let attribute = module.attributes.get(id);
        if !becomes_other(module, attribute) {
            kept.push(id);
        }
    }
    module.attributes.intern_set(&kept)
}

/// Whether an attribute of a function became an annotation.
fn annotate(
    module: &mut Module,
    address: ConstId,
    attribute: Attribute,
    nodes: &mut Vec<NodeId>,
) -> bool {
    let Attribute::Text(key, Some(value)) = attribute else {
        return false;
    };
    let key = module.names.text(key).into_owned();
    let value = module.names.text(value).into_owned();
    let numbers: Option<Vec<u64>> = value
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect();
    let Some(numbers) = numbers else {
        return false;
    };
    if let Some((_, word)) = NUMBERS.iter().find(|row| row.0 == key) {
        for value in numbers {
            let value = number(module, value);
            nodes.push(node(module, address, word, Md::Const(value).into()));
        }
        return true;
    }
    let Some((_, word)) = VECTORS.iter().find(|row| row.0 == key) else {
        return false;
    };
    for (value, axis) in numbers.into_iter().zip(["x", "y", "z"]) {
        let value = number(module, value);
        let word = format!("{word}{axis}");
        nodes.push(node(module, address, &word, Md::Const(value).into()));
    }
    true
}

/// Whether an attribute of a parameter or result became an annotation: `alignstack(n)` is `align`.
fn align(
    module: &mut Module,
    address: ConstId,
    index: u64,
    attribute: Attribute,
    nodes: &mut Vec<NodeId>,
) -> bool {
    let Attribute::Int(name, bytes) = attribute else {
        return false;
    };
    if module.names.bytes(name) != b"alignstack" {
        return false;
    }
    let value = number(module, index << 16 | bytes);
    nodes.push(node(module, address, "align", Md::Const(value).into()));
    true
}

fn number(module: &mut Module, value: u64) -> ConstId {
    let ty = module.types.i32;
    module.constants.int(ty, 32, &[value])
}

fn unnamed(md: MdRef) -> Field {
    Field {
        name: None,
        value: FieldValue::Md(md),
    }
}

fn node(module: &mut Module, address: ConstId, word: &str, value: MdRef) -> NodeId {
    let word = module.names.intern(word.as_bytes());
    let fields = [Md::Const(address).into(), Md::String(word).into(), value].map(unnamed);
    module.metadata.intern(NodeKind::Tuple, &fields)
}
