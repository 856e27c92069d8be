//! Machine code as the judge sees it, and whether it keeps what was asked.
//!
//! ```text
//!   PTX ─ ptxas ─► cubin ─ line ─► Line… ─ flow ─► which memory each access means ─ rules ─► exact, stronger, weaker
//! ```
//!
//! What PTX says is not what runs: ptxas makes loops of some atomics and forgets their order there, and it ends
//! others in a plain load and store that memory of another block can reach. So the judge reads what ptxas has made,
//! through the decoder of `sass`, and goes every way that an address of each kind of memory can take through it.

pub mod damage;
pub mod flow;
pub mod line;
pub mod rules;

use crate::asked::Reach;

/// Where an address points when the code runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Memory {
    /// Global memory.
    Global,
    /// Shared memory of the block.
    Own,
    /// Shared memory of another block of the cluster.
    Other,
    /// The thread's own memory.
    Local,
}

impl Memory {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Memory::Global => "global memory",
            Memory::Own => "shared memory",
            Memory::Other => "another block's shared memory",
            Memory::Local => "the thread's own memory",
        }
    }

    /// What `QSPC.E.letter` answers for an address in it; `None` for letters that nobody has seen.
    ///
    /// `D` is the shared memory of all blocks of the cluster, `S` that of the block alone.
    pub fn is_in_window(self, letter: &str) -> Option<bool> {
        Some(match letter {
            "S" => self == Memory::Own,
            "D" => matches!(self, Memory::Own | Memory::Other),
            "G" => self == Memory::Global,
            "L" => self == Memory::Local,
            _ => return None,
        })
    }
}

/// The narrowest scope of machine code that reaches as far: it has none between the block and the device.
pub fn needed(reach: Reach) -> Reach {
    match reach {
        Reach::Cluster => Reach::Gpu,
        other => other,
    }
}
