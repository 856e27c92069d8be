//! Reductions over the threads of a mask by shuffles.
//!
//! If all 32 threads are there, five exchanges with the neighbours at distance 16, 8, 4, 2 and 1 do it. Else
//! each thread knows its next one, and in each step takes over what that one has summed up, and whom that one
//! knows. After five steps the first thread has it all, and everybody reads it there:
//!
//! ```text
//!   threads     0    3    4    9   17          next of 0: 3
//!   step 1     0+3  3+4  4+9 9+17  17          next of 0: 4
//!   step 2   0+…+9  …                          next of 0: 17
//! ```
//!
//! No thread counts twice, so sums are right as well as minima, and no value of a thread that is not there is
//! used.

use super::{float_key, from_thread, lane, lowest, members, reduces_integers};
use crate::edit::Editor;
use crate::shuffle::{Mode, Shuffle, WHOLE_WARP};
use warpc_model::{Redux, ReduxOp, ReduxType};
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate};
use warpc_nvvm::value::Value;
use warpc_target::Sm;

/// The reduction of a value over the threads of a mask.
pub(super) fn all(editor: &mut Editor, redux: Redux, value: Value, mask: Value, sm: Sm) -> Value {
    match redux.ty {
        ReduxType::F32 => float_key::reduce(editor, redux, value, |editor, redux, key| {
            integers(editor, redux, key, mask, sm)
        }),
        _ => integers(editor, redux, value, mask, sm),
    }
}

fn integers(editor: &mut Editor, redux: Redux, value: Value, mask: Value, sm: Sm) -> Value {
    let i32 = editor.module.types.i32;
    if reduces_integers(sm) {
        let name = format!("llvm.nvvm.redux.sync.{}", redux.llvm_name());
        return editor.intrinsic(&name, i32, &[value, mask]);
    }
    let members = members(editor, mask);
    let (full, some, done) = (editor.new_block(), editor.new_block(), editor.new_block());
    let everybody = editor.all_ones(i32);
    let is_full = editor.icmp(IcmpPredicate::Eq, members, everybody);
    editor.cond_br(is_full, full, some);
    editor.start(full);
    let of_full = exchange(editor, redux.op, redux.ty, value, everybody);
    let full = editor.block();
    editor.br(done);
    editor.start(some);
    let of_some = follow(editor, redux.op, redux.ty, value, members);
    let some = editor.block();
    editor.br(done);
    editor.start(done);
    let (phi, result) = editor.phi(i32);
    editor.set_phi(phi, &[(of_full, full), (of_some, some)]);
    result
}

/// All 32 threads exchange what they have.
fn exchange(
    editor: &mut Editor,
    op: ReduxOp,
    ty: ReduxType,
    mut value: Value,
    mask: Value,
) -> Value {
    let i32 = editor.module.types.i32;
    for distance in [16, 8, 4, 2, 1] {
        let shuffle = Shuffle {
            mode: Mode::Bfly,
            mask,
            lane: editor.int(i32, distance),
            clamp: editor.int(i32, WHOLE_WARP),
        };
        let other = shuffle.word(editor, value);
        value = apply(editor, op, ty, value, other);
    }
    value
}

/// Each thread follows those after it.
fn follow(
    editor: &mut Editor,
    op: ReduxOp,
    ty: ReduxType,
    mut value: Value,
    members: Value,
) -> Value {
    let i32 = editor.module.types.i32;
    let lane = lane(editor);
    let after = editor.intrinsic("llvm.nvvm.read.ptx.sreg.lanemask.gt", i32, &[]);
    let after = editor.binary(BinaryOp::And, members, after);
    // 32 if there is none. Such a thread reads from itself and keeps what it has.
    let mut next = lowest(editor, after);
    let none = editor.int(i32, 32);
    for step in 0..5 {
        let is_there = editor.icmp(IcmpPredicate::Ne, next, none);
        let from = editor.select(is_there, next, lane);
        let shuffle = from_thread(editor, members, from);
        let other = shuffle.word(editor, value);
        let both = apply(editor, op, ty, value, other);
        value = editor.select(is_there, both, value);
        if step < 4 {
            next = shuffle.word(editor, next);
        }
    }
    let first = lowest(editor, members);
    from_thread(editor, members, first).word(editor, value)
}

/// What the operation makes of two integers.
fn apply(editor: &mut Editor, op: ReduxOp, ty: ReduxType, left: Value, right: Value) -> Value {
    let i32 = editor.module.types.i32;
    let binary = match op {
        ReduxOp::Add => BinaryOp::Add,
        ReduxOp::And => BinaryOp::And,
        ReduxOp::Or => BinaryOp::Or,
        ReduxOp::Xor => BinaryOp::Xor,
        ReduxOp::Min | ReduxOp::Max => {
            let sign = if ty == ReduxType::U32 { "u" } else { "s" };
            let which = if op == ReduxOp::Min { "min" } else { "max" };
            let name = format!("llvm.{sign}{which}.i32");
            return editor.intrinsic(&name, i32, &[left, right]);
        }
    };
    editor.binary(binary, left, right)
}
