//! The whole grid: workers that take groups in order.
//!
//! A worker runs a group to its end, then takes the next. A group whose threads wait in loops for
//! other blocks is put aside: the worker starts another one beside it and goes round among those it
//! has. Groups that run for long are put aside now and then as well, for a wait may not look like
//! one. So all blocks of a grid make progress, as they do on a chip that has room for them.
//!
//! Where what a block does can depend on the order in which others run, one worker runs them all:
//! the same seed then gives the same run. Several workers may be asked for nevertheless. In the first schedule blocks run
//! one after the other as far as they can; in others some of them take turns of random length, so that they meet in locks
//! and queues.

use super::group::{Group, Status, clusters, position};
use super::random::Random;
use super::record::Totals;
use super::{Env, deadlock};
use crate::finding::Finding;
use crate::report::Counts;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How far a run has come.
#[derive(Debug, Default)]
pub struct Progress {
    /// Blocks that have ended.
    pub done: AtomicU64,
    /// Blocks in all.
    pub total: AtomicU64,
}

/// Steps a group runs before the worker looks around.
const SLICE: u64 = 1 << 20;

/// Groups that take turns in schedules other than the first, besides those that wait for others.
const TOGETHER: usize = 8;

/// In how many turns one more group is begun nevertheless: what looks like work may be a wait for it.
const MORE: usize = 64;

/// With weak memory so many groups take turns from the start; more begin if these wait, and now and then.
const RESIDENT: usize = 64;

/// Thread instructions that one step makes at most.
const LANES: u64 = 32;

/// What all workers share.
struct Common<'a> {
    env: &'a Env<'a>,
    groups: u64,
    /// Counts changes of memory that others may wait for.
    changes: AtomicU64,
    /// Thread instructions.
    executed: AtomicU64,
    /// Workers that find only waiting groups, with no change in between.
    idle: AtomicUsize,
    workers: usize,
    stop: AtomicBool,
    /// Groups with a number from here on need not run: an earlier one has a finding.
    limit: AtomicU64,
    finding: Mutex<Option<Box<Finding>>>,
    counts: Mutex<Counts>,
    /// What groups printed, by number.
    output: Mutex<BTreeMap<u64, Vec<u8>>>,
    /// Findings that do not end the run: the first of each place.
    warnings: Mutex<BTreeMap<(usize, usize), Finding>>,
    progress: &'a Progress,
    /// What was recorded, where that was asked for.
    totals: Mutex<Totals>,
}

/// Counts and output of a grid.
pub(crate) struct Ran {
    pub(crate) totals: Totals,
    pub(crate) counts: Counts,
    pub(crate) output: Vec<u8>,
    pub(crate) warnings: Vec<Finding>,
}

/// The group that is begun after so many others. The first schedule takes them in order, others in an order that follows
/// from the seed: `a * order + b` with `a` prime to their number comes to each of them once.
fn number(seed: u64, order: u64, groups: u64) -> u64 {
    if seed == 0 || groups < 2 {
        return order;
    }
    let mut random = Random::new(seed, u64::MAX);
    let mut next = || random.next() % groups;
    let (mut a, b) = (next(), next());
    while common_divisor(a, groups) != 1 {
        a = (a + 1) % groups;
    }
    let at = u128::from(a) * u128::from(order) + u128::from(b);
    (at % u128::from(groups)) as u64
}

fn common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => common_divisor(b, a % b),
    }
}

/// The next group of those before one: how many were begun before it.
fn next(env: &Env<'_>, end: u64) -> Option<u64> {
    // Never past the end, so that the number does not run away.
    let update = |next: u64| (next < end).then_some(next + 1);
    let before = env
        .begun
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, update);
    before.ok()
}

/// Takes a group that has not begun from the launch, so that it never does: gives the place of its first block.
pub(crate) fn cancel(env: &Env<'_>) -> Option<[u32; 3]> {
    let groups = clusters(env).iter().map(|n| u64::from(*n)).product();
    let order = next(env, groups)?;
    let cluster = position(number(env.seed, order, groups), clusters(env));
    Some(std::array::from_fn(|i| cluster[i] * env.cluster[i]))
}

