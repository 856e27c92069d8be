//! Instructions that compute with numbers of 32 or 64 bits.

use super::layout::Layout;
use crate::immediate::Immediates;
use crate::ir::{BlockId, File, Function, Guard, Inst, Op, Operand, Reg};
use crate::passes::opt_fuse::make_with_numbers;
use crate::pattern;
use warpc_sass::{Marks, Value};

/// A number: a half, or two.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Number {
    pub(super) low: Operand,
    pub(super) high: Option<Operand>,
}

/// How numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    fn text(self) -> &'static str {
        match self {
            Comparison::Different => "NE",
            Comparison::Less => "LT",
            Comparison::LessOrEqual => "LE",
            Comparison::Greater => "GT",
            Comparison::GreaterOrEqual => "GE",
        }
    }

    /// The same with sides changed.
    pub(super) fn turned(self) -> Comparison {
        match self {
            Comparison::Different => Comparison::Different,
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        }
    }
}

pub(super) fn constant(bits: u32) -> Operand {
    Operand::plain(Op::Value(match bits {
        0 => Value::ZERO,
        bits => Value::Number(i64::from(bits as i32)),
    }))
}

pub(super) fn bits(operand: Operand) -> Option<u32> {
    match (operand.op, operand.marks) {
        (Op::Value(Value::Number(number)), Marks::NONE) => Some(number as u32),
        (Op::Value(Value::ZERO), Marks::NONE) => Some(0),
        _ => None,
    }
}

impl Number {
    /// A constant as wide as another number.
    pub(super) fn constant(self, value: u64) -> Number {
        Number {
            low: constant(value as u32),
            high: self.high.map(|_| constant((value >> 32) as u32)),
        }
    }

    /// The number, if it is constant.
    pub(super) fn value(self) -> Option<u64> {
        let high = self.high.map_or(Some(0), bits)?;
        Some(u64::from(high) << 32 | u64::from(bits(self.low)?))
    }

    pub(super) fn is_wide(self) -> bool {
        self.high.is_some()
    }
}

/// Appends instructions.
pub(super) struct Maker<'a> {
    pub(super) function: &'a Function,
    pub(super) layout: &'a mut Layout,
    pub(super) immediates: &'a mut Immediates,
    /// What they come from.
    pub(super) like: &'a Inst,
    pub(super) insts: Vec<Inst>,
}

pub(super) fn lane(reg: Reg, lane: u8) -> Operand {
    Operand::plain(Op::Reg(reg, lane))
}

