//! Whether lanes that part leave each other's uniform registers alone.
//!
//! Uniform registers and predicates belong to the warp. Where lanes part, the sides are executed one after the other, in an
//! order that is not known, and each may be interrupted wherever lanes wait or branch: what one side writes, the other
//! side sees. So a value that a side has at such a place and still needs, there or after the lanes have met again, must
//! not be overwritten on another side ([`What::Overwrites`]).
//!
//! For each branch at which lanes may part, the instructions of each side are those that are reached from there before
//! the lanes meet again: at a `BSYNC` of a barrier that was set before the branch, or at a `WARPSYNC` of all lanes. A side
//! may be interrupted at the beginning of a block and at the instructions of `INTERRUPTED`. Between two such places
//! a side is alone: ptxas writes a uniform register and reads it next wherever lanes have parted.
//!
//! A write of the value that the other side has does no harm: constants that both load.
//!
//! Lanes that wait at a `BSYNC` go on without those that yield or come to a `WARPSYNC` before it: then only the whole warp
//! meets.

use super::convergence::{self, Meeting, Parting, Ways};
use super::flow::Flow;
use super::{Code, Finding, What};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::latency::{Access, Effects, File};
use warpc_sass::shape::{Shape, Space};
use warpc_sass::{Guard, Inst, Operand, Value};

/// Instructions before which other lanes may be executed.
const INTERRUPTED: &[&str] = &[
    "BSYNC",
    "BREAK",
    "WARPSYNC",
    "YIELD",
    "NANOSLEEP",
    "BAR",
    "CALL",
    "RET",
    "ENDCOLLECTIVE",
];

/// Uniform registers, and then uniform predicates, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Set([u64; 5]);

impl Set {
    fn has(&self, one: usize) -> bool {
        self.0[one / 64] >> (one % 64) & 1 == 1
    }

    fn put(&mut self, one: usize) {
        self.0[one / 64] |= 1 << (one % 64);
    }

    fn remove(&mut self, one: usize) {
        self.0[one / 64] &= !(1 << (one % 64));
    }

    /// Adds another set; whether that changed anything.
    fn add(&mut self, other: &Set) -> bool {
        let before = *self;
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own |= other;
        }
        *self != before
    }

    fn is_empty(&self) -> bool {
        self.0 == [0; 5]
    }
}

/// The numbers of what an access is to in a [`Set`].
fn numbers(access: &Access) -> impl Iterator<Item = usize> + use<> {
    let first = match access.file {
        File::Uniform => Some(0),
        File::UniformPredicate => Some(256),
        _ => None,
    };
    let all = access.numbers().map(usize::from);
    all.filter_map(move |number| Some(first? + number))
}

fn named(one: usize) -> (File, u8) {
    match u8::try_from(one) {
        Ok(number) => (File::Uniform, number),
        Err(_) => (File::UniformPredicate, (one % 256) as u8),
    }
}

/// What an instruction gives uniform registers, if that is the same wherever it is executed.
type Constant = (*const Shape, SmallVec<[Operand; 6]>);

/// What is in a uniform register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    /// A constant, by its number.
    Constant(u32),
    /// Something.
    Anything,
}

/// What an instruction does to uniform registers.
#[derive(Clone, Default)]
struct Touched {
    reads: SmallVec<[usize; 4]>,
    writes: SmallVec<[usize; 2]>,
    is_guarded: bool,
    /// It does nothing else than to write uniform registers.
    is_uniform: bool,
    constant: Option<u32>,
}

struct Judge<'a> {
    code: &'a Code<'a>,
    flow: &'a Flow,
    touched: Vec<Touched>,
    /// What is needed at the beginning of each block.
    needed: Vec<Set>,
    /// What is in registers at the beginning of each block; nothing where no way comes.
    held: Vec<Option<FxHashMap<usize, Held>>>,
}

/// Code with more partings times blocks is not judged.
const MOST: usize = 20_000_000;

