//! The lines of relocations, attributes and calls.

use super::*;

impl Assembler<'_, '_> {
    /// A place in a section: a number or a label.
    pub(super) fn place_in(&self, section: usize, line: &mut Line<'_>) -> Result<u64, Wrong> {
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

    pub(super) fn no_label(&self, section: usize, name: &Name) -> Wrong {
        let home = self.outline.names.get(section);
        let home = home.map_or_else(String::new, |home| {
            String::from_utf8_lossy(home).into_owned()
        });
        let message = format!("there is no label `{}` in section `{home}`", name.shown());
        fault(codes::SASS_NAME, name.span, message)
    }

    /// A symbol by name or number.
    pub(super) fn symbol_number(&self, table: u32, line: &mut Line<'_>) -> Result<u32, Wrong> {
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

    pub(super) fn relocation(
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
                let homes = self.homes.get(&(table as usize));
                let home = homes.and_then(|homes| homes.get(symbol as usize).copied());
                let (home, value) = home.unwrap_or((0, 0));
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

    pub(super) fn record(
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

    pub(super) fn edge(&self, table: u32, mut line: Line<'_>) -> Result<CallEdge, Wrong> {
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
