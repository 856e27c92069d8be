//! LLVM bitcode: the binary form of LLVM IR.
//!
//! ```text
//!   file ─ wrapper? ─ 'BC' C0DE
//!          ├ IDENTIFICATION   producer, epoch
//!          ├ MODULE           ─ BLOCKINFO  PARAMATTR_GROUP  PARAMATTR  TYPE
//!          │                    records: triple, layout, globals, functions, aliases
//!          │                    CONSTANTS  METADATA_KIND  METADATA  OPERAND_BUNDLE_TAGS  SYNC_SCOPE_NAMES
//!          │                    FUNCTION  ─ CONSTANTS  METADATA  instructions  VALUE_SYMTAB
//!          │                                METADATA_ATTACHMENT  USELIST
//!          ├ STRTAB           the names of globals
//!          └ SYMTAB           a symbol table for linkers, which is not read
//! ```
//!
//! The numbers of blocks, records, opcodes and enumerations are in `codes`: one table each, for the
//! reader and the writer.

// The tables have all numbers of the format, whether or not something uses them.
#[allow(dead_code)]
pub(crate) mod codes;
mod llvm7;
mod read;
mod stream;
mod write;

pub use read::{is_bitcode, read_bitcode, read_modules};
pub use write::{BitcodeOptions, Dialect, write_bitcode};
