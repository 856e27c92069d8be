//! The order of instructions in a block: long ways first.
//!
//! A block is cut into regions at what must stay where it is: barriers, convergence, the branch at the end. In a region
//! instructions are a graph: who reads what another one writes comes after it by its latency; accesses to memory that
//! may be the same keep their order, and so do those that others can see the order of. The instruction whose way to the
//! end is longest goes first, so that loads are issued early and together, and who waits for them late.
//!
//! What a region reads may still be under way from before it: it counts as there when its latency has passed. What lanes exchange or
//! multiply together has no order among itself; `WARPSYNC` where lanes are together (`opt_sync`) only holds accesses to memory.
//!
//! Registers: what is live is counted lane by lane, and where more would be than there is room for, other ways to find an order are
//! tried: loads one after the other, orders from the end on that leave the fewest values (`few`), and from these loads go up again
//! as far as there are registers (`early`). How many registers there may be is a question of warps (`warps`).

mod changes;
mod clock;
mod early;
mod few;
mod graph;
mod list;
mod pressure;
mod touched;
mod warps;

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::{is_pure, writes_named};
use crate::analysis::empty;
use crate::analysis::guarded::Guarded;
use crate::analysis::liveness::Liveness;
use crate::analysis::register_counts::RegisterCounts;
use crate::analysis::uses::{depths, rounds_at};
use crate::ir::{BlockId, Function, Inst, Reg};
use crate::version::Order;
use changes::Current;
use graph::Graph;
use list::{Along, Bounds, Listed, Reached, Style};
use pressure::{Live, Pressure, pressure};
use smallvec::SmallVec;
use touched::{Touch, Touched};
use warpc_sass::shape::{Access, Space, Traits};

pub(super) use pressure::{live_by_block, most_live};
pub(crate) use warps::{in_steps, needed, time};

/// The most instructions of a region: longer blocks are cut.
const WINDOW: usize = 1024;
/// How many ready instructions are looked at where registers are short.
const LOOKED_AT: usize = 24;
/// How far ahead in an order that needs few registers one is looked for that is better for speed: the first of these with which
/// the registers last.
const WINDOWS: [u32; 3] = [u32::MAX, 32, 8];
/// How an order is tried in which loads wait for registers: first all that has the longest way, then loads as soon as their
/// addresses are there, with so many of these begun at a time.
const STYLES: [Style; 4] = [
    Style { begun: None },
    Style { begun: Some(8) },
    Style { begun: Some(3) },
    Style { begun: Some(1) },
];
/// Predicates that may be live at a time: there are seven.
const PREDICATES: i32 = 5;
/// A kernel may have as many registers as leave room for all warps that a multiprocessor can have.
const FREE: i32 = 30;
/// Warps get registers in such steps, so that up to the next one more registers cost no room. Source: the CUDA
/// occupancy tables, all chips from sm_50 on.
const STEP: i32 = 8;
/// Fewer than so many live values make no kernel smaller.
const LEAST: i32 = 5;
/// What a kernel has besides the values that are live: the stack, and registers that the chip keeps.
const BESIDES: i32 = 3;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "schedule_latency",
    run,
};

/// Orders the instructions of all blocks.
fn run(function: &mut Function, limits: &Limits) {
    let most = i32::from(limits.registers) - 4;
    let version = limits.version;
    let plan = Planner::of(function, version.order, version.gaps).plan(most);
    for (block, order) in plan.into_iter().enumerate() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut taken: Vec<Option<Inst>> = insts.into_iter().map(Some).collect();
        let order = order.into_iter();
        function.blocks[block].insts = order.filter_map(|at| taken[at as usize].take()).collect();
    }
}

/// Instructions of a block that may change places, and the order that was found for them.
struct Stretch {
    block: BlockId,
    start: u32,
    end: u32,
    /// How often it is executed, by the loops around it.
    weight: u64,
    /// The cycles for which it keeps what executes it.
    busy: f64,
    /// What is live before it and after it.
    pressure: (Pressure, Pressure),
    best: Found,
    /// What comes before what, once it was asked for; not kept in a function of very many instructions.
    graph: Option<Graph>,
    /// The order that needs few registers, once it was asked for.
    few: Option<Found>,
    /// The deep one, once the other one had too many.
    deep: Option<Found>,
}

