//! What is wrong with a cubin that could be read.
//!
//! Reading checks that every part lies in the file. Here the parts are held against each other: links, symbols,
//! relocations, segments and attributes must name what is there.

mod kernel;

use crate::attribute::{self, Shape};
use crate::content::{Content, Relocation, Symbol};
use crate::flags::Generation;
use crate::info::Record;
use crate::model::{Cubin, Section, kind};
use crate::read::Fault;
use crate::value::Value;
use object::elf;
use warpc_diag::{Code, codes};

/// At most so many faults are listed: a damaged table has one in every entry.
const MOST_FAULTS: usize = 100;

/// Everything that is wrong, in the order of the file.
pub fn verify(cubin: &Cubin) -> Vec<Fault> {
    let mut check = Check {
        cubin,
        faults: Vec::new(),
    };
    check.header();
    check.segments();
    for index in 1..cubin.sections.len() {
        check.section(index);
        if check.is_full() {
            break;
        }
    }
    check.overlaps();
    check.kernels();
    check.faults.truncate(MOST_FAULTS);
    check.faults
}

struct Check<'a> {
    cubin: &'a Cubin,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn fault(&mut self, code: Code, message: String) {
        let help = match code {
            codes::CUBIN_ATTRIBUTE => {
                "a driver may refuse the kernel or launch it wrongly; make the file again, or mend the record in what `warpc dis --reassemblable` prints"
            }
            _ => "the file was damaged, or what made it is wrong; make it again",
        };
        self.faults.push(Fault {
            code,
            message,
            help,
        });
    }

    fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    fn structure(&mut self, message: String) {
        self.fault(codes::CUBIN_STRUCTURE, message);
    }

    fn header(&mut self) {
        let cubin = self.cubin;
        let header = &cubin.header;
        let number = cubin.chip_number();
        if number.is_none() {
            self.structure(format!(
                "the header's ABI {:#04x} is none of a cubin (0x33 and 0x41 are)",
                header.os_abi
            ));
        }
        if let Some(number) = number.filter(|_| cubin.chip().is_none()) {
            self.structure(format!(
                "the header names the chip {number}, which does not exist"
            ));
        }
        if let Some(generation) = cubin.generation() {
            let wanted = match generation {
                Generation::Old => 7,
                Generation::New => 8,
            };
            if header.abi_version != wanted {
                self.structure(format!(
                    "the header's version {} does not go with its ABI {:#04x}, which has {wanted}",
                    header.abi_version, header.os_abi
                ));
            }
        }
        if !matches!(header.kind, elf::ET_EXEC | elf::ET_REL) {
            self.structure(format!(
                "the file's type is {}, neither executable nor object",
                header.kind
            ));
        }
        let names = usize::from(header.names);
        let is_strings = |section: &Section| section.kind == elf::SHT_STRTAB;
        if !cubin.sections.is_empty() && !cubin.sections.get(names).is_some_and(is_strings) {
            self.structure(format!(
                "section {names}, said to hold the names of the sections, is not a string table"
            ));
        }
        if let Some(first) = cubin.sections.first()
            && (first.kind != elf::SHT_NULL || first.size() != 0)
        {
            self.structure("the first section is not empty".to_owned());
        }
    }

    fn segments(&mut self) {
        for (index, segment) in self.cubin.segments.iter().enumerate() {
            let end = segment.offset.checked_add(segment.file_size);
            if end.is_none_or(|end| end > self.cubin.length) {
                self.fault(
                    codes::CUBIN_TRUNCATED,
                    format!(
                        "segment {index} at {:#x}, {:#x} bytes long, ends outside the file",
                        segment.offset, segment.file_size
                    ),
                );
            }
            if segment.file_size > segment.memory_size {
                self.structure(format!(
                    "segment {index} has more bytes in the file than in memory"
                ));
            }
        }
    }

    fn section(&mut self, index: usize) {
        let cubin = self.cubin;
        let section = &cubin.sections[index];
        let name = cubin.section_name(section).into_owned();
        let shown = format!("section {index} `{name}`");
        if cubin
            .text_in(usize::from(cubin.header.names), section.name)
            .is_none()
        {
            self.structure(format!(
                "section {index} has its name at {:#x}, outside the names",
                section.name
            ));
        }
        if section.link as usize >= cubin.sections.len() {
            self.structure(format!(
                "{shown} is linked to section {}, which does not exist",
                section.link
            ));
        }
        let names_section = section.flags & u64::from(elf::SHF_INFO_LINK) != 0;
        if names_section && section.info as usize >= cubin.sections.len() {
            self.structure(format!(
                "{shown} is about section {}, which does not exist",
                section.info
            ));
        }
        if section.align > 1 && !section.align.is_power_of_two() {
            self.structure(format!(
                "{shown} has the alignment {}, which is not a power of two",
                section.align
            ));
        } else if section.align > 1
            && !section.is_empty_in_file()
            && section.size() > 0
            && !section.offset.is_multiple_of(section.align)
        {
            self.structure(format!(
                "{shown} is at {:#x}, no multiple of its alignment {}",
                section.offset, section.align
            ));
        }
        if section.entry_size > 0 && !section.size().is_multiple_of(section.entry_size) {
            self.structure(format!(
                "{shown} has {:#x} bytes, no multiple of its entries' size {}",
                section.size(),
                section.entry_size
            ));
        }
        match &section.content {
            Content::Bytes(bytes) => self.bytes(section, &shown, &name, bytes),
            Content::Zeros(_) => {}
            Content::Symbols(symbols) => self.symbols(section, &shown, symbols),
            Content::Relocations(all) => self.relocations(section, &shown, all),
            Content::Info(records) => self.records(section, &shown, records),
            // Objects may name symbols that only the whole program has.
            Content::CallGraph(_) if cubin.header.kind == elf::ET_REL => {}
            Content::CallGraph(edges) => {
                let count = self.symbol_count(section);
                for edge in edges {
                    // The four marks at the start have no caller and a negative callee.
                    let mark = edge.callee >= 0xffff_fff0;
                    if edge.caller as usize >= count || edge.callee as usize >= count && !mark {
                        self.structure(format!(
                            "{shown} has a call from symbol {} to symbol {}; there are {count}",
                            edge.caller, edge.callee
                        ));
                    }
                }
            }
        }
    }

    fn bytes(&mut self, section: &Section, shown: &str, name: &str, bytes: &[u8]) {
        match section.kind {
            elf::SHT_STRTAB if bytes.last().is_some_and(|&last| last != 0) => {
                self.structure(format!("{shown} does not end its last string"));
            }
            elf::SHT_SYMTAB | elf::SHT_REL | elf::SHT_RELA | kind::CALL_GRAPH => {
                self.structure(format!(
                    "{shown} has {:#x} bytes, no whole number of entries",
                    bytes.len()
                ));
            }
            kind::INFO | kind::COMPAT => self.fault(
                codes::CUBIN_ATTRIBUTE,
                format!("{shown} does not hold whole records of attributes"),
            ),
            _ => {}
        }
        if section.is_code() {
            if !bytes.len().is_multiple_of(16) {
                self.structure(format!(
                    "{shown} has {:#x} bytes, no whole number of instructions",
                    bytes.len()
                ));
            }
            let (_, symbols) = self.cubin.symbols();
            let symbol = (section.info & 0x00ff_ffff) as usize;
            let function = name.strip_prefix(".text.").unwrap_or_default();
            match symbols.get(symbol) {
                Some(symbol) if self.cubin.symbol_name(symbol) == function => {}
                _ => self.structure(format!(
                    "{shown} names symbol {symbol} as its function, which is not `{function}`"
                )),
            }
        }
    }

    fn symbols(&mut self, section: &Section, shown: &str, symbols: &[Symbol]) {
        let cubin = self.cubin;
        // ptxas counts more than the local symbols here from sm_90 on, so only the range can be checked.
        if section.info as usize > symbols.len() {
            self.structure(format!(
                "{shown} says that {} of its {} symbols are local",
                section.info,
                symbols.len()
            ));
        }
        for (index, symbol) in symbols.iter().enumerate() {
            if cubin.text_in(section.link as usize, symbol.name).is_none() {
                self.structure(format!(
                    "symbol {index} has its name at {:#x}, outside the strings",
                    symbol.name
                ));
            }
            if symbol.section >= elf::SHN_LORESERVE || symbol.section == elf::SHN_UNDEF {
                continue;
            }
            let Some(home) = cubin.sections.get(usize::from(symbol.section)) else {
                self.structure(format!(
                    "symbol {index} is in section {}, which does not exist",
                    symbol.section
                ));
                continue;
            };
            let end = symbol.value.checked_add(symbol.size);
            // Shared memory whose size the launch says has no size, and ptxas may place it anywhere.
            let sized = matches!(symbol.kind(), elf::STT_FUNC | elf::STT_OBJECT) && symbol.size > 0;
            if sized && section.kind == elf::SHT_SYMTAB && end.is_none_or(|end| end > home.size()) {
                self.structure(format!(
                    "symbol {index} `{}` ends at {:#x}, outside its section of {:#x} bytes",
                    cubin.symbol_name(symbol),
                    symbol.value.saturating_add(symbol.size),
                    home.size()
                ));
            }
            if self.is_full() {
                return;
            }
        }
    }

    fn relocations(&mut self, section: &Section, shown: &str, all: &[Relocation]) {
        let count = self.symbol_count(section);
        let target = self
            .cubin
            .sections
            .get(section.info as usize)
            .map_or(0, Section::size);
        for one in all {
            if one.symbol as usize >= count {
                self.structure(format!("{shown} uses symbol {} of {count}", one.symbol));
            }
            // The second form of the code is compressed: its places are those of what it becomes.
            if one.offset >= target && section.kind != kind::MERC_RELA {
                self.structure(format!(
                    "{shown} changes the place {:#x} of a section of {target:#x} bytes",
                    one.offset
                ));
            }
            if self.is_full() {
                return;
            }
        }
    }

    fn records(&mut self, section: &Section, shown: &str, records: &[Record]) {
        let count = self.symbol_count(section);
        let table = match section.kind {
            kind::COMPAT => attribute::COMPAT,
            _ => attribute::INFO,
        };
        // The second form of the code has records of its own.
        if section.kind == kind::MERC_INFO {
            return;
        }
        let code_size = match section.flags & u64::from(elf::SHF_INFO_LINK) {
            0 => None,
            _ => self
                .cubin
                .sections
                .get(section.info as usize)
                .map(Section::size),
        };
        for record in records {
            let Some(row) = attribute::by_number(table, record.attribute) else {
                continue;
            };
            if row.shape == Shape::Raw {
                continue;
            }
            let Some(value) = record.shaped(row.shape) else {
                self.fault(
                    codes::CUBIN_ATTRIBUTE,
                    format!("{shown}: {} has a value that it cannot have", row.name),
                );
                continue;
            };
            let symbols = match &value {
                Value::Function { symbol, .. } | Value::Bank { symbol, .. } => vec![*symbol],
                Value::Symbols(symbols) => symbols.clone(),
                _ => Vec::new(),
            };
            if let Some(symbol) = symbols.into_iter().find(|&symbol| symbol as usize >= count) {
                self.fault(
                    codes::CUBIN_ATTRIBUTE,
                    format!("{shown}: {} names symbol {symbol} of {count}", row.name),
                );
            }
            if let Some(number) = kernel::too_many_registers(record.attribute, &value) {
                self.fault(
                    codes::CUBIN_ATTRIBUTE,
                    format!("{shown}: {} gives a function {number} registers", row.name),
                );
            }
            let wrong = |place: &u32| {
                code_size.is_some_and(|size| u64::from(*place) >= size) || !place.is_multiple_of(16)
            };
            if let Some(place) = kernel::places(&value).into_iter().find(wrong) {
                self.fault(
                    codes::CUBIN_ATTRIBUTE,
                    format!(
                        "{shown}: {} names the instruction at {place:#x}, which is not there",
                        row.name
                    ),
                );
            }
            if self.is_full() {
                return;
            }
        }
    }

    /// How many symbols the table has that a section is linked to.
    fn symbol_count(&self, section: &Section) -> usize {
        match self
            .cubin
            .sections
            .get(section.link as usize)
            .map(|linked| &linked.content)
        {
            Some(Content::Symbols(symbols)) => symbols.len(),
            _ => 0,
        }
    }

    /// Parts must not overlap, but sections of the second form of the code are the first's again where they agree.
    fn overlaps(&mut self) {
        let parts = self.cubin.parts();
        for pair in parts.windows(2) {
            let ((start, end), (next, next_end)) = (pair[0], pair[1]);
            if next < end && (start, end) != (next, next_end) {
                self.structure(format!(
                    "the part from {next:#x} to {next_end:#x} overlaps that from {start:#x} to {end:#x}"
                ));
            }
        }
    }
}
