//! What the sections of a plan hold.

use super::chip::Order;
use super::plan::Plan;
use super::symbols::Symbols;
use super::{attributes, frame, lines, note};
use crate::content::{CallEdge, Content, Relocation};
use crate::info::Record;
use crate::model::{Section, kind};
use object::elf;

/// `SHT_…` of `.nv.rel.action`.
const ACTIONS: u32 = 0x7000_000b;
/// What it holds in every file: the relocations that older drivers must do in two steps.
const ACTIONS_OF_ALL: [u8; 16] = [0x73, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x25, 0, 5, 0x36];
/// `SHF_…` of the notes.
pub(super) const TOOL_NOTE: u64 = 0x200_0000;
pub(super) const CUDA_NOTE: u64 = 0x100_0000;

pub(super) const ALLOC: u64 = elf::SHF_ALLOC as u64;
pub(super) const WRITE: u64 = elf::SHF_WRITE as u64;
pub(super) const CODE: u64 = elf::SHF_EXECINSTR as u64;
pub(super) const ABOUT: u64 = elf::SHF_INFO_LINK as u64;

/// Bytes of the handle of a texture, sampler or surface.
const HANDLE: u32 = 4;

/// `R_CUDA_64`: an address.
pub(super) const ADDRESS: u32 = 2;
/// `R_CUDA_FUNC_DESC_64`: what the system starts a kernel by.
const DESCRIPTOR: u32 = 35;