/// Runs all groups.
pub(crate) fn run(
    env: &Env<'_>,
    workers: usize,
    progress: &Progress,
) -> (Ran, Option<Box<Finding>>) {
    let groups = clusters(env).iter().map(|n| u64::from(*n)).product();
    let common = Common {
        env,
        groups,
        changes: AtomicU64::new(0),
        executed: AtomicU64::new(0),
        idle: AtomicUsize::new(0),
        workers,
        stop: AtomicBool::new(false),
        limit: AtomicU64::new(u64::MAX),
        finding: Mutex::new(None),
        counts: Mutex::new(Counts::default()),
        output: Mutex::new(BTreeMap::new()),
        warnings: Mutex::new(BTreeMap::new()),
        progress,
        totals: Mutex::default(),
    };
    progress.done.store(0, Ordering::Relaxed);
    let blocks = groups * u64::from(env.blocks_in_cluster());
    progress.total.store(blocks, Ordering::Relaxed);
    if workers <= 1 {
        common.work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| common.work());
            }
        });
    }
    let finding = common
        .finding
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let output = common
        .output
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let counts = common
        .counts
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let output = output.into_values().flatten().collect();
    let warnings = common
        .warnings
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let totals = common
        .totals
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let ran = Ran {
        totals,
        counts,
        output,
        warnings: warnings.into_values().collect(),
    };
    (ran, finding)
}

