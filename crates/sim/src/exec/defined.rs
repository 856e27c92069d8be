//! Which bits hold a value that somebody wrote.
//!
//! ```text
//!   memory: a shadow byte per byte ──load──► registers: a shadow bit per bit ──rules──► a use that matters
//! ```
//!
//! A set bit of a shadow is an undefined bit. Memory that begins undefined (shared memory, the stack, blocks of `malloc`) has a
//! shadow of its own size; buffers and variables of the module are always defined. Undefined bits travel through registers and
//! memory as the values do ([`rules`]), so a copy of padding is not reported. What is reported is a use that decides something:
//! a branch, an address, a count, or a value that leaves the kernel ([`uses`]).
//!
//! The shadow of the registers of a call exists only while one of them has undefined bits ([`Warp::tainted`]): a kernel that
//! initialises what it reads pays for the shadow of its memory only.

mod rules;
mod shadow;
mod uses;

pub(super) use rules::step;
pub(crate) use shadow::{Origin, Shadow};
pub(super) use uses::{Use, of_memory, report};

use super::access::Place;
use super::frame::{Doubles, Frame};
use super::group::Shared;
use super::warp::Warp;
use super::{Env, Outcome, access, lanes};
use crate::memory::Purpose;
use crate::program::{self, Atomic, Code, Dst, Load, Src, Store};

/// The undefined bits of up to 8 bytes of memory.
pub(super) fn of_place(
    warp: &Warp,
    env: &Env<'_>,
    shared: &Shared,
    (place, lane): (Place, usize),
    bytes: u32,
) -> u64 {
    match place {
        Place::Shared(rank, offset) => match shared.undefined.get(rank) {
            Some(shadow) => access::little(shadow, offset, bytes),
            None => 0,
        },
        Place::Local(offset) => match warp.stack_shadow.get(lane) {
            Some(shadow) => access::little(shadow, offset, bytes),
            None => 0,
        },
        Place::Global(region, offset) => env.global.undefined(region, offset, bytes),
        Place::Param(_) => 0,
    }
}

/// Sets the undefined bits of up to 8 bytes of memory.
pub(super) fn set_place(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (place, lane): (Place, usize),
    (bytes, bits): (u32, u64),
) {
    match place {
        Place::Shared(rank, offset) => {
            if let Some(shadow) = shared.undefined.get_mut(rank) {
                access::put(shadow, offset, bytes, bits);
            }
        }
        Place::Local(offset) => {
            if let Some(shadow) = warp.stack_shadow.get_mut(lane) {
                access::put(shadow, offset, bytes, bits);
            }
        }
        Place::Global(region, offset) => env.global.set_undefined(region, offset, bytes, bits),
        Place::Param(_) => {}
    }
}

/// Bytes of shared memory were written by something other than a store.
pub(super) fn written(shared: &mut Shared, rank: u32, offset: u32, bytes: usize) {
    if let Some(shadow) = shared.undefined.get_mut(rank as usize) {
        shadow[offset as usize..offset as usize + bytes].fill(0);
    }
}

/// Whether nothing of some bytes of shared memory is defined.
pub(super) fn is_undefined(shared: &Shared, (rank, offset): (u32, u32), bytes: u32) -> bool {
    let (start, end) = (offset as usize, (offset + bytes) as usize);
    let shadow = shared.undefined.get(rank as usize);
    shadow.is_some_and(|shadow| shadow[start..end].iter().all(|byte| *byte == u8::MAX))
}

/// A stack has grown from so many bytes: what was there before is gone.
pub(super) fn grown(warp: &mut Warp, env: &Env<'_>, lane: usize, from: usize) {
    if !env.init {
        return;
    }
    if warp.stack_shadow.is_empty() {
        warp.stack_shadow = vec![Vec::new(); 32];
    }
    let shadow = &mut warp.stack_shadow[lane];
    shadow.truncate(from);
    shadow.resize(warp.stacks[lane].len(), u8::MAX);
}

/// Registers that a function reads without writing them begin undefined.
pub(super) fn entered(code: &Code, frame: &mut Frame, env: &Env<'_>) -> bool {
    if !env.init || code.unwritten.is_empty() {
        return false;
    }
    let lanes = frame.lanes;
    let shadow = shadow_of(frame, env);
    for to in &code.unwritten {
        for lane in super::lanes(lanes) {
            shadow.set(*to, lane, u64::MAX, Origin::UNWRITTEN);
        }
    }
    true
}

