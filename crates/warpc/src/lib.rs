//! The stages in order.
//!
//! ```text
//!   bytes ──input──► SourceFile ──ptx::parse──► Module ──ptx::verify──► Checked
//!                               ├─nvvm::read_text──► Module ──nvvm::verify──► Checked
//!                               └─mlir::read───────►┘  │
//!                                                      └──lower::run──nvvm_to_ptx::compile──► PTX module
//!                               ├─cubin::read──► Cubin ──cubin::verify──► Checked
//!                               └─cubin::assembly::read──►┘
//! ```
//!
//! This is the one crate that chains stages, and the one place where a panic of any of them is
//! caught and turned into a diagnostic that says so.

mod assemble;
mod cubin;
mod failure;
mod input;
mod kernel_facts;
mod schedule;
mod target_cpu;

pub use assemble::{Sass, assemble, check_sass, reassemblable};
pub use cubin::{check_cubin, check_fatbin, read_cubin};
pub use failure::{guarded, note_places_of_failures};
pub use input::{Input, InputError, Kind};
pub use kernel_facts::{KernelFacts, kernel_facts};
pub use target_cpu::target_of;
pub use warpc_lower::Atomics;

use warpc_diag::{Diagnostics, SourceFile};
use warpc_ptx::Module;

/// The Rust of the README, which is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// A module, of PTX unless said otherwise, and what is wrong with it.
#[derive(Debug)]
pub struct Checked<M = Module> {
    /// The module; `None` if it could not be read.
    pub module: Option<M>,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

/// Reads a PTX module.
pub fn parse_ptx(file: &SourceFile) -> Checked {
    guard(file, || {
        let parsed = warpc_ptx::parse(file);
        let module = (!parsed.diagnostics.has_errors()).then_some(parsed.module);
        Checked {
            module,
            diagnostics: parsed.diagnostics,
        }
    })
}

/// Reads and verifies a PTX module.
///
/// ```
/// let file = warpc_diag::SourceFile::new("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n").unwrap();
/// assert!(!warpc::check_ptx(&file).diagnostics.has_errors());
/// ```
pub fn check_ptx(file: &SourceFile) -> Checked {
    guard(file, || {
        let parsed = warpc_ptx::check(file);
        let module = (!parsed.diagnostics.has_errors()).then_some(parsed.module);
        Checked {
            module,
            diagnostics: parsed.diagnostics,
        }
    })
}

/// Reads and verifies a module of LLVM IR; one for NVIDIA's GPUs must also keep NVVM's rules.
///
/// ```
/// let file = warpc_diag::SourceFile::new("k.ll", "define void @k() {\n  ret void\n}\n").unwrap();
/// let checked = warpc::check_llvm(&file, warpc_nvvm::NvvmOptions::default());
/// assert!(checked.module.is_some());
/// ```
pub fn check_llvm(
    file: &SourceFile,
    options: warpc_nvvm::NvvmOptions,
) -> Checked<warpc_nvvm::Module> {
    check_ir(Kind::Llvm, file, options)
}

/// The same for a module of LLVM IR or MLIR.
///
/// ```
/// let text = "llvm.func @k() attributes {nvvm.kernel} {\n  llvm.return\n}\n";
/// let file = warpc_diag::SourceFile::new("k.mlir", text).unwrap();
/// let rules = warpc_nvvm::NvvmOptions::default();
/// let checked = warpc::check_ir(warpc::Kind::Mlir, &file, rules);
/// assert!(checked.module.is_some());
/// ```
pub fn check_ir(
    kind: Kind,
    file: &SourceFile,
    options: warpc_nvvm::NvvmOptions,
) -> Checked<warpc_nvvm::Module> {
    check_module(kind, file, options, is_for_gpu)
}

/// Reads and verifies a module; NVVM's rules hold for it if the last argument says so.
fn check_module(
    kind: Kind,
    file: &SourceFile,
    options: warpc_nvvm::NvvmOptions,
    for_gpu: fn(&warpc_nvvm::Module) -> bool,
) -> Checked<warpc_nvvm::Module> {
    guard(file, || {
        let warpc_nvvm::Read {
            module,
            mut diagnostics,
        } = match kind {
            Kind::Mlir => warpc_mlir::read(file),
            _ => warpc_nvvm::read_text(file),
        };
        if !diagnostics.has_errors() {
            diagnostics.append(warpc_nvvm::verify(&module));
        }
        if !diagnostics.has_errors() && for_gpu(&module) {
            diagnostics.append(warpc_nvvm::verify_nvvm(&module, options));
        }
        diagnostics.sort_by_place();
        let module = (!diagnostics.has_errors()).then_some(module);
        Checked {
            module,
            diagnostics,
        }
    })
}

/// What a module is compiled for, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompileOptions {
    /// Target, version and how instructions are selected.
    pub select: warpc_nvvm_to_ptx::Options,
    /// How much is done to make the code good: 0 to 3.
    pub level: u8,
    /// What is promised and asked about member masks of collectives.
    pub member_masks: warpc_lower::passes::MemberMasks,
    /// What sequentially consistent atomics at system scope mean.
    pub atomics: Atomics,
    /// Take the target that the module names, if it names one: see [`target_of`].
    pub target_of_module: bool,
}

