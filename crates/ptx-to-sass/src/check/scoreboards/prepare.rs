//! Instructions as the fixed point needs them: what they wait for, hold, read and write, with everything else looked
//! up once.

use super::super::Code;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;
use warpc_sass::Inst;
use warpc_sass::latency::check::{GROUP, uses, waits};
use warpc_sass::latency::{Access, Effects, Facts, File, Pipe, Port, Role, Use};
use warpc_sass::shape::{Space, Traits};

/// The six scoreboards and the one of warpgroups.
pub const BOARDS: usize = GROUP + 1;

/// All registers and predicates, one after the other.
pub const REGISTERS: usize = 4 * 256;

/// The place of a register among all.
fn key(file: File, number: u8) -> u16 {
    file as u16 * 256 + u16::from(number)
}

/// The number of a register in its file.
pub fn number(register: u16) -> u8 {
    (register % 256) as u8
}

/// How an access behaves: everything that a later instruction must know of it, but for the register.
#[derive(Clone, PartialEq, Debug)]
pub struct Class {
    /// One such use.
    pub what: Use,
    /// The predicate of the guard, whether it is negated, its file.
    pub guard: (u8, bool, File),
    /// Whether the instruction has a guard.
    pub is_guarded: bool,
    /// The scoreboards that the instruction holds for its results.
    pub results: u8,
    /// The scoreboard that it holds for its operands.
    pub operands: u8,
    /// The row of operations that read their operands in order.
    pub readers: Option<u8>,
    /// The row of operations that write their results in order.
    pub writers: Option<u8>,
    /// Whether it is done when the operands have been read.
    pub done_when_read: bool,
    /// Whether it is done when the results are there.
    pub done_when_written: bool,
    /// The cycles after which it is done; nothing if only a scoreboard tells.
    pub longest: Option<u8>,
}

impl Class {
    /// Whether the register is written.
    pub fn is_write(&self) -> bool {
        self.what.access.is_write()
    }

    /// Whether of this and another only one is executed by a thread, if the predicate does not change.
    pub fn excludes(&self, other: &Class) -> bool {
        let (number, not, file) = self.guard;
        other.guard == (number, !not, file) && number != 7
    }
}

/// What of a class must be equal for two to be the same: the use by its port.
type ClassKey = (
    (File, Port, Pipe, bool),
    (u8, bool, File, bool),
    (u8, u8, Option<u8>, Option<u8>, bool, bool),
);

/// A register that an instruction reads or writes.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// Which.
    pub register: u16,
    /// How.
    pub class: u32,
}

/// An instruction.
pub struct Prepared {
    /// Its number.
    pub at: u32,
    /// Whether its latency is not known.
    pub is_unknown: bool,
    /// The scoreboards that it waits for, with how many may still hold each.
    pub waits: SmallVec<[(usize, usize); 4]>,
    /// Whether all memory operations before it have read their operands: in a barrier of the block, and when a fence is
    /// complete, for which `ERRBAR` waits.
    pub is_barrier: bool,
    /// Its reads and then its writes.
    uses: Range<usize>,
    /// Whether it leaves its results as they are in some threads.
    pub is_guarded: bool,
    /// The scoreboards that it holds for its results, a bit each.
    pub results: u8,
    /// The scoreboard that it holds for its operands, as a bit.
    pub operands: u8,
    /// The row of operations that read their operands in order.
    pub readers: Option<u8>,
    /// The row of operations that write their results in order.
    pub writers: Option<u8>,
    /// The predicates that it writes.
    pub predicates: SmallVec<[(File, u8); 2]>,
    /// The cycles until the next instruction.
    pub stall: u32,
    /// Whether it is done before the next one is issued.
    pub is_serial: bool,
    /// Whether it gives a register the same value whenever it is executed.
    pub is_constant: bool,
}

/// All instructions, and the classes of their uses.
pub struct Program {
    /// The instructions.
    pub insts: Vec<Prepared>,
    /// The classes, by their numbers.
    pub classes: Vec<Class>,
    uses: Vec<Own>,
}

