//! The blocks of a cluster, run by one worker.

use super::async_copy::Pending;
use super::barrier::{BlockBarriers, ClusterBarrier};
use super::flights::Flights;
use super::frame::Identity;
use super::groups::Groups;
use super::mbarrier::Barriers;
use super::random::Random;
use super::record::{self, Recorder};
use super::tensor::TensorMemory;
use super::warp::{Turn, Warp};
use super::{Env, Outcome, deadlock, spin};
use crate::finding::Finding;
use crate::races::Watch;
use crate::report::Counts;
use crate::weak::Weak;
use rustc_hash::FxHashMap;

/// What the warps of a group share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Shared memory, a block each.
    pub(crate) memory: Vec<Vec<u8>>,
    /// Barriers, a block each.
    pub(crate) barriers: Vec<BlockBarriers>,
    /// The cluster's barrier.
    pub(crate) cluster: ClusterBarrier,
    /// Which words of shared memory are barrier objects, a block each.
    pub(crate) objects: Vec<Barriers>,
    /// Copies under way.
    pub(crate) pending: Pending,
    /// The undefined bits of shared memory, a block each; empty if they are not watched.
    pub(crate) undefined: Vec<Vec<u8>>,
    /// Where undefined bits that threads stored came from: by block and offset.
    pub(crate) origins: FxHashMap<(u32, u32), super::defined::Origin>,
    /// Copies that nobody has waited for; none if the program has no copies.
    pub(crate) flights: Option<Box<Flights>>,
    /// Tensor maps as blocks have acquired them.
    pub(crate) maps: super::tensor_map::Acquired,
    /// Products of warpgroups, if there are any.
    pub(crate) groups: Option<Box<Groups>>,
    /// Tensor memory, a block each; empty if it is not used.
    pub(crate) tensor: Vec<TensorMemory>,
    /// Findings that do not end the run.
    pub(crate) warnings: Vec<Finding>,
    /// Threads that have not exited.
    pub(crate) alive: u32,
    pub(crate) counts: Counts,
    /// Steps taken.
    pub(crate) clock: u64,
    /// Counts what others could wait for: writes, arrivals, exits.
    pub(crate) progress: u64,
    /// How many of these are stores that no other thread sees.
    pub(crate) unseen: u64,
    /// Nanoseconds that threads slept since the progress that stands beside it.
    slept: (u64, u64),
    /// Text that the kernel printed, in order.
    pub(crate) output: Vec<u8>,
    pub(crate) random: Random,
    /// What looks for races.
    pub(crate) races: Option<Box<Watch>>,
    /// What loads may return, where that is not what memory holds.
    pub(crate) weak: Option<Box<Weak>>,
    /// Records what happens, where that was asked for.
    pub(crate) recorder: Option<Box<Recorder>>,
    /// What the step under way touches, where schedules are explored.
    pub(crate) touched: crate::explore::footprint::Touches,
}

/// Nanoseconds that threads may sleep without any progress before that counts as running in circles.
const LONG_SLEEP: u64 = 2_000_000_000;

impl Shared {
    /// Time passes.
    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        self.clock += nanoseconds;
        if self.slept.1 != self.progress {
            self.slept = (0, self.progress);
        }
        self.slept.0 += nanoseconds.max(1);
    }

    /// Whether threads sleep, but not for long yet.
    fn sleeps_briefly(&self) -> bool {
        self.slept.1 == self.progress && (1..LONG_SLEEP).contains(&self.slept.0)
    }
}

/// How a group stands after a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// All threads have exited.
    Done,
    /// It has more to do.
    Busy,
    /// What can run waits in loops for others.
    Spinning,
}

/// The blocks of a cluster.
#[derive(Debug)]
pub(crate) struct Group {
    /// Its number in the grid.
    pub(crate) number: u64,
    /// How many were begun before it.
    pub(crate) order: u64,
    pub(crate) warps: Vec<Warp>,
    pub(crate) shared: Shared,
    /// Warps that have not ended.
    running: Vec<usize>,
    time_outs: TimeOuts,
    /// Rounds in which nothing changed that others could wait for, and the progress until then.
    quiet: (u32, u64),
}

/// After so many rounds without a change turns are long, whatever memory is: only so loops that wait are known.
const QUIET: u32 = 64;

/// Waits that ended without success, with nothing else in between.
#[derive(Debug, Default)]
struct TimeOuts {
    progress: u64,
    count: u32,
    /// The threads' state at one of them.
    state: u64,
}

