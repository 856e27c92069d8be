//! The tensor memory of a block: 128 lanes of 512 words, which columns are allocated, and who may still use what.

/// Lanes.
const LANES: u32 = 128;
/// Columns.
const COLUMNS: u32 = 512;
/// Columns are allocated in units of so many.
const UNIT: u32 = 32;

/// Which lanes of each 32 an area has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    Both,
    /// The first 16.
    Lower,
    /// The last 16.
    Upper,
}

/// A rectangle of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Area {
    /// From and to.
    pub(super) lanes: (u32, u32),
    pub(super) half: Half,
    /// From and to.
    pub(super) columns: (u32, u32),
}

impl Area {
    /// The half of each 32 lanes that it is in.
    fn only(&self) -> Half {
        match (self.half, self.lanes.0 % 32, self.lanes.1 - self.lanes.0) {
            (Half::Both, 16.., ..=16) => Half::Upper,
            (Half::Both, 0, ..=16) => Half::Lower,
            (half, ..) => half,
        }
    }

    fn meets(&self, other: &Area) -> bool {
        let cross = |a: (u32, u32), b: (u32, u32)| a.0 < b.1 && b.0 < a.1;
        let apart = matches!(
            (self.only(), other.only()),
            (Half::Lower, Half::Upper) | (Half::Upper, Half::Lower)
        );
        cross(self.lanes, other.lanes) && cross(self.columns, other.columns) && !apart
    }
}

/// A product that nobody has waited for.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) number: u64,
    /// Who issued it, and where.
    pub(super) thread: u32,
    pub(super) step: (u32, u32),
    pub(super) d: Area,
    /// Where A, its metadata and the scale factors are, if they are here.
    pub(super) sources: Vec<Area>,
    /// The mbarriers that its commits arrived at, and their phases then.
    pub(super) commits: Vec<((u32, u32), u32)>,
}

/// A warp that stores, and the step.
type Storer = (usize, (u32, u32));

/// The tensor memory of a block.
#[derive(Debug, Default)]
pub(crate) struct TensorMemory {
    /// Value and undefined bits of each word; empty until something is allocated.
    words: Vec<(u32, u32)>,
    /// For each unit the number of the allocation plus one.
    units: [u32; (COLUMNS / UNIT) as usize],
    allocations: u32,
    pub(super) relinquished: bool,
    /// So many columns that the block wants together with its peer, and the address of those that the peer has taken for both.
    wanted: Option<u64>,
    granted: Option<u32>,
    products: u64,
    pending: Vec<Pending>,
    /// Stores that their warps have not waited for.
    stores: Vec<(Storer, Area)>,
}

impl TensorMemory {
    /// Allocates columns: gives the address, or nothing if there is no room; an error is what is wrong.
    pub(super) fn allocate(&mut self, columns: u64) -> Result<Option<u32>, String> {
        self.check_allocation(columns)?;
        let room = self.room(columns as usize / UNIT as usize);
        Ok(room.map(|first| self.take(first, columns)))
    }

    /// The same in both blocks of a pair, at the same place, once both want it.
    pub(super) fn allocate_pair(
        &mut self,
        peer: &mut TensorMemory,
        columns: u64,
    ) -> Result<Option<u32>, String> {
        if let Some(address) = self.granted.take() {
            return Ok(Some(address));
        }
        self.check_allocation(columns)?;
        self.wanted = Some(columns);
        if let Some(other) = peer.wanted
            && other != columns
        {
            return Err(format!(
                "an allocation of {columns} columns of tensor memory in a pair whose other block allocates {other}"
            ));
        }
        let Some(first) = self.pair_room(peer) else {
            return Ok(None);
        };
        (self.wanted, peer.wanted) = (None, None);
        peer.granted = Some(peer.take(first, columns));
        Ok(Some(self.take(first, columns)))
    }

    /// Whether a block that waits for columns of a pair may go on.
    pub(super) fn has_pair_room(&self, peer: &TensorMemory) -> bool {
        self.granted.is_some() || self.pair_room(peer).is_some()
    }

    /// The first of the units that both blocks of a pair want and have.
    fn pair_room(&self, peer: &TensorMemory) -> Option<usize> {
        let (own, other) = (self.wanted?, peer.wanted?);
        let count = own as usize / UNIT as usize;
        let is_free = |first: &usize| {
            let units = *first..first + count;
            (self.units[units.clone()].iter().chain(&peer.units[units])).all(|unit| *unit == 0)
        };
        (own == other)
            .then(|| (0..self.units.len()).step_by(count).find(is_free))
            .flatten()
    }

    /// Whether its block waits for columns together with its peer.
    pub(super) fn wants_pair(&self) -> bool {
        self.wanted.is_some() || self.granted.is_some()
    }

