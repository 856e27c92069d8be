//! Machine code on the GPU: kernels written by hand in SASS, and kernels of ptxas taken apart and put together again.
//!
//! ```text
//!   tests/kernels/sass/*.sass ──assemble──► cubin ──► GPU ──► buffers, held against what the CPU works out
//!   the same, damaged on purpose ─────────► cubin ──► GPU ──► must be seen to fail
//!   DIR/NAME.{ptx,original.cubin,rebuilt.cubin} ───► GPU ──► both must leave the same bytes
//! ```
//!
//! The driver does not look at code: a kernel that is wrong hangs or faults. Every item has a child process of its own.

pub mod case;
pub mod damage;
pub mod hand;
mod memory;
mod numbers;
pub mod pairs;
pub mod run;
pub mod task;
mod warps;
