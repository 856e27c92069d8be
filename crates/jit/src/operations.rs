//! What can be computed, on values of four lanes.

use crate::builder::{Builder, Comparison, Doubles, Mask, Words, order};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, I32X4, I64X2};
use cranelift_codegen::ir::{InstBuilder, Value};

/// The one NaN that operations on singles give.
const NAN: i64 = 0x7fff_ffff;

/// Operations on the bits of two words or doubles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
}

/// The smaller or larger of two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Extreme {
    LeastUnsigned,
    LeastSigned,
    MostUnsigned,
    MostSigned,
}

/// Shifts by the same number in all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Shift {
    Left,
    RightUnsigned,
    RightSigned,
}

/// Operations on singles, rounded to the nearest even.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Single {
    Add,
    Subtract,
    Multiply,
}

/// What holds of two singles that are both numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Ordered {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    /// Nothing more.
    Numbers,
}

impl Builder<'_> {
    /// The same word in all lanes.
    pub fn word_number(&mut self, number: u32) -> Words {
        Words(self.splat(I32X4, i64::from(number as i32)))
    }

    /// The same double in all lanes.
    pub fn double_number(&mut self, number: u64) -> Doubles {
        let value = self.splat(I64X2, number as i64);
        Doubles([value; 2])
    }

    /// The same truth in all lanes.
    pub fn truth(&mut self, holds: bool) -> Mask {
        Mask(self.splat(I32X4, if holds { -1 } else { 0 }))
    }

    fn two(&mut self, how: Arithmetic, a: Value, b: Value) -> Value {
        let code = self.code.ins();
        match how {
            Arithmetic::Add => code.iadd(a, b),
            Arithmetic::Subtract => code.isub(a, b),
            Arithmetic::Multiply => code.imul(a, b),
            Arithmetic::And => code.band(a, b),
            Arithmetic::Or => code.bor(a, b),
            Arithmetic::Xor => code.bxor(a, b),
        }
    }

    /// Of words.
    pub fn words(&mut self, how: Arithmetic, a: Words, b: Words) -> Words {
        Words(self.two(how, a.0, b.0))
    }

    /// Of doubles.
    pub fn doubles(&mut self, how: Arithmetic, a: Doubles, b: Doubles) -> Doubles {
        Doubles([0, 1].map(|half| self.two(how, a.0[half], b.0[half])))
    }

    /// All bits of a word the other way round.
    pub fn not(&mut self, a: Words) -> Words {
        Words(self.code.ins().bnot(a.0))
    }

    /// Of words.
    pub fn extreme(&mut self, how: Extreme, a: Words, b: Words) -> Words {
        let code = self.code.ins();
        Words(match how {
            Extreme::LeastUnsigned => code.umin(a.0, b.0),
            Extreme::LeastSigned => code.smin(a.0, b.0),
            Extreme::MostUnsigned => code.umax(a.0, b.0),
            Extreme::MostSigned => code.smax(a.0, b.0),
        })
    }

    /// Shifts each of some vectors whose lanes have so many bits. Further than these is zero, or the sign.
    fn shifted(&mut self, how: Shift, value: Value, bits: u32, by: u32) -> Value {
        if by >= bits && how != Shift::RightSigned {
            return self.code.ins().bxor(value, value);
        }
        let by = i64::from(by.min(bits - 1));
        let code = self.code.ins();
        match how {
            Shift::Left => code.ishl_imm_u(value, by),
            Shift::RightUnsigned => code.ushr_imm_u(value, by),
            Shift::RightSigned => code.sshr_imm_u(value, by),
        }
    }

    /// Shifts words.
    pub fn shift_words(&mut self, how: Shift, a: Words, by: u32) -> Words {
        Words(self.shifted(how, a.0, 32, by))
    }

    /// Shifts doubles.
    pub fn shift_doubles(&mut self, how: Shift, a: Doubles, by: u32) -> Doubles {
        Doubles(a.0.map(|half| self.shifted(how, half, 64, by)))
    }

    /// Words as doubles, with their sign or with zeros above them.
    pub fn widen(&mut self, a: Words, signed: bool) -> Doubles {
        Doubles(self.halves(a.0, signed))
    }

    /// The low words of doubles.
    pub fn narrow(&mut self, a: Doubles) -> Words {
        let lanes = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
        Words(self.shuffle(a.0, lanes))
    }

    fn halves(&mut self, value: Value, signed: bool) -> [Value; 2] {
        match signed {
            true => [
                self.code.ins().swiden_low(value),
                self.code.ins().swiden_high(value),
            ],
            false => [
                self.code.ins().uwiden_low(value),
                self.code.ins().uwiden_high(value),
            ],
        }
    }

    /// Whole products of words.
    pub fn multiply_wide(&mut self, a: Words, b: Words, signed: bool) -> Doubles {
        let (a, b) = (self.halves(a.0, signed), self.halves(b.0, signed));
        Doubles([0, 1].map(|half| self.code.ins().imul(a[half], b[half])))
    }

    /// The first where a truth holds, else the second.
    pub fn select_words(&mut self, which: Mask, a: Words, b: Words) -> Words {
        Words(self.code.ins().bitselect(which.0, a.0, b.0))
    }

    /// The same of doubles.
    pub fn select_doubles(&mut self, which: Mask, a: Doubles, b: Doubles) -> Doubles {
        let which = self.halves(which.0, true);
        Doubles([0, 1].map(|half| self.code.ins().bitselect(which[half], a.0[half], b.0[half])))
    }

    /// Where a truth does not hold.
    pub fn opposite(&mut self, which: Mask) -> Mask {
        Mask(self.code.ins().bnot(which.0))
    }

    /// Compares words.
    pub fn compare_words(&mut self, how: Comparison, a: Words, b: Words) -> Mask {
        Mask(self.code.ins().icmp(condition(how), a.0, b.0))
    }

    /// Compares doubles. The host compares signed ones; unsigned ones are moved by half their range.
    pub fn compare_doubles(&mut self, how: Comparison, a: Doubles, b: Doubles) -> Mask {
        let (how, by) = match how {
            Comparison::LessUnsigned => (Comparison::LessSigned, true),
            Comparison::LessOrEqualUnsigned => (Comparison::LessOrEqualSigned, true),
            Comparison::GreaterUnsigned => (Comparison::GreaterSigned, true),
            Comparison::GreaterOrEqualUnsigned => (Comparison::GreaterOrEqualSigned, true),
            other => (other, false),
        };
        let halves = [0, 1].map(|half| {
            let (mut a, mut b) = (a.0[half], b.0[half]);
            if by {
                let sign = self.splat(I64X2, i64::MIN);
                a = self.code.ins().bxor(a, sign);
                b = self.code.ins().bxor(b, sign);
            }
            self.code.ins().icmp(condition(how), a, b)
        });
        Mask(self.narrow(Doubles(halves)).0)
    }

    /// Of singles. What is not a number is the one NaN.
    pub fn singles(&mut self, how: Single, a: Words, b: Words) -> Words {
        let [a, b] = [a.0, b.0].map(|value| self.cast(F32X4, value));
        let code = self.code.ins();
        let result = match how {
            Single::Add => code.fadd(a, b),
            Single::Subtract => code.fsub(a, b),
            Single::Multiply => code.fmul(a, b),
        };
        self.canonical(result)
    }

    /// The product and a sum, rounded once; nothing where the host has no instruction for it.
    pub fn fuse_singles(&mut self, a: Words, b: Words, c: Words) -> Option<Words> {
        if !self.has_fma {
            return None;
        }
        let [a, b, c] = [a.0, b.0, c.0].map(|value| self.cast(F32X4, value));
        let result = self.code.ins().fma(a, b, c);
        Some(self.canonical(result))
    }

    /// Compares singles.
    pub fn compare_singles(&mut self, how: Ordered, a: Words, b: Words) -> Mask {
        let [a, b] = [a.0, b.0].map(|value| self.cast(F32X4, value));
        let how = match how {
            Ordered::Equal => FloatCC::Equal,
            Ordered::NotEqual => FloatCC::OrderedNotEqual,
            Ordered::Less => FloatCC::LessThan,
            Ordered::LessOrEqual => FloatCC::LessThanOrEqual,
            Ordered::Numbers => FloatCC::Ordered,
        };
        Mask(self.code.ins().fcmp(how, a, b))
    }

    /// The nearest single to an integer.
    pub fn single_of(&mut self, a: Words, signed: bool) -> Words {
        let result = match signed {
            true => self.code.ins().fcvt_from_sint(F32X4, a.0),
            false => self.code.ins().fcvt_from_uint(F32X4, a.0),
        };
        Words(self.cast(I32X4, result))
    }

    fn canonical(&mut self, result: Value) -> Words {
        let strange = self.code.ins().fcmp(FloatCC::Unordered, result, result);
        let bits = self.code.ins().bitcast(I32X4, order(), result);
        let nan = self.splat(I32X4, NAN);
        Words(self.code.ins().bitselect(strange, nan, bits))
    }
}

fn condition(how: Comparison) -> IntCC {
    match how {
        Comparison::Equal => IntCC::Equal,
        Comparison::NotEqual => IntCC::NotEqual,
        Comparison::LessUnsigned => IntCC::UnsignedLessThan,
        Comparison::LessOrEqualUnsigned => IntCC::UnsignedLessThanOrEqual,
        Comparison::GreaterUnsigned => IntCC::UnsignedGreaterThan,
        Comparison::GreaterOrEqualUnsigned => IntCC::UnsignedGreaterThanOrEqual,
        Comparison::LessSigned => IntCC::SignedLessThan,
        Comparison::LessOrEqualSigned => IntCC::SignedLessThanOrEqual,
        Comparison::GreaterSigned => IntCC::SignedGreaterThan,
        Comparison::GreaterOrEqualSigned => IntCC::SignedGreaterThanOrEqual,
    }
}
