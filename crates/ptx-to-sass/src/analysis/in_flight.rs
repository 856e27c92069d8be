//! Products of a warpgroup that may still be under way, and the registers that they read and write.
//!
//! Forwards over blocks. A product is under way from where it is issued to a wait that leaves fewer groups than have
//! ended since. Where ways meet, it is so if it is on one of them.

use super::segments::Segment;
use crate::build::group::is_product;
use crate::ir::{BlockId, Function, Inst, Op, Reg};
use rustc_hash::FxHashMap;
use warpc_sass::Value;
use warpc_sass::shape::Traits;
use warpc_sass::template::Kind;

/// Registers that a product uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Used {
    /// The virtual register, the first lane, and how many there are.
    pub reg: Reg,
    /// The first of its lanes.
    pub lane: u8,
    /// How many there are.
    pub lanes: u8,
    /// Whether it is the accumulator.
    pub written: bool,
}

impl Used {
    fn meets(&self, (reg, lane, lanes): (Reg, u8, u8)) -> bool {
        self.reg == reg && lane < self.lane + self.lanes && self.lane < lane + lanes
    }
}

/// The registers of products under way, each with how many groups have ended since, its own included: 0 while its group
/// is open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State(FxHashMap<Used, u8>);

/// More groups than a wait can count.
const MANY: u8 = 9;

impl State {
    /// Whether nothing is under way.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds another state; whether that changed anything.
    fn add(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (used, ended) in &other.0 {
            let own = self.0.entry(*used).or_insert_with(|| {
                changed = true;
                *ended
            });
            if *ended < *own {
                *own = *ended;
                changed = true;
            }
        }
        changed
    }

    /// What is under way after an instruction.
    pub fn step(&mut self, inst: &Inst) {
        if is_product(inst) {
            for used in used(inst) {
                self.0.insert(used, 0);
            }
        }
        if inst.shape.traits().contains(Traits::RAISES_GROUP) {
            self.end_group();
        }
        if inst.shape.traits().contains(Traits::WAITS_FOR_GROUP) {
            let left = inst.operands.iter().find_map(|one| match one.op {
                Op::Value(Value::Number(left)) => u8::try_from(left).ok(),
                _ => None,
            });
            self.wait(left.unwrap_or(0));
        }
    }

    /// A group ends.
    pub fn end_group(&mut self) {
        for ended in self.0.values_mut() {
            *ended = (*ended + 1).min(MANY);
        }
    }

    /// A wait leaves so many groups.
    pub fn wait(&mut self, left: u8) {
        self.0.retain(|_, ended| *ended <= left);
    }

    /// How many groups have ended since the products that an instruction must wait for; nothing if it need not.
    pub fn conflict(&self, inst: &Inst) -> Option<u8> {
        if self.is_empty() {
            return None;
        }
        let calls = inst.shape.traits().contains(Traits::CALLS);
        let own = is_product(inst);
        // A product may add to what another one of the same accumulator writes: they are done in order.
        let is_same = |used: &Used| {
            own && used.written
                && written(inst).is_some_and(|one| one == (used.reg, used.lane, used.lanes))
        };
        let reads = |used: &Used| inst.reads().any(|one| used.meets(one));
        let writes = |used: &Used| inst.writes().any(|one| used.meets(one));
        let met = self.0.iter().filter(|(used, _)| {
            calls || !is_same(used) && (writes(used) || used.written && reads(used))
        });
        met.map(|(_, ended)| *ended).min()
    }
}

fn written(inst: &Inst) -> Option<(Reg, u8, u8)> {
    inst.writes().next()
}

/// The registers that a product uses after it is issued. Uniform registers and predicates are read when it is.
fn used(inst: &Inst) -> impl Iterator<Item = Used> + '_ {
    let own = written(inst);
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    slots.filter_map(move |(slot, operand)| match operand.op {
        Op::Reg(reg, lane) if slot.kind() == Kind::Register => {
            let lanes = slot.width.registers(u128::MAX).max(1);
            let used = Used {
                reg,
                lane,
                lanes,
                written: slot.is_written(),
            };
            (used.written || own != Some((reg, lane, lanes))).then_some(used)
        }
        _ => None,
    })
}

/// What is under way at the beginning of each block.
pub struct InFlight {
    at: Vec<State>,
}

impl InFlight {
    /// Finds it; nothing if there are no products of a warpgroup.
    pub fn of(function: &Function) -> Option<InFlight> {
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        if !insts.any(is_product) {
            return None;
        }
        let mut at = vec![State::default(); function.blocks.len()];
        let mut work: Vec<BlockId> = function.block_ids().rev().collect();
        while let Some(block) = work.pop() {
            let mut state = at[block.index()].clone();
            for inst in &function.blocks[block.index()].insts {
                state.step(inst);
            }
            for next in function.successors(block) {
                if at[next.index()].add(&state) && !work.contains(&next) {
                    work.push(next);
                }
            }
        }
        Some(InFlight { at })
    }

    /// What is under way at the beginning of a block.
    pub fn at(&self, block: BlockId) -> &State {
        &self.at[block.index()]
    }

    /// Gives the segments in which registers are used by products under way: register, first lane, lanes, segment.
    pub fn each_segment(&self, function: &Function, mut see: impl FnMut(Reg, u8, u8, Segment)) {
        let mut at = 0;
        for block in function.block_ids() {
            let mut state = self.at(block).clone();
            let mut since: FxHashMap<Used, u32> = state.0.keys().map(|used| (*used, at)).collect();
            for inst in &function.blocks[block.index()].insts {
                state.step(inst);
                for used in state.0.keys() {
                    since.entry(*used).or_insert(at + 1);
                }
                since.retain(|used, since| {
                    let stays = state.0.contains_key(used);
                    if !stays {
                        see(used.reg, used.lane, used.lanes, (*since, at + 1));
                    }
                    stays
                });
                at += 2;
            }
            for (used, since) in since {
                see(used.reg, used.lane, used.lanes, (since, at));
            }
        }
    }
}
