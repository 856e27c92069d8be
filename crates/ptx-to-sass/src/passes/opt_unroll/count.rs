//! When a loop ends: the test at the end of its rounds, if it compares what changes by a constant with what does not.
//!
//! ```text
//!   c: compared after each round, changes by s      b: stays
//!
//!   c < b, s > 0     c + s … c + n·s are less than b, and exact, if c < b − n·s, where that does not wrap around
//!   c ≠ b, s > 0     c + s … c + n·s are not b         if b − c > n·s as a number without a sign
//! ```
//!
//! The others are mirrored. Nothing is known of loops that only end because a counter wraps around.

use super::numbers::{Comparison, Maker, Number};
use crate::analysis::induction::{Exact, Lane, Pair, Rounds};
use crate::analysis::loops::{Loop, Loops};
use crate::analysis::values::Place;
use crate::immediate::sources;
use crate::ir::{BlockId, Function, Guard, Inst, Op, Operand, Reg};
use crate::passes::opt_blocks::is_plain_branch;
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// The test at the end of rounds.
pub(super) struct Test {
    /// The branch back.
    pub(super) guard: Guard,
    /// The instructions that compare, each after those that it needs.
    pub(super) places: SmallVec<[Place; 2]>,
    /// The loop goes on if the counter is this in comparison with the bound.
    goes_on: Comparison,
    signed: bool,
    /// What is counted, with the places where it is read.
    pub(super) counter: Number,
    pub(super) bound: Number,
    /// Where each half is read.
    pub(super) read: [Place; 2],
    /// By how much the counter changes.
    pub(super) step: i64,
}

/// How an instruction compares: what holds, whether numbers have a sign, and the two numbers.
fn comparison(inst: &Inst) -> Option<(Comparison, bool, bool, [Operand; 2])> {
    let shape = inst.shape;
    if shape.opcode() != "ISETP" || !shape.has("AND") || inst.guard.is_some() {
        return None;
    }
    let (comparison, equal) = [
        ("NE", Comparison::Different),
        ("EQ", Comparison::Different),
        ("LT", Comparison::Less),
        ("LE", Comparison::LessOrEqual),
        ("GT", Comparison::Greater),
        ("GE", Comparison::GreaterOrEqual),
    ]
    .into_iter()
    .find(|(name, _)| shape.has(name))
    .map(|(name, comparison)| (comparison, name == "EQ"))?;
    let mut at = sources(shape);
    let both = [at.next()?, at.next()?].map(|slot| inst.operands[slot]);
    let plain = both.iter().all(|one| one.marks == Marks::NONE);
    plain.then_some((comparison, equal, !shape.has("U32"), both))
}

/// The predicates that an instruction reads and that say something.
fn read_predicates(inst: &Inst) -> Option<SmallVec<[Reg; 1]>> {
    let mut all = SmallVec::new();
    for (slot, operand) in inst.shape.slots().iter().zip(&inst.operands) {
        if slot.is_written() || slot.file != Some(warpc_sass::latency::File::Predicate) {
            continue;
        }
        match (operand.op, operand.marks) {
            (Op::Value(Value::TRUE), Marks::NONE) => {}
            (Op::Reg(reg, _), Marks::NONE) => all.push(reg),
            _ => return None,
        }
    }
    Some(all)
}

fn opposite(comparison: Comparison, equal: bool, not: bool) -> Option<Comparison> {
    Some(match (comparison, not) {
        (Comparison::Different, not) => (equal == not).then_some(Comparison::Different)?,
        (comparison, false) => comparison,
        (Comparison::Less, true) => Comparison::GreaterOrEqual,
        (Comparison::LessOrEqual, true) => Comparison::Greater,
        (Comparison::Greater, true) => Comparison::LessOrEqual,
        (Comparison::GreaterOrEqual, true) => Comparison::Less,
    })
}

