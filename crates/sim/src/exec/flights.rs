//! Asynchronous copies that nobody has waited for yet, and writes that the asynchronous proxy may not see yet.
//!
//! ```text
//!   issue ──► its words of shared memory are marked ──wait that covers it──► marks gone
//!   st.shared ──► its words are marked with the writer ──fence.proxy.async──► a bulk copy may read them
//! ```
//!
//! Whether data has come by chance does not count: what was not waited for must not be looked at. A wait of the thread that
//! issued a copy (`wait_group`, `wait_all`), or of any thread for the phase of the mbarrier that counts the copy, covers it. The
//! order between that wait and accesses of other threads is the business of barriers, not of this module.

use super::async_copy::Awaited;
use super::groups::reads::Reads;
use super::lifetime::place_of;
use super::{Env, Trouble, lanes};
use crate::finding::{Access, Problem, Told};
use rustc_hash::FxHashMap;
use warpc_diag::codes;

/// Bytes of a mark: the least that a copy moves.
const UNIT: usize = 4;

/// What a copy does with its bytes of shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// It writes them.
    Into,
    /// It reads them.
    OutOf,
}

/// Who can wait for a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Covered {
    /// `cp.async.wait_group` of its thread, with the number of its group.
    Small(u32),
    /// `cp.async.bulk.wait_group` of its thread, with the number of its group.
    Bulk(u32),
    /// Who waits for a phase of an mbarrier: block of the cluster, offset, phase.
    Phase((u32, u32), u32),
}

/// A copy that nobody has waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    /// The thread that issued it, by its number in the group.
    pub(super) thread: u32,
    pub(super) side: Side,
    pub(super) covered: Covered,
    /// Where in shared memory: block of the cluster, offset, bytes.
    pub(super) at: (u32, u32, u32),
    /// The function and step that issued it.
    pub(super) step: (u32, u32),
    /// The block of the cluster whose shared memory it reads, if it writes that of another one.
    pub(super) from: Option<u32>,
    /// Whether its data have been moved.
    pub(super) performed: bool,
}

/// A thread among those whose products read shared memory: numbers that no warpgroup has.
pub(in crate::exec) fn of_thread(thread: u32) -> usize {
    usize::MAX - thread as usize
}

/// The copies of a group.
#[derive(Debug)]
pub(crate) struct Flights {
    /// By number; a number is used again when its copy was waited for.
    copies: Vec<Option<Flight>>,
    free: Vec<u32>,
    /// By block and unit: the number of the copy plus one.
    marks: Vec<Vec<u32>>,
    /// Copies of each thread, and those that an mbarrier counts.
    by_thread: Vec<Vec<u32>>,
    by_barrier: FxHashMap<(u32, u32), Vec<u32>>,
    /// By block and unit: who wrote it last through the generic proxy, plus one, and when.
    written: Vec<Vec<(u32, u32)>>,
    /// Counts fences between the proxies.
    fences: u32,
    /// What products of warpgroups may still read.
    pub(crate) reads: Reads,
}

impl Flights {
    /// For blocks with so many bytes of shared memory and so many threads.
    pub(crate) fn new(blocks: u32, bytes: u32, threads: u32) -> Flights {
        let units = (bytes as usize).div_ceil(UNIT);
        Flights {
            copies: Vec::new(),
            free: Vec::new(),
            marks: vec![vec![0; units]; blocks as usize],
            by_thread: vec![Vec::new(); (blocks * threads.next_multiple_of(32)) as usize],
            by_barrier: FxHashMap::default(),
            written: vec![vec![(0, 0); units]; blocks as usize],
            fences: 0,
            reads: Reads::default(),
        }
    }

