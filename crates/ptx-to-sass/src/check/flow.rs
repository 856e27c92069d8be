//! The ways through a section of machine code: blocks, edges, functions and their calls.
//!
//! | instruction | goes on |
//! |---|---|
//! | `BRA` | at its place; with a guard, a condition, `.DIV` or `.CONV` also at the next instruction |
//! | `BRX`, `JMP`, `JMX`, `BRXU`, `JMXU` | at the known targets; with a guard also at the next instruction |
//! | `CALL` with a place in the section | in the function there, and after its `RET` at the next instruction; where no `RET` can follow and no entry is, it is a jump |
//! | other `CALL` | in the known targets, or in code of another section, and then at the next instruction |
//! | `RET` | after the calls of the functions that it belongs to |
//! | `EXIT`, `KILL`, `BPT.TRAP` | nowhere; with a guard at the next instruction |
//! | `WARPSYNC` with a place | at the next instruction and at the place |
//! | `BSYNC` | at the next instruction; [`convergence`](super::convergence) requires that to be the place of its `BSSY` |
//! | others, `BSSY` among them | at the next instruction |
//!
//! Code that no entry reaches is not followed.

use super::{Code, Finding, What};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::inst::Guard;
use warpc_sass::latency::{File, Role};
use warpc_sass::operand::Marks;
use warpc_sass::shape::Traits;
use warpc_sass::{Inst, Value};

/// Instructions of which the first is entered from elsewhere and only the last goes elsewhere.
#[derive(Clone, Debug)]
pub struct Block {
    /// The first instruction.
    pub start: usize,
    /// The first instruction after it.
    pub end: usize,
    /// The blocks of the same function that may follow at once.
    pub next: SmallVec<[usize; 2]>,
    /// The call at its end.
    pub call: Option<Call>,
    /// Whether it ends with a return.
    pub returns: bool,
    /// Whether an entry reaches it.
    pub reached: bool,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The functions that may be called, by their numbers; none if they are in other sections.
    pub callees: SmallVec<[usize; 1]>,
    /// The block that it comes back to.
    pub back: Option<usize>,
}

/// A function: where a kernel starts, or what a call goes to.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its first block.
    pub entry: usize,
    /// Its blocks; a block can belong to several functions.
    pub blocks: Vec<usize>,
    /// Those of them that return.
    pub returns: Vec<usize>,
    /// The blocks that call it.
    pub callers: Vec<usize>,
    /// Whether the caller of the check named it as an entry.
    pub is_entry: bool,
}

/// The ways through a section.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The blocks, in the order of their instructions.
    pub blocks: Vec<Block>,
    /// The functions.
    pub functions: Vec<Function>,
    /// For each block, the functions that it belongs to and returns from.
    pub returns_from: FxHashMap<usize, Vec<usize>>,
    /// Blocks in an order in which most come after those before them.
    pub order: Vec<usize>,
    /// What is wrong with the ways themselves.
    pub findings: Vec<Finding>,
}

/// Where an instruction goes on.
#[derive(Default)]
struct Exits {
    next: bool,
    jumps: SmallVec<[usize; 2]>,
    calls: bool,
    callees: SmallVec<[usize; 1]>,
    returns: bool,
}

impl Exits {
    /// Makes jumps of calls to some places.
    fn callees_to_jumps(&mut self, is_jump: impl Fn(&usize) -> bool) {
        if !self.callees.iter().any(&is_jump) {
            return;
        }
        self.jumps
            .extend(self.callees.iter().copied().filter(&is_jump));
        self.callees.retain(|target| !is_jump(target));
        self.calls = !self.callees.is_empty();
    }
}

impl Flow {
    /// The ways through code.
    pub fn of(code: &Code) -> Flow {
        let mut flow = Flow::default();
        let count = code.insts.len();
        let mut exits: FxHashMap<usize, Exits> = FxHashMap::default();
        let mut starts = vec![false; count];
        let mut functions: Vec<usize> = Vec::new();
        for entry in code.entries.iter().copied() {
            match starts.get_mut(entry) {
                Some(start) => *start = true,
                None => flow.report(entry, What::OutsideSection),
            }
        }
        for (at, inst) in code.insts.iter().enumerate() {
            let Some(found) = flow.exits(code, at, inst) else {
                continue;
            };
            for target in found.jumps.iter().chain(&found.callees) {
                starts[*target] = true;
            }
            functions.extend(&found.callees);
            if let Some(start) = starts.get_mut(at + 1) {
                *start = true;
            }
            exits.insert(at, found);
        }
        let entries = code.entries.iter().copied().filter(|entry| *entry < count);
        let mut named: Vec<usize> = entries.collect();
        named.sort_unstable();
        functions.extend(&named);
        functions.sort_unstable();
        functions.dedup();
        let block_of = flow.cut(&starts);
        loop {
            flow.connect(&exits, &block_of, &functions);
            let entries = functions.iter().map(|at| Function {
                entry: block_of[*at],
                blocks: Vec::new(),
                returns: Vec::new(),
                callers: Vec::new(),
                is_entry: named.binary_search(at).is_ok(),
            });
            flow.functions = entries.collect();
            flow.reach();
            // ptxas also jumps with `CALL`.
            let is_jump = |function: &Function| !function.is_entry && function.returns.is_empty();
            let jumps: Vec<bool> = flow.functions.iter().map(is_jump).collect();
            if !jumps.contains(&true) {
                break;
            }
            for exits in exits.values_mut() {
                exits.callees_to_jumps(|target| {
                    functions
                        .binary_search(target)
                        .is_ok_and(|number| jumps[number])
                });
            }
            let mut jumps = jumps.into_iter();
            functions.retain(|_| !jumps.next().unwrap_or(false));
        }
        flow.number();
        let reached: Vec<(usize, usize)> = flow
            .blocks
            .iter()
            .filter(|block| block.reached)
            .map(|block| (block.start, block.end))
            .collect();
        let is_reached = |at: usize| {
            let index = reached.partition_point(|block| block.1 <= at);
            reached.get(index).is_some_and(|block| block.0 <= at)
        };
        let outside = |finding: &Finding| finding.at >= count || is_reached(finding.at);
        flow.findings.retain(outside);
        flow
    }

