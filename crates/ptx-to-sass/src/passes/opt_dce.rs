//! What nobody needs goes: instructions without an effect whose results are not read by one that is needed, and writes
//! that another write follows before anybody reads. Of instructions that stay, results that nobody reads go nowhere
//! (`unread`).

mod unread;

use super::Pass;
use super::assign_registers::Limits;
use crate::analysis::liveness::Liveness;
use crate::analysis::values::Lanes;
use crate::immediate::Immediates;
use crate::ir::{Function, Inst, Op, Reg};
use warpc_sass::Value;
use warpc_sass::shape::{Access, Space, Traits};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_dce",
    run,
};

/// Special registers that are the same whenever a thread reads them: those of its place in the grid.
const FIXED: &[&str] = &[
    "SR_TID.X",
    "SR_TID.Y",
    "SR_TID.Z",
    "SR_CTAID.X",
    "SR_CTAID.Y",
    "SR_CTAID.Z",
    "SR_LANEID",
    "SR_CgaCtaId",
    "SR_SWINHI",
    "SR_LEMASK",
    "SR_EQMASK",
    "SR_LTMASK",
    "SR_GEMASK",
    "SR_GTMASK",
];

/// Whether a special register is the same whenever a thread reads it.
fn is_fixed(inst: &Inst) -> bool {
    let special = inst.operands.iter().find_map(|operand| match operand.op {
        Op::Value(Value::Special(number)) => Some(number),
        _ => None,
    });
    special.is_some_and(|number| FIXED.contains(&&*warpc_sass::special::name(number)))
}

/// Whether an instruction does nothing but compute its results from its operands, the same each time.
pub(crate) fn is_pure(inst: &Inst) -> bool {
    let traits = inst.shape.traits();
    let special = traits.contains(Traits::READS_SPECIAL);
    traits.contains(Traits::COMPUTES) && (!special || is_fixed(inst))
}

/// Whether an instruction has registers of the machine, as calls have, or what is only known later.
pub(crate) fn names_registers(inst: &Inst) -> bool {
    inst.operands.iter().any(|operand| match operand.op {
        Op::Reg(..) => false,
        Op::Value(value) => match value {
            Value::Register(number) | Value::Uniform(number) => number != 255,
            Value::Predicate(number) | Value::UniformPredicate(number) => number != 7,
            _ => false,
        },
        _ => true,
    })
}

/// Whether an instruction is one of those that no thread could miss: pure ones, and loads that nobody else can see.
fn may_go(inst: &Inst) -> bool {
    if is_pure(inst) {
        return true;
    }
    let memory = inst.shape.memory();
    let is_load = memory.access == Access::READ
        && matches!(
            memory.space,
            Space::Global | Space::Local | Space::Constant | Space::Generic
        )
        && !inst.shape.has("STRONG")
        && !inst.shape.has("MMIO")
        && matches!(inst.shape.opcode(), "LD" | "LDG" | "LDL" | "LDC")
        || inst.shape.opcode() == "LDS" && inst.is_weak();
    // One that was written without a result fetches ahead.
    is_load && !writes_nowhere(inst)
}

/// So many instructions at most are made room for before they are known to be needed.
const MOST_WORK: usize = 1 << 16;

/// The number of no write.
const NONE: u32 = u32::MAX;

fn run(function: &mut Function, _: &Limits) {
    let values = Lanes::of(function);
    // For each lane the last write of it; each write has its block, its instruction and the write before it. Instructions have the
    // numbers of their places in the code.
    let mut last: Vec<u32> = vec![NONE; values.count()];
    let mut writes: Vec<(u32, u32, u32)> = Vec::with_capacity(values.count());
    let count = function.blocks.iter().map(|block| block.insts.len()).sum();
    let mut needed: Vec<bool> = vec![false; count];
    let mut starts: Vec<u32> = Vec::with_capacity(function.blocks.len());
    let mut work: Vec<(u32, u32)> = Vec::with_capacity(count.min(MOST_WORK));
    // Whether some lane is written more than once.
    let mut is_rewritten = false;
    let mut at = 0u32;
    for (block, insts) in (0u32..).zip(&function.blocks) {
        starts.push(at);
        for inst in &insts.insts {
            let mut has_result = false;
            inst.writes().for_each(|(reg, lane, count)| {
                has_result = true;
                for last in &mut last[values.lanes(reg, lane, count)] {
                    let number = writes.len() as u32;
                    let before = std::mem::replace(last, number);
                    is_rewritten |= before != NONE;
                    writes.push((block, at, before));
                }
            });
            if !has_result && !writes_nowhere(inst) || !may_go(inst) || writes_named(inst) {
                needed[at as usize] = true;
                work.push((block, at));
            }
            at += 1;
        }
    }
    // Where lanes are written once: those that are read in other blocks, or before they are written.
    let written = last.clone();
    let mut crosses = vec![false; values.count()];
    while let Some((block, at)) = work.pop() {
        let inst = (at - starts[block as usize]) as usize;
        let inst = &function.blocks[block as usize].insts[inst];
        inst.reads().for_each(|(reg, lane, count)| {
            for lane in values.lanes(reg, lane, count) {
                let by = writes.get(written[lane] as usize);
                crosses[lane] |= by.is_none_or(|by| by.0 != block || by.1 >= at);
                let last = &mut last[lane];
                let mut write = std::mem::replace(last, NONE);
                while let Some((block, at, before)) = writes.get(write as usize).copied() {
                    if !std::mem::replace(&mut needed[at as usize], true) {
                        work.push((block, at));
                    }
                    write = before;
                }
            }
        });
    }
    if needed.contains(&false) {
        let mut needed = &needed[..];
        for block in &mut function.blocks {
            let (own, rest) = needed.split_at(block.insts.len());
            needed = rest;
            keep(&mut block.insts, own);
        }
    }
    let is_plain = !is_rewritten && !has_unreached(function);
    drop_dead_writes(function, &values, is_plain.then_some(&crosses));
}

