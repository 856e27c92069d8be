//! What a function gets from its caller, and gives back to it.

use super::call::{MOST_BYTES, places};
use super::names::Meaning;
use super::{Builder, FRAME_ALIGN, Outcome, special};
use crate::abi::{Place, RETURN};
use crate::ir::{self, BlockId, File, Guard, Op};
use rustc_hash::FxHashSet;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Space, Statement, Variable};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;
use warpc_sass::Value;

impl Builder<'_> {
    /// Takes the parameters of a function from where its caller has put them.
    pub(super) fn take_parameters(&mut self) -> Outcome<()> {
        let function = self.function;
        let (Some(taken), Some(given)) = (places(&function.params), places(&function.returns))
        else {
            return Err(self.refuse("parameters of this size"));
        };
        let back = self.ir.reg(File::Register, 2);
        self.back = Some(back);
        for lane in [0, 1] {
            let from = Op::Value(Value::Register(RETURN + lane));
            self.copy(Op::Reg(back, lane), from, None)?;
        }
        // Those in registers first: what comes after them may use these registers.
        let mut later = Vec::new();
        let mut homes = Vec::new();
        let addressed = self.addressed();
        for (variable, place) in function.params.iter().zip(&taken.each) {
            let is_in_memory = variable.space == Space::Param && addressed.contains(&variable.name);
            let words = match is_in_memory {
                true => self.declare_home(variable, &mut homes)?,
                false => self.declare_passed(variable)?,
            };
            match place {
                Place::Registers(first) => {
                    for (number, word) in (*first..).zip(&words) {
                        self.copy(*word, Op::Value(Value::Register(number)), None)?;
                    }
                }
                Place::Stack(at) => later.push((*at, words)),
            }
        }
        for (at, words) in later {
            for (at, word) in (at..).step_by(4).zip(&words) {
                self.on_caller_stack("LDL R0, [R0+0x10]", at, *word)?;
            }
        }
        let base = Op::Value(Value::Register(self.ir.frame_base));
        for (at, words) in homes {
            for (at, word) in (at..).step_by(4).zip(words) {
                let text = format!("STL [R0{}], R0", special::offset(at.into()));
                self.step(&text, None, &[base, word])?;
            }
        }
        for variable in &function.returns {
            let words = self.declare_passed(variable)?;
            self.results.push(words);
        }
        self.result_places = given;
        Ok(())
    }

    /// The names whose addresses the code takes.
    fn addressed(&self) -> FxHashSet<Symbol> {
        let mut all = FxHashSet::default();
        for statement in &self.body.statements {
            let Statement::Inst(inst) = statement else {
                continue;
            };
            let choices = &self.module.mnemonic(inst.mnemonic).choices;
            let choice = choices.get(usize::from(inst.choice));
            let opcode = choice.map(|choice| choice.form.form().opcode);
            if !matches!(opcode, Some("mov" | "cvta")) {
                continue;
            }
            for operand in self.body.operands(inst.operands) {
                match operand {
                    Operand::Name { symbol, .. } => all.extend([*symbol]),
                    Operand::Offset(items) => {
                        all.extend(
                            self.body
                                .operands(*items)
                                .iter()
                                .filter_map(|one| match one {
                                    Operand::Name { symbol, .. } => Some(*symbol),
                                    _ => None,
                                }),
                        );
                    }
                    _ => {}
                }
            }
        }
        all
    }

    /// Declares a parameter whose address is taken: it has a place in the frame. Gives the registers that it comes in.
    fn declare_home(
        &mut self,
        variable: &Variable,
        homes: &mut Vec<(u32, Vec<Op>)>,
    ) -> Outcome<Vec<Op>> {
        let align = variable.alignment().max(4);
        let bytes = variable.bytes().filter(|bytes| *bytes <= MOST_BYTES);
        let bytes = bytes.filter(|_| align <= FRAME_ALIGN.into());
        let bytes = bytes.ok_or_else(|| self.refuse("arguments of this size or alignment"))?;
        self.frame = self.frame.next_multiple_of(align);
        let at = self.frame as u32;
        self.frame += bytes.next_multiple_of(4).max(4);
        self.names.declare(variable.name, Meaning::Local(at));
        let count = bytes.div_ceil(4).max(1);
        let words = (0..count).map(|_| Op::Reg(self.ir.reg(File::Register, 1), 0));
        let words: Vec<Op> = words.collect();
        homes.push((at, words.clone()));
        Ok(words)
    }

    /// Declares a parameter or result, and gives its words.
    fn declare_passed(&mut self, variable: &Variable) -> Outcome<Vec<Op>> {
        if variable.space == Space::Reg {
            if variable.ty == ScalarType::Pred {
                return Err(self.refuse("predicates as arguments"));
            }
            let register = Builder::new_register(&mut self.ir, variable.ty, variable.vector);
            self.names
                .declare(variable.name, Meaning::Register(register));
            let lanes = self.ir.data(register.reg).lanes;
            return Ok((0..lanes).map(|lane| Op::Reg(register.reg, lane)).collect());
        }
        let meaning = self.declare_argument(variable)?;
        self.names.declare(variable.name, meaning);
        let argument = self.arguments.last();
        let words = argument.map_or(&[][..], |argument| &argument.words);
        Ok(words.iter().map(|word| Op::Reg(*word, 0)).collect())
    }

    /// A load or store of a word that the caller has on its stack. The number in the text is the place of the distance.
    fn on_caller_stack(&mut self, text: &str, at: u32, word: Op) -> Outcome<()> {
        let stack = Op::Value(Value::Register(self.ir.frame_base));
        let ops = match text.starts_with("STL") {
            true => [stack, word],
            false => [word, stack],
        };
        self.step_with(text, &ops, Op::OfCaller(at))
    }

    /// `ret` in a function.
    pub(super) fn go_to_end(&mut self, guard: Option<Guard>) -> Outcome<()> {
        let end = match self.end {
            Some(end) => end,
            None => self.new_label(),
        };
        self.end = Some(end);
        self.step("BRA `(x)", guard, &[Op::Block(BlockId(end))])
    }

    /// The end of a function, where its results are given back; `is_reached` says whether control also comes to it from
    /// the last statement.
    pub(super) fn give_back(&mut self, is_reached: bool) -> Outcome<()> {
        if let Some(end) = self.end {
            self.drop_branch_to(end);
            self.put_label(end);
        } else if !is_reached {
            return Ok(());
        }
        let results = std::mem::take(&mut self.results);
        let places = std::mem::take(&mut self.result_places);
        for (words, place) in results.iter().zip(&places.each) {
            if let Place::Stack(at) = place {
                for (at, word) in (*at..).step_by(4).zip(words) {
                    self.on_caller_stack("STL [R0+0x10], R0", at, *word)?;
                }
            }
        }
        for (words, place) in results.iter().zip(&places.each) {
            if let Place::Registers(first) = place {
                for (number, word) in (*first..).zip(words) {
                    self.copy(Op::Value(Value::Register(number)), *word, None)?;
                }
            }
        }
        (self.results, self.result_places) = (results, places);
        let Some(back) = self.back else {
            return Err(self.refuse("`ret` here"));
        };
        for lane in [0, 1] {
            let to = Op::Value(Value::Register(RETURN + lane));
            self.copy(to, Op::Reg(back, lane), None)?;
        }
        let register = Op::Value(Value::Register(RETURN));
        match self.options.relocatable {
            true => self.step("RET.ABS.NODEC R20 0x0", None, &[register])?,
            false => {
                let ops = [register, Op::Function(0)];
                self.step("RET.REL.NODEC R20 `(x)", None, &ops)?;
            }
        }
        Ok(())
    }

    /// Takes back the last instruction if it does nothing but go to a label that is put next.
    fn drop_branch_to(&mut self, label: u32) {
        let is_last = self.current.insts.is_empty();
        let Some(block) = self.ir.blocks.last_mut().filter(|_| is_last) else {
            return;
        };
        let target = Some(BlockId(label));
        let goes_there =
            |inst: &ir::Inst| inst.is_branch() && inst.guard.is_none() && inst.target() == target;
        if block.insts.last().is_some_and(goes_there) {
            block.insts.pop();
            self.current = self.ir.blocks.pop().unwrap_or_default();
        }
    }
}
