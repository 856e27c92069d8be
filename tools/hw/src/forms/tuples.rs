//! The operands an instruction is tried with.
//!
//! Tuple `i` of a case follows from the case's text and `i` alone, so only answers need recording,
//! and a longer run begins with what a shorter one has. Instructions that differ in their modifiers
//! alone get the same tuples if their operands have the same types. Three of four tuples are combinations of
//! special values, in an order that mixes them, until all have been; the others are random in
//! several ways, with operands that have to do with each other.

use super::draft::{Draft, Source};
use super::values::{COUNTS, Format, conversion_edges, elements, special};
use warpc_testkit::Random;
use warpc_testkit::hash::fnv1a;

/// What an operand is to its instruction, beyond its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// A number like any other.
    Plain,
    /// How many bits or which one.
    Count,
    /// A small number with a sign.
    Offset,
    /// What is to be converted.
    Converted,
}

/// Operands that say how many bits or which one, by opcode and name.
const COUNTED: &[(&str, &[&str])] = &[
    ("shl", &["b"]),
    ("shr", &["b"]),
    ("shf", &["c"]),
    ("bfe", &["b", "c"]),
    ("bfi", &["c", "d"]),
    ("szext", &["b"]),
    ("bmsk", &["a", "b"]),
    ("fns", &["base"]),
    ("vshl", &["b"]),
    ("vshr", &["b"]),
];

impl Part {
    fn of(opcode: &str, source: &Source) -> Part {
        let counted = COUNTED
            .iter()
            .any(|(name, operands)| *name == opcode && operands.contains(&source.name.as_str()));
        match (opcode, source.name.as_str()) {
            _ if counted => Part::Count,
            ("fns", "offset") => Part::Offset,
            ("cvt", _) if Format::of(source.ty).is_some() => Part::Converted,
            _ => Part::Plain,
        }
    }
}

/// The tuples of a case.
pub struct Tuples {
    seed: u64,
    sources: Vec<(Source, Part, Vec<u64>)>,
    /// How many combinations of special values there are, and how far apart neighbours in our order are.
    total: u64,
    stride: u64,
}

impl Tuples {
    /// The tuples of a case.
    pub fn new(draft: &Draft) -> Tuples {
        let opcode = draft.text.split(['.', ' ']).next().unwrap_or_default();
        let sources: Vec<_> = draft
            .sources
            .iter()
            .map(|source| {
                let part = Part::of(opcode, source);
                let mut list = match part {
                    Part::Count => COUNTS.to_vec(),
                    Part::Offset => [
                        0i64, 1, -1, 2, -2, 3, -3, 5, -5, 16, -16, 31, -31, 32, -32, 33, -33,
                    ]
                    .map(|n| n as u64)
                    .to_vec(),
                    Part::Plain | Part::Converted => special(source.ty),
                };
                if let (Part::Converted, Some(format)) = (part, Format::of(source.ty)) {
                    list.extend(conversion_edges(format));
                }
                (source.clone(), part, list)
            })
            .collect();
        let total = sources
            .iter()
            .filter(|(source, ..)| source.constant.is_none())
            .map(|(source, _, list)| {
                // The elements of a packed value are chosen apart.
                (list.len() as u64).saturating_pow(elements(source.ty).1)
            })
            .fold(1, u64::saturating_mul);
        // The golden section spreads neighbours far apart; it must share no factor with the total.
        let mut stride = ((total as f64 * 0.618_033_988_749_895) as u64).max(1);
        while gcd(stride, total) != 1 {
            stride += 1;
        }
        let types: String = draft.sources.iter().map(|s| s.ty.to_string()).collect();
        Tuples {
            seed: fnv1a(format!("{opcode}{types}")),
            sources,
            total,
            stride,
        }
    }

    /// Tuple number `i`: a value for each source, constants among them.
    pub fn get(&self, i: u64) -> Vec<u64> {
        let mut random = Random::new(self.seed ^ i.wrapping_mul(0xd134_2543_de82_ef95));
        let number = i / 4 * 3 + i % 4;
        let mut values = if i % 4 != 3 && number < self.total {
            self.special(number)
        } else {
            self.random(&mut random)
        };
        for (value, (source, ..)) in values.iter_mut().zip(&self.sources) {
            match source.constant {
                Some(constant) => *value = constant,
                // What lies above the type in a wider register must not matter.
                None if source.bits > source.ty.bits() && source.bits > 1 => {
                    let mask = u64::MAX >> (64 - source.ty.bits());
                    *value = *value & mask | random.bits() & !mask;
                    *value &= u64::MAX >> (64 - source.bits);
                }
                None => *value &= u64::MAX >> (64 - source.bits),
            }
        }
        values
    }

    fn special(&self, number: u64) -> Vec<u64> {
        let spread = u128::from(number) * u128::from(self.stride) + u128::from(self.seed);
        let mut rest = (spread % u128::from(self.total)) as u64;
        let mut digit = |list: &[u64]| {
            let n = list.len() as u64;
            let value = list[(rest % n) as usize];
            rest /= n;
            value
        };
        self.sources
            .iter()
            .map(|(source, _, list)| {
                if source.constant.is_some() {
                    return 0;
                }
                let (bits, count) = elements(source.ty);
                (0..count).fold(0, |all, i| all | digit(list) << (i * bits))
            })
            .collect()
    }

