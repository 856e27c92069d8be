//! Dominators and post-dominators, by the Semi-NCA algorithm.
//!
//! A block dominates another if every path from the entry to the other goes through it. The algorithm
//! (Georgiadis) walks the graph depth first, finds for each block its semidominator with path
//! compression, and then climbs the tree under construction to the nearest common ancestor. It takes
//! time close to linear in the edges.
//!
//! Post-dominators are the dominators of the graph with its edges turned round. The exits are the blocks
//! that go nowhere. Blocks that reach no exit (endless loops) get one: of those left, the last in
//! reverse post-order counts as an exit, until none is left.

use super::cfg::{Cfg, NOWHERE};
use crate::index::Id;
use crate::value::Block;

/// A tree of dominators, for paths from the entry or, of post-dominators, paths to the exits.
#[derive(Clone, Debug, Default)]
pub struct Dominators {
    /// By block: its immediate dominator; [`NOWHERE`] for roots and blocks outside the tree.
    parent: Vec<u32>,
    /// By block: when a walk over the tree enters and leaves it; a root's children are inside. Zero if
    /// outside the tree.
    enter: Vec<u32>,
    leave: Vec<u32>,
    /// By block: how far it is below the root.
    depth: Vec<u32>,
    /// The blocks of the tree, each after its dominators.
    order: Vec<Block>,
}

/// A graph with numbered nodes, as the algorithm walks it.
struct Graph<'a> {
    cfg: &'a Cfg,
    /// Edges turned round, with a root that goes to the exits.
    exits: Option<Vec<Block>>,
}

impl Graph<'_> {
    /// The number of the root that stands above all exits.
    fn root(&self) -> u32 {
        match self.exits {
            Some(_) => self.cfg.block_count() as u32,
            None => self.cfg.reverse_post_order()[0].index() as u32,
        }
    }

    fn successors(&self, node: u32) -> &[Block] {
        match &self.exits {
            Some(exits) if node == self.root() => exits,
            Some(_) => self.cfg.predecessors(Block::new(node as usize)),
            None => self.cfg.successors(Block::new(node as usize)),
        }
    }

    fn predecessors(&self, node: u32) -> &[Block] {
        match &self.exits {
            Some(_) => self.cfg.successors(Block::new(node as usize)),
            None => self.cfg.predecessors(Block::new(node as usize)),
        }
    }
}

/// The blocks where post-dominance starts.
fn exits(cfg: &Cfg) -> Vec<Block> {
    let order = cfg.reverse_post_order();
    let mut exits: Vec<Block> = Vec::new();
    let mut seen = vec![false; cfg.block_count()];
    let mut work = Vec::new();
    let real = order.iter().filter(|&&b| cfg.successors(b).is_empty());
    for &exit in real.chain(order.iter().rev()) {
        if std::mem::replace(&mut seen[exit.index()], true) {
            continue;
        }
        exits.push(exit);
        work.push(exit);
        while let Some(block) = work.pop() {
            for &from in cfg.predecessors(block) {
                if cfg.is_reachable(from) && !std::mem::replace(&mut seen[from.index()], true) {
                    work.push(from);
                }
            }
        }
    }
    exits
}

impl Dominators {
    /// The dominators of the blocks that the entry reaches.
    pub fn new(cfg: &Cfg) -> Dominators {
        Dominators::of(cfg, None)
    }

    /// The post-dominators of the blocks that the entry reaches.
    pub fn post(cfg: &Cfg) -> Dominators {
        Dominators::of(cfg, Some(exits(cfg)))
    }

    fn of(cfg: &Cfg, exits: Option<Vec<Block>>) -> Dominators {
        let count = cfg.block_count();
        let mut tree = Dominators {
            parent: vec![NOWHERE; count],
            enter: vec![0; count],
            leave: vec![0; count],
            depth: vec![0; count],
            order: Vec::new(),
        };
        if cfg.reverse_post_order().is_empty() {
            return tree;
        }
        let graph = Graph { cfg, exits };
        let (nodes, immediate) = immediate_dominators(&graph, count + 1);
        // `nodes` is in the order of the walk, so dominators come before what they dominate.
        for (&node, &dominator) in nodes.iter().zip(&immediate) {
            let above = nodes[dominator as usize];
            if node as usize >= count {
                continue;
            }
            if above != node && (above as usize) < count {
                tree.parent[node as usize] = above;
            }
            tree.order.push(Block::new(node as usize));
        }
        tree.number();
        tree
    }

