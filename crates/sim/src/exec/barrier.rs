//! Barriers of blocks and clusters.
//!
//! A barrier counts threads. With a number of threads it is complete when so many have come; a warp
//! that is not full counts as full, as the hardware has it. Without one it is complete when all
//! threads of the block that have not exited are there.
//!
//! An aligned barrier is executed by the whole warp at once. Fragments come to it one by one, though,
//! so the first ones wait for the others ([`Wait::Aligned`]); if these have exited, or wait at another
//! aligned instruction, that is reported.

use super::frame::Around;
use super::group::Shared;
use super::warp::{Flow, Wait, Warp};
use super::{Env, Outcome, Trouble, lanes};
use crate::finding::{Finding, Problem, Told, Waiting};
use crate::program::{Barrier, Op, Reduce};
use warpc_diag::codes;

/// Barriers of one block.
#[derive(Debug)]
pub(crate) struct BlockBarriers {
    pub(crate) all: [State; 16],
    warps: u32,
    /// Threads of the block that have not exited.
    alive: u32,
    /// Threads of the block.
    threads: u32,
}

/// One barrier.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Counts completions.
    pub(crate) generation: u32,
    /// Threads that have come, with those that a warp lacks if a number of threads is wanted.
    pub(crate) arrived: u32,
    /// The number of threads that is wanted; 0 for all.
    pub(crate) wanted: u32,
    /// Lanes that have come, by warp; empty until one has.
    pub(crate) lanes: Vec<u32>,
    ones: u32,
    all: bool,
    any: bool,
    /// Results of the last generations, and the threads that had exited.
    results: [(u32, bool, bool, u32); 4],
}

/// The barrier of a cluster: all threads of it arrive, then wait.
#[derive(Debug)]
pub(crate) struct ClusterBarrier {
    pub(crate) generation: u32,
    /// Lanes that have arrived, by warp of the cluster.
    pub(crate) arrived: Vec<u32>,
    count: u32,
    alive: u32,
}

impl BlockBarriers {
    pub(crate) fn new(warps: u32, threads: u32) -> BlockBarriers {
        BlockBarriers {
            all: Default::default(),
            warps,
            alive: threads,
            threads,
        }
    }

    /// Threads of the block that have exited.
    pub(crate) fn exited(&self) -> u32 {
        self.threads - self.alive
    }

    /// Whether all threads of the block have exited.
    pub(crate) fn is_over(&self) -> bool {
        self.alive == 0
    }
}

impl ClusterBarrier {
    pub(crate) fn new(warps: u32, threads: u32) -> ClusterBarrier {
        ClusterBarrier {
            generation: 0,
            arrived: vec![0; warps as usize],
            count: 0,
            alive: threads,
        }
    }

    /// Completes when all that live have arrived; whether it did.
    fn settle(&mut self) -> bool {
        let complete = self.count >= self.alive && self.count > 0;
        if complete {
            self.generation += 1;
            self.count = 0;
            self.arrived.fill(0);
        }
        complete
    }
}

impl State {
    /// Completes if enough have come; whether it did.
    fn settle(&mut self, (alive, threads): (u32, u32)) -> bool {
        let enough = if self.wanted == 0 {
            self.arrived >= alive
        } else {
            self.arrived >= self.wanted
        };
        if self.arrived == 0 || !enough {
            return false;
        }
        let exited = if self.wanted == 0 { threads - alive } else { 0 };
        self.results[(self.generation & 3) as usize] = (self.ones, self.all, self.any, exited);
        self.generation += 1;
        self.arrived = 0;
        self.wanted = 0;
        self.lanes.fill(0);
        (self.ones, self.all, self.any) = (0, true, false);
        true
    }
}

/// What an aligned instruction finds.
pub(super) enum Gathered {
    /// The whole warp is here.
    All,
    /// The fragment waits for the rest.
    Waits,
}

/// The name of an instruction in messages.
pub(crate) fn name_of(op: &Op) -> &'static str {
    match op {
        Op::Barrier(barrier) if barrier.arrive => "barrier.arrive",
        Op::Barrier(barrier) if barrier.reduce != Reduce::None => "barrier.red",
        Op::Barrier(_) => "barrier.sync",
        Op::ClusterArrive(..) => "barrier.cluster.arrive",
        Op::ClusterWait(..) => "barrier.cluster.wait",
        Op::Matrix(_) => "matrix instruction",
        Op::TensorMap(_) => "tensormap.cp_fenceproxy",
        Op::Group(_) => "wgmma",
        Op::Tensor(_) => "tcgen05",
        _ => "aligned instruction",
    }
}