impl Common<'_> {
    fn take(&self) -> Option<Group> {
        let next = next(
            self.env,
            self.groups.min(self.limit.load(Ordering::Relaxed)),
        );
        next.map(|order| {
            let mut group = Group::new(self.env, number(self.env.seed, order, self.groups));
            group.order = order;
            group
        })
    }

    /// Steps that a group may run now; `None` when the limit of the run is used up.
    ///
    /// What is left is shared out among the workers as if every step were one of a whole warp, and the last steps are
    /// taken one by one. So a run goes beyond its limit by less than one step for each worker.
    fn slice(&self) -> Option<u64> {
        if self.env.limit == u64::MAX {
            return Some(SLICE);
        }
        let executed = self.executed.load(Ordering::Relaxed);
        let left = self
            .env
            .limit
            .checked_sub(executed)
            .filter(|&left| left > 0)?;
        let share = left / (LANES * self.working() as u64);
        Some(share.clamp(1, SLICE))
    }

    /// What decides how long turns are, if the order in which blocks run can be seen, and this is not the first schedule.
    fn turns(&self) -> Option<Random> {
        let is_seen = self.env.program.order_matters && self.workers <= 1;
        (is_seen && self.env.seed != 0).then(|| Random::new(self.env.seed, u64::MAX - 1))
    }

    fn work(&self) {
        let mut resident: Vec<Group> = self.take().into_iter().collect();
        let mut turn = 0;
        let mut turns = self.turns();
        // Groups in a row that only waited, and the changes when the first of them did.
        let (mut waiting, mut seen) = (0, u64::MAX);
        let mut counted_idle = false;
        let mut slices = 0u64;
        while !resident.is_empty() && !self.stop.load(Ordering::Relaxed) {
            turn %= resident.len();
            let group = &mut resident[turn];
            if group.order >= self.limit.load(Ordering::Relaxed) {
                resident.swap_remove(turn);
                continue;
            }
            let Some(slice) = self.slice() else {
                self.report(deadlock::limit(self.env, group));
                self.stop.store(true, Ordering::Relaxed);
                break;
            };
            let slice = match &mut turns {
                Some(random) => slice.min(1 << (6 + random.below(8))),
                None => slice,
            };
            let steps = self.env.weak.map_or(slice, |weak| weak.slice().min(slice));
            let before = group.shared.progress;
            let done = group.shared.counts.thread_instructions;
            if let Some(races) = self.env.races {
                races.enter(&mut group.shared);
            }
            if let Some(weak) = self.env.weak {
                weak.enter(&mut group.shared);
            }
            let status = group.run(self.env, (steps, slice));
            if let Some(weak) = self.env.weak {
                weak.leave(&mut group.shared);
            }
            if let Some(races) = self.env.races {
                races.leave(&mut group.shared);
            }
            let done = group.shared.counts.thread_instructions - done;
            let executed = self.executed.fetch_add(done, Ordering::Relaxed) + done;
            // The last step may be the one that is too many, whether or not it ends the run.
            if executed > self.env.limit && status.is_ok() {
                self.report(deadlock::limit(self.env, group));
                self.stop.store(true, Ordering::Relaxed);
                break;
            }
            let changed = group.shared.progress - before;
            if changed > 0 {
                self.changes.fetch_add(changed, Ordering::SeqCst);
            }
            let is_waiting = matches!(status, Ok(Status::Spinning)) && changed == 0;
            if !is_waiting && std::mem::take(&mut counted_idle) {
                self.idle.fetch_sub(1, Ordering::SeqCst);
            }
            match status {
                Err(finding) => {
                    self.report(finding);
                    let group = resident.swap_remove(turn);
                    self.finish(group);
                    waiting = 0;
                }
                Ok(Status::Done) => {
                    let group = resident.swap_remove(turn);
                    self.changes.fetch_add(1, Ordering::SeqCst);
                    self.finish(group);
                    waiting = 0;
                }
                Ok(status @ (Status::Busy | Status::Spinning)) => {
                    turn += 1;
                    slices += 1;
                    let has_room = resident.len() < TOGETHER || matches!(status, Status::Spinning);
                    let begins = match &mut turns {
                        // With short slices not all blocks of a large grid begin at once.
                        _ if self.env.weak.is_some() => {
                            resident.len() < RESIDENT || is_waiting || slices.is_multiple_of(256)
                        }
                        Some(random) => has_room || random.below(MORE) == 0,
                        None => true,
                    };
                    if let Some(group) = begins.then(|| self.take()).flatten() {
                        resident.push(group);
                        turn = resident.len() - 1;
                        waiting = 0;
                    } else if is_waiting {
                        let changes = self.changes.load(Ordering::SeqCst);
                        if changes != seen {
                            (seen, waiting) = (changes, 0);
                        }
                        waiting += 1;
                    } else {
                        waiting = 0;
                    }
                }
            }
            if resident.is_empty() {
                resident.extend(self.take());
            }
            // All that are left went round twice, and nothing changed anywhere.
            if waiting > 2 * resident.len() && !resident.is_empty() {
                if !std::mem::replace(&mut counted_idle, true) {
                    self.idle.fetch_add(1, Ordering::SeqCst);
                }
                let all_idle = self.idle.load(Ordering::SeqCst) >= self.working();
                let unchanged = self.changes.load(Ordering::SeqCst) == seen;
                if all_idle && unchanged && waiting > 8 * resident.len() + 64 {
                    self.report(deadlock::circles(self.env, &resident[0]));
                    self.stop.store(true, Ordering::Relaxed);
                }
                std::thread::yield_now();
            }
        }
        // A worker without work cannot change anything.
        if !counted_idle {
            self.idle.fetch_add(1, Ordering::SeqCst);
        }
        for group in resident {
            self.finish(group);
        }
    }

    fn working(&self) -> usize {
        self.workers.max(1)
    }

    /// Keeps the finding of the earliest group: another worker may find one in an earlier group
    /// still.
    fn report(&self, finding: Box<Finding>) {
        self.limit.fetch_min(finding.rank, Ordering::SeqCst);
        let mut held = self.finding.lock().unwrap_or_else(PoisonError::into_inner);
        if held.as_ref().is_none_or(|old| finding.rank < old.rank) {
            *held = Some(finding);
        }
    }

    fn finish(&self, group: Group) {
        let blocks = u64::from(self.env.blocks_in_cluster());
        self.progress.done.fetch_add(blocks, Ordering::Relaxed);
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) += group.shared.counts;
        let mut group = group;
        for mut warning in std::mem::take(&mut group.shared.warnings) {
            warning.rank = group.number;
            let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
            let held = warnings.entry((warning.code, warning.pc));
            let held = held.or_insert_with(|| warning.clone());
            if warning.rank < held.rank {
                *held = warning;
            }
        }
        if let Some(recorder) = group.shared.recorder.take() {
            let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
            recorder.finish(group.number, &group.warps, &mut totals);
        }
        if !group.shared.output.is_empty() {
            let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
            output.insert(group.number, group.shared.output);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn every_group_has_its_turn() {
        for groups in [1, 2, 3, 7, 12, 64, 100] {
            for seed in [0, 1, 7, 99] {
                let mut all: Vec<u64> = (0..groups).map(|n| number(seed, n, groups)).collect();
                let is_sorted = all.is_sorted();
                assert!(seed != 0 || is_sorted);
                all.sort_unstable();
                assert!(
                    all.into_iter().eq(0..groups),
                    "{groups} groups, seed {seed}"
                );
            }
        }
        let orders = (1..20).map(|seed| number(seed, 0, 1000));
        assert!(orders.collect::<std::collections::BTreeSet<_>>().len() > 10);
    }
}
