//! Generated modules through our compiler and the emulator.

mod builtins;
mod programs;
mod widening;
