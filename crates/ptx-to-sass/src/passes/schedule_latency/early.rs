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
        let before = befores(graph);
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
                match self.together(graph, &before, &moved, load, to) {
                    Err(after) => to = after,
                    Ok(group) => {
                        work += order.len();
                        let mut new = moved.with(&group, to);
                        self.count(&mut new, end, scratch);
                        if new.live.iter().all(|one| one.over(limits) <= most) {
                            moved = new;
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
        before: &[Vec<u32>],
        moved: &Moved,
        load: u32,
        to: usize,
    ) -> Result<Vec<u32>, usize> {
        let mut group = vec![load];
        let mut next = 0;
        while next < group.len() {
            for one in &before[group[next] as usize] {
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

    /// The same with some instructions at an earlier place.
    fn with(&self, group: &[u32], to: usize) -> Moved {
        let mut order = Vec::with_capacity(self.order.len());
        order.extend(&self.order[..to]);
        order.extend(group);
        order.extend(self.order[to..].iter().filter(|at| !group.contains(at)));
        Moved::of(order)
    }
}

/// For each instruction those that come before it.
fn befores(graph: &Graph) -> Vec<Vec<u32>> {
    let mut before = vec![Vec::new(); graph.nodes.len()];
    for at in 0..graph.nodes.len() as u32 {
        for (to, _) in graph.after(at) {
            before[*to as usize].push(at);
        }
    }
    before
}
