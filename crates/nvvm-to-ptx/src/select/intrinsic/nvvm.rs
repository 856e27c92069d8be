//! The intrinsics `llvm.nvvm.*`.

use crate::code::Arg;
use crate::select::Selector;
use crate::unit::Refused;
use warpc_nvvm::value::InstId;
use warpc_ptx::inst::Part;

/// Special registers by the end of the name of their intrinsic.
const SPECIAL_REGISTERS: &str = "llvm.nvvm.read.ptx.sreg.";

/// Whether a call of the intrinsic does nothing but compute its result.
pub(super) fn is_pure(name: &str) -> bool {
    name.starts_with(SPECIAL_REGISTERS)
}

impl Selector<'_, '_> {
    /// Selects the call if its name is one of this family.
    pub(super) fn nvvm_intrinsic(&mut self, inst: InstId, name: &str) -> Result<bool, Refused> {
        let Some(register) = name.strip_prefix(SPECIAL_REGISTERS) else {
            return Ok(false);
        };
        let register = self.special_register(register);
        let result = self.result(inst)?;
        self.emit("mov.u32", &[result.into(), register])?;
        Ok(true)
    }

    /// A special register by its name without `%`: `tid.x`, `laneid`.
    fn special_register(&mut self, name: &str) -> Arg {
        match name.split_once('.') {
            Some((name, part)) => {
                let part = Part::find(part.as_bytes()).unwrap_or(Part::Whole);
                Arg::Element(self.unit.intern(&format!("%{name}")), part)
            }
            None => Arg::Name(self.unit.intern(&format!("%{name}"))),
        }
    }
}
