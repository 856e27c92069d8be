//! Kernels on the emulator.

mod asynchronous;
mod execution;
mod findings;
mod races;
mod robust;
mod structured;
