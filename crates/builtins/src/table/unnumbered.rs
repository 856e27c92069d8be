//! Builtins that front ends call and that have no number: the scoped forms of the 16-bit compare-and-swap, of which
//! the numbering has the one without a scope only. clang has all three.

use super::row;
use crate::Builtin;
use crate::Category::Cas;
use crate::Source::Clang;

/// The rows; their number is 0.
#[rustfmt::skip]
pub static ROWS: [Builtin; 2] = [
    row(0, "__nvvm_atom_cta_cas_gen_us", Cas, 0, "u16(u16*,u16,u16)", Clang),
    row(0, "__nvvm_atom_sys_cas_gen_us", Cas, 0, "u16(u16*,u16,u16)", Clang),
];
