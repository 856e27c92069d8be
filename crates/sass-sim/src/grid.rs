//! A launch: groups of blocks (clusters), their warps in turn, until all have ended.
//!
//! Few groups run at a time; where none of them can go on, or all wait for others, more are started.

use crate::exec::{Machine, control_wake};
use crate::finding::{Finding, Problem};
use crate::load::Kernel;
use crate::memory::Global;
use crate::op::Bar;
use crate::time::Rules;
use crate::warp::{State, Warp};
use crate::{Counts, Cycles, Options};

/// What all blocks of a launch share.
pub(crate) struct Launched<'a> {
    pub(crate) kernel: &'a Kernel,
    /// Latencies, if time counts.
    pub(crate) rules: Option<Rules>,
    pub(crate) banks: Vec<Vec<u8>>,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) cluster: [u32; 3],
    pub(crate) shared_bytes: usize,
}

/// Blocks that share memory.
#[derive(Default)]
pub(crate) struct Group {
    pub(crate) blocks: Vec<Block>,
    /// Its number in the grid.
    number: u64,
    /// What its threads have printed.
    pub(crate) output: Vec<u8>,
    /// The phase of the barrier of the cluster.
    pub(crate) phase: u64,
    /// The warps that have arrived at it, and those that have ended, by block.
    arrived: Vec<Vec<(bool, bool)>>,
}

/// A block.
pub(crate) struct Block {
    pub(crate) position: [u32; 3],
    /// Its number in the cluster.
    pub(crate) rank: u32,
    pub(crate) shared: Vec<u8>,
    pub(crate) warps: Vec<Warp>,
    /// The lanes of each warp that have not ended.
    pub(crate) live: Vec<u32>,
    pub(crate) barriers: Vec<Barrier>,
    /// Registers of a lane that warps have given back.
    pub(crate) free_registers: u32,
}

/// A barrier of a block.
#[derive(Clone, Default)]
pub(crate) struct Barrier {
    pub(crate) phase: u64,
    /// The lanes of each warp that wait or have arrived.
    lanes: Vec<u32>,
    /// How many threads it is for; 0 for all.
    threads: u32,
    /// When the last warp arrived, by the estimate.
    latest: u64,
    /// The same of the last phase.
    pub(crate) passed: u64,
    /// Of the threads that have arrived, those whose predicate was true, and whether it was for all.
    count: u32,
    all: bool,
    last: (u32, bool, bool),
}

impl Barrier {
    /// What the last phase counted.
    pub(crate) fn result(&self, bar: Bar) -> (u32, bool) {
        let (count, all, any) = self.last;
        match bar {
            Bar::And => (all.into(), all),
            Bar::Or => (any.into(), any),
            _ => (count, any),
        }
    }
}

impl Block {
    /// Lanes of a warp arrive at a barrier.
    pub(crate) fn arrive(
        &mut self,
        number: usize,
        warp: u32,
        lanes: u32,
        threads: u32,
        truth: u32,
        elapsed: u64,
    ) {
        let barrier = &mut self.barriers[number];
        barrier.latest = barrier.latest.max(elapsed);
        if barrier.lanes.iter().all(|lanes| *lanes == 0) {
            barrier.count = 0;
            barrier.all = true;
        }
        barrier.lanes[warp as usize] |= lanes;
        barrier.threads = barrier.threads.max(threads);
        barrier.count += truth.count_ones();
        barrier.all &= truth == lanes;
        self.check_barriers();
    }