/// An order of a stretch.
#[derive(Clone, Default)]
struct Found {
    /// Numbers of instructions, from that of its beginning on.
    order: Vec<u32>,
    /// The cycles that it takes.
    cycles: u32,
    /// The most that is live in it.
    peak: Pressure,
}

/// What orders are compared by: the registers that are too many, the cycles, the registers.
type Key = (i32, u32, i32);

/// What an order is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// It is fast, and keeps to limits where it can.
    Fast,
    /// It goes along with one that needs few registers, and needs more than there may be if it must.
    Few,
    /// The same, but one that needs more than there may be is of no use.
    Fit,
}
/// What fewer registers may cost a function: this part of all cycles of a warp by itself. Others hide most of it.
const SLOWER: u64 = 30;

/// How many orders are tried to find the fewest registers.
const TRIES: usize = 6;

/// Instructions of a function whose graphs are kept between tries.
const KEPT: usize = 1 << 18;

struct Planner<'a> {
    function: &'a Function,
    liveness: Liveness,
    touched: Touched,
    scratch: Scratch,
    stretches: Vec<Stretch>,
    /// The stretch that did not fit last: it is tried first.
    tightest: usize,
    /// Whether graphs are kept between tries.
    keeps: bool,
    /// What fewer registers may cost.
    how: Order,
    /// What a kernel has besides the values that are live.
    besides: i32,
}

