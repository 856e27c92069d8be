//! The nodes of debug information: which fields each has, and what a field holds.
//!
//! One row a node, as LLVM 22 reads it; `debug_field` checks modules against it. The words were tried one
//! by one on llvm-as 22.

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Metadata or `null`.
    Metadata,
    /// Metadata, not `null`.
    Node,
    /// `"text"`
    Text,
    /// `"text"`, not empty.
    Name,
    /// `true` or `false`
    Truth,
    /// A number from zero to a limit.
    Unsigned(u64),
    /// A number between two limits.
    Signed(i64, i64),
    /// A number of any size.
    Number,
    /// An unsigned number, or metadata.
    UnsignedOrMetadata,
    /// A signed number from a limit on, or metadata; `null` if that is allowed.
    SignedOrMetadata(i64, bool),
    /// `{…}`
    List,
    /// A word of a set, or a number up to a limit.
    Word(&'static Words),
    /// Words of a set, joined by `|`, or a number.
    Flags(&'static Words),
}

/// The words that a field may have.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Words {
    /// What they start with.
    pub(super) prefix: &'static str,
    /// The rest of each.
    pub(super) words: &'static [&'static str],
    /// The largest number that may stand in their place; none if no number may.
    pub(super) limit: Option<u64>,
}

/// A field: its name, what it holds, and whether a node must have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    pub(super) required: bool,
}

const fn may(name: &'static str, holds: Holds) -> Field {
    Field {
        name,
        holds,
        required: false,
    }
}

const fn must(name: &'static str, holds: Holds) -> Field {
    Field {
        name,
        holds,
        required: true,
    }
}

const U8: Holds = Holds::Unsigned(u8::MAX as u64);
const U16: Holds = Holds::Unsigned(u16::MAX as u64);
const U32: Holds = Holds::Unsigned(u32::MAX as u64);
const U64: Holds = Holds::Unsigned(u64::MAX);
const TAG: Holds = Holds::Word(&TAGS);
const ENCODING: Holds = Holds::Word(&ENCODINGS);
const FLAGS: Holds = Holds::Flags(&NODE_FLAGS);
const BOUND: Holds = Holds::SignedOrMetadata(i64::MIN, true);

