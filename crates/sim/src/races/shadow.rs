//! Who accessed memory last: a cell for every word, made when a page is touched.
//!
//! A cell has the last write and the reads since: those of one warp at one clock as a mask of lanes, others in a list
//! beside the page. Where a page is accessed in pieces of less than a word, its cells become as small as these.

use super::know::Actor;
use crate::program::{Order, Scope};
use rustc_hash::FxHashMap;

/// Bytes of memory that a page is for.
const PAGE: usize = 1 << PAGE_BITS;
const PAGE_BITS: u32 = 10;

/// Reads of a word of global memory that are remembered beside the last one, and words of a page that have such. That
/// keeps the memory for it below a byte for each byte.
pub(super) const READERS: usize = 3;
pub(super) const READ_BY_MANY: usize = 9;

/// What is known of an access besides who and when: bits of [`Info`].
pub(super) type Info = u32;
pub(super) const STRONG: Info = 1;
pub(super) const ATOMIC: Info = 1 << 1;
const SCOPE_SHIFT: u32 = 2;
const SIZE_SHIFT: u32 = 4;
/// By the asynchronous proxy.
pub(super) const ASYNC: Info = 1 << 7;
pub(super) const WRITE: Info = 1 << 8;
/// By the warp as a whole: a matrix instruction.
pub(super) const COLLECTIVE: Info = 1 << 9;
/// Before the last write.
pub(super) const OLD: Info = 1 << 10;
/// A write that an atomic operation saw, and with it the last write, or what that goes back to.
pub(super) const OBSERVED: Info = 1 << 11;
/// The lanes did not all do it at this place.
pub(super) const MIXED: Info = 1 << 12;
const PLACE_SHIFT: u32 = 13;
/// What must be the same for reads to be kept as one.
const KIND: Info = MIXED - 1;
/// The last place that has a number.
pub(super) const NO_PLACE: u32 = u32::MAX >> PLACE_SHIFT;

/// Puts together what is known of an access.
pub(super) fn info(order: Order, bytes: u32, place: u32, other: Info) -> Info {
    let strong = if order.strong { STRONG } else { 0 };
    let scope = (order.scope as u32) << SCOPE_SHIFT;
    let size = bytes.max(1).ilog2().min(7) << SIZE_SHIFT;
    strong | scope | size | other | place.min(NO_PLACE) << PLACE_SHIFT
}

pub(super) fn place_of(info: Info) -> u32 {
    info >> PLACE_SHIFT
}

pub(super) fn bytes_of(info: Info) -> u32 {
    1 << (info >> SIZE_SHIFT & 7)
}

pub(super) fn scope_of(info: Info) -> Scope {
    match info >> SCOPE_SHIFT & 3 {
        0 => Scope::Cta,
        1 => Scope::Cluster,
        2 => Scope::Gpu,
        _ => Scope::Sys,
    }
}

/// Accesses by lanes of one actor at one clock; none if the clock is 0.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) actor: Actor,
    pub(super) clock: u32,
    pub(super) lanes: u32,
    pub(super) info: Info,
}

/// What happened to a piece of memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// Who wrote last.
    pub(super) w_actor: Actor,
    /// When (27 bits), and which lane (5); 0 if nobody did.
    pub(super) w_when: u32,
    pub(super) w_info: Info,
    /// Other accesses: reads since, and what is older and not covered by the last write.
    pub(super) seen: Seen,
}

/// Bits of a lane in [`Cell::w_when`].
pub(super) const LANE_BITS: u32 = 5;
/// The greatest clock.
pub(super) const LAST_CLOCK: u32 = u32::MAX >> LANE_BITS;

impl Cell {
    /// The last write, if there is one.
    pub(super) fn write(&self) -> Option<Seen> {
        (self.w_when != 0).then_some(Seen {
            actor: self.w_actor,
            clock: self.w_when >> LANE_BITS,
            lanes: 1 << (self.w_when & 31),
            info: self.w_info,
        })
    }

    pub(super) fn set_write(&mut self, actor: Actor, clock: u32, lane: u32, info: Info) {
        self.w_actor = actor;
        self.w_when = clock << LANE_BITS | lane;
        self.w_info = info;
    }
}

/// What a warp (as far as its lanes know the same) brings to each of its accesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quick {
    pub(super) actor: Actor,
    /// The warps of its block: the first, and how many.
    pub(super) first: Actor,
    pub(super) count: u32,
    /// The clock up to which it knows all of these.
    pub(super) all: u32,
    pub(super) own: u32,
    pub(super) info: Info,
    pub(super) write: bool,
}

