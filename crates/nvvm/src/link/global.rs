//! Globals on their way: first the declaration, so that others can refer to it, then what it holds.

use super::Place;
use super::choose::{is_defined, is_linkonce, is_local, settle};
use super::constants::cast_to_space;
use super::transfer::{Transfer, at};
use crate::attribute::AttrList;
use crate::constant::{ConstId, ConstKind};
use crate::inst::{Align, CallConv};
use crate::module::{
    Comdat, Function, Global, GlobalId, GlobalKind, Linkage, Sanitizer, Variable, Visibility,
};
use crate::types::{Type, TypeId};

/// How many elements an appending variable that does not list them (`zeroinitializer`) may have to be joined.
const MAX_UNLISTED: u64 = 1 << 16;

/// A definition that is to follow its declaration.
pub(super) enum Work {
    /// What a global of the source holds, for a global of the result.
    Define { from: GlobalId, to: GlobalId },
    /// Metadata of a declaration.
    Attach { from: GlobalId, to: GlobalId },
    /// Elements for an appending variable: those there and those of the source.
    Append {
        to: GlobalId,
        before: Vec<ConstId>,
        elements: Vec<ConstId>,
    },
}

/// A function without body and attributes.
pub(super) fn declared_function(attrs: AttrList) -> GlobalKind {
    GlobalKind::Function(Box::new(Function {
        conv: CallConv::C,
        attrs,
        gc: None,
        prefix: None,
        prologue: None,
        personality: None,
        body: None,
    }))
}

