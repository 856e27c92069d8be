//! Copies one by one, for who chooses when each is performed.

use super::{Awaited, Entry, Source, Spot, Waiter, Work};
use crate::exec::group::Shared;
use crate::exec::{Env, Outcome};
use crate::explore::footprint::{Footprint, Kind, Touch, What};

/// What a copy belongs to, and how far it has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    waiter: Waiter,
    number: u32,
    /// Whether its source was read, and nothing else.
    is_half: bool,
}

impl Group {
    /// The same with one half done, or both.
    pub(crate) fn at(self, is_half: bool) -> Group {
        Group { is_half, ..self }
    }

    /// Whether it is a copy of `cp.async`.
    pub(crate) fn is_small(&self) -> bool {
        self.waiter == Waiter::Small
    }
}

fn entry(shared: &Shared, warp: usize, index: usize) -> &Entry {
    let own = shared.pending.warps[warp].as_ref();
    &own.expect("a warp with copies").entries[index]
}

/// How many copies of a warp are under way.
pub(crate) fn count(shared: &Shared, warp: usize) -> usize {
    let own = shared.pending.warps.get(warp).and_then(Option::as_ref);
    own.map_or(0, |own| own.entries.len())
}

/// The lane that issued a copy.
pub(crate) fn lane(shared: &Shared, warp: usize, index: usize) -> u32 {
    u32::from(entry(shared, warp, index).lane)
}

/// What a copy belongs to.
pub(crate) fn group(shared: &Shared, warp: usize, index: usize) -> Group {
    let entry = entry(shared, warp, index);
    Group {
        waiter: entry.waiter,
        number: entry.group,
        is_half: false,
    }
}

/// Whether it is an arrival, which stands for the small copies before it.
pub(crate) fn is_arrival(shared: &Shared, warp: usize, index: usize) -> bool {
    matches!(entry(shared, warp, index).work, Work::Arrive(_))
}

/// Whether a copy may be performed now.
pub(crate) fn can_be_performed(shared: &Shared, warp: usize, index: usize) -> bool {
    let own = lane(shared, warp, index);
    let before = |before: usize| {
        let entry = entry(shared, warp, before);
        u32::from(entry.lane) == own && entry.waiter == Waiter::Small
    };
    !is_arrival(shared, warp, index) || !(0..index).any(before)
}

/// Groups that a lane has closed, once `close` has closed another.
fn closed(shared: &Shared, (warp, lane): (usize, usize), awaited: Awaited, close: bool) -> u32 {
    let all = shared.pending.closed(warp, awaited);
    all.map_or(0, |all| all[lane]) + u32::from(close)
}

/// Whether a wait of some lanes would not be over.
pub(crate) fn must_wait(
    shared: &Shared,
    warp: usize,
    lanes: u32,
    (awaited, left): (Awaited, u32),
    close: bool,
) -> bool {
    (0..count(shared, warp)).any(|index| {
        let entry = entry(shared, warp, index);
        let is_read = !matches!(&entry.work, Work::Transfer(transfer) if matches!(transfer.from, Source::Memory(..)));
        let waiter = match awaited {
            Awaited::Small => Waiter::Small,
            Awaited::Bulk | Awaited::BulkRead => Waiter::Bulk,
        };
        let lane = usize::from(entry.lane);
        entry.waiter == waiter
            && lanes >> lane & 1 != 0
            && entry.group.saturating_add(left) < closed(shared, (warp, lane), awaited, close)
            && !(awaited == Awaited::BulkRead && is_read)
    })
}

/// Which copies of a lane that were performed a wait of it covers.
pub(crate) fn covered(
    shared: &Shared,
    at: (usize, usize),
    (awaited, left): (Awaited, u32),
    close: bool,
) -> impl Fn(&Group) -> bool {
    let closed = closed(shared, at, awaited, close);
    move |group| {
        let kind = match awaited {
            Awaited::Small => group.waiter == Waiter::Small,
            Awaited::Bulk => group.waiter == Waiter::Bulk && !group.is_half,
            Awaited::BulkRead => group.waiter == Waiter::Bulk && group.is_half,
        };
        kind && group.number.saturating_add(left) < closed
    }
}

/// What performing a copy, or its first half, touches.
pub(crate) fn touches(
    env: &Env<'_>,
    shared: &Shared,
    (group, warp): (u64, usize),
    index: usize,
) -> Footprint {
    let touch = |spot: Spot, bytes: u32, kind| match spot {
        Spot::Global(region, offset) => {
            let start = env.global.region(region as usize).address + offset;
            Touch::of(What::Global, (0, 0), (start, u64::from(bytes)), kind)
        }
        Spot::Shared(rank, offset) => {
            let at = (u64::from(offset), u64::from(bytes));
            Touch::of(What::Shared, (group, rank), at, kind)
        }
    };
    let barrier = |(rank, offset)| touch(Spot::Shared(rank, offset), 8, Kind::Write);
    let entry = entry(shared, warp, index);
    let mut touches = Footprint::new();
    match &entry.work {
        Work::Arrive(at) => touches.push(barrier(*at)),
        // Such kernels are refused.
        Work::Tensor(_) => {}
        Work::Transfer(transfer) => {
            let reads = match &transfer.from {
                Source::Memory(from, bytes) => Some((*from, *bytes)),
                Source::Data(_) => None,
            };
            if let Some((from, bytes)) = reads {
                touches.push(touch(from, bytes, Kind::Read));
            }
            if reads.is_none() || entry.waiter != Waiter::Bulk {
                touches.push(touch(transfer.to, transfer.bytes, Kind::Write));
                touches.extend(transfer.signal.map(barrier));
            }
        }
    }
    touches
}

/// Performs a copy, or its first half: whether the other half is left.
pub(crate) fn perform(
    env: &Env<'_>,
    shared: &mut Shared,
    warp: usize,
    index: usize,
) -> Outcome<bool> {
    let own = shared.pending.warps[warp].as_mut();
    let Some(entry) = own.and_then(|own| own.entries.remove(index)) else {
        return Ok(false);
    };
    let rest = super::perform(env, shared, warp, entry);
    match rest {
        Ok(Some(rest)) => {
            shared.pending.of_warp(warp).entries.insert(index, rest);
            Ok(true)
        }
        Ok(None) => {
            shared.pending.total -= 1;
            Ok(false)
        }
        Err(trouble) => {
            shared.pending.total -= 1;
            Err(trouble)
        }
    }
}

/// What goes wrong from now on is not the failure of a copy.
pub(crate) fn forget_failure(shared: &mut Shared) {
    shared.pending.failed = None;
}
