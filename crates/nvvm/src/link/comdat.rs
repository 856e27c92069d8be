//! Comdats: globals that are taken or left together.
//!
//! | kind | of two with one name |
//! |---|---|
//! | `any` | the first stays |
//! | `exactmatch` | the first stays; the values must be equal |
//! | `largest` | the one whose leader is larger |
//! | `nodeduplicate` | both; their members are linked as if alone |
//! | `samesize` | the first stays; the sizes must be equal |
//!
//! The leader is the variable with the comdat's name.

use super::choose::{is_defined, is_linkonce};
use super::transfer::Transfer;
use crate::Module;
use crate::constant::{ConstId, ConstKind};
use crate::function::Body;
use crate::index::{Id, IdVec};
use crate::inst::Align;
use crate::layout::Layout;
use crate::module::{
    ComdatId, ComdatKind, Global, GlobalId, GlobalKind, Linkage, ThreadLocal, Variable,
};
use crate::types::Type;
use rustc_hash::FxHashSet;

/// Whose comdat stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chosen {
    /// That of the source.
    Source,
    /// That of the result.
    Result,
    /// Both.
    Both,
}

/// The global that an address leads to, through aliases and expressions.
pub(super) fn base_object(module: &Module, constant: ConstId) -> Option<GlobalId> {
    let mut constant = constant;
    // Aliases may not go round in circles, but a module that was not verified may have them do so.
    for _ in 0..=module.globals.len() + module.constants.len() {
        match module.constants.get(constant).kind {
            ConstKind::Global(id) => match module.globals[id].kind {
                GlobalKind::Alias(target) => constant = target,
                _ => return Some(id),
            },
            ConstKind::Expr(_) => constant = module.constants.operands(constant).next()?,
            _ => return None,
        }
    }
    None
}

/// The comdat of a global; that of an alias is the one of what it names.
pub(super) fn comdat_in(module: &Module, id: GlobalId) -> Option<ComdatId> {
    // Most modules have none, and ways through aliases can be long.
    if module.comdats.is_empty() {
        return None;
    }
    match module.globals[id].kind {
        GlobalKind::Alias(target) => module.globals[base_object(module, target)?].comdat,
        _ => module.globals[id].comdat,
    }
}

