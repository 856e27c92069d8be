//! A cubin from nothing: a plain description of kernels and variables to the file that ptxas would lay out.
//!
//! ```text
//!   Program ──check──► Plan: section and symbol numbers ──► names, symbols, records, frames ──layout──► Cubin
//! ```
//!
//! What a kernel's code implies (its exits, its barriers …) is said in the description: this crate knows no
//! instruction. Everything that a file of this kind has for the sake of the format (string tables, symbols, the bank
//! of parameters, the records that every kernel has, notes, segments) is added here, in the order of ptxas 13, so
//! that a description of a kernel of ptxas gives the file of ptxas. Not made: the second form of the code that
//! ptxas adds from sm_100 on (`.nv.capmerc…`, `.nv.merc…`), and debug information other than `.debug_frame` and tables of
//! lines.
//!
//! ```
//! use warpc_cubin::build::{Kernel, Program, build};
//! let mut program = Program::new("sm_90".parse().unwrap());
//! program.kernels.push(Kernel {
//!     name: "nothing".to_owned(),
//!     code: vec![0; 128],
//!     exits: vec![0],
//!     ..Kernel::default()
//! });
//! let cubin = build(&program).unwrap();
//! assert!(cubin.section(".text.nothing").is_some());
//! ```

mod attributes;
mod chip;
mod frame;
mod lines;
mod names;
mod note;
pub mod object;
mod plan;
mod sections;
mod symbols;

pub use chip::parameters_at;

use crate::info::Record;
use crate::model::Cubin;
use crate::read::Fault;
use crate::value::Parameter;
use std::collections::HashSet;
use warpc_diag::codes;
use warpc_target::Sm;

/// What a cubin is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The chip.
    pub target: Sm,
    /// Who made it; the tools show it and the driver does not care.
    pub producer: Producer,
    /// The version of the toolkit whose rules the file follows, 130 for 13.0. Drivers refuse newer major versions.
    pub toolkit: u16,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// Where code comes from, if that is said.
    pub lines: Option<Lines>,
    /// The functions of the system that kernels call.
    pub externs: Vec<String>,
    /// The functions of the system, kernels and variables whose addresses are in bank 4 of constants, eight bytes each, in
    /// order.
    pub addresses: Vec<String>,
    /// The textures, samplers and surfaces that the host binds by name.
    pub opaque: Vec<Opaque>,
    /// Whether samplers are apart from textures (`texmode_independent`).
    pub independent: bool,
    /// Sizes of the driver's tables, by the names of their symbols, that the loader writes into code.
    pub sizes: Vec<String>,
}

/// What a variable without bytes is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpaqueKind {
    /// `.texref`
    Texture,
    /// `.samplerref`
    Sampler,
    /// `.surfref`
    Surface,
}

/// A texture, sampler or surface that the host binds by name. Kernels find its handle after their parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: OpaqueKind,
    /// What a sampler starts with: how it addresses in three dimensions, and its filter; 0xff for what is not said.
    pub modes: [u8; 4],
    /// Whether a sampler takes coordinates as they are, whatever the texture says.
    pub unnormalized: bool,
}

impl OpaqueKind {
    /// `R_CUDA_TEX_HEADER_INDEX`, `R_CUDA_SAMP_HEADER_INDEX_0`, `R_CUDA_SURF_HEADER_INDEX`.
    pub(crate) fn relocation(self) -> u32 {
        match self {
            OpaqueKind::Texture => 0x06,
            OpaqueKind::Sampler => 0x65,
            OpaqueKind::Surface => 0x34,
        }
    }

    /// `STT_CUDA_TEXTURE` and so on.
    pub(crate) fn symbol_type(self) -> u8 {
        match self {
            OpaqueKind::Texture => 10,
            OpaqueKind::Sampler => 11,
            OpaqueKind::Surface => 12,
        }
    }
}

