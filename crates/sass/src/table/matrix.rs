//! Products of matrices: of a warp in registers, of a warpgroup in shared memory.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Of a warp, in parts of floating point, integers, bits and double precision.
    row(0x236, 75, "HMMA.884<76.1=.F16<78.1=.F16|?>.<79.2=STEP0|STEP1|?|?>|.F32<78.1=.F16|.F32>.<79.2=STEP0|STEP1|STEP2|STEP3>><77.1=|.SATFINITE> {R16}, \
         {R24 r122 -72}.<73.1=ROW|COL>, {R32 r123 -63}.<74.1=ROW|COL>, {R64 r124}").until(79),
    row(0x23c, 75, "HMMA<75.1~78.1=.1688|.16816|.1684|?><76.1=.F16|.F32><77.1=|.SATFINITE> {R16}, \
         {R24 -72}, {R32 r123 -63}, {R64}").until(79),
    row(0x23c, 80, "HMMA<73.1=<75.1~78.1=.1688|.16816|.1684|?>|.SP<75.1~78.1=.1688|.16816|?|.16832>><76.1=.F16|.F32>\
         <82.2=|.BF16|.TF32|?> {R16}, $matrix_a, {R32 r123 -63}, {R64}$add_if<73:1=, {R40}$sparse_reuse, {U48.2}>"),
    row(0x237, 75, "IMMA<83.3=.8816<76.2=.U8|.S8|?|?><78.2=.U8|.S8|?|?>|?|?|?|?|?|?|.8832<76.2=.U4|.S4|?|?>\
         <78.2=.U4|.S4|?|?>><82.1=|.SAT> {R16}, $row_column, {R64 r124}").until(79),
    row(0x237, 80, "IMMA<72.1=$integer_shape|.SP$integer_shape_sparse>$integer_a$integer_b<82.1=|.SAT> {R16}, \
         $row_column, {R64}$add_if<72:1=, {R40}$sparse_reuse, {U48.2}>"),
    row(0x23d, 75, "BMMA.88128.XOR<80.1=?|.POPC> {R16}, $row_column, {R64 r124}").until(79),
    row(0x23d, 80, "BMMA<75.2=.88128|.168128|.168256|?>.<77.2=XOR|?|AND|?><80.1=?|.POPC> {R16}, $row_column, {R64}$add_if").until(89),
    row(0x23d, 90, "BMMA<75.2=.88128|.168128|.168256|?>.<77.2=?|?|AND|?><80.1=?|.POPC> {R16}, $row_column, {R64}$add_if").until(99),
    row(0x23f, 80, "DMMA.884$round {R16}, {R24 r122 -72 |73}, {R32 r123 -63 |62}, {R64 -75 |74}$add_if").until(89),
    row(0x23f, 90, "DMMA<76.2=.8x8x4|.16x8x4|.16x8x8|.16x8x16>$round {R16}, {R24 r122 -72 |73}, {R32 r123 -63 |62}, \
         {R64 -75 |74}$add_if").until(99),
    row(0x23f, 100, "DMMA.8x8x4$round {R16}, $double_a, $double_register_b, {R64 -75 |74}$add_if"),
    row(0x27a, 89, "QMMA<75.2=.16816|.16832|?|?><77.1=.F16|.F32><78.1=.E4M3|.E5M2><79.1=.E4M3|.E5M2> \
         {R16}, {R24 r122 -72}.<73.1=ROW|?>, {R32 r123 -63}.<74.1=?|COL>, {R64}$add_if").until(89),
    row(0x27a, 120, "QMMA<80.1=<75.2=.16816|.16832|?|?>|.SP<75.2=?|.16832|.16864|?>><77.1=.F16|.F32><78.1~82.2=.E4M3|.E5M2|?|.E3M2|.E2M3|.E2M1|?|?>\
         <79.1~84.2=.E4M3|.E5M2|?|.E3M2|.E2M3|.E2M1|?|?> {R16}, $matrix_a, {R32 r123 -63}, {R64}$add_if<80:1=, {R40}, {U48.2}>").implied(74, 1),
    row(0x23a, 75, "MOVM.16<75.3!0=?><78.2=.MT88|.M832|.M864|?> {R16}, {R24}").until(99),
    row(0x23a, 100, "MOVM<75.3=.16|.U4TO8|?|?|?|?|?|?><78.2=.MT88|.M832|.M864|?> {R16}, {R24}"),
    // Of a warpgroup, with the second matrix in shared memory and the first there or in registers.
    row(0x9f0, 90, "HGMMA<73.1=.64$columns<58.2=x16|x8|?|?>|.SP<74.1=|.REGOFFSET>.64$columns<58.2=x16|?|x32|?>><75.1=.F16|.F32><76.2=|.BF16|.TF32|?> {R16}, \
         $described_a, {R64}$add_if<73:1=, {R40}, {U48.2}>$group").until(90).implied(91, 1).no_write().no_read(),
    row(0xdf0, 90, "HGMMA<73.1=.64$columns<58.2=x16|x8|?|?>|.SP<74.1=|.REGOFFSET>.64$columns<58.2=x16|?|x32|?>><75.1=.F16|.F32><76.2=|.BF16|.TF32|?> {R16}, \
         {R24 -72}, gdesc[{UR32}]<63.1=|.negB><62.1=|.tnspB>, {R64}$add_if<73:1=, {R40}, {U48.2}>$group").until(90).implied(91, 1).no_write().no_read(),
    row(0x9f1, 90, "IGMMA<73.1=.64$columns_integer\\x32|.SP.64$columns_integer_sparse\\x64><76.2=.U8|.S8|?|?><82.2=.U8|.S8|?|?><75.1=|.SAT> {R16}, \
         gdesc[{UR24}], {R64}$add_if<73:1=, {R40}<48.2!0=, {U48.2}>>$group").until(90).implied(91, 1).no_write().no_read(),
    row(0xdf1, 90, "IGMMA<73.1=.64$columns_integer\\x32|.SP.64$columns_integer_sparse\\x64><76.2=.U8|.S8|?|?><82.2=.U8|.S8|?|?><75.1=|.SAT> {R16}, \
         {R24}, gdesc[{UR32}], {R64}$add_if<73:1=, {R40}<48.2!0=, {U48.2}>>$group").until(90).implied(91, 1).no_write().no_read(),
    row(0x9f2, 90, "BGMMA.64$columns_bits<58.1=x256|?>.<77.2=?|?|AND|?><80.1=?|.POPC> {R16}, gdesc[{UR24}], {R64}$add_if$group").until(90).implied(91, 1).no_write().no_read(),
    row(0xdf2, 90, "BGMMA.64$columns_bits<58.1=x256|?>.<77.2=?|?|AND|?><80.1=?|.POPC> {R16}, {R24}, gdesc[{UR32}], {R64}$add_if$group").until(90).implied(91, 1).no_write().no_read(),
    row(0x9f3, 90, "QGMMA<73.1=.64$columns<58.1=x32|?>|.SP.64$columns<58.1=?|x64>><75.1=.F16|.F32><76.1=.E4M3|.E5M2><77.1=.E4M3|.E5M2> {R16}, \
         gdesc[{UR24}]<72.1=|.negA><63.1=|.negB>, {R64}$add_if<73:1=, {R40}<48.2!0=, {U48.2}>>$group").until(90).implied(91, 1).no_write().no_read(),
    row(0xdf3, 90, "QGMMA<73.1=.64$columns<58.1=x32|?>|.SP.64$columns<58.1=?|x64>><75.1=.F16|.F32><76.1=.E4M3|.E5M2><77.1=.E4M3|.E5M2> {R16}, \
         {R24 -72}, gdesc[{UR32}]<63.1=|.negB>, {R64}$add_if<73:1=, {R40}<48.2!0=, {U48.2}>>$group").until(90).implied(91, 1).no_write().no_read(),
];
