//! Changing which blocks there are: blocks that nothing reaches, edges with a block of their own.

use warpc_nvvm::Module;
use warpc_nvvm::function::{BlockData, Body};
use warpc_nvvm::index::Id;
use warpc_nvvm::inst::Op;
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::value::{Block, InstId, Value};

/// Removes the blocks that neither the entry nor a taken address reaches. Phis forget the edges from
/// them. Says whether there were such blocks.
pub fn remove_unreachable(module: &Module, function: GlobalId, body: &mut Body) -> bool {
    let mut reached = vec![false; body.blocks.len()];
    let addresses = module.constants.block_addresses.iter();
    let taken = addresses
        .filter(|(_, address)| address.function == function)
        .filter_map(|(_, address)| address.block);
    let mut open: Vec<Block> = body
        .order
        .first()
        .copied()
        .into_iter()
        .chain(taken)
        .collect();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) {
            open.extend(body.successors(block));
        }
    }
    let before = body.order.len();
    body.order.retain(|block| reached[block.index()]);
    if body.order.len() == before {
        return false;
    }
    let mut kept = vec![false; body.insts.len()];
    for &block in &body.order {
        for &inst in &body.blocks[block].insts {
            kept[inst.index()] = true;
        }
    }
    for index in 0..body.order.len() {
        let block = body.order[index];
        remove_edges(body, block, |from| !reached[from.index()]);
    }
    body.records.retain(|record| kept[record.before.index()]);
    body.attachments.retain(|other| kept[other.inst.index()]);
    for (index, reached) in reached.iter().enumerate() {
        if !reached {
            body.blocks[Block::new(index)].insts.clear();
        }
    }
    true
}

/// The phis of a block.
pub fn phis(body: &Body, block: Block) -> Vec<InstId> {
    let insts = body.blocks[block].insts.iter().copied();
    insts
        .take_while(|&inst| body.insts[inst].op == Op::Phi)
        .collect()
}

/// Phis of a block forget the values that come from some blocks.
pub fn remove_edges(body: &mut Body, block: Block, gone: impl Fn(Block) -> bool) {
    for phi in phis(body, block) {
        let pairs = body.operands(phi).chunks_exact(2);
        let kept: Vec<Value> = pairs
            .filter(|pair| !pair[1].block().is_some_and(&gone))
            .flatten()
            .copied()
            .collect();
        if kept.len() != body.operands(phi).len() {
            body.set_operands(phi, &kept);
        }
    }
}

/// Phis of a block forget one of the values that come from a block.
pub fn remove_one_edge(body: &mut Body, block: Block, from: Block) {
    for phi in phis(body, block) {
        let mut operands = body.operands(phi).to_vec();
        let pairs = operands.chunks_exact(2);
        if let Some(at) = pairs.into_iter().position(|pair| pair[1] == from.into()) {
            operands.drain(2 * at..2 * at + 2);
            body.set_operands(phi, &operands);
        }
    }
}

/// Puts a new block on all edges from one block to another, and gives it back. It stands right after
/// `from` in the text.
pub fn split_edge(module: &Module, body: &mut Body, from: Block, to: Block) -> Block {
    let middle = body.blocks.push(BlockData::default());
    let mut edges = 0;
    if let Some(terminator) = body.terminator(from) {
        for value in body.operands_mut(terminator) {
            if value.block() == Some(to) {
                *value = middle.into();
                edges += 1;
            }
        }
        let br = body.add_inst(Op::Br, module.types.void, &[to.into()], false);
        body.insts[br].debug_location = body.insts[terminator].debug_location;
        body.insts[br].pos = body.insts[terminator].pos;
        body.blocks[middle].insts.push(br);
    }
    // A phi has a value for each edge; now there is one edge.
    for _ in 1..edges {
        remove_one_edge(body, to, from);
    }
    for phi in phis(body, to) {
        for value in body.operands_mut(phi) {
            if value.block() == Some(from) {
                *value = middle.into();
            }
        }
    }
    let place = body.order.iter().position(|&block| block == from);
    body.order
        .insert(place.map_or(body.order.len(), |place| place + 1), middle);
    middle
}
