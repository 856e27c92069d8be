//! Numbers that look random and are the same on every machine.

use warpc_testkit::Random;

/// A sequence of numbers, with those that programs are made of.
#[derive(Clone, Debug)]
pub struct Chance(Random);

impl Chance {
    /// A sequence for a seed.
    pub fn new(seed: u64) -> Chance {
        Chance(Random::new(seed))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Any 128 bits.
    pub fn wide(&mut self) -> u128 {
        self.0.wide()
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.0.one_in(n)
    }

    /// One of a list that is not empty.
    pub fn of<T: Clone>(&mut self, list: &[T]) -> T {
        self.0.pick(list)
    }

    /// An integer of a width at which arithmetic changes its behaviour, or any.
    pub fn edge(&mut self, width: u32) -> u128 {
        let any = self.wide();
        let half = u128::from(self.bits() as u32 & 3);
        let bit = 1u128 << (any as u32 % 128);
        let value = match self.below(12) {
            0 => half,
            1 => half.wrapping_neg(),
            2 => bit,
            3 => bit.wrapping_neg(),
            4 => bit.wrapping_sub(1),
            5 => (1u128 << (width - 1)).wrapping_add(half),
            6 => (1u128 << (width - 1)).wrapping_sub(1 + half),
            7 => any & 0xff,
            8 => (any & 0xff).wrapping_neg(),
            9 => any & 0xffff_ffff,
            _ => any,
        };
        value & mask(width)
    }
}

/// So many ones.
pub fn mask(width: u32) -> u128 {
    match width {
        128.. => u128::MAX,
        _ => (1 << width) - 1,
    }
}
