//! What each instruction must read, by the IR before registers were assigned.
//!
//! A *variable* is a lane of a virtual register, or a register of the machine that the IR names itself. In a block, the
//! value of a variable is the one that it has at the beginning, or what an instruction of the block has written; a move
//! gives its source's. A write under a guard makes a value that is the old one where the guard does not hold.

use super::location::{Location, STACK};
use crate::ir::{self, BlockId, Function, Op, Reg};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::shape::{Shape, Slot, Traits};
use warpc_sass::template::Kind;
use warpc_sass::{Inst, Operand, Value as SassValue, special};

/// A lane of a virtual register, or a register of the machine: those come first.
pub(super) type Variable = u32;

/// A value, in a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Value {
    /// Nothing was written on any way: whatever is there will do.
    Undefined,
    /// What a variable has at the beginning of the block.
    Entry(Variable),
    /// What an instruction of the IR has written in a slot, and the lane.
    Made(u32, u16, u8),
    /// What an instruction without operands always gives, and the lane.
    Constant(u32, u8),
    /// The stack's beginning and so many bytes.
    Stack(i32),
}

/// Added to a location: what a call leaves there.
pub(super) const CALLED: u16 = 0x8000;
/// In the place of a slot: the guard, or a register that is passed to a function or back.
pub(super) const GUARD: u16 = u16::MAX;
/// See [`GUARD`].
pub(super) const PASSED: u16 = u16::MAX - 1;

/// A lane of an operand that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// The slot, or [`GUARD`].
    pub slot: u16,
    pub lane: u8,
    pub variable: Variable,
    pub value: Value,
}

/// A lane of an operand that is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub slot: u16,
    pub lane: u8,
    pub value: Value,
    /// What it was before: it stays so where the guard does not hold.
    pub old: Value,
}

/// An instruction of the IR with what it must read.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub inst: &'a ir::Inst,
    pub number: u32,
    pub reads: SmallVec<[Read; 8]>,
    pub writes: SmallVec<[Write; 4]>,
    /// Whether it is a move for all threads.
    pub copies: bool,
    /// Whether it is among the finished code.
    pub seen: bool,
}

impl Step<'_> {
    /// The value of its guard's predicate, and whether that must be false.
    pub fn condition(&self) -> Option<(Value, bool)> {
        let guard = self.inst.guard?;
        let read = self.reads.iter().find(|read| read.slot == GUARD)?;
        // Two predicates that were never written need not be the same.
        (read.value != Value::Undefined).then_some((read.value, guard.not))
    }

    /// Of a move under a guard: the value that it makes, where, the one that it moves, and what was there before.
    pub fn copy_where(&self) -> Option<(Value, (Value, bool), Value, Value)> {
        let condition = self.condition()?;
        let (Some(from), true) = (self.inst.operands.get(1), is_move(self.inst.shape)) else {
            return None;
        };
        let mut reads = self.reads.iter().filter(|read| read.slot != GUARD);
        let (Some(read), None) = (reads.next(), reads.next()) else {
            return None;
        };
        match &self.writes[..] {
            [write] if from.marks == warpc_sass::Marks::NONE => {
                Some((write.value, condition, read.value, write.old))
            }
            _ => None,
        }
    }

    /// Whether nothing was written before where it writes.
    pub fn is_first(&self) -> bool {
        self.writes
            .iter()
            .all(|write| write.old == Value::Undefined)
    }
}

