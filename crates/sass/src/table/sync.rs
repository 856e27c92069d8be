//! Barriers, fences, and barriers in shared memory.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Barriers of a block: the barrier and the number of threads are registers or numbers.
    row(0x31d, 75, "BAR.$barrier {R32}, {R32}<77.2:2,3=, {P87 !90}>").no_write(),
    row(0x51d, 75, "BAR.$barrier {R32}$threads<77.2:2,3=, {P87 !90}>").no_write(),
    row(0x91d, 75, "BAR.$barrier {U54.4}, {R32}<77.2:2,3=, {P87 !90}>").until(89).no_write(),
    row(0x91d, 90, "BAR.$barrier {U54.4}, {R32}<77.4:0,2,8,10=<32.8:255=?>><77.2:2,3=, {P87 !90}>").no_write(),
    row(0xb1d, 75, "BAR.<79.1=$barrier {U54.4}$threads<77.2:2,3=, {P87 !90}>|SYNCALL<80.1=|.DEFER_BLOCKING>>").until(88).no_write(),
    row(0xb1d, 89, "BAR.$barrier {U54.4}$threads<77.2:2,3=, {P87 !90}>").no_write(),
    row(0x31c, 75, "B2R<78.2=|.RESULT|.WARP|?> {R16}<78.2:0=, {U54.4}><78.2:1=<81.3!7=, {P81}>>").implied(81, 7),
    // Fences and waits.
    row(0x992, 75, "MEMBAR<79.2=.SC|.ALL||?>.<76.3=CTA|SM|GPU|SYS|?|VC|?|?><72.1=|.MMIO>").until(79).no_write(),
    row(0x992, 80, "MEMBAR<79.2=.SC|.ALL||.MMIO>.<76.3=CTA|SM|GPU|SYS|?|VC|?|?>").until(89).no_write(),
    row(0x992, 90, "MEMBAR<73.1=<79.2=.SC|.ALL||.MMIO>.<76.3=CTA|SM|GPU|SYS|?|VC|CTA.PARTIAL|?>|.<76.3=?|?|?|?|?|VC|?|?>.ASYNC>").no_write(),
    row(0x9ab, 75, "ERRBAR"),
    row(0x5ab, 90, "CGAERRBAR"),
    row(0x3c6, 90, "FENCE.VIEW.ASYNC.<72.1=S|G>").until(99).no_read(),
    row(0x3c6, 100, "FENCE.VIEW.ASYNC.<72.2=S|G|T|?>").until(119).no_read(),
    row(0x3c6, 120, "FENCE.VIEW.ASYNC.<72.1=S|G>").no_read(),
    row(0x91a, 75, "DEPBAR<47.1=<32.6!0= {M32.6}>|.LE SB{D44.3}<44.3:6,7=?>, {U38.6}<32.6!0=, {M32.6}>>").no_write().no_read(),
    row(0x98f, 75, "CCTL<87.4:0,1,2,3,5=<72.1=|.E>><78.2=|.U|.C|.I>.<87.4=PF1 $far|PF2 $far|WB $far|IV $far|IVALL$whole_cache|RS $far|IVALLP$whole_cache|WBALL$whole_cache|\
         WBALLP$whole_cache|?|?|?|?|?|?|?>").until(79).implied(24, 255).no_write(),
    row(0x98f, 80, "CCTL<87.4:0,1,2,3,5,9,10,11=<72.1=|.E>><78.2=|.U|.C|.I>.<87.4=PF1 $far|PF2 $far|WB $far|IV $far|IVALL$whole_cache|RS $far|IVALLP$whole_cache|WBALL$whole_cache|\
         WBALLP$whole_cache|PML2 $far|DML2 $far|RML2 $far|?|?|?|?>").until(99).implied(24, 255).no_write(),
    row(0x98f, 100, "CCTL<87.4:0,1,2,3,5,9,10,11=<72.1=|.E>><78.2=|.U|.C|.I>.<87.4=PF1 $far|PF2 $far|WB $far|IV $far|IVALL$whole_cache|RS $far|IVALLP$whole_cache|WBALL$whole_cache|\
         WBALLP$whole_cache|PML2 $far|DML2 $far|RML2 $far<73.3!0=, {U73.3}>|?|?|?|?>\
         <87.4:0,1,2,3,5,9,10,11=<110.3!7=?>><78.2:0,1=<110.3!7=?>>").implied(24, 255),
    row(0x540, 100, "CCTL.E.C.LDCU.IV<86.1=|.DEEP> [<24.8:255=<32.32:0={UR24}><32.32!0={S32.32}>><24.8!255={UR24}<32.32!0=+{S32.32}>>]").implied(79, 1).implied(87, 3).implied(91, 1),
    row(0x3aa, 75, "QSPC<72.1=|.E>.<73.2=G|L|S|?> {P81}, {R16}, $near").until(89),
    row(0x3aa, 90, "QSPC<72.1=|.E>.<73.2=G|L|S|D> {P81}, {R16}, $near"),
    row(0x9aa, 75, "QSPC$extended.<73.2=G|L|S|?> {P81}, {R16}, $sum_low").until(89).implied(90, 3),
    row(0x9aa, 90, "QSPC$extended.<73.2=G|L|S|D> {P81}, {R16}, $sum_low").implied(90, 3),
    // Barriers in shared memory.
    row(0x9b0, 80, "ARRIVES.LDGSTSBAR.64 $both_high").until(89).implied(73, 5).implied(91, 1).no_write(),
    row(0x9b0, 90, "ARRIVES.LDGSTSBAR.64<70.2=|.ARVCNT|.TRANSCNT|?> $both_high").until(99).implied(73, 5).implied(91, 1).no_write(),
    row(0x5a7, 90, "SYNCS.PHASECHK.TRANS64<72.1=|.TRYWAIT> {P81}, $both_high, {R32}").until(99).implied(70, 1).implied(91, 1),
    row(0x9b0, 100, "ARRIVES.LDGSTSBAR.64<76.2=|.ARVCNT|.TRANSCNT|?> $both_high").implied(73, 5).implied(91, 1).no_write(),
    row(0x5a7, 100, "SYNCS.PHASECHK.TRANS64<72.1=|.TRYWAIT> {P81}, $both_high, {R32}").implied(76, 1).implied(91, 1),
    row(0x5b2, 90, "SYNCS.EXCH.64 {UR16}, [{UR24}$offset], {UR32}").implied(72, 1).implied(91, 1).uniform(),
    row(0x9a7, 90, "SYNCS.ARRIVE.TRANS64<73.2=|.TMASK|.RED|?><75.1=|.OPTOUT>\
         <84.3=|.A1T0|.A0T1|.A0TR|.A0TX|.ART0|?|?> {R16}, $both_high, {R32}").implied(91, 1),
    row(0x5b1, 90, "SYNCS.LD.64<74.1=|.WATCH> {R16}, $both_high").until(99).implied(73, 1).implied(91, 1),
    row(0x9b1, 90, "SYNCS.CCTL.<72.1=IV|WB><91.1=ALL| $both_high>"),
    // Clusters and groups of warps.
    row(0x9c7, 90, "UCGABAR_ARV").implied(91, 1),
    row(0xdc7, 90, "UCGABAR_WAIT").implied(91, 1),
    row(0x9c5, 90, "WARPGROUP.<79.2=ARRIVE|WAIT<84.3!0=?><116.6!0=?>|DEPBAR<47.1=?|.LE> gsb0, {U72.3}<84.3!0=?><116.6!0=?>|?>").until(90).no_write().no_read(),
    row(0x9c8, 90, "USETMAXREG.<72.3=?|?|?|?|?|DEALLOC.CTAPOOL|TRY_ALLOC.CTAPOOL {UP81},|?> {U32.10}").implied(81, 7).implied(91, 1),
];
