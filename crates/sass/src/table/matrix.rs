//! Products of matrices in registers and in shared memory.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x23c, 80, "HMMA<75.1~78.1=.1688|.16816|.1684|.INVALID3><76.1=.F16|.F32><82.2=|.BF16|.TF32|?> {R16}, \
         {R24 r122 -72}, {R32 r123 -63}, {R64 r124}$add_if"),
    row(0x23a, 75, "MOVM.16.MT88 {R16}, {R24}"),
];
