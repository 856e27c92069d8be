//! The symbols and their numbers, in the order of ptxas.

use super::Opaque;
use super::chip::Order;
use super::plan::{Placed, Plan};
use crate::content::Symbol;
use object::elf;
use std::collections::HashMap;

/// The table of symbols.
pub struct Symbols {
    /// The symbols.
    pub all: Vec<Symbol>,
    /// Their names.
    pub names: Vec<u8>,
    /// What the section says about the end of the local ones.
    pub first_global: u32,
    numbers: HashMap<String, u32>,
}

const LOCAL_SECTION: u8 = elf::STB_LOCAL << 4 | elf::STT_SECTION;
const LOCAL_OBJECT: u8 = elf::STB_LOCAL << 4 | elf::STT_OBJECT;
const GLOBAL_OBJECT: u8 = elf::STB_GLOBAL << 4 | elf::STT_OBJECT;
const GLOBAL_FUNCTION: u8 = elf::STB_GLOBAL << 4 | elf::STT_FUNC;
const WEAK_OBJECT: u8 = elf::STB_WEAK << 4 | elf::STT_OBJECT;
const WEAK_UNTYPED: u8 = elf::STB_WEAK << 4 | elf::STT_NOTYPE;
/// `STO_CUDA_RESERVED_SHARED`.
const RESERVED_SHARED: u8 = 5 << 5;

/// Two names for the start of what the chip leaves of the shared memory that it keeps for itself.
const RESERVED: &str = ".nv.reservedSmem.offset0";
const RESERVED_ALIAS: &str = "__nv_reservedSMEM_offset_0_alias";

impl Symbols {
    /// The symbols of a plan.
    pub fn of(plan: &Plan<'_>) -> Symbols {
        let new = plan.chip.order == Order::New;
        let mut names = plan.section_names(true);
        let variables = plan.variables();
        let visible = || {
            let all = variables.iter().flat_map(|placed| {
                let all = placed.variables.iter();
                all.map(|(variable, place)| (placed.section, *variable, *place))
            });
            all.filter(|(_, variable, _)| variable.visible)
        };
        let (bound, unbound) = plan.opaque();
        for (number, kernel) in plan.kernels.iter().enumerate() {
            names.add(&kernel.name);
            if number == 0 {
                bound.iter().for_each(|one| names.add(&one.name));
                if new {
                    names.add(RESERVED);
                    names.add(RESERVED_ALIAS);
                }
                visible().for_each(|(_, variable, _)| names.add(&variable.name));
            }
        }
        for function in plan.kernels.iter().flat_map(|kernel| &kernel.functions) {
            names.add(&function.name);
        }
        let externs = &plan.program.externs;
        externs.iter().for_each(|name| names.add(name));
        plan.program.sizes.iter().for_each(|name| names.add(name));
        unbound.iter().for_each(|one| names.add(&one.name));
        if new {
            for kernel in plan.kernels.iter().filter(|one| one.handles.is_empty()) {
                names.add(&format!(".nv.constant0.{}", kernel.name));
            }
        }

        let mut table: Vec<(String, Symbol)> = vec![(String::new(), symbol(0, 0, 0, 0))];
        let section = |table: &mut Vec<(String, Symbol)>, name: &str| {
            table.push((
                name.to_owned(),
                symbol(LOCAL_SECTION, plan.section(name), 0, 0),
            ));
        };
        section(&mut table, ".note.nv.tkinfo");
        section(&mut table, ".note.nv.cuinfo");
        for (number, kernel) in plan.kernels.iter().enumerate() {
            let name = &kernel.name;
            section(&mut table, &format!(".text.{name}"));
            if kernel.shared > 0 {
                section(&mut table, &format!(".nv.shared.{name}"));
            }
            if number == 0 {
                variable_symbols(plan, &variables, &mut table);
            }
            if !kernel.constants.is_empty() {
                section(&mut table, &format!(".nv.constant2.{name}"));
            }
            if !new || !kernel.handles.is_empty() {
                section(&mut table, &format!(".nv.constant0.{name}"));
            }
        }
        section(&mut table, ".debug_frame");
        for name in plan.line_sections() {
            section(&mut table, &name);
        }
        section(&mut table, ".nv.callgraph");
        if !new {
            section(&mut table, ".nv.rel.action");
        }
        let locals = table.len() as u32;
        for (number, kernel) in plan.kernels.iter().enumerate() {
            let code = plan.section(&format!(".text.{}", kernel.name));
            let function = Symbol {
                other: Symbol::ENTRY,
                ..symbol(GLOBAL_FUNCTION, code, 0, kernel.code.len() as u64)
            };
            table.push((kernel.name.clone(), function));
            if number > 0 {
                continue;
            }
            table.extend(bound.iter().map(|one| handle(one)));
            if new {
                let place = plan.chip.reserved;
                table.push((RESERVED.to_owned(), symbol(WEAK_OBJECT, 0, place, 4)));
                let alias = Symbol {
                    other: RESERVED_SHARED,
                    ..symbol(
                        WEAK_UNTYPED,
                        plan.section(".nv.shared.reserved.0"),
                        place,
                        0,
                    )
                };
                table.push((RESERVED_ALIAS.to_owned(), alias));
            }
            for (name, variable, place) in visible() {
                let info = match variable.weak {
                    true => WEAK_OBJECT,
                    false => GLOBAL_OBJECT,
                };
                let object = Symbol {
                    other: if variable.managed { Symbol::MANAGED } else { 0 },
                    ..symbol(info, plan.section(name), place, variable.size.into())
                };
                table.push((variable.name.clone(), object));
            }
        }
        for kernel in &plan.kernels {
            let code = plan.section(&format!(".text.{}", kernel.name));
            for one in &kernel.functions {
                let (offset, size) = (one.offset.into(), one.size.into());
                let function = symbol(GLOBAL_FUNCTION, code, offset, size);
                table.push((one.name.clone(), function));
            }
        }
        for name in externs {
            table.push((name.clone(), symbol(GLOBAL_FUNCTION, 0, 0, 0)));
        }
        for name in &plan.program.sizes {
            table.push((name.clone(), symbol(WEAK_OBJECT, 0, 0, 4)));
        }
        table.extend(unbound.iter().map(|one| handle(one)));
        if new {
            for kernel in plan.kernels.iter().filter(|one| one.handles.is_empty()) {
                section(&mut table, &format!(".nv.constant0.{}", kernel.name));
            }
        }
        let numbers = (0..)
            .zip(&table)
            .map(|(i, (name, _))| (name.clone(), i))
            .collect();
        let named = |(name, symbol): &(String, Symbol)| Symbol {
            name: names.place(name),
            ..*symbol
        };
        Symbols {
            all: table.iter().map(named).collect(),
            // The newer order puts local symbols after global ones and calls all of them local.
            first_global: if new { table.len() as u32 } else { locals },
            numbers,
            names: names.into_bytes(),
        }
    }

