//! A cubin made ready: kernels as steps, variables in memory, banks of constants.

use crate::memory::{CODE, Global, SYSTEM};
use crate::op::Step;
use std::collections::{BTreeMap, BTreeSet};
use warpc_cubin::attribute::info;
use warpc_cubin::{Content, Cubin, Parameter, Relocation, Section, Symbol, Value, relocation};
use warpc_diag::codes::{self, Code};
use warpc_diag::{Diagnostic, Diagnostics, Span};
use warpc_sass::{decode, latency::Effects, latency::File, print};
use warpc_target::{Sm, features};

/// A kernel that can be launched.
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) sm: Sm,
    /// One for each word; nothing where the word is not executed here.
    pub(crate) steps: Vec<Option<Step>>,
    pub(crate) words: Vec<u128>,
    /// How many registers a lane has.
    pub(crate) registers: usize,
    /// How many registers a lane has in the beginning.
    pub(crate) first_registers: u32,
    /// For each instruction the end of the registers that it touches, where the kernel changes how many there are.
    pub(crate) ends: Vec<u32>,
    pub(crate) parameters: Vec<Parameter>,
    /// Where the parameters are in bank 0.
    pub(crate) parameter_base: usize,
    /// The banks as the cubin has them, with addresses put in.
    pub(crate) banks: Vec<Vec<u8>>,
    /// Bytes of shared memory before the dynamic ones.
    pub(crate) shared_bytes: usize,
    /// Those of them that are the kernel's own variables.
    pub(crate) static_shared: usize,
    /// Bytes of local memory of a thread.
    pub(crate) local_bytes: usize,
    /// Functions of the system that it calls.
    pub(crate) system: Vec<String>,
    /// Where the module's constants lie in memory.
    pub(crate) constants: u64,
    /// The cluster that it must be launched with.
    pub(crate) cluster: Option<[u32; 3]>,
    /// Whether the grid is counted in clusters.
    pub(crate) grid_of_clusters: bool,
}

impl Kernel {
    /// The text of an instruction.
    pub(crate) fn text(&self, at: u32) -> String {
        let word = self.words.get(at as usize);
        let text = word.and_then(|word| {
            print::text(self.sm, *word, u64::from(at) * 16).map(|text| text.to_string())
        });
        text.unwrap_or_else(|| "a word that is not an instruction".to_owned())
    }

    /// The instructions that are not executed here: place and text.
    pub(crate) fn unsupported(&self) -> impl Iterator<Item = (u32, String)> {
        let missing = self
            .steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.is_none());
        missing.map(|(at, _)| (at as u32 * 16, self.text(at as u32)))
    }
}

/// How many banks of constants there are.
const BANKS: usize = 32;
/// The bank that the kernel's parameters are in.
const PARAMETERS: usize = 0;
/// Local memory of a kernel that calls functions, whose frames may be many.
const STACK: usize = 32 << 10;
/// The same of a kernel that takes room on the stack by itself, besides its frame.
const ROOM: usize = 4 << 10;
/// The register that has the end of the stack.
const STACK_POINTER: u8 = 1;
/// How sections of code are aligned.
const CODE_ALIGN: usize = 128;
/// The attributes that say how much of a stack a kernel needs.
const STACK_SIZES: [u8; 2] = [info::FRAME_SIZE, info::MIN_STACK_SIZE];
/// What the system keeps of shared memory.
const RESERVED: usize = 1 << 10;

/// A cubin in memory.
pub(crate) struct Loaded {
    pub(crate) kernels: Vec<Kernel>,
    /// Kernels that cannot be launched, with why.
    pub(crate) refused: Vec<(String, Diagnostics)>,
}

/// Bytes of variables that a cubin may have.
const MOST_VARIABLES: u64 = 4 << 30;

