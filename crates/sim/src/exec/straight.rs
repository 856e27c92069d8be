//! The straight way for accesses that are as they should be: one element a lane, all lanes in the same
//! buffer or in the block's own shared memory, in bounds and aligned. They are most of all accesses.
//!
//! Anything else answers `false` with nothing done, and [`super::access`] goes lane by lane and says
//! what is wrong.

use super::frame::{Around, Doubles};
use super::group::Shared;
use super::lanes;
use super::warp::Warp;
use super::{Env, access, defined};
use crate::address::{self, Space};
use crate::finding::Access;
use crate::memory::{Purpose, Region};
use crate::program::{Addr, Dst, Load, Order, Src, Store, Strength};
use crate::races::{Target, Touched};
use std::sync::atomic::Ordering;

/// With fewer lanes there is nothing to gain.
const FEW: u32 = 4;

/// Where all lanes go.
enum Common<'a> {
    /// One region of global memory.
    Global(&'a Region),
    /// Shared memory of the own block.
    Shared(usize),
}

/// The places of all active lanes: what they go to, and offsets in it.
#[inline]
fn common<'e>(
    warp: &mut Warp,
    env: &'e Env<'_>,
    shared: &Shared,
    frame: usize,
    (space, addr): (Space, Addr),
    (bytes, active): (u32, u32),
) -> Option<(Common<'e>, Doubles)> {
    if active.count_ones() < FEW {
        return None;
    }
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let mut at = warp.frames[frame].doubles(addr.base, around);
    let narrow = if matches!(addr.base, Src::W(_)) {
        u64::from(u32::MAX)
    } else {
        u64::MAX
    };
    for address in &mut at {
        *address = address.wrapping_add_signed(addr.offset) & narrow;
    }
    let first = at[active.trailing_zeros() as usize];
    let (place, base) = match space {
        Space::Generic => Space::of_generic(first),
        space => (space, first),
    };
    let window = first.wrapping_sub(base);
    let mut origin = 0;
    let (common, start, end) = match place {
        Space::Global | Space::Const => {
            let index = env.global.find(first, bytes, warp.region).ok()?;
            let region = env.global.region(index);
            if region.purpose == Purpose::Heap {
                return None;
            }
            warp.region = index;
            let end = region.address + region.bytes;
            (Common::Global(region), region.address, end)
        }
        Space::Shared => {
            let rank = identity.rank as usize;
            let own = match address::rank_of(base) {
                None => 0,
                Some(rank) if rank == identity.rank => base & !address::OFFSET_MASK,
                Some(_) => return None,
            };
            let (start, end) = env.variable_at(base & address::OFFSET_MASK)?;
            origin = window + own;
            (Common::Shared(rank), origin + start, origin + end)
        }
        _ => return None,
    };
    let last = end.checked_sub(u64::from(bytes))?;
    // All lanes are looked at, whether active or not; those that are not are masked out.
    let mut good = 0;
    for (lane, address) in at.iter().enumerate() {
        let inside = *address >= start && *address <= last;
        let aligned = address & u64::from(bytes - 1) == 0;
        good |= u32::from(inside && aligned) << lane;
    }
    if good & active != active {
        return None;
    }
    let origin = match common {
        Common::Global(region) => region.address,
        Common::Shared(_) => origin,
    };
    for address in &mut at {
        *address = address.wrapping_sub(origin);
    }
    Some((common, at))
}

/// What looks for races is told that lanes access one element each.
fn weak(access: Access, bytes: u32) -> Touched {
    Touched {
        access,
        order: Order::default(),
        bytes,
        count: 1,
    }
}

fn target(common: &Common<'_>, warp: &Warp) -> Target {
    match common {
        Common::Global(region) => Target::Global(warp.region as u32, region.address),
        Common::Shared(rank) => Target::Shared(*rank as u32),
    }
}

/// Loads one element a lane; whether it could.
pub(super) fn load(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    load: &Load,
    active: u32,
) -> bool {
    let &[to] = &load.to[..] else {
        return false;
    };
    if load.strength != Strength::Weak || shared.weak.is_some() {
        return false;
    }
    let bytes = load.bytes;
    let places = (load.space, load.from);
    let Some((common, at)) = common(warp, env, shared, frame, places, (bytes, active)) else {
        return false;
    };
    if let Some(races) = &mut shared.races {
        let touched = weak(Access::Read, bytes);
        let target = target(&common, warp);
        races.together(warp, touched, target, (&at, active), |_| false);
    }
    let mut values = [0; 32];
    let shared_at = match common {
        Common::Shared(rank) => {
            if shared.flights.is_some() && meets(shared, (rank, &at, active), bytes, Access::Read) {
                return false;
            }
            env.init.then_some(rank)
        }
        Common::Global(_) => {
            if load.cached && !is_constant(env, warp.region, &at, active, bytes) {
                return false;
            }
            None
        }
    };
    match common {
        Common::Global(region) => {
            for lane in lanes(active) {
                values[lane] = region.load(at[lane], bytes, Ordering::Relaxed);
            }
        }
        Common::Shared(rank) => {
            let memory = &shared.memory[rank];
            for lane in lanes(active) {
                values[lane] = access::little(memory, at[lane] as usize, bytes);
            }
        }
    }
    if address::sign_extends(load.ty) && bytes < 8 {
        let shift = 64 - 8 * bytes;
        for value in &mut values {
            *value = ((*value << shift) as i64 >> shift) as u64;
        }
    }
    let registers = &mut warp.frames[frame];
    match to {
        Dst::W(slot, u32::MAX) => {
            registers.set_words(slot, active, &values.map(|value| value as u32));
        }
        to => registers.set_all(to, active, &values),
    }
    if let Some(rank) = shared_at {
        defined::loaded_shared(warp, env, shared, frame, (rank, &at, active), (load, to));
    }
    true
}

