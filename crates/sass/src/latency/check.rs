//! Whether code keeps its distances: every register that is read or written again has waited for the instruction
//! before, by stall counts or by a scoreboard.
//!
//! Code is followed from one instruction to the next, over branches that may not be taken and over labels: what holds
//! on that way must hold in any case. Where it cannot go on to the next instruction, everything is forgotten.

use super::effects::{Effects, File, Role};
use super::{Facts, Hazard, Need, Pipe, RAISED_AFTER, Use, order};
use crate::control::Control;
use crate::decode;
use crate::inst::Inst;
use crate::operand::{Marks, Value};
use crate::shape::{Shape, Traits};
use smallvec::SmallVec;
use std::collections::HashMap;
use warpc_target::Sm;

/// An instruction as the check sees it.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it does to registers.
    pub effects: Effects,
    /// Its pipe.
    pub pipe: Pipe,
    /// The instruction.
    pub inst: Inst,
}

impl Line {
    /// Reads a word; nothing if the tables do not know it.
    pub fn read(sm: Sm, word: u128) -> Option<Line> {
        Line::of(decode::decode(sm, word)?)
    }

    /// The line of an instruction; nothing if its pipe is not known.
    pub fn of(inst: Inst) -> Option<Line> {
        Some(Line {
            effects: Effects::of(&inst),
            pipe: inst.shape.pipe()?,
            inst,
        })
    }

    /// Its shape.
    pub fn shape(&self) -> &'static Shape {
        self.inst.shape
    }

    /// Its control word.
    pub fn control(&self) -> Control {
        self.inst.control
    }

    fn has(&self, traits: Traits) -> bool {
        self.inst.shape.traits().contains(traits)
    }

    /// Whether the next instruction is issued only after this one is done: no stall, and yield. Source: `ptxas -G`
    /// writes nothing else.
    pub fn is_serial(&self) -> bool {
        self.inst.control.stall == 0 && !self.inst.control.keep
    }

    /// Whether the next instruction is never reached from here, or only after other code has run.
    fn ends(&self) -> bool {
        let always = !self.effects.guarded && self.has_true_condition();
        self.has(Traits::CALLS) || self.has(Traits::TERMINATES) && always
    }

    /// Whether the predicate that a branch asks besides its guard is always true.
    fn has_true_condition(&self) -> bool {
        let slot = self.inst.shape.slot_at(CONDITION);
        let condition = slot.and_then(|slot| self.inst.operands.get(slot));
        condition.is_none_or(|one| *one == Value::TRUE.into() || *one == Value::UNIFORM_TRUE.into())
    }
}

/// The first bits of the operands of `DEPBAR`: a set of scoreboards, one scoreboard, how many may still hold it.
const SCOREBOARD_SET: u8 = 32;
const SCOREBOARD: u8 = 44;
const STILL_HELD: u8 = 38;

/// The first bit of the predicate that a branch asks besides its guard.
const CONDITION: u8 = 87;

/// Two instructions of which the second must wait for the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Why.
    pub hazard: Hazard,
    /// What the first does; its place in the code follows.
    pub first: Use,
    /// The first one's number.
    pub from: usize,
    /// What the second does.
    pub second: Use,
    /// The second one's number.
    pub to: usize,
    /// The register or predicate.
    pub register: u8,
    /// The cycles between them by the stall counts.
    pub distance: u32,
    /// Whether the second, or one before it, has waited for a scoreboard of the first.
    pub waited: bool,
    /// Whether the first has a guard.
    pub guarded: bool,
    /// What is needed; nothing if the tables do not say.
    pub need: Option<Need>,
}

impl Pair {
    /// Whether the second comes too early.
    pub fn is_fault(&self) -> bool {
        match self.need {
            _ if self.waited => false,
            Some(Need::Cycles(cycles) | Need::Either(cycles)) => self.distance < u32::from(cycles),
            Some(Need::Scoreboard) => true,
            None => false,
        }
    }
}

