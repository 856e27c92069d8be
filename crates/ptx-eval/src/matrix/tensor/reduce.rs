//! What a load of tensor memory with a reduction (`tcgen05.ld.red`) gives next to the words: the least or the largest of a lane.

/// A reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorReduction {
    /// `.max` rather than `.min`.
    pub largest: bool,
    /// What the words are.
    pub of: Reduced,
}

/// What words are reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduced {
    /// `.u32`
    Unsigned,
    /// `.s32`
    Signed,
    /// `.f32`
    Float {
        /// `.abs`: without their signs.
        magnitude: bool,
        /// `.NaN`: a NaN is the result.
        keeps_nan: bool,
    },
}

/// The NaN that results are.
const NAN: u32 = 0x7fff_ffff;

impl TensorReduction {
    /// The result for some words.
    pub fn run(self, words: impl Iterator<Item = u32>) -> u32 {
        let pick = |a: u32, b: u32| {
            let a_first = self.key(a) <= self.key(b);
            if a_first == self.largest { b } else { a }
        };
        match self.of {
            Reduced::Float {
                magnitude,
                keeps_nan,
            } => {
                let without = if magnitude { u32::MAX >> 1 } else { u32::MAX };
                let words: Vec<u32> = words.map(|word| word & without).collect();
                let is_nan = |word: &&u32| f32::from_bits(**word).is_nan();
                let numbers = words.iter().filter(|word| !is_nan(word)).copied();
                match keeps_nan && words.iter().any(|word| is_nan(&word)) {
                    true => NAN,
                    false => numbers.reduce(pick).unwrap_or(NAN),
                }
            }
            _ => words.reduce(pick).unwrap_or(0),
        }
    }

    /// A number that is ordered as the word is.
    fn key(self, word: u32) -> u32 {
        match self.of {
            Reduced::Unsigned => word,
            Reduced::Signed => word ^ 1 << 31,
            Reduced::Float { .. } if word >> 31 == 1 => !word,
            Reduced::Float { .. } => word | 1 << 31,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions() {
        let of =
            |largest, of, words: &[u32]| TensorReduction { largest, of }.run(words.iter().copied());
        let words = [5, 0xffff_fffe, 7];
        assert_eq!(of(true, Reduced::Unsigned, &words), 0xffff_fffe);
        assert_eq!(of(false, Reduced::Unsigned, &words), 5);
        assert_eq!(of(true, Reduced::Signed, &words), 7);
        assert_eq!(of(false, Reduced::Signed, &words), 0xffff_fffe);
        let float = |magnitude, keeps_nan| Reduced::Float {
            magnitude,
            keeps_nan,
        };
        let numbers = [1.5f32, -2.0, 0.0, -0.0].map(f32::to_bits);
        assert_eq!(of(true, float(false, false), &numbers), 1.5f32.to_bits());
        assert_eq!(of(true, float(true, false), &numbers), 2.0f32.to_bits());
        assert_eq!(
            of(false, float(false, false), &numbers),
            (-2.0f32).to_bits()
        );
        assert_eq!(
            of(false, float(false, false), &numbers[2..]),
            (-0.0f32).to_bits()
        );
        assert_eq!(of(true, float(false, false), &numbers[2..]), 0);
        let mixed = [f32::NAN.to_bits(), 3.0f32.to_bits()];
        assert_eq!(of(false, float(false, false), &mixed), 3.0f32.to_bits());
        assert_eq!(of(false, float(false, true), &mixed), NAN);
        assert_eq!(of(false, float(false, false), &mixed[..1]), NAN);
    }
}
