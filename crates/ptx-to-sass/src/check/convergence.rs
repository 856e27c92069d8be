//! Whether lanes that part meet again where the code says, and whether the warp is whole where it must be.
//!
//! `BSSY B, place` notes in a convergence barrier which lanes are there; `BSYNC B` lets those lanes wait for each other,
//! and they go on at the place; `BREAK B` takes lanes out, `EXIT` does so for all barriers; `BMOV` saves and restores.
//! A forward dataflow to a fixed point finds, for every place in the code, what each barrier may be on some way: not
//! set, set by which `BSSY`, the caller's, or restored by `BMOV` from a register.
//!
//! # Rules
//!
//! 1. *`BSYNC B` and `BREAK B` come only where B is set on every way* ([`What::Unset`]): a barrier that is not set has
//!    no lanes or those of an earlier use. Lanes would go on alone, or wait for lanes that never come. A barrier of the
//!    caller is not set in this sense: its lanes go on in the caller.
//! 2. *The instruction after `BSYNC B` is the place of every `BSSY` that may have set B* ([`What::OtherPlace`]): lanes
//!    that wait go on at the place of the `BSSY`, the last one that comes goes on after `BSYNC`; only if they are the
//!    same do the lanes meet.
//! 3. *The instruction before the place of a `BSSY B` is a `BSYNC B`* ([`What::NoMeeting`]): without it, lanes that come
//!    there go on without the others, though the code says that they meet.
//! 4. *`BSSY B` does not come where B may be set* ([`What::SetAgain`]): the new lanes would replace the old ones, and
//!    those that wait would be forgotten. Also where a caller may have set it: it must be saved first.
//! 5. *`RET` leaves every barrier as it was when the function began* ([`What::LeftSet`], [`What::Lost`]): by rules
//!    1 and 4 the caller relies on it.
//! 6. *At `BSYNC B` no barrier is set that was set while B was* ([`What::StillSet`]): lanes that wait there would be
//!    waited for in the inner barrier by lanes that they wait for themselves. Who leaves a region another way takes
//!    a `BREAK`.
//! 7. *What the lanes of a warp do together comes only where they are together* ([`What::Diverged`]): see below.
//!
//! After a `BREAK` with a condition comes a branch with the same condition or its opposite: the barrier is not set where
//! the lanes go that have left it, and still set where the others go. Between the two, both is possible.
//!
//! # Divergence
//!
//! Lanes may part at a branch (or return) whose condition may differ between them. A register or predicate may differ if
//! it comes from the number of the thread or lane, from other memory, a shuffle, a clock, an argument of a function, or from
//! registers that may differ, or if it is written where lanes have parted or under a guard that may differ. What is the same
//! and is spilled to the frame is the same when it is loaded from there. Uniform
//! registers are the same for all lanes, and so are constants, the numbers of the block, and what one load or poll of all
//! lanes finds at one address of global or shared memory. A comparison of the number of the thread with a multiple of 32
//! is taken as one between warps. Where lanes have parted
//! they are together again after the `BSYNC` of a barrier that was set when they were together, if no `BREAK` has taken
//! lanes out of it, and after `WARPSYNC.ALL`; lanes that have ended do not count.
//!
//! Rule 7 covers the instructions that give a wrong result, or hang, if a lane is missing that could still come, and that
//! ptxas never puts elsewhere: see `needs_warp` in `convergence/divergence.rs`. Shuffles, votes and matches work on the
//! lanes that are there; whether those are the lanes of their mask depends on values, and is not judged.

mod barriers;
mod divergence;
mod local;

use super::changed::{Changed, changed};
use super::flow::{self, Flow};
use super::{Code, Finding, Maker, What};
use barriers::Barriers as Set;
use divergence::Lanes;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use warpc_sass::inst::Guard;
use warpc_sass::latency::File;
use warpc_sass::operand::Marks;
use warpc_sass::{Inst, Value};

/// The findings in code.
pub fn check(code: &Code, flow: &Flow, maker: Maker) -> Vec<Finding> {
    Judge::settled(code, flow).findings(maker)
}

/// A branch at which lanes may part.
pub(super) struct Parting {
    /// The instruction.
    pub at: usize,
    /// The barriers that are set there on every way and that no lane leaves, each with the instructions that set it.
    pub inside: SmallVec<[Meeting; 2]>,
}

/// A convergence barrier and the instructions that may have set it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Meeting {
    /// The barrier.
    pub barrier: u8,
    /// The instructions.
    pub by: SmallVec<[usize; 2]>,
}

/// Where lanes part and meet.
#[derive(Default)]
pub(super) struct Ways {
    /// The branches at which they may part.
    pub partings: Vec<Parting>,
    /// For each `BSYNC` what lanes meet there; for each `WARPSYNC` of all lanes nothing.
    pub meetings: FxHashMap<usize, Option<Meeting>>,
}

