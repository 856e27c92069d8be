//! The words of debug information and their numbers.
//!
//! The numbers are those of the DWARF standard and of LLVM; each was read from what llvm-as 22 writes for the word.

/// Words that start alike, and their numbers.
#[derive(Debug)]
pub(crate) struct Words {
    /// What they start with.
    pub(crate) prefix: &'static str,
    /// The rest of each, and its number. Of several words for a number the first is the modern one.
    pub(crate) rows: &'static [(&'static str, u64)],
}

impl Words {
    /// The number of a word.
    pub(crate) fn number(&self, word: &[u8]) -> Option<u64> {
        let rest = word.strip_prefix(self.prefix.as_bytes())?;
        let row = self.rows.iter().find(|row| row.0.as_bytes() == rest)?;
        Some(row.1)
    }

    /// The word of a number, without what all start with.
    pub(crate) fn word(&self, number: u64) -> Option<&'static str> {
        let row = self.rows.iter().find(|row| row.1 == number)?;
        Some(row.0)
    }

    /// The number of words joined by `|`, which may be numbers themselves.
    pub(crate) fn sum(&self, words: &[u8]) -> Option<u64> {
        let mut sum = 0;
        for word in words.split(|&byte| byte == b'|').map(<[u8]>::trim_ascii) {
            sum |= match self.number(word) {
                Some(number) => number,
                None => std::str::from_utf8(word).ok()?.parse().ok()?,
            };
        }
        Some(sum)
    }
}

/// Tags.
#[rustfmt::skip]
pub(crate) static TAGS: Words = Words { prefix: "DW_TAG_", rows: &[
    ("array_type", 1), ("class_type", 2), ("entry_point", 3), ("enumeration_type", 4), ("formal_parameter", 5),
    ("imported_declaration", 8), ("label", 10), ("lexical_block", 11), ("member", 13), ("pointer_type", 15),
    ("reference_type", 16), ("compile_unit", 17), ("string_type", 18), ("structure_type", 19),
    ("subroutine_type", 21), ("typedef", 22), ("union_type", 23), ("unspecified_parameters", 24), ("variant", 25),
    ("common_block", 26), ("common_inclusion", 27), ("inheritance", 28), ("inlined_subroutine", 29), ("module", 30),
    ("ptr_to_member_type", 31), ("set_type", 32), ("subrange_type", 33), ("with_stmt", 34),
    ("access_declaration", 35), ("base_type", 36), ("catch_block", 37), ("const_type", 38), ("constant", 39),
    ("enumerator", 40), ("file_type", 41), ("friend", 42), ("namelist", 43), ("namelist_item", 44),
    ("packed_type", 45), ("subprogram", 46), ("template_type_parameter", 47), ("template_value_parameter", 48),
    ("thrown_type", 49), ("try_block", 50), ("variant_part", 51), ("variable", 52), ("volatile_type", 53),
    ("dwarf_procedure", 54), ("restrict_type", 55), ("interface_type", 56), ("namespace", 57),
    ("imported_module", 58), ("unspecified_type", 59), ("partial_unit", 60), ("imported_unit", 61),
    ("condition", 63), ("shared_type", 64), ("type_unit", 65), ("rvalue_reference_type", 66),
    ("template_alias", 67), ("coarray_type", 68), ("generic_subrange", 69), ("dynamic_type", 70),
    ("atomic_type", 71), ("call_site", 72), ("call_site_parameter", 73), ("skeleton_unit", 74),
    ("immutable_type", 75), ("MIPS_loop", 16513), ("format_label", 16641), ("function_template", 16642),
    ("class_template", 16643), ("GNU_BINCL", 16644), ("GNU_EINCL", 16645), ("GNU_template_template_param", 16646),
    ("GNU_template_parameter_pack", 16647), ("GNU_formal_parameter_pack", 16648), ("GNU_call_site", 16649),
    ("GNU_call_site_parameter", 16650), ("APPLE_property", 16896), ("SUN_function_template", 16897),
    ("SUN_class_template", 16898), ("SUN_struct_template", 16899), ("SUN_union_template", 16900),
    ("SUN_indirect_inheritance", 16901), ("SUN_codeflags", 16902), ("SUN_memop_info", 16903),
    ("SUN_omp_child_func", 16904), ("SUN_rtti_descriptor", 16905), ("SUN_dtor_info", 16906), ("SUN_dtor", 16907),
    ("SUN_f90_interface", 16908), ("SUN_fortran_vax_structure", 16909), ("SUN_hi", 17151),
    ("ALTIUM_circ_type", 20737), ("ALTIUM_mwa_circ_type", 20738), ("ALTIUM_rev_carry_type", 20739),
    ("ALTIUM_rom", 20753), ("LLVM_annotation", 24576), ("GHS_namespace", 32772), ("GHS_using_namespace", 32773),
    ("GHS_using_declaration", 32774), ("GHS_template_templ_param", 32775), ("UPC_shared_type", 34661),
    ("UPC_strict_type", 34662), ("UPC_relaxed", 34663), ("PGI_kanji_type", 40960), ("PGI_interface_block", 40992),
    ("BORLAND_property", 45056), ("BORLAND_Delphi_string", 45057), ("BORLAND_Delphi_dynamic_array", 45058),
    ("BORLAND_Delphi_set", 45059), ("BORLAND_Delphi_variant", 45060), ("LLVM_ptrauth_type", 17152),
] };

