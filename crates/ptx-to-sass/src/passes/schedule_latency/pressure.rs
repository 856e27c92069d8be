//! How many values are live.

use super::touched::Touch;
use crate::analysis::guarded::Guarded;
use crate::analysis::liveness::Liveness;
use crate::ir::{BlockId, File, Function, Reg, lane_mask};

/// What is live.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Pressure {
    pub(super) registers: i32,
    pub(super) predicates: i32,
}

impl Pressure {
    /// So many lanes of a register more are live, or fewer.
    pub(super) fn add(&mut self, function: &Function, reg: Reg, lanes: i32) {
        match function.data(reg).file {
            File::Register => self.registers += lanes,
            File::Predicate => self.predicates += lanes,
            _ => {}
        }
    }

    /// The same by a lane of it.
    pub(super) fn touch(&mut self, touch: &Touch, lanes: i32) {
        self.registers += lanes * i32::from(touch.is_register);
        self.predicates += lanes * i32::from(touch.is_predicate);
    }

    /// All of it.
    pub(super) fn sum(self) -> i32 {
        self.registers + self.predicates
    }

    /// How much more there is than there may be.
    pub(super) fn over(self, limits: Pressure) -> i32 {
        (self.registers - limits.registers).max(0)
            + 4 * (self.predicates - limits.predicates).max(0)
    }
}

/// The lanes of each register that are live in a block.
pub(super) struct Live {
    /// For each register the block that touched it last, and its lanes there.
    lanes: Vec<(u32, u128)>,
    block: u32,
}

impl Live {
    pub(super) fn of(function: &Function) -> Live {
        Live {
            lanes: vec![(u32::MAX, 0); function.regs.len()],
            block: u32::MAX,
        }
    }

    fn lanes(&mut self, reg: Reg) -> &mut u128 {
        let own = &mut self.lanes[reg.0 as usize];
        if own.0 != self.block {
            *own = (self.block, 0);
        }
        &mut own.1
    }
}

/// What is live before each instruction of a block, and at its end.
pub(super) fn pressure(
    function: &Function,
    liveness: &Liveness,
    block: BlockId,
    live: &mut Live,
) -> Vec<Pressure> {
    let insts = &function.blocks[block.index()].insts;
    live.block = block.0;
    let mut now = Pressure::default();
    for (reg, lane) in liveness.out(block) {
        let lanes = live.lanes(reg);
        let new = lane_mask(lane, 1) & !*lanes;
        now.add(function, reg, new.count_ones() as i32);
        *lanes |= new;
    }
    let mut all = Vec::with_capacity(insts.len() + 1);
    all.push(now);
    let mut guarded = Guarded::default();
    for inst in insts.iter().rev() {
        guarded.before(inst);
        for (reg, lane, width) in inst.writes() {
            for lane in lane..lane + width {
                let lanes = live.lanes(reg);
                let own = *lanes & lane_mask(lane, 1);
                if own != 0 && guarded.write(function, reg, lane, inst.guard) {
                    *lanes &= !own;
                    now.add(function, reg, -1);
                }
            }
        }
        for (reg, lane, width) in inst.reads() {
            for lane in lane..lane + width {
                let lanes = live.lanes(reg);
                let is_live = *lanes & lane_mask(lane, 1) != 0;
                guarded.read(function, (reg, lane), inst.guard, is_live);
                *lanes |= lane_mask(lane, 1);
                now.add(function, reg, i32::from(!is_live));
            }
        }
        all.push(now);
    }
    all.reverse();
    all
}

/// The most registers that are live anywhere.
pub(in crate::passes) fn most_live(function: &Function, liveness: &Liveness) -> i32 {
    let all = live_by_block(function, liveness);
    all.into_iter().max().unwrap_or(0)
}

/// The most registers that are live in each block.
pub(in crate::passes) fn live_by_block(function: &Function, liveness: &Liveness) -> Vec<i32> {
    let mut live = Live::of(function);
    let each = function.block_ids().map(|block| {
        let own = pressure(function, liveness, block, &mut live);
        let registers = own.into_iter().map(|one| one.registers);
        registers.max().unwrap_or(0)
    });
    each.collect()
}
