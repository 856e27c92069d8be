//! Conversions between formats, and between integers and floating-point numbers.

use super::format::Format;
use super::round::ToInteger;
use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::inst::CastOp;
use warpc_nvvm::types::{Type, TypeId};

/// The widest integers that `float` holds exactly, signed ones with one bit more.
const EXACT_IN_SINGLE: u32 = 24;

impl Selector<'_, '_> {
    /// A conversion to or from floating-point numbers; `None` if it is another one, or one that PTX has
    /// nothing for.
    pub(in crate::select) fn float_cast(
        &mut self,
        op: CastOp,
        from: TypeId,
        to: TypeId,
        args: &[Arg],
    ) -> Result<Option<Args>, Refused> {
        self.float_cast_rounded(op, from, to, args, "rn")
    }

    /// The same with a rounding of PTX for what does not fit: `rn`, `rz`, `rm`, `rp`.
    pub(in crate::select) fn float_cast_rounded(
        &mut self,
        op: CastOp,
        from: TypeId,
        to: TypeId,
        args: &[Arg],
        rounding: &'static str,
    ) -> Result<Option<Args>, Refused> {
        let (source, target) = (self.scalar_kind(from), self.scalar_kind(to));
        let operands = |args: &[Arg]| [(from, args.iter().copied().collect::<Args>())];
        let made = match op {
            CastOp::Fptrunc | CastOp::Fpext => {
                let (Some(source), Some(target)) = (Format::of(source), Format::of(target)) else {
                    return Ok(None);
                };
                if let Some(made) = self.truncated_pairs(source, to, args, rounding)? {
                    return Ok(Some(made));
                }
                self.on_elements(&operands(args), to, &mut |this, args| {
                    this.reformatted(source, target, args[0], rounding)
                })?
            }
            CastOp::Fptosi | CastOp::Fptoui => {
                let (Some(source), Type::Int(bits @ 1..=64)) = (Format::of(source), target) else {
                    return Ok(None);
                };
                let signed = op == CastOp::Fptosi;
                self.on_elements(&operands(args), to, &mut |this, args| {
                    this.integer_of(source, signed, bits, args[0])
                })?
            }
            CastOp::Sitofp | CastOp::Uitofp => {
                let (Type::Int(bits @ 1..=64), Some(target)) = (source, Format::of(target)) else {
                    return Ok(None);
                };
                let signed = op == CastOp::Sitofp;
                if bits == 16
                    && let Some(made) = self.numbers_of_pairs(target, signed, from, to, args)?
                {
                    return Ok(Some(made));
                }
                self.on_elements(&operands(args), to, &mut |this, args| {
                    this.number_of(target, signed, bits, args[0], rounding)
                })?
            }
            _ => return Ok(None),
        };
        Ok(Some(made))
    }

    /// What a scalar is, or an element of a vector.
    pub(in crate::select) fn scalar_kind(&self, ty: TypeId) -> Type {
        self.kind(self.module.types.scalar(ty))
    }

    /// Vectors of `float` to pairs, where one instruction makes a pair.
    fn truncated_pairs(
        &mut self,
        source: Format,
        to: TypeId,
        args: &[Arg],
        rounding: &str,
    ) -> Result<Option<Args>, Refused> {
        let Some(target) = self.format_of(to).filter(|format| format.is_pair()) else {
            return Ok(None);
        };
        let mnemonic = format!("cvt.{rounding}.{}.f32", target.name());
        if source != Format::F32 || !self.has(&mnemonic) {
            return Ok(None);
        }
        let args = self.float_operands(source, args)?;
        let mut made = Args::new();
        for pair in args.chunks(2) {
            made.push(self.op(Class::B32, &mnemonic, &[pair[1], pair[0]])?.into());
        }
        Ok(Some(made))
    }

