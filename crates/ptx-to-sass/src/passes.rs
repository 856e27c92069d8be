//! The passes from PTX to machine code, in order.
//!
//! | pass | does |
//! |---|---|
//! | `build` | PTX to machine instructions over virtual registers (`crate::build`) |
//! | `converge` | convergence barriers where lanes part and meet (phase 72) |
//! | `assign_registers` | registers of the machine |
//! | `spill` | values without a register to local memory, and registers again |
//! | `enter_frame` | the stack |
//! | `emit` | instructions in order (`crate::emit`) |
//! | `schedule` | control words |

pub mod assign_registers;
pub mod converge;
pub mod enter_frame;
pub mod schedule;
pub mod spill;
