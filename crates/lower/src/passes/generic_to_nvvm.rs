//! Moves variables from the generic address space to the global one.
//!
//! ```text
//!   @g = global i32 0            ──►  @g = addrspace(1) global i32 0
//!   load i32, ptr @g                  load i32, ptr addrspacecast (ptr addrspace(1) @g to ptr)
//! ```
//!
//! PTX has no variables in generic memory: front ends that write them there mean global memory. Every use
//! goes through a cast back to a generic address, inside constant expressions, initialisers, aliases and
//! metadata too; a use that casts to the global space at once needs none. Variables that LLVM keeps for
//! itself (`llvm.…`, `nvvm.…`), references to textures, surfaces and samplers, and thread-local variables, which
//! PTX does not have, stay.

use crate::pass::Context;
use rustc_hash::FxHashSet;
use warpc_nvvm::Module;
use warpc_nvvm::constant::{ConstId, ConstKind, ExprOp};
use warpc_nvvm::inst::{CastOp, Flags};
use warpc_nvvm::metadata::Md;
use warpc_nvvm::module::{Global, GlobalId, GlobalKind, ThreadLocal};
use warpc_nvvm::replace_constants;
use warpc_nvvm::types::Type;

/// The address space of global memory.
const GLOBAL: u32 = 1;

pub(super) fn run(module: &mut Module, context: &mut Context) {
    if !context.options.generic_to_nvvm {
        return;
    }
    let references = references(module);
    let moved: FxHashSet<GlobalId> = module
        .variables()
        .filter(|(id, global, _)| {
            global.space == 0
                && global.thread_local == ThreadLocal::None
                && !is_reserved(module, global)
                && !references.contains(id)
        })
        .map(|(id, _, _)| id)
        .collect();
    if moved.is_empty() {
        return;
    }
    for &id in &moved {
        module.globals[id].space = GLOBAL;
    }
    replace_constants(module, |module, id| {
        let constant = module.constants.get(id);
        match constant.kind {
            ConstKind::Global(global) if moved.contains(&global) => {
                let address = module.address_of(global);
                let cast = ExprOp::Cast(CastOp::Addrspacecast);
                Some(
                    module
                        .constants
                        .expression(constant.ty, cast, Flags::empty(), &[address]),
                )
            }
            ConstKind::Expr(_) => cast_to_global(module, id, &moved),
            _ => None,
        }
    });
}

/// The address of a moved variable in the global space, if that is what a constant is.
fn cast_to_global(
    module: &mut Module,
    id: ConstId,
    moved: &FxHashSet<GlobalId>,
) -> Option<ConstId> {
    let constant = module.constants.get(id);
    let ConstKind::Expr(expr) = constant.kind else {
        return None;
    };
    let expr = module.constants.expr(expr);
    let to_global = expr.op == ExprOp::Cast(CastOp::Addrspacecast)
        && module.types.get(constant.ty) == Type::Ptr(GLOBAL);
    let operand = *module.constants.list(expr.operands).first()?;
    let global = module.global_of(operand)?;
    (to_global && moved.contains(&global)).then(|| module.address_of(global))
}

fn is_reserved(module: &Module, global: &Global) -> bool {
    let name = global.name.map(|name| module.names.bytes(name));
    name.is_some_and(|name| name.starts_with(b"llvm.") || name.starts_with(b"nvvm."))
}

/// Variables that `!nvvm.annotations` calls textures, surfaces or samplers.
fn references(module: &Module) -> FxHashSet<GlobalId> {
    let mut found = FxHashSet::default();
    let annotations = module.names.find(b"nvvm.annotations");
    let Some(annotations) = annotations.and_then(|name| module.metadata.named(name)) else {
        return found;
    };
    for &node in &annotations.nodes {
        let Some(Md::Const(constant)) = module.metadata.operand(node, 0).map(|md| md.get()) else {
            continue;
        };
        let Some(global) = module.global_of(constant) else {
            continue;
        };
        let count = module.metadata.fields(node).len();
        let says = (1..count).step_by(2).any(|at| {
            match module.metadata.operand(node, at).map(|md| md.get()) {
                Some(Md::String(key)) => {
                    let key = module.names.bytes(key);
                    [&b"texture"[..], b"surface", b"sampler"].contains(&key)
                }
                _ => false,
            }
        });
        if says && matches!(module.globals[global].kind, GlobalKind::Variable(_)) {
            found.insert(global);
        }
    }
    found
}
