//! Which lanes of virtual registers hold values that are still read.
//!
//! Backwards over blocks: `in = reads ∪ (out − writes)`, lane by lane. A write under a guard does not end what was there
//! before: a lane may read in the next round of a loop what it has written in the last one. Only registers that are live
//! across the end of some block get a number: most live inside one block, and sets stay small.

use crate::ir::{BlockId, Function, Inst, Reg, lane_mask};

/// For each block a set of lanes that are live across blocks, one after the other.
struct Sets {
    words: Vec<u64>,
    /// How many words a set has.
    size: usize,
}

impl Sets {
    fn new(blocks: usize, lanes: usize) -> Sets {
        let size = lanes.div_ceil(64);
        Sets {
            words: vec![0; blocks * size],
            size,
        }
    }

    fn of(&self, block: usize) -> &[u64] {
        &self.words[block * self.size..][..self.size]
    }

    fn of_mut(&mut self, block: usize) -> &mut [u64] {
        &mut self.words[block * self.size..][..self.size]
    }

    fn has(&self, block: usize, lane: usize) -> bool {
        self.of(block)[lane / 64] >> (lane % 64) & 1 == 1
    }

    fn members(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        self.of(block).iter().enumerate().flat_map(|(i, word)| {
            let mut bits = *word;
            std::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    64 * i + bit
                })
            })
        })
    }
}

/// What is live at the ends of blocks.
pub struct Liveness {
    /// For each register the number of its first lane among those that live across blocks.
    numbers: Vec<Option<u32>>,
    /// For each such number its register and lane.
    lanes: Vec<(Reg, u8)>,
    outs: Sets,
    ins: Sets,
}

impl Liveness {
    /// Finds what is live.
    pub fn of(function: &Function) -> Liveness {
        let (numbers, lanes) = crossing(function);
        let size = lanes.len();
        let count = function.blocks.len();
        let mut outs = Sets::new(count, size);
        if size == 0 {
            return Liveness {
                numbers,
                lanes,
                outs,
                ins: Sets::new(count, size),
            };
        }
        let mut ins = Sets::new(count, size);
        let mut writes = Sets::new(count, size);
        for (index, block) in function.blocks.iter().enumerate() {
            let (reads, writes) = (ins.of_mut(index), writes.of_mut(index));
            for inst in block.insts.iter().rev() {
                if inst.guard.is_none() {
                    for lane in numbered(&numbers, inst.writes()) {
                        writes[lane / 64] |= 1 << (lane % 64);
                        reads[lane / 64] &= !(1 << (lane % 64));
                    }
                }
                for lane in numbered(&numbers, inst.reads()) {
                    reads[lane / 64] |= 1 << (lane % 64);
                }
            }
        }
        let predecessors = function.predecessors();
        let mut work: Vec<BlockId> = function.block_ids().collect();
        let mut waiting = vec![true; count];
        while let Some(block) = work.pop() {
            let index = block.index();
            waiting[index] = false;
            let out = outs.of_mut(index);
            for next in function.successors(block) {
                for (out, new) in out.iter_mut().zip(ins.of(next.index())) {
                    *out |= new;
                }
            }
            let mut changed = false;
            let own = ins.of_mut(index).iter_mut();
            for ((own, out), written) in own.zip(&*out).zip(writes.of(index)) {
                let live = out & !written;
                changed |= live & !*own != 0;
                *own |= live;
            }
            if changed {
                for before in &predecessors[index] {
                    if !waiting[before.index()] {
                        waiting[before.index()] = true;
                        work.push(*before);
                    }
                }
            }
        }
        Liveness {
            numbers,
            lanes,
            outs,
            ins,
        }
    }

    /// The lanes that are live at the end of a block.
    pub fn out(&self, block: BlockId) -> impl Iterator<Item = (Reg, u8)> + '_ {
        let members = self.outs.members(block.index());
        members.map(|number| self.lanes[number])
    }

    /// Whether a lane is live at the beginning of a block.
    pub fn is_live_in(&self, block: BlockId, reg: Reg, lane: u8) -> bool {
        let first = self.numbers[reg.0 as usize];
        first.is_some_and(|first| {
            let lane = first as usize + usize::from(lane);
            self.ins.has(block.index(), lane)
        })
    }

    /// Whether a lane is live at the end of a block.
    pub fn is_live_out(&self, block: BlockId, reg: Reg, lane: u8) -> bool {
        let first = self.numbers[reg.0 as usize];
        first.is_some_and(|first| {
            let lane = first as usize + usize::from(lane);
            self.outs.has(block.index(), lane)
        })
    }
}

fn numbered<'a>(
    numbers: &'a [Option<u32>],
    accesses: impl Iterator<Item = (Reg, u8, u8)> + 'a,
) -> impl Iterator<Item = usize> + 'a {
    // Most registers live in one block and have no number.
    accesses
        .filter_map(|(reg, lane, count)| {
            let first = numbers[reg.0 as usize]? as usize + usize::from(lane);
            Some(first..first + usize::from(count))
        })
        .flatten()
}

/// The registers that are read in some block before that block has written all that is read, with numbers for lanes.
fn crossing(function: &Function) -> (Vec<Option<u32>>, Vec<(Reg, u8)>) {
    let mut crosses = vec![false; function.regs.len()];
    // The lanes that the block has written so far, and the block.
    let mut written: Vec<(u32, u128)> = vec![(u32::MAX, 0); function.regs.len()];
    let note =
        |inst: &Inst, block: u32, written: &mut Vec<(u32, u128)>, crosses: &mut Vec<bool>| {
            for (reg, lane, count) in inst.reads() {
                let own = &written[reg.0 as usize];
                let lanes = lane_mask(lane, count);
                if own.0 != block || own.1 & lanes != lanes {
                    crosses[reg.0 as usize] = true;
                }
            }
            for (reg, lane, count) in inst.writes() {
                let own = &mut written[reg.0 as usize];
                if own.0 != block {
                    *own = (block, 0);
                }
                // What a guarded write leaves is from before.
                if inst.guard.is_none() {
                    own.1 |= lane_mask(lane, count);
                }
            }
        };
    for block in function.block_ids() {
        for inst in &function.blocks[block.index()].insts {
            note(inst, block.0, &mut written, &mut crosses);
        }
    }
    let mut numbers = vec![None; function.regs.len()];
    let mut lanes = Vec::new();
    for (index, crosses) in crosses.iter().enumerate() {
        if *crosses {
            numbers[index] = Some(lanes.len() as u32);
            let reg = Reg(index as u32);
            lanes.extend((0..function.data(reg).lanes).map(|lane| (reg, lane)));
        }
    }
    (numbers, lanes)
}
