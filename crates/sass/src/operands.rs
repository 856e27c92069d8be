//! Operands that depend on the form of an instruction, by name: `$float_b` in a template stands for a register, an
//! immediate, a constant or a uniform register, as the third digit of the opcode says; see
//! [`Row::forms`](crate::form::Row::forms).
//!
//! What is not a register takes the place of the second source, and the second source then that of the third where
//! it is the third that is no register. Signs and selections go with the place.

/// Name, digits and text of each operand.
#[rustfmt::skip]
static OPERANDS: &[(&str, &str, &str)] = &[
    // The second of three sources, or of two whose last can be a register only.
    ("float_b", "2", "{R32 r123 -63 |62}"),
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
    ("half_b", "46e", "{R64 r123 -84 |83}$half_of_c"),
    ("half_b", "8", "<85.1=$pair|$pair_brain>"),
    ("half_b", "a", "$constant_pair"),
    ("half_b", "c", "{UR32 -63 |62}$half_of_b"),
    ("half_c", "28ac", "{R64 r124 -84 |83}$half_of_c"),
    ("half_c", "4", "<85.1=$pair|$pair_brain>"),
    ("half_c", "6", "$constant_pair"),
    ("half_c", "e", "{UR32 -63 |62}$half_of_b"),
    ("half_last", "2", "{R32 r124 -63 |62}$half_of_b"),
    ("half_last", "4", "<85.1=$pair|$pair_brain>"),
    ("half_last", "6", "$constant_pair"),
    ("half_last", "e", "{UR32 -63 |62}$half_of_b"),
    // Pairs that are compared.
    ("half_compared", "2", "{R32 r124 -63 |62}$half_of_b"),
    ("half_compared", "4", "<65.1=$pair|$pair_brain>"),
    ("half_compared", "6", "$constant_pair"),
    ("half_compared", "e", "{UR32 -63 |62}$half_of_b"),
    // Pairs that are used whole.
    ("pair_b", "2", "{R32 r123 -63 |62}"),
    ("pair_b", "46e", "{R64 r123 -84 |83}"),
    ("pair_b", "8", "<85.1=$pair|$pair_brain>"),
    ("pair_b", "a", "$constant"),
    ("pair_b", "c", "{UR32 -63 |62}"),
    ("pair_c", "28ac", "{R64 r124 -84 |83}"),
    ("pair_c", "4", "<85.1=$pair|$pair_brain>"),
    ("pair_c", "6", "$constant"),
    ("pair_c", "e", "{UR32 -63 |62}"),
];

/// The text of an operand for a form.
pub(crate) fn part(name: &str, digit: u8) -> Option<&'static str> {
    let digit = char::from_digit(u32::from(digit & !1), 16)?;
    let row = OPERANDS
        .iter()
        .find(|row| row.0 == name && row.1.contains(digit))?;
    Some(row.2)
}