/// Loads a cubin: its variables go to memory.
pub(crate) fn load(cubin: &Cubin, global: &mut Global) -> Result<Loaded, Diagnostics> {
    let sm = cubin.chip().ok_or_else(|| {
        error(
            codes::NOT_EMULATED,
            "the cubin names no chip that is known here",
        )
    })?;
    let mut loader = Loader {
        cubin,
        sm,
        addresses: BTreeMap::new(),
        functions: BTreeMap::new(),
        own: None,
        constants: 0,
        system: Vec::new(),
    };
    loader.place_functions();
    loader.variables(global)?;
    loader.initial_values(global)?;
    let (_, symbols) = cubin.symbols();
    let mut kernels = Vec::new();
    let mut refused = Vec::new();
    for (number, symbol) in symbols.iter().enumerate() {
        if symbol.other & Symbol::ENTRY != 0 && symbol.section != 0 {
            match loader.kernel(number, symbol) {
                Ok(kernel) => kernels.push(kernel),
                Err(why) => refused.push((cubin.symbol_name(symbol).into_owned(), why)),
            }
        }
    }
    for kernel in &mut kernels {
        kernel.system.clone_from(&loader.system);
    }
    Ok(Loaded { kernels, refused })
}

/// The fields of an instruction that a place in code goes to, the lower bits first: first bit and width.
fn branch_fields(kind: &str) -> Option<Vec<(u32, u32)>> {
    match kind {
        "R_CUDA_ABS47_34" => Some(vec![(34, 47)]),
        "R_CUDA_ABS55_16_34" => Some(vec![(16, 8), (34, 47)]),
        "R_CUDA_ABS56_16_34" => Some(vec![(16, 8), (34, 48)]),
        _ => None,
    }
}

/// Diagnostics of one error.
pub(crate) fn error(code: Code, message: impl Into<String>) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(Diagnostic::error(code, Span::NOWHERE, message.into()));
    diagnostics
}

struct Loader<'c> {
    cubin: &'c Cubin,
    sm: Sm,
    /// Where sections of variables lie, by index.
    addresses: BTreeMap<usize, u64>,
    /// Where sections of functions are in the code of every kernel: after the longest one, so that an address in a variable
    /// is the same for all of them.
    functions: BTreeMap<usize, u64>,
    /// The section of the kernel that is loaded, which is at the beginning.
    own: Option<usize>,
    constants: u64,
    system: Vec<String>,
}

