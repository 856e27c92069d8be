//! Vectors put together anew, and vectors of counts.

use super::{Call, lanes, reduce};
use crate::edit::{Action, Editor};
use warpc_nvvm::inst::IcmpPredicate;
use warpc_nvvm::layout::Layout;
use warpc_nvvm::value::Value;

/// `llvm.vector.insert` and its kin.
pub(super) fn expand(editor: &mut Editor, _: &Layout, name: &str, call: &Call) -> Option<Action> {
    let word = name.split('.').nth(1)?;
    let (digits, count) = match word.find(|c: char| c.is_ascii_digit()) {
        Some(at) => (word[..at].to_owned(), word[at..].parse::<u32>().ok()?),
        None => (word.to_owned(), 0),
    };
    let args = &call.args;
    let value = match digits.as_str() {
        "insert" => insert(editor, args[0], args[1], editor.as_u64(args[2])?),
        "extract" => {
            let ty = editor.body.insts[call.inst].ty;
            let len = match editor.module.types.get(ty) {
                warpc_nvvm::types::Type::Vector { len, .. } => len,
                _ => return None,
            };
            let start = u32::try_from(editor.as_u64(args[1])?).ok()?;
            take(editor, args[0], start, 1, len)
        }
        "reverse" => {
            let mask: Vec<u32> = (0..lanes(editor, args[0])).rev().collect();
            editor.shuffle(args[0], args[0], &mask)
        }
        "splice" => splice(editor, name, args)?,
        "interleave" => interleave(editor, args),
        "deinterleave" => deinterleave(editor, call, count),
        _ => return None,
    };
    Some(Action::Replace(value))
}

/// Some elements of a vector: from `start` on, each `step`-th.
fn take(editor: &mut Editor, vector: Value, start: u32, step: u32, len: u32) -> Value {
    let mask: Vec<u32> = (0..len).map(|index| start + index * step).collect();
    editor.shuffle(vector, vector, &mask)
}

/// A vector with another one in the place of some of its elements.
fn insert(editor: &mut Editor, vector: Value, part: Value, at: u64) -> Value {
    let (len, part_len) = (lanes(editor, vector), lanes(editor, part));
    let at = at as u32;
    // Both operands of a shuffle have one type: bring the part to the length of the whole first.
    let mask: Vec<u32> = (0..len).map(|index| index.min(part_len - 1)).collect();
    let part = editor.shuffle(part, part, &mask);
    let mask: Vec<u32> = (0..len)
        .map(|index| match index.checked_sub(at) {
            Some(inside) if inside < part_len => len + inside,
            _ => index,
        })
        .collect();
    editor.shuffle(vector, part, &mask)
}

/// A window of two vectors after each other. `splice` starts at an index, or so many before the end of
/// the first if negative; `splice.left` at an index, `splice.right` so many before the end.
fn splice(editor: &mut Editor, name: &str, args: &[Value]) -> Option<Value> {
    let len = lanes(editor, args[0]);
    let amount = editor.as_u64(args[2])? as i32;
    let from_end = name.starts_with("vector.splice.right.");
    let start = match (from_end, amount) {
        (true, amount) => i64::from(len) - i64::from(amount),
        (false, amount) if amount < 0 => i64::from(len) + i64::from(amount),
        (false, amount) => i64::from(amount),
    };
    let start = u32::try_from(start).ok().filter(|&start| start <= len)?;
    let mask: Vec<u32> = (start..start + len).collect();
    Some(editor.shuffle(args[0], args[1], &mask))
}

/// The first elements of all vectors, then the second ones, and so on.
fn interleave(editor: &mut Editor, vectors: &[Value]) -> Value {
    let (len, count) = (lanes(editor, vectors[0]), vectors.len() as u32);
    if let [left, right] = vectors {
        let mask: Vec<u32> = (0..len).flat_map(|index| [index, len + index]).collect();
        return editor.shuffle(*left, *right, &mask);
    }
    let parts: Vec<Vec<Value>> = vectors.iter().map(|&v| editor.elements(v)).collect();
    let element = editor.module.types.scalar(editor.type_of(vectors[0]));
    let ty = editor.vector_type(element, len * count);
    let in_order: Vec<Value> = (0..len as usize)
        .flat_map(|index| parts.iter().map(move |part| part[index]))
        .collect();
    editor.vector(ty, &in_order)
}

/// The other way round.
fn deinterleave(editor: &mut Editor, call: &Call, count: u32) -> Value {
    let vector = call.args[0];
    let len = lanes(editor, vector) / count;
    let mut result = editor.poison(editor.body.insts[call.inst].ty);
    for index in 0..count {
        let part = take(editor, vector, index, count, len);
        result = editor.with_member(result, part, index);
    }
    result
}

/// `llvm.stepvector`: 0, 1, 2 …
pub(super) fn expand_steps(
    editor: &mut Editor,
    _: &Layout,
    _: &str,
    call: &Call,
) -> Option<Action> {
    let ty = editor.body.insts[call.inst].ty;
    let len = match editor.module.types.get(ty) {
        warpc_nvvm::types::Type::Vector { len, .. } => len,
        _ => return None,
    };
    let element = editor.module.types.scalar(ty);
    let steps: Vec<_> = (0..len)
        .filter_map(|step| editor.int(element, step.into()).constant())
        .collect();
    let (types, names) = (&editor.module.types, &mut editor.module.names);
    let steps = editor.module.constants.aggregate(types, names, ty, &steps);
    Some(Action::Replace(steps.into()))
}

/// `llvm.get.active.lane.mask`: lane i is active if base + i is below the limit. The sum does not wrap: it
/// saturates at a number that is below nothing.
pub(super) fn expand_active_lanes(
    editor: &mut Editor,
    _: &Layout,
    _: &str,
    call: &Call,
) -> Option<Action> {
    let (base, limit) = (call.args[0], call.args[1]);
    let ty = editor.type_of(base);
    let mask_ty = editor.body.insts[call.inst].ty;
    let len = match editor.module.types.get(mask_ty) {
        warpc_nvvm::types::Type::Vector { len, .. } => len,
        _ => return None,
    };
    let name = format!("llvm.uadd.sat.{}", reduce::suffix(editor, ty));
    let active: Vec<Value> = (0..len)
        .map(|lane| {
            let index = match lane {
                0 => base,
                _ => {
                    let lane = editor.int(ty, lane.into());
                    editor.intrinsic(&name, ty, &[base, lane])
                }
            };
            editor.icmp(IcmpPredicate::Ult, index, limit)
        })
        .collect();
    Some(Action::Replace(editor.vector(mask_ty, &active)))
}

/// `llvm.experimental.cttz.elts`: the index of the first element that is not zero, or their number.
pub(super) fn expand_count_zeros(
    editor: &mut Editor,
    _: &Layout,
    _: &str,
    call: &Call,
) -> Option<Action> {
    let ty = editor.body.insts[call.inst].ty;
    let parts = editor.elements(call.args[0]);
    let mut result = editor.int(ty, parts.len() as u64);
    for (index, part) in parts.into_iter().enumerate().rev() {
        let zero = editor.zero(editor.type_of(part));
        let is_set = editor.icmp(IcmpPredicate::Ne, part, zero);
        let index = editor.int(ty, index as u64);
        result = editor.select(is_set, index, result);
    }
    Some(Action::Replace(result))
}
