//! Copies go: who reads a copy reads what it was made of, and numbers go into instructions.
//!
//! `MOV` of a value to a lane that is a value itself ([`Values`]) makes both the same wherever the copy is read; of other
//! lanes that holds in the block, until one of the two is written. An
//! operand of several lanes is replaced where all its lanes are copies of lanes that follow each other and are aligned.
//! The moves stay; those that nobody reads any more go with `opt_dce`.

use super::Pass;
use crate::analysis::values::Values;
use crate::immediate::Immediates;
use crate::ir::{File, Function, Inst, Op, Reg};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::Value;
use warpc_sass::template::Kind;

/// What a lane is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// Nothing is known.
    Nothing,
    /// The same as another lane.
    Lane(Reg, u8),
    /// A number.
    Number(u32),
}

/// What lanes are the same as, by [`Values::index`].
pub(crate) struct Same {
    known: Vec<Known>,
    /// Lanes that are no values, or copies of such: what is known of them holds in the block, until one of the two is
    /// written. For each lane those that are copies of it.
    copies: FxHashMap<usize, SmallVec<[usize; 2]>>,
    /// The lanes of which something is known in the block.
    local: Vec<usize>,
    /// Whether values are replaced by what is none: other passes know more of values. For each lane whether its copy goes
    /// then; one that stays would only keep what it was made of from being overwritten.
    late: Option<Vec<bool>>,
}

impl Same {
    pub(crate) fn new(values: &Values) -> Same {
        Same {
            known: vec![Known::Nothing; values.count()],
            copies: FxHashMap::default(),
            local: Vec::new(),
            late: None,
        }
    }

    /// Forgets what holds in a block only.
    pub(crate) fn leave_block(&mut self) {
        for lane in self.local.drain(..) {
            self.known[lane] = Known::Nothing;
        }
        self.copies.clear();
    }

    /// Notes what an instruction writes, and what it copies in its block.
    pub(crate) fn follow(&mut self, function: &Function, values: &Values, inst: &Inst) {
        for (reg, lane, count) in inst.writes() {
            for one in lane..lane + count {
                if values.is_value(reg, one) {
                    continue;
                }
                let own = values.index(reg, one);
                self.known[own] = Known::Nothing;
                for copy in self.copies.remove(&own).unwrap_or_default() {
                    if self.known[copy] == Known::Lane(reg, one) {
                        self.known[copy] = Known::Nothing;
                    }
                }
            }
        }
        let Some((reg, lane, known)) = copied(function, inst) else {
            return;
        };
        let own = values.index(reg, lane);
        let lasts = match known {
            Known::Lane(other, from) => values.is_value(other, from),
            _ => true,
        };
        let is_value = values.is_value(reg, lane);
        if known == Known::Lane(reg, lane) || is_value && !lasts && !self.goes(own) {
            return;
        }
        self.known[own] = known;
        if lasts && is_value {
            return;
        }
        self.local.push(own);
        if let Known::Lane(other, from) = known
            && !values.is_value(other, from)
        {
            let copies = self.copies.entry(values.index(other, from)).or_default();
            copies.push(own);
        }
    }

    /// Whether a value is replaced by what is none.
    fn goes(&self, lane: usize) -> bool {
        self.late.as_ref().is_some_and(|late| late[lane])
    }

    pub(crate) fn set(&mut self, values: &Values, reg: Reg, lane: u8, known: Known) {
        self.known[values.index(reg, lane)] = known;
    }

    pub(crate) fn get(&self, values: &Values, reg: Reg, lane: u8) -> Known {
        self.known[values.index(reg, lane)]
    }

    /// Whether something is known of what an instruction reads besides its guard.
    pub(crate) fn knows_of(&self, values: &Values, inst: &Inst) -> bool {
        let operands = &inst.operands[..];
        let mut read = inst.shape.read_slots().iter();
        read.any(|slot| match operands.get(usize::from(slot.slot)) {
            Some(operand) => match operand.op {
                Op::Reg(reg, lane) => self.get(values, reg, lane) != Known::Nothing,
                _ => false,
            },
            None => false,
        })
    }

