//! Global and constant memory, shared by all workers.
//!
//! Each buffer and each variable is a region of its own, so an access past its end is seen even
//! where other memory follows. Regions consist of 64-bit host atomics: what another worker wrote is
//! seen whole, and an atomic of the program is one of the host. A narrower store changes a part of a
//! word; with one worker that is a plain load and store, with several a compare-and-swap.
//!
//! Regions lie at least [`GAP`] apart.

mod cached;
mod heap;

pub(crate) use heap::{Block, Hit};

use crate::address;
use cached::Marks;
use heap::Heap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

/// Between regions: an access that is off by less than this hits no other region.
const GAP: u64 = 4096;

/// How regions are aligned: as `cuMemAlloc` does.
const ALIGN: u64 = 256;

/// Bytes that `malloc` on the device can give, as CUDA's default has it.
const HEAP_BYTES: u64 = 8 << 20;

/// What a region is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A buffer, by its number.
    Buffer(usize),
    /// A variable of the module.
    Variable,
    /// A constant of the module.
    Constant,
    /// What `malloc` gives from.
    Heap,
}

/// A piece of memory.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) purpose: Purpose,
    pub(crate) name: String,
    words: Box<[AtomicU64]>,
}

/// Why an access is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BadAccess {
    /// Nothing lies there; what is nearest.
    OutOfBounds(Option<String>),
    /// A block of the heap that was freed.
    Freed(Block),
    /// The address is not a multiple of the size.
    Misaligned,
}

/// All of global memory.
#[derive(Debug, Default)]
pub(crate) struct Global {
    /// By address.
    regions: Vec<Region>,
    next: u64,
    /// Blocks that `malloc` gave.
    heap: RwLock<Heap>,
    /// The undefined bits of the heap, if they are watched.
    heap_shadow: Option<Region>,
    /// By region: what is written, and what is read through the read-only path; empty if that is not watched.
    marks: Vec<Marks>,
    /// Counts launches.
    pub(crate) launch: u32,
    /// Held for 128-bit atomics.
    wide: Mutex<()>,
    /// Whether only one worker runs, so that plain stores will do.
    pub(crate) exclusive: bool,
}

impl Region {
    /// The word at a byte offset.
    fn word(&self, offset: u64) -> &AtomicU64 {
        &self.words[(offset >> 3) as usize]
    }

    /// Loads 1, 2, 4 or 8 bytes at an aligned offset.
    #[inline]
    pub(crate) fn load(&self, offset: u64, bytes: u32, order: Ordering) -> u64 {
        let word = self.word(offset).load(order);
        if bytes == 8 {
            return word;
        }
        word >> (8 * (offset & 7)) & ((1 << (8 * bytes)) - 1)
    }

    /// Stores 1, 2, 4 or 8 bytes at an aligned offset.
    #[inline]
    pub(crate) fn store(&self, offset: u64, bytes: u32, value: u64, order: Ordering, alone: bool) {
        let word = self.word(offset);
        if bytes == 8 {
            return word.store(value, order);
        }
        let shift = 8 * (offset & 7);
        let mask = ((1u64 << (8 * bytes)) - 1) << shift;
        let value = value << shift & mask;
        if alone {
            let old = word.load(Ordering::Relaxed);
            return word.store(old & !mask | value, order);
        }
        let change = |old: u64| Some(old & !mask | value);
        // It always succeeds: the closure never says no.
        let _ = word.fetch_update(order, Ordering::Relaxed, change);
    }

    /// Changes 1, 2, 4 or 8 bytes at an aligned offset in one step; gives the old value.
    pub(crate) fn update(
        &self,
        offset: u64,
        bytes: u32,
        alone: bool,
        change: impl Fn(u64) -> u64,
    ) -> u64 {
        let word = self.word(offset);
        let shift = 8 * (offset & 7);
        let field = if bytes == 8 {
            u64::MAX
        } else {
            (1 << (8 * bytes)) - 1
        };
        let mask = field << shift;
        let new = |old: u64| old & !mask | (change(old >> shift & field) & field) << shift;
        let old = if alone {
            let old = word.load(Ordering::Relaxed);
            word.store(new(old), Ordering::Relaxed);
            old
        } else {
            match word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(new(old))) {
                Ok(old) | Err(old) => old,
            }
        };
        old >> shift & field
    }
}

