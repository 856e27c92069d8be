//! Intrinsics that are called but not declared.
//!
//! LLVM's reader declares them at the end of the module, in the order of their names: the type is that of
//! the call, and the types that an overloaded name carries are made right.

use super::{Reader, record};
use crate::index::Id;
use crate::inst::CallConv;
use crate::module::{Function, Global, GlobalId, GlobalKind};
use crate::types::TypeId;
use crate::value::InstId;
use rustc_hash::FxHashMap;

/// A call of something that is not declared.
struct Undeclared {
    caller: GlobalId,
    inst: InstId,
    callee: GlobalId,
    ty: TypeId,
}

impl Reader<'_> {
    /// Declares the intrinsics that are called and known. What is left is reported as not defined.
    pub(super) fn declare_intrinsics(&mut self) {
        let mut intrinsics: Vec<(Vec<u8>, GlobalId)> = Vec::new();
        for &id in self.undefined_globals.keys() {
            let Some(name) = self.module.globals[id].name else {
                continue;
            };
            let name = self.module.names.bytes(name);
            if name.starts_with(b"llvm.") {
                intrinsics.push((name.to_vec(), id));
            }
        }
        if intrinsics.is_empty() {
            return;
        }
        intrinsics.sort_unstable();
        let calls = self.undeclared_calls();
        for (name, id) in intrinsics {
            if record::intrinsic_named(&name).is_some() {
                // Its calls became records.
                let ty = self
                    .module
                    .types
                    .function(self.module.types.void, &[], false);
                self.fill_declaration(id, ty);
                self.undefined_globals.remove(&id);
            } else if crate::intrinsic::find(&name).is_some() || crate::upgrade::is_old(&name) {
                self.declare_called(&name, id, &calls);
            }
        }
    }

    /// Declares an intrinsic with the types of its calls.
    fn declare_called(&mut self, name: &[u8], id: GlobalId, calls: &[Undeclared]) {
        let row = crate::intrinsic::find(name);
        let mut targets: FxHashMap<TypeId, GlobalId> = FxHashMap::default();
        for call in calls.iter().filter(|call| call.callee == id) {
            let target = match targets.get(&call.ty) {
                Some(&target) => target,
                None => {
                    let right = row.and_then(|row| row.name_with(&self.module, call.ty));
                    let target = match right.filter(|right| right.as_bytes() != name) {
                        Some(right) => self.intrinsic_named(&right, id, call.ty),
                        None => self.declaration(id, call.ty),
                    };
                    targets.insert(call.ty, target);
                    target
                }
            };
            let address = self.module.address_of(target);
            if let GlobalKind::Function(caller) = &mut self.module.globals[call.caller].kind
                && let Some(body) = &mut caller.body
                && let Some(callee) = body.operands_mut(call.inst).last_mut()
            {
                *callee = address.into();
            }
        }
        if !targets.is_empty() && self.undefined_globals.remove(&id).is_some() {
            // All calls are of others now.
            let ty = self
                .module
                .types
                .function(self.module.types.void, &[], false);
            self.fill_declaration(id, ty);
        }
    }

    /// The declaration of an intrinsic with its right name, made if it is not there.
    fn intrinsic_named(&mut self, name: &str, used_as: GlobalId, ty: TypeId) -> GlobalId {
        let span = self.undefined_globals.get(&used_as).copied();
        let span = span.unwrap_or(warpc_diag::Span::new(0, 0));
        let name = self.module.names.intern(name.as_bytes());
        let id = match self.known_global(name) {
            Some(id) => id,
            None => {
                let id = self.pending_global(Some(name), span);
                self.module.globals[id].space = 0;
                self.bind_global(name, id);
                id
            }
        };
        self.declaration(id, ty)
    }

    /// Declares a global as a function, if nothing has.
    fn declaration(&mut self, id: GlobalId, ty: TypeId) -> GlobalId {
        if self.undefined_globals.remove(&id).is_some() {
            self.fill_declaration(id, ty);
            self.module.order.push(id);
        }
        id
    }

    fn fill_declaration(&mut self, id: GlobalId, ty: TypeId) {
        let function = Function {
            conv: CallConv::C,
            attrs: self.module.attributes.empty_list,
            gc: None,
            prefix: None,
            prologue: None,
            personality: None,
            body: None,
        };
        let global = &mut self.module.globals[id];
        *global = Global {
            value_ty: ty,
            space: 0,
            kind: GlobalKind::Function(Box::new(function)),
            ..global.clone()
        };
    }

    /// The calls of what is not declared, in the order of the text.
    fn undeclared_calls(&self) -> Vec<Undeclared> {
        let mut calls = Vec::new();
        for (caller, global) in self.module.globals.iter() {
            let GlobalKind::Function(function) = &global.kind else {
                continue;
            };
            let Some(body) = &function.body else { continue };
            for index in 0..body.insts.len() {
                let inst = InstId::new(index);
                let Some(site) = body.insts[inst].op.call_site() else {
                    continue;
                };
                let callee = body.operands(inst).last().and_then(|last| last.constant());
                let callee = callee.and_then(|address| self.module.global_of(address));
                if let Some(callee) = callee.filter(|id| self.undefined_globals.contains_key(id)) {
                    calls.push(Undeclared {
                        caller,
                        inst,
                        callee,
                        ty: self.module.call_sites.get(site).ty,
                    });
                }
            }
        }
        calls
    }
}
