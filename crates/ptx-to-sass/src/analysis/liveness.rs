//! Which lanes of virtual registers hold values that are still read.
//!
//! Backwards over blocks: `in = reads ∪ (out − writes)`, lane by lane. A write under a guard does not end what was there
//! before: a lane may read in the next round of a loop what it has written in the last one. Only registers that are live
//! across the end of some block get a number: most live inside one block, and sets stay small.

use crate::ir::{BlockId, Function, Inst, Reg, lane_mask};

/// A set of lanes that are live across blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Set(Vec<u64>);

impl Set {
    fn new(size: usize) -> Set {
        Set(vec![0; size.div_ceil(64)])
    }

    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// Adds another set; whether that changed anything.
    fn add(&mut self, other: &Set) -> bool {
        let mut changed = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }

    fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
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
    outs: Vec<Set>,
    ins: Vec<Set>,
}

impl Liveness {
    /// Finds what is live.
    pub fn of(function: &Function) -> Liveness {
        let (numbers, lanes) = crossing(function);
        let size = lanes.len();
        let count = function.blocks.len();
        let mut reads = vec![Set::new(size); count];
        let mut writes = vec![Set::new(size); count];
        for (index, block) in function.blocks.iter().enumerate() {
            for inst in block.insts.iter().rev() {
                if inst.guard.is_none() {
                    for lane in numbered(&numbers, inst.writes()) {
                        writes[index].insert(lane);
                        reads[index].remove(lane);
                    }
                }
                for lane in numbered(&numbers, inst.reads()) {
                    reads[index].insert(lane);
                }
            }
        }
        let mut ins = reads;
        let mut outs = vec![Set::new(size); count];
        let predecessors = function.predecessors();
        let mut work: Vec<BlockId> = function.block_ids().collect();
        let mut waiting = vec![true; count];
        while let Some(block) = work.pop() {
            let index = block.index();
            waiting[index] = false;
            for next in function.successors(block) {
                outs[index].add(&ins[next.index()]);
            }
            let mut live = outs[index].clone();
            for (live, written) in live.0.iter_mut().zip(&writes[index].0) {
                *live &= !written;
            }
            if ins[index].add(&live) {
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
        let members = self.outs[block.index()].members();
        members.map(|number| self.lanes[number])
    }

    /// Whether a lane is live at the beginning of a block.
    pub fn is_live_in(&self, block: BlockId, reg: Reg, lane: u8) -> bool {
        self.numbers[reg.0 as usize]
            .is_some_and(|first| self.ins[block.index()].has(first as usize + usize::from(lane)))
    }

    /// Whether a lane is live at the end of a block.
    pub fn is_live_out(&self, block: BlockId, reg: Reg, lane: u8) -> bool {
        self.numbers[reg.0 as usize]
            .is_some_and(|first| self.outs[block.index()].has(first as usize + usize::from(lane)))
    }
}

fn numbered<'a>(
    numbers: &'a [Option<u32>],
    accesses: impl Iterator<Item = (Reg, u8, u8)> + 'a,
) -> impl Iterator<Item = usize> + 'a {
    accesses.flat_map(|(reg, lane, count)| {
        let first = numbers[reg.0 as usize];
        (0..count).filter_map(move |one| Some(first? as usize + usize::from(lane + one)))
    })
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
