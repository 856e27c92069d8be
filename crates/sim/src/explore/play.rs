//! One run: events in the order that a guide chooses.
//!
//! Every thread stands before its next visible operation, waits, or has stopped. An event executes the operation of the chosen actor;
//! then threads that need wait no more are woken, and all who can are brought before their next visible operation ([`Play::settle`]).

mod act;

use super::closed::{self, Seen};
use super::footprint;
use super::live::Live;
use super::schedule::Actor;
use super::trace::{Before, End, Guide, Node};
use crate::address;
use crate::exec::async_copy::{Async, Awaited, copies};
use crate::exec::grid::{Progress, Ran};
use crate::exec::group::{Group, clusters};
use crate::exec::library::System;
use crate::exec::warp::{Fragment, Wait};
use crate::exec::{Env, Trouble, deadlock, lanes};
use crate::finding::{Finding, Problem, Told};
use crate::memory::Purpose;
use crate::program::{Addr, Callee, Op};
use crate::report::Counts;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use warpc_diag::codes;

/// Why a thread has no further events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stopped {
    #[default]
    No,
    /// It had a finding.
    Failed,
    /// It waits in a loop, whose last turn began after so many events.
    Waits(u32),
}

/// What is known of a thread.
#[derive(Debug, Default)]
struct Thread {
    /// What its next event comes after.
    before: Before,
    events: u32,
    /// Steps that it took.
    clock: u64,
    /// Whether it stands before a visible operation.
    is_ready: bool,
    stopped: Stopped,
    seen: Seen,
    exited: Option<Node>,
    /// Copies that it has issued.
    issued: u32,
    /// Events of its copies: what each copy belongs to, its number, and the event.
    copied: Vec<(copies::Group, u32, Node)>,
}

/// A copy under way.
#[derive(Debug)]
struct Copy {
    actor: Actor,
    before: Before,
    events: u32,
}

/// Who has come to a barrier.
#[derive(Debug, Default)]
struct Arrivals {
    events: Before,
    /// Whether all threads are waited for, not a number of them.
    is_of_all: bool,
    /// By warp.
    lanes: BTreeMap<usize, u32>,
}

/// What barriers and the like wait for.
#[derive(Debug, Default)]
struct Gates {
    /// Arrivals at the generation under way: of a block's barrier, by rank and number, and whether all threads are waited for.
    arrivals: FxHashMap<(u32, u8), Arrivals>,
    /// By rank, number and generation.
    barriers: FxHashMap<(u32, u8, u32), Node>,
    known: FxHashMap<(u32, u8), u32>,
    cluster_arrivals: Before,
    /// By generation.
    cluster: FxHashMap<u32, Node>,
    known_cluster: u32,
}

/// A launch that is being run.
struct Play<'p, 'e> {
    env: &'p Env<'e>,
    live: &'p Live,
    guide: &'p mut Guide,
    groups: Vec<Group>,
    /// Threads of a group, with 32 to each warp.
    size: usize,
    threads: Vec<Thread>,
    /// By group and warp, in the order in which they are kept there.
    copies: Vec<Vec<Vec<Copy>>>,
    gates: Vec<Gates>,
    found: Vec<Finding>,
    /// Lanes that the last step has let go on from a warp operation.
    met: u32,
}