impl Test {
    /// The test of a loop with one latch, which ends with a branch back.
    pub(super) fn of(rounds: &Rounds, own: &Loop, latch: BlockId) -> Option<Test> {
        let insts = &rounds.function.blocks[latch.index()].insts;
        let branch = insts.last()?;
        let guard = branch.guard?;
        if !is_plain_branch(branch) || branch.target() != Some(own.header) {
            return None;
        }
        let at = Place {
            block: latch,
            inst: insts.len() as u32 - 1,
        };
        let place = rounds.write((guard.reg, 0))?;
        if !rounds.values.is_before(place, at) {
            return None;
        }
        let inst = rounds.inst(place)?;
        let (comparison_found, equal, signed, [a, b]) = comparison(inst)?;
        if inst.writes().count() != 1 {
            return None;
        }
        let read = read_predicates(inst)?;
        let mut places = SmallVec::new();
        let (a, b, read) = match (inst.shape.has("EX"), &read[..]) {
            (false, []) => {
                let narrow = |low| Number { low, high: None };
                (narrow(a), narrow(b), [place; 2])
            }
            (true, [low]) => {
                let low_at = rounds.write((*low, 0))?;
                let inst = rounds.inst(low_at)?;
                let (low_comparison, low_equal, signed, [low_a, low_b]) = comparison(inst)?;
                let fits = low_comparison == comparison_found
                    && low_equal == equal
                    && !signed
                    && !inst.shape.has("EX")
                    && inst.writes().count() == 1
                    && read_predicates(inst)?.is_empty()
                    && rounds.values.is_before(low_at, place);
                if !fits {
                    return None;
                }
                places.push(low_at);
                let wide = |low, high| Number {
                    low,
                    high: Some(high),
                };
                (wide(low_a, a), wide(low_b, b), [low_at, place])
            }
            _ => return None,
        };
        places.push(place);
        let goes_on = opposite(comparison_found, equal, guard.not)?;
        let (counter, bound, goes_on) = match (step(rounds, a, read)?, step(rounds, b, read)?) {
            (_, 0) => (a, b, goes_on),
            (0, _) => (b, a, goes_on.turned()),
            _ => return None,
        };
        let step = step(rounds, counter, read)?;
        let fits = match goes_on {
            Comparison::Different => step != 0,
            Comparison::Less | Comparison::LessOrEqual => step > 0,
            Comparison::Greater | Comparison::GreaterOrEqual => step < 0,
        };
        // Products of steps and rounds stay small.
        (fits && step.unsigned_abs() < 1 << 24).then_some(Test {
            guard,
            places,
            goes_on,
            signed,
            counter,
            bound,
            read,
            step,
        })
    }

    /// The lane that the counter is a sum of, and what is added, if it has 32 bits.
    fn sum(&self, rounds: &Rounds) -> Option<(Lane, u32)> {
        match self.counter.is_wide() {
            true => None,
            false => rounds.sum(self.counter.low, self.read[0]),
        }
    }

    /// The counter before the first round, as if it had been compared then, if it is a sum of what the loop begins with.
    pub(super) fn before(&self, maker: &mut Maker, rounds: &Rounds) -> Option<Number> {
        let lane = |(reg, lane)| super::numbers::lane(reg, lane);
        let (number, added) = match self.counter.high {
            None => {
                let (low, added) = self.sum(rounds)?;
                let low = lane(low);
                (Number { low, high: None }, u64::from(added))
            }
            Some(high) => {
                let (low, high) = ((self.counter.low, self.read[0]), (high, self.read[1]));
                let ([low, high], added) = rounds.wide_sum(Pair { low, high })?;
                let (low, high) = (lane(low), Some(lane(high)));
                (Number { low, high }, added)
            }
        };
        match added.wrapping_sub(self.step as u64) as i64 {
            0 => Some(number),
            by if number.is_wide() || by as u32 != 0 => maker.add(number, by as u64),
            _ => Some(number),
        }
    }