impl<'a> Planner<'a> {
    fn of(function: &'a Function, how: Order, gaps: u8) -> Planner<'a> {
        let scratch = Scratch::of(function);
        let count: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
        Planner {
            function,
            liveness: Liveness::of(function),
            touched: Touched::of(function, &scratch.first, scratch.lanes.len()),
            scratch,
            stretches: Vec::new(),
            tightest: 0,
            keeps: count <= KEPT,
            how,
            besides: BESIDES + i32::from(gaps),
        }
    }

    /// For each block its instructions in their new order.
    fn plan(mut self, registers: i32) -> Vec<Vec<u32>> {
        let mut most = self.cut();
        if let Some(counts) = RegisterCounts::of(self.function) {
            self.fill(&counts);
            return self.orders();
        }
        if self.how == Order::Balanced && self.function.is_kernel {
            self.choose(registers);
            return self.orders();
        }
        let wide = Pressure {
            registers: full_step(most).max(FREE).min(registers).max(most),
            predicates: PREDICATES,
        };
        let mut floor = 0;
        let mut total = 0;
        most = 0;
        for number in 0..self.stretches.len() {
            let found = self.try_with(number, wide, Aim::Fast);
            let own = &mut self.stretches[number];
            if let Some(found) = found
                && found.peak.over(wide) <= own.best.peak.over(wide)
            {
                own.best = found;
            }
            total += own.weight * u64::from(own.best.cycles);
            most = most.max(own.best.peak.registers);
            floor = floor.max(own.pressure.0.registers.max(own.pressure.1.registers));
        }
        self.narrow(floor, most, registers, total);
        self.orders()
    }

    /// Orders for a kernel that changes how many registers there are: each stretch has those of its place to itself.
    fn fill(&mut self, counts: &RegisterCounts) {
        let mut before = 0;
        let starts = self.function.blocks.iter().map(|block| {
            let start = before;
            before += block.insts.len() as u32;
            start
        });
        let starts: Vec<u32> = starts.collect();
        for number in 0..self.stretches.len() {
            let own = &self.stretches[number];
            let place = 2 * (starts[own.block.index()] + own.start);
            let limits = Pressure {
                registers: i32::from(counts.at(place)) - BESIDES,
                predicates: PREDICATES,
            };
            for aim in [Aim::Fast, Aim::Few] {
                let found = self.try_with(number, limits, aim);
                let best = &mut self.stretches[number].best;
                if let Some(found) = found
                    && found.peak.over(limits) <= best.peak.over(limits)
                {
                    *best = found;
                }
                if best.peak.over(limits) == 0 {
                    break;
                }
            }
        }
    }

    /// Finds the fewest registers with which the code is about as fast, between what is needed in any case and what there
    /// is now.
    fn narrow(&mut self, floor: i32, most: i32, registers: i32, total: u64) {
        let (mut low, mut high) = (floor.max(LEAST), most);
        for _ in 0..TRIES {
            if low >= high {
                break;
            }
            // First of all they have to last.
            let middle = match low <= registers && registers < high {
                true => registers,
                false => low + (high - low) / 2,
            };
            // What does not fit at all may cost anything.
            let budget = match self.how {
                Order::Balanced if high <= registers => total / SLOWER,
                Order::Fast if high <= registers => 0,
                _ => u64::MAX,
            };
            match self.fit(middle, budget) {
                Some(found) => {
                    let peaks = found.iter().map(|one| one.1.peak.registers);
                    high = peaks.max().unwrap_or(middle).min(middle);
                    for (number, found) in found {
                        self.stretches[number].best = found;
                    }
                    let rest = self.stretches.iter().map(|one| one.best.peak.registers);
                    high = rest.max().unwrap_or(high);
                }
                None => low = middle + 1,
            }
        }
        if high > registers {
            self.squeeze(registers);
        }
    }

    /// Orders with as few registers as can be of the stretches that have more than there are: fewer values are spilled.
    fn squeeze(&mut self, registers: i32) {
        let limits = Pressure {
            registers,
            predicates: PREDICATES,
        };
        for number in 0..self.stretches.len() {
            if self.stretches[number].best.peak.registers <= registers {
                continue;
            }
            let found = self.try_with(number, limits, Aim::Few);
            let best = &mut self.stretches[number].best;
            if let Some(found) = found
                && found.peak.over(limits) < best.peak.over(limits)
            {
                *best = found;
            }
        }
    }

    /// Orders with at most so many registers of all stretches that have more, if that costs no more than this.
    fn fit(&mut self, registers: i32, budget: u64) -> Option<Vec<(usize, Found)>> {
        let limits = Pressure {
            registers,
            predicates: PREDICATES,
        };
        let mut all = Vec::new();
        let mut cost = 0u64;
        // All of them have to fit, whichever is tried first.
        let first = self.tightest;
        let others = (0..self.stretches.len()).filter(|number| *number != first);
        for number in std::iter::once(first).chain(others) {
            let own = self.stretches.get(number);
            if own.is_none_or(|own| own.best.peak.registers <= registers) {
                continue;
            }
            self.tightest = number;
            let found = self.try_with(number, limits, Aim::Fit)?;
            let own = &self.stretches[number];
            let slower = found.cycles.saturating_sub(own.best.cycles);
            cost = cost.saturating_add(own.weight * u64::from(slower));
            let fits = found.peak.registers <= registers
                && found.peak.predicates <= own.best.peak.predicates.max(PREDICATES);
            if !fits || cost > budget {
                return None;
            }
            all.push((number, found));
        }
        Some(all)
    }

    /// Finds the stretches, with the order of the source; gives the most registers that are live anywhere.
    fn cut(&mut self) -> i32 {
        let function = self.function;
        let mut live = Live::of(function);
        let mut most = 0;
        let depths = depths(function);
        for block in function.block_ids() {
            let insts = &function.blocks[block.index()].insts;
            let own = pressure(function, &self.liveness, block, &mut live);
            most = own.iter().map(|one| one.registers).fold(most, i32::max);
            let first = self.stretches.len();
            let mut start = 0;
            while start < insts.len() {
                if is_fixed(&insts[start]) {
                    start += 1;
                    continue;
                }
                let mut end = start;
                while end < insts.len() && end - start < WINDOW && !is_fixed(&insts[end]) {
                    end += 1;
                }
                let within = own[start..=end].iter();
                let peak = within.fold(Pressure::default(), |most, one| Pressure {
                    registers: most.registers.max(one.registers),
                    predicates: most.predicates.max(one.predicates),
                });
                let best = Found {
                    order: (0..(end - start) as u32).collect(),
                    cycles: (end - start) as u32,
                    peak,
                };
                self.stretches.push(Stretch {
                    block,
                    start: start as u32,
                    end: end as u32,
                    weight: rounds_at(depths[block.index()]),
                    busy: warps::busy(&insts[start..end]),
                    pressure: (own[start], own[end]),
                    best,
                    graph: None,
                    few: None,
                    deep: None,
                });
                start = end;
            }
            self.know(block, first);
        }
        most
    }

    /// Finds what is live after the stretches of a block, from the first one on: what is read later, unless it is written
    /// before.
    fn know(&mut self, block: BlockId, first: usize) {
        let mut next = self.stretches.len();
        let insts = &self.function.blocks[block.index()].insts;
        let begin = self.touched.first(block.index());
        let mut guarded = Guarded::default();
        let (liveness, passed) = (&self.liveness, &mut self.scratch.passed);
        for (at, inst) in insts.iter().enumerate().rev() {
            while next > first && self.stretches[next - 1].end as usize == at + 1 {
                next -= 1;
                let own = &self.stretches[next];
                let places = begin + own.start as usize..begin + own.end as usize;
                for touch in self.touched.of_insts_mut(places) {
                    touch.outlives = match passed[touch.at as usize] {
                        (own, is_live) if own == block.0 => is_live,
                        _ => liveness.is_live_out(block, touch.reg, touch.lane),
                    };
                }
            }
            guarded.before(inst);
            let writes = self.touched.writes(begin + at).iter();
            let reads = self.touched.reads(begin + at).iter();
            let all = writes.map(|one| (false, one));
            for (is_read, touch) in all.chain(reads.map(|one| (true, one))) {
                let (reg, lane) = (touch.reg, touch.lane);
                let own = &mut passed[touch.at as usize];
                if own.0 != block.0 {
                    *own = (block.0, liveness.is_live_out(block, reg, lane));
                }
                let was_live = own.1;
                if is_read {
                    guarded.read(self.function, (reg, lane), inst.guard, was_live);
                    own.1 = true;
                } else if was_live && guarded.write(self.function, reg, lane, inst.guard) {
                    own.1 = false;
                }
            }
        }
    }

    /// What a stretch takes in the order in which it is.
    fn as_it_is(&mut self, number: usize) -> Found {
        let own = &self.stretches[number];
        let (block, start, end) = (own.block, own.start as usize, own.end as usize);
        let region = Region {
            function: self.function,
            before: &self.function.blocks[block.index()].insts[..start],
            insts: &self.function.blocks[block.index()].insts[start..end],
            touched: &self.touched,
            first: self.touched.first(block.index()) + start,
        };
        let graph = region.graph(&mut self.scratch);
        let listed = Listed {
            order: (0..(end - start) as u32).collect(),
            peak: None,
            cycles: None,
        };
        region.measured(&graph, listed, own.pressure.1, &mut self.scratch)
    }

    /// An order of a stretch that tries to keep to limits.
    fn try_with(&mut self, number: usize, limits: Pressure, aim: Aim) -> Option<Found> {
        let own = &self.stretches[number];
        let (block, start, end) = (own.block, own.start as usize, own.end as usize);
        if end - start < 2 {
            return None;
        }
        let function = self.function;
        let region = Region {
            function,
            before: &function.blocks[block.index()].insts[..start],
            insts: &function.blocks[block.index()].insts[start..end],
            touched: &self.touched,
            first: self.touched.first(block.index()) + start,
        };
        let own = &mut self.stretches[number];
        let ends = own.pressure;
        let (graph, few, deep) = (own.graph.take(), own.few.take(), own.deep.take());
        let scratch = &mut self.scratch;
        let graph = graph.unwrap_or_else(|| region.graph(scratch));
        let mut bounds = Bounds {
            start: ends.0,
            limits,
            style: STYLES[0],
            // Where there are more predicates than there should be, they may stay as many.
            is_strict: aim == Aim::Fit && own.best.peak.predicates <= PREDICATES,
            better_than: None,
        };
        let styles = match graph.nodes.iter().any(|node| node.is_load) {
            true => &STYLES[..],
            false => &STYLES[..1],
        };
        let key = |one: &Found| (one.peak.over(limits), one.cycles, one.peak.registers);
        let mut fewest = None;
        let (mut few, mut deep) = (few, deep);
        if aim != Aim::Fast {
            let mut make = |made: Option<Found>, is_deep| match made {
                Some(made) => Some(made),
                None => {
                    let listed = region.few_registers(&graph, is_deep, ends.1, scratch)?;
                    Some(region.measured(&graph, listed, ends.1, scratch))
                }
            };
            let own = make(few, false)?;
            if own.peak.over(limits) > 0 {
                deep = Some(make(deep, true)?);
                let fewer = |deep: &&Found| deep.peak.over(limits) < own.peak.over(limits);
                fewest = deep.as_ref().filter(fewer).cloned();
            }
            fewest = Some(fewest.unwrap_or_else(|| own.clone()));
            few = Some(own);
        }
        // It comes last: what is as good as it is taken, what is worse is not.
        bounds.better_than = fewest.as_ref().map(|fewest| {
            let (over, cycles, registers) = key(fewest);
            (over, cycles, registers + 1)
        });
        let mut best: Option<Found> = None;
        let mut take = |found: Found, bounds: &mut Bounds| {
            if best.as_ref().is_none_or(|best| key(&found) < key(best)) {
                let own = key(&found);
                bounds.better_than = Some(bounds.better_than.map_or(own, |known| known.min(own)));
                best = Some(found);
            }
        };
        let mut reached: Option<Reached> = None;
        for style in styles.iter().copied() {
            // Where no more loads were begun than this style has, it makes the same order.
            if style
                .begun
                .zip(reached)
                .is_some_and(|(begun, one)| one.begun < begun)
            {
                continue;
            }
            if let Some(listed) = region.list(&graph, None, Bounds { style, ..bounds }, scratch) {
                take(
                    region.measured(&graph, listed, ends.1, scratch),
                    &mut bounds,
                );
            }
            reached = style.begun.map(|_| scratch.reached);
        }
        let Some(fewest) = fewest else {
            if self.keeps {
                (own.graph, own.few, own.deep) = (Some(graph), few, deep);
            }
            return best;
        };
        // Loads go up from it, also from that of the source.
        let mut bases = vec![fewest.order.clone()];
        if styles.len() > 1 {
            let source = (0..fewest.order.len() as u32).collect();
            let ways = [fewest.order.clone(), source];
            bases.extend(ways.into_iter().filter_map(|order| {
                let early = region.loads_early(&graph, &order, ends.1, limits, scratch)?;
                let listed = Listed {
                    order: early.clone(),
                    peak: None,
                    cycles: None,
                };
                take(
                    region.measured(&graph, listed, ends.1, scratch),
                    &mut bounds,
                );
                Some(early)
            }));
        }
        for (number, base) in bases.iter().enumerate() {
            if bases[..number].contains(base) {
                continue;
            }
            let mut reached: Option<Reached> = None;
            let mut rank = vec![0; base.len()];
            for (at, one) in (0..).zip(base) {
                rank[*one as usize] = at;
            }
            for window in WINDOWS {
                // Where nothing was further ahead, it makes the same order.
                if reached.is_some_and(|one| one.ahead < window) {
                    continue;
                }
                let along = Along {
                    rank: &rank,
                    order: base,
                    window,
                };
                if let Some(listed) = region.list(&graph, Some(along), bounds, scratch) {
                    take(
                        region.measured(&graph, listed, ends.1, scratch),
                        &mut bounds,
                    );
                }
                reached = Some(scratch.reached);
            }
        }
        take(fewest, &mut bounds);
        if self.keeps {
            (own.graph, own.few, own.deep) = (Some(graph), few, deep);
        }
        best
    }

    /// The instructions of all blocks.
    fn orders(self) -> Vec<Vec<u32>> {
        let blocks = self.function.blocks.iter();
        let mut all: Vec<Vec<u32>> = blocks
            .map(|block| (0..block.insts.len() as u32).collect())
            .collect();
        for own in self.stretches {
            let places = own.start as usize..own.end as usize;
            let order = &mut all[own.block.index()][places];
            for (place, at) in order.iter_mut().zip(own.best.order) {
                *place = own.start + at;
            }
        }
        all
    }
}

/// How many values may be live in a kernel that gets no more steps of registers than one with so many.
fn full_step(live: i32) -> i32 {
    let steps = (live + BESIDES + STEP - 1) / STEP;
    steps * STEP - BESIDES
}

/// What is kept between regions, so that it is not made for each of them.
struct Scratch {
    /// For each register the number of its first lane.
    first: Vec<u32>,
    /// For each lane the region that touched it last, who wrote it there, and who has read it since.
    lanes: Vec<Lane>,
    /// For each lane the block that was gone through backwards last, of those that touch it, and whether it is live.
    passed: Vec<(u32, bool)>,
    /// For each lane.
    tallies: Vec<Tally>,
    /// How what is live would change by each instruction of the region.
    current: Current,
    region: u32,
    /// How far the last order went.
    reached: Reached,
    /// The graph of the region: from where, to where, and how much later.
    links: Vec<(u32, u32, u16)>,
}

/// What is known of a lane while a region is put in order.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// How often it is read still; one that lives on is read once more than it is.
    reads: u32,
    /// Whether it holds something that is read still.
    live: bool,
    written: bool,
    /// Whether it was counted that it lives on.
    counted: bool,
    /// All instructions that read it as one number.
    last_reader: u32,
    /// Its number among those that end in the region.
    number: Option<u32>,
}

