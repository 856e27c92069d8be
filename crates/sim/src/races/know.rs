//! What a thread knows of others: up to which clock each of them is ordered before it.
//!
//! ```text
//!   Know: block ──► Block { all threads up to a clock, some lanes of some warps up to later clocks }
//! ```
//!
//! That is a vector clock with an entry for every thread of the grid, kept small by what synchronisation does: a
//! barrier makes whole blocks equal, and most threads know nothing of other blocks. The map from blocks is a tree
//! whose parts are shared by all who know the same, so that handing on what is known costs what is new in it.

use std::sync::Arc;

/// What executes accesses: a warp by its number in the grid, or what does asynchronous copies.
///
/// Copies are accesses of something beside the thread: nothing that the thread does is after them until it has
/// waited. Those that a group of the thread waits for belong to a second self of the warp, with the number of the
/// group as clock; those that an mbarrier counts belong to the mbarrier, with its phase as clock.
pub(super) type Actor = u32;

/// Set in actors that are not warps.
pub(super) const COPIES: Actor = 1 << 31;
const KIND_SHIFT: u32 = 29;
const NUMBER: u32 = (1 << KIND_SHIFT) - 1;
/// Barrier objects that a group of blocks has at most, as far as copies that they count are watched.
pub(super) const CHANNELS: u32 = 64;

/// What waits for asynchronous copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copies {
    /// `cp.async.wait_group`
    Small,
    /// `cp.async.bulk.wait_group`
    Bulk,
    /// `cp.async.bulk.wait_group.read`
    BulkRead,
    /// An mbarrier.
    Counted,
}

/// The second self of a warp for copies.
pub(super) fn copier(warp: Actor, kind: Copies) -> Actor {
    COPIES | (kind as u32) << KIND_SHIFT | warp & NUMBER
}

/// An mbarrier: one of a group's.
pub(super) fn channel(group: u64, index: u32) -> Actor {
    copier(
        (group as u32).wrapping_mul(CHANNELS).wrapping_add(index),
        Copies::Counted,
    )
}

/// What kind of copies an actor does; none for a warp.
pub(super) fn copies_of(actor: Actor) -> Option<Copies> {
    (actor & COPIES != 0).then_some(match actor >> KIND_SHIFT & 3 {
        0 => Copies::Small,
        1 => Copies::Bulk,
        2 => Copies::BulkRead,
        _ => Copies::Counted,
    })
}

/// The number of the warp, or of the barrier object, without the kind.
pub(super) fn number_of(actor: Actor) -> u32 {
    if actor & COPIES == 0 {
        actor
    } else {
        actor & NUMBER
    }
}

/// Some lanes of an actor, up to a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) actor: Actor,
    pub(super) lanes: u32,
    pub(super) clock: u32,
}

/// What is known of a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Block {
    /// All its threads (but not their copies) up to this clock.
    pub(super) all: u32,
    /// Beyond that: in the order of actors, each lane at most once.
    pub(super) entries: Vec<Entry>,
}

impl Block {
    /// The clock up to which a lane is known.
    pub(super) fn of(&self, actor: Actor, lane: u32) -> u32 {
        let base = if actor & COPIES == 0 { self.all } else { 0 };
        let start = self.entries.partition_point(|entry| entry.actor < actor);
        let own = self.entries[start..]
            .iter()
            .take_while(|entry| entry.actor == actor)
            .find(|entry| entry.lanes >> lane & 1 != 0);
        own.map_or(base, |entry| entry.clock.max(base))
    }

    /// Learns of some lanes; whether that was new.
    pub(super) fn add(&mut self, mut new: Entry) -> bool {
        if new.actor & COPIES == 0 && new.clock <= self.all || new.lanes == 0 {
            return false;
        }
        let start = self
            .entries
            .partition_point(|entry| entry.actor < new.actor);
        let mut index = start;
        while let Some(old) = self.entries.get_mut(index) {
            if old.actor != new.actor {
                break;
            }
            if old.clock >= new.clock {
                new.lanes &= !old.lanes;
            } else {
                old.lanes &= !new.lanes;
                if old.lanes == 0 {
                    self.entries.remove(index);
                    continue;
                }
            }
            index += 1;
        }
        if new.lanes == 0 {
            return false;
        }
        self.entries.insert(index, new);
        true
    }

    /// All threads are known up to a clock.
    pub(super) fn raise(&mut self, all: u32) -> bool {
        if all <= self.all {
            return false;
        }
        self.all = all;
        self.entries
            .retain(|entry| entry.actor & COPIES != 0 || entry.clock > all);
        true
    }

    /// Learns what another knows; whether that was new.
    pub(super) fn join(&mut self, other: &Block) -> bool {
        let mut changed = self.raise(other.all);
        for entry in &other.entries {
            changed |= self.add(*entry);
        }
        changed
    }
}

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

#[derive(Clone, Debug)]
enum Node {
    Branch(u32, [Option<Arc<Node>>; WIDTH]),
    Leaf(Block),
}

