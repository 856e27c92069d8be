//! Changing which blocks there are: blocks that nothing reaches, blocks with one way in, edges with a block of their own.

use rustc_hash::FxHashMap;
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

/// Puts each block that only one other block reaches, and that this one always goes to, at the end of it.
///
/// No address of a block of this function may be taken.
pub fn merge_blocks(body: &mut Body) {
    let mut edges = vec![0u32; body.blocks.len()];
    for &block in &body.order {
        body.successors(block).for_each(|to| edges[to.index()] += 1);
    }
    let entry = body.order.first().copied();
    let follower = |body: &Body, block: Block| {
        let br = body.terminator(block)?;
        let is_br = body.insts[br].op == Op::Br && body.attachments_of(br).is_empty();
        let next = body.operands(br).first()?.block().filter(|_| is_br)?;
        let only = edges[next.index()] == 1 && next != block && Some(next) != entry;
        (only && phis(body, next).is_empty()).then_some((br, next))
    };
    let mut follows = vec![false; body.blocks.len()];
    for &block in &body.order {
        if let Some((_, next)) = follower(body, block) {
            follows[next.index()] = true;
        }
    }
    // By block: the one at whose end it is now.
    let mut heads: Vec<Block> = body.blocks.ids().collect();
    let mut gone: FxHashMap<InstId, InstId> = FxHashMap::default();
    for index in 0..body.order.len() {
        let head = body.order[index];
        if follows[head.index()] {
            continue;
        }
        while let Some((br, next)) = follower(body, head) {
            let mut insts = std::mem::take(&mut body.blocks[next].insts);
            if let Some(&first) = insts.first() {
                gone.insert(br, first);
            }
            body.blocks[head].insts.pop();
            body.blocks[head].insts.append(&mut insts);
            heads[next.index()] = head;
        }
    }
    body.order.retain(|&block| heads[block.index()] == block);
    for index in 0..body.order.len() {
        for phi in phis(body, body.order[index]) {
            for value in body.operands_mut(phi) {
                if let Some(from) = value.block() {
                    *value = heads[from.index()].into();
                }
            }
        }
    }
    for record in &mut body.records {
        while let Some(&next) = gone.get(&record.before) {
            record.before = next;
        }
    }
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
