//! The clocks of threads: what each has done and knows, once for all lanes of a warp that are alike.
//!
//! A thread's own clock ticks when it hands on what it did before: at barriers, releases and fences. Lanes of a warp
//! that executed the same of these know the same, so they are a [`Class`] with one [`State`]; in code without
//! divergence a warp has one class. Where lanes go ways of their own, the class is split, and where they are alike
//! again, merged.

use super::know::{Actor, Block, COPIES, Copies, Entry, Know, copier, copies_of, number_of};
use super::know::{CHANNELS, height};
use super::location::Begin;
use super::shadow::LAST_CLOCK;
use crate::program::{Order, Scope};
use smallvec::SmallVec;
use std::sync::Arc;

/// What does not change during a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Levels of [`Know`].
    pub(super) height: u32,
    /// Warps of a block.
    pub(super) warps: u32,
    /// Blocks of a cluster.
    pub(super) blocks: u32,
    /// How far the scopes of all strong accesses of global memory reach at least.
    pub(super) narrowest: Distance,
}

/// How far apart two threads are, as scopes see it: in one block, in one cluster, or anywhere.
pub(super) type Distance = usize;

/// The distances that a scope includes: this one and the lesser.
pub(super) fn reach(scope: Scope) -> Distance {
    match scope {
        Scope::Cta => 0,
        Scope::Cluster => 1,
        Scope::Gpu | Scope::Sys => 2,
    }
}

/// The narrowest scope that includes a distance.
pub(super) fn needed(distance: Distance) -> Scope {
    match distance {
        0 => Scope::Cta,
        1 => Scope::Cluster,
        _ => Scope::Gpu,
    }
}

impl Shape {
    pub(super) fn new(warps: u32, blocks: u32, of_grid: u64, narrowest: Distance) -> Shape {
        Shape {
            height: height(of_grid),
            warps: warps.max(1),
            blocks: blocks.max(1),
            narrowest,
        }
    }

    /// The block of an actor. An mbarrier counts as one of the first block of its cluster.
    pub(super) fn block(&self, actor: Actor) -> u32 {
        match copies_of(actor) {
            Some(Copies::Counted) => number_of(actor) / CHANNELS * self.blocks,
            _ => number_of(actor) / self.warps,
        }
    }

    pub(super) fn distance(&self, a: u32, b: u32) -> Distance {
        if a == b {
            0
        } else if a / self.blocks == b / self.blocks {
            1
        } else {
            2
        }
    }
}

/// A thread by its warp and lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Who {
    pub(super) warp: Actor,
    pub(super) lane: u32,
}

/// What a thread had done and knew at a fence: what a strong write after it hands on.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) know: Know,
    own: u32,
    copies: [u32; 3],
}

/// Something that was seen, but orders nothing.
#[derive(Clone, Debug)]
pub(super) struct Missed {
    /// What would be known otherwise.
    pub(super) know: Know,
    /// The scope that both sides need.
    pub(super) needed: Scope,
    /// What there was of a release.
    pub(super) begin: Begin,
    /// The scope of the write.
    pub(super) write: Scope,
    /// How it was read.
    pub(super) read: Order,
}

/// What a strong read of a place saw that was no acquire: known after an acquire of the same place.
#[derive(Clone, Debug)]
struct Looked {
    /// The place; none if there were too many.
    at: Option<u64>,
    distance: Distance,
    know: Know,
}

/// So many of these are told apart. Others count for an acquire of any place: then something may be missed, but nothing is
/// reported that is ordered.
const MOST_LOOKED: usize = 8;

