//! Which waits cover a copy: what is told to [`crate::exec::flights`].

use super::pending::{Source, Spot, Transfer, Waiter};
use super::{Awaited, Here};
use crate::exec::flights::{self, Covered, Flight, Side};
use crate::exec::group::Shared;
use crate::exec::groups::reads;
use crate::exec::{Env, Outcome, Trouble, mbarrier};
use crate::finding::Problem;

/// The copies that lanes have waited for are over.
pub(super) fn waited(
    shared: &mut Shared,
    number: usize,
    active: u32,
    (awaited, left): (Awaited, u32),
) {
    let Some(flights) = &mut shared.flights else {
        return;
    };
    if let Some(closed) = shared.pending.closed(number, awaited) {
        flights.wait((number as u32 * 32, active), awaited, (left, closed));
    }
}

/// Remembers that a copy has to be waited for, and looks whether it may read its source.
pub(super) fn watch(
    env: &Env<'_>,
    shared: &mut Shared,
    here: Here,
    waiter: Waiter,
    transfer: &Transfer,
) -> Outcome<Option<u32>> {
    let thread = (here.warp * 32 + here.lane) as u32;
    let phase = transfer.signal.map(|at| {
        (
            at,
            mbarrier::look(shared, at).map_or(0, |object| object.phase),
        )
    });
    let group = shared.pending.group(here.warp, here.lane, waiter);
    let Some(flights) = &mut shared.flights else {
        return Ok(None);
    };
    if let Source::Memory(Spot::Shared(rank, offset), bytes) = transfer.from
        && let Some(offset) = flights.unfenced((rank, offset, bytes))
    {
        return Err(flights::unfenced(here.lane, (offset, "reads", "bulk copy")));
    }
    if let (Spot::Shared(rank, offset), Source::Memory(..)) = (transfer.to, &transfer.from)
        && waiter != Waiter::Small
        && let Some(offset) = flights.unfenced((rank, offset, transfer.bytes))
    {
        return Err(flights::unfenced(
            here.lane,
            (offset, "writes", "bulk copy"),
        ));
    }
    if let Spot::Shared(rank, offset) = transfer.to
        && let Some(step) = flights.reads.met((rank, offset, transfer.bytes))
    {
        let told = reads::told(env, offset as usize, step);
        return Err(Trouble::of(1 << here.lane, Problem::Told(Box::new(told))));
    }
    let covered = match (phase, waiter) {
        (Some((at, phase)), _) => Covered::Phase(at, phase),
        (None, Waiter::Small) => Covered::Small(group),
        (None, Waiter::Bulk) => Covered::Bulk(group),
        (None, Waiter::Other) => return Ok(None),
    };
    let (side, at) = match (transfer.to, &transfer.from) {
        (Spot::Shared(rank, offset), _) => (Side::Into, (rank, offset, transfer.bytes)),
        (_, Source::Memory(Spot::Shared(rank, offset), bytes)) => {
            (Side::OutOf, (*rank, *offset, *bytes))
        }
        _ => return Ok(None),
    };
    let from = match (transfer.to, &transfer.from) {
        (Spot::Shared(to, _), Source::Memory(Spot::Shared(from, _), _)) if to != *from => {
            Some(*from)
        }
        _ => None,
    };
    Ok(Some(flights.issue(Flight {
        thread,
        side,
        covered,
        at,
        step: here.issue.place(),
        from,
        performed: false,
    })))
}
