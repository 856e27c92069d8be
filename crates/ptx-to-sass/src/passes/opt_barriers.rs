//! A barrier of the block goes where all threads of the block have just met at the same one.
//!
//! The machine counts arrivals at a barrier, wherever threads wait: a barrier may go only if all threads of the block
//! pass it equally often, and all others of its number, too. That is so where no branch on the way depends on what
//! may differ between threads. Between the two barriers nothing may happen that a thread could see: no access to memory,
//! no fence, no exchange between lanes, no call. What functions do is known where they are in the module; of others
//! it can be promised (`--assume-extern-functions-do-not-sync`).

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::is_pure;
use crate::analysis::divergence::Divergence;
use crate::analysis::dominators::Dominators;
use crate::ir::{BlockId, Function, Inst, Op, Operand};
use crate::knobs::SyncMode;
use warpc_sass::Value;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_barriers",
    run,
};

fn run(function: &mut Function, _: &Limits) {
    let knobs = function.knobs;
    let mode = knobs.sync_mode;
    if mode == SyncMode::None || !knobs.sync_optimisation {
        return;
    }
    // Who calls a function is not known, and what a function that is called waits for only if it is looked at.
    let knows_calls = mode >= SyncMode::Functions && function.quiet_calls;
    if !function.is_kernel || function.calls() && !knows_calls {
        return;
    }
    let blocks = function.blocks.iter();
    let count = blocks
        .flat_map(|block| &block.insts)
        .filter(|inst| is_barrier(inst))
        .count();
    if count < 2 {
        return;
    }
    let common = common_blocks(function);
    let mut all = function.blocks.iter().zip(&common);
    let is_sound = all.all(|(block, is_common)| {
        let mut barriers = block.insts.iter().filter(|inst| is_barrier(inst));
        barriers.all(|inst| *is_common && inst.guard.is_none() && number(inst).is_some())
    });
    if !is_sound {
        return;
    }
    let met = meetings(function, mode);
    for (block, met) in function.blocks.iter_mut().zip(met) {
        let mut last = met;
        block.insts.retain(|inst| {
            let is_needless =
                is_plain(inst) && last.as_ref().is_some_and(|known| same(known, inst));
            step(&mut last, inst);
            !is_needless
        });
    }
}

fn is_barrier(inst: &Inst) -> bool {
    inst.shape.opcode() == "BAR"
}

/// Whether a barrier only waits for all threads that come to it.
fn is_plain(inst: &Inst) -> bool {
    is_barrier(inst) && inst.shape.has("SYNC")
}

/// The number of a barrier, if it is a constant.
fn number(inst: &Inst) -> Option<i64> {
    match inst.operands.first()?.op {
        Op::Value(Value::Number(number)) => Some(number),
        _ => None,
    }
}

fn same(a: &Inst, b: &Inst) -> bool {
    let plain = |inst: &Inst| {
        let mut operands = inst.operands.iter();
        operands.all(|Operand { op, .. }| matches!(op, Op::Value(_)))
    };
    a.shape == b.shape && a.operands == b.operands && plain(a)
}

/// What the last barrier was after an instruction, if nothing has happened since.
fn step(last: &mut Option<Inst>, inst: &Inst) {
    if is_plain(inst) {
        *last = Some(inst.clone());
    } else if !is_pure(inst) && !inst.is_branch() && inst.shape.opcode() != "WARPSYNC" {
        *last = None;
    }
}

/// For each block the barrier that all ways to it have just passed.
fn meetings(function: &Function, mode: SyncMode) -> Vec<Option<Inst>> {
    let count = function.blocks.len();
    if mode < SyncMode::Aggressive {
        return vec![None; count];
    }
    // Nothing is known of a way that was not gone yet: it agrees with everything.
    let mut ins: Vec<Option<Option<Inst>>> = vec![None; count];
    if let Some(first) = ins.first_mut() {
        *first = Some(None);
    }
    let mut work: Vec<BlockId> = function.block_ids().take(1).collect();
    while let Some(block) = work.pop() {
        let Some(mut last) = ins[block.index()].clone() else {
            continue;
        };
        for inst in &function.blocks[block.index()].insts {
            step(&mut last, inst);
        }
        for next in function.successors(block) {
            let own = &mut ins[next.index()];
            let met = match own {
                None => Some(last.clone()),
                Some(Some(known)) if !last.as_ref().is_some_and(|last| same(known, last)) => {
                    Some(None)
                }
                Some(_) => None,
            };
            if let Some(met) = met {
                *own = Some(met);
                work.push(next);
            }
        }
    }
    ins.into_iter().map(Option::flatten).collect()
}

/// For each block whether all threads of the block go through it equally often. What is the same in all lanes of a warp by
/// [`Divergence`] is the same in the whole block: it comes from parameters, constants and the number of the block.
fn common_blocks(function: &Function) -> Vec<bool> {
    let divergence = Divergence::of(function);
    let after = Dominators::after(function);
    let mut common = vec![true; function.blocks.len()];
    for block in function.block_ids() {
        let mut insts = function.blocks[block.index()].insts.iter();
        if !insts.any(|inst| inst.is_branch() && divergence.parts(inst)) {
            continue;
        }
        let meet = after.parent(block);
        let mut next = function.successors(block).to_vec();
        let mut seen = vec![false; function.blocks.len()];
        while let Some(one) = next.pop() {
            if Some(one) != meet && !std::mem::replace(&mut seen[one.index()], true) {
                common[one.index()] = false;
                next.extend(function.successors(one));
            }
        }
    }
    common
}
