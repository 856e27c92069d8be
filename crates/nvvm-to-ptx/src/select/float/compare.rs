//! `fcmp`.

use super::format::Format;
use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::inst::FcmpPredicate;
use warpc_nvvm::value::InstId;

/// The comparison of PTX for a predicate; `None` for those that do not look at their operands.
fn comparison(predicate: FcmpPredicate) -> Option<&'static str> {
    use FcmpPredicate::*;
    Some(match predicate {
        Oeq => "eq",
        Ogt => "gt",
        Oge => "ge",
        Olt => "lt",
        Ole => "le",
        One => "ne",
        Ord => "num",
        Ueq => "equ",
        Ugt => "gtu",
        Uge => "geu",
        Ult => "ltu",
        Ule => "leu",
        Une => "neu",
        Uno => "nan",
        False | True => return None,
    })
}

impl Selector<'_, '_> {
    pub(in crate::select) fn fcmp(
        &mut self,
        inst: InstId,
        predicate: FcmpPredicate,
    ) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (x, y) = (operands[0], operands[1]);
        let Some(format) = self.format_of(self.type_of(x)) else {
            return Err(self.unsupported(inst));
        };
        let made =
            self.compare_parts(format, predicate, |this| Ok([this.args(x)?, this.args(y)?]))?;
        match made {
            Some(made) => self.settle(inst, &made),
            None => {
                let value = Arg::Int((predicate == FcmpPredicate::True).into());
                for result in self.results(inst)? {
                    self.copy(result, value)?;
                }
                Ok(())
            }
        }
    }

    /// Compares values part by part; `None` if the predicate does not depend on them.
    pub(in crate::select) fn compare_parts(
        &mut self,
        format: Format,
        predicate: FcmpPredicate,
        operands: impl FnOnce(&mut Self) -> Result<[Args; 2], Refused>,
    ) -> Result<Option<Args>, Refused> {
        let Some(name) = comparison(predicate) else {
            return Ok(None);
        };
        let [a, b] = operands(self)?;
        let mut made = Args::new();
        for (&a, &b) in a.iter().zip(&b) {
            made.extend(self.compare(name, format, a, b)?);
        }
        Ok(Some(made))
    }

    /// Compares numbers or pairs: one or two predicates.
    pub(in crate::select) fn compare(
        &mut self,
        name: &str,
        format: Format,
        a: Arg,
        b: Arg,
    ) -> Result<Args, Refused> {
        let mnemonic = format!(
            "setp.{name}{}.{}",
            self.arithmetic_ftz(format),
            format.name()
        );
        let available = self.has(&mnemonic);
        if let Some(element) = format.element() {
            if available {
                let args = self.float_operands(format, &[a, b])?;
                let (low, high) = (self.code.reg(Class::Pred), self.code.reg(Class::Pred));
                let both = self.code.pair(low.into(), high.into());
                self.emit(&mnemonic, &[both, args[0], args[1]])?;
                return Ok(smallvec![low.into(), high.into()]);
            }
            let [a, b] = [self.split_pair(format, a)?, self.split_pair(format, b)?];
            let mut made = Args::new();
            for (a, b) in a.into_iter().zip(b) {
                made.extend(self.compare(name, element, a, b)?);
            }
            return Ok(made);
        }
        if !available && matches!(format, Format::F16 | Format::Bf16) {
            let (a, b) = (self.widened(format, a)?, self.widened(format, b)?);
            let mnemonic = format!("setp.{name}.f32");
            return Ok(smallvec![self.op(Class::Pred, &mnemonic, &[a, b])?.into()]);
        }
        let args = self.float_operands(format, &[a, b])?;
        Ok(smallvec![self.op(Class::Pred, &mnemonic, &args)?.into()])
    }
}
