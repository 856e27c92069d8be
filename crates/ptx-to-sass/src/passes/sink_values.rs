//! What is computed long before it is read is computed where it is read, if it takes a register and what it is made of does
//! not.
//!
//! ```text
//!   SHF.R.S32.HI %r2, RZ, 0x1f, %r1          …
//!   …  (a loop)                      ──►     …  (a loop, with one register more)
//!   LEA.HI.X …, %r1, …, %r2, …               SHF.R.S32.HI %r2, RZ, 0x1f, %r1
//!                                            LEA.HI.X …, %r1, …, %r2, …
//! ```
//!
//! A value is moved, not copied: all who read it stand in one block. That is not executed more often than the block of the
//! value, unless there is so much live that values would be spilled ([`CROWDED`]): then one goes into a loop, too.
//! What it is computed from must be values, too (`analysis/values.rs`), so that they are the same there, and fewer lanes of
//! them than it has itself may have to live longer for it. Where uniform registers hold values within a block only, who reads one stays. From the end of the code on, so that what a moved value is computed
//! from may follow it. Within a block values go past barriers (`sink_values/past_barriers.rs`).

mod past_barriers;

use super::Pass;
use super::assign_registers::Limits;
use super::{is_pure, names_registers};
use crate::analysis::liveness::Liveness;
use crate::analysis::uses::loops;
use crate::analysis::values::Values;
use crate::ir::{BlockId, File, Function, Inst, Op, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use warpc_sass::shape::Traits;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "sink_values",
    run,
};

/// Where more values than this are live, computing one in a loop costs less than its register. A guess: two warpgroups of a
/// block and their copies fit in a multiprocessor with as many.
const CROWDED: i32 = 160;

/// The blocks that read a register.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    None,
    One(u32),
    Many,
}

fn run(function: &mut Function, limits: &Limits) {
    past_barriers::run(function);
    if function.blocks.len() < 2 {
        return;
    }
    let values = Values::of(function);
    let liveness = Liveness::of(function);
    let loops = loops(function);
    let most = super::schedule_latency::most_live(function, &liveness);
    let is_crowded = most > CROWDED.min(i32::from(limits.registers) - 4);
    let mut readers = vec![Readers::None; function.regs.len()];
    let mut reads = vec![0u32; function.regs.len()];
    let mut writers = vec![0u32; function.regs.len()];
    for block in function.block_ids() {
        for inst in &function.blocks[block.index()].insts {
            for (reg, ..) in inst.reads() {
                reads[reg.0 as usize] += 1;
                let own = &mut readers[reg.0 as usize];
                *own = match *own {
                    Readers::None => Readers::One(block.0),
                    Readers::One(other) if other == block.0 => *own,
                    _ => Readers::Many,
                };
            }
            for (reg, ..) in inst.writes() {
                writers[reg.0 as usize] += 1;
            }
        }
    }
    // What lives on into a block because of what was moved there.
    let mut extended: FxHashSet<(Reg, u8, u32)> = FxHashSet::default();
    // The block that reads of a register were moved to, and how many.
    let mut follow: FxHashMap<Reg, (u32, u32)> = FxHashMap::default();
    let mut moved: Vec<Vec<Inst>> = vec![Vec::new(); function.blocks.len()];
    let keeps_uniform = super::opt_uniform::stays_near(function);
    for block in function.block_ids().rev() {
        let insts = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut stay = Vec::with_capacity(insts.len());
        for inst in insts.into_iter().rev() {
            let to = target(&inst, &readers, &writers, function)
                // What it is made of is looked at after it: blocks are gone through backwards.
                .filter(|to| *to > block.0 && is_movable(&inst, &values))
                .filter(|_| !keeps_uniform || !reads_uniform(function, &inst))
                .filter(|to| {
                    let is_around =
                        loops.is_around(loops.of(*to as usize), loops.of(block.index()));
                    is_around || is_crowded
                });
            let Some(to) = to else {
                stay.push(inst);
                continue;
            };
            let own: u32 = inst.writes().map(|one| u32::from(one.2)).sum();
            let mut longer: SmallVec<[(Reg, u8, u32); 8]> = SmallVec::new();
            for (reg, lane, lanes) in inst.reads() {
                for lane in lane..lane + lanes {
                    let one = (reg, lane, to);
                    let lives = liveness.is_live_in(BlockId(to), reg, lane);
                    if !lives && !extended.contains(&one) && !longer.contains(&one) {
                        longer.push(one);
                    }
                }
            }
            if longer.len() as u32 >= own {
                stay.push(inst);
                continue;
            }
            extended.extend(longer);
            for (reg, ..) in inst.reads() {
                let there = follow.entry(reg).or_insert((to, 0));
                there.1 += u32::from(there.0 == to);
            }
            for (reg, ..) in inst.reads() {
                // It is read there now. Who comes before may read it, too, and stay.
                let all = follow.get(&reg) == Some(&(to, reads[reg.0 as usize]));
                readers[reg.0 as usize] = match all {
                    true => Readers::One(to),
                    false => Readers::Many,
                };
            }
            moved[to as usize].push(inst);
        }
        stay.reverse();
        function.blocks[block.index()].insts = stay;
    }
    for (block, moved) in function.blocks.iter_mut().zip(moved) {
        put(block, moved);
    }
}