impl Plan<'_> {
    /// A section by its name.
    pub fn made(&self, name: &str, symbols: &Symbols) -> Section {
        let symbol_table = self.section(".symtab");
        let bytes = |align, content| section(elf::SHT_PROGBITS, align, Content::Bytes(content));
        let info = |records| Section {
            link: symbol_table,
            ..section(kind::INFO, 4, Content::Info(records))
        };
        let lines = self.program.lines.as_ref();
        if let Some(text) = lines.and_then(|lines| lines.text(name)) {
            return bytes(1, text.to_vec());
        }
        match name {
            "" => Section {
                align: 0,
                ..section(elf::SHT_NULL, 0, Content::Zeros(0))
            },
            // The names are put in when all sections have theirs.
            ".shstrtab" => section(elf::SHT_STRTAB, 1, Content::Bytes(Vec::new())),
            ".strtab" => section(elf::SHT_STRTAB, 1, Content::Bytes(symbols.names.clone())),
            ".symtab" => Section {
                link: self.section(".strtab"),
                info: symbols.first_global,
                entry_size: 24,
                ..section(elf::SHT_SYMTAB, 8, Content::Symbols(symbols.all.clone()))
            },
            ".debug_frame" => bytes(1, self.frames().0),
            lines::SOURCE | lines::PTX => bytes(1, self.lines(name).0),
            ".rel.debug_line" | ".rela.debug_line" => self.line_relocations(lines::SOURCE, symbols),
            ".rel.nv_debug_line_sass" | ".rela.nv_debug_line_sass" => {
                self.line_relocations(lines::PTX, symbols)
            }
            ".note.nv.tkinfo" => Section {
                flags: TOOL_NOTE,
                ..section(
                    elf::SHT_NOTE,
                    4,
                    Content::Bytes(note::tool(&self.program.producer)),
                )
            },
            ".note.nv.cuinfo" => Section {
                flags: CUDA_NOTE | if self.is_new() { ABOUT } else { 0 },
                link: self.section(".note.nv.tkinfo"),
                info: self.places.get(".nv.compat").copied().unwrap_or(0),
                ..section(elf::SHT_NOTE, 4, Content::Bytes(note::cuda(self.program)))
            },
            ".nv.info" => info(attributes::of_file(self, symbols)),
            ".nv.compat" => section(kind::COMPAT, 4, Content::Info(self.compat())),
            ".nv.callgraph" => Section {
                link: symbol_table,
                entry_size: 8,
                ..section(kind::CALL_GRAPH, 4, Content::CallGraph(self.calls(symbols)))
            },
            ".nv.rel.action" => Section {
                entry_size: 8,
                ..section(ACTIONS, 8, Content::Bytes(ACTIONS_OF_ALL.to_vec()))
            },
            ".rel.debug_frame" | ".rela.debug_frame" => {
                let places = self.frames().1;
                let mut all: Vec<(u64, u32, u32, i64)> = Vec::new();
                for (kernel, place) in self.kernels.iter().zip(places) {
                    all.push((place, ADDRESS, symbols.of_name(&kernel.name), 0));
                }
                all.reverse();
                self.relocations(".debug_frame", all)
            }
            ".rel.nv.constant4" | ".rela.nv.constant4" => {
                let names = self.program.addresses.iter().enumerate();
                let all = names.map(|(i, name)| {
                    let is_kernel = self.kernels.iter().any(|kernel| kernel.name == *name);
                    let kind = if is_kernel { DESCRIPTOR } else { ADDRESS };
                    (8 * i as u64, kind, symbols.of_name(name), 0)
                });
                self.relocations(".nv.constant4", all.rev().collect())
            }
            ".rel.nv.global.init" | ".rela.nv.global.init" => {
                self.variable_relocations(".nv.global.init", symbols)
            }
            ".rel.nv.constant3" | ".rela.nv.constant3" => {
                self.variable_relocations(".nv.constant3", symbols)
            }
            ".nv.constant4" => Section {
                flags: ALLOC,
                ..bytes(8, vec![0; 8 * self.program.addresses.len()])
            },
            ".nv.shared.reserved.0" => Section {
                flags: ALLOC | WRITE,
                ..section(elf::SHT_NOBITS, 1, Content::Zeros(self.chip.reserved))
            },
            ".nv.global" | ".nv.global.init" | ".nv.constant3" => self.variable_section(name),
            _ => self.kernel_section(name, symbols),
        }
    }

    /// The records of `.nv.compat`.
    fn compat(&self) -> Vec<Record> {
        let textures = self.program.kernels.iter().any(|one| one.uses_textures);
        self.chip.compat(textures)
    }

    /// A table of lines, and where in it the kernels' addresses stand.
    fn lines(&self, name: &str) -> (Vec<u8>, Vec<u64>) {
        let kernels = self.kernels.iter().copied();
        let lines = self.program.lines.as_ref();
        lines.map_or_else(Default::default, |lines| lines.table(name, false, kernels))
    }

    fn line_relocations(&self, name: &str, symbols: &Symbols) -> Section {
        let places = self.lines(name).1;
        let kernels = self.kernels.iter();
        let all = places.into_iter().zip(kernels);
        let all = all.map(|(at, kernel)| (at, ADDRESS, symbols.of_name(&kernel.name), 0));
        self.relocations(name, all.collect())
    }

    /// Where the loader writes addresses into a section of variables.
    fn variable_relocations(&self, name: &str, symbols: &Symbols) -> Section {
        let variables = self.variables();
        let mut all: Vec<(u64, u32, u32, i64)> = Vec::new();
        for placed in variables.iter().filter(|placed| placed.section == name) {
            for (variable, place) in &placed.variables {
                all.extend(variable.references.iter().map(|one| {
                    let symbol = symbols.of_name(&one.symbol);
                    (place + one.offset, one.kind, symbol, one.addend)
                }));
            }
        }
        all.reverse();
        self.relocations(name, all)
    }

    fn variable_section(&self, name: &str) -> Section {
        let variables = self.variables();
        let placed = variables.iter().find(|placed| placed.section == name);
        let placed = placed.expect("the section is there because of its variables");
        let mut bytes = vec![0; placed.size as usize];
        for (variable, place) in &placed.variables {
            let initial = variable.initial.as_deref().unwrap_or_default();
            bytes[*place as usize..][..initial.len()].copy_from_slice(initial);
        }
        match name {
            ".nv.global" => Section {
                flags: ALLOC | WRITE,
                ..section(elf::SHT_NOBITS, placed.align, Content::Zeros(placed.size))
            },
            ".nv.global.init" => Section {
                flags: ALLOC | WRITE,
                ..section(elf::SHT_PROGBITS, placed.align, Content::Bytes(bytes))
            },
            _ => Section {
                flags: ALLOC,
                ..section(elf::SHT_PROGBITS, placed.align, Content::Bytes(bytes))
            },
        }
    }

    /// A section that belongs to a kernel: all others have names without one.
    fn kernel_section(&self, name: &str, symbols: &Symbols) -> Section {
        let found = self.kernels.iter().find_map(|kernel| {
            let prefix = name.strip_suffix(kernel.name.as_str())?;
            KERNEL_SECTIONS
                .contains(&prefix)
                .then_some((prefix, *kernel))
        });
        let (prefix, kernel) = found.expect("the list of sections has no others");
        let code = self.section(&format!(".text.{}", kernel.name));
        let constants = |align, bytes| Section {
            flags: ALLOC | ABOUT,
            info: code,
            ..section(elf::SHT_PROGBITS, align, Content::Bytes(bytes))
        };
        match prefix {
            ".nv.info." => {
                let context = attributes::Context {
                    chip: &self.chip,
                    toolkit: self.program.toolkit,
                    number: &|name| symbols.of_name(name),
                };
                let records = attributes::of_kernel(&context, kernel);
                Section {
                    flags: ABOUT,
                    link: self.section(".symtab"),
                    info: code,
                    ..section(kind::INFO, 4, Content::Info(records))
                }
            }
            ".text." => {
                let symbol = symbols.of_name(&kernel.name);
                let registers = match self.chip.order {
                    Order::Old => u32::from(kernel.registers) << 24,
                    Order::New => 0,
                };
                Section {
                    flags: ALLOC | CODE,
                    link: self.section(".symtab"),
                    info: registers | symbol,
                    ..section(elf::SHT_PROGBITS, 128, Content::Bytes(kernel.code.clone()))
                }
            }
            ".nv.shared." => Section {
                flags: ALLOC | WRITE | ABOUT,
                info: code,
                ..section(
                    elf::SHT_NOBITS,
                    u64::from(kernel.shared_align.max(4)),
                    Content::Zeros(u64::from(kernel.shared) + u64::from(self.chip.shared_before)),
                )
            },
            ".nv.constant0." => {
                let size = match kernel.handles.len() as u32 {
                    0 => u32::from(self.chip.parameters) + kernel.parameter_bytes(),
                    count => kernel.handles_at(self.chip.parameters) + HANDLE * count,
                };
                constants(4, vec![0; size as usize])
            }
            ".rel.nv.constant0." | ".rela.nv.constant0." => {
                let first = kernel.handles_at(self.chip.parameters);
                let places = (first..).step_by(HANDLE as usize);
                let all = places.zip(&kernel.handles).filter_map(|(at, name)| {
                    let mut opaque = self.program.opaque.iter();
                    let kind = opaque.find(|one| one.name == *name)?.kind;
                    Some((at.into(), kind.relocation(), symbols.of_name(name), 0))
                });
                let mut all: Vec<(u64, u32, u32, i64)> = all.collect();
                all.reverse();
                self.relocations(&format!(".nv.constant0.{}", kernel.name), all)
            }
            ".nv.constant2." => constants(8, kernel.constants.clone()),
            _ => {
                let all = kernel.relocations.iter();
                let all = all.map(|one| {
                    (
                        one.offset,
                        one.kind,
                        symbols.of_name(&one.symbol),
                        one.addend,
                    )
                });
                self.relocations(&format!(".text.{}", kernel.name), all.collect())
            }
        }
    }

    fn relocations(&self, section_name: &str, all: Vec<(u64, u32, u32, i64)>) -> Section {
        let (kind, entry_size) = match self.chip.order {
            Order::Old => (elf::SHT_REL, 16),
            Order::New => (elf::SHT_RELA, 24),
        };
        let all = all
            .into_iter()
            .map(|(offset, kind, symbol, addend)| Relocation {
                offset,
                kind,
                symbol,
                addend: self.is_new().then_some(addend),
            });
        Section {
            flags: ABOUT,
            link: self.section(".symtab"),
            info: self.section(section_name),
            entry_size,
            ..section(kind, 8, Content::Relocations(all.collect()))
        }
    }

    /// Who calls what is in no section: after the first mark.
    fn calls(&self, symbols: &Symbols) -> Vec<CallEdge> {
        let mut all = marks();
        let edges = self.kernels.iter().flat_map(|kernel| {
            let caller = symbols.of_name(&kernel.name);
            let callees = kernel.externs.iter();
            callees.map(move |name| CallEdge {
                caller,
                callee: symbols.of_name(name),
            })
        });
        all.splice(1..1, edges);
        all
    }

    /// `.debug_frame`, and where in it the kernels' addresses stand.
    fn frames(&self) -> (Vec<u8>, Vec<u64>) {
        let mut bytes = Vec::new();
        let mut places = Vec::new();
        for kernel in &self.kernels {
            let at = bytes.len() as u64;
            places.push(at + frame::CODE);
            bytes.extend(frame::of(kernel, at));
        }
        (bytes, places)
    }
}

/// What the names of sections of kernels start with.
const KERNEL_SECTIONS: &[&str] = &[
    ".nv.info.",
    ".text.",
    ".rel.text.",
    ".rela.text.",
    ".nv.shared.",
    ".nv.constant0.",
    ".rel.nv.constant0.",
    ".rela.nv.constant0.",
    ".nv.constant2.",
];

/// The four entries that every call graph starts with.
fn marks() -> Vec<CallEdge> {
    let mark = |number: u32| CallEdge {
        caller: 0,
        callee: number.wrapping_neg(),
    };
    (1..=4).map(mark).collect()
}

pub(super) fn section(kind: u32, align: u64, content: Content) -> Section {
    Section {
        name: 0,
        kind,
        flags: 0,
        address: 0,
        offset: 0,
        link: 0,
        info: 0,
        align,
        entry_size: 0,
        content,
    }
}
