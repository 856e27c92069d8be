//! Short sides of a branch become instructions under a guard.
//!
//! ```text
//!       @p BRA .L2                 @!p LDG r1, [r2]
//!       LDG r1, [r2]        ─►     @!p STG [r3], r1
//!       STG [r3], r1
//!   .L2:
//! ```
//!
//! | shape | becomes |
//! |---|---|
//! | one side, to where the branch goes or to the end of the thread | the side under the guard |
//! | two sides that meet | both, the one without memory first |
//! | a side that ends in a branch to where the first one goes: `a && b` | the side, and one branch on either |
//! | a side that ends in a branch, and the first one goes around that: `a \|\| b` | the side, and one branch on both |
//!
//! The last branch comes first, so that a side that had branches may be one without when its turn comes; what has a
//! guard then gets the conjunction of both. What an instruction computes without an effect for others of its side alone needs
//! no guard, unless the side reads what it computed the last time. Nothing is executed by lanes that would not have
//! executed it but for that: loads and stores keep their guard. Sides with what lanes do together stay as they are.
//!
//! A branch at which lanes part costs a convergence barrier, the latency of the branch, and the freedom to order instructions
//! across it; a guard costs what the instruction takes to issue where no lane needs it. So the length of sides is limited
//! by that.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_blocks::{is_plain_branch, opposite};
use super::opt_dce::{is_pure, names_registers};
use crate::ir::{BlockId, File, Function, Guard, Inst, Op, Reg};
use crate::pattern;
use crate::version::Sides;
use smallvec::SmallVec;
use std::ops::Range;
use warpc_diag::Span;
use warpc_sass::shape::{Access, Space, Traits};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_if_convert",
    run,
};

/// The most blocks of a side: those that were sides before are empty.
const MOST_BLOCKS: usize = 24;

/// The most conjunctions of guards that a side may need: there are seven predicates.
const MOST_CONJUNCTIONS: usize = 3;

fn run(function: &mut Function, limits: &Limits) {
    let mut known = Known {
        sides: limits.version.sides,
        named: references(function),
        spans: spans(function),
    };
    for index in (0..function.blocks.len().saturating_sub(1)).rev() {
        // Each step leaves one branch less at the end of the block.
        while convert(function, &mut known, index) {}
    }
}

/// What is known of a function.
struct Known {
    /// What sides may cost.
    sides: Sides,
    /// How many operands name each block.
    named: Vec<u32>,
    /// For each register the first and the last block that has it.
    spans: Vec<(u32, u32)>,
}

/// How a side ends.
enum End {
    /// It goes on to the block after it.
    Falls,
    /// It goes on to another block.
    Goes(BlockId),
    /// It goes to a block under a guard, else on to the block after it.
    Branches(Guard, BlockId),
}

/// A side: its blocks, how it ends, and what it costs.
struct Side {
    blocks: Range<usize>,
    end: End,
    cost: u32,
}

/// Replaces what follows the branch at the end of a block; whether that was possible.
fn convert(function: &mut Function, known: &mut Known, index: usize) -> bool {
    let Some(last) = function.blocks[index].insts.last() else {
        return false;
    };
    let (Some(guard), Some(target), true) = (last.guard, last.target(), is_plain_branch(last))
    else {
        return false;
    };
    // Seldom executed, and by lanes that need not: they have no part in other conditions.
    if function.agrees(BlockId(index as u32)) {
        return false;
    }
    let (span, target) = (last.span, target.index());
    // What goes back has no side before its target; the next block may still end in a branch.
    let stop = match target > index {
        true => target,
        false => function.blocks.len(),
    };
    if known.named[index + 1] != 0 {
        return false;
    }
    let Some(first) = side(function, known, index + 1..stop) else {
        return false;
    };
    let place = first.blocks.end;
    match first.end {
        End::Falls if place == target && first.cost <= known.sides.longest => {
            let made = guarded(function, known, &first, opposite(guard), span);
            let Some(made) = made else { return false };
            replace(function, known, index, &[first.blocks], made.insts);
            true
        }
        // The end of the thread has no place.
        End::Goes(meet) if place == target && meet.index() > target => {
            let entered = known.named[target] == 1;
            let second = side(function, known, target..meet.index());
            let Some(second) = second.filter(|_| entered) else {
                return false;
            };
            let ends = match second.end {
                End::Falls => second.blocks.end == meet.index(),
                End::Goes(other) => other == meet,
                End::Branches(..) => false,
            };
            if !ends || first.cost + second.cost > known.sides.both {
                return false;
            }
            let made = [
                guarded(function, known, &first, opposite(guard), span),
                guarded(function, known, &second, guard, span),
            ];
            let [Some(mut one), Some(mut other)] = made else {
                return false;
            };
            let mut of_one = opposite(guard);
            if one.has_memory && !other.has_memory {
                std::mem::swap(&mut one, &mut other);
                of_one = guard;
            }
            free_first(&mut one.insts, of_one, &other.insts);
            one.insts.append(&mut other.insts);
            // Where they meet need not be what comes next.
            if second.blocks.end != meet.index() {
                let branch = function.blocks[second.blocks.end - 1].insts.last();
                one.insts.extend(branch.cloned());
                known.named[meet.index()] += 1;
            }
            let sides = [first.blocks, second.blocks];
            replace(function, known, index, &sides, one.insts);
            true
        }
        End::Branches(inner, goal)
            if first.cost <= known.sides.before_branch
                && !function.agrees(BlockId(first.blocks.end as u32 - 1)) =>
        {
            // Where both go, or where the first one goes around the second.
            let (text, outer) = match () {
                () if goal.index() == target => ("0xa8", guard),
                () if place == target => ("0x80", opposite(guard)),
                () => return false,
            };
            let made = guarded(function, known, &first, opposite(guard), span);
            let Some(mut made) = made else { return false };
            let Some(both) = combine(function, known, text, outer, inner, span) else {
                return false;
            };
            let mut branch = function.blocks[first.blocks.end - 1].insts.last().cloned();
            let to = both.operands.first().map(|operand| operand.op);
            let (Some(branch), Some(Op::Reg(reg, _))) = (&mut branch, to) else {
                return false;
            };
            branch.guard = Some(Guard { reg, not: false });
            made.insts.push(both);
            made.insts.push(branch.clone());
            known.named[goal.index()] += 1;
            replace(function, known, index, &[first.blocks], made.insts);
            true
        }
        _ => false,
    }
}

