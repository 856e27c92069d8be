//! What [`crate::exec`] calls: loads, stores and atomics of a group's threads, and what makes threads know of each other.

use super::history::{At, History, Write};
use super::know::Know;
use super::release::{Mark, Releases, Shape, reach};
use super::thread::State;
use crate::exec::Env;
use crate::exec::access::Place;
use crate::exec::frame::Identity;
use crate::exec::random::Random;
use crate::program::{Order, Scope};
use rustc_hash::FxHashMap;

/// How often of eight times a thread reads something else than the last write, where it may; by the seed.
const RATES: [usize; 4] = [4, 2, 6, 4];

/// What all groups of a launch share.
#[derive(Debug)]
pub(crate) struct Hub {
    global: History,
    fences: Fences,
    pub(super) random: Random,
    rate: usize,
}

/// What is known after the `fence.sc` so far, by the blocks and clusters of their threads. Each is before the later ones
/// that are in its scope, and it in theirs.
#[derive(Debug, Default)]
struct Fences {
    /// All fences of a block.
    blocks: FxHashMap<u32, Know>,
    /// Those of a cluster that reach so far.
    clusters: FxHashMap<u32, Know>,
    /// Those that reach farther.
    all: Know,
}

impl Hub {
    pub(super) fn new(seed: u64) -> Hub {
        let mut random = Random::new(seed, u64::MAX);
        Hub {
            global: History::default(),
            fences: Fences::default(),
            rate: RATES[random.below(RATES.len())],
            random,
        }
    }
}

/// Weak memory of a group.
#[derive(Debug)]
pub(crate) struct Weak {
    shape: Shape,
    /// Its threads, 32 for each warp.
    threads: Vec<State>,
    /// Shared memory.
    shared: History,
    /// What arrivals at barriers with a number of threads made known, and who waits: by block and barrier.
    barriers: FxHashMap<(u32, u32), (Know, Vec<usize>)>,
    /// What arrivals at the barrier of the cluster handed on, by generation.
    cluster: FxHashMap<u32, Releases>,
    /// What arrivals at mbarriers handed on.
    objects: FxHashMap<(u32, u32), Releases>,
    /// Gone while the group does not run.
    pub(super) hub: Option<Box<Hub>>,
}

/// An access of a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// The thread's number in its group.
    pub(crate) thread: u32,
    pub(crate) place: Place,
    pub(crate) bytes: u32,
    pub(crate) order: Order,
    /// Whether it must see the last write, as parts of wider accesses do.
    pub(crate) newest: bool,
}

/// Whether memory that others can access is at a place, and which.
fn at_of(env: &Env<'_>, place: Place) -> Option<(bool, At)> {
    match place {
        Place::Global(region, offset) => {
            Some((true, (0, env.global.region(region).address + offset)))
        }
        Place::Shared(rank, offset) => Some((false, (rank as u32, offset as u64))),
        Place::Local(_) | Place::Param(_) => None,
    }
}

impl Weak {
    pub(super) fn new(shape: Shape, group: u64) -> Weak {
        let warps = shape.warps * shape.blocks;
        let first = group as u32 * warps * 32;
        Weak {
            shape,
            threads: (first..first + warps * 32).map(State::new).collect(),
            shared: History::default(),
            barriers: FxHashMap::default(),
            cluster: FxHashMap::default(),
            objects: FxHashMap::default(),
            hub: None,
        }
    }

    fn first(&self, identity: &Identity) -> usize {
        ((identity.rank * self.shape.warps + identity.warp) * 32) as usize
    }

