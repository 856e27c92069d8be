//! Whether every instruction reads the values that it read before registers were assigned.
//!
//! ```text
//!   IR over virtual registers ──► what each instruction must read (wanted.rs) ──────────────┐
//!        │ spill, assign_registers, enter_frame, emit, schedule                              ▼
//!   finished code ──► what is in each register, predicate and word of the frame (state.rs) ──► findings
//!        └─ for each instruction the one of the IR that it is, or none for what was put in (moves.rs)
//! ```
//!
//! Blocks correspond to each other. The state at the beginning of a block says for each location which variables it
//! has on every way to it; a variable is one lane of a virtual register, so that pairs and tuples are followed lane by
//! lane. In a block, values have names of their own: what a variable had at the beginning, or what an instruction of
//! the IR wrote. The IR says which of them each operand must be, in the IR's order; the finished code is walked in its
//! own order, so that a scheduler that moves an instruction over another one is judged, too. At the end of a block,
//! a location has a variable if it has the value that the IR gives the variable there. A fixed point over the blocks.
//!
//! # Rules
//!
//! 1. Each operand that is read, and the guard, is in a location that has the value that the IR wants ([`What::Value`]).
//!    A write under a guard leaves its value only where the old one was; else it is there for those only, in the same
//!    block, whose guard is the same value of a predicate, until a write under the opposite guard makes it whole. For those
//!    what a move under that guard makes is what it moves; if nothing was written there before, that will do for all. What
//!    such a move makes is there as a whole after the write of what it moves, if what it leaves was there before that.
//! 2. Each instruction of the IR is there once, in its block; moves, what always gives the same, and branches to the next
//!    instruction may be left out ([`What::Missing`], [`What::Again`], [`What::Foreign`]).
//! 3. It has the operation, marks, numbers and constants of the IR ([`What::Operation`], [`What::Operand`]), and goes to
//!    the block of the IR ([`What::Target`]).
//! 4. Pairs and tuples are aligned and end before `RZ` ([`What::Unaligned`]).
//! 5. What was put in moves values, or computes constants again. It goes to local memory only in the part of the frame
//!    that is for spilled values ([`What::Frame`]). Of other instructions nothing is known, so that what they write is
//!    wrong wherever it is read.
//! 6. A call leaves only what its callee keeps: R1, R2, R16 to R31, of those above the ones whose number has bit 2, UR36 on, B6 on;
//!    and registers and predicates that no instruction of the callee writes, nor of what that calls ([`super::changed`]).
//!    A function returns with what its caller had in them ([`What::Value`] of `RET`).

mod location;
mod moves;
mod state;
mod wanted;

use super::changed::Changed;
use crate::ir::{self, BlockId, Function, Op};
use location::{Location, STACK};
use moves::{Frame, Trouble};
use state::{Contents, Partly, Set, State};
use std::collections::BTreeSet;
use std::fmt;
use wanted::{Constants, GUARD, Now, Step, Value, Wanted, uses, width};
use warpc_sass::{Guard, Inst, Marks, Value as SassValue};

/// Code with its registers, and what it was made from.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The IR before registers were assigned.
    pub wanted: &'a Function,
    /// The finished instructions of the function.
    pub insts: &'a [Inst],
    /// The number of the first of them in its section.
    pub first: usize,
    /// For each call of the IR the number of the first instruction of the function that is called.
    pub callees: &'a [usize],
    /// What that function changes.
    pub changed: &'a [Changed],
    /// For each of them the number of the instruction of the IR that it is, in the order of its blocks; nothing for what
    /// was put in.
    pub origins: &'a [Option<u32>],
    /// For each block of the IR the number of its first finished instruction.
    pub starts: &'a [u32],
    /// Bytes of local memory of a thread, spilled values included.
    pub frame: u32,
}

