//! Accesses to memory at a time when that is not allowed: after its end of life, while an asynchronous copy is under way, or
//! although the kernel reads it as constant.
//!
//! [`read`] and [`write`] stand next to every access; what they find is told with the other place that has to do with it.

use super::access::{Place, Touch};
use super::flights::Flights;
use super::group::Shared;
use super::warp::Warp;
use super::{Env, Outcome, Trouble};
use crate::finding::{Access, Problem, Told, Waiting};
use crate::memory::Block;
use warpc_diag::codes;

fn told(lane: usize, told: Told) -> Box<Trouble> {
    Trouble::of(1 << lane, Problem::Told(Box::new(told)))
}

/// A step as a place that a finding names.
pub(super) fn place_of(env: &Env<'_>, (code, pc): (u32, u32), text: String) -> Option<Waiting> {
    let code = env.program.codes.get(code as usize)?;
    let span = code.origins.get(pc as usize)?.span;
    Some(Waiting { span, text })
}

fn verb(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
        Access::Atomic => "atomic access",
    }
}

/// An access to a block of the heap that was freed.
#[cold]
pub(super) fn freed(env: &Env<'_>, touch: Touch, block: Block) -> Box<Trouble> {
    let (what, bytes) = (verb(touch.access), touch.bytes);
    let mut related = Vec::new();
    if block.launch == env.global.launch {
        let size = block.bytes;
        let made = format!("the block of {size} bytes was allocated here");
        related.extend(place_of(env, block.made, made));
        let freed = block.freed.unwrap_or_default();
        related.extend(place_of(env, freed, "and freed here".to_owned()));
    }
    told(
        touch.lane,
        Told {
            code: codes::LIFETIME,
            warning: false,
            message: format!(
                "{what} of {bytes} bytes at address {:#x} of the heap, in a block that was freed",
                touch.address
            ),
            help: "free the block after its last use, by every thread that uses it".to_owned(),
            related,
        },
    )
}

/// What is wrong with a `free` of something else than a block.
#[cold]
pub(super) fn freed_twice(env: &Env<'_>, lane: usize, address: u64, block: Block) -> Box<Trouble> {
    let freed = block.freed.unwrap_or_default();
    let same = block.launch == env.global.launch;
    let first = same.then(|| place_of(env, freed, "it was freed here first".to_owned()));
    told(
        lane,
        Told {
            code: codes::BAD_FREE,
            warning: false,
            message: format!("`free` of {address:#x}, which was freed before"),
            help: "free a block once, by one thread".to_owned(),
            related: first.flatten().into_iter().collect(),
        },
    )
}

/// An access to the shared memory of a block that has ended.
#[cold]
pub(super) fn exited_block(touch: Touch, rank: u32) -> Box<Trouble> {
    told(
        touch.lane,
        Told {
            code: codes::LIFETIME,
            warning: false,
            message: format!(
                "{} of shared memory of block {rank} of the cluster, which has exited",
                verb(touch.access)
            ),
            help: "let all blocks wait at `barrier.cluster` after the last access to each other's \
                   shared memory"
                .to_owned(),
            related: Vec::new(),
        },
    )
}

/// An access to the shared memory of a block that may not have begun: nothing of it is before the access.
#[cold]
pub(super) fn not_started(touch: Touch, rank: u32) -> Box<Trouble> {
    told(
        touch.lane,
        Told {
            code: codes::LIFETIME,
            warning: false,
            message: format!(
                "{} of shared memory of block {rank} of the cluster, which may not have started",
                verb(touch.access)
            ),
            help:
                "let all blocks wait at `barrier.cluster` before the first access to each other's \
                   shared memory"
                    .to_owned(),
            related: Vec::new(),
        },
    )
}

/// What lies at an address of the stack that belongs to no variable.
pub(super) fn between_locals(warp: &Warp, lane: usize, address: u64, bytes: u32) -> Option<String> {
    let gaps = warp.gaps.get(lane)?;
    let end = address + u64::from(bytes);
    let after = gaps.partition_point(|(start, _)| u64::from(*start) < end);
    let (start, gap_end) = *gaps.get(after.checked_sub(1)?)?;
    (address < u64::from(gap_end)).then(|| match address.checked_sub(u64::from(start)) {
        Some(past) => format!("{past} bytes past the end of the thread's local variables"),
        None => "across the end of the thread's local variables".to_owned(),
    })
}

/// Bytes are read.
#[inline]
pub(super) fn read(
    env: &Env<'_>,
    shared: &Shared,
    (place, lane): (Place, usize),
    (bytes, cached): (u32, bool),
) -> Outcome<()> {
    match place {
        Place::Shared(rank, offset) => match &shared.flights {
            Some(flights) => under_way(env, flights, (rank, offset, lane), bytes, Access::Read),
            None => Ok(()),
        },
        Place::Global(region, offset)
            if cached && env.global.is_cached_read_of_written(region, offset, bytes) =>
        {
            Err(written_constant(env, (region, offset), lane, true))
        }
        _ => Ok(()),
    }
}

/// Bytes are written.
#[inline]
pub(super) fn write(
    warp: &Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (place, lane): (Place, usize),
    bytes: u32,
) -> Outcome<()> {
    match place {
        Place::Shared(rank, offset) => match &mut shared.flights {
            Some(flights) => {
                flights.store((rank, offset, bytes), super::thread_of(warp, env, lane));
                under_way(env, flights, (rank, offset, lane), bytes, Access::Write)
            }
            None => Ok(()),
        },
        Place::Global(region, offset) if env.global.is_write_of_cached(region, offset, bytes) => {
            Err(written_constant(env, (region, offset), lane, false))
        }
        _ => Ok(()),
    }
}

fn under_way(
    env: &Env<'_>,
    flights: &Flights,
    (rank, offset, lane): (usize, usize, usize),
    bytes: u32,
    access: Access,
) -> Outcome<()> {
    match flights.met(rank, offset, bytes, access) {
        Some(copy) => Err(told(lane, copy.told(env, offset, access))),
        None if access != Access::Read => {
            match flights.reads.met((rank as u32, offset as u32, bytes)) {
                Some(step) => Err(told(lane, super::groups::reads::told(env, offset, step))),
                None => Ok(()),
            }
        }
        None => Ok(()),
    }
}

/// Memory that the kernel reads with `ld.global.nc` is written.
#[cold]
pub(super) fn written_constant(
    env: &Env<'_>,
    (region, offset): (usize, u64),
    lane: usize,
    is_read: bool,
) -> Box<Trouble> {
    let name = &env.global.region(region).name;
    let message = match is_read {
        true => {
            format!("`ld.global.nc` of {name} at offset {offset}, which the kernel has written")
        }
        false => format!(
            "write to {name} at offset {offset}, which the kernel has read with `ld.global.nc`"
        ),
    };
    told(
        lane,
        Told {
            code: codes::NOT_CONSTANT,
            warning: false,
            message,
            help: "memory that is read through the read-only path (`__ldg`, `const __restrict__`) must \
                   not be written while the kernel runs: use a plain load, or a buffer of its own"
                .to_owned(),
            related: Vec::new(),
        },
    )
}
