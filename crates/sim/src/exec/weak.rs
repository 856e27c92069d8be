//! Loads, stores and atomics with weak memory: [`crate::weak`] chooses what they see, and this is what they do with memory.

use super::Env;
use super::access::{self, Place, put_at};
use super::group::Shared;
use super::warp::Warp;
use crate::program::{Atomic, Load, Order, Store};
use crate::weak::Access;
use std::sync::atomic::Ordering;

/// An element that a lane loads.
pub(super) fn read(
    warp: &Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (place, lane): (Place, usize),
    load: &Load,
) -> u64 {
    let bytes = load.bytes.min(8);
    let memory = access::read(warp, env, shared, place, lane, bytes, Ordering::Relaxed);
    let Some(weak) = &mut shared.weak else {
        return memory;
    };
    // The read-only path is another proxy, and 128 bits are read at once.
    let access = Access {
        thread: super::thread_of(warp, env, lane),
        place,
        bytes,
        order: load.order,
        newest: load.cached || load.bytes > 8,
    };
    let (value, is_old) = weak.load(env, access, memory);
    // How often is bounded, and who waits in a loop may see something else the next time.
    shared.progress += u64::from(is_old);
    value
}

/// An element that a lane stores.
pub(super) fn write(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (place, lane): (Place, usize),
    (store, value): (&Store, u64),
) {
    let bytes = store.bytes.min(8);
    let memory = access::read(warp, env, shared, place, lane, bytes, Ordering::Relaxed);
    let access = Access {
        thread: super::thread_of(warp, env, lane),
        place,
        bytes,
        order: store.order,
        newest: store.bytes > 8,
    };
    let value = value & u64::MAX >> (64 - 8 * bytes);
    let is_last = match &mut shared.weak {
        Some(weak) => weak.store(env, access, (memory, value)),
        None => true,
    };
    if is_last {
        let order = Ordering::Relaxed;
        put_at(warp, env, shared, place, lane, (bytes, value), order);
    }
}

/// Changes an element in one step, or only reads it if `change` gives nothing; gives the old value.
pub(super) fn update(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (place, lane): (Place, usize),
    (atomic, change): (&Atomic, impl Fn(u64) -> Option<u64>),
) -> u64 {
    let bytes = atomic.bytes;
    let memory = access::read(warp, env, shared, place, lane, bytes, Ordering::Relaxed);
    let access = Access {
        thread: super::thread_of(warp, env, lane),
        place,
        bytes,
        order: atomic.order,
        newest: false,
    };
    let mask = u64::MAX >> (64 - 8 * bytes);
    let change = |old: u64| Some(change(old)? & mask);
    let (old, new) = match &mut shared.weak {
        Some(weak) => weak.update(env, access, memory, change),
        None => (memory, change(memory)),
    };
    if let Some(new) = new {
        let order = Ordering::Relaxed;
        put_at(warp, env, shared, place, lane, (bytes, new), order);
    }
    let changed = new.is_some_and(|new| new != memory);
    shared.progress += u64::from(changed || old != memory);
    old
}

/// Both halves of an atomic operation of 128 bits, which sees the last write; whether it writes.
pub(super) fn wide(
    warp: &Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (place, lane): (Place, usize),
    (order, writes): (Order, bool),
) {
    let thread = super::thread_of(warp, env, lane);
    for half in 0..2 {
        let place = access::shift(place, 8 * half);
        let memory = access::read(warp, env, shared, place, lane, 8, Ordering::Relaxed);
        let access = Access {
            thread,
            place,
            bytes: 8,
            order,
            newest: true,
        };
        if let Some(weak) = &mut shared.weak {
            weak.update(env, access, memory, |old| writes.then_some(old));
        }
    }
}
