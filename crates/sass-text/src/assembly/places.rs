//! Names for the places in code that anything in the file names.

use super::lex::quoted_if_odd;
use super::outline::Outline;
use super::symbol::Starts;
use crate::instruction;
use object::elf;
use std::collections::{BTreeMap, HashMap, HashSet};
use warpc_cubin::Value;
use warpc_cubin::{Content, Symbol};
use warpc_cubin::{Cubin, Section, kind};
use warpc_sass::decode::decode;

/// The labels of all sections of code.
#[derive(Default)]
pub(super) struct Places {
    sections: HashMap<usize, BTreeMap<u64, String>>,
    names: HashMap<usize, HashSet<String>>,
}

impl Places {
    pub fn of(cubin: &Cubin, outline: &Outline) -> Places {
        let mut collected = Collected {
            cubin,
            places: HashMap::new(),
        };
        for (index, section) in cubin.sections.iter().enumerate() {
            if section.is_code() {
                collected.code(index, section);
            }
        }
        for (index, section) in cubin.sections.iter().enumerate() {
            collected.section(index, section, outline);
        }
        let mut places = collected.places;
        for labels in places.values_mut() {
            let taken: HashSet<String> = labels.values().cloned().collect();
            let mut free = (0..).map(|number| format!(".L_{number}"));
            for label in labels.values_mut().filter(|label| label.is_empty()) {
                let next = free.find(|name| !taken.contains(name));
                *label = next.unwrap_or_default();
            }
        }
        let names = places
            .iter()
            .map(|(&section, labels)| (section, labels.values().cloned().collect()))
            .collect();
        Places {
            sections: places,
            names,
        }
    }

    /// The name of a place.
    pub fn label(&self, section: usize, place: u64) -> Option<&str> {
        let label = self.sections.get(&section)?.get(&place)?;
        Some(label.as_str())
    }

    /// Whether a section has a label.
    pub fn has(&self, section: usize, name: &str) -> bool {
        self.names
            .get(&section)
            .is_some_and(|names| names.contains(name))
    }

    pub fn labels_at(&self, section: usize, place: u64) -> impl Iterator<Item = &str> {
        self.label(section, place).into_iter()
    }
}

struct Collected<'a> {
    cubin: &'a Cubin,
    /// Names by section and place; empty for those that get a number.
    places: HashMap<usize, BTreeMap<u64, String>>,
}

impl Collected<'_> {
    /// Makes a place a label, if it is one of an instruction or the end of the code.
    fn add(&mut self, section: usize, place: u64) {
        let Some(home) = self.cubin.sections.get(section) else {
            return;
        };
        if home.is_code() && place.is_multiple_of(16) && place <= home.size() / 16 * 16 {
            let labels = self.places.entry(section).or_default();
            labels.entry(place).or_default();
        }
    }

    /// The places that instructions go to.
    fn code(&mut self, index: usize, section: &Section) {
        let Content::Bytes(bytes) = &section.content else {
            return;
        };
        let Some(sm) = self.cubin.chip() else {
            return;
        };
        let (words, _) = bytes.as_chunks::<16>();
        for (number, word) in words.iter().enumerate() {
            let inst = decode(sm, u128::from_le_bytes(*word));
            let place = inst.and_then(|inst| instruction::target(&inst, number as u64 * 16));
            if let Some(place) = place {
                self.add(index, place);
            }
        }
    }

    /// The places that relocations, attributes and symbols name.
    fn section(&mut self, index: usize, section: &Section, outline: &Outline) {
        let about = section.info as usize;
        match &section.content {
            Content::Relocations(all) if section.kind != kind::MERC_RELA => {
                for one in all {
                    self.add(about, one.offset);
                    let target = self.function(section.link, one.symbol);
                    if let Some((home, value)) = target
                        && let Some(addend) = one.addend.filter(|&addend| addend != 0)
                    {
                        self.add(home, value.wrapping_add_signed(addend));
                    }
                }
            }
            Content::Info(records) if section.kind == kind::INFO => {
                for record in records {
                    for place in named_places(&record.value()) {
                        self.add(about, place.into());
                    }
                }
            }
            Content::Symbols(symbols) if section.kind == elf::SHT_SYMTAB => {
                if let Some(table) = outline.tables.get(&index) {
                    self.symbols(symbols, &table.names, outline);
                }
            }
            _ => {}
        }
    }

    /// The section and value of the symbol of a function.
    fn function(&self, table: u32, number: u32) -> Option<(usize, u64)> {
        let Content::Symbols(symbols) = &self.cubin.sections.get(table as usize)?.content else {
            return None;
        };
        let symbol = symbols.get(number as usize)?;
        (symbol.kind() == elf::STT_FUNC).then(|| (usize::from(symbol.section), symbol.value))
    }

    /// Functions name the places where they start; where they end is a place, too.
    fn symbols(&mut self, symbols: &[Symbol], names: &[Vec<u8>], outline: &Outline) {
        let mut taken = HashSet::new();
        let starts = Starts::of(symbols);
        for (one, name) in symbols.iter().zip(names) {
            if one.kind() != elf::STT_FUNC {
                continue;
            }
            let home = usize::from(one.section);
            let text = quoted_if_odd(name);
            // A name in quotes cannot stand in an operand.
            if text.as_bytes() == name.as_slice() && taken.insert((home, name.clone())) {
                self.add(home, one.value);
                let labels = self.places.get_mut(&home);
                if let Some(label) = labels.and_then(|labels| labels.get_mut(&one.value))
                    && label.is_empty()
                {
                    *label = text;
                }
            }
            let home_size = self.cubin.sections.get(home).map_or(0, Section::size);
            let empty = Vec::new();
            let home_name = outline.names.get(home).unwrap_or(&empty);
            if one.size != starts.usual_size(one, name, home_name, home_size)
                && let Some(end) = one.value.checked_add(one.size)
            {
                self.add(home, end);
            }
        }
    }
}

/// The places that a value names.
fn named_places(value: &Value) -> Vec<u32> {
    match value {
        Value::Offsets(places) => places.clone(),
        Value::Pairs(pairs) => pairs.iter().map(|pair| pair.0).collect(),
        Value::Branches(all) => all
            .iter()
            .flat_map(|(place, targets)| std::iter::once(*place).chain(targets.iter().copied()))
            .collect(),
        Value::Mbarriers(all) => all.iter().map(|one| one.offset).collect(),
        Value::Annotations(all) => all.iter().map(|one| one.1).collect(),
        _ => Vec::new(),
    }
}
