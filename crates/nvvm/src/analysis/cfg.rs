//! The control-flow graph: which block goes where, in flat arrays.

use crate::function::Body;
use crate::index::Id;
use crate::value::Block;

/// Says of a block that it has no place in an order.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Lists of blocks by block, one after the other in one array.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockLists {
    starts: Vec<u32>,
    items: Vec<Block>,
}

impl BlockLists {
    pub(super) fn of(&self, block: Block) -> &[Block] {
        let index = block.index();
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(&from), Some(&to)) => &self.items[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// The edges between the blocks of a body.
///
/// Only blocks in the order of the body have edges. An edge that a terminator names twice is there
/// twice, as a phi must name it twice.
#[derive(Clone, Debug, Default)]
pub struct Cfg {
    successors: BlockLists,
    predecessors: BlockLists,
    reverse_post_order: Vec<Block>,
    /// Position in the reverse post-order; [`NOWHERE`] if not reachable.
    position: Vec<u32>,
}

impl Cfg {
    /// The edges of a body. Blocks without a terminator go nowhere.
    pub fn new(body: &Body) -> Cfg {
        let count = body.blocks.len();
        let mut successors = BlockLists {
            starts: vec![0; count + 1],
            items: Vec::new(),
        };
        let mut in_order = vec![false; count];
        for &block in &body.order {
            in_order[block.index()] = true;
        }
        let mut incoming = vec![0u32; count + 1];
        for (index, &listed) in in_order.iter().enumerate() {
            if listed {
                for to in body.successors(Block::new(index)) {
                    successors.items.push(to);
                    incoming[to.index() + 1] += 1;
                }
            }
            successors.starts[index + 1] = successors.items.len() as u32;
        }
        for index in 0..count {
            incoming[index + 1] += incoming[index];
        }
        let mut predecessors = BlockLists {
            items: vec![Block::new(0); successors.items.len()],
            starts: incoming.clone(),
        };
        for index in 0..count {
            let from = Block::new(index);
            for &to in successors.of(from) {
                let slot = &mut incoming[to.index()];
                predecessors.items[*slot as usize] = from;
                *slot += 1;
            }
        }
        let mut cfg = Cfg {
            successors,
            predecessors,
            reverse_post_order: Vec::new(),
            position: vec![NOWHERE; count],
        };
        cfg.number(body);
        cfg
    }

    /// Walks the graph depth first and numbers what it reaches.
    fn number(&mut self, body: &Body) {
        let Some(&entry) = body.order.first() else {
            return;
        };
        let mut seen = vec![false; self.position.len()];
        let mut stack = vec![(entry, 0usize)];
        seen[entry.index()] = true;
        while let Some((block, next)) = stack.last_mut() {
            match self.successors.of(*block).get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        stack.push((to, 0));
                    }
                }
                None => {
                    self.reverse_post_order.push(*block);
                    stack.pop();
                }
            }
        }
        self.reverse_post_order.reverse();
        for (position, block) in self.reverse_post_order.iter().enumerate() {
            self.position[block.index()] = position as u32;
        }
    }

    /// The blocks a block may go to, as often as its terminator names them.
    pub fn successors(&self, block: Block) -> &[Block] {
        self.successors.of(block)
    }

    /// The blocks that may go to a block, as often as their terminators name it.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        self.predecessors.of(block)
    }

    /// The blocks that the entry reaches, each before those it goes to, back edges apart.
    pub fn reverse_post_order(&self) -> &[Block] {
        &self.reverse_post_order
    }

    /// The position of a block in the reverse post-order, if the entry reaches it.
    pub fn position(&self, block: Block) -> Option<usize> {
        match self.position.get(block.index()) {
            Some(&position) if position != NOWHERE => Some(position as usize),
            _ => None,
        }
    }

    /// Whether the entry reaches a block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position(block).is_some()
    }

    /// How many blocks the body has, in its order or not.
    pub fn block_count(&self) -> usize {
        self.position.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;

    #[test]
    fn edges_are_the_same_both_ways() {
        for seed in 0..200 {
            let body = random::body(seed);
            let cfg = Cfg::new(&body);
            let mut forward = Vec::new();
            let mut backward = Vec::new();
            for block in body.blocks.ids() {
                forward.extend(cfg.successors(block).iter().map(|&to| (block, to)));
                backward.extend(cfg.predecessors(block).iter().map(|&from| (from, block)));
                assert!(
                    cfg.successors(block)
                        .iter()
                        .copied()
                        .eq(body.successors(block))
                );
            }
            forward.sort();
            backward.sort();
            assert_eq!(forward, backward);
        }
    }

    #[test]
    fn the_order_is_a_reverse_post_order() {
        for seed in 0..200 {
            let body = random::body(seed);
            let cfg = Cfg::new(&body);
            let reachable = random::reachable(&body, &[body.order[0]], None);
            for block in body.blocks.ids() {
                assert_eq!(cfg.is_reachable(block), reachable[block.index()]);
                let at = |b| cfg.reverse_post_order()[cfg.position(b).unwrap()];
                if cfg.is_reachable(block) {
                    assert_eq!(at(block), block);
                }
            }
            // In the order, an edge that goes back closes a cycle.
            for &from in cfg.reverse_post_order() {
                for &to in cfg.successors(from) {
                    if cfg.position(to) <= cfg.position(from) {
                        assert!(random::reachable(&body, &[to], None)[from.index()]);
                    }
                }
            }
        }
    }
}
