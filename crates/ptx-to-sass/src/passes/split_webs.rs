//! A register that a block writes as a whole several times becomes several registers.
//!
//! ```text
//!   IADD3 r1, r2, 0x1          IADD3 r9, r2, 0x1
//!   STG [r4], r1        ─►     STG [r4], r9
//!   IADD3 r1, r2, 0x2          IADD3 r1, r2, 0x2
//! ```
//!
//! What is read between two such writes was written by the first of them: nobody else needs it in this register. The last
//! one of a block stays where it was, for who comes after the block. The new registers are values
//! (`analysis/values.rs`), and do not tie the order of instructions. Moves of a register to itself go first: they are
//! writes, too.

use super::Pass;
use super::assign_registers::Limits;
use crate::ir::{File, Function, Inst, Op, Reg, lane_mask};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::shape::Traits;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "split_webs",
    run,
};

/// Instructions that follow each other and together write all lanes of a register: the first and the last.
type Whole = (u32, u32);

fn run(function: &mut Function, _: &Limits) {
    function.drop_moves_to_themselves();
    let tied = tied(function);
    if tied.iter().all(|tied| *tied) {
        return;
    }
    for index in 0..function.blocks.len() {
        let mut insts = std::mem::take(&mut function.blocks[index].insts);
        split(function, &tied, &mut insts);
        function.blocks[index].insts = insts;
    }
}

/// Registers that stay one: those that an instruction changes in place, or whose instructions go on when others are executed,
/// and those that are written once.
fn tied(function: &Function) -> Vec<bool> {
    let mut tied = vec![false; function.regs.len()];
    let mut writes = vec![0u8; function.regs.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        for (reg, ..) in inst.writes() {
            let own = &mut writes[reg.0 as usize];
            *own = own.saturating_add(1);
        }
        let goes_on = inst.shape.traits().contains(Traits::RAISES_GROUP);
        for (slot, operand) in inst.shape.accesses().iter().zip(&inst.operands) {
            if let Op::Reg(reg, _) = operand.op
                && (goes_on || slot.is_written && slot.is_read)
            {
                tied[reg.0 as usize] = true;
            }
        }
    }
    for (tied, writes) in tied.iter_mut().zip(writes) {
        *tied |= writes < 2;
    }
    tied
}

/// A write of all lanes that may not be complete.
struct Open {
    first: u32,
    last: u32,
    lanes: u128,
}

/// Finds for each register where a block writes all of it.
fn wholes(function: &Function, tied: &[bool], insts: &[Inst]) -> FxHashMap<Reg, Vec<Whole>> {
    let mut open: FxHashMap<Reg, Open> = FxHashMap::default();
    let mut all: FxHashMap<Reg, Vec<Whole>> = FxHashMap::default();
    for (at, inst) in (0u32..).zip(insts) {
        for (reg, lane, count) in inst.writes() {
            let data = function.data(reg);
            let is_known = matches!(data.file, File::Register | File::Predicate);
            if !is_known || tied[reg.0 as usize] {
                continue;
            }
            let lanes = lane_mask(lane, count);
            let known = open.entry(reg).or_insert(Open {
                first: at,
                last: at,
                lanes: 0,
            });
            // One after the other, each lane once; no lane that was written is read on the way.
            let is_read = inst.reads().any(|(read, first, count)| {
                read == reg && known.lanes & lane_mask(first, count) != 0
            });
            if inst.guard.is_some() {
                // It adds to what is there, and is no part of what is written next.
                *known = Open {
                    first: at + 1,
                    last: at,
                    lanes: 0,
                };
                continue;
            }
            if known.last + 1 < at || known.lanes & lanes != 0 || is_read {
                *known = Open {
                    first: at,
                    last: at,
                    lanes: 0,
                };
            }
            known.last = at;
            known.lanes |= lanes;
            if known.lanes == lane_mask(0, data.lanes) {
                all.entry(reg).or_default().push((known.first, known.last));
                *known = Open {
                    first: at + 1,
                    last: at,
                    lanes: 0,
                };
            }
        }
    }
    all.retain(|_, wholes| wholes.len() > 1);
    all
}

fn split(function: &mut Function, tied: &[bool], insts: &mut [Inst]) {
    let wholes = wholes(function, tied, insts);
    if wholes.is_empty() {
        return;
    }
    // For each register how many of its writes were begun and completed, and the names since then.
    let mut names: FxHashMap<Reg, (usize, Reg, Reg)> = FxHashMap::default();
    for (at, inst) in (0u32..).zip(insts) {
        let known: SmallVec<[Reg; 4]> = inst.writes().map(|one| one.0).collect();
        for reg in known.iter().copied() {
            let Some(own) = wholes.get(&reg) else {
                continue;
            };
            let state = names.entry(reg).or_insert((0, reg, reg));
            if own.get(state.0).is_some_and(|whole| whole.0 == at) {
                state.0 += 1;
                // The last one stays.
                state.2 = match state.0 == own.len() {
                    true => reg,
                    false => {
                        let data = function.data(reg);
                        function.reg(data.file, data.lanes)
                    }
                };
            }
        }
        if let Some(guard) = &mut inst.guard
            && let Some((_, old, _)) = names.get(&guard.reg)
        {
            guard.reg = *old;
        }
        let shape = inst.shape;
        for (slot, operand) in shape.slots().iter().zip(&mut inst.operands) {
            if let Op::Reg(reg, lane) = operand.op
                && let Some((_, old, new)) = names.get(&reg)
            {
                let name = if slot.is_written() { new } else { old };
                operand.op = Op::Reg(*name, lane);
            }
        }
        // What is complete is read under its new name from here on.
        for reg in known {
            if let (Some((count, old, new)), Some(own)) = (names.get_mut(&reg), wholes.get(&reg))
                && own[..*count].last().is_some_and(|whole| whole.1 == at)
            {
                *old = *new;
            }
        }
    }
}
