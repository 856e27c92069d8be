//! What a user can choose: one type for every function of the library, and what its parts tell the stages.

use warpc_diag::{Diagnostic, Diagnostics};
use warpc_lower::Atomics;
use warpc_lower::passes::MemberMasks;
use warpc_model::Mapping;
use warpc_target::{PtxVersion, Sm};

/// What a user can choose. Every function takes all of it and looks at its own part.
///
/// ```
/// let mut options = warpc::Options::new("sm_90".parse().unwrap());
/// options.level = 1;
/// assert!(options.fmad);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The chip; the one that the module names if none is given, else [`Sm::DEFAULT`].
    pub target: Option<Sm>,
    /// The version of PTX; the lowest that has everything the module uses if none is given.
    pub ptx_version: Option<PtxVersion>,
    /// The level of optimisation, 0 to 3; more is taken as 3.
    pub level: u8,
    /// Whether to say which line of the source an instruction comes from.
    pub lineinfo: bool,
    /// Whether PTX describes variables, types and scopes for debuggers, where the module does; asks for lines, too. Cubins have
    /// lines only.
    pub debug: bool,
    /// Whether products and sums marked `contract` may become one operation.
    pub fmad: bool,
    /// Whether those without the mark may, too, as NVIDIA's compilers assume. Not at level 0, as in libNVVM.
    pub fuse_unmarked: bool,
    /// Whether quotients of single precision are rounded to the nearest; otherwise they may be off by two units.
    pub precise_division: bool,
    /// Whether square roots of single precision are rounded to the nearest; otherwise they are approximated.
    pub precise_square_root: bool,
    /// Whether `.maxntid` and `.reqntid` have all three dimensions, also those that are 1, as libNVVM writes them.
    pub all_dimensions: bool,
    /// Whether single-precision denormals are flushed to zero, whatever the module specifies.
    pub ftz: Option<bool>,
    /// What sequentially consistent atomics at system scope mean.
    pub atomics: Atomics,
    /// What is promised and asked about member masks of collectives.
    pub member_masks: MemberMasks,
    /// What rules of NVVM IR are checked.
    pub rules: warpc_nvvm::NvvmOptions,
    /// What orders become. Any other than [`Mapping::SOUND`] makes wrong code, for tests of tests.
    pub mapping: &'static Mapping,
    /// Whether variables in generic memory are moved to global memory in the IR; off, code generation alone does so.
    pub generic_to_nvvm: bool,
    /// Whether internal variables in shared memory that one function alone uses are declared inside of it, so that each
    /// kernel has only the shared memory that it uses.
    pub demote_shared: bool,
    /// In how many parts functions are compiled at the same time, on threads of their own; 0 for as many as there are
    /// processors. What is made is the same for every number.
    pub parts: usize,
    /// Who assembles the PTX that is compiled. [`assemble`](crate::assemble) of LLVM IR and MLIR sets it itself.
    pub ptx_for: warpc_nvvm_to_ptx::Assembler,
    /// How bitcode is written.
    pub bitcode: warpc_nvvm::BitcodeOptions,
    /// CUDA's library of mathematical functions (`libdevice.10.bc`), linked where a module calls some of them.
    pub libdevice: Option<crate::Source>,
    /// How modules are linked.
    pub link: LinkOptions,
    /// What of a whole program is seen from outside.
    pub lto: LtoOptions,
    /// How PTX is formatted.
    pub format: FormatOptions,
    /// How machine code is made.
    pub assembler: AssemblerOptions,
    /// How machine code is listed.
    pub listing: ListingOptions,
    /// How kernels are run.
    pub run: RunOptions,
}

/// How modules are linked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct LinkOptions {
    /// Take from the second and further modules only what is needed.
    pub only_needed: bool,
    /// Make internal what the second and further modules bring.
    pub internalize_added: bool,
    /// Make internal all definitions but these, and drop what nothing needs any more; all stay if it is empty.
    pub keep: Vec<String>,
}

/// What of a whole program is seen from outside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct LtoOptions {
    /// The kernels that are launched; all if there is none.
    pub kernels: Vec<String>,
    /// The variables that a host program looks up by name; all that it can see if there is none.
    pub variables: Vec<String>,
}

/// How PTX is formatted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FormatOptions {
    /// Lower `.version` to the oldest that has all the module uses.
    pub lowest_version: bool,
}

/// How machine code is made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct AssemblerOptions {
    /// One instruction at a time.
    pub serial: bool,
    /// Few registers, so that nearly everything is in local memory.
    pub spill: bool,
    /// Make several versions of each kernel, and take the one that the cost model finds fastest. It takes tens of times as long.
    pub tune: bool,
    /// Have the finished code judged by checkers that know nothing of how it was made.
    pub verify: bool,
    /// Only these kernels of PTX, and what they call; all if there is none.
    pub entries: Vec<String>,
    /// Bounds of launches that the directives of a kernel do not give.
    #[cfg(feature = "sass")]
    pub bounds: warpc_ptx_to_sass::Bounds,
    /// The cache operators of loads from global memory.
    #[cfg(feature = "sass")]
    pub loads: warpc_ptx_to_sass::CacheDefault,
    /// The cache operators of stores to global memory.
    #[cfg(feature = "sass")]
    pub stores: warpc_ptx_to_sass::CacheDefault,
    /// How synchronisation is optimised.
    #[cfg(feature = "sass")]
    pub knobs: warpc_ptx_to_sass::Knobs,
    /// Which of the passes over machine code that only make it better are run.
    #[cfg(feature = "sass")]
    pub passes: warpc_ptx_to_sass::ChosenPasses,
    /// Products and sums of PTX that do not name their rounding become one instruction with one rounding, as ptxas makes of
    /// them. Off by default: what may be contracted is decided where PTX is made.
    pub contract: bool,
    /// Threads wait for errors of memory before they end.
    pub errors_at_exit: bool,
    /// Functions that are not in the module meet nobody at barriers of the block.
    pub extern_functions_do_not_sync: bool,
    /// More threads of the host that kernels are assembled on, beside the one that asks; the cubin is the same for any
    /// number.
    pub more_threads: usize,
    /// A relocatable object is made, for a linker.
    pub relocatable: bool,
}

