//! `WARPSYNC` before what lanes do together goes where the warp is together already. `WARPSYNC` elsewhere stays: it orders
//! accesses to memory, too. For the same reason the order of instructions is chosen before; those that will go are marked as `weak`
//! then: only accesses to memory do not pass them.
//!
//! A warp is together at the beginning, after a `WARPSYNC.ALL`, and until a branch that lanes may take differently. Where
//! lanes meet at a `BSYNC` they are not: who waits there may go on without the others once those yield or synchronise
//! (an H200 let lanes through barriers and shuffles whose warp had parted in a loop around a swap, or around a
//! `WARPSYNC`; after such loops ptxas has a `WARPSYNC.ALL`, and after a `BSYNC` of plain code it sometimes has none).
//! And where lanes set a barrier while they were apart, each part waits for its own lanes only: a warp that came together
//! in the region is apart again after its `BSYNC`. Forwards over the blocks, beginning with the best.
//!
//! Fences go where nothing was accessed since the last one (`opt_fences.rs`).

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::is_pure;
use super::opt_fences;
use crate::analysis::divergence::Divergence;
use crate::ir::{BlockId, Function, Inst, Op, Reg};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_sync",
    run,
};

fn is_all(inst: &Inst) -> bool {
    inst.shape.name() == "WARPSYNC.ALL" && inst.guard.is_none()
}

/// Whether an instruction waits for lanes of the warp and does nothing else.
fn waits(inst: &Inst) -> bool {
    is_all(inst)
        || inst.shape.name() == "WARPSYNC" && inst.guard.is_none() && inst.target().is_none()
}

/// Whether what comes next and is more than a computation is done by lanes together.
fn comes_together(next: &[Inst]) -> bool {
    let mut others = next.iter().filter(|inst| !is_pure(inst));
    others.next().is_some_and(|inst| {
        matches!(
            inst.shape.opcode(),
            "SHFL" | "VOTE" | "VOTEU" | "MATCH" | "REDUX" | "CREDUX" | "ELECT" | "BAR"
        )
    })
}

/// Whether lanes that an instruction leaves behind may be elsewhere afterwards.
fn parts(inst: &Inst, divergence: &Divergence) -> bool {
    // What an instruction of the warp does with a part of its lanes may leave them apart.
    inst.is_branch() && divergence.parts(inst)
        || matches!(
            inst.shape.opcode(),
            "WARPSYNC" | "YIELD" | "BREAK" | "NANOSLEEP" | "CALL" | "RET"
        )
}

fn run(function: &mut Function, _: &Limits) {
    let knobs = function.knobs;
    if knobs.sync_optimisation {
        opt_fences::drop_fences(function, knobs.follows_branches);
        drop_meetings(function);
    }
}

/// Drops `WARPSYNC` where the warp is together.
fn drop_meetings(function: &mut Function) {
    for (block, needless) in needless(function) {
        let mut needless = needless.into_iter();
        let insts = &mut function.blocks[block.index()].insts;
        insts.retain(|_| !needless.next().unwrap_or(false));
    }
}

/// Marks `WARPSYNC` that will go, before the order of instructions is chosen.
pub(crate) fn mark(function: &mut Function) {
    if !function.knobs.sync_optimisation {
        return;
    }
    for (block, needless) in needless(function) {
        let insts = &mut function.blocks[block.index()].insts;
        for (inst, needless) in insts.iter_mut().zip(needless) {
            inst.weak |= needless;
        }
    }
}

/// For each block, and each of its instructions, whether it is a `WARPSYNC` where the warp is together.
fn needless(function: &Function) -> Vec<(BlockId, Vec<bool>)> {
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    if !insts.any(waits) {
        return Vec::new();
    }
    let Some((ins, apart, divergence)) = settled(function) else {
        return Vec::new();
    };
    let known = Known {
        divergence: &divergence,
        apart: &apart,
    };
    let each = function.block_ids().map(|block| {
        let mut needless = Vec::new();
        let begin = ins[block.index()];
        let all = &function.blocks[block.index()].insts;
        follow(function, known, block, begin, &mut |inst, together| {
            let next = &all[needless.len() + 1..];
            // One that was marked may stand before something else now.
            needless.push(together && waits(inst) && (inst.weak || comes_together(next)));
        });
        (block, needless)
    });
    each.collect()
}