/// Cycles that are longer than any fixed latency.
pub const SERIAL: u32 = 64;

/// An access that later ones must wait for.
#[derive(Clone, Copy)]
struct Event {
    at: usize,
    what: Use,
}

#[derive(Default)]
struct Register {
    writes: Vec<Event>,
    reads: Vec<Event>,
}

/// What is known of an instruction that was issued.
struct Issued {
    cycle: u32,
    guard: (u8, bool, File),
    guarded: bool,
    /// Whether its results are known to be there.
    written: bool,
    /// Whether its operands are known to be read.
    read: bool,
    has_early_predicate: bool,
    /// The row of operations that read their operands in order.
    readers: Option<u8>,
    /// The row of operations that write their results in order.
    writers: Option<u8>,
}

/// Reads code for the check; what the tables do not know is nothing.
pub fn lines(sm: Sm, code: &[u128]) -> Vec<Option<Line>> {
    let words = code.iter();
    words.map(|word| Line::read(sm, *word)).collect()
}

/// Looks at every pair of instructions of which one must wait for the other. An instruction that the tables do not know
/// ends what is followed.
pub fn pairs(facts: &'static Facts, lines: &[Option<Line>], mut see: impl FnMut(&Pair)) {
    let mut walk = Walk::new(facts);
    for (at, line) in lines.iter().enumerate() {
        match line {
            Some(line) => walk.step(at, line, &mut see),
            None => walk.forget(),
        }
    }
}

/// The pairs that are too close.
pub fn faults(facts: &'static Facts, lines: &[Option<Line>]) -> Vec<Pair> {
    let mut found = Vec::new();
    pairs(facts, lines, |pair| {
        if pair.is_fault() {
            found.push(*pair);
        }
    });
    found
}

/// The scoreboard of matrices of a warpgroup, `gsb0`, after the six.
pub const GROUP: usize = 6;

/// The scoreboards that an instruction waits for before it is issued, each with how many instructions may still hold
/// it: those of the control word, of `DEPBAR` and of `WARPGROUP.DEPBAR`.
pub fn waits(inst: &Inst) -> SmallVec<[(usize, usize); 4]> {
    let set = |set: i64| (0..6).filter(move |board| set >> board & 1 == 1);
    let mut all: SmallVec<[(usize, usize); 4]> = set(inst.control.wait.into())
        .map(|board| (board, 0))
        .collect();
    let traits = inst.shape.traits();
    // `DEPBAR.LE SB0, 2, {3,1}`
    if traits.contains(Traits::WAITS_FOR_SCOREBOARDS) {
        let number = |bit: u8| inst.at(bit)?.value.number();
        all.extend(set(number(SCOREBOARD_SET).unwrap_or(0)).map(|board| (board, 0)));
        if let (Some(board), Some(rest)) = (number(SCOREBOARD), number(STILL_HELD)) {
            all.push((board as usize, rest as usize));
        }
    }
    // `WARPGROUP.DEPBAR.LE gsb0, 1`
    if traits.contains(Traits::WAITS_FOR_GROUP) {
        let rest = inst.values().find_map(Value::number);
        all.push((GROUP, rest.unwrap_or(0) as usize));
    }
    all
}

struct Walk {
    facts: &'static Facts,
    registers: HashMap<(File, u8), Register>,
    issued: HashMap<usize, Issued>,
    /// Those that keep an order and are not known to be done.
    open: Vec<usize>,
    /// For each scoreboard, who holds it: the instruction, and whether for its results.
    held: [Vec<(usize, bool)>; GROUP + 1],
    cycle: u32,
}

impl Walk {
    fn new(facts: &'static Facts) -> Walk {
        Walk {
            facts,
            registers: HashMap::new(),
            issued: HashMap::new(),
            open: Vec::new(),
            held: Default::default(),
            cycle: 0,
        }
    }