impl Maker<'_> {
    pub(super) fn step(&mut self, text: &str, ops: &[Operand]) -> Option<()> {
        let made = make_with_numbers(self.function, self.immediates, text, self.like, ops)?;
        self.insts.push(made);
        Some(())
    }

    /// A branch.
    pub(super) fn branch(&mut self, guard: Option<Guard>, to: BlockId) -> Option<()> {
        let pattern = pattern::find(self.function.sm, "BRA `(x)")?;
        let made = pattern.filled(&[Op::Block(to)], guard, self.like.span);
        self.insts.push(made);
        Some(())
    }

    /// A copy.
    pub(super) fn copy(&mut self, to: Operand, from: Operand) -> Option<()> {
        match bits(from) {
            Some(0) => self.step("MOV R0, RZ", &[to]),
            Some(bits) => self.step(&format!("MOV R0, {bits:#x}"), &[to]),
            None => self.step("MOV R0, R0", &[to, from]),
        }
    }

    /// `to = from + by`.
    pub(super) fn add_to(&mut self, to: Reg, from: Number, by: u64) -> Option<()> {
        let by = from.constant(by);
        let (Some(high), Some(by_high)) = (from.high, by.high) else {
            return match by.value() {
                Some(0) => self.copy(lane(to, 0), from.low),
                _ => self.step("IADD3 R0, R0, R0, RZ", &[lane(to, 0), from.low, by.low]),
            };
        };
        if by.value() == Some(0) {
            self.copy(lane(to, 0), from.low)?;
            return self.copy(lane(to, 1), high);
        }
        let carry = lane(self.layout.reg(File::Predicate, 1), 0);
        let ops = [lane(to, 0), carry, from.low, by.low];
        self.step("IADD3 R0, P0, R0, R0, RZ", &ops)?;
        let ops = [lane(to, 1), high, by_high, carry];
        self.step("IADD3.X R0, R0, R0, RZ, P0, !PT", &ops)
    }

    /// A register with `from + by`.
    pub(super) fn add(&mut self, from: Number, by: u64) -> Option<Number> {
        if let Some(known) = from.value() {
            return Some(from.constant(known.wrapping_add(by)));
        }
        let to = self.register(from);
        self.add_to(to, from, by)?;
        Some(self.whole(to, from))
    }

    fn register(&mut self, like: Number) -> Reg {
        self.layout
            .reg(File::Register, 1 + u8::from(like.is_wide()))
    }

    fn whole(&self, reg: Reg, like: Number) -> Number {
        Number {
            low: lane(reg, 0),
            high: like.high.map(|_| lane(reg, 1)),
        }
    }

    /// `a - b`; one of them is in registers.
    pub(super) fn difference(&mut self, a: Number, b: Number) -> Option<Number> {
        if let Some(known) = b.value() {
            return match known {
                0 => Some(a),
                known => self.add(a, known.wrapping_neg()),
            };
        }
        let to = self.register(a);
        let marked = |operand: Operand, marks| Operand { marks, ..operand };
        // The one with a mark first: a constant stands in the second place.
        match (a.high, b.high) {
            (Some(a_high), Some(b_high)) => {
                let carry = lane(self.layout.reg(File::Predicate, 1), 0);
                let ops = [lane(to, 0), carry, marked(b.low, Marks::MINUS), a.low];
                self.step("IADD3 R0, P0, R0, R0, RZ", &ops)?;
                let ops = [lane(to, 1), marked(b_high, Marks::TILDE), a_high, carry];
                self.step("IADD3.X R0, R0, R0, RZ, P0, !PT", &ops)?;
            }
            _ => {
                let ops = [lane(to, 0), marked(b.low, Marks::MINUS), a.low];
                self.step("IADD3 R0, R0, R0, RZ", &ops)?;
            }
        }
        Some(self.whole(to, a))
    }

    /// A predicate: whether a comparison holds, and another predicate.
    pub(super) fn compare(
        &mut self,
        (comparison, signed): (Comparison, bool),
        a: Number,
        b: Number,
        and: Option<Reg>,
    ) -> Option<Reg> {
        let to = self.layout.reg(File::Predicate, 1);
        let how = comparison.text();
        let sign = if signed { "" } else { ".U32" };
        let last = if and.is_some() { "P0" } else { "PT" };
        let and = and.map(|reg| lane(reg, 0));
        match (a.high, b.high) {
            (Some(a_high), Some(b_high)) => {
                let low = lane(self.layout.reg(File::Predicate, 1), 0);
                let text = format!("ISETP.{how}.U32.AND P0, PT, R0, R0, PT");
                self.step(&text, &[low, a.low, b.low])?;
                let text = format!("ISETP.{how}{sign}.AND.EX P0, PT, R0, R0, {last}, P0");
                let first = [lane(to, 0), a_high, b_high];
                let ops: Vec<Operand> = first.into_iter().chain(and).chain([low]).collect();
                self.step(&text, &ops)?;
            }
            _ => {
                let text = format!("ISETP.{how}{sign}.AND P0, PT, R0, R0, {last}");
                let first = [lane(to, 0), a.low, b.low];
                let ops: Vec<Operand> = first.into_iter().chain(and).collect();
                self.step(&text, &ops)?;
            }
        }
        Some(to)
    }
}
