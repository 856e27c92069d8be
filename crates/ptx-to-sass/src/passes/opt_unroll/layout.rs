//! New blocks among the old ones: they get numbers after those of all old blocks, and their places at the end.

use crate::ir::{Block, BlockId, File, Function, Op, Reg, RegData};
use crate::tune::Repeats;
use rustc_hash::FxHashMap;

/// New blocks and registers of a function.
pub(super) struct Layout {
    first_reg: u32,
    first_block: u32,
    regs: Vec<RegData>,
    blocks: Vec<Block>,
    /// For each new block the header of the loop that it belongs to.
    owners: Vec<BlockId>,
    /// What stands before a header.
    before: FxHashMap<BlockId, Vec<BlockId>>,
    /// Old blocks that are left out.
    left_out: Vec<BlockId>,
    /// The last block of the loop of each header.
    lasts: FxHashMap<BlockId, BlockId>,
    /// What is known of how often old loops are repeated, by their headers.
    repeats: FxHashMap<BlockId, Repeats>,
    /// How many instructions the new blocks have that have their places.
    size: usize,
}

impl Layout {
    pub(super) fn new(function: &Function) -> Layout {
        Layout {
            first_reg: function.regs.len() as u32,
            first_block: function.blocks.len() as u32,
            regs: Vec::new(),
            blocks: Vec::new(),
            owners: Vec::new(),
            before: FxHashMap::default(),
            left_out: Vec::new(),
            lasts: FxHashMap::default(),
            repeats: FxHashMap::default(),
            size: 0,
        }
    }

    /// A new register.
    pub(super) fn reg(&mut self, file: File, lanes: u8) -> Reg {
        self.like(RegData { file, lanes })
    }

    /// A new register of this kind.
    pub(super) fn like(&mut self, data: RegData) -> Reg {
        self.regs.push(data);
        Reg(self.first_reg + self.regs.len() as u32 - 1)
    }

    /// How many new registers and blocks there are: what was tried can be taken back.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.regs.len(), self.blocks.len())
    }

    /// Forgets what came after a mark.
    pub(super) fn take_back(&mut self, (regs, blocks): (usize, usize)) {
        self.regs.truncate(regs);
        self.blocks.truncate(blocks);
        self.owners.truncate(blocks);
    }

    /// A new block of the loop of a header.
    pub(super) fn block(&mut self, header: BlockId) -> BlockId {
        self.blocks.push(Block::default());
        self.owners.push(header);
        BlockId(self.first_block + self.blocks.len() as u32 - 1)
    }

    /// What is in a new block.
    pub(super) fn fill(&mut self, block: BlockId) -> &mut Block {
        &mut self.blocks[(block.0 - self.first_block) as usize]
    }

    /// Says how often a loop is repeated that stays as it is.
    pub(super) fn say(&mut self, header: BlockId, repeats: Repeats) {
        self.repeats.insert(header, repeats);
    }

    /// How many instructions new blocks have.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Puts blocks before a loop: who goes to the loop from elsewhere goes to the first of them. The old blocks of the loop
    /// stay or go.
    pub(super) fn place(&mut self, first: BlockId, last: BlockId, new: Vec<BlockId>, stays: bool) {
        let sizes = (new.iter()).map(|block| {
            self.blocks[(block.0 - self.first_block) as usize]
                .insts
                .len()
        });
        self.size += sizes.sum::<usize>();
        self.before.insert(first, new);
        self.lasts.insert(first, last);
        if !stays {
            self.left_out.extend((first.0..=last.0).map(BlockId));
        }
    }

    /// Puts everything in order.
    pub(super) fn finish(self, function: &mut Function) {
        for (header, repeats) in &self.repeats {
            function.blocks[header.index()].repeats = *repeats;
        }
        if self.before.is_empty() {
            return;
        }
        function.regs.extend(self.regs);
        let old = std::mem::take(&mut function.blocks);
        let old_count = old.len();
        let mut left_out = vec![false; old_count];
        for block in &self.left_out {
            left_out[block.index()] = true;
        }
        let mut all: Vec<Option<Block>> = old.into_iter().chain(self.blocks).map(Some).collect();
        let mut numbers = vec![BlockId(0); all.len()];
        let mut owners: Vec<Option<BlockId>> = vec![None; old_count];
        owners.extend(self.owners.iter().copied().map(Some));
        for (first, last) in &self.lasts {
            owners[first.index()..=last.index()].fill(Some(*first));
        }
        let mut order: Vec<usize> = Vec::with_capacity(all.len());
        for block in (0..old_count as u32).map(BlockId) {
            let new = self.before.get(&block);
            order.extend(new.into_iter().flatten().map(|one| one.index()));
            if !left_out[block.index()] {
                order.push(block.index());
            }
        }
        for (place, block) in (0u32..).zip(&order) {
            numbers[*block] = BlockId(place);
        }
        for index in order {
            let Some(mut block) = all[index].take() else {
                continue;
            };
            // What is left of a loop that was unrolled.
            block.keeps_rounds |= self.lasts.contains_key(&BlockId(index as u32));
            for inst in &mut block.insts {
                for operand in &mut inst.operands {
                    let Op::Block(to) = &mut operand.op else {
                        continue;
                    };
                    let new = self.before.get(to).and_then(|new| new.first());
                    if let Some(new) = new
                        && owners[index] != Some(*to)
                    {
                        *to = *new;
                    }
                    *to = numbers[to.index()];
                }
            }
            function.blocks.push(block);
        }
    }
}
