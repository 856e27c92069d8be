//! The listing of a cubin's code, as `nvdisasm -c` prints it.
//!
//! What an instruction is, the caller says ([`Disassembler`]). Here are the names of the places: functions by their
//! symbols, all other places that instructions go to `.L_x_0`, `.L_x_1` … in this order: those that relocations
//! name, those that instructions name, branches through registers and their targets, the ends of functions.

mod attributes;
mod frame;

pub use attributes::{Shown, attributes};
pub use frame::print;

use crate::attribute::info::INDIRECT_BRANCH_TARGETS;
use crate::content::{Content, Relocation, Symbol};
use crate::info::Record;
use crate::model::{Cubin, Section, kind};
use crate::relocation;
use crate::value::Value;
use object::elf;
use std::collections::HashMap;

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
}

/// Before and behind the number of a place in a text that waits for the names of all places.
const MARK: char = '\u{1}';

/// The sections of code, with names for all places.
pub fn sections(cubin: &Cubin, disassembler: &dyn Disassembler) -> Vec<CodeSection> {
    let mut labels = Labels::default();
    let mut all: Vec<CodeSection> = cubin
        .sections
        .iter()
        .enumerate()
        .filter(|(_, section)| section.is_code())
        .map(|(index, section)| CodeSection {
            name: cubin.section_name(section).into_owned(),
            index,
            functions: functions(cubin, index),
            instructions: Vec::new(),
            labels: Vec::new(),
            size: section.size(),
        })
        .collect();
    let relocations: Vec<_> = all
        .iter()
        .map(|code| relocations(cubin, code.index))
        .collect();
    for relocations in &relocations {
        relocated_places(cubin, relocations, &mut labels);
    }
    for code in &mut all {
        code.instructions = instructions(cubin, code, disassembler, &mut labels);
    }
    for code in &all {
        for (place, targets) in branches(cubin, code.index) {
            labels.number(code.index, place);
            for target in targets {
                labels.number(code.index, u64::from(target));
            }
        }
    }
    let (_, symbols) = cubin.symbols();
    for symbol in symbols
        .iter()
        .filter(|symbol| symbol.kind() == elf::STT_FUNC)
    {
        let section = usize::from(symbol.section);
        if cubin.sections.get(section).is_some_and(Section::is_code) {
            labels.end(section, symbol.value.saturating_add(symbol.size));
        }
    }
    for (code, relocations) in all.iter_mut().zip(&relocations) {
        name_places(cubin, code, relocations, &labels);
        let mut places = labels.of_section(code.index);
        let starts = |place: u64| {
            code.functions
                .iter()
                .any(|function| function.start == place)
        };
        places.retain(|&(place, _)| !starts(place));
        code.labels = places
            .into_iter()
            .map(|(place, number)| (place, format!(".L_x_{number}")))
            .collect();
    }
    all
}

/// Numbers of places, by section and address.
#[derive(Default)]
struct Labels {
    numbers: HashMap<(usize, u64), usize>,
    next: usize,
}

