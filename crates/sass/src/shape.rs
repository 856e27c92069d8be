//! Shapes: an operation with its modifiers and the kinds of its operands, on one generation of chips.
//!
//! ```text
//!   row of a table ──Forms──► Form ──resolve with the bits of a word──► Shape
//!   "LDG$extended$size…"      one opcode on one generation              LDG.E.64 R, desc[UR][R.64+S]
//!
//!   Shape = base word + slots (bits, kind, marks, file, role, width) + pipe, stalls, traits
//! ```
//!
//! A row is text that people read, and its template has alternatives for every modifier. A shape is what is left of it
//! once the modifiers are chosen: bits that never change, and slots for operands. Everything that handles machine code
//! asks shapes; only [`print`](mod@crate::print) and [`parse`](crate::parse) know the text.
//!
//! Which alternatives depend on operands rather than on modifiers follows from the bits: a condition whose bits belong
//! to an operand (`<24.8!255=…>`, a register that is left out where it is zero) is not a choice of the shape, and what
//! stands in it is a slot in any case. See `shape/resolve.rs`.
//!
//! Shapes are made when they are first met and live as long as the program: there are as many as the programs that are
//! read have different modifiers, some thousands in all of ptxas's code.

mod intern;
mod modify;
mod resolve;
pub(crate) mod slot;
mod traits;

pub use intern::Shapes;
pub use slot::{Slot, Width};
pub use traits::{Access, Memory, Space, Traits};

use crate::control::Control;
use crate::form::Form;
use crate::latency::{Facts, Pipe, order};
use crate::template::Kind;
use crate::walk;
use std::fmt;
use std::sync::OnceLock;

/// An operation with its modifiers and the kinds of its operands, on one generation of chips.
pub struct Shape {
    form: &'static Form,
    /// The facts of the generation; nothing for chips whose latencies are not described.
    facts: Option<&'static Facts>,
    base: u128,
    slots: Box<[Slot]>,
    /// What slots are to whoever follows registers, in short: passes walk over this for every instruction.
    accesses: Box<[SlotAccess]>,
    /// Those of them that are read and can have a register, and those that are written.
    reads: Box<[SlotAccess]>,
    writes: Box<[SlotAccess]>,
    /// The slots that are results.
    results: Box<[u8]>,
    /// The slot with the mask of components, if some slot has as many registers as that says.
    texel_mask: Option<u8>,
    name: Box<str>,
    /// The name up to its modifiers.
    opcode: Box<str>,
    /// The first letters of the modifiers, as bits ([`letter_bit`]).
    letters: u64,
    /// The bits of slots.
    slot_bits: u128,
    /// The bits that keep an operand in the operand cache.
    reuse_bits: u128,
    /// Whether some bits of a slot are not an operand.
    has_partial_slots: bool,
    rules: resolve::Rules,
    /// What schedulers and checkers ask, found by name when it is first asked for: who prints code does not.
    schedule: OnceLock<Schedule>,
    traits: Traits,
    memory: Memory,
}

/// What a slot that can name a register is to its instruction, whatever the register is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotAccess {
    /// The number of the slot.
    pub slot: u8,
    /// How many registers it has at most; at least one.
    pub registers: u8,
    /// Whether they are read.
    pub is_read: bool,
    /// Whether they are written.
    pub is_written: bool,
}

impl SlotAccess {
    /// Those of the slots of a shape.
    fn all(slots: &[Slot], traits: Traits) -> Box<[SlotAccess]> {
        let access = |(number, slot): (usize, &Slot)| {
            // What is done to a convergence barrier is in the traits.
            let (is_read, is_written) = match slot.kind() {
                Kind::Barrier => (
                    traits.contains(Traits::READS_BARRIER),
                    traits.contains(Traits::WRITES_BARRIER),
                ),
                _ => (!slot.is_written(), slot.is_written()),
            };
            let registers = match slot.kind() {
                Kind::Barrier => 1,
                _ => slot.width.registers(u128::MAX).max(1),
            };
            SlotAccess {
                slot: number as u8,
                registers,
                is_read,
                is_written,
            }
        };
        slots.iter().enumerate().map(access).collect()
    }

