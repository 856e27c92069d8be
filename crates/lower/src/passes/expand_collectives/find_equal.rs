//! Threads with equal values.
//!
//! `match.all` compares with the first thread. `match.any` does so with the first thread whose group is not
//! known yet, until there is none: one round for each different value.

use super::{from_thread, lowest, members, pair};
use crate::edit::Editor;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::value::Value;

/// The threads of the mask that have the same value as this one.
pub(super) fn any(editor: &mut Editor, mask: Value, value: Value, layout: &Layout) -> Value {
    let i32 = editor.module.types.i32;
    let everybody = members(editor, mask);
    let (round, done) = (editor.new_block(), editor.new_block());
    let before = editor.block();
    editor.br(round);
    editor.start(round);
    let (left_phi, left) = editor.phi(i32);
    let (found_phi, found) = editor.phi(i32);
    let is_equal = equals_first(editor, everybody, left, value, layout);
    let equal = editor.intrinsic("llvm.nvvm.vote.ballot.sync", i32, &[everybody, is_equal]);
    let found_now = editor.select(is_equal, equal, found);
    let left_now = editor.binary(BinaryOp::Xor, left, equal);
    let zero = editor.int(i32, 0);
    let is_done = editor.icmp(IcmpPredicate::Eq, left_now, zero);
    let last = editor.block();
    editor.cond_br(is_done, done, round);
    editor.set_phi(left_phi, &[(everybody, before), (left_now, last)]);
    editor.set_phi(found_phi, &[(zero, before), (found_now, last)]);
    editor.start(done);
    found_now
}

/// The threads of the mask if all have the same value, else none; and whether it is so.
pub(super) fn all(editor: &mut Editor, mask: Value, value: Value, layout: &Layout) -> Value {
    let types = &editor.module.types;
    let (i1, i32) = (types.i1, types.i32);
    let everybody = members(editor, mask);
    let is_equal = equals_first(editor, everybody, everybody, value, layout);
    let name = "llvm.nvvm.vote.all.sync";
    let are_equal = editor.intrinsic(name, i1, &[everybody, is_equal]);
    let nobody = editor.int(i32, 0);
    let threads = editor.select(are_equal, everybody, nobody);
    pair(editor, i32, threads, are_equal)
}

/// Whether the value is that of the first of some threads. Those of the mask take part.
fn equals_first(
    editor: &mut Editor,
    mask: Value,
    some: Value,
    value: Value,
    layout: &Layout,
) -> Value {
    let first = lowest(editor, some);
    let shuffle = from_thread(editor, mask, first);
    // Integers have words to move.
    let of_first = shuffle.value(editor, layout, value).unwrap_or(value);
    editor.icmp(IcmpPredicate::Eq, of_first, value)
}
