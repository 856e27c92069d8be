//! Sections with their items to a cubin.

use super::data::Data;
use super::lex::{Line, Name, Wrong, fault};
use super::outline::{Heading, Outline, Table, usual_size};
use super::read::{Item, Reference, SectionText, Text};
use super::record::{self, Reading};
use super::strings::{self, StringTable};
use super::symbol;
use super::{Instructions, Refusal};
use crate::attribute;
use crate::content::{CallEdge, Content, Relocation, Symbol};
use crate::info::Record;
use crate::model::{Cubin, Header, Section, kind};
use crate::relocation;
use object::elf;
use std::collections::HashMap;
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};

/// Files are at most so long.
const LARGEST_FILE: u64 = 1 << 28;

/// The most sections that a header can count.
const MOST_SECTIONS: usize = 0xff00;

/// Makes the cubin. What is wrong goes to the diagnostics; there is a cubin only if nothing is.
pub(super) fn assemble(
    text: &Text<'_>,
    instructions: &dyn Instructions,
    diagnostics: &mut Diagnostics,
) -> Option<Cubin> {
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
    let is_old = cubin.chip_number() < Some(90);
    let mut assembler = Assembler {
        text,
        instructions,
        outline: Outline::new(is_old, names),
        cubin,
        labels: HashMap::new(),
        sizes: Vec::new(),
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
    instructions: &'t dyn Instructions,
    outline: Outline,
    cubin: Cubin,
    /// Where the labels of a section are.
    labels: HashMap<usize, HashMap<Vec<u8>, u64>>,
    /// How many bytes the items of a section have.
    sizes: Vec<u64>,
    /// What `.registers` says in a section.
    registers: HashMap<usize, u32>,
    diagnostics: &'t mut Diagnostics,
}

impl<'a> Assembler<'_, 'a> {
    fn run(&mut self) -> Option<Cubin> {
        self.measure();
        if self.diagnostics.has_errors() {
            return None;
        }
        self.symbol_names();
        let text = self.text;
        for (index, one) in (1..).zip(&text.sections) {
            let section = self.section(index, one);
            self.cubin.sections.push(section);
        }
        if self.diagnostics.has_errors() {
            return None;
        }
        self.share();
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
            let mut in_file = true;
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
                        in_file = self.kind_of(one) != elf::SHT_NOBITS;
                    }
                    Item::Registers(registers) => {
                        self.registers.insert(index, *registers);
                    }
                    _ => {}
                }
            }
            if in_file {
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
        if matches!(kind, elf::SHT_NOBITS | elf::SHT_NULL) {
            return Content::Zeros(self.sizes[index]);
        }
        let mut bytes = Vec::new();
        let mut symbols = Vec::new();
        let mut relocations = Vec::new();
        let mut records = Vec::new();
        let mut edges = Vec::new();
        let mut null = true;
        for item in &one.items {
            let read = match item {
                Item::Label(_) | Item::Registers(_) | Item::Barriers(_) => Ok(()),
                Item::Word(word) => {
                    bytes.extend(word.to_le_bytes());
                    Ok(())
                }
                Item::Inst(line) if is_code => {
                    let address = bytes.len() as u64;
                    let word = self.instruction(index, line, address);
                    bytes.extend(word.to_le_bytes());
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
        match self.instructions.word(sm, text, address, &place) {
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

    /// A symbol; its size may have to wait for the others.
    fn symbol(&self, table: usize, mut line: Line<'_>) -> Result<(Symbol, Sized), Wrong> {
        let name = line.name()?;
        let mut one = Symbol::null();
        let mut home = None;
        let mut at = None;
        let mut end = None;
        let mut size = None;
        while line.accept(",") {
            if symbol::read_kind(&mut line, &mut one) {
                continue;
            }
            let span = line.span();
            match line.word() {
                Some(("type", _)) => one.info = line.unsigned()?,
                Some(("other", _)) => one.other = line.unsigned()?,
                Some(("undefined", _)) => home = Some(elf::SHN_UNDEF),
                Some(("in", _)) => home = Some(self.home(&mut line)?),
                Some(("at", _)) => at = Some(line),
                Some(("end", _)) => end = Some(line),
                Some(("size", _)) => size = Some(line.unsigned()?),
                Some(("name_at", _)) => one.name = line.unsigned()?,
                _ => {
                    let message = "a symbol has: notype, object, func, section, file; local, global, weak; entry; type, other, undefined, in, at, end, size, name_at";
                    return Err(fault(codes::SASS_SYNTAX, span, message));
                }
            }
            if at.is_some_and(|at: Line<'_>| at.span() == line.span())
                || end.is_some_and(|end: Line<'_>| end.span() == line.span())
            {
                // Read when the section is known.
                match line.is_at_number() {
                    true => {
                        line.number()?;
                    }
                    false => {
                        line.name()?;
                    }
                }
            }
        }
        line.end()?;
        let usual = || symbol::usual_section(&self.outline, &one, &name.bytes);
        one.section = match home {
            Some(home) => home,
            None => match usual() {
                Some(home) => home as u16,
                None => {
                    let message = format!(
                        "it is not said where `{}` is; write `in SECTION` or `undefined`",
                        name.shown()
                    );
                    return Err(fault(codes::SASS_NAME, name.span, message));
                }
            },
        };
        let home = usize::from(one.section);
        one.value = match at {
            Some(mut at) => self.place_in(home, &mut at)?,
            None if one.kind() == elf::STT_FUNC && self.kind_at(table) == elf::SHT_SYMTAB => {
                let labels = self.labels.get(&home);
                labels
                    .and_then(|labels| labels.get(&name.bytes).copied())
                    .unwrap_or(0)
            }
            None => 0,
        };
        if let Some(mut end) = end {
            let span = end.span();
            let end = self.place_in(home, &mut end)?;
            one.size = end
                .checked_sub(one.value)
                .ok_or_else(|| fault(codes::SASS_VALUE, span, "the end lies before the start"))?;
            return Ok((one, Sized::Known));
        }
        if let Some(size) = size {
            one.size = size;
            return Ok((one, Sized::Known));
        }
        Ok((one, Sized::Usual))
    }

    fn kind_at(&self, section: usize) -> u32 {
        match section
            .checked_sub(1)
            .and_then(|at| self.text.sections.get(at))
        {
            Some(one) => self.kind_of(one),
            None => elf::SHT_NULL,
        }
    }

    /// The section of a symbol.
    fn home(&self, line: &mut Line<'_>) -> Result<u16, Wrong> {
        if line.is_at_number() {
            return line.unsigned();
        }
        let name = line.name()?;
        match self.outline.section(&name.bytes) {
            Some(section) => Ok(section as u16),
            None => {
                let message = format!("there is no section `{}`", name.shown());
                Err(fault(codes::SASS_NAME, name.span, message))
            }
        }
    }

    /// Gives symbols the sizes that nothing is said about.
    fn with_sizes(&self, table: usize, symbols: Vec<(Symbol, Sized)>) -> Vec<Symbol> {
        let mut all: Vec<Symbol> = symbols.iter().map(|(symbol, _)| *symbol).collect();
        let names = self.outline.tables.get(&table);
        let mut starts = HashMap::new();
        for (number, (one, sized)) in symbols.into_iter().enumerate() {
            let name = names.and_then(|table| table.names.get(number));
            let (Sized::Usual, Some(name)) = (sized, name) else {
                continue;
            };
            let home = usize::from(one.section);
            let empty = Vec::new();
            let home_name = self.outline.names.get(home).unwrap_or(&empty);
            let home_size = self.sizes.get(home).copied().unwrap_or(0);
            let starts = starts
                .entry(one.section)
                .or_insert_with(|| symbol::starts(&all, one.section));
            let size = usual_size(&one, name, home_name, home_size, starts);
            all[number].size = size;
        }
        all
    }

    /// A place in a section: a number or a label.
    fn place_in(&self, section: usize, line: &mut Line<'_>) -> Result<u64, Wrong> {
        if line.is_at_number() {
            return line.unsigned();
        }
        let name = line.name()?;
        let labels = self.labels.get(&section);
        match labels.and_then(|labels| labels.get(&name.bytes)) {
            Some(place) => Ok(*place),
            None => Err(self.no_label(section, &name)),
        }
    }

    fn no_label(&self, section: usize, name: &Name) -> Wrong {
        let home = self.outline.names.get(section);
        let home = home.map_or_else(String::new, |home| {
            String::from_utf8_lossy(home).into_owned()
        });
        let message = format!("there is no label `{}` in section `{home}`", name.shown());
        fault(codes::SASS_NAME, name.span, message)
    }

    /// A symbol by name or number.
    fn symbol_number(&self, table: u32, line: &mut Line<'_>) -> Result<u32, Wrong> {
        if line.is_at_number() {
            return line.unsigned();
        }
        let name = line.name()?;
        let table = self.outline.tables.get(&(table as usize));
        table
            .and_then(|table| table.number(&name.bytes))
            .ok_or_else(|| {
                let message = format!("there is no symbol `{}`, or more than one", name.shown());
                let mut wrong = fault(codes::SASS_NAME, name.span, message);
                wrong.help = Some(
                    "symbols are declared by `.symbol` lines in `.section .symtab`; one of several with a name is written by its number"
                        .to_owned(),
                );
                wrong
            })
    }

    fn relocation(
        &self,
        table_kind: u32,
        table: u32,
        about: u32,
        mut line: Line<'_>,
    ) -> Result<Relocation, Wrong> {
        let offset = self.place_in(about as usize, &mut line)?;
        line.expect(",")?;
        let kind = if line.is_at_number() {
            line.unsigned()?
        } else {
            let span = line.span();
            let name = line.word().map_or("", |(word, _)| word);
            relocation::number(name).ok_or_else(|| {
                let message = format!("there is no kind of relocation `{name}`");
                fault(codes::SASS_VALUE, span, message)
            })?
        };
        line.expect(",")?;
        let symbol = self.symbol_number(table, &mut line)?;
        let mut addend = matches!(table_kind, elf::SHT_RELA | kind::MERC_RELA).then_some(0);
        if line.accept(",") {
            if addend.is_none() {
                return Err(line.wrong("relocations in `.rel` sections have no addend".to_owned()));
            }
            addend = Some(if line.is_at_number() {
                let (value, span) = line.number()?;
                i64::try_from(value).map_err(|_| {
                    fault(codes::SASS_VALUE, span, "the addend does not fit 64 bits")
                })?
            } else {
                let (home, value) = self.function_at(table, symbol);
                let place = self.place_in(home, &mut line)?;
                place.wrapping_sub(value) as i64
            });
        }
        line.end()?;
        Ok(Relocation {
            offset,
            kind,
            symbol,
            addend,
        })
    }

    /// The section and the place of a function, from its line.
    fn function_at(&self, table: u32, number: u32) -> (usize, u64) {
        let section = (table as usize).checked_sub(1);
        let Some(one) = section.and_then(|at| self.text.sections.get(at)) else {
            return (0, 0);
        };
        let null = !one
            .items
            .iter()
            .any(|item| matches!(item, Item::NoNullSymbol));
        let lines = one.items.iter().filter_map(|item| match item {
            Item::Symbol(line) => Some(*line),
            _ => None,
        });
        let mut lines = lines.skip((number as usize).saturating_sub(usize::from(null)));
        let symbol = lines
            .next()
            .and_then(|line| self.symbol(table as usize, line).ok());
        symbol.map_or((0, 0), |(symbol, _)| {
            (usize::from(symbol.section), symbol.value)
        })
    }

    fn record(
        &self,
        section_kind: u32,
        table: u32,
        about: u32,
        mut line: Line<'_>,
    ) -> Result<Record, Wrong> {
        let rows = match section_kind {
            kind::COMPAT => attribute::COMPAT,
            _ => attribute::INFO,
        };
        let names = In {
            assembler: self,
            table,
            about: about as usize,
        };
        record::read(rows, &mut line, &names)
    }

    fn edge(&self, table: u32, mut line: Line<'_>) -> Result<CallEdge, Wrong> {
        let caller = self.symbol_number(table, &mut line)?;
        line.expect(",")?;
        let callee = if line.rest().starts_with('-') {
            let (value, _) = line.number()?;
            value as u32
        } else {
            self.symbol_number(table, &mut line)?
        };
        line.end()?;
        Ok(CallEdge { caller, callee })
    }

    /// Copies the bytes of sections to those that are the same.
    fn share(&mut self) {
        let text = self.text;
        for (index, one) in (1..).zip(&text.sections) {
            let Some(same) = &one.keys.same_as else {
                continue;
            };
            let other = self.reference(same) as usize;
            if other == 0 || other >= index {
                let message = "a section can only be the same as one before it";
                self.report(*fault(codes::SASS_VALUE, one.name.span, message));
                continue;
            }
            let bytes = self.cubin.sections[other].content.to_bytes();
            let section = &mut self.cubin.sections[index];
            section.content = Content::of(section.kind, &bytes);
        }
    }

    /// Fills the string tables and finds the names in them.
    fn name(&mut self) {
        let text = self.text;
        let names = match &text.names {
            Some(names) => self.reference(names),
            None => self.outline.section(b".shstrtab").unwrap_or(0) as u32,
        };
        let Ok(names_index) = u16::try_from(names) else {
            return;
        };
        self.cubin.header.names = names_index;
        // The names that each table has to hold.
        let mut wanted: HashMap<usize, Vec<Vec<u8>>> = HashMap::new();
        wanted
            .entry(names as usize)
            .or_default()
            .extend(self.outline.names.iter().skip(1).cloned());
        for (index, section) in self.cubin.sections.iter().enumerate() {
            if let Some(table) = self.outline.tables.get(&index) {
                let home = wanted.entry(section.link as usize).or_default();
                home.extend(table.names.iter().cloned());
            }
        }
        for (&index, names) in &wanted {
            let is_said = index
                .checked_sub(1)
                .and_then(|at| text.sections.get(at))
                .is_none_or(|one| !one.items.is_empty());
            let Some(section) = self.cubin.sections.get_mut(index) else {
                continue;
            };
            let Content::Bytes(bytes) = &mut section.content else {
                continue;
            };
            if !is_said {
                *bytes = strings::of_names(names.iter().map(Vec::as_slice));
            } else if section.kind == elf::SHT_STRTAB && bytes.last() == Some(&0) {
                let known = StringTable::new(bytes);
                let mut added = std::collections::HashSet::new();
                for name in names {
                    if known.place(name).is_none() && added.insert(name) {
                        bytes.extend(name);
                        bytes.push(0);
                    }
                }
            }
        }
        let table = StringTable::of(&self.cubin, names as usize);
        for (index, one) in (1..).zip(&text.sections) {
            let place = table.place(&one.name.bytes).unwrap_or(0);
            self.cubin.sections[index].name = one.keys.name_at.unwrap_or(place);
        }
        for index in 1..self.cubin.sections.len() {
            let strings = StringTable::of(&self.cubin, self.cubin.sections[index].link as usize);
            let said = self.names_at(index);
            let Some(table) = self.outline.tables.get(&index) else {
                continue;
            };
            let Content::Symbols(symbols) = &mut self.cubin.sections[index].content else {
                continue;
            };
            for ((number, symbol), name) in symbols.iter_mut().enumerate().zip(&table.names) {
                symbol.name = match said.get(&number) {
                    Some(place) => *place,
                    None => strings.place(name).unwrap_or(0),
                };
            }
        }
    }

    /// Where `.symbol` lines say that names are, by the symbol's number.
    fn names_at(&self, table: usize) -> HashMap<usize, u32> {
        let one = &self.text.sections[table - 1];
        let null = !one
            .items
            .iter()
            .any(|item| matches!(item, Item::NoNullSymbol));
        let lines = one.items.iter().filter_map(|item| match item {
            Item::Symbol(line) => Some(*line),
            _ => None,
        });
        let mut all = HashMap::new();
        for (number, line) in (usize::from(null)..).zip(lines) {
            if line.rest().contains("name_at")
                && let Ok((symbol, _)) = self.symbol(table, line)
            {
                let mut ahead = line;
                // The word may also be the symbol's name.
                let is_key = ahead.name().is_ok() && ahead.rest().contains("name_at");
                if is_key {
                    all.insert(number, symbol.name);
                }
            }
        }
        all
    }

    /// Gives everything its place.
    fn place(&mut self) {
        let text = self.text;
        let mut end = 64;
        for (index, one) in (1..).zip(&text.sections) {
            if let Some(same) = &one.keys.same_as {
                let other = self.reference(same) as usize;
                self.cubin.sections[index].offset = self.cubin.sections[other].offset;
                continue;
            }
            let usual = self.cubin.usual_offset(index, end);
            let offset = match (one.keys.offset, one.keys.gap) {
                (Some(offset), _) => offset,
                (None, gap) => usual.saturating_add(gap.unwrap_or(0)),
            };
            let section = &mut self.cubin.sections[index];
            section.offset = offset;
            let size = match section.is_empty_in_file() {
                true => 0,
                false => section.size(),
            };
            end = end.max(offset.saturating_add(size));
            if end > LARGEST_FILE {
                let message = "the file becomes longer than 256 MiB here";
                self.report(*fault(codes::SASS_VALUE, one.name.span, message));
                return;
            }
        }
        self.cubin.place_tables(end);
        let said = |key: &str| {
            let found = text.elf.iter().find(|(one, ..)| *one == key);
            found.map(|(_, value, _)| *value)
        };
        let header = &mut self.cubin.header;
        header.section_table = said("section_table").unwrap_or(header.section_table);
        header.segment_table = said("segment_table").unwrap_or(header.segment_table);
        self.cubin.segments = match &text.segments {
            Some(segments) => segments.clone(),
            None => self.cubin.usual_segments(),
        };
        if said("segment_size").is_none() {
            let size = if self.cubin.segments.is_empty() {
                0
            } else {
                56
            };
            self.cubin.header.segment_entry_size = size;
        }
        self.cubin.length = said("length").unwrap_or(self.cubin.usual_length());
        for stray in &text.strays {
            let mut bytes = Vec::new();
            for data in &stray.data {
                match data {
                    Data::Bytes(more) => bytes.extend(more),
                    Data::Zeros(count) => {
                        let room = LARGEST_FILE.saturating_sub(bytes.len() as u64);
                        bytes.resize(bytes.len() + (*count).min(room) as usize, 0);
                    }
                }
            }
            if stray.place.saturating_add(bytes.len() as u64) > LARGEST_FILE {
                let message = "the file becomes longer than 256 MiB here";
                self.report(*fault(codes::SASS_VALUE, stray.span, message));
                return;
            }
            self.cubin.strays.push((stray.place, bytes));
        }
    }
}

/// Whether a symbol's size is known.
#[derive(Clone, Copy)]
enum Sized {
    Known,
    /// It follows from the others.
    Usual,
}

fn is_code(kind: u32, flags: u64) -> bool {
    kind == elf::SHT_PROGBITS && flags & u64::from(elf::SHF_EXECINSTR) != 0
}

/// Names for the records of a section.
struct In<'s, 't, 'a> {
    assembler: &'s Assembler<'t, 'a>,
    table: u32,
    about: usize,
}

impl Reading for In<'_, '_, '_> {
    fn symbol(&self, line: &mut Line<'_>) -> Result<u32, Wrong> {
        self.assembler.symbol_number(self.table, line)
    }

    fn place(&self, line: &mut Line<'_>) -> Result<u32, Wrong> {
        let span = line.span();
        let place = self.assembler.place_in(self.about, line)?;
        u32::try_from(place)
            .map_err(|_| fault(codes::SASS_VALUE, span, "the place does not fit 32 bits"))
    }

    fn registers(&self, symbol: u32) -> Option<u32> {
        let outline = &self.assembler.outline;
        let table = outline.tables.get(&(self.table as usize))?;
        let name = table.names.get(symbol as usize)?;
        let code = outline.section(&[b".text.", name.as_slice()].concat())?;
        self.assembler.registers.get(&code).copied()
    }
}
