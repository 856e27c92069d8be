//! Double precision: arithmetic and comparison.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x229, 75, "DADD$round {R16}, $double_a, $double_c").forms("246e"),
    row(0x228, 75, "DMUL$round {R16}, $double_a, $double_b").forms("28ac"),
    row(0x22b, 75, "DFMA$round {R16}, $double_a, $double_b, $double_c").forms("2468ace"),
    row(0x22a, 75, "DSETP$compare_double$combine {P81}, {P84}, $double_a, $double_last, {P87 !90}").forms("246e"),
];