    /// What the counter is when it is compared first, if that is a constant.
    fn first(&self, rounds: &Rounds, own: &Loop, loops: &Loops) -> Option<u64> {
        let begin = |lane: Lane| initial(rounds.function, own, loops, lane);
        match self.counter.high {
            None => {
                let (lane, added) = self.sum(rounds)?;
                Some(begin(lane)?.wrapping_add(added).into())
            }
            Some(high) => {
                let (low, high) = ((self.counter.low, self.read[0]), (high, self.read[1]));
                let ([low, high], added) = rounds.wide_sum(Pair { low, high })?;
                let known = u64::from(begin(high)?) << 32 | u64::from(begin(low)?);
                Some(known.wrapping_add(added))
            }
        }
    }

    /// How often the loop is gone through, if that is a constant and not more than this.
    pub(super) fn rounds(
        &self,
        rounds: &Rounds,
        own: &Loop,
        loops: &Loops,
        most: u32,
    ) -> Option<u32> {
        let (mut counter, bound) = (self.first(rounds, own, loops)?, self.bound.value()?);
        for round in 1..=most {
            if !self.holds(counter, bound) {
                return Some(round);
            }
            counter = counter.wrapping_add(self.step as u64);
            if !self.counter.is_wide() {
                counter = counter as u32 as u64;
            }
        }
        None
    }

    fn holds(&self, counter: u64, bound: u64) -> bool {
        let key = |value: u64| match (self.counter.is_wide(), self.signed) {
            (true, true) => i128::from(value as i64),
            (false, true) => i128::from(value as i32),
            (_, false) => i128::from(value),
        };
        let (counter, bound) = (key(counter), key(bound));
        match self.goes_on {
            Comparison::Different => counter != bound,
            Comparison::Less => counter < bound,
            Comparison::LessOrEqual => counter <= bound,
            Comparison::Greater => counter > bound,
            Comparison::GreaterOrEqual => counter >= bound,
        }
    }

    /// What is known of the counter before each of several rounds that follow each other without a test: so many, if
    /// there are always as many in all.
    pub(super) fn exact(
        &self,
        rounds: &Rounds,
        own: &Loop,
        loops: &Loops,
        count: Option<u32>,
    ) -> Option<Exact> {
        let (begin, added) = self.sum(rounds)?;
        let added = added.wrapping_sub(self.step as u32);
        let initial =
            initial(rounds.function, own, loops, begin).map(|one| one.wrapping_add(added));
        let (signed, unsigned) = match (count, initial) {
            (Some(count), Some(first)) => {
                let last = self.step * i64::from(count);
                let stays = |first: i64, low: i64, high: i64| {
                    (low..=high).contains(&first) && (low..=high).contains(&(first + last))
                };
                let signed = stays(
                    (first as i32).into(),
                    i64::from(i32::MIN),
                    i64::from(i32::MAX),
                );
                (signed, stays(first.into(), 0, i64::from(u32::MAX)))
            }
            (Some(_), None) => (false, false),
            (None, initial) => {
                // One that counts in larger steps may miss its bound, and wrap around between others.
                let (up, down) = (self.step == 1, self.step == -1);
                let is_different = self.goes_on == Comparison::Different;
                let signed = self.signed && !is_different;
                let counts_from_zero = is_different && up && initial == Some(0);
                let counts_to_zero = is_different && down && self.bound.value() == Some(0);
                let stays_positive = up
                    && self.signed
                    && self.goes_on == Comparison::Less
                    && initial.is_some_and(|first| first as i32 >= 0);
                let unsigned = !self.signed && !is_different
                    || counts_from_zero
                    || counts_to_zero
                    || stays_positive;
                (signed, unsigned)
            }
        };
        Some(Exact {
            begin,
            added,
            signed,
            unsigned,
        })
    }

