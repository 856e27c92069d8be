//! Calls, and what functions get and give back.
//!
//! A variable in the space of parameters, other than a parameter of a kernel, is a register for each of its words. They
//! are moved to where the callee wants them before a call, and taken from there after it.

use super::names::Meaning;
use super::operand::{Base, Given};
use super::{Builder, FRAME_ALIGN, Outcome, special};
use crate::abi::{Place, Places, RETURN, is_of_system};
use crate::ir::{File, Guard, Op, Reg};
use crate::source::Source;
use warpc_ptx::form::map_operands;
use warpc_ptx::inst::{Inst, Operand};
use warpc_ptx::module::{Body, FunctionKind, Space, Statement, Variable};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;
use warpc_sass::Value;

/// The largest variable that is passed: the largest size of the parameters of a function.
const MOST_BYTES: u64 = 4096;

/// The parameters and results of a function.
type Signature<'m> = (&'m [Variable], &'m [Variable]);

/// What a call goes to.
#[derive(Clone, Copy)]
enum Callee {
    /// A function of the module.
    Named(Symbol),
    /// A function of the system, by the number of its address.
    System(u32),
    /// A function whose address is this.
    Taken(Op),
}

/// A variable that is passed: its words.
pub(super) struct Argument {
    words: Vec<Reg>,
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
        for statement in &body.statements {
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
        most.next_multiple_of(16)
    }

    /// The name that an instruction calls, if it is a call.
    fn callee_of(&self, inst: &Inst) -> Option<Symbol> {
        let mnemonic = self.module.mnemonic(inst.mnemonic);
        let choice = mnemonic.choices.get(usize::from(inst.choice))?;
        if choice.form.form().opcode != "call" {
            return None;
        }
        match self.call_operand(inst, "callee")? {
            Operand::Name { symbol, .. } => Some(symbol),
            _ => None,
        }
    }

    fn call_operand(&self, inst: &Inst, name: &str) -> Option<Operand> {
        let mnemonic = self.module.mnemonic(inst.mnemonic);
        let choice = mnemonic.choices.get(usize::from(inst.choice))?;
        let mapping = map_operands(choice, &self.body.operands, inst.operands).ok()?;
        let mut specs = choice.form.form().operands.iter().zip(&mapping);
        let (_, index) = specs.find(|(spec, _)| spec.name == name)?;
        self.body.operands.get((*index)? as usize).copied()
    }

