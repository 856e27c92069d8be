//! The head of a function: linkage, parameters, attributes.

use crate::abi::{self, Abi};
use crate::unit::{Refused, Unit};
use warpc_nvvm::module::{GlobalId, Linkage as IrLinkage};
use warpc_ptx::inst::At;
use warpc_ptx::module::{Function, FunctionKind, Linkage};

/// The head of a function, without a body.
pub fn head(unit: &mut Unit, id: GlobalId, abi: &Abi) -> Result<Function, Refused> {
    let global = &unit.module.globals[id];
    let defined = match &global.kind {
        warpc_nvvm::module::GlobalKind::Function(function) => function.body.is_some(),
        _ => false,
    };
    let linkage = match global.linkage {
        IrLinkage::Private | IrLinkage::Internal => Linkage::Internal,
        _ if !defined => Linkage::Extern,
        IrLinkage::External | IrLinkage::AvailableExternally => Linkage::Visible,
        _ => Linkage::Weak,
    };
    Ok(Function {
        kind: if abi.kernel {
            FunctionKind::Entry
        } else {
            FunctionKind::Func
        },
        linkage,
        attributes: Vec::new(),
        name: unit.symbol(id),
        returns: abi.result.iter().map(abi::declaration).collect(),
        params: abi.params.iter().map(abi::declaration).collect(),
        has_param_list: true,
        directives: Vec::new(),
        body: None,
        at: At::default(),
        name_at: At::default(),
    })
}
