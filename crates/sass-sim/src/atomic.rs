//! Atomic operations: the arithmetic of their modifiers.

use crate::op::Rmw;
use warpc_sass::Inst;
use warpc_sass::shape::Space;

/// What an atomic does to memory, and how many bytes it moves; nothing if it is not executed here.
pub(crate) fn find(inst: &Inst) -> Option<(Rmw, u32)> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let bytes = match () {
        () if has("128") => 16,
        () if has("64") || has("S64") => 8,
        () => 4,
    };
    if has("CAS") {
        return Some((Rmw::Swap, bytes));
    }
    if has("CAST") {
        return Some((Rmw::Try, bytes));
    }
    if has("ARRIVE") {
        return None;
    }
    if has("POPC") {
        // Each lane counts one.
        return Some((Rmw::Update(|old, _, _| old.wrapping_add(1), 4), 4));
    }
    if has("EXCH") && bytes == 16 {
        return Some((Rmw::Exchange, bytes));
    }
    let operation = inst.shape.modifiers().find_map(|one| {
        Some(match one {
            "ADD" | "SAFEADD" => "add",
            "MIN" => "min",
            "MAX" => "max",
            "INC" => "inc",
            "DEC" => "dec",
            "AND" => "and",
            "OR" => "or",
            "XOR" => "xor",
            "EXCH" => "exch",
            _ => return None,
        })
    })?;
    let float = inst.shape.modifiers().find_map(|one| {
        Some(match one {
            "F16x2" => ("noftz.f16x2", 4, 4),
            "F16x4" => ("noftz.f16x2", 4, 8),
            "F16x8" => ("noftz.f16x2", 4, 16),
            "BF16x2" => ("noftz.bf16x2", 4, 4),
            "BF16x4" => ("noftz.bf16x2", 4, 8),
            "BF16x8" => ("noftz.bf16x2", 4, 16),
            "F32" => ("f32", 4, 4),
            "F32x2" => ("f32", 4, 8),
            "F32x4" => ("f32", 4, 16),
            "F64" => ("f64", 8, 8),
            _ => return None,
        })
    });
    let space = inst.shape.memory().space;
    let in_global = space != Space::Shared;
    // Shared memory has no units for these: ptxas asks the predicate, and makes them of swaps.
    let is_hard = float.is_some() || bytes == 8 && operation != "exch";
    let updated = |update, element| match is_hard && space == Space::Generic {
        true => Rmw::UpdateGlobal(update, element),
        false => Rmw::Update(update, element),
    };
    if let Some((ty, element, bytes)) = float {
        // The least and the greatest are of single halves.
        let (ty, element) = match (operation, ty) {
            ("min" | "max", "noftz.f16x2") => ("noftz.v2.f16", 2),
            ("min" | "max", "noftz.bf16x2") => ("noftz.v2.bf16", 2),
            _ => (ty, element),
        };
        let spelling = format!("atom.global.{operation}.{ty}");
        let update = warpc_ptx_eval::named_atomic(&spelling, in_global)?;
        return Some((updated(update, element), bytes));
    }
    let ty = match (operation, has("S32") || has("S64"), bytes) {
        ("exch" | "and" | "or" | "xor", _, 8) => "b64",
        ("exch" | "and" | "or" | "xor", ..) => "b32",
        ("add", _, 8) => "u64",
        ("add", ..) => "u32",
        (_, true, 8) => "s64",
        (_, true, _) => "s32",
        (_, false, 8) => "u64",
        (_, false, _) => "u32",
    };
    let spelling = format!("atom.global.{operation}.{ty}");
    let update = warpc_ptx_eval::named_atomic(&spelling, in_global)?;
    Some((updated(update, bytes), bytes))
}
