//! How `atom` and `red` combine what is in memory with their operands.

use crate::inst::Choice;

/// The new value of one element, from the old one and the operands `b` and `c` (of `cas`: what is
/// expected, and what to write).
pub type AtomicUpdate = fn(old: u64, b: u64, c: u64) -> u64;

/// How an `atom`, `red` or `multimem.red` updates one element; `None` for elements of 128 bits,
/// which have `exch` and `cas` only, and for what is no atomic.
pub fn atomic(_choice: &Choice) -> Option<AtomicUpdate> {
    None
}
