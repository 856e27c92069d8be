//! Inputs: kinds of numbers that bring out how sums are computed.

use warpc_ptx::types::ScalarType;
use warpc_testkit::Random;

/// A number from `low` to `high`, both included.
fn between(low: i64, high: i64, random: &mut Random) -> i64 {
    low + random.number_below((high - low + 1) as u64) as i64
}

/// What the numbers of a tile are like. For integers all but two kinds are any bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whole numbers from -4 to 4: every sum is exact.
    Whole,
    /// Exponents just below zero.
    Even,
    /// Exponents so far apart that products go over the edge of an alignment.
    Spread,
    /// Any finite numbers.
    Wide,
    /// As `Spread`, and C takes away what the products give.
    Cancelling,
    /// Subnormals and the smallest normal numbers.
    Tiny,
    /// The largest numbers; of integers, sums near their limits.
    Huge,
    /// Many zeros of both signs.
    Zeros,
    /// Infinities and NaNs among others.
    Special,
    /// C far above the products.
    LargeSum,
    /// C far below the products.
    SmallSum,
    /// Any bits.
    Any,
}

/// Every kind.
pub const KINDS: &[Kind] = &[
    Kind::Whole,
    Kind::Even,
    Kind::Spread,
    Kind::Wide,
    Kind::Cancelling,
    Kind::Tiny,
    Kind::Huge,
    Kind::Zeros,
    Kind::Special,
    Kind::LargeSum,
    Kind::SmallSum,
    Kind::Any,
];

/// A floating-point format.
#[derive(Clone, Copy)]
struct Layout {
    exponent_bits: u32,
    fraction_bits: u32,
    /// Whether the largest exponent means infinities and NaNs.
    infinities: bool,
}

fn layout(ty: ScalarType) -> Option<Layout> {
    let (exponent_bits, fraction_bits) = match ty {
        ScalarType::F16 => (5, 10),
        ScalarType::Bf16 => (8, 7),
        ScalarType::Tf32 | ScalarType::F32 => (8, 23),
        ScalarType::F64 => (11, 52),
        ScalarType::E4m3 => (4, 3),
        ScalarType::E5m2 => (5, 2),
        _ => return None,
    };
    Some(Layout {
        exponent_bits,
        fraction_bits,
        infinities: ty != ScalarType::E4m3,
    })
}

impl Layout {
    fn top(self) -> i64 {
        (1 << self.exponent_bits) - 1
    }

    fn bias(self) -> i64 {
        self.top() / 2
    }

    /// The largest exponent of a finite number; `.e4m3` has numbers at its very top, which are left
    /// to other kinds.
    fn largest(self) -> i64 {
        self.top() - 1 - self.bias()
    }

    fn smallest(self) -> i64 {
        1 - self.bias()
    }

    fn join(self, negative: bool, field: i64, fraction: u64) -> u64 {
        let fraction = fraction & ((1 << self.fraction_bits) - 1);
        let field = (field as u64) << self.fraction_bits;
        u64::from(negative) << (self.exponent_bits + self.fraction_bits) | field | fraction
    }

    /// A random number with this exponent, or the nearest that the format has; below the smallest it
    /// is subnormal.
    fn with_exponent(self, exponent: i64, random: &mut Random) -> u64 {
        let exponent = exponent.min(self.largest());
        let bits = random.bits();
        let field = (exponent + self.bias()).max(0);
        // Every fourth has a short fraction, so that exact ties occur.
        let fraction = match bits >> 62 {
            0 => bits << (self.fraction_bits - 2),
            _ => bits >> 3,
        };
        self.join(bits & 1 << 61 != 0, field, fraction)
    }

    fn whole(self, value: i64) -> u64 {
        if value == 0 {
            return 0;
        }
        let magnitude = value.unsigned_abs();
        let exponent = 63 - i64::from(magnitude.leading_zeros());
        let fraction = match i64::from(self.fraction_bits) - exponent {
            shift @ 0.. => magnitude << shift,
            shift => magnitude >> -shift,
        };
        self.join(value < 0, exponent + self.bias(), fraction)
    }
}

