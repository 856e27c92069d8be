//! A cubin as text.

use super::data;
use super::lex::quoted_if_odd;
use super::outline::{Heading, Outline, Table};
use super::places::Places;
use super::record::{self, Writing};
use super::strings::{self, StringTable};
use super::symbol::{self, Starts};
use crate::instruction;
use object::elf;
use std::collections::HashMap;
use std::fmt::Write;
use warpc_cubin::Value;
use warpc_cubin::attribute::{self, info::REGCOUNT};
use warpc_cubin::relocation;
use warpc_cubin::{Content, Relocation, Symbol};
use warpc_cubin::{Cubin, Header, Section, kind};
use warpc_sass::decode::decode;
use warpc_target::features;

/// Writing to a string does not fail.
macro_rules! line {
    ($out:expr, $($argument:tt)*) => {{
        let _ = writeln!($out, $($argument)*);
    }};
}

/// The text of a cubin.
pub(super) fn print(cubin: &Cubin) -> String {
    let outline = outline(cubin);
    let places = Places::of(cubin, &outline);
    let printer = Printer {
        cubin,
        registers: registers(cubin, &outline),
        names: StringTable::of(cubin, cubin.header.names.into()),
        outline,
        places,
    };
    let mut out = String::new();
    printer.header(&mut out);
    let mut end = 64;
    for index in 1..cubin.sections.len() {
        end = printer.section(index, end, &mut out);
    }
    printer.layout(end, &mut out);
    out
}

/// The names of sections and symbols of a cubin.
fn outline(cubin: &Cubin) -> Outline {
    let names = cubin.sections.iter();
    let names = names.map(|section| cubin.bytes_in(usize::from(cubin.header.names), section.name));
    let is_old = !cubin.chip_is_in(features::CUBINS_OF_HOPPER);
    let mut outline = Outline::new(is_old, names.map(<[u8]>::to_vec).collect());
    for (index, section) in cubin.sections.iter().enumerate() {
        if let Content::Symbols(symbols) = &section.content {
            let names = symbols
                .iter()
                .map(|symbol| cubin.bytes_in(section.link as usize, symbol.name).to_vec());
            outline.tables.insert(index, Table::new(names.collect()));
        }
    }
    outline
}

/// The registers of functions, by the sections of their code.
fn registers(cubin: &Cubin, outline: &Outline) -> HashMap<usize, u32> {
    let mut all = HashMap::new();
    for section in &cubin.sections {
        let Content::Info(records) = &section.content else {
            continue;
        };
        if section.kind != kind::INFO {
            continue;
        }
        for record in records {
            let Value::Function { symbol, number } = record.value() else {
                continue;
            };
            let code = code_of(cubin, outline, section.link, symbol);
            if let Some(code) = code.filter(|_| record.attribute == REGCOUNT) {
                all.entry(code).or_insert(number);
            }
        }
    }
    for (index, section) in cubin.sections.iter().enumerate() {
        if section.is_code() && outline.is_old && section.info >> 24 != 0 {
            all.insert(index, section.info >> 24);
        }
    }
    all.retain(|_, number| *number < 256);
    all
}

/// The section that is named after a function.
fn code_of(cubin: &Cubin, outline: &Outline, table: u32, symbol: u32) -> Option<usize> {
    let name = outline
        .tables
        .get(&(table as usize))?
        .names
        .get(symbol as usize)?;
    let section = outline.section(&[b".text.", name.as_slice()].concat())?;
    cubin.sections[section].is_code().then_some(section)
}

struct Printer<'a> {
    cubin: &'a Cubin,
    outline: Outline,
    places: Places,
    registers: HashMap<usize, u32>,
    /// The names of the sections.
    names: StringTable,
}