#[derive(Clone, Default)]
struct Lane {
    region: u32,
    /// Whether it was written when it held something.
    is_rewritten: bool,
    writer: Option<u32>,
    readers: SmallVec<[u32; 4]>,
}

impl Scratch {
    fn of(function: &Function) -> Scratch {
        let mut first = Vec::with_capacity(function.regs.len());
        let mut count = 0;
        for reg in &function.regs {
            first.push(count);
            count += u32::from(reg.lanes);
        }
        Scratch {
            first,
            lanes: empty(count as usize),
            passed: vec![(u32::MAX, false); count as usize],
            tallies: vec![Tally::default(); count as usize],
            current: Current::default(),
            region: 0,
            reached: Reached::default(),
            links: Vec::new(),
        }
    }

    fn lane(&mut self, reg: Reg, lane: u8) -> &mut Lane {
        self.lane_at(self.first[reg.0 as usize] + u32::from(lane))
    }

    fn lane_at(&mut self, at: u32) -> &mut Lane {
        let (region, own) = (self.region, &mut self.lanes[at as usize]);
        if own.region != region {
            own.region = region;
            own.writer = None;
            own.is_rewritten = false;
            own.readers.clear();
        }
        own
    }
}

/// Whether an instruction stays where it is, and nothing goes past it.
fn is_fixed(inst: &Inst) -> bool {
    let traits = inst.shape.traits();
    let memory = inst.shape.memory();
    let control = Traits::BRANCHES
        | Traits::CALLS
        | Traits::READS_BARRIER
        | Traits::WRITES_BARRIER
        | Traits::BLOCK_BARRIER
        | Traits::WAITS_FOR_SCOREBOARDS
        | Traits::WAITS_FOR_GROUP
        | Traits::RAISES_GROUP
        | Traits::HAS_PLACE;
    traits.intersects(control)
        || writes_named(inst)
        || memory.access.contains(Access::ORDER)
        // Copies of a thread keep their order among all accesses; what makes their addresses goes past them.
        || matches!(memory.space, Space::Several | Space::Tensor) && inst.shape.opcode() != "LDGSTS"
        // What reads or changes the state of a warp or a block.
        || memory.access.is_empty()
            && !is_pure(inst)
            && (!traits.contains(Traits::CONVERGENT)
                || matches!(inst.shape.opcode(), "WARPSYNC" | "ENDCOLLECTIVE") && !inst.weak)
}

struct Region<'a> {
    function: &'a Function,
    /// The instructions of the block before it.
    before: &'a [Inst],
    insts: &'a [Inst],
    touched: &'a Touched,
    /// The number of the first instruction in `touched`.
    first: usize,
}

impl Region<'_> {
    /// The lanes that an instruction reads.
    fn reads(&self, at: u32) -> &[Touch] {
        self.touched.reads(self.first + at as usize)
    }

    /// The lanes that it writes.
    fn writes(&self, at: u32) -> &[Touch] {
        self.touched.writes(self.first + at as usize)
    }

    /// The lanes of all instructions.
    fn touches(&self) -> &[Touch] {
        let end = self.first + self.insts.len();
        self.touched.of_insts(self.first..end)
    }
}