    fn check_allocation(&self, columns: u64) -> Result<(), String> {
        if !columns.is_power_of_two() || !(u64::from(UNIT)..=u64::from(COLUMNS)).contains(&columns)
        {
            return Err(format!(
                "an allocation of {columns} columns of tensor memory"
            ));
        }
        if self.relinquished {
            return Err(
                "an allocation of tensor memory after the permit to allocate was given up"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// Takes columns from a free unit on: gives their address.
    fn take(&mut self, first: usize, columns: u64) -> u32 {
        let count = columns as usize / UNIT as usize;
        self.allocations += 1;
        self.units[first..first + count].fill(self.allocations);
        if self.words.is_empty() {
            self.words = vec![(0, u32::MAX); (LANES * COLUMNS) as usize];
        }
        let start = first as u32 * UNIT;
        for lane in 0..LANES {
            let row = (lane * COLUMNS + start) as usize;
            self.words[row..row + columns as usize].fill((0, u32::MAX));
        }
        start
    }

    /// The first of so many free units, at a multiple of their number.
    fn room(&self, count: usize) -> Option<usize> {
        let is_free = |first: &usize| {
            self.units[*first..first + count]
                .iter()
                .all(|unit| *unit == 0)
        };
        (0..self.units.len()).step_by(count).find(is_free)
    }

    pub(super) fn has_room(&self, columns: u32) -> bool {
        self.room((columns / UNIT) as usize).is_some()
    }

    /// Frees an allocation; an error is what is wrong.
    pub(super) fn free(&mut self, address: u32, columns: u64) -> Result<(), String> {
        let what = format!("`tcgen05.dealloc` of {columns} columns at {address:#x}");
        let first = (address & 0xffff) / UNIT;
        let whole = address.is_multiple_of(UNIT) && address < COLUMNS;
        let number = match self.units.get(first as usize) {
            Some(number) if whole && *number != 0 => *number,
            _ => return Err(format!("{what}, where no allocation begins")),
        };
        let own = |unit: &&u32| **unit == number;
        let begins = first == 0 || self.units[first as usize - 1] != number;
        let count = self.units.iter().filter(own).count() as u64;
        if !begins || count * u64::from(UNIT) != columns {
            let columns = count * u64::from(UNIT);
            return Err(format!(
                "{what}, which is not the whole allocation of {columns}"
            ));
        }
        for unit in &mut self.units {
            if *unit == number {
                *unit = 0;
            }
        }
        Ok(())
    }

    /// Whether everything was freed.
    pub(super) fn is_free(&self) -> bool {
        self.units.iter().all(|unit| *unit == 0)
    }

    /// Whether an area was allocated.
    pub(super) fn check(&self, area: Area) -> Result<(), String> {
        let (first, end) = area.columns;
        let units = first / UNIT..end.div_ceil(UNIT);
        let inside = area.lanes.1 <= LANES && end <= COLUMNS;
        if inside && units.clone().all(|unit| self.units[unit as usize] != 0) {
            return Ok(());
        }
        Err(format!(
            "tensor memory of lanes {} to {} and columns {first} to {}, which is not allocated",
            area.lanes.0,
            area.lanes.1 - 1,
            end - 1
        ))
    }

    /// A word of allocated memory, and its undefined bits.
    pub(super) fn word(&self, (lane, column): (u32, u32)) -> (u32, u32) {
        self.words[(lane * COLUMNS + column) as usize]
    }

    pub(super) fn set(&mut self, (lane, column): (u32, u32), value: u32, undefined: u32) {
        self.words[(lane * COLUMNS + column) as usize] = (value, undefined);
    }

    pub(super) fn next_product(&mut self) -> u64 {
        self.products += 1;
        self.products - 1
    }

    pub(super) fn issue(&mut self, pending: Pending) {
        self.pending.push(pending);
    }

    /// The products of a thread so far arrive at an mbarrier, which is in a phase.
    pub(super) fn commit(&mut self, thread: u32, at: ((u32, u32), u32)) {
        let own = self
            .pending
            .iter_mut()
            .filter(|product| product.thread == thread);
        own.for_each(|product| product.commits.push(at));
    }

    /// Somebody has seen that phases of an mbarrier before this one are over: for each thread whose products are over with that the
    /// number after the last of them.
    pub(super) fn observe(&mut self, barrier: (u32, u32), phase: u32) -> Vec<(u32, u64)> {
        let mut over: Vec<(u32, u64)> = Vec::new();
        self.pending.retain(|product| {
            let is_over =
                (product.commits.iter()).any(|(at, then)| *at == barrier && *then != phase);
            if is_over {
                over.push((product.thread, product.number + 1));
            }
            !is_over
        });
        over
    }

    /// The step of a product that may still write an area.
    pub(super) fn written_by(&self, area: Area) -> Option<(u32, u32)> {
        let meets = |product: &&Pending| product.d.meets(&area);
        self.pending.iter().find(meets).map(|product| product.step)
    }

    /// The step of a product that may still use an area.
    pub(super) fn used_by(&self, area: Area) -> Option<(u32, u32)> {
        let meets = |product: &&Pending| {
            let mut sources = product.sources.iter();
            product.d.meets(&area) || sources.any(|source| source.meets(&area))
        };
        self.pending.iter().find(meets).map(|product| product.step)
    }

    /// A warp stores.
    pub(super) fn stores(&mut self, by: Storer, area: Area) {
        if !self.stores.contains(&(by, area)) {
            self.stores.push((by, area));
        }
    }

    /// A warp has waited for its stores.
    pub(super) fn stored(&mut self, warp: usize) {
        self.stores.retain(|((by, _), _)| *by != warp);
    }

    /// The step of a store that may still write an area.
    pub(super) fn stored_by(&self, area: Area) -> Option<(u32, u32)> {
        let meets = |(_, stored): &&(Storer, Area)| stored.meets(&area);
        self.stores.iter().find(meets).map(|((_, step), _)| *step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(lanes: (u32, u32), half: bool, columns: (u32, u32)) -> Area {
        let half = if half { Half::Lower } else { Half::Both };
        Area {
            lanes,
            half,
            columns,
        }
    }

    #[test]
    fn allocations() {
        let mut memory = TensorMemory::default();
        assert_eq!(memory.allocate(64), Ok(Some(0)));
        assert_eq!(memory.allocate(256), Ok(Some(256)));
        assert_eq!(memory.allocate(32), Ok(Some(64)));
        assert_eq!(memory.allocate(256), Ok(None));
        assert!(
            memory.allocate(48).is_err()
                && memory.allocate(16).is_err()
                && memory.allocate(1024).is_err()
        );
        assert!(memory.check(area((0, 128), false, (0, 96))).is_ok());
        assert!(memory.check(area((0, 128), false, (0, 97))).is_err());
        assert!(memory.check(area((64, 192), false, (0, 8))).is_err());
        assert!(memory.free(32, 32).is_err(), "in the middle");
        assert!(memory.free(0, 32).is_err(), "a part");
        assert!(memory.free(128, 32).is_err(), "nothing");
        assert!(memory.free(0x10000, 64).is_err(), "a lane");
        assert_eq!(memory.free(0, 64), Ok(()));
        assert!(memory.free(0, 64).is_err(), "twice");
        memory.relinquished = true;
        assert!(memory.allocate(32).is_err());
        assert!(!memory.is_free());
    }

    /// Both blocks get the same columns, once both ask for them.
    #[test]
    fn allocations_of_pairs() {
        let (mut one, mut two) = (TensorMemory::default(), TensorMemory::default());
        assert_eq!(two.allocate(32), Ok(Some(0)));
        assert_eq!(one.allocate_pair(&mut two, 64), Ok(None));
        assert!(!one.has_pair_room(&two) && one.wants_pair());
        assert!(two.allocate_pair(&mut one, 32).is_err(), "another number");
        two.wanted = None;
        assert_eq!(two.allocate_pair(&mut one, 64), Ok(Some(64)));
        assert!(one.has_pair_room(&two));
        assert_eq!(one.allocate_pair(&mut two, 64), Ok(Some(64)));
        assert!(!one.wants_pair() && !two.wants_pair());
        assert_eq!(one.free(64, 64), Ok(()));
        assert!(two.check(area((0, 128), false, (64, 128))).is_ok());
    }

    #[test]
    fn halves_do_not_meet() {
        let upper = Area {
            half: Half::Upper,
            ..area((0, 128), false, (0, 8))
        };
        assert!(!upper.meets(&area((0, 128), true, (0, 8))));
        assert!(upper.meets(&area((0, 128), false, (7, 9))));
        assert!(upper.meets(&area((48, 64), false, (0, 8))));
        assert!(!upper.meets(&area((32, 48), false, (0, 8))));
    }

    #[test]
    fn products_are_waited_for() {
        let mut memory = TensorMemory::default();
        let d = area((0, 128), true, (8, 16));
        let number = memory.next_product();
        memory.issue(Pending {
            number,
            thread: 5,
            step: (0, 3),
            d,
            sources: vec![area((0, 128), false, (32, 40))],
            commits: Vec::new(),
        });
        let warp = |columns| area((32, 64), false, columns);
        assert_eq!(memory.written_by(warp((0, 9))), Some((0, 3)));
        assert_eq!(memory.written_by(warp((16, 20))), None);
        assert_eq!(
            memory.written_by(area((48, 64), false, (0, 9))),
            None,
            "other lanes"
        );
        assert_eq!(memory.written_by(warp((32, 33))), None);
        assert_eq!(memory.used_by(warp((32, 33))), Some((0, 3)));
        memory.commit(5, ((0, 64), 2));
        assert!(memory.observe((0, 64), 2).is_empty(), "the same phase");
        assert!(memory.observe((0, 72), 3).is_empty(), "another barrier");
        assert_eq!(memory.observe((0, 64), 3), [(5, 1)]);
        assert_eq!(memory.used_by(warp((0, 40))), None);
        memory.stores((2, (0, 9)), warp((0, 4)));
        assert_eq!(memory.stored_by(d), None);
        assert_eq!(
            memory.stored_by(area((0, 128), false, (3, 4))),
            Some((0, 9))
        );
        memory.stored(1);
        assert!(memory.stored_by(area((0, 128), false, (3, 4))).is_some());
        memory.stored(2);
        assert_eq!(memory.stored_by(area((0, 128), false, (3, 4))), None);
    }
}
