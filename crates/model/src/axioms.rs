//! The axioms of the PTX memory model, as code, and a search through all executions of a small program.
//!
//! ```text
//!   Program ──path──► one way through each thread, with symbolic values
//!                        │ explore: who reads from whom, which barriers meet, orders of fences and of writes
//!                        ▼
//!   Graph (events, program order, dependencies) ──ptx──► derived relations ──► allowed, or the Violation of an axiom
//!                                               └─source─► the same for C++ and LLVM, for the proof of [`crate::mapping`]
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`relation`] | relations over at most 64 events, a word a row |
//! | [`program`] | programs: threads and where they run, locations, instructions |
//! | [`path`] | ways through a thread, loops unrolled to a bound |
//! | [`graph`] | the events of one choice of ways, and what does not depend on values |
//! | [`barrier`] | which barriers meet |
//! | [`ptx`] | the axioms of the PTX manual, versions 6.0 and 7.5 |
//! | [`mod@explore`] | the search |
//! | [`explain`] | the cycle that an axiom forbids |
//! | [`source`] | a scoped model of C++ and LLVM atomics |
//!
//! All relations that axioms speak of only grow when more is known of an execution, and axioms only forbid. So a part of
//! an execution that an axiom forbids is never completed, and coherence has only the pairs that the model asks for.

pub mod barrier;
pub mod explain;
pub mod explore;
pub mod graph;
pub mod path;
pub mod program;
pub mod ptx;
pub mod relation;
pub mod source;

pub use explain::{Cycle, Edge, Label};
pub use explore::{
    Execution, Limits, Refuted, TooLarge, USUAL_EVENTS, candidates, explore, refute,
};
pub use graph::{Event, EventKind, Graph};
pub use program::{
    BarrierKind, Inst, Location, MemoryProxy, Operand, Operation, Place, Program, ProxyFenceKind,
    Rmw, Thread, ValueType,
};
pub use ptx::{Axiom, Version, Violation};
pub use relation::Relation;