/// The function before registers were assigned.
pub(super) struct Wanted<'a> {
    pub function: &'a Function,
    /// Bytes that R1 is below the stack's beginning.
    pub frame: u32,
    /// The variable of the first lane of each virtual register.
    first: Vec<Variable>,
    /// The number of the first instruction of each block.
    pub base: Vec<u32>,
    /// For each variable its number among those that are live across blocks.
    crossing: Vec<u32>,
    /// What is live at the end of each block, by those numbers.
    live_out: Vec<Bits>,
    /// The registers of the machine that the IR names.
    pub named: Vec<Location>,
}

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub fn new(size: usize) -> Bits {
        Bits(vec![0; size.div_ceil(64)])
    }

    pub fn has(&self, index: u32) -> bool {
        let word = self.0.get(index as usize / 64);
        word.is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    pub fn set(&mut self, index: u32) {
        if let Some(word) = self.0.get_mut(index as usize / 64) {
            *word |= 1 << (index % 64);
        }
    }

    pub fn clear(&mut self, index: u32) {
        if let Some(word) = self.0.get_mut(index as usize / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    /// Takes the others in; whether that is more.
    pub fn add(&mut self, other: &Bits) -> bool {
        let mut more = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            more |= other & !*own != 0;
            *own |= other;
        }
        more
    }

    /// Leaves those that are in the others, too.
    pub fn keep(&mut self, other: &Bits) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own &= other;
        }
    }
}

/// What is done to the operand of a slot: the first is whether it is read, the second whether it is written.
pub(super) fn uses(shape: &Shape, slot: &Slot) -> (bool, bool) {
    match slot.kind() {
        Kind::Barrier => {
            let traits = shape.traits();
            let reads = traits.contains(Traits::READS_BARRIER);
            (reads, traits.contains(Traits::WRITES_BARRIER))
        }
        _ => (!slot.is_written(), slot.is_written()),
    }
}

/// How many registers the operand of a slot has.
pub(super) fn width(slot: &Slot) -> u8 {
    slot.width.registers(u128::MAX).max(1)
}

