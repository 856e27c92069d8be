//! What the tables of an object hold: registers and frames, calls, prototypes, relocations, frames for debuggers.

use super::super::sections::{ABOUT, ADDRESS, section};
use super::super::{attributes, frame, lines};
use super::layout::{Layout, UNIFIED_ENTRIES};
use super::{Definition, Function, Object};
use crate::attribute::info as at;
use crate::content::{CallEdge, Content, Relocation};
use crate::info::Record;
use crate::model::{Section, kind};
use object::elf;
use std::collections::BTreeSet;

/// `R_CUDA_UNUSED_CLEAR64`: zeros where the function is not linked.
const CLEARED: u32 = 0x49;

/// The relocations that take the address of a function: `R_CUDA_UNIFIED32_LO_32`, `R_CUDA_FUNC_DESC32_LO_32` in code,
/// `R_CUDA_UNIFIED`, `R_CUDA_UNIFIED_8_0`, `R_CUDA_FUNC_DESC_64` and `R_CUDA_FUNC_DESC_8_0` in variables.
const TAKES: [u32; 6] = [0x70, 0x3e, 0x66, 0x68, 35, 0x5c];

/// What takes the addresses of functions: a function, or nothing for a variable; and the function whose address it is.
fn taken(object: &Object) -> Vec<(Option<&str>, &str)> {
    let mut all = BTreeSet::new();
    for function in &object.functions {
        let own = Some(function.code.name.as_str());
        let references = function.code.relocations.iter();
        let references = references.filter(|one| TAKES.contains(&one.kind));
        all.extend(references.map(|one| (own, one.symbol.as_str())));
    }
    let references = object.variables.iter().flat_map(|one| &one.references);
    let references = references.filter(|one| TAKES.contains(&one.kind));
    all.extend(references.map(|one| (None, one.symbol.as_str())));
    // The addresses of variables that programs share are taken in the same way.
    let variables = object.variables.iter().map(|one| one.name.as_str());
    let variables: BTreeSet<&str> = variables.collect();
    let all = all.into_iter();
    all.filter(|one| !variables.contains(one.1)).collect()
}

