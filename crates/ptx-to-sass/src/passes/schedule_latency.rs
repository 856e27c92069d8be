//! The order of instructions in a block: long ways first.
//!
//! A block is cut into regions at what must stay where it is: barriers, convergence, the branch at the end. In a region
//! instructions are a graph: who reads what another one writes comes after it by its latency; accesses to memory that
//! may be the same keep their order, and so do those that others can see the order of. The instruction whose way to the
//! end is longest goes first, so that loads are issued early and together, and who waits for them late.
//!
//! Registers: what is live is counted lane by lane, and where more would be than there is room for, the instruction goes first that
//! leaves the fewest. A region that still has too many keeps the order of the source.

mod touched;

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::{is_pure, writes_named};
use crate::analysis::guarded::Guarded;
use crate::analysis::liveness::Liveness;
use crate::analysis::register_counts::RegisterCounts;
use crate::analysis::uses::{depths, rounds_at};
use crate::ir::{BlockId, File, Function, Inst, Op, Reg, lane_mask};
use crate::version::Order;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use touched::{Touch, Touched};
use warpc_sass::Value;
use warpc_sass::shape::{Access, Space, Traits};

/// The most instructions of a region: longer blocks are cut.
const WINDOW: usize = 1024;
/// Accesses to memory that are held against each other; where there are more, all before keep their order.
const ACCESSES: usize = 48;
/// How many ready instructions are looked at where registers are short.
const LOOKED_AT: usize = 24;
/// How far ahead in an order that needs few registers one is looked for that is better for speed: the first of these with which
/// the registers last.
const WINDOWS: [u32; 3] = [u32::MAX, 32, 8];
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
    let plan = Planner::of(function, limits.version.order).plan(most);
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
}

impl<'a> Planner<'a> {
    fn of(function: &'a Function, how: Order) -> Planner<'a> {
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
        }
    }

