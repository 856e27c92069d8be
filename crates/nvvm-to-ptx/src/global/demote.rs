//! Variables that one function alone uses, declared inside of it.
//!
//! | variable | inside its function |
//! |---|---|
//! | internal, in shared memory | where that is asked for: a kernel then has only the shared memory that it uses |
//! | in local memory | always: PTX with a calling convention has no such variables outside of functions. The function must be a kernel, because those of others would live longer than a call |
//!
//! A variable that an initial value mentions stays outside.

use super::is_for_compiler;
use crate::header;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_nvvm::Module;
use warpc_nvvm::constant::{ConstId, ConstKind};
use warpc_nvvm::module::{Global, GlobalId, GlobalKind, Linkage};
use warpc_nvvm::value::Operand;

/// Shared and local memory, as LLVM numbers them.
const SHARED: u32 = 3;
pub(crate) const LOCAL: u32 = 5;

/// The variables that are declared inside of functions, and where.
#[derive(Debug, Default)]
pub(crate) struct Demoted {
    functions: FxHashMap<GlobalId, GlobalId>,
}

impl Demoted {
    /// Finds them; those in shared memory only if `shared`.
    pub fn of(module: &Module, shared: bool) -> Demoted {
        let wanted: FxHashSet<GlobalId> = module
            .variables()
            .filter(|(_, global, _)| match global.space {
                SHARED => shared && is_own(global),
                space => space == LOCAL && header::is_defined(global),
            })
            .map(|(id, _, _)| id)
            .collect();
        if wanted.is_empty() {
            return Demoted::default();
        }
        let mut users: FxHashMap<GlobalId, Option<GlobalId>> = FxHashMap::default();
        for (id, global, variable) in module.variables() {
            if is_for_compiler(module, global) {
                continue;
            }
            for found in mentioned(module, variable.init.into_iter().collect(), &wanted) {
                if found != id {
                    users.insert(found, None);
                }
            }
        }
        for &id in &module.order {
            let constants = match &module.globals[id].kind {
                GlobalKind::Function(function) => {
                    let Some(body) = &function.body else { continue };
                    let blocks = body.order.iter();
                    let insts = blocks.flat_map(|&block| &body.blocks[block].insts);
                    let operands = insts.flat_map(|&inst| body.operands(inst));
                    let constants = operands.filter_map(|value| match value.get() {
                        Operand::Const(constant) => Some(constant),
                        _ => None,
                    });
                    constants.collect()
                }
                GlobalKind::Alias(target) => vec![*target],
                _ => continue,
            };
            for found in mentioned(module, constants, &wanted) {
                let user = users.entry(found).or_insert(Some(id));
                if *user != Some(id) {
                    *user = None;
                }
            }
        }
        let is_function = |id: GlobalId| matches!(module.globals[id].kind, GlobalKind::Function(_));
        let is_fit = |variable: GlobalId, function: GlobalId| {
            module.globals[variable].space == SHARED || is_kernel(module, function)
        };
        let functions = users.into_iter().filter_map(|(variable, user)| {
            let user = user.filter(|&user| is_function(user) && is_fit(variable, user))?;
            Some((variable, user))
        });
        Demoted {
            functions: functions.collect(),
        }
    }

    /// Whether a variable is declared inside of a function.
    pub fn contains(&self, variable: GlobalId) -> bool {
        self.functions.contains_key(&variable)
    }

    /// The variables of a function, in the order of the module.
    pub fn inside(&self, module: &Module, function: GlobalId) -> Vec<GlobalId> {
        if self.functions.is_empty() {
            return Vec::new();
        }
        let variables = module.order.iter().copied();
        let own = |id: &GlobalId| self.functions.get(id) == Some(&function);
        variables.filter(own).collect()
    }
}

/// Whether nobody outside the module sees a variable, and it is defined in it.
fn is_own(global: &Global) -> bool {
    matches!(global.linkage, Linkage::Internal | Linkage::Private) && header::is_defined(global)
}

fn is_kernel(module: &Module, id: GlobalId) -> bool {
    matches!(&module.globals[id].kind, GlobalKind::Function(data) if crate::abi::is_kernel(data))
}

/// Which of some variables constants mention.
fn mentioned(
    module: &Module,
    mut open: Vec<ConstId>,
    wanted: &FxHashSet<GlobalId>,
) -> FxHashSet<GlobalId> {
    let mut seen = FxHashSet::default();
    let mut found = FxHashSet::default();
    while let Some(constant) = open.pop() {
        match module.constants.get(constant).kind {
            ConstKind::Global(global) => {
                if wanted.contains(&global) {
                    found.insert(global);
                }
            }
            _ => {
                if seen.insert(constant) {
                    open.extend(module.constants.operands(constant));
                }
            }
        }
    }
    found
}
