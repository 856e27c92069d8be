//! What can be done when all sections are there: bytes that are shared, names, places in the file.

use super::*;

impl Assembler<'_, '_> {
    /// Copies the bytes of sections to those that are the same.
    pub(super) fn share(&mut self) {
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
    pub(super) fn name(&mut self) {
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
            let Some(table) = self.outline.tables.get(&index) else {
                continue;
            };
            let strings = StringTable::of(&self.cubin, self.cubin.sections[index].link as usize);
            let said = self.names_at(index);
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

    /// Gives everything its place.
    pub(super) fn place(&mut self) {
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
