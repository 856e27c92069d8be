//! Textures and surfaces: `tex`, `tld4`, `txq`, `istypep`, `suld`, `sust`, `sured`, `suq`.
//!
//! ```text
//!   handle ──► description in memory ──► footprint ──► texels in a buffer ──► registers
//! ```
//!
//! A handle is the address of a description, or of a variable or parameter that holds that address: what `.texref` and the
//! like are here. Samples are mixed in double precision and rounded once.

mod surface;

use super::access::{self, Place, Touch};
use super::frame::Around;
use super::group::Shared;
use super::mbarrier::trouble;
use super::warp::Warp;
use super::{Env, Outcome, Trouble, lanes, lifetime};
use crate::address::Space;
use crate::finding::{Access, Problem, Told};
use crate::program::{Addr, Dst, Order, Src, Visitor, visit_reads, visit_writes};
use crate::races::Touched;
use smallvec::SmallVec;
use std::sync::atomic::Ordering;
pub use surface::{Clamp, Surface};
use warpc_diag::codes;
use warpc_launch::texture::{BYTES, Channel, Footprint, Geometry, Kind, Texture, face_of};

/// What is done with a texture or a surface.
#[derive(Debug)]
pub enum TextureOp {
    /// `tex`, `tld4`
    Sample(Sample),
    /// `suld`, `sust`, `sured`
    Surface(Surface),
    /// `txq`, `suq`
    Query {
        /// Of what.
        of: Handle,
        /// What that must be.
        kind: Kind,
        /// What is asked.
        query: Query,
        /// Of which level of detail.
        level: Option<Src>,
        /// Where the answer goes.
        to: Dst,
    },
    /// `istypep`
    IsKind {
        /// A handle.
        of: Src,
        /// What it may be of.
        kind: Kind,
        /// Where the answer goes.
        to: Dst,
    },
}

/// A handle: in a register, or in a variable or parameter.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    /// The handle, or where it lies.
    pub at: Addr,
    /// The space of that place.
    pub space: Space,
}

/// A question about a texture or surface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Query {
    Width,
    Height,
    Depth,
    Layers,
    Normalized,
    Levels,
    Samples,
    DataType,
    ChannelOrder,
}

/// What `tex` gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Result4 {
    U32,
    S32,
    F32,
    F16,
    /// Two in a register.
    F16x2,
}

/// `tex`, `tld4`
#[derive(Debug)]
pub struct Sample {
    /// The texture.
    pub texture: Handle,
    /// The sampler, where it is apart.
    pub sampler: Option<Handle>,
    /// How texels are found.
    pub geometry: Geometry,
    /// The coordinates.
    pub coordinates: SmallVec<[Src; 4]>,
    /// Whether they are integers.
    pub whole: bool,
    /// Texels that are added to them.
    pub moved: SmallVec<[Src; 4]>,
    /// The channel that `tld4` gathers.
    pub gathered: Option<usize>,
    /// The type of the result.
    pub result: Result4,
    /// How `.f32` becomes `.f16`.
    pub to_half: fn(u64) -> u64,
    /// Where it goes.
    pub to: SmallVec<[Dst; 4]>,
    /// Where it goes whether the texels are in memory.
    pub resident: Dst,
}

impl TextureOp {
    /// Visits every register that is read, then every one that is written.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            TextureOp::Sample(op) => {
                visitor.read(&mut op.texture.at.base);
                visit_reads(visitor, op.sampler.iter_mut().map(|one| &mut one.at.base));
                visit_reads(visitor, op.coordinates.iter_mut().chain(&mut op.moved));
                visit_writes(visitor, &mut op.to);
                visitor.write(&mut op.resident);
            }
            TextureOp::Surface(op) => op.visit(visitor),
            TextureOp::Query { of, level, to, .. } => {
                visitor.read(&mut of.at.base);
                visit_reads(visitor, level);
                visitor.write(to);
            }
            TextureOp::IsKind { of, to, .. } => {
                visitor.read(of);
                visitor.write(to);
            }
        }
    }

    /// The registers that are written.
    pub(crate) fn results(&self) -> SmallVec<[Dst; 8]> {
        let mut all = SmallVec::new();
        match self {
            TextureOp::Sample(op) => {
                all.extend(op.to.iter().copied());
                all.push(op.resident);
            }
            TextureOp::Surface(op) => all.extend(op.results()),
            TextureOp::Query { to, .. } | TextureOp::IsKind { to, .. } => all.push(*to),
        }
        all
    }
}

fn wrong(lane: usize, message: String, help: &'static str) -> Box<Trouble> {
    trouble(lane, Problem::Other { message, help })
}