/// Runs all groups, as the guide chooses.
pub(crate) fn run(
    env: &Env<'_>,
    live: &Live,
    guide: &mut Guide,
    progress: &Progress,
) -> (Ran, Vec<Finding>) {
    let count: u64 = clusters(env).iter().map(|n| u64::from(*n)).product();
    let groups: Vec<Group> = (0..count).map(|number| Group::new(env, number)).collect();
    let blocks = count * u64::from(env.blocks_in_cluster());
    progress.done.store(0, Ordering::Relaxed);
    progress.total.store(blocks, Ordering::Relaxed);
    let warps = groups.first().map_or(0, |group| group.warps.len());
    let size = 32 * warps;
    // All launches before are over.
    let all = (0..guide.trace.events.len() as u32).map(Node::Event);
    let start = guide.gate(all.collect());
    let threads = (0..size * groups.len()).map(|_| Thread {
        before: Before::from_slice(&[start]),
        ..Thread::default()
    });
    let mut play = Play {
        env,
        live,
        guide,
        size,
        threads: threads.collect(),
        copies: groups
            .iter()
            .map(|_| (0..warps).map(|_| Vec::new()).collect())
            .collect(),
        gates: groups.iter().map(|_| Gates::default()).collect(),
        groups,
        found: Vec::new(),
        met: 0,
    };
    play.all();
    progress.done.store(blocks, Ordering::Relaxed);
    let mut counts = Counts::default();
    let mut output = Vec::new();
    let mut warnings: BTreeMap<(usize, usize), Finding> = BTreeMap::new();
    for mut group in play.groups {
        counts += group.shared.counts;
        output.extend(std::mem::take(&mut group.shared.output));
        for mut warning in std::mem::take(&mut group.shared.warnings) {
            warning.rank = group.number;
            warnings
                .entry((warning.code, warning.pc))
                .or_insert(warning);
        }
    }
    let ran = Ran {
        totals: Default::default(),
        counts,
        output,
        warnings: warnings.into_values().collect(),
    };
    (ran, play.found)
}

