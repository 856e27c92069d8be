//! Copies under way.
//!
//! A copy is performed some rounds after it was issued: how many follows from the seed. Its source is
//! read when it is performed. So a kernel that does not wait finds old data where the new ones should
//! be, and a source that is changed too early spoils the copy. Copies out of shared memory are
//! performed in two steps, for a thread may wait for the first one alone.

pub(crate) mod actors;

use super::Awaited;
use crate::exec::access;
use crate::exec::group::Shared;
use crate::exec::{Env, Outcome, Trouble, defined, flights, mbarrier};
use crate::finding::Problem;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use warpc_ptx_eval::AtomicUpdate;

/// The most rounds a copy takes.
const DELAYS: usize = 5;

/// The most copies of a warp that are under way; when more are issued, the oldest are performed.
const MOST: usize = 64;

/// Where bytes lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// A region of global memory, and the offset in it.
    Global(u32, u64),
    /// A block of the cluster, and the offset in its shared memory.
    Shared(u32, u32),
}

/// Where the data of a copy come from.
#[derive(Debug)]
pub(super) enum Source {
    /// So many bytes of memory; zeros follow.
    Memory(Spot, u32),
    /// They were read already.
    Data(Box<[u8]>),
}

/// Moves bytes.
#[derive(Debug)]
pub(super) struct Transfer {
    pub(super) from: Source,
    pub(super) to: Spot,
    pub(super) bytes: u32,
    /// How elements of so many bytes are combined with what is there.
    pub(super) update: Option<(AtomicUpdate, u32)>,
    /// Which bytes of every 16 are written.
    pub(super) byte_mask: u16,
    /// The barrier that counts the bytes: block of the cluster, and offset.
    pub(super) signal: Option<(u32, u32)>,
}

/// What is done later.
#[derive(Debug)]
pub(super) enum Work {
    Transfer(Transfer),
    /// A box of a tensor.
    Tensor(Box<super::tensor::Moving>),
    /// An arrival at a barrier, after the copies before.
    Arrive((u32, u32)),
}

/// What may wait for a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Waiter {
    /// `cp.async.wait_group`
    Small,
    /// `cp.async.bulk.wait_group`
    Bulk,
    /// A barrier, or nobody.
    Other,
}

/// Something under way.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) lane: u8,
    pub(super) waiter: Waiter,
    /// The number of its group among those of its thread.
    group: u32,
    /// The round in which it is performed.
    due: u64,
    /// The function and step that issued it.
    place: (u32, u32),
    /// Its number among those that have to be waited for.
    flight: Option<u32>,
    pub(super) work: Work,
}

/// Copies of one warp.
#[derive(Debug, Default)]
struct OfWarp {
    entries: VecDeque<Entry>,
    /// Groups that each lane has closed: of small copies, and of bulk copies.
    closed: [[u32; 32]; 2],
}

/// An instruction that issues copies, for all its lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Issue {
    /// The function and step.
    place: (u32, u32),
    /// The round in which the copies are performed. It is the same for the lanes, or the slowest of
    /// them would make all warps equally slow.
    due: u64,
}

impl Issue {
    pub(super) fn new(shared: &mut Shared, place: (u32, u32)) -> Issue {
        let delay = 1 + shared.random.below(DELAYS) as u64;
        let due = shared.pending.round + delay;
        Issue { place, due }
    }

    /// The function and step.
    pub(super) fn place(self) -> (u32, u32) {
        self.place
    }
}

/// Who issued a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Issuer {
    pub(crate) warp: usize,
    pub(crate) code: usize,
    pub(crate) pc: usize,
}

/// Copies under way in a group.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// By warp; those that never copied have none.
    warps: Vec<Option<Box<OfWarp>>>,
    /// Entries of all warps.
    total: usize,
    round: u64,
    /// Whose copy went wrong.
    failed: Option<Issuer>,
}

impl Pending {
    fn of_warp(&mut self, warp: usize) -> &mut OfWarp {
        if self.warps.len() <= warp {
            self.warps.resize_with(warp + 1, || None);
        }
        self.warps[warp].get_or_insert_default()
    }

