//! What was loaded or stored before is not loaded again.
//!
//! ```text
//!   STG [a], v                 STG [a], v
//!   LDG x, [a]          ──►    MOV x, v
//!   LDG y, [a]                 MOV y, v
//! ```
//!
//! A walk over the blocks, each after those before it, remembers which words of memory are in which lanes: those that a weak
//! load has read, and those that a weak store has written. A weak load of words that are all known becomes moves, which
//! `opt_copies` lets disappear. A word is forgotten where
//!
//! 1. a lane is written that it is in, or that its address is made of;
//! 2. a store may be to the same place ([`Location::may_meet`]);
//! 3. a relaxed or volatile access or an atomic operation is to the same space: after it the thread may have seen what
//!    another one wrote there, and must not see older values (coherence);
//! 4. something orders accesses or waits for other threads: a fence, a barrier, what acquires, a call. What others wrote
//!    before may be seen after it.
//!
//! In between, what other threads write to the place at the same time is a race, and which of both values a weak load sees is
//! not defined. What a kernel declares that nobody writes (`ld.global.nc`) is never forgotten but by rule 1.
//!
//! Where ways meet, what all of them know is known; where a loop begins, what is known before it and what nothing in the loop
//! lets be forgotten. Volatile accesses stay as they are, and so do those of less than a word, unless they are loads in the
//! same form.

use super::Pass;
use super::assign_registers::Limits;
use crate::analysis::alias::{Effect, Location};
use crate::analysis::loops::Loops;
use crate::analysis::values;
use crate::ir::{BlockId, Function, Inst, Op, Operand};
use crate::pattern;
use smallvec::SmallVec;
use std::rc::Rc;
use warpc_sass::{Shape, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_memory",
    run,
};

/// Words that are remembered at a time: the oldest go first.
const REMEMBERED: usize = 48;

/// A word of memory, or less of it, that is in a lane.
#[derive(Clone, PartialEq, Debug)]
struct Word {
    at: Location,
    /// What it holds: a lane or nothing but zeros.
    value: Op,
    /// Of less than a word, the load that it was read by.
    shape: Option<&'static Shape>,
}

/// What is known at a place.
type Known = Vec<Word>;

fn run(function: &mut Function, _: &Limits) {
    let loads = function.blocks.iter().flat_map(|block| &block.insts);
    if !loads.into_iter().any(is_candidate) {
        return;
    }
    let order = after_those_before(function);
    let loops = Loops::of(function, &values::Order::of(function));
    let all_insides = insides(function, &loops);
    let before = function.predecessors();
    let mut left: Vec<Option<Rc<Known>>> = vec![None; function.blocks.len()];
    // Blocks after it that have not been visited still.
    let mut waiting: Vec<u32> = (function.block_ids())
        .map(|block| function.successors(block).len() as u32)
        .collect();
    for block in order {
        let mut ways = before[block.index()].clone();
        let around = loops.innermost(block);
        let own = around.filter(|own| loops.all()[*own].header == block);
        ways.retain(|way| own.is_none_or(|own| !loops.contains(own, *way)));
        let mut known = known_before(&ways, &left);
        let insides = own
            .filter(|_| !known.is_empty())
            .map(|own| &all_insides[own]);
        for inside in insides.into_iter().flatten() {
            let insts = function.blocks[inside.index()].insts.iter();
            for inst in insts {
                forget(&mut known, &Effect::of(inst));
                forget_written(&mut known, inst);
            }
        }
        let insts = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            step(function, &mut known, inst, &mut kept);
        }
        function.blocks[block.index()].insts = kept;
        left[block.index()] = Some(Rc::new(known));
        for one in &before[block.index()] {
            let own = &mut waiting[one.index()];
            *own = own.saturating_sub(1);
            // Nobody asks any more.
            if *own == 0 {
                left[one.index()] = left[one.index()].take().map(|_| Rc::default());
            }
        }
    }
}

/// Whether it is a load that may go.
fn is_candidate(inst: &Inst) -> bool {
    inst.is_weak() && inst.shape.opcode().starts_with("LD")
}

