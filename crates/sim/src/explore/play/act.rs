//! Events: what a thread, or a copy, does when it is chosen.

use super::super::footprint::{Footprint, Kind, Touch, What};
use super::super::schedule::Actor;
use super::super::trace::{Before, Event, Node};
use super::{Copy, Play, awaits};
use crate::exec::async_copy::{Async, copies};
use crate::exec::frame::Around;
use crate::exec::group::Group;
use crate::exec::library::System;
use crate::exec::mbarrier::{self, What as OnBarrier};
use crate::exec::warp::{Fragment, Wait};
use crate::program::{Barrier, Callee, Dst, Op};

/// What is known of an operation besides the memory that it accessed.
struct Context {
    /// The group and the block in it.
    at: (u64, u32),
    thread: u64,
    /// The barrier that it comes to, and whether that is one of all threads.
    barrier: Option<(u64, bool)>,
    /// The phase of the mbarrier that it uses.
    phase: Option<u32>,
    /// Whether the program asks for the arrivals that were missing in a state of an mbarrier.
    counts_pending: bool,
    /// Whether a value in memory changed.
    has_changed: bool,
    /// Whether races are looked for.
    is_watched: bool,
}

/// Makes what an operation touches of its accesses; whether it changes anything that others can see.
fn complete(op: &Op, context: &Context, touches: &mut Footprint) -> bool {
    let at = context.at;
    let mut has_effect = true;
    match op {
        Op::Load(_) => has_effect = false,
        Op::Atomic(atomic) => {
            has_effect = context.has_changed;
            let order = atomic.order;
            let kind = match atomic.commutes {
                Some(class) if !order.acquire && !order.release => Kind::Same(class),
                // Without a watch for races it cannot be told from a read.
                _ if !context.has_changed && !context.is_watched => Kind::Read,
                _ => Kind::Write,
            };
            touches
                .iter_mut()
                .filter(|one| one.space.what != What::Heap)
                .for_each(|one| {
                    if one.kind == Kind::Write {
                        one.kind = kind;
                    }
                });
        }
        Op::Mbarrier(op) => match op.what {
            OnBarrier::Wait { .. } => {
                has_effect = false;
                touches.iter_mut().for_each(|one| one.kind = Kind::Read);
            }
            OnBarrier::Arrive {
                drop: false,
                may_complete: true,
            } if op.to == Dst::Sink || !context.counts_pending => {
                if let Some(phase) = context.phase {
                    touches.iter_mut().for_each(|one| {
                        if one.kind == Kind::Write {
                            one.kind = Kind::Same(phase);
                        }
                    });
                }
            }
            _ => {}
        },
        Op::Barrier(_) => {
            if let Some((number, all)) = context.barrier {
                let kind = if all { Kind::Same(0) } else { Kind::Write };
                touches.push(Touch::of(What::Barrier, at, (number, 1), kind));
            }
        }
        Op::ClusterArrive(..) => {
            let at = (at.0, 0);
            touches.push(Touch::of(What::Cluster, at, (0, 1), Kind::Same(0)));
        }
        Op::Call(call) => match call.callee {
            Callee::System(System::Malloc | System::Free) => {
                touches.push(Touch::of(What::Heap, (0, 0), (0, 1), Kind::Write));
            }
            Callee::System(System::Vprintf) => {
                touches.push(Touch::of(What::Output, (at.0, 0), (0, 1), Kind::Write));
            }
            _ => {}
        },
        Op::Exit | Op::Return => {
            touches.push(Touch::of(What::Life, at, (0, 1), Kind::Same(0)));
        }
        Op::Fence(_) => {
            let own = (context.thread, 1);
            touches.push(Touch::of(What::Fences, (at.0, 0), own, Kind::Write));
        }
        Op::Async(op) if matches!(**op, Async::Bulk(_)) => {
            let all = (0, u64::MAX);
            touches.push(Touch::of(What::Fences, (at.0, 0), all, Kind::Read));
        }
        _ => {}
    }
    has_effect
}

