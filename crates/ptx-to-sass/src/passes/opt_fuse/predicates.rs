//! Comparisons with the predicate that they are combined with, and logic whose result is only compared with zero.

use super::{Fuse, inner, make, make_with_numbers, number};
use crate::analysis::known_bits::View;
use crate::immediate::sources;
use crate::ir::{BlockId, File, Function, Inst, Op, Operand};
use warpc_sass::{Marks, Value};

/// A relation and the opposite one. Of floats those without `U` are false where one is not a number.
fn opposite(relation: &str, is_float: bool) -> Option<&'static str> {
    Some(match (relation, is_float) {
        ("EQ", false) => "NE",
        ("NE", false) => "EQ",
        ("LT", false) => "GE",
        ("LE", false) => "GT",
        ("GT", false) => "LE",
        ("GE", false) => "LT",
        ("EQ", true) => "NEU",
        ("NE", true) => "EQU",
        ("LT", true) => "GEU",
        ("LE", true) => "GTU",
        ("GT", true) => "LEU",
        ("GE", true) => "LTU",
        ("EQU", true) => "NE",
        ("NEU", true) => "EQ",
        ("LTU", true) => "GE",
        ("LEU", true) => "GT",
        ("GTU", true) => "LE",
        ("GEU", true) => "LT",
        ("NUM", true) => "NAN",
        ("NAN", true) => "NUM",
        _ => return None,
    })
}

/// How a comparison is combined with a predicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    And,
    Or,
    Xor,
}

/// Two inputs of logic of predicates and how they meet, each as it is or inverted.
struct Pair {
    inputs: [Operand; 2],
    way: Way,
}

/// The operand, or its opposite.
fn turned(operand: Operand, turn: bool) -> Operand {
    let mark = if turn { Marks::NOT.0 } else { 0 };
    Operand {
        marks: Marks(operand.marks.0 ^ mark),
        ..operand
    }
}

impl Fuse {
    /// The logic of an instruction on predicates, if it is of two.
    fn pair(&self, inst: &Inst, view: &View) -> Option<Pair> {
        let table = number(inst.operands[*view.sources.first()?])? as u8;
        let places = (0..3usize).filter(|at| {
            let slot = view.truths.get(*at);
            slot.is_some_and(|slot| matches!(inst.operands[*slot].op, Op::Reg(..)))
        });
        let places: smallvec::SmallVec<[usize; 3]> = places.collect();
        let [first, second] = places[..] else {
            return None;
        };
        let inputs = [first, second].map(|at| inst.operands[view.truths[at]]);
        let mut value = [None; 4];
        for row in self.known.rows(&self.values, inst, view) {
            let of = |at: usize| row >> (2 - at) & 1;
            let index = usize::from(of(first) << 1 | of(second));
            value[index] = Some(table >> row & 1 == 1);
        }
        // All four ways must be met, so that it is known what they are.
        let mut all = [false; 4];
        for (to, from) in all.iter_mut().zip(value) {
            *to = from?;
        }
        let count = all.iter().filter(|one| **one).count();
        let odd = match count {
            1 => all.iter().position(|one| *one)?,
            3 => all.iter().position(|one| !*one)?,
            2 if all[0] == all[3] => {
                let inputs = [turned(inputs[0], all[0]), inputs[1]];
                let way = Way::Xor;
                return Some(Pair { inputs, way });
            }
            _ => return None,
        };
        let is_and = count == 1;
        let way = if is_and { Way::And } else { Way::Or };
        // The way that is true alone has the inputs of `and` true; the one that is false alone those of `or` false.
        let ones = [odd >> 1 & 1 == 1, odd & 1 == 1];
        let inputs = [0, 1].map(|at| turned(inputs[at], ones[at] != is_and));
        Some(Pair { inputs, way })
    }