    /// For each block its instructions in their new order.
    fn plan(mut self, registers: i32) -> Vec<Vec<u32>> {
        let mut most = self.cut();
        if let Some(counts) = RegisterCounts::of(self.function) {
            self.fill(&counts);
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
            let found = self.try_with(number, wide, false);
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
            for is_tight in [false, true] {
                let found = self.try_with(number, limits, is_tight);
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
            let budget = match self.how.slower {
                Some(slower) if high <= registers => total / slower,
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
            let found = self.try_with(number, limits, true);
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
            let found = self.try_with(number, limits, true)?;
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

    /// An order of a stretch that tries to keep to limits; from one that needs few registers, or from that of the source.
    fn try_with(&mut self, number: usize, limits: Pressure, is_tight: bool) -> Option<Found> {
        let own = &self.stretches[number];
        let (block, start, end) = (own.block, own.start as usize, own.end as usize);
        if end - start < 2 {
            return None;
        }
        let function = self.function;
        let region = Region {
            function,
            insts: &function.blocks[block.index()].insts[start..end],
            touched: &self.touched,
            first: self.touched.first(block.index()) + start,
        };
        let own = &mut self.stretches[number];
        let ends = own.pressure;
        let (graph, few, deep) = (own.graph.take(), own.few.take(), own.deep.take());
        let scratch = &mut self.scratch;
        let graph = graph.unwrap_or_else(|| region.graph(scratch));
        if !is_tight {
            let order = region.list(&graph, None, ends.0, limits, scratch)?;
            let found = region.measured(&graph, order, ends.1, scratch);
            if self.keeps {
                (own.graph, own.few, own.deep) = (Some(graph), few, deep);
            }
            return Some(found);
        }
        let mut make = |made: Option<Found>, is_deep| match made {
            Some(made) => Some(made),
            None => {
                let order = region.few_registers(&graph, is_deep, scratch)?;
                Some(region.measured(&graph, order, ends.1, scratch))
            }
        };
        let few = make(few, false)?;
        let mut deep = deep;
        let mut fewest = &few;
        if few.peak.over(limits) > 0 {
            deep = Some(make(deep, true)?);
            let fewer = |deep: &&Found| deep.peak.over(limits) < few.peak.over(limits);
            fewest = deep.as_ref().filter(fewer).unwrap_or(&few);
        }
        let mut rank = vec![0; fewest.order.len()];
        for (at, one) in (0..).zip(&fewest.order) {
            rank[*one as usize] = at;
        }
        let mut best: Option<Found> = None;
        for window in WINDOWS {
            let along = Along {
                rank: &rank,
                order: &fewest.order,
                window,
            };
            let order = region.list(&graph, Some(along), ends.0, limits, scratch)?;
            let found = region.measured(&graph, order, ends.1, scratch);
            let over = found.peak.over(limits);
            if best
                .as_ref()
                .is_none_or(|best| over < best.peak.over(limits))
            {
                best = Some(found);
            }
            if over == 0 {
                break;
            }
        }
        let best = best.filter(|best| best.peak.over(limits) <= fewest.peak.over(limits));
        let found = best.unwrap_or_else(|| fewest.clone());
        if self.keeps {
            (own.graph, own.few, own.deep) = (Some(graph), Some(few), deep);
        }
        Some(found)
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

/// What is live.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Pressure {
    registers: i32,
    predicates: i32,
}

impl Pressure {
    /// So many lanes of a register more are live, or fewer.
    fn add(&mut self, function: &Function, reg: Reg, lanes: i32) {
        match function.data(reg).file {
            File::Register => self.registers += lanes,
            File::Predicate => self.predicates += lanes,
            _ => {}
        }
    }

    /// The same by a lane of it.
    fn touch(&mut self, touch: &Touch, lanes: i32) {
        self.registers += lanes * i32::from(touch.is_register);
        self.predicates += lanes * i32::from(touch.is_predicate);
    }

    /// How much more there is than there may be.
    fn over(self, limits: Pressure) -> i32 {
        (self.registers - limits.registers).max(0)
            + 4 * (self.predicates - limits.predicates).max(0)
    }
}

/// The lanes of each register that are live in a block.
struct Live {
    /// For each register the block that touched it last, and its lanes there.
    lanes: Vec<(u32, u128)>,
    block: u32,
}

impl Live {
    fn of(function: &Function) -> Live {
        Live {
            lanes: vec![(u32::MAX, 0); function.regs.len()],
            block: u32::MAX,
        }
    }

    fn lanes(&mut self, reg: Reg) -> &mut u128 {
        let own = &mut self.lanes[reg.0 as usize];
        if own.0 != self.block {
            *own = (self.block, 0);
        }
        &mut own.1
    }
}

/// What is live before each instruction of a block, and at its end.
fn pressure(
    function: &Function,
    liveness: &Liveness,
    block: BlockId,
    live: &mut Live,
) -> Vec<Pressure> {
    let insts = &function.blocks[block.index()].insts;
    live.block = block.0;
    let mut now = Pressure::default();
    for (reg, lane) in liveness.out(block) {
        let lanes = live.lanes(reg);
        let new = lane_mask(lane, 1) & !*lanes;
        now.add(function, reg, new.count_ones() as i32);
        *lanes |= new;
    }
    let mut all = Vec::with_capacity(insts.len() + 1);
    all.push(now);
    let mut guarded = Guarded::default();
    for inst in insts.iter().rev() {
        guarded.before(inst);
        for (reg, lane, width) in inst.writes() {
            for lane in lane..lane + width {
                let lanes = live.lanes(reg);
                let own = *lanes & lane_mask(lane, 1);
                if own != 0 && guarded.write(function, reg, lane, inst.guard) {
                    *lanes &= !own;
                    now.add(function, reg, -1);
                }
            }
        }
        for (reg, lane, width) in inst.reads() {
            for lane in lane..lane + width {
                let lanes = live.lanes(reg);
                let is_live = *lanes & lane_mask(lane, 1) != 0;
                guarded.read(function, (reg, lane), inst.guard, is_live);
                *lanes |= lane_mask(lane, 1);
                now.add(function, reg, i32::from(!is_live));
            }
        }
        all.push(now);
    }
    all.reverse();
    all
}

/// The most registers that are live anywhere.
pub(super) fn most_live(function: &Function, liveness: &Liveness) -> i32 {
    let mut live = Live::of(function);
    let each = function.block_ids().flat_map(|block| {
        let own = pressure(function, liveness, block, &mut live);
        own.into_iter().map(|one| one.registers)
    });
    each.max().unwrap_or(0)
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
    region: u32,
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
}

#[derive(Clone, Default)]
struct Lane {
    region: u32,
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
            lanes: vec![Lane::default(); count as usize],
            passed: vec![(u32::MAX, false); count as usize],
            tallies: vec![Tally::default(); count as usize],
            region: 0,
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
        || matches!(memory.space, Space::Several | Space::Tensor)
        // What reads or changes the state of a warp or a block.
        || memory.access.is_empty()
            && !is_pure(inst)
            && (!traits.contains(Traits::CONVERGENT)
                || matches!(inst.shape.opcode(), "WARPSYNC" | "ENDCOLLECTIVE"))
}

/// Another order to go along with.
#[derive(Clone, Copy)]
struct Along<'a> {
    /// The place of each instruction in it, which says what comes first of what is as good.
    rank: &'a [u32],
    order: &'a [u32],
    /// How far it may be left behind.
    window: u32,
}

struct Region<'a> {
    function: &'a Function,
    insts: &'a [Inst],
    touched: &'a Touched,
    /// The number of the first instruction in `touched`.
    first: usize,
}

/// What comes before what in a region.
struct Graph {
    nodes: Vec<Node>,
    /// For each instruction where those that come after it begin; at the end, where the last ones end.
    starts: Vec<u32>,
    /// Those that come after it, and how much later.
    after: Vec<(u32, u16)>,
}

impl Graph {
    /// The instructions that come after one.
    fn after(&self, at: u32) -> &[(u32, u16)] {
        let (from, to) = (self.starts[at as usize], self.starts[at as usize + 1]);
        &self.after[from as usize..to as usize]
    }
}

#[derive(Default, Clone, Copy)]
struct Node {
    /// How many come before it.
    before: u32,
    /// The longest way from its beginning to the end.
    way: u32,
    /// Cycles until another instruction can use the result.
    latency: u16,
}

/// Cycles until another instruction can use the result. For those without a fixed latency what is usual.
fn latency(inst: &Inst) -> u16 {
    match inst.shape.opcode() {
        "LDG" | "LD" | "ATOM" | "ATOMG" | "TEX" | "TLD" | "TLD4" | "TXD" | "SULD" => 330,
        "LDL" => 60,
        "LDS" | "LDSM" | "SHFL" | "ATOMS" | "MATCH" | "REDUX" | "QSPC" => 28,
        "LDC" | "S2R" | "CS2R" | "S2UR" | "B2R" => 24,
        "MUFU" | "F2F" | "F2I" | "I2F" | "FRND" | "FLO" | "BREV" | "POPC" | "FCHK" => 20,
        "DADD" | "DMUL" | "DFMA" | "DSETP" => 8,
        "HMMA" | "IMMA" | "BMMA" => 24,
        "DMMA" => 32,
        _ => 5,
    }
}

/// Cycles from a comparison to whoever it guards.
const TO_GUARD: u16 = 12;

/// An access to memory.
struct Accessed {
    node: u32,
    space: Space,
    /// The register of the address, who wrote it in the region, what is added and how many bytes there are.
    base: Option<(Op, Option<u32>)>,
    from: i64,
    bytes: i64,
    writes: bool,
    is_weak: bool,
}

impl Accessed {
    fn may_meet(&self, other: &Accessed) -> bool {
        let anywhere = |space| space == Space::Generic;
        if self.space != other.space && !anywhere(self.space) && !anywhere(other.space) {
            return false;
        }
        // In shared memory the order of accesses that others may listen to is kept, of loads, too.
        let is_weak = self.is_weak && other.is_weak;
        if !self.writes && !other.writes {
            return !is_weak;
        }
        let apart = self.space == other.space
            && (self.space != Space::Shared || is_weak)
            && self.base.is_some()
            && self.base == other.base
            && (self.from + self.bytes <= other.from || other.from + other.bytes <= self.from);
        !apart
    }
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

    fn graph(&self, scratch: &mut Scratch) -> Graph {
        let mut nodes = vec![Node::default(); self.insts.len()];
        scratch.region += 1;
        let mut links = std::mem::take(&mut scratch.links);
        links.clear();
        let link = |links: &mut Vec<(u32, u32, u16)>, from: u32, to: u32, cycles: u16| {
            if from != to {
                links.push((from, to, cycles));
            }
        };
        let mut together: Option<u32> = None;
        let mut fence: Option<u32> = None;
        let mut loads: Vec<Accessed> = Vec::new();
        let mut stores: Vec<Accessed> = Vec::new();
        for (at, inst) in (0u32..).zip(self.insts) {
            nodes[at as usize].latency = latency(inst);
            let guard = inst.guard.map(|guard| guard.reg);
            for read in self.reads(at) {
                let own = scratch.lane_at(read.at);
                own.readers.push(at);
                if let Some(writer) = own.writer {
                    let cycles = nodes[writer as usize].latency;
                    let cycles = match guard == Some(read.reg) {
                        true => cycles.max(TO_GUARD),
                        false => cycles,
                    };
                    link(&mut links, writer, at, cycles);
                }
            }
            let shape = inst.shape;
            let memory = shape.memory();
            let touches =
                !memory.access.is_empty() && !matches!(memory.space, Space::None | Space::Constant);
            if touches {
                let accessed = self.accessed(inst, at, scratch);
                let strong = inst.acquires
                    || shape.has("STRONG")
                    || shape.has("MMIO")
                    || memory.access.contains(Access::ATOMIC)
                    || !matches!(
                        memory.space,
                        Space::Generic | Space::Global | Space::Shared | Space::Local
                    );
                let writes = memory.access.contains(Access::WRITE);
                let never_written = shape.opcode() == "LDG" && shape.has("CONSTANT");
                if let Some(fence) = fence {
                    link(&mut links, fence, at, 1);
                }
                let listens = self.function.listens_in_shared;
                let ordered = writes || (listens && memory.space == Space::Shared);
                // A load is not held against other loads.
                let others = stores.len() + if ordered { loads.len() } else { 0 };
                let full = strong || others >= ACCESSES;
                if full {
                    for other in loads.drain(..).chain(stores.drain(..)) {
                        link(&mut links, other.node, at, 1);
                    }
                    fence = Some(at);
                } else {
                    if !never_written {
                        for other in stores.iter().filter(|other| accessed.may_meet(other)) {
                            link(&mut links, other.node, at, 1);
                        }
                    }
                    if ordered {
                        for other in loads.iter().filter(|other| accessed.may_meet(other)) {
                            link(&mut links, other.node, at, 1);
                        }
                    }
                    match writes {
                        true => stores.push(accessed),
                        false if never_written => {}
                        false => loads.push(accessed),
                    }
                }
            }
            if shape.traits().contains(Traits::CONVERGENT) {
                if let Some(before) = together {
                    link(&mut links, before, at, 1);
                }
                together = Some(at);
            }
            for write in self.writes(at) {
                let own = scratch.lane_at(write.at);
                for reader in own.readers.drain(..) {
                    link(&mut links, reader, at, 1);
                }
                if let Some(writer) = own.writer.replace(at) {
                    link(&mut links, writer, at, 1);
                }
            }
        }
        let mut starts = vec![0u32; nodes.len() + 1];
        for (from, to, _) in &links {
            starts[*from as usize + 1] += 1;
            nodes[*to as usize].before += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut after = vec![(0u32, 0u16); links.len()];
        // Each from its end on, so that the beginnings are where they were afterwards.
        for (from, to, cycles) in links.iter().rev() {
            let place = &mut starts[*from as usize + 1];
            *place -= 1;
            after[*place as usize] = (*to, *cycles);
        }
        scratch.links = links;
        let mut graph = Graph {
            nodes,
            starts,
            after,
        };
        // Ends became beginnings.
        graph.starts.remove(0);
        graph.starts.push(graph.after.len() as u32);
        for at in (0..graph.nodes.len()).rev() {
            let after = graph.after(at as u32).iter();
            let way = after
                .map(|(to, cycles)| u32::from(*cycles) + graph.nodes[*to as usize].way)
                .max();
            let own = &mut graph.nodes[at];
            own.way = way.unwrap_or(0).max(own.latency.into());
        }
        graph
    }

    fn accessed(&self, inst: &Inst, node: u32, scratch: &mut Scratch) -> Accessed {
        use warpc_sass::template::Kind;
        let slots = inst.shape.slots();
        let mut base = None;
        let mut from = 0;
        let mut has_other = false;
        let mut bytes = 4;
        for (slot, operand) in slots.iter().zip(&inst.operands) {
            match (slot.in_address, slot.kind(), operand.op) {
                (true, Kind::Register, Op::Reg(reg, lane)) => {
                    has_other |= base.is_some();
                    base = Some((operand.op, scratch.lane(reg, lane).writer));
                    // The upper half may have been written alone.
                    if slot.width.registers(u128::MAX) > 1 {
                        let upper = scratch.lane(reg, lane + 1).writer;
                        has_other |= upper > scratch.lane(reg, lane).writer;
                    }
                }
                (true, Kind::Register, op) => {
                    has_other |= base.is_some();
                    base = Some((op, None));
                }
                (true, Kind::Signed | Kind::Unsigned, Op::Value(Value::Number(number))) => {
                    from = number;
                }
                (true, Kind::Uniform, Op::Value(_)) => {}
                (true, ..) => has_other = true,
                (false, Kind::Register, _) => {
                    bytes = bytes.max(4 * i64::from(slot.width.registers(u128::MAX)));
                }
                _ => {}
            }
        }
        Accessed {
            node,
            space: inst.shape.memory().space,
            base: base.filter(|_| !has_other),
            from,
            bytes,
            writes: inst.shape.memory().access.contains(Access::WRITE),
            is_weak: inst.is_weak(),
        }
    }

    /// The order in which long ways go first, as long as there are registers; along another order, where one is given.
    fn list(
        &self,
        graph: &Graph,
        along: Option<Along>,
        start: Pressure,
        limits: Pressure,
        scratch: &mut Scratch,
    ) -> Option<Vec<u32>> {
        let nodes = &graph.nodes;
        let count = nodes.len();
        let mut before: Vec<u32> = nodes.iter().map(|node| node.before).collect();
        let mut from: Vec<u32> = vec![0; count];
        let rank = |at: u32| along.map_or(at, |along| along.rank[at as usize]);
        // How many of the other order are placed without a gap; those too far after them wait, by their place there.
        let mut placed = 0u32;
        let mut is_placed = vec![false; if along.is_some() { count } else { 0 }];
        let mut ahead: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        self.begin(scratch);
        // Both in order, what comes next at the end: the cycle and the instruction, the way and what decides between equal ones.
        let mut waiting: Vec<(u32, u32)> = Vec::new();
        let mut ready: Vec<(u32, u32, u32)> = Vec::new();
        let wait = |waiting: &mut Vec<(u32, u32)>, one: (u32, u32)| {
            let place = waiting.partition_point(|other| *other > one);
            waiting.insert(place, one);
        };
        let get_ready = |ready: &mut Vec<(u32, u32, u32)>, at: u32| {
            let one = (nodes[at as usize].way, u32::MAX - rank(at), at);
            let place = ready.partition_point(|other| *other < one);
            ready.insert(place, one);
        };
        for at in 0..count as u32 {
            if before[at as usize] == 0 {
                match along {
                    Some(along) if rank(at) >= along.window => ahead.push(Reverse((rank(at), at))),
                    _ => ready.push((nodes[at as usize].way, u32::MAX - rank(at), at)),
                }
            }
        }
        ready.sort_unstable();
        let mut order = Vec::with_capacity(count);
        let (mut now, mut pressure) = (0u32, start);
        while order.len() < count {
            while let Some((_, at)) = waiting.pop_if(|one| one.0 <= now) {
                match along {
                    Some(along) if rank(at) - placed >= along.window => {
                        ahead.push(Reverse((rank(at), at)));
                    }
                    _ => get_ready(&mut ready, at),
                }
            }
            let Some((.., first)) = ready.last().copied() else {
                now = waiting.last()?.0;
                continue;
            };
            let after = |change: Pressure| Pressure {
                registers: pressure.registers + change.registers,
                predicates: pressure.predicates + change.predicates,
            };
            let mut chosen = first;
            let mut change = self.change(first, scratch);
            if after(change).over(limits) == 0 {
                ready.pop();
            } else {
                // The one that leaves the fewest registers, also among those that would have to wait.
                let cost = |at: u32| {
                    let change = self.change(at, scratch);
                    let after = after(change);
                    let registers = after.registers + 2 * after.predicates;
                    ((after.over(limits), registers, rank(at)), change)
                };
                let looked_at = ready.iter().enumerate().rev().take(LOOKED_AT);
                let best = looked_at
                    .map(|(place, one)| (cost(one.2), place))
                    .min_by_key(|one| one.0.0)?;
                let mut best_late = None;
                // Nothing is better than what fits.
                if best.0.0.0 > 0 {
                    let looked_at = waiting.iter().enumerate().rev().take(LOOKED_AT);
                    best_late = looked_at
                        .map(|(place, one)| (cost(one.1), place))
                        .min_by_key(|one| one.0.0)
                        .filter(|late| late.0.0.0 < best.0.0.0);
                }
                match best_late {
                    Some(((_, of_it), place)) => {
                        change = of_it;
                        chosen = waiting.remove(place).1;
                    }
                    None => {
                        change = best.0.1;
                        chosen = ready.remove(best.1).2;
                    }
                }
            }
            let at = chosen;
            now = now.max(from[at as usize]);
            pressure = after(change);
            for read in self.reads(at) {
                let own = &mut scratch.tallies[read.at as usize];
                own.reads = own.reads.saturating_sub(read.times.into());
                own.live &= own.reads > 0;
            }
            for write in self.writes(at) {
                let own = &mut scratch.tallies[write.at as usize];
                own.live |= own.reads > 0;
            }
            order.push(at);
            if let Some(along) = along {
                is_placed[at as usize] = true;
                while (placed as usize) < count && is_placed[along.order[placed as usize] as usize]
                {
                    placed += 1;
                }
                while let Some(Reverse((place, at))) = ahead.peek().copied()
                    && place < placed.saturating_add(along.window)
                {
                    ahead.pop();
                    get_ready(&mut ready, at);
                }
            }
            for (to, cycles) in graph.after(at) {
                let to_index = *to as usize;
                from[to_index] = from[to_index].max(now + u32::from(*cycles));
                before[to_index] -= 1;
                if before[to_index] == 0 {
                    wait(&mut waiting, (from[to_index], *to));
                }
            }
            now += 1;
        }
        Some(order)
    }

    /// Counts what is read, and what is live before the region.
    fn begin(&self, scratch: &mut Scratch) {
        let tallies = &mut scratch.tallies;
        for touch in self.touches() {
            tallies[touch.at as usize] = Tally::default();
        }
        for at in 0..self.insts.len() as u32 {
            for read in self.reads(at) {
                let own = &mut tallies[read.at as usize];
                own.reads += u32::from(read.times);
                own.live |= !own.written;
            }
            for write in self.writes(at) {
                tallies[write.at as usize].written = true;
            }
        }
        // What lives on is read once more.
        for touch in self.touches().iter().filter(|touch| touch.outlives) {
            let own = &mut tallies[touch.at as usize];
            own.reads += u32::from(!std::mem::replace(&mut own.counted, true));
        }
    }

    /// Marks the lanes that are live after the region.
    fn begin_at_end(&self, scratch: &mut Scratch) {
        for touch in self.touches() {
            scratch.tallies[touch.at as usize].live = touch.outlives;
        }
    }

    /// Puts an instruction before all that was put behind it.
    fn go_back(
        &self,
        at: u32,
        pressure: &mut Pressure,
        guarded: &mut Guarded,
        scratch: &mut Scratch,
    ) {
        let inst = &self.insts[at as usize];
        // Most of the time no guard has a part in it.
        if inst.guard.is_none() && guarded.is_empty() {
            for write in self.writes(at) {
                let own = &mut scratch.tallies[write.at as usize];
                pressure.touch(write, -i32::from(std::mem::take(&mut own.live)));
            }
            for read in self.reads(at) {
                let own = &mut scratch.tallies[read.at as usize];
                let is_new = !std::mem::replace(&mut own.live, true);
                pressure.touch(read, is_new.into());
            }
            return;
        }
        guarded.before(inst);
        for write in self.writes(at) {
            let own = &mut scratch.tallies[write.at as usize];
            if own.live && guarded.write(self.function, write.reg, write.lane, inst.guard) {
                own.live = false;
                pressure.touch(write, -1);
            }
        }
        for read in self.reads(at) {
            let own = &mut scratch.tallies[read.at as usize];
            guarded.read(self.function, (read.reg, read.lane), inst.guard, own.live);
            if !std::mem::replace(&mut own.live, true) {
                pressure.touch(read, 1);
            }
        }
    }

    /// How what is live would change by that.
    fn change_back(&self, at: u32, guarded: &Guarded, scratch: &Scratch) -> i32 {
        let guard = self.insts[at as usize].guard;
        let is_live = |touch: &Touch| scratch.tallies[touch.at as usize].live;
        let begins = |touch: &Touch| guarded.begins(touch.reg, touch.lane, guard);
        let mut change = Pressure::default();
        for write in self.writes(at) {
            if is_live(write) && begins(write) {
                change.touch(write, -1);
            }
        }
        for read in self.reads(at) {
            // One that begins here is not live before it but for the read.
            if !is_live(read) || read.is_written && begins(read) {
                change.touch(read, 1);
            }
        }
        change.registers + change.predicates
    }

    /// Whether an instruction writes something that is live after it.
    fn makes_live(&self, at: u32, scratch: &Scratch) -> bool {
        let mut written = self.writes(at).iter();
        written.any(|write| scratch.tallies[write.at as usize].live)
    }

    /// An order that needs few registers, whatever it takes: from the end on, the instruction comes next that leaves the
    /// fewest values live, and of those that are as good the one that what was placed last waits for. A deep order takes that one
    /// also where it has more operands than results, as a load has: what makes these comes next, instead of all that has one operand.
    fn few_registers(
        &self,
        graph: &Graph,
        is_deep: bool,
        scratch: &mut Scratch,
    ) -> Option<Vec<u32>> {
        let count = graph.nodes.len();
        let mut left: Vec<u32> = graph
            .starts
            .windows(2)
            .map(|ends| ends[1] - ends[0])
            .collect();
        let mut first: Vec<u32> = vec![0; count + 1];
        for (at, node) in graph.nodes.iter().enumerate() {
            first[at + 1] = first[at] + node.before;
        }
        let mut before = vec![0u32; first[count] as usize];
        let mut filled = first.clone();
        for at in 0..count as u32 {
            for (to, _) in graph.after(at) {
                let place = &mut filled[*to as usize];
                before[*place as usize] = at;
                *place += 1;
            }
        }
        self.begin_at_end(scratch);
        let mut available: Vec<u32> = (0..count as u32)
            .filter(|at| left[*at as usize] == 0)
            .collect();
        let mut order = Vec::with_capacity(count);
        let (mut pressure, mut guarded) = (Pressure::default(), Guarded::default());
        while order.len() < count {
            let looked_at = available.iter().enumerate().rev().take(LOOKED_AT);
            let each =
                looked_at.map(|(place, at)| (place, self.change_back(*at, &guarded, scratch)));
            let best = match is_deep {
                false => each.min_by_key(|one| one.1)?.0,
                // What makes something that is needed comes before what needs more.
                true => {
                    let key = |(place, change): &(usize, i32)| {
                        let makes = self.makes_live(available[*place], scratch);
                        ((*change).min(0), !makes)
                    };
                    each.min_by_key(key)?.0
                }
            };
            let at = available.remove(best);
            self.go_back(at, &mut pressure, &mut guarded, scratch);
            order.push(at);
            let own = first[at as usize] as usize..first[at as usize + 1] as usize;
            for one in &before[own] {
                left[*one as usize] -= 1;
                if left[*one as usize] == 0 {
                    available.push(*one);
                }
            }
        }
        order.reverse();
        Some(order)
    }

    /// What an order takes.
    fn measured(
        &self,
        graph: &Graph,
        order: Vec<u32>,
        end: Pressure,
        scratch: &mut Scratch,
    ) -> Found {
        let mut from = vec![0u32; graph.nodes.len()];
        let (mut now, mut cycles) = (0u32, 0u32);
        for at in &order {
            now = now.max(from[*at as usize]);
            for (to, wait) in graph.after(*at) {
                let own = &mut from[*to as usize];
                *own = (*own).max(now + u32::from(*wait));
            }
            let done = now + u32::from(graph.nodes[*at as usize].latency);
            cycles = cycles.max(done);
            now += 1;
        }
        self.begin_at_end(scratch);
        let (mut pressure, mut peak) = (end, end);
        let mut guarded = Guarded::default();
        for at in order.iter().rev() {
            self.go_back(*at, &mut pressure, &mut guarded, scratch);
            peak.registers = peak.registers.max(pressure.registers);
            peak.predicates = peak.predicates.max(pressure.predicates);
        }
        Found {
            order,
            cycles,
            peak,
        }
    }

    /// How what is live changes by an instruction.
    fn change(&self, at: u32, scratch: &Scratch) -> Pressure {
        let mut change = Pressure::default();
        for read in self.reads(at) {
            let tally = &scratch.tallies[read.at as usize];
            let dies = tally.live && tally.reads == u32::from(read.times);
            change.touch(read, -i32::from(dies));
        }
        for write in self.writes(at) {
            let tally = &scratch.tallies[write.at as usize];
            let comes = !tally.live && tally.reads > u32::from(write.times);
            change.touch(write, comes.into());
        }
        change
    }
}
