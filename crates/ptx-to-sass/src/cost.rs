//! What finished code is expected to take: cycles of each block and of each iteration of each loop, and what bounds them.
//!
//! ```text
//!   instructions + control words ──► walk    one warp alone: when each is issued, and what it waits for
//!                                ──► demand  what it asks of each resource of a quarter of a multiprocessor
//!                flow ──► loops  which blocks are repeated ──► cycles = the larger of  alone ÷ warps  and  the fullest resource
//! ```
//!
//! A quarter of a multiprocessor issues one instruction a cycle, from as many warps as their registers leave room for. A warp
//! that waits costs nothing as long as others have something to do: so an iteration takes what the busiest resource needs for
//! it, or what a warp alone needs for it divided by the number of warps, whichever is more. The two are joined smoothly,
//! because warps do not wait at different times as neatly as that: of two schedules with the same instructions the one in
//! which a warp alone is faster is a little better even where it is not what bounds.
//!
//! Fixed latencies are what the stall counts say, and those of `warpc_sass::latency` are in them; what has none takes as long as an
//! H200 takes ([`demand::latency`]). How often a loop is repeated is not known: [`Cost::cycles`] asks its caller, and [`Loop::work`]
//! compares iterations of loops that were unrolled to different degrees.
//!
//! What it does not see: caches, conflicts in shared memory, lanes that part, and what blocks do to each other. It is made to rank
//! versions of one kernel, not to foretell a clock.

pub mod demand;
pub mod live;
pub mod loops;
mod walk;

use crate::assemble::MORE;
use crate::check::Code;
use crate::check::flow::Flow;
pub use demand::{Demand, Resource};
pub use walk::{InstCost, Wait};

use loops::Nest;
use walk::Warp;
use warpc_sass::latency::{Effects, File};

/// Lanes' registers of a quarter of a multiprocessor, and the warps that it holds. Source: the CUDA occupancy tables, all chips
/// from sm_80 on but for the number of warps, which is 12 on some.
const REGISTERS: u32 = 512;
const MOST_WARPS: u32 = 16;
/// Registers are given in steps.
const STEP: u32 = 8;

/// How often a loop is repeated where nobody says.
pub const TRIPS: f64 = 16.0;

/// How sharply the two bounds are joined. A guess.
const SHARPNESS: f64 = 4.0;

/// What code is expected to take.
#[derive(Clone, Debug)]
pub struct Cost {
    /// For each instruction when a warp alone issues it, from the start of its block on, and what it waited for.
    pub insts: Vec<InstCost>,
    /// For each block of the flow.
    pub blocks: Vec<BlockCost>,
    /// The loops, inner ones first.
    pub loops: Vec<Loop>,
    /// Registers of a thread, as far as instructions name them.
    pub registers: u32,
    /// Warps that a quarter of a multiprocessor holds by their registers.
    pub warps: u32,
}

/// What a block takes.
#[derive(Clone, Debug)]
pub struct BlockCost {
    /// Cycles of a warp alone; in a loop, those of a later iteration.
    pub alone: f64,
    /// What it asks of resources.
    pub demand: Demand,
    /// How often it is executed for each time that its innermost loop's header is, or its function's entry.
    pub frequency: f64,
    /// The innermost loop that it is in.
    pub innermost: Option<usize>,
}

/// What bounds a piece of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Warps wait, and there are too few of them.
    Latency,
    /// The instructions that can be issued.
    Issue,
    /// A resource.
    Resource(Resource),
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Limit::Latency => f.write_str("waiting"),
            Limit::Issue => f.write_str("issue"),
            Limit::Resource(resource) => f.write_str(resource.name()),
        }
    }
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block that it begins with.
    pub header: usize,
    /// All its blocks, those of inner loops among them.
    pub blocks: Vec<usize>,
    /// How many loops are around it.
    pub depth: usize,
    /// The loop around it.
    pub outer: Option<usize>,
    /// Cycles that an iteration takes a warp alone, without inner loops.
    pub alone: f64,
    /// What an iteration asks of resources, without inner loops.
    pub demand: Demand,
    /// Cycles of an iteration of a warp among as many as there is room for, without inner loops.
    pub cycles: f64,
    /// What bounds it.
    pub limit: Limit,
}

impl Loop {
    /// Cycles for a unit of work: of loops that do the same, unrolled to different degrees, the better one has fewer.
    pub fn work(&self) -> f64 {
        self.cycles / self.demand.work.max(1.0)
    }
}

