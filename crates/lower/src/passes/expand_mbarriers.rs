//! Expands the operations on barriers in shared memory that sm_80 to sm_89 do not have, into those they have.
//!
//! | what | becomes |
//! |---|---|
//! | `mbarrier.try.wait`, with or without parity and time limit | `mbarrier.test.wait`: an answer at once is one in time |
//! | `mbarrier.arrive` and `mbarrier.arrive.drop` of N threads at once, N constant | one of N - 1 threads that ends no phase, and one of one thread |
//!
//! Chips below sm_80 have no such barriers at all, and transactions and other blocks' barriers need sm_90: these
//! are refused when instructions are selected.

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use warpc_model::MbarrierOp;
use warpc_model::mbarrier::ARRIVE_COUNT;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::Op;
use warpc_nvvm::value::{InstId, Value};

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let sm = context.options.sm;
    let has = |gate: warpc_target::Gate| gate.required_version(sm).is_some();
    if !has(MbarrierOp::Arrive.gate()) || has(ARRIVE_COUNT) && has(MbarrierOp::TryWait.gate()) {
        return;
    }
    edit_bodies(module, |editor| {
        if !editor.any(|module, body, inst| task(module, body, inst).is_some()) {
            return;
        }
        editor.rewrite(|editor, inst| {
            let Some(task) = task(editor.module, editor.body, inst) else {
                return Action::Keep;
            };
            let operands = editor.body.operands(inst);
            let args = operands[..operands.len() - 1].to_vec();
            match (task, &args[..]) {
                (Task::Wait { parity }, &[barrier, phase, ..]) => {
                    let parity = if parity { ".parity" } else { "" };
                    let name = format!("llvm.nvvm.mbarrier.test.wait{parity}.scope.cta.space.cta");
                    let i1 = editor.module.types.i1;
                    Action::Replace(editor.intrinsic(&name, i1, &[barrier, phase]))
                }
                (Task::Arrive { drop }, &[barrier, count]) => {
                    match editor.as_u64(count).filter(|&count| count > 0) {
                        Some(count) => Action::Replace(arrive(editor, drop, barrier, count)),
                        None => {
                            context.target_lacks(
                                editor.pos(),
                                format!("`mbarrier.arrive` with a count that is not a constant does not exist on {sm}"),
                                &format!("it needs {ARRIVE_COUNT}: compile with `--arch`, or let each thread arrive"),
                            );
                            Action::Keep
                        }
                    }
                }
                // The verifier has seen the arguments of intrinsics.
                _ => Action::Keep,
            }
        });
    });
}

/// What an instruction needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    Wait { parity: bool },
    Arrive { drop: bool },
}

fn task(module: &Module, body: &Body, inst: InstId) -> Option<Task> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    let callee = module.global_of(body.operands(inst).last()?.constant()?)?;
    let name = module.names.bytes(module.globals[callee].name?);
    let name = std::str::from_utf8(name.strip_prefix(b"llvm.nvvm.mbarrier.")?).ok()?;
    // Without clusters a block is its own cluster, but an order at that scope has no spelling here.
    let name = name.strip_suffix(".scope.cta.space.cta")?;
    Some(match name {
        "try.wait" | "try.wait.tl" => Task::Wait { parity: false },
        "try.wait.parity" | "try.wait.parity.tl" => Task::Wait { parity: true },
        "arrive" => Task::Arrive { drop: false },
        "arrive.drop" => Task::Arrive { drop: true },
        _ => return None,
    })
}

/// The arrival of several threads; gives the state before it.
fn arrive(editor: &mut Editor, drop: bool, barrier: Value, count: u64) -> Value {
    let types = &editor.module.types;
    let (i32, i64) = (types.i32, types.i64);
    let drop = if drop { ".drop" } else { "" };
    if count > 1 {
        let others = editor.int(i32, count - 1);
        let name = format!("llvm.nvvm.mbarrier.arrive{drop}.noComplete.shared");
        editor.intrinsic(&name, i64, &[barrier, others]);
    }
    // The phase is the same: it cannot end before this arrival.
    let name = format!("llvm.nvvm.mbarrier.arrive{drop}.shared");
    editor.intrinsic(&name, i64, &[barrier])
}
