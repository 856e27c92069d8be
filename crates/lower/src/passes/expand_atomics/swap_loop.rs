//! Loops of compare-and-swap.

use super::orders::Orders;
use super::update;
use crate::edit::Editor;
use warpc_nvvm::inst::{Access, Align, CastOp, Flags, Op, Ordering, RmwOp};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::Value;

/// A swap with its orders on success and failure: the value that was there, and whether it was the expected one.
pub(super) fn swap(
    editor: &mut Editor,
    (access, failure): (Access, Ordering),
    address: Value,
    expected: Value,
    new: Value,
    names: [&str; 3],
) -> (Value, Value) {
    let (ty, i1) = (editor.type_of(expected), editor.module.types.i1);
    let fields = editor.module.types.intern_list(&[ty, i1]);
    let pair = editor.module.types.intern(Type::Struct {
        fields,
        packed: false,
    });
    let op = Op::CmpXchg {
        access,
        failure,
        weak: false,
    };
    let pair = editor.value(op, Flags::empty(), pair, &[address, expected, new]);
    editor.name(pair, names[0]);
    let success = editor.member(pair, 1);
    editor.name(success, names[1]);
    let seen = editor.member(pair, 0);
    (editor.name(seen, names[2]), success)
}

/// Repeats a swap until it succeeds. `new` makes the new value of the old one; the last old one comes back.
pub(super) fn repeat<'m>(
    editor: &mut Editor<'m>,
    orders: &Orders,
    address: Value,
    integer: warpc_nvvm::types::TypeId,
    new: impl FnOnce(&mut Editor<'m>, Value) -> Value,
) -> Value {
    orders.open(editor);
    let look = Op::Load(orders.look());
    let first = editor.value(look, Flags::empty(), integer, &[address]);
    let start = editor.named_block("atomicrmw.start");
    let end = editor.named_block("atomicrmw.end");
    let before = editor.block();
    editor.br(start);
    editor.start(start);
    let (phi, loaded) = editor.phi(integer);
    editor.name(loaded, "loaded");
    let new = new(editor, loaded);
    let swap_orders = (orders.swap, orders.failure);
    let names = ["pair", "success", "newloaded"];
    let (seen, success) = swap(editor, swap_orders, address, loaded, new, names);
    let last = editor.block();
    editor.cond_br(success, end, start);
    editor.set_phi(phi, &[(first, before), (seen, last)]);
    editor.start(end);
    orders.close(editor);
    seen
}

/// An operation as a loop of swaps of its own width.
pub(super) fn update(
    editor: &mut Editor,
    op: RmwOp,
    orders: &Orders,
    operands: &[Value],
    bits: u32,
) -> Value {
    let (address, value) = (operands[0], operands[1]);
    let ty = editor.type_of(value);
    let integer = editor.int_type(bits);
    // What says no alignment has that of its size.
    let natural = Align::new(u64::from(bits) / 8).unwrap_or(Align::NONE);
    let orders = match orders.swap.align {
        Align::NONE => orders.aligned(natural),
        _ => *orders,
    };
    let old = repeat(editor, &orders, address, integer, |editor, loaded| {
        let old = editor.cast(CastOp::Bitcast, loaded, ty);
        let new = update::apply(editor, op, old, value);
        editor.name(new, "new");
        editor.cast(CastOp::Bitcast, new, integer)
    });
    editor.cast(CastOp::Bitcast, old, ty)
}
