//! The records of debug information: one row per kind of node.
//!
//! A record starts with a number whose lowest bit is `distinct`; further bits give its form. The rest are the fields in
//! the order of the row. Newer versions of LLVM add fields to the end, so a reader takes what is there.
//!
//! | not in a row | because |
//! |---|---|
//! | `DIExpression` | it has numbers only |
//! | `GenericDINode` | it has a list of operands |
//! | `DIEnumerator` | LLVM 22: width, name, words of the value; LLVM 7: value with its sign in the lowest bit, name |
//! | `DILocation` | its scope is a number of a node, not a number plus one |

use super::dwarf::{self, Words};
use super::record::metadata as code;

/// How a field is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// The number of the metadata plus one, zero for `null`.
    Md,
    /// The number of the string plus one, zero if there is none.
    Text,
    /// A number; the default if the node lacks the field.
    Number(u64),
    /// `true` or `false`; the default if the node lacks the field.
    Truth(bool),
    /// The number of a word, or a number; the default if the node lacks the field.
    Word(&'static Words, u64),
    /// Whether a word has this number: what was a flag before it was one of several words.
    Is(&'static Words, u64),
    /// The sum of the numbers of words.
    Flags(&'static Words),
    /// A number, or the number of metadata plus one if the form has [`SIZE_IS_METADATA`] (of a composite type:
    /// [`COMPOSITE_SIZE_IS_METADATA`]).
    Size,
    /// Metadata plus one; a number is a constant of type `i64`.
    Bound,
    /// A signed number, its sign in the lowest bit.
    Signed,
    /// A number plus one, zero if the node lacks the field.
    PlusOne,
    /// Nothing any more: this number.
    Unused(u64),
    /// A wide number: the width in bits and the number of words above it, then the words.
    Wide,
    /// The number of the checksum's kind.
    ChecksumKind,
    /// The language; the highest bit tells `sourceLanguageName` from `language`.
    Language,
    /// What a pointer is authenticated with, in bits: see [`POINTER_AUTHENTICATION`].
    PointerAuthentication,
    /// A number, all ones if the node lacks the field.
    OrAllOnes,
    /// Flags of a subprogram: `spFlags`, or made from the older fields.
    SubprogramFlags,
    /// One of the flags of a subprogram.
    SubprogramFlag(u64),
    /// A string that is only written if there is one; the last of a record.
    Last,
}

/// A field of a record and how it is written.
pub(crate) type Field = (&'static str, Slot);

/// The record of a kind of node.
#[derive(Debug)]
pub(crate) struct Row {
    /// The kind.
    pub(crate) kind: &'static str,
    /// The code.
    pub(crate) code: u32,
    /// The bits of the form as LLVM 22 writes it, without `distinct`.
    pub(crate) form: u64,
    /// The fields as LLVM 22 writes them.
    pub(crate) fields: &'static [Field],
    /// The form and the fields as LLVM 7 writes them, if it has the kind.
    pub(crate) llvm7: Option<(u64, &'static [Field])>,
}

/// The bit of the form that sizes are metadata.
pub(crate) const SIZE_IS_METADATA: u64 = 2;
/// The same of composite types.
pub(crate) const COMPOSITE_SIZE_IS_METADATA: u64 = 4;
/// The bit of the form of an enumerator that it is unsigned.
pub(crate) const UNSIGNED_ENUMERATOR: u64 = 2;
/// The bit of the form of an enumerator that its value is in words.
pub(crate) const WIDE_ENUMERATOR: u64 = 4;
/// The bit of the form of a namespace that it exports its symbols.
pub(crate) const EXPORTS_SYMBOLS: u64 = 2;
/// The bit of the form of a label that it is artificial.
pub(crate) const ARTIFICIAL_LABEL: u64 = 2;
/// The bits of the form of an expression: the third version.
pub(crate) const EXPRESSION_FORM: u64 = 3 << 1;
/// The bit of a language that it is a `sourceLanguageName`.
pub(crate) const LANGUAGE_NAME: u64 = 1 << 63;

/// What a pointer is authenticated with: the field, where its bits start and how many there are.
pub(crate) const POINTER_AUTHENTICATION: &[(&str, u32, u32)] = &[
    ("ptrAuthKey", 0, 4),
    ("ptrAuthIsAddressDiscriminated", 4, 1),
    ("ptrAuthExtraDiscriminator", 5, 16),
    ("ptrAuthIsaPointer", 21, 1),
    ("ptrAuthAuthenticatesNullValues", 22, 1),
];

/// Flags of a subprogram that were fields of their own before LLVM 8.
pub(crate) mod subprogram {
    /// `virtuality`
    pub(crate) const VIRTUALITY: u64 = 3;
    /// `isLocal`
    pub(crate) const LOCAL: u64 = 4;
    /// `isDefinition`
    pub(crate) const DEFINITION: u64 = 8;
    /// `isOptimized`
    pub(crate) const OPTIMIZED: u64 = 16;
}

const BASE_TYPE: u64 = 0x24;
const STRING_TYPE: u64 = 0x12;
const TEMPLATE_VALUE: u64 = 0x30;
const START_FILE: u64 = 3;
const GNU_NAMES: u64 = 1;
const NO_ENUM_KIND: u64 = 0xFFFF_FFFF;

/// The row of a kind.
pub(crate) fn row_of(kind: &[u8]) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.kind.as_bytes() == kind)
}

/// The row of a record.
pub(crate) fn row_of_code(code: u32) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.code == code)
}