impl Global {
    /// Room for something; its contents are zero.
    pub(crate) fn allocate(&mut self, bytes: u64, align: u64, purpose: Purpose, name: &str) -> u64 {
        // The first region has a gap before it, too: what lies below is another space.
        let start = self.next.max(address::GLOBAL + GAP);
        let address = start.next_multiple_of(align.max(ALIGN));
        let words = (0..bytes.div_ceil(8)).map(|_| AtomicU64::new(0)).collect();
        self.regions.push(Region {
            address,
            bytes,
            purpose,
            name: name.to_owned(),
            words,
        });
        self.next = address + bytes + GAP;
        address
    }

    /// Makes the heap that `malloc` gives from; `watched` if it is to be known what of it is undefined.
    pub(crate) fn make_heap(&mut self, watched: bool) {
        if self.heap_region().is_none() {
            let address = self.allocate(HEAP_BYTES, ALIGN, Purpose::Heap, "heap");
            self.heap_shadow = watched.then(|| Region {
                address,
                bytes: HEAP_BYTES,
                purpose: Purpose::Heap,
                name: String::new(),
                words: (0..HEAP_BYTES / 8).map(|_| AtomicU64::new(0)).collect(),
            });
        }
    }

    /// From now on it is watched whether memory that is read through the read-only path is written.
    pub(crate) fn watch_cached(&mut self, watched: bool) {
        self.marks = match watched {
            true => self.regions.iter().map(|r| Marks::new(r.bytes)).collect(),
            false => Vec::new(),
        };
    }

    /// Bytes are written; whether one of them was read through the read-only path.
    #[inline]
    pub(crate) fn is_write_of_cached(&self, region: usize, offset: u64, bytes: u32) -> bool {
        let marks = self.marks.get(region);
        marks.is_some_and(|marks| marks.write(offset, bytes))
    }

    /// Whether one of some bytes was written while the kernel runs, if that is watched.
    pub(crate) fn is_written(&self, region: usize, offset: u64, bytes: u32) -> bool {
        let marks = self.marks.get(region);
        marks.is_some_and(|marks| marks.is_written(offset, bytes))
    }

    /// Bytes are read through the read-only path; whether one of them was written.
    pub(crate) fn is_cached_read_of_written(&self, region: usize, offset: u64, bytes: u32) -> bool {
        let marks = self.marks.get(region);
        marks.is_some_and(|marks| marks.read(offset, bytes))
    }

    /// The undefined bits of up to 8 bytes.
    #[inline]
    pub(crate) fn undefined(&self, region: usize, offset: u64, bytes: u32) -> u64 {
        match &self.heap_shadow {
            Some(shadow) if self.regions[region].purpose == Purpose::Heap => {
                shadow.load(offset, bytes, Ordering::Relaxed)
            }
            _ => 0,
        }
    }

    /// Sets the undefined bits of up to 8 bytes.
    #[inline]
    pub(crate) fn set_undefined(&self, region: usize, offset: u64, bytes: u32, bits: u64) {
        if let Some(shadow) = &self.heap_shadow
            && self.regions[region].purpose == Purpose::Heap
        {
            shadow.store(offset, bytes, bits, Ordering::Relaxed, self.exclusive);
        }
    }

    fn heap_region(&self) -> Option<&Region> {
        self.regions.iter().find(|r| r.purpose == Purpose::Heap)
    }

    /// All regions, by address.
    pub(crate) fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The region with an index that [`Global::find`] gave.
    #[inline]
    pub(crate) fn region(&self, index: usize) -> &Region {
        &self.regions[index]
    }

