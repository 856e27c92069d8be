//! Fractions and exponents: `llvm.ldexp`, `llvm.frexp`, `llvm.modf`.

use super::Selector;
use crate::code::{Arg, Args, Class};
use crate::select::float::{Format, Rounding, ToInteger};
use crate::unit::Refused;
use warpc_nvvm::inst::BinaryOp;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::InstId;

/// The bias of the exponents of a format.
fn bias(format: Format) -> i64 {
    match format {
        Format::F64 => 1023,
        _ => 127,
    }
}

/// The bits of infinity: those of NaN without the fraction.
fn infinity_bits(format: Format) -> u64 {
    format.nan_bits() & !(1 << (format.fraction_bits() - 1))
}

impl Selector<'_, '_> {
    /// `llvm.ldexp`: a number times a power of two, rounded once.
    pub(super) fn ldexp(&mut self, inst: InstId) -> Result<Args, Refused> {
        let operands = self.body.operands(inst);
        let (x, n) = (operands[0], operands[1]);
        let (ty, exponent) = (self.type_of(x), self.type_of(n));
        let (Some(format), Type::Int(bits @ 2..=64)) =
            (Format::of(self.scalar_kind(ty)), self.scalar_kind(exponent))
        else {
            return Err(self.unsupported(inst));
        };
        let operands = [(ty, self.args(x)?), (exponent, self.args(n)?)];
        self.on_elements(&operands, ty, &mut |this, args| {
            let exponent = this.short_exponent(args[1], bits)?;
            this.times_power(format, args[0], exponent)
        })
    }

    /// An exponent in 32 bits; one beyond them is beyond all formats.
    fn short_exponent(&mut self, arg: Arg, bits: u32) -> Result<Arg, Refused> {
        let arg = self.sign_extended(arg, bits)?;
        if bits <= 32 {
            return Ok(arg);
        }
        let arg = self.op(Class::B64, "max.s64", &[arg, Arg::Int(-10_000)])?;
        let arg = self.op(Class::B64, "min.s64", &[arg.into(), Arg::Int(10_000)])?;
        Ok(self.op(Class::B32, "cvt.u32.u64", &[arg.into()])?.into())
    }

    fn clamp(&mut self, arg: Arg, low: i64, high: i64) -> Result<Arg, Refused> {
        let arg = self.op(Class::B32, "max.s32", &[arg, Arg::Int(low)])?;
        Ok(self
            .op(Class::B32, "min.s32", &[arg.into(), Arg::Int(high)])?
            .into())
    }

    fn difference(&mut self, a: Arg, b: Arg) -> Result<Arg, Refused> {
        Ok(self.op(Class::B32, "sub.s32", &[a, b])?.into())
    }

    /// A power of two with a normal exponent.
    fn power(&mut self, format: Format, exponent: Arg) -> Result<Arg, Refused> {
        let (shift, one) = match format {
            Format::F64 => (20, 0x3ff0_0000),
            _ => (23, 0x3f80_0000),
        };
        let args = [exponent, Arg::Int(1 << shift), Arg::Int(one)];
        let word = self.op(Class::B32, "mad.lo.s32", &args)?;
        if format != Format::F64 {
            return Ok(word.into());
        }
        let zero = self.in_register(Arg::Int(0), Class::B32)?;
        let both = self.code.vector(&[zero.into(), word.into()]);
        Ok(self.op(Class::B64, "mov.b64", &[both])?.into())
    }

