//! Random programs in PTX, for tests of the assembler.
//!
//! ```text
//!   seed ──draft──► Program ──text──► .ptx ──┬─ emulator of PTX ────────────────────────────► bytes ┐
//!                      ▲                     └─ assembler, at every level ─► emulator of cubins ─► bytes ┴─► judge
//!                      └── reduce: smaller while it still fails
//! ```
//!
//! A program is a module with one to three kernels. Every thread reads registers from a buffer, computes, and writes
//! all it has to another. Programs are well-defined: registers are written before they are read, threads do not race,
//! loops are bounded by counters, collectives are executed by exactly the lanes of their masks, and operations whose
//! result the manual leaves open are left out. So every correct assembler's code leaves the same bytes.
//!
//! The generator was written from the PTX manual and uses nothing of `warpc-ptx-to-sass`, which it judges.

pub mod class;
pub mod draft;
pub mod judge;
pub mod program;
pub mod reduce;
pub mod survey;
pub mod table;
