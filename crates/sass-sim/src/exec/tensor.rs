//! Copies of tensors: boxes between global and shared memory, as a tensor map describes them.
//!
//! ```text
//!   UTMALDG.2D  [destination, barrier, coordinates], [map], offsets and the blocks that get the box
//!   UTMASTG.2D  [source, coordinates], [map]
//! ```
//!
//! They are done at once, by the first active lane.

use super::memory::RANK_SHIFT;
use super::{Fault, Machine};
use crate::finding::{Access, Problem, Space as Where};
use crate::op::{Step, Tensor, What};
use crate::warp::Warp;
use warpc_launch::tensor_map::{ALIGN, Area, BYTES, Element, Outside, Piece, TensorMap};
use warpc_ptx_eval::named_reduction;
use warpc_sass::Value;
use warpc_sass::shape::Space;

/// What a box in shared memory is aligned to.
const BOX_ALIGN: u64 = 128;

/// Executes a copy of a tensor; whether the step is one.
pub(super) fn run(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
) -> Result<bool, Fault> {
    let What::Tensor(what) = &step.what else {
        return Ok(false);
    };
    let lane = lanes.trailing_zeros() as usize;
    let number = |bit: u8| match step.inst.at(bit).map(|one| one.value) {
        Some(Value::Uniform(number)) => Some(number),
        _ => None,
    };
    let fault = |why: String| {
        (
            Problem::Other(format!("a copy of a tensor: {why}")),
            1 << lane,
        )
    };
    let first = number(32).unwrap_or(0);
    let word = |warp: &Warp, index: u8| warp.uniform(first.saturating_add(index));
    let more = number(64).map_or(0, |number| warp.uniform(number));
    let at = number(24).map_or(0, |number| warp.uniform_pair(number));
    if !at.is_multiple_of(ALIGN) {
        let problem = Problem::Misaligned {
            access: Access::Read,
            space: Where::Global,
            address: at,
            bytes: ALIGN as u32,
        };
        return Err((problem, 1 << lane));
    }
    let mut bytes = [0; BYTES];
    let read = machine.many(warp, Space::Generic, at, BYTES, Access::Read, lane)?;
    bytes.copy_from_slice(read);
    let map = TensorMap::decode(&bytes).and_then(|map| map.check().map(|()| map));
    let map = map.map_err(|why| fault(format!("the 128 bytes at {at:#x} are not a map: {why}")))?;
    // A load has the barrier's address after that of its box.
    let skipped = if what.loads { 2 } else { 1 };
    let coordinates = (0..what.dimensions).map(|i| word(warp, skipped + i) as i32);
    let coordinates: Vec<i32> = coordinates.collect();
    let area = match what.im2col {
        true => Area::Im2col {
            at: coordinates,
            offsets: offsets(more & 0xffff, what),
        },
        false => Area::Tile(coordinates),
    };
    let pieces = map.walk(&area).map_err(fault)?;
    if let Some(what) = map.unmodelled(what.loads) {
        let text = format!("a copy of {what}");
        return Err((Problem::Unsupported { text }, 1 << lane));
    }
    let start = u64::from(word(warp, 0));
    if !start.is_multiple_of(BOX_ALIGN) {
        let problem = Problem::Misaligned {
            access: if what.loads {
                Access::Write
            } else {
                Access::Read
            },
            space: Where::Shared,
            address: start,
            bytes: BOX_ALIGN as u32,
        };
        return Err((problem, 1 << lane));
    }
    let size: usize = pieces.iter().map(|piece| piece.bytes as usize).sum();
    // The pattern of a swizzle hangs on the place in the block's shared memory.
    let offset = (start & ((1 << RANK_SHIFT) - 1)) as u32;
    let place = |at: usize| (map.swizzle.place(offset + at as u32) - offset) as usize;
    if !what.loads {
        let from = machine.many(warp, Space::Shared, start, size, Access::Read, lane)?;
        let mut data = Vec::with_capacity(size);
        for at in (0..size).step_by(16) {
            data.extend_from_slice(&from[place(at)..place(at) + 16]);
        }
        scatter(machine, &map, &pieces, (&data, what.reduce), lane)?;
        return Ok(true);
    }
    let data = gather(machine, &map, &pieces, lane)?;
    let signal = u64::from(word(warp, 1));
    let ranks: Vec<Option<u64>> = match what.multicast {
        false => vec![None],
        true => (0..16u64)
            .filter(|rank| more >> (16 + rank) & 1 == 1)
            .map(Some)
            .collect(),
    };
    for rank in ranks {
        let of_rank = |address: u64| match rank {
            Some(rank) => address & ((1 << RANK_SHIFT) - 1) | rank << RANK_SHIFT,
            None => address,
        };
        let to = machine.many(
            warp,
            Space::Shared,
            of_rank(start),
            size,
            Access::Write,
            lane,
        )?;
        for (at, chunk) in (0..size).step_by(16).zip(data.chunks(16)) {
            to[place(at)..place(at) + 16].copy_from_slice(chunk);
        }
        machine.count(warp, of_rank(signal), 0, -(size as i64), false, lane)?;
    }
    Ok(true)
}

