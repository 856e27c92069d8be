//! Variables of the module.

use crate::unit::Unit;

/// Declares the variables of the module.
pub fn compile(_unit: &mut Unit) {}