impl Cost {
    /// The cost of code. Nothing if the chip is unknown.
    pub fn of(code: &Code, flow: &Flow) -> Option<Cost> {
        warpc_sass::latency::Facts::of(code.chip)?;
        let registers = registers(code);
        let warps = warps(registers + MORE);
        let nest = Nest::of(flow);
        let mut insts = vec![InstCost::default(); code.insts.len()];
        let mut blocks = Vec::with_capacity(flow.blocks.len());
        for (number, block) in flow.blocks.iter().enumerate() {
            let mut warp = Warp::new();
            let mut demand = Demand::default();
            let inside = block.start..block.end;
            let own = insts[inside.clone()].iter_mut().zip(&code.insts[inside]);
            for (at, (cost, inst)) in own.enumerate() {
                *cost = warp.issue(block.start + at, inst);
                demand.add(&Demand::of(inst.shape), 1.0);
                demand.cycles[Resource::Banks as usize] += f64::from(cost.banks);
            }
            blocks.push(BlockCost {
                alone: warp.now() as f64,
                demand,
                frequency: nest.frequency[number],
                innermost: nest.innermost[number],
            });
        }
        let mut cost = Cost {
            insts,
            blocks,
            loops: Vec::new(),
            registers,
            warps,
        };
        for one in &nest.loops {
            let own = |block: &&usize| nest.innermost[**block] == Some(one.number);
            let mut demand = Demand::default();
            let mut alone = 0.0;
            let trace = nest.trace(flow, one);
            for block in one.blocks.iter().filter(own) {
                let it = &cost.blocks[*block];
                demand.add(&it.demand, it.frequency);
                if !trace.contains(block) {
                    alone += it.alone * it.frequency;
                }
            }
            alone += steady(code, flow, &trace, &mut cost);
            let (cycles, limit) = bound(alone, &demand, warps);
            cost.loops.push(Loop {
                header: one.header,
                blocks: one.blocks.clone(),
                depth: one.depth,
                outer: one.outer,
                alone,
                demand,
                cycles,
                limit,
            });
        }
        Some(cost)
    }

    /// Cycles of a warp among as many as there is room for, from start to end, if loops are repeated as often as is said.
    /// Functions that are called count once.
    pub fn cycles(&self, trips: impl Fn(&Loop) -> f64) -> f64 {
        let mut alone = 0.0;
        let mut demand = Demand::default();
        for block in self.blocks.iter().filter(|block| block.innermost.is_none()) {
            alone += block.alone * block.frequency;
            demand.add(&block.demand, block.frequency);
        }
        let mut all = bound(alone, &demand, self.warps).0;
        for one in &self.loops {
            let mut times = 1.0;
            let mut around = Some(one);
            while let Some(this) = around {
                times *= trips(this);
                around = this.outer.map(|outer| &self.loops[outer]);
            }
            all += one.cycles * times;
        }
        all
    }

    /// Cycles that a quarter of a multiprocessor needs for what was executed, if it is full of warps: with the counts of a run,
    /// for each instruction how often a warp executed it. This compares versions whose loops were unrolled to different degrees.
    pub fn counted(&self, flow: &Flow, executed: &[u64]) -> f64 {
        // What is in a loop overlaps with the same of other warps, what is in different ones less.
        let mut parts = vec![(0.0, Demand::default()); self.loops.len() + 1];
        for (block, own) in flow.blocks.iter().zip(&self.blocks) {
            let times = executed.get(block.start).copied().unwrap_or(0) as f64;
            let part = &mut parts[own.innermost.unwrap_or(self.loops.len())];
            part.0 += own.alone * times;
            part.1.add(&own.demand, times);
        }
        let each = parts.iter();
        each.map(|(alone, demand)| bound(*alone, demand, self.warps).0)
            .sum()
    }

    /// The loop that takes the most if all are repeated [`TRIPS`] times.
    pub fn hottest(&self) -> Option<usize> {
        let weight = |one: &Loop| one.cycles * TRIPS.powi(one.depth as i32);
        let numbers = 0..self.loops.len();
        numbers.max_by(|a, b| weight(&self.loops[*a]).total_cmp(&weight(&self.loops[*b])))
    }
}

/// What a piece of code takes a warp among others, and what bounds it.
fn bound(alone: f64, demand: &Demand, warps: u32) -> (f64, Limit) {
    let waiting = alone / f64::from(warps.max(1));
    let (fullest, limit) = demand.fullest();
    let limit = match waiting > fullest {
        true => Limit::Latency,
        false => limit,
    };
    (joined(waiting, fullest), limit)
}

/// What something takes of which each warp waits so long for its turn, and that keeps what executes it so long.
pub(crate) fn joined(waiting: f64, busy: f64) -> f64 {
    (waiting.powf(SHARPNESS) + busy.powf(SHARPNESS)).powf(1.0 / SHARPNESS)
}

/// Iterations after which a loop has found its beat.
const WARM: usize = 3;

/// Cycles of an iteration along a way, when the iterations before have left their waits: and what is waited for then.
fn steady(code: &Code, flow: &Flow, trace: &[usize], cost: &mut Cost) -> f64 {
    let mut warp = Warp::new();
    let mut before = 0;
    for _ in 0..WARM {
        before = warp.now();
        for number in trace {
            let start = warp.now();
            let block = &flow.blocks[*number];
            for at in block.start..block.end {
                let mut own = warp.issue(at, &code.insts[at]);
                own.at -= start;
                cost.insts[at] = own;
            }
            cost.blocks[*number].alone = (warp.now() - start) as f64;
        }
    }
    (warp.now() - before) as f64
}

/// The registers that instructions name.
fn registers(code: &Code) -> u32 {
    let mut most = 0;
    for inst in code.insts {
        for access in &Effects::of(inst).accesses {
            if access.file == File::Register {
                most = most.max(u32::from(access.first) + u32::from(access.count));
            }
        }
    }
    most
}

/// The warps for which there is room.
pub(crate) fn warps(registers: u32) -> u32 {
    let each = registers.max(1).next_multiple_of(STEP);
    (REGISTERS / each).clamp(1, MOST_WARPS)
}