/// Operations of expressions.
#[rustfmt::skip]
pub(crate) static OPERATIONS: Words = Words { prefix: "DW_OP_", rows: &[
    ("addr", 3), ("deref", 6), ("const1u", 8), ("const1s", 9), ("const2u", 10), ("const2s", 11), ("const4u", 12),
    ("const4s", 13), ("const8u", 14), ("const8s", 15), ("constu", 16), ("consts", 17), ("dup", 18), ("drop", 19),
    ("over", 20), ("pick", 21), ("swap", 22), ("rot", 23), ("xderef", 24), ("abs", 25), ("and", 26), ("div", 27),
    ("minus", 28), ("mod", 29), ("mul", 30), ("neg", 31), ("not", 32), ("or", 33), ("plus", 34),
    ("plus_uconst", 35), ("shl", 36), ("shr", 37), ("shra", 38), ("xor", 39), ("bra", 40), ("eq", 41), ("ge", 42),
    ("gt", 43), ("le", 44), ("lt", 45), ("ne", 46), ("skip", 47), ("lit0", 48), ("lit1", 49), ("lit2", 50),
    ("lit3", 51), ("lit4", 52), ("lit5", 53), ("lit6", 54), ("lit7", 55), ("lit8", 56), ("lit9", 57), ("lit10", 58),
    ("lit11", 59), ("lit12", 60), ("lit13", 61), ("lit14", 62), ("lit15", 63), ("lit16", 64), ("lit17", 65),
    ("lit18", 66), ("lit19", 67), ("lit20", 68), ("lit21", 69), ("lit22", 70), ("lit23", 71), ("lit24", 72),
    ("lit25", 73), ("lit26", 74), ("lit27", 75), ("lit28", 76), ("lit29", 77), ("lit30", 78), ("lit31", 79),
    ("reg0", 80), ("reg1", 81), ("reg2", 82), ("reg3", 83), ("reg4", 84), ("reg5", 85), ("reg6", 86), ("reg7", 87),
    ("reg8", 88), ("reg9", 89), ("reg10", 90), ("reg11", 91), ("reg12", 92), ("reg13", 93), ("reg14", 94),
    ("reg15", 95), ("reg16", 96), ("reg17", 97), ("reg18", 98), ("reg19", 99), ("reg20", 100), ("reg21", 101),
    ("reg22", 102), ("reg23", 103), ("reg24", 104), ("reg25", 105), ("reg26", 106), ("reg27", 107), ("reg28", 108),
    ("reg29", 109), ("reg30", 110), ("reg31", 111), ("breg0", 112), ("breg1", 113), ("breg2", 114), ("breg3", 115),
    ("breg4", 116), ("breg5", 117), ("breg6", 118), ("breg7", 119), ("breg8", 120), ("breg9", 121), ("breg10", 122),
    ("breg11", 123), ("breg12", 124), ("breg13", 125), ("breg14", 126), ("breg15", 127), ("breg16", 128),
    ("breg17", 129), ("breg18", 130), ("breg19", 131), ("breg20", 132), ("breg21", 133), ("breg22", 134),
    ("breg23", 135), ("breg24", 136), ("breg25", 137), ("breg26", 138), ("breg27", 139), ("breg28", 140),
    ("breg29", 141), ("breg30", 142), ("breg31", 143), ("regx", 144), ("fbreg", 145), ("bregx", 146),
    ("piece", 147), ("deref_size", 148), ("xderef_size", 149), ("nop", 150), ("push_object_address", 151),
    ("call2", 152), ("call4", 153), ("call_ref", 154), ("form_tls_address", 155), ("call_frame_cfa", 156),
    ("bit_piece", 157), ("implicit_value", 158), ("stack_value", 159), ("implicit_pointer", 160), ("addrx", 161),
    ("constx", 162), ("entry_value", 163), ("const_type", 164), ("regval_type", 165), ("deref_type", 166),
    ("xderef_type", 167), ("convert", 168), ("reinterpret", 169), ("GNU_push_tls_address", 224),
    ("HP_is_value", 225), ("HP_fltconst4", 226), ("HP_fltconst8", 227), ("HP_mod_range", 228),
    ("HP_unmod_range", 229), ("HP_tls", 230), ("INTEL_bit_piece", 232), ("WASM_location", 237),
    ("WASM_location_int", 238), ("APPLE_uninit", 240), ("GNU_entry_value", 243), ("PGI_omp_thread_num", 248),
    ("GNU_addr_index", 251), ("GNU_const_index", 252), ("LLVM_fragment", 4096), ("LLVM_convert", 4097),
    ("LLVM_tag_offset", 4098), ("LLVM_entry_value", 4099), ("LLVM_implicit_pointer", 4100), ("LLVM_arg", 4101),
    ("LLVM_extract_bits_sext", 4102), ("LLVM_extract_bits_zext", 4103), ("LLVM_user", 233),
] };

