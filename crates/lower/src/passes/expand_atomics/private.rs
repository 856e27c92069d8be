//! Atomics in memory that no other thread can write.
//!
//! Local memory, the stack and parameters passed by value belong to one thread, and constant memory does not change
//! while a kernel runs. PTX has no atomics there, and none are needed: nothing comes between a plain load and a
//! plain store. Such an access cannot synchronise with another thread either; the fences of its order stand
//! all the same, for whoever uses it to order other memory.

use super::update;
use crate::edit::{Action, Editor};
use rustc_hash::FxHashSet;
use warpc_nvvm::constant::{ConstKind, ExprOp};
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{Access, CastOp, Flags, IcmpPredicate, Op, Ordering, SyncScope};
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{Local, Operand, Value};

/// Who can write the memory at an address while the thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// Other threads, perhaps.
    Shared,
    /// The thread alone.
    Private,
    /// Nobody.
    Constant,
}

/// LLVM's number of constant memory.
const CONSTANT: u32 = 4;
/// LLVM's number of local memory.
const LOCAL: u32 = 5;
/// LLVM's number of the memory of a kernel's parameters.
const PARAM: u32 = 101;

/// Addresses are followed this far through phis and selections.
const MOST: usize = 64;

/// Who can write the memory at an address.
pub(super) fn memory_of(editor: &Editor, address: Value) -> Memory {
    let mut seen = FxHashSet::default();
    let mut work = vec![address];
    let mut found: Option<Memory> = None;
    while let Some(value) = work.pop() {
        let memory = match step(editor, value) {
            Step::Is(memory) => memory,
            Step::From(values) => {
                for value in values {
                    let known = value.local().is_some_and(|local| !seen.insert(local));
                    if !known {
                        work.push(value);
                    }
                }
                if seen.len() > MOST {
                    return Memory::Shared;
                }
                continue;
            }
            Step::Nowhere => continue,
        };
        if memory == Memory::Shared || found.is_some_and(|found| found != memory) {
            return Memory::Shared;
        }
        found = Some(memory);
    }
    found.unwrap_or(Memory::Shared)
}

/// What an address says about its memory.
enum Step {
    Is(Memory),
    /// It is computed from these.
    From(Vec<Value>),
    /// It is undefined: no access to it counts.
    Nowhere,
}

fn step(editor: &Editor, value: Value) -> Step {
    match editor.module.types.get(editor.type_of(value)) {
        Type::Ptr(LOCAL | PARAM) => return Step::Is(Memory::Private),
        Type::Ptr(CONSTANT) => return Step::Is(Memory::Constant),
        Type::Ptr(0) => {}
        _ => return Step::Is(Memory::Shared),
    }
    match editor.resolve(value).get() {
        Operand::Local(local) => match editor.body.locals[local].def {
            Def::Inst(inst) => {
                let operands = editor.body.operands(inst);
                match editor.body.insts[inst].op {
                    Op::Alloca { .. } => Step::Is(Memory::Private),
                    Op::Gep { .. }
                    | Op::Freeze
                    | Op::Cast(CastOp::Bitcast | CastOp::Addrspacecast) => {
                        Step::From(vec![operands[0]])
                    }
                    Op::Phi => Step::From(operands.iter().copied().step_by(2).collect()),
                    Op::Select => Step::From(operands[1..].to_vec()),
                    _ => Step::Is(Memory::Shared),
                }
            }
            _ if is_by_value(editor, local) => Step::Is(Memory::Private),
            _ => Step::Is(Memory::Shared),
        },
        Operand::Const(constant) => match editor.module.constants.get(constant).kind {
            ConstKind::Undef | ConstKind::Poison => Step::Nowhere,
            ConstKind::Expr(expr) => {
                let expr = editor.module.constants.expr(expr);
                let operands = editor.module.constants.list(expr.operands);
                match expr.op {
                    ExprOp::Gep { .. } | ExprOp::Cast(CastOp::Bitcast | CastOp::Addrspacecast) => {
                        Step::From(vec![operands[0].into()])
                    }
                    _ => Step::Is(Memory::Shared),
                }
            }
            _ => Step::Is(Memory::Shared),
        },
        _ => Step::Is(Memory::Shared),
    }
}

/// Whether a value is a parameter whose bytes are the function's own.
fn is_by_value(editor: &Editor, local: Local) -> bool {
    let module = &*editor.module;
    let (Def::Param(index), Some(name)) =
        (editor.body.locals[local].def, module.names.find(b"byval"))
    else {
        return false;
    };
    let GlobalKind::Function(function) = &module.globals[editor.function].kind else {
        return false;
    };
    let set = module.attributes.of_param(function.attrs, index as usize);
    module.attributes.find(set, name).is_some()
}

/// Writes plain accesses in place of an atomic instruction.
pub(super) fn access(editor: &mut Editor, op: Op, ty: TypeId, operands: &[Value]) -> Action {
    match op {
        Op::Load(access) => {
            open(editor, access);
            let op = Op::Load(plain(access));
            let loaded = editor.value(op, Flags::empty(), ty, operands);
            close(editor, access, &[access.ordering]);
            Action::Replace(loaded)
        }
        Op::Store(access) => {
            open(editor, access);
            let void = editor.module.types.void;
            editor.emit(Op::Store(plain(access)), Flags::empty(), void, operands);
            Action::Remove
        }
        Op::AtomicRmw(op, access) => {
            let (address, value) = (operands[0], operands[1]);
            open(editor, access);
            let load = Op::Load(plain(access));
            let old = editor.value(load, Flags::empty(), ty, &[address]);
            let new = update::apply(editor, op, old, value);
            store(editor, access, new, address);
            close(editor, access, &[access.ordering]);
            Action::Replace(old)
        }
        Op::CmpXchg {
            access, failure, ..
        } => {
            let (address, expected, new) = (operands[0], operands[1], operands[2]);
            let value_ty = editor.type_of(expected);
            open(editor, access);
            let load = Op::Load(plain(access));
            let old = editor.value(load, Flags::empty(), value_ty, &[address]);
            let success = editor.icmp(IcmpPredicate::Eq, old, expected);
            let kept = editor.select(success, new, old);
            store(editor, access, kept, address);
            close(editor, access, &[access.ordering, failure]);
            let pair = editor.poison(ty);
            let pair = editor.with_member(pair, old, 0);
            Action::Replace(editor.with_member(pair, success, 1))
        }
        _ => Action::Keep,
    }
}

fn store(editor: &mut Editor, access: Access, value: Value, address: Value) {
    let void = editor.module.types.void;
    let op = Op::Store(plain(access));
    editor.emit(op, Flags::empty(), void, &[value, address]);
}

fn plain(access: Access) -> Access {
    Access {
        ordering: Ordering::Weak,
        scope: SyncScope::SYSTEM,
        ..access
    }
}

/// The fence of an order before the access.
fn open(editor: &mut Editor, access: Access) {
    match access.ordering {
        Ordering::SeqCst => editor.fence(Ordering::SeqCst, access.scope),
        Ordering::Release | Ordering::AcqRel => editor.fence(Ordering::Release, access.scope),
        _ => {}
    }
}

/// The fence of an order after the access.
fn close(editor: &mut Editor, access: Access, orders: &[Ordering]) {
    use Ordering::{AcqRel, Acquire, SeqCst};
    if orders
        .iter()
        .any(|order| matches!(order, Acquire | AcqRel | SeqCst))
    {
        editor.fence(Ordering::Acquire, access.scope);
    }
}
