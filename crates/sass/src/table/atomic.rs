//! Atomic operations and reductions in memory.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Any memory.
    row(0x38a, 80, "ATOM<72.1=|.E>.$rmw$evict$word$order {P81}, {R16}, $near, {R32}"),
    row(0x98a, 80, "ATOM$atomic_extended.$rmw$evict$word$order {P81}, {R16}, $atomic_hidden, {R32}").until(89).unsaid(70, 1).unsaid(91, 1),
    row(0x98a, 90, "ATOM$atomic_extended.$rmw$evict$word$order {P81}, {R16}, $atomic_global, {R32}").until(99).unsaid(70, 1).unsaid(91, 1),
    row(0x38b, 80, "ATOM<72.1=|.E>.$cas$evict$shared_word$order {P81}, {R16}, $near, {R32}, {R64}"),
    row(0x9a2, 90, "ATOM$atomic_extended.$float_rmw$evict$floats$order {P81}, {R16}, $atomic_global, {R32}").until(99).unsaid(70, 1).unsaid(91, 1),
    // Global memory.
    row(0x3a8, 80, "ATOMG<72.1=|.E>.$global_rmw$evict$word$order {P81}, {R16}, $near, {R32}"),
    row(0x9a8, 80, "ATOMG$atomic_extended.$global_rmw$evict$word$order {P81}, {R16}, $atomic_hidden, {R32}").until(89).unsaid(70, 1).unsaid(91, 1),
    row(0x9a8, 90, "ATOMG$atomic_extended.$global_rmw$evict$word$order {P81}, {R16}, $atomic_global, {R32}").until(99).unsaid(70, 1).unsaid(91, 1),
    row(0x3a9, 80, "ATOMG<72.1=|.E>.CAS$evict$shared_word$order {P81}, {R16}, $near, {R32}, {R64}"),
    row(0x9a3, 90, "ATOMG$atomic_extended.$float_rmw$evict$floats$order {P81}, {R16}, $atomic_global, {R32}").until(99).unsaid(70, 1).unsaid(91, 1),
    row(0x98e, 80, "RED$extended.$reduction$evict$reduced_word$order <91.1=<90.1=$near|$near>|$reduction_hidden>, {R32}").until(89).unsaid(90, 3),
    row(0x98e, 90, "REDG$extended.$reduction$evict$reduced_word$order <91.1=<90.1=$near|$near>|$reduction_global>, {R32}").until(99).unsaid(90, 3),
    row(0x9a6, 90, "REDG$extended.$float_rmw$evict$floats$order <91.1=<90.1=$near|$near>|$reduction_global>, {R32}").until(99).unsaid(90, 3),
    row(0x9a4, 90, "LDGMC$atomic_extended.<87.4=ADD|MIN|MAX|INVALID3|INVALID4|AND|OR|XOR|INVALID8|INVALID9|INVALID10|\
         INVALID11|INVALID12|INVALID13|INVALID14|INVALID15><73.3=.32|.S32|.64|.S64|.INVALID4|.INVALID5|.INVALID6|\
         .INVALID7>.STRONG.SYS {R16}, $atomic_global").until(99).unsaid(70, 1).unsaid(77, 10).unsaid(91, 1),
    row(0x9a5, 90, "LDGMC$atomic_extended.<88.2=ADD|MIN|MAX|F32ADD><73.4=.F16x2.RN|.F16x4.RN|.F16x8.RN|.BF16x2.RN|\
         .BF16x4.RN|.BF16x8.RN|.INVALID6|.INVALID7|.INVALID8|.INVALID9|.INVALID10|.INVALID11|.F32.RN|.F32x2.RN|\
         .F32x4.RN|.F64.RN>.STRONG.SYS {R16}, $atomic_global").until(99).unsaid(70, 1).unsaid(77, 10).unsaid(91, 1),
    // Shared memory.
    row(0x38c, 75, "ATOMS.$rmw$shared_word {R16}, $scaled, {R32}"),
    row(0x98c, 75, "ATOMS.$rmw$shared_word {R16}, $scaled_both_high, {R32}").unsaid(91, 1),
    row(0x38d, 75, "ATOMS.$cas$shared_word {R16}, $scaled, {R32}, {R64}"),
    row(0xf8c, 80, "ATOMS.<87.4=?|?|?|?|?|?|?|?|?|?|ARRIVE|POPC.INC|?|?|?|?>\
         <87.4:10=<73.3=?|?|?|?|?|.64|?|?>><87.4:11=<73.3=.32|?|?|?|?|?|?|?>> {R16}, $scaled_both_high").unsaid(91, 1),
    // Shared memory of another block.
    row(0xdbd, 90, "STAS<73.3=.INVALID0|.INVALID1|.INVALID2|.INVALID3||.64|.128|.INVALID7> \
         [<90.1={R24}.U32+{UR64}|{R24}.64<64.6!63=+{UR64.6}>>$offset], {R32}").until(99).unsaid(90, 3),
    row(0xdbe, 90, "REDAS.$rmw<73.3=|.S32|.64|.INVALID3|.INVALID4|.INVALID5|.INVALID6|.INVALID7> \
         [<72.1={R24}.U32+{UR64}|{R24}.64<64.6!63=+{UR64.6}>>$offset], {R32}").until(99).unsaid(72, 1).unsaid(91, 1),
];
