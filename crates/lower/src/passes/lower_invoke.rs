//! Makes plain calls of `invoke`: on a GPU nothing unwinds.
//!
//! ```text
//!   %r = invoke i32 @f() to label %go unwind label %pad   ──►   %r = call i32 @f()
//!                                                               br label %go
//! ```
//!
//! Landing pads that nothing reaches then go. What still handles exceptions afterwards is refused by name:
//! it raises or continues one itself. `callbr` is refused, too: PTX has no assembly that jumps.

use crate::edit::{Action, Editor, edit_bodies, remove_one_edge, remove_unreachable};
use crate::pass::Context;
use warpc_nvvm::Module;
use warpc_nvvm::inst::Op;
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::value::{InstId, Value};

pub(super) fn run(module: &mut Module, context: &mut Context) {
    edit_bodies(module, |editor| {
        if editor.any(|_, body, inst| matches!(body.insts[inst].op, Op::Invoke(_))) {
            forget_unwinding(editor);
            editor.rewrite(|editor, inst| match editor.body.insts[inst].op {
                Op::Invoke(_) => call_and_go(editor, inst),
                _ => Action::Keep,
            });
            remove_unreachable(editor.module, editor.function, editor.body);
        }
        refuse(editor, context);
    });
    drop_personalities(module);
}

/// Phis of unwind blocks forget the edges from `invoke`.
fn forget_unwinding(editor: &mut Editor) {
    for index in 0..editor.body.order.len() {
        let block = editor.body.order[index];
        let Some(inst) = editor.body.terminator(block) else {
            continue;
        };
        if matches!(editor.body.insts[inst].op, Op::Invoke(_)) {
            let unwind = editor.body.successors(block).nth(1);
            if let Some(unwind) = unwind {
                remove_one_edge(editor.body, unwind, block);
            }
        }
    }
}

/// The `invoke` becomes a call, with its result, attributes and metadata, and a branch.
fn call_and_go(editor: &mut Editor, inst: InstId) -> Action {
    let Op::Invoke(site) = editor.body.insts[inst].op else {
        return Action::Keep;
    };
    let mut operands: Vec<Value> = editor.body.operands(inst).to_vec();
    // Before the callee stand the normal and the unwind block.
    let at = operands.len() - 3;
    let Some(normal) = operands[at].block() else {
        return Action::Keep;
    };
    operands.drain(at..at + 2);
    let flags = editor.body.insts[inst].flags;
    let ty = editor.body.insts[inst].ty;
    let call = editor.emit(Op::Call(site), flags, ty, &operands);
    let moved: Vec<_> = editor.body.attachments_of(inst).to_vec();
    for attachment in moved {
        // Weights of the two ways say nothing about a call.
        if editor.module.names.bytes(attachment.kind) != b"prof" {
            editor.attach(call, attachment.kind, attachment.node);
        }
    }
    let (old, new) = (
        editor.body.insts[inst].local(),
        editor.body.insts[call].local(),
    );
    if let (Some(old), Some(new)) = (old, new) {
        editor.body.locals[new].name = editor.body.locals[old].name.take();
    }
    editor.br(normal);
    match new {
        Some(value) => Action::Replace(value.into()),
        None => Action::Remove,
    }
}

/// Refuses what handles exceptions or jumps from assembly.
fn refuse(editor: &Editor, context: &mut Context) {
    for &block in &editor.body.order {
        for &inst in &editor.body.blocks[block].insts {
            let data = &editor.body.insts[inst];
            let name = data.op.mnemonic();
            match data.op {
                Op::Resume
                | Op::LandingPad { .. }
                | Op::CleanupRet
                | Op::CatchRet
                | Op::CatchSwitch { .. }
                | Op::CatchPad
                | Op::CleanupPad => context.refuse(
                    data.pos,
                    format!("`{name}` can be reached, but a GPU has no exceptions"),
                    "compile without exceptions (-fno-exceptions, panic=abort)",
                ),
                Op::CallBr(..) => context.refuse(
                    data.pos,
                    "PTX has no assembly that jumps: `callbr` cannot be compiled",
                    "use inline assembly that gives a value, and branch on it",
                ),
                _ => {}
            }
        }
    }
}

/// Without landing pads a personality says nothing, and its function need not exist.
fn drop_personalities(module: &mut Module) {
    for index in 0..module.order.len() {
        let id = module.order[index];
        if let GlobalKind::Function(function) = &mut module.globals[id].kind {
            function.personality = None;
        }
    }
}
