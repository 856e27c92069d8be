//! Dropping what nothing needs.
//!
//! What others may see stays, and so does all that it refers to. Local, `linkonce` and
//! `available_externally` globals and declarations stay only if something that stays refers to them;
//! the members of a comdat stay together. Metadata keeps nothing: where it names a global that goes, it
//! says `null`.

use super::choose::{is_defined, is_linkonce, is_local};
use super::comdat::{comdat_in, drop_unused_comdats};
use crate::Module;
use crate::constant::{ConstId, ConstKind};
use crate::index::Id;
use crate::metadata::{Field, FieldValue, Md};
use crate::module::{Global, GlobalId, GlobalKind, Linkage};
use crate::value::{Operand, Value};
use rustc_hash::FxHashSet;

/// Drops the globals that nothing needs, and says how many those were.
pub fn drop_unused(module: &mut Module) -> usize {
    drop_unused_but(module, |_| false)
}

/// The same, but definitions that `keep` names stay, too.
pub fn drop_unused_but(module: &mut Module, keep_too: impl Fn(&Global) -> bool) -> usize {
    let mut members: Vec<Vec<GlobalId>> = vec![Vec::new(); module.comdats.len()];
    for &id in &module.order {
        if let Some(comdat) = comdat_in(module, id) {
            members[comdat.index()].push(id);
        }
    }
    let mut kept = FxHashSet::default();
    let mut open: Vec<GlobalId> = Vec::new();
    let keep = |id: GlobalId, kept: &mut FxHashSet<GlobalId>, open: &mut Vec<GlobalId>| {
        if kept.insert(id) {
            open.push(id);
        }
    };
    for &id in &module.order {
        let global = &module.globals[id];
        let discardable = is_local(global.linkage)
            || is_linkonce(global.linkage)
            || global.linkage == Linkage::AvailableExternally;
        if is_defined(global) && (!discardable || keep_too(global)) {
            keep(id, &mut kept, &mut open);
        }
    }
    let mut walk = Walk::new(module);
    while let Some(id) = open.pop() {
        walk.global(id);
        for found in walk.found.drain(..) {
            keep(found, &mut kept, &mut open);
        }
        if let Some(comdat) = comdat_in(module, id) {
            for &member in &members[comdat.index()] {
                keep(member, &mut kept, &mut open);
            }
        }
    }
    let before = module.order.len();
    module.order.retain(|id| kept.contains(id));
    for (id, global) in module.globals.iter_mut() {
        if !kept.contains(&id) {
            global.kind = GlobalKind::Pending;
            global.metadata.clear();
            global.comdat = None;
        }
    }
    clear_metadata(module, &kept);
    drop_unused_comdats(module);
    before - module.order.len()
}

/// The globals that something refers to, metadata included.
pub(super) fn referenced(module: &Module) -> FxHashSet<GlobalId> {
    let mut walk = Walk::new(module);
    for &id in &module.order {
        walk.global(id);
    }
    for node in module.metadata.ids() {
        for field in module.metadata.fields(node) {
            if let FieldValue::Md(md) = field.value
                && let Md::Const(constant) = md.get()
            {
                walk.constant(constant);
            }
        }
    }
    walk.found.into_iter().collect()
}

/// Metadata says `null` where it named a global that went. As in LLVM, such a node is distinct then:
/// it is equal to no other only because both lost something.
fn clear_metadata(module: &mut Module, kept: &FxHashSet<GlobalId>) {
    // Parts of a constant come before it, so one walk finds all constants that lost something.
    let mut lost: Vec<bool> = Vec::with_capacity(module.constants.len());
    for (id, constant) in module.constants.iter() {
        let own = match constant.kind {
            ConstKind::Global(global)
            | ConstKind::DsoLocalEquivalent(global)
            | ConstKind::NoCfi(global) => !kept.contains(&global),
            ConstKind::BlockAddress(address) => {
                let address = module.constants.block_addresses[address];
                !kept.contains(&address.function)
            }
            _ => false,
        };
        let parts = module.constants.operands(id).any(|part| lost[part.index()]);
        lost.push(own || parts);
    }
    if !lost.contains(&true) {
        return;
    }
    let is_lost = |field: &Field| match field.value {
        FieldValue::Md(md) => matches!(md.get(), Md::Const(constant) if lost[constant.index()]),
        _ => false,
    };
    for node in module.metadata.ids() {
        if !module.metadata.fields(node).iter().any(is_lost) {
            continue;
        }
        let mut fields = module.metadata.fields(node).to_vec();
        for field in &mut fields {
            if is_lost(field) {
                field.value = FieldValue::Md(Md::Null.into());
            }
        }
        let kind = module.metadata.node(node).kind;
        module.metadata.define(node, kind, true, &fields);
    }
}

/// Finds the globals that others refer to. Each constant is looked at once.
struct Walk<'m> {
    module: &'m Module,
    /// By constant: whether it was looked at.
    seen: Vec<bool>,
    open: Vec<ConstId>,
    found: Vec<GlobalId>,
}

impl<'m> Walk<'m> {
    fn new(module: &'m Module) -> Walk<'m> {
        Walk {
            module,
            seen: vec![false; module.constants.len()],
            open: Vec::new(),
            found: Vec::new(),
        }
    }

    fn constant(&mut self, constant: ConstId) {
        if self.seen[constant.index()] {
            return;
        }
        self.open.push(constant);
        while let Some(constant) = self.open.pop() {
            if std::mem::replace(&mut self.seen[constant.index()], true) {
                continue;
            }
            match self.module.constants.get(constant).kind {
                ConstKind::Global(id)
                | ConstKind::DsoLocalEquivalent(id)
                | ConstKind::NoCfi(id) => self.found.push(id),
                ConstKind::BlockAddress(address) => {
                    let addresses = &self.module.constants.block_addresses;
                    self.found.push(addresses[address].function);
                }
                _ => self.open.extend(self.module.constants.operands(constant)),
            }
        }
    }

    fn value(&mut self, value: Value) {
        match value.get() {
            Operand::Const(constant) => self.constant(constant),
            Operand::Metadata(md) => {
                if let Md::Const(constant) = md.get() {
                    self.constant(constant);
                }
            }
            _ => {}
        }
    }

    /// What a global refers to.
    fn global(&mut self, id: GlobalId) {
        match &self.module.globals[id].kind {
            GlobalKind::Variable(variable) => {
                variable.init.iter().for_each(|&init| self.constant(init));
            }
            GlobalKind::Alias(target) | GlobalKind::Ifunc(target) => self.constant(*target),
            GlobalKind::Function(function) => {
                let constants = [function.prefix, function.prologue, function.personality];
                constants
                    .into_iter()
                    .flatten()
                    .for_each(|c| self.constant(c));
                let Some(body) = &function.body else { return };
                for &block in &body.order {
                    for &inst in &body.blocks[block].insts {
                        body.operands(inst).iter().for_each(|&v| self.value(v));
                    }
                }
                for record in &body.records {
                    let operands = body.record_operands(record);
                    operands.iter().for_each(|&v| self.value(v));
                }
                for (_, list) in body.arg_lists.iter() {
                    list.iter().for_each(|&v| self.value(v));
                }
            }
            GlobalKind::Pending => {}
        }
    }
}
