//! Uniform registers belong to the warp: where lanes part, one side may be executed while another has a value in one.
//!
//! A value that lives across blocks, or over an instruction at which lanes wait, between a branch at which lanes may part and
//! the place where they meet again keeps its register in all blocks between them, on whatever side it is.
//! `check::uniform` judges that.

use super::segments::Segment;
use crate::analysis::divergence::Divergence;
use crate::analysis::dominators::Dominators;
use crate::analysis::liveness::Liveness;
use crate::ir::{BlockId, File, Function, Inst, Op, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_sass::Shape;

/// In larger functions, such a value has its register everywhere.
const MOST_BLOCKS: usize = 1024;

/// Widens the segments of uniform registers and predicates. `starts` are the numbers of the first instructions of blocks.
pub(super) fn widen(
    function: &Function,
    liveness: &Liveness,
    starts: &[u32],
    keep: &mut dyn FnMut(Reg, Segment),
) {
    let is_uniform = |reg: Reg| {
        matches!(
            function.data(reg).file,
            File::Uniform | File::UniformPredicate
        )
    };
    let live: Vec<Vec<Reg>> = (function.block_ids())
        .map(|block| {
            let own = liveness.out(block).map(|one| one.0);
            own.filter(|reg| is_uniform(*reg)).collect()
        })
        .collect();
    let held: Vec<Vec<Held>> = (function.block_ids())
        .map(|block| held(function, block, &live[block.index()], is_uniform))
        .collect();
    if live.iter().all(Vec::is_empty) && held.iter().all(Vec::is_empty) {
        return;
    }
    if function.blocks.len() > MOST_BLOCKS {
        let end = 2 * function
            .blocks
            .iter()
            .map(|one| one.insts.len() as u32)
            .sum::<u32>();
        let over_waits = held.iter().flatten().flat_map(|one| &one.regs);
        let all = live.iter().flatten().chain(over_waits);
        all.for_each(|reg| keep(*reg, (0, end)));
        return;
    }
    let divergence = Divergence::of_live(function, liveness);
    let dominators = Dominators::of(function);
    let barriers = barriers(function);
    for block in function.block_ids() {
        let insts = &function.blocks[block.index()].insts;
        let branches = insts.last().is_some_and(Inst::is_branch);
        if !branches || !divergence.parts_after(function, block) {
            continue;
        }
        let sides = sides(function, &dominators, &barriers, block);
        let mut kept: Vec<Reg> = live[block.index()].clone();
        kept.extend(sides.iter().flat_map(|side| &live[side.block.index()]));
        for side in &sides {
            // What comes after the place where they meet is together.
            let own = held[side.block.index()].iter();
            let own = own.filter(|one| one.at <= side.last);
            kept.extend(own.flat_map(|one| &one.regs));
        }
        kept.sort_unstable_by_key(|reg| reg.0);
        kept.dedup();
        for side in &sides {
            let start = starts[side.block.index()];
            let end = start + function.blocks[side.block.index()].insts.len() as u32;
            for reg in &kept {
                keep(*reg, (2 * start, 2 * end));
            }
        }
    }
}

/// An instruction of a block at which other lanes may be executed, and the registers that live over it.
struct Held {
    at: usize,
    regs: Vec<Reg>,
}

/// Such instructions of a block, with registers of a kind.
fn held(
    function: &Function,
    block: BlockId,
    out: &[Reg],
    is_uniform: impl Fn(Reg) -> bool,
) -> Vec<Held> {
    let insts = &function.blocks[block.index()].insts;
    let mut held = Vec::new();
    if !insts.iter().any(|inst| is_interrupted(inst.shape)) {
        return held;
    }
    let mut live: Vec<Reg> = out.to_vec();
    for (at, inst) in insts.iter().enumerate().rev() {
        if is_interrupted(inst.shape) && !live.is_empty() {
            let regs = live.clone();
            held.push(Held { at, regs });
        }
        if inst.guard.is_none() {
            live.retain(|reg| {
                let lanes = function.data(*reg).lanes;
                inst.writes().all(|one| one != (*reg, 0, lanes))
            });
        }
        for (reg, ..) in inst.reads() {
            if is_uniform(reg) && !live.contains(&reg) {
                live.push(reg);
            }
        }
    }
    held
}

/// Whether other lanes may be executed at an instruction within a block.
pub(crate) fn is_interrupted(shape: &Shape) -> bool {
    matches!(
        shape.opcode(),
        "BSYNC" | "BREAK" | "WARPSYNC" | "YIELD" | "NANOSLEEP" | "BAR" | "CALL" | "ENDCOLLECTIVE"
    )
}

/// For each convergence barrier that no lane leaves the blocks in which it is set.
fn barriers(function: &Function) -> FxHashMap<Reg, Vec<BlockId>> {
    let mut all: FxHashMap<Reg, Vec<BlockId>> = FxHashMap::default();
    for block in function.block_ids() {
        let insts = function.blocks[block.index()].insts.iter();
        for inst in insts.filter(|inst| inst.shape.opcode() == "BSSY") {
            all.entry(barrier(inst)).or_default().push(block);
        }
    }
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    for inst in insts.filter(|inst| inst.shape.opcode() == "BREAK") {
        all.remove(&barrier(inst));
    }
    all
}

/// The convergence barrier that an instruction names.
fn barrier(inst: &Inst) -> Reg {
    let found = inst.operands.iter().find_map(|operand| match operand.op {
        Op::Reg(reg, _) => Some(reg),
        _ => None,
    });
    found.unwrap_or(Reg(u32::MAX))
}

/// A block that lanes may be in after they have parted.
struct Side {
    block: BlockId,
    /// The instruction at which they meet, if that is in it.
    last: usize,
}

/// The blocks that lanes may be in after they have parted, until they have met: at a barrier that was set on every way to
/// the branch. Where some of them yield or meet others before that, those that wait at the barrier go on without them
/// (`assemble/leaving.rs`): then lanes meet only where the whole warp does.
fn sides(
    function: &Function,
    dominators: &Dominators,
    barriers: &FxHashMap<Reg, Vec<BlockId>>,
    branch: BlockId,
) -> Vec<Side> {
    let meets = |block: BlockId, inst: &Inst| {
        inst.shape.opcode() == "BSYNC"
            // Lanes that met before the branch have left the barrier.
            && !dominators.dominates(block, branch)
            && barriers.get(&barrier(inst)).is_some_and(|set| {
                set.len() == 1 && set.iter().all(|one| dominators.dominates(*one, branch))
            })
    };
    let at_barrier = blocks_until(function, branch, meets);
    let are_left = at_barrier.iter().any(|block| {
        let insts = function.blocks[block.block.index()].insts.iter();
        let mut before = insts.take_while(|inst| !meets(block.block, inst));
        before.any(|inst| {
            // Of functions that are called it is known together.
            let calls = function.barriers_are_left && inst.shape.opcode() == "CALL";
            calls || lets_others_go(inst.shape)
        })
    });
    match are_left {
        true => blocks_until(function, branch, |_, inst| gathers_all(inst)),
        false => at_barrier,
    }
}

/// The blocks after a branch, up to those with an instruction of a kind.
fn blocks_until(
    function: &Function,
    branch: BlockId,
    ends: impl Fn(BlockId, &Inst) -> bool,
) -> Vec<Side> {
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut all = Vec::new();
    let mut work: Vec<BlockId> = function.successors(branch).to_vec();
    while let Some(block) = work.pop() {
        if !seen.insert(block) {
            continue;
        }
        let mut insts = function.blocks[block.index()].insts.iter();
        let end = insts.position(|inst| ends(block, inst));
        let last = end.unwrap_or(usize::MAX);
        all.push(Side { block, last });
        if end.is_none() {
            work.extend(function.successors(block));
        }
    }
    all
}

/// Whether lanes that wait for others at a convergence barrier go on without those that execute an instruction.
pub(crate) fn lets_others_go(shape: &Shape) -> bool {
    match shape.opcode() {
        "YIELD" | "NANOSLEEP" => true,
        // Those of an exclusive one meet the others right after it.
        "WARPSYNC" => !shape.has("EXCLUSIVE"),
        _ => false,
    }
}

/// Whether all lanes of the warp meet at an instruction.
fn gathers_all(inst: &Inst) -> bool {
    inst.shape.name() == "WARPSYNC.ALL" && inst.guard.is_none()
}
