//! What was computed before is not computed again: special registers, parameters, addresses.
//!
//! An instruction without effects whose operands are values is the same as an earlier one with the same shape and
//! operands that dominates it; so is a load of what nobody writes (`ld.global.nc`). Who reads its results reads those of the earlier one; the instruction itself goes with
//! `opt_dce`, unless somebody reads it that cannot read the other.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_copies::{Known, Same};
use super::opt_dce::{is_pure, names_registers};
use crate::analysis::values::{Place, Values};
use crate::build::DESCRIPTOR;
use crate::immediate::{Immediates, factors};
use crate::ir::{File, Function, Inst, Op};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use warpc_sass::Value;
use warpc_sass::shape::Slot;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_gvn",
    run,
};

/// So many earlier instructions with the same operands are remembered: one that does not dominate may be followed by one
/// that does.
const REMEMBERED: usize = 4;

fn run(function: &mut Function, _: &Limits) {
    let values = Values::of(function);
    let mut same = Same::new(&values);
    let mut immediates = Immediates::default();
    // Places of instructions by what they do. What was looked at stays as it is.
    let mut leaders: FxHashMap<u64, SmallVec<[Place; 2]>> = FxHashMap::default();
    for block in values.order().blocks() {
        let mut insts = std::mem::take(&mut function.blocks[block.index()].insts);
        for at in 0..insts.len() {
            let (done, rest) = insts.split_at_mut(at);
            let Some(inst) = rest.first_mut() else { break };
            same.rewrite(function, &values, inst, &mut immediates);
            same.follow(function, &values, inst);
            if inst.shape.opcode() == "MOV" {
                continue;
            }
            if !is_candidate(function, &values, inst) {
                continue;
            }
            put_in_order(inst);
            let numbers = Numbers {
                same: &same,
                values: &values,
            };
            let place = Place {
                block: *block,
                inst: at as u32,
            };
            let known = leaders.entry(numbers.hash(inst)).or_default();
            let at_place = |place: Place| match place.block == *block {
                true => &done[place.inst as usize],
                false => &function.blocks[place.block.index()].insts[place.inst as usize],
            };
            let leader = known.iter().copied().find(|before| {
                numbers.is_same(at_place(*before), inst) && values.is_before(*before, place)
            });
            match leader {
                Some(leader) => replace(&values, &mut same, at_place(leader), inst),
                None if known.len() < REMEMBERED => known.push(place),
                None => known[0] = place,
            }
        }
        same.leave_block();
        function.blocks[block.index()].insts = insts;
    }
}

/// Whether an instruction can be compared: all that it reads and writes are values.
fn is_candidate(function: &Function, values: &Values, inst: &Inst) -> bool {
    let is_one = is_pure(inst) && !names_registers(inst) || loads_constant(inst);
    if inst.guard.is_some() || !is_one {
        return false;
    }
    let is_value = |(reg, lane, count): (_, u8, u8)| {
        matches!(function.data(reg).file, File::Register | File::Predicate)
            && (lane..lane + count).all(|one| values.is_value(reg, one))
    };
    inst.writes().next().is_some() && inst.writes().all(is_value) && inst.reads().all(is_value)
}

/// Whether an instruction loads what nobody writes, which is the same whenever it is loaded.
fn loads_constant(inst: &Inst) -> bool {
    let is_named = |op: Op| match op {
        // The descriptor of global memory is the same everywhere.
        Op::Value(Value::Uniform(number)) => ![DESCRIPTOR, 255].contains(&number),
        Op::Value(Value::Register(number)) => number != 255,
        Op::Value(Value::Predicate(number)) => number != 7,
        _ => false,
    };
    inst.shape.opcode() == "LDG"
        && inst.shape.has("CONSTANT")
        && inst.is_weak()
        && !inst.operands.iter().any(|operand| is_named(operand.op))
}

/// Sources that can change places stand in one order.
fn put_in_order(inst: &mut Inst) {
    if let Some((first, second)) = factors(inst)
        && let (Op::Reg(one, one_lane), Op::Reg(other, other_lane)) =
            (inst.operands[first].op, inst.operands[second].op)
        && (other, other_lane) < (one, one_lane)
        && inst.operands[first].marks == inst.operands[second].marks
        && is_integer(inst)
    {
        inst.operands.swap(first, second);
    }
}

/// Whether an operation is of integers: of several floats that are no numbers, which one comes out depends on the places.
fn is_integer(inst: &Inst) -> bool {
    matches!(inst.shape.opcode(), "IADD3" | "IMAD" | "IMNMX" | "VIMNMX")
}

/// What is known of registers while instructions are compared: several hold the same number.
struct Numbers<'a> {
    same: &'a Same,
    values: &'a Values,
}

impl Numbers<'_> {
    /// What an instruction reads: a number in place of a register that holds it.
    fn read(&self, slot: &Slot, op: Op) -> Op {
        match op {
            Op::Reg(reg, lane) if slot.width.registers(u128::MAX) <= 1 => {
                match self.same.get(self.values, reg, lane) {
                    Known::Number(number) => Op::Value(Value::Number(number.into())),
                    _ => op,
                }
            }
            op => op,
        }
    }

    fn hash(&self, inst: &Inst) -> u64 {
        let mut hasher = FxHasher::default();
        std::ptr::from_ref(inst.shape).addr().hash(&mut hasher);
        for (slot, operand) in inst.shape.slots().iter().zip(&inst.operands) {
            if slot.is_written() {
                continue;
            }
            operand.marks.hash(&mut hasher);
            match self.read(slot, operand.op) {
                Op::Reg(reg, lane) => (reg, lane).hash(&mut hasher),
                Op::Value(value) => value.hash(&mut hasher),
                // Not among candidates.
                _ => {}
            }
        }
        hasher.finish()
    }

    /// Whether two instructions do the same to the same operands.
    fn is_same(&self, one: &Inst, other: &Inst) -> bool {
        one.shape == other.shape
            && (one.shape.slots().iter())
                .zip(one.operands.iter().zip(&other.operands))
                .all(|(slot, (one, other))| match slot.is_written() {
                    // A result that the first throws away is none for the second.
                    true => {
                        let is_thrown = |op| matches!(op, Op::Value(Value::ZERO | Value::TRUE));
                        !is_thrown(one.op) || is_thrown(other.op)
                    }
                    false => {
                        one == other
                            || one.marks == other.marks
                                && self.read(slot, one.op) == self.read(slot, other.op)
                    }
                })
    }
}

/// Notes that the results of an instruction are those of another one.
fn replace(values: &Values, same: &mut Same, leader: &Inst, inst: &Inst) {
    for (slot, (leader, own)) in
        (inst.shape.slots().iter()).zip(leader.operands.iter().zip(&inst.operands))
    {
        if !slot.is_written() {
            continue;
        }
        if let (Op::Reg(from, from_lane), Op::Reg(reg, lane)) = (leader.op, own.op) {
            for one in 0..slot.width.registers(u128::MAX).max(1) {
                same.set(values, reg, lane + one, Known::Lane(from, from_lane + one));
            }
        }
    }
}
