//! Whether every register is there when it is read, and free when it is written, on every way through the code.
//!
//! A forward dataflow to a fixed point over all blocks, back edges and calls included. The state before an instruction
//! is what may be *open*: results that may not be there and operands that may not have been read, each with
//!
//! * the fewest cycles since its instruction was issued, by the stall counts on the shortest way;
//! * the scoreboards of which a wait proves it done: its own ones, and those of later instructions that keep the order
//!   with it ([`latency::order`](warpc_sass::latency::order)), with how many more instructions hold each since then,
//!   for `DEPBAR.LE`. On several ways, only what holds on all of them;
//! * whether the predicate of its guard is unchanged since, so that the opposite guard excludes it;
//! * which instruction gave an operand its value, if that always gives the same: it may be executed again at any time.
//!
//! What is done is not in the state, so states are small. Equal uses with the same scoreboards and guards are one,
//! whichever instructions they come from: states are bounded by the registers and the kinds of uses, not by the code.
//! Every access is then held against [`Facts::need`], as `warpc_sass::latency::check` does for straight code.
//!
//! # Calls
//!
//! A function begins with what any of its callers may leave open, and a caller goes on with what it left open itself,
//! as far as the function did not wait for it, and with what the function leaves open. What a caller left open is
//! marked with the call, so that it does not come back to other callers. After a call to another section nothing with
//! a fixed latency is open: there is a call and a return between; what has none stays open, because nobody knows
//! what is waited for there.
//!
//! # What is not judged
//!
//! Uniform registers belong to the warp and not to its lanes: when lanes part, the sides are executed one after the
//! other in an order that is not known, so uses of a uniform register on both sides are not held against each other.
//! Memory is not judged.

mod prepare;
mod state;

use super::flow::Flow;
use super::{Code, Finding, What};
use prepare::{Prepared, Program};
use state::{State, Working};
use std::collections::BTreeSet;
use warpc_sass::latency::check::{Line, short_stalls};
use warpc_sass::latency::{Facts, Hazard, Need};
use warpc_sass::shape::{Space, Traits};
use warpc_target::Sm;

/// The findings in code.
pub fn check(code: &Code, flow: &Flow) -> Vec<Finding> {
    let finding = |at, what| Finding { at, what };
    let Some(facts) = Facts::of(code.chip) else {
        return vec![finding(0, What::UnknownChip)];
    };
    let program = Program::of(facts, code);
    let judge = Judge::settled(flow, &program);
    let mut found = judge.findings(facts);
    found.extend(short(code, flow));
    found.sort_by_key(|finding| finding.at);
    found
}

/// How many accesses may be open at an instruction that its wait for a scoreboard proves done, and no other wait of it:
/// with none, the wait is not for a register.
pub fn awaited(code: &Code, flow: &Flow, at: usize, board: u8) -> usize {
    let Some(facts) = Facts::of(code.chip) else {
        return 0;
    };
    let program = Program::of(facts, code);
    let judge = Judge::settled(flow, &program);
    let block = flow.blocks.partition_point(|block| block.end <= at);
    let before = judge.before.get(block).and_then(Option::as_ref);
    let (Some(before), Some(block)) = (before, flow.blocks.get(block)) else {
        return 0;
    };
    let mut working = Working::new();
    working.load(before);
    for prepared in &program.insts[block.start..at] {
        working.step(&program, prepared);
    }
    working.told_by(&program.insts[at].waits, usize::from(board))
}

/// Cycles from a barrier of the block to a memory access: earlier, the warp has not been held back. Source: hardware
/// (sm_90); ptxas never has fewer.
fn after_barrier(chip: Sm) -> u32 {
    if chip.number() < 80 { 5 } else { 6 }
}

