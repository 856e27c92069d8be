//! Kernels on the emulator.

mod asynchronous;
mod execution;
mod explore;
mod findings;
mod mutants;
mod races;
mod robust;
mod structured;
