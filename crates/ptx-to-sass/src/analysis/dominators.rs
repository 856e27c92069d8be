//! Dominators and post-dominators.
//!
//! A block dominates another one if every way from the entry to that one goes through it; it post-dominates one if every
//! way from that one to an end goes through it. Found by the rule of Cooper, Harvey and Kennedy: the immediate dominator
//! of a block is the nearest common one of its predecessors, in reverse postorder until nothing changes.

use crate::ir::{BlockId, Function};

/// For each block its immediate dominator.
pub struct Dominators {
    parents: Vec<Option<u32>>,
    /// How far each block is from the root.
    depths: Vec<u32>,
    /// For each block its number, and the last number of those that it dominates, where each comes before what it
    /// dominates.
    ranges: Vec<(u32, u32)>,
}

/// The root of the post-dominators: where all ends meet.
const END: u32 = u32::MAX;

impl Dominators {
    /// The dominators of a function.
    pub fn of(function: &Function) -> Dominators {
        let count = function.blocks.len();
        let next: Vec<Vec<u32>> = function
            .block_ids()
            .map(|block| function.successors(block).iter().map(|one| one.0).collect())
            .collect();
        solve(count, &next, &[0])
    }

    /// The post-dominators of a function: dominators of the graph turned round.
    pub fn after(function: &Function) -> Dominators {
        let count = function.blocks.len();
        let mut next = vec![Vec::new(); count];
        let mut ends = Vec::new();
        for block in function.block_ids() {
            let successors = function.successors(block);
            for one in &successors {
                next[one.index()].push(block.0);
            }
            // A guarded exit is not an end: the lanes that stay go on.
            if successors.is_empty() {
                ends.push(block.0);
            }
        }
        solve(count, &next, &ends)
    }

    /// The immediate dominator of a block; nothing for a root, for what is not reached, and where only the end is common.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.parents[block.index()]
            .filter(|parent| *parent != END)
            .map(BlockId)
    }

    /// Whether a block is reached.
    pub fn is_reached(&self, block: BlockId) -> bool {
        self.depths[block.index()] > 0
    }

    /// Whether a block dominates another one, or is it.
    pub fn dominates(&self, block: BlockId, other: BlockId) -> bool {
        let (first, last) = self.range(block);
        let (number, _) = self.range(other);
        self.is_reached(block) && self.is_reached(other) && (first..=last).contains(&number)
    }

    /// The number of a block, and the last number of those that it dominates: blocks are numbered so that these follow it.
    pub fn range(&self, block: BlockId) -> (u32, u32) {
        self.ranges[block.index()]
    }

    /// The nearest block that dominates both.
    pub fn common(&self, mut a: BlockId, mut b: BlockId) -> Option<BlockId> {
        while a != b {
            let deeper = match self.depths[a.index()] >= self.depths[b.index()] {
                true => &mut a,
                false => &mut b,
            };
            *deeper = self.parent(*deeper)?;
        }
        Some(a)
    }
}

/// Dominators of a graph with several roots, under one root `END`.
fn solve(count: usize, next: &[Vec<u32>], roots: &[u32]) -> Dominators {
    let order = postorder(count, next, roots);
    let mut number = vec![u32::MAX; count];
    for (at, block) in order.iter().enumerate() {
        number[*block as usize] = at as u32;
    }
    let mut before = vec![Vec::new(); count];
    for (block, successors) in next.iter().enumerate() {
        for one in successors {
            before[*one as usize].push(block as u32);
        }
    }
    // Numbers are postorder; the root has the largest.
    let top = order.len() as u32;
    let mut parents: Vec<Option<u32>> = vec![None; count];
    let number_of = |block: u32| match block {
        END => top,
        block => number[block as usize],
    };
    let mut is_root = vec![false; count];
    for root in roots {
        parents[*root as usize] = Some(END);
        is_root[*root as usize] = true;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for block in order.iter().rev().copied() {
            let mut new: Option<u32> = is_root[block as usize].then_some(END);
            for one in &before[block as usize] {
                if parents[*one as usize].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => *one,
                    Some(known) => {
                        let (mut a, mut b) = (known, *one);
                        while a != b {
                            while number_of(a) < number_of(b) {
                                a = parents[a as usize].unwrap_or(END);
                            }
                            while number_of(b) < number_of(a) {
                                b = parents[b as usize].unwrap_or(END);
                            }
                        }
                        a
                    }
                });
            }
            if new.is_some() && parents[block as usize] != new {
                parents[block as usize] = new;
                changed = true;
            }
        }
    }
    let mut depths = vec![0; count];
    for block in order.iter().rev() {
        let parent = parents[*block as usize];
        depths[*block as usize] = match parent {
            Some(END) | None => 1,
            Some(parent) => depths[parent as usize] + 1,
        };
    }
    let ranges = ranges(&parents, &order);
    Dominators {
        parents,
        depths,
        ranges,
    }
}

/// Numbers blocks so that each comes before what it dominates; `order` has each after what it dominates.
fn ranges(parents: &[Option<u32>], order: &[u32]) -> Vec<(u32, u32)> {
    let mut sizes = vec![1u32; parents.len()];
    for block in order {
        if let Some(parent) = parents[*block as usize].filter(|parent| *parent != END) {
            sizes[parent as usize] += sizes[*block as usize];
        }
    }
    let mut ranges = vec![(0, 0); parents.len()];
    // The next free number below each block, and below the root of all.
    let mut free = vec![0u32; parents.len()];
    let mut top = 0;
    for block in order.iter().rev() {
        let next = match parents[*block as usize] {
            Some(parent) if parent != END => &mut free[parent as usize],
            _ => &mut top,
        };
        let first = *next;
        *next += sizes[*block as usize];
        ranges[*block as usize] = (first, first + sizes[*block as usize] - 1);
        free[*block as usize] = first + 1;
    }
    ranges
}

/// The blocks that are reached, each after those that it leads to.
fn postorder(count: usize, next: &[Vec<u32>], roots: &[u32]) -> Vec<u32> {
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    for root in roots {
        if std::mem::replace(&mut seen[*root as usize], true) {
            continue;
        }
        let mut stack = vec![(*root, 0usize)];
        while let Some((block, at)) = stack.last_mut() {
            match next[*block as usize].get(*at) {
                Some(one) => {
                    *at += 1;
                    let one = *one;
                    if !std::mem::replace(&mut seen[one as usize], true) {
                        stack.push((one, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
    }
    order
}
