//! The numbers of bitcode: one table per enumeration, for the reader and the writer.
//!
//! The numbers are those of LLVM, where they are permanent: a newer version adds to the end.
//!
//! | module | has |
//! |---|---|
//! | [`record`] | blocks and their records |
//! | [`operation`] | opcodes, predicates, orders, flags of instructions |
//! | [`global`] | linkage and the other properties of globals |
//! | [`attribute`] | kinds of attributes and what their records hold |
//! | [`debug`] | records of debug information, a row per kind of node |
//! | [`dwarf`] | words of debug information and their numbers |

pub(crate) mod attribute;
pub(crate) mod debug;
pub(crate) mod dwarf;
pub(crate) mod global;
pub(crate) mod operation;
pub(crate) mod record;

/// The two bytes and two nibble pairs that bitcode starts with: `'B' 'C' 0xC0DE`.
pub(crate) const MAGIC: [u8; 4] = [b'B', b'C', 0xC0, 0xDE];
/// What a wrapper around bitcode starts with, little-endian.
pub(crate) const WRAPPER_MAGIC: u32 = 0x0B17_C0DE;
/// The width of abbreviation numbers outside of all blocks.
pub(crate) const TOP_ABBREVIATION_WIDTH: u32 = 2;
/// The only epoch there has been.
pub(crate) const EPOCH: u64 = 0;

/// Abbreviation numbers that every block has.
pub(crate) mod abbreviation {
    /// The end of a block.
    pub(crate) const END_BLOCK: u64 = 0;
    /// A block in the block.
    pub(crate) const ENTER_SUBBLOCK: u64 = 1;
    /// The definition of an abbreviation.
    pub(crate) const DEFINE_ABBREV: u64 = 2;
    /// A record without an abbreviation.
    pub(crate) const UNABBREV_RECORD: u64 = 3;
    /// The first number that is defined.
    pub(crate) const FIRST_DEFINED: u64 = 4;

    /// How an operand of an abbreviation is encoded.
    pub(crate) mod encoding {
        /// A number of a given width.
        pub(crate) const FIXED: u64 = 1;
        /// A variable bit rate number of a given chunk width.
        pub(crate) const VBR: u64 = 2;
        /// A length, then elements of the next operand's encoding.
        pub(crate) const ARRAY: u64 = 3;
        /// `[a-zA-Z0-9._]` in six bits.
        pub(crate) const CHAR6: u64 = 4;
        /// A length, then bytes on a boundary of 32 bits.
        pub(crate) const BLOB: u64 = 5;
    }

    /// The characters of [`encoding::CHAR6`] by their numbers.
    pub(crate) const CHAR6: &[u8; 64] =
        b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
}