const fn row(
    kind: &'static str,
    code: u32,
    form: u64,
    fields: &'static [Field],
    llvm7: Option<(u64, &'static [Field])>,
) -> Row {
    Row {
        kind,
        code,
        form,
        fields,
        llvm7,
    }
}

/// The rows.
#[rustfmt::skip]
pub(crate) static ROWS: &[Row] = {
    use Slot::*;
    const ZERO: Slot = Number(0);
    const FLAGS: Slot = Flags(&dwarf::NODE_FLAGS);
    const TAG: Slot = Word(&dwarf::TAGS, 0);
    &[
        row("DISubrange", code::SUBRANGE, 4, &[
            ("count", Bound), ("lowerBound", Bound), ("upperBound", Bound), ("stride", Bound),
        ], Some((2, &[("count", Bound), ("lowerBound", Signed)]))),
        row("DIGenericSubrange", code::GENERIC_SUBRANGE, 0, &[
            ("count", Bound), ("lowerBound", Bound), ("upperBound", Bound), ("stride", Bound),
        ], None),
        row("DIBasicType", code::BASIC_TYPE, 0, &[
            ("tag", Word(&dwarf::TAGS, BASE_TYPE)), ("name", Text), ("size", Size), ("align", ZERO),
            ("encoding", Word(&dwarf::ENCODINGS, 0)), ("flags", FLAGS), ("num_extra_inhabitants", ZERO),
            ("dataSize", ZERO),
        ], Some((0, &[
            ("tag", Word(&dwarf::TAGS, BASE_TYPE)), ("name", Text), ("size", Size), ("align", ZERO),
            ("encoding", Word(&dwarf::ENCODINGS, 0)),
        ]))),
        row("DIFixedPointType", code::FIXED_POINT_TYPE, 0, &[
            ("tag", Word(&dwarf::TAGS, BASE_TYPE)), ("name", Text), ("size", Size), ("align", ZERO),
            ("encoding", Word(&dwarf::ENCODINGS, 0)), ("flags", FLAGS), ("kind", Word(&dwarf::FIXED_POINT_KINDS, 0)),
            ("factor", ZERO), ("numerator", Wide), ("denominator", Wide),
        ], None),
        row("DIStringType", code::STRING_TYPE, 0, &[
            ("tag", Word(&dwarf::TAGS, STRING_TYPE)), ("name", Text), ("stringLength", Md),
            ("stringLengthExpression", Md), ("stringLocationExpression", Md), ("size", Size), ("align", ZERO),
            ("encoding", Word(&dwarf::ENCODINGS, 0)),
        ], None),
        row("DIDerivedType", code::DERIVED_TYPE, 0, &[
            ("tag", TAG), ("name", Text), ("file", Md), ("line", ZERO), ("scope", Md), ("baseType", Md), ("size", Size),
            ("align", ZERO), ("offset", Size), ("flags", FLAGS), ("extraData", Md), ("dwarfAddressSpace", PlusOne),
            ("annotations", Md), ("", PointerAuthentication),
        ], Some((0, &[
            ("tag", TAG), ("name", Text), ("file", Md), ("line", ZERO), ("scope", Md), ("baseType", Md), ("size", Size),
            ("align", ZERO), ("offset", Size), ("flags", FLAGS), ("extraData", Md), ("dwarfAddressSpace", PlusOne),
        ]))),
        row("DISubrangeType", code::SUBRANGE_TYPE, 0, &[
            ("name", Text), ("file", Md), ("line", ZERO), ("scope", Md), ("size", Size), ("align", ZERO),
            ("flags", FLAGS), ("baseType", Md), ("lowerBound", Bound), ("upperBound", Bound), ("stride", Bound),
            ("bias", Bound),
        ], None),
        row("DICompositeType", code::COMPOSITE_TYPE, 2, &[
            ("tag", TAG), ("name", Text), ("file", Md), ("line", ZERO), ("scope", Md), ("baseType", Md), ("size", Size),
            ("align", ZERO), ("offset", Size), ("flags", FLAGS), ("elements", Md),
            ("runtimeLang", Word(&dwarf::LANGUAGES, 0)), ("vtableHolder", Md), ("templateParams", Md),
            ("identifier", Text), ("discriminator", Md), ("dataLocation", Md), ("associated", Md), ("allocated", Md),
            ("rank", Bound), ("annotations", Md), ("num_extra_inhabitants", ZERO), ("specification", Md),
            ("enumKind", Word(&dwarf::ENUM_KINDS, NO_ENUM_KIND)), ("bitStride", Bound),
        ], Some((2, &[
            ("tag", TAG), ("name", Text), ("file", Md), ("line", ZERO), ("scope", Md), ("baseType", Md), ("size", Size),
            ("align", ZERO), ("offset", Size), ("flags", FLAGS), ("elements", Md),
            ("runtimeLang", Word(&dwarf::LANGUAGES, 0)), ("vtableHolder", Md), ("templateParams", Md),
            ("identifier", Text), ("discriminator", Md),
        ]))),
        row("DISubroutineType", code::SUBROUTINE_TYPE, 2, &[
            ("flags", FLAGS), ("types", Md), ("cc", Word(&dwarf::CONVENTIONS, 0)),
        ], Some((2, &[("flags", FLAGS), ("types", Md), ("cc", Word(&dwarf::CONVENTIONS, 0))]))),
        row("DIFile", code::FILE, 0, &[
            ("filename", Text), ("directory", Text), ("checksumkind", ChecksumKind), ("checksum", Text), ("source", Last),
        ], Some((0, &[
            ("filename", Text), ("directory", Text), ("checksumkind", ChecksumKind), ("checksum", Text), ("source", Last),
        ]))),
        row("DICompileUnit", code::COMPILE_UNIT, 0, &[
            ("language", Language), ("file", Md), ("producer", Text), ("isOptimized", Truth(false)), ("flags", Text),
            ("runtimeVersion", ZERO), ("splitDebugFilename", Text), ("emissionKind", Word(&dwarf::EMISSION_KINDS, 0)),
            ("enums", Md), ("retainedTypes", Md), ("", Unused(0)), ("globals", Md), ("imports", Md), ("dwoId", ZERO),
            ("macros", Md), ("splitDebugInlining", Truth(true)), ("debugInfoForProfiling", Truth(false)),
            ("nameTableKind", Word(&dwarf::NAME_TABLE_KINDS, 0)), ("rangesBaseAddress", Truth(false)),
            ("sysroot", Text), ("sdk", Text), ("sourceLanguageVersion", ZERO),
        ], Some((0, &[
            ("language", Language), ("file", Md), ("producer", Text), ("isOptimized", Truth(false)), ("flags", Text),
            ("runtimeVersion", ZERO), ("splitDebugFilename", Text), ("emissionKind", Word(&dwarf::EMISSION_KINDS, 0)),
            ("enums", Md), ("retainedTypes", Md), ("", Unused(0)), ("globals", Md), ("imports", Md), ("dwoId", ZERO),
            ("macros", Md), ("splitDebugInlining", Truth(true)), ("debugInfoForProfiling", Truth(false)),
            ("nameTableKind", Is(&dwarf::NAME_TABLE_KINDS, GNU_NAMES)),
        ]))),
        row("DISubprogram", code::SUBPROGRAM, 6, &[
            ("scope", Md), ("name", Text), ("linkageName", Text), ("file", Md), ("line", ZERO), ("type", Md),
            ("scopeLine", ZERO), ("containingType", Md), ("spFlags", SubprogramFlags), ("virtualIndex", ZERO),
            ("flags", FLAGS), ("unit", Md), ("templateParams", Md), ("declaration", Md), ("retainedNodes", Md),
            ("thisAdjustment", ZERO), ("thrownTypes", Md), ("annotations", Md), ("targetFuncName", Text),
            ("keyInstructions", Truth(false)),
        ], Some((2, &[
            ("scope", Md), ("name", Text), ("linkageName", Text), ("file", Md), ("line", ZERO), ("type", Md),
            ("", SubprogramFlag(subprogram::LOCAL)), ("", SubprogramFlag(subprogram::DEFINITION)), ("scopeLine", ZERO),
            ("containingType", Md), ("", SubprogramFlag(subprogram::VIRTUALITY)), ("virtualIndex", ZERO),
            ("flags", FLAGS), ("", SubprogramFlag(subprogram::OPTIMIZED)), ("unit", Md), ("templateParams", Md),
            ("declaration", Md), ("retainedNodes", Md), ("thisAdjustment", ZERO), ("thrownTypes", Md),
        ]))),
        row("DILexicalBlock", code::LEXICAL_BLOCK, 0, &[
            ("scope", Md), ("file", Md), ("line", ZERO), ("column", ZERO),
        ], Some((0, &[("scope", Md), ("file", Md), ("line", ZERO), ("column", ZERO)]))),
        row("DILexicalBlockFile", code::LEXICAL_BLOCK_FILE, 0, &[
            ("scope", Md), ("file", Md), ("discriminator", ZERO),
        ], Some((0, &[("scope", Md), ("file", Md), ("discriminator", ZERO)]))),
        row("DICommonBlock", code::COMMON_BLOCK, 0, &[
            ("scope", Md), ("declaration", Md), ("name", Text), ("file", Md), ("line", ZERO),
        ], None),
        row("DINamespace", code::NAMESPACE, 0, &[("scope", Md), ("name", Text)],
            Some((0, &[("scope", Md), ("name", Text)]))),
        row("DIMacro", code::MACRO, 0, &[
            ("type", Word(&dwarf::MACRO_KINDS, 0)), ("line", ZERO), ("name", Text), ("value", Text),
        ], Some((0, &[
            ("type", Word(&dwarf::MACRO_KINDS, 0)), ("line", ZERO), ("name", Text), ("value", Text),
        ]))),
        row("DIMacroFile", code::MACRO_FILE, 0, &[
            ("type", Word(&dwarf::MACRO_KINDS, START_FILE)), ("line", ZERO), ("file", Md), ("nodes", Md),
        ], Some((0, &[
            ("type", Word(&dwarf::MACRO_KINDS, START_FILE)), ("line", ZERO), ("file", Md), ("nodes", Md),
        ]))),
        row("DIModule", code::MODULE, 0, &[
            ("file", Md), ("scope", Md), ("name", Text), ("configMacros", Text), ("includePath", Text),
            ("apinotes", Text), ("line", ZERO), ("isDecl", Truth(false)),
        ], Some((0, &[
            ("scope", Md), ("name", Text), ("configMacros", Text), ("includePath", Text), ("", Unused(0)),
        ]))),
        row("DITemplateTypeParameter", code::TEMPLATE_TYPE, 0, &[
            ("name", Text), ("type", Md), ("defaulted", Truth(false)),
        ], Some((0, &[("name", Text), ("type", Md)]))),
        row("DITemplateValueParameter", code::TEMPLATE_VALUE, 0, &[
            ("tag", Word(&dwarf::TAGS, TEMPLATE_VALUE)), ("name", Text), ("type", Md), ("defaulted", Truth(false)),
            ("value", Md),
        ], Some((0, &[
            ("tag", Word(&dwarf::TAGS, TEMPLATE_VALUE)), ("name", Text), ("type", Md), ("value", Md),
        ]))),
        row("DIGlobalVariable", code::GLOBAL_VAR, 4, &[
            ("scope", Md), ("name", Text), ("linkageName", Text), ("file", Md), ("line", ZERO), ("type", Md),
            ("isLocal", Truth(false)), ("isDefinition", Truth(true)), ("declaration", Md), ("templateParams", Md),
            ("align", ZERO), ("annotations", Md),
        ], Some((2, &[
            ("scope", Md), ("name", Text), ("linkageName", Text), ("file", Md), ("line", ZERO), ("type", Md),
            ("isLocal", Truth(false)), ("isDefinition", Truth(true)), ("", Unused(0)), ("declaration", Md),
            ("align", ZERO),
        ]))),
        row("DILocalVariable", code::LOCAL_VAR, 2, &[
            ("scope", Md), ("name", Text), ("file", Md), ("line", ZERO), ("type", Md), ("arg", ZERO), ("flags", FLAGS),
            ("align", ZERO), ("annotations", Md),
        ], Some((2, &[
            ("scope", Md), ("name", Text), ("file", Md), ("line", ZERO), ("type", Md), ("arg", ZERO), ("flags", FLAGS),
            ("align", ZERO),
        ]))),
        row("DILabel", code::LABEL, 0, &[
            ("scope", Md), ("name", Text), ("file", Md), ("line", ZERO), ("column", ZERO), ("coroSuspendIdx", OrAllOnes),
        ], Some((0, &[("scope", Md), ("name", Text), ("file", Md), ("line", ZERO)]))),
        row("DIGlobalVariableExpression", code::GLOBAL_VAR_EXPR, 0, &[("var", Md), ("expr", Md)],
            Some((0, &[("var", Md), ("expr", Md)]))),
        row("DIObjCProperty", code::OBJC_PROPERTY, 0, &[
            ("name", Text), ("file", Md), ("line", ZERO), ("setter", Text), ("getter", Text), ("attributes", ZERO),
            ("type", Md),
        ], Some((0, &[
            ("name", Text), ("file", Md), ("line", ZERO), ("setter", Text), ("getter", Text), ("attributes", ZERO),
            ("type", Md),
        ]))),
        row("DIImportedEntity", code::IMPORTED_ENTITY, 0, &[
            ("tag", TAG), ("scope", Md), ("entity", Md), ("line", ZERO), ("name", Text), ("file", Md), ("elements", Md),
        ], Some((0, &[
            ("tag", TAG), ("scope", Md), ("entity", Md), ("line", ZERO), ("name", Text), ("file", Md),
        ]))),
        row("DIAssignID", code::ASSIGN_ID, 0, &[], None),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_kind_and_by_code() {
        for row in ROWS {
            assert!(std::ptr::eq(row_of(row.kind.as_bytes()).unwrap(), row));
            assert!(std::ptr::eq(row_of_code(row.code).unwrap(), row));
            assert_eq!(row.form & 1, 0, "{}", row.kind);
        }
        assert!(row_of(b"DIExpression").is_none());
    }
}