/// Where the lanes of code part and meet.
pub(super) fn ways(code: &Code, flow: &Flow) -> Ways {
    Judge::settled(code, flow).ways()
}

/// What is known at a place in the code.
#[derive(Clone, PartialEq, Debug)]
struct State {
    barriers: Set,
    lanes: Lanes,
}

struct Judge<'a> {
    code: &'a Code<'a>,
    flow: &'a Flow,
    /// What each function changes.
    changed: Vec<Changed>,
    before: Vec<Option<State>>,
    rank: Vec<usize>,
    work: BTreeSet<usize>,
    /// For each instruction what it always gives, by its number.
    constants: Vec<Option<u32>>,
    /// The instructions whose barriers some lanes leave.
    broken: BTreeSet<usize>,
}

impl<'a> Judge<'a> {
    /// With what is known at each block.
    fn settled(code: &'a Code<'a>, flow: &'a Flow) -> Judge<'a> {
        let mut judge = Judge {
            code,
            flow,
            changed: changed(code, flow),
            before: vec![None; flow.blocks.len()],
            rank: vec![0; flow.blocks.len()],
            work: BTreeSet::new(),
            constants: divergence::constants(code.insts),
            broken: BTreeSet::new(),
        };
        judge.settle();
        // Who leaves which barrier does not depend on whether the warp is whole, but the other way round.
        if !judge.broken.is_empty() {
            judge.before.fill(None);
            judge.settle();
        }
        judge
    }

    fn settle(&mut self) {
        for (rank, block) in self.flow.order.iter().enumerate() {
            self.rank[*block] = rank;
        }
        for function in self.flow.functions.iter().filter(|one| one.is_entry) {
            // Who is called from another section has a caller too, but nothing is known of it.
            let state = State {
                barriers: Set::default(),
                lanes: Lanes::default(),
            };
            self.join(function.entry, &state);
        }
        while let Some(rank) = self.work.pop_first() {
            self.visit(self.flow.order[rank]);
        }
    }

    fn visit(&mut self, number: usize) {
        let Some(mut state) = self.before[number].clone() else {
            return;
        };
        let block = &self.flow.blocks[number];
        for at in block.start..block.end {
            let inst = &self.code.insts[at];
            let step = (at, inst, self.known(at));
            state.step(step, Maker::Other, &mut self.broken, &mut |_| {});
        }
        let last = &self.code.insts[block.end - 1];
        for next in &block.next {
            let taken = self.flow.blocks[*next].start != block.end;
            let mut after = state.clone();
            after.barriers.branch(last, taken);
            self.join(*next, &after);
        }
        if let Some(call) = &block.call {
            for callee in &call.callees {
                let function = &self.flow.functions[*callee];
                self.join(function.entry, &state.called());
            }
            if let Some(back) = call.back {
                let ends = call.callees.iter();
                let ends = ends.flat_map(|callee| &self.flow.functions[*callee].returns);
                let mut after = state.clone();
                let mut returned = call.callees.is_empty();
                let parted: Vec<Lanes> = ends
                    .filter_map(|end| self.at_end(*end))
                    .map(|state| state.lanes)
                    .collect();
                for lanes in &parted {
                    returned = true;
                    after.lanes.returned(lanes);
                }
                after.lanes.forget_values(&self.changed_by(call));
                if returned {
                    self.join(back, &after);
                }
            }
        }
        if block.returns {
            let functions = self.flow.returns_from.get(&number);
            for function in functions.into_iter().flatten() {
                for caller in &self.flow.functions[*function].callers {
                    if self.before[*caller].is_some() {
                        self.work.insert(self.rank[*caller]);
                    }
                }
            }
        }
    }

    /// What is known of an instruction.
    fn known(&self, at: usize) -> Known {
        Known {
            is_spill: self.code.spills.get(at).copied().unwrap_or(false),
            constant: self.constants.get(at).copied().flatten(),
        }
    }

    /// What a call may change.
    fn changed_by(&self, call: &flow::Call) -> Changed {
        if call.callees.is_empty() {
            return Changed::ALL;
        }
        let mut all = Changed::default();
        for callee in &call.callees {
            all.join(&self.changed[*callee]);
        }
        all
    }

    /// The state after a block.
    fn at_end(&self, number: usize) -> Option<State> {
        let mut state = self.before[number].clone()?;
        let block = &self.flow.blocks[number];
        let mut broken = self.broken.clone();
        for at in block.start..block.end {
            let inst = &self.code.insts[at];
            let step = (at, inst, self.known(at));
            state.step(step, Maker::Other, &mut broken, &mut |_| {});
        }
        Some(state)
    }

    fn join(&mut self, number: usize, more: &State) {
        let changed = match &mut self.before[number] {
            Some(state) => state.barriers.join(&more.barriers) | state.lanes.join(&more.lanes),
            none => {
                *none = Some(more.clone());
                true
            }
        };
        if changed {
            self.work.insert(self.rank[number]);
        }
    }

    fn ways(&self) -> Ways {
        let mut ways = Ways::default();
        let mut broken = self.broken.clone();
        for (block, before) in self.flow.blocks.iter().zip(&self.before) {
            let Some(mut state) = before.clone() else {
                continue;
            };
            for at in block.start..block.end {
                let inst = &self.code.insts[at];
                if inst.shape.opcode() == "BSYNC" {
                    let own = barrier(inst);
                    let met = own.and_then(|own| state.barriers.set_by(own, &self.broken));
                    if let Some(met) = met {
                        ways.meetings.insert(at, Some(met));
                    }
                }
                if divergence::gathers_all(inst) && !flow::is_conditional(inst) {
                    ways.meetings.insert(at, None);
                }
                if state.lanes.parts_at(inst) {
                    let inside = (0..16).filter_map(|one| state.barriers.set_by(one, &self.broken));
                    ways.partings.push(Parting {
                        at,
                        inside: inside.collect(),
                    });
                }
                let step = (at, inst, self.known(at));
                state.step(step, Maker::Other, &mut broken, &mut |_| {});
            }
        }
        ways
    }

    fn findings(&self, maker: Maker) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut broken = self.broken.clone();
        for (block, before) in self.flow.blocks.iter().zip(&self.before) {
            let Some(mut state) = before.clone() else {
                continue;
            };
            for at in block.start..block.end {
                let inst = &self.code.insts[at];
                let mut report = |what: What| found.push(Finding { at, what });
                if let Some(what) = no_meeting(self.code, at, inst) {
                    report(what);
                }
                let step = (at, inst, self.known(at));
                state.step(step, maker, &mut broken, &mut report);
            }
        }
        found
    }
}

