//! Reductions: all elements of a vector to one.

use super::Call;
use crate::edit::{Action, Editor};
use warpc_nvvm::inst::{BinaryOp, Flags, Op};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// How two elements become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Instruction(BinaryOp),
    Intrinsic(&'static str),
}

const STEPS: &[(&str, Step)] = &[
    ("add", Step::Instruction(BinaryOp::Add)),
    ("mul", Step::Instruction(BinaryOp::Mul)),
    ("and", Step::Instruction(BinaryOp::And)),
    ("or", Step::Instruction(BinaryOp::Or)),
    ("xor", Step::Instruction(BinaryOp::Xor)),
    ("smax", Step::Intrinsic("llvm.smax")),
    ("smin", Step::Intrinsic("llvm.smin")),
    ("umax", Step::Intrinsic("llvm.umax")),
    ("umin", Step::Intrinsic("llvm.umin")),
    ("fadd", Step::Instruction(BinaryOp::Fadd)),
    ("fmul", Step::Instruction(BinaryOp::Fmul)),
    ("fmax", Step::Intrinsic("llvm.maxnum")),
    ("fmin", Step::Intrinsic("llvm.minnum")),
    ("fmaximum", Step::Intrinsic("llvm.maximum")),
    ("fminimum", Step::Intrinsic("llvm.minimum")),
];

fn step_of(name: &str, prefix: &str) -> Option<Step> {
    let word = name.strip_prefix(prefix)?.split('.').next()?;
    let row = STEPS.iter().find(|row| row.0 == word)?;
    Some(row.1)
}

/// `llvm.vector.reduce.*`
pub(super) fn expand(editor: &mut Editor, _: &Layout, name: &str, call: &Call) -> Option<Action> {
    let step = step_of(name, "vector.reduce.")?;
    let flags = editor.body.insts[call.inst].flags;
    let (start, vector) = match call.args[..] {
        [start, vector] => (Some(start), vector),
        [vector] => (None, vector),
        _ => return None,
    };
    let mut parts = editor.elements(vector);
    let result = match start {
        // The order of additions and products matters unless the program says that it does not.
        Some(start) if !flags.contains(Flags::REASSOC) => parts
            .iter()
            .fold(start, |sum, &part| apply(editor, step, flags, sum, part)),
        Some(start) => {
            let sum = tree(editor, step, flags, &mut parts)?;
            apply(editor, step, flags, start, sum)
        }
        None => tree(editor, step, flags, &mut parts)?,
    };
    Some(Action::Replace(result))
}

/// Combines neighbours until one is left.
fn tree(editor: &mut Editor, step: Step, flags: Flags, parts: &mut Vec<Value>) -> Option<Value> {
    while parts.len() > 1 {
        let pairs: Vec<Vec<Value>> = parts.chunks(2).map(<[Value]>::to_vec).collect();
        *parts = pairs
            .into_iter()
            .map(|pair| match pair[..] {
                [left, right] => apply(editor, step, flags, left, right),
                _ => pair[0],
            })
            .collect();
    }
    parts.first().copied()
}

fn apply(editor: &mut Editor, step: Step, flags: Flags, left: Value, right: Value) -> Value {
    match step {
        Step::Instruction(op) => editor.binary_with(op, flags, left, right),
        Step::Intrinsic(name) => {
            let ty = editor.type_of(left);
            let name = format!("{name}.{}", suffix(editor, ty));
            let result = editor.intrinsic(&name, ty, &[left, right]);
            editor.set_flags(result, flags);
            result
        }
    }
}

/// How the name of an intrinsic ends for a type.
pub(super) fn suffix(editor: &Editor, ty: TypeId) -> String {
    match editor.module.types.get(ty) {
        Type::Int(bits) => format!("i{bits}"),
        Type::BFloat => "bf16".to_owned(),
        other => format!("f{}", other.float_bits().unwrap_or(0)),
    }
}

/// `llvm.vector.partial.reduce.*`: the second vector is some times as long as the first, and each of its
/// elements is added to some element of the first.
pub(super) fn expand_partial(
    editor: &mut Editor,
    _: &Layout,
    name: &str,
    call: &Call,
) -> Option<Action> {
    let step = step_of(name, "vector.partial.reduce.")?;
    let flags = editor.body.insts[call.inst].flags;
    let (sums, parts) = (call.args[0], call.args[1]);
    let len = super::lanes(editor, sums);
    let ty = editor.type_of(sums);
    let mut result = sums;
    for start in (0..super::lanes(editor, parts)).step_by(len as usize) {
        let mask: Vec<u32> = (start..start + len).collect();
        let part = editor.shuffle(parts, parts, &mask);
        result = match step {
            Step::Instruction(op) => editor.value(Op::Binary(op), flags, ty, &[result, part]),
            Step::Intrinsic(_) => return None,
        };
    }
    Some(Action::Replace(result))
}