    /// Those that can name a register and are read, or written.
    fn of_registers(all: &[SlotAccess], slots: &[Slot], written: bool) -> Box<[SlotAccess]> {
        let can_name = |kind: Kind| match kind {
            Kind::Register
            | Kind::Uniform
            | Kind::NextUniform
            | Kind::Predicate
            | Kind::UniformPredicate
            | Kind::PredicateFromLast
            | Kind::UniformPredicateFromLast
            | Kind::Bindless
            | Kind::Barrier => true,
            Kind::Constant
            | Kind::Set
            | Kind::Unsigned
            | Kind::Signed
            | Kind::Decimal
            | Kind::Float(_)
            | Kind::Special
            | Kind::Label => false,
        };
        let own = all.iter().zip(slots).filter(|(access, slot)| {
            let is_one = match written {
                true => access.is_written,
                false => access.is_read,
            };
            is_one && can_name(slot.kind())
        });
        own.map(|(access, _)| *access).collect()
    }
}

/// How a shape is scheduled.
struct Schedule {
    pipe: Option<Pipe>,
    least_stall: u8,
    issue: u8,
    reads_in_order: Option<u8>,
    writes_in_order: Option<u8>,
}

impl Schedule {
    fn of(shape: &Shape) -> Schedule {
        let (facts, name) = (shape.facts, shape.name());
        let row = |row: Option<usize>| row.and_then(|row| u8::try_from(row).ok());
        Schedule {
            pipe: facts.and_then(|facts| facts.pipe(name)),
            least_stall: facts.map_or(1, |facts| facts.least_stall(name)),
            issue: facts.map_or(1, |facts| facts.issue(name)),
            reads_in_order: row(order::reads_with(name)),
            writes_in_order: row(order::writes_with(name)),
        }
    }
}

impl Shape {
    /// The operation without modifiers: `LDG`.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// The operation with its modifiers: `LDG.E.64`. Texts may have another name for some operands: `IMAD.MOV` is an
    /// `IMAD` of a zero.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The modifiers, in the order of the text.
    pub fn modifiers(&self) -> impl Iterator<Item = &str> {
        self.name.split('.').skip(1)
    }

    /// Whether it has a modifier.
    pub fn has(&self, modifier: &str) -> bool {
        // Passes ask this of every instruction: most have none that begins so, and a walk over bytes is several times as fast
        // as `split`.
        let wanted = modifier.as_bytes();
        if self.letters & letter_bit(wanted) == 0 {
            return false;
        }
        let mut rest = &self.name.as_bytes()[self.opcode.len()..];
        while let Some(at) = rest.iter().position(|byte| *byte == b'.') {
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(wanted)
                && matches!(after, [] | [b'.', ..])
            {
                return true;
            }
        }
        false
    }

    /// The places for operands, in the order of the text.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// What the slots are to whoever follows registers, one for each.
    pub fn accesses(&self) -> &[SlotAccess] {
        &self.accesses
    }

    /// Those of slots that can name a register and are read.
    pub fn read_slots(&self) -> &[SlotAccess] {
        &self.reads
    }

    /// Those of slots that can name a register and are written.
    pub fn written_slots(&self) -> &[SlotAccess] {
        &self.writes
    }

