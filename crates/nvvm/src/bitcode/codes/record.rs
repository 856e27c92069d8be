//! Blocks and their records.

/// Defines the records of blocks: a module per block with a constant per record, and the names of all.
macro_rules! records {
    ($($(#[$doc:meta])* $module:ident $block:ident = $id:literal { $($record:ident = $code:literal)* })*) => {
        /// Numbers of blocks.
        pub(crate) mod block {
            $($(#[$doc])* pub(crate) const $block: u32 = $id;)*
        }

        $($(#[$doc])* pub(crate) mod $module {
            $(#[doc = concat!("`", stringify!($record), "`")] pub(crate) const $record: u32 = $code;)*
        })*

        /// The name of a block, for messages.
        pub(crate) fn block_name(block: u32) -> Option<&'static str> {
            match block {
                $($id => Some(stringify!($block)),)*
                _ => None,
            }
        }

        /// The name of a record of a block, for messages.
        #[allow(clippy::too_many_lines)]
        pub(crate) fn record_name(block: u32, code: u32) -> Option<&'static str> {
            match (block, code) {
                $($(($id, $code) => Some(stringify!($record)),)*)*
                _ => None,
            }
        }
    };
}

records! {
    /// Abbreviations of other blocks.
    blockinfo BLOCKINFO = 0 { SETBID = 1 BLOCKNAME = 2 SETRECORDNAME = 3 }
    /// The module.
    module MODULE = 8 {
        VERSION = 1 TRIPLE = 2 DATALAYOUT = 3 ASM = 4 SECTIONNAME = 5 DEPLIB = 6 GLOBALVAR = 7 FUNCTION = 8
        ALIAS_OLD = 9 PURGEVALS = 10 GCNAME = 11 COMDAT = 12 VSTOFFSET = 13 ALIAS = 14 METADATA_VALUES_UNUSED = 15
        SOURCE_FILENAME = 16 HASH = 17 IFUNC = 18
    }
    /// Lists of attributes.
    paramattr PARAMATTR = 9 { ENTRY_OLD = 1 ENTRY = 2 }
    /// Sets of attributes.
    paramattr_group PARAMATTR_GROUP = 10 { ENTRY = 3 }
    /// Constants.
    constants CONSTANTS = 11 {
        SETTYPE = 1 NULL = 2 UNDEF = 3 INTEGER = 4 WIDE_INTEGER = 5 FLOAT = 6 AGGREGATE = 7 STRING = 8 CSTRING = 9
        CE_BINOP = 10 CE_CAST = 11 CE_GEP_OLD = 12 CE_SELECT = 13 CE_EXTRACTELT = 14 CE_INSERTELT = 15
        CE_SHUFFLEVEC = 16 CE_CMP = 17 INLINEASM_OLD = 18 CE_SHUFVEC_EX = 19 CE_INBOUNDS_GEP = 20 BLOCKADDRESS = 21
        DATA = 22 INLINEASM_OLD2 = 23 CE_GEP_WITH_INRANGE_INDEX_OLD = 24 CE_UNOP = 25 POISON = 26
        DSO_LOCAL_EQUIVALENT = 27 INLINEASM_OLD3 = 28 NO_CFI_VALUE = 29 INLINEASM = 30 CE_GEP_WITH_INRANGE = 31
        CE_GEP = 32 PTRAUTH = 33 PTRAUTH2 = 34 BYTE = 35 WIDE_BYTE = 36
    }
    /// The body of a function.
    function FUNCTION = 12 {
        DECLAREBLOCKS = 1 BINOP = 2 CAST = 3 GEP_OLD = 4 SELECT = 5 EXTRACTELT = 6 INSERTELT = 7 SHUFFLEVEC = 8
        CMP = 9 RET = 10 BR = 11 SWITCH = 12 INVOKE = 13 UNREACHABLE = 15 PHI = 16 ALLOCA = 19 LOAD = 20 VAARG = 23
        STORE_OLD = 24 EXTRACTVAL = 26 INSERTVAL = 27 CMP2 = 28 VSELECT = 29 INBOUNDS_GEP_OLD = 30 INDIRECTBR = 31
        DEBUG_LOC_AGAIN = 33 CALL = 34 DEBUG_LOC = 35 FENCE = 36 CMPXCHG_OLD = 37 ATOMICRMW_OLD = 38 RESUME = 39
        LANDINGPAD_OLD = 40 LOADATOMIC = 41 STOREATOMIC_OLD = 42 GEP = 43 STORE = 44 STOREATOMIC = 45 CMPXCHG = 46
        LANDINGPAD = 47 CLEANUPRET = 48 CATCHRET = 49 CATCHPAD = 50 CLEANUPPAD = 51 CATCHSWITCH = 52
        OPERAND_BUNDLE = 55 UNOP = 56 CALLBR = 57 FREEZE = 58 ATOMICRMW = 59 BLOCKADDR_USERS = 60
        DEBUG_RECORD_VALUE = 61 DEBUG_RECORD_DECLARE = 62 DEBUG_RECORD_ASSIGN = 63 DEBUG_RECORD_VALUE_SIMPLE = 64
        DEBUG_RECORD_LABEL = 65 DEBUG_RECORD_DECLARE_VALUE = 66
    }
    /// Who wrote the file.
    identification IDENTIFICATION = 13 { STRING = 1 EPOCH = 2 }
    /// Names of values.
    value_symtab VALUE_SYMTAB = 14 { ENTRY = 1 BBENTRY = 2 FNENTRY = 3 COMBINED_ENTRY = 5 }
    /// Metadata.
    metadata METADATA = 15 {
        STRING_OLD = 1 VALUE = 2 NODE = 3 NAME = 4 DISTINCT_NODE = 5 KIND = 6 LOCATION = 7 OLD_NODE = 8
        OLD_FN_NODE = 9 NAMED_NODE = 10 ATTACHMENT = 11 GENERIC_DEBUG = 12 SUBRANGE = 13 ENUMERATOR = 14
        BASIC_TYPE = 15 FILE = 16 DERIVED_TYPE = 17 COMPOSITE_TYPE = 18 SUBROUTINE_TYPE = 19 COMPILE_UNIT = 20
        SUBPROGRAM = 21 LEXICAL_BLOCK = 22 LEXICAL_BLOCK_FILE = 23 NAMESPACE = 24 TEMPLATE_TYPE = 25
        TEMPLATE_VALUE = 26 GLOBAL_VAR = 27 LOCAL_VAR = 28 EXPRESSION = 29 OBJC_PROPERTY = 30 IMPORTED_ENTITY = 31
        MODULE = 32 MACRO = 33 MACRO_FILE = 34 STRINGS = 35 GLOBAL_DECL_ATTACHMENT = 36 GLOBAL_VAR_EXPR = 37
        INDEX_OFFSET = 38 INDEX = 39 LABEL = 40 STRING_TYPE = 41 COMMON_BLOCK = 44 GENERIC_SUBRANGE = 45
        ARG_LIST = 46 ASSIGN_ID = 47 SUBRANGE_TYPE = 48 FIXED_POINT_TYPE = 49
    }
    /// Metadata of a function and its instructions.
    metadata_attachment METADATA_ATTACHMENT = 16 { ATTACHMENT = 11 }
    /// Types.
    types TYPE = 17 {
        NUMENTRY = 1 VOID = 2 FLOAT = 3 DOUBLE = 4 LABEL = 5 OPAQUE = 6 INTEGER = 7 POINTER = 8 FUNCTION_OLD = 9
        HALF = 10 ARRAY = 11 VECTOR = 12 X86_FP80 = 13 FP128 = 14 PPC_FP128 = 15 METADATA = 16 X86_MMX = 17
        STRUCT_ANON = 18 STRUCT_NAME = 19 STRUCT_NAMED = 20 FUNCTION = 21 TOKEN = 22 BFLOAT = 23 X86_AMX = 24
        OPAQUE_POINTER = 25 TARGET_TYPE = 26 BYTE = 27
    }
    /// Orders of uses.
    uselist USELIST = 18 { DEFAULT = 1 BB = 2 }
    /// Modules that a combined summary is about.
    module_strtab MODULE_STRTAB = 19 { ENTRY = 1 HASH = 2 }
    /// Summaries of globals for link-time optimisation.
    summary GLOBALVAL_SUMMARY = 20 { }
    /// Tags of operand bundles.
    bundle_tags OPERAND_BUNDLE_TAGS = 21 { TAG = 1 }
    /// Kinds of metadata.
    metadata_kind METADATA_KIND = 22 { KIND = 6 }
    /// Names of globals.
    strtab STRTAB = 23 { BLOB = 1 }
    /// Summaries of globals for full link-time optimisation.
    full_summary FULL_LTO_GLOBALVAL_SUMMARY = 24 { }
    /// A symbol table for linkers.
    symtab SYMTAB = 25 { BLOB = 1 }
    /// Names of synchronisation scopes.
    sync_scope_names SYNC_SCOPE_NAMES = 26 { NAME = 1 }
}

/// Fixed numbers in records.
pub(crate) mod number {
    /// The module's version from which on operands are relative to the instruction.
    pub(crate) const RELATIVE_IDS: u64 = 1;
    /// The module's version from which on names of globals are in the string table.
    pub(crate) const STRING_TABLE: u64 = 2;
    /// The bit in operands of bundles that are metadata.
    pub(crate) const BUNDLE_METADATA: u64 = 0x8000_0000;
    /// The index of the attributes of a function in a group; the result is 0, parameters start at 1.
    pub(crate) const FUNCTION_ATTRIBUTES: u64 = 0xFFFF_FFFF;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_records_have_names() {
        assert_eq!(block_name(block::MODULE), Some("MODULE"));
        assert_eq!(record_name(block::FUNCTION, function::CALL), Some("CALL"));
        assert_eq!(record_name(block::SYMTAB, 7), None);
    }
}
