//! Functions of LLVM's own tests, each run with many inputs: our code beside LLVM's for the GPU and the host.
//!
//! ```text
//!   test tree ──extract──► functions ──wrap──► a module of some hundred with a wrapper each
//!     ──llc-22 -O0, -O2 for the host──► native results ┐
//!     ──llc-22 -O0, -O2 for the GPU──► emulator ───────┼─► all agree: the answer
//!     ──ours──► emulator ──────────────────────────────┘   compared with it
//! ```
//!
//! A test may do something undefined, and what is poison may come out as anything. So an input counts only if LLVM's four
//! codes agree on all that it leaves, and if a fifth, which checks every operation that may give poison and every access to
//! memory, finds nothing wrong. Flags of fast arithmetic are taken away: with them more than one answer is right.

mod batch;
mod bounds;
mod extract;
mod judge;
mod nan;
mod native;
mod signature;
mod watch;
mod wrap;

pub use batch::{Batch, Tools};
pub use extract::{Function, extract};
pub use judge::{Outcome, Verdict, judge};
pub use native::Native;
