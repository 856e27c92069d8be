//! The order in which long ways go first, from the beginning on.

use super::graph::Graph;
use super::pressure::Pressure;
use super::{LOOKED_AT, Region, Scratch, Tally};
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

impl Region<'_> {
    /// The order in which long ways go first, as long as there are registers; along another order, where one is given.
    pub(super) fn list(
        &self,
        graph: &Graph,
        along: Option<Along>,
        start: Pressure,
        limits: Pressure,
        scratch: &mut Scratch,
    ) -> Option<Vec<u32>> {
        let nodes = &graph.nodes;
        let count = nodes.len();
        let mut before: Vec<u32> = nodes.iter().map(|node| node.before).collect();
        let mut from: Vec<u32> = vec![0; count];
        let rank = |at: u32| along.map_or(at, |along| along.rank[at as usize]);
        // How many of the other order are placed without a gap; those too far after them wait, by their place there.
        let mut placed = 0u32;
        let mut is_placed = vec![false; if along.is_some() { count } else { 0 }];
        let mut ahead: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        self.begin(scratch);
        // Both in order, what comes next at the end: the cycle and the instruction, the way and what decides between equal ones.
        let mut waiting: Vec<(u32, u32)> = Vec::new();
        let mut ready: Vec<(u32, u32, u32)> = Vec::new();
        let wait = |waiting: &mut Vec<(u32, u32)>, one: (u32, u32)| {
            let place = waiting.partition_point(|other| *other > one);
            waiting.insert(place, one);
        };
        let get_ready = |ready: &mut Vec<(u32, u32, u32)>, at: u32| {
            let one = (nodes[at as usize].way, u32::MAX - rank(at), at);
            let place = ready.partition_point(|other| *other < one);
            ready.insert(place, one);
        };
        for at in 0..count as u32 {
            if before[at as usize] == 0 {
                match along {
                    Some(along) if rank(at) >= along.window => ahead.push(Reverse((rank(at), at))),
                    _ => ready.push((nodes[at as usize].way, u32::MAX - rank(at), at)),
                }
            }
        }
        ready.sort_unstable();
        let mut order = Vec::with_capacity(count);
        let (mut now, mut pressure) = (0u32, start);
        while order.len() < count {
            while let Some((_, at)) = waiting.pop_if(|one| one.0 <= now) {
                match along {
                    Some(along) if rank(at) - placed >= along.window => {
                        ahead.push(Reverse((rank(at), at)));
                    }
                    _ => get_ready(&mut ready, at),
                }
            }
            let Some((.., first)) = ready.last().copied() else {
                now = waiting.last()?.0;
                continue;
            };
            let after = |change: Pressure| Pressure {
                registers: pressure.registers + change.registers,
                predicates: pressure.predicates + change.predicates,
            };
            let mut chosen = first;
            let mut change = self.change(first, scratch);
            if after(change).over(limits) == 0 {
                ready.pop();
            } else {
                // The one that leaves the fewest registers, also among those that would have to wait.
                let cost = |at: u32| {
                    let change = self.change(at, scratch);
                    let after = after(change);
                    let registers = after.registers + 2 * after.predicates;
                    ((after.over(limits), registers, rank(at)), change)
                };
                let looked_at = ready.iter().enumerate().rev().take(LOOKED_AT);
                let best = looked_at
                    .map(|(place, one)| (cost(one.2), place))
                    .min_by_key(|one| one.0.0)?;
                let mut best_late = None;
                // Nothing is better than what fits.
                if best.0.0.0 > 0 {
                    let looked_at = waiting.iter().enumerate().rev().take(LOOKED_AT);
                    best_late = looked_at
                        .map(|(place, one)| (cost(one.1), place))
                        .min_by_key(|one| one.0.0)
                        .filter(|late| late.0.0.0 < best.0.0.0);
                }
                match best_late {
                    Some(((_, of_it), place)) => {
                        change = of_it;
                        chosen = waiting.remove(place).1;
                    }
                    None => {
                        change = best.0.1;
                        chosen = ready.remove(best.1).2;
                    }
                }
            }
            let at = chosen;
            now = now.max(from[at as usize]);
            pressure = after(change);
            for read in self.reads(at) {
                let own = &mut scratch.tallies[read.at as usize];
                own.reads = own.reads.saturating_sub(read.times.into());
                own.live &= own.reads > 0;
            }
            for write in self.writes(at) {
                let own = &mut scratch.tallies[write.at as usize];
                own.live |= own.reads > 0;
            }
            order.push(at);
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
                let to_index = *to as usize;
                from[to_index] = from[to_index].max(now + u32::from(*cycles));
                before[to_index] -= 1;
                if before[to_index] == 0 {
                    wait(&mut waiting, (from[to_index], *to));
                }
            }
            now += 1;
        }
        Some(order)
    }

    /// Counts what is read, and what is live before the region.
    fn begin(&self, scratch: &mut Scratch) {
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

    /// How what is live changes by an instruction.
    fn change(&self, at: u32, scratch: &Scratch) -> Pressure {
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
