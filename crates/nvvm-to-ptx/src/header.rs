//! The head of a function: linkage, parameters, attributes.

use crate::abi::{Abi, Param};
use crate::unit::{Refused, Unit, refusal};
use warpc_diag::codes;
use warpc_nvvm::module::{Global, GlobalId, GlobalKind, Linkage as IrLinkage};
use warpc_ptx::inst::At;
use warpc_ptx::module::{Alias, Function, FunctionDirective, FunctionKind, Item, Linkage};

/// The head of a function, without a body.
pub fn head(unit: &mut Unit, id: GlobalId, abi: &Abi) -> Result<Function, Refused> {
    let global = &unit.module.globals[id];
    let mut directives = Vec::new();
    if abi.noreturn && !abi.kernel && abi.result.is_none() && unit.has_directive(".noreturn") {
        directives.push(directive(".noreturn"));
    }
    Ok(Function {
        kind: if abi.kernel {
            FunctionKind::Entry
        } else {
            FunctionKind::Func
        },
        linkage: linkage(global),
        attributes: Vec::new(),
        name: unit.own_symbol(id),
        returns: abi.result.iter().map(Param::declaration).collect(),
        params: abi.passed().map(Param::declaration).collect(),
        has_param_list: true,
        directives,
        body: None,
        at: At::default(),
        name_at: At::default(),
    })
}

/// The declaration of a function that something before its definition mentions.
pub fn declaration(unit: &mut Unit, id: GlobalId, number: u32) -> Result<Option<Item>, Refused> {
    let global = &unit.module.globals[id];
    let GlobalKind::Function(_) = global.kind else {
        return Ok(None);
    };
    let Some(mention) = unit.first_mention(id) else {
        return Ok(None);
    };
    if is_defined(global) && mention >= number {
        return Ok(None);
    }
    let abi = unit.abi(id)?;
    Ok(Some(Item::Function(head(unit, id, &abi)?)))
}

/// Another name for a function: `.alias name, function;`
pub fn alias(unit: &mut Unit, id: GlobalId) -> Result<Vec<Item>, Refused> {
    let global = &unit.module.globals[id];
    if linkage(global) == Linkage::Internal {
        // Whoever mentions it mentions what it stands for.
        return Ok(Vec::new());
    }
    let GlobalKind::Alias(aliasee) = global.kind else {
        return Ok(Vec::new());
    };
    let name = unit.ptx.name(unit.own_symbol(id)).to_owned();
    let function = unit.module.global_of(aliasee).filter(|&function| {
        let function = &unit.module.globals[function];
        let weak = matches!(linkage(function), Linkage::Weak | Linkage::Extern);
        matches!(&function.kind, GlobalKind::Function(data) if !crate::abi::is_kernel(data))
            && !weak
    });
    let Some(function) = function else {
        let message = format!("`{name}` stands for something that PTX has no second names for");
        return Err(refusal(codes::UNSUPPORTED, global.pos, message)
            .help("only functions that are defined here, and are neither kernels nor weak, have second names")
            .into());
    };
    let abi = unit.abi(function)?;
    let mut head = head(unit, function, &abi)?;
    head.name = unit.own_symbol(id);
    head.linkage = linkage(global);
    let alias = Alias {
        name: head.name,
        aliasee: unit.symbol(function),
        at: At::default(),
    };
    Ok(vec![Item::Function(head), Item::Alias(alias)])
}

/// The refusal of a function that is chosen when the program starts.
pub fn no_ifunc(unit: &Unit, id: GlobalId) -> Refused {
    let name = unit.ptx.name(unit.own_symbol(id));
    let message =
        format!("`{name}` is an ifunc: nothing chooses functions when a GPU program starts");
    refusal(codes::UNSUPPORTED, unit.module.globals[id].pos, message)
        .help("call through a pointer instead")
        .into()
}

/// Whether a global is defined here, for others to see or not.
pub fn is_defined(global: &Global) -> bool {
    global.linkage != IrLinkage::AvailableExternally
        && match &global.kind {
            GlobalKind::Variable(variable) => variable.init.is_some(),
            GlobalKind::Function(function) => function.body.is_some(),
            _ => true,
        }
}

/// Who can see a global.
pub fn linkage(global: &Global) -> Linkage {
    match global.linkage {
        IrLinkage::Private | IrLinkage::Internal => Linkage::Internal,
        _ if !is_defined(global) => Linkage::Extern,
        IrLinkage::Common => Linkage::Common,
        IrLinkage::LinkOnceAny
        | IrLinkage::LinkOnceOdr
        | IrLinkage::WeakAny
        | IrLinkage::WeakOdr
        | IrLinkage::ExternWeak => Linkage::Weak,
        _ => Linkage::Visible,
    }
}

fn directive(name: &'static str) -> FunctionDirective {
    FunctionDirective {
        name,
        values: Vec::new(),
        strings: Vec::new(),
        at: At::default(),
    }
}
