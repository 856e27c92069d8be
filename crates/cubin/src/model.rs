//! The plain model of a cubin.

use crate::content::{Content, Symbol};
use crate::flags::Generation;
use object::elf;
use std::borrow::Cow;

/// A cubin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cubin {
    /// What the header says.
    pub header: Header,
    /// The sections, in the order of the file. The first is the empty one that ELF wants: indices in links and
    /// symbols are positions here.
    pub sections: Vec<Section>,
    /// The segments.
    pub segments: Vec<Segment>,
    /// How long the file is.
    pub length: u64,
    /// Bytes that belong to no part and are not zero, with their places.
    pub strays: Vec<(u64, Vec<u8>)>,
}

/// The ELF header, without what follows from the rest of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The operating system's byte: it says how `flags` is read, see [`Generation`].
    pub os_abi: u8,
    /// The version of the format.
    pub abi_version: u8,
    /// `ET_EXEC`, or `ET_REL` for `ptxas -c`.
    pub kind: u16,
    /// The machine, 190.
    pub machine: u16,
    /// The version of ELF's structures, 1; cubins of older tools have the toolkit's version here.
    pub version: u32,
    /// The entry point, 0.
    pub entry: u64,
    /// The chip and more.
    pub flags: u32,
    /// Where the section headers are.
    pub section_table: u64,
    /// Where the program headers are.
    pub segment_table: u64,
    /// The size of a program header: 56, or 0 in objects, which have none.
    pub segment_entry_size: u16,
    /// Which section holds the names of the sections.
    pub names: u16,
}

/// A section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Where its name starts in the section of names; see [`Cubin::section_name`].
    pub name: u32,
    /// `SHT_…`.
    pub kind: u32,
    /// `SHF_…`.
    pub flags: u64,
    /// Its address, 0 in a cubin.
    pub address: u64,
    /// Where it is in the file.
    pub offset: u64,
    /// A section that it refers to.
    pub link: u32,
    /// A section or symbol that it is about; the registers stand in the upper byte for code of older chips.
    pub info: u32,
    /// What its place is a multiple of.
    pub align: u64,
    /// The size of an entry, for tables.
    pub entry_size: u64,
    /// What it holds.
    pub content: Content,
}

/// A segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// `PT_…`.
    pub kind: u32,
    /// `PF_…`.
    pub flags: u32,
    /// Where it is in the file.
    pub offset: u64,
    /// Its virtual address.
    pub virtual_address: u64,
    /// Its physical address.
    pub physical_address: u64,
    /// Its bytes in the file.
    pub file_size: u64,
    /// Its bytes in memory.
    pub memory_size: u64,
    /// What its place is a multiple of.
    pub align: u64,
}

/// Kinds of sections that only cubins have.
pub mod kind {
    /// `.nv.info` and `.nv.info.KERNEL`.
    pub const INFO: u32 = 0x7000_0000;
    /// Bank 0 of constants, in objects; the other banks follow.
    pub const CONSTANT_BANK: u32 = 0x7000_0064;
    /// `.nv.prototype`.
    pub const PROTOTYPE: u32 = 0x7000_0002;
    /// `.nv.callgraph`.
    pub const CALL_GRAPH: u32 = 0x7000_0001;
    /// Variables in global memory without a start value, in objects.
    pub const GLOBAL: u32 = 0x7000_0007;
    /// Variables in global memory with a start value, in objects.
    pub const GLOBAL_INIT: u32 = 0x7000_0008;
    /// Variables that several programs share.
    pub const UNIFIED_DATA: u32 = 0x7000_0012;
    /// The numbers by which programs know the variables that they share.
    pub const UNIFIED_DATA_ENTRIES: u32 = 0x7000_0014;
    /// Local memory, in objects.
    pub const LOCAL: u32 = 0x7000_0009;
    /// Variables in shared memory, in objects.
    pub const SHARED: u32 = 0x7000_000a;
    /// Shared memory that the system takes, in objects.
    pub const RESERVED_SHARED: u32 = 0x7000_0015;
    /// Relocations of the second form of the code (`.nv.merc.rela.…`).
    pub const MERC_RELA: u32 = 0x7000_0082;
    /// Attributes of the second form of the code.
    pub const MERC_INFO: u32 = 0x7000_0083;
    /// Symbols of the second form of the code.
    pub const MERC_SYMBOLS: u32 = 0x7000_0085;
    /// `.nv.compat`.
    pub const COMPAT: u32 = 0x7000_0086;
    /// The call graph of the second form of the code.
    pub const MERC_CALL_GRAPH: u32 = 0x7000_008a;
}

