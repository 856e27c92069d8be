//! The flags that say how LLVM IR becomes PTX, for every command that compiles.

use warpc::{Kind, Options, Source};
use warpc_target::Sm;

/// A switch.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Switch {
    /// Do it.
    On,
    /// Do not.
    Off,
}

/// How atomics are read.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Atomics {
    /// As they are written.
    Written,
    /// As CUDA means them.
    Cuda,
}

/// How LLVM IR becomes PTX.
#[derive(clap::Args)]
pub struct CodeOptions {
    /// The target, `sm_90` or `compute_90`. Without it the `"target-cpu"` of the module's functions, else sm_75. May be
    /// written `--gpu-name`, `--mcpu`, `-arch` and `-mcpu`, too.
    #[arg(long, visible_aliases = ["gpu-name", "mcpu"], value_name = "SM", value_parser = target)]
    pub arch: Option<Sm>,
    /// CUDA's library of mathematical functions, `libdevice.10.bc`: what the module calls of it is linked.
    #[arg(long, value_name = "FILE", value_parser = library)]
    libdevice: Option<Source>,
    /// Optimization level. 4 is 3 with a search: several versions of each kernel are made, and the one is taken that the cost model
    /// of machine code finds fastest (`--tune`).
    #[arg(short = 'O', value_name = "LEVEL", default_value = "3", value_parser = clap::value_parser!(u8).range(0..=4))]
    level: u8,
    /// What sequentially consistent atomics at system scope mean: what they say, or the relaxed atomics of CUDA
    /// that clang writes so.
    #[arg(long, value_enum, default_value = "written")]
    atomics: Atomics,
    /// Whether products and sums that the module marks `contract` may become one operation.
    #[arg(long, value_enum, default_value = "on")]
    fmad: Switch,
    /// Whether single-precision denormals are flushed to zero, whatever the module specifies.
    #[arg(long, value_enum)]
    ftz: Option<Switch>,
    /// Whether single-precision quotients are rounded to the nearest; else they may be off by two units in the last place.
    #[arg(long, value_enum, default_value = "on")]
    prec_div: Switch,
    /// Whether single-precision square roots are rounded to the nearest; else they may be off by three units.
    #[arg(long, value_enum, default_value = "on")]
    prec_sqrt: Switch,
    /// Whether internal variables in shared memory that one function alone uses are declared inside of it.
    #[arg(long, value_enum, default_value = "off")]
    demote_shared: Switch,
    /// Whether variables in generic memory are moved to global memory in the IR; off, code generation alone does so.
    #[arg(long, value_enum, default_value = "on")]
    generic_to_nvvm: Switch,
    /// Promise that collectives of a warp never have different member masks with lanes in common.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_value = "false", default_missing_value = "true", action = clap::ArgAction::Set)]
    no_membermask_overlap: bool,
}

/// Reads the library of mathematical functions.
fn library(name: &str) -> Result<Source, String> {
    let source = Source::read(name).and_then(|source| source.only(&[Kind::Llvm]));
    source.map_err(|error| error.to_string())
}

impl CodeOptions {
    /// What the library is told.
    pub fn options(&self) -> Options {
        let mut options = plain_options();
        options.target = self.arch;
        options.libdevice = self.libdevice.clone();
        options.level = self.level.min(3);
        options.assembler.tune = self.level > 3;
        options.member_masks.no_overlap = self.no_membermask_overlap;
        options.atomics = match self.atomics {
            Atomics::Written => warpc::Atomics::Written,
            Atomics::Cuda => warpc::Atomics::Cuda,
        };
        options.fmad = self.fmad == Switch::On;
        options.ftz = self.ftz.map(|ftz| ftz == Switch::On);
        options.precise_division = self.prec_div == Switch::On;
        options.precise_square_root = self.prec_sqrt == Switch::On;
        options.demote_shared = self.demote_shared == Switch::On;
        options.generic_to_nvvm = self.generic_to_nvvm == Switch::On;
        options
    }
}

/// The usual choices. The rules for modules of GPUs are as for libNVVM: `NVVM_IR_VER_CHK=0` skips the version, and
/// `LLVM_OVERRIDE_PRODUCER` is the version that bitcode names as its producer's.
pub fn plain_options() -> Options {
    let check = std::env::var("NVVM_IR_VER_CHK").ok();
    let mut options = Options::default();
    options.rules = warpc_nvvm::NvvmOptions::from_version_check(check.as_deref());
    options.bitcode.producer = std::env::var("LLVM_OVERRIDE_PRODUCER").ok();
    options
}

/// `current` or `7`.
pub fn dialect(text: &str) -> Result<warpc::BitcodeDialect, String> {
    text.parse()
}

/// `sm_90`, or `compute_90` as nvcc and libNVVM call it.
pub fn target(text: &str) -> Result<Sm, String> {
    let name = match text.strip_prefix("compute_") {
        Some(number) => format!("sm_{number}"),
        None => text.to_owned(),
    };
    name.parse::<Sm>().map_err(|error| error.to_string())
}
