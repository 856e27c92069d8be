//! Which definitions are taken: the rules of linkage.
//!
//! ```text
//!   source \ result   none      declaration   weak or linkonce         common    definition
//!   declaration       -         -             -                        -         -
//!   definition        take      take          take                     take      error
//!   weak              take      take          take over linkonce only  -         -
//!   linkonce          if used   take          -                        -         -
//!   common            take      take          take                     larger    -
//! ```
//!
//! Two globals of one name also agree on visibility (the strictest), on whether the address matters (it
//! does if it does for one), and commons on the alignment (the largest).

use super::comdat::Chosen;
use super::transfer::{Transfer, at};
use crate::layout::Layout;
use crate::module::{Global, GlobalId, GlobalKind, Linkage, UnnamedAddr, Visibility};

/// Whether it is defined here and not only declared.
pub(super) fn is_defined(global: &Global) -> bool {
    match &global.kind {
        GlobalKind::Variable(variable) => variable.init.is_some(),
        GlobalKind::Function(function) => function.body.is_some(),
        GlobalKind::Alias(_) | GlobalKind::Ifunc(_) => true,
        GlobalKind::Pending => false,
    }
}

/// Whether nobody outside the module sees it.
pub(super) fn is_local(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Internal | Linkage::Private)
}

pub(super) fn is_linkonce(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::LinkOnceAny | Linkage::LinkOnceOdr)
}

fn is_weak(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::WeakAny | Linkage::WeakOdr)
}

/// What another definition may displace.
fn yields(linkage: Linkage) -> bool {
    is_linkonce(linkage)
        || is_weak(linkage)
        || matches!(linkage, Linkage::Common | Linkage::ExternWeak)
}

/// Local globals and those with a visibility are always reached directly.
pub(super) fn settle(global: &mut Global) {
    if is_local(global.linkage) {
        global.visibility = Visibility::Default;
        global.dll_storage = crate::module::DllStorage::Default;
        global.dso_local = true;
    } else if global.visibility != Visibility::Default && global.linkage != Linkage::ExternWeak {
        global.dso_local = true;
    }
}

fn stricter(a: Visibility, b: Visibility) -> Visibility {
    for visibility in [Visibility::Hidden, Visibility::Protected] {
        if a == visibility || b == visibility {
            return visibility;
        }
    }
    Visibility::Default
}

