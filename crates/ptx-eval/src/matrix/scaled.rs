//! Products with block scaling: `.kind::mxf8f6f4`, `.kind::mxf4`, `.kind::mxf4nvf4`.
//!
//! ```text
//!   scale factors of a row of A      lane 4 (row % 8) + 2 selector + row / 8, bytes from the byte selector on
//!   scale factors of a column of B   lane 4 column + selector, bytes from the byte selector on
//!
//!   mxf8f6f4   one factor of a row and of a column: every product is shifted by both, then all are added at once
//!   mxf4…      two or four: 16 products are added exactly, the sum times both factors is one term; a term is
//!              aligned by the exponents of its factors
//! ```
//!
//! Where factors lie is what CUTLASS's layouts have; the arithmetic was found by others with probing inputs (MMA-Sim: Xie, Wang,
//! Yang and Yang 2025). Neither was measured here.

use super::Lanes;
use super::fused::{Factors, Sum, encode_exact};
use super::number::{self, Format, Number, SPECIAL, ZERO, power};
use warpc_ptx::inst::Choice;

/// Products that are added before they are scaled.
const GROUP: usize = 16;
/// Bits that a term keeps below the largest exponent, where groups are scaled.
const FRACTION: i32 = 35;

/// How factors are scaled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling {
    /// Scale factors of a row or column.
    pub(super) count: usize,
    ty: Scale,
}

/// The type of a scale factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scale {
    /// A power of two.
    Ue8m0,
    /// An `.e4m3` without its sign.
    Ue4m3,
}

impl Scale {
    pub(super) fn decode(self, bits: u8) -> Number {
        match self {
            Scale::Ue4m3 => Format::PlainE4m3.decode(u64::from(bits & 0x7f)),
            Scale::Ue8m0 if bits == 0xff => Number {
                value: f64::NAN,
                exponent: SPECIAL,
            },
            Scale::Ue8m0 => {
                let exponent = i32::from(bits) - 127;
                Number {
                    value: power(exponent),
                    exponent: exponent as i16,
                }
            }
        }
    }
}

/// The scale factors of a product.
#[derive(Debug)]
pub(super) struct Scales {
    /// By row of A.
    pub(super) a: Vec<Vec<Number>>,
    /// By column of B.
    pub(super) b: Vec<Vec<Number>>,
}

impl Scaling {
    /// The scaling of an instruction, if it has one.
    pub(super) fn of(choice: &Choice) -> Option<Scaling> {
        if !choice.has("block_scale") {
            return None;
        }
        let count = match choice.token("scale_vec_size") {
            Some(".scale_vec::4X") => 4,
            Some(".scale_vec::2X") => 2,
            Some(_) => 1,
            None if is_packed(choice) => 2,
            None => 1,
        };
        let is_e4m3 = choice.token("stype") == Some(".ue4m3");
        Some(Scaling {
            count,
            ty: if is_e4m3 { Scale::Ue4m3 } else { Scale::Ue8m0 },
        })
    }

    /// What is wrong with the selectors of a product, if anything is: `sources` are the scale factors of A, their byte and lane
    /// selectors, and the same of B.
    pub(super) fn check(&self, sources: &[Lanes]) -> Result<(), String> {
        let bytes: &[u64] = match self.count {
            1 => &[0, 1, 2, 3],
            2 => &[0, 2],
            _ => &[0],
        };
        for (index, name, allowed) in [
            (1, "byte selector of A", bytes),
            (2, "lane selector of A", &[0, 1]),
            (4, "byte selector of B", bytes),
            (5, "lane selector of B", &[0, 1, 2, 3]),
        ] {
            let values = sources[index].map(|value| value & 0xffff);
            if let Some(other) = values.iter().find(|value| **value != values[0]) {
                let first = values[0];
                return Err(format!(
                    "lanes have different values of the {name}: {first} and {other}"
                ));
            }
            if !allowed.contains(&values[0]) {
                let list: Vec<String> = allowed.iter().map(u64::to_string).collect();
                let value = values[0];
                return Err(format!("the {name} is {value}, not {}", list.join(" or ")));
            }
        }
        Ok(())
    }

    /// The scale factors, from the same sources.
    pub(super) fn scales(&self, sources: &[Lanes], (rows, columns): (usize, usize)) -> Scales {
        let first = |source: usize| sources[source][0] as usize;
        let factors = |source: usize, lane: usize| {
            let word = sources[source][lane % 32] as u32;
            let byte = |i: usize| (word >> (8 * ((first(source + 1) + i) % 4))) as u8;
            (0..self.count).map(|i| self.ty.decode(byte(i))).collect()
        };
        let of_row = |row: usize| factors(0, row % 8 * 4 + first(2) % 2 * 2 + row / 8);
        let of_column = |column: usize| factors(3, column * 4 + first(5) % 4);
        Scales {
            a: (0..rows).map(of_row).collect(),
            b: (0..columns).map(of_column).collect(),
        }
    }
}

/// Whether 4-bit elements are next to each other, without the bytes around them.
pub(super) fn is_packed(choice: &Choice) -> bool {
    choice.has("kind::mxf4") || choice.has("kind::mxf4nvf4")
}

/// A number times a scale factor.
pub(super) fn scaled(number: Number, by: Number) -> Number {
    if by.exponent == SPECIAL {
        return by;
    }
    let exponent = match number.exponent {
        ZERO | SPECIAL => number.exponent,
        exponent => exponent + by.exponent,
    };
    Number {
        value: number.value * by.value,
        exponent,
    }
}