    /// Takes out the oldest copy of a warp if there is no room for another.
    fn oldest_beyond_limit(&mut self, warp: usize) -> Option<Entry> {
        let entries = &mut self.of_warp(warp).entries;
        let oldest = (entries.len() >= MOST).then(|| entries.pop_front())?;
        self.total -= usize::from(oldest.is_some());
        oldest
    }

    /// Closes the groups of some lanes.
    pub(super) fn close_groups(&mut self, warp: usize, active: u32, bulk: bool) {
        let closed = &mut self.of_warp(warp).closed[usize::from(bulk)];
        for lane in crate::exec::lanes(active) {
            closed[lane] += 1;
        }
    }

    /// The number of the group that a copy of a lane belongs to.
    pub(super) fn group(&mut self, warp: usize, lane: usize, waiter: Waiter) -> u32 {
        let closed = &self.of_warp(warp).closed;
        match waiter {
            Waiter::Small => closed[0][lane],
            Waiter::Bulk => closed[1][lane],
            Waiter::Other => 0,
        }
    }

    /// The groups that each lane of a warp has closed.
    pub(super) fn closed(&self, warp: usize, awaited: Awaited) -> Option<&[u32; 32]> {
        let own = self.warps.get(warp)?.as_ref()?;
        Some(&own.closed[usize::from(awaited != Awaited::Small)])
    }

    /// Whether some lanes have more than so many closed groups under way.
    pub(super) fn must_wait(&self, warp: usize, lanes: u32, awaited: Awaited, left: u32) -> bool {
        let Some(Some(own)) = self.warps.get(warp) else {
            return false;
        };
        let (waiter, closed) = match awaited {
            Awaited::Small => (Waiter::Small, &own.closed[0]),
            Awaited::Bulk | Awaited::BulkRead => (Waiter::Bulk, &own.closed[1]),
        };
        own.entries.iter().any(|entry| {
            let open = entry.group.saturating_add(left) >= closed[usize::from(entry.lane)];
            let is_read = match &entry.work {
                Work::Transfer(transfer) => matches!(transfer.from, Source::Data(_)),
                Work::Tensor(moving) => moving.is_read(),
                Work::Arrive(_) => true,
            };
            entry.waiter == waiter
                && lanes >> entry.lane & 1 != 0
                && !open
                && !(awaited == Awaited::BulkRead && is_read)
        })
    }
}

/// Something is to be done later.
pub(super) fn issue(
    env: &Env<'_>,
    shared: &mut Shared,
    (warp, lane): (usize, usize),
    issue: Issue,
    (waiter, work, flight): (Waiter, Work, Option<u32>),
) -> Outcome<()> {
    let mut oldest = match env.explored {
        true => None,
        false => shared.pending.oldest_beyond_limit(warp),
    };
    while let Some(entry) = oldest {
        oldest = perform(env, shared, warp, entry)?;
    }
    let pending = &mut shared.pending;
    pending.total += 1;
    let own = pending.of_warp(warp);
    let Issue { place, mut due } = issue;
    let group = match waiter {
        Waiter::Small => own.closed[0][lane],
        Waiter::Bulk => own.closed[1][lane],
        Waiter::Other => 0,
    };
    if matches!(work, Work::Arrive(_)) {
        // Never before the copies it stands for: those in front are performed first.
        let copies = own
            .entries
            .iter()
            .filter(|entry| usize::from(entry.lane) == lane && entry.waiter == Waiter::Small);
        due = copies.map(|entry| entry.due).fold(due, u64::max);
    }
    own.entries.push_back(Entry {
        lane: lane as u8,
        waiter,
        group,
        due,
        place,
        flight,
        work,
    });
    Ok(())
}