    fn forget(&mut self) {
        let facts = self.facts;
        *self = Walk::new(facts);
    }

    fn step(&mut self, at: usize, line: &Line, see: &mut impl FnMut(&Pair)) {
        for (board, rest) in waits(&line.inst) {
            self.release(board, rest);
        }
        let file = match line.effects.accesses.first() {
            Some(access) if access.role == Role::Guard => access.file,
            _ => File::Predicate,
        };
        let barrier = line.has(Traits::BLOCK_BARRIER);
        if barrier {
            self.release_earlier(at, Some(order::MEMORY), None);
        }
        let issued = Issued {
            cycle: self.cycle,
            guard: (line.inst.guard.predicate, line.inst.guard.not, file),
            guarded: line.effects.guarded,
            written: false,
            read: barrier,
            has_early_predicate: line.has(Traits::EARLY_PREDICATE),
            readers: line.inst.shape.reads_in_order(),
            writers: line.inst.shape.writes_in_order(),
        };
        if issued.readers.is_some() || issued.writers.is_some() {
            self.open.push(at);
        }
        self.issued.insert(at, issued);
        self.reads(at, line, see);
        self.writes(at, line, see);
        for (board, results) in [
            (line.inst.control.write, true),
            (line.inst.control.read, false),
        ] {
            if board < 6 {
                self.held[usize::from(board)].push((at, results));
            }
        }
        if line.has(Traits::RAISES_GROUP) {
            self.held[GROUP].push((at, true));
        }
        self.cycle += u32::from(line.inst.control.stall);
        if line.is_serial() {
            self.cycle += SERIAL;
            if let Some(issued) = self.issued.get_mut(&at) {
                issued.written = true;
                issued.read = true;
            }
        }
        if line.ends() {
            self.forget();
        }
    }

    /// A scoreboard that at most so many still hold.
    fn release(&mut self, board: usize, rest: usize) {
        let Some(held) = self.held.get_mut(board) else {
            return;
        };
        let gone = held.len().saturating_sub(rest);
        let gone: Vec<(usize, bool)> = held.drain(..gone).collect();
        for (at, results) in gone {
            let Some(issued) = self.issued.get_mut(&at) else {
                continue;
            };
            issued.written |= results;
            issued.read = true;
            let (readers, writers) = (issued.readers, issued.writers);
            self.release_earlier(at, readers, if results { writers } else { None });
        }
    }

    /// What was issued before and keeps its order with an instruction that is done.
    fn release_earlier(&mut self, at: usize, readers: Option<u8>, writers: Option<u8>) {
        let issued = &mut self.issued;
        self.open.retain(|other| {
            let Some(one) = issued.get_mut(other).filter(|_| *other < at) else {
                return *other >= at;
            };
            one.read |= readers.is_some() && one.readers == readers;
            one.written |= writers.is_some() && one.writers == writers;
            !(one.read && one.written)
        });
    }

    /// Whether of two instructions only one is executed by a thread.
    fn exclude(&self, first: &Event, second: usize) -> bool {
        let (Some(one), Some(other)) = (self.issued.get(&first.at), self.issued.get(&second))
        else {
            return false;
        };
        let (number, negated, file) = one.guard;
        let opposite = other.guard == (number, !negated, file) && number != 7;
        let writes = self.registers.get(&(file, number));
        let changed = writes.is_some_and(|register| {
            register
                .writes
                .iter()
                .any(|write| write.at >= first.at && write.at < second)
        });
        opposite && !changed
    }

