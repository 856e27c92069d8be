//! `__nvvm_atom_*`: CUDA's `atomicAdd` and its kin.
//!
//! They are relaxed, and their scope stands in the name: the device, `cta_` or `sys_`. All but vectors become
//! LLVM's atomics, which later passes know. With a cache policy they become inline PTX: LLVM's atomics cannot
//! carry one.
//!
//! Values wider than a register are values here (`i128`, vectors, structs or arrays of `float`), or lie after
//! pointers as CUDA's headers pass them: `void (ptr, ptr value, ptr result)`.

use super::call::{Call, Outcome, Refusal};
use super::ptx_atomic::{AtomicAccess, Kind};
use warpc_model::{
    Access as ModelAccess, Atomic, AtomicOp, AtomicType, Ordering, Scope, TypeClass,
};
use warpc_nvvm::inst::CastOp;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// What the name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Legacy {
    pub op: AtomicOp,
    pub class: TypeClass,
    /// Of an element.
    pub bytes: u8,
    /// 2 and 4 for vectors.
    pub elements: u8,
    pub scope: Scope,
}

pub(super) fn lower(call: &mut Call, builtin: Legacy) -> Outcome {
    let operands = if builtin.op == AtomicOp::Cas { 2 } else { 1 };
    let is_wide = builtin.elements > 1 || builtin.bytes == 16;
    if !is_wide || call.ty != call.editor.module.types.void {
        call.check_count(&[1 + operands])?;
        return update(call, builtin, operands);
    }
    call.check_count(&[2 + operands])?;
    for index in 0..2 + operands {
        call.check_pointer(index)?;
    }
    let mut ty = scalar(call, builtin);
    if builtin.elements > 1 {
        ty = call.editor.vector_type(ty, builtin.elements.into());
    }
    let align = u64::from(builtin.bytes) * u64::from(builtin.elements);
    let result = call.args[1 + operands];
    call.args.truncate(1 + operands);
    call.ty = ty;
    for index in 1..=operands {
        call.args[index] = call.editor.load(ty, call.args[index], align, false);
    }
    if let Some(old) = update(call, builtin, operands)? {
        call.editor.store(old, result, align, false);
    }
    Ok(None)
}

/// The update of values that are arguments.
fn update(call: &mut Call, builtin: Legacy, operands: usize) -> Outcome {
    call.check_pointer(0)?;
    check_target(call, builtin)?;
    if builtin.elements > 1 {
        return add_vector(call, builtin);
    }
    let ty = scalar(call, builtin);
    for index in 1..=operands {
        call.check_arg(index, ty)?;
    }
    call.check_result(ty)?;
    let what = AtomicAccess {
        kind: Kind::Rmw(builtin.op),
        class: instruction(builtin).map_or(builtin.class, |atomic| atomic.ty.class()),
        bytes: builtin.bytes.into(),
    };
    let order = (Ordering::Relaxed, builtin.scope);
    if let (AtomicOp::Cas, &[_, expected, new]) = (builtin.op, &call.args[..]) {
        let (old, _) = call.swap_access(what, order, 0, [expected, new])?;
        return Ok(Some(old));
    }
    let value = call.args[1];
    let old = call.atomic_access(what, order, 0, &[value])?;
    Ok(old.map(|old| call.editor.cast(CastOp::Bitcast, old, ty)))
}

/// What LLVM calls the type of an element.
fn scalar(call: &mut Call, builtin: Legacy) -> TypeId {
    call.value_type(builtin.class, builtin.bytes.into())
}

/// The instruction of a builtin, without order and scope.
fn instruction(builtin: Legacy) -> Option<Atomic> {
    let class = match builtin.op {
        AtomicOp::Add if builtin.class == TypeClass::Signed => TypeClass::Unsigned,
        AtomicOp::Add | AtomicOp::Min | AtomicOp::Max | AtomicOp::Inc | AtomicOp::Dec => {
            builtin.class
        }
        _ => TypeClass::Bits,
    };
    let ty = AtomicType::new(class, builtin.bytes.into())?;
    Some(Atomic {
        elements: builtin.elements,
        ..Atomic::new(builtin.op, ty)
    })
}

/// Whether the target has the instruction; a compare-and-swap of 16 bits is expanded where it has none.
fn check_target(call: &Call, builtin: Legacy) -> Result<(), Refusal> {
    let needs = instruction(builtin).map(|atomic| atomic.check());
    let Some(Ok(needs)) = needs else {
        return Err(call.no_operation());
    };
    let sm = call.options.sm;
    let expands = builtin.bytes == 2;
    if needs.required_version(sm).is_some() || expands {
        return Ok(());
    }
    let gates: Vec<String> = needs
        .parts()
        .iter()
        .map(|part| part.1.to_string())
        .collect();
    let other = match builtin.elements {
        1 => "two atomics of 64 bits are not the same; use a lock",
        _ => "or call the `_f` builtin for each element",
    };
    Err(call.lacks(
        &format!("{sm} has no such atomic"),
        &format!("it needs {}; {other}", gates.join(", ")),
    ))
}

/// `atom.global.add.v2.f32` and `.v4.f32`. Only global memory has them.
fn add_vector(call: &mut Call, builtin: Legacy) -> Outcome {
    let ty = call.ty;
    let float = call.editor.module.types.intern(Type::Float);
    let count = u32::from(builtin.elements);
    let vector = call.editor.vector_type(float, count);
    let is_vector = ty == vector;
    if !is_vector && !is_all(call, ty, float, count) {
        call.check_result(vector)?;
    }
    call.check_arg(1, ty)?;
    let value = call.args[1];
    let elements: Vec<Value> = match is_vector {
        true => call.editor.elements(value),
        false => (0..count).map(|at| call.editor.member(value, at)).collect(),
    };
    if call.address(0).space.is_shared() {
        return Err(call.error(
            "atomics of vectors are in global memory only, and this address is in shared memory",
            "call the `_f` builtin for each element",
        ));
    }
    let address = call.global_address(0);
    let lowered = call.ordered(ModelAccess::Rmw, Ordering::Relaxed, builtin.scope)?;
    let Some(mut atomic) = instruction(builtin) else {
        return Err(call.no_operation());
    };
    (atomic.order, atomic.scope, atomic.space) = (lowered.order, lowered.scope, address.space);
    atomic.cache_hint = call.policy.is_some();
    let made = call.vector_atom(&atomic, address, &elements);
    let parts: Vec<Value> = (0..count).map(|at| call.editor.member(made, at)).collect();
    Ok(Some(match is_vector {
        true => call.editor.vector(ty, &parts),
        false => {
            let mut whole = call.editor.poison(ty);
            for (at, &part) in parts.iter().enumerate() {
                whole = call.editor.with_member(whole, part, at as u32);
            }
            whole
        }
    }))
}

/// Whether a struct or array has this many members of one type and nothing else.
fn is_all(call: &Call, ty: TypeId, member: TypeId, count: u32) -> bool {
    let types = &call.editor.module.types;
    match types.get(ty) {
        Type::Array { element, len } => element == member && len == u64::from(count),
        Type::Struct { .. } | Type::Named(_) => types.fields(ty).is_some_and(|fields| {
            fields.len() == count as usize && fields.iter().all(|&field| field == member)
        }),
        _ => false,
    }
}
