//! Random bodies and slow definitions, to judge the analyses by.

use crate::function::{BlockData, Body};
use crate::index::Id;
use crate::inst::{BinaryOp, Op};
use crate::types::Types;
use crate::value::{Block, Local, Value};
use warpc_testkit::Random;

/// A body with up to 12 blocks, random edges, and in each block sums of values made before it in the
/// text and phis of any values.
pub(super) fn body(seed: u64) -> Body {
    let types = Types::default();
    let mut numbers = Random::new(seed);
    let mut body = Body::default();
    let count = 1 + numbers.below(12);
    for _ in 0..count {
        let block = body.blocks.push(BlockData::default());
        body.order.push(block);
    }
    let mut targets: Vec<Vec<Block>> = Vec::new();
    for _ in 0..count {
        let exits = numbers.below(4).min(3);
        targets.push(
            (0..exits)
                .map(|_| Block::new(numbers.below(count)))
                .collect(),
        );
    }
    let mut values: Vec<Local> = Vec::new();
    for (index, goals) in targets.iter().enumerate() {
        let block = Block::new(index);
        for _ in 0..numbers.below(3) {
            let operands: Vec<Value> = match values.len() {
                0 => Vec::new(),
                len => (0..2).map(|_| values[numbers.below(len)].into()).collect(),
            };
            let inst = body.add_inst(Op::Binary(BinaryOp::Add), types.i32, &operands, true);
            body.blocks[block].insts.push(inst);
            values.extend(body.insts[inst].local());
        }
        let operands: Vec<Value> = goals.iter().map(|&to| to.into()).collect();
        let op = if operands.is_empty() {
            Op::Ret
        } else {
            Op::IndirectBr
        };
        let inst = body.add_inst(op, types.void, &operands, false);
        body.blocks[block].insts.push(inst);
    }
    for index in 0..count {
        if values.is_empty() || numbers.below(2) == 0 {
            continue;
        }
        let mut operands: Vec<Value> = Vec::new();
        for (from, to) in targets.iter().enumerate() {
            for _ in to.iter().filter(|to| to.index() == index) {
                operands.push(values[numbers.below(values.len())].into());
                operands.push(Block::new(from).into());
            }
        }
        let inst = body.add_inst(Op::Phi, types.i32, &operands, true);
        body.blocks[Block::new(index)].insts.insert(0, inst);
    }
    body
}

/// Which blocks are reached from `starts` without going into `without`.
pub(super) fn reachable(body: &Body, starts: &[Block], without: Option<Block>) -> Vec<bool> {
    let mut seen = vec![false; body.blocks.len()];
    let mut work: Vec<Block> = starts.to_vec();
    while let Some(block) = work.pop() {
        if Some(block) != without && !std::mem::replace(&mut seen[block.index()], true) {
            work.extend(body.successors(block));
        }
    }
    seen
}