/// `c`, an `.f32`, and the products of a row and a column, with the scale factors of both.
pub(super) fn add_groups(
    (a, b): (Factors<'_>, Factors<'_>),
    (by_a, by_b): (&[Number], &[Number]),
    c: u32,
) -> u32 {
    let addend = number::single(c);
    let is_nan = |number: &Number| number.value.is_nan();
    if is_nan(&addend) || by_a.iter().chain(by_b).any(is_nan) {
        return number::NAN_F32;
    }
    if addend.exponent == SPECIAL {
        return c;
    }
    let groups = a.values.chunks(GROUP).zip(b.values.chunks(GROUP));
    let of_factor = a.values.len() / by_a.len();
    let terms = groups.enumerate().map(|(group, (a, b))| {
        let by = [by_a, by_b].map(|scales| scales[group * GROUP / of_factor]);
        let sum: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        let zero = by.iter().any(|scale| scale.exponent == ZERO);
        let [x, y] = by.map(|scale| match scale.exponent {
            ZERO => 0.0,
            exponent => scale.value * power(-i32::from(exponent)),
        });
        let exponent = match zero {
            true => ZERO,
            false => by[0].exponent + by[1].exponent,
        };
        (sum * x * y, exponent)
    });
    let terms: Vec<(f64, i16)> = terms.collect();
    let largest = terms
        .iter()
        .fold(addend.exponent, |most, (_, exponent)| most.max(*exponent));
    if largest == ZERO {
        return 0;
    }
    let largest = i32::from(largest);
    let mut total = (addend.value * power(FRACTION - largest)).trunc();
    for (value, exponent) in terms {
        if exponent != ZERO {
            total += (value * power(FRACTION + i32::from(exponent) - largest)).trunc();
        }
    }
    encode_exact(Sum::Single, total, largest - FRACTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ones(value: f64) -> ([f64; 64], [i16; 64]) {
        ([value; 64], [0; 64])
    }

    fn sum(a: f64, b: f64, by: [&[Number]; 2], c: f32) -> f32 {
        let (a, b) = (ones(a), ones(b));
        let factors = |(values, exponents): &([f64; 64], [i16; 64]),
                       f: &mut dyn FnMut(Factors<'_>)| {
            f(Factors { values, exponents });
        };
        let mut result = 0;
        factors(&a, &mut |a| {
            factors(&b, &mut |b| {
                result = add_groups((a, b), (by[0], by[1]), c.to_bits())
            });
        });
        f32::from_bits(result)
    }

    #[test]
    fn groups_are_scaled() {
        let scale = |bits| Scale::Ue8m0.decode(bits);
        let fine = |bits| Scale::Ue4m3.decode(bits);
        let by = [scale(128), scale(127)];
        let one = [scale(127); 2];
        assert_eq!(
            sum(1.0, 1.5, [&by, &one], 1.0),
            32.0 * 3.0 + 32.0 * 1.5 + 1.0
        );
        let by = [fine(0x38), fine(0x3c), fine(0), fine(0x01)];
        let ones = [fine(0x38); 4];
        let expected = 16.0 * 1.0 + 16.0 * 1.5 + 16.0 / 512.0;
        assert_eq!(sum(1.0, 1.0, [&by, &ones], 0.0), expected);
        // The sign of a scale factor does not exist.
        assert_eq!(fine(0xb8), fine(0x38));
        assert!(sum(0.0, 0.0, [&[scale(255), scale(0)], &one], 0.0).is_nan());
        assert_eq!(
            sum(1.0, 1.0, [&one, &one], f32::NEG_INFINITY),
            f32::NEG_INFINITY
        );
        assert_eq!(sum(0.0, 0.0, [&one, &one], -3.0e-45).to_bits(), 0);
        // The largest of all factors aligns, even of a group that adds nothing.
        assert_eq!(
            sum(6.0, 6.0, [&[scale(254); 2], &[scale(254); 2]], 0.0),
            f32::INFINITY
        );
    }

    #[test]
    fn selectors() {
        let scaling = Scaling {
            count: 2,
            ty: Scale::Ue8m0,
        };
        let mut sources = [[0; 32]; 6];
        sources[0] = std::array::from_fn(|lane| 0x0403_0201 + 0x1000_0000 * (lane as u64 % 4));
        sources[3] = std::array::from_fn(|lane| lane as u64 * 0x0001_0001);
        assert_eq!(scaling.check(&sources), Ok(()));
        (sources[1], sources[2], sources[5]) = ([2; 32], [1; 32], [3; 32]);
        assert_eq!(scaling.check(&sources), Ok(()));
        let scales = scaling.scales(&sources, (16, 8));
        let exponent = |bits: i16| bits - 127;
        // Row 8 + 3: the fourth lane of the fourth quad, the upper bytes.
        assert_eq!(scales.a[11][0].exponent, exponent(3));
        assert_eq!(scales.a[11][1].exponent, exponent(0x34));
        assert_eq!(scales.a[3][1].exponent, exponent(0x24));
        assert_eq!(scales.b[5][0].exponent, exponent(23));
        sources[1] = [1; 32];
        assert!(scaling.check(&sources).is_err());
        sources[1] = [0; 32];
        sources[5][7] = 0;
        assert!(scaling.check(&sources).is_err());
        sources[5] = [4; 32];
        assert!(scaling.check(&sources).is_err());
    }
}
