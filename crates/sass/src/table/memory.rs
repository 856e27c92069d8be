//! Loads, stores and copies between memories.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Any memory.
    row(0x980, 80, "LD$extended$evict$prefetch$size$load_order {R16}, <91.1=<90.1=$far|$far>|$hidden_low>$unless").until(89).unsaid(90, 3),
    row(0x980, 90, "LD$extended$evict$prefetch$size$load_order {R16}, <91.1=<90.1=$far|$far>|$global_low>$unless").unsaid(90, 3),
    row(0x385, 80, "ST<72.1=|.E>$evict$size$order $far, {R64}"),
    row(0x985, 80, "ST$extended$evict$size$order $hidden_high, {R32}").until(89).unsaid(90, 3),
    row(0x985, 90, "ST$extended$evict$size$order $global_high, {R32}").unsaid(90, 3),
    // Global memory.
    row(0x381, 80, "LDG<72.1=|.E>$evict$prefetch$size$load_order <81.3!7={P81}, >{R16}, $near$unless").unsaid(81, 7),
    row(0x981, 80, "LDG$extended$evict$prefetch$size$load_order <81.3!7={P81}, >{R16}, $hidden_low$unless").until(89).unsaid(81, 7).unsaid(90, 3),
    row(0x981, 90, "LDG$extended$evict$prefetch$size$load_order <81.3!7={P81}, >{R16}, $global_low$unless").unsaid(81, 7).unsaid(90, 3),
    row(0x386, 80, "STG<72.1=|.E>$evict$size$order $far, {R64}"),
    row(0x986, 80, "STG$extended$evict$size$order $hidden_high, {R32}").until(89).unsaid(90, 3),
    row(0x986, 90, "STG$extended$evict$size$order $global_high, {R32}").unsaid(90, 3),
    // Local memory.
    row(0x983, 75, "LDL$evict$size {R16}, <91.1=$near|$both_low>"),
    row(0x387, 75, "STL$evict$size $near, {R32}"),
    row(0x987, 75, "STL$evict$size $both_high, {R32}").unsaid(91, 1),
    // Shared memory.
    row(0x984, 75, "LDS<76.1=|.U>$size {R16}, <91.1=$scaled|$scaled_both_low>"),
    row(0x388, 75, "STS$size $scaled, {R32}"),
    row(0x988, 75, "STS$size $scaled_both_high, {R32}").unsaid(91, 1),
    row(0x83b, 75, "LDSM.16.<78.2=M88|MT88|M816|M832><72.2=|.2|.4|.INVALID3> {R16}, <91.1=$near|$both_low>"),
    row(0x844, 90, "STSM<75.1=.16|.???1>.<78.1=M88|MT88><72.2=|.2|.4|.INVALID3> <91.1=$near|$both_high>, {R32}"),
    // Constants.
    row(0xb82, 75, "LDC<73.3=.U8|.S8|.U16|.S16||.64|.INVALID6|.INVALID7><78.2=|.IL|.IS|.ISL> {R16}, \
         c[{U54.5}][<38.16:0={R24}><38.16!0=<24.8!255={R24}+>{S38.16}>]"),
    // Copies from global to shared memory.
    row(0xfae, 90, "LDGSTS.E<81.1=.BYPASS|>$evict<71.2=|.LTC64B|.LTC128B|.LTC256B>\
         <73.3=.INVALID0|.INVALID1|.INVALID2|.INVALID3||.64|.128|.INVALID7>$copy_order<82.1=|.ZFILL> \
         [{R16}<44.20!0=+{S44.20}>], <76.1=[<70.1={R24}.U32|{R24}.64>+{UR64}<32.12!0=+{S32.12}>]|\
         desc[{UR64}][{R24}.64<32.12!0=+{S32.12}>]><87.4!7=, {P87 !90}>").unsaid(70, 1).unsaid(87, 7).unsaid(91, 1),
    row(0x9af, 80, "LDGDEPBAR"),
];
