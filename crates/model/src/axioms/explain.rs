//! The cycle that an axiom forbids, in steps that people can follow.

use super::ptx::{Axiom, Choice, Derived, Model, Version, Violation};
use super::relation::{Relation, bits};
use std::collections::VecDeque;
use std::fmt;

/// Why one event comes before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// Program order.
    Program,
    /// The second reads what the first wrote.
    ReadsFrom,
    /// Coherence order.
    Coherence,
    /// The first reads what is overwritten by the second.
    FromRead,
    /// A release pattern is observed by an acquire pattern.
    Synchronizes,
    /// The order of `fence.sc`.
    FenceSc,
    /// Barriers that meet.
    Barrier,
    /// Observation order.
    Observation,
    /// The second needs the value of the first.
    Dependency,
    /// The read and the write of an atomic.
    Atomic,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Label::Program => "po",
            Label::ReadsFrom => "rf",
            Label::Coherence => "co",
            Label::FromRead => "fr",
            Label::Synchronizes => "sync",
            Label::FenceSc => "fence.sc",
            Label::Barrier => "barrier",
            Label::Observation => "observes",
            Label::Dependency => "dep",
            Label::Atomic => "rmw",
        })
    }
}

/// A step of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The earlier event.
    pub from: usize,
    /// The later one.
    pub to: usize,
    /// Why.
    pub label: Label,
}

/// A cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// The axiom that forbids it.
    pub axiom: Axiom,
    /// Its steps; the last one leads to where the first begins.
    pub edges: Vec<Edge>,
}

/// The cycle of a violation.
pub fn cycle(model: &Model, choice: &Choice, derived: &Derived, violation: &Violation) -> Cycle {
    let (from, to) = (violation.from, violation.to);
    let graph = model.graph;
    let fences = model.fence_order(choice);
    let base: [(&Relation, Label); 4] = [
        (&derived.sync, Label::Synchronizes),
        (&choice.barriers, Label::Barrier),
        (&fences, Label::FenceSc),
        (&graph.po, Label::Program),
    ];
    let one = |from, to, label| Edge { from, to, label };
    // From an event to another by causality: base causality, or an observation and then that.
    let cause = |a: usize, b: usize| -> Vec<Edge> {
        let by_base = |a, b| match derived.base.has(a, b) {
            true => walk(&base, a, b),
            false => None,
        };
        let direct = by_base(a, b);
        let by_observation = bits(derived.observation.row(a)).filter_map(|read| {
            let local =
                model.version == Version::V6_0 && graph.po.and(&graph.same_memory).has(read, b);
            let rest = match by_base(read, b) {
                Some(rest) => Some(rest),
                None if local => Some(vec![one(read, b, Label::Program)]),
                None => None,
            }?;
            let mut edges = vec![one(a, read, Label::Observation)];
            edges.extend(rest);
            Some(edges)
        });
        let all = direct.into_iter().chain(by_observation);
        all.min_by_key(Vec::len).unwrap_or_default()
    };
    let edges = match violation.axiom {
        Axiom::Causality => {
            let label = match choice.rf.has(from, to) {
                true => Label::ReadsFrom,
                false => Label::FromRead,
            };
            let mut edges = vec![one(from, to, label)];
            edges.extend(cause(to, from));
            edges
        }
        Axiom::Atomicity => {
            let between = derived.fr.row(from) & model.strong.row(from);
            let other = bits(between)
                .find(|&other| derived.co.has(other, to) && model.strong.has(other, to));
            let other = other.unwrap_or(to);
            vec![
                one(from, other, Label::FromRead),
                one(other, to, Label::Coherence),
                one(to, from, Label::Atomic),
            ]
        }
        Axiom::NoThinAir => {
            let steps = [
                (&choice.rf, Label::ReadsFrom),
                (&graph.dependency, Label::Dependency),
            ];
            walk(&steps, from, from).unwrap_or_default()
        }
        Axiom::ScPerLocation => {
            let strong = |relation: &Relation| relation.and(&model.strong);
            let (rf, co, fr) = (strong(&choice.rf), strong(&derived.co), strong(&derived.fr));
            let steps = [
                (&rf, Label::ReadsFrom),
                (&co, Label::Coherence),
                (&fr, Label::FromRead),
                (&model.po_location, Label::Program),
            ];
            walk(&steps, from, from).unwrap_or_default()
        }
        Axiom::FenceSc if from == to => {
            walk(&[(&fences, Label::FenceSc)], from, from).unwrap_or_default()
        }
        Axiom::FenceSc => {
            let mut edges = vec![one(from, to, Label::FenceSc)];
            edges.extend(walk(&base, to, from).unwrap_or_default());
            edges
        }
        Axiom::Coherence => {
            let caused = derived
                .cause
                .and(&graph.same_memory)
                .between(graph.writes, graph.writes);
            let updates = model.updates(choice);
            let steps = [
                (&caused, Label::Observation),
                (&choice.co, Label::Coherence),
                (&updates, Label::Coherence),
            ];
            let round = walk(&steps, from, from).unwrap_or_default();
            let expand = |edge: Edge| match edge.label {
                Label::Observation => cause(edge.from, edge.to),
                _ => vec![edge],
            };
            round.into_iter().flat_map(expand).collect()
        }
    };
    Cycle {
        axiom: violation.axiom,
        edges,
    }
}

/// The shortest walk of at least one step; earlier relations are preferred.
fn walk(steps: &[(&Relation, Label)], from: usize, to: usize) -> Option<Vec<Edge>> {
    let len = steps.first()?.0.events();
    let mut came: Vec<Option<Edge>> = vec![None; len];
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for (relation, label) in steps {
            for next in bits(relation.row(at)) {
                if came[next].is_some() || (next == from && from != to) {
                    continue;
                }
                came[next] = Some(Edge {
                    from: at,
                    to: next,
                    label: *label,
                });
                queue.push_back(next);
            }
        }
        if came[to].is_some() {
            break;
        }
    }
    let mut edges = Vec::new();
    let mut at = to;
    loop {
        let edge = came[at]?;
        edges.push(edge);
        at = edge.from;
        if at == from {
            break;
        }
    }
    edges.reverse();
    Some(edges)
}
