//! Integer arithmetic, comparison, selection, bits.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Products and sums.
    row(0x224, 75, "IMAD$simpler<73.1=.U32|><74.1=|.X> {R16}, {R24 r122}, $int_b, $sum_c<74:1=, {P87 !90}>").forms("2468ace").implied(81, 7).implied(87, 15),
    row(0x225, 75, "IMAD.WIDE<73.1=.U32|><74.1=|.X> {R16}, <81.3!7={P81}, >{R24 r122}, $int_b, $sum_c<74:1=, {P87 !90}>").forms("268ace").implied(81, 7).implied(87, 15),
    row(0x227, 75, "IMAD.HI<73.1=.U32|><74.1=|.X> {R16}, <81.3!7={P81}, >{R24 r122}, $int_b, $sum_c<74:1=, {P87 !90}>").forms("268ace").implied(81, 7).implied(87, 15),
    row(0x226, 75, "IDP<76.1=.4A<73.1=.U8|.S8>|.2A<77.1=.LO|.HI><73.1=.U16|.S16>><74.1=.U8|.S8> {R16}, {R24 r122}, $int_b, $signed_c").forms("2ac"),
    row(0x210, 75, "IADD3<74.1=|.X> {R16}, $carries<74.1={R24 r122 -72}|{R24 r122 ~72}>, $sum_b, $sum_c<74:1=, {P87 !90}, {P77 !80}>").forms("28ac").implied(77, 0x3fff).until(99),
    row(0x210, 100, "IADD3<74.1=|.X> {R16}, {P81}, {P84}, <74.1={R24 r122 -72}|{R24 r122 ~72}>, $sum_b, $sum_c<74:1=, {P87 !90}, {P77 !80}>").forms("28c").implied(77, 0x3fff),
    row(0x235, 120, "IADD<73.1=|.64><74.1=|.X> {R16}, <81.3!7={P81}, ><74.1={R24 r122 -72}|{R24 r122 ~72}>, $sum_b<74:1=, {P87 !90}>").forms("28c").implied(81, 7).implied(87, 15),
    row(0x211, 75, "LEA<80.1=|.HI><74.1=|.X><80.1~73.1:3=.SX32> {R16}, <81.3!7={P81}, ><74.1={R24 r122 -72}|{R24 r122 ~72}>, $base_b, <80.1~73.1:1={R64 r124}, >{U75.5}<74:1=, {P87 !90}>").forms("28ac").implied(64, 255).implied(81, 7).implied(87, 15),
    row(0x236, 90, "VIADD<73.1=|.16x2> {R16}, {R24 r122}, $signed_b").forms("28ac").until(109),
    row(0x236, 120, "VIADD<73.3=.32|.16x2|.S32|.S16x2|.U8x4|.S8x4|.INVALID6|.INVALID7><80.1=|.ISAT> {R16}, {R24 r122 -72}, $signed_b").forms("28c"),
    row(0x213, 75, "IABS {R16}, $int_b").forms("28ac"),
    // Minimum and maximum.
    row(0x217, 75, "IMNMX<73.1=.U32|> {R16}, {R24 r122}, $int_b, {P87 !90}").forms("28ac").until(99),
    row(0x248, 90, "VIMNMX<72.2=.U32||.U16x2|.S16x2><76.1=|.RELU> {R16}, <81.3!7={P81}, <84.3:7=?>{P84}, >{R24 r122}, $int_b, {P87 !90}").forms("28ac").implied(84, 7).until(99),
    row(0x248, 100, "VIMNMX<72.2=.U32||.U16x2|.S16x2><76.1=|.RELU> {R16}, {P81}, {P84}, {R24 r122}, $int_b, {P87 !90}").forms("28c").until(109),
    row(0x248, 120, "VIMNMX<72.3=.U32|.S32|.U16x2|.S16x2|.U8x4|.S8x4|?|?><76.1=|.RELU> {R16}, {R24 r122}, $int_b, {P87 !90}").forms("28c").implied(81, 63),
    row(0x217, 100, "IMNMX<73.1=.U32|> {R16}, {R24 r122}, $int_b, {P87 !90}").forms("28c").until(119).implied(77, 0x3ff),
    row(0x217, 120, "IMNMX<73.2=.U32||.U64|.S64> {P81}, {P84}, {R16}, {R24 r122}, $int_b, {P87 !90}, {P77 !80}").forms("28c"),
    row(0x246, 90, "VIADDMNMX<72.2=.U32||.U16x2|.S16x2><76.1=|.RELU> {R16}, {R24 r122}, $signed_b, $bits_c, {P87 !90}").forms("2468ace").until(109),
    row(0x20f, 90, "VIMNMX3<72.2=.U32||.U16x2|.S16x2><76.1=|.RELU> {R16}, {R24 r122}, $bits_b, $bits_c, {P87 !90}").forms("28ac").until(109),
    row(0x214, 75, "VABSDIFF<73.1=.U32|> {R16}, <81.3!7={P81}, >{R24 r122}, $bits_b, $bits_c").forms("2468ace").implied(81, 7).until(119),
    row(0x215, 75, "VABSDIFF4<73.1=.U8|><75.1=|.ACC> {R16}, <81.3!7={P81}, >{R24 r122}, $bits_b, $bits_c").forms("2468ace").implied(81, 7).until(119),
    // Selection.
    row(0x202, 75, "MOV {R16}, $bits_b<72.4!15=, {U72.4}>").forms("28ac").until(99),
    row(0x202, 100, "MOV {R16}, $bits_b<72.4!15=, {U72.4}>").forms("28").until(119),
    row(0xc02, 100, "MOV<88.1=|.SPILL> {R16}, $bits_b<88:0=<72.4!15=, {U72.4}>>").implied(72, 15).implied(91, 1).until(119),
    row(0x202, 120, "MOV<80.1=|.64> {R16}, $bits_b<80:0=<72.4!15=, {U72.4}>>").implied(72, 15),
    row(0x802, 120, "MOV {R16}, $bits_b<72.4!15=, {U72.4}>"),
    row(0xc02, 120, "MOV<80.1~88.1=|.64|.SPILL|?> {R16}, $bits_b<80.1~88.1:0=<72.4!15=, {U72.4}>>").implied(72, 15).implied(91, 1),
    row(0x402, 120, "MOV.64 {R16}, {U24.64}"),
    row(0x207, 75, "SEL {R16}, {R24 r122}, $bits_b, {P87 !90}").forms("28ac"),
    row(0x407, 120, "SEL.64 {R16}, {R24 r122}, {S32.33}, {P87 !90}"),
    row(0x607, 120, "SEL.64 {R16}, {R24 r122}, {R32 r123}, {P87 !90}"),
    row(0xe07, 120, "SEL.64 {R16}, {R24 r122}, {UR32}, {P87 !90}").implied(91, 1),
    row(0x216, 75, "PRMT<72.3=|.F4E|.B4E|.RC8|.ECL|.ECR|.RC16|.INVALID7> {R16}, {R24 r122}, $bits_b, $bits_c").forms("2468ace"),
    // Bits.
    row(0x212, 75, "LOP3.LUT<80.1=|.PAND> <81.3!7={P81}, >{R16}, {R24 r122}, $bits_b, $bits_c, {U72.8}, {P87 !90}").forms("28ac").implied(81, 7),
    row(0x219, 75, "SHF<76.1=.L|.R><75.1=|.W><73.2=.S64|.U64|.S32|.U32><80.1=|.HI> {R16}, {R24 r122}, $bits_b, $bits_c").forms("2468ace"),
    row(0x21a, 75, "SGXT<75.1=|.W><73.1=.U32|> {R16}, {R24 r122}, $bits_b").forms("28ac"),
    row(0x21b, 75, "BMSK<75.1=|.W> {R16}, {R24 r122}, $bits_b").forms("28ac"),
    row(0x300, 75, "FLO<73.1=.U32|><74.1=|.SH> {R16}, <81.3!7={P81}, >$inverted").forms("39bd").implied(81, 7),
    row(0x301, 75, "BREV {R16}, $bits_b").forms("39bd"),
    row(0x309, 75, "POPC {R16}, $inverted").forms("39bd"),
];
