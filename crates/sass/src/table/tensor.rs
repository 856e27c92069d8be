//! The tensor cores of sm_100 and their memory.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Products: the first matrix in shared or in tensor memory.
    row(0x5ea, 100, "UTC<63.1=<72.2=HMMA|IMMA|?|QMMA><85.1=|.2CTA><83.1=|.WS> gdesc[{UR24}]$tensor_reuse, $tensor_product|\
         <72.2=OMMA|?|?|?><85.1=|.2CTA>.4X gdesc[{UR24}]$tensor_reuse, $tensor_scaled>").until(102).implied(91, 1).no_write(),
    row(0x5ea, 103, "UTC<63.1=<72.2=HMMA|?|?|QMMA><85.1=|.2CTA><83.1=|.WS> gdesc[{UR24}]$tensor_reuse, $tensor_product|\
         <72.2=OMMA|?|?|?><85.1=|.2CTA>.BLOCK16 gdesc[{UR24}]$tensor_reuse, $tensor_scaled>").until(109).implied(91, 1).no_write(),
    row(0x5ea, 110, "UTC<63.1=<72.2=HMMA|IMMA|?|QMMA><85.1=|.2CTA><83.1=|.WS> gdesc[{UR24}]$tensor_reuse, $tensor_product|\
         <72.2=OMMA|?|?|?><85.1=|.2CTA>.4X gdesc[{UR24}]$tensor_reuse, $tensor_scaled>").until(119).implied(91, 1).no_write(),
    row(0x9ea, 100, "UTC<63.1=<72.2=HMMA|IMMA|?|QMMA><85.1=|.2CTA><83.1=|.WS><74.1=|.ASHIFT> tmem[{UR24}]$tensor_reuse, $tensor_product|\
         <72.2=OMMA|?|?|?><85.1=|.2CTA>.4X tmem[{UR24}]$tensor_reuse, $tensor_scaled>").until(102).implied(91, 1).no_write(),
    row(0x9ea, 103, "UTC<63.1=<72.2=HMMA|?|?|QMMA><85.1=|.2CTA><83.1=|.WS><74.1=|.ASHIFT> tmem[{UR24}]$tensor_reuse, $tensor_product|\
         <72.2=OMMA|?|?|?><85.1=|.2CTA>.BLOCK16 tmem[{UR24}]$tensor_reuse, $tensor_scaled>").until(109).implied(91, 1).no_write(),
    row(0x9ea, 110, "UTC<63.1=<72.2=HMMA|IMMA|?|QMMA><85.1=|.2CTA><83.1=|.WS><74.1=|.ASHIFT> tmem[{UR24}]$tensor_reuse, $tensor_product|\
         <72.2=OMMA|?|?|?><85.1=|.2CTA>.4X tmem[{UR24}]$tensor_reuse, $tensor_scaled>").until(119).implied(91, 1).no_write(),
    row(0xdea, 100, "UTC<72.2=?|?|?|QMMA><85.1=|.2CTA> gdesc[{UR24}]$tensor_reuse, $tensor_scaled").until(119).implied(91, 1).no_write(),
    // Between registers, shared and tensor memory.
    row(0x9ee, 100, "LDTM$tensor_shape<80.1=|.PACK16BIT> {R16}, $tensor_low").until(119).implied(91, 1).uniform().no_read(),
    row(0x9ed, 100, "STTM$tensor_shape<80.1=|.EXPAND16BIT> $tensor_high, {R32}").until(119).implied(91, 1).uniform().no_write(),
    row(0x9e7, 100, "UTCCP.T.S<85.1=|.2CTA><83.2~88.1=|?|.4dp256bit|.128dp128bit|.2x64dp128bit_lw02_lw13|.2x64dp128bit_lw01_lw23|\
         .4x32dp128bit|?><80.2=|.U4x16P64|.U6x16P32|?> $tensor_first, gdesc[{UR32}]").until(119).implied(91, 1),
    row(0x9e6, 100, "UTCSHIFT<85.1=|.2CTA><80.1=?|.DOWN> $tensor_first").until(119).implied(91, 1),
    // Allocation and completion.
    row(0x5e3, 100, "UTCATOMSWS<85.1=|.2CTA>.FIND_AND_SET<75.1=|.ALIGN> {UP81}, {UR16}, {UR32}").until(119).implied(91, 1),
    row(0x9e3, 100, "UTCATOMSWS<85.1=|.2CTA>.<87.1=AND|OR> {UR16}, {UR32}").until(119).implied(91, 1),
    row(0x3e9, 100, "UTCBAR<85.1=|.2CTA><77.1=|.A0TX><85.1=<76.1=|.WAKEUP>|><75.1=|.MULTICAST> [{UR24}], {UR32}<64.8!255=, {UR64}>").until(119).implied(91, 1).no_write(),
];
