//! Rewriting bodies: new instructions before others, values replaced everywhere.

use crate::Module;
use crate::function::Body;
use crate::index::Id;
use crate::inst::{CallConv, CallSite, Inst, Op, Tail};
use crate::module::{GlobalId, GlobalKind};
use crate::types::TypeId;
use crate::value::{InstId, Operand, Value};
use rustc_hash::FxHashMap;

/// Does something with each body of a module.
pub(super) fn each_body(
    module: &mut Module,
    mut work: impl FnMut(&mut Module, GlobalId, &mut Body),
) {
    let functions: Vec<GlobalId> = module.functions().map(|(id, _, _)| id).collect();
    for id in functions {
        let GlobalKind::Function(function) = &mut module.globals[id].kind else {
            continue;
        };
        let Some(mut body) = function.body.take() else {
            continue;
        };
        work(module, id, &mut body);
        if let GlobalKind::Function(function) = &mut module.globals[id].kind {
            function.body = Some(body);
        }
    }
}

/// A new instruction, in no block yet, and its result.
pub(super) fn add(body: &mut Body, op: Op, ty: TypeId, operands: &[Value]) -> (InstId, Value) {
    let id = body.add_inst(op, ty, operands, true);
    let value = body.insts[id]
        .local()
        .map_or(Value::from(crate::value::Local::new(0)), Value::from);
    (id, value)
}

/// A new instruction without a result.
pub(super) fn add_void(body: &mut Body, op: Op, ty: TypeId, operands: &[Value]) -> InstId {
    body.add_inst(op, ty, operands, false)
}

/// Gives new instructions the place in the source of another.
pub(super) fn place(body: &mut Body, insts: &[InstId], like: &Inst) {
    for &inst in insts {
        body.insts[inst].debug_location = like.debug_location;
        body.insts[inst].pos = like.pos;
    }
}

/// Replaces values in all operands.
pub(super) fn replace(body: &mut Body, replaced: &FxHashMap<Value, Value>) {
    if replaced.is_empty() {
        return;
    }
    let find = |mut value: Value| {
        // A value may be replaced by one that is replaced itself; the number of steps is bounded.
        for _ in 0..replaced.len() {
            match replaced.get(&value) {
                Some(&next) => value = next,
                None => break,
            }
        }
        value
    };
    let insts: Vec<InstId> = body.insts.ids().collect();
    for inst in insts {
        for operand in body.operands_mut(inst) {
            *operand = match operand.get() {
                Operand::Local(_) => find(*operand),
                Operand::LocalMetadata(local) => match find(local.into()).get() {
                    Operand::Local(local) => Operand::LocalMetadata(local).into(),
                    Operand::Const(constant) => {
                        Operand::Metadata(crate::metadata::Md::Const(constant).into()).into()
                    }
                    _ => *operand,
                },
                _ => *operand,
            };
        }
    }
}

/// What calls of a function with a type have in common.
pub(super) fn call_site(module: &mut Module, ty: TypeId, args: usize) -> Op {
    let bundles = module.bundles.intern(&[]);
    Op::Call(module.call_sites.intern(CallSite {
        ty,
        attrs: module.attributes.empty_list,
        conv: CallConv::C,
        tail: Tail::None,
        args: args as u32,
        bundles,
    }))
}
