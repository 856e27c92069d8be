//! Special registers, and values that go between registers and uniform registers.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x919, 75, "S2R {R16}, {SR72.8}"),
    row(0x805, 75, "CS2R<80.1=.32|> {R16}, {SR72.8}"),
    row(0x9c3, 75, "S2UR {UR16}, {SR72.8}").uniform(),
    row(0x2ca, 75, "R2UR<84.1=|.OR> <84.1=<81.3!7={P81}, >|{P81}, >{UR16}, {R24 r122}").unsaid(81, 7),
    row(0x3c4, 80, "REDUX<78.3=|.OR|.XOR|.SUM|.MIN|.MAX|.INVALID6|.INVALID7><73.1=|.S32> {UR16}, {R24}"),
];
