//! Signs: `fneg`, `llvm.fabs`, `llvm.copysign`.
//!
//! LLVM changes the sign bit and nothing else, NaN included. PTX's `neg` and `abs` may change the bits of
//! a NaN, but cost nothing before arithmetic, which takes signs in. So they are used where all users are
//! arithmetic, and logic on bits elsewhere.

use super::format::Format;
use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::unit::Refused;
use warpc_nvvm::inst::{BinaryOp, CastOp, Op};
use warpc_nvvm::value::InstId;

impl Selector<'_, '_> {
    pub(in crate::select) fn fneg(&mut self, inst: InstId) -> Result<(), Refused> {
        let Some(format) = self.format_of(self.body.insts[inst].ty) else {
            return Err(self.unsupported(inst));
        };
        let args = self.args(self.body.operands(inst)[0])?;
        let made = if self.feeds_arithmetic(inst) {
            self.negated_parts(format, &args)?
        } else {
            self.on_parts(format, false, &[args], &mut |this, format, args| {
                this.flip_sign(format, args[0])
            })?
        };
        self.settle(inst, &made)
    }

    /// Whether only arithmetic on numbers uses the result: no bits of a NaN can be seen.
    fn feeds_arithmetic(&self, inst: InstId) -> bool {
        let Some(local) = self.body.insts[inst].local() else {
            return false;
        };
        let uses = self.uses.of(local);
        uses.iter().all(|user| match self.body.insts[user.inst].op {
            Op::Binary(op) => matches!(
                op,
                BinaryOp::Fadd | BinaryOp::Fsub | BinaryOp::Fmul | BinaryOp::Fdiv
            ),
            Op::Fcmp(_) => true,
            Op::Cast(op) => matches!(
                op,
                CastOp::Fptrunc | CastOp::Fpext | CastOp::Fptosi | CastOp::Fptoui
            ),
            Op::Call(_) => self
                .intrinsic(user.inst)
                .is_some_and(|called| called.is_arithmetic()),
            _ => false,
        })
    }

    /// The negated numbers, for arithmetic.
    pub(in crate::select) fn negated_parts(
        &mut self,
        format: Format,
        args: &[Arg],
    ) -> Result<Args, Refused> {
        args.iter().map(|&arg| self.negated(format, arg)).collect()
    }

    /// The negated number, for arithmetic.
    pub(in crate::select) fn negated(&mut self, format: Format, arg: Arg) -> Result<Arg, Refused> {
        self.sign_operation("neg", format, arg)
    }

    /// The magnitude, for arithmetic.
    pub(in crate::select) fn magnitude(
        &mut self,
        format: Format,
        arg: Arg,
    ) -> Result<Arg, Refused> {
        self.sign_operation("abs", format, arg)
    }

    fn sign_operation(&mut self, name: &str, format: Format, arg: Arg) -> Result<Arg, Refused> {
        let mnemonic = format!("{name}.{}", format.name());
        match name {
            _ if format.bits_of(arg).is_none() && self.has(&mnemonic) => {
                self.float_op(format, &mnemonic, &[arg])
            }
            "neg" => self.flip_sign(format, arg),
            _ => self.clear_sign(format, arg),
        }
    }

    /// The number with the other sign, bit by bit.
    fn flip_sign(&mut self, format: Format, arg: Arg) -> Result<Arg, Refused> {
        self.with_mask("xor", format, arg, format.sign_bits(), |bits, mask| {
            bits ^ mask
        })
    }

    /// The magnitude, bit by bit.
    fn clear_sign(&mut self, format: Format, arg: Arg) -> Result<Arg, Refused> {
        let mask = !format.sign_bits() & (u64::MAX >> (64 - format.bits()));
        self.with_mask("and", format, arg, mask, |bits, mask| bits & mask)
    }

    fn with_mask(
        &mut self,
        name: &str,
        format: Format,
        arg: Arg,
        mask: u64,
        folded: fn(u64, u64) -> u64,
    ) -> Result<Arg, Refused> {
        if let Some(bits) = format.bits_of(arg) {
            return Ok(format.number(folded(bits, mask)));
        }
        let mnemonic = format!("{name}.b{}", format.bits());
        let mask = crate::select::sign_extend(mask, format.bits());
        Ok(self
            .op(format.class(), &mnemonic, &[arg, Arg::Int(mask)])?
            .into())
    }

    /// `llvm.fabs`
    pub(in crate::select) fn fabs(
        &mut self,
        inst: InstId,
        format: Format,
        args: Args,
    ) -> Result<Args, Refused> {
        let plain = self.feeds_arithmetic(inst);
        self.on_parts(format, false, &[args], &mut |this, format, args| {
            if plain {
                this.magnitude(format, args[0])
            } else {
                this.clear_sign(format, args[0])
            }
        })
    }

    /// The first number's magnitude with the second's sign.
    pub(in crate::select) fn copysign(
        &mut self,
        format: Format,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        let (magnitude, sign) = (args[0], args[1]);
        match format {
            Format::F32 | Format::F64 => {
                let mnemonic = format!("copysign.{}", format.name());
                self.float_op(format, &mnemonic, &[sign, magnitude])
            }
            Format::F16x2 | Format::Bf16x2 => {
                // (mask & magnitude) | (!mask & sign), with the mask as the third operand.
                const CHOOSE: i64 = 0xe4;
                let mask = Arg::Int(0x7fff_7fff);
                let args = [magnitude, sign, mask, Arg::Int(CHOOSE)];
                Ok(self.op(Class::B32, "lop3.b32", &args)?.into())
            }
            _ => {
                let magnitude = self.clear_sign(format, magnitude)?;
                let sign = self.with_mask("and", format, sign, format.sign_bits(), |a, b| a & b)?;
                let mnemonic = format!("or.b{}", format.bits());
                let args = [magnitude.as_bits(), sign.as_bits()];
                Ok(self.op(format.class(), &mnemonic, &args)?.into())
            }
        }
    }
}
