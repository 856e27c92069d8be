//! The search through all executions of a program.
//!
//! For each choice of a way through every thread, each read is given a write of its memory; values follow. A choice ends
//! as soon as a condition of a way is wrong, or an axiom forbids what was chosen so far. Then the orders are chosen that
//! the model asks for: of `fence.sc`, and of writes. Only executions in which every thread ends are seen.

use super::barrier;
use super::explain::{Cycle, cycle};
use super::graph::Graph;
use super::path::{Bounds, Happening, Path, TooLong, evaluate, paths};
use super::program::Program;
use super::ptx::{Choice, Derived, Model, Version, Violation};
use super::relation::{MAX_EVENTS, Relation, bits};
use std::ops::ControlFlow;

/// What bounds the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How often a jump backwards is taken in a thread.
    pub unroll: u32,
    /// How many ways a thread may have.
    pub paths: usize,
    /// How many partial executions of [`USUAL_EVENTS`] events are looked at. Judging one takes longer the more events it
    /// has, so that those of other programs count for as much more or less.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            unroll: 2,
            paths: 4096,
            steps: 4_000_000,
        }
    }
}

/// Events that executions of litmus tests have.
pub const USUAL_EVENTS: u64 = 8;

/// Why a program was not searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// An execution has more than [`MAX_EVENTS`] events.
    Events,
    /// A thread has too many ways.
    Paths(usize),
    /// The search took too many steps.
    Steps,
}

/// An execution, or a candidate that axioms may forbid.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'e> {
    /// The events.
    pub graph: &'e Graph,
    /// The ways through threads.
    pub paths: &'e [&'e Path],
    /// The value that each event reads or writes.
    pub values: &'e [Option<u64>],
    /// The registers of threads at the end.
    pub registers: &'e [Vec<u64>],
    /// What was chosen.
    pub choice: &'e Choice,
    /// What follows; `None` before all orders are chosen.
    pub derived: Option<&'e Derived>,
}

impl Execution<'_> {
    /// The writes that may be the last of a memory: those without a successor in coherence order. Before orders are
    /// chosen, all of them.
    pub fn last_writes(&self, memory: usize) -> impl Iterator<Item = usize> {
        let graph = self.graph;
        let is_last = move |&at: &usize| match self.derived {
            Some(derived) => derived.co.row(at) == 0,
            None => true,
        };
        bits(graph.writes)
            .filter(move |&at| graph.memory[at] == Some(memory))
            .filter(is_last)
    }
}

/// What a search met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Met {
    /// Executions that were shown.
    pub executions: u64,
    /// Partial executions that were judged.
    pub steps: u64,
    /// Whether loops were cut at the bound.
    pub cut: bool,
}

/// Shows executions that the model allows to a function, until it breaks. Of candidates whose values are known, only
/// those are completed that are wanted.
pub fn explore(
    program: &Program,
    version: Version,
    limits: Limits,
    wants: &mut dyn FnMut(&Execution) -> bool,
    visit: &mut dyn FnMut(&Execution) -> ControlFlow<()>,
) -> Result<Met, TooLarge> {
    let mut task = Task {
        program,
        version,
        limits,
        wants,
        visit,
        met: Met::default(),
        refute: None,
        is_free: false,
        work: 0,
    };
    task.all().map(|_| task.met)
}

/// Shows candidates to a function, whether a model allows them or not: any reads, and any total coherence order of each
/// memory in which atomics come after what they read. Of choices of reads, only those are completed that are wanted.
pub fn candidates(
    program: &Program,
    limits: Limits,
    wants: &mut dyn FnMut(&Execution) -> bool,
    visit: &mut dyn FnMut(&Execution) -> ControlFlow<()>,
) -> Result<Met, TooLarge> {
    let mut task = Task {
        program,
        version: Version::V7_5,
        limits,
        wants,
        visit,
        met: Met::default(),
        refute: None,
        is_free: true,
        work: 0,
    };
    task.all().map(|_| task.met)
}

/// A candidate that the axioms forbid.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// Its events.
    pub graph: Graph,
    /// The values that they read and write.
    pub values: Vec<Option<u64>>,
    /// What was chosen.
    pub choice: Choice,
    /// What follows.
    pub derived: Derived,
    /// The axiom that is broken.
    pub violation: Violation,
    /// The cycle that it forbids.
    pub cycle: Cycle,
}