    /// Logic of a predicate that a comparison makes for it alone, and another one.
    pub(super) fn combined(&mut self, function: &Function, inst: &Inst) -> Option<Inst> {
        if inst.guard.is_some() {
            return None;
        }
        let view = View::of(inst.shape)?;
        let &[to, second] = &view.flags[..] else {
            return None;
        };
        if inst.operands[second].op != Op::Value(Value::TRUE) {
            return None;
        }
        let pair = self.pair(inst, &view)?;
        let [mut first, mut second] = pair.inputs;
        let place = |operand: Operand| match operand.op {
            Op::Reg(reg, lane) => self.values.write(reg, lane),
            _ => None,
        };
        // What is compared last is waited for: the other is there by then.
        if pair.way == Way::Xor
            && let (Some(one), Some(other)) = (place(first), place(second))
            && self.values.is_before(one, other)
        {
            (first, second) = (second, first);
        }
        for (one, other) in [(first, second), (second, first)] {
            let made = self.with_input(function, inst, inst.operands[to], one, other, pair.way);
            if made.is_some() {
                return made;
            }
        }
        None
    }

    /// The comparison that makes one input, combined with the other.
    fn with_input(
        &mut self,
        function: &Function,
        inst: &Inst,
        to: Operand,
        one: Operand,
        other: Operand,
        way: Way,
    ) -> Option<Inst> {
        let Op::Reg(reg, lane) = one.op else {
            return None;
        };
        if self.values.reads(reg, lane) != 1 {
            return None;
        }
        let inner = inner(function, &self.values, one.op)?;
        let opcode = inner.shape.opcode();
        if !matches!(opcode, "ISETP" | "FSETP" | "DSETP") || !inner.shape.has("AND") {
            return None;
        }
        let view = View::of(inner.shape)?;
        let [first, second] = view.flags[..] else {
            return None;
        };
        let is_first = inner.operands[first].op == one.op;
        if !is_first || inner.operands[second].op != Op::Value(Value::TRUE) {
            return None;
        }
        let with = inner.operands[*view.truths.first()?];
        if with.op != Op::Value(Value::TRUE) || with.marks != Marks::NONE {
            return None;
        }
        let relation = inner.shape.modifiers().next()?;
        let (relation, other) = match one.marks {
            Marks::NOT if way == Way::Xor => (relation, turned(other, true)),
            Marks::NOT => (opposite(relation, opcode != "ISETP")?, other),
            _ => (relation, other),
        };
        // The comparison of lower halves, that of upper ones, which is only right with it.
        let lower = view.truths.get(1).map(|slot| inner.operands[*slot]);
        let is_extended = inner.shape.has("EX");
        if is_extended && one.marks == Marks::NOT {
            return None;
        }
        let mut name = format!("{opcode}.{relation}");
        for modifier in inner.shape.modifiers().skip(1) {
            name.push('.');
            name.push_str(match modifier {
                "AND" if way == Way::Or => "OR",
                "AND" if way == Way::Xor => "XOR",
                modifier => modifier,
            });
        }
        let [x, y] = [*view.sources.first()?, *view.sources.get(1)?].map(|at| inner.operands[at]);
        let (text, ops) = match (is_extended, lower) {
            (true, Some(lower)) => (
                format!("{name} P0, PT, R0, R0, P0, P0"),
                smallvec::SmallVec::<[Operand; 5]>::from_slice(&[to, x, y, other, lower]),
            ),
            _ => (
                format!("{name} P0, PT, R0, R0, P0"),
                smallvec::SmallVec::from_slice(&[to, x, y, other]),
            ),
        };
        make_with_numbers(function, &mut self.immediates, &text, inst, &ops)
    }

    /// Whether logic that nobody else reads has some bit, as the predicate that the logic makes.
    pub(super) fn tested(
        &mut self,
        function: &mut Function,
        block: BlockId,
        at: usize,
    ) -> Option<Inst> {
        let inst = &function.blocks[block.index()].insts[at];
        if inst.guard.is_some() || !inst.shape.has("AND") {
            return None;
        }
        if inst.shape.has("EX") {
            let (to, logic, is_one) = self.long_test(function, inst)?;
            return self.test_of(function, (block, at), to, logic, 0xfc, is_one);
        }
        let view = View::of(inst.shape)?;
        let &[to, none] = &view.flags[..] else {
            return None;
        };
        let with = inst.operands[*view.truths.first()?];
        let is_alone = with.op == Op::Value(Value::TRUE) && with.marks == Marks::NONE;
        if !is_alone || inst.operands[none].op != Op::Value(Value::TRUE) {
            return None;
        }
        let [x, y] =
            [*view.sources.first()?, *view.sources.get(1)?].map(|slot| inst.operands[slot]);
        let by = self.known.bits(&self.values, y).value()?;
        let is_one = match (inst.shape.modifiers().next()?, by) {
            ("NE", 0) => true,
            ("EQ", 0) => false,
            // The only bit that it can have.
            (relation, by) if by.is_power_of_two() => {
                let bits = self.known.bits(&self.values, x);
                if bits.zeros != !by {
                    return None;
                }
                match relation {
                    "EQ" => true,
                    "NE" => false,
                    _ => return None,
                }
            }
            _ => return None,
        };
        if x.marks != Marks::NONE {
            return None;
        }
        let logic = super::inner_once(function, &self.values, x.op)?;
        if logic.shape.opcode() != "LOP3" {
            return None;
        }
        let own = super::three(logic)?;
        let table = number(logic.operands[sources(logic.shape).nth(3)?])?;
        let (to, table) = (inst.operands[to], table as u8);
        self.test_of(function, (block, at), to, own, table, is_one)
    }