impl Loader<'_> {
    fn variables(&mut self, global: &mut Global) -> Result<(), Diagnostics> {
        let mut all: u64 = 0;
        for (index, section) in self.cubin.sections.iter().enumerate() {
            let name = self.cubin.section_name(section);
            let is_variable =
                [".nv.global", ".nv.global.init"].contains(&&*name) || name == ".nv.constant3";
            if is_variable {
                all = all.saturating_add(section.size());
                if all > MOST_VARIABLES {
                    let message = format!("the variables of the cubin take {all} bytes");
                    return Err(error(codes::NOT_EMULATED, message));
                }
                let size = usize::try_from(section.size()).unwrap_or(0);
                let address = global.allocate(size, section.align, &format!("section `{name}`"));
                self.addresses.insert(index, address);
                if name == ".nv.constant3" {
                    self.constants = address;
                }
            }
        }
        Ok(())
    }

    fn initial_values(&mut self, global: &mut Global) -> Result<(), Diagnostics> {
        for (index, address) in self.addresses.clone() {
            let bytes = self.bytes(index, "")?;
            global.write(address, &bytes);
        }
        Ok(())
    }

    /// The bytes of a section with addresses put in.
    fn bytes(&mut self, index: usize, kernel: &str) -> Result<Vec<u8>, Diagnostics> {
        let Some(section) = self.cubin.sections.get(index) else {
            let message = format!("there is no section {index}{kernel}");
            return Err(error(codes::NOT_EMULATED, message));
        };
        let mut bytes = match &section.content {
            Content::Bytes(bytes) => bytes.clone(),
            other if other.size() <= MOST_VARIABLES => vec![0; other.size() as usize],
            other => {
                let message = format!("a section{kernel} has {} bytes", other.size());
                return Err(error(codes::NOT_EMULATED, message));
            }
        };
        for table in &self.cubin.sections {
            let Content::Relocations(all) = &table.content else {
                continue;
            };
            if table.info as usize != index || self.cubin.section_name(table).contains(".debug") {
                continue;
            }
            for one in all {
                self.relocate(&mut bytes, one, kernel)?;
            }
        }
        Ok(bytes)
    }

    /// Gives functions, which are called by their address, their places.
    fn place_functions(&mut self) {
        let (_, symbols) = self.cubin.symbols();
        let entries = symbols.iter().filter(|one| one.other & Symbol::ENTRY != 0);
        let entries: BTreeSet<usize> = entries.map(|one| usize::from(one.section)).collect();
        let sections = self.cubin.sections.iter().enumerate();
        let sections = sections.filter(|(_, section)| section.is_code());
        let (kernels, functions): (Vec<_>, Vec<_>) =
            sections.partition(|(index, _)| entries.contains(index));
        let align = CODE_ALIGN as u64;
        let after = |place: u64, section: &Section| {
            let end = place.saturating_add(section.size());
            end.checked_next_multiple_of(align).unwrap_or(end)
        };
        let longest = kernels.iter().map(|(_, section)| after(0, section)).max();
        let mut end = longest.unwrap_or(0);
        for (index, section) in functions {
            self.functions.insert(index, end);
            end = after(end, section);
        }
    }

    /// The code of a kernel: its own section, and those of functions.
    fn code_of(&mut self, own: usize, kernel: &str) -> Result<Vec<u8>, Diagnostics> {
        self.own = Some(own);
        let mut code = self.bytes(own, kernel)?;
        for (index, place) in self.functions.clone() {
            if index == own {
                continue;
            }
            let bytes = self.bytes(index, kernel)?;
            // Sections are parts of a file in memory, and what is left out is as long as a kernel of it.
            code.resize(usize::try_from(place).unwrap_or(0).max(code.len()), 0);
            code.extend(bytes);
        }
        Ok(code)
    }

    /// The address of a symbol.
    fn address(&mut self, number: u32) -> Option<u64> {
        let (_, symbols) = self.cubin.symbols();
        let symbol = symbols.get(number as usize)?;
        let section = usize::from(symbol.section);
        if section == 0 {
            let name = self.cubin.symbol_name(symbol).into_owned();
            // The driver's tables of textures are not here, and neither are the sizes of their entries.
            if name.ends_with("DescSize") {
                return None;
            }
            let known = self.system.iter().position(|one| *one == name);
            let number = known.unwrap_or_else(|| {
                self.system.push(name);
                self.system.len() - 1
            });
            return Some(SYSTEM + 16 * number as u64);
        }
        if let Some(address) = self.addresses.get(&section) {
            return Some(address + symbol.value);
        }
        // An address of code in a variable is one of a function, or of the own section of the kernel that reads it.
        let start = match self.functions.get(&section) {
            Some(start) => Some(*start),
            None if self.own == Some(section) => Some(0),
            None if self.own.is_none() && self.cubin.sections.get(section)?.is_code() => Some(0),
            None => None,
        };
        Some(CODE + start? + symbol.value)
    }

    /// Why a symbol has no address.
    fn unknown(&self, number: u32) -> String {
        let (_, symbols) = self.cubin.symbols();
        let symbol = symbols.get(number as usize);
        let name = symbol
            .map(|symbol| self.cubin.symbol_name(symbol))
            .unwrap_or_default();
        let section =
            symbol.and_then(|symbol| self.cubin.sections.get(usize::from(symbol.section)));
        let section = section
            .map(|section| self.cubin.section_name(section))
            .unwrap_or_default();
        format!("names `{name}` of `{section}`, which is not loaded here")
    }

    fn relocate(
        &mut self,
        bytes: &mut [u8],
        one: &Relocation,
        kernel: &str,
    ) -> Result<(), Diagnostics> {
        let kind = relocation::name(one.kind).unwrap_or("?");
        // What the driver of a chip with other features would change is nothing here.
        if kind.starts_with("R_CUDA_UNUSED") || kind.starts_with("R_CUDA_YIELD") {
            return Ok(());
        }
        let refused = |why: &str| {
            let message = format!("relocation {kind} at {:#x}{kernel} {why}", one.offset);
            error(codes::NOT_EMULATED, message)
        };
        let address = self
            .address(one.symbol)
            .ok_or_else(|| refused(&self.unknown(one.symbol)))?;
        let value = address.wrapping_add_signed(one.addend.unwrap_or(0));
        let kind = kind
            .replace("UNIFIED", "")
            .replace("_G", "_")
            .replace("CUDA__", "CUDA_")
            .replace("CUDA32", "CUDA_ABS32");
        // First bit and width of the field, and which bits of the address go there.
        let (first, width, shift) = match kind.as_str() {
            kind if branch_fields(kind).is_some() => (0, 0, 0),
            "R_CUDA_64" | "R_CUDA_" | "R_CUDA_FUNC_DESC_64" => (0, 64, 0),
            "R_CUDA_32" | "R_CUDA_32_LO" | "R_CUDA_FUNC_DESC_32" => (0, 32, 0),
            "R_CUDA_32_HI" => (0, 32, 32),
            "R_CUDA_ABS32_LO_32" | "R_CUDA_ABS32_32" | "R_CUDA_FUNC_DESC32_LO_32" => (32, 32, 0),
            "R_CUDA_ABS32_HI_32" | "R_CUDA_FUNC_DESC32_HI_32" => (32, 32, 32),
            kind => match kind
                .strip_prefix("R_CUDA_8_")
                .or(kind.strip_prefix("R_CUDA_FUNC_DESC_8_"))
            {
                Some(shift) => (0, 8, shift.parse().map_err(|_| refused("is not known"))?),
                None => return Err(refused("is not known here")),
            },
        };
        let place = usize::try_from(one.offset)
            .ok()
            .and_then(|at| bytes.get_mut(at..))
            .ok_or_else(|| refused("is outside"))?;
        if let Some(fields) = branch_fields(&kind) {
            let word = place.first_chunk_mut::<16>();
            let word = word.ok_or_else(|| refused("is outside"))?;
            let mut bits = u128::from_le_bytes(*word);
            // Places in code are counted in words of four bytes.
            let mut rest = u128::from(value >> 2);
            for (first, width) in fields {
                let mask = (1u128 << width) - 1;
                bits = bits & !(mask << first) | (rest & mask) << first;
                rest >>= width;
            }
            *word = bits.to_le_bytes();
            return Ok(());
        }
        let part = (value >> shift).to_le_bytes();
        let (first, count) = (first / 8, width / 8);
        let field = place
            .get_mut(first..first + count)
            .ok_or_else(|| refused("is outside"))?;
        field.copy_from_slice(&part[..count]);
        Ok(())
    }

    fn kernel(&mut self, number: usize, symbol: &Symbol) -> Result<Kernel, Diagnostics> {
        let name = self.cubin.symbol_name(symbol).into_owned();
        let text = usize::from(symbol.section);
        let code = self.code_of(text, &format!(" of `{name}`"))?;
        let words: Vec<u128> = code
            .as_chunks::<16>()
            .0
            .iter()
            .map(|word| u128::from_le_bytes(*word))
            .collect();
        let sm = self.sm;
        let mut registers = 0;
        let mut ends = Vec::with_capacity(words.len());
        let mut changes_registers = false;
        let mut calls = false;
        let mut moves_stack = false;
        let steps: Vec<Option<Step>> = words
            .iter()
            .map(|word| {
                ends.push(0);
                let inst = decode::decode(sm, *word)?;
                changes_registers |= inst.shape.opcode() == "USETMAXREG";
                for access in &Effects::of(&inst).accesses {
                    if access.file == File::Register {
                        let moves =
                            access.is_write() && access.numbers().any(|one| one == STACK_POINTER);
                        moves_stack |= moves && inst.shape.opcode() != "LDC";
                        let end = usize::from(access.first) + usize::from(access.count);
                        registers = registers.max(end);
                        if let Some(own) = ends.last_mut() {
                            *own = (*own).max(end as u32);
                        }
                    }
                }
                calls |= inst.shape.opcode() == "CALL";
                Step::of(inst)
            })
            .collect();
        let mut banks = vec![Vec::new(); BANKS];
        for (bank, bytes) in banks.iter_mut().enumerate() {
            for section in [
                format!(".nv.constant{bank}.{name}"),
                format!(".nv.constant{bank}"),
            ] {
                if let Some((index, _)) = self.cubin.section(&section) {
                    *bytes = self.bytes(index, &format!(" of `{name}`"))?;
                    break;
                }
            }
        }
        let mut kernel = Kernel {
            sm,
            steps,
            words,
            // A load of four registers may name the last one.
            registers: registers.clamp(24, 255),
            first_registers: u32::MAX,
            ends: if changes_registers { ends } else { Vec::new() },
            parameters: Vec::new(),
            parameter_base: 0,
            banks,
            shared_bytes: self.shared(&name),
            static_shared: self.shared(&name).saturating_sub(self.reserved()),
            local_bytes: match (calls, moves_stack) {
                (true, _) => STACK,
                (false, true) => ROOM,
                (false, false) => 0,
            },
            system: Vec::new(),
            constants: self.constants,
            cluster: None,
            grid_of_clusters: false,
            name,
        };
        self.attributes(&mut kernel, number);
        Ok(kernel)
    }

    /// What the system keeps of the shared memory of a block.
    fn reserved(&self) -> usize {
        match self.sm.has(features::CUBINS_OF_HOPPER) {
            true => RESERVED,
            false => 0,
        }
    }

    fn shared(&self, kernel: &str) -> usize {
        let reserved = self.reserved();
        let section = self.cubin.section(&format!(".nv.shared.{kernel}"));
        let size = section.map_or(0, |(_, section)| {
            usize::try_from(section.size()).unwrap_or(0)
        });
        // Operations on 16 bits are done on the words that they are in.
        size.max(reserved).next_multiple_of(4)
    }

    fn attributes(&self, kernel: &mut Kernel, number: usize) {
        let own = self.cubin.section(&format!(".nv.info.{}", kernel.name));
        let all = self.cubin.section(".nv.info");
        for (section, section_is_own) in [(own, true), (all, false)] {
            let Some((_, section)) = section else {
                continue;
            };
            let Content::Info(records) = &section.content else {
                continue;
            };
            for record in records {
                if record.attribute == info::BLOCKS_ARE_CLUSTERS && section_is_own {
                    kernel.grid_of_clusters = true;
                }
                match record.value() {
                    Value::Words(words)
                        if record.attribute == info::CTA_PER_CLUSTER && section_is_own =>
                    {
                        let size = <[u32; 3]>::try_from(words.as_slice()).ok();
                        kernel.cluster = size.filter(|size| !size.contains(&0));
                    }
                    Value::Parameter(parameter) => kernel.parameters.push(parameter),
                    Value::Function {
                        symbol,
                        number: count,
                    } if symbol as usize == number && record.attribute == info::REGCOUNT => {
                        kernel.first_registers = count;
                    }
                    Value::Bank { offset, .. } => kernel.parameter_base = offset.into(),
                    Value::Function {
                        symbol,
                        number: count,
                    } if symbol as usize == number && STACK_SIZES.contains(&record.attribute) => {
                        // A stack without a known end has all bits set.
                        let count = usize::try_from(count).unwrap_or(0).min(1 << 20);
                        let room = if kernel.local_bytes == 0 { 0 } else { ROOM };
                        let count = count.next_multiple_of(16) + room;
                        kernel.local_bytes = kernel.local_bytes.max(count);
                    }
                    _ => {}
                }
            }
        }
        kernel.parameters.sort_by_key(|parameter| parameter.ordinal);
        let end = kernel
            .parameters
            .iter()
            .map(|one| usize::from(one.offset) + one.size as usize)
            .max();
        let end = kernel.parameter_base + end.unwrap_or(0);
        let bank = &mut kernel.banks[PARAMETERS];
        if bank.len() < end {
            bank.resize(end, 0);
        }
    }
}