/// What lines of code are of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lines {
    /// The files of the source; the first one has the number 1.
    pub files: Vec<LineFile>,
    /// The names of functions that were inlined, each with a zero after it.
    pub names: Vec<u8>,
    /// The lines of the PTX, each with a zero after it.
    pub ptx: Vec<u8>,
}

/// A file of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineFile {
    /// Its path.
    pub name: String,
    /// When it was changed; 0 if that is not known.
    pub time: u64,
    /// Its bytes; 0 if that is not known.
    pub size: u64,
}

/// Where the instructions from a place on come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// The place of the first instruction.
    pub place: u32,
    /// The number of the file; 0 for the PTX.
    pub file: u32,
    /// The line in it.
    pub line: u32,
    /// Of inlined code the row of the call, counted from 1, and the place of the function's name; else zeros.
    pub inlined: (u32, u32),
}

/// What `.note.nv.tkinfo` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Producer {
    /// The tool.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// Its build.
    pub build: String,
    /// The options it was given.
    pub options: String,
}

/// A kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its instructions, 16 bytes each.
    pub code: Vec<u8>,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// How many registers a thread gets.
    pub registers: u8,
    /// Bytes of static shared memory, without what the chip keeps for itself.
    pub shared: u32,
    /// What the shared memory's place is a multiple of; 0 is 4.
    pub shared_align: u32,
    /// How many of the barriers of a block it uses, counted from 0.
    pub barriers: u8,
    /// Bytes of its frame on the stack.
    pub frame: u32,
    /// Bytes of stack that it needs with everything it calls; at least `frame`.
    pub stack: u32,
    /// The functions in its code that it calls.
    pub functions: Vec<LocalFunction>,
    /// The functions of the system that it calls, also by way of others.
    pub externs: Vec<String>,
    /// Places of the instructions that end threads.
    pub exits: Vec<u32>,
    /// Constants of the compiler, in bank 2.
    pub constants: Vec<u8>,
    /// More attributes, in any order. One that the builder would make itself replaces the builder's.
    pub attributes: Vec<Record>,
    /// The textures, samplers and surfaces whose handles follow its parameters in bank 0, four bytes each, in order.
    pub handles: Vec<String>,
    /// Whether it has instructions of the unit of textures and surfaces.
    pub uses_textures: bool,
    /// What the loader writes into the code.
    pub relocations: Vec<Reference>,
    /// The lines of the source that its code comes from, if they are said for the program.
    pub lines: Vec<Line>,
    /// Those of the PTX.
    pub ptx_lines: Vec<Line>,
    /// The instructions of its entry in `.debug_frame`, as they stand there; nothing for a frame that is there from
    /// the first instruction on.
    pub unwinding: Option<Vec<u8>>,
}

/// A function in the code of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalFunction {
    /// Its name; ptxas writes `$kernel$function`.
    pub name: String,
    /// Where it begins in the code.
    pub offset: u32,
    /// The bytes of its code.
    pub size: u32,
    /// Bytes of its frame on the stack.
    pub frame: u32,
}

/// A relocation in a kernel's code or a variable's bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Where in the code, or in the variable.
    pub offset: u64,
    /// `R_CUDA_…`.
    pub kind: u32,
    /// The kernel or variable whose place goes there.
    pub symbol: String,
    /// What is added.
    pub addend: i64,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Global memory.
    Global,
    /// Bank 3 of constants.
    Constant,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it lives.
    pub space: Space,
    /// What its place is a multiple of.
    pub align: u32,
    /// Its bytes.
    pub size: u32,
    /// What it starts with; nothing for zeros.
    pub initial: Option<Vec<u8>>,
    /// What the loader writes into that: addresses, at offsets in the variable.
    pub references: Vec<Reference>,
    /// Whether the host finds it by name.
    pub visible: bool,
    /// Whether a definition elsewhere may take its place.
    pub weak: bool,
    /// Whether the host has it at the same address.
    pub managed: bool,
}

