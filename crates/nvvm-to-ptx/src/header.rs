//! The head of a function: linkage, parameters, attributes.

use crate::abi::{Abi, Param, has_flag};
use crate::unit::{Refused, Unit, refusal};
use warpc_diag::{Span, codes};
use warpc_nvvm::attribute::{AttrSet, Attribute};
use warpc_nvvm::module::{Global, GlobalId, GlobalKind, Linkage as IrLinkage};
use warpc_ptx::inst::{At, Int};
use warpc_ptx::module::{Alias, Function, FunctionDirective, FunctionKind, Item, Linkage};
use warpc_target::Unavailable;

/// The head of a function, without a body.
pub fn head(unit: &mut Unit, id: GlobalId, abi: &Abi) -> Result<Function, Refused> {
    let global = &unit.module.globals[id];
    let directives = match abi.kernel {
        true => kernel_directives(unit, global)?,
        // A function with a result returns, whatever its attributes say.
        false if abi.noreturn && abi.result.is_none() && unit.has_directive(".noreturn") => {
            vec![directive(".noreturn", &[])]
        }
        false => Vec::new(),
    };
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
        at: At(Span::new(global.pos, global.pos + 1)),
        name_at: At(Span::new(global.pos, global.pos + 1)),
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

/// How many items [`alias`] makes of an alias that it does not refuse.
pub fn alias_items(global: &Global) -> usize {
    match linkage(global) {
        Linkage::Internal => 0,
        _ => 2,
    }
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

/// What kernels say about their launches.
struct Launch {
    attribute: &'static [u8],
    directive: &'static str,
    /// Whether it belongs to clusters.
    of_clusters: bool,
    /// A directive that says more, and that ptxas does not take beside this one.
    stronger: &'static str,
}

const fn launch(
    attribute: &'static [u8],
    directive: &'static str,
    of_clusters: bool,
    stronger: &'static str,
) -> Launch {
    Launch {
        attribute,
        directive,
        of_clusters,
        stronger,
    }
}

/// In the order in which they are written.
const LAUNCH: [Launch; 6] = [
    launch(b"nvvm.reqntid", ".reqntid", false, ""),
    launch(b"nvvm.maxntid", ".maxntid", false, ".reqntid"),
    launch(b"nvvm.minctasm", ".minnctapersm", false, ""),
    launch(b"nvvm.cluster_dim", ".reqnctapercluster", true, ""),
    launch(
        b"nvvm.maxclusterrank",
        ".maxclusterrank",
        true,
        ".reqnctapercluster",
    ),
    launch(b"nvvm.maxnreg", ".maxnreg", false, ""),
];

/// The directives of a kernel. Those of clusters are left out where the target has none.
fn kernel_directives(unit: &mut Unit, global: &Global) -> Result<Vec<FunctionDirective>, Refused> {
    let GlobalKind::Function(function) = &global.kind else {
        return Ok(Vec::new());
    };
    let attrs = unit.module.attributes.of_function(function.attrs);
    let clusters = unit.has_directive(".explicitcluster");
    let mut directives: Vec<FunctionDirective> = Vec::new();
    let whole = has_flag(unit, attrs, b"nvvm.blocksareclusters");
    if whole {
        let needed: [&[u8]; 2] = [b"nvvm.reqntid", b"nvvm.cluster_dim"];
        if !needed.iter().all(|name| has_flag(unit, attrs, name)) {
            let message = "blocksareclusters requires reqntid and cluster_dim attributes";
            return Err(refusal(codes::UNSUPPORTED, global.pos, message)
                .help("give the kernel `nvvm.reqntid` and `nvvm.cluster_dim`")
                .into());
        }
        match unit.directive(".blocksareclusters") {
            Ok(()) => directives.push(directive(".blocksareclusters", &[])),
            Err(Unavailable::Chip(gate)) => {
                let message = format!(
                    "blocksareclusters requires clusters, which {} does not have",
                    unit.options.sm
                );
                let help = format!(
                    "it needs {gate}; without it a launch counts blocks, where the kernel was made to count clusters"
                );
                unit.warn(codes::TARGET_LACKS, global.pos, message, help);
            }
            Err(why) => return Err(unit.unavailable(why, "`blocksareclusters`", global.pos)),
        }
    }
    for launch in &LAUNCH {
        let Some(mut values) = numbers(unit, attrs, launch.attribute, global.pos)? else {
            continue;
        };
        if unit.options.all_dimensions && launch.directive.ends_with("ntid") {
            values.resize(3, 1);
        }
        let stronger = directives.iter().any(|made| made.name == launch.stronger);
        if launch.of_clusters && !clusters || stronger {
            continue;
        }
        if launch.directive == ".reqnctapercluster" {
            if !whole {
                directives.push(directive(".explicitcluster", &[]));
            }
            // Zeros leave the size to the launch.
            if values.iter().all(|&value| value == 0) {
                continue;
            }
        }
        directives.push(directive(launch.directive, &values));
    }
    Ok(directives)
}

/// The numbers of an attribute such as `"nvvm.maxntid"="128,1,1"`.
fn numbers(unit: &Unit, attrs: AttrSet, name: &[u8], at: u32) -> Result<Option<Vec<u64>>, Refused> {
    let names = &unit.module.names;
    let found = names
        .find(name)
        .and_then(|name| unit.module.attributes.find(attrs, name));
    let Some(Attribute::Text(_, Some(value))) = found else {
        return Ok(None);
    };
    let text = names.text(value);
    let parts = text.split(',').map(|part| part.trim().parse::<u32>());
    match parts.collect::<Result<Vec<u32>, _>>() {
        Ok(values) if values.len() <= 3 => Ok(Some(values.into_iter().map(u64::from).collect())),
        _ => {
            let message = format!("`{text}` is not a list of up to three numbers");
            let name = String::from_utf8_lossy(name);
            Err(refusal(codes::UNSUPPORTED, at, message)
                .help(format!(
                    "the attribute `{name}` wants numbers such as \"128,1,1\""
                ))
                .into())
        }
    }
}

fn directive(name: &'static str, values: &[u64]) -> FunctionDirective {
    let values = values.iter().map(|&value| Int::signed(value as i64));
    FunctionDirective {
        name,
        values: values.collect(),
        strings: Vec::new(),
        at: At::default(),
    }
}
