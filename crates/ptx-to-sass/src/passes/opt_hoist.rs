//! What a loop computes in each round from what it does not change is computed once before it.
//!
//! ```text
//!   L:  MUFU.RCP r1, r0             MUFU.RCP r1, r0
//!       FMUL r2, r3, r1     ─►  L:  FMUL r2, r3, r1
//!       @p BRA L                    @p BRA L
//! ```
//!
//! An instruction without effects whose operands and results are values (`analysis/values.rs`) may be executed anywhere after
//! its operands: it moves out of as many loops as do not make its operands, to the end of the nearest block that dominates
//! the loop and is in the same loops otherwise. Loads do not move, but for words of the constant bank: others might fault
//! where the loop is not entered, or change. Copies and numbers stay: they cost less than a register for the whole loop.
//! How many lanes move out of a loop is limited by those that are live in it already.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::{is_pure, names_registers};
use crate::analysis::liveness::Liveness;
use crate::analysis::loops::Loops;
use crate::analysis::values::{Order, Values};
use crate::ir::{BlockId, File, Function, Inst, Reg};
use rustc_hash::FxHashMap;
use warpc_sass::shape::Space;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_hoist",
    run,
};

/// The most lanes that may be live in a loop after something moved out of it.
const LIVE: u32 = 40;
/// The most lanes that move out of a loop.
const LANES: u32 = 12;
/// How many dominators of a loop are tried.
const STEPS: usize = 8;

fn run(function: &mut Function, limits: &Limits) {
    // What lives across a call is kept by one of the two sides.
    if function.calls() {
        return;
    }
    let comes_back = |block: BlockId| {
        let last = function.blocks[block.index()].insts.last();
        last.and_then(Inst::target)
            .is_some_and(|target| target <= block)
    };
    if !function.block_ids().any(comes_back) {
        return;
    }
    let values = Values::of(function);
    let loops = Loops::of(function, values.order());
    if loops.all().is_empty() {
        return;
    }
    let mut hoist = Hoist {
        function,
        values: &values,
        loops: &loops,
        rooms: rooms(function, &loops, limits),
        homes: FxHashMap::default(),
        moved: FxHashMap::default(),
        carries: FxHashMap::default(),
    };
    for block in values.order().blocks() {
        // What is seldom executed is left there.
        if loops.innermost(*block).is_some() && !function.blocks[block.index()].is_cold {
            hoist.block(*block);
        }
    }
    let moved = hoist.moved;
    put(function, moved);
}

/// For each loop how many lanes may move out of it.
fn rooms(function: &Function, loops: &Loops, limits: &Limits) -> Vec<u32> {
    let liveness = Liveness::of(function);
    let most = LIVE.min(u32::from(limits.registers).saturating_sub(16));
    let is_plain = |reg: Reg| function.data(reg).file == File::Register;
    let rooms = loops.all().iter().map(|own| {
        let live = liveness.out(own.header).filter(|one| is_plain(one.0));
        most.saturating_sub(live.count() as u32).min(LANES)
    });
    rooms.collect()
}

/// An instruction by its block and number.
type At = (BlockId, u32);

struct Hoist<'a> {
    function: &'a Function,
    values: &'a Values,
    loops: &'a Loops,
    /// For each loop how many lanes may still move out of it.
    rooms: Vec<u32>,
    /// The blocks that the results of instructions that moved are in now.
    homes: FxHashMap<At, BlockId>,
    /// The instructions that move to the end of each block, in order.
    moved: FxHashMap<BlockId, Vec<At>>,
    /// Lower halves of sums whose carry is read by the upper half alone: they move with it.
    carries: FxHashMap<Reg, (At, usize)>,
}

