//! Indices of addresses: what they are multiplied with, how they are widened, and the constants in them.

use super::Selector;
use super::extend::Above;
use crate::code::{Arg, Class, Reg};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::inst::{BinaryOp, CastOp, Flags, Op};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{Operand, Value};

/// The part of an index that is not a constant.
#[derive(Clone, Copy, Debug)]
enum Term {
    /// A value.
    Plain(Value),
    /// A value of 32 bits, widened.
    Widened {
        /// The value.
        from: Value,
        /// Whether with its sign.
        signed: bool,
    },
}

impl Selector<'_, '_> {
    /// `base + index * scale`
    pub(super) fn scaled(
        &mut self,
        base: Arg,
        index: Value,
        scale: i64,
        class: Class,
    ) -> Result<Reg, Refused> {
        if scale == 0 {
            return self.in_register(base, class);
        }
        let bits = match self.kind(self.type_of(index)) {
            Type::Int(bits @ 1..=64) => bits,
            Type::Int(_) => return self.scaled_wide(base, index, scale, class),
            _ => {
                return Err(
                    self.refuse(codes::UNSUPPORTED, "an index of this type is not supported")
                );
            }
        };
        if class == Class::B32 {
            let index = self.arg(index)?;
            let index = if bits > 32 {
                self.op(Class::B32, "cvt.u32.u64", &[index])?.into()
            } else {
                self.extended(index, bits, 32, true)?
            };
            return match scale {
                1 => self.op(class, "add.s32", &[base, index]),
                _ => self.op(class, "mad.lo.s32", &[index, Arg::Int(scale), base]),
            };
        }
        let (index, scale) = self.inner_scale(index, scale);
        // An index of 32 bits is widened by the product itself, which costs nothing even if others need it
        // widened, too.
        let narrow = match self.definition(index) {
            Some((inst, Op::Cast(op @ (CastOp::Sext | CastOp::Zext)))) if scale != 1 => {
                let from = self.body.operands(inst)[0];
                matches!(self.kind(self.type_of(from)), Type::Int(2..=32))
                    .then_some((op == CastOp::Sext, from))
            }
            _ if bits == 32 && scale != 1 => Some((true, index)),
            _ => None,
        };
        if let Some((signed, from)) = narrow
            && i32::try_from(scale).is_ok_and(|scale| signed || scale > 0)
        {
            let above = if signed { Above::Sign } else { Above::Zeros };
            let from = self.arg_with(from, above)?;
            return self.scaled_word(base, from, signed, scale);
        }
        let index = self.arg(index)?;
        let index = self.extended(index, bits, 64, true)?;
        if scale == 1 {
            return self.op(class, "add.s64", &[base, index]);
        }
        let product = if (scale as u64).is_power_of_two() && scale > 0 {
            let shift = Arg::Int(scale.trailing_zeros().into());
            self.op(class, "shl.b64", &[index, shift])?
        } else {
            return self.op(class, "mad.lo.s64", &[index, Arg::Int(scale), base]);
        };
        self.op(class, "add.s64", &[base, product.into()])
    }

    /// `base + index * scale` for an index wider than any address: what is above an address changes nothing.
    fn scaled_wide(
        &mut self,
        base: Arg,
        index: Value,
        scale: i64,
        class: Class,
    ) -> Result<Reg, Refused> {
        let low = self.args(index)?[0];
        let (low, add) = match (low, class) {
            (Arg::Int(number), Class::B64) => {
                let bytes = Arg::Int(number.wrapping_mul(scale));
                return self.op(class, "add.s64", &[base, bytes]);
            }
            (low, Class::B64) => (low, "mad.lo.s64"),
            (low, _) => {
                let low = self.in_register(low, Class::B64)?;
                let word = self.op(Class::B32, "cvt.u32.u64", &[low.into()])?;
                (word.into(), "mad.lo.s32")
            }
        };
        self.op(class, add, &[low, Arg::Int(scale), base])
    }

    /// The address of an element whose indices are sums with constants, without the constants, and the bytes
    /// they stand for: neighbours then share the rest. `None` if there are none.
    pub(super) fn apart_from_constants(
        &mut self,
        value: Value,
    ) -> Result<Option<(Reg, i64)>, Refused> {
        let Some((inst, Op::Gep { source })) = self.definition(value) else {
            return Ok(None);
        };
        let ty = self.body.insts[inst].ty;
        let operands = self.body.operands(inst);
        let class = self.unit.class_of(ty).unwrap_or(Class::B64);
        let Some(steps) = self.steps(source, &operands[1..]) else {
            return Ok(None);
        };
        // Nothing lies before the start of a variable, so within it no index is negative, and a sum that is not
        // negative has not wrapped if what was added is not negative.
        let inside = self.body.insts[inst].flags.contains(Flags::INBOUNDS);
        let no_wrap = inside && steps.len() <= 2 && self.is_start(operands[0]);
        let mut bytes = 0i64;
        let mut found = false;
        let mut variable = Vec::new();
        for (index, scale) in steps {
            let Some(index) = index else {
                bytes = bytes.wrapping_add(scale);
                continue;
            };
            if let Some(number) = self.signed(index) {
                bytes = bytes.wrapping_add(number.wrapping_mul(scale));
                continue;
            }
            let (term, constant) = self.without_constant(index, class, no_wrap);
            found |= constant != 0;
            bytes = bytes.wrapping_add(constant.wrapping_mul(scale));
            variable.push((term, scale));
        }
        if !found {
            return Ok(None);
        }
        let mut base: Arg = self.reg_of(operands[0])?.into();
        for (term, scale) in variable {
            base = match term {
                Term::Plain(index) => self.scaled(base, index, scale, class)?.into(),
                Term::Widened { from, signed } => {
                    self.widened_product(base, from, signed, scale)?.into()
                }
            };
        }
        Ok(Some((self.in_register(base, class)?, bytes)))
    }