    /// A thread loads; `memory` is what the last write left. Gives the value, and whether it is an older one.
    pub(crate) fn load(&mut self, env: &Env<'_>, access: Access, memory: u64) -> (u64, bool) {
        let Some((global, at)) = at_of(env, access.place) else {
            return (memory, false);
        };
        let Some(hub) = &mut self.hub else {
            return (memory, false);
        };
        let history = match global {
            true => &mut hub.global,
            false => &mut self.shared,
        };
        let state = &mut self.threads[access.thread as usize];
        let Some(location) = history.find(at, access.bytes) else {
            return (memory, false);
        };
        let (floor, last) = (location.floor(state), location.last());
        let free = floor < last && !access.newest && location.may_be_stale(state.thread);
        let read = match free && hub.random.below(8) < hub.rate {
            true => floor + hub.random.below(last - floor),
            false => last,
        };
        location.count(state.thread, read < last);
        let mark = Mark::new(state.thread, access.order);
        let write = &mut location.writes[read];
        let value = if read < last { write.value } else { memory };
        if access.order.strong {
            if write.mark.is_strong_with(&mark, &self.shape) {
                write.observed_by(state);
                let releases = write.releases.clone();
                observe(history, &self.shape, state, (at, access.order), &releases);
            }
            acquire(history, state, at, access.order);
        }
        (value, read < last)
    }

    /// A thread stores; `memory` is what is there. Gives whether memory is written: not if the write goes before one that
    /// is there already.
    pub(crate) fn store(
        &mut self,
        env: &Env<'_>,
        access: Access,
        (memory, value): (u64, u64),
    ) -> bool {
        let Some((global, at)) = at_of(env, access.place) else {
            return true;
        };
        let Some(hub) = &mut self.hub else {
            return true;
        };
        let history = match global {
            true => &mut hub.global,
            false => &mut self.shared,
        };
        let state = &mut self.threads[access.thread as usize];
        let mark = Mark::new(state.thread, access.order);
        let mixed = history.settle_others(at, access.bytes);
        let releases = match access.order.strong {
            true => {
                let pattern = history.pattern(at, state.thread);
                state.releases(&self.shape, access.order, pattern)
            }
            false => Releases::default(),
        };
        let write = Write::new(state, mark, value, releases);
        let id = history.id();
        let location = history.make(at, access.bytes);
        let (floor, end) = (location.floor(state), location.writes.len());
        let mut to = end;
        if !mixed && !access.newest && end - floor > 1 && hub.random.below(4) == 0 {
            let wanted = floor + 1 + hub.random.below(end - floor);
            if location.has_room(wanted, &mark, &self.shape) {
                to = wanted;
            }
        }
        location.insert(to, write, id, memory);
        released(history, state, at, access.order);
        to == end
    }

    /// A thread changes memory in one step, unless `change` gives nothing: then it only reads. Gives the old value, and
    /// what memory is to hold, if it changes.
    pub(crate) fn update(
        &mut self,
        env: &Env<'_>,
        access: Access,
        memory: u64,
        change: impl Fn(u64) -> Option<u64>,
    ) -> (u64, Option<u64>) {
        let (Some((global, at)), Some(hub)) = (at_of(env, access.place), &mut self.hub) else {
            return (memory, change(memory));
        };
        let history = match global {
            true => &mut hub.global,
            false => &mut self.shared,
        };
        let state = &mut self.threads[access.thread as usize];
        let mark = Mark::new(state.thread, access.order);
        let mixed = history.settle_others(at, access.bytes);
        let location = history.make(at, access.bytes);
        let (floor, last) = (location.floor(state), location.last());
        let free = floor < last && !mixed && !access.newest && location.may_be_stale(state.thread);
        let mut read = last;
        if free && hub.random.below(8) < hub.rate {
            let wanted = floor + hub.random.below(last - floor);
            if location.has_room(wanted + 1, &mark, &self.shape) {
                read = wanted;
            }
        }
        location.count(state.thread, read < last);
        let source = &mut location.writes[read];
        let old = if read < last { source.value } else { memory };
        let new = change(old);
        let observed = source.mark.is_strong_with(&mark, &self.shape);
        let handed_on = match observed {
            true => source.releases.clone(),
            false => Releases::default(),
        };
        if observed {
            source.observed_by(state);
            observe(history, &self.shape, state, (at, access.order), &handed_on);
        }
        acquire(history, state, at, access.order);
        let Some(new) = new else {
            return (old, None);
        };
        let pattern = history.pattern(at, state.thread);
        let mut releases = state.releases(&self.shape, access.order, pattern);
        for release in handed_on.iter() {
            releases.add(release.clone());
        }
        let mut write = Write::new(state, mark, new, releases);
        let id = history.id();
        let location = history.make(at, access.bytes);
        location.read_by(&mut write, read);
        location.insert(read + 1, write, id, memory);
        released(history, state, at, access.order);
        (old, (read == last).then_some(new))
    }