/// The one block where all results are read.
fn target(inst: &Inst, readers: &[Readers], writers: &[u32], function: &Function) -> Option<u32> {
    let mut to = None;
    for (reg, ..) in inst.writes() {
        let Readers::One(block) = readers[reg.0 as usize] else {
            return None;
        };
        let is_whole = writers[reg.0 as usize] == 1;
        if !is_whole
            || function.data(reg).file != File::Register
            || to.is_some_and(|to| to != block)
        {
            return None;
        }
        to = Some(block);
    }
    to
}

/// Whether an instruction reads what belongs to the warp.
fn reads_uniform(function: &Function, inst: &Inst) -> bool {
    let mut reads = inst.reads();
    reads.any(|(reg, ..)| {
        matches!(
            function.data(reg).file,
            File::Uniform | File::UniformPredicate
        )
    })
}

/// Whether an instruction gives the same anywhere after it.
fn is_movable(inst: &Inst, values: &Values) -> bool {
    let is_value = |(reg, lane, lanes): (Reg, u8, u8)| {
        (lane..lane + lanes).all(|lane| values.is_value(reg, lane))
    };
    inst.guard.is_none()
        && is_pure(inst)
        && !names_registers(inst)
        && !inst
            .shape
            .traits()
            .intersects(Traits::CONVERGENT | Traits::HAS_PLACE)
        && !matches!(
            inst.shape.opcode(),
            "S2R" | "CS2R" | "S2UR" | "LDC" | "ULDC"
        )
        && !inst
            .operands
            .iter()
            .any(|one| matches!(one.op, Op::Block(_)))
        && inst.reads().all(is_value)
        && inst.writes().all(is_value)
}

/// The number of the moved instruction that writes a lane.
type Waiting = rustc_hash::FxHashMap<(Reg, u8), usize>;

/// The lanes of registers.
fn lanes(registers: impl Iterator<Item = (Reg, u8, u8)>) -> impl Iterator<Item = (Reg, u8)> {
    registers.flat_map(|(reg, first, count)| (first..first + count).map(move |lane| (reg, lane)))
}

/// Puts instructions, the last ones first, each before the first that reads it.
fn put(block: &mut crate::ir::Block, moved: Vec<Inst>) {
    if moved.is_empty() {
        return;
    }
    // Each of them is read by those that were moved before it, or by instructions of the block. The lanes of a register may be
    // written by different ones.
    let mut waiting = Waiting::default();
    let mut moved: Vec<Option<Inst>> = moved.into_iter().map(Some).collect();
    for (number, inst) in moved.iter().enumerate() {
        for lane in lanes(inst.iter().flat_map(Inst::writes)) {
            waiting.insert(lane, number);
        }
    }
    let mut insts = Vec::with_capacity(block.insts.len() + moved.len());
    for inst in std::mem::take(&mut block.insts) {
        before(&inst, &waiting, &mut moved, &mut insts);
        insts.push(inst);
    }
    block.insts = insts;
}

/// Puts those that an instruction reads before it, and before them what they read.
fn before(inst: &Inst, waiting: &Waiting, moved: &mut [Option<Inst>], insts: &mut Vec<Inst>) {
    let mut needed: Vec<(usize, Inst)> = Vec::new();
    let take = |inst: &Inst, moved: &mut [Option<Inst>], needed: &mut Vec<(usize, Inst)>| {
        for lane in lanes(inst.reads()) {
            if let Some(number) = waiting.get(&lane)
                && let Some(one) = moved[*number].take()
            {
                needed.push((*number, one));
            }
        }
    };
    take(inst, moved, &mut needed);
    let mut at = 0;
    while let Some((_, one)) = needed.get(at) {
        let one = one.clone();
        take(&one, moved, &mut needed);
        at += 1;
    }
    // Those that were moved last stood first.
    needed.sort_unstable_by_key(|one| std::cmp::Reverse(one.0));
    insts.extend(needed.into_iter().map(|one| one.1));
}
