//! The sections and symbols of an object, and the file.

use super::super::attributes::{self, Context};
use super::super::chip::Chip;
use super::super::lines;
use super::super::names::Names;
use super::super::sections::{ABOUT, ALLOC, CODE, CUDA_NOTE, TOOL_NOTE, WRITE, section};
use super::super::{Program, fault, note, symbols};
use super::{Definition, Function, Object, Variable, VariableSpace};
use crate::content::{Content, Symbol};
use crate::model::{Cubin, Header, Section, kind};
use crate::read::Fault;
use object::elf;
use std::cmp::Reverse;
use std::collections::HashMap;

/// `STT_CUDA_OBJECT`.
const VARIABLE: u8 = 13;
/// `STO_CUDA_GLOBAL`, `STO_CUDA_SHARED`, `STO_CUDA_CONSTANT`.
const GLOBAL: u8 = 1 << 5;
const SHARED: u8 = 2 << 5;
const CONSTANT: u8 = 4 << 5;
/// Of a variable: several programs share it. Of a function the same bit says that it is a kernel.
const UNIFIED: u8 = 1 << 4;

/// A symbol that every object has, and that a linker or the loader defines.
pub struct Made {
    pub name: &'static str,
    size: u64,
    info: u8,
    other: u8,
}

const fn weak(name: &'static str, size: u64) -> Made {
    Made {
        name,
        size,
        info: elf::STB_WEAK << 4 | elf::STT_OBJECT,
        other: 0,
    }
}

/// Those symbols: of the tables of functions and data that several programs share, of the shared memory that the system
/// keeps, and the bytes of constant memory.
pub const MADE: &[Made] = &[
    weak("__UDT_OFFSET", 8),
    weak("__UFT_OFFSET", 8),
    weak("__UFT_CANONICAL", 8),
    weak("__UDT_CANONICAL", 8),
    weak("__UFT", 8),
    weak("__UDT", 8),
    weak("__UFT_END", 8),
    weak("__UDT_END", 8),
    weak(".nv.reservedSmem.offset0", 4),
    Made {
        name: CONSTANT_BYTES,
        size: 4,
        info: elf::STB_LOCAL << 4 | elf::STT_OBJECT,
        other: elf::STV_INTERNAL,
    },
];

/// The bytes of constant memory. Its value is those of the object.
const CONSTANT_BYTES: &str = ".nv.ptx.const0.size";

/// The section of shared memory that belongs to no kernel.
const OPEN_SHARED: &str = ".nv_debug.shared";

/// The section of variables that several programs share, and the table with the numbers by which they know them.
pub const UNIFIED_DATA: &str = ".nv.udt";
pub const UNIFIED_ENTRIES: &str = ".nv.udt.entry";

/// An object with numbers.
pub struct Layout<'o> {
    pub object: &'o Object,
    chip: Chip,
    sections: Vec<String>,
    places: HashMap<String, u32>,
    /// For each variable its section and its place there; nothing for what is elsewhere.
    pub variables: Vec<Option<(String, u64)>>,
    /// The sizes and alignments of the sections of variables.
    sizes: HashMap<String, (u64, u64)>,
    symbols: Vec<Symbol>,
    numbers: HashMap<String, u32>,
    names: Vec<u8>,
    /// Where the prototypes are among the names.
    prototypes: HashMap<String, u32>,
}

/// The section of a variable that is defined here.
fn section_of(variable: &Variable) -> Option<String> {
    if matches!(
        variable.definition,
        Definition::Elsewhere | Definition::Common
    ) {
        return None;
    }
    Some(match &variable.space {
        VariableSpace::Global if variable.unified.is_some() => UNIFIED_DATA.to_owned(),
        VariableSpace::Global if variable.initial.is_some() => ".nv.global.init".to_owned(),
        VariableSpace::Global => ".nv.global".to_owned(),
        VariableSpace::Constant => ".nv.constant3".to_owned(),
        VariableSpace::Shared(None) => OPEN_SHARED.to_owned(),
        VariableSpace::Shared(Some(kernel)) => format!(".nv.shared.{kernel}"),
    })
}

