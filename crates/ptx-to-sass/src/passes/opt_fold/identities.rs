//! Logic, selections and bytes that are one of their inputs, or need fewer of them.

use super::{Fold, copy_to};
use crate::analysis::known_bits::{Bits, View, possible};
use crate::ir::{Function, Inst, Op, Operand};
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

impl Fold {
    /// Logic of three that is one of its inputs, or to which one does not matter.
    pub(super) fn logic(&mut self, function: &Function, inst: &Inst, view: &View) -> Option<Inst> {
        let [a, b, c, table] = view.sources[..] else {
            return None;
        };
        if view
            .flags
            .iter()
            .any(|slot| matches!(inst.operands[*slot].op, Op::Reg(..)))
        {
            return None;
        }
        let to = inst.operands[view.result?];
        let mut table = self.bits(inst, table)? as u8;
        let mut own = [a, b, c].map(|slot| inst.operands[slot]);
        if own.iter().any(|one| one.marks != Marks::NONE) {
            return None;
        }
        let inputs = own.map(|one| self.known.bits(&self.values, one));
        let mut rows = 0u8;
        for (row, places) in possible(&own, &inputs).into_iter().enumerate() {
            rows |= u8::from(places != 0) << row;
        }
        let is_possible = |rows: u8, row: u8| rows >> row & 1 == 1;
        for (at, one) in own.iter().enumerate() {
            let is_it = (0..8u8)
                .all(|row| !is_possible(rows, row) || table >> row & 1 == row >> (2 - at) & 1);
            if is_it && matches!(one.op, Op::Reg(..)) {
                return copy_to(function, inst, to.op, one.op);
            }
        }
        let mut changed = false;
        for (at, one) in own.iter_mut().enumerate() {
            let bit = 1u8 << (2 - at);
            let matters = (0..8u8).any(|row| {
                row & bit == 0
                    && is_possible(rows, row)
                    && is_possible(rows, row | bit)
                    && table >> row & 1 != table >> (row | bit) & 1
            });
            if matters || one.op == Op::Value(Value::ZERO) {
                continue;
            }
            let (mut new_table, mut new_rows) = (0u8, 0u8);
            for row in (0..8u8).filter(|row| row & bit == 0) {
                let from = if is_possible(rows, row) {
                    row
                } else {
                    row | bit
                };
                let value = table >> from & 1;
                new_table |= value << row | value << (row | bit);
                let here = is_possible(rows, row) || is_possible(rows, row | bit);
                new_rows |= u8::from(here) << row;
            }
            (table, rows) = (new_table, new_rows);
            one.op = Op::Value(Value::ZERO);
            changed = true;
        }
        if !changed {
            return None;
        }
        logic_of(self, function, inst, to, own, table)
    }

    /// A selection between what is the same, or by what is known; a number stands in the second place.
    pub(super) fn select(&mut self, function: &Function, inst: &Inst, view: &View) -> Option<Inst> {
        let ([x, y], [by]) = (&view.sources[..], &view.truths[..]) else {
            return None;
        };
        if inst.shape.name() != "SEL" {
            return None;
        }
        let to = inst.operands[view.result?];
        let (first, second, by) = (inst.operands[*x], inst.operands[*y], inst.operands[*by]);
        let chosen = match self.known.truth(&self.values, by) {
            Some(true) => Some(first),
            Some(false) => Some(second),
            None if first == second => Some(first),
            None => None,
        };
        if let Some(chosen) = chosen {
            return match chosen.marks {
                Marks::NONE => copy_to(function, inst, to.op, chosen.op),
                _ => None,
            };
        }
        let is_number = |one: Operand| matches!(one.op, Op::Value(Value::Number(_)));
        let bits = self.known.bits(&self.values, first).value()?;
        if bits == 0 || is_number(second) || !matches!(first.op, Op::Reg(..)) {
            return None;
        }
        let turned = Operand {
            marks: Marks(by.marks.0 ^ Marks::NOT.0),
            ..by
        };
        let first = Operand::plain(Op::Value(Value::Number(bits.into())));
        self.made(
            function,
            "SEL R0, R0, R0, P0",
            inst,
            &[to, second, first, turned],
        )
    }

