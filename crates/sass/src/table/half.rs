//! Pairs of half-precision numbers, of 16 bits or of bfloat16.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x230, 75, "HADD2$sum_format<80.1=|.FTZ><77.1=|.SAT> {R16}, <78.1=$pair_a|$single_a>, $half_sum").forms("246e"),
    row(0x232, 75, "HMUL2$scaled_format$flush<77.1=|.SAT> {R16}, $pair_a, $half_b").forms("28ac"),
    row(0x231, 75, "HFMA2$fused_format$fused_flush$fused_limit {R16}, $pair_a, $half_product, $half_c\
         $limited_if").forms("2468ace"),
    row(0x235, 80, "HFMA2.MMA$product_format$flush$fused_limit {R16}, {R24 r122 -72 |73}, \
         $pair_b, $pair_c$limited_if").forms("2468ace").until(99),
    row(0x233, 75, "HSET2$compared_format<71.1=|.BF>$compare<80.1=|.FTZ><69.2=.AND|.OR|.XOR|.INVALID3> {R16}, \
         $pair_a, $half_compared, {P87 !90}").forms("246e"),
    row(0x234, 75, "HSETP2$compared_format$compare<71.1=|.H_AND><80.1=|.FTZ><69.2=.AND|.OR|.XOR|.INVALID3> \
         {P81}, {P84}, $pair_a, $half_compared, {P87 !90}").forms("246e"),
    row(0x240, 80, "HMNMX2$least_format<80.1=|.FTZ>$least$is_first {R16}, $first_of_pair$pair_a, $half_of_least, \
         {P87 !90}").forms("28ac"),
];
