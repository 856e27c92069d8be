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

/// What is known of the lanes of an actor: a clock each, 0 where nothing is.
///
/// Lanes that hand on what they know one after the other, as a chain of atomic operations does, have different clocks. What is known of
/// them is shared, so that handing it on costs a step for each warp and not for each lane.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Lanes {
    /// Some lanes, all up to one clock.
    Alike(u32, u32),
    /// Any.
    Each(Arc<[u32; 32]>),
}

impl Lanes {
    fn of(&self, lane: u32) -> u32 {
        match self {
            Lanes::Alike(lanes, clock) if lanes >> lane & 1 != 0 => *clock,
            Lanes::Alike(..) => 0,
            Lanes::Each(clocks) => clocks[lane as usize],
        }
    }

    fn last(&self) -> u32 {
        match self {
            Lanes::Alike(_, clock) => *clock,
            Lanes::Each(clocks) => clocks.iter().copied().max().unwrap_or(0),
        }
    }

    fn clocks(&self) -> [u32; 32] {
        std::array::from_fn(|lane| self.of(lane as u32))
    }

    /// These clocks, in the form that is the only one for them.
    fn new(clocks: [u32; 32]) -> Lanes {
        let last = clocks.iter().copied().max().unwrap_or(0);
        let mut alike = 0;
        for (lane, clock) in clocks.iter().enumerate() {
            match *clock {
                0 => {}
                clock if clock == last => alike |= 1 << lane,
                _ => return Lanes::Each(Arc::new(clocks)),
            }
        }
        Lanes::Alike(alike, last)
    }

    /// Whether it has at least what another has; up to `base` all is known.
    fn contains(&self, other: &Lanes, base: u32) -> bool {
        match (self, other) {
            (Lanes::Each(most), Lanes::Each(least)) => {
                Arc::ptr_eq(most, least)
                    || std::iter::zip(&**most, &**least)
                        .all(|(most, least)| *least <= (*most).max(base))
            }
            (_, Lanes::Alike(lanes, clock)) => {
                *clock <= base
                    || crate::exec::lanes(*lanes).all(|lane| self.of(lane as u32) >= *clock)
            }
            (_, Lanes::Each(clocks)) => {
                let mut lanes = clocks.iter().enumerate();
                lanes.all(|(lane, clock)| *clock <= self.of(lane as u32).max(base))
            }
        }
    }

    /// Learns what another has; whether that was new.
    fn join(&mut self, other: &Lanes, base: u32) -> bool {
        if self.contains(other, base) {
            return false;
        }
        if other.contains(self, 0) {
            *self = other.clone();
            return true;
        }
        let (own, others) = (self.clocks(), other.clocks());
        *self = Lanes::new(std::array::from_fn(|lane| own[lane].max(others[lane])));
        true
    }
}

/// What is known of a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Block {
    /// All its threads (but not their copies) up to this clock.
    pub(super) all: u32,
    /// Beyond that: in the order of actors.
    actors: Vec<(Actor, Lanes)>,
}

impl Block {
    /// Whether nothing is known beyond a clock of all.
    pub(super) fn is_plain(&self) -> bool {
        self.actors.is_empty()
    }

    /// The clock up to which all lanes of an actor are known.
    fn base(&self, actor: Actor) -> u32 {
        if actor & COPIES == 0 { self.all } else { 0 }
    }

    /// The clock up to which a lane is known.
    pub(super) fn of(&self, actor: Actor, lane: u32) -> u32 {
        let base = self.base(actor);
        match self.actors.binary_search_by_key(&actor, |(of, _)| *of) {
            Ok(index) => self.actors[index].1.of(lane).max(base),
            Err(_) => base,
        }
    }

    /// Learns of some lanes; whether that was new.
    pub(super) fn add(&mut self, new: Entry) -> bool {
        let base = self.base(new.actor);
        if new.clock <= base || new.lanes == 0 {
            return false;
        }
        let lanes = Lanes::Alike(new.lanes, new.clock);
        let search = |(of, _): &(Actor, Lanes)| *of;
        match self.actors.binary_search_by_key(&new.actor, search) {
            Ok(index) => self.actors[index].1.join(&lanes, base),
            Err(index) => {
                self.actors.insert(index, (new.actor, lanes));
                true
            }
        }
    }