impl Quick {
    /// Whether an access is before all lanes of the warp, at first sight.
    #[inline]
    fn is_before(&self, actor: Actor, clock: u32) -> bool {
        actor.wrapping_sub(self.first) < self.count && clock <= self.all
    }

    /// The common case: what was there is known to all of the block or was done by the lane itself. Whether it was
    /// so; then the access is in the cell.
    #[inline]
    pub(super) fn touch(&self, cell: &mut Cell, lane: u32, has_list: bool) -> bool {
        let own_write = cell.w_actor == self.actor && cell.w_when & 31 == lane;
        let after_write =
            cell.w_when == 0 || own_write || self.is_before(cell.w_actor, cell.w_when >> LANE_BITS);
        if !after_write || has_list {
            return false;
        }
        let seen = &mut cell.seen;
        let nothing = seen.clock == 0 || self.is_before(seen.actor, seen.clock);
        if self.write {
            let own = seen.actor == self.actor && seen.lanes == 1 << lane;
            if !(nothing || own) {
                return false;
            }
            seen.clock = 0;
            cell.set_write(self.actor, self.own, lane, self.info);
            return true;
        }
        if nothing && (seen.clock == 0 || seen.info & WRITE == 0) {
            *seen = Seen {
                actor: self.actor,
                clock: self.own,
                lanes: 1 << lane,
                info: self.info,
            };
            return true;
        }
        let same = seen.actor == self.actor
            && seen.clock == self.own
            && (seen.info ^ self.info) & KIND == 0;
        if same {
            seen.merge(1 << lane, self.info);
        }
        same
    }
}

impl Seen {
    fn merge(&mut self, lanes: u32, info: Info) {
        if (self.info ^ info) & !MIXED != 0 && self.lanes & !lanes != 0 {
            self.info = info | MIXED;
        } else {
            self.info = info | self.info & MIXED;
        }
        self.lanes |= lanes;
    }

    /// Takes in another if both can be kept as one; whether they can.
    pub(super) fn take(&mut self, other: &Seen) -> bool {
        let same = self.actor == other.actor
            && self.clock == other.clock
            && (self.info ^ other.info) & KIND == 0;
        if same {
            self.merge(other.lanes, other.info);
        }
        same
    }
}

/// The cells of some memory that lies together.
#[derive(Debug)]
struct Page {
    cells: Vec<Cell>,
    /// Bytes of a cell, as a power of two.
    bits: u32,
    /// Further accesses of a cell, of other warps or at other clocks.
    lists: FxHashMap<u16, Vec<Seen>>,
}

impl Page {
    /// Makes the cells smaller.
    fn refine(&mut self, bits: u32) {
        let times = 1 << (self.bits - bits);
        self.cells = self
            .cells
            .iter()
            .flat_map(|cell| std::iter::repeat_n(*cell, times))
            .collect();
        let lists = std::mem::take(&mut self.lists);
        for (index, list) in lists {
            let start = usize::from(index) * times;
            for index in start..start + times {
                self.lists.insert(index as u16, list.clone());
            }
        }
        self.bits = bits;
    }
}

/// Cells for a piece of memory.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    pages: Vec<Option<Box<Page>>>,
    /// The most accesses in a list.
    pub(super) most: usize,
    /// The most lists in a page.
    pub(super) most_lists: usize,
}

/// One cell, with the list beside it.
pub(super) struct Spot<'a> {
    pub(super) cell: &'a mut Cell,
    lists: &'a mut FxHashMap<u16, Vec<Seen>>,
    index: u16,
    limits: (usize, usize),
}

impl Spot<'_> {
    #[inline]
    pub(super) fn has_list(&self) -> bool {
        !self.lists.is_empty() && self.lists.contains_key(&self.index)
    }

    /// The write that is last from now on is after these.
    pub(super) fn grow_old(&mut self) {
        self.cell.seen.info |= OLD;
        if let Some(list) = self.lists.get_mut(&self.index) {
            list.iter_mut().for_each(|seen| seen.info |= OLD);
        }
    }

    /// The accesses since the last write, but those in the cell.
    pub(super) fn list(&self) -> &[Seen] {
        self.lists.get(&self.index).map_or(&[], Vec::as_slice)
    }

    /// Forgets accesses that something after them stands for now.
    pub(super) fn keep(&mut self, keep: impl Fn(&Seen) -> bool) {
        if self.cell.seen.clock != 0 && !keep(&self.cell.seen) {
            self.cell.seen.clock = 0;
        }
        if let Some(list) = self.lists.get_mut(&self.index) {
            list.retain(keep);
            if self.cell.seen.clock == 0
                && let Some(last) = list.pop()
            {
                self.cell.seen = last;
            }
            if list.is_empty() {
                self.lists.remove(&self.index);
            }
        }
    }

    /// Remembers an access. Of too many the first ones and the last one are kept.
    pub(super) fn add(&mut self, new: Seen) {
        if self.cell.seen.clock == 0 {
            self.cell.seen = new;
            return;
        }
        if self.cell.seen.take(&new) {
            return;
        }
        let (most, most_lists) = self.limits;
        if self.lists.len() >= most_lists && !self.lists.contains_key(&self.index) {
            self.cell.seen = new;
            return;
        }
        let list = self.lists.entry(self.index).or_default();
        if list.iter_mut().any(|old| old.take(&new)) {
            return;
        }
        if list.len() >= most {
            list.pop();
        }
        list.push(new);
    }
}

