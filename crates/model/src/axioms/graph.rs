//! The events of one choice of ways through all threads, and the relations among them that follow from the program alone.

use super::path::{ExprId, Happening, Path};
use super::program::{MemoryProxy, Place, Program, ProxyFenceKind};
use super::relation::{MAX_EVENTS, Relation};
use crate::{Ordering, Scope};

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A read.
    Read,
    /// A write; the first write of each memory belongs to no thread.
    Write,
    /// A fence.
    Fence,
    /// A proxy fence.
    ProxyFence(ProxyFenceKind),
    /// A barrier.
    Barrier,
}

/// An event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its thread; `None` for what memory holds at first.
    pub thread: Option<usize>,
    /// Its place in the way through the thread.
    pub step: usize,
    /// Its instruction.
    pub inst: usize,
    /// What it is.
    pub kind: EventKind,
    /// Its order.
    pub order: Ordering,
    /// Its scope.
    pub scope: Scope,
    /// How it reaches memory; fences of memory are generic.
    pub proxy: MemoryProxy,
    /// What it accesses.
    pub location: Option<usize>,
}

impl Event {
    /// Whether it reads or writes.
    pub fn is_access(&self) -> bool {
        matches!(self.kind, EventKind::Read | EventKind::Write)
    }

    /// Whether it has an order and a scope.
    pub fn is_strong(&self) -> bool {
        match self.kind {
            EventKind::Fence => true,
            EventKind::Read | EventKind::Write => self.order != Ordering::Weak,
            _ => false,
        }
    }
}

/// The events and what does not change while values are chosen.
#[derive(Clone, Debug)]
pub struct Graph {
    /// First writes, then threads in order.
    pub events: Vec<Event>,
    /// Where threads run.
    pub places: Vec<Place>,
    /// Which event each step of a way is, by thread.
    pub event_of: Vec<Vec<usize>>,
    /// The memory that an event accesses.
    pub memory: Vec<Option<usize>>,
    /// Program order.
    pub po: Relation,
    /// Reads and writes of atomics.
    pub rmw: Relation,
    /// What an event needs of reads, by its value or by a branch.
    pub dependency: Relation,
    /// Accesses of the same memory.
    pub same_memory: Relation,
    /// Accesses of the same virtual address.
    pub same_address: Relation,
    /// Each event's reads.
    pub reads: u64,
    /// Each event's writes.
    pub writes: u64,
}

impl Graph {
    /// The graph of one way for each thread. `None` if there are too many events.
    pub fn new(program: &Program, paths: &[&Path]) -> Option<Graph> {
        let mut events = Vec::new();
        let mut used: Vec<usize> = Vec::new();
        for step in paths.iter().flat_map(|path| &path.steps) {
            if let Happening::Read { location, .. } | Happening::Write { location, .. } = step.what
            {
                let memory = program.locations[location].memory;
                if !used.contains(&memory) {
                    used.push(memory);
                    events.push(first_write(program, memory));
                }
            }
        }
        let mut event_of = Vec::new();
        for (thread, path) in paths.iter().enumerate() {
            event_of.push((events.len()..events.len() + path.steps.len()).collect::<Vec<_>>());
            for (at, step) in path.steps.iter().enumerate() {
                let (kind, proxy, location) = match step.what {
                    Happening::Read { location, proxy } => (EventKind::Read, proxy, Some(location)),
                    Happening::Write {
                        location, proxy, ..
                    } => (EventKind::Write, proxy, Some(location)),
                    Happening::Fence => (EventKind::Fence, MemoryProxy::Generic, None),
                    Happening::ProxyFence(kind) => {
                        (EventKind::ProxyFence(kind), MemoryProxy::Generic, None)
                    }
                    Happening::Barrier { .. } => (EventKind::Barrier, MemoryProxy::Generic, None),
                };
                events.push(Event {
                    thread: Some(thread),
                    step: at,
                    inst: step.inst,
                    kind,
                    order: step.order,
                    scope: step.scope,
                    proxy,
                    location,
                });
            }
        }
        if events.len() > MAX_EVENTS {
            return None;
        }
        Some(Graph::of(program, paths, events, event_of))
    }

    fn of(
        program: &Program,
        paths: &[&Path],
        events: Vec<Event>,
        event_of: Vec<Vec<usize>>,
    ) -> Graph {
        let len = events.len();
        let location = |at: usize| events[at].location.map(|at: usize| program.locations[at]);
        let memory: Vec<Option<usize>> = (0..len).map(|at| Some(location(at)?.memory)).collect();
        let same = |of: &dyn Fn(usize) -> Option<usize>| {
            Relation::new(len, |a, b| of(a).is_some() && of(a) == of(b))
        };
        let po = Relation::new(len, |a, b| {
            a < b && events[a].thread.is_some() && events[a].thread == events[b].thread
        });
        let mut rmw = Relation::empty(len);
        let mut dependency = Relation::empty(len);
        for (path, of) in paths.iter().zip(&event_of) {
            for (at, step) in path.steps.iter().enumerate() {
                if let Happening::Write { atomic: true, .. } = step.what {
                    rmw.insert(of[at - 1], of[at]);
                }
                for read in super::relation::bits(step.depends) {
                    dependency.insert(of[read], of[at]);
                }
            }
        }
        let of_kind = |kind: EventKind| {
            let all = events.iter().enumerate();
            all.fold(0, |set, (at, event)| {
                set | u64::from(event.kind == kind) << at
            })
        };
        Graph {
            places: program.threads.iter().map(|thread| thread.place).collect(),
            same_memory: same(&|at| memory[at]),
            same_address: same(&|at| location(at).map(|location| location.address)),
            reads: of_kind(EventKind::Read),
            writes: of_kind(EventKind::Write),
            po,
            rmw,
            dependency,
            memory,
            event_of,
            events,
        }
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The events for which a function says so, as bits.
    pub fn select(&self, is_in: impl Fn(&Event) -> bool) -> u64 {
        let all = self.events.iter().enumerate();
        all.fold(0, |set, (at, event)| set | u64::from(is_in(event)) << at)
    }

    /// Whether two events run in one thread block.
    pub fn same_cta(&self, a: usize, b: usize) -> bool {
        let place = |at: usize| self.events[at].thread.map(|thread| self.places[thread]);
        place(a).is_some() && place(a) == place(b)
    }

    /// Whether the scope of each takes in the thread of the other.
    pub fn in_scope(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.events[a], &self.events[b]);
        match (first.thread, second.thread) {
            (Some(one), Some(other)) if one != other => {
                let (here, there) = (self.places[one], self.places[other]);
                here.includes(first.scope, there) && there.includes(second.scope, here)
            }
            (Some(_), Some(_)) => true,
            _ => false,
        }
    }

    /// The value of a write, as an expression of the way of its thread; `None` for a first write.
    pub fn value_of(&self, paths: &[&Path], at: usize) -> Option<(usize, ExprId)> {
        let event = &self.events[at];
        let thread = event.thread?;
        match paths[thread].steps[event.step].what {
            Happening::Write { value, .. } => Some((thread, value)),
            _ => None,
        }
    }
}

fn first_write(program: &Program, memory: usize) -> Event {
    let location = program
        .locations
        .iter()
        .position(|one| one.memory == memory);
    Event {
        thread: None,
        step: 0,
        inst: 0,
        kind: EventKind::Write,
        order: Ordering::Weak,
        scope: Scope::Thread,
        proxy: MemoryProxy::Generic,
        location,
    }
}