/// What a thread has done and knows.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The clock of what it does now.
    pub(super) own: u32,
    /// All threads of its block up to this clock.
    pub(super) all: u32,
    /// What it has learnt of its block lane by lane.
    near: Option<Arc<Block>>,
    /// What others handed on, of its block as well.
    far: Know,
    /// Groups of its own copies that it has waited for.
    copies: [u32; 3],
    /// Groups that it has closed: of small copies, and of bulk copies.
    pub(super) closed: [u32; 2],
    /// The last fences, by the distance that they reach at least.
    fenced: [Option<Arc<Snapshot>>; 3],
    /// What strong reads saw, by distance: known after a fence that reaches so far.
    seen: [Know; 3],
    /// The same by place.
    looked: Vec<Looked>,
    pub(super) missed: Option<Arc<Missed>>,
}

impl Default for State {
    fn default() -> State {
        State {
            own: 1,
            all: 0,
            near: None,
            far: Know::default(),
            copies: [0; 3],
            closed: [0; 2],
            fenced: Default::default(),
            seen: Default::default(),
            looked: Vec::new(),
            missed: None,
        }
    }
}

impl State {
    /// The clock up to which a thread, or its copies, are before this one.
    pub(super) fn knows(&self, shape: &Shape, who: Who, actor: Actor, lane: u32) -> u32 {
        let block = shape.block(actor);
        let mut clock = 0;
        if block == shape.block(who.warp) {
            clock = match &self.near {
                Some(near) => near.of(actor, lane),
                None => 0,
            };
            if actor & COPIES == 0 {
                clock = clock.max(self.all);
            }
        }
        if clock == 0 || !self.far.is_empty() {
            let far = self.far.block(block).map_or(0, |far| far.of(actor, lane));
            clock = clock.max(far);
        }
        if lane == who.lane && number_of(actor) == who.warp {
            match copies_of(actor) {
                None => return u32::MAX,
                Some(Copies::Counted) => {}
                Some(kind) => clock = clock.max(self.copies[kind as usize]),
            }
        }
        clock
    }

    /// Whether anything of another block is before this thread.
    pub(super) fn knows_of(&self, block: u32) -> bool {
        self.far.block(block).is_some()
    }

    /// Those of some lanes that did something at a clock and are not before this thread.
    pub(super) fn unordered(
        &self,
        shape: &Shape,
        who: Who,
        (actor, lanes, clock): (Actor, u32, u32),
    ) -> u32 {
        if actor & COPIES == 0 && clock <= self.all && shape.block(actor) == shape.block(who.warp) {
            return 0;
        }
        crate::exec::lanes(lanes)
            .filter(|lane| self.knows(shape, who, actor, *lane as u32) < clock)
            .fold(0, |mask, lane| mask | 1 << lane)
    }

    /// All that is known, without what the thread itself did.
    pub(super) fn known(&self, shape: &Shape, warp: Actor) -> Know {
        let mut know = self.far.clone();
        if self.all > 0 || self.near.is_some() {
            know.change(shape.height, shape.block(warp), |leaf| {
                leaf.raise(self.all);
                if let Some(near) = &self.near {
                    leaf.join(near);
                }
            });
        }
        know
    }

    /// What some lanes with this state hand on.
    pub(super) fn published(&self, shape: &Shape, warp: Actor, lanes: u32) -> Know {
        let snapshot = self.snapshot(shape, warp);
        snapshot.published(shape, warp, lanes)
    }

    fn snapshot(&self, shape: &Shape, warp: Actor) -> Snapshot {
        Snapshot {
            know: self.known(shape, warp),
            own: self.own,
            copies: self.copies,
        }
    }

    /// Learns of some lanes of an actor.
    pub(super) fn note(&mut self, shape: &Shape, warp: Actor, entry: Entry) {
        let block = shape.block(entry.actor);
        if block == shape.block(warp) {
            if entry.actor & COPIES == 0 && entry.clock <= self.all {
                return;
            }
            let near = self.near.get_or_insert_default();
            Arc::make_mut(near).add(entry);
        } else {
            self.far.change(shape.height, block, |leaf| {
                leaf.add(entry);
            });
        }
    }

