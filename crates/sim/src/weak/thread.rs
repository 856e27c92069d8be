//! What a thread has done and knows.

use super::know::{Know, Thread};
use super::release::{Distance, Release, Releases, Shape, reach};
use crate::program::Order;

/// A thread's state.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Who it is.
    pub(super) thread: Thread,
    /// The clock of what it does now. It ticks when the thread hands on what it did.
    pub(super) own: u32,
    /// What it knows of others.
    pub(super) know: Know,
    /// What it knew at its last fence that releases, by the distance that the fence reaches at least.
    fenced: [Option<Know>; 3],
    /// What strong reads observed, by distance: known after a fence that acquires and reaches so far.
    seen: [Know; 3],
}

/// What a thread did before at one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    /// What it knew at its last release there, by the distance that it reaches at least.
    released: [Option<Know>; 3],
    /// What strong reads of the place observed, by distance: known after an acquire of it that reaches so far.
    seen: [Know; 3],
}

impl Pattern {
    /// A write to the place released what was known.
    pub(super) fn release(&mut self, far: Distance, know: &Know) {
        for one in &mut self.released[..=far] {
            *one = Some(know.clone());
        }
    }
}

impl State {
    pub(super) fn new(thread: Thread) -> State {
        State {
            thread,
            own: 1,
            know: Know::default(),
            fenced: Default::default(),
            seen: Default::default(),
        }
    }

    /// All that is before what the thread does next, what it did included.
    pub(super) fn published(&self) -> Know {
        let mut know = self.know.clone();
        know.raise(self.thread, self.own);
        know
    }

    /// The release patterns that end with a strong write: by the write itself, by fences before it, and by earlier
    /// releases of the same place.
    pub(super) fn releases(
        &self,
        shape: &Shape,
        order: Order,
        pattern: Option<&Pattern>,
    ) -> Releases {
        let block = shape.block(self.thread);
        let mut all = Releases::default();
        if order.release {
            all.add(Release::new(block, reach(order.scope), self.published()));
        }
        let earlier = pattern.map(|pattern| &pattern.released);
        for from in [Some(&self.fenced), earlier].into_iter().flatten() {
            for (far, know) in from.iter().enumerate() {
                if let Some(know) = know {
                    all.add(Release::new(block, far, know.clone()));
                }
            }
        }
        all
    }

    /// A strong read observed a write with these releases. What is learned only by a later acquire of the place is kept
    /// in the pattern.
    pub(super) fn observe(
        &mut self,
        shape: &Shape,
        order: Order,
        releases: &Releases,
        pattern: Option<&mut Pattern>,
    ) {
        let block = shape.block(self.thread);
        let far = reach(order.scope);
        let mut later: [Know; 3] = Default::default();
        for release in releases.iter() {
            match release.distance(shape, block) {
                None => {}
                Some(distance) if order.acquire && distance <= far => {
                    self.know.join(&release.know);
                }
                Some(distance) => {
                    self.seen[distance].join(&release.know);
                    later[distance].join(&release.know);
                }
            }
        }
        if let Some(pattern) = pattern {
            for (kept, new) in pattern.seen.iter_mut().zip(&later) {
                kept.join(new);
            }
        }
    }

    /// An acquire of a place: what strong reads of it observed before is known.
    pub(super) fn acquire(&mut self, order: Order, pattern: &Pattern) {
        for seen in &pattern.seen[..=reach(order.scope)] {
            self.know.join(seen);
        }
    }

    /// The part of a fence that acquires.
    pub(super) fn fence_acquire(&mut self, order: Order) {
        for seen in &mut self.seen[..=reach(order.scope)] {
            self.know.join(&std::mem::take(seen));
        }
    }

    /// The part of a fence that releases.
    pub(super) fn fence_release(&mut self, order: Order) {
        let know = self.published();
        for one in &mut self.fenced[..=reach(order.scope)] {
            *one = Some(know.clone());
        }
        self.own += 1;
    }
}
