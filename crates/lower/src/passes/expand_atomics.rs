//! Expands atomic operations that the chip does not have into loops of compare-and-swap.
//!
//! ```text
//!   %old = atomicrmw nand ptr %p, i32 %v acq_rel          %first = load atomic i32, ptr %p monotonic
//!                                                       loop:
//!                                                  ──►    %old = phi [ %first ], [ %seen, %loop ]
//!                                                         %new = … %old, %v
//!                                                         %seen, %ok = cmpxchg ptr %p, i32 %old, %new acq_rel monotonic
//!                                                         br i1 %ok, label %done, label %loop
//! ```
//!
//! Order and scope stay: the successful swap carries the order of the operation, a failed one is only tried
//! again. Values narrower than the chip can swap lie in a word of 32 bits, of which the other bytes are
//! written back as they were read ([`word`]).

mod update;
mod word;

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{Access, Align, CastOp, Flags, Op, Ordering, RmwOp};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};
use warpc_target::{Chips, Sm};

/// `atom.cas.b16`, `atom.add.noftz.f16`: from PTX 6.3 on.
const HAS_16_BITS: Chips = Chips::AtLeast(70);
/// `atom.add.noftz.bf16` and its pair: from PTX 7.8 on.
const ADDS_BF16: Chips = Chips::AtLeast(90);

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let sm = context.options.sm;
    edit_bodies(module, |editor| {
        let layout = &context.layout;
        if !editor.any(|module, body, inst| task(module, layout, body, inst, sm).is_some()) {
            return;
        }
        editor.rewrite(|editor, inst| {
            let Some(task) = task(editor.module, layout, editor.body, inst, sm) else {
                return Action::Keep;
            };
            let operands = editor.body.operands(inst).to_vec();
            Action::Replace(match task {
                Task::Loop(op, access) => swap_loop(editor, layout, op, access, &operands),
                Task::LoopInWord(op, access, bits) => {
                    word::update(editor, op, access, &operands, bits)
                }
                Task::SwapInWord(access, failure, bits) => {
                    let ty = editor.body.insts[inst].ty;
                    word::compare_and_swap(editor, (access, failure), &operands, bits, ty)
                }
            })
        });
    });
}

/// What an instruction needs.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// A loop of swaps of the value.
    Loop(RmwOp, Access),
    /// A loop of swaps of the word that the value of so many bits lies in.
    LoopInWord(RmwOp, Access, u32),
    /// A swap of a value of so many bits by swaps of its word.
    SwapInWord(Access, Ordering, u32),
}

fn task(module: &Module, layout: &Layout, body: &Body, inst: InstId, sm: Sm) -> Option<Task> {
    let ty = || module.type_of(body, body.operands(inst)[1]);
    // Swaps of 16 bits exist on later chips, swaps of 8 bits nowhere.
    let in_word = |bits: u64| bits == 8 || bits == 16 && !HAS_16_BITS.contains(sm);
    match body.insts[inst].op {
        Op::AtomicRmw(op, access) => {
            let bits = layout.bits(&module.types, ty());
            if is_native(module, op, ty(), bits, sm) {
                None
            } else if in_word(bits) {
                Some(Task::LoopInWord(op, access, bits as u32))
            } else {
                Some(Task::Loop(op, access))
            }
        }
        Op::CmpXchg {
            access, failure, ..
        } => {
            let bits = layout.bits(&module.types, ty());
            in_word(bits).then_some(Task::SwapInWord(access, failure, bits as u32))
        }
        _ => None,
    }
}

/// Whether PTX has the operation.
fn is_native(module: &Module, op: RmwOp, ty: TypeId, bits: u64, sm: Sm) -> bool {
    match op {
        RmwOp::Xchg => matches!(bits, 32 | 64 | 128),
        RmwOp::Add
        | RmwOp::Sub
        | RmwOp::And
        | RmwOp::Or
        | RmwOp::Xor
        | RmwOp::Max
        | RmwOp::Min
        | RmwOp::Umax
        | RmwOp::Umin => matches!(bits, 32 | 64),
        RmwOp::UincWrap | RmwOp::UdecWrap => bits == 32,
        RmwOp::Fadd => match module.types.get(ty) {
            Type::Float | Type::Double => true,
            Type::Half => HAS_16_BITS.contains(sm),
            Type::BFloat => ADDS_BF16.contains(sm),
            Type::Vector {
                element, len: 2, ..
            } => match module.types.get(element) {
                Type::Half => true,
                Type::BFloat => ADDS_BF16.contains(sm),
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}

/// The access of a first look, which needs no order: the swap finds out whether it was right.
fn relaxed(access: Access) -> Access {
    Access {
        volatile: false,
        ordering: Ordering::Monotonic,
        ..access
    }
}

/// A swap with its orders on success and failure: the value that was there, and whether it was the expected
/// one.
fn swap(
    editor: &mut Editor,
    (access, failure): (Access, Ordering),
    address: Value,
    expected: Value,
    new: Value,
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
    (editor.member(pair, 0), editor.member(pair, 1))
}

/// Repeats a swap until it succeeds. `new` makes the new value of the old one; the last old one comes back.
fn repeat<'m>(
    editor: &mut Editor<'m>,
    access: Access,
    address: Value,
    first: Value,
    new: impl FnOnce(&mut Editor<'m>, Value) -> Value,
) -> Value {
    let ty = editor.type_of(first);
    let (head, done) = (editor.new_block(), editor.new_block());
    let before = editor.block();
    editor.br(head);
    editor.start(head);
    let (phi, old) = editor.phi(ty);
    let new = new(editor, old);
    let orders = (access, Ordering::Monotonic);
    let (seen, succeeded) = swap(editor, orders, address, old, new);
    let last = editor.block();
    editor.cond_br(succeeded, done, head);
    editor.set_phi(phi, &[(first, before), (seen, last)]);
    editor.start(done);
    old
}

/// An operation as a loop of swaps of its own width.
fn swap_loop(
    editor: &mut Editor,
    layout: &Layout,
    op: RmwOp,
    access: Access,
    operands: &[Value],
) -> Value {
    let (address, value) = (operands[0], operands[1]);
    let ty = editor.type_of(value);
    let bits = layout.bits(&editor.module.types, ty) as u32;
    let integer = editor.int_type(bits);
    // What says no alignment has that of its size.
    let access = Access {
        align: match access.align {
            Align::NONE => Align::new(u64::from(bits) / 8).unwrap_or(Align::NONE),
            align => align,
        },
        ..access
    };
    let first = match bits <= 64 {
        true => {
            let op = Op::Load(relaxed(access));
            editor.value(op, Flags::empty(), integer, &[address])
        }
        // There are no atomic loads of 128 bits: swap nothing for nothing.
        false => {
            let zero = editor.zero(integer);
            let orders = (relaxed(access), Ordering::Monotonic);
            swap(editor, orders, address, zero, zero).0
        }
    };
    let old = repeat(editor, access, address, first, |editor, old| {
        let old = editor.cast(CastOp::Bitcast, old, ty);
        let new = update::apply(editor, op, old, value);
        editor.cast(CastOp::Bitcast, new, integer)
    });
    editor.cast(CastOp::Bitcast, old, ty)
}
