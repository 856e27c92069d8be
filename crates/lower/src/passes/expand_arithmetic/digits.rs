//! Division of 128 bits by a constant of 64 bits: two digits of the quotient, with the reciprocal of the constant.
//!
//! ```text
//! d = constant << s, so that its highest bit is set      v = (2^128 - 1) / d - 2^64
//! (q1, r1) = digit(highest 64 of a << s)                  (q0, r0) = digit(r1, lowest 64 of a << s)
//! quotient = q1, q0      remainder = r0 >> s
//! ```
//!
//! A digit is a product with `v`, which gives a quotient that is one too large, too small, or right, and two corrections
//! (Möller and Granlund, "Improved division by invariant integers", algorithm 4). `divide128.ll` has the same for divisors
//! that are not constant.

use super::Expander;
use warpc_nvvm::inst::{BinaryOp, CastOp, IcmpPredicate};
use warpc_nvvm::types::TypeId;
use warpc_nvvm::value::Value;

/// A divisor whose highest bit is set, its reciprocal, and the types that digits are computed in.
struct Divisor {
    word: Value,
    reciprocal: Value,
    short: TypeId,
    long: TypeId,
}

impl Expander<'_, '_> {
    /// Quotient and remainder of a number of 128 bits without a sign by a constant that is not zero.
    pub(super) fn divide_by_word(&mut self, number: Value, constant: u64) -> (Value, Value) {
        let long = self.editor.type_of(number);
        if constant.is_power_of_two() {
            let shift = constant.trailing_zeros();
            let quotient = self.shift_or_mask(number, long, shift, false);
            return (quotient, self.shift_or_mask(number, long, shift, true));
        }
        let shift = constant.leading_zeros();
        let word = constant << shift;
        let reciprocal = (u128::MAX / u128::from(word)) as u64;
        let short = self.editor.int_type(64);
        let reciprocal = self.editor.wide_int(long, &[reciprocal]);
        let word = self.editor.int(short, word);
        let divisor = Divisor {
            word,
            reciprocal,
            short,
            long,
        };
        let high = self.high(number, &divisor);
        let low = self.editor.cast(CastOp::Trunc, number, short);
        let (upper, rest, low) = if shift == 0 {
            // The upper half is less than twice the divisor.
            let fits = self.editor.icmp(IcmpPredicate::Uge, high, word);
            let less = self.editor.binary(BinaryOp::Sub, high, word);
            let rest = self.editor.select(fits, less, high);
            (self.editor.cast(CastOp::Zext, fits, short), rest, low)
        } else {
            let amount = self.editor.int(long, shift.into());
            let moved = self.editor.binary(BinaryOp::Shl, number, amount);
            let amount = self.editor.int(short, (64 - shift).into());
            let first = self.editor.binary(BinaryOp::Lshr, high, amount);
            let second = self.high(moved, &divisor);
            let (upper, rest) = self.digit(first, second, &divisor);
            (upper, rest, self.editor.cast(CastOp::Trunc, moved, short))
        };
        let (lower, rest) = self.digit(rest, low, &divisor);
        let amount = self.editor.int(short, shift.into());
        let rest = self.editor.binary(BinaryOp::Lshr, rest, amount);
        let quotient = self.of_halves(upper, lower, &divisor);
        (quotient, self.editor.cast(CastOp::Zext, rest, long))
    }

    /// A quotient of 64 bits and the remainder of two words, of which the upper one is less than the divisor.
    fn digit(&mut self, upper: Value, lower: Value, divisor: &Divisor) -> (Value, Value) {
        let both = self.of_halves(upper, lower, divisor);
        let wide = self.editor.cast(CastOp::Zext, upper, divisor.long);
        let product = (self.editor).binary(BinaryOp::Mul, divisor.reciprocal, wide);
        let sum = self.editor.binary(BinaryOp::Add, product, both);
        let whole = self.high(sum, divisor);
        let part = self.editor.cast(CastOp::Trunc, sum, divisor.short);
        let one = self.editor.int(divisor.short, 1);
        let quotient = self.editor.binary(BinaryOp::Add, whole, one);
        let taken = self.editor.binary(BinaryOp::Mul, quotient, divisor.word);
        let rest = self.editor.binary(BinaryOp::Sub, lower, taken);
        let is_over = self.editor.icmp(IcmpPredicate::Ugt, rest, part);
        let back = self.editor.binary(BinaryOp::Add, rest, divisor.word);
        let quotient = self.editor.select(is_over, whole, quotient);
        let rest = self.editor.select(is_over, back, rest);
        let is_under = self.editor.icmp(IcmpPredicate::Uge, rest, divisor.word);
        let more = self.editor.cast(CastOp::Zext, is_under, divisor.short);
        let quotient = self.editor.binary(BinaryOp::Add, quotient, more);
        let less = self.editor.binary(BinaryOp::Sub, rest, divisor.word);
        (quotient, self.editor.select(is_under, less, rest))
    }

    /// The upper half of a number.
    fn high(&mut self, number: Value, divisor: &Divisor) -> Value {
        let half = self.editor.int(divisor.long, 64);
        let above = self.editor.binary(BinaryOp::Lshr, number, half);
        self.editor.cast(CastOp::Trunc, above, divisor.short)
    }

    /// A number of two words.
    fn of_halves(&mut self, upper: Value, lower: Value, divisor: &Divisor) -> Value {
        let half = self.editor.int(divisor.long, 64);
        let upper = self.editor.cast(CastOp::Zext, upper, divisor.long);
        let upper = self.editor.binary(BinaryOp::Shl, upper, half);
        let lower = self.editor.cast(CastOp::Zext, lower, divisor.long);
        self.editor.binary(BinaryOp::Or, upper, lower)
    }
}