/// Encodings of basic types.
#[rustfmt::skip]
pub(crate) static ENCODINGS: Words = Words { prefix: "DW_ATE_", rows: &[
    ("address", 1), ("boolean", 2), ("complex_float", 3), ("float", 4), ("signed", 5), ("signed_char", 6),
    ("unsigned", 7), ("unsigned_char", 8), ("imaginary_float", 9), ("packed_decimal", 10), ("numeric_string", 11),
    ("edited", 12), ("signed_fixed", 13), ("unsigned_fixed", 14), ("decimal_float", 15), ("UTF", 16), ("UCS", 17),
    ("ASCII", 18), ("HP_complex_float", 129), ("HP_float128", 130), ("HP_complex_float128", 131),
    ("HP_floathpintel", 132), ("HP_imaginary_float90", 133), ("HP_imaginary_float128", 134),
] };

/// Languages.
#[rustfmt::skip]
pub(crate) static LANGUAGES: Words = Words { prefix: "DW_LANG_", rows: &[
    ("C89", 1), ("C", 2), ("Ada83", 3), ("C_plus_plus", 4), ("Cobol74", 5), ("Cobol85", 6), ("Fortran77", 7),
    ("Fortran90", 8), ("Pascal83", 9), ("Modula2", 10), ("Java", 11), ("C99", 12), ("Ada95", 13), ("Fortran95", 14),
    ("PLI", 15), ("ObjC", 16), ("ObjC_plus_plus", 17), ("UPC", 18), ("D", 19), ("Python", 20), ("OpenCL", 21),
    ("Go", 22), ("Modula3", 23), ("Haskell", 24), ("C_plus_plus_03", 25), ("C_plus_plus_11", 26), ("OCaml", 27),
    ("Rust", 28), ("C11", 29), ("Swift", 30), ("Julia", 31), ("Dylan", 32), ("C_plus_plus_14", 33),
    ("Fortran03", 34), ("Fortran08", 35), ("RenderScript", 36), ("BLISS", 37), ("Mips_Assembler", 32769),
    ("GOOGLE_RenderScript", 36439), ("BORLAND_Delphi", 45056), ("Kotlin", 38), ("Zig", 39), ("Crystal", 40),
    ("C_plus_plus_17", 42), ("C_plus_plus_20", 43), ("C17", 44), ("Fortran18", 45), ("Ada2005", 46),
    ("Ada2012", 47), ("HIP", 48), ("Assembly", 49), ("C_sharp", 50), ("Mojo", 51), ("GLSL", 52), ("GLSL_ES", 53),
    ("HLSL", 54), ("OpenCL_CPP", 55), ("CPP_for_OpenCL", 56), ("SYCL", 57), ("Metal", 61), ("Ruby", 64),
    ("Move", 65), ("Hylo", 66),
] };