impl Labels {
    /// The number of a place, a new one for a new place.
    fn number(&mut self, section: usize, place: u64) -> usize {
        *self.numbers.entry((section, place)).or_insert_with(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// Numbers the end of a function. The number is used up even where the place has one already.
    fn end(&mut self, section: usize, place: u64) {
        self.numbers.entry((section, place)).or_insert(self.next);
        self.next += 1;
    }

    /// The places of a section, by address.
    fn of_section(&self, section: usize) -> Vec<(u64, usize)> {
        let mut places: Vec<_> = self
            .numbers
            .iter()
            .filter(|((home, _), _)| *home == section)
            .map(|(&(_, place), &number)| (place, number))
            .collect();
        places.sort_unstable();
        places
    }
}

/// The functions in a section, by address.
fn functions(cubin: &Cubin, section: usize) -> Vec<Function> {
    let (_, symbols) = cubin.symbols();
    let mut functions: Vec<Function> = symbols
        .iter()
        .filter(|symbol| symbol.kind() == elf::STT_FUNC && usize::from(symbol.section) == section)
        .map(|symbol| Function {
            name: cubin.symbol_name(symbol).into_owned(),
            symbol: *symbol,
            start: symbol.value,
            size: symbol.size,
            is_kernel: symbol.other & Symbol::ENTRY != 0,
        })
        .collect();
    functions.sort_by_key(|function| function.start);
    functions
}

/// The relocations of a section, by place.
fn relocations(cubin: &Cubin, section: usize) -> Vec<Relocation> {
    let mut all: Vec<Relocation> = cubin
        .sections
        .iter()
        .filter(|table| {
            matches!(table.kind, elf::SHT_REL | elf::SHT_RELA) && table.info as usize == section
        })
        .filter_map(|table| match &table.content {
            Content::Relocations(all) => Some(all.iter().copied()),
            _ => None,
        })
        .flatten()
        .collect();
    all.sort_by_key(|one| one.offset);
    all
}

/// The place in a function that a relocation names by an addend.
fn inner_place(cubin: &Cubin, one: &Relocation) -> Option<(usize, u64)> {
    let addend = one.addend.filter(|&addend| addend != 0)?;
    let (_, symbols) = cubin.symbols();
    let symbol = symbols.get(one.symbol as usize)?;
    let home = usize::from(symbol.section);
    (symbol.kind() == elf::STT_FUNC && cubin.sections.get(home)?.is_code())
        .then(|| (home, symbol.value.wrapping_add_signed(addend)))
}

fn relocated_places(cubin: &Cubin, relocations: &[Relocation], labels: &mut Labels) {
    for one in relocations {
        if let Some((section, place)) = inner_place(cubin, one) {
            labels.number(section, place);
        }
    }
}

/// The instructions; texts that name places wait for [`name_places`].
fn instructions(
    cubin: &Cubin,
    code: &CodeSection,
    disassembler: &dyn Disassembler,
    labels: &mut Labels,
) -> Vec<Instruction> {
    let Content::Bytes(bytes) = &cubin.sections[code.index].content else {
        return Vec::new();
    };
    let (words, _) = bytes.as_chunks::<16>();
    let mut instructions = Vec::with_capacity(words.len());
    for (index, word) in words.iter().enumerate() {
        let word = u128::from_le_bytes(*word);
        let address = index as u64 * 16;
        let mut ask = |place: u64| {
            let is_start = |function: &Function| function.start == place;
            match code.functions.iter().find(|function| is_start(function)) {
                Some(function) => format!("`({})", function.name),
                None if place > code.size => format!("{place:#x}"),
                None => {
                    labels.number(code.index, place);
                    format!("`({MARK}{place}{MARK})")
                }
            }
        };
        let text = disassembler
            .text(word, address, &mut ask)
            .unwrap_or_else(|| format!(".unknown {word:#034x}"));
        instructions.push(Instruction {
            address,
            word,
            text,
            targets: Vec::new(),
        });
    }
    instructions
}

/// The targets of branches through registers in a section of code, by the place of the branch.
fn branches(cubin: &Cubin, section: usize) -> Vec<(u64, Vec<u32>)> {
    let about = |info: &&Section| info.kind == kind::INFO && info.info as usize == section;
    let mut all = Vec::new();
    for info in cubin.sections.iter().filter(about) {
        let Content::Info(records) = &info.content else {
            continue;
        };
        let of_branches = |record: &&Record| record.attribute == INDIRECT_BRANCH_TARGETS;
        for record in records.iter().filter(of_branches) {
            if let Value::Branches(branches) = record.value() {
                all.extend(
                    branches
                        .into_iter()
                        .map(|(place, targets)| (u64::from(place), targets)),
                );
            }
        }
    }
    all
}

/// Puts the names of places and of relocated symbols into the texts.
fn name_places(cubin: &Cubin, code: &mut CodeSection, relocations: &[Relocation], labels: &Labels) {
    let branches: HashMap<u64, Vec<u32>> = branches(cubin, code.index).into_iter().collect();
    for instruction in &mut code.instructions {
        for &target in branches.get(&instruction.address).into_iter().flatten() {
            if let Some(number) = labels.numbers.get(&(code.index, u64::from(target))) {
                instruction.targets.push(format!(".L_x_{number}"));
            }
        }
        let mut parts = instruction.text.split(MARK);
        if let (Some(before), Some(place), Some(behind)) =
            (parts.next(), parts.next(), parts.next())
        {
            let number = place
                .parse()
                .ok()
                .and_then(|place| labels.numbers.get(&(code.index, place)));
            if let Some(number) = number {
                instruction.text = format!("{before}.L_x_{number}{behind}");
            }
        }
    }
    for one in relocations {
        let Some(instruction) = code.instructions.get_mut((one.offset / 16) as usize) else {
            continue;
        };
        if let Some(operand) = relocated_operand(cubin, one, labels) {
            // The operand that waits for its value is the last.
            let text = &instruction.text;
            let start = text
                .rfind(", ")
                .map(|at| at + 2)
                .or_else(|| text.rfind(' ').map(|at| at + 1));
            if let Some(start) = start {
                instruction.text.replace_range(start.., &operand);
            }
        }
    }
}

/// The operand that a relocation stands for.
fn relocated_operand(cubin: &Cubin, one: &Relocation, labels: &Labels) -> Option<String> {
    let (_, symbols) = cubin.symbols();
    let name = cubin.symbol_name(symbols.get(one.symbol as usize)?);
    let inner = inner_place(cubin, one).and_then(|place| labels.numbers.get(&place));
    let target = match inner {
        Some(number) => format!("({name} + .L_x_{number}@srel)"),
        None => name.into_owned(),
    };
    match relocation::name(one.kind)? {
        "R_CUDA_ABS32_LO_32" => Some(format!("32@lo({target})")),
        "R_CUDA_ABS32_HI_32" => Some(format!("32@hi({target})")),
        "R_CUDA_ABS32_32" | "R_CUDA_ABS47_34" | "R_CUDA_ABS55_16_34" | "R_CUDA_ABS56_16_34" => {
            Some(format!("`({target})"))
        }
        _ => None,
    }
}
