//! Who accessed memory last: a cell for every word, made when a page is touched.
//!
//! A cell has the last write and the reads since: those of one warp at one clock as a mask of lanes. What else is known of its
//! bytes is beside the page ([`super::beside`]). Where a page is accessed in pieces of less than a word, its cells become as
//! small as these ([`super::compact`]).

use super::beside::{Beside, Old, Witness, see};
use super::compact::Compact;
use super::know::Actor;
use crate::program::{Order, Scope};

/// Bytes of memory that a page is for.
pub(super) const PAGE: usize = 1 << PAGE_BITS;
const PAGE_BITS: u32 = 10;

/// How much is remembered beside cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    /// Reads of a cell.
    pub(super) reads: usize,
    /// Bytes for what is beside a page.
    pub(super) bytes: usize,
}

/// For shared memory every access of the block is kept.
pub(super) const ALL: Most = Most {
    reads: usize::MAX,
    bytes: usize::MAX,
};
/// Of global memory that many threads access, only some accesses are. That keeps the memory for all below eight bytes for
/// each byte.
pub(super) const SOME: Most = Most {
    reads: 3,
    bytes: 848,
};

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
/// Of a write: it was seen, but it is not known by whom.
pub(super) const LOST: Info = 1 << 10;
/// An operation on an mbarrier.
pub(super) const OBJECT: Info = 1 << 11;
/// Of a write: the memory, or the mbarrier, ends.
pub(super) const END: Info = 7 << SIZE_SHIFT;
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

