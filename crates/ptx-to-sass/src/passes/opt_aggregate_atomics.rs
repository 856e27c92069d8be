//! An atomic operation of the lanes of a warp at one address becomes one operation of one lane.
//!
//! ```text
//!                                               VOTE.ANY mask, PT, PT          which lanes are here
//!   ATOMG.ADD old, [counter], 1                 FLO.U32 leader, mask           the last of them does it
//!                                    ─►         POPC sum, mask
//!                                               @lane == leader ATOMG.ADD sum, [counter], sum
//!                                               SHFL.IDX sum, sum, leader      the others learn what it found
//!                                               old = sum + popc(mask & lower lanes)
//! ```
//!
//! The unit that does atomic operations serves the lanes of a warp at one address one after the other; this way it
//! serves one.
//!
//! # Which
//!
//! The address must be the same in all lanes whenever they compute it ([`Same`]), wherever in memory it is. So it does not
//! matter which lanes of the warp come together: each group does its own operation, for its own lanes.
//!
//! | operation | without a result | with one |
//! |---|---|---|
//! | `add` of 32 bits | of the same number: times the lanes; else `REDUX.SUM` | of the same number |
//! | `add` of 64 bits | of the same number | of the same number |
//! | `and`, `or`, `min`, `max` of the same number | once | of 32 bits: the leader has the old value, the others that and the number |
//! | `and`, `or`, `xor`, `min`, `max` of 32 bits | `REDUX` | no |
//! | `exch` of the same number, 32 bits | | the leader has the old value, the others the number |
//!
//! `cas`, `inc`, `dec`, floats, vectors and what has a cache policy stay as they are. A guard of the instruction goes into
//! the vote; `REDUX` then gets what changes nothing from the lanes without it. In shared memory `red.add` of the constant 1
//! is `ATOMS.POPC.INC.32` at any address: the unit counts lanes itself.
//!
//! # Why that is allowed
//!
//! The operations of the lanes that execute an instruction together are not ordered among each other, so any order of them
//! is one that may happen, also the one in which they follow each other with nothing between: leaving out what is between
//! is one write of the last value, by one thread of the same block, cluster and GPU, with the same strength and scope. Each
//! lane's result is what it would have read in that order. Fences that the order of the operation asks for are
//! instructions of their own around it, and all lanes execute them as before: those before it are done before the group
//! comes to it, since accesses wait for them whichever lane issues them, and those after it come after the `SHFL` that
//! waits for the result, so what a lane has synchronised with by its result it has synchronised with here. An operation
//! that acquires in its block holds back accesses until its result is there (`Inst::acquires`), as before.
//!
//! Between the vote and the shuffle there is nothing at which lanes part or come: the instructions stand in one block, and
//! the scheduler keeps the order of what lanes do together.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::{self, is_pure};
use crate::analysis::same::Same;
use crate::analysis::values::Values;
use crate::ir::{File, Function, Guard, Inst, Op, Reg};
use crate::pattern;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::shape::{Space, Traits};
use warpc_sass::{Marks, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_aggregate_atomics",
    run,
};

/// What an operation does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Does {
    Add,
    And,
    Or,
    Xor,
    Min,
    Max,
    Exchange,
}

/// An atomic operation that may be done for several lanes.
struct Atomic {
    does: Does,
    is_signed: bool,
    is_wide: bool,
    space: Space,
    /// The slot of the old value, and where it goes; nothing if nobody wants it.
    result: Option<(usize, Reg, u8)>,
    /// The slot of the number.
    data: usize,
}

/// Modifiers of operations of integers; with any other one it is something else.
const KNOWN: &[&str] = &[
    "E", "ADD", "AND", "OR", "XOR", "MIN", "MAX", "EXCH", "S32", "64", "S64", "STRONG", "CTA",
    "SM", "GPU", "SYS",
];

