//! Calls, and variables that are passed.
//!
//! A variable in the space of parameters, other than a parameter of a kernel, is a register for each of its words. They
//! are moved to where the callee wants them before a call, and taken from there after it.

use super::callee::Callee;
use super::names::Meaning;
use super::operand::{Base, Given};
use super::{Builder, Outcome, special};
use crate::abi::{Place, Places};
use crate::ir::{File, Guard, Op, Reg};
use crate::source::Source;
use warpc_ptx::form::map_operands;
use warpc_ptx::inst::{Inst, Operand};
use warpc_ptx::module::{Body, Statement, Variable};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;
use warpc_sass::Value;

/// The largest variable that is passed: the largest size of the parameters of a function.
pub(super) const MOST_BYTES: u64 = 4096;

/// A variable that is passed: its words.
pub(super) struct Argument {
    pub(super) words: Vec<Reg>,
}

/// Where the arguments of a function are passed; nothing if the size of one is not known, or too large.
pub(super) fn places(variables: &[Variable]) -> Option<Places> {
    let each = variables.iter().map(|variable| {
        let bytes = variable.bytes().filter(|bytes| *bytes <= MOST_BYTES)?;
        let align = variable.alignment().clamp(1, 16);
        Some((bytes as u32, align as u32))
    });
    let each: Option<Vec<(u32, u32)>> = each.collect();
    Some(Places::of(each?))
}

impl<'m> Builder<'m> {
    /// The bytes of stack that the calls of a function pass things in.
    pub(super) fn outgoing(&self, body: &Body) -> u32 {
        let mut most = 0;
        let statements = match self.module.has_opcode(&["call"]) {
            true => &body.statements[..],
            false => &[],
        };
        for statement in statements {
            let Statement::Inst(inst) = statement else {
                continue;
            };
            // Nothing is known here of labels: a list of functions has functions of one kind.
            let callee = self.callee_of(inst).and_then(|name| self.signature(name));
            let signatures = callee.into_iter().chain(self.prototypes(body, inst));
            for (params, returns) in signatures {
                let stack = |all: &[Variable]| places(all).map_or(0, |places| places.stack);
                most = most.max(stack(params)).max(stack(returns));
            }
        }
        most = most.max(super::gradient::outgoing(self.module, body));
        most.next_multiple_of(16)
    }

    pub(super) fn call_operand(&self, inst: &Inst, name: &str) -> Option<Operand> {
        let mnemonic = self.module.mnemonic(inst.mnemonic);
        let choice = mnemonic.choices.get(usize::from(inst.choice))?;
        let mapping = map_operands(choice, &self.body.operands, inst.operands).ok()?;
        let mut specs = choice.form.form().operands.iter().zip(&mapping);
        let (_, index) = specs.find(|(spec, _)| spec.name == name)?;
        self.body.operands.get((*index)? as usize).copied()
    }

    /// Declares a variable that is passed.
    pub(super) fn declare_argument(&mut self, variable: &Variable) -> Outcome<Meaning> {
        let bytes = variable.bytes().filter(|bytes| *bytes <= MOST_BYTES);
        let bytes = bytes.ok_or_else(|| self.refuse("arguments of this size"))?;
        let count = bytes.div_ceil(4).max(1);
        let words: Vec<Reg> = (0..count).map(|_| self.ir.reg(File::Register, 1)).collect();
        if self.stores_narrow(variable.name) {
            // The rest of a word is kept where a part of it is written.
            for word in &words {
                self.step("MOV R0, RZ", None, &[Op::Reg(*word, 0)])?;
            }
        }
        self.arguments.push(Argument { words });
        Ok(Meaning::Argument(self.arguments.len() as u32 - 1))
    }

    /// Whether parts of words of a variable are written.
    fn stores_narrow(&mut self, name: Symbol) -> bool {
        if self.narrow.is_none() {
            self.narrow = Some(self.narrow_stores());
        }
        let narrow = self.narrow.as_ref();
        narrow.is_some_and(|narrow| narrow.contains(&name))
    }

    fn narrow_stores(&self) -> rustc_hash::FxHashSet<Symbol> {
        let mut all = rustc_hash::FxHashSet::default();
        for statement in &self.body.statements {
            let Statement::Inst(inst) = statement else {
                continue;
            };
            let Some(source) = Source::of_inst(self.module, self.body, inst) else {
                continue;
            };
            let is_narrow = source.opcode() == "st"
                && source.ty_of(&["type"]).is_some_and(|ty| ty.bits() < 32)
                && source.words_seen().any(|word| word.starts_with("param"));
            if !is_narrow {
                continue;
            }
            if let Some(Operand::Address { items, .. }) = self.call_operand(inst, "a")
                && let Some(Operand::Name { symbol, .. }) = self.body.operands(items).first()
            {
                all.insert(*symbol);
            }
        }
        all
    }

