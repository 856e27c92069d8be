//! Comparisons and choices.

use super::Selector;
use crate::code::{Arg, Class, Reg};
use crate::unit::Refused;
use warpc_nvvm::inst::IcmpPredicate;
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};

impl Selector<'_, '_> {
    pub(super) fn icmp(&mut self, inst: InstId, predicate: IcmpPredicate) -> Result<(), Refused> {
        let result = self.result(inst)?;
        self.compare_into(result, inst, predicate)
    }

    /// Compares two integers or pointers.
    pub(super) fn compare_into(
        &mut self,
        result: Reg,
        inst: InstId,
        predicate: IcmpPredicate,
    ) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (x, y) = (operands[0], operands[1]);
        let bits = self.compared_bits(inst, x)?;
        let (a, b) = (self.arg(x)?, self.arg(y)?);
        if bits == 1 {
            return self.compare_predicates(result, predicate, a, b);
        }
        use IcmpPredicate::*;
        let (name, signed) = match predicate {
            Eq => ("eq", false),
            Ne => ("ne", false),
            Ugt => ("gt", false),
            Uge => ("ge", false),
            Ult => ("lt", false),
            Ule => ("le", false),
            Sgt => ("gt", true),
            Sge => ("ge", true),
            Slt => ("lt", true),
            Sle => ("le", true),
        };
        let (a, b) = if signed {
            (self.sign_extended(a, bits)?, self.sign_extended(b, bits)?)
        } else {
            (self.zero_extended(a, bits)?, self.zero_extended(b, bits)?)
        };
        let letter = match (signed, predicate) {
            (true, _) => "s",
            (false, Eq | Ne) => "b",
            (false, _) => "u",
        };
        let width = Class::for_bits(bits).bits();
        self.emit(
            &format!("setp.{name}.{letter}{width}"),
            &[result.into(), a, b],
        )
    }

    fn compared_bits(&mut self, inst: InstId, value: Value) -> Result<u32, Refused> {
        match self.kind(self.type_of(value)) {
            Type::Int(bits @ 1..=64) => Ok(bits),
            Type::Ptr(space) => Ok(self.unit.layout.pointer_bits(space)),
            _ => Err(self.unsupported(inst)),
        }
    }

    /// True is -1 if signed, so it is less than false.
    fn compare_predicates(
        &mut self,
        result: Reg,
        predicate: IcmpPredicate,
        a: Arg,
        b: Arg,
    ) -> Result<(), Refused> {
        use IcmpPredicate::*;
        let a: Arg = self.in_register(a, Class::Pred)?.into();
        let b: Arg = self.in_register(b, Class::Pred)?.into();
        let not = |this: &mut Self, arg: Arg| -> Result<Arg, Refused> {
            Ok(this.op(Class::Pred, "not.pred", &[arg])?.into())
        };
        let (mnemonic, a, b) = match predicate {
            Eq => {
                let different = self.op(Class::Pred, "xor.pred", &[a, b])?;
                return self.emit("not.pred", &[result.into(), different.into()]);
            }
            Ne => ("xor.pred", a, b),
            Ugt | Slt => ("and.pred", a, not(self, b)?),
            Ult | Sgt => ("and.pred", not(self, a)?, b),
            Uge | Sle => ("or.pred", a, not(self, b)?),
            Ule | Sge => ("or.pred", not(self, a)?, b),
        };
        self.emit(mnemonic, &[result.into(), a, b])
    }

    pub(super) fn select(&mut self, inst: InstId) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (condition, yes, no) = (operands[0], operands[1], operands[2]);
        if !matches!(self.kind(self.type_of(condition)), Type::Int(1)) {
            return Err(self.unsupported(inst));
        }
        let yes = self.args(yes)?;
        let no = self.args(no)?;
        let condition = self.reg_of(condition)?;
        let results = self.results(inst)?;
        for ((&result, &yes), &no) in results.iter().zip(&yes).zip(&no) {
            self.choose(result, condition, yes, no)?;
        }
        Ok(())
    }

    /// `result = condition ? yes : no` for one part.
    pub fn choose(
        &mut self,
        result: Reg,
        condition: Reg,
        yes: Arg,
        no: Arg,
    ) -> Result<(), Refused> {
        let mnemonic = match self.code.class(result) {
            Class::Pred => {
                // (c & yes) | (!c & no)
                let yes = self.in_register(yes, Class::Pred)?;
                let no = self.in_register(no, Class::Pred)?;
                let taken = self.op(Class::Pred, "and.pred", &[condition.into(), yes.into()])?;
                let other = self.op(Class::Pred, "not.pred", &[condition.into()])?;
                let left = self.op(Class::Pred, "and.pred", &[other.into(), no.into()])?;
                return self.emit("or.pred", &[result.into(), taken.into(), left.into()]);
            }
            Class::B16 => "selp.b16",
            Class::B32 => "selp.b32",
            _ => "selp.b64",
        };
        let (yes, no) = (yes.as_bits(), no.as_bits());
        self.emit(mnemonic, &[result.into(), yes, no, condition.into()])
    }
}
