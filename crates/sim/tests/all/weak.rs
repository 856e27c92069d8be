//! Weak memory, judged by the axioms of the model, which know nothing of the emulator.
//!
//! ```text
//!   Program of axioms ─emit─► PTX ─► the emulator, many seeds ─► outcomes ─┐
//!                    └──────► explore: all executions ─────────► outcomes ─┴► none is forbidden; how many are seen
//! ```

mod emit;
mod kernels;
mod litmus;
mod mutants;
mod outcome;
mod random;
mod suite;
