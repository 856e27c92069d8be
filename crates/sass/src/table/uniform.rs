//! What is computed once for the warp, in uniform registers.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x882, 75, "UMOV {UR16}, {U32.32}"),
    row(0xc82, 75, "UMOV {UR16}, {UR32}").unsaid(91, 1),
    row(0xab9, 75, "ULDC<73.3=.U8|.S8|.U16|.S16||.64|.INVALID6|.INVALID7> {UR16}, <91.1={C38}|{CX38}>"),
    row(0xabb, 75, "ULDC<73.3=.U8|.S8|.U16|.S16||.64|.INVALID6|.INVALID7> {UR16}, c[{U54.5}][{UR24}<38.16!0=+{U38.16}>]").unsaid(91, 1),
    row(0x290, 75, "UIADD3<74.1=|.X> {UR16}, <81.3!7={UP81}, ><84.3!7={UP84}, ><74.1={UR24 -72}|{UR24 ~72}>, $uniform_sum_b, $uniform_sum_c<74:1=, {UP87 !90}, {UP77 !80}>").forms("248").unsaid(77, 0x3fff).unsaid(91, 1).until(99),
    row(0x291, 75, "ULEA<80.1=|.HI><74.1=|.X><80.1~73.1:3=.SX32> {UR16}, <81.3!7={UP81}, ><74.1={UR24 -72}|{UR24 ~72}>, $uniform_base_b, <80.1~73.1:1={UR64}, >{U75.5}<74:1=, {UP87 !90}>").forms("28").unsaid(64, 63).unsaid(81, 7).unsaid(87, 15).unsaid(91, 1).until(99),
    row(0x291, 100, "ULEA<80.1=|.HI><74.1=|.X><80.1~73.1:3=.SX32> {UR16}, <81.3!7={UP81}, ><74.1={UR24 -72}|{UR24 ~72}>, $uniform_base_b, <80.1~73.1:1={UR64}, >{U75.5}<74:1=, {UP87 !90}>").forms("28").unsaid(64, 255).unsaid(81, 7).unsaid(87, 15).unsaid(91, 1),
    row(0x2a4, 75, "UIMAD<73.1=.U32|><74.1=|.X> {UR16}, {UR24}, $uniform_b, $uniform_sum_c<74:1=, {UP87 !90}>").forms("248").unsaid(81, 7).unsaid(87, 15).unsaid(91, 1),
    row(0x2a5, 75, "UIMAD.WIDE<73.1=.U32|><74.1=|.X> {UR16}, <81.3!7={UP81}, >{UR24}, $uniform_b, $uniform_sum_c<74:1=, {UP87 !90}>").forms("248").unsaid(81, 7).unsaid(87, 15).unsaid(91, 1),
    row(0x2a6, 75, "UIMAD.HI<73.1=.U32|><74.1=|.X> {UR16}, <81.3!7={UP81}, >{UR24}, $uniform_b, $uniform_sum_c<74:1=, {UP87 !90}>").forms("248").unsaid(81, 7).unsaid(87, 15).unsaid(91, 1),
    row(0x28c, 75, "UISETP$compare_int<73.1=.U32|>$combine<72.1=|.EX> {UP81}, {UP84}, {UR24}, $uniform_b, {UP87 !90}<72:1=, {UP68 !71}>").forms("28").unsaid(68, 7).unsaid(91, 1),
    row(0x292, 75, "ULOP3.LUT<80.1=|.PAND> <81.3!7={UP81}, >{UR16}, {UR24}, $uniform_bits_b, $uniform_bits_c, {U72.8}, {UP87 !90}").forms("248").unsaid(81, 7).unsaid(91, 1),
    row(0x299, 75, "USHF<76.1=.L|.R><75.1=|.W><73.2=.S64|.U64|.S32|.U32><80.1=|.HI> {UR16}, {UR24}, $uniform_bits_b, $uniform_bits_c").forms("248").unsaid(91, 1),
    row(0x296, 75, "UPRMT {UR16}, {UR24}, $uniform_bits_b, $uniform_bits_c").forms("248").unsaid(91, 1),
    row(0x287, 75, "USEL {UR16}, {UR24}, $uniform_bits_b, {UP87 !90}").forms("28").unsaid(91, 1),
    row(0x29a, 75, "USGXT<75.1=|.W><73.1=.U32|> {UR16}, {UR24}, $uniform_bits_b").forms("28").unsaid(91, 1),
    row(0x29b, 75, "UBMSK<75.1=|.W> {UR16}, {UR24}, $uniform_bits_b").forms("28").unsaid(91, 1),
    row(0x2bd, 75, "UFLO<73.1=.U32|><74.1=|.SH> {UR16}, <81.3!7={UP81}, >{UR32 ~63}").unsaid(81, 7).unsaid(91, 1),
    row(0x2be, 75, "UBREV {UR16}, {UR32}").unsaid(91, 1),
    row(0x2bf, 75, "UPOPC {UR16}, {UR32 ~63}").unsaid(91, 1),
    row(0x89c, 75, "UPLOP3.LUT {UP81}, {UP84}, {UP87 !90}, {UP77 !80}, {UP68 !71}, {U64.3~72.5}, {U16.8}"),
    row(0x883, 75, "UP2UR<76.2=|.B1|.B2|.B3> {UR16}, UPR, {UR24}, {U32.32}").unsaid(91, 1),
    row(0x884, 75, "UR2UP UPR, {UR24}<76.2=|.B1|.B2|.B3><32.32!255=, {U32.32}>").unsaid(91, 1),
];
