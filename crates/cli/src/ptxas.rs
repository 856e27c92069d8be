//! `warpc ptxas`: the command line of ptxas, for tools that call it.
//!
//! ```text
//!   words ──line──► Line ──warpc::assemble──► cubin
//!            flags            │ Usage, diagnostics
//!                             ▼
//!                          message: the lines that callers look for
//! ```
//!
//! The same command runs when the program is called `ptxas`. What flags mean here is in `docs/ptxas.md`.

mod flags;
mod line;
mod message;

use line::{Input, Line, Print, Refused, Target};
use message::Messages;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use warpc::{Kind, Observer, Source, Usage};
use warpc_ptx::module::FunctionKind;
use warpc_target::{PtxVersion, Sm};

/// The status of ptxas where something is wrong.
const FAILED: u8 = 255;

/// The release of the CUDA tools whose PTX is known: callers read it to choose a version of PTX.
const RELEASE: &str = "13.4";

/// Whether a program of this name stands where ptxas stood.
pub fn is_named(program: &Path) -> bool {
    program.file_stem().is_some_and(|stem| stem == "ptxas")
}

/// Runs with the words after the command's name.
pub fn run(words: Vec<String>) -> ExitCode {
    let mut messages = Messages::new();
    match assemble(words, &mut messages) {
        Ok(()) if !messages.has_errors() => ExitCode::SUCCESS,
        _ => ExitCode::from(FAILED),
    }
}

fn assemble(words: Vec<String>, messages: &mut Messages) -> Result<(), Refused> {
    let mut line = Line::read(words, messages)?;
    if messages.has_errors() {
        messages.aborted();
        return Err(Refused);
    }
    let print = line.print.or(line.inputs.is_empty().then_some(Print::Help));
    if let Some(print) = print {
        // Whoever reads from us may stop at any time.
        let _ = std::io::stdout().write_all(printed(print).as_bytes());
        return Ok(());
    }
    let source = source(&line, messages)?;
    let (sm, makes_code) = match line.target {
        Target::Code(sm) => (sm, true),
        Target::Check(sm) => (sm, false),
    };
    if line.debug {
        messages.warning("debug information (-g) is not written; the code is that of -O0");
    }
    let bound = launches(&mut line, &source, messages);
    let mut kernels = Kernels(Vec::new());
    let options = options(&line, sm);
    let made = match makes_code {
        true => warpc::assemble_observed(&source, &options, &mut kernels).map(Some),
        false => warpc::check(&source, &options).map(|_| None),
    };
    messages.diagnostics(source.file(), &made.diagnostics);
    let Some(cubin) = made.value.filter(|_| !messages.has_errors()) else {
        messages.aborted();
        return Err(Refused);
    };
    let Some(cubin) = cubin else {
        return Ok(());
    };
    for name in &line.entries {
        let is_there = |usage: &Usage| usage.functions.first().is_some_and(|one| one.name == *name);
        if !kernels.0.iter().any(is_there) {
            messages.fatal(format_args!("Unknown function {name}"));
            return Err(Refused);
        }
    }
    let bytes = cubin.write();
    if line.more_verbose {
        for usage in kernels.0.iter().filter(|usage| usage.is_kernel) {
            let name = usage.functions.first().map_or("", |one| &one.name);
            messages.info(format_args!("Processing {name}"));
        }
    }
    if line.verbose {
        bound.iter().for_each(|text| messages.info(text));
        report(&kernels.0, &cubin, sm, messages);
    }
    warn(&line, &kernels.0, messages);
    if messages.has_errors() {
        return Err(Refused);
    }
    std::fs::write(&line.output, bytes).map_err(|_| {
        messages.fatal(format_args!(
            "Output file '{}' could not be opened",
            line.output
        ));
        Refused
    })
}

/// The most threads and blocks of a multiprocessor.
const MOST_THREADS: u64 = 2048;
const MOST_BLOCKS: u64 = 32;

