//! Barriers in shared memory, and copies in bulk.
//!
//! A barrier has 64 bits: layout, expected arrivals, announced bytes, missing arrivals, phase. What the code of ptxas reads of
//! them (the missing arrivals of a state, the phase in the top bit) lies where it reads it; the bytes lie between.

use super::memory::each;
use super::{Fault, Machine};
use crate::finding::Access;
use crate::op::{Amount, Mbarrier, Step, What};
use crate::warp::{Warp, further};
use warpc_sass::Value;
use warpc_sass::shape::Space;

/// Arrivals are stored as this less their number, so that the last one carries.
const FULL: u64 = 1 << 20;
const COUNT_MASK: u64 = FULL - 1;
/// The first bits of the fields.
const EXPECTED: u32 = 1;
const BYTES: u32 = 21;
const MISSING: u32 = 43;
const PHASE: u32 = 63;
const BYTES_MASK: u64 = (1 << (MISSING - BYTES)) - 1;

/// The counts of a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    expected: u64,
    missing: u64,
    /// As many bits as the field has; below zero they wrap around.
    bytes: u64,
    phase: u64,
    /// The lowest bit, which says how it is laid out. Nothing else depends on it.
    layout: u64,
}

impl Counts {
    fn of(bits: u64) -> Counts {
        let count = |first: u32| (FULL - (bits >> first & COUNT_MASK)) & COUNT_MASK;
        Counts {
            expected: count(EXPECTED),
            missing: count(MISSING),
            bytes: bits >> BYTES & BYTES_MASK,
            phase: bits >> PHASE,
            layout: bits & 1,
        }
    }

    fn bits(self) -> u64 {
        let count = |number: u64| (FULL - number) & COUNT_MASK;
        count(self.expected) << EXPECTED
            | self.bytes << BYTES
            | count(self.missing) << MISSING
            | self.phase << PHASE
            | self.layout
    }

    /// Counts arrivals and bytes; the phase ends when nothing is missing.
    fn change(mut self, arrivals: u64, bytes: i64, drop: bool) -> Counts {
        if drop {
            self.expected = self.expected.saturating_sub(arrivals);
        }
        self.missing = self.missing.saturating_sub(arrivals);
        self.bytes = self.bytes.wrapping_add_signed(bytes) & BYTES_MASK;
        if self.missing == 0 && self.bytes == 0 {
            self.missing = self.expected;
            self.phase ^= 1;
        }
        self
    }
}

