//! Running a program.
//!
//! ```text
//!   grid: workers take groups in order ──► group: the blocks of a cluster, run by one worker
//!     ──► warp: fragments (lanes at one place) ──► frame: registers ──► one step on all lanes
//! ```
//!
//! A *group* is a cluster, or a block where there are no clusters: what shares memory other than
//! global runs on one worker, and needs no locks. A *fragment* is a set of lanes of one warp that are
//! at the same place; each thread has its own program counter, so fragments split at branches, wait
//! on their own, and merge when they meet at the start of a run of steps. Which warp and which
//! fragment runs next follows from the seed.

pub(crate) mod access;
pub mod async_copy;
pub(crate) mod barrier;
mod call;
mod collective;
pub(crate) mod compute;
pub(crate) mod deadlock;
pub(crate) mod defined;
pub(crate) mod flights;
pub(crate) mod frame;
pub(crate) mod grid;
pub(crate) mod group;
pub mod groups;
pub mod library;
mod lifetime;
pub mod matrix;
pub mod mbarrier;
pub(crate) mod random;
pub(crate) mod record;
pub(crate) mod special;
mod spin;
mod straight;
pub mod tensor;
pub mod tensor_map;
pub mod texture;
pub(crate) mod warp;
mod weak;

use crate::finding::Problem;
use crate::memory::Global;
use crate::program::Program;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What does not change while a kernel runs.
pub(crate) struct Env<'a> {
    pub(crate) program: &'a Program,
    pub(crate) global: &'a Global,
    pub(crate) params: &'a [u8],
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) cluster: [u32; 3],
    /// Whether the launch or the kernel asked for clusters.
    pub(crate) explicit_cluster: bool,
    pub(crate) dynamic_shared: u32,
    pub(crate) seed: u64,
    /// Thread instructions after which the run is stopped; `u64::MAX` for no limit.
    pub(crate) limit: u64,
    /// What looks for races.
    pub(crate) races: Option<&'a crate::races::Session>,
    /// Weak memory, where that was asked for.
    pub(crate) weak: Option<&'a crate::weak::Session>,
    /// Whether uses of uninitialised memory are looked for.
    pub(crate) init: bool,
    /// Whether code that is run often is compiled for the host.
    #[cfg(feature = "jit")]
    pub(crate) native: bool,
    /// Where variables lie in a block's shared memory, by offset: start and end.
    pub(crate) variables: Vec<(u32, u32)>,
    pub(crate) workspace: Workspace,
    /// Whether what happens is recorded, place by place.
    pub(crate) record: bool,
    /// Whether somebody chooses what happens next: see [`crate::explore`].
    pub(crate) explored: bool,
    /// How many groups were begun, or taken from the launch by another.
    pub(crate) begun: AtomicU64,
}

/// Memory through which the blocks of a cooperative launch wait for each other.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// Its address; zero in other launches.
    pub(crate) place: u64,
    /// Whether a thread asked for it.
    pub(crate) wanted: AtomicBool,
}

impl Workspace {
    /// What the program sees of it.
    fn address(&self) -> u64 {
        self.wanted.store(true, Ordering::Relaxed);
        self.place
    }
}

impl Env<'_> {
    /// Threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Blocks of a cluster.
    pub(crate) fn blocks_in_cluster(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Bytes of shared memory that a block has, without the gaps between variables.
    pub(crate) fn shared_bytes(&self) -> u32 {
        let end = self.program.shared_plain_end;
        end.saturating_add(self.dynamic_shared) - self.program.shared_begin
    }

    /// Where the variable lies that is at an offset of shared memory.
    #[inline]
    pub(crate) fn variable_at(&self, offset: u64) -> Option<(u64, u64)> {
        let inside =
            |(start, end): &&(u32, u32)| u64::from(*start) <= offset && offset < u64::from(*end);
        let (start, end) = *self.variables.iter().find(inside)?;
        Some((u64::from(start), u64::from(end)))
    }

    /// Whether bytes of shared memory belong to one variable.
    #[inline]
    pub(crate) fn is_in_variable(&self, offset: u64, bytes: u32) -> bool {
        let found = self.variable_at(offset);
        found.is_some_and(|(_, end)| offset + u64::from(bytes) <= end)
    }

    /// What is near an offset of shared memory that belongs to no variable.
    #[cold]
    pub(crate) fn near_variable(&self, offset: u64) -> String {
        let before = |(start, _): &&(u32, u32)| u64::from(*start) <= offset;
        match self.variables.iter().rfind(before) {
            Some((start, end)) => {
                let size = end - start;
                match offset.checked_sub(u64::from(*end)) {
                    Some(0) => format!("right after the end of a shared variable of {size} bytes"),
                    Some(past) => {
                        format!("{past} bytes past the end of a shared variable of {size} bytes")
                    }
                    None => format!("across the end of a shared variable of {size} bytes"),
                }
            }
            None => "before all shared variables".to_owned(),
        }
    }

    /// Where a block's shared memory ends.
    pub(crate) fn shared_end(&self) -> u32 {
        self.program
            .shared_static_end
            .saturating_add(self.dynamic_shared)
    }
}

/// A problem and the lane that had it.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) lane: u32,
    pub(crate) problem: Problem,
}

impl Trouble {
    /// A problem of the first of some lanes.
    pub(crate) fn of(lanes: u32, problem: Problem) -> Box<Trouble> {
        Box::new(Trouble {
            lane: lanes.trailing_zeros().min(31),
            problem,
        })
    }
}

/// The number of a warp in its group.
pub(crate) fn number_of(warp: &warp::Warp, env: &Env<'_>) -> usize {
    let warps = env.threads().div_ceil(32);
    (warp.identity.rank * warps + warp.identity.warp) as usize
}

/// The number of a thread in its group, with places for those that a warp lacks.
pub(crate) fn thread_of(warp: &warp::Warp, env: &Env<'_>, lane: usize) -> u32 {
    (number_of(warp, env) * 32 + lane) as u32
}

/// What a step may end with.
pub(crate) type Outcome<T> = Result<T, Box<Trouble>>;

/// The lanes of a mask, lowest first.
pub(crate) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            lane as usize
        })
    })
}
