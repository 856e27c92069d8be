//! Textures and surfaces.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0xb60, 75, "TEX<60.1=|.SCR><59.1=|.B>$texel<87.3=|.LZ|.LB|.LL|.LC|.LB.LC|.LC.FDV|?><76.1=|.AOFFI><78.1=|.DC>$evict<77.1=|.NDV><90.1=|.NODEP> $valid{R64}, {R16}, $register, $taken\
         $texture, $texture_shape$texture_mask$unseen_reuse").until(89),
    row(0xb63, 75, "TLD4<60.1=|.SCR><87.2=.R|.G|.B|.A><59.1=|.B>$texel<76.2=|.AOFFI|.PTP|?><78.1=|.DC>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, $taken\
         $texture, $gather_shape$texture_mask$unseen_reuse").until(89),
    row(0xb66, 75, "TLD<60.1=|.SCR><59.1=|.B>$texel<87.3=?|.LZ|?|.LL|?|?|?|?><76.1=|.AOFFI>$evict<78.1=|.MS><77.1=|.CL><90.1=|.NODEP> $valid{R64}, {R16}, $register, \
         $taken$texture, $texel_shape$texture_mask$unseen_reuse").until(89),
    row(0xb6c, 75, "TXD<59.1=|.B>$texel<87.1=|.LC><76.1=|.AOFFI>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, {R32}, $texture, $derived_shape$texture_mask$unseen_reuse").until(89),
    row(0xb6f, 75, "TXQ<59.1=|.B><90.1=|.NODEP> {R64}, {R16}, {R24}<59:1=<24.8:255=?>>, <62.2=TEX_HEADER_DIMENSION|TEX_HEADER_TEXTURE_TYPE|TEX_HEADER_SAMPLER_POS|?>, \
         $texture, {U72.4}$unseen_reuse").until(89),
    // With the handles in registers.
    row(0x361, 75, "TEX<60.1=|.SCR>.B$texel<87.3=|.LZ|.LB|.LL|.LC|.LB.LC|.LC.FDV|?><76.1=|.AOFFI><78.1=|.DC>$evict<77.1=|.NDV><90.1=|.NODEP> $valid{R64}, {R16}, $register, \
         <32.8:255=?>{R32}, $texture_shape$texture_mask$unseen_reuse").until(89).implied(59, 1),
    row(0x364, 75, "TLD4<60.1=|.SCR><87.2=.R|.G|.B|.A>.B$texel<76.2=|.AOFFI|.PTP|?><78.1=|.DC>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, \
         <32.8:255=?>{R32}, $gather_shape$texture_mask$unseen_reuse").until(89).implied(59, 1),
    row(0x367, 75, "TLD<60.1=|.SCR>.B$texel<87.3=?|.LZ|?|.LL|?|?|?|?><76.1=|.AOFFI>$evict<78.1=|.MS><77.1=|.CL><90.1=|.NODEP> $valid{R64}, {R16}, $register, \
         <32.8:255=?>{R32}, $texel_shape$texture_mask$unseen_reuse").until(89).implied(59, 1),
    row(0x36d, 75, "TXD.B$texel<87.1=|.LC><76.1=|.AOFFI>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, {R32}, $derived_shape$texture_mask$unseen_reuse").until(89).implied(59, 1),
    row(0x370, 75, "TXQ.B<90.1=|.NODEP> {R64}, {R16}, {R24}<24.8:255=?>, <62.2=TEX_HEADER_DIMENSION|TEX_HEADER_TEXTURE_TYPE|TEX_HEADER_SAMPLER_POS|?>, \
         {U72.4}$unseen_reuse").until(89).implied(59, 1),
    // With the handles where a uniform register points to, in objects that have samplers of their own.
    row(0xf60, 75, "TEX<60.1=|.SCR>$texel<87.3=|.LZ|.LB|.LL|.LC|.LB.LC|.LC.FDV|?><76.1=|.AOFFI><78.1=|.DC>$evict<77.1=|.NDV><90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $uniform_texture, $texture_shape$texture_mask$unseen_reuse").until(89).implied(91, 1),
    row(0xf63, 75, "TLD4<60.1=|.SCR><87.2=.R|.G|.B|.A>$texel<76.2=|.AOFFI|.PTP|?><78.1=|.DC>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $uniform_texture, $gather_shape$texture_mask$unseen_reuse").until(89).implied(91, 1),
    row(0xf66, 75, "TLD<60.1=|.SCR>$texel<87.3=?|.LZ|?|.LL|?|?|?|?><76.1=|.AOFFI>$evict<78.1=|.MS><77.1=|.CL><90.1=|.NODEP> $valid{R64}, {R16}, $register, \
         <32.8!255={R32}, >$uniform_texture, $texel_shape$texture_mask$unseen_reuse").until(89).implied(91, 1),
    row(0xf6c, 75, "TXD$texel<87.1=|.LC><76.1=|.AOFFI>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, {R32}, $uniform_texture, $derived_shape$texture_mask$unseen_reuse").until(89).implied(91, 1),
    row(0xf60, 90, "TEX<60.1=|.SCR>$texel<87.3=|.LZ|.LB|.LL|.LC|.LB.LC|.LC.FDV|?><76.1=|.AOFFI><78.1=|.DC>$evict<77.1=|.NDV><90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $texture, $texture_shape$texture_mask").until(99).implied(91, 1),
    row(0xf63, 90, "TLD4<60.1=|.SCR><87.2=.R|.G|.B|.A>$texel<76.2=|.AOFFI|.PTP|?><78.1=|.DC>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $texture, $gather_shape$texture_mask").until(99).implied(91, 1),
    row(0xf66, 90, "TLD<60.1=|.SCR>$texel<87.3=?|.LZ|?|.LL|?|?|?|?><76.1=|.AOFFI>$evict<78.1=|.MS><77.1=|.CL><90.1=|.NODEP> $valid{R64}, {R16}, $register, \
         <32.8!255={R32}, >$texture, $texel_shape$texture_mask").until(99).implied(91, 1),
    row(0xf6c, 90, "TXD$texel<87.1=|.LC><76.1=|.AOFFI>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, {R32}, $texture, $derived_shape$texture_mask").until(99).implied(91, 1),
    row(0xf6f, 90, "TXQ<90.1=|.NODEP> {R64}, {R16}, {R24}, <62.2=TEX_HEADER_DIMENSION|TEX_HEADER_TEXTURE_TYPE|TEX_HEADER_SAMPLER_POS|?>, \
         $texture, {U72.4}").until(99).implied(91, 1),
    row(0xf60, 100, "TEX<60.1=|.SCR>$texel<59.1~87.3=|.LZ|.LB|.LL|.LC|.LB.LC|?|?|?|?|?|?|?|?|?|?><56.2=|.AOFFI|?|?><78.1=|.DC>$evict<76.2=|.NDV|.FDV|?><90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $texture, $texture_shape$texture_mask").until(119).implied(48, 0xff).implied(91, 1),
    row(0xf60, 120, "TEX<60.1=|.SCR>$texel<59.1~87.3=|.LZ|.LB|.LL|.LC|.LB.LC|.ULB|.ULL|.ULC|.ULB.LC|.LB.ULC|?|?|?|?|?>$uniform_offset<78.1=|.DC>$evict<76.2=|.NDV|?|.DXY><90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $two_textures, $texture_shape$texture_mask").implied(48, 0xff).implied(91, 1),
    row(0xf63, 100, "TLD4<60.1=|.SCR><87.2=.R|.G|.B|.A>$texel<76.2=|.AOFFI|.PTP|?><78.1=|.DC>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $texture, $gather_shape$texture_mask").until(119).implied(48, 0xff).implied(91, 1),
    row(0xf63, 120, "TLD4<60.1=|.SCR><87.2=.R|.G|.B|.A>$texel<76.2=|.AOFFI|.PTP|.UAOFFI><58.1=|.UAI><78.1=|.DC>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $two_textures, $gather_shape$texture_mask").implied(48, 0xff).implied(91, 1),
    row(0xf66, 100, "TLD<60.1=|.SCR>$texel<87.2=.LZ|.LL|?|?><56.2=|.AOFFI|?|?>$evict<77.2=|.MS|?|?><76.1=|.CL><90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $texture, $texel_shape$texture_mask").until(119).implied(48, 0xff).implied(91, 1),
    row(0xf66, 120, "TLD<60.1=|.SCR>$texel<87.2=.LZ|.LL|.ULL|?>$uniform_offset$evict<77.2=|.MS|.UMS|?><76.1=|.CL><90.1=|.NODEP> $valid{R64}, {R16}, $register, <32.8!255={R32}, >\
         $two_textures, $texel_shape$texture_mask").implied(48, 0xff).implied(91, 1),
    row(0xf6c, 100, "TXD$texel<87.1=|.LC><56.2=|.AOFFI|?|?>$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, {R32}, \
         $texture, $derived_shape$texture_mask").until(119).implied(48, 0xff).implied(91, 1),
    row(0xf6c, 120, "TXD$texel<87.2=|.LC|.ULC|?>$uniform_offset$evict<90.1=|.NODEP> $valid{R64}, {R16}, $register, {R32}, \
         $two_textures, $derived_shape$texture_mask").implied(48, 0xff).implied(91, 1),
    row(0xf6f, 100, "TXQ<90.1=|.NODEP> {R64}, {R16}, {R24}, <62.2=TEX_HEADER_DIMENSION|TEX_HEADER_TEXTURE_TYPE|TEX_HEADER_SAMPLER_POS|?>, \
         {UR40}, 0x0, {U72.4}").implied(91, 1),
    // Surfaces.
    row(0xb99, 75, "SULD.D<72.1=|.BA>$surface_shape$evict$size$surface_load_order$outside $valid{R16}, [$register], $surface").until(89),
    row(0xb9b, 75, "SUST.P$surface_shape$evict$surface_order<72.4=?|.R|?|.RG|?|?|?|?|?|?|?|?|?|?|?|>$outside [$register], {R32}, $surface").until(89).no_write(),
    row(0xb9d, 75, "SUST.D<72.1=|.BA>$surface_shape$evict$size$surface_order$outside [$register], {R32}, $surface").until(89).no_write(),
    row(0x59f, 75, "SURED.D<72.1=|.BA>$surface_shape.$reduction$evict<73.3=|.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.SD32|.SD64>$reduction_order$outside [$register], {R32}, $surface").until(89).no_write(),
    row(0x99a, 75, "SULD.D<72.1=|.BA>$surface_shape$evict$size$surface_load_order$outside $valid{R16}, [$register], {R64}<64.8:255=?>").until(89),
    row(0x99c, 75, "SUST.P$surface_shape$evict$surface_order<72.4=?|.R|?|.RG|?|?|?|?|?|?|?|?|?|?|?|>$outside [$register], {R32}, {R64}<64.8:255=?>").until(89).no_write(),
    row(0x99e, 75, "SUST.D<72.1=|.BA>$surface_shape$evict$size$surface_order$outside [$register], {R32}, {R64}<64.8:255=?>").until(89).no_write(),
    row(0x3a0, 75, "SURED.D<72.1=|.BA>$surface_shape.$reduction$evict<73.3=|.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.SD32|.SD64>$reduction_order$outside [$register], {R32}, {R64}<64.8:255=?>").until(89).no_write(),
    row(0xf99, 90, "SULD.D<72.1=|.BA>$surface_shape$evict$size$surface_load_order$outside $valid{R16}, [$register], $surface").until(99).implied(91, 1),
    row(0xf9b, 90, "SUST.P$surface_shape$evict$surface_order<72.4=?|.R|?|.RG|?|?|?|?|?|?|?|?|?|?|?|>$outside [$register], {R32}, $surface").until(99).implied(91, 1).no_write(),
    row(0xf9d, 90, "SUST.D<72.1=|.BA>$surface_shape$evict$size$surface_order$outside [$register], {R32}, $surface").until(99).implied(91, 1).no_write(),
    row(0xf9f, 90, "SURED.D<72.1=|.BA>$surface_shape.$reduction$evict<73.3=|.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.SD32|.SD64>$reduction_order$outside [$register], {R32}, $surface").until(99).implied(91, 1).no_write(),
    row(0xf99, 100, "SULD.D<72.1=|.BA>$surface_shape$evict$size$surface_load_order$outside $valid{R16}, [$register], $surface").until(119).implied(48, 0xff).implied(91, 1),
    row(0xf99, 120, "SULD.D<72.1=|.BA>$surface_shape<58.1=|.UAI>$evict$size$surface_load_order$outside $valid{R16}, [$register], $two_textures").implied(48, 0xff).implied(91, 1),
    row(0xf9b, 100, "SUST.P$surface_shape$evict$surface_order<72.4=?|.R|?|.RG|?|?|?|?|?|?|?|?|?|?|?|>$outside [$register], {R32}, $surface").until(119).implied(48, 0xff).implied(91, 1).no_write(),
    row(0xf9b, 120, "SUST.P$surface_shape<58.1=|.UAI>$evict$surface_order<72.4=?|.R|?|.RG|?|?|?|?|?|?|?|?|?|?|?|>$outside [$register], {R32}, $two_textures").implied(48, 0xff).implied(91, 1).no_write(),
    row(0xf9d, 100, "SUST.D<72.1=|.BA>$surface_shape$evict$size$surface_order$outside [$register], {R32}, $surface").until(119).implied(48, 0xff).implied(91, 1).no_write(),
    row(0xf9d, 120, "SUST.D<72.1=|.BA>$surface_shape<58.1=|.UAI>$evict$size$surface_order$outside [$register], {R32}, $two_textures").implied(48, 0xff).implied(91, 1).no_write(),
    row(0xf9f, 100, "SURED.D<72.1=|.BA>$surface_shape.$reduction$evict<73.3=|.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.SD32|.SD64>$reduction_order$outside [$register], {R32}, $surface").until(119).implied(48, 0xff).implied(91, 1).no_write(),
    row(0xf9f, 120, "SURED.D<72.1=|.BA>$surface_shape<58.1=|.UAI>.$reduction$evict<73.3=|.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.SD32|.SD64>$reduction_order$outside [$register], {R32}, $two_textures").implied(48, 0xff).implied(91, 1).no_write(),
];
