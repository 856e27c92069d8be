//! Loads, stores and atomics, lane by lane.
//!
//! Every access of every kind goes through [`resolve`], which finds what lies at an address and
//! checks bounds and alignment: the one place where a watcher of accesses would stand.

use super::frame::Around;
use super::group::Shared;
use super::warp::Warp;
use super::{Env, Outcome, Trouble, defined, lanes, lifetime, weak};
use crate::address::{self, Space};
use crate::finding::{Access, Problem};
use crate::memory::{BadAccess, Purpose};
use crate::program::{Addr, AddressOp, Atomic, Dst, Load, Order, Src, Store, Strength, Update};
use crate::races::Touched;
use std::sync::atomic::Ordering;

/// What an address means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A region of global memory, and the offset in it.
    Global(usize, u64),
    /// Shared memory of a block of the cluster.
    Shared(usize, usize),
    /// The lane's stack.
    Local(usize),
    /// The kernel's parameters.
    Param(usize),
}

/// An access that is about to happen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) access: Access,
    pub(crate) space: Space,
    pub(crate) address: u64,
    pub(crate) bytes: u32,
    pub(crate) lane: usize,
}

/// Finds what lies at an address.
#[inline]
pub(crate) fn resolve(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    touch: Touch,
) -> Outcome<Place> {
    let (space, address) = match touch.space {
        Space::Generic => Space::of_generic(touch.address),
        space => (space, touch.address),
    };
    if env.explored {
        crate::explore::footprint::note(env, warp, &shared.touched, touch, (space, address));
    }
    match space {
        Space::Global | Space::Const | Space::Generic => {
            match env.global.find(address, touch.bytes, warp.region) {
                Ok(region) => {
                    warp.region = region;
                    let memory = env.global.region(region);
                    if touch.access != Access::Read && memory.purpose == Purpose::Constant {
                        return Err(trouble(touch, Problem::ReadOnly { address }));
                    }
                    Ok(Place::Global(region, address - memory.address))
                }
                Err(BadAccess::Freed(block)) => Err(lifetime::freed(env, touch, block)),
                Err(bad) => Err(bad_access(touch, space, bad)),
            }
        }
        Space::Shared => {
            let rank = address::rank_of(address).unwrap_or(warp.identity.rank);
            let offset = address & address::OFFSET_MASK;
            let Some(memory) = shared.memory.get(rank as usize) else {
                let blocks = env.blocks_in_cluster();
                return Err(trouble(touch, Problem::NoSuchRank { rank, blocks }));
            };
            let size = memory.len() as u64;
            let begin = u64::from(env.program.shared_begin);
            if offset < begin || offset + u64::from(touch.bytes) > size {
                let near = Some(format!(
                    "outside the block's {} bytes of shared memory, which begin at {begin:#x}",
                    env.shared_bytes()
                ));
                return Err(bad_access(touch, space, BadAccess::OutOfBounds(near)));
            }
            if rank != warp.identity.rank && shared.barriers[rank as usize].is_over() {
                return Err(lifetime::exited_block(touch, rank));
            }
            if misaligned(offset, touch.bytes) {
                return Err(bad_access(touch, space, BadAccess::Misaligned));
            }
            if !env.is_in_variable(offset, touch.bytes) {
                let near = Some(env.near_variable(offset));
                return Err(bad_access(touch, space, BadAccess::OutOfBounds(near)));
            }
            if rank != warp.identity.rank
                && let Some(races) = &shared.races
                && !races.has_started(&warp.identity, touch.lane, rank)
            {
                return Err(lifetime::not_started(touch, rank));
            }
            Ok(Place::Shared(rank as usize, offset as usize))
        }
        Space::Local => {
            let size = warp.stacks.get(touch.lane).map_or(0, Vec::len) as u64;
            if address.saturating_add(u64::from(touch.bytes)) > size {
                let near = Some(
                    "past the end of the thread's stack; variables of a function that has returned are gone"
                        .to_owned(),
                );
                return Err(bad_access(touch, space, BadAccess::OutOfBounds(near)));
            }
            if let Some(near) = lifetime::between_locals(warp, touch.lane, address, touch.bytes) {
                return Err(bad_access(touch, space, BadAccess::OutOfBounds(Some(near))));
            }
            if misaligned(address, touch.bytes) {
                return Err(bad_access(touch, space, BadAccess::Misaligned));
            }
            Ok(Place::Local(address as usize))
        }
        Space::Param => {
            let size = env.params.len() as u64;
            if touch.access != Access::Read {
                return Err(trouble(touch, Problem::ReadOnly { address }));
            }
            if address.saturating_add(u64::from(touch.bytes)) > size {
                let near = Some(format!("outside the {size} bytes of the parameters"));
                return Err(bad_access(touch, space, BadAccess::OutOfBounds(near)));
            }
            if misaligned(address, touch.bytes) {
                return Err(bad_access(touch, space, BadAccess::Misaligned));
            }
            Ok(Place::Param(address as usize))
        }
    }
}