    /// Learns what was handed on.
    pub(super) fn learn(&mut self, shape: &Shape, warp: Actor, know: &Know) {
        if let Some(leaf) = know.block(shape.block(warp)) {
            self.raise(leaf.all);
        }
        self.far.join(know);
    }

    /// All threads of the block are known up to a clock.
    pub(super) fn raise(&mut self, all: u32) {
        if all <= self.all {
            return;
        }
        self.all = all;
        if let Some(near) = &mut self.near {
            let near = Arc::make_mut(near);
            near.raise(all);
            if near.is_plain() {
                self.near = None;
            }
        }
    }

    /// What is done from now on is after what was handed on.
    pub(super) fn tick(&mut self) {
        // At the end of the clock all further accesses count as one; that many barriers are not reached.
        self.own = (self.own + 1).min(LAST_CLOCK);
    }

    /// A fence that reaches a distance.
    pub(super) fn fence(
        &mut self,
        shape: &Shape,
        warp: Actor,
        reach: Distance,
        (acquire, release): (bool, bool),
    ) {
        if acquire {
            self.looked.retain(|looked| looked.distance > reach);
            for distance in 0..=reach {
                let seen = std::mem::take(&mut self.seen[distance]);
                if !seen.is_empty() {
                    self.learn(shape, warp, &seen);
                }
            }
        }
        if release {
            let snapshot = Arc::new(self.snapshot(shape, warp));
            for slot in &mut self.fenced[..=reach] {
                *slot = Some(Arc::clone(&snapshot));
            }
            self.tick();
        }
    }

    /// The last fence that reaches a distance.
    pub(super) fn fenced(&self, distance: Distance) -> Option<&Arc<Snapshot>> {
        self.fenced[distance].as_ref()
    }

    /// Whether there was any fence.
    pub(super) fn has_fences(&self) -> bool {
        self.fenced[0].is_some()
    }

    /// A strong read of a place saw what somebody at a distance handed on.
    pub(super) fn saw(&mut self, distance: Distance, at: u64, know: &Know) {
        self.seen[distance].join(know);
        let is_of = |looked: &Looked, at| (looked.at, looked.distance) == (at, distance);
        if let Some(looked) = self.looked.iter_mut().find(|one| is_of(one, Some(at))) {
            looked.know.join(know);
            return;
        }
        if self.looked.len() >= MOST_LOOKED {
            // The first ones are those that are not told apart.
            let told_apart = self.looked.iter().position(|one| one.at.is_some());
            if let Some(index) = told_apart {
                let old = self.looked.remove(index);
                let rest = |one: &&mut Looked| one.at.is_none() && one.distance == old.distance;
                match self.looked.iter_mut().find(rest) {
                    Some(rest) => rest.know.join(&old.know),
                    None => self.looked.insert(0, Looked { at: None, ..old }),
                }
            }
        }
        self.looked.push(Looked {
            at: Some(at),
            distance,
            know: know.clone(),
        });
    }

    /// Waits for an object see what arrivals handed on; there is no other access of it.
    pub(super) fn saw_arrivals(&mut self, distance: Distance, know: &Know) {
        self.seen[distance].join(know);
    }

    /// An acquire of a place: what reads of it saw before is known now.
    pub(super) fn acquired(&mut self, shape: &Shape, warp: Actor, at: u64, reach: Distance) {
        if self.looked.is_empty() {
            return;
        }
        let looked = std::mem::take(&mut self.looked);
        let fits = |one: &Looked| one.distance <= reach && one.at.is_none_or(|of| of == at);
        let (known, rest) = looked.into_iter().partition(fits);
        self.looked = rest;
        let known: Vec<Looked> = known;
        known
            .iter()
            .for_each(|one| self.learn(shape, warp, &one.know));
    }

    /// What was seen and no fence came after.
    pub(super) fn unfenced(&self, distance: Distance) -> &Know {
        &self.seen[distance]
    }

