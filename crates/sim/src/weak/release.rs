//! What a write hands on: the release patterns that a read of it, or of an atomic operation that goes back to it, observes.

use super::know::{Know, Thread};
use crate::program::{Order, Scope};

/// How far apart threads are: in one block, in one cluster, or anywhere.
pub(super) type Distance = usize;

/// The distances: each scope includes this one and the lesser.
pub(super) fn reach(scope: Scope) -> Distance {
    match scope {
        Scope::Cta => 0,
        Scope::Cluster => 1,
        Scope::Gpu | Scope::Sys => 2,
    }
}

/// How blocks and clusters are made of warps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Warps of a block.
    pub(super) warps: u32,
    /// Blocks of a cluster.
    pub(super) blocks: u32,
}

/// In the place of a block: several, which are not told apart and count as near.
const ANY: u32 = u32::MAX;

impl Shape {
    pub(super) fn block(&self, thread: Thread) -> u32 {
        thread / 32 / self.warps
    }

    pub(super) fn distance(&self, a: u32, b: u32) -> Distance {
        if a == b || a == ANY || b == ANY {
            0
        } else if a / self.blocks == b / self.blocks {
            1
        } else {
            2
        }
    }
}

/// Who does an access, and how strong it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) thread: Thread,
    pub(super) strong: bool,
    pub(super) reach: Distance,
}

/// Nobody: what memory held before the launch.
pub(super) const NOBODY: Mark = Mark {
    thread: Thread::MAX,
    strong: false,
    reach: 0,
};

impl Mark {
    pub(super) fn new(thread: Thread, order: Order) -> Mark {
        Mark {
            thread,
            strong: order.strong,
            reach: reach(order.scope),
        }
    }

    /// Whether two accesses of the same bytes are morally strong.
    pub(super) fn is_strong_with(&self, other: &Mark, shape: &Shape) -> bool {
        if self.thread == other.thread {
            return true;
        }
        if !self.strong || !other.strong {
            return false;
        }
        let distance = shape.distance(shape.block(self.thread), shape.block(other.thread));
        distance <= self.reach.min(other.reach)
    }
}

/// A release pattern.
#[derive(Clone, Debug)]
pub(super) struct Release {
    /// The block of the thread that released.
    block: u32,
    /// How far the scope of the release goes.
    reach: Distance,
    /// What was known to the thread, itself included.
    pub(super) know: Know,
}

impl Release {
    pub(super) fn new(block: u32, reach: Distance, know: Know) -> Release {
        Release { block, reach, know }
    }

    /// How far away a block is, if the release is for it.
    pub(super) fn distance(&self, shape: &Shape, block: u32) -> Option<Distance> {
        let distance = shape.distance(self.block, block);
        (distance <= self.reach).then_some(distance)
    }
}

/// So many release patterns of a write are told apart.
const MOST: usize = 16;

/// The release patterns of a write.
#[derive(Clone, Debug, Default)]
pub(super) struct Releases(Vec<Release>);

impl Releases {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Release> {
        self.0.iter()
    }

    /// One more. Where there are too many they become one that is for all, which orders more, and never less.
    pub(super) fn add(&mut self, release: Release) {
        let same = |old: &&mut Release| (old.block, old.reach) == (release.block, release.reach);
        if let Some(old) = self.0.iter_mut().find(same) {
            old.know.join(&release.know);
            return;
        }
        if self.0.len() >= MOST {
            let mut all = Release::new(ANY, 2, Know::default());
            for old in self.0.drain(..) {
                all.know.join(&old.know);
            }
            self.0.push(all);
        }
        self.0.push(release);
    }
}
