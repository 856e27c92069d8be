//! Operands that depend on the form of an instruction, by name: `$float_b` in a template stands for a register, an
//! immediate, a constant or a uniform register, as the third digit of the opcode says; see
//! [`Row::forms`](crate::form::Row::forms).
//!
//! An odd digit means the same as the even one below it, but for registers: those instructions keep none of them in
//! the operand cache. What is not a register takes the place of the second source, and the second source then that of the third where
//! it is the third that is no register. Signs and selections go with the place.

/// Name, digits and text of each operand.
#[rustfmt::skip]
static OPERANDS: &[(&str, &str, &str)] = &[
    // The second of three sources, or of two whose last can be a register only.
    ("float_b", "2", "{R32 r123 -63 |62}"),
    ("float_b", "3", "{R32 -63 |62}"),
    ("float_b", "46e", "{R64 r123 -75 |74}"),
    ("float_b", "8", "{F32.32 f32}"),
    ("float_b", "a", "$constant"),
    ("float_b", "c", "{UR32 -63 |62}"),
    // The third of three sources.
    ("float_c", "28ac", "{R64 r124 -75 |74}"),
    ("float_c", "4", "{F32.32 f32}"),
    ("float_c", "6", "$constant"),
    ("float_c", "e", "{UR32 -63 |62}"),
    // The last of two sources where a third is missing before it.
    ("float_last", "2", "{R32 r124 -63 |62}"),
    ("float_last", "4", "{F32.32 f32}"),
    ("float_last", "6", "$constant"),
    ("float_last", "e", "{UR32 -63 |62}"),
    ("double_b", "2", "{R32 r123 -63 |62}"),
    ("double_b", "46e", "{R64 r123 -75 |74}"),
    ("double_b", "8", "{F32.32 f64}"),
    ("double_b", "a", "$constant"),
    ("double_b", "c", "{UR32 -63 |62}"),
    ("double_c", "28ac", "{R64 r124 -75 |74}"),
    ("double_c", "4", "{F32.32 f64}"),
    ("double_c", "6", "$constant"),
    ("double_c", "e", "{UR32 -63 |62}"),
    ("double_last", "2", "{R32 r124 -63 |62}"),
    ("double_last", "4", "{F32.32 f64}"),
    ("double_last", "6", "$constant"),
    ("double_last", "e", "{UR32 -63 |62}"),
    // Pairs of halves; their format is in bits that differ.
    ("half_b", "2", "{R32 r123 -63 |62}$half_of_b"),
    ("half_product", "2", "{R32 r123 -63 |62}$half_of_factor"),
    ("half_product", "46e", "{R64 r123 -84 |83}$half_of_factor_c"),
    ("half_product", "8", "$pair_fused"),
    ("half_product", "a", "$negated$constant_halves$half_of_factor$absolute"),
    ("half_product", "c", "$negated{UR32}$half_of_factor$absolute"),
    ("half_b", "46e", "{R64 r123 -84 |83}$half_of_c"),
    ("half_b", "8", "$pair_scaled"),
    ("half_of_least", "2ac", "$half_b"),
    ("half_of_least", "8", "<85.1=$pair|$pair_brain>"),
    ("half_b", "a", "$negated$constant_halves$half_of_b$absolute"),
    ("half_b", "c", "$negated{UR32}$half_of_b$absolute"),
    ("half_c", "28ac", "{R64 r124 -84 |83}$half_of_c"),
    ("half_c", "4", "$pair_fused"),
    ("half_c", "6", "$negated$constant_halves$half_of_b$absolute"),
    ("half_c", "e", "$negated{UR32}$half_of_b$absolute"),
    ("half_last", "2", "{R32 r124 -63 |62}$half_of_b"),
    ("half_last", "4", "$pair_scaled"),
    ("half_last", "6", "$negated$constant_halves$half_of_b$absolute"),
    ("half_last", "e", "$negated{UR32}$half_of_b$absolute"),
    // The same, or a single one of the lower half where the sum is of single precision.
    ("half_sum", "26e", "$half_last"),
    ("half_sum", "4", "$pair_summed"),
    // Pairs that are compared.
    ("half_compared", "2", "{R32 r124 -63 |62}$half_of_b"),
    ("half_compared", "4", "$pair_compared"),
    ("half_compared", "6", "$negated$constant_halves$half_of_b$absolute"),
    ("half_compared", "e", "$negated{UR32}$half_of_b$absolute"),
    // Pairs that are used whole.
    ("pair_b", "2", "{R32 r123 -63 |62}"),
    ("pair_b", "46e", "{R64 r123 -84 |83}"),
    ("pair_b", "8", "$pair_scaled"),
    ("pair_b", "a", "$constant"),
    ("pair_b", "c", "{UR32 -63 |62}"),
    ("pair_c", "28ac", "{R64 r124 -84 |83}"),
    ("pair_c", "4", "$pair_scaled"),
    ("pair_c", "6", "$constant"),
    ("pair_c", "e", "{UR32 -63 |62}"),
    // Integers: the second source without a sign, and with one that is `~` where there is a carry.
    ("int_b", "2", "{R32 r123}"),
    ("int_b", "46e", "{R64 r123}"),
    ("int_b", "8", "{S32.32}"),
    ("int_b", "a", "$constant_bits"),
    ("int_b", "c", "{UR32}"),
    ("bits_b", "2", "{R32 r123}"),
    ("bits_b", "3", "{R32}"),
    ("bits_b", "46e", "{R64 r123}"),
    ("bits_b", "8", "{U32.32}"),
    ("bits_b", "a", "$constant_bits"),
    ("bits_b", "c", "{UR32}"),
    ("bits_c", "28ac", "{R64 r124}"),
    ("bits_c", "4", "{U32.32}"),
    ("bits_c", "6", "$constant_bits"),
    ("bits_c", "e", "{UR32}"),
    ("sum_b", "2", "<74.1={R32 r123 -63}|{R32 r123 ~63}>"),
    ("sum_b", "46e", "<74.1={R64 r123 -75}|{R64 r123 ~75}>"),
    ("sum_b", "8", "{S32.32}"),
    ("sum_b", "a", "<74.1=<91.1={C40*4 -63}|{CX40*4 -63}>|<91.1={C40*4 ~63}|{CX40*4 ~63}>>"),
    ("sum_b", "c", "<74.1={UR32 -63}|{UR32 ~63}>"),
    ("sum_c", "28ac", "<74.1={R64 r124 -75}|{R64 r124 ~75}>"),
    ("sum_c", "4", "{S32.32}"),
    ("sum_c", "6", "<74.1=<91.1={C40*4 -63}|{CX40*4 -63}>|<91.1={C40*4 ~63}|{CX40*4 ~63}>>"),
    ("sum_c", "e", "<74.1={UR32 -63}|{UR32 ~63}>"),
    // A base that is printed as bits.
    ("base_b", "2ac", "$sum_b"),
    ("base_b", "8", "{U32.32}"),
    // One that may be negated without a carry.
    ("signed_b", "2", "{R32 r123 -63}"),
    ("signed_b", "46e", "{R64 r123 -75}"),
    ("signed_b", "8", "{U32.32}"),
    ("signed_b", "a", "<91.1={C40*4 -63}|{CX40*4 -63}>"),
    ("signed_b", "c", "{UR32 -63}"),
    ("signed_c", "28ac", "{R64 r124 -75}"),
    ("signed_c", "4", "{S32.32}"),
    ("signed_c", "6", "<91.1={C40*4 -63}|{CX40*4 -63}>"),
    ("signed_c", "e", "{UR32 -63}"),
    // Bits that may be inverted.
    ("inverted", "2", "{R32 ~63}"),
    ("inverted", "8", "{U32.32}"),
    ("inverted", "a", "<91.1={C40*4 ~63}|{CX40*4 ~63}>"),
    ("inverted", "c", "{UR32 ~63}"),
    // What a product is called where an operand makes it something simpler.
    ("simpler", "2", "<74:0=<24.8:255=.MOV><24.8!255=<32.8:255=.MOV>>>"),
    ("simpler", "4", "<74:0=<24.8:255=.MOV><24.8!255=<64.8:255=.MOV>>>"),
    ("simpler", "6", "<91:0=<74:0=<24.8:255=.MOV><24.8!255=<64.8:255=.MOV>>>>"),
    ("simpler", "ce", ""),
    ("simpler", "8", "<74:0=<24.8:255=.MOV><24.8!255=<32.32:0=.MOV><32.32:1=<64.8:255=.MOV><64.8!255=.IADD>><64.8:255=<32.32:2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,131072,262144,524288,1048576,2097152,4194304,8388608,16777216,33554432,67108864,134217728,268435456,536870912,1073741824=.SHL>>>>"),
    ("simpler", "a", "<91:0=<74:0=<24.8:255=.MOV>>>"),
    // The same among uniform registers.
    ("uniform_b", "2c", "{UR32}"),
    ("uniform_b", "46e", "{UR64}"),
    ("uniform_b", "8", "{S32.32}"),
    ("uniform_bits_b", "2c", "{UR32}"),
    ("uniform_bits_b", "46e", "{UR64}"),
    ("uniform_bits_b", "8", "{U32.32}"),
    ("uniform_bits_c", "28ac", "{UR64}"),
    ("uniform_bits_c", "4", "{U32.32}"),
    ("uniform_sum_b", "2", "<74.1={UR32 -63}|{UR32 ~63}>"),
    ("uniform_sum_b", "46e", "<74.1={UR64 -75}|{UR64 ~75}>"),
    ("uniform_sum_b", "8", "{S32.32}"),
    ("uniform_sum_c", "28ac", "<74.1={UR64 -75}|{UR64 ~75}>"),
    ("uniform_sum_c", "4", "{S32.32}"),
    ("uniform_base_b", "2", "$uniform_sum_b"),
    ("uniform_base_b", "8", "{U32.32}"),
    ("uniform_inverted", "2", "{UR32 ~63}"),
    ("uniform_inverted", "8", "{U32.32}"),
    // What a special function is taken of.
    ("function_of", "3", "$function_of_register"),
    ("function_of", "9", "$function_of_number"),
    ("function_of", "b", "$function_of_constant"),
    ("function_of", "d", "$function_of_uniform"),
    // A number that is converted, and two that are packed.
    ("converted", "3", "$converted_register"),
    ("converted", "9", "$converted_number"),
    ("converted", "b", "$converted_constant"),
    ("converted", "d", "$converted_uniform"),
    ("converted_bits", "3", "{R32}$part_converted"),
    ("converted_bits", "9", "<84.2:0,1=?><74.1={U32.32}|{S32.32}>"),
    ("converted_bits", "b", "<84.2=$constant_halves$byte|$constant_halves$word_of_two|$constant_bits|$constant_bits>"),
    ("converted_bits", "d", "{UR32}$part_converted"),
    // Integers that have a sign.
    ("signed_only", "2ac", "$bits_b"),
    ("signed_only", "8", "{S32.32}"),
    ("signed_or_not", "2ac", "$bits_b"),
    ("signed_or_not", "8", "<74.1={U32.32}|{S32.32}>"),
    ("packed", "2ace", "$bits_b"),
    ("rounded_b", "2", "{R32 r123}"),
    ("rounded_b", "8", "{F32.32 f32}"),
    ("rounded_b", "a", "$constant_bits"),
    ("rounded_b", "c", "{UR32}"),
    ("packed", "8", "{F32.32 f32}"),
    ("uniform_float_b", "2", "{UR32 -63 |62}"),
    ("uniform_float_b", "4", "{UR64 -75 |74}"),
    ("uniform_float_b", "8", "{F32.32 f32}"),
    ("uniform_float_c", "28", "{UR64 -75 |74}"),
    ("uniform_float_c", "4", "{F32.32 f32}"),
    ("uniform_float_last", "2", "{UR64 -75 |74}"),
    ("uniform_float_last", "4", "{F32.32 f32}"),
];

/// The text of an operand for a form.
pub(crate) fn part(name: &str, digit: u8) -> Option<&'static str> {
    let find = |digit: u8| {
        let digit = char::from_digit(digit.into(), 16)?;
        OPERANDS
            .iter()
            .find(|row| row.0 == name && row.1.contains(digit))
    };
    find(digit).or_else(|| find(digit & !1)).map(|row| row.2)
}