impl Atomic {
    fn of(inst: &Inst) -> Option<Atomic> {
        if !matches!(
            inst.shape.opcode(),
            "ATOM" | "ATOMG" | "ATOMS" | "RED" | "REDG"
        ) {
            return None;
        }
        let mut does = None;
        for modifier in inst.shape.modifiers() {
            if !KNOWN.contains(&modifier) {
                return None;
            }
            does = does.or(match modifier {
                "ADD" => Some(Does::Add),
                "AND" => Some(Does::And),
                "OR" => Some(Does::Or),
                "XOR" => Some(Does::Xor),
                "MIN" => Some(Does::Min),
                "MAX" => Some(Does::Max),
                "EXCH" => Some(Does::Exchange),
                _ => None,
            });
        }
        let is_wide = inst.shape.has("64") || inst.shape.has("S64");
        let mut result = None;
        let mut data = None;
        for (at, (slot, operand)) in inst.shape.slots().iter().zip(&inst.operands).enumerate() {
            let is_register = slot.file == Some(warpc_sass::latency::File::Register);
            match (slot.is_written(), operand.op) {
                // Whether it was done is not asked for.
                (true, Op::Value(Value::TRUE | Value::ZERO)) => {}
                (true, Op::Reg(reg, lane)) if is_register && result.is_none() => {
                    result = Some((at, reg, lane));
                }
                (true, _) => return None,
                (false, _) if slot.in_address || !is_register => {}
                // A second one would be a policy, or a comparison.
                (false, _) if data.is_some() => return None,
                (false, Op::Reg(..)) => data = Some(at),
                (false, _) => return None,
            }
        }
        Some(Atomic {
            does: does?,
            is_signed: inst.shape.has("S32") || inst.shape.has("S64"),
            is_wide,
            space: inst.shape.memory().space,
            result,
            data: data?,
        })
    }

    fn lanes(&self) -> u8 {
        if self.is_wide { 2 } else { 1 }
    }

    fn number(&self, inst: &Inst) -> Option<(Reg, u8)> {
        match inst.operands[self.data] {
            operand if operand.marks != Marks::NONE => None,
            operand => match operand.op {
                Op::Reg(reg, lane) => Some((reg, lane)),
                _ => None,
            },
        }
    }
}

fn run(function: &mut Function, limits: &Limits) {
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    if !insts.any(|inst| Atomic::of(inst).is_some()) {
        return;
    }
    let values = Values::of(function);
    let known = Facts {
        same: Same::of(function, &values),
        constants: constants(function, &values),
        values,
    };
    let mut changed = false;
    for block in function.block_ids() {
        let old = &function.blocks[block.index()].insts;
        if !old.iter().any(|inst| Atomic::of(inst).is_some()) {
            continue;
        }
        let old = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut made: Vec<Inst> = Vec::with_capacity(old.len() + 8);
        let mut group = Group::default();
        for inst in old {
            let mut maker = Maker {
                function,
                made: &mut made,
                inst: &inst,
            };
            let length = maker.made.len();
            match aggregate(&mut maker, &known, &mut group) {
                Some(()) => changed = true,
                None => {
                    // What was begun goes; nothing else knows of it.
                    if made.len() != length {
                        made.truncate(length);
                        group = Group::default();
                    }
                    group.step(&inst);
                    made.push(inst);
                }
            }
        }
        function.blocks[block.index()].insts = made;
    }
    if changed {
        // Numbers that only went into operations.
        (opt_dce::PASS.run)(function, limits);
    }
}

/// What is known of registers. New registers have higher numbers than those that it knows.
struct Facts {
    values: Values,
    same: Same,
    constants: FxHashMap<(Reg, u8), i64>,
}

impl Facts {
    /// Whether all lanes have the same address: all that is read but the number and the guard.
    fn has_one_address(&self, inst: &Inst, atomic: &Atomic) -> bool {
        let slots = inst.shape.accesses().iter().zip(&inst.operands).enumerate();
        slots
            .filter(|(at, (slot, _))| *at != atomic.data && slot.is_read)
            .all(|(_, (slot, operand))| match operand.op {
                Op::Reg(reg, lane) => self.same.has(&self.values, reg, lane, slot.registers),
                // Registers of the machine hold what others put there; the descriptor is the same for all.
                Op::Value(Value::Register(number)) => number == 255,
                Op::Value(_) => true,
                _ => false,
            })
    }

    /// The number in a lane of a register, if it is a constant.
    fn constant(&self, reg: Reg, lane: u8) -> Option<i64> {
        self.constants.get(&(reg, lane)).copied()
    }
}

/// The values that are constants.
fn constants(function: &Function, values: &Values) -> FxHashMap<(Reg, u8), i64> {
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    let moves = insts.filter(|inst| inst.shape.opcode() == "MOV" && inst.guard.is_none());
    let number = |inst: &Inst| {
        let [to, from, ..] = &inst.operands[..] else {
            return None;
        };
        match (to.op, from.op) {
            (Op::Reg(reg, lane), Op::Value(from)) if values.is_value(reg, lane) => match from {
                Value::Number(number) => Some(((reg, lane), number)),
                Value::ZERO => Some(((reg, lane), 0)),
                _ => None,
            },
            _ => None,
        }
    };
    moves.filter_map(number).collect()
}

