//! The order of instructions in a block: long ways first.
//!
//! A block is cut into regions at what must stay where it is: barriers, convergence, the branch at the end. In a region
//! instructions are a graph: who reads what another one writes comes after it by its latency; accesses to memory that
//! may be the same keep their order, and so do those that others can see the order of. The instruction whose way to the
//! end is longest goes first, so that loads are issued early and together, and who waits for them late.
//!
//! Registers: what is live is counted lane by lane, and where more would be than there is room for, the instruction goes first that
//! leaves the fewest. A region that still has too many keeps the order of the source.

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
use warpc_sass::Value;
use warpc_sass::shape::{Access, Space, Traits};

/// The most instructions of a region: longer blocks are cut.
const WINDOW: usize = 1024;
/// Accesses to memory that are held against each other; where there are more, all before keep their order.
const ACCESSES: usize = 48;
/// How many ready instructions are looked at where registers are short.
const LOOKED_AT: usize = 24;
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

struct Planner<'a> {
    function: &'a Function,
    liveness: Liveness,
    scratch: Scratch,
    stretches: Vec<Stretch>,
    /// The block that `scratch` knows the last reads of.
    known: Option<BlockId>,
    /// What fewer registers may cost.
    how: Order,
}

impl<'a> Planner<'a> {
    fn of(function: &'a Function, how: Order) -> Planner<'a> {
        Planner {
            function,
            liveness: Liveness::of(function),
            scratch: Scratch::of(function),
            stretches: Vec::new(),
            known: None,
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
            let middle = low + (high - low) / 2;
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
    }

    /// Orders with at most so many registers of all stretches that have more, if that costs no more than this.
    fn fit(&mut self, registers: i32, budget: u64) -> Option<Vec<(usize, Found)>> {
        let limits = Pressure {
            registers,
            predicates: PREDICATES,
        };
        let mut all = Vec::new();
        let mut cost = 0u64;
        for number in 0..self.stretches.len() {
            if self.stretches[number].best.peak.registers <= registers {
                continue;
            }
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
                });
                start = end;
            }
        }
        most
    }

    /// An order of a stretch that tries to keep to limits; from one that needs few registers, or from that of the source.
    fn try_with(&mut self, number: usize, limits: Pressure, is_tight: bool) -> Option<Found> {
        let own = &self.stretches[number];
        let (block, start, end) = (own.block, own.start as usize, own.end as usize);
        if end - start < 2 {
            return None;
        }
        let function = self.function;
        let insts = &function.blocks[block.index()].insts;
        if self.known != Some(block) {
            self.known = Some(block);
            for (at, inst) in (0u32..).zip(insts) {
                for read in inst.reads() {
                    let lanes = self.scratch.numbers(read);
                    self.scratch.last_read[lanes].fill((block.0, at));
                }
            }
        }
        let region = Region {
            function,
            insts: &insts[start..end],
        };
        let liveness = &self.liveness;
        let outlives = |(reg, lane): (Reg, u8), last_read: (u32, u32)| {
            let (own, last) = last_read;
            let later = own == block.0 && last as usize >= end;
            later || liveness.is_live_out(block, reg, lane)
        };
        let graph = region.graph(&mut self.scratch);
        let ends = own.pressure;
        if !is_tight {
            let order = region.list(&graph, None, &outlives, ends.0, limits, &mut self.scratch)?;
            return Some(region.measured(&graph, order, &outlives, ends.1, &mut self.scratch));
        }
        let few = region.few_registers(&graph, &outlives, &mut self.scratch)?;
        let mut rank = vec![0; few.len()];
        for (at, one) in (0..).zip(&few) {
            rank[*one as usize] = at;
        }
        let order = region.list(
            &graph,
            Some(&rank),
            &outlives,
            ends.0,
            limits,
            &mut self.scratch,
        );
        let order = order?;
        let found = region.measured(&graph, order, &outlives, ends.1, &mut self.scratch);
        if found.peak.over(limits) == 0 {
            return Some(found);
        }
        let few = region.measured(&graph, few, &outlives, ends.1, &mut self.scratch);
        match few.peak.over(limits) < found.peak.over(limits) {
            true => Some(few),
            false => Some(found),
        }
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
    /// For each lane the last instruction of the block that reads it, with the block.
    last_read: Vec<(u32, u32)>,
    /// For each lane.
    tallies: Vec<Tally>,
    region: u32,
}

