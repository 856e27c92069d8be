//! Atomic operations and reductions in memory.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Any memory.
    row(0x38a, 75, "ATOM<72.1=|.E>.$rmw$evict$old_word$turing_order {P81}, {R16}, $near, {R32}").until(79).implied(64, 255),
    row(0x38a, 80, "ATOM<72.1=|.E>.$rmw$evict$old_word$order {P81}, {R16}, $near, {R32}").until(89),
    row(0x38a, 90, "ATOM<72.1=|.E>.$rmw$evict$word$order {P81}, {R16}, $near, {R32}"),
    row(0x98a, 75, "ATOM$atomic_extended.$rmw$evict$old_word$turing_order {P81}, {R16}, $atomic_sum, {R32}").until(79).implied(70, 1).implied(91, 1),
    row(0x98a, 80, "ATOM$atomic_extended.$rmw$evict$old_word$order {P81}, {R16}, $atomic_hidden, {R32}").until(89).implied(70, 1).implied(91, 1),
    row(0x98a, 90, "ATOM$atomic_extended.$rmw$evict$word$order {P81}, {R16}, $atomic_global, {R32}").until(99).implied(70, 1).implied(91, 1),
    row(0x98a, 100, "ATOM$wide_extended.$rmw$evict$word$order {P81}, {R16}, <76.1=$wide_sum|$wide_described>, {R32}").implied(63, 1).implied(91, 1),
    row(0x38b, 75, "ATOM<72.1=|.E>.$cas$evict$old_cas_word$turing_order {P81}, {R16}, $near, {R32}, {R64}").until(79),
    row(0x38b, 80, "ATOM<72.1=|.E>.$cas$evict$old_cas_word$order {P81}, {R16}, $near, {R32}, {R64}").until(89),
    row(0x38b, 90, "ATOM<72.1=|.E>.$cas$evict$shared_word$order {P81}, {R16}, $near, {R32}, {R64}"),
    // Arrivals at barriers in memory, by a generic address.
    row(0xf8a, 80, "ATOM<72.1=?|.E>.<87.4=?|?|?|?|?|?|?|?|?|ARRIVE|POPC.INC|?|?|?|?|?>$evict\
         <87.4:9=<73.4=?|?|.64|?|?|?|?|?|?|?|?|?|?|?|?|?>><87.4:10=<73.4=.32|?|?|?|?|?|?|?|?|?|?|?|?|?|?|?>>$order {P81}, {R16}, \
         $atomic_sum").until(89).implied(91, 1),
    row(0x3a2, 90, "ATOM<72.1=|.E>.$float_rmw$evict$floats$order {P81}, {R16}, $near, {R32}"),
    row(0x9a2, 90, "ATOM$atomic_extended.$float_rmw$evict$floats$order {P81}, {R16}, $atomic_global, {R32}").until(99).implied(70, 1).implied(91, 1),
    row(0x9a2, 100, "ATOM$wide_extended.$float_rmw$evict$floats$order {P81}, {R16}, <90.1=$wide_sum|$wide_described>, {R32}").implied(63, 1).implied(91, 1),
    // Global memory.
    row(0x3a8, 75, "ATOMG<72.1=|.E>.$global_rmw$evict$old_word$turing_order {P81}, {R16}, $near, {R32}").until(79).implied(64, 255),
    row(0x3a8, 80, "ATOMG<72.1=|.E>.$global_rmw$evict$old_word$order {P81}, {R16}, $near, {R32}").until(89),
    row(0x3a8, 90, "ATOMG<72.1=|.E>.$global_rmw$evict$word$order {P81}, {R16}, $near, {R32}"),
    row(0x9a8, 75, "ATOMG$atomic_extended.$global_rmw$evict$old_word$turing_order {P81}, {R16}, $atomic_sum, {R32}").until(79).implied(70, 1).implied(91, 1),
    row(0x9a8, 80, "ATOMG$atomic_extended.$global_rmw$evict$old_word$order {P81}, {R16}, $atomic_hidden, {R32}").until(89).implied(70, 1).implied(91, 1),
    row(0x9a8, 90, "ATOMG$atomic_extended.$global_rmw$evict$word$order {P81}, {R16}, $atomic_global, {R32}").until(99).implied(70, 1).implied(91, 1),
    row(0x9a8, 100, "ATOMG$wide_extended.$global_rmw$evict$word$order {P81}, {R16}, <76.1=$wide_sum|$wide_described>, {R32}").implied(63, 1).implied(91, 1),
    row(0x3a9, 75, "ATOMG<72.1=|.E>.CAS$evict$old_cas_word$turing_order {P81}, {R16}, $near, {R32}<32.8:255=?>, {R64}").until(79),
    row(0x3a9, 80, "ATOMG<72.1=|.E>.CAS$evict$old_cas_word$order {P81}, {R16}, $near, {R32}, {R64}").until(89),
    row(0x3a9, 90, "ATOMG<72.1=|.E>.CAS$evict$shared_word$order {P81}, {R16}, $near, {R32}, {R64}"),
    row(0x9a3, 100, "ATOMG$wide_extended.$float_rmw$evict$floats$order {P81}, {R16}, <90.1=$wide_sum|$wide_described>, {R32}").implied(63, 1).implied(91, 1),
    row(0x9a3, 90, "ATOMG$atomic_extended.$float_rmw$evict$floats$order {P81}, {R16}, $atomic_global, {R32}").until(99).implied(70, 1).implied(91, 1),
    row(0x98e, 75, "RED$reduction_extended.$reduction$evict$old_word$turing_order <91.1=<90.1=$near|?>|$sum_high>, {R32}").until(79).implied(90, 3).no_write(),
    row(0x98e, 80, "RED$reduction_extended.$reduction$evict$old_word$order <91.1=<90.1=$near|?>|$reduction_hidden>, {R32}").until(89).implied(90, 3).no_write(),
    row(0x98e, 90, "REDG$reduction_extended.$reduction$evict$reduced_word$order <91.1=<90.1=$near|?>|$reduction_global>, {R32}").until(99).implied(90, 3).no_write(),
    row(0x9a6, 90, "REDG$reduction_extended.$float_rmw$evict$floats$order <91.1=<90.1=$near|?>|$reduction_global>, {R32}").until(99).implied(90, 3).no_write(),
    row(0x98e, 100, "REDG$reduction_extended.$reduction$evict$reduced_word$order <91.1=<90.1=$near|?>|<81.1=$sum_high|\
         <90.1=?|desc[{UR64}][{R24}.64$offset]>>>, {R32}").implied(90, 3).no_write(),
    row(0x9a6, 100, "REDG$reduction_extended.$float_rmw$evict$floats$order <91.1=<90.1=$near|?>|<81.1=$sum_high|\
         <90.1=?|desc[{UR64}][{R24}.64$offset]>>>, {R32}").implied(90, 3).no_write(),
    row(0x9a4, 90, "LDGMC<72.1=?|.E>.$multimem_word.STRONG.SYS {R16}, $atomic_global").until(99).implied(70, 1).implied(77, 10).implied(91, 1),
    row(0x9a5, 90, "LDGMC<72.1=?|.E>.<88.2=ADD|MIN|MAX|F32ADD>$multimem_float.STRONG.SYS {R16}, $atomic_global").until(99).implied(70, 1).implied(77, 10).implied(91, 1),
    row(0x9a4, 100, "LDGMC<72.1=?|.E>.$multimem_word.STRONG.SYS {R16}, $multimem").implied(81, 1).implied(77, 10).implied(91, 1),
    row(0x9a5, 100, "LDGMC<72.1=?|.E>.<88.2=ADD|MIN|MAX|HPADD><87.1=$multimem_float|$multimem_small>.STRONG.SYS {R16}, $multimem").implied(81, 1).implied(77, 10).implied(91, 1),
    // Shared memory.
    row(0x38c, 75, "ATOMS.$rmw$old_shared_word {R16}, $scaled, {R32}").until(79).implied(64, 255),
    row(0x38c, 80, "ATOMS.$rmw$old_shared_word {R16}, $scaled, {R32}").until(89),
    row(0x38c, 90, "ATOMS.$rmw$shared_word {R16}, $scaled, {R32}"),
    row(0x98c, 75, "ATOMS.$rmw$old_shared_word {R16}, $scaled_both_high, {R32}").until(89).implied(91, 1),
    row(0x98c, 90, "ATOMS.$rmw$shared_word {R16}, $scaled_both_high, {R32}").implied(91, 1),
    row(0x38d, 75, "ATOMS.$cas$old_shared_word {R16}, $scaled, {R32}, {R64}").until(89),
    row(0x38d, 90, "ATOMS.$cas$shared_word {R16}, $scaled, {R32}, {R64}"),
    row(0x58d, 100, "ATOMS.CAST<88.1=|.SPIN>$shared_word {P81}, $scaled, {R32}, {R64}").implied(87, 1),
    row(0xf8c, 80, "ATOMS.<87.4=?|?|?|?|?|?|?|?|?|ARRIVE|POPC.INC|?|?|?|?|?>\
         <87.4:9=<73.2=?|?|.64|?>><87.4:10=<73.2=.32|?|?|?>> {R16}, $scaled_both_high").until(89).implied(91, 1),
    row(0xf8c, 90, "ATOMS.<87.4=?|?|?|?|?|?|?|?|?|?|ARRIVE|POPC.INC|?|?|?|?>\
         <87.4:10=<73.3=?|?|.64|?|?|?|?|?>><87.4:11=<73.3=.32|?|?|?|?|?|?|?>> {R16}, $scaled_both_high").implied(91, 1),
    // Shared memory of another block.
    row(0xdbd, 90, "STAS$remote_size [<90.1={R24}.U32+{UR64}|$register.64<64.6!63=+{UR64}>>$offset], {R32}").until(99).implied(90, 3),
    row(0xdbd, 100, "STAS$remote_size [<90.1={R24}.U32+{UR64}|$register.64<64.8!255=+{UR64}>>$offset], {R32}").implied(90, 3),
    row(0xdbe, 90, "REDAS.$remote_rmw$remote_word [<72.1={R24}.U32+{UR64}|$register.64<64.6!63=+{UR64}>>$offset], {R32}").until(99).implied(72, 1).implied(91, 1),
    row(0xdbe, 100, "REDAS.$remote_rmw$remote_word [<72.1={R24}.U32+{UR64}|$register.64<64.8!255=+{UR64}>>$offset], {R32}").implied(72, 1).implied(91, 1),
];
