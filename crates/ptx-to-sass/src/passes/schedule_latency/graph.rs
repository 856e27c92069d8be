//! What comes before what in a region: who reads what another one writes, and accesses to memory that may be the same.

use super::changes::Changes;
use super::clock::Kept;
use super::{Region, Scratch};
use crate::cost::demand::{self, Resource};
use crate::ir::{Inst, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use warpc_sass::Value;
use warpc_sass::shape::{Access, Space, Traits};

/// Accesses to memory that are held against each other; where there are more, all before keep their order.
const ACCESSES: usize = 48;

/// Cycles between instructions, where they are not counted. A guess: what most pipes take an instruction in.
const APART: u32 = 2;

/// How many instructions before a region are looked at: by then all loads are taken to be there.
const REACH: usize = 165;

/// What comes before what in a region.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// For each instruction where those that come after it begin; at the end, where the last ones end.
    pub(super) starts: Vec<u32>,
    /// Those that come after it, and how much later.
    pub(super) after: Vec<(u32, u16)>,
    /// For each instruction whether it reads or writes a lane that is written when it held something before: where each lane
    /// has at most one value, it ends with the last instruction that reads it. Empty where there are none.
    pub(super) rewrites: Vec<bool>,
    /// Whether each lane has at most one value, and no guard keeps what a lane held before: what is live is the same counted
    /// from the beginning on as from the end.
    pub(super) is_counted: bool,
    /// How what is live changes by each instruction; right for those that [`Graph::rewrites`] does not name.
    pub(super) changes: Changes,
    /// How long what executes its instructions is kept.
    pub(super) kept: Kept,
    /// For each instruction those that come before it, once they were asked for.
    before: OnceCell<Before>,
}

/// For each instruction where those that come before it begin; and they.
struct Before {
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Before {
    fn of(graph: &Graph) -> Before {
        let count = graph.nodes.len();
        let mut starts = Vec::with_capacity(count + 1);
        let mut free = Vec::with_capacity(count);
        let mut links = 0;
        for node in &graph.nodes {
            starts.push(links);
            free.push(links);
            links += node.before;
        }
        starts.push(links);
        let mut all = vec![0; links as usize];
        for at in 0..count as u32 {
            for (to, _) in graph.after(at) {
                let place = &mut free[*to as usize];
                all[*place as usize] = at;
                *place += 1;
            }
        }
        Before { starts, all }
    }
}

impl Graph {
    /// The instructions that come after one.
    pub(super) fn after(&self, at: u32) -> &[(u32, u16)] {
        let (from, to) = (self.starts[at as usize], self.starts[at as usize + 1]);
        &self.after[from as usize..to as usize]
    }

