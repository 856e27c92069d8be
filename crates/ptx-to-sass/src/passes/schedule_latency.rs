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
use crate::analysis::liveness::Liveness;
use crate::ir::{BlockId, File, Function, Inst, Op, Reg, lane_mask};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use warpc_sass::Value;
use warpc_sass::shape::{Access, Space, Traits};

/// The most instructions of a region: longer blocks are cut.
const WINDOW: usize = 384;
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
/// What a kernel has besides the values that are live: the stack, and registers that the chip keeps.
const BESIDES: i32 = 3;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "schedule_latency",
    run,
};

/// Orders the instructions of all blocks.
fn run(function: &mut Function, limits: &Limits) {
    let limit = limits.registers;
    let liveness = Liveness::of(function);
    let mut pressures = Vec::with_capacity(function.blocks.len());
    let mut most = 0;
    let mut live = Live::of(function);
    for block in function.block_ids() {
        let own = pressure(function, &liveness, block, &mut live);
        most = own
            .iter()
            .map(|one| one.registers)
            .max()
            .unwrap_or(0)
            .max(most);
        pressures.push(own);
    }
    let limits = Pressure {
        registers: full_step(most)
            .max(FREE)
            .min(i32::from(limit) - 4)
            .max(most),
        predicates: PREDICATES,
    };
    let mut scratch = Scratch::of(function);
    for block in function.block_ids() {
        let insts = std::mem::take(&mut function.blocks[block.index()].insts);
        let order = order(
            function,
            &liveness,
            block,
            &insts,
            &pressures[block.index()],
            limits,
            &mut scratch,
        );
        let mut taken: Vec<Option<Inst>> = insts.into_iter().map(Some).collect();
        function.blocks[block.index()].insts = order
            .into_iter()
            .filter_map(|at| taken[at].take())
            .collect();
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
    let count = |lanes: u128| lanes.count_ones() as i32;
    for (reg, lane) in liveness.out(block) {
        let lanes = live.lanes(reg);
        let new = lane_mask(lane, 1) & !*lanes;
        now.add(function, reg, count(new));
        *lanes |= new;
    }
    let mut all = Vec::with_capacity(insts.len() + 1);
    all.push(now);
    for inst in insts.iter().rev() {
        if inst.guard.is_none() {
            for (reg, lane, width) in inst.writes() {
                let lanes = live.lanes(reg);
                let gone = *lanes & lane_mask(lane, width);
                now.add(function, reg, -count(gone));
                *lanes &= !gone;
            }
        }
        for (reg, lane, width) in inst.reads() {
            let lanes = live.lanes(reg);
            let new = lane_mask(lane, width) & !*lanes;
            now.add(function, reg, count(new));
            *lanes |= new;
        }
        all.push(now);
    }
    all.reverse();
    all
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

/// The instructions of a block in their new order.
fn order(
    function: &Function,
    liveness: &Liveness,
    block: BlockId,
    insts: &[Inst],
    pressures: &[Pressure],
    limits: Pressure,
    scratch: &mut Scratch,
) -> Vec<usize> {
    for (at, inst) in (0u32..).zip(insts) {
        for read in inst.reads() {
            let lanes = scratch.numbers(read);
            scratch.last_read[lanes].fill((block.0, at));
        }
    }
    let mut order = Vec::with_capacity(insts.len());
    let mut start = 0;
    while start < insts.len() {
        if is_fixed(&insts[start]) {
            order.push(start);
            start += 1;
            continue;
        }
        let mut end = start;
        while end < insts.len() && end - start < WINDOW && !is_fixed(&insts[end]) {
            end += 1;
        }
        if end - start == 1 {
            order.push(start);
            start = end;
            continue;
        }
        let region = Region {
            function,
            insts: &insts[start..end],
        };
        let outlives = |(reg, lane): (Reg, u8), last_read: (u32, u32)| {
            let (own, last) = last_read;
            let later = own == block.0 && last as usize >= end;
            later || liveness.is_live_out(block, reg, lane)
        };
        let graph = region.graph(scratch);
        let new = region.list(&graph, &outlives, pressures[start], limits, scratch);
        let source = pressures[start..=end]
            .iter()
            .map(|one| one.over(limits))
            .max();
        match new {
            Some((new, over)) if over <= source.unwrap_or(0) => {
                order.extend(new.into_iter().map(|at| start + at as usize));
            }
            _ => order.extend(start..end),
        }
        start = end;
    }
    order
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
                    let ordered = writes || memory.space == Space::Shared;
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

    /// The order, and by how much it has too many registers.
    fn list(
        &self,
        nodes: &[Node],
        outlives: &dyn Fn((Reg, u8), (u32, u32)) -> bool,
        start: Pressure,
        limits: Pressure,
        scratch: &mut Scratch,
    ) -> Option<(Vec<u32>, i32)> {
        let count = nodes.len();
        let mut before: Vec<u32> = nodes.iter().map(|node| node.before).collect();
        let mut from: Vec<u32> = vec![0; count];
        let mut lanes: Vec<(Reg, u8)> = Vec::new();
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
        let mut ready: BinaryHeap<(u32, Reverse<u32>)> = BinaryHeap::new();
        for at in 0..count as u32 {
            if before[at as usize] == 0 {
                ready.push((nodes[at as usize].way, Reverse(at)));
            }
        }
        let mut order = Vec::with_capacity(count);
        let (mut now, mut pressure, mut most) = (0u32, start, start.over(limits));
        while order.len() < count {
            while let Some(Reverse((cycle, at))) = waiting.peek().copied() {
                if cycle > now {
                    break;
                }
                waiting.pop();
                ready.push((nodes[at as usize].way, Reverse(at)));
            }
            let Some(first) = ready.pop() else {
                let Reverse((cycle, _)) = waiting.peek()?;
                now = *cycle;
                continue;
            };
            let mut chosen = first;
            let after = |change: Pressure| Pressure {
                registers: pressure.registers + change.registers,
                predicates: pressure.predicates + change.predicates,
            };
            if after(self.change(first.1.0, scratch)).over(limits) > 0 {
                // The one that leaves the fewest registers, also among those that would have to wait.
                let mut others: SmallVec<[(u32, Reverse<u32>); 32]> = SmallVec::new();
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
                        at,
                    )
                };
                let best_ready = others
                    .iter()
                    .map(|one| one.1.0)
                    .min_by_key(|at| cost(*at))?;
                let best_late = late.iter().map(|one| one.1).min_by_key(|at| cost(*at));
                let best = match best_late {
                    Some(other) if cost(other).0 < cost(best_ready).0 => other,
                    _ => best_ready,
                };
                for one in others.into_iter().filter(|one| one.1.0 != best) {
                    ready.push(one);
                }
                for one in late.into_iter().filter(|one| one.1 != best) {
                    waiting.push(Reverse(one));
                }
                chosen = (nodes[best as usize].way, Reverse(best));
            }
            let at = chosen.1.0;
            now = now.max(from[at as usize]);
            let inst = &self.insts[at as usize];
            pressure = after(self.change(at, scratch));
            most = most.max(pressure.over(limits));
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
        Some((order, most))
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
