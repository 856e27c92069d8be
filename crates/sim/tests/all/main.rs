//! Kernels on the emulator.

mod asynchronous;
mod execution;
mod explore;
mod findings;
mod forms;
mod groups;
mod idioms;
mod launch_control;
mod mutants;
#[cfg(feature = "jit")]
mod native;
mod races;
mod robust;
mod rows;
mod structured;
mod tensor;
mod weak;