/// Executes a step on barriers in shared memory or copies in bulk; whether it is one.
pub(super) fn run(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
) -> Result<bool, Fault> {
    match &step.what {
        What::Mbarrier(what) => barrier(machine, warp, step, lanes, *what)?,
        What::Bulk {
            to_shared,
            from_shared,
            reduce,
            multicast,
        } => {
            let lane = lanes.trailing_zeros() as usize;
            let uniform =
                |warp: &Warp, bit: u8, wide: bool| match step.inst.at(bit).map(|one| one.value) {
                    Some(Value::Uniform(number)) if wide => warp.uniform_pair(number),
                    Some(Value::Uniform(number)) => warp.uniform(number).into(),
                    _ => 0,
                };
            let size = uniform(warp, 64, false);
            let (count, blocks) = match multicast {
                true => (size & 0xffff, Some(size >> 16)),
                false => (size, None),
            };
            let bytes = count as usize * 16;
            let from = uniform(warp, 24, !from_shared);
            let space = |shared: bool| if shared { Space::Shared } else { Space::Global };
            let data = machine
                .many(warp, space(*from_shared), from, bytes, Access::Read, lane)?
                .to_vec();
            let to = uniform(warp, 32, !to_shared);
            // The barrier's address follows that of the data.
            let signal = to_shared.then(|| uniform(warp, 32, true) >> 32);
            let ranks: Vec<Option<u64>> = match blocks {
                None => vec![None],
                Some(mask) => (0..16)
                    .filter(|rank| mask >> rank & 1 == 1)
                    .map(Some)
                    .collect(),
            };
            for rank in ranks {
                let of_rank = |address: u64| match rank {
                    Some(rank) => {
                        address & ((1 << super::memory::RANK_SHIFT) - 1)
                            | rank << super::memory::RANK_SHIFT
                    }
                    None => address,
                };
                let place = machine.many(
                    warp,
                    space(*to_shared),
                    of_rank(to),
                    bytes,
                    Access::Write,
                    lane,
                )?;
                match reduce {
                    None => place.copy_from_slice(&data),
                    Some((update, element)) => {
                        let element = *element as usize;
                        for (old, new) in place
                            .chunks_exact_mut(element)
                            .zip(data.chunks_exact(element))
                        {
                            let value = |bytes: &[u8]| {
                                let mut whole = [0; 8];
                                whole[..bytes.len()].copy_from_slice(bytes);
                                u64::from_le_bytes(whole)
                            };
                            let result = update(value(old), value(new), 0);
                            old.copy_from_slice(&result.to_le_bytes()[..element]);
                        }
                    }
                }
                if let Some(signal) = signal {
                    machine.count(warp, of_rank(signal), 0, -(bytes as i64), false, lane)?;
                }
            }
        }
        What::StoreRemote { bytes, update } => {
            // The address of the data, and above it that of the barrier.
            let addresses = warp.addresses(&step.args);
            let count = (bytes / 4) as usize;
            let words: Vec<_> = (0..count)
                .map(|index| machine.bits(warp, further(step.args.source(0), index as u8)))
                .collect();
            for lane in each(lanes) {
                let (data, signal) = (addresses[lane] & u64::from(u32::MAX), addresses[lane] >> 32);
                let place =
                    machine.place(warp, Space::Shared, data, *bytes, Access::Write, lane)?;
                let mut new = [0; 16];
                for (chunk, word) in new.chunks_exact_mut(4).zip(&words) {
                    chunk.copy_from_slice(&word[lane].to_le_bytes());
                }
                if let Some(update) = update {
                    let value = |bytes: &[u8]| {
                        let mut whole = [0; 8];
                        whole[..bytes.len()].copy_from_slice(bytes);
                        u64::from_le_bytes(whole)
                    };
                    let size = place.len().min(8);
                    let result = update(value(&place[..size]), value(&new[..size]), 0);
                    new[..8].copy_from_slice(&result.to_le_bytes());
                }
                let size = place.len();
                place.copy_from_slice(&new[..size]);
                machine.count(warp, signal, 0, -i64::from(*bytes), false, lane)?;
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn barrier(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    step: &Step,
    lanes: u32,
    what: Mbarrier,
) -> Result<(), Fault> {
    let args = &step.args;
    let addresses = warp.addresses(args);
    match what {
        Mbarrier::Nothing => {}
        Mbarrier::Exchange => {
            let lane = lanes.trailing_zeros() as usize;
            let value = machine.long_bits(warp, args.source(0))[lane];
            let place = machine.place(
                warp,
                Space::Shared,
                addresses[lane],
                8,
                Access::Atomic,
                lane,
            )?;
            let mut old = [0; 8];
            old.copy_from_slice(place);
            place.copy_from_slice(&value.to_le_bytes());
            warp.set_pair(args.d, &[u64::from_le_bytes(old); 32], lanes);
        }
        Mbarrier::Check => {
            let parity = machine.bits(warp, args.source(0));
            let mut over = 0;
            for lane in each(lanes) {
                let place =
                    machine.place(warp, Space::Shared, addresses[lane], 8, Access::Read, lane)?;
                let mut bits = [0; 8];
                bits.copy_from_slice(place);
                let phase = u64::from_le_bytes(bits) >> PHASE;
                over |= u32::from(phase != u64::from(parity[lane] >> 31)) << lane;
            }
            warp.set_predicate(args.p[0], over, lanes);
        }
        Mbarrier::Load => {
            let mut all = [0; 32];
            for lane in each(lanes) {
                let place =
                    machine.place(warp, Space::Shared, addresses[lane], 8, Access::Read, lane)?;
                let mut bits = [0; 8];
                bits.copy_from_slice(place);
                all[lane] = u64::from_le_bytes(bits);
            }
            warp.set_pair(args.d, &all, lanes);
        }
        Mbarrier::Arrive {
            arrivals,
            bytes,
            drop,
        } => {
            let register = machine.bits(warp, args.source(0));
            let mut before = [0; 32];
            for lane in each(lanes) {
                let amount = |what: Amount| match what {
                    Amount::None => 0,
                    Amount::One => 1,
                    Amount::Register => i64::from(register[lane]),
                    Amount::Less => -i64::from(register[lane]),
                };
                let arrivals = amount(arrivals) as u64;
                before[lane] =
                    machine.count(warp, addresses[lane], arrivals, amount(bytes), drop, lane)?;
            }
            warp.set_pair(args.d, &before, lanes);
        }
        Mbarrier::Copied { counted } => {
            for lane in each(lanes) {
                let (arrivals, bytes) = if counted { (1, 0) } else { (0, -1) };
                machine.count(warp, addresses[lane], arrivals, bytes, false, lane)?;
            }
        }
    }
    Ok(())
}

impl Machine<'_> {
    /// Counts at a barrier; what it was before comes back.
    pub(super) fn count(
        &mut self,
        warp: &mut Warp,
        address: u64,
        arrivals: u64,
        bytes: i64,
        drop: bool,
        lane: usize,
    ) -> Result<u64, Fault> {
        let place = self.place(warp, Space::Shared, address, 8, Access::Atomic, lane)?;
        let mut old = [0; 8];
        old.copy_from_slice(place);
        let old = u64::from_le_bytes(old);
        let new = Counts::of(old).change(arrivals, bytes, drop);
        place.copy_from_slice(&new.bits().to_le_bytes());
        Ok(old)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value that ptxas's code writes first: for n arrivals, 2^20 - n from bits 1 and 43 on.
    fn fresh(arrivals: u64) -> Counts {
        let x = FULL - arrivals;
        Counts::of(x << 1 | x << 43)
    }

    #[test]
    fn a_phase_ends_with_its_last_arrival() {
        let two = fresh(2);
        assert_eq!((two.expected, two.missing, two.phase), (2, 2, 0));
        let one = two.change(1, 0, false);
        assert_eq!((one.missing, one.phase), (1, 0));
        let none = one.change(1, 0, false);
        assert_eq!((none.missing, none.phase), (2, 1));
        assert_eq!(Counts::of(none.bits()), none);
    }

    #[test]
    fn a_phase_waits_for_its_bytes() {
        let waits = fresh(1).change(1, 64, false);
        assert_eq!((waits.phase, waits.bytes), (0, 64));
        let waits = Counts::of(waits.bits());
        let early = fresh(1).change(0, -64, false);
        assert_eq!(early.phase, 0);
        assert_eq!(waits.change(0, -64, false).phase, 1);
        assert_eq!(early.change(1, 64, false).phase, 1);
    }
}