    /// The region at an address; `guess` is tried first.
    #[inline]
    pub(crate) fn find(&self, address: u64, bytes: u32, guess: usize) -> Result<usize, BadAccess> {
        let fits = |region: &Region| {
            let offset = address.wrapping_sub(region.address);
            offset < region.bytes && region.bytes - offset >= u64::from(bytes)
        };
        let index = match self.regions.get(guess) {
            Some(region) if fits(region) => guess,
            _ => {
                let after = self.regions.partition_point(|r| r.address <= address);
                let index = after.wrapping_sub(1);
                match self.regions.get(index) {
                    Some(region) if fits(region) => index,
                    _ => return Err(self.out_of_bounds(address)),
                }
            }
        };
        if self.regions[index].purpose == Purpose::Heap {
            self.in_heap(address, bytes)?;
        }
        if !address.is_multiple_of(u64::from(bytes.next_power_of_two())) {
            return Err(BadAccess::Misaligned);
        }
        Ok(index)
    }

    fn in_heap(&self, address: u64, bytes: u32) -> Result<(), BadAccess> {
        let heap = self.heap.read().unwrap_or_else(PoisonError::into_inner);
        let near = match heap.hit(address, bytes) {
            Hit::Inside => return Ok(()),
            Hit::Freed(block) => return Err(BadAccess::Freed(block)),
            Hit::Outside(None) => "in the heap, but in no block that `malloc` gave".to_owned(),
            Hit::Outside(Some((past, block))) => {
                let size = block.bytes;
                match past {
                    0 => format!("at the end of a block of {size} bytes that `malloc` gave"),
                    _ => format!(
                        "{past} bytes past the end of a block of {size} bytes that `malloc` gave"
                    ),
                }
            }
        };
        Err(BadAccess::OutOfBounds(Some(near)))
    }

    #[cold]
    fn out_of_bounds(&self, address: u64) -> BadAccess {
        let after = self.regions.partition_point(|r| r.address <= address);
        let before = after.checked_sub(1).map(|i| &self.regions[i]);
        let after = self.regions.get(after);
        let past_end = before.map(|r| (address - r.address - r.bytes.min(address - r.address), r));
        let to_start = after.map(|r| (r.address - address, r));
        let text = match (past_end, to_start) {
            (Some((past, region)), other)
                if past < 1 << 20 && other.is_none_or(|(gap, _)| past <= gap) =>
            {
                let Region { name, bytes, .. } = region;
                Some(match (region.address + bytes).checked_sub(address) {
                    None => format!("{past} bytes past the end of {name} ({bytes} bytes)"),
                    Some(0) => format!("right after the end of {name} ({bytes} bytes)"),
                    Some(left) => format!("in {name}, {left} bytes before its end"),
                })
            }
            (_, Some((gap, region))) if gap < 1 << 20 => {
                Some(format!("{gap} bytes before the start of {}", region.name))
            }
            _ => None,
        };
        BadAccess::OutOfBounds(text)
    }

