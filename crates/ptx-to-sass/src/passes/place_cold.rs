//! What is seldom executed stands after everything else.
//!
//! ```text
//!       @p BRA .L2                     @!p BRA .L3
//!   .L1: .cold                     .L1:
//!       DFMA r0, r1, r2, r3    ─►      STG [r4], r0
//!   .L2:                               EXIT
//!       STG [r4], r0               .L3: .cold
//!       EXIT                           NOP
//!                                      DFMA r0, r1, r2, r3
//!                                      BRA .L1
//! ```
//!
//! The rest is executed one instruction after the other then, and fills the cache of instructions. Up to here such blocks stand
//! where control goes through them: passes look for loops and sides in the order of the code. Only blocks that are skipped to
//! what comes after them are moved.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_blocks::{is_plain_branch, opposite};
use crate::ir::{BlockId, Function, Inst, Op};
use crate::pattern;
use warpc_diag::Span;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "place_cold",
    run,
};

fn run(function: &mut Function, _: &Limits) {
    let count = function.blocks.len();
    let moves: Vec<bool> = (0..count).map(|index| moves(function, index)).collect();
    if !moves.contains(&true) {
        return;
    }
    for index in (0..count).filter(|index| moves[*index]) {
        let block = BlockId(index as u32);
        let goes_on = !function.blocks[index].insts.last().is_some_and(Inst::ends);
        let after = Op::Block(BlockId(block.0 + 1));
        if goes_on && let Some(branch) = make(function, "BRA `(x)", &[after]) {
            function.blocks[index].insts.push(branch);
        }
        // Who leads to a block waits for what its first instruction needs.
        if let Some(nothing) = make(function, "NOP", &[]) {
            function.blocks[index].insts.insert(0, nothing);
        }
        if let Some(last) = function.blocks[index - 1].insts.last_mut() {
            last.guard = last.guard.map(opposite);
            for operand in &mut last.operands {
                if let Op::Block(target) = &mut operand.op {
                    *target = block;
                }
            }
        }
    }
    let stays = (0..count).filter(|index| !moves[*index]);
    let order: Vec<usize> = stays
        .chain((0..count).filter(|index| moves[*index]))
        .collect();
    let mut numbers = vec![BlockId(0); count];
    for (number, index) in (0u32..).zip(&order) {
        numbers[*index] = BlockId(number);
    }
    let mut blocks: Vec<_> = (function.blocks.drain(..)).map(Some).collect();
    function.blocks = order
        .iter()
        .filter_map(|index| blocks[*index].take())
        .collect();
    let insts = function
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.insts);
    for operand in insts.flat_map(|inst| &mut inst.operands) {
        if let Op::Block(block) = &mut operand.op {
            *block = numbers[block.index()];
        }
    }
}

/// Whether a block is cold, and the one before it goes around it or into it and nowhere else.
fn moves(function: &Function, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else {
        return false;
    };
    let (own, before) = (&function.blocks[index], &function.blocks[before]);
    let skips = before.insts.last().is_some_and(|last| {
        is_plain_branch(last)
            && last.guard.is_some()
            && last.target() == Some(BlockId(index as u32 + 1))
    });
    let ends = own.insts.last().is_none_or(|last| {
        // One that may go elsewhere has no place for another branch.
        !last.is_branch() || last.ends()
    });
    own.is_cold && !before.is_cold && skips && ends && index + 1 < function.blocks.len()
}

/// An instruction by the example of a text.
fn make(function: &Function, text: &str, ops: &[Op]) -> Option<Inst> {
    let pattern = pattern::find(function.sm, text)?;
    Some(pattern.filled(ops, None, Span::default()))
}
