//! The memory consistency model of the PTX manual: what is derived of an execution, and the six axioms.
//!
//! ```text
//!   morally strong   same thread, or both strong and each in the other's scope; the same proxy; the same address
//!   observation      a morally strong write is read, or read by an atomic whose write is observed
//!   synchronizes     release pattern ─observation─► acquire pattern, whose ends are morally strong;
//!                    fence.sc before fence.sc; barrier before barrier
//!   base causality   program order and synchronizes, one after the other (6.0: with one synchronizes at least)
//!   causality        6.0: base causality, or observation and then base causality or program order at one location
//!                    7.5: observation?, then base causality of one address where the proxies allow it
//! ```
//!
//! | axiom | says |
//! |---|---|
//! | Coherence | writes that causality orders are in coherence order; morally strong ones are in some order |
//! | Fence-SC | the order of `fence.sc` does not contradict causality |
//! | Atomicity | no morally strong write comes between the read and the write of an atomic |
//! | No-Thin-Air | no value depends on itself |
//! | SC-per-Location | morally strong accesses of one address do not contradict program order |
//! | Causality | who reads from whom does not contradict causality |
//!
//! Coherence order is partial: [`Model::judge`] adds the pairs that an axiom asks for and no others, since more pairs only
//! forbid more. In 7.5 a name with another virtual address, or another proxy, is ordered by a proxy fence on the way only.

use super::graph::{Event, EventKind, Graph};
use super::program::{MemoryProxy, ProxyFenceKind};
use super::relation::{Relation, bits};
use crate::Ordering;
use std::fmt;

/// Which manual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// PTX 6.0: without proxies.
    V6_0,
    /// PTX 7.5 and later: with proxies.
    V7_5,
}

/// An axiom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axiom {
    /// Causality orders writes in coherence order.
    Coherence,
    /// The order of `fence.sc` agrees with causality.
    FenceSc,
    /// Atomics are not torn apart.
    Atomicity,
    /// Values come from somewhere.
    NoThinAir,
    /// Morally strong accesses of one address are in one order.
    ScPerLocation,
    /// Reads agree with causality.
    Causality,
}

impl fmt::Display for Axiom {
    /// The name that the manual has for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Axiom::Coherence => "Coherence",
            Axiom::FenceSc => "Fence-SC",
            Axiom::Atomicity => "Atomicity",
            Axiom::NoThinAir => "No-Thin-Air",
            Axiom::ScPerLocation => "SC-per-Location",
            Axiom::Causality => "Causality",
        })
    }
}

/// An axiom that an execution breaks, and two events that show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The axiom.
    pub axiom: Axiom,
    /// Where the cycle begins.
    pub from: usize,
    /// Its last event before it closes, for axioms of two steps; otherwise the same.
    pub to: usize,
}

/// What was chosen of an execution so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// From writes to their reads.
    pub rf: Relation,
    /// Pairs of writes that were put in order.
    pub co: Relation,
    /// Pairs of `fence.sc` that were put in order.
    pub fences: Relation,
    /// From barriers to those that wait for them.
    pub barriers: Relation,
}

impl Choice {
    /// Nothing was chosen.
    pub fn none(len: usize) -> Choice {
        let empty = Relation::empty(len);
        Choice {
            rf: empty.clone(),
            co: empty.clone(),
            fences: empty.clone(),
            barriers: empty,
        }
    }
}

/// What follows from a choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// Coherence order.
    pub co: Relation,
    /// From reads to the writes that come after what they read.
    pub fr: Relation,
    /// Observation order.
    pub observation: Relation,
    /// Release patterns to acquire patterns.
    pub sync: Relation,
    /// Base causality order.
    pub base: Relation,
    /// Causality order.
    pub cause: Relation,
}

/// The model, prepared for the events of one graph.
#[derive(Clone, Debug)]
pub struct Model<'g> {
    /// The events.
    pub graph: &'g Graph,
    /// Which manual.
    pub version: Version,
    /// Morally strong pairs.
    pub strong: Relation,
    /// From the first event of release patterns to their writes.
    release: Relation,
    /// From the reads of acquire patterns to their last events.
    acquire: Relation,
    /// Program order that SC-per-Location speaks of.
    pub po_location: Relation,
    /// From first writes to all others.
    first: Relation,
    /// Pairs of writes that coherence must order.
    pub writes_to_order: Vec<(usize, usize)>,
    /// Pairs of `fence.sc` that must be in order.
    pub fences_to_order: Vec<(usize, usize)>,
    /// Pairs of `fence.sc` of one thread.
    fences_in_program: Relation,
}

fn proxy_agrees(a: &Event, b: &Event) -> bool {
    let proxy = |event: &Event| match event.kind {
        EventKind::ProxyFence(ProxyFenceKind::With(proxy)) => Some(proxy),
        EventKind::ProxyFence(ProxyFenceKind::Alias) | EventKind::Barrier => None,
        _ => Some(event.proxy),
    };
    proxy(a).is_some() && proxy(a) == proxy(b)
}

