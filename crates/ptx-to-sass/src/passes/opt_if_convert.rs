//! Short sides of a branch become instructions under a guard.
//!
//! ```text
//!       @p BRA .L2                 @!p LDG r1, [r2]
//!       LDG r1, [r2]        ─►     @!p STG [r3], r1
//!       STG [r3], r1
//!   .L2:
//! ```
//!
//! Both sides of a branch are taken if both are short. What an instruction computes without an effect for others of its
//! side alone needs no guard. Nothing is executed by lanes that would not have executed it but for that: loads and stores
//! keep their guard. Sides with branches, guards, or what lanes do together are left as they are.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_blocks::{is_plain_branch, opposite};
use super::opt_dce::{is_pure, names_registers};
use crate::ir::{BlockId, Function, Guard, Inst, Op, Reg};
use rustc_hash::FxHashMap;
use warpc_sass::shape::{Access, Space, Traits};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_if_convert",
    run,
};

/// The most instructions of a side.
const LONGEST: usize = 9;

fn run(function: &mut Function, _: &Limits) {
    let references = references(function);
    let blocks = blocks_of(function);
    for index in 0..function.blocks.len().saturating_sub(1) {
        let Some(last) = function.blocks[index].insts.last() else {
            continue;
        };
        let (Some(guard), Some(target)) = (last.guard, last.target()) else {
            continue;
        };
        if !is_plain_branch(last) {
            continue;
        }
        let (first, second) = (index + 1, index + 2);
        let skips = |side: usize| references[side] == 0;
        // One side: the branch goes around it.
        if target.index() == second && skips(first) {
            let Some(side) = side(function, &blocks, first, second, opposite(guard)) else {
                continue;
            };
            replace(function, index, &[first], vec![side]);
            continue;
        }
        // Two sides: the first goes around the second, which only the branch goes to.
        let meet = target.index() + 1;
        if target.index() == second
            || target.index() != first + 1
            || !skips(first)
            || references.get(target.index()) != Some(&1)
        {
            continue;
        }
        let sides = [
            side(function, &blocks, first, meet, opposite(guard)),
            side(function, &blocks, target.index(), meet, guard),
        ];
        if let [Some(one), Some(other)] = sides {
            replace(function, index, &[first, target.index()], vec![one, other]);
        }
    }
}

/// How many operands name each block.
fn references(function: &Function) -> Vec<u32> {
    let mut all = vec![0; function.blocks.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        for operand in &inst.operands {
            if let Op::Block(block) = operand.op {
                all[block.index()] += 1;
            }
        }
    }
    all
}

/// For each register the block that has all its uses; nothing for those of several blocks.
fn blocks_of(function: &Function) -> FxHashMap<Reg, Option<u32>> {
    let mut all: FxHashMap<Reg, Option<u32>> = FxHashMap::default();
    for (index, block) in (0u32..).zip(&function.blocks) {
        for inst in &block.insts {
            for (reg, ..) in inst.reads().chain(inst.writes()) {
                let known = all.entry(reg).or_insert(Some(index));
                if *known != Some(index) {
                    *known = None;
                }
            }
        }
    }
    all
}

/// The instructions of a side under a guard; nothing if it cannot have one. The side goes on to `meet`.
fn side(
    function: &Function,
    blocks: &FxHashMap<Reg, Option<u32>>,
    block: usize,
    meet: usize,
    guard: Guard,
) -> Option<Vec<Inst>> {
    let mut insts = &function.blocks[block].insts[..];
    let mut ends = false;
    if let Some((last, rest)) = insts.split_last() {
        if is_plain_branch(last) && last.guard.is_none() {
            if last.target() != Some(BlockId(meet as u32)) {
                return None;
            }
            insts = rest;
        } else if last.guard.is_none() && last.shape.name() == "EXIT" {
            ends = true;
        } else if block + 1 != meet {
            return None;
        }
    } else if block + 1 != meet {
        return None;
    }
    if insts.len() > LONGEST {
        return None;
    }
    let mut made = Vec::with_capacity(insts.len());
    // Registers that are read or written under another guard than this one are not alone.
    for (at, inst) in insts.iter().enumerate() {
        let is_end = ends && at + 1 == insts.len();
        if !is_end && !may_be_guarded(inst) || inst.guard.is_some() {
            return None;
        }
        if inst.writes().any(|one| one.0 == guard.reg) {
            return None;
        }
        let mut own = inst.clone();
        let is_local = |(reg, ..): (Reg, u8, u8)| blocks.get(&reg) == Some(&Some(block as u32));
        let speculates = is_pure(inst)
            && inst.shape.memory().space == Space::None
            && inst.writes().next().is_some()
            && inst.writes().all(is_local);
        if !speculates {
            own.guard = Some(guard);
        }
        made.push(own);
    }
    Some(made)
}

/// Whether an instruction does the same under a guard as after a branch.
fn may_be_guarded(inst: &Inst) -> bool {
    let traits = inst.shape.traits();
    let unfit = Traits::CONVERGENT
        | Traits::BRANCHES
        | Traits::TERMINATES
        | Traits::CALLS
        | Traits::EXITS
        | Traits::HAS_PLACE
        | Traits::READS_BARRIER
        | Traits::WRITES_BARRIER
        | Traits::BLOCK_BARRIER
        | Traits::WAITS_FOR_SCOREBOARDS
        | Traits::WAITS_FOR_GROUP
        | Traits::RAISES_GROUP
        | Traits::READS_PREDICATE_SET
        | Traits::WRITES_PREDICATE_SET;
    let memory = inst.shape.memory();
    let known = matches!(
        memory.space,
        Space::None
            | Space::Generic
            | Space::Global
            | Space::Shared
            | Space::Local
            | Space::Constant
    );
    let simple = is_pure(inst) || !memory.access.is_empty() && memory.space != Space::None;
    !traits.intersects(unfit)
        && known
        && simple
        && !memory.access.contains(Access::ORDER)
        && !inst.shape.has_uniform_guard()
        && !writes_uniform(inst)
        && (is_pure(inst) || !has_named_result(inst))
}

/// Whether a uniform register is written: that is for all lanes, whatever the guard of one is.
fn writes_uniform(inst: &Inst) -> bool {
    use warpc_sass::latency::File;
    let mut slots = inst.shape.slots().iter();
    slots.any(|slot| {
        slot.is_written() && matches!(slot.file, Some(File::Uniform | File::UniformPredicate))
    })
}

fn has_named_result(inst: &Inst) -> bool {
    super::opt_dce::writes_named(inst) && names_registers(inst)
}

/// Puts sides in place of a branch.
fn replace(function: &mut Function, index: usize, sides: &[usize], made: Vec<Vec<Inst>>) {
    function.blocks[index].insts.pop();
    for insts in made {
        function.blocks[index].insts.extend(insts);
    }
    for side in sides {
        function.blocks[*side].insts.clear();
    }
}
