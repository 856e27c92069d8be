//! Bulk and tensor copies, which run once for a warp and finish on their own.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x3ba, 90, "UBLKCP$bulk<83.1=|.SEQUENCED> [{UR32}], [{UR24}], {UR64}$described").until(99).implied(91, 1),
    row(0x3ba, 100, "UBLKCP$bulk<83.1=|.SEQUENCED><85.1=|.COUNTED> [{UR32}], [{UR24}], {UR64}$described").until(119).implied(91, 1),
    row(0x3ba, 120, "UBLKCP$bulk<83.1=|.SEQUENCED> [{UR32}], [{UR24}], {UR64}$described").implied(91, 1),
    row(0x3bb, 90, "UBLKRED.<73.1=G|S>.S.$reduction$bulk_type [{UR32}], [{UR24}], {UR64}$described").until(99).implied(74, 1).implied(91, 1),
    row(0x3bb, 100, "UBLKRED.<73.1=G|S>.S.$reduction<85.1=|.COUNTED>$bulk_type [{UR32}], [{UR24}], {UR64}$described").until(119).implied(74, 1).implied(91, 1),
    row(0x3bb, 120, "UBLKRED.<73.1=G|S>.S.$reduction$bulk_type [{UR32}], [{UR24}], {UR64}$described").implied(74, 1).implied(91, 1),
    row(0x3bc, 90, "UBLKPF.L2 [{UR24}], {UR64}$described").implied(91, 1),
    row(0x3b4, 90, "UTMALDG.$dimensions<82.1=|.IM2COL><75.1=|.MULTICAST> [{UR32}], [{UR24}], {UR64}$described").until(99).implied(91, 1),
    row(0x3b4, 100, "UTMALDG.$dimensions<82.3=|.IM2COL|.W128|.W|.GATHER4|?|?|?><75.1=|.MULTICAST><85.1=|.2CTA> [{UR32}], [{UR24}], {UR64}$described").until(119).implied(91, 1),
    row(0x3b4, 120, "UTMALDG.$dimensions<82.3=|.IM2COL|?|.W|.GATHER4|?|?|?><75.1=|.MULTICAST> [{UR32}], [{UR24}], {UR64}$described").implied(91, 1),
    row(0x5b4, 90, "UTMALDG.$dimensions [{UR32}], [{UR24}]$described").until(99).implied(91, 1),
    row(0x5b4, 100, "UTMALDG.$dimensions<82.3=|?|?|?|.GATHER4|?|?|?><85.1=|.2CTA> [{UR32}], [{UR24}]$described").until(119).implied(91, 1),
    row(0x5b4, 120, "UTMALDG.$dimensions<82.3=|?|?|?|.GATHER4|?|?|?> [{UR32}], [{UR24}]$described").implied(91, 1),
    row(0x3b5, 90, "UTMASTG.$dimensions<82.1=|.IM2COL> [{UR32}], [{UR24}]$described").until(99).implied(91, 1),
    row(0x3b5, 100, "UTMASTG.$dimensions<82.2=|.IM2COL|.SCATTER4|?> [{UR32}], [{UR24}]$described").implied(91, 1),
    row(0x3b6, 90, "UTMAREDG.$dimensions<82.1=|.IM2COL>.$reduction [{UR32}], [{UR24}]$described").implied(91, 1),
    row(0x3b8, 90, "UTMAPF.L2.$dimensions<82.1=?|.IM2COL> [{UR32}], [{UR24}], {UR64}$described").until(99).implied(91, 1),
    row(0x5b8, 90, "UTMAPF.L2.$dimensions [{UR32}], [{UR24}]$described").until(99).implied(91, 1),
    row(0x5b8, 100, "UTMAPF.L2.$dimensions<82.3=|?|?|?|.GATHER4|?|?|?> [{UR32}], [{UR24}]$described").implied(91, 1),
    row(0x9b7, 90, "UTMACMDFLUSH"),
    row(0x9b9, 90, "UTMACCTL.<82.1=IV|PF> [{UR24}]").implied(91, 1),
];