/// Whether a copy under way forbids an access of one of the lanes.
fn meets(
    shared: &Shared,
    (rank, at, active): (usize, &Doubles, u32),
    bytes: u32,
    access: Access,
) -> bool {
    shared.flights.as_ref().is_some_and(|flights| {
        lanes(active).any(|lane| {
            let of_product = access != Access::Read
                && (flights.reads)
                    .met((rank as u32, at[lane] as u32, bytes))
                    .is_some();
            of_product
                || flights
                    .met(rank, at[lane] as usize, bytes, access)
                    .is_some()
        })
    })
}

/// Whether nobody has written what the lanes read through the read-only path.
fn is_constant(env: &Env<'_>, region: usize, at: &Doubles, active: u32, bytes: u32) -> bool {
    !lanes(active).any(|lane| {
        env.global
            .is_cached_read_of_written(region, at[lane], bytes)
    })
}

/// Stores one element a lane; whether it could.
pub(super) fn store(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    store: &Store,
    active: u32,
) -> bool {
    let &[from] = &store.elements[..] else {
        return false;
    };
    if store.strength != Strength::Weak || shared.weak.is_some() {
        return false;
    }
    let bytes = store.bytes;
    let places = (store.space, store.to);
    let Some((common, at)) = common(warp, env, shared, frame, places, (bytes, active)) else {
        return false;
    };
    if warp.tainted && defined::is_tainted(warp, frame, from, active) {
        return false;
    }
    match common {
        Common::Shared(rank) if shared.flights.is_some() => {
            if meets(shared, (rank, &at, active), bytes, Access::Write) {
                return false;
            }
            let first = super::thread_of(warp, env, 0);
            if let Some(flights) = &mut shared.flights {
                for lane in lanes(active) {
                    flights.store((rank, at[lane] as usize, bytes), first + lane as u32);
                }
            }
        }
        Common::Global(_) if env.program.has_cached || env.program.has_maps => {
            let index = warp.region;
            let written = |lane: usize| env.global.is_write_of_cached(index, at[lane], bytes);
            if lanes(active).any(written) {
                return false;
            }
        }
        _ => {}
    }
    let identity = warp.identity;
    let values = warp.frames[frame].doubles(from, Around::new(env, &identity, shared));
    if matches!(common, Common::Global(region) if region.purpose == Purpose::Constant) {
        return false;
    }
    if let Some(races) = &mut shared.races {
        let touched = weak(Access::Write, bytes);
        let target = target(&common, warp);
        let mask = u64::MAX >> (64 - 8 * bytes);
        let memory = &shared.memory;
        let same = |lane: usize| {
            // Another lane of the instruction may have written there just now.
            let before = lanes(active & ((1 << lane) - 1)).filter(|other| at[*other] == at[lane]);
            if let Some(other) = before.last() {
                return (values[other] ^ values[lane]) & mask == 0;
            }
            let old = match common {
                Common::Global(region) => region.load(at[lane], bytes, Ordering::Relaxed),
                Common::Shared(rank) => access::little(&memory[rank], at[lane] as usize, bytes),
            };
            (old ^ values[lane]) & mask == 0
        };
        races.together(warp, touched, target, (&at, active), same);
    }
    match common {
        Common::Global(region) => {
            let alone = env.global.exclusive;
            if bytes == 4 && !alone && pairs(region, &at, &values, active) {
                return true;
            }
            for lane in lanes(active) {
                region.store(at[lane], bytes, values[lane], Ordering::Relaxed, alone);
            }
        }
        Common::Shared(rank) => {
            let memory = &mut shared.memory[rank];
            for lane in lanes(active) {
                access::put(memory, at[lane] as usize, bytes, values[lane]);
            }
            if env.init {
                defined::stored_shared(shared, (rank, &at, active), bytes);
            }
        }
    }
    true
}

/// Neighbouring words in neighbouring lanes are stored two at a time, which needs no
/// compare-and-swap.
fn pairs(region: &Region, at: &Doubles, values: &Doubles, active: u32) -> bool {
    if active != u32::MAX || !at[0].is_multiple_of(8) {
        return false;
    }
    if (0..31).any(|lane| at[lane + 1] != at[lane] + 4) {
        return false;
    }
    for lane in (0..32).step_by(2) {
        let both = values[lane] & u64::from(u32::MAX) | values[lane + 1] << 32;
        region.store(at[lane], 8, both, Ordering::Relaxed, false);
    }
    true
}
