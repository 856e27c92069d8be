//! The lines of tables of symbols.

use super::*;
use crate::assembly::symbol::Starts;

/// Whether a symbol's size is known.
#[derive(Clone, Copy)]
pub(super) enum Sized {
    Known,
    /// It follows from the others.
    Usual,
}

impl Assembler<'_, '_> {
    /// A symbol; its size may have to wait for the others.
    pub(super) fn symbol(
        &self,
        table: usize,
        mut line: Line<'_>,
    ) -> Result<(Symbol, Sized), Wrong> {
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

    pub(super) fn kind_at(&self, section: usize) -> u32 {
        match section
            .checked_sub(1)
            .and_then(|at| self.text.sections.get(at))
        {
            Some(one) => self.kind_of(one),
            None => elf::SHT_NULL,
        }
    }

    /// The section of a symbol.
    pub(super) fn home(&self, line: &mut Line<'_>) -> Result<u16, Wrong> {
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
    pub(super) fn with_sizes(&self, table: usize, symbols: Vec<(Symbol, Sized)>) -> Vec<Symbol> {
        let mut all: Vec<Symbol> = symbols.iter().map(|(symbol, _)| *symbol).collect();
        let names = self.outline.tables.get(&table);
        let starts = Starts::of(&all);
        for (number, (one, sized)) in symbols.into_iter().enumerate() {
            let name = names.and_then(|table| table.names.get(number));
            let (Sized::Usual, Some(name)) = (sized, name) else {
                continue;
            };
            let home = usize::from(one.section);
            let empty = Vec::new();
            let home_name = self.outline.names.get(home).unwrap_or(&empty);
            let home_size = self.sizes.get(home).copied().unwrap_or(0);
            let size = starts.usual_size(&one, name, home_name, home_size);
            all[number].size = size;
        }
        all
    }

    /// The section and the place of every symbol, from its line.
    pub(super) fn find_homes(&mut self) {
        for &table in self.outline.tables.keys() {
            let one = &self.text.sections[table - 1];
            let mut homes = vec![(0, 0)];
            for item in &one.items {
                match item {
                    Item::NoNullSymbol => homes.clear(),
                    Item::Symbol(line) => {
                        // What is wrong with a line is said when the table is made.
                        let symbol = self.symbol(table, *line);
                        homes.push(symbol.map_or((0, 0), |(symbol, _)| {
                            (usize::from(symbol.section), symbol.value)
                        }));
                    }
                    _ => {}
                }
            }
            self.homes.insert(table, homes);
        }
    }

    /// Where `.symbol` lines say that names are, by the symbol's number.
    pub(super) fn names_at(&self, table: usize) -> HashMap<usize, u32> {
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
}
