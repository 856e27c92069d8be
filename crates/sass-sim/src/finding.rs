//! What goes wrong while machine code runs: who, at which instruction, and what it means.

use warpc_diag::codes::{self, Code};
use warpc_diag::{Diagnostic, Span};
use warpc_sass::latency::{File, Hazard, Need};

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// Both in one step.
    Atomic,
}

/// The memory of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Global memory, or what a generic address names.
    Global,
    /// Shared memory.
    Shared,
    /// Local memory.
    Local,
}

/// What went wrong.
#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// Nothing lies at the address.
    OutOfBounds {
        /// What was done.
        access: Access,
        /// Which memory.
        space: Space,
        /// Where.
        address: u64,
        /// How many bytes.
        bytes: u32,
        /// What lies near.
        near: Option<String>,
    },
    /// The address is not a multiple of the size.
    Misaligned {
        /// What was done.
        access: Access,
        /// Which memory.
        space: Space,
        /// Where.
        address: u64,
        /// How many bytes.
        bytes: u32,
    },
    /// A constant outside of its bank.
    OutsideBank {
        /// The bank.
        bank: u8,
        /// The offset in it.
        offset: i64,
        /// How many bytes the bank has.
        size: u64,
    },
    /// A jump to where no instruction is.
    BadJump {
        /// Where to, as an offset in the code.
        target: i64,
    },
    /// The code has an instruction that is not executed here.
    Unsupported {
        /// Its text.
        text: String,
    },
    /// `BPT.TRAP`, or an assertion.
    Trap(String),
    /// Nobody can go on.
    Deadlock(Vec<String>),
    /// More thread instructions than the run may take.
    Limit(u64),
    /// An instruction came too early: by its stall counts and scoreboards, another one was not done.
    Early(Early),
    /// Anything else.
    Other(String),
}

/// An instruction that did not wait for another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Early {
    /// Why it has to wait.
    pub hazard: Hazard,
    /// Registers or predicates.
    pub file: File,
    /// Which one.
    pub number: u8,
    /// The place of the instruction that it has to wait for.
    pub first: u32,
    /// What is needed between them.
    pub need: Need,
    /// The cycles that were between them.
    pub distance: u32,
}

/// A problem with the one who had it.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// What went wrong.
    pub problem: Problem,
    /// The offset of the instruction in the section of its kernel.
    pub place: u32,
    /// The text of the instruction.
    pub text: String,
    /// The kernel.
    pub kernel: String,
    /// The position of the block in the grid.
    pub block: [u32; 3],
    /// The position of the first thread in the block.
    pub thread: [u32; 3],
}

impl Problem {
    fn code(&self) -> Code {
        match self {
            Problem::OutOfBounds { .. } | Problem::OutsideBank { .. } => codes::OUT_OF_BOUNDS,
            Problem::Misaligned { .. } => codes::MISALIGNED,
            Problem::BadJump { .. } => codes::BAD_JUMP,
            Problem::Unsupported { .. } => codes::NOT_EMULATED,
            Problem::Trap(_) => codes::TRAPPED,
            Problem::Deadlock(_) => codes::DEADLOCK,
            Problem::Limit(_) => codes::LIMIT,
            Problem::Early(_) | Problem::Other(_) => codes::FAULT,
        }
    }

    /// A sentence about it.
    pub fn message(&self) -> String {
        match self {
            Problem::OutOfBounds {
                access,
                space,
                address,
                bytes,
                ..
            } => format!(
                "out of bounds {} of {bytes} bytes at {} address {address:#x}",
                access.text(),
                space.text()
            ),
            Problem::Misaligned {
                access,
                space,
                address,
                bytes,
            } => format!(
                "misaligned {} of {bytes} bytes at {} address {address:#x}",
                access.text(),
                space.text()
            ),
            Problem::OutsideBank { bank, offset, size } => {
                format!("constant bank {bank:#x} has {size:#x} bytes, and {offset:#x} is read")
            }
            Problem::BadJump { target } => format!("jump to {target:#x}, where no instruction is"),
            Problem::Unsupported { text } => format!("`{text}` is not executed here"),
            Problem::Trap(text) => text.clone(),
            Problem::Deadlock(_) => "deadlock: no thread can go on".to_owned(),
            Problem::Limit(limit) => {
                format!("the run takes more than {limit} thread instructions")
            }
            Problem::Early(early) => early.message(),
            Problem::Other(text) => text.clone(),
        }
    }
}

impl Access {
    fn text(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Atomic => "atomic access",
        }
    }
}

impl Space {
    fn text(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
        }
    }
}

impl Early {
    fn message(&self) -> String {
        let letter = match self.file {
            File::Register => "R",
            File::Predicate => "P",
            File::Uniform => "UR",
            File::UniformPredicate => "UP",
        };
        let (number, first) = (self.number, self.first);
        let what = match self.hazard {
            Hazard::ReadAfterWrite => {
                format!("{letter}{number} is read before the result of {first:#x} is there")
            }
            Hazard::WriteAfterWrite => {
                format!("{letter}{number} is written before the result of {first:#x} is there")
            }
            Hazard::WriteAfterRead => {
                format!("{letter}{number} is written before {first:#x} has read it")
            }
        };
        let need = match self.need {
            Need::Cycles(cycles) => {
                format!("{cycles} cycles are needed, there are {}", self.distance)
            }
            Need::Scoreboard => "no scoreboard was waited for".to_owned(),
            Need::Either(cycles) => {
                format!(
                    "a scoreboard or {cycles} cycles are needed, there are {}",
                    self.distance
                )
            }
        };
        format!("{what}: {need}")
    }
}

impl Finding {
    /// The diagnostic for it.
    pub fn diagnostic(&self) -> Diagnostic {
        let [x, y, z] = self.block;
        let [i, j, k] = self.thread;
        let place = format!(
            "kernel `{}` at {:#06x}, `{}`, block ({x}, {y}, {z}), thread ({i}, {j}, {k})",
            self.kernel, self.place, self.text
        );
        let message = format!("{}: {place}", self.problem.message());
        let diagnostic = Diagnostic::error(self.problem.code(), Span::NOWHERE, message)
            .thread(self.block, self.thread);
        match &self.problem {
            Problem::OutOfBounds {
                near: Some(near), ..
            } => diagnostic.help(format!("the address lies {near}")),
            Problem::Deadlock(waiting) => diagnostic.help(waiting.join("; ")),
            _ => diagnostic,
        }
    }
}
