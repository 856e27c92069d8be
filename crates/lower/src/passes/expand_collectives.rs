//! Expands what the threads of a warp do together where the chip has no instruction for it.
//!
//! | what | becomes |
//! |---|---|
//! | `redux.sync` of integers, below sm_80 | shuffles ([`reduce`]) |
//! | `redux.sync` of floating-point numbers, where only integers are reduced | integers in the same order ([`float_key`]) |
//! | `match.any.sync`, `match.all.sync` below sm_70 | shuffles and votes ([`find_equal`]) |
//! | `elect.sync` below sm_90 | the first of the threads that are there |
//! | `nanosleep` below sm_70 | nothing: PTX promises between no time and twice the time |
//! | `fence.sc.cluster` below sm_90 | the fence for the whole chip, with the warning that `syncscope("cluster")` gets |
//!
//! Masks are taken as they come: with holes, of one thread, or naming threads that do not exist. A first vote
//! finds out who is there; only these are read from. All branches go the same way in all threads of a mask, so
//! they still meet in each step.

mod find_equal;
mod float_key;
mod reduce;

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use crate::shuffle::{Mode, Shuffle, WHOLE_WARP};
use warpc_diag::{Diagnostic, Span, codes};
use warpc_model::collective::{ELECT, MATCH, NANOSLEEP};
use warpc_model::{Redux, ReduxType, Scope};
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{IcmpPredicate, Op};
use warpc_nvvm::value::{InstId, Value};
use warpc_target::{Gate, Sm};

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let sm = context.options.sm;
    let mut warned = false;
    edit_bodies(module, |editor| {
        if !editor.any(|module, body, inst| task(module, body, inst, sm).is_some()) {
            return;
        }
        editor.rewrite(|editor, inst| {
            let Some(task) = task(editor.module, editor.body, inst, sm) else {
                return Action::Keep;
            };
            let operands = editor.body.operands(inst);
            let args = operands[..operands.len() - 1].to_vec();
            match (task, &args[..]) {
                (Task::Reduce(redux), &[value, mask]) => {
                    Action::Replace(reduce::all(editor, redux, value, mask, sm))
                }
                (Task::MatchAny, &[mask, value]) => {
                    Action::Replace(find_equal::any(editor, mask, value, &context.layout))
                }
                (Task::MatchAll, &[mask, value]) => {
                    Action::Replace(find_equal::all(editor, mask, value, &context.layout))
                }
                (Task::Elect, &[mask]) => Action::Replace(elect(editor, mask)),
                (Task::Sleep, _) => Action::Remove,
                (Task::Fence, _) => {
                    if !std::mem::replace(&mut warned, true) {
                        let pos = editor.pos();
                        let message = format!(
                            "`fence.sc.cluster` becomes the fence of the device on {sm}"
                        );
                        let help = "clusters of blocks exist from sm_90 on; the wider scope is right, but slower";
                        context.found.push(
                            Diagnostic::warning(codes::WIDER_SCOPE, Span::new(pos, pos + 1), message)
                                .help(help),
                        );
                    }
                    let void = editor.module.types.void;
                    editor.intrinsic("llvm.nvvm.membar.gl", void, &[]);
                    Action::Remove
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
    Reduce(Redux),
    MatchAny,
    MatchAll,
    Elect,
    Sleep,
    Fence,
}

fn task(module: &Module, body: &Body, inst: InstId, sm: Sm) -> Option<Task> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    let callee = module.global_of(body.operands(inst).last()?.constant()?)?;
    let name = module.names.bytes(module.globals[callee].name?);
    let name = std::str::from_utf8(name.strip_prefix(b"llvm.nvvm.")?).ok()?;
    let (task, gate) = match name {
        "match.any.sync.i32" | "match.any.sync.i64" => (Task::MatchAny, MATCH),
        "match.all.sync.i32p" | "match.all.sync.i64p" => (Task::MatchAll, MATCH),
        "elect.sync" => (Task::Elect, ELECT),
        "nanosleep" => (Task::Sleep, NANOSLEEP),
        "fence.sc.cluster" => (Task::Fence, Scope::Cluster.gate()),
        _ => {
            let redux = Redux::from_llvm_name(name.strip_prefix("redux.sync.")?)?;
            (Task::Reduce(redux), redux.gate())
        }
    };
    (!is_open(gate, sm)).then_some(task)
}

/// Whether some version of PTX has it for the chip.
fn is_open(gate: Gate, sm: Sm) -> bool {
    gate.required_version(sm).is_some()
}

/// Whether the chip reduces integers.
fn reduces_integers(sm: Sm) -> bool {
    let mut integers = Redux::ALL.iter();
    integers.any(|redux| redux.ty != ReduxType::F32 && is_open(redux.gate(), sm))
}

/// The threads of a mask that are there.
fn members(editor: &mut Editor, mask: Value) -> Value {
    let types = &editor.module.types;
    let (i1, i32) = (types.i1, types.i32);
    let yes = editor.int(i1, 1);
    editor.intrinsic("llvm.nvvm.vote.ballot.sync", i32, &[mask, yes])
}

/// The number of the lowest bit; 32 for zero.
fn lowest(editor: &mut Editor, mask: Value) -> Value {
    let types = &editor.module.types;
    let (i1, i32) = (types.i1, types.i32);
    let zero_is_right = editor.int(i1, 0);
    editor.intrinsic("llvm.cttz.i32", i32, &[mask, zero_is_right])
}

/// The number of the thread in its warp.
fn lane(editor: &mut Editor) -> Value {
    let i32 = editor.module.types.i32;
    editor.intrinsic("llvm.nvvm.read.ptx.sreg.laneid", i32, &[])
}

/// Reading from the thread with a number.
fn from_thread(editor: &mut Editor, mask: Value, lane: Value) -> Shuffle {
    let i32 = editor.module.types.i32;
    Shuffle {
        mode: Mode::Idx,
        mask,
        lane,
        clamp: editor.int(i32, WHOLE_WARP),
    }
}

/// The first thread that is there, and whether it is this one.
fn elect(editor: &mut Editor, mask: Value) -> Value {
    let i32 = editor.module.types.i32;
    let members = members(editor, mask);
    let leader = lowest(editor, members);
    let lane = lane(editor);
    let is_leader = editor.icmp(IcmpPredicate::Eq, leader, lane);
    pair(editor, i32, leader, is_leader)
}

/// `{ i32, i1 }` of two values.
fn pair(editor: &mut Editor, ty: warpc_nvvm::types::TypeId, first: Value, second: Value) -> Value {
    let ty = crate::shuffle::pair_type(editor, ty);
    let pair = editor.poison(ty);
    let pair = editor.with_member(pair, first, 0);
    editor.with_member(pair, second, 1)
}
