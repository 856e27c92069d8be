//! Dominators and post-dominators.
//!
//! A block dominates another one if every way from the entry to that one goes through it; it post-dominates one if every
//! way from that one to an end goes through it. Found by the rule of Cooper, Harvey and Kennedy: the immediate dominator
//! of a block is the nearest common one of its predecessors, in reverse postorder until nothing changes.
//!
//! From a loop that is never left, or by guarded exits alone, there is no way to an end. Its rounds are taken to end there: as if
//! control could also go to an end where it goes back to where the loop begins.

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
        solve(&Graph::of(function), &[0])
    }

    /// The post-dominators of a function: dominators of the graph turned round.
    pub fn after(function: &Function) -> Dominators {
        let graph = Graph::of(function);
        // A guarded exit is not an end: the lanes that stay go on.
        let blocks = 0..graph.count() as u32;
        let mut ends: Vec<u32> = blocks
            .filter(|block| graph.next(*block).is_empty())
            .collect();
        let before = graph.turned_round();
        end_rounds(&graph, &before, &mut ends);
        solve(&before, &ends)
    }

    /// The post-dominators in the rounds of a loop: only ways in its blocks count, and a round ends where it goes back to the
    /// header.
    pub fn in_rounds(function: &Function, header: BlockId, is_inside: &[bool]) -> Dominators {
        let graph = Graph::of(function);
        let inside = graph.filtered(|from, to| {
            is_inside[from as usize] && is_inside[to as usize] && to != header.0
        });
        let blocks = (0..graph.count() as u32).filter(|block| is_inside[*block as usize]);
        let ends = blocks.filter(|block| graph.next(*block).contains(&header.0));
        let ends: Vec<u32> = ends.collect();
        solve(&inside.turned_round(), &ends)
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

/// Blocks and where control goes from each, in one list.
struct Graph {
    /// For each block where its successors begin, and where those of the last one end.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Graph {
    fn of(function: &Function) -> Graph {
        let mut graph = Graph {
            starts: Vec::with_capacity(function.blocks.len() + 1),
            all: Vec::with_capacity(2 * function.blocks.len()),
        };
        graph.starts.push(0);
        for block in function.block_ids() {
            let successors = function.successors(block);
            graph.all.extend(successors.iter().map(|one| one.0));
            graph.starts.push(graph.all.len() as u32);
        }
        graph
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn next(&self, block: u32) -> &[u32] {
        let at = block as usize;
        &self.all[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The same blocks with some of the edges.
    fn filtered(&self, keeps: impl Fn(u32, u32) -> bool) -> Graph {
        let mut graph = Graph {
            starts: vec![0],
            all: Vec::with_capacity(self.all.len()),
        };
        for block in 0..self.count() as u32 {
            let next = self.next(block).iter().copied();
            graph.all.extend(next.filter(|to| keeps(block, *to)));
            graph.starts.push(graph.all.len() as u32);
        }
        graph
    }

    /// The same blocks, and where control comes from; of each in the order of the blocks.
    fn turned_round(&self) -> Graph {
        let mut starts = vec![0u32; self.count() + 1];
        for one in &self.all {
            starts[*one as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut free = starts.clone();
        let mut all = vec![0; self.all.len()];
        for block in 0..self.count() as u32 {
            for one in self.next(block) {
                let at = &mut free[*one as usize];
                all[*at as usize] = block;
                *at += 1;
            }
        }
        Graph { starts, all }
    }
}

/// Adds ends for the blocks from which there is no way to one: of each loop that they end up in, where its rounds end.
fn end_rounds(graph: &Graph, before: &Graph, ends: &mut Vec<u32>) {
    let mut reaches = vec![false; graph.count()];
    mark(before, ends, &mut reaches);
    let order = postorder(graph, &[0]);
    let mut stuck = order.clone();
    loop {
        stuck.retain(|block| !reaches[*block as usize]);
        // From the last one of a walk backwards control comes only to blocks from which it comes to that one.
        let Some(last) = postorder(before, &stuck).last().copied() else {
            return;
        };
        let mut own = vec![false; graph.count()];
        mark(graph, &[last], &mut own);
        let header = order.iter().rev().find(|block| own[**block as usize]);
        let Some(header) = header.copied() else {
            return;
        };
        let latches = before.next(header).iter().copied();
        let latches: Vec<u32> = latches.filter(|block| own[*block as usize]).collect();
        mark(before, &latches, &mut reaches);
        ends.extend(latches);
    }
}

/// Marks blocks and all that control comes to from them.
fn mark(graph: &Graph, from: &[u32], marks: &mut [bool]) {
    let mut work = from.to_vec();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut marks[block as usize], true) {
            work.extend(graph.next(block));
        }
    }
}

/// Dominators of a graph with several roots, under one root `END`.
fn solve(graph: &Graph, roots: &[u32]) -> Dominators {
    let count = graph.count();
    let order = postorder(graph, roots);
    let mut number = vec![u32::MAX; count];
    for (at, block) in order.iter().enumerate() {
        number[*block as usize] = at as u32;
    }
    let before = graph.turned_round();
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
            for one in before.next(block) {
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
fn postorder(graph: &Graph, roots: &[u32]) -> Vec<u32> {
    let mut seen = vec![false; graph.count()];
    let mut order = Vec::with_capacity(graph.count());
    for root in roots {
        if std::mem::replace(&mut seen[*root as usize], true) {
            continue;
        }
        let mut stack = vec![(*root, 0usize)];
        while let Some((block, at)) = stack.last_mut() {
            match graph.next(*block).get(*at) {
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
