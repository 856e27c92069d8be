//! Litmus tests: small programs whose outcomes show how memory is ordered, in LLVM IR with atomics,
//! compiled by us and run many millions of times.
//!
//! ```text
//!   shape (who reads and writes what) × style (which orders, or fences) × scope ──ir──► LLVM IR ──► PTX
//!                                                                                        │ run
//!   needs of the shape against strength of the style: is the weak outcome forbidden? ◄── counts of outcomes
//! ```
//!
//! A launch runs 262,144 instances of a test at once. Every thread plays every part, each of another
//! instance, so nothing waits for anything: parts of an instance meet because all threads run the same code at
//! the same time. Where in memory an instance lies, which threads play its parts, in which order, after
//! which delay and beside how much other traffic is drawn anew for each launch; half of the launches repeat
//! what showed the most weak outcomes so far with the same shape and scope.

pub mod ir;
pub mod report;
pub mod run;
pub mod shape;
pub mod style;
pub mod task;
pub mod terrain;