impl<'p> Play<'p, '_> {
    fn all(&mut self) {
        for g in 0..self.groups.len() {
            for warp in &mut self.groups[g].warps {
                warp.keep_apart();
            }
            self.enter(g);
            self.settle(g);
            self.leave(g);
        }
        while self.guide.trace.end == End::Whole {
            if self.is_beyond_limit() {
                return;
            }
            let able = self.able();
            if able.is_empty() {
                self.conclude();
                return;
            }
            let Some((actor, usual)) = self.guide.choose(&able) else {
                return;
            };
            let g = actor.thread as usize / self.size;
            self.enter(g);
            match actor.copy {
                0 => self.act(actor, usual),
                _ => self.copy(actor, usual),
            }
            self.settle(g);
            self.leave(g);
        }
    }

    /// What looks for races in global memory is one for all groups.
    fn enter(&mut self, g: usize) {
        if let Some(races) = self.env.races {
            races.enter(&mut self.groups[g].shared);
        }
    }

    fn leave(&mut self, g: usize) {
        if let Some(races) = self.env.races {
            races.leave(&mut self.groups[g].shared);
        }
    }

    fn is_beyond_limit(&mut self) -> bool {
        let executed = self.groups.iter();
        let executed = executed.map(|group| group.shared.counts.thread_instructions);
        if executed.sum::<u64>() <= self.env.limit {
            return false;
        }
        let left = self.groups.iter().find(|group| group.shared.alive > 0);
        if let Some(group) = left.or(self.groups.first()) {
            self.found.push(*deadlock::limit(self.env, group));
        }
        self.guide.trace.end = End::Limit;
        true
    }

    fn thread(&self, g: usize, w: usize, lane: u32) -> usize {
        g * self.size + 32 * w + lane as usize
    }

    /// The threads of a fragment.
    fn threads_of(&self, g: usize, w: usize, mask: u32) -> Vec<usize> {
        let all = lanes(mask);
        all.map(|lane| self.thread(g, w, lane as u32)).collect()
    }

    fn op(&self, g: usize, w: usize, fragment: &Fragment) -> &'p Op {
        let frame = &self.groups[g].warps[w].frames[fragment.frame];
        let env = self.env;
        &env.program.codes[frame.code].steps[fragment.pc as usize].op
    }

    /// The lanes of a fragment whose guard holds.
    fn active(&self, g: usize, w: usize, fragment: &Fragment) -> u32 {
        let frame = &self.groups[g].warps[w].frames[fragment.frame];
        match self.env.program.codes[frame.code].steps[fragment.pc as usize].guard {
            None => fragment.lanes,
            Some((slot, wanted)) => {
                let bits = frame.predicates[slot as usize];
                fragment.lanes & if wanted { bits } else { !bits }
            }
        }
    }

    /// Who can have the next event, with the number of events that each has had.
    fn able(&self) -> Vec<(Actor, u32)> {
        let mut able = Vec::new();
        for (g, group) in self.groups.iter().enumerate() {
            for (w, warp) in group.warps.iter().enumerate() {
                for fragment in &warp.fragments {
                    let number = self.thread(g, w, fragment.lanes.trailing_zeros().min(31));
                    let thread = &self.threads[number];
                    let can = fragment.wait == Wait::Ready
                        && thread.is_ready
                        && thread.stopped == Stopped::No
                        && !self.waits_for_copies(g, w, fragment);
                    if can {
                        let actor = Actor {
                            thread: number as u32,
                            copy: 0,
                        };
                        able.push((actor, thread.events));
                    }
                }
                for (index, copy) in self.copies[g][w].iter().enumerate() {
                    if copies::can_be_performed(&group.shared, w, index) {
                        able.push((copy.actor, copy.events));
                    }
                }
            }
        }
        able
    }

    /// Whether a thread stands before a wait for copies that are still under way.
    fn waits_for_copies(&self, g: usize, w: usize, fragment: &Fragment) -> bool {
        match awaits(self.op(g, w, fragment)) {
            Some((what, close)) => {
                let shared = &self.groups[g].shared;
                copies::must_wait(shared, w, fragment.lanes, what, close)
            }
            None => false,
        }
    }

    /// Nobody can act: whether that is the end, or a deadlock.
    fn conclude(&mut self) {
        for g in 0..self.groups.len() {
            let left: Vec<Arrivals> = self.gates[g].arrivals.drain().map(|(_, one)| one).collect();
            left.iter()
                .for_each(|arrivals| self.refuse_parts(g, arrivals));
        }
        let failed = self
            .threads
            .iter()
            .any(|thread| thread.stopped == Stopped::Failed);
        let left = self.groups.iter().position(|group| group.shared.alive > 0);
        let Some(left) = left.filter(|_| !failed) else {
            return;
        };
        let waiting = self.threads.iter().enumerate();
        let waiting = waiting.filter_map(|(number, thread)| match thread.stopped {
            Stopped::Waits(since) => Some((number, since)),
            _ => None,
        });
        let waiting: Vec<(usize, u32)> = waiting.collect();
        if waiting.iter().any(|one| self.could_go_on(*one)) {
            self.guide.trace.end = End::Waiting;
            return;
        }
        let finding = match waiting.first() {
            Some((number, _)) => deadlock::circles(self.env, &self.groups[number / self.size]),
            None => deadlock::of_group(self.env, &self.groups[left]),
        };
        self.found.push(*finding);
    }

    /// Whether what a thread read in the last turn of a loop was changed afterwards.
    fn could_go_on(&self, (thread, since): (usize, u32)) -> bool {
        let events = &self.guide.trace.events;
        let own = events.iter().enumerate().skip(since as usize);
        let own =
            own.filter(|(_, event)| event.actor.thread == thread as u32 && event.actor.copy == 0);
        own.into_iter().any(|(index, event)| {
            events[index + 1..]
                .iter()
                .any(|later| later.has_effect && footprint::depend(&event.touches, &later.touches))
        })
    }

    /// A thread has a finding and stops.
    fn fail(&mut self, g: usize, w: usize, mask: u32, trouble: Trouble) {
        let finding = self.groups[g].finding(self.env, w, trouble);
        copies::forget_failure(&mut self.groups[g].shared);
        self.found.push(*finding);
        for thread in self.threads_of(g, w, mask) {
            self.threads[thread].stopped = Stopped::Failed;
        }
    }

    /// Executes one step of a fragment. The clock is the thread's own.
    fn step(&mut self, g: usize, w: usize, index: usize) -> Result<(), Box<Trouble>> {
        let fragment = self.groups[g].warps[w].fragments[index];
        let thread = self.thread(g, w, fragment.lanes.trailing_zeros().min(31));
        // Before the step: a return leaves its frame to others.
        let alone = matches!(self.op(g, w, &fragment), Op::Collective(_));
        let Group { warps, shared, .. } = &mut self.groups[g];
        let gathered = |warp: &crate::exec::warp::Warp| {
            let waits = warp.fragments.iter();
            let waits = waits.filter(|one| matches!(one.wait, Wait::Collective(_)));
            waits.fold(0, |mask, one| mask | one.lanes)
        };
        let together = gathered(&warps[w]);
        shared.clock = self.threads[thread].clock;
        let outcome = warps[w].step_alone(self.env, shared, index);
        self.threads[thread].clock = shared.clock;
        // Lanes that met at a warp operation come after each other, and after those that have exited.
        let met = together & !gathered(&warps[w]);
        self.met = met;
        if met != 0 || alone {
            let mask = met | if alone { fragment.lanes } else { 0 };
            self.meet(g, w, mask);
        }
        outcome
    }

    /// Lanes of a warp have met.
    fn meet(&mut self, g: usize, w: usize, mask: u32) {
        let all = self.threads_of(g, w, mask);
        let mut before = Before::new();
        for &thread in &all {
            before.extend(self.threads[thread].before.iter().copied());
        }
        for lane in 0..32 {
            let thread = self.thread(g, w, lane);
            before.extend(self.threads[thread].exited);
        }
        let gate = self.guide.gate(before);
        for thread in all {
            let thread = &mut self.threads[thread];
            thread.before = Before::from_slice(&[gate]);
            thread.is_ready = false;
            thread.seen.clear();
        }
    }

    /// Wakes who need not wait any more, and brings all who can before their next visible operation.
    fn settle(&mut self, g: usize) {
        let mut moved = true;
        while moved {
            moved = false;
            self.note_barriers(g);
            for w in 0..self.groups[g].warps.len() {
                moved |= self.wake(g, w);
                while let Some(index) = self.unready(g, w) {
                    moved = true;
                    let lane = self.groups[g].warps[w].fragments[index]
                        .lanes
                        .trailing_zeros();
                    self.walk(g, w, lane);
                }
            }
        }
    }

    /// A fragment of a warp that can go on to its next visible operation.
    fn unready(&self, g: usize, w: usize) -> Option<usize> {
        let fragments = self.groups[g].warps[w].fragments.iter();
        fragments.enumerate().find_map(|(index, fragment)| {
            let thread = self.thread(g, w, fragment.lanes.trailing_zeros().min(31));
            let thread = &self.threads[thread];
            let can =
                fragment.wait == Wait::Ready && !thread.is_ready && thread.stopped == Stopped::No;
            can.then_some(index)
        })
    }

    fn wake(&mut self, g: usize, w: usize) -> bool {
        let mut moved = false;
        for index in 0..self.groups[g].warps[w].fragments.len() {
            let fragment = self.groups[g].warps[w].fragments[index];
            let first = self.thread(g, w, fragment.lanes.trailing_zeros().min(31));
            if fragment.wait == Wait::Ready || self.threads[first].stopped != Stopped::No {
                continue;
            }
            let rank = self.groups[g].warps[w].identity.rank;
            let gate = match fragment.wait {
                Wait::Barrier(number, generation) => {
                    self.gates[g].barriers.get(&(rank, number, generation))
                }
                Wait::Cluster(generation) => self.gates[g].cluster.get(&generation),
                _ => None,
            };
            let gate = gate.copied();
            let Group { warps, shared, .. } = &mut self.groups[g];
            match warps[w].wake(self.env, shared, index) {
                Err(trouble) => {
                    moved = true;
                    self.fail(g, w, fragment.lanes, *trouble);
                }
                Ok(()) if warps[w].fragments[index].wait == Wait::Ready => {
                    moved = true;
                    for thread in self.threads_of(g, w, fragment.lanes) {
                        let thread = &mut self.threads[thread];
                        thread.before.extend(gate);
                        thread.is_ready = false;
                    }
                }
                Ok(()) => {}
            }
        }
        moved
    }

    /// Makes gates of the barriers that have become complete.
    fn note_barriers(&mut self, g: usize) {
        let group = &self.groups[g];
        let warps_in_block = group.warps.len() / group.shared.barriers.len().max(1);
        let mut complete: Vec<(u32, u8, u32)> = Vec::new();
        for (rank, barriers) in group.shared.barriers.iter().enumerate() {
            for (number, state) in barriers.all.iter().enumerate() {
                let key = (rank as u32, number as u8);
                let known = self.gates[g].known.entry(key).or_default();
                if state.generation != *known {
                    complete.push((key.0, key.1, *known));
                    *known = state.generation;
                }
            }
        }
        let cluster = group.shared.cluster.generation;
        for (rank, number, generation) in complete {
            let arrivals = self.gates[g].arrivals.remove(&(rank, number));
            let arrivals = arrivals.unwrap_or_default();
            self.refuse_parts(g, &arrivals);
            let mut before = arrivals.events;
            if arrivals.is_of_all {
                let first = g * self.size + 32 * warps_in_block * rank as usize;
                let block = &self.threads[first..first + 32 * warps_in_block];
                before.extend(block.iter().filter_map(|thread| thread.exited));
            }
            let gate = self.guide.gate(before);
            self.gates[g]
                .barriers
                .insert((rank, number, generation), gate);
        }
        let known = self.gates[g].known_cluster;
        if cluster != known {
            let mut before = std::mem::take(&mut self.gates[g].cluster_arrivals);
            let all = &self.threads[g * self.size..(g + 1) * self.size];
            before.extend(all.iter().filter_map(|thread| thread.exited));
            let gate = self.guide.gate(before);
            self.gates[g].cluster.insert(known, gate);
            self.gates[g].known_cluster = cluster;
        }
    }

    /// A warp that comes to a barrier of some threads without the lanes that have exited counts as a full one, but not if these exit later.
    /// Ends of threads are not chosen, so that is refused.
    fn refuse_parts(&mut self, g: usize, arrivals: &Arrivals) {
        if arrivals.is_of_all {
            return;
        }
        for (&w, &lanes) in &arrivals.lanes {
            let warp = &self.groups[g].warps[w];
            if lanes == warp.all {
                continue;
            }
            let told = Told {
                code: codes::NOT_EMULATED,
                warning: false,
                message: "part of a warp comes to a barrier with a number of threads, which is not explored".to_owned(),
                help: "whether the lanes that do not come have exited by then decides how many threads are counted: let whole \
                    warps come"
                    .to_owned(),
                related: Vec::new(),
            };
            let trouble = Trouble::of(lanes, Problem::Told(Box::new(told)));
            let finding = self.groups[g].finding(self.env, w, *trouble);
            self.found.push(*finding);
        }
    }

    /// Steps of a thread up to its next visible operation.
    fn walk(&mut self, g: usize, w: usize, lane: u32) {
        /// Steps after which it is looked whether they go round in circles.
        const LONG: u64 = 256;
        let number = self.thread(g, w, lane);
        let (mut steps, mut kept, mut renew) = (0u64, None, LONG);
        loop {
            let warp = &self.groups[g].warps[w];
            let found = warp
                .fragments
                .iter()
                .position(|one| one.lanes >> lane & 1 != 0);
            let Some(index) = found else { return };
            let fragment = warp.fragments[index];
            if fragment.wait != Wait::Ready {
                return;
            }
            let active = self.active(g, w, &fragment);
            let live = warp.live();
            let gathered = is_aligned(self.op(g, w, &fragment)) && active == live;
            if fragment.lanes.count_ones() > 1 && !gathered {
                self.split(g, w, index);
                return;
            }
            if active != 0 && self.is_visible(g, w, &fragment, gathered) {
                let state = closed::state(self.env, self.live, warp, &fragment);
                let events = self.guide.trace.events.len() as u32;
                let thread = &mut self.threads[number];
                thread.is_ready = true;
                if let Some(since) = thread.seen.meet(state, events)
                    && since < events
                {
                    thread.stopped = Stopped::Waits(since);
                }
                return;
            }
            let passes_cluster = matches!(self.op(g, w, &fragment), Op::ClusterWait(..));
            if gathered && fragment.lanes.count_ones() > 1 {
                self.meet(g, w, fragment.lanes);
            }
            if let Err(trouble) = self.step(g, w, index) {
                self.fail(g, w, 1 << lane, *trouble);
                return;
            }
            steps += 1;
            let warp = &self.groups[g].warps[w];
            let after = warp.fragments.iter().find(|one| one.lanes >> lane & 1 != 0);
            let Some(after) = after else { return };
            if passes_cluster && after.wait == Wait::Ready {
                let over = self.groups[g].shared.cluster.generation.wrapping_sub(1);
                let gate = self.gates[g].cluster.get(&over).copied();
                for thread in self.threads_of(g, w, fragment.lanes) {
                    self.threads[thread].before.extend(gate);
                }
            }
            // A loop without any visible operation.
            if after.pc <= fragment.pc && steps >= LONG {
                let state = closed::state(self.env, self.live, warp, after);
                if kept.as_ref() == Some(&state) {
                    self.threads[number].stopped = Stopped::Waits(u32::MAX);
                    return;
                }
                if steps >= renew {
                    (kept, renew) = (Some(state), 2 * renew);
                }
            }
            let done = self.groups[g].shared.counts.thread_instructions;
            if steps >= LONG && done > self.env.limit {
                return;
            }
        }
    }

    /// Lanes that were together go on alone.
    fn split(&mut self, g: usize, w: usize, index: usize) {
        let fragment = self.groups[g].warps[w].fragments[index];
        self.groups[g].warps[w].part(index);
        for thread in self.threads_of(g, w, fragment.lanes) {
            self.threads[thread].is_ready = false;
        }
    }

    /// Whether others can see what a fragment does next, or it sees what they did.
    fn is_visible(&self, g: usize, w: usize, fragment: &Fragment, gathered: bool) -> bool {
        let op = self.op(g, w, fragment);
        let lane = fragment.lanes.trailing_zeros().min(31) as usize;
        let reaches = |space: address::Space, at: Addr| {
            let Group { warps, shared, .. } = &self.groups[g];
            let (warp, env) = (&warps[w], self.env);
            let around = crate::exec::frame::Around::new(env, &warp.identity, shared);
            let base = warp.frames[fragment.frame].get(at.base, lane, around);
            let address = base.wrapping_add_signed(at.offset);
            let (space, address) = match space {
                address::Space::Generic => address::Space::of_generic(address),
                space => (space, address),
            };
            match space {
                address::Space::Global | address::Space::Generic => {
                    footprint::purpose(env, address) != Some(Purpose::Constant)
                }
                address::Space::Shared => true,
                address::Space::Const | address::Space::Local | address::Space::Param => false,
            }
        };
        match op {
            Op::Load(load) => reaches(load.space, load.from),
            Op::Store(store) => reaches(store.space, store.to),
            Op::Atomic(atomic) => reaches(atomic.space, atomic.at),
            op if is_aligned(op) => gathered && !matches!(op, Op::ClusterWait(..)),
            Op::Barrier(_) | Op::ClusterArrive(..) | Op::Mbarrier(_) | Op::Matrix(_) => true,
            Op::Async(op) => !matches!(**op, Async::CloseGroup { .. }),
            Op::Fence(crate::program::Fence::AsyncProxy) => self.env.program.has_copies,
            Op::Call(call) => matches!(
                call.callee,
                Callee::System(System::Vprintf | System::Malloc | System::Free)
            ),
            Op::Exit => true,
            Op::Return => fragment.frame == 0,
            _ => false,
        }
    }
}

/// What a wait for copies is for, and whether it closes a group.
fn awaits(op: &Op) -> Option<((Awaited, u32), bool)> {
    match op {
        Op::Async(op) => match **op {
            Async::Wait {
                awaited,
                left,
                close,
            } => Some(((awaited, left), close)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether all lanes of a warp execute an operation together.
fn is_aligned(op: &Op) -> bool {
    match op {
        Op::Barrier(barrier) => barrier.aligned,
        Op::ClusterArrive(aligned, _) | Op::ClusterWait(aligned, _) => *aligned,
        Op::Matrix(_) => true,
        _ => false,
    }
}
