//! Division of wide integers, and products that may overflow.

use super::{Expander, Routine, Task};
use warpc_nvvm::inst::{BinaryOp, CastOp, IcmpPredicate};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{Block, Value};

/// A division that was made: quotient and remainder of the same numbers often come together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Division {
    block: Block,
    signed: bool,
    left: Value,
    right: Value,
    /// Of the absolute values.
    quotient: Value,
    rest: Value,
    /// All ones for negative operands.
    signs: Option<(Value, Value)>,
}

impl Division {
    fn is_of(&self, block: Block, signed: bool, left: Value, right: Value) -> bool {
        (self.block, self.signed, self.left, self.right) == (block, signed, left, right)
    }
}

impl Expander<'_, '_> {
    /// Division and remainder.
    pub(super) fn divide(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        let ty = self.editor.type_of(left);
        let signed = matches!(op, BinaryOp::Sdiv | BinaryOp::Srem);
        let wants_rest = matches!(op, BinaryOp::Urem | BinaryOp::Srem);
        if !signed && let Some(shift) = self.power_of_two(right) {
            return self.shift_or_mask(left, ty, shift, wants_rest);
        }
        let division = match *self.last_division {
            Some(last) if last.is_of(self.editor.block(), signed, left, right) => last,
            _ => self.division(signed, left, right),
        };
        *self.last_division = Some(division);
        let mut result = match wants_rest {
            true => division.rest,
            false => division.quotient,
        };
        if let Some((sign_a, sign_b)) = division.signs {
            let sign = match wants_rest {
                true => sign_a,
                false => self.editor.binary(BinaryOp::Xor, sign_a, sign_b),
            };
            result = self.negate_if(result, sign);
        }
        self.editor.cast(CastOp::Trunc, result, ty)
    }

    /// Quotient and remainder of the absolute values.
    fn division(&mut self, signed: bool, left: Value, right: Value) -> Division {
        // Routines are made for whole words.
        let bits = self.editor.int_bits(self.editor.type_of(left));
        let width = bits.next_multiple_of(64);
        let wide = self.editor.int_type(width);
        let extend = if signed { CastOp::Sext } else { CastOp::Zext };
        let mut a = self.editor.cast(extend, left, wide);
        let mut b = self.editor.cast(extend, right, wide);
        let signs = signed.then(|| (self.sign(a), self.sign(b)));
        if let Some((sign_a, sign_b)) = signs {
            a = self.negate_if(a, sign_a);
            b = self.negate_if(b, sign_b);
        }
        let word = match width {
            128 => self.word(right, signed),
            _ => None,
        };
        let (quotient, rest) = match word {
            Some(word) => self.divide_by_word(a, word),
            None => {
                let fields = self.editor.module.types.intern_list(&[wide, wide]);
                let both = self.editor.module.types.intern(Type::Struct {
                    fields,
                    packed: false,
                });
                let both = self.call(Routine::Divide { width }, both, &[a, b]);
                (self.editor.member(both, 0), self.editor.member(both, 1))
            }
        };
        Division {
            block: self.editor.block(),
            signed,
            left,
            right,
            quotient,
            rest,
            signs,
        }
    }

    /// The absolute value of a constant of at most 128 bits that is not zero, if it fits into 64.
    fn word(&self, value: Value, signed: bool) -> Option<u64> {
        let bits = self.editor.int_bits(self.editor.type_of(value));
        let [low, high] = *self.constant_words(value)? else {
            return None;
        };
        let unused = 128_u32.checked_sub(bits)?;
        let number = (u128::from(high) << 64 | u128::from(low)) << unused;
        let number = match signed {
            true => (number.cast_signed() >> unused).unsigned_abs(),
            false => number >> unused,
        };
        u64::try_from(number).ok().filter(|&word| word != 0)
    }