/// The offsets of im2col, as they share 16 bits.
fn offsets(bits: u32, what: &Tensor) -> Vec<u32> {
    match what.dimensions {
        3 => vec![bits],
        4 => vec![bits & 0xff, bits >> 8],
        _ => vec![bits & 0x1f, bits >> 5 & 0x1f, bits >> 10 & 0x1f],
    }
}

/// The bytes of a piece in global memory.
fn piece<'m>(
    machine: &'m mut Machine<'_>,
    (address, bytes): (u64, u32),
    access: Access,
    lane: usize,
) -> Result<&'m mut [u8], Fault> {
    let problem = Problem::OutOfBounds {
        access,
        space: Where::Global,
        address,
        bytes,
        near: None,
    };
    machine
        .global
        .bytes(address, bytes as usize)
        .ok_or((problem, 1 << lane))
}

fn gather(
    machine: &mut Machine<'_>,
    map: &TensorMap,
    pieces: &[Piece],
    lane: usize,
) -> Result<Vec<u8>, Fault> {
    let fill: [u8; 2] = match (map.outside, map.element) {
        (Outside::Nan, Element::F16 | Element::Bf16) => 0x7ff7u16.to_le_bytes(),
        _ => [0; 2],
    };
    let mut data = Vec::new();
    for one in pieces {
        match one.at {
            Some(at) => {
                let place = (map.address.wrapping_add(at), one.bytes);
                let start = data.len();
                data.extend_from_slice(piece(machine, place, Access::Read, lane)?);
                map.element.load(&mut data[start..]);
            }
            None => {
                let start = data.len();
                data.extend((start..start + one.bytes as usize).map(|i| fill[i % 2]));
            }
        }
    }
    Ok(data)
}

fn scatter(
    machine: &mut Machine<'_>,
    map: &TensorMap,
    pieces: &[Piece],
    (data, reduce): (&[u8], Option<&'static str>),
    lane: usize,
) -> Result<(), Fault> {
    let update = match reduce {
        None => None,
        Some(operation) => {
            let name = map.element.name();
            let update = named_reduction(operation, name);
            Some(update.ok_or_else(|| {
                let text = format!("a copy of a tensor: {name} elements have no `{operation}`");
                (Problem::Other(text), 1 << lane)
            })?)
        }
    };
    let mut rest = data;
    for one in pieces {
        let (part, after) = rest.split_at(one.bytes as usize);
        rest = after;
        let Some(at) = one.at else { continue };
        let place = (map.address.wrapping_add(at), one.bytes);
        let to = piece(machine, place, Access::Write, lane)?;
        let Some((update, size)) = update else {
            to.copy_from_slice(part);
            continue;
        };
        let size = size as usize;
        for (old, new) in to.chunks_exact_mut(size).zip(part.chunks_exact(size)) {
            let value = |bytes: &[u8]| {
                let mut whole = [0; 8];
                whole[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(whole)
            };
            let result = update(value(old), value(new), 0);
            old.copy_from_slice(&result.to_le_bytes()[..size]);
        }
    }
    Ok(())
}
