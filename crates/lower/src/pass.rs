//! What a pass is, and what it is told.

use crate::passes::MemberMasks;
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};
use warpc_model::Mapping;
use warpc_nvvm::Module;
use warpc_nvvm::layout::Layout;
use warpc_target::{PtxVersion, Sm};

/// What a sequentially consistent `atomicrmw` or `cmpxchg` at system scope means.
///
/// clang writes CUDA's `atomicAdd` so, though CUDA means a relaxed one at device scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomics {
    /// What it says.
    Written,
    /// What CUDA's functions mean: relaxed, at device scope.
    Cuda,
}

/// What the user wants.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The chip.
    pub sm: Sm,
    /// The version of PTX; any if none.
    pub version: Option<PtxVersion>,
    /// How much to optimise, 0 to 3.
    pub level: u8,
    /// Whether denormal numbers of 32 bits become zero.
    pub ftz: bool,
    /// Whether division of 32-bit floating-point numbers is rounded correctly.
    pub precise_division: bool,
    /// Whether square roots of 32-bit floating-point numbers are rounded correctly.
    pub precise_square_root: bool,
    /// Whether variables in generic memory are moved to global memory.
    pub generic_to_nvvm: bool,
    /// What is promised and asked about member masks of collectives.
    pub member_masks: MemberMasks,
    /// What sequentially consistent atomics at system scope mean.
    pub atomics: Atomics,
    /// What orders become. Any other than [`Mapping::SOUND`] makes wrong code, for tests of tests.
    pub mapping: &'static Mapping,
    /// Whether atomic builtins become inline PTX, for modules that other tools of LLVM compile: those drop the orders of
    /// LLVM's atomics, or refuse them.
    pub(crate) inline_atomics: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            sm: Sm::DEFAULT,
            version: None,
            level: 3,
            ftz: false,
            precise_division: true,
            precise_square_root: true,
            generic_to_nvvm: true,
            member_masks: MemberMasks::default(),
            atomics: Atomics::Written,
            mapping: &Mapping::SOUND,
            inline_atomics: false,
        }
    }
}

/// What all passes of a run share.
#[derive(Debug)]
pub struct Context<'o> {
    /// What the user wants.
    pub options: &'o Options,
    /// How types lie in memory.
    pub layout: Layout,
    /// What was found.
    pub found: Diagnostics,
}

impl<'o> Context<'o> {
    /// The context of a run on a module.
    pub fn new(module: &Module, options: &'o Options) -> Context<'o> {
        Context {
            options,
            layout: Layout::for_gpu(module),
            found: Diagnostics::new(),
        }
    }

    /// Refuses something that a GPU cannot do.
    pub fn refuse(&mut self, pos: u32, message: impl Into<String>, help: &str) {
        let span = Span::new(pos, pos + 1);
        let error = Diagnostic::error(codes::NVVM_UNSUPPORTED, span, message);
        self.found.push(error.help(help));
    }

    /// Refuses something that the chip lacks and others have.
    pub fn target_lacks(&mut self, pos: u32, message: impl Into<String>, help: &str) {
        let span = Span::new(pos, pos + 1);
        let error = Diagnostic::error(codes::TARGET_LACKS, span, message);
        self.found.push(error.help(help));
    }

    /// Refuses something that warpc has no code for.
    pub fn not_compiled(&mut self, pos: u32, message: impl Into<String>, help: &str) {
        let span = Span::new(pos, pos + 1);
        let error = Diagnostic::error(codes::NOT_COMPILED, span, message);
        self.found.push(error.help(help));
    }
}

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name: of its file, of `--print-after`, of its tests' folder.
    pub name: &'static str,
    run: fn(&mut Module, &mut Context),
}

impl Pass {
    /// A pass from its name and what it does.
    pub const fn new(name: &'static str, run: fn(&mut Module, &mut Context)) -> Pass {
        Pass { name, run }
    }

    /// Runs the pass. With debug assertions, a module that was right must be right afterwards.
    pub fn run(&self, module: &mut Module, context: &mut Context) {
        let was_right = cfg!(debug_assertions) && !warpc_nvvm::verify(module).has_errors();
        (self.run)(module, context);
        if was_right && !context.found.has_errors() {
            let found = warpc_nvvm::verify(module);
            let first = found.as_slice().first().map(|found| &found.message);
            assert!(
                !found.has_errors(),
                "{} has broken the module: {}\n{}",
                self.name,
                first.map_or("", |message| message),
                warpc_nvvm::print(module)
            );
        }
    }
}