/// Reads a description; none if there is none at the handle.
fn describe(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    (space, address, lane): (Space, u64, usize),
) -> Option<Texture> {
    let mut at = (space, address);
    // A variable or parameter has the address of the description.
    for _ in 0..2 {
        let mut touch = Touch {
            access: Access::Read,
            space: at.0,
            address: at.1,
            bytes: 8,
            lane,
        };
        let place = access::resolve(warp, env, shared, touch).ok()?;
        let word = access::read(warp, env, shared, place, lane, 8, Ordering::Relaxed);
        touch.address = at.1.wrapping_add(BYTES as u64 - 8);
        // The last word lies in the same memory as the first.
        let last = access::resolve(warp, env, shared, touch).ok();
        if last == Some(access::shift(place, BYTES as u32 - 8)) {
            let mut bytes = [0; BYTES];
            for (i, chunk) in bytes.chunks_mut(8).enumerate() {
                let place = access::shift(place, 8 * i as u32);
                let word = access::read(warp, env, shared, place, lane, 8, Ordering::Relaxed);
                chunk.copy_from_slice(&word.to_le_bytes());
            }
            if let Some(found) = Texture::decode(&bytes) {
                return Some(found);
            }
        }
        at = (Space::Generic, word);
    }
    None
}

/// What a handle is of, which must be this.
fn find(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    (handle, lane, kind): (Handle, usize, Kind),
) -> Outcome<Texture> {
    let address = access::address_of(warp, env, shared, lane, handle.at);
    let found = describe(warp, env, shared, (handle.space, address, lane));
    let (name, help) = match kind {
        Kind::Texture => (
            "texture",
            "pass one as `--arg texture:f32[64x64]@&data`, or bind a `.texref` with `--set NAME:&TEXTURE`",
        ),
        Kind::Surface => (
            "surface",
            "pass one as `--arg surface:f32[64x64]@&data`, or bind a `.surfref` with `--set NAME:&SURFACE`",
        ),
        Kind::Sampler => (
            "sampler",
            "pass one as `--arg sampler:filter=linear`, or bind a `.samplerref` with `--set NAME:&SAMPLER`",
        ),
    };
    match found {
        Some(found) if found.kind == kind => Ok(found),
        Some(_) => Err(wrong(
            lane,
            format!("the handle {address:#x} is not one of a {name}"),
            help,
        )),
        None => Err(wrong(
            lane,
            format!("there is no {name} at the handle {address:#x}"),
            help,
        )),
    }
}

/// What no document says.
fn not_run(lane: usize, what: &str) -> Box<Trouble> {
    let told = Told {
        code: codes::NOT_EMULATED,
        warning: false,
        message: format!("the emulator does not run {what}"),
        help: "what a GPU does then is not documented".to_owned(),
        related: Vec::new(),
    };
    trouble(lane, Problem::Told(Box::new(told)))
}

/// The instruction is for another geometry.
fn geometry(lane: usize, texture: &Texture, geometry: Geometry) -> Outcome<()> {
    let found = texture.geometry();
    if found == geometry {
        return Ok(());
    }
    let message = format!("the instruction is not for a .{} one", found.name());
    Err(wrong(
        lane,
        message,
        "the sizes of a texture or surface make its geometry, with `layers`, `shape` and `samples`",
    ))
}

pub(super) fn execute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &TextureOp,
    active: u32,
) -> Outcome<()> {
    let frame = warp.frame();
    for lane in lanes(active) {
        match op {
            TextureOp::Sample(op) => sample(warp, env, shared, op, lane)?,
            TextureOp::Surface(op) => surface::access(warp, env, shared, op, lane)?,
            TextureOp::Query {
                of,
                kind,
                query,
                level,
                to,
            } => {
                let found = find(warp, env, shared, (*of, lane, *kind))?;
                let around = Around::new(env, &warp.identity, shared);
                let level = level.map(|level| warp.frames[frame].get(level, lane, around) as u32);
                if let Some(level @ 1..) = level {
                    return Err(wrong(
                        lane,
                        format!("a texture of one level of detail is asked for level {level}"),
                        "textures of the emulator have level 0",
                    ));
                }
                let answer = match query {
                    Query::Width => found.size[0],
                    Query::Height => found.size[1],
                    Query::Depth => found.size[2],
                    Query::Layers if found.cube => {
                        let what = "queries of how many cubes there are";
                        return Err(not_run(lane, what));
                    }
                    Query::Layers => found.layers.unwrap_or(0),
                    Query::Normalized => u32::from(found.sampler.normalized),
                    Query::Levels => 1,
                    Query::Samples => found.samples.unwrap_or(1),
                    Query::DataType => found.data_type(),
                    Query::ChannelOrder => found.channel_order(),
                };
                warp.frames[frame].set(*to, lane, u64::from(answer));
            }
            TextureOp::IsKind { of, kind, to } => {
                let around = Around::new(env, &warp.identity, shared);
                let address = warp.frames[frame].get(*of, lane, around);
                let found = describe(warp, env, shared, (Space::Generic, address, lane));
                let is = found.is_some_and(|found| found.kind == *kind);
                warp.frames[frame].set(*to, lane, u64::from(is));
            }
        }
    }
    Ok(())
}