/// Sees to it that the whole warp executes an aligned instruction together.
pub(super) fn gather(warp: &mut Warp, env: &Env<'_>, active: u32) -> Outcome<Gathered> {
    let current = warp.fragments[warp.current];
    let what =
        name_of(&env.program.codes[warp.frames[current.frame].code].steps[current.pc as usize].op);
    if warp.exited != 0 {
        let lanes = warp.exited;
        return Err(Trouble::of(active, Problem::Exited { what, lanes }));
    }
    if active == warp.live() {
        return Ok(Gathered::All);
    }
    warp.block(active, Wait::Aligned);
    meet_aligned(warp, env, warp.current, what)?;
    Ok(Gathered::Waits)
}

/// Fragments that wait at the same aligned instruction become one; it goes on when it is whole.
fn meet_aligned(warp: &mut Warp, env: &Env<'_>, index: usize, what: &'static str) -> Outcome<()> {
    let here = warp.fragments[index];
    let mut lanes_here = 0;
    let mut elsewhere = None;
    for other in 0..warp.fragments.len() {
        let fragment = warp.fragments[other];
        if fragment.wait != Wait::Aligned {
            continue;
        }
        // Lanes that made the same call at different times are in the same place, too.
        if fragment.pc == here.pc && warp.unify(env, here.frame, fragment.frame) {
            lanes_here |= fragment.lanes;
        } else {
            elsewhere = Some(fragment);
        }
    }
    if let Some(other) = elsewhere {
        let code = &env.program.codes[warp.frames[other.frame].code];
        let others = Waiting {
            span: code.origins[other.pc as usize].span,
            text: match other.lanes.count_ones() {
                1 => "one other thread of the warp waits here".to_owned(),
                count => format!("{count} other threads of the warp wait here"),
            },
        };
        return Err(Trouble::of(here.lanes, Problem::Divergent { what, others }));
    }
    if lanes_here == warp.live() {
        let mut first = true;
        warp.fragments.retain_mut(|fragment| {
            let keep = std::mem::take(&mut first);
            fragment.lanes = lanes_here;
            fragment.wait = Wait::Ready;
            keep
        });
    }
    Ok(())
}

/// Looks whether the rest of the warp has come.
pub(super) fn wake_aligned(warp: &mut Warp, env: &Env<'_>, index: usize) -> Outcome<()> {
    let here = warp.fragments[index];
    if warp.exited != 0 {
        let op = &env.program.codes[warp.frames[here.frame].code].steps[here.pc as usize].op;
        let problem = Problem::Exited {
            what: name_of(op),
            lanes: warp.exited,
        };
        return Err(Trouble::of(here.lanes, problem));
    }
    Ok(())
}

