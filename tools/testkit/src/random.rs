//! The seeded generator of numbers that all tests and tools use.

/// SplitMix64: 64 bits of state, every seed is good, and the same numbers on every machine and in every release.
///
/// Recorded answers depend on the sequence (`tests/hardware`, `tests/oracle/ll_programs.tsv.gz`), so neither
/// [`Random::bits`] nor what the other methods make of it may change.
///
/// ```
/// use warpc_testkit::Random;
///
/// let mut random = Random::new(1);
/// assert_eq!(random.bits(), 0x910a_2dec_8902_5cc1);
/// assert!(random.below(10) < 10);
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
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

    /// The next 128 bits, the upper half first.
    pub fn wide(&mut self) -> u128 {
        u128::from(self.bits()) << 64 | u128::from(self.bits())
    }

    /// An index below `count`, which is not zero.
    pub fn below(&mut self, count: usize) -> usize {
        self.number_below(count as u64) as usize
    }

    /// A number below `limit`, which is not zero.
    pub fn number_below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// True in one of `count` cases.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// An element of a list that is not empty.
    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// An element of a list, each as often as its weight says; the weights are not all zero.
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

    /// Puts a list into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation for the seed 1234567.
    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let found: Vec<u64> = (0..5).map(|_| random.bits()).collect();
        let wanted = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn weights_are_followed() {
        let mut random = Random::new(0);
        let list = [(0, 'a'), (1, 'b'), (3, 'c')];
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[random.weighted(&list) as usize - 'a' as usize] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!((900..1100).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn shuffling_keeps_the_elements() {
        let mut list: Vec<usize> = (0..100).collect();
        Random::new(3).shuffle(&mut list);
        assert_ne!(list, (0..100).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