/// What is known of all blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Know(Option<Arc<Node>>);

impl Know {
    /// Whether two know the same, as far as that can be said at once.
    pub(super) fn is(&self, other: &Know) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What is known of a block.
    pub(super) fn block(&self, block: u32) -> Option<&Block> {
        let mut node = self.0.as_deref()?;
        loop {
            match node {
                Node::Leaf(leaf) => return Some(leaf),
                Node::Branch(shift, children) => {
                    node = children[(block >> shift) as usize % WIDTH].as_deref()?;
                }
            }
        }
    }

    /// Changes what is known of a block. `height` is the same for all of a launch: [`height`].
    pub(super) fn change(&mut self, height: u32, block: u32, change: impl FnOnce(&mut Block)) {
        let mut slot = &mut self.0;
        for level in (0..height).rev() {
            let empty = || Arc::new(Node::Branch(level * BITS, Default::default()));
            let node = Arc::make_mut(slot.get_or_insert_with(empty));
            let Node::Branch(shift, children) = node else {
                return;
            };
            slot = &mut children[(block >> *shift) as usize % WIDTH];
        }
        let leaf =
            Arc::make_mut(slot.get_or_insert_with(|| Arc::new(Node::Leaf(Block::default()))));
        if let Node::Leaf(leaf) = leaf {
            change(leaf);
        }
    }

    /// Learns what another knows.
    pub(super) fn join(&mut self, other: &Know) {
        join(&mut self.0, &other.0);
    }
}

/// Levels of the tree for so many blocks.
pub(super) fn height(blocks: u64) -> u32 {
    let bits = u64::BITS - blocks.saturating_sub(1).leading_zeros();
    bits.div_ceil(BITS)
}

fn join(to: &mut Option<Arc<Node>>, from: &Option<Arc<Node>>) {
    let Some(from) = from else { return };
    let Some(own) = to else {
        *to = Some(Arc::clone(from));
        return;
    };
    if Arc::ptr_eq(own, from) || contains(own, from) {
        return;
    }
    if contains(from, own) {
        *own = Arc::clone(from);
        return;
    }
    match (Arc::make_mut(own), &**from) {
        (Node::Branch(_, own), Node::Branch(_, from)) => {
            for (own, from) in own.iter_mut().zip(from) {
                join(own, from);
            }
        }
        (Node::Leaf(own), Node::Leaf(from)) => {
            own.join(from);
        }
        _ => {}
    }
}

/// Whether the first knows at least what the second does. That keeps parts shared.
fn contains(most: &Arc<Node>, least: &Arc<Node>) -> bool {
    if Arc::ptr_eq(most, least) {
        return true;
    }
    match (&**most, &**least) {
        (Node::Branch(_, most), Node::Branch(_, least)) => {
            least.iter().zip(most).all(|(least, most)| match least {
                None => true,
                Some(least) => most.as_ref().is_some_and(|most| contains(most, least)),
            })
        }
        (Node::Leaf(most), Node::Leaf(least)) => {
            least.all <= most.all
                && least.entries.iter().all(|entry| {
                    crate::exec::lanes(entry.lanes)
                        .all(|lane| most.of(entry.actor, lane as u32) >= entry.clock)
                })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_known_once() {
        let mut block = Block::default();
        let entry = |actor, lanes, clock| Entry {
            actor,
            lanes,
            clock,
        };
        assert!(block.add(entry(3, 0b1111, 5)));
        assert!(!block.add(entry(3, 0b0110, 4)));
        assert!(block.add(entry(3, 0b11000, 7)));
        assert_eq!((block.of(3, 0), block.of(3, 3), block.of(3, 4)), (5, 7, 7));
        assert_eq!((block.of(3, 5), block.of(2, 0)), (0, 0));
        block.add(entry(copier(3, Copies::Small), 1, 2));
        block.raise(6);
        assert_eq!((block.of(3, 0), block.of(9, 9), block.of(3, 4)), (6, 6, 7));
        assert_eq!(block.of(copier(3, Copies::Small), 0), 2);
        assert_eq!(block.of(copier(3, Copies::Bulk), 0), 0);
    }

    #[test]
    fn trees_join() {
        for blocks in [1u64, 2, 16, 17, 300, 70_000] {
            let height = height(blocks);
            let last = (blocks - 1) as u32;
            let (mut a, mut b) = (Know::default(), Know::default());
            a.change(height, 0, |block| block.all = 3);
            b.change(height, last, |block| block.all = 4);
            let old = a.clone();
            a.join(&b);
            assert_eq!(
                a.block(0).map(|b| b.all),
                Some(3.max(if last == 0 { 4 } else { 0 }))
            );
            assert_eq!(a.block(last).map(|b| b.all), Some(4));
            assert_eq!(old.block(0).map(|b| b.all), Some(3));
            // What is known already changes nothing, and is shared afterwards.
            let same = a.clone();
            a.join(&b);
            a.join(&old);
            assert!(a.is(&same));
            b.join(&a);
            assert!(b.is(&a));
        }
    }
}