    /// A copy is issued; gives its number.
    pub(super) fn issue(&mut self, flight: Flight) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.copies.push(None);
            self.copies.len() as u32 - 1
        });
        self.units(flight.at).fill(number + 1);
        match flight.covered {
            Covered::Phase(barrier, _) => self.by_barrier.entry(barrier).or_default().push(number),
            _ => self.by_thread[flight.thread as usize].push(number),
        }
        self.copies[number as usize] = Some(flight);
        number
    }

    fn units(&mut self, (rank, offset, bytes): (u32, u32, u32)) -> &mut [u32] {
        let (start, end) = (offset as usize / UNIT, (offset + bytes) as usize);
        &mut self.marks[rank as usize][start..end.div_ceil(UNIT)]
    }

    /// A copy was waited for.
    fn end(&mut self, number: u32) {
        if let Some(flight) = self.copies[number as usize].take() {
            for mark in self.units(flight.at) {
                if *mark == number + 1 {
                    *mark = 0;
                }
            }
            self.free.push(number);
        }
    }

    /// The data of a copy have been moved; what comes into shared memory comes through the other proxy.
    pub(super) fn perform(&mut self, number: u32) {
        let Some(Some(flight)) = self.copies.get_mut(number as usize) else {
            return;
        };
        flight.performed = true;
        if let (Side::Into, (rank, offset, bytes)) = (flight.side, flight.at) {
            let (start, end) = (offset as usize / UNIT, (offset + bytes) as usize);
            self.written[rank as usize][start..end.div_ceil(UNIT)].fill((0, 0));
        }
    }

    /// The phase of the mbarrier that counted when a copy was issued, if one counts it.
    pub(super) fn phase_of(&self, number: u32) -> Option<u32> {
        match self.copies.get(number as usize)?.as_ref()?.covered {
            Covered::Phase(_, phase) => Some(phase),
            _ => None,
        }
    }

    /// Threads of a warp have waited until at most so many groups are left; `closed` are the groups of each lane.
    pub(super) fn wait(
        &mut self,
        (first, active): (u32, u32),
        awaited: Awaited,
        (left, closed): (u32, &[u32; 32]),
    ) {
        for lane in lanes(active) {
            let thread = first as usize + lane;
            if self.by_thread[thread].is_empty() {
                continue;
            }
            let own = std::mem::take(&mut self.by_thread[thread]);
            let (over, rest) = own.into_iter().partition(|number: &u32| {
                let flight = self.copies[*number as usize].as_ref();
                flight.is_none_or(|flight| match (flight.covered, awaited) {
                    (Covered::Small(group), Awaited::Small)
                    | (Covered::Bulk(group), Awaited::Bulk | Awaited::BulkRead) => {
                        group.saturating_add(left) < closed[lane]
                    }
                    _ => false,
                })
            });
            self.by_thread[thread] = rest;
            let over: Vec<u32> = over;
            over.into_iter().for_each(|number| self.end(number));
        }
    }

    /// A thread has seen that phases of an mbarrier before this one are over.
    pub(super) fn observe(&mut self, barrier: (u32, u32), phase: u32) {
        let Some(own) = self.by_barrier.get_mut(&barrier) else {
            return;
        };
        let own = std::mem::take(own);
        let (over, rest): (Vec<u32>, Vec<u32>) = own.into_iter().partition(|number| {
            let flight = self.copies[*number as usize].as_ref();
            flight.is_none_or(|flight| {
                flight.performed
                    && matches!(flight.covered, Covered::Phase(_, then) if then != phase)
            })
        });
        self.by_barrier.insert(barrier, rest);
        over.into_iter().for_each(|number| self.end(number));
    }

    /// The copies that a thread has issued so far arrive at an mbarrier when they are done.
    pub(super) fn arrive(&mut self, thread: u32, barrier: (u32, u32), phase: u32) {
        let own = std::mem::take(&mut self.by_thread[thread as usize]);
        let (small, rest): (Vec<u32>, Vec<u32>) = own.into_iter().partition(|number| {
            let flight = self.copies[*number as usize].as_mut();
            flight.is_some_and(|flight| match flight.covered {
                Covered::Small(_) => {
                    flight.covered = Covered::Phase(barrier, phase);
                    true
                }
                _ => false,
            })
        });
        self.by_thread[thread as usize] = rest;
        self.by_barrier.entry(barrier).or_default().extend(small);
    }

    /// The copies that nobody has waited for: their numbers and places.
    pub(crate) fn under_way(&self) -> Vec<(usize, (u32, u32, u32))> {
        let all = self.copies.iter().enumerate();
        all.filter_map(|(number, copy)| Some((number, copy.as_ref()?.at)))
            .collect()
    }

    /// The copy that forbids an access.
    #[inline]
    pub(super) fn met(
        &self,
        rank: usize,
        offset: usize,
        bytes: u32,
        access: Access,
    ) -> Option<&Flight> {
        let end = (offset + bytes as usize).div_ceil(UNIT);
        let units = &self.marks[rank][offset / UNIT..end];
        let number = *units.iter().find(|mark| **mark != 0)?;
        let flight = self.copies[number as usize - 1].as_ref()?;
        (flight.side == Side::Into || access != Access::Read).then_some(flight)
    }

    /// A thread writes through the generic proxy.
    #[inline]
    pub(super) fn store(&mut self, (rank, offset, bytes): (usize, usize, u32), thread: u32) {
        let end = (offset + bytes as usize).div_ceil(UNIT);
        self.written[rank][offset / UNIT..end].fill((thread + 1, self.fences));
    }

    /// Somebody executes a fence between the proxies.
    pub(super) fn fence(&mut self) {
        self.fences += 1;
    }

    /// The first offset of a bulk copy's source or target, or of what a product reads, that was written with no fence between the proxies since, by
    /// anybody. Whether one that there was is on the way from the write to the copy is looked at by [`crate::races`].
    pub(super) fn unfenced(&self, (rank, offset, bytes): (u32, u32, u32)) -> Option<u32> {
        let (start, end) = (offset as usize / UNIT, (offset + bytes) as usize);
        let units = &self.written[rank as usize][start..end.div_ceil(UNIT)];
        let is_unfenced = |(writer, when): &(u32, u32)| *writer != 0 && self.fences <= *when;
        let found = units.iter().position(is_unfenced);
        found.map(|index| ((start + index) * UNIT) as u32)
    }

    /// A bulk copy out of shared memory that a thread has not waited for.
    pub(super) fn left_by(&self, first: u32, active: u32) -> Option<(usize, &Flight)> {
        lanes(active).find_map(|lane| {
            let own = &self.by_thread[first as usize + lane];
            let flights = own.iter().filter_map(|n| self.copies[*n as usize].as_ref());
            let mut out = flights.filter(|flight| flight.side == Side::OutOf);
            out.next().map(|flight| (lane, flight))
        })
    }
}

