//! Random programs in LLVM IR, for tests of the compiler.
//!
//! ```text
//!   seed ──draft──► Program ──text──► .ll ──llc, or our compiler──► .ptx ──on_sim──► bytes
//!                      ▲ reduce: smaller while it still fails            compared by `compare`
//! ```
//!
//! A program has one kernel that reads a buffer and writes another. It does nothing undefined, so
//! all correct compilers give the same bytes.

pub mod builtins;
pub mod draft;
pub mod judge;
pub mod on_sim;
pub mod ours;
pub mod program;
pub mod record;
pub mod reduce;
pub mod ty;
