//! Sections with their items to a cubin.

mod finish;
mod symbols;
mod tables;

use super::data::Data;
use super::lex::{Line, Name, Wrong, fault};
use super::outline::{Heading, Outline, Table};
use super::plain::VariableText;
use super::read::{Item, Reference, SectionText, Text};
use super::record::{self, Reading};
use super::strings::{self, StringTable};
use super::symbol;
use super::warn;
use crate::instruction::{self, Refusal};
use object::elf;
use std::collections::HashMap;
use symbols::Sized;
use warpc_cubin::Record;
use warpc_cubin::attribute;
use warpc_cubin::relocation;
use warpc_cubin::{CallEdge, Content, Relocation, Symbol};
use warpc_cubin::{Cubin, Header, Section, kind, takes_no_room};
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};
use warpc_target::features;

/// Files are at most so long.
const LARGEST_FILE: u64 = 1 << 28;

/// The most sections that a header can count.
const MOST_SECTIONS: usize = 0xff00;

/// Makes the cubin. What is wrong goes to the diagnostics; there is a cubin only if nothing is.
pub(super) fn assemble(text: &Text<'_>, diagnostics: &mut Diagnostics) -> Option<Cubin> {
    let names = text.kernels.iter().map(|kernel| kernel.name.span);
    if let Some(span) = names
        .chain(text.variables.iter().map(VariableText::span))
        .next()
    {
        let message = "a text has either kernels and variables, or sections";
        diagnostics.push(*fault(codes::SASS_SYNTAX, span, message));
        return None;
    }
    let header = header(text, diagnostics)?;
    if text.sections.len() >= MOST_SECTIONS {
        let span = text.sections[MOST_SECTIONS].name.span;
        diagnostics.push(*fault(
            codes::SASS_VALUE,
            span,
            "a file has at most 65279 sections",
        ));
        return None;
    }
    let cubin = Cubin {
        header,
        sections: vec![Section::null()],
        segments: Vec::new(),
        length: 0,
        strays: Vec::new(),
    };
    let names = text.sections.iter().map(|one| one.name.bytes.clone());
    let names = std::iter::once(Vec::new()).chain(names).collect();
    let is_old = !cubin.chip_is_in(features::CUBINS_OF_HOPPER);
    let mut assembler = Assembler {
        text,
        outline: Outline::new(is_old, names),
        cubin,
        labels: HashMap::new(),
        sizes: Vec::new(),
        homes: HashMap::new(),
        registers: HashMap::new(),
        diagnostics,
    };
    assembler.run()
}

/// The header that the target and `.elf` lines give.
fn header(text: &Text<'_>, diagnostics: &mut Diagnostics) -> Option<Header> {
    let mut header = match text.target {
        Some(chip) => Header::usual(chip),
        None => Header::unknown(),
    };
    for &(key, value, span) in &text.elf {
        let fits = match key {
            "type" => put(&mut header.kind, value),
            "abi" => put(&mut header.os_abi, value),
            "abi_version" => put(&mut header.abi_version, value),
            "version" => put(&mut header.version, value),
            "entry" => put(&mut header.entry, value),
            "flags" => put(&mut header.flags, value),
            "segment_size" => put(&mut header.segment_entry_size, value),
            _ => value <= LARGEST_FILE,
        };
        if !fits {
            let message = format!("{value:#x} is too large for `{key}`");
            diagnostics.push(*fault(codes::SASS_VALUE, span, message));
        }
    }
    if text.target.is_none() && !text.elf.iter().any(|(key, ..)| *key == "flags") {
        let mut wrong = fault(
            codes::SASS_SYNTAX,
            Span::new(0, 0),
            "the text does not say what chip it is for",
        );
        wrong.help = Some("start with a line like `.target sm_90a`".to_owned());
        diagnostics.push(*wrong);
        return None;
    }
    Some(header)
}

fn put<T: TryFrom<u64>>(field: &mut T, value: u64) -> bool {
    match T::try_from(value) {
        Ok(value) => {
            *field = value;
            true
        }
        Err(_) => false,
    }
}

struct Assembler<'t, 'a> {
    text: &'t Text<'a>,
    outline: Outline,
    cubin: Cubin,
    /// Where the labels of a section are.
    labels: HashMap<usize, HashMap<Vec<u8>, u64>>,
    /// How many bytes the items of a section have.
    sizes: Vec<u64>,
    /// The section and place of each symbol, by table.
    homes: HashMap<usize, Vec<(usize, u64)>>,
    /// What `.registers` says in a section.
    registers: HashMap<usize, u32>,
    diagnostics: &'t mut Diagnostics,
}