/// Of the candidates that are wanted, all of which axioms forbid, the one whose cycle is shortest. `None` if there is no
/// candidate: no choice of reads gives the values.
pub fn refute(
    program: &Program,
    version: Version,
    limits: Limits,
    wants: &mut dyn FnMut(&Execution) -> bool,
) -> Result<Option<Refuted>, TooLarge> {
    let mut task = Task {
        program,
        version,
        limits,
        wants,
        visit: &mut |_| ControlFlow::Continue(()),
        met: Met::default(),
        refute: Some((None, 0)),
        is_free: false,
        work: 0,
    };
    match task.all() {
        // What was found before the search became too long is good enough.
        Err(TooLarge::Steps) | Ok(_) => {}
        Err(error) => return Err(error),
    }
    Ok(task.refute.and_then(|(best, _)| best))
}

/// How many candidates are looked at to find a short cycle.
const CANDIDATES: usize = 256;

struct Task<'t> {
    program: &'t Program,
    version: Version,
    limits: Limits,
    wants: &'t mut dyn FnMut(&Execution) -> bool,
    visit: &'t mut dyn FnMut(&Execution) -> ControlFlow<()>,
    met: Met,
    /// If candidates are refuted instead of shown: the best one, and how many were looked at.
    refute: Option<(Option<Refuted>, usize)>,
    /// Whether nothing is forbidden.
    is_free: bool,
    /// Events of all partial executions that were judged.
    work: u64,
}

/// One choice of ways.
struct Ground<'g> {
    graph: &'g Graph,
    model: Model<'g>,
    paths: &'g [&'g Path],
    reads: Vec<usize>,
}

type Flow = Result<ControlFlow<()>, TooLarge>;

const GO_ON: Flow = Ok(ControlFlow::Continue(()));