/// Keeps those of instructions that are needed.
fn keep(insts: &mut Vec<Inst>, needed: &[bool]) {
    if needed.contains(&false) {
        let mut needed = needed.iter();
        insts.retain(|_| needed.next().is_none_or(|needed| *needed));
    }
}

/// Whether there are blocks that control does not come to.
fn has_unreached(function: &Function) -> bool {
    let mut reached = vec![false; function.blocks.len()];
    let mut work = Vec::from_iter(function.block_ids().next());
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) {
            work.extend(function.successors(block));
        }
    }
    reached.contains(&false)
}

/// Of registers that are written more than once, some writes are never read. Where none is, `crosses` has the lanes that are
/// live after their blocks.
fn drop_dead_writes(function: &mut Function, values: &Lanes, crosses: Option<&[bool]>) {
    let liveness = crosses.is_none().then(|| Liveness::of(function));
    let mut immediates = Immediates::default();
    // For each lane the block in which it is live, as far as it was followed.
    let mut live: Vec<u32> = vec![u32::MAX; values.count()];
    let mut needed: Vec<bool> = Vec::new();
    for block in function.block_ids() {
        for (reg, lane) in liveness.iter().flat_map(|liveness| liveness.out(block)) {
            live[values.index(reg, lane)] = block.0;
        }
        let is_live = |live: &[u32], lane: usize| {
            live[lane] == block.0 || crosses.is_some_and(|crosses| crosses[lane])
        };
        let mut insts = std::mem::take(&mut function.blocks[block.index()].insts);
        needed.clear();
        needed.resize(insts.len(), true);
        for (inst, needed) in insts.iter_mut().zip(&mut needed).rev() {
            let mut results = inst.writes().peekable();
            let is_dead = results.peek().is_some()
                && results.all(|(reg, lane, count)| {
                    let mut lanes = values.lanes(reg, lane, count);
                    lanes.all(|lane| !is_live(&live, lane))
                })
                && may_go(inst)
                && !writes_named(inst);
            drop(results);
            if is_dead {
                *needed = false;
                continue;
            }
            let is_live = |reg: Reg, lane: u8| is_live(&live, values.index(reg, lane));
            unread::drop_results(function, inst, &mut immediates, is_live);
            if inst.guard.is_none() {
                inst.writes().for_each(|(reg, lane, count)| {
                    live[values.lanes(reg, lane, count)].fill(u32::MAX);
                });
            }
            inst.reads().for_each(|(reg, lane, count)| {
                live[values.lanes(reg, lane, count)].fill(block.0);
            });
        }
        keep(&mut insts, &needed);
        function.blocks[block.index()].insts = insts;
    }
}

/// Whether a register of the machine is written.
pub(crate) fn writes_named(inst: &Inst) -> bool {
    results(inst).any(|op| match op {
        Op::Reg(..) => false,
        Op::Value(value) => !matches!(
            value,
            Value::ZERO | Value::TRUE | Value::UNIFORM_ZERO | Value::UNIFORM_TRUE
        ),
        _ => true,
    })
}

/// Whether all results are thrown away.
fn writes_nowhere(inst: &Inst) -> bool {
    let mut results = results(inst).peekable();
    results.peek().is_some() && results.all(|op| matches!(op, Op::Value(Value::ZERO | Value::TRUE)))
}

/// What stands where results go.
fn results(inst: &Inst) -> impl Iterator<Item = Op> + '_ {
    let slots = inst.shape.results();
    slots.filter_map(|slot| inst.operands.get(slot).map(|one| one.op))
}
