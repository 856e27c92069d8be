//! What a run did.

use std::ops::AddAssign;
use std::time::Duration;
use warpc_diag::Diagnostics;
use warpc_launch::Races;

/// Counts of what happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Instructions, once for every thread that executed it.
    pub thread_instructions: u64,
    /// Instructions, once for every warp (or part of one) that executed it.
    pub warp_instructions: u64,
    /// Barriers of blocks and clusters that were completed, and phases of mbarriers.
    pub barriers: u64,
    /// Atomic operations, once for every thread.
    pub atomics: u64,
    /// Loads and stores, once for every thread.
    pub accesses: u64,
    /// Bytes that loads and stores moved.
    pub bytes: u64,
    /// Warp operations such as shuffles and votes, once for every warp.
    pub collectives: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.thread_instructions += other.thread_instructions;
        self.warp_instructions += other.warp_instructions;
        self.barriers += other.barriers;
        self.atomics += other.atomics;
        self.accesses += other.accesses;
        self.bytes += other.bytes;
        self.collectives += other.collectives;
    }
}

/// What a launch did.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// What happened, over all threads.
    pub counts: Counts,
    /// What the kernel printed, block by block.
    pub output: Vec<u8>,
    /// How long it took.
    pub time: Duration,
    /// How many host threads ran it.
    pub workers: usize,
    /// How many blocks there were.
    pub blocks: u64,
    /// How many threads a block had.
    pub threads: u32,
    /// Which races were looked for.
    pub races: Races,
    /// Whether uses of uninitialised memory were looked for.
    pub init: bool,
    /// Whether the program uses tensor memory, which is not watched for races.
    pub tensor_memory: bool,
    /// What was found that did not end the run: warnings, and from [`crate::Device::launch_to_end`] races, too.
    pub warnings: Diagnostics,
}