    fn pair(
        &self,
        hazard: Hazard,
        event: &Event,
        at: usize,
        second: Use,
        register: u8,
    ) -> Option<Pair> {
        let issued = self.issued.get(&event.at)?;
        if event.at == at || self.exclude(event, at) {
            return None;
        }
        let waited = match hazard {
            Hazard::WriteAfterRead => issued.read,
            // The predicate of an atomic operation says what became of its address: it is there with the operands.
            _ if issued.has_early_predicate && event.what.access.file == File::Predicate => {
                issued.read || issued.written
            }
            _ => issued.written,
        };
        let then = self.issued.get(&at)?;
        let in_order = match hazard {
            Hazard::ReadAfterWrite => false,
            Hazard::WriteAfterWrite => then.writers.is_some() && then.writers == issued.writers,
            Hazard::WriteAfterRead => then.readers.is_some() && then.readers == issued.readers,
        };
        Some(Pair {
            hazard,
            first: event.what,
            from: event.at,
            second,
            to: at,
            register,
            distance: self.cycle - issued.cycle,
            waited,
            guarded: issued.guarded,
            need: match in_order {
                true => Some(Need::Cycles(1)),
                false => self.facts.need(hazard, event.what, second, issued.guarded),
            },
        })
    }

    fn reads(&mut self, at: usize, line: &Line, see: &mut impl FnMut(&Pair)) {
        for (what, number) in uses(line.pipe, &line.effects, false) {
            let key = (what.access.file, number);
            if let Some(register) = self.registers.get(&key) {
                for event in &register.writes {
                    let hazard = Hazard::ReadAfterWrite;
                    if let Some(pair) = self.pair(hazard, event, at, what, number) {
                        see(&pair);
                    }
                }
            }
            let register = self.registers.entry(key).or_default();
            register.reads.push(Event { at, what });
        }
    }

    fn writes(&mut self, at: usize, line: &Line, see: &mut impl FnMut(&Pair)) {
        for (what, number) in uses(line.pipe, &line.effects, true) {
            let key = (what.access.file, number);
            if let Some(register) = self.registers.get(&key) {
                let writes = register.writes.iter();
                let writes = writes.map(|event| (Hazard::WriteAfterWrite, event));
                let reads = register.reads.iter();
                let reads = reads.map(|event| (Hazard::WriteAfterRead, event));
                for (hazard, event) in writes.chain(reads) {
                    if let Some(pair) = self.pair(hazard, event, at, what, number) {
                        see(&pair);
                    }
                }
            }
            let register = self.registers.entry(key).or_default();
            if !line.effects.guarded {
                register.writes.clear();
                register.reads.clear();
            }
            register.writes.push(Event { at, what });
        }
    }
}

/// What an instruction of a pipe reads or writes, register by register, with their numbers.
pub fn uses(pipe: Pipe, effects: &Effects, written: bool) -> impl Iterator<Item = (Use, u8)> {
    let accesses = effects.accesses.iter().copied();
    let accesses = accesses.filter(move |access| access.is_write() == written);
    accesses.flat_map(move |access| {
        let numbers = access.numbers().enumerate();
        numbers.map(move |(index, number)| {
            let index = index as u8;
            let one = Use {
                pipe,
                access,
                index,
            };
            (one, number)
        })
    })
}

/// The instructions whose control word is inconsistent: the stall count is too small for their kind or for a
/// scoreboard that the next one waits for, or they yield and keep an operand.
pub fn short_stalls(lines: &[Option<Line>]) -> Vec<usize> {
    let is_short = |at: &usize| {
        let Some(line) = lines[*at].as_ref().filter(|line| !line.is_serial()) else {
            return false;
        };
        let next = lines.get(at + 1).and_then(Option::as_ref);
        let waits = next.map_or(0, |next| next.inst.control.wait);
        let raised = [line.inst.control.write, line.inst.control.read];
        let awaited = raised
            .iter()
            .any(|board| *board < 6 && waits >> board & 1 == 1);
        let least = line.inst.shape.least_stall();
        let mut operands = line.inst.operands.iter();
        let keeps = operands.any(|operand| operand.marks.has(Marks::REUSE));
        line.inst.control.stall < least
            || awaited && line.inst.control.stall < RAISED_AFTER && !line.ends()
            || keeps && !line.inst.control.keep
    };
    (0..lines.len()).filter(is_short).collect()
}
