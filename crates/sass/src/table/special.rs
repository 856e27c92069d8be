//! Special registers, and values that go between registers and uniform registers.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x919, 75, "S2R {R16}, $special"),
    row(0x805, 75, "CS2R<80.1=.32|> {R16}, $special"),
    row(0x9c3, 75, "S2UR {UR16}, $special").uniform(),
    row(0x3c2, 75, "R2UR<84.1=|.OR> <84.1=<81.3!7={P81}, >|{P81}, >{UR16}, {R24}").implied(81, 7).until(89),
    row(0x2ca, 90, "R2UR<84.1=|.OR> <84.1=<81.3!7={P81}, >|{P81}, >{UR16}, {R24 r122}").implied(81, 7).until(99),
    row(0x2ca, 100, "R2UR<84.1=|.OR><86.2=|.FILL|.BROADCAST|?> <84.1=<81.3!7={P81}, >|{P81}, >{UR16}, {R24 r122}").implied(81, 7),
    row(0x3c4, 80, "REDUX<78.3=|.OR|.XOR|.SUM|.MIN|.MAX|.INVALID6|.INVALID7><73.1=|.S32> {UR16}, {R24}"),
    row(0x2cc, 100, "CREDUX<78.2=.MAX|.MAXABS|.MIN|.MINABS><73.2=|.S32|.F32|.INVALID3><77.1=|.NAN> {UR16}, {R24 r122}").until(109),
    row(0x8cb, 120, "CS2UR<80.1=.32|> {UR16}, $special").uniform(),
];
