//! Lanes that part at a branch, or at a call by address, meet again: convergence barriers (phase 72 of the reference).
//!
//! Around a cold block ([`Block::is_cold`]) lanes go together, after a vote. For each other branch that lanes may take differently ([`Divergence`]), the join is its immediate post-dominator. Branches with one join
//! share a region: `BSSY` at its head, the nearest block that dominates all of them and all ways to the join, and `BSYNC`
//! at the join. Lanes that call different functions by their addresses meet after the call. What is open across a call is in a barrier that
//! functions keep. A region is left out where that would not be sound or useful; the lanes then stay apart, and what they do
//! together brings them together itself:
//!
//! - there is no join before the end, or the join does not post-dominate the head; but in a round of a loop lanes also meet where
//!   those come that stay in the loop (`converge/rounds.rs`): who leaves it takes a `BREAK`;
//! - head and join are not in the same loops, so that one is executed more often than the other;
//! - the function has loops with several entries;
//! - it is in a function that is called, has a call inside, and lanes may leave barriers early in the kernel
//!   (`assemble/leaving.rs`): what the callee keeps of the barrier would name lanes that are gone;
//! - a loop inside waits for other threads (`passes/waiting.rs`): a lane that has left it must be able to go on to what the others
//!   wait for. Such loops get a `YIELD`.

mod rounds;

use crate::analysis::divergence::Divergence;
use crate::analysis::dominators::Dominators;
use crate::ir::{Block, BlockId, File, Function, Guard, Inst, Op, Reg};
use crate::passes::waiting;
use crate::pattern;
use rounds::{Exit, Region};
use rustc_hash::FxHashMap;
use warpc_diag::Span;

/// Regions that may be open at a time: the machine has 16 barriers, of which a callee may change six, and sequences use
/// some. A function keeps the others for its caller (`enter_frame`).
const DEEPEST: i32 = 10;

/// The same in a function that leaves the barriers of its callers alone.
const DEEPEST_OF_OWN: i32 = 4;

/// Puts barriers into a function. Branches that all lanes take together need none; without `divergence` lanes may part at
/// each.
pub fn converge(function: &mut Function, divergence: Option<&Divergence>) {
    part_returns(function, divergence);
    for block in function.block_ids() {
        if function.agrees(block) {
            vote(function, block);
        }
    }
    let before = Dominators::of(function);
    let Some(loops) = Loops::of(function, &before) else {
        return;
    };
    let waiting = waiting::headers(function, &loops);
    let after = Dominators::after(function);
    let predecessors = function.predecessors();
    let mut heads: FxHashMap<BlockId, Option<BlockId>> = FxHashMap::default();
    for block in function
        .block_ids()
        .filter(|block| before.is_reached(*block))
    {
        let parts = |divergence: &Divergence| divergence.parts_after(function, block);
        if function.successors(block).len() < 2
            || function.agrees(block)
            || !divergence.is_none_or(parts)
        {
            continue;
        }
        let Some(join) = after.parent(block) else {
            continue;
        };
        let known = heads.entry(join).or_insert(Some(block));
        *known = known.and_then(|head| before.common(head, block));
    }
    let keeps_no_barrier = !function.is_kernel && function.barriers_are_left;
    let mut seen = vec![BlockId(u32::MAX); function.blocks.len()];
    let mut regions: Vec<Region> = Vec::new();
    let mut joins: Vec<BlockId> = heads.keys().copied().collect();
    joins.sort_unstable();
    for join in joins {
        let ways = predecessors[join.index()].iter();
        let ways = ways.filter(|block| before.is_reached(**block));
        let head = ways.fold(heads[&join], |head, way| before.common(head?, *way));
        let mut head = head;
        // A head inside a loop that the join is not in would be passed again and again.
        while let Some(block) = head
            && loops.depth(block) > loops.depth(join)
        {
            head = before.parent(block);
        }
        let Some(head) = head else { continue };
        let is_sound = head != join
            && loops.innermost(head) == loops.innermost(join)
            && after.dominates(join, head)
            && before.dominates(head, join);
        let is_sound = is_sound && !comes_back(function, head, join, &mut seen);
        if is_sound && !ends_at_once(function, join) {
            let exits = Vec::new();
            regions.push(Region { head, join, exits });
        }
    }
    let known = rounds::Known {
        function,
        divergence,
        loops: &loops,
        before: &before,
        after: &after,
        predecessors: &predecessors,
    };
    regions.extend(known.regions());
    regions.retain(|Region { head, join, .. }| {
        // One that begins at the head has the join in its rounds: it is around the region.
        let is_inside = |header: &BlockId| {
            header != head && before.dominates(*head, *header) && !before.dominates(*join, *header)
        };
        let waits = waiting.iter().any(is_inside);
        let calls = keeps_no_barrier && calls_between(function, *head, *join, &mut seen);
        !waits && !calls
    });
    // Regions inside many others are left out.
    let depths = depths(function, &before, &regions);
    let deepest = match keeps_no_barrier {
        true => DEEPEST_OF_OWN,
        // Calls by address have a region of their own.
        false => DEEPEST - i32::from(function.calls_taken),
    };
    regions.retain(|region| depths[before.range(region.head).0 as usize] < deepest);
    let mut leaving = Vec::new();
    for region in regions {
        if let Some(barrier) = insert(function, region.head, region.join) {
            leaving.extend(region.exits.into_iter().map(|exit| (barrier, exit)));
        }
    }
    for (barrier, exit) in leaving {
        leave(function, barrier, &exit);
    }
    for block in function.block_ids() {
        if !keeps_no_barrier && parts_at_call(function, block, divergence) {
            insert(function, block, BlockId(block.0 + 1));
        }
    }
    for header in waiting {
        if let Some(made) = make(function, "YIELD", &[]) {
            let insts = &mut function.blocks[header.index()].insts;
            // After a barrier that it may begin with.
            let first = insts.iter().position(|inst| inst.shape.opcode() != "BSYNC");
            insts.insert(first.unwrap_or(0), made);
        }
    }
}