    /// The instructions that come before one.
    pub(super) fn before(&self, at: u32) -> &[u32] {
        let before = self.before.get_or_init(|| Before::of(self));
        let (from, to) = (before.starts[at as usize], before.starts[at as usize + 1]);
        &before.all[from as usize..to as usize]
    }
}

#[derive(Default, Clone, Copy)]
pub(super) struct Node {
    /// How many come before it.
    pub(super) before: u32,
    /// The longest way from its beginning to the end.
    pub(super) way: u32,
    /// The cycle at which what it reads is there, of what was loaded before the region.
    pub(super) late: u32,
    /// Cycles until another instruction can use the result.
    pub(super) latency: u16,
    /// Whether it reads memory, and its result is waited for.
    pub(super) is_load: bool,
    /// The load that alone needs it for its address; none is [`NONE`].
    pub(super) load: u32,
    /// What executes it, and after how many cycles that takes another instruction of the warp.
    pub(super) resource: Option<Resource>,
    pub(super) rate: u16,
}

/// In place of a load, where there is none.
pub(super) const NONE: u32 = u32::MAX;

/// Cycles until another instruction can use the result. For those without a fixed latency what is usual.
fn latency(inst: &Inst) -> u16 {
    match inst.shape.opcode() {
        "LDG" | "LD" | "ATOM" | "ATOMG" | "TEX" | "TLD" | "TLD4" | "TXD" | "SULD" => 330,
        "LDL" => 60,
        "LDS" | "LDSM" | "SHFL" | "ATOMS" | "MATCH" | "REDUX" | "QSPC" => 28,
        "LDC" | "S2R" | "S2UR" | "B2R" => 24,
        "MUFU" | "F2F" | "F2I" | "I2F" | "FRND" | "FLO" | "BREV" | "POPC" | "FCHK" => 20,
        "DADD" | "DMUL" | "DFMA" | "DSETP" => 8,
        "HMMA" | "IMMA" | "BMMA" => 24,
        "DMMA" => 32,
        _ => 5,
    }
}

/// Whether it is worth much to begin an instruction early: what comes out of memory that is not near.
fn is_load(inst: &Inst) -> bool {
    let memory = inst.shape.memory();
    memory.access.contains(Access::READ)
        && !matches!(memory.space, Space::None | Space::Constant)
        && inst.writes().next().is_some()
}

/// Whether an instruction of the lanes of a warp keeps its order among those. What is exchanged and multiplied by the lanes that
/// execute it together is the same in any order, as long as nothing brings lanes together or lets them part in between.
fn keeps_order(inst: &Inst) -> bool {
    inst.shape.traits().contains(Traits::CONVERGENT)
        && !matches!(
            inst.shape.opcode(),
            "SHFL" | "MOVM" | "LDSM" | "STSM" | "HMMA" | "IMMA" | "BMMA" | "DMMA"
        )
}

/// Cycles from a comparison to whoever it guards, and to a vote.
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
    pub(super) fn graph(&self, scratch: &mut Scratch) -> Graph {
        let mut nodes = vec![Node::default(); self.insts.len()];
        scratch.region += 1;
        let mut links = std::mem::take(&mut scratch.links);
        links.clear();
        let link = |links: &mut Vec<(u32, u32, u16)>, from: u32, to: u32, cycles: u16| {
            if from != to {
                links.push((from, to, cycles));
            }
        };
        let under_way = self.under_way();
        let mut together: Option<u32> = None;
        let mut fence: Option<u32> = None;
        let mut loads: Vec<Accessed> = Vec::new();
        let mut stores: Vec<Accessed> = Vec::new();
        // Loads of what nobody writes: nothing but a `WARPSYNC` holds them.
        let mut constants: Vec<u32> = Vec::new();
        let (mut has_rewrites, mut has_guarded) = (false, false);
        for (at, inst) in (0u32..).zip(self.insts) {
            let own = &mut nodes[at as usize];
            own.latency = latency(inst);
            own.is_load = is_load(inst);
            if let Some((resource, rate)) = demand::main(inst.shape) {
                own.resource = Some(resource);
                own.rate = rate.alone.try_into().unwrap_or(u16::MAX);
            }
            let guard = inst.guard.map(|guard| guard.reg);
            let votes = inst.shape.opcode() == "VOTE";
            for read in self.reads(at) {
                let own = scratch.lane_at(read.at);
                own.readers.push(at);
                if let Some(writer) = own.writer {
                    let cycles = nodes[writer as usize].latency;
                    let cycles = match guard == Some(read.reg) || votes {
                        true => cycles.max(TO_GUARD),
                        false => cycles,
                    };
                    link(&mut links, writer, at, cycles);
                } else if let Some(left) = under_way.get(&read.at) {
                    let own = &mut nodes[at as usize];
                    own.late = own.late.max(*left);
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
                if never_written {
                    constants.push(at);
                }
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
            // Where lanes are together only accesses stay on their side of it.
            if shape.opcode() == "WARPSYNC" {
                let accesses = loads.drain(..).chain(stores.drain(..));
                let accesses = accesses.map(|other| other.node);
                let before = accesses.chain(constants.drain(..)).chain(fence);
                before.for_each(|other| link(&mut links, other, at, 1));
                fence = Some(at);
            }
            if keeps_order(inst) {
                if let Some(before) = together {
                    link(&mut links, before, at, 1);
                }
                together = Some(at);
            }
            has_guarded |= guard.is_some() && !self.writes(at).is_empty();
            for write in self.writes(at) {
                let own = scratch.lane_at(write.at);
                own.is_rewritten |= own.writer.is_some() || !own.readers.is_empty();
                has_rewrites |= own.is_rewritten;
                for reader in own.readers.drain(..) {
                    link(&mut links, reader, at, 1);
                }
                if let Some(writer) = own.writer.replace(at) {
                    link(&mut links, writer, at, 1);
                }
            }
        }
        let mut rewrites = Vec::new();
        if has_rewrites {
            let each = (0..self.insts.len() as u32).map(|at| {
                let mut all = self.reads(at).iter().chain(self.writes(at));
                all.any(|touch| scratch.lane_at(touch.at).is_rewritten)
            });
            rewrites.extend(each);
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
            kept: Kept::by(&nodes),
            before: OnceCell::new(),
            nodes,
            starts,
            after,
            rewrites,
            is_counted: !has_rewrites && !has_guarded,
            changes: self.changes(scratch),
        };
        // Ends became beginnings.
        graph.starts.remove(0);
        graph.starts.push(graph.after.len() as u32);
        for at in (0..graph.nodes.len()).rev() {
            let after = graph.after(at as u32).iter();
            let way = after
                .map(|(to, cycles)| u32::from(*cycles) + graph.nodes[*to as usize].way)
                .max();
            let mut load = None;
            for (to, _) in graph.after(at as u32) {
                let to_node = &graph.nodes[*to as usize];
                let one = if to_node.is_load { *to } else { to_node.load };
                load = match load {
                    None => Some(one),
                    Some(load) if load == one => Some(one),
                    _ => Some(NONE),
                };
            }
            let own = &mut graph.nodes[at];
            own.way = way.unwrap_or(0).max(own.latency.into());
            own.load = match own.is_load {
                true => NONE,
                false => load.unwrap_or(NONE),
            };
        }
        graph
    }

    /// Lanes that were loaded in the block before the region and that nobody has read yet, each with the cycles until it is there.
    fn under_way(&self) -> FxHashMap<u32, u32> {
        let mut left = FxHashMap::default();
        let mut touched: FxHashSet<u32> = FxHashSet::default();
        for (distance, inst) in (1u32..).zip(self.before.iter().rev().take(REACH)) {
            let at = self.first - distance as usize;
            for write in self.touched.writes(at) {
                let cycles = u32::from(latency(inst)).saturating_sub(APART * distance);
                if touched.insert(write.at) && is_load(inst) && cycles > 0 {
                    left.insert(write.at, cycles);
                }
            }
            touched.extend(self.touched.reads(at).iter().map(|read| read.at));
        }
        left
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
}