/// The side that begins with the first of some blocks: only the block before it leads there.
fn side(function: &Function, known: &Known, blocks: Range<usize>) -> Option<Side> {
    let first = blocks.start;
    let mut cost = 0;
    for at in blocks.clone().take(MOST_BLOCKS) {
        if at > first && known.named[at] != 0 {
            // Somebody else comes here: the side ends before.
            return Some(Side {
                blocks: first..at,
                end: End::Falls,
                cost,
            });
        }
        let insts = &function.blocks[at].insts;
        for inst in insts {
            cost += u32::from(inst.shape.issue().clamp(1, 4));
            if inst.shape.memory().access.contains(Access::WRITE) {
                cost += known.sides.store;
            }
        }
        if cost > known.sides.both {
            return None;
        }
        let Some(last) = insts.last() else { continue };
        if last.shape.name() == "EXIT" && last.guard.is_none() {
            return Some(Side {
                blocks: first..at + 1,
                end: End::Falls,
                cost,
            });
        }
        let Some(target) = last.target() else {
            // A guarded exit is within a side.
            continue;
        };
        let end = match last.guard {
            _ if !is_plain_branch(last) => return None,
            None => End::Goes(target),
            Some(guard) => End::Branches(guard, target),
        };
        return Some(Side {
            blocks: first..at + 1,
            end,
            cost,
        });
    }
    (blocks.len() <= MOST_BLOCKS).then_some(Side {
        blocks,
        end: End::Falls,
        cost,
    })
}

/// Instructions under a guard.
struct Made {
    insts: Vec<Inst>,
    /// Whether one accesses memory.
    has_memory: bool,
}

/// The instructions of a side under a guard, without the branch at its end; nothing if it cannot have one.
fn guarded(
    function: &mut Function,
    known: &mut Known,
    side: &Side,
    guard: Guard,
    span: Span,
) -> Option<Made> {
    let mut insts: Vec<Inst> = Vec::with_capacity(side.cost as usize + 4);
    for block in &function.blocks[side.blocks.clone()] {
        insts.extend_from_slice(&block.insts);
    }
    if !matches!(side.end, End::Falls) {
        insts.pop();
    }
    let fits = |inst: &Inst| {
        (inst.shape.name() == "EXIT" || may_be_guarded(inst))
            && inst.writes().all(|(reg, ..)| reg != guard.reg)
    };
    if !insts.iter().all(fits) {
        return None;
    }
    let kept = kept(&insts);
    let mut made = Made {
        insts: Vec::with_capacity(insts.len() + 2),
        has_memory: false,
    };
    // Guards of the side, and where both are true.
    let mut both: SmallVec<[(Guard, Reg); 4]> = SmallVec::new();
    let mut count = 0;
    for mut inst in insts {
        let has_memory = inst.shape.memory().space != Space::None;
        made.has_memory |= has_memory;
        let is_local = |(reg, ..): (Reg, u8, u8)| {
            let (first, last) = known.spans[reg.0 as usize];
            let is_inside = |block: u32| side.blocks.contains(&(block as usize));
            is_inside(first) && is_inside(last) && !kept.contains(&reg)
        };
        let speculates = is_pure(&inst)
            && !has_memory
            && inst.writes().next().is_some()
            && inst.writes().all(is_local);
        match inst.guard {
            _ if speculates => {}
            None => inst.guard = Some(guard),
            Some(own) if own == guard => {}
            // Never.
            Some(own) if own.reg == guard.reg => continue,
            Some(own) => {
                let found = both.iter().find(|(known, _)| *known == own);
                let reg = match found {
                    Some((_, reg)) => *reg,
                    None => {
                        count += 1;
                        if count > MOST_CONJUNCTIONS {
                            return None;
                        }
                        let one = combine(function, known, "0x80", guard, own, span)?;
                        let Op::Reg(reg, _) = one.operands.first()?.op else {
                            return None;
                        };
                        made.insts.push(one);
                        both.push((own, reg));
                        reg
                    }
                };
                inst.guard = Some(Guard { reg, not: false });
            }
        }
        both.retain(|(own, _)| inst.writes().all(|(reg, ..)| reg != own.reg));
        made.insts.push(inst);
    }
    Some(made)
}

