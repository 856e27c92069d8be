//! What a call goes to: a function of the module, one of the system, or one whose address is in a register.

use super::operand::Given;
use super::{Builder, Outcome, linked, special};
use crate::abi::{RETURN, is_of_system};
use crate::ir::{BlockId, Op, Reg};
use warpc_launch::reach::reach;
use warpc_ptx::inst::{Choice, Inst, Operand};
use warpc_ptx::module::{Body, Function, FunctionKind, Statement, Variable};
use warpc_ptx::symbol::Symbol;
use warpc_sass::Value;

/// The parameters and results of a function.
pub(super) type Signature<'m> = (&'m [Variable], &'m [Variable]);

/// What a call goes to.
#[derive(Clone, Copy)]
pub(super) enum Callee {
    /// A function of the module.
    Named(Symbol),
    /// A function of the system, by the number of its address.
    System(u32),
    /// A function whose address is this, in a relocatable object with its upper half.
    Taken(Op, Option<Op>),
}

impl<'m> Builder<'m> {
    /// The name that an instruction calls, if it is a call.
    pub(super) fn callee_of(&self, inst: &Inst) -> Option<Symbol> {
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

    /// The parameters and results of a function that is defined or declared.
    pub(super) fn signature(&self, name: Symbol) -> Option<Signature<'m>> {
        let number = self.functions.number(name)?;
        let function = match self.functions.definition(self.module, number) {
            Some(function) => function,
            None => self.module.functions().find(|one| one.name == name)?,
        };
        Some((&function.params, &function.returns))
    }

    /// The prototypes that the label of an instruction may name: which of several labels of this name it is does not matter
    /// for how much they pass at most.
    pub(super) fn prototypes(&self, body: &'m Body, inst: &Inst) -> Vec<Signature<'m>> {
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

    /// What a call goes to, and the parameters and results of that.
    pub(super) fn callee(&mut self, inst: &Inst) -> Outcome<(Callee, Signature<'m>)> {
        let Some(operand @ Operand::Name { symbol: name, .. }) = self.call_operand(inst, "callee")
        else {
            return Err(self.refuse("this call"));
        };
        let Some(number) = self.functions.number(name) else {
            let (low, high) = match self.resolve(operand, None)? {
                one @ Given::Reg { .. } => {
                    let is_whole = self.options.relocatable && one.lanes() > 1;
                    let high = is_whole.then(|| self.part(&one, 1)).transpose()?;
                    (self.part(&one, 0)?, high)
                }
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
            return Ok((Callee::Taken(low, high), signature));
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
        match self.data.system_number(self.module.name(name)) {
            _ if self.options.relocatable => Ok((Callee::Named(name), signature)),
            Some(number) if is_of_system(self.module.name(name)) => {
                Ok((Callee::System(number), signature))
            }
            _ => Err(self.refuse(format_args!(
                "calls of functions that the module does not define (`{}`)",
                self.module.name(name)
            ))),
        }
    }

    /// Goes to a function, and comes back. The address is that of one that is not called by name.
    pub(super) fn go_to(&mut self, callee: Callee, address: Reg) -> Outcome<()> {
        let back = self.new_label();
        let block = Op::Block(BlockId(back));
        let [low, high] = [RETURN, RETURN + 1].map(|one| Op::Value(Value::Register(one)));
        let address = Op::Reg(address, 0);
        if self.options.relocatable {
            // What is not in the module may do what the system does.
            self.ir.calls_system = true;
            self.step("LEPC R0, `(x)", None, &[low, block])?;
            let module = self.module;
            let name = match callee {
                Callee::Named(name) => Some(module.name(name).to_owned()),
                Callee::System(number) => self.data.system.get(number as usize).cloned(),
                Callee::Taken(..) => None,
            };
            match name {
                Some(name) => {
                    let link = self.ir.linked(linked::CALL, &name);
                    self.step_with("CALL.ABS.NOINC 0x10", &[], link)?;
                }
                None => {
                    let link = self.ir.linked(linked::TAKEN, linked::TABLE);
                    self.step_with("CALL.ABS.NOINC R0 0x10", &[address], link)?;
                }
            }
            self.put_label(back);
            return match special::descriptor(self.sm) {
                Some(text) => self.fixed(&text),
                None => Ok(()),
            };
        }
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

    /// Whether no function that the kernel may call meets others at a barrier of the block, or ends threads. What is not in
    /// the module, and what a linker may put in its place, is asked of the options.
    pub(super) fn has_quiet_calls(&self) -> bool {
        let reached = reach(self.module, self.functions, self.function);
        let is_unknown = |name: &Symbol| {
            let number = self.functions.number(*name);
            number.is_some_and(|one| self.functions.definition(self.module, one).is_none())
        };
        let own = self.function.name;
        let is_loud = |function: &Function| {
            let body = function.body.iter();
            let mut all = body.flat_map(|body| self.mnemonics(body));
            all.any(|(choice, operands)| match choice.form.form().opcode {
                "bar" | "barrier" if function.name != own => {
                    choice.words().all(|word| word != "warp")
                }
                "exit" => function.name != own,
                // Any function may be at an address.
                "call" => operands.iter().any(|operand| match operand {
                    Operand::Name { symbol, .. } => self.functions.number(*symbol).is_none(),
                    _ => false,
                }),
                _ => false,
            })
        };
        let is_open = self.options.relocatable || reached.names.iter().any(is_unknown);
        (!is_open || self.options.extern_functions_do_not_sync)
            && !reached.bodies.iter().any(|function| is_loud(function))
    }

    /// The instructions of a body: what they are, and their operands.
    fn mnemonics<'b>(&self, body: &'b Body) -> impl Iterator<Item = (&'m Choice, &'b [Operand])> {
        let module = self.module;
        body.statements
            .iter()
            .filter_map(move |statement| match statement {
                Statement::Inst(inst) => {
                    let mnemonic = module.mnemonic(inst.mnemonic);
                    let choice = mnemonic.choices.get(usize::from(inst.choice))?;
                    Some((choice, body.operands(inst.operands)))
                }
                _ => None,
            })
    }
}