/// So often waits may end without success before they are taken for one that never ends.
const MOST_TIME_OUTS: u32 = 4096;

/// Steps a warp takes before another one's turn: long, and now and then short.
const TURNS: [u32; 4] = [1024, 512, 2048, 96];

impl Group {
    /// The group with a number, ready to start.
    pub(crate) fn new(env: &Env<'_>, number: u64) -> Group {
        let blocks = env.blocks_in_cluster();
        let threads = env.threads();
        let warps_in_block = threads.div_ceil(32);
        let cluster = position(number, clusters(env));
        let mut warps = Vec::with_capacity((blocks * warps_in_block) as usize);
        for rank in 0..blocks {
            let inside = position(u64::from(rank), env.cluster);
            let block = std::array::from_fn(|i| cluster[i] * env.cluster[i] + inside[i]);
            for warp in 0..warps_in_block {
                let identity = Identity { block, rank, warp };
                let lanes = (threads - warp * 32).min(32);
                let mask = u32::MAX >> (32 - lanes);
                warps.push(Warp::new(env, identity, mask));
            }
        }
        let count = warps.len();
        let memory = vec![vec![0; env.shared_end() as usize]; blocks as usize];
        let undefined = match env.init {
            true => vec![vec![u8::MAX; env.shared_end() as usize]; blocks as usize],
            false => Vec::new(),
        };
        let has_groups = env.program.has_groups;
        let has_tensor = env.program.has_tensor;
        let copies = env.program.has_copies || has_groups || has_tensor;
        let flights = copies.then(|| Box::new(Flights::new(blocks, env.shared_end(), threads)));
        Group {
            number,
            order: number,
            running: (0..warps.len()).collect(),
            warps,
            time_outs: TimeOuts::default(),
            quiet: (0, 0),
            shared: Shared {
                memory,
                barriers: (0..blocks)
                    .map(|_| BlockBarriers::new(warps_in_block, threads))
                    .collect(),
                cluster: ClusterBarrier::new(blocks * warps_in_block, blocks * threads),
                objects: (0..blocks).map(|_| Barriers::default()).collect(),
                pending: Pending::default(),
                undefined,
                origins: FxHashMap::default(),
                flights,
                maps: FxHashMap::default(),
                groups: has_groups.then(|| Box::new(Groups::new(blocks, warps_in_block))),
                tensor: match has_tensor {
                    true => (0..blocks).map(|_| TensorMemory::default()).collect(),
                    false => Vec::new(),
                },
                warnings: Vec::new(),
                alive: blocks * threads,
                counts: Counts::default(),
                clock: 0,
                progress: 0,
                unseen: 0,
                slept: (0, 0),
                output: Vec::new(),
                random: Random::new(env.seed, number),
                races: env.races.map(|session| session.watch(env, number)),
                weak: env.weak.map(|session| session.group(number)),
                recorder: env.record.then(|| Recorder::new(count)),
                touched: Default::default(),
            },
        }
    }

