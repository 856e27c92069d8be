//! Replaces calls of NVVM builtins by what they mean.
//!
//! ```text
//!   %old = call i32 @__nv_atomic_fetch_add_4_u(ptr %p, i32 %v, i32 5, i32 3)
//!    ──► %old = atomicrmw add ptr %p, i32 %v syncscope("device") seq_cst, align 4
//!
//!   %old = call i32 @__nvvm_atom_cta_inc_gen_ui(ptr %p, i32 %v)
//!    ──► %old = atomicrmw uinc_wrap ptr %p, i32 %v syncscope("block") monotonic, align 4
//! ```
//!
//! A builtin is a function without a body whose name is in the table of `warpc-builtins`; one with a body is the
//! user's own. Each family is a file, and [`Family::of`] is where a new one is hooked in:
//!
//! | family | names | becomes |
//! |---|---|---|
//! | [`legacy_atomic`] | `__nvvm_atom_*` | LLVM's atomics, relaxed; vectors of `float` inline PTX |
//! | [`cxx_atomic`] | `__nv_atomic_*` | LLVM's atomics and fences, with order and scope |
//! | [`barrier`] | `__nvvm_membar_*` | inline PTX |
//!
//! LLVM's atomics take the road of every other atomic: spaces are inferred, what the chip lacks is expanded, and the order
//! table is asked when PTX is made. Inline PTX is for what they cannot say.
//!
//! A family gets a [`Call`], adds instructions and says what the result is, or gives back the error. Names,
//! orders and scopes come from `warpc-model`; the table from orders to instructions from the options.

mod address;
mod barrier;
mod call;
mod cxx_atomic;
mod legacy_atomic;
mod llvm_atomic;
mod ptx_atomic;

use crate::edit::{Action, edit_bodies};
use crate::pass::Context;
use call::{Call, Outcome, Refusal};
use rustc_hash::FxHashMap;
use warpc_builtins::Atomic;
use warpc_builtins::construct::Spelling;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::Op;
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::value::InstId;

/// A family of builtins, with what the name says.
#[derive(Clone, Copy, Debug)]
enum Family {
    LegacyAtomic(legacy_atomic::Legacy),
    CxxAtomic(Spelling),
    Barrier(barrier::Barrier),
    /// The name begins as those of a family do, but there is no such builtin.
    NoSuchAtomic,
}

impl Family {
    /// The family of a function's name: of a row of the table, or an overload of one.
    fn of(name: &str) -> Option<Family> {
        let family = match Atomic::parse(name) {
            Some(Atomic::Cxx(spelling)) => Some(Family::CxxAtomic(spelling)),
            Some(Atomic::Legacy {
                op,
                class,
                bytes,
                elements,
                scope,
            }) => Some(Family::LegacyAtomic(legacy_atomic::Legacy {
                op,
                class,
                bytes,
                elements,
                scope,
            })),
            None => barrier::Barrier::parse(name).map(Family::Barrier),
        };
        let looks_atomic = name.starts_with("__nv_atomic_") || name.starts_with("__nvvm_atom_");
        family.or_else(|| looks_atomic.then_some(Family::NoSuchAtomic))
    }

    /// Replaces a call.
    fn lower(self, call: &mut Call) -> Outcome {
        match self {
            Family::LegacyAtomic(builtin) => legacy_atomic::lower(call, builtin),
            Family::CxxAtomic(builtin) => cxx_atomic::lower(call, builtin),
            Family::Barrier(builtin) => barrier::lower(call, builtin),
            Family::NoSuchAtomic => Err(call.no_operation()),
        }
    }
}

/// Whether calls of a function are replaced here, so that there is no such function.
pub(super) fn is_replaced(name: &str) -> bool {
    Family::of(name).is_some()
}

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let mut families: FxHashMap<GlobalId, (Family, String)> = FxHashMap::default();
    for (id, global, function) in module.functions() {
        if let (Some(name), None) = (global.name, &function.body) {
            let name = module.names.text(name);
            if let Some(family) = Family::of(&name) {
                families.insert(id, (family, name.into_owned()));
            }
        }
    }
    if families.is_empty() {
        return;
    }
    let family = |module: &Module, body: &Body, inst: InstId| {
        let callee = match body.insts[inst].op {
            Op::Call(_) => body.operands(inst).last()?.constant()?,
            _ => return None,
        };
        families.get(&module.global_of(callee)?)
    };
    edit_bodies(module, |editor| {
        if !editor.any(|module, body, inst| family(module, body, inst).is_some()) {
            return;
        }
        editor.rewrite(|editor, inst| {
            let Some((family, name)) = family(editor.module, editor.body, inst) else {
                return Action::Keep;
            };
            let mut call = Call::new(editor, context, inst, name);
            match family.lower(&mut call) {
                Ok(Some(value)) => Action::Replace(value),
                Ok(None) => Action::Remove,
                Err(refusal) => {
                    if let Refusal::Because(error) = refusal {
                        context.found.push(*error);
                    }
                    Action::Keep
                }
            }
        });
    });
}
