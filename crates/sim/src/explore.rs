//! Exploring the schedules of a launch: all that differ in what can be seen.
//!
//! ```text
//!   Search (tree) ──Task──► Guide ──Device::follow──► launches (play) ──► Trace ──► Search: what else must be run
//! ```
//!
//! # What is chosen
//!
//! Each thread acts on its own; lanes of a warp are together only where PTX has them meet. A run is a sequence of *events*. An event is
//! one visible operation of a thread, with the steps after it up to the next one. Visible are accesses of global and shared memory,
//! atomics, arrivals at barriers and mbarriers, waits for mbarriers and copies, matrix instructions, issues of asynchronous copies,
//! `printf`, `malloc`, `free` and the end of a thread. Each asynchronous copy is an *actor* as well: its data move in an event of its
//! own (two for a bulk copy out of a group), at any time between its issue and the first wait that covers it. At every event the actor is chosen.
//! So everything that the emulator draws by its seed is a choice here:
//!
//! | by the seed | here |
//! |---|---|
//! | which warp and which fragment runs, and for how long; the order of blocks | who has the next event; all blocks are resident |
//! | when asynchronous copies happen, and in which order | copies are actors |
//! | whether `mbarrier.try_wait` gives up | it never waits: a wait that succeeds later is one that was executed later |
//!
//! Values that depend on time do not depend on the schedule: clocks count the thread's own steps. `activemask` and warp operations
//! without a member mask depend on which lanes are together, which nothing here chooses: they are refused.
//!
//! # What need not be chosen
//!
//! Two events that touch nothing in common can come in either order: memory, findings and what each thread sees are the same
//! (`footprint`). Of all runs that differ only in that, one is enough. `order` says which events depend on each other, `tree` which
//! other runs there must be. Some operations always commute, and are no events or touch nothing in common:
//! - A warp operation with a mask, and the meeting of a warp at an aligned instruction, are complete when all their lanes have come.
//!   Nobody sees who was last. They happen in the steps after an event.
//! - Arrivals at a barrier of all threads of a block commute with each other. What comes after the barrier comes after all of them: a
//!   *gate*, which orders without any race.
//! - Arrivals at an mbarrier in the same phase whose state nobody uses, or of any state where `mbarrier.pending_count` is not used: states
//!   are opaque, and name the phase only. And ends of threads.
//! - `red` of the same integer operation, relaxed.
//!
//! # Loops that wait
//!
//! A thread that comes back to the same state without having changed anything stops there (`closed`). Let a run have such a turn of a
//! loop, after which the thread goes on. Leave the turn out: its reads change nothing, so everybody else does the same, and the thread
//! is in the same state as after it. What is left is a run of the same launch with the same findings and the same memory, in which no such
//! turn was made; and all these are explored, since "a thread stops after such a turn" depends on its own past alone. A run in which a
//! thread stopped although what it read was changed later is incomplete ([`End::Waiting`]) and is not a schedule of its own. If nothing
//! was changed, nobody can go on: that is a deadlock, and reported.
//!
//! A loop whose registers keep changing is not closed, nor one with a warp operation of several lanes. It is bounded by the limit of
//! thread instructions, and a search that reaches it proves nothing.
//!
//! # Findings
//!
//! A thread with a finding stops, and the others go on: what they do before they meet a consequence could have come first. So one
//! run shows what several would.

pub(crate) mod closed;
pub(crate) mod footprint;
pub(crate) mod live;
mod order;
pub(crate) mod play;
mod refuse;
mod schedule;
mod trace;
mod tree;

pub(crate) use refuse::refuse;
pub use schedule::{Actor, Schedule};
pub use trace::{End, Guide, Trace};
pub use tree::{Search, Task};

/// Thread instructions that a run may take where nothing else is said.
pub(crate) const LIMIT: u64 = 1 << 20;
