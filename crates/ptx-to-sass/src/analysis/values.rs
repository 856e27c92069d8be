//! Which lanes of virtual registers are *values*: written once, and read only where that write has been executed before.
//!
//! The IR is not in SSA form, but most registers of PTX are written once. A lane with one write, without a guard, that
//! dominates all reads behaves as in SSA: wherever it is read it has what the last execution of its write made, and
//! what that write read as values is the same still. Passes replace, merge and fold such lanes only; a lane that is
//! written twice, or under a guard, stays as it is.

use crate::analysis::dominators::Dominators;
use crate::ir::{BlockId, Function, Op, Reg};

/// Where an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its block.
    pub block: BlockId,
    /// Its number in the block.
    pub inst: u32,
}

/// How a lane is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    Never,
    Once(Place),
    Otherwise,
}

/// The values of a function. Passes that only remove instructions, or replace operands by values that dominate them, keep
/// it right but for places.
pub struct Values {
    lanes: Lanes,
    written: Vec<Written>,
    /// How often each lane is read.
    reads: Vec<u32>,
    order: Order,
}

/// Numbers for the lanes of all registers.
pub struct Lanes {
    /// For each register the number of its first lane.
    first: Vec<u32>,
    count: u32,
}

impl Lanes {
    /// The numbers of the lanes of a function's registers.
    pub fn of(function: &Function) -> Lanes {
        let mut first = Vec::with_capacity(function.regs.len());
        let mut count = 0;
        for reg in &function.regs {
            first.push(count);
            count += u32::from(reg.lanes);
        }
        Lanes { first, count }
    }

    /// The number of a lane.
    pub fn index(&self, reg: Reg, lane: u8) -> usize {
        self.first[reg.0 as usize] as usize + usize::from(lane)
    }

    /// The numbers of lanes of a register: so many from one on.
    pub fn lanes(&self, reg: Reg, lane: u8, count: u8) -> std::ops::Range<usize> {
        let first = self.index(reg, lane);
        first..first + usize::from(count)
    }

    /// How many lanes there are.
    pub fn count(&self) -> usize {
        self.count as usize
    }
}

/// The dominator tree with numbers, so that dominance is a comparison.
pub struct Order {
    /// When a walk over the tree comes to each block, and when it leaves it; blocks that are not reached have no time.
    times: Vec<Option<(u32, u32)>>,
    /// The blocks that are reached, parents before children.
    blocks: Vec<BlockId>,
    parents: Vec<Option<BlockId>>,
}

impl Order {
    /// The order of a function's blocks.
    pub fn of(function: &Function) -> Order {
        let dominators = Dominators::of(function);
        let count = function.blocks.len();
        // For each block the first one right below it, and the next one below the same, in the order of the code.
        let mut below: Vec<Option<BlockId>> = vec![None; count];
        let mut parents = vec![None; count];
        let mut beside: Vec<Option<BlockId>> = vec![None; count];
        for block in function.block_ids().rev() {
            if let Some(parent) = dominators.parent(block) {
                parents[block.index()] = Some(parent);
                beside[block.index()] = below[parent.index()].replace(block);
            }
        }
        let mut times = vec![None; count];
        let mut blocks = Vec::with_capacity(count);
        let mut time = 0;
        let mut next = (count > 0).then_some(BlockId(0));
        while let Some(block) = next {
            times[block.index()] = Some((time, time));
            blocks.push(block);
            next = below[block.index()];
            let mut left = block;
            while next.is_none() {
                if let Some(own) = &mut times[left.index()] {
                    own.1 = time;
                }
                next = beside[left.index()];
                match dominators.parent(left) {
                    Some(parent) if next.is_none() => left = parent,
                    _ => break,
                }
            }
            time += 1;
        }
        Order {
            times,
            blocks,
            parents,
        }
    }

