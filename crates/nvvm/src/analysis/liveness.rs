//! Liveness: which local values are needed at the start and the end of each block.
//!
//! ```text
//!   live_out(b) = values that phis of successors take from b  ∪  live_in(s) of all successors s
//!   live_in(b)  = values used in b before a definition in b  ∪  (live_out(b) − defined in b)
//! ```
//!
//! In SSA form this needs no iteration: from each use one walks backwards until the block that defines
//! the value, and stops where the value is known to be live already. The result is lists, not bit sets,
//! so memory goes with what is live and not with values times blocks. The value of a phi is defined at
//! the start of its block and its operands are used at the ends of the predecessors.

use super::cfg::Cfg;
use super::uses::Uses;
use crate::function::{Body, Def};
use crate::index::Id;
use crate::inst::Op;
use crate::value::{Block, Local};

/// Which local values are needed where.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    live_in: Vec<Vec<Local>>,
    live_out: Vec<Vec<Local>>,
}

impl Liveness {
    /// Computes it. Values that are used where their definition does not reach are live from the entry on.
    pub fn new(body: &Body, cfg: &Cfg, uses: &Uses) -> Liveness {
        let count = cfg.block_count();
        let mut liveness = Liveness {
            live_in: vec![Vec::new(); count],
            live_out: vec![Vec::new(); count],
        };
        let mut block_of: Vec<Option<Block>> = vec![None; body.insts.len()];
        let mut position: Vec<u32> = vec![0; body.insts.len()];
        for &block in &body.order {
            for (at, &inst) in body.blocks[block].insts.iter().enumerate() {
                block_of[inst.index()] = Some(block);
                position[inst.index()] = at as u32;
            }
        }
        let mut work: Vec<Block> = Vec::new();
        for (local, def) in body.locals.iter() {
            let defined = match def.def {
                Def::Inst(inst) => {
                    block_of[inst.index()].map(|block| (block, position[inst.index()]))
                }
                Def::Param(_) => body.order.first().map(|&entry| (entry, 0)),
                Def::Pending => None,
            };
            let is_param = matches!(def.def, Def::Param(_));
            let home = defined.map(|(block, _)| block);
            for site in uses.of(local) {
                let Some(block) = block_of[site.inst.index()] else {
                    continue;
                };
                if body.insts[site.inst].op == Op::Phi {
                    let from = body.operands(site.inst).get(site.operand as usize + 1);
                    if let Some(from) = from.and_then(|value| value.block()) {
                        liveness.leaves(from, local, home, &mut work);
                    }
                } else if Some(block) != home {
                    work.push(block);
                } else if !is_param && position[site.inst.index()] <= defined.map_or(0, |d| d.1) {
                    // Used before it is defined: needed around a cycle.
                    work.push(block);
                }
                while let Some(block) = work.pop() {
                    let entering = &mut liveness.live_in[block.index()];
                    if entering.last() == Some(&local) {
                        continue;
                    }
                    entering.push(local);
                    for &from in cfg.predecessors(block) {
                        liveness.leaves(from, local, home, &mut work);
                    }
                }
            }
        }
        liveness
    }

    /// Notes that a value is needed at the end of a block.
    fn leaves(&mut self, block: Block, local: Local, home: Option<Block>, work: &mut Vec<Block>) {
        let leaving = &mut self.live_out[block.index()];
        if leaving.last() != Some(&local) {
            leaving.push(local);
        }
        if Some(block) != home {
            work.push(block);
        }
    }

    /// The values needed at the start of a block, in the order of their numbers. Phis of the block are not
    /// among them.
    pub fn live_in(&self, block: Block) -> &[Local] {
        self.live_in.get(block.index()).map_or(&[], Vec::as_slice)
    }

    /// The values needed at the end of a block, in the order of their numbers.
    pub fn live_out(&self, block: Block) -> &[Local] {
        self.live_out.get(block.index()).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;
    use std::collections::BTreeSet;

    /// The equations of the module, iterated until nothing changes.
    fn by_iteration(body: &Body, cfg: &Cfg) -> Vec<(BTreeSet<Local>, BTreeSet<Local>)> {
        let mut live = vec![(BTreeSet::new(), BTreeSet::new()); body.blocks.len()];
        loop {
            let before = live.clone();
            for &block in &body.order {
                let mut out: BTreeSet<Local> = BTreeSet::new();
                for &to in cfg.successors(block) {
                    out.extend(&live[to.index()].0);
                    for &inst in &body.blocks[to].insts {
                        if body.insts[inst].op == Op::Phi {
                            for pair in body.operands(inst).chunks(2) {
                                if pair[1].block() == Some(block) {
                                    out.extend(pair[0].local());
                                }
                            }
                        }
                    }
                }
                let mut now = out.clone();
                for &inst in body.blocks[block].insts.iter().rev() {
                    if let Some(local) = body.insts[inst].local() {
                        now.remove(&local);
                    }
                    if body.insts[inst].op != Op::Phi {
                        now.extend(body.operands(inst).iter().filter_map(|v| v.local()));
                    }
                }
                live[block.index()] = (now, out);
            }
            if live == before {
                return live;
            }
        }
    }

    #[test]
    fn liveness_is_what_the_equations_say() {
        let mut seen = 0;
        for seed in 0..400 {
            let body = random::body(seed);
            let cfg = Cfg::new(&body);
            let liveness = Liveness::new(&body, &cfg, &Uses::new(&body));
            for (index, (entering, leaving)) in by_iteration(&body, &cfg).iter().enumerate() {
                let block = Block::new(index);
                assert!(liveness.live_in(block).iter().eq(entering), "seed {seed}");
                assert!(liveness.live_out(block).iter().eq(leaving), "seed {seed}");
                seen += entering.len();
            }
        }
        assert!(seen > 100);
    }
}
