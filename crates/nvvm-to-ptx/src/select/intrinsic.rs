//! Calls of functions that LLVM itself knows, handed to the file of their family.
//!
//! Each family answers whether the name is one of its own; a name that none knows is refused.

pub(super) mod float;
mod general;
mod integer;
mod nvvm;
mod row;
mod table;
mod template;

use super::Selector;
use crate::unit::{Refused, refusal};
use warpc_diag::codes;
use warpc_nvvm::effect_of;
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::value::{InstId, Operand};

impl Selector<'_, '_> {
    /// Whether a call must be made even if nobody needs its result.
    pub(super) fn call_has_effect(&self, inst: InstId) -> bool {
        match self.callee_name(inst) {
            Some(name) => {
                !(integer::is_pure(&name)
                    || float::is_pure(&name)
                    || nvvm::is_pure(&name)
                    || general::is_pure(&name))
            }
            None => !effect_of(self.module, self.body, inst).may_be_dropped(),
        }
    }

    /// The name of the function that is called, if it is one that LLVM knows.
    pub(super) fn callee_name(&self, inst: InstId) -> Option<String> {
        let &callee = self.body.operands(inst).last()?;
        let Operand::Const(constant) = callee.get() else {
            return None;
        };
        let global = &self.module.globals[self.module.global_of(constant)?];
        if !matches!(global.kind, GlobalKind::Function(_)) {
            return None;
        }
        let name = self.module.names.text(global.name?);
        name.starts_with("llvm.").then(|| name.into_owned())
    }

    pub(super) fn call(&mut self, inst: InstId) -> Result<(), Refused> {
        let Some(name) = self.callee_name(inst) else {
            return self.call_function(inst);
        };
        let done = self.variadic_intrinsic(inst, &name)?
            || self.general_intrinsic(inst, &name)?
            || self.integer_intrinsic(inst, &name)?
            || self.float_intrinsic(inst, &name)?
            || self.nvvm_intrinsic(inst, &name)?;
        if done {
            return Ok(());
        }
        let message = format!("the intrinsic `{name}` is not supported");
        Err(refusal(codes::UNKNOWN_INTRINSIC, self.at, message)
            .help("replace the call, or compile it away before")
            .into())
    }
}

/// What stands above the width of the result of an intrinsic, from what stands above its operands.
pub(super) fn known_above(
    name: &str,
    of: impl Fn(usize) -> super::extend::Known,
) -> super::extend::Known {
    float::known_above(name).unwrap_or_else(|| integer::known_above(name, of))
}
