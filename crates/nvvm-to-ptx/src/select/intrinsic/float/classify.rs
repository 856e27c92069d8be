//! `llvm.is.fpclass`: tests of the bits of a number.

use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::select::float::Format;
use crate::unit::Refused;
use warpc_nvvm::value::{InstId, Value};

/// Signalling and quiet NaNs.
const SIGNALLING: u64 = 1;
const QUIET: u64 = 2;
/// All classes.
const ALL: u64 = 0x3ff;

/// Classes of magnitudes: the bit for negative numbers, the bit for positive ones.
const INFINITE: (u64, u64) = (1 << 2, 1 << 9);
const NORMAL: (u64, u64) = (1 << 3, 1 << 8);
const SUBNORMAL: (u64, u64) = (1 << 4, 1 << 7);
const ZERO: (u64, u64) = (1 << 5, 1 << 6);

impl Selector<'_, '_> {
    /// Whether a number is of one of the classes.
    pub(super) fn is_class(
        &mut self,
        inst: InstId,
        x: Value,
        classes: Value,
    ) -> Result<Args, Refused> {
        let ty = self.type_of(x);
        let (Some(format), Some(classes)) =
            (Format::of(self.scalar_kind(ty)), self.integer(classes))
        else {
            return Err(self.unsupported(inst));
        };
        let args = self.args(x)?;
        let to = self.body.insts[inst].ty;
        self.on_elements(&[(ty, args)], to, &mut |this, args| {
            this.is_of(format, classes & ALL, args[0])
        })
    }

    fn is_of(&mut self, format: Format, classes: u64, arg: Arg) -> Result<Arg, Refused> {
        if classes == 0 || classes == ALL {
            return Ok(Arg::Int((classes != 0).into()));
        }
        // The shorter of two lists of tests.
        if classes.count_ones() > 5 {
            let others = self.is_of(format, ALL & !classes, arg)?;
            return Ok(self.op(Class::Pred, "not.pred", &[others])?.into());
        }
        let class = match format {
            Format::F64 => Class::B64,
            _ => Class::B32,
        };
        let mut bits = self.in_register(arg.as_bits(), format.class())?;
        if format.class() == Class::B16 {
            bits = self.op(Class::B32, "cvt.u32.u16", &[bits.into()])?;
        }
        let width = class.bits();
        let mask = (format.sign_bits() - 1) as i64;
        let magnitude = self.op(
            class,
            &format!("and.b{width}"),
            &[bits.into(), Arg::Int(mask)],
        )?;
        let magnitude: Arg = magnitude.into();
        let quiet_bit = 1u64 << (format.fraction_bits() - 1);
        let smallest = 1u64 << format.fraction_bits();
        let infinity = format.nan_bits() & !quiet_bit;
        let mut found: Option<Arg> = None;
        // NaNs: all above infinity, the quiet ones from the quiet bit on.
        let nan = match classes & (SIGNALLING | QUIET) {
            0 => None,
            QUIET => Some((infinity | quiet_bit, format.sign_bits() - 1)),
            SIGNALLING => Some((infinity + 1, (infinity | quiet_bit) - 1)),
            _ => Some((infinity + 1, format.sign_bits() - 1)),
        };
        if let Some((from, to)) = nan {
            let test = self.in_range(class, magnitude, from, to)?;
            found = Some(test);
        }
        let mut sign = None;
        for ((negative, positive), from, to) in [
            (INFINITE, infinity, infinity),
            (NORMAL, smallest, infinity - 1),
            (SUBNORMAL, 1, smallest - 1),
            (ZERO, 0, 0),
        ] {
            let (minus, plus) = (classes & negative != 0, classes & positive != 0);
            if !minus && !plus {
                continue;
            }
            let mut test = self.in_range(class, magnitude, from, to)?;
            if minus != plus {
                let sign = match sign {
                    Some(sign) => sign,
                    None => {
                        // The sign bit alone is above the largest magnitude.
                        let setp = format!("setp.ne.b{width}");
                        let made = self.op(Class::Pred, &setp, &[bits.into(), magnitude])?;
                        *sign.insert(Arg::from(made))
                    }
                };
                let sign = match minus {
                    true => sign,
                    false => self.op(Class::Pred, "not.pred", &[sign])?.into(),
                };
                test = self.op(Class::Pred, "and.pred", &[test, sign])?.into();
            }
            found = Some(match found {
                Some(found) => self.op(Class::Pred, "or.pred", &[found, test])?.into(),
                None => test,
            });
        }
        Ok(found.unwrap_or(Arg::Int(0)))
    }

    /// Whether an unsigned number lies between two others.
    fn in_range(&mut self, class: Class, arg: Arg, from: u64, to: u64) -> Result<Arg, Refused> {
        let width = class.bits();
        if from == to {
            let setp = format!("setp.eq.b{width}");
            return Ok(self
                .op(Class::Pred, &setp, &[arg, Arg::Int(from as i64)])?
                .into());
        }
        let distance = match from {
            0 => arg,
            _ => self
                .op(
                    class,
                    &format!("sub.s{width}"),
                    &[arg, Arg::Int(from as i64)],
                )?
                .into(),
        };
        let setp = format!("setp.le.u{width}");
        let limit = Arg::Int((to - from) as i64);
        Ok(self.op(Class::Pred, &setp, &[distance, limit])?.into())
    }
}
