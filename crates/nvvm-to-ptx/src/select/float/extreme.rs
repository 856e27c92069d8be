//! Minimum and maximum.
//!
//! PTX's `min` and `max` order minus zero before plus zero and prefer a number to a NaN, as
//! `minimumnum` and `minnum` do; with `.NaN` a NaN wins, as `minimum` wants.

use super::format::Format;
use crate::code::{Arg, Class};
use crate::select::Selector;
use crate::unit::Refused;

impl Selector<'_, '_> {
    /// The smaller or larger of two numbers; with `nan` a NaN wins, else a number.
    pub(in crate::select) fn extreme(
        &mut self,
        name: &'static str,
        nan: bool,
        format: Format,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        let modifier = if nan { ".NaN" } else { "" };
        let mnemonic = format!(
            "{name}{}{modifier}.{}",
            self.arithmetic_ftz(format),
            format.name()
        );
        if self.has(&mnemonic) {
            return self.float_op(format, &mnemonic, args);
        }
        if format.is_pair() {
            return self.on_halves(format, args, &mut |this, format, args| {
                this.extreme(name, nan, format, args)
            });
        }
        if matches!(format, Format::F16 | Format::Bf16) {
            return self.in_single(format, args, true, &mut |this, args| {
                let flushes = std::mem::take(&mut this.mode.flushes);
                let made = this.extreme(name, nan, Format::F32, args);
                this.mode.flushes = flushes;
                made
            });
        }
        let plain = format!("{name}{}.{}", self.arithmetic_ftz(format), format.name());
        let args = self.float_operands(format, args)?;
        let number = self.float_op(format, &plain, &args)?;
        if !nan {
            return Ok(number);
        }
        let setp = format!("setp.nan.{}", format.name());
        let unordered = self.op(Class::Pred, &setp, &args)?;
        let selp = format!("selp.b{}", format.bits());
        let canonical = format.number(format.nan_bits()).as_bits();
        Ok(self
            .op(
                format.class(),
                &selp,
                &[canonical, number, unordered.into()],
            )?
            .into())
    }
}