    /// A number in another format.
    pub(in crate::select) fn reformatted(
        &mut self,
        from: Format,
        to: Format,
        arg: Arg,
        rounding: &'static str,
    ) -> Result<Arg, Refused> {
        match (from, to) {
            _ if from == to => Ok(arg),
            (Format::F16 | Format::Bf16, Format::F32) => self.widened(from, arg),
            (Format::Bf16, Format::F64) if !self.has("cvt.f64.bf16") => {
                let single = self.widened(from, arg)?;
                Ok(self.op(Class::B64, "cvt.f64.f32", &[single])?.into())
            }
            (Format::F16 | Format::Bf16, Format::F64) => {
                let arg = self.float_operand(from, arg)?;
                let mnemonic = format!("cvt.f64.{}", from.name());
                Ok(self.op(Class::B64, &mnemonic, &[arg])?.into())
            }
            (Format::F32, Format::F64) => {
                let arg = self.float_operand(from, arg)?;
                let mnemonic = format!("cvt{}.f64.f32", self.ftz(from));
                Ok(self.op(Class::B64, &mnemonic, &[arg])?.into())
            }
            (Format::F32, Format::F16 | Format::Bf16) if rounding == "rn" => self.narrowed(to, arg),
            (Format::F64, Format::Bf16) if rounding == "rn" && !self.has("cvt.rn.bf16.f64") => {
                let arg = self.float_operand(from, arg)?;
                let inner: Arg = self.op(Class::B32, "cvt.rz.f32.f64", &[arg])?.into();
                let back = self.op(Class::B64, "cvt.f64.f32", &[inner])?;
                let lost = self.op(Class::Pred, "setp.ne.f64", &[arg, back.into()])?;
                let odd = self.odd(inner, lost.into())?;
                self.narrowed(to, odd)
            }
            _ => {
                let arg = self.float_operand(from, arg)?;
                let ftz = self.ftz(to);
                let mnemonic = format!("cvt.{rounding}{ftz}.{}.{}", to.name(), from.name());
                Ok(self.op(to.class(), &mnemonic, &[arg])?.into())
            }
        }
    }

    /// The integer part of a number; what does not fit is arbitrary.
    fn integer_of(
        &mut self,
        format: Format,
        signed: bool,
        bits: u32,
        arg: Arg,
    ) -> Result<Arg, Refused> {
        if signed || bits < 32 {
            let how = ToInteger::Ptx("rzi");
            let made = self.rounded_integer(how, format, bits, arg)?;
            return match bits {
                1 => Ok(self
                    .op(Class::Pred, "setp.ne.b32", &[made, Arg::Int(0)])?
                    .into()),
                _ => Ok(made),
            };
        }
        self.clamped_integer(format, false, Class::for_bits(bits), arg)
    }

    /// The integer part of a number, or the end of the range of the register beyond which it lies.
    pub(super) fn clamped_integer(
        &mut self,
        format: Format,
        signed: bool,
        class: Class,
        arg: Arg,
    ) -> Result<Arg, Refused> {
        let (format, arg) = match format {
            Format::Bf16 if !self.has("cvt.rzi.s32.bf16") => {
                (Format::F32, self.widened(format, arg)?)
            }
            _ => (format, self.float_operand(format, arg)?),
        };
        let letter = if signed { 's' } else { 'u' };
        let ftz = self.ftz(format);
        let mnemonic = format!("cvt.rzi{ftz}.{letter}{}.{}", class.bits(), format.name());
        Ok(self.op(class, &mnemonic, &[arg])?.into())
    }

