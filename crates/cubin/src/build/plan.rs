//! The plan of a file: which sections there are, in which order, and what they are called.

use super::chip::{Chip, Order};
use super::lines;
use super::names::Names;
use super::symbols::Symbols;
use super::{Kernel, Opaque, Program, Space, Variable, fault};
use crate::content::Content;
use crate::model::{Cubin, Header};
use crate::read::Fault;
use object::elf;
use std::collections::{HashMap, HashSet};

/// The plan.
pub struct Plan<'p> {
    pub program: &'p Program,
    pub chip: Chip,
    /// The kernels in the order of their sections: the last one first.
    pub kernels: Vec<&'p Kernel>,
    sections: Vec<String>,
    pub places: HashMap<String, u32>,
}

/// Where the variables of a section are.
pub struct Placed<'p> {
    pub section: &'static str,
    pub variables: Vec<(&'p Variable, u64)>,
    pub size: u64,
    pub align: u64,
}

impl<'p> Plan<'p> {
    /// Numbers the sections.
    pub fn new(program: &'p Program, chip: Chip) -> Plan<'p> {
        let mut plan = Plan {
            program,
            chip,
            kernels: program.kernels.iter().rev().collect(),
            sections: Vec::new(),
            places: HashMap::new(),
        };
        plan.sections = plan.ordered_sections();
        plan.places = (0..)
            .zip(&plan.sections)
            .map(|(i, name)| (name.clone(), i))
            .collect();
        plan
    }

    /// Whether things come in the order of sm_90 and later chips.
    pub fn is_new(&self) -> bool {
        self.chip.order == Order::New
    }

    /// A section of relocations for another section.
    pub fn relocations_of(&self, section: &str) -> String {
        match self.chip.order {
            Order::Old => format!(".rel{section}"),
            Order::New => format!(".rela{section}"),
        }
    }

    /// The number of a section; it must be there.
    pub fn section(&self, name: &str) -> u32 {
        *self
            .places
            .get(name)
            .expect("sections are asked for by names from the same list")
    }

    /// The variables by their sections, those without variables left out.
    pub fn variables(&self) -> Vec<Placed<'p>> {
        let all = &self.program.variables;
        let in_section = |section, chosen: fn(&Variable) -> bool| {
            let mut placed = Placed {
                section,
                variables: Vec::new(),
                size: 0,
                align: 1,
            };
            for variable in all.iter().filter(|variable| chosen(variable)) {
                let align = u64::from(variable.align);
                placed.size = placed.size.next_multiple_of(align);
                placed.variables.push((variable, placed.size));
                placed.size += u64::from(variable.size);
                placed.align = placed.align.max(align);
            }
            placed
        };
        let all = [
            in_section(".nv.global.init", |one| {
                one.space == Space::Global && one.initial.is_some()
            }),
            in_section(".nv.global", |one| {
                one.space == Space::Global && one.initial.is_none()
            }),
            in_section(".nv.constant3", |one| one.space == Space::Constant),
        ];
        let all = all.into_iter();
        all.filter(|placed| !placed.variables.is_empty()).collect()
    }

    /// Textures, samplers and surfaces: those that kernels use, and the others.
    pub fn opaque(&self) -> (Vec<&'p Opaque>, Vec<&'p Opaque>) {
        let handles = self.kernels.iter().flat_map(|kernel| &kernel.handles);
        let used: HashSet<&String> = handles.collect();
        let all = self.program.opaque.iter();
        all.partition(|one| used.contains(&one.name))
    }

