//! Comparisons and choices.

use super::Selector;
use super::any_width::comparison;
use super::extend::Above;
use crate::code::{Arg, Class, Reg};
use crate::unit::Refused;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate, Op};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

impl Selector<'_, '_> {
    pub(super) fn icmp(&mut self, inst: InstId, predicate: IcmpPredicate) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (x, y) = (operands[0], operands[1]);
        let ty = self.type_of(x);
        if let Type::Int(2..=64) = self.kind(ty) {
            if let Some(answer) = self.sign_answer(predicate, x, y) {
                return self.copy_all(inst, &[Arg::Int(answer.into())]);
            }
            let made = self.compare_values(predicate, x, y)?;
            return self.settle(inst, &[made.into()]);
        }
        if let Type::Vector { element, len, .. } = self.kind(ty) {
            let bits = self.compared_bits(inst, element)?;
            let (a, b) = (self.lanes(x)?, self.lanes(y)?);
            let result = self.module.types.scalar(self.body.insts[inst].ty);
            let made = self.element_wise(result, len, |this, index| {
                let a = this.lane_args(element, &a[index])?;
                let b = this.lane_args(element, &b[index])?;
                let made = this.int_compare(predicate, bits, &a, &b)?;
                Ok(smallvec::smallvec![made.into()])
            })?;
            return self.settle(inst, &made);
        }
        let bits = self.compared_bits(inst, ty)?;
        let (a, b) = (self.args(x)?, self.args(y)?);
        let made = self.int_compare(predicate, bits, &a, &b)?;
        self.settle(inst, &[made.into()])
    }

    /// Compares integers that have one register each.
    fn compare_values(
        &mut self,
        predicate: IcmpPredicate,
        x: Value,
        y: Value,
    ) -> Result<Reg, Refused> {
        let Type::Int(bits) = self.kind(self.type_of(x)) else {
            return Err(self.refuse(warpc_diag::codes::UNSUPPORTED, "no integers are compared"));
        };
        let (_, signed) = comparison(predicate);
        let equality = matches!(predicate, IcmpPredicate::Eq | IcmpPredicate::Ne);
        // Whether two numbers are equal is seen with any extension, if both have the same.
        let both_signed = || self.known(x).sign && self.known(y).sign;
        let above = match signed || (equality && !matches!(bits, 32 | 64) && both_signed()) {
            true => Above::Sign,
            false => Above::Zeros,
        };
        let (a, b) = (self.arg_with(x, above)?, self.arg_with(y, above)?);
        self.compare_registers(predicate, Class::for_bits(bits), a, b)
    }

    fn compared_bits(&mut self, inst: InstId, ty: TypeId) -> Result<u32, Refused> {
        match self.kind(ty) {
            Type::Int(bits) => Ok(bits),
            Type::Ptr(space) => Ok(self.unit.layout.pointer_bits(space)),
            _ => Err(self.unsupported(inst)),
        }
    }

    /// Compares two registers, or a register and a constant.
    pub(super) fn compare_registers(
        &mut self,
        predicate: IcmpPredicate,
        class: Class,
        a: Arg,
        b: Arg,
    ) -> Result<Reg, Refused> {
        let (name, signed) = comparison(predicate);
        self.set_predicate(name, signed, class, a, b, None)
    }

    /// `setp`, with what the result is combined with: `and` or `or` and a predicate.
    pub(super) fn set_predicate(
        &mut self,
        name: &str,
        signed: bool,
        class: Class,
        a: Arg,
        b: Arg,
        combined: Option<(&str, Reg)>,
    ) -> Result<Reg, Refused> {
        let letter = match (signed, name) {
            (true, _) => 's',
            (false, "eq" | "ne") => 'b',
            (false, _) => 'u',
        };
        let a = match a {
            Arg::Int(_) => self.in_register(a, class)?.into(),
            other => other,
        };
        let bits = class.bits();
        match combined {
            None => self.op(Class::Pred, &format!("setp.{name}.{letter}{bits}"), &[a, b]),
            Some((how, with)) => self.op(
                Class::Pred,
                &format!("setp.{name}.{how}.{letter}{bits}"),
                &[a, b, with.into()],
            ),
        }
    }

    /// True is -1 if signed, so it is less than false.
    pub(super) fn compare_predicates(
        &mut self,
        predicate: IcmpPredicate,
        a: Arg,
        b: Arg,
    ) -> Result<Reg, Refused> {
        use IcmpPredicate::*;
        let one = Arg::Int(1);
        let not_a = |this: &mut Self| this.predicate_binary(BinaryOp::Xor, a, one);
        let not_b = |this: &mut Self| this.predicate_binary(BinaryOp::Xor, b, one);
        let (op, a, b) = match predicate {
            Eq => (BinaryOp::Xor, a, not_b(self)?),
            Ne => (BinaryOp::Xor, a, b),
            Ugt | Slt => (BinaryOp::And, a, not_b(self)?),
            Ult | Sgt => (BinaryOp::And, not_a(self)?, b),
            Uge | Sle => (BinaryOp::Or, a, not_b(self)?),
            Ule | Sge => (BinaryOp::Or, not_a(self)?, b),
        };
        let made = self.predicate_binary(op, a, b)?;
        self.in_register(made, Class::Pred)
    }

    pub(super) fn select(&mut self, inst: InstId) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (condition, yes, no) = (operands[0], operands[1], operands[2]);
        let ty = self.body.insts[inst].ty;
        if let Type::Vector { len, .. } = self.kind(self.type_of(condition)) {
            let element = self.module.types.scalar(ty);
            let conditions = self.args(condition)?;
            let (yes, no) = (self.lanes(yes)?, self.lanes(no)?);
            let parts = self.parts(element)?;
            let made = self.element_wise(element, len, |this, index| {
                let yes = this.lane_args(element, &yes[index])?;
                let no = this.lane_args(element, &no[index])?;
                let condition = this.in_register(conditions[index], Class::Pred)?;
                let pairs = parts.iter().zip(yes.into_iter().zip(no));
                pairs
                    .map(|(part, (yes, no))| this.chosen(part.class, condition, yes, no))
                    .collect()
            })?;
            return self.settle(inst, &made);
        }
        let (condition, negated) = self.condition(condition)?;
        let (yes, no) = if negated { (no, yes) } else { (yes, no) };
        let (yes, no) = (self.args(yes)?, self.args(no)?);
        let parts = self.parts(ty)?;
        let mut made = crate::code::Args::new();
        for (part, (&yes, &no)) in parts.iter().zip(yes.iter().zip(&no)) {
            made.push(self.chosen(part.class, condition, yes, no)?);
        }
        self.settle(inst, &made)
    }

    /// A truth value in a register, and whether it is turned round: a `not` is taken in.
    pub(super) fn condition(&mut self, value: Value) -> Result<(Reg, bool), Refused> {
        let mut value = value;
        let mut negated = false;
        while let Some((inst, Op::Binary(BinaryOp::Xor))) = self.definition(value) {
            let operands = self.body.operands(inst);
            if self.integer(operands[1]) != Some(1) {
                break;
            }
            (value, negated) = (operands[0], !negated);
        }
        Ok((self.reg_of(value)?, negated))
    }

    /// `condition ? yes : no` for one part.
    pub(super) fn chosen(
        &mut self,
        class: Class,
        condition: Reg,
        yes: Arg,
        no: Arg,
    ) -> Result<Arg, Refused> {
        if yes == no {
            return Ok(yes);
        }
        let mnemonic = match class {
            Class::Pred => return self.chosen_predicate(condition, yes, no),
            Class::B16 => "selp.b16",
            Class::B32 => "selp.b32",
            _ => "selp.b64",
        };
        let (yes, no) = (yes.as_bits(), no.as_bits());
        Ok(self
            .op(class, mnemonic, &[yes, no, condition.into()])?
            .into())
    }

    /// `(c & yes) | (!c & no)`, shorter if one is a constant.
    fn chosen_predicate(&mut self, condition: Reg, yes: Arg, no: Arg) -> Result<Arg, Refused> {
        let c: Arg = condition.into();
        let turned = |this: &mut Self| this.predicate_binary(BinaryOp::Xor, c, Arg::Int(1));
        let bit = |arg: Arg| match arg {
            Arg::Int(number) => Some(number & 1 == 1),
            _ => None,
        };
        match (bit(yes), bit(no)) {
            (Some(true), _) => self.predicate_binary(BinaryOp::Or, c, no),
            (_, Some(false)) => self.predicate_binary(BinaryOp::And, c, yes),
            (Some(false), _) => {
                let c = turned(self)?;
                self.predicate_binary(BinaryOp::And, c, no)
            }
            (_, Some(true)) => {
                let c = turned(self)?;
                self.predicate_binary(BinaryOp::Or, c, yes)
            }
            _ => {
                let taken = self.predicate_binary(BinaryOp::And, c, yes)?;
                let other = turned(self)?;
                let left = self.predicate_binary(BinaryOp::And, other, no)?;
                self.predicate_binary(BinaryOp::Or, taken, left)
            }
        }
    }
}