    /// The exponent is taken in three steps, so that each power is a normal number. What is beyond one
    /// step comes first: if that makes the number denormal, the last step makes it zero, and if not, it
    /// is exact. So only the last product is rounded.
    fn times_power(&mut self, format: Format, x: Arg, exponent: Arg) -> Result<Arg, Refused> {
        let product = |this: &mut Self, format, x, power| {
            this.arithmetic(BinaryOp::Fmul, format, Rounding::NEAREST, &[x, power])
        };
        match format {
            Format::F16 => self.in_single(format, &[x], false, &mut |this, args| {
                // All of half, scaled by more than its range, are normal as float.
                let exponent = this.clamp(exponent, -50, 50)?;
                let power = this.power(Format::F32, exponent)?;
                this.float_op(Format::F32, "mul.rn.f32", &[args[0], power])
            }),
            Format::Bf16 => self.in_single(format, &[x], false, &mut |this, args| {
                let flushes = std::mem::take(&mut this.mode.flushes);
                let made = this.times_power(Format::F32, args[0], exponent);
                this.mode.flushes = flushes;
                made
            }),
            _ => {
                let (low, high) = (1 - bias(format), bias(format));
                let last = self.clamp(exponent, low, high)?;
                let beyond = self.difference(exponent, last)?;
                let first = self.clamp(beyond, low, high)?;
                let beyond = self.difference(beyond, first)?;
                let second = self.clamp(beyond, low, high)?;
                let mut made = x;
                for step in [first, second, last] {
                    let power = self.power(format, step)?;
                    made = product(self, format, made, power)?;
                }
                Ok(made)
            }
        }
    }

    /// Does something that gives two numbers on each element of the only operand.
    fn two_results(
        &mut self,
        inst: InstId,
        mut operation: impl FnMut(&mut Self, Format, Arg) -> Result<[Arg; 2], Refused>,
    ) -> Result<Args, Refused> {
        let x = self.body.operands(inst)[0];
        let ty = self.type_of(x);
        let fields: Option<Vec<TypeId>> = self
            .module
            .types
            .fields(self.body.insts[inst].ty)
            .map(<[TypeId]>::to_vec);
        let (Some(format), Some([first, second])) =
            (Format::of(self.scalar_kind(ty)), fields.as_deref())
        else {
            return Err(self.unsupported(inst));
        };
        let args = self.args(x)?;
        let (mut firsts, mut seconds) = (Args::new(), Args::new());
        for element in self.elements(ty, &args)? {
            let [a, b] = operation(self, format, element)?;
            firsts.push(a);
            seconds.push(b);
        }
        let mut made = self.vector_of(*first, &firsts)?;
        made.extend(self.vector_of(*second, &seconds)?);
        Ok(made)
    }

    /// `llvm.frexp`: a fraction from a half to one, and the exponent that goes with it.
    pub(super) fn frexp(&mut self, inst: InstId) -> Result<Args, Refused> {
        let exponent = self
            .module
            .types
            .fields(self.body.insts[inst].ty)
            .and_then(|fields| fields.get(1).copied());
        match exponent.map(|ty| self.scalar_kind(ty)) {
            Some(Type::Int(2..=32)) => {}
            _ => return Err(self.unsupported(inst)),
        }
        self.two_results(inst, |this, format, x| match format {
            Format::F16 | Format::Bf16 => {
                let wide = this.widened(format, x)?;
                let [fraction, exponent] = this.fraction_and_exponent(Format::F32, wide)?;
                Ok([this.narrowed_exactly(format, fraction)?, exponent])
            }
            _ => this.fraction_and_exponent(format, x),
        })
    }

