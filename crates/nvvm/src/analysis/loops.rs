//! Natural loops and how they nest.
//!
//! A back edge goes to a block that dominates where it comes from: the header. The loop is the header
//! and all blocks that reach a back edge without going through it. Loops with one header are one loop.
//! Cycles with several entries (irreducible ones) have no header and are not loops here.

use super::cfg::Cfg;
use super::dominators::Dominators;
use crate::index::{Id, IdVec, define_ids};
use crate::value::Block;

define_ids! {
    /// A loop of a body.
    LoopId
}

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where it is entered.
    pub header: Block,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// How many loops it is in, itself included.
    pub depth: u32,
    /// Its blocks, those of inner loops included, in reverse post-order: the header first.
    pub blocks: Vec<Block>,
}

/// The loops of a body, outer ones before inner ones.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    loops: IdVec<LoopId, Loop>,
    innermost: Vec<Option<LoopId>>,
}

impl Loops {
    /// Finds the loops.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Loops {
        // Inner loops are found before outer ones: a header comes after the headers it is dominated by.
        let mut found: Vec<(Block, Option<usize>)> = Vec::new();
        let mut inner: Vec<Option<usize>> = vec![None; cfg.block_count()];
        for &header in dominators.order().iter().rev() {
            let is_latch =
                |&&from: &&Block| dominators.contains(from) && dominators.dominates(header, from);
            let mut work: Vec<Block> = cfg
                .predecessors(header)
                .iter()
                .filter(is_latch)
                .copied()
                .collect();
            if work.is_empty() {
                continue;
            }
            let number = found.len();
            found.push((header, None));
            while let Some(block) = work.pop() {
                // A block of an inner loop stands for the outermost loop found so far.
                let mut top = inner[block.index()];
                while let Some((_, Some(outer))) = top.map(|at| found[at]) {
                    top = Some(outer);
                }
                match top {
                    Some(at) if at == number => {}
                    Some(at) => {
                        found[at].1 = Some(number);
                        work.extend(
                            cfg.predecessors(found[at].0).iter().filter(|&&b| {
                                dominators.contains(b) && inner[b.index()] != Some(at)
                            }),
                        );
                    }
                    None => {
                        inner[block.index()] = Some(number);
                        if block != header {
                            let from = cfg.predecessors(block).iter();
                            work.extend(from.filter(|&&b| dominators.contains(b)));
                        }
                    }
                }
            }
            inner[header.index()].get_or_insert(number);
        }
        Loops::numbered(cfg, &found, &inner)
    }

    /// Numbers the loops from outside in and collects their blocks.
    fn numbered(cfg: &Cfg, found: &[(Block, Option<usize>)], inner: &[Option<usize>]) -> Loops {
        let mut loops = Loops {
            loops: IdVec::new(),
            innermost: vec![None; inner.len()],
        };
        let renamed = |at: usize| LoopId::new(found.len() - 1 - at);
        for &(header, parent) in found.iter().rev() {
            let parent = parent.map(renamed);
            let depth = parent.map_or(0, |parent| loops.loops[parent].depth) + 1;
            loops.loops.push(Loop {
                header,
                parent,
                depth,
                blocks: Vec::new(),
            });
        }
        for &block in cfg.reverse_post_order() {
            let innermost = inner[block.index()].map(renamed);
            loops.innermost[block.index()] = innermost;
            let mut around = innermost;
            while let Some(id) = around {
                loops.loops[id].blocks.push(block);
                around = loops.loops[id].parent;
            }
        }
        loops
    }

    /// The innermost loop that a block is in.
    pub fn of(&self, block: Block) -> Option<LoopId> {
        self.innermost.get(block.index()).copied().flatten()
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: Block) -> u32 {
        self.of(block).map_or(0, |id| self.loops[id].depth)
    }

    /// A loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// Whether a block is in a loop or one inside it.
    pub fn contains(&self, id: LoopId, block: Block) -> bool {
        let mut around = self.of(block);
        while let Some(at) = around {
            if at == id {
                return true;
            }
            around = self.loops[at].parent;
        }
        false
    }

    /// All loops, outer ones before inner ones.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (LoopId, &Loop)> {
        self.loops.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;

    #[test]
    fn loops_are_what_their_definition_says() {
        let mut seen = 0;
        for seed in 0..600 {
            let body = random::body(seed);
            let cfg = Cfg::new(&body);
            let dominators = Dominators::new(&cfg);
            let loops = Loops::new(&cfg, &dominators);
            let blocks: Vec<Block> = cfg.reverse_post_order().to_vec();
            for &header in &blocks {
                let latches: Vec<Block> = cfg
                    .predecessors(header)
                    .iter()
                    .copied()
                    .filter(|&b| cfg.is_reachable(b) && dominators.dominates(header, b))
                    .collect();
                let found = loops.iter().find(|(_, l)| l.header == header);
                assert_eq!(found.is_some(), !latches.is_empty(), "seed {seed}");
                let Some((id, this)) = found else { continue };
                seen += 1;
                // Dominated by the header and reaching a latch without going through it.
                for &block in &blocks {
                    let reached = random::reachable(&body, &[block], Some(header));
                    let expected = block == header
                        || dominators.dominates(header, block)
                            && latches.iter().any(|&l| l != header && reached[l.index()]);
                    assert_eq!(loops.contains(id, block), expected, "seed {seed}");
                    assert_eq!(this.blocks.contains(&block), expected, "seed {seed}");
                }
                assert_eq!(this.blocks[0], header);
                let around = |&(other, outer): &(LoopId, &Loop)| {
                    other != id && outer.blocks.contains(&header)
                };
                let parent = loops
                    .iter()
                    .filter(around)
                    .min_by_key(|(_, l)| l.blocks.len());
                assert_eq!(this.parent, parent.map(|(id, _)| id), "seed {seed}");
                assert_eq!(this.depth as usize, 1 + loops.iter().filter(around).count());
            }
        }
        assert!(seen > 100);
    }
}