/// Performs what is due; if nothing else happens, what is due next. Whether anything was.
pub(crate) fn advance(env: &Env<'_>, shared: &mut Shared, idle: bool) -> Outcome<bool> {
    let pending = &mut shared.pending;
    if pending.total == 0 {
        return Ok(false);
    }
    pending.round += 1;
    if idle {
        let entries = pending.warps.iter().flatten().flat_map(|own| &own.entries);
        let next = entries.map(|entry| entry.due).min();
        pending.round = pending.round.max(next.unwrap_or(0));
    }
    let round = pending.round;
    let count = pending.warps.len();
    let start = shared.random.below(count);
    let mut moved = false;
    for warp in (start..count).chain(0..start) {
        for _ in 0..entries_of(shared, warp).map_or(0, |entries| entries.len()) {
            let entry = entries_of(shared, warp).and_then(VecDeque::pop_front);
            let Some(mut entry) = entry else { break };
            if entry.due <= round {
                moved = true;
                match perform(env, shared, warp, entry)? {
                    Some(rest) => entry = rest,
                    None => {
                        shared.pending.total -= 1;
                        continue;
                    }
                }
                entry.due = round + 1 + shared.random.below(DELAYS) as u64;
            }
            if let Some(entries) = entries_of(shared, warp) {
                entries.push_back(entry);
            }
        }
    }
    Ok(moved)
}

fn entries_of(shared: &mut Shared, warp: usize) -> Option<&mut VecDeque<Entry>> {
    let own = shared.pending.warps[warp].as_mut()?;
    Some(&mut own.entries)
}

/// Whose copy went wrong, if one did.
pub(crate) fn issuer(shared: &Shared) -> Option<Issuer> {
    shared.pending.failed
}

/// Performs a copy, or the first half of one: then gives the rest.
fn perform(
    env: &Env<'_>,
    shared: &mut Shared,
    warp: usize,
    mut entry: Entry,
) -> Outcome<Option<Entry>> {
    shared.progress += 1;
    let phase = match (entry.flight, &shared.flights) {
        (Some(flight), Some(flights)) => flights.phase_of(flight),
        _ => None,
    };
    let outcome = match &mut entry.work {
        Work::Arrive(at) => mbarrier::arrive(shared, *at),
        Work::Tensor(moving) => {
            if !moving.is_read() {
                moving.read(shared);
                return Ok(Some(entry));
            }
            match moving.signal() {
                Some(at) if is_past(shared, at, phase) => Err(flights::not_expected()),
                _ => moving.perform(env, shared),
            }
        }
        Work::Transfer(transfer) => {
            if entry.waiter == Waiter::Bulk
                && let Source::Memory(from, bytes) = transfer.from
            {
                let data = read(env, shared, from, bytes);
                transfer.from = Source::Data(data.into_vec().into_boxed_slice());
                return Ok(Some(entry));
            }
            match transfer.signal {
                // Bytes that nobody announced did not keep the phase open.
                Some(at) if is_past(shared, at, phase) => Err(flights::not_expected()),
                _ => transfer.perform(env, shared),
            }
        }
    };
    if let (Some(flight), Some(flights)) = (entry.flight, &mut shared.flights) {
        flights.perform(flight);
    }
    outcome.map(|()| None).map_err(|problem| {
        let (code, pc) = (entry.place.0 as usize, entry.place.1 as usize);
        shared.pending.failed = Some(Issuer { warp, code, pc });
        Trouble::of(1 << entry.lane, problem)
    })
}

/// Whether the phase of a barrier that counts a copy is over.
fn is_past(shared: &Shared, at: (u32, u32), phase: Option<u32>) -> bool {
    match (phase, mbarrier::look(shared, at)) {
        (Some(phase), Ok(object)) => object.phase != phase,
        _ => false,
    }
}

impl Transfer {
    fn perform(&self, env: &Env<'_>, shared: &mut Shared) -> Result<(), Problem> {
        let mut data: SmallVec<[u8; 16]> = match &self.from {
            Source::Memory(from, bytes) => read(env, shared, *from, *bytes),
            Source::Data(data) => SmallVec::from_slice(data),
        };
        data.resize(self.bytes as usize, 0);
        match self.update {
            Some((update, size)) => {
                for (i, element) in data.chunks(size as usize).enumerate() {
                    let to = shift(self.to, i as u32 * size);
                    let b = access::little(element, 0, size);
                    change(env, shared, to, size, |old| update(old, b, 0));
                }
            }
            None if self.byte_mask == u16::MAX => write(env, shared, self.to, &data),
            None => {
                for (i, byte) in data.iter().enumerate() {
                    if self.byte_mask >> (i % 16) & 1 != 0 {
                        write(env, shared, shift(self.to, i as u32), &[*byte]);
                    }
                }
            }
        }
        match self.signal {
            Some(at) => mbarrier::complete(shared, at, self.bytes),
            None => Ok(()),
        }
    }
}