/// The findings in code.
pub fn check(code: &Code, flow: &Flow) -> Vec<Finding> {
    let Some(judge) = Judge::of(code, flow) else {
        return Vec::new();
    };
    if !judge.is_contested() {
        return Vec::new();
    }
    let ways = convergence::ways(code, flow);
    let mut found: Vec<Finding> = Vec::new();
    if ways.partings.len().saturating_mul(flow.blocks.len()) > MOST {
        return found;
    }
    for parting in &ways.partings {
        judge.judge(parting, &ways, &mut found);
    }
    found.sort_by_key(|finding| finding.at);
    found.dedup_by_key(|finding| finding.at);
    found
}

impl<'a> Judge<'a> {
    /// Nothing if no uniform register is needed across blocks: then lanes cannot be in each other's way.
    fn of(code: &'a Code<'a>, flow: &'a Flow) -> Option<Judge<'a>> {
        let mut constants: FxHashMap<Constant, u32> = FxHashMap::default();
        let touched = code.insts.iter();
        let touched: Vec<Touched> = touched.map(|inst| touches(inst, &mut constants)).collect();
        let mut judge = Judge {
            code,
            flow,
            touched,
            needed: vec![Set::default(); flow.blocks.len()],
            held: vec![None; flow.blocks.len()],
        };
        judge.find_needed();
        if judge.needed.iter().all(Set::is_empty) {
            return None;
        }
        judge.find_held();
        Some(judge)
    }

    /// Whether a value is needed somewhere that is written somewhere else.
    fn is_contested(&self) -> bool {
        let mut all = Side::default();
        for number in self.flow.order.iter().copied() {
            if !self.is_quiet(number) {
                self.look(number, self.flow.blocks[number].end, &mut all);
            }
        }
        all.overwrites(&all, &self.touched).next().is_some()
    }

    /// Whether a block neither needs nor writes anything.
    fn is_quiet(&self, number: usize) -> bool {
        let block = &self.flow.blocks[number];
        let mut own = self.touched[block.start..block.end].iter();
        self.needed[number].is_empty() && own.all(|one| one.writes.is_empty())
    }

    /// The blocks after one, in this function and in those that it calls.
    fn after(&self, number: usize) -> SmallVec<[usize; 4]> {
        let mut all = self.flow.successors(number);
        let call = self.flow.blocks[number].call.as_ref();
        all.extend(call.and_then(|call| call.back));
        all
    }

    fn find_needed(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for number in self.flow.order.iter().rev() {
                let mut needed = Set::default();
                for next in self.after(*number) {
                    needed.add(&self.needed[next]);
                }
                let block = &self.flow.blocks[*number];
                for touched in self.touched[block.start..block.end].iter().rev() {
                    before(touched, &mut needed);
                }
                changed |= self.needed[*number].add(&needed);
            }
        }
    }

    fn find_held(&mut self) {
        let entries = self.flow.functions.iter().filter(|one| one.is_entry);
        let mut work: Vec<usize> = entries.map(|one| one.entry).collect();
        for entry in &work {
            self.held[*entry] = Some(FxHashMap::default());
        }
        while let Some(number) = work.pop() {
            let Some(mut held) = self.held[number].clone() else {
                continue;
            };
            let block = &self.flow.blocks[number];
            for touched in &self.touched[block.start..block.end] {
                after(touched, &mut held);
            }
            for next in self.after(number) {
                let changed = match &mut self.held[next] {
                    Some(known) => join(known, &held),
                    none => {
                        *none = Some(held.clone());
                        true
                    }
                };
                if changed {
                    work.push(next);
                }
            }
        }
    }

    fn judge(&self, parting: &Parting, ways: &Ways, found: &mut Vec<Finding>) {
        let number = self
            .flow
            .blocks
            .partition_point(|one| one.end <= parting.at);
        if self.asks_for_uniform(number, parting.at) {
            return;
        }
        let sides = |at_barriers: bool| -> SmallVec<[Side; 2]> {
            let firsts = self.flow.blocks[number].next.iter();
            let meeting = (parting, ways, at_barriers);
            firsts.map(|first| self.side(*first, meeting)).collect()
        };
        let mut sides_of = sides(true);
        if sides_of.iter().any(|side| side.lets_others_go) {
            sides_of = sides(false);
        }
        let sides = sides_of;
        for (index, side) in sides.iter().enumerate() {
            let others = sides.iter().enumerate().filter(|one| one.0 != index);
            for (_, other) in others {
                for (at, one) in side.overwrites(other, &self.touched) {
                    let (file, register) = named(one);
                    let by = parting.at;
                    let what = What::Overwrites { file, register, by };
                    found.push(Finding { at, what });
                }
            }
        }
    }