/// What is known of an instruction wherever it is executed.
#[derive(Clone, Copy)]
struct Known {
    /// Whether it only moves a spilled value.
    is_spill: bool,
    /// What it always gives, by its number.
    constant: Option<u32>,
}

impl State {
    /// Steps over an instruction, which may move a spilled value; tells what is wrong with it.
    fn step(
        &mut self,
        (at, inst, known): (usize, &Inst, Known),
        maker: Maker,
        broken: &mut BTreeSet<usize>,
        report: &mut dyn FnMut(What),
    ) {
        self.lanes.judge(inst, maker, report);
        let whole = self.lanes.is_whole();
        if self.barriers.step(at, inst, whole, broken, report) == Some(true) {
            self.lanes.meet();
        }
        self.lanes.step(at, inst, known);
    }

    /// The state at the start of a function that is called here.
    fn called(&self) -> State {
        State {
            barriers: self.barriers.called(),
            lanes: self.lanes.called(),
        }
    }
}

/// The convergence barrier that an instruction names, unless it is other state of the warp.
fn barrier(inst: &Inst) -> Option<u8> {
    inst.values().find_map(|value| match value {
        Value::Barrier(number) if number < 16 => Some(number),
        _ => None,
    })
}

/// Predicates that must all hold, each with whether it is negated.
type Condition = SmallVec<[(File, u8, bool); 2]>;

/// Which lanes do what an instruction says: its guard, and the condition of a branch.
fn condition(inst: &Inst) -> Condition {
    let mut all = Condition::new();
    if inst.guard != Guard::ALWAYS {
        let file = match inst.guard.uniform {
            true => File::UniformPredicate,
            false => File::Predicate,
        };
        all.push((file, inst.guard.predicate, inst.guard.not));
    }
    for operand in &inst.operands {
        let (file, number) = match operand.value {
            Value::Predicate(number) => (File::Predicate, number),
            Value::UniformPredicate(number) => (File::UniformPredicate, number),
            _ => continue,
        };
        let not = operand.marks.has(Marks::NOT);
        if number != 7 || not {
            all.push((file, number, not));
        }
    }
    all.sort_unstable();
    all
}

/// What is wrong with the place that a `BSSY` names.
fn no_meeting(code: &Code, at: usize, inst: &Inst) -> Option<What> {
    let barrier = barrier(inst).filter(|_| inst.shape.opcode() == "BSSY")?;
    let place = meeting_place(inst, at);
    let before = place
        .checked_sub(1)
        .and_then(|before| code.insts.get(before));
    let meets =
        |inst: &Inst| inst.shape.opcode() == "BSYNC" && self::barrier(inst) == Some(barrier);
    let what = What::NoMeeting { barrier, place };
    (!before.is_some_and(meets)).then_some(what)
}

/// The place that a `BSSY` names.
fn meeting_place(inst: &Inst, at: usize) -> usize {
    flow::place(inst, at).unwrap_or(usize::MAX)
}
