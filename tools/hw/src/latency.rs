//! How long results take, measured: the smallest distance at which the second of two instructions sees what the first
//! wrote.
//!
//! ```text
//!   old value, long wait                         the same with a distance of n cycles
//!   first instruction, long wait, second   ──►   first instruction, n cycles, second   ──►   any bit another?
//! ```
//!
//! The chip does not check distances: an instruction that comes too early reads what was there before. So each pair of
//! instructions is run at every distance from 1 to [`kernel::FARTHEST`] in a loop, in 32 lanes with different numbers,
//! and compared with itself at a safe distance. The results are held against the tables of `warpc-sass`
//! ([`warpc_sass::latency`]): a table that says less than the chip needs would make wrong code.
//!
//! What instructions without a fixed latency take, and what pipes let through, is measured by the clock ([`rates`]).

pub mod cases;
pub mod kernel;
pub mod pairs;
pub mod rates;
pub mod task;
