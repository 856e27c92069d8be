//! The listing of a cubin's code, as `nvdisasm -c` prints it.
//!
//! What an instruction is, the caller says ([`Disassembler`]). Here are the names of the places: functions by their
//! symbols, all other places that instructions go to `.L_x_0`, `.L_x_1` … in this order: those that relocations of
//! code name, those that instructions name, branches through registers and their targets, those that relocations of
//! other sections name (debug information), the ends of functions.

mod attributes;
mod frame;
mod labels;
mod relocated;

pub use attributes::{Shown, attributes};
pub use frame::{Layout, print, print_as};

use crate::attribute::info::{ANNOTATIONS, INDIRECT_BRANCH_TARGETS};
use crate::content::{Content, Relocation, Symbol};
use crate::info::Record;
use crate::model::{Cubin, Section, kind};
use crate::value::Value;
use labels::Labels;
use object::elf;
use std::collections::{HashMap, HashSet};

/// Gives a place in the section a name, as an operand shows it.
pub type Ask<'a> = dyn FnMut(u64) -> String + 'a;

/// Who knows instructions.
pub trait Disassembler {
    /// The text of an instruction at an address, without the semicolon; nothing if there is no such instruction.
    /// Places that it goes to are named by `ask`.
    fn text(&self, word: u128, address: u64, ask: &mut Ask<'_>) -> Option<String>;
}

/// A section of code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeSection {
    /// Its name.
    pub name: String,
    /// Its index in the file.
    pub index: usize,
    /// The functions in it, by address.
    pub functions: Vec<Function>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// The names of places that are no functions, by address.
    pub labels: Vec<(u64, String)>,
    /// How many bytes it has.
    pub size: u64,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its symbol.
    pub symbol: Symbol,
    /// Its symbol's place in the table.
    pub index: usize,
    /// Where it starts in the section.
    pub start: u64,
    /// How many bytes it has.
    pub size: u64,
    /// Whether it can be launched.
    pub is_kernel: bool,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its address in the section.
    pub address: u64,
    /// Its word.
    pub word: u128,
    /// Its text, without the semicolon.
    pub text: String,
    /// Where a branch through a register may go, by the attributes of the kernel.
    pub targets: Vec<String>,
    /// What the tools say of it behind the text; empty for most.
    pub remark: String,
}

/// Before and behind the number of a place in a text that waits for the names of all places.
const MARK: char = '\u{1}';

/// How much text names may add to a listing: so many times the file's length, and so much more. A small file can name
/// one long symbol in every instruction.
const NAMES_SHARE: u64 = 64;
const NAMES_LEAST: u64 = 1 << 24;

/// What is left of the room for names.
pub(super) struct Room(u64);

impl Room {
    pub(super) fn of(cubin: &Cubin) -> Room {
        Room(
            cubin
                .length
                .saturating_mul(NAMES_SHARE)
                .saturating_add(NAMES_LEAST),
        )
    }