/// Registers that instructions read before they write them in any case: in a loop what they wrote the last time.
fn kept(insts: &[Inst]) -> SmallVec<[Reg; 16]> {
    let mut written: SmallVec<[(Reg, u8); 32]> = SmallVec::new();
    let mut kept = SmallVec::new();
    for inst in insts {
        for (reg, lane, count) in inst.reads() {
            if (lane..lane + count).any(|one| !written.contains(&(reg, one))) {
                kept.push(reg);
            }
        }
        if inst.guard.is_none() {
            for (reg, lane, count) in inst.writes() {
                written.extend((lane..lane + count).map(|one| (reg, one)));
            }
        }
    }
    kept
}

/// A new predicate: where one guard lets instructions be executed, or another one, or both, by a table.
fn combine(
    function: &mut Function,
    known: &mut Known,
    table: &str,
    one: Guard,
    other: Guard,
    span: Span,
) -> Option<Inst> {
    let not = |guard: Guard| if guard.not { "!" } else { "" };
    let text = format!(
        "PLOP3.LUT P0, PT, {}P0, {}P0, PT, {table}, 0x0",
        not(one),
        not(other)
    );
    let pattern = pattern::find(function.sm, &text)?;
    let reg = function.reg(File::Predicate, 1);
    // Nobody else has it, wherever it will be.
    known.spans.push((u32::MAX, 0));
    let ops = [Op::Reg(reg, 0), Op::Reg(one.reg, 0), Op::Reg(other.reg, 0)];
    Some(pattern.filled(&ops, None, span))
}

/// What the first of two sides computes into registers that the second one writes in any case needs no guard: the lanes of
/// the second side have their own result in the end. Else the registers would have to hold what they had before.
fn free_first(first: &mut [Inst], guard: Guard, second: &[Inst]) {
    let other = opposite(guard);
    for inst in first {
        let free = inst.guard == Some(guard)
            && is_pure(inst)
            && inst.shape.memory().space == Space::None
            && inst.writes().next().is_some()
            && inst
                .writes()
                .all(|own| is_written_first(own, second, other));
        if free {
            inst.guard = None;
        }
    }
}

/// Whether instructions write lanes of a register under a guard before they read or write any of them otherwise.
fn is_written_first((reg, lane, count): (Reg, u8, u8), insts: &[Inst], guard: Guard) -> bool {
    let meets = |(other, first, lanes): (Reg, u8, u8)| {
        other == reg && first < lane + count && lane < first + lanes
    };
    for inst in insts {
        if inst.reads().any(meets) {
            return false;
        }
        if inst.writes().any(meets) {
            let covers = |(other, first, lanes): (Reg, u8, u8)| {
                other == reg && first <= lane && lane + count <= first + lanes
            };
            return inst.guard == Some(guard) && inst.writes().any(covers);
        }
    }
    false
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

/// For each register the first and the last block that has it.
fn spans(function: &Function) -> Vec<(u32, u32)> {
    let mut all = vec![(u32::MAX, 0); function.regs.len()];
    for (index, block) in (0u32..).zip(&function.blocks) {
        for inst in &block.insts {
            for (reg, ..) in inst.reads().chain(inst.writes()) {
                let (first, last) = &mut all[reg.0 as usize];
                *first = (*first).min(index);
                *last = (*last).max(index);
            }
        }
    }
    all
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
fn replace(
    function: &mut Function,
    known: &mut Known,
    index: usize,
    sides: &[Range<usize>],
    made: Vec<Inst>,
) {
    let mut gone: Vec<Inst> = Vec::new();
    gone.extend(function.blocks[index].insts.pop());
    for side in sides {
        for block in &mut function.blocks[side.clone()] {
            gone.append(&mut block.insts);
        }
    }
    for target in gone.iter().filter_map(Inst::target) {
        known.named[target.index()] -= 1;
    }
    for inst in &made {
        for (reg, ..) in inst.reads().chain(inst.writes()) {
            let (first, last) = &mut known.spans[reg.0 as usize];
            *first = (*first).min(index as u32);
            *last = (*last).max(index as u32);
        }
    }
    function.blocks[index].insts.extend(made);
}
