//! Kernels on the emulator.

mod asynchronous;
mod execution;
mod robust;
mod structured;