    fn fraction_and_exponent(&mut self, format: Format, x: Arg) -> Result<[Arg; 2], Refused> {
        let x: Arg = self.in_register(x.as_bits(), format.class())?.into();
        let width = format.bits();
        // Denormal numbers are made normal first.
        let (factor, steps) = match format {
            Format::F64 => (Arg::F64(0x4350_0000_0000_0000), 54),
            _ => (Arg::F32(0x4c00_0000), 25),
        };
        let magnitude = self.magnitude(format, x)?;
        let smallest = format.number(1 << format.fraction_bits());
        let name = format.name();
        let denormal = self.op(
            Class::Pred,
            &format!("setp.lt.{name}"),
            &[magnitude, smallest],
        )?;
        let larger = self.float_op(format, &format!("mul.rn.{name}"), &[x, factor])?;
        let selp = format!("selp.b{width}");
        let normal: Arg = self
            .op(format.class(), &selp, &[larger, x, denormal.into()])?
            .into();
        let args = [Arg::Int(steps), Arg::Int(0), denormal.into()];
        let steps: Arg = self.op(Class::B32, "selp.b32", &args)?.into();
        // The exponent is in the upper word.
        let word = match format {
            Format::F64 => {
                let (low, high) = (self.code.reg(Class::B32), self.code.reg(Class::B32));
                let both = self.code.vector(&[low.into(), high.into()]);
                self.emit("mov.b64", &[both, normal])?;
                high.into()
            }
            _ => normal,
        };
        let (shift, length) = match format {
            Format::F64 => (20, 11),
            _ => (23, 8),
        };
        let args = [word, Arg::Int(shift), Arg::Int(length)];
        let exponent = self.op(Class::B32, "bfe.u32", &args)?.into();
        let exponent = self.difference(exponent, steps)?;
        let exponent = self.difference(exponent, Arg::Int(bias(format) - 1))?;
        // The fraction has the exponent of a half.
        let half = format.one_bits() - (1 << format.fraction_bits());
        let infinity = infinity_bits(format);
        let keep = crate::select::sign_extend(!infinity, width);
        let cleared = self.op(
            format.class(),
            &format!("and.b{width}"),
            &[normal, Arg::Int(keep)],
        )?;
        let fraction = self.op(
            format.class(),
            &format!("or.b{width}"),
            &[cleared.into(), Arg::Int(half as i64)],
        )?;
        // Zero, infinity and NaN stay as they are.
        let infinity = format.number(infinity);
        let proper = self.op(
            Class::Pred,
            &format!("setp.lt.{name}"),
            &[magnitude, infinity],
        )?;
        let zero = format.number(0);
        let nonzero = self.op(Class::Pred, &format!("setp.ne.{name}"), &[x, zero])?;
        let proper = self.op(Class::Pred, "and.pred", &[proper.into(), nonzero.into()])?;
        let fraction = self.op(format.class(), &selp, &[fraction.into(), x, proper.into()])?;
        let exponent = self.op(
            Class::B32,
            "selp.b32",
            &[exponent, Arg::Int(0), proper.into()],
        )?;
        Ok([fraction.into(), exponent.into()])
    }

    /// `llvm.modf`: what is after the point, and the integer before it, both with the sign.
    pub(super) fn modf(&mut self, inst: InstId) -> Result<Args, Refused> {
        self.two_results(inst, |this, format, x| match format {
            Format::F16 | Format::Bf16 => {
                let wide = this.widened(format, x)?;
                let [fraction, integer] = this.fraction_and_integer(Format::F32, wide)?;
                Ok([
                    this.narrowed_exactly(format, fraction)?,
                    this.narrowed_exactly(format, integer)?,
                ])
            }
            _ => this.fraction_and_integer(format, x),
        })
    }

    fn fraction_and_integer(&mut self, format: Format, x: Arg) -> Result<[Arg; 2], Refused> {
        let flushes = std::mem::take(&mut self.mode.flushes);
        let integer = self.rounded(ToInteger::Ptx("rzi"), format, &[x])?;
        let rest = self.arithmetic(BinaryOp::Fsub, format, Rounding::NEAREST, &[x, integer])?;
        self.mode.flushes = flushes;
        // Of infinity nothing is left; the difference would be NaN.
        let magnitude = self.magnitude(format, x)?;
        let infinity = format.number(infinity_bits(format));
        let args = self.float_operands(format, &[magnitude, infinity])?;
        let infinite = self.op(Class::Pred, &format!("setp.eq.{}", format.name()), &args)?;
        let selp = format!("selp.b{}", format.bits());
        let args = [Arg::Int(0), rest, infinite.into()];
        let rest: Arg = self.op(format.class(), &selp, &args)?.into();
        let rest = self.copysign(format, &[rest, x])?;
        Ok([rest, integer])
    }
}
