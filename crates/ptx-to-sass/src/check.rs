//! Judges of finished machine code, whoever made it.
//!
//! ```text
//!   instructions of a section + entries + known targets ──► flow ──┬─► scoreboards ───┐
//!                                                                  ├─► reuse ─────────┤
//!                                                                  ├─► convergence ───┤
//!                                                                  ├─► memory_order ──┤
//!                                                                  └─► uniform ───────┴─► findings
//! ```
//!
//! They see a section as its decoded instructions and nothing of how it was made: neither the IR nor the passes of an
//! assembler. Only [`registers`] has the IR before registers were assigned, and holds the code of an [`Assembled`] kernel
//! against it; [`order`] holds the IR after instructions were moved against that before. [`scoreboards`] says whether every register is there when it is read and free when it is written, on
//! every way through the code; [`reuse`] whether the operand cache has what registers have; [`convergence`] whether lanes that part meet again as the code says; [`memory_order`] whether
//! fences and what empties caches come when they must; [`uniform`] whether lanes that part leave each other's uniform
//! registers alone. A finding has the instruction, what is wrong, and why. ptxas's code has none: `./x sass check`. `docs/checkers.md` says what each
//! judge proves and what it cannot.

mod assembled;
pub mod changed;
pub mod convergence;
pub mod flow;
pub mod memory_order;
pub mod order;
pub mod registers;
pub mod reuse;
pub mod scoreboards;
pub mod uniform;

pub use assembled::{Assembled, Finding as Judged, Part};

use flow::Flow;
use std::fmt;
use warpc_sass::Inst;
use warpc_sass::latency::{File, Hazard, Need};
use warpc_target::Sm;

/// A section of machine code.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The chip it is for.
    pub chip: Sm,
    /// Its instructions; the one with number n is at address 16 n. A place that the linker fills in is not a
    /// [`Value::Place`](warpc_sass::Value::Place).
    pub insts: &'a [Inst],
    /// The instructions where kernels and functions begin that are called from elsewhere.
    pub entries: &'a [usize],
    /// Where branches and calls through registers go, as far as it is known.
    pub indirect: &'a [Indirect],
    /// For each instruction whether it only moves a spilled value to or from the frame, at places of its own; empty if that
    /// is not known.
    pub spills: &'a [bool],
}

/// A branch or call through a register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Indirect {
    /// The instruction.
    pub at: usize,
    /// The instructions that it may go to.
    pub targets: Vec<usize>,
}

