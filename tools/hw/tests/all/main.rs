//! The suites for hardware, without a GPU: what one answered is replayed, and the emulator runs what can be run here.

mod assembled;
mod assembled_doubles;
mod assembled_groups;
mod assembled_kernels;
mod assembled_matrices;
mod assembled_memory;
mod collectives;
mod from_ir;
mod latency_on_hardware;
mod memory_order;
mod memory_order_on_hardware;
mod mutants;
mod replay;
mod sass;
mod sass_sim;
