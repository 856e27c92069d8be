//! Tensor maps in memory: read by copies, changed and published by threads.
//!
//! Copies read maps through a proxy of its own, which may see what a map was when the kernel began. What threads have written
//! since is there for a block after `fence.proxy.tensormap::generic.acquire` by one of its threads: the bytes that the map had
//! then are kept, and a copy that finds others is told. Writes of other kernels are not known.

use super::access::{self, Place, Touch};
use super::barrier::{Gathered, gather};
use super::frame::Around;
use super::group::Shared;
use super::mbarrier::trouble;
use super::warp::{Flow, Warp};
use super::{Env, Outcome, Trouble, defined, lanes, lifetime};
use crate::address::Space;
use crate::finding::{Access, Problem, Told};
use crate::program::{Addr, Order, Src, Visitor, visit_reads};
use crate::races::Touched;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;
use warpc_diag::codes;
use warpc_launch::tensor_map::field::Field;
use warpc_launch::tensor_map::{ALIGN, BYTES, TensorMap};

/// What is done with a map.
#[derive(Debug)]
pub enum MapOp {
    /// `tensormap.replace`
    Replace {
        /// Where the map lies.
        at: Addr,
        /// The space.
        space: Space,
        /// What of it is replaced.
        field: Field,
        /// By what.
        value: Src,
    },
    /// `tensormap.cp_fenceproxy`: from shared to global memory.
    Publish {
        /// Where to.
        to: Addr,
        /// Where from.
        from: Addr,
    },
    /// `fence.proxy.tensormap::generic.acquire`
    Acquire {
        /// Where the map lies.
        at: Addr,
    },
}

impl MapOp {
    /// Visits every register that is read; none is written.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            MapOp::Replace { at, value, .. } => visit_reads(visitor, [&mut at.base, value]),
            MapOp::Publish { to, from } => visit_reads(visitor, [&mut to.base, &mut from.base]),
            MapOp::Acquire { at } => visitor.read(&mut at.base),
        }
    }
}

/// Maps that blocks have acquired: block of the cluster, region and offset, and the bytes at that time.
pub(crate) type Acquired = FxHashMap<(u32, usize, u64), [u8; BYTES]>;

/// How copies of words look to what watches accesses.
fn touched(access: Access) -> Touched {
    Touched {
        access,
        order: Order::default(),
        bytes: 4,
        count: 1,
    }
}

/// The place of a map.
fn locate(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    (access, space, address, lane): (Access, Space, u64, usize),
) -> Outcome<Place> {
    let mut touch = Touch {
        access,
        space,
        address: address.wrapping_add(ALIGN),
        bytes: ALIGN as u32,
        lane,
    };
    let second = access::resolve(warp, env, shared, touch)?;
    touch.address = address;
    let place = access::resolve(warp, env, shared, touch)?;
    match place {
        place if access::shift(place, ALIGN as u32) != second => {
            let problem = Problem::OutOfBounds {
                access,
                space,
                address,
                bytes: BYTES as u64,
                near: Some("across the end of a buffer".to_owned()),
            };
            Err(trouble(lane, problem))
        }
        Place::Local(_) => {
            let problem = Problem::Other {
                message: format!("a tensor map at {address:#x}, which is memory of the thread"),
                help: "a tensor map lies in global or constant memory, or is a parameter of the kernel",
            };
            Err(trouble(lane, problem))
        }
        place => Ok(place),
    }
}

