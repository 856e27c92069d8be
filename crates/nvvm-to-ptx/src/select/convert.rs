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
        if op == CastOp::Addrspacecast && !self.module.types.is_vector(to) {
            let made = self.cast_address(from, to)?;
            return self.settle(inst, &[made.into()]);
        }
        let from_ty = self.type_of(from);
        if let (Some((old, len)), Some((new, _))) =
            (self.vector_shape(from_ty), self.vector_shape(to))
            && matches!(
                op,
                CastOp::Trunc
                    | CastOp::Zext
                    | CastOp::Sext
                    | CastOp::Ptrtoint
                    | CastOp::Ptrtoaddr
                    | CastOp::Inttoptr
                    | CastOp::Addrspacecast
            )
        {
            let elements = self.lane_values(from)?;
            let made = self.element_wise(new, len, |this, index| {
                this.cast_args(op, old, new, &elements[index])
            })?;
            return self.settle(inst, &made);
        }
        // What is above the width may be right already.
        let args = match (op, self.kind(from_ty), self.kind(to)) {
            (CastOp::Zext | CastOp::Sext, Type::Int(bits @ 2..=64), Type::Int(wide)) => {
                let signed = op == CastOp::Sext && !self.is_not_negative(from);
                let arg = self.cast_source(from, signed)?;
                let class = Class::for_bits(bits).bits();
                let made = self.int_resize(&[arg], class, wide, signed)?;
                return self.settle(inst, &made);
            }
            _ => self.args(from)?,
        };
        let made = self.cast_args(op, from_ty, to, &args)?;
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
            Type::Int(bits) => Some(bits),
            Type::Ptr(space) => Some(this.unit.layout.pointer_bits(space)),
            _ => None,
        };
        if op == CastOp::Bitcast {
            if self.parts(from)? == self.parts(to)? {
                return Ok(args.iter().copied().collect());
            }
            return self.bit_cast(from, to, args);
        }
        if let (Some((old, len)), Some((new, _))) = (self.vector_shape(from), self.vector_shape(to))
        {
            let lanes = self.lanes_of(old, len, args)?;
            return self.element_wise(new, len, |this, index| {
                let args = this.lane_args(old, &lanes[index])?;
                this.cast_args(op, old, new, &args)
            });
        }
        let (Some(from_bits), Some(to_bits)) = (width(self, from), width(self, to)) else {
            return Err(self.no_cast(op, from, to));
        };
        match op {
            CastOp::Trunc
            | CastOp::Zext
            | CastOp::Sext
            | CastOp::Ptrtoint
            | CastOp::Ptrtoaddr
            | CastOp::Inttoptr => self.int_resize(args, from_bits, to_bits, op == CastOp::Sext),
            CastOp::Addrspacecast => {
                let class = Class::for_bits(from_bits);
                let pointer = self.in_register(args[0], class)?;
                Ok(smallvec![self.cast_pointer(pointer, from, to)?.into()])
            }
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
    pub(super) fn truncated(&mut self, arg: Arg, from: u32, to: u32) -> Result<Arg, Refused> {
        if let Arg::Int(value) = arg {
            return Ok(Arg::Int(match to {
                1 => value & 1,
                _ => super::sign_extend(value as u64, to),
            }));
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
                (false, _) => value & ((1u64 << from) - 1) as i64,
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
