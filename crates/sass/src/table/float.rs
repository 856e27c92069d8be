//! Single precision: arithmetic, comparison, selection, special functions.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x221, 75, "FADD<80.1=|.FTZ>$round<77.1=|.SAT> {R16}, {R24 r122 -72 |73}, $float_last").forms("246e"),
    row(0x220, 75, "FMUL$flush<84.3=.INVALID0|.D8|.D4|.D2||.M2|.M4|.M8>$round<77.1=|.SAT> {R16}, {R24 r122 -72 |73}, $float_b").forms("28ac"),
    row(0x223, 75, "FFMA$flush$round<77.1=|.SAT> {R16}, {R24 r122 -72 |73}, $float_b, $float_c").forms("2468ace"),
    row(0x209, 75, "FMNMX<80.1=|.FTZ>$least$is_first {R16}, $first_of_two_is{R24 r122 -72 |73}, $float_b, {P87 !90}").forms("28ac"),
    row(0x208, 75, "FSEL<80.1=|.FTZ> {R16}, {R24 r122 -72 |73}, $float_b, {P87 !90}").forms("28ac"),
    row(0x20a, 75, "FSET.BF$compare<80.1=|.FTZ>$combine {R16}, {R24 r122 -72 |73}, $float_b, {P87 !90}").forms("28ac"),
    row(0x20b, 75, "FSETP$compare<80.1=|.FTZ>$combine {P81}, {P84}, {R24 r122 -72 |73}, $float_b, {P87 !90}").forms("28ac"),
    row(0x302, 75, "FCHK {P81}, {R24 -72 |73}, $float_b").forms("39bd"),
    row(0x308, 75, "MUFU<74.4=.COS|.SIN|.EX2|.LG2|.RCP|.RSQ|.RCP64H$whole|.RSQ64H$whole|.SQRT|.TANH|?|?|?|?|?|?>\
         $function_format {R16}, $function_of").forms("39bd"),
    row(0x822, 75, "FSWZADD<80.1=|.FTZ>$round<77.1=|.NDV> {R16}, {R24 r122}, {R64 r124}, \
         <38.2=PP|PN|NP|ZP><36.2=PP|PN|NP|ZP><34.2=PP|PN|NP|ZP><32.2=PP|PN|NP|ZP>"),
    row(0x276, 100, "FMNMX3<80.1=|.FTZ><81.1=|.NAN> {R16}, {R24 r122 -72 |73}, $float_b, $float_c, {P87 !90}").forms("28c").until(119),
    // Two at a time.
    row(0x24b, 100, "FADD2<80.1=|.FTZ>$round {R16}, $two_a, {R32 r124 -63 |62}<84.2=.F32x2.HI_LO|.F32x2.LO_HI|.F32|?><86.1=|.NP>").until(109),
    row(0x24a, 100, "FMUL2$flush$round {R16}, $two_a, $two_b").until(109),
    row(0x84a, 100, "FMUL2$flush$round {R16}, $two_a, {F32.32 f32}").implied(88, 1).until(109),
    row(0xc4a, 100, "FMUL2$flush$round {R16}, $two_a, <63.1=|-><62.1=|\\|>{UR32}<87.2=.F32x2.HI_LO|.F32x2.LO_HI|.F32|?><62.1=|\\|>").implied(91, 1).until(109),
    row(0x249, 100, "FFMA2$flush$round {R16}, $two_a, $two_b, {R64 r124 -75 |74}<84.2=.F32x2.HI_LO|.F32x2.LO_HI|.F32|?><86.1=|.NP>").until(109),
];