    /// The numbers of the slots that are results ([`Slot::is_written`]).
    pub fn results(&self) -> impl Iterator<Item = usize> + '_ {
        self.results.iter().map(|slot| usize::from(*slot))
    }

    /// The slot with the mask of components, if some slot has as many registers as that says.
    pub(crate) fn texel_mask(&self) -> Option<usize> {
        self.texel_mask.map(usize::from)
    }

    /// The bits of a slot: those of its number and of its marks.
    pub fn slot_mask(&self, index: usize) -> u128 {
        self.slots.get(index).map_or(0, |slot| slot.atom.mask)
    }

    /// The slot whose number starts at a bit.
    pub fn slot_at(&self, bit: u8) -> Option<usize> {
        self.slots.iter().position(|slot| slot.bit() == bit)
    }

    /// The slot whose number has a bit of the word.
    pub fn slot_with(&self, bit: u8) -> Option<usize> {
        self.slots.iter().position(|slot| slot.has_bit(bit))
    }

    /// The bits that all its words have: opcode and modifiers.
    pub fn base(&self) -> u128 {
        self.base
    }

    /// Whether its guard is a uniform predicate.
    pub fn has_uniform_guard(&self) -> bool {
        self.form.is_uniform()
    }

    fn schedule(&self) -> &Schedule {
        self.schedule.get_or_init(|| Schedule::of(self))
    }

    /// The pipe that executes it; nothing if it is not known.
    pub fn pipe(&self) -> Option<Pipe> {
        self.schedule().pipe
    }

    /// The least stall count that it can have.
    pub fn least_stall(&self) -> u8 {
        self.schedule().least_stall
    }

    /// Cycles after which its pipe takes the next instruction of a warp.
    pub fn issue(&self) -> u8 {
        self.schedule().issue
    }

    /// Whether its results have no fixed latency, so that a scoreboard must tell of them.
    pub fn is_variable(&self) -> bool {
        let facts = self.facts.zip(self.pipe());
        facts.is_some_and(|(facts, pipe)| facts.is_variable(pipe))
    }

    /// The row of operations that it reads its operands in order with.
    pub fn reads_in_order(&self) -> Option<u8> {
        self.schedule().reads_in_order
    }

    /// The row of operations that it writes its results in order with.
    pub fn writes_in_order(&self) -> Option<u8> {
        self.schedule().writes_in_order
    }

    /// What else matters to whoever moves, allocates or checks it.
    pub fn traits(&self) -> Traits {
        self.traits
    }

    /// What it does to memory.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// The row of the tables that it was made from, on its generation.
    pub(crate) fn form(&self) -> &'static Form {
        self.form
    }

    /// Whether it has no result that a scoreboard could tell of.
    pub fn has_no_result_scoreboard(&self) -> bool {
        self.form.row.no_scoreboard_bits >> 110 & 7 == 7
    }

    /// Whether it reads its operands at once, so that no scoreboard tells of it.
    pub fn has_no_operand_scoreboard(&self) -> bool {
        self.form.row.no_scoreboard_bits >> 113 & 7 == 7
    }

    /// Whether a word of the shape has a control word that goes with it.
    pub(crate) fn allows_control(&self, word: u128) -> bool {
        let all = Control::of(word);
        let schedule = Control { reuse: 0, ..all };
        let boards = self.form.row.no_scoreboard_bits;
        schedule.is_legal()
            && word & boards == boards
            && (word & self.reuse_bits == 0 || all.is_legal())
    }

    /// Whether the operands of a word of the shape go together.
    pub(crate) fn allows_operands(&self, word: u128) -> bool {
        let allowed = self.rules.allow(word);
        allowed.unwrap_or_else(|| walk::is_instruction(self.form, word))
    }
}

/// A bit for the first letter of a modifier; for one without letters all of them.
fn letter_bit(modifier: &[u8]) -> u64 {
    match modifier.first() {
        Some(letter) => 1 << (letter & 63),
        None => u64::MAX,
    }
}

impl PartialEq for Shape {
    /// Shapes are made once: two with the same bits are of different chips.
    fn eq(&self, other: &Shape) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Shape {}

impl fmt::Display for Shape {
    /// The name, and a letter for each operand.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, slot) in self.slots.iter().enumerate() {
            let separator = if index == 0 { " " } else { ", " };
            write!(f, "{separator}{}", slot.kind().letter())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shape({self})")
    }
}
