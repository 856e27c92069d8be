//! The order in which long ways go first, from the beginning on.

use super::clock::Clock;
use super::graph::{Graph, NONE, Node};
use super::pressure::Pressure;
use super::{Key, LOOKED_AT, Region, Scratch, Tally};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Another order to go along with.
#[derive(Clone, Copy)]
pub(super) struct Along<'a> {
    /// The place of each instruction in it, which says what comes first of what is as good.
    pub(super) rank: &'a [u32],
    pub(super) order: &'a [u32],
    /// How far it may be left behind.
    pub(super) window: u32,
}

/// An order that was found.
pub(super) struct Listed {
    pub(super) order: Vec<u32>,
    /// The most that is live in it, if that is known ([`Graph::is_counted`]).
    pub(super) peak: Option<Pressure>,
    /// The cycles that it takes, if they are known.
    pub(super) cycles: Option<u32>,
}

/// What is given, and what there may be.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// What is live at the beginning.
    pub(super) start: Pressure,
    /// What may be live.
    pub(super) limits: Pressure,
    /// What goes first.
    pub(super) style: Style,
    /// Whether an order with more is of no use, so that none need be found once it is known to have more.
    pub(super) is_strict: bool,
    /// An order that is no better than this is of no use, either.
    pub(super) better_than: Option<Key>,
}

/// What goes first.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Loads as soon as they can be, and what makes the addresses of those that are begun; so many are begun at a time. Nothing
    /// if the longest way goes first, whatever it begins with.
    pub(super) begun: Option<u32>,
}

/// How far an order went of what could have been refused: with bounds that are not below it, it is the same.
#[derive(Clone, Copy, Default)]
pub(super) struct Reached {
    /// The most loads that were begun at a time.
    pub(super) begun: u32,
    /// How far an instruction was ahead of the order that it goes along with when it was ready.
    pub(super) ahead: u32,
}

/// The loads whose addresses are being made.
struct Begun {
    most: u32,
    count: u32,
    is_begun: Vec<bool>,
}

impl Begun {
    fn of(style: Style, count: usize) -> Option<Begun> {
        Some(Begun {
            most: style.begun?,
            count: 0,
            is_begun: vec![false; count],
        })
    }

    /// How much an instruction is wanted; nothing if it would begin one load too many.
    fn urgency(&self, node: &Node) -> Option<bool> {
        match node.load {
            _ if node.is_load => Some(true),
            NONE => Some(false),
            load if self.is_begun[load as usize] => Some(true),
            _ => (self.count < self.most).then_some(false),
        }
    }

    /// The place of the instruction that is wanted most, of ready ones from the last on.
    fn most_wanted<'a>(
        &self,
        nodes: &[Node],
        ready: impl Iterator<Item = (usize, &'a Ready)>,
        fits: impl Fn(u32) -> bool,
    ) -> Option<usize> {
        let mut other = None;
        for (place, (.., at)) in ready {
            match self.urgency(&nodes[*at as usize]) {
                Some(true) if fits(*at) => return Some(place),
                Some(false) if other.is_none() && fits(*at) => other = Some(place),
                _ => {}
            }
        }
        other
    }

    /// Notes that an instruction was placed.
    fn place(&mut self, at: u32, node: &Node) {
        if node.is_load {
            let was_begun = std::mem::replace(&mut self.is_begun[at as usize], true);
            self.count -= u32::from(was_begun);
        } else if node.load != NONE {
            let was_begun = std::mem::replace(&mut self.is_begun[node.load as usize], true);
            self.count += u32::from(!was_begun);
        }
    }
}

/// An instruction that is ready: its way, what decides between equal ones, and its number.
type Ready = (u32, u32, u32);

/// What an instruction waits for.
#[derive(Clone, Copy)]
struct Waits {
    /// How many come before it that are not placed yet.
    before: u32,
    /// The cycle from which it is ready, and the same where what executes it is waited for, too.
    from: u32,
    by_clock: u32,
}