    /// Something else than a store or an atomic operation writes: all threads know of it.
    pub(crate) fn overwritten(&mut self, env: &Env<'_>, place: Place, bytes: u64) {
        match (at_of(env, place), &mut self.hub) {
            (Some((true, at)), Some(hub)) => hub.global.settle(at, bytes),
            (Some((false, at)), _) => self.shared.settle(at, bytes),
            _ => {}
        }
    }

    /// The same for shared memory of a block.
    pub(crate) fn overwritten_shared(&mut self, (rank, offset): (u32, u32), bytes: u32) {
        self.shared
            .settle((rank, u64::from(offset)), u64::from(bytes));
    }

    /// `malloc` gave memory.
    pub(crate) fn allocated(&mut self, address: u64, bytes: u64) {
        if let Some(hub) = &mut self.hub {
            hub.global.settle((0, address), bytes);
        }
    }

    /// `fence`, `membar`
    pub(crate) fn fence(&mut self, identity: &Identity, order: Order, lanes: u32) {
        let first = self.first(identity);
        let Some(hub) = &mut self.hub else { return };
        for lane in crate::exec::lanes(lanes) {
            let state = &mut self.threads[first + lane];
            if order.acquire {
                state.fence_acquire(order);
            }
            if order.sc {
                hub.fences.meet(&self.shape, state, order.scope);
            }
            if order.release {
                state.fence_release(order);
            }
        }
    }

    /// `bar.warp.sync`
    pub(crate) fn meet_lanes(&mut self, identity: &Identity, lanes: u32) {
        let first = self.first(identity);
        let threads: Vec<usize> = crate::exec::lanes(lanes).map(|lane| first + lane).collect();
        meet(&mut self.threads, &threads);
    }

    /// Lanes come to a barrier of their block.
    pub(crate) fn come(
        &mut self,
        identity: &Identity,
        number: u64,
        lanes: u32,
        (goes_on, wanted): (bool, u32),
    ) {
        // Without a number of threads all threads of the block come.
        if wanted == 0 {
            return;
        }
        let first = self.first(identity);
        let (know, waiting) = self
            .barriers
            .entry((identity.rank, number as u32))
            .or_default();
        for lane in crate::exec::lanes(lanes) {
            let state = &mut self.threads[first + lane];
            know.join(&state.published());
            state.own += 1;
            if !goes_on {
                waiting.push(first + lane);
            }
        }
    }

    /// A barrier of a block is complete. If it had no number of threads, that is all threads of the block.
    pub(crate) fn complete(&mut self, rank: u32, number: u32, wanted: u32) {
        if wanted == 0 {
            let of_block = (self.shape.warps * 32) as usize;
            let first = rank as usize * of_block;
            let threads: Vec<usize> = (first..first + of_block).collect();
            return meet(&mut self.threads, &threads);
        }
        let Some((know, waiting)) = self.barriers.remove(&(rank, number)) else {
            return;
        };
        for thread in waiting {
            self.threads[thread].know.join(&know);
        }
    }

    /// `barrier.cluster.arrive`
    pub(crate) fn cluster_arrive(
        &mut self,
        identity: &Identity,
        lanes: u32,
        (release, generation): (bool, u32),
    ) {
        let first = self.first(identity);
        let order = Order {
            strong: true,
            release,
            scope: Scope::Cluster,
            ..Order::default()
        };
        self.cluster
            .retain(|old, _| generation.wrapping_sub(*old) < 4);
        let all = self.cluster.entry(generation).or_default();
        for lane in crate::exec::lanes(lanes) {
            let state = &mut self.threads[first + lane];
            for release in state.releases(&self.shape, order, None).iter() {
                all.add(release.clone());
            }
            state.own += u32::from(release);
        }
    }