impl Transfer<'_> {
    /// The address of a global in the result, which is declared there if need be; `None` if nothing more
    /// is brought.
    pub(super) fn global(&mut self, id: GlobalId) -> Option<ConstId> {
        if let Some(address) = self.globals.get(id) {
            return Some(address);
        }
        let known = self.namesake(id);
        let take = self.takes(known, id);
        if take && let Some(address) = self.alias_globals.get(id) {
            self.globals.set(id, address);
            return Some(address);
        }
        if self.is_appending(known, id) {
            let to = self.appended(known, id)?;
            let address = self.linker.module.address_of(to);
            self.globals.set(id, address);
            return Some(address);
        }
        let to = match known {
            Some(known) if !take => known,
            _ if self.done => return None,
            _ => self.declare(id, take, known),
        };
        let address = self.address_as_in_source(to, id);
        self.globals.set(id, address);
        Some(address)
    }

    /// Takes the definition of a global. Appending variables get no address by that: it would look as if something
    /// used them, which no module may.
    pub(super) fn take(&mut self, id: GlobalId) {
        let known = self.namesake(id);
        match self.is_appending(known, id) {
            true => _ = self.appended(known, id),
            false => _ = self.global(id),
        }
    }

    fn is_appending(&self, known: Option<GlobalId>, id: GlobalId) -> bool {
        let appending = |global: &Global| global.linkage == Linkage::Appending;
        appending(&self.source.globals[id])
            || known.is_some_and(|known| appending(&self.linker.module.globals[known]))
    }

    /// The address of a global as the target of an alias: of its own definition, even if another one
    /// stays under its name.
    pub(super) fn global_for_alias(&mut self, id: GlobalId) -> Option<ConstId> {
        if let Some(address) = self.alias_globals.get(id) {
            return Some(address);
        }
        let known = self.namesake(id);
        if self.takes(known, id) || !self.defined[at(id)] {
            return self.global(id);
        }
        let to = self.declare(id, true, None);
        let target = &mut self.linker.module.globals[to];
        target.linkage = Linkage::Internal;
        settle(target);
        let address = self.address_as_in_source(to, id);
        self.alias_globals.set(id, address);
        Some(address)
    }

    fn address_as_in_source(&mut self, to: GlobalId, id: GlobalId) -> ConstId {
        let space = self.source.globals[id].space;
        let address = self.linker.module.address_of(to);
        let ty = self.linker.module.types.pointer(space);
        cast_to_space(&mut self.linker.module, address, ty)
    }

    /// Whether the definition of the source is taken: for sure, or because something refers to it now.
    fn takes(&mut self, known: Option<GlobalId>, id: GlobalId) -> bool {
        let linkage = self.source.globals[id].linkage;
        if self.wanted[at(id)] || is_local(linkage) {
            return true;
        }
        if known.is_some_and(|known| {
            let known = &self.linker.module.globals[known];
            is_defined(known) && known.linkage != Linkage::AvailableExternally
        }) {
            return false;
        }
        if !self.defined[at(id)] || self.done {
            return false;
        }
        let lazy = is_linkonce(linkage) || linkage == Linkage::AvailableExternally;
        if !lazy && !self.only_needed {
            return false;
        }
        self.wanted[at(id)] = true;
        self.queue.push(id);
        self.want_lazy_members(id);
        true
    }

    /// Declares a global of the source in the result, in the place of `known` if there is one.
    fn declare(&mut self, id: GlobalId, take: bool, known: Option<GlobalId>) -> GlobalId {
        let mut global = self.declaration(id, take);
        let origin = self.place(id);
        let wanted = global.name;
        let to = match known {
            Some(known) if self.linker.module.globals[known].space == global.space => {
                global.name = self.linker.module.globals[known].name;
                self.forget_blocks(known);
                self.linker.module.globals[known] = global;
                self.linker.origins[at(known)] = origin;
                known
            }
            Some(known) => {
                // What refers to the old address gets the new one, cast.
                self.forget_blocks(known);
                self.linker.module.globals[known].name = None;
                self.linker.by_name.retain(|_, id| *id != known);
                let to = self.enter(global, wanted, origin);
                self.replaced.push((known, to));
                to
            }
            None => self.enter(global, wanted, origin),
        };
        self.added.push(to);
        if take && self.defined[at(id)] {
            self.taken[at(id)] = true;
            self.work.push(Work::Define { from: id, to });
        } else if !self.source.globals[id].metadata.is_empty() {
            self.work.push(Work::Attach { from: id, to });
        }
        to
    }

    /// Enters a new global under its name. If it has to have that name, a local global that has it is
    /// renamed; if it is local itself, it gives way.
    fn enter(
        &mut self,
        mut global: Global,
        name: Option<crate::name::Name>,
        origin: Place,
    ) -> GlobalId {
        global.name = None;
        if let Some(name) = name {
            let holder = self.linker.by_name.get(&name).copied();
            let gives_way = |holder: GlobalId| is_local(self.linker.module.globals[holder].linkage);
            match holder {
                Some(holder) if !is_local(global.linkage) && gives_way(holder) => {
                    let other = self.linker.free_name(name);
                    self.linker.module.globals[holder].name = Some(other);
                    self.linker.by_name.insert(other, holder);
                    self.linker.by_name.remove(&name);
                    global.name = Some(name);
                }
                _ => global.name = Some(self.linker.free_name(name)),
            }
        }
        self.linker.add_global(global, origin)
    }

    /// A global of the source as a declaration, in terms of the result.
    fn declaration(&mut self, id: GlobalId, take: bool) -> Global {
        let source = &self.source.globals[id];
        let (from_name, value_ty, section, partition, comdat) = (
            source.name,
            source.value_ty,
            source.section,
            source.partition,
            source.comdat,
        );
        let linkage = match source.linkage {
            linkage if take => linkage,
            Linkage::ExternWeak => Linkage::ExternWeak,
            _ => Linkage::External,
        };
        let mut global = Global {
            name: None,
            linkage,
            value_ty,
            metadata: Vec::new(),
            section: None,
            partition: None,
            comdat: None,
            kind: GlobalKind::Pending,
            ..clone_properties(source)
        };
        let intrinsic =
            from_name.is_some_and(|name| self.source.names.bytes(name).starts_with(b"llvm."));
        let kind = self.declared_kind(id, take, intrinsic, &mut global);
        global.kind = kind;
        global.name = from_name.map(|name| self.name(name));
        global.value_ty = self.ty(value_ty);
        global.section = section.map(|name| self.name(name));
        global.partition = partition.map(|name| self.name(name));
        if take && let Some(comdat) = comdat {
            let Comdat { name, kind } = self.source.comdats[comdat].clone();
            let name = self.name(name);
            let linker = &mut *self.linker;
            let comdats = &mut linker.module.comdats;
            let entry = linker.comdats.entry(name);
            let comdat = *entry.or_insert_with(|| comdats.push(Comdat { name, kind }));
            comdats[comdat].kind = kind;
            global.comdat = Some(comdat);
        }
        settle(&mut global);
        global
    }

    fn declared_kind(
        &mut self,
        id: GlobalId,
        take: bool,
        intrinsic: bool,
        global: &mut Global,
    ) -> GlobalKind {
        let ty = self.source.globals[id].value_ty;
        let is_function = matches!(self.source.types.get(ty), Type::Function { .. });
        match &self.source.globals[id].kind {
            GlobalKind::Variable(variable) => {
                let variable = *variable;
                let attrs = self.attr_set(variable.attrs);
                GlobalKind::Variable(Variable {
                    init: None,
                    attrs,
                    ..variable
                })
            }
            GlobalKind::Function(function) => {
                let (conv, attrs, gc) = (function.conv, function.attrs, function.gc);
                GlobalKind::Function(Box::new(Function {
                    conv,
                    attrs: self.attr_list(attrs, intrinsic),
                    gc: gc.map(|gc| self.name(gc)),
                    prefix: None,
                    prologue: None,
                    personality: None,
                    body: None,
                }))
            }
            GlobalKind::Alias(_) if take => GlobalKind::Alias(placeholder()),
            GlobalKind::Ifunc(_) if take => GlobalKind::Ifunc(placeholder()),
            // An alias that is only declared here is what it names.
            _ => {
                let module = &self.linker.module;
                global.visibility = Visibility::Default;
                global.dso_local = false;
                global.align = Align::NONE;
                if is_function {
                    return declared_function(module.attributes.empty_list);
                }
                GlobalKind::Variable(Variable {
                    constant: false,
                    externally_initialized: false,
                    code_model: None,
                    sanitizer: Sanitizer::empty(),
                    init: None,
                    attrs: module.attributes.empty_set,
                })
            }
        }
    }

    /// Does what was put off.
    pub(super) fn define(&mut self, work: Work) {
        match work {
            Work::Attach { from, to } => self.attach(from, to),
            Work::Append {
                to,
                before,
                elements,
            } => self.define_appending(to, before, &elements),
            Work::Define { from, to } => match self.source.globals[from].kind {
                GlobalKind::Variable(variable) => {
                    self.attach(from, to);
                    let init = variable.init.and_then(|init| self.constant(init));
                    if let GlobalKind::Variable(target) = &mut self.linker.module.globals[to].kind {
                        target.init = init;
                    }
                }
                GlobalKind::Function(_) => self.define_function(from, to),
                GlobalKind::Alias(target) => {
                    if let Some(target) = self.alias_target(target) {
                        self.linker.module.globals[to].kind = GlobalKind::Alias(target);
                    }
                }
                GlobalKind::Ifunc(target) => {
                    if let Some(target) = self.alias_target(target) {
                        self.linker.module.globals[to].kind = GlobalKind::Ifunc(target);
                    }
                }
                GlobalKind::Pending => {}
            },
        }
    }

    // ---- appending variables ----

    /// The variable of the result that an appending variable of the source became part of.
    fn appended(&mut self, known: Option<GlobalId>, id: GlobalId) -> Option<GlobalId> {
        if let Some(&to) = self.joined.get(&id) {
            return Some(to);
        }
        let to = self.append(known, id)?;
        self.joined.insert(id, to);
        Some(to)
    }

    /// Joins an appending variable of the source with the one of the result.
    fn append(&mut self, known: Option<GlobalId>, id: GlobalId) -> Option<GlobalId> {
        if let Some(known) = known
            && let Some(difference) = self.appending_difference(known, id)
        {
            self.cannot_append(known, id, difference);
            return Some(known);
        }
        if !self.defined[at(id)] && known.is_some() {
            return known;
        }
        if self.done {
            return known;
        }
        let all = elements(&mut self.source, id);
        let mut added = all.clone().unwrap_or_default();
        if self.is_structors(id) {
            added.retain(|&element| self.keeps_structor(element));
        }
        let Some(known) = known else {
            if all.is_none_or(|all| all.len() == added.len()) {
                // Nothing to join it with: it stays as it is, however long.
                let ty = self.ty(self.source.globals[id].value_ty);
                let to = self.declare_appending(None, id, ty);
                self.work.push(Work::Define { from: id, to });
                return Some(to);
            }
            return Some(self.join(None, id, Vec::new(), added));
        };
        match (all, elements(&mut self.linker.module, known)) {
            (Some(_), Some(before)) => Some(self.join(Some(known), id, before, added)),
            _ => {
                self.cannot_append(known, id, "there are too many elements");
                Some(known)
            }
        }
    }

    fn cannot_append(&mut self, known: GlobalId, id: GlobalId, why: &str) {
        let name = self.source.globals[id].name;
        let name = name.map(|name| self.source.names.text(name).into_owned());
        let name = name.unwrap_or_default();
        let text = format!("`@{name}` cannot be appended: {why}");
        let places = vec![self.place(id), self.linker.origins[at(known)]];
        let help = "variables that are joined must be declared alike and list their elements";
        self.linker.error(self.index, text, help, places);
    }

    /// Declares a variable with the elements that are there and those that are added.
    fn join(
        &mut self,
        known: Option<GlobalId>,
        id: GlobalId,
        before: Vec<ConstId>,
        added: Vec<ConstId>,
    ) -> GlobalId {
        let element = match self.source.types.get(self.source.globals[id].value_ty) {
            Type::Array { element, .. } => element,
            _ => self.source.globals[id].value_ty,
        };
        let element = self.ty(element);
        let ty = self.linker.module.types.intern(Type::Array {
            element,
            len: (before.len() + added.len()) as u64,
        });
        let to = self.declare_appending(known, id, ty);
        self.work.push(Work::Append {
            to,
            before,
            elements: added,
        });
        to
    }

    fn declare_appending(&mut self, known: Option<GlobalId>, id: GlobalId, ty: TypeId) -> GlobalId {
        let mut global = self.declaration(id, true);
        global.value_ty = ty;
        let (name, origin) = (global.name, self.place(id));
        let to = match known {
            Some(known) => {
                self.linker.module.globals[known] = global;
                known
            }
            None => self.enter(global, name, origin),
        };
        self.added.push(to);
        self.taken[at(id)] = true;
        to
    }

    fn define_appending(&mut self, to: GlobalId, before: Vec<ConstId>, elements: &[ConstId]) {
        let mut all = before;
        for &element in elements {
            all.extend(self.constant(element));
        }
        let module = &mut self.linker.module;
        let ty = module.globals[to].value_ty;
        let init = module
            .constants
            .aggregate(&module.types, &mut module.names, ty, &all);
        if let GlobalKind::Variable(variable) = &mut module.globals[to].kind {
            variable.init = Some(init);
        }
    }

    /// What keeps two variables from being joined.
    fn appending_difference(&mut self, known: GlobalId, id: GlobalId) -> Option<&'static str> {
        let (to, from) = (&self.linker.module.globals[known], &self.source.globals[id]);
        let (GlobalKind::Variable(a), GlobalKind::Variable(b)) = (&to.kind, &from.kind) else {
            return Some("one of the two is not a variable");
        };
        let (to_ty, from_ty) = (to.value_ty, from.value_ty);
        if is_defined(to) && self.defined[at(id)] {
            let names = (
                to.section.map(|name| self.linker.module.names.bytes(name)),
                from.section.map(|name| self.source.names.bytes(name)),
            );
            let global =
                |global: &Global| global.unnamed_addr == crate::module::UnnamedAddr::Global;
            let rules = [
                (
                    to.linkage == from.linkage,
                    "only one of the two is appending",
                ),
                (a.constant == b.constant, "only one of the two is constant"),
                (to.align == from.align, "the alignments differ"),
                (to.visibility == from.visibility, "the visibilities differ"),
                (
                    global(to) == global(from),
                    "only one of the two is `unnamed_addr`",
                ),
                (names.0 == names.1, "the sections differ"),
                (to.space == from.space, "the address spaces differ"),
            ];
            if let Some(rule) = rules.iter().find(|rule| !rule.0) {
                return Some(rule.1);
            }
        }
        let element = |types: &crate::types::Types, ty| match types.get(ty) {
            Type::Array { element, .. } => Some(element),
            _ => None,
        };
        let to_element = element(&self.linker.module.types, to_ty);
        let from_element = element(&self.source.types, from_ty).map(|ty| self.ty(ty));
        (to_element != from_element).then_some("the types of the elements differ")
    }

    fn is_structors(&self, id: GlobalId) -> bool {
        let name = self.source.globals[id].name;
        name.is_some_and(|name| {
            matches!(
                self.source.names.bytes(name),
                b"llvm.global_ctors" | b"llvm.global_dtors"
            )
        })
    }

    /// A constructor that belongs to a global goes if the global is not taken.
    fn keeps_structor(&mut self, element: ConstId) -> bool {
        let source = &mut self.source;
        let key = source
            .constants
            .element(&source.types, &source.names, element, 2);
        let Some(key) = key.and_then(|key| source.global_of(key)) else {
            return true;
        };
        let known = self.namesake(key);
        self.takes(known, key)
    }
}

