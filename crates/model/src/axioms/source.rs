//! A scoped model of C++ and LLVM atomics, for the proof of the mapping.
//!
//! It is the repaired C11 model (Lahav, Vafeiadis, Kang, Hur, Dreyer: "Repairing sequential consistency in C/C++11") with
//! scopes, and without its axiom about program order and reads: C++ and LLVM let loads see later stores.
//!
//! ```text
//!   release sequence   a write, or a later one of its thread at the same location, and then atomics that read it
//!   synchronizes       release or a fence before it ─► sequence ─► read ─► acquire or a fence after it, in scope
//!   happens before     program order and synchronizes
//!   coherence          happens before, and then reads, overwrites or comes after in modification order: no cycle
//!   atomicity          no write between the read and the write of an atomic
//!   seq_cst            accesses and fences that are seq_cst, in scope of each other: one order, no cycle
//! ```
//!
//! Two accesses of a location in different threads of which one writes, of which one is not atomic or whose scopes do not
//! take each other in, are a race unless one happens before the other, and a program that races means nothing.

use super::graph::{Event, EventKind, Graph};
use super::relation::Relation;
use crate::Ordering;

/// What the model says of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It may happen.
    Allowed,
    /// It does not happen.
    Forbidden,
    /// It may happen, and it races.
    Races,
}

/// Judges an execution by who reads from whom and a total modification order of each location.
///
/// Events have the orders that the source has: sequentially consistent accesses keep theirs.
pub fn judge(graph: &Graph, rf: &Relation, co: &Relation) -> Verdict {
    let events = &graph.events;
    let len = graph.len();
    let same = &graph.same_memory;
    let identity = Relation::new(len, |a, b| a == b);
    let fr = rf.inverse().then(co).minus(&identity);
    let is_atomic = |event: &Event| event.order != Ordering::Weak;
    let atomic_writes = graph.writes & graph.select(is_atomic);
    let atomic_reads = graph.reads & graph.select(is_atomic);
    let releases = graph.select(|event| {
        event.order.is_release() && matches!(event.kind, EventKind::Write | EventKind::Fence)
    });
    let acquires = graph.select(|event| {
        event.order.is_acquire() && matches!(event.kind, EventKind::Read | EventKind::Fence)
    });
    let fences = graph.select(|event| event.kind == EventKind::Fence);
    let all = u64::MAX;
    // [W]; (sb at one location)?; [atomic W]; (rf; rmw)*
    let own = graph
        .po
        .and(same)
        .maybe()
        .between(graph.writes, atomic_writes);
    let chain = rf.then(&graph.rmw).closure().maybe();
    let sequence = own.then(&chain);
    let start = graph
        .po
        .between(fences, atomic_writes)
        .or(&identity.between(all & !fences, all));
    let end = graph
        .po
        .between(atomic_reads, fences)
        .or(&identity.between(all & !fences, all));
    let pattern = start
        .then(&sequence)
        .then(&rf.between(all, atomic_reads))
        .then(&end)
        .between(releases, acquires);
    let in_scope = Relation::new(len, |a, b| graph.in_scope(a, b));
    let hb = graph.po.or(&pattern.and(&in_scope)).closure();
    // First writes happen before everything.
    let first = graph.select(|event| event.thread.is_none());
    let hb = hb.or(&Relation::new(len, |a, b| {
        first >> a & 1 == 1 && first >> b & 1 == 0
    }));
    let eco = rf.or(co).or(&fr).closure();
    if hb.reflexive().is_some() || hb.then(&eco).reflexive().is_some() || eco.reflexive().is_some()
    {
        return Verdict::Forbidden;
    }
    if fr.then(co).and(&graph.rmw).pairs().next().is_some() {
        return Verdict::Forbidden;
    }
    if rf.or(&graph.dependency).has_cycle() {
        return Verdict::Forbidden;
    }
    let races = same.pairs().any(|(a, b)| {
        let (one, other) = (&events[a], &events[b]);
        let apart = one.thread.is_some() && other.thread.is_some() && one.thread != other.thread;
        let writes = one.kind == EventKind::Write || other.kind == EventKind::Write;
        let agree = is_atomic(one) && is_atomic(other) && graph.in_scope(a, b);
        apart && writes && !agree && !hb.has(a, b) && !hb.has(b, a)
    });
    // Partial SC: program order, happens-before, modification order and reads, between accesses and fences that are SC.
    let sc = graph.select(|event| event.order == Ordering::SeqCst);
    let (sc_fences, sc_accesses) = (sc & fences, sc & !fences);
    let elsewhere = graph.po.minus(same);
    let scb = graph
        .po
        .or(&elsewhere.then(&hb).then(&elsewhere))
        .or(&hb.and(same))
        .or(co)
        .or(&fr);
    let hb_maybe = hb.maybe();
    let left = identity
        .between(sc_accesses, all)
        .or(&hb_maybe.between(sc_fences, all));
    let right = identity
        .between(all, sc_accesses)
        .or(&hb_maybe.between(all, sc_fences));
    let of_accesses = left.then(&scb).then(&right);
    let of_fences = hb
        .or(&hb.then(&eco).then(&hb))
        .between(sc_fences, sc_fences);
    let psc = of_accesses.or(&of_fences).and(&in_scope.or(&graph.po));
    match (psc.has_cycle(), races) {
        (true, _) => Verdict::Forbidden,
        (false, true) => Verdict::Races,
        (false, false) => Verdict::Allowed,
    }
}
