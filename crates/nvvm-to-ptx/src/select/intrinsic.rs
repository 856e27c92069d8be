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
use super::extend::Known;
use crate::unit::{Refused, refusal};
use std::rc::Rc;
use warpc_diag::codes;
use warpc_nvvm::effect_of;
use warpc_nvvm::index::Id;
use warpc_nvvm::module::{Global, GlobalKind};
use warpc_nvvm::value::{InstId, Operand};

/// A function that LLVM knows: what its name says, found once for all calls.
pub(crate) struct Intrinsic {
    name: Box<str>,
    /// Whether a call does nothing but compute its result.
    is_pure: bool,
    /// What stands above the width of the result.
    above: Known,
    general: Option<general::Becomes>,
    integer: Option<integer::Operation>,
    float: Option<float::Function>,
    nvvm: Option<nvvm::Found>,
}

impl Intrinsic {
    /// What is known of a global, if it is such a function.
    fn of(module: &warpc_nvvm::Module, global: &Global) -> Option<Intrinsic> {
        if !matches!(global.kind, GlobalKind::Function(_)) {
            return None;
        }
        let name = module.names.text(global.name?);
        if !name.starts_with("llvm.") {
            return None;
        }
        let mut found = Intrinsic {
            name: (&*name).into(),
            is_pure: false,
            above: Known::default(),
            general: None,
            integer: None,
            float: None,
            nvvm: nvvm::find(&name),
        };
        if !nvvm::is_one(&name) {
            found.general = general::find(&name);
            found.integer = integer::find(&name);
            found.float = float::find(&name);
            found.above =
                float::known_above(&name).unwrap_or_else(|| integer::known_above(found.integer));
        }
        found.is_pure = found.integer.is_some()
            || float::is_pure(&name, found.float)
            || found.nvvm.as_ref().is_some_and(nvvm::Found::is_pure)
            || general::is_pure(found.general);
        Some(found)
    }

    /// What stands above the width of the result.
    pub(super) fn above(&self) -> Known {
        self.above
    }

    /// Whether it computes with its operands as numbers: the bits of a NaN do not matter to it.
    pub(super) fn is_arithmetic(&self) -> bool {
        float::is_arithmetic(self.float)
    }
}

impl Selector<'_, '_> {
    /// Whether a call must be made even if nobody needs its result.
    pub(super) fn call_has_effect(&self, inst: InstId) -> bool {
        match self.intrinsic(inst) {
            Some(intrinsic) => !intrinsic.is_pure,
            None => !effect_of(self.module, self.body, inst).may_be_dropped(),
        }
    }

    /// The function that is called, if it is one that LLVM knows.
    pub(super) fn intrinsic(&self, inst: InstId) -> Option<&Rc<Intrinsic>> {
        let &callee = self.body.operands(inst).last()?;
        let Operand::Const(constant) = callee.get() else {
            return None;
        };
        let id = self.module.global_of(constant)?;
        let known = self.unit.intrinsics[id.index()].get_or_init(|| {
            let found = Intrinsic::of(self.module, &self.module.globals[id]);
            found.map(Rc::new)
        });
        known.as_ref()
    }

    /// Its name.
    pub(super) fn callee_name(&self, inst: InstId) -> Option<&str> {
        self.intrinsic(inst).map(|intrinsic| &*intrinsic.name)
    }

    pub(super) fn call(&mut self, inst: InstId) -> Result<(), Refused> {
        let Some(intrinsic) = self.intrinsic(inst).cloned() else {
            return self.call_function(inst);
        };
        let name = &*intrinsic.name;
        let done = self.variadic_intrinsic(inst, name)?
            || self.general_intrinsic(inst, name, intrinsic.general)?
            || self.integer_intrinsic(inst, intrinsic.integer)?
            || self.float_intrinsic(inst, name, intrinsic.float)?
            || self.nvvm_intrinsic(inst, name, intrinsic.nvvm.as_ref())?;
        if done {
            return Ok(());
        }
        let message = format!("the intrinsic `{name}` is not supported");
        Err(refusal(codes::UNKNOWN_INTRINSIC, self.at, message)
            .help("replace the call, or compile it away before")
            .into())
    }
}
