//! What happened in a launch, place by place: how often each line ran, who waited where and for whom, what memory was
//! touched. Only recorded where it is asked for ([`crate::Device::record`]).

use std::collections::BTreeMap;
use warpc_diag::{Origin, Span};

/// Equal parts of a piece of memory that accesses are counted in.
pub const PARTS: usize = 64;

/// Blocks whose warps are shown over time.
pub const BLOCKS: usize = 8;

/// A launch, recorded.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// Instructions, the most executed first.
    pub lines: Vec<Line>,
    /// Memory that was touched or could have been, by address; shared and local memory last.
    pub memory: Vec<Piece>,
    /// The first blocks, with their warps over time.
    pub blocks: Vec<Block>,
    /// Places where warps waited, the longest wait first.
    pub waits: Vec<Waited>,
}

/// How often an instruction was executed.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The instruction in the input.
    pub span: Span,
    /// The function.
    pub function: String,
    /// Where it comes from, if the input has lines.
    pub source: Vec<Origin>,
    /// How often warps executed it, or parts of them.
    pub warps: u64,
    /// How often threads executed it.
    pub threads: u64,
}

/// How often a piece of memory was accessed, once for each thread.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// What it is.
    pub name: String,
    /// Its address, if it is in global memory.
    pub address: Option<u64>,
    /// How many bytes it has.
    pub bytes: u64,
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Atomic operations.
    pub atomics: u64,
    /// All of them, by [`PARTS`] equal parts of the memory.
    pub parts: Vec<u64>,
}

/// What a warp does for some time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Doing {
    /// It executes instructions.
    Runs,
    /// It executes a loop that waits for others.
    Spins,
    /// It waits at a barrier of the block, by its number.
    Barrier(u8),
    /// It waits at the cluster's barrier.
    Cluster,
    /// It waits for a phase of an mbarrier.
    Mbarrier,
    /// It waits for asynchronous copies.
    Copies,
    /// Its lanes wait for each other.
    Lanes,
}

impl Doing {
    /// In words.
    pub fn words(self) -> String {
        match self {
            Doing::Runs => "runs".to_owned(),
            Doing::Spins => "spins".to_owned(),
            Doing::Barrier(number) => format!("waits at barrier {number}"),
            Doing::Cluster => "waits at the cluster's barrier".to_owned(),
            Doing::Mbarrier => "waits for an mbarrier".to_owned(),
            Doing::Copies => "waits for copies".to_owned(),
            Doing::Lanes => "waits for lanes of the warp".to_owned(),
        }
    }
}

/// A time in which a warp does one thing. Time counts steps: all warps run side by side, and a step takes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// When it begins.
    pub start: u64,
    /// When it ends.
    pub end: u64,
    /// What it does.
    pub doing: Doing,
    /// The warp that ended a wait, by its number in `Block::warps`, if that is known.
    pub released_by: Option<usize>,
}

/// A block, or the blocks of a cluster.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The first block's position in the grid.
    pub block: [u32; 3],
    /// The warps: the rank of the block in its cluster, the warp's number in the block, and what it did.
    pub warps: Vec<(u32, u32, Vec<Segment>)>,
}

/// A place where warps waited.
#[derive(Clone, PartialEq, Debug)]
pub struct Waited {
    /// The instruction in the input.
    pub span: Span,
    /// Where it comes from, if the input has lines.
    pub source: Vec<Origin>,
    /// What for.
    pub doing: Doing,
    /// How often.
    pub count: u64,
    /// How many steps in all.
    pub steps: u64,
    /// Which warp of a block waited for which how many steps, the longest first.
    pub pairs: Vec<((u32, u32), u64)>,
}

/// Numbers of accesses.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Use {
    pub(crate) counts: [u64; 3],
    pub(crate) parts: Vec<u64>,
}

impl Default for Use {
    fn default() -> Use {
        Use {
            counts: [0; 3],
            parts: vec![0; PARTS],
        }
    }
}

impl Use {
    /// An access of a kind (read, write, atomic) at an offset.
    pub(crate) fn add(&mut self, kind: usize, offset: u64, bytes: u64) {
        self.counts[kind] += 1;
        let part = u128::from(offset) * PARTS as u128 / u128::from(bytes.max(1));
        let part = usize::try_from(part).unwrap_or(0).min(PARTS - 1);
        self.parts[part] += 1;
    }

    pub(crate) fn merge(&mut self, other: &Use) {
        let pairs = self.counts.iter_mut().zip(other.counts);
        pairs.for_each(|(own, other)| *own += other);
        let pairs = self.parts.iter_mut().zip(&other.parts);
        pairs.for_each(|(own, other)| *own += other);
    }

    pub(crate) fn piece(self, name: String, address: Option<u64>, bytes: u64) -> Piece {
        let [reads, writes, atomics] = self.counts;
        Piece {
            name,
            address,
            bytes,
            reads,
            writes,
            atomics,
            parts: self.parts,
        }
    }
}

/// Waits at one step for one reason: how often, how long, and who waited for whom.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct WaitTotal {
    pub(crate) count: u64,
    pub(crate) steps: u64,
    pub(crate) pairs: BTreeMap<(u32, u32), u64>,
}
