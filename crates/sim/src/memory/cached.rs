//! Which bytes of global memory a kernel writes, and which it reads through the read-only path.
//!
//! `ld.global.nc` may return what was there when the kernel started: memory that is read so must not be written while the kernel
//! runs, by any thread. Each byte has two marks; whoever comes second finds the mark of the other.

use std::sync::atomic::{AtomicU8, Ordering};

/// Marks of one region: a bit per byte, eight bytes each.
#[derive(Debug)]
pub(crate) struct Marks {
    written: Box<[AtomicU8]>,
    cached: Box<[AtomicU8]>,
}

impl Marks {
    /// No byte has a mark.
    pub(crate) fn new(bytes: u64) -> Marks {
        let none = || (0..bytes.div_ceil(8)).map(|_| AtomicU8::new(0)).collect();
        Marks {
            written: none(),
            cached: none(),
        }
    }

    /// Bytes are written; whether one of them was read through the read-only path.
    pub(crate) fn write(&self, offset: u64, bytes: u32) -> bool {
        mark(&self.written, &self.cached, offset, bytes)
    }

    /// Whether one of some bytes was written.
    pub(crate) fn is_written(&self, offset: u64, bytes: u32) -> bool {
        (offset..offset + u64::from(bytes)).any(|at| {
            let marks = self.written[(at >> 3) as usize].load(Ordering::SeqCst);
            marks >> (at & 7) & 1 != 0
        })
    }

    /// Bytes are read through the read-only path; whether one of them was written.
    pub(crate) fn read(&self, offset: u64, bytes: u32) -> bool {
        mark(&self.cached, &self.written, offset, bytes)
    }
}

fn mark(own: &[AtomicU8], other: &[AtomicU8], offset: u64, bytes: u32) -> bool {
    let mut met = false;
    let (mut at, end) = (offset, offset + u64::from(bytes));
    while at < end {
        let next = end.min((at & !7) + 8);
        let mask = (0xff << (at & 7)) as u8 & (0xff_u16 >> (8 - (next - (at & !7)))) as u8;
        let index = (at >> 3) as usize;
        if own[index].load(Ordering::Relaxed) & mask != mask {
            own[index].fetch_or(mask, Ordering::SeqCst);
        }
        met |= other[index].load(Ordering::SeqCst) & mask != 0;
        at = next;
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_finds_the_first() {
        let marks = Marks::new(20);
        assert!(!marks.write(6, 4) && !marks.read(10, 4) && !marks.read(0, 6));
        assert!(marks.read(8, 2) && marks.write(13, 1) && !marks.write(14, 6));
    }
}