/// Has lanes agree on whether to execute a cold block: they go around it if all of them may.
fn vote(function: &mut Function, block: BlockId) {
    let index = block.index();
    let goes_there = |target: BlockId| function.blocks[target.index()].is_cold;
    let Some(last) = function.blocks[index].insts.last() else {
        return;
    };
    let (Some(guard), Some(target)) = (last.guard, last.target()) else {
        return;
    };
    let span = last.span;
    let text = match (goes_there(target), guard.not) {
        (false, false) => "VOTE.ALL P0, P0",
        (false, true) => "VOTE.ALL P0, !P0",
        (true, false) => "VOTE.ANY P0, P0",
        (true, true) => "VOTE.ANY P0, !P0",
    };
    let voted = function.reg(File::Predicate, 1);
    let ops = [Op::Reg(voted, 0), Op::Reg(guard.reg, 0)];
    let Some(mut made) = make(function, text, &ops) else {
        return;
    };
    made.span = span;
    let insts = &mut function.blocks[index].insts;
    let at = insts.len() - 1;
    insts[at].guard = Some(Guard {
        reg: voted,
        not: false,
    });
    insts.insert(at, made);
}

/// How many regions are open at each block, by the numbers of the dominators. A region is open in what its head
/// dominates, and not in what its join does.
fn depths(function: &Function, before: &Dominators, regions: &[Region]) -> Vec<i32> {
    let mut depths = vec![0; function.blocks.len() + 2];
    for Region { head, join, .. } in regions {
        let (first, last) = before.range(*head);
        depths[first as usize + 1] += 1;
        depths[last as usize + 1] -= 1;
        let (first, last) = before.range(*join);
        depths[first as usize] -= 1;
        depths[last as usize + 1] += 1;
    }
    let mut open = 0;
    for depth in &mut depths {
        open += *depth;
        *depth = open;
    }
    depths
}

/// An instruction by the example of a text.
fn make(function: &Function, text: &str, ops: &[Op]) -> Option<Inst> {
    let pattern = pattern::find(function.sm, text)?;
    Some(pattern.filled(ops, None, Span::default()))
}