/// `bar`, `barrier`
pub(super) fn block(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    barrier: &Barrier,
    active: u32,
) -> Outcome<Flow> {
    if barrier.aligned && matches!(gather(warp, env, active)?, Gathered::Waits) {
        return Ok(Flow::Choose);
    }
    let frame = warp.frame();
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let registers = &warp.frames[frame];
    let first = active.trailing_zeros() as usize;
    let number = registers.get(barrier.number, first, around) & u64::from(u32::MAX);
    let threads = barrier
        .threads
        .map(|source| registers.get(source, first, around) & u64::from(u32::MAX));
    // Lanes may name different barriers; then each name goes on its own.
    let same = lanes(active)
        .filter(|lane| registers.get(barrier.number, *lane, around) & u64::from(u32::MAX) == number)
        .fold(0, |mask, lane| mask | 1 << lane);
    let values = registers.mask(barrier.value, around) & same;
    if same != active {
        if barrier.aligned {
            let problem = Problem::Other {
                message: "the threads of the warp name different barriers".to_owned(),
                help: "an aligned barrier needs one number for the whole warp: use the form \
                       without `.aligned`",
            };
            return Err(Trouble::of(same, problem));
        }
        let current = warp.fragments[warp.current];
        warp.fragments[warp.current].lanes = same;
        warp.fragments.push(super::warp::Fragment {
            lanes: current.lanes & !same,
            ..current
        });
    }
    if number > 15 {
        return Err(Trouble::of(same, Problem::BarrierNumber(number)));
    }
    let wanted = check_threads(env, threads, barrier).map_err(|p| Trouble::of(same, p))?;
    let rank = identity.rank as usize;
    let barriers = &mut shared.barriers[rank];
    let (warps, alive) = (barriers.warps, (barriers.alive, barriers.threads));
    let state = &mut barriers.all[number as usize];
    if state.lanes.is_empty() {
        state.lanes = vec![0; warps as usize];
        state.all = true;
    }
    if state.arrived > 0 && state.wanted != wanted {
        let problem = Problem::BarrierThreads {
            threads: u64::from(wanted),
            why: "others came to the same barrier with another number",
        };
        return Err(Trouble::of(same, problem));
    }
    state.wanted = wanted;
    state.arrived += same.count_ones();
    let there = &mut state.lanes[identity.warp as usize];
    *there |= same;
    // A warp that lacks lanes counts as a full one where threads are counted.
    if wanted != 0 && *there == warp.live() {
        state.arrived += 32 - warp.live().count_ones();
    }
    state.ones += values.count_ones();
    state.all &= values == same;
    state.any |= values != 0;
    let generation = state.generation;
    shared.progress += 1;
    let complete = state.settle(alive);
    shared.counts.barriers += u64::from(complete);
    if let Some(races) = &mut shared.races {
        races.come(&identity, number, same, (barrier.arrive, wanted));
        if complete {
            races.complete(identity.rank, number as u32, wanted);
        }
    }
    if let Some(weak) = &mut shared.weak {
        weak.come(&identity, number, same, (barrier.arrive, wanted));
        if complete {
            weak.complete(identity.rank, number as u32, wanted);
        }
    }
    if barrier.arrive {
        return Ok(Flow::Next);
    }
    warp.block(same, Wait::Barrier(number as u8, generation));
    if complete {
        let index = warp.current;
        wake_block(warp, env, shared, index, number as u8, generation);
    }
    Ok(Flow::Choose)
}

fn check_threads(env: &Env<'_>, threads: Option<u64>, barrier: &Barrier) -> Result<u32, Problem> {
    let Some(threads) = threads else {
        return Ok(0);
    };
    let most = u64::from(env.threads().next_multiple_of(32));
    let why = if threads % 32 != 0 {
        "it must be a multiple of 32"
    } else if threads > most {
        "the block has fewer"
    } else if threads == 0 && barrier.arrive {
        "at least one warp must be waited for"
    } else {
        return Ok(threads as u32);
    };
    Err(Problem::BarrierThreads { threads, why })
}

/// Looks whether a barrier is complete.
pub(super) fn wake_block(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    index: usize,
    number: u8,
    generation: u32,
) {
    let state = &shared.barriers[warp.identity.rank as usize].all[usize::from(number)];
    if state.generation == generation {
        return;
    }
    let fragment = warp.fragments[index];
    let code = &env.program.codes[warp.frames[fragment.frame].code];
    if let Op::Barrier(barrier) = &code.steps[fragment.pc as usize].op {
        let (ones, all, any, exited) = state.results[(generation & 3) as usize];
        if exited > 0 && shared.warnings.is_empty() {
            shared.warnings.push(without(warp, env, fragment, exited));
        }
        let value = match barrier.reduce {
            Reduce::None => None,
            Reduce::Count => Some(u64::from(ones)),
            Reduce::And => Some(u64::from(all)),
            Reduce::Or => Some(u64::from(any)),
        };
        if let Some(value) = value {
            for lane in lanes(fragment.lanes) {
                warp.frames[fragment.frame].set(barrier.to, lane, value);
            }
        }
    }
    warp.resume(index);
}

