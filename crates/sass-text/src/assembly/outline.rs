//! What follows from the names in a cubin: the kind of a section, what it is linked to, what it is about.
//!
//! Printer and reader ask the same questions here. What the answer is for a file, the text leaves out.

use object::elf;
use std::collections::HashMap;
use warpc_cubin::MERC;
use warpc_cubin::Symbol;
use warpc_cubin::kind;

/// Names of sections and symbols.
#[derive(Default)]
pub(super) struct Outline {
    /// Whether the chip is older than sm_90, whose files differ a little.
    pub is_old: bool,
    /// The names of the sections.
    pub names: Vec<Vec<u8>>,
    /// The first section of a name.
    sections: HashMap<Vec<u8>, usize>,
    /// The tables of symbols, by their section.
    pub tables: HashMap<usize, Table>,
}

/// A table of symbols.
#[derive(Default)]
pub(super) struct Table {
    /// The symbols' names.
    pub names: Vec<Vec<u8>>,
    /// The only symbol of a name; nothing for a name of several.
    numbers: HashMap<Vec<u8>, Option<u32>>,
}

impl Table {
    pub fn new(names: Vec<Vec<u8>>) -> Table {
        let mut numbers = HashMap::new();
        for (number, name) in names.iter().enumerate() {
            numbers
                .entry(name.clone())
                .and_modify(|number| *number = None)
                .or_insert(Some(number as u32));
        }
        Table { names, numbers }
    }

    /// The symbol of a name, if there is one and no other.
    pub fn number(&self, name: &[u8]) -> Option<u32> {
        self.numbers.get(name).copied().flatten()
    }
}

/// What a section's name says of its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Heading {
    pub kind: u32,
    pub flags: u64,
    pub align: u64,
    pub entry_size: u64,
}

const ALLOC: u64 = elf::SHF_ALLOC as u64;
const WRITE: u64 = elf::SHF_WRITE as u64;
const CODE: u64 = elf::SHF_EXECINSTR as u64;
const ABOUT: u64 = elf::SHF_INFO_LINK as u64;
/// The symbols of the second form of the code.
const MERC_SYMBOLS: &[u8] = b".nv.merc.symtab";

/// Beginnings of names with what they say: kind, flags, alignment, size of an entry. The first that fits counts.
#[rustfmt::skip]
const HEADINGS: &[(&str, u32, u64, u64, u64)] = &[
    (".shstrtab", elf::SHT_STRTAB, 0, 1, 0),
    (".strtab", elf::SHT_STRTAB, 0, 1, 0),
    (".symtab", elf::SHT_SYMTAB, 0, 8, 24),
    (".note.nv.tkinfo", elf::SHT_NOTE, 0x200_0000, 4, 0),
    (".note.nv.cuinfo", elf::SHT_NOTE, 0x100_0000, 4, 0),
    (".nv.info.", kind::INFO, ABOUT, 4, 0),
    (".nv.info", kind::INFO, 0, 4, 0),
    (".nv.compat", kind::COMPAT, 0, 4, 0),
    (".nv.callgraph", kind::CALL_GRAPH, 0, 4, 8),
    (".nv.rel.action", 0x7000_000b, 0, 8, 8),
    (".rela.", elf::SHT_RELA, ABOUT, 8, 24),
    (".rel.", elf::SHT_REL, ABOUT, 8, 16),
    (".text.", elf::SHT_PROGBITS, ALLOC | CODE, 128, 0),
    (".nv.constant3", elf::SHT_PROGBITS, ALLOC, 8, 0),
    (".nv.constant4", elf::SHT_PROGBITS, ALLOC, 8, 0),
    (".nv.constant", elf::SHT_PROGBITS, ALLOC | ABOUT, 4, 0),
    (".nv.global.init", elf::SHT_PROGBITS, ALLOC | WRITE, 8, 0),
    (".nv.global", elf::SHT_NOBITS, ALLOC | WRITE, 4, 0),
    (".nv.shared.reserved.", elf::SHT_NOBITS, ALLOC | WRITE, 1, 0),
    (".nv.shared.", elf::SHT_NOBITS, ALLOC | WRITE | ABOUT, 16, 0),
    (".nv.capmerc.text.", 0x7000_0016, MERC, 16, 0),
    (".nv.merc.symtab", kind::MERC_SYMBOLS, MERC, 8, 24),
    (".nv.merc.nv.info.", kind::MERC_INFO, MERC | ABOUT, 4, 0),
    (".nv.merc.nv.info", kind::MERC_INFO, MERC, 4, 0),
    (".nv.merc.nv.callgraph", kind::MERC_CALL_GRAPH, MERC, 4, 8),
    (".nv.merc.rela.", kind::MERC_RELA, MERC | ABOUT, 8, 24),
    (".nv.merc.nv.shared.reserved.", 0x7000_0015, MERC | ALLOC | WRITE, 1, 0),
    (".nv.merc.nv.global.init", 0x7000_0008, MERC | ALLOC | WRITE, 8, 0),
    (".nv.merc.nv.constant.pic", 0x7000_007d, MERC | ALLOC, 8, 0),
    (".nv.merc.nv.constant.user", 0x7000_007c, MERC | ALLOC, 8, 0),
    (".nv.merc.nv.constant.optimizer.", 0x7000_0084, MERC | ALLOC | ABOUT, 4, 0),
    (".nv.merc.", elf::SHT_PROGBITS, MERC, 1, 0),
];