    /// What a comparison of 64 bits with zero makes, the two words, and whether it is true where they have some bit.
    fn long_test(&self, function: &Function, inst: &Inst) -> Option<(Operand, [Operand; 3], bool)> {
        // What is compared with zero and nothing else, the result, and the predicate of the lower words.
        let compared = |inst: &Inst| {
            let view = View::of(inst.shape)?;
            let (&[to, none], &[x, y]) = (&view.flags[..], view.sources.get(..2)?) else {
                return None;
            };
            let with = inst.operands[*view.truths.first()?];
            let fits = with.op == Op::Value(Value::TRUE)
                && with.marks == Marks::NONE
                && inst.guard.is_none()
                && inst.shape.opcode() == "ISETP"
                && inst.shape.has("AND")
                && inst.operands[none].op == Op::Value(Value::TRUE)
                && inst.operands[x].marks == Marks::NONE
                && self.known.bits(&self.values, inst.operands[y]).value() == Some(0);
            let lower = view.truths.get(1).map(|slot| inst.operands[*slot]);
            fits.then_some((inst.operands[to], inst.operands[x], lower))
        };
        let relation = inst.shape.modifiers().next()?;
        let is_one = match relation {
            "NE" => true,
            "EQ" => false,
            _ => return None,
        };
        let (to, upper, lower) = compared(inst)?;
        let lower = lower.filter(|one| one.marks == Marks::NONE)?;
        let below = super::inner_once(function, &self.values, lower.op)?;
        if below.shape.has("EX") || below.shape.modifiers().next() != Some(relation) {
            return None;
        }
        let (made, word, _) = compared(below)?;
        let zero = Operand::plain(Op::Value(Value::ZERO));
        (made == lower).then_some((to, [upper, word, zero], is_one))
    }

    /// Whether logic of three has some bit, or has none.
    fn test_of(
        &mut self,
        function: &mut Function,
        (block, at): (BlockId, usize),
        to: Operand,
        own: [Operand; 3],
        table: u8,
        is_one: bool,
    ) -> Option<Inst> {
        let text = format!("LOP3.LUT P0, RZ, R0, R0, R0, {table:#x}, !PT");
        let inst = &function.blocks[block.index()].insts[at];
        if is_one {
            let ops = [to, own[0], own[1], own[2]];
            return make_with_numbers(function, &mut self.immediates, &text, inst, &ops);
        }
        // The opposite of what the logic says; who reads it reads that (`opt_fold`).
        let (inst, like) = (inst.clone(), inst.span);
        let flag = Op::Reg(function.reg(File::Predicate, 1), 0);
        let ops = [Operand::plain(flag), own[0], own[1], own[2]];
        let made = make_with_numbers(function, &mut self.immediates, &text, &inst, &ops)?;
        let opposite = "PLOP3.LUT P0, PT, P0, PT, PT, 0x8, 0x0";
        let mut opposite = make(function, opposite, &inst, &[to, Operand::plain(flag)])?;
        opposite.span = like;
        self.more.push((block, at, opposite));
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::opposite;

    #[test]
    fn the_opposite_of_the_opposite_is_the_relation() {
        for is_float in [false, true] {
            for relation in [
                "EQ", "NE", "LT", "LE", "GT", "GE", "LTU", "NEU", "NUM", "EQU",
            ] {
                let back = opposite(relation, is_float).and_then(|one| opposite(one, is_float));
                let is_known = is_float || relation.len() == 2;
                assert_eq!(back, is_known.then_some(relation));
            }
        }
    }
}