impl Transfer<'_> {
    /// The global of the result that a global of the source is the same as.
    pub(super) fn namesake(&self, id: GlobalId) -> Option<GlobalId> {
        let global = &self.source.globals[id];
        if is_local(global.linkage) {
            return None;
        }
        let name = self.source.names.bytes(global.name?);
        let name = self.linker.module.names.find(name)?;
        let found = *self.linker.by_name.get(&name)?;
        let known = &self.linker.module.globals[found];
        if is_local(known.linkage) {
            return None;
        }
        // Intrinsics of one name and different types are different functions of different versions.
        let intrinsic = self.linker.module.names.bytes(name).starts_with(b"llvm.");
        let functions = matches!(known.kind, GlobalKind::Function(_))
            && matches!(global.kind, GlobalKind::Function(_));
        if intrinsic
            && functions
            && let Some(ty) = self.types.get(global.value_ty)
            && ty != known.value_ty
        {
            return None;
        }
        Some(found)
    }

    /// Decides for every global of the source whether its definition is taken for sure.
    pub(super) fn choose_globals(&mut self) {
        self.collect_lazy_members();
        let rank = |kind: &GlobalKind| match kind {
            GlobalKind::Variable(_) => 0,
            GlobalKind::Function(_) | GlobalKind::Pending => 1,
            GlobalKind::Alias(_) => 2,
            GlobalKind::Ifunc(_) => 3,
        };
        let mut order = self.source.order.clone();
        order.sort_by_key(|&id| rank(&self.source.globals[id].kind));
        for id in order {
            self.choose_global(id);
        }
        let mut next = 0;
        while let Some(&id) = self.queue.get(next) {
            next += 1;
            self.want_lazy_members(id);
        }
    }

    fn want(&mut self, id: GlobalId) {
        if !std::mem::replace(&mut self.wanted[at(id)], true) {
            self.queue.push(id);
        }
    }

    /// The `linkonce` members of its comdat come with it.
    pub(super) fn want_lazy_members(&mut self, id: GlobalId) {
        let Some(comdat) = self.comdat_of(id) else {
            return;
        };
        for member in self.lazy_members[crate::index::Id::index(comdat)].clone() {
            let take = match self.namesake(member) {
                Some(known) => self.prefers_source(known, member),
                None => true,
            };
            if take {
                self.want(member);
            }
        }
    }

    fn choose_global(&mut self, id: GlobalId) {
        let known = self.namesake(id);
        let linkage = self.source.globals[id].linkage;
        if self.only_needed && linkage != Linkage::Appending {
            let lacking =
                known.is_some_and(|known| !is_defined(&self.linker.module.globals[known]));
            if !lacking {
                return;
            }
        }
        if let Some(known) = known
            && linkage != Linkage::Appending
        {
            self.agree(known, id);
        }
        let lazy =
            is_local(linkage) || is_linkonce(linkage) || linkage == Linkage::AvailableExternally;
        if (known.is_none() && lazy) || !self.defined[at(id)] {
            return;
        }
        let chosen = self
            .comdat_of(id)
            .map(|comdat| self.chosen[crate::index::Id::index(comdat)]);
        if chosen == Some(Chosen::Result) {
            return;
        }
        let take = match known {
            Some(known) => self.prefers_source(known, id) || chosen == Some(Chosen::Both),
            None => true,
        };
        if take {
            self.want(id);
        }
    }

    /// What two globals of one name have to share, whichever definition stays.
    fn agree(&mut self, known: GlobalId, id: GlobalId) {
        let (defined, known_defined) = (
            self.defined[at(id)],
            is_defined(&self.linker.module.globals[known]),
        );
        let to = &mut self.linker.module.globals[known];
        let from = &mut self.source.globals[id];
        if let (GlobalKind::Variable(a), GlobalKind::Variable(b)) = (&mut to.kind, &mut from.kind) {
            let both_declared = !defined && !known_defined;
            if both_declared && a.constant != b.constant {
                a.constant = false;
                b.constant = false;
            }
            if to.linkage == Linkage::Common && from.linkage == Linkage::Common {
                let align = to.align.max(from.align);
                to.align = align;
                from.align = align;
            }
        }
        let visibility = stricter(to.visibility, from.visibility);
        let unnamed = |a: UnnamedAddr, b: UnnamedAddr| a.min(b);
        let unnamed_addr = unnamed(to.unnamed_addr, from.unnamed_addr);
        for global in [to, from] {
            global.visibility = visibility;
            global.unnamed_addr = unnamed_addr;
            settle(global);
        }
    }

    /// Whether the definition of the source stays, of two globals that are the same.
    pub(super) fn prefers_source(&mut self, known: GlobalId, id: GlobalId) -> bool {
        let (to, from) = (&self.linker.module.globals[known], &self.source.globals[id]);
        let (to_linkage, from_linkage) = (to.linkage, from.linkage);
        if from_linkage == Linkage::Appending || to_linkage == Linkage::Appending {
            return true;
        }
        let available = Linkage::AvailableExternally;
        let to_declared = !is_defined(to) || to_linkage == available;
        if !self.defined[at(id)] || from_linkage == available {
            if from.dll_storage == crate::module::DllStorage::Import {
                return to_declared;
            }
            return to_linkage == Linkage::ExternWeak || (self.defined[at(id)] && !is_defined(to));
        }
        if to_declared {
            return true;
        }
        if from_linkage == Linkage::Common {
            if is_linkonce(to_linkage) || is_weak(to_linkage) {
                return true;
            }
            if to_linkage != Linkage::Common {
                return false;
            }
            let (source, result) = (&self.source, &self.linker.module);
            let from = Layout::of(source).stride(&source.types, from.value_ty);
            let to = Layout::of(result).stride(&result.types, to.value_ty);
            return from > to;
        }
        if yields(from_linkage) {
            return is_linkonce(to_linkage) && is_weak(from_linkage);
        }
        if yields(to_linkage) {
            return true;
        }
        let name = from.name.map(|name| self.source.names.text(name));
        let text = format!("`@{}` is defined twice", name.unwrap_or_default());
        let places = vec![self.place(id), self.linker.origins[at(known)]];
        let help = "keep one definition, or make all but one `internal`, `weak` or `linkonce_odr`";
        self.linker.error(self.index, text, help, places);
        false
    }
}