impl Hoist<'_> {
    fn block(&mut self, block: BlockId) {
        let insts = &self.function.blocks[block.index()].insts;
        for (at, inst) in (0u32..).zip(insts) {
            if !self.may_move(inst) {
                continue;
            }
            let Some(out_of) = self.outermost(block, inst) else {
                continue;
            };
            let predicates: Vec<Reg> = (inst.writes().map(|one| one.0))
                .filter(|reg| self.function.data(*reg).file != File::Register)
                .collect();
            match predicates[..] {
                [] => {
                    self.move_out((block, at), inst, out_of);
                }
                // A carry: only a sum of 64 bits moves as a whole.
                [carry] if inst.shape.name() == "IADD3" && self.values.reads(carry, 0) == 1 => {
                    self.carries.insert(carry, ((block, at), out_of));
                }
                _ => {}
            }
        }
    }

    /// Whether an instruction does the same elsewhere.
    fn may_move(&self, inst: &Inst) -> bool {
        let memory = inst.shape.memory().space;
        let is_value = |(reg, lane, count): (Reg, u8, u8)| {
            matches!(
                self.function.data(reg).file,
                File::Register | File::Predicate
            ) && (lane..lane + count).all(|one| self.values.is_value(reg, one))
        };
        let reads = inst.reads().next().is_some();
        is_pure(inst)
            && inst.guard.is_none()
            && !names_registers(inst)
            && inst.shape.opcode() != "MOV"
            && (memory == Space::None || memory == Space::Constant && !reads)
            && inst.writes().next().is_some()
            && inst.writes().all(is_value)
            && inst.reads().all(is_value)
    }

    /// The outermost loop around a block that does not make the operands of an instruction.
    fn outermost(&self, block: BlockId, inst: &Inst) -> Option<usize> {
        let mut found = None;
        let mut next = self.loops.innermost(block);
        while let Some(own) = next {
            let outside = |(reg, lane, count): (Reg, u8, u8)| {
                (lane..lane + count).all(|one| {
                    let carry = self.carries.get(&reg);
                    let place = self.values.write(reg, one);
                    place.is_some_and(|place| match carry {
                        Some((_, out_of)) => self.is_around(*out_of, own),
                        None => !self.loops.contains(own, self.home(place.block, place.inst)),
                    })
                })
            };
            if !inst.reads().all(outside) {
                break;
            }
            found = Some(own);
            next = self.loops.all()[own].parent;
        }
        found
    }

    /// Whether a loop is another one or around it.
    fn is_around(&self, outer: usize, inner: usize) -> bool {
        let mut at = Some(inner);
        while let Some(one) = at {
            if one == outer {
                return true;
            }
            at = self.loops.all()[one].parent;
        }
        false
    }

    /// The block that an instruction is in after all moves so far.
    fn home(&self, block: BlockId, inst: u32) -> BlockId {
        self.homes.get(&(block, inst)).copied().unwrap_or(block)
    }

    /// Moves an instruction out of a loop, with the lower half of its sum.
    fn move_out(&mut self, at: At, inst: &Inst, out_of: usize) -> Option<()> {
        let mut carries = inst.reads().filter_map(|(reg, ..)| self.carries.get(&reg));
        let lower = carries.next().map(|(lower, _)| *lower);
        if carries.next().is_some() {
            return None;
        }
        let lower_inst =
            lower.map(|(block, inst)| &self.function.blocks[block.index()].insts[inst as usize]);
        let lanes = |inst: &Inst| -> u32 {
            let plain = inst.writes();
            let plain = plain.filter(|one| self.function.data(one.0).file == File::Register);
            plain.map(|one| u32::from(one.2)).sum()
        };
        let lanes = lanes(inst) + lower_inst.map_or(0, lanes);
        // All loops between it and its new place hold it.
        let mut left = self.loops.innermost(at.0);
        loop {
            let own = left?;
            if self.rooms[own] < lanes {
                return None;
            }
            if own == out_of {
                break;
            }
            left = self.loops.all()[own].parent;
        }
        let to = self.before(out_of)?;
        let order = self.values.order();
        let after_all = |inst: &Inst| {
            inst.reads().all(|(reg, lane, count)| {
                let is_lower = self.carries.contains_key(&reg);
                is_lower
                    || (lane..lane + count).all(|one| {
                        let place = self.values.write(reg, one);
                        let home = place.map(|place| self.home(place.block, place.inst));
                        home.is_some_and(|home| order.dominates(home, to))
                    })
            })
        };
        if !after_all(inst) || !lower_inst.is_none_or(after_all) {
            return None;
        }
        let mut left = self.loops.innermost(at.0);
        while let Some(own) = left {
            self.rooms[own] -= lanes;
            left = self.loops.all()[own].parent.filter(|_| own != out_of);
        }
        for one in lower.into_iter().chain([at]) {
            self.homes.insert(one, to);
            self.moved.entry(to).or_default().push(one);
        }
        Some(())
    }

    /// The nearest block before a loop that is in the same loops otherwise.
    fn before(&self, own: usize) -> Option<BlockId> {
        let own = &self.loops.all()[own];
        let order: &Order = self.values.order();
        let mut block = order.parent(own.header)?;
        for _ in 0..STEPS {
            if self.loops.innermost(block) == own.parent {
                return Some(block);
            }
            block = order.parent(block)?;
        }
        None
    }
}

/// Puts instructions where they moved to.
fn put(function: &mut Function, moved: FxHashMap<BlockId, Vec<At>>) {
    let mut gone: FxHashMap<BlockId, Vec<u32>> = FxHashMap::default();
    let mut added: Vec<(BlockId, Vec<Inst>)> = Vec::new();
    for (to, all) in moved {
        let insts = all.iter().map(|(block, inst)| {
            gone.entry(*block).or_default().push(*inst);
            function.blocks[block.index()].insts[*inst as usize].clone()
        });
        added.push((to, insts.collect()));
    }
    for (block, gone) in gone {
        let mut leaves = vec![false; function.blocks[block.index()].insts.len()];
        for inst in gone {
            leaves[inst as usize] = true;
        }
        let mut leaves = leaves.into_iter();
        let insts = &mut function.blocks[block.index()].insts;
        insts.retain(|_| !leaves.next().unwrap_or(false));
    }
    for (to, new) in added {
        let insts = &mut function.blocks[to.index()].insts;
        let ends = insts
            .last()
            .is_some_and(|last| last.is_branch() || last.ends());
        let at = insts.len() - usize::from(ends);
        insts.splice(at..at, new);
    }
}