/// The nodes.
#[rustfmt::skip]
pub(super) const NODES: &[(&str, &[Field])] = {
    use Holds::*;
    &[
        ("DILocation", &[
            may("line", U32), may("column", U16), must("scope", Node), may("inlinedAt", Metadata),
            may("isImplicitCode", Truth), may("atomGroup", U64), may("atomRank", U8),
        ]),
        ("GenericDINode", &[must("tag", TAG), may("header", Text), may("operands", List)]),
        ("DISubrange", &[
            may("count", SignedOrMetadata(-1, false)), may("lowerBound", BOUND), may("upperBound", BOUND),
            may("stride", BOUND),
        ]),
        ("DIGenericSubrange", &[
            may("count", BOUND), may("lowerBound", BOUND), may("upperBound", BOUND), may("stride", BOUND),
        ]),
        ("DIEnumerator", &[must("name", Text), must("value", Number), may("isUnsigned", Truth)]),
        ("DIBasicType", &[
            may("tag", TAG), may("name", Text), may("size", UnsignedOrMetadata), may("align", U32),
            may("dataSize", U32), may("encoding", ENCODING), may("num_extra_inhabitants", U32), may("flags", FLAGS),
        ]),
        ("DIFixedPointType", &[
            may("tag", TAG), may("name", Text), may("size", UnsignedOrMetadata), may("align", U32),
            may("encoding", ENCODING), may("flags", FLAGS), may("kind", Word(&FIXED_POINT_KINDS)),
            may("factor", Signed(i64::MIN, i64::MAX)), may("numerator", Number),
            may("denominator", Number),
        ]),
        ("DIStringType", &[
            may("tag", TAG), may("name", Text), may("stringLength", Metadata),
            may("stringLengthExpression", Metadata), may("stringLocationExpression", Metadata),
            may("size", UnsignedOrMetadata), may("align", U32), may("encoding", ENCODING),
        ]),
        ("DIDerivedType", &[
            must("tag", TAG), may("name", Text), may("file", Metadata), may("line", U32), may("scope", Metadata),
            must("baseType", Metadata), may("size", UnsignedOrMetadata), may("align", U32),
            may("offset", UnsignedOrMetadata), may("flags", FLAGS), may("extraData", Metadata),
            may("dwarfAddressSpace", U32), may("annotations", Metadata), may("ptrAuthKey", Unsigned(7)),
            may("ptrAuthIsAddressDiscriminated", Truth), may("ptrAuthExtraDiscriminator", U16),
            may("ptrAuthIsaPointer", Truth), may("ptrAuthAuthenticatesNullValues", Truth),
        ]),
        ("DISubrangeType", &[
            may("name", Text), may("file", Metadata), may("line", U32), may("scope", Metadata),
            may("size", UnsignedOrMetadata), may("align", U32), may("flags", FLAGS), may("baseType", Metadata),
            may("lowerBound", BOUND), may("upperBound", BOUND), may("stride", BOUND), may("bias", BOUND),
        ]),
        ("DICompositeType", &[
            must("tag", TAG), may("name", Text), may("file", Metadata), may("line", U32), may("scope", Metadata),
            may("baseType", Metadata), may("size", UnsignedOrMetadata), may("align", U32),
            may("offset", UnsignedOrMetadata), may("flags", FLAGS), may("elements", Metadata),
            may("runtimeLang", Word(&LANGUAGES)), may("enumKind", Word(&ENUM_KINDS)),
            may("vtableHolder", Metadata), may("templateParams", Metadata), may("identifier", Text),
            may("discriminator", Metadata), may("dataLocation", Metadata), may("associated", Metadata),
            may("allocated", Metadata), may("rank", BOUND), may("annotations", Metadata),
            may("num_extra_inhabitants", U32), may("specification", Metadata),
            may("bitStride", UnsignedOrMetadata),
        ]),
        ("DISubroutineType", &[may("flags", FLAGS), may("cc", Word(&CONVENTIONS)), must("types", Metadata)]),
        ("DIFile", &[
            must("filename", Text), must("directory", Text), may("checksumkind", Word(&CHECKSUM_KINDS)),
            may("checksum", Text), may("source", Text),
        ]),
        ("DICompileUnit", &[
            may("language", Word(&LANGUAGES)), may("sourceLanguageName", Word(&LANGUAGE_NAMES)),
            may("sourceLanguageVersion", U32), must("file", Node), may("producer", Text),
            may("isOptimized", Truth), may("flags", Text), may("runtimeVersion", U32),
            may("splitDebugFilename", Text), may("emissionKind", Word(&EMISSION_KINDS)), may("enums", Metadata),
            may("retainedTypes", Metadata), may("globals", Metadata), may("imports", Metadata),
            may("macros", Metadata), may("dwoId", U64), may("splitDebugInlining", Truth),
            may("debugInfoForProfiling", Truth), may("nameTableKind", Word(&NAME_TABLE_KINDS)),
            may("rangesBaseAddress", Truth), may("sysroot", Text), may("sdk", Text),
        ]),
        ("DISubprogram", &[
            may("scope", Metadata), may("name", Text), may("linkageName", Text), may("file", Metadata),
            may("line", U32), may("type", Metadata), may("isLocal", Truth), may("isDefinition", Truth),
            may("scopeLine", U32), may("containingType", Metadata), may("virtuality", Word(&VIRTUALITIES)),
            may("virtualIndex", U32), may("thisAdjustment", Signed(i32::MIN as i64, i32::MAX as i64)),
            may("flags", FLAGS), may("spFlags", Flags(&SUBPROGRAM_FLAGS)), may("isOptimized", Truth),
            may("unit", Metadata), may("templateParams", Metadata), may("declaration", Metadata),
            may("retainedNodes", Metadata), may("thrownTypes", Metadata), may("annotations", Metadata),
            may("targetFuncName", Text), may("keyInstructions", Truth),
        ]),
        ("DILexicalBlock", &[must("scope", Node), may("file", Metadata), may("line", U32), may("column", U16)]),
        ("DILexicalBlockFile", &[must("scope", Node), may("file", Metadata), must("discriminator", U32)]),
        ("DICommonBlock", &[
            must("scope", Metadata), may("declaration", Metadata), may("name", Text), may("file", Metadata),
            may("line", U32),
        ]),
        ("DINamespace", &[must("scope", Metadata), may("name", Text), may("exportSymbols", Truth)]),
        ("DIMacro", &[must("type", Word(&MACRO_KINDS)), may("line", U32), must("name", Text), may("value", Text)]),
        ("DIMacroFile", &[
            may("type", Word(&MACRO_KINDS)), may("line", U32), must("file", Metadata), may("nodes", Metadata),
        ]),
        ("DIModule", &[
            must("scope", Metadata), must("name", Text), may("configMacros", Text), may("includePath", Text),
            may("apinotes", Text), may("file", Metadata), may("line", U32), may("isDecl", Truth),
        ]),
        ("DITemplateTypeParameter", &[may("name", Text), must("type", Metadata), may("defaulted", Truth)]),
        ("DITemplateValueParameter", &[
            may("tag", TAG), may("name", Text), may("type", Metadata), may("defaulted", Truth),
            must("value", Metadata),
        ]),
        ("DIGlobalVariable", &[
            may("name", Name), may("scope", Metadata), may("linkageName", Text), may("file", Metadata),
            may("line", U32), may("type", Metadata), may("isLocal", Truth), may("isDefinition", Truth),
            may("templateParams", Metadata), may("declaration", Metadata), may("align", U32),
            may("annotations", Metadata),
        ]),
        ("DILocalVariable", &[
            must("scope", Node), may("name", Text), may("arg", U16), may("file", Metadata), may("line", U32),
            may("type", Metadata), may("flags", FLAGS), may("align", U32), may("annotations", Metadata),
        ]),
        ("DILabel", &[
            must("scope", Node), must("name", Text), must("file", Metadata), must("line", U32),
            may("column", U16), may("isArtificial", Truth), may("coroSuspendIdx", U32),
        ]),
        ("DIGlobalVariableExpression", &[must("var", Metadata), must("expr", Metadata)]),
        ("DIObjCProperty", &[
            may("name", Text), may("file", Metadata), may("line", U32), may("setter", Text), may("getter", Text),
            may("attributes", U32), may("type", Metadata),
        ]),
        ("DIImportedEntity", &[
            must("tag", TAG), must("scope", Metadata), may("entity", Metadata), may("file", Metadata),
            may("line", U32), may("name", Text), may("elements", Metadata),
        ]),
        ("DIAssignID", &[]),
        // Its parts have no names and are checked apart.
        ("DIExpression", &[]),
    ]
};