pub(super) fn is_end(info: Info) -> bool {
    info & END == END
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Seen {
    pub(super) actor: Actor,
    pub(super) clock: u32,
    pub(super) lanes: u32,
    pub(super) info: Info,
}

/// What happened to a piece of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cell {
    /// Who wrote last.
    pub(super) w_actor: Actor,
    /// When (27 bits), and which lane (5); 0 if nobody did.
    pub(super) w_when: u32,
    pub(super) w_info: Info,
    /// Reads since, and older ones that the last write does not cover.
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
    pub(super) fn touch(&self, cell: &mut Cell, lane: u32, has_beside: bool) -> bool {
        let own_write = cell.w_actor == self.actor && cell.w_when & 31 == lane;
        let after_write =
            cell.w_when == 0 || own_write || self.is_before(cell.w_actor, cell.w_when >> LANE_BITS);
        if !after_write || has_beside {
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
        if nothing {
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
enum Cells {
    /// A word each.
    Words(Vec<Cell>),
    /// Less.
    Pieces(Compact),
}

#[derive(Debug)]
struct Page {
    cells: Cells,
    /// Bytes of a cell, as a power of two.
    bits: u32,
    beside: Besides,
}

/// What is beside the cells of a page, by their number, in order.
#[derive(Debug, Default)]
struct Besides {
    all: Vec<(u16, Box<Beside>)>,
    /// Bytes that it takes, where that is bounded.
    bytes: usize,
}

impl Besides {
    fn find(&self, index: u16) -> Result<usize, usize> {
        self.all.binary_search_by_key(&index, |(at, _)| *at)
    }

    fn get(&self, index: u16) -> Option<&Beside> {
        let at = self.find(index).ok()?;
        Some(&self.all[at].1)
    }

    fn remove(&mut self, index: u16, most: Most) {
        if let Ok(at) = self.find(index) {
            let (_, beside) = self.all.remove(at);
            if most.bytes != usize::MAX {
                self.bytes -= beside.size();
            }
        }
    }

    /// Changes what is beside a cell.
    fn edit(
        &mut self,
        index: u16,
        most: Most,
        cell: &mut Cell,
        change: impl FnOnce(&mut Beside, &mut Cell),
    ) {
        let bounded = most.bytes != usize::MAX;
        let at = match self.find(index) {
            Ok(at) => {
                if bounded {
                    self.bytes -= self.all[at].1.size();
                }
                at
            }
            Err(at) => {
                if bounded {
                    self.all.reserve_exact(1);
                }
                self.all.insert(at, (index, Box::default()));
                at
            }
        };
        let beside = &mut self.all[at].1;
        change(beside, cell);
        if bounded {
            beside.shrink(most.bytes - self.bytes, &mut cell.w_info);
        }
        match beside.is_empty() {
            true => {
                self.all.remove(at);
            }
            false if bounded => self.bytes += beside.size(),
            false => {}
        }
    }
}

impl Page {
    fn new() -> Page {
        Page {
            cells: Cells::Words(vec![Cell::default(); PAGE / 4]),
            bits: 2,
            beside: Besides::default(),
        }
    }

    /// Makes the cells smaller.
    #[cold]
    fn refine(&mut self, bits: u32, most: Most) {
        let times = 1 << (self.bits - bits);
        let compact = match &self.cells {
            Cells::Words(cells) => Compact::new(bits, cells.iter().copied()),
            Cells::Pieces(pieces) => {
                Compact::new(bits, (0..pieces.len()).map(|index| pieces.get(index)))
            }
        };
        self.cells = Cells::Pieces(compact);
        self.bits = bits;
        let old = std::mem::take(&mut self.beside);
        for (index, beside) in old.all {
            let start = usize::from(index) * times;
            for index in start..start + times {
                self.change(index, |cell, besides| {
                    besides.edit(index as u16, most, cell, |new, _| {
                        *new = Beside::clone(&beside)
                    });
                });
            }
        }
    }

    /// Changes one cell.
    fn change(&mut self, index: usize, change: impl FnOnce(&mut Cell, &mut Besides)) {
        match &mut self.cells {
            Cells::Words(cells) => change(&mut cells[index], &mut self.beside),
            Cells::Pieces(pieces) => {
                let mut cell = pieces.get(index);
                let before = cell;
                change(&mut cell, &mut self.beside);
                if cell != before {
                    pieces.put(index, &cell);
                }
            }
        }
    }
}

/// Cells for a piece of memory.
#[derive(Debug)]
pub(super) struct Shadow {
    pages: Vec<Option<Box<Page>>>,
    most: Most,
}

/// One cell, with what is beside it.
pub(super) struct Spot<'a> {
    pub(super) cell: &'a mut Cell,
    besides: &'a mut Besides,
    index: u16,
    most: Most,
}

impl Spot<'_> {
    #[inline]
    pub(super) fn has_beside(&self) -> bool {
        !self.besides.all.is_empty() && self.besides.find(self.index).is_ok()
    }

    /// Who saw the last write.
    pub(super) fn witnesses(&self) -> &[Witness] {
        self.besides
            .get(self.index)
            .map_or(&[], |beside| &beside.witnesses)
    }

    /// Strong writes before the last one.
    pub(super) fn old(&self) -> &[Old] {
        self.besides
            .get(self.index)
            .map_or(&[], |beside| &beside.old)
    }

    /// Reads.
    pub(super) fn reads(&self) -> impl Iterator<Item = &Seen> {
        let beside = self.besides.get(self.index);
        let beside = beside.map_or(&[][..], |beside| &beside.reads);
        let first = Some(&self.cell.seen).filter(|seen| seen.clock != 0);
        first.into_iter().chain(beside)
    }

    fn edit(&mut self, change: impl FnOnce(&mut Beside, &mut Cell)) {
        self.besides.edit(self.index, self.most, self.cell, change);
    }

    /// Forgets reads that something after them stands for now: `keep` gives the lanes of a read that it does not stand for.
    pub(super) fn keep_reads(&mut self, keep: impl Fn(&Seen) -> u32) {
        let seen = &mut self.cell.seen;
        if seen.clock != 0 {
            match keep(seen) {
                0 => seen.clock = 0,
                lanes => seen.lanes = lanes,
            }
        }
        if self.has_beside() {
            self.edit(|beside, cell| {
                beside.reads.retain_mut(|seen| {
                    seen.lanes = keep(seen);
                    seen.lanes != 0
                });
                if cell.seen.clock == 0
                    && let Some(last) = beside.reads.pop()
                {
                    cell.seen = last;
                }
            });
        }
    }

    /// Remembers a read. Of too many the first ones and the last one are kept.
    pub(super) fn add_read(&mut self, new: Seen) {
        let seen = &mut self.cell.seen;
        if seen.clock == 0 {
            *seen = new;
            return;
        }
        if seen.take(&new) {
            return;
        }
        let most = self.most.reads;
        let bounded = most != usize::MAX;
        let mut kept = true;
        self.edit(|beside, _| {
            if beside.reads.iter_mut().any(|old| old.take(&new)) {
                return;
            }
            if beside.reads.len() >= most {
                beside.reads.pop();
            }
            if bounded {
                beside.reads.reserve_exact(1);
            }
            beside.reads.push(new);
        });
        if bounded {
            kept = self.reads().any(|seen| {
                (seen.actor, seen.clock) == (new.actor, new.clock) && seen.lanes & new.lanes != 0
            });
        }
        if !kept {
            self.cell.seen = new;
        }
    }

    /// A strong read has seen the last write, or an atomic operation has; and what that goes back to. `is_before` says which of
    /// these are before it anyway, `is_after` which witnesses are.
    pub(super) fn see(
        &mut self,
        new: Witness,
        is_before: impl Fn(&Seen) -> bool,
        is_after: impl Fn(&Witness) -> bool,
    ) {
        // Where some witnesses were forgotten, others are not needed either.
        let is_known = |write: &Seen| write.info & LOST != 0 || is_before(write);
        let is_last_known = self.cell.write().is_none_or(|last| is_known(&last));
        let goes_back = |old: &Old| old.chained && !is_known(&old.write);
        if is_last_known && !self.old().iter().any(goes_back) {
            return;
        }
        self.edit(|beside, _| {
            if !is_last_known {
                see(&mut beside.witnesses, new, &is_after);
            }
            for old in beside.old.iter_mut().filter(|old| goes_back(old)) {
                see(&mut old.witnesses, new, &is_after);
            }
        });
    }

    /// Another strong write follows; `sees` if it is an atomic operation that sees the last one. Of those before it are kept those for
    /// which `keep` says so, given whether it goes back to them.
    pub(super) fn follow(&mut self, sees: bool, keep: impl Fn(&Seen, bool) -> bool) {
        let last = self.cell.write().filter(|last| keep(last, sees));
        if last.is_none() && !self.has_beside() {
            return;
        }
        self.edit(|beside, _| {
            beside
                .old
                .retain(|old| keep(&old.write, sees && old.chained));
            for old in &mut beside.old {
                old.chained &= sees;
            }
            let witnesses = std::mem::take(&mut beside.witnesses);
            if let Some(write) = last {
                beside.old.reserve_exact(1);
                beside.old.push(Old {
                    write,
                    witnesses,
                    chained: sees,
                });
            }
        });
    }

    /// Forgets all accesses.
    pub(super) fn forget(&mut self) {
        self.besides.remove(self.index, self.most);
        *self.cell = Cell::default();
    }
}

impl Shadow {
    /// Cells for so many bytes.
    pub(super) fn new(bytes: u64, most: Most) -> Shadow {
        let pages = (bytes as usize).div_ceil(PAGE);
        Shadow {
            pages: (0..pages).map(|_| None).collect(),
            most,
        }
    }

    /// Calls `f` for each cell of an access of 1 to 16 bytes at an aligned offset.
    #[inline]
    pub(super) fn cells(&mut self, offset: usize, bytes: u32, mut f: impl FnMut(Spot<'_>)) {
        let most = self.most;
        let Some(slot) = self.pages.get_mut(offset >> PAGE_BITS) else {
            return;
        };
        let page = slot.get_or_insert_with(new_page);
        let size = bytes.trailing_zeros();
        if size < page.bits {
            page.refine(size, most);
        }
        let first = (offset & (PAGE - 1)) >> page.bits;
        let count = (bytes >> page.bits) as usize;
        let last = (first + count).min(PAGE >> page.bits);
        if let Cells::Words(cells) = &mut page.cells {
            for (i, cell) in cells[first..last].iter_mut().enumerate() {
                f(Spot {
                    cell,
                    besides: &mut page.beside,
                    index: (first + i) as u16,
                    most,
                });
            }
            return;
        }
        for index in first..last {
            page.change(index, |cell, besides| {
                f(Spot {
                    cell,
                    besides,
                    index: index as u16,
                    most,
                });
            });
        }
    }

    /// Whether anything near an offset was accessed.
    pub(super) fn is_touched(&self, offset: u64) -> bool {
        let page = self.pages.get(offset as usize >> PAGE_BITS);
        page.is_some_and(Option::is_some)
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
                    page.beside.remove(index as u16, self.most);
                    match &mut page.cells {
                        Cells::Words(cells) => cells[index] = Cell::default(),
                        Cells::Pieces(pieces) => pieces.clear(index),
                    }
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
                let cells = match &page.cells {
                    Cells::Words(cells) => cells.capacity() * size_of::<Cell>(),
                    Cells::Pieces(pieces) => pieces.size(),
                };
                let beside = page.beside.all.iter().map(|(_, one)| one.size());
                size_of::<Page>() + cells + beside.sum::<usize>()
            })
            .sum()
    }
}

#[cold]
fn new_page() -> Box<Page> {
    Box::new(Page::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound, for accesses of every size, by one warp after another and by each warp for itself.
    #[test]
    fn eight_bytes_for_a_byte() {
        let bytes = 1 << 14;
        for (size, alike) in [(4, false), (2, false), (1, false), (2, true), (1, true)] {
            let mut shadow = Shadow::new(bytes, SOME);
            for offset in (0..bytes as u32).step_by(size as usize) {
                shadow.cells(offset as usize, size, |mut spot| {
                    let writer = if alike { offset / size / 32 } else { offset };
                    spot.cell
                        .set_write(writer, 1, offset / size % 32, STRONG | WRITE);
                    // Far more readers than are kept.
                    for actor in 1..40 {
                        let new = Witness {
                            actor,
                            clock: 1,
                            lanes: 1,
                        };
                        spot.see(new, |_| false, |_| false);
                        spot.add_read(Seen {
                            actor: if alike { 1 } else { actor },
                            clock: 1,
                            lanes: actor,
                            info: 0,
                        });
                    }
                    spot.follow(true, |_, _| true);
                    spot.cell
                        .set_write(writer, 2, offset / size % 32, STRONG | WRITE);
                });
            }
            let taken = shadow.size() as u64;
            assert!(taken <= 8 * bytes, "{taken} of {} for {size}", 8 * bytes);
            shadow.clear(4, 4);
            let mut written = 0;
            shadow.cells(4, 4, |spot| {
                written += u32::from(spot.cell.w_when != 0 || spot.has_beside());
            });
            assert_eq!(written, 0);
            // The last ones are known.
            let last = bytes as usize - size as usize;
            shadow.cells(last, size, |spot| {
                written += u32::from(spot.cell.w_when != 0)
            });
            assert_eq!(written, 1, "{size}");
        }
    }

    /// Lanes that wait in a loop read together; each stands for what it read before, not for what the others did.
    #[test]
    fn reads_of_a_loop_do_not_add_up() {
        let mut shadow = Shadow::new(64, ALL);
        for clock in 1..1000 {
            for lane in 0..32 {
                shadow.cells(0, 4, |mut spot| {
                    spot.keep_reads(|seen| seen.lanes & !(1 << lane));
                    spot.add_read(Seen {
                        actor: 1,
                        clock,
                        lanes: 1 << lane,
                        info: STRONG,
                    });
                    let reads: Vec<u32> = spot.reads().map(|seen| seen.lanes).collect();
                    let expected = match clock {
                        1 => u32::MAX >> (31 - lane),
                        _ => u32::MAX,
                    };
                    assert_eq!(reads.iter().fold(0, |all, one| all | one), expected);
                    assert!(reads.len() <= 2, "{reads:?}");
                });
            }
        }
    }

    /// Who saw a write may be forgotten, but not that it was seen.
    #[test]
    fn forgotten_witnesses_are_known_of() {
        let mut shadow = Shadow::new(1024, SOME);
        let mut lost = 0;
        for word in 0..256 {
            shadow.cells(4 * word, 4, |mut spot| {
                spot.cell.set_write(0, 1, 0, STRONG | WRITE);
                for actor in 1..9 {
                    let new = Witness {
                        actor,
                        clock: 1,
                        lanes: 1,
                    };
                    spot.see(new, |_| false, |_| false);
                }
                let is_lost = spot.cell.w_info & LOST != 0;
                assert_eq!(spot.witnesses().len(), if is_lost { 0 } else { 8 });
                lost += u32::from(is_lost);
            });
        }
        assert!(lost > 200 && lost < 256, "{lost}");
    }

    #[test]
    fn pieces_of_a_word() {
        let mut shadow = Shadow::new(64, SOME);
        shadow.cells(0, 4, |spot| spot.cell.set_write(1, 1, 0, WRITE));
        shadow.cells(1, 1, |spot| spot.cell.set_write(2, 1, 0, WRITE));
        let mut actors = Vec::new();
        shadow.cells(0, 4, |spot| actors.push(spot.cell.w_actor));
        assert_eq!(actors, [1, 2, 1, 1]);
    }
}