/// Beginnings of the names of sections about a function.
const OF_FUNCTIONS: &[&str] = &[".nv.info.", ".nv.shared.", ".nv.local."];

impl Outline {
    pub fn new(is_old: bool, names: Vec<Vec<u8>>) -> Outline {
        let mut sections = HashMap::new();
        for (index, name) in names.iter().enumerate().skip(1) {
            sections.entry(name.clone()).or_insert(index);
        }
        Outline {
            is_old,
            names,
            sections,
            tables: HashMap::new(),
        }
    }

    /// The first section of a name.
    pub fn section(&self, name: &[u8]) -> Option<usize> {
        self.sections.get(name).copied()
    }

    fn section_of(&self, before: &str, name: &[u8]) -> u32 {
        let whole = [before.as_bytes(), name].concat();
        self.section(&whole).unwrap_or(0) as u32
    }

    /// What a name says of the section's header.
    pub fn heading(&self, name: &[u8]) -> Heading {
        let found = HEADINGS
            .iter()
            .find(|(start, ..)| name.starts_with(start.as_bytes()));
        let &(start, kind, mut flags, align, entry_size) =
            found.unwrap_or(&("", elf::SHT_PROGBITS, 0, 1, 0));
        if start == ".note.nv.cuinfo" && !self.is_old {
            flags |= ABOUT;
        }
        Heading {
            kind,
            flags,
            align,
            entry_size,
        }
    }

    /// The section that one of this name and kind is linked to.
    pub fn link(&self, name: &[u8], section_kind: u32, flags: u64) -> u32 {
        let target: &[u8] = match section_kind {
            elf::SHT_SYMTAB | kind::MERC_SYMBOLS => b".strtab",
            elf::SHT_REL | elf::SHT_RELA | kind::INFO | kind::CALL_GRAPH => b".symtab",
            kind::MERC_RELA | kind::MERC_INFO | kind::MERC_CALL_GRAPH | 0x7000_0016 => MERC_SYMBOLS,
            elf::SHT_PROGBITS if flags & CODE != 0 => b".symtab",
            elf::SHT_NOTE if name == b".note.nv.cuinfo" => b".note.nv.tkinfo",
            _ => return 0,
        };
        self.section(target).unwrap_or(0) as u32
    }

    /// The number of the function that a section of code holds.
    pub fn function_of(&self, name: &[u8], link: u32) -> Option<u32> {
        let table = self.tables.get(&(link as usize))?;
        let function = name
            .strip_prefix(b".text.")
            .or_else(|| name.strip_prefix(b".nv.capmerc.text."))?;
        table.number(function)
    }

    /// What a section is about: another section or a symbol. A table of symbols counts some of them.
    pub fn info(&self, name: &[u8], heading: &Heading, link: u32, symbols: &[Symbol]) -> u32 {
        match heading.kind {
            elf::SHT_SYMTAB if !self.is_old => return symbols.len() as u32,
            elf::SHT_SYMTAB | kind::MERC_SYMBOLS => {
                let outer = symbols.iter().position(|symbol| symbol.binding() != 0);
                return outer.unwrap_or(symbols.len()) as u32;
            }
            _ => {}
        }
        if let Some(function) = self.function_of(name, link) {
            return function;
        }
        if heading.flags & ABOUT == 0 {
            return 0;
        }
        if name == b".note.nv.cuinfo" {
            return self.section_of("", b".nv.compat");
        }
        if let Some(rest) = name.strip_prefix(b".nv.merc.rela") {
            if let Some(function) = rest.strip_prefix(b".text.") {
                return self.section_of(".nv.capmerc.text.", function);
            }
            return self.section_of(".nv.merc", rest);
        }
        for start in [".nv.merc.nv.info.", ".nv.merc.nv.constant.optimizer."] {
            if let Some(function) = name.strip_prefix(start.as_bytes()) {
                return self.section_of(".nv.capmerc.text.", function);
            }
        }
        if let Some(rest) = name.strip_prefix(b".rela") {
            return self.section_of("", rest);
        }
        if let Some(rest) = name.strip_prefix(b".rel") {
            return self.section_of("", rest);
        }
        for start in OF_FUNCTIONS {
            if let Some(function) = name.strip_prefix(start.as_bytes()) {
                return self.section_of(".text.", function);
            }
        }
        if let Some(rest) = name.strip_prefix(b".nv.constant")
            && let Some(dot) = rest.iter().position(|&byte| byte == b'.')
        {
            return self.section_of(".text.", &rest[dot + 1..]);
        }
        0
    }
}
