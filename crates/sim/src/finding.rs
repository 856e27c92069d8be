//! What goes wrong while a kernel runs: who, where, and what it means.

use crate::address::Space;
use crate::program::Program;
use crate::source;
use warpc_diag::codes::{self, Code};
use warpc_diag::{Diagnostic, Span};
use warpc_ptx::Module;

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Access {
    Read,
    Write,
    Atomic,
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

/// What went wrong.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Problem {
    /// Nothing lies at the address; what is near.
    OutOfBounds {
        access: Access,
        space: Space,
        address: u64,
        bytes: u64,
        near: Option<String>,
    },
    Misaligned {
        access: Access,
        space: Space,
        address: u64,
        bytes: u64,
    },
    ReadOnly {
        address: u64,
    },
    /// A block that the cluster does not have.
    NoSuchRank {
        rank: u32,
        blocks: u32,
    },
    Trap,
    Breakpoint,
    /// `assert` on the device: the text, and where it stands in the source.
    Assertion(String),
    /// `free` of something that `malloc` did not give.
    BadFree(u64),
    /// A call through a pointer to no function.
    BadCall(u64),
    BadCallSignature(String),
    /// `brx.idx` past its list.
    BadIndex {
        index: u64,
        targets: usize,
    },
    StackOverflow,
    /// The executing lane is not in its own mask.
    OutsideMask {
        what: &'static str,
        mask: u32,
    },
    /// Lanes of a warp are not together where they must be.
    Divergent {
        what: &'static str,
        others: Waiting,
    },
    /// Some lanes of the warp have ended.
    Exited {
        what: &'static str,
        lanes: u32,
    },
    BarrierNumber(u64),
    BarrierThreads {
        threads: u64,
        why: &'static str,
    },
    /// Nobody can go on.
    Deadlock(Vec<Waiting>),
    /// All that can run runs in circles.
    Livelock(Vec<Waiting>),
    /// More thread instructions than the run may take.
    Limit(u64, Vec<Waiting>),
    Mbarrier {
        address: u64,
        what: String,
    },
    /// Told by whoever found it, with a code of its own.
    Told(Box<Told>),
    /// Anything else that has a sentence of its own.
    Other {
        message: String,
        help: &'static str,
    },
}

/// A finding that brings its own sentences.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Told {
    pub(crate) code: Code,
    /// Whether the launch goes on.
    pub(crate) warning: bool,
    /// What is wrong.
    pub(crate) message: String,
    /// The cure.
    pub(crate) help: String,
    /// Other places that have to do with it.
    pub(crate) related: Vec<Waiting>,
}

/// A group of threads that wait at one place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Waiting {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// A problem with the one who had it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Finding {
    pub(crate) problem: Problem,
    /// The block's position in the grid.
    pub(crate) block: [u32; 3],
    /// The thread's position in the block.
    pub(crate) thread: [u32; 3],
    /// The function and the step.
    pub(crate) code: usize,
    pub(crate) pc: usize,
    /// Order among findings: the block's number in the grid.
    pub(crate) rank: u64,
}

impl Problem {
    fn code(&self) -> Code {
        match self {
            Problem::OutOfBounds { .. } | Problem::ReadOnly { .. } | Problem::NoSuchRank { .. } => {
                codes::OUT_OF_BOUNDS
            }
            Problem::Misaligned { .. } => codes::MISALIGNED,
            Problem::Trap | Problem::Breakpoint => codes::TRAPPED,
            Problem::Assertion(_) => codes::ASSERTION,
            Problem::BadFree(_) => codes::BAD_FREE,
            Problem::BadCall(_) | Problem::BadCallSignature(_) | Problem::BadIndex { .. } => {
                codes::BAD_JUMP
            }
            Problem::StackOverflow => codes::STACK_OVERFLOW,
            Problem::OutsideMask { .. } => codes::OUTSIDE_MASK,
            Problem::Divergent { .. } | Problem::Exited { .. } => codes::DIVERGENT,
            Problem::BarrierNumber(_) | Problem::BarrierThreads { .. } => codes::BAD_BARRIER,
            Problem::Deadlock(_) => codes::DEADLOCK,
            Problem::Livelock(_) => codes::LIVELOCK,
            Problem::Limit(..) => codes::LIMIT,
            Problem::Mbarrier { .. } => codes::BAD_MBARRIER,
            Problem::Told(told) => told.code,
            Problem::Other { .. } => codes::FAULT,
        }
    }

