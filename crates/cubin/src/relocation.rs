//! The kinds of relocations, by the names that the tools print (asked of cuobjdump 13.4, number by number).

/// The name of a kind of relocation.
pub fn name(kind: u32) -> Option<&'static str> {
    NAMES
        .get(kind as usize)
        .copied()
        .filter(|name| !name.is_empty())
}

/// The kind of a name.
pub fn number(name: &str) -> Option<u32> {
    let place = NAMES.iter().position(|one| *one == name);
    place
        .filter(|_| !name.is_empty())
        .and_then(|place| u32::try_from(place).ok())
}

#[rustfmt::skip]
static NAMES: &[&str] = &[
    "", "R_CUDA_32", "R_CUDA_64", "R_CUDA_G32",
    "R_CUDA_G64", "R_CUDA_ABS32_26", "R_CUDA_TEX_HEADER_INDEX", "R_CUDA_SAMP_HEADER_INDEX",
    "R_CUDA_SURF_HW_DESC", "R_CUDA_SURF_HW_SW_DESC", "R_CUDA_ABS32_LO_26", "R_CUDA_ABS32_HI_26",
    "R_CUDA_ABS32_23", "R_CUDA_ABS32_LO_23", "R_CUDA_ABS32_HI_23", "R_CUDA_ABS24_26",
    "R_CUDA_ABS24_23", "R_CUDA_ABS16_26", "R_CUDA_ABS16_23", "R_CUDA_TEX_SLOT",
    "R_CUDA_SAMP_SLOT", "R_CUDA_SURF_SLOT", "R_CUDA_TEX_BINDLESSOFF13_32", "R_CUDA_TEX_BINDLESSOFF13_47",
    "R_CUDA_CONST_FIELD19_28", "R_CUDA_CONST_FIELD19_23", "R_CUDA_TEX_SLOT9_49", "R_CUDA_6_31",
    "R_CUDA_2_47", "R_CUDA_TEX_BINDLESSOFF13_41", "R_CUDA_TEX_BINDLESSOFF13_45", "R_CUDA_FUNC_DESC32_23",
    "R_CUDA_FUNC_DESC32_LO_23", "R_CUDA_FUNC_DESC32_HI_23", "R_CUDA_FUNC_DESC_32", "R_CUDA_FUNC_DESC_64",
    "R_CUDA_CONST_FIELD21_26", "R_CUDA_QUERY_DESC21_37", "R_CUDA_CONST_FIELD19_26", "R_CUDA_CONST_FIELD21_23",
    "R_CUDA_PCREL_IMM24_26", "R_CUDA_PCREL_IMM24_23", "R_CUDA_ABS32_20", "R_CUDA_ABS32_LO_20",
    "R_CUDA_ABS32_HI_20", "R_CUDA_ABS24_20", "R_CUDA_ABS16_20", "R_CUDA_FUNC_DESC32_20",
    "R_CUDA_FUNC_DESC32_LO_20", "R_CUDA_FUNC_DESC32_HI_20", "R_CUDA_CONST_FIELD19_20", "R_CUDA_BINDLESSOFF13_36",
    "R_CUDA_SURF_HEADER_INDEX", "R_CUDA_INSTRUCTION64", "R_CUDA_CONST_FIELD21_20", "R_CUDA_ABS32_32",
    "R_CUDA_ABS32_LO_32", "R_CUDA_ABS32_HI_32", "R_CUDA_ABS47_34", "R_CUDA_ABS16_32",
    "R_CUDA_ABS24_32", "R_CUDA_FUNC_DESC32_32", "R_CUDA_FUNC_DESC32_LO_32", "R_CUDA_FUNC_DESC32_HI_32",
    "R_CUDA_CONST_FIELD19_40", "R_CUDA_BINDLESSOFF14_40", "R_CUDA_CONST_FIELD21_38", "R_CUDA_INSTRUCTION128",
    "R_CUDA_YIELD_OPCODE9_0", "R_CUDA_YIELD_CLEAR_PRED4_87", "R_CUDA_32_LO", "R_CUDA_32_HI",
    "R_CUDA_UNUSED_CLEAR32", "R_CUDA_UNUSED_CLEAR64", "R_CUDA_ABS24_40", "R_CUDA_ABS55_16_34",
    "R_CUDA_8_0", "R_CUDA_8_8", "R_CUDA_8_16", "R_CUDA_8_24",
    "R_CUDA_8_32", "R_CUDA_8_40", "R_CUDA_8_48", "R_CUDA_8_56",
    "R_CUDA_G8_0", "R_CUDA_G8_8", "R_CUDA_G8_16", "R_CUDA_G8_24",
    "R_CUDA_G8_32", "R_CUDA_G8_40", "R_CUDA_G8_48", "R_CUDA_G8_56",
    "R_CUDA_FUNC_DESC_8_0", "R_CUDA_FUNC_DESC_8_8", "R_CUDA_FUNC_DESC_8_16", "R_CUDA_FUNC_DESC_8_24",
    "R_CUDA_FUNC_DESC_8_32", "R_CUDA_FUNC_DESC_8_40", "R_CUDA_FUNC_DESC_8_48", "R_CUDA_FUNC_DESC_8_56",
    "R_CUDA_ABS20_44", "R_CUDA_SAMP_HEADER_INDEX_0", "R_CUDA_UNIFIED", "R_CUDA_UNIFIED_32",
    "R_CUDA_UNIFIED_8_0", "R_CUDA_UNIFIED_8_8", "R_CUDA_UNIFIED_8_16", "R_CUDA_UNIFIED_8_24",
    "R_CUDA_UNIFIED_8_32", "R_CUDA_UNIFIED_8_40", "R_CUDA_UNIFIED_8_48", "R_CUDA_UNIFIED_8_56",
    "R_CUDA_UNIFIED32_LO_32", "R_CUDA_UNIFIED32_HI_32", "R_CUDA_ABS56_16_34", "R_CUDA_CONST_FIELD22_37",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_names_of_the_tools() {
        assert_eq!(name(2), Some("R_CUDA_64"));
        assert_eq!(name(56), Some("R_CUDA_ABS32_LO_32"));
        assert_eq!(name(0), None);
        assert_eq!(name(u32::MAX), None);
    }
}