/// Whether control can come from a head to the head again without the join: a barrier would be set twice. `seen` has for
/// each block the last join that it was looked at for.
fn comes_back(function: &Function, head: BlockId, join: BlockId, seen: &mut [BlockId]) -> bool {
    let mut work = vec![head];
    while let Some(block) = work.pop() {
        for next in function.successors(block) {
            if next == head {
                return true;
            }
            if next != join && seen[next.index()] != join {
                seen[next.index()] = join;
                work.push(next);
            }
        }
    }
    false
}

/// Whether control can come to a call between a head and a join. What was looked at for the join before is forgotten.
fn calls_between(function: &Function, head: BlockId, join: BlockId, seen: &mut [BlockId]) -> bool {
    let calls = |block: BlockId| {
        let mut insts = function.blocks[block.index()].insts.iter();
        insts.any(|inst| inst.shape.opcode() == "CALL")
    };
    if !function.calls() {
        return false;
    }
    seen.fill(BlockId(u32::MAX));
    let mut work = vec![head];
    while let Some(block) = work.pop() {
        // A call is the last instruction of a block.
        if calls(block) {
            return true;
        }
        for next in function.successors(block) {
            if next != join && seen[next.index()] != join {
                seen[next.index()] = join;
                work.push(next);
            }
        }
    }
    false
}

/// Whether lanes may call different functions at the end of a block.
fn parts_at_call(function: &Function, block: BlockId, divergence: Option<&Divergence>) -> bool {
    let last = function.blocks[block.index()].insts.last();
    let differs = |last| divergence.is_none_or(|divergence| divergence.differs_in(last));
    last.is_some_and(|last| calls_by_address(last) && differs(last))
}

/// Gives a block of its own to the place where lanes meet after such a call, if control also comes there from elsewhere.
fn part_returns(function: &mut Function, divergence: Option<&Divergence>) {
    let predecessors = function.predecessors();
    let is_shared = |block: &BlockId| {
        let ways = predecessors.get(block.index() + 1);
        ways.is_some_and(|ways| ways[..] != [*block])
    };
    let calls = function.block_ids();
    let calls = calls.filter(|block| parts_at_call(function, *block, divergence));
    let shared: Vec<BlockId> = calls.filter(is_shared).collect();
    if shared.is_empty() {
        return;
    }
    // A block goes as many further as there are new ones before it.
    let moved = |block: BlockId| {
        let before = shared.partition_point(|call| call.0 < block.0);
        BlockId(block.0 + before as u32)
    };
    let blocks = std::mem::take(&mut function.blocks);
    for (mut block, own) in blocks.into_iter().zip((0..).map(BlockId)) {
        let is_one = shared.binary_search(&own).is_ok();
        for inst in &mut block.insts {
            for operand in &mut inst.operands {
                if let Op::Block(target) = &mut operand.op {
                    // The call comes back to the new block.
                    *target = match is_one && target.0 == own.0 + 1 {
                        true => BlockId(moved(own).0 + 1),
                        false => moved(*target),
                    };
                }
            }
        }
        function.blocks.push(block);
        if is_one {
            function.blocks.push(Block::default());
        }
    }
}

/// Whether an instruction is a call of the function whose address is in a register. Calls of functions of the system have
/// their address in one, too, which is the same for all lanes.
fn calls_by_address(inst: &Inst) -> bool {
    inst.shape.opcode() == "CALL" && inst.reads().next().is_some()
}

/// Whether a block does nothing but end.
fn ends_at_once(function: &Function, block: BlockId) -> bool {
    let first = function.blocks[block.index()].insts.first();
    first.is_some_and(|inst| inst.ends() && !inst.is_branch())
}

/// Takes lanes that take an edge out of a barrier.
fn leave(function: &mut Function, barrier: Reg, exit: &Exit) {
    let Some(mut made) = make(function, "BREAK B0", &[Op::Reg(barrier, 0)]) else {
        return;
    };
    made.guard = Some(exit.guard);
    let insts = &mut function.blocks[exit.block.index()].insts;
    insts.insert(insts.len().saturating_sub(1), made);
}