    /// It has waited for copies of its own up to a group.
    pub(super) fn waited(&mut self, kind: Copies, group: u32) {
        let known = &mut self.copies[kind as usize];
        *known = (*known).max(group);
    }

    /// Whether it knows nothing but its block up to a clock.
    pub(super) fn is_plain(&self) -> bool {
        self.near.is_none() && self.far.is_empty() && self.copies == [0; 3]
    }

    /// It has met all threads of its block, who were at this clock at most.
    pub(super) fn meet(&mut self, last: u32) {
        self.raise(last);
        self.own = last;
        self.tick();
    }

    fn is_like(&self, other: &State) -> bool {
        fn same<T>(a: &Option<Arc<T>>, b: &Option<Arc<T>>) -> bool {
            match (a, b) {
                (None, None) => true,
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                _ => false,
            }
        }
        (self.own, self.all, self.copies, self.closed)
            == (other.own, other.all, other.copies, other.closed)
            && (same(&self.near, &other.near) || self.near == other.near)
            && self.far.is(&other.far)
            && (0..3)
                .all(|i| same(&self.fenced[i], &other.fenced[i]) && self.seen[i].is(&other.seen[i]))
            && self.looked.len() == other.looked.len()
            && self
                .looked
                .iter()
                .zip(&other.looked)
                .all(|(a, b)| (a.at, a.distance) == (b.at, b.distance) && a.know.is(&b.know))
    }

    /// Takes over what another knows, but keeps what only concerns the thread itself.
    pub(super) fn adopt(&mut self, other: &State) {
        self.own = other.own;
        self.all = other.all;
        self.near.clone_from(&other.near);
        self.far = other.far.clone();
    }
}

impl Snapshot {
    /// What some lanes hand on that were all at this point.
    pub(super) fn published(&self, shape: &Shape, warp: Actor, lanes: u32) -> Know {
        let mut know = self.know.clone();
        know.change(shape.height, shape.block(warp), |leaf| {
            for kind in [Copies::Small, Copies::Bulk, Copies::BulkRead] {
                let clock = self.copies[kind as usize];
                if clock > 0 {
                    leaf.add(Entry {
                        actor: copier(warp, kind),
                        lanes,
                        clock,
                    });
                }
            }
            leaf.add(Entry {
                actor: warp,
                lanes,
                clock: self.own,
            });
        });
        know
    }
}

/// Lanes of a warp with the same state.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) lanes: u32,
    pub(super) state: State,
}

/// The clocks of a warp.
#[derive(Clone, Debug)]
pub(super) struct WarpClock {
    pub(super) warp: Actor,
    pub(super) classes: SmallVec<[Class; 1]>,
}

impl WarpClock {
    pub(super) fn new(warp: Actor) -> WarpClock {
        let class = Class {
            lanes: u32::MAX,
            state: State::default(),
        };
        WarpClock {
            warp,
            classes: SmallVec::from_buf([class]),
        }
    }

    /// The classes of some lanes, which are separated from others where need be.
    pub(super) fn of(&mut self, lanes: u32) -> impl Iterator<Item = &mut Class> {
        for index in 0..self.classes.len() {
            let class = &mut self.classes[index];
            let inside = class.lanes & lanes;
            if inside != 0 && inside != class.lanes {
                let mut rest = class.clone();
                class.lanes = inside;
                rest.lanes &= !inside;
                self.classes.push(rest);
            }
        }
        self.classes
            .iter_mut()
            .filter(move |class| class.lanes & lanes != 0)
    }

    /// Makes one of classes that are alike.
    pub(super) fn merge(&mut self) {
        let mut index = 0;
        while index < self.classes.len() {
            let mut other = index + 1;
            while other < self.classes.len() {
                if self.classes[index]
                    .state
                    .is_like(&self.classes[other].state)
                {
                    self.classes[index].lanes |= self.classes[other].lanes;
                    self.classes.swap_remove(other);
                } else {
                    other += 1;
                }
            }
            index += 1;
        }
    }
}
