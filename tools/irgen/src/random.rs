//! Numbers that look random and are the same everywhere.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence for a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of a list that is not empty.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// One of a list, each as often as its weight says; the weights are not all zero.
    pub fn weighted<T: Clone>(&mut self, list: &[(usize, T)]) -> T {
        let total: usize = list.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, item) in list {
            if at < *weight {
                return item.clone();
            }
            at -= weight;
        }
        unreachable!("the number is below the sum of the weights")
    }
}