impl<'a> Wanted<'a> {
    pub fn of(function: &'a Function, frame: u32) -> Wanted<'a> {
        let mut first = Vec::with_capacity(function.regs.len());
        let mut next = Location::FIXED;
        for data in &function.regs {
            first.push(next);
            next += u32::from(data.lanes);
        }
        let mut base = Vec::with_capacity(function.blocks.len());
        let mut number = 0;
        for block in &function.blocks {
            base.push(number);
            number += block.insts.len() as u32;
        }
        let mut wanted = Wanted {
            function,
            frame,
            first,
            base,
            crossing: vec![u32::MAX; next as usize],
            live_out: Vec::new(),
            named: Vec::new(),
        };
        wanted.find_crossing();
        wanted.find_live();
        wanted
    }

    pub fn variables(&self) -> usize {
        self.crossing.len()
    }

    pub fn variable(&self, reg: Reg, lane: u8) -> Variable {
        self.first[reg.0 as usize] + u32::from(lane)
    }

    /// The name of a variable.
    pub fn name(&self, variable: Variable) -> String {
        if variable < Location::FIXED {
            return Location(variable).to_string();
        }
        let reg = self.first.partition_point(|first| *first <= variable) - 1;
        let lane = (variable - self.first[reg]) as u8;
        ir::print::name(self.function, Reg(reg as u32), lane)
    }

    /// An instruction of the IR as text.
    pub fn text(&self, number: u32) -> String {
        let block = self.base.partition_point(|base| *base <= number) - 1;
        let at = (number - self.base[block]) as usize;
        let inst = self.function.blocks[block].insts.get(at);
        inst.map_or_else(String::new, |inst| ir::print::line(self.function, inst))
    }

    /// How many variables are live across blocks.
    pub fn crossing_count(&self) -> usize {
        let numbers = self.crossing.iter().filter(|number| **number != u32::MAX);
        numbers.count()
    }

    /// The number of a variable among those that are live across blocks.
    pub fn crossing(&self, variable: Variable) -> Option<u32> {
        let number = self.crossing.get(variable as usize).copied();
        number.filter(|number| *number != u32::MAX)
    }

    pub fn live_out(&self, block: usize) -> &Bits {
        &self.live_out[block]
    }

    /// Whether a variable may be read after a block. Registers that the IR names are followed everywhere.
    pub fn is_live_after(&self, block: usize, variable: Variable) -> bool {
        variable < Location::FIXED
            || self
                .crossing(variable)
                .is_some_and(|number| self.live_out[block].has(number))
    }

    /// The lanes of virtual registers, and the registers of the machine, in the slots of an instruction.
    fn operands(&self, inst: &ir::Inst, mut each: impl FnMut(u16, u8, Variable, bool, bool)) {
        for (index, (slot, operand)) in inst.shape.slots().iter().zip(&inst.operands).enumerate() {
            let (reads, writes) = uses(inst.shape, slot);
            let first = match operand.op {
                Op::Reg(reg, lane) => Some(self.variable(reg, lane)),
                Op::Value(value) => Location::of(value).map(|location| location.0),
                Op::Block(_) | Op::Function(_) | Op::OfCaller(_) | Op::Size(_) | Op::Linked(_) => {
                    None
                }
            };
            for lane in 0..width(slot) {
                if let Some(first) = first {
                    each(index as u16, lane, first + u32::from(lane), reads, writes);
                }
            }
        }
    }

    /// Numbers the variables that a block may read before it has written them.
    fn find_crossing(&mut self) {
        let mut written = vec![u32::MAX; self.crossing.len()];
        let mut crossing: Vec<Variable> = Vec::new();
        let mut named = vec![false; Location::FIXED as usize];
        for (block, number) in self.function.blocks.iter().zip(0u32..) {
            for inst in &block.insts {
                let mut note = |variable: Variable| match named.get_mut(variable as usize) {
                    Some(named) => *named = true,
                    None if written[variable as usize] != number => crossing.push(variable),
                    None => {}
                };
                if let Some(guard) = inst.guard {
                    note(self.variable(guard.reg, 0));
                }
                let is_guarded = inst.guard.is_some();
                self.operands(inst, |_, _, variable, reads, _| {
                    if reads || is_guarded || variable < Location::FIXED {
                        note(variable);
                    }
                });
                self.operands(inst, |_, _, variable, _, writes| {
                    if writes && !is_guarded {
                        written[variable as usize] = number;
                    }
                });
            }
        }
        crossing.sort_unstable();
        crossing.dedup();
        for (variable, number) in crossing.iter().zip(0..) {
            self.crossing[*variable as usize] = number;
        }
        let all = (0..Location::FIXED).filter(|one| named[*one as usize]);
        self.named = all.map(Location).collect();
    }

    /// Backwards: `in = reads ∪ (out − writes)`.
    fn find_live(&mut self) {
        let size = self.crossing_count();
        let count = self.function.blocks.len();
        let mut live_in = vec![Bits::new(size); count];
        let mut live_out = vec![Bits::new(size); count];
        let predecessors = self.function.predecessors();
        let mut work: Vec<usize> = (0..count).collect();
        let mut waiting = vec![true; count];
        while let Some(block) = work.pop() {
            waiting[block] = false;
            let mut live = live_out[block].clone();
            for next in self.function.successors(BlockId(block as u32)) {
                live.add(&live_in[next.index()]);
            }
            live_out[block] = live.clone();
            for inst in self.function.blocks[block].insts.iter().rev() {
                let is_guarded = inst.guard.is_some();
                self.operands(inst, |_, _, variable, _, writes| {
                    if let (true, Some(number)) = (writes && !is_guarded, self.crossing(variable)) {
                        live.clear(number);
                    }
                });
                self.operands(inst, |_, _, variable, reads, _| {
                    if let (true, Some(number)) = (reads || is_guarded, self.crossing(variable)) {
                        live.set(number);
                    }
                });
                let guard = inst.guard.map(|guard| self.variable(guard.reg, 0));
                if let Some(number) = guard.and_then(|guard| self.crossing(guard)) {
                    live.set(number);
                }
            }
            if live_in[block].add(&live) {
                for before in &predecessors[block] {
                    if !std::mem::replace(&mut waiting[before.index()], true) {
                        work.push(before.index());
                    }
                }
            }
        }
        self.live_out = live_out;
    }

    /// What the instructions of a block must read; `now` has the values at its beginning, and gets those at its end.
    pub fn steps(&self, block: usize, now: &mut Now, constants: &mut Constants) -> Vec<Step<'a>> {
        let insts = self.function.blocks[block].insts.iter();
        let numbered = insts.zip(self.base[block]..);
        numbered
            .map(|(inst, number)| self.step(inst, number, now, constants))
            .collect()
    }

