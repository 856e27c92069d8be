//! The kernel and every function it may call.
//!
//! Direct calls name their callee. An indirect call may reach every function whose address is taken
//! anywhere in the module, tables of virtual functions included.

use crate::functions::Functions;
use rustc_hash::FxHashSet;
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Body, Function, Item, Statement, Variable};
use warpc_ptx::symbol::Symbol;

/// What a kernel reaches.
#[derive(Debug, Default)]
pub struct Reached<'m> {
    /// Numbers of the functions, the kernel first.
    pub functions: Vec<usize>,
    /// Their definitions.
    pub bodies: Vec<&'m Function>,
    /// Every function and variable of the module that their code names.
    pub names: FxHashSet<Symbol>,
}

/// Finds what a kernel reaches.
pub fn reach<'m>(module: &'m Module, functions: &Functions, kernel: &Function) -> Reached<'m> {
    let mut reached = Reached::default();
    let mut seen = FxHashSet::default();
    let mut pending: Vec<usize> = functions.number(kernel.name).into_iter().collect();
    let mut indirect = !module.has_opcode(&["call"]);
    while let Some(number) = pending.pop() {
        if !seen.insert(number) {
            continue;
        }
        let Some(function) = functions.definition(module, number) else {
            continue;
        };
        reached.functions.push(number);
        reached.bodies.push(function);
        let Some(body) = &function.body else { continue };
        for operand in &body.operands {
            if let Operand::Name { symbol, .. } = operand
                && functions.is_of_module(*symbol)
            {
                reached.names.insert(*symbol);
                // A function that is named is called, or its address is taken.
                pending.extend(functions.number(*symbol));
            }
        }
        if !indirect && calls_through_pointer(module, functions, body) {
            indirect = true;
            pending.extend(taken_in_initializers(module, functions));
        }
    }
    reached
}

fn calls_through_pointer(module: &Module, functions: &Functions, body: &Body) -> bool {
    body.statements.iter().any(|statement| {
        let Statement::Inst(inst) = statement else {
            return false;
        };
        let choice = &module.mnemonic(inst.mnemonic).choices[usize::from(inst.choice)];
        choice.form.form().opcode == "call"
            && body.operands(inst.operands).iter().any(|operand| {
                matches!(operand, Operand::Name { symbol, .. } if functions.number(*symbol).is_none())
            })
    })
}

/// Functions whose address a variable begins with, and those whose address other code takes.
fn taken_in_initializers(module: &Module, functions: &Functions) -> Vec<usize> {
    let variables = module.items.iter().filter_map(|item| match item {
        Item::Variable(variable) => Some(variable),
        _ => None,
    });
    let items = |variable: &'_ Variable| -> Vec<Symbol> {
        let init = variable
            .extra
            .as_ref()
            .and_then(|extra| extra.init.as_ref());
        let addresses = init.map_or(&[][..], |init| init.items.addresses());
        addresses.iter().map(|address| address.symbol).collect()
    };
    variables
        .flat_map(items)
        .filter_map(|symbol| functions.number(symbol))
        .collect()
}
