//! Loads, stores and copies between memories.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Any memory.
    row(0x980, 75, "LD$extended_far$evict$prefetch$turing_size$turing_load_order<87.1= |.ZD {P81}, >{R16}, <91.1=<90.1=$far|?>|$sum_low>$unless").until(79).implied(90, 3),
    row(0x385, 75, "ST<72.1=|.E>$evict$turing_size$turing_store_order $far, {R64}").until(79).no_write(),
    row(0x985, 75, "ST$extended$evict$turing_size$turing_store_order $sum_high, {R32}").until(79).implied(90, 3).no_write(),
    row(0x980, 80, "LD$extended_far$evict$prefetch$size$load_order {R16}, <91.1=<90.1=$far|?>|$hidden_low>$unless").until(89).implied(90, 3),
    row(0x980, 90, "LD$extended_far$evict$prefetch$size$load_order {R16}, <91.1=<90.1=$far|?>|$global_low>$unless").implied(90, 3),
    row(0x385, 80, "ST<72.1=|.E>$evict$size$order $far, {R64}").no_write(),
    row(0x985, 80, "ST$extended$evict$size$order $hidden_high, {R32}").until(89).implied(90, 3).no_write(),
    row(0x985, 90, "ST$extended$evict$size$order $global_high, {R32}").implied(90, 3).no_write(),
    // Global memory.
    row(0x381, 75, "LDG<72.1=|.E>$evict$prefetch$turing_size$turing_load_order<87.1= <81.3!7={P81}, >|.ZD {P81}, >{R16}, $near$unless").until(79).implied(81, 7),
    row(0x981, 75, "LDG$extended$evict$prefetch$turing_size$turing_load_order<87.1= <81.3!7={P81}, >|.ZD {P81}, >{R16}, $sum_low$unless").until(79).implied(81, 7).implied(90, 3),
    row(0x386, 75, "STG<72.1=|.E>$evict$turing_size$turing_store_order $near, {R32}").until(79).no_write(),
    row(0x986, 75, "STG$extended$evict$turing_size$turing_store_order $sum_high, {R32}").until(79).implied(90, 3).no_write(),
    row(0x381, 80, "LDG<72.1=|.E>$evict$prefetch$size$load_order <81.3!7={P81}, >{R16}, $near$unless").implied(81, 7),
    row(0x981, 80, "LDG$extended$evict$prefetch$size$load_order <81.3!7={P81}, >{R16}, $hidden_low$unless").until(89).implied(81, 7).implied(90, 3),
    row(0x981, 90, "LDG$extended$evict$prefetch$size$load_order <81.3!7={P81}, >{R16}, $global_low$unless").implied(81, 7).implied(90, 3),
    row(0x386, 80, "STG<72.1=|.E>$evict$size$store_order $near, {R32}").no_write(),
    row(0x986, 80, "STG$extended$evict$size$order $hidden_high, {R32}").until(89).implied(90, 3).no_write(),
    row(0x986, 90, "STG$extended$evict$size$store_order $global_high, {R32}").implied(90, 3).no_write(),
    row(0x97e, 100, "LDG.E$evict<81.2=.EFL2|.ENL2|.ELL2|?><73.2=|.LTC64B|.LTC128B|.LTC256B>.256$load_order {R64}, {R16}, \
         <76.1=[<24.8!255={R24}<75.1=.U32|.64>+>{UR32}|<75.1=?|desc[{UR32}][$register.64>><40.17!0=+{S40.17*32}>]\
         <57.7~72.1!255=, {U57.7~72.1}>$unless_high").implied(57, 127).implied(72, 1).implied(75, 1).implied(91, 1),
    row(0x97f, 100, "STG.E$evict<81.2=.EFL2|.ENL2|.ELL2|?>.256$store_order <76.1=[<24.8!255={R24}<75.1=.U32|.64>+>{UR64}|<75.1=?|desc[{UR64}][$register.64>><40.19!0=+{S40.19*32}>], \
         {R32}, {R16}<59.5~88.3!255=, {U59.5~88.3}>").implied(75, 1).implied(59, 31).implied(88, 7).implied(91, 1).no_write(),
    // Local memory.
    row(0x983, 75, "LDL$evict$size {R16}, <91.1=$near|$local_low>"),
    row(0x387, 75, "STL$evict$size $near, {R32}").no_write(),
    row(0x987, 75, "STL$evict$size $local_high, {R32}").implied(91, 1).no_write(),
    // Shared memory.
    row(0x984, 75, "LDS<76.1=|.U>$size<87.1= |.ZD {P81}, >{R16}, <91.1=$scaled|$scaled_both_low>").until(79),
    row(0x984, 80, "LDS$size {R16}, <91.1=$scaled|$scaled_both_low>"),
    row(0x388, 75, "STS$size $scaled, {R32}").no_write(),
    row(0x988, 75, "STS$size $scaled_both_high, {R32}").implied(91, 1).no_write(),
    row(0x83b, 75, "LDSM.16.<78.2=M88|MT88|M816|M832><72.2=|.2|.4|?> {R16}, <91.1=$near|[<24.8!255={R24}+>{UR32}<24.8:255=<40.24!0=+{U40.24}>><24.8!255=$offset>]>").until(79),
    row(0x83b, 80, "LDSM.16.<78.2=M88|MT88|M816|M832><72.2=|.2|.4|?> {R16}, <91.1=$near_signed|$both_low>").until(99),
    row(0x83b, 100, "LDSM.<75.3=16|?|?|?|?|U4x16P64TO8|U6x16P32TO8|8>.<78.3=M88|MT88|M816|M832|MT1616|?|?|?>\
         <72.2=|.2|.4|?> {R16}, <91.1=$near_signed|$both_low>"),
    row(0x844, 90, "STSM<75.1=.16|?>.<78.1=M88|MT88><72.2=|.2|.4|?> <91.1=$near_signed|$both_high>, {R32}").until(99).no_write(),
    row(0x844, 100, "STSM.<75.1=16|8>.<78.2=M88|MT88|MT168|?><72.2=|.2|.4|?> <91.1=$near_signed|$both_high>, {R32}").no_write(),
    // Constants.
    row(0xb82, 75, "LDC<73.3=.U8|.S8|.U16|.S16||.64|?|?><78.2=|.IL|.IS|.ISL> {R16}, \
         c[{U54.5}][<38.16:0={R24}><38.16!0=<24.8!255={R24}+>{S38.16}>]"),
    row(0x7ac, 100, "LDCU<73.3=.U8|.S8|.U16|.S16||.64|.128|?><80.1=|.TEXUNPACK> {UR16}, \
         c[{U54.5}][<37.17:0={UR24}><37.17!0=<24.8!255={UR24}+>{S37.17}>]").until(119).implied(91, 1).uniform().no_read(),
    row(0x7ac, 120, "LDCU<73.3=.U8|.S8|.U16|.S16||.64|.128|?><80.2=|.TEXUNPACK|.HDRUNPACK|?> {UR16}, \
         c[{U54.5}][<37.17:0={UR24}><37.17!0=<24.8!255={UR24}+>{S37.17}>]").implied(91, 1).uniform().no_read(),
    // Copies from global to shared memory.
    row(0xfae, 80, "LDGSTS.E$copy_kind<82.1=|.ZFILL>$copy_order $copy_shared, <76.1=$copy_sum|\
         <70.1=?|<101.1=<+=default[{UR64}]>|desc[{UR64}]>[{R24}.64$copy_offset]>><87.4!7=, {P87 !90}>").until(89).implied(70, 1).implied(87, 7).implied(91, 1),
    row(0xfae, 90, "LDGSTS.E$copy_kind<82.1=|.ZFILL>$copy_order $copy_shared, <76.1=$copy_sum|\
         <70.1=?|desc[{UR64}][{R24}.64$copy_offset]>><87.4!7=, {P87 !90}>").until(99).implied(70, 1).implied(87, 7).implied(91, 1),
    row(0xfae, 100, "LDGSTS.E<81.1=.BYPASS|>$evict<72.2=|.LTC64B|.LTC128B|.LTC256B><74.2=|.64|.128|?>\
         <82.1=|.ZFILL>$copy_order $copy_shared, <76.1=[<83.1={R24}.U32|{R24}.64><64.8!255=+{UR64}><64.8:255=<+=+{UR64}>>$copy_offset]|\
         <83.1=?|desc[{UR64}][{R24}.64$copy_offset]>><87.4!7=, {P87 !90}>").implied(83, 1).implied(87, 7).implied(91, 1),
    row(0x9af, 80, "LDGDEPBAR"),
];
