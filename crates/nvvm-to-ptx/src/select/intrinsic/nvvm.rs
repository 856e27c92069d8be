//! The intrinsics `llvm.nvvm.*`: rows of the tables, found by name.

use super::row::{Becomes, Captures, Effect, Row, matches};
use super::table::TABLES;
use crate::select::Selector;
use crate::unit::Refused;
use warpc_nvvm::value::InstId;

/// What all names start with.
const PREFIX: &str = "llvm.nvvm.";

/// Whether a call of the intrinsic does nothing but compute its result.
pub(super) fn is_pure(name: &str) -> bool {
    let row = name.strip_prefix(PREFIX).and_then(find);
    row.is_some_and(|(row, _)| row.effect == Effect::Pure)
}

/// The row of an intrinsic, by its name without the prefix.
fn find(name: &str) -> Option<(&'static Row, Captures<'static>)> {
    let rows = TABLES.iter().flat_map(|table| table.iter());
    rows.filter_map(|row| Some((row, matches(row.name, name)?)))
        .next()
}

impl Selector<'_, '_> {
    /// Selects the call if its name is one of this family.
    pub(super) fn nvvm_intrinsic(&mut self, inst: InstId, name: &str) -> Result<bool, Refused> {
        let Some(name) = name.strip_prefix(PREFIX) else {
            return Ok(false);
        };
        let Some((row, captures)) = find(name) else {
            return Ok(false);
        };
        match row.becomes {
            Becomes::Ptx(text) => self.template(inst, text, &captures)?,
            Becomes::Function(function) => function(self, inst, name, &captures)?,
        }
        Ok(true)
    }
}
