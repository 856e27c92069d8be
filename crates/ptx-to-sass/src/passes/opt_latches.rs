//! What a loop does on its way back is done before the branch that leaves it, which then goes back itself.
//!
//! ```text
//!     @p BRA exit              MOV r1, r2
//!     MOV r1, r2        ─►     @!p BRA loop
//!     BRA loop                 BRA exit
//! ```
//!
//! A round has one branch instead of two, and the moves are in one block with what computes their sources, so that both may
//! get one register. Compilers that take each variable of a loop apart leave such moves. They are executed once too often,
//! when the loop is left: they must compute only, and write what nobody reads there.

use super::assign_registers::Limits;
use super::opt_blocks::{is_plain_branch, opposite};
use super::{Pass, is_pure, writes_named};
use crate::analysis::liveness::Liveness;
use crate::ir::{BlockId, Function, Guard, Inst, Reg};
use rustc_hash::FxHashSet;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_latches",
    run,
};

/// The most instructions that are executed once too often.
const MOST: usize = 16;

fn run(function: &mut Function, _: &Limits) {
    let named = function.named_blocks();
    let places: Vec<usize> = (1..function.blocks.len())
        .filter(|latch| !named[*latch] && goes_back(function, *latch).is_some())
        .map(|latch| latch - 1)
        .collect();
    if places.is_empty() {
        return;
    }
    let liveness = Liveness::of(function);
    for index in places {
        turn(function, &liveness, index);
    }
}

/// Where a block goes back to that does nothing else but compute.
fn goes_back(function: &Function, latch: usize) -> Option<BlockId> {
    let block = &function.blocks[latch];
    let (last, before) = block.insts.split_last()?;
    let moves = |inst: &Inst| is_pure(inst) && !writes_named(inst);
    let is_short = !block.is_cold && before.len() <= MOST && before.iter().all(moves);
    let header = last.target().filter(|_| is_plain_branch(last))?;
    (is_short && last.guard.is_none() && header.index() < latch).then_some(header)
}

/// Turns round the branch at the end of a block, before one that goes back.
fn turn(function: &mut Function, liveness: &Liveness, index: usize) {
    let latch = index + 1;
    let leaves = function.blocks[index].insts.last();
    let leaves = leaves.filter(|last| is_plain_branch(last));
    let Some((guard, exit)) = leaves.and_then(|last| last.guard.zip(last.target())) else {
        return;
    };
    let Some(header) = goes_back(function, latch) else {
        return;
    };
    if exit == header || function.agrees(BlockId(index as u32)) {
        return;
    }
    let read = liveness.registers_in(function, exit);
    let mut moves = function.blocks[latch].insts.clone();
    let back = moves.pop();
    if !moves.iter().all(|inst| writes_unread(inst, guard, &read)) {
        return;
    }
    let (Some(mut back), Some(mut leaves)) = (back, function.blocks[index].insts.pop()) else {
        return;
    };
    back.guard = Some(opposite(guard));
    leaves.guard = None;
    let block = &mut function.blocks[index].insts;
    block.append(&mut moves);
    block.push(back);
    function.blocks[latch].insts = match exit.index() == latch + 1 {
        true => Vec::new(),
        false => vec![leaves],
    };
}

/// Whether an instruction writes nothing that a guard is, or that is in a set.
fn writes_unread(inst: &Inst, guard: Guard, read: &FxHashSet<Reg>) -> bool {
    inst.writes()
        .all(|(reg, ..)| reg != guard.reg && !read.contains(&reg))
}