impl Program {
    /// A program without kernels.
    pub fn new(target: Sm) -> Program {
        Program {
            target,
            producer: Producer {
                tool: "warpc".to_owned(),
                version: concat!("warpc ", env!("CARGO_PKG_VERSION")).to_owned(),
                build: String::new(),
                options: format!("-arch {target} "),
            },
            toolkit: 130,
            kernels: Vec::new(),
            variables: Vec::new(),
            lines: None,
            externs: Vec::new(),
            addresses: Vec::new(),
            opaque: Vec::new(),
            independent: false,
            sizes: Vec::new(),
        }
    }
}

/// Makes a cubin.
pub fn build(program: &Program) -> Result<Cubin, Fault> {
    let chip = chip::Chip::of(program.target).ok_or_else(|| {
        fault(
            format!("no cubins are made for {}", program.target),
            "the chips from sm_75 on have the instructions of 16 bytes that the builder knows",
        )
    })?;
    check(program)?;
    plan::Plan::new(program, chip).cubin()
}

fn fault(message: String, help: &'static str) -> Fault {
    Fault {
        code: codes::CUBIN_STRUCTURE,
        message,
        help,
    }
}

/// The largest size of a kernel's parameters (32,764 bytes from sm_70 on), and of its shared memory in the file.
const MOST_PARAMETER_BYTES: u32 = 32_764;

fn check(program: &Program) -> Result<(), Fault> {
    let mut names = HashSet::new();
    let kernels = program.kernels.iter().map(|kernel| &kernel.name);
    let variables = program.variables.iter().map(|variable| &variable.name);
    let functions = program.kernels.iter().flat_map(|kernel| &kernel.functions);
    let functions = functions.map(|function| &function.name);
    let externs = program.externs.iter().chain(&program.sizes);
    let opaque = program.opaque.iter().map(|opaque| &opaque.name);
    let others = functions.chain(externs).chain(opaque);
    for name in kernels.chain(variables).chain(others) {
        if name.is_empty() || name.contains('\0') {
            return Err(fault(
                "a kernel or variable has no name, or a zero byte in it".to_owned(),
                "",
            ));
        }
        if !names.insert(name.as_str()) {
            return Err(fault(
                format!("there are two things called `{name}`"),
                "kernels and variables of a cubin have different names",
            ));
        }
    }
    program.kernels.iter().try_for_each(check_kernel)?;
    for variable in &program.variables {
        let known = variable.initial.as_ref().map_or(0, Vec::len);
        let places = variable.references.iter().map(|one| one.offset);
        if places.max().is_some_and(|place| place >= known as u64) {
            return Err(fault(
                format!("`{}` has an address after its bytes", variable.name),
                "",
            ));
        }
        if known > variable.size as usize || !variable.align.is_power_of_two() {
            return Err(fault(
                format!(
                    "`{}` starts with more bytes than it has, or its alignment is not a power of two",
                    variable.name
                ),
                "",
            ));
        }
    }
    let references = program
        .kernels
        .iter()
        .flat_map(|kernel| &kernel.relocations)
        .chain(program.variables.iter().flat_map(|one| &one.references))
        .map(|reference| &reference.symbol)
        .chain(program.kernels.iter().flat_map(|kernel| &kernel.externs));
    let is_opaque = |name: &String| program.opaque.iter().any(|one| one.name == *name);
    let mut handles = program.kernels.iter().flat_map(|kernel| &kernel.handles);
    if let Some(name) = handles.find(|name| !is_opaque(name)) {
        return Err(fault(
            format!("`{name}`, whose handle is wanted, is not there"),
            "declare it as a texture, sampler or surface",
        ));
    }
    for name in program.addresses.iter().chain(references) {
        if !names.contains(name.as_str()) {
            return Err(fault(
                format!("`{name}`, whose address is wanted, is not there"),
                "declare it as a variable",
            ));
        }
    }
    Ok(())
}

