//! Predicates that are known, or that are other ones.

use super::Fold;
use crate::analysis::known_bits::{Results, View};
use crate::ir::{File, Function, Guard, Inst, Op, Operand, Reg};
use crate::passes::opt_fuse::{inner, make_with_numbers};
use crate::pattern;
use warpc_sass::template::Kind;
use warpc_sass::{Marks, Value};

impl Fold {
    /// Reads what predicates are known to be, or what they are the same as.
    pub(super) fn replace_predicates(&self, inst: &mut Inst) {
        for slot in 0..inst.operands.len() {
            let of = &inst.shape.slots()[slot];
            let is_read =
                matches!(of.kind(), Kind::Predicate | Kind::PredicateFromLast) && !of.is_written();
            let operand = inst.operands[slot];
            let Op::Reg(reg, lane) = operand.op else {
                continue;
            };
            if !is_read || !of.marks().has(Marks::NOT) || !self.values.is_value(reg, lane) {
                continue;
            }
            if let Some(truth) = self.known.truth(&self.values, operand) {
                inst.operands[slot] = Operand {
                    op: Op::Value(Value::TRUE),
                    marks: if truth { Marks::NONE } else { Marks::NOT },
                };
                continue;
            }
            if let Some((other, not)) = self.same[self.values.index(reg, lane)] {
                let turned = Marks(operand.marks.0 ^ if not { Marks::NOT.0 } else { 0 });
                inst.operands[slot] = Operand {
                    op: Op::Reg(other, 0),
                    marks: turned,
                };
            }
        }
    }

    /// Looks what is known of a guard. Whether the instruction is never executed.
    pub(super) fn settle_guard(&self, inst: &mut Inst) -> bool {
        let Some(guard) = inst.guard else {
            return false;
        };
        if !self.values.is_value(guard.reg, 0) {
            return false;
        }
        let operand = Operand {
            op: Op::Reg(guard.reg, 0),
            marks: if guard.not { Marks::NOT } else { Marks::NONE },
        };
        match self.known.truth(&self.values, operand) {
            Some(false) => return true,
            // What ends a thread in the middle of a block would leave the rest of it unreached.
            Some(true) if inst.is_branch() || !would_end(inst) => inst.guard = None,
            _ => {}
        }
        if let (Some(guard), Some((other, not))) =
            (&mut inst.guard, self.same[self.values.index(guard.reg, 0)])
        {
            *guard = Guard {
                reg: other,
                not: guard.not != not,
            };
        }
        false
    }

    /// Notes that a predicate is another one.
    pub(super) fn alias(&mut self, function: &Function, inst: &Inst, view: &View) {
        if inst.guard.is_some() || view.result.is_some() {
            return;
        }
        let Some(&Op::Reg(to, 0)) = view.flags.first().map(|slot| &inst.operands[*slot].op) else {
            return;
        };
        if !self.values.is_value(to, 0) {
            return;
        }
        let found = match inst.shape.opcode() {
            "PLOP3" => self.one_input(inst, view),
            "ISETP" => self
                .lower_half(inst, view)
                .or_else(|| self.selected(function, inst, view)),
            _ => None,
        };
        if let Some((reg, not)) = found
            && self.is_predicate_value(function, reg)
        {
            // What that one is the same as was put in its place when it was read.
            self.same[self.values.index(to, 0)] = Some((reg, not));
        }
    }

    fn is_predicate_value(&self, function: &Function, reg: Reg) -> bool {
        function.data(reg).file == File::Predicate && self.values.is_value(reg, 0)
    }

    /// The input that logic of predicates is, or the opposite of which.
    fn one_input(&self, inst: &Inst, view: &View) -> Option<(Reg, bool)> {
        let table = self.bits(inst, *view.sources.first()?)? as u8;
        let rows = || self.known.rows(&self.values, inst, view);
        (0..view.truths.len().min(3)).find_map(|at| {
            let operand = inst.operands[view.truths[at]];
            let Op::Reg(reg, 0) = operand.op else {
                return None;
            };
            let not = operand.marks == Marks::NOT;
            if rows().all(|row| table >> row & 1 == row >> (2 - at) & 1) {
                return Some((reg, not));
            }
            let is_opposite = rows().all(|row| table >> row & 1 != row >> (2 - at) & 1);
            is_opposite.then_some((reg, !not))
        })
    }

    /// The comparison of lower halves, where the upper ones are equal.
    fn lower_half(&self, inst: &Inst, view: &View) -> Option<(Reg, bool)> {
        if !inst.shape.has("EX") || !self.combines_nothing(inst, view) {
            return None;
        }
        let [x, y] = [*view.sources.first()?, *view.sources.get(1)?];
        let (one, other) = (inst.operands[x], inst.operands[y]);
        let is_same = one == other && matches!(one.op, Op::Reg(..));
        if !is_same && self.bits(inst, x)? != self.bits(inst, y)? {
            return None;
        }
        let lower = inst.operands[*view.truths.get(1)?];
        match lower.op {
            Op::Reg(reg, 0) => Some((reg, lower.marks == Marks::NOT)),
            _ => None,
        }
    }

    /// Whether what a comparison is combined with changes nothing.
    fn combines_nothing(&self, inst: &Inst, view: &View) -> bool {
        let with = view.truths.first().map(|slot| inst.operands[*slot]);
        let with = with.and_then(|one| self.known.truth(&self.values, one));
        with == Some(true) && inst.shape.has("AND") || with == Some(false) && inst.shape.has("OR")
    }

