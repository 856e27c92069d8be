//! Cells of pieces of less than a word in little memory: most bytes of a page were accessed by few warps at few times.
//!
//! ```text
//!   byte ──► number of its write, lane │ number of its read, lane ──► who, when, how, once for all bytes of the page
//! ```
//!
//! A page has room for a fixed number of these. If it is used up, those that no byte has any more are forgotten; if that is not
//! enough, the oldest ones are, with what they say of bytes: then a race can be missed, but none is reported that is not there.

use super::know::Actor;
use super::shadow::{Cell, Info, LANE_BITS, PAGE, Seen};

/// Who accessed, when and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Record {
    actor: Actor,
    clock: u32,
    info: Info,
}

/// What a cell has: numbers of records (0 is none), and lanes. A lane from [`MASKS`] on is the number of a mask.
#[derive(Clone, Copy, Debug, Default)]
struct Small {
    write: u16,
    read: u16,
    write_lane: u8,
    read_lane: u8,
}

const MASKS: u8 = 32;
/// Masks of a page.
const MOST_MASKS: usize = 64;

/// Cells of a page that have one byte or two each.
#[derive(Debug)]
pub(super) struct Compact {
    cells: Vec<Small>,
    /// From number 1 on; [`Compact::most`] at most.
    records: Vec<Record>,
    masks: Vec<u32>,
    /// The last records that were asked for: of a write, and of a read.
    recent: [u16; 2],
    most: usize,
}

