//! The writes of each place, in coherence order.
//!
//! The value of the last one is in memory, those of earlier ones are here. How many are kept is bounded: what is forgotten
//! is a write that is not read any more, so that all threads know of the one after it.

use super::know::{Know, Thread};
use super::release::{Mark, NOBODY, Releases, Shape};
use super::thread::{Pattern, State};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Writes of a place that are kept.
const MOST_WRITES: usize = 8;
/// Threads that observed a write which are told apart; of more, all threads know.
const MOST_OBSERVERS: usize = 64;
/// Granules of eight bytes that are kept.
const MOST_GRANULES: usize = 1 << 18;
/// So often in a row a thread may read something else than the last write of a place.
const MOST_STALE: u8 = 4;

/// A granule of memory: its space (shared memory of a block of the group; global memory has a history of its own), and
/// its address divided by eight.
pub(super) type Granule = (u32, u64);
/// A place: its space and address.
pub(super) type At = (u32, u64);

/// A write.
#[derive(Debug)]
pub(super) struct Write {
    id: u64,
    /// What it wrote; of the last write it is memory that has it.
    pub(super) value: u64,
    pub(super) mark: Mark,
    /// The clock of its thread.
    clock: u32,
    /// Whether all threads know of it.
    settled: bool,
    /// The write that it read, if it is one of an atomic operation.
    source: Option<u64>,
    pub(super) releases: Releases,
    /// Threads whose reads observed it, with their clocks.
    observers: SmallVec<[(Thread, u32); 1]>,
}

impl Write {
    /// A write that its thread does now.
    pub(super) fn new(state: &State, mark: Mark, value: u64, releases: Releases) -> Write {
        Write {
            id: 0,
            value,
            mark,
            clock: state.own,
            settled: false,
            source: None,
            releases,
            observers: SmallVec::new(),
        }
    }

    fn first() -> Write {
        Write {
            id: 0,
            value: 0,
            mark: NOBODY,
            clock: 0,
            settled: true,
            source: None,
            releases: Releases::default(),
            observers: SmallVec::new(),
        }
    }

    fn is_known(&self, thread: Thread, know: &Know) -> bool {
        let knows = |who: Thread, clock: u32| who == thread || know.of(who) >= clock;
        self.settled
            || knows(self.mark.thread, self.clock)
            || self.observers.iter().any(|one| knows(one.0, one.1))
    }

    /// A read of a thread observed it.
    pub(super) fn observed_by(&mut self, state: &State) {
        if self.settled || self.mark.thread == state.thread {
            return;
        }
        if self.observers.iter().any(|one| one.0 == state.thread) {
            return;
        }
        if self.observers.len() >= MOST_OBSERVERS {
            self.settled = true;
            self.observers.clear();
            return;
        }
        self.observers.push((state.thread, state.own));
    }
}

/// A place that was written: a few bytes of a granule.
#[derive(Debug)]
pub(super) struct Location {
    start: u64,
    bytes: u32,
    /// In coherence order; there is always one.
    pub(super) writes: Vec<Write>,
    /// How often in a row threads have read something else than the last write.
    stale: SmallVec<[(Thread, u8); 2]>,
}

impl Location {
    fn overlaps(&self, start: u64, bytes: u32) -> bool {
        start < self.start + u64::from(self.bytes) && self.start < start + u64::from(bytes)
    }

    /// The last write.
    pub(super) fn last(&self) -> usize {
        self.writes.len() - 1
    }

    /// The last write that a thread knows of: it must not read what is before.
    pub(super) fn floor(&self, state: &State) -> usize {
        let known = |write: &Write| write.is_known(state.thread, &state.know);
        self.writes.iter().rposition(known).unwrap_or(0)
    }

    /// Whether a thread may read something else than the last write once more.
    pub(super) fn may_be_stale(&self, thread: Thread) -> bool {
        let mut all = self.stale.iter();
        all.find(|one| one.0 == thread)
            .is_none_or(|one| one.1 < MOST_STALE)
    }

    /// A thread reads the last write, or another one.
    pub(super) fn count(&mut self, thread: Thread, stale: bool) {
        let found = self.stale.iter().position(|one| one.0 == thread);
        match (found, stale) {
            (Some(at), true) => self.stale[at].1 += 1,
            (Some(at), false) => {
                self.stale.swap_remove(at);
            }
            (None, true) => self.stale.push((thread, 1)),
            (None, false) => {}
        }
    }

    /// Whether a write may be put before the one at a position: no atomic operation with which it is morally strong may
    /// have read a write before that position and written one after it.
    pub(super) fn has_room(&self, at: usize, mark: &Mark, shape: &Shape) -> bool {
        self.writes.iter().enumerate().skip(at).all(|(_, later)| {
            let Some(source) = later.source else {
                return true;
            };
            let read = self.writes.iter().position(|write| write.id == source);
            // A source that was forgotten is before all.
            read.is_some_and(|read| read >= at) || !later.mark.is_strong_with(mark, shape)
        })
    }

