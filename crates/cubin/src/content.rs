//! What a section holds, typed where the format is a table.

use crate::info::{self, Record};
use crate::model::kind;
use object::elf;

/// What a section holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// So many zero bytes in memory, and none in the file.
    Zeros(u64),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A table of symbols.
    Symbols(Vec<Symbol>),
    /// Relocations.
    Relocations(Vec<Relocation>),
    /// Attributes.
    Info(Vec<Record>),
    /// Who calls whom.
    CallGraph(Vec<CallEdge>),
}

/// A symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Where its name starts in the string table.
    pub name: u32,
    /// Binding in the upper four bits, type in the lower.
    pub info: u8,
    /// Visibility in the lower two bits, `STO_CUDA_…` above.
    pub other: u8,
    /// Its section, or `SHN_…`.
    pub section: u16,
    /// Its offset in the section.
    pub value: u64,
    /// Its size.
    pub size: u64,
}

impl Symbol {
    /// The mark of a kernel in `other`.
    pub const ENTRY: u8 = 0x10;

    /// The mark of a variable that the host has at the same address.
    pub const MANAGED: u8 = 0x4;

    /// The empty symbol that every table starts with.
    pub fn null() -> Symbol {
        Symbol {
            name: 0,
            info: 0,
            other: 0,
            section: 0,
            value: 0,
            size: 0,
        }
    }

    /// `STB_…`.
    pub fn binding(&self) -> u8 {
        self.info >> 4
    }

    /// `STT_…`.
    pub fn kind(&self) -> u8 {
        self.info & 15
    }

    /// The words of `other` as nvdisasm prints them: what it is to CUDA, then its visibility.
    pub fn other_words(&self) -> Vec<&'static str> {
        let mut words = Vec::new();
        match self.other >> 5 {
            0 => {}
            1 => words.push("STO_CUDA_GLOBAL"),
            2 => words.push("STO_CUDA_SHARED"),
            3 => words.push("STO_CUDA_LOCAL"),
            4 => words.push("STO_CUDA_CONSTANT"),
            5 => words.push("STO_CUDA_RESERVED_SHARED"),
            _ => words.push("STO_CUDA_UNKNOWN"),
        }
        if self.other & Symbol::ENTRY != 0 {
            words.push("STO_CUDA_ENTRY");
        }
        if self.other & 0x8 != 0 {
            words.push("STO_CUDA_OBSCURE");
        }
        if self.other & 0x4 != 0 {
            words.push("STO_CUDA_MANAGED");
        }
        words.push(match self.other & 3 {
            0 => "STV_DEFAULT",
            1 => "STV_INTERNAL",
            2 => "STV_HIDDEN",
            _ => "STV_PROTECTED",
        });
        words
    }
}

/// A relocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// The place in the section that it changes.
    pub offset: u64,
    /// `R_CUDA_…`; [`crate::relocation::name`] names it.
    pub kind: u32,
    /// The symbol whose value goes there.
    pub symbol: u32,
    /// What is added, in a section with addends.
    pub addend: Option<i64>,
}

/// An entry of the call graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallEdge {
    /// The symbol of the caller; 0 in the four marks at the start.
    pub caller: u32,
    /// The symbol of the callee; -1 to -4 in the marks.
    pub callee: u32,
}

impl Content {
    /// What bytes of a section of a kind hold. They stay bytes where the typed form would not give them back.
    pub fn of(section_kind: u32, bytes: &[u8]) -> Content {
        let typed = match section_kind {
            elf::SHT_SYMTAB | kind::MERC_SYMBOLS => table(bytes, symbol).map(Content::Symbols),
            elf::SHT_REL => table(bytes, rel).map(Content::Relocations),
            elf::SHT_RELA | kind::MERC_RELA => table(bytes, rela).map(Content::Relocations),
            kind::CALL_GRAPH | kind::MERC_CALL_GRAPH => table(bytes, edge).map(Content::CallGraph),
            kind::INFO | kind::MERC_INFO | kind::COMPAT => info::read(bytes).map(Content::Info),
            _ => None,
        };
        typed.unwrap_or_else(|| Content::Bytes(bytes.to_vec()))
    }

    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        match self {
            Content::Zeros(size) => *size,
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Symbols(symbols) => symbols.len() as u64 * 24,
            Content::Relocations(all) => all
                .iter()
                .map(|one| if one.addend.is_some() { 24 } else { 16 })
                .sum(),
            Content::Info(records) => records.iter().map(|record| record.size() as u64).sum(),
            Content::CallGraph(edges) => edges.len() as u64 * 8,
        }
    }

    /// The bytes in the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Content::Zeros(_) => {}
            Content::Bytes(bytes) => out.extend_from_slice(bytes),
            Content::Symbols(symbols) => {
                for symbol in symbols {
                    out.extend(symbol.name.to_le_bytes());
                    out.extend([symbol.info, symbol.other]);
                    out.extend(symbol.section.to_le_bytes());
                    out.extend(symbol.value.to_le_bytes());
                    out.extend(symbol.size.to_le_bytes());
                }
            }
            Content::Relocations(all) => {
                for one in all {
                    out.extend(one.offset.to_le_bytes());
                    out.extend(one.kind.to_le_bytes());
                    out.extend(one.symbol.to_le_bytes());
                    if let Some(addend) = one.addend {
                        out.extend(addend.to_le_bytes());
                    }
                }
            }
            Content::Info(records) => {
                for record in records {
                    record.write(&mut out);
                }
            }
            Content::CallGraph(edges) => {
                for edge in edges {
                    out.extend(edge.caller.to_le_bytes());
                    out.extend(edge.callee.to_le_bytes());
                }
            }
        }
        out
    }
}

/// Entries of a fixed size that fill the bytes.
fn table<const SIZE: usize, T>(bytes: &[u8], entry: fn(&[u8; SIZE]) -> T) -> Option<Vec<T>> {
    let (entries, rest) = bytes.as_chunks::<SIZE>();
    rest.is_empty().then(|| entries.iter().map(entry).collect())
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

fn symbol(bytes: &[u8; 24]) -> Symbol {
    Symbol {
        name: u32_at(bytes, 0),
        info: bytes[4],
        other: bytes[5],
        section: u16_at(bytes, 6),
        value: u64_at(bytes, 8),
        size: u64_at(bytes, 16),
    }
}

fn rel(bytes: &[u8; 16]) -> Relocation {
    Relocation {
        offset: u64_at(bytes, 0),
        kind: u32_at(bytes, 8),
        symbol: u32_at(bytes, 12),
        addend: None,
    }
}

fn rela(bytes: &[u8; 24]) -> Relocation {
    Relocation {
        offset: u64_at(bytes, 0),
        kind: u32_at(bytes, 8),
        symbol: u32_at(bytes, 12),
        addend: Some(u64_at(bytes, 16) as i64),
    }
}

fn edge(bytes: &[u8; 8]) -> CallEdge {
    CallEdge {
        caller: u32_at(bytes, 0),
        callee: u32_at(bytes, 4),
    }
}