    /// Numbers the tree for questions in constant time.
    fn number(&mut self) {
        // Sizes of the subtrees first, from the leaves up; then each child starts where the child
        // before it ends.
        let mut size = vec![1u32; self.parent.len()];
        for &block in self.order.iter().rev() {
            let parent = self.parent[block.index()];
            if parent != NOWHERE {
                size[parent as usize] += size[block.index()];
            }
        }
        let mut roots = 1;
        let mut next = vec![0u32; self.parent.len()];
        for &block in &self.order {
            let index = block.index();
            let parent = self.parent[index];
            let slot = match parent {
                NOWHERE => &mut roots,
                _ => {
                    self.depth[index] = self.depth[parent as usize] + 1;
                    &mut next[parent as usize]
                }
            };
            self.enter[index] = *slot;
            *slot += size[index];
            self.leave[index] = *slot;
            next[index] = self.enter[index] + 1;
        }
    }

    /// Whether a block is in the tree.
    pub fn contains(&self, block: Block) -> bool {
        self.enter.get(block.index()).is_some_and(|&at| at != 0)
    }

    /// The nearest block that dominates a block, other than itself.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        match self.parent.get(block.index()) {
            Some(&parent) if parent != NOWHERE => Some(Block::new(parent as usize)),
            _ => None,
        }
    }

    /// Whether `above` dominates `below`; a block dominates itself. Everything dominates a block outside
    /// the tree, as no path goes there, and such a block dominates none in the tree.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        if above == below || !self.contains(below) {
            return true;
        }
        let at = self.enter[below.index()];
        self.contains(above) && self.enter[above.index()] <= at && at < self.leave[above.index()]
    }

    /// Whether `above` dominates `below` and is another block.
    pub fn strictly_dominates(&self, above: Block, below: Block) -> bool {
        above != below && self.dominates(above, below)
    }

    /// The nearest block that dominates both; `None` if there is none.
    pub fn common(&self, a: Block, b: Block) -> Option<Block> {
        if !self.contains(a) || !self.contains(b) {
            return None;
        }
        let mut block = a;
        while !self.dominates(block, b) {
            block = self.immediate(block)?;
        }
        Some(block)
    }

    /// How many dominators a block has, itself apart.
    pub fn depth(&self, block: Block) -> usize {
        self.depth[block.index()] as usize
    }

    /// The blocks of the tree, each after its dominators.
    pub fn order(&self) -> &[Block] {
        &self.order
    }
}

/// The nodes in the order of a depth-first walk from the root and, by position, the positions of their
/// immediate dominators. The root is its own.
fn immediate_dominators(graph: &Graph<'_>, count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut position = vec![NOWHERE; count];
    let mut nodes: Vec<u32> = Vec::new();
    let mut parent: Vec<u32> = Vec::new();
    // Nodes yet to be visited, with the position of the node that leads there.
    let mut stack = vec![(graph.root(), 0u32)];
    while let Some((node, from)) = stack.pop() {
        if position[node as usize] != NOWHERE {
            continue;
        }
        let at = nodes.len() as u32;
        position[node as usize] = at;
        nodes.push(node);
        parent.push(from);
        for &to in graph.successors(node).iter().rev() {
            let to = to.index() as u32;
            if position[to as usize] == NOWHERE {
                stack.push((to, at));
            }
        }
    }
    let len = nodes.len();
    // By position: the semidominator, and the node with the smallest semidominator on the compressed
    // path above. Positions that have their semidominator are linked into the forest.
    let mut semi: Vec<u32> = (0..len as u32).collect();
    let mut label = semi.clone();
    let mut ancestor = parent.clone();
    let mut path = Vec::new();
    // An exit has the root as a predecessor, which the graph does not list.
    let mut below_root = vec![false; len];
    if graph.exits.is_some() {
        for &exit in graph.successors(graph.root()) {
            below_root[position[exit.index()] as usize] = true;
        }
    }
    for at in (1..len as u32).rev() {
        let mut best = parent[at as usize];
        if below_root[at as usize] {
            best = 0;
        }
        for &from in graph.predecessors(nodes[at as usize]) {
            let from = position[from.index()];
            if from == NOWHERE {
                continue;
            }
            let candidate = evaluate(from, at, &semi, &mut label, &mut ancestor, &mut path);
            best = best.min(semi[candidate as usize]);
        }
        semi[at as usize] = best;
    }
    let mut immediate = parent;
    for at in 1..len {
        let mut dominator = immediate[at];
        while dominator > semi[at] {
            dominator = immediate[dominator as usize];
        }
        immediate[at] = dominator;
    }
    (nodes, immediate)
}

