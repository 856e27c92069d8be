//! Arithmetic on floating-point numbers.

use super::Selector;
use crate::unit::Refused;
use warpc_nvvm::inst::{BinaryOp, FcmpPredicate};
use warpc_nvvm::value::InstId;

impl Selector<'_, '_> {
    pub(super) fn float_binary(&mut self, inst: InstId, _op: BinaryOp) -> Result<(), Refused> {
        Err(self.unsupported(inst))
    }

    pub(super) fn fneg(&mut self, inst: InstId) -> Result<(), Refused> {
        Err(self.unsupported(inst))
    }

    pub(super) fn fcmp(&mut self, inst: InstId, _predicate: FcmpPredicate) -> Result<(), Refused> {
        Err(self.unsupported(inst))
    }
}