    fn step(
        &self,
        inst: &'a ir::Inst,
        number: u32,
        now: &mut Now,
        constants: &mut Constants,
    ) -> Step<'a> {
        let mut step = Step {
            inst,
            number,
            reads: SmallVec::new(),
            writes: SmallVec::new(),
            copies: false,
            seen: false,
        };
        if let Some(guard) = inst.guard {
            let variable = self.variable(guard.reg, 0);
            step.reads.push(Read {
                slot: GUARD,
                lane: 0,
                variable,
                value: now.of(variable),
            });
        }
        self.operands(inst, |slot, lane, variable, reads, _| {
            if reads {
                step.reads.push(Read {
                    slot,
                    lane,
                    variable,
                    value: now.of(variable),
                });
            }
        });
        if is_call(inst.shape) || inst.shape.opcode() == "RET" {
            // What the block has put into registers of the machine is for whoever goes on.
            let named = now.changed.iter().filter(|one| **one < Location::FIXED);
            step.reads.extend(named.map(|variable| Read {
                slot: PASSED,
                lane: 0,
                variable: *variable,
                value: now.of(*variable),
            }));
        }
        let moved = match &inst.operands[..] {
            [_, from, ..] if is_move(inst.shape) && inst.guard.is_none() => match step.reads[..] {
                [read] if from.marks == warpc_sass::Marks::NONE => Some(read.value),
                _ => None,
            },
            _ => None,
        };
        step.copies = moved.is_some();
        let constant = match inst.guard {
            None => constants.of_ir(inst),
            Some(_) => None,
        };
        self.operands(inst, |slot, lane, variable, _, writes| {
            if !writes {
                return;
            }
            let value = match (moved, constant) {
                (Some(value), _) => value,
                (None, Some(constant)) => Value::Constant(constant, lane),
                (None, None) => Value::Made(number, slot, lane),
            };
            step.writes.push(Write {
                slot,
                lane,
                value,
                old: now.of(variable),
            });
            now.set(variable, value);
        });
        if is_call(inst.shape) {
            for location in self.named.iter().filter(|one| !one.is_kept_by_calls()) {
                now.set(location.0, called(number, *location));
            }
        }
        step
    }
}

/// What a call leaves in a location that it does not keep.
pub(super) fn called(number: u32, location: Location) -> Value {
    Value::Made(number, CALLED | location.0 as u16, 0)
}

/// Whether other code of the section runs before the next instruction.
pub(super) fn is_call(shape: &Shape) -> bool {
    shape.opcode() == "CALL"
}

/// Whether it copies one register, of whatever file, to another.
pub(super) fn is_move(shape: &Shape) -> bool {
    matches!(shape.name(), "MOV" | "UMOV")
}

/// Whether all that it writes is the same wherever it stands: who reads it may have it made again.
pub(super) fn writes_constants(step: &Step) -> bool {
    let mut values = step.writes.iter().map(|write| write.value);
    !step.writes.is_empty() && values.all(|value| matches!(value, Value::Constant(..)))
}

/// The values of variables at a place in a block.
pub(super) struct Now {
    values: Vec<(u32, Value)>,
    epoch: u32,
    /// The variables that were set since the block began.
    pub changed: Vec<Variable>,
    /// What variables have at the beginning that is not their own.
    pub known: FxHashMap<Variable, Value>,
    is_defined: Bits,
    crossing: Vec<u32>,
    stack: Value,
}

impl Now {
    pub fn new(wanted: &Wanted) -> Now {
        Now {
            values: vec![(0, Value::Undefined); wanted.variables()],
            epoch: 0,
            changed: Vec::new(),
            known: FxHashMap::default(),
            is_defined: Bits::default(),
            crossing: wanted.crossing.clone(),
            stack: Value::Stack(-(wanted.frame as i32)),
        }
    }

    /// Begins a block.
    pub fn begin(&mut self, known: FxHashMap<Variable, Value>, is_defined: Bits) {
        self.epoch += 1;
        self.changed.clear();
        self.known = known;
        self.is_defined = is_defined;
    }

