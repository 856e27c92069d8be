//! Copies of the rounds of a loop, one after the other, each with registers of its own.
//!
//! | register | in copies |
//! |---|---|
//! | counter: changed by a constant, once in each round | `what the copies began with + k·step` |
//! | other number that is computed once in each round from that of the last | another register after each copy |
//! | of a round alone, changes by a constant from round to round | `that of the first copy + k·step` |
//! | of a round alone | another register in each copy |
//! | any other | stays: copies write it one after the other |
//!
//! The sums are values (`analysis/values.rs`), and end up in addresses (`opt_address`).

use super::layout::Layout;
use super::numbers::{Maker, Number, lane};
use crate::analysis::induction::{Pair, Reading, Rounds};
use crate::analysis::liveness::Liveness;
use crate::analysis::loops::Loop;
use crate::analysis::values::Place;
use crate::ir::{BlockId, File, Function, Inst, Op, Operand, Reg};
use rustc_hash::FxHashMap;

/// What becomes of a register that the loop writes.
enum Class {
    Counter {
        /// By how much it changes, if that is a constant.
        step: Option<u64>,
        /// Where its lanes are written.
        places: [Place; 2],
        /// The register before each copy, and after the last one.
        versions: Vec<Reg>,
    },
    Stepped {
        step: u64,
        places: [Place; 2],
        /// The counter that it is a sum of, and what is added.
        base: Option<(Reg, u64)>,
        names: Vec<Reg>,
    },
    Own {
        names: Vec<Reg>,
    },
}

/// Which registers get other names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Those that rounds begin with and compute numbers of.
    Counters,
    /// Those of a round alone, too.
    All,
}

/// The copies of a loop.
pub(super) struct Copies<'a> {
    rounds: &'a Rounds<'a>,
    /// The first and the last block.
    blocks: (BlockId, BlockId),
    count: u32,
    classes: FxHashMap<Reg, Class>,
    /// How often the loop reads registers.
    reads: FxHashMap<Reg, u32>,
    /// Instructions of the test that copies do not need, and the branch.
    dropped: Vec<Place>,
}

fn two(function: &Function, reg: Reg) -> Option<bool> {
    match function.data(reg).lanes {
        1 => Some(false),
        2 => Some(true),
        _ => None,
    }
}

fn own_pair(reg: Reg, at: Place) -> Pair {
    Pair {
        low: (lane(reg, 0), at),
        high: (lane(reg, 1), at),
    }
}

fn whole(reg: Reg, is_wide: bool) -> Number {
    Number {
        low: lane(reg, 0),
        high: is_wide.then(|| lane(reg, 1)),
    }
}