fn shift(spot: Spot, by: u32) -> Spot {
    match spot {
        Spot::Global(region, offset) => Spot::Global(region, offset + u64::from(by)),
        Spot::Shared(rank, offset) => Spot::Shared(rank, offset + by),
    }
}

/// The largest piece of up to 8 bytes that begins at an offset and is aligned.
fn piece(offset: u64, left: usize) -> usize {
    let aligned = 1 << offset.trailing_zeros().min(3);
    let fits = 1 << left.ilog2();
    aligned.min(fits)
}

pub(super) fn read(env: &Env<'_>, shared: &Shared, from: Spot, bytes: u32) -> SmallVec<[u8; 16]> {
    let bytes = bytes as usize;
    match from {
        Spot::Shared(rank, offset) => {
            let start = offset as usize;
            SmallVec::from_slice(&shared.memory[rank as usize][start..start + bytes])
        }
        Spot::Global(region, start) => {
            let region = env.global.region(region as usize);
            let mut data = SmallVec::with_capacity(bytes);
            while data.len() < bytes {
                let offset = start + data.len() as u64;
                let size = piece(offset, bytes - data.len());
                let value = region.load(offset, size as u32, Ordering::Relaxed);
                data.extend_from_slice(&value.to_le_bytes()[..size]);
            }
            data
        }
    }
}

/// Writes bytes.
pub(super) fn write(env: &Env<'_>, shared: &mut Shared, to: Spot, data: &[u8]) {
    tell_weak(env, shared, to, data.len() as u32);
    match to {
        Spot::Shared(rank, offset) => {
            let start = offset as usize;
            shared.memory[rank as usize][start..start + data.len()].copy_from_slice(data);
            defined::written(shared, rank, offset, data.len());
        }
        Spot::Global(index, start) => {
            let (region, alone) = (env.global.region(index as usize), env.global.exclusive);
            let mut done = 0;
            while done < data.len() {
                let offset = start + done as u64;
                let size = piece(offset, data.len() - done);
                let value = access::little(data, done, size as u32);
                region.store(offset, size as u32, value, Ordering::Relaxed, alone);
                env.global
                    .set_undefined(index as usize, offset, size as u32, 0);
                done += size;
            }
        }
    }
}

/// Copies are strong: all threads know of them.
fn tell_weak(env: &Env<'_>, shared: &mut Shared, to: Spot, bytes: u32) {
    if let Some(weak) = &mut shared.weak {
        match to {
            Spot::Shared(rank, offset) => weak.overwritten_shared((rank, offset), bytes),
            Spot::Global(region, offset) => {
                let place = access::Place::Global(region as usize, offset);
                weak.overwritten(env, place, u64::from(bytes));
            }
        }
    }
}

/// Changes one element.
pub(super) fn change(
    env: &Env<'_>,
    shared: &mut Shared,
    at: Spot,
    bytes: u32,
    change: impl Fn(u64) -> u64,
) {
    tell_weak(env, shared, at, bytes);
    match at {
        Spot::Shared(rank, offset) => {
            let memory = &mut shared.memory[rank as usize];
            let old = access::little(memory, offset as usize, bytes);
            access::put(memory, offset as usize, bytes, change(old));
        }
        Spot::Global(region, offset) => {
            let alone = env.global.exclusive;
            let region = env.global.region(region as usize);
            region.update(offset, bytes, alone, change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces() {
        assert_eq!((piece(0, 16), piece(4, 16), piece(6, 9)), (8, 4, 2));
        assert_eq!((piece(8, 7), piece(8, 3), piece(1, 8)), (4, 2, 1));
    }

    #[test]
    fn a_copy_under_way_is_small() {
        // Two for each lane, and all of them together well below the 300 bytes of a thread.
        assert!(
            MOST / 32 * size_of::<Entry>() <= 240,
            "{}",
            size_of::<Entry>()
        );
    }
}
