//! Powers of two that values are multiples of: how many of their lowest bits are zero.
//!
//! It is known of parameters (`.ptr .align`), of numbers, of the frame, and follows through sums, products, shifts and logic.
//! For each lane the least of all its writes counts, wherever it is read, so that pointers of loops have what they begin
//! with and what is added in each round. It begins with the best and goes down until nothing changes, in few rounds.
//!
//! Of an address of 64 bits the lower half says it all.

use crate::analysis::values::Lanes;
use crate::build::FRAME_ALIGN;
use crate::immediate::sources;
use crate::ir::{Function, Inst, Op, Operand, Reg};
use warpc_sass::template::Kind;
use warpc_sass::{Marks, Value};

/// Rounds over the function; where that is not enough nothing is known.
const ROUNDS: usize = 12;

/// All bits of a word.
const ALL: u8 = 32;

/// For each lane how many of its lowest bits are zero.
pub struct Alignment {
    lanes: Lanes,
    zeros: Vec<u8>,
    frame_base: u8,
}

impl Alignment {
    /// That of a function's lanes.
    pub fn of(function: &Function) -> Alignment {
        let lanes = Lanes::of(function);
        let mut alignment = Alignment {
            zeros: vec![0; lanes.count()],
            lanes,
            frame_base: function.frame_base,
        };
        let insts = || function.blocks.iter().flat_map(|block| &block.insts);
        for (reg, lane, count) in insts().flat_map(Inst::writes) {
            let lanes = alignment.lanes.lanes(reg, lane, count);
            alignment.zeros[lanes].fill(ALL);
        }
        for _ in 0..ROUNDS {
            let mut changed = false;
            for inst in insts() {
                let known = alignment.result(function, inst);
                for (reg, lane, count) in inst.writes() {
                    for (number, at) in alignment.lanes.lanes(reg, lane, count).enumerate() {
                        let new = if number == 0 { known } else { 0 };
                        if alignment.zeros[at] > new {
                            alignment.zeros[at] = new;
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return alignment;
            }
        }
        alignment.zeros.fill(0);
        alignment
    }

    /// How many of the lowest bits of a lane are zero.
    pub fn lane(&self, reg: Reg, lane: u8) -> u8 {
        self.zeros[self.lanes.index(reg, lane)]
    }

    /// The same of what an operand of an address is: of a pair its lower half.
    pub fn operand(&self, operand: Operand) -> u8 {
        // What is negated has as many zeros.
        if ![Marks::NONE, Marks::MINUS].contains(&operand.marks) {
            return 0;
        }
        match operand.op {
            Op::Reg(reg, lane) => self.lane(reg, lane),
            Op::Value(Value::Number(number)) => (number as u32).trailing_zeros() as u8,
            Op::Value(Value::ZERO | Value::UNIFORM_ZERO) => ALL,
            Op::Value(Value::Register(number)) if number == self.frame_base => {
                FRAME_ALIGN.trailing_zeros() as u8
            }
            _ => 0,
        }
    }

    /// How many of the lowest bits of an instruction's first result are zero.
    fn result(&self, function: &Function, inst: &Inst) -> u8 {
        let name = inst.shape.name();
        let name = match name.strip_prefix('U') {
            Some(rest) if !name.starts_with("UP") => rest,
            _ => name,
        };
        let of = |at: Option<&Operand>| at.map_or(0, |operand| self.operand(*operand));
        let mut all = sources(inst.shape).map(|slot| &inst.operands[slot]);
        let number = |at: Option<&Operand>| match at?.op {
            Op::Value(Value::Number(number)) => u8::try_from(number).ok().filter(|one| *one < ALL),
            _ => None,
        };
        match name {
            "MOV" | "R2UR" => of(all.next()),
            "IADD3" | "SEL" | "VIADD" => all.map(|one| self.operand(*one)).min().unwrap_or(0),
            "IMAD" | "IMAD.SHL.U32" | "IMAD.MOV.U32" | "IMAD.IADD" | "IMAD.WIDE"
            | "IMAD.WIDE.U32" => {
                let (a, b, c) = (of(all.next()), of(all.next()), of(all.next()));
                (a + b).min(c).min(ALL)
            }
            "LEA" => {
                let (a, b) = (of(all.next()), of(all.next()));
                let by = number(all.next());
                by.map_or(0, |by| (a + by).min(b).min(ALL))
            }
            "SHF.L.U32" => {
                let a = of(all.next());
                number(all.next()).map_or(0, |by| (a + by).min(ALL))
            }
            "LOP3.LUT" => self.logic(inst),
            "LDC.64" if inst.reads().next().is_none() => {
                let place = word_of_bank(inst);
                let found = function.pointers.iter().find(|one| Some(one.at) == place);
                found.map_or(0, |one| one.align.trailing_zeros() as u8)
            }
            _ => 0,
        }
    }

    /// A bit of the result is zero where the table is zero for all that its operands may be.
    fn logic(&self, inst: &Inst) -> u8 {
        let slots = inst.shape.slots();
        let mut own = [(0, 0); 3];
        let mut all = sources(inst.shape);
        for one in &mut own {
            let Some(slot) = all.next() else { return 0 };
            let operand = inst.operands[slot];
            *one = (slot, self.operand(operand));
        }
        let last = own[2].0;
        let table = (last + 1..slots.len()).find_map(|slot| match inst.operands[slot].op {
            Op::Value(Value::Number(table)) if slots[slot].kind() == Kind::Unsigned => {
                Some(table as u8)
            }
            _ => None,
        });
        let Some(table) = table else { return 0 };
        let is_zero_below = |bits: u8| {
            // The operands that are zero in the bit below.
            let fixed = own.map(|one| one.1 >= bits);
            (0..8u8).all(|case| {
                let values = [case >> 2 & 1, case >> 1 & 1, case & 1];
                let may_be = values
                    .iter()
                    .zip(fixed)
                    .all(|(bit, fixed)| *bit == 0 || !fixed);
                !may_be || table >> case & 1 == 0
            })
        };
        // Below it at least these operands are zero, so that what holds of the last bit holds of all.
        let ends = own.map(|one| one.1).into_iter();
        ends.filter(|end| is_zero_below(*end)).max().unwrap_or(0)
    }
}

/// The place in bank 0 that an instruction loads from.
pub(crate) fn word_of_bank(inst: &Inst) -> Option<u32> {
    let mut values = inst.operands.iter().skip(1).map(|operand| operand.op);
    let offset = match (values.next()?, values.next(), values.next()) {
        (Op::Value(Value::Constant { bank: 0, offset }), ..) => offset.into(),
        (
            Op::Value(Value::Number(0)),
            Some(Op::Value(Value::ZERO)),
            Some(Op::Value(Value::Number(offset))),
        ) => offset,
        _ => return None,
    };
    u32::try_from(offset).ok()
}