fn bytes_at(
    warp: &Warp,
    env: &Env<'_>,
    shared: &Shared,
    (place, lane): (Place, usize),
) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (i, word) in bytes.chunks_mut(8).enumerate() {
        let at = access::shift(place, 8 * i as u32);
        let value = access::read(warp, env, shared, at, lane, 8, Ordering::Relaxed);
        word.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// Reads a map for a copy.
pub(super) fn read(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    (at, lane): (Addr, usize),
) -> Outcome<TensorMap> {
    let address = access::address_of(warp, env, shared, lane, at);
    let place = locate(
        warp,
        env,
        shared,
        (Access::Read, Space::Generic, address, lane),
    )?;
    if let Place::Shared(..) = place {
        let problem = Problem::Other {
            message: format!("the tensor map at {address:#x} lies in shared memory"),
            help: "copies read maps in global or constant memory or in parameters: publish it with `tensormap.cp_fenceproxy`",
        };
        return Err(trouble(lane, problem));
    }
    let bytes = bytes_at(warp, env, shared, (place, lane));
    if let Place::Global(region, offset) = place
        && env.global.is_written(region, offset, BYTES as u32)
        && shared.maps.get(&(warp.identity.rank, region, offset)) != Some(&bytes)
    {
        let name = &env.global.region(region).name;
        let told = Told {
            code: codes::PROXY_FENCE,
            warning: false,
            message: format!(
                "the copy reads a tensor map in {name} at offset {offset}, which was written without a proxy fence since"
            ),
            help: "publish the map with `tensormap.cp_fenceproxy` or `fence.proxy.tensormap::generic.release`, and execute \
                   `fence.proxy.tensormap::generic.acquire` on it in the block that copies"
                .to_owned(),
            related: Vec::new(),
        };
        return Err(trouble(lane, Problem::Told(Box::new(told))));
    }
    let decoded = TensorMap::decode(&bytes).and_then(|map| map.check().map(|()| map));
    decoded.map_err(|why| {
        let problem = Problem::Other {
            message: format!("the 128 bytes at {address:#x} are not a tensor map: {why}"),
            help: "pass a map as `--arg tensormap:…`, or set every field of it with `tensormap.replace`",
        };
        trouble(lane, problem)
    })
}

/// Something that the emulator does not model.
#[cold]
pub(super) fn unmodelled(lane: usize, what: &str) -> Box<Trouble> {
    let told = Told {
        code: codes::NOT_EMULATED,
        warning: false,
        message: format!("the emulator does not run copies of {what}"),
        help: "`warpc run --on gpu` runs it on a GPU that has it".to_owned(),
        related: Vec::new(),
    };
    trouble(lane, Problem::Told(Box::new(told)))
}

pub(super) fn execute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &MapOp,
    active: u32,
) -> Outcome<Flow> {
    match op {
        MapOp::Replace {
            at,
            space,
            field,
            value,
        } => {
            for lane in lanes(active) {
                let around = Around::new(env, &warp.identity, shared);
                let value = warp.frames[warp.frame()].get(*value, lane, around);
                let address = access::address_of(warp, env, shared, lane, *at);
                let how = (Access::Write, *space, address, lane);
                let place = locate(warp, env, shared, how)?;
                for change in field.changes(value) {
                    let at = (access::shift(place, change.at), lane);
                    put(warp, env, shared, at, (change.mask, change.bits))?;
                }
            }
        }
        MapOp::Publish { to, from } => {
            if matches!(gather(warp, env, active)?, Gathered::Waits) {
                return Ok(Flow::Choose);
            }
            // All lanes name the same map: a part of it each.
            let lane = active.trailing_zeros().min(31) as usize;
            let place = |warp: &mut Warp, shared: &Shared, how: (Access, Space), at: Addr| {
                let address = access::address_of(warp, env, shared, lane, at);
                locate(warp, env, shared, (how.0, how.1, address, lane))
            };
            let from = place(warp, shared, (Access::Read, Space::Shared), *from)?;
            let to = place(warp, shared, (Access::Write, Space::Global), *to)?;
            lifetime::read(env, shared, (from, lane), (BYTES as u32, false))?;
            if let Some(races) = &mut shared.races {
                for i in 0..BYTES as u32 / 4 {
                    races.loads(lane, access::shift(from, 4 * i));
                }
                races.loaded(env, warp, touched(Access::Read));
            }
            let bytes = bytes_at(warp, env, shared, (from, lane));
            for (i, word) in bytes.chunks(4).enumerate() {
                let at = (access::shift(to, 4 * i as u32), lane);
                put(
                    warp,
                    env,
                    shared,
                    at,
                    (u32::MAX, access::little(word, 0, 4) as u32),
                )?;
            }
        }
        MapOp::Acquire { at } => {
            for lane in lanes(active) {
                let address = access::address_of(warp, env, shared, lane, *at);
                let how = (Access::Read, Space::Generic, address, lane);
                let place = locate(warp, env, shared, how)?;
                if let Place::Global(region, offset) = place {
                    let bytes = bytes_at(warp, env, shared, (place, lane));
                    let key = (warp.identity.rank, region, offset);
                    shared.maps.insert(key, bytes);
                }
            }
        }
    }
    shared.progress += 1;
    Ok(Flow::Next)
}

/// A thread changes bits of a word.
fn put(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (place, lane): (Place, usize),
    (mask, bits): (u32, u32),
) -> Outcome<()> {
    lifetime::write(warp, env, shared, (place, lane), 4)?;
    let old = access::read(warp, env, shared, place, lane, 4, Ordering::Relaxed) as u32;
    let new = old & !mask | bits & mask;
    if let Some(mut races) = shared.races.take() {
        races.alone(env, warp, touched(Access::Write), (lane, place), |_| {
            old == new
        });
        shared.races = Some(races);
    }
    access::write(
        warp,
        env,
        shared,
        place,
        lane,
        (4, u64::from(new)),
        Ordering::Relaxed,
    );
    if env.init {
        let undefined = defined::of_place(warp, env, shared, (place, lane), 4) & !u64::from(mask);
        defined::set_place(warp, env, shared, (place, lane), (4, undefined));
    }
    Ok(())
}