/// A texel in memory: its channels, as they are stored.
fn texel(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (texture, number): (&Texture, u64),
    lane: usize,
) -> Outcome<SmallVec<[u32; 4]>> {
    let bytes = texture.texel_bytes();
    let touch = Touch {
        access: Access::Read,
        space: Space::Global,
        address: texture.texels.wrapping_add(number * u64::from(bytes)),
        bytes,
        lane,
    };
    let place = access::resolve(warp, env, shared, touch)?;
    // What a kernel writes is not seen by textures before it ends.
    lifetime::read(env, shared, (place, lane), (bytes, true))?;
    if let Some(races) = &mut shared.races {
        races.loads(lane, place);
        let touched = Touched {
            access: Access::Read,
            order: Order::default(),
            bytes: texture.channel.bytes(),
            count: texture.channels,
        };
        races.loaded(env, warp, touched);
    }
    shared.counts.accesses += 1;
    shared.counts.bytes += u64::from(bytes);
    Ok(channels(warp, env, shared, (texture, place), lane))
}

fn channels(
    warp: &Warp,
    env: &Env<'_>,
    shared: &Shared,
    (texture, place): (&Texture, Place),
    lane: usize,
) -> SmallVec<[u32; 4]> {
    let bytes = texture.channel.bytes();
    let each = (0..texture.channels).map(|i| {
        let at = access::shift(place, i * bytes);
        access::read(warp, env, shared, at, lane, bytes, Ordering::Relaxed) as u32
    });
    each.collect()
}

/// The number that bits of a channel are.
fn number(channel: Channel, bits: u32, fractions: bool) -> f64 {
    let signed = |bits: i32, most: f64| match fractions {
        true => (f64::from(bits) / most).max(-1.0),
        false => f64::from(bits),
    };
    let unsigned = |bits: u32, most: f64| match fractions {
        true => f64::from(bits) / most,
        false => f64::from(bits),
    };
    match channel {
        Channel::U8 => unsigned(bits, 255.0),
        Channel::U16 => unsigned(bits, 65535.0),
        Channel::U32 => f64::from(bits),
        Channel::S8 => signed(i32::from(bits as i8), 127.0),
        Channel::S16 => signed(i32::from(bits as i16), 32767.0),
        Channel::S32 => f64::from(bits as i32),
        Channel::F16 => half(bits),
        Channel::F32 => f64::from(f32::from_bits(bits)),
    }
}

/// A half-precision number.
fn half(bits: u32) -> f64 {
    let (sign, exponent, fraction) = (bits >> 15 & 1, bits >> 10 & 0x1f, f64::from(bits & 0x3ff));
    let value = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent as i32 - 15),
    };
    if sign == 1 { -value } else { value }
}

/// An integer channel as a register has it.
fn integer(channel: Channel, bits: u32) -> u32 {
    match channel {
        Channel::S8 => bits as i8 as u32,
        Channel::S16 => bits as i16 as u32,
        _ => bits,
    }
}

/// What a channel that is missing reads as: zero, and one for the last.
fn missing(channel: usize) -> f64 {
    if channel == 3 { 1.0 } else { 0.0 }
}

