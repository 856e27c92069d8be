//! LLVM's intrinsics on integers: bits, extremes, saturation, overflow.

use crate::select::Selector;
use crate::unit::Refused;
use warpc_nvvm::value::InstId;

/// Whether a call of the intrinsic does nothing but compute its result.
pub(super) fn is_pure(_name: &str) -> bool {
    false
}

impl Selector<'_, '_> {
    /// Selects the call if its name is one of this family.
    pub(super) fn integer_intrinsic(
        &mut self,
        _inst: InstId,
        _name: &str,
    ) -> Result<bool, Refused> {
        Ok(false)
    }
}