/// The lanes that execute instructions of a block under a guard, as long as none leaves or comes.
#[derive(Default)]
struct Group {
    guard: Option<Guard>,
    /// The lanes, the last one, and whether a lane is that.
    found: Option<(Reg, Reg, Reg)>,
    /// The number of a lane, and which are below it.
    lane: Option<Reg>,
    below: Option<Reg>,
}

impl Group {
    /// Forgets the lanes where they may be others after an instruction.
    fn step(&mut self, inst: &Inst) {
        let unfit = Traits::CALLS
            | Traits::EXITS
            | Traits::BRANCHES
            | Traits::TERMINATES
            | Traits::CONVERGENT
            | Traits::BLOCK_BARRIER
            | Traits::READS_BARRIER
            | Traits::WRITES_BARRIER;
        let accesses = !inst.shape.memory().access.is_empty();
        let stays = is_pure(inst) || accesses && !inst.shape.traits().intersects(unfit);
        let guard = self.guard.map(|guard| guard.reg);
        if !stays || inst.writes().any(|(reg, ..)| Some(reg) == guard) {
            self.found = None;
        }
    }
}

/// Makes instructions in place of one.
struct Maker<'a> {
    function: &'a mut Function,
    made: &'a mut Vec<Inst>,
    inst: &'a Inst,
}

impl Maker<'_> {
    fn put(&mut self, text: &str, ops: &[Op]) -> Option<()> {
        self.put_if(None, text, ops)
    }

    fn put_if(&mut self, guard: Option<Guard>, text: &str, ops: &[Op]) -> Option<()> {
        let pattern = pattern::find(self.function.sm, text)?;
        let made = pattern.filled(ops, guard, self.inst.span);
        self.made.push(made);
        Some(())
    }

    fn reg(&mut self, file: File, lanes: u8) -> Reg {
        self.function.reg(file, lanes)
    }

    /// A new register with what an instruction makes of operands.
    fn value(&mut self, text: &str, ops: &[Op]) -> Option<Reg> {
        let to = self.reg(File::Register, 1);
        let mut all: SmallVec<[Op; 4]> = SmallVec::new();
        all.push(Op::Reg(to, 0));
        all.extend_from_slice(ops);
        self.put(text, &all)?;
        Some(to)
    }

    /// The lanes, the last one, and whether a lane is that.
    fn lanes(&mut self, group: &mut Group) -> Option<(Reg, Reg, Reg)> {
        let guard = self.inst.guard;
        if let Some(found) = group.found.filter(|_| group.guard == guard) {
            return Some(found);
        }
        let mask = match guard {
            None => self.value("VOTE.ANY R0, PT, PT", &[])?,
            Some(Guard { reg, not }) => {
                let text = match not {
                    false => "VOTE.ANY R0, PT, P0",
                    true => "VOTE.ANY R0, PT, !P0",
                };
                self.value(text, &[Op::Reg(reg, 0)])?
            }
        };
        let last = self.value("FLO.U32 R0, R1", &[Op::Reg(mask, 0)])?;
        let own = match group.lane {
            Some(own) => own,
            None => self.value("S2R R0, SR_LANEID", &[])?,
        };
        group.lane = Some(own);
        let leads = self.reg(File::Predicate, 1);
        self.put(
            "ISETP.EQ.U32.AND P0, PT, R0, R1, PT",
            &[Op::Reg(leads, 0), Op::Reg(own, 0), Op::Reg(last, 0)],
        )?;
        let found = (mask, last, leads);
        group.guard = guard;
        group.found = Some(found);
        Some(found)
    }

    /// The operation, by the leader: with another number, and another place for the old value.
    fn operate(&mut self, atomic: &Atomic, leads: Reg, to: Option<Reg>, number: Op) {
        let mut inst = self.inst.clone();
        inst.guard = Some(Guard {
            reg: leads,
            not: false,
        });
        inst.operands[atomic.data].op = number;
        if let (Some((slot, ..)), Some(to)) = (atomic.result, to) {
            inst.operands[slot].op = Op::Reg(to, 0);
        }
        self.made.push(inst);
    }
}