fn check_kernel(kernel: &Kernel) -> Result<(), Fault> {
    let name = &kernel.name;
    if !kernel.code.len().is_multiple_of(16) {
        return Err(fault(
            format!("the code of `{name}` is not made of words of 16 bytes"),
            "",
        ));
    }
    let ends = kernel.parameters.iter();
    let end = ends.map(|parameter| u32::from(parameter.offset).saturating_add(parameter.size));
    if end.max().unwrap_or(0) > MOST_PARAMETER_BYTES {
        return Err(fault(
            format!("the parameters of `{name}` have more than {MOST_PARAMETER_BYTES} bytes"),
            "",
        ));
    }
    if kernel.shared_align != 0 && !kernel.shared_align.is_power_of_two() {
        return Err(fault(
            format!("the shared memory of `{name}` has an alignment that is not a power of two"),
            "",
        ));
    }
    let places = kernel.exits.iter().map(|&place| u64::from(place));
    let places = places.chain(kernel.functions.iter().map(|one| one.offset.into()));
    let lines = kernel.lines.iter().chain(&kernel.ptx_lines);
    let places = places.chain(lines.clone().map(|line| line.place.into()));
    if !kernel.lines.is_sorted_by_key(|line| line.place)
        || !kernel.ptx_lines.is_sorted_by_key(|line| line.place)
    {
        return Err(fault(format!("the lines of `{name}` are not in order"), ""));
    }
    let mut places = places.chain(kernel.relocations.iter().map(|one| one.offset));
    match places.find(|&place| place >= kernel.code.len() as u64) {
        Some(place) => Err(fault(
            format!("`{name}` has no instruction at {place:#x}"),
            "",
        )),
        None => Ok(()),
    }
}

impl Kernel {
    /// The bytes of the parameters.
    pub(crate) fn parameter_bytes(&self) -> u32 {
        let ends = self.parameters.iter();
        let ends = ends.map(|parameter| u32::from(parameter.offset) + parameter.size);
        ends.max().unwrap_or(0)
    }

    /// Where the handles of textures are in bank 0, after `begin` and the parameters.
    pub(crate) fn handles_at(&self, begin: u16) -> u32 {
        handles_at(begin, self.parameter_bytes())
    }
}

/// Where the handles of textures, samplers and surfaces begin in bank 0: after the parameters, which begin at `begin`.
pub fn handles_at(begin: u16, parameter_bytes: u32) -> u32 {
    (u32::from(begin) + parameter_bytes).next_multiple_of(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::verify;
    use warpc_target::features;

    fn program(chip: &str) -> Program {
        let mut program = Program::new(chip.parse().expect("a chip"));
        program.kernels.push(Kernel {
            name: "k".to_owned(),
            code: vec![0; 128],
            exits: vec![16],
            registers: 8,
            ..Kernel::default()
        });
        program
    }

    #[test]
    fn every_chip_from_sm_75_on_has_clean_cubins_that_come_back() {
        for chip in Sm::all().filter(|chip| chip.has(features::ASSEMBLED)) {
            let cubin = build(&program(&chip.to_string())).expect("a cubin");
            assert_eq!(verify(&cubin), [], "{chip}");
            assert_eq!(Cubin::read(&cubin.write()).as_ref(), Ok(&cubin), "{chip}");
        }
        assert!(build(&program("sm_70")).is_err());
    }

    #[test]
    fn descriptions_that_cannot_be_are_refused() {
        let changes: [fn(&mut Program); 6] = [
            |program| program.kernels[0].code.truncate(120),
            |program| program.kernels[0].exits = vec![128],
            |program| program.kernels[0].name.clear(),
            |program| program.kernels.push(program.kernels[0].clone()),
            |program| program.addresses.push("nowhere".to_owned()),
            |program| program.kernels[0].shared_align = 3,
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut program = program("sm_90");
            change(&mut program);
            assert!(build(&program).is_err(), "change {number}");
        }
    }
}