impl Flights {
    /// A copy out of the shared memory of a block, into that of another one, that nobody has waited for.
    pub(super) fn out_of_block(&self, rank: u32) -> Option<&Flight> {
        let flights = self.copies.iter().flatten();
        let mut out = flights.filter(|flight| flight.from == Some(rank));
        out.next()
    }
}

impl Flight {
    /// What a finding says about an access to bytes of this copy.
    #[cold]
    pub(super) fn told(&self, env: &Env<'_>, offset: usize, access: Access) -> Told {
        let what = match access {
            Access::Read => "read",
            _ => "write",
        };
        let (message, help) = match (self.side, self.covered) {
            (Side::OutOf, _) => (
                format!("{what} of shared address {offset:#x}, which a bulk copy may still read"),
                "wait with `cp.async.bulk.wait_group.read` before the source is changed",
            ),
            (Side::Into, Covered::Phase(..)) => (
                format!(
                    "{what} of shared address {offset:#x} before the copy into it was waited for"
                ),
                "announce the bytes with `expect_tx`, and wait for the phase of the mbarrier that counts \
                 the copy (`mbarrier.try_wait`) before its data are used",
            ),
            (Side::Into, _) => (
                format!(
                    "{what} of shared address {offset:#x} before the copy into it was waited for"
                ),
                "the thread that copies must execute `cp.async.wait_group` (after `commit_group`) or \
                 `cp.async.wait_all`, and then all threads a barrier",
            ),
        };
        let issued = place_of(env, self.step, "the copy was issued here".to_owned());
        Told {
            code: codes::NOT_WAITED,
            warning: false,
            message,
            help: help.to_owned(),
            related: issued.into_iter().collect(),
        }
    }

    /// A thread exits although this copy may still read shared memory.
    #[cold]
    pub(super) fn left(&self, env: &Env<'_>, lane: usize) -> Box<Trouble> {
        let issued = place_of(env, self.step, "the copy was issued here".to_owned());
        let told = Told {
            code: codes::NOT_WAITED,
            warning: false,
            message: "the thread exits while its bulk copy may still read shared memory".to_owned(),
            help: "wait with `cp.async.bulk.wait_group.read 0` before the thread ends: shared memory ends \
                   with the block"
                .to_owned(),
            related: issued.into_iter().collect(),
        };
        Trouble::of(1 << lane, Problem::Told(Box::new(told)))
    }
}

