//! PTX to SASS: what an instruction of PTX becomes in machine code, chip by chip.
//!
//! ```text
//!   atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], %r2;     resolved by warpc-ptx: form, modifiers, operands
//!        │ Description::of
//!        ▼
//!   Description::Atomic { word: 0x6000009a, order: 0x4 }                                 + Context + chip
//!        │ Description::sequence
//!        ▼
//!   MEMBAR.ALL.GPU; ERRBAR; CGAERRBAR; ATOMG.E.ADD.STRONG.GPU PT, %d, desc[$global][%a.64], %b; CCTL.IVALL   (sm_90)
//! ```
//!
//! An instruction is described with the words of `warpc-model`, and a family's file in `lower` holds the rules that
//! turn a description into machine instructions. The rules say what ptxas 13.4 emits. `tests/all/opcodes.rs` holds them
//! against what it was seen to emit for four thousand forms on thirteen chips.
//!
//! | module | PTX |
//! |---|---|
//! | [`lower::load_store`] | `ld`, `st`, their vectors, orders, cache operators and hints |
//! | [`lower::atomic`] | `atom`, `red`, their vectors, and the loops around compare-and-swap |
//! | [`lower::fence`] | `fence`, `membar`, fences between proxies |
//! | [`lower::barrier`] | `bar`, `barrier`, `barrier.cluster` |
//! | [`lower::warp`] | `vote`, `shfl`, `match`, `redux`, `activemask`, `elect`, `bar.warp` |
//! | [`lower::mbarrier`] | `mbarrier`, `cp.async.mbarrier` |
//! | [`lower::async_copy`] | `cp.async`, `cp.async.bulk`, `st.async`, `red.async`, `tensormap` |
//! | [`lower::wgmma`], [`lower::tcgen05`] | the fences, groups and waits of the matrix units |
//! | [`lower::multimem`] | `multimem` |
//! | [`lower::special`] | special registers |
//! | [`lower::control`] | `nanosleep`, `griddepcontrol`, `setmaxnreg`, `pmevent`, `brkpt`, `trap`, `exit` |
//!
//! From sm_80 on a sequence also has its operands wired ([`wired`]): a step is a shape of `warpc-sass` and, for each slot, a
//! fixed value, an operand of the PTX instruction by name, a temporary, or a label. `tests/all/wiring.rs` holds the steps
//! against code that ptxas made.
//!
//! A sequence is in program order. A scheduler moves instructions that do not depend on each other, and the moves of
//! operands (into uniform registers, out of constant banks) depend on where the operands are; so a sequence is what an
//! assembler must choose, not a listing.

mod abi;
pub mod analysis;
mod assemble;
mod build;
pub mod check;
mod chip;
mod chosen_passes;
mod code;
mod compute;
pub mod cost;
pub mod driver_table;
mod emit;
mod halves;
mod immediate;
pub mod ir;
mod knobs;
mod launch_bounds;
mod learned;
mod line_table;
mod location;
pub mod lower;
mod observe;
mod opcode;
mod options;
pub mod passes;
mod pattern;
mod source;
pub mod tune;
mod usage;
mod used;
mod version;
pub mod wired;

pub use abi::is_of_system;
pub use assemble::{assemble, assemble_and_count, assemble_and_keep, assemble_observed};
pub use chosen_passes::{ChosenPasses, UnknownPass};
pub use knobs::{BadKnob, Knobs, PHASES, Phase, SyncMode};
pub use lower::Description;
pub use observe::{After, Left};
pub use opcode::{Opcode, Sequence, Unwired};
pub use options::{Bounds, CacheDefault, Level, Options};
pub use source::{Argument, Source};
pub use tune::Repeats;
pub use usage::{FunctionUsage, Usage};
pub use version::Version;
pub use wired::Wired;

use std::fmt;
use warpc_model::ocg::{self, Fault};
use warpc_target::{Chips, Sm};

/// The chips whose sequences were recorded.
const FIRST_DESCRIBED: Chips = Chips::AtLeast(75);

/// Where an instruction stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Context {
    /// All threads of the warp come along together, and code follows.
    Straight,
    /// Only some threads of the warp come along.
    Divergent,
    /// As [`Context::Straight`], and the kernel ends after it: what would leave a loop ends the thread.
    Last,
}

/// Why there is no sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The instruction does not belong to the families that are described.
    Form(String),
    /// The chip does not have the instruction.
    Chip(Sm),
    /// The machine code of the chip is not described.
    Undescribed(Sm),
    /// What an atomic says does not go together, or not with its operands: what the checks found, an error last.
    Atomic(Vec<Fault>),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Form(text) => write!(f, "the machine code of `{text}` is not described"),
            Unknown::Chip(sm) => write!(f, "{sm} does not have the instruction"),
            Unknown::Undescribed(sm) => write!(
                f,
                "the machine code of {sm} is not described; that of sm_75 and later chips is"
            ),
            Unknown::Atomic(faults) => {
                let last = faults.last().map(Fault::to_string);
                write!(f, "{} ({})", last.unwrap_or_default(), ocg::CODE)
            }
        }
    }
}

impl std::error::Error for Unknown {}