    fn message(&self) -> String {
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
                space.name()
            ),
            Problem::Misaligned {
                access,
                space,
                address,
                bytes,
            } => format!(
                "misaligned {} of {bytes} bytes at {} address {address:#x}",
                access.text(),
                space.name()
            ),
            Problem::ReadOnly { address } => {
                format!("write to constant memory at address {address:#x}")
            }
            Problem::NoSuchRank { rank, blocks } => {
                format!("there is no block {rank} in a cluster of {blocks}")
            }
            Problem::Trap => "the kernel executed `trap`".to_owned(),
            Problem::Breakpoint => "the kernel executed `brkpt`".to_owned(),
            Problem::Assertion(text) => format!("assertion failed: {text}"),
            Problem::BadFree(address) => {
                format!("`free` of {address:#x}, which `malloc` did not give")
            }
            Problem::BadCall(address) => {
                format!("call of {address:#x}, where no function begins")
            }
            Problem::BadCallSignature(text) => text.clone(),
            Problem::BadIndex { index, targets } => {
                format!("`brx.idx` with index {index} in a list of {targets} targets")
            }
            Problem::StackOverflow => "the thread's stack is full".to_owned(),
            Problem::OutsideMask { what, mask } => {
                format!(
                    "the thread executes `{what}` with member mask {mask:#010x}, which leaves it out"
                )
            }
            Problem::Divergent { what, .. } => {
                format!("not all threads of the warp execute this `{what}` together")
            }
            Problem::Exited { what, lanes } => match lanes.count_ones() {
                1 => format!("1 thread of the warp has exited before this `{what}`"),
                count => format!("{count} threads of the warp have exited before this `{what}`"),
            },
            Problem::BarrierNumber(number) => format!("there is no barrier {number}"),
            Problem::BarrierThreads { threads, why } => {
                format!("a barrier of {threads} threads: {why}")
            }
            Problem::Deadlock(_) => "deadlock: no thread can go on".to_owned(),
            Problem::Livelock(_) => {
                "no progress: every thread that could go on runs in circles".to_owned()
            }
            Problem::Limit(limit, _) => {
                format!("the run takes more than {limit} thread instructions")
            }
            Problem::Mbarrier { address, what } => {
                format!("mbarrier at shared address {address:#x}: {what}")
            }
            Problem::Told(told) => told.message.clone(),
            Problem::Other { message, .. } => message.clone(),
        }
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Problem::OutOfBounds { near, .. } => match near {
                Some(near) => format!("the address lies {near}"),
                None => "no buffer or variable lies near this address".to_owned(),
            },
            Problem::Misaligned { bytes, .. } => {
                format!("the address must be a multiple of {bytes}")
            }
            Problem::Divergent { .. } => "an aligned instruction needs the whole warp: use the \
                                          form without `.aligned`, or take it out of the branch"
                .to_owned(),
            Problem::Exited { .. } => "let all threads reach it, or use `barrier.sync` without \
                                       `.aligned` and a number of threads"
                .to_owned(),
            Problem::OutsideMask { .. } => {
                "the mask must have the bit of every lane that executes it".to_owned()
            }
            Problem::BarrierNumber(_) => "a block has barriers 0 to 15".to_owned(),
            Problem::Limit(..) => "give a greater `--limit`, or none".to_owned(),
            Problem::StackOverflow => {
                "is there a recursion that does not end? A thread has 512 KB".to_owned()
            }
            Problem::Told(told) => told.help.clone(),
            Problem::Other { help, .. } if !help.is_empty() => (*help).to_owned(),
            Problem::Other { .. } => return None,
            Problem::ReadOnly { .. } => {
                "constants and parameters are written by the host only: use a `.global` variable or a buffer"
                    .to_owned()
            }
            Problem::NoSuchRank { .. } => {
                "ranks count from 0: compare with `%cluster_nctarank`".to_owned()
            }
            Problem::Trap | Problem::Breakpoint => {
                "follow the source line: compilers put it where control must not come".to_owned()
            }
            Problem::Assertion(_) => "the source line shows the condition that is false".to_owned(),
            Problem::BadFree(_) => "`free` takes what `malloc` on the device gave".to_owned(),
            Problem::BadCall(_) => {
                "set the pointer to a function of this module before the call".to_owned()
            }
            Problem::BadCallSignature(_) => {
                "the prototype of the call must be that of the function".to_owned()
            }
            Problem::BadIndex { .. } => "compare the index with the number of targets first".to_owned(),
            Problem::BarrierThreads { .. } => {
                "all threads that use a barrier at a time must give the same multiple of 32, not more than \
                 the block has"
                    .to_owned()
            }
            Problem::Deadlock(_) => {
                "every thread that a wait counts must come to it: compare the places where the threads wait"
                    .to_owned()
            }
            Problem::Livelock(_) => {
                "the value that the loop waits for must be written by a thread that does not wait itself"
                    .to_owned()
            }
            Problem::Mbarrier { .. } => {
                "initialise an mbarrier once, with as many arrivals as come in a phase, before any thread \
                 uses it"
                    .to_owned()
            }
        })
    }
}

impl Finding {
    /// Whether the kernel itself gave up.
    pub(crate) fn is_trap(&self) -> bool {
        matches!(self.problem, Problem::Trap)
    }

    /// The diagnostic for it.
    pub(crate) fn diagnostic(&self, program: &Program, module: &Module) -> Diagnostic {
        let code = &program.codes[self.code];
        let origin = code.origins[self.pc];
        let kernel = &program.codes[0].name;
        let mut place = format!(
            "kernel `{kernel}`, block ({}, {}, {}), thread ({}, {}, {})",
            self.block[0],
            self.block[1],
            self.block[2],
            self.thread[0],
            self.thread[1],
            self.thread[2]
        );
        if code.name != *kernel {
            place.push_str(&format!(", in `{}`", code.name));
        }
        let chain = match origin.loc {
            Some(loc) => source::chain(module, code, loc as usize),
            None => Vec::new(),
        };
        if !chain.is_empty() {
            place.push_str(", from ");
            place.push_str(&source::text(&chain));
        }
        let new = match &self.problem {
            Problem::Told(told) if told.warning => Diagnostic::warning,
            _ => Diagnostic::error,
        };
        let mut diagnostic = new(self.problem.code(), origin.span, self.problem.message())
            .label(place)
            .thread(self.block, self.thread)
            .from_source(chain);
        let waiting = match &self.problem {
            Problem::Deadlock(waiting)
            | Problem::Livelock(waiting)
            | Problem::Limit(_, waiting) => waiting.as_slice(),
            Problem::Divergent { others, .. } => std::slice::from_ref(others),
            Problem::Told(told) => told.related.as_slice(),
            _ => &[],
        };
        for group in waiting.iter().take(8) {
            diagnostic = diagnostic.related(group.span, group.text.clone());
        }
        match self.problem.help() {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}
