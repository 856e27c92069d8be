//! Copies.

use super::{IN_FLIGHT, STRAIGHT, WIDEST, access_type, pieces, space_of};
use crate::edit::Editor;
use warpc_nvvm::inst::{BinaryOp, CastOp, IcmpPredicate};
use warpc_nvvm::value::Value;

/// A copy.
pub(super) struct Copy {
    pub(super) to: Value,
    pub(super) from: Value,
    /// How many bytes, as i64.
    pub(super) size: Value,
    /// The alignment of both addresses.
    pub(super) align: u64,
    pub(super) volatile: bool,
}

impl Copy {
    /// The bytes of one access.
    fn width(&self) -> u64 {
        self.align.min(WIDEST)
    }
}

/// Copies between places that do not overlap.
pub(super) fn expand_copy(editor: &mut Editor, copy: &Copy) {
    match editor.as_u64(copy.size) {
        Some(size) if size <= STRAIGHT => straight(editor, copy, 0, size),
        Some(size) => forward_constant(editor, copy, size),
        None => forward(editor, copy),
    }
}

/// Copies between places that may overlap.
pub(super) fn expand_move(editor: &mut Editor, copy: &Copy) {
    let (to_space, from_space) = (space_of(editor, copy.to), space_of(editor, copy.from));
    // Two different spaces, neither of them generic, do not overlap.
    let apart = to_space != from_space && to_space != 0 && from_space != 0;
    let size = editor.as_u64(copy.size);
    let few = size.is_some_and(|size| {
        size <= STRAIGHT && pieces(0, size, copy.align).len() as u64 <= IN_FLIGHT
    });
    if apart || few {
        return expand_copy(editor, copy);
    }
    let ptr = editor.module.types.ptr;
    let (mut to, mut from) = (copy.to, copy.from);
    if to_space != from_space {
        to = editor.cast(CastOp::Addrspacecast, to, ptr);
        from = editor.cast(CastOp::Addrspacecast, from, ptr);
    }
    let from_is_below = editor.icmp(IcmpPredicate::Ult, from, to);
    editor.branch(
        from_is_below,
        |editor| backward(editor, copy),
        |editor| match size {
            Some(size) => forward_constant(editor, copy, size),
            None => forward(editor, copy),
        },
    );
}

/// Copies bytes from an offset on, some at a time: all of these are loaded before the first is stored.
fn straight(editor: &mut Editor, copy: &Copy, start: u64, size: u64) {
    for group in pieces(start, size, copy.align).chunks(IN_FLIGHT as usize) {
        let loaded: Vec<Value> = group
            .iter()
            .map(|&(at, bytes)| {
                let ty = access_type(editor, bytes);
                let from = editor.offset(copy.from, at);
                editor.load(ty, from, aligned(copy.align, at, bytes), copy.volatile)
            })
            .collect();
        for (&(at, bytes), value) in group.iter().zip(loaded) {
            let to = editor.offset(copy.to, at);
            let align = aligned(copy.align, at, bytes);
            editor.store(value, to, align, copy.volatile);
        }
    }
}

/// The alignment of an access at an offset.
fn aligned(align: u64, at: u64, bytes: u64) -> u64 {
    let lowest = if at == 0 {
        align
    } else {
        1 << at.trailing_zeros()
    };
    lowest.min(align).max(bytes)
}

/// Copies upwards, four accesses a turn, then what is left.
fn forward_constant(editor: &mut Editor, copy: &Copy, size: u64) {
    let (i8, i64) = (editor.module.types.i8, editor.module.types.i64);
    let turn = 4 * copy.width();
    let turns = editor.int(i64, size / turn);
    editor.count_up(turns, |editor, index| {
        let bytes = editor.int(i64, turn);
        let offset = editor.binary(BinaryOp::Mul, index, bytes);
        let piece = Copy {
            to: editor.step(i8, copy.to, offset),
            from: editor.step(i8, copy.from, offset),
            align: copy.width(),
            ..*copy
        };
        straight(editor, &piece, 0, turn);
    });
    straight(editor, copy, size - size % turn, size % turn);
}

/// Copies upwards: wide accesses, then bytes.
fn forward(editor: &mut Editor, copy: &Copy) {
    let width = copy.width();
    let (count, rest) = split(editor, copy.size, width);
    let ty = access_type(editor, width);
    editor.count_up(count, |editor, index| one(editor, copy, ty, index, width));
    let Some((start, rest)) = rest else { return };
    let i8 = editor.module.types.i8;
    editor.count_up(rest, |editor, index| {
        let index = editor.binary(BinaryOp::Add, start, index);
        one(editor, copy, i8, index, 1);
    });
}

/// Copies downwards: bytes, then wide accesses.
fn backward(editor: &mut Editor, copy: &Copy) {
    let width = copy.width();
    let (count, rest) = split(editor, copy.size, width);
    if let Some((start, rest)) = rest {
        let i8 = editor.module.types.i8;
        editor.count_down(rest, |editor, index| {
            let index = editor.binary(BinaryOp::Add, start, index);
            one(editor, copy, i8, index, 1);
        });
    }
    let ty = access_type(editor, width);
    editor.count_down(count, |editor, index| one(editor, copy, ty, index, width));
}

/// How many wide accesses a size has, and where the rest starts and how many bytes it has.
pub(super) fn split(
    editor: &mut Editor,
    size: Value,
    width: u64,
) -> (Value, Option<(Value, Value)>) {
    if width == 1 {
        return (size, None);
    }
    let i64 = editor.module.types.i64;
    if let Some(size) = editor.as_u64(size) {
        let start = size - size % width;
        let [count, start, rest] =
            [size / width, start, size % width].map(|value| editor.int(i64, value));
        return (count, Some((start, rest)));
    }
    let shift = editor.int(i64, width.trailing_zeros().into());
    let low = editor.int(i64, width - 1);
    let high = editor.int(i64, !(width - 1));
    let count = editor.binary(BinaryOp::Lshr, size, shift);
    let start = editor.binary(BinaryOp::And, size, high);
    let rest = editor.binary(BinaryOp::And, size, low);
    (count, Some((start, rest)))
}

/// Copies the value at an index.
fn one(editor: &mut Editor, copy: &Copy, ty: warpc_nvvm::types::TypeId, index: Value, width: u64) {
    let from = editor.step(ty, copy.from, index);
    let to = editor.step(ty, copy.to, index);
    let value = editor.load(ty, from, width, copy.volatile);
    editor.store(value, to, width, copy.volatile);
}
