//! Test cases for real hardware: what is run there, what is recorded, how it is compared.
//!
//! The binary `warpc-hw` is carried to a machine with a GPU and writes down what the hardware
//! answers; the tests of this crate replay those answers on machines without one.

pub mod answers;
pub mod assembled;
pub mod atomics;
pub mod attributes;
mod children;
pub mod collectives;
pub mod compare;
mod compiled;
pub mod covered;
pub mod forms;
pub mod groups;
pub mod kernels;
pub mod latency;
pub mod litmus;
pub mod matrix;
pub mod mutants;
pub mod on_gpu;
pub mod on_sass_sim;
pub mod on_sim;
pub mod programs;
pub mod random;
pub mod sass;
pub mod table;