    /// What must hold of the counter before a round so that this many tests after it would let the loop go on, to be asked
    /// in each turn. Also a predicate that must hold once; nothing if nothing must.
    pub(super) fn limit(
        &self,
        maker: &mut Maker,
        bound: Number,
        tests: u32,
    ) -> Option<(Limit, Option<Reg>)> {
        let by = self.step.checked_mul(i64::from(tests))?;
        if self.goes_on == Comparison::Different {
            let limit = Limit {
                comparison: (Comparison::Greater, false),
                to: bound.constant(by.unsigned_abs()),
                from: Some((bound, self.step > 0)),
            };
            return Some((limit, None));
        }
        let how = (self.goes_on, self.signed);
        // Towards where the counter comes from.
        let moved = match bound.value() {
            Some(known) => {
                let moved = known.wrapping_sub(by as u64);
                let moved = match bound.is_wide() {
                    true => moved,
                    false => u64::from(moved as u32),
                };
                if !self.is_beyond(moved, known) {
                    return None;
                }
                (bound.constant(moved), None)
            }
            None => {
                let moved = maker.add(bound, by.wrapping_neg() as u64)?;
                let strict = match self.step > 0 {
                    true => Comparison::Less,
                    false => Comparison::Greater,
                };
                let is_sound = maker.compare((strict, self.signed), moved, bound, None)?;
                (moved, Some(is_sound))
            }
        };
        let limit = Limit {
            comparison: how,
            to: moved.0,
            from: None,
        };
        Some((limit, moved.1))
    }

    /// Whether one constant is before another one where the counter goes.
    fn is_beyond(&self, moved: u64, bound: u64) -> bool {
        let key = |value: u64| match (self.counter.is_wide(), self.signed) {
            (true, true) => i128::from(value as i64),
            (false, true) => i128::from(value as i32),
            (_, false) => i128::from(value),
        };
        match self.step > 0 {
            true => key(moved) < key(bound),
            false => key(moved) > key(bound),
        }
    }
}

/// What a counter is compared with.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    comparison: (Comparison, bool),
    to: Number,
    /// The distance to this bound is compared, not the counter: upwards or downwards.
    from: Option<(Number, bool)>,
}

impl Limit {
    /// A predicate: whether enough rounds are left, and another predicate.
    pub(super) fn ask(self, maker: &mut Maker, counter: Number, and: Option<Reg>) -> Option<Reg> {
        let compared = match self.from {
            None => counter,
            Some((bound, true)) => maker.difference(bound, counter)?,
            Some((bound, false)) => maker.difference(counter, bound)?,
        };
        maker.compare(self.comparison, compared, self.to, and)
    }
}

/// By how much a number changes in a round.
fn step(rounds: &Rounds, number: Number, read: [Place; 2]) -> Option<i64> {
    match number.high {
        None => {
            let step = rounds.step(number.low, read[0])?;
            Some((step as i32).into())
        }
        Some(high) => {
            let (low, high) = ((number.low, read[0]), (high, read[1]));
            Some(rounds.wide_step(Pair { low, high })? as i64)
        }
    }
}

/// How many blocks before a loop are looked at for what a lane begins with.
const BACK: usize = 8;

/// What a lane is before a loop, if it is a constant.
pub(super) fn initial(
    function: &Function,
    own: &Loop,
    loops: &Loops,
    (reg, lane): Lane,
) -> Option<u32> {
    let mut before = only_entry(function, own, loops)?;
    for _ in 0..BACK {
        let insts = &function.blocks[before.index()].insts;
        let writes = |inst: &&Inst| {
            let mut all = inst.writes();
            all.any(|one| one.0 == reg && (one.1..one.1 + one.2).contains(&lane))
        };
        if let Some(inst) = insts.iter().rev().find(writes) {
            let from = inst.operands.get(1)?;
            let plain = inst.shape.opcode() == "MOV" && inst.guard.is_none();
            return super::numbers::bits(*from).filter(|_| plain);
        }
        before = loops.only_predecessor(before)?;
    }
    None
}

/// The only block from which control comes to a loop.
fn only_entry(function: &Function, own: &Loop, loops: &Loops) -> Option<BlockId> {
    let header = own.header;
    let number = loops.innermost(header)?;
    let mut found = None;
    for block in loops.predecessors(header) {
        if loops.contains(number, *block) {
            continue;
        }
        if found.is_some() {
            return None;
        }
        found = Some(*block);
    }
    // Who comes from nowhere brings nothing with it.
    found.filter(|_| header.index() > 0 && !function.blocks.is_empty())
}