    fn random(&self, random: &mut Random) -> Vec<u64> {
        let way = random.number_below(10);
        let common = random.bits();
        let mut values: Vec<u64> = Vec::new();
        for (source, part, _) in &self.sources {
            let (bits, count) = elements(source.ty);
            let first = values.first().copied();
            let value = (0..count).fold(0, |all, i| {
                let before = first.map(|value| value >> (i * bits));
                let element = match (*part, Format::of(source.ty)) {
                    (Part::Count, _) => count_of(random),
                    (Part::Offset, _) => random.number_below(80).wrapping_sub(40),
                    (_, Some(format)) => float(random, format, way, common, before),
                    (_, None) => integer(random, bits, way, before),
                };
                all | (element & (u64::MAX >> (64 - bits))) << (i * bits)
            });
            values.push(value);
        }
        // A sum that nearly cancels shows whether a product is kept exactly.
        if let [.., (a, ..), (b, ..), (c, ..)] = self.sources.as_slice()
            && way == 8
            && a.ty == c.ty
            && b.ty == c.ty
            && let Some(format) = Format::of(c.ty)
            && elements(c.ty).1 == 1
        {
            let n = values.len();
            let product = decode(format, values[n - 3]) * decode(format, values[n - 2]);
            values[n - 1] = format
                .cut(-product)
                .wrapping_add(random.number_below(3))
                .wrapping_sub(1);
        }
        values
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn count_of(random: &mut Random) -> u64 {
    match random.number_below(4) {
        0 | 1 => random.number_below(70),
        2 => random.number_below(300),
        _ => random.bits(),
    }
}

/// A number of one of several sorts; `common` is the same for all operands of a tuple.
fn float(random: &mut Random, format: Format, way: u64, common: u64, first: Option<u64>) -> u64 {
    let bits = random.bits();
    let sign = bits >> 63 << (format.bits() - 1);
    let fraction = bits & ((1 << format.fraction) - 1);
    let largest = (1u64 << format.exponent) - 2;
    let with = |exponent: u64, fraction: u64| {
        sign | exponent.clamp(0, largest) << format.fraction | fraction
    };
    let bias = format.bias() as u64;
    match way {
        // Any bits at all.
        0 => bits,
        // Exponents near each other.
        1 => with(common % (largest + 1) + random.number_below(4), fraction),
        // Small numbers with few bits.
        2 => {
            let value = random.number_below(129) as f64 - 64.0;
            format.cut(value / [1.0, 2.0, 4.0, 8.0][random.number_below(4) as usize])
        }
        // Halfway between numbers of a narrower format, or just beside it.
        3 => {
            let low = random.number_below(u64::from(format.fraction) + 1) as u32;
            let cut = bits >> low << low;
            let half = (1u64 << low) >> 1;
            (cut | half)
                .wrapping_add(random.number_below(3))
                .wrapping_sub(1)
        }
        // Where products and quotients leave the range.
        4 => {
            let places = [
                0,
                1,
                2,
                bias / 2,
                bias,
                bias + bias / 2,
                largest - 2,
                largest - 1,
                largest,
            ];
            with(
                places[random.number_below(9) as usize] + random.number_below(3),
                fraction,
            )
        }
        // Near the first operand, or near what takes it away.
        5 => match first {
            Some(first) => first.wrapping_add(random.number_below(7)).wrapping_sub(3) ^ sign,
            None => with((bias + random.number_below(16)).saturating_sub(8), fraction),
        },
        // Subnormal.
        6 => with(
            0,
            fraction >> random.number_below(u64::from(format.fraction)),
        ),
        // Of ordinary size.
        _ => with(
            (bias + random.number_below(24)).saturating_sub(12),
            fraction,
        ),
    }
}

fn integer(random: &mut Random, bits: u32, way: u64, first: Option<u64>) -> u64 {
    let value = random.bits();
    let shift = random.number_below(u64::from(bits));
    let mask = u64::MAX >> (64 - bits);
    match way {
        // Any size, of both signs.
        0 | 1 => {
            let size = (value & mask) >> shift;
            if value >> 63 == 1 {
                size.wrapping_neg()
            } else {
                size
            }
        }
        // Small.
        2 => random.number_below(17).wrapping_sub(8),
        // One bit, or a run of them.
        3 => (1u64 << shift).wrapping_sub(random.number_below(2)),
        // Near the first operand.
        4 | 5 => match first {
            Some(first) => first.wrapping_add(random.number_below(5)).wrapping_sub(2),
            None => value,
        },
        // Halfway between what fewer bits can say.
        6 => {
            let half = (1u64 << shift) >> 1;
            (value >> shift << shift | half)
                .wrapping_add(random.number_below(3))
                .wrapping_sub(1)
        }
        _ => value,
    }
}

/// The value as f64: exact for all formats here but for the payloads of NaNs.
pub fn decode(format: Format, bits: u64) -> f64 {
    let sign = if bits >> (format.bits() - 1) & 1 == 1 {
        -1.0
    } else {
        1.0
    };
    let fraction = bits & ((1 << format.fraction) - 1);
    let exponent = (bits >> format.fraction & ((1 << format.exponent) - 1)) as i64;
    let scale = |power: i64| f64::powi(2.0, power as i32);
    let unit = scale(-i64::from(format.fraction));
    sign * if exponent == (1 << format.exponent) - 1 {
        if fraction == 0 {
            f64::INFINITY
        } else {
            f64::NAN
        }
    } else if exponent == 0 {
        // In two steps: the smallest double has no inverse.
        fraction as f64 * unit * scale(1 - format.bias())
    } else {
        (1.0 + fraction as f64 * unit) * scale(exponent - format.bias())
    }
}