impl<'g> Model<'g> {
    /// Prepares the model.
    pub fn new(graph: &'g Graph, version: Version) -> Model<'g> {
        let (events, len) = (&graph.events, graph.len());
        let strong = Relation::new(len, |a, b| {
            let (first, second) = (&events[a], &events[b]);
            if a == b || first.thread.is_none() || second.thread.is_none() {
                return false;
            }
            let in_order = first.thread == second.thread
                || first.is_strong() && second.is_strong() && graph.in_scope(a, b);
            let both_access = first.is_access() && second.is_access();
            let overlap = match version {
                Version::V6_0 => &graph.same_memory,
                Version::V7_5 => &graph.same_address,
            };
            in_order
                && (version == Version::V6_0 || proxy_agrees(first, second))
                && (!both_access || overlap.has(a, b))
        });
        let overlap = match version {
            Version::V6_0 => &graph.same_memory,
            Version::V7_5 => &graph.same_address,
        };
        let is_strong_access = |event: &Event| event.is_access() && event.is_strong();
        let strong_writes = graph.writes & graph.select(is_strong_access);
        let strong_reads = graph.reads & graph.select(is_strong_access);
        let releases = graph.writes & graph.select(|event| event.order == Ordering::Release);
        let acquires = graph.reads & graph.select(|event| event.order == Ordering::Acquire);
        let fences = |wanted: [Ordering; 3]| {
            graph.select(|event| event.kind == EventKind::Fence && wanted.contains(&event.order))
        };
        let release_fences = fences([Ordering::Release, Ordering::AcqRel, Ordering::SeqCst]);
        let acquire_fences = fences([Ordering::Acquire, Ordering::AcqRel, Ordering::SeqCst]);
        let po_overlap = graph.po.and(overlap).maybe();
        let release = po_overlap
            .between(releases, strong_writes)
            .or(&graph.po.between(release_fences, strong_writes));
        let acquire = po_overlap
            .between(strong_reads, acquires)
            .or(&graph.po.between(strong_reads, acquire_fences));
        let accesses = graph.reads | graph.writes;
        let po_location = graph.po.and(&strong).between(accesses, accesses);
        let first = graph.same_memory.between(
            graph.select(|event| event.thread.is_none()),
            graph.writes & graph.select(|event| event.thread.is_some()),
        );
        let sc =
            |at: usize| events[at].kind == EventKind::Fence && events[at].order == Ordering::SeqCst;
        let ordered: Vec<(usize, usize)> = strong.pairs().filter(|&(a, b)| a < b).collect();
        let is_write = |at: usize| events[at].kind == EventKind::Write;
        Model {
            graph,
            version,
            release,
            acquire,
            po_location,
            first,
            writes_to_order: ordered
                .iter()
                .copied()
                .filter(|&(a, b)| is_write(a) && is_write(b))
                .collect(),
            fences_to_order: ordered
                .iter()
                .copied()
                .filter(|&(a, b)| sc(a) && sc(b) && events[a].thread != events[b].thread)
                .collect(),
            fences_in_program: graph.po.and(&Relation::new(len, |a, b| sc(a) && sc(b))),
            strong,
        }
    }

    /// What follows from a choice, or the axiom that forbids it, whatever else is chosen.
    pub fn judge(&self, choice: &Choice) -> Result<Derived, Violation> {
        let derived = self.derive(choice);
        match self.violation(choice, &derived) {
            Some(violation) => Err(violation),
            None => Ok(derived),
        }
    }

    /// The order of `fence.sc` with what program order gives.
    pub fn fence_order(&self, choice: &Choice) -> Relation {
        choice.fences.or(&self.fences_in_program)
    }

    /// From morally strong writes to those of atomics that read them. Any other order would break SC-per-Location.
    pub fn updates(&self, choice: &Choice) -> Relation {
        let seen = choice.rf.and(&self.strong);
        seen.then(&self.graph.rmw).and(&self.strong)
    }

    /// What follows from a choice.
    pub fn derive(&self, choice: &Choice) -> Derived {
        let graph = self.graph;
        let seen = choice.rf.and(&self.strong);
        // A chain of atomics, each of which reads what the one before wrote.
        let chain = graph.rmw.then(&seen);
        let observation = match graph.rmw.pairs().next() {
            Some(_) => seen.then(&chain.closure().maybe()),
            None => seen,
        };
        let sync = self
            .strong
            .and(&self.release.then(&observation).then(&self.acquire));
        let synchronizes = sync.or(&self.fence_order(choice)).or(&choice.barriers);
        let base = match self.version {
            Version::V6_0 => {
                let po = graph.po.maybe();
                po.then(&synchronizes).then(&po).closure()
            }
            Version::V7_5 => graph.po.or(&synchronizes).closure(),
        };
        let cause = match self.version {
            Version::V6_0 => {
                let local = base.or(&graph.po.and(&graph.same_memory));
                base.or(&observation.then(&local))
            }
            Version::V7_5 => {
                let kept = self.proxy_preserved(&base);
                kept.or(&observation.then(&kept))
            }
        };
        let caused = cause
            .and(&graph.same_memory)
            .between(graph.writes, graph.writes);
        let co = self.first.or(&choice.co).or(&caused);
        let co = co.or(&self.updates(choice)).closure();
        let fr = choice.rf.inverse().then(&co);
        // An atomic comes after what it reads; it does not come after itself.
        let fr = fr.minus(&Relation::new(graph.len(), |a, b| a == b));
        Derived {
            co,
            fr,
            observation,
            sync,
            base,
            cause,
        }
    }

    /// Coherence order and what is read before it, of a choice that nothing judges; `None` if writes are not in order.
    pub(super) fn only_ordered(&self, choice: &Choice) -> Option<Derived> {
        let after = choice.rf.then(&self.graph.rmw);
        let co = self.first.or(&choice.co).or(&after).closure();
        let none = Relation::empty(self.graph.len());
        let fr = choice.rf.inverse().then(&co);
        co.reflexive().is_none().then(|| Derived {
            co,
            fr,
            observation: none.clone(),
            sync: none.clone(),
            base: none.clone(),
            cause: none,
        })
    }

    /// Base causality of 7.5 where addresses and proxies allow it: the same address by the generic proxy, or by one
    /// proxy in one thread block; otherwise with the fences of the proxies on the way, and an alias fence for another
    /// address.
    fn proxy_preserved(&self, base: &Relation) -> Relation {
        let graph = self.graph;
        let generic =
            graph.select(|event| event.is_access() && event.proxy == MemoryProxy::Generic);
        let accesses = graph.reads | graph.writes;
        let near = |a: usize, b: usize| {
            proxy_agrees(&graph.events[a], &graph.events[b]) && graph.same_cta(a, b)
        };
        let plain = base
            .and(&graph.same_address)
            .between(generic, generic)
            .or(&base
                .and(&graph.same_address)
                .and(&Relation::new(graph.len(), |a, b| {
                    graph.events[a].is_access() && graph.events[b].is_access() && near(a, b)
                })));
        let proxy_fences = graph
            .select(|event| matches!(event.kind, EventKind::ProxyFence(ProxyFenceKind::With(_))));
        let alias_fences =
            graph.select(|event| event.kind == EventKind::ProxyFence(ProxyFenceKind::Alias));
        if proxy_fences | alias_fences == 0 {
            return plain;
        }
        // From an access to where its value is in generic memory: at once, or after the fence of its proxy.
        let fenced = Relation::new(graph.len(), near);
        let same = Relation::new(graph.len(), |a, b| a == b);
        let out = base
            .and(&fenced)
            .between(accesses, proxy_fences)
            .or(&same.between(generic, generic));
        let back = base
            .and(&fenced)
            .between(proxy_fences, accesses)
            .or(&same.between(generic, generic));
        let by_proxy = out.then(base).then(&back).and(&graph.same_address);
        // The fence of the proxy of the access may be the one next to the other access.
        let by_alias = out
            .then(&base.between(u64::MAX, alias_fences))
            .then(base)
            .then(&back)
            .and(&graph.same_memory);
        plain.or(&by_proxy).or(&by_alias)
    }

    /// The first axiom that is broken.
    fn violation(&self, choice: &Choice, derived: &Derived) -> Option<Violation> {
        let graph = self.graph;
        let broken = |axiom, from, to| Some(Violation { axiom, from, to });
        if let Some(at) = choice.rf.or(&graph.dependency).closure().reflexive() {
            return broken(Axiom::NoThinAir, at, at);
        }
        if let Some(at) = derived.co.reflexive() {
            return broken(Axiom::Coherence, at, at);
        }
        let communication = choice.rf.or(&derived.co).or(&derived.fr);
        let local = communication.and(&self.strong).or(&self.po_location);
        if let Some(at) = local.closure().reflexive() {
            return broken(Axiom::ScPerLocation, at, at);
        }
        let between = derived.fr.and(&self.strong);
        let between = between.then(&derived.co.and(&self.strong)).and(&graph.rmw);
        if let Some((from, to)) = between.pairs().next() {
            return broken(Axiom::Atomicity, from, to);
        }
        let fences = self.fence_order(choice);
        if let Some(at) = fences.closure().reflexive() {
            return broken(Axiom::FenceSc, at, at);
        }
        for (from, to) in fences.pairs() {
            if derived.base.has(to, from) {
                return broken(Axiom::FenceSc, from, to);
            }
        }
        for relation in [&choice.rf, &derived.fr] {
            for from in 0..graph.len() {
                for to in bits(relation.row(from)) {
                    if derived.cause.has(to, from) {
                        return broken(Axiom::Causality, from, to);
                    }
                }
            }
        }
        None
    }
}