/// The node with the smallest semidominator on the path from `node` up to the forest's root, where
/// nodes after `last` are linked. The path is compressed.
fn evaluate(
    node: u32,
    last: u32,
    semi: &[u32],
    label: &mut [u32],
    ancestor: &mut [u32],
    path: &mut Vec<u32>,
) -> u32 {
    if node <= last {
        return node;
    }
    let mut at = node;
    path.clear();
    while ancestor[at as usize] > last {
        path.push(at);
        at = ancestor[at as usize];
    }
    let root = ancestor[at as usize];
    let mut best = label[at as usize];
    while let Some(at) = path.pop() {
        if semi[label[at as usize] as usize] < semi[best as usize] {
            best = label[at as usize];
        } else {
            label[at as usize] = best;
        }
        ancestor[at as usize] = root;
    }
    label[node as usize]
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;
    use crate::function::{BlockData, Body};
    use crate::inst::Op;
    use crate::types::Types;

    #[test]
    fn dominators_are_what_their_definition_says() {
        for seed in 0..400 {
            let body = random::body(seed);
            let cfg = Cfg::new(&body);
            let tree = Dominators::new(&cfg);
            let entry = body.order[0];
            for above in body.blocks.ids().filter(|&b| cfg.is_reachable(b)) {
                let without = random::reachable(&body, &[entry], Some(above));
                for below in body.blocks.ids() {
                    let expected = above == below || !without[below.index()];
                    assert_eq!(tree.dominates(above, below), expected, "seed {seed}");
                }
            }
            check_tree(&body, &tree);
        }
    }

    #[test]
    fn post_dominators_are_what_their_definition_says() {
        for seed in 0..400 {
            let body = random::body(seed);
            let cfg = Cfg::new(&body);
            let tree = Dominators::post(&cfg);
            let exits = exits(&cfg);
            let reaches_exit = |from: Block, without: Option<Block>| {
                let seen = random::reachable(&body, &[from], without);
                exits.iter().any(|exit| seen[exit.index()])
            };
            for above in body.blocks.ids().filter(|&b| cfg.is_reachable(b)) {
                for below in body.blocks.ids().filter(|&b| cfg.is_reachable(b)) {
                    let expected = above == below || !reaches_exit(below, Some(above));
                    assert_eq!(tree.dominates(above, below), expected, "seed {seed}");
                }
            }
            check_tree(&body, &tree);
        }
    }

    /// The immediate dominator is the nearest, and depth and common dominators follow from it.
    fn check_tree(body: &Body, tree: &Dominators) {
        let members: Vec<Block> = body.blocks.ids().filter(|&b| tree.contains(b)).collect();
        assert_eq!(tree.order().len(), members.len());
        for &block in &members {
            let above = members
                .iter()
                .filter(|&&a| tree.strictly_dominates(a, block));
            assert_eq!(above.clone().count(), tree.depth(block));
            let nearest = above.max_by_key(|&&a| tree.depth(a));
            assert_eq!(tree.immediate(block), nearest.copied());
            for &other in &members {
                let both = |&&a: &&Block| tree.dominates(a, block) && tree.dominates(a, other);
                let nearest = members.iter().filter(both).max_by_key(|&&a| tree.depth(a));
                assert_eq!(tree.common(block, other), nearest.copied());
            }
        }
    }

    #[test]
    fn a_chain_of_100_000_blocks_is_fast() {
        let types = Types::default();
        let mut body = Body::default();
        let count = 100_000;
        for _ in 0..count {
            let block = body.blocks.push(BlockData::default());
            body.order.push(block);
        }
        for index in 0..count {
            // Each block goes on, far ahead, and back to the start.
            let to = |target: usize| Block::new(target.clamp(1, count - 1)).into();
            let targets = [to(index + 1), to(index * 2), to(index / 2)];
            let inst = body.add_inst(Op::IndirectBr, types.void, &targets, false);
            body.blocks[Block::new(index)].insts.push(inst);
        }
        let started = std::time::Instant::now();
        let cfg = Cfg::new(&body);
        assert_eq!(Dominators::new(&cfg).order().len(), count);
        assert_eq!(Dominators::post(&cfg).order().len(), count);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
