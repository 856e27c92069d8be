//! What an event touches, and when two events depend on each other.
//!
//! ```text
//!   exec::access::resolve ──note──► Touches ──taken after the step──► the touches of the event
//! ```
//!
//! A touch is a range of places and a kind. Two events of different actors depend on each other if touches of them overlap,
//! unless both read, or both are of the same class of operations that commute.

use crate::address;
use crate::exec::Env;
use crate::exec::access::Touch as Access;
use crate::exec::warp::Warp;
use crate::finding;
use crate::memory::Purpose;
use smallvec::SmallVec;
use std::cell::RefCell;

/// What has places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum What {
    /// Global memory, by address.
    Global,
    /// The heap: which blocks there are.
    Heap,
    /// Shared memory of a block, by offset.
    Shared,
    /// Barriers of a block, by number.
    Barrier,
    /// The barrier of a cluster.
    Cluster,
    /// Whether the threads of a block have exited.
    Life,
    /// What a group prints, in order.
    Output,
    /// Fences between the proxies, by thread of the group.
    Fences,
}

/// Something that has places: of which group, and of which of its blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Space {
    pub(crate) what: What,
    pub(crate) group: u64,
    pub(crate) rank: u32,
}

/// How it is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nothing changes.
    Read,
    /// It changes.
    Write,
    /// It changes in a way that commutes with others of the same class.
    Same(u32),
}

/// A range of places that an event touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Touch {
    pub(crate) space: Space,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) kind: Kind,
}

/// All that an event touches.
pub(crate) type Footprint = SmallVec<[Touch; 2]>;

impl Touch {
    /// A touch of something in a group.
    pub(crate) fn of(
        what: What,
        (group, rank): (u64, u32),
        (start, bytes): (u64, u64),
        kind: Kind,
    ) -> Touch {
        Touch {
            space: Space { what, group, rank },
            start,
            end: start.saturating_add(bytes),
            kind,
        }
    }

    /// Whether two touches depend on each other.
    pub(crate) fn conflicts(&self, other: &Touch) -> bool {
        let apart = match (self.kind, other.kind) {
            (Kind::Read, Kind::Read) => true,
            (Kind::Same(a), Kind::Same(b)) => a == b,
            _ => false,
        };
        !apart && self.space == other.space && self.start < other.end && other.start < self.end
    }
}

/// Whether two events depend on each other because of what they touch.
pub(crate) fn depend(a: &[Touch], b: &[Touch]) -> bool {
    a.iter()
        .any(|one| b.iter().any(|other| one.conflicts(other)))
}

/// What the step under way has touched. The group is filled in by who takes it.
#[derive(Debug, Default)]
pub(crate) struct Touches(RefCell<Footprint>);

impl Touches {
    /// Takes what was touched since the last time.
    pub(crate) fn take(&self) -> Footprint {
        std::mem::take(&mut self.0.borrow_mut())
    }

    fn push(&self, touch: Touch) {
        self.0.borrow_mut().push(touch);
    }
}

/// Remembers an access that is about to happen, or to fail.
#[cold]
pub(crate) fn note(
    env: &Env<'_>,
    warp: &Warp,
    touches: &Touches,
    access: Access,
    (space, address): (address::Space, u64),
) {
    let kind = match access.access {
        finding::Access::Read => Kind::Read,
        _ => Kind::Write,
    };
    let bytes = u64::from(access.bytes);
    match space {
        address::Space::Global | address::Space::Const | address::Space::Generic => {
            match purpose(env, address) {
                Some(Purpose::Constant) => return,
                Some(Purpose::Heap) => {
                    touches.push(Touch::of(What::Heap, (0, 0), (0, 1), Kind::Read));
                }
                _ => {}
            }
            touches.push(Touch::of(What::Global, (0, 0), (address, bytes), kind));
        }
        address::Space::Shared => {
            let rank = address::rank_of(address).unwrap_or(warp.identity.rank);
            let at = (address & address::OFFSET_MASK, bytes);
            touches.push(Touch::of(What::Shared, (0, rank), at, kind));
            if rank != warp.identity.rank {
                touches.push(Touch::of(What::Life, (0, rank), (0, 1), Kind::Read));
            }
        }
        address::Space::Local | address::Space::Param => {}
    }
}

/// What the memory at an address is for.
pub(crate) fn purpose(env: &Env<'_>, address: u64) -> Option<Purpose> {
    let regions = env.global.regions();
    let after = regions.partition_point(|region| region.address <= address);
    let region = regions.get(after.checked_sub(1)?)?;
    (address - region.address < region.bytes).then_some(region.purpose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_depends() {
        let at = |start, bytes, kind| {
            let touch = Touch::of(What::Shared, (0, 0), (start, bytes), kind);
            [touch]
        };
        let read = at(0, 4, Kind::Read);
        assert!(!depend(&read, &at(0, 4, Kind::Read)));
        assert!(depend(&read, &at(3, 1, Kind::Write)));
        assert!(!depend(&read, &at(4, 4, Kind::Write)));
        let add = at(0, 4, Kind::Same(1));
        assert!(!depend(&add, &add));
        assert!(depend(&add, &at(0, 4, Kind::Same(2))));
        assert!(depend(&add, &read));
        let mut elsewhere = at(0, 4, Kind::Write);
        elsewhere[0].space.rank = 1;
        assert!(!depend(&read, &elsewhere));
    }
}
