//! Replacing constants everywhere in a module.
//!
//! A constant is rebuilt if a part of it is replaced. Parts are made before the whole, so one walk in
//! the order of the numbers does it.

use crate::Module;
use crate::constant::{ConstId, ConstKind};
use crate::index::Id;
use crate::metadata::{FieldValue, Md};
use crate::module::GlobalKind;
use crate::value::{Operand, Value};

/// Replaces the constants for which `new` has another one, and rebuilds the constants they are part of:
/// in instructions, initialisers, aliases, debug records and metadata. What `new` gives must have the
/// same type and is not asked for again.
pub fn replace_constants(
    module: &mut Module,
    mut new: impl FnMut(&mut Module, ConstId) -> Option<ConstId>,
) {
    let mut map: Vec<Option<ConstId>> = vec![None; module.constants.len()];
    let mut changed = false;
    for index in 0..map.len() {
        let id = ConstId::new(index);
        map[index] = new(module, id).or_else(|| rebuilt(module, id, &map));
        changed |= map[index].is_some();
    }
    if changed {
        apply(module, &map);
    }
}

/// The constant with its parts replaced, if there are such.
fn rebuilt(module: &mut Module, id: ConstId, map: &[Option<ConstId>]) -> Option<ConstId> {
    let new = |part: ConstId| map.get(part.index()).copied().flatten().unwrap_or(part);
    let constants = &mut module.constants;
    let parts: Vec<ConstId> = constants.operands(id).collect();
    if parts.iter().all(|&part| new(part) == part) {
        return None;
    }
    let parts: Vec<ConstId> = parts.into_iter().map(new).collect();
    let constant = constants.get(id);
    Some(match constant.kind {
        ConstKind::Expr(expr) => {
            let expr = constants.expr(expr);
            constants.expression(constant.ty, expr.op, expr.flags, &parts)
        }
        ConstKind::PtrAuth(_) => {
            let list = constants.intern_list(&parts);
            constants.intern(constant.ty, ConstKind::PtrAuth(list))
        }
        _ => constants.aggregate(&module.types, &mut module.names, constant.ty, &parts),
    })
}

/// Replaces constants everywhere in a module.
fn apply(module: &mut Module, map: &[Option<ConstId>]) {
    let replace = |constant: &mut ConstId| {
        if let Some(new) = map.get(constant.index()).copied().flatten() {
            *constant = new;
        }
    };
    let replace_value = |value: &mut Value| match value.get() {
        Operand::Const(mut constant) => {
            replace(&mut constant);
            *value = constant.into();
        }
        Operand::Metadata(md) => {
            if let Md::Const(mut constant) = md.get() {
                replace(&mut constant);
                *value = Operand::Metadata(Md::Const(constant).into()).into();
            }
        }
        _ => {}
    };
    for (_, global) in module.globals.iter_mut() {
        match &mut global.kind {
            GlobalKind::Variable(variable) => variable.init.iter_mut().for_each(replace),
            GlobalKind::Alias(target) | GlobalKind::Ifunc(target) => replace(target),
            GlobalKind::Function(function) => {
                function.prefix.iter_mut().for_each(replace);
                function.prologue.iter_mut().for_each(replace);
                function.personality.iter_mut().for_each(replace);
                let Some(body) = &mut function.body else {
                    continue;
                };
                for inst in body.insts.ids() {
                    body.operands_mut(inst).iter_mut().for_each(replace_value);
                }
                for record in 0..body.records.len() {
                    let operands = body.record_operands_mut(record);
                    operands.iter_mut().for_each(replace_value);
                }
                for (_, list) in body.arg_lists.iter_mut() {
                    list.iter_mut().for_each(replace_value);
                }
            }
            GlobalKind::Pending => {}
        }
    }
    for node in module.metadata.ids() {
        for field in module.metadata.fields_mut(node) {
            if let FieldValue::Md(md) = &mut field.value
                && let Md::Const(mut constant) = md.get()
            {
                replace(&mut constant);
                *md = Md::Const(constant).into();
            }
        }
    }
}
