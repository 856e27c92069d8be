//! A program: the modules that were added, the log of the last call, the result of the last compilation.
//!
//! The steps of a compilation, and what stops it:
//!
//! | step | answer on failure |
//! |---|---|
//! | options | `NVVM_ERROR_INVALID_OPTION` |
//! | there is a module that was not added lazily | `NVVM_ERROR_NO_MODULE_IN_PROGRAM` |
//! | each module is read | `NVVM_ERROR_COMPILATION`; verifying: `NVVM_ERROR_INVALID_IR` |
//! | its version of NVVM IR; lazy modules are libraries of any version | `NVVM_ERROR_IR_VERSION_MISMATCH` |
//! | they are linked, lazy ones last and in their order | as reading |
//! | the whole is verified and, unless only that is asked for, compiled | as reading |

use crate::log::{Stage, lines};
use crate::options::{self, Chosen};
use crate::result::NvvmResult;
use crate::rules::{self, Refusal};
use warpc::{Kind, Llvm, Mode, Part, Product, Source};

/// The name of a module that has none.
const UNNAMED: &str = "<unnamed>";

/// Modules and what became of them.
#[derive(Default)]
pub struct Program {
    modules: Vec<Module>,
    log: Vec<u8>,
    compiled: Compiled,
}

/// What was compiled.
#[derive(Default)]
enum Compiled {
    #[default]
    Nothing,
    Ptx(String),
    LtoIr(Vec<u8>),
}

/// What a caller can copy.
#[derive(Clone, Copy)]
pub enum Shown<'p> {
    /// A text, which gets a zero at its end.
    Text(&'p [u8]),
    /// Bytes as they are.
    Bytes(&'p [u8]),
}

struct Module {
    source: Source,
    lazy: bool,
}

/// Whether bytes start as bitcode does, plain or in its wrapper.
fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

/// Why a program has no result: what is answered, and the log.
type Failure = (NvvmResult, String);

impl Program {
    /// Adds a module. It is read when the program is compiled or verified.
    pub fn add(&mut self, name: &str, bytes: &[u8], lazy: bool) -> NvvmResult {
        let name = if name.is_empty() { UNNAMED } else { name };
        // Texts may come with the zero that ends them in C; the zeros of bitcode are a part of it.
        let end = match is_bitcode(bytes) {
            true => bytes.len(),
            false => bytes
                .iter()
                .rposition(|&byte| byte != 0)
                .map_or(0, |end| end + 1),
        };
        let bytes = &bytes[..end];
        match Source::of_kind(Kind::Llvm, name, bytes) {
            Ok(source) => {
                self.modules.push(Module { source, lazy });
                NvvmResult::Success
            }
            Err(_) => NvvmResult::InvalidInput,
        }
    }

    /// The result of the last compilation.
    pub fn compiled(&self) -> Shown<'_> {
        match &self.compiled {
            Compiled::Nothing => Shown::Text(&[]),
            Compiled::Ptx(ptx) => Shown::Text(ptx.as_bytes()),
            Compiled::LtoIr(bytes) => Shown::Bytes(bytes),
        }
    }

    /// The log of the last compilation or verification.
    pub fn log(&self) -> Shown<'_> {
        Shown::Text(&self.log)
    }

    /// Compiles the program to PTX or LTO-IR.
    pub fn compile(&mut self, options: &[String]) -> NvvmResult {
        self.compiled = Compiled::Nothing;
        let made = self.parts(options, NvvmResult::Compilation);
        let made = made.and_then(|(chosen, parts)| match chosen.lto {
            true => lto_ir(&chosen, parts),
            false => ptx(&chosen, parts),
        });
        match made {
            Ok((compiled, log)) => {
                self.compiled = compiled;
                self.finish(NvvmResult::Success, log)
            }
            Err((result, log)) => self.finish(result, log),
        }
    }

    /// Verifies the program.
    pub fn verify(&mut self, options: &[String]) -> NvvmResult {
        let parts = self.parts(options, NvvmResult::InvalidIr);
        let verified = parts.and_then(|(chosen, parts)| {
            let llvm = linked(&chosen, parts, NvvmResult::InvalidIr)?;
            let problem = rules::verified_triple_problem(&llvm);
            if let Some(problem) = problem.or_else(|| rules::layout_problem(&llvm, true)) {
                return Err((NvvmResult::InvalidIr, problem));
            }
            let found = llvm.verify(&chosen.options);
            let log = lines(&found, Stage::Other, chosen.quiet);
            match found.has_errors() {
                true => Err((NvvmResult::InvalidIr, log)),
                false => Ok(log),
            }
        });
        match verified {
            Ok(log) => self.finish(NvvmResult::Success, log),
            Err((result, log)) => self.finish(result, log),
        }
    }

    fn finish(&mut self, result: NvvmResult, log: String) -> NvvmResult {
        self.log = log.into_bytes();
        // A zero would end the log early.
        self.log.retain(|&byte| byte != 0);
        result
    }

    /// The modules in the order in which they are linked, and the options. `invalid` is the answer to a module that is
    /// invalid.
    fn parts(
        &self,
        options: &[String],
        invalid: NvvmResult,
    ) -> Result<(Chosen, Vec<Part>), Failure> {
        let chosen = options::read(options).map_err(|log| (NvvmResult::InvalidOption, log))?;
        if self.modules.iter().all(|module| module.lazy) {
            return Err((NvvmResult::NoModuleInProgram, String::new()));
        }
        // Libraries serve the modules that are taken whole, wherever they were added.
        let whole = self.modules.iter().filter(|module| !module.lazy);
        let lazy = self.modules.iter().filter(|module| module.lazy);
        let mut parts = Vec::new();
        for module in whole.chain(lazy) {
            parts.push(module.read(&chosen, invalid)?);
        }
        Ok((chosen, parts))
    }
}