    /// The nearest block that dominates a block.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.parents[block.index()]
    }

    /// Whether a block dominates another one, or is it.
    pub fn dominates(&self, block: BlockId, other: BlockId) -> bool {
        match (self.times[block.index()], self.times[other.index()]) {
            (Some(own), Some(other)) => own.0 <= other.0 && other.0 <= own.1,
            _ => false,
        }
    }

    /// Whether an instruction is executed before another one whenever that is.
    fn is_before(&self, one: Place, other: Place) -> bool {
        match one.block == other.block {
            true => one.inst < other.inst && self.times[one.block.index()].is_some(),
            false => self.dominates(one.block, other.block),
        }
    }

    /// The blocks that are reached, each after those that dominate it.
    pub fn blocks(&self) -> &[BlockId] {
        &self.blocks
    }
}

impl Values {
    /// Finds the values of a function.
    pub fn of(function: &Function) -> Values {
        let lanes = Lanes::of(function);
        let mut values = Values {
            written: vec![Written::Never; lanes.count()],
            reads: vec![0; lanes.count()],
            lanes,
            order: Order::of(function),
        };
        let Values {
            lanes,
            written,
            reads,
            order,
        } = &mut values;
        for block in function.block_ids() {
            for (at, inst) in (0u32..).zip(&function.blocks[block.index()].insts) {
                let is_guarded = inst.guard.is_some();
                let operands = &inst.operands[..];
                // Not by `Inst::writes`: this is asked for by many passes.
                for slot in inst.shape.written_slots() {
                    let operand = operands.get(usize::from(slot.slot));
                    let Some(Op::Reg(reg, lane)) = operand.map(|one| one.op) else {
                        continue;
                    };
                    let place = Place { block, inst: at };
                    for written in &mut written[lanes.lanes(reg, lane, slot.registers)] {
                        *written = match (*written, is_guarded) {
                            (Written::Never, false) => Written::Once(place),
                            _ => Written::Otherwise,
                        };
                    }
                }
            }
        }
        for block in function.block_ids() {
            let is_reached = order.times[block.index()].is_some();
            let mut read = |at: u32, lane: usize| {
                reads[lane] += 1;
                let written = &mut written[lane];
                if let Written::Once(by) = *written {
                    let is_before = match by.block == block {
                        true => by.inst < at && is_reached,
                        false => order.dominates(by.block, block),
                    };
                    if !is_before {
                        *written = Written::Otherwise;
                    }
                }
            };
            for (at, inst) in (0u32..).zip(&function.blocks[block.index()].insts) {
                if let Some(guard) = inst.guard {
                    read(at, lanes.index(guard.reg, 0));
                }
                let operands = &inst.operands[..];
                for slot in inst.shape.read_slots() {
                    let operand = operands.get(usize::from(slot.slot));
                    if let Some(Op::Reg(reg, lane)) = operand.map(|one| one.op) {
                        let first = lanes.index(reg, lane);
                        (first..first + usize::from(slot.registers)).for_each(|one| read(at, one));
                    }
                }
            }
        }
        values
    }

    /// The number of a lane.
    pub fn index(&self, reg: Reg, lane: u8) -> usize {
        self.lanes.index(reg, lane)
    }

    /// The numbers of lanes of a register: so many from one on.
    pub fn lanes(&self, reg: Reg, lane: u8, count: u8) -> std::ops::Range<usize> {
        self.lanes.lanes(reg, lane, count)
    }

    /// How many lanes there are.
    pub fn count(&self) -> usize {
        self.lanes.count()
    }

    /// The write of a lane, if it is a value.
    pub fn write(&self, reg: Reg, lane: u8) -> Option<Place> {
        match self.written[self.index(reg, lane)] {
            Written::Once(place) => Some(place),
            _ => None,
        }
    }

    /// Whether a lane is a value.
    pub fn is_value(&self, reg: Reg, lane: u8) -> bool {
        self.write(reg, lane).is_some()
    }

    /// How many operands read a lane.
    pub fn reads(&self, reg: Reg, lane: u8) -> u32 {
        self.reads[self.index(reg, lane)]
    }

    /// Whether an instruction is executed before another one whenever that is.
    pub fn is_before(&self, one: Place, other: Place) -> bool {
        self.order.is_before(one, other)
    }

    /// The order of blocks.
    pub fn order(&self) -> &Order {
        &self.order
    }
}
