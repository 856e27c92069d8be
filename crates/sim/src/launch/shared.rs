//! How much static shared memory a kernel takes.
//!
//! A kernel takes the `.shared` variables it can reach: those named in its own code and in the code of
//! every function that is named on the way, directly, in lists of targets, by other names, or in the
//! initial value of a variable. Names are not resolved scope by scope: a local name that hides a shared
//! variable makes the answer larger, never smaller.

use rustc_hash::{FxHashMap, FxHashSet};
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Function, InitItem, Item, Space, Statement, Variable};
use warpc_ptx::symbol::Symbol;

/// Bytes of the `.shared` variables that a kernel can reach, each aligned as it asks for. Arrays
/// without a length are the dynamic part and take nothing here.
pub fn static_shared_bytes(module: &Module, kernel: &Function) -> u64 {
    let names = Names::new(module);
    let mut reached = FxHashSet::default();
    let mut waiting = vec![kernel.name];
    let mut shared: Vec<&Variable> = Vec::new();
    while let Some(symbol) = waiting.pop() {
        if !reached.insert(symbol) {
            continue;
        }
        if let Some(&other) = names.aliases.get(&symbol) {
            waiting.push(other);
        }
        if let Some(variable) = names.variables.get(&symbol) {
            shared.extend((variable.space == Space::Shared).then_some(*variable));
            let init = variable
                .extra
                .iter()
                .filter_map(|extra| extra.init.as_ref());
            waiting.extend(
                init.flat_map(|init| &init.items)
                    .filter_map(|item| match item {
                        InitItem::Address(address) => Some(address.symbol),
                        _ => None,
                    }),
            );
        }
        let Some(body) = names.functions.get(&symbol).and_then(|f| f.body.as_ref()) else {
            continue;
        };
        waiting.extend(body.operands.iter().filter_map(|operand| match operand {
            Operand::Name { symbol, .. } if names.has(*symbol) => Some(*symbol),
            _ => None,
        }));
        for statement in &body.statements {
            match statement {
                Statement::Variable(variable) if variable.space == Space::Shared => {
                    shared.push(variable);
                }
                Statement::CallTargets(targets, _) => {
                    waiting.extend(targets.iter().map(|(symbol, _)| *symbol));
                }
                _ => {}
            }
        }
    }
    shared.iter().fold(0u64, |end, variable| {
        let start = end.next_multiple_of(variable.alignment().max(1));
        start.saturating_add(variable.bytes().unwrap_or(0))
    })
}

/// What the names of a module stand for outside functions.
struct Names<'m> {
    functions: FxHashMap<Symbol, &'m Function>,
    variables: FxHashMap<Symbol, &'m Variable>,
    aliases: FxHashMap<Symbol, Symbol>,
}

impl<'m> Names<'m> {
    fn new(module: &'m Module) -> Names<'m> {
        let mut names = Names {
            functions: FxHashMap::default(),
            variables: FxHashMap::default(),
            aliases: FxHashMap::default(),
        };
        for item in &module.items {
            match item {
                Item::Function(function) if function.body.is_some() => {
                    names.functions.insert(function.name, function);
                }
                Item::Variable(variable) => {
                    names.variables.insert(variable.name, variable);
                }
                Item::Alias(alias) => {
                    names.aliases.insert(alias.name, alias.aliasee);
                }
                _ => {}
            }
        }
        names
    }

    fn has(&self, symbol: Symbol) -> bool {
        self.functions.contains_key(&symbol)
            || self.variables.contains_key(&symbol)
            || self.aliases.contains_key(&symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::SourceFile;

    #[test]
    fn what_a_kernel_can_reach() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
            .shared .align 16 .b8 direct[40];\n.shared .b32 called;\n.shared .b8 unused[512];\n\
            .extern .shared .b8 dynamic[];\n\
            .func f() { .reg .b32 r; mov.u32 r, called; ret; }\n\
            .entry k() { .reg .b32 r; .shared .b8 own[3]; mov.u32 r, dynamic; call f; \
            mov.u32 r, direct; ret; }\n\
            .entry empty() { ret; }\n";
        let file = SourceFile::new("k.ptx", text).expect("a short text");
        let checked = warpc_ptx::check(&file);
        assert!(!checked.diagnostics.has_errors());
        let of = |name: &str| {
            let kernel = super::super::kernel(&checked.module, Some(name)).expect("it is there");
            static_shared_bytes(&checked.module, kernel)
        };
        assert!((47..=64).contains(&of("k")), "{}", of("k"));
        assert_eq!(of("empty"), 0);
    }
}