fn misaligned(address: u64, bytes: u32) -> bool {
    !address.is_multiple_of(u64::from(bytes.next_power_of_two()))
}

#[cold]
fn trouble(touch: Touch, problem: Problem) -> Box<Trouble> {
    Box::new(Trouble {
        lane: touch.lane as u32,
        problem,
    })
}

#[cold]
fn bad_access(touch: Touch, space: Space, bad: BadAccess) -> Box<Trouble> {
    let (access, address, bytes) = (touch.access, touch.address, u64::from(touch.bytes));
    trouble(
        touch,
        match bad {
            BadAccess::OutOfBounds(near) => Problem::OutOfBounds {
                access,
                space,
                address,
                bytes,
                near,
            },
            BadAccess::Misaligned => Problem::Misaligned {
                access,
                space,
                address,
                bytes,
            },
            BadAccess::Freed(_) => Problem::OutOfBounds {
                access,
                space,
                address,
                bytes,
                near: Some("in a block of the heap that was freed".to_owned()),
            },
        },
    )
}

fn order(strength: Strength) -> Ordering {
    match strength {
        Strength::Weak => Ordering::Relaxed,
        Strength::Strong => Ordering::SeqCst,
    }
}

/// Reads 1, 2, 4 or 8 bytes.
#[inline]
pub(crate) fn read(
    warp: &Warp,
    env: &Env<'_>,
    shared: &Shared,
    place: Place,
    lane: usize,
    bytes: u32,
    order: Ordering,
) -> u64 {
    match place {
        Place::Global(region, offset) => env.global.region(region).load(offset, bytes, order),
        Place::Shared(rank, offset) => little(&shared.memory[rank], offset, bytes),
        Place::Local(offset) => little(&warp.stacks[lane], offset, bytes),
        Place::Param(offset) => little(env.params, offset, bytes),
    }
}

/// Writes 1, 2, 4 or 8 bytes.
#[inline]
pub(crate) fn write(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    place: Place,
    lane: usize,
    (bytes, value): (u32, u64),
    order: Ordering,
) {
    if let Some(weak) = &mut shared.weak {
        weak.overwritten(env, place, u64::from(bytes));
    }
    put_at(warp, env, shared, place, lane, (bytes, value), order);
}

/// The same without a word to weak memory, which knows of the write.
#[inline]
pub(super) fn put_at(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    place: Place,
    lane: usize,
    (bytes, value): (u32, u64),
    order: Ordering,
) {
    match place {
        Place::Global(region, offset) => {
            let alone = env.global.exclusive;
            env.global
                .region(region)
                .store(offset, bytes, value, order, alone);
        }
        Place::Shared(rank, offset) => put(&mut shared.memory[rank], offset, bytes, value),
        Place::Local(offset) => put(&mut warp.stacks[lane], offset, bytes, value),
        Place::Param(_) => {}
    }
}

