//! Blocks that `malloc` on the device gave.
//!
//! Blocks lie apart, and a block that was freed is not given again while there is other room: an access past the end of a block,
//! or after its end of life, then hits nothing else, and is reported with the places of `malloc` and `free`.

use std::collections::BTreeMap;

/// Bytes between blocks.
const GAP: u64 = 64;
/// How blocks are aligned.
const ALIGN: u64 = 16;

/// The step that called: function and number of the step.
pub(crate) type Step = (u32, u32);

/// One block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) bytes: u64,
    /// Where `malloc` was called, and by which thread of which block.
    pub(crate) made: Step,
    pub(crate) by: ([u32; 3], [u32; 3]),
    /// Where `free` was called.
    pub(crate) freed: Option<Step>,
    /// The launch that made it.
    pub(crate) launch: u32,
}

/// All blocks, by address.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    blocks: BTreeMap<u64, Block>,
    /// Where the next block is placed, as long as there is room.
    next: u64,
}

/// What an access to the heap hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hit {
    /// A block, all of it inside.
    Inside,
    /// A block that was freed.
    Freed(Block),
    /// Past the end of this block, so many bytes; or no block at all.
    Outside(Option<(u64, Block)>),
}

impl Heap {
    /// A new block in the range; none when there is no room.
    pub(crate) fn take(&mut self, (start, end): (u64, u64), block: Block) -> Option<u64> {
        let bytes = block.bytes.max(1);
        let at = self.room((start, end), bytes)?;
        self.blocks.insert(at, block);
        self.next = (at + bytes + GAP).next_multiple_of(ALIGN);
        Some(at)
    }

    fn room(&mut self, (start, end): (u64, u64), bytes: u64) -> Option<u64> {
        if bytes > end - start {
            return None;
        }
        let next = self.next.max(start);
        if next.saturating_add(bytes) <= end {
            return Some(next);
        }
        // What was freed is gone for good, and what lies apart moves together.
        self.blocks.retain(|_, block| block.freed.is_none());
        [GAP, 0].into_iter().find_map(|gap| {
            let mut at = start;
            for (&block, Block { bytes: length, .. }) in &self.blocks {
                if at.saturating_add(bytes + gap) <= block {
                    break;
                }
                at = (block + (*length).max(1) + gap).next_multiple_of(ALIGN);
            }
            (at.saturating_add(bytes) <= end).then_some(at)
        })
    }

    /// Ends a block and gives its bytes; the block if it was freed before, and `Err(None)` if there is none.
    pub(crate) fn free(&mut self, address: u64, step: Step) -> Result<u64, Option<Block>> {
        match self.blocks.get_mut(&address) {
            Some(block) if block.freed.is_none() => {
                block.freed = Some(step);
                Ok(block.bytes)
            }
            other => Err(other.copied()),
        }
    }

    /// What an access hits.
    pub(crate) fn hit(&self, address: u64, bytes: u32) -> Hit {
        let Some((start, block)) = self.blocks.range(..=address).next_back() else {
            return Hit::Outside(None);
        };
        let end = address - start + u64::from(bytes);
        match end <= block.bytes {
            true if block.freed.is_some() => Hit::Freed(*block),
            true => Hit::Inside,
            false => {
                let past = (address - start).saturating_sub(block.bytes);
                Hit::Outside((past < GAP).then_some((past, *block)))
            }
        }
    }

    /// Blocks that were not freed, with their addresses.
    pub(crate) fn left(&self) -> impl Iterator<Item = (u64, &Block)> {
        let left = self
            .blocks
            .iter()
            .filter(|(_, block)| block.freed.is_none());
        left.map(|(address, block)| (*address, block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(bytes: u64) -> Block {
        Block {
            bytes,
            made: (0, 0),
            by: ([0; 3], [0; 3]),
            freed: None,
            launch: 0,
        }
    }

    #[test]
    fn blocks_lie_apart() {
        let mut heap = Heap::default();
        let a = heap.take((1 << 20, 1 << 21), block(32)).unwrap();
        let b = heap.take((1 << 20, 1 << 21), block(8)).unwrap();
        assert!(b >= a + 32 + GAP);
        assert_eq!(heap.hit(a + 28, 4), Hit::Inside);
        assert_eq!(heap.hit(a + 32, 4), Hit::Outside(Some((0, block(32)))));
        assert_eq!(heap.hit(b + 4, 8), Hit::Outside(Some((0, block(8)))));
        assert_eq!(heap.hit(a - 4, 4), Hit::Outside(None));
    }

    #[test]
    fn freed_blocks_stay() {
        let mut heap = Heap::default();
        let range = (1 << 20, (1 << 20) + 224);
        let a = heap.take(range, block(32)).unwrap();
        assert_eq!(heap.free(a, (1, 2)), Ok(32));
        assert!(matches!(heap.hit(a, 4), Hit::Freed(found) if found.freed == Some((1, 2))));
        assert!(heap.free(a, (0, 0)).is_err_and(|block| block.is_some()));
        assert_eq!(heap.free(a + 1, (0, 0)), Err(None));
        assert_ne!(heap.take(range, block(32)), Some(a));
        assert_eq!(heap.left().count(), 1);
        // When nothing else is left, what was freed is used again, and blocks touch.
        assert_eq!(heap.take(range, block(64)), Some(a));
        assert_eq!(heap.take(range, block(257)), None);
    }
}
