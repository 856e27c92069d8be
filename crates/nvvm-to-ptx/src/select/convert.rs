//! Conversions between types.

use super::Selector;
use crate::code::{Arg, Args, Class};
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_diag::codes;
use warpc_nvvm::inst::CastOp;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::InstId;

impl Selector<'_, '_> {
    pub(super) fn cast(&mut self, inst: InstId, op: CastOp) -> Result<(), Refused> {
        let from = self.body.operands(inst)[0];
        let to = self.body.insts[inst].ty;
        if op == CastOp::Addrspacecast {
            let made = self.cast_address(from, to)?;
            return self.settle(inst, &[made.into()]);
        }
        let args = self.args(from)?;
        let made = self.cast_args(op, self.type_of(from), to, &args)?;
        self.settle(inst, &made)
    }

    /// The result of a conversion of the parts of a value.
    pub(super) fn cast_args(
        &mut self,
        op: CastOp,
        from: TypeId,
        to: TypeId,
        args: &[Arg],
    ) -> Result<Args, Refused> {
        if let Some(made) = self.float_cast(op, from, to, args)? {
            return Ok(made);
        }
        let width = |this: &Self, ty: TypeId| match this.kind(ty) {
            Type::Int(bits @ 1..=64) => Some(bits),
            Type::Ptr(space) => Some(this.unit.layout.pointer_bits(space)),
            _ => None,
        };
        if let (&[arg], Some(from_bits), Some(to_bits)) = (args, width(self, from), width(self, to))
        {
            let made = match op {
                CastOp::Trunc => self.truncated(arg, from_bits, to_bits)?,
                CastOp::Zext => self.extended(arg, from_bits, to_bits, false)?,
                CastOp::Sext => self.extended(arg, from_bits, to_bits, true)?,
                CastOp::Ptrtoint | CastOp::Ptrtoaddr | CastOp::Inttoptr | CastOp::Bitcast => {
                    if from_bits >= to_bits {
                        self.truncated(arg, from_bits, to_bits)?
                    } else {
                        self.extended(arg, from_bits, to_bits, false)?
                    }
                }
                _ => return Err(self.no_cast(op, from, to)),
            };
            return Ok(smallvec![made]);
        }
        let same_parts = self.parts(from)? == self.parts(to)?;
        match op {
            CastOp::Bitcast if same_parts => Ok(args.iter().copied().collect()),
            _ => Err(self.no_cast(op, from, to)),
        }
    }

    fn no_cast(&self, op: CastOp, from: TypeId, to: TypeId) -> Refused {
        let text = |ty| warpc_nvvm::type_text(self.module, ty);
        let message = format!(
            "`{}` from `{}` to `{}` is not supported",
            op.keyword(),
            text(from),
            text(to)
        );
        self.refuse(codes::UNSUPPORTED, message)
    }

    /// The low bits of an integer.
    fn truncated(&mut self, arg: Arg, from: u32, to: u32) -> Result<Arg, Refused> {
        if let Arg::Int(value) = arg {
            return Ok(Arg::Int(super::sign_extend(value as u64, to)));
        }
        let (from, to) = (Class::for_bits(from), Class::for_bits(to));
        match (from, to) {
            _ if from == to => Ok(arg),
            (Class::B64, Class::B32) => Ok(self.op(to, "cvt.u32.u64", &[arg])?.into()),
            (_, Class::Pred) => {
                let (and, setp) = match from {
                    Class::B64 => ("and.b64", "setp.ne.b64"),
                    _ => ("and.b32", "setp.ne.b32"),
                };
                let bit = self.op(from, and, &[arg, Arg::Int(1)])?;
                Ok(self.op(to, setp, &[bit.into(), Arg::Int(0)])?.into())
            }
            _ => Ok(arg),
        }
    }

    /// An integer with zeros or its sign in front.
    pub(super) fn extended(
        &mut self,
        arg: Arg,
        from: u32,
        to: u32,
        signed: bool,
    ) -> Result<Arg, Refused> {
        let class = Class::for_bits(to);
        if let Arg::Int(value) = arg {
            let value = match (signed, from) {
                (true, _) => super::sign_extend(value as u64, from),
                (false, 64) => value,
                (false, _) => value & ((1 << from) - 1),
            };
            return Ok(Arg::Int(super::sign_extend(value as u64, to)));
        }
        if from == 1 {
            let mnemonic = match class {
                Class::B64 => "selp.b64",
                _ => "selp.b32",
            };
            let one = if signed { -1 } else { 1 };
            let predicate = self.in_register(arg, Class::Pred)?;
            let args = [Arg::Int(one), Arg::Int(0), predicate.into()];
            return Ok(self.op(class, mnemonic, &args)?.into());
        }
        if Class::for_bits(from) == class {
            return if signed {
                self.sign_extended(arg, from)
            } else {
                self.zero_extended(arg, from)
            };
        }
        let exact = matches!(from, 8 | 16 | 32);
        let letter = if signed { 's' } else { 'u' };
        let (arg, from) = match (exact, signed) {
            (true, _) => (arg, from),
            (false, true) => (self.sign_extended(arg, from)?, 32),
            (false, false) => (self.zero_extended(arg, from)?, 32),
        };
        let mnemonic = format!("cvt.{letter}64.{letter}{from}");
        Ok(self.op(class, &mnemonic, &[arg])?.into())
    }
}