impl<'a> Copies<'a> {
    /// Finds what the registers of a loop are. `exits` are the blocks to which control leaves from elsewhere than the end
    /// of the round, and `after` the one to which it leaves there.
    pub(super) fn of(
        rounds: &'a Rounds<'a>,
        liveness: &Liveness,
        own: &Loop,
        blocks: (BlockId, BlockId),
        (exits, after): (&[BlockId], BlockId),
        count: u32,
        what: What,
    ) -> Copies<'a> {
        let function = rounds.function;
        let mut copies = Copies {
            rounds,
            blocks,
            count,
            classes: FxHashMap::default(),
            reads: FxHashMap::default(),
            dropped: Vec::new(),
        };
        let mut written: Vec<Reg> = Vec::new();
        for (_, inst) in copies.insts() {
            for (reg, ..) in inst.reads() {
                *copies.reads.entry(reg).or_insert(0) += 1;
            }
            written.extend(inst.writes().map(|one| one.0));
        }
        written.sort_unstable();
        written.dedup();
        let live_in = |block: &BlockId| liveness.registers_in(function, *block);
        let at_exits: Vec<_> = exits.iter().map(live_in).collect();
        let (at_header, at_after) = (live_in(&own.header), live_in(&after));
        for reg in &written {
            let leaves = at_exits.iter().any(|live| live.contains(reg));
            if leaves {
                continue;
            }
            // Who begins a round with it reads what the last one left.
            let is_carried = at_header.contains(reg);
            let is_number = function.data(*reg).file == File::Register;
            if is_carried && is_number {
                if let Some(counter) = copies.counter(*reg) {
                    copies.classes.insert(*reg, counter);
                }
            } else if what == What::All && !is_carried && !at_after.contains(reg) {
                let names = Vec::new();
                copies.classes.insert(*reg, Class::Own { names });
            }
        }
        for reg in written {
            if let Some(Class::Own { .. }) = copies.classes.get(&reg)
                && let Some(stepped) = copies.stepped(reg)
            {
                copies.classes.insert(reg, stepped);
            }
        }
        copies
    }

    /// The instructions of a round.
    fn insts(&self) -> impl Iterator<Item = (Place, &'a Inst)> + use<'a> {
        let (first, last) = self.blocks;
        let function = self.rounds.function;
        (first.0..=last.0).map(BlockId).flat_map(move |block| {
            let insts = &function.blocks[block.index()].insts;
            (0u32..)
                .zip(insts)
                .map(move |(inst, one)| (Place { block, inst }, one))
        })
    }

    /// The places where the lanes of a register are written, each once.
    fn places(&self, reg: Reg) -> Option<[Place; 2]> {
        let low = self.rounds.write((reg, 0))?;
        let high = match two(self.rounds.function, reg)? {
            false => low,
            true => self.rounds.write((reg, 1))?,
        };
        Some([low, high])
    }

    fn counter(&self, reg: Reg) -> Option<Class> {
        let rounds = self.rounds;
        let places = self.places(reg)?;
        let step = match two(rounds.function, reg)? {
            false => rounds.counts((reg, 0)).map(u64::from),
            true => rounds.wide_counts([(reg, 0), (reg, 1)]),
        };
        if step.is_none() && !places.iter().all(|place| self.is_integer(*place)) {
            return None;
        }
        if places[0].block != places[1].block {
            return None;
        }
        // Who reads both lanes reads them from before or from after the write.
        let agrees = self.insts().all(|(at, inst)| {
            inst.reads().all(|(read, first, lanes)| {
                read != reg || {
                    let after = |one| matches!(rounds.reading((reg, one), at), Reading::After(_));
                    (first..first + lanes).all(|one| after(one) == after(first))
                }
            })
        });
        agrees.then_some(Class::Counter {
            step,
            places,
            versions: Vec::new(),
        })
    }

    /// Whether an instruction computes an integer, or copies one that the round computed.
    fn is_integer(&self, place: Place) -> bool {
        let computes = |inst: &Inst| {
            matches!(
                inst.shape.opcode(),
                "IADD3" | "IMAD" | "LEA" | "SHF" | "LOP3"
            ) && inst.guard.is_none()
        };
        let Some(inst) = self.rounds.inst(place) else {
            return false;
        };
        let from = inst
            .operands
            .get(1)
            .filter(|_| inst.shape.opcode() == "MOV");
        match from.map(|one| one.op) {
            Some(Op::Reg(reg, lane)) => match self.rounds.reading((reg, lane), place) {
                Reading::After(place) => self.rounds.inst(place).is_some_and(computes),
                _ => false,
            },
            _ => computes(inst),
        }
    }

    /// What a register of a round alone is, if it changes by a constant.
    fn stepped(&self, reg: Reg) -> Option<Class> {
        let rounds = self.rounds;
        let places = self.places(reg)?;
        if places[0].block != places[1].block {
            return None;
        }
        let end = rounds.end();
        let is_counter = |reg: &Reg| {
            matches!(
                self.classes.get(reg),
                Some(Class::Counter { step: Some(_), .. })
            )
        };
        let (step, base) = match two(rounds.function, reg)? {
            false => {
                let own = lane(reg, 0);
                let base = rounds.sum(own, end).filter(|((reg, lane), _)| {
                    *lane == 0 && is_counter(reg) && rounds.function.data(*reg).lanes == 1
                });
                let base = base.map(|((reg, _), added)| (reg, u64::from(added)));
                (u64::from(rounds.step(own, end)?), base)
            }
            true => {
                let own = own_pair(reg, end);
                let base = rounds.wide_sum(own).filter(|([low, high], _)| {
                    low.0 == high.0 && (low.1, high.1) == (0, 1) && is_counter(&low.0)
                });
                let base = base.map(|([low, _], added)| (low.0, added));
                (rounds.wide_step(own)?, base)
            }
        };
        let inst = rounds.inst(places[0])?;
        // A product is one instruction, and a sum of 64 bits two: only addresses are better off with the sum.
        let is_product = inst.shape.opcode() == "IMAD" && places[0] == places[1];
        let is_wide = rounds.function.data(reg).lanes == 2;
        if step == 0 || is_wide && is_product && !self.is_part_of_addresses(reg) {
            return None;
        }
        Some(Class::Stepped {
            step,
            places,
            base,
            names: Vec::new(),
        })
    }

    /// Whether a pair is read as an address, or by sums of 64 bits that change by a constant, only.
    fn is_part_of_addresses(&self, reg: Reg) -> bool {
        self.insts().all(|(at, inst)| {
            let slots = inst.shape.slots().iter().zip(&inst.operands);
            let mut reading = slots.filter(|(slot, operand)| {
                matches!(operand.op, Op::Reg(own, _) if own == reg) && !slot.is_written()
            });
            reading.all(|(slot, _)| {
                slot.in_address
                    || matches!(inst.shape.name(), "IADD3" | "IADD3.X")
                        && inst.writes().any(|(to, ..)| {
                            let end = Place {
                                inst: u32::MAX,
                                ..at
                            };
                            self.rounds.function.data(to).lanes == 2
                                && self.rounds.wide_step(own_pair(to, end)).is_some()
                        })
            })
        })
    }

    /// Whether there is a register that gets other names.
    pub(super) fn has_any(&self) -> bool {
        !self.classes.is_empty()
    }

    /// Whether a register is of a round alone and read so often.
    pub(super) fn is_read_only_so_often(&self, reg: Reg, often: u32) -> bool {
        matches!(self.classes.get(&reg), Some(Class::Own { .. }))
            && self.reads.get(&reg) == Some(&often)
    }

    /// Leaves out an instruction.
    pub(super) fn leave_out(&mut self, place: Place) {
        self.dropped.push(place);
    }

    /// Whether what a copy reads at a place can be read after the last copy, too.
    pub(super) fn lasts(&self, operand: Operand, at: Place) -> bool {
        match operand.op {
            Op::Reg(reg, lane) => {
                self.classes.contains_key(&reg)
                    || matches!(
                        self.rounds.reading((reg, lane), at),
                        Reading::Same | Reading::After(_)
                    )
            }
            _ => true,
        }
    }

    /// What stands for an operand of the last copy.
    pub(super) fn last(&self, operand: Operand, at: Place) -> Operand {
        self.mapped(operand, at, self.count - 1)
    }

    fn mapped(&self, operand: Operand, at: Place, copy: u32) -> Operand {
        let Op::Reg(reg, lane) = operand.op else {
            return operand;
        };
        Operand {
            op: Op::Reg(self.name(reg, lane, at, copy), lane),
            ..operand
        }
    }

    fn name(&self, reg: Reg, lane: u8, at: Place, copy: u32) -> Reg {
        let copy = copy as usize;
        match self.classes.get(&reg) {
            None => reg,
            Some(Class::Own { names } | Class::Stepped { names, .. }) => names[copy],
            Some(Class::Counter { versions, .. }) => match self.rounds.reading((reg, lane), at) {
                Reading::After(_) => versions[copy + 1],
                _ => versions[copy],
            },
        }
    }

    /// Gives all registers their names.
    fn name_all(&mut self, layout: &mut Layout) {
        let mut all: Vec<(&Reg, &mut Class)> = self.classes.iter_mut().collect();
        all.sort_unstable_by_key(|one| *one.0);
        for (reg, class) in all {
            let data = self.rounds.function.data(*reg);
            let mut make = |count: u32| (0..count).map(|_| layout.like(data)).collect();
            match class {
                Class::Counter { versions, .. } => *versions = make(self.count + 1),
                Class::Stepped { names, .. } | Class::Own { names } => *names = make(self.count),
            }
        }
    }

    /// The counters, in an order.
    fn counters(&self) -> Vec<(Reg, &Class)> {
        let all = self.classes.iter();
        let counters = all.filter(|one| matches!(one.1, Class::Counter { .. }));
        let mut counters: Vec<(Reg, &Class)> = counters.map(|(reg, one)| (*reg, one)).collect();
        counters.sort_unstable_by_key(|one| one.0);
        counters
    }

    /// Makes the copies: their blocks. `begin` says what lanes are before the first one, if that is a constant.
    pub(super) fn make(
        &mut self,
        maker: &mut Maker,
        header: BlockId,
        begin: &dyn Fn(Reg, u8) -> Option<u32>,
    ) -> Option<Vec<BlockId>> {
        self.name_all(maker.layout);
        let (first, last) = self.blocks;
        let per_copy = last.0 - first.0 + 1;
        let blocks = (0..self.count * per_copy).map(|_| maker.layout.block(header));
        let blocks: Vec<BlockId> = blocks.collect();
        for (reg, class) in self.counters() {
            if let Class::Counter { versions, .. } = class {
                for one in 0..maker.function.data(reg).lanes {
                    let from = match begin(reg, one) {
                        Some(bits) => super::numbers::constant(bits),
                        None => lane(reg, one),
                    };
                    maker.copy(lane(versions[0], one), from)?;
                }
            }
        }
        for copy in 0..self.count {
            let own = &blocks[(copy * per_copy) as usize..][..per_copy as usize];
            for (block, to) in (first.0..=last.0).map(BlockId).zip(own) {
                for inst in 0..maker.function.blocks[block.index()].insts.len() as u32 {
                    self.copy(maker, Place { block, inst }, copy, own, begin)?;
                }
                let is_cold = maker.function.blocks[block.index()].is_cold;
                let to = maker.layout.fill(*to);
                to.insts = std::mem::take(&mut maker.insts);
                to.is_cold = is_cold;
            }
        }
        Some(blocks)
    }

    /// What counters are after the last copy goes back to where the loop has them. To stand after all that reads the last
    /// copy's: then both can be in one register.
    pub(super) fn give_back(&self, maker: &mut Maker) -> Option<()> {
        for (reg, class) in self.counters() {
            if let Class::Counter { versions, .. } = class {
                for one in 0..maker.function.data(reg).lanes {
                    let from = lane(*versions.last()?, one);
                    maker.copy(lane(reg, one), from)?;
                }
            }
        }
        Some(())
    }

    /// Copies an instruction.
    fn copy(
        &self,
        maker: &mut Maker,
        place: Place,
        copy: u32,
        blocks: &[BlockId],
        begin: &dyn Fn(Reg, u8) -> Option<u32>,
    ) -> Option<()> {
        if self.dropped.contains(&place) {
            return Some(());
        }
        let inst = self.rounds.inst(place)?;
        for (reg, ..) in inst.writes() {
            let is_first = |places: &[Place; 2]| place.inst == places[0].inst.min(places[1].inst);
            let is_wide = maker.function.data(reg).lanes == 2;
            match self.classes.get(&reg) {
                Some(Class::Counter {
                    step: Some(step),
                    places,
                    versions,
                }) if self.count > 1 || begin(reg, 0).is_some() => {
                    if is_first(places) {
                        let by = step.wrapping_mul(u64::from(copy) + 1);
                        let to = versions[copy as usize + 1];
                        self.sum(maker, to, (reg, versions[0]), by, begin)?;
                    }
                    return Some(());
                }
                Some(Class::Stepped {
                    step,
                    places,
                    base: Some((base, added)),
                    names,
                }) => {
                    if is_first(places) {
                        let by = step.wrapping_mul(copy.into()).wrapping_add(*added);
                        if let Some(Class::Counter { versions, .. }) = self.classes.get(base) {
                            let (to, from) = (names[copy as usize], versions[0]);
                            self.sum(maker, to, (*base, from), by, begin)?;
                        }
                    }
                    return Some(());
                }
                Some(Class::Stepped {
                    step,
                    places,
                    base: None,
                    names,
                }) if copy > 0 => {
                    if is_first(places) {
                        let by = step.wrapping_mul(copy.into());
                        maker.add_to(names[copy as usize], whole(names[0], is_wide), by)?;
                    }
                    return Some(());
                }
                _ => {}
            }
        }
        maker.insts.push(self.renamed(inst, place, copy, blocks));
        Some(())
    }

    /// An instruction of the test, as it is after the last copy, and after counters were given back if it says so.
    pub(super) fn test(&self, maker: &mut Maker, place: Place, is_back: bool) -> Option<()> {
        let inst = self.rounds.inst(place)?;
        let mut made = self.renamed(inst, place, self.count - 1, &[]);
        if is_back {
            for (operand, new) in inst.operands.iter().zip(&mut made.operands) {
                if let Op::Reg(reg, lane) = operand.op
                    && let Some(counter) = self.given_back((reg, lane), place)
                {
                    new.op = Op::Reg(counter, lane);
                }
            }
        }
        maker.insts.push(made);
        Some(())
    }

    /// The counter that has what is read of a lane, once it was given back.
    fn given_back(&self, (reg, lane): (Reg, u8), at: Place) -> Option<Reg> {
        match self.classes.get(&reg)? {
            Class::Counter { .. } => {
                let reading = self.rounds.reading((reg, lane), at);
                matches!(reading, Reading::After(_)).then_some(reg)
            }
            Class::Stepped {
                step,
                base: Some((base, added)),
                ..
            } => (step == added).then_some(*base),
            _ => None,
        }
    }

    /// What a predicate of the round is called in the last copy.
    pub(super) fn last_name(&self, reg: Reg) -> Reg {
        let end = self.rounds.end();
        self.name(reg, 0, end, self.count - 1)
    }

    /// An instruction with the registers and blocks of a copy.
    fn renamed(&self, inst: &Inst, place: Place, copy: u32, blocks: &[BlockId]) -> Inst {
        let mut made = inst.clone();
        if let Some(guard) = &mut made.guard {
            guard.reg = self.name(guard.reg, 0, place, copy);
        }
        for (slot, operand) in inst.shape.slots().iter().zip(&mut made.operands) {
            match operand.op {
                Op::Reg(reg, first) => {
                    // What is written is what is read after it.
                    let at = match slot.is_written() {
                        true => Place {
                            inst: u32::MAX,
                            ..place
                        },
                        false => place,
                    };
                    operand.op = Op::Reg(self.name(reg, first, at, copy), first);
                }
                Op::Block(to) if (self.blocks.0..=self.blocks.1).contains(&to) => {
                    if let Some(own) = blocks.get((to.0 - self.blocks.0.0) as usize) {
                        operand.op = Op::Block(*own);
                    }
                }
                _ => {}
            }
        }
        made
    }

    /// `to = from + by`, where `from` is what the copies begin with of a counter.
    fn sum(
        &self,
        maker: &mut Maker,
        to: Reg,
        (counter, from): (Reg, Reg),
        by: u64,
        begin: &dyn Fn(Reg, u8) -> Option<u32>,
    ) -> Option<()> {
        let is_wide = maker.function.data(counter).lanes == 2;
        let from = whole(from, is_wide);
        let known = |lane| begin(counter, lane).map(u64::from);
        let constant = match is_wide {
            false => known(0),
            true => known(0).and_then(|low| Some(known(1)? << 32 | low)),
        };
        match constant {
            None => maker.add_to(to, from, by),
            Some(known) => {
                let number = from.constant(known.wrapping_add(by));
                maker.copy(lane(to, 0), number.low)?;
                match number.high {
                    Some(high) => maker.copy(lane(to, 1), high),
                    None => Some(()),
                }
            }
        }
    }
}