    /// Bytes as the host reads them.
    pub(crate) fn read(&self, address: u64, bytes: u64) -> Vec<u8> {
        let Ok(index) = self.find(address, 1, 0) else {
            return Vec::new();
        };
        let region = &self.regions[index];
        let start = (address - region.address) as usize;
        let all = region
            .words
            .iter()
            .flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes());
        all.skip(start).take(bytes as usize).collect()
    }

    /// Bytes as the host writes them, from the start of a region on.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) {
        let found = self.regions.binary_search_by_key(&address, |r| r.address);
        let Ok(index) = found else { return };
        for (word, chunk) in self.regions[index].words.iter_mut().zip(bytes.chunks(8)) {
            let mut whole = word.get_mut().to_le_bytes();
            whole[..chunk.len()].copy_from_slice(chunk);
            *word.get_mut() = u64::from_le_bytes(whole);
        }
    }

    /// `malloc`: null when there is no room.
    pub(crate) fn malloc(&self, block: Block) -> u64 {
        let Some(region) = self.heap_region() else {
            return 0;
        };
        let mut heap = self.heap.write().unwrap_or_else(PoisonError::into_inner);
        let range = (region.address, region.address + region.bytes);
        let block = Block {
            launch: self.launch,
            ..block
        };
        let Some(address) = heap.take(range, block) else {
            return 0;
        };
        if let Some(shadow) = &self.heap_shadow {
            let start = address - region.address;
            // Nobody else has the block yet; the words that it does not fill belong to nobody.
            for offset in (start..start + block.bytes.next_multiple_of(8)).step_by(8) {
                shadow.store(offset, 8, u64::MAX, Ordering::Relaxed, true);
            }
        }
        address
    }

    /// `free`: what is wrong with it, if there is no such block; the block if it was freed before.
    pub(crate) fn free(&self, address: u64, step: (u32, u32)) -> Result<u64, Option<Block>> {
        let mut heap = self.heap.write().unwrap_or_else(PoisonError::into_inner);
        match address {
            0 => Ok(0),
            _ => heap.free(address, step),
        }
    }

    /// Blocks of the heap that were not freed, with their addresses.
    pub(crate) fn left_in_heap(&self) -> Vec<(u64, Block)> {
        let heap = self.heap.read().unwrap_or_else(PoisonError::into_inner);
        heap.left()
            .map(|(address, block)| (address, *block))
            .collect()
    }

    /// Holds back other 128-bit atomics.
    pub(crate) fn lock_wide(&self) -> std::sync::MutexGuard<'_, ()> {
        self.wide.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_alignment() {
        let mut memory = Global::default();
        let a = memory.allocate(10, 4, Purpose::Buffer(0), "argument 0");
        memory.allocate(16, 4, Purpose::Buffer(1), "argument 1");
        assert!(memory.find(a + 8, 2, 0).is_ok());
        assert_eq!(memory.find(a + 2, 4, 0), Err(BadAccess::Misaligned));
        let Err(BadAccess::OutOfBounds(Some(text))) = memory.find(a + 8, 4, 0) else {
            panic!("four bytes at 8 of 10");
        };
        assert!(text.contains("argument 0"), "{text}");
        assert_eq!(memory.find(0, 4, 0), Err(BadAccess::OutOfBounds(None)));
    }

    #[test]
    fn parts_of_words() {
        let mut memory = Global::default();
        let a = memory.allocate(16, 8, Purpose::Buffer(0), "argument 0");
        memory.write(a, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let index = memory.find(a, 1, 0).unwrap();
        let region = memory.region(index);
        assert_eq!(region.load(2, 2, Ordering::Relaxed), 0x0403);
        for alone in [true, false] {
            region.store(4, 4, 0xdead_beef, Ordering::Relaxed, alone);
            assert_eq!(region.load(0, 8, Ordering::Relaxed), 0xdead_beef_0403_0201);
            let old = region.update(1, 1, alone, |old| old + 0x100 + 1);
            assert_eq!(old, 2);
            assert_eq!(region.load(0, 4, Ordering::Relaxed), 0x0403_0301);
            region.store(1, 1, 2, Ordering::Relaxed, alone);
        }
        assert_eq!(memory.read(a + 6, 4), [0xad, 0xde, 9, 0]);
    }

    #[test]
    fn heap() {
        let mut memory = Global::default();
        memory.make_heap(true);
        let block = |bytes| Block {
            bytes,
            made: (0, 0),
            by: ([0; 3], [0; 3]),
            freed: None,
            launch: 0,
        };
        let (a, b) = (memory.malloc(block(24)), memory.malloc(block(8)));
        assert!(a != 0 && b >= a + 24 && memory.malloc(block(HEAP_BYTES)) == 0);
        assert!(memory.find(a + 16, 8, 0).is_ok() && memory.find(a + 24, 8, 0).is_err());
        let region = memory.find(a, 8, 0).unwrap();
        assert_eq!(
            memory.undefined(region, a - memory.region(region).address, 8),
            u64::MAX
        );
        assert!(memory.free(a, (0, 0)).is_ok() && memory.free(a, (0, 0)).is_err());
        assert!(matches!(memory.find(a, 8, 0), Err(BadAccess::Freed(_))));
        assert_eq!(memory.left_in_heap().len(), 1);
    }
}