fn shadow_of<'f>(frame: &'f mut Frame, env: &Env<'_>) -> &'f mut Shadow {
    let code = &env.program.codes[frame.code];
    frame
        .undefined
        .get_or_insert_with(|| Box::new(Shadow::new(code)))
}

/// A lane of a register gets undefined bits.
fn taint(
    warp: &mut Warp,
    env: &Env<'_>,
    (frame, to): (usize, Dst),
    lane: usize,
    (bits, origin): (u64, Origin),
) {
    if bits != 0 {
        warp.tainted = true;
        shadow_of(&mut warp.frames[frame], env).set(to, lane, bits, origin);
    }
}

/// The place that a fragment is at.
fn here(warp: &Warp) -> (u32, u32) {
    let fragment = warp.fragments[warp.current];
    (warp.frames[fragment.frame].code as u32, fragment.pc)
}

/// One lane has loaded an element.
pub(super) fn loaded(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    frame: usize,
    (place, lane): (Place, usize),
    (load, to): (&Load, Dst),
) {
    let part = load.bytes.min(8);
    let mut bits = of_place(warp, env, shared, (place, lane), part);
    if bits == 0 {
        return;
    }
    if crate::address::sign_extends(load.ty) && part < 8 {
        let shift = 64 - 8 * part;
        bits = ((bits << shift) as i64 >> shift) as u64;
    }
    let origin = match kept(warp, shared, place, lane) {
        Some(origin) => origin,
        None => Origin::load(here(warp), place),
    };
    taint(warp, env, (frame, to), lane, (bits, origin));
}

/// Where undefined bits came from that a thread stored.
fn kept(warp: &Warp, shared: &Shared, place: Place, lane: usize) -> Option<Origin> {
    match place {
        Place::Local(offset) => warp.origins.get(&(lane as u32, offset as u32)).copied(),
        Place::Shared(rank, offset) => shared.origins.get(&(rank as u32, offset as u32)).copied(),
        _ => None,
    }
}

/// Remembers where the undefined bits came from that a thread stores.
fn keep(warp: &mut Warp, shared: &mut Shared, (place, lane): (Place, usize), origin: Origin) {
    match place {
        Place::Local(offset) => {
            warp.origins.insert((lane as u32, offset as u32), origin);
        }
        Place::Shared(rank, offset) => {
            shared.origins.insert((rank as u32, offset as u32), origin);
        }
        _ => {}
    }
}

/// All lanes have loaded an element of the block's shared memory, at these offsets.
pub(super) fn loaded_shared(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    frame: usize,
    (rank, at, active): (usize, &Doubles, u32),
    (load, to): (&Load, Dst),
) {
    let Some(shadow) = shared.undefined.get(rank) else {
        return;
    };
    let any = lanes(active).fold(0, |any, lane| {
        any | access::little(shadow, at[lane] as usize, load.bytes)
    });
    if any == 0 {
        return;
    }
    for lane in lanes(active) {
        let place = Place::Shared(rank, at[lane] as usize);
        loaded(warp, env, shared, frame, (place, lane), (load, to));
    }
}

/// All lanes have stored a defined element to the block's shared memory, at these offsets.
pub(super) fn stored_shared(
    shared: &mut Shared,
    (rank, at, active): (usize, &Doubles, u32),
    bytes: u32,
) {
    if let Some(shadow) = shared.undefined.get_mut(rank) {
        for lane in lanes(active) {
            access::put(shadow, at[lane] as usize, bytes, 0);
        }
    }
}

/// Whether one of these lanes has undefined bits in a source.
pub(super) fn is_tainted(warp: &Warp, frame: usize, source: Src, active: u32) -> bool {
    warp.tainted
        && warp.frames[frame]
            .undefined
            .as_ref()
            .is_some_and(|shadow| lanes(active).any(|lane| shadow.get(source, lane) != 0))
}

/// The undefined bits of a source.
pub(crate) fn of_source(warp: &Warp, frame: usize, source: Src, lane: usize) -> u64 {
    match &warp.frames[frame].undefined {
        Some(shadow) => shadow.get(source, lane),
        None => 0,
    }
}

