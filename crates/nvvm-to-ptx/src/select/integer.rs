//! Arithmetic and logic on integers of up to 64 bits.

use super::extend::Above;
use super::{Regs, Selector, sign_extend};
use crate::code::{Arg, Args, Class};
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::inst::{BinaryOp, CastOp, Flags, Op};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

/// What an operation wants above the width of its operands.
pub(super) fn wanted(op: BinaryOp) -> (Above, Above) {
    match op {
        BinaryOp::Shl => (Above::Any, Above::Zeros),
        BinaryOp::Lshr => (Above::Zeros, Above::Zeros),
        BinaryOp::Ashr => (Above::Sign, Above::Zeros),
        BinaryOp::Udiv | BinaryOp::Urem => (Above::Zeros, Above::Zeros),
        BinaryOp::Sdiv | BinaryOp::Srem => (Above::Sign, Above::Sign),
        _ => (Above::Any, Above::Any),
    }
}

/// A factor of a product of 64 bits that has only 32 bits.
struct Factor {
    value: Value,
    /// How the value becomes a factor of 32 bits, whatever the sign of the product: only its own extension keeps
    /// the number of a value that is shorter.
    above: Above,
    /// Whether the factor is the same number as a signed one.
    as_signed: bool,
    /// Whether the factor is the same number as an unsigned one.
    as_unsigned: bool,
    constant: Option<i64>,
}

/// The product of two numbers of 32 bits in 64.
fn wide_product(signed: bool) -> &'static str {
    match signed {
        true => "mul.wide.s32",
        false => "mul.wide.u32",
    }
}

