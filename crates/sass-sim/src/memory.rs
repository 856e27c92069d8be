//! Global memory: regions with gaps between them, so that an access past the end of one is seen.

/// Where global memory begins.
pub(crate) const GLOBAL: u64 = 0x7f00_0000_0000;
/// Where shared memory begins in the generic address space; block of the cluster 24 bits up, then the offset.
pub(crate) const SHARED: u64 = 0x7e00_0000_0000;
/// Where local memory of the thread begins in the generic address space.
pub(crate) const LOCAL: u64 = 0x7d00_0000_0000;
/// Where the code of the kernel begins.
pub(crate) const CODE: u64 = 0x7b00_0000_0000;
/// Where functions of the system are, as far as they are called: their number times 16 follows.
pub(crate) const SYSTEM: u64 = 0x7a00_0000_0000;

/// How many bytes a window has.
const WINDOW: u64 = 1 << 32;
/// Between regions: an access that is off by less than this hits no other region.
const GAP: u64 = 4096;
/// How regions are aligned, as `cuMemAlloc` does.
const ALIGN: u64 = 256;

/// A piece of memory.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) name: String,
}

/// All of global memory.
#[derive(Debug, Default)]
pub(crate) struct Global {
    /// By address.
    regions: Vec<Region>,
    next: u64,
    /// The region of the last access.
    last: usize,
    /// Where the heap of the device goes on.
    heap: Option<usize>,
    taken: u64,
}

/// Bytes that `malloc` on the device can give, as CUDA's default has it.
const HEAP: usize = 8 << 20;

/// What a generic address names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Where {
    Global,
    /// The address in the window of shared memory.
    Shared(u64),
    /// The address in the window of local memory.
    Local(u64),
}

/// The memory of a generic address.
pub(crate) fn of_generic(address: u64) -> Where {
    match address {
        SHARED.. if address - SHARED < WINDOW => Where::Shared(address - SHARED),
        LOCAL.. if address - LOCAL < WINDOW => Where::Local(address - LOCAL),
        _ => Where::Global,
    }
}

impl Global {
    /// Room for something; its contents are zero.
    pub(crate) fn allocate(&mut self, bytes: usize, align: u64, name: &str) -> u64 {
        let start = self.next.max(GLOBAL + GAP);
        let address = start.next_multiple_of(align.max(ALIGN));
        self.regions.push(Region {
            address,
            bytes: vec![0; bytes],
            name: name.to_owned(),
        });
        self.next = address + bytes as u64 + GAP;
        address
    }

    /// `malloc` of the device; zero where there is no room. What is freed is not given again.
    pub(crate) fn malloc(&mut self, bytes: u64) -> u64 {
        let heap = match self.heap {
            Some(heap) => heap,
            None => {
                self.allocate(HEAP, ALIGN, "heap");
                self.heap = Some(self.regions.len() - 1);
                self.regions.len() - 1
            }
        };
        let start = self.taken.next_multiple_of(16);
        if bytes > HEAP as u64 - start.min(HEAP as u64) {
            return 0;
        }
        self.taken = start + bytes.max(1);
        self.regions[heap].address + start
    }

    /// The bytes at an address.
    #[inline]
    pub(crate) fn bytes(&mut self, address: u64, count: usize) -> Option<&mut [u8]> {
        let found = self.find(address, count)?;
        Some(self.at(found, count))
    }

    /// The bytes at a place that was found for as many.
    #[inline]
    pub(crate) fn at(&mut self, (region, offset): (usize, usize), count: usize) -> &mut [u8] {
        &mut self.regions[region].bytes[offset..offset + count]
    }

    /// The region of bytes at an address, and their offset in it.
    #[inline]
    pub(crate) fn find(&mut self, address: u64, count: usize) -> Option<(usize, usize)> {
        let fits = |region: &Region| {
            let offset = address.wrapping_sub(region.address);
            (offset as usize)
                .checked_add(count)
                .is_some_and(|end| offset < region.bytes.len() as u64 && end <= region.bytes.len())
        };
        if !self.regions.get(self.last).is_some_and(fits) {
            let after = self.regions.partition_point(|one| one.address <= address);
            let index = after.checked_sub(1)?;
            if !fits(&self.regions[index]) {
                return None;
            }
            self.last = index;
        }
        let region = &self.regions[self.last];
        Some((self.last, (address - region.address) as usize))
    }

    /// Writes bytes from an address on, as the host does.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) {
        if let Some(place) = self.bytes(address, bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    /// Bytes as the host reads them.
    pub(crate) fn read(&mut self, address: u64, count: usize) -> Vec<u8> {
        self.bytes(address, count)
            .map(|bytes| bytes.to_vec())
            .unwrap_or_default()
    }

    /// What lies near an address where nothing is.
    pub(crate) fn near(&self, address: u64) -> Option<String> {
        let after = self.regions.partition_point(|one| one.address <= address);
        let before = after.checked_sub(1).map(|index| &self.regions[index])?;
        let past = (address - before.address).checked_sub(before.bytes.len() as u64)?;
        (past < 1 << 20).then(|| {
            format!(
                "{past} bytes past the end of {} ({} bytes)",
                before.name,
                before.bytes.len()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_past_the_end_hits_nothing() {
        let mut memory = Global::default();
        let a = memory.allocate(10, 4, "argument 0");
        let b = memory.allocate(16, 4, "argument 1");
        assert!(memory.bytes(a + 8, 2).is_some() && memory.bytes(b, 16).is_some());
        assert!(memory.bytes(a + 8, 4).is_none() && memory.bytes(0, 1).is_none());
        assert!(
            memory
                .near(a + 10)
                .is_some_and(|text| text.contains("argument 0"))
        );
        assert!(memory.bytes(u64::MAX, 8).is_none());
    }
}