/// How machine code is listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ListingOptions {
    /// Write a text that `warpc::assemble` makes the same cubin of, instead of a listing.
    pub reassemblable: bool,
    /// Show the words beside the instructions.
    pub words: bool,
    /// List only the section of this function.
    pub function: Option<String>,
}

/// How kernels are run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RunOptions {
    /// Where.
    pub place: Place,
    /// Which interleaving of threads; every number gives another one (emulator).
    pub seed: u64,
    /// Host threads; 0 for as many as make sense (emulator).
    pub jobs: usize,
    /// Thread instructions after which a run is stopped with an error (emulator).
    pub limit: Option<u64>,
    /// Which races are looked for (emulator).
    pub races: Races,
    /// What loads may return (emulator of PTX).
    pub memory: MemoryModel,
    /// Leave out the check for uses of uninitialised memory (emulator).
    pub skip_init: bool,
    /// Whether observers are told what happened place by place (emulator of PTX).
    pub record: bool,
}

/// What loads may return on the emulator of PTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum MemoryModel {
    /// The last value that was stored.
    #[default]
    Strong,
    /// Any value that the memory model of PTX allows; the seed chooses. No races are looked for; one host thread runs all
    /// blocks.
    Weak,
}

/// Which races the emulator looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Races {
    /// All in launches of up to 16,384 threads, and those in shared memory in larger ones.
    #[default]
    Auto,
    /// None.
    Off,
    /// Those in shared memory.
    Shared,
    /// Those in shared and global memory; one host thread runs all blocks.
    All,
}

/// Where kernels run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Place {
    /// On the emulator (feature `sim`).
    #[default]
    Emulator,
    /// On the first GPU of the machine (feature `driver`).
    Gpu,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            target: None,
            ptx_version: None,
            level: 3,
            lineinfo: false,
            debug: false,
            fmad: true,
            fuse_unmarked: false,
            precise_division: true,
            precise_square_root: true,
            all_dimensions: false,
            ftz: None,
            atomics: Atomics::Written,
            member_masks: MemberMasks::default(),
            rules: warpc_nvvm::NvvmOptions::default(),
            mapping: &Mapping::SOUND,
            generic_to_nvvm: true,
            demote_shared: false,
            parts: 1,
            ptx_for: warpc_nvvm_to_ptx::Assembler::default(),
            bitcode: warpc_nvvm::BitcodeOptions::default(),
            libdevice: None,
            link: LinkOptions::default(),
            lto: LtoOptions::default(),
            format: FormatOptions::default(),
            assembler: AssemblerOptions::default(),
            listing: ListingOptions::default(),
            run: RunOptions::default(),
        }
    }
}

impl Options {
    /// The usual choices for a chip.
    pub fn new(target: Sm) -> Options {
        Options {
            target: Some(target),
            ..Options::default()
        }
    }

    /// What is wrong with the version of PTX that was asked for.
    pub(crate) fn problem(&self) -> Option<Diagnostic> {
        self.selection(self.target.unwrap_or(Sm::DEFAULT)).problem()
    }

    /// The chip for a module, and what there is to say about it.
    pub(crate) fn target_for(&self, module: &warpc_nvvm::Module) -> (Sm, Diagnostics) {
        match self.target {
            Some(target) => (target, Diagnostics::new()),
            None => crate::target_cpu::target_of(module),
        }
    }

    /// What selection is told.
    pub(crate) fn selection(&self, target: Sm) -> warpc_nvvm_to_ptx::Options {
        let mut selection = warpc_nvvm_to_ptx::Options::new(target);
        selection.version = self.ptx_version;
        selection.lineinfo = self.lineinfo || self.debug;
        // Our own assembler writes lines only.
        selection.debug = self.debug && self.ptx_for == warpc_nvvm_to_ptx::Assembler::Ptxas;
        selection.fmad = self.fmad;
        selection.fuse_unmarked = self.fuse_unmarked && self.level > 0;
        selection.precise_division = self.precise_division;
        selection.precise_square_root = self.precise_square_root;
        selection.all_dimensions = self.all_dimensions;
        selection.ftz = self.ftz;
        selection.mapping = self.mapping;
        selection.demote_shared = self.demote_shared;
        selection.parts = match self.parts {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            parts => parts,
        };
        selection.assembler = self.ptx_for;
        selection
    }

    /// What the passes over LLVM IR are told.
    pub(crate) fn passes(&self, target: Sm) -> warpc_lower::Options {
        let mut passes = warpc_lower::Options::default();
        passes.sm = target;
        passes.version = self.ptx_version;
        passes.level = self.level;
        passes.member_masks = self.member_masks;
        passes.atomics = self.atomics;
        passes.precise_division = self.precise_division;
        passes.precise_square_root = self.precise_square_root;
        passes.generic_to_nvvm = self.generic_to_nvvm;
        passes.mapping = self.mapping;
        if let Some(ftz) = self.ftz {
            passes.ftz = ftz;
        }
        passes
    }
}
