//! Values of 8 and 16 bits as parts of words of 32 bits.
//!
//! ```text
//!   address:  … 1000  1001  1002  1003 …       AlignedAddr = address & -4      PtrLSB = address & 3
//!   word:       ░░░░  ▓▓▓▓  ░░░░  ░░░░         ShiftAmt = 8 * PtrLSB
//!                                              Mask = 0xff << ShiftAmt         Inv_Mask = ~Mask
//! ```
//!
//! The names are LLVM's. The other bytes of the word are written back as they were read, by a swap that fails if one of
//! them has changed meanwhile.

use super::orders::Orders;
use super::swap_loop::{repeat, swap};
use super::update;
use crate::edit::Editor;
use warpc_nvvm::inst::{Access, Align, BinaryOp, CastOp, Flags, IcmpPredicate, Op, RmwOp};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// Where a narrow value lies.
struct Slot {
    /// The address of its word.
    aligned_addr: Value,
    /// How far its lowest bit is from that of the word.
    shift_amt: Value,
    /// Ones where the word has the value.
    mask: Value,
    /// Ones where the word has other bytes.
    inv_mask: Value,
    /// The integer type of the value's size.
    narrow: TypeId,
}

/// The alignment of a word.
fn word_align() -> Align {
    Align::new(4).unwrap_or(Align::NONE)
}

impl Slot {
    fn new(editor: &mut Editor, layout: &Layout, align: Align, address: Value, bits: u32) -> Slot {
        let i32 = editor.module.types.i32;
        let narrow = editor.int_type(bits);
        let ones = (1u64 << bits) - 1;
        if align.bytes().unwrap_or(1) >= 4 {
            return Slot {
                aligned_addr: address,
                shift_amt: editor.int(i32, 0),
                mask: editor.int(i32, ones),
                inv_mask: editor.int(i32, u64::from(!(ones as u32))),
                narrow,
            };
        }
        let (ty, space, number) = address_types(editor, layout, address);
        let keep = editor.wide_int(number, &[!3]);
        let name = format!("llvm.ptrmask.p{space}.i{}", editor.int_bits(number));
        let aligned_addr = editor.intrinsic(&name, ty, &[address, keep]);
        editor.name(aligned_addr, "AlignedAddr");
        let place = editor.cast(CastOp::Ptrtoint, address, number);
        let low = editor.int(number, 3);
        let ptr_lsb = editor.binary(BinaryOp::And, place, low);
        editor.name(ptr_lsb, "PtrLSB");
        let ptr_lsb = editor.resize_unsigned(ptr_lsb, i32);
        let three = editor.int(i32, 3);
        let shift_amt = editor.binary(BinaryOp::Shl, ptr_lsb, three);
        editor.name(shift_amt, "ShiftAmt");
        let mask = editor.int(i32, ones);
        let mask = editor.binary(BinaryOp::Shl, mask, shift_amt);
        editor.name(mask, "Mask");
        let all = editor.all_ones(i32);
        let inv_mask = editor.binary(BinaryOp::Xor, mask, all);
        editor.name(inv_mask, "Inv_Mask");
        Slot {
            aligned_addr,
            shift_amt,
            mask,
            inv_mask,
            narrow,
        }
    }

    /// The value in a word.
    fn extracted(&self, editor: &mut Editor, word: Value, ty: TypeId) -> Value {
        let shifted = self.shifted(editor, BinaryOp::Lshr, word, "shifted");
        let narrow = editor.cast(CastOp::Trunc, shifted, self.narrow);
        editor.name(narrow, "extracted");
        editor.cast(CastOp::Bitcast, narrow, ty)
    }

    /// The value at its place under a name, the other bytes zero.
    fn put(&self, editor: &mut Editor, value: Value, name: &str) -> Value {
        let i32 = editor.module.types.i32;
        let value = editor.cast(CastOp::Bitcast, value, self.narrow);
        let wide = editor.cast(CastOp::Zext, value, i32);
        self.shifted(editor, BinaryOp::Shl, wide, name)
    }

    /// The other bytes of a word, zero where the value is.
    fn others(&self, editor: &mut Editor, word: Value) -> Value {
        editor.binary(BinaryOp::And, word, self.inv_mask)
    }

    fn shifted(&self, editor: &mut Editor, op: BinaryOp, value: Value, name: &str) -> Value {
        match editor.as_u64(self.shift_amt) {
            Some(0) => value,
            _ => {
                let shifted = editor.binary(op, value, self.shift_amt);
                editor.name(shifted, name)
            }
        }
    }
}

/// The type of an address, its space, and the type of integers of its size.
fn address_types(editor: &mut Editor, layout: &Layout, address: Value) -> (TypeId, u32, TypeId) {
    let ty = editor.type_of(address);
    let space = match editor.module.types.get(ty) {
        Type::Ptr(space) => space,
        _ => 0,
    };
    let number = editor.int_type(layout.pointer_bits(space));
    (ty, space, number)
}

