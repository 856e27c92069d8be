//! How often the code touches each register, with loops counted as many rounds.

use crate::ir::Function;

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
    let depths = depths(function).into_iter();
    depths.map(|depth| ROUNDS.pow(depth.min(DEPTH))).collect()
}

/// For each block how many loops it stands in: branches back in the order of the code go around what is between.
fn depths(function: &Function) -> Vec<u32> {
    // Where loops open and close, summed up.
    let mut changes = vec![0i32; function.blocks.len() + 1];
    for block in function.block_ids() {
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
    depths.take(function.blocks.len()).collect()
}
