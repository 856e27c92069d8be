//! Surfaces: loads, stores and reductions at whole coordinates.
//!
//! `.b` counts x in bytes and moves bits; `.p` counts it in texels, and this emulator has it for channels of 32 bits, which
//! need no conversion.

use super::{Handle, find, geometry, wrong};
use crate::address::Space;
use crate::exec::access::{self, Touch};
use crate::exec::frame::Around;
use crate::exec::group::Shared;
use crate::exec::mbarrier::trouble;
use crate::exec::warp::Warp;
use crate::exec::{Env, Outcome, defined, lifetime};
use crate::finding::{Access, Problem};
use crate::program::{Dst, Order, Src, Visitor, visit_reads, visit_writes};
use crate::races::Touched;
use smallvec::SmallVec;
use std::sync::atomic::Ordering;
use warpc_launch::texture::{Channel, Geometry, Kind};
use warpc_ptx_eval::AtomicUpdate;

/// What a place outside of a surface means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clamp {
    /// An error.
    Trap,
    /// The nearest place inside.
    Nearest,
    /// Zeros are read, and nothing is written.
    Zero,
}

/// `suld`, `sust`, `sured`
#[derive(Debug)]
pub struct Surface {
    /// The surface.
    pub surface: Handle,
    /// How texels are found.
    pub geometry: Geometry,
    /// The coordinates.
    pub coordinates: SmallVec<[Src; 4]>,
    /// Bytes of an element.
    pub bytes: u32,
    /// Whether x counts texels.
    pub formatted: bool,
    /// What a place outside means.
    pub clamp: Clamp,
    /// Where elements go that are loaded.
    pub to: SmallVec<[Dst; 4]>,
    /// The elements that are stored, or combined with what is there.
    pub from: SmallVec<[Src; 4]>,
    /// How: unsigned elements, and signed ones.
    pub updates: Option<[AtomicUpdate; 2]>,
}

impl Surface {
    /// Visits every register that is read, then every one that is written.
    pub(super) fn visit(&mut self, visitor: &mut dyn Visitor) {
        visitor.read(&mut self.surface.at.base);
        visit_reads(visitor, self.coordinates.iter_mut().chain(&mut self.from));
        visit_writes(visitor, &mut self.to);
    }

    /// The registers that are written.
    pub(super) fn results(&self) -> impl Iterator<Item = Dst> {
        self.to.iter().copied()
    }
}

