//! What an atomic operation makes of the old value.

use crate::edit::Editor;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate, RmwOp};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::Value;

/// The new value.
pub(super) fn apply(editor: &mut Editor, op: RmwOp, old: Value, value: Value) -> Value {
    match op {
        RmwOp::Xchg => value,
        RmwOp::Add => editor.binary(BinaryOp::Add, old, value),
        RmwOp::Sub => editor.binary(BinaryOp::Sub, old, value),
        RmwOp::And => editor.binary(BinaryOp::And, old, value),
        RmwOp::Or => editor.binary(BinaryOp::Or, old, value),
        RmwOp::Xor => editor.binary(BinaryOp::Xor, old, value),
        RmwOp::Nand => {
            let both = editor.binary(BinaryOp::And, old, value);
            let ones = editor.all_ones(editor.type_of(old));
            editor.binary(BinaryOp::Xor, both, ones)
        }
        RmwOp::Max => choose(editor, IcmpPredicate::Sgt, old, value),
        RmwOp::Min => choose(editor, IcmpPredicate::Sle, old, value),
        RmwOp::Umax => choose(editor, IcmpPredicate::Ugt, old, value),
        RmwOp::Umin => choose(editor, IcmpPredicate::Ule, old, value),
        RmwOp::Fadd => editor.binary(BinaryOp::Fadd, old, value),
        RmwOp::Fsub => editor.binary(BinaryOp::Fsub, old, value),
        RmwOp::Fmax => each(editor, "llvm.maxnum", old, value),
        RmwOp::Fmin => each(editor, "llvm.minnum", old, value),
        RmwOp::Fmaximum => each(editor, "llvm.maximum", old, value),
        RmwOp::Fminimum => each(editor, "llvm.minimum", old, value),
        RmwOp::Fmaximumnum => each(editor, "llvm.maximumnum", old, value),
        RmwOp::Fminimumnum => each(editor, "llvm.minimumnum", old, value),
        // old >= value ? 0 : old + 1
        RmwOp::UincWrap => {
            let ty = editor.type_of(old);
            let (zero, one) = (editor.int(ty, 0), editor.int(ty, 1));
            let next = editor.binary(BinaryOp::Add, old, one);
            let wraps = editor.icmp(IcmpPredicate::Uge, old, value);
            editor.select(wraps, zero, next)
        }
        // old == 0 || old > value ? value : old - 1
        RmwOp::UdecWrap => {
            let ty = editor.type_of(old);
            let (zero, one) = (editor.int(ty, 0), editor.int(ty, 1));
            let next = editor.binary(BinaryOp::Sub, old, one);
            let is_zero = editor.icmp(IcmpPredicate::Eq, old, zero);
            let is_above = editor.icmp(IcmpPredicate::Ugt, old, value);
            let wraps = editor.binary(BinaryOp::Or, is_zero, is_above);
            editor.select(wraps, value, next)
        }
        RmwOp::UsubCond | RmwOp::UsubSat => {
            let zero = editor.int(editor.type_of(old), 0);
            let difference = editor.binary(BinaryOp::Sub, old, value);
            let fits = editor.icmp(IcmpPredicate::Uge, old, value);
            let otherwise = if op == RmwOp::UsubCond { old } else { zero };
            editor.select(fits, difference, otherwise)
        }
    }
}

fn choose(editor: &mut Editor, predicate: IcmpPredicate, old: Value, value: Value) -> Value {
    let keeps = editor.icmp(predicate, old, value);
    editor.select(keeps, old, value)
}

/// An intrinsic on numbers, element by element.
fn each(editor: &mut Editor, name: &str, old: Value, value: Value) -> Value {
    let ty = editor.type_of(old);
    let element = editor.module.types.scalar(ty);
    let suffix = match editor.module.types.get(element) {
        Type::BFloat => "bf16".to_owned(),
        other => format!("f{}", other.float_bits().unwrap_or(0)),
    };
    let name = format!("{name}.{suffix}");
    let (left, right) = (editor.elements(old), editor.elements(value));
    let parts: Vec<Value> = left
        .into_iter()
        .zip(right)
        .map(|(left, right)| editor.intrinsic(&name, element, &[left, right]))
        .collect();
    editor.vector(ty, &parts)
}