impl Printer<'_> {
    fn header(&self, out: &mut String) {
        let cubin = self.cubin;
        let usual = match cubin.chip() {
            Some(chip) => {
                line!(out, ".target {chip}");
                Header::usual(chip)
            }
            None => Header::unknown(),
        };
        let header = &cubin.header;
        let values = |header: &Header| {
            [
                ("type", u64::from(header.kind)),
                ("abi", u64::from(header.os_abi)),
                ("abi_version", u64::from(header.abi_version)),
                ("version", u64::from(header.version)),
                ("entry", header.entry),
                ("flags", u64::from(header.flags)),
            ]
        };
        for ((key, value), (_, usual)) in values(header).into_iter().zip(values(&usual)) {
            if value != usual {
                line!(out, ".elf {key} {value:#x}");
            }
        }
        if usize::from(header.names) != self.outline.section(b".shstrtab").unwrap_or(0) {
            line!(out, ".elf names {}", self.section_text(header.names.into()));
        }
    }

    /// What is left to say of where the parts lie.
    fn layout(&self, end: u64, out: &mut String) {
        let cubin = self.cubin;
        let mut usual = Cubin {
            segments: Vec::new(),
            strays: Vec::new(),
            ..cubin.clone()
        };
        usual.place_tables(end);
        let mut said = String::new();
        let header = &cubin.header;
        for (key, value, usual) in [
            (
                "section_table",
                header.section_table,
                &mut usual.header.section_table,
            ),
            (
                "segment_table",
                header.segment_table,
                &mut usual.header.segment_table,
            ),
        ] {
            if value != *usual {
                line!(said, ".elf {key} {value:#x}");
                *usual = value;
            }
        }
        usual.segments = usual.usual_segments();
        if usual.segments != cubin.segments {
            line!(said, ".elf segments {}", cubin.segments.len());
            for one in &cubin.segments {
                line!(
                    said,
                    ".segment {:#x}, {:#x}, {:#x}, {:#x}, {:#x}, {:#x}, {:#x}, {:#x}",
                    one.kind,
                    one.flags,
                    one.offset,
                    one.virtual_address,
                    one.physical_address,
                    one.file_size,
                    one.memory_size,
                    one.align
                );
            }
            usual.segments = cubin.segments.clone();
        }
        let entry_size = if usual.segments.is_empty() { 0 } else { 56 };
        if header.segment_entry_size != entry_size {
            line!(said, ".elf segment_size {}", header.segment_entry_size);
        }
        if cubin.length != usual.usual_length() {
            line!(said, ".elf length {:#x}", cubin.length);
        }
        for (place, bytes) in &cubin.strays {
            line!(said, ".stray {place:#x}");
            data::print(bytes, &mut said);
        }
        if !said.is_empty() {
            line!(out, "\n// How the file is laid out.");
            out.push_str(&said);
        }
    }

    fn section_text(&self, index: usize) -> String {
        match self.outline.names.get(index) {
            Some(name) if index != 0 && self.outline.section(name) == Some(index) => {
                quoted_if_odd(name)
            }
            _ => index.to_string(),
        }
    }

    /// Prints a section that follows others; where the next may start.
    fn section(&self, index: usize, end: u64, out: &mut String) -> u64 {
        let section = &self.cubin.sections[index];
        let name = &self.outline.names[index];
        let usual = self.outline.heading(name);
        let _ = write!(out, "\n.section {}", quoted_if_odd(name));
        let mut say = |key: &str, value: &dyn std::fmt::Display| {
            let _ = write!(out, ", {key} {value}");
        };
        let barriers = section.flags >> 20 & 0x7f;
        let mut flags = section.flags;
        if section.is_code() {
            flags &= !(0x7f << 20);
        }
        if section.kind != usual.kind {
            say("kind", &format_args!("{:#x}", section.kind));
        }
        if flags != usual.flags {
            say("flags", &format_args!("{flags:#x}"));
        }
        if section.align != usual.align {
            say("align", &section.align);
        }
        if section.entry_size != usual.entry_size {
            say("entry_size", &section.entry_size);
        }
        if section.address != 0 {
            say("address", &format_args!("{:#x}", section.address));
        }
        let heading = Heading {
            kind: section.kind,
            flags,
            ..usual
        };
        if section.link != self.outline.link(name, section.kind, flags) {
            say("link", &self.section_text(section.link as usize));
        }
        let symbols = match &section.content {
            Content::Symbols(symbols) => symbols.as_slice(),
            _ => &[],
        };
        let mut usual_info = self.outline.info(name, &heading, section.link, symbols);
        let registers = self.registers.get(&index).copied();
        if section.is_code() && self.outline.is_old {
            usual_info |= registers.unwrap_or(0) << 24;
        }
        if section.info != usual_info {
            say("info", &format_args!("{:#x}", section.info));
        }
        if self.names.place(name) != Some(section.name) {
            say("name_at", &format_args!("{:#x}", section.name));
        }
        let same = self.same(index);
        let usual_offset = self.cubin.usual_offset(index, end);
        let mut next = end;
        if let Some(same) = same {
            say("same_as", &self.section_text(same));
        } else {
            if section.offset > usual_offset {
                say("gap", &format_args!("{:#x}", section.offset - usual_offset));
            } else if section.offset < usual_offset {
                say("offset", &format_args!("{:#x}", section.offset));
            }
            next = match section.is_empty_in_file() {
                true => end.max(section.offset),
                false => end.max(section.offset + section.size()),
            };
        }
        out.push('\n');
        if same.is_some() {
            return next;
        }
        if section.is_code() {
            if let Some(registers) = registers {
                line!(out, "    .registers {registers}");
            }
            if barriers != 0 {
                line!(out, "    .barriers {barriers}");
            }
        }
        self.content(index, out);
        next
    }

    /// The earlier section whose bytes a section shares.
    fn same(&self, index: usize) -> Option<usize> {
        let sections = &self.cubin.sections;
        let one = &sections[index];
        let is_same = |other: &Section| {
            other.offset == one.offset && other.size() == one.size() && !other.is_empty_in_file()
        };
        if one.is_empty_in_file() || one.size() == 0 {
            return None;
        }
        (1..index).find(|&other| is_same(&sections[other]))
    }

    fn content(&self, index: usize, out: &mut String) {
        let section = &self.cubin.sections[index];
        match &section.content {
            Content::Zeros(0) => {}
            Content::Zeros(size) => line!(out, "    .zero {size:#x}"),
            Content::Bytes(bytes) if section.is_code() => self.code(index, bytes, out),
            Content::Bytes(bytes) if section.kind == elf::SHT_STRTAB => {
                if *bytes != self.usual_strings(index) {
                    strings::print(bytes, out);
                }
            }
            Content::Bytes(bytes) => data::print(bytes, out),
            Content::Symbols(symbols) => self.symbols(index, symbols, out),
            Content::Relocations(all) => {
                for one in all {
                    self.relocation(section, one, out);
                }
            }
            Content::Info(records) => {
                let table = match section.kind {
                    kind::COMPAT => attribute::COMPAT,
                    _ => attribute::INFO,
                };
                let names = In {
                    printer: self,
                    section,
                };
                for one in records {
                    line!(out, "    {}", record::print(table, one, &names));
                }
            }
            Content::CallGraph(edges) => {
                for edge in edges {
                    let callee = match edge.callee {
                        0xffff_fff0.. => (edge.callee as i32).to_string(),
                        callee => self.symbol_text(section.link, callee),
                    };
                    let caller = self.symbol_text(section.link, edge.caller);
                    line!(out, "    .call {caller}, {callee}");
                }
            }
        }
    }

    /// What a string table holds if nothing is said of it.
    fn usual_strings(&self, index: usize) -> Vec<u8> {
        let cubin = self.cubin;
        let mut names: Vec<&[u8]> = Vec::new();
        if usize::from(cubin.header.names) == index {
            names.extend(self.outline.names.iter().skip(1).map(Vec::as_slice));
        }
        for (table, section) in cubin.sections.iter().enumerate() {
            if let Some(table) = self.outline.tables.get(&table)
                && section.link as usize == index
            {
                names.extend(table.names.iter().map(Vec::as_slice));
            }
        }
        strings::of_names(names)
    }

    fn symbol_text(&self, table: u32, number: u32) -> String {
        let table = self.outline.tables.get(&(table as usize));
        let name = table.and_then(|table| {
            let name = table.names.get(number as usize)?;
            (table.number(name) == Some(number) && !name.is_empty()).then_some(name)
        });
        match name {
            Some(name) => quoted_if_odd(name),
            None => number.to_string(),
        }
    }

    fn relocation(&self, table: &Section, one: &Relocation, out: &mut String) {
        let place = self.place_text(table.info as usize, one.offset);
        let kind = match relocation::name(one.kind) {
            Some(name) => name.to_owned(),
            None => format!("{:#x}", one.kind),
        };
        let symbol = self.symbol_text(table.link, one.symbol);
        let _ = write!(out, "    .reloc {place}, {kind}, {symbol}");
        // The form without addends has none, not even 0.
        let has_addends = matches!(table.kind, elf::SHT_RELA | kind::MERC_RELA);
        if let Some(addend) = one.addend.filter(|&addend| addend != 0 || !has_addends) {
            let home = self.symbol(table.link, one.symbol);
            let target = home
                .filter(|home| home.kind() == elf::STT_FUNC && table.kind != kind::MERC_RELA)
                .map(|home| {
                    (
                        usize::from(home.section),
                        home.value.wrapping_add_signed(addend),
                    )
                });
            let label = target.and_then(|(section, place)| self.places.label(section, place));
            match label {
                Some(label) => {
                    let _ = write!(out, ", {label}");
                }
                None if addend < 0 => {
                    let _ = write!(out, ", -{:#x}", addend.unsigned_abs());
                }
                None => {
                    let _ = write!(out, ", {addend:#x}");
                }
            }
        }
        out.push('\n');
    }

    fn symbol(&self, table: u32, number: u32) -> Option<&Symbol> {
        match &self.cubin.sections.get(table as usize)?.content {
            Content::Symbols(symbols) => symbols.get(number as usize),
            _ => None,
        }
    }

    /// A place in a section: a label in code, else a number.
    fn place_text(&self, section: usize, place: u64) -> String {
        match self.places.label(section, place) {
            Some(label) => label.to_owned(),
            None => format!("{place:#x}"),
        }
    }

    fn symbols(&self, index: usize, symbols: &[Symbol], out: &mut String) {
        let section = &self.cubin.sections[index];
        let Some(table) = self.outline.tables.get(&index) else {
            return;
        };
        let null = Symbol::null();
        let listed = match symbols.first() {
            Some(first) if *first == null => &symbols[1..],
            _ => {
                line!(out, "    .no_null_symbol");
                symbols
            }
        };
        let first = symbols.len() - listed.len();
        let names = StringTable::of(self.cubin, section.link as usize);
        let starts = Starts::of(symbols);
        for (number, one) in listed.iter().enumerate() {
            let name = &table.names[number + first];
            let _ = write!(out, "    .symbol {}", quoted_if_odd(name));
            symbol::print_kind(one, out);
            let home = usize::from(one.section);
            if Some(home) != symbol::usual_section(&self.outline, one, name) {
                let _ = match one.section {
                    elf::SHN_UNDEF => write!(out, ", undefined"),
                    elf::SHN_LORESERVE.. => write!(out, ", in {:#x}", one.section),
                    _ => write!(out, ", in {}", self.section_text(home)),
                };
            }
            let label = (one.kind() == elf::STT_FUNC && section.kind == elf::SHT_SYMTAB)
                .then(|| self.places.label(home, one.value))
                .flatten();
            let own = quoted_if_odd(name);
            let usual_value = match label == Some(own.as_str()) {
                true => one.value,
                false => 0,
            };
            if one.value != usual_value || (label.is_none() && self.places.has(home, &own)) {
                let _ = match label {
                    Some(label) => write!(out, ", at {label}"),
                    None => write!(out, ", at {:#x}", one.value),
                };
            }
            let empty = Vec::new();
            let home_name = self.outline.names.get(home).unwrap_or(&empty);
            let home_size = self.cubin.sections.get(home).map_or(0, Section::size);
            if one.size != starts.usual_size(one, name, home_name, home_size) {
                let end = one.value.checked_add(one.size);
                let label = end.and_then(|end| self.places.label(home, end));
                let _ = match label.filter(|_| one.kind() == elf::STT_FUNC) {
                    Some(label) => write!(out, ", end {label}"),
                    None => write!(out, ", size {:#x}", one.size),
                };
            }
            if names.place(name) != Some(one.name) {
                let _ = write!(out, ", name_at {:#x}", one.name);
            }
            out.push('\n');
        }
    }

    fn code(&self, index: usize, bytes: &[u8], out: &mut String) {
        let (words, rest) = bytes.as_chunks::<16>();
        for (number, word) in words.iter().enumerate() {
            let address = number as u64 * 16;
            self.labels_at(index, address, out);
            let word = u128::from_le_bytes(*word);
            let text = self.cubin.chip().and_then(|sm| {
                let inst = decode(sm, word)?;
                let place = instruction::target(&inst, address);
                let label = place.and_then(|place| self.places.label(index, place));
                instruction::text(sm, word, inst, address, label)
            });
            match text {
                Some(text) => line!(out, "    {text} ;"),
                None => line!(out, "    .unknown {word:#034x}"),
            }
        }
        self.labels_at(index, words.len() as u64 * 16, out);
        data::print(rest, out);
    }

    fn labels_at(&self, section: usize, place: u64, out: &mut String) {
        for label in self.places.labels_at(section, place) {
            line!(out, "{label}:");
        }
    }
}

/// Names for the records of a section.
struct In<'p, 'a> {
    printer: &'p Printer<'a>,
    section: &'p Section,
}

impl Writing for In<'_, '_> {
    fn symbol(&self, number: u32) -> String {
        self.printer.symbol_text(self.section.link, number)
    }

    fn place(&self, place: u32) -> String {
        match self.section.kind {
            kind::INFO => self
                .printer
                .place_text(self.section.info as usize, place.into()),
            _ => format!("{place:#x}"),
        }
    }

    fn registers(&self, symbol: u32) -> Option<u32> {
        let printer = self.printer;
        let code = code_of(printer.cubin, &printer.outline, self.section.link, symbol)?;
        printer.registers.get(&code).copied()
    }
}