    /// Lets each warp run for a while, as often as it takes to use up `steps`. With a limit never more than `most` are taken.
    pub(crate) fn run(
        &mut self,
        env: &Env<'_>,
        (steps, most): (u64, u64),
    ) -> Result<Status, Box<Finding>> {
        let end = self.shared.clock.saturating_add(steps);
        let limit = self.shared.clock.saturating_add(most);
        while self.shared.clock < end {
            if self.running.is_empty() {
                self.finish(env)?;
                return Ok(Status::Done);
            }
            let start = self.shared.random.below(self.running.len());
            let (mut ran, mut spinning) = (false, true);
            let before = self.shared.progress;
            let mut cut = false;
            self.quiet = match self.quiet {
                (rounds, progress) if progress == before => (rounds.saturating_add(1), before),
                _ => (0, before),
            };
            let weak = env.weak.filter(|_| self.quiet.0 < QUIET);
            for i in 0..self.running.len() {
                let index = self.running[(start + i) % self.running.len()];
                let random = &mut self.shared.random;
                let mut turn = match weak {
                    None => TURNS[random.below(TURNS.len())],
                    Some(weak) => weak.turn(random),
                };
                // Only a limit is exact: elsewhere a turn is not cut, for that would change who runs when.
                if env.limit != u64::MAX {
                    let left = limit.saturating_sub(self.shared.clock);
                    cut = left == 0;
                    if cut {
                        break;
                    }
                    turn = turn.min(u32::try_from(left).unwrap_or(u32::MAX));
                }
                let warp = &mut self.warps[index];
                let clock = warp.clock;
                let went = warp.run(env, &mut self.shared, turn);
                if self.shared.recorder.is_some() {
                    let steps = self.warps[index].clock - clock;
                    let turn = *went.as_ref().unwrap_or(&Turn::Ran);
                    record::turn(&mut self.shared, &self.warps, index, steps, turn);
                }
                match went {
                    Ok(Turn::Blocked) => {}
                    Ok(Turn::Ran) => {
                        ran = true;
                        spinning = false;
                    }
                    Ok(Turn::Spinning) => ran = true,
                    Err(trouble) => return Err(self.finding(env, index, *trouble)),
                }
            }
            let warps = &self.warps;
            self.running.retain(|&index| !warps[index].is_done());
            // Not everybody had a turn: there is nothing to conclude.
            if cut {
                break;
            }
            // Where nobody gets on by himself, time passes quickly.
            let moved = self.advance_copies(env, spinning)?;
            if self.running.is_empty() {
                continue;
            }
            if !ran && !moved && self.shared.progress == before && !self.time_out() {
                return Err(deadlock::of_group(env, self));
            }
            if ran && spinning && !moved && self.shared.progress == before {
                // Others may run in circles because of one that waits.
                self.time_out();
                // Who sleeps may give up one day.
                return Ok(if self.shared.sleeps_briefly() {
                    Status::Busy
                } else {
                    Status::Spinning
                });
            }
        }
        if self.running.is_empty() {
            self.finish(env)?;
            return Ok(Status::Done);
        }
        Ok(Status::Busy)
    }

    /// Waits that may end without success do so when nothing else can happen; whether any did. Not
    /// if that leads nowhere: if the group has come back to where it was, or does nothing else.
    fn time_out(&mut self) -> bool {
        let progress = self.shared.progress - self.shared.unseen;
        let warps = self.running.iter().map(|&index| &self.warps[index]);
        if !warps.clone().any(Warp::may_time_out) {
            return false;
        }
        let state = spin::hash_of_all(warps);
        let last = &mut self.time_outs;
        if last.progress != progress {
            *last = TimeOuts {
                progress,
                ..TimeOuts::default()
            };
        }
        last.count += 1;
        if last.count > MOST_TIME_OUTS || last.count > 1 && last.state == state {
            return false;
        }
        // Circles of any length are found if the state that is looked for is renewed less and less.
        if last.count.is_power_of_two() {
            last.state = state;
        }
        for &index in &self.running {
            self.warps[index].time_out();
        }
        true
    }

    /// Moves data of asynchronous copies: what is due, or what is due next if nothing else happens.
    fn advance_copies(&mut self, env: &Env<'_>, idle: bool) -> Result<bool, Box<Finding>> {
        let outcome: Outcome<bool> = super::async_copy::advance(env, &mut self.shared, idle);
        outcome.map_err(|trouble| self.finding(env, 0, *trouble))
    }

    /// Copies that nobody waited for end with the group.
    fn finish(&mut self, env: &Env<'_>) -> Result<(), Box<Finding>> {
        while self.advance_copies(env, true)? {}
        Ok(())
    }

    /// Says who had a problem.
    pub(crate) fn finding(
        &self,
        env: &Env<'_>,
        warp: usize,
        trouble: super::Trouble,
    ) -> Box<Finding> {
        // What a copy does wrong is told where it was issued.
        let issuer = super::async_copy::issuer(&self.shared);
        let warp = &self.warps[issuer.map_or(warp, |issuer| issuer.warp)];
        let (code, pc) = match issuer {
            Some(issuer) => (issuer.code, issuer.pc),
            None => warp.place_of(trouble.lane),
        };
        let number = warp.identity.warp * 32 + trouble.lane;
        Box::new(Finding {
            problem: trouble.problem,
            block: warp.identity.block,
            thread: super::special::thread(env, number),
            code,
            pc,
            rank: self.order,
        })
    }
}

/// Clusters in the grid, in x, y and z.
pub(crate) fn clusters(env: &Env<'_>) -> [u32; 3] {
    std::array::from_fn(|i| env.grid[i] / env.cluster[i])
}

/// The position of something by its number.
pub(crate) fn position(number: u64, of: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(of[0]), u64::from(of[1]));
    [
        (number % x) as u32,
        (number / x % y) as u32,
        (number / (x * y)) as u32,
    ]
}
