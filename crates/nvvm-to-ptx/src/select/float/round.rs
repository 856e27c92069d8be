//! Rounding to integers that stay floating-point numbers, or become integers.

use super::Rounding;
use super::format::Format;
use crate::code::{Arg, Class};
use crate::select::Selector;
use crate::unit::Refused;
use warpc_nvvm::inst::BinaryOp;

/// How a number is rounded to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToInteger {
    /// As PTX says it: `rni`, `rzi`, `rmi`, `rpi`.
    Ptx(&'static str),
    /// To the nearest, halves away from zero.
    HalvesAway,
}

impl Selector<'_, '_> {
    /// The integer near a number, as a number.
    pub(in crate::select) fn rounded(
        &mut self,
        how: ToInteger,
        format: Format,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        if format.is_pair() {
            return self.on_halves(format, args, &mut |this, format, args| {
                this.rounded(how, format, args)
            });
        }
        let mode = match how {
            ToInteger::Ptx(mode) => mode,
            ToInteger::HalvesAway => return self.rounded_away(format, args[0]),
        };
        let name = format.name();
        let mnemonic = format!("cvt.{mode}{}.{name}.{name}", self.ftz(format));
        if self.has(&mnemonic) {
            return self.float_op(format, &mnemonic, args);
        }
        self.in_single(format, args, true, &mut |this, args| {
            this.float_op(Format::F32, &format!("cvt.{mode}.f32.f32"), args)
        })
    }

    /// Adding the largest number below a half, with the sign, and cutting off: the sum is rounded up to
    /// the next integer exactly if the fraction was a half or more.
    fn rounded_away(&mut self, format: Format, arg: Arg) -> Result<Arg, Refused> {
        let half = match format {
            Format::F32 => Arg::F32(0x3eff_ffff),
            Format::F64 => Arg::F64(0x3fdf_ffff_ffff_ffff),
            _ => {
                return self.in_single(format, &[arg], true, &mut |this, args| {
                    let flushes = std::mem::take(&mut this.mode.flushes);
                    let made = this.rounded_away(Format::F32, args[0]);
                    this.mode.flushes = flushes;
                    made
                });
            }
        };
        let half = self.copysign(format, &[half, arg])?;
        let sum = self.arithmetic(BinaryOp::Fadd, format, Rounding::NEAREST, &[arg, half])?;
        self.rounded(ToInteger::Ptx("rzi"), format, &[sum])
    }

    /// The integer near a number, as an integer of `bits` bits; what does not fit is arbitrary.
    pub(in crate::select) fn rounded_integer(
        &mut self,
        how: ToInteger,
        format: Format,
        bits: u32,
        arg: Arg,
    ) -> Result<Arg, Refused> {
        let (format, arg) = match format {
            Format::Bf16 if how == ToInteger::HalvesAway || !self.has("cvt.rzi.s32.bf16") => {
                (Format::F32, self.widened(format, arg)?)
            }
            _ => (format, arg),
        };
        let (mode, arg) = match how {
            ToInteger::Ptx(mode) => (mode, arg),
            ToInteger::HalvesAway => ("rzi", self.rounded_away(format, arg)?),
        };
        let class = if bits > 32 { Class::B64 } else { Class::B32 };
        let arg = self.float_operand(format, arg)?;
        let ftz = self.ftz(format);
        let mnemonic = format!("cvt.{mode}{ftz}.s{}.{}", class.bits(), format.name());
        Ok(self.op(class, &mnemonic, &[arg])?.into())
    }
}
