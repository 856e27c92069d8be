//! Blocks in fewer pieces: branches go where they end up, and blocks that follow each other become one.
//!
//! - A branch to a block that does nothing but end the thread is an `EXIT`; one to a block that does nothing but branch
//!   goes where that goes.
//! - `@p BRA next; BRA other` is `@!p BRA other`.
//! - A block that only the one before it leads to, without a branch, is the rest of that one. What is not reached goes.

use super::Pass;
use super::assign_registers::Limits;
use crate::ir::{Block, BlockId, Function, Guard, Inst, Op};
use warpc_sass::shape::Traits;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_blocks",
    run,
};

/// How many branches to branches are followed.
const STEPS: usize = 8;

fn run(function: &mut Function, _: &Limits) {
    thread(function);
    invert(function);
    drop_branches(function);
    join(function);
}

/// Branches go where they end up.
fn thread(function: &mut Function) {
    for index in 0..function.blocks.len() {
        for _ in 0..STEPS {
            let Some(last) = function.blocks[index].insts.last() else {
                break;
            };
            let Some(target) = last.target().filter(|_| is_plain_branch(last)) else {
                break;
            };
            let there = &function.blocks[target.index()].insts;
            let Some(first) = there.first() else { break };
            let ends = first.guard.is_none() && first.shape.name() == "EXIT";
            let goes = first.guard.is_none() && is_plain_branch(first);
            if !ends && !goes || target.index() == index || first.target() == Some(target) {
                break;
            }
            let mut new = first.clone();
            new.guard = last.guard;
            if let Some(last) = function.blocks[index].insts.last_mut() {
                *last = new;
            }
            if ends {
                break;
            }
        }
    }
}

/// A branch on a guard alone.
pub(crate) fn is_plain_branch(inst: &Inst) -> bool {
    inst.shape.name() == "BRA"
        && !inst
            .operands
            .iter()
            .any(|one| matches!(one.op, Op::Reg(..)))
}

/// Branches over branches.
fn invert(function: &mut Function) {
    let mut named = None;
    for index in 0..function.blocks.len().saturating_sub(2) {
        let next = &function.blocks[index + 1].insts;
        let [only] = &next[..] else { continue };
        let around = BlockId(index as u32 + 2);
        if only.guard.is_some() || !is_plain_branch(only) {
            continue;
        }
        // What comes to be named or is named no more, is another block.
        if named.get_or_insert_with(|| function.named_blocks())[index + 1] {
            continue;
        }
        let only = only.clone();
        let Some(last) = function.blocks[index].insts.last_mut() else {
            continue;
        };
        if let Some(guard) = last.guard
            && is_plain_branch(last)
            && last.target() == Some(around)
        {
            *last = Inst {
                guard: Some(opposite(guard)),
                ..only
            };
            function.blocks[index + 1].insts.clear();
        }
    }
}

/// A branch to the next block says nothing.
fn drop_branches(function: &mut Function) {
    for (index, block) in (0u32..).zip(&mut function.blocks) {
        let last = block.insts.last();
        let next = Some(BlockId(index + 1));
        if last.is_some_and(|last| is_plain_branch(last) && last.target() == next) {
            block.insts.pop();
        }
    }
}

pub(crate) fn opposite(guard: Guard) -> Guard {
    Guard {
        not: !guard.not,
        ..guard
    }
}

/// Whether control goes to the next block in any case, and nowhere else.
fn falls(insts: &[Inst]) -> bool {
    insts.last().is_none_or(|last| {
        !last.is_branch()
            && !last.ends()
            && !last
                .shape
                .traits()
                .intersects(Traits::CALLS | Traits::HAS_PLACE)
    })
}

/// Puts blocks together, and leaves out what is not reached.
fn join(function: &mut Function) {
    let count = function.blocks.len();
    let named = function.named_blocks();
    let mut reached = reached(function, false);
    if reached.contains(&false) {
        reached = self::reached(function, true);
    }
    let mut numbers = vec![BlockId(0); count];
    let mut blocks: Vec<Block> = Vec::with_capacity(count);
    for (index, block) in std::mem::take(&mut function.blocks).into_iter().enumerate() {
        let before = blocks.last_mut();
        if !reached[index] {
            // Nobody names it; the number is that of what follows.
            numbers[index] = BlockId(blocks.len() as u32);
            continue;
        }
        match before {
            // What was left out between them does not matter: the one before falls into the next that is reached.
            Some(before) if !named[index] && falls(&before.insts) => {
                before.insts.extend(block.insts);
                numbers[index] = BlockId(blocks.len() as u32 - 1);
            }
            _ => {
                numbers[index] = BlockId(blocks.len() as u32);
                blocks.push(block);
            }
        }
    }
    function.blocks = blocks;
    if function.blocks.len() == count {
        return;
    }
    let insts = function
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.insts);
    for inst in insts {
        for operand in &mut inst.operands {
            if let Op::Block(block) = &mut operand.op {
                *block = numbers[block.index()];
            }
        }
    }
}

/// The blocks that are reached, also by instructions that only name them if those count.
fn reached(function: &Function, named_too: bool) -> Vec<bool> {
    let mut reached = vec![false; function.blocks.len()];
    let mut work = Vec::from_iter(function.block_ids().next());
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut reached[block.index()], true) {
            continue;
        }
        work.extend(function.successors(block));
        if named_too {
            let insts = function.blocks[block.index()].insts.iter();
            let operands = insts.flat_map(|inst| &inst.operands);
            work.extend(operands.filter_map(|one| match one.op {
                Op::Block(block) => Some(block),
                _ => None,
            }));
        }
    }
    reached
}