/// One lane accesses a surface.
pub(super) fn access(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Surface,
    lane: usize,
) -> Outcome<()> {
    let surface = find(warp, env, shared, (op.surface, lane, Kind::Surface))?;
    geometry(lane, &surface, op.geometry)?;
    let texel = surface.texel_bytes();
    if op.formatted && (surface.channel.bytes() != op.bytes || op.bytes != 4) {
        let name = surface.channel.name();
        let message = format!("the emulator does not run formatted accesses of {name} channels");
        return Err(wrong(
            lane,
            message,
            "it has those of 32-bit channels, which need no conversion",
        ));
    }
    let update = op.updates.map(|[unsigned, signed]| match surface.channel {
        Channel::S32 => signed,
        _ => unsigned,
    });
    if op.formatted && update.is_some() && (surface.channel.is_float() || surface.channels > 1) {
        let message =
            "a formatted reduction of a surface that has not one integer channel".to_owned();
        let help = "`sured.p` is for surfaces of `u32` or `s32` texels";
        return Err(wrong(lane, message, help));
    }
    let around = Around::new(env, &warp.identity, shared);
    let frame = warp.frame();
    let get = |source: &Src| warp.frames[frame].get(*source, lane, around);
    let all: SmallVec<[i64; 4]> = op
        .coordinates
        .iter()
        .map(|one| i64::from(get(one) as i32))
        .collect();
    let values: SmallVec<[u64; 4]> = op.from.iter().map(get).collect();
    let (layer, coordinates) = match op.geometry.layered {
        true => (
            all.first().copied().unwrap_or(0),
            all.get(1..).unwrap_or(&[]),
        ),
        false => (0, &all[..]),
    };
    let elements = match op.formatted {
        // Channels that the surface does not have are left out.
        true => surface.channels.min(values.len() as u32),
        false => op.to.len().max(op.from.len()) as u32,
    };
    let size = elements * op.bytes;
    let row = i64::from(surface.size[0]) * i64::from(texel);
    let x =
        coordinates.first().copied().unwrap_or(0) * if op.formatted { i64::from(texel) } else { 1 };
    let mut at = [
        x,
        coordinates.get(1).copied().unwrap_or(0),
        coordinates.get(2).copied().unwrap_or(0),
        layer,
    ];
    let most = [
        row - i64::from(size),
        i64::from(surface.size[1]) - 1,
        i64::from(surface.size[2]) - 1,
        i64::from(surface.layers.unwrap_or(1)) - 1,
    ];
    // A dimension that the instruction has not is not looked at.
    let used = [
        true,
        op.geometry.dimensions > 1,
        op.geometry.dimensions > 2,
        op.geometry.layered,
    ];
    let mut outside = false;
    for i in 0..4 {
        if !used[i] {
            at[i] = 0;
        } else if !(0..=most[i]).contains(&at[i]) {
            outside = true;
            at[i] = at[i].clamp(0, most[i].max(0));
        }
    }
    let reads = op.from.is_empty();
    if outside || most[0] < 0 {
        let touched = match (reads, update.is_some()) {
            (true, _) => Access::Read,
            (_, true) => Access::Atomic,
            _ => Access::Write,
        };
        match op.clamp {
            Clamp::Nearest if most[0] >= 0 => {}
            Clamp::Zero => {
                for to in &op.to {
                    warp.frames[frame].set(*to, lane, 0);
                }
                return Ok(());
            }
            _ => {
                let [width, height, depth] = surface.size;
                let near = format!(
                    "outside of a surface of {width} x {height} x {depth} texels of {texel} bytes"
                );
                let problem = Problem::OutOfBounds {
                    access: touched,
                    space: Space::Global,
                    address: surface.texels,
                    bytes: u64::from(size),
                    near: Some(near),
                };
                return Err(trouble(lane, problem));
            }
        }
    }
    let rows = (at[3] * i64::from(surface.size[2]) + at[2]) * i64::from(surface.size[1]) + at[1];
    let offset = (rows * row + at[0]) as u64;
    let mut touch = Touch {
        access: if reads { Access::Read } else { Access::Write },
        space: Space::Global,
        address: surface.texels.wrapping_add(offset),
        bytes: size,
        lane,
    };
    if update.is_some() {
        touch.access = Access::Atomic;
    }
    let place = access::resolve(warp, env, shared, touch)?;
    let part = op.bytes.min(8);
    let touched = Touched {
        access: touch.access,
        order: match update {
            Some(_) => Order::strong(None, crate::program::Scope::Gpu),
            None => Order::default(),
        },
        bytes: part,
        count: elements,
    };
    shared.counts.accesses += 1;
    shared.counts.bytes += u64::from(size);
    if reads {
        lifetime::read(env, shared, (place, lane), (size, false))?;
        if let Some(races) = &mut shared.races {
            races.loads(lane, place);
            races.loaded(env, warp, touched);
        }
        for (i, to) in op.to.iter().enumerate() {
            let at = access::shift(place, i as u32 * part);
            let value = access::read(warp, env, shared, at, lane, part, Ordering::Relaxed);
            warp.frames[frame].set(*to, lane, value);
        }
        return Ok(());
    }
    lifetime::write(warp, env, shared, (place, lane), size)?;
    shared.progress += 1;
    if let Some(mut races) = shared.races.take() {
        let same = |i: u32| {
            let at = access::shift(place, i * part);
            let old = access::read(warp, env, shared, at, lane, part, Ordering::Relaxed);
            update.is_none() && (old ^ values[i as usize]) & (u64::MAX >> (64 - 8 * part)) == 0
        };
        races.alone(env, warp, touched, (lane, place), same);
        shared.races = Some(races);
    }
    for (i, value) in values.iter().take(elements as usize).enumerate() {
        let at = access::shift(place, i as u32 * part);
        match (update, at) {
            (Some(update), access::Place::Global(region, offset)) => {
                let (region, alone) = (env.global.region(region), env.global.exclusive);
                region.update(offset, part, alone, |old| update(old, *value, 0));
            }
            _ => access::write(
                warp,
                env,
                shared,
                at,
                lane,
                (part, *value),
                Ordering::Relaxed,
            ),
        }
        defined::set_place(warp, env, shared, (at, lane), (part, 0));
    }
    Ok(())
}