/// A block exits although a copy into another one may still read its shared memory.
#[cold]
pub(super) fn left_by_block(env: &Env<'_>, lane: usize, flight: &Flight) -> Box<Trouble> {
    let issued = place_of(env, flight.step, "the copy was issued here".to_owned());
    let told = Told {
        code: codes::NOT_WAITED,
        warning: false,
        message: "the block exits while a bulk copy to another block may still read its shared memory"
            .to_owned(),
        help: "let the block wait at `barrier.cluster` until the other one has waited for the copy: shared memory ends \
               with its block"
            .to_owned(),
        related: issued.into_iter().collect(),
    };
    Trouble::of(1 << lane, Problem::Told(Box::new(told)))
}

/// What a bulk copy or a product accesses was written without a fence between the proxies; `what` is done with it, and by whom.
#[cold]
pub(in crate::exec) fn unfenced(
    lane: usize,
    (offset, what, who): (u32, &str, &str),
) -> Box<Trouble> {
    let told = Told {
        code: codes::PROXY_FENCE,
        warning: false,
        message: format!(
            "the {who} {what} shared address {offset:#x}, which was written without a proxy fence since"
        ),
        help: "execute `fence.proxy.async` after the writes, in the threads that write, and then a barrier: \
               bulk copies and products of warpgroups access memory through the asynchronous proxy"
            .to_owned(),
        related: Vec::new(),
    };
    Trouble::of(1 << lane, Problem::Told(Box::new(told)))
}

/// The phase of the mbarrier ended without the bytes of a copy.
#[cold]
pub(super) fn not_expected() -> Problem {
    Problem::Told(Box::new(Told {
        code: codes::NOT_WAITED,
        warning: false,
        message: "the phase of the mbarrier ended before this copy: its bytes were not announced"
            .to_owned(),
        help: "announce the bytes of every copy of a phase with `mbarrier.expect_tx` or \
               `mbarrier.arrive.expect_tx`, before the last arrival"
            .to_owned(),
        related: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(thread: u32, offset: u32, group: u32) -> Flight {
        Flight {
            thread,
            side: Side::Into,
            covered: Covered::Small(group),
            at: (0, offset, 16),
            step: (0, 0),
            from: None,
            performed: true,
        }
    }

    #[test]
    fn waits_of_groups() {
        let mut flights = Flights::new(1, 256, 64);
        flights.issue(small(33, 0, 0));
        flights.issue(small(33, 16, 1));
        let read = |flights: &Flights, offset| flights.met(0, offset, 4, Access::Read).is_some();
        assert!(read(&flights, 12) && read(&flights, 16) && !read(&flights, 32));
        // One of two groups is left; another thread's wait changes nothing.
        flights.wait((0, u32::MAX), Awaited::Small, (0, &[2; 32]));
        assert!(read(&flights, 0));
        flights.wait((32, 2), Awaited::Small, (1, &[2; 32]));
        assert!(!read(&flights, 0) && read(&flights, 16));
        flights.wait((32, 2), Awaited::Small, (0, &[2; 32]));
        assert!(!read(&flights, 16));
    }

    #[test]
    fn waits_for_phases() {
        let mut flights = Flights::new(1, 256, 32);
        let number = flights.issue(Flight {
            covered: Covered::Phase((0, 128), 3),
            performed: false,
            ..small(0, 0, 0)
        });
        flights.observe((0, 128), 4);
        assert!(
            flights.met(0, 0, 4, Access::Read).is_some(),
            "it has not come"
        );
        flights.perform(number);
        flights.observe((0, 128), 3);
        assert!(
            flights.met(0, 0, 4, Access::Read).is_some(),
            "the phase is not over"
        );
        flights.observe((0, 128), 4);
        assert!(flights.met(0, 0, 4, Access::Read).is_none());
    }

    #[test]
    fn fences_between_proxies() {
        let mut flights = Flights::new(1, 256, 32);
        flights.store((0, 8, 4), 5);
        assert_eq!(flights.unfenced((0, 0, 16)), Some(8));
        flights.fence();
        // Whoever executed it: whether it is on the way from the writer to the copy is another question.
        assert_eq!(flights.unfenced((0, 0, 16)), None);
        flights.store((0, 12, 4), 6);
        assert_eq!(flights.unfenced((0, 0, 16)), Some(12));
        flights.fence();
        assert_eq!(flights.unfenced((0, 0, 16)), None);
    }
}