/// What is known of a lane while a region is put in order.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// The region.
    region: u32,
    /// How often it is read still; one that lives on is read once more than it is.
    reads: u32,
    /// Whether it holds something that is read still.
    live: bool,
    written: bool,
}

/// Lanes of the registers of an instruction, by their numbers.
type LaneList = SmallVec<[usize; 16]>;

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
            last_read: vec![(u32::MAX, 0); count as usize],
            tallies: vec![Tally::default(); count as usize],
            region: 0,
        }
    }

    /// The numbers of lanes of a register among all.
    fn numbers(&self, (reg, lane, lanes): (Reg, u8, u8)) -> std::ops::Range<usize> {
        let from = self.first[reg.0 as usize] as usize + usize::from(lane);
        from..from + usize::from(lanes)
    }

    /// What is known of a lane in this region.
    fn tally(&self, lane: usize) -> Tally {
        let own = self.tallies[lane];
        match own.region == self.region {
            true => own,
            false => Tally::default(),
        }
    }

    /// The same, to be changed; and whether the region had not met the lane yet.
    fn met(&mut self, lane: usize) -> (&mut Tally, bool) {
        let (region, own) = (self.region, &mut self.tallies[lane]);
        let is_new = own.region != region;
        if is_new {
            let tally = Tally::default();
            *own = Tally { region, ..tally };
        }
        (own, is_new)
    }

    fn lane(&mut self, reg: Reg, lane: u8) -> &mut Lane {
        let at = self.first[reg.0 as usize] as usize + usize::from(lane);
        let (region, own) = (self.region, &mut self.lanes[at]);
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

struct Region<'a> {
    function: &'a Function,
    insts: &'a [Inst],
}