fn float(layout: Layout, kind: Kind, multiplicand: bool, random: &mut Random) -> u64 {
    let (low, high) = (layout.smallest(), layout.largest());
    // Enough below one that products fall out of every alignment of sums of 25 bits (of doubles: of
    // 53), as far as the format goes.
    let window = if layout.fraction_bits == 52 { 30 } else { 14 }.min(high);
    match kind {
        Kind::Whole => layout.whole(between(-4, 4, random)),
        Kind::Even => layout.with_exponent(between(-3, 0, random), random),
        Kind::Wide => layout.with_exponent(between(low - 1, high, random), random),
        Kind::Tiny => match multiplicand {
            // One factor in two is not tiny, so that sums are of the size of subnormals.
            true if random.number_below(2) == 0 => {
                layout.with_exponent(between(-2, 1, random), random)
            }
            _ => layout.with_exponent(between(low - 2, low + 1, random), random),
        },
        Kind::Huge => match multiplicand {
            true if random.number_below(2) == 0 => {
                layout.with_exponent(between(-2, 1, random), random)
            }
            _ => layout.with_exponent(between(high - 2, high, random), random),
        },
        Kind::Zeros => match random.number_below(4) {
            0 => layout.with_exponent(between(-2, 0, random), random),
            1 | 2 => layout.join(random.number_below(2) == 0, 0, 0),
            _ => 0,
        },
        Kind::Special => match random.number_below(48) {
            0 if layout.infinities => layout.join(random.number_below(2) == 0, layout.top(), 0),
            1 => layout.join(
                random.number_below(2) == 0,
                layout.top(),
                u64::MAX >> random.number_below(4),
            ),
            _ => layout.with_exponent(between(-2, 2, random), random),
        },
        Kind::LargeSum if !multiplicand => {
            layout.with_exponent(between(-2, 2 * window, random), random)
        }
        Kind::SmallSum if !multiplicand => {
            layout.with_exponent(between(-3 * window, -window, random), random)
        }
        Kind::Any => random.bits() & layout.join(true, layout.top(), u64::MAX),
        Kind::Spread | Kind::Cancelling | Kind::LargeSum | Kind::SmallSum => {
            let reach = if multiplicand { window } else { 2 * window };
            layout.with_exponent(between(-reach, 0, random), random)
        }
    }
}

fn element(ty: ScalarType, kind: Kind, multiplicand: bool, random: &mut Random) -> u64 {
    match (layout(ty), kind) {
        (Some(layout), _) => float(layout, kind, multiplicand, random),
        (None, Kind::Huge) if ty == ScalarType::S32 => {
            let near = random.number_below(1 << 16) as i32;
            let sum = match random.number_below(2) {
                0 => i32::MAX - near,
                _ => i32::MIN + near,
            };
            u64::from(sum as u32)
        }
        _ => random.bits() & u64::MAX >> (64 - ty.bits()),
    }
}

/// A register full of elements of a type.
pub fn register(
    ty: ScalarType,
    kind: Kind,
    multiplicand: bool,
    bits: usize,
    random: &mut Random,
) -> u64 {
    let width = ty.bits() as usize;
    let parts =
        (0..bits / width).map(|part| element(ty, kind, multiplicand, random) << (part * width));
    parts.fold(0, |register, part| register | part)
}

/// Metadata of a sparse matrix: in each four bits two different places in order; for elements that
/// count twice the halves of one of two.
pub fn metadata(pairs: bool, random: &mut Random) -> u64 {
    let patterns: &[u64] = match pairs {
        true => &[0x4, 0xe],
        false => &[0x4, 0x8, 0xc, 0x9, 0xd, 0xe],
    };
    (0..8).fold(0, |all, _| {
        all << 4 | patterns[random.below(patterns.len())]
    })
}

/// About the negative of each element of a register.
pub fn about_minus(ty: ScalarType, register: u64, random: &mut Random) -> u64 {
    let width = ty.bits();
    let parts = (64 / width).min(32 / width.min(32)).max(1);
    (0..parts).fold(0, |all, part| {
        let mask = u64::MAX >> (64 - width);
        let value = register >> (part * width) & mask;
        let near = match random.number_below(3) {
            0 => value,
            // A few units in the last place more, or many.
            1 => value.wrapping_add(random.number_below(4)),
            _ => value ^ random.number_below(1 << (width / 4)),
        };
        let minus = match layout(ty) {
            Some(_) => near ^ 1 << (width - 1),
            None => near.wrapping_neg(),
        };
        all | (minus & mask) << (part * width)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_what_they_say() {
        let single = layout(ScalarType::F32).unwrap();
        let double = layout(ScalarType::F64).unwrap();
        for value in -4..=4 {
            assert_eq!(f32::from_bits(single.whole(value) as u32), value as f32);
            assert_eq!(f64::from_bits(double.whole(value)), value as f64);
        }
    }

    #[test]
    fn kinds_stay_in_their_range() {
        let mut random = Random::new(1);
        let single = layout(ScalarType::F32).unwrap();
        for _ in 0..1000 {
            let even = f32::from_bits(float(single, Kind::Even, true, &mut random) as u32);
            assert!((0.125..2.0).contains(&even.abs()), "{even}");
            let wide = f32::from_bits(float(single, Kind::Wide, true, &mut random) as u32);
            assert!(wide.is_finite());
        }
    }
}
