//! Globals: linkage, visibility, initialisers, comdats, aliases, ifuncs.

use super::Verifier;
use super::layout::wrong_layout;
use crate::constant::{ConstId, ConstKind, ExprOp};
use crate::module::{DllStorage, Global, GlobalId, GlobalKind, Linkage, Variable, Visibility};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_diag::codes;

/// Whether a global with this linkage can be seen in its module only.
fn is_local(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Private | Linkage::Internal)
}

/// Whether another definition may take its place when the program is linked.
fn is_interposable(linkage: Linkage) -> bool {
    matches!(
        linkage,
        Linkage::WeakAny | Linkage::LinkOnceAny | Linkage::Common | Linkage::ExternWeak
    )
}

/// Whether the global has no definition here.
fn is_declaration(global: &Global) -> bool {
    match &global.kind {
        GlobalKind::Variable(variable) => variable.init.is_none(),
        GlobalKind::Function(function) => function.body.is_none(),
        _ => false,
    }
}

/// Whether the linker sees no definition here.
fn is_declaration_for_linker(global: &Global) -> bool {
    global.linkage == Linkage::AvailableExternally || is_declaration(global)
}

impl<'m> Verifier<'m> {
    fn global_rule(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_GLOBAL, message)
    }

    /// Checks all globals; functions as far as they are like the others.
    pub(super) fn globals(&mut self) {
        let module = self.module;
        let layout = module.data_layout.map(|name| module.names.text(name));
        if let Some(wrong) = wrong_layout(layout.as_deref().unwrap_or_default()) {
            rule!(self.global_rule, false, "the data layout {wrong}");
        }
        let used = self.used_intrinsic_globals();
        for &id in &module.order {
            let global = &module.globals[id];
            self.at = global.pos;
            self.global(id, global);
            match &global.kind {
                GlobalKind::Variable(variable) => {
                    self.variable(id, global, variable);
                    rule!(
                        self.check[codes::IR_GLOBAL],
                        !used.contains(&id),
                        "{} is for the compiler, nothing may use it",
                        self.name_of(id)
                    );
                }
                GlobalKind::Alias(target) => self.alias(id, global, *target),
                GlobalKind::Ifunc(resolver) => self.ifunc(global, *resolver),
                _ => {}
            }
        }
        self.comdats();
    }

    /// `llvm.used` and its kin as far as initial values, constants or instructions refer to them. Metadata may name them.
    fn used_intrinsic_globals(&self) -> Vec<GlobalId> {
        let module = self.module;
        let is_special = |id: GlobalId| {
            let name = module.globals[id].name;
            let name = name.map(|name| module.names.bytes(name));
            name.and_then(special_variable).is_some()
        };
        if !module.variables().any(|(id, _, _)| is_special(id)) {
            return Vec::new();
        }
        // That the address of a global exists as a constant does not mean that something uses it: bitcode numbers the
        // addresses of all globals.
        let special: FxHashMap<ConstId, GlobalId> = (module.constants.iter())
            .filter_map(|(id, _)| Some((id, module.global_of(id)?)))
            .filter(|&(_, global)| is_special(global))
            .collect();
        if special.is_empty() {
            return Vec::new();
        }
        let parts = (module.constants.iter()).flat_map(|(id, _)| module.constants.operands(id));
        let mut used: Vec<GlobalId> = parts.filter_map(|id| special.get(&id).copied()).collect();
        for &id in &module.order {
            let constants = match &module.globals[id].kind {
                GlobalKind::Variable(variable) => [variable.init, None, None],
                GlobalKind::Function(function) => {
                    [function.prefix, function.prologue, function.personality]
                }
                GlobalKind::Alias(target) | GlobalKind::Ifunc(target) => {
                    [Some(*target), None, None]
                }
                GlobalKind::Pending => [None; 3],
            };
            let constants = constants.into_iter().flatten();
            used.extend(constants.filter_map(|id| special.get(&id).copied()));
        }
        for (_, _, function) in module.functions() {
            if let Some(body) = &function.body {
                let operands = (body.insts.iter()).flat_map(|(inst, _)| body.operands(inst));
                let constants = operands.filter_map(|value| value.constant());
                used.extend(constants.filter_map(|id| special.get(&id).copied()));
            }
        }
        used
    }

    /// What holds for all globals.
    fn global(&mut self, id: GlobalId, global: &Global) {
        let declared = is_declaration(global);
        rule!(
            self.global_rule,
            !declared || matches!(global.linkage, Linkage::External | Linkage::ExternWeak),
            "a declaration is `external` or `extern_weak`, not `{}`",
            global.linkage.keyword()
        );
        self.global_rule(
            declared || global.linkage != Linkage::ExternWeak,
            "a definition cannot be `extern_weak`",
        );
        if global.linkage == Linkage::Appending {
            self.global_rule(
                matches!(global.kind, GlobalKind::Variable(_))
                    && matches!(self.ty(global.value_ty), Type::Array { .. }),
                "only variables of array type can be `appending`",
            );
        }
        if is_declaration_for_linker(global) {
            self.global_rule(
                global.comdat.is_none(),
                "a global without a definition cannot be in a comdat",
            );
        }
        self.global_rule(
            !is_local(global.linkage) || global.visibility == Visibility::Default,
            "a private or internal global has default visibility",
        );
        match global.dll_storage {
            DllStorage::Export => {
                self.global_rule(
                    global.visibility != Visibility::Hidden && !is_local(global.linkage),
                    "a `dllexport` global must be visible",
                );
            }
            DllStorage::Import => {
                self.global_rule(
                    global.visibility == Visibility::Default && !global.dso_local,
                    "a `dllimport` global has default visibility and is not `dso_local`",
                );
                self.global_rule(
                    declared || global.linkage == Linkage::AvailableExternally,
                    "a `dllimport` global is not defined here",
                );
            }
            DllStorage::Default => {}
        }
        self.global_attachments(id, global);
    }

    fn variable(&mut self, id: GlobalId, global: &Global, variable: &Variable) {
        let module = self.module;
        if let Some(init) = variable.init {
            let ty = module.constants.get(init).ty;
            rule!(
                self.global_rule,
                ty == global.value_ty,
                "a variable of type {} has an initial value of type {}",
                self.show(global.value_ty),
                self.show(ty)
            );
            if global.linkage == Linkage::Common {
                self.global_rule(
                    module.constants.is_zero(init),
                    "a `common` variable starts as zero",
                );
                self.global_rule(!variable.constant, "a `common` variable cannot be constant");
                self.global_rule(
                    global.comdat.is_none(),
                    "a `common` variable cannot be in a comdat",
                );
            }
        }
        let scalable = self.is_scalable(global.value_ty);
        self.global_rule(!scalable, "a variable cannot hold scalable vectors");
        match self.ty(global.value_ty) {
            Type::Void | Type::Label | Type::Metadata | Type::Token | Type::Function { .. } => {
                rule!(
                    self.global_rule,
                    false,
                    "a variable cannot have type {}",
                    self.show(global.value_ty)
                );
            }
            Type::Named(_) if variable.init.is_some() => {
                let opaque = module.types.fields(global.value_ty).is_none();
                self.global_rule(!opaque, "a variable of an opaque type has no value");
            }
            Type::Target { .. } => {
                let sized = self.is_sized(global.value_ty);
                self.global_rule(sized, "a variable cannot have this target type");
            }
            _ => {}
        }
        let name = global.name.map(|name| module.names.bytes(name));
        if let Some(kind) = name.and_then(special_variable) {
            self.special(id, global, variable, kind);
        }
    }

    /// `llvm.global_ctors`, `llvm.used` and their kin.
    fn special(&mut self, id: GlobalId, global: &Global, variable: &Variable, kind: Special) {
        let types = &self.module.types;
        rule!(
            self.global_rule,
            variable.init.is_none() || global.linkage == Linkage::Appending,
            "{} must be `appending`",
            self.name_of(id)
        );
        let Type::Array { element, .. } = self.ty(global.value_ty) else {
            return;
        };
        match kind {
            Special::Structors => {
                let program = Type::Ptr(self.layout.program_space);
                let fits = match types.fields(element) {
                    Some(&[priority, function, data]) => {
                        priority == types.i32
                            && types.get(function) == program
                            && types.is_ptr(data)
                    }
                    _ => false,
                };
                rule!(
                    self.global_rule,
                    fits,
                    "{} is an array of {{ i32, ptr, ptr }}",
                    self.name_of(id)
                );
            }
            Special::Used => {
                let is_ptr = types.is_ptr(element);
                rule!(
                    self.global_rule,
                    is_ptr,
                    "{} is an array of pointers",
                    self.name_of(id)
                );
                let Some(init) = variable.init.filter(|_| is_ptr) else {
                    return;
                };
                let ConstKind::Aggregate(list) = self.module.constants.get(init).kind else {
                    rule!(
                        self.global_rule,
                        false,
                        "{} must list globals",
                        self.name_of(id)
                    );
                    return;
                };
                for &member in self.module.constants.list(list) {
                    let target = self.stripped(member);
                    let named = target.is_some_and(|target| {
                        let target = &self.module.globals[target];
                        target.name.is_some() && !matches!(target.kind, GlobalKind::Ifunc(_))
                    });
                    rule!(
                        self.global_rule,
                        named,
                        "{} must list globals with names",
                        self.name_of(id)
                    );
                }
            }
        }
    }

    /// The global below casts and offsets of zero.
    pub(super) fn stripped(&self, constant: ConstId) -> Option<GlobalId> {
        let constants = &self.module.constants;
        let mut at = constant;
        loop {
            match constants.get(at).kind {
                ConstKind::Global(global) => return Some(global),
                ConstKind::Expr(id) => {
                    let expr = constants.expr(id);
                    let operands = constants.list(expr.operands);
                    let (&first, rest) = operands.split_first()?;
                    match expr.op {
                        ExprOp::Cast(_) => at = first,
                        ExprOp::Gep { .. } if rest.iter().all(|&i| constants.is_zero(i)) => {
                            at = first;
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }

    fn alias(&mut self, id: GlobalId, global: &Global, target: ConstId) {
        rule!(
            self.global_rule,
            matches!(
                global.linkage,
                Linkage::External
                    | Linkage::Private
                    | Linkage::Internal
                    | Linkage::LinkOnceAny
                    | Linkage::LinkOnceOdr
                    | Linkage::WeakAny
                    | Linkage::WeakOdr
                    | Linkage::AvailableExternally
            ),
            "an alias cannot be `{}`",
            global.linkage.keyword()
        );
        let constants = &self.module.constants;
        let value = constants.get(target);
        self.global_rule(
            self.ty(value.ty) == Type::Ptr(global.space),
            "an alias and what it stands for must have one type",
        );
        self.global_rule(
            matches!(value.kind, ConstKind::Global(_) | ConstKind::Expr(_)),
            "an alias stands for a global or an expression of one",
        );
        let elsewhere = global.linkage == Linkage::AvailableExternally;
        // Walk all that the alias stands for; other aliases lead on, initialisers do not.
        let mut seen = FxHashSet::default();
        let mut path = FxHashSet::from_iter([id]);
        let mut work = vec![target];
        while let Some(constant) = work.pop() {
            if !seen.insert(constant) {
                continue;
            }
            let Some(next) = self.module.global_of(constant) else {
                self.global_rule(
                    !elsewhere,
                    "an `available_externally` alias stands for an `available_externally` global",
                );
                work.extend(constants.operands(constant));
                continue;
            };
            let next_global = &self.module.globals[next];
            if elsewhere {
                self.global_rule(
                    next_global.linkage == Linkage::AvailableExternally,
                    "an `available_externally` alias stands for an `available_externally` global",
                );
            } else {
                self.global_rule(
                    !is_declaration_for_linker(next_global),
                    "an alias must stand for a definition",
                );
            }
            if let GlobalKind::Alias(further) = next_global.kind {
                if next == id || path.contains(&next) {
                    self.global_rule(false, "aliases form a cycle");
                    break;
                }
                self.global_rule(
                    !is_interposable(next_global.linkage),
                    "an alias cannot stand for an alias that may be replaced",
                );
                path.insert(next);
                // What an alias before this one leads to was reported there.
                if !self.aliases.contains(&next) {
                    work.push(further);
                }
            }
        }
        // What holds for this one was checked for all on the way; a cycle is reported once.
        self.aliases.extend(path);
    }

    fn ifunc(&mut self, global: &Global, resolver: ConstId) {
        rule!(
            self.global_rule,
            matches!(
                global.linkage,
                Linkage::External
                    | Linkage::Private
                    | Linkage::Internal
                    | Linkage::LinkOnceAny
                    | Linkage::LinkOnceOdr
                    | Linkage::WeakAny
                    | Linkage::WeakOdr
            ),
            "an ifunc cannot be `{}`",
            global.linkage.keyword()
        );
        let mut target = self.stripped(resolver);
        for _ in 0..self.module.globals.len() {
            match target.map(|id| &self.module.globals[id].kind) {
                Some(GlobalKind::Alias(next)) => target = self.stripped(*next),
                _ => break,
            }
        }
        let Some(function) = target.map(|id| &self.module.globals[id]) else {
            self.global_rule(false, "the resolver of an ifunc must be a function");
            return;
        };
        let signature = self.module.types.signature(function.value_ty);
        match (&function.kind, signature) {
            (GlobalKind::Function(_), Some((ret, _, _))) => {
                self.global_rule(
                    !is_declaration_for_linker(function),
                    "the resolver of an ifunc must be defined here",
                );
                self.global_rule(
                    self.module.types.is_ptr(ret),
                    "the resolver of an ifunc returns a pointer",
                );
            }
            _ => {
                self.global_rule(false, "the resolver of an ifunc must be a function");
            }
        }
        self.global_rule(
            self.ty(self.module.constants.get(resolver).ty) == Type::Ptr(global.space),
            "an ifunc and its resolver must lie in one address space",
        );
    }

    /// On Windows the global that names a comdat must have a symbol.
    fn comdats(&mut self) {
        let triple = self.module.triple.map(|name| self.module.names.text(name));
        if !triple.is_some_and(|triple| triple.contains("windows")) {
            return;
        }
        for (_, comdat) in self.module.comdats.iter() {
            let namesake = self
                .module
                .globals
                .iter()
                .find(|(_, global)| global.name == Some(comdat.name));
            if let Some((_, global)) = namesake {
                self.at = global.pos;
                self.global_rule(
                    global.linkage != Linkage::Private,
                    "the global that names a comdat cannot be private",
                );
            }
        }
    }

    /// Whether another definition may take the place of a function.
    pub(super) fn is_interposable(&self, global: GlobalId) -> bool {
        is_interposable(self.module.globals[global].linkage)
    }
}

/// Variables that mean something to the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Special {
    Structors,
    Used,
}

fn special_variable(name: &[u8]) -> Option<Special> {
    match name {
        b"llvm.global_ctors" | b"llvm.global_dtors" => Some(Special::Structors),
        b"llvm.used" | b"llvm.compiler.used" => Some(Special::Used),
        _ => None,
    }
}