    /// The sections of variables whose bytes have addresses in them.
    pub fn sections_with_addresses(&self) -> Vec<&'static str> {
        let has = |placed: &Placed<'_>| {
            let mut variables = placed.variables.iter();
            variables.any(|(variable, _)| !variable.references.is_empty())
        };
        let all = self.variables().into_iter();
        all.filter(has).map(|placed| placed.section).collect()
    }

    /// The sections that say where code comes from.
    pub fn line_sections(&self) -> Vec<String> {
        let lines = self.program.lines.as_ref();
        lines.map_or(Vec::new(), |lines| lines.sections(false))
    }

    fn has_variables_in(&self, section: &str) -> bool {
        self.variables()
            .iter()
            .any(|placed| placed.section == section)
    }

    fn ordered_sections(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut fixed = |names: &[&str]| all.extend(names.iter().map(|name| (*name).to_owned()));
        fixed(&["", ".shstrtab", ".strtab", ".symtab", ".debug_frame"]);
        all.extend(self.line_sections());
        let mut fixed = |names: &[&str]| all.extend(names.iter().map(|name| (*name).to_owned()));
        fixed(&[".note.nv.tkinfo", ".note.nv.cuinfo", ".nv.info"]);
        if self.is_new() {
            fixed(&[".nv.compat"]);
        }
        let of_each = |all: &mut Vec<String>, prefix: &str, chosen: fn(&Kernel) -> bool| {
            let kernels = self.kernels.iter().filter(|kernel| chosen(kernel));
            all.extend(kernels.map(|kernel| format!("{prefix}{}", kernel.name)));
        };
        of_each(&mut all, ".nv.info.", |_| true);
        all.push(".nv.callgraph".to_owned());
        if !self.is_new() {
            all.push(".nv.rel.action".to_owned());
        }
        let text = self.relocations_of(".text.");
        of_each(&mut all, &text, |kernel| !kernel.relocations.is_empty());
        if !self.program.addresses.is_empty() {
            all.push(self.relocations_of(".nv.constant4"));
        }
        for section in self.sections_with_addresses() {
            all.push(self.relocations_of(section));
        }
        let bank = self.relocations_of(".nv.constant0.");
        of_each(&mut all, &bank, |kernel| !kernel.handles.is_empty());
        for section in self.line_sections() {
            if lines::is_table(&section) {
                all.push(self.relocations_of(&section));
            }
        }
        all.push(self.relocations_of(".debug_frame"));
        if !self.program.addresses.is_empty() {
            all.push(".nv.constant4".to_owned());
        }
        if self.has_variables_in(".nv.constant3") {
            all.push(".nv.constant3".to_owned());
        }
        of_each(&mut all, ".nv.constant2.", |kernel| {
            !kernel.constants.is_empty()
        });
        let old: fn(&Kernel) -> bool = |_| true;
        let bound: fn(&Kernel) -> bool = |kernel| !kernel.handles.is_empty();
        let early = if self.is_new() { bound } else { old };
        of_each(&mut all, ".nv.constant0.", early);
        of_each(&mut all, ".text.", |_| true);
        if self.has_variables_in(".nv.global.init") {
            all.push(".nv.global.init".to_owned());
        }
        of_each(&mut all, ".nv.shared.", |kernel| kernel.shared > 0);
        if self.is_new() {
            all.push(".nv.shared.reserved.0".to_owned());
        }
        if self.has_variables_in(".nv.global") {
            all.push(".nv.global".to_owned());
        }
        if self.is_new() {
            of_each(&mut all, ".nv.constant0.", |kernel| {
                kernel.handles.is_empty()
            });
        }
        all
    }

    /// The names of the sections, in the order in which ptxas makes them. With them stand names that no section has.
    /// `symbols` asks for the table of the symbols: there the names of local variables follow their section.
    pub fn section_names(&self, symbols: bool) -> Names {
        let mut names = Names::new();
        let mut fixed = |all: &[&str]| all.iter().for_each(|name| names.add(name));
        fixed(&[".shstrtab", ".strtab", ".symtab", ".symtab_shndx"]);
        fixed(&[".note.nv.tkinfo", ".note.nv.cuinfo", ".nv.info"]);
        if self.is_new() {
            fixed(&[".nv.compat"]);
        }
        for (number, kernel) in self.kernels.iter().enumerate() {
            let name = &kernel.name;
            names.add(&format!(".text.{name}"));
            names.add(&format!(".nv.info.{name}"));
            names.add(&format!(".nv.shared.{name}"));
            if number == 0 {
                if self.is_new() {
                    names.add(".nv.shared.reserved.0");
                }
                self.variable_names(symbols, &mut names);
            }
            if !kernel.relocations.is_empty() {
                names.add(&format!(".rel.text.{name}"));
                names.add(&format!(".rela.text.{name}"));
            }
            if !kernel.constants.is_empty() {
                names.add(&format!(".nv.constant2.{name}"));
            }
            if !kernel.handles.is_empty() {
                for prefix in [
                    ".nv.constant0.",
                    ".rel.nv.constant0.",
                    ".rela.nv.constant0.",
                ] {
                    names.add(&format!("{prefix}{name}"));
                }
            }
            if !self.is_new() {
                let mut both = [".nv.constant0.", ".rel.nv.constant0."];
                if symbols {
                    both.reverse();
                }
                both.iter()
                    .for_each(|prefix| names.add(&format!("{prefix}{name}")));
            }
        }
        names.add(".debug_frame");
        for name in self.line_sections() {
            names.add(&name);
            if lines::is_table(&name) {
                names.add(&format!(".rel{name}"));
                names.add(&format!(".rela{name}"));
            }
        }
        if !self.program.addresses.is_empty() {
            match (self.chip.order, symbols) {
                (Order::Old, _) => names.add(".rel.nv.constant4"),
                (Order::New, false) => {
                    names.add(".rel.nv.constant.pic");
                    names.add_in_room_for(".rela.nv.constant4", ".rela.nv.constant.pic".len());
                }
                (Order::New, true) => {
                    names.add(".rel.nv.constant.pic");
                    names.add(".rela.nv.constant.pic");
                }
            }
        }
        for section in self.sections_with_addresses() {
            names.add(&format!(".rel{section}"));
            if self.is_new() {
                names.add(&format!(".rela{section}"));
            }
        }
        let rest = [
            ".rel.debug_frame",
            ".rela.debug_frame",
            ".nv.callgraph",
            ".nv.prototype",
        ];
        rest.iter().for_each(|name| names.add(name));
        if !self.is_new() {
            names.add(".nv.rel.action");
        }
        names
    }

    /// The names of the sections of variables. ptxas calls two of them otherwise at first, in the newer order.
    fn variable_names(&self, symbols: bool, names: &mut Names) {
        let room = |name: &str, first: &str| match self.chip.order {
            Order::Old => name.len(),
            Order::New => first.len(),
        };
        let variables = self.variables();
        let placed = |section: &str| variables.iter().find(|placed| placed.section == section);
        let locals = |placed: &Placed<'_>, names: &mut Names| {
            let locals = placed
                .variables
                .iter()
                .filter(|(variable, _)| !variable.visible && symbols);
            locals.for_each(|(variable, _)| names.add(&variable.name));
        };
        if let Some(placed) = placed(".nv.global.init") {
            names.add(placed.section);
            locals(placed, names);
        }
        if !self.program.addresses.is_empty() {
            names.add_in_room_for(".nv.constant4", room(".nv.constant4", ".nv.constant.pic"));
        }
        if let Some(placed) = placed(".nv.global") {
            names.add(placed.section);
            locals(placed, names);
        }
        if let Some(placed) = placed(".nv.constant3") {
            names.add_in_room_for(placed.section, room(".nv.constant3", ".nv.constant.user"));
            locals(placed, names);
        }
    }

    /// The file.
    pub fn cubin(&self) -> Result<Cubin, Fault> {
        let symbols = Symbols::of(self);
        let mut names = self.section_names(false);
        if self.is_new() {
            for kernel in self.kernels.iter().filter(|one| one.handles.is_empty()) {
                names.add(&format!(".nv.constant0.{}", kernel.name));
            }
        }
        let mut sections = Vec::with_capacity(self.sections.len());
        for name in &self.sections {
            let mut section = self.made(name, &symbols);
            section.name = names.place(name);
            sections.push(section);
        }
        sections[1].content = Content::Bytes(names.into_bytes());
        if sections.len() >= usize::from(elf::SHN_LORESERVE) {
            return Err(fault(
                "there are too many kernels for one file".to_owned(),
                "",
            ));
        }
        let mut flags = self.chip.flags();
        if self.is_new() {
            // The highest byte is the number of the section that says the toolkit.
            flags = flags & 0x00ff_ffff | self.section(".note.nv.cuinfo") << 24;
        }
        let mut cubin = Cubin {
            header: Header {
                os_abi: 0x41,
                abi_version: 8,
                kind: elf::ET_EXEC,
                machine: elf::EM_CUDA,
                version: 1,
                entry: 0,
                flags,
                section_table: 0,
                segment_table: 0,
                segment_entry_size: 56,
                names: 1,
            },
            sections,
            segments: Vec::new(),
            length: 0,
            strays: Vec::new(),
        };
        cubin.lay_out();
        Ok(cubin)
    }
}
