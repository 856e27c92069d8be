//! Atomic operations of LLVM IR, compiled by us and executed by 1,024 threads that contend.
//!
//! ```text
//!   case: operation × type × space × scope × order ──ir──► LLVM IR ──our compiler──► PTX ─┐
//!     └──plan──► launches: cells with guards around, operands, places                     ├─► run: GPU or emulator
//!                                                                                         ▼
//!   judge: is there an order of the operations in which each thread sees what it saw? ◄── memory, results
//! ```
//!
//! The judge knows what operations compute from LLVM's rules alone, and nothing of how they are compiled.

pub mod case;
pub mod float;
pub mod ir;
pub mod judge;
pub mod operation;
pub mod plan;
pub mod run;
pub mod task;