impl Task<'_> {
    fn all(&mut self) -> Flow {
        let bounds = Bounds {
            unroll: self.limits.unroll,
            events: MAX_EVENTS,
            paths: self.limits.paths,
        };
        let mut of_threads = Vec::new();
        for (at, thread) in self.program.threads.iter().enumerate() {
            let (found, cut) = paths(thread, bounds).map_err(|error| match error {
                TooLong::Events => TooLarge::Events,
                TooLong::Paths => TooLarge::Paths(at),
            })?;
            self.met.cut |= cut;
            of_threads.push(found);
        }
        let mut chosen = Vec::new();
        self.choose_paths(&of_threads, &mut chosen)
    }

    fn choose_paths<'p>(&mut self, all: &'p [Vec<Path>], chosen: &mut Vec<&'p Path>) -> Flow {
        let Some(ways) = all.get(chosen.len()) else {
            return self.with_paths(chosen);
        };
        for way in ways {
            chosen.push(way);
            let flow = self.choose_paths(all, chosen)?;
            chosen.pop();
            if flow.is_break() {
                return Ok(flow);
            }
        }
        GO_ON
    }

    fn with_paths(&mut self, chosen: &[&Path]) -> Flow {
        let graph = Graph::new(self.program, chosen).ok_or(TooLarge::Events)?;
        let ground = Ground {
            model: Model::new(&graph, self.version),
            paths: chosen,
            reads: bits(graph.reads).collect(),
            graph: &graph,
        };
        let choice = Choice::none(graph.len());
        let none = ground.values(self.program, &choice);
        // Barriers that are the same whatever is read bound the search from the start.
        if ground.barriers_known(&none.1) {
            for barriers in barrier::meetings(self.program, &graph, chosen, &none.1)? {
                let choice = Choice {
                    barriers,
                    ..choice.clone()
                };
                if self.read(&ground, choice, 0, true)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            return GO_ON;
        }
        self.read(&ground, choice, 0, false)
    }

    fn count(&mut self, graph: &Graph) -> Result<(), TooLarge> {
        self.met.steps += 1;
        self.work += graph.len() as u64;
        match self.work > self.limits.steps.saturating_mul(USUAL_EVENTS) {
            true => Err(TooLarge::Steps),
            false => Ok(()),
        }
    }

    /// Chooses what a read reads.
    fn read(&mut self, ground: &Ground, choice: Choice, at: usize, met: bool) -> Flow {
        let graph = ground.graph;
        let Some(&read) = ground.reads.get(at) else {
            return self.with_reads(ground, &choice, met);
        };
        for write in bits(graph.writes) {
            if graph.memory[write] != graph.memory[read] {
                continue;
            }
            let judges = self.refute.is_none() && !self.is_free;
            let mut next = choice.clone();
            next.rf.insert(write, read);
            // Most choices for atomics of one place end here, before anything is computed.
            if judges && ground.is_torn(&next, write, read) {
                continue;
            }
            self.count(graph)?;
            if next.rf.or(&graph.dependency).has_cycle() {
                continue;
            }
            let (_, values) = ground.values(self.program, &next);
            if !ground.conditions_hold(&values) {
                continue;
            }
            if judges && ground.model.judge(&next).is_err() {
                continue;
            }
            if self.read(ground, next, at + 1, met)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        GO_ON
    }

    fn with_reads(&mut self, ground: &Ground, choice: &Choice, met: bool) -> Flow {
        let (values, of_exprs) = ground.values(self.program, choice);
        let registers: Vec<Vec<u64>> = ground
            .paths
            .iter()
            .zip(&of_exprs)
            .map(|(path, values)| {
                let of = path.registers.iter().map(|&expr| values[expr].unwrap_or(0));
                of.collect()
            })
            .collect();
        let execution = Execution {
            graph: ground.graph,
            paths: ground.paths,
            values: &values,
            registers: &registers,
            choice,
            derived: None,
        };
        if !(self.wants)(&execution) {
            return GO_ON;
        }
        let barriers = match met {
            true => vec![choice.barriers.clone()],
            false => barrier::meetings(self.program, ground.graph, ground.paths, &of_exprs)?,
        };
        for barriers in barriers {
            let choice = Choice {
                barriers,
                ..choice.clone()
            };
            let flow = match self.refute {
                None => self.order(ground, &execution, choice)?,
                Some(_) => self.forbid(ground, &values, choice)?,
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
        GO_ON
    }

    /// Puts fences and writes in order, and shows what the model allows.
    fn order(&mut self, ground: &Ground, execution: &Execution, choice: Choice) -> Flow {
        self.count(ground.graph)?;
        let judged = match self.is_free {
            true => ground.model.only_ordered(&choice),
            false => ground.model.judge(&choice).ok(),
        };
        let Some(derived) = judged else {
            return GO_ON;
        };
        let open = match self.is_free {
            true => ground.model.unordered(&derived),
            false => ground.model.undecided(&choice, &derived),
        };
        if let Some((a, b, of_fences)) = open {
            for (from, to) in [(a, b), (b, a)] {
                let mut next = choice.clone();
                match of_fences {
                    true => next.fences.insert(from, to),
                    false => next.co.insert(from, to),
                }
                if self.order(ground, execution, next)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            return GO_ON;
        }
        self.met.executions += 1;
        let whole = Execution {
            choice: &choice,
            derived: Some(&derived),
            ..*execution
        };
        Ok((self.visit)(&whole))
    }

    /// Remembers why a candidate is forbidden.
    fn forbid(&mut self, ground: &Ground, values: &[Option<u64>], choice: Choice) -> Flow {
        self.count(ground.graph)?;
        match ground.model.judge(&choice) {
            Ok(derived) => {
                let Some((a, b, of_fences)) = ground.model.undecided(&choice, &derived) else {
                    // The model allows it: callers ask only where it does not.
                    return GO_ON;
                };
                // Either order is forbidden; the first one shows it.
                for (from, to) in [(a, b), (b, a)] {
                    let mut next = choice.clone();
                    match of_fences {
                        true => next.fences.insert(from, to),
                        false => next.co.insert(from, to),
                    }
                    if self.forbid(ground, values, next)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                GO_ON
            }
            Err(violation) => {
                let derived = ground.model.derive(&choice);
                let cycle = cycle(&ground.model, &choice, &derived, &violation);
                let Some((best, seen)) = &mut self.refute else {
                    return GO_ON;
                };
                *seen += 1;
                let is_shorter = best
                    .as_ref()
                    .is_none_or(|best| cycle.edges.len() < best.cycle.edges.len());
                if is_shorter && !cycle.edges.is_empty() {
                    *best = Some(Refuted {
                        graph: ground.graph.clone(),
                        values: values.to_vec(),
                        choice,
                        derived,
                        violation,
                        cycle,
                    });
                }
                match *seen >= CANDIDATES {
                    true => Ok(ControlFlow::Break(())),
                    false => GO_ON,
                }
            }
        }
    }
}

impl Ground<'_> {
    /// The values of events and of expressions, as far as they follow from what reads read.
    fn values(
        &self,
        program: &Program,
        choice: &Choice,
    ) -> (Vec<Option<u64>>, Vec<Vec<Option<u64>>>) {
        let graph = self.graph;
        let mut values: Vec<Option<u64>> = vec![None; graph.len()];
        for (at, event) in graph.events.iter().enumerate() {
            if event.thread.is_none() {
                values[at] = event.location.map(|at| program.locations[at].initial);
            }
        }
        loop {
            let before = values.clone();
            for (write, read) in choice.rf.pairs() {
                values[read] = values[write];
            }
            let mut of_exprs = Vec::with_capacity(self.paths.len());
            for (thread, path) in self.paths.iter().enumerate() {
                let of = &graph.event_of[thread];
                let known = evaluate(&path.exprs, &|step| values[of[step]]);
                for (at, step) in path.steps.iter().enumerate() {
                    if let Happening::Write { value, .. } = step.what {
                        values[of[at]] = known[value];
                    }
                }
                of_exprs.push(known);
            }
            if values == before {
                return (values, of_exprs);
            }
        }
    }

    /// Whether another atomic, morally strong with this one, reads the same write: one of them would come between the
    /// read and the write of the other.
    fn is_torn(&self, choice: &Choice, write: usize, read: usize) -> bool {
        let own = self.graph.rmw.row(read);
        let others = choice.rf.row(write) & !(1 << read);
        bits(own).any(|own| {
            bits(others).any(|other| self.graph.rmw.row(other) & self.model.strong.row(own) != 0)
        })
    }

    /// Whether no condition of a way is known to be wrong.
    fn conditions_hold(&self, values: &[Vec<Option<u64>>]) -> bool {
        self.paths.iter().zip(values).all(|(path, values)| {
            path.conditions
                .iter()
                .all(|&(expr, holds)| values[expr].is_none_or(|value| (value != 0) == holds))
        })
    }

    fn barriers_known(&self, values: &[Vec<Option<u64>>]) -> bool {
        self.paths.iter().zip(values).all(|(path, values)| {
            path.steps.iter().all(|step| match step.what {
                Happening::Barrier { barrier, count, .. } => {
                    values[barrier].is_some() && count.is_none_or(|count| values[count].is_some())
                }
                _ => true,
            })
        })
    }
}

impl Model<'_> {
    /// A pair that the model wants in order and that has none yet; whether it is one of fences.
    fn undecided(&self, choice: &Choice, derived: &Derived) -> Option<(usize, usize, bool)> {
        let open = |relation: &Relation, (a, b): (usize, usize)| {
            !relation.has(a, b) && !relation.has(b, a)
        };
        let fences = self.fences_to_order.iter().copied();
        if let Some((a, b)) = fences.into_iter().find(|&pair| open(&choice.fences, pair)) {
            return Some((a, b, true));
        }
        let writes = self.writes_to_order.iter().copied();
        let (a, b) = writes.into_iter().find(|&pair| open(&derived.co, pair))?;
        Some((a, b, false))
    }

    /// Two writes of a memory that have no order; none of fences.
    fn unordered(&self, derived: &Derived) -> Option<(usize, usize, bool)> {
        let writes = self.graph.writes;
        let pairs = self.graph.same_memory.between(writes, writes);
        let (a, b) = pairs
            .pairs()
            .find(|&(a, b)| a < b && !derived.co.has(a, b) && !derived.co.has(b, a))?;
        Some((a, b, false))
    }
}
