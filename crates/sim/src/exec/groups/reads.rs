//! Shared memory that products of warpgroups, or those in tensor memory, may still read.

use crate::exec::Env;
use crate::exec::lifetime::place_of;
use crate::finding::Told;
use warpc_diag::codes;

/// Bytes that a bit stands for.
const UNIT: u32 = 16;

/// Whose product it is (a warpgroup, or a thread as `flights::of_thread` has it), its number, and the step that issued it.
pub(in crate::exec) type Owner = (usize, u64, (u32, u32));

/// The factors of products that nobody has waited for.
#[derive(Debug, Default)]
pub(crate) struct Reads(Vec<Read>);

#[derive(Debug)]
struct Read {
    /// Or the thread that issued it, as `flights::of_thread` has it.
    warpgroup: usize,
    /// The number of the product.
    product: u64,
    /// The function and step that issued it.
    step: (u32, u32),
    /// The block whose shared memory it reads.
    rank: u32,
    /// A bit for each unit.
    units: Vec<u64>,
}

impl Reads {
    /// A product reads a piece: block, offset, bytes.
    pub(in crate::exec) fn add(
        &mut self,
        (warpgroup, product, step): Owner,
        (rank, offset, _): (u32, u32, u32),
    ) {
        let own =
            |read: &Read| (read.warpgroup, read.product, read.rank) == (warpgroup, product, rank);
        let index = match self.0.iter().rposition(own) {
            Some(index) => index,
            None => {
                self.0.push(Read {
                    warpgroup,
                    product,
                    step,
                    rank,
                    units: Vec::new(),
                });
                self.0.len() - 1
            }
        };
        let unit = (offset / UNIT) as usize;
        let units = &mut self.0[index].units;
        if units.len() <= unit / 64 {
            units.resize(unit / 64 + 1, 0);
        }
        units[unit / 64] |= 1 << (unit % 64);
    }

    /// The first products of a warpgroup were waited for.
    pub(in crate::exec) fn wait(&mut self, warpgroup: usize, products: u64) {
        self.0
            .retain(|read| read.warpgroup != warpgroup || read.product >= products);
    }

    /// The step of a product that may still read some bytes.
    #[inline]
    pub(crate) fn met(&self, (rank, offset, bytes): (u32, u32, u32)) -> Option<(u32, u32)> {
        if self.0.is_empty() {
            return None;
        }
        let units = (offset / UNIT) as usize..(offset + bytes).div_ceil(UNIT) as usize;
        let reads = |read: &&Read| {
            let is_read = |unit: usize| {
                let word = read.units.get(unit / 64).copied().unwrap_or(0);
                word >> (unit % 64) & 1 != 0
            };
            read.rank == rank && units.clone().any(is_read)
        };
        self.0.iter().find(reads).map(|read| read.step)
    }
}

/// What a finding says about a write to bytes that a product may still read.
#[cold]
pub(crate) fn told(env: &Env<'_>, offset: usize, step: (u32, u32)) -> Told {
    let issued = place_of(env, step, "the product was issued here".to_owned());
    Told {
        code: codes::NOT_WAITED,
        warning: false,
        message: format!(
            "write of shared address {offset:#x}, which a product may still read"
        ),
        help: "wait for the product before a factor is changed: with `wgmma.wait_group`, or for the phase of the mbarrier \
               that `tcgen05.commit` arrives at"
            .to_owned(),
        related: issued.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_the_reads_of_its_warpgroup() {
        let mut reads = Reads::default();
        reads.add((0, 4, (0, 7)), (0, 1024, 16));
        reads.add((0, 5, (0, 8)), (0, 1024, 16));
        reads.add((1, 5, (0, 9)), (0, 2048, 16));
        assert_eq!(reads.met((0, 1036, 4)), Some((0, 7)));
        assert_eq!(reads.met((0, 1040, 4)), None);
        assert_eq!(reads.met((1, 1024, 16)), None, "another block");
        reads.wait(0, 5);
        assert_eq!(reads.met((0, 1024, 64)), Some((0, 8)));
        reads.wait(0, 6);
        assert_eq!(reads.met((0, 1024, 16)), None);
        assert_eq!(reads.met((0, 2032, 20)), Some((0, 9)));
    }
}