/// Something that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The instruction.
    pub at: usize,
    /// What is wrong with it.
    pub what: What,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Nothing is known about the latencies of the chip.
    UnknownChip,
    /// Nothing is known about the latency of the instruction.
    UnknownInstruction,
    /// It goes to where there is no instruction of the section, or an entry is there.
    OutsideSection,
    /// It goes somewhere that is not known.
    UnknownTarget,
    /// The section ends after it.
    FallsOffTheEnd,
    /// It reads or writes a register too early.
    TooEarly {
        /// What it collides with.
        hazard: Hazard,
        /// The instruction that it must wait for.
        from: usize,
        /// The file of the register.
        file: File,
        /// The register.
        register: u8,
        /// What must be between them.
        need: Need,
        /// The fewest cycles that are between them on some way.
        distance: u32,
    },
    /// The control word contradicts itself or the instruction.
    ShortStall,
    /// A barrier that may not be set on some way.
    Unset {
        /// The convergence barrier.
        barrier: u8,
    },
    /// A barrier is set again while lanes may wait for it.
    SetAgain {
        /// The convergence barrier.
        barrier: u8,
        /// Where it was set.
        by: usize,
    },
    /// Lanes that meet here would go on at another place than the next instruction.
    OtherPlace {
        /// The convergence barrier.
        barrier: u8,
        /// The instruction that set it.
        by: usize,
        /// The place that it named.
        place: usize,
    },
    /// Lanes wait here while others may wait for them elsewhere.
    StillSet {
        /// The convergence barrier that they are still in.
        barrier: u8,
        /// The instruction that set it.
        by: usize,
    },
    /// Lanes are to meet before the place that it names, but nothing lets them wait there.
    NoMeeting {
        /// The convergence barrier.
        barrier: u8,
        /// The place that it names.
        place: usize,
    },
    /// A function returns while a barrier that it set is still set.
    LeftSet {
        /// The convergence barrier.
        barrier: u8,
        /// The instruction that set it.
        by: usize,
    },
    /// A function returns without the barrier of its caller.
    Lost {
        /// The convergence barrier.
        barrier: u8,
    },
    /// What it orders or needs may not be done: its scoreboard was not waited for.
    NotReturned {
        /// The load or fence.
        from: usize,
    },
    /// Memory is accessed after a fence before its `ERRBAR` and `CGAERRBAR`.
    NoErrorBarrier {
        /// The fence.
        from: usize,
    },
    /// It waits for the errors of a fence that is not there.
    NoMembar,
    /// It writes a register that it may read again.
    ReadAgain {
        /// The register.
        register: u8,
    },
    /// It reads a register that was written while the operand cache kept what was there before.
    Stale {
        /// The register.
        register: u8,
        /// The instruction that kept it.
        from: usize,
    },
    /// It writes a uniform register or predicate that lanes elsewhere still need.
    Overwrites {
        /// The file.
        file: File,
        /// The register.
        register: u8,
        /// The branch at which lanes part.
        by: usize,
    },
    /// The whole warp must come here together, but may have parted.
    Diverged {
        /// The branch at which it may have parted.
        by: usize,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x}: ", self.at.saturating_mul(16))?;
        let address = |at: &usize| format!("{:#06x}", at.saturating_mul(16));
        match &self.what {
            What::UnknownChip => write!(f, "nothing is known about the latencies of this chip"),
            What::UnknownInstruction => write!(f, "nothing is known about its latency"),
            What::OutsideSection => write!(f, "it goes to where the section has no instruction"),
            What::UnknownTarget => write!(f, "it is not known where it goes"),
            What::FallsOffTheEnd => write!(f, "the section ends after it"),
            What::TooEarly {
                hazard,
                from,
                file,
                register,
                need,
                distance,
            } => {
                let does = match hazard {
                    Hazard::ReadAfterWrite => "reads",
                    _ => "writes",
                };
                let did = match hazard {
                    Hazard::WriteAfterRead => "reads",
                    _ => "writes",
                };
                let file = prefix(*file);
                let from = address(from);
                let name = format!("{file}{register}");
                write!(f, "it {does} {name}, which {from} {did}: that needs ")?;
                match need {
                    Need::Cycles(cycles) => write!(f, "{cycles} cycles, and there are {distance}"),
                    Need::Either(cycles) => write!(
                        f,
                        "{cycles} cycles or a scoreboard that is waited for, and there are {distance}"
                    ),
                    Need::Scoreboard => write!(f, "a scoreboard that is waited for"),
                }
            }
            What::ShortStall => write!(f, "its stall count is too small for what it does"),
            What::Unset { barrier } => write!(f, "B{barrier} may not be set here"),
            What::SetAgain { barrier, by } => write!(
                f,
                "it sets B{barrier}, for which lanes may wait since {}",
                address(by)
            ),
            What::OtherPlace { barrier, by, place } => write!(
                f,
                "B{barrier}, which {} sets, names the place {}, not the one after this",
                address(by),
                address(place)
            ),
            What::StillSet { barrier, by } => write!(
                f,
                "lanes wait here that are still in B{barrier}, which {} sets inside this one",
                address(by)
            ),
            What::NoMeeting { barrier, place } => write!(
                f,
                "it names the place {}, but before that lanes do not wait for B{barrier}",
                address(place)
            ),
            What::LeftSet { barrier, by } => write!(
                f,
                "the function returns while B{barrier} is set by {}",
                address(by)
            ),
            What::Lost { barrier } => {
                write!(f, "the function returns without B{barrier} of its caller")
            }
            What::NotReturned { from } => {
                let from = address(from);
                write!(f, "{from} may not be done: nobody waits for its scoreboard")
            }
            What::NoErrorBarrier { from } => write!(
                f,
                "memory is accessed, but the errors of the fence {} were not waited for",
                address(from)
            ),
            What::NoMembar => write!(f, "there is no fence before it whose errors it waits for"),
            What::ReadAgain { register } => {
                write!(f, "it writes R{register}, which it may read again")
            }
            What::Stale { register, from } => write!(
                f,
                "it reads R{register}, which was written since {} kept it",
                address(from)
            ),
            What::Overwrites { file, register, by } => write!(
                f,
                "it writes {}{register}, which lanes that part at {} need",
                prefix(*file),
                address(by)
            ),
            What::Diverged { by } => write!(
                f,
                "the whole warp must come here, but lanes may have parted at {}",
                address(by)
            ),
        }
    }
}

/// How the registers of a file are called.
fn prefix(file: File) -> &'static str {
    match file {
        File::Register => "R",
        File::Predicate => "P",
        File::Uniform => "UR",
        File::UniformPredicate => "UP",
    }
}

/// All findings of all judges, in the order of the instructions.
pub fn check(code: &Code) -> Vec<Finding> {
    check_with(code, Maker::Other)
}

/// Who made the code: our own assembler keeps more than it must.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Maker {
    /// Anybody. Warps are taken to be whole at barriers of the block: `bar.sync` promises it, and code alone does not
    /// tell. Uniform registers are not judged: ptxas knows more of where lanes part than code tells.
    Other,
    /// Our own assembler: it brings warps together before barriers of the block, keeps uniform registers of lanes that
    /// part apart, and has no result of what spins in the register of the compared value.
    Own,
}

/// The same for code of a maker.
pub fn check_with(code: &Code, maker: Maker) -> Vec<Finding> {
    let flow = Flow::of(code);
    let mut findings = flow.findings.clone();
    findings.extend(scoreboards::check(code, &flow));
    findings.extend(reuse::check(code, &flow));
    findings.extend(convergence::check(code, &flow, maker));
    findings.extend(memory_order::check(code, &flow, maker));
    if maker == Maker::Own {
        findings.extend(uniform::check(code, &flow));
    }
    findings.sort_by_key(|finding| finding.at);
    findings
}
