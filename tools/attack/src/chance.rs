//! Numbers that look random and are the same on every machine.

/// A permuted congruential generator with 64 bits of state.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// A sequence for a seed.
    pub fn new(seed: u64) -> Chance {
        let mut chance = Chance {
            state: seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x1405_7b7e_f767_814f,
        };
        chance.next();
        chance.next();
        chance
    }

    fn next(&mut self) -> u32 {
        let old = self.state;
        self.state = old
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = (((old >> 18) ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        u64::from(self.next()) << 32 | u64::from(self.next())
    }

    /// Any 128 bits.
    pub fn wide(&mut self) -> u128 {
        u128::from(self.bits()) << 64 | u128::from(self.bits())
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.next()) * n as u64) >> 32) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of a list that is not empty.
    pub fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
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