    /// The end of `barrier.cluster.wait`
    pub(crate) fn cluster_wait(&mut self, identity: &Identity, lanes: u32, generation: u32) {
        let first = self.first(identity);
        let before = generation.wrapping_sub(1);
        let Some(releases) = self.cluster.get(&before) else {
            return;
        };
        let order = Order {
            strong: true,
            acquire: true,
            scope: Scope::Cluster,
            ..Order::default()
        };
        for lane in crate::exec::lanes(lanes) {
            self.threads[first + lane].observe(&self.shape, order, releases, None);
        }
    }

    /// A thread arrives at an mbarrier.
    pub(crate) fn arrive(&mut self, thread: u32, at: (u32, u32), order: Order) {
        let state = &mut self.threads[thread as usize];
        let releases = state.releases(&self.shape, order, None);
        let all = self.objects.entry(at).or_default();
        for release in releases.iter() {
            all.add(release.clone());
        }
        state.own += u32::from(order.release);
    }

    /// Lanes saw that a phase of an mbarrier is over.
    pub(crate) fn phase_over(
        &mut self,
        identity: &Identity,
        lanes: u32,
        at: (u32, u32),
        order: Order,
    ) {
        let first = self.first(identity);
        if let Some(releases) = self.objects.get(&at) {
            for lane in crate::exec::lanes(lanes) {
                self.threads[first + lane].observe(&self.shape, order, releases, None);
            }
        }
    }
}

impl Fences {
    /// A thread's `fence.sc`: those before it in the scope of each other are before it.
    fn meet(&mut self, shape: &Shape, state: &mut State, scope: Scope) {
        let block = shape.block(state.thread);
        let far = reach(scope);
        let block_of = self.blocks.entry(block).or_default();
        state.know.join(block_of);
        let cluster_of = self.clusters.entry(block / shape.blocks).or_default();
        if far >= 1 {
            state.know.join(cluster_of);
        }
        if far >= 2 {
            state.know.join(&self.all);
        }
        let know = state.published();
        block_of.join(&know);
        if far >= 1 {
            cluster_of.join(&know);
        }
        if far >= 2 {
            self.all.join(&know);
        }
        state.own += 1;
    }
}

/// A strong read observed a write.
fn observe(
    history: &mut History,
    shape: &Shape,
    state: &mut State,
    (at, order): (At, Order),
    releases: &Releases,
) {
    if releases.is_empty() {
        return;
    }
    let pattern = history.pattern_mut(at, state.thread);
    state.observe(shape, order, releases, Some(pattern));
}

/// A read acquires what earlier reads of the place observed.
fn acquire(history: &History, state: &mut State, at: At, order: Order) {
    if order.acquire
        && let Some(pattern) = history.pattern(at, state.thread)
    {
        state.acquire(order, pattern);
    }
}

/// A write has released.
fn released(history: &mut History, state: &mut State, at: At, order: Order) {
    if order.release {
        let know = state.published();
        history
            .pattern_mut(at, state.thread)
            .release(reach(order.scope), &know);
        state.own += 1;
    }
}

/// Threads meet: each knows what all did before.
fn meet(threads: &mut [State], who: &[usize]) {
    let mut all = Know::default();
    for at in who {
        all.join(&threads[*at].know);
    }
    for warp in who.chunk_by(|a, b| a / 32 == b / 32) {
        let mut clocks = [0; 32];
        for at in warp {
            clocks[at % 32] = threads[*at].own;
        }
        all.raise_warp(threads[warp[0]].thread / 32, &clocks);
    }
    for at in who {
        threads[*at].know.clone_from(&all);
        threads[*at].own += 1;
    }
}
