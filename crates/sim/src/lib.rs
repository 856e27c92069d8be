//! Runs PTX on the CPU.

pub mod launch;
pub mod matrix;

pub use launch::{Argument, Launch, Shape};