fn sample(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Sample,
    lane: usize,
) -> Outcome<()> {
    let texture = find(warp, env, shared, (op.texture, lane, Kind::Texture))?;
    geometry(lane, &texture, op.geometry)?;
    let mut sampler = texture.sampler;
    if let Some(apart) = op.sampler {
        sampler = find(warp, env, shared, (apart, lane, Kind::Sampler))?.sampler;
        // The texture says of what kind coordinates are.
        sampler.normalized = texture.sampler.normalized;
        let apart = Texture { sampler, ..texture };
        apart.check().map_err(|why| {
            wrong(
                lane,
                format!("the sampler does not fit the texture: {why}"),
                "give the texture another sampler",
            )
        })?;
    }
    let reads_floats = texture.channel.is_float() || texture.fractions;
    let wants_floats = !matches!(op.result, Result4::U32 | Result4::S32);
    if reads_floats != wants_floats {
        let name = texture.channel.name();
        let what = if texture.fractions {
            " as fractions"
        } else {
            ""
        };
        let message =
            format!("the texture has channels of {name}{what}, and the instruction reads others");
        return Err(wrong(
            lane,
            message,
            "`.f32` and `.f16` read floating-point channels and `read=fraction`, `.u32` and `.s32` integers",
        ));
    }
    let around = Around::new(env, &warp.identity, shared);
    let get = |source: &Src| warp.frames[warp.frame()].get(*source, lane, around) as u32;
    let all: SmallVec<[u32; 4]> = op.coordinates.iter().map(get).collect();
    let moved: SmallVec<[i32; 4]> = op.moved.iter().map(|one| get(one) as i32).collect();
    let (layer, coordinates) = match op.geometry.layered {
        true => (
            all.first().copied().unwrap_or(0),
            all.get(1..).unwrap_or(&[]),
        ),
        false => (0, &all[..]),
    };
    let mut layer = layer.min(texture.layers.unwrap_or(1).saturating_sub(1));
    let (sample, coordinates) = match (texture.samples, coordinates) {
        (Some(samples), [sample, rest @ ..]) if *sample < samples => (*sample, rest),
        (Some(samples), _) => {
            let sample = coordinates.first().copied().unwrap_or(0);
            return Err(wrong(
                lane,
                format!("sample {sample} of a texture whose texels have {samples}"),
                "samples are counted from 0; their number is the first coordinate, after the layer",
            ));
        }
        (None, _) => (0, coordinates),
    };
    let mut floats: SmallVec<[f32; 4]> = coordinates
        .iter()
        .map(|bits| f32::from_bits(*bits))
        .collect();
    if texture.cube {
        let along = |i: usize| floats.get(i).copied().unwrap_or(0.0);
        let Some((face, place)) = face_of([along(0), along(1), along(2)]) else {
            return Err(not_run(
                lane,
                "directions in a cube without a largest coordinate",
            ));
        };
        layer = layer * 6 + face;
        floats = SmallVec::from_slice(&place);
    }
    let footprint = match (op.gathered, op.whole) {
        (Some(_), _) => Footprint::gathered(&texture, &sampler, &floats, &moved),
        (None, false) => Footprint::of(&texture, &sampler, &floats, &moved),
        (None, true) => {
            let by = |i: usize| i64::from(moved.get(i).copied().unwrap_or(0));
            let whole = coordinates.iter().enumerate();
            let whole: SmallVec<[i64; 4]> = whole
                .map(|(i, bits)| i64::from(*bits as i32) + by(i))
                .collect();
            Footprint::at(&texture, &sampler, &whole)
        }
    };
    let mut taps: SmallVec<[(SmallVec<[u32; 4]>, f64); 8]> = SmallVec::new();
    for tap in &footprint.taps {
        let channels = match tap.at {
            Some(at) => {
                let number = texture.number(at, layer, sample);
                texel(warp, env, shared, (&texture, number), lane)?
            }
            None => SmallVec::from_elem(0, texture.channels as usize),
        };
        taps.push((channels, tap.weight));
    }
    // `tld4` gives the texels of a square, from the lower left one on against the clock.
    let picked = |i: usize| match op.gathered {
        Some(channel) => (std::slice::from_ref(&taps[[2, 3, 1, 0][i]]), channel),
        None => (&taps[..], i),
    };
    let value = |i: usize| -> u64 {
        let (taps, channel) = picked(i);
        if !wants_floats {
            let bits = taps[0].0.get(channel);
            return u64::from(bits.map_or(missing(channel) as u32, |bits| {
                integer(texture.channel, *bits)
            }));
        }
        let single = match taps {
            [(channels, _)] if texture.channel == Channel::F32 => {
                let bits = channels.get(channel).copied();
                bits.unwrap_or((missing(channel) as f32).to_bits())
            }
            taps => {
                let each = taps
                    .iter()
                    .map(|(channels, weight)| match channels.get(channel) {
                        // What counts nothing adds nothing, not even a NaN.
                        _ if *weight == 0.0 => 0.0,
                        Some(bits) => number(texture.channel, *bits, texture.fractions) * weight,
                        None => missing(channel) * weight,
                    });
                let weightless = op.gathered.is_some();
                let sum = match weightless {
                    true => taps[0].0.get(channel).map_or(missing(channel), |bits| {
                        number(texture.channel, *bits, texture.fractions)
                    }),
                    false => each.sum::<f64>(),
                };
                (sum as f32).to_bits()
            }
        };
        match op.result {
            Result4::F16 | Result4::F16x2 => (op.to_half)(u64::from(single)) & 0xffff,
            _ => u64::from(single),
        }
    };
    let values: [u64; 4] = std::array::from_fn(value);
    let frame = warp.frame();
    let registers = &mut warp.frames[frame];
    match op.result {
        Result4::F16x2 => {
            for (i, to) in op.to.iter().enumerate() {
                let pair = values.get(2 * i..2 * i + 2).unwrap_or(&[0, 0]);
                registers.set(*to, lane, pair[0] | pair[1] << 16);
            }
        }
        _ => {
            for (to, value) in op.to.iter().zip(values) {
                registers.set(*to, lane, value);
            }
        }
    }
    registers.set(op.resident, lane, 1);
    Ok(())
}
