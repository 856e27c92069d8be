//! The opposite and the magnitude of a float, in the instruction that computes with it.
//!
//! Only where the machine makes the same of both: results that are no numbers are all the same one there, so that those
//! who compute are meant, and not those who hand bits on (`SEL`, stores, moves).

use super::{Fuse, inner};
use crate::immediate::sources;
use crate::ir::{Function, Inst, Op, Operand};
use warpc_sass::template::Kind;
use warpc_sass::{Marks, Value};

/// A value with marks of which the opposite or the magnitude is taken by others.
fn composed(inner: Marks, outer: Marks) -> Marks {
    match outer.has(Marks::BARS) {
        true => outer,
        false => Marks(inner.0 ^ outer.0 & Marks::MINUS.0),
    }
}

impl Fuse {
    pub(super) fn signed(&self, function: &Function, inst: &Inst) -> Option<Inst> {
        // Signs count there although only magnitudes are compared.
        if inst.shape.has("XORSIGN") {
            return None;
        }
        let is_double = inst.shape.opcode().starts_with('D');
        let mut made: Option<Inst> = None;
        for slot in sources(inst.shape) {
            let operand = inst.operands[slot];
            let to = &inst.shape.slots()[slot];
            if to.kind() != Kind::Register || !matches!(operand.op, Op::Reg(..)) {
                continue;
            }
            let Some((op, marks)) = self.source(function, operand, is_double, inst) else {
                continue;
            };
            let marks = composed(marks, operand.marks);
            if to.marks().has(marks) {
                made.get_or_insert_with(|| inst.clone()).operands[slot] = Operand { op, marks };
            }
        }
        made
    }

    /// What an operand is the opposite or the magnitude of.
    fn source(
        &self,
        function: &Function,
        operand: Operand,
        is_double: bool,
        outer: &Inst,
    ) -> Option<(Op, Marks)> {
        let inner = inner(function, &self.values, operand.op)?;
        match (inner.shape.name(), is_double) {
            ("FADD", false) | ("DADD", true) => {}
            // Both flush small numbers.
            ("FADD.FTZ", false) if outer.shape.has("FTZ") => {}
            _ => return None,
        }
        let mut own = sources(inner.shape).map(|slot| inner.operands[slot]);
        let (first, second) = (own.next()?, own.next()?);
        // x - 0 is x, also where x is a zero.
        let is_nothing =
            |one: Operand| one.op == Op::Value(Value::ZERO) && one.marks == Marks::MINUS;
        let x = match (is_nothing(first), is_nothing(second)) {
            (false, true) => first,
            (true, false) => second,
            _ => return None,
        };
        let Op::Reg(reg, lane) = x.op else {
            return None;
        };
        if is_double {
            // All of the sum is read, from its first register on.
            let Op::Reg(from, at) = operand.op else {
                return None;
            };
            let is_start = inner
                .writes()
                .any(|(to, first, _)| to == from && first == at);
            let upper = self.values.write(from, at + 1) == self.values.write(from, at);
            let is_pair = lane % 2 == 0 && function.data(reg).alignment().is_multiple_of(2);
            if !is_start || !upper || !is_pair {
                return None;
            }
        }
        Some((x.op, x.marks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_composed() {
        let both = Marks::MINUS.and(Marks::BARS);
        assert_eq!(composed(Marks::MINUS, Marks::NONE), Marks::MINUS);
        assert_eq!(composed(Marks::MINUS, Marks::MINUS), Marks::NONE);
        assert_eq!(composed(both, Marks::MINUS), Marks::BARS);
        assert_eq!(composed(Marks::MINUS, Marks::BARS), Marks::BARS);
        assert_eq!(composed(Marks::BARS, both), both);
    }
}