    /// Bytes that are those of one input in their order.
    pub(super) fn permute(
        &mut self,
        function: &Function,
        inst: &Inst,
        view: &View,
    ) -> Option<Inst> {
        if inst.shape.name() != "PRMT" {
            return None;
        }
        let [x, selector, y] = view.sources[..] else {
            return None;
        };
        let to = inst.operands[view.result?];
        let selector = self.bits(inst, selector)?;
        let own = [x, y].map(|slot| inst.operands[slot]);
        let bits = own.map(|one| self.known.bits(&self.values, one));
        let byte = |of: Bits, at: u32| ((of.zeros >> (8 * at)) as u8, (of.ones >> (8 * at)) as u8);
        for (which, one) in own.iter().enumerate() {
            if one.marks != Marks::NONE || !matches!(one.op, Op::Reg(..)) {
                continue;
            }
            let is_it = (0..4u32).all(|at| {
                let choice = selector >> (4 * at) & 0xf;
                let (from, place) = ((choice >> 2 & 1) as usize, choice & 3);
                let is_same = choice & 8 == 0 && from == which && place == at;
                // Zeros where it has zeros: a byte of them, or the sign of what has none.
                let (zeros, _) = byte(bits[from], place);
                let gives_zero = match choice & 8 {
                    0 => zeros == 0xff,
                    _ => zeros & 0x80 != 0,
                };
                is_same || gives_zero && byte(bits[which], at).0 == 0xff
            });
            if is_it {
                return copy_to(function, inst, to.op, one.op);
            }
        }
        None
    }

    /// An extension of what has the bits already.
    pub(super) fn extend(&mut self, function: &Function, inst: &Inst, view: &View) -> Option<Inst> {
        let [x, count] = view.sources[..] else {
            return None;
        };
        if inst.shape.has("W") {
            return None;
        }
        let to = inst.operands[view.result?];
        let own = inst.operands[x];
        let count = self.bits(inst, count)?;
        let bits = self.known.bits(&self.values, own);
        let above = |from: u32| Bits::below(from).zeros & !bits.zeros == 0;
        let has_them = match inst.shape.has("U32") {
            _ if count >= 32 => true,
            true => above(count),
            false => count > 0 && above(count - 1),
        };
        if own.marks == Marks::NONE && has_them {
            return copy_to(function, inst, to.op, own.op);
        }
        // A number in a register.
        let slot = view.sources[1];
        if matches!(inst.operands[slot].op, Op::Reg(..)) {
            let mut made = inst.clone();
            let is_put = self.immediates.put(function.sm, &mut made, slot, count);
            return is_put.then_some(made);
        }
        None
    }
}

/// `LOP3` of what is left of three inputs.
fn logic_of(
    fold: &mut Fold,
    function: &Function,
    inst: &Inst,
    to: Operand,
    own: [Operand; 3],
    table: u8,
) -> Option<Inst> {
    // Registers first, a number in the second place.
    let rank = |op: Op| match op {
        Op::Reg(..) => 0,
        Op::Value(Value::Number(_)) => 1,
        _ => 2,
    };
    let mut order: SmallVec<[usize; 3]> = (0..3).collect();
    order.sort_by_key(|at| rank(own[*at].op));
    if let [Op::Reg(..), Op::Reg(..), Op::Value(Value::Number(_))] =
        [own[order[0]].op, own[order[1]].op, own[order[2]].op]
    {
        order.swap(1, 2);
    }
    let mut turned = 0u8;
    for row in 0..8u8 {
        let from = (0..3).fold(0u8, |from, place| {
            from | (row >> (2 - place) & 1) << (2 - order[place])
        });
        turned |= (table >> from & 1) << row;
    }
    let text = format!("LOP3.LUT R0, R0, R0, R0, {turned:#x}, !PT");
    let ops = [to, own[order[0]], own[order[1]], own[order[2]]];
    fold.made(function, &text, inst, &ops)
}
