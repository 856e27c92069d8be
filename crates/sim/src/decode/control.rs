//! Jumps and calls.

use super::body::{Decoder, Refused, to_statement};
use super::names::Meaning;
use super::operand::Operands;
use crate::exec::library::System;
use crate::program::{Call, Callee, Op, Place};
use smallvec::SmallVec;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{FunctionKind, Statement};
use warpc_ptx::types::ScalarType;

impl Decoder<'_> {
    pub(super) fn control(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        Ok(match of.choice.form.form().opcode {
            "bra" => {
                let target = self.label(of, "target")?;
                Op::Branch(target)
            }
            "brx" => self.indexed(of)?,
            "call" => self.call(of)?,
            "ret" => Op::Return,
            "exit" => Op::Exit,
            "trap" => Op::Trap,
            _ => Op::Breakpoint,
        })
    }

    fn label(&mut self, of: Operands<'_>, name: &str) -> Result<u32, Refused> {
        let place = of
            .find(name)
            .and_then(|index| match self.body.operands[index] {
                Operand::Name { symbol, .. } => self.labels.find(self.scope, symbol),
                _ => None,
            });
        match place {
            Some(statement) => Ok(to_statement(statement)),
            None => self.refused(of.span(), "a jump to this place"),
        }
    }

    fn indexed(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let index = self.needed(of, "index")?;
        let list = of
            .find("targets")
            .and_then(|index| match self.body.operands[index] {
                Operand::Name { symbol, .. } => self.labels.find(self.scope, symbol),
                _ => None,
            });
        let Some(Statement::BranchTargets(targets, _)) =
            list.and_then(|label| self.body.statements.get(label + 1))
        else {
            return self.refused(of.span(), "a jump through this list");
        };
        let places: Option<Box<[u32]>> = targets
            .iter()
            .map(|(symbol, _)| self.labels.find(self.scope, *symbol).map(to_statement))
            .collect();
        match places {
            Some(places) => Ok(Op::BranchIndexed(index, places)),
            None => self.refused(of.span(), "a jump through this list"),
        }
    }

    fn call(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let Some(index) = of.find("callee") else {
            return self.refused(of.span(), "this call");
        };
        let span = self.body.operand_span(index);
        let Operand::Name { symbol, .. } = self.body.operands[index] else {
            return self.refused(span, "a call of this");
        };
        let callee = match self.names.find(symbol) {
            Some(Meaning::Function(number)) => match self.program.by_address[number] {
                Some(code) => {
                    let function = self.layout.functions.definition(self.module, number);
                    if function.is_some_and(|function| function.kind == FunctionKind::Entry) {
                        return self.refused(span, "the call of a kernel");
                    }
                    Callee::Function(code)
                }
                None => {
                    let name = self.module.name(symbol);
                    match System::find(name) {
                        Some(system) => Callee::System(system),
                        None => {
                            let what =
                                format!("`{name}`: the module declares it, but nothing defines it");
                            return self.refused(span, what);
                        }
                    }
                }
            },
            Some(Meaning::Register(register)) => Callee::Pointer(self.source_of(register, 0)),
            _ => return self.refused(span, "a call of this"),
        };
        let arguments = self.places(of, "arguments", false)?;
        let results = self.places(of, "results", true)?;
        Ok(Op::Call(Box::new(Call {
            callee,
            arguments,
            results,
        })))
    }

    /// What is passed, one by one.
    fn places(
        &mut self,
        of: Operands<'_>,
        name: &str,
        written: bool,
    ) -> Result<Vec<Place>, Refused> {
        let mut places = Vec::new();
        let Some(index) = of.find(name) else {
            return Ok(places);
        };
        let Operand::List(range) = self.body.operands[index] else {
            return self.refused(of.span(), "these arguments");
        };
        for child in range.indices() {
            if let Operand::Name { symbol, .. } = self.body.operands[child]
                && let Some(Meaning::Stack(at, bytes, _)) = self.names.find(symbol)
            {
                places.push(Place::Memory(at, bytes));
            } else if written {
                let mut list = SmallVec::new();
                self.destinations(child, &mut list)?;
                places.extend(list.into_iter().map(Place::Register));
            } else {
                let mut list = SmallVec::new();
                self.sources(child, ScalarType::B64, &mut list)?;
                places.extend(list.into_iter().map(Place::Value));
            }
        }
        Ok(places)
    }
}
