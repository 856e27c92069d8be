//! What is known is not computed: numbers, identities, predicates that are always the same, branches on them.
//!
//! | instruction | becomes |
//! |---|---|
//! | all bits of its results are known ([`KnownBits`]) | `MOV d, number` |
//! | `IADD3 d, x, RZ, RZ`, `IMAD d, x, 1, RZ`, shifts by 0, `LOP3` that is one of its inputs | `MOV d, x` |
//! | `IADD3.X d, x, RZ, RZ, p, !PT` where `p` is known | `MOV` or `IADD3` |
//! | `LOP3` of which an input does not matter | the same with fewer inputs |
//! | 64-bit shifts by 32 and more | a move or a shift of one word |
//! | `SEL d, x, y, p` where `p` is known or both are the same | `MOV d, x` |
//! | `PLOP3` that is one of its inputs or its opposite, `ISETP` of a selection of two numbers | who reads it reads that predicate |
//! | `ISETP` of a selection with a number with which it is false | `ISETP` of the other side, and the predicate |
//! | a guard that is known | none, or the instruction goes |
//!
//! One walk with the dominators, in which numbers and copies go to who reads them, so that what follows folds too. What
//! only depends on what a float is stays: of numbers that are none the machine chooses the bits.

mod identities;
mod integers;
mod predicates;

use super::Pass;
use super::assign_registers::Limits;
use super::opt_copies::Same;
use super::opt_dce::{is_pure, names_registers};
use crate::analysis::known_bits::{KnownBits, Results, View, Views};
use crate::analysis::values::Values;
use crate::immediate::Immediates;
use crate::ir::{BlockId, File, Function, Inst, Op, Operand, Reg};
use crate::pattern;
use warpc_sass::Value;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_fold",
    run,
};

/// How often one instruction is looked at again after it became another one.
const STEPS: usize = 3;

/// What is known while the walk goes on.
struct Fold {
    values: Values,
    known: KnownBits,
    /// Predicates that are other ones, or their opposites.
    same: Vec<Option<(Reg, bool)>>,
    immediates: Immediates,
    /// What is put after an instruction, when the walk is over: places stay as they were found.
    more: Vec<(BlockId, usize, Inst)>,
    gone: Vec<(BlockId, usize)>,
}

fn run(function: &mut Function, _: &Limits) {
    let values = Values::of(function);
    let mut copies = Same::new(&values);
    let mut views = Views::default();
    let mut fold = Fold {
        known: KnownBits::new(&values),
        same: vec![None; values.count()],
        immediates: Immediates::default(),
        more: Vec::new(),
        gone: Vec::new(),
        values,
    };
    let blocks = fold.values.order().blocks().to_vec();
    for block in blocks {
        for at in 0..function.blocks[block.index()].insts.len() {
            let own = &function.blocks[block.index()].insts[at];
            let mut view = views.of(own.shape);
            let mut changed = None;
            if fold.may_replace(&copies, own, view.as_deref()) {
                let mut inst = own.clone();
                copies.rewrite(function, &fold.values, &mut inst, &mut fold.immediates);
                fold.replace_predicates(&mut inst);
                if fold.settle_guard(&mut inst) {
                    fold.gone.push((block, at));
                    function.blocks[block.index()].insts[at] = inst;
                    continue;
                }
                view = views.of(inst.shape);
                changed = Some(inst);
            }
            let before = fold.more.len();
            let mut results = fold.results(changed.as_ref().unwrap_or(own), view.as_deref());
            for _ in 0..STEPS {
                let Some(known) = &view else { break };
                let inst = changed.as_ref().unwrap_or(own);
                let Some(made) = fold.simpler(function, (block, at), inst, known, results) else {
                    break;
                };
                view = views.of(made.shape);
                results = fold.results(&made, view.as_deref());
                changed = Some(made);
            }
            let inst = changed.as_ref().unwrap_or(own);
            if let Some(view) = &view {
                fold.alias(function, inst, view);
            }
            copies.follow(function, &fold.values, inst);
            fold.known
                .follow_results(&fold.values, inst, view.as_deref(), results);
            if let Some(inst) = changed {
                function.blocks[block.index()].insts[at] = inst;
            }
            // What else it has become may write lanes that were known to be something else.
            for more in before..fold.more.len() {
                let inst = fold.more[more].2.clone();
                copies.follow(function, &fold.values, &inst);
                let view = views.of(inst.shape);
                let results = fold.results(&inst, view.as_deref());
                fold.known
                    .follow_results(&fold.values, &inst, view.as_deref(), results);
            }
        }
        copies.leave_block();
    }
    fold.finish(function);
}

impl Fold {
    /// Puts in and takes out what was found.
    fn finish(self, function: &mut Function) {
        let (mut more, mut gone) = (self.more, self.gone);
        gone.sort_unstable();
        let mut gone = gone.into_iter().peekable();
        more.sort_by_key(|(block, at, _)| (*block, *at));
        let mut more = more.into_iter().peekable();
        for block in function.block_ids() {
            let is_here = more.peek().is_some_and(|one| one.0 == block)
                || gone.peek().is_some_and(|one| one.0 == block);
            if !is_here {
                continue;
            }
            let old = std::mem::take(&mut function.blocks[block.index()].insts);
            let mut new = Vec::with_capacity(old.len() + 4);
            for (at, inst) in old.into_iter().enumerate() {
                match gone.next_if_eq(&(block, at)) {
                    Some(_) => {}
                    None => new.push(inst),
                }
                while let Some((_, _, inst)) = more.next_if(|one| one.0 == block && one.1 == at) {
                    new.push(inst);
                }
            }
            function.blocks[block.index()].insts = new;
        }
    }