/// Languages without their versions.
#[rustfmt::skip]
pub(crate) static LANGUAGE_NAMES: Words = Words { prefix: "DW_LNAME_", rows: &[
    ("Ada", 1), ("BLISS", 2), ("C", 3), ("C_plus_plus", 4), ("Cobol", 5), ("Crystal", 6), ("D", 7), ("Dylan", 8),
    ("Fortran", 9), ("Go", 10), ("Haskell", 11), ("Java", 12), ("Julia", 13), ("Kotlin", 14), ("Modula2", 15),
    ("Modula3", 16), ("ObjC", 17), ("ObjC_plus_plus", 18), ("OCaml", 19), ("OpenCL_C", 20), ("Pascal", 21),
    ("PLI", 22), ("Python", 23), ("RenderScript", 24), ("Rust", 25), ("Swift", 26), ("UPC", 27), ("Zig", 28),
    ("Assembly", 29), ("C_sharp", 30), ("Mojo", 31), ("GLSL", 32), ("HLSL", 34), ("OpenCL_CPP", 35),
    ("CPP_for_OpenCL", 36), ("SYCL", 37), ("Ruby", 38), ("Move", 39), ("Hylo", 40), ("Metal", 44),
] };

/// Calling conventions.
#[rustfmt::skip]
pub(crate) static CONVENTIONS: Words = Words { prefix: "DW_CC_", rows: &[
    ("normal", 1), ("program", 2), ("nocall", 3), ("pass_by_reference", 4), ("pass_by_value", 5),
    ("GNU_renesas_sh", 64), ("GNU_borland_fastcall_i386", 65), ("BORLAND_safecall", 176), ("BORLAND_stdcall", 177),
    ("BORLAND_pascal", 178), ("BORLAND_msfastcall", 179), ("BORLAND_msreturn", 180), ("BORLAND_thiscall", 181),
    ("BORLAND_fastcall", 182), ("LLVM_vectorcall", 192), ("LLVM_Win64", 193), ("LLVM_X86_64SysV", 194),
    ("LLVM_AAPCS", 195), ("LLVM_AAPCS_VFP", 196), ("LLVM_IntelOclBicc", 197), ("LLVM_SpirFunction", 198),
    ("LLVM_Swift", 200), ("LLVM_PreserveMost", 201), ("LLVM_PreserveAll", 202), ("LLVM_X86RegCall", 203),
    ("GDB_IBM_OpenCL", 255), ("LLVM_DeviceKernel", 199), ("LLVM_M68kRTD", 204), ("LLVM_PreserveNone", 205),
    ("LLVM_RISCVVectorCall", 206), ("LLVM_SwiftTail", 207), ("LLVM_RISCVVLSCall", 208), ("LLVM_OpenCLKernel", 199),
] };

/// Virtuality.
#[rustfmt::skip]
pub(crate) static VIRTUALITIES: Words = Words { prefix: "DW_VIRTUALITY_", rows: &[
    ("none", 0), ("virtual", 1), ("pure_virtual", 2),
] };