/// Whether memory is accessed too early after a barrier of the block.
fn is_too_close(code: &Code, at: usize, end: usize) -> bool {
    let least = after_barrier(code.chip);
    let mut distance = 0;
    for (before, inst) in code.insts[at..end]
        .windows(2)
        .map(|pair| (&pair[0], &pair[1]))
    {
        // Without a stall, the next one is issued when it is done.
        if before.control.stall == 0 {
            return false;
        }
        distance += u32::from(before.control.stall);
        let is_memory = !matches!(inst.shape.memory().space, Space::None | Space::Constant);
        if distance >= least || is_memory {
            return distance < least;
        }
    }
    false
}

/// Control words that contradict themselves, in code that is reached.
fn short(code: &Code, flow: &Flow) -> Vec<Finding> {
    let mut found = Vec::new();
    for block in flow.blocks.iter().filter(|block| block.reached) {
        for at in block.start..block.end {
            let inst = &code.insts[at];
            let is_barrier = inst.shape.traits().contains(Traits::BLOCK_BARRIER);
            // `ERRBAR` is done before anything else is issued. Source: ptxas writes no other control word for it.
            let is_short = inst.shape.opcode() == "ERRBAR" && inst.control.stall != 0;
            if is_short || is_barrier && is_too_close(code, at, block.end) {
                let what = What::ShortStall;
                found.push(Finding { at, what });
            }
        }
        // With the first instruction of the next block: it may wait for a scoreboard that the last one raises.
        let end = (block.end + 1).min(code.insts.len());
        let insts = code.insts[block.start..end].iter().cloned();
        let lines: Vec<Option<Line>> = insts.map(Line::of).collect();
        let own = short_stalls(&lines).into_iter();
        let own = own.map(|at| at + block.start).filter(|at| *at < block.end);
        found.extend(own.map(|at| Finding {
            at,
            what: What::ShortStall,
        }));
    }
    found
}

struct Judge<'a> {
    flow: &'a Flow,
    program: &'a Program,
    /// What may be open at the start of a block; nothing before it was reached.
    before: Vec<Option<State>>,
    /// What may be open at the end of blocks that call or return.
    after: Vec<Option<State>>,
    /// The place of a block in the order.
    rank: Vec<usize>,
    /// The places of blocks that must be looked at.
    work: BTreeSet<usize>,
}

