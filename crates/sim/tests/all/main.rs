//! Kernels on the emulator.

mod asynchronous;
mod execution;
mod races;
mod robust;
mod structured;
