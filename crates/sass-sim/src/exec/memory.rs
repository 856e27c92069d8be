//! Loads, stores, atomics and copies.

use super::{Fault, Machine};
use crate::finding::{Access, Problem, Space as Where};
use crate::memory::{self, of_generic};
use crate::op::{Rmw, Step, What};
use crate::operand::From;
use crate::warp::{Lanes, Warp, further, next};
use warpc_sass::shape::Space;

/// The low bits of a shared address, which are the offset in the memory of its block.
pub(super) const RANK_SHIFT: u32 = 24;

/// Executes a step on memory; whether it is one.
pub(super) fn run(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
) -> Result<bool, Fault> {
    let args = &step.args;
    match &step.what {
        What::Constant { bytes, signed } => {
            let From::Constant { bank, offset } = args.source(0).from else {
                return Ok(true);
            };
            let value = machine.constant(bank, offset.into(), *bytes as usize);
            put(
                warp,
                step,
                &[extended(value, *bytes, *signed); 32],
                *bytes,
                lanes,
            );
        }
        What::ConstantIndexed { bytes, signed } => {
            let From::Number(bank) = args.source(0).from else {
                return Ok(true);
            };
            let places = warp.addresses(args);
            let mut values = [0; 32];
            for lane in each(lanes) {
                // The index counts in 32 bits.
                let offset = i64::from(places[lane] as u32 as i32);
                let value = machine.constant(bank as u8, offset, *bytes as usize);
                values[lane] = extended(value, *bytes, *signed);
            }
            put(warp, step, &values, *bytes, lanes);
        }
        What::Load {
            space,
            bytes,
            signed,
        } => {
            let addresses = warp.addresses(args);
            // A load may have a predicate of its own: without it, it reads nothing.
            let reads = match args.t.last() {
                Some(truth) => warp.truth(*truth) & lanes,
                None => lanes,
            };
            let count = bytes.div_ceil(4);
            let mut words = [[0u32; 32]; 4];
            for lane in each(reads) {
                let place =
                    machine.place(warp, *space, addresses[lane], *bytes, Access::Read, lane)?;
                if *bytes < 4 {
                    let mut whole = [0; 8];
                    whole[..*bytes as usize].copy_from_slice(place);
                    words[0][lane] = extended(u64::from_le_bytes(whole), *bytes, *signed) as u32;
                    continue;
                }
                for (word, bytes) in words.iter_mut().zip(place.as_chunks::<4>().0) {
                    word[lane] = u32::from_le_bytes(*bytes);
                }
            }
            machine.counts.accesses += u64::from(reads.count_ones());
            machine.counts.bytes += u64::from(reads.count_ones() * bytes);
            for (index, word) in words.iter().enumerate().take(count as usize) {
                warp.set(next_or_same(args.d, index as u8), word, lanes);
            }
        }
        What::Store { space, bytes } => {
            let addresses = warp.addresses(args);
            let source = args.source(0);
            let count = bytes.div_ceil(4) as usize;
            let mut words = [[0u32; 32]; 4];
            for (index, word) in words.iter_mut().enumerate().take(count) {
                *word = machine.bits(warp, further(source, index as u8));
            }
            for lane in each(lanes) {
                let value: [u8; 16] = bytes_of(&words, lane);
                let place =
                    machine.place(warp, *space, addresses[lane], *bytes, Access::Write, lane)?;
                place.copy_from_slice(&value[..*bytes as usize]);
            }
            machine.counts.accesses += u64::from(lanes.count_ones());
            machine.counts.bytes += u64::from(lanes.count_ones() * bytes);
        }
        What::Atomic {
            space,
            bytes,
            rmw,
            returns,
        } => atomic(machine, warp, step, lanes, (*space, *bytes, *rmw, *returns))?,
        What::Copy { bytes, zero_fill } => copy(machine, warp, step, lanes, *bytes, *zero_fill)?,
        What::Query(kind) => {
            let addresses = warp.addresses(args);
            let is = super::mask(|lane| match (of_generic(addresses[lane]), kind) {
                (memory::Where::Local(_), 'L') | (memory::Where::Global, 'G') => true,
                (memory::Where::Shared(at), 'S') => {
                    (at >> RANK_SHIFT) as u32 == machine.group.blocks[machine.block].rank
                }
                // The own block's is a part of the cluster's.
                (memory::Where::Shared(_), 'D') => true,
                _ => false,
            });
            warp.set_predicate(args.p[0], is, lanes);
            let value: Lanes = std::array::from_fn(|lane| addresses[lane] as u32);
            warp.set(args.d, &value, lanes);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The numbers of the lanes of a mask.
pub(super) fn each(lanes: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| lanes >> lane & 1 == 1)
}

fn next_or_same(dest: crate::operand::Dest, by: u8) -> crate::operand::Dest {
    match by {
        0 => dest,
        by => next(dest, by),
    }
}

/// The words of a lane as bytes.
fn bytes_of(words: &[Lanes; 4], lane: usize) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (chunk, word) in bytes.chunks_exact_mut(4).zip(words) {
        chunk.copy_from_slice(&word[lane].to_le_bytes());
    }
    bytes
}

/// A value with its sign.
fn extended(value: u64, bytes: u32, signed: bool) -> u64 {
    match (signed, bytes) {
        (true, 1) => value as u8 as i8 as i64 as u64,
        (true, 2) => value as u16 as i16 as i64 as u64,
        _ => value,
    }
}

fn put(warp: &mut Warp, step: &Step, values: &[u64; 32], bytes: u32, lanes: u32) {
    match bytes {
        8 => warp.set_pair(step.args.d, values, lanes),
        _ => warp.set(step.args.d, &values.map(|one| one as u32), lanes),
    }
}

fn atomic(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    (space, bytes, rmw, returns): (Space, u32, Rmw, bool),
) -> Result<(), Fault> {
    let args = &step.args;
    let addresses = warp.addresses(args);
    let count = bytes.div_ceil(4) as usize;
    let read = |machine: &mut Machine<'_>, source: usize| {
        let mut words = [[0u32; 32]; 4];
        for (index, word) in words.iter_mut().enumerate().take(count) {
            *word = machine.bits(warp, further(args.source(source), index as u8));
        }
        words
    };
    let b = read(machine, 0);
    let c = match rmw {
        Rmw::Swap | Rmw::Try => read(machine, 1),
        _ => [[0; 32]; 4],
    };
    let mut old = [[0u32; 32]; 4];
    let mut tried: Lanes = [0; 32];
    let rank = machine.group.blocks[machine.block].rank;
    let is_done = |lane: usize| match rmw {
        // What another block has is done there. Source: an H200 adds 64 bits so, and loses nothing.
        Rmw::UpdateGlobal(..) => match of_generic(addresses[lane]) {
            memory::Where::Global => true,
            memory::Where::Shared(at) => (at >> RANK_SHIFT) as u32 != rank,
            memory::Where::Local(_) => false,
        },
        _ => true,
    };
    let done = super::mask(is_done);
    for lane in each(lanes & done) {
        let (first, second) = (bytes_of(&b, lane), bytes_of(&c, lane));
        let place = machine.place(warp, space, addresses[lane], bytes, Access::Atomic, lane)?;
        let mut before = [0; 16];
        before[..bytes as usize].copy_from_slice(place);
        for (word, chunk) in old.iter_mut().zip(before.as_chunks::<4>().0) {
            word[lane] = u32::from_le_bytes(*chunk);
        }
        match rmw {
            Rmw::Update(update, element) | Rmw::UpdateGlobal(update, element) => {
                let element = element as usize;
                for at in (0..bytes as usize).step_by(element) {
                    let get = |from: &[u8]| {
                        let mut whole = [0; 8];
                        whole[..element].copy_from_slice(&from[at..at + element]);
                        u64::from_le_bytes(whole)
                    };
                    let new = update(get(&before), get(&first), 0);
                    place[at..at + element].copy_from_slice(&new.to_le_bytes()[..element]);
                }
            }
            Rmw::Swap | Rmw::Try => {
                let same = before[..bytes as usize] == first[..bytes as usize];
                if same {
                    place.copy_from_slice(&second[..bytes as usize]);
                }
                tried[lane] = same.into();
            }
            Rmw::Exchange => place.copy_from_slice(&first[..bytes as usize]),
        }
    }
    machine.counts.atomics += u64::from(lanes.count_ones());
    if !returns {
        return Ok(());
    }
    // The predicate says that the access was done.
    warp.set_predicate(args.p[0], done, lanes);
    if matches!(rmw, Rmw::Try) {
        warp.set_predicate(args.p[0], super::mask(|lane| tried[lane] == 1), lanes);
        old = [[0; 32]; 4];
        old[0] = tried;
    }
    for (index, word) in old.iter().enumerate().take(count) {
        warp.set(next_or_same(args.d, index as u8), word, lanes & done);
    }
    Ok(())
}