    /// Whether a pointer is the start of a variable.
    fn is_start(&self, pointer: Value) -> bool {
        let value = self.cast_from(pointer).unwrap_or(pointer);
        match value.get() {
            Operand::Const(constant) => self.module.global_of(constant).is_some(),
            _ => matches!(self.definition(value), Some((_, Op::Alloca { .. }))),
        }
    }

    /// An index as a sum of a term and a constant, both as wide as an address.
    fn without_constant(&self, index: Value, class: Class, no_wrap: bool) -> (Term, i64) {
        let plain = (Term::Plain(index), 0);
        let Some((inst, op)) = self.definition(index) else {
            return plain;
        };
        let operands = self.body.operands(inst);
        let width = self.kind(self.type_of(index));
        match op {
            // A sum of whole words wraps as addresses do.
            Op::Binary(BinaryOp::Add)
                if matches!(
                    (width, class),
                    (Type::Int(64), _) | (Type::Int(32), Class::B32)
                ) =>
            {
                match self.signed(operands[1]) {
                    Some(constant) => (Term::Plain(operands[0]), constant),
                    None => plain,
                }
            }
            Op::Cast(cast @ (CastOp::Sext | CastOp::Zext)) if class == Class::B64 => {
                let positive = self.body.insts[inst].flags.contains(Flags::NNEG);
                let from = operands[0];
                if self.kind(self.type_of(from)) != Type::Int(32) {
                    return plain;
                }
                let Some((sum, op)) = self.definition(from) else {
                    return plain;
                };
                let flags = self.body.insts[sum].flags;
                let terms = self.body.operands(sum);
                let signed = match op {
                    // What does not wrap can be widened before; no bits in common means no carry at all.
                    Op::Binary(BinaryOp::Or) if flags.contains(Flags::DISJOINT) => {
                        cast == CastOp::Sext
                    }
                    Op::Binary(BinaryOp::Add)
                        if flags.contains(Flags::NSW) && (cast == CastOp::Sext || positive) =>
                    {
                        true
                    }
                    Op::Binary(BinaryOp::Add)
                        if flags.contains(Flags::NUW) && cast == CastOp::Zext =>
                    {
                        false
                    }
                    Op::Binary(BinaryOp::Add)
                        if no_wrap
                            && cast == CastOp::Sext
                            && self.signed(terms[1]).is_some_and(|added| added >= 0) =>
                    {
                        true
                    }
                    _ => return plain,
                };
                let constant = match signed {
                    true => self.signed(terms[1]),
                    false => self.integer(terms[1]).map(|number| number as i64),
                };
                match constant {
                    // A disjoint sign would be lost between the parts.
                    Some(constant) if constant >= 0 || matches!(op, Op::Binary(BinaryOp::Add)) => {
                        let from = terms[0];
                        (Term::Widened { from, signed }, constant)
                    }
                    _ => plain,
                }
            }
            _ => plain,
        }
    }

    /// `base + from * scale` for an index of 32 bits, by a product of 64 bits. ptxas makes one instruction of the two;
    /// of `mad.wide` with a power of two it makes two.
    fn scaled_word(
        &mut self,
        base: Arg,
        from: Arg,
        signed: bool,
        scale: i64,
    ) -> Result<Reg, Refused> {
        let mnemonic = if signed {
            "mul.wide.s32"
        } else {
            "mul.wide.u32"
        };
        let product = self.op(Class::B64, mnemonic, &[from, Arg::Int(scale)])?;
        self.op(Class::B64, "add.s64", &[base, product.into()])
    }

    /// `base + widened(from) * scale` for an index of 32 bits.
    fn widened_product(
        &mut self,
        base: Arg,
        from: Value,
        signed: bool,
        scale: i64,
    ) -> Result<Reg, Refused> {
        let from = self.arg(from)?;
        if scale != 1 && i32::try_from(scale).is_ok_and(|scale| signed || scale > 0) {
            return self.scaled_word(base, from, signed, scale);
        }
        let wide = self.extended(from, 32, 64, signed)?;
        match scale {
            1 => self.op(Class::B64, "add.s64", &[base, wide]),
            _ => self.op(Class::B64, "mad.lo.s64", &[wide, Arg::Int(scale), base]),
        }
    }

    /// An index that is a product with a constant, which only this address needs: the factors go together.
    fn inner_scale(&self, index: Value, scale: i64) -> (Value, i64) {
        let Some((inst, op)) = self.own_definition(index) else {
            return (index, scale);
        };
        if self.kind(self.type_of(index)) != Type::Int(64) {
            return (index, scale);
        }
        let operands = self.body.operands(inst);
        let factor = match op {
            Op::Binary(BinaryOp::Shl) => match self.integer(operands[1]) {
                Some(shift @ 0..=30) => Some(1 << shift),
                _ => None,
            },
            Op::Binary(BinaryOp::Mul) => self.signed(operands[1]),
            _ => None,
        };
        match factor.and_then(|factor| scale.checked_mul(factor)) {
            Some(product) if product != 0 => (operands[0], product),
            _ => (index, scale),
        }
    }
}