/// What an entry about a macro specifies.
#[rustfmt::skip]
pub(crate) static MACRO_KINDS: Words = Words { prefix: "DW_MACINFO_", rows: &[
    ("define", 1), ("undef", 2), ("start_file", 3), ("end_file", 4), ("vendor_ext", 255),
] };

/// Flags of types and subprograms. The first three are one number, and so are the three of inheritance.
#[rustfmt::skip]
pub(crate) static NODE_FLAGS: Words = Words { prefix: "DIFlag", rows: &[
    ("Private", 1), ("Protected", 2), ("Public", 3), ("FwdDecl", 4), ("AppleBlock", 8), ("ReservedBit4", 16),
    ("Virtual", 32), ("Artificial", 64), ("Explicit", 128), ("Prototyped", 256), ("ObjcClassComplete", 512),
    ("ObjectPointer", 1024), ("Vector", 2048), ("StaticMember", 4096), ("LValueReference", 8192),
    ("RValueReference", 16384), ("ExportSymbols", 32768), ("SingleInheritance", 65536),
    ("MultipleInheritance", 131072), ("VirtualInheritance", 196608), ("IntroducedVirtual", 262144),
    ("BitField", 524288), ("NoReturn", 1048576), ("TypePassByValue", 4194304), ("TypePassByReference", 8388608),
    ("EnumClass", 16777216), ("Thunk", 33554432), ("NonTrivial", 67108864), ("BigEndian", 134217728),
    ("LittleEndian", 268435456), ("AllCallsDescribed", 536870912), ("IndirectVirtualBase", 36),
] };

/// Flags of subprograms.
#[rustfmt::skip]
pub(crate) static SUBPROGRAM_FLAGS: Words = Words { prefix: "DISPFlag", rows: &[
    ("Virtual", 1), ("PureVirtual", 2), ("LocalToUnit", 4), ("Definition", 8), ("Optimized", 16), ("Pure", 32),
    ("Elemental", 64), ("Recursive", 128), ("MainSubprogram", 256), ("Deleted", 512), ("ObjCDirect", 2048),
] };

/// How much debug information a unit has.
#[rustfmt::skip]
pub(crate) static EMISSION_KINDS: Words = Words { prefix: "", rows: &[
    ("NoDebug", 0), ("FullDebug", 1), ("LineTablesOnly", 2), ("DebugDirectivesOnly", 3),
] };

/// Tables of names.
#[rustfmt::skip]
pub(crate) static NAME_TABLE_KINDS: Words = Words { prefix: "", rows: &[
    ("Default", 0), ("GNU", 1), ("None", 2), ("Apple", 3),
] };

/// Checksums.
#[rustfmt::skip]
pub(crate) static CHECKSUM_KINDS: Words = Words { prefix: "CSK_", rows: &[
    ("MD5", 1), ("SHA1", 2), ("SHA256", 3),
] };

/// Kinds of fixed-point types.
#[rustfmt::skip]
pub(crate) static FIXED_POINT_KINDS: Words = Words { prefix: "", rows: &[
    ("Binary", 0), ("Decimal", 1), ("Rational", 2),
] };

/// Kinds of enumerations.
#[rustfmt::skip]
pub(crate) static ENUM_KINDS: Words = Words { prefix: "DW_APPLE_ENUM_KIND_", rows: &[
    ("Open", 1), ("Closed", 0),
] };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_numbers() {
        assert_eq!(TAGS.number(b"DW_TAG_member"), Some(13));
        assert_eq!(TAGS.word(13), Some("member"));
        assert_eq!(TAGS.number(b"DW_ATE_float"), None);
        assert_eq!(
            NODE_FLAGS.sum(b"DIFlagPublic | DIFlagVector"),
            Some(3 | 2048)
        );
        assert_eq!(NODE_FLAGS.sum(b"DIFlagZ"), None);
        assert_eq!(CONVENTIONS.word(199), Some("LLVM_DeviceKernel"));
    }
}