impl CompileOptions {
    /// The usual choices for a target.
    ///
    /// ```
    /// let options = warpc::CompileOptions::new("sm_90".parse().unwrap());
    /// assert_eq!(options.level, 3);
    /// ```
    pub fn new(sm: warpc_target::Sm) -> CompileOptions {
        CompileOptions {
            select: warpc_nvvm_to_ptx::Options::new(sm),
            level: 3,
            member_masks: warpc_lower::passes::MemberMasks::default(),
            atomics: Atomics::Written,
            target_of_module: false,
        }
    }

    /// The usual choices, for the target that the module names, or [`Sm::DEFAULT`](warpc_target::Sm::DEFAULT).
    pub fn for_module() -> CompileOptions {
        CompileOptions {
            target_of_module: true,
            ..CompileOptions::new(warpc_target::Sm::DEFAULT)
        }
    }

    /// Settles the target, now that the module is known.
    fn settle(&mut self, module: &warpc_nvvm::Module, diagnostics: &mut Diagnostics) {
        if self.target_of_module {
            let (sm, said) = target_of(module);
            self.select.sm = sm;
            diagnostics.append(said);
        }
    }

    /// What the passes over LLVM IR are told.
    fn passes(&self) -> warpc_lower::Options {
        let mut passes = warpc_lower::Options::default();
        passes.sm = self.select.sm;
        passes.version = self.select.version;
        passes.level = self.level;
        passes.member_masks = self.member_masks;
        passes.atomics = self.atomics;
        passes.mapping = self.select.mapping;
        if let Some(ftz) = self.select.ftz {
            passes.ftz = ftz;
        }
        passes
    }
}

/// Reads a module of LLVM IR or MLIR and replaces calls of NVVM builtins by what they mean on the target, so that
/// other tools of LLVM can take it. A module that calls none stays as it is, so one for another processor is only
/// written anew; [`check_ir`]'s rules hold.
///
/// ```
/// let text = "declare void @__nvvm_membar_gl()\ndefine void @f() {\n  call void @__nvvm_membar_gl()\n  ret void\n}\n";
/// let file = warpc_diag::SourceFile::new("k.ll", text).unwrap();
/// let options = warpc::CompileOptions::new("sm_90".parse().unwrap());
/// let rules = warpc_nvvm::NvvmOptions::default();
/// let made = warpc::without_builtins(warpc::Kind::Llvm, &file, rules, &options);
/// assert!(warpc_nvvm::print(&made.module.unwrap()).contains("membar.gl;"));
/// ```
pub fn without_builtins(
    kind: Kind,
    file: &SourceFile,
    rules: warpc_nvvm::NvvmOptions,
    options: &CompileOptions,
) -> Checked<warpc_nvvm::Module> {
    let Checked {
        module,
        mut diagnostics,
    } = check_ir(kind, file, rules);
    if let Some(problem) = options.select.problem() {
        diagnostics.push(problem);
    }
    let module = module.filter(|_| !diagnostics.has_errors());
    let Some(mut module) = module else {
        return Checked {
            module,
            diagnostics,
        };
    };
    let mut options = options.clone();
    guard(file, move || {
        options.settle(&module, &mut diagnostics);
        diagnostics.append(warpc_lower::replace_builtins(
            &mut module,
            &options.passes(),
        ));
        let module = (!diagnostics.has_errors()).then_some(module);
        Checked {
            module,
            diagnostics,
        }
    })
}