/// The elements of a variable that is an array; `None` if these are more than can be listed.
fn elements(module: &mut crate::Module, id: GlobalId) -> Option<Vec<ConstId>> {
    let GlobalKind::Variable(Variable {
        init: Some(init), ..
    }) = module.globals[id].kind
    else {
        return Some(Vec::new());
    };
    let Type::Array { len, .. } = module.types.get(module.globals[id].value_ty) else {
        return Some(Vec::new());
    };
    let constants = &mut module.constants;
    // Lists are as long as their text; the others can have any length.
    let listed = matches!(
        constants.get(init).kind,
        ConstKind::Aggregate(_) | ConstKind::Bytes(_)
    );
    if !listed && len > MAX_UNLISTED {
        return None;
    }
    let elements = (0..len as usize)
        .map_while(|index| constants.element(&module.types, &module.names, init, index));
    Some(elements.collect())
}

/// The target of an alias until it is known.
fn placeholder() -> ConstId {
    crate::index::Id::new(0)
}

/// What a global and its declaration elsewhere have in common.
fn clone_properties(global: &Global) -> Global {
    Global {
        name: None,
        linkage: global.linkage,
        visibility: global.visibility,
        dll_storage: global.dll_storage,
        dso_local: global.dso_local,
        unnamed_addr: global.unnamed_addr,
        thread_local: global.thread_local,
        value_ty: global.value_ty,
        space: global.space,
        section: None,
        partition: None,
        comdat: None,
        align: global.align,
        metadata: Vec::new(),
        pos: global.pos,
        kind: GlobalKind::Pending,
    }
}
