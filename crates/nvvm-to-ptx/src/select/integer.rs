//! Arithmetic and logic on integers.

use super::{Regs, Selector};
use crate::code::{Arg, Args, Class};
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::inst::BinaryOp;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::InstId;

impl Selector<'_, '_> {
    pub(super) fn binary(&mut self, inst: InstId, op: BinaryOp) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (x, y) = (operands[0], operands[1]);
        let ty = self.body.insts[inst].ty;
        // A product that only a sum needs: mad.
        if op == BinaryOp::Add
            && let Type::Int(bits @ 2..=64) = self.kind(ty)
        {
            for (product, other) in [(x, y), (y, x)] {
                if let Some((_, a, b)) = self.own_binary(product, BinaryOp::Mul) {
                    let (a, b, c) = (self.arg(a)?, self.arg(b)?, self.arg(other)?);
                    let result = self.result(inst)?;
                    let mnemonic = if bits <= 32 {
                        "mad.lo.s32"
                    } else {
                        "mad.lo.s64"
                    };
                    return self.emit(mnemonic, &[result.into(), a, b, c]);
                }
            }
        }
        let a = self.args(x)?;
        let b = self.args(y)?;
        let made = self.binary_args(op, ty, &a, &b)?;
        self.settle(inst, &made)
    }

    /// Makes the result of an instruction equal to parts that were just computed: if the last line made
    /// them, it writes the result itself.
    pub(super) fn settle(&mut self, inst: InstId, made: &[Arg]) -> Result<(), Refused> {
        let results: Regs = self.results(inst)?;
        for (index, (&to, &from)) in results.iter().zip(made).enumerate() {
            match made[..index].iter().position(|&earlier| earlier == from) {
                Some(earlier) => self.copy(to, results[earlier].into())?,
                None if self.redirect(from, to) => {}
                None => self.copy(to, from)?,
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
        match (self.kind(ty), a, b) {
            (Type::Int(1), &[a], &[b]) => Ok(smallvec![self.predicate_binary(op, a, b)?]),
            (Type::Int(bits @ 2..=64), &[a], &[b]) => {
                Ok(smallvec![self.integer_binary(op, bits, a, b)?])
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
    fn predicate_binary(&mut self, op: BinaryOp, a: Arg, b: Arg) -> Result<Arg, Refused> {
        let a = self.in_register(a, Class::Pred)?;
        let b = self.in_register(b, Class::Pred)?;
        let mnemonic = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor => "xor.pred",
            BinaryOp::Mul | BinaryOp::And => "and.pred",
            BinaryOp::Or => "or.pred",
            // Every other operand would be poison: shifting by one, dividing by zero.
            BinaryOp::Shl | BinaryOp::Lshr | BinaryOp::Ashr | BinaryOp::Udiv | BinaryOp::Sdiv => {
                return Ok(a.into());
            }
            _ => return Ok(Arg::Int(0)),
        };
        Ok(self
            .op(Class::Pred, mnemonic, &[a.into(), b.into()])?
            .into())
    }

    fn integer_binary(&mut self, op: BinaryOp, bits: u32, a: Arg, b: Arg) -> Result<Arg, Refused> {
        let class = Class::for_bits(bits);
        let wide = class == Class::B64;
        let pick = |short: &'static str, long: &'static str| if wide { long } else { short };
        let (mnemonic, a, b) = match op {
            BinaryOp::Add => (pick("add.s32", "add.s64"), a, b),
            BinaryOp::Sub => (pick("sub.s32", "sub.s64"), a, b),
            BinaryOp::Mul => (pick("mul.lo.s32", "mul.lo.s64"), a, b),
            BinaryOp::And => (pick("and.b32", "and.b64"), a, b),
            BinaryOp::Or => (pick("or.b32", "or.b64"), a, b),
            BinaryOp::Xor => (pick("xor.b32", "xor.b64"), a, b),
            BinaryOp::Shl => (pick("shl.b32", "shl.b64"), a, self.shift_amount(b, bits)?),
            BinaryOp::Lshr => {
                let a = self.zero_extended(a, bits)?;
                (pick("shr.u32", "shr.u64"), a, self.shift_amount(b, bits)?)
            }
            BinaryOp::Ashr => {
                let a = self.sign_extended(a, bits)?;
                (pick("shr.s32", "shr.s64"), a, self.shift_amount(b, bits)?)
            }
            BinaryOp::Udiv | BinaryOp::Urem => {
                let (a, b) = (self.zero_extended(a, bits)?, self.zero_extended(b, bits)?);
                let mnemonic = match op {
                    BinaryOp::Udiv => pick("div.u32", "div.u64"),
                    _ => pick("rem.u32", "rem.u64"),
                };
                (mnemonic, a, b)
            }
            BinaryOp::Sdiv | BinaryOp::Srem => {
                let (a, b) = (self.sign_extended(a, bits)?, self.sign_extended(b, bits)?);
                let mnemonic = match op {
                    BinaryOp::Sdiv => pick("div.s32", "div.s64"),
                    _ => pick("rem.s32", "rem.s64"),
                };
                (mnemonic, a, b)
            }
            _ => {
                let message = format!("`{}` of integers does not exist", op.keyword());
                return Err(self.refuse(warpc_diag::codes::UNSUPPORTED, message));
            }
        };
        Ok(self.op(class, mnemonic, &[a, b])?.into())
    }

    /// The amount of a shift as the 32 bits that PTX wants.
    fn shift_amount(&mut self, amount: Arg, bits: u32) -> Result<Arg, Refused> {
        match amount {
            Arg::Int(value) => Ok(Arg::Int(i64::from(value as u32))),
            _ if bits > 32 => Ok(self.op(Class::B32, "cvt.u32.u64", &[amount])?.into()),
            _ => self.zero_extended(amount, bits),
        }
    }

    /// An integer with zeros above its width.
    pub fn zero_extended(&mut self, arg: Arg, bits: u32) -> Result<Arg, Refused> {
        let class = Class::for_bits(bits);
        if bits == class.bits() {
            return Ok(arg);
        }
        let mask = (1i64 << bits) - 1;
        if let Arg::Int(value) = arg {
            return Ok(Arg::Int(value & mask));
        }
        let mnemonic = match class {
            Class::B64 => "and.b64",
            _ => "and.b32",
        };
        Ok(self.op(class, mnemonic, &[arg, Arg::Int(mask)])?.into())
    }

    /// An integer with its sign above its width.
    pub fn sign_extended(&mut self, arg: Arg, bits: u32) -> Result<Arg, Refused> {
        let class = Class::for_bits(bits);
        if bits == class.bits() {
            return Ok(arg);
        }
        if let Arg::Int(value) = arg {
            return Ok(Arg::Int(super::sign_extend(value as u64, bits)));
        }
        let result = match (class, bits) {
            (Class::B32, 8) => self.op(class, "cvt.s32.s8", &[arg])?,
            (Class::B32, 16) => self.op(class, "cvt.s32.s16", &[arg])?,
            (Class::B32, _) => {
                self.op(class, "bfe.s32", &[arg, Arg::Int(0), Arg::Int(bits.into())])?
            }
            _ => self.op(class, "bfe.s64", &[arg, Arg::Int(0), Arg::Int(bits.into())])?,
        };
        Ok(result.into())
    }
}
