//! Making internal what only the module itself needs to see.
//!
//! What stays visible: what the caller keeps, declarations, `available_externally` and `dllexport`
//! globals, variables that someone else initializes, what `llvm.used` names, LLVM's own variables, the
//! members of a comdat of which one stays visible, and ifuncs, which take no part in any of this.

use super::choose::{is_defined, is_local, settle};
use super::comdat::{base_object, comdat_in, drop_unused_comdats};
use crate::Module;
use crate::constant::ConstId;
use crate::index::Id;
use crate::module::{ComdatKind, DllStorage, GlobalId, GlobalKind, Linkage, Variable};
use rustc_hash::FxHashSet;

/// Globals that code generators look for by name.
const KNOWN: &[&[u8]] = &[
    b"llvm.used",
    b"llvm.compiler.used",
    b"llvm.global_ctors",
    b"llvm.global_dtors",
    b"llvm.global.annotations",
    b"__stack_chk_fail",
    b"__stack_chk_guard",
    b"__ssp_canary_word",
];

/// Makes internal all definitions whose names `keep` refuses, and says how many those were.
///
/// As `opt -passes=internalize -internalize-public-api-list=…` does it.
pub fn internalize(module: &mut Module, keep: impl Fn(&[u8]) -> bool) -> usize {
    let count = make_internal(module, keep);
    drop_unused_comdats(module);
    count
}

/// The same, but comdats stay where they are, with members or without.
pub(super) fn make_internal(module: &mut Module, keep: impl Fn(&[u8]) -> bool) -> usize {
    let used = named_by_used(module);
    let stays: Vec<bool> = module
        .globals
        .ids()
        .map(|id| stays_visible(module, id, &used, &keep))
        .collect();
    let part = |id: &GlobalId| !matches!(module.globals[*id].kind, GlobalKind::Ifunc(_));
    let order: Vec<GlobalId> = module.order.iter().copied().filter(part).collect();
    let mut visible = vec![false; module.comdats.len()];
    let mut sizes = vec![0u32; module.comdats.len()];
    for &id in &order {
        if let Some(comdat) = comdat_in(module, id) {
            visible[comdat.index()] |= !is_local(module.globals[id].linkage) && stays[id.index()];
            sizes[comdat.index()] += 1;
        }
    }
    let mut count = 0;
    let comdats: Vec<_> = order
        .iter()
        .map(|&id| (id, comdat_in(module, id)))
        .collect();
    for (id, comdat) in comdats {
        if let Some(comdat) = comdat {
            if visible[comdat.index()] {
                continue;
            }
            // A group of one needs no comdat; a larger one is still dropped together.
            if module.globals[id].comdat.is_some() {
                if sizes[comdat.index()] == 1 {
                    module.globals[id].comdat = None;
                } else {
                    module.comdats[comdat].kind = ComdatKind::NoDeduplicate;
                }
            }
        }
        let global = &mut module.globals[id];
        if is_local(global.linkage) || (comdat.is_none() && stays[id.index()]) {
            continue;
        }
        global.linkage = Linkage::Internal;
        settle(global);
        count += 1;
    }
    count
}

fn stays_visible(
    module: &Module,
    id: GlobalId,
    used: &FxHashSet<GlobalId>,
    keep: &impl Fn(&[u8]) -> bool,
) -> bool {
    let global = &module.globals[id];
    let initialized_elsewhere = matches!(
        global.kind,
        GlobalKind::Variable(Variable {
            externally_initialized: true,
            ..
        })
    );
    let name = global
        .name
        .map_or(&b""[..], |name| module.names.bytes(name));
    !is_defined(global)
        || global.linkage == Linkage::AvailableExternally
        || global.dll_storage == DllStorage::Export
        || initialized_elsewhere
        || used.contains(&id)
        || KNOWN.contains(&name)
        || keep(name)
}

/// What `llvm.used` names.
fn named_by_used(module: &Module) -> FxHashSet<GlobalId> {
    let Some(name) = module.names.find(b"llvm.used") else {
        return FxHashSet::default();
    };
    let init = module.variables().find_map(|(_, global, variable)| {
        (global.name == Some(name))
            .then_some(variable.init)
            .flatten()
    });
    let elements: Vec<ConstId> =
        init.map_or(Vec::new(), |init| module.constants.operands(init).collect());
    elements
        .into_iter()
        .filter_map(|element| match module.global_of(element) {
            Some(id) => Some(id),
            None => base_object(module, element),
        })
        .collect()
}
