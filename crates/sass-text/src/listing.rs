//! The listing of a cubin's code, as `nvdisasm -c` prints it.
//!
//! Words are decoded; the places that instructions go to become labels, and what relocations name becomes symbols;
//! then all are printed. Functions have the names of their symbols, all other places that are named anywhere are
//! `.L_x_0`, `.L_x_1` … in this order: those that relocations of code name, those that instructions name, branches
//! through registers and their targets, those that relocations of other sections name (debug information), the ends of
//! functions.

mod attributes;
mod code;
mod frame;
mod labels;
mod relocated;

pub use attributes::{Shown, attributes};
pub use frame::{Layout, print, print_as};

use code::Decoded;
use labels::Labels;
use object::elf;
use std::collections::{HashMap, HashSet};
use warpc_cubin::Record;
use warpc_cubin::Value;
use warpc_cubin::attribute::info::{ANNOTATIONS, INDIRECT_BRANCH_TARGETS};
use warpc_cubin::{Content, Relocation, Symbol};
use warpc_cubin::{Cubin, Section, kind};

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
    /// The names of places that are not functions, by address.
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
    /// What the tools say of it after the text; empty for most.
    pub remark: String,
}

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
pub fn sections(cubin: &Cubin) -> Vec<CodeSection> {
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
    let mut decoded = Vec::new();
    let mut entries = 0;
    for code in &all {
        let branches = branches.get(&code.index).map_or(&[][..], Vec::as_slice);
        // What is not linked yet branches by a distance from the start of its section, which it loads from a table.
        let waits = of(code.index).iter().any(relocated::is_of_constants);
        let branches = match cubin.header.kind {
            elf::ET_REL if waits => branches,
            _ => &[],
        };
        entries += branches.iter().map(|branch| branch.1.len()).sum::<usize>();
        decoded.push(Decoded::new(cubin, code, branches, &mut labels, &mut room));
    }
    for code in &all {
        for (place, targets) in branches.get(&code.index).into_iter().flatten() {
            labels.take(code.index, *place);
            for &target in targets {
                labels.take(code.index, u64::from(target));
            }
        }
    }
    // The tables of an object file name their places once more.
    labels.skip(entries);
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
    for (code, mut decoded) in all.iter_mut().zip(decoded) {
        let branches = branches.get(&code.index).map_or(&[][..], Vec::as_slice);
        let remarks =
            relocated::name_operands(cubin, &mut decoded, of(code.index), &labels, &mut room);
        code.instructions = decoded.print(code.index, &labels);
        name_targets(code, branches, &labels);
        for place in spills.get(&code.index).into_iter().flatten() {
            let instruction = code.instructions.get_mut(*place as usize / 16);
            if let Some(instruction) = instruction.filter(|one| one.remark.is_empty()) {
                instruction.remark = "SpillRefill".to_owned();
            }
        }
        for (index, remark) in remarks {
            if let Some(instruction) = code.instructions.get_mut(index) {
                instruction.remark = remark;
            }
        }
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

/// Names the places that branches through registers may go to.
fn name_targets(code: &mut CodeSection, branches: &[Branch], labels: &Labels) {
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
    }
}