/// Sets a barrier at the end of a block, for lanes to meet where another one begins.
fn insert(function: &mut Function, head: BlockId, join: BlockId) -> Option<Reg> {
    let (open, close) = match crate::chip::Chip(function.sm).since(100) {
        true => ("BSSY.RECONVERGENT B0, `(x)", "BSYNC.RECONVERGENT B0"),
        false => ("BSSY B0, `(x)", "BSYNC B0"),
    };
    let barrier = function.reg(File::Barrier, 1);
    let opened = make(function, open, &[Op::Reg(barrier, 0), Op::Block(join)]);
    let closed = make(function, close, &[Op::Reg(barrier, 0)]);
    let (opened, closed) = (opened?, closed?);
    let insts = &mut function.blocks[head.index()].insts;
    let last = insts
        .last()
        .is_some_and(|inst| inst.is_branch() || inst.ends() || inst.shape.opcode() == "CALL");
    let at = insts.len() - usize::from(last);
    insts.insert(at, opened);
    function.blocks[join.index()].insts.insert(0, closed);
    Some(barrier)
}

/// The loops of a function.
pub(super) struct Loops {
    /// For each block the header of the innermost loop that it is in.
    innermost: Vec<Option<BlockId>>,
    depths: Vec<u32>,
    /// The header and the blocks of each loop.
    bodies: Vec<(BlockId, Vec<BlockId>)>,
}

impl Loops {
    /// Finds loops; nothing if one has several entries.
    fn of(function: &Function, before: &Dominators) -> Option<Loops> {
        let count = function.blocks.len();
        let predecessors = function.predecessors();
        let mut headers: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
        let order = numbered(function);
        for block in function
            .block_ids()
            .filter(|block| before.is_reached(*block))
        {
            for next in function.successors(block) {
                // An edge back, by the order in which a walk finishes blocks.
                if order[next.index()] < order[block.index()] {
                    continue;
                }
                if !before.dominates(next, block) {
                    return None;
                }
                match headers.iter_mut().find(|one| one.0 == next) {
                    Some(known) => known.1.push(block),
                    None => headers.push((next, vec![block])),
                }
            }
        }
        let mut loops = Loops {
            innermost: vec![None; count],
            depths: vec![0; count],
            bodies: Vec::with_capacity(headers.len()),
        };
        // Outer headers first: what is inside is marked last.
        headers.sort_by_key(|one| std::cmp::Reverse(order[one.0.index()]));
        let mut seen = vec![u32::MAX; count];
        for (number, (header, ends)) in headers.iter().enumerate() {
            let number = number as u32;
            seen[header.index()] = number;
            let mut inside = vec![*header];
            let mut work: Vec<BlockId> = ends.clone();
            while let Some(block) = work.pop() {
                if seen[block.index()] == number || !before.is_reached(block) {
                    continue;
                }
                seen[block.index()] = number;
                inside.push(block);
                work.extend(&predecessors[block.index()]);
            }
            for block in &inside {
                loops.innermost[block.index()] = Some(*header);
                loops.depths[block.index()] += 1;
            }
            loops.bodies.push((*header, inside));
        }
        Some(loops)
    }

    /// The header and the blocks of each loop.
    pub(super) fn bodies(&self) -> &[(BlockId, Vec<BlockId>)] {
        &self.bodies
    }

    fn depth(&self, block: BlockId) -> u32 {
        self.depths[block.index()]
    }

    fn innermost(&self, block: BlockId) -> Option<BlockId> {
        self.innermost[block.index()]
    }
}

/// For each block when a walk from the entry leaves it: the entry last.
fn numbered(function: &Function) -> Vec<u32> {
    let count = function.blocks.len();
    let mut number = vec![0; count];
    let mut seen = vec![false; count];
    let mut next_number = 0;
    let mut stack = vec![(BlockId(0), 0usize)];
    if let Some(first) = seen.first_mut() {
        *first = true;
    }
    while let Some((block, at)) = stack.last_mut() {
        let successors = function.successors(*block);
        match successors.get(*at) {
            Some(next) => {
                *at += 1;
                let next = *next;
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((next, 0));
                }
            }
            None => {
                number[block.index()] = next_number;
                next_number += 1;
                stack.pop();
            }
        }
    }
    number
}
