//! Kernels on the emulator.

mod asynchronous;
mod execution;
mod explore;
mod findings;
mod groups;
mod mutants;
mod races;
mod robust;
mod structured;
mod tensor;
mod weak;