/// For each block whether the warp is together where it begins, which barriers are set while it is not, and what may
/// differ between lanes. What lanes write while they are apart may differ, too: they come from different places, or have made other trips through a loop. Nothing if
/// that is not settled soon.
fn settled(function: &Function) -> Option<(Vec<bool>, Vec<bool>, Divergence)> {
    let mut apart: Vec<Reg> = Vec::new();
    let mut is_apart = vec![false; function.regs.len()];
    for _ in 0..ROUNDS {
        let divergence = Divergence::with(function, &apart);
        let (ins, barriers) = beginnings(function, &divergence)?;
        let before = apart.len();
        let known = Known {
            divergence: &divergence,
            apart: &barriers,
        };
        for block in function.block_ids() {
            let begin = ins[block.index()];
            follow(function, known, block, begin, &mut |inst, together| {
                for (reg, ..) in inst.writes().filter(|_| !together) {
                    if !std::mem::replace(&mut is_apart[reg.0 as usize], true) {
                        apart.push(reg);
                    }
                }
            });
        }
        if apart.len() == before {
            return Some((ins, barriers, divergence));
        }
    }
    None
}

/// For each block whether the warp is together where it begins, and for each virtual register whether it is
/// a barrier that is set while it is not.
fn beginnings(function: &Function, divergence: &Divergence) -> Option<(Vec<bool>, Vec<bool>)> {
    let mut apart = vec![false; function.regs.len()];
    let mut ins = vec![true; function.blocks.len()];
    // Who calls a function may do so with a part of the warp.
    if let Some(first) = ins.first_mut() {
        *first = function.is_kernel;
    }
    // Each round can only make blocks worse; a few are enough for real code.
    for _ in 0..ROUNDS {
        let mut changed = false;
        for block in function.block_ids() {
            let begin = ins[block.index()];
            let mut set_apart: Vec<Reg> = Vec::new();
            let known = Known {
                divergence,
                apart: &apart,
            };
            let out = follow(function, known, block, begin, &mut |inst, together| {
                if !together && inst.shape.opcode() == "BSSY" {
                    set_apart.extend(barrier(inst));
                }
            });
            for reg in set_apart {
                changed |= !std::mem::replace(&mut apart[reg.0 as usize], true);
            }
            for next in function.successors(block) {
                if ins[next.index()] && !out {
                    ins[next.index()] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return Some((ins, apart));
        }
    }
    None
}

/// What is known of a function.
#[derive(Clone, Copy)]
struct Known<'a> {
    divergence: &'a Divergence,
    /// For each virtual register whether it is a barrier that is set while the warp is not together.
    apart: &'a [bool],
}

/// The convergence barrier of a `BSSY` or `BSYNC`, which has no other register.
fn barrier(inst: &Inst) -> Option<Reg> {
    inst.operands.iter().find_map(|operand| match operand.op {
        Op::Reg(reg, _) => Some(reg),
        _ => None,
    })
}

/// How often the blocks are gone through at most.
const ROUNDS: usize = 16;

/// Whether the warp is together after a block. `see` gets each instruction with whether it is before it.
fn follow(
    function: &Function,
    known: Known,
    block: BlockId,
    mut together: bool,
    see: &mut dyn FnMut(&Inst, bool),
) -> bool {
    let insts = &function.blocks[block.index()].insts;
    for (at, inst) in insts.iter().enumerate() {
        let agrees = at + 1 == insts.len() && function.agrees(block);
        see(inst, together);
        together = match () {
            () if is_all(inst) => true,
            // One of a part of the warp leaves a warp together that was.
            () if waits(inst) => together,
            () if !agrees && parts(inst, known.divergence) => false,
            () if inst.shape.opcode() == "BSYNC" => {
                together && barrier(inst).is_none_or(|reg| !known.apart[reg.0 as usize])
            }
            () => together,
        };
    }
    together
}
