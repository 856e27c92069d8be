//! Integer arithmetic, comparison, selection, bits.

use crate::form::{Row, row};

pub(super) static ROWS: &[Row] = &[
    row(
        0x424,
        75,
        "IMAD<74:0=<24.8:255=<64.8:255=.MOV>>><73.1=.U32|><74.1=|.X> {R16}, {R24 r122}, {R64 r123}, \
         {S32.32}<74:1=, {P87 !90}>",
    )
    .unsaid(81, 7)
    .unsaid(87, 15),
    row(
        0x224,
        75,
        "IMAD<74:0=<24.8:255=<32.8:255=.MOV>>><73.1=.U32|><74.1=|.X> {R16}, {R24 r122}, {R32 r123}, \
         <74.1={R64 r124 -75}|{R64 r124 ~75}><74:1=, {P87 !90}>",
    )
    .unsaid(81, 7)
    .unsaid(87, 15),
];