impl Program {
    /// The instructions of code.
    pub fn of(facts: &'static Facts, code: &Code) -> Program {
        let mut program = Program {
            insts: Vec::with_capacity(code.insts.len()),
            classes: Vec::new(),
            uses: Vec::new(),
        };
        let mut numbers: FxHashMap<ClassKey, u32> = FxHashMap::default();
        for (at, inst) in code.insts.iter().enumerate() {
            let prepared = program.prepare(facts, at, inst, &mut numbers);
            program.insts.push(prepared);
        }
        program
    }

    /// The registers that an instruction reads, and then those that it writes.
    pub fn uses(&self, prepared: &Prepared) -> &[Own] {
        &self.uses[prepared.uses.clone()]
    }

    fn prepare(
        &mut self,
        facts: &'static Facts,
        at: usize,
        inst: &Inst,
        numbers: &mut FxHashMap<ClassKey, u32>,
    ) -> Prepared {
        let shape = inst.shape;
        let has = |traits: Traits| shape.traits().contains(traits);
        let bit = |board: u8| if board < 6 { 1 << board } else { 0 };
        let effects = Effects::of(inst);
        let group = if has(Traits::RAISES_GROUP) {
            1 << GROUP
        } else {
            0
        };
        let start = self.uses.len();
        // No stall and a yield: as `latency::check::Line::is_serial` has it.
        let is_serial = inst.control.stall == 0 && !inst.control.keep;
        let mut prepared = Prepared {
            at: u32::try_from(at).unwrap_or(u32::MAX),
            is_unknown: shape.pipe().is_none(),
            waits: waits(inst),
            is_barrier: has(Traits::BLOCK_BARRIER) || is_serial && shape.opcode() == "ERRBAR",
            uses: start..start,
            is_guarded: effects.guarded,
            results: bit(inst.control.write) | group,
            operands: bit(inst.control.read),
            readers: shape.reads_in_order(),
            writers: shape.writes_in_order(),
            predicates: SmallVec::new(),
            stall: inst.control.stall.into(),
            is_serial,
            is_constant: is_constant(inst, &effects),
        };
        let Some(pipe) = shape.pipe() else {
            return prepared;
        };
        let guard_file = match effects.accesses.first() {
            Some(access) if access.role == Role::Guard => access.file,
            _ => File::Predicate,
        };
        let guard = (inst.guard.predicate, inst.guard.not, guard_file);
        for written in [false, true] {
            for (what, register) in uses(pipe, &effects, written) {
                let file = what.access.file;
                if written && matches!(file, File::Predicate | File::UniformPredicate) {
                    prepared.predicates.push((file, register));
                }
                let early = has(Traits::EARLY_PREDICATE) && file == File::Predicate;
                // A barrier of the block has read its operands when the warp goes on.
                let is_read = !written && prepared.is_barrier;
                let longest = match written {
                    _ if is_read => Some(0),
                    true if facts.is_variable(pipe) => None,
                    false if facts.reads_late(what) => None,
                    _ => Some(facts.longest(what, effects.guarded)),
                };
                let key_of_class = (
                    (file, what.port(), pipe, written),
                    (guard.0, guard.1, guard.2, effects.guarded),
                    (
                        prepared.results,
                        prepared.operands,
                        prepared.readers,
                        prepared.writers,
                        early,
                        is_read,
                    ),
                );
                let classes = &mut self.classes;
                let class = *numbers.entry(key_of_class).or_insert_with(|| {
                    classes.push(Class {
                        what,
                        guard,
                        is_guarded: effects.guarded,
                        results: prepared.results,
                        operands: prepared.operands,
                        readers: prepared.readers,
                        writers: prepared.writers,
                        done_when_read: !written || early,
                        done_when_written: written,
                        longest,
                    });
                    (classes.len() - 1) as u32
                });
                self.uses.push(Own {
                    register: key(file, register),
                    class,
                });
            }
        }
        prepared.uses = start..self.uses.len();
        prepared
    }
}

/// Whether an instruction gives a register the same value whenever it is executed: it reads only constants.
fn is_constant(inst: &Inst, effects: &Effects) -> bool {
    let shape = inst.shape;
    let alone = effects.accesses.iter().all(Access::is_write);
    alone
        && !effects.guarded
        && (shape.traits() - (Traits::COMMUTES | Traits::COMPUTES)).is_empty()
        && matches!(shape.memory().space, Space::None | Space::Constant)
}