/// A barrier was complete although threads of the block had exited.
fn without(warp: &Warp, env: &Env<'_>, fragment: super::warp::Fragment, exited: u32) -> Finding {
    let message = match exited {
        1 => "1 thread of the block has exited before this barrier of all threads".to_owned(),
        count => {
            format!("{count} threads of the block have exited before this barrier of all threads")
        }
    };
    let number = warp.identity.warp * 32 + fragment.lanes.trailing_zeros();
    Finding {
        problem: Problem::Told(Box::new(Told {
            code: codes::EXITED_EARLY,
            warning: true,
            message,
            help: "let all threads reach the barrier, and guard the work instead of leaving early: only \
                   whole warps that have exited are left out, and only where no number of threads is given"
                .to_owned(),
            related: Vec::new(),
        })),
        block: warp.identity.block,
        thread: super::special::thread(env, number),
        code: warp.frames[fragment.frame].code,
        pc: fragment.pc as usize,
        rank: 0,
    }
}

/// `barrier.cluster.arrive`
pub(super) fn cluster_arrive(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (aligned, release): (bool, bool),
    active: u32,
) -> Outcome<Flow> {
    if aligned && matches!(gather(warp, env, active)?, Gathered::Waits) {
        return Ok(Flow::Choose);
    }
    let place = cluster_place(warp, env);
    let barrier = &mut shared.cluster;
    if barrier.arrived[place] & active != 0 {
        let problem = Problem::Other {
            message: "the thread arrives at the cluster's barrier a second time without waiting"
                .to_owned(),
            help: "each `barrier.cluster.arrive` is followed by `barrier.cluster.wait`",
        };
        return Err(Trouble::of(barrier.arrived[place] & active, problem));
    }
    if let Some(races) = &mut shared.races {
        races.cluster_arrive(&warp.identity, active, (release, barrier.generation));
    }
    if let Some(weak) = &mut shared.weak {
        weak.cluster_arrive(&warp.identity, active, (release, barrier.generation));
    }
    barrier.arrived[place] |= active;
    barrier.count += active.count_ones();
    shared.progress += 1;
    shared.counts.barriers += u64::from(shared.cluster.settle());
    Ok(Flow::Next)
}

fn cluster_place(warp: &Warp, env: &Env<'_>) -> usize {
    let warps = env.threads().div_ceil(32);
    (warp.identity.rank * warps + warp.identity.warp) as usize
}

/// `barrier.cluster.wait`
pub(super) fn cluster_wait(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    aligned: bool,
    active: u32,
) -> Outcome<Flow> {
    if aligned && matches!(gather(warp, env, active)?, Gathered::Waits) {
        return Ok(Flow::Choose);
    }
    let place = cluster_place(warp, env);
    // The phase that a thread arrived at is over when its bit is gone.
    if shared.cluster.arrived[place] & active == 0 {
        cluster_over(warp, shared, active);
        return Ok(Flow::Next);
    }
    warp.block(active, Wait::Cluster(shared.cluster.generation));
    Ok(Flow::Choose)
}

/// Lanes go on after the cluster's barrier.
pub(super) fn cluster_over(warp: &Warp, shared: &mut Shared, lanes: u32) {
    if let Some(races) = &mut shared.races {
        races.cluster_wait(&warp.identity, lanes, shared.cluster.generation);
    }
    if let Some(weak) = &mut shared.weak {
        weak.cluster_wait(&warp.identity, lanes, shared.cluster.generation);
    }
}

/// Threads that exit are waited for no more.
pub(super) fn thread_exit(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    lanes: u32,
) -> Outcome<()> {
    let count = lanes.count_ones();
    let barriers = &mut shared.barriers[warp.identity.rank as usize];
    barriers.alive -= count;
    let alive = (barriers.alive, barriers.threads);
    for (number, state) in barriers.all.iter_mut().enumerate() {
        if state.wanted == 0 && state.arrived > 0 && state.settle(alive) {
            shared.counts.barriers += 1;
            if let Some(races) = &mut shared.races {
                races.complete(warp.identity.rank, number as u32, 0);
            }
            if let Some(weak) = &mut shared.weak {
                weak.complete(warp.identity.rank, number as u32, 0);
            }
        }
    }
    let place = cluster_place(warp, env);
    let cluster = &mut shared.cluster;
    cluster.count -= (cluster.arrived[place] & lanes).count_ones();
    cluster.arrived[place] &= !lanes;
    cluster.alive -= count;
    shared.counts.barriers += u64::from(cluster.settle());
    Ok(())
}
