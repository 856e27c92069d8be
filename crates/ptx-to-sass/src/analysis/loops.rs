//! The loops of a function: natural loops of its graph of blocks.
//!
//! A loop has one header, which dominates all its blocks, and latches, from which control goes back to the header. Loops
//! with one header are one loop. Cycles without a block that dominates the others (irreducible ones) are no loops; a loop
//! that has such a cycle inside is marked, because what dominates its latch may be executed several times in a round.

use crate::analysis::empty;
use crate::analysis::values::Order;
use crate::ir::{BlockId, Function};
use smallvec::SmallVec;

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where each round begins; it dominates all blocks of the loop.
    pub header: BlockId,
    /// Where rounds end that another one follows.
    pub latches: SmallVec<[BlockId; 2]>,
    /// The innermost loop that this one is in.
    pub parent: Option<usize>,
    /// How many loops it is in, and it itself.
    pub depth: u32,
    /// Whether no loop is in it.
    pub is_innermost: bool,
    /// Whether it has a cycle that is no loop.
    pub is_tangled: bool,
    /// Its blocks without those of loops in it, in the order of the code.
    pub blocks: Vec<BlockId>,
}

/// The loops of a function.
pub struct Loops {
    loops: Vec<Loop>,
    /// For each block the innermost loop that it is in.
    innermost: Vec<Option<usize>>,
    predecessors: Vec<SmallVec<[BlockId; 2]>>,
}

impl Loops {
    /// Finds the loops of a function.
    pub fn of(function: &Function, order: &Order) -> Loops {
        let count = function.blocks.len();
        let predecessors = function.predecessors();
        // The latches of each header, and edges back that make no loop.
        let mut latches: Vec<SmallVec<[BlockId; 2]>> = empty(count);
        let mut tangled: Vec<BlockId> = Vec::new();
        let finished = finished(function);
        for block in order.blocks() {
            for next in function.successors(*block) {
                if order.dominates(next, *block) {
                    latches[next.index()].push(*block);
                } else if finished[next.index()] >= finished[block.index()] {
                    tangled.push(*block);
                }
            }
        }
        let mut all = Loops {
            loops: Vec::new(),
            innermost: vec![None; count],
            predecessors: Vec::new(),
        };
        // Inner headers come before outer ones: what dominates them is further to the front.
        for header in order.blocks().iter().rev() {
            let own = std::mem::take(&mut latches[header.index()]);
            if !own.is_empty() {
                all.add(*header, own, &predecessors, order);
            }
        }
        all.finish(&tangled);
        all.predecessors = predecessors;
        all
    }

    /// Adds the loop of a header, after all loops in it.
    fn add(
        &mut self,
        header: BlockId,
        latches: SmallVec<[BlockId; 2]>,
        predecessors: &[SmallVec<[BlockId; 2]>],
        order: &Order,
    ) {
        let own = self.loops.len();
        self.loops.push(Loop {
            header,
            latches: latches.clone(),
            parent: None,
            depth: 0,
            is_innermost: true,
            is_tangled: false,
            blocks: Vec::new(),
        });
        self.innermost[header.index()].get_or_insert(own);
        let mut work: Vec<BlockId> = latches.to_vec();
        while let Some(block) = work.pop() {
            if block == header || !order.dominates(header, block) {
                continue;
            }
            let before = match self.innermost[block.index()] {
                None => {
                    self.innermost[block.index()] = Some(own);
                    block
                }
                // A block of a loop inside: what leads to that loop is in this one.
                Some(inner) => {
                    let inner = self.outermost(inner);
                    if inner == own {
                        continue;
                    }
                    self.loops[inner].parent = Some(own);
                    self.loops[own].is_innermost = false;
                    self.loops[inner].header
                }
            };
            work.extend(&predecessors[before.index()]);
        }
    }

    /// The outermost loop known so far that a loop is in.
    fn outermost(&self, mut own: usize) -> usize {
        while let Some(parent) = self.loops[own].parent {
            own = parent;
        }
        own
    }

    fn finish(&mut self, tangled: &[BlockId]) {
        for own in (0..self.loops.len()).rev() {
            let parent = self.loops[own].parent;
            self.loops[own].depth = parent.map_or(0, |parent| self.loops[parent].depth) + 1;
        }
        for block in tangled {
            if let Some(own) = self.innermost[block.index()] {
                self.loops[own].is_tangled = true;
            }
        }
        // Those around a loop come after it.
        for own in 0..self.loops.len() {
            if let (true, Some(parent)) = (self.loops[own].is_tangled, self.loops[own].parent) {
                self.loops[parent].is_tangled = true;
            }
        }
        for block in (0..self.innermost.len() as u32).map(BlockId) {
            if let Some(own) = self.innermost[block.index()] {
                self.loops[own].blocks.push(block);
            }
        }
    }