    /// Completes barriers that all have arrived at.
    pub(crate) fn check_barriers(&mut self) {
        for barrier in &mut self.barriers {
            if barrier.lanes.iter().all(|lanes| *lanes == 0) {
                continue;
            }
            let complete =
                match barrier.threads {
                    0 => barrier
                        .lanes
                        .iter()
                        .zip(&self.live)
                        .all(|(lanes, live)| live & !lanes == 0),
                    threads => {
                        // A warp that is there with all its lanes counts whole.
                        let count =
                            barrier.lanes.iter().zip(&self.live).map(
                                |(lanes, live)| match *lanes {
                                    0 => 0,
                                    lanes if live & !lanes == 0 => 32,
                                    lanes => lanes.count_ones(),
                                },
                            );
                        count.sum::<u32>() >= threads.next_multiple_of(32)
                    }
                };
            if complete {
                barrier.phase += 1;
                barrier.passed = std::mem::take(&mut barrier.latest);
                barrier.last = (barrier.count, barrier.all, barrier.count > 0);
                barrier.lanes.fill(0);
                barrier.threads = 0;
            }
        }
    }
}

impl Group {
    /// A warp arrives at the barrier of the cluster; the phase that it arrived in comes back.
    pub(crate) fn arrive(&mut self, block: usize, warp: u32) -> u64 {
        let phase = self.phase;
        self.arrived[block][warp as usize].0 = true;
        self.complete();
        phase
    }

    /// Its number and what it has printed.
    fn printed(&mut self) -> (u64, Vec<u8>) {
        (self.number, std::mem::take(&mut self.output))
    }

    /// A warp has ended.
    pub(crate) fn leave(&mut self, block: usize, warp: u32) {
        self.arrived[block][warp as usize].1 = true;
        self.complete();
    }

    fn complete(&mut self) {
        let all = self.arrived.iter().flatten();
        let any = all.clone().any(|one| one.0);
        if any && all.clone().all(|one| one.0 || one.1) {
            self.phase += 1;
            for one in self.arrived.iter_mut().flatten() {
                one.0 = false;
            }
        }
    }
}

/// Warps that may run at a time at first, and at most.
const FIRST_WARPS: usize = 64;
const MOST_WARPS: usize = 4096;
/// Instructions of a warp until another one has its turn, and of a fragment until another one of its warp has.
const TURN: u32 = 2000;
const FRAGMENT_TURN: u32 = 200;

/// Who comes when, by the seed of a run: with 0 in the order of their numbers.
struct Order {
    seed: u64,
    state: u64,
}

impl Order {
    fn new(seed: u64) -> Order {
        Order { seed, state: seed }
    }

    /// A number that follows from the seed and those before.
    fn next(&mut self) -> u64 {
        // The generator `splitmix64`.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The numbers below one in the order of their turns.
    fn of(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..count).collect();
        if self.seed != 0 {
            for at in (1..count).rev() {
                let other = (self.next() % (at as u64 + 1)) as usize;
                all.swap(at, other);
            }
        }
        all
    }

    /// How many instructions the next warp has in its turn.
    fn turn(&mut self) -> u32 {
        match self.seed {
            0 => TURN,
            _ => 1 + (self.next() % u64::from(TURN)) as u32,
        }
    }
}

/// What a run gives.
pub(crate) struct Ran {
    pub(crate) counts: Counts,
    /// What came too early, and last the problem that ended the run.
    pub(crate) findings: Vec<Finding>,
    pub(crate) failed: bool,
    pub(crate) cycles: Cycles,
    /// For each instruction how often a warp, or a part of one, executed it.
    pub(crate) executed: Vec<u64>,
    pub(crate) output: Vec<u8>,
}