impl Play<'_, '_> {
    /// An event of a thread, or of all lanes of a warp that are together.
    pub(super) fn act(&mut self, actor: Actor, usual: Actor) {
        let number = actor.thread as usize;
        let (g, rest) = (number / self.size, number % self.size);
        let (w, lane) = (rest / 32, rest as u32 % 32);
        let warp = &self.groups[g].warps[w];
        let found = warp
            .fragments
            .iter()
            .position(|one| one.lanes >> lane & 1 != 0);
        let Some(index) = found else { return };
        let fragment = warp.fragments[index];
        let identity = warp.identity;
        let env = self.env;
        let code = warp.frames[fragment.frame].code;
        let op = &env.program.codes[code].steps[fragment.pc as usize].op;
        let at = (g as u64, identity.rank);
        let barrier = match op {
            Op::Barrier(barrier) => Some(self.barrier(g, w, &fragment, barrier)),
            _ => None,
        };
        let phase = self.phase_of(g, w, &fragment, op);
        let flights = |group: &Group| match &group.shared.flights {
            Some(flights) => flights.under_way(),
            None => Vec::new(),
        };
        let flying = flights(&self.groups[g]);
        let progress = self.groups[g].shared.progress;
        self.groups[g].shared.touched.take();
        let before = self.before(g, w, &fragment, op);
        let outcome = self.step(g, w, index);
        let group = &self.groups[g];
        let changed = group.shared.progress != progress;
        let mut touches = group.shared.touched.take();
        for touch in &mut touches {
            if !matches!(touch.space.what, What::Global | What::Heap) {
                touch.space.group = g as u64;
            }
        }
        let context = Context {
            at,
            thread: number as u64,
            barrier,
            phase,
            counts_pending: env.program.counts_pending,
            has_changed: changed,
            is_watched: env.races.is_some(),
        };
        let mut has_effect = complete(op, &context, &mut touches);
        // Copies that were waited for forbid nothing any more.
        let flies = flights(&self.groups[g]);
        for (copy, (rank, offset, bytes)) in flying {
            if !flies.iter().any(|(other, _)| *other == copy) {
                has_effect = true;
                let bytes = (u64::from(offset), u64::from(bytes));
                touches.push(Touch::of(
                    What::Shared,
                    (g as u64, rank),
                    bytes,
                    Kind::Write,
                ));
            }
        }
        let event = self.guide.push(Event {
            actor,
            usual,
            before,
            touches,
            has_effect,
        });
        let event = Node::Event(event);
        let exits = matches!(op, Op::Exit | Op::Return);
        for thread in self.threads_of(g, w, fragment.lanes) {
            let thread = &mut self.threads[thread];
            thread.before = Before::from_slice(&[event]);
            thread.events += 1;
            thread.is_ready = false;
            if has_effect {
                thread.seen.clear();
            }
            if exits {
                thread.exited = Some(event);
            }
        }
        if exits {
            // Those who waited for it alone come after it as well.
            let met = self.met;
            for thread in self.threads_of(g, w, met) {
                self.threads[thread].before.push(event);
            }
        }
        match (op, barrier) {
            (Op::Barrier(_), Some((number, all))) => {
                let key = (identity.rank, number as u8);
                let arrivals = self.gates[g].arrivals.entry(key).or_default();
                arrivals.events.push(event);
                arrivals.is_of_all |= all;
                *arrivals.lanes.entry(w).or_default() |= fragment.lanes;
                self.pass(g, w, &fragment, key);
            }
            (Op::ClusterArrive(..), _) => self.gates[g].cluster_arrivals.push(event),
            _ => {}
        }
        self.note_copies(g, w, event);
        if let Err(trouble) = outcome {
            self.fail(g, w, fragment.lanes, *trouble);
        }
    }

    /// Who comes last to a barrier goes on at once, after all others that came.
    fn pass(&mut self, g: usize, w: usize, fragment: &Fragment, (rank, number): (u32, u8)) {
        let generation = self.gates[g].known.get(&(rank, number)).copied();
        self.note_barriers(g);
        let key = (rank, number, generation.unwrap_or_default());
        let gate = self.gates[g].barriers.get(&key).copied();
        let Op::Barrier(barrier) = self.op(g, w, fragment) else {
            return;
        };
        let own = |one: &&Fragment| one.lanes & fragment.lanes != 0;
        let after = self.groups[g].warps[w].fragments.iter().find(own);
        if !barrier.arrive && after.is_some_and(|one| one.wait == Wait::Ready) {
            for thread in self.threads_of(g, w, fragment.lanes) {
                self.threads[thread].before.extend(gate);
            }
        }
    }