/// Puts instructions for the lanes together in place of an operation of each; nothing if it must stay.
fn aggregate(maker: &mut Maker, known: &Facts, group: &mut Group) -> Option<()> {
    let atomic = Atomic::of(maker.inst)?;
    let (reg, lane) = atomic.number(maker.inst)?;
    let is_result_read = atomic.result.is_some();
    let is_one = known.constant(reg, lane) == Some(1)
        && (!atomic.is_wide || known.constant(reg, lane + 1) == Some(0));
    if atomic.space == Space::Shared
        && is_one
        && atomic.does == Does::Add
        && !atomic.is_wide
        && !is_result_read
    {
        return count(maker);
    }
    if !known.has_one_address(maker.inst, &atomic) {
        return None;
    }
    let is_same = known.same.has(&known.values, reg, lane, atomic.lanes());
    let number = (reg, lane);
    match (atomic.does, is_same, atomic.is_wide) {
        (Does::Add, true, _) => add(maker, known, group, &atomic, number, is_one),
        (Does::Exchange, true, false) => same_number(maker, group, &atomic, number),
        (Does::And | Does::Or | Does::Min | Does::Max, true, wide) if !wide || !is_result_read => {
            same_number(maker, group, &atomic, number)
        }
        (Does::Exchange, ..) => None,
        (_, _, false) if !is_result_read => reduce(maker, group, &atomic, number),
        _ => None,
    }
}

/// Counts lanes at addresses in shared memory.
fn count(maker: &mut Maker) -> Option<()> {
    let (inst, sm) = (maker.inst, maker.function.sm);
    // No other form of an address.
    if pattern::find(sm, "ATOMS.ADD RZ, [R0+0x10], R1")?.inst.shape != inst.shape {
        return None;
    }
    let address = inst.shape.slots().iter().zip(&inst.operands);
    let address = address.filter(|(slot, _)| slot.in_address);
    let (mut base, mut offset) = (None, 0);
    for (_, operand) in address {
        match operand.op {
            Op::Reg(..) if base.is_none() => base = Some(*operand),
            Op::Value(Value::Number(number)) => offset = number,
            _ => return None,
        }
    }
    let base = base.filter(|base| base.marks == Marks::NONE)?.op;
    let text = match offset {
        0 => "ATOMS.POPC.INC.32 RZ, [R0+URZ]".to_owned(),
        offset if offset < 0 => format!("ATOMS.POPC.INC.32 RZ, [R0+URZ+-{:#x}]", -offset),
        offset => format!("ATOMS.POPC.INC.32 RZ, [R0+URZ+{offset:#x}]"),
    };
    let mut made = pattern::find(sm, &text)?.filled(&[base], inst.guard, inst.span);
    made.acquires = inst.acquires;
    maker.made.push(made);
    Some(())
}

/// Adds the same number once for each lane.
fn add(
    maker: &mut Maker,
    known: &Facts,
    group: &mut Group,
    atomic: &Atomic,
    (reg, lane): (Reg, u8),
    is_one: bool,
) -> Option<()> {
    let (mask, last, leads) = maker.lanes(group)?;
    let sum = maker.reg(File::Register, atomic.lanes());
    let (low, high) = (Op::Reg(sum, 0), Op::Reg(sum, 1));
    let number = Op::Reg(reg, lane);
    // Nothing where the upper half adds nothing.
    let upper = match atomic.is_wide {
        true if known.constant(reg, lane + 1) != Some(0) => Some(Op::Reg(reg, lane + 1)),
        _ => None,
    };
    let mask = Op::Reg(mask, 0);
    match (is_one, atomic.is_wide) {
        (true, false) => maker.put("POPC R0, R1", &[low, mask])?,
        (true, true) => {
            maker.put("POPC R0, R1", &[low, mask])?;
            maker.put("MOV R0, RZ", &[high])?;
        }
        (false, false) => {
            let count = Op::Reg(maker.value("POPC R0, R1", &[mask])?, 0);
            maker.put("IMAD R0, R1, R2, RZ", &[low, number, count])?;
        }
        (false, true) => {
            let count = Op::Reg(maker.value("POPC R0, R1", &[mask])?, 0);
            maker.put("IMAD.WIDE.U32 R0, R2, R3, RZ", &[low, number, count])?;
            if let Some(upper) = upper {
                maker.put("IMAD R0, R1, R2, R3", &[high, upper, count, high])?;
            }
        }
    }
    maker.operate(atomic, leads, Some(sum), low);
    let Some((_, to, first)) = atomic.result else {
        return Some(());
    };
    let below = match group.below {
        Some(below) => below,
        None => maker.value("S2R R0, SR_LTMASK", &[])?,
    };
    group.below = Some(below);
    let before = maker.value(
        "LOP3.LUT R0, R1, R2, RZ, 0xc0, !PT",
        &[Op::Reg(below, 0), mask],
    )?;
    let before = Op::Reg(maker.value("POPC R0, R1", &[Op::Reg(before, 0)])?, 0);
    let last = Op::Reg(last, 0);
    let guard = maker.inst.guard;
    let (result, result_high) = (Op::Reg(to, first), Op::Reg(to, first + 1));
    maker.put("SHFL.IDX PT, R0, R1, R2, 0x1f", &[low, low, last])?;
    match (is_one, atomic.is_wide) {
        (true, false) => maker.put_if(guard, "IADD3 R0, R1, R2, RZ", &[result, low, before]),
        (false, false) => {
            let operands = [result, before, number, low];
            maker.put_if(guard, "IMAD R0, R1, R2, R3", &operands)
        }
        (_, true) => {
            maker.put("SHFL.IDX PT, R0, R1, R2, 0x1f", &[high, high, last])?;
            match is_one {
                true => {
                    let operands = [result, before, low];
                    maker.put_if(guard, "IMAD.WIDE.U32 R0, R2, 0x1, R4", &operands)?;
                }
                false => {
                    let operands = [result, before, number, low];
                    maker.put_if(guard, "IMAD.WIDE.U32 R0, R2, R3, R4", &operands)?;
                }
            }
            if let Some(upper) = upper {
                let operands = [result_high, before, upper, result_high];
                maker.put_if(guard, "IMAD R0, R1, R2, R3", &operands)?;
            }
            Some(())
        }
    }
}