    fn report(&mut self, at: usize, what: What) {
        self.findings.push(Finding { at, what });
    }

    /// Where an instruction goes on, if that is not only at the next one.
    fn exits(&mut self, code: &Code, at: usize, inst: &Inst) -> Option<Exits> {
        let traits = inst.shape.traits();
        let opcode = inst.shape.opcode();
        let mut exits = Exits {
            next: true,
            ..Exits::default()
        };
        let known = || code.indirect.iter().find(|one| one.at == at);
        match opcode {
            "CALL" => {
                exits.calls = true;
                exits.next = is_conditional(inst);
                match known() {
                    Some(known) => exits.callees.extend(known.targets.iter().copied()),
                    None if has_address(inst) => {}
                    None => exits.callees.extend(place(inst, at)),
                }
            }
            "RET" => {
                exits.returns = true;
                exits.next = is_conditional(inst);
            }
            "BRA" => {
                exits.next = is_conditional(inst);
                match place(inst, at) {
                    Some(target) => exits.jumps.push(target),
                    None => self.report(at, What::UnknownTarget),
                }
            }
            "WARPSYNC" => exits.jumps.push(place(inst, at)?),
            "BPT" if inst.shape.has("TRAP") => exits.next = is_conditional(inst),
            _ if traits.contains(Traits::EXITS) => exits.next = is_conditional(inst),
            _ if traits.contains(Traits::TERMINATES) => {
                exits.next = is_conditional(inst);
                match known() {
                    Some(known) => exits.jumps.extend(known.targets.iter().copied()),
                    None => self.report(at, What::UnknownTarget),
                }
            }
            _ if at + 1 == code.insts.len() => {}
            _ => return None,
        }
        let count = code.insts.len();
        let inside = |target: &mut usize| *target < count;
        let targets = exits.jumps.len() + exits.callees.len();
        exits.jumps.retain(inside);
        exits.callees.retain(inside);
        if exits.jumps.len() + exits.callees.len() < targets {
            self.report(at, What::OutsideSection);
        }
        if at + 1 == count && (exits.next || exits.calls) {
            self.report(at, What::FallsOffTheEnd);
        }
        Some(exits)
    }

    /// Makes the blocks; for each instruction its block.
    fn cut(&mut self, starts: &[bool]) -> Vec<usize> {
        let mut block_of = Vec::with_capacity(starts.len());
        for (at, start) in starts.iter().enumerate() {
            if *start || at == 0 {
                self.blocks.push(Block {
                    start: at,
                    end: at,
                    next: SmallVec::new(),
                    call: None,
                    returns: false,
                    reached: false,
                });
            }
            let block = self.blocks.len() - 1;
            self.blocks[block].end = at + 1;
            block_of.push(block);
        }
        block_of
    }

    fn connect(
        &mut self,
        exits: &FxHashMap<usize, Exits>,
        block_of: &[usize],
        functions: &[usize],
    ) {
        let count = self.blocks.len();
        self.returns_from.clear();
        for (number, block) in self.blocks.iter_mut().enumerate() {
            (block.reached, block.call) = (false, None);
            block.next.clear();
            let after = Some(number + 1).filter(|next| *next < count);
            let Some(exits) = exits.get(&(block.end - 1)) else {
                block.next.extend(after);
                continue;
            };
            if exits.next {
                block.next.extend(after);
            }
            for target in &exits.jumps {
                let target = block_of[*target];
                if !block.next.contains(&target) {
                    block.next.push(target);
                }
            }
            block.returns = exits.returns;
            if exits.calls {
                let callees = exits.callees.iter();
                block.call = Some(Call {
                    callees: callees
                        .filter_map(|target| functions.binary_search(target).ok())
                        .collect(),
                    back: after,
                });
            }
        }
    }