    /// The number of a symbol.
    pub fn of_name(&self, name: &str) -> u32 {
        self.numbers.get(name).copied().unwrap_or(0)
    }
}

/// The symbols of the sections of variables, each with its local variables.
fn variable_symbols(plan: &Plan<'_>, variables: &[Placed<'_>], table: &mut Vec<(String, Symbol)>) {
    for name in [
        ".nv.global.init",
        ".nv.constant4",
        ".nv.global",
        ".nv.constant3",
    ] {
        let placed = variables.iter().find(|placed| placed.section == name);
        let is_there = match name {
            ".nv.constant4" => !plan.program.addresses.is_empty(),
            _ => placed.is_some(),
        };
        if !is_there {
            continue;
        }
        let number = plan.section(name);
        table.push((name.to_owned(), symbol(LOCAL_SECTION, number, 0, 0)));
        for (variable, place) in placed.iter().flat_map(|placed| &placed.variables) {
            if !variable.visible {
                let object = symbol(LOCAL_OBJECT, number, *place, variable.size.into());
                table.push((variable.name.clone(), object));
            }
        }
    }
}

/// The symbol of a texture, sampler or surface.
pub fn handle(opaque: &Opaque) -> (String, Symbol) {
    let info = elf::STB_GLOBAL << 4 | opaque.kind.symbol_type();
    (opaque.name.clone(), symbol(info, 0, 0, 0))
}

fn symbol(info: u8, section: u32, value: u64, size: u64) -> Symbol {
    Symbol {
        name: 0,
        info,
        other: 0,
        section: section as u16,
        value,
        size,
    }
}
