//! The sections of code of a cubin as instructions, for whoever judges or executes them.

use std::collections::HashMap;
use warpc_cubin::attribute::info::INDIRECT_BRANCH_TARGETS;
use warpc_cubin::{Content, Cubin, Relocation, Symbol, Value as InfoValue, kind};
use warpc_sass::decode::decode;
use warpc_sass::{Inst, Value};

/// A section of code.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Its instructions; the one with number n is at address 16 n. What the linker fills in is a
    /// [`Value::Symbol`], with the number of the symbol, unless it is a place in the section itself.
    pub insts: Vec<Inst>,
    /// The instructions where kernels and functions begin.
    pub entries: Vec<usize>,
    /// Branches through registers, with the instructions that they may go to.
    pub indirect: Vec<(usize, Vec<usize>)>,
}

/// Words that are not instructions of the chip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The section.
    pub section: String,
    /// The address of the first of them.
    pub address: u64,
}

/// The kind of a symbol that is a function. Source: the ELF format.
const FUNCTION: u8 = 2;

/// Reads all sections of code of a cubin.
pub fn sections(cubin: &Cubin) -> Result<Vec<Section>, Unreadable> {
    let (_, symbols) = cubin.symbols();
    let mut relocations: HashMap<usize, Vec<Relocation>> = HashMap::new();
    for section in &cubin.sections {
        if let Content::Relocations(all) = &section.content {
            let target = relocations.entry(section.info as usize).or_default();
            target.extend(all);
        }
    }
    let code = cubin.sections.iter().enumerate();
    let code = code.filter(|(_, section)| section.is_code());
    code.map(|(index, section)| {
        let name = cubin.section_name(section).into_owned();
        let bytes = match &section.content {
            Content::Bytes(bytes) => bytes.as_slice(),
            _ => &[],
        };
        let (words, _) = bytes.as_chunks::<16>();
        let chip = cubin.chip();
        let insts = words.iter().enumerate().map(|(at, word)| {
            let inst = chip.and_then(|chip| decode(chip, u128::from_le_bytes(*word)));
            inst.ok_or_else(|| Unreadable {
                section: name.clone(),
                address: at as u64 * 16,
            })
        });
        let mut insts = insts.collect::<Result<Vec<Inst>, Unreadable>>()?;
        for relocation in relocations.get(&index).into_iter().flatten() {
            relocate(&mut insts, index, symbols, relocation);
        }
        let functions = symbols
            .iter()
            .filter(|symbol| usize::from(symbol.section) == index && symbol.kind() == FUNCTION);
        let mut entries: Vec<usize> = functions.map(|one| place(one.value)).collect();
        entries.sort_unstable();
        entries.dedup();
        Ok(Section {
            name,
            insts,
            entries,
            indirect: branches(cubin, index),
        })
    })
    .collect()
}

/// The number of the instruction at an address.
fn place(address: u64) -> usize {
    usize::try_from(address / 16).unwrap_or(usize::MAX)
}

/// Puts what the linker fills in into the instruction.
fn relocate(insts: &mut [Inst], section: usize, symbols: &[Symbol], relocation: &Relocation) {
    let Some(inst) = insts.get_mut(place(relocation.offset)) else {
        return;
    };
    let own = symbols
        .get(relocation.symbol as usize)
        .filter(|symbol| usize::from(symbol.section) == section);
    let after = (relocation.offset / 16 + 1) * 16;
    let value = match own {
        Some(symbol) => {
            let target = symbol
                .value
                .wrapping_add_signed(relocation.addend.unwrap_or(0));
            Value::Place(target.wrapping_sub(after) as i64)
        }
        None => Value::Symbol(relocation.symbol),
    };
    for operand in &mut inst.operands {
        if let Value::Place(_) = operand.value {
            operand.value = value;
        }
    }
}

/// The branches through registers of a section, as its attributes name them.
fn branches(cubin: &Cubin, section: usize) -> Vec<(usize, Vec<usize>)> {
    let mut all = Vec::new();
    for info in cubin.sections.iter().filter(|one| one.kind == kind::INFO) {
        let Content::Info(records) = &info.content else {
            continue;
        };
        if info.info as usize != section {
            continue;
        }
        for record in records {
            if record.attribute != INDIRECT_BRANCH_TARGETS {
                continue;
            }
            if let InfoValue::Branches(branches) = record.value() {
                all.extend(branches.into_iter().map(|(at, targets)| {
                    let targets = targets.into_iter().map(|target| place(target.into()));
                    (place(at.into()), targets.collect())
                }));
            }
        }
    }
    all
}