/// One lane stores elements: their undefined bits go to memory. A store to memory that others than the kernel read must bring
/// a value.
pub(super) fn stored(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    (place, lane): (Place, usize),
    store: &Store,
) -> Outcome<()> {
    let part = store.bytes.min(8);
    let all = u64::MAX >> (64 - 8 * part);
    let mut wholly = warp.tainted;
    for (i, element) in store.elements.iter().enumerate() {
        let bits = of_source(warp, frame, *element, lane) & all;
        wholly &= bits == all;
        let at = access::shift(place, i as u32 * part);
        set_place(warp, env, shared, (at, lane), (part, bits));
        if bits != 0
            && let Some(shadow) = &warp.frames[frame].undefined
        {
            let origin = shadow.origin(*element);
            keep(warp, shared, (at, lane), origin);
        }
    }
    if wholly && let Place::Global(region, _) = place {
        let region = env.global.region(region);
        if region.purpose != Purpose::Heap && !store.elements.is_empty() {
            let name = region.name.clone();
            return Err(report(
                warp,
                env,
                frame,
                (store.elements[0], lane),
                Use::Stored(name),
            ));
        }
    }
    Ok(())
}

/// An atomic changes elements: what it gives is as defined as what was there, and what is there then as defined as both. As a store, it
/// must bring a value to memory that others than the kernel read.
pub(super) fn updated(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    frame: usize,
    (place, lane, bytes): (Place, usize, u32),
    atomic: &Atomic,
) -> Outcome<()> {
    // Elements of 128 bits are treated as two.
    let part = atomic.bytes.min(8);
    let all = u64::MAX >> (64 - 8 * part);
    let given = match warp.tainted {
        true => atomic.b.iter().chain(&atomic.c).fold(0, |bits, source| {
            bits | of_source(warp, frame, *source, lane)
        }),
        false => 0,
    };
    let origin = Origin::load(here(warp), place);
    for i in 0..bytes / part {
        let place = access::shift(place, i * part);
        let before = of_place(warp, env, shared, (place, lane), part);
        if before == 0 && given & all == 0 {
            continue;
        }
        let after = match atomic.replaces {
            true => given & all,
            false => all,
        };
        set_place(warp, env, shared, (place, lane), (part, after));
        if let Some(to) = atomic.to.get(i as usize) {
            taint(warp, env, (frame, *to), lane, (before, origin));
        }
    }
    if warp.tainted
        && let Place::Global(region, _) = place
    {
        let region = env.global.region(region);
        let is_wholly = |source: &Src| of_source(warp, frame, *source, lane) & all == all;
        let bad = [&atomic.b, &atomic.c]
            .into_iter()
            .find(|list| !list.is_empty() && list.iter().all(is_wholly));
        if let Some(list) = bad
            && region.purpose != Purpose::Heap
        {
            let stored = Use::Stored(region.name.clone());
            return Err(report(warp, env, frame, (list[0], lane), stored));
        }
    }
    Ok(())
}

/// An argument or result is passed.
pub(super) fn passed(
    warp: &mut Warp,
    env: &Env<'_>,
    (from_frame, from): (&mut Frame, &program::Place),
    (to_frame, to): (&mut Frame, &program::Place),
    lane: usize,
) {
    if warp.stack_shadow.is_empty() && from_frame.undefined.is_none() {
        return;
    }
    let pc = here(warp).1;
    let origin = Origin::load((from_frame.code as u32, pc), Place::Local(0));
    let read = |warp: &Warp, offset: u32, bytes: u32| match warp.stack_shadow.get(lane) {
        Some(shadow) => {
            let at = (from_frame.base_of(lane) + offset) as usize;
            let mut value = [0; 8];
            let bytes = bytes.min(8) as usize;
            value[..bytes].copy_from_slice(&shadow[at..at + bytes]);
            u64::from_le_bytes(value)
        }
        None => 0,
    };
    let value = |source: Src| match &from_frame.undefined {
        Some(shadow) => (shadow.get(source, lane), shadow.origin(source)),
        None => (0, origin),
    };
    match (*from, *to) {
        (program::Place::Memory(from, size), program::Place::Memory(to, room)) => {
            let from = (from_frame.base_of(lane) + from) as usize;
            let to = (to_frame.base_of(lane) + to) as usize;
            if let Some(shadow) = warp.stack_shadow.get_mut(lane) {
                shadow.copy_within(from..from + size.min(room) as usize, to);
            }
            let of = |at: usize| (lane as u32, at as u32);
            if let Some(origin) = warp.origins.get(&of(from)).copied() {
                warp.origins.insert(of(to), origin);
            }
        }
        (program::Place::Memory(from, size), program::Place::Register(to)) => {
            let bits = read(warp, from, size);
            if bits != 0 || to_frame.undefined.is_some() {
                shadow_of(to_frame, env).set(to, lane, bits, origin);
                warp.tainted = true;
            }
        }
        (program::Place::Value(from), program::Place::Memory(to, room)) => {
            let (bits, _) = value(from);
            let at = (to_frame.base_of(lane) + to) as usize;
            if let Some(shadow) = warp.stack_shadow.get_mut(lane) {
                let room = room.min(8) as usize;
                shadow[at..at + room].copy_from_slice(&bits.to_le_bytes()[..room]);
            }
        }
        (program::Place::Value(from), program::Place::Register(to)) => {
            let (bits, origin) = value(from);
            if bits != 0 || to_frame.undefined.is_some() {
                shadow_of(to_frame, env).set(to, lane, bits, origin);
                warp.tainted = true;
            }
        }
        (program::Place::Register(_), _) | (_, program::Place::Value(_)) => {}
    }
}

