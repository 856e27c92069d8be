//! What is asked of the assembler.

use crate::chosen_passes::ChosenPasses;
use crate::knobs::Knobs;
use crate::lower::load_store::{Access, CacheOperator, Strength};
use warpc_model::StateSpace;
use warpc_ptx::module::{Function, FunctionKind};

/// How much is done for speed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Level {
    /// One instruction at a time.
    O0,
    /// As much as does not take long.
    O1,
    /// All.
    O2,
    /// All.
    #[default]
    O3,
}

/// What is asked of the assembler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// How much is done for speed.
    pub level: Level,
    /// One instruction at a time, whatever the level.
    pub serial: bool,
    /// Few registers, so that nearly everything is spilled.
    pub spill: bool,
    /// Say which lines code comes from (`.debug_line`).
    pub lines: bool,
    /// The text of the module, if it was read from one: which lines of it code comes from is said, too.
    pub text: Vec<u8>,
    /// Make several versions of each kernel, and take the one that the cost model finds fastest ([`crate::cost`]). Not at
    /// [`Level::O0`], not with `serial` or `spill`, and not of relocatable objects, whose callees are not known.
    pub tune: bool,
    /// Have the finished code judged ([`crate::check`]); what they find is a fault of the assembler.
    pub verify: bool,
    /// Only these kernels, and what they call; all if there is none.
    pub entries: Vec<String>,
    /// Bounds of launches that the directives of a kernel do not give.
    pub bounds: Bounds,
    /// The cache operators of loads from global memory.
    pub loads: CacheDefault,
    /// The cache operators of stores to global memory.
    pub stores: CacheDefault,
    /// How synchronisation is optimised.
    pub knobs: Knobs,
    /// Which of the passes that only make code better are run.
    pub passes: ChosenPasses,
    /// Products and sums that do not name their rounding become one instruction, with one rounding, as the manual of PTX
    /// allows and ptxas does.
    pub contract: bool,
    /// Threads wait for errors of memory before they end.
    pub errors_at_exit: bool,
    /// Functions that are not in the module meet nobody at barriers of the block.
    pub extern_functions_do_not_sync: bool,
    /// Say where threads may execute a collective with different member masks.
    pub print_member_masks: bool,
    /// A relocatable object is made, for a linker: each function for itself, and what the module only declares stays open.
    pub relocatable: bool,
    /// Threads of the host that kernels are assembled on; the cubin is the same for any number.
    pub threads: usize,
}

impl Default for Options {
    /// Everything for speed, on one thread: who calls a library may have its own.
    fn default() -> Options {
        Options {
            level: Level::default(),
            serial: false,
            spill: false,
            lines: false,
            text: Vec::new(),
            tune: false,
            verify: false,
            entries: Vec::new(),
            bounds: Bounds::default(),
            loads: CacheDefault::default(),
            stores: CacheDefault::default(),
            knobs: Knobs::default(),
            passes: ChosenPasses::default(),
            contract: false,
            errors_at_exit: false,
            extern_functions_do_not_sync: false,
            print_member_masks: false,
            relocatable: false,
            threads: 1,
        }
    }
}

/// The registers of a quarter of a multiprocessor, to which every fourth warp belongs, and the lanes of a warp.
const REGISTERS: u64 = 16_384;
const QUARTERS: u64 = 4;
const LANES: u64 = 32;
/// Registers of a thread are counted in steps of so many.
const STEP: u64 = 8;
/// The least of a thread that a launch can ask for.
const LEAST: u64 = 16;

/// Bounds of launches, as directives of a kernel give them; those of a kernel's own directives come first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The most registers of a thread (`.maxnreg`).
    pub registers: Option<u8>,
    /// The same of a function of a relocatable object.
    pub function_registers: Option<u8>,
    /// The most threads of a block (`.maxntid`).
    pub threads: Option<u64>,
    /// The least blocks on a multiprocessor at a time (`.minnctapersm`).
    pub blocks: Option<u64>,
    /// These bounds come before those of a kernel's own directives.
    pub override_directives: bool,
}

impl Bounds {
    /// How many registers a thread of a kernel may have, if something bounds them.
    pub(crate) fn registers_of(&self, kernel: &Function) -> Option<u64> {
        let (most, each) = self.limits_of(kernel);
        most.into_iter().chain(each.map(|(each, _)| each)).min()
    }

    /// With how many registers the threads of a kernel begin, if that is known: it is bound to a number, or to the threads of a
    /// block and the least blocks of a multiprocessor.
    pub(crate) fn first_registers_of(&self, kernel: &Function) -> Option<u64> {
        let (most, each) = self.limits_of(kernel);
        match each {
            Some((_, has_blocks)) if most.is_none() && !has_blocks => None,
            _ => self.registers_of(kernel),
        }
    }

    /// The bound of a kernel's registers itself, and that which follows from the sizes of its launches, with whether these have
    /// the least blocks of a multiprocessor.
    fn limits_of(&self, kernel: &Function) -> (Option<u64>, Option<(u64, bool)>) {
        let product = |name: &str| {
            let directive = kernel.directives.iter().find(|one| one.name == name)?;
            let values = directive.values.iter();
            let values = values.map(|value| value.bits);
            Some(values.fold(1, u64::saturating_mul).max(1))
        };
        let choose = |own: Option<u64>, given: Option<u64>| match self.override_directives {
            true => given.or(own),
            false => own.or(given),
        };
        let own_threads = product(".maxntid").or_else(|| product(".reqntid"));
        // Sizes of launches bound registers themselves, so a general bound is not for kernels that have them.
        let is_sized = own_threads.is_some() && !self.override_directives;
        let general = match kernel.kind {
            FunctionKind::Entry => self.registers,
            FunctionKind::Func => self.function_registers.or(self.registers),
        };
        let general = general.map(u64::from).filter(|_| !is_sized);
        let most = choose(product(".maxnreg"), general);
        let threads = choose(own_threads, self.threads);
        let each = threads.map(|threads| {
            let blocks = choose(product(".minnctapersm"), self.blocks);
            let warps = threads.div_ceil(LANES).saturating_mul(blocks.unwrap_or(1));
            let each = REGISTERS / warps.div_ceil(QUARTERS).saturating_mul(LANES).max(1);
            ((each / STEP * STEP).max(LEAST), blocks.is_some())
        });
        (most, each)
    }
}

/// The cache operators of accesses to global memory, whether their addresses say so or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheDefault {
    /// That of accesses that do not name one.
    pub default: Option<CacheOperator>,
    /// That of all accesses, whatever they name.
    pub forced: Option<CacheOperator>,
}

impl CacheDefault {
    /// Gives an access the operator that it lacks. Ordered and volatile accesses cannot have one, and what nothing writes
    /// needs none but a hint that it is used once.
    pub(crate) fn apply(self, access: &mut Access) {
        let is_global = matches!(access.space, StateSpace::Global | StateSpace::Generic);
        if !is_global || access.strength != Strength::Weak {
            return;
        }
        let chosen = self.forced.or(access.cache).or(self.default);
        if !access.constant || chosen == Some(CacheOperator::Streaming) {
            access.cache = chosen;
        }
    }
}
