//! What a run does event by event, and who chooses what comes next.

use super::footprint::{self, Footprint};
use super::schedule::{Actor, Schedule};
use smallvec::SmallVec;

/// What an event comes after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// An event, by its number.
    Event(u32),
    /// All that a gate waited for, by its number.
    Gate(u32),
}

/// What an event, or a thread's next one, comes directly after, whatever the schedule.
pub(crate) type Before = SmallVec<[Node; 2]>;

/// A visible operation, with the steps up to the next one.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) actor: Actor,
    /// Who would have come next without a choice.
    pub(crate) usual: Actor,
    pub(crate) before: Before,
    pub(crate) touches: Footprint,
    /// Whether something changed that others can see.
    pub(crate) has_effect: bool,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum End {
    /// All threads exited, or something was found that keeps them from it.
    #[default]
    Whole,
    /// A thread waits in a loop for what has happened meanwhile: another run shows how it goes on.
    Waiting,
    /// All that could come next was explored elsewhere.
    Redundant,
    /// A thread took more steps than a run may: what comes after is not known.
    Limit,
    /// The schedule names an actor that cannot act at this event.
    Unfit(u64),
}

/// A run, event by event.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub(crate) events: Vec<Event>,
    /// What each gate waited for.
    pub(crate) gates: Vec<Before>,
    pub(crate) end: End,
}

impl Trace {
    /// How the run ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// Whether a launch began: without one, what is wrong has nothing to do with schedules.
    pub fn has_begun(&self) -> bool {
        !self.gates.is_empty()
    }

    /// How many events it had.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing visible happened.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The schedule that repeats the run.
    pub fn schedule(&self) -> Schedule {
        let unusual = self.events.iter().enumerate();
        let unusual = unusual.filter(|(_, event)| event.actor != event.usual);
        Schedule {
            choices: unusual
                .map(|(index, event)| (index as u64, event.actor))
                .collect(),
        }
    }
}

/// Who comes first.
#[derive(Clone, Debug)]
enum Lead {
    /// These, one after the other.
    Path(Vec<Actor>),
    /// At some events these.
    Schedule(Schedule),
}

/// Chooses what comes next in a run, and keeps what came. One guide goes through all launches of a run.
#[derive(Clone, Debug)]
pub struct Guide {
    lead: Lead,
    /// Actors whose next event was explored before, until something happens that it depends on.
    asleep: Vec<(Actor, Footprint)>,
    pub(crate) trace: Trace,
}

impl Guide {
    /// Follows a schedule.
    pub fn new(schedule: Schedule) -> Guide {
        Guide {
            lead: Lead::Schedule(schedule),
            asleep: Vec::new(),
            trace: Trace::default(),
        }
    }

    /// Follows a path to its end; after its last event these actors sleep.
    pub(super) fn along(path: Vec<Actor>, asleep: Vec<(Actor, Footprint)>) -> Guide {
        Guide {
            lead: Lead::Path(path),
            asleep,
            trace: Trace::default(),
        }
    }

    /// What the run did.
    pub fn into_trace(self) -> Trace {
        self.trace
    }

    /// How it has gone so far.
    pub fn end(&self) -> End {
        self.trace.end
    }

    /// Whether nothing has cut the run short.
    pub(crate) fn is_whole(&self) -> bool {
        self.trace.end == End::Whole
    }

    /// Who comes next, of those who can, the usual one of whom is `usual`. Without anybody the run ends.
    pub(super) fn choose(&mut self, able: &[(Actor, u32)]) -> Option<(Actor, Actor)> {
        let least = |of: &mut dyn Iterator<Item = &(Actor, u32)>| {
            of.min_by_key(|(actor, events)| (*events, *actor))
                .map(|(actor, _)| *actor)
        };
        let usual = least(&mut able.iter())?;
        let event = self.trace.events.len();
        let forced = match &self.lead {
            Lead::Path(path) => path.get(event).copied(),
            Lead::Schedule(schedule) => schedule.choices.get(&(event as u64)).copied(),
        };
        if let Some(forced) = forced {
            if able.iter().any(|(actor, _)| *actor == forced) {
                return Some((forced, usual));
            }
            self.trace.end = End::Unfit(event as u64);
            return None;
        }
        let sleeps = |actor: Actor| self.asleep.iter().any(|(one, _)| *one == actor);
        let awake = least(&mut able.iter().filter(|(actor, _)| !sleeps(*actor)));
        if awake.is_none() {
            self.trace.end = End::Redundant;
        }
        awake.map(|actor| (actor, usual))
    }

    /// An event has come.
    pub(super) fn push(&mut self, event: Event) -> u32 {
        let number = self.trace.events.len();
        let led = match &self.lead {
            Lead::Path(path) => number + 1 >= path.len(),
            Lead::Schedule(_) => true,
        };
        if led {
            self.asleep
                .retain(|(_, touches)| !footprint::depend(touches, &event.touches));
        }
        self.trace.events.push(event);
        number as u32
    }

    /// A gate that waited for all of these.
    pub(super) fn gate(&mut self, mut before: Before) -> Node {
        before.dedup();
        self.trace.gates.push(before);
        Node::Gate(self.trace.gates.len() as u32 - 1)
    }
}
