//! Loads go up in an order, as far as there are registers.
//!
//! ```text
//!   LDG %r1 ; FADD %r5, %r5, %r1           LDG %r1 ; LDG %r2
//!   LDG %r2 ; FADD %r5, %r5, %r2    ──►    FADD %r5, %r5, %r1 ; LDG %r3
//!   LDG %r3 ; FADD %r5, %r5, %r3           FADD %r5, %r5, %r2 ; FADD %r5, %r5, %r3
//! ```
//!
//! An order that needs few registers has each load right before who reads it. One after the other goes up from there with what
//! makes its address, as far as what it writes does not make too much live on the way: so as many loads as registers last for are
//! under way at a time, and the next one begins where the first of them is read.

use super::graph::Graph;
use super::pressure::Pressure;
use super::{Region, Scratch};
use crate::analysis::guarded::Guarded;
use std::ops::Range;

/// The most instructions that go up with a load.
const MOST_TOGETHER: usize = 12;
/// How many places are tried for a load.
const TRIES: usize = 4;
/// The most instructions that are looked at for all loads of a region.
const MOST_WORK: usize = 1 << 21;

/// An order on its way.
struct Moved {
    order: Vec<u32>,
    /// The place of each instruction in it.
    places: Vec<u32>,
    /// What is live before each place, and at the end.
    live: Vec<Pressure>,
}

impl Region<'_> {
    /// The order with loads as early as can be, if anything changes; `end` is what is live after it.
    pub(super) fn loads_early(
        &self,
        graph: &Graph,
        order: &[u32],
        end: Pressure,
        limits: Pressure,
        scratch: &mut Scratch,
    ) -> Option<Vec<u32>> {
        let mut moved = Moved::of(order.to_vec());
        self.count(&mut moved, end, scratch);
        let most = moved.live.iter().map(|one| one.over(limits)).max()?;
        if graph.is_counted {
            graph.changes.begin_at_end(&mut scratch.current);
        }
        let mut is_changed = false;
        let loads: Vec<u32> = order
            .iter()
            .copied()
            .filter(|at| graph.nodes[*at as usize].is_load)
            .collect();
        let mut work = 0;
        for load in loads {
            let from = moved.places[load as usize] as usize;
            // What it writes lives on the way, at least.
            let width = self
                .writes(load)
                .iter()
                .filter(|write| write.is_register)
                .count() as i32;
            let fits = |one: &Pressure| {
                let registers = one.registers + width;
                Pressure { registers, ..*one }.over(limits) <= most
            };
            let held = moved.live[..from].iter().rposition(|one| !fits(one));
            let mut to = held.map_or(0, |held| held + 1);
            for _ in 0..TRIES {
                if to + 1 >= from || work > MOST_WORK {
                    break;
                }
                match self.together(graph, &moved, load, to) {
                    Err(after) => to = after,
                    Ok(group) => {
                        work += order.len();
                        let fits = |one: &Pressure| one.over(limits) <= most;
                        let is_moved = match graph.is_counted {
                            true => moved.go_up(graph, &group, to..from + 1, fits, scratch),
                            false => {
                                let mut new = moved.with(&group, to);
                                self.count(&mut new, end, scratch);
                                let is_moved = new.live.iter().all(fits);
                                if is_moved {
                                    moved = new;
                                }
                                is_moved
                            }
                        };
                        if is_moved {
                            if cfg!(debug_assertions) {
                                let mut again = Moved::of(moved.order.clone());
                                self.count(&mut again, end, scratch);
                                debug_assert_eq!(again.live, moved.live);
                            }
                            is_changed = true;
                            break;
                        }
                        to = to.midpoint(from) + 1;
                    }
                }
            }
        }
        is_changed.then_some(moved.order)
    }

    /// What has to go to a place with a load, in order; or the first place at which less has to.
    fn together(
        &self,
        graph: &Graph,
        moved: &Moved,
        load: u32,
        to: usize,
    ) -> Result<Vec<u32>, usize> {
        let mut group = vec![load];
        let mut next = 0;
        while next < group.len() {
            for one in graph.before(group[next]) {
                let place = moved.places[*one as usize] as usize;
                if place < to || group.contains(one) {
                    continue;
                }
                let memory = self.insts[*one as usize].shape.memory();
                let stays = graph.nodes[*one as usize].is_load
                    || memory.access.contains(warpc_sass::shape::Access::WRITE);
                if stays || group.len() == MOST_TOGETHER {
                    return Err(place + 1);
                }
                group.push(*one);
            }
            next += 1;
        }
        group.sort_unstable_by_key(|one| moved.places[*one as usize]);
        Ok(group)
    }

    /// Counts what is live at each place.
    fn count(&self, moved: &mut Moved, end: Pressure, scratch: &mut Scratch) {
        self.begin_at_end(scratch);
        let (mut pressure, mut guarded) = (end, Guarded::default());
        moved.live.clear();
        moved.live.push(end);
        for at in moved.order.iter().rev() {
            self.go_back(*at, &mut pressure, &mut guarded, scratch);
            moved.live.push(pressure);
        }
        moved.live.reverse();
    }
}

impl Moved {
    fn of(order: Vec<u32>) -> Moved {
        let mut places = vec![0; order.len()];
        for (place, at) in (0..).zip(&order) {
            places[*at as usize] = place;
        }
        Moved {
            order,
            places,
            live: Vec::new(),
        }
    }

    /// Moves some instructions of a part of the order, the last of which is one of them, to its beginning, if what is live fits then;
    /// whether it does. All else stays as it is.
    fn go_up(
        &mut self,
        graph: &Graph,
        group: &[u32],
        part: Range<usize>,
        fits: impl Fn(&Pressure) -> bool,
        scratch: &Scratch,
    ) -> bool {
        let mut new = Vec::with_capacity(part.len());
        new.extend(group);
        let mut left = group.iter().copied().peekable();
        let others = self.order[part.clone()].iter().copied();
        new.extend(others.filter(|at| left.next_if_eq(at).is_none()));
        for (place, at) in (part.start as u32..).zip(&new) {
            self.places[*at as usize] = place;
        }
        let mut now = self.live[part.start];
        let mut live = Vec::with_capacity(part.len());
        for at in &new {
            let change = graph.changes.in_order(*at, &self.places, &scratch.current);
            now.registers += change.registers;
            now.predicates += change.predicates;
            if !fits(&now) {
                break;
            }
            live.push(now);
        }
        let is_moved = live.len() == new.len();
        if is_moved {
            self.live[part.start + 1..=part.end].copy_from_slice(&live);
            self.order[part].copy_from_slice(&new);
        } else {
            for (place, at) in (part.start as u32..).zip(&self.order[part]) {
                self.places[*at as usize] = place;
            }
        }
        is_moved
    }

    /// The same with some instructions at an earlier place.
    fn with(&self, group: &[u32], to: usize) -> Moved {
        let mut order = Vec::with_capacity(self.order.len());
        order.extend(&self.order[..to]);
        order.extend(group);
        order.extend(self.order[to..].iter().filter(|at| !group.contains(at)));
        Moved::of(order)
    }
}
