//! Kernels on the emulator.

mod asynchronous;
mod execution;
mod findings;
mod robust;
mod structured;
