//! The intrinsics `llvm.nvvm.*`: rows of the tables, found by name.

use super::row::{Becomes, Captures, Effect, Row, matches};
use super::table::TABLES;
use crate::select::Selector;
use crate::unit::Refused;
use warpc_nvvm::value::InstId;

/// What all names start with.
const PREFIX: &str = "llvm.nvvm.";

/// The row of an intrinsic, and what the braces of its name stand for.
pub(super) struct Found {
    row: &'static Row,
    captures: Captures<'static>,
}

impl Found {
    /// Whether a call of the intrinsic does nothing but compute its result.
    pub(super) fn is_pure(&self) -> bool {
        self.row.effect == Effect::Pure
    }
}

/// Whether a name is one of this family.
pub(super) fn is_one(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The row of an intrinsic, by its name.
pub(super) fn find(name: &str) -> Option<Found> {
    let name = name.strip_prefix(PREFIX)?;
    let mut rows = TABLES.iter().flat_map(|table| table.iter());
    rows.find_map(|row| {
        let captures = matches(row.name, name)?;
        Some(Found { row, captures })
    })
}

impl Selector<'_, '_> {
    /// Selects the call if its name is one of this family.
    pub(super) fn nvvm_intrinsic(
        &mut self,
        inst: InstId,
        name: &str,
        found: Option<&Found>,
    ) -> Result<bool, Refused> {
        let (Some(name), Some(Found { row, captures })) = (name.strip_prefix(PREFIX), found) else {
            return Ok(false);
        };
        match row.becomes {
            Becomes::Ptx(text) => self.template(inst, text, captures)?,
            Becomes::Function(function) => function(self, inst, name, captures)?,
        }
        Ok(true)
    }
}