/// Drops bounds of launches that no launch can have, and says for which kernels; what is to be said of bounds of registers.
fn launches(line: &mut Line, source: &Source, messages: &mut Messages) -> Vec<String> {
    let bounds = line.bounds.clone();
    let has_sizes = bounds.threads.is_some() || bounds.blocks.is_some();
    let says_registers = bounds.registers.is_some() && line.verbose;
    if !has_sizes && !says_registers {
        return Vec::new();
    }
    let Some(module) = warpc_ptx::check(source.file()).value else {
        return Vec::new();
    };
    let threads = bounds.threads.unwrap_or(1);
    let problem = match bounds.blocks {
        _ if threads > MOST_THREADS => {
            Some("threads per SM for entry NAME is out of range. .minnctapersm and .maxntid")
        }
        Some(blocks) if blocks > MOST_BLOCKS => {
            Some("minnctapersm for entry NAME is out of range. minnctapersm")
        }
        Some(blocks) if threads.saturating_mul(blocks) > MOST_THREADS => {
            Some("threads per SM for entry NAME is out of range. .minnctapersm")
        }
        _ => None,
    };
    let mut said = Vec::new();
    // The last kernel comes first, as ptxas has it.
    let functions: Vec<_> = module.functions().collect();
    for kernel in functions.into_iter().rev() {
        if kernel.kind != FunctionKind::Entry || kernel.body.is_none() {
            continue;
        }
        let name = module.name(kernel.name);
        if !line.entries.is_empty() && !line.entries.iter().any(|one| one == name) {
            continue;
        }
        let directive = |name: &str| {
            let own = kernel.directives.iter().find(|one| one.name == name)?;
            own.values.first().map(|value| value.bits)
        };
        let own_sizes = directive(".maxntid").or_else(|| directive(".reqntid"));
        if let Some(problem) = problem.filter(|_| own_sizes.is_none()) {
            let problem = problem.replace("NAME", name);
            messages.warning(format_args!("Value of {problem} will be ignored"));
        }
        let Some(registers) = bounds.registers else {
            continue;
        };
        match (directive(".maxnreg"), own_sizes) {
            _ if bounds.override_directives => {}
            (Some(own), _) => said.push(format!("Overriding global maxrregcount {registers} with entry-specific value {own} of .maxnreg")),
            (None, None) => said.push(format!("Overriding maximum register limit 256 for '{name}' with  {registers} of maxrregcount option")),
            (None, Some(_)) => {}
        }
    }
    if problem.is_some() {
        line.bounds.blocks = None;
    }
    if threads > MOST_THREADS {
        line.bounds.threads = None;
    }
    said
}

/// The one input.
fn source(line: &Line, messages: &mut Messages) -> Result<Source, Refused> {
    if line.inputs.len() > 1 {
        // One that is missing is said first.
        for input in &line.inputs {
            if let Input::File(name) = input
                && name != "-"
                && !Path::new(name).exists()
            {
                messages.fatal(format_args!("Input file '{name}' could not be opened"));
                messages.aborted();
                return Err(Refused);
            }
        }
        messages.fatal("several inputs are not supported: warpc assembles one module at a time");
        return Err(Refused);
    }
    let (name, bytes) = match line.inputs.first() {
        Some(Input::Text(text)) => (line::GIVEN_TEXT, text.clone().into_bytes()),
        Some(Input::File(name)) => {
            let read = match name.as_str() {
                "-" => {
                    let mut bytes = Vec::new();
                    std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
                }
                name => std::fs::read(name),
            };
            let bytes = read.map_err(|_| {
                messages.fatal(format_args!("Input file '{name}' could not be opened"));
                messages.aborted();
                Refused
            })?;
            (name.as_str(), bytes)
        }
        None => return Err(Refused),
    };
    Source::of_kind(Kind::Ptx, name, bytes).map_err(|error| {
        messages.fatal(error);
        Refused
    })
}

fn options(line: &Line, sm: Sm) -> warpc::Options {
    let mut options = warpc::Options::new(sm);
    options.level = if line.debug { 0 } else { line.level };
    options.lineinfo = line.lines && !line.no_lines;
    options.member_masks.no_overlap = line.no_overlap;
    options.member_masks.print = line.print_overlap;
    options.assembler.entries = line.entries.clone();
    options.assembler.bounds = line.bounds.clone();
    options.assembler.loads = line.loads;
    options.assembler.stores = line.stores;
    options.assembler.contract = line.contract;
    options.assembler.errors_at_exit = line.errors_at_exit;
    options.assembler.extern_functions_do_not_sync = line.extern_functions_do_not_sync;
    options.assembler.more_threads = crate::compile::other_processors();
    options.assembler.relocatable = line.relocatable;
    options
}

