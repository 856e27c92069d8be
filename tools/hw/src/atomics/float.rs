//! What atomic operations on floating-point numbers may give, by the rules of LLVM.
//!
//! All formats up to `float` are computed in double precision and rounded once more: for one sum of
//! numbers with at most 24 digits that gives the right result.

/// A format of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    exponent: u32,
    digits: u32,
}

/// `half`
pub const HALF: Format = Format::new(5, 10);
/// `bfloat`
pub const BFLOAT: Format = Format::new(8, 7);
/// `float`
pub const FLOAT: Format = Format::new(8, 23);
/// `double`
pub const DOUBLE: Format = Format::new(11, 52);

impl Format {
    const fn new(exponent: u32, digits: u32) -> Format {
        Format { exponent, digits }
    }

    /// Bits of a number.
    pub fn bits(self) -> u32 {
        1 + self.exponent + self.digits
    }

    fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.digits
    }

    fn magnitude(self, bits: u64) -> u64 {
        bits & (self.sign() - 1)
    }

    /// Whether bits are those of a NaN.
    pub fn is_nan(self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity()
    }

    /// Whether bits are those of a NaN that signals.
    pub fn is_signalling(self, bits: u64) -> bool {
        self.is_nan(bits) && bits >> (self.digits - 1) & 1 == 0
    }

    fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = self.magnitude(bits);
        magnitude != 0 && magnitude < 1 << self.digits
    }

    /// Zero of the same sign for a subnormal number.
    pub fn flushed(self, bits: u64) -> u64 {
        match self.is_subnormal(bits) {
            true => bits & self.sign(),
            false => bits,
        }
    }

    /// The number that bits stand for.
    pub fn value(self, bits: u64) -> f64 {
        if self == DOUBLE {
            return f64::from_bits(bits);
        }
        let magnitude = self.magnitude(bits);
        let bias = (1 << (self.exponent - 1)) - 1;
        let exponent = (magnitude >> self.digits) as i32;
        let fraction = (magnitude & ((1 << self.digits) - 1)) as f64;
        let value = if magnitude > self.infinity() {
            f64::NAN
        } else if magnitude == self.infinity() {
            f64::INFINITY
        } else if exponent == 0 {
            fraction * 2f64.powi(1 - bias - self.digits as i32)
        } else {
            let one = 2f64.powi(self.digits as i32);
            (one + fraction) * 2f64.powi(exponent - bias - self.digits as i32)
        };
        match bits & self.sign() {
            0 => value,
            _ => -value,
        }
    }

    /// The nearest number of this format, ties to even.
    pub fn nearest(self, value: f64) -> u64 {
        if self == DOUBLE {
            return value.to_bits();
        }
        let sign = match value.is_sign_negative() {
            true => self.sign(),
            false => 0,
        };
        if value.is_nan() {
            return sign | self.infinity() | 1 << (self.digits - 1);
        }
        let size = value.abs();
        if size.is_infinite() || size == 0.0 {
            return sign | if size == 0.0 { 0 } else { self.infinity() };
        }
        let bias = (1 << (self.exponent - 1)) - 1;
        // Nothing that these formats hold, and no sum of it, is subnormal in double precision.
        let exponent = (size.to_bits() >> 52) as i32 - 1023;
        let lowest = 1 - bias;
        let unit = exponent.max(lowest) - self.digits as i32;
        let count = (size * 2f64.powi(-unit)).round_ties_even() as u64;
        let magnitude = if exponent < lowest {
            count
        } else {
            // A carry out of the digits goes into the exponent, where it belongs.
            (((exponent + bias) as u64) << self.digits) + (count - (1 << self.digits))
        };
        sign | magnitude.min(self.infinity())
    }

    /// Values at which things change: zeros, infinities, NaNs, subnormals, the largest, and some others.
    pub fn specials(self) -> Vec<u64> {
        let (sign, infinity) = (self.sign(), self.infinity());
        let quiet = 1 << (self.digits - 1);
        let one = self.nearest(1.0);
        let plain = [
            0,
            one,
            infinity,
            infinity - 1,
            infinity | quiet,
            infinity | quiet | 1,
            infinity | 1,
            1,
            quiet | 1,
            (1 << self.digits) - 1,
            1 << self.digits,
            one + 1,
            self.nearest(3.5),
            self.nearest(100.0),
            self.nearest(2f64.powi(-9)),
        ];
        plain.iter().flat_map(|&v| [v, v | sign]).collect()
    }
}

