//! What changes by a constant from one round of a loop to the next.
//!
//! The loop is an innermost one with one latch, in which everything that dominates the latch is executed once in a round.
//! A lane that is written once in it, by an instruction that is always executed, has two values in a round: the one with
//! which the round begins, and the one after the write. Sums, products and shifts of such values and of what the loop does
//! not write are followed; all numbers are of 32 or 64 bits and wrap around, as the machine's do.

use crate::analysis::values::{Place, Values};
use crate::immediate::sources;
use crate::ir::{BlockId, Function, Inst, Op, Operand, Reg};
use crate::passes::WideSum;
use rustc_hash::FxHashMap;
use warpc_sass::{Marks, Value};

/// A lane of a register.
pub(crate) type Lane = (Reg, u8);

/// How far values are followed.
const DEEPEST: u32 = 8;

/// What is read at a place in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// What the loop does not write.
    Same,
    /// What the round began with.
    Begin,
    /// What was written in this round, here.
    After(Place),
    /// One or the other.
    Unknown,
}

/// How the loop writes a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    /// Once in each round.
    Once(Place),
    Otherwise,
}

/// Which values of a counter are known to be exact sums of the first one in several rounds that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exact {
    /// The lane that the round begins with.
    pub begin: Lane,
    /// What is added to it.
    pub added: u32,
    /// Whether the sums do not wrap around as numbers with a sign.
    pub signed: bool,
    /// Whether they do not as numbers without.
    pub unsigned: bool,
}

/// The rounds of a loop.
pub(crate) struct Rounds<'a> {
    pub(crate) function: &'a Function,
    pub(crate) values: &'a Values,
    latch: BlockId,
    written: FxHashMap<usize, Written>,
    /// What is known of a counter.
    pub(crate) exact: Option<Exact>,
}

/// Two lanes that are one number of 64 bits, and where each is read.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) low: (Operand, Place),
    pub(crate) high: (Operand, Place),
}

fn number(operand: Operand) -> Option<u32> {
    match (operand.op, operand.marks) {
        (Op::Value(Value::Number(number)), Marks::NONE) => Some(number as u32),
        (Op::Value(Value::ZERO), Marks::NONE) => Some(0),
        _ => None,
    }
}

/// The first three sources of an instruction.
fn three(inst: &Inst) -> Option<[Operand; 3]> {
    let mut at = sources(inst.shape);
    let all = [at.next()?, at.next()?, at.next()?];
    Some(all.map(|slot| inst.operands[slot]))
}

/// What a move copies.
fn moved(inst: &Inst) -> Option<Operand> {
    let from = inst.operands.get(1)?;
    (inst.shape.opcode() == "MOV" && from.marks == Marks::NONE).then_some(*from)
}

/// Whether an instruction multiplies and gives the lower half.
fn is_product(inst: &Inst) -> bool {
    matches!(inst.shape.name(), "IMAD" | "IMAD.U32")
}