impl Layout<'_> {
    /// A table by the name of its section.
    pub fn table(&self, name: &str) -> Section {
        let bytes = |content| section(elf::SHT_PROGBITS, 1, Content::Bytes(content));
        let lines = self.object.lines.as_ref();
        if let Some(text) = lines.and_then(|lines| lines.text(name)) {
            return bytes(text.to_vec());
        }
        match name {
            lines::SOURCE | lines::PTX => bytes(self.lines(name).0),
            ".rela.debug_line" => self.line_relocations(lines::SOURCE),
            ".rela.nv_debug_line_sass" => self.line_relocations(lines::PTX),
            ".debug_frame" => bytes(self.frames().0),
            ".rela.debug_frame" => self.frame_relocations(),
            ".nv.callgraph" => Section {
                link: self.section(".symtab"),
                entry_size: 8,
                ..section(kind::CALL_GRAPH, 4, Content::CallGraph(self.calls()))
            },
            UNIFIED_ENTRIES => Section {
                link: self.section(".symtab"),
                entry_size: 32,
                ..section(
                    kind::UNIFIED_DATA_ENTRIES,
                    8,
                    Content::Bytes(self.unified_entries()),
                )
            },
            ".nv.prototype" => Section {
                link: self.section(".symtab"),
                entry_size: 8,
                ..section(kind::PROTOTYPE, 4, Content::Bytes(self.prototypes()))
            },
            _ => self.variable_relocations(name.trim_start_matches(".rela")),
        }
    }

    /// A table of lines, and where in it the addresses of functions stand.
    fn lines(&self, name: &str) -> (Vec<u8>, Vec<u64>) {
        let functions = self.object.functions.iter().map(|one| &one.code);
        let lines = self.object.lines.as_ref();
        lines.map_or_else(Default::default, |lines| lines.table(name, true, functions))
    }

    fn line_relocations(&self, name: &str) -> Section {
        let functions = self.object.functions.iter();
        let all = self.lines(name).1.into_iter().zip(functions);
        let all = all.map(|(at, one)| (at, ADDRESS, self.symbol(&one.code.name), 0));
        self.relocations(name, all.collect())
    }

    /// The variables that several programs share: symbol, a mark, place, and the two numbers by which they know it.
    fn unified_entries(&self) -> Vec<u8> {
        /// Defined in this object.
        const DEFINED: u32 = 1;
        let mut bytes = Vec::new();
        let variables = self.object.variables.iter().zip(&self.variables);
        for (variable, placed) in variables {
            if let Some((first, second)) = variable.unified
                && let Some((_, place)) = placed
            {
                bytes.extend(self.symbol(&variable.name).to_le_bytes());
                bytes.extend(DEFINED.to_le_bytes());
                for number in [*place, first, second] {
                    bytes.extend(number.to_le_bytes());
                }
            }
        }
        bytes
    }

    /// Registers and frames. What a function needs with all that it calls is for the linker to say.
    pub fn records_of_all(&self) -> Vec<Record> {
        let mut records = Vec::new();
        for one in &self.object.functions {
            let symbol = self.symbol(&one.code.name);
            records.extend([
                Record::words(at::REGCOUNT, &[symbol, one.code.registers.into()]),
                Record::words(at::MAX_STACK_SIZE, &[symbol, 0]),
                Record::words(at::FRAME_SIZE, &[symbol, one.code.frame]),
            ]);
        }
        let opaque = &self.object.opaque;
        records.extend(attributes::samplers(opaque, |name| self.symbol(name)));
        if self.object.independent {
            records.push(Record::flag(at::TEXMODE_INDEPENDENT));
        }
        records
    }

    /// The call graph: calls by name; functions whose addresses are taken, with their prototypes; who calls which prototypes
    /// by address; who takes whose address.
    fn calls(&self) -> Vec<CallEdge> {
        let edge = |caller, callee| CallEdge { caller, callee };
        let mark = |number: u32| edge(0, number.wrapping_neg());
        let functions = &self.object.functions;
        let symbol = |name: &str| self.symbol(name);
        let mut all = vec![mark(1)];
        for function in functions {
            let caller = symbol(&function.code.name);
            let mut seen = BTreeSet::new();
            let callees = function.calls.iter().filter(|name| seen.insert(*name));
            all.extend(callees.map(|name| edge(caller, symbol(name))));
        }
        all.push(mark(2));
        let taken = taken(self.object);
        let names: BTreeSet<&str> = taken.iter().map(|one| one.1).collect();
        all.extend(
            names
                .iter()
                .map(|name| edge(symbol(name), self.prototype_of(name))),
        );
        all.push(mark(3));
        for function in functions {
            let caller = symbol(&function.code.name);
            let prototypes: BTreeSet<&String> = function.called_prototypes.iter().collect();
            let prototypes = prototypes.into_iter();
            all.extend(prototypes.map(|text| edge(caller, self.prototype(text))));
        }
        all.push(mark(4));
        for (taker, name) in &taken {
            all.extend(taker.map(|taker| edge(symbol(taker), symbol(name))));
        }
        all
    }

    /// Where the prototype of a function is among the names; 0 for a kernel.
    fn prototype_of(&self, name: &str) -> u32 {
        let functions = self.object.functions.iter();
        let own = functions.filter(|one| !one.is_kernel);
        let own = own.map(|one| (&one.code.name, &one.prototype));
        let declared = self.object.declared.iter();
        let mut all = own.chain(declared.map(|one| (&one.name, &one.prototype)));
        let found = all.find(|one| one.0 == name);
        found.map_or(0, |one| self.prototype(one.1))
    }

    /// The prototypes of functions that a linker sees and that the call graph does not have them of.
    fn prototypes(&self) -> Vec<u8> {
        let taken = taken(self.object);
        let is_taken = |name: &str| taken.iter().any(|one| one.1 == name);
        let is_seen = |one: &&Function| !one.is_kernel && one.definition != Definition::Local;
        let own = self.object.functions.iter().filter(is_seen);
        let own = own.map(|one| &one.code.name);
        let declared = self.object.declared.iter().map(|one| &one.name);
        let mut bytes = Vec::new();
        for name in own.chain(declared).filter(|name| !is_taken(name)) {
            bytes.extend(self.symbol(name).to_le_bytes());
            bytes.extend(self.prototype_of(name).to_le_bytes());
        }
        bytes
    }

    fn relocations(&self, name: &str, all: Vec<(u64, u32, u32, i64)>) -> Section {
        let all = all
            .into_iter()
            .map(|(offset, kind, symbol, addend)| Relocation {
                offset,
                kind,
                symbol,
                addend: Some(addend),
            });
        Section {
            flags: ABOUT,
            link: self.section(".symtab"),
            info: self.section(name),
            entry_size: 24,
            ..section(elf::SHT_RELA, 8, Content::Relocations(all.collect()))
        }
    }

    /// What a linker writes into the code of a function.
    pub fn code_relocations(&self, function: &Function) -> Section {
        let all = function.code.relocations.iter().map(|one| {
            let symbol = self.symbol(&one.symbol);
            (one.offset, one.kind, symbol, one.addend)
        });
        let name = format!(".text.{}", function.code.name);
        self.relocations(&name, all.collect())
    }

    fn variable_relocations(&self, name: &str) -> Section {
        let mut all = Vec::new();
        let variables = self.object.variables.iter().zip(&self.variables);
        for (variable, placed) in variables {
            let Some((section, place)) = placed else {
                continue;
            };
            if section == name {
                all.extend(variable.references.iter().map(|one| {
                    let symbol = self.symbol(&one.symbol);
                    (place + one.offset, one.kind, symbol, one.addend)
                }));
            }
        }
        self.relocations(name, all)
    }

    /// `.debug_frame`, and where in it the addresses of functions stand.
    fn frames(&self) -> (Vec<u8>, Vec<u64>) {
        let mut bytes = Vec::new();
        let mut places = Vec::new();
        for function in &self.object.functions {
            let at = bytes.len() as u64;
            places.push(at);
            bytes.extend(frame::of(&function.code, at));
        }
        (bytes, places)
    }

    /// The place of what an entry shares with others, the address of its function, and the bytes of that.
    fn frame_relocations(&self) -> Section {
        let own = self.symbol(".debug_frame");
        let mut all = Vec::new();
        for (function, at) in self.object.functions.iter().zip(self.frames().1) {
            let symbol = self.symbol(&function.code.name);
            let address = at + frame::CODE;
            all.push((address - 8, ADDRESS, own, at as i64));
            all.push((address, ADDRESS, symbol, 0));
            all.push((address + 8, CLEARED, symbol, 0));
        }
        self.relocations(".debug_frame", all)
    }
}
