//! Registers of PTX that are a number: written once in the whole function, by `mov` of a number, without a guard. A read
//! that this does not come before is of a value that was never defined, so that any will do there.
//!
//! Passes over machine instructions find numbers themselves; this is for instructions whose steps depend on them.

use super::Builder;
use super::group::names_of;
use crate::source::Source;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_ptx::Module;
use warpc_ptx::form::{Role, map_operands};
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Body, Statement};
use warpc_ptx::symbol::Symbol;

impl Builder<'_> {
    /// Says what number the divisor of a division is, if that is known.
    pub(super) fn know_divisor(&mut self, source: &mut Source) {
        if !matches!(source.opcode(), "div" | "rem") {
            return;
        }
        let Some(symbol) = source.whole_name("b") else {
            return;
        };
        let (module, body) = (self.module, self.body);
        let known = self
            .constant_registers
            .get_or_insert_with(|| constant_registers(module, body));
        if let Some(number) = known.get(&symbol) {
            source.set_number("b", *number as i64);
        }
    }
}

/// The registers of a body that are numbers. Names count, whatever scope they are of.
fn constant_registers(module: &Module, body: &Body) -> FxHashMap<Symbol, u64> {
    let mut written: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut numbers: FxHashMap<Symbol, u64> = FxHashMap::default();
    let mut names = SmallVec::<[Symbol; 4]>::new();
    for statement in &body.statements {
        let Statement::Inst(inst) = statement else {
            continue;
        };
        let operands = body.operands(inst.operands);
        let mnemonic = module.mnemonic(inst.mnemonic);
        let choice = mnemonic.choices.get(usize::from(inst.choice));
        let mapping = choice
            .filter(|choice| choice.form.form().opcode != "call")
            .and_then(|choice| {
                let mapping = map_operands(choice, &body.operands, inst.operands).ok()?;
                Some((choice, mapping))
            });
        names.clear();
        match mapping {
            Some((choice, mapping)) => {
                let form = choice.form.form();
                for (spec, index) in form.operands.iter().zip(&mapping) {
                    let operand = index.and_then(|index| body.operands.get(index as usize));
                    if let (true, Some(operand)) = (spec.role != Role::Use, operand) {
                        names_of(body, operand, &mut names);
                    }
                }
                if let ("mov", None, [Operand::Name { symbol, .. }, Operand::Int(int)]) =
                    (form.opcode, inst.guard, operands)
                {
                    numbers.insert(*symbol, int.bits);
                }
            }
            // What it writes is not known.
            None => {
                for operand in operands {
                    names_of(body, operand, &mut names);
                }
            }
        }
        for name in &names {
            *written.entry(*name).or_default() += 1;
        }
    }
    numbers.retain(|symbol, _| written.get(symbol) == Some(&1));
    numbers
}
