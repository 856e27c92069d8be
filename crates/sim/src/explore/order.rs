//! What happens before what in a run, and which events could have come the other way round.
//!
//! *Happens before* is the least order in which an event comes after what it waited for (the events of its own actor before it, the
//! arrivals at a barrier it has left …) and after earlier events that it depends on. Runs with the same events in the same order are
//! equivalent: each leaves the same memory and finds the same.
//!
//! Two events that depend on each other *race* if nothing comes between them. Then there are runs in which the later one comes first.
//! They begin as this one does up to the earlier event, and go on with what does not come after it: with one of the *initials*, the
//! actors whose first event of that rest comes after no other event of it.

use super::footprint::{Kind, Space, Touch};
use super::schedule::Actor;
use super::trace::{Node, Trace};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// Events that could have come the other way round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reversal {
    /// The number of the earlier event: another one must come at this place.
    pub(super) at: usize,
    /// Who can begin there, the actor of the later event first if it is among them.
    pub(super) initials: Vec<Actor>,
}

/// For each event of a run how many events of each actor come before or are it.
struct Clocks<'t> {
    trace: &'t Trace,
    actors: FxHashMap<Actor, usize>,
    /// By event.
    clocks: Vec<Vec<u32>>,
    /// The number of each event among those of its actor, from 1 on.
    turns: Vec<u32>,
    gates: FxHashMap<u32, Vec<u32>>,
}

fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    clock
        .iter_mut()
        .zip(other)
        .for_each(|(own, other)| *own = (*own).max(*other));
}

impl Clocks<'_> {
    /// The clock of what an event comes after.
    fn of_node(&mut self, node: Node) -> Vec<u32> {
        match node {
            Node::Event(event) => self.clocks[event as usize].clone(),
            Node::Gate(gate) => {
                if let Some(clock) = self.gates.get(&gate) {
                    return clock.clone();
                }
                let mut clock = Vec::new();
                // Gates wait for events and for gates made before them, so this ends.
                for node in self.trace.gates[gate as usize].clone() {
                    let other = self.of_node(node);
                    join(&mut clock, &other);
                }
                self.gates.insert(gate, clock.clone());
                clock
            }
        }
    }

    fn is_in(&self, event: usize, clock: &[u32]) -> bool {
        let actor = self.actors[&self.trace.events[event].actor];
        clock
            .get(actor)
            .is_some_and(|turns| *turns >= self.turns[event])
    }
}

/// The bytes that touches are looked up by.
const GRANULE: u64 = 64;
/// Touches of more than so many granules are kept apart.
const MANY: u64 = 16;

/// Earlier events by what they touched, in order.
#[derive(Default)]
struct Index {
    by_granule: FxHashMap<(Space, u64), Vec<(u32, Touch)>>,
    /// Those of many granules.
    wide: Vec<(u32, Touch)>,
}

impl Index {
    fn granules(touch: &Touch) -> Option<RangeInclusive<u64>> {
        let last = touch.end.max(1).saturating_sub(1) / GRANULE;
        let first = touch.start / GRANULE;
        (last.saturating_sub(first) < MANY).then_some(first..=last)
    }

    fn add(&mut self, event: u32, touches: &[Touch]) {
        for touch in touches {
            match Index::granules(touch) {
                Some(all) => all.for_each(|granule| {
                    let list = self.by_granule.entry((touch.space, granule));
                    list.or_default().push((event, *touch));
                }),
                None => self.wide.push((event, *touch)),
            }
        }
    }

    /// Earlier events that one depends on, the latest first. Without those before a write of the same bytes: they come before that.
    fn near(&self, touches: &[Touch]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut look = |list: &[(u32, Touch)], touch: &Touch| {
            for (event, other) in list.iter().rev() {
                if touch.conflicts(other) {
                    found.push(*event);
                    let covers = other.start <= touch.start && touch.end <= other.end;
                    if other.kind == Kind::Write && covers {
                        break;
                    }
                }
            }
        };
        for touch in touches {
            look(&self.wide, touch);
            match Index::granules(touch) {
                Some(all) => all
                    .filter_map(|granule| self.by_granule.get(&(touch.space, granule)))
                    .for_each(|list| look(list, touch)),
                None => self.by_granule.values().for_each(|list| look(list, touch)),
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }
}

/// The races of a run whose later event is `from` or after it, in the order of that event.
pub(super) fn reversals(trace: &Trace, from: usize) -> Vec<Reversal> {
    let mut actors = FxHashMap::default();
    for event in &trace.events {
        let next = actors.len();
        actors.entry(event.actor).or_insert(next);
    }
    let mut clocks = Clocks {
        trace,
        actors,
        clocks: Vec::with_capacity(trace.events.len()),
        turns: Vec::with_capacity(trace.events.len()),
        gates: FxHashMap::default(),
    };
    let mut turns: Vec<u32> = vec![0; clocks.actors.len()];
    let mut index = Index::default();
    let mut found = Vec::new();
    for (number, event) in trace.events.iter().enumerate() {
        let mut clock = Vec::new();
        for node in &event.before {
            let other = clocks.of_node(*node);
            join(&mut clock, &other);
        }
        let actor = clocks.actors[&event.actor];
        let mut races = Vec::new();
        for earlier in index.near(&event.touches) {
            let earlier = earlier as usize;
            if clocks.is_in(earlier, &clock) {
                continue;
            }
            races.push(earlier);
            join(&mut clock, &clocks.clocks[earlier]);
        }
        turns[actor] += 1;
        if clock.len() <= actor {
            clock.resize(actor + 1, 0);
        }
        clock[actor] = turns[actor];
        clocks.clocks.push(clock);
        clocks.turns.push(turns[actor]);
        index.add(number as u32, &event.touches);
        if number >= from {
            found.extend(races.into_iter().map(|at| Reversal {
                at,
                initials: initials(&clocks, at, number),
            }));
        }
    }
    found
}

/// Who can begin what does not come after an event, up to and with a later one.
fn initials(clocks: &Clocks<'_>, at: usize, later: usize) -> Vec<Actor> {
    let events = &clocks.trace.events;
    let mut first: Vec<usize> = Vec::new();
    for number in at + 1..=later {
        let clock = &clocks.clocks[number];
        // The later event comes after the other only because of the race.
        if number != later && clocks.is_in(at, clock) {
            continue;
        }
        if !first.iter().any(|one| clocks.is_in(*one, clock)) {
            first.push(number);
        }
    }
    let mut actors: Vec<Actor> = Vec::new();
    if first.last() == Some(&later) {
        actors.push(events[later].actor);
    }
    actors.extend(first.iter().map(|one| events[*one].actor));
    actors.dedup();
    actors
}