impl Region<'_> {
    /// The order in which long ways go first, as long as there are registers; along another order, where one is given.
    pub(super) fn list(
        &self,
        graph: &Graph,
        along: Option<Along>,
        bounds: Bounds,
        scratch: &mut Scratch,
    ) -> Option<Listed> {
        let limits = bounds.limits;
        let nodes = &graph.nodes;
        let count = nodes.len();
        let start = nodes.iter().map(|node| Waits {
            before: node.before,
            from: node.late,
            by_clock: node.late,
        });
        let mut waits: Vec<Waits> = start.collect();
        let mut clock = Clock::of(graph);
        let rank = |at: u32| along.map_or(at, |along| along.rank[at as usize]);
        scratch.reached = Reached::default();
        // How many of the other order are placed without a gap; those too far after them wait, by their place there.
        let mut placed = 0u32;
        let mut is_placed = vec![false; if along.is_some() { count } else { 0 }];
        let mut ahead: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        self.begin(graph, scratch);
        // Both in order, what comes next at the end: the cycle and the instruction, the way and what decides between equal ones.
        let mut waiting: Vec<(u32, u32)> = Vec::new();
        let mut ready: Vec<Ready> = Vec::new();
        let wait = |waiting: &mut Vec<(u32, u32)>, one: (u32, u32)| {
            let place = waiting.partition_point(|other| *other > one);
            waiting.insert(place, one);
        };
        let get_ready = |ready: &mut Vec<Ready>, at: u32| {
            let one = (nodes[at as usize].way, u32::MAX - rank(at), at);
            let place = ready.partition_point(|other| *other < one);
            ready.insert(place, one);
        };
        for at in 0..count as u32 {
            if nodes[at as usize].before == 0 {
                scratch.reached.ahead = scratch.reached.ahead.max(rank(at));
                match along {
                    Some(along) if rank(at) >= along.window => ahead.push(Reverse((rank(at), at))),
                    _ if nodes[at as usize].late > 0 => {
                        wait(&mut waiting, (nodes[at as usize].late, at));
                    }
                    _ => ready.push((nodes[at as usize].way, u32::MAX - rank(at), at)),
                }
            }
        }
        ready.sort_unstable();
        let mut begun = Begun::of(bounds.style, count);
        let mut order = Vec::with_capacity(count);
        let (mut now, mut pressure) = (0u32, bounds.start);
        let mut peak = pressure;
        while order.len() < count {
            while let Some((_, at)) = waiting.pop_if(|one| one.0 <= now) {
                let Some(along) = along else {
                    get_ready(&mut ready, at);
                    continue;
                };
                let own = rank(at) - placed;
                scratch.reached.ahead = scratch.reached.ahead.max(own);
                match own >= along.window {
                    true => ahead.push(Reverse((rank(at), at))),
                    false => get_ready(&mut ready, at),
                }
            }
            let last = ready.len().checked_sub(1);
            let first = match &begun {
                None => last,
                Some(begun) => {
                    let from_last = ready.iter().enumerate().rev();
                    let best = begun.most_wanted(nodes, from_last, |_| true);
                    // Begins one too many, if nothing else is left.
                    best.or(last.filter(|_| waiting.is_empty()))
                }
            };
            let Some(first) = first else {
                now = waiting.last()?.0;
                continue;
            };
            let after = |change: Pressure| Pressure {
                registers: pressure.registers + change.registers,
                predicates: pressure.predicates + change.predicates,
            };
            let chosen;
            let mut change = self.change(graph, ready[first].2, scratch);
            let fits = |at: u32| after(self.change(graph, at, scratch)).over(limits) == 0;
            let fitting = match &begun {
                _ if after(change).over(limits) == 0 => Some(first),
                None => None,
                Some(begun) => {
                    let looked_at = ready.iter().enumerate().rev().take(LOOKED_AT);
                    begun.most_wanted(nodes, looked_at, fits)
                }
            };
            if let Some(fitting) = fitting {
                chosen = ready[fitting].2;
                if fitting != first {
                    change = self.change(graph, chosen, scratch);
                }
                ready.remove(fitting);
            } else {
                // The one that leaves the fewest registers, also among those that would have to wait.
                let cost = |at: u32, rank: u32| {
                    let change = self.change(graph, at, scratch);
                    let after = after(change);
                    let registers = after.registers + 2 * after.predicates;
                    ((after.over(limits), registers, rank), change)
                };
                let (.., reversed, at) = *ready.last()?;
                let mut best = (cost(at, u32::MAX - reversed), ready.len() - 1);
                let looked_at = ready.iter().enumerate().rev().take(LOOKED_AT);
                for (place, (_, reversed, at)) in looked_at.skip(1) {
                    let one = cost(*at, u32::MAX - reversed);
                    if one.0 < best.0.0 {
                        best = (one, place);
                    }
                }
                let mut is_late = false;
                // Nothing is better than what fits.
                if best.0.0.0 > 0 {
                    let looked_at = waiting.iter().enumerate().rev().take(LOOKED_AT);
                    for (place, (_, at)) in looked_at {
                        let one = cost(*at, rank(*at));
                        let is_better = match is_late {
                            true => one.0 < best.0.0,
                            false => one.0.0 < best.0.0.0,
                        };
                        if is_better {
                            (best, is_late) = ((one, place), true);
                        }
                    }
                }
                change = best.0.1;
                chosen = match is_late {
                    true => waiting.remove(best.1).1,
                    false => ready.remove(best.1).2,
                };
            }
            let at = chosen;
            now = now.max(waits[at as usize].from);
            pressure = after(change);
            if bounds.is_strict && graph.is_counted && pressure.over(limits) > 0 {
                return None;
            }
            peak.registers = peak.registers.max(pressure.registers);
            peak.predicates = peak.predicates.max(pressure.predicates);
            self.place(graph, at, scratch);
            order.push(at);
            let begins = clock.place(graph, at, waits[at as usize].by_clock);
            if let Some(begun) = &mut begun {
                begun.place(at, &nodes[at as usize]);
                scratch.reached.begun = scratch.reached.begun.max(begun.count);
            }
            if let Some(along) = along {
                is_placed[at as usize] = true;
                while (placed as usize) < count && is_placed[along.order[placed as usize] as usize]
                {
                    placed += 1;
                }
                while let Some(Reverse((place, at))) = ahead.peek().copied()
                    && place < placed.saturating_add(along.window)
                {
                    ahead.pop();
                    get_ready(&mut ready, at);
                }
            }
            for (to, cycles) in graph.after(at) {
                let own = &mut waits[*to as usize];
                own.from = own.from.max(now + u32::from(*cycles));
                own.by_clock = own.by_clock.max(begins + u32::from(*cycles));
                own.before -= 1;
                if own.before == 0 {
                    wait(&mut waiting, (own.from, *to));
                }
            }
            now += 1;
            if let Some(key) = bounds.better_than {
                clock.still_takes(ready.last().map_or(0, |one| one.0));
                let so_far = match graph.is_counted {
                    true => (peak.over(limits), clock.least(), peak.registers),
                    false => (0, clock.least(), i32::MIN),
                };
                if so_far >= key {
                    return None;
                }
            }
        }
        Some(Listed {
            order,
            peak: graph.is_counted.then_some(peak),
            cycles: Some(clock.cycles()),
        })
    }

    /// Begins to count what is live.
    fn begin(&self, graph: &Graph, scratch: &mut Scratch) {
        graph.changes.begin(&mut scratch.current);
        if graph.rewrites.is_empty() {
            return;
        }
        let tallies = &mut scratch.tallies;
        for touch in self.touches() {
            tallies[touch.at as usize] = Tally::default();
        }
        for at in 0..self.insts.len() as u32 {
            for read in self.reads(at) {
                let own = &mut tallies[read.at as usize];
                own.reads += u32::from(read.times);
                own.live |= !own.written;
            }
            for write in self.writes(at) {
                tallies[write.at as usize].written = true;
            }
        }
        // What lives on is read once more.
        for touch in self.touches().iter().filter(|touch| touch.outlives) {
            let own = &mut tallies[touch.at as usize];
            own.reads += u32::from(!std::mem::replace(&mut own.counted, true));
        }
    }

    /// Goes over an instruction that comes next.
    fn place(&self, graph: &Graph, at: u32, scratch: &mut Scratch) {
        graph.changes.go_on(at, &mut scratch.current);
        if graph.rewrites.is_empty() {
            return;
        }
        for read in self.reads(at) {
            let own = &mut scratch.tallies[read.at as usize];
            own.reads = own.reads.saturating_sub(read.times.into());
            own.live &= own.reads > 0;
        }
        for write in self.writes(at) {
            let own = &mut scratch.tallies[write.at as usize];
            own.live |= own.reads > 0;
        }
    }

    /// How what is live changes by an instruction.
    fn change(&self, graph: &Graph, at: u32, scratch: &Scratch) -> Pressure {
        if graph.rewrites.is_empty() || !graph.rewrites[at as usize] {
            return scratch.current.of(at);
        }
        let mut change = Pressure::default();
        for read in self.reads(at) {
            let tally = &scratch.tallies[read.at as usize];
            let dies = tally.live && tally.reads == u32::from(read.times);
            change.touch(read, -i32::from(dies));
        }
        for write in self.writes(at) {
            let tally = &scratch.tallies[write.at as usize];
            let comes = !tally.live && tally.reads > u32::from(write.times);
            change.touch(write, comes.into());
        }
        change
    }
}