/// Runs a launch.
pub(crate) fn run(launched: &Launched<'_>, global: &mut Global, options: &Options) -> Ran {
    let mut ran = Ran {
        counts: Counts::default(),
        findings: Vec::new(),
        failed: false,
        cycles: Cycles::default(),
        executed: vec![0; launched.kernel.steps.len()],
        output: Vec::new(),
    };
    let mut order = Order::new(options.seed);
    // What was printed, block by block.
    let mut printed: std::collections::BTreeMap<u64, Vec<u8>> = Default::default();
    let clusters: [u32; 3] =
        std::array::from_fn(|at| launched.grid[at] / launched.cluster[at].max(1));
    let total: u64 = clusters.iter().map(|count| u64::from(*count)).product();
    let mut started = 0;
    let mut running: Vec<Group> = Vec::new();
    let warps_of = |group: &Group| {
        group
            .blocks
            .iter()
            .map(|block| block.warps.len())
            .sum::<usize>()
    };
    let mut room = FIRST_WARPS;
    while started < total || !running.is_empty() {
        let mut taken: usize = running.iter().map(warps_of).sum();
        while started < total && (running.is_empty() || taken < room) {
            let group = begin(launched, started, clusters);
            taken += warps_of(&group);
            running.push(group);
            started += 1;
        }
        let before = ran.counts.warp_instructions;
        let count = running.len();
        for at in order.of(running.len()) {
            let group = &mut running[at];
            if let Err(finding) = turn(launched, global, group, &mut ran, options, &mut order) {
                ran.findings.push(*finding);
                ran.failed = true;
                printed.extend(running.iter_mut().map(Group::printed));
                ran.output = printed.into_values().flatten().collect();
                return ran;
            }
        }
        running.retain_mut(|group| {
            let goes_on = |block: &Block| block.warps.iter().any(|warp| !warp.is_done());
            let stays = group.blocks.iter().any(goes_on);
            if !stays && !group.output.is_empty() {
                printed.extend([group.printed()]);
            }
            stays
        });
        if running.len() < count {
            continue;
        }
        if started < total && room < MOST_WARPS {
            room *= 2;
        } else if ran.counts.warp_instructions == before {
            let finding = deadlock(launched, global, &mut running, &mut ran);
            ran.findings.extend(finding);
            ran.failed = true;
            break;
        }
    }
    printed.extend(running.iter_mut().map(Group::printed));
    ran.output = printed.into_values().flatten().collect();
    ran
}

/// The blocks of a cluster, at their start.
fn begin(launched: &Launched<'_>, number: u64, clusters: [u32; 3]) -> Group {
    let [x, y, _] = clusters.map(u64::from);
    let cluster = [number % x, number / x % y, number / x / y];
    let threads: u32 = launched.block.iter().product();
    let size = launched.cluster;
    let mut group = Group {
        number,
        ..Group::default()
    };
    let warps = threads.div_ceil(32);
    for rank in 0..size.iter().product::<u32>() {
        let inside = [
            rank % size[0],
            rank / size[0] % size[1],
            rank / size[0] / size[1],
        ];
        let position = std::array::from_fn(|at| cluster[at] as u32 * size[at] + inside[at]);
        let lanes = |warp: u32| match threads - warp * 32 {
            32.. => u32::MAX,
            rest => (1 << rest) - 1,
        };
        let live: Vec<u32> = (0..warps).map(lanes).collect();
        let new = |warp: u32| {
            let mut one = Warp::new(warp, lanes(warp), launched.kernel.registers);
            one.allocated = launched.kernel.first_registers;
            one
        };
        let barrier = Barrier {
            lanes: vec![0; warps as usize],
            ..Barrier::default()
        };
        group.blocks.push(Block {
            position,
            rank,
            shared: vec![0; launched.shared_bytes],
            warps: (0..warps).map(new).collect(),
            live,
            free_registers: 0,
            barriers: vec![barrier; 16],
        });
        group.arrived.push(vec![(false, false); warps as usize]);
    }
    group
}

/// Lets each warp of a group run for a while.
fn turn(
    launched: &Launched<'_>,
    global: &mut Global,
    group: &mut Group,
    ran: &mut Ran,
    options: &Options,
    order: &mut Order,
) -> Result<(), Box<Finding>> {
    for block in order.of(group.blocks.len()) {
        for number in order.of(group.blocks[block].warps.len()) {
            if group.blocks[block].warps[number].is_done() {
                continue;
            }
            let mut warp = std::mem::take(&mut group.blocks[block].warps[number]);
            let mut machine = Machine {
                launched,
                global,
                group,
                block,
                findings: &mut ran.findings,
                counts: &mut ran.counts,
                problem: None,
            };
            let executed = &mut ran.executed;
            let result = run_warp(&mut machine, &mut warp, options, order.turn(), executed);
            if warp.is_done() {
                ran.cycles.warps += 1;
                ran.cycles.total += warp.elapsed;
                ran.cycles.longest = ran.cycles.longest.max(warp.elapsed);
            }
            group.blocks[block].warps[number] = warp;
            result?;
        }
    }
    Ok(())
}