/// An operation that does nothing more a second time, with the same number.
fn same_number(
    maker: &mut Maker,
    group: &mut Group,
    atomic: &Atomic,
    (reg, lane): (Reg, u8),
) -> Option<()> {
    let (_, last, leads) = maker.lanes(group)?;
    let number = Op::Reg(reg, lane);
    let Some((_, to, first)) = atomic.result else {
        maker.operate(atomic, leads, None, number);
        return Some(());
    };
    let old = Op::Reg(maker.value("MOV R0, R1", &[number])?, 0);
    let Op::Reg(found, _) = old else { return None };
    maker.operate(atomic, leads, Some(found), old);
    maker.put(
        "SHFL.IDX PT, R0, R1, R2, 0x1f",
        &[old, old, Op::Reg(last, 0)],
    )?;
    let text = match (atomic.does, atomic.is_signed) {
        (Does::And, _) => Some("LOP3.LUT R0, R1, R2, RZ, 0xc0, !PT"),
        (Does::Or, _) => Some("LOP3.LUT R0, R1, R2, RZ, 0xfc, !PT"),
        (Does::Min, true) => Some("VIMNMX R0, R1, R2, PT"),
        (Does::Min, false) => Some("VIMNMX.U32 R0, R1, R2, PT"),
        (Does::Max, true) => Some("VIMNMX R0, R1, R2, !PT"),
        (Does::Max, false) => Some("VIMNMX.U32 R0, R1, R2, !PT"),
        (Does::Exchange, _) => None,
        (Does::Add | Does::Xor, _) => return None,
    };
    let others = match text {
        Some(text) => Op::Reg(maker.value(text, &[old, number])?, 0),
        None => number,
    };
    let operands = [Op::Reg(to, first), old, others, Op::Reg(leads, 0)];
    maker.put_if(maker.inst.guard, "SEL R0, R1, R2, P0", &operands)
}

/// Numbers of lanes become one number first.
fn reduce(
    maker: &mut Maker,
    group: &mut Group,
    atomic: &Atomic,
    (reg, lane): (Reg, u8),
) -> Option<()> {
    let (name, neutral) = match (atomic.does, atomic.is_signed) {
        (Does::Add, _) => ("SUM", "RZ"),
        (Does::And, _) => ("AND", "0xffffffff"),
        (Does::Or, _) => ("OR", "RZ"),
        (Does::Xor, _) => ("XOR", "RZ"),
        (Does::Min, true) => ("MIN.S32", "0x7fffffff"),
        (Does::Min, false) => ("MIN", "0xffffffff"),
        (Does::Max, true) => ("MAX.S32", "0x80000000"),
        (Does::Max, false) => ("MAX", "RZ"),
        (Does::Exchange, _) => return None,
    };
    let (_, _, leads) = maker.lanes(group)?;
    let mut number = Op::Reg(reg, lane);
    if let Some(Guard { reg, not }) = maker.inst.guard {
        let not = if not { "!" } else { "" };
        let text = format!("SEL R0, R1, {neutral}, {not}P0");
        number = Op::Reg(maker.value(&text, &[number, Op::Reg(reg, 0)])?, 0);
    }
    let one = maker.reg(File::Uniform, 1);
    let text = match name {
        "AND" => "REDUX UR0, R0".to_owned(),
        name => format!("REDUX.{name} UR0, R0"),
    };
    maker.put(&text, &[Op::Reg(one, 0), number])?;
    let all = Op::Reg(maker.value("MOV R0, UR0", &[Op::Reg(one, 0)])?, 0);
    maker.operate(atomic, leads, None, all);
    Some(())
}