    /// Whether a variable was set since the block began.
    pub fn is_changed(&self, variable: Variable) -> bool {
        let own = self.values.get(variable as usize);
        own.is_some_and(|one| one.0 == self.epoch)
    }

    pub fn of(&self, variable: Variable) -> Value {
        match self.values.get(variable as usize) {
            Some((epoch, value)) if *epoch == self.epoch => *value,
            _ => self.at_entry(variable),
        }
    }

    /// What a variable has at the beginning of the block.
    pub fn at_entry(&self, variable: Variable) -> Value {
        if let Some(value) = self.known.get(&variable) {
            return *value;
        }
        if variable == STACK.0 {
            return self.stack;
        }
        let number = self.crossing.get(variable as usize).copied();
        let is_defined =
            variable < Location::FIXED || number.is_some_and(|number| self.is_defined.has(number));
        match is_defined {
            true => Value::Entry(variable),
            false => Value::Undefined,
        }
    }

    fn set(&mut self, variable: Variable, value: Value) {
        if let Some(own) = self.values.get_mut(variable as usize) {
            if own.0 != self.epoch {
                self.changed.push(variable);
            }
            *own = (self.epoch, value);
        }
    }
}

/// Instructions that give the same wherever they are, numbered.
#[derive(Default)]
pub(super) struct Constants {
    numbers: FxHashMap<(*const Shape, SmallVec<[Operand; 6]>), u32>,
}

impl Constants {
    fn of_ir(&mut self, inst: &ir::Inst) -> Option<u32> {
        let slots = inst.shape.slots().iter().zip(&inst.operands);
        let read = slots.filter(|(slot, _)| uses(inst.shape, slot).0);
        let operands: Option<SmallVec<[Operand; 6]>> = read
            .map(|(_, operand)| match operand.op {
                Op::Value(value) => Some(value.marked(operand.marks)),
                _ => None,
            })
            .collect();
        self.number(inst.shape, operands?)
    }

    /// The number of what a finished instruction gives, if it is always the same.
    pub fn of(&mut self, inst: &Inst) -> Option<u32> {
        if inst.guard != warpc_sass::Guard::ALWAYS {
            return None;
        }
        let slots = inst.shape.slots().iter().zip(&inst.operands);
        let read = slots.filter(|(slot, _)| uses(inst.shape, slot).0);
        let operands = read.map(|(_, operand)| *operand).collect();
        self.number(inst.shape, operands)
    }

    fn number(&mut self, shape: &Shape, operands: SmallVec<[Operand; 6]>) -> Option<u32> {
        let is_same = match shape.opcode() {
            "MOV" | "UMOV" | "LDC" | "ULDC" => true,
            opcode @ ("S2R" | "S2UR" | "CS2R") => operands.iter().all(|operand| {
                let SassValue::Special(number) = operand.value else {
                    return true;
                };
                let name = special::name(number);
                // A uniform register gets that of one of the lanes that are there.
                is_constant(&name) && (opcode != "S2UR" || !is_of_lane(&name))
            }),
            _ => false,
        };
        let reads_register = (operands.iter()).any(|operand| Location::of(operand.value).is_some());
        if !is_same || reads_register {
            return None;
        }
        let next = self.numbers.len() as u32;
        Some(*self.numbers.entry((shape, operands)).or_insert(next))
    }
}

/// Whether lanes of a warp have different values in a special register.
fn is_of_lane(name: &str) -> bool {
    ["SR_TID", "SR_LANEID"]
        .iter()
        .any(|one| name.starts_with(one))
        || name.ends_with("MASK")
}

/// Whether a special register is the same for a thread at all times.
fn is_constant(name: &str) -> bool {
    let same = [
        "SR_TID",
        "SR_CTAID",
        "SR_LANEID",
        "SR_CgaCtaId",
        "SR_SWINHI",
        "SRZ",
    ];
    // Of the lane itself: `SR_LTMASK` and the like.
    let is_mask = name
        .strip_prefix("SR_")
        .is_some_and(|mask| matches!(mask, "EQMASK" | "LTMASK" | "LEMASK" | "GTMASK" | "GEMASK"));
    is_mask || same.iter().any(|one| name.starts_with(one))
}