fn run_warp(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    options: &Options,
    mut left: u32,
    executed: &mut [u64],
) -> Result<(), Box<Finding>> {
    while left > 0 && control_wake(machine, warp) {
        let count = warp.fragments.len();
        let ready = (0..count)
            .map(|by| (warp.turn + by) % count)
            .find(|at| warp.fragments[*at].state == State::Ready);
        let Some(index) = ready else { break };
        warp.turn = index;
        let mut fragment_left = FRAGMENT_TURN;
        let gave_way = loop {
            let (at, lanes) = (warp.fragments[index].at, warp.fragments[index].lanes);
            let fragments = warp.fragments.len();
            let goes_on = match machine.step(warp, index) {
                Ok((lanes, goes_on)) => {
                    machine.counts.thread_instructions += u64::from(lanes);
                    machine.counts.warp_instructions += 1;
                    executed[at as usize] += 1;
                    goes_on
                }
                Err((problem, lanes)) => {
                    return Err(Box::new(machine.finding(problem, warp, at, lanes)));
                }
            };
            if machine.counts.thread_instructions > options.limit.unwrap_or(u64::MAX) {
                let problem = Problem::Limit(options.limit.unwrap_or(u64::MAX));
                return Err(Box::new(machine.finding(problem, warp, at, lanes)));
            }
            left = left.saturating_sub(1);
            fragment_left = fragment_left.saturating_sub(1);
            let same = warp.fragments.len() == fragments && goes_on;
            // A turn ends at a jump: lanes share uniform registers, and code relies on not being interrupted between the
            // write of one and who reads it in the same block.
            if !same || (left == 0 || fragment_left == 0) && warp.fragments[index].at != at + 1 {
                break !goes_on;
            }
        };
        // A fragment that yields with no other to go on lets other warps run.
        let is_ready = |one: &crate::warp::Fragment| one.state == State::Ready;
        let ready = warp.fragments.iter().filter(|one| is_ready(one)).count();
        if gave_way && ready <= 1 {
            break;
        }
        // Another one's turn.
        warp.turn = match warp.fragments.len() {
            0 => 0,
            count => (index + 1) % count,
        };
    }
    Ok(())
}

/// Who waits where.
fn deadlock(
    launched: &Launched<'_>,
    global: &mut Global,
    running: &mut [Group],
    ran: &mut Ran,
) -> Option<Finding> {
    let mut waiting: Vec<String> = Vec::new();
    let mut found = None;
    for group in running {
        for block in 0..group.blocks.len() {
            for number in 0..group.blocks[block].warps.len() {
                let warp = std::mem::take(&mut group.blocks[block].warps[number]);
                for fragment in &warp.fragments {
                    let what = match fragment.state {
                        State::Ready => "nothing".to_owned(),
                        State::Meet(barrier) => format!("B{barrier}"),
                        State::WarpSync(mask) => format!("lanes {mask:#010x}"),
                        State::Barrier(number, _) => format!("barrier {}", number & 15),
                        State::Cluster(_) => "the cluster".to_owned(),
                    };
                    let (lanes, place) = (fragment.lanes, fragment.at * 16);
                    if waiting.len() < 8 {
                        waiting.push(format!(
                            "lanes {lanes:#010x} of warp {number} at {place:#x} wait for {what}"
                        ));
                    }
                    found.get_or_insert((warp.clone(), block, fragment.at, lanes));
                }
                group.blocks[block].warps[number] = warp;
            }
        }
        if let Some((warp, block, at, lanes)) = found.take() {
            let machine = Machine {
                launched,
                global,
                group,
                block,
                findings: &mut ran.findings,
                counts: &mut ran.counts,
                problem: None,
            };
            return Some(machine.finding(Problem::Deadlock(waiting), &warp, at, lanes));
        }
    }
    None
}