/// Something that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kernel.
    pub kernel: String,
    /// The finished instruction, by its number in the section.
    pub at: usize,
    /// It, as text.
    pub text: String,
    /// What is wrong with it.
    pub what: What,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// An operand is in a location with another value.
    Value {
        /// The operand.
        operand: String,
        /// Where it is.
        location: String,
        /// The value that the IR wants.
        wanted: String,
        /// What is there.
        found: String,
    },
    /// An instruction of the IR is not there.
    Missing {
        /// The instruction.
        inst: String,
    },
    /// An instruction of the IR is there twice.
    Again,
    /// It is an instruction of another block, or of none.
    Foreign,
    /// It is another operation than that of the IR.
    Operation {
        /// The instruction of the IR.
        inst: String,
    },
    /// An operand is not that of the IR: a number, a constant, a mark, or what is always zero.
    Operand {
        /// The operand.
        operand: String,
        /// The instruction of the IR.
        inst: String,
    },
    /// It goes to another place than the block of the IR.
    Target {
        /// The instruction where that begins.
        place: usize,
    },
    /// A pair or tuple begins where it cannot.
    Unaligned {
        /// Where.
        location: String,
        /// How many registers it has.
        lanes: u8,
    },
    /// It goes to local memory outside of what is for spilled values.
    Frame,
    /// Instructions, their origins and the starts of blocks do not go together.
    Shape,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = self.at.saturating_mul(16);
        write!(f, "{}: {address:#06x}: `{}`: ", self.kernel, self.text)?;
        match &self.what {
            What::Value {
                operand,
                location,
                wanted,
                found,
            } => write!(
                f,
                "{operand} is in {location}: it must be {wanted}, and there is {found}"
            ),
            What::Missing { inst } => write!(f, "`{inst}` is missing before it"),
            What::Again => write!(f, "it is there twice"),
            What::Foreign => write!(f, "it does not belong to this block"),
            What::Operation { inst } => write!(f, "it must be `{inst}`"),
            What::Operand { operand, inst } => write!(f, "{operand} is not that of `{inst}`"),
            What::Target { place } => {
                write!(f, "it must go to {:#06x}", place.saturating_mul(16))
            }
            What::Unaligned { location, lanes } => {
                write!(f, "{lanes} registers cannot begin at {location}")
            }
            What::Frame => write!(f, "it is not for a spilled value"),
            What::Shape => write!(f, "the code and its blocks do not go together"),
        }
    }
}

/// The findings in code.
pub fn check(code: &Code) -> Vec<Finding> {
    let mut findings = Vec::new();
    let count = code.insts.len();
    let in_order = code.starts.windows(2).all(|pair| pair[0] <= pair[1]);
    let in_code = code.starts.iter().all(|start| *start as usize <= count);
    if code.origins.len() != count
        || code.starts.len() != code.wanted.blocks.len()
        || !(in_order && in_code)
    {
        findings.push(Finding {
            kernel: code.wanted.name.clone(),
            at: code.first,
            text: String::new(),
            what: What::Shape,
        });
        return findings;
    }
    // Where the end of the stack moves (`alloca`) or is aligned, places of the frame are not followed, and nothing is
    // judged.
    let moves = code.wanted.frame_base != crate::build::special::STACK
        || code.wanted.frame_align > crate::build::FRAME_ALIGN;
    if code.wanted.blocks.is_empty() || moves {
        return findings;
    }
    let mut judge = Judge::new(code);
    if judge.wanted.crossing_count() * code.wanted.blocks.len() > MOST_STATE {
        return findings;
    }
    judge.settle();
    judge.findings(&mut findings);
    findings
}

/// Values that live across blocks, times blocks: what has more is not judged. Each block has a state, and values that are
/// equal are all in each other's places, so that it would take minutes and gigabytes.
const MOST_STATE: usize = 250_000;

struct Judge<'a> {
    code: &'a Code<'a>,
    wanted: Wanted<'a>,
    frame: Frame,
    before: Vec<Option<State>>,
    work: BTreeSet<usize>,
    now: Now,
    contents: Contents,
    constants: Constants,
}