    /// Finds what entries reach, and the blocks of every function.
    fn reach(&mut self) {
        let mut work: Vec<usize> = Vec::new();
        let entries = self.functions.iter().filter(|one| one.is_entry);
        work.extend(entries.map(|one| one.entry));
        while let Some(number) = work.pop() {
            let block = &mut self.blocks[number];
            if std::mem::replace(&mut block.reached, true) {
                continue;
            }
            work.extend(&block.next);
            if let Some(call) = &block.call {
                work.extend(call.back);
                work.extend(
                    call.callees
                        .iter()
                        .map(|callee| self.functions[*callee].entry),
                );
            }
        }
        let mut seen = vec![usize::MAX; self.blocks.len()];
        for (number, function) in self.functions.iter_mut().enumerate() {
            let mut work = vec![function.entry];
            while let Some(at) = work.pop() {
                let block = &self.blocks[at];
                if seen[at] == number || !block.reached {
                    continue;
                }
                seen[at] = number;
                function.blocks.push(at);
                work.extend(&block.next);
                work.extend(block.call.as_ref().and_then(|call| call.back));
                if block.returns {
                    function.returns.push(at);
                    self.returns_from.entry(at).or_default().push(number);
                }
            }
            function.blocks.sort_unstable();
        }
        for (number, block) in self.blocks.iter().enumerate().filter(|one| one.1.reached) {
            for callee in block.call.iter().flat_map(|call| &call.callees) {
                self.functions[*callee].callers.push(number);
            }
        }
    }

    /// Orders the reached blocks: callers before callees, and a block after those before it where there is no loop.
    fn number(&mut self) {
        let mut state = vec![0u8; self.blocks.len()];
        let mut after: Vec<usize> = Vec::new();
        let entries: Vec<usize> = self
            .functions
            .iter()
            .filter(|one| one.is_entry)
            .map(|one| one.entry)
            .collect();
        for entry in entries.into_iter().rev() {
            // A block is on the stack with the number of those after it that were looked at.
            let mut stack = vec![(entry, 0)];
            while let Some((number, seen)) = stack.pop() {
                if seen == 0 && std::mem::replace(&mut state[number], 1) != 0 {
                    continue;
                }
                match self.following(number).nth(seen) {
                    Some(next) => {
                        stack.push((number, seen + 1));
                        if state[next] == 0 {
                            stack.push((next, 0));
                        }
                    }
                    None => after.push(number),
                }
            }
        }
        after.reverse();
        self.order = after;
    }

    /// The blocks that follow: what comes after a call, then where it goes, then jumps.
    fn following(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let block = &self.blocks[number];
        let back = block.call.iter().filter_map(|call| call.back);
        let callees = block.call.iter().flat_map(|call| &call.callees);
        let callees = callees.map(|callee| self.functions[*callee].entry);
        back.chain(callees).chain(block.next.iter().copied())
    }

    /// The blocks that a thread may be in next: jumps, functions that are called, and where those that return go on. A call
    /// of code of another section goes on after it.
    pub fn successors(&self, number: usize) -> SmallVec<[usize; 4]> {
        let block = &self.blocks[number];
        let mut all: SmallVec<[usize; 4]> = SmallVec::from_slice(&block.next);
        if let Some(call) = &block.call {
            let callees = call.callees.iter();
            all.extend(callees.map(|callee| self.functions[*callee].entry));
            if call.callees.is_empty() {
                all.extend(call.back);
            }
        }
        let functions = self.returns_from.get(&number).into_iter().flatten();
        for caller in functions.flat_map(|function| &self.functions[*function].callers) {
            let call = self.blocks[*caller].call.as_ref();
            all.extend(call.and_then(|call| call.back));
        }
        all
    }
}

/// The place that an instruction names, as the number of an instruction.
pub fn place(inst: &Inst, at: usize) -> Option<usize> {
    let distance = inst.values().find_map(|value| match value {
        Value::Place(distance) => Some(distance),
        _ => None,
    })?;
    let address = i64::try_from(at).ok()?.checked_add(1)?.checked_mul(16)?;
    let address = address.checked_add(distance)?;
    match address % 16 {
        0 => usize::try_from(address / 16).ok().or(Some(usize::MAX)),
        _ => Some(usize::MAX),
    }
}

/// Whether a call goes to an address in a register.
fn has_address(inst: &Inst) -> bool {
    inst.values()
        .any(|value| matches!(value, Value::Register(_) | Value::Uniform(_)))
}

/// Whether some lanes may not go where the instruction goes: it has a guard or a condition.
pub fn is_conditional(inst: &Inst) -> bool {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let mut conditions = slots.filter(|(slot, operand)| {
        let predicate = matches!(slot.file, Some(File::Predicate | File::UniformPredicate));
        let holds = matches!(
            operand.value,
            Value::Predicate(7) | Value::UniformPredicate(7)
        );
        let is_true = holds && !operand.marks.has(Marks::NOT);
        predicate && slot.role != Role::Result && !is_true
    });
    inst.guard != Guard::ALWAYS
        || conditions.next().is_some()
        || inst.shape.has("DIV")
        || inst.shape.has("CONV")
}
