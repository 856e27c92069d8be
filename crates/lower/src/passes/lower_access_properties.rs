//! Gives loads and stores through an annotated pointer their cache policy.
//!
//! ```text
//!   %q = call ptr @__nv_associate_access_property_impl(ptr %p, i64 %policy)
//!   %r = getelementptr i32, ptr %q, i64 3
//!   %v = load i32, ptr %r
//!    ──►  %r = getelementptr i32, ptr %p, i64 3
//!         %g = addrspacecast ptr %r to ptr addrspace(1)
//!         %v = call i32 asm sideeffect "ld.global.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l,~{memory}"(ptr addrspace(1) %g, i64 %policy)
//! ```
//!
//! A policy belongs to the pointer and to what is computed from it in the same function (elements, casts, `freeze`). It is
//! for global memory only, so the pointer is one to global memory. Accesses of one register of 8 to 64 bits carry it; others,
//! and targets without policies, do without: it is advice. A read-modify-write carries it if it is a constant, as metadata.

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use rustc_hash::FxHashMap;
use warpc_model::{Atomic, AtomicOp, AtomicType};
use warpc_nvvm::cache_hint;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{CastOp, Op};
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Local, Value};
use warpc_nvvm::{Module, analysis::Cfg};

/// The builtin.
const NAME: &str = "__nv_associate_access_property_impl";

/// The space of global memory.
const GLOBAL: u32 = 1;

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let declared = module.functions().find(|(_, global, function)| {
        let name = global.name.map(|name| module.names.text(name));
        function.body.is_none() && name.is_some_and(|name| name == NAME)
    });
    let Some((builtin, ..)) = declared else {
        return;
    };
    let mut hinted = Atomic::new(AtomicOp::Exch, AtomicType::B32);
    hinted.cache_hint = true;
    let sm = context.options.sm;
    let has_policies = hinted
        .check()
        .is_ok_and(|needs| needs.required_version(sm).is_some());
    // `define_builtins` makes the address itself of what is left, or says what is wrong with the target.
    if !has_policies {
        return;
    }
    edit_bodies(module, |editor| {
        let policies = policies(editor, builtin);
        if policies.is_empty() {
            return;
        }
        editor.rewrite(|editor, inst| rewrite(editor, builtin, &policies, inst));
    });
}

/// The pointer and the policy of a call of the builtin.
fn association(
    module: &Module,
    body: &Body,
    inst: InstId,
    builtin: GlobalId,
) -> Option<[Value; 2]> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    let &[pointer, policy, callee] = body.operands(inst) else {
        return None;
    };
    let fits = module.global_of(callee.constant()?)? == builtin
        && module.type_of(body, policy) == module.types.i64
        && module.type_of(body, pointer) == body.insts[inst].ty;
    fits.then_some([pointer, policy])
}

/// For each pointer with a policy that policy.
fn policies(editor: &Editor, builtin: GlobalId) -> FxHashMap<Local, Value> {
    let (module, body) = (&*editor.module, &*editor.body);
    let mut policies: FxHashMap<Local, Value> = FxHashMap::default();
    for &block in Cfg::new(body).reverse_post_order() {
        for &inst in &body.blocks[block].insts {
            let policy = match body.insts[inst].op {
                Op::Call(_) => association(module, body, inst, builtin).map(|found| found[1]),
                Op::Gep { .. } | Op::Freeze | Op::Cast(CastOp::Bitcast | CastOp::Addrspacecast) => {
                    let base = body.operands(inst)[0].local();
                    base.and_then(|base| policies.get(&base).copied())
                }
                _ => None,
            };
            if let (Some(policy), Some(local)) = (policy, body.insts[inst].local()) {
                policies.insert(local, policy);
            }
        }
    }
    policies
}

fn rewrite(
    editor: &mut Editor,
    builtin: GlobalId,
    policies: &FxHashMap<Local, Value>,
    inst: InstId,
) -> Action {
    if let Some([pointer, _]) = association(editor.module, editor.body, inst, builtin) {
        return Action::Replace(editor.resolve(pointer));
    }
    let operands = editor.body.operands(inst).to_vec();
    let op = editor.body.insts[inst].op;
    let (place, access) = match op {
        Op::Load(access) | Op::AtomicRmw(_, access) => (0, access),
        Op::Store(access) => (1, access),
        _ => return Action::Keep,
    };
    let policy = operands[place]
        .local()
        .and_then(|local| policies.get(&local));
    let Some(&policy) = policy else {
        return Action::Keep;
    };
    let policy = editor.resolve(policy);
    if access.is_atomic() {
        if let Some(number) = editor.as_u64(policy) {
            let node = cache_hint::node(editor.module, place as u64, number);
            let kind = editor.module.names.intern(cache_hint::KIND.as_bytes());
            editor.attach(inst, kind, node);
        }
        return Action::Keep;
    }
    let ty = match op {
        Op::Store(_) => editor.type_of(operands[0]),
        _ => editor.body.insts[inst].ty,
    };
    let Some((word, letter, register)) = register_of(editor, ty) else {
        return Action::Keep;
    };
    if access.volatile {
        return Action::Keep;
    }
    let global = editor.module.types.pointer(GLOBAL);
    let pointer = editor.resolve(operands[place]);
    let pointer = editor.cast(CastOp::Addrspacecast, pointer, global);
    match op {
        Op::Store(_) => {
            let value = editor.resolve(operands[0]);
            let value = bits_to(editor, value, register);
            let text = format!("st.global.L2::cache_hint.{word} [$0], $1, $2;");
            let void = editor.module.types.void;
            let constraints = format!("l,{letter},l,~{{memory}}");
            editor.asm(&text, &constraints, void, &[pointer, value, policy]);
            Action::Remove
        }
        _ => {
            let text = format!("ld.global.L2::cache_hint.{word} $0, [$1], $2;");
            let constraints = format!("={letter},l,l,~{{memory}}");
            let loaded = editor.asm(&text, &constraints, register, &[pointer, policy]);
            Action::Replace(bits_from(editor, loaded, ty))
        }
    }
}

/// The type of the access, the letter of its register in constraints, and the type of that.
fn register_of(editor: &mut Editor, ty: TypeId) -> Option<(&'static str, &'static str, TypeId)> {
    let (i16, i32, i64) = (
        editor.int_type(16),
        editor.int_type(32),
        editor.int_type(64),
    );
    Some(match editor.module.types.get(ty) {
        Type::Int(8) => ("b8", "r", i32),
        Type::Int(16) => ("b16", "h", i16),
        Type::Int(32) => ("b32", "r", i32),
        Type::Int(64) => ("b64", "l", i64),
        Type::Float => ("b32", "f", ty),
        Type::Double => ("b64", "d", ty),
        Type::Ptr(0 | GLOBAL) => ("b64", "l", ty),
        _ => return None,
    })
}

fn bits_to(editor: &mut Editor, value: Value, register: TypeId) -> Value {
    match editor.type_of(value) == register {
        true => value,
        false => editor.cast(CastOp::Zext, value, register),
    }
}

fn bits_from(editor: &mut Editor, value: Value, ty: TypeId) -> Value {
    match editor.type_of(value) == ty {
        true => value,
        false => editor.cast(CastOp::Trunc, value, ty),
    }
}
