//! `half` and `bfloat` by way of `float`, where the target lacks an instruction for them.
//!
//! `float` has more than twice the bits of either, and two more: sums, products, quotients and roots that
//! are rounded to `float` first and then to the shorter format are the right ones. A fused product and sum
//! is not: it is rounded to odd first ([`Selector::odd`]).

use super::format::{ElementOperation, Format};
use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::unit::Refused;

impl Selector<'_, '_> {
    /// A number of 16 bits as `float`. This is exact.
    pub(in crate::select) fn widened(&mut self, format: Format, arg: Arg) -> Result<Arg, Refused> {
        if let Some(bits) = format.bits_of(arg) {
            return Ok(Arg::F32(match format {
                Format::Bf16 => (bits as u32) << 16,
                _ => single_of_half(bits as u16),
            }));
        }
        if format == Format::F16 {
            return Ok(self.op(Class::B32, "cvt.f32.f16", &[arg])?.into());
        }
        if self.has("cvt.f32.bf16") {
            return Ok(self.op(Class::B32, "cvt.f32.bf16", &[arg])?.into());
        }
        let wide = self.op(Class::B32, "cvt.u32.u16", &[arg])?;
        Ok(self
            .op(Class::B32, "shl.b32", &[wide.into(), Arg::Int(16)])?
            .into())
    }

    /// A `float` rounded to the nearest number of 16 bits.
    pub(in crate::select) fn narrowed(&mut self, format: Format, arg: Arg) -> Result<Arg, Refused> {
        let arg = self.float_operand(Format::F32, arg)?;
        if format == Format::F16 {
            return Ok(self.op(Class::B16, "cvt.rn.f16.f32", &[arg])?.into());
        }
        if self.has("cvt.rn.bf16.f32") {
            return Ok(self.op(Class::B16, "cvt.rn.bf16.f32", &[arg])?.into());
        }
        // Adding just under half of the last bit kept, and that bit itself, carries where it must; NaN
        // keeps its top bits and stays quiet.
        let word = arg.as_bits();
        let last = self.op(Class::B32, "bfe.u32", &[word, Arg::Int(16), Arg::Int(1)])?;
        let sum = self.op(Class::B32, "add.s32", &[last.into(), word])?;
        let rounded = self.op(Class::B32, "add.s32", &[sum.into(), Arg::Int(0x7fff)])?;
        let is_nan = self.op(Class::Pred, "setp.nan.f32", &[arg, arg])?;
        let quiet = self.op(Class::B32, "or.b32", &[word, Arg::Int(0x40_0000)])?;
        let word = self.op(
            Class::B32,
            "selp.b32",
            &[quiet.into(), rounded.into(), is_nan.into()],
        )?;
        self.upper_half(word.into())
    }

    /// A `float` that a number of 16 bits holds exactly, as that.
    pub(in crate::select) fn narrowed_exactly(
        &mut self,
        format: Format,
        arg: Arg,
    ) -> Result<Arg, Refused> {
        match format {
            Format::Bf16 => self.upper_half(arg.as_bits()),
            _ => self.narrowed(format, arg),
        }
    }

    fn upper_half(&mut self, word: Arg) -> Result<Arg, Refused> {
        let word = self.in_register(word, Class::B32)?;
        let (low, high) = (self.code.reg(Class::B16), self.code.reg(Class::B16));
        let both = self.code.vector(&[low.into(), high.into()]);
        self.emit("mov.b32", &[both, word.into()])?;
        Ok(high.into())
    }

    /// Does an operation on numbers of 16 bits as `float`, and rounds what comes out.
    pub(in crate::select) fn in_single(
        &mut self,
        format: Format,
        args: &[Arg],
        exact: bool,
        operation: &mut ElementOperation<'_, Self>,
    ) -> Result<Arg, Refused> {
        let mut wide = Args::new();
        for &arg in args {
            wide.push(self.widened(format, arg)?);
        }
        let result = operation(self, &wide)?;
        if exact {
            self.narrowed_exactly(format, result)
        } else {
            self.narrowed(format, result)
        }
    }

    /// A `float` that was rounded toward zero, rounded to odd: its last bit is set if something was lost.
    /// Rounding that to a shorter format gives what rounding the lost number gives.
    pub(in crate::select) fn odd(&mut self, toward_zero: Arg, lost: Arg) -> Result<Arg, Refused> {
        let bit = self.op(Class::B32, "selp.b32", &[Arg::Int(1), Arg::Int(0), lost])?;
        Ok(self
            .op(Class::B32, "or.b32", &[toward_zero.as_bits(), bit.into()])?
            .into())
    }
}

/// A `half` as `float`.
pub fn single_of_half(bits: u16) -> u32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    let magnitude = match (exponent, fraction) {
        (0, 0) => 0,
        (0, _) => {
            // The first bit of the fraction becomes the one that is not written.
            let shift = fraction.leading_zeros() - 21;
            ((113 - shift) << 23) | ((fraction << shift & 0x3ff) << 13)
        }
        (31, _) => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    sign | magnitude
}

#[cfg(test)]
mod tests {
    use super::single_of_half;

    #[test]
    fn halves_widen_exactly() {
        for (half, single) in [
            (0x0000, 0.0f32),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 1.0 / 16_777_216.0),
            (0x03ff, 1023.0 / 16_777_216.0),
            (0x0400, 1.0 / 16_384.0),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(single_of_half(half), single.to_bits(), "{half:#x}");
        }
        assert!(f32::from_bits(single_of_half(0x7c01)).is_nan());
    }
}
