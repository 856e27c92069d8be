//! Floating-point numbers: remainders, powers, conversions from and to wide integers.

use super::routine::Float;
use super::{Expander, Routine};
use warpc_nvvm::inst::{BinaryOp, CastOp, FcmpPredicate, Flags, IcmpPredicate, Op};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// Powers up to this are products without a loop.
const INLINE_POWER: u64 = 1 << 16;

impl Expander<'_, '_> {
    /// The remainder of a division that rounds towards zero. With `approximate` as LLVM computes it for
    /// this target: `x - trunc(x / y) * y`. Narrow formats are computed in `float`, where the result is
    /// exact.
    pub(super) fn frem(&mut self, x: Value, y: Value, approximate: bool, infinite: bool) -> Value {
        let narrow = self.editor.type_of(x);
        let (x, float) = self.as_routine_float(x);
        let (y, _) = self.as_routine_float(y);
        let ty = self.editor.type_of(x);
        if !approximate {
            let rest = self.call(Routine::Frem { float }, ty, &[x, y]);
            return self.narrow(rest, narrow);
        }
        let suffix = if float == Float::Single { "f32" } else { "f64" };
        let fdiv = Op::Binary(BinaryOp::Fdiv);
        let quotient = self.editor.value(fdiv, Flags::AFN, ty, &[x, y]);
        let whole = self
            .editor
            .intrinsic(&format!("llvm.trunc.{suffix}"), ty, &[quotient]);
        let minus = self.editor.fneg(whole);
        let fma = format!("llvm.fma.{suffix}");
        let mut rest = self.editor.intrinsic(&fma, ty, &[minus, y, x]);
        if infinite {
            let fabs = format!("llvm.fabs.{suffix}");
            let size = self.editor.intrinsic(&fabs, ty, &[y]);
            let infinity = self.infinity(ty);
            let is_infinite = self.editor.fcmp(FcmpPredicate::Oeq, size, infinity);
            rest = self.editor.select(is_infinite, x, rest);
        }
        self.narrow(rest, narrow)
    }

    fn narrow(&mut self, value: Value, ty: TypeId) -> Value {
        self.editor.cast(CastOp::Fptrunc, value, ty)
    }

    fn infinity(&mut self, ty: TypeId) -> Value {
        let bits = match self.editor.module.types.get(ty) {
            Type::Double => f64::INFINITY.to_bits(),
            _ => f32::INFINITY.to_bits().into(),
        };
        self.editor.float_bits(ty, bits)
    }

    fn float_power_of_two(&mut self, ty: TypeId, exponent: u32, negative: bool) -> Value {
        let (float, sign) = match self.editor.module.types.get(ty) {
            Type::Double => (Float::Double, 63),
            _ => (Float::Single, 31),
        };
        let (fraction, bias) = float.format();
        // What is too large for the format is infinite.
        let field = u64::from((bias + exponent).min(2 * bias + 1));
        let bits = field << fraction | u64::from(negative) << sign;
        self.editor.float_bits(ty, bits)
    }

    /// `uitofp`, `sitofp` from a wide integer.
    pub(super) fn convert_from_int(&mut self, value: Value, ty: TypeId, signed: bool) -> Value {
        let width = self
            .editor
            .int_bits(self.editor.type_of(value))
            .next_multiple_of(64);
        let wide = self.editor.int_type(width);
        let extend = if signed { CastOp::Sext } else { CastOp::Zext };
        let mut value = self.editor.cast(extend, value, wide);
        let mut is_negative = None;
        if signed {
            let sign = self.sign(value);
            let zero = self.editor.zero(wide);
            is_negative = Some(self.editor.icmp(IcmpPredicate::Slt, value, zero));
            value = self.negate_if(value, sign);
        }
        // Narrow formats round once: what they are cut from is exact.
        let (float, cut) = match self.editor.module.types.get(ty) {
            Type::Double => (Float::Double, false),
            Type::Float => (Float::Single, false),
            _ => (Float::Single, true),
        };
        let routine = Routine::FromUnsigned { width, float, cut };
        let routine_ty = self.editor.module.types.intern(float.ty());
        let mut result = self.call(routine, routine_ty, &[value]);
        if let Some(is_negative) = is_negative {
            let minus = self.editor.fneg(result);
            result = self.editor.select(is_negative, minus, result);
        }
        self.narrow(result, ty)
    }