    /// An integer as a number.
    fn number_of(
        &mut self,
        format: Format,
        signed: bool,
        bits: u32,
        arg: Arg,
        rounding: &str,
    ) -> Result<Arg, Refused> {
        if bits == 1 {
            let sign = if signed { format.sign_bits() } else { 0 };
            let one = format.number(format.one_bits() | sign).as_bits();
            let predicate = self.in_register(arg, Class::Pred)?;
            let mnemonic = format!("selp.b{}", format.bits());
            let args = [one, Arg::Int(0), predicate.into()];
            return Ok(self.op(format.class(), &mnemonic, &args)?.into());
        }
        let class = Class::for_bits(bits);
        // A register may be wider than the integer that is converted, but not for bfloat.
        let in_place = matches!(bits, 8 | 16 | 32 | 64) && !matches!(arg, Arg::Int(_));
        let (arg, width) = match bits {
            _ if in_place && (format != Format::Bf16 || bits == class.bits()) => (arg, bits),
            _ if signed => (self.sign_extended(arg, bits)?, class.bits()),
            _ => (self.zero_extended(arg, bits)?, class.bits()),
        };
        let arg: Arg = self.in_register(arg, class)?.into();
        let letter = if signed { 's' } else { 'u' };
        let mnemonic = format!("cvt.{rounding}.{}.{letter}{width}", format.name());
        if format != Format::Bf16 || self.has(&mnemonic) || rounding != "rn" {
            return Ok(self.op(format.class(), &mnemonic, &[arg])?.into());
        }
        if bits <= EXACT_IN_SINGLE + u32::from(signed) {
            let mnemonic = format!("cvt.rn.f32.{letter}{width}");
            let single = self.op(Class::B32, &mnemonic, &[arg])?;
            return self.narrowed(format, single.into());
        }
        let inner: Arg = self
            .op(Class::B32, &format!("cvt.rz.f32.{letter}{width}"), &[arg])?
            .into();
        let back = self.op(class, &format!("cvt.rzi.{letter}{width}.f32"), &[inner])?;
        let setp = format!("setp.ne.b{}", class.bits());
        let lost = self.op(Class::Pred, &setp, &[arg, back.into()])?;
        let odd = self.odd(inner, lost.into())?;
        self.narrowed(format, odd)
    }

    /// Vectors of integers of 16 bits as numbers: a pair falls apart into registers of 16 bits for nothing.
    fn numbers_of_pairs(
        &mut self,
        format: Format,
        signed: bool,
        from: TypeId,
        to: TypeId,
        args: &[Arg],
    ) -> Result<Option<Args>, Refused> {
        let Type::Vector { element, len, .. } = self.kind(from) else {
            return Ok(None);
        };
        let letter = if signed { 's' } else { 'u' };
        let mnemonic = format!("cvt.rn.{}.{letter}16", format.name());
        if crate::shape::lanes(self.module, element, len) != 2 || !self.has(&mnemonic) {
            return Ok(None);
        }
        let mut made = Args::new();
        for &pair in args {
            let pair = self.in_register(pair, Class::B32)?;
            let lanes = [self.code.reg(Class::B16), self.code.reg(Class::B16)];
            let both = self.code.vector(&lanes.map(Arg::Reg));
            self.emit("mov.b32", &[both, pair.into()])?;
            for lane in lanes {
                made.push(self.op(format.class(), &mnemonic, &[lane.into()])?.into());
            }
        }
        Ok(Some(self.vector_of(to, &made)?))
    }

    /// `llvm.convert.to.fp16`: the bits of a `half` as an integer.
    pub(in crate::select) fn half_bits(
        &mut self,
        format: Format,
        arg: Arg,
    ) -> Result<Args, Refused> {
        let half = self.reformatted(format, Format::F16, arg, "rn")?;
        let half = self.in_register(half, Class::B16)?;
        let bits = self.op(Class::B32, "cvt.u32.u16", &[half.into()])?;
        Ok(smallvec![bits.into()])
    }

    /// `llvm.convert.from.fp16`: a number of the bits of a `half` in an integer.
    pub(in crate::select) fn number_of_half_bits(
        &mut self,
        format: Format,
        arg: Arg,
    ) -> Result<Args, Refused> {
        let bits = self.in_register(arg, Class::B32)?;
        let half = self.op(Class::B16, "cvt.u16.u32", &[bits.into()])?;
        Ok(smallvec![self.reformatted(
            Format::F16,
            format,
            half.into(),
            "rn"
        )?])
    }
}