/// `LDGSTS`: from global to shared memory. It is done at once: who waits for it finds it there.
fn copy(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    bytes: u32,
    zero_fill: bool,
) -> Result<(), Fault> {
    let inst = &step.inst;
    let at = |bit: u8| inst.at(bit).map(|one| one.value);
    let register = |bit: u8| match at(bit) {
        Some(warpc_sass::Value::Register(number)) => number,
        _ => 255,
    };
    let number = |bit: u8| at(bit).and_then(|value| value.number()).unwrap_or(0) as u64;
    let reads = match step.args.t.last() {
        Some(truth) => warp.truth(*truth) & lanes,
        None => lanes,
    };
    let to = warp.register(register(16));
    let slot = inst.shape.slots().iter().find(|slot| slot.bit() == 64);
    let sum = match (slot.map(|slot| slot.in_address), at(64)) {
        (Some(true), Some(warpc_sass::Value::Uniform(uniform))) => warp.uniform_pair(uniform),
        _ => 0,
    };
    let is_pair = inst
        .shape
        .slots()
        .iter()
        .any(|slot| slot.bit() == 24 && slot.width.registers(0) == 2);
    let from = match is_pair {
        true => warp.pair(register(24)),
        false => warp.register(register(24)).map(u64::from),
    };
    for lane in each(lanes) {
        let mut value = vec![0; bytes as usize];
        let is_read = reads >> lane & 1 == 1;
        if !is_read && !zero_fill {
            continue;
        }
        if is_read {
            let address = from[lane].wrapping_add(sum).wrapping_add(number(32));
            // Where zeros fill up, the low bits of the address say how many bytes are not read.
            let missing = if zero_fill {
                address % u64::from(bytes)
            } else {
                0
            };
            let place = machine.place(
                warp,
                Space::Global,
                address - missing,
                bytes - missing as u32,
                Access::Read,
                lane,
            )?;
            value[..place.len()].copy_from_slice(place);
        }
        let address = u64::from(to[lane]).wrapping_add(number(44)) & u64::from(u32::MAX);
        let place = machine.place(warp, Space::Shared, address, bytes, Access::Write, lane)?;
        place.copy_from_slice(&value);
    }
    Ok(())
}