    /// A load or store of a part of a variable that is passed.
    pub(super) fn argument_access(
        &mut self,
        stores: bool,
        ty: ScalarType,
        argument: u32,
        at: i64,
        item: &Given,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let bytes = i64::from(ty.bytes());
        let words = &self.arguments[argument as usize].words;
        let count = words.len() as i64;
        if at < 0 || at % bytes.max(1) != 0 || at + bytes > 4 * count {
            return Err(self.refuse("an access that is not inside its variable, or not aligned"));
        }
        let first = (at / 4) as usize;
        let words: Vec<Reg> = words[first..].to_vec();
        let byte = (at % 4) as u32;
        let lanes = ty.bits().div_ceil(32) as u8;
        if stores {
            for lane in 0..lanes {
                let from = self.part(item, lane)?;
                let to = Op::Reg(words[usize::from(lane)], 0);
                match bytes {
                    1 => self.insert(to, from, insert_selector(byte, 1), guard)?,
                    2 => self.insert(to, from, insert_selector(byte, 2), guard)?,
                    _ => self.copy(to, from, guard)?,
                }
            }
            return Ok(());
        }
        let (reg, first) = self.target(item, ty)?;
        for lane in 0..lanes {
            let to = Op::Reg(reg, first + lane);
            let from = Op::Reg(words[usize::from(lane)], 0);
            let signed = crate::compute::is_signed(ty);
            match bytes {
                1 | 2 => {
                    let selector = extract_selector(byte, bytes as u32, signed);
                    self.step(
                        &format!("PRMT R0, R0, {selector:#x}, RZ"),
                        guard,
                        &[to, from],
                    )?;
                }
                _ => self.copy(to, from, guard)?,
            }
        }
        self.loaded(item, ty, guard)
    }

    /// Puts bytes of a value into a word.
    fn insert(&mut self, word: Op, from: Op, selector: u32, guard: Option<Guard>) -> Outcome<()> {
        let from = match from {
            Op::Value(Value::Number(number)) => Op::Reg(self.number(number as u32)?, 0),
            other => other,
        };
        let text = format!("PRMT R0, R0, {selector:#x}, R0");
        self.step(&text, guard, &[word, word, from])
    }

    /// An instruction by the example of a text, with an operand in place of its number.
    pub(super) fn step_with(&mut self, text: &str, ops: &[Op], number: Op) -> Outcome<()> {
        self.step(text, None, ops)?;
        let last = self.current.insts.last_mut();
        let mut operands = last.into_iter().flat_map(|inst| &mut inst.operands);
        match operands.find(|one| matches!(one.op, Op::Value(Value::Number(_)))) {
            Some(operand) => {
                operand.op = number;
                Ok(())
            }
            None => Err(self.refuse(format_args!("`{text}`"))),
        }
    }

    /// Branches around what comes next where a guard does not hold; the label after it.
    pub(super) fn skip_unless(&mut self, guard: Option<Guard>) -> Outcome<Option<u32>> {
        let Some(guard) = guard else {
            return Ok(None);
        };
        let label = self.new_label();
        let not = !guard.not;
        self.go(label, Some(Guard { not, ..guard }))?;
        Ok(Some(label))
    }

    /// `call`.
    pub(super) fn call(&mut self, inst: &Inst, guard: Option<Guard>) -> Outcome<()> {
        let (callee, (params, returns)) = self.callee(inst)?;
        let (Some(taken), Some(given)) = (places(params), places(returns)) else {
            return Err(self.refuse("arguments of this size"));
        };
        let around = self.skip_unless(guard)?;
        let arguments = self.passed(inst, "arguments", params)?;
        let results = self.passed(inst, "results", returns)?;
        if arguments.len() != taken.each.len() || results.len() != given.each.len() {
            return Err(self.refuse("a call with other arguments than its function has"));
        }
        self.pass(callee, (&arguments, &taken), (&results, &given))?;
        if let Some(label) = around {
            self.put_label(label);
        }
        Ok(())
    }