    /// Whether the predicates that a branch asks for come from uniform registers in its block, or from a poll of an
    /// mbarrier: lanes that come there together stay together, though others may not be there.
    fn asks_for_uniform(&self, number: usize, at: usize) -> bool {
        let insts = &self.code.insts[self.flow.blocks[number].start..at];
        let effects = Effects::of(&self.code.insts[at]);
        let mut asked = effects.accesses.iter().filter(|one| !one.is_write());
        asked.all(|asked| {
            let makes = |inst: &&Inst| {
                let effects = Effects::of(inst);
                let mut writes = effects.accesses.iter().filter(|one| one.is_write());
                writes.any(|one| one.file == asked.file && one.first == asked.first)
            };
            let is_uniform = insts.iter().rev().find(makes).is_some_and(|inst| {
                let effects = Effects::of(inst);
                let mut reads = effects.accesses.iter().filter(|one| !one.is_write());
                inst.shape.has("PHASECHK") || reads.all(|one| numbers(one).next().is_some())
            });
            asked.file == File::Predicate && is_uniform
        })
    }

    /// What lanes do that go on at a block after they have parted.
    fn side(&self, first: usize, (parting, ways, at_barriers): (&Parting, &Ways, bool)) -> Side {
        let mut side = Side::default();
        let mut seen = vec![false; self.flow.blocks.len()];
        let mut work = vec![first];
        while let Some(number) = work.pop() {
            if std::mem::replace(&mut seen[number], true) {
                continue;
            }
            let block = &self.flow.blocks[number];
            let meets = |at: &usize| {
                let meeting = ways.meetings.get(at);
                let meeting = meeting.filter(|one| at_barriers || one.is_none());
                meets(meeting, parting)
            };
            let end = (block.start..block.end).find(meets);
            let mut insts = self.code.insts[block.start..end.unwrap_or(block.end)].iter();
            side.lets_others_go |= insts.any(lets_others_go);
            if !self.is_quiet(number) {
                self.look(number, end.unwrap_or(block.end), &mut side);
            }
            if end.is_none() {
                work.extend(&block.next);
                if let Some(call) = &block.call {
                    let callees = call.callees.iter();
                    work.extend(callees.map(|callee| self.flow.functions[*callee].entry));
                    work.extend(call.back);
                }
            }
        }
        side
    }

    /// Adds what is done in a block before an instruction.
    fn look(&self, number: usize, end: usize, side: &mut Side) {
        let block = &self.flow.blocks[number];
        let mut held = self.held[number].clone().unwrap_or_default();
        // What is needed before each instruction.
        let mut needed = Set::default();
        for next in self.after(number) {
            needed.add(&self.needed[next]);
        }
        let mut each = vec![needed; block.end - block.start];
        for (at, touched) in self.touched[block.start..block.end]
            .iter()
            .enumerate()
            .rev()
        {
            before(touched, &mut needed);
            each[at] = needed;
        }
        for at in block.start..=end.min(block.end - 1) {
            let opcode = self.code.insts[at].shape.opcode();
            if at == block.start || INTERRUPTED.contains(&opcode) {
                side.need(&each[at - block.start], &held);
            }
            if at < end {
                let writes = self.touched[at].writes.iter();
                side.writes.extend(writes.map(|one| (at, *one)));
                after(&self.touched[at], &mut held);
            }
        }
    }
}

/// What lanes of one side do.
#[derive(Default)]
struct Side {
    /// Instructions and what they write.
    writes: Vec<(usize, usize)>,
    /// What is needed where they may be interrupted, with what is in it there.
    needs: Vec<(usize, Held)>,
    /// Whether lanes that wait for it at a barrier may go on without it.
    lets_others_go: bool,
}