/// The modules as one.
fn linked(chosen: &Chosen, parts: Vec<Part>, invalid: NvvmResult) -> Result<Llvm, Failure> {
    let linked = Llvm::link(parts, &chosen.options);
    let log = lines(&linked.diagnostics, Stage::Link, chosen.quiet);
    linked.value.ok_or((invalid, log))
}

/// The program as PTX, and the log.
fn ptx(chosen: &Chosen, parts: Vec<Part>) -> Result<(Compiled, String), Failure> {
    let llvm = linked(chosen, parts, NvvmResult::Compilation)?;
    let problem = rules::layout_problem(&llvm, false);
    if let Some(problem) = problem.or_else(|| chosen.version_problem()) {
        return Err((NvvmResult::Compilation, problem));
    }
    let mut log = match chosen.quiet {
        true => String::new(),
        false => rules::kernels_marked_noinline(&llvm),
    };
    let output = llvm.compile(&chosen.options);
    log.push_str(&lines(&output.diagnostics, Stage::Other, chosen.quiet));
    match output.value {
        Some(ptx) => Ok((Compiled::Ptx(ptx.to_string()), log)),
        None => Err((NvvmResult::Compilation, log)),
    }
}

/// The program as LTO-IR, and the log.
fn lto_ir(chosen: &Chosen, parts: Vec<Part>) -> Result<(Compiled, String), Failure> {
    let options = &chosen.options;
    let made = warpc::produce_parts(parts, Mode::of(Product::Lto), options);
    let mut diagnostics = made.diagnostics;
    let llvm = made.value.and_then(|made| made.llvm);
    let problem = llvm
        .as_ref()
        .and_then(|llvm| rules::layout_problem(llvm, false));
    if let Some(problem) = problem {
        return Err((NvvmResult::Compilation, problem));
    }
    let bitcode = llvm.and_then(|llvm| {
        let bitcode = llvm.to_bitcode(options);
        diagnostics.append(bitcode.diagnostics);
        bitcode.value
    });
    let log = lines(&diagnostics, Stage::Other, chosen.quiet);
    match bitcode {
        Some(bytes) => Ok((Compiled::LtoIr(bytes), log)),
        None => Err((NvvmResult::Compilation, log)),
    }
}

impl Module {
    fn read(&self, chosen: &Chosen, invalid: NvvmResult) -> Result<Part, Failure> {
        let read = Llvm::read(&self.source);
        let Some(llvm) = read.value else {
            let log = lines(&read.diagnostics, Stage::Parse, chosen.quiet);
            return Err((invalid, log));
        };
        let refusal = match self.lazy {
            true => None,
            false => rules::version_problem(self.source.name(), &llvm)
                .or_else(|| rules::triple_problem(self.source.name(), &llvm)),
        };
        if let Some(Refusal { result, message }) = refusal {
            return Err((result.unwrap_or(invalid), message));
        }
        Ok(Part {
            source: self.source.clone(),
            llvm,
            lazy: self.lazy,
        })
    }
}
