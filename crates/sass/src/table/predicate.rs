//! Comparisons of integers, logic of predicates, votes, and predicates as bits of registers.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x20c, 75, "ISETP$compare_int<73.1=.U32|>$combine<72.1=|.EX> {P81}, {P84}, {R24 r122}, $int_b, {P87 !90}$lower_half").forms("28ac").implied(68, 7).until(119),
    row(0x20c, 120, "ISETP$compare_int$compared$combine<72.1=|.EX> {P81}, {P84}, {R24 r122}, $int_b, {P87 !90}<72:1=, {P68 !71}>").forms("28c").implied(68, 7),
    row(0x81c, 75, "PLOP3.LUT {P81}, {P84}, {P87 !90}, {P77 !80}, <67.1={P68 !71}|{UP68 !71}>, {U64.3~72.5}, {U16.8}"),
    row(0x21f, 75, "PLOP3.LUT {P81}, {P84}, {R24 r122}.SIGN, $int_b.SIGN, {R64 r124}.SIGN, {U72.8}, {U16.8}").forms("2c"),
    row(0x203, 75, "P2R<76.2=|.B1|.B2|.B3> {R16}, PR, {R24 r122}, $predicates_b").forms("28ac"),
    row(0x204, 75, "R2P PR, {R24 r122}<76.2=|.B1|.B2|.B3>$predicate_set").forms("28ac"),
    row(0x806, 75, "VOTE<72.2=.ALL|.ANY|.EQ|.INVALID3> <16.8!255={R16}, >{P81}, {P87 !90}"),
    row(0x886, 75, "VOTEU<72.2=.ALL|.ANY|.EQ|.INVALID3> $voted{UP81}, {P87 !90}"),
];