impl<'a> Rounds<'a> {
    /// What the blocks of a loop write.
    pub(crate) fn of(
        function: &'a Function,
        values: &'a Values,
        latch: BlockId,
        blocks: &[BlockId],
    ) -> Rounds<'a> {
        let mut written = FxHashMap::default();
        for block in blocks {
            let always = values.order().dominates(*block, latch);
            for (at, inst) in (0u32..).zip(&function.blocks[block.index()].insts) {
                let place = Place {
                    block: *block,
                    inst: at,
                };
                for (reg, lane, count) in inst.writes() {
                    for index in values.lanes(reg, lane, count) {
                        let new = match always && inst.guard.is_none() {
                            true => Written::Once(place),
                            false => Written::Otherwise,
                        };
                        written
                            .entry(index)
                            .and_modify(|known| *known = Written::Otherwise)
                            .or_insert(new);
                    }
                }
            }
        }
        Rounds {
            function,
            values,
            latch,
            written,
            exact: None,
        }
    }

    /// The end of a round.
    pub(crate) fn end(&self) -> Place {
        Place {
            block: self.latch,
            inst: u32::MAX,
        }
    }

    /// The instruction at a place.
    pub(crate) fn inst(&self, place: Place) -> Option<&'a Inst> {
        let block = &self.function.blocks[place.block.index()];
        block.insts.get(place.inst as usize)
    }

    /// The only write of a lane in a round.
    pub(crate) fn write(&self, (reg, lane): Lane) -> Option<Place> {
        match self.written.get(&self.values.index(reg, lane)) {
            Some(Written::Once(place)) => Some(*place),
            _ => None,
        }
    }

    /// What is read of a lane at a place.
    pub(crate) fn reading(&self, (reg, lane): Lane, at: Place) -> Reading {
        match self.written.get(&self.values.index(reg, lane)) {
            None => Reading::Same,
            Some(Written::Otherwise) => Reading::Unknown,
            Some(Written::Once(place)) if place.block == at.block => match place.inst < at.inst {
                true => Reading::After(*place),
                false => Reading::Begin,
            },
            // The write is executed in each round: who is not after it always is never after it.
            Some(Written::Once(place)) => match self.values.is_before(*place, at) {
                true => Reading::After(*place),
                false => Reading::Begin,
            },
        }
    }

    /// The lane that a round begins with and the number of which an operand is the sum.
    pub(crate) fn sum(&self, operand: Operand, at: Place) -> Option<(Lane, u32)> {
        self.sum_at(operand, at, DEEPEST)
    }

    fn sum_at(&self, operand: Operand, at: Place, depth: u32) -> Option<(Lane, u32)> {
        let Op::Reg(reg, lane) = operand.op else {
            return None;
        };
        if operand.marks != Marks::NONE || depth == 0 {
            return None;
        }
        match self.reading((reg, lane), at) {
            Reading::Begin => Some(((reg, lane), 0)),
            Reading::After(place) => {
                let inst = self.inst(place)?;
                if let Some(from) = moved(inst) {
                    return self.sum_at(from, place, depth - 1);
                }
                if inst.shape.name() != "IADD3" || inst.writes().count() != 1 {
                    return None;
                }
                let mut found = None;
                let mut added = 0u32;
                for part in three(inst)? {
                    match number(part) {
                        Some(bits) => added = added.wrapping_add(bits),
                        None if found.is_none() => {
                            found = Some(self.sum_at(part, place, depth - 1)?);
                        }
                        None => return None,
                    }
                }
                let (base, more) = found?;
                Some((base, added.wrapping_add(more)))
            }
            Reading::Same | Reading::Unknown => None,
        }
    }

    /// By how much an operand changes from one round to the next.
    pub(crate) fn step(&self, operand: Operand, at: Place) -> Option<u32> {
        self.step_at(operand, at, DEEPEST)
    }

    fn step_at(&self, operand: Operand, at: Place, depth: u32) -> Option<u32> {
        let (reg, lane) = match operand.op {
            Op::Reg(reg, lane) => (reg, lane),
            Op::Value(Value::Number(_) | Value::ZERO) => return Some(0),
            _ => return None,
        };
        let by = match self.reading((reg, lane), at) {
            _ if depth == 0 => return None,
            Reading::Same => 0,
            Reading::Begin => self.counts((reg, lane))?,
            Reading::After(place) => self.step_of(self.inst(place)?, place, depth - 1)?,
            Reading::Unknown => return None,
        };
        match operand.marks {
            Marks::NONE => Some(by),
            Marks::MINUS => Some(by.wrapping_neg()),
            _ if by == 0 => Some(0),
            _ => None,
        }
    }

    /// By how much a lane is counted in each round, if it is one that rounds begin with.
    pub(crate) fn counts(&self, (reg, lane): Lane) -> Option<u32> {
        let own = Operand::plain(Op::Reg(reg, lane));
        let (base, added) = self.sum(own, self.end())?;
        (base == (reg, lane)).then_some(added)
    }

    /// By how much the only result of an instruction changes.
    fn step_of(&self, inst: &Inst, at: Place, depth: u32) -> Option<u32> {
        if let Some(from) = moved(inst) {
            return self.step_at(from, at, depth);
        }
        if inst.writes().count() != 1 {
            return None;
        }
        let step = |operand| self.step_at(operand, at, depth);
        let [a, b, c] = three(inst)?;
        match inst.shape.name() {
            "IADD3" => Some(step(a)?.wrapping_add(step(b)?).wrapping_add(step(c)?)),
            _ if is_product(inst) => {
                let product = match (step(a)?, step(b)?) {
                    (0, 0) => 0,
                    (by, 0) => by.wrapping_mul(number(b).filter(|_| a.marks == Marks::NONE)?),
                    _ => return None,
                };
                Some(product.wrapping_add(step(c)?))
            }
            "SHF.L.U32" if number(c) == Some(0) => {
                let by = number(b).filter(|by| *by < 32)?;
                (a.marks == Marks::NONE).then_some(step(a)? << by)
            }
            _ => None,
        }
    }

    /// The lanes that a round begins with and the number of which a pair is the sum.
    pub(crate) fn wide_sum(&self, pair: Pair) -> Option<([Lane; 2], u64)> {
        self.wide_sum_at(pair, DEEPEST)
    }

    fn wide_sum_at(&self, pair: Pair, depth: u32) -> Option<([Lane; 2], u64)> {
        match self.wide_reading(pair, depth)? {
            WideReading::Begin(lanes) => Some((lanes, 0)),
            WideReading::Moved(from) => self.wide_sum_at(from, depth - 1),
            WideReading::Sum([one, other]) => {
                let (part, added) = match (wide_number(one), wide_number(other)) {
                    (None, Some(bits)) => (one, bits),
                    (Some(bits), None) => (other, bits),
                    _ => return None,
                };
                let (lanes, more) = self.wide_sum_at(part, depth - 1)?;
                Some((lanes, added.wrapping_add(more)))
            }
            WideReading::Same | WideReading::Product(..) => None,
        }
    }

    /// By how much a pair changes from one round to the next.
    pub(crate) fn wide_step(&self, pair: Pair) -> Option<u64> {
        self.wide_step_at(pair, DEEPEST)
    }

    fn wide_step_at(&self, pair: Pair, depth: u32) -> Option<u64> {
        if wide_number(pair).is_some() {
            return Some(0);
        }
        match self.wide_reading(pair, depth)? {
            WideReading::Same => Some(0),
            WideReading::Begin(lanes) => self.wide_counts(lanes),
            WideReading::Moved(from) => self.wide_step_at(from, depth - 1),
            WideReading::Sum([one, other]) => {
                let one = self.wide_step_at(one, depth - 1)?;
                Some(one.wrapping_add(self.wide_step_at(other, depth - 1)?))
            }
            WideReading::Product(place) => self.wide_step_of(place, depth - 1),
        }
    }

    /// By how much a pair of lanes is counted in each round, if it is one that rounds begin with.
    pub(crate) fn wide_counts(&self, lanes: [Lane; 2]) -> Option<u64> {
        let end = self.end();
        let [low, high] = lanes.map(|(reg, lane)| (Operand::plain(Op::Reg(reg, lane)), end));
        let (base, added) = self.wide_sum(Pair { low, high })?;
        (base == lanes).then_some(added)
    }

    /// By how much a product of 64 bits changes: its factor must be known not to wrap around.
    fn wide_step_of(&self, place: Place, depth: u32) -> Option<u64> {
        let inst = self.inst(place)?;
        let signed = inst.shape.name() == "IMAD.WIDE";
        let [a, b, c] = three(inst)?;
        if a.marks != Marks::NONE || b.marks != Marks::NONE {
            return None;
        }
        let by = number(b)?;
        let factor = match self.step_at(a, place, depth)? {
            0 => 0,
            step => {
                let exact = self.exact?;
                let known = if signed { exact.signed } else { exact.unsigned };
                if self.sum(a, place)? != (exact.begin, exact.added) || !known {
                    return None;
                }
                // The counter may go down also where its values have no sign.
                i64::from(step as i32)
            }
        };
        let by = match signed {
            true => i64::from(by as i32),
            false => i64::from(by),
        };
        let product = factor.wrapping_mul(by) as u64;
        let added = match c.op {
            Op::Value(Value::ZERO) => 0,
            Op::Reg(reg, lane) if c.marks == Marks::NONE => {
                let low = (Operand::plain(Op::Reg(reg, lane)), place);
                let high = (Operand::plain(Op::Reg(reg, lane + 1)), place);
                self.wide_step_at(Pair { low, high }, depth)?
            }
            _ => return None,
        };
        Some(product.wrapping_add(added))
    }

    fn wide_reading(&self, pair: Pair, depth: u32) -> Option<WideReading> {
        let (Op::Reg(low_reg, low_lane), Op::Reg(high_reg, high_lane)) =
            (pair.low.0.op, pair.high.0.op)
        else {
            return None;
        };
        let plain = pair.low.0.marks == Marks::NONE && pair.high.0.marks == Marks::NONE;
        if !plain || depth == 0 {
            return None;
        }
        let lanes = [(low_reg, low_lane), (high_reg, high_lane)];
        let low = self.reading(lanes[0], pair.low.1);
        let high = self.reading(lanes[1], pair.high.1);
        let (low, high) = match (low, high) {
            (Reading::Same, Reading::Same) => return Some(WideReading::Same),
            (Reading::Begin, Reading::Begin) => return Some(WideReading::Begin(lanes)),
            (Reading::After(low), Reading::After(high)) => (low, high),
            _ => return None,
        };
        let (low_inst, high_inst) = (self.inst(low)?, self.inst(high)?);
        if low == high {
            let is_wide = matches!(low_inst.shape.name(), "IMAD.WIDE" | "IMAD.WIDE.U32");
            let whole = low_inst.writes().count() == 1
                && low_reg == high_reg
                && low_inst.writes().next() == Some((low_reg, low_lane, 2))
                && high_lane == low_lane + 1;
            return (is_wide && whole).then_some(WideReading::Product(low));
        }
        if let (Some(from_low), Some(from_high)) = (moved(low_inst), moved(high_inst)) {
            return Some(WideReading::Moved(Pair {
                low: (from_low, low),
                high: (from_high, high),
            }));
        }
        let sum = WideSum::at(self.function, self.values, high.block, high.inst as usize)?;
        let own = (Op::Reg(low_reg, low_lane), Op::Reg(high_reg, high_lane));
        if low.block != high.block || sum.low != low.inst as usize || sum.to != own {
            return None;
        }
        Some(WideReading::Sum(sum.parts.map(|(one, other)| Pair {
            low: (one, low),
            high: (other, high),
        })))
    }
}

/// What a pair is.
enum WideReading {
    Same,
    Begin([Lane; 2]),
    Moved(Pair),
    Sum([Pair; 2]),
    Product(Place),
}

fn wide_number(pair: Pair) -> Option<u64> {
    let (low, high) = (number(pair.low.0)?, number(pair.high.0)?);
    Some(u64::from(high) << 32 | u64::from(low))
}