impl<'a> Assembler<'_, 'a> {
    fn run(&mut self) -> Option<Cubin> {
        // Lines that could not be read are left out; the others are looked at all the same.
        let before = self.diagnostics.error_count();
        self.measure();
        if self.diagnostics.error_count() > before {
            return None;
        }
        self.symbol_names();
        self.find_homes();
        let text = self.text;
        for (index, one) in (1..).zip(&text.sections) {
            let section = self.section(index, one);
            self.cubin.sections.push(section);
        }
        if self.diagnostics.has_errors() {
            return None;
        }
        self.share();
        if self.diagnostics.has_errors() {
            return None;
        }
        self.name();
        self.place();
        if self.diagnostics.has_errors() {
            return None;
        }
        Some(std::mem::replace(
            &mut self.cubin,
            Cubin {
                header: Header::unknown(),
                sections: Vec::new(),
                segments: Vec::new(),
                length: 0,
                strays: Vec::new(),
            },
        ))
    }

    fn report(&mut self, wrong: Diagnostic) {
        self.diagnostics.push(wrong);
    }

    /// Finds the labels and the sizes of what holds bytes.
    fn measure(&mut self) {
        let text = self.text;
        self.sizes.push(0);
        let mut total = 0u64;
        for (index, one) in (1..).zip(&text.sections) {
            let mut size = 0u64;
            for item in &one.items {
                match item {
                    Item::Label(name) => {
                        let labels = self.labels.entry(index).or_default();
                        if labels.insert(name.bytes.clone(), size).is_some() {
                            let message = format!("the label `{}` is there twice", name.shown());
                            self.report(*fault(codes::SASS_NAME, name.span, message));
                        }
                    }
                    Item::Inst(_) | Item::Word(_) => size = size.saturating_add(16),
                    Item::Data(Data::Bytes(bytes)) => {
                        size = size.saturating_add(bytes.len() as u64);
                    }
                    Item::Data(Data::Zeros(count)) => {
                        size = size.saturating_add(*count);
                    }
                    Item::Registers(registers) => {
                        self.registers.insert(index, *registers);
                    }
                    _ => {}
                }
            }
            if !takes_no_room(self.kind_of(one)) {
                total = total.saturating_add(size);
                if total > LARGEST_FILE {
                    let message = "the file becomes longer than 256 MiB here";
                    self.report(*fault(codes::SASS_VALUE, one.name.span, message));
                    return;
                }
            }
            self.sizes.push(size);
        }
    }

    fn kind_of(&self, one: &SectionText<'_>) -> u32 {
        let usual = self.outline.heading(&one.name.bytes);
        one.keys.kind.unwrap_or(usual.kind)
    }

    /// Reads the names of symbols: lines before the tables may use them.
    fn symbol_names(&mut self) {
        for (index, one) in (1..).zip(&self.text.sections) {
            if !matches!(self.kind_of(one), elf::SHT_SYMTAB | kind::MERC_SYMBOLS) {
                continue;
            }
            let mut names = vec![Vec::new()];
            for item in &one.items {
                match item {
                    Item::NoNullSymbol => names.clear(),
                    // What is wrong with the line is said when all of it is read.
                    Item::Symbol(line) => {
                        let mut line = *line;
                        names.push(line.name().map(|name| name.bytes).unwrap_or_default());
                    }
                    _ => {}
                }
            }
            self.outline.tables.insert(index, Table::new(names));
        }
    }

    fn reference(&mut self, one: &Reference) -> u32 {
        match one {
            Reference::Number(number, span) => {
                if *number > u64::from(u32::MAX) {
                    let message = format!("there is no section {number}");
                    self.report(*fault(codes::SASS_NAME, *span, message));
                }
                *number as u32
            }
            Reference::Name(name) => match self.outline.section(&name.bytes) {
                Some(index) => index as u32,
                None => {
                    let message = format!("there is no section `{}`", name.shown());
                    self.report(*fault(codes::SASS_NAME, name.span, message));
                    0
                }
            },
        }
    }

    /// A section without its name and place.
    fn section(&mut self, index: usize, one: &SectionText<'a>) -> Section {
        let name = &one.name.bytes;
        let usual = self.outline.heading(name);
        let keys = &one.keys;
        let kind = keys.kind.unwrap_or(usual.kind);
        let mut flags = keys.flags.unwrap_or(usual.flags);
        let heading = Heading {
            kind,
            flags,
            ..usual
        };
        let link = match &keys.link {
            Some(link) => self.reference(link),
            None => self.outline.link(name, kind, flags),
        };
        let is_code = is_code(kind, flags);
        // What the rest is about may be asked before the symbols are there.
        let about = keys
            .info
            .unwrap_or_else(|| self.outline.info(name, &heading, link, &[]));
        let content = self.content(index, one, kind, is_code, link, about);
        let symbols = match &content {
            Content::Symbols(symbols) => symbols.as_slice(),
            _ => &[],
        };
        let info = keys.info.unwrap_or_else(|| {
            let info = self.outline.info(name, &heading, link, symbols);
            match self.registers.get(&index) {
                Some(registers) if is_code && self.outline.is_old => info | registers << 24,
                _ => info,
            }
        });
        for item in &one.items {
            if let Item::Barriers(barriers) = item {
                flags |= u64::from(*barriers) << 20;
            }
        }
        Section {
            name: 0,
            kind,
            flags,
            address: keys.address.unwrap_or(0),
            offset: 0,
            link,
            info,
            align: keys.align.unwrap_or(usual.align),
            entry_size: keys.entry_size.unwrap_or(usual.entry_size),
            content,
        }
    }

    fn content(
        &mut self,
        index: usize,
        one: &SectionText<'a>,
        kind: u32,
        is_code: bool,
        link: u32,
        about: u32,
    ) -> Content {
        if takes_no_room(kind) {
            let is_zeros = |item: &Item<'_>| match item {
                Item::Data(Data::Bytes(bytes)) => bytes.iter().all(|&byte| byte == 0),
                Item::Data(Data::Zeros(_)) | Item::Label(_) => true,
                _ => false,
            };
            if !one.items.iter().all(is_zeros) {
                let message =
                    "a section of this kind has no bytes in the file; `.zero N` gives its size";
                self.report(*fault(codes::SASS_VALUE, one.name.span, message));
            }
            return Content::Zeros(self.sizes[index]);
        }
        let mut bytes = Vec::new();
        let mut symbols = Vec::new();
        let mut relocations = Vec::new();
        let mut records = Vec::new();
        let mut edges = Vec::new();
        let mut null = true;
        // Words with the places of their lines, as long as the section has nothing else.
        let mut code: Vec<(u128, Span)> = Vec::new();
        for item in &one.items {
            let read = match item {
                Item::Label(_) | Item::Registers(_) | Item::Barriers(_) => Ok(()),
                Item::Word(word) => {
                    bytes.extend(word.to_le_bytes());
                    code.push((*word, Span::default()));
                    Ok(())
                }
                Item::Inst(line) if is_code => {
                    let address = bytes.len() as u64;
                    let word = self.instruction(index, line, address);
                    bytes.extend(word.to_le_bytes());
                    code.push((word, line.span()));
                    Ok(())
                }
                Item::Inst(line) => Err(fault(
                    codes::SASS_SYNTAX,
                    line.span(),
                    "instructions stand in sections of code, like `.section .text.NAME`",
                )),
                Item::Data(Data::Bytes(data)) => {
                    bytes.extend(data);
                    Ok(())
                }
                Item::Data(Data::Zeros(count)) => {
                    // The sum of all is bounded.
                    bytes.resize(bytes.len() + *count as usize, 0);
                    Ok(())
                }
                Item::NoNullSymbol => {
                    null = false;
                    Ok(())
                }
                Item::Symbol(line) => self.symbol(index, *line).map(|one| symbols.push(one)),
                Item::Reloc(line) => self
                    .relocation(kind, link, about, *line)
                    .map(|one| relocations.push(one)),
                Item::Record(line) => self
                    .record(kind, link, about, *line)
                    .map(|one| records.push(one)),
                Item::Call(line) => self.edge(link, *line).map(|one| edges.push(one)),
            };
            if let Err(wrong) = read {
                self.report(*wrong);
            }
            if self.diagnostics.is_full() {
                break;
            }
        }
        if let Some(sm) = self.text.target
            && is_code
            && code.len() * 16 == bytes.len()
            && !self.diagnostics.has_errors()
        {
            warn(sm, &code, self.diagnostics);
        }
        let typed = match kind {
            elf::SHT_SYMTAB | kind::MERC_SYMBOLS => {
                if null {
                    symbols.insert(0, (Symbol::null(), Sized::Known));
                }
                Content::Symbols(self.with_sizes(index, symbols))
            }
            elf::SHT_REL | elf::SHT_RELA | kind::MERC_RELA => Content::Relocations(relocations),
            kind::INFO | kind::MERC_INFO | kind::COMPAT => Content::Info(records),
            kind::CALL_GRAPH | kind::MERC_CALL_GRAPH => Content::CallGraph(edges),
            _ => return Content::Bytes(bytes),
        };
        // A table that is damaged is written as bytes.
        let is_bytes = one.items.iter().any(|item| matches!(item, Item::Data(_)));
        match is_bytes {
            true => Content::Bytes(bytes),
            false => typed,
        }
    }

    fn instruction(&mut self, section: usize, line: &Line<'_>, address: u64) -> u128 {
        let text = line.rest();
        let text = text.strip_suffix(';').unwrap_or(text).trim_end();
        let Some(sm) = self.text.target else {
            self.report(*fault(
                codes::SASS_SYNTAX,
                line.span(),
                "instructions need a `.target`",
            ));
            return 0;
        };
        let labels = self.labels.get(&section);
        let place = |name: &str| labels?.get(name.as_bytes()).copied();
        match instruction::read(sm, text, address, place) {
            Ok(word) => word,
            Err(Refusal {
                code,
                range,
                message,
                help,
            }) => {
                let mut wrong = fault(code, line.part(range), message);
                wrong.help = (!help.is_empty()).then_some(help);
                self.report(*wrong);
                0
            }
        }
    }
}

fn is_code(kind: u32, flags: u64) -> bool {
    kind == elf::SHT_PROGBITS && flags & u64::from(elf::SHF_EXECINSTR) != 0
}
