//! The orders that need few registers, from the end on, and what an order takes.

use super::clock::Clock;
use super::graph::Graph;
use super::list::Listed;
use super::pressure::Pressure;
use super::touched::Touch;
use super::{Found, LOOKED_AT, Region, Scratch};
use crate::analysis::guarded::Guarded;

impl Region<'_> {
    /// An order that needs few registers, whatever it takes: from the end on, the instruction comes next that leaves the
    /// fewest values live, and of those that are as good the one that what was placed last waits for. A deep order takes that one
    /// also where it has more operands than results, as a load has: what makes these comes next, instead of all that has one operand.
    pub(super) fn few_registers(
        &self,
        graph: &Graph,
        is_deep: bool,
        end: Pressure,
        scratch: &mut Scratch,
    ) -> Option<Listed> {
        let count = graph.nodes.len();
        let mut left: Vec<u32> = graph
            .starts
            .windows(2)
            .map(|ends| ends[1] - ends[0])
            .collect();
        match graph.is_counted {
            true => graph.changes.begin_at_end(&mut scratch.current),
            false => self.begin_at_end(scratch),
        }
        let mut available: Vec<u32> = (0..count as u32)
            .filter(|at| left[*at as usize] == 0)
            .collect();
        let mut order = Vec::with_capacity(count);
        let (mut pressure, mut peak, mut guarded) = (end, end, Guarded::default());
        while order.len() < count {
            let change = |at: u32| match graph.is_counted {
                true => scratch.current.of(at).sum(),
                false => self.change_back(at, &guarded, scratch),
            };
            // What makes something that is needed comes before what needs more.
            let key = |at: u32| match is_deep {
                false => (change(at), false),
                true => (change(at).min(0), !self.makes_live(graph, at, scratch)),
            };
            let mut best = available.len().checked_sub(1)?;
            let mut least = key(available[best]);
            let looked_at = available.iter().enumerate().rev().take(LOOKED_AT);
            for (place, at) in looked_at.skip(1) {
                let own = key(*at);
                if own < least {
                    (best, least) = (place, own);
                }
            }
            let at = available.remove(best);
            match graph.is_counted {
                true => {
                    let change = scratch.current.of(at);
                    pressure.registers += change.registers;
                    pressure.predicates += change.predicates;
                    graph.changes.go_back(at, &mut scratch.current);
                }
                false => self.go_back(at, &mut pressure, &mut guarded, scratch),
            }
            peak.registers = peak.registers.max(pressure.registers);
            peak.predicates = peak.predicates.max(pressure.predicates);
            order.push(at);
            for one in graph.before(at) {
                left[*one as usize] -= 1;
                if left[*one as usize] == 0 {
                    available.push(*one);
                }
            }
        }
        order.reverse();
        Some(Listed {
            order,
            peak: graph.is_counted.then_some(peak),
            cycles: None,
        })
    }

    /// Marks the lanes that are live after the region.
    pub(super) fn begin_at_end(&self, scratch: &mut Scratch) {
        for touch in self.touches() {
            scratch.tallies[touch.at as usize].live = touch.outlives;
        }
    }

    /// Puts an instruction before all that was put behind it.
    pub(super) fn go_back(
        &self,
        at: u32,
        pressure: &mut Pressure,
        guarded: &mut Guarded,
        scratch: &mut Scratch,
    ) {
        let inst = &self.insts[at as usize];
        // Most of the time no guard has a part in it.
        if inst.guard.is_none() && guarded.is_empty() {
            for write in self.writes(at) {
                let own = &mut scratch.tallies[write.at as usize];
                pressure.touch(write, -i32::from(std::mem::take(&mut own.live)));
            }
            for read in self.reads(at) {
                let own = &mut scratch.tallies[read.at as usize];
                let is_new = !std::mem::replace(&mut own.live, true);
                pressure.touch(read, is_new.into());
            }
            return;
        }
        guarded.before(inst);
        for write in self.writes(at) {
            let own = &mut scratch.tallies[write.at as usize];
            if own.live && guarded.write(self.function, write.reg, write.lane, inst.guard) {
                own.live = false;
                pressure.touch(write, -1);
            }
        }
        for read in self.reads(at) {
            let own = &mut scratch.tallies[read.at as usize];
            guarded.read(self.function, (read.reg, read.lane), inst.guard, own.live);
            if !std::mem::replace(&mut own.live, true) {
                pressure.touch(read, 1);
            }
        }
    }

    /// How what is live would change by that.
    fn change_back(&self, at: u32, guarded: &Guarded, scratch: &Scratch) -> i32 {
        let guard = self.insts[at as usize].guard;
        let is_live = |touch: &Touch| scratch.tallies[touch.at as usize].live;
        let begins = |touch: &Touch| guarded.begins(touch.reg, touch.lane, guard);
        let mut change = Pressure::default();
        for write in self.writes(at) {
            if is_live(write) && begins(write) {
                change.touch(write, -1);
            }
        }
        for read in self.reads(at) {
            // One that begins here is not live before it but for the read.
            if !is_live(read) || read.is_written && begins(read) {
                change.touch(read, 1);
            }
        }
        change.sum()
    }

    /// Whether an instruction writes something that is live after it.
    fn makes_live(&self, graph: &Graph, at: u32, scratch: &Scratch) -> bool {
        if graph.is_counted {
            return graph.changes.makes_live(at);
        }
        let mut written = self.writes(at).iter();
        written.any(|write| scratch.tallies[write.at as usize].live)
    }

    /// What an order takes, as far as that is not known.
    pub(super) fn measured(
        &self,
        graph: &Graph,
        listed: Listed,
        end: Pressure,
        scratch: &mut Scratch,
    ) -> Found {
        let Listed {
            order,
            peak,
            cycles,
        } = listed;
        if cfg!(debug_assertions) && cycles.is_some() {
            debug_assert_eq!(cycles, Some(self.cycles(graph, &order)));
        }
        let cycles = cycles.unwrap_or_else(|| self.cycles(graph, &order));
        if cfg!(debug_assertions) && peak.is_some() {
            debug_assert_eq!(peak, Some(self.peak(&order, end, scratch)));
        }
        let peak = peak.unwrap_or_else(|| self.peak(&order, end, scratch));
        Found {
            order,
            cycles,
            peak,
        }
    }

    /// The cycles of an order.
    fn cycles(&self, graph: &Graph, order: &[u32]) -> u32 {
        let mut from: Vec<u32> = graph.nodes.iter().map(|node| node.late).collect();
        let mut clock = Clock::of(graph);
        for at in order {
            let begins = clock.place(graph, *at, from[*at as usize]);
            for (to, wait) in graph.after(*at) {
                let own = &mut from[*to as usize];
                *own = (*own).max(begins + u32::from(*wait));
            }
        }
        clock.cycles()
    }

    /// The most that is live in an order.
    fn peak(&self, order: &[u32], end: Pressure, scratch: &mut Scratch) -> Pressure {
        self.begin_at_end(scratch);
        let (mut pressure, mut peak) = (end, end);
        let mut guarded = Guarded::default();
        for at in order.iter().rev() {
            self.go_back(*at, &mut pressure, &mut guarded, scratch);
            peak.registers = peak.registers.max(pressure.registers);
            peak.predicates = peak.predicates.max(pressure.predicates);
        }
        peak
    }
}