/// What a number may become.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Allowed {
    /// These bits.
    pub bits: Vec<u64>,
    /// Any NaN.
    pub nan: bool,
    /// These bits where subnormal numbers are taken for zero.
    pub flushed: Option<u64>,
}

impl Allowed {
    fn one(bits: u64) -> Allowed {
        Allowed {
            bits: vec![bits],
            ..Allowed::default()
        }
    }

    fn any_nan() -> Allowed {
        Allowed {
            nan: true,
            ..Allowed::default()
        }
    }
}

/// A floating-point operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOp {
    /// A sum.
    Add,
    /// A difference.
    Sub,
    /// The larger, a number rather than a NaN.
    Max,
    /// The smaller, a number rather than a NaN.
    Min,
    /// The larger, NaN if one is; minus zero is less than zero.
    Maximum,
    /// The smaller, NaN if one is; minus zero is less than zero.
    Minimum,
}

/// What an operation may give.
pub fn apply(op: FloatOp, format: Format, old: u64, operand: u64) -> Allowed {
    let (a, b) = (format.value(old), format.value(operand));
    let sum = |a: f64, b: f64| match op {
        FloatOp::Sub => a - b,
        _ => a + b,
    };
    match op {
        FloatOp::Add | FloatOp::Sub => {
            let result = sum(a, b);
            if result.is_nan() {
                return Allowed::any_nan();
            }
            let exact = format.nearest(result);
            let flush = |bits| format.value(format.flushed(bits));
            let flushed = format.flushed(format.nearest(sum(flush(old), flush(operand))));
            Allowed {
                bits: vec![exact],
                nan: false,
                flushed: (flushed != exact).then_some(flushed),
            }
        }
        FloatOp::Max | FloatOp::Min => {
            let signals = format.is_signalling(old) || format.is_signalling(operand);
            match (a.is_nan(), b.is_nan()) {
                (true, true) => Allowed::any_nan(),
                (true, false) => Allowed {
                    nan: signals,
                    ..Allowed::one(operand)
                },
                (false, true) => Allowed {
                    nan: signals,
                    ..Allowed::one(old)
                },
                // Zeros of two signs: either.
                _ if a == b => Allowed {
                    bits: vec![old, operand],
                    ..Allowed::default()
                },
                _ if (a > b) == (op == FloatOp::Max) => Allowed::one(old),
                _ => Allowed::one(operand),
            }
        }
        FloatOp::Maximum | FloatOp::Minimum => {
            if a.is_nan() || b.is_nan() {
                return Allowed::any_nan();
            }
            let less = a < b || a == b && a.is_sign_negative() && b.is_sign_positive();
            Allowed::one(if less == (op == FloatOp::Maximum) {
                operand
            } else {
                old
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of 16 bits is its own nearest, and singles are what Rust says.
    #[test]
    fn numbers_are_read_and_rounded() {
        for format in [HALF, BFLOAT] {
            for bits in 0..=0xffff {
                if !format.is_nan(bits) {
                    assert_eq!(format.nearest(format.value(bits)), bits, "{bits:x}");
                }
            }
        }
        for bits in FLOAT.specials() {
            let value = f32::from_bits(bits as u32);
            if !value.is_nan() {
                assert_eq!(FLOAT.value(bits), f64::from(value));
                let third = value / 3.0;
                let rounded = FLOAT.nearest(f64::from(value) / 3.0);
                assert_eq!(rounded, u64::from(third.to_bits()), "{bits:x}");
            }
        }
    }

    #[test]
    fn extremes_know_nans_and_zeros() {
        let nan = HALF.nearest(f64::NAN);
        let (zero, minus) = (0, 0x8000);
        assert_eq!(apply(FloatOp::Max, HALF, nan, zero).bits, [zero]);
        assert!(apply(FloatOp::Maximum, HALF, nan, zero).nan);
        assert_eq!(apply(FloatOp::Maximum, HALF, minus, zero).bits, [zero]);
        assert_eq!(apply(FloatOp::Minimum, HALF, zero, minus).bits, [minus]);
        assert_eq!(apply(FloatOp::Add, FLOAT, 1, 1).flushed, Some(0));
    }
}