    /// The words of a constant, the low one first.
    fn constant_words(&self, value: Value) -> Option<&[u64]> {
        use warpc_nvvm::constant::ConstKind;
        let constants = &self.editor.module.constants;
        match constants.get(self.editor.resolve(value).constant()?).kind {
            ConstKind::WideInt(words) => Some(constants.words(words)),
            _ => None,
        }
    }

    /// The exponent of a constant that is a power of two.
    fn power_of_two(&self, value: Value) -> Option<u32> {
        let words = self.constant_words(value)?;
        let ones: u32 = words.iter().map(|word| word.count_ones()).sum();
        let at = words.iter().position(|&word| word != 0)?;
        (ones == 1).then(|| at as u32 * 64 + words[at].trailing_zeros())
    }

    pub(super) fn shift_or_mask(
        &mut self,
        value: Value,
        ty: TypeId,
        shift: u32,
        wants_rest: bool,
    ) -> Value {
        if !wants_rest {
            let amount = self.editor.int(ty, shift.into());
            return self.editor.binary(BinaryOp::Lshr, value, amount);
        }
        let mut words = vec![u64::MAX; (shift / 64) as usize];
        words.push((1 << (shift % 64)) - 1);
        let mask = self.editor.wide_int(ty, &words);
        self.editor.binary(BinaryOp::And, value, mask)
    }

    /// All ones if a value is negative, else zero.
    pub(super) fn sign(&mut self, value: Value) -> Value {
        let ty = self.editor.type_of(value);
        let last = u64::from(self.editor.int_bits(ty)) - 1;
        let last = self.editor.int(ty, last);
        self.editor.binary(BinaryOp::Ashr, value, last)
    }

    /// The value, or its negative if `sign` is all ones.
    pub(super) fn negate_if(&mut self, value: Value, sign: Value) -> Value {
        let flipped = self.editor.binary(BinaryOp::Xor, value, sign);
        self.editor.binary(BinaryOp::Sub, flipped, sign)
    }

    /// A product, and whether it did not fit.
    pub(super) fn mul_overflow(
        &mut self,
        left: Value,
        right: Value,
        ty: TypeId,
        signed: bool,
    ) -> Value {
        let (product, overflow) = self.product(left, right, signed);
        let pair = self.editor.poison(ty);
        let pair = self.editor.with_member(pair, product, 0);
        self.editor.with_member(pair, overflow, 1)
    }

    fn product(&mut self, left: Value, right: Value, signed: bool) -> (Value, Value) {
        let narrow = self.editor.type_of(left);
        let wide = self.editor.int_type(2 * self.editor.int_bits(narrow));
        let extend = if signed { CastOp::Sext } else { CastOp::Zext };
        let a = self.editor.cast(extend, left, wide);
        let b = self.editor.cast(extend, right, wide);
        let whole = self.editor.binary(BinaryOp::Mul, a, b);
        let product = self.editor.cast(CastOp::Trunc, whole, narrow);
        let again = self.editor.cast(extend, product, wide);
        let overflow = self.editor.icmp(IcmpPredicate::Ne, again, whole);
        (product, overflow)
    }

    /// The same for vectors: a vector of products and one of overflows.
    pub(super) fn overflow_vectors(
        &mut self,
        task: Task,
        ty: TypeId,
        args: &[Value],
        len: u32,
    ) -> Value {
        let signed = task == Task::MulOverflow { signed: true };
        let (mut products, mut overflows) = (Vec::new(), Vec::new());
        for index in 0..u64::from(len) {
            let (a, b) = (self.part(args[0], index), self.part(args[1], index));
            let (product, overflow) = self.product(a, b, signed);
            products.push(product);
            overflows.push(overflow);
        }
        let members: Vec<TypeId> = self.editor.module.types.fields(ty).unwrap_or(&[]).to_vec();
        let mut pair = self.editor.poison(ty);
        for (at, (member, parts)) in members.into_iter().zip([products, overflows]).enumerate() {
            let vector = self.editor.vector(member, &parts);
            pair = self.editor.with_member(pair, vector, at as u32);
        }
        pair
    }
}