    /// All loops, each after those in it.
    pub fn all(&self) -> &[Loop] {
        &self.loops
    }

    /// The innermost loop that a block is in.
    pub fn innermost(&self, block: BlockId) -> Option<usize> {
        self.innermost[block.index()]
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |own| self.loops[own].depth)
    }

    /// The blocks from which control comes to a block.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    /// The only block from which control comes to a block that is not the first.
    pub fn only_predecessor(&self, block: BlockId) -> Option<BlockId> {
        match self.predecessors(block) {
            [only] if block.0 != 0 => Some(*only),
            _ => None,
        }
    }

    /// Whether a block is in a loop.
    pub fn contains(&self, own: usize, block: BlockId) -> bool {
        let mut at = self.innermost(block);
        while let Some(one) = at {
            if one == own {
                return true;
            }
            at = self.loops[one].parent;
        }
        false
    }
}

/// For each block when a walk from the entry leaves it; the entry last.
fn finished(function: &Function) -> Vec<u32> {
    let mut number = vec![0; function.blocks.len()];
    let mut seen = vec![false; function.blocks.len()];
    let mut next_number = 1;
    let mut stack: Vec<(SmallVec<[BlockId; 2]>, usize, BlockId)> = Vec::new();
    if let Some(first) = seen.first_mut() {
        *first = true;
        stack.push((function.successors(BlockId(0)), 0, BlockId(0)));
    }
    while let Some((successors, at, block)) = stack.last_mut() {
        match successors.get(*at).copied() {
            Some(next) => {
                *at += 1;
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((function.successors(next), 0, next));
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

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::SourceFile;

    fn function(body: &str) -> Function {
        let text =
            format!(".kernel k on sm_90\n.frame 0, align 16, base R1\n.regs %r0, %p1\n{body}");
        let file = SourceFile::new("k.mir", text).expect("a file");
        let read = crate::ir::parse(&file).value.expect("IR");
        read.into_iter().next().expect("a function")
    }

    fn loops(body: &str) -> Loops {
        let function = function(body);
        Loops::of(&function, &Order::of(&function))
    }

    #[test]
    fn a_loop_in_a_loop() {
        let found = loops(
            ".L0:\n MOV %r0, RZ\n.L1:\n IADD3 %r0, %r0, 0x1, RZ\n.L2:\n @%p1 BRA .L2\n.L3:\n @%p1 BRA .L1\n.L4:\n EXIT\n",
        );
        let [inner, outer] = found.all() else {
            panic!("{:?}", found.all());
        };
        assert_eq!((inner.header, inner.depth), (BlockId(2), 2));
        assert_eq!((outer.header, outer.depth), (BlockId(1), 1));
        assert_eq!(inner.parent, Some(1));
        assert!(inner.is_innermost && !outer.is_innermost);
        assert_eq!(outer.blocks, [1, 3].map(BlockId));
        assert_eq!(found.depth(BlockId(4)), 0);
        assert!(found.contains(1, BlockId(2)) && !found.contains(0, BlockId(3)));
    }

    #[test]
    fn latches_of_one_header_are_of_one_loop() {
        let found = loops(
            ".L0:\n MOV %r0, RZ\n.L1:\n @%p1 BRA .L4\n.L2:\n @%p1 BRA .L1\n.L3:\n BRA .L5\n.L4:\n BRA .L1\n.L5:\n EXIT\n",
        );
        let [only] = found.all() else {
            panic!("{:?}", found.all());
        };
        let mut latches = only.latches.to_vec();
        latches.sort_unstable();
        assert_eq!(latches, [2, 4].map(BlockId));
        assert_eq!(only.blocks, [1, 2, 4].map(BlockId));
    }

    #[test]
    fn a_cycle_with_two_entries_is_no_loop_and_marks_the_one_around_it() {
        let found = loops(
            ".L0:\n MOV %r0, RZ\n.L1:\n @%p1 BRA .L3\n.L2:\n MOV %r0, RZ\n.L3:\n @%p1 BRA .L2\n.L4:\n @%p1 BRA .L1\n.L5:\n EXIT\n",
        );
        let [only] = found.all() else {
            panic!("{:?}", found.all());
        };
        assert_eq!(only.header, BlockId(1));
        assert!(only.is_tangled);
    }
}
