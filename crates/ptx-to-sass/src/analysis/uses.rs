//! How often the code touches each register, with loops counted as many rounds.

use crate::ir::{BlockId, Function};

/// How many rounds a loop is taken for, and how deep loops are counted.
const ROUNDS: u64 = 8;
const DEPTH: u32 = 5;

/// For each register its reads and writes, weighted.
pub fn weights(function: &Function) -> Vec<u64> {
    let mut weights = vec![0u64; function.regs.len()];
    for (block, rounds) in function.blocks.iter().zip(rounds(function)) {
        for inst in &block.insts {
            for (reg, ..) in inst.reads().chain(inst.writes()) {
                let own = &mut weights[reg.0 as usize];
                *own = own.saturating_add(rounds);
            }
        }
    }
    weights
}

/// For each block how often it is taken to be executed.
pub fn rounds(function: &Function) -> Vec<u64> {
    depths(function).into_iter().map(rounds_at).collect()
}

/// How often a block is taken to be executed that stands in so many loops.
pub fn rounds_at(depth: u32) -> u64 {
    ROUNDS.pow(depth.min(DEPTH))
}

/// For each block how many loops it stands in: branches back in the order of the code go around what is between. What is
/// seldom executed stands in none.
pub fn depths(function: &Function) -> Vec<u32> {
    // Where loops open and close, summed up.
    let mut changes = vec![0i32; function.blocks.len() + 1];
    let is_cold = |block: BlockId| function.blocks[block.index()].is_cold;
    for block in function.block_ids().filter(|block| !is_cold(*block)) {
        for target in function.successors(block) {
            if target.index() <= block.index() {
                changes[target.index()] += 1;
                changes[block.index() + 1] -= 1;
            }
        }
    }
    let depths = changes.iter().scan(0i32, |depth, change| {
        *depth += change;
        Some(depth.unsigned_abs())
    });
    let blocks = depths.zip(&function.blocks);
    blocks
        .map(|(depth, block)| if block.is_cold { 0 } else { depth })
        .collect()
}

/// Which loop each block stands in, where loops are what branches back in the order of the code go around.
pub struct Loops {
    /// For each block the number of its innermost loop, and 0 for none.
    of: Vec<u32>,
    /// For each loop its first and last block.
    all: Vec<(u32, u32)>,
}

/// The loops of a function.
pub fn loops(function: &Function) -> Loops {
    let mut all: Vec<(u32, u32)> = vec![(0, u32::MAX)];
    let is_cold = |block: BlockId| function.blocks[block.index()].is_cold;
    for block in function.block_ids().filter(|block| !is_cold(*block)) {
        for target in function.successors(block) {
            if target.index() <= block.index() {
                all.push((target.0, block.0));
            }
        }
    }
    // Those that begin first and end last are outside.
    all[1..].sort_unstable_by_key(|one| (one.0, std::cmp::Reverse(one.1)));
    let mut of = Vec::with_capacity(function.blocks.len());
    let mut open: Vec<u32> = vec![0];
    let mut next = 1;
    for block in 0..function.blocks.len() as u32 {
        while all.get(next).is_some_and(|one| one.0 == block) {
            open.push(next as u32);
            next += 1;
        }
        // One that does not lie inside another one may end before it.
        open.retain(|number| all[*number as usize].1 >= block);
        of.push(open.last().copied().unwrap_or(0));
    }
    Loops { of, all }
}

impl Loops {
    /// The innermost loop around a block.
    pub fn of(&self, block: usize) -> u32 {
        self.of[block]
    }

    /// Whether a loop is another one, or around it.
    pub fn is_around(&self, one: u32, other: u32) -> bool {
        let (one, other) = (self.all[one as usize], self.all[other as usize]);
        one.0 <= other.0 && one.1 >= other.1
    }
}