    /// Whether so many bytes more have room; then they are taken.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes as u64);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// The sections of code, with names for all places.
pub fn sections(cubin: &Cubin, disassembler: &dyn Disassembler) -> Vec<CodeSection> {
    let mut labels = Labels::default();
    let mut room = Room::of(cubin);
    let mut functions = functions(cubin);
    for (&section, functions) in &functions {
        for function in functions {
            labels.name_start(section, function.start);
        }
    }
    let relocations = relocations(cubin);
    let (branches, spills) = remarks(cubin);
    let mut all: Vec<CodeSection> = cubin
        .sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.is_code())
        .map(|(index, section)| CodeSection {
            name: cubin.section_name(section).into_owned(),
            index,
            functions: functions.remove(&index).unwrap_or_default(),
            instructions: Vec::new(),
            labels: Vec::new(),
            size: section.size(),
        })
        .collect();
    let of = |index: usize| relocations.get(&index).map_or(&[][..], Vec::as_slice);
    for code in &all {
        relocated::number_places(cubin, of(code.index), &mut labels);
    }
    for code in &mut all {
        let branches = branches.get(&code.index).map_or(&[][..], Vec::as_slice);
        let places = Places {
            labels: &mut labels,
            room: &mut room,
            // What is not linked yet branches by a distance from the start of its section.
            branches: if cubin.header.kind == elf::ET_REL {
                branches
            } else {
                &[]
            },
        };
        code.instructions = instructions(cubin, code, disassembler, places);
    }
    let mut entries = 0;
    for code in &all {
        for (place, targets) in branches.get(&code.index).into_iter().flatten() {
            labels.take(code.index, *place);
            for &target in targets {
                labels.take(code.index, u64::from(target));
            }
            entries += targets.len();
        }
    }
    // The tables of an object file name their places once more.
    if cubin.header.kind == elf::ET_REL {
        labels.skip(entries);
    }
    for (index, section) in cubin.sections.iter().enumerate() {
        if !section.is_code() {
            relocated::number_places(cubin, of(index), &mut labels);
        }
    }
    let (_, symbols) = cubin.symbols();
    for symbol in symbols
        .iter()
        .filter(|symbol| symbol.kind() == elf::STT_FUNC)
    {
        let section = usize::from(symbol.section);
        if cubin.sections.get(section).is_some_and(Section::is_code) {
            labels.take(section, symbol.value.saturating_add(symbol.size));
        }
    }
    let mut places = labels.by_section();
    for code in &mut all {
        let branches = branches.get(&code.index).map_or(&[][..], Vec::as_slice);
        name_places(code, branches, &labels);
        for place in spills.get(&code.index).into_iter().flatten() {
            let instruction = code.instructions.get_mut(*place as usize / 16);
            if let Some(instruction) = instruction.filter(|one| one.remark.is_empty()) {
                instruction.remark = "SpillRefill".to_owned();
            }
        }
        relocated::name_operands(cubin, code, of(code.index), &labels, &mut room);
        let mut places = places.remove(&code.index).unwrap_or_default();
        let starts: Vec<u64> = code.functions.iter().map(|one| one.start).collect();
        places.retain(|(place, _)| starts.binary_search(place).is_err());
        code.labels = places
            .into_iter()
            .map(|(place, number)| (place, labels::name(number)))
            .collect();
    }
    all
}

/// The functions by section, each section's by address.
fn functions(cubin: &Cubin) -> HashMap<usize, Vec<Function>> {
    let (_, symbols) = cubin.symbols();
    let mut all: HashMap<usize, Vec<Function>> = HashMap::new();
    for (index, symbol) in symbols.iter().enumerate() {
        let home = usize::from(symbol.section);
        let in_code = cubin.sections.get(home).is_some_and(Section::is_code);
        if symbol.kind() == elf::STT_FUNC && in_code {
            all.entry(home).or_default().push(Function {
                name: cubin.symbol_name(symbol).into_owned(),
                symbol: *symbol,
                index,
                start: symbol.value,
                size: symbol.size,
                is_kernel: symbol.other & Symbol::ENTRY != 0,
            });
        }
    }
    // Of several symbols for one place the last of the table comes first.
    for functions in all.values_mut() {
        functions.sort_by_key(|function| (function.start, std::cmp::Reverse(function.index)));
    }
    all
}

/// The relocations by section, each section's by place.
fn relocations(cubin: &Cubin) -> HashMap<usize, Vec<Relocation>> {
    let mut all: HashMap<usize, Vec<Relocation>> = HashMap::new();
    for table in &cubin.sections {
        if let Content::Relocations(relocations) = &table.content
            && matches!(table.kind, elf::SHT_REL | elf::SHT_RELA)
        {
            let target = cubin.sections.get(table.info as usize);
            let of_section = all.entry(table.info as usize).or_default();
            of_section.extend(relocations.iter().map(|one| Relocation {
                addend: one.addend.or_else(|| relocated::held_addend(target?, one)),
                ..*one
            }));
        }
    }
    for relocations in all.values_mut() {
        relocations.sort_by_key(|one| one.offset);
    }
    all
}

/// What the instructions of a section need to name places.
struct Places<'a> {
    labels: &'a mut Labels,
    room: &'a mut Room,
    /// The branches through registers whose distance is shown as what it is from the start of the section.
    branches: &'a [Branch],
}