    /// What an event of a fragment comes after.
    fn before(&self, g: usize, w: usize, fragment: &Fragment, op: &Op) -> Before {
        let mut before = Before::new();
        for thread in self.threads_of(g, w, fragment.lanes) {
            for node in &self.threads[thread].before {
                if !before.contains(node) {
                    before.push(*node);
                }
            }
            if let Some((what, close)) = awaits(op) {
                let lane = thread % 32;
                let shared = &self.groups[g].shared;
                let covered = copies::covered(shared, (w, lane), what, close);
                let all = self.threads[thread].copied.iter();
                before.extend(
                    all.filter(|(group, ..)| covered(group))
                        .map(|(.., node)| *node),
                );
            }
        }
        before
    }

    /// The barrier that a fragment comes to, and whether it is one of all threads.
    fn barrier(&self, g: usize, w: usize, fragment: &Fragment, barrier: &Barrier) -> (u64, bool) {
        let Group { warps, shared, .. } = &self.groups[g];
        let around = Around::new(self.env, &warps[w].identity, shared);
        let lane = self.active(g, w, fragment).trailing_zeros().min(31) as usize;
        let frame = &warps[w].frames[fragment.frame];
        let number = frame.get(barrier.number, lane, around) & u64::from(u32::MAX);
        let threads = barrier
            .threads
            .map(|threads| frame.get(threads, lane, around) as u32);
        (number, threads.unwrap_or(0) == 0)
    }

    /// The phase of the mbarrier that a thread is about to use.
    fn phase_of(&mut self, g: usize, w: usize, fragment: &Fragment, op: &Op) -> Option<u32> {
        let Op::Mbarrier(op) = op else { return None };
        let lane = fragment.lanes.trailing_zeros().min(31) as usize;
        let Group { warps, shared, .. } = &mut self.groups[g];
        let index = warps[w]
            .fragments
            .iter()
            .position(|one| one.lanes == fragment.lanes)?;
        warps[w].current = index;
        let place = (op.space, op.at);
        let at = mbarrier::locate(&mut warps[w], self.env, shared, lane, place, true).ok()?;
        mbarrier::look(shared, at).ok().map(|object| object.phase)
    }

    /// Copies that a thread has just issued become actors.
    fn note_copies(&mut self, g: usize, w: usize, event: Node) {
        let count = copies::count(&self.groups[g].shared, w);
        while self.copies[g][w].len() < count {
            let index = self.copies[g][w].len();
            let lane = copies::lane(&self.groups[g].shared, w, index);
            let number = self.thread(g, w, lane);
            let thread = &mut self.threads[number];
            thread.issued += 1;
            self.copies[g][w].push(Copy {
                actor: Actor {
                    thread: number as u32,
                    copy: thread.issued,
                },
                before: Before::from_slice(&[event]),
                events: 0,
            });
        }
    }

    /// An event of a copy.
    pub(super) fn copy(&mut self, actor: Actor, usual: Actor) {
        let number = actor.thread as usize;
        let (g, w) = (number / self.size, number % self.size / 32);
        let own = self.copies[g][w]
            .iter()
            .position(|copy| copy.actor == actor);
        let Some(index) = own else { return };
        let shared = &mut self.groups[g].shared;
        let mut before = self.copies[g][w][index].before.clone();
        if copies::is_arrival(shared, w, index) {
            // It stands for the copies of the thread before it.
            let all = self.threads[number].copied.iter();
            let all = all.filter(|(group, copy, _)| group.is_small() && *copy < actor.copy);
            before.extend(all.map(|(.., node)| *node));
        }
        let touches = copies::touches(self.env, shared, (g as u64, w), index);
        let group = copies::group(shared, w, index);
        let outcome = copies::perform(self.env, shared, w, index);
        let event = self.guide.push(Event {
            actor,
            usual,
            before,
            touches,
            has_effect: true,
        });
        let event = Node::Event(event);
        let has_more = matches!(outcome, Ok(true));
        let copied = (group.at(has_more), actor.copy, event);
        self.threads[number].copied.push(copied);
        match outcome {
            Ok(true) => {
                let copy = &mut self.copies[g][w][index];
                copy.before = Before::from_slice(&[event]);
                copy.events += 1;
            }
            Ok(false) => {
                self.copies[g][w].remove(index);
            }
            Err(trouble) => {
                self.copies[g][w].remove(index);
                self.fail(g, w, 1 << trouble.lane, *trouble);
            }
        }
    }
}