impl<'o> Layout<'o> {
    /// Numbers the sections and symbols.
    pub fn new(object: &'o Object, chip: Chip) -> Layout<'o> {
        let mut layout = Layout {
            object,
            chip,
            sections: Vec::new(),
            places: HashMap::new(),
            variables: Vec::new(),
            sizes: HashMap::new(),
            symbols: Vec::new(),
            numbers: HashMap::new(),
            names: Vec::new(),
            prototypes: HashMap::new(),
        };
        layout.place_variables();
        layout.sections = layout.ordered_sections();
        let numbered = (0..).zip(&layout.sections);
        layout.places = numbered.map(|(i, name)| (name.clone(), i)).collect();
        layout.make_symbols();
        layout
    }

    fn place_variables(&mut self) {
        self.variables = vec![None; self.object.variables.len()];
        // Those of the largest alignment first: nothing is left out between them.
        let mut order: Vec<usize> = (0..self.variables.len()).collect();
        order.sort_by_key(|number| Reverse(self.object.variables[*number].align));
        for number in order {
            let variable = &self.object.variables[number];
            let placed = section_of(variable).map(|section| {
                let (size, most) = self.sizes.entry(section.clone()).or_insert((0, 1));
                let align = u64::from(variable.align);
                let place = size.next_multiple_of(align);
                *size = place + u64::from(variable.size);
                *most = align.max(*most);
                (section, place)
            });
            self.variables[number] = placed;
        }
    }

    fn ordered_sections(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let mut fixed = |names: &[&str]| all.extend(names.iter().map(|name| (*name).to_owned()));
        fixed(&["", ".shstrtab", ".strtab", ".symtab", ".debug_frame"]);
        all.extend(self.line_sections());
        let mut fixed = |names: &[&str]| all.extend(names.iter().map(|name| (*name).to_owned()));
        fixed(&[
            ".note.nv.tkinfo",
            ".note.nv.cuinfo",
            ".nv.info",
            ".nv.compat",
        ]);
        if self.sizes.contains_key(UNIFIED_DATA) {
            all.push(UNIFIED_ENTRIES.to_owned());
        }
        let functions = &self.object.functions;
        let of_each = |all: &mut Vec<String>, prefix: &str, chosen: fn(&Function) -> bool| {
            let functions = functions.iter().filter(|one| chosen(one));
            all.extend(functions.map(|one| format!("{prefix}{}", one.code.name)));
        };
        of_each(&mut all, ".nv.info.", |_| true);
        all.extend([".nv.callgraph", ".nv.prototype"].map(str::to_owned));
        of_each(&mut all, ".rela.text.", |one| {
            !one.code.relocations.is_empty()
        });
        for section in [UNIFIED_DATA, ".nv.global.init", ".nv.constant3"] {
            let mut variables = self.variables.iter().zip(&self.object.variables);
            let has = variables.any(|(placed, variable)| {
                let here = placed.as_ref().is_some_and(|placed| placed.0 == section);
                here && !variable.references.is_empty()
            });
            if has {
                all.push(format!(".rela{section}"));
            }
        }
        let tables = self.line_sections().into_iter();
        let tables = tables.filter(|name| lines::is_table(name));
        all.extend(tables.map(|name| format!(".rela{name}")));
        all.push(".rela.debug_frame".to_owned());
        let has = |all: &mut Vec<String>, name: &str| {
            if self.sizes.contains_key(name) {
                all.push(name.to_owned());
            }
        };
        has(&mut all, ".nv.constant3");
        of_each(&mut all, ".text.", |_| true);
        for name in [UNIFIED_DATA, ".nv.global.init", ".nv.global", OPEN_SHARED] {
            has(&mut all, name);
        }
        for one in functions.iter().filter(|one| one.is_kernel) {
            has(&mut all, &format!(".nv.shared.{}", one.code.name));
        }
        of_each(&mut all, ".nv.constant0.", |one| one.is_kernel);
        all
    }

    /// The sections that say where code comes from.
    fn line_sections(&self) -> Vec<String> {
        let lines = self.object.lines.as_ref();
        lines.map_or(Vec::new(), |lines| lines.sections(true))
    }

    /// The number of a section; 0 if it is not there.
    pub fn section(&self, name: &str) -> u32 {
        self.places.get(name).copied().unwrap_or(0)
    }

    /// The number of a symbol; 0 if it is not there.
    pub fn symbol(&self, name: &str) -> u32 {
        self.numbers.get(name).copied().unwrap_or(0)
    }

    /// Where a prototype is among the names.
    pub fn prototype(&self, text: &str) -> u32 {
        self.prototypes.get(text).copied().unwrap_or(0)
    }

    fn make_symbols(&mut self) {
        let mut table: Vec<(String, Symbol)> = vec![(String::new(), Symbol::null())];
        let section_symbol = |name: &str| {
            let symbol = Symbol {
                info: elf::STB_LOCAL << 4 | elf::STT_SECTION,
                section: self.section(name) as u16,
                ..Symbol::null()
            };
            (name.to_owned(), symbol)
        };
        let lines = self.line_sections();
        // The banks of parameters come last.
        let is_named = |name: &&String| {
            let prefixes = [".text.", ".nv.shared.", ".note."];
            let names = [
                ".nv.constant3",
                UNIFIED_DATA,
                UNIFIED_ENTRIES,
                ".nv.global.init",
                ".nv.global",
                OPEN_SHARED,
                ".debug_frame",
                ".nv.callgraph",
                ".nv.prototype",
            ];
            prefixes.iter().any(|one| name.starts_with(one))
                || names.contains(&name.as_str())
                || lines.contains(name)
        };
        // The notes come first: nvlink takes what it finds before them for that of an old toolkit.
        let rank = |name: &&String| match name.as_str() {
            name if name.starts_with(".note.") => 0,
            ".debug_frame" => 2,
            _ if lines.contains(name) => 2,
            ".nv.callgraph" | ".nv.prototype" => 3,
            _ => 1,
        };
        let mut named: Vec<&String> = self.sections.iter().filter(is_named).collect();
        named.sort_by_key(rank);
        table.extend(named.into_iter().map(|one| section_symbol(one)));
        let functions = self.object.functions.iter().map(|one| {
            let symbol = Symbol {
                info: binding(one.definition) << 4 | elf::STT_FUNC,
                other: if one.is_kernel { Symbol::ENTRY } else { 0 },
                section: self.section(&format!(".text.{}", one.code.name)) as u16,
                size: one.code.code.len() as u64,
                ..Symbol::null()
            };
            (one.code.name.clone(), symbol)
        });
        let variables = self.object.variables.iter().zip(&self.variables);
        let variables = variables.map(|(variable, placed)| {
            let symbol = self.variable_symbol(variable, placed.as_ref());
            (variable.name.clone(), symbol)
        });
        let declared = self.object.declared.iter().map(|one| {
            let symbol = Symbol {
                info: elf::STB_GLOBAL << 4 | elf::STT_FUNC,
                ..Symbol::null()
            };
            (one.name.clone(), symbol)
        });
        let sizes = self.object.sizes.iter().map(|name| {
            let symbol = Symbol {
                info: elf::STB_WEAK << 4 | elf::STT_OBJECT,
                size: 4,
                ..Symbol::null()
            };
            (name.clone(), symbol)
        });
        let opaque = self.object.opaque.iter().map(symbols::handle);
        let constants = self.sizes.get(".nv.constant3").map_or(0, |one| one.0);
        let made = MADE.iter().map(|made| {
            let symbol = Symbol {
                info: made.info,
                other: made.other,
                size: made.size,
                value: match made.name {
                    CONSTANT_BYTES => constants,
                    _ => 0,
                },
                ..Symbol::null()
            };
            (made.name.to_owned(), symbol)
        });
        let all = functions.chain(variables).chain(declared);
        let all = all.chain(opaque).chain(sizes).chain(made);
        let all: Vec<(String, Symbol)> = all.collect();
        let is_local = |one: &(String, Symbol)| one.1.binding() == elf::STB_LOCAL;
        let (local, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_local);
        table.extend(local.into_iter().chain(others));
        let banks = self.sections.iter();
        let banks = banks.filter(|name| name.starts_with(".nv.constant0."));
        table.extend(banks.map(|one| section_symbol(one)));

        let mut names = Names::new();
        let functions = &self.object.functions;
        let own = functions.iter().filter(|one| !one.is_kernel);
        let own = own.map(|one| &one.prototype);
        let declared = self.object.declared.iter().map(|one| &one.prototype);
        let called = functions.iter().flat_map(|one| &one.called_prototypes);
        for prototype in own.chain(declared).chain(called) {
            if !self.prototypes.contains_key(prototype) {
                names.add(prototype);
                let place = names.place(prototype);
                self.prototypes.insert(prototype.clone(), place);
            }
        }
        for (number, (name, symbol)) in (0..).zip(&mut table) {
            if !name.is_empty() {
                names.add(name);
                symbol.name = names.place(name);
            }
            self.numbers.insert(name.clone(), number);
        }
        self.symbols = table.into_iter().map(|one| one.1).collect();
        self.names = names.into_bytes();
    }

    fn variable_symbol(&self, variable: &Variable, placed: Option<&(String, u64)>) -> Symbol {
        let is_shared = matches!(variable.space, VariableSpace::Shared(_));
        let space = match variable.space {
            VariableSpace::Global => GLOBAL,
            VariableSpace::Constant => CONSTANT,
            VariableSpace::Shared(_) => SHARED,
        };
        let flag = |is_set, bits| if is_set { bits } else { 0 };
        let unified = variable.unified.is_some();
        let section = match placed {
            Some((section, _)) => self.section(section) as u16,
            None if variable.definition == Definition::Common => elf::SHN_COMMON,
            None => elf::SHN_UNDEF,
        };
        let is_open = is_shared && (placed.is_some() || variable.size == 0);
        let value = match placed {
            _ if is_open || section == elf::SHN_COMMON => variable.align.into(),
            Some((_, place)) => *place,
            None => 0,
        };
        Symbol {
            name: 0,
            info: binding(variable.definition) << 4 | VARIABLE,
            other: space | flag(variable.managed, Symbol::MANAGED) | flag(unified, UNIFIED),
            section,
            value,
            size: variable.size.into(),
        }
    }

    /// The file.
    pub fn cubin(&self) -> Result<Cubin, Fault> {
        let mut names = Names::new();
        let mut sections = Vec::with_capacity(self.sections.len());
        for name in &self.sections {
            if !name.is_empty() {
                names.add(name);
            }
            let mut made = self.made(name);
            made.name = names.place(name);
            sections.push(made);
        }
        sections[1].content = Content::Bytes(names.into_bytes());
        if sections.len() >= usize::from(elf::SHN_LORESERVE) {
            let message = "there are too many functions for one file";
            return Err(fault(message.to_owned(), ""));
        }
        let usual = Header::usual(self.object.target);
        // The highest byte is the number of the section by which nvlink knows the toolkit.
        let note = self.section(".note.nv.cuinfo") << 24;
        let mut cubin = Cubin {
            header: Header {
                kind: elf::ET_REL,
                names: 1,
                flags: usual.flags & 0x00ff_ffff | note,
                ..usual
            },
            sections,
            segments: Vec::new(),
            length: 0,
            strays: Vec::new(),
        };
        cubin.lay_out();
        Ok(cubin)
    }

    /// A section by its name.
    fn made(&self, name: &str) -> Section {
        let table = self.section(".symtab");
        let bytes = |align, content| section(elf::SHT_PROGBITS, align, Content::Bytes(content));
        let info = |records| Section {
            link: table,
            ..section(kind::INFO, 4, Content::Info(records))
        };
        let of = |prefix: &str| {
            let function = name.strip_prefix(prefix)?;
            let mut all = self.object.functions.iter();
            all.find(|one| one.code.name == function)
        };
        if let Some(function) = of(".nv.info.") {
            return Section {
                flags: ABOUT,
                info: self.section(&format!(".text.{}", function.code.name)),
                ..info(self.records(function))
            };
        }
        if let Some(function) = of(".text.") {
            return Section {
                flags: ALLOC | CODE,
                link: table,
                info: self.symbol(&function.code.name),
                ..bytes(128, function.code.code.clone())
            };
        }
        if let Some(function) = of(".rela.text.") {
            return self.code_relocations(function);
        }
        if let Some(function) = of(".nv.constant0.") {
            let size = u32::from(self.chip.parameters) + function.code.parameter_bytes();
            return Section {
                flags: ALLOC | ABOUT,
                info: self.section(&format!(".text.{}", function.code.name)),
                ..section(
                    kind::CONSTANT_BANK,
                    4,
                    Content::Bytes(vec![0; size as usize]),
                )
            };
        }
        if let Some((size, align)) = self.sizes.get(name) {
            return self.variable_section(name, *size, *align);
        }
        let program = || Program {
            toolkit: self.object.toolkit,
            ..Program::new(self.object.target)
        };
        match name {
            "" => Section::null(),
            ".shstrtab" => section(elf::SHT_STRTAB, 1, Content::Bytes(Vec::new())),
            ".strtab" => section(elf::SHT_STRTAB, 1, Content::Bytes(self.names.clone())),
            ".symtab" => Section {
                link: self.section(".strtab"),
                info: self.symbols.len() as u32,
                entry_size: 24,
                ..section(elf::SHT_SYMTAB, 8, Content::Symbols(self.symbols.clone()))
            },
            ".note.nv.tkinfo" => {
                let content = Content::Bytes(note::tool(&self.object.producer));
                Section {
                    flags: TOOL_NOTE,
                    ..section(elf::SHT_NOTE, 4, content)
                }
            }
            ".note.nv.cuinfo" => {
                let content = Content::Bytes(note::cuda(&program()));
                Section {
                    flags: CUDA_NOTE | ABOUT,
                    link: self.section(".note.nv.tkinfo"),
                    info: self.section(".nv.compat"),
                    ..section(elf::SHT_NOTE, 4, content)
                }
            }
            ".nv.info" => info(self.records_of_all()),
            ".nv.compat" => {
                let mut functions = self.object.functions.iter();
                let textures = functions.any(|one| one.code.uses_textures);
                section(kind::COMPAT, 4, Content::Info(self.chip.compat(textures)))
            }
            _ => self.table(name),
        }
    }

    /// The records of a function.
    fn records(&self, function: &Function) -> Vec<crate::info::Record> {
        let context = Context {
            chip: &self.chip,
            toolkit: self.object.toolkit,
            number: &|name| self.symbol(name),
        };
        let mut records = attributes::of_kernel(&context, &function.code);
        if !function.is_kernel {
            records.retain(|one| one.attribute != crate::attribute::info::MAXREG_COUNT);
        }
        records
    }

    fn variable_section(&self, name: &str, size: u64, align: u64) -> Section {
        let zeros = || Content::Zeros(size);
        let bytes = || {
            let mut bytes = vec![0; size as usize];
            let variables = self.object.variables.iter().zip(&self.variables);
            for (variable, placed) in variables {
                if let Some((section, place)) = placed
                    && section == name
                {
                    let initial = variable.initial.as_deref().unwrap_or_default();
                    bytes[*place as usize..][..initial.len()].copy_from_slice(initial);
                }
            }
            Content::Bytes(bytes)
        };
        let flags = ALLOC | WRITE;
        match name {
            UNIFIED_DATA => Section {
                flags,
                ..section(kind::UNIFIED_DATA, align, bytes())
            },
            ".nv.global.init" => Section {
                flags,
                ..section(kind::GLOBAL_INIT, align, bytes())
            },
            ".nv.global" => Section {
                flags,
                ..section(kind::GLOBAL, align, zeros())
            },
            ".nv.constant3" => Section {
                flags: ALLOC,
                ..section(kind::CONSTANT_BANK + 3, align, bytes())
            },
            OPEN_SHARED => Section {
                flags,
                ..section(kind::SHARED, align, zeros())
            },
            _ => {
                let kernel = name.strip_prefix(".nv.shared.").unwrap_or_default();
                Section {
                    flags: flags | ABOUT,
                    info: self.section(&format!(".text.{kernel}")),
                    ..section(kind::SHARED, align, zeros())
                }
            }
        }
    }
}

/// `STB_…`.
fn binding(definition: Definition) -> u8 {
    match definition {
        Definition::Local => elf::STB_LOCAL,
        Definition::Weak => elf::STB_WEAK,
        Definition::Global | Definition::Common | Definition::Elsewhere => elf::STB_GLOBAL,
    }
}