impl Machine<'_> {
    /// Bytes that are copied in bulk, as long as they are.
    pub(super) fn many<'m>(
        &'m mut self,
        warp: &'m mut Warp,
        space: Space,
        address: u64,
        bytes: usize,
        access: Access,
        lane: usize,
    ) -> Result<&'m mut [u8], Fault> {
        const UNIT: u32 = 16;
        if bytes == 0 {
            return Ok(&mut []);
        }
        // The first and the last of them are of one piece of memory, or there is a gap between.
        self.place(warp, space, address, UNIT, access, lane)?;
        let last = address.wrapping_add(bytes as u64).wrapping_sub(UNIT.into());
        self.place(warp, space, last, UNIT, access, lane)?;
        let found = match space {
            Space::Shared => {
                let block = self
                    .group
                    .blocks
                    .get_mut((address >> RANK_SHIFT) as usize & 0xff);
                let offset = (address & ((1 << RANK_SHIFT) - 1)) as usize;
                block.and_then(|block| block.shared.get_mut(offset..offset + bytes))
            }
            _ => self.global.bytes(address, bytes),
        };
        let problem = Problem::OutOfBounds {
            access,
            space: if space == Space::Shared {
                Where::Shared
            } else {
                Where::Global
            },
            address,
            bytes: bytes as u32,
            near: None,
        };
        found.ok_or((problem, 1 << lane))
    }

    /// The bytes that a lane accesses.
    #[inline]
    pub(super) fn place<'m>(
        &'m mut self,
        warp: &'m mut Warp,
        space: Space,
        address: u64,
        bytes: u32,
        access: Access,
        lane: usize,
    ) -> Result<&'m mut [u8], Fault> {
        let (place, address) = match space {
            Space::Shared | Space::Cluster => (Where::Shared, address & u64::from(u32::MAX)),
            Space::Local => (Where::Local, address & u64::from(u32::MAX)),
            Space::Generic => match of_generic(address) {
                memory::Where::Shared(address) => (Where::Shared, address),
                memory::Where::Local(address) => (Where::Local, address),
                memory::Where::Global => (Where::Global, address),
            },
            _ => (Where::Global, address),
        };
        let lanes = 1u32 << lane;
        if !address.is_multiple_of(u64::from(bytes).next_power_of_two()) {
            let problem = Problem::Misaligned {
                access,
                space: place,
                address,
                bytes,
            };
            return Err((problem, lanes));
        }
        let count = bytes as usize;
        let mut near = None;
        let found = match place {
            Where::Global => match self.global.find(address, count) {
                Some(found) => return Ok(self.global.at(found, count)),
                None => {
                    near = self.global.near(address);
                    None
                }
            },
            Where::Shared => {
                let rank = (address >> RANK_SHIFT) as usize;
                let offset = (address & ((1 << RANK_SHIFT) - 1)) as usize;
                let block = self.group.blocks.get_mut(rank);
                block.and_then(|block| block.shared.get_mut(offset..offset + count))
            }
            Where::Local => {
                let size = self.launched.kernel.local_bytes;
                if warp.local.is_empty() {
                    warp.local = vec![0; size * 32];
                }
                let offset = address as usize;
                match offset + count <= size {
                    true => warp
                        .local
                        .get_mut(lane * size + offset..lane * size + offset + count),
                    false => None,
                }
            }
        };
        found.ok_or((
            Problem::OutOfBounds {
                access,
                space: place,
                address,
                bytes,
                near,
            },
            lanes,
        ))
    }
}