/// Whether lanes that wait for others at a convergence barrier go on without those that execute an instruction.
fn lets_others_go(inst: &Inst) -> bool {
    match inst.shape.opcode() {
        "YIELD" | "NANOSLEEP" => true,
        "WARPSYNC" => !inst.shape.has("EXCLUSIVE"),
        _ => false,
    }
}

impl Side {
    /// What it writes that another side needs, with the instruction; not the value that is there already.
    fn overwrites<'s>(
        &'s self,
        other: &'s Side,
        touched: &'s [Touched],
    ) -> impl Iterator<Item = (usize, usize)> + 's {
        self.writes.iter().copied().filter(move |(at, one)| {
            let constant = touched[*at].constant.map(Held::Constant);
            let mut needs = other.needs.iter().filter(|need| need.0 == *one);
            needs.any(|need| Some(need.1) != constant)
        })
    }

    fn need(&mut self, needed: &Set, held: &FxHashMap<usize, Held>) {
        for one in (0..264).filter(|one| needed.has(*one)) {
            // Without a value, nothing can be lost.
            let Some(need) = held.get(&one).map(|held| (one, *held)) else {
                continue;
            };
            if !self.needs.contains(&need) {
                self.needs.push(need);
            }
        }
    }
}

/// Whether lanes that parted at a branch meet here.
fn meets(meeting: Option<&Option<Meeting>>, parting: &Parting) -> bool {
    match meeting {
        None => false,
        Some(None) => true,
        Some(Some(meeting)) => {
            let mut inside = parting.inside.iter();
            inside.any(|one| {
                one.barrier == meeting.barrier && meeting.by.iter().all(|by| one.by.contains(by))
            })
        }
    }
}

fn touches(inst: &Inst, constants: &mut FxHashMap<Constant, u32>) -> Touched {
    let effects = Effects::of(inst);
    let mut touched = Touched {
        is_guarded: effects.guarded,
        ..Touched::default()
    };
    let mut is_constant = inst.guard == Guard::ALWAYS;
    for access in &effects.accesses {
        match access.is_write() {
            true => touched.writes.extend(numbers(access)),
            false => {
                is_constant = false;
                touched.reads.extend(numbers(access));
            }
        }
    }
    let makes = matches!(inst.shape.memory().space, Space::None | Space::Constant)
        && inst.shape.opcode().starts_with('U')
        && !inst
            .values()
            .any(|value| matches!(value, Value::Special(_)));
    if is_constant && makes && !touched.writes.is_empty() {
        let operands = inst.operands.iter().copied().collect();
        let next = constants.len() as u32;
        let key = (std::ptr::from_ref(inst.shape), operands);
        touched.constant = Some(*constants.entry(key).or_insert(next));
    }
    let mut writes = effects.accesses.iter().filter(|one| one.is_write());
    touched.is_uniform = makes && writes.all(|one| numbers(one).next().is_some());
    touched
}

/// What is needed before an instruction, from what is needed after it.
fn before(touched: &Touched, needed: &mut Set) {
    // What only computes what nobody needs needs nothing: counters that only count.
    if touched.is_uniform && !touched.writes.iter().any(|one| needed.has(*one)) {
        return;
    }
    if !touched.is_guarded {
        touched.writes.iter().for_each(|one| needed.remove(*one));
    }
    touched.reads.iter().for_each(|one| needed.put(*one));
}

/// What is in registers after an instruction.
fn after(touched: &Touched, held: &mut FxHashMap<usize, Held>) {
    for one in &touched.writes {
        held.insert(
            *one,
            touched.constant.map_or(Held::Anything, Held::Constant),
        );
    }
}

/// Keeps what is the same on another way, too; whether it changed. What a way has not written has no value there.
fn join(known: &mut FxHashMap<usize, Held>, other: &FxHashMap<usize, Held>) -> bool {
    let mut changed = false;
    for (one, held) in other {
        let own = known.entry(*one).or_insert_with(|| {
            changed = true;
            *held
        });
        if *own != *held && *own != Held::Anything {
            *own = Held::Anything;
            changed = true;
        }
    }
    changed
}