    /// Puts a write at a position. `newest` is what memory holds.
    pub(super) fn insert(&mut self, at: usize, mut write: Write, id: u64, newest: u64) {
        write.id = id;
        if at == self.writes.len()
            && let Some(last) = self.writes.last_mut()
        {
            last.value = newest;
        }
        self.writes.insert(at, write);
        if self.writes.len() > MOST_WRITES {
            self.writes.remove(0);
            self.writes[0].settled = true;
        }
    }

    /// Makes the write the one of an atomic operation that read another one.
    pub(super) fn read_by(&self, write: &mut Write, read: usize) {
        write.source = Some(self.writes[read].id);
    }

    /// All threads know of the last write.
    fn settle(&mut self) {
        let last = self.last();
        self.writes.drain(..last);
        self.writes[0].settled = true;
        self.writes[0].observers.clear();
        self.stale.clear();
    }
}

/// All places that were written.
#[derive(Debug, Default)]
pub(super) struct History {
    granules: FxHashMap<Granule, SmallVec<[Location; 1]>>,
    /// Granules in the order in which they were written first.
    order: VecDeque<Granule>,
    /// What threads did at places with releases or strong reads.
    patterns: FxHashMap<(At, Thread), Pattern>,
    ids: u64,
}

fn granule((space, address): At) -> Granule {
    (space, address >> 3)
}

impl History {
    /// A number for a write.
    pub(super) fn id(&mut self) -> u64 {
        self.ids += 1;
        self.ids
    }

    /// A place that was written with accesses of this size.
    pub(super) fn find(&mut self, at: At, bytes: u32) -> Option<&mut Location> {
        let all = self.granules.get_mut(&granule(at))?;
        all.iter_mut()
            .find(|one| (one.start, one.bytes) == (at.1, bytes))
    }

    /// A place that is written with an access of this size now.
    pub(super) fn make(&mut self, at: At, bytes: u32) -> &mut Location {
        let granule = granule(at);
        if !self.granules.contains_key(&granule) {
            self.forget();
            self.order.push_back(granule);
        }
        let all = self.granules.entry(granule).or_default();
        let found = all
            .iter()
            .position(|one| (one.start, one.bytes) == (at.1, bytes));
        let index = found.unwrap_or_else(|| {
            all.push(Location {
                start: at.1,
                bytes,
                writes: vec![Write::first()],
                stale: SmallVec::new(),
            });
            all.len() - 1
        });
        &mut all[index]
    }

    /// Forgets the oldest granules if there are too many: all threads know of their last writes. Those whose writes hand
    /// something on stay.
    fn forget(&mut self) {
        let mut tries = 16;
        while self.granules.len() >= MOST_GRANULES && tries > 0 {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            let keeps = |one: &Location| one.writes.iter().any(|write| !write.releases.is_empty());
            match self.granules.get(&oldest) {
                Some(all) if all.iter().any(keeps) => self.order.push_back(oldest),
                Some(_) => {
                    self.granules.remove(&oldest);
                }
                None => {}
            }
            tries -= 1;
        }
    }

    /// Places of another size that overlap an access which writes: all threads know of what they hold. Whether there are
    /// any.
    pub(super) fn settle_others(&mut self, at: At, bytes: u32) -> bool {
        let Some(all) = self.granules.get_mut(&granule(at)) else {
            return false;
        };
        let mut any = false;
        for one in all {
            if (one.start, one.bytes) != (at.1, bytes) && one.overlaps(at.1, bytes) {
                one.settle();
                any = true;
            }
        }
        any
    }

    /// Bytes are written by something else than a store or an atomic operation: all threads know of it.
    pub(super) fn settle(&mut self, (space, start): At, bytes: u64) {
        if self.granules.is_empty() {
            return;
        }
        for granule in start >> 3..=(start + bytes.max(1) - 1) >> 3 {
            for one in self
                .granules
                .get_mut(&(space, granule))
                .into_iter()
                .flatten()
            {
                let end = one.start + u64::from(one.bytes);
                if start < end && one.start < start + bytes {
                    one.settle();
                }
            }
        }
    }

    /// What a thread did at a place.
    pub(super) fn pattern(&self, at: At, thread: Thread) -> Option<&Pattern> {
        self.patterns.get(&(at, thread))
    }

    /// The same, to be changed.
    pub(super) fn pattern_mut(&mut self, at: At, thread: Thread) -> &mut Pattern {
        self.patterns.entry((at, thread)).or_default()
    }
}
