//! How much constant and shared memory a module takes.
//!
//! Rules (as ptxas has them):
//! - all `.const` variables together take at most 64 KB, used or not;
//! - the `.shared` variables that a kernel declares or names, itself or in the functions it calls,
//!   take at most what the target has without asking: 48 KB, and more on `a` targets, whose code
//!   runs on one chip only.
//!
//! Sizes are added up while variables are declared. Only a module whose shared variables all
//! together are too large is looked at function by function.

use super::Verifier;
use super::declaration::Place;
use crate::inst::Operand;
use crate::module::{Body, Function, FunctionKind, Item, Linkage, Space, Statement, Variable};
use crate::symbol::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_diag::codes;
use warpc_target::Sm;

const MAX_CONSTANT: u64 = 65536;

/// What ptxas gives a kernel as static shared memory, by target.
fn max_shared(sm: Sm) -> u64 {
    u64::from(sm.limits().static_shared_bytes)
}

/// What was declared so far.
#[derive(Default)]
pub(super) struct Memory<'m> {
    constant: u64,
    /// All shared variables together, as if one kernel had them.
    shared: u64,
    shared_in_module: Vec<&'m Variable>,
    too_much_constant: bool,
}

/// Where the next variable ends that is laid after `used` bytes.
pub(super) fn place(used: u64, variable: &Variable) -> u64 {
    let open = matches!(variable.dims.first(), Some(None | Some(0)));
    let bytes = if open {
        0
    } else {
        let count = u64::from(variable.range.unwrap_or(1));
        variable.bytes().unwrap_or(u64::MAX).saturating_mul(count)
    };
    used.checked_next_multiple_of(variable.alignment().max(1))
        .unwrap_or(u64::MAX)
        .saturating_add(bytes)
}

impl<'m> Verifier<'m> {
    /// Adds a variable's size to what there is.
    pub(super) fn count_memory(&mut self, variable: &'m Variable, at: Place) {
        match variable.space {
            Space::Const => {
                self.memory.constant = place(self.memory.constant, variable);
                if self.memory.constant > MAX_CONSTANT && !self.memory.too_much_constant {
                    self.memory.too_much_constant = true;
                    let message =
                        format!("more than {MAX_CONSTANT} bytes of constant memory are used");
                    let help = "put large tables into `.global`";
                    self.refuse(codes::BAD_DECLARATION, variable.name_at.0, message, help);
                }
            }
            Space::Shared => {
                self.memory.shared = place(self.memory.shared, variable);
                if at == Place::Module {
                    self.memory.shared_in_module.push(variable);
                }
            }
            _ => {}
        }
    }

    /// At the end: no kernel takes more shared memory than there is.
    pub(super) fn check_shared(&mut self) {
        let limit = max_shared(self.sm);
        if self.memory.shared <= limit {
            return;
        }
        let module: &'m crate::Module = self.module;
        let mut variables: FxHashMap<Symbol, &'m Variable> = FxHashMap::default();
        for variable in &self.memory.shared_in_module {
            // The definition counts, whichever comes first.
            let known = variables.entry(variable.name).or_insert(variable);
            if known.linkage == Linkage::Extern {
                *known = variable;
            }
        }
        let bodies: FxHashMap<Symbol, &'m Body> = module
            .functions()
            .filter_map(|function| Some((function.name, function.body.as_ref()?)))
            .collect();
        for item in &module.items {
            let Item::Function(kernel) = item else {
                continue;
            };
            if kernel.kind != FunctionKind::Entry || kernel.body.is_none() {
                continue;
            }
            let used = shared_of(kernel, &variables, &bodies);
            if used > limit {
                let message = format!(
                    "kernel `{}` takes {used} bytes of shared memory, {} has {limit}",
                    module.name(kernel.name),
                    self.sm
                );
                let help = "larger arrays are `.extern .shared x[]`, sized at launch";
                self.refuse(codes::BAD_DECLARATION, kernel.name_at.0, message, help);
            }
        }
    }
}

/// The shared memory of a kernel and of all it calls.
fn shared_of(
    kernel: &Function,
    variables: &FxHashMap<Symbol, &Variable>,
    bodies: &FxHashMap<Symbol, &Body>,
) -> u64 {
    let mut used = 0;
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let mut work = vec![kernel.name];
    seen.insert(kernel.name);
    while let Some(name) = work.pop() {
        let Some(body) = bodies.get(&name) else {
            continue;
        };
        for statement in &body.statements {
            if let Statement::Variable(variable) = statement
                && variable.space == Space::Shared
            {
                used = place(used, variable);
            }
        }
        for operand in &body.operands {
            let Operand::Name { symbol, .. } = operand else {
                continue;
            };
            let known = variables.get(symbol);
            if (known.is_some() || bodies.contains_key(symbol)) && seen.insert(*symbol) {
                match known {
                    Some(variable) => used = place(used, variable),
                    None => work.push(*symbol),
                }
            }
        }
    }
    used
}