/// Compiles a module of LLVM IR to PTX. What is compiled is a module for a GPU, so NVVM's rules hold for it: no
/// triple means nvptx64, another processor's is refused. `after` is called after each pass over the IR, with its name and the
/// module as it is then.
///
/// ```
/// let file = warpc_diag::SourceFile::new("k.ll", "define ptx_kernel void @k() {\n  ret void\n}\n").unwrap();
/// let options = warpc::CompileOptions::new("sm_90".parse().unwrap());
/// let made = warpc::compile_llvm(&file, warpc_nvvm::NvvmOptions::default(), options, &mut |_, _| {});
/// assert_eq!(made.module.unwrap().version.to_string(), "7.8");
/// ```
pub fn compile_llvm(
    file: &SourceFile,
    rules: warpc_nvvm::NvvmOptions,
    options: CompileOptions,
    after: &mut dyn FnMut(&'static str, &warpc_nvvm::Module),
) -> Checked {
    compile_ir(Kind::Llvm, file, rules, options, after)
}

/// The same for a module of LLVM IR or MLIR.
pub fn compile_ir(
    kind: Kind,
    file: &SourceFile,
    rules: warpc_nvvm::NvvmOptions,
    mut options: CompileOptions,
    after: &mut dyn FnMut(&'static str, &warpc_nvvm::Module),
) -> Checked {
    let Checked {
        module,
        mut diagnostics,
    } = check_module(kind, file, rules, |_| true);
    if let Some(problem) = options.select.problem() {
        diagnostics.push(problem);
    }
    let module = module.filter(|_| !diagnostics.has_errors());
    let Some(mut module) = module else {
        return Checked {
            module: None,
            diagnostics,
        };
    };
    after("read", &module);
    guard(file, move || {
        options.settle(&module, &mut diagnostics);
        let passes = options.passes();
        diagnostics.append(warpc_lower::run(&mut module, &passes, after));
        let mut made = None;
        if !diagnostics.has_errors() {
            let (compiled, more) = warpc_nvvm_to_ptx::compile(&module, options.select);
            diagnostics.append(more);
            made = compiled;
            after("select", &module);
        }
        diagnostics.sort_by_place();
        Checked {
            module: made,
            diagnostics,
        }
    })
}

/// Whether the triple of a module says that it is for NVIDIA's GPUs.
fn is_for_gpu(module: &warpc_nvvm::Module) -> bool {
    let triple = module.triple.map(|triple| module.names.bytes(triple));
    triple.is_some_and(|triple| triple.starts_with(b"nvptx"))
}

fn guard<M>(file: &SourceFile, stage: impl FnOnce() -> Checked<M>) -> Checked<M> {
    guarded(file, stage).unwrap_or_else(|diagnostics| Checked {
        module: None,
        diagnostics,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The PTX of a module as text.
    fn compiled(text: &str) -> String {
        let file = SourceFile::new("k.ll", text).unwrap();
        let options = CompileOptions::new("sm_90".parse().unwrap());
        let rules = warpc_nvvm::NvvmOptions::default();
        let made = compile_llvm(&file, rules, options, &mut |_, _| {});
        warpc_ptx::print(&made.module.expect("the example compiles"))
    }

    #[test]
    fn the_same_module_gives_the_same_bytes_whatever_its_kernel_is_called() {
        let text = include_str!("../../../examples/histogram.ll");
        let first = compiled(text);
        assert_eq!(first, compiled(text));
        let renamed = text.replace("@histogram", "@a_kernel_of_another_name");
        assert_ne!(renamed, text);
        let renamed = compiled(&renamed);
        assert_eq!(
            renamed.replace("a_kernel_of_another_name", "histogram"),
            first
        );
    }
}