    /// `fptoui`, `fptosi` and their saturating kin to a wide integer.
    pub(super) fn convert_to_int(
        &mut self,
        value: Value,
        ty: TypeId,
        signed: bool,
        saturates: bool,
    ) -> Value {
        let (value, float) = self.as_routine_float(value);
        let bits = self.editor.int_bits(ty);
        let width = bits.next_multiple_of(64);
        let wide = self.editor.int_type(width);
        let size = self.call(Routine::ToUnsigned { width, float }, wide, &[value]);
        let float_ty = self.editor.type_of(value);
        let zero = self.editor.zero(float_ty);
        let mut result = size;
        if signed {
            let is_negative = self.editor.fcmp(FcmpPredicate::Olt, value, zero);
            let none = self.editor.zero(wide);
            let minus = self.editor.binary(BinaryOp::Sub, none, size);
            result = self.editor.select(is_negative, minus, size);
        }
        let mut result = self.editor.cast(CastOp::Trunc, result, ty);
        if !saturates {
            return result;
        }
        let none = self.editor.zero(ty);
        let mut most = self.editor.all_ones(ty);
        let mut least = none;
        let mut lowest = zero;
        if signed {
            let one = self.editor.int(ty, 1);
            most = self.editor.binary(BinaryOp::Lshr, most, one);
            let ones = self.editor.all_ones(ty);
            least = self.editor.binary(BinaryOp::Xor, most, ones);
            lowest = self.float_power_of_two(float_ty, bits - 1, true);
        }
        let limit = self.float_power_of_two(float_ty, bits - u32::from(signed), false);
        let is_most = self.editor.fcmp(FcmpPredicate::Oge, value, limit);
        result = self.editor.select(is_most, most, result);
        let is_least = self.editor.fcmp(FcmpPredicate::Ole, value, lowest);
        result = self.editor.select(is_least, least, result);
        let is_number = self.editor.fcmp(FcmpPredicate::Ord, value, value);
        self.editor.select(is_number, result, none)
    }

    /// `llvm.powi`
    pub(super) fn powi(&mut self, x: Value, power: Value) -> Value {
        let narrow = self.editor.type_of(x);
        let (x, float) = self.as_routine_float(x);
        let ty = self.editor.type_of(x);
        let bits = self.editor.int_bits(self.editor.type_of(power));
        if let Some(value) = self.editor.as_u64(power) {
            let unused = 64 - bits.clamp(1, 64);
            let value = ((value << unused) as i64) >> unused;
            if value.unsigned_abs() <= INLINE_POWER {
                let result = self.constant_power(x, value);
                return self.narrow(result, narrow);
            }
        }
        let width = if bits <= 32 { 32 } else { 64 };
        let wide = self.editor.int_type(width);
        let power = match bits <= 64 {
            true => self.editor.cast(CastOp::Sext, power, wide),
            false => self.editor.cast(CastOp::Trunc, power, wide),
        };
        let result = self.call(Routine::Powi { width, float }, ty, &[x, power]);
        self.narrow(result, narrow)
    }

    fn constant_power(&mut self, x: Value, power: i64) -> Value {
        let ty = self.editor.type_of(x);
        let one = self.float_power_of_two(ty, 0, false);
        let (mut left, mut square, mut product) = (power.unsigned_abs(), x, None);
        while left != 0 {
            if left & 1 == 1 {
                product = Some(match product {
                    Some(product) => self.editor.binary(BinaryOp::Fmul, product, square),
                    None => square,
                });
            }
            left >>= 1;
            if left != 0 {
                square = self.editor.binary(BinaryOp::Fmul, square, square);
            }
        }
        let product = product.unwrap_or(one);
        match power < 0 {
            true => self.editor.binary(BinaryOp::Fdiv, one, product),
            false => product,
        }
    }
}
