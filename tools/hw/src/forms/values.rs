//! Special values of each type: where arithmetic has its edges.

use warpc_ptx::types::{Meaning, ScalarType};

/// A binary floating-point format: bits of the exponent and of the fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction.
    pub fraction: u32,
}

impl Format {
    /// The format of a type that holds floating-point numbers, one or several.
    pub fn of(ty: ScalarType) -> Option<Format> {
        let (exponent, fraction) = match ty {
            ScalarType::F16 | ScalarType::F16x2 => (5, 10),
            ScalarType::Bf16 | ScalarType::Bf16x2 => (8, 7),
            ScalarType::F32 | ScalarType::Tf32 | ScalarType::F32x2 => (8, 23),
            ScalarType::F64 => (11, 52),
            ScalarType::E4m3x2 => (4, 3),
            ScalarType::E5m2x2 => (5, 2),
            _ => return None,
        };
        Some(Format { exponent, fraction })
    }

    /// Bits of a number.
    pub fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// What is added to an exponent.
    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The number nearest to a value that f64 holds, cut towards zero; exact for the values below.
    pub fn cut(self, value: f64) -> u64 {
        let bits = value.to_bits();
        let sign = bits >> 63 << (self.bits() - 1);
        let exponent = (bits >> 52 & 0x7ff) as i64 - 1023 + self.bias();
        let fraction = (bits & ((1 << 52) - 1)) >> (52 - self.fraction);
        if value == 0.0 || exponent <= 0 {
            return sign;
        }
        let largest = (1 << self.exponent) - 2;
        if exponent > largest {
            return sign | (largest as u64) << self.fraction | ((1 << self.fraction) - 1);
        }
        sign | (exponent as u64) << self.fraction | fraction
    }
}

/// The bits of one element, and how many there are, for types that hold several numbers.
pub fn elements(ty: ScalarType) -> (u32, u32) {
    match ty {
        ScalarType::F16x2 | ScalarType::Bf16x2 | ScalarType::U16x2 | ScalarType::S16x2 => (16, 2),
        ScalarType::E4m3x2 | ScalarType::E5m2x2 => (8, 2),
        _ => (ty.bits(), 1),
    }
}

/// Special values of one element of a type.
pub fn special(ty: ScalarType) -> Vec<u64> {
    if ty == ScalarType::Pred {
        return vec![0, 1];
    }
    match Format::of(ty) {
        Some(format) => floats(format),
        None => integers(elements(ty).0, ty.meaning()),
    }
}

fn integers(bits: u32, meaning: Meaning) -> Vec<u64> {
    let mask = u64::MAX >> (64 - bits);
    let min = 1u64 << (bits - 1);
    let half = 1u64 << (bits / 2);
    let mut list = vec![
        0,
        1,
        2,
        3,
        7,
        mask,
        mask - 1,
        min,
        min - 1,
        min + 1,
        half,
        half - 1,
        half + 1,
        0x5555_5555_5555_5555,
        0xaaaa_aaaa_aaaa_aaaa,
        31,
        32,
        127,
        128,
        255,
        0x1234_5678_9abc_def0,
    ];
    if meaning == Meaning::Signed {
        list.extend([
            (half >> 1).wrapping_neg(),
            2u64.wrapping_neg(),
            100u64.wrapping_neg(),
        ]);
    }
    finish(list, bits)
}

/// Zeros, ones, subnormals, limits, infinities and several kinds of NaN, of both signs.
fn floats(format: Format) -> Vec<u64> {
    let sign = 1u64 << (format.bits() - 1);
    let infinity = ((1u64 << format.exponent) - 1) << format.fraction;
    let one = (format.bias() as u64) << format.fraction;
    let quiet = 1u64 << (format.fraction - 1);
    let unit = 1u64 << format.fraction;
    let list = vec![
        0,
        one,
        one + 1,
        one - 1,
        one + unit,
        one - unit,
        one + quiet,
        1,
        quiet,
        unit - 1,
        unit,
        unit + 1,
        infinity - 1,
        infinity - unit,
        infinity,
        infinity | quiet,
        infinity | 1,
        infinity | (unit - 1),
        infinity | quiet | 5 & (unit - 1),
        format.cut(std::f64::consts::PI),
    ];
    let both: Vec<u64> = list
        .iter()
        .flat_map(|&value| [value, value | sign])
        .collect();
    finish(both, format.bits())
}

/// Cut to their size, each once.
fn finish(list: Vec<u64>, bits: u32) -> Vec<u64> {
    let mask = u64::MAX >> (64 - bits);
    let mut seen = Vec::new();
    for value in list {
        if !seen.contains(&(value & mask)) {
            seen.push(value & mask);
        }
    }
    seen
}

/// What is converted: halves between integers, the limits of integer types and of narrow floating
/// formats, and what lies just beside them.
pub fn conversion_edges(format: Format) -> Vec<u64> {
    const VALUES: &[f64] = &[
        0.25,
        0.5,
        0.75,
        1.5,
        2.5,
        3.5,
        4.5,
        126.5,
        127.0,
        127.5,
        128.0,
        128.5,
        129.0,
        239.0,
        240.0,
        247.9,
        248.0,
        254.5,
        255.0,
        255.5,
        256.0,
        448.0,
        463.0,
        464.0,
        465.0,
        480.0,
        2047.5,
        2048.5,
        2049.0,
        32766.5,
        32767.0,
        32767.5,
        32768.0,
        32768.5,
        32769.0,
        57344.0,
        61439.0,
        61440.0,
        65504.0,
        65519.0,
        65520.0,
        65534.5,
        65535.0,
        65535.5,
        65536.0,
        8388607.5,
        8388608.0,
        16777217.0,
        2147483520.0,
        2147483647.0,
        2147483648.0,
        2147483649.0,
        2147483904.0,
        4294967040.0,
        4294967295.0,
        4294967296.0,
        9.007199254740993e15,
        9.223371487098962e18,
        9.223372036854775e18,
        9.223372036854776e18,
        1.8446742974197924e19,
        1.844674407370955e19,
        1.8446744073709552e19,
        3.4028234e38,
        3.4028235677973366e38,
        1e10,
        1e20,
        1e-10,
        0.499999970197678,
        0.999999940395355,
        5.960464477539063e-8,
        2.9802322387695313e-8,
        3.0e-8,
        6.103515625e-5,
        6.097555160522461e-5,
        0.015625,
        0.001953125,
        0.0009765625,
        0.00146484375,
        1.52587890625e-5,
        7.62939453125e-6,
        1.1754943508222875e-38,
        1.1754942e-38,
        1.401298464324817e-45,
        7.0e-46,
        9.2e-41,
        4.6e-41,
    ];
    let signed = VALUES.iter().flat_map(|&value| [value, -value]);
    finish(
        signed.map(|value| format.cut(value)).collect(),
        format.bits(),
    )
}

/// Numbers of bits and places: around the sizes of registers.
pub const COUNTS: &[u64] = &[
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    17,
    24,
    30,
    31,
    32,
    33,
    34,
    47,
    48,
    62,
    63,
    64,
    65,
    96,
    127,
    128,
    254,
    255,
    256,
    257,
    288,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0xffff_ffe0,
];