const fn words(prefix: &'static str, limit: Option<u64>, words: &'static [&'static str]) -> Words {
    Words {
        prefix,
        words,
        limit,
    }
}

/// Tags.
#[rustfmt::skip]
static TAGS: Words = words("DW_TAG_", Some(65535), &[
    "array_type", "class_type", "entry_point", "enumeration_type", "formal_parameter", "imported_declaration",
    "label", "lexical_block", "member", "pointer_type", "reference_type", "compile_unit", "string_type",
    "structure_type", "subroutine_type", "typedef", "union_type", "unspecified_parameters", "variant",
    "common_block", "common_inclusion", "inheritance", "inlined_subroutine", "module", "ptr_to_member_type",
    "set_type", "subrange_type", "with_stmt", "access_declaration", "base_type", "catch_block", "const_type",
    "constant", "enumerator", "file_type", "friend", "namelist", "namelist_item", "packed_type", "subprogram",
    "template_type_parameter", "template_value_parameter", "thrown_type", "try_block", "variant_part", "variable",
    "volatile_type", "dwarf_procedure", "restrict_type", "interface_type", "namespace", "imported_module",
    "unspecified_type", "partial_unit", "imported_unit", "condition", "shared_type", "type_unit",
    "rvalue_reference_type", "template_alias", "coarray_type", "generic_subrange", "dynamic_type", "atomic_type",
    "call_site", "call_site_parameter", "skeleton_unit", "immutable_type", "MIPS_loop", "format_label",
    "function_template", "class_template", "GNU_BINCL", "GNU_EINCL", "GNU_template_template_param",
    "GNU_template_parameter_pack", "GNU_formal_parameter_pack", "GNU_call_site", "GNU_call_site_parameter",
    "APPLE_property", "SUN_function_template", "SUN_class_template", "SUN_struct_template", "SUN_union_template",
    "SUN_indirect_inheritance", "SUN_codeflags", "SUN_memop_info", "SUN_omp_child_func", "SUN_rtti_descriptor",
    "SUN_dtor_info", "SUN_dtor", "SUN_f90_interface", "SUN_fortran_vax_structure", "SUN_hi", "ALTIUM_circ_type",
    "ALTIUM_mwa_circ_type", "ALTIUM_rev_carry_type", "ALTIUM_rom", "LLVM_annotation", "GHS_namespace",
    "GHS_using_namespace", "GHS_using_declaration", "GHS_template_templ_param", "UPC_shared_type",
    "UPC_strict_type", "UPC_relaxed", "PGI_kanji_type", "PGI_interface_block", "BORLAND_property",
    "BORLAND_Delphi_string", "BORLAND_Delphi_dynamic_array", "BORLAND_Delphi_set", "BORLAND_Delphi_variant",
    "LLVM_ptrauth_type",
]);

/// Operations of expressions.
#[rustfmt::skip]
pub(super) static OPERATIONS: Words = words("DW_OP_", None, &[
    "addr", "deref", "const1u", "const1s", "const2u", "const2s", "const4u", "const4s", "const8u", "const8s",
    "constu", "consts", "dup", "drop", "over", "pick", "swap", "rot", "xderef", "abs", "and", "div", "minus", "mod",
    "mul", "neg", "not", "or", "plus", "plus_uconst", "shl", "shr", "shra", "xor", "bra", "eq", "ge", "gt", "le",
    "lt", "ne", "skip", "lit0", "lit1", "lit2", "lit3", "lit4", "lit5", "lit6", "lit7", "lit8", "lit9", "lit10",
    "lit11", "lit12", "lit13", "lit14", "lit15", "lit16", "lit17", "lit18", "lit19", "lit20", "lit21", "lit22",
    "lit23", "lit24", "lit25", "lit26", "lit27", "lit28", "lit29", "lit30", "lit31", "reg0", "reg1", "reg2", "reg3",
    "reg4", "reg5", "reg6", "reg7", "reg8", "reg9", "reg10", "reg11", "reg12", "reg13", "reg14", "reg15", "reg16",
    "reg17", "reg18", "reg19", "reg20", "reg21", "reg22", "reg23", "reg24", "reg25", "reg26", "reg27", "reg28",
    "reg29", "reg30", "reg31", "breg0", "breg1", "breg2", "breg3", "breg4", "breg5", "breg6", "breg7", "breg8",
    "breg9", "breg10", "breg11", "breg12", "breg13", "breg14", "breg15", "breg16", "breg17", "breg18", "breg19",
    "breg20", "breg21", "breg22", "breg23", "breg24", "breg25", "breg26", "breg27", "breg28", "breg29", "breg30",
    "breg31", "regx", "fbreg", "bregx", "piece", "deref_size", "xderef_size", "nop", "push_object_address", "call2",
    "call4", "call_ref", "form_tls_address", "call_frame_cfa", "bit_piece", "implicit_value", "stack_value",
    "implicit_pointer", "addrx", "constx", "entry_value", "const_type", "regval_type", "deref_type", "xderef_type",
    "convert", "reinterpret", "GNU_push_tls_address", "HP_is_value", "HP_fltconst4", "HP_fltconst8", "HP_mod_range",
    "HP_unmod_range", "HP_tls", "INTEL_bit_piece", "WASM_location", "WASM_location_int", "APPLE_uninit",
    "GNU_entry_value", "PGI_omp_thread_num", "GNU_addr_index", "GNU_const_index", "LLVM_fragment", "LLVM_convert",
    "LLVM_tag_offset", "LLVM_entry_value", "LLVM_implicit_pointer", "LLVM_arg", "LLVM_extract_bits_sext",
    "LLVM_extract_bits_zext", "LLVM_user",
]);

/// Encodings of basic types.
#[rustfmt::skip]
pub(super) static ENCODINGS: Words = words("DW_ATE_", Some(255), &[
    "address", "boolean", "complex_float", "float", "signed", "signed_char", "unsigned", "unsigned_char",
    "imaginary_float", "packed_decimal", "numeric_string", "edited", "signed_fixed", "unsigned_fixed",
    "decimal_float", "UTF", "UCS", "ASCII", "HP_complex_float", "HP_float128", "HP_complex_float128",
    "HP_floathpintel", "HP_imaginary_float90", "HP_imaginary_float128",
]);

/// Languages.
#[rustfmt::skip]
static LANGUAGES: Words = words("DW_LANG_", Some(65535), &[
    "C89", "C", "Ada83", "C_plus_plus", "Cobol74", "Cobol85", "Fortran77", "Fortran90", "Pascal83", "Modula2",
    "Java", "C99", "Ada95", "Fortran95", "PLI", "ObjC", "ObjC_plus_plus", "UPC", "D", "Python", "OpenCL", "Go",
    "Modula3", "Haskell", "C_plus_plus_03", "C_plus_plus_11", "OCaml", "Rust", "C11", "Swift", "Julia", "Dylan",
    "C_plus_plus_14", "Fortran03", "Fortran08", "RenderScript", "BLISS", "Mips_Assembler", "GOOGLE_RenderScript",
    "BORLAND_Delphi", "Kotlin", "Zig", "Crystal", "C_plus_plus_17", "C_plus_plus_20", "C17", "Fortran18", "Ada2005",
    "Ada2012", "HIP", "Assembly", "C_sharp", "Mojo", "GLSL", "GLSL_ES", "HLSL", "OpenCL_CPP", "CPP_for_OpenCL",
    "SYCL", "Metal", "Ruby", "Move", "Hylo",
]);

/// Languages without their versions.
#[rustfmt::skip]
static LANGUAGE_NAMES: Words = words("DW_LNAME_", Some(u32::MAX as u64), &[
    "Ada", "BLISS", "C", "C_plus_plus", "Cobol", "Crystal", "D", "Dylan", "Fortran", "Go", "Haskell", "Java",
    "Julia", "Kotlin", "Modula2", "Modula3", "ObjC", "ObjC_plus_plus", "OCaml", "OpenCL_C", "Pascal", "PLI",
    "Python", "RenderScript", "Rust", "Swift", "UPC", "Zig", "Assembly", "C_sharp", "Mojo", "GLSL", "HLSL",
    "OpenCL_CPP", "CPP_for_OpenCL", "SYCL", "Ruby", "Move", "Hylo", "Metal",
]);

/// Calling conventions; LLVM 21 gave `OpenCLKernel` another name.
#[rustfmt::skip]
static CONVENTIONS: Words = words("DW_CC_", Some(255), &[
    "normal", "program", "nocall", "pass_by_reference", "pass_by_value", "GNU_renesas_sh",
    "GNU_borland_fastcall_i386", "BORLAND_safecall", "BORLAND_stdcall", "BORLAND_pascal", "BORLAND_msfastcall",
    "BORLAND_msreturn", "BORLAND_thiscall", "BORLAND_fastcall", "LLVM_vectorcall", "LLVM_Win64", "LLVM_X86_64SysV",
    "LLVM_AAPCS", "LLVM_AAPCS_VFP", "LLVM_IntelOclBicc", "LLVM_SpirFunction", "LLVM_Swift", "LLVM_PreserveMost",
    "LLVM_PreserveAll", "LLVM_X86RegCall", "GDB_IBM_OpenCL", "LLVM_DeviceKernel", "LLVM_M68kRTD",
    "LLVM_PreserveNone", "LLVM_RISCVVectorCall", "LLVM_SwiftTail", "LLVM_RISCVVLSCall", "LLVM_OpenCLKernel",
]);

/// Virtuality.
#[rustfmt::skip]
static VIRTUALITIES: Words = words("DW_VIRTUALITY_", Some(2), &[
    "none", "virtual", "pure_virtual",
]);

/// What an entry about a macro says.
#[rustfmt::skip]
static MACRO_KINDS: Words = words("DW_MACINFO_", Some(255), &[
    "define", "undef", "start_file", "end_file", "vendor_ext",
]);

/// Flags of types and subprograms.
#[rustfmt::skip]
static NODE_FLAGS: Words = words("DIFlag", Some(u32::MAX as u64), &[
    "Private", "Protected", "Public", "FwdDecl", "AppleBlock", "ReservedBit4", "Virtual", "Artificial", "Explicit",
    "Prototyped", "ObjcClassComplete", "ObjectPointer", "Vector", "StaticMember", "LValueReference",
    "RValueReference", "ExportSymbols", "SingleInheritance", "MultipleInheritance", "VirtualInheritance",
    "IntroducedVirtual", "BitField", "NoReturn", "TypePassByValue", "TypePassByReference", "EnumClass", "Thunk",
    "NonTrivial", "BigEndian", "LittleEndian", "AllCallsDescribed", "IndirectVirtualBase",
]);

/// Flags of subprograms.
#[rustfmt::skip]
static SUBPROGRAM_FLAGS: Words = words("DISPFlag", Some(u32::MAX as u64), &[
    "Virtual", "PureVirtual", "LocalToUnit", "Definition", "Optimized", "Pure", "Elemental", "Recursive",
    "MainSubprogram", "Deleted", "ObjCDirect",
]);

/// How much debug information a unit has.
#[rustfmt::skip]
static EMISSION_KINDS: Words = words("", Some(3), &[
    "NoDebug", "FullDebug", "LineTablesOnly", "DebugDirectivesOnly",
]);

/// Tables of names.
#[rustfmt::skip]
static NAME_TABLE_KINDS: Words = words("", Some(3), &[
    "Default", "GNU", "None", "Apple",
]);

/// Checksums.
#[rustfmt::skip]
static CHECKSUM_KINDS: Words = words("CSK_", None, &[
    "MD5", "SHA1", "SHA256",
]);

/// Kinds of fixed-point types.
#[rustfmt::skip]
static FIXED_POINT_KINDS: Words = words("", Some(2), &[
    "Binary", "Decimal", "Rational",
]);

/// Kinds of enumerations.
#[rustfmt::skip]
static ENUM_KINDS: Words = words("DW_APPLE_ENUM_KIND_", Some(1), &[
    "Open", "Closed",
]);