    /// All threads are known up to a clock.
    pub(super) fn raise(&mut self, all: u32) -> bool {
        if all <= self.all {
            return false;
        }
        self.all = all;
        self.actors
            .retain(|(actor, lanes)| actor & COPIES != 0 || lanes.last() > all);
        true
    }

    /// Learns what another knows; whether that was new.
    pub(super) fn join(&mut self, other: &Block) -> bool {
        let mut changed = self.raise(other.all);
        let mut index = 0;
        for (actor, lanes) in &other.actors {
            let base = self.base(*actor);
            while self.actors.get(index).is_some_and(|(of, _)| of < actor) {
                index += 1;
            }
            match self.actors.get_mut(index) {
                Some((of, own)) if of == actor => changed |= own.join(lanes, base),
                _ if lanes.last() > base => {
                    self.actors.insert(index, (*actor, lanes.clone()));
                    changed = true;
                }
                _ => {}
            }
        }
        changed
    }

    /// Whether it knows at least what another does.
    fn contains(&self, other: &Block) -> bool {
        let mut index = 0;
        other.all <= self.all
            && other.actors.iter().all(|(actor, lanes)| {
                while self.actors.get(index).is_some_and(|(of, _)| of < actor) {
                    index += 1;
                }
                let base = self.base(*actor);
                match self.actors.get(index) {
                    Some((of, own)) if of == actor => own.contains(lanes, base),
                    _ => lanes.last() <= base,
                }
            })
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
        (Node::Leaf(most), Node::Leaf(least)) => most.contains(least),
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

    /// Whatever is joined in whatever order: each lane is known up to the greatest clock, and the form is the same.
    #[test]
    fn clocks_of_lanes_join() {
        let mut random = warpc_testkit::random::Random::new(1);
        for _ in 0..2000 {
            let mut blocks = [Block::default(), Block::default()];
            let mut expected = [[0u32; 64]; 2];
            for _ in 0..random.below(8) {
                let (which, actor) = (random.below(2), random.below(2) as u32);
                let lanes = match random.below(3) {
                    0 => u32::MAX,
                    1 => 1 << random.below(32),
                    _ => random.below(1 << 16) as u32,
                };
                let clock = 1 + random.below(4) as u32;
                blocks[which].add(Entry {
                    actor,
                    lanes,
                    clock,
                });
                for lane in crate::exec::lanes(lanes) {
                    let old = &mut expected[which][32 * actor as usize + lane];
                    *old = clock.max(*old);
                }
            }
            let all = random.below(3) as u32;
            blocks[0].raise(all);
            expected[0].iter_mut().for_each(|old| *old = all.max(*old));
            let within = std::iter::zip(expected[0], expected[1]).all(|(a, b)| a >= b);
            assert_eq!(blocks[0].contains(&blocks[1]), within);
            let [mut a, b] = blocks;
            let mut other = b.clone();
            other.join(&a);
            assert_eq!(a.join(&b), !within);
            assert!(a.contains(&other) && other.contains(&a));
            let most = std::iter::zip(expected[0], expected[1]).map(|(a, b)| a.max(b));
            for (at, most) in (0..).zip(most) {
                assert_eq!(a.of(at / 32, at % 32), most);
            }
        }
    }

    /// In a chain of releases and acquires by lanes of many warps each step makes anew what is known of one warp.
    #[test]
    fn a_chain_shares_what_it_hands_on() {
        let mut told = Know::default();
        for step in 0..4096u32 {
            let (actor, lanes, clock) = (step / 32 % 32, 1 << (step % 32), step / 1024 + 1);
            let mut own = Know::default();
            own.join(&told);
            assert!(own.is(&told));
            let before = told.clone();
            own.change(height(1), 0, |block| {
                block.add(Entry {
                    actor,
                    lanes,
                    clock,
                });
            });
            told.join(&own);
            assert!(told.is(&own));
            let shared = |of: &Know| match of.block(0).map(|block| block.actors.clone()) {
                Some(actors) => actors
                    .into_iter()
                    .filter_map(|(of, lanes)| match lanes {
                        Lanes::Each(clocks) if of != actor => Some(Arc::as_ptr(&clocks)),
                        _ => None,
                    })
                    .collect(),
                None => Vec::new(),
            };
            assert_eq!(shared(&before), shared(&told));
        }
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