impl Transfer<'_> {
    /// The comdat of a global of the source.
    pub(super) fn comdat_of(&self, id: GlobalId) -> Option<ComdatId> {
        comdat_in(&self.source, id)
    }

    /// Decides about every comdat of the source and drops what loses.
    pub(super) fn choose_comdats(&mut self) {
        let ids: Vec<ComdatId> = self.source.comdats.ids().collect();
        let mut lost = FxHashSet::default();
        for id in ids {
            let comdat = self.source.comdats[id].clone();
            let name = self.name(comdat.name);
            let known = self.linker.comdats.get(&name).copied();
            let chosen = match known {
                None => Chosen::Source,
                Some(known) => {
                    let kind = self.linker.module.comdats[known].kind;
                    match self.choose_comdat(id, comdat.kind, kind) {
                        Ok(chosen) => chosen,
                        Err((what, help)) => {
                            let name = self.source.names.text(comdat.name).into_owned();
                            let text = format!("comdats `${name}`: {what}");
                            let places = self.comdat_places(id, known);
                            self.linker.error(self.index, text, help, places);
                            Chosen::Result
                        }
                    }
                }
            };
            self.chosen.push(chosen);
            if chosen == Chosen::Source {
                lost.extend(known);
            }
        }
        if !lost.is_empty() {
            self.drop_members(&lost);
        }
        self.release_private_members();
    }

    /// Where the first members stand.
    fn comdat_places(&self, id: ComdatId, known: ComdatId) -> Vec<super::Place> {
        let from = self.source.order.iter();
        let from = from
            .copied()
            .find(|&global| self.source.globals[global].comdat == Some(id));
        let result = &self.linker.module;
        let to = result.order.iter().copied();
        let to = { to }.find(|&global| result.globals[global].comdat == Some(known));
        let from = from.map(|global| self.place(global));
        let to = to.map(|global| self.linker.origins[global.index()]);
        from.into_iter().chain(to).collect()
    }

    fn choose_comdat(
        &mut self,
        id: ComdatId,
        from: ComdatKind,
        to: ComdatKind,
    ) -> Result<Chosen, (&'static str, &'static str)> {
        let mixed = |kind| matches!(kind, ComdatKind::Any | ComdatKind::Largest);
        let kind = if mixed(from) && mixed(to) {
            from.max(to)
        } else if from == to {
            from
        } else {
            return Err((
                "their selection kinds differ",
                "give both the same kind; only `any` and `largest` may be mixed",
            ));
        };
        match kind {
            ComdatKind::Any => return Ok(Chosen::Result),
            ComdatKind::NoDeduplicate => return Ok(Chosen::Both),
            _ => {}
        }
        let name = self.source.names.bytes(self.source.comdats[id].name);
        let leader = (
            leader(&self.source, name),
            leader(&self.linker.module, name),
        );
        let (Some(from), Some(to)) = leader else {
            return Err((
                "the kind needs a variable with the name of the comdat",
                "name a variable as the comdat, or use the kind `any`",
            ));
        };
        let (from_global, to_global) = (
            self.source.globals[from].clone(),
            self.linker.module.globals[to].clone(),
        );
        let stride = |module: &Module, global: &Global| {
            Layout::of(module).stride(&module.types, global.value_ty)
        };
        let from_size = stride(&self.source, &from_global);
        let to_size = stride(&self.linker.module, &to_global);
        match kind {
            ComdatKind::Largest if from_size > to_size => Ok(Chosen::Source),
            ComdatKind::Largest => Ok(Chosen::Result),
            ComdatKind::SameSize if from_size == to_size => Ok(Chosen::Result),
            ComdatKind::SameSize => Err((
                "their leaders have different sizes",
                "the kind `samesize` wants equal sizes",
            )),
            _ if self.same_value(&from_global, &to_global) => Ok(Chosen::Result),
            _ => Err((
                "their leaders have different values",
                "the kind `exactmatch` wants equal values",
            )),
        }
    }

    /// Whether two variables have the same value. Addresses of globals count as different.
    fn same_value(&mut self, from: &Global, to: &Global) -> bool {
        let (GlobalKind::Variable(a), GlobalKind::Variable(b)) = (&from.kind, &to.kind) else {
            return false;
        };
        let (Some(a), Some(b)) = (a.init, b.init) else {
            return false;
        };
        // Nothing may be brought yet, so a value with addresses has no counterpart.
        self.done = true;
        let mapped = self.constant(a);
        self.done = false;
        mapped == Some(b)
    }

    pub(super) fn collect_lazy_members(&mut self) {
        self.lazy_members = vec![Vec::new(); self.source.comdats.len()];
        for &id in &self.source.order {
            if is_linkonce(self.source.globals[id].linkage)
                && let Some(comdat) = self.comdat_of(id)
            {
                self.lazy_members[comdat.index()].push(id);
            }
        }
    }

    /// Private members of a comdat that loses may still be needed by what stays: they come as copies.
    fn release_private_members(&mut self) {
        if !self.chosen.contains(&Chosen::Result) {
            return;
        }
        let aliased: FxHashSet<GlobalId> = self
            .source
            .globals
            .iter()
            .filter_map(|(_, global)| match global.kind {
                GlobalKind::Alias(target) => base_object(&self.source, target),
                _ => None,
            })
            .collect();
        for (id, global) in self.source.globals.iter_mut() {
            let loses = global
                .comdat
                .is_some_and(|comdat| self.chosen[comdat.index()] == Chosen::Result);
            if loses && global.linkage == Linkage::Private && !aliased.contains(&id) {
                global.linkage = Linkage::AvailableExternally;
                global.comdat = None;
            }
        }
    }

    /// Members of comdats of the result that those of the source displace become declarations.
    fn drop_members(&mut self, lost: &FxHashSet<ComdatId>) {
        let module = &mut self.linker.module;
        let members: Vec<GlobalId> = module
            .order
            .iter()
            .copied()
            .filter(|&id| comdat_in(module, id).is_some_and(|comdat| lost.contains(&comdat)))
            .collect();
        for id in members {
            let empty = module.attributes.empty_set;
            let no_attributes = module.attributes.empty_list;
            let function_type = matches!(
                module.types.get(module.globals[id].value_ty),
                Type::Function { .. }
            );
            let global = &mut module.globals[id];
            global.linkage = Linkage::External;
            global.comdat = None;
            match &mut global.kind {
                GlobalKind::Function(function) => {
                    function.body = None::<Body>;
                    (function.prefix, function.prologue, function.personality) = (None, None, None);
                    global.metadata.clear();
                }
                GlobalKind::Variable(variable) => variable.init = None,
                _ if function_type => {
                    global.kind = super::global::declared_function(no_attributes);
                }
                _ => {
                    global.align = Align::NONE;
                    global.thread_local = ThreadLocal::None;
                    global.kind = GlobalKind::Variable(Variable {
                        constant: false,
                        externally_initialized: false,
                        code_model: None,
                        sanitizer: crate::module::Sanitizer::empty(),
                        init: None,
                        attrs: empty,
                    });
                }
            }
            self.dropped.push(id);
        }
    }

    /// What lost its definition, got no other and is used by nothing is removed.
    pub(super) fn settle_dropped(&mut self) {
        let dropped = std::mem::take(&mut self.dropped);
        if dropped.is_empty() {
            return;
        }
        let module = &mut self.linker.module;
        let used = super::drop_unused::referenced(module);
        for id in dropped {
            if !is_defined(&module.globals[id]) && !used.contains(&id) {
                if let Some(name) = module.globals[id].name {
                    self.linker.by_name.remove(&name);
                }
                module.order.retain(|&other| other != id);
            }
        }
    }
}

/// Drops the comdats that have no members.
pub(super) fn drop_unused_comdats(module: &mut Module) {
    let mut numbers = vec![None; module.comdats.len()];
    let mut kept = IdVec::new();
    for &id in &module.order {
        if let Some(comdat) = module.globals[id].comdat {
            let number = numbers[comdat.index()]
                .get_or_insert_with(|| kept.push(module.comdats[comdat].clone()));
            module.globals[id].comdat = Some(*number);
        }
    }
    module.comdats = kept;
}

/// The variable with a name, through aliases.
fn leader(module: &Module, name: &[u8]) -> Option<GlobalId> {
    let name = module.names.find(name)?;
    let mut order = module.order.iter().copied();
    let id = order.find(|&id| module.globals[id].name == Some(name))?;
    let id = match module.globals[id].kind {
        GlobalKind::Alias(target) => base_object(module, target)?,
        _ => id,
    };
    matches!(module.globals[id].kind, GlobalKind::Variable(_)).then_some(id)
}
