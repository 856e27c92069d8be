//! Parts that several templates share, by name: `$size` in a template stands for one of these.

/// Name and text of each part. Values of a field that mean nothing to any instruction have text too where nvdisasm
/// prints one.
#[rustfmt::skip]
static PARTS: &[(&str, &str)] = &[
    // How much a memory operation moves.
    ("size", "<73.3=.U8|.S8|.U16|.S16||.64|.128|?>"),
    // Addresses of 64 bits. A register of 64 bits without it is not an address.
    ("extended", "<72.1=<90:1=?>|.E>"),
    ("extended_far", "<72.1=<90.2:3=?>|.E>"),
    ("reduction_extended", "$extended_far"),
    // Memory order and scope: of loads, and of everything else.
    ("load_order", "<77.4=|.CONSTANT.PRIVATE|.CONSTANT.CTA|.CONSTANT.CTA.PRIVATE|.CONSTANT|.STRONG.SM|\
        .STRONG.GPU.PRIVATE|.STRONG.GPU|.MMIO.GPU|.CONSTANT.SM|.STRONG.SYS|.CONSTANT.SM.PRIVATE|.MMIO.SYS|\
        .CONSTANT.VC|.CONSTANT.VC.PRIVATE|.CONSTANT.GPU>"),
    ("order", "<77.4=|.CONSTANT.PRIVATE|.CONSTANT.CTA|.CONSTANT.CTA.PRIVATE|.STRONG.SM.PRIVATE|.STRONG.SM|\
        .STRONG.GPU.PRIVATE|.STRONG.GPU|.MMIO.GPU|.CONSTANT.SM|.STRONG.SYS|.CONSTANT.SM.PRIVATE|.MMIO.SYS|\
        .CONSTANT.VC|.CONSTANT.VC.PRIVATE|.CONSTANT.GPU>"),
    // Stores to global memory, which may be ordered since sm_100.
    ("store_order", "<77.4=|.CONSTANT.PRIVATE|.CONSTANT.CTA|.CONSTANT.CTA.PRIVATE|.STRONG.SM.PRIVATE|.STRONG.SM|\
        .STRONG.GPU.PRIVATE|.STRONG.GPU|.MMIO.GPU|.CONSTANT.SM|.STRONG.SYS|.CONSTANT.SM.PRIVATE|.MMIO.SYS|\
        .SYS.ORDERED|.STRONG.SYS.ORDERED|.MMIO.SYS.ORDERED>"),
    ("copy_order", "<77.4=|.CONSTANT.PRIVATE|.CONSTANT.CTA|.CONSTANT.CTA.PRIVATE|.CONSTANT|.MMIO.CTA|\
        .GPU.PRIVATE|.MMIO.CTA.PRIVATE|.MMIO.SM|.CONSTANT.SM|.MMIO.VC|.CONSTANT.SM.PRIVATE|.MMIO.GPU|\
        .CONSTANT.VC|.CONSTANT.VC.PRIVATE|.CONSTANT.GPU>"),
    ("copy_kind", "<81.1=.BYPASS|>$evict<71.2=|.LTC64B|.LTC128B|.LTC256B>\
        <73.3=?|?|?|?||.64|.128|?>"),
    ("copy_shared", "[<16.8:255=<44.20:0={R16}><44.20!0={S44.20}>><16.8!255={R16}<44.20!0=+{S44.20}>>]"),
    ("copy_offset", "<32.12!0=+{S32.12}>"),
    ("copy_sum", "[<70.1={R24}.U32|{R24}.64><64.6!63=+{UR64}><64.6:63=<+=+{UR64}>>$copy_offset]"),
    // What a cache does with the line, and how much of it the second level gets.
    ("evict", "<84.3=.EF||.EL|.LU|.EU|.NA|?|?>"),
    ("prefetch", "<68.2=|.LTC64B|.LTC128B|.LTC256B>"),
    // The predicate of a load that reads nothing, counted from the last.
    ("unless", "<64.4!0=, {PI64 !67}>"),
    ("unless_high", "<87.4!0=, {PI87 !90}>"),
    // The distance from a base.
    ("offset", "<40.24!0=+{S40.24}>"),
    // An address in a register, which is left out where it is zero and there is a distance.
    ("near", "[<24.8:255=<40.24:0={R24}><40.24!0={U40.24}>><24.8!255={R24}$offset>]"),
    // The same where a distance alone has a sign.
    ("near_signed", "[<24.8:255=<40.24:0={R24}><40.24!0={S40.24}>><24.8!255={R24}$offset>]"),
    // The same with a distance of 32 bits.
    ("far", "[<24.8:255=<32.32:0={R24}><32.32!0={U32.32}>><24.8!255={R24}<32.32!0=+{S32.32}>>]"),
    // The same with a scaled register.
    ("scaled", "[<24.8:255=<40.24:0={R24}><40.24!0={U40.24}><+=$scale>><24.8!255={R24}$scale$offset>]"),
    ("scale", "<78.2=|.X4|.X8|.X16>"),
    // A register and a uniform one, which stands in different places.
    ("both_low", "[<24.8!255={R24}+>{UR32}$offset]"),
    ("both_high", "[<24.8!255={R24}+>{UR64}$offset]"),
    ("scaled_both_low", "[<78.2~24.8!1020={R24}$scale+>{UR32}$offset]"),
    ("scaled_both_high", "[<78.2~24.8!1020={R24}$scale+>{UR64}$offset]"),
    // State of the warp.
    ("state", "{B24.6}"),
    // Local memory, since sm_90 also by a descriptor.
    ("local_low", "<76.1=$both_low|desc[{UR32}][{R24}$offset]>"),
    ("local_high", "<76.1=$both_high|desc[{UR64}][{R24}$offset]>"),
    // A register that is not zero.
    ("register", "{R24}<24.8:255=?>"),
    // Global addresses: a descriptor and a register, or a register and a uniform one.
    ("sum_low", "[<90.1={R24}.U32|$register.64>+{UR32}$offset]"),
    ("sum_high", "[<90.1={R24}.U32|$register.64>+{UR64}$offset]"),
    ("global_low", "<76.1=$sum_low|<90.1=?|desc[{UR32}][{R24}.64$offset]>>"),
    ("global_high", "<76.1=$sum_high|<90.1=?|desc[{UR64}][{R24}.64$offset]>>"),
    // The same on chips whose nvdisasm prints the descriptor only if it holds more than the usual.
    ("hidden_low", "<76.1=$sum_low|<90.1=?|<101.1=<+=default[{UR32}]>|desc[{UR32}]>[{R24}.64$offset]>>"),
    ("hidden_high", "<76.1=$sum_high|<90.1=?|<101.1=<+=default[{UR64}]>|desc[{UR64}]>[{R24}.64$offset]>>"),
    // All of a cache: there is no address, and nothing to be read.
    ("whole_cache", "<24.8!255=?><113.3!7=?>"),
    // A predicate that an instruction for the whole warp asks besides its guard.
    ("when", "<87.4!7={P87 !90}, >"),
    ("when_alone", "<87.4!7= {P87 !90}>"),
    // Places in the code: before sm_90 and since.
    ("place", "{L34.48*4}"),
    ("far_place", "{L16.8~34.48*4}"),
    // What a barrier of a block does, and what it makes of the predicates.
    ("barrier", "<77.4=SYNC|ARV|RED.$vote|SCAN|?|?|?|?|SYNC.DEFER_BLOCKING|?|RED.$vote.DEFER_BLOCKING|?|?|?|?|?>"),
    ("threads", "<77.4:1,3=, {U42.12}><77.4:0,2,8,10=<42.12!0=, {U42.12}>>"),
    ("vote", "<74.2=POPC|AND|OR|?>"),
    // Of a tensor copy; and the cache policy of bulk copies.
    ("dimensions", "<79.3=1D|2D|3D|4D|5D|?|?|?>"),
    ("bulk", ".<73.1=G|S>.<74.1=G|S><75.1=|.MULTICAST><84.1=|.DST_G_BYTE_MASK><81.2=|.LTC64B|.LTC128B|.LTC256B>"),
    ("bulk_type", "<81.4=|.S32|.U64|.S64|.F16.RN|.F32.RN|.F32.FTZ.RN|.F64.RN|.BF16.RN|?|?|?|\
        .INVALID12|?|?|?>"),
    ("described", "<76.1=|, desc[{UR40}]>"),
    // What an atomic operation does.
    ("rmw", "<87.4=ADD|MIN|MAX|INC|DEC|AND|OR|XOR|EXCH|?|?|?|?|?|\
        INVALID14|?>"),
    ("global_rmw", "<87.4=ADD|MIN|MAX|INC|DEC|AND|OR|XOR|EXCH|SAFEADD|?|?|?|?|\
        INVALID14|?>"),
    ("reduction", "<87.3=ADD|MIN|MAX|INC|DEC|AND|OR|XOR>"),
    ("float_rmw", "<88.2=ADD|MIN|MAX|?>"),
    ("cas", "<87.2=CAS|CAST|?|CAST.SPIN>"),
    // And on what.
    ("word", "<73.3=|.S32|.64|.S64|.128|?|?|?>"),
    ("shared_word", "<73.3=|.S32|.64|?|.128|?|?|?>"),
    ("reduced_word", "<73.3=|.S32|.64|.S64|?|?|?|?>"),
    ("floats", "<73.4=.F16x2.RN|.F16x4.RN|.F16x8.RN|.BF16x2.RN|.BF16x4.RN|.BF16x8.RN|?|?|?|\
        .F32.FTZ.RN|.F32x2.FTZ.RN|.F32x4.FTZ.RN|.F32.RN|.F32x2.RN|.F32x4.RN|.F64.RN>"),
    ("multimem_word", "<87.4=ADD|MIN|MAX|?|?|AND|OR|XOR|?|?|?|?|?|\
        INVALID13|?|?><73.3=.32|.S32|.64|.S64|?|?|?|?>"),
    ("multimem_float", "<73.4=.F16x2.RN|.F16x4.RN|.F16x8.RN|.BF16x2.RN|.BF16x4.RN|.BF16x8.RN|\
        .INVALID6|?|?|?|?|?|.F32.RN|.F32x2.RN|.F32x4.RN|.F64.RN>"),
    ("multimem_small", "<73.4=?|.E5M2x4.RN|.E5M2x8.RN|.E5M2x16.RN|.E4M3x4.RN|.E4M3x8.RN|.E4M3x16.RN|?|?|?|?|?|?|?|?|?>"),
    ("multimem", "<82.1=[<81.1={R24}.U32|$register.64>+{UR64}$offset]|<81.1=?|desc[{UR64}][{R24}.64$offset]>>"),
    ("remote_size", "<73.3=?|?|?|?||.64|.128|?>"),
    ("remote_rmw", "<87.4=ADD|MIN|MAX|INC|DEC|AND|OR|XOR|?|?|?|?|?|?|\
        INVALID14|?>"),
    ("remote_word", "<73.3=|.S32|.64|?|?|?|?|?>"),
    // Addresses of atomic operations: bits 70 and 71 say what bits 90 and 76 say elsewhere.
    ("atomic_extended", "<72.1=<70:1=?>|.E>"),
    ("atomic_sum", "[<70.1={R24}.U32|$register.64>+{UR64}$offset]"),
    ("atomic_global", "<71.1=$atomic_sum|<70.1=?|desc[{UR64}][{R24}.64$offset]>>"),
    ("atomic_hidden", "<71.1=$atomic_sum|<70.1=?|<101.1=<+=default[{UR64}]>|desc[{UR64}]>[$register.64$offset]>>"),
    ("reduction_global", "<71.1=$sum_high|<90.1=?|desc[{UR64}][{R24}.64$offset]>>"),
    ("reduction_hidden", "<71.1=$sum_high|<90.1=?|<101.1=<+=default[{UR64}]>|desc[{UR64}]>[{R24}.64$offset]>>"),
    // A constant with signs, by its bank or by a descriptor.
    ("constant", "<91.1={C40*4 -63 |62}|{CX40*4 -63 |62}>"),
    // The same without signs; and what parts of a register are.
    ("constant_bits", "<91.1={C40*4}|{CX40*4}>"),
    ("constant_halves", "<91.1=c[{U54.5}] [{S40.14*4}]|cx[{UR32}] [{U40.14*4}]>"),
    // Signs around what the register or constant has after it.
    ("negated", "<63.1=|-><62.1=|\\|>"),
    ("absolute", "<62.1=|\\|>"),
    ("pair", "{F48.16 f16}, {F32.16 f16}"),
    ("pair_brain", "{F48.16 bf16}, {F32.16 bf16}"),
    // Floating point.
    ("round", "<78.2=|.RM|.RP|.RZ>"),
    ("flush", "<80.1~76.1=|.FTZ|.FMZ|?>"),
    ("compare", "<76.4=.F|.LT|.EQ|.LE|.GT|.NE|.GE|.NUM|.NAN|.LTU|.EQU|.LEU|.GTU|.NEU|.GEU|.T>"),
    ("compare_double", "<76.4=.MIN|.LT|.EQ|.LE|.GT|.NE|.GE|.NUM|.NAN|.LTU|.EQU|.LEU|.GTU|.NEU|.GEU|.MAX>"),
    ("combine", "<74.2=.AND|.OR|.XOR|?>"),
    // Which half of a pair is taken for both.
    ("half_of_a", "<74.2=|?|.H0_H0|.H1_H1>"),
    ("half_of_b", "<60.2=|?|.H0_H0|.H1_H1>"),
    ("half_of_c", "<81.2=|?|.H0_H0|.H1_H1>"),
    ("half_of_factor", "<60.2~86.1=|.F32|.H0_H0|.H1_H1|.H0_NH1|?|?|?>"),
    ("half_of_factor_c", "<81.2~86.1=|.F32|.H0_H0|.H1_H1|.H0_NH1|?|?|?>"),
    ("single_a", "{R24 -72}$half_of_a"),
    ("pair_a", "{R24 r122 -72 |73}$half_of_a"),
    // Formats of pairs, and numbers in them.
    ("sum_format", "<85.1~78.1=|.BF16_V2|.F32|?>"),
    ("fused_format", "<85.1~78.1=|.BF16_V2|.F32|?>"),
    ("fused_flush", "<80.1~76.1=|.FTZ|.FMZ|.OOB>"),
    ("product_format", "<85.1~78.1=|.BF16_V2|.INVALID1|?>"),
    ("scaled_format", "<85.1~78.1=|.BF16_V2|.INVALID1|?>"),
    ("least_format", "<85.1~78.1=|.BF16_V2|.INVALID1|?>"),
    ("compared_format", "<64.2=|.INVALID1|.BF16_V2|?>"),
    ("pair_scaled", "<85.1=$pair|$pair_brain>"),
    ("pair_fused", "<85.1=$pair|$pair_brain>"),
    ("pair_summed", "<85.1~78.1=$pair|$pair_brain|{F32.16 f16}|?>"),
    ("pair_compared", "<64.2=$pair|?|$pair_brain|?>"),
    // Which of two numbers is the least or the greatest: what counts, and whether it is the first one.
    ("least", "<81.1=|.NAN><82.1=|.XORSIGN>"),
    ("is_first", "<65.1=|.IS_A>"),
    ("first_of_two_is", "<65:1={P66}, >"),
    ("first_of_pair", "<65:1={P66}, {P69}, >"),
    // Formats of special functions, and what they are taken of.
    ("function_format", "<72.2=|.F16|.BF16|?>"),
    ("whole", "<72.2!0=?>"),
    ("function_of_register", "<72.2={R32 -63 |62}|$half_register|$half_register|?>"),
    ("function_of_number", "<72.2=$function_of_single|{F32.16 f16}|{F32.16 bf16}|?>"),
    ("function_of_single", "<74.4:6,7={F32.32 f64}><74.4:0,1,2,3,4,5,8,9={F32.32 f32}>"),
    ("function_of_constant", "<72.2=$constant|$half_constant|$half_constant|?>"),
    ("function_of_uniform", "<72.2={UR32 -63 |62}|$half_uniform|$half_uniform|?>"),
    // Predicates as bits.
    ("predicates", "{U32.32}"),
    // What a comparison of the lower halves was.
    ("lower_half", "<72:1=, {P68 !71}>"),
    // What is larger than the format, or below zero.
    ("saturated", "<74.2=|.SAT|.SATRELU|?>"),
    ("fused_limit", "<77.1~79.1=|.SAT|.RELU|?>"),
    ("limited_if", "<79:1=<87.4!7=, {P87 !90}>>"),
    // The uniform predicate of matrix instructions that says whether to add, counted from the last.
    ("add_if", "<87.4!0=, {UPI87 !90}>"),
    // The same from sm_100 on, where bit 63 says that the register has 64 bits, and the distance is shorter.
    ("short_offset", "<40.23!0=+{S40.23}>"),
    ("wide_extended", "<72.1=<63:1=?>|.E>"),
    ("wide_sum", "[<63.1={R24}.U32|$register.64>+{UR64}$short_offset]"),
    ("wide_described", "<63.1=?|desc[{UR64}][{R24}.64$short_offset]>"),
    // And on chips before sm_90, where the types of numbers are in one list.
    ("old_word", "<73.3=|.S32|.64|.F32.FTZ.RN|.F16x2.RN|.S64|.F64.RN|?>"),
    ("old_shared_word", "<73.2=|.S32|.64|?>"),
    ("old_cas_word", "<73.3=|.S32|.64|?|?|?|?|?>"),
    // Sizes, orders and scopes of sm_75.
    ("turing_size", "<73.3=.U8|.S8|.U16|.S16||.64|.128|.U.128>"),
    ("turing_load_order", "<79.2=.CONSTANT||.STRONG|.MMIO>$turing_scope"),
    ("turing_store_order", "<79.2=?||.STRONG|.MMIO>$turing_scope"),
    ("turing_order", "<79.2=?||.STRONG|?>$turing_scope"),
    ("turing_scope", "<77.2=.CTA|.SM|.GPU|.SYS><76.1=|.PRIVATE>"),
    // Integers compared; and what becomes of digits after the point.
    ("compare_int", "<76.3=.F|.LT|.EQ|.LE|.GT|.NE|.GE|.T>"),
    ("to_integer", "<78.2=|.FLOOR|.CEIL|.TRUNC>"),
    // Which byte or half of a register is converted.
    ("byte", "<60.2=|.B1|.B2|.B3>"),
    ("word_of_two", "<60.2=|.H1|?|?>"),
    ("part_converted", "<84.2:0=$byte><84.2:1=$word_of_two>"),
    // A floating-point number that is converted, by its size.
    ("converted_register", "<84.3=?|$half_register|{R32 -63 |62}|{R32 -63 |62}|$half_register|?|?|?>"),
    ("converted_number", "<84.3=?|{F32.16 f16}|{F32.32 f32}|{F32.32 f64}|{F32.16 bf16}|?|?|?>"),
    ("converted_constant", "<84.3=?|$half_constant|$constant|$constant|$half_constant|?|?|?>"),
    ("converted_uniform", "<84.3=?|$half_uniform|{UR32 -63 |62}|{UR32 -63 |62}|$half_uniform|?|?|?>"),
    ("half_register", "$negated{R32}$word_of_two$absolute"),
    ("half_constant", "$negated$constant_halves$word_of_two$absolute"),
    ("half_uniform", "$negated{UR32}$word_of_two$absolute"),
    // Formats that are converted from and to; the same ones; two that are not the same.
    ("from_narrow", "<84.3=?|.F16||?|.BF16|?|?|?>"),
    ("from_wide", "<84.3=?|.F16||.F64|.BF16|?|?|?>"),
    ("from_double", "<84.3!3=?>"),
    ("float_narrow", "<75.3=?|.F16||?|.BF16|?|?|?>"),
    ("float_wide", "<75.3=?|.F16<84.2!3=?>|<84.2!3=?>|.F64|.BF16<84.2!3=?>|?|?|?>"),
    ("same_format", "<75.3=?|<84.3=?|.F16|?|?|?|?|?|?>|<84.3=?|?||?|?|?|?|?>|?|<84.3=?|?|?|?|.BF16|?|?|?>|?|?|?>"),
    ("same_double", "<75.3=?|?|?|.F64$from_double|?|?|?|?>"),
    ("two_formats", "<75.3=?|.F16<84.3=?|?|.F32|?|.BF16|?|?|?>|.F32<84.3=?|.F16|?|?|.BF16|?|?|?>|?|.BF16<84.3=?|.F16|.F32|?|?|?|?|?>|?|?|?>"),
    ("two_formats_wide", "<75.3=?|.F16<84.3!3=?>.F64|.F32<84.3!3=?>.F64|.F64<84.3=?|.F16|.F32|?|.BF16|?|?|?>|.BF16<84.3!3=?>.F64|?|?|?>"),
    // The source of a conversion to packed numbers, and how they are rounded.
    ("from_single", "<73.2=.F32|?|?|?>"),
    ("first_of_two", "<72.2=|.H1|?|?>"),
    ("small_random", "<79.3:4=?>"),
    ("packed_random", "<79.3=|?|?|.RZ|?|?|?|?>"),
    ("from_one", "<73.2~82.1!0=?>.F32"),
    ("from_small", "<73.2~82.1=?|?|.E5M2|.E4M3|?|.E2M1|.E2M3|.E3M2>"),
    ("halves_packed", "<85.3~76.1=.F16|?|?|?|?|?|?|?|.BF16|?|?|?|?|?|?|?>"),
    ("small_packed", "<85.3~76.1=?|?|?|.E2M3|.E5M2|?|?|?|?|.E2M1|?|.E3M2|.E4M3|?|?|?>"),
    ("small_or_scale", "<85.3~76.1=?|?|?|.E2M3|.E5M2|?|.E8|?|?|?|?|.E3M2|.E4M3|?|?|?>"),
    ("smallest_packed", "<85.3~76.1=?|?|?|.E2M3|.E5M2|?|.E8|?|?|.E2M1<77:0=?>|?|.E3M2|.E4M3|.S2_6<78.1=?|>|?|?>"),
    ("or_zero", "<79.2=|?|?|.RZ>"),
    ("nearest", "<79.2=|?|?|?>"),
    // Carries out of a sum. What is not wanted is left out, and so it is not clear which one is there.
    ("carries", "<81.3!7={P81}, ><84.3!7=<81.3:7=<+={P81}, >>{P84}, >"),
    ("uniform_carries", "<81.3!7={UP81}, ><84.3!7=<81.3:7=<+={UP81}, >>{UP84}, >"),
    // How many columns a warpgroup's product has: in steps of 8, and as integers and bits have them.
    ("columns", "<53.5=x8|x16|x24|x32|x40|x48|x56|x64|x72|x80|x88|x96|x104|x112|x120|x128|x136|x144|x152|x160|x168|x176|x184|x192|x200|\
        x208|x216|x224|x232|x240|x248|x256>"),
    ("columns_integer", "<53.6=x8|?|?|x16|?|?|x24|?|?|x32|?|?|x48|?|?|x64|?|?|x80|?|?|x96|?|?|x112|?|?|x128|?|?|x144|?|?|x160|?|?|x176|?|?|\
        x192|?|?|x208|?|?|x224|?|?|x240|?|?|x256|?|?|?|?|?|?|?|?|?|?|?|?>"),
    ("columns_integer_sparse", "<53.6=?|x8|?|?|x16|?|?|x24|?|?|x32|?|?|x48|?|?|x64|?|?|x80|?|?|x96|?|?|x112|?|?|x128|?|?|x144|?|?|x160|?|?|x176|?|?|\
        x192|?|?|x208|?|?|x224|?|?|x240|?|?|x256|?|?|?|?|?|?|?|?|?|?|?>"),
    ("columns_bits", "<53.5=x8|x16|x24|x32|x48|x64|x80|x96|x112|x128|x144|x160|x176|x192|x208|x224|x240|x256|?|?|?|?|?|?|?|?|?|?|?|?|?|?>"),
    ("group", "<84.3=, gsb0|?|?|?|?|?|?|>"),
    ("described_a", "gdesc[{UR24}]<72.1=|.negA><63.1=|.negB><61.1=|.tnspA><62.1=|.tnspB>"),
    // Which operands of matrices and of double precision can stay in the operand cache.
    ("matrix_first", "{R24}"),
    ("matrix_a", "{R24 -72}"),
    ("sparse_reuse", ""),
    ("double_a", "{R24 -72 |73}"),
    ("double_register_b", "{R32 -63 |62}"),
    ("double_far_b", "{R64 -75 |74}"),
    ("double_register_c", "{R64 -75 |74}"),
    ("double_last_b", "{R32 -63 |62}"),
    // Matrices of integers.
    ("integer_shape", "<75.1~85.2=?|?|?|?|.16816|.16832|?|?>"),
    ("integer_shape_sparse", "<75.1~85.2=?|?|.8832|?|?|.16832|.16864|?>"),
    ("integer_a", "<76.2~83.1=.U8|.S8|?|?|?|?|?|?>"),
    ("integer_b", "<78.2~84.1=.U8|.S8|?|?|?|?|?|?>"),
    ("row_column", "$matrix_first.<73.1=ROW|?>, {R32 r123}.<74.1=?|COL>"),
    // Textures and surfaces.
    ("texture_shape", "<61.3=1D|2D|3D|CUBE|ARRAY_1D|ARRAY_2D|?|ARRAY_CUBE>"),
    ("texel_shape", "<61.3=1D|2D|3D|?|ARRAY_1D|ARRAY_2D|?|?>"),
    ("gather_shape", "<61.3=?|2D|?|CUBE|?|ARRAY_2D|?|ARRAY_CUBE>"),
    ("derived_shape", "<61.3=1D|2D|?|?|ARRAY_1D|ARRAY_2D|?|?>"),
    ("surface_shape", "<61.3=.1D|.1D_BUFFER|.1D_ARRAY|.2D|.2D_ARRAY|.3D|?|?>"),
    ("uniform_offset", "<56.2=|.AOFFI|.UAOFFI|?><58.1=|.UAI>"),
    ("texel", "<79.2=|.F16.RN|.F16.RZ|?>"),
    ("texture_mask", "<72.4!15=, {U72.4}>"),
    ("outside", "<59.2=.IGN||.TRAP|?>"),
    ("surface_order", "$order"),
    ("surface_load_order", "$load_order"),
    ("valid", "<81.3!7={P81}, >"),
    ("texture", "{UR40}"),
    ("uniform_texture", "{UR40}<40.6:63=?>, {U46.8}"),
    ("two_textures", "{UR40}<48.8!255=, {UR48}>"),
    ("surface", "{UR40}"),
    // What else a texture takes; by a descriptor it must be there.
    ("taken", "<59.1=<32.8!255={R32}, >|{R32}<32.8:255=?>, >"),
    // A uniform register that a vote leaves out.
    ("voted", "<16.8!255={UR16}, >"),
    // A special register. Where one has no name, or another, it is not known here.
    ("special", "<72.8:134,135=?>{SR72.8}"),
    // Integers of 32 bits, and from sm_120 on of 64.
    ("compared", "<80.1=<73.1=.U32|>|<73.1=.U64|.S64>>"),
    // Reuse flags that nvdisasm does not print.
    ("unseen_reuse", "<+=<122.4!0=, reuse {U122.4}>><123.2:3=?><105.5:0=<122.4!0=?>>"),
    ("reduction_order", "$order"),
    // Tensor memory.
    ("tensor_offset", "<40.24~72.8!0=+{S40.24~72.8}>"),
    ("tensor_alone", "<40.24~72.8:0=URZ><40.24~72.8!0={S40.24~72.8}>"),
    ("tensor_first", "tmem[<24.8:255=$tensor_alone><24.8!255={UR24}$tensor_offset>]"),
    ("tensor_low", "tmem[<32.8:255=$tensor_alone><32.8!255={UR32}$tensor_offset>]"),
    ("tensor_high", "tmem[<64.8:255=$tensor_alone><64.8!255={UR64}$tensor_offset>]"),
    ("tensor_shape", "<81.2~87.1=.16dp128bit|.16dp256bit||.16dp64bit|.16dp32bit_t0_t15|.16dp32bit_t16_t31|?|?><83.3=|.x2|.x4|.x8|.x16|.x32|.x64|.x128>"),
    ("tensor_product", "gdesc[{UR32}]<85.1=<82.1=|.B_REUSE><81.1=|.B_KEEP><79.2=|.BUFFER1|.BUFFER2|.BUFFER3>|>, tmem[{UR64}], tmem[{UR40}], $tensor_descriptor, \
        <48.8!255={UR48}, >{UP87 !90}<72.2:0=<75.4!0=, {U75.4}>>"),
    ("tensor_descriptor", "idesc[<40.8:254,255=URZ><40.8!254=<40.8!255={UN40}>>]"),
    ("tensor_scaled", "gdesc[{UR32}], tmem[{UR64}], tmem[{UR40}], $tensor_descriptor, tmem[{UR48}], {UP87 !90}"),
    ("tensor_reuse", "<86.1=|.A_REUSE><84.1=|.A_KEEP>"),
    // Pairs of single precision.
    ("two_a", "{R24 r122 -72 |73}<81.2=.F32x2.HI_LO|.F32x2.LO_HI|.F32|?><83.1=|.NP>"),
    ("two_b", "{R32 r123 -63 |62}<87.2=.F32x2.HI_LO|.F32x2.LO_HI|.F32|?>"),
];