/// The bytes at an offset as a number.
#[inline]
pub(crate) fn little(memory: &[u8], offset: usize, bytes: u32) -> u64 {
    let at = &memory[offset..offset + bytes as usize];
    match *at {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

/// A number as the bytes at an offset.
#[inline]
pub(crate) fn put(memory: &mut [u8], offset: usize, bytes: u32, value: u64) {
    let to = &mut memory[offset..offset + bytes as usize];
    match bytes {
        4 => to.copy_from_slice(&(value as u32).to_le_bytes()),
        8 => to.copy_from_slice(&value.to_le_bytes()),
        2 => to.copy_from_slice(&(value as u16).to_le_bytes()),
        _ => to.copy_from_slice(&value.to_le_bytes()[..bytes as usize]),
    }
}

/// A loaded value as its register gets it.
#[inline]
fn extend(value: u64, bytes: u32, signed: bool) -> u64 {
    if signed && bytes < 8 {
        let shift = 64 - 8 * bytes;
        ((value << shift) as i64 >> shift) as u64
    } else {
        value
    }
}

/// `ld`
pub(super) fn load(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    load: &Load,
    active: u32,
) -> Outcome<()> {
    // An element of 128 bits is moved as two of 64.
    let part = load.bytes.min(8);
    let total = part * load.to.len() as u32;
    let signed = address::sign_extends(load.ty);
    let order = order(load.strength);
    let identity = warp.identity;
    count(shared, active, total);
    let touched = Touched {
        access: Access::Read,
        order: load.order,
        bytes: part,
        count: load.to.len() as u32,
    };
    if super::straight::load(warp, env, shared, frame, load, active) {
        return Ok(());
    }
    for lane in lanes(active) {
        let around = Around::new(env, &identity, shared);
        let base = warp.frames[frame].get(load.from.base, lane, around);
        let touch = Touch {
            access: Access::Read,
            space: load.space,
            address: base.wrapping_add_signed(load.from.offset),
            bytes: total,
            lane,
        };
        let place = resolve(warp, env, shared, narrow(touch, load.from.base))?;
        lifetime::read(env, shared, (place, lane), (total, load.cached))?;
        if let Some(races) = &mut shared.races {
            races.loads(lane, place);
        }
        if let &[to] = &load.to[..] {
            let value = match shared.weak {
                None => read(warp, env, shared, place, lane, part, order),
                Some(_) => weak::read(warp, env, shared, (place, lane), load),
            };
            warp.frames[frame].set(to, lane, extend(value, part, signed));
            if env.init {
                defined::loaded(warp, env, shared, frame, (place, lane), (load, to));
            }
            continue;
        }
        for (i, to) in load.to.iter().enumerate() {
            let place = shift(place, i as u32 * part);
            let value = match shared.weak {
                None => read(warp, env, shared, place, lane, part, order),
                Some(_) => weak::read(warp, env, shared, (place, lane), load),
            };
            warp.frames[frame].set(*to, lane, extend(value, part, signed));
            if env.init {
                defined::loaded(warp, env, shared, frame, (place, lane), (load, *to));
            }
        }
    }
    if let Some(races) = &mut shared.races {
        races.loaded(env, warp, touched);
    }
    Ok(())
}

/// The address that an operand means in a lane of the current fragment.
pub(super) fn address_of(
    warp: &Warp,
    env: &Env<'_>,
    shared: &Shared,
    lane: usize,
    addr: Addr,
) -> u64 {
    let around = Around::new(env, &warp.identity, shared);
    let base = warp.frames[warp.frame()].get(addr.base, lane, around);
    let address = base.wrapping_add_signed(addr.offset);
    match addr.base {
        Src::W(_) => address & u64::from(u32::MAX),
        _ => address,
    }
}

/// An address of 32 bits wraps around at 32 bits.
#[inline]
fn narrow(mut touch: Touch, base: Src) -> Touch {
    if matches!(base, Src::W(_)) {
        touch.address &= u64::from(u32::MAX);
    }
    touch
}

pub(super) fn shift(place: Place, by: u32) -> Place {
    match place {
        Place::Global(region, offset) => Place::Global(region, offset + u64::from(by)),
        Place::Shared(rank, offset) => Place::Shared(rank, offset + by as usize),
        Place::Local(offset) => Place::Local(offset + by as usize),
        Place::Param(offset) => Place::Param(offset + by as usize),
    }
}

fn count(shared: &mut Shared, active: u32, bytes: u32) {
    let threads = u64::from(active.count_ones());
    shared.counts.accesses += threads;
    shared.counts.bytes += threads * u64::from(bytes);
}

/// `st`
pub(super) fn store(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    store: &Store,
    active: u32,
) -> Outcome<()> {
    let part = store.bytes.min(8);
    let total = part * store.elements.len() as u32;
    let order = order(store.strength);
    let identity = warp.identity;
    count(shared, active, total);
    shared.progress += 1;
    if super::straight::store(warp, env, shared, frame, store, active) {
        return Ok(());
    }
    let touched = Touched {
        access: Access::Write,
        order: store.order,
        bytes: part,
        count: store.elements.len() as u32,
    };
    let mut seen = false;
    for lane in lanes(active) {
        let around = Around::new(env, &identity, shared);
        let base = warp.frames[frame].get(store.to.base, lane, around);
        let touch = Touch {
            access: Access::Write,
            space: store.space,
            address: base.wrapping_add_signed(store.to.offset),
            bytes: total,
            lane,
        };
        let place = resolve(warp, env, shared, narrow(touch, store.to.base))?;
        seen |= !matches!(place, Place::Local(_));
        lifetime::write(warp, env, shared, (place, lane), total)?;
        if env.init {
            defined::stored(warp, env, shared, frame, (place, lane), store)?;
        }
        if let Some(mut races) = shared.races.take() {
            let same = |i: u32| {
                let around = Around::new(env, &identity, shared);
                let value = warp.frames[frame].get(store.elements[i as usize], lane, around);
                let at = shift(place, i * part);
                let old = read(warp, env, shared, at, lane, part, Ordering::Relaxed);
                (old ^ value) & (u64::MAX >> (64 - 8 * part)) == 0
            };
            races.alone(env, warp, touched, (lane, place), same);
            shared.races = Some(races);
        }
        for (i, element) in store.elements.iter().enumerate() {
            let around = Around::new(env, &identity, shared);
            let value = warp.frames[frame].get(*element, lane, around);
            let place = shift(place, i as u32 * part);
            match shared.weak {
                None => write(warp, env, shared, place, lane, (part, value), order),
                Some(_) => weak::write(warp, env, shared, (place, lane), (store, value)),
            }
        }
    }
    shared.unseen += u64::from(!seen);
    if let Some(races) = &mut shared.races {
        races.written(&identity, store.order, active);
    }
    Ok(())
}

/// `atom`, `red`
pub(super) fn atomic(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    atomic: &Atomic,
    active: u32,
) -> Outcome<()> {
    let identity = warp.identity;
    shared.counts.atomics += u64::from(active.count_ones());
    for lane in lanes(active) {
        let around = Around::new(env, &identity, shared);
        let registers = &warp.frames[frame];
        let value = |source: &Src| registers.get(*source, lane, around);
        let base = value(&atomic.at.base);
        let b: smallvec::SmallVec<[u64; 8]> = atomic.b.iter().map(value).collect();
        let c: smallvec::SmallVec<[u64; 8]> = atomic.c.iter().map(value).collect();
        let elements = match atomic.update {
            Update::Elements(..) => b.len() as u32,
            _ => 1,
        };
        let touch = Touch {
            access: Access::Atomic,
            space: atomic.space,
            address: base.wrapping_add_signed(atomic.at.offset),
            bytes: atomic.bytes * elements,
            lane,
        };
        let place = resolve(warp, env, shared, narrow(touch, atomic.at.base))?;
        lifetime::write(warp, env, shared, (place, lane), touch.bytes)?;
        if env.init {
            defined::updated(warp, env, shared, frame, (place, lane, touch.bytes), atomic)?;
        }
        if let Some(races) = &mut shared.races {
            let touched = Touched {
                access: Access::Atomic,
                order: atomic.order,
                bytes: atomic.bytes,
                count: elements,
            };
            races.alone(env, warp, touched, (lane, place), |_| false);
        }
        match &atomic.update {
            Update::Elements(in_shared, in_global) => {
                let update = match place {
                    Place::Global(..) => in_global,
                    _ => in_shared,
                };
                for (i, b) in b.iter().enumerate() {
                    let c = c.get(i).copied().unwrap_or(0);
                    let place = shift(place, i as u32 * atomic.bytes);
                    let change = |old: u64| update(old, *b, c);
                    let old = match shared.weak {
                        None => change_at(warp, env, shared, place, lane, atomic.bytes, change),
                        Some(_) => {
                            let is_swapped =
                                |old: u64| atomic.c.is_empty() || same(old, *b, atomic);
                            let change = |old: u64| is_swapped(old).then(|| change(old));
                            weak::update(warp, env, shared, (place, lane), (atomic, change))
                        }
                    };
                    if let Some(to) = atomic.to.get(i) {
                        warp.frames[frame].set(*to, lane, old);
                    }
                }
            }
            wide => wide_atomic(
                warp,
                env,
                shared,
                (frame, lane),
                place,
                (wide, atomic.order),
                (&b, &c),
                &atomic.to,
            ),
        }
    }
    if let Some(races) = &mut shared.races {
        races.written(&identity, atomic.order, active);
    }
    Ok(())
}

/// Whether a value is the one that `cas` compares with.
fn same(old: u64, with: u64, atomic: &Atomic) -> bool {
    (old ^ with) & (u64::MAX >> (64 - 8 * atomic.bytes)) == 0
}

/// Changes up to 8 bytes in one step; gives the old value.
pub(crate) fn change_at(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    place: Place,
    lane: usize,
    bytes: u32,
    change: impl Fn(u64) -> u64,
) -> u64 {
    let (old, new) = match place {
        Place::Global(region, offset) => {
            let alone = env.global.exclusive;
            let old = env
                .global
                .region(region)
                .update(offset, bytes, alone, &change);
            (old, change(old))
        }
        _ => {
            let old = read(warp, env, shared, place, lane, bytes, Ordering::Relaxed);
            let new = change(old);
            write(
                warp,
                env,
                shared,
                place,
                lane,
                (bytes, new),
                Ordering::Relaxed,
            );
            (old, new)
        }
    };
    // An exchange that changes nothing is not a step forward for anyone who waits.
    let mask = u64::MAX >> (64 - 8 * bytes);
    shared.progress += u64::from((old ^ new) & mask != 0);
    old
}

#[allow(clippy::too_many_arguments)]
fn wide_atomic(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (frame, lane): (usize, usize),
    place: Place,
    (update, order): (&Update, Order),
    (b, c): (&[u64], &[u64]),
    to: &[Dst],
) {
    let _held = env.global.lock_wide();
    let at = |half: u32| shift(place, 8 * half);
    let old = [0, 1].map(|half| read(warp, env, shared, at(half), lane, 8, Ordering::SeqCst));
    let new = match update {
        Update::Compare128 if b != old => None,
        Update::Compare128 => Some(c),
        _ => Some(b),
    };
    if shared.weak.is_some() {
        weak::wide(warp, env, shared, (place, lane), (order, new.is_some()));
    }
    if let Some(&[low, high]) = new {
        for (half, value) in [(0, low), (1, high)] {
            put_at(
                warp,
                env,
                shared,
                at(half),
                lane,
                (8, value),
                Ordering::SeqCst,
            );
        }
        shared.progress += u64::from(old != [low, high]);
    }
    for (to, value) in to.iter().zip(old) {
        warp.frames[frame].set(*to, lane, value);
    }
}

/// `cvta`, `isspacep`, `mapa`, `getctarank`
pub(super) fn address(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    (op, to, a, b): (AddressOp, Dst, Src, Src),
    active: u32,
) -> Outcome<()> {
    let identity = warp.identity;
    let blocks = env.blocks_in_cluster();
    for lane in lanes(active) {
        let around = Around::new(env, &identity, shared);
        let registers = &warp.frames[frame];
        let a = registers.get(a, lane, around);
        let own = |address: u64| address::rank_of(address).unwrap_or(identity.rank);
        let value = match op {
            // A null pointer stays one.
            AddressOp::ToGeneric(Space::Shared) => {
                let address = a & u64::from(u32::MAX);
                address::SHARED + address::of_rank(address, own(address))
            }
            AddressOp::ToGeneric(space) => a.wrapping_add(space.base()),
            AddressOp::FromGeneric(Space::Shared) => {
                let address = a.wrapping_sub(address::SHARED);
                if address::rank_of(address) == Some(identity.rank) {
                    address & address::OFFSET_MASK
                } else {
                    address
                }
            }
            AddressOp::FromGeneric(space) => a.wrapping_sub(space.base()),
            AddressOp::IsIn(space, own_block) => {
                let (lies_in, at) = Space::of_generic(a);
                let same = match space {
                    Space::Const => is_constant(env, a),
                    // Kernel parameters lie in the window of global memory, constants do not.
                    Space::Global => {
                        lies_in == Space::Param || lies_in == Space::Global && !is_constant(env, a)
                    }
                    space => lies_in == space,
                };
                u64::from(
                    same && (space != Space::Shared || !own_block || own(at) == identity.rank),
                )
            }
            AddressOp::MapRank(generic) => {
                let rank = registers.get(b, lane, around) as u32;
                if rank >= blocks {
                    let problem = Problem::NoSuchRank { rank, blocks };
                    return Err(Box::new(Trouble {
                        lane: lane as u32,
                        problem,
                    }));
                }
                let base = if generic { address::SHARED } else { 0 };
                base + address::of_rank(a.wrapping_sub(base), rank)
            }
            AddressOp::RankOf(generic) => {
                let base = if generic { address::SHARED } else { 0 };
                u64::from(own(a.wrapping_sub(base)))
            }
        };
        warp.frames[frame].set(to, lane, value);
    }
    Ok(())
}

fn is_constant(env: &Env<'_>, address: u64) -> bool {
    let region = env.global.find(address, 1, 0);
    region.is_ok_and(|index| env.global.region(index).purpose == Purpose::Constant)
}