    /// Replaces what an instruction reads. Whether anything was.
    pub(crate) fn rewrite(
        &self,
        function: &Function,
        values: &Values,
        inst: &mut Inst,
        immediates: &mut Immediates,
    ) -> bool {
        let mut changed = false;
        if let Some(guard) = &mut inst.guard
            && let Known::Lane(reg, _) = self.get(values, guard.reg, 0)
        {
            guard.reg = reg;
            changed = true;
        }
        // Of most instructions nothing is known.
        if !self.knows_of(values, inst) {
            return changed;
        }
        for index in 0..inst.operands.len() {
            let slot = &inst.shape.slots()[index];
            let Op::Reg(reg, lane) = inst.operands[index].op else {
                continue;
            };
            if slot.is_written() || slot.kind() == Kind::Barrier {
                continue;
            }
            let width = slot.width.registers(u128::MAX).max(1);
            let align = slot.alignment();
            let known = match self.get(values, reg, lane) {
                // It is kept for lanes without the guard: what it was made of need not last as long.
                Known::Lane(..) if inst.guard.is_some() && writes(inst, reg, lane) => continue,
                known => known,
            };
            match known {
                Known::Nothing => {}
                Known::Lane(other, from) => {
                    let all = (1..width).all(|one| {
                        self.get(values, reg, lane + one) == Known::Lane(other, from + one)
                    });
                    let fits = from.is_multiple_of(align)
                        && function.data(other).alignment().is_multiple_of(align)
                        && from + width <= function.data(other).lanes;
                    if all && fits {
                        inst.operands[index].op = Op::Reg(other, from);
                        changed = true;
                    }
                }
                Known::Number(bits) if !slot.in_address && slot.kind() == Kind::Register => {
                    let all =
                        (1..width).all(|one| self.get(values, reg, lane + one) == Known::Number(0));
                    let upper = match width {
                        2 => self.get(values, reg, lane + 1),
                        _ => Known::Nothing,
                    };
                    match upper {
                        Known::Number(high) if bits == 0 && high != 0 => {
                            changed |= immediates.put_double(function.sm, inst, index, high);
                        }
                        _ if width == 1 || all && bits == 0 => {
                            changed |= immediates.put(function.sm, inst, index, bits);
                        }
                        _ => {}
                    }
                }
                Known::Number(_) => {}
            }
        }
        changed
    }
}

/// Whether an instruction writes a lane.
fn writes(inst: &Inst, reg: Reg, lane: u8) -> bool {
    let mut writes = inst.writes();
    writes.any(|(to, first, count)| to == reg && (first..first + count).contains(&lane))
}

/// The lane that an instruction copies something to, and what.
fn copied(function: &Function, inst: &Inst) -> Option<(Reg, u8, Known)> {
    if inst.guard.is_some() || inst.shape.opcode() != "MOV" {
        return None;
    }
    let [to, from, ..] = &inst.operands[..] else {
        return None;
    };
    let Op::Reg(reg, lane) = to.op else {
        return None;
    };
    let is_register = |reg| function.data(reg).file == File::Register;
    let known = match from.op {
        Op::Value(Value::ZERO) => Known::Number(0),
        Op::Value(Value::Number(number)) => Known::Number(number as u32),
        Op::Reg(other, from_lane) if is_register(other) => Known::Lane(other, from_lane),
        _ => return None,
    };
    is_register(reg).then_some((reg, lane, known))
}

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_copies",
    run: |function, _| run(function, false),
};

/// The pass when no other one needs values any more.
pub(crate) const LATE: Pass = Pass {
    name: "opt_copies",
    run: |function, _| run(function, true),
};

fn run(function: &mut Function, late: bool) {
    let values = Values::of(function);
    let mut same = Same::new(&values);
    if late {
        same.late = Some(going(function, &values));
    }
    let mut immediates = Immediates::default();
    for block in values.order().blocks() {
        let mut insts = std::mem::take(&mut function.blocks[block.index()].insts);
        for inst in &mut insts {
            same.rewrite(function, &values, inst, &mut immediates);
            same.follow(function, &values, inst);
        }
        same.leave_block();
        function.blocks[block.index()].insts = insts;
    }
}

/// For each lane whether all its reads are in its block, before what it is a copy of is written again.
fn going(function: &Function, values: &Values) -> Vec<bool> {
    let mut same = Same::new(values);
    same.late = Some(vec![true; values.count()]);
    let mut reads = vec![0; values.count()];
    for block in values.order().blocks() {
        for inst in &function.blocks[block.index()].insts {
            for (reg, lane, count) in inst.reads() {
                for one in lane..lane + count {
                    let is_known = same.get(values, reg, one) != Known::Nothing;
                    reads[values.index(reg, one)] += u32::from(is_known);
                }
            }
            same.follow(function, values, inst);
        }
        same.leave_block();
    }
    let lanes = function.block_ids();
    let insts = lanes.flat_map(|block| &function.blocks[block.index()].insts);
    let mut going = vec![false; values.count()];
    for (reg, lane, known) in insts.filter_map(|inst| copied(function, inst)) {
        let own = values.index(reg, lane);
        going[own] = matches!(known, Known::Lane(..)) && reads[own] == values.reads(reg, lane);
    }
    going
}