/// No name is longer; a table without an end must not be read again for every symbol.
const LONGEST_NAME: usize = 1 << 15;

/// Whether sections of a kind take no room in the file.
pub fn takes_no_room(section_kind: u32) -> bool {
    matches!(
        section_kind,
        elf::SHT_NOBITS
            | elf::SHT_NULL
            | kind::GLOBAL
            | kind::LOCAL
            | kind::SHARED
            | kind::RESERVED_SHARED
    )
}

impl Section {
    /// The empty section that every file starts with.
    pub fn null() -> Section {
        Section {
            name: 0,
            kind: elf::SHT_NULL,
            flags: 0,
            address: 0,
            offset: 0,
            link: 0,
            info: 0,
            align: 0,
            entry_size: 0,
            content: Content::Zeros(0),
        }
    }

    /// Whether it takes no room in the file.
    pub fn is_empty_in_file(&self) -> bool {
        takes_no_room(self.kind)
    }

    /// Whether it holds instructions.
    pub fn is_code(&self) -> bool {
        self.kind == elf::SHT_PROGBITS && self.flags & u64::from(elf::SHF_EXECINSTR) != 0
    }

    /// How many bytes it has (in memory, for a section without bytes in the file).
    pub fn size(&self) -> u64 {
        self.content.size()
    }
}

impl Cubin {
    /// The kind of header.
    pub fn generation(&self) -> Option<Generation> {
        Generation::of(self.header.os_abi)
    }

    /// The name of a section; empty if it has none.
    pub fn section_name(&self, section: &Section) -> Cow<'_, str> {
        self.text_in(usize::from(self.header.names), section.name)
            .unwrap_or_default()
    }

    /// A section by name, with its index.
    pub fn section(&self, name: &str) -> Option<(usize, &Section)> {
        self.sections
            .iter()
            .enumerate()
            .skip(1)
            .find(|(_, section)| self.section_name(section) == name)
    }

    /// The table of symbols, with its section's index.
    pub fn symbols(&self) -> (usize, &[Symbol]) {
        self.sections
            .iter()
            .enumerate()
            .find_map(|(index, section)| match &section.content {
                Content::Symbols(symbols) if section.kind == elf::SHT_SYMTAB => {
                    Some((index, symbols.as_slice()))
                }
                _ => None,
            })
            .unwrap_or((0, &[]))
    }

    /// The name of a symbol: its own, or the section's for a symbol that stands for one without a name.
    pub fn symbol_name(&self, symbol: &Symbol) -> Cow<'_, str> {
        let (table, _) = self.symbols();
        let strings = self.sections.get(table).map_or(0, |table| table.link);
        self.text_in(strings as usize, symbol.name)
            .unwrap_or_default()
    }

    /// The bytes of the string at a place of a string table; none if there is no such string.
    pub fn bytes_in(&self, section: usize, at: u32) -> &[u8] {
        let content = self.sections.get(section).map(|section| &section.content);
        let Some(Content::Bytes(bytes)) = content else {
            return &[];
        };
        let rest = bytes.get(at as usize..).unwrap_or(&[]);
        let end = rest.iter().position(|&byte| byte == 0);
        &rest[..end.unwrap_or(0)]
    }

    /// The text at a place of a string table, if it ends there and is not longer than any name.
    pub fn text_in(&self, section: usize, at: u32) -> Option<Cow<'_, str>> {
        let Content::Bytes(bytes) = &self.sections.get(section)?.content else {
            return None;
        };
        let rest = bytes.get(at as usize..)?;
        let rest = &rest[..rest.len().min(LONGEST_NAME)];
        let end = rest.iter().position(|&byte| byte == 0)?;
        Some(String::from_utf8_lossy(&rest[..end]))
    }
}