#[derive(Default, Clone)]
struct Node {
    /// Those that come after it, and how much later.
    after: SmallVec<[(u32, u16); 6]>,
    /// How many come before it.
    before: u32,
    /// The longest way from its beginning to the end.
    way: u32,
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
    fn graph(&self, scratch: &mut Scratch) -> Vec<Node> {
        let mut nodes = vec![Node::default(); self.insts.len()];
        scratch.region += 1;
        let link = |nodes: &mut Vec<Node>, from: u32, to: u32, cycles: u16| {
            if from != to {
                nodes[from as usize].after.push((to, cycles));
                nodes[to as usize].before += 1;
            }
        };
        let mut together: Option<u32> = None;
        let mut fence: Option<u32> = None;
        let mut loads: Vec<Accessed> = Vec::new();
        let mut stores: Vec<Accessed> = Vec::new();
        for (at, inst) in (0u32..).zip(self.insts) {
            let guard = inst.guard.map(|guard| guard.reg);
            for (reg, lane, count) in inst.reads() {
                for one in lane..lane + count {
                    let own = scratch.lane(reg, one);
                    let writer = own.writer;
                    if own.readers.last() != Some(&at) {
                        own.readers.push(at);
                    }
                    if let Some(writer) = writer {
                        let cycles = latency(&self.insts[writer as usize]);
                        let cycles = match guard == Some(reg) {
                            true => cycles.max(TO_GUARD),
                            false => cycles,
                        };
                        link(&mut nodes, writer, at, cycles);
                    }
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
                    link(&mut nodes, fence, at, 1);
                }
                let full = strong || loads.len() + stores.len() >= ACCESSES;
                if full {
                    for other in loads.drain(..).chain(stores.drain(..)) {
                        link(&mut nodes, other.node, at, 1);
                    }
                    fence = Some(at);
                } else {
                    let listens = self.function.listens_in_shared;
                    let ordered = writes || (listens && memory.space == Space::Shared);
                    if !never_written {
                        for other in stores.iter().filter(|other| accessed.may_meet(other)) {
                            link(&mut nodes, other.node, at, 1);
                        }
                    }
                    if ordered {
                        for other in loads.iter().filter(|other| accessed.may_meet(other)) {
                            link(&mut nodes, other.node, at, 1);
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
                    link(&mut nodes, before, at, 1);
                }
                together = Some(at);
            }
            for (reg, lane, count) in inst.writes() {
                for one in lane..lane + count {
                    let own = scratch.lane(reg, one);
                    let writer = own.writer.replace(at);
                    let readers = std::mem::take(&mut own.readers);
                    for reader in readers {
                        link(&mut nodes, reader, at, 1);
                    }
                    if let Some(writer) = writer {
                        link(&mut nodes, writer, at, 1);
                    }
                }
            }
        }
        for at in (0..nodes.len()).rev() {
            let own = u32::from(latency(&self.insts[at]));
            let after = nodes[at].after.iter();
            let way = after
                .map(|(to, cycles)| u32::from(*cycles) + nodes[*to as usize].way)
                .max();
            nodes[at].way = way.unwrap_or(0).max(own);
        }
        nodes
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

    /// The order in which long ways go first, as long as there are registers; `rank` says what comes first of what is as good.
    fn list(
        &self,
        nodes: &[Node],
        rank: Option<&[u32]>,
        outlives: &dyn Fn((Reg, u8), (u32, u32)) -> bool,
        start: Pressure,
        limits: Pressure,
        scratch: &mut Scratch,
    ) -> Option<Vec<u32>> {
        let count = nodes.len();
        let mut before: Vec<u32> = nodes.iter().map(|node| node.before).collect();
        let mut from: Vec<u32> = vec![0; count];
        let mut lanes: Vec<(Reg, u8)> = Vec::new();
        let rank = |at: u32| rank.map_or(at, |rank| rank[at as usize]);
        // Each order counts for itself what is read still.
        scratch.region += 1;
        for inst in self.insts {
            for read in inst.reads() {
                for (at, lane) in scratch.numbers(read).zip(read.1..) {
                    let (own, is_new) = scratch.met(at);
                    own.reads += 1;
                    own.live |= !own.written;
                    lanes.extend(is_new.then_some((read.0, lane)));
                }
            }
            for write in inst.writes() {
                for (at, lane) in scratch.numbers(write).zip(write.1..) {
                    let (own, is_new) = scratch.met(at);
                    own.written = true;
                    lanes.extend(is_new.then_some((write.0, lane)));
                }
            }
        }
        for (reg, lane) in lanes {
            let at = scratch.numbers((reg, lane, 1)).start;
            let lives = outlives((reg, lane), scratch.last_read[at]);
            scratch.met(at).0.reads += u32::from(lives);
        }
        let mut waiting: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        let mut ready: BinaryHeap<(u32, Reverse<u32>, u32)> = BinaryHeap::new();
        for at in 0..count as u32 {
            if before[at as usize] == 0 {
                ready.push((nodes[at as usize].way, Reverse(rank(at)), at));
            }
        }
        let mut order = Vec::with_capacity(count);
        let (mut now, mut pressure) = (0u32, start);
        while order.len() < count {
            while let Some(Reverse((cycle, at))) = waiting.peek().copied() {
                if cycle > now {
                    break;
                }
                waiting.pop();
                ready.push((nodes[at as usize].way, Reverse(rank(at)), at));
            }
            let Some(first) = ready.pop() else {
                let Reverse((cycle, _)) = waiting.peek()?;
                now = *cycle;
                continue;
            };
            let mut chosen = first.2;
            let after = |change: Pressure| Pressure {
                registers: pressure.registers + change.registers,
                predicates: pressure.predicates + change.predicates,
            };
            if after(self.change(first.2, scratch)).over(limits) > 0 {
                // The one that leaves the fewest registers, also among those that would have to wait.
                let mut others: SmallVec<[(u32, Reverse<u32>, u32); 32]> = SmallVec::new();
                others.push(first);
                while others.len() < LOOKED_AT
                    && let Some(one) = ready.pop()
                {
                    others.push(one);
                }
                let mut late: SmallVec<[(u32, u32); 32]> = SmallVec::new();
                while late.len() < LOOKED_AT
                    && let Some(Reverse(one)) = waiting.pop()
                {
                    late.push(one);
                }
                let cost = |at: u32| {
                    let after = after(self.change(at, scratch));
                    (
                        after.over(limits),
                        after.registers + 2 * after.predicates,
                        rank(at),
                    )
                };
                let best_ready = others.iter().map(|one| one.2).min_by_key(|at| cost(*at))?;
                let best_late = late.iter().map(|one| one.1).min_by_key(|at| cost(*at));
                let best = match best_late {
                    Some(other) if cost(other).0 < cost(best_ready).0 => other,
                    _ => best_ready,
                };
                for one in others.into_iter().filter(|one| one.2 != best) {
                    ready.push(one);
                }
                for one in late.into_iter().filter(|one| one.1 != best) {
                    waiting.push(Reverse(one));
                }
                chosen = best;
            }
            let at = chosen;
            now = now.max(from[at as usize]);
            let inst = &self.insts[at as usize];
            pressure = after(self.change(at, scratch));
            for lane in inst
                .reads()
                .flat_map(|read| scratch.numbers(read))
                .collect::<LaneList>()
            {
                let own = scratch.met(lane).0;
                own.reads = own.reads.saturating_sub(1);
                own.live &= own.reads > 0;
            }
            for lane in inst
                .writes()
                .flat_map(|write| scratch.numbers(write))
                .collect::<LaneList>()
            {
                let own = scratch.met(lane).0;
                own.live |= own.reads > 0;
            }
            order.push(at);
            for (to, cycles) in &nodes[at as usize].after {
                let to_index = *to as usize;
                from[to_index] = from[to_index].max(now + u32::from(*cycles));
                before[to_index] -= 1;
                if before[to_index] == 0 {
                    waiting.push(Reverse((from[to_index], *to)));
                }
            }
            now += 1;
        }
        Some(order)
    }

    /// Marks the lanes that are live after the region.
    fn begin_at_end(
        &self,
        outlives: &dyn Fn((Reg, u8), (u32, u32)) -> bool,
        scratch: &mut Scratch,
    ) {
        scratch.region += 1;
        for inst in self.insts {
            for access in inst.reads().chain(inst.writes()) {
                for (at, lane) in scratch.numbers(access).zip(access.1..) {
                    let last_read = scratch.last_read[at];
                    let (own, is_new) = scratch.met(at);
                    if is_new {
                        own.live = outlives((access.0, lane), last_read);
                    }
                }
            }
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
        guarded.before(inst);
        for write in inst.writes() {
            for (index, lane) in scratch.numbers(write).zip(write.1..) {
                let own = scratch.met(index).0;
                if own.live && guarded.write(self.function, write.0, lane, inst.guard) {
                    own.live = false;
                    pressure.add(self.function, write.0, -1);
                }
            }
        }
        for read in inst.reads() {
            for (index, lane) in scratch.numbers(read).zip(read.1..) {
                let own = scratch.met(index).0;
                guarded.read(self.function, (read.0, lane), inst.guard, own.live);
                if !std::mem::replace(&mut own.live, true) {
                    pressure.add(self.function, read.0, 1);
                }
            }
        }
    }

    /// How what is live would change by that.
    fn change_back(&self, at: u32, guarded: &Guarded, scratch: &Scratch) -> i32 {
        let inst = &self.insts[at as usize];
        let mut change = Pressure::default();
        let mut gone: SmallVec<[usize; 12]> = SmallVec::new();
        for write in inst.writes() {
            for (index, lane) in scratch.numbers(write).zip(write.1..) {
                if scratch.tally(index).live
                    && !gone.contains(&index)
                    && guarded.begins(write.0, lane, inst.guard)
                {
                    change.add(self.function, write.0, -1);
                    gone.push(index);
                }
            }
        }
        let mut come: SmallVec<[usize; 12]> = SmallVec::new();
        for read in inst.reads() {
            for lane in scratch.numbers(read) {
                let is_live = scratch.tally(lane).live && !gone.contains(&lane);
                if !is_live && !come.contains(&lane) {
                    change.add(self.function, read.0, 1);
                    come.push(lane);
                }
            }
        }
        change.registers + change.predicates
    }

    /// An order that needs few registers, whatever it takes: from the end on, the instruction comes next that leaves the
    /// fewest values live, and of those that are as good the one that what was placed last waits for.
    fn few_registers(
        &self,
        nodes: &[Node],
        outlives: &dyn Fn((Reg, u8), (u32, u32)) -> bool,
        scratch: &mut Scratch,
    ) -> Option<Vec<u32>> {
        let count = nodes.len();
        let mut left: Vec<u32> = nodes.iter().map(|node| node.after.len() as u32).collect();
        let mut first: Vec<u32> = vec![0; count + 1];
        for node in nodes {
            for (to, _) in &node.after {
                first[*to as usize + 1] += 1;
            }
        }
        for at in 0..count {
            first[at + 1] += first[at];
        }
        let mut before = vec![0u32; first[count] as usize];
        let mut filled = first.clone();
        for (at, node) in (0u32..).zip(nodes) {
            for (to, _) in &node.after {
                let place = &mut filled[*to as usize];
                before[*place as usize] = at;
                *place += 1;
            }
        }
        self.begin_at_end(outlives, scratch);
        let mut available: Vec<u32> = (0..count as u32)
            .filter(|at| left[*at as usize] == 0)
            .collect();
        let mut order = Vec::with_capacity(count);
        let (mut pressure, mut guarded) = (Pressure::default(), Guarded::default());
        while order.len() < count {
            let looked_at = available.iter().enumerate().rev().take(LOOKED_AT);
            let best = looked_at
                .min_by_key(|(_, at)| self.change_back(**at, &guarded, scratch))?
                .0;
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
        nodes: &[Node],
        order: Vec<u32>,
        outlives: &dyn Fn((Reg, u8), (u32, u32)) -> bool,
        end: Pressure,
        scratch: &mut Scratch,
    ) -> Found {
        let mut from = vec![0u32; nodes.len()];
        let (mut now, mut cycles) = (0u32, 0u32);
        for at in &order {
            now = now.max(from[*at as usize]);
            for (to, wait) in &nodes[*at as usize].after {
                let own = &mut from[*to as usize];
                *own = (*own).max(now + u32::from(*wait));
            }
            let done = now + u32::from(latency(&self.insts[*at as usize]));
            cycles = cycles.max(done);
            now += 1;
        }
        self.begin_at_end(outlives, scratch);
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
        let inst = &self.insts[at as usize];
        let mut change = Pressure::default();
        // Lanes that are read, and how often.
        let mut own: SmallVec<[(usize, u32); 12]> = SmallVec::new();
        for read in inst.reads() {
            for lane in scratch.numbers(read) {
                match own.iter_mut().find(|one| one.0 == lane) {
                    Some(one) => one.1 += 1,
                    None => own.push((lane, 1)),
                }
            }
        }
        let times = |lane: usize| own.iter().find(|one| one.0 == lane).map_or(0, |one| one.1);
        let mut gone: SmallVec<[usize; 12]> = SmallVec::new();
        for read in inst.reads() {
            for lane in scratch.numbers(read) {
                let tally = scratch.tally(lane);
                if tally.live && tally.reads == times(lane) && !gone.contains(&lane) {
                    change.add(self.function, read.0, -1);
                    gone.push(lane);
                }
            }
        }
        let mut seen: SmallVec<[usize; 8]> = SmallVec::new();
        for write in inst.writes() {
            for lane in scratch.numbers(write) {
                let (tally, here) = (scratch.tally(lane), times(lane));
                let dies = tally.live && here > 0 && tally.reads == here;
                if !seen.contains(&lane) && tally.reads > here && (!tally.live || dies) {
                    change.add(self.function, write.0, 1);
                    seen.push(lane);
                }
            }
        }
        change
    }
}
