//! Gives atomics that stand for functions of CUDA the order and scope that these have.
//!
//! CUDA's `atomicAdd` and its kin are relaxed at device scope. Two spellings of them say something else:
//!
//! ```text
//!   call float @llvm.nvvm.atomic.load.add.f32.p1(…)  ──►  atomicrmw fadd … syncscope("device") monotonic
//!   atomicrmw add ptr %p, i32 %v seq_cst             ──►  atomicrmw add … syncscope("device") monotonic
//!                                                         with `--atomics cuda` only
//! ```
//!
//! The old intrinsics have no order of their own; LLVM's replacement for them would be sequentially consistent,
//! so they are replaced here, always. (Those with a scope in their name, `llvm.nvvm.atomic.add.gen.i.cta…`, are
//! instructions of PTX, relaxed at that scope.) What clang writes for CUDA cannot be told from a program that means
//! what it says: [`Atomics`] decides, and by default such a module gets one warning. Loads, stores and fences are as
//! written in both cases: no compiler writes them for CUDA's functions.

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::{Atomics, Context};
use rustc_hash::FxHashMap;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_model::Scope;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{Access, Align, Flags, Op, Ordering, RmwOp, SyncScope};
use warpc_nvvm::metadata::{Md, MdRef};
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::value::InstId;

/// The old intrinsics, without what names the types of their pointers.
const INTRINSICS: [(&[u8], RmwOp); 4] = [
    (b"llvm.nvvm.atomic.load.add.f32.", RmwOp::Fadd),
    (b"llvm.nvvm.atomic.load.add.f64.", RmwOp::Fadd),
    (b"llvm.nvvm.atomic.load.inc.32.", RmwOp::UincWrap),
    (b"llvm.nvvm.atomic.load.dec.32.", RmwOp::UdecWrap),
];

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let old = old_intrinsics(module);
    let mut first_strong: Option<u32> = None;
    edit_bodies(module, |editor| {
        if !old.is_empty()
            && editor.any(|module, body, inst| called(module, body, inst, &old).is_some())
        {
            replace_calls(editor, &old);
        }
        for inst in strong_atomics(editor.body) {
            match context.options.atomics {
                Atomics::Cuda => relax(editor, inst),
                Atomics::Written => {
                    first_strong.get_or_insert(editor.body.insts[inst].pos);
                }
            }
        }
    });
    if let Some(at) = first_strong
        && is_by_clang(module)
    {
        let message = "this atomic is sequentially consistent at system scope, and compiled so";
        let warning =
            Diagnostic::warning(codes::STRONG_ATOMIC, Span::new(at, at + 1), message).help(
                "clang writes CUDA's relaxed atomics like this; if that is where it comes from, `--atomics cuda` is faster",
            );
        context.found.push(warning);
    }
}

/// The old intrinsics of a module, and what they do.
fn old_intrinsics(module: &Module) -> FxHashMap<GlobalId, RmwOp> {
    let operation = |name: &[u8]| {
        let row = INTRINSICS.iter().find(|row| name.starts_with(row.0));
        row.map(|row| row.1)
    };
    module
        .functions()
        .filter(|(_, _, function)| function.body.is_none())
        .filter_map(|(id, global, _)| Some((id, operation(module.names.bytes(global.name?))?)))
        .collect()
}

/// What the old intrinsic that an instruction calls does.
fn called(
    module: &Module,
    body: &Body,
    inst: InstId,
    old: &FxHashMap<GlobalId, RmwOp>,
) -> Option<RmwOp> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    let callee = module.global_of(body.operands(inst).last()?.constant()?)?;
    old.get(&callee).copied()
}

fn replace_calls(editor: &mut Editor, old: &FxHashMap<GlobalId, RmwOp>) {
    let scope = SyncScope::new(Scope::Gpu);
    editor.rewrite(|editor, inst| {
        let Some(op) = called(editor.module, editor.body, inst, old) else {
            return Action::Keep;
        };
        let &[address, value, _] = editor.body.operands(inst) else {
            return Action::Keep;
        };
        let access = Access {
            volatile: false,
            ordering: Ordering::Relaxed,
            align: Align::NONE,
            scope,
        };
        let ty = editor.body.insts[inst].ty;
        let op = Op::AtomicRmw(op, access);
        Action::Replace(editor.value(op, Flags::empty(), ty, &[address, value]))
    });
}

/// Sequentially consistent read-modify-writes at system scope.
fn strong_atomics(body: &Body) -> Vec<InstId> {
    let is_strong =
        |access: Access| access.ordering == Ordering::SeqCst && access.scope == SyncScope::SYSTEM;
    let blocks = body.order.iter();
    let insts = blocks.flat_map(|&block| &body.blocks[block].insts);
    insts
        .copied()
        .filter(|&inst| match body.insts[inst].op {
            Op::AtomicRmw(_, access) | Op::CmpXchg { access, .. } => is_strong(access),
            _ => false,
        })
        .collect()
}

/// Makes a read-modify-write what CUDA means.
fn relax(editor: &mut Editor, inst: InstId) {
    let scope = SyncScope::new(Scope::Gpu);
    let change = |access: &mut Access| {
        access.ordering = Ordering::Relaxed;
        access.scope = scope;
    };
    match &mut editor.body.insts[inst].op {
        Op::AtomicRmw(_, access) => change(access),
        Op::CmpXchg {
            access, failure, ..
        } => {
            change(access);
            *failure = Ordering::Relaxed;
        }
        _ => {}
    }
}

/// Whether clang made the module, as `!llvm.ident` says.
fn is_by_clang(module: &Module) -> bool {
    let metadata = &module.metadata;
    let named = module.names.find(b"llvm.ident");
    let Some(named) = named.and_then(|name| metadata.named(name)) else {
        return false;
    };
    named
        .nodes
        .iter()
        .any(|&node| match metadata.operand(node, 0).map(MdRef::get) {
            Some(Md::String(text)) => module.names.text(text).contains("clang version"),
            _ => false,
        })
}