impl<'a> Judge<'a> {
    fn new(code: &'a Code<'a>) -> Judge<'a> {
        let wanted = Wanted::of(code.wanted, code.frame);
        let frame = Frame {
            own: code.wanted.frame.next_multiple_of(4),
            bytes: code.frame,
        };
        let (now, contents) = (Now::new(&wanted), Contents::new(frame.slots()));
        let before = vec![None; code.wanted.blocks.len()];
        Judge {
            code,
            wanted,
            frame,
            before,
            work: BTreeSet::new(),
            now,
            contents,
            constants: Constants::default(),
        }
    }

    /// What is in the locations where the code begins: registers that the IR names are what they are, and a function has
    /// its caller's.
    fn entry(&self) -> State {
        let mut named: Vec<Location> = self.wanted.named.clone();
        if self.is_called() {
            let kept = (0..Location::FIXED).map(Location);
            named.extend(kept.filter(|one| one.is_kept_by_calls()));
        }
        named.retain(|one| *one != STACK);
        let own = |location: &Location| {
            let value = Value::Entry(location.0);
            (*location, Set::from_slice(&[value.into()]))
        };
        let mut held: Vec<(Location, Set)> = named.iter().map(own).collect();
        if self.is_called() {
            held.push((STACK, Set::from_slice(&[Value::Stack(0).into()])));
        }
        held.sort_unstable_by_key(|one| one.0);
        held.dedup_by_key(|one| one.0);
        State::entry(&self.wanted, held)
    }

    fn is_called(&self) -> bool {
        !self.code.wanted.is_kernel
    }

    fn settle(&mut self) {
        self.before[0] = Some(self.entry());
        self.work.insert(0);
        // In rounds over the code, so that all loops around a block have changed what comes to it before it is looked at
        // again: the other way loops inside each other take a round for each.
        let mut from = 0;
        loop {
            let next = self.work.range(from..).next().copied();
            let Some(block) = next.or_else(|| self.work.first().copied()) else {
                break;
            };
            self.work.remove(&block);
            from = block + 1;
            let Some(before) = self.before[block].clone() else {
                continue;
            };
            self.walk(block, &before, &mut |_, _| {});
            let after = self.contents.store(&self.wanted, block, &self.now, &before);
            for next in self.code.wanted.successors(BlockId(block as u32)) {
                let next = next.index();
                let changed = match &mut self.before[next] {
                    Some(state) => state.join(&self.wanted, &after),
                    none => {
                        *none = Some(after.clone());
                        true
                    }
                };
                if changed {
                    self.work.insert(next);
                }
            }
        }
    }

    fn findings(&mut self, findings: &mut Vec<Finding>) {
        for block in 0..self.before.len() {
            let Some(before) = self.before[block].take() else {
                continue;
            };
            let (kernel, insts) = (&self.code.wanted.name, self.code.insts);
            let first = self.code.first;
            self.walk(block, &before, &mut |at, what| {
                findings.push(Finding {
                    kernel: kernel.clone(),
                    at: first + at,
                    text: insts.get(at).map_or_else(String::new, Inst::to_string),
                    what,
                });
            });
        }
    }

    /// The numbers of the finished instructions of a block.
    fn range(&self, block: usize) -> std::ops::Range<usize> {
        let starts = self.code.starts;
        let end = starts
            .get(block + 1)
            .map_or(self.code.insts.len(), |end| *end as usize);
        starts[block] as usize..end
    }

    /// Goes through a block.
    fn walk(&mut self, block: usize, before: &State, report: &mut dyn FnMut(usize, What)) {
        before.begin(&mut self.now);
        self.contents.load(before, &self.now);
        let mut steps = self.wanted.steps(block, &mut self.now, &mut self.constants);
        for step in &steps {
            if let Some((value, condition, moved, old)) = step.copy_where() {
                self.contents.copy_where(value, condition, moved, old);
                if step.is_first() {
                    self.contents.will_do(value, moved);
                }
            }
        }
        let range = self.range(block);
        for at in range.clone() {
            let inst = &self.code.insts[at];
            let Some(number) = self.code.origins[at] else {
                let done = moves::inserted(
                    self.code.wanted.sm,
                    self.frame,
                    inst,
                    &mut self.contents,
                    &mut self.constants,
                );
                if let Err(Trouble::OutsideFrame) = done {
                    report(at, What::Frame);
                }
                continue;
            };
            let index = number.checked_sub(self.wanted.base[block]);
            let Some(step) = index.and_then(|index| steps.get_mut(index as usize)) else {
                report(at, What::Foreign);
                moves::forget(inst, &mut self.contents);
                continue;
            };
            if std::mem::replace(&mut step.seen, true) {
                report(at, What::Again);
            }
            let step = &*step;
            self.step(at, inst, step, report);
        }
        for step in steps.iter().filter(|step| !step.seen) {
            let next = step
                .inst
                .target()
                .map(|to| self.code.starts[to.index()] as usize);
            let is_needless = wanted::is_move(step.inst.shape)
                || wanted::writes_constants(step)
                || (step.inst.is_branch() && next == Some(range.end));
            if !is_needless {
                let inst = self.wanted.text(step.number);
                report(range.end.saturating_sub(1), What::Missing { inst });
            }
        }
    }

    /// Judges an instruction of the IR, and does what it does.
    fn step(&mut self, at: usize, inst: &Inst, step: &Step, report: &mut dyn FnMut(usize, What)) {
        if step.copies && moves::copy(inst, &mut self.contents) {
            return;
        }
        if inst.shape != step.inst.shape {
            let inst_wanted = self.wanted.text(step.number);
            report(at, What::Operation { inst: inst_wanted });
            moves::forget(inst, &mut self.contents);
            return;
        }
        self.fixed_operands(at, inst, step, report);
        let condition = step.condition();
        for read in &step.reads {
            let location = match read.slot {
                GUARD => Location::guard(inst.guard),
                wanted::PASSED => Some(Location(read.variable)),
                slot => Location::of(inst.operands[usize::from(slot)].value),
            };
            // What is not a register is reported as another operand.
            let Some(location) = location.map(|one| one.lane(read.lane)) else {
                continue;
            };
            let is_there = match condition.filter(|_| read.slot < wanted::PASSED) {
                Some(condition) => self.contents.has_where(location, read.value, condition),
                None => self.contents.has(location, read.value),
            };
            if !is_there {
                let operand = match read.slot {
                    GUARD => "the guard".to_owned(),
                    wanted::PASSED => "what is passed".to_owned(),
                    slot => format!("operand {slot}"),
                };
                let wanted = self.value(read.value, Some(read.variable));
                report(at, self.wrong(operand, location, wanted));
            }
        }
        self.write(inst, step);
        if wanted::is_call(step.inst.shape) {
            self.call(at, step, report);
        }
        if step.inst.shape.opcode() == "RET" && self.is_called() {
            self.give_back(at, report);
        }
    }

    fn write(&mut self, inst: &Inst, step: &Step) {
        let constant = self.constants.of(inst);
        let mut done: smallvec::SmallVec<[(Location, Option<Value>, bool); 4]> =
            smallvec::SmallVec::new();
        // A write under a guard leaves the old value, which is the new one there: where it was under another guard, it stays.
        let mut kept: smallvec::SmallVec<[Partly; 2]> = smallvec::SmallVec::new();
        // With what moves under the same guard make of it, which need not be there then.
        let mut made: smallvec::SmallVec<[(Location, Value); 2]> = smallvec::SmallVec::new();
        let condition = step.condition();
        for write in &step.writes {
            let operand = inst.operands[usize::from(write.slot)];
            let Some(first) = Location::of(operand.value) else {
                continue;
            };
            let location = first.lane(write.lane);
            let value = match (write.value, constant) {
                (Value::Constant(..), Some(constant)) => Value::Constant(constant, write.lane),
                (Value::Constant(..), None) => {
                    done.push((location, None, false));
                    continue;
                }
                (value, _) => value,
            };
            let is_whole = match condition {
                None => inst.guard == Guard::ALWAYS || self.contents.has(location, write.old),
                // The old value is where this guard does not hold.
                Some((predicate, not)) => {
                    let others = (predicate, !not);
                    self.contents.has_where(location, write.old, others)
                }
            };
            if condition.is_some() && !is_whole {
                let old = self.contents.conditions(location, write.old).into_iter();
                kept.extend(old.map(|where_old| (location, value, where_old)));
            }
            if let Some(condition) = condition {
                let whole = self.contents.made_whole(location, value, condition);
                made.extend(whole.into_iter().map(|value| (location, value)));
            }
            done.push((location, Some(value), is_whole));
        }
        moves::overwritten(self.frame, inst, &mut self.contents);
        for (location, value, is_whole) in done {
            match (value, condition) {
                (Some(value), _) if is_whole => self.contents.put(location, value),
                (Some(value), Some(condition)) if !location.is_of_warp() => {
                    self.contents.put_where(location, value, condition);
                }
                _ => self.contents.clear(location),
            }
        }
        for (location, value, condition) in kept.into_iter().filter(|one| !one.0.is_of_warp()) {
            self.contents.also_where(location, value, condition);
        }
        for (location, value) in made.into_iter().filter(|one| !one.0.is_of_warp()) {
            self.contents.also_whole(location, value);
        }
    }

    /// What a call leaves.
    fn call(&mut self, at: usize, step: &Step, report: &mut dyn FnMut(usize, What)) {
        let stack = Value::Stack(-(self.code.frame as i32));
        if !self.contents.has(STACK, stack) {
            let wanted = self.value(stack, None);
            report(at, self.wrong("the stack".to_owned(), STACK, wanted));
        }
        let mut callees = step.inst.operands.iter().filter_map(|one| match one.op {
            Op::Function(number) => number.checked_sub(1),
            _ => None,
        });
        let callee = callees.next();
        let changed = callee.and_then(|number| self.code.changed.get(number as usize));
        for location in (0..Location::FIXED).map(Location) {
            if location.is_kept_by_calls() {
                continue;
            }
            let left = wanted::called(step.number, location);
            match changed.is_none_or(|changed| location.is_changed(changed)) {
                true => self.contents.put(location, left),
                // What is there is what the call leaves there.
                false if self.wanted.named.contains(&location) => {
                    self.contents.also(location, left);
                }
                false => {}
            }
        }
    }

    /// Whether a function returns with what its caller had in the registers that it keeps.
    fn give_back(&self, at: usize, report: &mut dyn FnMut(usize, What)) {
        for location in (0..Location::FIXED).map(Location) {
            let wanted = match location {
                STACK => Value::Stack(0),
                // All functions of a section have the same there.
                _ if location.is_descriptor() => continue,
                _ => Value::Entry(location.0),
            };
            if location.is_kept_by_calls() && !self.contents.has(location, wanted) {
                let wanted = "what the caller had there".to_owned();
                report(
                    at,
                    self.wrong("a register of the caller".to_owned(), location, wanted),
                );
            }
        }
    }

    /// Judges what is not a value: numbers, constants, marks, places, alignment.
    fn fixed_operands(
        &self,
        at: usize,
        inst: &Inst,
        step: &Step,
        report: &mut dyn FnMut(usize, What),
    ) {
        let other = |operand: String| What::Operand {
            operand,
            inst: self.wanted.text(step.number),
        };
        let guard = step.inst.guard.map(|guard| guard.not);
        let own = (inst.guard != Guard::ALWAYS).then_some(inst.guard.not);
        if guard != own || (guard.is_some() && inst.guard.predicate == 7) {
            report(at, other("the guard".to_owned()));
        }
        let slots = inst.shape.slots().iter();
        for (index, (slot, (own, wanted))) in slots
            .zip(inst.operands.iter().zip(&step.inst.operands))
            .enumerate()
        {
            let location = Location::of(own.value);
            let is_same = match wanted.op {
                // The descriptor of global memory stays where it is, whether this function reads it or not.
                Op::Reg(..) => location.is_some_and(|one| !one.is_descriptor()),
                Op::Value(value) => value == own.value,
                Op::Block(block) => {
                    let place = self.code.starts.get(block.index()).copied();
                    let place = self.code.first + place.unwrap_or(u32::MAX) as usize;
                    let after = usize::from(self.meets_at(block, step.inst));
                    if !self.goes_to(at, own.value, place + after) {
                        report(at, What::Target { place });
                    }
                    true
                }
                Op::Function(number) => {
                    let place = match number.checked_sub(1) {
                        Some(number) => self.code.callees.get(number as usize).copied(),
                        None => Some(0),
                    };
                    let place = place.unwrap_or(usize::MAX);
                    if !self.goes_to(at, own.value, place) {
                        report(at, What::Target { place });
                    }
                    true
                }
                // The loader or the linker adds it to what is there.
                Op::Size(_) | Op::Linked(_) => own.value.number() == Some(0),
                Op::OfCaller(offset) => {
                    own.value.number() == Some(i64::from(self.code.frame) + i64::from(offset))
                }
            };
            let marks = Marks(own.marks.0 & !Marks::REUSE.0);
            if !is_same || marks != Marks(wanted.marks.0 & !Marks::REUSE.0) {
                report(at, other(format!("operand {index}")));
            }
            let lanes = width(slot);
            if let Some(location) = location
                && uses(inst.shape, slot) != (false, false)
                && (!location.number().is_multiple_of(slot.alignment().into())
                    || !location.has(lanes))
            {
                let location = location.to_string();
                report(at, What::Unaligned { location, lanes });
            }
        }
    }

    /// Whether a block of the IR begins with the `BSYNC` of a `BSSY`, which names the place after that. It may begin with
    /// that of another one.
    fn meets_at(&self, block: BlockId, opens: &ir::Inst) -> bool {
        let barrier = |inst: &ir::Inst| {
            let mut ops = inst.operands.iter().map(|operand| operand.op);
            ops.find(|op| matches!(op, Op::Reg(reg, _) if self.code.wanted.data(*reg).file == ir::File::Barrier))
        };
        let block = self.code.wanted.blocks.get(block.index());
        let first = block.and_then(|block| block.insts.first());
        opens.shape.opcode() == "BSSY"
            && first.is_some_and(|inst| {
                inst.shape.opcode() == "BSYNC" && barrier(inst) == barrier(opens)
            })
    }

    /// Whether an operand is a place in the section: a distance, or, as a number, an address.
    fn goes_to(&self, at: usize, own: SassValue, place: usize) -> bool {
        let next = (self.code.first + at + 1) as i64;
        match own {
            SassValue::Place(distance) => {
                distance % 16 == 0 && next + distance / 16 == place as i64
            }
            SassValue::Number(address) => {
                address % 16 == 0 && u64::try_from(address / 16) == Ok(place as u64)
            }
            _ => false,
        }
    }

    fn wrong(&self, operand: String, location: Location, wanted: String) -> What {
        let held = self.contents.of(location);
        let found: Vec<String> = held
            .iter()
            .map(|held| {
                let word = if held.as_word { "as a word, " } else { "" };
                format!("{word}{}", self.value(held.value, None))
            })
            .collect();
        What::Value {
            operand,
            location: location.to_string(),
            wanted,
            found: match found.is_empty() {
                true => "nothing that is known on all ways".to_owned(),
                false => found.join(" and "),
            },
        }
    }

    /// A value in words.
    fn value(&self, value: Value, of: Option<u32>) -> String {
        let text = match value {
            Value::Undefined => "anything".to_owned(),
            Value::Entry(variable) => {
                format!("{} as the block begins with it", self.wanted.name(variable))
            }
            Value::Made(number, ..) => format!("what `{}` writes", self.wanted.text(number)),
            Value::Constant(..) => "a constant".to_owned(),
            Value::Stack(at) => format!("the stack's beginning {at:+}"),
        };
        match (of, value) {
            (Some(variable), Value::Made(..) | Value::Constant(..)) => {
                format!("{}, {text}", self.wanted.name(variable))
            }
            _ => text,
        }
    }
}
