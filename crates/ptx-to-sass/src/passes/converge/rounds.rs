//! Regions in a round of a loop that lanes may leave: where lanes part in the round and meet again in it, though the loop is
//! left on some of the ways between.
//!
//! ```text
//!   L:  …                            L:  …
//!       @p BRA J                         BSSY B, J
//!       …                                @p BRA J
//!       @q BRA out                       …
//!       …                ─►              @q BREAK B
//!   J:  …                                @q BRA out
//!       @r BRA L                         …
//!   out:                             J:  BSYNC B
//!                                        …
//! ```
//!
//! The join does not post-dominate the head, but does so as long as lanes stay in the loop: of its blocks, and the edges between
//! them but for those back to its header. Lanes that leave it leave the barrier, and meet the others where those come
//! out. Without such a region lanes that part once stay apart in all rounds after it.

use super::Loops;
use crate::analysis::divergence::Divergence;
use crate::analysis::dominators::Dominators;
use crate::ir::{BlockId, Function, Guard};
use crate::passes::opt_blocks::{is_plain_branch, opposite};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A region in a round.
pub(super) struct Region {
    pub(super) head: BlockId,
    pub(super) join: BlockId,
    pub(super) exits: Vec<Exit>,
}

/// An edge out of the loop: the block that it begins at the end of, and under which guard of the branch there lanes take it.
pub(super) struct Exit {
    pub(super) block: BlockId,
    pub(super) guard: Guard,
}

/// What is known of a function.
pub(super) struct Known<'a> {
    pub(super) function: &'a Function,
    pub(super) divergence: Option<&'a Divergence>,
    pub(super) loops: &'a Loops,
    pub(super) before: &'a Dominators,
    pub(super) after: &'a Dominators,
    pub(super) predecessors: &'a [SmallVec<[BlockId; 2]>],
}

impl Known<'_> {
    /// The regions in rounds of all loops.
    pub(super) fn regions(&self) -> Vec<Region> {
        let mut all = Vec::new();
        let mut is_inside = vec![false; self.function.blocks.len()];
        for (header, blocks) in self.loops.bodies() {
            let mut parting = blocks.iter().copied();
            if !parting.any(|block| self.parts(*header, block)) {
                continue;
            }
            for block in blocks {
                is_inside[block.index()] = true;
            }
            self.regions_of(*header, blocks, &is_inside, &mut all);
            for block in blocks {
                is_inside[block.index()] = false;
            }
        }
        all
    }

    /// Whether lanes may part at the end of a block that is in no inner loop, and do not meet again before they leave the loop.
    fn parts(&self, header: BlockId, block: BlockId) -> bool {
        let parts = |known: &Divergence| known.parts_after(self.function, block);
        let parts = !self.function.agrees(block) && self.divergence.is_none_or(parts);
        let is_own = self.loops.innermost(block) == Some(header) && self.before.is_reached(block);
        let meets = |join| self.loops.innermost(join) == Some(header);
        is_own && parts && !self.after.parent(block).is_some_and(meets)
    }

    fn regions_of(
        &self,
        header: BlockId,
        blocks: &[BlockId],
        is_inside: &[bool],
        all: &mut Vec<Region>,
    ) {
        let rounds = Dominators::in_rounds(self.function, header, is_inside);
        let inside = |block: BlockId| {
            let mut next = self.function.successors(block);
            next.retain(|next| is_inside[next.index()] && *next != header);
            next
        };
        let mut heads: BTreeMap<BlockId, Option<BlockId>> = BTreeMap::new();
        for block in blocks.iter().copied() {
            if !self.parts(header, block) || inside(block).len() < 2 {
                continue;
            }
            if let Some(join) = rounds.parent(block) {
                let head = heads.entry(join).or_insert(Some(block));
                *head = head.and_then(|head| self.before.common(head, block));
            }
        }
        for (join, head) in heads {
            let ways = self.predecessors[join.index()].iter();
            let mut ways = ways.filter(|block| self.before.is_reached(**block));
            let head = head
                .and_then(|head| ways.try_fold(head, |head, way| self.before.common(head, *way)));
            let Some(mut head) = head else {
                continue;
            };
            // Who leaves at once need not set the barrier.
            while let [only] = inside(head)[..]
                && only != join
                && self.predecessors[only.index()][..] == [head]
            {
                head = only;
            }
            let is_own = |block| self.loops.innermost(block) == Some(header);
            let is_sound = head != join
                && is_own(head)
                && is_own(join)
                && self.before.dominates(head, join)
                && rounds.dominates(join, head);
            if !is_sound {
                continue;
            }
            if let Some(exits) = self.exits((head, join), is_inside) {
                all.push(Region { head, join, exits });
            }
        }
    }

    /// The edges from a region out of its loop; nothing if there is one that is no way of a plain branch.
    fn exits(&self, (head, join): (BlockId, BlockId), is_inside: &[bool]) -> Option<Vec<Exit>> {
        let mut exits = Vec::new();
        let mut seen = vec![head, join];
        let mut work = vec![head];
        while let Some(block) = work.pop() {
            for next in self.function.successors(block) {
                if is_inside[next.index()] {
                    if !seen.contains(&next) {
                        seen.push(next);
                        work.push(next);
                    }
                    continue;
                }
                let last = self.function.blocks[block.index()].insts.last()?;
                let guard = last.guard.filter(|_| is_plain_branch(last))?;
                let guard = match last.target() == Some(next) {
                    true => guard,
                    false => opposite(guard),
                };
                exits.push(Exit { block, guard });
            }
        }
        Some(exits)
    }
}