    /// Passes the words of arguments, calls, and takes the words of results.
    pub(super) fn pass(
        &mut self,
        callee: Callee,
        (arguments, taken): (&[Vec<Op>], &Places),
        (results, given): (&[Vec<Op>], &Places),
    ) -> Outcome<()> {
        // Before the registers of the arguments are written: nothing else may be in them from then on.
        let address = self.ir.reg(File::Register, 2);
        match callee {
            Callee::Named(_) => {}
            Callee::System(_) if self.options.relocatable => {}
            Callee::Taken(low, high) if self.options.relocatable => {
                self.copy(Op::Reg(address, 0), low, None)?;
                let high = high.unwrap_or(Op::Value(Value::ZERO));
                self.copy(Op::Reg(address, 1), high, None)?;
            }
            Callee::System(number) => {
                let text = format!("LDC.64 R0, {}", special::place(4, 8 * i64::from(number)));
                self.step(&text, None, &[Op::Reg(address, 0)])?;
            }
            Callee::Taken(at, _) => {
                let ops = [Op::Reg(address, 0), at];
                self.step("LDC.64 R0, c[0x2][R0]", None, &ops)?;
            }
        }
        let stack = Op::Value(Value::Register(special::STACK));
        for (words, place) in arguments.iter().zip(&taken.each) {
            if let Place::Stack(at) = place {
                for (at, word) in (*at..).step_by(4).zip(words) {
                    let word = match word {
                        Op::Value(Value::Number(number)) => {
                            Op::Reg(self.number(*number as u32)?, 0)
                        }
                        other => *other,
                    };
                    let text = format!("STL [R0{}], R0", special::offset(at.into()));
                    self.step(&text, None, &[stack, word])?;
                }
            }
        }
        for (words, place) in arguments.iter().zip(&taken.each) {
            if let Place::Registers(first) = place {
                for (number, word) in (*first..).zip(words) {
                    self.copy(Op::Value(Value::Register(number)), *word, None)?;
                }
            }
        }
        self.go_to(callee, address)?;
        for (words, place) in results.iter().zip(&given.each) {
            match place {
                Place::Registers(first) => {
                    for (number, word) in (*first..).zip(words) {
                        self.copy(*word, Op::Value(Value::Register(number)), None)?;
                    }
                }
                Place::Stack(_) => {}
            }
        }
        for (words, place) in results.iter().zip(&given.each) {
            if let Place::Stack(at) = place {
                for (at, word) in (*at..).step_by(4).zip(words) {
                    let text = format!("LDL R0, [R0{}]", special::offset(at.into()));
                    self.step(&text, None, &[*word, stack])?;
                }
            }
        }
        Ok(())
    }

    /// The words of the arguments or results of a call.
    fn passed(&mut self, inst: &Inst, name: &str, like: &[Variable]) -> Outcome<Vec<Vec<Op>>> {
        let items = match self.call_operand(inst, name) {
            Some(Operand::List(items)) => items,
            Some(_) => return Err(self.refuse("these arguments")),
            None => return Ok(Vec::new()),
        };
        let operands = self.body.operands(items);
        let mut all = Vec::new();
        for (operand, variable) in operands.iter().zip(like) {
            let count = variable.bytes().unwrap_or(0).div_ceil(4).max(1) as usize;
            let given = self.resolve(*operand, Some(variable.ty))?;
            let words: Vec<Op> = match given {
                Given::Address(Base::Argument(number), 0) => {
                    let words = &self.arguments[number as usize].words;
                    words.iter().map(|word| Op::Reg(*word, 0)).collect()
                }
                Given::Sink => {
                    let fresh = (0..count).map(|_| Op::Reg(self.ir.reg(File::Register, 1), 0));
                    fresh.collect()
                }
                Given::Address(..) | Given::Vector(_) => {
                    return Err(self.refuse("this argument"));
                }
                Given::Reg { reg, .. } if self.ir.data(reg).file == File::Predicate => {
                    return Err(self.refuse("predicates as arguments"));
                }
                one => {
                    let lanes = 0..count as u8;
                    let words = lanes.map(|lane| self.part(&one, lane));
                    words.collect::<Outcome<_>>()?
                }
            };
            if words.len() != count {
                return Err(self.refuse("an argument of another size than its parameter"));
            }
            all.push(words);
        }
        if operands.len() != all.len() {
            return Err(self.refuse("a call with other arguments than its function has"));
        }
        Ok(all)
    }
}

/// The selector of `PRMT` that puts the low bytes of the second word at a byte of the first.
fn insert_selector(byte: u32, bytes: u32) -> u32 {
    (0..4u32).fold(0, |selector, place| {
        let from = match place.checked_sub(byte) {
            Some(number) if number < bytes => 4 + number,
            _ => place,
        };
        selector | from << (4 * place)
    })
}

/// The selector of `PRMT` that takes bytes of a word, and fills the rest with zeros (the second word) or the sign.
fn extract_selector(byte: u32, bytes: u32, signed: bool) -> u32 {
    let last = byte + bytes - 1;
    (0..4u32).fold(0, |selector, place| {
        let from = match (place < bytes, signed) {
            (true, _) => byte + place,
            (false, true) => 8 | last,
            (false, false) => 4,
        };
        selector | from << (4 * place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_name_bytes() {
        assert_eq!(insert_selector(0, 1), 0x3214);
        assert_eq!(insert_selector(2, 2), 0x5410);
        assert_eq!(extract_selector(1, 1, false), 0x4441);
        assert_eq!(extract_selector(2, 2, true), 0xbb32);
    }
}
