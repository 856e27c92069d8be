//! The kernel and every function it may call.
//!
//! Direct calls name their callee. An indirect call may reach every function whose address is taken
//! anywhere in the module, tables of virtual functions included.

use super::layout::Layout;
use rustc_hash::FxHashSet;
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Body, Function, Item, Statement, Variable};
use warpc_ptx::symbol::Symbol;

/// What a kernel reaches.
#[derive(Debug, Default)]
pub(crate) struct Tree<'m> {
    /// Numbers of the functions, the kernel first.
    pub(super) functions: Vec<usize>,
    /// Their definitions.
    pub(super) bodies: Vec<&'m Function>,
    /// Every name their code mentions.
    pub(super) names: FxHashSet<Symbol>,
}

/// Finds what a kernel reaches.
pub(crate) fn reach<'m>(module: &'m Module, layout: &Layout, kernel: &Function) -> Tree<'m> {
    let mut tree = Tree::default();
    let mut seen = FxHashSet::default();
    let mut pending: Vec<usize> = layout
        .numbers
        .get(&kernel.name)
        .copied()
        .into_iter()
        .collect();
    let mut indirect = false;
    while let Some(number) = pending.pop() {
        if !seen.insert(number) || layout.functions[number].item.is_none() {
            continue;
        }
        let function = layout.definition(module, number);
        tree.functions.push(number);
        tree.bodies.push(function);
        let Some(body) = &function.body else { continue };
        for operand in &body.operands {
            if let Operand::Name { symbol, .. } = operand {
                tree.names.insert(*symbol);
                // A function that is named is called, or its address is taken.
                pending.extend(layout.numbers.get(symbol));
            }
        }
        if !indirect && calls_through_pointer(module, layout, body) {
            indirect = true;
            pending.extend(taken_in_initializers(module, layout));
        }
    }
    tree
}

fn calls_through_pointer(module: &Module, layout: &Layout, body: &Body) -> bool {
    body.statements.iter().any(|statement| {
        let Statement::Inst(inst) = statement else {
            return false;
        };
        let choice = &module.mnemonic(inst.mnemonic).choices[usize::from(inst.choice)];
        choice.form.form().opcode == "call"
            && body.operands(inst.operands).iter().any(|operand| {
                matches!(operand, Operand::Name { symbol, .. } if !layout.numbers.contains_key(symbol))
            })
    })
}

/// Functions whose address a variable begins with, and those whose address other code takes.
fn taken_in_initializers(module: &Module, layout: &Layout) -> Vec<usize> {
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
        .filter_map(|symbol| layout.numbers.get(&symbol).copied())
        .collect()
}
