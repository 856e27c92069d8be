//! Expands atomic operations that the chip does not have.
//!
//! [`plan`] asks one question for each kind of instruction and answers with a [`plan::Plan`]:
//!
//! ```text
//!   load, store      as they are │ as one integer (vectors)
//!   cmpxchg          as it is │ by swaps of the word around it
//!   atomicrmw        as it is │ fsub: fadd of the negated value
//!                    │ and, or, xor of 8 and 16 bits: the same on the word around it
//!                    │ a loop of swaps, of the value itself or of the word around it
//!   any of them      in memory that no other thread can write: plain accesses │ refused by name
//! ```
//!
//! A loop ([`swap_loop`]) has the blocks and names that LLVM gives it:
//!
//! ```text
//!                                                       │ %1 = load atomic i32, ptr %p monotonic
//!   %old = atomicrmw nand ptr %p, i32 %v acq_rel        │ br label %atomicrmw.start
//!                                                       │ atomicrmw.start:
//!                                                  ──►  │ %loaded = phi [ %1 ], [ %newloaded, %atomicrmw.start ]
//!                                                       │ %new = … %loaded, %v
//!                                                       │ %pair = cmpxchg ptr %p, i32 %loaded, %new acq_rel monotonic
//!                                                       │ br i1 %success, label %atomicrmw.end, label %atomicrmw.start
//!                                                       │ atomicrmw.end:
//! ```
//!
//! The loop has the scope of the operation and starts from a strong relaxed load. Its order is what the order table
//! says ([`orders`]): fences of the operation stand once before and after the loop, the swap carries the rest. A
//! failed swap of the loop orders nothing by itself: it is only tried again. Loops compare bits, never numbers: two
//! zeros differ and a value that is not a number equals itself.
//!
//! Metadata: a cache policy (`!mem.cache_hint`) is a hint for one instruction, so a loop drops it;
//! `!amdgpu.*` is for other chips.

mod orders;
mod plan;
mod private;
mod swap_loop;
mod update;
mod word;

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use plan::Plan;
use warpc_diag::{Diagnostic, Span};
use warpc_nvvm::Module;
use warpc_nvvm::inst::{Access, CastOp, Flags, Op, RmwOp};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

pub(super) fn run(module: &mut Module, context: &mut Context) {
    edit_bodies(module, |editor| {
        if !editor.any(|_, body, inst| access_of(body.insts[inst].op).is_some()) {
            return;
        }
        editor.rewrite(|editor, inst| {
            let Some(access) = access_of(editor.body.insts[inst].op) else {
                return Action::Keep;
            };
            match plan::of(editor, context, inst, access) {
                Plan::Keep => Action::Keep,
                Plan::Refuse(refusal) => {
                    let span = Span::new(editor.pos(), editor.pos() + 1);
                    let error = Diagnostic::error(refusal.code, span, refusal.message);
                    context.found.push(error.help(refusal.help));
                    Action::Keep
                }
                plan => expand(editor, context, inst, plan),
            }
        });
    });
}

/// How an instruction accesses memory, if it is atomic.
fn access_of(op: Op) -> Option<Access> {
    match op {
        Op::Load(access) | Op::Store(access) if access.is_atomic() => Some(access),
        Op::AtomicRmw(_, access) | Op::CmpXchg { access, .. } => Some(access),
        _ => None,
    }
}

/// Writes what stands for an instruction.
fn expand(editor: &mut Editor, context: &Context, inst: InstId, plan: Plan) -> Action {
    let operands = editor.body.operands(inst).to_vec();
    let (ty, layout) = (editor.body.insts[inst].ty, &context.layout);
    match (editor.body.insts[inst].op, plan) {
        (op, Plan::Private) => private::access(editor, op, ty, &operands),
        (Op::Load(access), Plan::AsInteger(bits)) => {
            let integer = editor.int_type(bits);
            let op = Op::Load(access);
            let loaded = editor.value(op, Flags::empty(), integer, &operands);
            Action::Replace(from_integer(editor, context, loaded, ty))
        }
        (Op::Store(access), Plan::AsInteger(bits)) => {
            let integer = editor.int_type(bits);
            let value = to_integer(editor, context, operands[0], integer);
            let void = editor.module.types.void;
            let op = Op::Store(access);
            editor.emit(op, Flags::empty(), void, &[value, operands[1]]);
            Action::Remove
        }
        (Op::AtomicRmw(_, access), Plan::AddNegated) => {
            let negated = editor.fneg(operands[1]);
            let op = Op::AtomicRmw(RmwOp::Fadd, access);
            let operands = [operands[0], negated];
            Action::Replace(editor.value(op, Flags::empty(), ty, &operands))
        }
        (Op::AtomicRmw(op, access), Plan::Widen(bits)) => {
            Action::Replace(word::widened(editor, layout, op, access, &operands, bits))
        }
        (Op::AtomicRmw(op, access), Plan::LoopInWord(bits)) => {
            let orders = orders::of_rmw(context, access);
            Action::Replace(word::update(editor, layout, op, &orders, &operands, bits))
        }
        (Op::AtomicRmw(op, access), Plan::Loop(bits)) => {
            let orders = orders::of_rmw(context, access);
            Action::Replace(swap_loop::update(editor, op, &orders, &operands, bits))
        }
        (
            Op::CmpXchg {
                access,
                failure,
                weak,
            },
            Plan::SwapInWord,
        ) => {
            let orders = orders::of_swap(context, access, failure);
            Action::Replace(word::compare_and_swap(
                editor, layout, &orders, weak, &operands, ty,
            ))
        }
        _ => Action::Keep,
    }
}

/// The bits of a value of several parts.
fn to_integer(editor: &mut Editor, context: &Context, value: Value, integer: TypeId) -> Value {
    let ty = editor.type_of(value);
    let value = match addresses(editor, context, ty) {
        Some(numbers) => editor.cast(CastOp::Ptrtoint, value, numbers),
        None => value,
    };
    editor.cast(CastOp::Bitcast, value, integer)
}

/// A value of several parts from its bits.
fn from_integer(editor: &mut Editor, context: &Context, bits: Value, ty: TypeId) -> Value {
    match addresses(editor, context, ty) {
        Some(numbers) => {
            let numbers = editor.cast(CastOp::Bitcast, bits, numbers);
            editor.cast(CastOp::Inttoptr, numbers, ty)
        }
        None => editor.cast(CastOp::Bitcast, bits, ty),
    }
}

/// For a vector of pointers, the vector of integers of their size.
fn addresses(editor: &mut Editor, context: &Context, ty: TypeId) -> Option<TypeId> {
    let types = &editor.module.types;
    let Type::Ptr(space) = types.get(types.scalar(ty)) else {
        return None;
    };
    let number = editor.int_type(context.layout.pointer_bits(space));
    Some(editor.module.types.with_shape_of(ty, number))
}