    /// Whether something else may be put in place of what an instruction reads.
    fn may_replace(&self, copies: &Same, inst: &Inst, view: Option<&View>) -> bool {
        let is_register = |slot: &usize| matches!(inst.operands[*slot].op, Op::Reg(..));
        inst.guard.is_some()
            || view.is_none_or(|view| view.truths.iter().any(is_register))
            || copies.knows_of(&self.values, inst)
    }

    /// What is known of the results of an instruction.
    fn results(&self, inst: &Inst, view: Option<&View>) -> Option<Results> {
        self.known.results_of(&self.values, inst, view)
    }

    fn bits(&self, inst: &Inst, slot: usize) -> Option<u32> {
        self.known.bits(&self.values, inst.operands[slot]).value()
    }

    /// An instruction that does the same with less.
    fn simpler(
        &mut self,
        function: &Function,
        place: (BlockId, usize),
        inst: &Inst,
        view: &View,
        results: Option<Results>,
    ) -> Option<Inst> {
        if matches!(inst.shape.opcode(), "MOV") || !is_pure(inst) || names_registers(inst) {
            return None;
        }
        if let Some(made) = self.number(function, place, inst, view, results) {
            return Some(made);
        }
        match inst.shape.opcode() {
            "IADD3" => self.sum(function, place, inst, view),
            "IMAD" => self.product(function, inst, view),
            "LOP3" => self.logic(function, inst, view),
            "SHF" => self.shift(function, inst, view),
            "SEL" => self.select(function, inst, view),
            "PRMT" => self.permute(function, inst, view),
            "SGXT" => self.extend(function, inst, view),
            "ISETP" => self.compare(function, inst, view, results),
            _ => None,
        }
    }

    /// A number in place of an instruction all of whose results are known.
    fn number(
        &mut self,
        function: &Function,
        place: (BlockId, usize),
        inst: &Inst,
        view: &View,
        results: Option<Results>,
    ) -> Option<Inst> {
        let slot = view.result?;
        let Op::Reg(reg, lane) = inst.operands[slot].op else {
            return None;
        };
        let width = inst.shape.slots()[slot].width.registers(u128::MAX);
        let results = results?;
        let low = results.words[0].value()?;
        let upper = match width {
            1 => None,
            2 => Some(results.words[1].value()?),
            _ => return None,
        };
        self.flags_as_numbers(function, place, inst, view, results.flags)?;
        if let Some(upper) = upper {
            let made = number_to(function, inst, Op::Reg(reg, lane + 1), upper)?;
            self.more.push((place.0, place.1, made));
        }
        number_to(function, inst, Op::Reg(reg, lane), low)
    }

    /// Predicates that an instruction writes besides its result get what they are known to be by instructions of their
    /// own; nothing if one is not known.
    fn flags_as_numbers(
        &mut self,
        function: &Function,
        place: (BlockId, usize),
        inst: &Inst,
        view: &View,
        flags: [Option<bool>; 2],
    ) -> Option<()> {
        let mut made = Vec::new();
        for (number, &slot) in view.flags.iter().enumerate() {
            let op = inst.operands[slot].op;
            let Op::Reg(reg, lane) = op else { continue };
            let flag = (*flags.get(number)?)?;
            made.push((reg, lane, flag, truth_to(function, inst, op, flag)?));
        }
        for (reg, lane, flag, inst) in made {
            if inst.guard.is_none() {
                let view = View::of(inst.shape);
                self.known.follow(&self.values, &inst, view.as_ref());
                debug_assert!(
                    !self.values.is_value(reg, lane)
                        || self
                            .known
                            .truth(&self.values, Operand::plain(Op::Reg(reg, lane)))
                            == Some(flag)
                );
            }
            self.more.push((place.0, place.1, inst));
        }
        Some(())
    }
}

/// `MOV to, number`, under the guard of an instruction.
fn number_to(function: &Function, like: &Inst, to: Op, bits: u32) -> Option<Inst> {
    let text = match bits {
        0 => "MOV R0, RZ".to_owned(),
        bits => format!("MOV R0, {bits:#x}"),
    };
    Some(pattern::find(function.sm, &text)?.filled(&[to], like.guard, like.span))
}

/// `MOV to, from`, under the guard of an instruction.
fn copy_to(function: &Function, like: &Inst, to: Op, from: Op) -> Option<Inst> {
    match from {
        Op::Value(Value::ZERO) => number_to(function, like, to, 0),
        Op::Value(Value::Number(number)) => number_to(function, like, to, number as u32),
        Op::Reg(reg, _) if function.data(reg).file == File::Register => {
            let found = pattern::find(function.sm, "MOV R0, R0")?;
            Some(found.filled(&[to, from], like.guard, like.span))
        }
        _ => None,
    }
}

/// A predicate that is always the same, under the guard of an instruction.
fn truth_to(function: &Function, like: &Inst, to: Op, truth: bool) -> Option<Inst> {
    let text = match truth {
        true => "PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0",
        false => "PLOP3.LUT P0, PT, PT, PT, PT, 0x0, 0x0",
    };
    Some(pattern::find(function.sm, text)?.filled(&[to], like.guard, like.span))
}

/// An operand as it is known: a number in place of a register.
fn known_op(fold: &Fold, operand: Operand) -> Operand {
    match fold.known.bits(&fold.values, operand).value() {
        Some(0) => Operand::plain(Op::Value(Value::ZERO)),
        Some(bits) => Operand::plain(Op::Value(Value::Number(bits.into()))),
        None => operand,
    }
}