/// The instructions; texts that name places wait for [`name_places`].
fn instructions(
    cubin: &Cubin,
    code: &CodeSection,
    disassembler: &dyn Disassembler,
    places: Places,
) -> Vec<Instruction> {
    let Places {
        labels,
        room,
        branches,
    } = places;
    let branches: HashSet<u64> = branches.iter().map(|branch| branch.0).collect();
    let Content::Bytes(bytes) = &cubin.sections[code.index].content else {
        return Vec::new();
    };
    let (words, _) = bytes.as_chunks::<16>();
    let mut instructions = Vec::with_capacity(words.len());
    let mut starts: HashMap<u64, &str> = HashMap::new();
    for function in &code.functions {
        starts.entry(function.start).or_insert(&function.name);
    }
    for (index, word) in words.iter().enumerate() {
        let word = u128::from_le_bytes(*word);
        let address = index as u64 * 16;
        let mut ask = |place: u64| match starts.get(&place) {
            Some(name) if room.take(name.len()) => format!("`({name})"),
            None if place <= code.size => {
                labels.number(code.index, place);
                format!("`({MARK}{place}{MARK})")
            }
            _ => format!("{place:#x}"),
        };
        let mut text = disassembler
            .text(word, address, &mut ask)
            .unwrap_or_else(|| format!(".unknown {word:#034x}"));
        if branches.contains(&address) {
            // The distance is counted from the next instruction.
            let whole = format!(" -{:#x}", address + 16);
            if text.ends_with(&whole) && room.take(code.name.len()) {
                text.truncate(text.len() - whole.len());
                text.push_str(&format!(" `((({} - .) - 0x10))", code.name));
                labels.take(code.index, 0);
            }
        }
        instructions.push(Instruction {
            address,
            word,
            text,
            targets: Vec::new(),
            remark: String::new(),
        });
    }
    instructions
}

/// A branch through a register: its place, and where it may go.
type Branch = (u64, Vec<u32>);

/// What the attributes remark on instructions, by section of code: the branches through registers, and the places that
/// spill registers or fill them again.
fn remarks(cubin: &Cubin) -> (HashMap<usize, Vec<Branch>>, HashMap<usize, Vec<u32>>) {
    let mut all_branches: HashMap<usize, Vec<Branch>> = HashMap::new();
    let mut spills: HashMap<usize, Vec<u32>> = HashMap::new();
    for info in cubin.sections.iter().filter(|one| one.kind == kind::INFO) {
        let Content::Info(records) = &info.content else {
            continue;
        };
        let section = info.info as usize;
        let told =
            |record: &&Record| matches!(record.attribute, INDIRECT_BRANCH_TARGETS | ANNOTATIONS);
        for record in records.iter().filter(told) {
            match record.value() {
                Value::Branches(branches) => {
                    let branches = branches.into_iter();
                    let of_section = all_branches.entry(section).or_default();
                    of_section.extend(branches.map(|(place, to)| (u64::from(place), to)));
                }
                Value::Annotations(all) => {
                    let places = all.into_iter().map(|(_, place)| place);
                    spills.entry(section).or_default().extend(places);
                }
                _ => {}
            }
        }
    }
    (all_branches, spills)
}

/// Puts the names of places into the texts.
fn name_places(code: &mut CodeSection, branches: &[Branch], labels: &Labels) {
    let branches: HashMap<u64, &[u32]> = branches
        .iter()
        .map(|(place, targets)| (*place, targets.as_slice()))
        .collect();
    for instruction in &mut code.instructions {
        let mut seen = HashSet::new();
        for &target in branches.get(&instruction.address).copied().unwrap_or(&[]) {
            // Each is named once.
            if !seen.insert(target) {
                continue;
            }
            if let Some(name) = labels.name_of(code.index, u64::from(target)) {
                instruction.targets.push(name);
            }
        }
        if !instruction.targets.is_empty() {
            instruction.remark = format!("BRANCH_TARGETS {}", instruction.targets.join(","));
        }
        let mut parts = instruction.text.split(MARK);
        if let (Some(before), Some(place), Some(behind)) =
            (parts.next(), parts.next(), parts.next())
        {
            let place = place.parse().ok();
            if let Some(name) = place.and_then(|place| labels.name_of(code.index, place)) {
                instruction.text = format!("{before}{name}{behind}");
            }
        }
    }
}