/// `and`, `or` and `xor`: the same on the word, with bits that leave the other bytes alone.
pub(super) fn widened(
    editor: &mut Editor,
    layout: &Layout,
    op: RmwOp,
    access: Access,
    operands: &[Value],
    bits: u32,
) -> Value {
    let (address, value) = (operands[0], operands[1]);
    let (ty, i32) = (editor.type_of(value), editor.module.types.i32);
    let slot = Slot::new(editor, layout, access.align, address, bits);
    let mut operand = slot.put(editor, value, "ValOperand_Shifted");
    if op == RmwOp::And {
        operand = editor.binary(BinaryOp::Or, operand, slot.inv_mask);
        editor.name(operand, "AndOperand");
    }
    let access = Access {
        align: word_align(),
        ..access
    };
    let op = Op::AtomicRmw(op, access);
    let operands = [slot.aligned_addr, operand];
    let old = editor.value(op, Flags::empty(), i32, &operands);
    slot.extracted(editor, old, ty)
}

/// An operation on a narrow value, by a loop of swaps of its word.
pub(super) fn update(
    editor: &mut Editor,
    layout: &Layout,
    op: RmwOp,
    orders: &Orders,
    operands: &[Value],
    bits: u32,
) -> Value {
    let (address, value) = (operands[0], operands[1]);
    let (ty, i32) = (editor.type_of(value), editor.module.types.i32);
    let slot = Slot::new(editor, layout, orders.swap.align, address, bits);
    // What carries only upwards can work on the word as it is.
    let in_place = matches!(op, RmwOp::Xchg | RmwOp::Add | RmwOp::Sub | RmwOp::Nand);
    let value = match in_place {
        true => slot.put(editor, value, "ValOperand_Shifted"),
        false => value,
    };
    let orders = orders.aligned(word_align());
    let old = repeat(editor, &orders, slot.aligned_addr, i32, |editor, loaded| {
        let new = match op {
            RmwOp::Xchg => value,
            _ if in_place => {
                let new = update::apply(editor, op, loaded, value);
                editor.name(new, "new");
                editor.binary(BinaryOp::And, new, slot.mask)
            }
            _ => {
                let old = slot.extracted(editor, loaded, ty);
                let new = update::apply(editor, op, old, value);
                editor.name(new, "new");
                slot.put(editor, new, "new_Shifted")
            }
        };
        let others = slot.others(editor, loaded);
        editor.name(others, "unmasked");
        let inserted = editor.binary(BinaryOp::Or, others, new);
        editor.name(inserted, "inserted")
    });
    slot.extracted(editor, old, ty)
}

/// A swap of a narrow value. A swap of its word may also fail because of another byte: a strong one is then tried
/// again, with the bytes as they are now.
pub(super) fn compare_and_swap(
    editor: &mut Editor,
    layout: &Layout,
    orders: &Orders,
    weak: bool,
    operands: &[Value],
    result: TypeId,
) -> Value {
    let i32 = editor.module.types.i32;
    let bits = editor.int_bits(editor.type_of(operands[1]));
    let slot = Slot::new(editor, layout, orders.swap.align, operands[0], bits);
    let orders = orders.aligned(word_align());
    let new = slot.put(editor, operands[2], "NewVal_Shifted");
    let expected = slot.put(editor, operands[1], "Cmp_Shifted");
    orders.open(editor);
    let look = Op::Load(orders.look());
    let first = editor.value(look, Flags::empty(), i32, &[slot.aligned_addr]);
    editor.name(first, "InitLoaded");
    let first = slot.others(editor, first);
    editor.name(first, "InitLoaded_MaskOut");
    let head = editor.named_block("partword.cmpxchg.loop");
    let failed = (!weak).then(|| editor.named_block("partword.cmpxchg.failure"));
    let end = editor.named_block("partword.cmpxchg.end");
    let before = editor.block();
    editor.br(head);
    editor.start(head);
    let (phi, others) = editor.phi(i32);
    editor.name(others, "Loaded_MaskOut");
    let new_word = editor.binary(BinaryOp::Or, others, new);
    editor.name(new_word, "FullWord_NewVal");
    let old_word = editor.binary(BinaryOp::Or, others, expected);
    editor.name(old_word, "FullWord_Cmp");
    let swap_orders = (orders.swap, orders.failure);
    let names = ["NewCI", "Success", "OldVal"];
    let address = slot.aligned_addr;
    let (seen, success) = swap(editor, swap_orders, address, old_word, new_word, names);
    let mut incoming = vec![(first, before)];
    match failed {
        Some(failed) => {
            editor.cond_br(success, end, failed);
            editor.start(failed);
            let others_now = slot.others(editor, seen);
            editor.name(others_now, "OldVal_MaskOut");
            let changed = editor.icmp(IcmpPredicate::Ne, others, others_now);
            editor.name(changed, "ShouldContinue");
            editor.cond_br(changed, head, end);
            incoming.push((others_now, failed));
        }
        None => editor.br(end),
    }
    editor.set_phi(phi, &incoming);
    editor.start(end);
    orders.close(editor);
    let old = slot.extracted(editor, seen, slot.narrow);
    let pair = editor.poison(result);
    let pair = editor.with_member(pair, old, 0);
    editor.with_member(pair, success, 1)
}
