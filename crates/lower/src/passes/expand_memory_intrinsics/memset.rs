//! Filling memory with one value.

use super::memcpy::split;
use super::{STRAIGHT, WIDEST, access_type, pieces};
use crate::edit::Editor;
use warpc_nvvm::inst::{BinaryOp, CastOp};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::value::Value;

/// What is filled with what.
pub(super) struct Set {
    pub(super) to: Value,
    pub(super) value: Value,
    /// How many values, as i64.
    pub(super) count: Value,
    /// The alignment of the address.
    pub(super) align: u64,
    pub(super) volatile: bool,
}

/// Fills with a byte.
pub(super) fn expand_set(editor: &mut Editor, set: &Set) {
    let width = set.align.min(WIDEST);
    let i64 = editor.module.types.i64;
    if let Some(size) = editor.as_u64(set.count) {
        let turn = 4 * width;
        let in_loop = if size <= STRAIGHT { 0 } else { size / turn };
        let mut fill = Fill::new(set);
        // Before the loop: what follows it needs these values, too.
        for &(_, bytes) in &pieces(0, size.min(STRAIGHT), set.align) {
            fill.value(editor, bytes);
        }
        let turns = editor.int(i64, in_loop);
        editor.count_up(turns, |editor, index| {
            let (i8, bytes) = (editor.module.types.i8, editor.int(i64, turn));
            let offset = editor.binary(BinaryOp::Mul, index, bytes);
            let to = editor.step(i8, set.to, offset);
            fill.straight(editor, to, width, 0, turn);
        });
        let done = in_loop * turn;
        fill.straight(editor, set.to, set.align, done, size - done);
        return;
    }
    let (count, rest) = split(editor, set.count, width);
    let ty = access_type(editor, width);
    let value = Fill::new(set).value(editor, width);
    editor.count_up(count, |editor, index| {
        let to = editor.step(ty, set.to, index);
        editor.store(value, to, width, set.volatile);
    });
    let Some((start, rest)) = rest else { return };
    let i8 = editor.module.types.i8;
    editor.count_up(rest, |editor, index| {
        let index = editor.binary(BinaryOp::Add, start, index);
        let to = editor.step(i8, set.to, index);
        editor.store(set.value, to, 1, set.volatile);
    });
}

/// The byte in all widths that were needed so far.
struct Fill {
    byte: Value,
    volatile: bool,
    wide: Vec<(u64, Value)>,
}

impl Fill {
    fn new(set: &Set) -> Fill {
        Fill {
            byte: set.value,
            volatile: set.volatile,
            wide: Vec::new(),
        }
    }

    /// A value of some bytes, each of them the byte.
    fn value(&mut self, editor: &mut Editor, bytes: u64) -> Value {
        if let Some(&(_, value)) = self.wide.iter().find(|wide| wide.0 == bytes) {
            return value;
        }
        let ty = access_type(editor, bytes);
        let value = match (bytes, editor.as_u64(self.byte)) {
            (1, _) => self.byte,
            (_, Some(byte)) => editor.int(ty, byte * 0x0101_0101_0101_0101),
            (16, None) => {
                let word = self.value(editor, 4);
                editor.vector(ty, &[word; 4])
            }
            (_, None) => {
                let wide = editor.cast(CastOp::Zext, self.byte, ty);
                let ones = editor.int(ty, 0x0101_0101_0101_0101);
                editor.binary(BinaryOp::Mul, wide, ones)
            }
        };
        self.wide.push((bytes, value));
        value
    }

    fn straight(&mut self, editor: &mut Editor, to: Value, align: u64, start: u64, size: u64) {
        for (at, bytes) in pieces(start, size, align) {
            let value = self.value(editor, bytes);
            let to = editor.offset(to, at);
            editor.store(value, to, bytes, self.volatile);
        }
    }
}

/// Fills with values of any type, one after the other.
pub(super) fn expand_pattern(editor: &mut Editor, layout: &Layout, set: &Set) {
    let ty = editor.type_of(set.value);
    let stride = layout.stride(&editor.module.types, ty);
    // Only every so many bytes is an address known to be aligned.
    let align = match stride {
        0 => set.align,
        _ => set.align.min(1 << stride.trailing_zeros()),
    };
    editor.count_up(set.count, |editor, index| {
        let to = editor.step(ty, set.to, index);
        editor.store(set.value, to, align, set.volatile);
    });
}