impl Selector<'_, '_> {
    pub(super) fn binary(&mut self, inst: InstId, op: BinaryOp) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (x, y) = (operands[0], operands[1]);
        let ty = self.body.insts[inst].ty;
        let Type::Int(bits @ 2..=64) = self.kind(ty) else {
            if self.module.types.is_vector(ty) {
                return self.vector_binary(inst, op);
            }
            if op == BinaryOp::Mul
                && let Some(made) = self.long_product(ty, x, y)?
            {
                return self.settle(inst, &made);
            }
            let (a, b) = (self.args(x)?, self.args(y)?);
            let made = self.binary_args(op, ty, &a, &b)?;
            return self.settle(inst, &made);
        };
        // Numbers that are not negative divide without a look at signs.
        let op = match op {
            BinaryOp::Sdiv | BinaryOp::Srem
                if self.is_not_negative(x) && self.is_not_negative(y) =>
            {
                if op == BinaryOp::Sdiv {
                    BinaryOp::Udiv
                } else {
                    BinaryOp::Urem
                }
            }
            op => op,
        };
        if let Some(made) = self.byte_of_word(op, bits, x, y)? {
            return self.settle(inst, &[made]);
        }
        if let Some(made) = self.product(op, bits, x, y)? {
            return self.settle(inst, &[made]);
        }
        if bits == 64
            && let Some(made) = self.in_32_bits(op, x, y)?
        {
            return self.settle(inst, &[made]);
        }
        let (want_x, want_y) = wanted(op);
        let mut a = self.arg_with(x, want_x)?;
        if let (BinaryOp::Shl | BinaryOp::Lshr | BinaryOp::Ashr, 33..) = (op, bits)
            && let Some(amount) = self.short_amount(y)
        {
            let amount = self.arg_with(amount, Above::Zeros)?;
            let name = match op {
                BinaryOp::Shl => "shl.b64",
                BinaryOp::Lshr => "shr.u64",
                _ => "shr.s64",
            };
            let made = self.op(Class::B64, name, &[a, amount])?;
            return self.settle(inst, &[made.into()]);
        }
        let mut b = self.arg_with(y, want_y)?;
        if op == BinaryOp::And {
            // The other operand's rubbish goes with the mask.
            for arg in [&mut a, &mut b] {
                if let Arg::Int(_) = arg {
                    *arg = self.zero_extended(*arg, bits)?;
                }
            }
        }
        let exact = self.body.insts[inst].flags.contains(Flags::EXACT);
        let made = match (op, b) {
            (BinaryOp::Sdiv | BinaryOp::Udiv, Arg::Int(divisor)) if exact && divisor != 0 => {
                self.exact_quotient(op == BinaryOp::Sdiv, bits, a, divisor)?
            }
            _ => self.integer_binary(op, bits, a, b)?,
        };
        self.settle(inst, &[made])
    }

    /// One byte of a word, which a permutation takes out at once.
    fn byte_of_word(
        &mut self,
        op: BinaryOp,
        bits: u32,
        x: Value,
        y: Value,
    ) -> Result<Option<Arg>, Refused> {
        if op != BinaryOp::And || bits != 32 || self.integer(y) != Some(0xff) {
            return Ok(None);
        }
        let Some((inst, Op::Binary(BinaryOp::Lshr | BinaryOp::Ashr))) = self.definition(x) else {
            return Ok(None);
        };
        let operands = self.body.operands(inst);
        let Some(shift @ (8 | 16)) = self.integer(operands[1]) else {
            return Ok(None);
        };
        let word = self.arg(operands[0])?;
        let selector = Arg::Int(0x4440 + shift as i64 / 8);
        let args = [word, Arg::Int(0), selector];
        Ok(Some(self.op(Class::B32, "prmt.b32", &args)?.into()))
    }

    /// Products that are a part of a sum, and those of 32-bit numbers in 64 bits.
    fn product(
        &mut self,
        op: BinaryOp,
        bits: u32,
        x: Value,
        y: Value,
    ) -> Result<Option<Arg>, Refused> {
        let class = Class::for_bits(bits);
        match op {
            BinaryOp::Add => {
                for (product, other) in [(x, y), (y, x)] {
                    let Some((_, a, b)) = self.own_binary(product, BinaryOp::Mul) else {
                        continue;
                    };
                    // A product of short factors is shorter, and ptxas adds to it by itself.
                    if self.wide_factors(bits, a, b).is_some() {
                        continue;
                    }
                    let mnemonic = match class {
                        Class::B64 => "mad.lo.s64",
                        _ => "mad.lo.s32",
                    };
                    let (a, b) = (self.arg(a)?, self.arg(b)?);
                    let c = self.arg(other)?;
                    return Ok(Some(self.op(class, mnemonic, &[a, b, c])?.into()));
                }
                Ok(None)
            }
            BinaryOp::Mul => {
                let Some((signed, factors)) = self.wide_factors(bits, x, y) else {
                    return Ok(None);
                };
                let mut args = [Arg::Int(0); 2];
                for (arg, factor) in args.iter_mut().zip(factors) {
                    *arg = match factor.constant {
                        Some(number) => Arg::Int(number),
                        None => self.arg_with(factor.value, factor.above)?,
                    };
                }
                Ok(Some(self.op(class, wide_product(signed), &args)?.into()))
            }
            BinaryOp::Shl if bits == 64 => {
                let Some(shift @ 0..=30) = self.integer(y) else {
                    return Ok(None);
                };
                let Some(factor) = self.factor(x) else {
                    return Ok(None);
                };
                if self.own_definition(x).is_none() {
                    return Ok(None);
                }
                let by = Arg::Int(1 << shift);
                let a = self.arg_with(factor.value, factor.above)?;
                let mnemonic = wide_product(factor.as_signed);
                Ok(Some(self.op(class, mnemonic, &[a, by])?.into()))
            }
            _ => Ok(None),
        }
    }

    /// The product of two 64-bit numbers in 128 bits.
    fn long_product(&mut self, ty: TypeId, x: Value, y: Value) -> Result<Option<Args>, Refused> {
        let cast = |this: &Self, value| match this.definition(value) {
            Some((inst, Op::Cast(cast @ (CastOp::Zext | CastOp::Sext)))) => {
                let from = this.body.operands(inst)[0];
                let short = matches!(this.kind(this.type_of(from)), Type::Int(64));
                short.then_some((cast, from))
            }
            _ => None,
        };
        let (Type::Int(128), Some((first, x)), Some((second, y))) =
            (self.kind(ty), cast(self, x), cast(self, y))
        else {
            return Ok(None);
        };
        if first != second {
            return Ok(None);
        }
        let (a, b) = (self.arg(x)?, self.arg(y)?);
        let high = match first {
            CastOp::Sext => "mul.hi.s64",
            _ => "mul.hi.u64",
        };
        let low = self.op(Class::B64, "mul.lo.s64", &[a, b])?.into();
        let high = self.op(Class::B64, high, &[a, b])?.into();
        Ok(Some(smallvec![low, high]))
    }

    /// Both factors as 32-bit numbers, and whether they are signed.
    fn wide_factors(&self, bits: u32, x: Value, y: Value) -> Option<(bool, [Factor; 2])> {
        if bits != 64 {
            return None;
        }
        let (a, b) = (self.factor(x)?, self.factor(y)?);
        if a.as_unsigned && b.as_unsigned {
            return Some((false, [a, b]));
        }
        (a.as_signed && b.as_signed).then_some((true, [a, b]))
    }

    /// A 64-bit number that was made from one of 32 bits or less.
    fn factor(&self, value: Value) -> Option<Factor> {
        if let Some(number) = self.signed(value) {
            return Some(Factor {
                value,
                above: Above::Any,
                as_signed: i32::try_from(number).is_ok(),
                as_unsigned: u32::try_from(number).is_ok(),
                constant: Some(number),
            });
        }
        let (inst, Op::Cast(cast @ (CastOp::Zext | CastOp::Sext))) = self.definition(value)? else {
            return None;
        };
        let from = self.body.operands(inst)[0];
        let Type::Int(bits @ 2..=32) = self.kind(self.type_of(from)) else {
            return None;
        };
        let zext = cast == CastOp::Zext;
        let positive = self.is_not_negative(from);
        Some(Factor {
            value: from,
            above: if zext { Above::Zeros } else { Above::Sign },
            as_signed: !zext || bits < 32 || positive,
            as_unsigned: zext || positive,
            constant: None,
        })
    }

    /// The amount of a shift before it was made as long as what is shifted: PTX wants 32 bits.
    fn short_amount(&self, value: Value) -> Option<Value> {
        let (inst, Op::Cast(CastOp::Zext | CastOp::Sext)) = self.definition(value)? else {
            return None;
        };
        let from = self.body.operands(inst)[0];
        matches!(self.kind(self.type_of(from)), Type::Int(2..=32)).then_some(from)
    }

    /// Makes the result of an instruction equal to parts that were just computed: if the last line made
    /// them, it writes the result itself.
    pub(super) fn settle(&mut self, inst: InstId, made: &[Arg]) -> Result<(), Refused> {
        let results: Regs = self.results(inst)?;
        for (index, (&to, &from)) in results.iter().zip(made).enumerate() {
            let same = |&earlier: &Arg| earlier == from;
            match made[..index].iter().position(same) {
                // A constant may stand in registers of several classes.
                Some(earlier) if matches!(from, Arg::Reg(_)) => {
                    self.copy(to, results[earlier].into())?
                }
                None if self.redirect(from, to) => {}
                _ => self.copy(to, from.as_bits())?,
            }
        }
        Ok(())
    }

    /// The result of a binary operation on the parts of its operands.
    pub(super) fn binary_args(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        if let Some(made) = self.float_binary_args(op, ty, a, b)? {
            return Ok(made);
        }
        match self.kind(ty) {
            Type::Int(bits) => self.int_binary(op, bits, a, b),
            Type::Vector { element, len, .. } => {
                if let Some(made) = self.packed_binary(op, element, len, a, b)? {
                    return Ok(made);
                }
                let (a, b) = (
                    self.lanes_of(element, len, a)?,
                    self.lanes_of(element, len, b)?,
                );
                self.element_wise(element, len, |this, index| {
                    let a = this.lane_args(element, &a[index])?;
                    let b = this.lane_args(element, &b[index])?;
                    this.binary_args(op, element, &a, &b)
                })
            }
            _ => {
                let message = format!(
                    "`{}` of type `{}` is not supported",
                    op.keyword(),
                    warpc_nvvm::type_text(self.module, ty)
                );
                Err(self.refuse(warpc_diag::codes::UNSUPPORTED, message))
            }
        }
    }

    /// Logic on predicates.
    pub(super) fn predicate_binary(
        &mut self,
        op: BinaryOp,
        a: Arg,
        b: Arg,
    ) -> Result<Arg, Refused> {
        use BinaryOp::*;
        let mnemonic = match op {
            Add | Sub | Xor => "xor.pred",
            Mul | And => "and.pred",
            Or => "or.pred",
            // Every other operand would be poison: shifting by one, dividing by zero.
            Shl | Lshr | Ashr | Udiv | Sdiv => return Ok(a),
            _ => return Ok(Arg::Int(0)),
        };
        let (a, b) = if let Arg::Int(_) = a { (b, a) } else { (a, b) };
        match (mnemonic, b) {
            ("xor.pred", Arg::Int(number)) if number & 1 == 0 => return Ok(a),
            ("xor.pred", Arg::Int(_)) => {
                let a = self.in_register(a, Class::Pred)?;
                return Ok(self.op(Class::Pred, "not.pred", &[a.into()])?.into());
            }
            ("and.pred", Arg::Int(number)) => {
                return Ok(if number & 1 == 0 { Arg::Int(0) } else { a });
            }
            ("or.pred", Arg::Int(number)) => {
                return Ok(if number & 1 == 0 { a } else { Arg::Int(1) });
            }
            _ => {}
        }
        let a = self.in_register(a, Class::Pred)?;
        let b = self.in_register(b, Class::Pred)?;
        Ok(self
            .op(Class::Pred, mnemonic, &[a.into(), b.into()])?
            .into())
    }

    /// An operation on operands that have above their width what it wants.
    pub(super) fn integer_binary(
        &mut self,
        op: BinaryOp,
        bits: u32,
        a: Arg,
        b: Arg,
    ) -> Result<Arg, Refused> {
        if let (Arg::Int(x), Arg::Int(y)) = (a, b)
            && let Some(folded) = fold(op, bits, x, y)
        {
            // All bits that the register would have: what is known of them must hold.
            let register = Class::for_bits(bits).bits();
            return Ok(Arg::Int(sign_extend(folded as u64, register)));
        }
        if let (
            BinaryOp::Udiv | BinaryOp::Urem | BinaryOp::Sdiv | BinaryOp::Srem,
            Arg::Int(divisor),
        ) = (op, b)
            && let Some(made) = self.divide_by_constant(op, bits, a, divisor)?
        {
            return Ok(made);
        }
        let class = Class::for_bits(bits);
        let wide = class == Class::B64;
        let pick = |short: &'static str, long: &'static str| if wide { long } else { short };
        let (a, b) = match (op, a) {
            // Constants stand after where the order does not matter.
            (
                BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor,
                Arg::Int(_),
            ) => (b, a),
            _ => (a, b),
        };
        let mnemonic = match op {
            BinaryOp::Add => pick("add.s32", "add.s64"),
            BinaryOp::Sub => match (a, b) {
                (Arg::Int(0), _) => {
                    let negated = self.op(class, pick("neg.s32", "neg.s64"), &[b])?;
                    return Ok(negated.into());
                }
                // PTX adds constants only.
                // The whole register must be right: -(-128) is 128 in 8 bits, too.
                (_, Arg::Int(value)) if value != i64::MIN => {
                    let value = sign_extend(value.wrapping_neg() as u64, class.bits());
                    let sum = self.op(class, pick("add.s32", "add.s64"), &[a, Arg::Int(value)])?;
                    return Ok(sum.into());
                }
                _ => pick("sub.s32", "sub.s64"),
            },
            BinaryOp::Mul => pick("mul.lo.s32", "mul.lo.s64"),
            BinaryOp::And => pick("and.b32", "and.b64"),
            BinaryOp::Or => pick("or.b32", "or.b64"),
            BinaryOp::Xor if b == Arg::Int(-1) => {
                let turned = self.op(class, pick("not.b32", "not.b64"), &[a])?;
                return Ok(turned.into());
            }
            BinaryOp::Xor => pick("xor.b32", "xor.b64"),
            BinaryOp::Shl => pick("shl.b32", "shl.b64"),
            BinaryOp::Lshr => pick("shr.u32", "shr.u64"),
            BinaryOp::Ashr => pick("shr.s32", "shr.s64"),
            BinaryOp::Udiv => pick("div.u32", "div.u64"),
            BinaryOp::Urem => pick("rem.u32", "rem.u64"),
            BinaryOp::Sdiv => pick("div.s32", "div.s64"),
            BinaryOp::Srem => pick("rem.s32", "rem.s64"),
            _ => {
                let message = format!("`{}` of integers does not exist", op.keyword());
                return Err(self.refuse(warpc_diag::codes::UNSUPPORTED, message));
            }
        };
        let b = match op {
            BinaryOp::Shl | BinaryOp::Lshr | BinaryOp::Ashr => self.shift_amount(b, bits)?,
            _ => b,
        };
        Ok(self.op(class, mnemonic, &[a, b])?.into())
    }

    /// The amount of a shift as the 32 bits that PTX wants.
    pub(super) fn shift_amount(&mut self, amount: Arg, bits: u32) -> Result<Arg, Refused> {
        match amount {
            Arg::Int(value) => Ok(Arg::Int(value.clamp(0, i64::from(bits)))),
            _ if bits > 32 => Ok(self.op(Class::B32, "cvt.u32.u64", &[amount])?.into()),
            _ => Ok(amount),
        }
    }
}

/// The result on constants, which have what the operation wants above their width.
fn fold(op: BinaryOp, bits: u32, x: i64, y: i64) -> Option<i64> {
    let (ux, uy) = (x as u64, y as u64);
    let shift = u32::try_from(y).ok().filter(|&shift| shift < bits);
    Some(match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::Shl => (ux << shift?) as i64,
        BinaryOp::Lshr if bits == 32 => ((ux as u32) >> shift?).into(),
        BinaryOp::Lshr => (ux >> shift?) as i64,
        BinaryOp::Ashr => x >> shift?,
        BinaryOp::Udiv if bits != 32 => ux.checked_div(uy)? as i64,
        BinaryOp::Urem if bits != 32 => ux.checked_rem(uy)? as i64,
        BinaryOp::Sdiv => x.checked_div(y)?,
        BinaryOp::Srem => x.checked_rem(y)?,
        _ => return None,
    })
}