impl<'a> Judge<'a> {
    /// With what may be open on every way.
    fn settled(flow: &'a Flow, program: &'a Program) -> Judge<'a> {
        let mut judge = Judge {
            flow,
            program,
            before: vec![None; flow.blocks.len()],
            after: vec![None; flow.blocks.len()],
            rank: vec![0; flow.blocks.len()],
            work: BTreeSet::new(),
        };
        judge.settle();
        judge
    }

    fn settle(&mut self) {
        for (rank, block) in self.flow.order.iter().enumerate() {
            self.rank[*block] = rank;
        }
        let entries = self.flow.functions.iter().filter(|one| one.is_entry);
        for entry in entries.map(|one| one.entry) {
            self.join(entry, State::default());
        }
        let mut working = Working::new();
        while let Some(rank) = self.work.pop_first() {
            let number = self.flow.order[rank];
            self.visit(number, &mut working);
        }
    }

    fn visit(&mut self, number: usize, working: &mut Working) {
        let Some(before) = &self.before[number] else {
            return;
        };
        let block = &self.flow.blocks[number];
        working.load(before);
        for prepared in &self.program.insts[block.start..block.end] {
            working.step(self.program, prepared);
        }
        let after = working.store(self.program);
        for next in &block.next {
            self.join(*next, after.clone());
        }
        if block.call.is_none() && !block.returns {
            return;
        }
        self.after[number] = Some(after);
        self.call(number);
        self.come_back(number);
    }

    /// Goes into the functions that a block calls, and behind the call with what they leave open.
    fn call(&mut self, number: usize) {
        let (Some(call), Some(after)) =
            (&self.flow.blocks[number].call, self.after[number].clone())
        else {
            return;
        };
        if let (true, Some(back)) = (call.callees.is_empty(), call.back) {
            self.join(back, state::after_foreign_call(self.program, &after));
            return;
        }
        let inherited = state::inherited(&after, number);
        for callee in &call.callees {
            let function = &self.flow.functions[*callee];
            self.join(function.entry, inherited.clone());
            for end in &function.returns {
                self.come_back_to(number, *end);
            }
        }
    }

    /// Goes on after all calls of the functions that a block returns from.
    fn come_back(&mut self, end: usize) {
        for function in self.flow.returns_from.get(&end).into_iter().flatten() {
            for caller in &self.flow.functions[*function].callers {
                self.come_back_to(*caller, end);
            }
        }
    }

    fn come_back_to(&mut self, caller: usize, end: usize) {
        if !self.flow.blocks[end].returns {
            return;
        }
        let (Some(left), Some(returned)) = (&self.after[caller], &self.after[end]) else {
            return;
        };
        let call = self.flow.blocks[caller].call.as_ref();
        if let Some(back) = call.and_then(|call| call.back) {
            self.join(back, state::returned(left, returned, caller));
        }
    }

    /// Adds to what may be open at the start of a block.
    fn join(&mut self, number: usize, more: State) {
        let changed = match &mut self.before[number] {
            Some(state) => state::merge(state, more),
            none => {
                *none = Some(more);
                true
            }
        };
        if changed {
            self.work.insert(self.rank[number]);
        }
    }

    /// Looks at every access with what may be open before it.
    fn findings(&self, facts: &'static Facts) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut working = Working::new();
        for (block, before) in self.flow.blocks.iter().zip(&self.before) {
            let Some(before) = before else { continue };
            working.load(before);
            for at in block.start..block.end {
                let prepared = &self.program.insts[at];
                if prepared.is_unknown {
                    let what = What::UnknownInstruction;
                    found.push(Finding { at, what });
                }
                working.wait(self.program, prepared);
                self.judge(facts, &working, at, prepared, &mut found);
                working.issue(self.program, prepared);
            }
        }
        found
    }

    fn judge(
        &self,
        facts: &'static Facts,
        working: &Working,
        at: usize,
        prepared: &Prepared,
        found: &mut Vec<Finding>,
    ) {
        let mut reported: Vec<(usize, u32, Hazard)> = Vec::new();
        for own in self.program.uses(prepared) {
            for event in working.at(own.register) {
                let (first, second) = (
                    &self.program.classes[event.class as usize],
                    &self.program.classes[own.class as usize],
                );
                let hazard = match (first.is_write(), second.is_write()) {
                    (true, false) => Hazard::ReadAfterWrite,
                    (true, true) => Hazard::WriteAfterWrite,
                    (false, true) => Hazard::WriteAfterRead,
                    (false, false) => continue,
                };
                if event.guard_holds && first.excludes(second) {
                    continue;
                }
                // The value that is read is the one that is written again.
                if hazard == Hazard::WriteAfterRead && event.value == Some(prepared.at) {
                    continue;
                }
                let in_order = match hazard {
                    Hazard::ReadAfterWrite => false,
                    Hazard::WriteAfterWrite => {
                        second.writers.is_some() && second.writers == first.writers
                    }
                    Hazard::WriteAfterRead => {
                        second.readers.is_some() && second.readers == first.readers
                    }
                };
                let need = match in_order {
                    true => Some(Need::Cycles(1)),
                    false => facts.need(hazard, first.what, second.what, first.is_guarded),
                };
                let distance = working.distance(event);
                let enough = match need {
                    Some(Need::Cycles(cycles) | Need::Either(cycles)) => {
                        distance >= u32::from(cycles)
                    }
                    Some(Need::Scoreboard) => false,
                    None => true,
                };
                let key = (usize::from(own.register), event.from, hazard);
                let Some(need) = need.filter(|_| !enough && !reported.contains(&key)) else {
                    continue;
                };
                reported.push(key);
                found.push(Finding {
                    at,
                    what: What::TooEarly {
                        hazard,
                        from: event.from as usize,
                        file: first.what.access.file,
                        register: prepare::number(own.register),
                        need,
                        distance,
                    },
                });
            }
        }
    }
}
