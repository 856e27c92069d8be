//! Inline PTX.

use super::Selector;
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::module::AsmId;
use warpc_nvvm::value::{InstId, Value};

impl Selector<'_, '_> {
    /// Selects a call of inline assembly.
    pub(super) fn inline_assembly(
        &mut self,
        _inst: InstId,
        _asm: AsmId,
        _args: &[Value],
    ) -> Result<(), Refused> {
        Err(self.refuse(codes::UNSUPPORTED, "inline assembly is not supported yet"))
    }
}