impl Shadow {
    /// For shared memory every access of the block is kept; of global memory that many threads read, only some.
    pub(super) fn new(bytes: u64, most: usize, most_lists: usize) -> Shadow {
        let pages = (bytes as usize).div_ceil(PAGE);
        Shadow {
            pages: (0..pages).map(|_| None).collect(),
            most,
            most_lists,
        }
    }

    /// Calls `f` for each cell of an access of 1 to 16 bytes at an aligned offset.
    #[inline]
    pub(super) fn cells(&mut self, offset: usize, bytes: u32, mut f: impl FnMut(Spot<'_>)) {
        let limits = (self.most, self.most_lists);
        let Some(slot) = self.pages.get_mut(offset >> PAGE_BITS) else {
            return;
        };
        let page = slot.get_or_insert_with(new_page);
        let size = bytes.trailing_zeros();
        if size < page.bits {
            page.refine(size);
        }
        let first = (offset & (PAGE - 1)) >> page.bits;
        let count = (bytes >> page.bits) as usize;
        let last = (first + count).min(page.cells.len());
        for (i, cell) in page.cells[first..last].iter_mut().enumerate() {
            f(Spot {
                cell,
                lists: &mut page.lists,
                index: (first + i) as u16,
                limits,
            });
        }
    }

    /// Forgets what happened to some memory: it is given to somebody anew.
    pub(super) fn clear(&mut self, offset: u64, bytes: u64) {
        let end = offset.saturating_add(bytes) as usize;
        let mut at = offset as usize;
        while at < end {
            let next = (at / PAGE + 1) * PAGE;
            if let Some(Some(page)) = self.pages.get_mut(at / PAGE) {
                let first = (at % PAGE) >> page.bits;
                let last = ((end.min(next) - 1) % PAGE) >> page.bits;
                for index in first..=last {
                    page.cells[index] = Cell::default();
                    page.lists.remove(&(index as u16));
                }
            }
            at = next;
        }
    }

    /// Bytes that it takes.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        let pages = self.pages.iter().flatten();
        pages
            .map(|page| {
                let lists = page.lists.values().map(|list| list.capacity());
                size_of::<Page>()
                    + page.cells.capacity() * size_of::<Cell>()
                    + lists.map(|n| n * size_of::<Seen>() + 40).sum::<usize>()
            })
            .sum()
    }
}

#[cold]
fn new_page() -> Box<Page> {
    Box::new(Page {
        cells: vec![Cell::default(); PAGE / 4],
        bits: 2,
        lists: FxHashMap::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_for_a_byte() {
        let bytes = 1 << 16;
        let mut shadow = Shadow::new(bytes, READERS, READ_BY_MANY);
        for offset in (0..bytes).step_by(4) {
            shadow.cells(offset as usize, 4, |mut spot| {
                spot.cell.set_write(0, 1, 0, WRITE);
                // Far more readers than are kept.
                for actor in 1..40 {
                    spot.add(Seen {
                        actor,
                        clock: 1,
                        lanes: 1,
                        info: 0,
                    });
                }
            });
        }
        assert!(shadow.size() as u64 <= 8 * bytes, "{}", shadow.size());
        shadow.clear(4, 4);
        let mut written = 0;
        for offset in [0, 4, 8] {
            shadow.cells(offset, 4, |spot| {
                written += u32::from(spot.cell.w_when != 0)
            });
        }
        assert_eq!(written, 2);
    }

    #[test]
    fn pieces_of_a_word() {
        let mut shadow = Shadow::new(64, READERS, READ_BY_MANY);
        shadow.cells(0, 4, |spot| spot.cell.set_write(1, 1, 0, WRITE));
        shadow.cells(1, 1, |spot| spot.cell.set_write(2, 1, 0, WRITE));
        let mut actors = Vec::new();
        shadow.cells(0, 4, |spot| actors.push(spot.cell.w_actor));
        assert_eq!(actors, [1, 2, 1, 1]);
    }
}