impl Compact {
    /// Cells of so many bytes, as a power of two, that have what larger cells had.
    pub(super) fn new(bits: u32, old: impl Iterator<Item = Cell>) -> Compact {
        let cells = PAGE >> bits;
        let mut compact = Compact {
            cells: vec![Small::default(); cells],
            records: Vec::new(),
            masks: Vec::new(),
            recent: [0; 2],
            // With the cells and the lists beside them at most eight bytes for a byte.
            most: (7 * PAGE - cells * size_of::<Small>() - 4 * MOST_MASKS) / size_of::<Record>(),
        };
        let old: Vec<Cell> = old.collect();
        let times = cells / old.len().max(1);
        for (index, cell) in old.iter().enumerate() {
            for index in index * times..(index + 1) * times {
                compact.put(index, cell);
            }
        }
        compact
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    fn record(&self, number: u16) -> Option<Record> {
        let index = usize::from(number).checked_sub(1)?;
        self.records.get(index).copied()
    }

    /// A cell as others see it.
    pub(super) fn get(&self, index: usize) -> Cell {
        let small = self.cells[index];
        let mut cell = Cell::default();
        if let Some(write) = self.record(small.write) {
            cell.w_actor = write.actor;
            cell.w_when = write.clock << LANE_BITS | u32::from(small.write_lane);
            cell.w_info = write.info;
        }
        if let Some(read) = self.record(small.read) {
            cell.seen = Seen {
                actor: read.actor,
                clock: read.clock,
                lanes: match small.read_lane.checked_sub(MASKS) {
                    None => 1 << small.read_lane,
                    Some(mask) => self.masks.get(usize::from(mask)).copied().unwrap_or(0),
                },
                info: read.info,
            };
        }
        cell
    }

    /// Changes a cell.
    pub(super) fn put(&mut self, index: usize, cell: &Cell) {
        let mut small = Small::default();
        if let Some(write) = cell.write() {
            small.write_lane = (cell.w_when & 31) as u8;
            let record = Record {
                actor: write.actor,
                clock: write.clock,
                info: write.info,
            };
            small.write = self.number(0, record, index);
        }
        self.cells[index] = small;
        let seen = cell.seen;
        if seen.clock == 0 {
            return;
        }
        let record = Record {
            actor: seen.actor,
            clock: seen.clock,
            info: seen.info,
        };
        let read_lane = match seen.lanes.count_ones() {
            1 => Some(seen.lanes.trailing_zeros() as u8),
            _ => self.mask(seen.lanes),
        };
        // Without room for the mask nothing is known of the read.
        if let Some(read_lane) = read_lane {
            let read = self.number(1, record, index);
            let small = &mut self.cells[index];
            (small.read, small.read_lane) = (read, read_lane);
        }
    }

    fn mask(&mut self, lanes: u32) -> Option<u8> {
        let found = self.masks.iter().position(|mask| *mask == lanes);
        let index = match found {
            Some(index) => index,
            None => {
                if self.masks.len() == MOST_MASKS {
                    self.forget_masks();
                }
                if self.masks.len() == MOST_MASKS {
                    return None;
                }
                self.masks.reserve_exact(1);
                self.masks.push(lanes);
                self.masks.len() - 1
            }
        };
        Some(index as u8 + MASKS)
    }

    /// Forgets masks that no cell has.
    fn forget_masks(&mut self) {
        let mut used = [false; MOST_MASKS];
        for small in self.cells.iter().filter(|small| small.read != 0) {
            if let Some(mask) = small.read_lane.checked_sub(MASKS) {
                used[usize::from(mask)] = true;
            }
        }
        let mut numbers = [0; MOST_MASKS];
        let mut kept = Vec::new();
        for (index, mask) in self.masks.iter().enumerate().filter(|(i, _)| used[*i]) {
            numbers[index] = kept.len() as u8 + MASKS;
            kept.push(*mask);
        }
        self.masks = kept;
        for small in self.cells.iter_mut().filter(|small| small.read != 0) {
            if let Some(mask) = small.read_lane.checked_sub(MASKS) {
                small.read_lane = numbers[usize::from(mask)];
            }
        }
    }

    /// The number of a record, for a cell that is about to have it.
    fn number(&mut self, recent: usize, record: Record, cell: usize) -> u16 {
        if self.record(self.recent[recent]) == Some(record) {
            return self.recent[recent];
        }
        let found = self.records.iter().rposition(|one| *one == record);
        let number = match found {
            Some(index) => index as u16 + 1,
            None => {
                if self.records.len() == self.most {
                    self.forget(cell);
                }
                if self.records.len() == self.records.capacity() {
                    let more = 16.min(self.most - self.records.len());
                    self.records.reserve_exact(more);
                }
                self.records.push(record);
                self.records.len() as u16
            }
        };
        self.recent[recent] = number;
        number
    }

    /// Forgets records that no cell has, and of others the oldest until a quarter is free. What the cell that is being
    /// changed has stays.
    fn forget(&mut self, cell: usize) {
        let mut used = vec![false; self.records.len() + 1];
        for small in &self.cells {
            used[usize::from(small.write)] = true;
            used[usize::from(small.read)] = true;
        }
        used[0] = false;
        let own = self.cells[cell];
        let room = self.most - self.most / 4;
        let mut excess = used
            .iter()
            .filter(|used| **used)
            .count()
            .saturating_sub(room);
        for (number, used) in used.iter_mut().enumerate() {
            let is_own = [own.write, own.read].contains(&(number as u16));
            if excess > 0 && *used && !is_own {
                *used = false;
                excess -= 1;
            }
        }
        let mut numbers = vec![0u16; used.len()];
        let mut kept = Vec::with_capacity(self.records.len());
        for (index, record) in self.records.iter().enumerate().filter(|(i, _)| used[i + 1]) {
            kept.push(*record);
            numbers[index + 1] = kept.len() as u16;
        }
        kept.shrink_to_fit();
        self.records = kept;
        self.recent = [0; 2];
        for small in &mut self.cells {
            small.write = numbers[usize::from(small.write)];
            small.read = numbers[usize::from(small.read)];
        }
    }

    /// Forgets what a cell has.
    pub(super) fn clear(&mut self, index: usize) {
        self.cells[index] = Small::default();
    }

    /// Bytes that it takes.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.cells.capacity() * size_of::<Small>()
            + self.records.capacity() * size_of::<Record>()
            + self.masks.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::races::shadow::WRITE;

    fn seen(actor: Actor, clock: u32, lanes: u32) -> Seen {
        Seen {
            actor,
            clock,
            lanes,
            info: 0,
        }
    }

    #[test]
    fn cells_come_back_as_they_went() {
        let mut compact = Compact::new(0, std::iter::once(Cell::default()));
        for index in 0..PAGE {
            let mut cell = Cell::default();
            cell.set_write(index as u32 / 32, 7, index as u32 % 32, WRITE);
            if index % 3 == 0 {
                cell.seen = seen(9, 5, 1 << (index % 32));
            }
            if index % 5 == 0 {
                cell.seen = seen(9, 5, 3 << (index % 30));
            }
            compact.put(index, &cell);
            assert_eq!(compact.get(index), cell, "{index}");
        }
        let cell = compact.get(45);
        assert_eq!((cell.w_actor, cell.w_when), (1, 7 << LANE_BITS | 13));
        assert_eq!(cell.seen, seen(9, 5, 3 << 15));
        assert!(compact.size() <= 7 * PAGE, "{}", compact.size());
    }

    /// Of more than there is room for, the newest are known, and nothing is known that did not happen.
    #[test]
    fn too_many_are_forgotten() {
        let mut compact = Compact::new(0, std::iter::once(Cell::default()));
        for round in 1..4 {
            for index in 0..PAGE {
                let mut cell = compact.get(index);
                cell.set_write(index as u32, round, 3, WRITE);
                cell.seen = seen(index as u32 + 5000, round, 0b101 << (index % 29));
                compact.put(index, &cell);
            }
        }
        assert!(compact.size() <= 7 * PAGE, "{}", compact.size());
        let mut known = 0;
        for index in 0..PAGE {
            let cell = compact.get(index);
            if let Some(write) = cell.write() {
                assert_eq!((write.actor, write.clock), (index as u32, 3));
                known += 1;
            }
            if cell.seen.clock != 0 {
                assert_eq!(
                    cell.seen,
                    seen(index as u32 + 5000, 3, 0b101 << (index % 29))
                );
            }
        }
        assert!(known > 20, "{known}");
        assert!(compact.get(PAGE - 1).write().is_some());
    }
}