/// Keeps what kernels use.
struct Kernels(Vec<Usage>);

impl Observer for Kernels {
    fn watches_passes(&self) -> bool {
        false
    }

    fn used(&mut self, usage: &Usage) {
        self.0.push(usage.clone());
    }
}

/// The lines of `-v`.
fn report(kernels: &[Usage], cubin: &warpc::cubin::Cubin, sm: Sm, messages: &mut Messages) {
    messages.info(format_args!("{} bytes gmem", global_bytes(cubin)));
    // The last kernel comes first, as ptxas has it.
    for usage in kernels.iter().rev() {
        let Some((kernel, functions)) = usage.functions.split_first() else {
            continue;
        };
        let time = usage.time.as_secs_f64() * 1e3;
        if !usage.is_kernel {
            properties(kernel, messages);
            messages.info(format_args!("Compile time = {time:.3} ms"));
            continue;
        }
        let name = &kernel.name;
        messages.info(format_args!("Compiling entry function '{name}' for '{sm}'"));
        properties(kernel, messages);
        let mut used = format!(
            "Used {} registers, used {} barriers",
            usage.registers, usage.barriers
        );
        if usage.stack > 0 {
            used.push_str(&format!(", {} bytes cumulative stack size", usage.stack));
        }
        if usage.shared > 0 {
            used.push_str(&format!(", {} bytes smem", usage.shared));
        }
        messages.info(used);
        messages.info(format_args!("Compile time = {time:.3} ms"));
        functions.iter().for_each(|one| properties(one, messages));
    }
}

fn properties(function: &warpc::FunctionUsage, messages: &mut Messages) {
    messages.info(format_args!("Function properties for {}", function.name));
    messages.line(format_args!(
        "    {} bytes stack frame, {} bytes spill stores, {} bytes spill loads",
        function.frame, function.spill_stores, function.spill_loads
    ));
}

/// The bytes of variables in global memory.
fn global_bytes(cubin: &warpc::cubin::Cubin) -> u64 {
    let names = [".nv.global", ".nv.global.init"];
    let sizes = names.iter().filter_map(|name| cubin.section(name));
    sizes.map(|(_, section)| section.size()).sum()
}

/// What was asked to be warned of.
fn warn(line: &Line, kernels: &[Usage], messages: &mut Messages) {
    for function in kernels.iter().flat_map(|usage| &usage.functions) {
        let name = &function.name;
        if line.warn_local && function.frame > 0 {
            let bytes = function.frame;
            messages.warning(format_args!(
                "Local memory used for function '{name}', size of stack frame: {bytes} bytes"
            ));
        }
        let (stores, loads) = (function.spill_stores, function.spill_loads);
        if line.warn_spills && stores + loads > 0 {
            messages.warning(format_args!("Registers are spilled to local memory in function '{name}', {stores} bytes spill stores, {loads} bytes spill loads"));
        }
    }
}

fn printed(print: Print) -> String {
    match print {
        Print::Help => line::help(),
        // Callers look for `release` and `V`.
        Print::Version => format!(
            "ptxas: warpc's assembler of PTX, in the place of NVIDIA (R) Ptx optimizing assembler\n\
             warpc {}\n\
             Cuda compilation tools, release {RELEASE}, V{RELEASE}.0\n",
            env!("CARGO_PKG_VERSION")
        ),
        Print::Targets => "90\n".to_owned(),
        Print::Versions => {
            let versions = PtxVersion::all().map(|version| format!("{version}\n"));
            versions.collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_sees_its_name() {
        assert!(is_named(Path::new("/opt/cuda/bin/ptxas")));
        assert!(is_named(Path::new("ptxas.exe")));
        assert!(!is_named(Path::new("warpc")));
    }
}