/// Parts that are different on older chips: the last one, name and text.
#[rustfmt::skip]
static OLDER: &[(u16, &str, &str)] = &[
    (89, "half_of_a", "<74.2=|.F32|.H0_H0|.H1_H1>"),
    (89, "half_of_b", "<60.2=|.F32|.H0_H0|.H1_H1>"),
    (89, "half_of_c", "<81.2=|.F32|.H0_H0|.H1_H1>"),
    (85, "half_of_factor", "$half_of_b"),
    (85, "half_of_factor_c", "$half_of_c"),
    (89, "sum_format", "<78.1=|.F32>"),
    (79, "fused_format", "<78.1=|.F32>"),
    (89, "fused_flush", "$flush"),
    (89, "product_format", ""),
    (89, "scaled_format", "<78.1=|.F32>"),
    (89, "least_format", "<85.1~78.1=|.BF16_V2|.F32|?>"),
    (89, "compared_format", ""),
    (89, "pair_scaled", "$pair"),
    (79, "pair_fused", "$pair"),
    (85, "pair_summed", "$pair"),
    (89, "pair_summed", "<78.1=$pair|{F32.16 f16}>"),
    (89, "pair_compared", "$pair"),
    (79, "least", ""),
    (85, "least", "<81.1=|.NAN>"),
    (89, "is_first", ""),
    (89, "first_of_two_is", ""),
    (89, "first_of_pair", ""),
    (89, "function_format", "<73.1=|.F16>"),
    (89, "whole", "<73.1!0=?>"),
    (89, "function_of_register", "<73.1={R32 -63 |62}|$half_register>"),
    (89, "function_of_number", "<73.1=$function_of_single|{F32.16 f16}>"),
    (89, "function_of_constant", "<73.1=$constant|$half_constant>"),
    (89, "function_of_uniform", "<73.1={UR32 -63 |62}|$half_uniform>"),
    (89, "predicates", "{S32.32}"),
    (79, "lower_half", "<68.4!7=, {P68 !71}>"),
    (85, "saturated", ".SAT"),
    (89, "saturated", "<74.2=.SAT||.SATRELU|?>"),
    (79, "fused_limit", "<77.1=|.SAT>"),
    (79, "limited_if", ""),
    (89, "from_narrow", "<84.2=?|.F16||?>"),
    (89, "from_wide", "<84.2=?|.F16||.F64>"),
    (89, "from_double", "<84.2!3=?>"),
    (89, "float_narrow", "<75.2=?|.F16||?>"),
    (89, "float_wide", "<75.2=?|.F16<84.2!3=?>|<84.2!3=?>|.F64>"),
    (89, "same_format", "<75.2=?|<84.2=?|.F16|?|?>|<84.2=?|?||?>|?>"),
    (89, "same_double", "<75.2=?|?|?|.F64$from_double>"),
    (79, "two_formats", "<75.3=?|.F16<84.2=?|?|.F32|?>|.F32<84.2=?|.F16|?|?>|?|?|?|?|?>"),
    (89, "two_formats", "<75.3=?|.F16<84.2=?|?|.F32|?>|.F32<84.2=?|.F16|?|?>|?|.BF16<84.2=?|?|.F32|?>|?|?|?>"),
    (89, "two_formats_wide", "<75.3=?|.F16<84.2!3=?>.F64|.F32<84.2!3=?>.F64|.F64<84.2=?|.F16|.F32|?>|?|?|?|?>"),
    (89, "converted_register", "<84.2=?|$half_register|{R32 -63 |62}|{R32 -63 |62}>"),
    (89, "converted_number", "<84.2=?|{F32.16 f16}|{F32.32 f32}|{F32.32 f64}>"),
    (89, "converted_constant", "<84.2=?|$half_constant|$constant|$constant>"),
    (89, "converted_uniform", "<84.2=?|$half_uniform|{UR32 -63 |62}|{UR32 -63 |62}>"),
    (79, "surface_order", "$turing_store_order"),
    (79, "surface_load_order", "$turing_store_order"),
    (79, "reduction_order", "$turing_order"),
    (79, "prefetch", "<68.2=|.LTC64B|.LTC128B|?>"),
    (79, "extended", "<72.1=<90:1=<24.8!255=?>>|.E>"),
    (79, "extended_far", "<72.1=<90.2:3=<24.8!255=?>>|.E>"),
    (79, "reduction_extended", "<72.1=<90.2:3=<24.8!255=?>>|.E>"),
    (79, "atomic_extended", "<72.1=<70:1=<24.8!255=?>>|.E>"),
    (89, "extended", "<72.1=<90:1=<76.1=<24.8!255=?>|?>>|.E>"),
    (89, "extended_far", "<72.1=<90.2:3=<76.1=<24.8!255=?>|?>>|.E>"),
    (89, "reduction_extended", "<72.1=<90.2:3=<71.1=<24.8!255=?>|?>>|.E>"),
    (89, "atomic_extended", "<72.1=<70:1=<71.1=<24.8!255=?>|?>>|.E>"),
    (89, "state", "{B24.6}<24.6:32=?>"),
    (79, "local_low", "$both_low"),
    (79, "local_high", "$both_high"),
    (89, "local_low", "<76.1=$both_low|<101.1=<+=default[{UR32}]>|desc[{UR32}]>[{R24}$offset]>"),
    (89, "local_high", "<76.1=$both_high|<101.1=<+=default[{UR64}]>|desc[{UR64}]>[{R24}$offset]>"),
    (89, "sum_low", "[<24.8!255={R24}<90.1=.U32|.64>+>{UR32}$offset]"),
    (89, "sum_high", "[<24.8!255={R24}<90.1=.U32|.64>+>{UR64}$offset]"),
    (89, "atomic_sum", "[<24.8!255={R24}<70.1=.U32|.64>+>{UR64}$offset]"),
    (99, "bulk", ".<73.1=G|S>.<74.1=G|S><75.1=|.MULTICAST><81.2=|.LTC64B|.LTC128B|.LTC256B>"),
    (99, "store_order", "$order"),
    (85, "add_if", ""),
    (85, "single_a", "$pair_a"),
    (89, "integer_shape", "<75.1~85.2=.8816|?|.8832|?|.16816|.16832|.16864|?>"),
    (99, "integer_shape", "<75.1~85.2=.8816|?|?|?|.16816|.16832|?|?>"),
    (89, "integer_shape_sparse", "<75.1~85.2=?|?|.8832|.8864|?|.16832|.16864|.168128>"),
    (89, "integer_a", "<76.2~83.1=.U8|.S8|?|?|.U4|.S4|?|?>"),
    (89, "integer_b", "<78.2~84.1=.U8|.S8|?|?|.U4|.S4|?|?>"),
    (89, "surface", "{U54.5}, {U40.14}"),
    (89, "texture", "{U54.5}, {U40.14}"),
    (99, "surface", "{UR40}, {U46.8}"),
    (99, "texture", "$uniform_texture"),
    (99, "voted", "<16.6!63={UR16}, >"),
    (79, "special", "<72.8:24,65,134,135,136,137,138,139,141,142,143=?>{SR72.8}"),
    (89, "special", "<72.8:65,134,135,136,137,138,139,141,142,143=?>{SR72.8}"),
    (99, "special", "<72.8:138,141,142,143=?>{SR72.8}"),
    (119, "matrix_first", "{R24 r122}"),
    (119, "matrix_a", "{R24 r122 -72}"),
    (119, "sparse_reuse", "<50.1=|.reuse>"),
    (119, "double_a", "{R24 r122 -72 |73}"),
    (119, "double_register_b", "{R32 r123 -63 |62}"),
    (119, "double_far_b", "{R64 r123 -75 |74}"),
    (119, "double_register_c", "{R64 r124 -75 |74}"),
    (119, "double_last_b", "{R32 r124 -63 |62}"),
    (109, "small_random", "$small_packed"),
    (109, "packed_random", "<79.3=|?|?|.RZ|.RS|?|?|?>"),
    (119, "special", "<72.8:134,135,142,143=?>{SR72.8}"),
];

/// How many places the index has: a power of two, several times as many as there are parts.
const PLACES: usize = 2048;

/// For each hash of a name the number of a part, and one; zero for none. Others with the same hash are in the next places.
static INDEX: [u16; PLACES] = {
    let mut index = [0; PLACES];
    let mut row = 0;
    while row < PARTS.len() {
        let mut place = hash(PARTS[row].0);
        while index[place] != 0 {
            place = (place + 1) % PLACES;
        }
        row += 1;
        index[place] = row as u16;
    }
    index
};

const fn hash(name: &str) -> usize {
    let name = name.as_bytes();
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 15) as usize % PLACES
}

/// The text of a part on a chip.
pub(crate) fn part(name: &str, chip: u16) -> Option<&'static str> {
    let older = OLDER.iter().find(|row| chip <= row.0 && row.1 == name);
    if let Some(row) = older {
        return Some(row.2);
    }
    let mut place = hash(name);
    while let Some(row) = usize::from(INDEX[place]).checked_sub(1) {
        if PARTS[row].0 == name {
            return Some(PARTS[row].1);
        }
        place = (place + 1) % PLACES;
    }
    None
}
