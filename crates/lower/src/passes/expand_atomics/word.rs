//! Values of 8 and 16 bits as parts of words of 32 bits.
//!
//! ```text
//!   address:  … 1000  1001  1002  1003 …       the word starts at address & -4
//!   word:       ░░░░  ▓▓▓▓  ░░░░  ░░░░         shift = 8 * (address & 3)
//! ```

use super::{relaxed, repeat, swap, update};
use crate::edit::Editor;
use warpc_nvvm::inst::{
    Access, Align, BinaryOp, CastOp, Flags, IcmpPredicate, Op, Ordering, RmwOp,
};
use warpc_nvvm::types::TypeId;
use warpc_nvvm::value::Value;

/// Where a narrow value lies.
struct Slot {
    /// The address of its word.
    word: Value,
    /// How far its lowest bit is from that of the word.
    shift: Value,
    /// Ones where the word has other bytes.
    others: Value,
    narrow: TypeId,
    access: Access,
}

impl Slot {
    fn new(editor: &mut Editor, access: Access, address: Value, bits: u32) -> Slot {
        let (i8, i32, i64) = {
            let types = &editor.module.types;
            (types.i8, types.i32, types.i64)
        };
        let narrow = editor.int_type(bits);
        let mut word = address;
        let mut shift = editor.int(i32, 0);
        if access.align.bytes().unwrap_or(1) < 4 {
            let number = editor.cast(CastOp::Ptrtoint, address, i64);
            let three = editor.int(i64, 3);
            let inside = editor.binary(BinaryOp::And, number, three);
            let zero = editor.int(i64, 0);
            let back = editor.binary(BinaryOp::Sub, zero, inside);
            word = editor.step(i8, address, back);
            let inside = editor.cast(CastOp::Trunc, inside, i32);
            let eight = editor.int(i32, 3);
            shift = editor.binary(BinaryOp::Shl, inside, eight);
        }
        let mask = editor.int(i32, (1 << bits) - 1);
        let others = match editor.as_u64(shift) {
            Some(0) => editor.int(i32, !((1 << bits) - 1)),
            _ => {
                let mask = editor.binary(BinaryOp::Shl, mask, shift);
                let ones = editor.all_ones(i32);
                editor.binary(BinaryOp::Xor, mask, ones)
            }
        };
        let access = Access {
            align: Align::new(4).unwrap_or(access.align),
            ..access
        };
        Slot {
            word,
            shift,
            others,
            narrow,
            access,
        }
    }

    /// The word as it is now.
    fn load(&self, editor: &mut Editor) -> Value {
        let i32 = editor.module.types.i32;
        let op = Op::Load(relaxed(self.access));
        editor.value(op, Flags::empty(), i32, &[self.word])
    }

    /// The value in a word.
    fn take(&self, editor: &mut Editor, word: Value) -> Value {
        let low = self.shifted(editor, BinaryOp::Lshr, word);
        editor.cast(CastOp::Trunc, low, self.narrow)
    }

    /// The value at its place, the other bytes zero.
    fn put(&self, editor: &mut Editor, value: Value) -> Value {
        let i32 = editor.module.types.i32;
        let value = editor.cast(CastOp::Bitcast, value, self.narrow);
        let wide = editor.cast(CastOp::Zext, value, i32);
        self.shifted(editor, BinaryOp::Shl, wide)
    }

    fn shifted(&self, editor: &mut Editor, op: BinaryOp, value: Value) -> Value {
        match editor.as_u64(self.shift) {
            Some(0) => value,
            _ => editor.binary(op, value, self.shift),
        }
    }
}

/// An operation on a narrow value.
pub(super) fn update(
    editor: &mut Editor,
    op: RmwOp,
    access: Access,
    operands: &[Value],
    bits: u32,
) -> Value {
    let (address, value) = (operands[0], operands[1]);
    let ty = editor.type_of(value);
    let slot = Slot::new(editor, access, address, bits);
    let first = slot.load(editor);
    let old = repeat(editor, slot.access, slot.word, first, |editor, old| {
        let narrow = slot.take(editor, old);
        let narrow = editor.cast(CastOp::Bitcast, narrow, ty);
        let new = update::apply(editor, op, narrow, value);
        let new = slot.put(editor, new);
        let others = editor.binary(BinaryOp::And, old, slot.others);
        editor.binary(BinaryOp::Or, others, new)
    });
    let old = slot.take(editor, old);
    editor.cast(CastOp::Bitcast, old, ty)
}

/// A swap of a narrow value. A swap of its word may also fail because of another byte: then it is tried
/// again, with the bytes as they are now.
pub(super) fn compare_and_swap(
    editor: &mut Editor,
    (access, failure): (Access, Ordering),
    operands: &[Value],
    bits: u32,
    result: TypeId,
) -> Value {
    let i32 = editor.module.types.i32;
    let slot = Slot::new(editor, access, operands[0], bits);
    let (expected, new) = (slot.put(editor, operands[1]), slot.put(editor, operands[2]));
    let first = slot.load(editor);
    let first = editor.binary(BinaryOp::And, first, slot.others);
    let (head, failed, done) = (editor.new_block(), editor.new_block(), editor.new_block());
    let before = editor.block();
    editor.br(head);
    editor.start(head);
    let (phi, others) = editor.phi(i32);
    let old_word = editor.binary(BinaryOp::Or, others, expected);
    let new_word = editor.binary(BinaryOp::Or, others, new);
    let (seen, succeeded) = swap(
        editor,
        (slot.access, failure),
        slot.word,
        old_word,
        new_word,
    );
    editor.cond_br(succeeded, done, failed);
    editor.start(failed);
    let others_now = editor.binary(BinaryOp::And, seen, slot.others);
    let changed = editor.icmp(IcmpPredicate::Ne, others_now, others);
    editor.cond_br(changed, head, done);
    editor.set_phi(phi, &[(first, before), (others_now, failed)]);
    editor.start(done);
    let old = slot.take(editor, seen);
    let pair = editor.poison(result);
    let pair = editor.with_member(pair, old, 0);
    editor.with_member(pair, succeeded, 1)
}