    /// The predicate that chose between two numbers that a comparison tells apart.
    fn selected(&self, function: &Function, inst: &Inst, view: &View) -> Option<(Reg, bool)> {
        if inst.shape.has("EX") || !self.combines_nothing(inst, view) {
            return None;
        }
        let [x, y] = [*view.sources.first()?, *view.sources.get(1)?];
        let number = self.bits(inst, y)?;
        let chosen = inner(function, &self.values, inst.operands[x].op)?;
        if chosen.shape.name() != "SEL" || inst.operands[x].marks != Marks::NONE {
            return None;
        }
        let own = View::of(chosen.shape)?;
        let [first, second] = [*own.sources.first()?, *own.sources.get(1)?];
        let (first, second) = (self.bits(chosen, first)?, self.bits(chosen, second)?);
        let relation = inst.shape.modifiers().next()?;
        let signed = !inst.shape.has("U32");
        let (one, other) = (
            holds(relation, signed, first, number)?,
            holds(relation, signed, second, number)?,
        );
        let by = chosen.operands[*own.truths.first()?];
        match (by.op, one != other) {
            (Op::Reg(reg, 0), true) => Some((reg, (by.marks == Marks::NOT) != other)),
            _ => None,
        }
    }

    /// A comparison of a selection: of two numbers the predicate that chose, with the one that it is combined with; of a number
    /// with which it is false and something else the comparison of that, if it was chosen.
    fn of_selection(
        &mut self,
        function: &Function,
        inst: &Inst,
        view: &View,
        to: Op,
    ) -> Option<Inst> {
        if inst.guard.is_some() || inst.shape.has("EX") || !inst.shape.has("AND") {
            return None;
        }
        let [x, y] = [*view.sources.first()?, *view.sources.get(1)?];
        let (number, with) = (self.bits(inst, y)?, inst.operands[*view.truths.first()?]);
        let is_alone = self.known.truth(&self.values, with) == Some(true);
        let chosen = inner(function, &self.values, inst.operands[x].op)?;
        if chosen.shape.name() != "SEL" || inst.operands[x].marks != Marks::NONE {
            return None;
        }
        let own = View::of(chosen.shape)?;
        let [first, second] = [*own.sources.first()?, *own.sources.get(1)?];
        let relation = inst.shape.modifiers().next()?;
        let signed = !inst.shape.has("U32");
        let holds = |slot: usize| {
            let bits = self.bits(chosen, slot)?;
            holds(relation, signed, bits, number)
        };
        let by = chosen.operands[*own.truths.first()?];
        let turned = |turn: bool| Operand {
            marks: Marks(by.marks.0 ^ if turn { Marks::NOT.0 } else { 0 }),
            ..by
        };
        let to = Operand::plain(to);
        let (text, ops) = match (holds(first), holds(second)) {
            // Alone it is the other predicate.
            (Some(one), Some(other)) if one != other && !is_alone => (
                "PLOP3.LUT P0, PT, P0, P0, PT, 0x80, 0x0".to_owned(),
                vec![to, with, turned(other)],
            ),
            (None, Some(false)) if is_alone => {
                self.side(inst, y, chosen.operands[first], turned(false), to)?
            }
            (Some(false), None) if is_alone => {
                self.side(inst, y, chosen.operands[second], turned(true), to)?
            }
            _ => return None,
        };
        make_with_numbers(function, &mut self.immediates, &text, inst, &ops)
    }

    /// The text and operands of a comparison of one side of a selection.
    fn side(
        &self,
        inst: &Inst,
        y: usize,
        side: Operand,
        when: Operand,
        to: Operand,
    ) -> Option<(String, Vec<Operand>)> {
        let text = format!("{} P0, PT, R0, R0, P0", inst.shape.name());
        (side.marks == Marks::NONE).then(|| (text, vec![to, side, inst.operands[y], when]))
    }

    /// A comparison without what is known of what it is combined with; one of upper halves that are equal.
    pub(super) fn compare(
        &mut self,
        function: &Function,
        inst: &Inst,
        view: &View,
        results: Option<Results>,
    ) -> Option<Inst> {
        let results = results?;
        let flags: Vec<Op> = view
            .flags
            .iter()
            .map(|slot| inst.operands[*slot].op)
            .collect();
        let [to, Op::Value(Value::TRUE)] = flags[..] else {
            return None;
        };
        if let Some(truth) = results.flags[0] {
            return super::truth_to(function, inst, to, truth);
        }
        if let Some(made) = self.of_selection(function, inst, view, to) {
            return Some(made);
        }
        // Who compares the upper halves of numbers that fit into 32 bits compares the lower ones.
        let (reg, not) = self.lower_half(inst, view)?;
        let text = match not {
            false => "PLOP3.LUT P0, PT, P0, PT, PT, 0x80, 0x0",
            true => "PLOP3.LUT P0, PT, P0, PT, PT, 0x8, 0x0",
        };
        let found = pattern::find(function.sm, text)?;
        Some(found.filled(&[to, Op::Reg(reg, 0)], inst.guard, inst.span))
    }
}

/// Whether control never goes on after an instruction that is executed.
fn would_end(inst: &Inst) -> bool {
    let traits = inst.shape.traits();
    traits.contains(warpc_sass::shape::Traits::TERMINATES)
}

/// Whether a relation holds between two numbers.
fn holds(relation: &str, signed: bool, x: u32, y: u32) -> Option<bool> {
    let order = match signed {
        true => (x as i32).cmp(&(y as i32)),
        false => x.cmp(&y),
    };
    Some(match relation {
        "EQ" => order.is_eq(),
        "NE" => order.is_ne(),
        "LT" => order.is_lt(),
        "LE" => order.is_le(),
        "GT" => order.is_gt(),
        "GE" => order.is_ge(),
        _ => return None,
    })
}
