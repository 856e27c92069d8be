//! The functions of a PTX module, numbered: declarations, definitions and aliases of one function are one entry.

use rustc_hash::FxHashMap;
use warpc_ptx::Module;
use warpc_ptx::module::{Function, Item};
use warpc_ptx::symbol::Symbol;

/// The functions of a module by number and by name.
#[derive(Debug, Default)]
pub struct Functions {
    /// For each function the item that defines it; `None` for one that is only declared.
    items: Vec<Option<usize>>,
    numbers: FxHashMap<Symbol, usize>,
    /// By symbol whether it is the name of a function or a variable of the module.
    names: Vec<bool>,
}

impl Functions {
    /// Numbers the functions of a module, in order.
    pub fn of(module: &Module) -> Functions {
        let mut functions = Functions::default();
        for (index, item) in module.items.iter().enumerate() {
            if let Item::Function(function) = item {
                functions.add(function, index);
            }
        }
        // An alias is another name of the same function.
        for item in &module.items {
            if let Item::Alias(alias) = item
                && let Some(number) = functions.number(alias.aliasee)
            {
                functions.numbers.insert(alias.name, number);
            }
        }
        let variables = module.items.iter().filter_map(|item| match item {
            Item::Variable(variable) => Some(variable.name),
            _ => None,
        });
        let mut names = vec![false; module.symbols.len()];
        for name in functions.numbers.keys().copied().chain(variables) {
            if let Some(known) = names.get_mut(name.index()) {
                *known = true;
            }
        }
        functions.names = names;
        functions
    }

    fn add(&mut self, function: &Function, item: usize) {
        let defined = function.body.is_some().then_some(item);
        match self.number(function.name) {
            Some(number) => {
                let entry = &mut self.items[number];
                *entry = entry.or(defined);
            }
            None => {
                self.numbers.insert(function.name, self.items.len());
                self.items.push(defined);
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number of a function, if the name is that of one.
    pub fn number(&self, name: Symbol) -> Option<usize> {
        self.numbers.get(&name).copied()
    }

    /// Whether a name is that of a function or a variable of the module: most names in code are those of registers.
    pub fn is_of_module(&self, name: Symbol) -> bool {
        self.names.get(name.index()).is_some_and(|known| *known)
    }

    /// All names, aliases included, with the numbers of their functions.
    pub fn names(&self) -> impl Iterator<Item = (Symbol, usize)> {
        self.numbers.iter().map(|(&name, &number)| (name, number))
    }

    /// The definition of a function, if it has one.
    pub fn definition<'m>(&self, module: &'m Module, number: usize) -> Option<&'m Function> {
        match &module.items[self.items[number]?] {
            Item::Function(function) => Some(function),
            _ => None,
        }
    }
}