/// Two frames become one: lanes move with what is undefined in them.
pub(super) fn unified(to: &mut Frame, mut from: Option<Box<Shadow>>, lanes: u32, code: &Code) {
    if to.undefined.is_none() && from.is_none() {
        return;
    }
    let from = from.get_or_insert_with(|| Box::new(Shadow::new(code)));
    let to = to
        .undefined
        .get_or_insert_with(|| Box::new(Shadow::new(code)));
    to.take(from, lanes);
}

/// A shuffle gave some lanes the value of a lane that does not take part, and the others that of a lane that does.
pub(super) fn collected(
    warp: &mut Warp,
    env: &Env<'_>,
    results: &[(super::warp::Fragment, u32, Dst, Dst)],
    (bits, absent): (&Doubles, u32),
    flags: u32,
) {
    for (fragment, active, to, predicate) in results {
        let code = warp.frames[fragment.frame].code as u32;
        for lane in lanes(*active) {
            let is_absent = absent >> lane & 1 != 0;
            let origin = match is_absent {
                true => Origin::shuffle((code, fragment.pc)),
                false => Origin::collective((code, fragment.pc)),
            };
            let bits = if is_absent { u64::MAX } else { bits[lane] };
            let flag = u64::from(flags >> lane & 1);
            let frame = &mut warp.frames[fragment.frame];
            if bits | flag != 0 || frame.undefined.is_some() {
                let shadow = shadow_of(frame, env);
                shadow.set(*to, lane, bits, origin);
                shadow.set(*predicate, lane, flag, origin);
                warp.tainted = true;
            }
        }
    }
}

/// A matrix instruction sets registers of all lanes.
pub(super) fn matrix_loaded(
    warp: &mut Warp,
    env: &Env<'_>,
    frame: usize,
    to: &[Dst],
    bits: &[Doubles],
) {
    let any = bits.iter().flatten().any(|bits| *bits != 0);
    if !any && warp.frames[frame].undefined.is_none() {
        return;
    }
    let (code, pc) = here(warp);
    let origin = Origin::load((code, pc), Place::Shared(0, 0));
    let shadow = shadow_of(&mut warp.frames[frame], env);
    for (to, bits) in to.iter().zip(bits) {
        for (lane, bits) in bits.iter().enumerate() {
            shadow.set(*to, lane, *bits, origin);
        }
    }
    warp.tainted = true;
}

/// A matrix product was computed. Which element depends on which is not followed: a result is undefined where its summand is,
/// or if nothing of both factors is defined.
pub(super) fn multiplied(
    warp: &mut Warp,
    env: &Env<'_>,
    frame: usize,
    (sources, results): (&[Src], &[Dst]),
) {
    let summands = sources.len().saturating_sub(results.len());
    let (factors, summands) = sources.split_at(summands);
    let nothing = factors
        .iter()
        .all(|source| of_all(warp, frame, *source).iter().all(|bits| *bits != 0));
    let bits: Vec<Doubles> = match nothing && !factors.is_empty() {
        true => vec![[u64::MAX; 32]; results.len()],
        false => summands
            .iter()
            .map(|source| of_all(warp, frame, *source))
            .collect(),
    };
    matrix_loaded(warp, env, frame, results, &bits);
}

/// The undefined bits that lanes of a register have, for all lanes.
pub(super) fn of_all(warp: &Warp, frame: usize, source: Src) -> Doubles {
    match &warp.frames[frame].undefined {
        Some(shadow) => std::array::from_fn(|lane| shadow.get(source, lane)),
        None => [0; 32],
    }
}
