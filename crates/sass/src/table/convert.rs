//! Conversions between integers and floating-point numbers, and between sizes of either.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row(0x238, 75, "I2I<76.2=.U8|.S8|.U16|.S16>.S32.SAT {R16}, $signed_only").forms("28ac"),
    row(0x239, 75, "I2IP<76.2=.U8|.S8|.U16|.S16>.S32.SAT {R16}, {R24 r122}, $signed_only, {R64 r124}<72.1=|.H1>").forms("28ac").until(79),
    row(0x239, 80, "I2IP<76.3=.U8|.S8|.U16|.S16|.U2|.S2|.U4|.S4>.S32$saturated {R16}, {R24 r122}, $signed_only, {R64 r124}\
         <76.3=$first_of_two|$first_of_two|$first_of_two|$first_of_two|<72.2=?|?|?|.28>|<72.2=?|?|?|.28>|<72.2=?|?|.24|?>|<72.2=?|?|.24|?>>").forms("28ac"),
    row(0x243, 86, "F2IP<76.2=.U8|.S8|?|?>.F32<78.2=|?|?|.TRUNC><74.1=|.NTZ><75.1=|.RELU> {R16}, {R24 r122}, $rounded_b, {R64 r124}<72.1=|.H1>").forms("28ac"),
    row(0x305, 75, "F2I<80.1=|.FTZ><75.2=<72.1=.U8|.S8>|<72.1=.U16|.S16>|<72.1=.U32|>|?>$from_narrow$to_integer<77.1=|.NTZ> {R16}, $converted").forms("39bd"),
    row(0x311, 75, "F2I<80.1=|.FTZ><75.2=<72.1=.U8|.S8>$from_double|<72.1=.U16|.S16>$from_double|<72.1=.U32|>$from_double|<72.1=.U64|.S64>>$from_wide$to_integer<77.1=|.NTZ> {R16}, $converted").forms("39bd"),
    row(0x306, 75, "I2F$float_narrow<84.2=<74.1=.U8|.S8>|<74.1=.U16|.S16>|<74.1=.U32|>|?>$round {R16}, $converted_bits").forms("39bd"),
    row(0x312, 75, "I2F$float_wide<84.2=<74.1=.U8|.S8>|<74.1=.U16|.S16>|<74.1=.U32|>|<74.1=.U64|.S64>>$round {R16}, $converted_bits").forms("39bd"),
    row(0x304, 75, "F2F<80.1=|.FTZ>$two_formats$round {R16}, $converted").forms("39bd"),
    row(0x310, 75, "F2F<80.1=|.FTZ>$two_formats_wide$round {R16}, $converted").forms("39bd"),
    row(0x307, 75, "FRND<80.1=|.FTZ>$same_format$to_integer {R16}, $converted").forms("39bd"),
    row(0x313, 75, "FRND<80.1=|.FTZ>$same_double$to_integer {R16}, $converted").forms("39bd"),
    row(0x23e, 80, "F2FP<77.1=|.SATFINITE><75.1=|.RELU><76.1=|.BF16<81:1=?>><78.1=.PACK_AB|.MERGE_C><81.1=$or_zero|.RS.7b$nearest> {R16}, \
         <81.1=<78.1={R24 r122}, $packed|$packed, $bits_c<72.1=|.H1>>|{R24 r122}, $packed, $bits_c<72.1=|.H1>>")
        .forms("28ac").implied(24, 255).implied(64, 255).until(88),
    row(0x23e, 89, "F2FP<78.1~89.2:0,1,4,5=<77.1=|.SATFINITE>><75.1=|.RELU><86.2~76.1=.F16|?|.E5M2|?|.BF16|.TF32|.E4M3|?>\
         <78.1~89.2=$from_single.PACK_AB$or_zero|$from_single.MERGE_C$or_zero|<73.2=?|?|.E5M2|.E4M3>.UNPACK_B$nearest|\
         $from_single.PACK_B<86.2~76.1!5=?>$or_zero|<73.2=?|.F16|?|?>.UNPACK_B_MERGE_C$nearest|$from_single.PACK_AB_MERGE_C$nearest|?|?> {R16}, \
         <78.1~89.2={R24 r122}, $packed|$packed, $bits_c<72.1=|.H1>|$unpacked<88.1=|.H1>|$packed|$merged, $bits_c<72.1=|.H1>|{R24 r122}, $packed, $bits_c<72.1=|.H1>|?|?>").forms("28ac").implied(24, 255).implied(64, 255).until(99),
    row(0x23e, 100, "F2FP<78.1~89.2!2=<85.3~76.1:13=<77.1=.SATFINITE|>><85.3~76.1!13=<77.1=|.SATFINITE>>><75.1=|.RELU>\
         <78.1~89.2=$packs_two$halves_packed$from_one.PACK_AB$packed_random\
         |<79.3=$halves_packed|?|?|$halves_packed|$small_random|?|?|?>$from_one.MERGE_C<79.3=|?|?|.RZ|.RS|?|?|?>\
         |$unpacks.F16<85.3~76.1!0=?>$from_small.UNPACK_B<79.3!0=?>\
         |$unpacks.TF32<85.3~76.1!10=?>$from_one.PACK_B<79.3=|?|?|.RZ|?|?|?|?>\
         |<79.3=$smallest_packed|?|$small_or_scale|$small_or_scale|?|?|?|?><73.2~82.1!1=?>.F16.UNPACK_B_MERGE_C<79.3=|?|.RP|.RZ|?|?|?|?>\
         |<79.3=$smallest_packed|?|$small_or_scale|$small_or_scale|$small_random|?|?|?>$from_one.PACK_AB_MERGE_C<79.3=|?|.RP|.RZ|.RS|?|?|?>|?|?> {R16}, \
         <78.1~89.2={R24 r122}, $packed<79.3:4=, $bits_c>|<79.3:4={R24 r122}, >$packed, $bits_c<79.3!4=<72.1=|.H1>>|$packed<88.1=|<73.2~82.1:5=.B2><73.2~82.1!5=.H1>>|$packed\
         |$packed, $bits_c<72.1=|.H1>|{R24 r122}, $packed, $bits_c<79.3!4=<85.3~76.1!9=<72.1=|.H1>>>|?|?>").forms("28ace").implied(24, 255).implied(64, 255),
    row(0x245, 86, "I2FP<75.3=?|?|.F32|?|?|?|?|?><74.1=.U32|.S32><78.2=|?|?|.RZ> {R16}, $signed_or_not").forms("28ac").implied(84, 2),
];