/// Blocks in reverse postorder.
fn after_those_before(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut stack: Vec<(BlockId, usize)> =
        function.block_ids().take(1).map(|one| (one, 0)).collect();
    if let Some(first) = seen.first_mut() {
        *first = true;
    }
    while let Some((block, at)) = stack.last_mut() {
        let next = function.successors(*block).get(*at).copied();
        *at += 1;
        match next {
            Some(next) if !std::mem::replace(&mut seen[next.index()], true) => {
                stack.push((next, 0))
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// For each loop all blocks in it.
fn insides(function: &Function, loops: &Loops) -> Vec<Vec<BlockId>> {
    let mut all = vec![Vec::new(); loops.all().len()];
    for block in function.block_ids() {
        let mut around = loops.innermost(block);
        while let Some(own) = around {
            all[own].push(block);
            around = loops.all()[own].parent;
        }
    }
    all
}

/// What all ways to a block know: nothing where one of them was not followed yet.
fn known_before(before: &[BlockId], left: &[Option<Rc<Known>>]) -> Known {
    let mut all = before.iter().map(|block| left[block.index()].as_deref());
    let Some(Some(first)) = all.next() else {
        return Known::new();
    };
    let mut known = first.clone();
    for other in all {
        match other {
            Some(other) if !known.is_empty() => known.retain(|word| other.contains(word)),
            _ => return Known::new(),
        }
    }
    known
}

/// Replaces an instruction by moves if it loads what is known, and notes what is known after it.
fn step(function: &Function, known: &mut Known, inst: Inst, kept: &mut Vec<Inst>) {
    let effect = Effect::of(&inst);
    match &effect {
        Effect::Load(location) => {
            if let Some(moves) = moves(function, known, &inst, location) {
                for one in &moves {
                    forget_written(known, one);
                }
                kept.extend(moves);
                return;
            }
        }
        _ => forget(known, &effect),
    }
    forget_written(known, &inst);
    if let (None, Effect::Load(location) | Effect::Store(location)) = (inst.guard, effect) {
        remember(known, &inst, location);
    }
    kept.push(inst);
}

/// Forgets what an effect may change.
fn forget(known: &mut Known, effect: &Effect) {
    match effect {
        Effect::Store(location) => {
            known.retain(|word| word.at.is_constant || !word.at.may_meet(location));
        }
        Effect::Touch(space, true) => {
            known.retain(|word| word.at.is_constant || !word.at.may_be_in(*space));
        }
        Effect::Wall => known.retain(|word| word.at.is_constant),
        Effect::None | Effect::Load(_) | Effect::Leaves | Effect::Touch(_, false) => {}
    }
}

/// Forgets what is in lanes that an instruction writes, or at addresses that are.
fn forget_written(known: &mut Known, inst: &Inst) {
    if known.is_empty() {
        return;
    }
    for written in inst.writes() {
        let (reg, lane, count) = written;
        let holds = |op: Op| matches!(op, Op::Reg(own, at) if own == reg && (lane..lane + count).contains(&at));
        known.retain(|word| !holds(word.value) && !word.at.depends_on(written));
    }
}

/// The operand that a load writes or a store reads, and how many words it has.
fn data(inst: &Inst) -> Option<(Operand, u8)> {
    let mut all = (inst.shape.slots().iter().zip(&inst.operands)).filter(|(slot, _)| {
        !slot.in_address && slot.file == Some(warpc_sass::latency::File::Register)
    });
    let (slot, operand) = all.next()?;
    let is_one = all.next().is_none();
    is_one.then_some((*operand, slot.width.registers(u128::MAX).max(1)))
}

/// The lane of a word of an operand.
fn word_of(operand: Operand, number: u8) -> Option<Op> {
    match operand.op {
        Op::Reg(reg, lane) => Some(Op::Reg(reg, lane + number)),
        Op::Value(Value::ZERO) => Some(operand.op),
        _ => None,
    }
}

/// The location of a word of an access.
fn part(location: &Location, number: u8) -> Location {
    let mut one = location.clone();
    one.from += 4 * i64::from(number);
    one.bytes = location.bytes.min(4);
    one
}

/// The moves that a load becomes.
fn moves(
    function: &Function,
    known: &Known,
    inst: &Inst,
    location: &Location,
) -> Option<SmallVec<[Inst; 4]>> {
    let (to, words) = data(inst)?;
    let Op::Reg(reg, lane) = to.op else {
        return None;
    };
    let is_whole = location.bytes == 4 * i64::from(words);
    let mut all: SmallVec<[(Op, Op); 4]> = SmallVec::new();
    for number in 0..words {
        let wanted = part(location, number);
        let found = known.iter().rev().find(|word| {
            word.at.from == wanted.from
                && word.at.bytes == wanted.bytes
                && word.at.base == wanted.base
                && word.at.space == wanted.space
                && word.at.is_constant == wanted.is_constant
                && word.shape == (!is_whole).then_some(inst.shape)
        })?;
        all.push((Op::Reg(reg, lane + number), found.value));
    }
    // One after the other: a lane that is read must not have been written by one before.
    let is_mixed = (1..all.len()).any(|at| all[..at].iter().any(|one| one.0 == all[at].1));
    if is_mixed {
        return None;
    }
    let all = all.into_iter().filter(|(to, from)| to != from);
    all.map(|(to, from)| copy(function, inst, to, from))
        .collect()
}

/// A move in place of a part of an instruction.
pub(super) fn copy(function: &Function, like: &Inst, to: Op, from: Op) -> Option<Inst> {
    let pattern = pattern::find(function.sm, "MOV R0, R0")?;
    let mut operands: SmallVec<[Operand; 6]> = (pattern.inst.operands.iter())
        .map(|one| Operand {
            op: Op::Value(one.value),
            marks: one.marks,
        })
        .collect();
    for (slot, op) in pattern.holes.iter().zip([to, from]) {
        operands[*slot].op = op;
    }
    Some(Inst {
        shape: pattern.inst.shape,
        guard: like.guard,
        operands,
        span: like.span,
        origin: None,
        acquires: false,
        contracts: false,
        weak: false,
    })
}

/// Notes what is in memory after a load or store that all threads execute.
fn remember(known: &mut Known, inst: &Inst, location: Location) {
    let Some((operand, words)) = data(inst) else {
        return;
    };
    let is_load = inst.shape.opcode().starts_with("LD");
    let is_whole = location.bytes == 4 * i64::from(words);
    // One without a result fetches ahead.
    let is_known = match is_load {
        true => matches!(operand.op, Op::Reg(..)),
        false => is_whole,
    };
    if !is_known {
        return;
    }
    // A load into the registers of its own address.
    if is_load && inst.writes().any(|written| location.depends_on(written)) {
        return;
    }
    for number in 0..words {
        let Some(value) = word_of(operand, number) else {
            continue;
        };
        let word = Word {
            at: part(&location, number),
            value,
            shape: (!is_whole).then_some(inst.shape),
        };
        if known.len() >= REMEMBERED {
            known.remove(0);
        }
        known.push(word);
    }
}
