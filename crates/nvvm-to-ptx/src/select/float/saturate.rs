//! `llvm.fptosi.sat` and `llvm.fptoui.sat`.
//!
//! PTX's conversions give the nearest end for what is beyond the range of a register, and zero for NaN
//! (measured), but the lowest or highest integer for NaN if 64 bits take part. Shorter integers are
//! clamped after that.

use super::format::Format;
use crate::code::{Arg, Class};
use crate::select::Selector;
use crate::unit::Refused;

impl Selector<'_, '_> {
    /// The integer of `bits` bits nearest to the integer part of a number; zero for NaN.
    pub(in crate::select) fn saturated(
        &mut self,
        format: Format,
        signed: bool,
        bits: u32,
        arg: Arg,
    ) -> Result<Arg, Refused> {
        let class = if bits > 32 { Class::B64 } else { Class::B32 };
        let mut made = self.clamped_integer(format, signed, class, arg)?;
        if class == Class::B64 || format == Format::F64 {
            let unordered = self.compare("nan", format, arg, arg)?;
            let selp = format!("selp.b{}", class.bits());
            made = self
                .op(class, &selp, &[Arg::Int(0), made, unordered[0]])?
                .into();
        }
        if bits == 1 {
            // -1 is the only value below zero, 1 the only one above.
            let setp = if signed { "setp.lt.s32" } else { "setp.ne.b32" };
            return Ok(self.op(Class::Pred, setp, &[made, Arg::Int(0)])?.into());
        }
        if bits == class.bits() {
            return Ok(made);
        }
        let width = class.bits();
        if signed {
            let end = 1i64 << (bits - 1);
            made = self
                .op(class, &format!("max.s{width}"), &[made, Arg::Int(-end)])?
                .into();
            made = self
                .op(class, &format!("min.s{width}"), &[made, Arg::Int(end - 1)])?
                .into();
        } else {
            let end = Arg::Int(((1u64 << bits) - 1) as i64);
            made = self
                .op(class, &format!("min.u{width}"), &[made, end])?
                .into();
        }
        Ok(made)
    }
}