    /// The parameters and results of a function that is defined or declared.
    fn signature(&self, name: Symbol) -> Option<Signature<'m>> {
        let number = self.functions.number(name)?;
        let function = match self.functions.definition(self.module, number) {
            Some(function) => function,
            None => self.module.functions().find(|one| one.name == name)?,
        };
        Some((&function.params, &function.returns))
    }

    /// The prototypes that the label of an instruction may name: which of several labels of this name it is does not matter
    /// for how much they pass at most.
    fn prototypes(&self, body: &'m Body, inst: &Inst) -> Vec<Signature<'m>> {
        let Some(Operand::Name { symbol, .. }) = self.call_operand(inst, "prototype") else {
            return Vec::new();
        };
        let statements = body.statements.windows(2);
        let named = statements.filter_map(|pair| match &pair[0] {
            Statement::Label(label, _) if *label == symbol => self.listed(&pair[1]),
            _ => None,
        });
        named.collect()
    }

    /// The parameters and results of functions that a statement describes.
    fn listed(&self, statement: &'m Statement) -> Option<Signature<'m>> {
        match statement {
            Statement::CallPrototype(prototype, _) => Some((&prototype.params, &prototype.returns)),
            Statement::CallTargets(names, _) => self.signature(names.first()?.0),
            _ => None,
        }
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
            let words = match addressed.contains(&variable.name) {
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
    fn addressed(&self) -> rustc_hash::FxHashSet<Symbol> {
        let mut all = rustc_hash::FxHashSet::default();
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

    /// An instruction by the example of a text, with an operand in place of its number.
    fn step_with(&mut self, text: &str, ops: &[Op], number: Op) -> Outcome<()> {
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

    /// `ret` in a function.
    pub(super) fn give_back(&mut self, guard: Option<Guard>) -> Outcome<()> {
        let around = self.skip_unless(guard)?;
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
        let ops = [Op::Value(Value::Register(RETURN)), Op::Function(0)];
        self.step("RET.REL.NODEC R20 `(x)", None, &ops)?;
        if let Some(label) = around {
            self.put_label(label);
        }
        Ok(())
    }

    /// Branches around what comes next where a guard does not hold; the label after it.
    fn skip_unless(&mut self, guard: Option<Guard>) -> Outcome<Option<u32>> {
        let Some(guard) = guard else {
            return Ok(None);
        };
        let label = self.new_label();
        let not = !guard.not;
        self.go(label, Some(Guard { not, ..guard }))?;
        Ok(Some(label))
    }

    /// What a call goes to, and the parameters and results of that.
    fn callee(&mut self, inst: &Inst) -> Outcome<(Callee, Signature<'m>)> {
        let Some(operand @ Operand::Name { symbol: name, .. }) = self.call_operand(inst, "callee")
        else {
            return Err(self.refuse("this call"));
        };
        let Some(number) = self.functions.number(name) else {
            let address = match self.resolve(operand, None)? {
                one @ Given::Reg { .. } => self.part(&one, 0)?,
                _ => return Err(self.refuse("this call")),
            };
            let list = match self.call_operand(inst, "prototype") {
                Some(Operand::Name { symbol, .. }) => self.labels.statement(self.scope, symbol),
                _ => None,
            };
            // The description follows its label.
            let list = list.and_then(|at| self.body.statements.get(at + 1));
            let signature = list.and_then(|list| self.listed(list));
            let signature =
                signature.ok_or_else(|| self.refuse("calls whose function is not described"))?;
            return Ok((Callee::Taken(address), signature));
        };
        let Some(signature) = self.signature(name) else {
            return Err(self.refuse("this call"));
        };
        if let Some(callee) = self.functions.definition(self.module, number) {
            return match callee.kind {
                FunctionKind::Entry => Err(self.refuse("calls of kernels")),
                FunctionKind::Func => Ok((Callee::Named(callee.name), signature)),
            };
        }
        match self.data.system_number(name) {
            Some(number) if is_of_system(self.module.name(name)) => {
                Ok((Callee::System(number), signature))
            }
            _ => Err(self.refuse(format_args!(
                "calls of functions that the module does not define (`{}`)",
                self.module.name(name)
            ))),
        }
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
        // Before the registers of the arguments are written: nothing else may be in them from then on.
        let address = self.ir.reg(File::Register, 2);
        match callee {
            Callee::Named(_) => {}
            Callee::System(number) => {
                let text = format!("LDC.64 R0, {}", special::place(4, 8 * i64::from(number)));
                self.step(&text, None, &[Op::Reg(address, 0)])?;
            }
            Callee::Taken(at) => {
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
        if let Some(label) = around {
            self.put_label(label);
        }
        Ok(())
    }

    /// Goes to a function, and comes back. The address is that of one that is not called by name.
    fn go_to(&mut self, callee: Callee, address: Reg) -> Outcome<()> {
        let back = self.new_label();
        let block = Op::Block(crate::ir::BlockId(back));
        let [low, high] = [RETURN, RETURN + 1].map(|one| Op::Value(Value::Register(one)));
        let address = Op::Reg(address, 0);
        if let Callee::System(_) = callee {
            self.ir.calls_system = true;
            self.step("LEPC R0, `(x)", None, &[low, block])?;
            self.step("CALL.ABS.NOINC R0", None, &[address])?;
            self.put_label(back);
            // The system uses the registers of the descriptor for itself.
            return match special::descriptor(self.sm) {
                Some(text) => self.fixed(&text),
                None => Ok(()),
            };
        }
        self.step_with("MOV R0, 0x10", &[low], block)?;
        self.step("MOV R0, RZ", None, &[high])?;
        if let Callee::Named(name) = callee {
            self.ir.callees.push(name);
            let number = self.ir.callees.len() as u32;
            self.step("CALL.REL.NOINC `(x)", None, &[Op::Function(number)])?;
        } else {
            self.ir.calls_taken = true;
            let ops = [address, Op::Function(0)];
            self.step("CALL.REL.NOINC R0 `(x)", None, &ops)?;
        }
        self.put_label(back);
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
