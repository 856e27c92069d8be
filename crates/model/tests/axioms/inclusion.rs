//! Whether every outcome that PTX allows is allowed by the source.

use crate::shapes::{Kind, Shape, Target, order_of};
use std::collections::HashSet;
use std::ops::ControlFlow;
use warpc_model::Ordering;
use warpc_model::axioms::source::{Verdict, judge};
use warpc_model::axioms::{EventKind, Execution, Limits, Version, candidates, explore};
use warpc_model::mapping::Mapping;

/// What reads read, thread by thread, and what memory holds at last.
pub type Outcome = Vec<u64>;

/// The outcomes that the source allows; `None` if the program races, and everything is.
pub fn allowed(shape: &Shape) -> Option<HashSet<Outcome>> {
    let mut found = HashSet::new();
    let mut races = false;
    let program = shape.source();
    // Two atomics that read the same write are not atomic in any model.
    let mut wants = |execution: &Execution| {
        let graph = execution.graph;
        let mut read = 0u64;
        execution.choice.rf.pairs().all(|(write, at)| {
            let is_new = graph.rmw.row(at) == 0 || read >> write & 1 == 0;
            if graph.rmw.row(at) != 0 {
                read |= 1 << write;
            }
            is_new
        })
    };
    candidates(&program, Limits::default(), &mut wants, &mut |execution| {
        let mut graph = execution.graph.clone();
        // A swap that does not store has its order on failure.
        for at in 0..graph.len() {
            let event = graph.events[at];
            let Some(thread) = event.thread else { continue };
            let item = shape.threads[thread][event.inst];
            if let Kind::Cas(_, failure) = item.kind
                && event.kind == EventKind::Read
                && graph.rmw.row(at) == 0
            {
                let order = order_of(failure);
                graph.events[at].order = match order {
                    Ordering::Consume => Ordering::Acquire,
                    order => order,
                };
            }
        }
        let co = &execution.derived.expect("orders were chosen").co;
        match judge(&graph, &execution.choice.rf, co) {
            Verdict::Forbidden => {}
            Verdict::Allowed => {
                found.extend(outcomes(execution));
            }
            Verdict::Races => {
                races = true;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })
    .expect("shapes are small");
    (!races).then_some(found)
}

/// The outcomes of an execution: one for each choice of last writes.
fn outcomes(execution: &Execution) -> Vec<Outcome> {
    let registers: Vec<u64> = execution.registers.concat();
    let mut all = vec![registers];
    for memory in 0..4 {
        let last: Vec<u64> = execution
            .last_writes(memory)
            .filter_map(|write| execution.values[write])
            .collect();
        if last.is_empty() {
            continue;
        }
        let with = |value: &u64| {
            let value = *value;
            all.iter()
                .map(move |outcome| [&outcome[..], &[value]].concat())
                .collect::<Vec<_>>()
        };
        all = last.iter().flat_map(with).collect();
    }
    all
}

/// An outcome that PTX allows for the mapped program and that is not among those allowed.
pub fn surplus(
    shape: &Shape,
    mapping: &Mapping,
    target: Target,
    version: Version,
    allowed: &HashSet<Outcome>,
) -> Option<Outcome> {
    let program = shape.mapped(mapping, target);
    let mut found = None;
    explore(
        &program,
        version,
        Limits::default(),
        &mut |_| true,
        &mut |execution| {
            found = outcomes(execution)
                .into_iter()
                .find(|outcome| !allowed.contains(outcome));
            match found {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        },
    )
    .expect("shapes are small");
    found
}