/// Copies of what computes an operand at the end of the first round, to stand before the loop.
pub(super) struct Slice<'a> {
    rounds: &'a Rounds<'a>,
    made: Vec<Place>,
    names: FxHashMap<Reg, Reg>,
}

/// The most instructions of a slice.
const LONGEST: usize = 24;

impl<'a> Slice<'a> {
    pub(super) fn new(rounds: &'a Rounds<'a>) -> Slice<'a> {
        Slice {
            rounds,
            made: Vec::new(),
            names: FxHashMap::default(),
        }
    }

    /// A number of the first round.
    pub(super) fn number(
        &mut self,
        maker: &mut Maker,
        number: Number,
        read: [Place; 2],
    ) -> Option<Number> {
        Some(Number {
            low: self.operand(maker, number.low, 1, read[0])?,
            high: match number.high {
                Some(high) => Some(self.operand(maker, high, 1, read[1])?),
                None => None,
            },
        })
    }

    fn operand(
        &mut self,
        maker: &mut Maker,
        operand: Operand,
        lanes: u8,
        at: Place,
    ) -> Option<Operand> {
        let Op::Reg(reg, first) = operand.op else {
            return Some(operand);
        };
        let mut after = 0;
        for lane in first..first + lanes {
            match self.rounds.reading((reg, lane), at) {
                Reading::Unknown => return None,
                Reading::Same | Reading::Begin => {}
                Reading::After(place) => {
                    self.inst(maker, place)?;
                    after += 1;
                }
            }
        }
        match after {
            0 => Some(operand),
            after if after == lanes => Some(Operand {
                op: Op::Reg(*self.names.get(&reg)?, first),
                ..operand
            }),
            _ => None,
        }
    }

    fn inst(&mut self, maker: &mut Maker, place: Place) -> Option<()> {
        if self.made.contains(&place) {
            return Some(());
        }
        if self.made.len() >= LONGEST {
            return None;
        }
        let inst = self.rounds.inst(place)?;
        if !crate::passes::is_pure(inst)
            || crate::passes::names_registers(inst)
            || inst.guard.is_some()
        {
            return None;
        }
        self.made.push(place);
        let mut made = inst.clone();
        for (slot, operand) in inst.shape.slots().iter().zip(&mut made.operands) {
            let Op::Reg(reg, first) = operand.op else {
                continue;
            };
            if slot.is_written() {
                let data = maker.function.data(reg);
                let name = *self
                    .names
                    .entry(reg)
                    .or_insert_with(|| maker.layout.like(data));
                operand.op = Op::Reg(name, first);
            } else {
                let lanes = slot.width.registers(u128::MAX).max(1);
                *operand = self.operand(maker, *operand, lanes, place)?;
            }
        }
        maker.insts.push(made);
        Some(())
    }
}
